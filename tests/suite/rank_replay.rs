//! A player's walk: hands named, recorded hands replayed and judged, exit codes.

use serde_json::{Value, json};

use crate::common::game::{STOPS_EARLY, replayed};
use crate::common::lab::{deckproof_with as deckproof, json_lines};

const LEGAL: &str = "variant = 'F7S/8'
antes = [4, 4]
bring_in = 10
small_bet = 20
big_bet = 40
starting_stacks = [100, 100]
actions = ['d dh p1 AcAdKc', 'd dh p2 4h5h2c', 'p2 pb', 'p1 cbr 20', 'p2 f']
";

#[test]
fn hands_are_named_on_the_command_line_and_from_standard_input() {
    let output = deckproof(&["rank", "As Ks 9h 9d 4c 3c 2s", "Ah2h3h4h5hKdKs"], "");
    let lines = "As Ks 9h 9d 4c 3c 2s: pair of nines, ace, king and four kickers; no low\n\
                 Ah2h3h4h5hKdKs: straight flush, five high; low 5-4-3-2-A\n";
    assert_eq!((output.code, output.out.as_str()), (0, lines));
    let output = deckproof(&["rank"], "As Ks 9h 9d 4c 3c 2s\n\nAh,2h,3h,4h,5h,Kd,Ks\n");
    assert_eq!((output.code, output.out.lines().count()), (0, 2));
    assert_eq!(deckproof(&["rank", "-"], "As Ks 9h 9d 4c 3c 2s\n").out.lines().count(), 1);
}

#[test]
fn json_gives_one_object_a_hand() {
    let output = deckproof(&["rank", "--json", "As Ad Ks Kd 9h 3c 2s", "8s 6d 4h 3c 2s"], "");
    let lines = json_lines(&output);
    assert_eq!(lines[0]["high"]["category"], "two_pair");
    assert_eq!(lines[0]["high"]["name"], "two pair, aces and kings, nine kicker");
    assert_eq!(lines[0]["low"], Value::Null);
    // The weakest hand is 1: 7-5-4-3-2; 8-6-4-3-2 is above the four hands of seven high and 8-5-4-3-2.
    assert_eq!(lines[1]["high"], json!({ "category": "high_card", "strength": 6, "name": "8-6-4-3-2 high" }));
    assert_eq!(lines[1]["low"]["name"], "8-6-4-3-2");
    assert_eq!(lines[1]["low"]["category"], "eight_low");
}

#[test]
fn bad_hands_are_named_with_their_place() {
    let check = |arguments: &[&str], stdin: &str, words: &[&str]| {
        let output = deckproof(arguments, stdin);
        assert_eq!(output.code, 2, "{arguments:?}");
        for word in words {
            output.must_warn(word);
        }
    };
    check(&["rank", "As Ks 9h 9d"], "", &["hand 1", "found 4 cards"]);
    check(&["rank", "As Ks 9h 9d 4c 3c 2s 2h"], "", &["hand 1", "found 8 cards"]);
    check(&["rank", "As Ks Qs Js Ts", "As Ks 9h 9d As"], "", &["hand 2", "card 5", "second time"]);
    check(&["rank", "As Ks 9h 9d 1c"], "", &["hand 1", "card 5", "is no card"]);
    check(&["rank", "-"], "As Ks Qs Js Ts\nAs Ks\n", &["line 2", "found 2 cards"]);
}

#[test]
fn a_legal_hand_is_told_street_by_street() {
    let output = replayed(LEGAL, &[]);
    assert_eq!((output.code, output.err.as_str()), (0, ""));
    for line in [
        "Third street, pot 8.",
        "  p2   [4h 5h] 2c\n",
        "p2 acts first: 2c is the card that brings it in.",
        "p2 brings it in for 10.",
        "p1 completes to 20.",
        "p2 folds.",
        "10 that nobody called go back to p1.",
        "Main pot of 28 for p1:",
        "Smallest chip: 1; the record names none.",
        "Stacks: 114, 86.",
        "Legal by stud-8b.",
    ] {
        output.must_print(line);
    }
    let json = &json_lines(&replayed(LEGAL, &["--json"]))[0];
    assert_eq!(json["verdict"], "legal");
    assert_eq!(json["stacks"], json!([114, 86]));
    assert_eq!(json["pots"][0]["amount"], 28);
    assert_eq!(json["refusal"], Value::Null);
    assert_eq!(json["readings"]["odd_chip"]["accept"], json!(["card_then_suit", "left_of_dealer"]));
}

