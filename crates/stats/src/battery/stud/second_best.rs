//! The second-best hand of a deck: what keeps a pot growing.
//!
//! Null: the strength of the second-best high hand, in 117 cells from the weakest up (kind of hand, then its
//! leading rank), has the distribution of the certified shuffle. Nobody knows that exactly, so that two samples are
//! compared, of which the reference has [`reference::decks`] decks. Parts:
//! `histogram`, `Σ (o√(M/N) − r√(N/M))²/(o + r)` ~ χ², cells pooled to an expectation of 10; `mean` of the cell's
//! number, z.

use crate::battery::outcome::Outcome;
use crate::battery::statistic::{About, Design};
use crate::battery::stud::deals::Deals;
use crate::battery::stud::leading_ranks::{CELLS, count};
use crate::battery::stud::table::StudTable;
use crate::battery::stud::{HandStatistic, parts, reference};
use crate::battery::tail::Tail;
use crate::battery::tier::Tier;
use crate::math::distribution::Distribution;
use crate::math::multinomial::Cells;
use crate::math::{bonferroni, chernoff, normal};

pub(super) struct SecondBest;

pub(super) const ABOUT: About = About {
    id: "second-best",
    version: 2,
    tier: Tier::Stud,
    title: "second-best hand of a deck",
    null: "The second-best hand is as strong as in a reference sample of the certified shuffle.",
    source: "two samples: Σ (o√(M/N) − r√(N/M))²/(o + r) ~ χ² of the pooled cells less one, M the decks of the reference \
             sample; mean: z with the variance of the reference, bound by \
             Chernoff (1952) of both samples together",
    detects: "Action dealers: decks that give two seats hands they cannot fold.",
    decks_min: 100,
    design: Design { parts: 2, ..Design::OF_DECKS },
};

impl HandStatistic for SecondBest {
    fn cells(&self, _: &StudTable) -> usize {
        CELLS
    }

    /// `counts[13·kind + leading rank]`.
    fn observe(&self, deals: &Deals, counts: &mut [u64]) {
        count(deals, counts);
    }

    fn outcomes(&self, table: &StudTable, counts: &[u64], decks: u64) -> Vec<Outcome> {
        let reference = reference::second_best(table);
        let points = parts::normalised(reference.iter().map(|&count| count as f64));
        let pooled = parts::cells(counts, &points).pooled();
        let histogram = pooled.is_smooth().then(|| histogram(&pooled, decks as f64, counts, &points));
        histogram.into_iter().chain([mean(counts, reference, &points, decks as f64)]).collect()
    }
}

fn histogram(pooled: &Cells, decks: f64, counts: &[u64], points: &[f64]) -> Outcome {
    let reference_decks = reference::decks() as f64;
    let term = |(&o, e): (&u64, &f64)| {
        // The reference holds r = e·M/N of them: (o√(M/N) − r√(N/M))² = (o − e)²·M/N.
        let (o, r) = (o as f64, e * reference_decks / decks);
        (o - e).powi(2) * (reference_decks / decks) / (o + r)
    };
    let score = pooled.observed.iter().zip(&pooled.expected).map(term).sum();
    let name = format!("χ²({}) against {reference_decks:.0} reference decks", pooled.freedom());
    let tail = Tail::large_if(pooled.is_large());
    let exhibit = parts::bars("kind of hand, then its leading rank", counts, points);
    Outcome { exhibit, ..Outcome::smooth("histogram", name, score, pooled.p_value_of(score), tail) }
}

/// Proven: if both samples are of one distribution, the decks are a sample without replacement of all of them together. The sum
/// of such a sample has no larger moment `E e^{θS}` than one with replacement (Hoeffding 1963, theorem 4), so that Chernoff's
/// bound for both together holds for each side, twice.
fn bound(counts: &[u64], reference: &[u64]) -> f64 {
    let both = parts::normalised(counts.iter().zip(reference).map(|(own, other)| (own + other) as f64));
    let sum: u64 = counts.iter().zip(0u64..).map(|(count, cell)| count * cell).sum();
    bonferroni(2.0, chernoff::bound(&Distribution::new(0, both), counts.iter().sum(), sum))
}

fn mean(counts: &[u64], reference: &[u64], points: &[f64], decks: f64) -> Outcome {
    let moment = |f: &dyn Fn(f64) -> f64| -> f64 {
        points.iter().enumerate().map(|(cell, p)| p * f(cell as f64)).sum()
    };
    let centre = moment(&|cell| cell);
    let variance = moment(&|cell| (cell - centre).powi(2));
    let seen: f64 =
        counts.iter().enumerate().map(|(cell, &count)| count as f64 * cell as f64).sum::<f64>() / decks;
    let z = (seen - centre) / (variance * (1.0 / decks + 1.0 / reference::decks() as f64)).sqrt();
    let name = format!("z against {} reference decks", reference::decks());
    Outcome::smooth("mean", name, z, normal::two_sided(z), Tail::Asymptotic)
        .bounded_by(bound(counts, reference))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Four cells that expect 500 and 5,000 each: a χ² may convict where all expect 1,000.
    #[test]
    fn the_histogram_convicts_by_large_expectations_alone() {
        for (each, tail) in [(500, Tail::Asymptotic), (5_000, Tail::LargeExpectations)] {
            let (counts, points) = ([each; 4], [0.25; 4]);
            let pooled = parts::cells(&counts, &points).pooled();
            assert_eq!(histogram(&pooled, 4.0 * each as f64, &counts, &points).tail, tail);
        }
    }
}
