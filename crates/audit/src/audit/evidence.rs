//! Evidence: the integers an audit gathers; merging is addition.

use std::mem::take;
use std::ops::Range;

use rayon::iter::{
    IndexedParallelIterator, IntoParallelIterator, IntoParallelRefMutIterator, ParallelIterator,
};

use crate::audit::selection::Selection;
use crate::audit::views::{Batch, Views};
use deckproof_deck::deck::block::{BLOCK_HANDS, DeckBlock};
use deckproof_deck::deck::orders::Decks;
use deckproof_stats::battery::duplicates::EQUAL;
use deckproof_stats::battery::duplicates::sketch::Sketch;
use deckproof_stats::battery::stud::deals::{Deals, Hands};
use deckproof_stats::battery::stud::table::StudTable;
use deckproof_stats::battery::{Label, SEGMENT_DECKS, Scope, Segment, Statistic, View, decks_of};

/// Blocks the statistics see at a time: 32 blocks of every view stay in the second-level cache.
pub const BATCH_BLOCKS: usize = 32;

/// What one view of the decks gave.
#[derive(Clone)]
pub struct ViewEvidence {
    /// Which decks.
    pub view: View,
    /// How many.
    pub decks: u64,
    /// The counts of every statistic of the selection that sees this view, in its order.
    pub counts: Vec<Vec<u64>>,
    /// The fingerprints kept to look for repeated decks, one sketch for each equivalence of this view.
    pub sketches: Vec<Sketch>,
    /// Decks of an earlier look whose fingerprints are among these.
    pub earlier: u64,
}

/// The counts of all views.
#[derive(Clone)]
pub struct Evidence {
    /// One entry for each view of the selection, the decks themselves first.
    pub views: Vec<ViewEvidence>,
}

/// Of the sketches of all views, what looked for decks that are equal as they are, settled; the decks themselves are the first view.
pub fn equal_decks(sketches: Vec<Vec<Sketch>>) -> Option<Sketch> {
    let mut own =
        sketches.into_iter().next()?.into_iter().find(|own| own.equivalence().id() == EQUAL.id())?;
    own.settle();
    Some(own)
}

impl ViewEvidence {
    fn new(view: View, selection: &Selection) -> ViewEvidence {
        let counts = selection.seeing(view).map(|statistic| vec![0; statistic.cells()]).collect();
        let sketches = selection.equivalences_on(view).map(Sketch::new).collect();
        ViewEvidence { view, decks: 0, counts, sketches, earlier: 0 }
    }

    /// Decks of which the first has number `first` in the audit, for what asks for cards or for numbers.
    fn observe(&mut self, shown: Shown, first: u64, blocks: &[DeckBlock], decks: Option<Decks>) {
        let view = self.view;
        if shown.only != Some(Label::Number) {
            self.decks += blocks.iter().map(|block| block.hands() as u64).sum::<u64>();
        }
        for (statistic, counts) in shown.selection.seeing(view).zip(&mut self.counts) {
            match decks {
                _ if statistic.scope() != Scope::Batch || statistic.seated().is_some() => {}
                _ if !shown.is_for(statistic.label(view)) => {}
                Some(decks) => statistic.observe_orders(blocks, decks, counts),
                None => statistic.observe(blocks, counts),
            }
        }
        for sketch in
            self.sketches.iter_mut().filter(|sketch| shown.is_for(sketch.equivalence().about.design.label))
        {
            match decks {
                Some(decks) => sketch.observe_orders(first, blocks, decks),
                None => sketch.observe_blocks(first, blocks),
            }
        }
    }

    fn observe_segment(&mut self, shown: Shown, segment: Segment, blocks: &[DeckBlock]) {
        let view = self.view;
        let counted: Vec<_> = shown.selection.seeing(view).zip(&mut self.counts).collect();
        // Of a small audit what looks at the first decks is most of the work, and each has counts of its own.
        counted.into_par_iter().for_each(|(statistic, counts)| match statistic.scope() {
            _ if statistic.seated().is_some() || !shown.is_for(statistic.label(view)) => {}
            Scope::Batch => {}
            Scope::Segment => statistic.observe_segment(segment, blocks, counts),
            Scope::Prefix if segment.number == 0 => statistic.observe(blocks, counts),
            Scope::Declared if segment.is_declared() => statistic.observe_segment(segment, blocks, counts),
            Scope::Prefix | Scope::Declared => {}
        });
    }

    /// The statistics of dealt hands of one scope.
    fn observe_dealt(&mut self, selection: &Selection, scope: Scope, deals: &Deals) {
        for (statistic, counts) in selection.seeing(self.view).zip(&mut self.counts) {
            if let Some(seated) = statistic.seated().filter(|_| statistic.scope() == scope) {
                seated.observe_dealt(deals, counts);
            }
        }
    }

