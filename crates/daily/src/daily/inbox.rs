//! The inbox of a laboratory: the reports that operators sent, one folder an operator, and whose rows do not follow each other.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::monitoring::check::CheckResult;
use crate::monitoring::day::DayLine;
use crate::monitoring::state::stops;
use crate::monitoring::store::reports::{ActiveStop, DayReport, REPORT_BYTES_MAX, ReportFault, reported};
use deckproof_audit::manifest::signature::{self, Signers, Signing};
use deckproof_deck::text::visible;
use deckproof_files::file::own;

/// What an operator sent of one shuffler, by row.
#[derive(Default)]
struct Sender {
    rows: BTreeMap<usize, (String, DayLine)>,
    /// The stops that are active after a row, where its report names them.
    active_stops: BTreeMap<usize, Vec<ActiveStop>>,
    /// What contradicts another report or itself.
    broken: Vec<String>,
    signed: usize,
    unsigned: usize,
}

/// Files of which nothing is believed, and what each says of its operator.
type Unread = Vec<UnreadFile>;

/// What is asked of an inbox.
pub struct Inbox<'a> {
    /// The folder in which each operator has one.
    pub folder: &'a Path,
    /// Who may sign, each under the name of its folder.
    pub signers: Option<&'a Path>,
    /// Who reported nothing for longer is silent.
    pub hours_max: i64,
    /// The time, in POSIX seconds.
    pub now: i64,
}

/// By how many seconds two clocks may differ.
const CLOCKS_APART: i64 = 3_600;

/// Folders in the folder of an operator, such as one a day.
const DEPTH_MAX: usize = 4;

