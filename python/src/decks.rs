//! Decks in an array that Python owns: read where they lie, some thousands at a time, while Python's lock is held.
//!
//! Nothing is borrowed while the lock is free: another thread of Python may write into the array, and memory would then be
//! read while it changes. What is read is hashed again and compared with the plan's hash at the end.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use deckproof_audit::source::format::Numbering;
use deckproof_audit::source::{DeckSource, FileEnd, SourceError};
use deckproof_deck::card::DECK_CARDS;
use deckproof_deck::deck::Deck;
use deckproof_deck::deck::block::{BLOCK_HANDS, DeckBlock};
use pyo3::buffer::PyBuffer;
use pyo3::exceptions::{PyException, PyValueError};
use pyo3::prelude::{Py, PyAny, PyAnyMethods, PyErr, PyResult, Python};
use pyo3::types::PySlice;
use sha2::{Digest, Sha256};

/// Decks that are copied at once, 213 kB.
const CHUNK_DECKS: usize = 1 << 12;

/// An array of NumPy: rows of 52 bytes, in one piece of memory.
pub struct DeckArray {
    array: Py<PyAny>,
    decks: u64,
}

impl DeckArray {
    /// An array of rows of 52 bytes.
    ///
    /// # Errors
    /// `ValueError`: anything else.
    pub fn of(py: Python<'_>, array: Py<PyAny>) -> PyResult<DeckArray> {
        let buffer = PyBuffer::<u8>::get(array.bind(py))?;
        match (buffer.is_c_contiguous(), buffer.shape()) {
            (true, &[decks, DECK_CARDS]) => Ok(DeckArray { array, decks: decks as u64 }),
            (_, shape) => Err(PyValueError::new_err(format!(
                "found bytes of shape {shape:?}, wanted rows of 52 in one piece of memory"
            ))),
        }
    }

    /// How many decks.
    pub fn decks(&self) -> u64 {
        self.decks
    }

    /// The bytes of at most [`CHUNK_DECKS`] decks, copied.
    fn copy(&self, first: u64, into: &mut Vec<u8>) -> PyResult<()> {
        let last = self.decks.min(first + CHUNK_DECKS as u64);
        let copied = Python::try_attach(|py| {
            let rows = PySlice::new(py, first as isize, last as isize, 1);
            let rows = PyBuffer::<u8>::get(&self.array.bind(py).get_item(rows)?)?;
            into.resize((last - first) as usize * DECK_CARDS, 0);
            rows.copy_to_slice(py, into)
        });
        let ended = || Err(value_error("the array cannot be read: Python has ended"));
        // What a signal raises is no fault of the array.
        copied.unwrap_or_else(ended).map_err(|error: PyErr| {
            let is_fault = Python::try_attach(|py| error.is_instance_of::<PyException>(py)).unwrap_or(true);
            if is_fault { value_error(error) } else { error }
        })
    }

    /// All bytes, a piece at a time; called without Python's lock.
    ///
    /// # Errors
    /// The array went away, or what a signal raises.
    pub fn each_chunk(&self, mut take: impl FnMut(&[u8])) -> PyResult<()> {
        let mut chunk = Vec::new();
        for first in (0..self.decks).step_by(CHUNK_DECKS) {
            self.copy(first, &mut chunk)?;
            take(&chunk);
        }
        Ok(())
    }

    /// SHA-256 of all bytes: that of a file `raw:FILE` that holds them.
    ///
    /// # Errors
    /// The array went away, or what a signal raises.
    pub fn sha256(&self) -> PyResult<[u8; 32]> {
        let mut hash = Sha256::new();
        self.each_chunk(|bytes| hash.update(bytes))?;
        Ok(hash.finalize().into())
    }
}

/// A record that is 52 bytes, as the program reads them.
///
/// # Errors
/// [`SourceError::NotADeck`], counted from 1.
pub fn deck_of(bytes: &[u8], number: u64, numbering: Numbering) -> Result<Deck, SourceError> {
    let cards: Vec<u8> = bytes.iter().map(|&card| numbering.to_protocol(card)).collect();
    Deck::try_from(&cards[..]).map_err(|error| SourceError::NotADeck {
        record: number + 1,
        place: format!("deck {}", number + 1),
        error,
    })
}

