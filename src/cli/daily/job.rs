//! The day of one shuffler: its steps in order, its row, its files.

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use clap::CommandFactory;
use jiff::Timestamp;
use serde_json::json;

use crate::certificate::AuditResult;
use crate::cli::daily::DayAudit;
use crate::cli::daily::gaming_day::{GamingDay, Wanted, missing};
use crate::cli::daily::told::tell;
use crate::cli::daily::understood::understand;
use crate::cli::exit::{CouldNotSay, Exit};
use crate::cli::tool::{self, Started};
use crate::file::{TEXT_BYTES_MAX, read_text_limited};
use crate::key::AuditKey;
use crate::monitoring::check::{CheckResult, DayCheck};
use crate::monitoring::completeness::{self, LogSeen};
use crate::monitoring::config::{Config, ConfigError};
use crate::monitoring::entropy::{self, RESTARTS, Restarts};
use crate::monitoring::identity;
use crate::monitoring::judge::{self, CHAIN, FRESH, LIVE};
use crate::monitoring::kept::BEGUN;
use crate::monitoring::line::{DayLine, Examined};
use crate::monitoring::mail::store_refused;
use crate::monitoring::replay::{self, HandsSeen, Replay};
use crate::monitoring::steps::{KEYS, Steps};
use crate::monitoring::store::{Store, StoreError};
use crate::monitoring::voices::Told;
use crate::monitoring::{fresh_output, noise};
use crate::session::Unwatched;

/// Locked while a row is added to the store; it stays empty.
const LOCK_FILE: &str = "daily.lock";

/// A day's job, understood.
pub(super) struct Job {
    pub(super) config: Config,
    audit: DayAudit,
    /// The steps beside the audit.
    pub steps: Steps,
    /// Absolute, because mail is read elsewhere.
    folder: PathBuf,
    pub(super) day: GamingDay,
    is_named: bool,
}

/// A day that ended.
pub(super) struct Ended {
    /// How.
    pub exit: Exit,
    /// Five lines.
    pub mail: String,
    /// Its row; where the store was refused, what it would have been.
    pub(super) line: Option<DayLine>,
    pub(super) last_success: Option<i64>,
}

/// What the steps found before anything is written.
pub(super) struct Found {
    pub checks: Vec<DayCheck>,
    pub live: Result<AuditResult, String>,
    pub examined: Option<Examined>,
    pub log: Option<LogSeen>,
    pub hands: HandsSeen,
    pub fresh: Option<AuditResult>,
}

impl Ended {
    /// For machines.
    pub fn json(&self) -> String {
        let mail: Vec<&str> = self.mail.lines().collect();
        json!({ "mail": mail, "day": self.line }).to_string()
    }

    /// One line a step.
    pub fn steps(&self) -> String {
        let line = |check: &DayCheck| {
            format!("  {:<24}{:<14}{}.\n", check.name, check.result.words(), check.evidence)
        };
        self.line.iter().flat_map(|day| &day.checks).map(line).collect()
    }

    /// For metrics.
    pub fn told(&self) -> Option<Told<'_>> {
        let line = self.line.as_ref()?;
        let checked = seconds(line.checked.as_deref()?)?;
        Some(Told { line, last_success: self.last_success, checked })
    }
}

pub(super) fn seconds(time: &str) -> Option<i64> {
    time.parse::<Timestamp>().ok().map(Timestamp::as_second)
}

impl Job {
    /// Reads the configuration, and goes to its folder: all its paths begin there.
    pub fn read_all(path: &Path, wanted: &Wanted, now: Timestamp) -> Result<Vec<Job>, CouldNotSay> {
        let place = path.display();
        let text = read_text_limited(path, TEXT_BYTES_MAX)
            .map_err(|error| CouldNotSay::new(format!("{place}: {error}"), ""))?;
        let failed = |error: ConfigError| CouldNotSay(format!("{place}: {error}"));
        let command = DayAudit::command();
        let known = command.get_arguments().map(|argument| argument.get_id().as_str());
        // The table of a chain is called so in its record.
        let known: Vec<&str> = known.chain(["table"]).collect();
        let configs = Config::parse(&text, &known, &KEYS).map_err(failed)?;
        let mut understood = Vec::new();
        for config in configs {
            let steps = Steps::of(&text, &config).map_err(failed)?;
            let day = GamingDay::of(steps.day_ends.as_deref(), wanted, now)
                .map_err(|problem| CouldNotSay(format!("{place}: {problem}")))?;
            let config = config.on(&day.date);
            let steps = Steps::of(&text, &config).map_err(failed)?;
            let audit = understand(&text, &config).map_err(failed)?;
            understood.push((config, steps, audit, day));
        }
        let own = path.parent().filter(|own| !own.as_os_str().is_empty());
        if let Some(own) = own {
            std::env::set_current_dir(own).map_err(|error| io(own, &error))?;
        }
        let is_named = matches!(wanted, Wanted::Of(_));
        let job = |(config, steps, audit, day): (Config, Steps, DayAudit, GamingDay)| {
            let folder = PathBuf::from(&config.folder);
            Job { config, audit, steps, folder, day, is_named }
        };
        Ok(understood.into_iter().map(job).collect())
    }

