//! Who brings it in, and with which card: the lowest door card, ties by suit.
//!
//! Null: the bring-in is at every seat alike, and is card i (2c = 0 to As = 51) with probability C(51−i, n−1)/C(52,
//! n), exact. Parts: `seat`, the deepest seat, exact; `seat-shape`, χ² over seats; `card-histogram`, `card-mean`,
//! `card-extreme` of the card.

use std::sync::OnceLock;

use multiversion::multiversion;

use crate::battery::lists::{DeckAnswer, List, seat};
use crate::battery::nulls::histogram::{self, Names, names};
use crate::battery::outcome::Outcome;
use crate::battery::statistic::{About, Design};
use crate::battery::stud::deals::Deals;
use crate::battery::stud::table::{SEATS_MAX, StudTable};
use crate::battery::stud::{HandStatistic, parts};
use crate::battery::tier::Tier;
use crate::math::distribution::Distribution;
use deckproof_deck::card::DECK_CARDS;
use deckproof_deck::deck::block::{BLOCK_HANDS, DeckBlock, Row};

pub(super) struct BringIn;

pub(super) const ABOUT: About = About {
    id: "bring-in",
    version: 3,
    tier: Tier::Stud,
    title: "bring-in by seat and card",
    null: "Every seat brings it in as often, and with the lowest of so many cards.",
    source: "seat: exact binomials, Bonferroni (1936), and Pearson (1900) χ², bound by Agrawal (2020); card: \
             C(51−i, n−1)/C(52, n), mean by saddle point (Lugannani & Rice 1980), bound by Chernoff (1952)",
    detects: "Dealers that dodge the bring-in for a seat; door cards too high or too low.",
    decks_min: 1,
    design: Design { parts: 5, ..Design::OF_DECKS },
};

const NAMES: Names = names!("card", "card that brings it in, from the two of clubs up");

/// Which card of a hand is the door.
pub(super) const DOOR: usize = 2;

impl HandStatistic for BringIn {
    fn cells(&self, table: &StudTable) -> usize {
        table.players() * DECK_CARDS
    }

    /// `counts[52·seat + card]`.
    fn observe(&self, deals: &Deals, counts: &mut [u64]) {
        for block in deals.blocks {
            let (mut seats, mut cards) = ([0; BLOCK_HANDS], [0; BLOCK_HANDS]);
            lowest_door(deals.table, block, &mut seats, &mut cards);
            for (seat, card) in seats.iter().zip(&cards).take(block.hands()) {
                counts[usize::from(*seat) * DECK_CARDS + usize::from(*card)] += 1;
            }
        }
    }

    fn lists(&self, table: &StudTable) -> Vec<List> {
        let of_seat = |at: usize| DeckAnswer {
            words: seat(at),
            cells: (DECK_CARDS * at..DECK_CARDS * (at + 1)).collect(),
        };
        let answers = (0..table.players()).map(of_seat).collect();
        vec![List { name: "third street is brought in".to_owned(), answers }]
    }

    fn outcomes(&self, table: &StudTable, counts: &[u64], decks: u64) -> Vec<Outcome> {
        let distribution = card_distribution(table.players());
        let seats: Vec<u64> = counts.chunks(DECK_CARDS).map(parts::sum).collect();
        let of_card = |card: usize| parts::sum(counts.iter().skip(card).step_by(DECK_CARDS));
        // Higher cards are never the lowest of so many.
        let cards: Vec<u64> = (0..distribution.points().len()).map(of_card).collect();
        let points = vec![1.0 / seats.len() as f64; seats.len()];
        let mut outcomes = vec![parts::deepest_cell("seat", &seats, &points, decks)];
        outcomes.extend(parts::shape("seat-shape", &seats, &points));
        outcomes.extend(histogram::outcomes(distribution, &cards, &NAMES));
        outcomes
    }
}

fn lowest_door(table: &StudTable, block: &DeckBlock, seats: &mut Row, cards: &mut Row) {
    *cards = *block.row(usize::from(table.places(0)[DOOR]));
    for seat in 1..table.players() {
        lower(seat as u8, block.row(usize::from(table.places(seat)[DOOR])), seats, cards);
    }
}

#[multiversion(targets("x86_64+avx2", "aarch64+neon"))]
fn lower(seat: u8, doors: &Row, seats: &mut Row, cards: &mut Row) {
    for (door, (held, card)) in doors.iter().zip(seats.iter_mut().zip(cards.iter_mut())) {
        *held = if door < card { seat } else { *held };
        *card = (*card).min(*door);
    }
}

/// `C(51 − i, n − 1)/C(52, n)`: each card is less likely than the one before by `(52 − i − n)/(51 − i)`.
fn card_distribution(players: usize) -> &'static Distribution {
    static DISTRIBUTIONS: [OnceLock<Distribution>; SEATS_MAX + 1] =
        [const { OnceLock::new() }; SEATS_MAX + 1];
    DISTRIBUTIONS[players].get_or_init(|| {
        let mut point = players as f64 / DECK_CARDS as f64;
        let next = |card: usize| {
            let here = point;
            point *= (DECK_CARDS - card - players) as f64 / (DECK_CARDS - 1 - card).max(1) as f64;
            here
        };
        Distribution::new(0, (0..=DECK_CARDS - players).map(next).collect())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::battery::stud::sample;
    use deckproof_deck::card::Card;
    use deckproof_stud::stud::board::lowest_card;

    /// The project's exact table, made by an independent program.
    #[test]
    fn cards_have_the_exact_probabilities() {
        for row in sample::rows(include_str!("../../../../../fixtures/rank/bring_in_card.csv")) {
            let card: Card = row[0].parse().expect("a card");
            for (players, count) in (2usize..).zip(&row[1..]) {
                let count: f64 = count.parse().expect("a count");
                let sets: f64 = (0..players).map(|i| (52 - i) as f64 / (i + 1) as f64).product();
                let found = card_distribution(players).point(u64::from(card.index()));
                assert!((found - count / sets).abs() < 1e-15, "{card} of {players}: {found}");
            }
        }
    }

    #[test]
    fn lanes_agree_with_the_rules() {
        for (table, block) in StudTable::all().iter().zip(sample::blocks(9, 21)) {
            let (mut seats, mut cards) = ([0; BLOCK_HANDS], [0; BLOCK_HANDS]);
            lowest_door(table, &block, &mut seats, &mut cards);
            for lane in 0..BLOCK_HANDS {
                let door =
                    |seat: usize| Card::from_index(block.row(usize::from(table.places(seat)[DOOR]))[lane]);
                let doors: Vec<Card> = (0..table.players()).filter_map(door).collect();
                let seat = lowest_card(&doors).expect("seats are there");
                assert_eq!((usize::from(seats[lane]), cards[lane]), (seat, doors[seat].index()));
            }
        }
    }
}
