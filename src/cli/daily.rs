//! `deckproof daily`: the audit of the day, one line in the store and five lines of mail.

use std::ffi::OsString;
use std::fs::{self, File};
use std::path::{Path, PathBuf};

use clap::error::{ContextKind, ContextValue};
use clap::{Args, CommandFactory, FromArgMatches, Parser};

use crate::cli::audit::Question;
use crate::cli::audit::publish::{Output, exit_of, say};
use crate::cli::exit::{CouldNotSay, Exit};
use crate::cli::tool::{self, Started};
use crate::cli::without_keys;
use crate::file;
use crate::monitoring::config::{Config, ConfigError};
use crate::monitoring::line::{DayLine, Examined};
use crate::monitoring::mail::{self, Heading, Told};
use crate::monitoring::store::{STORE_FILE, Store, StoreError};
use crate::report::page::Page;
use crate::report::summary;
use crate::session::Unwatched;

/// Locked while a line is added to the store; it stays empty.
const LOCK_FILE: &str = "daily.lock";

/// Arguments of `deckproof daily`.
#[derive(Args, Debug)]
pub struct DailyArguments {
    /// The configuration, TOML: name, folder and source, and whatever else deckproof audit takes of source and plan,
    /// with underscores: decks, records, format, rules, players, timeout, plan … Paths are relative to this file.
    #[arg(long, value_name = "FILE")]
    config: PathBuf,
}

/// What a configuration may say of the audit, read as it is read on a command line.
#[derive(Parser, Debug)]
#[command(no_binary_name = true, disable_help_flag = true)]
struct DayAudit {
    #[command(flatten)]
    question: Question,
    /// How many threads count.
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..))]
    threads: Option<u16>,
}

/// A day's job, understood.
struct Job {
    config: Config,
    audit: DayAudit,
    /// Absolute, because mail is read elsewhere.
    folder: PathBuf,
    day: String,
}

/// Runs `deckproof daily`.
///
/// # Errors
/// [`CouldNotSay`]; the day is then recorded as a day without a result, if the store can be written.
pub fn daily(arguments: &DailyArguments) -> Result<Exit, CouldNotSay> {
    let job = Job::read(&arguments.config)?;
    // Before the decks are counted: a day that cannot be recorded need not begin.
    if let Err(error) = job.read_store() {
        return job.refuse(error);
    }
    // The day is in the store before its mail is printed: mail that nobody takes does not change the day.
    let (mail, exit) = match job.check() {
        Ok(outcome) => outcome,
        Err(Stopped::Store(error)) => return job.refuse(error),
        Err(Stopped::Reason(CouldNotSay(reason))) => match job.record_failure(&reason) {
            Ok(outcome) => outcome,
            Err(Stopped::Store(error)) => return job.refuse(error),
            Err(Stopped::Reason(reason)) => return Err(reason),
        },
    };
    say(&mail)?;
    Ok(exit)
}

/// Why a day has no verdict.
enum Stopped {
    /// Nothing could be said about the decks.
    Reason(CouldNotSay),
    /// The store cannot take a line.
    Store(StoreError),
}

impl From<CouldNotSay> for Stopped {
    fn from(reason: CouldNotSay) -> Stopped {
        Stopped::Reason(reason)
    }
}

impl From<StoreError> for Stopped {
    fn from(error: StoreError) -> Stopped {
        Stopped::Store(error)
    }
}

impl Job {
    /// Reads the configuration, and goes to its folder: all its paths begin there.
    fn read(path: &Path) -> Result<Job, CouldNotSay> {
        let place = path.display();
        let text =
            fs::read_to_string(path).map_err(|error| CouldNotSay::new(format!("{place}: {error}"), ""))?;
        let failed = |error: ConfigError| CouldNotSay(format!("{place}: {error}"));
        let command = DayAudit::command();
        let known = command.get_arguments().map(|argument| argument.get_id().as_str());
        // The table of a chain is called so in its record.
        let known: Vec<&str> = known.chain(["table"]).collect();
        let config = Config::parse(&text, &known).map_err(failed)?;
        let matches = command.try_get_matches_from(words(&config));
        let audit = matches.and_then(|matches| DayAudit::from_arg_matches(&matches));
        let audit = audit.map_err(|error| failed(of_clap(&text, &error)))?;
        let own = path.parent().filter(|own| !own.as_os_str().is_empty());
        let io =
            |path: &Path, error: std::io::Error| CouldNotSay::new(format!("{}: {error}", path.display()), "");
        if let Some(own) = own {
            std::env::set_current_dir(own).map_err(|error| io(own, error))?;
        }
        let folder = Path::new(&config.folder);
        let made = fs::create_dir_all(folder).and_then(|()| folder.canonicalize());
        let folder = made.map_err(|error| io(folder, error))?;
        Ok(Job { config, audit, folder, day: tool::day_utc() })
    }

    fn heading<'a>(&'a self, files: &'a str) -> Heading<'a> {
        Heading { folder: &self.folder, files }
    }

    /// The names of the files that the configuration names as the source.
    fn files(&self) -> String {
        let names = self.config.values("source").iter().filter_map(|source| {
            let path =
                ["csv:", "raw:"].iter().find_map(|prefix| source.strip_prefix(prefix)).unwrap_or(source);
            let name = Path::new(path).file_name()?.to_string_lossy().into_owned();
            Path::new(path).exists().then_some(name)
        });
        names.collect::<Vec<_>>().join(", ")
    }

