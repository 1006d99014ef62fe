//! Whether a night can use a configuration: everything that is not there, and what could not be new or pass, told at once.

use std::path::{Path, PathBuf};

use crate::daily::history::active;
use crate::daily::host::{AuditOptions, Host};
use crate::daily::job::{Configured, DayJob};
use crate::daily::named_files::{Stands, Value, bare};
use crate::daily::named_files::{missing, place_of, placeholder, program, program_of, source};
use crate::daily::resolved::{in_keys, is_stream};
use crate::daily::written_files::{self, is_one, values};
use crate::monitoring::beacon::first_after;
use crate::monitoring::config::{ConfigError, ConfigOption, DATE};
use crate::monitoring::export::{self, Expectation, ExportFinding};
use crate::monitoring::steps::KEYS;
use crate::monitoring::store::{Store, StoreError, is_there};
use deckproof_audit::audit::plan::DECKS_MIN;
use deckproof_audit::manifest::{BYTES_MAX, Manifest};
use deckproof_audit::source::ask::Opened;
use deckproof_audit::source::lines::LinesRead;
use deckproof_deck::text::could_not_say::CouldNotSay;
use deckproof_deck::text::decimal::{counted, thousands};
use deckproof_files::file::program::executable;
use deckproof_files::file::read_limited;

/// Keys that name a file or folder, and what it should be.
const NAMED: [(&str, Stands, &str); 14] = [
    ("plan", Stands::File, "a plan that deckproof plan wrote"),
    ("start_order", Stands::File, "the 52 cards of the dealer's start order"),
    ("manifest", Stands::File, "the list that deckproof manifest make wrote"),
    ("manifest_base", Stands::Folder, "the folder in which the list was made"),
    ("signers", Stands::File, "allowed signers as OpenSSH has them"),
    ("trust", Stands::File, "the trust file that deckproof log init wrote"),
    ("log", Stands::Folder, "the folder that deckproof log init made"),
    ("tables", Stands::Folder, "a folder that deckproof deal --out made"),
    ("dealt", Stands::File, "a table of every dealt card, or the folder of a table"),
    ("beacon", Stands::File, "a round of drand quicknet as JSON"),
    ("sign_key", Stands::File, "a key of OpenSSH"),
    ("kept_rows", Stands::Written, "a list of the rows"),
    ("metrics", Stands::Written, "a file for the textfile collector"),
    ("junit", Stands::Written, "a file for JUnit XML"),
];

/// Keys that name decks or noise: a file, a folder, `cmd:` or another kind of source.
const SOURCES: [&str; 3] = ["source", "compare", "entropy_source"];

/// Everything that is wrong, with the key and what was wanted.
pub fn faults(configured: &Configured, host: &Host) -> Vec<ConfigError> {
    let Configured { text, jobs, .. } = configured;
    let mut faults: Vec<ConfigError> = Vec::new();
    for job in jobs {
        let whose = if jobs.len() > 1 { format!("{}: ", job.config.name) } else { String::new() };
        for (key, problem) in of_job(job, host) {
            // Some messages of the audit name the key themselves.
            let about = if problem.starts_with(&key) { String::new() } else { format!("{key}: ") };
            faults.push(ConfigError::at_key(text, &key, &format!("{whose}{about}{problem}")));
        }
    }
    faults.extend(shared_faults(configured));
    faults
}

/// What no night may begin with: what two shufflers share that each must have for itself (the decks of the first would be those
/// of the second again, which stops it for good), and files that would be overwritten and are not a night's.
pub fn shared_faults(configured: &Configured) -> Vec<ConfigError> {
    let at_key = |(key, problem)| ConfigError::at_key(&configured.text, key, &format!("{key}: {problem}"));
    let named = NAMED.into_iter().filter(|(_, stands, _)| *stands != Stands::Written).map(|(key, ..)| key);
    let read: Vec<&str> = named.chain(SOURCES).collect();
    let written = written_files::faults(configured, &read);
    shared(&configured.jobs).into_iter().chain(written).map(at_key).collect()
}

