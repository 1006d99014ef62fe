//! Tables as real processes: killed, two at once, without a place to write.

use std::fs;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::thread;
use std::time::Duration;

use tempfile::TempDir;

use crate::common::lab::{binary, deckproof};

fn deal(out: &Path, hands: &str, is_begun: bool) -> Command {
    deal_at("T", out, hands, is_begun)
}

fn deal_at(table: &str, out: &Path, hands: &str, is_begun: bool) -> Command {
    let mut command = Command::new(binary());
    command.args(["deal", "--table", table, "--seats", "1,2,3", "--hands", hands, "--out"]).arg(out);
    if is_begun {
        command.arg("--continue");
    }
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Waits until the table deals, so that a kill hits it at work.
fn wait_for_hands(out: &Path, child: &mut Child) {
    let length = || fs::metadata(out.join("public/entries.txt")).map_or(0, |file| file.len());
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
    let folder = TempDir::new().expect("a folder");
    let out = folder.path().join("out");
    for run in 0..6 {
        let mut child = deal(&out, "1000000", out.join("secret/state").exists()).spawn().expect("it runs");
        wait_for_hands(&out, &mut child);
        thread::sleep(Duration::from_millis(7 * run));
        child.kill().expect("it deals");
        let output = child.wait_with_output().expect("it is gone");
        assert_eq!(output.status.code(), None, "it was killed, and did not end: {}", said(&output));
    }
    let output = deal(&out, "1", true).output().expect("it runs");
    assert!(output.status.success(), "{}", said(&output));
    let text = fs::read_to_string(out.join("public/entries.txt")).expect("entries");
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
    let left = fs::read_dir(out.join("secret")).expect("a folder").count();
    assert_eq!(left, 2, "only the state and the records of hands");
}

#[test]
fn a_second_dealer_at_a_table_is_refused() {
    let folder = TempDir::new().expect("a folder");
    let out = folder.path().join("out");
    let mut first = deal(&out, "1000000", false).spawn().expect("it runs");
    wait_for_hands(&out, &mut first);
    for is_begun in [false, true] {
        let second = deal(&out, "1", is_begun).output().expect("it runs");
        assert_eq!(second.status.code(), Some(2));
        assert!(said(&second).contains("another process deals"), "{}", said(&second));
    }
    first.kill().expect("it deals");
    first.wait().expect("it is gone");
    let third = deal(&out, "1", true).output().expect("it runs");
    assert!(third.status.success(), "{}", said(&third));
}

#[test]
fn a_table_without_a_place_to_write_deals_nothing() {
    let folder = TempDir::new().expect("a folder");
    let out = folder.path().join("out");
    fs::write(&out, "a file").expect("writable");
    let output = deal(&out, "1", false).output().expect("it runs");
    assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0));
    // The state cannot be replaced by a folder's name, and the hand is not published either.
    let out = folder.path().join("table");
    assert!(deal(&out, "1", false).output().expect("it runs").status.success());
    let entries = fs::read(out.join("public/entries.txt")).expect("entries");
    fs::create_dir(out.join("secret/unfinished.tmp")).expect("writable");
    let output = deal(&out, "1", true).output().expect("it runs");
    assert_eq!(output.status.code(), Some(2));
    assert!(said(&output).contains("unfinished.tmp"), "{}", said(&output));
    assert_eq!(fs::read(out.join("public/entries.txt")).expect("entries"), entries);
}

fn text(path: &Path) -> String {
    path.display().to_string()
}

/// Hands at a table whose entries go to a log.
fn deal_logged(folder: &Path, table: &str, hands: &str) -> Command {
    let out = folder.join(table);
    let mut command = deal_at(table, &out, hands, out.join("secret/state").exists());
    command.arg("--log").arg(folder.join("log")).arg("--log-key").arg(folder.join("log.key"));
    command
}

