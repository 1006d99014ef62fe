//! Sorted records: decks that come in the order of a dictionary, not of their dealing.
//!
//! Null: of two independent decks either comes first in a fixed order of all decks with probability 1/2, so that of
//! the disjoint pairs of decks 2i, 2i + 1 of a segment Bin(pairs, 1/2) ascend. Eight orders, each deck by its first
//! card, then by its second, and so on: by the numbers of the cards (rank by rank, suit by suit), by their decimal
//! digits counted from 0 or from 1, and by their letters with T or 10. Part: `pairs`, the worst order, by
//! Bonferroni, exact. Pairs of equal decks do not count.

use std::sync::OnceLock;

use crate::battery::outcome::Outcome;
use crate::battery::statistic::{About, Design, Statistic, about_and_cells};
use crate::battery::stream;
use crate::battery::tier::Tier;
use crate::battery::view::Label;
use crate::math::{binomial, bonferroni};
use deckproof_deck::card::DECK_CARDS;
use deckproof_deck::deck::block::DeckBlock;

pub(in crate::battery) struct Sorted;

const ABOUT: About = About {
    id: "sorted-records",
    version: 1,
    tier: Tier::Deep,
    title: "records in sorted order",
    null: "Of two decks that follow one another either comes first in a dictionary as often as the other.",
    source: "disjoint pairs of decks in eight dictionaries (numbers by rank or suit, their decimal digits from 0 or 1, letters \
             with T or 10): Bin(pairs, 1/2), exact; Bonferroni (1936) over dictionaries",
    detects: "Files whose records were sorted: they are not in the order of their dealing.",
    decks_min: 10,
    design: Design { label: Label::Card, ..Design::OF_DECKS },
};

const ORDERS: usize = 8;

/// Decks, pairs of decks that differ, then those that ascend in each order.
const CELLS: usize = 2 + ORDERS;

/// By card: its rank in an order.
type Keys = [u8; DECK_CARDS];

impl Statistic for Sorted {
    about_and_cells!(ABOUT, CELLS);

    fn observe(&self, blocks: &[DeckBlock], counts: &mut [u64]) {
        assert_eq!(counts.len(), CELLS);
        counts[0] += stream::decks_of(blocks);
        for block in blocks {
            for lane in (0..block.hands() & !1).step_by(2) {
                let pairs = block.rows().iter().map(|row| (row[lane], row[lane + 1]));
                let Some((first, second)) = pairs.into_iter().find(|(first, second)| first != second) else {
                    continue;
                };
                counts[1] += 1;
                for (keys, ascending) in orders().iter().zip(&mut counts[2..]) {
                    *ascending += u64::from(keys[usize::from(first)] < keys[usize::from(second)]);
                }
            }
        }
    }

    fn decks_in(&self, counts: &[u64]) -> Option<u64> {
        let (decks, pairs) = (counts[0], counts[1]);
        (pairs <= decks / 2 && counts[2..].iter().all(|&ascending| ascending <= pairs)).then_some(decks)
    }

    fn outcomes(&self, counts: &[u64], _: u64) -> Vec<Outcome> {
        let pairs = counts[1];
        let away = |ascending: u64| (2 * ascending).abs_diff(pairs);
        let worst = counts[2..].iter().copied().max_by_key(|&ascending| away(ascending));
        let ascending = worst.expect("there are eight orders");
        vec![Outcome::bound(
            "pairs",
            format!("ascending of {pairs}"),
            ascending as f64,
            match pairs {
                0 => 1.0,
                pairs => bonferroni(ORDERS as f64, binomial::p_value(pairs, 0.5, ascending)),
            },
        )]
    }
}

/// The ranks of the cards in the eight orders.
fn orders() -> &'static [Keys; ORDERS] {
    static ALL: OnceLock<[Keys; ORDERS]> = OnceLock::new();
    ALL.get_or_init(|| {
        let by_suit = |card: usize| 13 * (card % 4) + card / 4;
        let letters = |card: usize, ten: &str| {
            let ranks = ["2", "3", "4", "5", "6", "7", "8", "9", ten, "J", "Q", "K", "A"];
            format!("{}{}", ranks[card / 4], ["c", "d", "h", "s"][card % 4])
        };
        [
            ranked(|card| format!("{card:02}")),
            ranked(|card| format!("{:02}", by_suit(card))),
            ranked(|card| card.to_string()),
            ranked(|card| by_suit(card).to_string()),
            ranked(|card| (card + 1).to_string()),
            ranked(|card| (by_suit(card) + 1).to_string()),
            ranked(|card| letters(card, "T")),
            ranked(|card| letters(card, "10")),
        ]
    })
}

/// The ranks of the cards when their texts are sorted.
fn ranked(text: impl Fn(usize) -> String) -> Keys {
    let mut cards: Vec<usize> = (0..DECK_CARDS).collect();
    cards.sort_by_key(|&card| text(card));
    let mut keys = [0; DECK_CARDS];
    cards.iter().zip(0..).for_each(|(&card, rank)| keys[card] = rank);
    keys
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::battery::walk::sample::{counts, dealt};
    use deckproof_deck::card::Card;

    /// Lines of a text, sorted by their bytes: every pair ascends in one of the eight orders, or descends.
    #[test]
    fn sorted_lines_ascend_whatever_they_are_written_in() {
        let by_suit = |card: u8| 13 * (card % 4) + card / 4;
        let letters = |card: u8| Card::from_index(card).expect("a card").to_string();
        let texts: [&dyn Fn(u8) -> String; 8] = [
            &|card| format!("{card:02}"),
            &|card| format!("{:02}", by_suit(card)),
            &|card| card.to_string(),
            &|card| by_suit(card).to_string(),
            &|card| (card + 1).to_string(),
            &|card| (by_suit(card) + 1).to_string(),
            &letters,
            &|card| letters(card).replace('T', "10"),
        ];
        for (order, text) in texts.iter().enumerate() {
            let mut decks = dealt("certified", 0..201);
            decks.sort_by_key(|deck| deck.indices().map(text).join(" "));
            let counted = counts(&Sorted, &decks);
            assert_eq!([counted[1], counted[2 + order]], [100, 100], "order {order}");
            decks.reverse();
            // The last deck of 201 was no pair's; now the first is none's, and all descend.
            assert_eq!(counts(&Sorted, &decks)[2 + order], 0, "order {order}");
        }
    }

    /// 100 of 100 ascend with probability 2^-100, on both sides and in eight orders.
    #[test]
    fn the_p_value_is_that_of_coins() {
        let mut coins = vec![50; CELLS];
        (coins[0], coins[1], coins[7]) = (201, 100, 100);
        let p_value = Sorted.finish(&coins, 201)[0].p_value;
        assert!((p_value / (16.0 * 0.5_f64.powi(100)) - 1.0).abs() < 1e-9, "{p_value}");
        let fair = Sorted.finish(&counts(&Sorted, &dealt("certified", 0..2_000)), 2_000)[0].p_value;
        assert!(fair > 0.001, "{fair}");
        coins[7] = 101;
        assert_eq!(Sorted.decks_in(&coins), None);
    }

    #[test]
    fn equal_decks_are_no_pair() {
        let deck = dealt("certified", 0..1);
        let counted = counts(&Sorted, &[deck[0]; 20]);
        assert_eq!(counted, [20, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
        assert!(Sorted.finish(&counted, 20)[0].p_value >= 1.0);
    }
}
