//! Hands that are dealt and played: the history, the transcript and the bundles tell the same hand.
//!
//! The scripted hands are on hand 1 of the public test key, whose deck begins As 3d 7c 7h 5h Qc Tc Jh Qs Th
//! 6h Ac Ad 9c Kc 6s 8c 8d; their transcript, actions and stacks were reckoned by hand.

use std::fs;

use deckproof::commitment::digest::Digest;
use deckproof::stud::betting::action::Action;
use deckproof::stud::history::History;
use deckproof::stud::history::phh;

use crate::common::dealt::bundle_all;
use crate::common::lab::{KEY, Lab, Output, json_lines};

/// Seat 6 folds on fourth street; p1 wins 60 of antes and 150 of bring-in and calls.
const CALLED: [&str; 26] = [
    "d dh p1 As7hTc", "d dh p2 ????Jh", "d dh p3 7cQcQs", "p1 pb", "p2 cc", "p3 cc", "d dh p1 Th",
    "d dh p2 6h", "d dh p3 Ac", "p1 cc", "p2 f", "p3 cc", "d dh p1 Ad", "d dh p3 9c", "p1 cc", "p3 cc",
    "d dh p1 Kc", "d dh p3 6s", "p1 cc", "p3 cc", "d dh p1 8c", "d dh p3 8d", "p1 cc", "p3 cc",
    "p1 sm As7hTcThAdKc8c", "p3 sm 7cQcQsAc9c6s8d",
];

const CALLED_TRANSCRIPT: &str = "deckproof/v1 transcript
0 4 3 d
1 6 3 d
2 2 3 d
3 4 3 d
4 6 3 d
5 2 3 d
6 4 3 u
7 6 3 u
8 2 3 u
9 4 4 u
10 6 4 u
11 2 4 u
12 4 5 u
13 2 5 u
14 4 6 u
15 2 6 u
16 4 7 d
17 2 7 d
";

/// Deals with the test key; a script is put into a file.
fn deal(script: Option<&str>, more: &[&str]) -> (Lab, Output) {
    let lab = Lab::new();
    let mut arguments =
        vec!["deal", "--table", "T-1", "--out", "out", "--day-key", KEY, "--not-for-production"];
    arguments.extend(more);
    if let Some(script) = script {
        lab.write("script", script);
        arguments.extend(["--script", "script"]);
    }
    let output = lab.run(&arguments);
    if lab.exists("out") {
        bundle_all(&lab, "out");
    }
    (lab, output)
}

/// The folder of a table that was dealt to the end.
fn dealt(script: Option<&str>, more: &[&str]) -> Lab {
    let (lab, output) = deal(script, more);
    output.ends(0);
    lab
}

fn history(lab: &Lab, hand: u64) -> History {
    phh::parse(&lab.text(&format!("out/hand-{hand}/history.phh"))).expect("a hand")
}

fn actions(history: &History) -> Vec<&str> {
    history.lines.iter().map(|line| &line.text[..]).collect()
}

/// Verifies all bundles of a hand and replays its history.
fn check_told_truly(lab: &Lab, hand: u64, seats: usize) {
    let folder = format!("out/hand-{hand}");
    let files = fs::read_dir(lab.path(&folder)).expect("a hand").map(|file| file.expect("a file").path());
    let bundles = files.filter(|path| path.extension().is_some_and(|end| end == "json"));
    let bundles: Vec<String> = bundles.map(|path| path.display().to_string()).collect();
    assert_eq!(bundles.len(), seats + 1);
    let arguments: Vec<&str> =
        ["verify", "--json"].into_iter().chain(bundles.iter().map(String::as_str)).collect();
    for output in json_lines(&lab.run(&arguments).ends(0)) {
        let bound = &output["findings"]["history"];
        assert_eq!((&bound["binding"], &bound["verdict"]), (&"bound".into(), &"legal".into()), "{output}");
        let not_opened = bound["cards_not_opened"].as_u64();
        assert_eq!(not_opened, Some(0), "the history names no card that a seat may not see: {output}");
        let not_checked = output["not_checked"].as_array().expect("a list");
        assert!(!not_checked.contains(&"community card seats".into()), "{output}");
        assert!(!not_checked.contains(&"history content".into()), "{output}");
    }
    let history = format!("{folder}/history.phh");
    let replayed = lab.run(&["replay", "--json", &history]).ends(0).json();
    assert_eq!((&replayed["verdict"], &replayed["complete"]), (&"legal".into(), &true.into()), "{replayed}");
    let close = lab.text(&format!("{folder}/close.txt"));
    assert!(close.contains(&format!("\nhistory {}\n", Digest::of(lab.text(&history)))), "{close}");
}

