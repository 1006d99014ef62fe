//! The battery: deck-level statistics, each with its exact null.
//!
//! Adding a statistic takes one file here and one line in [`all`].

mod adjacency;
mod birthday_spacings;
mod card_place;
mod collisions;
mod cycles;
mod digits;
pub mod duplicates;
mod even_odd;
mod exceedances;
mod filters;
mod first_cards;
mod first_three;
mod footrule;
mod halves;
mod histogram;
mod inversions;
mod kolmogorov;
mod lags;
mod linear;
mod longest_cycle;
mod longest_run;
mod margins;
mod matches;
mod monotone;
mod neighbours;
mod numbers;
mod one_place;
mod overlaps;
mod pairs;
mod parity;
mod place_pairs;
mod rare_hands;
mod records;
mod rising_sequences;
mod runs;
mod seat_suits;
mod spectral;
mod stream;
mod successions;
mod table;
#[cfg(test)]
mod undone;
mod walk;

pub mod kernel;
pub mod standards;
pub mod stud;

use serde::{Deserialize, Serialize};

use crate::battery::stud::Seated;
use crate::deck::block::DeckBlock;

/// Which decks a statistic is shown: each view is independent and uniform if the decks are.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum View {
    /// The decks c_t themselves: the card at every place.
    Deck,
    /// The relative decks r_t = v_{t+1}∘c_t of neighbours inside a segment: for every place of a deck, where its
    /// card lies in the next one. Every statistic of one deck is an exact serial test.
    Relative,
    /// The inverse decks v_t: the place of every card.
    Inverse,
    /// The relative decks by card, r'_t = c_{t+1}∘v_t: for every card, which one lies at its place in the next deck.
    RelativeCards,
}

impl View {
    /// All of them, in the order of certificates.
    pub const ALL: [View; 4] = [View::Deck, View::Relative, View::Inverse, View::RelativeCards];

    /// For what an inverse or a renaming of the cards does not change, such as cycles.
    const PLAIN: &[View] = &[View::Deck, View::Relative];

    /// For what an inverse does not change, or where that of the deck would tell little more.
    const OF_STEPS: &[View] = &[View::Deck, View::Relative, View::RelativeCards];

    /// For pairs and seats of one rank or suit, which places do not have.
    const OF_CARDS: &[View] = &[View::Deck, View::RelativeCards];

    /// The name in ids and tables.
    pub fn name(self) -> &'static str {
        match self {
            View::Deck => "deck",
            View::Relative => "relative",
            View::Inverse => "inverse",
            View::RelativeCards => "relative-cards",
        }
    }

    /// Whether it holds pairs of neighbouring decks.
    pub fn is_of_pairs(self) -> bool {
        match self {
            View::Deck | View::Inverse => false,
            View::Relative | View::RelativeCards => true,
        }
    }

    /// Which tier shows it: core, that is any, or one that takes longer to make.
    fn tier(self) -> Tier {
        match self {
            View::Deck | View::Relative => Tier::Core,
            View::Inverse | View::RelativeCards => Tier::Deep,
        }
    }

    /// The views of some tiers, in the order of certificates.
    pub fn of_tiers(tiers: &[Tier]) -> Vec<View> {
        let is_wanted = |view: &View| view.tier() == Tier::Core || tiers.contains(&view.tier());
        View::ALL.into_iter().filter(is_wanted).collect()
    }
}

/// How dear a statistic is; a plan names the tiers it runs.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Tier {
    /// The fast kernels.
    Core,
    /// The rest.
    Deep,
    /// Dealt hands, which need a table: rules and a number of players.
    Stud,
}

impl Tier {
    /// All of them.
    pub const ALL: [Tier; 3] = [Tier::Core, Tier::Deep, Tier::Stud];

    /// Those that see decks and need no table.
    pub const OF_DECKS: [Tier; 2] = [Tier::Core, Tier::Deep];

    /// The name in plans and arguments.
    pub fn name(self) -> &'static str {
        match self {
            Tier::Core => "core",
            Tier::Deep => "deep",
            Tier::Stud => "stud",
        }
    }
}

