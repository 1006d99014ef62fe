//! `csv:FILE` and `raw:FILE`: the settings of recorded decks.

use std::ffi::OsStr;
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

use crate::source::DeckSource;
use crate::source::ask::{Abilities, AskError, Opened, Source};
use crate::source::dealt;
use crate::source::empty;
use crate::source::falls;
use crate::source::folders::files_of;
use crate::source::format::{self, Format, Numbering, RECORD_FIELDS, Written};
use crate::source::kind::{self, Kind, KindFacts};
use crate::source::lines::{self, LinesRead};
use crate::source::record::{RecordError, SourceRecord};
use crate::source::recorded::{Recorded, RecordedFacts};
use crate::source::settings::{Settings, SourceSetting};
use crate::source::twice::TwiceRead;
use deckproof_deck::card::DECK_CARDS;
use deckproof_deck::text::decimal::{counted, thousands};

/// What the record calls a file of decks.
const RECORD_KIND: &str = "recorded";

/// What can be done with a file of decks.
const ABILITIES: Abilities = Abilities { go_on: false, is_supplied: true, ..Abilities::ALL };

/// The settings of recorded decks.
const SETTINGS: &[SourceSetting] = &[
    format::FORMAT,
    format::NUMBERING,
    format::FIRST_NUMBER,
    format::DECK_COLUMN,
    format::COLUMNS,
    format::DECK_REGEX,
    format::ID_COLUMN,
    format::TIME_COLUMN,
    empty::EMPTY_DECK,
    SourceSetting::new(
        "records",
        "FIRST..LAST",
        "Only these records, both included, counted from 1: 9001.. for what was added to a file since; the rest is \
         not looked at, and every text says so",
    ),
];

/// A kind of file, as it is in the list.
pub(super) struct FileKind {
    name: &'static str,
    form: &'static str,
    formats: &'static [Option<Format>],
    refusal: (&'static str, &'static str),
}

/// Texts.
pub(super) const CSV: FileKind = FileKind {
    name: "csv",
    form: "csv:FILE",
    formats: &[None, Some(Format::Indices), Some(Format::Cards)],
    refusal: (
        "csv: reads text, wanted raw bytes by --format, a plan or a certificate",
        "Use raw:FILE, or --format indices or cards.",
    ),
};

/// Bytes.
pub(super) const RAW: FileKind = FileKind {
    name: "raw",
    form: "raw:FILE",
    formats: &[None, Some(Format::Raw)],
    refusal: (
        "raw: reads 52 bytes a deck, wanted text by --format, a plan or a certificate",
        "Use csv:FILE for text.",
    ),
};

/// Tables of a database or a data frame.
pub(super) const PARQUET: FileKind = FileKind {
    name: "parquet",
    form: "parquet:FILE",
    formats: &[None, Some(Format::Indices), Some(Format::Cards)],
    refusal: (
        "parquet: reads rows, and --format raw asks for bytes",
        "Leave --format out: a column of 52 bytes is seen.",
    ),
};

/// What `deckproof deal` wrote.
pub(super) const TABLE: FileKind = FileKind {
    name: "table",
    form: "table:DIR",
    formats: &[None, Some(Format::Indices)],
    refusal: (
        "table: makes the decks again from their keys, and --format asks for something else",
        "Leave --format out.",
    ),
};

impl Kind for FileKind {
    fn facts(&self) -> KindFacts {
        KindFacts {
            settings: SETTINGS,
            takes_several: true,
            record_kind: RECORD_KIND,
            abilities: ABILITIES,
            ..KindFacts::new(self.name, self.form)
        }
    }