/// Files of the day that are not there yet, as they are named for the day.
fn later(job: &DayJob) -> Vec<String> {
    let keys = SOURCES.into_iter().chain(NAMED.map(|(key, ..)| key));
    let all = keys.flat_map(|key| values(job, key));
    let is_later = |value: &Value| {
        value.is_dated && !value.text.starts_with("cmd:") && !Path::new(bare(value.text)).exists()
    };
    all.filter(is_later).map(|value| bare(value.text).to_owned()).collect()
}

impl DayJob {
    /// A day without an hour at which it ends.
    fn day_of_utc(&self) -> String {
        if self.day.is_running {
            "UTC, it still runs; day_ends = \"00:00 UTC\" takes the last one that is over".to_owned()
        } else {
            "UTC".to_owned()
        }
    }

    /// What the configuration says, for a person.
    pub fn describe(&self) -> String {
        let source = self.config.values("source").join(", ");
        let window = self
            .day
            .window
            .as_ref()
            .map_or_else(|| self.day_of_utc(), |(from, to)| format!("{from} to {to}"));
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
        let beacon = match &self.steps.beacon {
            Some(_) => format!(
                " The first round of drand quicknet after the day: {}.",
                first_after(self.day.span.end)
            ),
            None => String::new(),
        };
        let later = later(self);
        let later = if later.is_empty() {
            String::new()
        } else {
            format!(" Not there yet: {}; the folders that will hold them are.", later.join(", "))
        };
        let silence = match (is_stream(&self.config), self.config.values("timeout").first()) {
            (false, _) => String::new(),
            (true, Some(time)) => format!(" A program is given up after {time} of silence (timeout)."),
            (true, None) => {
                " A program is given up after 1 h of silence, unless timeout says otherwise.".to_owned()
            }
        };
        format!(
            "{}: sound. Day {} ({window}), decks of {source}, folder {}. Not set up: {missing}.{later}{silence}{beacon}\n{}{}",
            self.config.name,
            self.day.date,
            self.folder.display(),
            self.export_notes(),
            self.record_notes()
        )
    }

    /// What of the export a night would stumble over, as far as it is known before: a file that is the same every night, too
    /// few records, hands without names.
    fn export_notes(&self) -> String {
        let paths = self.config.values("source").iter().zip(self.written.values("source"));
        let files: Vec<(&str, &String)> = paths
            .map(|(path, written)| (bare(path), written))
            .filter(|(path, _)| Path::new(path).exists())
            .collect();
        let mut notes = Vec::new();
        for (path, written) in &files {
            if !written.contains(DATE) && !self.steps.is_append_only {
                notes.push(format!(
                    "{path} has the same name every night: if it grows, set append_only = true; else put {DATE} in its name"
                ));
            }
        }
        // A program is not started for it.
        let is_file = !files.is_empty() && !is_stream(&self.config);
        let opened = is_file.then(|| self.audit.request.source.ask().ok()?.open(None).ok()).flatten();
        let records = opened.as_ref().and_then(|opened| opened.record.number("file_records").ok());
        if let Some(records) = records.filter(|&records| records < DECKS_MIN) {
            notes.push(format!(
                "the source has {}: too few for a pass by themselves, wanted {}, or as many in seven nights",
                counted(records, "record", "records"),
                thousands(DECKS_MIN)
            ));
        }
        if let Some((opened, records)) = opened.as_ref().zip(records) {
            notes.extend(self.day_notes(opened, records));
            notes.extend(LinesRead::of(&opened.record).and_then(LinesRead::left_open));
            for (key, what) in [
                ("id_column", "a hand that two exports hold looks like a deck that came up again"),
                ("time_column", "the file of another day is not recognised"),
            ] {
                if self.config.values(key).is_empty() {
                    notes.push(format!("without {key} {what}"));
                }
            }
        }
        notes.iter().map(|note| format!("  {note}.\n")).collect()
    }