    /// That something new can be examined each day.
    pub fn check_config(&self) -> Result<(), CouldNotSay> {
        let fixed = |source: &&String| source.starts_with("audit:") || source.starts_with("chain:");
        if let Some(source) = self.config.values("source").iter().find(fixed) {
            let kind = source.split(':').next().unwrap_or_default();
            return Err(CouldNotSay::new(
                format!(
                    "{}: the source is {kind} under one key, whose decks are the same every day",
                    self.config.name
                ),
                "Name the decks that were dealt on the day, such as export-{date}.csv.",
            ));
        }
        Ok(())
    }

    /// What the configuration says, for a person.
    pub fn describe(&self) -> String {
        let source = self.config.values("source").join(", ");
        let window =
            self.day.window.as_ref().map_or_else(|| "UTC".to_owned(), |(from, to)| format!("{from} to {to}"));
        let names = [
            ("manifest", self.steps.identified.is_some()),
            ("entropy_source", self.steps.entropy_source.is_some()),
            ("log", self.steps.log.is_some()),
            ("tables", !self.steps.tables.is_empty()),
            ("on_alarm", !self.steps.on_alarm.is_empty()),
        ];
        let missing: Vec<&str> =
            names.iter().filter(|(_, is_there)| !is_there).map(|(name, _)| *name).collect();
        let missing = if missing.is_empty() { "nothing".to_owned() } else { missing.join(", ") };
        format!(
            "{}: sound. Day {} ({window}), decks of {source}, folder {}. Not set up: {missing}.\n",
            self.config.name,
            self.day.date,
            self.folder.display()
        )
    }

    /// The whole day. It is in the store before anybody is told: mail that nobody takes does not change the day.
    pub fn run(&self) -> Result<Ended, CouldNotSay> {
        let started = Started::now();
        fs::create_dir_all(&self.folder).map_err(|error| io(&self.folder, &error))?;
        let folder = self.folder.canonicalize().map_err(|error| io(&self.folder, &error))?;
        // Before the decks are counted: a day that cannot be recorded need not begin.
        let read = {
            let _turn = wait_for_turn(&folder)?;
            recovered(&folder)
        };
        let store = match read {
            Ok(store) => store,
            Err(error) => return self.refuse(error, &folder, &started),
        };
        self.check_clock(&store)?;
        let found = self.examine(&store, &folder);
        drop(store);
        let _turn = wait_for_turn(&folder)?;
        match recovered(&folder) {
            Ok(store) => self.record(store, &folder, found, &started),
            Err(error) => self.refuse(error, &folder, &started),
        }
    }

    /// A clock that was set back would date a new day before an old one.
    fn check_clock(&self, store: &Store) -> Result<(), CouldNotSay> {
        match store.last() {
            Some(last) if last.day > self.day.date && !self.is_named => Err(CouldNotSay::new(
                format!(
                    "{}: the clock says that the day is {}, and row {} is of {}",
                    self.config.name,
                    self.day.date,
                    store.lines(),
                    last.day
                ),
                "Nothing was examined. Set the clock right, or name the day that is late with --date.",
            )),
            _ => Ok(()),
        }
    }

