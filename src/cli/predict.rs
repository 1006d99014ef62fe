//! `deckproof predict`: whether the generator behind decks can be recovered, and the next decks of it.

mod know;
mod near;
mod seeds;

use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;
use deckproof_predict::budget::Budget;
use deckproof_predict::catalogue::ALL_MODELS;
use deckproof_predict::deck::{Gap, Observation, Record};
use deckproof_predict::model::{Recovered, Scope};
use deckproof_predict::recovery::Recovery;
use deckproof_predict::search::{Report, Request, last_deck, search};
use deckproof_predict::seeds::list::SEED_SEARCHES;
use deckproof_predict::seeds::times::Around;

use crate::cli::audit::options::parse_decks;
use crate::cli::audit::publish::say;
use crate::cli::predict::know::Know;
use crate::cli::predict::near::near_names;
use crate::cli::predict::seeds::parse_moment;
use crate::cli::screen;
use crate::cli::source::{self, TypedSource};
use deckproof_audit::source::command::TO_ITS_END;
use deckproof_audit::source::format::parse_time;
use deckproof_audit::source::list::CATALOGUE;
use deckproof_audit::source::named::NamedSource;
use deckproof_deck::deck::block::DeckBlock;
use deckproof_deck::text::could_not_say::CouldNotSay;
use deckproof_deck::text::decimal::counted;
use deckproof_deck::text::exit::Exit;
use deckproof_files::file::{Access, read_text_limited, write_atomic};
use deckproof_report::rendering::prediction::looked::{LookedAt, LookedSeeds, LookedSource};
use deckproof_report::rendering::prediction::{PredictionFile, checked, json_of, list_of, text_of};

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
    /// How many records are read at most, of several files the same share of each [default: 10,000].
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
        Some(file) => check(file, &read, arguments.json),
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

/// Records, where files and declared segments begin among them, and whose they are.
struct Read {
    records: Vec<Record>,
    begun: Vec<usize>,
    looked_at: LookedAt,
}

/// The first records of every file that is named, or of the one source.
fn read(arguments: &PredictArguments) -> Result<Read, CouldNotSay> {
    let named = &arguments.source.0;
    let sources: Vec<_> =
        std::iter::once(named.source.clone()).chain(named.settings.more.iter().cloned().map(Some)).collect();
    let mut read = Read {
        records: Vec::new(),
        begun: arguments.begins.iter().map(|number| *number as usize - 1).collect(),
        looked_at: LookedAt {
            sources: Vec::new(),
            know: arguments.know.to_string(),
            cards: arguments.know.cards() as u64,
            begins: arguments.begins.clone(),
            seeds: looked_seeds(arguments),
        },
    };
    let wanted = arguments.decks.unwrap_or(RECORDS_DEFAULT);
    for (place, source) in sources.iter().enumerate() {
        let mut alone = NamedSource { source: source.clone(), settings: named.settings.clone() };
        alone.settings.more.clear();
        let left = wanted.saturating_sub(read.records.len() as u64);
        read.add(arguments, &alone, left.div_ceil((sources.len() - place) as u64))?;
    }
    let count = read.records.len();
    match arguments.begins.iter().find(|number| **number > count as u64) {
        _ if count == 0 => Err(CouldNotSay::new("there is no deck", "")),
        Some(outside) => Err(CouldNotSay::new(
            format!(
                "found --begins {outside}, wanted one of the {} read",
                counted(count as u64, "record", "records")
            ),
            "--decks reads more of them, and --records FIRST.. reads from there on.",
        )),
        None => Ok(read),
    }
}

fn looked_seeds(arguments: &PredictArguments) -> Option<LookedSeeds> {
    let seeding = arguments.seeds.clone();
    let around = arguments.around.map(|seconds| [seconds, arguments.within.as_secs()]);
    let calls = arguments.calls;
    (seeding.is_some() || around.is_some()).then_some(LookedSeeds { seeding, around, calls })
}