/// The decks of an array as a source, in order.
pub struct ArraySource {
    array: DeckArray,
    numbering: Numbering,
    wanted_sha256: [u8; 32],
    hash: Sha256,
    chunk: Vec<u8>,
    chunk_first: u64,
    stop: Arc<AtomicBool>,
}

impl ArraySource {
    /// The array whose bytes have this hash, read until `stop` becomes true.
    pub fn new(
        array: DeckArray,
        numbering: Numbering,
        wanted_sha256: [u8; 32],
        stop: Arc<AtomicBool>,
    ) -> ArraySource {
        ArraySource {
            array,
            numbering,
            wanted_sha256,
            hash: Sha256::new(),
            chunk: Vec::new(),
            chunk_first: 0,
            stop,
        }
    }

    fn bytes_from(&mut self, first: u64) -> Result<&[u8], SourceError> {
        let held = self.chunk.len() as u64 / DECK_CARDS as u64;
        if first >= self.chunk_first + held {
            if self.stop.load(Ordering::Relaxed) {
                return Err(SourceError::Failed("a signal ended the count".to_owned()));
            }
            let copied = self.array.copy(first, &mut self.chunk);
            copied.map_err(|error| SourceError::Failed(words(&error)))?;
            self.hash.update(&self.chunk);
            self.chunk_first = first;
        }
        Ok(&self.chunk[(first - self.chunk_first) as usize * DECK_CARDS..])
    }
}

impl DeckSource for ArraySource {
    fn fill(&mut self, first: u64, block: &mut DeckBlock) -> Result<(), SourceError> {
        block.clear();
        let last = self.array.decks.min(first + BLOCK_HANDS as u64);
        if first >= last {
            return Ok(());
        }
        let numbering = self.numbering;
        let bytes = self.bytes_from(first)?;
        for (number, record) in (first..last).zip(bytes.chunks_exact(DECK_CARDS)) {
            block.push(&deck_of(record, number, numbering)?);
        }
        Ok(())
    }

    /// One reader, in order, so that what is counted is what is hashed.
    fn fork(&self) -> Option<Box<dyn DeckSource>> {
        None
    }

    /// What messages call it.
    fn files(&self) -> Vec<FileEnd> {
        vec![FileEnd { name: "the array".to_owned(), end: self.array.decks }]
    }

    fn check_end(&mut self) -> Result<(), SourceError> {
        if self.hash.clone().finalize()[..] == self.wanted_sha256 {
            Ok(())
        } else {
            Err(SourceError::Failed("the array was changed while its decks were counted".to_owned()))
        }
    }
}

/// Decks that are copied already, from deck `first` on.
pub struct HeldDecks<'a> {
    /// 52 for each deck.
    pub bytes: &'a [u8],
    /// The number of the first of them.
    pub first: u64,
    /// How numbers name cards.
    pub numbering: Numbering,
}

impl DeckSource for HeldDecks<'_> {
    fn fill(&mut self, first: u64, block: &mut DeckBlock) -> Result<(), SourceError> {
        block.clear();
        let start = (first - self.first) as usize * DECK_CARDS;
        let records = self.bytes.get(start..).unwrap_or_default().chunks_exact(DECK_CARDS);
        for (number, record) in (first..).zip(records.take(BLOCK_HANDS)) {
            block.push(&deck_of(record, number, self.numbering)?);
        }
        Ok(())
    }

    fn fork(&self) -> Option<Box<dyn DeckSource>> {
        None
    }
}

/// What an error says, without its class.
fn words(error: &PyErr) -> String {
    Python::try_attach(|py| error.value(py).to_string()).unwrap_or_else(|| error.to_string())
}

/// A sentence as Python's `ValueError`.
pub fn value_error(error: impl std::fmt::Display) -> PyErr {
    PyValueError::new_err(error.to_string())
}
