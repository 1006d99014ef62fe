//! Places at the showdown: from best to worst of all seats, ties broken by a hash of the deck.
//!
//! Null: the places of a deck are a uniform permutation of its seats, so that seat × place is a table like card ×
//! place: `((n−1)/n)·Σ(O−E)²/E` is χ² with (n−1)² degrees of freedom, mean exactly that. Parts: `total`; `cell`,
//! the deepest cell, each Bin(N, 1/n), exact; two seats are one number.

use multiversion::multiversion;

use crate::battery::nulls::table::{common_margin, quadratic};
use crate::battery::outcome::Outcome;
use crate::battery::statistic::{About, Design};
use crate::battery::stud::HandStatistic;
use crate::battery::stud::deals::{Deals, Hands, NOTHING, count_row};
use crate::battery::stud::parts;
use crate::battery::stud::table::{SEATS_MAX, StudTable};
use crate::battery::tier::Tier;
use crate::math::gamma::ln_factorial;
use crate::math::lattice;
use crate::math::multinomial::EXPECTATION_MIN;
use deckproof_deck::card::DECK_CARDS;
use deckproof_deck::deck::block::{BLOCK_HANDS, DeckBlock, Row};

pub(super) struct Place;

pub(super) const ABOUT: About = About {
    id: "place",
    version: 2,
    tier: Tier::Stud,
    title: "place at the showdown by seat",
    null: "Every seat is as often best, second, … and last.",
    source: "a uniform permutation of the seats: ((n−1)/n)·Σ(O−E)²/E ~ χ²((n−1)²), exact mean; cell: exact binomials, \
             Bonferroni (1936); ties of strength by a hash of the deck's order",
    detects: "A favoured seat, and one that is bled without losing outright.",
    decks_min: 1,
    design: Design { parts: 2, family: Some("winner"), ..Design::OF_DECKS },
};

/// Largest probability of one table for χ² to be trusted in its lower tail at a level of 0.001.
const ATOM_MAX: f64 = 2e-4;

impl HandStatistic for Place {
    fn cells(&self, table: &StudTable) -> usize {
        table.players() * table.players()
    }

    /// `counts[n·seat + place]`, the best place 0.
    fn observe(&self, deals: &Deals, counts: &mut [u64]) {
        let players = deals.table.players();
        for (block, hands) in deals.iter() {
            let mut places = places_of(players, block, hands);
            places.iter_mut().for_each(|row| row[block.hands()..].fill(NOTHING));
            for (row, own) in places.iter().zip(counts.chunks_mut(players)) {
                count_row(row, own);
            }
        }
    }

    fn decks_in(&self, table: &StudTable, counts: &[u64]) -> Option<u64> {
        common_margin(counts, table.players())
    }

    fn outcomes(&self, table: &StudTable, counts: &[u64], decks: u64) -> Vec<Outcome> {
        let players = table.players();
        let n = players as f64;
        if players == 2 {
            return vec![parts::share("cell", "decks", counts[0], decks, 0.5)];
        }
        let points = vec![1.0 / n; counts.len()];
        let mut outcomes = vec![parts::deepest_cell("cell", counts, &points, decks)];
        let expected = decks as f64 / n;
        let freedom = (n - 1.0) * (n - 1.0);
        let spread = expected * n / (n - 1.0);
        let ln_covolume = lattice::ln_covolume_of_tables(players, players);
        if expected >= EXPECTATION_MIN
            && lattice::ln_point(freedom, ln_covolume, spread, 0.0) <= libm::log(ATOM_MAX)
        {
            let squares: f64 = counts.iter().map(|&count| (count as f64 - expected).powi(2)).sum();
            let outcome = quadratic("total", squares / spread, freedom, expected);
            // Equal counts make the score 0, which χ² never takes and whole numbers do.
            let p_value = outcome.p_value.max(2.0 * most_even(players, decks)).min(1.0);
            outcomes.push(Outcome { p_value, ..outcome });
        }
        outcomes
    }
}

/// How likely a table is whose cells differ by no more than one: rows and columns of `n` cells have `r` larger ones, in
/// about `C(n, r)^{2n}/C(n², nr)` ways (Good & Crook 1977, "The enumeration of arrays", a little too many).
fn most_even(players: usize, decks: u64) -> f64 {
    let n = players as u64;
    let over = decks % n;
    let ln_choose = |n: u64, k: u64| ln_factorial(n) - ln_factorial(k) - ln_factorial(n - k);
    let ways = 2.0 * n as f64 * ln_choose(n, over) - ln_choose(n * n, n * over);
    let spread = decks as f64 / (n - 1) as f64;
    let squares = (over * (n - over)) as f64;
    let freedom = ((n - 1) * (n - 1)) as f64;
    let ln_covolume = lattice::ln_covolume_of_tables(players, players);
    libm::exp(ways + lattice::ln_point(freedom, ln_covolume, spread, squares)).min(1.0)
}

pub(super) fn places_of(players: usize, block: &DeckBlock, hands: &Hands) -> [Row; SEATS_MAX] {
    let mut hash = [0; BLOCK_HANDS];
    hash_rows(block.rows(), &mut hash);
    let mut priority = [[0; BLOCK_HANDS]; SEATS_MAX];
    let mut places = [[0; BLOCK_HANDS]; SEATS_MAX];
    priorities(players, &hash, &mut priority);
    rank_seats(&hands.high[..players], &priority, &mut places);
    places
}

