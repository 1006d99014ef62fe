//! Tables as real processes: killed, two at once, without a place to write.

use std::fs;
use std::process::{Child, Command};
use std::thread;
use std::time::Duration;

use crate::common::lab::{Lab, Output, kill, words};

/// A table that deals into a folder of its name, and goes on where it has begun.
fn deal(lab: &Lab, table: &str, hands: &str, more: &[&str]) -> Command {
    let deal = ["deal", "--table", table, "--seats", "1,2,3", "--hands", hands, "--out", table];
    let is_begun = lab.exists(&format!("{table}/secret/state"));
    let begun: &[&str] = if is_begun { &["--continue"] } else { &[] };
    lab.command(&[&deal, begun, more].concat())
}

fn dealt(lab: &Lab, table: &str, more: &[&str]) -> Output {
    Output::from(deal(lab, table, "1", more).output().expect("it runs"))
}

fn entries(lab: &Lab, table: &str) -> String {
    lab.text(&format!("{table}/public/entries.txt"))
}

/// Waits until the table deals, so that a kill hits it at work.
fn wait_for_hands(lab: &Lab, table: &str, child: &mut Child) {
    let entries = lab.path(&format!("{table}/public/entries.txt"));
    let length = || fs::metadata(&entries).map_or(0, |file| file.len());
    let before = length();
    for _ in 0..2000 {
        if length() > before + 2000 || child.try_wait().expect("a child").is_some() {
            return;
        }
        thread::sleep(Duration::from_millis(10));
    }
}

#[test]
fn a_table_that_is_killed_goes_on_and_its_log_is_sound() {
    let lab = Lab::new();
    for run in 0..6 {
        let mut child = deal(&lab, "T", "1000000", &[]).spawn().expect("it runs");
        wait_for_hands(&lab, "T", &mut child);
        thread::sleep(Duration::from_millis(7 * run));
        kill(child);
    }
    dealt(&lab, "T", &[]).ends(0);
    let text = entries(&lab, "T");
    let (mut hand, mut kind) = (0, "end");
    for entry in text.split_terminator("\n\n") {
        let (first, _) = entry.split_once('\n').expect("lines");
        let next = first.strip_prefix("deckproof/v1 ").expect("an entry");
        kind = match (kind, next) {
            ("end", "deck") => {
                hand += 1;
                assert!(entry.contains(&format!("\nhand {hand}\n")), "hand {hand}: {entry}");
                "deck"
            }
            ("deck", "open") => "open",
            ("deck" | "open", "void") | ("open", "close") => "end",
            other => panic!("hand {hand}: {other:?}"),
        };
    }
    assert_eq!(kind, "end");
    assert!(hand > 6, "{hand} hands");
    assert_eq!(lab.count("T/secret"), 2, "only the state and the records of hands");
}

#[test]
fn a_second_dealer_at_a_table_is_refused() {
    let lab = Lab::new();
    let mut first = deal(&lab, "T", "1000000", &[]).spawn().expect("it runs");
    wait_for_hands(&lab, "T", &mut first);
    let anew = ["deal", "--table", "T", "--seats", "1,2,3", "--hands", "1", "--out", "T"];
    for second in [lab.run(&anew), dealt(&lab, "T", &[])] {
        second.ends(2).must_warn("another process deals");
    }
    kill(first);
    dealt(&lab, "T", &[]).ends(0);
}

#[test]
fn a_table_without_a_place_to_write_deals_nothing() {
    let lab = Lab::new();
    lab.write("file", "a file");
    dealt(&lab, "file", &[]).refused();
    // The state cannot be replaced by a folder's name, and the hand is not published either.
    dealt(&lab, "T", &[]).ends(0);
    let before = entries(&lab, "T");
    fs::create_dir(lab.path("T/secret/unfinished.tmp")).expect("writable");
    dealt(&lab, "T", &[]).ends(2).must_warn("unfinished.tmp");
    assert_eq!(entries(&lab, "T"), before);
}

const LOGGED: [&str; 4] = ["--log", "log", "--log-key", "log.key"];

fn init(lab: &Lab, log: &str, key: &str, more: &[&str]) {
    let init = ["log", "init", log, "--origin", "stud.example/log1", "--key", key];
    lab.run(&[&init, more].concat()).ends(0);
}

