//! Winners by seat: the best high hand and the best low, where nobody shares it.
//!
//! Null: seats are alike, so that of the decks with one winner every seat wins as many, exact given their number.
//! Parts: `high-seat` and `low-seat`, the deepest seat, exact; `high-shape` and `low-shape`, χ² over seats. Who
//! folds is not in a deck: every seat stays to the river.

use multiversion::multiversion;

use crate::battery::lists::{List, seat};
use crate::battery::outcome::Outcome;
use crate::battery::statistic::{About, Design, common_sum};
use crate::battery::stud::deals::{Deals, NOTHING, count_row};
use crate::battery::stud::table::{SEATS_MAX, StudTable};
use crate::battery::stud::{HandStatistic, parts};
use crate::battery::tier::Tier;
use crate::math::multinomial::{Cells, EXPECTATION_MIN};
use deckproof_deck::deck::block::{BLOCK_HANDS, Row};

pub(super) struct Winner;

pub(super) const ABOUT: About = About {
    id: "winner",
    version: 2,
    tier: Tier::Stud,
    title: "winner by seat",
    null: "Every seat wins as often, high and low; decks in which the best hand is shared are left out.",
    source: "seats ~ multinomial of equal cells given the number of decks with one winner; exact binomials, Bonferroni \
             (1936), and Pearson (1900) χ², bound by Agrawal (2020)",
    detects: "A favoured seat.",
    decks_min: 1,
    design: Design { parts: 4, family: Some("winner"), ..Design::OF_DECKS },
};

/// Decks that have one winner at the very least, of all decks: high, and low (two seats have none in two of three).
const SHARES: [f64; 2] = [0.8, 0.2];

const NAMES: [(&str, &str); 2] = [("high-seat", "high-shape"), ("low-seat", "low-shape")];

impl HandStatistic for Winner {
    fn cells(&self, table: &StudTable) -> usize {
        2 * (table.players() + 1)
    }

    /// Decks by the seat that wins high, then those without one winner; the same for low.
    fn observe(&self, deals: &Deals, counts: &mut [u64]) {
        let players = deals.table.players();
        let (high, low) = counts.split_at_mut(players + 1);
        for (block, hands) in deals.iter() {
            let mut best = [NOTHING; BLOCK_HANDS];
            best_low(&hands.low, players, &mut best);
            count_winners(&hands.winner, block.hands(), high);
            count_winners(&best, block.hands(), low);
        }
    }

    fn decks_in(&self, table: &StudTable, counts: &[u64]) -> Option<u64> {
        common_sum(counts.chunks(table.players() + 1).map(|own| own.iter().copied()))
    }

    fn lists(&self, table: &StudTable) -> Vec<List> {
        let players = table.players();
        let of = |name: &str, first: usize, nobody: &'static str| {
            List::new(name, first..first + players + 1, move |at| {
                if at < players { seat(at) } else { nobody.to_owned() }
            })
        };
        vec![
            of("the high hand is won", 0, "by more than one seat"),
            of("the low hand is won", players + 1, "by nobody, or by more than one seat"),
        ]
    }

    fn outcomes(&self, table: &StudTable, counts: &[u64], decks: u64) -> Vec<Outcome> {
        let players = table.players();
        let points = vec![1.0 / players as f64; players];
        let mut outcomes = Vec::new();
        for ((own, (seat, shape)), share) in counts.chunks(players + 1).zip(NAMES).zip(SHARES) {
            let seats = &own[..players];
            let won = parts::sum(seats);
            outcomes.push(parts::deepest_cell(seat, seats, &points, won));
            // How many decks have a winner is chance; whether there is a part must not be.
            let fewest = Cells {
                observed: seats.to_vec(),
                expected: vec![decks as f64 * share / players as f64; players],
            };
            if fewest.is_smooth() && fewest.expected[0] >= EXPECTATION_MIN {
                outcomes.push(Outcome::pearson(shape, &Cells::uniform(seats)));
            }
        }
        outcomes
    }
}

/// The other decks are those without one winner.
fn count_winners(seats: &Row, decks: usize, counts: &mut [u64]) {
    let (ties, own) = counts.split_last_mut().expect("shared decks have a cell");
    let won = |own: &[u64]| own.iter().sum::<u64>();
    let before = won(own);
    count_row(seats, own);
    *ties += decks as u64 - (won(own) - before);
}

/// The seat with the best low, [`NOTHING`] where there is none or more than one.
#[multiversion(targets("x86_64+avx2", "aarch64+neon"))]
fn best_low(low: &[Row; SEATS_MAX], players: usize, best: &mut Row) {
    let mut lowest = [0u8; BLOCK_HANDS];
    for (seat, row) in (0u8..).zip(&low[..players]) {
        for lane in 0..BLOCK_HANDS {
            let own = if row[lane] == NOTHING { 0 } else { row[lane] };
            let alone = if own == lowest[lane] { NOTHING } else { best[lane] };
            best[lane] = if own > lowest[lane] { seat } else { alone };
            lowest[lane] = lowest[lane].max(own);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shared_or_missing_low_has_no_winner() {
        let mut low = [[NOTHING; BLOCK_HANDS]; SEATS_MAX];
        let lanes: [[u8; 3]; 6] = [[0, 0, 0], [0, 7, 0], [7, 0, 7], [7, 7, 8], [9, 7, 7], [7, 7, 0]];
        for (lane, lows) in lanes.iter().enumerate() {
            (0..3).for_each(|seat| low[seat][lane] = lows[seat]);
        }
        let mut best = [NOTHING; BLOCK_HANDS];
        best_low(&low, 3, &mut best);
        assert_eq!(best[..7], [NOTHING, 1, NOTHING, 2, 0, NOTHING, NOTHING]);
        let mut counts = [0; 4];
        count_winners(&best, 6, &mut counts);
        assert_eq!(counts, [1, 1, 1, 3]);
    }
}
