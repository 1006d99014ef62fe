//! `csv:FILE` and `raw:FILE`: what is said of recorded decks.

use std::ffi::OsStr;
use std::path::PathBuf;

use crate::source::ask::{self, Abilities, AskError, Opened, Source};
use crate::source::format::{self, Format, Written};
use crate::source::kind::{self, Kind};
use crate::source::record::{RecordError, SourceRecord};
use crate::source::recorded::{Recorded, RecordedFacts};
use crate::source::settings::{Setting, Settings};

/// What the record calls a file of decks.
const RECORD_KIND: &str = "recorded";

/// What can be done with a file of decks.
const ABILITIES: Abilities = Abilities { go_on: false, is_supplied: true, ..Abilities::ALL };

/// A kind of file, as it stands in the list.
pub(super) struct FileKind {
    /// Its name.
    pub(super) name: &'static str,
    form: &'static str,
    about: &'static str,
    formats: &'static [Option<Format>],
    refusal: (&'static str, &'static str),
}

/// Texts.
pub(super) const CSV: FileKind = FileKind {
    name: "csv",
    form: "csv:FILE",
    about: "Recorded decks, a text of indices or cards, one deck a line.",
    formats: &[None, Some(Format::Indices), Some(Format::Cards)],
    refusal: (
        "csv: reads text, and --format raw asks for bytes",
        "Use raw:FILE, or --format indices or cards.",
    ),
};

/// Bytes.
pub(super) const RAW: FileKind = FileKind {
    name: "raw",
    form: "raw:FILE",
    about: "Recorded decks, 52 bytes a deck.",
    formats: &[None, Some(Format::Raw)],
    refusal: ("raw: reads 52 bytes a deck, and --format asks for text", "Use csv:FILE for text."),
};

impl Kind for FileKind {
    fn name(&self) -> &'static str {
        self.name
    }

    fn form(&self) -> &'static str {
        self.form
    }

    fn about(&self) -> &'static str {
        self.about
    }

    fn settings(&self) -> &'static [Setting] {
        format::SETTINGS
    }

    fn parse(&self, rest: Option<&OsStr>, settings: &Settings) -> Result<Box<dyn Source>, AskError> {
        let path = kind::something(self, rest)?.into();
        let mut written = Written::of(settings)?;
        if !self.formats.contains(&written.format) {
            return Err(AskError::new(self.refusal.0, self.refusal.1));
        }
        if self.name == RAW.name {
            written.format = Some(Format::Raw);
        }
        Ok(Box::new(Asked { path, written }))
    }

    fn record_kind(&self) -> &'static str {
        RECORD_KIND
    }

    fn abilities(&self) -> Abilities {
        ABILITIES
    }

    fn of_record(&self, record: &SourceRecord) -> Result<Box<dyn Source>, AskError> {
        Err(AskError::new(
            format!("the decks are those of a file with SHA-256 {}", record.text("sha256")?),
            "Supply the file with --source csv:FILE or raw:FILE.",
        ))
    }

    fn check(&self, record: &SourceRecord) -> Result<(), RecordError> {
        record.only(&["sha256", "format", "numbering"])?;
        record.hexadecimal("sha256")?;
        Written::check(record)
    }

    fn words(&self, record: &SourceRecord) -> Result<String, RecordError> {
        let (format, sha256) = (record.text("format")?, record.text("sha256")?);
        Ok(format!("recorded decks in format {format}, SHA-256 {sha256}"))
    }
}

/// A file that is not read yet.
struct Asked {
    path: PathBuf,
    written: Written,
}

impl Source for Asked {
    fn abilities(&self) -> Abilities {
        ABILITIES
    }

    fn open(self: Box<Self>, decks: Option<u64>) -> Result<Opened, AskError> {
        let Written { format, numbering } = self.written;
        let (recorded, facts) = Recorded::open(&self.path, format, numbering)?;
        let decks = decks.unwrap_or(facts.decks);
        let recorded = recorded.limited(decks)?;
        let record = record_of(&facts);
        Ok(Opened { sentences: vec![facts.sentence], ..Opened::of(Box::new(recorded), record, decks) })
    }

    fn record(self: Box<Self>, decks: Option<u64>) -> Result<(SourceRecord, Option<u64>), AskError> {
        ask::record_by_opening(self, decks)
    }

    fn continued(self: Box<Self>, _: &SourceRecord) -> Box<dyn Source> {
        self
    }
}

fn record_of(facts: &RecordedFacts) -> SourceRecord {
    SourceRecord::new(RECORD_KIND)
        .with("sha256", base16ct::lower::encode_string(&facts.sha256))
        .with("format", facts.format.name())
        .with("numbering", facts.numbering.name())
}