    /// The statistic whose counts are not those of the decks of this view. What sees some segments only may have
    /// seen none of them.
    pub(super) fn wrong_sum(&self, selection: &Selection, first_segment: u64) -> Option<String> {
        let is_wrong = |(statistic, counts): &(&dyn Statistic, &Vec<u64>)| {
            let decks = match first_segment {
                0 => statistic.decks_in(counts),
                _ => statistic.decks_in_part(counts),
            };
            let sees_all = matches!(statistic.scope(), Scope::Batch | Scope::Segment);
            if sees_all { decks != Some(self.decks) } else { decks.is_none() }
        };
        let counted = selection.seeing(self.view).zip(&self.counts).filter(|_| self.decks > 0);
        // All counts are read, most of them for the first time where few decks were counted.
        let counted: Vec<(&dyn Statistic, &Vec<u64>)> = counted.collect();
        let wrong = counted.into_par_iter().find_first(is_wrong).map(|(statistic, _)| statistic.about().id);
        let sketch = || self.sketches.iter().find(|sketch| sketch.count().kept > self.decks + self.earlier);
        let wrong = wrong.or_else(|| sketch().map(|sketch| sketch.equivalence().id()));
        wrong.map(|id| format!("{}.{id}", self.view.name()))
    }

    fn merge(&mut self, other: &mut ViewEvidence) {
        assert_eq!(self.view, other.view, "views are added in their order");
        self.decks += take(&mut other.decks);
        for (counts, added) in self.counts.iter_mut().zip(&mut other.counts) {
            assert_eq!(counts.len(), added.len(), "one statistic has one number of cells");
            // Sums of signed numbers are kept as two's complement.
            counts.iter_mut().zip(added).for_each(|(count, added)| *count = count.wrapping_add(take(added)));
        }
        assert_eq!(self.sketches.len(), other.sketches.len(), "one selection has one list of sketches");
        self.sketches.iter_mut().zip(&mut other.sketches).for_each(|(sketch, added)| sketch.merge(added));
    }
}

impl Evidence {
    /// Nothing seen yet by these statistics.
    pub fn new(selection: &Selection) -> Evidence {
        Evidence { views: selection.views.iter().map(|&view| ViewEvidence::new(view, selection)).collect() }
    }

    /// Nothing seen yet of a look that follows another one of so many decks: a deck of that one may come again.
    pub fn after(selection: &Selection, decks: u64, sketches: Vec<Vec<Sketch>>) -> Evidence {
        let mut evidence = Evidence::new(selection);
        assert_eq!(evidence.views.len(), sketches.len(), "one plan has one list of views");
        for (view, sketches) in evidence.views.iter_mut().zip(sketches) {
            view.sketches = sketches;
        }
        evidence.begin_after(decks);
        evidence
    }

    /// The fingerprints are those of an earlier look of so many decks too.
    pub(in crate::audit) fn begin_after(&mut self, decks: u64) {
        self.views.iter_mut().for_each(|view| view.earlier = decks_of(view.view, decks));
    }

    /// How many decks were seen.
    pub fn decks(&self) -> u64 {
        self.views[0].decks
    }

    /// Sorts the fingerprints, one thread for each view.
    pub fn settle(&mut self) {
        self.views.par_iter_mut().for_each(|view| view.sketches.iter_mut().for_each(Sketch::settle));
    }

    /// Moves the counts of other decks into these; the order of merging does not matter. The other holds
    /// nothing any more but its memory, ready for more decks of the same run.
    pub fn merge(&mut self, other: &mut Evidence) {
        // Nothing seen yet is nothing but memory, and a small audit need not touch it.
        let is_new = self.views.iter().all(|view| view.decks == 0 && view.earlier == 0);
        if is_new && self.views.len() == other.views.len() {
            return std::mem::swap(self, other);
        }
        if other.decks() == 0 {
            return;
        }
        self.views.par_iter_mut().zip(&mut other.views).for_each(|(view, added)| view.merge(added));
    }
}

/// To whom decks are shown: those who ask for cards, for numbers, or for either where they are the same.
#[derive(Clone, Copy)]
struct Shown<'a> {
    selection: &'a Selection,
    only: Option<Label>,
}

impl Shown<'_> {
    fn is_for(self, label: Label) -> bool {
        self.only.is_none_or(|only| only == label)
    }
}

/// Counts the decks of one segment after another, batch by batch.
pub struct Counter<'a> {
    selection: &'a Selection,
    /// What was counted.
    pub evidence: Evidence,
    /// The number of the first deck of segment 0: how many an earlier look had.
    first_deck: u64,
    /// Blocks of the segment that were observed.
    observed: usize,
    /// Whether some statistics are shown all relative decks of a segment at once.
    keeps_relative: bool,
    /// The relative decks of the segment, or else of a batch. They go from place to place, whatever the cards are called.
    relative: Vec<DeckBlock>,
    /// The decks of the segment by the dealer's numbers of the cards, where it has its own.
    numbered: Vec<DeckBlock>,
    views: Views,
    table: Option<&'static StudTable>,
    /// The hands of the segment, dealt once for all statistics, where there is a table.
    hands: Vec<Hands>,
}

