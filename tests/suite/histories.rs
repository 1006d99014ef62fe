//! Poker Hand History files: what is read, what is refused, what comes back.

use std::fs;

use deckproof::stud::betting::refusal::HandRule;
use deckproof::stud::history::phh::{self, PhhError};
use deckproof::stud::judge::{RuledHand, Ruling, judge};
use deckproof::stud::rules::RuleSet;

use crate::common::game::{STOPS_EARLY, three_seats};

/// A hand of three that ends on third street, with fields replaced or added.
fn text(changes: &[(&str, &str)]) -> String {
    let actions =
        "['d dh p1 ????Kc', 'd dh p2 ????2c', 'd dh p3 ??????', 'p2 pb', 'p3 f', 'p1 cbr 20', 'p2 f']";
    three_seats(&[("variant", "'F7S/8'"), ("bring_in", "10"), ("actions", actions)], changes)
}

fn judged(changes: &[(&str, &str)]) -> RuledHand {
    let history = phh::parse(&text(changes)).unwrap_or_else(|error| panic!("{error}"));
    let rules = RuleSet::of_variant(&history.variant).expect("a variant that is played");
    judge(&history, rules, &[]).expect("stakes")
}

fn check_error(changes: &[(&str, &str)], words: &str) {
    let error = phh::parse(&text(changes)).expect_err(words).to_string();
    assert!(error.contains(words), "{error}");
}

#[test]
fn a_hand_folded_to_the_completion_returns_what_nobody_called() {
    let judgement = judged(&[]);
    assert_eq!(judgement.verdict, Ruling::Legal);
    // Antes of 12 and the bring-in of 10 twice go to p1, who paid 4 and 10 of them.
    assert_eq!(judgement.run.stacks, [Some(118), Some(86), Some(96)]);
    assert_eq!(judged(&[("finishing_stacks", "[118, 86, 96]")]).verdict, Ruling::Legal);
    assert_eq!(judged(&[("finishing_stacks", "[117, 87, 96]")]).verdict, Ruling::Illegal);
    assert_eq!(judged(&[("winnings", "[32, 0, 0]")]).verdict, Ruling::Legal);
    assert_eq!(judged(&[("winnings", "[31, 1, 0]")]).verdict, Ruling::Illegal);
    // Chips that are missing may be a rake, of which no text speaks.
    let raked = judged(&[("finishing_stacks", "[115, 86, 96]")]);
    assert_eq!((raked.verdict, raked.run.rake), (Ruling::Depends, 3));
    assert!(raked.open_points[0].contains("rake=taken accepts the hand"), "{:?}", raked.open_points);
    assert_eq!(judged(&[("winnings", "[30, 0, 0]")]).run.rake, 2);
}

#[test]
fn amounts_with_decimals_are_whole_numbers_of_the_smallest_unit() {
    let judgement = judged(&[
        ("antes", "[0.04, 0.04, 0.04]"),
        ("bring_in", "0.1"),
        ("small_bet", "0.2"),
        ("big_bet", "0.40"),
        ("starting_stacks", "[1, 1.00, inf]"),
        (
            "actions",
            "['d dh p1 ????Kc', 'd dh p2 ????2c', 'd dh p3 ??????', 'p2 pb', 'p3 f', 'p1 cbr .20', 'p2 f']",
        ),
    ]);
    assert_eq!(judgement.run.stacks, [Some(118), Some(86), None]);
}

#[test]
fn antes_are_reversed_between_two_players_and_trimmed_where_the_record_says_so() {
    let two = "['d dh p1 ????Kc', 'd dh p2 ????2c', 'p2 pb', 'p1 f']";
    let changes = [("antes", "[3, 4]"), ("starting_stacks", "[50, 3]"), ("actions", two)];
    let history = phh::parse(&text(&changes)).expect("a hand");
    // Heads-up the second ante is the first player's; the second one is all-in for 3.
    assert_eq!([0, 1].map(|player| history.ante(player)), [4, 3]);
    let broken =
        judged(&[("antes", "[3, 4]"), ("starting_stacks", "[50, 50]"), ("actions", two)]).run.refused;
    assert_eq!(broken.map(|(_, broken)| broken.rule), Some(HandRule::Antes));
    // p3 has 1 of the ante of 4 and aces at the end: 3 chips trimmed, 12 or 9 contested untrimmed.
    let short = "['d dh p1 9cKdKc', 'd dh p2 QdQc2c', 'd dh p3 AhAdAc', 'p2 pb', 'p1 cc', \
        'd dh p1 3d', 'd dh p2 4d', 'd dh p3 5d', 'p1 cc', 'p2 cc', \
        'd dh p1 3h', 'd dh p2 4h', 'd dh p3 5h', 'p1 cc', 'p2 cc', \
        'd dh p1 8s', 'd dh p2 9s', 'd dh p3 Ts', 'p1 cc', 'p2 cc', \
        'd dh p1 8h', 'd dh p2 9h', 'd dh p3 Th', 'p1 cc', 'p2 cc']";
    let stacks = |trimmed: &str| {
        let changes =
            [("starting_stacks", "[50, 50, 1]"), ("ante_trimming_status", trimmed), ("actions", short)];
        let judgement = judged(&changes);
        assert!(judgement.run.refused.is_none(), "{:?}", judgement.run.refused);
        judgement.run.stacks
    };
    assert_eq!(stacks("true"), [Some(62), Some(36), Some(3)]);
    // Text 2 gives an all-in player no more than what was matched, whatever the record says.
    assert_eq!(stacks("false"), [Some(62), Some(36), Some(3)]);
}

