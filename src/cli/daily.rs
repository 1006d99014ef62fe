//! `deckproof daily`: the audit of the day, one line in the store and five lines of mail.

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use clap::Args;

use crate::audit::plan::Shard;
use crate::audit::selection::Selection;
use crate::battery::Tier;
use crate::certificate::words::verdict_sentence;
use crate::cli::audit::ask::{Wish, ask};
use crate::cli::audit::publish::{Output, exit_of, say};
use crate::cli::exit::{CouldNotSay, Exit};
use crate::cli::source::SourceOptions;
use crate::cli::tool::{self, Started};
use crate::file;
use crate::monitoring::{Config, DayLine, STORE_FILE};
use crate::session::Unwatched;
use crate::session::request::{Repetition, Request};

/// Locked while a line is added to the store; it stays empty.
const LOCK_FILE: &str = "daily.lock";

/// Arguments of `deckproof daily`.
#[derive(Args, Debug)]
pub struct DailyArguments {
    /// The configuration, TOML: name, source, decks, folder; optional the settings of its
    /// source, named as the options of deckproof audit with underscores: format, numbering, first_hand …
    #[arg(long, value_name = "FILE")]
    config: PathBuf,
}

/// Runs `deckproof daily`.
///
/// # Errors
/// [`CouldNotSay`]; the day is then recorded as a day without a result, if the store can be written.
pub fn daily(arguments: &DailyArguments) -> Result<Exit, CouldNotSay> {
    let path = &arguments.config;
    let text = fs::read_to_string(path)
        .map_err(|error| CouldNotSay::new(format!("{}: {error}", path.display()), ""))?;
    let config = Config::parse(&text).map_err(|error| CouldNotSay(format!("{}: {error}", path.display())))?;
    let folder = path.parent().unwrap_or(Path::new("")).join(&config.folder);
    fs::create_dir_all(&folder)
        .map_err(|error| CouldNotSay::new(format!("{}: {error}", folder.display()), ""))?;
    // Before the decks are counted: a day that cannot be recorded need not begin.
    read_store(&folder)?;
    let day = tool::day_utc();
    // The day is in the store before its mail is printed: mail that nobody takes does not change the day.
    let (mail, exit) = check_day(&config, &folder, &day)
        .or_else(|CouldNotSay(reason)| record_failure(&config, &folder, &day, &reason))?;
    say(&mail)?;
    Ok(exit)
}

/// The day's mail and exit code.
fn check_day(config: &Config, folder: &Path, day: &str) -> Result<(String, Exit), CouldNotSay> {
    let started = Started::now();
    let choice = source_options(config).ask()?;
    let request = Request {
        decks: Some(config.decks),
        selection: Selection::of_tiers(&Tier::OF_DECKS),
        start_order: None,
        repetition: Repetition::Planned,
        program_sha256: choice.program_sha256()?,
    };
    let mut asked = ask(choice, &Wish::Request(&request), Shard::WHOLE, None)?;
    let result = asked.session.answer(tool::threads(None), &Unwatched)?;
    let _turn = wait_for_turn(folder)?;
    let place = free_place(folder, day);
    let output = Output { out: Some(folder.join(&place)), csv: None, json: false, quiet: true, table: false };
    let (certificate, _) = output.write(result, &started)?;
    let store = read_store(folder)?;
    let path = format!("{place}/certificate.json");
    let line = DayLine::of_certificate(day, &config.name, &certificate, &path, &store);
    append(folder, &line)?;
    let result = &certificate.result;
    let seed_space = result.deciding().seed_space_sentence();
    let second =
        seed_space.unwrap_or_else(|| "No statistic was judged: one such record is enough.".to_owned());
    Ok((line.mail(folder, &verdict_sentence(result), &second), exit_of(result.verdict)))
}

fn record_failure(
    config: &Config,
    folder: &Path,
    day: &str,
    reason: &str,
) -> Result<(String, Exit), CouldNotSay> {
    let _turn = wait_for_turn(folder)?;
    let store = read_store(folder)?;
    let line = DayLine::of_failure(day, &config.name, env!("CARGO_PKG_VERSION"), reason, &store);
    append(folder, &line)?;
    Ok((line.mail(folder, "", ""), Exit::CouldNotSay))
}

/// The settings of a source bear the names they have in its record.
fn source_options(config: &Config) -> SourceOptions {
    let mut options =
        SourceOptions { source: Some(config.source.clone().into()), ..SourceOptions::default() };
    for (name, value) in &config.settings {
        // The table of a chain is called so in its record.
        let name = if name == "table" { "chain_table" } else { name.as_str() };
        options.settings.set(name, value.to_string());
    }
    options
}

/// The day, or `day-2`, `day-3` … when the job runs again on the same day: nothing is overwritten.
fn free_place(folder: &Path, day: &str) -> String {
    let again = (2..).map(|run| format!("{day}-{run}"));
    let mut places = std::iter::once(day.to_owned()).chain(again);
    places.find(|place| !folder.join(place).exists()).expect("some number is free")
}

/// Locks the store until the file is dropped: two jobs at once must not take one place, nor name the
/// same line as the one before theirs.
fn wait_for_turn(folder: &Path) -> Result<File, CouldNotSay> {
    let path = folder.join(LOCK_FILE);
    let locked = File::create(&path).and_then(|file| file.lock().map(|()| file));
    locked.map_err(|error| CouldNotSay::new(format!("{} cannot be locked: {error}", path.display()), ""))
}

fn read_store(folder: &Path) -> Result<String, CouldNotSay> {
    let path = folder.join(STORE_FILE);
    match fs::read_to_string(&path) {
        Ok(text) if text.is_empty() || text.ends_with('\n') => Ok(text),
        Ok(_) => {
            Err(CouldNotSay::new(format!("{}: the last line is torn", path.display()), "Mend it by hand."))
        }
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(String::new()),
        Err(error) => Err(CouldNotSay::new(format!("{}: {error}", path.display()), "")),
    }
}

fn append(folder: &Path, line: &DayLine) -> Result<(), CouldNotSay> {
    let path = folder.join(STORE_FILE);
    file::append(&path, line.to_json_line().as_bytes())
        .map_err(|error| CouldNotSay::new(format!("{} cannot be written: {error}", path.display()), ""))
}
