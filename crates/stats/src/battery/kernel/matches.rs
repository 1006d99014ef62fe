//! Matches of decks with later ones: places that hold the same card.

use multiversion::multiversion;

use crate::battery::kernel::mask;
use crate::battery::kernel::planes::Minterms;
use crate::battery::kernel::value_counts::value_counts;
use deckproof_deck::card::DECK_CARDS;
use deckproof_deck::deck::block::{BLOCK_HANDS, DeckBlock, EMPTY_LANE, Row};
use deckproof_deck::deck::inverse::inverse;

/// Blocks that are laid side by side at a time: their rows stay in the first-level cache.
const BLOCKS: usize = 8;

/// Decks of a stretch, and two blocks of those that follow it.
const WIDTH: usize = (BLOCKS + 2) * BLOCK_HANDS;

/// Decks of neighbouring blocks side by side without gaps, place by place, and the decks ahead of them.
pub struct Stretch {
    rows: Box<[[u8; WIDTH]; DECK_CARDS]>,
    /// Decks of its own blocks.
    decks: usize,
    /// Decks in all, those ahead included.
    held: usize,
}

impl Stretch {
    fn new(own: &[DeckBlock], ahead: &[DeckBlock]) -> Stretch {
        let rows = Box::new([[0; WIDTH]; DECK_CARDS]);
        let mut stretch = Stretch { rows, decks: 0, held: 0 };
        own.iter().for_each(|block| stretch.push(block));
        stretch.decks = stretch.held;
        ahead.iter().for_each(|block| stretch.push(block));
        stretch
    }

    /// Whole rows are copied; what was copied of empty lanes is written over or never read.
    fn push(&mut self, block: &DeckBlock) {
        for (row, cards) in self.rows.iter_mut().zip(block.rows()) {
            row[self.held..][..BLOCK_HANDS].copy_from_slice(cards);
        }
        self.held += block.hands();
    }

    /// `counts[k]` more for each own deck that agrees at k places with the deck `lag` later in `later`, which
    /// stretches over the same decks; place by place, or first to last if `is_turned`. `places`, where it is not empty, has
    /// one more at each place at which such a deck agrees.
    ///
    /// # Panics
    /// If `counts` has fewer than 53 cells or `lag` is above 64.
    pub(in crate::battery) fn count_matches(
        &self,
        later: &Stretch,
        lag: usize,
        is_turned: bool,
        minterms: &mut Minterms,
        (counts, places): (&mut [u64], &mut [u64]),
    ) {
        assert!(lag <= BLOCK_HANDS, "two blocks lie ahead, found a lag of {lag}");
        let links = self.decks.min(self.held.saturating_sub(lag));
        let mut found = [[EMPTY_LANE; BLOCK_HANDS]; BLOCKS];
        for (found, first) in found.iter_mut().zip((0..links).step_by(BLOCK_HANDS)) {
            let own = BLOCK_HANDS.min(links - first);
            let mut linked = [0; BLOCK_HANDS];
            linked[..own].fill(u8::MAX);
            let (by_deck, by_place) = matches((&self.rows, &later.rows), first, lag, is_turned, &linked);
            found[..own].copy_from_slice(&by_deck[..own]);
            places.iter_mut().zip(by_place).for_each(|(count, found)| *count += u64::from(found));
        }
        let found = &found[..links.div_ceil(BLOCK_HANDS)];
        value_counts(minterms, found, |row: &Row| row, &mut counts[..=DECK_CARDS]);
    }
}

/// Shows all decks of a segment stretch by stretch, as they are and inverted.
pub fn stretches(segment: &[DeckBlock], mut visit: impl FnMut(&Stretch, &Stretch)) {
    for first in (0..segment.len()).step_by(BLOCKS) {
        let rest = &segment[first..];
        let (own, ahead) = rest.split_at(BLOCKS.min(rest.len()));
        let ahead = &ahead[..ahead.len().min(2)];
        let [own_inverse, ahead_inverse] = [own, ahead].map(inverses);
        visit(&Stretch::new(own, ahead), &Stretch::new(&own_inverse, &ahead_inverse));
    }
}

fn inverses(blocks: &[DeckBlock]) -> Vec<DeckBlock> {
    let mut inverses = vec![DeckBlock::default(); blocks.len()];
    blocks.iter().zip(&mut inverses).for_each(|(block, out)| inverse(block, out));
    inverses
}

#[multiversion(targets("x86_64+avx2", "aarch64+neon"))]
fn matches(
    (rows, later): (&[[u8; WIDTH]; DECK_CARDS], &[[u8; WIDTH]; DECK_CARDS]),
    first: usize,
    lag: usize,
    is_turned: bool,
    linked: &[u8; BLOCK_HANDS],
) -> ([u8; BLOCK_HANDS], [u8; DECK_CARDS]) {
    let (mut found, mut by_place) = ([0u8; BLOCK_HANDS], [0u8; DECK_CARDS]);
    for (place, later) in later.iter().enumerate() {
        let row = &rows[if is_turned { DECK_CARDS - 1 - place } else { place }];
        let (Some(left), Some(right)) =
            (row[first..].first_chunk::<BLOCK_HANDS>(), later[first + lag..].first_chunk::<BLOCK_HANDS>())
        else {
            break;
        };
        // At most 64, one for each deck.
        let mut decks = 0u8;
        for lane in 0..BLOCK_HANDS {
            let is_same = mask(left[lane] == right[lane]) & linked[lane];
            found[lane] = found[lane].wrapping_sub(is_same);
            decks = decks.wrapping_sub(is_same);
        }
        by_place[place] = decks;
    }
    (found, by_place)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::battery::kernel::sample;
    use deckproof_deck::deck::relative::relative;

    fn check(blocks: &[DeckBlock], lag: usize, is_turned: bool, is_inverse: bool) {
        let (mut counts, mut places) = (vec![0; 53], vec![0; 52]);
        stretches(blocks, |own, inverse| {
            own.count_matches(
                if is_inverse { inverse } else { own },
                lag,
                is_turned,
                &mut Minterms::default(),
                (&mut counts, &mut places),
            );
        });
        let decks: Vec<[u8; 52]> = sample::decks(blocks).map(|deck| *deck.indices()).collect();
        let (mut expected, mut expected_places) = (vec![0; 53], vec![0; 52]);
        for (deck, later) in decks.iter().zip(decks.iter().skip(lag)) {
            let here = |place: usize| usize::from(deck[if is_turned { 51 - place } else { place }]);
            let agree = |&place: &usize| {
                if is_inverse {
                    usize::from(later[here(place)]) == place
                } else {
                    here(place) == usize::from(later[place])
                }
            };
            let agreeing: Vec<usize> = (0..52).filter(agree).collect();
            expected[agreeing.len()] += 1;
            agreeing.into_iter().for_each(|place| expected_places[place] += 1);
        }
        assert_eq!(counts, expected, "lag {lag}");
        if !is_inverse {
            assert_eq!(places, expected_places, "lag {lag}");
        }
    }

    #[test]
    fn matches_equal_comparing_deck_by_deck() {
        for (number, hands_last) in sample::SIZES {
            let blocks = sample::blocks(number, hands_last);
            let mut links = vec![DeckBlock::default(); number];
            blocks.iter().zip(&mut links).for_each(|(block, out)| relative(block, None, out));
            for view in [&blocks, &links] {
                for lag in [1, 2, 15, 16, 32] {
                    check(view, lag, false, false);
                }
                check(view, 1, true, false);
                check(view, 1, false, true);
            }
        }
    }
}
