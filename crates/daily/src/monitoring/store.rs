//! The store of outcomes: a chain of rows, each with the hash of the one before, and every one recomputed.

mod chain;
mod damage;
mod fault;
mod folders;
pub mod reports;

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::Path;

use crate::monitoring::check::{CheckResult, DayCheck, StepFault};
use crate::monitoring::correction::Correction;
use crate::monitoring::database::{DATABASE_FILE, Database};
use crate::monitoring::day::{DayLine, Examined};
use crate::monitoring::drift::Alarm;
use crate::monitoring::drift::tables::{Drift, LN_PROOF};
use crate::monitoring::event::{Event, EventKind};
use crate::monitoring::judge::DRIFT;
use crate::monitoring::known;
use crate::monitoring::known_line::KnownLine;
use crate::monitoring::retention;
use crate::monitoring::rows::{counting, voided_rows};
use crate::monitoring::state::{Stop, stops};
use crate::monitoring::step_list::is_of_decks;
use crate::monitoring::store::chain::chain;
use crate::monitoring::store::folders::day_folders;
use crate::monitoring::store::reports::Reports;
use deckproof_audit::certificate::{AuditResult, Certificate};
use deckproof_files::file::sha256;

pub use crate::monitoring::store::damage::is_there;
pub use crate::monitoring::store::fault::StoreError;
pub use crate::monitoring::store::folders::free_place;
pub use crate::monitoring::store::reports::{Pages, REPORT_FILE};

/// The store as it was read, every row of it recomputed.
pub struct Store {
    database: Database,
    lines: Vec<DayLine>,
    bodies: Vec<String>,
    reports: Reports,
    /// Rows whose certificate was removed by the stated retention.
    pub certificates_gone: usize,
}

impl Store {
    /// Reads the store of a folder, makes it where there is none, and recomputes every row: its hash, the one it names, its
    /// certificate's hash, the report of its day, and for the last one, which no row follows, what its certificate says.
    ///
    /// # Errors
    /// [`StoreError`]; [`StoreError::Changed`] names the row.
    pub fn read(folder: &Path) -> Result<Store, StoreError> {
        damage::is_there(folder)?;
        let database = Database::open(folder)?;
        let bodies = database.bodies()?.map_err(StoreError::Changed)?;
        let lines = chain(&bodies).map_err(StoreError::Changed)?;
        let mut store = Store { database, bodies, lines, reports: Reports::default(), certificates_gone: 0 };
        store.check_certificates(folder)?;
        store.reports = Reports::read(folder, &store.lines, &store.bodies)?;
        match store.changed_schema()? {
            // A view or a trigger that was changed; an edited row is the better news.
            Some(changed) => Err(StoreError::Changed(changed)),
            None => Ok(store),
        }
    }

    /// Adds a row, and the bets from which the next day goes on.
    ///
    /// # Errors
    /// [`StoreError`]; nothing was added then.
    pub fn append(&mut self, line: DayLine, drift: Option<&str>) -> Result<(), StoreError> {
        let body = line.to_json();
        self.database.append(self.bodies.len(), std::slice::from_ref(&body), drift)?;
        self.bodies.push(body);
        self.lines.push(line);
        Ok(())
    }

    /// Adds what somebody states of a row as a row of its own, and writes its report; gives the number of the new row.
    ///
    /// # Errors
    /// [`StoreError`]; nothing was added then, or the report could not be written.
    pub fn correct(&mut self, folder: &Path, of: &Statement) -> Result<usize, StoreError> {
        let Statement { row, by, reason, time, .. } = *of;
        let correction =
            Correction::new(row, &self.stated_row(row)?, by, reason).map_err(StoreError::Statement)?;
        let line = DayLine::of_correction(correction, &self.lines[row - 1], time, &self.last_sha256());
        self.add_statement(folder, line, None)
    }

