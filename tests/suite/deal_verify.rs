//! A user's walk: deal, verify, spoil, verify again; permissions, refusals, exit codes.

use std::fs;

use serde_json::Value;

use crate::common::dealt::bundle_all;
use crate::common::lab::{KEY, Lab, Output, deckproof, deckproof_with, json_lines, words};
use crate::common::vectors::{VECTORS, text};

/// A fresh folder with the table `out`, dealt with a known key.
fn deal(more: &[&str]) -> Lab {
    let lab = Lab::new();
    lab.write("day.key", format!("{KEY}\n"));
    let arguments =
        ["deal", "--table", "T-1", "--out", "out", "--day-key", "@day.key", "--not-for-production"];
    let output = lab.run(&[&arguments[..], more].concat()).ends(0);
    assert!(!output.to_string().contains(KEY), "the key is printed");
    bundle_all(&lab, "out");
    lab
}

/// The files of a dealt hand.
fn files(lab: &Lab, hand: &str) -> Vec<String> {
    let files = fs::read_dir(lab.path(hand)).expect("a hand").map(|file| file.expect("a file").file_name());
    files.map(|name| format!("{hand}/{}", name.to_string_lossy())).collect()
}

fn verify(lab: &Lab, arguments: &[&str], files: &[&str]) -> Output {
    lab.run(&[&["verify"], arguments, files].concat())
}

