//! Where decks come from: the certified shuffle, recorded decks, other programs, flawed dealers.

use crate::deck::DeckError;
use crate::deck::block::DeckBlock;

/// The joint for one more source of decks: one file in `src/source/`, one line in its list.
pub trait DeckSource: Send {
    /// Fills the block with the decks `first, first + 1, …`, 64 of them or as many as there are:
    /// fewer means that the source has ended. A source that cannot [`fork`](DeckSource::fork) is read
    /// in order, without gaps, `first` rising by 64.
    ///
    /// # Errors
    /// [`SourceError`] names the record.
    fn fill(&mut self, first: u64, block: &mut DeckBlock) -> Result<(), SourceError>;

    /// A second reader of the same decks for another thread, or `None` if the decks come in order only.
    fn fork(&self) -> Option<Box<dyn DeckSource>>;
}

/// Why a source gave no decks.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SourceError {
    /// A complete record that is not a deck: proof against the shuffler, except in the first record,
    /// where it more likely means the wrong format.
    #[error("{place}: {error}")]
    NotADeck {
        /// Which record, counted from 1.
        record: u64,
        /// File, record, line or offset, in words.
        place: String,
        /// What is wrong with it.
        error: DeckError,
    },
    /// A record that is not complete or not readable: nothing can be said.
    #[error("{place}: {found}, wanted {wanted}")]
    Unreadable {
        /// File, record, line or offset, in words.
        place: String,
        /// What was found.
        found: String,
        /// What was wanted.
        wanted: String,
    },
    /// The file or program failed.
    #[error("{place}: {error}")]
    Io {
        /// File or program.
        place: String,
        /// What the operating system said.
        error: std::io::Error,
    },
    /// Anything the source says in one sentence, such as a program that stopped early.
    #[error("{0}")]
    Failed(String),
}
