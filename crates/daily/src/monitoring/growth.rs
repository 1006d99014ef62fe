//! A file that only grows: whether the part of it that was examined is still as it was, and where it is not.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::monitoring::known_line::Among;
use deckproof_deck::text::decimal::{counted, thousands};
use deckproof_files::file;

/// Pieces of a file whose hashes are kept, so that a change has a place.
const PIECES: u64 = 32;

/// A file as it was when its last record was examined.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FileSeen {
    /// Its length in bytes.
    pub bytes: u64,
    /// The first 16 digits of SHA-256 of each of its pieces, all of one length but the last.
    pub pieces: Vec<String>,
    /// SHA-256 of its last line, by which it is found again in a file whose beginning is another one.
    pub last_line_sha256: String,
}

/// What became of the part that was examined.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Growth {
    /// It is as it was.
    Same,
    /// It is another one: from which line on, as far as the hashes tell, and how many lines follow the one that was
    /// examined last, if that one is there.
    Changed {
        /// Counted from 1; the change is in this line or after it.
        line: u64,
        /// Lines after the last one that was examined.
        lines_after: Option<u64>,
    },
}

impl FileSeen {
    /// The file as it is.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn of(path: &Path) -> io::Result<FileSeen> {
        let bytes = path.metadata()?.len();
        let mut last_line = Vec::new();
        for line in BufReader::new(File::open(path)?.take(bytes)).split(b'\n') {
            let line = line?;
            if !line.trim_ascii().is_empty() {
                last_line = line;
            }
        }
        let pieces = pieces(path, bytes)?.into_iter().map(|(_, hash)| hash).collect();
        Ok(FileSeen { bytes, pieces, last_line_sha256: file::sha256(&last_line) })
    }

    /// What became of it.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn growth(&self, path: &Path) -> io::Result<Growth> {
        let mut line = 1;
        let found = pieces(path, self.bytes)?;
        let is_same = |place: usize, hash: &String| self.pieces.get(place) == Some(hash);
        match found.iter().enumerate().find(|(place, (_, hash))| !is_same(*place, hash)) {
            None if found.len() == self.pieces.len() => return Ok(Growth::Same),
            None => line += found.iter().map(|(lines, _)| lines).sum::<u64>(),
            Some((place, _)) => line += found[..place].iter().map(|(lines, _)| lines).sum::<u64>(),
        }
        let (mut lines_after, mut is_found) = (0, false);
        for own in BufReader::new(File::open(path)?).split(b'\n') {
            let own = own?;
            if file::sha256(&own) == self.last_line_sha256 {
                (lines_after, is_found) = (0, true);
            } else if !own.trim_ascii().is_empty() {
                lines_after += 1;
            }
        }
        Ok(Growth::Changed { line, lines_after: is_found.then_some(lines_after) })
    }
}

/// The line feeds and hashes of the pieces of a file that has, or had, so many bytes.
fn pieces(path: &Path, bytes: u64) -> io::Result<Vec<(u64, String)>> {
    let mut reader = BufReader::new(File::open(path)?.take(bytes));
    let length = bytes.div_ceil(PIECES).max(1);
    let mut pieces = Vec::new();
    loop {
        let mut piece = Vec::new();
        (&mut reader).take(length).read_to_end(&mut piece)?;
        if piece.is_empty() {
            return Ok(pieces);
        }
        let lines = piece.iter().filter(|&&byte| byte == b'\n').count() as u64;
        let mut hash = file::sha256(&piece);
        hash.truncate(16);
        pieces.push((lines, hash));
    }
}

/// Whether the bytes of a file are those of its records: a packed one is another from its first byte on when it grows.
pub fn is_plain(path: &Path) -> bool {
    let mut first = [0; 4];
    let length = File::open(path).and_then(|mut file| file.read(&mut first)).unwrap_or(0);
    !matches!(&first[..length], [0x1f, 0x8b, ..] | [0x28, 0xb5, 0x2f, 0xfd] | b"PAR1")
}

/// A part that was examined and is another one now.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Changed {
    /// How many records it had.
    pub before: u64,
    /// From which line on it is another one, as far as that is known.
    pub line: u64,
    /// How many records there are now up to the one that was examined last, if it is there.
    pub place: Option<u64>,
    /// How many records follow that one.
    pub after: u64,
    /// Which of these were examined; `None` where no decks are remembered.
    pub known: Option<Among>,
}

impl Changed {
    /// How many records that were examined are gone.
    fn gone(&self, known: &Among) -> u64 {
        (self.before + known.others).saturating_sub(self.place.unwrap_or(0))
    }

