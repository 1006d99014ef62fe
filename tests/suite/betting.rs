//! The betting of a hand, one small hand a rule: what is refused, what is allowed.

use crate::common::game::{hand, hand_with, judged, so_far, two_at_the_end};
use deckproof::stud::betting::refusal::HandRule;
use deckproof::stud::history::phh;
use deckproof::stud::judge::{RuledHand, Ruling};

/// The last action of the hand breaks the rule, and the refusal says that this was allowed.
fn check_refused(name: &str, stacks: &[u64], actions: &str, rule: HandRule, allowed: &str) {
    let history = hand(stacks, actions);
    let judgement = judged(&history, name, &[]);
    assert_eq!(judgement.verdict, Ruling::Illegal, "{actions}");
    let (line, refusal) = judgement.run.refused.expect("a refusal");
    let last = history.lines.last().expect("an action").number;
    assert_eq!(line.map(|line| line.number), Some(last), "{actions}: {refusal}");
    assert_eq!((refusal.rule, refusal.allowed.as_str()), (rule, allowed), "{actions}");
}

/// What was played is ruled so; most of these hands do not come to their end.
fn check_verdict(name: &str, stacks: &[u64], actions: &str, fixed: &[&str], verdict: Ruling) -> RuledHand {
    let judgement = judged(&hand(stacks, actions), name, fixed);
    let refused = judgement.run.refused.as_ref().map(|(_, refusal)| refusal.to_string());
    assert_eq!(so_far(&judgement), verdict, "{actions}: {refused:?} {:?}", judgement.open_points);
    judgement
}

const RICH: [u64; 3] = [1000, 1000, 1000];

/// p2 shows the lowest card.
const THREE: &str = "d dh p1 ????Kc, d dh p2 ????2c, d dh p3 ????2d";

#[test]
fn the_lowest_card_brings_it_in_clubs_before_diamonds() {
    let both = "p2 may post the bring-in of 10, complete to 20";
    check_refused("stud-hi", &RICH, &format!("{THREE}, p3 pb"), HandRule::Turn, both);
    check_refused("stud-hi", &RICH, &format!("{THREE}, p2 cc"), HandRule::BringInDue, both);
    check_refused("stud-hi", &RICH, &format!("{THREE}, p2 f"), HandRule::BringInDue, both);
    check_refused("stud-hi", &RICH, &format!("{THREE}, p2 cbr 40"), HandRule::Amount, both);
    check_verdict("stud-hi", &RICH, &format!("{THREE}, p2 pb, p3 cc"), &[], Ruling::Legal);
    check_verdict("stud-hi", &RICH, &format!("{THREE}, p2 cbr 20, p3 cbr 40"), &[], Ruling::Legal);
}

#[test]
fn a_bring_in_of_the_whole_small_limit_is_a_bet() {
    let full = hand_with(&RICH, &format!("{THREE}, p2 cbr 20, p3 cbr 40, p1 cbr 60"), "_bring_in = 20");
    assert_eq!(so_far(&judged(&full, "espacejeux", &[])), Ruling::Legal);
    let posted = phh::write(&hand(&RICH, &format!("{THREE}, p2 pb, p3 cbr 20")));
    let posted = phh::parse(&posted.replace("bring_in = 10", "bring_in = 20")).expect("a hand");
    let (_, refusal) = judged(&posted, "espacejeux", &[]).run.refused.expect("20 is only a call");
    assert_eq!((refusal.rule, &refusal.allowed[..]), (HandRule::Amount, "p3 may fold, call 20, raise to 40"));
}

#[test]
fn nobody_acts_out_of_turn() {
    let allowed = "p3 may fold, call 10, complete to 20";
    check_refused("stud-8b", &RICH, &format!("{THREE}, p2 pb, p1 f"), HandRule::Turn, allowed);
    check_refused("stud-8b", &RICH, &format!("{THREE}, p2 pb, p2 cc"), HandRule::Turn, allowed);
    check_refused("stud-8b", &RICH, &format!("{THREE}, p2 pb, p3 pb"), HandRule::NoBringIn, allowed);
    let after = "p1 may fold, call 20, raise to 40";
    check_refused(
        "stud-8b",
        &RICH,
        &format!("{THREE}, p2 pb, p3 cbr 20, p1 cbr 30"),
        HandRule::Amount,
        after,
    );
}

