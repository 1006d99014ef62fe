//! Lags: where the cards of each place lie 2, 4, 8 and 16 decks later.
//!
//! Null: at every lag L the relative decks v_{t+L}∘c_t are independent and uniform, so that their place → place
//! table of N' links is that of card × place: `(51/52)·Σ(O − E)²/E` is χ²(2601), mean exactly 2601, variance
//! exactly 5202(1 − 1/N'). Lag 1 is card × place of the relative decks. Links stay inside a block of 64 decks, and
//! every second block of a segment of 65,536 decks is looked at, which is half the time. Parts: `lag-2` to
//! `lag-16`, and `max-cell`, the most extreme cell of the four by its exact binomial.

use crate::battery::kernel;
use crate::battery::nulls::table;
use crate::battery::outcome::Outcome;
use crate::battery::statistic::{About, Design, Scope, Statistic, about_and_cells};
use crate::battery::stream::{self, Sampling};
use crate::battery::tier::Tier;
use crate::math::bonferroni;
use deckproof_deck::card::DECK_CARDS;
use deckproof_deck::deck::block::{BLOCK_HANDS, DeckBlock};

pub(in crate::battery) struct Lags;

const ABOUT: About = About {
    id: "lags",
    version: 2,
    tier: Tier::Deep,
    title: "place → place at lags 2, 4, 8, 16",
    null: "A card comes from every place to every place equally often, 2, 4, 8 and 16 decks later.",
    source: "of v_{t+L}∘c_t inside every second block of 64 decks: (51/52)·Σ(O−E)²/E ~ χ²(2601), exact mean 2601 and variance \
             5202(1−1/N'); max-cell: 2·2704·P(Bin(N',1/52) as far out), Bonferroni (1936) over cells and lags",
    detects: "Memory of a few decks: compartments served in turn, decks that come back changed, weak generators.",
    decks_min: 12,
    design: Design { parts: LAGS.len() as u64 + 1, scope: Scope::Segment, ..Design::PLAIN },
};

/// Decks on, and the name of the part.
const LAGS: [(usize, &str); 4] = [(2, "lag-2"), (4, "lag-4"), (8, "lag-8"), (16, "lag-16")];

/// Every second block is looked at, the first of a segment among them.
const SAMPLING: Sampling = Sampling { first: 0, every: 2 };

const TABLE: usize = kernel::lags::CELLS;

/// Fewer links than this and their χ² says nothing.
const LINKS_MIN: u64 = 10;

impl Statistic for Lags {
    about_and_cells!(ABOUT, 1 + LAGS.len() * TABLE);

    /// Decks, then `52·before + after` of each lag.
    fn observe(&self, blocks: &[DeckBlock], counts: &mut [u64]) {
        assert_eq!(counts.len(), self.cells());
        let (decks, tables) = counts.split_first_mut().expect("the decks have a cell");
        *decks += stream::decks_of(blocks);
        let seen = blocks.iter().enumerate().filter(|(number, _)| SAMPLING.sees(*number));
        let seen: Vec<&DeckBlock> = seen.map(|(_, block)| block).collect();
        kernel::lags::place_to_place(&seen, &LAGS.map(|(lag, _)| lag), tables);
    }

    /// The p-values ask how uneven each table is and for its fullest and emptiest cell, never which they are.
    fn keep(&self, counts: &mut [u64]) {
        counts[1..].chunks_mut(TABLE).for_each(<[u64]>::sort_unstable);
    }

    /// A block of B decks has B − L links at lag L, and blocks hold at most 64: the further, the fewer.
    fn decks_in(&self, counts: &[u64]) -> Option<u64> {
        let decks = counts[0];
        let links: Option<Vec<u64>> = counts[1..].chunks(TABLE).map(table::decks_of_cells).collect();
        let is_possible = |(links, (lag, _)): (&u64, &(usize, &str))| {
            let block = BLOCK_HANDS as u128;
            u128::from(*links) * block <= u128::from(decks) * (block - *lag as u128)
        };
        let links = links?;
        let is_sound =
            links.windows(2).all(|pair| pair[0] >= pair[1]) && links.iter().zip(&LAGS).all(is_possible);
        is_sound.then_some(decks)
    }

    fn decks_read(&self, _part: &str, _counts: &[u64], decks: u64) -> u64 {
        SAMPLING.decks_of(decks)
    }

    fn outcomes(&self, counts: &[u64], _: u64) -> Vec<Outcome> {
        let links = |table: &[u64]| table::decks_of_cells(table).unwrap_or(0);
        let tables = LAGS.iter().zip(counts[1..].chunks(TABLE));
        let fed: Vec<_> = tables.filter(|(_, table)| links(table) >= LINKS_MIN).collect();
        let mut outcomes: Vec<Outcome> =
            fed.iter().map(|((_, part), table)| table::card_place_total(part, table, links(table))).collect();
        let cells = fed.iter().map(|(_, table)| {
            table::most_extreme_cell("max-cell", table.iter().copied(), links(table), 1.0 / DECK_CARDS as f64)
        });
        let chances = fed.len() as f64;
        let worst = cells.min_by(|a, b| a.p_value.total_cmp(&b.p_value));
        outcomes.extend(worst.map(|cell| Outcome { p_value: bonferroni(chances, cell.p_value), ..cell }));
        outcomes
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::battery::walk::sample::{counts, reversed};
    use deckproof_deck::deck::Deck;

    #[test]
    fn two_decks_in_turn_come_back_at_every_even_lag() {
        let mut counts = counts(&Lags, &[Deck::in_order(), reversed()].repeat(20));
        let outcomes = Lags.finish(&counts, 40);
        let parts: Vec<&str> = outcomes.iter().map(|outcome| outcome.part).collect();
        assert_eq!(parts, ["lag-2", "lag-4", "lag-8", "lag-16", "max-cell"]);
        // 38, 36, 32 and 24 links, each of score 51² as all are the same.
        for (outcome, links) in outcomes.iter().zip([38.0, 36.0, 32.0, 24.0]) {
            assert!((outcome.score / (2601.0 * links) - 1.0).abs() < 1e-12, "{}", outcome.score);
        }
        counts[0] = 39;
        assert_eq!(Lags.decks_in(&counts), None);
    }
}
