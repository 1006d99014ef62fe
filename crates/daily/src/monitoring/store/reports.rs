//! What days leave beside the database for people: reports, pages and incidents, and whether they are those that were written.
//!
//! A report repeats its row and names the pages of its day by their hash; the next row names the report and the incident by
//! theirs. Of the last day nothing but its row vouches for the report: a signature does, or whoever keeps it.

use std::collections::BTreeMap;
use std::io;
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::monitoring::day::DayLine;
use crate::monitoring::state::{Stop, stops};
use crate::monitoring::store::damage::is_torn;
use crate::monitoring::store::fault::StoreError;
use crate::monitoring::store::folders::day_folders;
use deckproof_files::file::{self, Access, if_there, own, write_atomic};

/// The report of a day: its row, for whoever keeps it elsewhere.
pub const REPORT_FILE: &str = "report.json";

/// The pages of a day, of which some days have not all.
const PAGES: [&str; 3] = ["day.html", "report.html", "fresh/report.html"];

/// The version of [`DayReport`].
const REPORT_FORMAT: &str = "deckproof/daily-report/v3";

/// The one before, which does not say what stops are active.
const REPORT_FORMAT_BEFORE: &str = "deckproof/daily-report/v2";

/// A report is no longer than this.
pub const REPORT_BYTES_MAX: u64 = 1 << 20;

/// A page or an incident is no longer than this.
const FILE_BYTES_MAX: u64 = 64 << 20;

/// What a day leaves for whoever keeps it elsewhere: its row, and where the row stands.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DayReport {
    format: String,
    /// The number of the row.
    pub row: usize,
    /// SHA-256 of the row.
    pub row_sha256: String,
    /// The pages of the day, by SHA-256.
    pages: BTreeMap<String, String>,
    /// The stops that are active after the row, which a later row that passed does not show.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub active_stops: Option<Vec<ActiveStop>>,
    /// What the row says.
    pub day: DayLine,
}

/// A stop, as a report names it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ActiveStop {
    /// Its day.
    pub day: String,
    /// Its row.
    pub row: usize,
    /// Its step.
    pub step: String,
}

fn active_stops(lines: &[DayLine]) -> Vec<ActiveStop> {
    let stop =
        |stop: Stop| ActiveStop { day: stop.day.to_owned(), row: stop.row, step: stop.step.to_owned() };
    stops(lines).into_iter().map(stop).collect()
}

/// Whether a report is of this version or the one before.
fn is_known(report: &DayReport) -> bool {
    let wanted = if report.active_stops.is_some() { REPORT_FORMAT } else { REPORT_FORMAT_BEFORE };
    report.format == wanted
}

/// Why a file is no report that can be used.
pub enum ReportFault {
    /// It is none, or of a later version.
    Other,
    /// It does not say what the row of its hash says.
    Edited(usize),
}

/// Reads a report by itself.
///
/// # Errors
/// [`ReportFault`].
pub fn reported(bytes: &[u8]) -> Result<DayReport, ReportFault> {
    let value: serde_json::Value = serde_json::from_slice(bytes).map_err(|_| ReportFault::Other)?;
    // The row as it was written: read and written again by another version it may be other bytes.
    let body = value.get("day").map(serde_json::Value::to_string).unwrap_or_default();
    let report: DayReport = serde_json::from_value(value).map_err(|_| ReportFault::Other)?;
    if !is_known(&report) || report.row == 0 {
        return Err(ReportFault::Other);
    }
    if file::sha256(&body) == report.row_sha256 { Ok(report) } else { Err(ReportFault::Edited(report.row)) }
}

/// The reports that were found, each with the folder of its day, by row.
#[derive(Default)]
pub struct Reports(BTreeMap<usize, (String, BTreeMap<String, String>)>);

/// The pages of all days.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Pages {
    /// How many are those that their report names.
    pub same: usize,
    /// How many a report names that are not there.
    pub gone: usize,
    /// Rows whose report is not there: the job was stopped before it wrote one, or somebody took it away.
    pub rows_without_report: usize,
}

/// Writes the report of a row into the folder of its day.
pub(super) fn write(own: &Path, lines: &[DayLine], row_sha256: String, day: DayLine) -> io::Result<()> {
    let mut pages = BTreeMap::new();
    for page in PAGES {
        if let Some(hash) = hash_of(&own.join(page))? {
            pages.insert(page.to_owned(), hash);
        }
    }
    let (format, active_stops) = (REPORT_FORMAT.to_owned(), Some(active_stops(lines)));
    let report = DayReport { format, row: lines.len(), row_sha256, pages, active_stops, day };
    let json = serde_json::to_string_pretty(&report).expect("a row is plain data");
    write_atomic(&own.join(REPORT_FILE), format!("{json}\n").as_bytes(), Access::Public)
}