    /// Every step in order; nothing is written.
    fn examine(&self, store: &Store, folder: &Path) -> Found {
        let _ = folder;
        let (fresh_evidence, live, examined) = self.judge_decks(store);
        let mut checks = vec![fresh_evidence, self.chain(store)];
        checks.push(match &self.steps.identified {
            Some(identified) => identity::check(identified),
            None => DayCheck::not_set_up(identity::NAME, "manifest"),
        });
        checks.push(fresh_output::known_answers());
        checks.push(self.entropy());
        let last = store.days().iter().rev();
        let before = last.clone().find_map(|line| line.log.as_ref());
        let opened = self.steps.log.as_ref().map(completeness::LogAsked::open);
        let (complete, log) = match &opened {
            None => (DayCheck::not_set_up(completeness::NAME, "log"), None),
            Some(Err(fault)) => (fault.check(completeness::NAME), None),
            Some(Ok(opened)) => opened.check(before),
        };
        checks.push(complete);
        let hands_before = last.clone().map(|line| &line.hands).find(|hands| !hands.is_empty());
        let (replayed, hands) = match self.steps.tables.is_empty() {
            true => (DayCheck::not_set_up(replay::NAME, "tables"), HandsSeen::new()),
            false => {
                let head = log.as_ref().map_or(store.last_sha256(), |log| log.root.clone());
                let draw = format!("{head}\n{}", self.steps.beacon_value.as_deref().unwrap_or("no beacon"));
                let replay = Replay {
                    tables: &self.steps.tables,
                    hands: self.steps.replay_hands,
                    log: opened.as_ref().and_then(|opened| opened.as_ref().ok()),
                    draw: &draw,
                };
                replay::check(&replay, hands_before.unwrap_or(&HandsSeen::new()))
            }
        };
        checks.push(replayed);
        checks.push(match &live {
            Ok(result) => judge::live(result, store.days()),
            Err(reason) => DayCheck::new(LIVE, CheckResult::CouldNotSay, reason.as_str()),
        });
        let (fresh_check, fresh) = match self.steps.fresh_decks {
            0 => (DayCheck::not_set_up(fresh_output::NAME, "a number above 0 as fresh_decks"), None),
            decks => fresh_output::check(decks, tool::threads(self.audit.threads)),
        };
        checks.push(fresh_check);
        Found { checks, live, examined, log, hands, fresh }
    }

    /// The decks of the day, if they are new.
    fn judge_decks(&self, store: &Store) -> (DayCheck, Result<AuditResult, String>, Option<Examined>) {
        let not_new = |reason: String| {
            let judged = "the decks were not judged: see fresh evidence".to_owned();
            (DayCheck::new(FRESH, CheckResult::CouldNotSay, reason), Err(judged), None)
        };
        if let Some(name) = self.missing_file() {
            return not_new(format!("{name}: the file is not there"));
        }
        let again = self.next_records(store);
        let question = again.as_ref().unwrap_or(&self.audit).question.ask(None, None);
        let mut asked = match question {
            Ok(asked) => asked,
            Err(CouldNotSay(reason)) => return not_new(reason),
        };
        let examined = Examined::of_source(&asked.session.plan().source);
        if let Some(seen) = store.seen(&examined) {
            return not_new(seen);
        }
        match asked.session.answer(tool::threads(self.audit.threads), &Unwatched).map_err(CouldNotSay::from) {
            Err(CouldNotSay(reason)) => not_new(reason),
            Ok(result) => {
                let examined = Examined::of_result(&result);
                if let Some(seen) = store.seen(&examined) {
                    return not_new(seen);
                }
                let hash = examined.source_sha256.as_ref().and_then(|hash| hash.get(..12));
                let what = hash.map_or_else(|| "these decks".to_owned(), |hash| format!("SHA-256 {hash}…"));
                let days = store.days().iter().filter(|line| line.examined.is_some()).count();
                let evidence = format!("{what}, of which none of {days} earlier days examined any");
                (DayCheck::new(FRESH, CheckResult::Passed, evidence), Ok(result), Some(examined))
            }
        }
    }

    /// For a file that only grows: the same audit of the records after the last one that was examined.
    fn next_records(&self, store: &Store) -> Option<DayAudit> {
        if !self.steps.is_append_only {
            return None;
        }
        let last = store.days().iter().rev().find_map(|line| {
            let examined = line.examined.as_ref()?;
            Some(examined.records.map_or(line.decks, |(_, last)| last))
        })?;
        let mut config = self.config.clone();
        config.set("records", format!("{}..", last + 1));
        understand("", &config).ok()
    }