    /// Whether the records that are there are of the day, as a night looks at them; what is usual is left to the night.
    fn day_notes(&self, opened: &Opened, records: u64) -> Vec<String> {
        let wanted = Expectation {
            span: &self.day.span,
            zone: &self.day.zone,
            date: &self.day.date,
            records_min: self.steps.min_decks.filter(|_| !self.steps.is_append_only),
            is_growing: self.steps.is_append_only,
            is_cut: false,
            earlier: &[],
        };
        let marks = opened.source.marks();
        if self.steps.is_per_table {
            marks.iter().for_each(|marks| marks.set_parts(&opened.source.files()));
        }
        let (_, findings) = export::check(records, marks.as_ref(), &wanted);
        let is_shown = |finding: &ExportFinding| match finding {
            ExportFinding::Fault(_) => true,
            // A file that grows holds other days, too.
            ExportFinding::Note(_) => !self.steps.is_append_only,
        };
        let shown = findings.into_iter().filter(is_shown);
        shown
            .map(|finding| match finding {
                ExportFinding::Fault(words) => {
                    format!("with the export that is there the night could not say: {words}")
                }
                ExportFinding::Note(words) => words,
            })
            .collect()
    }

    /// Why the files that are there would be no export to judge.
    fn unreadable(&self) -> Option<CouldNotSay> {
        let files = self.config.values("source");
        let is_there = !files.is_empty() && files.iter().all(|path| Path::new(bare(path)).exists());
        let source = self.audit.request.source.ask().and_then(|source| Ok(source.record(None)?));
        source.err().filter(|_| is_there)
    }

    /// The record that is there, read as a night reads it.
    fn kept_record(&self) -> Option<Result<Store, StoreError>> {
        match is_there(&self.folder) {
            Ok(false) => self.check_list(None).err().map(Err),
            Ok(true) => {
                let store = Store::read(&self.folder);
                Some(store.and_then(|store| self.check_whole(&store).map(|()| store)))
            }
            Err(error) => Some(Err(error)),
        }
    }

    /// Why the record that is there cannot go on.
    fn check_record(&self, record: Result<Store, StoreError>) -> Option<String> {
        match record {
            Ok(store) => self.check_name(&store).err().map(|CouldNotSay(problem)| problem),
            Err(error) => Some(format!("the record cannot be used: {error}")),
        }
    }

    /// What a sound record holds; of another one the faults say it.
    fn record_notes(&self) -> String {
        self.kept_record().and_then(Result::ok).map_or_else(String::new, |store| {
            let rows = counted(store.lines() as u64, "row", "rows");
            let listed = self.steps.kept_rows.as_deref().zip(self.listed(Some(&store)).and_then(Result::ok));
            let short = listed.and_then(|(path, listed)| listed.fault(path, store.lines()));
            let short =
                short.map_or_else(String::new, |short| format!("  The next night could not say: {short}.\n"));
            format!("  The record has {rows} and is sound. {}{short}", active(store.days()))
        })
    }
}

fn of_job(job: &DayJob, host: &Host) -> Vec<(String, String)> {
    let (steps, path) = (&job.steps, host.search_path.as_os_str());
    let mut found = vec![
        ("folder", place_of(&job.folder).err()),
        ("folder", placeholder(&job.config.folder)),
        ("folder", job.kept_record().and_then(|record| job.check_record(record))),
    ];
    for key in SOURCES {
        found.extend(values(job, key).iter().map(|value| (key, source(value, path))));
    }
    for (key, stands, wanted) in NAMED {
        let problem = |value: &Value| placeholder(value.text).or_else(|| missing(value, stands, wanted));
        found.extend(values(job, key).iter().map(|value| (key, problem(value))));
    }
    found.push(("restart", steps.restart.as_ref().and_then(|words| program_of(words, path))));
    for (key, words) in [("on_alarm", &steps.on_alarm), ("on_day", &steps.on_day)] {
        found.push((key, words.first().and_then(|word| program(word, path))));
    }
    for key in ["sign_key", "signers"] {
        let is_missing = job.config.has(key) && executable("ssh-keygen", path).is_none();
        let problem = "the program ssh-keygen is not in PATH, wanted OpenSSH 8.2 or later";
        found.push((key, is_missing.then(|| problem.to_owned())));
    }
    found.extend([
        ("manifest_base", manifest_base(job)),
        ("fresh_decks", too_few(steps.fresh_decks)),
        ("decks", job.audit.request.options.decks.and_then(too_few)),
    ]);
    match job.same_every_day() {
        Some(problem) => found.push(("source", Some(problem))),
        None => found.extend(unaskable(job, host.options).map(|(key, problem)| (key, Some(problem)))),
    }
    found.into_iter().filter_map(|(key, problem)| Some((key.to_owned(), problem?))).collect()
}