#[test]
fn a_bring_in_that_is_only_called_gets_no_option() {
    let called = format!("{THREE}, p2 pb, p3 cc, p1 cc");
    let next = "on street 4, one card to p1";
    check_refused("stud-hi", &RICH, &format!("{called}, p2 cbr 20"), HandRule::DealFirst, next);
    check_refused("stud-hi", &RICH, &format!("{called}, p2 cc"), HandRule::DealFirst, next);
    // Text 3 says in which order cards are dealt, the others do not.
    check_verdict("stud-hi", &RICH, &format!("{called}, d dh p2 3c"), &[], Ruling::Depends);
    let clockwise = ["deal_order=clockwise"];
    check_verdict("stud-hi", &RICH, &format!("{called}, d dh p2 3c"), &clockwise, Ruling::Illegal);
    check_refused("stud-hi", &RICH, &format!("{called}, d dh p1 3c4c"), HandRule::DealCount, next);
    check_refused("stud-hi", &RICH, &format!("{called}, d dh p1 2c"), HandRule::RepeatedCard, next);
    check_refused("stud-hi", &RICH, &format!("{called}, d db 3c"), HandRule::Shortage, next);
}

#[test]
fn a_round_has_one_bet_and_three_raises() {
    let capped = format!("{THREE}, p2 pb, p3 cbr 20, p1 cbr 40, p2 cbr 60, p3 cbr 80");
    check_refused("stud-8b", &RICH, &format!("{capped}, p1 cbr 100"), HandRule::Cap, "p1 may fold, call 40");
    check_verdict("stud-8b", &RICH, &capped, &[], Ruling::Legal);
    // Text 1 calls the completion a raise; other texts call it the bet.
    let judgement = check_verdict("stud-hi", &RICH, &capped, &[], Ruling::Depends);
    let told: Vec<(&str, bool)> =
        judgement.trials[..2].iter().map(|trial| (trial.value, trial.accepts)).collect();
    assert_eq!(told, [("bet", true), ("raise", false)]);
    check_verdict("stud-hi", &RICH, &capped, &["completion_counts=raise"], Ruling::Illegal);
    check_verdict("stud-hi", &RICH, &capped, &["completion_counts=bet"], Ruling::Legal);
}

#[test]
fn heads_up_is_capped_unless_the_reading_lifts_it() {
    let two = "d dh p1 ????Kc, d dh p2 ????2c, p2 cbr 20, p1 cbr 40, p2 cbr 60, p1 cbr 80, p2 cbr 100";
    let stacks = [1000, 1000];
    // Texts 1 and 2 cap every round, text 3 says nothing.
    check_verdict("stud-8b", &stacks, two, &[], Ruling::Illegal);
    check_verdict("espacejeux", &stacks, two, &[], Ruling::Depends);
    check_verdict("espacejeux", &stacks, two, &["heads_up_uncapped=true"], Ruling::Legal);
    check_verdict("espacejeux", &stacks, two, &["max_raises=3", "heads_up_uncapped=false"], Ruling::Illegal);
}

