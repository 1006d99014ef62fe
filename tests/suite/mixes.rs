//! Hands that players' seeds or a beacon round cut, dealt and verified as a user does.

use std::fs;
use std::path::{Path, PathBuf};

use assert_cmd::Command;
use deckproof::log::entry::Entry;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::common::dealt::bundle_all;

fn deckproof(arguments: &[&str]) -> (i32, String, String) {
    let mut command = Command::cargo_bin("deckproof").expect("the binary is built");
    let output = command.args(arguments).output().expect("it runs");
    let text = |bytes| String::from_utf8(bytes).expect("it prints UTF-8");
    (output.status.code().expect("no signal ended it"), text(output.stdout), text(output.stderr))
}

fn text(path: &Path) -> String {
    path.display().to_string()
}

/// A player's seed for a hand: its file, and the commitment to it.
fn seed(folder: &TempDir, hand: &str, seat: &str) -> (PathBuf, String) {
    let path = folder.path().join(format!("seed-{hand}-{seat}"));
    let path_text = text(&path);
    let base = ["seed", "--table", "T", "--hand", hand, "--seat", seat, "--out", &path_text];
    // A seed for another log makes the hand void, and the player is blamed for it: none is taken for granted.
    let (code, _, said) = deckproof(&base);
    assert!(code == 2 && said.contains("--origin") && !path.exists(), "{said}");
    let arguments = [&base[..], &["--origin", "localhost/log1"]].concat();
    let (code, commit, said) = deckproof(&arguments);
    assert_eq!(code, 0, "{said}");
    assert!(said.contains("save the hand's open entry"), "{said}");
    let kept = fs::read_to_string(&path).expect("a seed");
    assert!(!commit.contains(kept.trim()) && !said.contains(kept.trim()), "the seed is printed");
    assert_eq!(deckproof(&arguments).0, 2, "a seed is not overwritten");
    (path, commit.trim().to_owned())
}

#[test]
fn the_players_seeds_cut_the_deck_and_each_can_check_it() {
    let folder = TempDir::new().expect("a folder");
    let out = folder.path().join("out");
    let [(first, one), (second, two)] = ["2", "5"].map(|seat| seed(&folder, "1", seat));
    let given = [format!("2:@{}", text(&first)), format!("5:@{}", text(&second))];
    let out_text = text(&out);
    let deal =
        ["deal", "--table", "T", "--hands", "1", "--out", &out_text, "--seats", "1,2,5", "--mix", "players"];
    let more = ["--seed-commit", &one, "--seed-commit", &two, "--seed", &given[1], "--seed", &given[0]];
    let (code, _, said) = deckproof(&[&deal[..], &more].concat());
    assert_eq!(code, 0, "{said}");
    bundle_all(&out);
    let bundle = text(&out.join("hand-1/seat-2.json"));
    let (code, said, _) = deckproof(&["verify", "--my-seed", &given[0], &bundle]);
    assert_eq!(code, 0, "{said}");
    assert!(said.contains("your own seed entered the cut"), "{said}");
    let (code, said, _) = deckproof(&["verify", "--my-seed", &format!("2:@{}", text(&second)), &bundle]);
    assert!(code == 1 && said.contains("E_MY_SEED"), "{said}");
    // The number of a seat may be typed wrong.
    assert!(said.contains("it entered the cut for seat 5, and was stated for seat 2"), "{said}");
    // The secret order is cut: the first card is not that of the hand key.
    let full = fs::read_to_string(out.join("hand-1/full-reveal.json")).expect("a bundle");
    let full: Value = serde_json::from_str(&full).expect("JSON");
    let (_, deck, _) = deckproof(&["deck", "--hand-key", full["hand_key"].as_str().expect("a key")]);
    let (_, line, _) = deckproof(&["verify", "--json", &text(&out.join("hand-1/full-reveal.json"))]);
    let line: Value = serde_json::from_str(&line).expect("JSON");
    let order: Vec<&str> = (0..52).filter_map(|at| line["opened"][at.to_string()].as_str()).collect();
    assert!(order.len() == 52 && order.join(" ") != deck.trim(), "{deck}");
    assert_eq!(line["findings"]["anti_grinding"], "players");
}

