//! The day of one shuffler: its steps in order, its row, its files.

use std::fs;
use std::path::{Path, PathBuf};

use jiff::Timestamp;
use serde_json::json;

use crate::daily::host::{AuditOptions, DayAudit, Host};
use crate::daily::record_lock::wait_for_record;
use crate::monitoring::alerts::{DayNotice, tell, write_voices};
use crate::monitoring::begun_run::BegunRun;
use crate::monitoring::by_table::TablesSeen;
use crate::monitoring::check::{CheckResult, DayCheck};
use crate::monitoring::claims::claims;
use crate::monitoring::comparison;
use crate::monitoring::completeness::LogSeen;
use crate::monitoring::config::{Config, ConfigError};
use crate::monitoring::day::{DayLine, Examined};
use crate::monitoring::explained::Explained;
use crate::monitoring::export_line::{DealtSeen, ExportSeen};
use crate::monitoring::exports::DayStatus;
use crate::monitoring::gaming_day::{GamingDay, Wanted, days_before};
use crate::monitoring::judge::{FRESH, LIVE};
use crate::monitoring::kept_rows::{self, ListFault, Listed};
use crate::monitoring::known;
use crate::monitoring::known::watched::Shared;
use crate::monitoring::mail::{self, Repair};
use crate::monitoring::replay::HandsSeen;
use crate::monitoring::retention::BEGUN;
use crate::monitoring::rows::counting;
use crate::monitoring::seats::SeatsSeen;
use crate::monitoring::state::{Stop, stops, with_stops};
use crate::monitoring::step_list::RESULTS;
use crate::monitoring::steps::{KEYS, Steps};
use crate::monitoring::store::{Store, StoreError, is_there};
use deckproof_audit::certificate::AuditResult;
use deckproof_deck::text::could_not_say::CouldNotSay;
use deckproof_deck::text::exit::Exit;
use deckproof_files::file::{TEXT_BYTES_MAX, read_text_limited};
use deckproof_report::output::Started;
use deckproof_verify::claim::Claims;

/// A day's job, understood.
pub struct DayJob {
    /// The configuration as it is written.
    pub(super) written: Config,
    /// The same with the day where `{date}` stands.
    pub(super) config: Config,
    pub(super) audit: DayAudit,
    /// The steps beside the audit.
    pub steps: Steps,
    /// Where its days go.
    pub(super) folder: PathBuf,
    pub(super) day: GamingDay,
    pub(super) is_named: bool,
}

/// What a step of the decks says where the export says nothing of the shuffler.
pub(super) const NOT_JUDGED: &str = "the decks were not judged: see fresh evidence";

/// What the steps of a day end in.
pub(super) enum Examination {
    /// Something that is to be recorded.
    Found(Box<Found>),
    /// These decks were judged for this day before, and the day passed: the row.
    Judged(usize),
}

/// A configuration that can be used.
pub struct Configured {
    /// The file.
    pub file: PathBuf,
    /// As it is written.
    pub text: String,
    /// One for each shuffler.
    pub jobs: Vec<DayJob>,
}

/// The days of all shufflers, ended.
pub struct DaysEnd {
    /// In the order of the configuration.
    pub days: Vec<DayEnd>,
    /// How they ended together.
    pub exit: Exit,
    /// Why the last one that could not be recorded was not; of earlier ones the host was told.
    pub fault: Option<CouldNotSay>,
}

/// A day that ended.
pub struct DayEnd {
    /// How: a function of its claims.
    pub exit: Exit,
    /// What it rests on.
    pub(super) claims: Claims,
    /// Five lines.
    pub mail: String,
    /// Its row; where the store was refused, what it would have been.
    pub(super) line: DayLine,
    pub(super) last_success: Option<i64>,
    /// How many stops are active.
    pub(super) stops: usize,
    /// Its steps beside the stops that are active.
    pub(super) checks: Vec<DayCheck>,
    /// Why it could not be recorded.
    pub fault: Option<CouldNotSay>,
}

/// The decks of the day: whether they are new, what they say, and what they are.
pub(super) struct Decks {
    pub fresh: DayCheck,
    pub live: Result<AuditResult, String>,
    pub examined: Option<Examined>,
    /// They are to be looked for among those of earlier days.
    pub day: Option<Shared>,
    pub by_table: TablesSeen,
    /// What the export is, judged or not.
    pub export: Option<ExportSeen>,
    /// What a person should know of it beside the result.
    pub notes: Vec<String>,
    /// The row of this day, or of a later one, that judged them.
    pub judged: Option<usize>,
}

