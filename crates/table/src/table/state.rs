//! The state of a table: the one secret that must outlive a process, and the hand that is under way.

use zeroize::Zeroizing;

use crate::table::{Table, TableError, TableName};
use deckproof_deck::key::{HandKey, KeyError};
use deckproof_verify::log::entry::Mix;

const FIRST_LINE: &str = "deckproof/state/v3";

/// Why a text is not the state of a table. The text itself is not kept.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum StateError {
    /// A line that is not as it must be.
    #[error("line {line} is not {wanted}")]
    Line {
        /// Which, from 1.
        line: usize,
        /// What it should be.
        wanted: &'static str,
    },
    /// A key.
    #[error("a key: {0}")]
    Key(#[from] KeyError),
    /// The table's name or hand number.
    #[error(transparent)]
    Table(#[from] TableError),
}

/// A table between two steps, as it is written down.
pub struct State {
    /// The table: its next hand is the first whose deck is not committed to.
    pub table: Table,
    /// The hand before that, if it was begun.
    pub under_way: Option<UnderWay>,
    /// Bytes of the other files when the hand was begun.
    pub lengths: Lengths,
    /// Entries of the log when the hand was begun, if the table has a log: its own entries come after these.
    pub logged: Option<u64>,
}

/// A hand that was begun. It is over when the log says so; its key stays here until the next one begins.
pub struct UnderWay {
    /// The mix of its deck.
    pub mix: Mix,
    /// What opens it.
    pub key: HandKey,
}

/// Bytes of the files of a table.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Lengths {
    /// Of the entries.
    pub entries: u64,
    /// Of the transcripts.
    pub transcripts: u64,
    /// Of the records of hands.
    pub hands: u64,
    /// Of the places in the log.
    pub receipts: u64,
}

impl State {
    /// The state as text. It opens the hand that is under way, the next one and all later ones: write it
    /// where only the operator can read it, before the hand is published (PROTOCOL.md, section 13).
    pub fn disclose(&self) -> Zeroizing<String> {
        let TableName { origin, table } = self.table.name();
        let Lengths { entries, transcripts, hands, receipts } = self.lengths;
        let logged = self.logged.map_or_else(|| "none".to_owned(), |size| size.to_string());
        let chain = self.table.chain.disclose();
        let mut text = Zeroizing::new(String::with_capacity(1024));
        text.push_str(&format!(
            "{FIRST_LINE}\norigin {origin}\ntable {table}\nhand {}\nfiles {entries} {transcripts} {hands} {receipts}\nlog {logged}\nchain ",
            self.table.next_hand()
        ));
        text.push_str(&chain);
        match &self.under_way {
            None => text.push_str("\nplaying none"),
            Some(UnderWay { mix, key }) => {
                text.push_str(&format!("\nplaying {} {} ", self.table.next_hand() - 1, mix.name()));
                text.push_str(&key.disclose());
            }
        }
        text.push('\n');
        text
    }

    /// Reads a state.
    ///
    /// # Errors
    /// [`StateError`].
    pub fn parse(text: &str) -> Result<State, StateError> {
        let mut lines = text.split('\n');
        let mut take = |line: usize, word: &str, wanted: &'static str| {
            let found = lines.next().and_then(|text| text.strip_prefix(word));
            found.ok_or(StateError::Line { line, wanted })
        };
        let wrong = |line, wanted| StateError::Line { line, wanted };
        if !take(1, FIRST_LINE, FIRST_LINE)?.is_empty() {
            return Err(wrong(1, FIRST_LINE));
        }
        let origin = take(2, "origin ", "\"origin\" and a name")?;
        let table = take(3, "table ", "\"table\" and a name")?;
        let wanted = "\"hand\" and a number";
        let hand = take(4, "hand ", wanted)?.parse().map_err(|_| wrong(4, wanted))?;
        let wanted = "\"files\" and four lengths";
        let lengths = lengths(take(5, "files ", wanted)?).ok_or(wrong(5, wanted))?;
        let wanted = "\"log\" and a number of entries, or none";
        let logged = match take(6, "log ", wanted)? {
            "none" => None,
            size => Some(size.parse().map_err(|_| wrong(6, wanted))?),
        };
        let chain = take(7, "chain ", "\"chain\" and a key")?.parse()?;
        let under_way = under_way(take(8, "playing ", "\"playing\" and a hand")?, hand)?;
        if lines.collect::<Vec<_>>() != [""] {
            return Err(wrong(9, "the end"));
        }
        let table = Table::resume(TableName::new(origin, table)?, chain, hand)?;
        Ok(State { table, under_way, lengths, logged })
    }
}

