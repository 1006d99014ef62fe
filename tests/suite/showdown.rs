//! The end of a hand: mucked hands, voided hands, and the fields that say who got what.
//!
//! Dealt hands are hand 1 of the public test key, whose deck begins As 3d 7c 7h 5h Qc Tc Jh Qs Th 6h Ac Ad 9c
//! Kc 6s 8c 8d; what the seats hold was reckoned by hand.

use deckproof::commitment::digest::leaf_hash;
use deckproof::log::entry::Entry;
use deckproof::stud::betting::refusal::HandRule;
use deckproof::stud::betting::winners::Undecided;
use deckproof::stud::history::phh;
use deckproof::stud::judge::{RuledHand, Ruling, judge};
use deckproof::stud::rules::RuleSet;

use crate::common::dealt::bundle_all;
use crate::common::game::run_out_of_two;
use crate::common::lab::{KEY, Lab, Output};

/// Three seats, antes of 4, a bring-in of 10: 12 of antes, 10 of p3, 20 each of p1 and p2. Whoever holds aces
/// holds a pair, kings too; p1 and p2 check to the end, and `last` is what they do then.
fn at_the_end(first: &str, second: &str, last: &str, fields: &str) -> RuledHand {
    judged("[100, 100, 100]", &run_out_of_two(first, second), last, fields)
}

