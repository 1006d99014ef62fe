//! `deckproof predict`: whether the generator behind decks can be recovered, and the next decks of it.

mod know;
mod seeds;

use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;
use deckproof_predict::budget::Budget;
use deckproof_predict::catalogue::ALL_MODELS;
use deckproof_predict::deck::{Gap, Observation, Record};
use deckproof_predict::model::{Recovered, Scope, near_names};
use deckproof_predict::recovery::Recovery;
use deckproof_predict::search::{Report, Request, last_deck, search};
use deckproof_predict::seeds::list::SEED_SEARCHES;
use deckproof_predict::seeds::times::Around;

use crate::cli::audit::options::parse_decks;
use crate::cli::audit::publish::say;
use crate::cli::periods::parse_time;
use crate::cli::predict::know::Know;
use crate::cli::predict::seeds::parse_moment;
use crate::cli::screen;
use crate::cli::source::{self, TypedSource};
use deckproof_audit::source::named::NamedSource;
use deckproof_deck::deck::block::DeckBlock;
use deckproof_deck::text::could_not_say::CouldNotSay;
use deckproof_deck::text::exit::Exit;
use deckproof_files::file::{Access, read_text_limited, write_atomic};
use deckproof_report::rendering::prediction::{FORMAT, PredictionFile, json_of, list_of, text_of};

/// Records that are read unless --decks wants another number.
const RECORDS_DEFAULT: u64 = 10_000;

/// Bytes of a certificate at most.
const CERTIFICATE_BYTES_MAX: u64 = 1 << 24;

#[derive(Args, Debug)]
#[command(
    after_help = "Exit codes: 0 not recovered by the models that were tried; 1 recovered, the next decks are known; 2 could not \
        say (usage, unreadable input, no deck)."
)]
pub struct PredictArguments {
    #[command(flatten)]
    source: TypedSource,
    /// How many records are read at most [default: 10,000].
    #[arg(long, value_name = "N", value_parser = parse_decks)]
    decks: Option<u64>,
    /// What is known of every record: decks; dealt:K, the first K cards; or seat:N/P, what the player in seat N of P sees of
    /// seven-card stud where nobody folds and no card is burned.
    #[arg(long, value_name = "WHAT", default_value = "decks", value_parser = Know::parse)]
    know: Know,
    /// Models to try, separated by commas, as --list names them. Default: all of them.
    #[arg(long, value_name = "NAMES")]
    models: Option<String>,
    /// Try every seed of one seeding instead of the models, as --list names it or a part of its name.
    #[arg(long, value_name = "NAME", conflicts_with_all = ["models", "around"])]
    seeds: Option<String>,
    /// Where --seeds puts down how far it is, and goes on from.
    #[arg(long, value_name = "FILE", requires = "seeds")]
    state: Option<PathBuf>,
    /// Try the seeds that a clock may have given around TIME, such as 2026-11-24T10:00:00Z, instead of the models.
    #[arg(long, value_name = "TIME", value_parser = parse_moment, conflicts_with = "models")]
    around: Option<u64>,
    /// How far --around reaches before and behind.
    #[arg(long, value_name = "TIME", default_value = "1h", value_parser = parse_time)]
    within: Duration,
    /// How many calls may lie between the seed and the first draw, for --seeds and --around: each seed then takes as much longer.
    #[arg(long, value_name = "N", default_value = "0", value_parser = clap::value_parser!(u64).range(..=100_000))]
    calls: u64,
    /// Numbers of records, the first being 1, where a release or another table begins: everything is tried there as on the first record
    /// and on that of every file.
    #[arg(long, value_name = "N,N", value_delimiter = ',', value_parser = clap::value_parser!(u64).range(1..))]
    begins: Vec<u64>,
    /// Print the names of all models and seedings.
    #[arg(long)]
    list: bool,
    /// How long is searched, such as 30s, 10m or 2h.
    #[arg(long, value_name = "TIME", default_value = "10m", value_parser = parse_time)]
    budget: Duration,
    /// Try every order of suits of a new deck, 195 start orders instead of 27.
    #[arg(long)]
    all_starts: bool,
    /// How many decks are predicted after the last record.
    #[arg(long, value_name = "N", default_value = "10", value_parser = clap::value_parser!(u16).range(1..=1_000))]
    next: u16,
    /// Write the certificate to FILE: state in, records out.
    #[arg(long, value_name = "FILE")]
    certificate: Option<PathBuf>,
    /// Check a certificate against these records instead of searching.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["certificate", "models", "list"])]
    check: Option<PathBuf>,
    /// Print the outcome as one JSON object.
    #[arg(long)]
    json: bool,
}

