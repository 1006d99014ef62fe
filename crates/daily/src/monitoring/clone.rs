//! The clone test: a table whose key state was copied, by a fork, a snapshot or a restored backup, deals the same decks
//! again; the log must refuse the second one.

use deckproof_deck::commitment::digest::Digest;
use deckproof_deck::key::{DayKey, KeyError};
use deckproof_table::table::{Table, TableName};
use deckproof_verify::log::refusal::Code;
use deckproof_verify::log::scan::{Scan, ScanRules};

/// The log of the test.
const ORIGIN: &str = "deckproof.example/clone-test";

/// Copies the key of a new table, commits to the first deck by both, and shows both to a log, which refuses the copy's.
///
/// # Errors
/// Why it did not.
pub fn check() -> Result<(), String> {
    let state = DayKey::fresh().map_err(|error| error.to_string())?.disclose();
    let entry = || -> Result<String, String> {
        let key: DayKey = state.parse().map_err(|error: KeyError| error.to_string())?;
        let name = TableName::new(ORIGIN, "T-1").map_err(|error| error.to_string())?;
        let table = Table::begin(name, key, 1).map_err(|error| error.to_string())?;
        Ok(table.commit().0.deck_entry().to_owned())
    };
    let (own, copy) = (entry()?, entry()?);
    if Digest::of(&own) != Digest::of(&copy) {
        return Err("two tables with one key committed to different decks".to_owned());
    }
    let rules = ScanRules { origin: ORIGIN.to_owned(), is_live: true, earlier: Vec::new() };
    let mut scan = Scan::frugal(rules);
    scan.entry(&own).map_err(|refusal| refusal.message)?;
    match scan.entry(&copy) {
        Err(refusal) if refusal.code == Code::LogDup => Ok(()),
        Err(refusal) => {
            Err(format!("the log refused the copy's deck for another reason: {}", refusal.message))
        }
        Ok(_) => Err("the log took the deck of a copied key state a second time".to_owned()),
    }
}
