//! One place from deck to deck: gaps, collections, poker hands, serial correlation, runs.
//!
//! Null: the top cards of successive decks are independent and uniform. Parts: `gap`, decks from one spade on top
//! to the next, geometric with p = 1/4; `coupon-collector`, decks until all 13 ranks were on top, each the first G
//! of a segment of n decks, G fixed by n alone so that long ones are not left out; `poker`, distinct ranks among
//! five decks; `serial-correlation`, `Σ(2x_t − 51)(2x_{t+L} − 51)` of mean 0 and variance 901² a term, the worst of
//! L = 1..=100, bounded by Chernoff; `wald-wolfowitz`, changes between the halves of the pack at each of the 52
//! places, Bin(n − 1, 1/2) since a half is a fair coin, the worst place. Links do not cross a segment of 65,536
//! decks.

use std::sync::OnceLock;

use multiversion::multiversion;

use crate::battery::deck_to_deck::one_place::gaps::{collections, gaps};
use crate::battery::outcome::Outcome;
use crate::battery::statistic::{
    About, Design, SEGMENT_DECKS, Scope, Statistic, about_and_cells, checked_sum,
};
use crate::battery::stream;
use crate::battery::tier::Tier;
use crate::battery::view::Label;
use crate::math::distribution::Distribution;
use crate::math::multinomial::Cells;
use crate::math::{binomial, bonferroni, normal, product_sums};
use deckproof_deck::card::DECK_CARDS;
use deckproof_deck::deck::block::{BLOCK_HANDS, DeckBlock, Row};

mod gaps;

pub(in crate::battery) struct OnePlace;

const ABOUT: About = About {
    id: "one-place",
    version: 3,
    tier: Tier::Deep,
    title: "gaps, coupons, poker, serial correlation and runs from deck to deck",
    null: "The cards at one place of successive decks are independent and uniform.",
    source: "gap, coupon collector, poker, serial correlation: Knuth, TAOCP 2, 3.3.2 D, E, F, K; Pearson χ² of the first \
             G gaps, bound by Agrawal (2020); correlation bound by Chernoff (1952) of sub-Gaussian lines; Wald & Wolfowitz (1940), changes \
             Bin(n−1, 1/2); Bonferroni (1936) over 100 lags and 52 places",
    detects: "Numbers that hang together from deck to deck; cards carried over, avoided or recurring at a place.",
    decks_min: 10,
    design: Design { parts: 5, label: Label::Card, scope: Scope::Segment, ..Design::PLAIN },
};

const LAGS: usize = 100;

/// Fewer products than this at the longest lag and they are not yet normal.
const PRODUCTS_MIN: u64 = 200;

/// Decks in a poker hand.
const HAND: usize = 5;

/// Longest gap and collection with a cell of their own; the last cell holds all longer ones.
const GAP_CELLS: usize = 40;
const COLLECTION_CELLS: usize = 160;

const AT_GAPS: usize = 1;
const AT_COLLECTIONS: usize = AT_GAPS + GAP_CELLS;
const AT_POKER: usize = AT_COLLECTIONS + COLLECTION_CELLS;
const AT_PRODUCTS: usize = AT_POKER + HAND;
const AT_LINKS: usize = AT_PRODUCTS + 2 * LAGS;
const CELLS: usize = AT_LINKS + 1 + DECK_CARDS;

impl Statistic for OnePlace {
    about_and_cells!(ABOUT, CELLS);

    /// Decks; gaps 0, 1, …; collections of 13, 14, … decks; hands with 1 to 5 ranks; products and their sum as
    /// two's complement at each lag; links; changes at each place.
    fn observe(&self, blocks: &[DeckBlock], counts: &mut [u64]) {
        assert_eq!(counts.len(), CELLS);
        let top = |block: &DeckBlock| block.row(0)[..block.hands()].to_vec();
        let cards: Vec<u8> = blocks.iter().flat_map(top).collect();
        counts[0] += stream::decks_of(blocks);
        gaps(&cards, &mut counts[AT_GAPS..AT_COLLECTIONS]);
        collections(&cards, &mut counts[AT_COLLECTIONS..AT_POKER]);
        for hand in cards.chunks_exact(HAND) {
            let ranks = hand.iter().fold(0u16, |ranks, card| ranks | 1 << (card / 4));
            counts[AT_POKER + ranks.count_ones() as usize - 1] += 1;
        }
        let away: Vec<i16> = cards.iter().map(|&card| 2 * i16::from(card) - 51).collect();
        for (lag, cells) in (1..).zip(counts[AT_PRODUCTS..AT_LINKS].chunks_mut(2)) {
            let later = away.get(lag..).unwrap_or_default();
            cells[0] += later.len() as u64;
            cells[1] = cells[1].wrapping_add(products(&away, later) as u64);
        }
        let (links, changes) = counts[AT_LINKS..].split_first_mut().expect("the links have a cell");
        *links += cards.len().saturating_sub(1) as u64;
        add_changes(blocks, changes);
    }

