//! The second-best hands of decks, counted by kind and leading rank.

use crate::battery::stud::deals::Deals;

/// Kinds of hands, and ranks that lead them.
const KINDS: usize = 9;
const RANKS: usize = 13;

/// Cells, from the weakest hand up.
pub(super) const CELLS: usize = KINDS * RANKS;

/// Adds the second-best hand of every deck.
pub(super) fn count(deals: &Deals, counts: &mut [u64]) {
    for (block, hands) in deals.iter() {
        for &strength in &hands.second[..block.hands()] {
            counts[cell_of(strength)] += 1;
        }
    }
}

/// Kind of hand, then the highest of the ranks that lead it, or of its five cards where none does.
fn cell_of(strength: u32) -> usize {
    let ranks = strength & ((1 << 26) - 1);
    let top = (ranks | 1).ilog2();
    let leading = if top >= RANKS as u32 { top - RANKS as u32 } else { top };
    (strength >> 26) as usize * RANKS + leading as usize
}
