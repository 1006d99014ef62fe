//! How many lines of a log `--deck-regex` passed over, as the public record says it.

use serde::{Deserialize, Serialize};

use crate::source::record::{RecordError, SourceRecord};
use deckproof_deck::text::decimal::thousands;

/// The fields of a record, in the order of [`LinesRead`].
pub(super) const RECORD_FIELDS: [&str; 3] = ["lines", "lines_passed_over", "lines_with_cards"];

/// The lines of a log that are not empty.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LinesRead {
    /// All of them.
    pub all: u64,
    /// Those that the pattern does not match.
    pub passed_over: u64,
    /// Those of them in which a card was recognised.
    pub with_cards: u64,
}

impl LinesRead {
    /// Those of several files.
    pub(super) fn and(self, other: LinesRead) -> LinesRead {
        LinesRead {
            all: self.all + other.all,
            passed_over: self.passed_over + other.passed_over,
            with_cards: self.with_cards + other.with_cards,
        }
    }

    /// What a record says of them; nothing where none was passed over.
    ///
    /// # Errors
    /// [`RecordError`]: numbers that no log has.
    pub(super) fn checked(record: &SourceRecord) -> Result<Option<LinesRead>, RecordError> {
        let [all, passed_over, with_cards] = RECORD_FIELDS.map(|name| record.number_if_any(name));
        match (all?, passed_over?, with_cards?) {
            (None, None, None) => Ok(None),
            (Some(all), Some(passed_over), Some(with_cards))
                if passed_over >= 1 && passed_over < all && with_cards <= passed_over =>
            {
                Ok(Some(LinesRead { all, passed_over, with_cards }))
            }
            _ => Err(record.wrong(
                RECORD_FIELDS[1],
                "numbers that no log has",
                "fewer lines passed over than there are, and fewer with cards than these",
            )),
        }
    }

    /// The same, where the record is known to be one.
    pub fn of(record: &SourceRecord) -> Option<LinesRead> {
        LinesRead::checked(record).ok().flatten()
    }

    /// Adds them to a record, where any was passed over.
    pub(super) fn add_to(self, record: SourceRecord) -> SourceRecord {
        let values = [self.all, self.passed_over, self.with_cards];
        let fields = RECORD_FIELDS.into_iter().zip(values).filter(|_| self.passed_over > 0);
        fields.fold(record, |record, (name, value)| record.with(name, value))
    }

    /// In words, where any was passed over.
    pub fn words(self) -> Option<String> {
        let LinesRead { all, passed_over, with_cards } = self;
        (passed_over > 0).then(|| {
            format!(
                "{} of {} lines were passed over, {} with a card that this program knows",
                thousands(passed_over),
                thousands(all),
                thousands(with_cards)
            )
        })
    }

    /// What is not known of them, for the reader of a verdict.
    pub fn left_open(self) -> Option<String> {
        let words = self.words()?;
        Some(format!("{words}: a deck there in another form is not seen"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_says_the_lines_as_they_were_or_is_refused() {
        let lines = LinesRead { all: 2_400, passed_over: 1_200, with_cards: 0 };
        let record = lines.add_to(SourceRecord::new("recorded"));
        assert_eq!(LinesRead::of(&record), Some(lines));
        let words = "1,200 of 2,400 lines were passed over, 0 with a card that this program knows";
        assert_eq!(lines.words().as_deref(), Some(words));
        let none = LinesRead { all: 7, passed_over: 0, with_cards: 0 };
        assert_eq!((none.words(), none.add_to(SourceRecord::new("recorded")).names().count()), (None, 0));
        for values in [[7, 7, 0], [7, 0, 0], [7, 3, 4]] {
            let fields = RECORD_FIELDS.into_iter().zip(values);
            let record =
                fields.fold(SourceRecord::new("recorded"), |own, (name, value)| own.with(name, value));
            assert!(LinesRead::checked(&record).is_err(), "{values:?}");
        }
        assert!(LinesRead::checked(&SourceRecord::new("recorded").with("lines", 7)).is_err());
    }
}
