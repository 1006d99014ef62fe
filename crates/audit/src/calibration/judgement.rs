//! What a calibration says: bands left, distributions that are not uniform, verdicts that reject too often.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::audit::plan::names::{PlannedTable, StatisticName};
use crate::audit::plan::{PLAN_FORMAT, Plan};
use crate::audit::selection::Selection;
use crate::calibration::summary::{CalibratedSize, PartSummary};
use crate::calibration::{CANARY, CANARY_OF_SEATS, FALSE_ALARM, LEVELS};
use crate::source::os;
use deckproof_deck::text::decimal::{p_is, p_value};
use deckproof_stats::math::binomial;

/// The version of the record.
pub const CALIBRATION_FORMAT: &str = "deckproof/calibration/v4";

/// The level of the verdict, whose false alarms are counted.
const LEVEL_FAMILY: f64 = 0.01;

/// Everything that was calibrated.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Calibration {
    /// [`CALIBRATION_FORMAT`].
    pub format: String,
    /// Version of the program.
    pub version: String,
    /// [`PLAN_FORMAT`]: what the statistics were shown.
    pub plan: String,
    /// The tiers that were calibrated.
    pub tiers: Vec<String>,
    /// The table at which hands were dealt.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub table: Option<PlannedTable>,
    /// Statistics of these tiers that were left out.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub without: Vec<String>,
    /// The statistics with their versions.
    pub statistics: Vec<StatisticName>,
    /// Runs for every number of decks and dealer.
    pub runs: u64,
    /// What was counted.
    pub blocks: Vec<CalibratedSize>,
}

/// One thing that is wrong.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Violation {
    /// The fair dealer.
    pub fair: String,
    /// Decks in every run.
    pub decks: u64,
    /// View, statistic and part, or `verdict`.
    pub part: String,
    /// What is wrong, as a clause with its numbers.
    pub what: String,
}

/// What all blocks together say.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Calibrated {
    /// How many bands were looked at.
    pub bands: u64,
    /// How many tests of uniformity.
    pub uniformity_tests: u64,
    /// Everything that is wrong.
    pub violations: Vec<Violation>,
    /// Blocks in which the canary was rejected, and blocks in which it sang.
    pub canary_rejected: u64,
    /// Blocks with a canary.
    pub canary_blocks: u64,
}

impl Calibrated {
    /// Nothing is wrong, and the harness can see: the canary died somewhere.
    pub fn is_sound(&self) -> bool {
        self.violations.is_empty() && self.canary_rejected > 0
    }
}

impl Calibration {
    /// Nothing counted yet.
    pub fn new(selection: &Selection, runs: u64) -> Calibration {
        let plan = Plan::of_selection(os::record(), None, selection);
        let tiers = plan.tier_names();
        let Plan { table, statistics, .. } = plan;
        Calibration {
            format: CALIBRATION_FORMAT.to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            plan: PLAN_FORMAT.to_owned(),
            tiers,
            table,
            without: Vec::new(),
            statistics,
            runs,
            blocks: Vec::new(),
        }
    }

    /// Whether what was counted there goes on here.
    pub fn continues(&self, other: &Calibration) -> bool {
        let empty = |calibration: &Calibration| Calibration { blocks: Vec::new(), ..calibration.clone() };
        empty(self) == empty(other)
    }

    /// Judges all blocks together: the more bands, the wider each.
    pub fn judge(&self) -> Calibrated {
        let parts = self.blocks.iter().flat_map(|block| block.parts.iter().map(move |part| (block, part)));
        let (canaries, parts): (Vec<_>, Vec<_>) = parts.partition(|(_, part)| is_canary(&part.id));
        let tests = parts.len() as u64;
        let bounds = parts.iter().filter(|(_, part)| part.bounds_rejected.is_some()).count() as u64;
        let pooled = pooled(&parts);
        let bands = (tests + bounds + pooled.len() as u64) * LEVELS.len() as u64;
        // A canary alone shares the level with nobody.
        let faults =
            |(block, part): &(&CalibratedSize, &PartSummary)| faults(block, part, bands.max(1), tests.max(1));
        let mut violations: Vec<Violation> = parts.iter().flat_map(faults).collect();
        violations.extend(pooled.iter().flat_map(|pool| pool.faults(bands.max(1))));
        violations.extend(self.blocks.iter().filter_map(accusations));
        let rejected = canaries.iter().filter(|canary| !faults(canary).is_empty()).count() as u64;
        Calibrated {
            bands,
            uniformity_tests: tests,
            violations,
            canary_rejected: rejected,
            canary_blocks: canaries.len() as u64,
        }
    }
}