pub fn run(arguments: &PredictArguments) -> Result<Exit, CouldNotSay> {
    if arguments.list {
        return say(&list_of(&ALL_MODELS, SEED_SEARCHES)).map(|()| Exit::Passed);
    }
    let models = arguments.models.as_deref().map_or(Ok(Vec::new()), models_of)?;
    let read = read(arguments)?;
    match &arguments.check {
        Some(file) => check(file, &read.records),
        None => predict(arguments, &models, read),
    }
}

/// Names of models between commas; some hold commas themselves.
fn models_of(text: &str) -> Result<Vec<String>, CouldNotSay> {
    let known: Vec<&'static str> = ALL_MODELS.iter().map(|model| model.name()).collect();
    let (mut names, mut rest) = (Vec::new(), text.trim());
    while !rest.is_empty() {
        let is_first = |name: &&&str| {
            rest.strip_prefix(**name)
                .is_some_and(|left| left.is_empty() || left.trim_start().starts_with(','))
        };
        let Some(name) = known.iter().filter(is_first).max_by_key(|name| name.len()) else {
            return Err(no_such(&known, rest.split(',').next().unwrap_or(rest)));
        };
        names.push((*name).to_owned());
        rest = rest[name.len()..].trim_start().trim_start_matches(',').trim_start();
    }
    Ok(names)
}

/// Records, and where files and declared segments begin among them.
struct Read {
    records: Vec<Record>,
    begun: Vec<usize>,
}

/// The first records of every file that is named, or of the one source.
fn read(arguments: &PredictArguments) -> Result<Read, CouldNotSay> {
    let named = &arguments.source.0;
    let mut read = Read {
        records: Vec::new(),
        begun: arguments.begins.iter().map(|number| *number as usize - 1).collect(),
    };
    let wanted = arguments.decks.unwrap_or(RECORDS_DEFAULT) as usize;
    for file in std::iter::once(named.source.clone()).chain(named.settings.more.iter().cloned().map(Some)) {
        let mut alone = NamedSource { source: file, settings: named.settings.clone() };
        alone.settings.more.clear();
        read.begun.push(read.records.len());
        let left = wanted - read.records.len();
        if left > 0 {
            read.records.extend(records(arguments, &alone, left)?);
        }
    }
    if read.records.is_empty() { Err(CouldNotSay::new("there is no deck", "")) } else { Ok(read) }
}

/// The first records of one source.
fn records(
    arguments: &PredictArguments,
    named: &NamedSource,
    wanted: usize,
) -> Result<Vec<Record>, CouldNotSay> {
    let asked = named.ask()?;
    source::warn(asked.as_ref());
    let mut opened = asked.open(arguments.decks)?;
    opened.sentences.iter().for_each(|sentence| screen::warn(sentence));
    let wanted = opened.decks.unwrap_or(wanted as u64).min(wanted as u64);
    let (mut records, mut block) = (Vec::new(), DeckBlock::default());
    while (records.len() as u64) < wanted {
        let read = opened.source.fill(records.len() as u64, &mut block);
        read.map_err(|error| CouldNotSay::new(error, ""))?;
        for lane in 0..block.hands() {
            records.extend(arguments.know.record(block.deck(lane).indices()));
        }
        if block.hands() < deckproof_deck::deck::block::BLOCK_HANDS {
            break;
        }
    }
    records.truncate(wanted as usize);
    Ok(records)
}