/// p2, with the lowest card, has no more than the ante; p1 is the lowest of those with chips, p3 is on its left.
#[test]
fn no_text_says_who_brings_it_in_when_the_lowest_card_is_all_in() {
    let doors = "d dh p1 ????3d, d dh p2 ????2c, d dh p3 ????Kd";
    let stacks = [1000, 4, 1000];
    let readings = ["left_brings_in", "left_may_fold", "next_lowest_brings_in"];
    for (then, accepted) in [
        ("p3 pb, p1 cc", [true, true, false]),
        ("p3 f", [false, true, false]),
        ("p1 pb, p3 cc", [false, false, true]),
        ("p1 cbr 20, p3 cc", [false, false, true]),
        ("p1 f", [false, false, false]),
        ("p1 cc", [false, false, false]),
        ("p3 cc", [false, false, false]),
    ] {
        // The small limit, which espacejeux brings it in for, leaves nothing to complete.
        for rules in ["stud-hi", "stud-8b", "espacejeux"] {
            let mut history = hand(&stacks, &format!("{doors}, {then}"));
            if rules == "espacejeux" {
                history.stakes.bring_in = 20;
            }
            let by_default = so_far(&judged(&history, rules, &[]));
            let open = if accepted.contains(&true) { Ruling::Depends } else { Ruling::Illegal };
            assert_eq!(by_default, open, "{rules}: {then}");
            for (value, accepted) in readings.into_iter().zip(accepted) {
                let by_reading = so_far(&judged(&history, rules, &[&format!("low_all_in={value}")]));
                let wanted = if accepted { Ruling::Legal } else { Ruling::Illegal };
                assert_eq!(by_reading, wanted, "{rules}: {then} by {value}");
            }
        }
    }
    // Where the next lowest card is the left neighbour, who brings it in does so by every reading.
    let same = "d dh p1 ????Kd, d dh p2 ????2c, d dh p3 ????3d, p3 pb";
    check_verdict("stud-hi", &stacks, same, &[], Ruling::Legal);
    // A hidden door may be the next lowest, or not.
    let hidden = "d dh p1 ????4d, d dh p2 ????2c, d dh p3 ??????, p1 pb";
    check_verdict("stud-hi", &stacks, hidden, &["low_all_in=next_lowest_brings_in"], Ruling::Depends);
    // Nobody has chips: nobody brings it in.
    let nobody = "d dh p1 ????3d, d dh p2 ????2c, d dh p3 ????Kd, d dh p1 4h";
    check_verdict("stud-hi", &[4; 3], nobody, &["low_all_in=next_lowest_brings_in"], Ruling::Legal);
}

/// Fourth street with a pair of kings for p1, who acts first.
const PAIRED: &str = "d dh p1 ????Kc, d dh p2 ????2c, d dh p3 ????2d, p2 pb, p3 cc, p1 cc, \
                      d dh p1 Kd, d dh p2 Ac, d dh p3 Qs";

#[test]
fn an_open_pair_lets_everybody_open_at_the_big_limit_in_text_1_only() {
    let sizes = "p1 may fold, check, bet to 20, bet to 40";
    check_refused("stud-hi", &RICH, &format!("{PAIRED}, p1 cbr 30"), HandRule::Amount, sizes);
    check_verdict("stud-hi", &RICH, &format!("{PAIRED}, p1 cbr 40, p2 cc"), &[], Ruling::Legal);
    check_verdict("stud-hi", &RICH, &format!("{PAIRED}, p1 cc, p2 cbr 40"), &[], Ruling::Legal);
    let small_only = "p1 may fold, check, bet to 20";
    check_refused("stud-8b", &RICH, &format!("{PAIRED}, p1 cbr 40"), HandRule::Amount, small_only);
    let raised = format!("{PAIRED}, p1 cbr 40, p2 cbr 80");
    check_verdict("stud-hi", &RICH, &raised, &[], Ruling::Depends);
    check_verdict("stud-hi", &RICH, &raised, &["open_pair_raise=opening_only"], Ruling::Illegal);
    let by_small = format!("{PAIRED}, p1 cbr 40, p2 cbr 60");
    check_verdict("stud-hi", &RICH, &by_small, &["open_pair_raise=opening_only"], Ruling::Legal);
    check_verdict("stud-hi", &RICH, &by_small, &["open_pair_raise=big_allowed"], Ruling::Illegal);
}