/// Who folds or is never shown keeps the down cards.
fn check_hides_what_nobody_saw(history: &History) {
    let has_shown = |who: usize| {
        history.lines.iter().any(|line| matches!(line.action, Action::Show { player, .. } if player == who))
    };
    for player in 0..history.players_total() {
        let cards: Vec<_> = history
            .lines
            .iter()
            .filter_map(|line| match &line.action {
                Action::DealHole { player: who, cards } if *who == player => Some(cards.clone()),
                _ => None,
            })
            .flatten()
            .collect();
        for (place, card) in cards.iter().enumerate() {
            let is_up = (2..6).contains(&place);
            assert_eq!(card.is_some(), is_up || has_shown(player), "p{} card {place}", player + 1);
        }
    }
}

#[test]
fn random_play_is_legal_bound_and_keeps_chips_and_secrets() {
    let (mut folds, mut showdowns) = (0, 0);
    for (rules, seats, stack) in [
        ("stud-hi", "1,2,4,5,7", "4000"),
        ("stud-8b", "8,1,2,3,4,5,6,7", "700"),
        ("espacejeux", "2,1", "900"),
    ] {
        let more = [
            "--hands", "6", "--rules", rules, "--seats", seats, "--play", "random", "--play-seed", "5",
            "--stacks", stack,
        ];
        let lab = dealt(None, &more);
        for number in 1..=6 {
            check_told_truly(&lab, number, seats.split(',').count());
            let history = history(&lab, number);
            check_hides_what_nobody_saw(&history);
            let sum = |stacks: &[Option<u64>]| stacks.iter().flatten().sum::<u64>();
            let finals = history.finishing_stacks.as_deref().expect("stacks");
            assert_eq!(sum(finals), sum(&history.stakes.stacks), "{rules} hand {number}");
            folds += history.lines.iter().filter(|line| matches!(line.action, Action::Fold { .. })).count();
            showdowns += usize::from(actions(&history).last().is_some_and(|last| last.contains("sm")));
        }
    }
    assert!(folds > 0 && (1..18).contains(&showdowns), "{folds} folds, {showdowns} showdowns");
}

#[test]
fn the_dealer_moves_and_chips_are_carried_from_hand_to_hand() {
    let more =
        ["--hands", "4", "--play", "random", "--play-seed", "3", "--seats", "4,6,2", "--stacks", "900"];
    let lab = dealt(None, &more);
    let mut before: Vec<(String, Option<u64>)> = Vec::new();
    for (number, seats) in [(1, "4,6,2"), (2, "6,2,4"), (3, "2,4,6"), (4, "4,6,2")] {
        let history = history(&lab, number);
        let named = history.field("seats").expect("seats");
        assert_eq!(named.join(","), seats, "hand {number}");
        assert_eq!(history.stakes.antes, [20; 3], "a fifth of the small limit");
        for (seat, chips) in named.iter().zip(&history.stakes.stacks) {
            let left = before.iter().find(|(other, _)| other == seat).map_or(Some(900), |(_, chips)| *chips);
            let wanted = if left == Some(0) { Some(900) } else { left };
            assert_eq!(*chips, wanted, "hand {number}, seat {seat}");
        }
        before = named.into_iter().zip(history.finishing_stacks.expect("stacks")).collect();
    }
}

#[test]
fn the_same_seed_plays_the_same_and_another_one_does_not() {
    let play = |seed: &str| {
        let lab = dealt(None, &["--hands", "3", "--play", "random", "--play-seed", seed]);
        [1, 2, 3].map(|number| lab.text(&format!("out/hand-{number}/history.phh")))
    };
    assert_eq!(play("1"), play("1"));
    assert_ne!(play("1"), play("2"));
}

#[test]
fn folds_by_street_give_the_hand_reckoned_by_hand() {
    let lab = dealt(Some("fold 4 6\n"), &["--hands", "1", "--seats", "4,6,2", "--stacks", "1000"]);
    assert_eq!(lab.text("out/hand-1/transcript.txt"), CALLED_TRANSCRIPT);
    let history = history(&lab, 1);
    assert_eq!(actions(&history), CALLED);
    assert_eq!(history.finishing_stacks, Some(vec![Some(1140), Some(930), Some(930)]));
    let names =
        ["_origin", "_table", "_hand", "seats"].map(|name| history.field(name).expect(name).join(","));
    assert_eq!(names, ["localhost/log1", "T-1", "1", "4,6,2"]);
    check_told_truly(&lab, 1, 3);
}

#[test]
fn scripted_actions_are_played_in_order() {
    let script = "p1 pb\np2 cbr 100\np3 cc\np1 cc\n# fourth street\np1 cbr 100\np2 f\np3 cc\n\
                  p1 cc\np3 cc\np1 cbr 200\np3 cc\n";
    let lab = dealt(Some(script), &["--hands", "1", "--seats", "4,6,2", "--stacks", "1000,1000,1000"]);
    let history = history(&lab, 1);
    assert_eq!(history.finishing_stacks, Some(vec![Some(1540), Some(880), Some(580)]));
    check_told_truly(&lab, 1, 3);
    let output = deal(Some("p2 pb\n"), &["--hands", "1", "--seats", "4,6,2"]).1.ends(2);
    output.must_warn("p1 may post the bring-in of 50").must_warn("voided");
}