/// What the audit says of the source and its settings, where all files that it reads are there.
fn unaskable<'a>(job: &'a DayJob, options: &dyn AuditOptions) -> Option<(&'a str, String)> {
    let reads = ["plan", "start_order"].into_iter().flat_map(|key| values(job, key));
    if reads.into_iter().any(|value| !Path::new(value.text).exists()) {
        return None;
    }
    let CouldNotSay(reason) = job.audit.request.check().err().or_else(|| job.unreadable())?;
    // The settings beside a source are named with it.
    let is_named = |option: &&ConfigOption| {
        option.name != "source"
            && !KEYS.contains(&option.name.as_str())
            && reason.contains(&format!("--{}", option.name.replace('_', "-")))
    };
    let key = job.config.options.iter().find(is_named).map_or("source", |option| &option.name);
    Some((key, in_keys(reason.trim_end_matches('.'), options)))
}

/// A base below which no file of the list is: the list was made elsewhere.
fn manifest_base(job: &DayJob) -> Option<String> {
    let identified = job.steps.identified.as_ref()?;
    let bytes = read_limited(&identified.manifest, BYTES_MAX).ok()?;
    let manifest: Manifest = std::str::from_utf8(&bytes).ok()?.parse().ok()?;
    let base = identified.base.as_path();
    let first = manifest.is_elsewhere(base).filter(|_| base.is_dir())?;
    Some(format!(
        "none of the files of the list is in {base:?}, wanted the folder in which there is {first:?}"
    ))
}

/// So few decks that no day could pass.
fn too_few(decks: u64) -> Option<String> {
    let is_too_few = decks > 0 && decks < DECKS_MIN;
    let (found, wanted) = (thousands(decks), thousands(DECKS_MIN));
    is_too_few.then(|| format!("{found} decks are inconclusive every night, wanted {wanted} or more"))
}

/// What two shufflers must not have in common.
fn shared(jobs: &[DayJob]) -> Vec<(&'static str, String)> {
    let mut faults = Vec::new();
    for (place, job) in jobs.iter().enumerate() {
        for other in &jobs[..place] {
            let names = format!("{} and {}", other.config.name, job.config.name);
            if is_one(&job.folder, &other.folder) {
                faults.push((
                    "folder",
                    format!("{names} have one folder {:?}, wanted one for each", job.config.folder),
                ));
            }
            for (own, theirs) in decks_of(job)
                .iter()
                .flat_map(|own| decks_of(other).into_iter().map(move |theirs| (own.clone(), theirs)))
            {
                if is_one(&own, &theirs) {
                    let problem = format!("{names} read one file {own:?}, wanted the decks of each");
                    faults.push(("source", problem));
                }
            }
            if let (Some(own), Some(theirs)) = (&job.steps.kept_rows, &other.steps.kept_rows)
                && is_one(own, theirs)
            {
                faults.push(("kept_rows", format!("{names} write one list {own:?}, wanted one for each")));
            }
            for (key, own, theirs) in [
                ("metrics", &job.steps.metrics, &other.steps.metrics),
                ("junit", &job.steps.junit, &other.steps.junit),
            ] {
                if own.is_some() && theirs.is_some() && own != theirs {
                    let problem =
                        format!("{names} name two files, wanted one for all, above the first [[shuffler]]");
                    faults.push((key, problem));
                }
            }
        }
    }
    faults
}

/// The files and programs that a shuffler's decks come from.
fn decks_of(job: &DayJob) -> Vec<PathBuf> {
    let file = |value: &String| {
        let path = bare(value);
        let is_path = path.contains(['.', '/']) && !path.contains(':') || path.len() < value.len();
        is_path.then(|| PathBuf::from(path))
    };
    job.config.values("source").iter().filter_map(file).collect()
}
