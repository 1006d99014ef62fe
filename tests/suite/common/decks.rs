//! Decks read through the sources of the library.

use deckproof::deck::Deck;
use deckproof::deck::block::{BLOCK_HANDS, DeckBlock};
use deckproof::source::flawed::Flawed;
use deckproof::source::format::{Numbering, Written};
use deckproof::source::{DeckSource, SourceError};

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

/// Decks as blocks.
pub fn blocks_of(decks: &[[u8; 52]]) -> Vec<DeckBlock> {
    let block_of = |chunk: &[[u8; 52]]| {
        let mut block = DeckBlock::default();
        chunk.iter().for_each(|deck| block.push(&Deck::try_from(&deck[..]).expect("a permutation")));
        block
    };
    decks.chunks(BLOCK_HANDS).map(block_of).collect()
}

/// The decks of a flawed dealer, 52 bytes each.
pub fn raw(dealer: &str, count: u64) -> Vec<u8> {
    let mut source = Flawed::open(dealer, count).expect("it is in the list");
    read(&mut source).expect("no record is spoilt").iter().flat_map(|deck| *deck.indices()).collect()
}