    fn decks_in(&self, counts: &[u64]) -> Option<u64> {
        let (decks, links) = (counts[0], counts[AT_LINKS]);
        let are_fewer = |cells: &[u64]| checked_sum(cells).is_some_and(|sum| sum <= decks);
        let is_sound = are_fewer(&counts[AT_GAPS..AT_COLLECTIONS])
            && are_fewer(&counts[AT_COLLECTIONS..AT_POKER])
            && are_fewer(&counts[AT_POKER..AT_PRODUCTS])
            && counts[AT_PRODUCTS..AT_LINKS].chunks(2).all(|cells| cells[0] <= decks)
            && links <= decks
            && counts[AT_LINKS + 1..].iter().all(|&changes| changes <= links);
        is_sound.then_some(decks)
    }

    fn outcomes(&self, counts: &[u64], _: u64) -> Vec<Outcome> {
        let (gap_distribution, collection_distribution, poker_distribution) = distributions();
        let parts = [
            ("gap", gap_distribution, AT_GAPS..AT_COLLECTIONS),
            ("coupon-collector", collection_distribution, AT_COLLECTIONS..AT_POKER),
            ("poker", poker_distribution, AT_POKER..AT_PRODUCTS),
        ];
        let mut outcomes: Vec<Outcome> = parts
            .into_iter()
            .filter_map(|(part, distribution, cells)| shape(part, distribution, &counts[cells]))
            .collect();
        outcomes.extend(serial_correlation(&counts[AT_PRODUCTS..AT_LINKS], counts[0]));
        outcomes.push(wald_wolfowitz(counts[AT_LINKS], &counts[AT_LINKS + 1..]));
        outcomes
    }
}

/// The sum of the products of twice the distances from the middle, one by one as far as both go.
#[multiversion(targets("x86_64+avx512f+avx512bw+avx512vl", "x86_64+avx2", "aarch64+neon"))]
fn products(away: &[i16], later: &[i16]) -> i64 {
    let many = SEGMENT_DECKS as usize;
    // Each is 51² at most, and those of a segment fit into 32 bits.
    let sums = away.chunks(many).zip(later.chunks(many)).map(|(away, later)| {
        away.iter().zip(later).fold(0i32, |sum, (&x, &y)| sum + i32::from(x) * i32::from(y))
    });
    sums.map(i64::from).sum()
}

/// Changes between the halves of the pack from one deck to the next, at every place.
#[multiversion(targets("x86_64+avx2", "aarch64+neon"))]
fn add_changes(blocks: &[DeckBlock], changes: &mut [u64]) {
    let mut before: Option<&DeckBlock> = None;
    for block in blocks.iter().filter(|block| !block.is_empty()) {
        for (place, count) in changes.iter_mut().enumerate() {
            let last = before.map(|before| before.row(place)[before.hands() - 1]);
            *count += changes_in(last, block.row(place), block.hands());
        }
        before = Some(block);
    }
}

fn is_change(x: u8, y: u8) -> u8 {
    u8::from((x < 26) != (y < 26))
}

/// Changes from the last card of the row before on along a row.
#[inline(always)]
fn changes_in(last: Option<u8>, row: &Row, hands: usize) -> u64 {
    let mut next = *row;
    next[..BLOCK_HANDS - 1].copy_from_slice(&row[1..]);
    let inside: u8 = row.iter().zip(&next).map(|(&x, &y)| is_change(x, y)).sum();
    // Empty lanes follow one another without a change, but the first of them follows a card.
    let behind = row.get(hands).map_or(0, |&empty| is_change(row[hands - 1], empty));
    u64::from(inside - behind) + last.map_or(0, |last| u64::from(is_change(last, row[0])))
}

/// Of gaps, of collections, and of ranks in a poker hand.
fn distributions() -> &'static (Distribution, Distribution, Distribution) {
    static DISTRIBUTIONS: OnceLock<(Distribution, Distribution, Distribution)> = OnceLock::new();
    DISTRIBUTIONS.get_or_init(|| {
        (
            gaps::gap_distribution(GAP_CELLS),
            gaps::collection_distribution(COLLECTION_CELLS),
            gaps::poker_distribution(),
        )
    })
}

/// Pearson's χ² of the pooled cells.
fn shape(part: &'static str, distribution: &Distribution, counts: &[u64]) -> Option<Outcome> {
    let cells = Cells::of_distribution(distribution, counts).pooled();
    cells.is_smooth().then(|| Outcome::pearson(part, &cells))
}

