//! The first three cards: pairs, three to a flush or straight, low cards, and how the door card lies.
//!
//! Null: a seat's first three cards are one of 22,100 sets, its door any of the three, exact. Classes: rolled up; a
//! pair that the door shows half of (2/3 of pairs) or that is buried (1/3); three to a straight flush, flush,
//! straight; others; of the low cards ace to eight: three unpaired, three with a pair, two, fewer. Parts:
//! `each-seat`, χ² of the worst seat; `cell`, the deepest seat and class, exact; `classes`, all classes of one seat
//! a deck in turn; `split`, pairs that the door is part of, binomial; `paired-seats`, how many seats of a deck
//! start with a pair or better, by its exact distribution.

use std::sync::OnceLock;

use multiversion::multiversion;

use crate::battery::lists::List;
use crate::battery::nulls::histogram::{self, Names, names};
use crate::battery::outcome::Outcome;
use crate::battery::statistic::{About, Design, common_sum};
use crate::battery::stud::deals::{Deals, NOTHING, count_row};
use crate::battery::stud::distributions::paired_seats;
use crate::battery::stud::table::StudTable;
use crate::battery::stud::{HandStatistic, parts};
use crate::battery::tier::Tier;
use deckproof_deck::card::DECK_CARDS;
use deckproof_deck::deck::block::{BLOCK_HANDS, Row};

pub(super) struct StartingHand;

pub(super) const ABOUT: About = About {
    id: "starting-hand",
    version: 2,
    tier: Tier::Stud,
    title: "starting hands of three cards",
    null: "Every seat's first three cards are any three, and any of them is the door.",
    source: "exact counts of 22,100 sets; Pearson (1900) χ², bound by Agrawal (2020), Bonferroni (1936) over seats; cell: \
             exact binomials; split: Bin(pairs, 2/3); paired-seats: exact distribution of a deck's seats by recursion over ranks, \
             mean by saddle point (Lugannani & Rice 1980), bound by Chernoff (1952)",
    detects: "Action hands: too many or too few pairs to start with, at one seat or at all.",
    decks_min: 10,
    design: Design { parts: 7, ..Design::OF_DECKS },
};

const NAMES: Names = names!("paired-seats", "seats that start with a pair or trips");

/// Rolled up, split pair, buried pair, straight flush, flush, straight, other.
const SHAPES: usize = 7;

/// What people call them.
const SHAPE_WORDS: [&str; SHAPES] = [
    "three of a kind",
    "a split pair",
    "a buried pair",
    "three cards to a straight flush",
    "three cards to a flush",
    "three cards to a straight",
    "none of these",
];
const SPLIT: usize = 1;
const BURIED: usize = 2;

/// Three low cards with a pair, three unpaired, two different, fewer or two alike.
const LOW_KINDS: usize = 4;

/// The first low rank as the ace comes last, and how many low ranks there are.
const LOW_RANKS: u8 = 8;

impl HandStatistic for StartingHand {
    fn cells(&self, table: &StudTable) -> usize {
        table.players() * SHAPES + SHAPES * LOW_KINDS + table.players() + 1
    }

    /// `7·seat + shape`; `4·shape + low kind` of the seat in turn; decks by seats with a pair or trips.
    fn observe(&self, deals: &Deals, counts: &mut [u64]) {
        let table = deals.table;
        let (by_seat, rest) = counts.split_at_mut(table.players() * SHAPES);
        let (of_turn, paired) = rest.split_at_mut(SHAPES * LOW_KINDS);
        for (block, hands) in deals.iter() {
            let mut pairs = [0; BLOCK_HANDS];
            for (seat, own) in by_seat.chunks_mut(SHAPES).enumerate() {
                let row = |card: usize| block.row(usize::from(table.places(seat)[card]));
                let mut found = [0; BLOCK_HANDS];
                shapes([row(0), row(1), row(2)], &mut found);
                found[block.hands()..].fill(NOTHING);
                count_row(&found, own);
                pairs
                    .iter_mut()
                    .zip(&found)
                    .for_each(|(pairs, shape)| *pairs += u8::from(*shape <= BURIED as u8));
            }
            pairs[block.hands()..].fill(NOTHING);
            count_row(&pairs, paired);
            let [first, second, door, ..] = &hands.turn;
            let (mut shape, mut low) = ([0; BLOCK_HANDS], [0; BLOCK_HANDS]);
            shapes([first, second, door], &mut shape);
            low_kinds([first, second, door], &mut low);
            for (shape, low) in shape.iter().zip(&low).take(block.hands()) {
                of_turn[usize::from(*shape) * LOW_KINDS + usize::from(*low)] += 1;
            }
        }
    }

