//! First cards, suits of three places, order patterns: small tables with exact cells.
//!
//! Null: the first two cards in order are uniform on 2,652 pairs; the suits of three consecutive places fall into
//! 64 cells of probabilities `13·12·11`, `13·12·13` or `13³` over 52·51·50; disjoint blocks of 3, 4 or 5
//! consecutive places have independent uniform order patterns. Parts: χ² of each, of the worst of 17 suit triples
//! by Bonferroni, bounds by Agrawal.

use multiversion::multiversion;

use crate::battery::kernel::planes::{BLOCKS, Minterms};
use crate::battery::kernel::value_counts::value_counts;
use crate::battery::kernel::{count_above, tally};
use crate::battery::nulls::table;
use crate::battery::outcome::Outcome;
use crate::battery::statistic::{About, Design, Statistic, about_and_cells, checked_sum, common_sum};
use crate::battery::stream;
use crate::battery::tier::Tier;
use crate::battery::view::Label;
use crate::math::multinomial::{Cells, EXPECTATION_MIN};
use deckproof_deck::card::DECK_CARDS;
use deckproof_deck::deck::block::{BLOCK_HANDS, DeckBlock, EMPTY_LANE, Row};

pub(in crate::battery) struct FirstCards;

const ABOUT: About = About {
    id: "first-cards",
    version: 3,
    tier: Tier::Deep,
    title: "first cards, suits of three places, order patterns",
    null: "First pairs, suits of three places and orders of neighbours come as often as they should.",
    source: "first two: χ²(2651); suits: 64 cells of exact probabilities; order patterns: t! cells of ⌊52/t⌋ blocks \
             (Knuth, TAOCP 2, 3.3.2 P); Pearson (1900), bound by Agrawal (2020), Bonferroni (1936) over 17 triples",
    detects: "Faults of the first cards dealt, suits that alternate or cling, sorted stretches.",
    decks_min: 10,
    design: Design { parts: PATTERNS.len() as u64 + 2, label: Label::Card, ..Design::PLAIN },
};

const FIRST_TWO: usize = DECK_CARDS * DECK_CARDS;
const TRIPLES: usize = DECK_CARDS / 3;
const SUITS: usize = 64;
const AT_SUITS: usize = FIRST_TWO;
const AT_PATTERNS: usize = AT_SUITS + TRIPLES * SUITS;

/// Places in a pattern, its name, and how many orders they have.
const PATTERNS: [(usize, &str, usize); 3] =
    [(3, "order-of-3", 6), (4, "order-of-4", 24), (5, "order-of-5", 120)];

impl Statistic for FirstCards {
    about_and_cells!(ABOUT, AT_PATTERNS + PATTERNS.iter().map(|pattern| pattern.2).sum::<usize>());

    /// `52·first + second`; suits of the places 3i, 3i + 1, 3i + 2 in base 4; ranks of orders of 3, 4, 5.
    fn observe(&self, blocks: &[DeckBlock], counts: &mut [u64]) {
        assert_eq!(counts.len(), self.cells());
        let mut coded = vec![[[EMPTY_LANE; BLOCK_HANDS]; CODES]; blocks.len().min(BLOCKS)];
        for blocks in blocks.chunks(BLOCKS) {
            for (block, codes) in blocks.iter().zip(&mut coded) {
                observe_block(block, codes, counts);
            }
            count_codes(&coded[..blocks.len()], stream::decks_of(blocks), &mut counts[AT_SUITS..]);
        }
    }

    /// The p-values ask how uneven the first two are, never which two; the 52 doubles, which never come, then stand first.
    fn keep(&self, counts: &mut [u64]) {
        counts[..FIRST_TWO].sort_unstable();
    }

    fn decks_in(&self, counts: &[u64]) -> Option<u64> {
        let triples = counts[AT_SUITS..AT_PATTERNS].chunks(SUITS);
        let decks =
            common_sum([&counts[..FIRST_TWO]].into_iter().chain(triples).map(|own| own.iter().copied()))?;
        let has_no_double = (0..DECK_CARDS).all(|card| counts[(DECK_CARDS + 1) * card] == 0)
            || counts[..DECK_CARDS].iter().all(|&count| count == 0);
        let are_full = patterns(counts).all(|(&(length, ..), own)| {
            let sum = checked_sum(own);
            sum.is_some() && sum == decks.checked_mul((DECK_CARDS / length) as u64)
        });
        (has_no_double && are_full).then_some(decks)
    }

