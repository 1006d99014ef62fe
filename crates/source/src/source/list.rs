//! All kinds of sources, and what is found in the list of them.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fmt;
use std::io;
use std::path::Path;

use crate::source::Consumed;
use crate::source::ask::{Abilities, AskError, Source};
use crate::source::audit::AuditKind;
use crate::source::chain::ChainKind;
use crate::source::command::COMMAND;
use crate::source::files::{self, CSV, FileKind, PARQUET, RAW, TABLE};
use crate::source::flawed::FlawedKind;
use crate::source::kind::{self, Kind};
use crate::source::lines;
use crate::source::os::OsKind;
use crate::source::own::OwnKind;
use crate::source::record::{RecordError, SourceRecord};
use crate::source::settings::{Settings, SourceSetting};
use crate::source::stdin::{self, STDIN};
use deckproof_files::file::Access;

/// All kinds of sources of this version.
pub const KINDS: &[&dyn Kind] =
    &[&AuditKind, &ChainKind, &OsKind, &CSV, &RAW, &PARQUET, &TABLE, &COMMAND, &STDIN, &FlawedKind, &OwnKind];

/// What is asked for when nobody says.
pub const SOURCE_DEFAULT: &str = "audit";

/// Most characters of an unknown kind of source that a message repeats.
const NAME_CHARS_MAX: usize = 12;

/// Most characters of a missing file's name that a message repeats.
const PATH_CHARS_MAX: usize = 80;

/// So many hexadecimal digits without a break may be a piece of a key.
const KEY_DIGITS_MIN: usize = 16;

