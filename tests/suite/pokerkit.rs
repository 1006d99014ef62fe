//! Random games played by another program, PokerKit: what it plays is accepted and what it pays is paid, but
//! where a line of a rule text decides otherwise.
//!
//! The sample was written by `fixtures/pokerkit/compare.py`, which compares as many games as one asks for.

use std::collections::BTreeMap;

use deckproof::stud::history::phh;
use deckproof::stud::judge::{Ruling, judge};
use deckproof::stud::rules::RuleSet;

const SAMPLE: &str = include_str!("../../fixtures/pokerkit/sample.phhs");

#[test]
fn games_of_pokerkit_are_ruled_legal_or_differ_by_a_line_of_a_text() {
    let mut counts: BTreeMap<&str, u32> = BTreeMap::new();
    for (number, hand) in phh::parse_file(SAMPLE).expect("tables of hands") {
        let history = hand.unwrap_or_else(|error| panic!("hand {number}: {error}"));
        let rules = history.ruleset.as_deref().and_then(RuleSet::named).expect("a rule set");
        let ruled = judge(&history, rules, &[]).expect("amounts of a hand");
        let name = match (&ruled.run.refused, ruled.verdict) {
            (None, Ruling::Legal | Ruling::Depends) => {
                assert_eq!(Some(ruled.run.stacks), history.finishing_stacks, "hand {number}");
                "agrees"
            }
            (Some((_, broken)), Ruling::Illegal) => broken.rule.id(),
            other => panic!("hand {number}: {other:?}"),
        };
        *counts.entry(name).or_default() += 1;
    }
    let counts: Vec<(&str, u32)> = counts.into_iter().collect();
    assert_eq!(counts, COUNTED, "as compare.py counts them");
}

/// What `compare.py` counts in its first 150 games, by the rule that PokerKit's play breaks.
const COUNTED: [(&str, u32); 4] = [("agrees", 137), ("amount", 6), ("final_stacks", 2), ("short_all_in", 5)];
