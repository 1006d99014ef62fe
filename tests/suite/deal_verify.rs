//! A user's walk: deal, verify, spoil, verify again; permissions, refusals, exit codes.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;
use tempfile::TempDir;

use crate::common::dealt::bundle_all;
use crate::common::lab::{Said, deckproof, deckproof_with, json_lines};

const KEY: &str = "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff";

/// Deals with a known key into a fresh folder.
fn deal(more: &[&str]) -> (TempDir, PathBuf) {
    let folder = TempDir::new().expect("a folder");
    let key = folder.path().join("day.key");
    fs::write(&key, format!("{KEY}\n")).expect("writable");
    let (out, key) = (folder.path().join("out"), format!("@{}", key.display()));
    let out_text = out.display().to_string();
    let mut arguments =
        vec!["deal", "--table", "T-1", "--out", &out_text, "--day-key", &key, "--not-for-production"];
    arguments.extend(more);
    let said = deckproof(&arguments);
    assert_eq!(said.code, 0, "{}", said.err);
    assert!(!said.out.contains(KEY) && !said.err.contains(KEY), "the key is printed");
    bundle_all(&out);
    (folder, out)
}

/// The bundles of a dealt hand.
fn bundles(hand: &Path) -> Vec<PathBuf> {
    let files = fs::read_dir(hand).expect("a hand").map(|file| file.expect("a file").path());
    let mut files: Vec<PathBuf> =
        files.filter(|path| path.extension().is_some_and(|end| end == "json")).collect();
    files.sort();
    files
}

fn verify(arguments: &[&str], files: &[PathBuf]) -> Said {
    let files = files.iter().map(|file| file.display().to_string());
    let arguments: Vec<String> =
        ["verify"].iter().chain(arguments).map(|text| (*text).to_owned()).chain(files).collect();
    deckproof(&arguments)
}

#[test]
fn every_dealt_bundle_verifies_under_every_rule_set() {
    for (rules, seats) in
        [("stud-hi", "1,2,4,5"), ("stud-8b", "8,1,2,3,4,5,6,7"), ("espacejeux", "1,2,3,4,5,6,8")]
    {
        let (_folder, out) = deal(&["--hands", "2", "--rules", rules, "--seats", seats]);
        for hand in ["hand-1", "hand-2"] {
            let files = bundles(&out.join(hand));
            assert_eq!(files.len(), seats.split(',').count() + 1, "{rules}");
            let said = verify(&["--json"], &files);
            assert_eq!(said.code, 0, "{rules}: {}{}", said.out, said.err);
            let lines = json_lines(&said);
            assert_eq!(lines.len(), files.len());
            for (line, file) in lines.iter().zip(&files) {
                assert_eq!(line["file"], file.display().to_string());
                assert_eq!(line["verdict"], "consistent");
                assert!(line["not_checked"].as_array().is_some_and(|all| all.contains(&"origin".into())));
                let is_full = file.ends_with("full-reveal.json");
                assert_eq!(line["findings"]["derivation"], if is_full { "proven" } else { "not shown" });
            }
        }
    }
}

#[test]
fn one_altered_byte_is_refused_with_its_code() {
    let (_folder, out) = deal(&["--hands", "1"]);
    let full = out.join("hand-1").join("full-reveal.json");
    let seat = out.join("hand-1").join("seat-1.json");
    let spoil = |file: &Path, from: &str, to: &str| {
        let text = fs::read_to_string(file).expect("a bundle");
        assert!(text.contains(from), "{from} is not in {}", file.display());
        let spoiled = out.join("spoiled.json");
        fs::write(&spoiled, text.replacen(from, to, 1)).expect("writable");
        let said = verify(&["--json"], &[spoiled]);
        assert_eq!(said.code, 1, "{}{}", said.out, said.err);
        let line = &json_lines(&said)[0];
        assert_eq!(line["verdict"], "refused");
        assert!(line.get("file").is_none(), "one file needs no name");
        line["code"].as_str().expect("a code").to_owned()
    };
    assert_eq!(spoil(&full, "hand 1\\n", "hand 2\\n"), "E_LINK");
    assert_eq!(spoil(&full, "\"format\"", "\"fornat\""), "E_FORMAT");
    assert_eq!(spoil(&full, "12 1 3 u", "12 1 3 d"), "E_TRANSCRIPT_HASH");
    assert_eq!(spoil(&full, "hand_key\": \"", "hand_key\": \"g"), "E_HEX");
    assert_eq!(spoil(&full, "mix none", "mix  none"), "E_ENTRY");
    let text = fs::read_to_string(&seat).expect("a bundle");
    let (start, card) =
        text.split_once("\"card\": \"").map(|(a, b)| (a.len(), &b[..2])).expect("an opened card");
    let other = if card == "2c" { "2d" } else { "2c" };
    let found = &text[start..start + 13];
    assert_eq!(spoil(&seat, found, &found.replace(card, other)), "E_DECK_ROOT");
    let said = verify(&[], &[out.join("spoiled.json")]);
    assert!(said.out.contains("refused, E_DECK_ROOT") && said.out.contains("deck entry"), "{}", said.out);
}