/// Decks of a segment, after which counting begins anew for all that looks from deck to deck.
pub const SEGMENT_DECKS: u64 = 65_536;

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
}

/// How far the tail of a p-value can be trusted.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Tail {
    /// The distribution of the statistic is known exactly.
    Exact,
    /// The p-value is a proven upper bound (Chernoff, Agrawal, Bonferroni of exact distributions).
    Bound,
    /// χ² with every expectation at least 1,000.
    #[serde(rename = "large expectations")]
    LargeExpectations,
    /// An approximation: it may raise a question, it may not convict.
    Asymptotic,
}

impl Tail {
    /// Whether a p-value with this tail may convict on its own.
    pub fn may_convict(self) -> bool {
        self != Tail::Asymptotic
    }

    /// The name in certificates.
    pub fn name(self) -> &'static str {
        match self {
            Tail::Exact => "exact",
            Tail::Bound => "bound",
            Tail::LargeExpectations => "large expectations",
            Tail::Asymptotic => "asymptotic",
        }
    }
}

/// How a p-value lies under the null: what calibration may ask of it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Spread {
    /// Uniform on 0 to 1, as near as the approximation gets.
    Uniform,
    /// The steps of a discrete score: `p = min(1, 2·min(lower, upper))`. The tails overlap by the
    /// probability of the value seen, which calibration shares out at random.
    Steps {
        /// `P(X ≤ x)`.
        lower: f64,
        /// `P(X ≥ x)`.
        upper: f64,
    },
    /// No larger than it should be, often smaller: proven bounds, and Bonferroni over many chances.
    Conservative,
}

/// What the pictures show of an outcome: observed beside expected, never interpreted here.
#[derive(Clone, PartialEq, Debug)]
pub enum Exhibit {
    /// Nothing but the number.
    None,
    /// A histogram and its null.
    Histogram {
        /// The horizontal axis.
        axis: &'static str,
        /// Value of each bar.
        values: Vec<f64>,
        /// How often it was seen.
        observed: Vec<u64>,
        /// How often it is expected.
        expected: Vec<f64>,
    },
    /// A square table of counts with one expectation for every cell, row by row.
    Table {
        /// What a row is.
        row_axis: &'static str,
        /// What a column is.
        column_axis: &'static str,
        /// Rows and columns.
        side: usize,
        /// Counts, row by row.
        observed: Vec<u64>,
        /// Expectation of each cell.
        expected: f64,
        /// Standard deviation of each cell, for standardised residuals.
        deviation: f64,
    },
}

/// One p-value of a statistic on one view.
#[derive(Clone, PartialEq, Debug)]
pub struct Outcome {
    /// The part of the statistic, such as `total` or `mean`.
    pub part: &'static str,
    /// What the score is, such as `χ²(2601)`.
    pub score_name: String,
    /// The score.
    pub score: f64,
    /// Two-sided: "too good" counts, once.
    pub p_value: f64,
    /// How far `p_value` can be trusted.
    pub tail: Tail,
    /// A proven upper bound where `p_value` is an approximation: what may convict in its stead.
    pub p_value_bound: Option<f64>,
    /// How `p_value` lies under the null.
    pub spread: Spread,
    /// For the pictures.
    pub exhibit: Exhibit,
}

/// The joint for one more statistic: one file in `src/battery/`, one line in [`all`].
///
/// Stateless: the engine owns the counts, adds them, and hands them back. A statistic never sees a
/// significance level, and `finish` is the only place where floats appear.
pub trait Statistic: Sync {
    /// What it is.
    fn about(&self) -> &'static About;

