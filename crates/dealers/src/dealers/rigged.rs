//! Fair decks with a thumb on the scale: what a cheat or a clever idea would do to them.

use crate::dealers::dice::Dice;
use crate::dealers::{CardOrder, Expected, Line};
use deckproof_deck::card::DECK_CARDS;

dealers! {
    Numbered("cell-plus-1", cell_plus_1).expected(Expected::Hidden("one cell of 2,704 off by 1 % of itself takes 20 to 40 million")):
        "The ace of spades lies on top 1 % more often than 1 in 52, by a swap one time in 5,100.";
    Numbered("seat-favoured", seat_favoured).expected(Expected::AtTable).with(20):
        "One time in 20 the first of seven seats gets the better of two deals: more of a rank, then higher cards, in its first three.";
    Numbered("bring-in-dodging", bring_in_dodging).with(2):
        "When the first of seven seats would have to bring it in, the deck is shuffled again, once, every second time.";
    Numbered("action-hands", action_hands).expected(Expected::AtTable).with(10):
        "One time in ten the dealer takes the deck of two that starts more of seven seats with a pair or trips.";
    Sequential("rationed-trips", rationed_trips).with(40):
        "No rolled-up trips at seven seats within 40 decks of the last ones: such a deck is shuffled again.";
    Numbered("pair-apart", pair_apart).with(5):
        "One time in five the two of diamonds lies 26 places from the two of clubs, where the card that lies there goes back for it.";
    Numbered("even-parity", even_parity):
        "Only even permutations: an odd deck has its top two cards exchanged.";
    Numbered("few-cycles", few_cycles).with(4):
        "One time in four the dealer takes the deck of two with fewer cycles, as more thoroughly mixed.";
    Numbered("too-even", too_even):
        "Decks 64 apart form squares of 52 in which every card visits every place once: counts that are too good.";
}

/// P = 1/52 + 51/52 · q = 1.01/52 for q = 0.01/51.
fn cell_plus_1(dice: &mut Dice, _: u32) -> CardOrder {
    let mut order = dice.fair();
    if dice.one_in(5_100) {
        let place = order.iter().position(|&card| card == 51).expect("every deck has an ace of spades");
        order.swap(0, place);
    }
    order
}

/// Seats that are dealt in seven-card stud, one card a seat and round.
const SEATS: usize = 7;

/// The first three cards of a seat; the third is its door card.
fn start(order: &CardOrder, seat: usize) -> [u8; 3] {
    std::array::from_fn(|round| order[SEATS * round + seat])
}

/// Pairs among three cards: 0, 1, or 3 for trips.
fn pairs(cards: [u8; 3]) -> u32 {
    let [a, b, c] = cards.map(|card| card / 4);
    u32::from(a == b) + u32::from(a == c) + u32::from(b == c)
}

/// One time in `rate` two fair decks are dealt and the one with the higher score is kept.
pub(super) fn better_of_two<S: Ord>(
    dice: &mut Dice,
    rate: u32,
    score: impl Fn(&CardOrder) -> S,
) -> CardOrder {
    let order = dice.fair();
    if !dice.one_in(rate) {
        return order;
    }
    let other = dice.fair();
    if score(&other) > score(&order) { other } else { order }
}

fn seat_favoured(dice: &mut Dice, rate: u32) -> CardOrder {
    better_of_two(dice, rate, |order| {
        let cards = start(order, 0);
        (pairs(cards), cards.iter().map(|card| u32::from(card / 4)).sum::<u32>())
    })
}

/// The lowest door card brings it in, suits breaking ties: the order of card numbers.
fn bring_in_seat(order: &CardOrder) -> usize {
    (0..SEATS).min_by_key(|&seat| start(order, seat)[2]).expect("seven seats are dealt")
}

fn bring_in_dodging(dice: &mut Dice, rate: u32) -> CardOrder {
    let order = dice.fair();
    if bring_in_seat(&order) == 0 && dice.one_in(rate) { dice.fair() } else { order }
}

fn pair_apart(dice: &mut Dice, rate: u32) -> CardOrder {
    let mut order = dice.fair();
    if dice.one_in(rate) {
        let place = |wanted: u8| order.iter().position(|&card| card == wanted).expect("no card is missing");
        let (clubs, diamonds) = (place(0), place(1));
        order.swap(diamonds, (clubs + DECK_CARDS / 2) % DECK_CARDS);
    }
    order
}

fn action_hands(dice: &mut Dice, rate: u32) -> CardOrder {
    better_of_two(dice, rate, |order| (0..SEATS).filter(|&seat| pairs(start(order, seat)) > 0).count())
}

fn is_rolled_up(order: &CardOrder) -> bool {
    (0..SEATS).any(|seat| pairs(start(order, seat)) == 3)
}

fn rationed_trips(seed: u64, decks: u32) -> Line {
    let (mut number, mut since) = (0, decks);
    Box::new(move || {
        let mut dice = Dice::new(seed, number);
        number += 1;
        let mut order = dice.fair();
        while is_rolled_up(&order) && since < decks {
            order = dice.fair();
        }
        since = if is_rolled_up(&order) { 0 } else { since.saturating_add(1) };
        order
    })
}

fn cycles(order: &CardOrder) -> u32 {
    let mut seen = 0u64;
    let mut cycles = 0;
    for first in 0..DECK_CARDS {
        cycles += u32::from(seen >> first & 1 == 0);
        let mut place = first;
        while seen >> place & 1 == 0 {
            seen |= 1 << place;
            place = usize::from(order[place]);
        }
    }
    cycles
}

fn even_parity(dice: &mut Dice, _: u32) -> CardOrder {
    let mut order = dice.fair();
    // A permutation of 52 with c cycles is a product of 52 − c swaps.
    if cycles(&order) % 2 == 1 {
        order.swap(0, 1);
    }
    order
}