#[test]
fn an_illegal_hand_exits_with_one_and_names_action_rule_and_choice() {
    let text = LEGAL.replace("p1 cbr 20", "p1 cbr 30");
    let output = replayed(&text, &["--json"]);
    let json = &json_lines(&output)[0];
    assert_eq!((output.code, &json["verdict"]), (1, &json!("illegal")));
    assert_eq!(json["refusal"]["action"], 4);
    assert_eq!(json["refusal"]["rule"], "amount");
    assert_eq!(json["refusal"]["allowed"], "p1 may fold, call 10, complete to 20");
    replayed(&text, &[]).must_print("Action 4 (\"p1 cbr 30\")");
}

#[test]
fn a_verdict_that_hangs_on_a_reading_exits_with_two_and_says_which() {
    let raises = "'p1 cbr 20', 'p2 cbr 40', 'p1 cbr 60', 'p2 cbr 80'";
    let text = LEGAL.replace("'p1 cbr 20'", raises).replace("'p2 f'", "'p1 f'").replace("F7S/8", "F7S");
    let text = format!("{text}_ruleset = 'stud-hi'\n");
    let output = replayed(&text, &["--json"]);
    let json = &json_lines(&output)[0];
    assert_eq!((output.code, &json["verdict"]), (2, &json!("depends")));
    assert_eq!(json["readings"]["completion_counts"]["accept"], json!(["bet"]));
    assert_eq!(json["readings"]["completion_counts"]["refuse"], json!(["raise"]));
    replayed(&text, &["--reading", "completion_counts=bet"]).ends(0);
    replayed(&text, &["--reading", "completion_counts=raise"]).ends(1);
    replayed(&text, &["--rules", "stud-8b"]).ends(0);
    let output = replayed(&text, &[]);
    output.must_print("completion_counts=bet accepts the hand, ");
    output.must_print("completion_counts=raise refuses it (action 7:");
}

/// A pass would say that the whole hand was played by the rules, of which the record shows a part.
#[test]
fn a_record_that_stops_early_exits_with_two() {
    let begin = LEGAL.find("actions = [").expect("the actions");
    let end = begin + LEGAL[begin..].find(']').expect("their end");
    let all: Vec<&str> = LEGAL[begin + "actions = [".len()..end].split(", ").collect();
    for kept in 0..all.len() {
        let text = format!("{}actions = [{}{}", &LEGAL[..begin], all[..kept].join(", "), &LEGAL[end..]);
        let output = replayed(&text, &["--json"]).ends(2);
        let json = &json_lines(&output)[0];
        assert_eq!((&json["verdict"], &json["complete"]), (&json!("depends"), &json!(false)), "{text}");
        assert_eq!(json["open_points"], json!([STOPS_EARLY]), "{text}");
        replayed(&text, &[]).ends(2).must_print(STOPS_EARLY);
    }
    replayed(LEGAL, &[]).ends(0);
}

#[test]
fn a_file_of_hands_gives_one_line_each() {
    let broken = LEGAL.replace("'p2 f'", "'p2 x'");
    let text = format!("[1]\n{LEGAL}\n[2]\n{broken}\n[3]\n{LEGAL}");
    let output = replayed(&text, &["--json"]);
    let verdicts: Vec<Value> = json_lines(&output).iter().map(|line| line["verdict"].clone()).collect();
    assert_eq!((output.code, verdicts), (2, vec![json!("legal"), Value::Null, json!("legal")]));
    assert!(json_lines(&output)[1]["error"].as_str().is_some_and(|error| error.contains("action 5")));
}

#[test]
fn what_cannot_be_read_exits_with_two() {
    deckproof(&["replay", "no-such-hand.phh"], "").ends(2);
    deckproof(&["replay", "-"], LEGAL).ends(0);
    deckproof(&["replay", "-"], "this is no hand").ends(2);
    deckproof(&["replay", "-", "--rules", "holdem"], LEGAL).ends(2);
    deckproof(&["replay", "-", "--reading", "odd_chip=mine"], LEGAL).ends(2);
}
