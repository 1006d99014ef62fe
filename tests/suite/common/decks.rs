//! Decks read through the sources of the library.

use std::fs;
use std::ops::RangeInclusive;

use deckproof::deck::Deck;
use deckproof::deck::block::{BLOCK_HANDS, DeckBlock};
use deckproof::source::flawed::Flawed;
use deckproof::source::format::{Numbering, Written};
use deckproof::source::recorded::Recorded;
use deckproof::source::{DeckSource, SourceError};

use crate::common::lab::deck;

/// The made-up decks of these numbers.
pub fn decks(numbers: RangeInclusive<u64>) -> Vec<Deck> {
    numbers.map(|n| Deck::try_from(&deck(n)[..]).expect("a permutation")).collect()
}

/// All decks of a source.
pub fn read(source: &mut dyn DeckSource) -> Result<Vec<Deck>, SourceError> {
    let (mut decks, mut block) = (Vec::new(), DeckBlock::default());
    loop {
        source.fill(decks.len() as u64, &mut block)?;
        decks.extend((0..block.hands()).map(|lane| block.deck(lane)));
        if block.hands() < 64 {
            return Ok(decks);
        }
    }
}

/// How decks are written where nothing is said of it.
pub fn written() -> Written {
    Written::new(None, Numbering::RankSuit)
}

/// All decks of a file that holds this text.
pub fn opened(text: &str, written: &Written) -> Result<Vec<Deck>, SourceError> {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("x.csv");
    fs::write(&path, text).expect("writable");
    Recorded::open(&path, written).and_then(|(mut source, _)| read(&mut source))
}

/// Why such a file is not read.
pub fn refusal(text: &str, written: &Written) -> SourceError {
    opened(text, written).err().unwrap_or_else(|| panic!("{text:.60} was read"))
}

/// Each way to write the made-up decks from 1 to `count` gives these decks.
pub fn check_ways<B: AsRef<[u8]>>(ways: Vec<(&str, B)>, count: u64) {
    let folder = tempfile::tempdir().expect("a folder");
    let (path, expected) = (folder.path().join("export"), decks(1..=count));
    for (name, bytes) in ways {
        fs::write(&path, bytes).expect("writable");
        let opened = Recorded::open(&path, &written());
        let (mut source, facts) = opened.unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(facts.decks, count, "{name}");
        let found = read(&mut source).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert!(found == expected, "{name}");
        // Again from near the end, and back, as a shard or a second look reads.
        let mut block = DeckBlock::default();
        for first in [(count - 2) / 64 * 64, 64] {
            source.fill(first, &mut block).expect("as before");
            assert_eq!(block.deck(1), expected[first as usize + 1], "{name}");
        }
    }
}

/// Decks as blocks.
pub fn blocks_of(decks: &[[u8; 52]]) -> Vec<DeckBlock> {
    let block_of = |chunk: &[[u8; 52]]| {
        let mut block = DeckBlock::default();
        chunk.iter().for_each(|deck| block.push(&Deck::try_from(&deck[..]).expect("a permutation")));
        block
    };
    decks.chunks(BLOCK_HANDS).map(block_of).collect()
}

/// The decks of a flawed dealer in blocks.
pub fn dealt(dealer: &str, count: u64) -> Vec<DeckBlock> {
    let mut source = Flawed::open(dealer, count).expect("it is in the list");
    let block = |first: u64| {
        let mut block = DeckBlock::default();
        source.fill(first, &mut block).expect("no record is spoilt");
        block
    };
    (0..count).step_by(BLOCK_HANDS).map(block).collect()
}

/// The decks of a flawed dealer, 52 bytes each.
pub fn raw(dealer: &str, count: u64) -> Vec<u8> {
    let mut source = Flawed::open(dealer, count).expect("it is in the list");
    read(&mut source).expect("no record is spoilt").iter().flat_map(|deck| *deck.indices()).collect()
}