    /// Whether nothing happened but that records went from the beginning.
    pub fn is_retention(&self) -> bool {
        let is_cut = |known: &Among| known.others == 0 && known.is_end && self.gone(known) > 0;
        match &self.known {
            Some(known) => self.line == 1 && is_cut(known),
            None => self.line == 1 && self.place.is_some_and(|place| place < self.before),
        }
    }

    /// Whether all records up to the last one were judged, and no more went than rows had that two people voided.
    pub fn is_of_others(&self, voided_decks: u64) -> bool {
        self.known.as_ref().is_some_and(|known| known.others == 0 && self.gone(known) <= voided_decks)
    }

    /// That a part was put right after its row was voided.
    pub fn words_after_void(&self, row: usize) -> String {
        let gone = match self.known.as_ref().map_or(0, |known| self.gone(known)) {
            0 => String::new(),
            gone => format!(", {} fewer", counted(gone, "record", "records")),
        };
        format!(
            "the part that was examined ({} records) is another one from line {} on{gone}, as row {row}, which two people voided, explains: all \
             records up to the last one that was examined were judged",
            thousands(self.before),
            thousands(self.line)
        )
    }

    /// What happened, and what is done in spite of it.
    pub fn words(&self, keeps_days: Option<u32>) -> String {
        let change = format!(
            "the part that was examined ({} records) is another one from line {} on",
            thousands(self.before),
            thousands(self.line)
        );
        if self.place.is_none() {
            return format!(
                "{change}, and the last record that was examined is not in it: another file, or one that was cut; put it back and run \
                 this day again. Of a file that begins anew (a log that is rotated) name the folder as source"
            );
        }
        if let Some(days) = keeps_days.filter(|_| self.is_retention()) {
            let gone = match &self.known {
                Some(known) => format!(" ({})", counted(self.gone(known), "record", "records")),
                None => " or other records (known_decks = 0 cannot tell)".to_owned(),
            };
            let next = if self.after == 0 {
                "no record follows the last"
            } else {
                "it goes on after the last record"
            };
            return format!(
                "its beginning{gone} went, which keeps_days = {days} declares (days are not counted); {next}"
            );
        }
        let next = if self.after == 0 {
            "no record follows the last one that was examined, so none is judged; append_only needs new records at the end"
        } else {
            "the records after the last one that was examined are judged"
        };
        format!("{change}: {}; {next}. Find out who changed it; of retention say keeps_days", self.what())
    }

    /// Which rows are new before the last one, and how many are gone.
    fn what(&self) -> String {
        let Some(known) = &self.known else {
            return "rows were sorted in late, deleted or replaced, and not judged so".to_owned();
        };
        let more = known.others - known.named.len() as u64;
        let more = if more == 0 { String::new() } else { format!(" and {} more", thousands(more)) };
        let others = format!(
            "{} sorted in late or replaced, and not judged ({}{more})",
            counted(known.others, "record was", "records were"),
            known.named.join(", ")
        );
        let gone = counted(
            self.gone(known),
            "record that was examined is gone",
            "records that were examined are gone",
        );
        match (known.others, self.gone(known)) {
            (0, 0) => "the same decks, written otherwise or in another order".to_owned(),
            (0, _) => gone,
            (_, 0) => others,
            _ => format!("{others}, {gone}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_grew_is_the_same_and_a_changed_one_has_a_place() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.csv");
        let line = |number: u64| format!("{number:06} some cards\n");
        let text = |numbers: &[u64]| numbers.iter().map(|&number| line(number)).collect::<String>();
        let all: Vec<u64> = (1..=1_000).collect();
        std::fs::write(&path, text(&all)).expect("writable");
        let seen = FileSeen::of(&path).expect("readable");
        assert!(seen.pieces.len() as u64 <= PIECES);
        let growth = |numbers: &[u64]| {
            std::fs::write(&path, text(numbers)).expect("writable");
            seen.growth(&path).expect("readable")
        };
        let grown: Vec<u64> = (1..=1_200).collect();
        assert_eq!(growth(&all), Growth::Same);
        assert_eq!(growth(&grown), Growth::Same);
        // A piece has 32 lines: the change is in the one that begins before it.
        let mut late = grown.clone();
        late.insert(500, 7_000);
        let Growth::Changed { line, lines_after } = growth(&late) else { panic!("a row was sorted in") };
        assert!((468..=501).contains(&line), "{line}");
        assert_eq!(lines_after, Some(200));
        assert_eq!(growth(&grown[300..]), Growth::Changed { line: 1, lines_after: Some(200) });
        assert!(matches!(growth(&all[..900]), Growth::Changed { line: 850..=901, lines_after: None }));
    }
}
