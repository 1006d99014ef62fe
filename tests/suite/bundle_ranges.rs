//! Bundles of many hands, of hands that were voided, and what a killed run left.

use std::fs;

use deckproof::log_folder::reader::LogReader;
use serde_json::Value;

use crate::common::hands_log::ORIGIN;
use crate::common::lab::{Lab, Output};

/// A table of five hands, of which hand 2 was voided after it was opened and hand 4 before, with a log.
fn lab() -> Lab {
    let lab = Lab::new();
    let seed = |hand: &str| {
        let output = lab
            .run(&[
                "seed", "--origin", ORIGIN, "--table", "T", "--hand", hand, "--seat", "1", "--out", "mine",
            ])
            .ends(0);
        fs::remove_file(lab.path("mine")).expect("a seed");
        output.out.trim().to_owned()
    };
    lab.run(&["log", "init", "log", "--origin", ORIGIN, "--key", "log.key"]).ends(0);
    deal(&lab, &["--play", "random"]).ends(0);
    let absent = format!("1:@{}", lab.path("absent"));
    let commit = seed("2");
    let voided =
        deal(&lab, &["--continue", "--mix", "players", "--seed-commit", &commit, "--seed", &absent]).ends(2);
    voided.must_warn("voided");
    deal(&lab, &["--continue", "--play", "random"]).ends(0);
    lab
}

fn deal(lab: &Lab, more: &[&str]) -> Output {
    let base = ["deal", "--table", "T", "--hands", "1", "--seats", "1,2,5", "--out", "T"];
    lab.run(&[&base[..], &["--log", "log", "--log-key", "log.key"], more].concat())
}

fn bundle(lab: &Lab, hands: &str, more: &[&str]) -> Output {
    lab.run(&[&["bundle", "T", "--hand", hands], more].concat())
}

#[test]
fn a_range_goes_on_behind_a_hand_without_a_bundle_and_names_it_at_the_end() {
    let lab = lab();
    // Hand 3 was dealt to other seats, and there is no hand 4 yet.
    let others = ["deal", "--continue", "--table", "T", "--hands", "1", "--seats", "2,5", "--out", "T"];
    lab.run(&[&others[..], &["--log", "log", "--log-key", "log.key"]].concat()).ends(0);
    deal(&lab, &["--continue"]).ends(0);
    let output = bundle(&lab, "1-9", &["--seat", "1"]).ends(2);
    for hand in [1, 3, 5] {
        assert!(lab.exists(&format!("T/hand-{hand}/seat-1.json")), "hand {hand}: {output}");
    }
    output.must_warn("--seat 1: hand 4 was dealt to the seats");
    // The first one that is not there stands for all after it.
    output.must_warn("hand 6 is not among the entries").must_not_warn("hand 7");
    let most = u64::MAX.to_string();
    let output = bundle(&lab, &format!("5-{most},1"), &["--full"]).ends(2);
    output.must_print("hand-1/full").must_print("hand-5/full");
    // One hand that is not there is an error and nothing else.
    let output = bundle(&lab, "6", &[]);
    assert!(output.code == 2 && output.out.is_empty(), "{output}");
}

#[test]
fn a_player_of_a_voided_hand_is_given_its_entries_and_the_reason() {
    let lab = lab();
    let output = bundle(&lab, "2", &["--seat", "1"]).ends(0);
    output.must_warn("hand 2 was voided (seed-missing): its players are given its entries");
    let names = |hand: &str| {
        let folder = fs::read_dir(lab.path(&format!("T/hand-{hand}"))).expect("a folder");
        let mut names: Vec<String> =
            folder.map(|entry| entry.expect("an entry").file_name().into_string().expect("UTF-8")).collect();
        names.sort();
        names
    };
    let wanted = ["deck.proof", "deck.txt", "open.proof", "open.txt", "void.proof", "void.txt"];
    assert_eq!(names("2"), wanted, "no card of it is opened");
    let entries = lab.text("T/public/entries.txt");
    for kind in ["deck", "open", "void"] {
        let text = lab.text(&format!("T/hand-2/{kind}.txt"));
        assert!(entries.contains(&text) && text.starts_with(&format!("deckproof/v1 {kind}\n")), "{text}");
        let proof = lab.text(&format!("T/hand-2/{kind}.proof"));
        let index = LogReader::open(lab.path("log").as_ref()).expect("a log");
        let index = index.index_of(&deckproof::commitment::digest::leaf_hash(&text)).expect("readable");
        assert!(proof.contains(&format!("\nindex {}\n", index.expect("it is there"))), "{proof}");
    }
    // A seat that did not play is given nothing of it; an arbiter all cards.
    bundle(&lab, "2", &["--seat", "7"]).ends(2).must_warn("--seat 7: hand 2 was dealt to");
    bundle(&lab, "2", &["--full"]).ends(0);
    assert!(lab.exists("T/hand-2/full-reveal.json"));
}