/// Kinds of sources to choose from.
#[derive(Clone, Copy)]
pub struct Catalogue<'a>(pub &'a [&'a dyn Kind]);

/// The kinds of this version.
pub const CATALOGUE: Catalogue<'static> = Catalogue(KINDS);

impl Catalogue<'_> {
    /// Every setting of every kind, each once.
    pub fn settings(&self) -> Vec<SourceSetting> {
        let mut seen = BTreeSet::new();
        let all = self.0.iter().flat_map(|kind| kind.facts().settings);
        all.filter(|setting| seen.insert(setting.name)).copied().collect()
    }

    /// Those that can be typed: nobody can ask for the decks of a library's caller, and a folder may have that name.
    fn typed(&self) -> impl Iterator<Item = &dyn Kind> {
        self.0.iter().copied().filter(|kind| kind.facts().name != OwnKind.facts().name)
    }

    /// How sources are written, for messages and help texts.
    pub fn forms(&self) -> String {
        self.typed().map(|kind| kind.facts().form).collect::<Vec<_>>().join(", ")
    }

    /// Understands what `--source` says, with the settings that belong to it.
    ///
    /// # Errors
    /// [`AskError`] with the spellings there are; what may be a key is not repeated.
    pub fn ask(&self, text: &OsStr, settings: &Settings) -> Result<Box<dyn Source>, AskError> {
        let (name, rest) = kind::split(text);
        let Some(kind) = self.typed().find(|kind| name == kind.facts().name) else {
            return match files::kind_of_file(Path::new(text))? {
                Some(kind) => self.ask_file(kind, text, settings),
                None => Err(self.unknown(name)),
            };
        };
        self.check_belonging(kind, settings)?;
        kind.parse(rest.as_deref(), settings)
    }

    /// A file whose kind was not given.
    fn ask_file(
        &self,
        kind: &FileKind,
        text: &OsStr,
        settings: &Settings,
    ) -> Result<Box<dyn Source>, AskError> {
        self.check_belonging(kind, settings)?;
        kind.parse(Some(text), settings)
    }

    /// Settings that would say nothing about this source are refused: their user believes otherwise.
    fn check_belonging(&self, kind: &dyn Kind, settings: &Settings) -> Result<(), AskError> {
        if !settings.more.is_empty() && !kind.facts().takes_several {
            return Err(AskError::new(
                format!("found several --source, and {} is one alone", kind.facts().name),
                "Only files can be read one after the other: csv:FILE or raw:FILE.",
            ));
        }
        let strange = settings.beyond(kind.facts().settings);
        if strange.is_empty() {
            return Ok(());
        }
        let owners = self.0.iter().filter(|other| settings.beyond(other.facts().settings).is_empty());
        let owners: Vec<&str> = owners.map(|other| other.facts().form).collect();
        let about =
            if owners.is_empty() { String::new() } else { format!("; it is about {}", owners.join(", ")) };
        Err(AskError::new(
            format!("{} says nothing about --source {}{about}", strange.join(" "), kind.facts().name),
            "Leave it out, or name the source that was meant.",
        ))
    }

    fn unknown(&self, name: &str) -> AskError {
        let wanted = format!("Wanted {}.", self.forms());
        if is_path(name) {
            let shown: String = name.chars().take(PATH_CHARS_MAX).collect();
            return match std::fs::File::open(name).map(drop) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => AskError::new(
                    format!("--source: {shown:?} cannot be read: {error}"),
                    "Wanted a file that may be read.",
                ),
                _ => AskError::new(
                    format!("there is no file or folder {shown:?}"),
                    "Wanted the name of one that is there; --help lists other sources.",
                ),
            };
        }
        // What is before the colon may be a misplaced key, or the beginning of one.
        let is_word = name.chars().any(|letter| letter.is_ascii_alphabetic() && !letter.is_ascii_hexdigit());
        let has_digits = name.chars().any(|letter| letter.is_ascii_digit());
        if let "words" | "pairs" = name {
            return AskError::new(
                format!("found --source {name}"),
                format!("The numbers behind decks have a command of their own: deckproof {name} FILE."),
            );
        }
        if is_word && !has_digits {
            let shown: String = name.chars().take(NAME_CHARS_MAX).collect();
            return AskError::new(format!("found --source {shown:?}"), wanted);
        }
        AskError::new(
            "found a --source that begins with none of the known words (it is not repeated here: it may be a key)",
            format!("{wanted} A key needs audit: or chain: before it."),
        )
    }

    fn of_record(&self, record: &SourceRecord) -> Result<&dyn Kind, RecordError> {
        let found = self.0.iter().find(|kind| kind.facts().record_kind == record.kind());
        found.copied().ok_or_else(|| RecordError::Kind { kind: record.kind().to_owned() })
    }

    /// The source a record names, if it can be had from the record alone.
    ///
    /// # Errors
    /// [`AskError`] for sources that cannot be had again or that must be supplied.
    pub fn ask_record(&self, record: &SourceRecord) -> Result<Box<dyn Source>, AskError> {
        self.of_record(record)?.of_record(record)
    }

    /// The source of a record whose decks are supplied again, read as the record says.
    ///
    /// # Errors
    /// [`AskError`] for a text that names no source.
    pub fn ask_supplied(&self, record: &SourceRecord, text: &OsStr) -> Result<Box<dyn Source>, AskError> {
        self.ask_supplied_within(None, record, text)
    }

    /// The same of a stream that may be silent for so long at most.
    fn ask_supplied_within(
        &self,
        timeout: Option<&str>,
        record: &SourceRecord,
        text: &OsStr,
    ) -> Result<Box<dyn Source>, AskError> {
        let kind = self.of_record(record)?;
        let mut settings = Settings::none();
        if let Some(timeout) = timeout {
            settings.set("timeout", timeout);
        }
        for setting in kind.facts().settings {
            if let Some(value) = record.shown(setting.name) {
                settings.set(setting.name, value);
            }
        }
        if let (Some(first), Some(last)) = (record.shown("first_record"), record.shown("last_record")) {
            settings.set("records", format!("{first}..{last}"));
        }
        // A plan of decks that were still to come says a stream; they may stand in a file by now.
        match files::file_named(text).filter(|_| record.is_stream()) {
            Some(path) => stdin::of_file(path, &settings),
            None => self.ask(text, &settings),
        }
    }

    /// Whether a source of this record could exist.
    ///
    /// # Errors
    /// [`RecordError`] naming the field.
    pub fn check(&self, record: &SourceRecord) -> Result<(), RecordError> {
        self.of_record(record)?.check(record)
    }

    /// The record in words.
    pub fn words(&self, record: &SourceRecord) -> String {
        let words = self.of_record(record).and_then(|kind| kind.words(record));
        words.unwrap_or_else(|_| {
            format!("a source of the kind {:?}, not known to this version", record.kind())
        })
    }
}