impl Inbox<'_> {
    /// The state of every operator and shuffler, and of each file that is no report.
    ///
    /// # Errors
    /// What cannot be read.
    pub fn read(&self) -> Result<Vec<InboxEntry>, String> {
        let mut entries = Vec::new();
        for folder in folders(self.folder)? {
            let operator = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let (senders, unread) = self.senders(&folder, &operator)?;
            if senders.is_empty() {
                entries.push(InboxEntry { operator: operator.clone(), of: Of::Nothing });
            }
            for (name, sender) in &senders {
                let of = Of::Shuffler { name: name.clone(), state: Box::new(self.state(sender)) };
                entries.push(InboxEntry { operator: operator.clone(), of });
            }
            let files = unread.into_iter();
            entries.extend(files.map(|file| InboxEntry { operator: operator.clone(), of: Of::File(file) }));
        }
        if entries.is_empty() {
            Err("found no folder of an operator in it, wanted one for each with the reports that it sent"
                .to_owned())
        } else {
            Ok(entries)
        }
    }

    /// What nobody looked at, of which a result says nothing.
    pub fn not_checked(&self) -> Vec<&'static str> {
        let signatures = self.signers.is_none().then_some("signatures (--signers FILE)");
        let others = [
            "the records themselves, whose rows before the first and after the last report nobody sent (deckproof history FOLDER --verify where they are)",
            "operators without a folder here",
        ];
        signatures.into_iter().chain(others).collect()
    }

    /// What an operator sent, by the name of the shuffler, and files that are no report.
    fn senders(&self, folder: &Path, operator: &str) -> Result<(BTreeMap<String, Sender>, Unread), String> {
        let (mut senders, mut unread) = (BTreeMap::<String, Sender>::new(), Vec::new());
        for path in files(folder, 0)? {
            let file = path.strip_prefix(folder).unwrap_or(&path).display().to_string();
            let mut unread_for = |reason: String, is_edited| {
                unread.push(UnreadFile { file: file.clone(), reason, is_edited });
            };
            let bytes = match own::read_limited(&path, REPORT_BYTES_MAX) {
                Ok(bytes) => bytes,
                Err(error) => {
                    unread_for(error.to_string(), false);
                    continue;
                }
            };
            let is_signed = self.is_signed((&path, &bytes), operator);
            match (reported(&bytes), is_signed) {
                (Err(ReportFault::Other), _) => {
                    unread_for("no report of a day of this version or an earlier one".to_owned(), false);
                }
                // An editor or a gateway of mails can have changed what nobody signed.
                (Err(ReportFault::Edited(row)), is_signed) => unread_for(
                    format!(
                        "edited, or written anew by another program: it does not say what row {row} says, whose hash it names"
                    ),
                    is_signed == Ok(Some(true)),
                ),
                // Anybody can send a report under a signature of another one or of their own key: nothing that it says is the operator's.
                (Ok(_), Err(reason)) => unread_for(reason, false),
                (Ok(report), Ok(is_signed)) => {
                    let sender = senders.entry(report.day.name.clone()).or_default();
                    sender.signed += usize::from(is_signed == Some(true));
                    sender.unsigned += usize::from(is_signed == Some(false));
                    // What nobody signed anybody can have sent.
                    if is_signed != Some(false) {
                        sender.add(report, &file);
                    }
                }
            }
        }
        Ok((senders, unread))
    }

    /// Whether a report has the operator's signature, where that is asked; an error if it has another one.
    fn is_signed(&self, (path, bytes): (&Path, &[u8]), operator: &str) -> Result<Option<bool>, String> {
        let Some(signers) = self.signers else { return Ok(None) };
        if !signature::file_of(path).exists() {
            return Ok(Some(false));
        }
        let signers = Signers { file: signers.to_owned(), identity: operator.to_owned(), on: None };
        match signature::judge_file(path, bytes, &signers).map_err(|error| error.to_string())? {
            Signing::ByNamed => Ok(Some(true)),
            Signing::ByKey(key) => Err(signers.other_key(&key)),
            Signing::Unread(answer) => Err(format!("the signature cannot be read: {answer}")),
            Signing::OnOtherBytes(answer) => Err(format!(
                "the signature is not one on it: it was changed after it was signed, or the signature is that of another report: {answer}"
            )),
        }
    }

    /// One operator's shuffler: its last day, and what is wrong with its rows.
    fn state(&self, sender: &Sender) -> State {
        let mut broken = sender.broken.clone();
        broken.extend(sender.contradictions());
        let (missing, ahead) = (sender.missing(), sender.ahead(self.now));
        let last = sender.rows.last_key_value().map(|(&row, (_, day))| LastRow {
            row,
            day: day.day.clone(),
            result: day.result(),
            hours: sender.newest(self.now).map(|newest| (self.now - newest) / 3_600),
        });
        let days: Vec<DayLine> = sender.rows.values().map(|(_, day)| day.clone()).collect();
        // A report of an earlier version names no stop: it is known only where all rows are here.
        let named = sender.rows.keys().last().and_then(|row| sender.active_stops.get(row));
        let stop = match named {
            Some(stops) => stops.first().map(|stop| stop.day.clone()),
            None if missing.is_empty() => stops(&days).first().map(|stop| stop.day.to_owned()),
            None => None,
        };
        let is_stop_known = named.is_some() || missing.is_empty();
        let is_silent = last.as_ref().and_then(|last| last.hours).is_none_or(|hours| hours > self.hours_max);
        let last_result = last.as_ref().map(|last| last.result);
        let (word, result) = match (broken.is_empty(), is_silent, last_result) {
            // Without signatures anybody can have sent it.
            (false, ..) if self.signers.is_none() => ("BROKEN", CheckResult::CouldNotSay),
            (false, ..) => ("BROKEN", CheckResult::Refused),
            (_, _, None) => ("SILENT", CheckResult::CouldNotSay),
            (_, _, Some(CheckResult::Refused)) => ("STOP", CheckResult::Refused),
            _ if stop.is_some() => ("STOP", CheckResult::Refused),
            (_, true, _) => ("SILENT", CheckResult::CouldNotSay),
            _ if !ahead.is_empty() => ("COULD NOT SAY", CheckResult::CouldNotSay),
            _ if !is_stop_known => ("COULD NOT SAY", CheckResult::CouldNotSay),
            (_, _, Some(CheckResult::Investigate)) => ("INVESTIGATE", CheckResult::Investigate),
            (_, _, Some(CheckResult::Passed)) if !sender.has_gap() => ("REPORTED", CheckResult::Passed),
            _ => ("COULD NOT SAY", CheckResult::CouldNotSay),
        };
        let signatures = self.signers.map(|_| (sender.signed, sender.unsigned));
        let is_unsigned = signatures.is_some_and(|(_, unsigned)| unsigned > 0);
        let result = if is_unsigned { result.max(CheckResult::CouldNotSay) } else { result };
        State { word, result, last, stop, reports: sender.rows.len(), signatures, broken, missing, ahead }
    }
}