/// The lag furthest from no correlation, of `decks` decks.
fn serial_correlation(cells: &[u64], decks: u64) -> Option<Outcome> {
    // Var(2X − 51) = 4·225.25.
    const VARIANCE: f64 = 901.0;
    if cells.chunks(2).any(|cells| cells[0] < PRODUCTS_MIN) {
        return None;
    }
    let sum = |cells: &[u64]| cells[1] as i64 as f64 / VARIANCE;
    let standardised = |cells: &[u64]| (sum(cells) / (cells[0] as f64).sqrt(), sum(cells));
    let (z, sum) = cells.chunks(2).map(standardised).max_by(|a, b| a.0.abs().total_cmp(&b.0.abs()))?;
    // At each lag the decks of a segment are lines of their own; together they are as many numbers as there are decks.
    let bound = 2.0 * libm::exp(product_sums::ln_bound(decks as f64, sum.abs()));
    Some(
        Outcome::bound("serial-correlation", "z", z, bonferroni(LAGS as f64, normal::two_sided(z)))
            .bounded_by(bonferroni(LAGS as f64, bound)),
    )
}

/// The place whose changes between halves are furthest from one half of the links.
fn wald_wolfowitz(links: u64, changes: &[u64]) -> Outcome {
    let excess = |count: u64| (2 * i128::from(count) - i128::from(links)).unsigned_abs();
    let worst = changes.iter().copied().max_by_key(|&count| excess(count)).unwrap_or(0);
    let p_value = if links == 0 { 1.0 } else { binomial::p_value(links, 0.5, worst) };
    Outcome::bound("wald-wolfowitz", "changes", worst as f64, bonferroni(DECK_CARDS as f64, p_value))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::battery::walk;
    use deckproof_deck::deck::Deck;

    /// What convicts: 100 lags, two sides, and the least of the bounds on a grid of its own.
    #[test]
    fn the_bound_of_the_correlation_counts_lags_and_sides() {
        for (decks, sum) in [(1_000u64, 200_000i64), (1_000, -200_000), (65_536, 2_000_000), (500, 10_000)] {
            let mut cells = vec![0; 2 * LAGS];
            (1..).zip(cells.chunks_mut(2)).for_each(|(lag, cells)| cells[0] = decks - lag);
            cells[2 * 41 + 1] = sum as u64;
            let outcome = serial_correlation(&cells, decks).expect("it is fed");
            let x = sum.unsigned_abs() as f64 / 901.0;
            let root = |tau: f64| 0.5 + 0.5 * (1.0 - 4.0 * tau * tau).sqrt();
            let grid = (1..50_000).map(|i| f64::from(i) * 1e-5);
            let least =
                grid.map(|tau| -tau * x - 0.5 * decks as f64 * libm::log(root(tau))).fold(0.0, f64::min);
            let wanted = (100.0 * 2.0 * libm::exp(least)).min(1.0);
            let bound = outcome.p_value_bound.expect("the correlation has a bound");
            assert!(
                (bound / wanted - 1.0).abs() < 0.01,
                "{decks} decks, sum {sum}: {bound:e} for {wanted:e}"
            );
            assert!(bound >= outcome.p_value, "a bound that lies below the p-value bounds nothing");
        }
    }

    #[test]
    fn changes_and_products_equal_looking_from_deck_to_deck() {
        let orders: Vec<walk::Order> = walk::sample::orders().take(150).collect();
        // Blocks of 63, and a last one that is shorter.
        let block = |orders: &[walk::Order]| {
            let mut block = DeckBlock::default();
            orders.iter().for_each(|order| block.push(&Deck::try_from(&order[..]).expect("a permutation")));
            block
        };
        let blocks: Vec<DeckBlock> = orders.chunks(63).map(block).collect();
        let mut counts = vec![0; CELLS];
        OnePlace.observe(&blocks, &mut counts);
        assert_eq!(counts[AT_LINKS], 149);
        for place in 0..DECK_CARDS {
            let is_change = |pair: &&[walk::Order]| (pair[0][place] < 26) != (pair[1][place] < 26);
            let plain = orders.windows(2).filter(is_change).count() as u64;
            assert_eq!(counts[AT_LINKS + 1 + place], plain, "place {place}");
        }
        for lag in 1..=LAGS {
            let away = |order: &walk::Order| 2 * i64::from(order[0]) - 51;
            let plain: i64 = (lag..150).map(|deck| away(&orders[deck]) * away(&orders[deck - lag])).sum();
            let cells = &counts[AT_PRODUCTS + 2 * (lag - 1)..][..2];
            assert_eq!((cells[0] as usize, cells[1] as i64), (150 - lag, plain), "lag {lag}");
        }
    }
}