/// What the steps found before anything is written.
pub(super) struct Found {
    pub checks: Vec<DayCheck>,
    pub decks: Decks,
    pub log: Option<LogSeen>,
    pub hands: HandsSeen,
    pub seats: SeatsSeen,
    pub fresh: Option<AuditResult>,
    /// The hands by their dealt cards.
    pub dealt: Option<DealtSeen>,
    /// SHA-256 of the list of files.
    pub listed: Option<String>,
    /// This run, if it came to its decks.
    pub begun: Option<BegunRun>,
}

impl Found {
    /// The export says nothing of the shuffler: what was found in its decks is no evidence.
    pub(super) fn set_aside(&mut self, explained: &Explained) {
        let Decks { live, examined, day, by_table, export, notes, .. } = &mut self.decks;
        *live = Err(NOT_JUDGED.to_owned());
        (*examined, *day) = (None, None);
        by_table.clear();
        notes.clear();
        if let Some(export) = export {
            (export.file, export.last_id) = (None, None);
        }
        for check in &mut self.checks {
            match check.name.as_str() {
                FRESH => *check = explained.check(FRESH),
                LIVE | comparison::NAME if check.is_set_up() => {
                    *check = DayCheck::could_not_say(&check.name, NOT_JUDGED);
                }
                _ => {}
            }
        }
    }

    /// A record that is no deck, or a generator that was recovered: proof, whatever else the file is.
    pub(super) fn has_proof_of_its_own(&self) -> bool {
        self.decks.live.as_ref().is_ok_and(|result| {
            let look = result.deciding();
            look.is_predicted() || (look.tallies.is_empty() && !look.proofs.is_empty())
        })
    }
}

impl DayEnd {
    /// A day with its line and the stops that are active after it; `unwritten` is what could not be written or delivered beside the row.
    pub(super) fn of(
        line: DayLine,
        mail: String,
        last_success: Option<i64>,
        unwritten: Option<&String>,
        active: &[Stop],
    ) -> DayEnd {
        let mut checks = line.checks.clone();
        // What a stop of an earlier day contradicts, no later day shows as long as the stop is active.
        checks.extend(active.iter().map(Stop::as_check));
        checks.extend(unwritten.map(|fault| DayCheck::could_not_say(RESULTS, fault.as_str())));
        // A day without a p-value judged no decks, so that nothing of them is claimed.
        let claims = claims(&checks, line.family_p_value.is_some());
        let stops = active.len().max(usize::from(line.result() == CheckResult::Refused));
        let (exit, checks) = (claims.exit(), with_stops(&line.checks, active));
        DayEnd { exit, claims, mail, line, last_success, stops, checks, fault: None }
    }

    /// For machines.
    pub fn json(&self) -> String {
        let mail: Vec<&str> = self.mail.lines().collect();
        json!({ "mail": mail, "day": self.line, "claims": self.claims }).to_string()
    }

    /// One line a step.
    pub fn steps(&self) -> String {
        let line = |check: &DayCheck| {
            format!("  {:<24}{:<14}{}.\n", check.name, check.result.words(), check.evidence)
        };
        self.line.checks.iter().map(line).collect()
    }

    /// For metrics.
    pub fn status(&self) -> Option<DayStatus<'_>> {
        let DayEnd { line, checks, last_success, stops, .. } = self;
        let checked = line.checked_seconds()?;
        Some(DayStatus { line, checks, last_success: *last_success, checked, stops: *stops })
    }
}

impl Configured {
    /// Reads a configuration for a day. All its paths begin in its folder, and whoever carries it out has to be there.
    ///
    /// # Errors
    /// [`CouldNotSay`]: a file that cannot be read, or everything that is wrong with it, a line each.
    pub fn read(
        path: &Path,
        wanted: &Wanted,
        now: Timestamp,
        options: &dyn AuditOptions,
    ) -> Result<Configured, CouldNotSay> {
        let place = path.display();
        let text = read_text_limited(path, TEXT_BYTES_MAX)
            .map_err(|error| CouldNotSay::new(format!("{place}: {error}"), ""))?;
        let names = options.names();
        // The table of a chain is called so in its record.
        let known: Vec<&str> = names.iter().map(String::as_str).chain(["table"]).chain(KEYS).collect();
        let configs = Config::parse(&text, &known).map_err(|fault| unusable(path, &[fault]))?;
        let (mut jobs, mut faults) = (Vec::new(), Vec::new());
        for config in configs {
            match DayJob::of(&text, config, wanted, now, options) {
                Ok(job) => jobs.push(job),
                // What several shufflers share is told once.
                Err(own) => own.into_iter().for_each(|fault| {
                    if !faults.contains(&fault) {
                        faults.push(fault)
                    }
                }),
            }
        }
        if !faults.is_empty() {
            return Err(unusable(path, &faults));
        }
        // Its paths begin in its folder, its own where it was typed.
        let file = path.canonicalize().unwrap_or_else(|_| path.to_owned());
        Ok(Configured { file, text, jobs })
    }

