//! A source that a user of the library brings: named by its author, in a record that says so.

use std::ffi::OsStr;

use crate::source::DeckSource;
use crate::source::ask::{Abilities, AskError, Opened, Source};
use crate::source::kind::{Kind, KindFacts};
use crate::source::record::{RecordError, SourceRecord};
use crate::source::settings::Settings;

/// What the record calls it.
const RECORD_KIND: &str = "own";

/// The kind, as it is in the list: nothing of it can be typed.
pub(super) struct OwnKind;

impl Kind for OwnKind {
    fn facts(&self) -> KindFacts {
        KindFacts {
            abilities: Abilities { is_supplied: true, ..Abilities::ALL },
            ..KindFacts::new(RECORD_KIND, "a program that calls this library")
        }
    }

    fn parse(&self, _: Option<&OsStr>, _: &Settings) -> Result<Box<dyn Source>, AskError> {
        Err(must_be_supplied())
    }

    fn of_record(&self, _: &SourceRecord) -> Result<Box<dyn Source>, AskError> {
        Err(must_be_supplied())
    }

    fn check(&self, record: &SourceRecord) -> Result<(), RecordError> {
        record.only(&["name"])?;
        let name = record.text("name")?;
        let is_line = !name.trim().is_empty() && !name.chars().any(char::is_control);
        is_line.then_some(()).ok_or_else(|| record.wrong("name", format!("{name:?}"), "one line of text"))
    }

    fn words(&self, record: &SourceRecord) -> Result<String, RecordError> {
        Ok(format!("{}, as its author names it, not checked", record.text("name")?))
    }
}

fn must_be_supplied() -> AskError {
    AskError::new(
        "the decks are those of a program that calls this library, and named by its author",
        "Only that program can give them.",
    )
}

/// A source of one's own, with the name that plan and certificate give it.
///
/// ```
/// use deckproof_deck::deck::{Deck, block::DeckBlock};
/// use deckproof_source::source::{DeckSource, SourceError, ask::Source, own::Own};
///
/// struct Unshuffled;
///
/// impl DeckSource for Unshuffled {
///     fn fill(&mut self, _: u64, block: &mut DeckBlock) -> Result<(), SourceError> {
///         block.clear();
///         (0..64).for_each(|_| block.push(&Deck::in_order()));
///         Ok(())
///     }
///
///     fn fork(&self) -> Option<Box<dyn DeckSource>> {
///         Some(Box::new(Unshuffled))
///     }
/// }
///
/// let own: Box<dyn Source> = Box::new(Own::new("the shuffler of example.org, build 7", Box::new(Unshuffled), 1_000));
/// let opened = own.open(None)?;
/// assert_eq!(
///     opened.record.to_string(),
///     "the shuffler of example.org, build 7, as its author names it, not checked"
/// );
/// # Ok::<(), deckproof_source::source::ask::AskError>(())
/// ```
pub struct Own {
    name: String,
    source: Box<dyn DeckSource>,
    decks: u64,
}

impl Own {
    /// A source that gives `decks` decks where nobody asks for another number. The name is in every plan,
    /// certificate and report: a program, its version, and where it runs.
    pub fn new(name: &str, source: Box<dyn DeckSource>, decks: u64) -> Own {
        Own { name: name.to_owned(), source, decks }
    }

    fn named(&self) -> Result<SourceRecord, AskError> {
        let record = SourceRecord::new(RECORD_KIND).with("name", self.name.as_str());
        OwnKind.check(&record)?;
        Ok(record)
    }
}

impl Source for Own {
    fn abilities(&self) -> Abilities {
        OwnKind.facts().abilities
    }

    fn open(self: Box<Self>, decks: Option<u64>) -> Result<Opened, AskError> {
        let record = self.named()?;
        Ok(Opened::of(self.source, record, decks.unwrap_or(self.decks)))
    }

    fn record(self: Box<Self>, decks: Option<u64>) -> Result<(SourceRecord, Option<u64>), AskError> {
        Ok((self.named()?, Some(decks.unwrap_or(self.decks))))
    }
}
