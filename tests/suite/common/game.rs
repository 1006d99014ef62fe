//! Small hands at one table, and what a rule set says of them.

use deckproof::stud::history::History;
use deckproof::stud::history::phh;
use deckproof::stud::judge::{RuledHand, Ruling, judge};
use deckproof::stud::readings::{self};
use deckproof::stud::rules::RuleSet;

use super::lab::{Output, deckproof_with};

/// A hand of limits 20 and 40, ante 4, bring-in 10; actions separated by commas.
pub fn hand(stacks: &[u64], actions: &str) -> History {
    hand_with(stacks, actions, "")
}

pub fn hand_with(stacks: &[u64], actions: &str, fields: &str) -> History {
    let antes = vec![4; stacks.len()];
    let actions: Vec<&str> = actions.split(',').map(str::trim).filter(|text| !text.is_empty()).collect();
    let text = format!(
        "variant = 'F7S'\nantes = {antes:?}\nbring_in = 10\nsmall_bet = 20\nbig_bet = 40\n\
         starting_stacks = {stacks:?}\nactions = {actions:?}\n{fields}"
    );
    phh::parse(&text).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

pub fn rules(name: &str) -> &'static RuleSet {
    RuleSet::named(name).expect("a rule set")
}

pub fn judged(history: &History, name: &str, fixed: &[&str]) -> RuledHand {
    let fixed: Vec<_> = fixed.iter().map(|text| readings::parse(text).expect("a reading")).collect();
    judge(history, rules(name), &fixed).expect("readings the text leaves open")
}

/// The one open point of a record that stops early, where everything that was played is legal.
pub const STOPS_EARLY: &str = "The record ends before the hand does, and gives no pot to anybody.";

/// The ruling on what was played, of a hand that need not come to its end.
pub fn so_far(ruled: &RuledHand) -> Ruling {
    if ruled.open_points == [STOPS_EARLY] { Ruling::Legal } else { ruled.verdict }
}

pub fn check_stacks(name: &str, stacks: &[u64], actions: &str, fixed: &[&str], wanted: &[u64]) -> RuledHand {
    let judgement = judged(&hand(stacks, actions), name, fixed);
    let refused = judgement.run.refused.as_ref().map(|(_, refusal)| refusal.to_string());
    let wanted: Vec<Option<u64>> = wanted.iter().copied().map(Some).collect();
    assert_eq!(judgement.run.stacks, wanted, "{actions}: {refused:?}, {:?}", judgement.run.undecided);
    judgement
}

/// p1 and p2, who check to the end once p3 has brought it in and folded to the completion.
pub fn run_out_of_two(first: &str, second: &str) -> Vec<String> {
    let mut actions = vec![format!("d dh p1 {}", &first[..6]), format!("d dh p2 {}", &second[..6])];
    actions.extend(["d dh p3 ????2c", "p3 pb", "p1 cbr 20", "p2 cc", "p3 f"].map(str::to_owned));
    for place in 3..7 {
        actions.push(format!("d dh p1 {}", &first[2 * place..2 * place + 2]));
        actions.push(format!("d dh p2 {}", &second[2 * place..2 * place + 2]));
        actions.extend(["p1 cc", "p2 cc"].map(str::to_owned));
    }
    actions
}

/// Two players with 61 chips between them: antes of 12, a bring-in of 9 that folds, 20 each.
pub fn two_at_the_end(first: &str, second: &str, variant: &str, fields: &str) -> History {
    let actions = run_out_of_two(first, second);
    let text = format!(
        "variant = '{variant}'\nantes = [4, 4, 4]\nbring_in = 9\nsmall_bet = 20\nbig_bet = 40\n\
         starting_stacks = [100, 100, 100]\nactions = {actions:?}\n{fields}"
    );
    phh::parse(&text).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// The record of a hand of three seats of 100 and limits of 20 and 40: `fields`, then `changes` of all of them,
/// of which one with an empty value is left out.
pub fn three_seats(fields: &[(&str, &str)], changes: &[(&str, &str)]) -> String {
    let stakes = [
        ("ante_trimming_status", "false"),
        ("antes", "[4, 4, 4]"),
        ("small_bet", "20"),
        ("big_bet", "40"),
        ("starting_stacks", "[100, 100, 100]"),
    ];
    let all =
        fields.iter().chain(&stakes).filter(|(name, _)| !changes.iter().any(|(other, _)| other == name));
    let all = all.chain(changes).filter(|(_, value)| !value.is_empty());
    all.map(|(name, value)| format!("{name} = {value}\n")).collect()
}

/// What `deckproof replay` says of a record.
pub fn replayed(text: &str, arguments: &[&str]) -> Output {
    deckproof_with(&[&["replay", "-"], arguments].concat(), text)
}

pub fn chips(judgement: &RuledHand) -> Vec<u64> {
    assert!(judgement.run.undecided.is_none(), "{:?} {:?}", judgement.run.undecided, judgement.run.refused);
    judgement.run.stacks.iter().map(|stack| stack.expect("known chips")).collect()
}