/// What is said of an operator's shuffler, of a file, or of a folder without reports.
pub struct InboxEntry {
    operator: String,
    of: Of,
}

enum Of {
    Nothing,
    Shuffler { name: String, state: Box<State> },
    File(UnreadFile),
}

/// A file of which nothing is believed.
struct UnreadFile {
    file: String,
    reason: String,
    is_edited: bool,
}

struct LastRow {
    row: usize,
    day: String,
    result: CheckResult,
    hours: Option<i64>,
}

struct State {
    word: &'static str,
    result: CheckResult,
    last: Option<LastRow>,
    stop: Option<String>,
    reports: usize,
    /// With a signature and without one, where they were looked at.
    signatures: Option<(usize, usize)>,
    broken: Vec<String>,
    missing: Vec<String>,
    /// Rows of a time that has not come.
    ahead: Vec<String>,
}

impl InboxEntry {
    /// What it says of all operators together with the others.
    pub fn result(&self) -> CheckResult {
        match &self.of {
            Of::Nothing => CheckResult::CouldNotSay,
            Of::Shuffler { state, .. } => state.result,
            Of::File(file) if file.is_edited => CheckResult::Refused,
            Of::File(_) => CheckResult::CouldNotSay,
        }
    }

    /// Its lines on the screen.
    pub fn words(&self) -> String {
        let operator = visible(&self.operator);
        match &self.of {
            Of::Nothing => format!("{operator}: SILENT, no report of a day\n"),
            Of::Shuffler { name, state } => format!("{operator}, {}: {}", visible(name), state.words()),
            Of::File(UnreadFile { file, reason, is_edited }) => {
                let word = if *is_edited { "BROKEN, " } else { "not read: " };
                format!("{operator}: {word}{}: {}\n", visible(file), visible(reason))
            }
        }
    }

    /// The same for programs.
    pub fn json(&self) -> Value {
        let result = self.result().machine_words();
        match &self.of {
            Of::Nothing => json!({ "operator": self.operator, "state": "SILENT", "result": result }),
            Of::Shuffler { name, state } => json!({
                "operator": self.operator,
                "shuffler": name,
                "state": state.word,
                "result": result,
                "last": state.last.as_ref().map(|last| json!({
                    "row": last.row, "day": last.day, "result": last.result.machine_words(), "age_hours": last.hours,
                })),
                "active_stop": state.stop,
                "reports": state.reports,
                "signed": state.signatures.map(|(signed, _)| signed),
                "unsigned": state.signatures.map(|(_, unsigned)| unsigned),
                "broken": state.broken,
                "missing": state.missing,
                "ahead": state.ahead,
            }),
            Of::File(UnreadFile { file, reason, is_edited }) => json!({
                "operator": self.operator,
                "file": file,
                "state": if *is_edited { "BROKEN" } else { "NOT READ" },
                "result": result,
                "reason": reason,
            }),
        }
    }
}

impl State {
    fn words(&self) -> String {
        let Some(last) = &self.last else {
            let unsigned = self.signatures.map_or(0, |(_, unsigned)| unsigned);
            return format!("{}, 0 signed, {unsigned} without a signature\n", self.word);
        };
        let age = last.hours.map_or("of a time that is not known, or has not come yet".to_owned(), |hours| {
            format!("which tells of the time until {hours} h ago")
        });
        let signed = self.signatures.map_or_else(String::new, |(signed, unsigned)| {
            format!(", {signed} signed, {unsigned} without a signature")
        });
        let stop = self.stop.as_ref().map_or(String::new(), |day| format!(", active stop of {day}"));
        let mut text = format!(
            "{}, last row {} of {}: {}, {age}{stop}; reports of {} rows{signed}\n",
            self.word,
            last.row,
            last.day,
            last.result.words(),
            self.reports
        );
        text += &listed(&self.broken);
        text += &listed(&self.ahead);
        if !self.missing.is_empty() {
            text += &format!(
                "  not here, so that the rows around them are not known to follow each other: {}; on_day sends no report of what people stated \
                 (--lift, --release, --void, --correct): the operator has one in the folder of its day\n",
                self.missing.join(", ")
            );
        }
        text
    }
}

