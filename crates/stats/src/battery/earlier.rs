//! A statistic as an older version had it: what certificates of that version are judged by.

use crate::battery::lists::List;
use crate::battery::outcome::Outcome;
use crate::battery::statistic::{About, Scope, Segment, Statistic};
use crate::battery::view::{Label, View};
use deckproof_deck::deck::block::DeckBlock;

/// Counts and p-values of another statistic under the name of an older version, whose parts did not say how many of the decks
/// they were shown they read.
pub(super) struct Earlier {
    pub(super) about: &'static About,
    pub(super) of: &'static dyn Statistic,
}

impl Statistic for Earlier {
    fn about(&self) -> &'static About {
        self.about
    }

    fn family(&self) -> &'static str {
        self.of.family()
    }

    fn cells(&self) -> usize {
        self.of.cells()
    }

    fn parts(&self, decks: u64) -> u64 {
        self.of.parts(decks)
    }

    fn views(&self) -> &'static [View] {
        self.of.views()
    }

    fn label(&self, view: View) -> Label {
        self.of.label(view)
    }

    fn scope(&self) -> Scope {
        self.of.scope()
    }

    fn observe(&self, blocks: &[DeckBlock], counts: &mut [u64]) {
        self.of.observe(blocks, counts);
    }

    fn observe_segment(&self, segment: Segment, blocks: &[DeckBlock], counts: &mut [u64]) {
        self.of.observe_segment(segment, blocks, counts);
    }

    fn keep(&self, counts: &mut [u64]) {
        self.of.keep(counts);
    }

    fn decks_in(&self, counts: &[u64]) -> Option<u64> {
        self.of.decks_in(counts)
    }

    fn decks_in_part(&self, counts: &[u64]) -> Option<u64> {
        self.of.decks_in_part(counts)
    }

    fn can_hold(&self, held: u64, decks: u64) -> bool {
        self.of.can_hold(held, decks)
    }

    fn lists(&self) -> Vec<List> {
        self.of.lists()
    }

    fn finish(&self, counts: &[u64], decks: u64) -> Vec<Outcome> {
        self.of.finish(counts, decks)
    }
}
