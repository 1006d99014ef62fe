//! The store of outcomes: a chain of lines, each with the hash of the one before, and every one recomputed.

use std::fs;
use std::io;
use std::path::Path;

use crate::certificate::Certificate;
use crate::monitoring::line::{DayLine, Examined, sha256};

/// The file of outcomes, one JSON object a line.
pub const STORE_FILE: &str = "daily.jsonl";

/// The store as it was read, every line of it recomputed.
#[derive(Debug)]
pub struct Store {
    lines: Vec<DayLine>,
    last_sha256: String,
    /// Lines whose certificate is no longer in the folder.
    pub certificates_gone: usize,
}

/// Why no line may be added.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StoreError {
    /// The store cannot be read.
    #[error("{0}")]
    File(io::Error),
    /// The last line has no line feed: a machine stopped while it was written.
    #[error("the last line is torn")]
    Torn,
    /// The lines are not those that were written.
    #[error("{0}")]
    Changed(String),
}

impl Store {
    /// Reads the store of a folder and recomputes every line: its hash in the next one, its certificate's hash, and for
    /// the last one, which no line follows, everything it says.
    ///
    /// # Errors
    /// [`StoreError`]; [`StoreError::Changed`] names the line.
    pub fn read(folder: &Path) -> Result<Store, StoreError> {
        let text = match fs::read_to_string(folder.join(STORE_FILE)) {
            Ok(text) if text.is_empty() || text.ends_with('\n') => text,
            Ok(_) => return Err(StoreError::Torn),
            Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
            Err(error) => return Err(StoreError::File(error)),
        };
        let lines = chain(&text).map_err(StoreError::Changed)?;
        let mut store = Store {
            last_sha256: text.lines().last().map_or_else(String::new, sha256),
            lines,
            certificates_gone: 0,
        };
        store.check_certificates(folder)?;
        Ok(store)
    }

    /// SHA-256 of the last line, for the next; empty where there is none.
    pub fn last_sha256(&self) -> &str {
        &self.last_sha256
    }

    /// How many lines there are.
    pub fn lines(&self) -> usize {
        self.lines.len()
    }

    /// Why decks are not new: an earlier line examined some of them.
    pub fn seen(&self, examined: &Examined) -> Option<String> {
        let is_same = |line: &DayLine| line.examined.as_ref().is_some_and(|other| other.overlaps(examined));
        let place = self.lines.iter().position(is_same)?;
        let line = &self.lines[place];
        Some(format!(
            "nothing new was examined: these are the decks of line {} of {STORE_FILE} ({}, {})",
            place + 1,
            line.day,
            line.verdict
        ))
    }

    fn check_certificates(&mut self, folder: &Path) -> Result<(), StoreError> {
        for (place, line) in self.lines.iter().enumerate() {
            let Some((path, wanted)) = line.certificate.as_ref().zip(line.certificate_sha256.as_ref()) else {
                continue;
            };
            let changed = |what: &str| StoreError::Changed(format!("line {}: {path}: {what}", place + 1));
            let bytes = match fs::read(folder.join(path)) {
                Ok(bytes) => bytes,
                Err(error) if error.kind() == io::ErrorKind::NotFound => {
                    self.certificates_gone += 1;
                    continue;
                }
                Err(error) => return Err(StoreError::File(error)),
            };
            let text = String::from_utf8_lossy(&bytes);
            if sha256(&text) != *wanted {
                return Err(changed("the certificate is not the one of this line"));
            }
            if place + 1 == self.lines.len() && !is_of(line, &text) {
                return Err(changed("the line was edited: it does not say what its certificate says"));
            }
        }
        match self.unnamed_certificate(folder) {
            Some(path) => Err(StoreError::Changed(format!(
                "{path} is named by no line: a line was taken out, or the job was stopped before it could write it. \
                 Move that folder away to go on"
            ))),
            None => Ok(()),
        }
    }

    /// A day's certificate that no line names.
    fn unnamed_certificate(&self, folder: &Path) -> Option<String> {
        let days = fs::read_dir(folder).ok()?.flatten();
        let names = days.filter_map(|day| day.file_name().into_string().ok()).filter(|name| is_day(name));
        let mut paths: Vec<String> = names.map(|name| format!("{name}/certificate.json")).collect();
        paths.sort();
        let is_named = |path: &String| self.lines.iter().any(|line| line.certificate.as_ref() == Some(path));
        paths.into_iter().find(|path| !is_named(path) && folder.join(path).exists())
    }
}

