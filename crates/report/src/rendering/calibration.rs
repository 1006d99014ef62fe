//! Calibration on fair decks, as Markdown.

use deckproof_audit::audit::plan::names::PlannedTable;
use deckproof_audit::calibration::LEVELS;
use deckproof_audit::calibration::judgement::{Calibrated, Calibration, is_canary, rejects_too_often};
use deckproof_audit::calibration::summary::CalibratedSize;
use deckproof_audit::power::results_file::without_typed;
use deckproof_deck::text::decimal::thousands;

/// What to type to have the same counts again.
fn command_of(calibration: &Calibration) -> String {
    let mut sizes: Vec<String> = calibration.blocks.iter().map(|block| block.decks.to_string()).collect();
    sizes.dedup();
    let (runs, tiers) = (calibration.runs, calibration.tiers.join(","));
    let table = calibration.table.as_ref().map(PlannedTable::typed).unwrap_or_default();
    let without = without_typed(&calibration.without);
    format!("deckproof calibrate --runs {runs} --sizes {} --tiers {tiers}{table}{without}", sizes.join(","))
}

/// The counts as Markdown, with what is wrong in them.
pub fn text_of(calibration: &Calibration, calibrated: &Calibrated) -> String {
    let mut text = format!(
        "# Calibration on fair decks\n\nMade by `{}`. deckproof {}, tiers {}, {} runs for every number of decks and dealer. \
         Bands: two-sided binomial, level 1e-4 over all {} of them together, those of proven bounds (upper side) and of \
         every part over all sizes and both dealers among them; {} tests of uniformity likewise.\n\n\
         | dealer | decks | parts | p ≤ 0.05 | p ≤ 0.01 | p ≤ 0.001 | fair decks rejected | canary at 0.01 |\n\
         |---|---|---|---|---|---|---|---|\n",
        command_of(calibration),
        calibration.version,
        calibration.tiers.join(", "),
        calibration.runs,
        calibrated.bands,
        calibrated.uniformity_tests
    );
    calibration.blocks.iter().for_each(|block| text += &row_of(block));
    text += "\nA share is that of all p-values of parts that claim to be uniform, with the lowest and highest of \
             any part; at most 24 of 1,000 verdicts may reject fair decks.\n\n";
    text += &format!(
        "The canary, card × place (or the cards dealt) against χ² without its factor, was rejected in {} of {} rows.\n\n",
        calibrated.canary_rejected, calibrated.canary_blocks
    );
    if calibrated.is_sound() {
        text += "PASS: no band was left, and every distribution is its own.\n";
    } else if calibrated.violations.is_empty() {
        text += "COULD NOT SAY: no band was left, but the wrong null was not seen either, so that nothing is shown. \
                 Make more runs.\n";
    }
    for wrong in &calibrated.violations {
        text += &format!(
            "- FAIL: {} with {} decks of {}: {}.\n",
            wrong.part,
            thousands(wrong.decks),
            wrong.fair,
            wrong.what
        );
    }
    text
}

fn row_of(block: &CalibratedSize) -> String {
    let parts: Vec<_> =
        block.parts.iter().filter(|part| !is_canary(&part.id) && !part.is_conservative).collect();
    let runs = block.runs as f64;
    let share = |level: usize| {
        let rejected = || parts.iter().map(|part| part.rejected[level]);
        let sum = rejected().sum::<u64>() as f64 / (runs * parts.len().max(1) as f64);
        let ends = [rejected().min(), rejected().max()].map(|end| end.unwrap_or(0) as f64 / runs);
        format!("{sum:.5} ({:.3}–{:.3})", ends[0], ends[1])
    };
    let shares: Vec<String> = (0..LEVELS.len()).map(share).collect();
    let canary = block.parts.iter().find(|part| is_canary(&part.id));
    let canary =
        canary.map_or_else(|| "-".to_owned(), |part| format!("{:.3}", part.rejected[1] as f64 / runs));
    let mark = if rejects_too_often(block.runs, block.rejected) { " (too many)" } else { "" };
    format!(
        "| {} | {} | {} | {} | {} of {}{mark} | {canary} |\n",
        block.fair,
        thousands(block.decks),
        block.parts.len() - usize::from(canary != "-"),
        shares.join(" | "),
        block.rejected,
        block.runs
    )
}
