//! What the scan of a log reports that is in order.

use std::collections::BTreeMap;

use crate::log::entry::UnsealEntry;
use crate::log::tree::TreeHead;
use deckproof_deck::commitment::digest::Digest;

/// What became of the decks of a table.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct TableDecks {
    /// Hands that were closed.
    pub closed: u64,
    /// Of these the hands that name a number of dealt cards with which no hand of their rules and seats ends.
    pub closed_impossibly: u64,
    /// Hands that were voided after they were opened.
    pub voided_opened: u64,
    /// Decks that were voided before they were opened.
    pub voided_unopened: u64,
    /// Voided decks whose order in play the operator knew for certain when he voided them: those of mix none, and
    /// those whose cut is in the log.
    pub voided_known: u64,
    /// Decks that were neither opened nor voided.
    pub unused: u64,
}

impl TableDecks {
    /// All that were voided.
    pub fn voided(&self) -> u64 {
        self.voided_opened + self.voided_unopened
    }

    /// All that were closed or voided.
    pub fn ended(&self) -> u64 {
        self.closed + self.voided()
    }

    /// The share of voided decks among those that ended; nothing where none ended.
    pub fn voided_share(&self) -> Option<f64> {
        self.share(self.voided())
    }

    /// The same with the hands that were closed as no hand ends.
    pub fn unplayed_share(&self) -> Option<f64> {
        self.share(self.voided() + self.closed_impossibly)
    }

    fn share(&self, decks: u64) -> Option<f64> {
        (self.ended() > 0).then(|| decks as f64 / self.ended() as f64)
    }
}

/// A log that is in order.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Report {
    /// Its entries, by their number and root.
    pub tree: TreeHead,
    /// How many hands were closed.
    pub closed: u64,
    /// How many were voided, by table and reason.
    pub voids: BTreeMap<String, BTreeMap<String, u64>>,
    /// How many decks each table has left, where there are any.
    pub unused: BTreeMap<String, u64>,
    /// What became of the decks of each table.
    pub tables: BTreeMap<String, TableDecks>,
    /// How many hands still run; only a live log has any.
    pub running: u64,
    /// Every hand that was opened, in log order.
    pub opened: Vec<OpenedHand>,
    /// Every hand that two people opened after its end, in log order.
    pub unsealed: Vec<UnsealEntry>,
}

impl Default for Report {
    fn default() -> Report {
        Report {
            tree: TreeHead::empty(),
            closed: 0,
            voids: BTreeMap::new(),
            unused: BTreeMap::new(),
            tables: BTreeMap::new(),
            running: 0,
            opened: Vec::new(),
            unsealed: Vec::new(),
        }
    }
}

impl Report {
    /// The decks of all tables.
    pub fn decks(&self) -> TableDecks {
        let mut all = TableDecks::default();
        for table in self.tables.values() {
            all.closed += table.closed;
            all.closed_impossibly += table.closed_impossibly;
            all.voided_opened += table.voided_opened;
            all.voided_unopened += table.voided_unopened;
            all.voided_known += table.voided_known;
            all.unused += table.unused;
        }
        all
    }
}

/// A hand that was opened.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OpenedHand {
    /// Its table.
    pub table: String,
    /// Its number there.
    pub hand: u64,
    /// Leaf hash of its deck entry.
    pub deck: Digest,
    /// Whether it was voided.
    pub is_voided: bool,
    /// Whether it was closed or voided.
    pub is_ended: bool,
}
