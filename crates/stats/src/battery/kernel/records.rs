//! Records: cards higher than every card above them.

use multiversion::multiversion;

use crate::battery::kernel::mask;
use deckproof_deck::card::DECK_CARDS;
use deckproof_deck::deck::block::{BLOCK_HANDS, Row};

/// `#{p: c[p] > c[q] for all q < p}` of every lane, the top card included; of no meaning where a lane is empty.
#[multiversion(targets("x86_64+avx2", "aarch64+neon"))]
pub fn records(cards: &[Row; DECK_CARDS]) -> Row {
    let (mut found, mut highest): (Row, Row) = ([1; BLOCK_HANDS], cards[0]);
    for row in &cards[1..] {
        for lane in 0..BLOCK_HANDS {
            found[lane] = found[lane].wrapping_sub(mask(row[lane] as i8 > highest[lane] as i8));
            highest[lane] = highest[lane].max(row[lane]);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::battery::kernel::sample::check_numbers;

    #[test]
    fn records_equal_plain_counting() {
        check_numbers(records, |cards| {
            (0..52).filter(|&place| cards[..place].iter().all(|&above| above < cards[place])).count()
        });
    }
}
