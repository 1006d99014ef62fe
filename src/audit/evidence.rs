//! Evidence: the integers an audit gathers; merging is addition.

use crate::battery::duplicates::Duplicates;
use crate::battery::{self, View};
use crate::deck::block::{BLOCK_HANDS, DeckBlock};
use crate::deck::relative::relative;

/// Blocks the statistics see at a time: 64 blocks of both views stay in the second-level cache.
const BATCH_BLOCKS: usize = 64;

/// What one view of the decks gave.
pub struct ViewEvidence {
    /// Which decks.
    pub view: View,
    /// How many.
    pub decks: u64,
    /// The counts of every statistic of the battery, in its order.
    pub counts: Vec<Vec<u64>>,
    /// The fingerprints kept to look for duplicates.
    pub duplicates: Duplicates,
}

/// The counts of both views.
pub struct Evidence {
    /// One entry for each view, in the order of [`View::ALL`].
    pub views: Vec<ViewEvidence>,
}

impl ViewEvidence {
    fn new(view: View) -> ViewEvidence {
        let counts = battery::all().iter().map(|statistic| vec![0; statistic.cells()]).collect();
        ViewEvidence { view, decks: 0, counts, duplicates: Duplicates::default() }
    }

    fn observe(&mut self, blocks: &[DeckBlock]) {
        self.decks += blocks.iter().map(|block| block.hands() as u64).sum::<u64>();
        for (statistic, counts) in battery::all().iter().zip(&mut self.counts) {
            statistic.observe(blocks, counts);
        }
        blocks.iter().for_each(|block| self.duplicates.observe(block));
    }

    fn merge(&mut self, other: ViewEvidence) {
        assert_eq!(self.view, other.view, "views are added in their order");
        self.decks += other.decks;
        for (counts, added) in self.counts.iter_mut().zip(&other.counts) {
            assert_eq!(counts.len(), added.len(), "one statistic has one number of cells");
            counts.iter_mut().zip(added).for_each(|(count, added)| *count += added);
        }
        self.duplicates.merge(other.duplicates);
    }
}

impl Default for Evidence {
    fn default() -> Evidence {
        Evidence { views: View::ALL.iter().map(|&view| ViewEvidence::new(view)).collect() }
    }
}

impl Evidence {
    /// How many decks were seen.
    pub fn decks(&self) -> u64 {
        self.views[0].decks
    }

    /// Adds decks that stand next to each other.
    pub fn observe(&mut self, blocks: &[DeckBlock], scratch: &mut RelativeScratch) {
        for batch in blocks.chunks(BATCH_BLOCKS) {
            self.views[0].observe(batch);
            self.views[1].observe(scratch.relative_decks(batch));
        }
    }

    /// Adds the counts of other decks; the order of merging does not matter.
    pub fn merge(&mut self, other: Evidence) {
        self.views.iter_mut().zip(other.views).for_each(|(view, added)| view.merge(added));
    }
}

/// Room for the relative decks of one batch.
pub struct RelativeScratch(Vec<DeckBlock>);

impl Default for RelativeScratch {
    fn default() -> RelativeScratch {
        RelativeScratch(vec![DeckBlock::default(); BATCH_BLOCKS])
    }
}

impl RelativeScratch {
    fn relative_decks(&mut self, batch: &[DeckBlock]) -> &[DeckBlock] {
        let room = &mut self.0[..batch.len()];
        room.iter_mut().zip(batch).for_each(|(out, block)| relative(block, out));
        room
    }
}

/// How many relative decks `decks` decks give: 63 for each full block, one less than the last one holds.
pub fn relative_decks_of(decks: u64) -> u64 {
    let block = BLOCK_HANDS as u64;
    decks / block * (block - 1) + (decks % block).saturating_sub(1)
}