#[test]
fn equal_boards_act_from_the_left_of_the_dealer() {
    let tied = "d dh p1 ????Kc, d dh p2 ????2c, d dh p3 ????Kd, p2 pb, p3 cc, p1 cc, \
                d dh p1 Ac, d dh p2 4c, d dh p3 As";
    check_verdict("stud-hi", &RICH, &format!("{tied}, p1 cc"), &[], Ruling::Legal);
    check_verdict("stud-hi", &RICH, &format!("{tied}, p3 cc"), &[], Ruling::Illegal);
    check_verdict("stud-8b", &RICH, &format!("{tied}, p3 cc"), &[], Ruling::Depends);
    check_verdict("stud-8b", &RICH, &format!("{tied}, p3 cc"), &["tie_first=high_card_suit"], Ruling::Legal);
    check_verdict(
        "stud-8b",
        &RICH,
        &format!("{tied}, p1 cc"),
        &["tie_first=high_card_suit"],
        Ruling::Illegal,
    );
}

#[test]
fn a_short_all_in_does_not_reopen_the_betting() {
    // p1 has 4 + 25: all-in for 25, which is 5 more than the completion.
    let raised = format!("{THREE}, p2 pb, p3 cbr 20, p1 cbr 25, p2 cc");
    check_refused(
        "stud-8b",
        &[29, 1000, 1000],
        &format!("{raised}, p3 cbr 45"),
        HandRule::ShortAllIn,
        "p3 may fold, call 5",
    );
    check_verdict("stud-8b", &[29, 1000, 1000], &format!("{raised}, p3 cc"), &[], Ruling::Legal);
}

#[test]
fn nobody_raises_against_players_who_are_all_in() {
    let covered = "d dh p1 ????Kc, d dh p2 ????2c, p2 pb";
    check_refused(
        "stud-8b",
        &[1000, 14],
        &format!("{covered}, p1 cbr 20"),
        HandRule::NobodyLeft,
        "p1 may fold, call 10",
    );
    check_refused(
        "stud-8b",
        &[9, 1000],
        &format!("{covered}, p1 cbr 20"),
        HandRule::Covered,
        "p1 may fold, call 5",
    );
}

#[test]
fn time_out_with_money_in_the_pot_is_all_in_by_text_2() {
    let actions = format!("{THREE}, p2 pb, p3 cbr 20, p2 cc");
    let with = |entry: &str| hand_with(&RICH, &actions, &format!("_timeouts = [{{ before = 6, {entry} }}]"));
    let run = |fixed: &[&str]| judged(&with("player = 1"), "stud-8b", fixed).run;
    let all_in = run(&[]);
    assert!(all_in.game.players()[0].timed_out && all_in.game.players()[0].is_live());
    // The antes of 12 for all three, the 40 of the others for the others alone.
    let pots: Vec<(u64, Vec<usize>)> =
        all_in.game.pots().into_iter().map(|pot| (pot.amount, pot.eligible)).collect();
    assert_eq!(pots, [(12, vec![0, 1, 2]), (40, vec![1, 2])]);
    assert!(run(&["timeout_money_includes_ante=false"]).game.players()[0].folded);
    let rule = |entry: &str, name: &str| {
        let judgement = judged(&with(entry), name, &[]);
        judgement.run.refused.map(|(_, refusal)| refusal.rule)
    };
    assert_eq!(rule("player = 1, seconds = 29", "stud-8b"), Some(HandRule::TooEarly));
    assert_eq!(rule("player = 1, seconds = 30", "stud-8b"), None);
    assert_eq!(rule("player = 1, seconds = 49, reconnected = true", "stud-8b"), Some(HandRule::TooEarly));
    assert_eq!(rule("player = 1, seconds = 50, reconnected = true", "stud-8b"), None);
    assert_eq!(rule("player = 2", "stud-8b"), Some(HandRule::Turn));
    assert_eq!(rule("player = 1, seconds = 29.75", "stud-8b"), Some(HandRule::TooEarly));
    assert_eq!(rule("player = 1, seconds = 30.25", "stud-8b"), None);
    // That the clock ran out is the record's word, which only the judge's user can take for true.
    assert_eq!(judged(&with("player = 1"), "stud-8b", &[]).verdict, Ruling::Depends);
    assert_eq!(judged(&with("player = 1"), "stud-8b", &["time_outs=ignored"]).verdict, Ruling::Illegal);
    let silent = judged(&with("player = 1"), "stud-hi", &["time_outs=believed"]);
    assert_eq!(silent.verdict, Ruling::Depends);
    assert!(
        silent.open_points[0].contains("does not say what becomes of a player"),
        "{:?}",
        silent.open_points
    );
}

