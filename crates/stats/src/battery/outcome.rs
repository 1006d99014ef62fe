//! What a statistic says of its counts: p-values, and what pictures show.

use crate::battery::tail::Tail;
use crate::math::multinomial::Cells;
use crate::math::{bonferroni, two_sided};

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

impl Outcome {
    /// Pearson's χ² of cells that are pooled, or need no pooling, with Agrawal's bound.
    pub(super) fn pearson(part: &'static str, cells: &Cells) -> Outcome {
        // Fewer than two cells say nothing; only a forged tally has them.
        let p_value = if cells.freedom() < 1.0 { 1.0 } else { cells.p_value() };
        let name = format!("χ²({})", cells.freedom());
        let outcome = Outcome::smooth(part, name, cells.pearson(), p_value, Tail::large_if(cells.is_large()));
        Outcome { p_value_bound: Some(cells.bound()), ..outcome }
    }

    /// The worst of so many scores, whose own p-value is this: proven, by Bonferroni's inequality.
    pub(super) fn of_worst(
        part: &'static str,
        score_name: &str,
        score: f64,
        chances: usize,
        p_value: f64,
    ) -> Outcome {
        Outcome::bound(part, score_name, score, bonferroni(chances as f64, p_value))
    }

    /// A p-value that is never smaller than it should be: proven, where nothing else is stated of its tail.
    pub(super) fn bound(
        part: &'static str,
        score_name: impl Into<String>,
        score: f64,
        p_value: f64,
    ) -> Outcome {
        Outcome {
            part,
            score_name: score_name.into(),
            score,
            p_value,
            tail: Tail::Bound,
            p_value_bound: None,
            spread: Spread::Conservative,
            exhibit: Exhibit::None,
        }
    }

    /// With a p-value that is close in the middle alone, and one that is proven to be no smaller than it should be.
    pub(super) fn bounded_by(self, p_value_bound: f64) -> Outcome {
        Outcome { tail: Tail::Asymptotic, p_value_bound: Some(p_value_bound), ..self }
    }

    /// A p-value that is close as far as that of its tail.
    pub(super) fn smooth(
        part: &'static str,
        score_name: impl Into<String>,
        score: f64,
        p_value: f64,
        tail: Tail,
    ) -> Outcome {
        Outcome { tail, spread: Spread::Uniform, ..Outcome::bound(part, score_name, score, p_value) }
    }

    /// A discrete score and its tails `P(X ≤ x)` and `P(X ≥ x)`: exact, where nothing else is stated of them.
    pub(super) fn exact(
        part: &'static str,
        score_name: impl Into<String>,
        score: f64,
        lower: f64,
        upper: f64,
    ) -> Outcome {
        Outcome {
            part,
            score_name: score_name.into(),
            score,
            p_value: two_sided(lower, upper),
            tail: Tail::Exact,
            p_value_bound: None,
            spread: Spread::Steps { lower, upper },
            exhibit: Exhibit::None,
        }
    }
}