    fn outcomes(&self, counts: &[u64], decks: u64) -> Vec<Outcome> {
        let mut pairs = counts[..FIRST_TWO].to_vec();
        pairs.sort_unstable();
        let first_two = Cells::uniform(&pairs[DECK_CARDS..]);
        let triples = counts[AT_SUITS..AT_PATTERNS].chunks(SUITS).map(|own| suit_cells(own, decks).pooled());
        let mut outcomes: Vec<Outcome> = patterns(counts)
            .filter_map(|(&(_, part, _), own)| worst(part, vec![Cells::uniform(own).pooled()]))
            .collect();
        outcomes.extend(worst("suits-of-3", triples.collect()));
        if decks as f64 >= EXPECTATION_MIN * 2652.0 {
            outcomes.extend(worst("first-two", vec![first_two]));
        }
        outcomes
    }
}

/// Each kind of pattern with its counts.
fn patterns(counts: &[u64]) -> impl Iterator<Item = (&'static (usize, &'static str, usize), &[u64])> {
    let mut rest = &counts[AT_PATTERNS..];
    PATTERNS.iter().map(move |pattern| {
        let (own, others) = rest.split_at(pattern.2);
        rest = others;
        (pattern, own)
    })
}

/// Rows of codes below 64: those of three suits, then of the orders of three and of four.
const CODES: usize = TRIPLES + DECK_CARDS / 3 + DECK_CARDS / 4;

/// Counts the first two cards and the orders of five; of the rest it writes down the codes, 63 in empty lanes.
#[multiversion(targets("x86_64+avx512f+avx512bw+avx512vl", "x86_64+avx2", "aarch64+neon"))]
fn observe_block(block: &DeckBlock, codes: &mut [Row; CODES], counts: &mut [u64]) {
    let (rows, hands) = (block.rows(), block.hands());
    for (&first, &second) in rows[0].iter().zip(&rows[1]).take(hands) {
        counts[DECK_CARDS * usize::from(first) + usize::from(second)] += 1;
    }
    let (of_suits, of_orders) = codes.split_at_mut(TRIPLES);
    let (of_three, of_four) = of_orders.split_at_mut(DECK_CARDS / 3);
    of_suits.iter_mut().zip(rows.as_chunks().0).for_each(|(code, cards)| *code = suits(cards));
    of_three.iter_mut().zip(rows.as_chunks::<3>().0).for_each(|(code, cards)| *code = pattern(cards));
    of_four.iter_mut().zip(rows.as_chunks::<4>().0).for_each(|(code, cards)| *code = pattern(cards));
    if hands < BLOCK_HANDS {
        codes.iter_mut().for_each(|code| code[hands..].fill(EMPTY_LANE));
    }
    let own = &mut counts[AT_PATTERNS + PATTERNS[0].2 + PATTERNS[1].2..];
    rows.as_chunks::<5>().0.iter().for_each(|cards| tally(own, &pattern(cards), hands));
}

/// Adds the codes of at most 64 blocks to the tables of suits and of the orders of three and four.
fn count_codes(coded: &[[Row; CODES]], decks: u64, counts: &mut [u64]) {
    let mut minterms = Minterms::default();
    let mut count = |row: usize, own: &mut [u64]| {
        value_counts(&mut minterms, coded, |codes: &[Row; CODES]| &codes[row], own);
    };
    let (of_suits, of_orders) = counts.split_at_mut(TRIPLES * SUITS);
    for (triple, own) in of_suits.chunks_mut(SUITS).enumerate() {
        // What is none of 63 codes is the last one, or an empty lane.
        let before: u64 = own[..SUITS - 1].iter().sum();
        count(triple, &mut own[..SUITS - 1]);
        let added = own[..SUITS - 1].iter().sum::<u64>() - before;
        own[SUITS - 1] += decks - added;
    }
    let (of_three, of_four) = of_orders.split_at_mut(PATTERNS[0].2);
    (TRIPLES..TRIPLES + DECK_CARDS / 3).for_each(|row| count(row, of_three));
    (TRIPLES + DECK_CARDS / 3..CODES).for_each(|row| count(row, &mut of_four[..PATTERNS[1].2]));
}

/// The suits of three cards in base 4, in every lane.
#[inline(always)]
fn suits([first, second, third]: &[Row; 3]) -> Row {
    std::array::from_fn(|lane| (first[lane] & 3) << 4 | (second[lane] & 3) << 2 | third[lane] & 3)
}

