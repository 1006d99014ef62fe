//! Hostile input: nothing from outside steers the terminal, and no file costs more time than an honest one.

use std::fs::{self, File};
use std::path::Path;

use deckproof::text::is_hidden;
use deckproof::verify::{Statements, verify_bundle};
use serde_json::json;

use crate::common::folder;
use crate::common::lab::{Lab, Output};

/// Goes up a line, wipes it, paints a verdict in green, turns the reading order, and begins a line.
const PAINT: &str = "x\u{1b}[1A\u{1b}[2K\u{1b}[32maccepted.\u{9b}0m\u{202e}\u{200b}\naccepted.\r\nPASS";

/// No hidden character is printed, no line begins as the hostile text wants it, and the text did come out.
fn check_shown_safely(output: &Output, code: i32) {
    assert_eq!(output.code, code, "{output}");
    let all = format!("{}\n{}", output.out, output.err);
    let hidden: Vec<char> = all.chars().filter(|&letter| is_hidden(letter) && letter != '\n').collect();
    assert!(hidden.is_empty(), "{hidden:?} in {all:?}");
    assert!(all.contains("\\u001b[1A"), "the text itself is nowhere: {all}");
    let forged = all.lines().find(|line| line.starts_with("accepted") || line.starts_with("PASS"));
    assert_eq!(forged, None, "{all}");
}

#[test]
fn a_refused_bundle_cannot_paint_a_verdict() {
    let lab = Lab::new();
    let mut bundle = json!({ "format": "deckproof/v1 reveal" });
    bundle[PAINT] = json!(1);
    lab.write("bundle.json", bundle.to_string());
    check_shown_safely(&lab.run(&["verify", "bundle.json"]), 1);
    let output = lab.run(&["verify", "--json", "bundle.json"]);
    let line = output.json();
    assert_eq!((&line["verdict"], &line["code"]), (&json!("refused"), &json!("E_FORMAT")));
    assert!(!output.out.trim_end().contains(is_hidden), "{:?}", output.out);
}

#[test]
fn an_unknown_key_of_a_certificate_or_a_trust_file_cannot_paint() {
    let lab = Lab::new();
    let mut certificate = json!({ "result": {} });
    certificate["result"][PAINT] = json!(1);
    lab.write("certificate.json", certificate.to_string());
    let output = lab.run(&["verify", "certificate.json"]).ends(2);
    assert!(!output.err.replace('\n', "").contains(is_hidden), "{:?}", output.err);
    let mut trust = json!({});
    trust[PAINT] = json!(1);
    lab.write("trust.json", trust.to_string());
    let output = lab.run(&["verify", "--trust", "trust.json", "certificate.json"]);
    check_shown_safely(&output, 2);
}

#[test]
fn names_in_a_hand_history_cannot_paint() {
    let lab = Lab::new();
    let name = PAINT.chars().map(|letter| format!("\\U{:08x}", letter as u32)).collect::<String>();
    let hand = format!(
        "variant = 'F7S'\nantes = [1, 1]\nbring_in = 2\nsmall_bet = 5\nbig_bet = 10\nstarting_stacks = [50, 50]\n\
         players = [\"{name}\", \"B\"]\nactions = ['d dh p1 ????7c', 'd dh p2 ????Kd', 'p1 pb', 'p2 f']\n"
    );
    lab.write("hand.phh", &hand);
    check_shown_safely(&lab.run(&["replay", "--rules", "stud-hi", "hand.phh"]), 0);
    let variant = hand.replace("'F7S'", &format!("\"{name}\""));
    lab.write("variant.phh", variant);
    check_shown_safely(&lab.run(&["replay", "variant.phh"]), 2);
    lab.write("many.phhs", format!("[\"{name}\"]\n{hand}[2]\n{hand}"));
    check_shown_safely(&lab.run(&["replay", "--rules", "stud-hi", "many.phhs"]), 0);
}

/// A name of a file comes from outside too: a folder of uploads, a wildcard.
#[cfg(unix)]
#[test]
fn names_of_files_cannot_paint() {
    let lab = Lab::new();
    check_shown_safely(&lab.run(&["verify", PAINT]), 2);
    let output = lab.run(&[PAINT]);
    assert!(!output.err.replace('\n', "").contains(is_hidden), "{:?}", output.err);
    let name = PAINT.replace(['\n', '\r'], "");
    check_shown_safely(&lab.run(&["audit", "--source", &format!("csv:{name}")]), 2);
    lab.write(&name, "{\"format\":1}");
    check_shown_safely(&lab.run(&["verify", &name]), 1);
}

#[test]
fn a_hostile_file_of_a_hundred_megabytes_is_refused_before_it_is_read() {
    let lab = Lab::new();
    let huge = File::create(lab.path("huge.json")).expect("writable");
    huge.set_len(100_000_000).expect("a sparse file");
    lab.run(&["verify", "huge.json"]).ends(2).must_warn("found 100000000 bytes, wanted at most 16777216");
}

#[test]
fn a_bundle_of_many_keys_or_bytes_is_refused_at_once() {
    let check = |bytes: &[u8], problem: &str| {
        let refusal = verify_bundle(bytes, None, &Statements::default()).expect_err("it is hostile");
        assert_eq!((refusal.code.name(), refusal.message.as_str()), ("E_FORMAT", problem));
    };
    let keys: Vec<String> = (0..87_000).map(|n| format!("\"{n:05}\":0")).collect();
    let keys = format!("{{{}}}", keys.join(","));
    assert!((870_000..1 << 20).contains(&keys.len()), "{} bytes", keys.len());
    check(keys.as_bytes(), "more keys than an object of this format may have");
    check(&vec![b' '; (1 << 20) + 1], "more bytes than this format may have");
    check(&vec![b'['; 1 << 20], "values are nested too deep");
}

/// The filter stands in one file, and everybody goes through it.
#[test]
fn nobody_writes_to_the_terminal_past_the_filter() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let crates = fs::read_dir(root.join("crates")).expect("readable");
    let mut folders: Vec<_> = crates.map(|entry| entry.expect("readable").path().join("src")).collect();
    // What runs inside a page has no terminal: the page shows its text as text.
    folders.retain(|path| !path.ends_with("browser/src"));
    folders.push(root.join("src"));
    let (mut files, mut faults) = (0, Vec::new());
    for path in folders.iter().flat_map(|folder| folder::files(folder)) {
        if path.extension().is_some_and(|ending| ending == "rs")
            && !["cli/screen.rs", "tests.rs"].iter().any(|own| path.ends_with(own))
        {
            files += 1;
            let text = fs::read_to_string(&path).expect("sources are UTF-8");
            let ways = ["println!(", "print!(", "io::stdout(", "io::stderr(", "stdout().", "stderr()."];
            faults.extend(
                ways.iter().filter(|way| text.contains(**way)).map(|way| format!("{way} in {path:?}")),
            );
        }
    }
    // The bar is drawn by its own library, from numbers only.
    assert!(files > 600 && faults.is_empty(), "{faults:?}");
}
