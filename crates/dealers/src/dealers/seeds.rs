//! Perfect shuffles from too few seeds: nothing shows until a deck comes back.

use crate::dealers::dice::Dice;
use crate::dealers::{CardOrder, Expected};
use deckproof_deck::key::AuditKey;
use deckproof_deck::shuffle::shuffle_deck;

const SEED: &str =
    "The certified shuffle under a key made of so few random bits; decks return after about 2^(bits/2).";

dealers! {
    Numbered("seed-16", seeded).expected(Expected::Waiting).with(16): SEED;
    Numbered("seed-20", seeded).expected(Expected::Waiting).with(20): SEED;
    Numbered("seed-24", seeded).expected(Expected::Waiting).with(24): SEED;
    Numbered("seed-32", seeded).expected(Expected::Waiting).with(32): SEED;
    Numbered("seed-40", seeded).expected(Expected::Hidden("a deck returns after some three million")).with(40): SEED;
    Numbered("seed-48", seeded).expected(Expected::Hidden("a deck returns after some fifty million")).with(48): SEED;
    Numbered("prepared-hands", prepared_hands).with(20):
        "The first seven cards are one of 2^20 hands made beforehand, as in games drawn from a list of results; the rest is shuffled fairly.";
    Numbered("prepared-seat", prepared_seat).with(3_000):
        "In one deck of 20 the fourth of six players gets one of 3,000 hands made beforehand; all else is fair.";
    Numbered("counter-wrap", counter_wrap).expected(Expected::Waiting).with(16):
        "The certified shuffle whose hand number is kept in 16 bits: deck 65,536 is deck 0 again.";
    Numbered("time-of-day", time_of_day).expected(Expected::Waiting):
        "The certified shuffle under a key made of the milliseconds since midnight, a hand every 50 seconds, up to 10 late.";
}

/// The deck of the key that only says this number.
fn deck_of(number: u64, dealer: u64) -> CardOrder {
    let mut key = [0; 32];
    key[..8].copy_from_slice(&dealer.to_be_bytes());
    *shuffle_deck(AuditKey::from_bytes(key).hand_key(number).bytes()).indices()
}

fn seeded(dice: &mut Dice, bits: u32) -> CardOrder {
    deck_of(dice.long() >> (64 - bits), dice.seed())
}

/// Betsoft's keno drew its results from a limited list made beforehand (Absolute Poker, 2010 to 2011).
fn prepared_hands(dice: &mut Dice, bits: u32) -> CardOrder {
    let hand = Dice::labelled(dice.seed(), dice.long() >> (64 - bits), 1).fair();
    let (hand, fair) = (&hand[..7], dice.fair());
    let rest = fair.iter().filter(|card| !hand.contains(card));
    let mut cards = hand.iter().chain(rest);
    std::array::from_fn(|_| *cards.next().expect("seven cards and the 45 others"))
}

fn prepared_seat(dice: &mut Dice, hands: u32) -> CardOrder {
    let mut order = dice.fair();
    if dice.below(20) == 0 {
        let hand = Dice::labelled(dice.seed(), u64::from(dice.below(hands)), 1).fair();
        for (round, card) in hand[..7].iter().enumerate() {
            let here = order.iter().position(|own| own == card).expect("all cards are there");
            order.swap(here, 3 + 6 * round);
        }
    }
    order
}

fn counter_wrap(dice: &mut Dice, bits: u32) -> CardOrder {
    deck_of(dice.deck() % (1 << bits), dice.seed())
}

const DAY_MILLISECONDS: u64 = 86_400_000;

fn time_of_day(dice: &mut Dice, _: u32) -> CardOrder {
    deck_of(millisecond(dice.deck(), dice.below(10_001)), dice.seed())
}

/// When a deck is dealt: hands begin 50 seconds apart, each up to 10 seconds late.
fn millisecond(deck: u64, late: u32) -> u64 {
    (deck % (DAY_MILLISECONDS / 50_000) * 50_000 + u64::from(late)) % DAY_MILLISECONDS
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_bits_give_few_decks() {
        let decks = |bits| -> usize {
            let decks: std::collections::HashSet<CardOrder> =
                (0..2_000).map(|deck| seeded(&mut Dice::new(1, deck), bits)).collect();
            decks.len()
        };
        assert_eq!(decks(4), 16);
        // 2,000 draws from 2^16: 30.2 repeats expected, s.d. 5.4.
        assert!((1_940..1_998).contains(&decks(16)), "{}", decks(16));
        assert_eq!(decks(48), 2_000);
    }

    #[test]
    fn prepared_hands_come_again_with_other_cards_behind() {
        let deck = |number| prepared_hands(&mut Dice::new(1, number), 3);
        let decks: Vec<CardOrder> = (0..200).map(deck).collect();
        let hands: std::collections::HashSet<&[u8]> = decks.iter().map(|deck| &deck[..7]).collect();
        let whole: std::collections::HashSet<&CardOrder> = decks.iter().collect();
        assert_eq!((hands.len(), whole.len()), (8, 200));
    }

    #[test]
    fn the_counter_wraps_at_65_536() {
        let deck = |number| counter_wrap(&mut Dice::new(1, number), 16);
        assert_eq!(deck(65_536), deck(0));
        assert_ne!(deck(65_535), deck(0));
    }

    #[test]
    fn times_stay_within_the_day_and_grow_within_it() {
        assert_eq!(millisecond(0, 10_000), 10_000);
        assert_eq!(millisecond(1_727, 10_000), 86_360_000);
        assert_eq!(millisecond(1_728, 7), 7);
        let deck = |number| time_of_day(&mut Dice::new(1, number), 0);
        assert_ne!(deck(0), deck(1));
    }
}