#[test]
fn a_seed_that_does_not_come_or_is_another_one_makes_the_hand_void() {
    let folder = TempDir::new().expect("a folder");
    let (out, absent) = (folder.path().join("out"), folder.path().join("absent"));
    let out_text = text(&out);
    let deal = |hand: &str, more: &[&str]| {
        let begun = if hand == "1" { &[][..] } else { &["--continue"][..] };
        let base = [
            "deal", "--table", "T", "--hands", "1", "--out", &out_text, "--seats", "1,2,5", "--mix",
            "players",
        ];
        deckproof(&[&base[..], more, begun].concat())
    };
    let (_, commit) = seed(&folder, "1", "2");
    let (code, _, said) = deal("1", &["--seed-commit", &commit, "--seed", &format!("2:@{}", text(&absent))]);
    assert_eq!(code, 2);
    assert!(said.contains("did not reveal") && said.contains("voided"), "{said}");
    let (_, commit) = seed(&folder, "2", "2");
    let (other, _) = seed(&folder, "2", "5");
    let (code, _, said) = deal("2", &["--seed-commit", &commit, "--seed", &format!("2:@{}", text(&other))]);
    assert_eq!(code, 2, "{said}");
    let entries = fs::read_to_string(out.join("public/entries.txt")).expect("entries");
    assert!(
        entries.contains("reason seed-missing\n") && entries.contains("reason seed-wrong\n"),
        "{entries}"
    );
    bundle_all(&out);
    let full = text(&out.join("hand-1/full-reveal.json"));
    let (code, said, _) = deckproof(&["verify", &full]);
    assert_eq!(code, 0, "{said}");
    let head = said.lines().next().expect("a line");
    assert!(head.ends_with("before the hand; the hand was voided (seed-missing)."), "{head}");
    assert!(said.contains("That the hand was voided, and why (seed-missing)"), "{said}");
    // What was never cut was fixed before no cut, and nobody folded.
    let (code, said, _) =
        deckproof(&["verify", &full, "--committed", &text(&out.join("public/entries.txt"))]);
    assert!(code == 0 && said.contains("A void, the one you saved. Its reason, seed-missing,"), "{said}");
    assert!(said.contains("The deck was never cut, and its opening is the one you saved."), "{said}");
    assert!(!said.contains("Fixed before its cut") && !said.contains("who folded"), "{said}");
    for wrong in [&["--seed-commit", "9:00"][..], &[], &["--seed-commit", &commit, "--round", "5"]] {
        assert_eq!(deal("3", wrong).0, 2, "{wrong:?}");
    }
    assert_eq!(fs::read_to_string(out.join("public/entries.txt")).expect("entries"), entries);
}

/// A real round of drand quicknet, from the hands of the independent program.
pub fn real_round() -> Value {
    let vectors: Value = serde_json::from_str(include_str!("../../fixtures/protocol.json")).expect("JSON");
    let hands = vectors["hands"].as_array().expect("a list");
    let hand = hands.iter().find(|hand| hand["mix"] == "beacon").expect("a hand of mix beacon");
    let Ok(Entry::Cut(cut)) = Entry::parse(hand["entries"]["cut"].as_str().expect("a text")) else {
        panic!("a cut entry")
    };
    let value = cut.beacon.expect("a value");
    let signature: String = value.signature.iter().map(|byte| format!("{byte:02x}")).collect();
    json!({ "round": value.round, "randomness": value.randomness.to_string(), "signature": signature })
}

#[test]
fn a_beacon_round_cuts_the_deck_or_the_hand_is_void() {
    let folder = TempDir::new().expect("a folder");
    let value = real_round();
    let (out, file) = (folder.path().join("out"), folder.path().join("round.json"));
    let (out_text, file_text, round) = (text(&out), text(&file), value["round"].to_string());
    let base =
        ["deal", "--table", "T", "--hands", "1", "--out", &out_text, "--seats", "1,2", "--mix", "beacon"];
    let cut = ["--round", &round, "--beacon", &file_text];
    fs::write(&file, value.to_string()).expect("writable");
    let (code, _, said) = deckproof(&[&base[..], &cut].concat());
    assert!(code == 2 && said.contains("this round is out") && !out.exists(), "{said}");
    let (code, _, said) = deckproof(&[&base[..], &cut, &["--not-for-production"]].concat());
    assert_eq!(code, 0, "{said}");
    // A round that never comes, and one whose signature is another one's.
    let again = ["--continue", "--not-for-production"];
    let mut forged = value.clone();
    let signature = value["signature"].as_str().expect("a text");
    forged["signature"] = json!(format!(
        "{}{}",
        &signature[..90],
        if signature.ends_with("000000") { "111111" } else { "000000" }
    ));
    let mut other = value.clone();
    other["round"] = json!(value["round"].as_u64().expect("a number") + 1);
    let rows = [
        (String::new(), "has no value", "beacon-missing"),
        (other.to_string(), "not that of the announced round", "beacon-wrong"),
        (forged.to_string(), "a signature that is not the network's", "beacon-false"),
    ];
    for (content, words, reason) in rows {
        fs::write(&file, content).expect("writable");
        let (code, _, said) = deckproof(&[&base[..], &cut, &again].concat());
        assert!(code == 2 && said.contains(words), "{said}");
        let entries = fs::read_to_string(out.join("public/entries.txt")).expect("entries");
        assert_eq!(entries.matches(&format!("reason {reason}\n")).count(), 1, "{entries}");
    }
    bundle_all(&out);
    let (code, line, _) = deckproof(&["verify", "--json", &text(&out.join("hand-1/seat-1.json"))]);
    let line: Value = serde_json::from_str(&line).expect("JSON");
    assert_eq!((code, &line["findings"]["anti_grinding"]), (0, &json!("beacon claimed")));
}