    /// Adds an event that two people state of a row, as a row of its own with its report; gives the number of the new row.
    ///
    /// # Errors
    /// [`StoreError`]; nothing was added then, or the report could not be written.
    pub fn add_event(
        &mut self,
        folder: &Path,
        kind: EventKind,
        by: &[String],
        of: &Statement,
    ) -> Result<usize, StoreError> {
        let Statement { row, reason, time, lost, .. } = *of;
        let mut event =
            Event::new(kind, row, &self.stated_row(row)?, by, reason).map_err(StoreError::Statement)?;
        if kind == EventKind::Lost {
            event.rows = lost.to_vec();
            event.known = match known::recompute(folder, &self.lines) {
                Err(StepFault::Refused(fault)) => Some(fault),
                other => other.map(|_| None)?,
            };
        }
        self.check_event(&event).map_err(StoreError::Statement)?;
        let begins_anew = event.known.as_ref().map(|_| KnownLine { decks: 0, files: Vec::new() });
        let mut line = DayLine::of_event(event, &self.lines[row - 1], time, &self.last_sha256());
        line.known = begins_anew;
        let drift = match kind {
            EventKind::Lifted | EventKind::Lost => None,
            EventKind::Release => Some(Drift::new()),
            EventKind::Voided => {
                let mut lines = self.lines.clone();
                lines.push(line.clone());
                let drift = drift_of(&lines, folder).map_err(StoreError::Statement)?;
                let is_stopped = stops(&lines).iter().any(|stop| stop.step == DRIFT);
                let ends_drift = is_stopped && Alarm::of(drift.ln_highest()) != Alarm::Stop;
                line.event.iter_mut().for_each(|event| event.ends_drift = ends_drift);
                Some(drift)
            }
        };
        self.add_statement(folder, line, drift)
    }

    /// SHA-256 of a row of which something is stated.
    fn stated_row(&self, row: usize) -> Result<String, StoreError> {
        let none = || format!("found no row {row}, wanted one from 1 to {}", self.lines.len());
        self.row_sha256(row).ok_or_else(|| StoreError::Statement(none()))
    }

    /// Adds a row that people state, with the bets after it where it changes them, and writes its report.
    fn add_statement(
        &mut self,
        folder: &Path,
        mut line: DayLine,
        drift: Option<Drift>,
    ) -> Result<usize, StoreError> {
        line.files_before = self.files_of_last(folder);
        let state = drift.map(|drift| line.set_drift(&drift));
        let own = folder.join(free_place(folder, &line.day));
        self.append(line.clone(), state.as_deref())?;
        fs::create_dir_all(&own).map_err(StoreError::File)?;
        self.write_report(&own, line).map_err(StoreError::File)?;
        Ok(self.lines())
    }

    /// Whether the row of an event is one that it can be of.
    fn check_event(&self, event: &Event) -> Result<(), String> {
        let row = event.row;
        let line = &self.lines[row - 1];
        match event.kind {
            EventKind::Release => Ok(()),
            EventKind::Lost if event.known.is_some() || !event.rows.is_empty() => Ok(()),
            EventKind::Lost => {
                let whole = "the known decks are whole, and no list of the rows has more of them";
                Err(format!("{whole}: nothing of the record is lost"))
            }
            _ if voided_rows(&self.lines).contains(&row) => Err(format!("row {row} is voided already")),
            EventKind::Voided if line.is_day() && line.examined.is_some() => Ok(()),
            EventKind::Voided => Err(format!("row {row} is of no day that was examined, wanted one that is")),
            EventKind::Lifted => {
                let active = stops(&self.lines);
                if active.iter().any(|stop| stop.row == row && !is_of_decks(stop.step)) {
                    return Ok(());
                }
                if active.iter().any(|stop| stop.row == row) {
                    return Err(format!(
                        "row {row} has no active stop of a step beside the decks; a stop of decks ends with new decks that pass, with --void \
                         where the export was wrong, or with --release of a repaired shuffler"
                    ));
                }
                // A stop that goes on is one of the newest row that says so.
                let own = |stop: &Stop| format!("that of {} is of row {}", stop.step, stop.row);
                let others = if active.is_empty() {
                    "no stop is active".to_owned()
                } else {
                    active.iter().map(own).collect::<Vec<_>>().join(", ")
                };
                Err(format!("row {row} has no active stop; {others}"))
            }
        }
    }