/// Whether a part is one that must fail.
pub fn is_canary(id: &str) -> bool {
    id == CANARY || id == CANARY_OF_SEATS
}

/// One part, or its bound, over all numbers of decks and dealers.
struct Pool {
    part: String,
    runs: u64,
    rejected: [u64; 3],
    is_conservative: bool,
    decks: u64,
    blocks: u64,
}

impl Pool {
    fn faults(&self, bands: u64) -> impl Iterator<Item = Violation> + '_ {
        let outside = outside_bands("p", self.rejected, self.runs, self.is_conservative, bands);
        outside.map(move |what| Violation {
            fair: "both dealers, all sizes".to_owned(),
            decks: self.decks,
            part: self.part.clone(),
            what,
        })
    }
}

/// The sentence on rejections outside the band of their level; of what is conservative, above it only.
fn outside_bands(
    name: &str,
    rejected: [u64; 3],
    runs: u64,
    is_conservative: bool,
    bands: u64,
) -> impl Iterator<Item = String> {
    LEVELS.into_iter().zip(rejected).filter_map(move |(level, rejected)| {
        let (lower, upper) = binomial::tails(runs, level, rejected);
        let depth = if is_conservative { upper } else { lower.min(upper) };
        let is_outside = 2.0 * depth < FALSE_ALARM / bands as f64;
        is_outside.then(|| format!("{name} at or below {level} in {rejected} of {runs} runs"))
    })
}

/// What all blocks say of each part, and of each bound. A part that claims to be uniform at one size claims it at all.
fn pooled(parts: &[(&CalibratedSize, &PartSummary)]) -> Vec<Pool> {
    let mut pools: BTreeMap<String, Pool> = BTreeMap::new();
    for (block, part) in parts {
        let bound = part.bounds_rejected.map(|rejected| (format!("bound of {}", part.id), rejected, true));
        for (name, rejected, is_conservative) in
            [(part.id.clone(), part.rejected, part.is_conservative)].into_iter().chain(bound)
        {
            let pool = pools.entry(name.clone()).or_insert(Pool {
                part: name,
                runs: 0,
                rejected: [0; 3],
                is_conservative,
                decks: 0,
                blocks: 0,
            });
            pool.blocks += 1;
            pool.runs += block.runs;
            pool.rejected.iter_mut().zip(rejected).for_each(|(sum, own)| *sum += own);
            pool.is_conservative |= is_conservative;
            pool.decks = pool.decks.max(block.decks);
        }
    }
    // Of one block all is stated already.
    pools.into_values().filter(|pool| pool.blocks > 1).collect()
}

/// Bands that one part leaves, and the uniform distribution if it is not its own.
fn faults(block: &CalibratedSize, part: &PartSummary, bands: u64, tests: u64) -> Vec<Violation> {
    let violation =
        |what| Violation { fair: block.fair.clone(), decks: block.decks, part: part.id.clone(), what };
    let outside = outside_bands("p", part.rejected, block.runs, part.is_conservative, bands);
    let bounds = outside_bands("bound", part.bounds_rejected.unwrap_or_default(), block.runs, true, bands);
    let uniformity = part.uniformity(block.runs);
    let is_crooked = uniformity < FALSE_ALARM / tests as f64;
    let distribution = is_crooked.then(|| {
        violation(format!(
            "p-values are {} away from the uniform distribution ({})",
            part.distance,
            p_is(uniformity)
        ))
    });
    let is_too_small = part.surprise(block.runs) < FALSE_ALARM / tests as f64;
    let smallest = is_too_small.then(|| {
        violation(format!("p or its bound is {} in one of {} runs", p_value(part.smallest), block.runs))
    });
    outside.chain(bounds).map(violation).chain(distribution).chain(smallest).collect()
}

/// Whether so many accusations of fair decks are too many: 25 of 1,000 are, 24 are not.
pub fn rejects_too_often(runs: u64, rejected: u64) -> bool {
    binomial::tails(runs, LEVEL_FAMILY, rejected).1 < FALSE_ALARM
}

