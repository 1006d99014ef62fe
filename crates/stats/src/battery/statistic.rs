//! What a statistic is: the joint for one more.

use crate::battery::lists::List;
use crate::battery::outcome::Outcome;
use crate::battery::stud::deals::Seated;
use crate::battery::tier::Tier;
use crate::battery::view::{Label, View};
use deckproof_deck::deck::block::DeckBlock;
use deckproof_deck::deck::orders::Decks;

/// Decks of a segment, after which counting begins anew for all that looks from deck to deck.
pub const SEGMENT_DECKS: u64 = 65_536;

/// How many decks of a view `decks` decks give: of pairs of neighbours one less than each segment holds.
pub fn decks_of(view: View, decks: u64) -> u64 {
    if view.is_of_pairs() { decks - decks.div_ceil(SEGMENT_DECKS) } else { decks }
}

/// What a statistic is shown at a time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scope {
    /// Some consecutive blocks, in any order and any cut: decks count one by one.
    Batch,
    /// All blocks of one segment of 65,536 decks, the last one perhaps short: links between decks of
    /// one segment count, links across its border do not.
    Segment,
    /// The first segment only, whole: a stated prefix of the decks.
    Prefix,
    /// The segments of numbers 1, 2, 4, 8, … and the last one, each whole: declared before any data, and few.
    Declared,
}

/// Which segment of a run is shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Segment {
    /// Its number, counted from 0 over all shards of a run.
    pub number: u64,
    /// Whether it is known to be the run's last. Of a stream without a number of decks a segment that is full is not.
    pub is_last: bool,
    /// What the plan draws windows by: the beginning of its hash.
    pub draw: u64,
}

impl Segment {
    /// The only one of a run.
    pub const ONLY: Segment = Segment::new(0, true);

    /// One of a run without a plan.
    pub const fn new(number: u64, is_last: bool) -> Segment {
        Segment { number, is_last, draw: 0 }
    }

    /// Segment `number` of a run of so many decks, if that is known, `held` of them its own.
    pub fn of_run(number: u64, decks: Option<u64>, held: u64) -> Segment {
        let is_last = match decks {
            Some(decks) => (number + 1).saturating_mul(SEGMENT_DECKS) >= decks,
            None => held < SEGMENT_DECKS,
        };
        Segment::new(number, is_last)
    }

    /// Whether statistics of [`Scope::Declared`] look at it.
    pub fn is_declared(self) -> bool {
        self.number > 0 && (self.number.is_power_of_two() || self.is_last)
    }
}

/// What a statistic is and what it claims, in sentences a report can print.
#[derive(Debug)]
pub struct About {
    /// Its id in plans and certificates, lower-case words with hyphens.
    pub id: &'static str,
    /// Raised whenever its counts or p-values change meaning.
    pub version: u32,
    /// Which tier runs it.
    pub tier: Tier,
    /// What people call it.
    pub title: &'static str,
    /// Its null hypothesis in one sentence.
    pub null: &'static str,
    /// Formula and source: author, year, section.
    pub source: &'static str,
    /// What kind of fault it sees.
    pub detects: &'static str,
    /// Fewer decks than this and it says nothing.
    pub decks_min: u64,
    /// Which decks it is shown and with whom it shares its level.
    pub design: Design,
}

impl About {
    /// Its family, or its own id.
    pub fn family(&self) -> &'static str {
        self.design.family.unwrap_or(self.id)
    }
}

/// Which decks a statistic is shown, how many p-values it has, and with whom it shares its level: stated before any data.
#[derive(Debug)]
pub struct Design {
    /// Its family, where it is not alone in one of its own name: families share the level equally, whatever their size, and
    /// all p-values of one family on all views share its part (weighted Holm). One p-value each: Bonferroni over cells is done.
    pub family: Option<&'static str>,
    /// The views on which it means something and counts what is not counted on another. Of [`View::Inverse`] and
    /// [`View::RelativeCards`] no more than a batch is ever kept: they are for [`Scope::Batch`].
    pub views: &'static [View],
    /// What it takes a card for: what asks for the order, the cycles or the draws of a shuffle takes it for its number,
    /// what asks for ranks and suits or names cards for the card.
    pub label: Label,
    /// What [`observe`](Statistic::observe) is shown at a time.
    pub scope: Scope,
    /// How many p-values it can have at most, with decks enough for all of them.
    pub parts: u64,
}

impl Design {
    /// That of most: a family of its own, decks and steps one by one, cards as numbers, and one p-value.
    pub const PLAIN: Design =
        Design { family: None, views: View::PLAIN, label: Label::Number, scope: Scope::Batch, parts: 1 };

    /// The same of what decks hold and the steps between them do not, such as draws and dealt hands.
    pub const OF_DECKS: Design = Design { views: &[View::Deck], ..Design::PLAIN };
}

/// The joint for one more statistic: one file on a shelf of `crates/stats/src/battery/`, one line in
/// [`catalogue`](crate::battery::catalogue).
///
/// Stateless: the engine owns the counts, adds them, and hands them back. A statistic never sees a
/// significance level, and `outcomes` is the only place where floats appear.
pub trait Statistic: Sync {
    /// What it is.
    fn about(&self) -> &'static About;