    /// Its family: families share the level equally, whatever their size, and all p-values of one family
    /// on all views share its part (weighted Holm). One p-value each: Bonferroni over cells is done.
    fn family(&self) -> &'static str {
        self.about().id
    }

    /// How many counts it keeps.
    fn cells(&self) -> usize;

    /// The views on which it means something and counts what is not counted on another. Of [`View::Inverse`] and
    /// [`View::RelativeCards`] no more than a batch is ever kept: they are for [`Scope::Batch`].
    fn views(&self) -> &'static [View] {
        View::PLAIN
    }

    /// Itself, if it counts hands dealt at a table: the engine then deals and ranks once for all of them.
    fn seated(&self) -> Option<&Seated> {
        None
    }

    /// What [`observe`](Statistic::observe) is shown at a time.
    fn scope(&self) -> Scope {
        Scope::Batch
    }

    /// Adds the decks of consecutive blocks to the counts (`counts.len() == cells()`). Lanes from
    /// `hands()` on hold 63 at every place and must not count.
    fn observe(&self, blocks: &[DeckBlock], counts: &mut [u64]);

    /// The same of all decks of segment number `number`, of [`Scope::Segment`].
    fn observe_segment(&self, _number: u64, blocks: &[DeckBlock], counts: &mut [u64]) {
        self.observe(blocks, counts);
    }

    /// How many decks the counts hold, or `None` if they contradict themselves: every deck adds the same
    /// to each margin of a table and one to each histogram.
    fn decks_in(&self, counts: &[u64]) -> Option<u64>;

    /// P-values of the counts of `decks` decks. The order and number of parts depend on `decks` only.
    fn finish(&self, counts: &[u64], decks: u64) -> Vec<Outcome>;
}

/// The sum that all these lists of counts share, if they share one.
fn common_sum<I: Iterator<Item = u64>>(lists: impl IntoIterator<Item = I>) -> Option<u64> {
    let mut sums = lists.into_iter().map(|mut list| list.try_fold(0u64, u64::checked_add));
    let first = sums.next().flatten()?;
    sums.all(|sum| sum == Some(first)).then_some(first)
}

static ALL: &[&dyn Statistic] = &[
    &card_place::CardPlace,
    &adjacency::Adjacency,
    &cycles::Cycles,
    &inversions::Inversions,
    &rising_sequences::RisingSequences,
    &parity::Parity,
    &exceedances::EXCEEDANCES,
    &successions::SUCCESSIONS,
    &records::RECORDS,
    &runs::RUNS,
    &longest_cycle::LONGEST_CYCLE,
    &monotone::MONOTONE,
    &footrule::Footrule,
    &longest_run::LONGEST_RUN,
    &digits::Down,
    &digits::Ways,
    &spectral::Spectral,
    &linear::Linear,
    &matches::Matches,
    &overlaps::OVERLAPS,
    &neighbours::NEIGHBOURS,
    &place_pairs::PlacePairs,
    &first_cards::FirstCards,
    &first_three::FirstThree,
    &collisions::Collisions,
    &birthday_spacings::BirthdaySpacings,
    &one_place::OnePlace,
    &even_odd::EvenOdd,
    &halves::Halves,
    &lags::Lags,
    &seat_suits::SeatSuits,
    &rare_hands::RareHands,
    &kolmogorov::Kolmogorov,
];

/// The statistics of decks of some tiers, in the order of [`all`]; those of dealt hands are
/// [`stud::at_table`].
pub fn of_tiers(tiers: &[Tier]) -> Vec<&'static dyn Statistic> {
    all().iter().copied().filter(|statistic| tiers.contains(&statistic.about().tier)).collect()
}

/// What every statistic is, with its family: those of decks, those of dealt hands.
pub fn abouts() -> impl Iterator<Item = (&'static About, &'static str)> {
    all().iter().map(|statistic| (statistic.about(), statistic.family())).chain(stud::abouts())
}

/// Every statistic of decks.
pub fn all() -> &'static [&'static dyn Statistic] {
    ALL
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn ids_are_distinct_lower_case_words() {
        let ids: HashSet<&str> = abouts().map(|(about, _)| about.id).collect();
        assert_eq!(ids.len(), abouts().count());
        for id in ids {
            assert!(id.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-'), "{id}");
        }
    }
}
