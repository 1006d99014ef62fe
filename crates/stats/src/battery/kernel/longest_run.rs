//! The longest ascending and descending runs of neighbours.

use multiversion::multiversion;

use crate::battery::kernel::mask;
use deckproof_deck::card::DECK_CARDS;
use deckproof_deck::deck::block::{BLOCK_HANDS, Row};

/// The most cards in a row that rise, in every lane; of no meaning where a lane is empty.
#[multiversion(targets("x86_64+avx2", "aarch64+neon"))]
pub fn longest_ascending(cards: &[Row; DECK_CARDS]) -> Row {
    let (mut run, mut longest): (Row, Row) = ([1; BLOCK_HANDS], [1; BLOCK_HANDS]);
    for pair in cards.windows(2) {
        extend(&mut run, &mut longest, &pair[0], &pair[1]);
    }
    longest
}

/// The most cards in a row that fall, in every lane; of no meaning where a lane is empty.
#[multiversion(targets("x86_64+avx2", "aarch64+neon"))]
pub fn longest_descending(cards: &[Row; DECK_CARDS]) -> Row {
    let (mut run, mut longest): (Row, Row) = ([1; BLOCK_HANDS], [1; BLOCK_HANDS]);
    for pair in cards.windows(2) {
        extend(&mut run, &mut longest, &pair[1], &pair[0]);
    }
    longest
}

/// One card more where the higher row is above the lower one, else a new run. Compared as signed bytes,
/// which is what the instruction sets have.
#[inline(always)]
fn extend(run: &mut Row, longest: &mut Row, lower: &Row, higher: &Row) {
    for lane in 0..BLOCK_HANDS {
        run[lane] = (run[lane] & mask(higher[lane] as i8 > lower[lane] as i8)) + 1;
        longest[lane] = longest[lane].max(run[lane]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::battery::kernel::sample::check_numbers;

    #[test]
    fn longest_runs_are_those_of_cutting_the_deck_at_every_turn() {
        let longest = |cards: &[u8; 52], rises: fn(&u8, &u8) -> bool| {
            cards.chunk_by(rises).map(<[u8]>::len).max().unwrap_or(0)
        };
        check_numbers(longest_ascending, |cards| longest(cards, |a, b| a < b));
        check_numbers(longest_descending, |cards| longest(cards, |a, b| a > b));
    }
}