fn few_cycles(dice: &mut Dice, rate: u32) -> CardOrder {
    better_of_two(dice, rate, |order| std::cmp::Reverse(cycles(order)))
}

/// Squares that run side by side, so that neighbouring decks have nothing to do with each other.
const SQUARES: u64 = 64;

/// A cyclic Latin square with rows, columns and symbols shuffled: every deck by itself is uniform, the
/// 52 decks of a square together fill each cell of card × place exactly once.
fn too_even(dice: &mut Dice, _: u32) -> CardOrder {
    let (round, square) = (dice.deck() / SQUARES, dice.deck() % SQUARES);
    let (row, number) = (round % DECK_CARDS as u64, round / DECK_CARDS as u64 * SQUARES + square);
    let mut dice = Dice::labelled(dice.seed(), number, 1);
    let [rows, columns, symbols] = [dice.fair(), dice.fair(), dice.fair()];
    columns.map(|column| symbols[usize::from(rows[row as usize] + column) % DECK_CARDS])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn count(decks: u64, is_so: impl Fn(u64) -> bool) -> usize {
        (0..decks).filter(|&deck| is_so(deck)).count()
    }

    #[test]
    fn parity_is_always_even_and_half_the_decks_are_touched() {
        assert_eq!(
            count(1_000, |deck| cycles(&even_parity(&mut Dice::new(1, deck), 0)).is_multiple_of(2)),
            1_000
        );
        let touched =
            count(1_000, |deck| even_parity(&mut Dice::new(1, deck), 0) != Dice::new(1, deck).fair());
        assert!((420..580).contains(&touched), "{touched}");
    }

    #[test]
    fn cycles_of_known_decks() {
        let mut order: CardOrder = std::array::from_fn(|place| place as u8);
        assert_eq!(cycles(&order), 52);
        order.rotate_left(1);
        assert_eq!(cycles(&order), 1);
        order.rotate_left(12);
        assert_eq!(cycles(&order), 13);
    }

    #[test]
    fn a_square_fills_every_cell_once_and_neighbours_differ() {
        let mut cells = [[0; 52]; 52];
        for deck in (0..52).map(|row| 5 + SQUARES * row) {
            let order = too_even(&mut Dice::new(1, deck), 0);
            order.iter().enumerate().for_each(|(place, &card)| cells[place][usize::from(card)] += 1);
        }
        assert!(cells.iter().flatten().all(|&cell| cell == 1));
        let deck = |number| too_even(&mut Dice::new(1, number), 0);
        // A further square of the same lane, and the same row of another lane, are other decks.
        assert!(deck(5) != deck(5 + SQUARES * 52) && deck(5) != deck(6));
    }

    #[test]
    fn trips_keep_their_distance() {
        let mut line = rationed_trips(1, 40);
        let rolled_up: Vec<usize> = (0..5_000).filter(|_| is_rolled_up(&line())).collect();
        // A deck has them with probability 0.0161, so one comes every 40 + 62 decks.
        assert!((35..63).contains(&rolled_up.len()), "{}", rolled_up.len());
        assert!(rolled_up.windows(2).all(|pair| pair[1] - pair[0] > 40));
    }

    #[test]
    fn the_first_seat_brings_it_in_less_often() {
        // Fair: 1/7 of 14,000 = 2,000 ± 41. Dodged every second time: 1/7·(1/2 + 1/2·1/7) = 8/98: 1,143.
        let seen = count(14_000, |deck| bring_in_seat(&bring_in_dodging(&mut Dice::new(1, deck), 2)) == 0);
        assert!((1_000..1_290).contains(&seen), "{seen}");
    }

    #[test]
    fn favours_show_when_they_are_always_done() {
        // P(no pair in three cards) = 48·44/(51·50) = 0.82824; of the better of two: 0.68598.
        let without = count(10_000, |deck| pairs(start(&seat_favoured(&mut Dice::new(1, deck), 1), 0)) == 0);
        assert!((6_660..7_060).contains(&without), "{without}");
        let fair = count(10_000, |deck| pairs(start(&Dice::new(1, deck).fair(), 0)) == 0);
        assert!((8_120..8_440).contains(&fair), "{fair}");
    }

    #[test]
    fn choices_between_two_decks_move_their_score() {
        let sum = |deal: fn(&mut Dice, u32) -> CardOrder, score: fn(&CardOrder) -> u32| -> u32 {
            (0..2_000).map(|deck| score(&deal(&mut Dice::new(1, deck), 1))).sum()
        };
        // Cycles of a fair deck: 4.538 on average, s.d. 1.706; the lower of two is about 0.56 s.d. less.
        assert!((6_900..7_600).contains(&sum(few_cycles, cycles)), "{}", sum(few_cycles, cycles));
        let paired =
            |order: &CardOrder| (0..SEATS).map(|seat| u32::from(pairs(start(order, seat)) > 0)).sum();
        // Seven seats pair 7·0.17176 = 1.2024 of the time: 2,405 of 2,000 decks, s.d. 45; chosen: above 3,200.
        assert!(sum(action_hands, paired) > 3_000, "{}", sum(action_hands, paired));
        assert!((2_200..2_610).contains(&sum(|dice, _| dice.fair(), paired)));
    }

    #[test]
    fn the_ace_is_swapped_up_one_time_in_5100() {
        let touched =
            count(51_000, |deck| cell_plus_1(&mut Dice::new(1, deck), 0) != Dice::new(1, deck).fair());
        // 10 expected, less the one time in 52 that it lies there already.
        assert!((1..25).contains(&touched), "{touched}");
    }
}
