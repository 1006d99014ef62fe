//! The page for players as the program hands it out, links that carry a bundle, and QR codes of links.

use std::io::Read;

use base64ct::{Base64UrlUnpadded, Encoding};
use flate2::read::DeflateDecoder;
use sha2::{Digest, Sha256};

use crate::common::lab::Lab;

#[test]
fn the_page_is_the_one_that_its_sources_make() {
    let lab = Lab::new();
    let output = lab.run(&["page", "--out", "verify.html"]).ends(0);
    let hash = base16ct::lower::encode_string(&Sha256::digest(lab.read("verify.html")));
    let committed = include_str!("../../web/verify.html.sha256");
    assert_eq!(
        (committed.split(' ').next(), output.out.split(' ').next()),
        (Some(&hash[..]), Some(&hash[..]))
    );
}

#[test]
fn a_link_carries_the_bundle_of_a_seat_byte_for_byte() {
    let lab = Lab::new();
    let deal =
        ["deal", "--rules", "stud-hi", "--seats", "1,2,3", "--hands", "1", "--out", "t", "--table", "T-1"];
    lab.run(&[&deal[..], &["--origin", "stud.example/log1"]].concat()).ends(0);
    let link = ["bundle", "t", "--hand", "1", "--link", "https://stud.example/verify.html"];
    let output = lab.run(&[&link[..], &["--seat", "2"]].concat()).ends(0);
    let [path, link] = output.out.lines().collect::<Vec<_>>()[..] else { panic!("{output}") };
    let packed = link.strip_prefix("https://stud.example/verify.html#d1.").expect("the form of docs/page.md");
    let packed = Base64UrlUnpadded::decode_vec(packed).expect("base64url");
    let mut bundle = Vec::new();
    DeflateDecoder::new(&packed[..]).read_to_end(&mut bundle).expect("one DEFLATE stream");
    assert_eq!(bundle, lab.read(path));
    // A full reveal opens every card to everybody who has its link.
    lab.run(&["bundle", "t", "--hand", "1", "--full", "--link", "https://stud.example/"]).ends(2);
}

/// The modules of an SVG, each one `Mx,yh1v1h-1z` behind a margin of 4, in the form of `fixtures/qr/`.
fn modules_of_svg(svg: &str) -> String {
    let side: usize = svg
        .split("viewBox=\"0 0 ")
        .nth(1)
        .and_then(|rest| rest.split(' ').next())
        .expect("a side")
        .parse()
        .expect("a number");
    let mut rows = vec![vec![false; side - 8]; side - 8];
    let path = svg.split("<path d=\"M").nth(1).and_then(|rest| rest.split('"').next()).expect("modules");
    for module in path.trim_end_matches("h1v1h-1z").split("h1v1h-1zM") {
        let (x, y) = module.split_once(',').expect("a place");
        rows[y.parse::<usize>().expect("a number") - 4][x.parse::<usize>().expect("a number") - 4] = true;
    }
    printed(&rows)
}

/// The modules of blocks, two a letter, light ones drawn.
fn modules_of_blocks(blocks: &str) -> String {
    let lines: Vec<Vec<char>> = blocks.lines().map(|line| line.chars().collect()).collect();
    let side = lines[0].len();
    let is_dark = |x: usize, y: usize| match lines[y / 2][x] {
        '█' => false,
        ' ' => true,
        '▀' => y % 2 == 1,
        '▄' => y.is_multiple_of(2),
        other => panic!("{other:?}"),
    };
    let margin = |x: usize, y: usize| !(4..side - 4).contains(&x) || !(4..side - 4).contains(&y);
    assert!((0..side).all(|y| (0..side).all(|x| !(margin(x, y) && is_dark(x, y)))));
    let rows: Vec<Vec<bool>> =
        (4..side - 4).map(|y| (4..side - 4).map(|x| is_dark(x, y)).collect()).collect();
    printed(&rows)
}

/// A row of modules a line, the dark ones `#`.
fn printed(rows: &[Vec<bool>]) -> String {
    let line = |row: &Vec<bool>| row.iter().map(|dark| if *dark { '#' } else { '.' }).collect::<String>();
    rows.iter().map(|row| line(row) + "\n").collect()
}

#[test]
fn a_qr_code_has_the_modules_that_another_encoder_gives_it() {
    let lab = Lab::new();
    let (link, modules) = include_str!("../../fixtures/qr/root.txt").split_once('\n').expect("two parts");
    let output = lab.run(&["page", "--qr", link]);
    assert_eq!((output.code, modules_of_blocks(&output.out).as_str()), (0, modules), "{output}");
    let output = lab.run(&["page", "--qr", link, "--out", "root.svg"]);
    assert_eq!((output.code, output.out.as_str()), (0, ""), "{output}");
    let svg = lab.text("root.svg");
    assert_eq!(modules_of_svg(&svg), modules);
    let svg = roxmltree::Document::parse(&svg).expect("XML");
    assert_eq!(svg.root_element().first_element_child().and_then(|title| title.text()), Some(link));
    lab.run(&["page", "--qr", &link.replace("html#", "html?a=1&b=<#"), "--out", "root.svg"]).ends(0);
    let svg = lab.text("root.svg");
    assert!(roxmltree::Document::parse(&svg).is_ok(), "{svg}");
}

#[test]
fn what_the_page_would_not_read_is_not_drawn() {
    let lab = Lab::new();
    let root = "5e1d2c3b4a59687766554433221100ffeeddccbbaa99887766554433221100f1";
    let links = [
        root.to_owned(),
        "https://stud.example/verify.html".to_owned(),
        format!("#{root}"),
        format!("stud.example#{root}"),
        format!("https://stud.example/#{}", &root[1..]),
        format!("https://stud.example/#{root}0"),
        format!("https://stud.example/#{}", root.to_uppercase()),
        format!("https://stud.example/a b#{root}"),
        "https://stud.example/#d1.a+b".to_owned(),
        format!("https://stud.example/#d1.{}", "A".repeat(3_600)),
    ];
    for link in links {
        let output = lab.run(&["page", "--qr", &link, "--out", "root.svg"]);
        assert_eq!((output.code, std::path::Path::new(&lab.path("root.svg")).exists()), (2, false), "{link}");
    }
}