/// A hand of `players` unknown cards in which everybody calls and checks through sixth street, except
/// that the last `folding` players fold on the street given.
fn through_sixth(players: usize, folding: usize, fold_street: usize) -> String {
    let mut actions = Vec::new();
    for street in 3..7 {
        let live = if street > fold_street { players - folding } else { players };
        let cards = if street == 3 { "??????" } else { "??" };
        actions.extend((1..=live).map(|player| format!("d dh p{player} {cards}")));
        for player in 1..=live {
            let folds = street == fold_street && player > players - folding;
            let deed = if folds { "f" } else { "cc" };
            let deed = if street == 3 && player == 1 { "pb" } else { deed };
            actions.push(format!("p{player} {deed}"));
        }
    }
    actions.join(", ")
}

fn check_seventh(name: &str, before: &str, fixed: &[&str], players: usize, served: &str, refused: &str) {
    let stacks = vec![1000; players];
    for (next, verdict) in [(served, Ruling::Legal), (refused, Ruling::Illegal)] {
        let mut history = hand(&stacks, &format!("{before}, {next}"));
        history.stakes.bring_in = if name == "espacejeux" { 20 } else { 10 };
        let judgement = judged(&history, name, fixed);
        assert_eq!(judgement.run.refused.is_none(), verdict == Ruling::Legal, "{name} {next} {judgement:?}");
        if let Some((_, refusal)) = judgement.run.refused {
            assert_eq!(refusal.rule, HandRule::Shortage);
        }
    }
}

#[test]
fn a_short_seventh_street_is_served_as_the_text_says() {
    let (one_each, community) = ("d dh p1 ??", "d db ??");
    let fixed = ["shortage_when=stub_below_live"];
    // Eight players to the end: 48 cards are dealt, 4 are left.
    let eight = through_sixth(8, 0, 0);
    check_seventh("stud-hi", &eight, &fixed, 8, community, one_each);
    check_seventh("stud-8b", &eight, &[], 8, community, one_each);
    check_seventh("espacejeux", &eight, &[], 8, community, one_each);
    // One of eight folds on third street: 45 are dealt, 7 are left, or 4 and 3 burns.
    let seven = through_sixth(8, 1, 3);
    check_seventh("stud-hi", &seven, &fixed, 8, one_each, community);
    check_seventh("espacejeux", &seven, &[], 8, one_each, community);
    // One folds on sixth street: 4 left for seven, or 1 and 3 burns.
    let late = through_sixth(8, 1, 6);
    check_seventh("stud-hi", &late, &fixed, 8, community, one_each);
    let uncovered = hand(&[1000; 8], &format!("{late}, {community}"));
    assert_eq!(judged(&uncovered, "stud-hi", &[]).verdict, Ruling::Depends);
    assert_eq!(judged(&uncovered, "stud-hi", &["shortage_when=all_eight_live"]).verdict, Ruling::Illegal);
}

