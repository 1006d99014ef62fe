//! The joint for one more kind of source: one file beside this one, and one line in the list.

use std::ffi::{OsStr, OsString};
use std::str::FromStr;

use crate::source::ask::{Abilities, AskError, Source};
use crate::source::record::{RecordError, SourceRecord};
use crate::source::settings::{Settings, SourceSetting};
use deckproof_deck::key::KeyError;
use deckproof_deck::key::secret::{Secret, SecretError};
use deckproof_files::file::Access;

/// What is fixed of a kind of source.
#[derive(Clone, Copy)]
pub struct KindFacts {
    /// Its name: what is before the colon, or alone.
    pub name: &'static str,
    /// How it is written.
    pub form: &'static str,
    /// The settings beside its name.
    pub settings: &'static [SourceSetting],
    /// Whether several of them can be given, as one source.
    pub takes_several: bool,
    /// What the record calls it. Kinds that differ only in how decks are supplied share one.
    pub record_kind: &'static str,
    /// What can be done with a source of such a record.
    pub abilities: Abilities,
    /// Who may read a file that holds the record.
    pub access: Access,
    /// Whether its decks are those of the certified shuffle, which deals nothing but decks.
    pub is_certified: bool,
}

impl KindFacts {
    /// A kind whose record has its name, without settings, of which any deck can be had from the record alone.
    pub const fn new(name: &'static str, form: &'static str) -> KindFacts {
        KindFacts {
            name,
            form,
            settings: &[],
            takes_several: false,
            record_kind: name,
            abilities: Abilities::ALL,
            access: Access::Public,
            is_certified: false,
        }
    }
}

/// A kind of source: how it is named, what the record says of it, and its words.
pub trait Kind: Sync {
    /// What is fixed of it.
    fn facts(&self) -> KindFacts;

    /// The source that was typed; `rest` is what follows the colon, if there is one.
    ///
    /// # Errors
    /// [`AskError`] with what was wanted. It must not repeat a text that may be a key.
    fn parse(&self, rest: Option<&OsStr>, settings: &Settings) -> Result<Box<dyn Source>, AskError>;

    /// The source a record names, if it can be had from the record alone.
    ///
    /// # Errors
    /// [`AskError`] for sources that cannot be replayed or that must be supplied.
    fn of_record(&self, record: &SourceRecord) -> Result<Box<dyn Source>, AskError>;

    /// Whether a source of this record could exist.
    ///
    /// # Errors
    /// [`RecordError`] naming the field.
    fn check(&self, record: &SourceRecord) -> Result<(), RecordError>;

    /// The record in words.
    ///
    /// # Errors
    /// [`RecordError`]: a field is missing.
    fn words(&self, record: &SourceRecord) -> Result<String, RecordError>;
}

/// What follows the colon, where there has to be something.
///
/// # Errors
/// [`AskError`]: nothing follows.
pub fn something<'a>(kind: &dyn Kind, rest: Option<&'a OsStr>) -> Result<&'a OsStr, AskError> {
    rest.filter(|rest| !rest.is_empty()).ok_or_else(|| {
        AskError::new(
            format!("found --source {} alone", kind.facts().name),
            format!("Wanted {}.", kind.facts().form),
        )
    })
}

/// What follows the colon, where it has to be text.
///
/// # Errors
/// [`AskError`]: nothing follows, or no text.
pub fn text<'a>(kind: &dyn Kind, rest: Option<&'a OsStr>) -> Result<&'a str, AskError> {
    let text = something(kind, rest)?.to_str();
    text.ok_or_else(|| AskError::new("--source holds characters that are no text", ""))
}

/// That nothing follows the name.
///
/// # Errors
/// [`AskError`]: something does; it is not repeated, because it may be a key.
pub fn nothing(kind: &dyn Kind, rest: Option<&OsStr>) -> Result<(), AskError> {
    match rest {
        None => Ok(()),
        Some(_) => Err(AskError::new(
            format!("found something after --source {}", kind.facts().name),
            format!("Wanted {} alone.", kind.facts().form),
        )),
    }
}

/// A key given as digits, `@FILE` or `-`.
///
/// # Errors
/// [`AskError`]: no key; its text is not repeated.
pub fn key<K: FromStr<Err = KeyError>>(kind: &dyn Kind, rest: Option<&OsStr>) -> Result<K, AskError> {
    let Ok(secret) = text(kind, rest)?.parse::<Secret>();
    secret.key("--source").map_err(|error| match error {
        SecretError::Key { .. } => AskError::new(error.to_string(), format!("Wanted {}.", kind.facts().form)),
        error => AskError::new(error.to_string(), ""),
    })
}

/// What is before the first colon, and after it if there is one. Names are text; what follows one may be a
/// path that is none.
pub(super) fn split(text: &OsStr) -> (&str, Option<OsString>) {
    match text.to_str() {
        Some(text) => match text.split_once(':') {
            Some((name, rest)) => (name, Some(rest.into())),
            None => (text, None),
        },
        None => split_bytes(text),
    }
}

#[cfg(unix)]
fn split_bytes(text: &OsStr) -> (&str, Option<OsString>) {
    use std::os::unix::ffi::OsStrExt;
    let bytes = text.as_bytes();
    let colon = bytes.iter().position(|&byte| byte == b':').unwrap_or(bytes.len());
    let name = std::str::from_utf8(&bytes[..colon]).unwrap_or_default();
    (name, bytes.get(colon + 1..).map(|rest| OsStr::from_bytes(rest).to_owned()))
}

#[cfg(not(unix))]
fn split_bytes(_: &OsStr) -> (&str, Option<OsString>) {
    ("", None)
}
