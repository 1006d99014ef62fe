//! Calibration: how the p-values of every part of the battery lie on fair decks.
//!
//! Every number of decks is tried many times on two unrelated fair dealers. The share of p-values at or
//! below 0.05, 0.01 and 0.001 must lie in two-sided binomial bands, and their distribution must be uniform (Kolmogorov
//! and Smirnov). P-values of discrete scores are randomised first: with u uniform,
//! `P(X < x) + u·P(X = x)` is exactly uniform (Pearson 1950, "On questions raised by the combination of
//! tests based on discontinuous distributions"). Bounds may reject less than they should, never more; the proven bounds,
//! which are what convicts, are counted like the p-values; and no p-value or bound may be smaller than one of so many runs can
//! be, so that counts which come once in a thousand audits and convict are seen whatever part they belong to. Every part is judged at every size, and once over all sizes and
//! both dealers together: with 20,000 runs a part that rejects 1.5 % at 1 % is seen. All
//! bands together, and all tests of uniformity together, fail a calibrated battery with probability at most
//! [`FALSE_ALARM`] each.

pub mod judgement;
pub mod state;
pub mod summary;

use rayon::iter::{IntoParallelIterator, ParallelIterator};

use crate::audit::plan::Plan;
use crate::audit::verdict::Verdict;
use crate::calibration::summary::{CalibratedSize, PartSummary};
use crate::certificate::AuditResult;
use crate::power::Instrument;
use crate::power::incremental::IncrementalEvidence;
use crate::source::audit::Audit;
use crate::source::flawed::Flawed;
use crate::source::os;
use crate::source::{DeckSource, SourceError};
use deckproof_deck::deck::block::BLOCK_HANDS;
use deckproof_deck::key::AuditKey;
use deckproof_deck::keystream::Keystream;
use deckproof_deck::text::named::named;
use deckproof_stats::battery::{Outcome, Spread};
use deckproof_stats::math::{chi_squared, two_sided};

/// Levels at which rejections are counted.
pub const LEVELS: [f64; 3] = [0.05, 0.01, 0.001];

/// Chance that a calibrated battery leaves any of the bands.
pub const FALSE_ALARM: f64 = 1e-4;

/// The key of the fair decks and of the numbers that randomise; public, and fixed so that a run can be
/// repeated.
const KEY: [u8; 32] = *b"deckproof calibration, public k1";

/// Numbers of decks drawn between 10 and 100,000, as many to each factor, always the same: nobody chose them.
pub fn drawn_sizes(sizes: u64) -> Vec<u64> {
    let mut words = Keystream::new(&KEY, u32::MAX);
    let mut drawn = || libm::pow(10f64, 1.0 + 4.0 * f64::from(words.word()) / 2f64.powi(32)) as u64;
    (0..sizes).map(|_| drawn()).collect()
}

/// The part that must fail: card × place against χ² without its factor of 51/52.
pub const CANARY: &str = "canary.card-place.uncorrected";

/// The same mistake with the cards dealt to all seats.
pub const CANARY_OF_SEATS: &str = "canary.seat-cards.uncorrected";

named! {
    /// A fair dealer.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub enum Fair {
        /// The certified shuffle under a fixed audit key: ChaCha20.
        Certified = "certified",
        /// Durstenfeld's shuffle on PCG-XSH-RR 64/32, a congruential generator with permuted output.
        Pcg = "fisher-yates-pcg",
    }
    /// The name in tables.
    pub fn name;
}

impl Fair {
    fn open(self, decks: u64) -> Result<Box<dyn DeckSource>, SourceError> {
        Ok(match self {
            Fair::Certified => Box::new(Audit::new(&AuditKey::from_bytes(KEY), decks)),
            Fair::Pcg => Box::new(Flawed::open(self.name(), decks)?),
        })
    }
}

/// What is calibrated.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CalibrationSettings {
    /// The statistics.
    pub instrument: Instrument,
    /// How often for every number of decks.
    pub runs: u64,
    /// How many work at the same time.
    pub threads: usize,
}

/// One number of decks of one fair dealer, many times: what every part found, in short.
///
/// # Errors
/// [`SourceError`] if the dealer fails.
pub fn calibrate(
    settings: &CalibrationSettings,
    fair: Fair,
    decks: u64,
) -> Result<CalibratedSize, SourceError> {
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(settings.threads.max(1))
        .build()
        .map_err(|error| SourceError::Failed(error.to_string()))?;
    let one = |run: u64| replicate(settings, fair, decks, run);
    let replicates: Vec<Replicate> =
        pool.install(|| (0..settings.runs).into_par_iter().map(one).collect::<Result<_, _>>())?;
    let rejected = replicates.iter().filter(|replicate| replicate.is_rejected).count() as u64;
    Ok(CalibratedSize {
        fair: fair.name().to_owned(),
        decks,
        runs: settings.runs,
        rejected,
        parts: summaries(&replicates),
    })
}

/// What one audit of fair decks found.
struct Replicate {
    parts: Vec<Part>,
    is_rejected: bool,
}

/// One p-value, ready to be compared with the uniform distribution.
struct Part {
    id: String,
    p_value: f64,
    p_value_bound: Option<f64>,
    /// The smaller of p-value and bound, as the verdict sees them.
    seen: f64,
    is_conservative: bool,
}

