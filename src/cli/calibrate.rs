//! `deckproof calibrate`: whether the p-values of fair decks lie as they should.

use std::path::{Path, PathBuf};

use clap::Args;

use crate::battery::Tier;
use crate::cli::audit::options::{TableOptions, parse_decks, parse_tier, table_typed, tiers_of_decks};
use crate::cli::audit::publish::say;
use crate::cli::exit::{CouldNotSay, Exit};
use crate::cli::screen;
use crate::cli::tool;
use crate::file::{self, Access, STATE_BYTES_MAX, read_text_limited};
use crate::math::decimal::thousands;
use crate::trials::calibration::judgement::{Calibrated, Calibration, is_canary, rejects_too_often};
use crate::trials::calibration::summary::CalibratedSize;
use crate::trials::calibration::{CalibrationSettings, Fair, LEVELS, calibrate, drawn_sizes};

/// Arguments of `deckproof calibrate`.
#[derive(Args, Debug)]
pub struct Arguments {
    /// How many runs for every number of decks and fair dealer.
    #[arg(long, value_name = "N", default_value = "1000", value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    runs: u64,
    /// The numbers of decks.
    #[arg(
        long,
        value_name = "SIZES",
        value_delimiter = ',',
        default_value = "10,17,32,53,100,193,1000,1337,10000,66537,100000",
        value_parser = parse_decks
    )]
    sizes: Vec<u64>,
    /// N further numbers of decks, drawn once and for all between 10 and 100,000.
    #[arg(long, value_name = "N", default_value = "0", value_parser = clap::value_parser!(u64).range(0..=1_000))]
    sizes_drawn: u64,
    /// Which tiers of statistics are calibrated.
    #[arg(long, value_name = "TIERS", value_delimiter = ',', default_value = "core,deep", value_parser = parse_tier)]
    tiers: Vec<Tier>,
    #[command(flatten)]
    table: TableOptions,
    /// Keep finished sizes in FILE, and go on from there if it exists.
    #[arg(long, value_name = "FILE")]
    state: Option<PathBuf>,
    /// Write calibration.json and calibration.md to this folder.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Print the counts as JSON.
    #[arg(long)]
    json: bool,
    /// How many threads work. Default: one for each processor. The result does not depend on it.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    threads: Option<u16>,
}

/// Runs `deckproof calibrate`: refused if a band is left; where the canary is not seen, it cannot say.
///
/// # Errors
/// [`CouldNotSay`]: a file that cannot be read or written.
pub fn calibrate_all(arguments: &Arguments) -> Result<Exit, CouldNotSay> {
    let tiers = tiers_of_decks(Some(&arguments.tiers));
    let table = arguments.table.table(Some(&arguments.tiers))?;
    let mut calibration = Calibration::new(&tiers, table, arguments.runs);
    let mut kept = read_state(arguments.state.as_deref(), &calibration)?;
    let settings =
        CalibrationSettings { tiers, table, runs: arguments.runs, threads: tool::threads(arguments.threads) };
    let sizes = arguments.sizes.iter().copied().chain(drawn_sizes(arguments.sizes_drawn));
    for decks in sizes {
        for fair in Fair::ALL {
            let is_same = |block: &&CalibratedSize| block.decks == decks && block.fair == fair.name();
            let block = match kept.blocks.iter().find(is_same) {
                Some(block) => block.clone(),
                None => {
                    let doing =
                        format!("{} runs of {} decks of {}", settings.runs, thousands(decks), fair.name());
                    screen::warn(&doing);
                    let block =
                        calibrate(&settings, fair, decks).map_err(|error| CouldNotSay::new(error, ""))?;
                    kept.blocks.push(block.clone());
                    arguments.state.as_deref().map_or(Ok(()), |path| write(path, &json_of(&kept)))?;
                    block
                }
            };
            calibration.blocks.push(block);
        }
    }
    let calibrated = calibration.judge();
    let (json, text) = (json_of(&calibration), text_of(&calibration, &calibrated));
    if let Some(folder) = &arguments.out {
        std::fs::create_dir_all(folder)
            .map_err(|error| CouldNotSay::new(format!("{}: {error}", folder.display()), ""))?;
        write(&folder.join("calibration.json"), &json)?;
        write(&folder.join("calibration.md"), &text)?;
    }
    say(if arguments.json { &json } else { &text })?;
    Ok(match (calibrated.is_sound(), calibrated.violations.is_empty()) {
        (true, _) => Exit::Passed,
        (false, true) => Exit::CouldNotSay,
        (false, false) => Exit::Refused,
    })
}

fn read_state(path: Option<&Path>, wanted: &Calibration) -> Result<Calibration, CouldNotSay> {
    let Some(path) = path else { return Ok(wanted.clone()) };
    let damaged = |error: &dyn std::fmt::Display| {
        CouldNotSay::new(
            format!("{}: {error}", path.display()),
            "Name another file, or remove this one to begin anew.",
        )
    };
    match read_text_limited(path, STATE_BYTES_MAX) {
        Ok(text) => {
            let kept: Calibration = serde_json::from_str(&text).map_err(|error| damaged(&error))?;
            let other = "found the counts of another battery or number of runs, wanted those of this command";
            if kept.continues(wanted) { Ok(kept) } else { Err(damaged(&other)) }
        }
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(wanted.clone()),
        Err(error) => Err(damaged(&error)),
    }
}

fn write(path: &Path, text: &str) -> Result<(), CouldNotSay> {
    file::write_atomic(path, text.as_bytes(), Access::Public)
        .map_err(|error| CouldNotSay::new(format!("{} cannot be written: {error}", path.display()), ""))
}

/// One part a line, so that two runs compare well.
fn json_of(calibration: &Calibration) -> String {
    let json = serde_json::to_string(calibration).expect("counts are plain data");
    json.replace("{\"id\":", "\n{\"id\":").replace("{\"fair\":", "\n{\"fair\":") + "\n"
}

/// What to type to have the same counts again.
fn command_of(calibration: &Calibration) -> String {
    let mut sizes: Vec<String> = calibration.blocks.iter().map(|block| block.decks.to_string()).collect();
    sizes.dedup();
    let (runs, tiers) = (calibration.runs, calibration.tiers.join(","));
    let table = table_typed(calibration.table.as_ref());
    format!("deckproof calibrate --runs {runs} --sizes {} --tiers {tiers}{table}", sizes.join(","))
}

fn text_of(calibration: &Calibration, calibrated: &Calibrated) -> String {
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