    fn parse(&self, rest: Option<&OsStr>, settings: &Settings) -> Result<Box<dyn Source>, AskError> {
        let mut paths = self.files_of(Path::new(kind::something(self, rest)?))?;
        for more in &settings.more {
            paths.extend(self.files_of(&self.path_of(more)?)?);
        }
        let mut written = Written::of(settings)?;
        if !self.formats.contains(&written.format) {
            return Err(AskError::new(self.refusal.0, self.refusal.1));
        }
        if written.deck_regex.is_some() && self.name != CSV.name {
            return Err(AskError::new(
                format!("--deck-regex says nothing about --source {}: it reads lines of text", self.name),
                "Leave it out, or name the log as csv:FILE.",
            ));
        }
        if self.name == RAW.name {
            written.format = Some(Format::Raw);
        }
        if self.name == TABLE.name {
            let own = Written::new(Some(Format::Indices), Numbering::RankSuit);
            written = Written { first_number: Some(0), ..own };
        }
        let range = settings.text("records").map(Range::parse).transpose()?;
        Ok(Box::new(Asked { paths, written, range }))
    }

    fn of_record(&self, record: &SourceRecord) -> Result<Box<dyn Source>, AskError> {
        Err(AskError::new(
            format!("the decks are those of a file with SHA-256 {}", record.text("sha256")?),
            "Supply the file with --source csv:FILE or raw:FILE.",
        ))
    }

    fn check(&self, record: &SourceRecord) -> Result<(), RecordError> {
        record.only(
            &[
                &[
                    "sha256", "files", "file_records", "first_record", "last_record", "empty_decks",
                    "time_falls",
                ][..],
                &lines::RECORD_FIELDS,
                &RECORD_FIELDS,
            ]
            .concat(),
        )?;
        record.hexadecimal("sha256")?;
        let [files, records, first, last] =
            ["files", "file_records", "first_record", "last_record"].map(|name| record.number_if_any(name));
        let (files, records, first, last) = (files?, records?, first?, last?);
        if files.is_some_and(|files| files < 2) {
            return Err(record.wrong("files", files.unwrap_or(0), "2 or more, or nothing where it is one"));
        }
        record.number_if_any("empty_decks")?;
        record.number_if_any("time_falls")?;
        LinesRead::checked(record)?;
        let is_range = match (first, last, records) {
            (None, None, _) => true,
            (Some(first), Some(last), Some(records)) => first >= 1 && first <= last && last <= records,
            _ => false,
        };
        if !is_range {
            return Err(record.wrong(
                "first_record",
                "a range",
                "first_record to last_record inside file_records",
            ));
        }
        Written::check(record)
    }

    fn words(&self, record: &SourceRecord) -> Result<String, RecordError> {
        let (format, sha256) = (record.text("format")?, record.text("sha256")?);
        let files =
            record.number_if_any("files")?.map_or(String::new(), |files| format!(" in {files} files"));
        let empty = record.number_if_any("empty_decks")?.unwrap_or(0);
        let range = match (
            record.number_if_any("first_record")?,
            record.number_if_any("last_record")?,
            record.number_if_any("file_records")?,
        ) {
            (Some(first), Some(last), Some(records)) => format!(
                ", {} of {} records, number {} to {}; the rest was not looked at",
                thousands(last + 1 - first.min(last)),
                thousands(records),
                thousands(first),
                thousands(last)
            ),
            (_, _, Some(records)) if record.text("deck_regex").is_ok() => {
                format!(", all {} records that it matches", thousands(records))
            }
            (_, _, Some(records)) if empty > 0 => {
                format!(", {} of {} records", thousands(records), thousands(records + empty))
            }
            (_, _, Some(records)) => format!(", all {} records", thousands(records)),
            _ => String::new(),
        };
        let empty = match empty {
            0 => String::new(),
            empty => format!(
                ", {} passed over",
                counted(empty, "record without a deck was", "records without a deck were")
            ),
        };
        let falls = record.number_if_any("time_falls")?.map_or(String::new(), |falls| {
            format!(", the times fall from one record to the next {}", counted(falls, "time", "times"))
        });
        let lines = LinesRead::checked(record)?.and_then(LinesRead::words);
        let lines = lines.map_or(String::new(), |words| format!(", {words}"));
        let [chosen, place] = [Written::chosen_words(record), Written::place_words(record)];
        Ok(format!(
            "recorded decks in format {format}{chosen}{files}{range}{place}{lines}{empty}{falls}, SHA-256 {sha256}"
        ))
    }
}

