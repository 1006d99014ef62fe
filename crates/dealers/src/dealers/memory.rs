//! Dealers that remember: a deck that is stuck, comes back, or goes on where the last one ended.

use crate::dealers::dice::Dice;
use crate::dealers::hands::{riffled, riffles};
use crate::dealers::{CardOrder, Expected, Line};
use deckproof_deck::card::DECK_CARDS;
use deckproof_deck::deck::inverse_of;

dealers! {
    Numbered("stuck", stuck).expected(Expected::Waiting).with(1_000):
        "Fair decks until the generator sticks: every deck from number 1,000 on is the same.";
    Numbered("repeats", repeats).expected(Expected::Waiting).with(1_000):
        "One deck in 1,000 is one of the 1,000 before it again.";
    Numbered("cut-last", cut_last).expected(Expected::Waiting).with(1_000):
        "One deck in 1,000 is the last one, cut.";
    Numbered("reversed-last", reversed_last).expected(Expected::Waiting).with(1_000):
        "One deck in 1,000 is the last one from bottom to top.";
    Numbered("inverse-last", inverse_last).expected(Expected::Waiting).with(1_000):
        "One deck in 1,000 is the last one with cards and places exchanged.";
    Numbered("turned-earlier", turned_earlier).expected(Expected::Waiting).with(1_000):
        "One deck in 1,000 is one of the 1,000 before it, cut and turned over.";
    Numbered("inverse-earlier", |dice, rate| from_earlier(dice, rate, |_, earlier| inverse_of(&earlier))).expected(Expected::Waiting).with(1_000):
        "One deck in 1,000 is one of the 1,000 before it with cards and places exchanged.";
    Numbered("packet-again", packet_again).with(12):
        "One deck in 20 has twelve cards together that lay together in one of the 200 decks before it, at another place.";
    Numbered("renamed-last", renamed_last).with(20):
        "One deck in 20 is the last one with its cards renamed, by five riffles of the names.";
    Sequential("not-reset", not_reset).with(3):
        "Three riffles of the deck as the last hand left it: each deck looks fair, neighbours do not.";
    Sequential("carry-over", carry_over).with(5):
        "The five cards dealt first are put under the next deck; the other 47 are shuffled fairly.";
    Sequential("two-packs", two_packs).with(5):
        "Two packs in turn, each riffled five times as the hand before last left it: only every other deck remembers.";
    Sequential("shoe", |seed, packs| packs_in_turn(seed, packs, 5)).with(6):
        "Six packs in turn, each riffled five times as it comes round again: no deck remembers any of the next five.";
    Numbered("every-64th", every_nth).with(64):
        "Every 64th deck is the one before it, riffled four times; all others are fair: programs that count in blocks must look between them.";
    Numbered("tired", tired).with(5_000):
        "Fair decks until the dealer tires: from number 5,000 on a new deck is riffled four times.";
}

/// The fair deck that another number would have got.
fn fair(dice: &Dice, deck: u64) -> CardOrder {
    Dice::labelled(dice.seed(), deck, 1).fair()
}

fn stuck(dice: &mut Dice, from: u32) -> CardOrder {
    fair(dice, dice.deck().min(u64::from(from)))
}

fn repeats(dice: &mut Dice, rate: u32) -> CardOrder {
    from_earlier(dice, rate, |_, order| order)
}

/// The fair deck, or one time in `rate` what `change` makes of the one so many before.
fn from(
    dice: &mut Dice,
    rate: u32,
    back: fn(&mut Dice) -> u64,
    change: impl Fn(&mut Dice, CardOrder) -> CardOrder,
) -> CardOrder {
    let mut deck = dice.deck();
    if deck == 0 || !dice.one_in(rate) {
        return fair(dice, deck);
    }
    deck -= back(dice);
    let earlier = fair(dice, deck);
    change(dice, earlier)
}

