//! The battery on a short trial: calibrated on fair decks, sharp on a handful of flawed dealers.

use crate::audit::selection::Selection;
use crate::calibration::judgement::Calibration;
use crate::calibration::{CalibrationSettings, Fair, calibrate};
use crate::power::{Instrument, Search, find};
use crate::selftest::Check;
use crate::source::SourceError;
use deckproof_dealers::dealers::TestDealer;
use deckproof_stats::battery::Tier;

/// Numbers of decks and how often each is tried.
const SIZES: [(u64, u64); 2] = [(10, 1_000), (100, 200)];

/// Dealers with the decks that must suffice, one of each kind of fault.
const FLAWED: [(&str, u64); 8] = [
    ("skip-last", 10),
    ("riffle-3", 10),
    ("cut", 32),
    ("sattolo", 32),
    ("riffle-7", 100),
    ("naive-swap", 316),
    ("stuck", 3_162),
    ("joker", 3_162),
];

/// The tier that is tried: the prefixes of the deep one cost seconds a run, too much for a thousand runs.
const TIERS: [Tier; 1] = [Tier::Core];

/// Dealers without a fault.
const CONTROLS: [&str; 4] = ["certified", "relabelled", "fisher-yates-pcg", "not-reset-fair"];

/// Decks of a control.
const CONTROL_DECKS: u64 = 10_000;

/// Calibration, power, and no accusation.
pub(super) fn checks(threads: usize) -> Result<Vec<Check>, SourceError> {
    Ok(vec![
        is_calibrated(&TIERS, &SIZES, threads)?,
        are_caught(&TIERS, &FLAWED)?,
        are_cleared(&CONTROLS, threads)?,
    ])
}

/// Whether the p-values of these tiers on fair decks lie as they should, and the canary does not; `sizes`
/// are numbers of decks with the number of runs of each.
///
/// # Errors
/// [`SourceError`] if the fair dealer fails.
pub fn is_calibrated(tiers: &[Tier], sizes: &[(u64, u64)], threads: usize) -> Result<Check, SourceError> {
    let mut calibration = Calibration::new(&Selection::of_tiers(tiers), 0);
    for &(decks, runs) in sizes {
        let settings = CalibrationSettings { instrument: Instrument::of_tiers(tiers), runs, threads };
        calibration.blocks.push(calibrate(&settings, Fair::Certified, decks)?);
    }
    let calibrated = calibration.judge();
    let mut faults: Vec<String> = calibrated
        .violations
        .iter()
        .map(|wrong| format!("{} with {} decks: {}", wrong.part, wrong.decks, wrong.what))
        .collect();
    if calibrated.canary_rejected == 0 {
        faults.push("a null that is wrong on purpose was not rejected".to_owned());
    }
    let runs: Vec<String> =
        sizes.iter().map(|(decks, runs)| format!("{runs} runs of {decks} decks")).collect();
    let rejected: u64 = calibration.blocks.iter().map(|block| block.rejected).sum();
    let found = format!(
        "{}, {} bands; fair decks rejected: {rejected}; the wrong null was rejected in {} of {} sizes, and one suffices to show that this trial can see one",
        runs.join(" and "),
        calibrated.bands,
        calibrated.canary_rejected,
        calibrated.canary_blocks
    );
    Ok(Check::new(
        "P-values on fair decks are as uniform as they claim, and a wrong null is seen.",
        faults,
        found,
    ))
}

/// Whether these tiers catch each dealer with the decks named, under two seeds.
///
/// # Errors
/// [`SourceError`] if a dealer is unknown or fails.
pub fn are_caught(tiers: &[Tier], dealers: &[(&str, u64)]) -> Result<Check, SourceError> {
    let mut faults = Vec::new();
    for &(name, decks) in dealers {
        let search = Search { instrument: Instrument::of_tiers(tiers), decks_max: decks, threads: 1 };
        for seed in [1, 2] {
            if find(&search, dealer(name)?, seed)?.caught.is_none() {
                faults.push(format!("{name} under seed {seed} was not caught with {decks} decks"));
            }
        }
    }
    let found = format!("{} dealers, each under two seeds", dealers.len());
    Ok(Check::new("Flawed dealers are caught with the decks that should suffice.", faults, found))
}

fn are_cleared(controls: &[&str], threads: usize) -> Result<Check, SourceError> {
    let search = Search { instrument: Instrument::of_tiers(&TIERS), decks_max: CONTROL_DECKS, threads };
    let mut faults = Vec::new();
    for name in controls {
        if let Some(catch) = find(&search, dealer(name)?, 1)?.caught {
            faults.push(format!("{name} was rejected with {} decks by {}", catch.decks, catch.by));
        }
    }
    let found = format!("{} fair dealers up to {CONTROL_DECKS} decks", controls.len());
    Ok(Check::new("Dealers without a fault are not rejected.", faults, found))
}

fn dealer(name: &str) -> Result<&'static TestDealer, SourceError> {
    let found = TestDealer::named(name);
    found.ok_or_else(|| SourceError::Failed(format!("flawed:{name}: found no such dealer")))
}