/// On fourth street p1 shows a pair of tens, and p3 raises by the big limit, which the text leaves open.
#[test]
fn a_reading_is_bound_in_the_open_entry_and_played_by() {
    let script = "p1 pb\np2 cbr 100\np3 cc\np1 cc\np1 cbr 100\np2 f\np3 cbr 300\np1 cc\n";
    let base = ["--hands", "1", "--seats", "4,6,2", "--stacks", "1000", "--reading"];
    let (_, output) = deal(Some(script), &[&base[..], &["open_pair_raise=opening_only"]].concat());
    assert!(output.code == 2 && output.warns("voided") && output.warns("p3"), "{output}");
    let readings = ["open_pair_raise=big_allowed", "--reading", "completion_counts=raise"];
    let lab = dealt(Some(script), &[&base[..], &readings].concat());
    let line = "rules stud-hi\nreadings completion_counts=raise,open_pair_raise=big_allowed\nseats 4,6,2\n";
    assert!(lab.text("out/public/entries.txt").contains(line));
    check_told_truly(&lab, 1, 3);
    let points = "completion_counts=raise, open_pair_raise=big_allowed";
    let output = lab.run(&["verify", "out/hand-1/full-reveal.json"]);
    let bound =
        format!("Read as its open entry has it: {points}; that this entry was there before the hand is not");
    assert!(
        output.code == 0 && output.prints(&bound) && output.prints("    - That rules, seats, "),
        "{output}"
    );
    // Who saved the opening before the first card has what it binds.
    let output = lab.run(&["verify", "--committed", "out/hand-1/open.txt", "out/hand-1/full-reveal.json"]);
    let bound = format!("Read as its open entry binds it: {points}.");
    assert!(
        output.code == 0 && output.prints(&bound) && !output.prints("    - That rules, seats, "),
        "{output}"
    );
    output.must_print("were fixed before the hand, if you had its open entry before your first card.");
    // Who goes on without them may have forgotten them.
    let more = ["deal", "--continue", "--table", "T-1", "--hands", "1", "--out", "out", "--play", "random"];
    let output = lab.run(&more);
    let change =
        "by stud-hi with completion_counts=raise, open_pair_raise=big_allowed; the hands that come are";
    assert!(output.code == 0 && output.warns(change), "{output}");
}

#[test]
fn a_reading_that_the_rules_do_not_leave_to_the_table_deals_no_hand() {
    for (readings, because) in [
        (&["max_raises=any"][..], "stud-hi does not leave this to the table"),
        (&["rake=none"], "stud-hi does not leave this to the table"),
        (&["odd_chip=nobody"], "has no value"),
        (&["luck=good"], "is no reading"),
        (&["odd_chip"], "wanted name=value"),
        (&["odd_chip=card_then_suit", "odd_chip=left_of_dealer"], "this reading was given before"),
    ] {
        let given: Vec<&str> = readings.iter().flat_map(|reading| ["--reading", reading]).collect();
        let (lab, output) = deal(None, &[&["--hands", "1"], &given[..]].concat());
        assert!(output.code == 2 && output.warns(because), "{readings:?}: {output}");
        assert!(!lab.exists("out"), "{readings:?}");
    }
}

#[test]
fn a_short_seventh_street_is_played_and_bound() {
    // Eight seats with three burns leave one card, and a pool of four is too few as well; seven seats
    // leave seven for seven and a burn, and a pool of ten.
    for (rules, seats, community) in [
        ("stud-hi", "1,2,3,4,5,6,7,8", true),
        ("stud-8b", "1,2,3,4,5,6,7,8", true),
        ("espacejeux", "1,2,3,4,5,6,7,8", true),
        ("espacejeux", "2,3,4,5,6,7,8", false),
    ] {
        let lab = dealt(Some(""), &["--hands", "1", "--rules", rules, "--seats", seats]);
        check_told_truly(&lab, 1, seats.split(',').count());
        let has_board = actions(&history(&lab, 1)).iter().any(|action| action.starts_with("d db"));
        assert_eq!(has_board, community, "{rules}");
    }
}

#[test]
fn hands_that_are_not_played_have_no_history_and_no_amounts() {
    let lab = dealt(None, &["--hands", "1"]);
    assert!(!lab.exists("out/hand-1/history.phh"));
    assert!(!lab.text("out/hand-1/close.txt").contains("history"));
    for more in [&["--small", "20"][..], &["--play-seed", "3"], &["--play", "random", "--small", "25"]] {
        let (lab, output) = deal(None, &[&["--hands", "1"], more].concat());
        assert!(output.code == 2 && !lab.exists("out"), "{more:?}: nothing is written: {output}");
    }
    let (lab, output) = deal(Some("fold 4 9\n"), &["--hands", "1"]);
    assert!(output.code == 2 && output.warns("line 1") && !lab.exists("out"), "{output}");
}