    fn decks_in(&self, table: &StudTable, counts: &[u64]) -> Option<u64> {
        let (by_seat, rest) = counts.split_at(table.players() * SHAPES);
        let (of_turn, paired) = rest.split_at(SHAPES * LOW_KINDS);
        common_sum(by_seat.chunks(SHAPES).chain([of_turn, paired]).map(|list| list.iter().copied()))
    }

    fn lists(&self, table: &StudTable) -> Vec<List> {
        let words = |shape: usize| SHAPE_WORDS[shape].to_owned();
        let of_seat = |seat: usize| {
            List::new(format!("seat {} starts with", seat + 1), SHAPES * seat..SHAPES * (seat + 1), words)
        };
        (0..table.players()).map(of_seat).collect()
    }

    fn outcomes(&self, table: &StudTable, counts: &[u64], decks: u64) -> Vec<Outcome> {
        let (by_seat, rest) = counts.split_at(table.players() * SHAPES);
        let (of_turn, paired) = rest.split_at(SHAPES * LOW_KINDS);
        let points: Vec<f64> = distribution().chunks(LOW_KINDS).map(|kinds| kinds.iter().sum()).collect();
        let lines: Vec<&[u64]> = by_seat.chunks(SHAPES).collect();
        let every: Vec<f64> = points.iter().copied().cycle().take(by_seat.len()).collect();
        let mut outcomes = vec![parts::deepest_cell("cell", by_seat, &every, decks)];
        outcomes.extend(parts::worst_of("each-seat", &lines, &points));
        outcomes.extend(parts::shape("classes", of_turn, distribution()));
        let of_shape = |shape: usize| of_turn[shape * LOW_KINDS..][..LOW_KINDS].iter().sum::<u64>();
        let (split, buried) = (of_shape(SPLIT), of_shape(BURIED));
        outcomes.push(parts::share("split", "pairs", split, split + buried, 2.0 / 3.0));
        outcomes.extend(histogram::outcomes(paired_seats(table.players(), 3), paired, &NAMES));
        outcomes
    }
}

/// The probability of each shape and low kind, over all sets of three and all doors.
fn distribution() -> &'static [f64] {
    static DISTRIBUTION: OnceLock<Vec<f64>> = OnceLock::new();
    DISTRIBUTION.get_or_init(|| {
        let mut counts = [0u32; SHAPES * LOW_KINDS];
        let cards = DECK_CARDS as u8;
        for door in 0..cards {
            for second in 0..cards {
                for first in (0..second).filter(|&first| first != door && second != door) {
                    let (shape, low) = (shape_of(first, second, door), low_kind_of(first, second, door));
                    counts[usize::from(shape) * LOW_KINDS + usize::from(low)] += 1;
                }
            }
        }
        parts::normalised(counts.map(f64::from))
    })
}

#[multiversion(targets("x86_64+avx2", "aarch64+neon"))]
fn shapes([first, second, door]: [&Row; 3], shapes: &mut Row) {
    for (lane, shape) in shapes.iter_mut().enumerate() {
        *shape = shape_of(first[lane], second[lane], door[lane]);
    }
}

