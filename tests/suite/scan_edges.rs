//! Scans of logs in which one line is wrong that no published vector has.

use deckproof::commitment::digest::leaf_hash;
use deckproof::log::refusal::{Code, Refusal};
use deckproof::log::scan::report::Report;
use deckproof::log::scan::{Scan, ScanRules};

const HASH: &str = "c4ce28ba22d58d6cbabe5e345ee3ba521b00153564976f5e7469acbc1076f343";

fn deck(hand: u64, mix: &str) -> String {
    format!("deckproof/v1 deck\norigin stud.example/log1\ntable T\nhand {hand}\nmix {mix}\ndeck {HASH}\n")
}

fn open(deck: &str, lines: &str) -> String {
    format!("deckproof/v1 open\ndeck {}\nrules stud-hi\nseats 4,6,1\n{lines}", leaf_hash(deck))
}

fn cut(open: &str, seat: u8) -> String {
    format!("deckproof/v1 cut\nopen {}\nseed {seat} {HASH}\n", leaf_hash(open))
}

fn void(deck: &str) -> String {
    format!("deckproof/v1 void\ndeck {}\nreason table-closed\n", leaf_hash(deck))
}

fn scan(entries: &[&str]) -> Result<Report, Refusal> {
    let rules = ScanRules { origin: "stud.example/log1".to_owned(), is_live: true, earlier: Vec::new() };
    let mut scan = Scan::new(rules);
    for entry in entries {
        scan.entry(entry)?;
    }
    scan.finish()
}

fn check(entries: &[&str], code: Code, words: &str) {
    // Everything before the last line is sound.
    let before = scan(&entries[..entries.len() - 1]);
    assert!(before.is_ok(), "{before:?}");
    let refusal = scan(entries).expect_err("the last line is wrong");
    assert_eq!(refusal.code, code, "{refusal}");
    assert!(refusal.message.contains(words), "{refusal}");
}

const COMMIT: &str = "commit 4 c4ce28ba22d58d6cbabe5e345ee3ba521b00153564976f5e7469acbc1076f343\n";

#[test]
fn a_cut_of_a_hand_that_has_ended_is_refused_also_while_the_next_one_runs() {
    let (first, second) = (deck(1, "players"), deck(2, "none"));
    let (opened, next) = (open(&first, COMMIT), open(&second, ""));
    let late = cut(&opened, 4);
    check(&[&first, &opened, &void(&first), &late], Code::LogOrder, "which has ended");
    check(&[&first, &opened, &void(&first), &second, &next, &late], Code::LogOrder, "which has ended");
}

#[test]
fn a_seed_of_a_seat_that_is_not_in_the_hand_is_no_cut() {
    let first = deck(1, "players");
    let opened = open(&first, COMMIT);
    check(
        &[&first, &opened, &cut(&opened, 5)],
        Code::Entry,
        "a seed of seat 5, the hand has the seats 4,6,1",
    );
}

#[test]
fn each_line_that_a_mix_does_not_have_is_refused() {
    let first = deck(1, "none");
    let seed = format!("seed 4 {HASH}\n");
    let beacon = format!("beacon {HASH} 1000\n");
    for lines in [COMMIT, &seed, &beacon] {
        check(&[&first, &open(&first, lines)], Code::Mix, "wanted no seed, commit or beacon line");
    }
}

#[test]
fn another_beacon_network_is_refused_when_it_is_announced() {
    let first = deck(1, "beacon");
    check(
        &[&first, &open(&first, &format!("beacon {HASH} 1000\n"))],
        Code::BeaconChain,
        "wanted drand quicknet",
    );
}