/// The same of one of the 1,000 before.
fn from_earlier(dice: &mut Dice, rate: u32, change: impl Fn(&mut Dice, CardOrder) -> CardOrder) -> CardOrder {
    from(dice, rate, |dice| 1 + u64::from(dice.below(dice.deck().min(1_000) as u32)), change)
}

/// The same of the one before.
fn from_last(dice: &mut Dice, rate: u32, change: impl Fn(&mut Dice, CardOrder) -> CardOrder) -> CardOrder {
    from(dice, rate, |_| 1, change)
}

fn cut(dice: &mut Dice, mut order: CardOrder) -> CardOrder {
    order.rotate_left(1 + dice.below(DECK_CARDS as u32 - 1) as usize);
    order
}

fn turned(mut order: CardOrder) -> CardOrder {
    order.reverse();
    order
}

fn cut_last(dice: &mut Dice, rate: u32) -> CardOrder {
    from_last(dice, rate, cut)
}

fn reversed_last(dice: &mut Dice, rate: u32) -> CardOrder {
    from_last(dice, rate, |_, last| turned(last))
}

fn inverse_last(dice: &mut Dice, rate: u32) -> CardOrder {
    from_last(dice, rate, |_, last| inverse_of(&last))
}

fn packet_again(dice: &mut Dice, cards: u32) -> CardOrder {
    let back = |dice: &mut Dice| 1 + u64::from(dice.below(dice.deck().min(200) as u32));
    from(dice, 20, back, |dice, earlier| {
        let mut order = fair(dice, dice.deck());
        let places = DECK_CARDS as u32 - cards + 1;
        let (from, to) = (dice.below(places) as usize, dice.below(places) as usize);
        for (place, card) in (to..).zip(&earlier[from..from + cards as usize]) {
            let here = order.iter().position(|own| own == card).expect("all cards are there");
            order.swap(here, place);
        }
        order
    })
}

fn renamed_last(dice: &mut Dice, rate: u32) -> CardOrder {
    from_last(dice, rate, |dice, last| {
        let names = riffles(dice, 5);
        last.map(|card| names[usize::from(card)])
    })
}

fn turned_earlier(dice: &mut Dice, rate: u32) -> CardOrder {
    from_earlier(dice, rate, |dice, earlier| turned(cut(dice, earlier)))
}

fn not_reset(seed: u64, riffles: u32) -> Line {
    packs_in_turn(seed, 1, riffles)
}

fn two_packs(seed: u64, riffles: u32) -> Line {
    packs_in_turn(seed, 2, riffles)
}

/// Packs that are riffled as the hand before last, or earlier, left them.
fn packs_in_turn(seed: u64, packs: u32, riffles: u32) -> Line {
    let fair = |label: u32| Dice::labelled(seed, 0, u64::from(label)).fair();
    let (mut packs, mut number): (Vec<CardOrder>, u64) = ((1..=packs).map(fair).collect(), 0);
    Box::new(move || {
        let mut dice = Dice::new(seed, number);
        let next = number as usize % packs.len();
        number += 1;
        packs[next] = riffled(&mut dice, packs[next], riffles);
        packs[next]
    })
}

fn every_nth(dice: &mut Dice, n: u32) -> CardOrder {
    let deck = dice.deck();
    if deck == 0 || !deck.is_multiple_of(u64::from(n)) {
        return fair(dice, deck);
    }
    let last = fair(dice, deck - 1);
    riffled(dice, last, 4)
}

fn tired(dice: &mut Dice, from: u32) -> CardOrder {
    let deck = dice.deck();
    if deck < u64::from(from) { dice.fair() } else { riffles(dice, 4) }
}

