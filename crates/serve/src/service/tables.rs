//! A table of the service, and the hand that is under way at it.

use std::time::Instant;

use crate::calls::hand::Hand;
use crate::journal::record::KeptStep;
use deckproof_deck::key::{ChainKey, DayKey, HandContext, HandKey};
use deckproof_table::table::TableName;
use deckproof_verify::ledger::entry::Mix;

/// A hand under way.
pub struct Playing {
    /// Its number.
    pub number: u64,
    /// How far it is.
    pub hand: Hand,
    /// The calls that led there.
    pub steps: Vec<KeptStep>,
    /// Where the last of them lies.
    pub last: u64,
}

/// A table between two calls.
pub struct ServedTable {
    /// Its name in the log.
    pub name: TableName,
    /// The last hand that has ended.
    pub ended: u64,
    /// The hand after it, if it has begun.
    pub playing: Option<Playing>,
    /// The chain of keys since the service started; it is written nowhere.
    chain: Option<ChainKey>,
    /// The second in which calls were counted last, and how many there were.
    pub rate: (Instant, u32),
}

impl ServedTable {
    /// A table before its first hand.
    pub fn new(name: TableName) -> ServedTable {
        ServedTable { name, ended: 0, playing: None, chain: None, rate: (Instant::now(), 0) }
    }

    /// The key of the next hand; the chain then no longer leads to it.
    ///
    /// # Errors
    /// If the operating system gives no random bytes.
    pub fn draw_key(&mut self, mix: Mix) -> Result<HandKey, String> {
        let hand = self.ended + 1;
        let chain = match self.chain.take() {
            Some(chain) => chain,
            None => {
                let day_key = DayKey::fresh().map_err(|error| error.to_string())?;
                day_key.chain(self.name.origin(), self.name.table(), hand)
            }
        };
        let key = chain.hand_key(&HandContext::new(self.name.origin(), self.name.table(), hand, mix.name()));
        self.chain = Some(chain.next());
        Ok(key)
    }
}
