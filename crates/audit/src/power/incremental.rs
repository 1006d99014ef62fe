//! Evidence that grows: the counts of the first N decks of a source for one rising N after another.

use crate::audit::evidence::{Counter, Evidence};
use crate::audit::plan::{SEGMENT_BLOCKS, SEGMENT_DECKS};
use crate::audit::selection::Selection;
use crate::source::{DeckSource, SourceError};
use deckproof_deck::deck::block::{BLOCK_HANDS, DeckBlock};
use deckproof_stats::battery::Segment;

/// A source that is read once, and the evidence of what was read.
///
/// Whole segments are counted once. The segment in hand is kept as decks and counted anew for every N,
/// because some statistics see it whole and none may take a partial block for a full one.
pub struct IncrementalEvidence {
    source: Box<dyn DeckSource>,
    selection: Selection,
    /// The number that deck 0 of the evidence has in the source.
    offset: u64,
    whole: Evidence,
    segment: u64,
    blocks: Vec<DeckBlock>,
    /// The record that is no deck, if one was read; the last block ends before it.
    spoilt: Option<SourceError>,
}

impl IncrementalEvidence {
    /// Nothing read yet; the first deck has number `offset` in the source, a multiple of 64.
    pub fn new(source: Box<dyn DeckSource>, selection: &Selection, offset: u64) -> IncrementalEvidence {
        IncrementalEvidence {
            source,
            selection: selection.clone(),
            offset,
            whole: Evidence::new(selection),
            segment: 0,
            blocks: Vec::new(),
            spoilt: None,
        }
    }

    /// The evidence of the first `decks` decks: what [`audit::run`](crate::audit::run) would count.
    ///
    /// # Panics
    /// If `decks` falls below the segment in hand: ask for rising numbers.
    ///
    /// # Errors
    /// [`SourceError`]: a record among them that is no deck, or a source that ended.
    pub fn until(&mut self, decks: u64) -> Result<Evidence, SourceError> {
        // The last segment, even a full one, is counted as such below.
        while (self.segment + 1) * SEGMENT_DECKS < decks {
            let mut whole = self.segment_of(SEGMENT_DECKS, false)?;
            self.whole.merge(&mut whole);
            self.segment += 1;
            self.blocks.clear();
        }
        let started = self.segment * SEGMENT_DECKS;
        let rest = decks.checked_sub(started).expect("numbers of decks rise");
        let mut evidence = self.whole.clone();
        if rest > 0 {
            evidence.merge(&mut self.segment_of(rest, true)?);
        }
        Ok(evidence)
    }

    /// The evidence of the first `decks` decks of the segment in hand.
    fn segment_of(&mut self, decks: u64, is_last: bool) -> Result<Evidence, SourceError> {
        self.read(decks)?;
        let used = decks.div_ceil(BLOCK_HANDS as u64) as usize;
        let mut blocks = self.blocks[..used].to_vec();
        if let Some(last) = blocks.last_mut() {
            last.truncate((decks - (used as u64 - 1) * BLOCK_HANDS as u64) as usize);
        }
        let mut counter = Counter::new(&self.selection);
        counter.count_segment(Segment::new(self.segment, is_last), &blocks);
        Ok(counter.evidence)
    }

    /// Reads on until the segment in hand holds `decks` decks.
    fn read(&mut self, decks: u64) -> Result<(), SourceError> {
        let started = self.offset + self.segment * SEGMENT_DECKS;
        while self.held() < decks {
            if let Some(error) = self.spoilt.take() {
                return Err(error);
            }
            let first = started + self.held();
            if !self.held().is_multiple_of(BLOCK_HANDS as u64) || self.blocks.len() as u64 == SEGMENT_BLOCKS {
                return Err(ended(first, decks));
            }
            let mut block = DeckBlock::default();
            // What comes before a bad record has been dealt and counts.
            self.spoilt = self.source.fill(first, &mut block).err();
            if block.is_empty() {
                return Err(self.spoilt.take().unwrap_or_else(|| ended(first, decks)));
            }
            self.blocks.push(block);
        }
        Ok(())
    }

    /// How many decks of the segment in hand were read.
    fn held(&self) -> u64 {
        self.blocks.iter().map(|block| block.hands() as u64).sum()
    }
}

fn ended(found: u64, wanted: u64) -> SourceError {
    SourceError::TooFew { place: "the dealer".to_owned(), found, wanted }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::audit::run::{Job, tests};
    use crate::source::flawed::Flawed;
    use deckproof_stats::battery::Tier;
    use deckproof_stats::battery::duplicates::sketch::SketchCount;

    fn dealer(name: &str, decks: u64) -> Box<dyn DeckSource> {
        Box::new(Flawed::open(name, decks).expect("the dealer is in the list"))
    }

    fn counts(evidence: &Evidence) -> Vec<(u64, Vec<Vec<u64>>, Vec<SketchCount>)> {
        let view = |view: &crate::audit::evidence::ViewEvidence| {
            (view.decks, view.counts.clone(), view.sketches.iter().map(|sketch| sketch.count()).collect())
        };
        evidence.views.iter().map(view).collect()
    }

    #[test]
    fn grown_evidence_is_that_of_an_audit() {
        let selection = Selection::of_tiers(&[Tier::Core]);
        let mut growth = IncrementalEvidence::new(dealer("riffle-7", 70_016), &selection, 0);
        for decks in [10, 100, 640, 65_536, 65_600, 70_000] {
            let grown = growth.until(decks).expect("the dealer deals decks");
            let job = Job {
                decks: Some(decks),
                first_deck: 0,
                segments: 0..2,
                threads: 1,
                selection: selection.clone(),
            };
            let run = tests::counted(&job, dealer("riffle-7", decks).as_mut()).expect("the run is whole");
            assert_eq!(counts(&grown), counts(&run.evidence), "{decks} decks");
        }
    }

    #[test]
    fn a_bad_record_counts_only_once_it_is_reached() {
        let selection = Selection::of_tiers(&[Tier::Core]);
        let mut growth = IncrementalEvidence::new(dealer("joker", 2_000), &selection, 0);
        assert_eq!(growth.until(1_000).map(|evidence| evidence.decks()).ok(), Some(1_000));
        let refused = growth.until(1_001).err().expect("record 1,001 is no deck");
        assert!(matches!(refused, SourceError::NotADeck { record: 1_001, .. }), "{refused}");
    }

    #[test]
    fn a_source_that_ends_is_reported() {
        let selection = Selection::of_tiers(&[Tier::Core]);
        let mut growth = IncrementalEvidence::new(dealer("certified", 70), &selection, 0);
        assert!(matches!(growth.until(100), Err(SourceError::TooFew { .. })));
    }
}