fn judged(stacks: &str, actions: &[String], last: &str, fields: &str) -> RuledHand {
    let last = last.split(", ").filter(|action| !action.is_empty()).map(str::to_owned);
    let actions: Vec<String> = actions.iter().cloned().chain(last).collect();
    let text = format!(
        "variant = 'F7S'\nantes = [4, 4, 4]\nbring_in = 10\nsmall_bet = 20\nbig_bet = 40\n\
         starting_stacks = {stacks}\nactions = {actions:?}\n{fields}"
    );
    let history = phh::parse(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    judge(&history, RuleSet::named("stud-8b").expect("a rule set"), &[]).expect("stakes")
}

const ACES: &str = "AhAdKdQd9h8h7s";
const KINGS: &str = "KhKsTcJc4h3d9s";
const HIDDEN: &str = "????TcJc4h3d??";

fn check(judgement: &RuledHand, verdict: Ruling, stacks: [u64; 3]) {
    let refused = judgement.run.refused.as_ref().map(|(_, refusal)| refusal.to_string());
    assert_eq!(judgement.verdict, verdict, "{refused:?} {:?} {:?}", judgement.run.undecided, judgement.notes);
    assert_eq!(judgement.run.stacks, stacks.map(Some));
}

#[test]
fn a_losing_hand_may_be_mucked_and_gives_up_the_pot() {
    let p1_wins = [138, 76, 86];
    check(&at_the_end(ACES, KINGS, "p1 sm -, p2 sm", ""), Ruling::Legal, p1_wins);
    // Whether a hand that nobody saw would have lost, nobody can say.
    check(&at_the_end(ACES, HIDDEN, "p1 sm -, p2 sm", ""), Ruling::Depends, p1_wins);
    // Once the other hand is gone, the last one has won and need not be seen.
    check(&at_the_end(HIDDEN_ACES, KINGS, "p2 sm, p1 sm", ""), Ruling::Depends, p1_wins);
    // By one reading who mucked cannot win, by the other the hidden cards decide: two more tens beat the aces.
    let output = at_the_end(ACES, HIDDEN, "p1 sm -, p2 sm", "finishing_stacks = [76, 138, 86]");
    assert_eq!(output.verdict, Ruling::Depends);
    let points = output.open_points.join(" ");
    assert!(points.contains("mucked_hand=gives_up refuses it (the end:"), "{points}");
    assert!(points.contains("mucked_hand=best_hand_wins leaves it open"), "{points}");
}

const HIDDEN_ACES: &str = "????KdQd9h8h??";

#[test]
fn a_mucked_hand_that_wins_by_its_cards_leaves_the_verdict_open() {
    let judgement = at_the_end(ACES, KINGS, "p2 sm -, p1 sm", "");
    check(&judgement, Ruling::Depends, [76, 138, 86]);
    assert!(
        judgement.open_points.iter().any(|point| point.contains("mucked_hand=gives_up accepts")),
        "{:?}",
        judgement.open_points
    );
    // Hiding the cards does not make it better.
    check(&at_the_end(HIDDEN_ACES, KINGS, "p2 sm -, p1 sm", ""), Ruling::Depends, [76, 138, 86]);
}

/// No text says that the best hand, thrown away and paid, was wrongly paid: by one reading it gives nothing up.
#[test]
fn a_mucked_hand_that_is_paid_leaves_the_verdict_open() {
    let points = |ruled: RuledHand| {
        assert_eq!(ruled.verdict, Ruling::Depends, "{:?}", ruled.run.refused);
        ruled.open_points.join(" ")
    };
    // 62 in the pot: to p2 who showed, or to p1 with the aces that were mucked.
    let paid = |finals: &str| at_the_end(ACES, KINGS, "p2 sm -, p1 sm", finals);
    let to_the_aces = points(paid("finishing_stacks = [138, 76, 86]"));
    assert!(to_the_aces.contains("mucked_hand=gives_up refuses it (the end:"), "{to_the_aces}");
    assert!(to_the_aces.contains("mucked_hand=best_hand_wins accepts the hand"), "{to_the_aces}");
    let to_the_kings = points(paid("finishing_stacks = [76, 138, 86]"));
    assert!(to_the_kings.contains("mucked_hand=gives_up accepts the hand"), "{to_the_kings}");
    assert!(to_the_kings.contains("mucked_hand=best_hand_wins refuses it (the end:"), "{to_the_kings}");
    points(paid("winnings = [62, 0, 0]"));
    points(paid("_pots = [{ high = [[1, 62]], players = [1, 2], amount = 62 }]"));
    assert_eq!(paid("finishing_stacks = [107, 107, 86]").verdict, Ruling::Illegal, "no reading splits it");
    // The mucked hand loses: no reading pays it.
    let losing = at_the_end(ACES, KINGS, "p1 sm -, p2 sm", "finishing_stacks = [76, 138, 86]");
    assert_eq!(losing.verdict, Ruling::Illegal);
    // Shown, thrown away and paid: nothing was given up.
    let back = "p1 sm -, p2 sm -, p1 sm";
    check(&at_the_end(ACES, KINGS, back, "finishing_stacks = [138, 76, 86]"), Ruling::Legal, [138, 76, 86]);
    let back = at_the_end(ACES, KINGS, back, "finishing_stacks = [76, 138, 86]");
    assert_eq!(back.verdict, Ruling::Illegal);
}

#[test]
fn a_hand_that_was_shown_does_not_muck_its_pot() {
    let taken_back = at_the_end(ACES, KINGS, "p1 sm -, p2 sm -, p1 sm", "");
    assert_eq!(taken_back.verdict, Ruling::Illegal);
    assert_eq!(taken_back.run.refused.map(|(_, broken)| broken.rule), Some(HandRule::MuckedWinner));
    check(&at_the_end(ACES, KINGS, "p1 sm -, p2 sm -, p2 sm", ""), Ruling::Legal, [138, 76, 86]);
}

/// p3 is all-in for the bring-in; p1 and p2 contest 20 beside the pot of 12 + 30, with these down cards.
fn beside_an_all_in(down: [&str; 2], last: [&str; 2]) -> Vec<String> {
    let doors = [format!("d dh p1 {}Kd", down[0]), format!("d dh p2 {}Tc", down[1])];
    let mut actions = doors.to_vec();
    actions.extend(["d dh p3 AcAs2c", "p3 pb", "p1 cbr 20", "p2 cc"].map(str::to_owned));
    for cards in [["Qd", "Jc", "3s"], ["9h", "4h", "5s"], ["8h", "3d", "7d"], [last[0], last[1], "6c"]] {
        let dealt = (1..).zip(cards).map(|(player, card)| format!("d dh p{player} {card}"));
        actions.extend(dealt);
        actions.extend(["p1 cc", "p2 cc"].map(str::to_owned));
    }
    actions
}

#[test]
fn a_side_pot_that_all_who_contest_it_muck_is_nobodys() {
    let actions = beside_an_all_in(["????"; 2], ["??"; 2]);
    let both = judged("[100, 100, 14]", &actions, "p3 sm -, p1 sm, p2 sm", "");
    assert_eq!(both.verdict, Ruling::Depends);
    assert_eq!(both.run.undecided, Some(Undecided::Unclaimed { amount: 20 }));
    let one = judged("[100, 100, 14]", &actions, "p3 sm -, p1 sm", "");
    assert_eq!(one.verdict, Ruling::Depends, "p2 neither showed nor mucked");
}

/// p1 has kings, p2 jacks, p3 aces: 42 go to p3.
#[test]
fn a_side_pot_goes_to_the_last_player_in_it_or_to_the_better_hand_that_was_mucked() {
    let mut actions = beside_an_all_in(["KhTd", "Jh6h"], ["2d", "2h"]);
    let output = |actions: &[String], last: &str, finals: &str| {
        judged("[100, 100, 14]", actions, last, &format!("finishing_stacks = {finals}"))
    };
    // Both muck the 20 that p3 has no part of. By one reading the kings have won them, by the other nobody has.
    for (finals, wanted) in [
        ("[96, 76, 42]", Ruling::Depends),
        ("[76, 96, 42]", Ruling::Illegal),
        ("[76, 76, 62]", Ruling::Illegal),
    ] {
        assert_eq!(output(&actions, "p3 sm -, p1 sm, p2 sm", finals).verdict, wanted, "{finals}");
    }
    // p1 folds at last: p2 is alone in the side pot, and need not show for it.
    let last = actions.len();
    (actions[last - 2], actions[last - 1]) = ("p1 f".to_owned(), "p2 cc".to_owned());
    check(&output(&actions, "p3 sm -, p2 sm", "[76, 96, 42]"), Ruling::Legal, [76, 96, 42]);
    assert_eq!(output(&actions, "p3 sm -, p2 sm", "[76, 97, 41]").verdict, Ruling::Illegal);
    // With hidden cards p2 still has no more than that by the reading that gives up the rest.
    for action in &mut actions {
        *action = action.replace("Jh6h", "????");
    }
    assert_eq!(output(&actions, "p3 sm -, p2 sm", "[76, 96, 42]").verdict, Ruling::Depends);
}

#[test]
fn the_pots_of_a_record_are_checked() {
    let fields = |pots: &str| at_the_end(ACES, KINGS, "p1 sm -, p2 sm -", &format!("_pots = {pots}"));
    let right = "[{ high = [[1, 62]], players = [1, 2], amount = 62 }]";
    assert_eq!(fields(right).verdict, Ruling::Legal);
    for wrong in [
        right.replace("62]]", "61]]"),
        right.replace("[[1", "[[2"),
        right.replace("[1, 2]", "[1]"),
        right.replace("high", "low"),
        right.replace("amount = 62", "amount = 63"),
        "[]".to_owned(),
        "62".to_owned(),
    ] {
        let judgement = fields(&wrong);
        let rule = judgement.run.refused.map(|(line, refusal)| (line, refusal.rule));
        assert_eq!((judgement.verdict, rule), (Ruling::Illegal, Some((None, HandRule::Fields))), "{wrong}");
    }
}

/// Deals with the test key by a script to seats 4, 6 and 2.
fn deal(lab: &Lab, script: &str, hands: &str) -> Output {
    lab.write("script", script);
    let output = lab.run(&[
        "deal", "--table", "T-1", "--out", "out", "--day-key", KEY, "--not-for-production", "--seats",
        "4,6,2", "--script", "script", "--hands", hands,
    ]);
    bundle_all(lab, "out");
    output
}

/// On this deck p1 ends with aces and tens, p3 with queens and eights; p2 folds.
const SCRIPT: &str = "p1 pb\np2 cc\np3 cc\np1 cc\np2 f\np3 cc\n";

#[test]
fn a_dealt_hand_hides_what_was_mucked() {
    let lab = Lab::new();
    deal(&lab, &format!("{SCRIPT}p3 sm\n"), "1").ends(0);
    let history = lab.text("out/hand-1/history.phh");
    assert!(history.contains("\"d dh p3 ????Qs\"") && history.contains("\"p3 sm\""), "{history}");
    assert!(history.contains("\"p1 sm As7hTcThAdKc8c\""), "{history}");
    assert!(
        history.contains("_pots = [{ amount = 210, players = [1, 3], uncontested = [[1, 210]] }]"),
        "{history}"
    );
    assert!(history.contains("_dealer = 2\n"), "{history}");
    let open = leaf_hash(&lab.text("out/hand-1/open.txt"));
    assert!(history.contains(&format!("_bundle = \"{open}\"\n")), "{history}");
    // The winner's bundle opens no down card of the hand that was thrown away.
    let bundle = lab.text("out/hand-1/seat-4.json");
    assert!(
        bundle.contains("\"As\"") && !bundle.contains("\"7c\"") && !bundle.contains("\"8d\""),
        "{bundle}"
    );
    for file in ["seat-4.json", "seat-2.json", "full-reveal.json"] {
        lab.run(&["verify", &format!("out/hand-1/{file}")]).ends(0);
    }
    // Whether the hidden hand lost, the record cannot show.
    lab.run(&["replay", "out/hand-1/history.phh"]).ends(2);
}

#[test]
fn a_script_that_the_rules_refuse_leaves_a_voided_hand_and_no_dangling_log() {
    for (script, words) in [
        (format!("{SCRIPT}p1 sm\n"), "p1 mucks a hand that wins 210"),
        ("p1 pb\np3 cc\n".to_owned(), "players act in turn"),
    ] {
        let lab = Lab::new();
        deal(&lab, &script, "2").ends(2).must_warn(words).must_warn("voided in public/entries.txt");
        let deck = lab.text("out/hand-1/deck.txt");
        let Ok(Entry::Void(void)) = Entry::parse(&lab.text("out/hand-1/void.txt")) else {
            panic!("a void entry")
        };
        assert_eq!((void.deck, &void.reason[..]), (leaf_hash(&deck), "action-refused"));
        let Ok(Entry::Open(open)) = Entry::parse(&lab.text("out/hand-1/open.txt")) else {
            panic!("an open entry")
        };
        assert_eq!(open.deck, leaf_hash(&deck));
        assert!(!lab.exists("out/hand-1/close.txt") && !lab.exists("out/hand-1/history.phh"));
        let bundle = "out/hand-1/full-reveal.json";
        lab.run(&["verify", bundle]).ends(0).must_print("void");
        let spoilt = lab.text(bundle).replace("void\\ndeck ", "void\\ndeck 0");
        lab.write(bundle, spoilt.replacen("0\\nreason", "\\nreason", 1));
        assert_eq!(lab.run(&["verify", bundle]).code, 1, "another deck voided");
        // The table goes on with the next hand.
        lab.run(&["deal", "--table", "T-1", "--out", "out", "--continue", "--hands", "1"]).ends(0);
        bundle_all(&lab, "out");
        assert!(lab.exists("out/hand-2/close.txt") && !lab.exists("out/hand-1/close.txt"));
    }
}
