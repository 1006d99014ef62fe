//! The page for players as the program hands it out, and links that carry a bundle.

use std::io::Read;

use base64ct::{Base64UrlUnpadded, Encoding};
use flate2::read::DeflateDecoder;
use sha2::{Digest, Sha256};

use crate::common::lab::Lab;

#[test]
fn the_page_is_the_one_that_its_sources_make() {
    let lab = Lab::new();
    let said = lab.run(&["page", "--out", "verify.html"]);
    assert_eq!(said.code, 0, "{}", said.err);
    let hash = base16ct::lower::encode_string(&Sha256::digest(lab.read("verify.html")));
    let committed = include_str!("../../web/verify.html.sha256");
    assert_eq!((committed.split(' ').next(), said.out.split(' ').next()), (Some(&hash[..]), Some(&hash[..])));
}

#[test]
fn a_link_carries_the_bundle_of_a_seat_byte_for_byte() {
    let lab = Lab::new();
    let deal =
        ["deal", "--rules", "stud-hi", "--seats", "1,2,3", "--hands", "1", "--out", "t", "--table", "T-1"];
    let said = lab.run(&[&deal[..], &["--origin", "stud.example/log1"]].concat());
    assert_eq!(said.code, 0, "{}", said.err);
    let link = ["bundle", "t", "--hand", "1", "--link", "https://stud.example/verify.html"];
    let said = lab.run(&[&link[..], &["--seat", "2"]].concat());
    assert_eq!(said.code, 0, "{}", said.err);
    let [path, link] = said.out.lines().collect::<Vec<_>>()[..] else { panic!("{}", said.out) };
    let packed = link.strip_prefix("https://stud.example/verify.html#d1.").expect("the form of docs/page.md");
    let packed = Base64UrlUnpadded::decode_vec(packed).expect("base64url");
    let mut bundle = Vec::new();
    DeflateDecoder::new(&packed[..]).read_to_end(&mut bundle).expect("one DEFLATE stream");
    assert_eq!(bundle, lab.read(path));
    // A full reveal opens every card to everybody who has its link.
    assert_eq!(lab.run(&["bundle", "t", "--hand", "1", "--full", "--link", "https://stud.example/"]).code, 2);
}