    /// Writes the report of the last row into the folder of its day, with the hashes of the pages that stand there.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write_report(&self, own: &Path, day: DayLine) -> io::Result<()> {
        reports::write(own, &self.lines, self.last_sha256(), day)
    }

    /// The report and the incident of the last row by their hashes, for the row that comes after it.
    pub fn files_of_last(&self, folder: &Path) -> BTreeMap<String, String> {
        self.reports.files_of(folder, self.lines())
    }

    /// Compares the pages of every day with the hashes in its report.
    ///
    /// # Errors
    /// Which page is another one.
    pub fn check_pages(&self, folder: &Path) -> Result<Pages, String> {
        self.reports.check_pages(folder, self.lines())
    }

    /// The bets after the last day that has some, if they are those it names; else they are made again from the certificates.
    ///
    /// # Errors
    /// [`StoreError`]; why they cannot be had.
    pub fn drift(&self, folder: &Path) -> Result<Result<Drift, String>, StoreError> {
        let Some(named) = self.lines.iter().rev().find_map(|line| line.drift.as_ref()) else {
            return Ok(drift_of(&self.lines, folder));
        };
        let state = self.database.drift()?.filter(|state| sha256(state) == named.state_sha256);
        let read = state.and_then(|state| serde_json::from_str::<Drift>(&state).ok());
        match read.filter(Drift::is_sound) {
            Some(drift) => Ok(Ok(drift)),
            None => Ok(drift_of(&self.lines, folder)),
        }
    }

    /// What of the tables, views and triggers of the database is not as this program makes it.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn changed_schema(&self) -> Result<Option<String>, StoreError> {
        Ok(self.database.changed_schema()?.map(|changed| format!("{DATABASE_FILE}: {changed}")))
    }

    /// Whether the counts and bets that are kept are those that the last day with some names.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn has_named_bets(&self) -> Result<bool, StoreError> {
        let named = self.lines.iter().rev().find_map(|line| line.drift.as_ref());
        let kept = self.database.drift()?.map(|state| sha256(&state));
        Ok(named.map(|named| &named.state_sha256) == kept.as_ref())
    }

    /// The days, the first one first.
    pub fn days(&self) -> &[DayLine] {
        &self.lines
    }

    /// The last day that counts.
    pub fn last(&self) -> Option<&DayLine> {
        counting(&self.lines).next_back().map(|(_, line)| line)
    }

    /// SHA-256 of a row by its number, counted from 1.
    pub fn row_sha256(&self, row: usize) -> Option<String> {
        self.bodies.get(row.checked_sub(1)?).map(sha256)
    }

    /// SHA-256 of the last row, for the next; empty where there is none.
    pub fn last_sha256(&self) -> String {
        self.bodies.last().map_or_else(String::new, sha256)
    }

    /// How many rows there are.
    pub fn lines(&self) -> usize {
        self.lines.len()
    }

    /// The first row that examined some of these decks.
    pub fn row_of(&self, examined: &Examined) -> Option<usize> {
        let is_same = |line: &DayLine| line.examined.as_ref().is_some_and(|other| other.overlaps(examined));
        counting(&self.lines).find(|(_, line)| is_same(line)).map(|(row, _)| row)
    }

    fn check_certificates(&mut self, folder: &Path) -> Result<(), StoreError> {
        for (place, line) in self.lines.iter().enumerate() {
            let Some((path, wanted)) = line.certificate.as_ref().zip(line.certificate_sha256.as_ref()) else {
                continue;
            };
            let named = |what: &str| format!("row {}: {path}: {what}", place + 1);
            let (changed, damaged) = (
                |what: &str| StoreError::Changed(named(what)),
                |what: &str| StoreError::Damaged(named(what)),
            );
            let bytes = match retention::read(folder, path) {
                Ok(Some(bytes)) => bytes,
                Ok(None) if retention::may_be_gone(line, &self.lines) => {
                    self.certificates_gone += 1;
                    continue;
                }
                Ok(None) => return Err(damaged(&format!("the certificate of {} is gone", line.day))),
                Err(error) if is_damaged(&error) => {
                    return Err(damaged(&format!("the compressed certificate cannot be unpacked: {error}")));
                }
                Err(error) => return Err(StoreError::File(error)),
            };
            let text = String::from_utf8_lossy(&bytes);
            if sha256(&*text) != *wanted {
                let what = "the certificate is not the one of this row";
                return Err(if damage::is_torn(&bytes) { damaged(what) } else { changed(what) });
            }
            if place + 1 == self.lines.len() && !is_of(line, &text) {
                return Err(changed("the row was edited: it does not say what its certificate says"));
            }
        }
        match self.unnamed_certificate(folder) {
            Some(path) => Err(StoreError::Behind(format!(
                "{path} is named by no row: a row was taken out, a backup was restored, or the job was stopped before it could \
                 write it. Move that folder away to go on"
            ))),
            None => Ok(()),
        }
    }

    /// A day's certificate that no row names.
    fn unnamed_certificate(&self, folder: &Path) -> Option<String> {
        let names = day_folders(folder).into_iter();
        let paths: Vec<String> = names.map(|name| format!("{name}/certificate.json")).collect();
        let is_named = |path: &String| self.lines.iter().any(|line| line.certificate.as_ref() == Some(path));
        paths.into_iter().find(|path| !is_named(path) && retention::is_there(folder, path))
    }
}

