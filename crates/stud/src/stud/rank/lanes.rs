//! Sixty-four hands of seven cards at once, high and low together.

use multiversion::multiversion;

use crate::stud::low::LOW_OF_RANKS;
use crate::stud::rank::High;
use crate::stud::rank::masks::{high_value, multiples};
use deckproof_deck::deck::block::{BLOCK_HANDS, Row};

/// The strengths of sixty-four hands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Strengths {
    /// High strength of every lane, in the order of [`High`].
    pub high: [u32; BLOCK_HANDS],
    /// 8-or-better strength of every lane: 56 is the best low, 0 none.
    pub low: [u8; BLOCK_HANDS],
}

impl Strengths {
    /// The high hand of one lane.
    pub fn high(&self, lane: usize) -> High {
        High(self.high[lane])
    }
}

/// Ranks the seven cards of every lane; `rows[k][lane]` is the number of card `k`.
/// Lanes that hold no cards get strengths without meaning.
pub fn rank(rows: [&Row; 7]) -> Strengths {
    of_rows(rows, rank_seven)
}

/// The same for six cards.
pub fn rank_of_six(rows: [&Row; 6]) -> Strengths {
    of_rows(rows, rank_six)
}

fn of_rows<const CARDS: usize>(
    rows: [&Row; CARDS],
    rank: fn(&[Row; CARDS], &mut [u32; BLOCK_HANDS], &mut [u8; BLOCK_HANDS]),
) -> Strengths {
    let mut found = Strengths { high: [0; BLOCK_HANDS], low: [0; BLOCK_HANDS] };
    let rows = rows.map(|row| *row);
    let mut low_ranks = [0; BLOCK_HANDS];
    rank(&rows, &mut found.high, &mut low_ranks);
    for (low, ranks) in found.low.iter_mut().zip(low_ranks) {
        *low = LOW_OF_RANKS[usize::from(ranks)];
    }
    found
}

// AVX2 alone: the mask registers of AVX-512 gain nothing on compare-and-blend kernels.
#[multiversion(targets("x86_64+avx2", "aarch64+neon"))]
fn rank_seven(rows: &[Row; 7], high: &mut [u32; BLOCK_HANDS], low_ranks: &mut [u8; BLOCK_HANDS]) {
    rank_lanes(rows, high, low_ranks);
}

#[multiversion(targets("x86_64+avx2", "aarch64+neon"))]
fn rank_six(rows: &[Row; 6], high: &mut [u32; BLOCK_HANDS], low_ranks: &mut [u8; BLOCK_HANDS]) {
    rank_lanes(rows, high, low_ranks);
}

#[inline(always)]
fn rank_lanes<const CARDS: usize>(
    rows: &[Row; CARDS],
    high: &mut [u32; BLOCK_HANDS],
    low_ranks: &mut [u8; BLOCK_HANDS],
) {
    for lane in 0..BLOCK_HANDS {
        let mut black = 0u32;
        let mut red = 0u32;
        // Each suit counts in its own byte from 3, so that bit 3 says "five or more".
        let mut counts = 0x0303_0303u32;
        for row in rows {
            let card = u32::from(row[lane]);
            let suit = card & 3;
            let bit = 1u32 << ((card >> 2 & 15) + ((suit & 1) << 4));
            let upper = (suit >> 1).wrapping_neg();
            red |= bit & upper;
            black |= bit & !upper;
            counts += 1 << (suit << 3);
        }
        let suits = [black & 0x1fff, black >> 16, red & 0x1fff, red >> 16];
        let mut flush = 0;
        for (suit, ranks) in suits.into_iter().enumerate() {
            flush |= ranks & (counts >> (8 * suit + 3) & 1).wrapping_neg();
        }
        let of = multiples(suits);
        high[lane] = high_value(&of, flush, CARDS as u32 - 5);
        low_ranks[lane] = (of.any << 1 | of.any >> 12) as u8;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stud::card_set::CardSet;
    use crate::stud::low::Low8;
    use deckproof_deck::card::Card;

    /// Seven distinct cards a lane, from a small multiplicative generator.
    fn rows(seed: u64) -> [Row; 7] {
        let mut rows = [[0u8; BLOCK_HANDS]; 7];
        let mut state = seed;
        for lane in 0..BLOCK_HANDS {
            let mut deck: Vec<u8> = (0..52).collect();
            for row in &mut rows {
                // Knuth's multiplier (The Art of Computer Programming, volume 2, section 3.3.4).
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                row[lane] = deck.swap_remove((state >> 33) as usize % deck.len());
            }
        }
        rows
    }

    #[test]
    fn all_lanes_agree_with_one_hand_at_a_time() {
        for seed in 0..4_000 {
            let rows = rows(seed);
            let found = rank(rows.each_ref());
            for lane in 0..BLOCK_HANDS {
                let cards = rows.map(|row| Card::from_index(row[lane]).expect("rows hold cards"));
                let set = CardSet::of(&cards);
                let low = Low8::best(set).map_or(0, Low8::strength);
                assert_eq!(
                    (found.high(lane), found.low[lane]),
                    (High::best(set), low),
                    "seed {seed}, {cards:?}"
                );
            }
        }
    }

    #[test]
    fn six_cards_are_ranked_as_well() {
        for seed in 0..1_000 {
            let [.., c, d, e, f, g, h] = rows(seed);
            let found = rank_of_six([&c, &d, &e, &f, &g, &h]);
            for lane in 0..BLOCK_HANDS {
                let cards =
                    [c, d, e, f, g, h].map(|row| Card::from_index(row[lane]).expect("rows hold cards"));
                let set = CardSet::of(&cards);
                let low = Low8::best(set).map_or(0, Low8::strength);
                assert_eq!(
                    (found.high(lane), found.low[lane]),
                    (High::best(set), low),
                    "seed {seed}, {cards:?}"
                );
            }
        }
    }
}