fn accusations(block: &CalibratedSize) -> Option<Violation> {
    rejects_too_often(block.runs, block.rejected).then(|| Violation {
        fair: block.fair.clone(),
        decks: block.decks,
        part: "verdict".to_owned(),
        what: format!("fair decks were rejected in {} of {} runs", block.rejected, block.runs),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use deckproof_stats::battery::Tier;

    fn part(id: &str, rejected: [u64; 3], is_conservative: bool) -> PartSummary {
        PartSummary {
            id: id.to_owned(),
            rejected,
            distance: 0.01,
            is_conservative,
            bounds_rejected: None,
            smallest: 0.01,
        }
    }

    fn calibration(rejected: u64, parts: Vec<PartSummary>) -> Calibration {
        let block = CalibratedSize { fair: "certified".to_owned(), decks: 100, runs: 1_000, rejected, parts };
        Calibration { blocks: vec![block], ..Calibration::new(&Selection::of_tiers(&[Tier::Core]), 1_000) }
    }

    fn faulty_parts(parts: Vec<PartSummary>) -> Vec<String> {
        calibration(10, parts).judge().violations.into_iter().map(|violation| violation.part).collect()
    }

    /// The suits that come equally often: harmless in every band, and once in a thousand runs "p below 1e-300".
    #[test]
    fn counts_that_are_rarer_than_their_runs_allow_are_seen() {
        let atom = |smallest| PartSummary { smallest, ..part("atom", [50, 10, 1], false) };
        assert!(faulty_parts(vec![atom(1e-6)]).is_empty());
        assert_eq!(faulty_parts(vec![atom(1e-8)]), ["atom"]);
    }

    #[test]
    fn twenty_four_accusations_of_a_thousand_are_borne() {
        assert!(!rejects_too_often(1_000, 24) && rejects_too_often(1_000, 25));
        assert_eq!(calibration(25, Vec::new()).judge().violations[0].part, "verdict");
    }

    #[test]
    fn a_wrong_null_leaves_its_bands_on_either_side_and_a_bound_on_one() {
        assert!(faulty_parts(vec![part("right", [50, 10, 1], false)]).is_empty());
        assert_eq!(faulty_parts(vec![part("liberal", [50, 53, 1], false)]), ["liberal"]);
        assert_eq!(faulty_parts(vec![part("too few", [5, 0, 0], false)]), ["too few"]);
        assert!(faulty_parts(vec![part("bound", [5, 0, 0], true)]).is_empty());
        assert_eq!(faulty_parts(vec![part("broken bound", [50, 53, 1], true)]), ["broken bound"]);
        let crooked = PartSummary { distance: 0.2, ..part("crooked", [50, 10, 1], false) };
        assert_eq!(faulty_parts(vec![crooked]), ["crooked"]);
    }

    #[test]
    fn a_bound_that_rejects_too_often_is_seen_though_its_p_value_does_not() {
        let bounded =
            |rejected| PartSummary { bounds_rejected: Some(rejected), ..part("sum", [50, 10, 1], false) };
        assert!(faulty_parts(vec![bounded([0, 0, 0])]).is_empty());
        assert!(faulty_parts(vec![bounded([50, 53, 1])]).contains(&"sum".to_owned()));
    }

    /// 15 of 1,000 at 1 %: nothing at any one size, too often at 22 of them together.
    #[test]
    fn half_as_many_rejections_again_are_seen_over_all_sizes() {
        let blocks = |rejected: u64, sizes: u64| {
            let block = |decks| CalibratedSize {
                fair: "certified".to_owned(),
                decks,
                runs: 1_000,
                rejected: 10,
                parts: vec![part("liberal", [55, rejected, 1], false)],
            };
            (0..sizes).map(block).collect::<Vec<_>>()
        };
        let violations = |rejected, sizes| {
            let blocks = blocks(rejected, sizes);
            Calibration { blocks, ..Calibration::new(&Selection::of_tiers(&[Tier::Core]), 1_000) }
                .judge()
                .violations
        };
        assert_eq!((violations(15, 1), violations(10, 22)), (Vec::new(), Vec::new()));
        let seen = violations(15, 22);
        assert!(seen.iter().all(|wrong| wrong.fair.contains("all sizes")) && !seen.is_empty(), "{seen:?}");
    }

    #[test]
    fn a_harness_whose_canary_sings_is_blind() {
        let singing = calibration(10, vec![part(CANARY, [50, 10, 1], false)]).judge();
        assert!(singing.violations.is_empty() && !singing.is_sound());
        let dead = calibration(10, vec![part(CANARY, [150, 53, 8], false)]).judge();
        assert!(dead.is_sound() && (dead.canary_rejected, dead.bands) == (1, 0));
    }
}
