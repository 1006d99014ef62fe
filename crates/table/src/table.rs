//! Dealing at a table: a committed deck, its entries, the hand, its transcript and bundles.

#[doc(hidden)]
pub mod bundle;
#[doc(hidden)]
pub mod dealing;
pub mod durable;
#[doc(hidden)]
pub mod ended_hands;
#[doc(hidden)]
pub mod files;
mod hand;
#[doc(hidden)]
pub mod last_hand;
#[doc(hidden)]
pub mod link;
#[doc(hidden)]
pub mod logged;
#[doc(hidden)]
pub mod mix;
pub mod partial_deck;
pub mod pending;
#[doc(hidden)]
pub mod plan;
#[doc(hidden)]
pub mod play;
#[doc(hidden)]
pub mod recovery;
#[doc(hidden)]
pub mod request;
#[doc(hidden)]
pub mod restore;
#[doc(hidden)]
pub mod reveals;
#[doc(hidden)]
pub mod series;
#[doc(hidden)]
pub mod several;
#[doc(hidden)]
pub mod state;
#[doc(hidden)]
pub mod storage;

pub use crate::table::hand::{CommittedHand, DealtHand, OpenHand, VoidedHand, deal_hand};
use deckproof_deck::key::{ChainKey, DayKey, HandContext};
use deckproof_verify::log::entry::Mix;
use deckproof_verify::log::entry::names::{is_origin, is_table};

/// Hand numbers end here: 2^53 − 1, so that a double holds them.
pub const HAND_MAX: u64 = (1 << 53) - 1;

/// The name of a table: its log and its name there.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TableName {
    origin: String,
    table: String,
}

/// Why a table cannot be named or its hands not numbered like this.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct TableError(String);

impl TableName {
    /// A table's name, checked.
    ///
    /// # Errors
    /// [`TableError`].
    pub fn new(origin: &str, table: &str) -> Result<TableName, TableError> {
        if !is_origin(origin) {
            let wanted = "a name such as stud.example/log1";
            return Err(TableError(format!("found the origin {origin:?}, wanted {wanted}")));
        }
        if !is_table(table) {
            let wanted = "1 to 64 letters, digits, dots, underscores or hyphens";
            return Err(TableError(format!("found the table {table:?}, wanted {wanted}")));
        }
        Ok(TableName { origin: origin.to_owned(), table: table.to_owned() })
    }

    /// The log.
    pub fn origin(&self) -> &str {
        &self.origin
    }

    /// The table's name in its log.
    pub fn table(&self) -> &str {
        &self.table
    }
}

/// A table between two hands: it can commit to the next hand, and to no past one.
pub struct Table {
    name: TableName,
    next_hand: u64,
    chain: ChainKey,
}

impl Table {
    /// A table at the start of a day; the day key is wiped.
    ///
    /// # Errors
    /// [`TableError`].
    pub fn begin(name: TableName, day_key: DayKey, first_hand: u64) -> Result<Table, TableError> {
        let chain = day_key.chain(&name.origin, &name.table, first_hand);
        Table::resume(name, chain, first_hand)
    }

    /// A table whose next hand and chain key are known.
    ///
    /// # Errors
    /// [`TableError`].
    pub fn resume(name: TableName, chain: ChainKey, next_hand: u64) -> Result<Table, TableError> {
        if !(1..=HAND_MAX).contains(&next_hand) {
            return Err(TableError(format!("found hand {next_hand}, wanted a number 1 to {HAND_MAX}")));
        }
        Ok(Table { name, next_hand, chain })
    }

    /// The table's name.
    pub fn name(&self) -> &TableName {
        &self.name
    }

    /// The number of the next hand.
    pub fn next_hand(&self) -> u64 {
        self.next_hand
    }

    /// Commits to the deck of the next hand under mix `none`.
    ///
    /// # Panics
    /// After hand [`HAND_MAX`].
    pub fn commit(self) -> (CommittedHand, Table) {
        self.commit_for(Mix::None)
    }

    /// Commits to the deck of the next hand, and steps the chain, so that the table returned can no
    /// longer open this hand.
    ///
    /// # Panics
    /// After hand [`HAND_MAX`].
    pub fn commit_for(self, mix: Mix) -> (CommittedHand, Table) {
        assert!(self.next_hand <= HAND_MAX, "hand numbers end here");
        let context = HandContext::new(&self.name.origin, &self.name.table, self.next_hand, mix.name());
        let key = self.chain.hand_key(&context);
        let committed = CommittedHand::new(&self.name, self.next_hand, mix, key);
        (committed, Table { name: self.name, next_hand: self.next_hand + 1, chain: self.chain.next() })
    }
}
