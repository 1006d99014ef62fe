//! Decks read through the sources of the library.

use deckproof::deck::Deck;
use deckproof::deck::block::DeckBlock;
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
