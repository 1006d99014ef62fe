//! Exceedances: places that hold a card of a higher number.

use multiversion::multiversion;

use crate::battery::kernel::mask;
use deckproof_deck::card::DECK_CARDS;
use deckproof_deck::deck::block::{BLOCK_HANDS, Row};

/// `#{p: c[p] > p}` of every lane; of no meaning where a lane is empty.
#[multiversion(targets("x86_64+avx2", "aarch64+neon"))]
pub fn exceedances(cards: &[Row; DECK_CARDS]) -> Row {
    let mut found: Row = [0; BLOCK_HANDS];
    for (row, place) in cards.iter().zip(0i8..) {
        for lane in 0..BLOCK_HANDS {
            found[lane] = found[lane].wrapping_sub(mask(row[lane] as i8 > place));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::battery::kernel::sample::check_numbers;

    #[test]
    fn exceedances_equal_plain_counting() {
        check_numbers(exceedances, |cards| {
            cards.iter().zip(0u8..).filter(|&(&card, place)| card > place).count()
        });
    }
}
