//! A statistic made of numbers of one deck whose exact distributions are known: a name and a distribution each, and how
//! they are counted.

use crate::battery::kernel::planes::{BLOCKS, Minterms};
use crate::battery::kernel::value_counts::{VALUES, value_counts};
use crate::battery::lists::List;
use crate::battery::nulls::histogram::{self, Names};
use crate::battery::outcome::Outcome;
use crate::battery::statistic::{About, Statistic, common_sum};
use crate::math::distribution::Distribution;
use deckproof_deck::card::DECK_CARDS;
use deckproof_deck::deck::block::{BLOCK_HANDS, DeckBlock, EMPTY_LANE, Row};
use deckproof_deck::deck::orders::Decks;

/// A number of one deck.
pub(in crate::battery) struct Number {
    /// What its parts are called.
    names: Names,
    /// Its distribution under the null.
    distribution: fn() -> &'static Distribution,
    /// What two sets of decks are compared by, where they are.
    list: Option<&'static str>,
}

impl Number {
    pub(in crate::battery) const fn of(names: Names, distribution: fn() -> &'static Distribution) -> Number {
        Number { names, distribution, list: None }
    }

    pub(in crate::battery) const fn compared_by(self, list: &'static str) -> Number {
        Number { list: Some(list), ..self }
    }
}

/// How decks are counted.
pub(in crate::battery) enum Count {
    /// For each number its value of the deck in every lane.
    Lanes(&'static [fn(&[Row; DECK_CARDS]) -> Row]),
    /// All numbers at once, of decks side by side or one by one.
    Decks { blocks: fn(&[DeckBlock], &mut [u64]), orders: Option<fn(Decks, &mut [u64])> },
}

/// A statistic that keeps a histogram of each number, one after another, each from its distribution's first value.
pub(in crate::battery) struct Numbers {
    /// What it is.
    pub(in crate::battery) about: &'static About,
    /// What it measures.
    pub(in crate::battery) numbers: &'static [Number],
    /// How it counts them.
    pub(in crate::battery) count: Count,
}

impl Numbers {
    /// Each number with its own counts.
    fn with_counts<'a>(&'a self, mut counts: &'a [u64]) -> impl Iterator<Item = (&'a Number, &'a [u64])> {
        self.numbers.iter().map(move |number| {
            let (own, rest) = counts.split_at((number.distribution)().points().len());
            counts = rest;
            (number, own)
        })
    }
}

impl Statistic for Numbers {
    fn about(&self) -> &'static About {
        self.about
    }

    fn cells(&self) -> usize {
        self.numbers.iter().map(|number| (number.distribution)().points().len()).sum()
    }

    fn parts(&self, _: u64) -> u64 {
        3 * self.numbers.len() as u64
    }

    fn observe(&self, blocks: &[DeckBlock], counts: &mut [u64]) {
        assert_eq!(counts.len(), self.cells());
        let measures = match self.count {
            Count::Lanes(measures) => measures,
            Count::Decks { blocks: count, .. } => return count(blocks, counts),
        };
        let (mut counts, mut minterms) = (counts, Minterms::default());
        for (number, measure) in self.numbers.iter().zip(measures) {
            let distribution = (number.distribution)();
            let (own, rest) = counts.split_at_mut(distribution.points().len());
            for blocks in blocks.chunks(BLOCKS) {
                let mut measured = [[EMPTY_LANE; BLOCK_HANDS]; BLOCKS];
                for (row, block) in measured.iter_mut().zip(blocks) {
                    row[..block.hands()].copy_from_slice(&measure(block.rows())[..block.hands()]);
                }
                let mut counted = [0; VALUES];
                value_counts(&mut minterms, &measured[..blocks.len()], |row: &Row| row, &mut counted);
                let values = &counted[distribution.first() as usize..];
                own.iter_mut().zip(values).for_each(|(count, counted)| *count += counted);
            }
            counts = rest;
        }
    }

    fn observe_orders(&self, blocks: &[DeckBlock], decks: Decks, counts: &mut [u64]) {
        assert_eq!(counts.len(), self.cells());
        match self.count {
            Count::Decks { orders: Some(count), .. } => count(decks, counts),
            _ => self.observe(blocks, counts),
        }
    }

    fn decks_in(&self, counts: &[u64]) -> Option<u64> {
        common_sum(self.with_counts(counts).map(|(_, own)| own.iter().copied()))
    }

    fn extreme_cell(&self, part: &str, counts: &[u64]) -> Option<usize> {
        let mut first = 0;
        for (number, own) in self.with_counts(counts) {
            if number.names.extreme == part {
                let (cell, _) = histogram::extreme_cell((number.distribution)(), own)?;
                return Some(first + cell);
            }
            first += own.len();
        }
        None
    }

    fn lists(&self) -> Vec<List> {
        let mut cells = 0..0;
        let list = |number: &Number| {
            let distribution = (number.distribution)();
            cells = cells.end..cells.end + distribution.points().len();
            let first = distribution.first() as usize;
            number.list.map(|name| List::new(name, cells.clone(), |value| (first + value).to_string()))
        };
        self.numbers.iter().filter_map(list).collect()
    }

    fn outcomes(&self, counts: &[u64], _: u64) -> Vec<Outcome> {
        self.with_counts(counts)
            .flat_map(|(number, own)| histogram::outcomes((number.distribution)(), own, &number.names))
            .collect()
    }
}
