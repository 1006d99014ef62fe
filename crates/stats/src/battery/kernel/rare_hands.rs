//! Rare hands of seven seats: whether any seat holds rolled-up trips, four of a kind or a royal flush.

use multiversion::multiversion;

use crate::battery::kernel::mask;
use deckproof_deck::card::DECK_CARDS;
use deckproof_deck::deck::block::{BLOCK_HANDS, Row};

/// Seats that are dealt, seven cards each.
pub const SEATS: usize = 7;

/// Cards of a seat.
const CARDS: usize = 7;

/// A kind of rare hand, looked for in the deck of every lane: 1 if any seat holds it; of no meaning where a lane
/// is empty.
pub type Rare = fn(&[Row; DECK_CARDS]) -> Row;

/// Three cards of one rank on third street.
#[multiversion(targets("x86_64+avx2", "aarch64+neon"))]
pub fn rolled_up(rows: &[Row; DECK_CARDS]) -> Row {
    let mut found: Row = [0; BLOCK_HANDS];
    for seat in 0..SEATS {
        let [first, second, third] = [seat, seat + SEATS, seat + 2 * SEATS].map(|place| &rows[place]);
        for lane in 0..BLOCK_HANDS {
            let differ = (first[lane] ^ second[lane] | first[lane] ^ third[lane]) & 0xfc;
            found[lane] |= mask(differ == 0) & 1;
        }
    }
    found
}

/// Four cards of one rank among seven.
#[multiversion(targets("x86_64+avx2", "aarch64+neon"))]
pub fn quads(rows: &[Row; DECK_CARDS]) -> Row {
    let mut found: Row = [0; BLOCK_HANDS];
    for seat in 0..SEATS {
        for rank in 0..13 {
            holds(&mut found, rows, seat, 4, |card| card & 0xfc == 4 * rank);
        }
    }
    found
}

/// Ten, jack, queen, king and ace of one suit among seven.
#[multiversion(targets("x86_64+avx2", "aarch64+neon"))]
pub fn royal(rows: &[Row; DECK_CARDS]) -> Row {
    let mut found: Row = [0; BLOCK_HANDS];
    for seat in 0..SEATS {
        for suit in 0..4 {
            // The ranks 8 to 12.
            holds(&mut found, rows, seat, 5, |card| card as i8 > 31 && card & 3 == suit);
        }
    }
    found
}

/// Marks the lanes whose seat holds so many of some cards.
#[inline(always)]
fn holds(found: &mut Row, rows: &[Row; DECK_CARDS], seat: usize, wanted: u8, is_one: impl Fn(u8) -> bool) {
    let mut held: Row = [0; BLOCK_HANDS];
    for round in 0..CARDS {
        let row = &rows[seat + SEATS * round];
        for lane in 0..BLOCK_HANDS {
            held[lane] = held[lane].wrapping_sub(mask(is_one(row[lane])));
        }
    }
    for lane in 0..BLOCK_HANDS {
        found[lane] |= mask(held[lane] == wanted) & 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::battery::kernel::sample::check_numbers;
    use deckproof_deck::card::Card;
    use deckproof_deck::deck::Deck;
    use deckproof_deck::deck::block::DeckBlock;
    use deckproof_stud::stud::card_set::CardSet;
    use deckproof_stud::stud::rank::{Category, High};

    fn seat_of(cards: &[u8; 52], seat: usize, rounds: usize) -> Vec<Card> {
        (0..rounds).filter_map(|round| Card::from_index(cards[seat + 7 * round])).collect()
    }

    fn any(cards: &[u8; 52], category: Category) -> usize {
        let mut seats = (0..7).map(|seat| High::best(CardSet::of(&seat_of(cards, seat, 7))).category());
        usize::from(seats.any(|found| found == category))
    }

    #[test]
    fn rare_hands_are_those_of_ranking_every_seat() {
        check_numbers(rolled_up, |cards| {
            let is_one = |seat: Vec<Card>| seat.iter().all(|card| card.index() / 4 == seat[0].index() / 4);
            usize::from((0..7).any(|seat| is_one(seat_of(cards, seat, 3))))
        });
        check_numbers(quads, |cards| any(cards, Category::FourOfAKind));
        check_numbers(royal, |cards| any(cards, Category::RoyalFlush));
    }

    #[test]
    fn a_royal_flush_is_found_in_every_seat_and_suit_and_a_lower_one_is_not() {
        for (seat, suit) in (0..7).flat_map(|seat| (0..4).map(move |suit| (seat, suit))) {
            let mut block = DeckBlock::default();
            for lowest in [8, 7] {
                let mut deck = Deck::in_order();
                for (round, rank) in (2..7).zip(lowest..) {
                    let at = deck.indices().iter().position(|&card| card == 4 * rank + suit);
                    deck.swap(at.expect("a deck holds every card"), seat + 7 * round);
                }
                assert_eq!(any(deck.indices(), Category::RoyalFlush), usize::from(lowest == 8));
                block.push(&deck);
            }
            assert_eq!(royal(block.rows())[..2], [1, 0], "seat {seat}, suit {suit}");
        }
    }
}
