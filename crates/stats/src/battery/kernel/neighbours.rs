//! Neighbours in the deck: successions, peaks and turns.

use multiversion::multiversion;

use crate::battery::kernel::mask;
use deckproof_deck::card::DECK_CARDS;
use deckproof_deck::deck::block::{BLOCK_HANDS, Row};

/// `#{p < 51: c[p+1] = c[p] + 1}` of every lane; of no meaning where a lane is empty.
pub fn rises_by_one(cards: &[Row; DECK_CARDS]) -> Row {
    steps(cards, 1)
}

/// `#{p < 51: c[p+1] = c[p] − 1}` of every lane; of no meaning where a lane is empty.
pub fn falls_by_one(cards: &[Row; DECK_CARDS]) -> Row {
    steps(cards, u8::MAX)
}

/// Places whose next card is higher by the step, modulo 256, in which cards do not wrap.
#[multiversion(targets("x86_64+avx2", "aarch64+neon"))]
fn steps(cards: &[Row; DECK_CARDS], step: u8) -> Row {
    let mut found: Row = [0; BLOCK_HANDS];
    for pair in cards.windows(2) {
        for lane in 0..BLOCK_HANDS {
            let is_step = pair[1][lane].wrapping_sub(pair[0][lane]) == step;
            found[lane] = found[lane].wrapping_sub(mask(is_step));
        }
    }
    found
}

/// Entries above both neighbours, `#{0 < p < 51: c[p−1] < c[p] > c[p+1]}`; of no meaning where a lane is empty.
#[multiversion(targets("x86_64+avx2", "aarch64+neon"))]
pub fn peaks(cards: &[Row; DECK_CARDS]) -> Row {
    let mut found: Row = [0; BLOCK_HANDS];
    for three in cards.windows(3) {
        for lane in 0..BLOCK_HANDS {
            let [before, here, after] =
                [three[0][lane], three[1][lane], three[2][lane]].map(|card| card as i8);
            found[lane] = found[lane].wrapping_sub(mask(here > before) & mask(here > after));
        }
    }
    found
}

/// Runs up and down, the maximal stretches of one direction: one more than there are turns; of no meaning
/// where a lane is empty.
#[multiversion(targets("x86_64+avx2", "aarch64+neon"))]
pub fn runs_up_down(cards: &[Row; DECK_CARDS]) -> Row {
    let mut found: Row = [1; BLOCK_HANDS];
    for three in cards.windows(3) {
        for lane in 0..BLOCK_HANDS {
            let [before, here, after] =
                [three[0][lane], three[1][lane], three[2][lane]].map(|card| card as i8);
            found[lane] = found[lane].wrapping_sub(mask(here > before) ^ mask(after > here));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::battery::kernel::sample::check_numbers;

    #[test]
    fn successions_equal_looking_at_every_pair() {
        check_numbers(rises_by_one, |cards| cards.windows(2).filter(|pair| pair[1] == pair[0] + 1).count());
        check_numbers(falls_by_one, |cards| cards.windows(2).filter(|pair| pair[1] + 1 == pair[0]).count());
    }

    #[test]
    fn peaks_and_runs_equal_looking_at_every_three() {
        check_numbers(peaks, |cards| {
            cards.windows(3).filter(|three| three[1] > three[0] && three[1] > three[2]).count()
        });
        check_numbers(runs_up_down, |cards| {
            1 + cards.windows(3).filter(|three| (three[1] > three[0]) != (three[2] > three[1])).count()
        });
    }
}
