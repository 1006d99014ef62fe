//! Known faults behind a new pack as makers in the United States print it, and files that were put in order.

use crate::dealers::dice::Dice;
use crate::dealers::generators::{randu, xorshift32};
use crate::dealers::hands::riffles;
use crate::dealers::{CardOrder, Line};

dealers! {
    Sequential("new-pack-randu", |seed, parameter| behind_a_new_pack(randu(seed, parameter))):
        "A new pack (spades and diamonds from the ace up, clubs and hearts from the king down) shuffled by one stream of RANDU.";
    Sequential("new-pack-xorshift32", |seed, parameter| behind_a_new_pack(xorshift32(seed, parameter))):
        "A new pack shuffled by one stream of Marsaglia's 32-bit xorshift, its words scaled to the ranges.";
    Numbered("new-pack-riffle-7", |dice, times| { riffles(dice, times).map(of_a_new_pack) }).with(7):
        "A new pack riffled seven times.";
    Sequential("sorted-file", sorted_file).with(1_000):
        "Fair decks of which every thousand were sorted as lines of a text are, before they were handed in.";
}

/// The card at a place of a new pack; 2c 2d 2h 2s 3c … are 0, 1, 2, …
fn of_a_new_pack(place: u8) -> u8 {
    let (suit, from_the_ace) = match place / 13 {
        0 => (3, place),
        1 => (1, place - 13),
        2 => (0, 38 - place),
        _ => (2, 51 - place),
    };
    4 * ((from_the_ace + 12) % 13) + suit
}

fn behind_a_new_pack(mut line: Line) -> Line {
    Box::new(move || line().map(of_a_new_pack))
}

fn sorted_file(seed: u64, decks: u32) -> Line {
    let (mut number, mut batch) = (0, Vec::new());
    Box::new(move || {
        if batch.is_empty() {
            batch = (0..u64::from(decks))
                .map(|_| {
                    number += 1;
                    Dice::new(seed, number).fair()
                })
                .collect::<Vec<CardOrder>>();
            batch.sort_by_cached_key(|order| order.map(|card| card.to_string()).join(" "));
            batch.reverse();
        }
        batch.pop().expect("a batch has decks")
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use deckproof_deck::card::Card;

    #[test]
    fn a_new_pack_begins_and_ends_with_aces() {
        let pack: Vec<String> = (0..52)
            .map(|place| Card::from_index(of_a_new_pack(place)).expect("a card").to_string())
            .collect();
        assert_eq!(
            [0, 1, 12, 13, 25, 26, 38, 39, 51].map(|place| pack[place].as_str()),
            ["As", "2s", "Ks", "Ad", "Kd", "Kc", "Ac", "Kh", "Ah"]
        );
    }

    #[test]
    fn a_sorted_file_holds_the_decks_it_would_hold() {
        let mut line = sorted_file(3, 5);
        let mut dealt: Vec<CardOrder> = (0..5).map(|_| line()).collect();
        let texts: Vec<String> =
            dealt.iter().map(|order| order.map(|card| card.to_string()).join(" ")).collect();
        assert!(texts.is_sorted());
        let mut fair: Vec<CardOrder> = (1..=5).map(|number| Dice::new(3, number).fair()).collect();
        dealt.sort_unstable();
        fair.sort_unstable();
        assert_eq!(dealt, fair);
    }
}
