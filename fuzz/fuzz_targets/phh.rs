//! Poker Hand History files, and the judgement of the hands in them.
#![no_main]

use libfuzzer_sys::fuzz_target;
use deckproof::stud::history::phh;
use deckproof::stud::judge::judge;
use deckproof::stud::rules::RuleSet;

fuzz_target!(|text: &str| {
    let Ok(hands) = phh::parse_file(text) else { return };
    for history in hands.iter().filter_map(|hand| hand.1.as_ref().ok()) {
        if let Some(rules) = RuleSet::of_variant(&history.variant) {
            let _ = judge(history, rules, &[]);
        }
    }
});