/// Replicate number `run` reads its own decks: a multiple of 64 further on for each.
fn replicate(
    settings: &CalibrationSettings,
    fair: Fair,
    decks: u64,
    run: u64,
) -> Result<Replicate, SourceError> {
    let stride = decks.next_multiple_of(BLOCK_HANDS as u64);
    let plan = Plan::of_selection(os::record(), Some(decks), &settings.instrument.selection());
    let source = fair.open(stride * settings.runs)?;
    let evidence = IncrementalEvidence::new(source, &plan.selection(), run * stride).until(decks)?;
    let result = AuditResult::of_evidence(&plan, plan.source.clone(), evidence);
    let mut dice = Keystream::new(&dice_key(fair, decks), run as u32);
    let mut parts = Vec::new();
    for judged in result.first.judged(&plan) {
        let id = judged.id();
        if id == "deck.card-place.total" {
            parts.push(canary(CANARY, 2601.0, 52.0 / 51.0, &judged.outcome));
        }
        if let ("deck.seat-cards.dealt", Some(table)) = (id.as_str(), settings.instrument.table) {
            parts.push(canary(
                CANARY_OF_SEATS,
                51.0,
                (52 - table.cards_dealt()) as f64 / 51.0,
                &judged.outcome,
            ));
        }
        parts.push(Part {
            id,
            p_value: randomised(&judged.outcome, (f64::from(dice.word()) + 0.5) / 2f64.powi(32)),
            p_value_bound: judged.outcome.p_value_bound,
            seen: judged.outcome.p_value_bound.unwrap_or(1.0).min(judged.outcome.p_value),
            is_conservative: judged.outcome.spread == Spread::Conservative,
        });
    }
    let is_rejected = matches!(result.verdict, Verdict::Investigate | Verdict::Fail);
    Ok(Replicate { parts, is_rejected })
}

/// The key of the numbers that randomise: one for every dealer and number of decks.
fn dice_key(fair: Fair, decks: u64) -> [u8; 32] {
    let mut key = KEY;
    key[..8].copy_from_slice(&decks.to_be_bytes());
    key[8] = fair as u8;
    key
}

/// The textbook's mistake: `Σ(O − E)²/E` against χ², where a deck varies by `factor` as much.
fn canary(id: &str, freedom: f64, factor: f64, right: &Outcome) -> Part {
    let p_value = chi_squared::p_value(freedom, right.score * factor);
    Part { id: id.to_owned(), p_value, p_value_bound: None, seen: 1.0, is_conservative: false }
}

/// A p-value that is uniform if the null is right: discrete ones share out the value seen by `u`.
pub fn randomised(outcome: &Outcome, u: f64) -> f64 {
    match outcome.spread {
        Spread::Uniform | Spread::Conservative => outcome.p_value,
        Spread::Steps { lower, upper } => {
            let (below, above) = ((1.0 - upper).max(0.0), (1.0 - lower).max(0.0));
            let here = (1.0 - below - above).max(0.0);
            two_sided(below + u * here, above + (1.0 - u) * here)
        }
    }
}

/// One summary for each part, in the order in which the first replicate has them.
fn summaries(replicates: &[Replicate]) -> Vec<PartSummary> {
    let Some(first) = replicates.first() else { return Vec::new() };
    let of_part = |(place, part): (usize, &Part)| {
        let own = || replicates.iter().map(move |replicate| &replicate.parts[place]);
        assert!(own().all(|same| same.id == part.id), "the parts depend on the number of decks only");
        let p_values: Vec<f64> = own().map(|part| part.p_value).collect();
        let bounds: Option<Vec<f64>> = own().map(|part| part.p_value_bound).collect();
        PartSummary::of_p_values(part.id.clone(), &p_values, part.is_conservative)
            .with_bounds(bounds.as_deref())
            .with_smallest(own().map(|part| part.seen))
    };
    first.parts.iter().enumerate().map(of_part).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use deckproof_stats::battery::{Exhibit, Tail};

    fn coin(spread: Spread) -> Outcome {
        Outcome {
            part: "even",
            score_name: "heads".to_owned(),
            score: 0.0,
            p_value: 0.5,
            tail: Tail::Exact,
            p_value_bound: None,
            spread,
            exhibit: Exhibit::None,
        }
    }

    #[test]
    fn the_step_of_a_discrete_value_is_shared_out_whole() {
        // No head in two throws: P(X ≤ 0) = 1/4, so p lies anywhere below 1/2.
        let none = coin(Spread::Steps { lower: 0.25, upper: 1.0 });
        assert_eq!([0.0, 0.5, 1.0].map(|u| randomised(&none, u)), [0.0, 0.25, 0.5]);
        // One head: P(X < 1) = P(X > 1) = 1/4, so p lies anywhere above 1/2.
        let one = coin(Spread::Steps { lower: 0.75, upper: 0.75 });
        assert_eq!([0.0, 0.25, 0.5, 1.0].map(|u| randomised(&one, u)), [0.5, 0.75, 1.0, 0.5]);
        assert_eq!(randomised(&coin(Spread::Uniform), 0.9), 0.5);
    }
}