#[test]
fn a_record_that_ends_early_is_judged_as_far_as_it_goes() {
    let early = "['d dh p1 ????Kc', 'd dh p2 ????2c', 'd dh p3 ??????', 'p2 pb', '# a pause', '']";
    let judgement = judged(&[("actions", early)]);
    assert_eq!((judgement.verdict, judgement.run.game.is_over()), (Ruling::Depends, false));
    assert_eq!(judgement.open_points, [STOPS_EARLY]);
    assert_eq!(judgement.run.stacks, [Some(96), Some(86), Some(96)]);
    let with = |finals: &str| judged(&[("actions", early), ("finishing_stacks", finals)]);
    assert_eq!(with("[96, 86, 96]").open_points, [STOPS_EARLY]);
    assert_eq!(with("[96, 86, 95]").verdict, Ruling::Illegal);
    // Stacks that hold all chips again are those of a hand that is over, which the record does not show.
    let output = with("[118, 86, 96]");
    assert_eq!(output.verdict, Ruling::Depends);
    assert_eq!(output.open_points, ["The pots cannot be given out: the record ends before the hand does."]);
    // A reading that changes the chips does not explain it: p3 has 1 of the ante of 4.
    let short = [("variant", "'F7S'"), ("actions", early), ("starting_stacks", "[100, 100, 1]")];
    assert_eq!(judged(&short).open_points, [STOPS_EARLY]);
    // One that ends the hand does: with p1 out of time and without money in the pot, p2 is left alone.
    let time = [
        ("actions", "['d dh p1 ????Kc', 'd dh p2 ????2c', 'd dh p3 ??????', 'p2 pb', 'p3 f']"),
        ("_timeouts", "[{ before = 6, player = 1, seconds = 31 }]"),
    ];
    let points = judged(&time).open_points;
    let leaves_open = "=true leaves it open (the record ends before the hand does)";
    assert!(points.iter().any(|point| point.contains(leaves_open)), "{points:?}");
    assert!(!points.contains(&STOPS_EARLY.to_owned()), "{points:?}");
}

/// Two players to the end with p1's down cards unknown, then the showdown given.
fn showdown(last: &str) -> RuledHand {
    let actions = format!(
        "['d dh p1 ????Kc', 'd dh p2 QdQc2c', 'd dh p3 ????3c', 'p2 pb', 'p3 f', 'p1 cc', \
         'd dh p1 3d', 'd dh p2 4d', 'p1 cc', 'p2 cc', 'd dh p1 3h', 'd dh p2 4h', 'p2 cc', 'p1 cc', \
         'd dh p1 8s', 'd dh p2 9s', 'p2 cc', 'p1 cc', 'd dh p1 ??', 'd dh p2 9h', 'p2 cc', 'p1 cc'{last}]"
    );
    judged(&[("variant", "'F7S'"), ("actions", &actions)])
}

#[test]
fn hands_nobody_saw_decide_nothing() {
    let unseen = showdown("");
    assert_eq!(unseen.verdict, Ruling::Depends);
    assert!(unseen.run.undecided.is_some());
    // 32 in the pot: antes of 12 and twice 10.
    let mucked = [Some(86), Some(118), Some(96)];
    let shown = [Some(118), Some(86), Some(96)];
    assert_eq!(showdown(", 'p1 sm'").run.stacks, mucked);
    assert_eq!(showdown(", 'p2 sm -', 'p1 sm'").run.stacks, mucked);
    assert_eq!(showdown(", 'p1 sm'").verdict, Ruling::Depends, "nobody saw what was thrown away");
    assert_eq!(showdown(", 'p2 sm -'").verdict, Ruling::Depends);
    assert_eq!(showdown(", 'p2 sm -', 'p1 sm KdKhKc3d3h8s7h'").run.stacks, shown);
    // The order of the record does not matter, the cards do.
    assert_eq!(showdown(", 'p2 sm -', 'p1 sm Kc3d3h8s7hKdKh'").run.stacks, shown);
    assert_eq!(showdown(", 'p2 sm -', 'p1 sm KdKhKc3d3h8c7h'").verdict, Ruling::Illegal);
    assert_eq!(showdown(", 'p2 sm -', 'p1 sm QdKhKc3d3h8s7h'").verdict, Ruling::Illegal);
    assert_eq!(showdown(", 'p2 sm -', 'p1 sm KdKhKc3d3h????'").run.stacks, shown);
}