fn predict(arguments: &PredictArguments, models: &[String], read: Read) -> Result<Exit, CouldNotSay> {
    let seen = Observation { records: read.records, gap: Gap::default() };
    let scope = if arguments.all_starts { Scope::all() } else { Scope::usual() };
    let report = searched(arguments, models, &seen, &read.begun, &scope)?;
    let recovered = recoveries(&report, &seen, usize::from(arguments.next));
    let count = seen.records.len() as u64;
    if let Some(path) = &arguments.certificate {
        write(path, &PredictionFile::new(&seen.records, arguments.know.cards(), &recovered))?;
    }
    if arguments.json {
        say(&json_of(count, &recovered, &report))?
    } else {
        say(&text_of(count, &recovered, &report))?
    }
    Ok(if recovered.is_empty() { Exit::Passed } else { Exit::Refused })
}

/// The search that the arguments name.
fn searched(
    arguments: &PredictArguments,
    models: &[String],
    seen: &Observation,
    begun: &[usize],
    scope: &Scope,
) -> Result<Report, CouldNotSay> {
    let budget = Budget::new(Some(arguments.budget), None);
    let of_seeds = seeds::Request { seen, scope, state: arguments.state.as_ref(), calls: arguments.calls };
    match (&arguments.seeds, arguments.around) {
        (Some(name), _) => seeds::all(&of_seeds, name, &budget),
        (None, Some(seconds)) => {
            let around = Around { seconds, width: arguments.within.as_secs() };
            Ok(seeds::around(&of_seeds, around, &budget))
        }
        (None, None) => Ok(search(&Request { seen, segments: begun, scope, models }, &budget)),
    }
}

/// The one name that holds a text, or is it.
fn one_of(names: &[&'static str], wanted: &str) -> Result<&'static str, CouldNotSay> {
    let lower = wanted.to_lowercase();
    let holds: Vec<&str> =
        names.iter().filter(|name| name.to_lowercase().contains(&lower)).copied().collect();
    match (names.iter().find(|name| **name == wanted), &holds[..]) {
        (Some(name), _) | (None, [name]) => Ok(name),
        _ => Err(no_such(names, wanted)),
    }
}

fn no_such(names: &[&'static str], wanted: &str) -> CouldNotSay {
    let near = near_names(names, wanted).join("; ");
    CouldNotSay::new(
        format!("{wanted} is no name of the list, or of more than one; near it: {near}"),
        "predict --list prints all names.",
    )
}

fn recoveries(report: &Report, seen: &Observation, next: usize) -> Vec<Recovery> {
    let of = |own: &Recovered| Recovery::new(own, &own.next_decks(next, last_deck(own, seen)));
    report.recovered.iter().map(of).collect()
}

fn write(path: &Path, file: &PredictionFile) -> Result<(), CouldNotSay> {
    let json = serde_json::to_string_pretty(file).expect("strings and numbers are JSON");
    let written = write_atomic(path, format!("{json}\n").as_bytes(), Access::Public);
    written.map_err(|error| CouldNotSay::new(format!("{}: {error}", path.display()), ""))
}

/// Deals the records again from every state of a certificate.
fn check(path: &Path, records: &[Record]) -> Result<Exit, CouldNotSay> {
    let refusal = |error: String| CouldNotSay::new(format!("{}: {error}", path.display()), "");
    let text = read_text_limited(path, CERTIFICATE_BYTES_MAX).map_err(|error| refusal(error.to_string()))?;
    let file: PredictionFile = serde_json::from_str(&text).map_err(|error| refusal(error.to_string()))?;
    if file.format != FORMAT || file.recovered.is_empty() {
        return Err(refusal("this is no certificate of a recovered generator".to_owned()));
    }
    for own in &file.recovered {
        match own.certificate().verify(records) {
            Ok(verified) => say(&format!(
                "The state of {} deals {} of these records; fair decks do so with a chance below 1e{:.0}.\n",
                own.generator,
                verified.records,
                verified.bound_log10.ceil()
            ))?,
            Err(fault) => {
                say(&format!("The certificate does not hold: {fault}.\n"))?;
                return Ok(Exit::CouldNotSay);
            }
        }
    }
    Ok(Exit::Refused)
}
