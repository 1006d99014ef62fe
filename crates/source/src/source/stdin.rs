//! `-`: decks on standard input, or in a file that a plan did not know yet.

use std::io::{IsTerminal, stdin};
use std::path::PathBuf;

use crate::source::ask::{Abilities, AskError, Opened, Source};
use crate::source::format::Written;
use crate::source::input;
use crate::source::kind;
use crate::source::pieces::Input;
use crate::source::record::SourceRecord;
use crate::source::settings::Settings;
use crate::source::stream::{self, Stream, StreamKind};

/// The kind, as it is in the list.
pub(super) const STDIN: StreamKind = StreamKind {
    name: "-",
    form: "- (standard input)",
    ask: |kind, rest, settings| {
        kind::nothing(kind, rest)?;
        Ok(Box::new(Asked { file: None, written: Written::of(settings)? }))
    },
};

/// The decks of a file as the stream that a plan was written for, before there were any.
///
/// # Errors
/// [`AskError`]: settings that make no sense.
pub(super) fn of_file(path: PathBuf, settings: &Settings) -> Result<Box<dyn Source>, AskError> {
    Ok(Box::new(Asked { file: Some(path), written: Written::of(settings)? }))
}

/// Standard input or a file in its place, not read yet.
struct Asked {
    file: Option<PathBuf>,
    written: Written,
}

impl Asked {
    /// The bytes, and what messages call them.
    fn input(&self) -> Result<(Input, String), AskError> {
        if let Some(path) = &self.file {
            return Ok((Box::new(input::open_file(path)?), path.display().to_string()));
        }
        if stdin().is_terminal() {
            return Err(AskError::new(
                "standard input is a terminal, wanted decks",
                "Pipe decks into deckproof: PROGRAM | deckproof audit --source -.",
            ));
        }
        Ok((stream::timed(stdin(), &self.written), input::STANDARD_INPUT.to_owned()))
    }
}

impl Source for Asked {
    fn abilities(&self) -> Abilities {
        stream::ABILITIES
    }

    fn open(self: Box<Self>, decks: Option<u64>) -> Result<Opened, AskError> {
        let (input, name) = self.input()?;
        let unpacked = stream::unpacked(input, &name, &self.written)?;
        let stream = Stream::open_made(unpacked.made, unpacked.input, &name, &self.written, decks)?;
        let stream = stream.of_lines(&unpacked.passed);
        let record = stream.record(&self.written);
        let sentences = unpacked.sentence.into_iter().chain([stream.sentence().to_owned()]).collect();
        Ok(Opened { source: Box::new(stream), record, decks, sentences })
    }

    fn record(self: Box<Self>, decks: Option<u64>) -> Result<(SourceRecord, Option<u64>), AskError> {
        Ok((stream::planned(&self.written)?, decks))
    }
}
