//! Decks for the tests of dealt hands.

use deckproof_deck::deck::block::{BLOCK_HANDS, DeckBlock};
use deckproof_deck::key::AuditKey;
use deckproof_deck::shuffle::lanes::{PreparedAuditKey, audit_block};

/// The rows of a table of `fixtures/` below its head.
pub(super) fn rows(text: &'static str) -> impl Iterator<Item = Vec<&'static str>> {
    text.lines().skip(1).map(|line| line.split(',').collect())
}

/// So many full blocks of the certified shuffle under a key of one byte.
pub(super) fn blocks(key: u8, count: u64) -> Vec<DeckBlock> {
    let key = PreparedAuditKey::new(&AuditKey::from_bytes([key; 32]));
    let block = |number: u64| {
        let mut block = DeckBlock::default();
        audit_block(&key, number * BLOCK_HANDS as u64, BLOCK_HANDS, &mut block);
        block
    };
    (0..count).map(block).collect()
}