#[test]
fn what_is_no_hand_of_stud_is_refused_with_its_place() {
    check_error(&[("variant", "'NT'")], "variant NT");
    check_error(&[("variant", "")], "variant is missing");
    check_error(&[("actions", "")], "actions is missing");
    check_error(&[("small_bet", "")], "small_bet is missing");
    check_error(&[("small_bet", "-20")], "small_bet holds -20");
    check_error(&[("small_bet", "'20'")], "small_bet holds");
    check_error(&[("antes", "[4, 4]")], "2 antes for 3 stacks");
    check_error(&[("starting_stacks", "[100, 0, 100]")], "an amount of 0");
    check_error(&[("actions", "['d dh p1 ????Kc', 'p4 f']")], "action 2: found the player \"p4\"");
    check_error(&[("actions", "['d dh p1 ????Kx']")], "action 1: found the cards");
    check_error(&[("_timeouts", "[{ before = 9, player = 1 }]")], "_timeouts");
    check_error(&[("blinds_or_straddles", "[5, 10, 0]")], "stud has a bring-in");
    check_error(&[("_timeouts", "[{ before = 1, player = 1, second = 31 }]")], "_timeouts");
    check_error(&[("_timeouts", "[{ before = 1, player = 1, seconds = '31' }]")], "_timeouts");
    check_error(&[("_bring_in", "15")], "_bring_in holds 15");
    check_error(&[("_readings", "{ odd_chip = 'mine' }")], "odd_chip has no value");
    assert!(matches!(phh::parse_file("variant = "), Err(PhhError::Toml(_))));
    assert!(matches!(phh::parse_file(""), Err(PhhError::Empty)));
}

#[test]
fn a_bring_in_the_text_fixes_need_not_stand_in_the_record() {
    let hi = [("variant", "'F7S'"), ("bring_in", "")];
    assert_eq!(phh::parse(&text(&hi)).expect("half of 20").stakes.bring_in, 10);
    check_error(&[("bring_in", "")], "bring_in is missing");
    check_error(&[("variant", "'F7S'"), ("bring_in", ""), ("small_bet", "3")], "half of the small limit 3");
}

#[test]
fn files_of_several_hands_keep_their_order_and_their_other_fields() {
    let hand = text(&[("_table", "'t1'"), ("players", "['Ada', '', 'Blaise']")]);
    let file: String = (1..=12).rev().map(|number| format!("[{number}]\n{hand}\n")).collect();
    let hands = phh::parse_file(&file).expect("twelve tables");
    let names: Vec<&str> = hands.iter().map(|(name, _)| &name[..]).collect();
    assert_eq!(names, ["12", "11", "10", "9", "8", "7", "6", "5", "4", "3", "2", "1"]);
    let hands: Vec<_> = hands.into_iter().map(|(_, hand)| hand.expect("a hand")).collect();
    assert_eq!(hands[0].player_name(2), "p3 (Blaise)");
    let again = phh::parse_file(&phh::write_all(&hands)).expect("what was written");
    assert!(again.into_iter().zip(&hands).all(|((_, read), written)| read.as_ref() == Ok(written)));
}

/// Real hands, where a folder of them is named: they may not be copied into this package.
#[test]
fn real_hands_replay_to_their_final_stacks() {
    let Some(folder) = std::env::var_os("DECKPROOF_REAL_HANDS") else {
        println!("DECKPROOF_REAL_HANDS names no folder, so no real hand was replayed");
        return;
    };
    let mut replayed = 0;
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.extension().is_none_or(|extension| extension != "phh") {
            continue;
        }
        let history = phh::parse(&fs::read_to_string(&path).expect("a text")).expect("a hand");
        let rules = RuleSet::of_variant(&history.variant).expect("a variant that is played");
        let judgement = judge(&history, rules, &[]).expect("stakes");
        // The reader names this text; the record names none. Text 1 fixes the bring-in at half the small limit; the tournament had a quarter.
        let broken = judgement.run.refused.as_ref().map(|(line, broken)| (line.is_none(), broken.rule));
        match history.variant.as_str() {
            "F7S" => assert_eq!(broken, Some((true, HandRule::BringInAmount)), "{}", path.display()),
            _ => assert_eq!(broken, None, "{}", path.display()),
        }
        assert_eq!(Some(judgement.run.stacks), history.finishing_stacks, "{}", path.display());
        replayed += 1;
    }
    assert!(replayed > 0, "the folder holds .phh files");
    println!("{replayed} real hands replayed");
}