impl Read {
    /// The first records of one source.
    fn add(
        &mut self,
        arguments: &PredictArguments,
        named: &NamedSource,
        wanted: u64,
    ) -> Result<(), CouldNotSay> {
        let asked = named.ask()?;
        source::warn(asked.as_ref());
        // Files and programs may hold fewer; a shuffler of this program deals as many as are wanted.
        let is_supplied = asked.abilities().is_supplied;
        let mut opened = asked.open((!is_supplied).then_some(wanted))?;
        if opened.decks.is_some_and(|decks| decks > wanted) {
            opened = named.ask()?.open(Some(wanted))?;
        }
        let sentences = opened.sentences.iter().filter(|sentence| *sentence != TO_ITS_END);
        sentences.for_each(|sentence| screen::warn(sentence));
        let wanted = opened.decks.unwrap_or(wanted).min(wanted) as usize;
        let (first, mut block, mut has_ended) = (self.records.len(), DeckBlock::default(), false);
        while self.records.len() - first < wanted && !has_ended {
            let read = opened.source.fill((self.records.len() - first) as u64, &mut block);
            read.map_err(|error| CouldNotSay::new(error, ""))?;
            let lanes = 0..block.hands();
            self.records.extend(lanes.filter_map(|lane| arguments.know.record(block.deck(lane).indices())));
            has_ended = block.hands() < deckproof_deck::deck::block::BLOCK_HANDS;
        }
        has_ended &= self.records.len() - first <= wanted;
        self.records.truncate(first + wanted);
        let count = self.records.len() - first;
        let ends = opened.source.files().into_iter().map(|file| file.end as usize);
        self.begun.extend(std::iter::once(0).chain(ends).filter(|end| *end < count).map(|end| first + end));

        // The hash of a stream is of all that was read, which may be more than was used.
        let record = match opened.source.consumed().filter(|_| has_ended) {
            Some(consumed) => opened.record.with_consumed(&consumed),
            None => opened.record,
        };
        let number = |name: &str| record.number_if_any(name).ok().flatten();
        self.looked_at.sources.push(LookedSource {
            files: named.files(),
            source: CATALOGUE.words(&record),
            sha256: record.shown("sha256").filter(|sha256| !sha256.is_empty()),
            records: count as u64,
            records_all: number("file_records"),
            is_part: number("first_record").is_some() || record.is_stream() && !has_ended,
        });
        Ok(())
    }
}

fn predict(arguments: &PredictArguments, models: &[String], read: Read) -> Result<Exit, CouldNotSay> {
    let seen = Observation { records: read.records, gap: Gap::default() };
    let scope = if arguments.all_starts { Scope::all() } else { Scope::usual() };
    let report = searched(arguments, models, &seen, &read.begun, &scope)?;
    let recovered = recoveries(&report, &seen, usize::from(arguments.next));
    if arguments.json {
        say(&json_of(&read.looked_at, &recovered, &report))?
    } else {
        say(&text_of(&read.looked_at, &recovered, &report))?
    }
    if let Some(path) = &arguments.certificate {
        write(path, &PredictionFile::new(&seen.records, read.looked_at, &recovered))?;
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
fn check(path: &Path, read: &Read, is_json: bool) -> Result<Exit, CouldNotSay> {
    let refusal = |error: String| CouldNotSay::new(format!("{}: {error}", path.display()), "");
    let text = read_text_limited(path, CERTIFICATE_BYTES_MAX).map_err(|error| refusal(error.to_string()))?;
    let file: PredictionFile = serde_json::from_str(&text).map_err(|error| refusal(error.to_string()))?;
    if !file.is_certificate() {
        return Err(refusal("this is no certificate of a recovered generator".to_owned()));
    }
    let verify = |own: &Recovery| {
        own.check_model()?;
        own.verify(&read.records)
    };
    let verified = file.recovered.iter().map(verify).collect();
    let (text, json) = checked(&file.recovered, &verified, &read.looked_at);
    say(if is_json { &json } else { &text })?;
    Ok(if verified.is_ok() { Exit::Refused } else { Exit::CouldNotSay })
}