#[cfg(unix)]
#[test]
fn what_opens_cards_is_readable_by_its_owner_alone() {
    use std::os::unix::fs::PermissionsExt;
    let (_folder, out) = deal(&["--hands", "1"]);
    let mode = |path: PathBuf| fs::metadata(&path).expect("it exists").permissions().mode() & 0o777;
    assert_eq!(mode(out.join("secret")), 0o700);
    assert_eq!(mode(out.join("secret/state")), 0o600);
    assert_eq!(mode(out.join("secret/hands.txt")), 0o600);
    assert_eq!(mode(out.join("hand-1").join("full-reveal.json")), 0o600);
    assert_eq!(mode(out.join("hand-1").join("seat-3.json")), 0o600);
    let left: Vec<PathBuf> = fs::read_dir(out.join("hand-1"))
        .expect("a hand")
        .map(|file| file.expect("a file").path())
        .filter(|path| path.extension().is_some_and(|end| end == "tmp"))
        .collect();
    assert_eq!(left, Vec::<PathBuf>::new(), "temporary files are left");
}

#[test]
fn a_day_key_from_outside_is_refused_in_production() {
    let folder = TempDir::new().expect("a folder");
    let out = folder.path().join("out").display().to_string();
    let said = deckproof(&["deal", "--table", "T", "--hands", "1", "--out", &out, "--day-key", KEY]);
    assert_eq!(said.code, 2);
    assert!(said.err.contains("--not-for-production") && !said.err.contains(KEY), "{}", said.err);
    assert!(!Path::new(&out).exists(), "nothing is written");
}

#[test]
fn fresh_tables_differ_and_an_existing_hand_is_never_overwritten() {
    let folder = TempDir::new().expect("a folder");
    let roots: Vec<String> = ["a", "b"]
        .iter()
        .map(|name| {
            let out = folder.path().join(name);
            let said =
                deckproof(&["deal", "--table", "T", "--hands", "1", "--out", &out.display().to_string()]);
            assert_eq!(said.code, 0, "{}", said.err);
            fs::read_to_string(out.join("public/entries.txt")).expect("entries")
        })
        .collect();
    assert_ne!(roots[0], roots[1]);
    let out = folder.path().join("a");
    let again = ["deal", "--table", "T", "--hands", "1", "--out", &out.display().to_string()];
    let said = deckproof(&again);
    assert_eq!((said.code, said.out.as_str()), (2, ""), "{}", said.err);
    fs::remove_file(out.join("secret/state")).expect("it is there");
    let said = deckproof(&again);
    assert_eq!(said.code, 2);
    assert!(said.err.contains("secret/state is gone"), "{}", said.err);
    let kept = fs::read_to_string(out.join("public/entries.txt")).expect("entries");
    assert_eq!(kept, roots[0]);
}

#[test]
fn a_table_that_goes_on_deals_what_one_run_deals() {
    let (_folder, straight) = deal(&["--hands", "3"]);
    let (_other, out) = deal(&["--hands", "1"]);
    let said = deckproof(&[
        "deal",
        "--table",
        "T-1",
        "--hands",
        "2",
        "--continue",
        "--out",
        &out.display().to_string(),
    ]);
    assert_eq!(said.code, 0, "{}", said.err);
    bundle_all(&out);
    for hand in ["hand-1", "hand-2", "hand-3"] {
        for file in ["deck.txt", "transcript.txt", "full-reveal.json"] {
            let read = |folder: &Path| fs::read(folder.join(hand).join(file)).expect("it exists");
            assert_eq!(read(&out), read(&straight), "{hand}/{file}");
        }
    }
    let said = deckproof(&[
        "deal",
        "--table",
        "T-2",
        "--hands",
        "1",
        "--continue",
        "--out",
        &out.display().to_string(),
    ]);
    assert_eq!(said.code, 2);
}