#[test]
fn by_text_3_the_last_bettor_shows_first() {
    let hand = |last: &str, name: &str| {
        let mut history = two_at_the_end("AhAdKdQdQhJhJs", "7c5c4h3d2d8sKs", "F7S", "");
        let cut = history.lines.len() - 2;
        history.lines.truncate(cut);
        let text = phh::write(&history).replace("]\n_", ", @]\n_");
        let actions: Vec<String> = last.split(", ").map(|action| format!("\"{action}\"")).collect();
        let text = text.replacen("\"]\n", &format!("\", {}]\n", actions.join(", ")), 1);
        let text = match name {
            "espacejeux" => text.replace("bring_in = 9", "bring_in = 20").replace("p1 cbr 20", "p1 cbr 40"),
            _ => text.replace("bring_in = 9", "bring_in = 10"),
        };
        phh::parse(&text).unwrap_or_else(|error| panic!("{error}\n{text}"))
    };
    let verdict = |last: &str, name: &str| judged(&hand(last, name), name, &[]).verdict;
    // The order is right; but p1 throws away the aces that win, and no text says what becomes of the pot.
    assert_eq!(verdict("p1 cc, p2 cbr 40, p1 cc, p2 sm -, p1 sm", "espacejeux"), Ruling::Depends);
    assert_eq!(verdict("p1 cc, p2 cc, p1 sm -, p2 sm", "espacejeux"), Ruling::Legal);
    assert_eq!(verdict("p1 cc, p2 cc, p2 sm -, p1 sm -", "espacejeux"), Ruling::Illegal);
    assert_eq!(verdict("p1 cc, p2 cc, p2 sm -, p1 sm -", "stud-hi"), Ruling::Legal);
    let (_, refusal) = judged(&hand("p1 cc, p2 cbr 40, p1 cc, p1 sm -", "espacejeux"), "espacejeux", &[])
        .run
        .refused
        .expect("p1 shows too early");
    assert_eq!((refusal.rule, &refusal.allowed[..]), (HandRule::ShowdownOrder, "p2 shows or mucks first"));
}

/// A cap that the text does not have is not the fault of a hand that breaks a rule of the text later.
#[test]
fn an_illegal_hand_is_named_by_a_fault_that_no_open_reading_explains() {
    // Actions 5 to 8 are four raises, 9 and 10 end the round; then p1 shows the best board, and p2 acts.
    let four = "p2 cbr 20, p3 cbr 40, p1 cbr 60, p2 cbr 80, p3 cbr 100, p1 cc, p2 cc";
    let later = hand_with(
        &RICH,
        &format!("{THREE}, {four}, d dh p1 Ac, d dh p2 5c, d dh p3 6d, p2 cc"),
        "_bring_in = 20",
    );
    let ruled = judged(&later, "espacejeux", &[]);
    assert_eq!(ruled.verdict, Ruling::Illegal);
    let named = ruled.run.refused.map(|(line, broken)| (line.map(|line| line.number), broken.rule));
    assert_eq!(named, Some((Some(14), HandRule::Turn)));
    let earlier = "By max_raises=3, which the text of espacejeux leaves open, action 8 is refused already \
                   (raises of a round are capped).";
    assert!(ruled.notes.contains(&earlier.to_owned()), "{:?}", ruled.notes);
    // Where the text has the cap, or the judge's user says so, the cap is the fault.
    for (rules, fixed) in [("stud-8b", &[][..]), ("espacejeux", &["max_raises=3", "heads_up_uncapped=false"])]
    {
        let ruled = judged(&later, rules, fixed);
        let (line, broken) = ruled.run.refused.expect("a fourth raise");
        assert_eq!((line.map(|line| line.number), broken.rule), (Some(8), HandRule::Cap), "{rules}");
        assert!(!ruled.notes.iter().any(|note| note.contains("refused already")), "{:?}", ruled.notes);
    }
    // A time-out too early stays the fault, though who does not believe it is refused only later.
    let early = hand_with(
        &RICH,
        &format!("{THREE}, p2 pb, p3 cbr 20, p2 cc"),
        "_timeouts = [{ before = 6, player = 1, seconds = 29 }]",
    );
    let broken = judged(&early, "stud-8b", &[]).run.refused.map(|(_, broken)| broken.rule);
    assert_eq!(broken, Some(HandRule::TooEarly));
}
