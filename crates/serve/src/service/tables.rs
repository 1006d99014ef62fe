//! A table of the service, and the hand that is under way at it.

use std::time::Instant;

use crate::calls::hand::Hand;
use crate::calls::{CallPlace, MoveKind};
use crate::journal::record::KeptStep;
use deckproof_deck::key::{ChainKey, DayKey, HandContext, HandKey};
use deckproof_table::table::TableName;
use deckproof_verify::log::entry::Mix;

/// What one service takes.
#[derive(Clone, Copy)]
pub struct ServiceLimits {
    /// Tables.
    pub tables: usize,
    /// Calls a second at one table.
    pub rate: u32,
}

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
    /// Whether its opening waits for witnesses.
    pub wait: WitnessWait,
}

/// What the next step of a hand waits for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WitnessWait {
    /// Nothing.
    Over,
    /// Its opening is with the witnesses, or will be in the next round.
    Awaited,
    /// The quorum did not cosign it, and the service goes on with no hand without.
    Unmet,
}

impl Playing {
    /// A hand before its first step.
    pub fn new(number: u64, hand: Hand) -> Playing {
        Playing { number, hand, steps: Vec::new(), last: 0, wait: WitnessWait::Over }
    }

    /// Whether this is the last step once more, with what its witnesses gave.
    pub fn is_seen(&self, step: &KeptStep) -> bool {
        step.seen.is_some()
            && self.steps.last().is_some_and(|last| last.seen.is_none() && last.step == step.step)
    }

    /// Whether the hand stands behind this opening, and no witness was asked about it.
    pub fn is_unseen_open(&self, place: &CallPlace) -> bool {
        self.steps.last().is_some_and(|last| {
            matches!(last.step.kind, MoveKind::Open(_)) && last.step.place == *place && last.seen.is_none()
        })
    }
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
