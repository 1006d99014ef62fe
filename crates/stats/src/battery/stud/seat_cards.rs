//! The cards of a seat, whatever their order.
//!
//! Null: every card is as often in a hand. A deck gives a seat seven different cards, which vary less than
//! independent draws: `(51/45)·Σ(O−E)²/E` of a seat is χ²(51), 51/46 for six cards; of all m cards dealt,
//! `(51/(52−m))·Σ(O−E)²/E` is χ²(51); all seats and the cards nobody holds together, `(51/52)·Σ(O−E)²/E` is
//! χ²(51·n). Parts: `total`; `dealt`; `each-seat`, the worst seat; `cell`, the deepest card of a seat, each Bin(N,
//! 7/52), exact.

use crate::battery::kernel;
use crate::battery::nulls::table::{common_margin, equal_cells, most_extreme_cell, quadratic};
use crate::battery::outcome::{Outcome, Spread};
use crate::battery::statistic::{About, Design};
use crate::battery::stud::HandStatistic;
use crate::battery::stud::deals::Deals;
use crate::battery::stud::table::StudTable;
use crate::battery::tier::Tier;
use crate::math::bonferroni;
use crate::math::lattice::EqualCells;
use crate::math::multinomial::EXPECTATION_MIN;
use deckproof_deck::card::DECK_CARDS;

pub(super) struct SeatCards;

pub(super) const ABOUT: About = About {
    id: "seat-cards",
    version: 2,
    tier: Tier::Stud,
    title: "cards of a seat",
    null: "Every card is as often in every seat's hand.",
    source: "each-seat, dealt: (51/(52−m))·Σ(O−E)²/E ~ χ²(51) of m cards, Bonferroni (1936) over seats; total: \
             (51/52)·Σ(O−E)²/E ~ χ²(51·n), exact mean; cell: exact binomials, Bonferroni (1936)",
    detects: "Cards that seek or shun a seat: an ace that is dealt to a friend.",
    decks_min: 1,
    design: Design { parts: 4, ..Design::OF_DECKS },
};

impl HandStatistic for SeatCards {
    fn cells(&self, _: &StudTable) -> usize {
        DECK_CARDS * DECK_CARDS
    }

    /// `counts[52·card + place]`: which seat holds a place is known without counting.
    fn observe(&self, deals: &Deals, counts: &mut [u64]) {
        kernel::card_place::card_place(deals.blocks, counts);
    }

    fn decks_in(&self, _: &StudTable, counts: &[u64]) -> Option<u64> {
        common_margin(counts, DECK_CARDS)
    }

    fn outcomes(&self, table: &StudTable, counts: &[u64], decks: u64) -> Vec<Outcome> {
        let held = |places: &[u8]| -> Vec<u64> {
            let of_card = |row: &[u64]| {
                places.iter().map(|&place| row[usize::from(place)]).fold(0, u64::saturating_add)
            };
            counts.chunks(DECK_CARDS).map(of_card).collect()
        };
        let seats: Vec<Vec<u64>> = (0..table.players()).map(|seat| held(table.places(seat))).collect();
        let n = decks as f64;
        let p = table.cards() as f64 / DECK_CARDS as f64;
        let mut outcomes = vec![most_extreme_cell("cell", seats.iter().flatten().copied(), decks, p)];
        if n * p >= EXPECTATION_MIN {
            outcomes.extend(each_seat(table, &seats, n * p));
        }
        outcomes.extend(dealt(table, &held, n));
        outcomes.extend(total(table, &held, n));
        outcomes
    }
}

/// `Σ (O − E)²/E`.
fn pearson(counts: &[u64], expected: f64) -> f64 {
    counts.iter().map(|&count| (count as f64 - expected).powi(2)).sum::<f64>() / expected
}

/// `51/(52 − m)`: m different cards vary less than m independent draws.
fn factor(cards: usize) -> f64 {
    (DECK_CARDS - 1) as f64 / (DECK_CARDS - cards) as f64
}

/// All cards that lie in some hand.
fn dealt(table: &StudTable, held: &impl Fn(&[u8]) -> Vec<u64>, decks: f64) -> Option<Outcome> {
    let cards = table.cards_dealt();
    let in_hand = |place: &u8| (0..table.players()).any(|seat| table.places(seat).contains(place));
    let places: Vec<u8> = (0..DECK_CARDS as u8).filter(in_hand).collect();
    debug_assert_eq!(places.len(), cards, "every place is held once, the shared river too");
    let expected = |cards: usize| decks * cards as f64 / DECK_CARDS as f64;
    // The few cards left over vary as much as those dealt: both must be many.
    let fewer = expected(cards.min(DECK_CARDS - cards));
    if fewer < EXPECTATION_MIN {
        return None;
    }
    let dealt = expected(cards);
    let cells =
        EqualCells { cells: DECK_CARDS, total: decks as u64 * cards as u64, spread: dealt / factor(cards) };
    Some(equal_cells("dealt", &cells, dealt * pearson(&held(&places), dealt), fewer))
}

fn each_seat(table: &StudTable, seats: &[Vec<u64>], expected: f64) -> Option<Outcome> {
    let scored = seats.iter().map(|own| {
        let spread = expected / factor(table.cards());
        let cells = EqualCells { cells: DECK_CARDS, total: own.iter().sum(), spread };
        equal_cells("each-seat", &cells, expected * pearson(own, expected), expected)
    });
    let worst = scored.min_by(|a, b| a.p_value.total_cmp(&b.p_value))?;
    let p_value = bonferroni(seats.len() as f64, worst.p_value);
    Some(Outcome { p_value, spread: Spread::Conservative, ..worst })
}

/// A deck puts every card into exactly one of the hands or the rest, of 7, 7, …, and what is left of its places.
fn total(table: &StudTable, held: &impl Fn(&[u8]) -> Vec<u64>, decks: f64) -> Option<Outcome> {
    let cards = DECK_CARDS as f64;
    let mut groups: Vec<Vec<u8>> =
        (0..table.players()).map(|seat| table.places(seat)[..table.own_cards()].to_vec()).collect();
    let rest = (0..DECK_CARDS as u8).filter(|place| groups.iter().all(|group| !group.contains(place)));
    let rest: Vec<u8> = rest.collect();
    groups.push(rest);
    let expected = |group: &[u8]| decks * group.len() as f64 / cards;
    let smallest = groups.iter().map(|group| expected(group)).fold(f64::INFINITY, f64::min);
    if smallest < EXPECTATION_MIN {
        return None;
    }
    let squares: f64 = groups.iter().map(|group| pearson(&held(group), expected(group))).sum();
    let freedom = (cards - 1.0) * table.players() as f64;
    Some(quadratic("total", (cards - 1.0) / cards * squares, freedom, smallest))
}
