//! Records without a deck, such as hands that were cancelled: how many of them are passed over.

use std::fmt;
use std::str::FromStr;

use crate::source::settings::SourceSetting;
use deckproof_deck::text::decimal::{counted, thousands};

/// What becomes of records without a deck.
pub(super) const EMPTY_DECK: SourceSetting = SourceSetting::new(
    "empty_deck",
    "skip",
    "Records whose deck is empty or NULL, such as hands that were cancelled: skip passes over and counts them, up to 1 % of \
     all; skip:5% up to 5 % [default: the first one ends the run, exit 2]",
);

/// Up to which part of all records those without a deck are passed over.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct EmptyDecks {
    /// In hundredths of all.
    percent_max: u64,
}

impl EmptyDecks {
    /// What is wrong where so many have none beside so many decks.
    pub(super) fn fault(self, empty: u64, decks: u64) -> Option<String> {
        let is_too_many = empty.saturating_mul(100) > self.percent_max.saturating_mul(empty + decks);
        is_too_many.then(|| format!("{}, wanted no more than --empty-deck {self} says", words(empty, decks)))
    }
}

/// That so many have none beside so many decks.
pub(super) fn words(empty: u64, decks: u64) -> String {
    let share = 100.0 * empty as f64 / (empty + decks).max(1) as f64;
    let all = counted(empty + decks, "record", "records");
    format!("{} of {all} have no deck (empty or NULL), {share:.2} %", thousands(empty))
}

impl FromStr for EmptyDecks {
    type Err = String;

    fn from_str(text: &str) -> Result<EmptyDecks, String> {
        let percent = match text {
            "skip" => Some(1),
            _ => text.strip_prefix("skip:").and_then(|share| share.strip_suffix('%')?.parse().ok()),
        };
        let wrong = || "wanted skip, or skip:5% for up to 5 % (1 to 99)".to_owned();
        let percent_max = percent.filter(|percent| (1..100).contains(percent)).ok_or_else(wrong)?;
        Ok(EmptyDecks { percent_max })
    }
}

impl fmt::Display for EmptyDecks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "skip:{}%", self.percent_max)
    }
}