/// `DECKPROOF_KILLS=200 cargo test --test suite killed` kills as often as the number says.
#[test]
fn tables_that_share_a_log_are_killed_and_the_log_is_sound() {
    let folder = TempDir::new().expect("a folder");
    let at = folder.path();
    let (log, key) = (text(&at.join("log")), text(&at.join("log.key")));
    deckproof(&["log", "init", &log, "--origin", "stud.example/log1", "--key", &key]).ends(0);
    let kills: u64 = std::env::var("DECKPROOF_KILLS").ok().and_then(|text| text.parse().ok()).unwrap_or(6);
    for kill in 0..kills.div_ceil(2) {
        let mut tables = ["A", "B"].map(|table| deal_logged(at, table, "1000000").spawn().expect("it runs"));
        wait_for_hands(&at.join("A"), &mut tables[0]);
        for (place, table) in tables.iter_mut().enumerate() {
            // Moments spread over the time that a hand takes.
            thread::sleep(Duration::from_micros((kill * 7919 + place as u64 * 3571) % 40_000));
            table.kill().expect("it deals");
        }
        for table in tables {
            let output = table.wait_with_output().expect("it is gone");
            assert_eq!(output.status.code(), None, "it was killed, and did not end: {}", said(&output));
        }
    }
    for table in ["A", "B"] {
        let output = deal_logged(at, table, "1").output().expect("it runs");
        assert!(output.status.success(), "{}", said(&output));
        let left = fs::read_dir(at.join(table).join("secret")).expect("a folder").count();
        assert_eq!(left, 3, "only the state, the records of hands and the name of the log");
    }
    let scanned = deckproof(&["log", "scan", &log]).ends(0);
    scanned.must_print(" 0 running").must_print("Unused decks    none");
    // The log holds what the tables published, each entry once.
    let published: usize = ["A", "B"]
        .map(|table| fs::read_to_string(at.join(table).join("public/entries.txt")).expect("entries"))
        .iter()
        .map(|entries| entries.matches("deckproof/v1 ").count())
        .sum();
    scanned.must_print(&format!("whole and in order, {published} entries"));
    // The hands before and after the last kill open, with their proofs.
    let trust = at.join("trust.json");
    let vkey = fs::read_to_string(&key).expect("a key");
    assert!(!scanned.prints(vkey.trim()));
    write_trust(&trust, &log);
    for table in ["A", "B"] {
        let entries = fs::read_to_string(at.join(table).join("public/entries.txt")).expect("entries");
        let last = entries.matches("deckproof/v1 deck").count();
        let bundles = deckproof(&["bundle", &text(&at.join(table)), "--hand", &last.to_string()]).ends(0);
        for bundle in bundles.out.lines().filter(|line| line.ends_with(".json")) {
            let said = deckproof(&["verify", bundle, "--trust", &text(&trust)]);
            // Nobody witnessed this log.
            assert!(said.code == 2 && said.prints("its deck is proven to be in the log you trust"), "{said}");
        }
    }
}

/// A trust file for the log, with the public key that its checkpoint was signed by.
fn write_trust(path: &Path, log: &str) {
    let key = Path::new(log).with_file_name("log.key");
    let signer = deckproof::log::vkey::Signer::parse(fs::read_to_string(key).expect("a key").trim());
    let vkey = signer.expect("a key").vkey().to_string();
    let trust =
        serde_json::json!({ "origin": "stud.example/log1", "log": [vkey], "witness": [], "quorum": 1 });
    fs::write(path, trust.to_string()).expect("writable");
}

#[test]
fn two_tables_write_one_log_in_turn_and_two_logs_are_not_mixed_up() {
    let folder = TempDir::new().expect("a folder");
    let at = folder.path();
    let (log, key) = (text(&at.join("log")), text(&at.join("log.key")));
    deckproof(&["log", "init", &log, "--origin", "stud.example/log1", "--key", &key]).ends(0);
    let tables = ["A", "B", "C"].map(|table| deal_logged(at, table, "12").spawn().expect("it runs"));
    for table in tables {
        let output = table.wait_with_output().expect("it ends");
        assert!(output.status.success(), "{}", said(&output));
    }
    deckproof(&["log", "scan", &log]).ends(0).must_print("whole and in order, 108 entries");
    // The same table in another folder would log a second deck of hand 1.
    let other = text(&at.join("other"));
    let base = ["deal", "--table", "A", "--hands", "1", "--seats", "1,2", "--out", &other];
    let said = deckproof(&[&base[..], &["--log", &log, "--log-key", &key]].concat()).ends(2);
    said.must_warn("--first-hand 13");
    deckproof(&[&base[..], &["--log", &log, "--log-key", &key, "--first-hand", "13"]].concat()).ends(0);
    // A table goes on with its log, and not without.
    let out = text(&at.join("A"));
    let again = ["deal", "--table", "A", "--hands", "1", "--seats", "1,2,3", "--out", &out, "--continue"];
    deckproof(&again).ends(2).must_warn("--log-key").must_warn("/log ");
    let (other_log, other_key) = (text(&at.join("log2")), text(&at.join("log2.key")));
    let init = ["log", "init", &other_log, "--origin", "stud.example/log1", "--key", &other_key];
    deckproof(&init).ends(0);
    let said = deckproof(&[&again[..], &["--log", &other_log, "--log-key", &other_key]].concat()).ends(2);
    said.must_warn("found no entry");
    deckproof(&["log", "scan", &log]).ends(0);
}