#[test]
fn several_files_give_one_line_each_and_refusal_beats_silence() {
    let (_folder, out) = deal(&["--hands", "1"]);
    let good = out.join("hand-1").join("seat-1.json");
    let bad = out.join("bad.json");
    let text = fs::read_to_string(&good).expect("a bundle");
    fs::write(&bad, text.replacen("hand 1", "hand 2", 1)).expect("writable");
    let absent = out.join("absent.json");
    let check = |files: &[&PathBuf], code: i32, lines: usize| {
        let files: Vec<PathBuf> = files.iter().map(|file| (*file).clone()).collect();
        let said = verify(&["--json"], &files);
        assert_eq!((said.code, json_lines(&said).len()), (code, lines), "{}{}", said.out, said.err);
    };
    check(&[&good, &good], 0, 2);
    check(&[&good, &bad], 1, 2);
    check(&[&good, &absent], 2, 2);
    check(&[&absent, &bad], 1, 2);
    check(&[&bad, &absent], 1, 2);
    // Alone it is said on standard error only.
    check(&[&absent], 2, 0);
}

#[test]
fn standard_input_is_read_for_a_dash_once() {
    let (_folder, out) = deal(&["--hands", "1"]);
    let bundle = fs::read(out.join("hand-1").join("seat-1.json")).expect("a bundle");
    let said = deckproof_with(&["verify", "-"], bundle.clone());
    assert_eq!(said.code, 0, "{}", said.err);
    assert!(said.out.contains("consistent with itself") && said.out.contains("Not shown"), "{}", said.out);
    assert_eq!(deckproof_with(&["verify", "-", "-"], bundle).code, 2);
}

#[test]
fn the_player_s_own_statements_are_checked() {
    let (_folder, out) = deal(&["--hands", "1", "--seats", "1,2"]);
    let seat = out.join("hand-1").join("seat-2.json");
    let lines = json_lines(&verify(&["--json"], std::slice::from_ref(&seat)));
    let card = lines[0]["opened"]["1"].as_str().expect("seat 2's first card");
    let check = |seen: &str, code: i32| {
        let said = verify(&["--json", "--seen", seen], std::slice::from_ref(&seat));
        assert_eq!(said.code, code, "{seen}: {}{}", said.out, said.err);
        said
    };
    let said = check(&format!("1={card}"), 0);
    let line = &json_lines(&said)[0];
    assert_eq!(line["findings"]["seen_cards"], 1);
    assert_eq!(line["seen"]["1"], serde_json::json!([2, 3, "d"]));
    let other = if card == "2c" { "2d" } else { "2c" };
    assert_eq!(json_lines(&check(&format!("1={other}"), 1))[0]["code"], "E_SEEN");
    // Seat 1's own card is not opened to seat 2.
    assert_eq!(json_lines(&check("0=2c", 1))[0]["code"], "E_SEEN");
    check(&format!("1={card},1={other}"), 2);
    check("52=2c", 2);
    let said = verify(&["--json", "--my-seed", &format!("2:{KEY}")], std::slice::from_ref(&seat));
    assert_eq!((said.code, json_lines(&said)[0]["code"].as_str()), (1, Some("E_MIX")));
    let said = verify(&["--my-seed", "2:xyz"], std::slice::from_ref(&seat));
    assert_eq!(said.code, 2);
    assert!(!said.err.contains("xyz"), "{}", said.err);
}