    /// Its family: that of its [`Design`], or its own.
    fn family(&self) -> &'static str {
        self.about().family()
    }

    /// How many counts it keeps.
    fn cells(&self) -> usize;

    /// How many p-values it can have at most of `decks` decks of a view, [`u64::MAX`] if nobody knows how many will come: its
    /// part of the m_f that a plan states before any data.
    fn parts(&self, _decks: u64) -> u64 {
        self.about().design.parts
    }

    /// The views of its [`Design`].
    fn views(&self) -> &'static [View] {
        self.about().design.views
    }

    /// What it takes a card for on a view.
    fn label(&self, _view: View) -> Label {
        self.about().design.label
    }

    /// Itself, if it counts hands dealt at a table: the engine then deals and ranks once for all of them.
    fn seated(&self) -> Option<&dyn Seated> {
        None
    }

    /// What [`observe`](Statistic::observe) is shown at a time.
    fn scope(&self) -> Scope {
        self.about().design.scope
    }

    /// Adds the decks of consecutive blocks to the counts (`counts.len() == cells()`). Lanes from
    /// `hands()` on hold 63 at every place and must not count.
    fn observe(&self, blocks: &[DeckBlock], counts: &mut [u64]);

    /// The same of decks that are shown one by one too, where the processor is quicker with them.
    fn observe_orders(&self, blocks: &[DeckBlock], _decks: Decks, counts: &mut [u64]) {
        self.observe(blocks, counts);
    }

    /// The same of all decks of one segment, of [`Scope::Segment`] and [`Scope::Declared`].
    fn observe_segment(&self, _segment: Segment, blocks: &[DeckBlock], counts: &mut [u64]) {
        self.observe(blocks, counts);
    }

    /// Brings counts into the form in which a certificate keeps them: decks, p-values and pictures stay as they are, but
    /// what is where is given up where nothing asks for it, and what nothing asks for is 0. Twice is as once.
    fn keep(&self, _counts: &mut [u64]) {}

    /// How many decks the counts hold, or `None` if they contradict themselves: every deck adds the same
    /// to each margin of a table and one to each histogram.
    fn decks_in(&self, counts: &[u64]) -> Option<u64>;

    /// The same of the counts of a part whose first segment is not the run's: what counts by the number of the
    /// segment cannot know how many of them it has seen.
    fn decks_in_part(&self, counts: &[u64]) -> Option<u64> {
        self.decks_in(counts)
    }

    /// Whether a run of `decks` decks can have left counts that hold `held` of them, by its [`scope`](Statistic::scope).
    fn can_hold(&self, held: u64, decks: u64) -> bool {
        held == decks
    }

    /// How many decks each part reads at most of those it is shown, by the number that its reading goes by too; nothing of
    /// parts that read all of them.
    fn reads(&self) -> Vec<(&'static str, u64)> {
        Vec::new()
    }

    /// How many decks the p-value of a part rests on, of counts of `decks` decks of its view.
    fn decks_read(&self, part: &str, counts: &[u64], decks: u64) -> u64 {
        let shown = match self.scope() {
            Scope::Prefix | Scope::Declared => self.decks_in(counts).unwrap_or(decks),
            Scope::Batch | Scope::Segment => decks,
        };
        shown.min(self.reads_at_most(part))
    }

    /// The most decks that a part reads.
    fn reads_at_most(&self, part: &str) -> u64 {
        self.reads().into_iter().find(|(name, _)| *name == part).map_or(u64::MAX, |(_, most)| most)
    }

    /// What it did not try of what it looks for, in words for a list of what did not run.
    fn left_out(&self, _counts: &[u64]) -> Option<String> {
        None
    }

    /// Of a part that is the most extreme of single decks: the count of the decks that have its value, by its place among the
    /// counts.
    fn extreme_cell(&self, _part: &str, _counts: &[u64]) -> Option<usize> {
        None
    }

    /// What two sets of decks can be compared by; nothing for counts to which a deck may add more than one.
    fn lists(&self) -> Vec<List> {
        Vec::new()
    }

    /// P-values of the counts of `decks` decks, of which there are enough, at most [`parts`](Statistic::parts) of them and each
    /// with a name of its own.
    fn outcomes(&self, counts: &[u64], decks: u64) -> Vec<Outcome>;

    /// The same; nothing of fewer decks than it needs.
    fn finish(&self, counts: &[u64], decks: u64) -> Vec<Outcome> {
        assert_eq!(counts.len(), self.cells());
        if decks < self.about().decks_min { Vec::new() } else { self.outcomes(counts, decks) }
    }
}

/// What most statistics are, and how many counts they keep, where both are constants.
macro_rules! about_and_cells {
    ($about:expr, $cells:expr) => {
        fn about(&self) -> &'static $crate::battery::statistic::About {
            &$about
        }

        fn cells(&self) -> usize {
            $cells
        }
    };
}
pub(in crate::battery) use about_and_cells;

/// The sum of counts, if a number holds it.
pub(super) fn checked_sum(counts: &[u64]) -> Option<u64> {
    common_sum([counts.iter().copied()])
}

/// The sum that all these lists of counts share, if they share one.
pub(super) fn common_sum<I: Iterator<Item = u64>>(lists: impl IntoIterator<Item = I>) -> Option<u64> {
    let mut sums = lists.into_iter().map(|mut list| list.try_fold(0u64, u64::checked_add));
    let first = sums.next().flatten()?;
    sums.all(|sum| sum == Some(first)).then_some(first)
}