impl FileKind {
    /// The files of a path: of a table, what opens its hands.
    fn files_of(&self, path: &Path) -> Result<Vec<PathBuf>, AskError> {
        if self.name != TABLE.name {
            return files_of(path);
        }
        let hands = path.join(dealt::HANDS_FILE);
        if hands.is_file() {
            Ok(vec![hands])
        } else {
            Err(AskError::new(
                format!("{} is no table: it has no {}", path.display(), dealt::HANDS_FILE),
                "Name the folder that deckproof deal --out wrote; its keys are read, and none of them is printed.",
            ))
        }
    }

    /// A further file, named with the same prefix as the first or with none.
    fn path_of(&self, more: &OsStr) -> Result<PathBuf, AskError> {
        match kind::split(more) {
            (name, Some(rest)) if name == self.name => Ok(rest.into()),
            _ if Path::new(more).exists() => Ok(more.into()),
            _ => Err(AskError::new(
                format!("found a further --source that is no {}", self.form),
                "Several files are read as one source: name them all alike.",
            )),
        }
    }
}

/// The one file that a text names as recorded decks, with a prefix or without.
pub(super) fn file_named(text: &OsStr) -> Option<PathBuf> {
    let path = match kind::split(text) {
        (name, Some(rest)) if [CSV.name, RAW.name].contains(&name) => PathBuf::from(rest),
        _ => PathBuf::from(text),
    };
    path.is_file().then_some(path)
}

/// What a file or folder holds whose kind was not given: bytes below 52 only are raw decks, everything else is text.
/// Nothing where there is no such file.
///
/// # Errors
/// [`AskError`]: a folder that holds no files to read.
pub(super) fn kind_of_file(path: &Path) -> Result<Option<&'static FileKind>, AskError> {
    if path.join(dealt::HANDS_FILE).is_file() {
        return Ok(Some(&TABLE));
    }
    let Some(first) = files_of(path)?.into_iter().next() else { return Ok(None) };
    let mut head = [0; 4 * DECK_CARDS];
    let length = fs::File::open(first).and_then(|mut file| file.read(&mut head));
    let Ok(length) = length else { return Ok(None) };
    let is_raw = length >= DECK_CARDS && head[..length].iter().all(|&byte| byte < DECK_CARDS as u8);
    Ok(Some(if is_raw { &RAW } else { &CSV }))
}

/// Which records are read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Range {
    /// From 1.
    first: u64,
    /// Included; `None`: to the end.
    last: Option<u64>,
}

impl Range {
    fn parse(text: &str) -> Result<Range, AskError> {
        let range = text.split_once("..").and_then(|(first, last)| {
            let first = first.parse().ok()?;
            let last = if last.is_empty() { None } else { Some(last.parse().ok()?) };
            Some(Range { first, last })
        });
        let range =
            range.filter(|range| range.first >= 1 && range.last.is_none_or(|last| last >= range.first));
        range.ok_or_else(|| {
            AskError::new(
                format!("found --records {text:?}"),
                "Wanted FIRST..LAST or FIRST.. to the end, counted from 1.",
            )
        })
    }
}

/// Files that are not read yet.
struct Asked {
    paths: Vec<PathBuf>,
    written: Written,
    range: Option<Range>,
}

impl Asked {
    /// How many records come before the first and how many are read, of so many.
    fn extent(&self, records: u64, decks: Option<u64>) -> Result<(u64, u64), AskError> {
        let Range { first, last } = self.range.unwrap_or(Range { first: 1, last: None });
        let last = last.unwrap_or(records);
        if first > records || last > records {
            let wanted = "Wanted records that are there; those after the last are not written yet.";
            let range = match self.range {
                Some(Range { first, last: None }) => format!("{first}.."),
                _ => format!("{first}..{last}"),
            };
            let found = format!("--records {range} of {} records", thousands(records));
            return Err(AskError::new(found, wanted));
        }
        Ok((first - 1, decks.unwrap_or(last + 1 - first)))
    }

