//! The state of a table between two hands: the one secret that must outlive a process.

use zeroize::Zeroizing;

use crate::key::KeyError;
use crate::table::{Table, TableError, TableName};

const FIRST_LINE: &str = "deckproof/v1 state";

/// Why a text is not the state of a table. The text itself is not kept.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum StateError {
    /// A line that is not as it must be.
    #[error("line {line} is not {wanted}")]
    Line {
        /// Which, from 1.
        line: usize,
        /// What it should be.
        wanted: &'static str,
    },
    /// The chain key.
    #[error("the chain key: {0}")]
    Key(#[from] KeyError),
    /// The table's name or hand number.
    #[error(transparent)]
    Table(#[from] TableError),
}

impl Table {
    /// The state as text. It opens the next hand and all later ones: write it where only the operator
    /// can read it, before the next hand starts (PROTOCOL.md, section 13).
    pub fn disclose_state(&self) -> Zeroizing<String> {
        let TableName { origin, table } = &self.name;
        let chain = self.chain.disclose();
        let hand = self.next_hand;
        Zeroizing::new(format!(
            "{FIRST_LINE}\norigin {origin}\ntable {table}\nhand {hand}\nchain {}\n",
            *chain
        ))
    }

    /// Reads a state.
    ///
    /// # Errors
    /// [`StateError`].
    pub fn from_state(text: &str) -> Result<Table, StateError> {
        let mut lines = text.split('\n');
        let mut take = |line: usize, word: &str, wanted: &'static str| {
            let found = lines.next().and_then(|text| text.strip_prefix(word));
            found.ok_or(StateError::Line { line, wanted })
        };
        let end = StateError::Line { line: 1, wanted: FIRST_LINE };
        if !take(1, FIRST_LINE, FIRST_LINE)?.is_empty() {
            return Err(end);
        }
        let origin = take(2, "origin ", "\"origin\" and a name")?;
        let table = take(3, "table ", "\"table\" and a name")?;
        let hand = take(4, "hand ", "\"hand\" and a number")?;
        let hand = hand.parse().map_err(|_| StateError::Line { line: 4, wanted: "\"hand\" and a number" })?;
        let chain = take(5, "chain ", "\"chain\" and a key")?.parse()?;
        if lines.collect::<Vec<_>>() != [""] {
            return Err(StateError::Line { line: 6, wanted: "the end" });
        }
        Ok(Table::resume(TableName::new(origin, table)?, chain, hand)?)
    }
}

#[cfg(test)]
mod tests {
    use crate::key::DayKey;

    use super::*;

    fn table() -> Table {
        let name = TableName::new("stud.example/log1", "T-1").expect("both are names");
        Table::begin(name, DayKey::from_bytes([7; 32]), 5).expect("5 is a hand")
    }

    #[test]
    fn a_table_goes_on_from_its_state_as_if_nothing_had_happened() {
        let (_, straight) = table().commit();
        let (_, resumed) = Table::from_state(&table().disclose_state()).expect("it is a state").commit();
        assert_eq!(straight.next_hand(), 6);
        assert_eq!(*straight.disclose_state(), *resumed.disclose_state());
        assert_eq!(straight.commit().0.deck_entry(), resumed.commit().0.deck_entry());
    }

    #[test]
    fn other_texts_are_refused_without_repeating_the_key() {
        let state = table().disclose_state();
        let key =
            state.lines().last().expect("the chain").strip_prefix("chain ").expect("the chain").to_owned();
        let faults = [
            state.replace("v1", "v2"),
            state.replace("hand 5", "hand 0"),
            state.replace("hand 5", "hand five"),
            state.replace("table T-1", "table T/1"),
            state.replace("chain ", "chain x"),
            format!("{}more\n", *state),
            state.trim_end().to_owned(),
        ];
        for fault in faults {
            let error = Table::from_state(&fault).err().expect("it is no state");
            assert!(!error.to_string().contains(&key), "{error}");
        }
    }
}