impl Sender {
    fn add(&mut self, report: DayReport, file: &str) {
        let DayReport { row, row_sha256, active_stops, day, .. } = report;
        if let Some(stops) = active_stops
            && self.active_stops.insert(row, stops.clone()).is_some_and(|known| known != stops)
        {
            self.broken.push(format!("{file}: row {row} is here with other active stops"));
        }
        match self.rows.get(&row) {
            Some((known, _)) if *known != row_sha256 => {
                self.broken.push(format!("{file}: row {row} is here in two versions"));
            }
            _ => drop(self.rows.insert(row, (row_sha256, day))),
        }
    }

    /// Until when the newest day tells, in POSIX seconds: an old day that is checked late is no news. A time that has not come
    /// yet is not believed.
    fn newest(&self, now: i64) -> Option<i64> {
        self.rows
            .values()
            .filter_map(|(_, day)| day.result_end())
            .filter(|at| *at <= now + CLOCKS_APART)
            .max()
    }

    /// Rows that tell of a time which has not come yet.
    fn ahead(&self, now: i64) -> Vec<String> {
        let is_ahead = |day: &DayLine| {
            [day.midnight(), day.checked_seconds()].into_iter().flatten().any(|at| at > now + CLOCKS_APART)
        };
        let rows = self.rows.iter().filter(|(_, (_, day))| is_ahead(day));
        rows.map(|(row, (_, day))| {
            let checked = day.checked.as_deref().unwrap_or("a time that it does not name");
            format!(
                "row {row}, of {}, checked at {checked}, is ahead of this clock: one of the two clocks is wrong, or the row is not what it says",
                day.day
            )
        })
        .collect()
    }

    /// Neighbouring rows of which the later one does not name the earlier one.
    fn contradictions(&self) -> Vec<String> {
        let pairs = self.rows.iter().zip(self.rows.iter().skip(1));
        pairs
            .filter(|((row, (sha256, _)), (next, (_, day)))| {
                **row + 1 == **next && day.previous_sha256 != *sha256
            })
            .map(|((row, _), (next, _))| {
                format!("row {next} was not written after row {row} as it was reported")
            })
            .collect()
    }

    /// Whether rows between two that are here are not: days, or statements that ended a stop.
    fn has_gap(&self) -> bool {
        self.rows.keys().zip(self.rows.keys().skip(1)).any(|(row, next)| row + 1 != *next)
    }

    /// Rows before the last one without a report.
    fn missing(&self) -> Vec<String> {
        let mut missing = Vec::new();
        let mut before = 0;
        for &row in self.rows.keys() {
            match row - before {
                1 => {}
                2 => missing.push(format!("row {}", row - 1)),
                _ => missing.push(format!("rows {} to {}", before + 1, row - 1)),
            }
            before = row;
        }
        missing
    }
}

fn listed(sentences: &[String]) -> String {
    sentences.iter().map(|sentence| format!("  {}\n", visible(sentence))).collect()
}

/// The folders in a folder, in the order of their names.
fn folders(folder: &Path) -> Result<Vec<PathBuf>, String> {
    Ok(entries(folder)?.into_iter().filter(|path| path.is_dir()).collect())
}

/// What may be a report, in a folder and its folders.
fn files(folder: &Path, depth: usize) -> Result<Vec<PathBuf>, String> {
    let mut found = Vec::new();
    for path in entries(folder)? {
        if path.is_dir() && depth < DEPTH_MAX {
            found.extend(files(&path, depth + 1)?);
        } else if path.extension().is_some_and(|name| name == "json") {
            found.push(path);
        }
    }
    Ok(found)
}

/// No link is followed, and no hidden file read.
fn entries(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let failed = |error: std::io::Error| format!("{}: {error}", folder.display());
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        let is_link = entry.file_type().map_err(failed)?.is_symlink();
        if !is_link && !entry.file_name().as_encoded_bytes().starts_with(b".") {
            found.push(entry.path());
        }
    }
    found.sort();
    Ok(found)
}