    /// Carries out the day of every shuffler. One that cannot be recorded does not keep the others from their day.
    pub fn run(&self, host: &Host) -> DaysEnd {
        let mut all = DaysEnd { days: Vec::new(), exit: Exit::Passed, fault: None };
        for job in &self.jobs {
            let others: Vec<&DayJob> = self.jobs.iter().filter(|other| !std::ptr::eq(*other, job)).collect();
            let mail = &job.steps.language.words().mail;
            let warn = |line: &str| (host.warn)(&mail.notice(line));
            let own = Host { warn: &warn, search_path: host.search_path.clone(), ..*host };
            let mut day = job.run(&others, &own);
            all.exit = all.exit.and(day.exit);
            let fault = day.fault.take().map(|CouldNotSay(fault)| CouldNotSay(mail.notice(&fault)));
            let earlier = fault.and_then(|fault| all.fault.replace(fault));
            earlier.iter().for_each(|CouldNotSay(earlier)| (host.warn)(earlier));
            all.days.push(day);
        }
        all
    }

    /// Writes the files that all shufflers share: metrics and JUnit.
    ///
    /// # Errors
    /// [`CouldNotSay`]: one that cannot be written.
    pub fn tell(&self, ended: &[DayEnd]) -> Result<(), CouldNotSay> {
        let days: Vec<DayStatus> = ended.iter().filter_map(DayEnd::status).collect();
        let metrics = self.jobs.iter().find_map(|job| job.steps.metrics.as_deref());
        let mail = self.jobs.first().map(|job| &job.steps.language.words().mail);
        write_voices(metrics, self.jobs.iter().find_map(|job| job.steps.junit.as_deref()), &days)
            .map_err(|CouldNotSay(fault)| CouldNotSay(mail.map_or(fault.clone(), |mail| mail.notice(&fault))))
    }
}

impl DayJob {
    /// Why a source gives nothing new each day.
    pub fn same_every_day(&self) -> Option<String> {
        let fixed = |source: &&String| source.starts_with("audit:") || source.starts_with("chain:");
        let source = self.config.values("source").iter().find(fixed)?;
        let kind = source.split(':').next().unwrap_or_default();
        Some(format!(
            "the source is {kind} under one key, whose decks are the same every day, wanted the decks that were dealt on the \
             day, such as export-{{date}}.csv"
        ))
    }

    /// The whole day. It is in the store before anybody is told: mail that nobody takes does not change the day. A day that
    /// cannot be recorded is told like any other that is no pass.
    pub fn run(&self, others: &[&DayJob], host: &Host) -> DayEnd {
        let started = (host.started)();
        self.run_recorded(&started, others, host)
            .unwrap_or_else(|CouldNotSay(reason)| self.unrecorded(reason, Repair::RunAgain, &started, host))
    }

    fn run_recorded(
        &self,
        started: &Started,
        others: &[&DayJob],
        host: &Host,
    ) -> Result<DayEnd, CouldNotSay> {
        let folder = &self.folder;
        let lost =
            is_there(folder).and_then(|is_there| if is_there { Ok(()) } else { self.check_list(None) });
        if let Err(error) = lost {
            return Ok(self.refuse(error, started, host));
        }
        fs::create_dir_all(folder).map_err(|error| io(folder, &error))?;
        let remembered = self.steps.kept_rows.as_ref().map(|path| kept_rows::remember(path, folder));
        if let Some(Err(error)) = remembered {
            (host.warn)(&format!(
                "deckproof: where kept_rows is cannot be written into {}: {error}",
                folder.display()
            ));
        }
        // Before the decks are counted: a day that cannot be recorded need not begin.
        let read = {
            let _turn = wait_for_record(folder, host.time, host.warn)?;
            recovered(folder).and_then(|store| self.check_whole(&store).map(|()| store))
        };
        let mut store = match read {
            Ok(store) => store,
            Err(error) => return Ok(self.refuse(error, started, host)),
        };
        self.check_clock(&store)?;
        self.check_name(&store)?;
        loop {
            let found = match self.examine(&store, folder, host) {
                Examination::Found(found) => *found,
                Examination::Judged(row) => return Ok(self.judged_before(&store, row)),
            };
            let _turn = wait_for_record(folder, host.time, host.warn)?;
            match recovered(folder) {
                // Another job recorded a day meanwhile: perhaps this one.
                Ok(now) if now.lines() != store.lines() => store = now,
                Ok(now) => {
                    tidy_known(folder, now.days(), host);
                    return self.record(now, folder, found, started, others, host);
                }
                Err(error) => return Ok(self.refuse(error, started, host)),
            }
        }
    }

