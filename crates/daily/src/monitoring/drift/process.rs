//! The bets of one group of tables: dyadic components with finite weights, their counts, and what is frozen.

use serde::{Deserialize, Serialize};

use deckproof_deck::card::DECK_CARDS;
use deckproof_stats::math::dirichlet::{ln_mixture_ratio, ln_sum_exp};

/// Levels of the grid: its horizon is 2^14 days, 44.9 years.
pub const LEVELS: u32 = 14;

/// Prior counts of a cell of average size: how close around the null the mixture lies. 10⁴ is about a hundredth of a cell.
const PRIORS: [f64; 6] = [1e2, 1e3, 1e4, 1e5, 1e6, 1e7];

/// Exponents κ of the bets on p-values, `e(p) = κ·p^(κ−1)` (Vovk and Wang 2021, "E-values: calibration, combination, and
/// applications", Annals of Statistics 49, section 2): the mean over them is paid.
const KAPPAS: [f64; 3] = [0.1, 0.3, 0.5];

/// `−ln p` is added in units of 2^−20, rounded down, so that sums do not depend on their order.
const P_VALUE_UNIT: f64 = 1_048_576.0;

/// What is counted each day.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Counted {
    /// Tables of equally probable cells.
    #[default]
    Tables,
    /// One p-value a day, as [`p_value_counts`] has it.
    PValues,
    /// Draws of a shuffle: for each base m = 1..=52 a table of m equally probable cells, one after the other.
    Draws,
}

impl Counted {
    fn is_tables(&self) -> bool {
        *self == Counted::Tables
    }
}

/// Tables of equally probable cells, counted each day.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Shape {
    /// How many tables, whose evidence is averaged.
    pub tables: usize,
    /// Equally probable cells of each.
    pub cells: usize,
    /// What stands in them.
    #[serde(default, skip_serializing_if = "Counted::is_tables")]
    pub counted: Counted,
}

/// The shape of one p-value a day.
pub const P_VALUES: Shape = Shape { tables: 1, cells: 2, counted: Counted::PValues };

/// The shape of the draws of a shuffle: base m begins at cell m(m−1)/2.
pub const DRAWS: Shape =
    Shape { tables: 1, cells: DECK_CARDS * (DECK_CARDS + 1) / 2, counted: Counted::Draws };

/// A day's p-value as counts that add: one, and `−ln p` in units of 2^−20. A p-value of 0 counts as the smallest number.
pub fn p_value_counts(p_value: f64) -> [u64; 2] {
    let bits = -libm::log(p_value.clamp(f64::MIN_POSITIVE, 1.0));
    [1, (bits * P_VALUE_UNIT).floor() as u64]
}

impl Shape {
    /// Tables of equally probable cells.
    pub const fn of_tables(tables: usize, cells: usize) -> Shape {
        Shape { tables, cells, counted: Counted::Tables }
    }

    fn len(self) -> usize {
        self.tables * self.cells
    }
}

/// Counts since a day.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Since {
    day: u64,
    counts: Vec<u64>,
}

/// The bets on one group of tables, restartable from what it holds.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Process {
    shape: Shape,
    levels: u32,
    /// Days counted.
    days: u64,
    /// Counts since every day on which a running component started, the oldest first.
    running: Vec<Since>,
    /// The logarithm of what frozen components hold; nothing for zero.
    ln_frozen: Option<f64>,
    /// The logarithm of the evidence after the last day.
    ln_evidence: f64,
}

impl Process {
    /// Before the first day.
    pub fn new(shape: Shape) -> Process {
        Process::with_levels(shape, LEVELS)
    }

    /// With another horizon of 2^`levels` days.
    pub(super) fn with_levels(shape: Shape, levels: u32) -> Process {
        Process { shape, levels, days: 0, running: Vec::new(), ln_frozen: None, ln_evidence: 0.0 }
    }

    /// How many days were counted.
    pub fn days(&self) -> u64 {
        self.days
    }

    /// The tables.
    pub fn shape(&self) -> Shape {
        self.shape
    }

    /// Whether what was read back can have been written.
    pub fn is_sound(&self) -> bool {
        let is_sized = |since: &Since| since.counts.len() == self.shape.len() && since.day < self.days;
        self.running.iter().all(is_sized) && self.running.windows(2).all(|pair| pair[0].day < pair[1].day)
    }

    /// The logarithm of the evidence after the last day; 0 before the first.
    pub fn ln_evidence(&self) -> f64 {
        self.ln_evidence
    }

