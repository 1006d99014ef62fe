//! A table that goes on: chips stay with their seats and the dealer moves, whatever ended the run before.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::thread;
use std::time::Duration;

use deckproof::stud::history::{History, phh};
use tempfile::TempDir;

use crate::common::lab::{KEY, binary};

fn deal(out: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(binary());
    command.args(["deal", "--table", "T", "--out"]).arg(out).args(arguments);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn dealt(out: &Path, arguments: &[&str]) -> Output {
    let output = deal(out, arguments).output().expect("it runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    output
}

/// The histories of the hands that were closed, by number.
fn played(out: &Path) -> BTreeMap<u64, String> {
    let records = fs::read_to_string(out.join("secret/hands.txt")).expect("records");
    let closed = records.lines().filter(|line| line.contains(" close "));
    closed
        .map(|line| {
            let hand: u64 = line.split(' ').next().expect("a number").parse().expect("a number");
            (hand, fs::read_to_string(out.join(format!("public/hand-{hand}.phh"))).expect("a history"))
        })
        .collect()
}

/// Chips by seat, before and after a hand.
fn chips(history: &History) -> Vec<(String, u64, u64)> {
    let seats = history.field("seats").expect("it names its seats");
    let after = history.finishing_stacks.clone().expect("it was played to its end");
    let chips = history.stakes.stacks.iter().zip(after);
    seats
        .into_iter()
        .zip(chips)
        .map(|(seat, (before, after))| (seat, before.expect("known"), after.expect("known")))
        .collect()
}

/// Every hand begins with the chips the one before left, or with the buy-in, and the dealer one seat on.
fn check_chain(out: &Path, buy_in: u64) -> usize {
    let hands: Vec<History> =
        played(out).into_values().map(|text| phh::parse(&text).expect("a hand")).collect();
    for pair in hands.windows(2) {
        let before: BTreeMap<String, u64> =
            chips(&pair[0]).into_iter().map(|(seat, _, after)| (seat, after)).collect();
        for (seat, begins, _) in chips(&pair[1]) {
            let wanted = if before[&seat] == 0 { buy_in } else { before[&seat] };
            assert_eq!(begins, wanted, "seat {seat} of hand {:?}", pair[1].field("_hand"));
        }
        let mut seats = pair[0].field("seats").expect("seats");
        seats.rotate_left(1);
        assert_eq!(pair[1].field("seats"), Some(seats));
    }
    hands.len()
}

#[test]
fn a_table_that_goes_on_plays_what_one_run_plays() {
    let folder = TempDir::new().expect("a folder");
    let key = folder.path().join("day.key");
    fs::write(&key, KEY).expect("writable");
    let key = format!("@{}", key.display());
    let (straight, parts) = (folder.path().join("straight"), folder.path().join("parts"));
    let play = ["--play", "random", "--play-seed", "7"];
    let begin = ["--day-key", &key, "--not-for-production", "--seats", "4,6,8,1", "--small", "20"];
    let begin = [&play[..], &begin[..], &["--stacks", "300,90,200,150"]].concat();
    dealt(&straight, &[&begin[..], &["--hands", "9"]].concat());
    dealt(&parts, &[&begin[..], &["--hands", "2"]].concat());
    for hands in ["1", "2", "4"] {
        // Neither seats nor amounts are typed again: they are those of the hand before.
        dealt(&parts, &[&play[..], &["--continue", "--hands", hands, "--stacks", "300"]].concat());
    }
    let (one, several) = (played(&straight), played(&parts));
    assert_eq!((one.len(), several.len()), (9, 9));
    for (hand, text) in &one {
        let is_same = chips(&phh::parse(text).expect("a hand")).iter().all(|(_, before, _)| *before > 0);
        assert!(is_same);
        if several[hand] != *text {
            panic!("hand {hand}:\n{text}\n{}", several[hand]);
        }
    }
}

#[test]
fn a_seat_that_sits_down_buys_in_and_the_others_keep_their_chips() {
    let folder = TempDir::new().expect("a folder");
    let out = folder.path().join("out");
    let play = ["--play", "random", "--play-seed", "3", "--hands", "1"];
    dealt(&out, &[&play[..], &["--seats", "1,2,3", "--stacks", "500"]].concat());
    let more = ["--continue", "--seats", "3,2,5", "--stacks", "700"];
    let refused = deal(&out, &[&play[..], &more].concat()).output().expect("it runs");
    assert_eq!(refused.status.code(), Some(2), "the seats are not clockwise");
    dealt(&out, &[&play[..], &["--continue", "--seats", "2,3,5", "--stacks", "700"]].concat());
    let hands: Vec<History> =
        played(&out).into_values().map(|text| phh::parse(&text).expect("a hand")).collect();
    let before: BTreeMap<String, u64> =
        chips(&hands[0]).into_iter().map(|(seat, _, after)| (seat, after)).collect();
    for (seat, begins, _) in chips(&hands[1]) {
        let wanted = before.get(&seat).copied().filter(|&chips| chips > 0).unwrap_or(700);
        assert_eq!(begins, wanted, "seat {seat}");
    }
    // A history that somebody touched is not what the chips are taken from.
    let file = out.join("public/hand-2.phh");
    let text = fs::read_to_string(&file).expect("a history");
    fs::write(&file, text.replace("finishing_stacks = [", "finishing_stacks = [1")).expect("writable");
    let refused = deal(&out, &[&play[..], &["--continue"]].concat()).output().expect("it runs");
    assert_eq!(refused.status.code(), Some(2));
    let said = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert!(said.contains("public/hand-2.phh is not the history that was written"), "{said}");
}

#[test]
fn a_table_that_was_killed_keeps_chips_and_dealer() {
    let folder = TempDir::new().expect("a folder");
    let out = folder.path().join("out");
    let play = ["--play", "random", "--stacks", "400", "--small", "20", "--seats", "1,3,5"];
    for run in 0..5u64 {
        let more: &[&str] = if run == 0 { &[] } else { &["--continue"] };
        // Once the table has begun, seats are not typed again: the dealer would not move.
        let named = if run == 0 { &play[..] } else { &play[..4] };
        let arguments = [named, more, &["--hands", "100000"]].concat();
        let mut child = deal(&out, &arguments).spawn().expect("it runs");
        let closed = || fs::read_to_string(out.join("secret/hands.txt")).unwrap_or_default().lines().count();
        let begun = closed();
        for _ in 0..2000 {
            if closed() > begun + 2 || child.try_wait().expect("a child").is_some() {
                break;
            }
            thread::sleep(Duration::from_millis(5));
        }
        thread::sleep(Duration::from_millis(3 * run));
        child.kill().expect("it deals");
        let output = child.wait_with_output().expect("it is gone");
        assert_eq!(output.status.code(), None, "{}", String::from_utf8_lossy(&output.stderr));
    }
    dealt(&out, &[&play[..4], &["--continue", "--hands", "1"]].concat());
    let hands = check_chain(&out, 400);
    assert!(hands > 10, "{hands} hands");
}