    fn chain(&self, store: &Store) -> DayCheck {
        let days = store.days().iter().map(|line| line.day.as_str());
        let missing = missing(days, &self.day.date);
        judge::chain(store.days(), &store.last_sha256(), store.certificates_gone, &missing)
    }

    fn entropy(&self) -> DayCheck {
        let source = self.steps.entropy_source.as_deref();
        let bytes = source.map_or_else(noise::operating_system, noise::read);
        let restarts = Restarts::run(RESTARTS, AuditKey::fresh).map_err(|error| error.to_string());
        match (bytes, restarts) {
            (Ok(bytes), Ok(restarts)) => entropy::check(&bytes, self.steps.claim, source, &restarts),
            (Err(reason), _) | (_, Err(reason)) => {
                DayCheck::new(entropy::NAME, CheckResult::CouldNotSay, reason)
            }
        }
    }

    /// A file that the source names and that is not there: a copy job that died. What may be a key is not repeated.
    fn missing_file(&self) -> Option<&str> {
        let is_missing = |source: &&String| {
            !source.contains(':') && source.contains('.') && !Path::new(source.as_str()).exists()
        };
        self.config.values("source").iter().find(is_missing).map(String::as_str)
    }

    /// The names of the files that the configuration names as the source.
    pub(super) fn files(&self) -> String {
        let names = self.config.values("source").iter().filter_map(|source| {
            let path =
                ["csv:", "raw:"].iter().find_map(|prefix| source.strip_prefix(prefix)).unwrap_or(source);
            let name = Path::new(path).file_name()?.to_string_lossy().into_owned();
            Path::new(path).exists().then_some(name)
        });
        names.collect::<Vec<_>>().join(", ")
    }

    /// A store that was changed is a contradiction, of which somebody is told; one that cannot be read says nothing.
    fn refuse(&self, error: StoreError, folder: &Path, started: &Started) -> Result<Ended, CouldNotSay> {
        let StoreError::Changed(fault) = error else { return Err(cannot_append(&error)) };
        let (day, name) = (&self.day.date, &self.config.name);
        let mail = store_refused(name, day, &fault);
        // A row that is not recorded: it would make the change look old.
        let mut line = DayLine::of_failure(day, name, env!("CARGO_PKG_VERSION"), &fault, "");
        line.overall = Some(CheckResult::Refused);
        line.checks = vec![DayCheck::new(CHAIN, CheckResult::Refused, fault)];
        line.checked = Some(started.time.clone());
        tell(folder, &self.free_place(folder), &line, &mail, &self.steps.on_alarm)?;
        Ok(Ended { exit: Exit::Refused, mail, line: Some(line), last_success: None })
    }
}

/// Reads the store, and ends what a job that was killed had begun: a folder whose row was added gets its name, others go.
fn recovered(folder: &Path) -> Result<Store, StoreError> {
    let left = fs::read_dir(folder).map_err(StoreError::File)?.flatten();
    let left: Vec<String> = left.filter_map(|entry| entry.file_name().into_string().ok()).collect();
    let mut store = Store::read(folder)?;
    for name in left.iter().filter(|name| name.starts_with(BEGUN)) {
        let (from, place) = (folder.join(name), &name[BEGUN.len()..]);
        let path = format!("{place}/certificate.json");
        let is_recorded = store.days().iter().any(|day| day.certificate.as_ref() == Some(&path));
        let ended = match is_recorded && !folder.join(place).exists() {
            true => fs::rename(&from, folder.join(place)),
            false => fs::remove_dir_all(&from),
        };
        ended.map_err(StoreError::File)?;
        store = Store::read(folder)?;
    }
    Ok(store)
}

/// Locks the store until the file is dropped: two jobs at once must not take one place, nor name the same row as the one
/// before theirs.
fn wait_for_turn(folder: &Path) -> Result<File, CouldNotSay> {
    let path = folder.join(LOCK_FILE);
    let locked = File::create(&path).and_then(|file| file.lock().map(|()| file));
    locked.map_err(|error| CouldNotSay::new(format!("{} cannot be locked: {error}", path.display()), ""))
}

pub(super) fn io(path: &Path, error: &std::io::Error) -> CouldNotSay {
    CouldNotSay::new(format!("{}: {error}", path.display()), "")
}

pub(super) fn cannot_append(error: &StoreError) -> CouldNotSay {
    CouldNotSay::new(error, "The day is not recorded.")
}
