//! The river of a four-flush: whether the seventh card makes the flush.
//!
//! Null: of six cards exactly four are of one suit with probability 4·C(13,4)·C(39,2)/C(52,6), and then the seventh is one
//! of the 9 left among 46 cards, exact, of one seat a deck in turn. Parts: `river`, completed of four-flushes;
//! `six-cards`, four-flushes of decks; both binomial. Needs one deck. It sees rivers that reward or punish a draw. Not
//! judged where the river comes from a reshuffle.

use multiversion::multiversion;

use crate::battery::outcome::Outcome;
use crate::battery::statistic::{About, common_sum};
use crate::battery::stud::deals::Deals;
use crate::battery::stud::table::{HAND_CARDS, River, Table};
use crate::battery::stud::{HandStatistic, parts};
use crate::battery::tier::Tier;
use crate::deck::block::{BLOCK_HANDS, Row};

pub(super) struct FourFlush;

const ABOUT: About = About {
    id: "four-flush",
    version: 1,
    tier: Tier::Stud,
    title: "river of a four-flush",
    null: "Nine of 46 rivers complete a four-flush.",
    source: "completed ~ Bin(four-flushes, 9/46); four-flushes ~ Bin(N, 4·C(13,4)·C(39,2)/C(52,6)), one seat a deck in turn",
    detects: "Rivers that come too often or too seldom for who draws to a flush.",
    decks_min: 1,
};

/// Completed, missed, no four-flush.
const CELLS: usize = 3;

/// 4·C(13,4)·C(39,2) of C(52,6).
const FOUR_OF_SIX: f64 = 4.0 * 715.0 * 741.0 / 20_358_520.0;

impl HandStatistic for FourFlush {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn is_told_at(&self, table: &Table) -> bool {
        table.river() != River::Reshuffled
    }

    fn cells(&self, _: &Table) -> usize {
        CELLS
    }

    /// Completed, missed, no four-flush after six cards.
    fn observe(&self, deals: &Deals, counts: &mut [u64]) {
        for (block, hands) in deals.iter() {
            let mut found = [0; BLOCK_HANDS];
            rivers(&hands.turn, &mut found);
            found.iter().take(block.hands()).for_each(|&cell| counts[usize::from(cell)] += 1);
        }
    }

    fn decks_in(&self, _: &Table, counts: &[u64]) -> Option<u64> {
        common_sum([counts.iter().copied()])
    }

    fn finish(&self, _: &Table, counts: &[u64], decks: u64) -> Vec<Outcome> {
        let draws = counts[0].saturating_add(counts[1]);
        vec![
            parts::share("river", "four-flushes", counts[0], draws, 9.0 / 46.0),
            parts::share("six-cards", "decks", draws, decks, FOUR_OF_SIX),
        ]
    }
}

#[multiversion(targets("x86_64+avx2", "aarch64+neon"))]
fn rivers(cards: &[Row; HAND_CARDS], found: &mut Row) {
    for (lane, cell) in found.iter_mut().enumerate() {
        let suit = |card: usize| cards[card][lane] & 3;
        // The suit that four of six cards have, or none: suits count in fields of four bits.
        let mut counts = 0u16;
        for card in 0..HAND_CARDS - 1 {
            counts += 1 << (4 * u16::from(suit(card)));
        }
        let four = counts & 0x4444 & !((counts & 0x2222) << 1 | (counts & 0x1111) << 2);
        let is_made = four >> (4 * u16::from(suit(HAND_CARDS - 1))) & 4 != 0;
        *cell = if four == 0 { 2 } else { u8::from(!is_made) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::battery::stud::sample;

    #[test]
    fn lanes_agree_with_plain_counting() {
        for block in sample::blocks(21, 20) {
            let cards: [Row; HAND_CARDS] = std::array::from_fn(|card| *block.row(card));
            let mut found = [9; BLOCK_HANDS];
            rivers(&cards, &mut found);
            for lane in 0..BLOCK_HANDS {
                let suits: Vec<u8> = cards.iter().map(|row| row[lane] % 4).collect();
                let of_suit = |suit: u8| suits[..6].iter().filter(|&&held| held == suit).count();
                let wanted = match (0..4).find(|&suit| of_suit(suit) == 4) {
                    Some(suit) if suits[6] == suit => 0,
                    Some(_) => 1,
                    None => 2,
                };
                assert_eq!(found[lane], wanted, "{suits:?}");
            }
        }
    }
}
