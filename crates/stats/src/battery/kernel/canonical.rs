//! Canonical forms: one deck of every class of decks that count as the same.

use multiversion::multiversion;

use crate::battery::kernel::mask;
use deckproof_deck::card::DECK_CARDS;
use deckproof_deck::deck::block::{BLOCK_HANDS, DeckBlock, Row};
use deckproof_deck::deck::inverse::inverse;

/// Fills `out` with every deck cut so that card 0 lies on top, and turned over around it where its neighbour
/// on the other side is the lower one: the same deck for all 52 cuts of a deck and of its reversal, which
/// are 104 different ones.
pub fn turned(block: &DeckBlock, out: &mut DeckBlock) {
    out.fill(block.hands(), |rows| turn(block.rows(), rows));
}

/// Fills `out` with every deck or its inverse `v[c[p]] = p`, whichever comes first in lexicographic order.
pub fn equal_or_inverse(block: &DeckBlock, out: &mut DeckBlock) {
    let mut inverses = DeckBlock::default();
    inverse(block, &mut inverses);
    out.fill(block.hands(), |rows| first_of(block.rows(), inverses.rows(), rows));
}

/// A cut by up to 51 cards as six cuts by 1, 2, 4, … in the lanes that want them.
#[multiversion(targets("x86_64+avx2", "aarch64+neon"))]
fn turn(cards: &[Row; DECK_CARDS], out: &mut [Row; DECK_CARDS]) {
    let mut top = [0; BLOCK_HANDS];
    for (row, place) in cards.iter().zip(0u8..) {
        for lane in 0..BLOCK_HANDS {
            top[lane] |= place & mask(row[lane] == 0);
        }
    }
    *out = *cards;
    for bit in 0..6 {
        let (uncut, is_cut) = (*out, top.map(|place| mask(place >> bit & 1 == 1)));
        for (row, place) in out.iter_mut().zip(0..) {
            choose(row, &uncut[place], &uncut[(place + (1 << bit)) % DECK_CARDS], &is_cut);
        }
    }
    let is_turned: Row = std::array::from_fn(|lane| mask(out[DECK_CARDS - 1][lane] < out[1][lane]));
    // Place 0 stays, and place 26 is its own mirror.
    for place in 1..DECK_CARDS / 2 {
        let (front, back) = (out[place], out[DECK_CARDS - place]);
        choose(&mut out[place], &front, &back, &is_turned);
        choose(&mut out[DECK_CARDS - place], &back, &front, &is_turned);
    }
}

#[multiversion(targets("x86_64+avx2", "aarch64+neon"))]
fn first_of(decks: &[Row; DECK_CARDS], others: &[Row; DECK_CARDS], out: &mut [Row; DECK_CARDS]) {
    let (mut is_open, mut is_other) = ([u8::MAX; BLOCK_HANDS], [0; BLOCK_HANDS]);
    for (deck, other) in decks.iter().zip(others) {
        for lane in 0..BLOCK_HANDS {
            is_other[lane] |= is_open[lane] & mask(other[lane] < deck[lane]);
            is_open[lane] &= mask(other[lane] == deck[lane]);
        }
    }
    for (row, (deck, other)) in out.iter_mut().zip(decks.iter().zip(others)) {
        choose(row, deck, other, &is_other);
    }
}

/// The second row in the lanes of the mask, the first elsewhere.
#[inline(always)]
fn choose(row: &mut Row, first: &Row, second: &Row, is_second: &Row) {
    for lane in 0..BLOCK_HANDS {
        row[lane] = first[lane] & !is_second[lane] | second[lane] & is_second[lane];
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::battery::kernel::sample::{SIZES, blocks};
    use crate::battery::walk::Order;
    use deckproof_deck::deck::Deck;
    use deckproof_deck::deck::inverse_of;

    /// Every deck's form, by a kernel, is the one that the definition finds.
    fn check(kernel: fn(&DeckBlock, &mut DeckBlock), definition: fn(&Order) -> Order) {
        for (number, hands_last) in SIZES {
            for block in &blocks(number, hands_last) {
                let mut out = DeckBlock::default();
                out.push(&Deck::in_order());
                kernel(block, &mut out);
                assert_eq!(out.hands(), block.hands());
                for lane in 0..block.hands() {
                    let wanted = definition(block.deck(lane).indices());
                    assert_eq!(out.deck(lane).indices(), &wanted, "lane {lane}");
                }
            }
        }
    }

    /// All 104 turns of a deck.
    fn turns(order: &Order) -> impl Iterator<Item = Order> + use<> {
        let (order, mut reversed) = (*order, *order);
        reversed.reverse();
        let cut = |mut order: Order, places| {
            order.rotate_left(places);
            order
        };
        [order, reversed].into_iter().flat_map(move |order| (0..DECK_CARDS).map(move |n| cut(order, n)))
    }

    #[test]
    fn a_turned_deck_is_the_first_of_its_104_turns() {
        // With card 0 on top, the lower neighbour next comes first in lexicographic order.
        check(turned, |order| turns(order).min().expect("there are 104"));
    }

    #[test]
    fn a_deck_or_its_inverse_comes_first() {
        check(equal_or_inverse, |order| inverse_of(order).min(*order));
    }

    #[test]
    fn all_turns_of_a_deck_and_both_inverses_have_one_form() {
        let deck = blocks(1, 1)[0].deck(0);
        let form = |kernel: fn(&DeckBlock, &mut DeckBlock), order: &Order| {
            let (mut block, mut out) = (DeckBlock::default(), DeckBlock::default());
            block.push(&Deck::try_from(&order[..]).expect("a permutation"));
            kernel(&block, &mut out);
            out.deck(0)
        };
        assert!(turns(deck.indices()).all(|turn| form(turned, &turn) == form(turned, deck.indices())));
        let inverse = inverse_of(deck.indices());
        assert_eq!(form(equal_or_inverse, &inverse), form(equal_or_inverse, deck.indices()));
        assert_ne!(form(turned, &inverse), form(turned, deck.indices()));
        // An involution is alone.
        let mut swapped = *Deck::in_order().indices();
        swapped.swap(3, 40);
        assert_eq!(form(equal_or_inverse, &swapped).indices(), &swapped);
    }
}
