//! Records of which every deck stands there equally often: an export that holds each row again, or a shuffler that dealt so.

use std::fmt;

use crate::certificate::look::Look;
use crate::certificate::{AuditResult, DuplicateRecord};
use deckproof_deck::text::could_not_say::CouldNotSay;
use deckproof_deck::text::decimal::thousands;

/// A join repeats a row at most as often as a hand has cards; and fewer hands than that are no table of hands.
const TIMES_MAX: u64 = 52;

/// Why equal decks convict nobody: each of them stands there equally often, and no id of a hand tells why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HeldAgain {
    /// Records that were read.
    records: u64,
    /// How often each deck stands there.
    times: u64,
    /// By how many records the second of each follows the first, if that is the same for all.
    apart: Option<u64>,
}

impl HeldAgain {
    /// What to do.
    const ADVICE: &str = "Export a column with the id of each hand, and name it: --id-column. Different ids with one deck are \
                              hands that were dealt it; rows with one id are one hand, which the export holds again: take the copies \
                              out.";

    /// Every copy of a deck is kept where one is, so that this holds of all decks where it holds of those that were kept.
    fn of(record: &DuplicateRecord) -> Option<HeldAgain> {
        let DuplicateRecord { kept, distinct, pairs, decks, .. } = *record;
        let times =
            kept.checked_div(distinct).filter(|times| (2..=TIMES_MAX.min(distinct)).contains(times))?;
        // A deck more often and another one less make more pairs.
        let is_each = times * distinct == kept && distinct * (times * (times - 1) / 2) == pairs;
        let apart = record.alike.as_ref().and_then(|alike| alike.apart);
        is_each.then_some(HeldAgain { records: decks, times, apart })
    }
}

impl fmt::Display for HeldAgain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let HeldAgain { records, times, apart } = *self;
        let times = if times == 2 { "twice".to_owned() } else { format!("{times} times") };
        // Of more than two records of a deck only the first two are known.
        let order = match apart.filter(|_| self.times == 2) {
            Some(1) => ", one after the other",
            Some(apart) if 2 * apart == records => ", the whole list behind itself",
            _ => "",
        };
        write!(
            f,
            "found each deck of {} records {times}{order}, wanted every hand once: either the export holds each row {times}, as by a \
             join or a file that was joined to itself, or the shuffler dealt each deck {times}, and nothing in these records shows which",
            thousands(records)
        )
    }
}

impl From<HeldAgain> for CouldNotSay {
    fn from(again: HeldAgain) -> CouldNotSay {
        CouldNotSay::new(again, HeldAgain::ADVICE)
    }
}

impl AuditResult {
    /// Whether equal decks may be one hand that an export holds twice; with ids such hands were refused before.
    pub fn may_hold_twice(&self) -> bool {
        let has_equal = self.looks().any(Look::has_equal);
        has_equal && self.source.abilities().is_supplied && self.source.shown("id_column").is_none()
    }

    /// That the decks of an export are there once, or are not all there equally often. What is a proof beside equal decks stays one.
    ///
    /// # Errors
    /// [`HeldAgain`].
    pub fn check_held_once(&self) -> Result<(), HeldAgain> {
        let mut again = self.looks().filter(|look| look.proofs_once().count() == 1);
        let again = again.find_map(|look| look.equal_record().and_then(HeldAgain::of));
        again.filter(|_| self.may_hold_twice()).map_or(Ok(()), Err)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use deckproof_stats::battery::duplicates::EQUAL;
    use deckproof_stats::battery::duplicates::sketch::Sketch;

    /// Decks by their numbers.
    fn held_again(decks: impl IntoIterator<Item = u64>) -> Option<HeldAgain> {
        let (mut sketch, mut records) = (Sketch::new(&EQUAL), 0);
        for deck in decks {
            sketch.push(u128::from(deck) << 64, records);
            records += 1;
        }
        HeldAgain::of(&DuplicateRecord::of_sketch(&sketch, deckproof_stats::battery::View::Deck, records))
    }

    fn said(decks: impl IntoIterator<Item = u64>) -> String {
        held_again(decks).map_or(String::new(), |again| again.to_string())
    }

    #[test]
    fn each_deck_equally_often_may_be_the_exports_and_any_other_repeat_is_none_of_it() {
        let list = 0..100u64;
        let in_a_row = |times: u64| (0..100 * times).map(move |record| record / times);
        assert!(said(in_a_row(2)).starts_with("found each deck of 200 records twice, one after the other, "));
        assert!(said(in_a_row(7)).starts_with("found each deck of 700 records 7 times, wanted "));
        let joined = list.clone().chain(list.clone());
        assert!(
            said(joined).starts_with("found each deck of 200 records twice, the whole list behind itself, ")
        );
        let turned = list.clone().chain(list.clone().rev());
        assert!(said(turned).starts_with("found each deck of 200 records twice, wanted "));
        // Fair decks; one that comes again; all but one twice; one three times for one that is there once.
        assert_eq!(said(list.clone()), "");
        assert_eq!(said(list.clone().chain([7])), "");
        assert_eq!(said(in_a_row(2).skip(1)), "");
        assert_eq!(said(in_a_row(2).skip(1).chain([7])), "");
        // Four and two of a pair have as many records as three and three, and more pairs.
        assert_eq!(said([0, 0, 0, 0, 1, 1, 2, 2, 2]), "");
        // A dealer of few decks: as many of each is what it deals.
        assert_eq!(said([7; 40]), "");
        assert_eq!(said((0..120).map(|record| record % 2)), "");
        assert_eq!(said((0..6_000).map(|record| record % 60)), "");
    }
}
