//! `deckproof power`: how many decks the battery needs to catch each flawed dealer.

use std::path::{Path, PathBuf};
use std::sync::mpsc;

use clap::Args;

use crate::audit::plan::names::PlannedTable;
use crate::battery::Tier;
use crate::cli::audit::options::{TableOptions, parse_decks, parse_tier};
use crate::cli::audit::publish::say;
use crate::cli::screen;
use crate::cli::tool;
use crate::dealers::{self as room, Expected, TestDealer};
use crate::file::{self, Access, STATE_BYTES_MAX, read_text_limited};
use crate::presentation::power::{line_of, text_of};
use crate::session::wishes::tiers_of_decks;
use crate::source::SourceError;
use crate::text::could_not_say::CouldNotSay;
use crate::text::exit::Exit;
use crate::trials::power::faults::faults;
use crate::trials::power::state::PowerState;
use crate::trials::power::table::PowerTable;
use crate::trials::power::{Cell, Search, measure};

/// Arguments of `deckproof power`.
#[derive(Args, Debug)]
pub struct Arguments {
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
    table: TableOptions,
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
///
/// # Errors
/// [`CouldNotSay`]: a dealer that is none, or a file that cannot be read or written.
pub fn power(arguments: &Arguments) -> Result<Exit, CouldNotSay> {
    let search = Search {
        tiers: tiers_of_decks(Some(&arguments.tiers)),
        table: arguments.table.wishes().table(Some(&arguments.tiers))?,
        decks_max: arguments.decks_max,
        threads: tool::threads(arguments.threads),
    };
    let dealers = dealers(&arguments.dealers)?;
    let seeds = |dealer: &TestDealer| match arguments.seeds_others {
        Some(others) if !can_be_caught(dealer, &search) => others,
        _ => arguments.seeds,
    };
    let wanted: Vec<(&'static TestDealer, u64)> =
        dealers.iter().flat_map(|&dealer| (1..=seeds(dealer)).map(move |seed| (dealer, seed))).collect();
    let mut state = read_state(arguments.state.as_deref(), &search)?;
    let missing = state.missing(&search, &wanted);
    search_missing(&search, &missing, &mut state, arguments.state.as_deref())?;
    let table =
        PowerTable::of_cells(&state.found(&wanted), &search, command(arguments, &search), tool::day_utc());
    if let Some(path) = &arguments.out {
        write(path, &table.to_json())?;
    }
    let text = if arguments.json { table.to_json() } else { text_of(&table) };
    say(&text)?;
    Ok(if faults(&table).is_empty() { Exit::Passed } else { Exit::Refused })
}

/// Whether anybody expects these statistics to catch it.
fn can_be_caught(dealer: &TestDealer, search: &Search) -> bool {
    match dealer.expected {
        Expected::Caught | Expected::CaughtMostly(_) | Expected::Waiting | Expected::Invalid => true,
        Expected::AtTable => search.table.is_some(),
        Expected::Pass | Expected::Hidden(_) => false,
    }
}

/// What was typed, without the files and threads that do not change the result.
fn command(arguments: &Arguments, search: &Search) -> String {
    let tiers: Vec<&str> = arguments.tiers.iter().map(|tier| tier.name()).collect();
    format!(
        "deckproof power --dealers {} --seeds {}{} --decks-max {} --tiers {}{}",
        arguments.dealers.join(","),
        arguments.seeds,
        arguments.seeds_others.map_or_else(String::new, |others| format!(" --seeds-others {others}")),
        arguments.decks_max,
        tiers.join(","),
        search.table.map(PlannedTable::of).as_ref().map(PlannedTable::typed).unwrap_or_default()
    )
}

fn dealers(names: &[String]) -> Result<Vec<&'static TestDealer>, CouldNotSay> {
    if names == ["all"] {
        return Ok(room::list().collect());
    }
    let known = |name: &String| {
        TestDealer::named(name).ok_or_else(|| {
            let all: Vec<&str> = room::list().map(|dealer| dealer.name).collect();
            CouldNotSay::new(
                format!("--dealers: found {name:?}, wanted all, or some of {}", all.join(", ")),
                "",
            )
        })
    };
    names.iter().map(known).collect()
}

fn read_state(path: Option<&Path>, search: &Search) -> Result<PowerState, CouldNotSay> {
    let Some(path) = path else { return Ok(PowerState::new(search)) };
    match read_text_limited(path, STATE_BYTES_MAX) {
        Ok(text) => PowerState::parse(&text, search).map_err(|error| {
            CouldNotSay::new(
                format!("{}: {error}", path.display()),
                "Name another file, or remove this one to begin anew.",
            )
        }),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(PowerState::new(search)),
        Err(error) => Err(CouldNotSay::new(format!("{}: {error}", path.display()), "")),
    }
}

/// Searches on other threads while this one keeps what they find.
fn search_missing(
    search: &Search,
    missing: &[(&'static TestDealer, u64)],
    state: &mut PowerState,
    path: Option<&Path>,
) -> Result<(), CouldNotSay> {
    let (sender, finished) = mpsc::channel::<Cell>();
    std::thread::scope(|scope| {
        let measuring = scope.spawn(move || -> Result<(), SourceError> {
            // The receiver is gone only when the state could not be saved, which is told below.
            measure(search, missing, &|cell| drop(sender.send(cell)))
        });
        for (done, cell) in finished.into_iter().enumerate() {
            screen::warn(&format!("{} of {}: {}", done + 1, missing.len(), line_of(&cell)));
            state.add(cell);
            path.map_or(Ok(()), |path| write(path, &state.to_json()))?;
        }
        match measuring.join() {
            Ok(measured) => measured.map_err(|error| CouldNotSay::new(error, "")),
            Err(panic) => std::panic::resume_unwind(panic),
        }
    })
}

fn write(path: &Path, text: &str) -> Result<(), CouldNotSay> {
    file::write_atomic(path, text.as_bytes(), Access::Public)
        .map_err(|error| CouldNotSay::new(format!("{} cannot be written: {error}", path.display()), ""))
}
