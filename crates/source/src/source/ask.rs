//! A source that was asked for: what it can do, what the public record says of it, and how it is opened.

use crate::source::record::{RecordError, SourceRecord};
use crate::source::{DeckSource, SourceError};
use deckproof_deck::text::could_not_say::CouldNotSay;

/// How many decks are taken from a source without an end when nobody says.
pub const DECKS_DEFAULT: u64 = 1_000_000;

/// What can be done with the decks of a source; the reason where it cannot.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Abilities {
    /// An interrupted run can go on.
    pub resume: Result<(), &'static str>,
    /// A part of the decks can be asked for on its own.
    pub shard: Result<(), &'static str>,
    /// The same decks can be had again.
    pub rerun: Result<(), &'static str>,
    /// More decks of the same source can follow those of a plan.
    pub go_on: bool,
    /// The record names the decks and does not hold them: they must be supplied again.
    pub is_supplied: bool,
}

impl Abilities {
    /// Any deck, any time, from the record alone.
    pub const ALL: Abilities =
        Abilities { resume: Ok(()), shard: Ok(()), rerun: Ok(()), go_on: true, is_supplied: false };
}

/// A source that was asked for and is not open yet.
pub trait Source: Send {
    /// What can be done with it.
    fn abilities(&self) -> Abilities;

    /// Opens it for `decks` decks, or as many as the kind of source gives by default.
    ///
    /// # Errors
    /// [`AskError`] naming file or program.
    fn open(self: Box<Self>, decks: Option<u64>) -> Result<Opened, AskError>;

    /// What a plan says of the source, and of how many decks, without drawing one. A recorded file is read
    /// for its hash; a program or a stream is not touched.
    ///
    /// # Errors
    /// [`AskError`] naming file or option.
    fn record(self: Box<Self>, decks: Option<u64>) -> Result<(SourceRecord, Option<u64>), AskError> {
        self.open(decks).map(|opened| (opened.record, opened.decks))
    }

    /// Takes a checkpoint's key in the place of one that was not given.
    fn go_on_from(&mut self, _saved: &SourceRecord) {}

    /// What the user should know before anything is written, such as that a key becomes public.
    fn warning(&self) -> Option<&'static str> {
        None
    }

    /// What a plan says of the program that deals, if one does.
    ///
    /// # Errors
    /// [`AskError`]: no words, or words that do not split.
    fn program_sha256(&self) -> Result<Option<String>, AskError> {
        Ok(None)
    }
}

impl dyn Source {
    /// The same that goes on from a checkpoint.
    pub fn continued(mut self: Box<Self>, saved: &SourceRecord) -> Box<dyn Source> {
        self.go_on_from(saved);
        self
    }
}

/// A source that is open.
pub struct Opened {
    /// Gives the decks.
    pub source: Box<dyn DeckSource>,
    /// What the plan says of it.
    pub record: SourceRecord,
    /// How many decks it is to give; `None`: to the end of the stream.
    pub decks: Option<u64>,
    /// What the reader took the file for, in whole sentences.
    pub sentences: Vec<String>,
}

impl Opened {
    /// A source of so many decks.
    pub fn of(source: Box<dyn DeckSource>, record: SourceRecord, decks: u64) -> Opened {
        Opened { source, record, decks: Some(decks), sentences: Vec::new() }
    }
}

/// Why a source cannot be had, and what to do about it. Holds nothing secret.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{what}")]
pub struct AskError {
    /// What is wrong.
    pub what: String,
    /// What to do about it, in whole sentences; may be empty.
    pub advice: String,
}

impl AskError {
    /// What is wrong, and what to do about it.
    pub fn new(what: impl Into<String>, advice: impl Into<String>) -> AskError {
        AskError { what: what.into(), advice: advice.into() }
    }
}

impl From<SourceError> for AskError {
    fn from(error: SourceError) -> AskError {
        AskError::new(error.to_string(), "")
    }
}

impl From<RecordError> for AskError {
    fn from(error: RecordError) -> AskError {
        AskError::new(error.to_string(), "")
    }
}

impl From<AskError> for CouldNotSay {
    fn from(error: AskError) -> CouldNotSay {
        CouldNotSay::new(&error, &error.advice)
    }
}

/// That an option can be had from a source.
///
/// # Errors
/// [`CouldNotSay`] with the reason why not.
pub fn check_able(option: &str, ability: Result<(), &'static str>) -> Result<(), CouldNotSay> {
    ability.map_err(|reason| {
        CouldNotSay::new(
            format!("{option} cannot be had from this source: {reason}"),
            "Leave it out, or use another source.",
        )
    })
}