    /// That whatever lies beside the rows is whole, as a night needs it.
    pub(super) fn check_whole(&self, store: &Store) -> Result<(), StoreError> {
        if self.steps.known_decks > 0 {
            known::recompute(&self.folder, store.days())?;
        }
        self.check_list(Some(store))
    }

    /// That the record has the rows of the list that is kept elsewhere.
    pub(super) fn check_list(&self, store: Option<&Store>) -> Result<(), StoreError> {
        match self.listed(store) {
            Some(Err(ListFault::Record(error))) => Err(error),
            _ => Ok(()),
        }
    }

    /// What the list of rows that is kept elsewhere says of the record.
    pub(super) fn listed(&self, store: Option<&Store>) -> Option<Result<Listed, ListFault>> {
        self.steps.kept_rows.as_deref().map(|path| kept_rows::compare(path, &self.folder, store))
    }

    /// A day that passed and is run again on the same decks, or whose file holds nothing new since a later day: nothing is added.
    fn judged_before(&self, store: &Store, row: usize) -> DayEnd {
        let line = store.days()[row - 1].clone();
        let active = stops(store.days());
        let mail = mail::judged_before(&line, row, &self.day.date, &active, self.steps.language.words());
        let last_success = self.last_success(store.days());
        DayEnd::of(line, mail, last_success, None, &active)
    }

    /// When a day last passed, in POSIX seconds.
    pub(super) fn last_success(&self, days: &[DayLine]) -> Option<i64> {
        let passed = counting(days).filter(|(_, day)| day.result() == CheckResult::Passed);
        passed.filter_map(|(_, day)| day.checked_seconds()).max()
    }

    /// That the record is not that of another shuffler, whose folder stands in the place of this one's.
    pub(super) fn check_name(&self, store: &Store) -> Result<(), CouldNotSay> {
        match store.last() {
            Some(last) if last.name != self.config.name => Err(CouldNotSay::new(
                format!(
                    "{}: row {} is of {:?}, and the configuration says {:?}",
                    self.folder.display(),
                    store.lines(),
                    last.name,
                    self.config.name
                ),
                "Nothing was examined. A record is of one shuffler: put its folder back, or give it its name again. A shuffler with a new name begins a new record.",
            )),
            _ => Ok(()),
        }
    }

    /// A clock that was set back would date a new day before an old one, and one that is far ahead every later day too late.
    fn check_clock(&self, store: &Store) -> Result<(), CouldNotSay> {
        let is_far =
            |last: &str| days_before(&self.day.date, DAYS_AHEAD_MAX).is_some_and(|limit| *last < *limit);
        match store.last() {
            Some(last) if is_far(&last.day) && !self.is_named => Err(CouldNotSay::new(
                format!(
                    "{}: the clock says that the day is {}, more than {DAYS_AHEAD_MAX} days after the last one, {}",
                    self.config.name, self.day.date, last.day
                ),
                "Nothing was examined. Set the clock right, or name the day with --date.",
            )),
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

    /// Runs the programs of this day and writes its incident; gives what did not go well.
    pub(super) fn tell(&self, place: &str, day: &DayNotice) -> Vec<String> {
        tell(&self.folder, place, day, &self.steps.on_day, &self.steps.on_alarm)
    }
}

/// A day that comes later than so many days after the last one is taken for a clock that was set wrong, unless it is named.
const DAYS_AHEAD_MAX: u32 = 120;

/// All that is wrong with a configuration, a line each.
pub fn unusable(path: &Path, faults: &[ConfigError]) -> CouldNotSay {
    let lines: Vec<String> = faults.iter().map(|fault| format!("{}: {fault}", path.display())).collect();
    CouldNotSay(lines.join("\n"))
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
        let ended = if is_recorded && !folder.join(place).exists() {
            fs::rename(&from, folder.join(place))
        } else {
            fs::remove_dir_all(&from)
        };
        ended.map_err(StoreError::File)?;
        store = Store::read(folder)?;
    }
    Ok(store)
}

/// What a job that was killed has left among the known decks is only in the way.
pub(super) fn tidy_known(folder: &Path, days: &[DayLine], host: &Host) {
    if let Err(error) = known::tidy(folder, days) {
        (host.warn)(&format!("{}/{}: {error}", folder.display(), known::FOLDER));
    }
}

/// A file that the operating system does not give.
pub fn io(path: &Path, error: &std::io::Error) -> CouldNotSay {
    CouldNotSay::new(format!("{}: {error}", path.display()), "")
}