    /// How many records without a deck were passed over; too many are an export that is not whole.
    fn empty_decks(&self, recorded: &Recorded, decks: u64) -> Result<u64, AskError> {
        let empty = recorded.marks().map_or(0, |marks| marks.empty(decks));
        match self.written.empty_decks.and_then(|empty_decks| empty_decks.fault(empty, decks)) {
            None => Ok(empty),
            Some(fault) => Err(AskError::new(
                fault,
                "Find out why so many hands have none; they are no evidence for or against the shuffler.",
            )),
        }
    }
}

/// An export may hold a hand twice, or overlap with the one before: then its decks come again, and nobody's shuffler dealt
/// them so.
fn check_once(twice: &[TwiceRead], asked: std::ops::Range<u64>) -> Result<(), AskError> {
    match twice.iter().find(|own| own.records.iter().all(|record| asked.contains(record))) {
        None => Ok(()),
        Some(twice) => Err(AskError::new(twice.fault(), twice.advice())),
    }
}

impl Source for Asked {
    fn abilities(&self) -> Abilities {
        ABILITIES
    }

    fn open(self: Box<Self>, decks: Option<u64>) -> Result<Opened, AskError> {
        let (recorded, facts) = Recorded::open_all(&self.paths, &self.written)?;
        let (offset, decks) = self.extent(facts.decks, decks)?;
        check_once(&facts.twice, offset..offset + decks)?;
        let mut recorded = recorded.range(offset, decks)?;
        let empty = self.empty_decks(&recorded, decks)?;
        let falls = recorded.marks().map_or(0, |marks| falls::count(&marks, decks));
        let record = record_of(&facts, &self.written, (offset, decks), empty)
            .with_some("time_falls", (falls > 0).then_some(falls));
        let record = facts.lines.add_to(record).with_some(format::PLACE_FIELD, facts.deck_place.as_deref());
        let mut sentences = facts.sentences;
        if empty > 0 {
            sentences.push(format!("{}; they were passed over.", empty::words(empty, decks)));
        }
        if decks < facts.decks {
            sentences.push(format!(
                "{} of {} records are read, number {} to {}; the rest is not looked at.",
                thousands(decks),
                thousands(facts.decks),
                thousands(offset + 1),
                thousands(offset + decks)
            ));
            if let Some(error) = recorded.fault_after()? {
                sentences.push(format!(
                    "After the last of them: {error}. It is outside the part that was chosen, and is not judged."
                ));
            }
        }
        Ok(Opened { sentences, ..Opened::of(Box::new(recorded), record, decks) })
    }
}

fn record_of(
    facts: &RecordedFacts,
    written: &Written,
    (offset, decks): (u64, u64),
    empty: u64,
) -> SourceRecord {
    let is_part = decks < facts.decks;
    let record = SourceRecord::new(RECORD_KIND)
        .with("sha256", base16ct::lower::encode_string(&facts.sha256))
        .with("format", facts.format.name())
        .with("numbering", facts.numbering.name())
        .with_some("first_number", (facts.first_number > 0).then_some(u64::from(facts.first_number)))
        .with_some("files", (facts.files > 1).then_some(facts.files))
        .with("file_records", facts.decks)
        .with_some("first_record", is_part.then_some(offset + 1))
        .with_some("last_record", is_part.then_some(offset + decks))
        .with_some("empty_decks", written.empty_decks.map(|_| empty));
    written.add_columns(record)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_count_from_one_and_include_both_ends() {
        assert_eq!(Range::parse("9001.."), Ok(Range { first: 9001, last: None }));
        assert_eq!(Range::parse("1..1"), Ok(Range { first: 1, last: Some(1) }));
        for text in ["", "..", "0..5", "5..4", "5", "a..b", "-1.."] {
            assert!(Range::parse(text).is_err(), "{text}");
        }
    }
}
