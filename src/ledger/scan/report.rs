//! What the scan of a sound log reports.

use std::collections::BTreeMap;

use crate::commitment::digest::Digest;
use crate::ledger::tree::TreeHead;

/// A sound log.
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
    /// How many hands still run; only a live log has any.
    pub running: u64,
    /// Every hand that was opened, in log order.
    pub opened: Vec<OpenedHand>,
}

impl Default for Report {
    fn default() -> Report {
        Report {
            tree: TreeHead::empty(),
            closed: 0,
            voids: BTreeMap::new(),
            unused: BTreeMap::new(),
            running: 0,
            opened: Vec::new(),
        }
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
