//! `-`: decks on standard input.

use std::ffi::OsStr;
use std::io::{IsTerminal, stdin};

use crate::source::ask::{Abilities, AskError, Opened, Source};
use crate::source::format::{self, Written};
use crate::source::kind::{self, Kind};
use crate::source::record::{RecordError, SourceRecord};
use crate::source::settings::{Setting, Settings};
use crate::source::stream::{self, Stream};

/// The kind, as it stands in the list.
pub(super) struct StdinKind;

impl Kind for StdinKind {
    fn name(&self) -> &'static str {
        "-"
    }

    fn form(&self) -> &'static str {
        "- (standard input)"
    }

    fn about(&self) -> &'static str {
        "Standard input."
    }

    fn settings(&self) -> &'static [Setting] {
        format::SETTINGS
    }

    fn parse(&self, rest: Option<&OsStr>, settings: &Settings) -> Result<Box<dyn Source>, AskError> {
        kind::nothing(self, rest)?;
        Ok(Box::new(Asked { written: Written::of(settings)? }))
    }

    fn record_kind(&self) -> &'static str {
        stream::RECORD_KIND
    }

    fn abilities(&self) -> Abilities {
        stream::ABILITIES
    }

    fn of_record(&self, _: &SourceRecord) -> Result<Box<dyn Source>, AskError> {
        Err(stream::must_be_supplied())
    }

    fn check(&self, record: &SourceRecord) -> Result<(), RecordError> {
        stream::check(record)
    }

    fn words(&self, record: &SourceRecord) -> Result<String, RecordError> {
        stream::words(record)
    }
}

/// Standard input, not read yet.
struct Asked {
    written: Written,
}

impl Source for Asked {
    fn abilities(&self) -> Abilities {
        stream::ABILITIES
    }

    fn open(self: Box<Self>, decks: Option<u64>) -> Result<Opened, AskError> {
        if stdin().is_terminal() {
            return Err(AskError::new(
                "standard input is a terminal, wanted decks",
                "Pipe decks into deckproof: PROGRAM | deckproof audit --source -.",
            ));
        }
        let name = "standard input";
        let unpacked = stream::unpacked(stream::timed(stdin(), &self.written), name)?;
        let stream = Stream::open(unpacked.input, name, &self.written, decks)?;
        let record = stream.record(&self.written);
        let sentences = unpacked.sentence.into_iter().chain([stream.sentence().to_owned()]).collect();
        Ok(Opened { source: Box::new(stream), record, decks, sentences })
    }

    fn record(self: Box<Self>, decks: Option<u64>) -> Result<(SourceRecord, Option<u64>), AskError> {
        Ok((stream::planned(&self.written)?, decks))
    }

    fn continued(self: Box<Self>, _: &SourceRecord) -> Box<dyn Source> {
        self
    }
}
