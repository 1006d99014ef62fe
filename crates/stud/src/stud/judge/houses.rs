//! A record that names no house: judged by what all rule texts of its variant share.

use crate::stud::history::History;
use crate::stud::judge::{House, JudgeError, RuledHand, Ruling, judge_by};
use crate::stud::readings::Reading;
use crate::stud::rules::RuleSet;

/// What one text says of a hand whose record names none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HouseRuling {
    /// The name of the rule set.
    pub rules: &'static str,
    /// Its answer.
    pub verdict: Ruling,
}

/// Judges a hand whose record names no rule text, and whose reader names none either: legal or illegal is what
/// all texts of its variant say, everything else depends on the house. A text that fixes another value of a
/// reading than the judge's user does is left out.
///
/// # Errors
/// [`JudgeError`] of the first text, where none can judge.
pub fn judge_unnamed(history: &History, fixed: &[(Reading, String)]) -> Result<RuledHand, JudgeError> {
    let (mut ruled, mut failed) = (Vec::new(), Vec::new());
    for rules in RuleSet::all_of_variant(&history.variant) {
        match judge_by(history, rules, House::Supposed, fixed) {
            Ok(hand) => ruled.push((rules.name, hand)),
            Err(error) => failed.push((rules.name, error)),
        }
    }
    match (ruled.is_empty(), failed.first()) {
        (true, Some((_, error))) => Err(error.clone()),
        (true, None) => Err(JudgeError::Variant { variant: history.variant.clone() }),
        (false, _) => Ok(joined(ruled, &failed)),
    }
}

/// One answer of several.
fn joined(ruled: Vec<(&'static str, RuledHand)>, failed: &[(&'static str, JudgeError)]) -> RuledHand {
    let houses: Vec<HouseRuling> =
        ruled.iter().map(|(rules, hand)| HouseRuling { rules, verdict: hand.verdict }).collect();
    let first = houses[0].verdict;
    let is_one = houses.iter().all(|house| house.verdict == first);
    let verdict = if is_one { first } else { Ruling::Depends };
    let points = match (verdict, &ruled[..]) {
        (Ruling::Depends, [(_, only)]) => only.open_points.clone(),
        (Ruling::Depends, several) => several.iter().map(|(rules, hand)| point(rules, hand)).collect(),
        _ => Vec::new(),
    };
    let left_out = failed.iter().map(|(rules, error)| format!("The text of {rules} was left out: {error}."));
    let place = |wanted: Ruling| houses.iter().position(|house| house.verdict == wanted);
    let shown = place(Ruling::Legal).or(place(Ruling::Depends)).unwrap_or(0);
    let mut hand = ruled.into_iter().nth(shown).expect("a place of this list").1;
    (hand.verdict, hand.open_points) = (verdict, points);
    hand.notes.insert(0, "The record names no house; --rules names one.".to_owned());
    hand.notes.extend(left_out);
    hand.houses = houses;
    hand
}

/// What one of several texts says, in a sentence.
fn point(rules: &str, hand: &RuledHand) -> String {
    match (hand.verdict, &hand.run.refused) {
        (Ruling::Legal, _) => format!("By the text of {rules} the hand is legal."),
        (Ruling::Illegal, Some((line, broken))) => {
            let place = line.as_ref().map_or("the end".to_owned(), |line| format!("action {}", line.number));
            format!("By the text of {rules} the hand is illegal ({place}: {broken}).")
        }
        (Ruling::Illegal, None) => format!("By the text of {rules} the hand is illegal."),
        (Ruling::Depends, _) => format!("By the text of {rules} it depends. {}", hand.open_points.join(" ")),
    }
}