fn carry_over(seed: u64, cards: u32) -> Line {
    let (mut deck, mut number) = (Dice::labelled(seed, 0, 1).fair(), 0);
    Box::new(move || {
        let mut dice = Dice::new(seed, number);
        number += 1;
        deck.rotate_left(cards as usize);
        for last in (1..DECK_CARDS - cards as usize).rev() {
            deck.swap(last, dice.below(last as u32 + 1) as usize);
        }
        deck
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_generator_sticks_at_its_deck() {
        let deck = |number| stuck(&mut Dice::new(1, number), 1_000);
        assert_eq!((deck(1_000), deck(1_000)), (deck(1_001), deck(9_999)));
        assert_ne!(deck(999), deck(1_000));
    }

    #[test]
    fn decks_come_back_at_their_rate() {
        let decks: Vec<CardOrder> =
            (0..4_000).map(|number| repeats(&mut Dice::new(1, number), 100)).collect();
        let distinct: std::collections::HashSet<&CardOrder> = decks.iter().collect();
        // 40 repeats expected, s.d. 6.3; a few repeat a deck that was itself a repeat.
        assert!((3_930..3_985).contains(&distinct.len()), "{}", distinct.len());
    }

    /// How many of 2,000 decks at a rate of 1/20 are what `is_made` says of the one before.
    fn check_from_last(deal: fn(&mut Dice, u32) -> CardOrder, is_made: fn(&CardOrder, &CardOrder) -> bool) {
        let decks: Vec<CardOrder> = (0..2_000).map(|number| deal(&mut Dice::new(1, number), 20)).collect();
        let made = decks.windows(2).filter(|pair| is_made(&pair[0], &pair[1])).count();
        // 100 expected, of which 1 in 20 follows another, s.d. 10.
        assert!((55..135).contains(&made), "{made}");
    }

    #[test]
    fn changed_decks_follow_the_one_they_were_made_from() {
        check_from_last(cut_last, |a, b| {
            let mut ring = *a;
            (1..52).any(|_| {
                ring.rotate_left(1);
                ring == *b
            })
        });
        check_from_last(reversed_last, |a, b| a.iter().eq(b.iter().rev()));
        check_from_last(inverse_last, |a, b| {
            a.iter().zip(0..).all(|(&card, place)| b[usize::from(card)] == place)
        });
    }

    #[test]
    fn riffles_without_a_reset_leave_rising_sequences_between_neighbours() {
        let mut line = not_reset(1, 1);
        let (first, second) = (line(), line());
        let places = first.map(|card| second.iter().position(|&other| other == card));
        let falls = places.windows(2).filter(|pair| pair[0] > pair[1]).count();
        assert!(falls <= 1, "one riffle leaves two rising sequences, {falls} falls");
        assert_ne!(first, second);
    }

    #[test]
    fn only_every_other_deck_remembers() {
        let mut line = two_packs(1, 1);
        let decks: Vec<CardOrder> = (0..3).map(|_| line()).collect();
        let falls = |earlier: usize| {
            let places = decks[earlier].map(|card| decks[2].iter().position(|&other| other == card));
            places.windows(2).filter(|pair| pair[0] > pair[1]).count()
        };
        assert!(falls(0) <= 1 && falls(1) > 10, "{} and {} falls", falls(0), falls(1));
    }

    #[test]
    fn the_dealer_tires_at_the_stated_deck() {
        let deck = |number| tired(&mut Dice::new(1, number), 5_000);
        assert_eq!(deck(4_999), Dice::new(1, 4_999).fair());
        // Four riffles leave at most 16 rising sequences; one fair deck in two million has so few.
        let sequences = |order: &CardOrder| {
            let places = inverse_of(order);
            1 + places.windows(2).filter(|pair| pair[0] > pair[1]).count()
        };
        assert!((5_000..6_000).all(|number| sequences(&deck(number)) <= 16));
    }

    #[test]
    fn the_cards_dealt_first_lie_under_the_next_deck() {
        let mut line = carry_over(1, 5);
        let mut last = line();
        for _ in 0..100 {
            let next = line();
            assert_eq!(next[47..], last[..5]);
            last = next;
        }
    }
}