/// The bets from the counts of every day's certificate since the last release, voided rows apart.
fn drift_of(lines: &[DayLine], folder: &Path) -> Result<Drift, String> {
    let is_release =
        |line: &DayLine| line.event.as_ref().is_some_and(|event| event.kind == EventKind::Release);
    let first = lines.iter().rposition(is_release).map_or(0, |place| place + 1);
    let voided = voided_rows(lines);
    let (mut drift, mut days_before) = (Drift::new(), 0);
    for (place, line) in lines.iter().enumerate().skip(first) {
        // A day that said something and was not added to the bets had another table, or decks that were bet on before. The rest of a
        // day is no further day.
        let after = line.drift.as_ref();
        let was_added = after
            .is_some_and(|after| after.days > std::mem::replace(&mut days_before, after.days))
            || line.rest_of.is_some();
        if voided.contains(&(place + 1)) {
            continue;
        }
        // A deck of an earlier day is in no certificate: the row says so.
        let is_proof = line.drift.as_ref().is_some_and(|drift| drift.ln_highest >= LN_PROOF);
        let is_known = |check: &DayCheck| check.name == known::NAME && check.result == CheckResult::Refused;
        if is_proof && line.checks.iter().any(is_known) {
            drift.add_repeat();
        }
        let Some(path) = line.certificate.as_ref().filter(|_| was_added) else { continue };
        let failed = |reason: &dyn std::fmt::Display| {
            format!("the evidence of row {} cannot be counted again: {path}: {reason}", place + 1)
        };
        let result = result_of(folder, line).map_err(|error| failed(&error))?;
        // Where the part was voided, these decks are those of the day.
        let part = line.rest_of.filter(|row| !voided.contains(row));
        let added = match part.and_then(|row| lines.get(row.checked_sub(1)?)) {
            None => drift.add_day(&result, &line.by_table),
            Some(part) => {
                let before = result_of(folder, part).map_err(|error| failed(&error))?;
                drift.add_rest((&result, &line.by_table), (&before, &part.by_table))
            }
        };
        added.map_err(|error| failed(&error))?;
    }
    Ok(drift)
}

/// What was counted of the decks of a row.
///
/// # Errors
/// Why its certificate cannot be read.
pub fn result_of(folder: &Path, line: &DayLine) -> Result<AuditResult, String> {
    let path = line.certificate.as_ref().ok_or("the row has no certificate")?;
    let bytes = retention::read(folder, path).map_err(|error| error.to_string())?;
    let bytes = bytes.ok_or("the file is not there")?;
    let certificate = serde_json::from_slice::<Certificate>(&bytes).map_err(|error| error.to_string())?;
    Ok(certificate.result)
}

/// What somebody states of a row, and when.
#[derive(Clone, Copy, Debug)]
pub struct Statement<'a> {
    /// The row.
    pub row: usize,
    /// Who states it.
    pub by: &'a str,
    /// What he states.
    pub reason: &'a str,
    /// When, UTC.
    pub time: &'a str,
    /// Of a loss: the rows that the list has and the record has not.
    pub lost: &'a [String],
}

/// Whether a compressed file is not what was written.
fn is_damaged(error: &io::Error) -> bool {
    use io::ErrorKind::{FileTooLarge, InvalidData, InvalidInput, UnexpectedEof};
    matches!(error.kind(), InvalidInput | InvalidData | UnexpectedEof | FileTooLarge)
}

/// Whether a row says what its certificate says; the other steps do not follow from it.
fn is_of(line: &DayLine, certificate: &str) -> bool {
    // Of another version's certificate the hash stands in the line, and that is all that can be said.
    serde_json::from_str(certificate).map_or(true, |certificate| *line == line.clone().saying(&certificate))
}
