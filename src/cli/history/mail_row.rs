//! A row of a record as an old mail has it, compared with the record; a slip of who typed it convicts nobody.

use deckproof_daily::monitoring::integrity::RecordFault;
use deckproof_daily::monitoring::store::Store;
use deckproof_deck::text::could_not_say::CouldNotSay;

/// A row, and the beginning of its hash.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct TypedRow {
    row: usize,
    digits: String,
}

/// Fewer digits of a hash would fit by chance.
const DIGITS_MIN: usize = 12;

/// Hashes of two texts are as near to each other as this with a probability of about 1 in 10⁸; digits that were typed from a
/// page often are.
const SLIPS_MAX: usize = 3;

impl TypedRow {
    /// Reads a row and the beginning of its hash, such as `12:e3b0c44298fc`.
    pub(super) fn parse(text: &str) -> Result<TypedRow, &'static str> {
        let wanted = "wanted a row and at least 12 digits of its hash, such as 12:e3b0c44298fc";
        let (row, digits) = text.split_once(':').ok_or(wanted)?;
        let row = row.parse::<usize>().ok().filter(|&row| row > 0).ok_or(wanted)?;
        let is_hash = digits.len() >= DIGITS_MIN && digits.bytes().all(|digit| digit.is_ascii_hexdigit());
        is_hash.then(|| TypedRow { row, digits: digits.to_ascii_lowercase() }).ok_or(wanted)
    }

    /// That the record has it, once [`check`](TypedRow::check) found so.
    pub(super) fn words(&self) -> String {
        format!("Row {} is as you kept it: {}.\n", self.row, self.digits)
    }

    /// Compares it with the record.
    ///
    /// # Errors
    /// [`RecordFault::Unread`] where a slip of the hand explains the difference, else [`RecordFault::Changed`].
    pub(super) fn check(&self, store: &Store) -> Result<(), RecordFault> {
        let Self { row, digits } = self;
        let found = store.row_sha256(*row);
        if found.as_ref().is_some_and(|found| found.starts_with(digits)) {
            return Ok(());
        }
        let is_of = |other: &usize| store.row_sha256(*other).is_some_and(|hash| hash.starts_with(digits));
        if let Some(other) = (1..=store.lines()).find(is_of) {
            return Err(slip(format!(
                "--kept {row}:{digits}: these are the digits of row {other}, not of row {row}"
            )));
        }
        if let Some(found) = found.as_ref().filter(|found| is_near(found, digits)) {
            let found = &found[..digits.len()];
            return Err(slip(format!(
                "--kept {row}:{digits}: row {row} has {found}, which is nearly what was typed; no row has exactly that value"
            )));
        }
        let has = match found {
            Some(found) => format!("row {row} has the hash {found}"),
            None => format!("the record ends at row {}", store.lines()),
        };
        Err(RecordFault::Changed(format!(
            "{has}, and {digits} was typed as that of row {row}, a value that no row has. Either the record was changed after somebody kept \
             that value, or the value is of another record, such as that of another shuffler. Nobody signed what was typed: compare it with \
             the mail or the list that has it"
        )))
    }
}

fn slip(found: String) -> RecordFault {
    RecordFault::Unread(CouldNotSay::new(
        found,
        "This says nothing against the record. Type the row and its digits as the mail or the report has them.",
    ))
}

/// Whether a few wrong, missing or exchanged digits explain the difference.
fn is_near(hash: &str, digits: &str) -> bool {
    strsim::levenshtein(&hash[..digits.len().min(hash.len())], digits) <= SLIPS_MAX
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_few_slips_are_near_and_another_hash_is_not() {
        let hash = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
        for typed in ["e3b0c44298fd", "e3b0c44289fc", "e3b044298fc1", "e3b0cc44298f", "a3b0c44298ff"] {
            assert!(is_near(hash, typed), "{typed}");
        }
        // SHA-256 of "a" and of "b" (coreutils sha256sum).
        for typed in ["ca978112ca1b", "3e23e8160039"] {
            assert!(!is_near(hash, typed), "{typed}");
        }
    }

    #[test]
    fn what_is_no_row_and_hash_is_refused() {
        for text in ["0:e3b0c44298fc", "1:e3b0c44298f", "1", "x:e3b0c44298fc", "1:e3b0c44298fg"] {
            assert!(TypedRow::parse(text).is_err(), "{text}");
        }
    }
}