/// `DECKPROOF_KILLS=200 cargo test --test suite killed` kills as often as the number says.
#[test]
fn tables_that_share_a_log_are_killed_and_the_log_is_sound() {
    let lab = Lab::new();
    init(&lab, "log", "log.key", &["--trust", "trust.json"]);
    let kills: u64 = std::env::var("DECKPROOF_KILLS").ok().and_then(|text| text.parse().ok()).unwrap_or(6);
    for turn in 0..kills.div_ceil(2) {
        let mut tables =
            ["A", "B"].map(|table| deal(&lab, table, "1000000", &LOGGED).spawn().expect("it runs"));
        wait_for_hands(&lab, "A", &mut tables[0]);
        for (place, table) in (0..).zip(tables) {
            // Moments spread over the time that a hand takes.
            thread::sleep(Duration::from_micros((turn * 7919 + place * 3571) % 40_000));
            kill(table);
        }
    }
    for table in ["A", "B"] {
        dealt(&lab, table, &LOGGED).ends(0);
        let left = lab.count(&format!("{table}/secret"));
        assert_eq!(left, 3, "only the state, the records of hands and the name of the log");
    }
    let scanned = lab.run(&["log", "scan", "log"]).ends(0);
    scanned.must_print(" 0 running").must_print("Unused decks    none");
    // The log holds what the tables published, each entry once.
    let published: usize =
        ["A", "B"].iter().map(|table| entries(&lab, table).matches("deckproof/v1 ").count()).sum();
    scanned.must_print(&format!("whole and in order, {published} entries"));
    // The hands before and after the last kill open, with their proofs.
    scanned.must_not_print(lab.text("log.key").trim());
    for table in ["A", "B"] {
        let last = entries(&lab, table).matches("deckproof/v1 deck").count();
        let bundles = lab.run(&["bundle", table, "--hand", &last.to_string()]).ends(0);
        for bundle in bundles.out.lines().filter(|line| line.ends_with(".json")) {
            // Nobody witnessed this log.
            let output = lab.run(&["verify", bundle, "--trust", "trust.json"]).ends(2);
            output.must_print("its deck is proven to be in the log you trust");
        }
    }
}

#[test]
fn two_tables_write_one_log_in_turn_and_two_logs_are_not_mixed_up() {
    let lab = Lab::new();
    init(&lab, "log", "log.key", &[]);
    let tables = ["A", "B", "C"].map(|table| deal(&lab, table, "12", &LOGGED).spawn().expect("it runs"));
    for table in tables {
        Output::from(table.wait_with_output().expect("it ends")).ends(0);
    }
    lab.run(&["log", "scan", "log"]).ends(0).must_print("whole and in order, 108 entries");
    // The same table in another folder would log a second deck of hand 1.
    let other = ["deal", "--table", "A", "--hands", "1", "--seats", "1,2", "--out", "other"];
    lab.run(&[&other[..], &LOGGED].concat()).ends(2).must_warn("--first-hand 13");
    lab.run(&[&other[..], &LOGGED, &["--first-hand", "13"]].concat()).ends(0);
    // A table goes on with its log, and not without.
    dealt(&lab, "A", &[])
        .ends(2)
        .must_warn("the hands of this table are in a log")
        .must_warn("--log-key")
        .must_warn("/log ");
    // The key and the origin are those of the log.
    lab.run(&words("log init log3 --origin stud.example/log3 --key log3.key")).ends(0);
    let other_key = dealt(&lab, "D", &["--log", "log", "--log-key", "log3.key"]).ends(2);
    other_key.must_warn("it is the key of stud.example/log3, the log is stud.example/log1");
    let elsewhere = dealt(&lab, "D", &[&LOGGED[..], &["--origin", "stud.example/log3"]].concat()).ends(2);
    elsewhere.must_warn("the log of --log is stud.example/log1");
    init(&lab, "log2", "log2.key", &[]);
    dealt(&lab, "A", &["--log", "log2", "--log-key", "log2.key"])
        .ends(2)
        .must_warn("is another one of its name");
    lab.run(&["log", "scan", "log"]).ends(0);
}