/// Whoever deals away a deck before it is opened opens nothing of it.
#[test]
fn of_a_deck_given_up_before_it_was_opened_there_are_entries_and_no_reveal() {
    let lab = lab();
    // Killed between the deck entry and its opening: what the state then is, by hand.
    let mut text = lab.text("T/public/entries.txt");
    let mut records = lab.text("T/secret/hands.txt");
    let deck = format!(
        "deckproof/v1 deck\norigin {ORIGIN}\ntable T\nhand 4\nmix none\ndeck {}\n",
        deckproof::commitment::digest::Digest::of("a deck")
    );
    let name = deckproof::commitment::digest::leaf_hash(&deck);
    let void = format!("deckproof/v1 void\ndeck {name}\nreason crash\n");
    text += &format!("{deck}\n{void}\n");
    records += "4 void - crash\n";
    lab.write("T/public/entries.txt", &text);
    lab.write("T/secret/hands.txt", &records);
    let append = lab.run(&["log", "append", "log", "T/public/entries.txt", "--key", "log.key"]);
    append.must_begin("2 entries added");
    bundle(&lab, "4", &["--seat", "5"]).ends(0).must_warn("hand 4 was voided (crash)");
    assert_eq!(lab.text("T/hand-4/void.txt"), void);
    assert!(lab.exists("T/hand-4/deck.proof") && lab.exists("T/hand-4/void.proof"));
    bundle(&lab, "4", &["--full"]).ends(2).must_warn("so it has no bundle");
}

/// `SIGKILL` between write and rename leaves what opens all 52 cards under another name.
#[test]
fn what_a_killed_run_left_is_removed_by_the_next_and_nothing_else() {
    let lab = lab();
    bundle(&lab, "1", &["--seat", "1", "--out", "else"]).ends(0);
    assert!(lab.exists("else/hand-1/seat-1.json") && !lab.exists("T/hand-1"));
    bundle(&lab, "1", &["--seat", "1"]).ends(0);
    let left = ["full-reveal.json.4711.tmp", "seat-5.json.12.tmp", "open.txt.9.tmp", "deck.proof.9.tmp"];
    let others = ["mine.4711.tmp", "full-reveal.json.tmp", "full-reveal.json.x.tmp"];
    for name in left.iter().chain(&others) {
        lab.write(&format!("T/hand-1/{name}"), "{\"hand_key\": \"…\"}");
    }
    bundle(&lab, "1", &["--seat", "1"]).ends(0);
    for name in left {
        assert!(!lab.exists(&format!("T/hand-1/{name}")), "{name}");
    }
    for name in others {
        assert!(lab.exists(&format!("T/hand-1/{name}")), "{name}");
    }
    assert!(!lab.exists("T/hand-1.lock"));
}

/// A witness that came late for one hand saw it with the next: that is the earliest that anybody besides the log signed.
#[test]
fn a_bundle_carries_the_earliest_cosigned_checkpoint_that_holds_its_opening() {
    let lab = lab();
    let output = lab.run(&["log", "cosign", "--init", "witness.example/w1", "--key", "w1.key"]);
    let witness = output.out.trim().to_owned();
    let key = lab.text("log.key");
    let log = deckproof::log::vkey::Signer::parse(key.trim()).expect("a key").vkey().to_string();
    let trust = serde_json::json!({ "origin": ORIGIN, "log": [log], "witness": [witness], "quorum": 1 });
    lab.write("trust.json", trust.to_string());
    // The checkpoint of hand 3's opening is cosigned in the table's own file of receipts, and only that.
    let path = lab.path("T/public/receipts.txt");
    let receipts = fs::read_to_string(&path).expect("receipts");
    let third = receipts.lines().last().expect("three hands");
    let note = deckproof::table::logged::ReceiptRecord::parse(third).expect("a record").note;
    let signer = deckproof::log::vkey::Signer::parse(lab.text("w1.key").trim()).expect("a key");
    let text = note.split("\n\n").next().expect("a text").to_owned() + "\n";
    let line = signer.cosign(&text, 4_000_000_000).to_string();
    let cosigned = format!("{third}{}\t", line.trim_end());
    fs::write(&path, receipts.replace(third, &cosigned)).expect("writable");
    // Also where that hand is not asked for.
    bundle(&lab, "1", &["--full"]).ends(0);
    bundle(&lab, "2-3", &["--full"]).ends(0);
    let size = |hand: u64, kind: &str| {
        let text = lab.text(&format!("T/hand-{hand}/full-reveal.json"));
        let bundle: Value = serde_json::from_str(&text).expect("JSON");
        let proof = bundle["proofs"][kind].as_str().expect("a proof").to_owned();
        let size = proof.split("\n\n").nth(1).and_then(|note| note.lines().nth(1)?.parse::<u64>().ok());
        (size.expect("a size"), proof.contains("witness.example/w1"))
    };
    // Three entries a hand: deck and open of hand 3 are entries 6 and 7.
    for hand in 1..=3 {
        assert_eq!(size(hand, "open"), (8, true), "hand {hand}");
        assert_eq!(size(hand, "deck"), (8, true), "hand {hand}");
        let end = if hand == 2 { "void" } else { "close" };
        assert_eq!(size(hand, end), (9, false), "hand {hand}");
    }
    // Seen in the year 2096, before its end: nobody is shown that yet.
    let output = lab.run(&["verify", "--trust", "trust.json", "T/hand-3/full-reveal.json"]).ends(2);
    output.must_warn("its witnesses write that they saw it at 2096-10-02");
}