#[multiversion(targets("x86_64+avx2", "aarch64+neon"))]
fn low_kinds([first, second, door]: [&Row; 3], kinds: &mut Row) {
    for (lane, kind) in kinds.iter_mut().enumerate() {
        *kind = low_kind_of(first[lane], second[lane], door[lane]);
    }
}

/// Two cards down and the door, as a number below [`SHAPES`].
#[inline(always)]
fn shape_of(first: u8, second: u8, door: u8) -> u8 {
    let [a, b, c] = [first >> 2, second >> 2, door >> 2];
    let (is_buried, is_split) = (a == b, (a == c) | (b == c));
    let is_flush = ((first ^ second) & 3 == 0) & ((first ^ door) & 3 == 0);
    let (high, low) = (a.max(b).max(c), a.min(b).min(c));
    let middle = a.wrapping_add(b).wrapping_add(c).wrapping_sub(high).wrapping_sub(low);
    // Neighbours, or ace, two, three.
    let is_run = ((high.wrapping_sub(low) == 2) & (middle.wrapping_sub(low) == 1))
        | ((high == 12) & (middle == 1) & (low == 0));
    let paired = if is_buried & is_split {
        0
    } else if is_split {
        SPLIT as u8
    } else {
        BURIED as u8
    };
    let unpaired = if is_flush & is_run {
        3
    } else if is_flush {
        4
    } else if is_run {
        5
    } else {
        6
    };
    if is_buried | is_split { paired } else { unpaired }
}

/// The cards of ace to eight, as a number below [`LOW_KINDS`].
#[inline(always)]
fn low_kind_of(first: u8, second: u8, door: u8) -> u8 {
    // The ace below the two.
    let rank = |card: u8| if card >> 2 == 12 { 0 } else { (card >> 2) + 1 };
    let [a, b, c] = [rank(first), rank(second), rank(door)];
    let [x, y, z] = [a, b, c].map(|rank| u8::from(rank < LOW_RANKS));
    let lows = x + y + z;
    let is_paired = (a == b) | (a == c) | (b == c);
    // Of two low cards only these can be alike.
    let is_low_pair = ((a == b) & (x == 1)) | ((a == c) & (x == 1)) | ((b == c) & (y == 1));
    if lows == 3 {
        u8::from(!is_paired)
    } else if (lows == 2) & !is_low_pair {
        2
    } else {
        3
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::battery::stud::sample::rows;

    /// The project's exact counts of three-card hands, made by an independent program.
    #[test]
    fn classes_have_the_exact_counts() {
        let of_shape = |shape: usize| distribution()[shape * LOW_KINDS..][..LOW_KINDS].iter().sum::<f64>();
        let of_low = |low: usize| distribution().iter().skip(low).step_by(LOW_KINDS).sum::<f64>();
        let mut checked = 0;
        for row in rows(include_str!("../../../../../fixtures/stud/start3_categories.csv")) {
            let found = match (row[0], row[1]) {
                ("shape", "trips_rolled_up") | ("door", "rolled_up") => of_shape(0),
                ("shape", "pair") => of_shape(SPLIT) + of_shape(BURIED),
                ("shape", "three_straight_flush") => of_shape(3),
                ("shape", "three_flush") => of_shape(4),
                ("shape", "three_straight") => of_shape(5),
                ("shape", "other") => of_shape(6),
                ("door", "split_pair") => of_shape(SPLIT),
                ("door", "buried_pair") => of_shape(BURIED),
                ("low8", "low_pair_or_trips") => of_low(0),
                ("low8", "three_low_unpaired") => of_low(1),
                ("low8", "two_low_distinct") => of_low(2),
                ("low8", "other") => of_low(3),
                _ => continue,
            };
            let [count, of] = [row[2], row[3]].map(|number| number.parse::<f64>().expect("a count"));
            assert!((found - count / of).abs() < 1e-14, "{row:?}: {found}");
            checked += 1;
        }
        assert_eq!(checked, 13);
    }
}
