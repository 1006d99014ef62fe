//! Relative decks: how one deck turns into the next.

use crate::deck::Deck;
use crate::deck::block::DeckBlock;

/// placeholder
pub fn relative(block: &DeckBlock, out: &mut DeckBlock) {
    out.clear();
    for lane in 1..block.hands() {
        let (this, next) = (block.deck(lane - 1), block.deck(lane).places());
        let r: Vec<u8> = this.indices().iter().map(|&c| next[usize::from(c)]).collect();
        out.push(&Deck::try_from(&r[..]).expect("a composition"));
    }
}