/// The number of an order among t!, by Lehmer's code, in every lane.
#[inline(always)]
fn pattern(cards: &[Row]) -> Row {
    let mut number = [0u8; BLOCK_HANDS];
    for (i, card) in cards.iter().enumerate() {
        let mut smaller = [0; BLOCK_HANDS];
        cards[i + 1..].iter().for_each(|later| count_above(&mut smaller, card, later));
        let left = (cards.len() - i) as u8;
        for lane in 0..BLOCK_HANDS {
            number[lane] = number[lane] * left + smaller[lane];
        }
    }
    number
}

/// Three cards' suits in order as base-4 numbers, beside their expectations.
pub(in crate::battery) fn suit_cells(counts: &[u64], decks: u64) -> Cells {
    let expectation = |cell: usize| {
        let suits = [cell / 16, cell / 4 % 4, cell % 4];
        let left = |i: usize| 13 - suits[..i].iter().filter(|&&suit| suit == suits[i]).count();
        decks as f64 * (left(0) * left(1) * left(2)) as f64 / (52.0 * 51.0 * 50.0)
    };
    Cells { observed: counts.to_vec(), expected: (0..counts.len()).map(expectation).collect() }
}

/// The worst of some multinomials of one shape, if they are smooth enough for χ².
pub(in crate::battery) fn worst(part: &'static str, lines: Vec<Cells>) -> Option<Outcome> {
    if lines.iter().all(Cells::is_smooth) { table::worst_of(part, &lines) } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::battery::walk;
    use deckproof_deck::deck::Deck;

    fn pattern(cards: &[u8]) -> u8 {
        let rows: Vec<Row> = cards.iter().map(|&card| [card; BLOCK_HANDS]).collect();
        super::pattern(&rows)[BLOCK_HANDS - 1]
    }

    #[test]
    fn orders_of_four_have_their_own_numbers() {
        let mut seen = [false; 24];
        for word in 0..256u32 {
            let cards: Vec<u8> = (0..4).map(|i| (word >> (2 * i) & 3) as u8).collect();
            if (0..4).all(|card| cards.contains(&card)) {
                let number = usize::from(pattern(&cards));
                assert!(!std::mem::replace(&mut seen[number], true), "{cards:?}");
            }
        }
        assert_eq!(seen, [true; 24]);
        assert_eq!((pattern(&[1, 2, 3]), pattern(&[9, 4, 1])), (0, 5));
        assert_eq!(pattern(&[51, 40, 30, 20, 10]), 119);
    }

    /// Deck by deck, and by counting which later card is smaller.
    #[test]
    fn every_table_equals_looking_at_one_deck_after_another() {
        let (mut blocks, mut expected) = (Vec::new(), vec![0; FirstCards.cells()]);
        for orders in walk::sample::orders().collect::<Vec<_>>().chunks(61) {
            let mut block = DeckBlock::default();
            for order in orders {
                block.push(&Deck::try_from(&order[..]).expect("a permutation"));
                expected[DECK_CARDS * usize::from(order[0]) + usize::from(order[1])] += 1;
                for (triple, cards) in order.chunks_exact(3).enumerate() {
                    let suits = cards.iter().fold(0, |suits, card| 4 * suits + usize::from(card % 4));
                    expected[AT_SUITS + SUITS * triple + suits] += 1;
                }
                let mut at = AT_PATTERNS;
                for (length, _, orders) in PATTERNS {
                    for cards in order.chunks_exact(length) {
                        let later = |i: usize| cards[i + 1..].iter().filter(|&&c| c < cards[i]).count();
                        let number = (0..length).fold(0, |number, i| number * (length - i) + later(i));
                        expected[at + number] += 1;
                    }
                    at += orders;
                }
            }
            blocks.push(block);
        }
        let mut found = vec![0; FirstCards.cells()];
        FirstCards.observe(&blocks, &mut found);
        assert!(found == expected);
    }

    #[test]
    fn suit_probabilities_add_up_and_a_deck_fills_every_table() {
        let total: f64 = suit_cells(&[0; SUITS], 1).expected.iter().sum();
        assert!((total - 1.0).abs() < 1e-12);
        let counts = walk::sample::counts(&FirstCards, &[Deck::in_order()]);
        assert_eq!((counts[1], counts[AT_SUITS + 6], counts[AT_PATTERNS]), (1, 1, 17));
    }
}
