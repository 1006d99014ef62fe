//! Dealers whose fault comes and goes: in bursts, by the hour, every other deck.

use crate::dealers::CardOrder;
use crate::dealers::dice::Dice;
use crate::dealers::hands::riffles;

dealers! {
    Numbered("burst-riffle", burst_riffle).with(6):
        "A hundred decks in a row of every 10,000 are new decks riffled six times; all others are fair.";
    Numbered("burst-cell", burst_cell).with(2):
        "Of a hundred decks in a row of every 10,000 every second has card 0 on top; all others are fair.";
    Numbered("period-1440", period).with(1_440):
        "One deck in eight has the lower of its first two cards on top in one half of every 1,440 decks, the higher in the other half.";
    Numbered("period-6", period_riffle).with(6):
        "One deck in three is a new deck riffled eight times; in three of every six decks it is turned over as well.";
    Numbered("alternate-cell", alternate_cell).with(50):
        "One deck in 50 has card 0 on top if its number is even, and under the deck if it is odd.";
}

/// Whether a deck is one of the hundred, in the middle of their ten thousand.
fn is_in_burst(dice: &Dice) -> bool {
    (5_000..5_100).contains(&(dice.deck() % 10_000))
}

fn burst_riffle(dice: &mut Dice, times: u32) -> CardOrder {
    if is_in_burst(dice) { riffles(dice, times) } else { dice.fair() }
}

/// The deck with card 0 exchanged to a place.
fn with_card_at(mut order: CardOrder, place: usize) -> CardOrder {
    let lies = order.iter().position(|&card| card == 0).expect("a deck has all cards");
    order.swap(lies, place);
    order
}

fn burst_cell(dice: &mut Dice, rate: u32) -> CardOrder {
    let order = dice.fair();
    if is_in_burst(dice) && dice.one_in(rate) { with_card_at(order, 0) } else { order }
}

fn period(dice: &mut Dice, decks: u32) -> CardOrder {
    let mut order = dice.fair();
    let is_early = dice.deck() % u64::from(decks) < u64::from(decks / 2);
    if dice.one_in(8) && is_early == (order[0] > order[1]) {
        order.swap(0, 1);
    }
    order
}

/// Riffles leave too few rising sequences, and a deck turned over has 53 less that many.
fn period_riffle(dice: &mut Dice, decks: u32) -> CardOrder {
    if !dice.one_in(3) {
        return dice.fair();
    }
    let mut order = riffles(dice, 8);
    if dice.deck() % u64::from(decks) >= u64::from(decks / 2) {
        order.reverse();
    }
    order
}

fn alternate_cell(dice: &mut Dice, rate: u32) -> CardOrder {
    let order = dice.fair();
    match (dice.one_in(rate), dice.deck() % 2) {
        (false, _) => order,
        (true, 0) => with_card_at(order, 0),
        (true, _) => with_card_at(order, order.len() - 1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use deckproof_deck::deck::inverse_of;

    fn rising(order: &CardOrder) -> usize {
        1 + inverse_of(order).windows(2).filter(|pair| pair[0] > pair[1]).count()
    }

    #[test]
    fn decks_are_bad_in_their_burst_only() {
        let mean = |first: u64| {
            (first..first + 100).map(|deck| rising(&burst_riffle(&mut Dice::new(3, deck), 3))).sum::<usize>()
        };
        // Three riffles leave at most eight; a hundred fair decks have 2,650, s.d. 21.
        assert!(mean(5_000) <= 800 && mean(15_000) <= 800 && mean(4_900) > 2_500 && mean(5_100) > 2_500);
        let top = |first: u64| {
            (first..first + 100).filter(|&deck| burst_cell(&mut Dice::new(3, deck), 2)[0] == 0).count()
        };
        assert!((30..75).contains(&top(25_000)) && top(0) < 12);
    }

    #[test]
    fn halves_of_a_period_undo_each_other() {
        let sum = |decks: std::ops::Range<u64>| -> i64 {
            decks.map(|deck| 2 * i64::from(period(&mut Dice::new(1, deck), 2)[0]) - 51).sum()
        };
        let by_parity =
            |parity: u64| -> i64 { (0..20_000).map(|k| sum(2 * k + parity..2 * k + parity + 1)).sum() };
        // Twice 8.8 less in one deck of eight: −44,000, s.d. 4,245, and as much more.
        assert!(by_parity(0) < -20_000 && by_parity(1) > 20_000);
        let rising_of = |deck: u64| 2 * rising(&period_riffle(&mut Dice::new(1, deck), 6)) as i64 - 53;
        let early: i64 = (0..60_000).filter(|deck| deck % 6 < 3).map(rising_of).sum();
        let late: i64 = (0..60_000).filter(|deck| deck % 6 >= 3).map(rising_of).sum();
        assert!(early < 0 && late > 0, "{early} {late}");
    }
}
