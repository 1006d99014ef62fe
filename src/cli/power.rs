//! `deckproof power`: how many decks the battery needs to catch each flawed dealer.

use std::path::PathBuf;

use clap::Args;

use crate::cli::audit::options::{TableArguments, parse_decks, parse_tier};
use crate::cli::audit::publish::say;
use crate::cli::{screen, tool};
use deckproof_audit::power::faults::faults;
use deckproof_audit::power::results_file::write;
use deckproof_audit::power::search::PowerOptions;
use deckproof_audit::power::{Instrument, Search};
use deckproof_audit::session::options::tiers_of_decks;
use deckproof_deck::text::could_not_say::CouldNotSay;
use deckproof_deck::text::exit::Exit;
use deckproof_report::rendering::power::{line_of, text_of};
use deckproof_stats::battery::Tier;

#[derive(Args, Debug)]
pub struct PowerArguments {
    /// Which dealers, by their names after `flawed:`, or all.
    #[arg(long, value_name = "NAMES", value_delimiter = ',', default_value = "all")]
    dealers: Vec<String>,
    /// Under how many seeds each: 1 to N.
    #[arg(long, value_name = "N", default_value = "6", value_parser = clap::value_parser!(u64).range(1..))]
    seeds: u64,
    /// Under how many seeds the controls and the dealers that are not expected to be caught. Default: as --seeds.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    seeds_others: Option<u64>,
    /// The last number of decks tried.
    #[arg(long, value_name = "N", default_value = "1e6", value_parser = parse_decks)]
    decks_max: u64,
    /// Which tiers of statistics look.
    #[arg(long, value_name = "TIERS", value_delimiter = ',', default_value = "core,deep", value_parser = parse_tier)]
    tiers: Vec<Tier>,
    #[command(flatten)]
    table: TableArguments,
    /// All statistics of the tiers but these, by the ids that audit --list prints.
    #[arg(long, value_name = "IDS", value_delimiter = ',')]
    without: Vec<String>,
    /// Keep finished dealers in FILE, and go on from there if it exists.
    #[arg(long, value_name = "FILE")]
    state: Option<PathBuf>,
    /// Write the table as JSON to FILE.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Print the table as JSON.
    #[arg(long)]
    json: bool,
    /// How many work at the same time. Default: one for each processor. The result does not depend on it.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    threads: Option<u16>,
}

/// Runs `deckproof power`: refused if a dealer without a fault is rejected, or one that must be caught is not.
pub fn power(arguments: &PowerArguments) -> Result<Exit, CouldNotSay> {
    let instrument = Instrument {
        tiers: tiers_of_decks(Some(&arguments.tiers)),
        table: arguments.table.options().table(Some(&arguments.tiers))?,
        without: arguments.without.clone(),
    };
    let threads = tool::threads(arguments.threads);
    let options = PowerOptions {
        dealers: arguments.dealers.clone(),
        seeds: arguments.seeds,
        seeds_others: arguments.seeds_others,
        tiers: arguments.tiers.clone(),
        search: Search { instrument, decks_max: arguments.decks_max, threads },
        state: arguments.state.clone(),
    };
    let table = options.measure(tool::day_utc, &|done, of, cell| {
        screen::warn(&format!("{done} of {of}: {}", line_of(cell)));
    })?;
    if let Some(path) = &arguments.out {
        write(path, &table.to_json())?;
    }
    let text = if arguments.json { table.to_json() } else { text_of(&table) };
    say(&text)?;
    Ok(if faults(&table).is_empty() { Exit::Passed } else { Exit::Refused })
}