impl<'a> Counter<'a> {
    /// Nothing counted yet.
    pub fn new(selection: &'a Selection) -> Counter<'a> {
        Counter::from(0, selection)
    }

    /// Nothing counted yet of a look that begins with this deck.
    pub fn from(first_deck: u64, selection: &'a Selection) -> Counter<'a> {
        let (evidence, table) = (Evidence::new(selection), selection.table());
        let mut of_relative = selection.seeing(View::Relative);
        Counter {
            selection,
            evidence,
            first_deck,
            observed: 0,
            keeps_relative: of_relative.any(|statistic| statistic.scope() != Scope::Batch),
            relative: Vec::new(),
            numbered: Vec::new(),
            views: Views::new(),
            table,
            hands: Vec::new(),
        }
    }

    /// Counts all blocks of one segment.
    pub fn count_segment(&mut self, segment: Segment, blocks: &[DeckBlock]) {
        for first in (0..blocks.len()).step_by(BATCH_BLOCKS) {
            self.observe(segment.number, blocks, first..blocks.len().min(first + BATCH_BLOCKS));
        }
        self.close_segment(segment, blocks);
    }

    /// Adds the next blocks of segment `number`, at most [`BATCH_BLOCKS`] of them. `read` is what was read of the segment: one
    /// block more at least than those of the batch, for the link to it, unless the segment ends with them.
    pub fn observe(&mut self, number: u64, read: &[DeckBlock], batch: Range<usize>) {
        // Only the last block of a look is short.
        let first_deck = self.first_deck + number * SEGMENT_DECKS + (batch.start * BLOCK_HANDS) as u64;
        assert_eq!(self.observed, batch.start, "batches follow one another");
        self.observed = batch.end;
        // What is there of another segment or batch is written over: only the first time memory is made.
        let first = if self.keeps_relative { batch.start } else { 0 };
        let own = first..first + batch.len();
        if self.relative.len() < own.end {
            self.relative.resize(own.end, DeckBlock::default());
        }
        self.number(read, read.len().min(batch.end + 1));
        let Counter { selection, relative, numbered, views, evidence, .. } = self;
        let mut show = |read: &[DeckBlock], only: Option<Label>| {
            let batch = Batch { read, own: batch.clone() };
            views.begin(selection, &batch);
            for evidence in &mut evidence.views {
                views.show(evidence.view, &batch, &mut relative[own.clone()], |blocks, decks| {
                    evidence.observe(Shown { selection, only }, first_deck, blocks, decks);
                });
            }
        };
        if selection.numbers.is_some() {
            show(numbered, Some(Label::Number));
        }
        show(read, selection.numbers.map(|_| Label::Card));
        if let Some(table) = self.table {
            let blocks = &read[batch.clone()];
            self.hands.extend(blocks.iter().map(|block| Hands::of_block(table, block)));
            let deals = Deals { table, blocks, hands: &self.hands[batch.start..] };
            self.evidence.views[0].observe_dealt(self.selection, Scope::Batch, &deals);
        }
    }

    /// Closes a segment whose blocks have all been observed.
    pub fn close_segment(&mut self, segment: Segment, blocks: &[DeckBlock]) {
        let segment = Segment { draw: self.selection.draw, ..segment };
        assert_eq!(self.observed, blocks.len(), "a segment is closed when all of it was seen");
        self.number(blocks, blocks.len());
        let relative = if self.keeps_relative { &self.relative[..blocks.len()] } else { &[] };
        for evidence in &mut self.evidence.views {
            let by_number = match evidence.view {
                View::Deck => &self.numbered[..],
                View::Relative => relative,
                View::Inverse | View::RelativeCards => continue,
            };
            let blocks = if evidence.view == View::Deck { blocks } else { relative };
            let mut show = |blocks: &[DeckBlock], only| {
                evidence.observe_segment(Shown { selection: self.selection, only }, segment, blocks);
            };
            if self.selection.numbers.is_some() {
                show(by_number, Some(Label::Number));
            }
            show(blocks, self.selection.numbers.map(|_| Label::Card));
        }
        if let Some(table) = self.table {
            let deals = Deals { table, blocks, hands: &self.hands };
            self.evidence.views[0].observe_dealt(self.selection, Scope::Segment, &deals);
        }
        self.observed = 0;
        self.numbered.clear();
        self.hands.clear();
    }

    /// Calls the cards of the first blocks of a segment by the dealer's numbers, those of them that are not yet.
    fn number(&mut self, read: &[DeckBlock], blocks: usize) {
        if let Some(numbers) = &self.selection.numbers {
            self.numbered
                .extend(read[self.numbered.len()..blocks].iter().map(|block| block.renamed(numbers)));
        }
    }
}