/// What is not known of a kind that this version does not have: nothing can be done with it.
const UNKNOWN: Abilities = Abilities {
    resume: Err("this version does not know its kind"),
    shard: Err("this version does not know its kind"),
    rerun: Err("this version does not know its kind"),
    go_on: true,
    is_supplied: true,
};

impl SourceRecord {
    /// Whether this version knows the kind, and a source of these fields could exist.
    ///
    /// # Errors
    /// [`RecordError`] naming the field.
    pub fn check(&self) -> Result<(), RecordError> {
        CATALOGUE.check(self)
    }

    /// What can be done with the source.
    pub fn abilities(&self) -> Abilities {
        CATALOGUE.of_record(self).map_or(UNKNOWN, |kind| kind.facts().abilities)
    }

    /// Whether the decks are those of the certified shuffle, which deals nothing but decks.
    pub fn is_certified(&self) -> bool {
        CATALOGUE.of_record(self).is_ok_and(|kind| kind.facts().is_certified)
    }

    /// Who may read a file that holds this record.
    pub fn access(&self) -> Access {
        CATALOGUE.of_record(self).map_or(Access::OwnerOnly, |kind| kind.facts().access)
    }

    /// The source from its record alone.
    ///
    /// # Errors
    /// [`AskError`] for sources that cannot be had again or that must be supplied.
    pub fn ask(&self) -> Result<Box<dyn Source>, AskError> {
        CATALOGUE.ask_record(self)
    }

    /// The source with its decks supplied again.
    ///
    /// # Errors
    /// [`AskError`] for a text that names no source.
    pub fn ask_supplied(&self, text: &OsStr) -> Result<Box<dyn Source>, AskError> {
        CATALOGUE.ask_supplied(self, text)
    }

    /// Whether what was read of it is known only when it was read: a stream.
    pub fn is_stream(&self) -> bool {
        self.kind() == crate::source::stream::RECORD_KIND
    }

    /// As it stood in the plan, before anything was read: without the hash and the lines of what a stream turned out to hold.
    pub fn as_planned(&self) -> SourceRecord {
        if self.is_stream() {
            self.clone().replacing("sha256", "").without(&lines::RECORD_FIELDS)
        } else {
            self.clone()
        }
    }

    /// With the hash and the lines of what was read of a stream.
    pub fn with_consumed(&self, consumed: &Consumed) -> SourceRecord {
        let sha256 = base16ct::lower::encode_string(&consumed.sha256);
        if !self.is_stream() {
            return self.clone();
        }
        consumed.lines.unwrap_or_default().add_to(self.clone().replacing("sha256", &sha256))
    }
}

impl fmt::Display for SourceRecord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&CATALOGUE.words(self))
    }
}

/// The source of a plan. Decks that must be supplied are those of `text`, read as the plan says; any other
/// source that is named must be the plan's own, which the caller compares.
///
/// # Errors
/// [`AskError`] for a source that is missing or cannot be parsed.
pub fn ask_planned(
    text: Option<&OsStr>,
    settings: &Settings,
    record: &SourceRecord,
) -> Result<Box<dyn Source>, AskError> {
    match text {
        Some(text) if record.abilities().is_supplied => {
            CATALOGUE.ask_supplied_within(settings.text("timeout"), record, text)
        }
        // What was typed may hold a key.
        Some(_) if record.access() == Access::OwnerOnly => Err(AskError::new(
            format!("found a --source, and the plan names {record}"),
            "Leave out --source: the plan holds the key.",
        )),
        Some(text) => Ok(CATALOGUE.ask(text, settings)?.continued(record)),
        None if record.abilities().is_supplied => Err(AskError::new(
            format!("the plan is of {record}"),
            "Supply these decks with --source csv:FILE, raw:FILE, cmd:'PROGRAM ARGS' or -.",
        )),
        None => record.ask(),
    }
}

/// Whether a text is meant as a file: it has a dot or a slash, and not the digits of a key.
fn is_path(text: &str) -> bool {
    let longest_number = text.split(|letter: char| !letter.is_ascii_hexdigit()).map(str::len).max();
    text.contains(['.', '/', '\\']) && longest_number < Some(KEY_DIGITS_MIN)
}