impl Reports {
    /// Reads every report and compares it with its row, and the reports and incidents with the rows that name them: a restored
    /// backup has lost the last rows, an edited report says something else than its row.
    ///
    /// # Errors
    /// What was changed.
    pub(super) fn read(folder: &Path, lines: &[DayLine], bodies: &[String]) -> Result<Reports, StoreError> {
        let mut reports = Reports::default();
        for place in day_folders(folder) {
            let path = format!("{place}/{REPORT_FILE}");
            let read = if_there(own::read_limited(&folder.join(&path), REPORT_BYTES_MAX));
            let bytes = read.map_err(|error| StoreError::Damaged(format!("{path}: {error}")))?;
            let Some(bytes) = bytes else { continue };
            if is_torn(&bytes) {
                return Err(StoreError::Damaged(format!("{path}: the report is cut or empty")));
            }
            let (row, pages) = report_of(&place, &bytes, lines, bodies)?;
            if let Some((other, _)) = reports.0.insert(row, (place, pages)) {
                let what = format!("{path}: it is the report of row {row}, which is in {other} too");
                return Err(StoreError::Changed(what));
            }
        }
        for (line, row) in lines.iter().zip(1..) {
            for (path, wanted) in &line.files_before {
                let named = |what: &str| format!("{path}: {what} that row {row} names");
                let changed = |what: &str| Err(StoreError::Changed(named(what)));
                let damaged = |what: &str| Err(StoreError::Damaged(named(what)));
                if !is_plain(path) {
                    return changed("found no name of a file of these days, wanted one");
                }
                match if_there(own::read_limited(&folder.join(path), FILE_BYTES_MAX)) {
                    Ok(Some(bytes)) if file::sha256(&bytes) == *wanted => {}
                    Ok(Some(bytes)) if is_torn(&bytes) => {
                        return damaged("the file is not whole: it is not the one");
                    }
                    Ok(Some(_)) => return changed("the file was edited: it is not the one"),
                    Ok(None) => return damaged("the file is gone"),
                    Err(error) => {
                        return damaged(&format!("the file cannot be read ({error}), wanted the one"));
                    }
                }
            }
        }
        Ok(reports)
    }

    /// The report and the incident of a row, by their hashes.
    pub(super) fn files_of(&self, folder: &Path, row: usize) -> BTreeMap<String, String> {
        let Some((place, _)) = self.0.get(&row) else { return BTreeMap::new() };
        let names = [format!("{place}/{REPORT_FILE}"), format!("incident-{place}.json")];
        // What cannot be read now cannot be vouched for.
        let hashed = names.into_iter().filter_map(|name| Some((hash_of(&folder.join(&name)).ok()??, name)));
        hashed.map(|(hash, name)| (name, hash)).collect()
    }

    /// Compares the pages with the hashes in the reports.
    pub(super) fn check_pages(&self, folder: &Path, rows: usize) -> Result<Pages, String> {
        let mut counted = Pages { rows_without_report: rows - self.0.len(), ..Pages::default() };
        for (place, named) in self.0.values() {
            for page in PAGES {
                let path = format!("{place}/{page}");
                let found = hash_of(&folder.join(&path)).map_err(|error| format!("{path}: {error}"))?;
                match (named.get(page), found) {
                    (Some(wanted), Some(found)) if found == *wanted => counted.same += 1,
                    (Some(_), None) => counted.gone += 1,
                    (Some(_), Some(_)) => {
                        return Err(format!(
                            "{path}: the page was edited: it is not the one that {place}/{REPORT_FILE} names"
                        ));
                    }
                    (None, Some(_)) => {
                        return Err(format!("{path}: {place}/{REPORT_FILE} does not name this page"));
                    }
                    (None, None) => {}
                }
            }
        }
        Ok(counted)
    }
}

/// The row of a report and the pages that it names, if it says what its row says and stands in a folder of its day.
fn report_of(
    place: &str,
    bytes: &[u8],
    lines: &[DayLine],
    bodies: &[String],
) -> Result<(usize, BTreeMap<String, String>), StoreError> {
    let at = |what: &str| format!("{place}/{REPORT_FILE}: {what}");
    let changed = |what: &str| Err(StoreError::Changed(at(what)));
    let Ok(report) = serde_json::from_slice::<DayReport>(bytes) else {
        return changed("the report was edited: it is none of this program");
    };
    if !is_known(&report) {
        return changed("the report was edited: it is of no version of this program");
    }
    let DayReport { row, row_sha256, pages, active_stops: named, day, .. } = report;
    let Some(of_row) = row.checked_sub(1).filter(|&place| place < bodies.len()) else {
        let what = format!("row {row} is gone: it was taken out, or a backup was restored");
        return Err(StoreError::Behind(at(&what)));
    };
    if file::sha256(&bodies[of_row]) != row_sha256 {
        return changed(&format!("row {row} is another one than on the day of the report"));
    }
    if lines[of_row] != day || named.is_some_and(|named| named != active_stops(&lines[..row])) {
        return changed(&format!("the report was edited: it does not say what row {row} says"));
    }
    if let Some(unknown) = pages.keys().find(|page| !PAGES.contains(&&***page)) {
        return changed(&format!("the report was edited: it names {unknown}, which is no page of a day"));
    }
    let own = day.certificate.as_deref().and_then(|path| path.split('/').next());
    if own.is_some_and(|own| own != place) || !place.starts_with(&day.day) {
        let own = own.unwrap_or(&day.day);
        return changed(&format!("it is the report of row {row}, whose folder is {own}"));
    }
    Ok((row, pages))
}

/// A name below the folder of the days, and no way out of it.
fn is_plain(path: &str) -> bool {
    let is_name = |name: &str| !name.is_empty() && name != ".." && name != "." && !name.contains('\\');
    path.split('/').count() <= 2 && path.split('/').all(is_name)
}

/// SHA-256 of a file, if it is there.
fn hash_of(path: &Path) -> io::Result<Option<String>> {
    Ok(if_there(own::read_limited(path, FILE_BYTES_MAX))?.map(file::sha256))
}
