//! `deckproof calibrate`: whether the p-values of fair decks lie as they should.

use std::path::PathBuf;

use clap::Args;

use crate::cli::audit::options::{TableArguments, parse_decks, parse_tier};
use crate::cli::audit::publish::say;
use crate::cli::{screen, tool};
use deckproof_audit::calibration::state::{calibrate_sizes, json_of};
use deckproof_audit::calibration::{CalibrationSettings, Fair, drawn_sizes};
use deckproof_audit::power::Instrument;
use deckproof_audit::power::results_file::write;
use deckproof_audit::session::options::tiers_of_decks;
use deckproof_deck::text::could_not_say::CouldNotSay;
use deckproof_deck::text::decimal::thousands;
use deckproof_deck::text::exit::Exit;
use deckproof_report::rendering::calibration::text_of;
use deckproof_stats::battery::Tier;

#[derive(Args, Debug)]
pub struct CalibrateArguments {
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
    table: TableArguments,
    /// All statistics of the tiers but these, by the ids that audit --list prints.
    #[arg(long, value_name = "IDS", value_delimiter = ',')]
    without: Vec<String>,
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
pub fn calibrate_all(arguments: &CalibrateArguments) -> Result<Exit, CouldNotSay> {
    let instrument = Instrument {
        tiers: tiers_of_decks(Some(&arguments.tiers)),
        table: arguments.table.options().table(Some(&arguments.tiers))?,
        without: arguments.without.clone(),
    };
    let (runs, threads) = (arguments.runs, tool::threads(arguments.threads));
    let settings = CalibrationSettings { instrument, runs, threads };
    let sizes = arguments.sizes.iter().copied().chain(drawn_sizes(arguments.sizes_drawn));
    let begins = |fair: Fair, decks| {
        let doing = format!("{} runs of {} decks of {}", arguments.runs, thousands(decks), fair.name());
        screen::warn(&doing);
    };
    let calibration = calibrate_sizes(&settings, sizes, arguments.state.as_deref(), &begins)?;
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