    fn read_store(&self) -> Result<Store, StoreError> {
        Store::read(&self.folder)
    }

    /// The day's mail and exit code.
    fn check(&self) -> Result<(String, Exit), Stopped> {
        let started = Started::now();
        let mut asked = self.audit.question.ask(None, None)?;
        let examined = Examined::of_source(&asked.session.plan().source);
        check_new(&self.read_store()?, &examined)?;
        let result = asked.session.answer(tool::threads(self.audit.threads), &Unwatched);
        let result = result.map_err(CouldNotSay::from)?;
        let _turn = self.wait_for_turn()?;
        let store = self.read_store()?;
        let place = self.free_place();
        let certificate = Output::certificate(result);
        let path = format!("{place}/certificate.json");
        let line =
            DayLine::of_certificate(&self.day, &self.config.name, &certificate, &path, store.last_sha256());
        line.examined.as_ref().map_or(Ok(()), |examined| check_new(&store, examined))?;
        let output = Output::quietly(self.folder.join(&place));
        let page = output.write(&certificate, &started)?;
        self.append(&line)?;
        let result = &certificate.result;
        let mail = mail::judged(
            &self.heading(&self.files()),
            &line,
            result,
            &Told { store: &store, ground: ground(&page) },
        );
        Ok((mail, exit_of(result.verdict)))
    }

    fn record_failure(&self, reason: &str) -> Result<(String, Exit), Stopped> {
        let _turn = self.wait_for_turn()?;
        let store = self.read_store()?;
        let version = env!("CARGO_PKG_VERSION");
        let line = DayLine::of_failure(&self.day, &self.config.name, version, reason, store.last_sha256());
        self.append(&line)?;
        Ok((mail::could_not_say(&self.heading(""), &line), Exit::CouldNotSay))
    }

    /// A store that was changed is a contradiction; one that cannot be read says nothing.
    fn refuse(&self, error: StoreError) -> Result<Exit, CouldNotSay> {
        let store = self.folder.join(STORE_FILE);
        match error {
            StoreError::Changed(fault) => {
                say(&mail::refused(&self.heading(""), &self.config.name, &self.day, &fault))?;
                Ok(Exit::Refused)
            }
            StoreError::Torn => {
                Err(CouldNotSay::new(format!("{}: {error}", store.display()), "Mend it by hand."))
            }
            error => Err(CouldNotSay::new(format!("{}: {error}", store.display()), "")),
        }
    }

    /// The day, or `day-2`, `day-3` … when the job runs again on the same day: nothing is overwritten.
    fn free_place(&self) -> String {
        let again = (2..).map(|run| format!("{}-{run}", self.day));
        let mut places = std::iter::once(self.day.clone()).chain(again);
        places.find(|place| !self.folder.join(place).exists()).expect("some number is free")
    }

    /// Locks the store until the file is dropped: two jobs at once must not take one place, nor name the
    /// same line as the one before theirs.
    fn wait_for_turn(&self) -> Result<File, CouldNotSay> {
        let path = self.folder.join(LOCK_FILE);
        let locked = File::create(&path).and_then(|file| file.lock().map(|()| file));
        locked.map_err(|error| CouldNotSay::new(format!("{} cannot be locked: {error}", path.display()), ""))
    }

    fn append(&self, line: &DayLine) -> Result<(), CouldNotSay> {
        let path = self.folder.join(STORE_FILE);
        file::append(&path, line.to_json_line().as_bytes())
            .map_err(|error| CouldNotSay::new(format!("{} cannot be written: {error}", path.display()), ""))
    }
}

/// What a person should look at: proof, or the statistic that sees most and its strongest cell, in words.
fn ground(page: &Page) -> Option<String> {
    let proof = page.proofs.first().map(|proof| format!("Proof: {proof}"));
    proof.or_else(|| summary::look_at(page).map(|words| format!("Look at: {words}")))
}

fn check_new(store: &Store, examined: &Examined) -> Result<(), CouldNotSay> {
    match store.seen(examined) {
        None => Ok(()),
        Some(seen) => Err(CouldNotSay::new(
            seen,
            "What was found then stands there. Give the decks that were dealt since, such as with records.",
        )),
    }
}

/// The configuration as it would be typed.
fn words(config: &Config) -> Vec<OsString> {
    let mut words = Vec::new();
    for option in &config.options {
        let name = if option.name == "table" { "chain_table" } else { option.name.as_str() };
        let typed = format!("--{}", name.replace('_', "-"));
        if option.values.is_empty() {
            words.push(typed.clone().into());
        }
        words.extend(option.values.iter().map(|value| format!("{typed}={value}").into()));
    }
    words
}

/// What is wrong with an option, with its line and without what may be a key.
fn of_clap(text: &str, error: &clap::Error) -> ConfigError {
    let option = match error.get(ContextKind::InvalidArg) {
        Some(ContextValue::String(option)) => option.clone(),
        Some(ContextValue::Strings(options)) => options.first().cloned().unwrap_or_default(),
        _ => String::new(),
    };
    let key = option.trim_start_matches('-').split([' ', '=']).next().unwrap_or_default().replace('-', "_");
    let reason = std::error::Error::source(error).map_or_else(
        || error.to_string().lines().next().unwrap_or_default().trim_start_matches("error: ").to_owned(),
        ToString::to_string,
    );
    let name = if key.is_empty() { String::new() } else { format!("{key}: ") };
    ConfigError::at_key(text, &key, &without_keys(&format!("{name}{reason}")))
}