/// 32 bits of the order of a deck.
#[multiversion(targets("x86_64+avx2", "aarch64+neon"))]
fn hash_rows(rows: &[Row; DECK_CARDS], hash: &mut [u32; BLOCK_HANDS]) {
    for row in rows {
        for (hash, &card) in hash.iter_mut().zip(row) {
            // Fowler, Noll & Vo (RFC 9923): xor a byte in, times the 32-bit FNV prime.
            *hash = (*hash ^ u32::from(card)).wrapping_mul(16_777_619);
        }
    }
    for hash in hash.iter_mut() {
        // The finish of MurmurHash3 (Appleby 2008), so that every bit hangs on every card.
        *hash ^= *hash >> 16;
        *hash = hash.wrapping_mul(0x85eb_ca6b);
        *hash ^= *hash >> 13;
        *hash = hash.wrapping_mul(0xc2b2_ae35);
        *hash ^= *hash >> 16;
    }
}

/// Round the table from a seat and in a direction that the hash says: of two seats either comes first as often.
#[multiversion(targets("x86_64+avx2", "aarch64+neon"))]
fn priorities(players: usize, hash: &[u32; BLOCK_HANDS], priority: &mut [[u32; BLOCK_HANDS]; SEATS_MAX]) {
    let players = players as u32;
    for (seat, row) in (0..players).zip(priority) {
        for (own, &hash) in row.iter_mut().zip(hash) {
            let start = ((hash >> 16) * players) >> 16;
            let step = if hash & 1 == 1 { seat } else { players - seat };
            let sum = start + step;
            *own = if sum >= players { sum - players } else { sum };
        }
    }
}

#[multiversion(targets("x86_64+avx2", "aarch64+neon"))]
fn rank_seats(
    high: &[[u32; BLOCK_HANDS]],
    priority: &[[u32; BLOCK_HANDS]; SEATS_MAX],
    places: &mut [Row; SEATS_MAX],
) {
    for seat in 1..high.len() {
        for other in 0..seat {
            for lane in 0..BLOCK_HANDS {
                let (own, rival) = (high[seat][lane], high[other][lane]);
                let is_first = priority[seat][lane] < priority[other][lane];
                let loses = (own < rival) | ((own == rival) & !is_first);
                places[seat][lane] += u8::from(loses);
                places[other][lane] += u8::from(!loses);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::battery::stud::sample;

    /// Three seats: equal cells need the three even orders equally often, x times, and the odd ones N/3 − x times.
    #[test]
    fn a_table_of_equal_cells_is_as_rare_as_all_ways_to_it_make_it() {
        for decks in (102..=3_000u64).step_by(3).chain([30_000]) {
            let third = decks / 3;
            let ways = |x: u64| {
                let ln = ln_factorial(decks) - 3.0 * (ln_factorial(x) + ln_factorial(third - x));
                libm::exp(ln - decks as f64 * libm::log(6f64))
            };
            let exact: f64 = (0..=third).map(ways).sum();
            let table = StudTable::all().iter().find(|table| table.players() == 3).expect("three can play");
            let outcomes = Place.outcomes(table, &[third; 9], decks);
            let total = outcomes.iter().find(|outcome| outcome.part == "total").expect("102 decks feed it");
            assert!(
                (total.p_value / (2.0 * exact) - 1.0).abs() < 0.02,
                "{decks}: {:e} {exact:e}",
                total.p_value
            );
        }
    }

    #[test]
    fn places_are_a_permutation_in_the_order_of_strength() {
        for (table, block) in StudTable::all().iter().zip(sample::blocks(13, 21)) {
            let hands = Hands::of_block(table, &block);
            let places = places_of(table.players(), &block, &hands);
            let check = |lane: usize| {
                let mut seats: Vec<usize> = (0..table.players()).collect();
                seats.sort_by_key(|&seat| places[seat][lane]);
                let in_order: Vec<u8> = seats.iter().map(|&seat| places[seat][lane]).collect();
                assert_eq!(in_order, (0..table.players() as u8).collect::<Vec<_>>());
                assert!(seats.windows(2).all(|pair| hands.high[pair[0]][lane] >= hands.high[pair[1]][lane]));
            };
            (0..BLOCK_HANDS).for_each(check);
        }
    }

    /// All hands alike, so that the hash alone decides: every seat must have every place as often.
    #[test]
    fn ties_favour_nobody() {
        let players = 3;
        let mut hands = Hands::of_block(&StudTable::all()[0], &DeckBlock::default());
        hands.high = [[7; BLOCK_HANDS]; SEATS_MAX];
        let mut counts = [[0u32; 3]; 3];
        let mut first = [[0u32; 3]; 3];
        for block in sample::blocks(17, 600) {
            let places = places_of(players, &block, &hands);
            let in_lane = |lane: usize| -> [u8; 3] { std::array::from_fn(|seat| places[seat][lane]) };
            for places in (0..BLOCK_HANDS).map(in_lane) {
                for (seat, &own) in places.iter().enumerate() {
                    counts[seat][usize::from(own)] += 1;
                    for (rival, first) in places.iter().zip(&mut first[seat]) {
                        *first += u32::from(own < *rival);
                    }
                }
            }
        }
        // 38,400 decks: 12,800 ± 92 in each cell, 19,200 ± 98 for each pair; five deviations.
        assert!(counts.iter().flatten().all(|count| count.abs_diff(12_800) < 460), "{counts:?}");
        let pairs = (0..players).flat_map(|seat| (0..seat).map(move |other| (seat, other)));
        assert!(
            pairs.into_iter().all(|(seat, other)| first[seat][other].abs_diff(19_200) < 490),
            "{first:?}"
        );
    }
}