#[test]
fn every_dealt_bundle_verifies_under_every_rule_set() {
    for (rules, seats) in
        [("stud-hi", "1,2,4,5"), ("stud-8b", "8,1,2,3,4,5,6,7"), ("espacejeux", "1,2,3,4,5,6,8")]
    {
        let lab = deal(&["--hands", "2", "--rules", rules, "--seats", seats]);
        for hand in ["out/hand-1", "out/hand-2"] {
            let files = files(&lab, hand);
            let files: Vec<&str> =
                files.iter().map(|name| &name[..]).filter(|name| name.ends_with(".json")).collect();
            assert_eq!(files.len(), seats.split(',').count() + 1, "{rules}");
            let output = verify(&lab, &["--json"], &files);
            assert_eq!(output.code, 0, "{rules}: {output}");
            let lines = json_lines(&output);
            assert_eq!(lines.len(), files.len());
            for (line, file) in lines.iter().zip(&files) {
                assert_eq!(line["file"], **file);
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
    let lab = deal(&["--hands", "1"]);
    let (full, seat) = ("out/hand-1/full-reveal.json", "out/hand-1/seat-1.json");
    let spoil = |file: &str, from: &str, to: &str| {
        let text = lab.text(file);
        assert!(text.contains(from), "{from} is not in {file}");
        lab.write("spoiled.json", text.replacen(from, to, 1));
        let line = verify(&lab, &["--json"], &["spoiled.json"]).ends(1).json();
        assert_eq!(line["verdict"], "refused");
        assert!(line.get("file").is_none(), "one file needs no name");
        line["code"].as_str().expect("a code").to_owned()
    };
    assert_eq!(spoil(full, "hand 1\\n", "hand 2\\n"), "E_LINK");
    assert_eq!(spoil(full, "\"format\"", "\"fornat\""), "E_FORMAT");
    assert_eq!(spoil(full, "12 1 3 u", "12 1 3 d"), "E_TRANSCRIPT_HASH");
    assert_eq!(spoil(full, "hand_key\": \"", "hand_key\": \"g"), "E_HEX");
    assert_eq!(spoil(full, "mix none", "mix  none"), "E_ENTRY");
    let text = lab.text(seat);
    let (start, card) =
        text.split_once("\"card\": \"").map(|(a, b)| (a.len(), &b[..2])).expect("an opened card");
    let other = if card == "2c" { "2d" } else { "2c" };
    let found = &text[start..start + 13];
    assert_eq!(spoil(seat, found, &found.replace(card, other)), "E_DECK_ROOT");
    verify(&lab, &[], &["spoiled.json"]).must_print("refused, E_DECK_ROOT").must_print("deck entry");
}

#[cfg(unix)]
#[test]
fn what_opens_cards_is_readable_by_its_owner_alone() {
    use std::os::unix::fs::PermissionsExt;
    let lab = deal(&["--hands", "1"]);
    let mode = |name: &str| fs::metadata(lab.path(name)).expect("it exists").permissions().mode() & 0o777;
    assert_eq!(mode("out/secret"), 0o700);
    for file in ["secret/state", "secret/hands.txt", "hand-1/full-reveal.json", "hand-1/seat-3.json"] {
        assert_eq!(mode(&format!("out/{file}")), 0o600, "{file}");
    }
    let files = files(&lab, "out/hand-1");
    assert!(!files.iter().any(|name| name.ends_with(".tmp")), "temporary files are left: {files:?}");
}

#[test]
fn a_day_key_from_outside_is_refused_in_production() {
    let lab = Lab::new();
    let output = lab.run(&["deal", "--table", "T", "--hands", "1", "--out", "out", "--day-key", KEY]).ends(2);
    output.must_warn("--not-for-production").must_not_warn(KEY);
    assert!(!lab.exists("out"), "nothing is written");
}

#[test]
fn fresh_tables_differ_and_an_existing_hand_is_never_overwritten() {
    let lab = Lab::new();
    let deal = |out: &str| lab.run(&["deal", "--table", "T", "--hands", "1", "--out", out]);
    let roots = ["a", "b"].map(|out| {
        deal(out).ends(0);
        lab.text(&format!("{out}/public/entries.txt"))
    });
    assert_ne!(roots[0], roots[1]);
    deal("a").refused().must_warn("a table has begun here");
    fs::remove_file(lab.path("a/secret/state")).expect("it is there");
    deal("a").ends(2).must_warn("secret/state is gone");
    assert_eq!(lab.text("a/public/entries.txt"), roots[0]);
}

#[test]
fn a_table_that_goes_on_deals_what_one_run_deals() {
    let (straight, parts) = (deal(&["--hands", "3"]), deal(&["--hands", "1"]));
    parts.run(&["deal", "--table", "T-1", "--hands", "2", "--continue", "--out", "out"]).ends(0);
    bundle_all(&parts, "out");
    for hand in ["hand-1", "hand-2", "hand-3"] {
        for file in ["deck.txt", "transcript.txt", "full-reveal.json"] {
            let file = format!("out/{hand}/{file}");
            assert_eq!(parts.read(&file), straight.read(&file), "{file}");
        }
    }
    let other = parts.run(&words("deal --table T-2 --hands 1 --continue --out out")).ends(2);
    other.must_warn("found the table T-1 of localhost/log1; give its --table and --origin");
}

#[test]
fn several_files_give_one_line_each_and_refusal_beats_silence() {
    let lab = deal(&["--hands", "1"]);
    let (good, bad, absent) = ("out/hand-1/seat-1.json", "bad.json", "absent.json");
    lab.write(bad, lab.text(good).replacen("hand 1", "hand 2", 1));
    let check = |files: &[&str], code: i32, lines: usize| {
        let output = verify(&lab, &["--json"], files);
        assert_eq!((output.code, json_lines(&output).len()), (code, lines), "{output}");
    };
    check(&[good, good], 0, 2);
    check(&[good, bad], 1, 2);
    check(&[good, absent], 2, 2);
    check(&[absent, bad], 1, 2);
    check(&[bad, absent], 1, 2);
    check(&[absent], 2, 1);
}

#[test]
fn standard_input_is_read_for_a_dash_once() {
    let bundle = deal(&["--hands", "1"]).read("out/hand-1/seat-1.json");
    let output = deckproof_with(&["verify", "-"], bundle.clone()).ends(0);
    output.must_print("consistent with itself").must_print("Not shown");
    deckproof_with(&["verify", "-", "-"], bundle).ends(2);
}

#[test]
fn the_player_s_own_statements_are_checked() {
    let lab = deal(&["--hands", "1", "--seats", "1,2"]);
    let verify = |more: &[&str]| verify(&lab, more, &["out/hand-1/seat-2.json"]);
    let line = verify(&["--json"]).json();
    let card = line["opened"]["1"].as_str().expect("seat 2's first card");
    let check = |seen: &str, code: i32| {
        let output = verify(&["--json", "--seen", seen]);
        assert_eq!(output.code, code, "{seen}: {output}");
        output
    };
    let again = check(&format!("1={card}"), 0).json();
    assert_eq!(again["findings"]["seen_cards"], 1);
    assert_eq!(again["seen"]["1"], serde_json::json!([2, 3, "d"]));
    let other = if card == "2c" { "2d" } else { "2c" };
    assert_eq!(check(&format!("1={other}"), 1).json()["code"], "E_SEEN");
    // Seat 1's own card is not opened to seat 2: it may be any that is opened nowhere, and no card that lies elsewhere.
    let is_opened = |card: &str| line["opened"].as_object().expect("cards").values().any(|own| own == card);
    let closed =
        ["2c", "3c", "4c", "5c", "6c", "7c", "8c", "9c", "Tc", "Jc", "Qc", "Kc", "Ac", "2d", "3d", "4d"];
    let closed = closed.into_iter().find(|card| !is_opened(card)).expect("fewer cards are opened");
    let output = check(&format!("0={closed}"), 2);
    output.must_warn("at position 0, which was dealt to seat 1, down, and this file does not open that");
    check(&format!("seat 1: {closed} down"), 2).must_warn("does not open every card that lay down there");
    assert_eq!(check(&format!("0={card}"), 1).json()["code"], "E_SEEN");
    assert_eq!(check(&format!("seat 1: {closed} down; seat 2: {closed} down"), 1).json()["code"], "E_SEEN");
    check(&format!("1={card},1={other}"), 2);
    check("52=2c", 2);
    // Under none there is no cut: a seed is one of another hand.
    let output = verify(&["--my-seed", &format!("2:{KEY}")]).ends(2);
    output.must_warn("entered no cut, for this hand has none (mix none)");
    verify(&["--my-seed", "2:xyz"]).ends(2).must_not_warn("xyz");
}

#[test]
fn the_trust_file_names_the_log() {
    let lab = deal(&["--hands", "1", "--origin", "stud.example/log1"]);
    let check = |trust: &str, code: i32| {
        lab.write("trust.json", trust);
        let output = verify(&lab, &["--json", "--trust", "trust.json"], &["out/hand-1/seat-1.json"]);
        assert_eq!(output.code, code, "{trust}: {output}");
        output
    };
    let output = check(r#"{"origin":"stud.example/log1","log":[],"witness":[],"quorum":1}"#, 2);
    let not_checked = output.json()["not_checked"].clone();
    assert!(!not_checked.as_array().expect("a list").contains(&"origin".into()), "{not_checked}");
    let output = check(r#"{"origin":"other.example/log1","log":[],"witness":[],"quorum":1}"#, 2);
    output.must_warn("it and the trust file do not go together (E_ORIGIN)");
    check(r#"{"origin":"stud.example/log1","log":[],"witness":[],"quorum":1,"quorum":1}"#, 2);
    check(r#"{"origin":"stud.example/log1"}"#, 2);
}

#[test]
fn the_calculator_prints_the_published_decks() {
    let check = |arguments: &[&str], stdin: &str, deck: &Value| {
        let mut arguments = arguments.to_vec();
        arguments.insert(0, "deck");
        let output = deckproof_with(&arguments, stdin).ends(0);
        assert_eq!(Value::from(output.out.trim_end().replace(' ', "")), *deck);
        arguments.push("--json");
        let line = deckproof_with(&arguments, stdin).json();
        let cards = line["deck"].as_array().expect("a list");
        let cards: String = cards.iter().filter_map(Value::as_str).collect();
        assert_eq!(Value::from(cards), *deck);
    };
    let kdf = &VECTORS["kdf"];
    let step = &kdf["steps"][2];
    check(&["--hand-key", text(&step["hand_key"])], "", &step["deck"]);
    check(&["--hand-key", "-"], &format!("{}\n", text(&step["hand_key"])), &step["deck"]);
    let (origin, table, mix) = (text(&kdf["origin"]), text(&kdf["table"]), text(&step["mix"]));
    let place = ["--day-key", text(&kdf["day_key"]), "--origin", origin, "--table", table, "--mix", mix];
    let mut arguments = place.to_vec();
    let hand = step["hand"].to_string();
    arguments.extend(["--hand", &hand]);
    check(&arguments, "", &step["deck"]);
    let audit = &kdf["audit"];
    let one = &audit["hands"][1];
    check(&["--audit-key", text(&audit["audit_key"]), "--index", text(&one["i"])], "", &one["deck"]);
}

#[test]
fn the_calculator_refuses_what_it_cannot_say() {
    let check = |arguments: &[&str], says: &str| {
        let mut arguments = arguments.to_vec();
        arguments.insert(0, "deck");
        let output = deckproof(&arguments);
        assert_eq!((output.code, output.out.as_str()), (2, ""), "{arguments:?}");
        assert!(output.warns(says), "{arguments:?}: {output}");
        output.must_not_warn(KEY).must_not_warn("xyz");
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
    let lab = Lab::new();
    for (line, found) in [
        ("deal --out out --table T", "--hands"),
        ("deal --out out --table T/1 --hands 1", "found the table \"T/1\""),
        ("deal --out out --table T --hands 0", "--hands"),
        ("deal --out out --table T --hands 1 --seats 1", "--seats: "),
        ("deal --out out --table T --hands 1 --seats 2,8,5", "--seats: "),
        ("deal --out out --table T --hands 1 --rules stud-9", "--rules \"stud-9\""),
        ("deal --out out --table T --hands 1 --origin Stud", "found the origin \"Stud\""),
        (
            "deal --out out --table T --hands 2 --first-hand 9007199254740991",
            "--hands 2: hand numbers end at 9007199254740991",
        ),
        (
            "deal --out out --table T --hands 1 --continue",
            "no table has begun here: there is no secret/state",
        ),
    ] {
        lab.run(&words(line)).refused().must_warn(found);
        assert!(!lab.exists("out"), "{line}");
    }
    deckproof::<&str>(&[]).ends(2);
    deckproof(&["verify"]).ends(2);
}