#[test]
fn the_trust_file_names_the_log() {
    let (_folder, out) = deal(&["--hands", "1", "--origin", "stud.example/log1"]);
    let seat = out.join("hand-1").join("seat-1.json");
    let check = |trust: &str, code: i32| {
        let path = out.join("trust.json");
        fs::write(&path, trust).expect("writable");
        let said = verify(&["--json", "--trust", &path.display().to_string()], std::slice::from_ref(&seat));
        assert_eq!(said.code, code, "{trust}: {}{}", said.out, said.err);
        said
    };
    let said = check(r#"{"origin":"stud.example/log1","log":[],"witness":[],"quorum":1}"#, 2);
    let not_checked = json_lines(&said)[0]["not_checked"].clone();
    assert!(!not_checked.as_array().expect("a list").contains(&"origin".into()), "{not_checked}");
    let said = check(r#"{"origin":"other.example/log1","log":[],"witness":[],"quorum":1}"#, 1);
    assert_eq!(json_lines(&said)[0]["code"], "E_ORIGIN");
    check(r#"{"origin":"stud.example/log1","log":[],"witness":[],"quorum":1,"quorum":1}"#, 2);
    check(r#"{"origin":"stud.example/log1"}"#, 2);
}

#[test]
fn the_calculator_prints_the_published_decks() {
    let vectors: Value = serde_json::from_str(include_str!("../../fixtures/protocol.json")).expect("JSON");
    let check = |arguments: &[&str], stdin: &str, deck: &Value| {
        let mut arguments = arguments.to_vec();
        arguments.insert(0, "deck");
        let said = deckproof_with(&arguments, stdin);
        assert_eq!(said.code, 0, "{}", said.err);
        assert_eq!(Value::from(said.out.trim_end().replace(' ', "")), *deck);
        arguments.push("--json");
        let said = deckproof_with(&arguments, stdin);
        let cards = json_lines(&said)[0]["deck"].as_array().expect("a list").clone();
        let cards: String = cards.iter().filter_map(Value::as_str).collect();
        assert_eq!(Value::from(cards), *deck);
    };
    let kdf = &vectors["kdf"];
    let text = |value: &Value| value.as_str().expect("a text").to_owned();
    let step = &kdf["steps"][2];
    check(&["--hand-key", &text(&step["hand_key"])], "", &step["deck"]);
    check(&["--hand-key", "-"], &format!("{}\n", text(&step["hand_key"])), &step["deck"]);
    let (origin, table, mix) = (text(&kdf["origin"]), text(&kdf["table"]), text(&step["mix"]));
    let place = ["--day-key", &text(&kdf["day_key"]), "--origin", &origin, "--table", &table, "--mix", &mix];
    let mut arguments = place.to_vec();
    let hand = step["hand"].to_string();
    arguments.extend(["--hand", &hand]);
    check(&arguments, "", &step["deck"]);
    let audit = &kdf["audit"];
    let one = &audit["hands"][1];
    check(&["--audit-key", &text(&audit["audit_key"]), "--index", &text(&one["i"])], "", &one["deck"]);
}

#[test]
fn the_calculator_refuses_what_it_cannot_say() {
    let check = |arguments: &[&str], says: &str| {
        let mut arguments = arguments.to_vec();
        arguments.insert(0, "deck");
        let said = deckproof(&arguments);
        assert_eq!((said.code, said.out.as_str()), (2, ""), "{arguments:?}");
        assert!(said.err.contains(says), "{arguments:?}: {}", said.err);
        assert!(!said.err.contains(KEY) && !said.err.contains("xyz"), "{}", said.err);
    };
    check(&[], "--hand-key");
    check(&["--hand-key", "xyz"], "hexadecimal");
    check(&["--hand-key", "@/nonexistent/key"], "/nonexistent/key");
    check(&["--audit-key", KEY], "--index");
    check(&["--day-key", KEY, "--origin", "a", "--table", "t", "--hand", "3"], "--mix");
    let day =
        |more: &[&'static str]| [&["--day-key", KEY, "--origin", "a", "--table", "t"][..], more].concat();
    check(&day(&["--mix", "none", "--hand", "0"]), "--hand 0");
    check(&day(&["--mix", "none", "--hand", "3", "--first-hand", "4"]), "--first-hand 4");
    check(&day(&["--mix", "some", "--hand", "3"]), "none, beacon or players");
}

#[test]
fn usage_errors_exit_with_two() {
    let folder = TempDir::new().expect("a folder");
    let out = folder.path().join("out").display().to_string();
    let deal = |more: &[&str]| {
        let said = deckproof(&[&["deal", "--out", &out][..], more].concat());
        assert_eq!((said.code, said.out.as_str()), (2, ""), "{more:?}");
        assert!(!said.err.is_empty() && !Path::new(&out).exists(), "{more:?}");
    };
    deal(&["--table", "T"]);
    deal(&["--table", "T/1", "--hands", "1"]);
    deal(&["--table", "T", "--hands", "0"]);
    deal(&["--table", "T", "--hands", "1", "--seats", "1"]);
    deal(&["--table", "T", "--hands", "1", "--seats", "2,8,5"]);
    deal(&["--table", "T", "--hands", "1", "--rules", "stud-9"]);
    deal(&["--table", "T", "--hands", "1", "--origin", "Stud"]);
    deal(&["--table", "T", "--hands", "2", "--first-hand", "9007199254740991"]);
    assert_eq!(deckproof::<&str>(&[]).code, 2);
    assert_eq!(deckproof(&["verify"]).code, 2);
}