    /// Adds the counts of the next day, table after table, and freezes what ends with it. Days past the horizon change
    /// nothing.
    ///
    /// # Panics
    /// If there are not as many counts as the tables have cells.
    pub fn add_day(&mut self, counts: &[u64]) {
        assert_eq!(counts.len(), self.shape.len());
        if self.days >= self.horizon() {
            return;
        }
        // On every day the component of level 0 starts.
        self.running.push(Since { day: self.days, counts: vec![0; counts.len()] });
        for since in &mut self.running {
            for (sum, count) in since.counts.iter_mut().zip(counts) {
                *sum = sum.saturating_add(*count);
            }
        }
        self.days += 1;
        self.settle();
    }

    /// Values every component that was open, and freezes those whose last day this was.
    fn settle(&mut self) {
        let values: Vec<(u64, f64)> =
            self.running.iter().map(|since| (since.day, self.ln_e(&since.counts))).collect();
        let value = |(level, start): &(u32, u64)| {
            let place = values.binary_search_by_key(start, |&(day, _)| day);
            let place = place.expect("an open component has its counts");
            self.ln_weight(*level) + values[place].1
        };
        let (ended, open): (Vec<_>, Vec<_>) =
            self.components().into_iter().partition(|&(level, start)| self.end(level, start) <= self.days);
        let before = self.ln_frozen.unwrap_or(f64::NEG_INFINITY);
        let frozen = ln_sum_exp(ended.iter().map(value).chain([before]));
        self.ln_evidence = ln_sum_exp(open.iter().map(value).chain([frozen, libm::log(self.cash())]));
        self.ln_frozen = frozen.is_finite().then_some(frozen);
        self.running.retain(|since| open.iter().any(|&(_, start)| start == since.day));
    }

    fn horizon(&self) -> u64 {
        1 << self.levels
    }

    fn ln_weight(&self, level: u32) -> f64 {
        -f64::from(self.levels - level) * std::f64::consts::LN_2 - libm::log(f64::from(self.levels + 1))
    }

    /// The first day after a component's last.
    fn end(&self, level: u32, start: u64) -> u64 {
        (start + (2 << level)).min(self.horizon())
    }

    /// Components that were open on the last day: at most two of a level run, and one of them may end with it.
    fn components(&self) -> Vec<(u32, u64)> {
        let of_level = |level: u32| {
            let step = 1u64 << level;
            let newest = (self.days - 1) / step;
            (newest.saturating_sub(1)..=newest).map(move |k| (level, k * step))
        };
        (0..=self.levels).flat_map(of_level).collect()
    }

    /// The weight of the components that have not started.
    fn cash(&self) -> f64 {
        let of_level = |level: u32| {
            let step = 1u64 << level;
            let started = self.days.div_ceil(step);
            let all = 1u64 << (self.levels - level);
            all.saturating_sub(started) as f64 * libm::exp(self.ln_weight(level))
        };
        (0..=self.levels).map(of_level).sum()
    }

    /// The mean of e over tables and priors, or over the exponents of bets on p-values.
    fn ln_e(&self, counts: &[u64]) -> f64 {
        match self.shape.counted {
            Counted::PValues => ln_e_of_p_values(counts[0], counts[1]),
            Counted::Tables => ln_e_of_tables(counts.chunks(self.shape.cells)),
            // Base 1 draws nothing.
            Counted::Draws => {
                ln_e_of_tables((2..=DECK_CARDS).map(|base| &counts[base * (base - 1) / 2..][..base]))
            }
        }
    }
}

/// The mean of e over tables of equally probable cells, and over the priors.
fn ln_e_of_tables<'a>(tables: impl Iterator<Item = &'a [u64]>) -> f64 {
    let mut ratios = Vec::new();
    for table in tables {
        let points = vec![1.0 / table.len() as f64; table.len()];
        ratios.extend(PRIORS.map(|prior| ln_mixture_ratio(table, &points, prior * table.len() as f64)));
    }
    let many = ratios.len() as f64;
    ln_sum_exp(ratios) - libm::log(many)
}

/// `Π κ·p^(κ−1)` over so many p-values, whose `−ln p` sum to this, averaged over κ. Its expectation is at most 1 for
/// p-values that are uniform or larger, each given the days before it.
fn ln_e_of_p_values(days: u64, sum: u64) -> f64 {
    let (days, sum) = (days as f64, sum as f64 / P_VALUE_UNIT);
    let of_exponent = |kappa: f64| days * libm::log(kappa) + (1.0 - kappa) * sum;
    ln_sum_exp(KAPPAS.map(of_exponent)) - libm::log(KAPPAS.len() as f64)
}
