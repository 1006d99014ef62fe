//! A table that goes on: chips stay with their seats and the dealer moves, whatever ended the run before.

use std::collections::BTreeMap;
use std::fs;
use std::thread;
use std::time::Duration;

use deckproof::stud::history::{History, phh};

use crate::common::lab::{KEY, Lab, Output, kill};

fn deal(lab: &Lab, out: &str, arguments: &[&str]) -> Output {
    lab.run(&[&["deal", "--table", "T", "--out", out], arguments].concat())
}

/// The histories of the hands that were closed, by number.
fn played(lab: &Lab, out: &str) -> BTreeMap<u64, String> {
    let records = lab.text(&format!("{out}/secret/hands.txt"));
    let closed = records.lines().filter(|line| line.contains(" close "));
    closed
        .map(|line| {
            let hand: u64 = line.split(' ').next().expect("a number").parse().expect("a number");
            (hand, lab.text(&format!("{out}/public/hand-{hand}.phh")))
        })
        .collect()
}

/// The same, read.
fn histories(lab: &Lab) -> Vec<History> {
    played(lab, "out").into_values().map(|text| phh::parse(&text).expect("a hand")).collect()
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
fn check_chain(hands: &[History], buy_in: u64) {
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
}

#[test]
fn a_table_that_goes_on_plays_what_one_run_plays() {
    let lab = Lab::new();
    lab.write("day.key", KEY);
    let play = ["--play", "random", "--play-seed", "7"];
    let begin = ["--day-key", "@day.key", "--not-for-production", "--seats", "4,6,8,1", "--small", "20"];
    let begin = [&play[..], &begin[..], &["--stacks", "300,90,200,150"]].concat();
    deal(&lab, "straight", &[&begin[..], &["--hands", "9"]].concat()).ends(0);
    deal(&lab, "parts", &[&begin[..], &["--hands", "2"]].concat()).ends(0);
    for hands in ["1", "2", "4"] {
        // Neither seats nor amounts are typed again: they are those of the hand before.
        deal(&lab, "parts", &[&play[..], &["--continue", "--hands", hands, "--stacks", "300"]].concat())
            .ends(0);
    }
    let (one, several) = (played(&lab, "straight"), played(&lab, "parts"));
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
    let lab = Lab::new();
    let play = ["--play", "random", "--play-seed", "3", "--hands", "1"];
    let deal = |more: &[&str]| deal(&lab, "out", &[&play, more].concat());
    deal(&["--seats", "1,2,3", "--stacks", "500"]).ends(0);
    // The seats are not clockwise.
    deal(&["--continue", "--seats", "3,2,5", "--stacks", "700"]).ends(2);
    deal(&["--continue", "--seats", "2,3,5", "--stacks", "700"]).ends(0);
    let hands = histories(&lab);
    let before: BTreeMap<String, u64> =
        chips(&hands[0]).into_iter().map(|(seat, _, after)| (seat, after)).collect();
    for (seat, begins, _) in chips(&hands[1]) {
        let wanted = before.get(&seat).copied().filter(|&chips| chips > 0).unwrap_or(700);
        assert_eq!(begins, wanted, "seat {seat}");
    }
    // A history that somebody touched is not what the chips are taken from.
    let file = "out/public/hand-2.phh";
    lab.write(file, lab.text(file).replace("finishing_stacks = [", "finishing_stacks = [1"));
    deal(&["--continue"]).ends(2).must_warn("public/hand-2.phh is not the history that was written");
}

#[test]
fn a_table_that_was_killed_keeps_chips_and_dealer() {
    let lab = Lab::new();
    let play = ["--play", "random", "--stacks", "400", "--small", "20", "--seats", "1,3,5"];
    for run in 0..5u64 {
        let more: &[&str] = if run == 0 { &[] } else { &["--continue"] };
        // Once the table has begun, seats are not typed again: the dealer would not move.
        let named = if run == 0 { &play[..] } else { &play[..4] };
        let deal = ["deal", "--table", "T", "--out", "out", "--hands", "100000"];
        let mut child = lab.command(&[&deal, named, more].concat()).spawn().expect("it runs");
        let records = lab.path("out/secret/hands.txt");
        let closed = || fs::read_to_string(&records).unwrap_or_default().lines().count();
        let begun = closed();
        for _ in 0..2000 {
            if closed() > begun + 2 || child.try_wait().expect("a child").is_some() {
                break;
            }
            thread::sleep(Duration::from_millis(5));
        }
        thread::sleep(Duration::from_millis(3 * run));
        kill(child);
    }
    deal(&lab, "out", &[&play[..4], &["--continue", "--hands", "1"]].concat()).ends(0);
    let hands = histories(&lab);
    check_chain(&hands, 400);
    assert!(hands.len() > 10, "{} hands", hands.len());
}