fn lengths(text: &str) -> Option<Lengths> {
    let numbers: Option<Vec<u64>> = text.split(' ').map(|number| number.parse().ok()).collect();
    match numbers?[..] {
        [entries, transcripts, hands, receipts] => Some(Lengths { entries, transcripts, hands, receipts }),
        _ => None,
    }
}

/// `none`, or the hand before the next one with its mix and key.
fn under_way(text: &str, next_hand: u64) -> Result<Option<UnderWay>, StateError> {
    if text == "none" {
        return Ok(None);
    }
    let wanted = StateError::Line { line: 8, wanted: "\"playing\" and the hand before the next one" };
    let words: Vec<&str> = text.split(' ').collect();
    let [hand, mix, key] = words[..] else { return Err(wanted) };
    let is_before = hand.parse::<u64>().ok().and_then(|hand| hand.checked_add(1)) == Some(next_hand);
    match Mix::named(mix).filter(|_| is_before) {
        Some(mix) => Ok(Some(UnderWay { mix, key: key.parse()? })),
        None => Err(wanted),
    }
}

#[cfg(test)]
mod tests {
    use deckproof_deck::key::DayKey;

    use super::*;

    fn state(under_way: Option<UnderWay>) -> State {
        let name = TableName::new("stud.example/log1", "T-1").expect("both are names");
        let table = Table::begin(name, DayKey::from_bytes([7; 32]), 5).expect("5 is a hand");
        let lengths = Lengths { entries: 1, transcripts: 22, hands: 333, receipts: 4444 };
        State { table, under_way, lengths, logged: Some(55_555) }
    }

    fn playing() -> Option<UnderWay> {
        Some(UnderWay { mix: Mix::Players, key: HandKey::from_bytes([9; 32]) })
    }

    #[test]
    fn a_table_goes_on_from_its_state_as_if_nothing_had_happened() {
        for under_way in [None, playing()] {
            let written = state(under_way);
            let read = State::parse(&written.disclose()).expect("it is a state");
            assert_eq!(*read.disclose(), *written.disclose());
            assert_eq!((read.lengths, read.logged), (written.lengths, written.logged));
            assert_eq!(read.table.commit().0.deck_entry(), written.table.commit().0.deck_entry());
        }
    }

    #[test]
    fn other_texts_are_refused_without_repeating_the_key() {
        let text = state(playing()).disclose();
        let key = text.lines().find_map(|line| line.strip_prefix("chain ")).expect("the chain").to_owned();
        let faults = [
            text.replace("v3", "v2"),
            text.replace("hand 5", "hand 0"),
            text.replace("hand 5", "hand five"),
            text.replace("hand 5", "hand 6"),
            text.replace("table T-1", "table T/1"),
            text.replace("files 1 22 333", "files 1 22"),
            text.replace("log 55555", "log many"),
            text.replace("chain ", "chain x"),
            text.replace("players", "plagers"),
            text.replace("playing 4", "playing 5"),
            format!("{}more\n", *text),
            text.trim_end().to_owned(),
        ];
        for fault in faults {
            let error = State::parse(&fault).err().expect("it is no state");
            assert!(!error.to_string().contains(&key), "{error}");
        }
    }
}
