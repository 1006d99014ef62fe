//! A collection written to a stream, counted and hashed on its way.

use std::io::{self, Write};

use sha2::{Digest, Sha256};

use crate::collection::{
    BitForm, COMMITMENTS_HEADER, DeckForm, PAIRS_HEADER, WordForm, pairs, words, write_bits,
    write_commitment, write_deck, write_pair, write_word,
};
use crate::source::SourceError;
use crate::source::ask::Opened;
use deckproof_deck::deck::block::{BLOCK_HANDS, DeckBlock};
use deckproof_deck::key::AuditKey;
use deckproof_deck::text::decimal::thousands;

/// Why nothing more is written.
#[derive(Debug, thiserror::Error)]
pub enum Stopped {
    /// The stream takes no more.
    #[error(transparent)]
    Output(#[from] io::Error),
    /// The source gives no more.
    #[error(transparent)]
    Source(SourceError),
    /// The source had fewer decks.
    #[error("the source ended after {} decks, wanted {}", thousands(*found), thousands(*wanted))]
    Ended {
        /// So many.
        found: u64,
        /// Than these.
        wanted: u64,
    },
    /// Only the certified shuffle shows its words.
    #[error("the key behind the decks of this source is not known")]
    NoKey,
}

/// What is written, with its form.
pub enum CollectionRequest {
    /// Decks.
    Decks(u64, DeckForm),
    /// Words of the generator.
    Words(u64, WordForm),
    /// Bits of the generator.
    Bits(u64, BitForm),
    /// Decks, each beside its words.
    Pairs(u64),
    /// Decks, each beside its deck root.
    Commitments(u64),
}

impl CollectionRequest {
    /// How many decks the source must have.
    pub fn decks(&self) -> u64 {
        match *self {
            CollectionRequest::Decks(count, _)
            | CollectionRequest::Pairs(count)
            | CollectionRequest::Commitments(count) => count,
            // The words of a key are drawn from the key itself.
            CollectionRequest::Words(..) | CollectionRequest::Bits(..) => 1,
        }
    }

    /// Number and unit.
    pub fn words(&self) -> String {
        let (count, unit) = match *self {
            CollectionRequest::Decks(count, _) => (count, "decks"),
            CollectionRequest::Words(count, _) => (count, "words of 32 bits"),
            CollectionRequest::Bits(count, _) => (count, "bits"),
            CollectionRequest::Pairs(count) => (count, "decks with their words"),
            CollectionRequest::Commitments(count) => (count, "decks with their deck roots"),
        };
        format!("{} {unit}", thousands(count))
    }
}

/// Writes all that is wanted.
///
/// # Errors
/// [`Stopped`].
pub fn write(out: &mut impl Write, wanted: &CollectionRequest, opened: &mut Opened) -> Result<(), Stopped> {
    match *wanted {
        CollectionRequest::Decks(count, form) => write_decks(out, count, form, opened),
        CollectionRequest::Words(count, form) => {
            let key = audit_key(opened)?;
            words(&key).take(count as usize).try_for_each(|word| write_word(out, word, form))?;
            Ok(())
        }
        CollectionRequest::Bits(count, form) => Ok(write_bits(out, &audit_key(opened)?, count, form)?),
        CollectionRequest::Pairs(count) => {
            let key = audit_key(opened)?;
            writeln!(out, "{PAIRS_HEADER}")?;
            pairs(&key).take(count as usize).try_for_each(|pair| write_pair(out, &pair))?;
            Ok(())
        }
        CollectionRequest::Commitments(count) => {
            let key = audit_key(opened)?;
            writeln!(out, "{COMMITMENTS_HEADER}")?;
            (0..count).try_for_each(|hand| write_commitment(out, &key, hand))?;
            Ok(())
        }
    }
}

fn write_decks(out: &mut impl Write, count: u64, form: DeckForm, opened: &mut Opened) -> Result<(), Stopped> {
    let mut block = DeckBlock::default();
    let mut first = 0;
    while first < count {
        opened.source.fill(first, &mut block).map_err(Stopped::Source)?;
        if block.is_empty() {
            return Err(Stopped::Ended { found: first, wanted: count });
        }
        let hands = (count - first).min(block.hands() as u64) as usize;
        (0..hands).try_for_each(|lane| write_deck(out, &block.deck(lane), form))?;
        first += BLOCK_HANDS as u64;
    }
    Ok(())
}

/// The key of the certified shuffle's audit path.
fn audit_key(opened: &Opened) -> Result<AuditKey, Stopped> {
    let key = match opened.record.kind() {
        "audit" => opened.record.text("key").ok().and_then(|key| key.parse().ok()),
        _ => None,
    };
    key.ok_or(Stopped::NoKey)
}

/// Counts and hashes what a stream has taken.
pub struct HashedStream<W> {
    inner: W,
    bytes: u64,
    sha256: Sha256,
}

impl<W> HashedStream<W> {
    /// A stream that has taken nothing.
    pub fn new(inner: W) -> HashedStream<W> {
        HashedStream { inner, bytes: 0, sha256: Sha256::new() }
    }

    /// How many bytes it took, and their SHA-256.
    pub fn finish(self) -> (u64, String) {
        (self.bytes, base16ct::lower::encode_string(&self.sha256.finalize()))
    }
}

impl<W: Write> Write for HashedStream<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let taken = self.inner.write(bytes)?;
        self.bytes += taken as u64;
        self.sha256.update(&bytes[..taken]);
        Ok(taken)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}