/// Whether a line says what its certificate says.
fn is_of(line: &DayLine, certificate: &str) -> bool {
    let Ok(certificate) = serde_json::from_str::<Certificate>(certificate) else {
        // Another version's certificate: its hash stands in the line, and that is all that can be said.
        return true;
    };
    let DayLine { day, name, previous_sha256, .. } = line;
    let path = line.certificate.as_deref().unwrap_or_default();
    let again = DayLine::of_certificate(day, name, &certificate, path, previous_sha256);
    // Lines of earlier versions do not say what was examined.
    let examined = line.examined.as_ref().and(again.examined.clone());
    // The bytes were compared with their hash; printed again, a number may end in another digit.
    let certificate_sha256 = line.certificate_sha256.clone();
    *line == DayLine { examined, certificate_sha256, ..again }
}

/// `2026-11-22` and `2026-11-22-2`.
fn is_day(name: &str) -> bool {
    name.len() >= 10
        && name.bytes().enumerate().all(|(place, byte)| match place {
            4 | 7 | 10 => byte == b'-',
            _ => byte.is_ascii_digit(),
        })
}

/// The lines, each of which names the one before it.
fn chain(text: &str) -> Result<Vec<DayLine>, String> {
    let hashes: Vec<String> = text.lines().map(sha256).collect();
    let mut lines: Vec<DayLine> = Vec::new();
    for (place, line) in text.lines().enumerate() {
        let number = place + 1;
        let line: DayLine = serde_json::from_str(line)
            .map_err(|error| format!("line {number} was edited: it is no line of this program ({error})"))?;
        let before = place.checked_sub(1).map_or("", |before| &hashes[before]);
        if line.previous_sha256 != before {
            return Err(broken(number, &line.previous_sha256, &hashes));
        }
        lines.push(line);
    }
    Ok(lines)
}

/// What happened where a line does not name the one before it.
fn broken(number: usize, named: &str, hashes: &[String]) -> String {
    match hashes.iter().position(|hash| hash == named) {
        Some(other) if other + 1 == number => format!("line {number} names itself"),
        Some(other) if other + 1 > number => {
            format!("lines were swapped: line {number} was written after line {}", other + 1)
        }
        Some(other) => format!(
            "lines were swapped or put in: line {number} was written right after line {}, and stands elsewhere",
            other + 1
        ),
        None if number == 1 => {
            "lines before the first were taken out: it names one that is missing".to_owned()
        }
        None if named.is_empty() => format!("line {number} was the first of a store, and stands elsewhere"),
        None => format!("line {} was edited, or lines after it were taken out", number - 1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn store(days: u64) -> Vec<String> {
        let mut previous = String::new();
        let line = |day: u64| {
            let line =
                DayLine::of_failure(&format!("2026-11-{:02}", day + 1), "a", "0", "no disk", &previous);
            let text = line.to_json_line();
            previous = sha256(text.trim_end());
            text
        };
        (0..days).map(line).collect()
    }

    #[test]
    fn every_day_names_the_line_before_it() {
        let lines = store(4);
        assert_eq!(chain(&lines.concat()).map(|lines| lines.len()), Ok(4));
        assert_eq!(chain("").map(|lines| lines.len()), Ok(0));
    }

    #[test]
    fn edited_missing_and_swapped_lines_are_named() {
        let check = |change: &dyn Fn(&mut Vec<String>), says: &str| {
            let mut lines = store(5);
            change(&mut lines);
            let found = chain(&lines.concat()).map(|lines| lines.len());
            assert_eq!(found.as_ref().err().map(String::as_str), Some(says), "{found:?}");
        };
        check(
            &|lines| lines[2] = lines[2].replace("disk", "ink"),
            "line 3 was edited, or lines after it were taken out",
        );
        check(&|lines| drop(lines.remove(2)), "line 2 was edited, or lines after it were taken out");
        check(
            &|lines| drop(lines.remove(0)),
            "lines before the first were taken out: it names one that is missing",
        );
        check(&|lines| lines.swap(1, 2), "lines were swapped: line 2 was written after line 3");
        let put_in = |lines: &mut Vec<String>| {
            let again = lines[1].clone();
            lines.insert(3, again);
        };
        check(
            &put_in,
            "lines were swapped or put in: line 4 was written right after line 1, and stands elsewhere",
        );
    }

    #[test]
    fn folders_of_days_are_told_from_others() {
        for (name, is) in
            [("2026-11-22", true), ("2026-11-22-2", true), ("2026-11-2", false), ("exports-01", false)]
        {
            assert_eq!(is_day(name), is, "{name}");
        }
    }
}
