//! Start orders: what a deck looks like to a dealer who numbers the cards another way.
//!
//! Null: cards renamed by any fixed order leave a deck uniform, so that its rising sequences, cycles, fixed points
//! and exceedances have their exact distributions. Parts of each: χ² of the histogram, the mean, the most extreme
//! deck, the worst of six start orders by Bonferroni: by ranks or by suits with aces high or low, a new pack as
//! makers in the United States print it (spades and diamonds from the ace up, clubs and hearts from the king down),
//! and that turned over; these go by rank and suit, whatever start order the plan names for the other statistics.
//! Of a segment of 65,536 decks the first 16 blocks of 64 and then every 16th are looked at.

use crate::battery::kernel;
use crate::battery::nulls::histogram::{self, Names, names};
use crate::battery::outcome::Outcome;
use crate::battery::pack::{ORDERS, renamed};
use crate::battery::statistic::{About, Design, Scope, Statistic, about_and_cells, checked_sum};
use crate::battery::stream::{self, Sampling};
use crate::battery::tier::Tier;
use crate::battery::view::Label;
use crate::math::distribution::Distribution;
use crate::math::permutation;
use deckproof_deck::card::DECK_CARDS;
use deckproof_deck::deck::block::DeckBlock;

pub(in crate::battery) struct StartOrders;

const ABOUT: About = About {
    id: "start-orders",
    version: 3,
    tier: Tier::Deep,
    title: "order of the cards by other start orders",
    null: "Rising sequences, cycles and exceedances are those of a uniform permutation, whatever the order of a new deck.",
    source: "descents, Stirling and Eulerian numbers, fixed points (de Montmort 1713) of σ∘c for six usual start orders σ; \
             histogram: Pearson χ² of cells expecting 10, bound by Agrawal (2020); mean: saddle point (Lugannani & Rice \
             1980), bound by Chernoff (1952); extreme: 1−(1−q)^N; Bonferroni (1936) over orders",
    detects: "Too few riffles of a new pack, wrong cycle types and lopsided swaps where cards are numbered another way.",
    decks_min: 1,
    design: Design {
        parts: 3 * PARTS.len() as u64,
        label: Label::Card,
        scope: Scope::Segment,
        ..Design::OF_DECKS
    },
};

/// Values 0..=52 of cycles and fixed points, 0..=51 of rising sequences less one and of exceedances.
const CYCLES: usize = DECK_CARDS + 1;
const OF_ORDER: usize = 2 * CYCLES + 2 * DECK_CARDS;

/// Blocks at the beginning of a segment that are all looked at, and the step from there on.
const SAMPLING: Sampling = Sampling { first: 16, every: 16 };

/// One number of a deck: where its histogram begins and ends, its names, its distribution.
struct Part {
    cells: std::ops::Range<usize>,
    names: Names,
    distribution: fn() -> &'static Distribution,
}

const PARTS: [Part; 4] = [
    Part {
        cells: 0..DECK_CARDS,
        names: names!("rising", "rising sequences"),
        distribution: permutation::rising_sequences,
    },
    Part {
        cells: DECK_CARDS..2 * DECK_CARDS,
        names: names!("exceedances", "exceedances"),
        distribution: permutation::descents,
    },
    Part {
        cells: 2 * DECK_CARDS..2 * DECK_CARDS + CYCLES,
        names: names!("cycles", "cycles"),
        distribution: permutation::cycles,
    },
    Part {
        cells: 2 * DECK_CARDS + CYCLES..OF_ORDER,
        names: names!("fixed-points", "fixed points"),
        distribution: permutation::fixed_points,
    },
];

impl Statistic for StartOrders {
    about_and_cells!(ABOUT, 1 + ORDERS.len() * OF_ORDER);

    /// Decks; then for every order those looked at by rising sequences less one, exceedances, cycles, fixed points.
    fn observe(&self, blocks: &[DeckBlock], counts: &mut [u64]) {
        assert_eq!(counts.len(), self.cells());
        counts[0] += stream::decks_of(blocks);
        let seen = blocks.iter().enumerate().filter(|(number, _)| SAMPLING.sees(*number));
        for (_, block) in seen {
            for (order, histograms) in ORDERS.iter().zip(counts[1..].chunks_mut(OF_ORDER)) {
                count(&renamed(block, *order), histograms);
            }
        }
    }

    fn decks_in(&self, counts: &[u64]) -> Option<u64> {
        let decks = counts[0];
        let sums: Option<Vec<u64>> = counts[1..]
            .chunks(OF_ORDER)
            .flat_map(|order| PARTS.iter().map(move |part| checked_sum(&order[part.cells.clone()])))
            .collect();
        let sums = sums?;
        (sums[0] <= decks && sums.iter().all(|&other| other == sums[0])).then_some(decks)
    }

    /// Those of the blocks that were looked at.
    fn decks_read(&self, _part: &str, counts: &[u64], _decks: u64) -> u64 {
        counts[1..][PARTS[0].cells.clone()].iter().sum()
    }

    fn extreme_cell(&self, part: &str, counts: &[u64]) -> Option<usize> {
        let own = PARTS.iter().find(|own| own.names.extreme == part)?;
        let of_order = |order: usize| {
            let first = 1 + order * OF_ORDER + own.cells.start;
            let cells = &counts[first..first + own.cells.len()];
            histogram::extreme_cell((own.distribution)(), cells)
                .map(|(cell, p_value)| (first + cell, p_value))
        };
        let worst = (0..ORDERS.len()).filter_map(of_order).min_by(|a, b| a.1.total_cmp(&b.1));
        worst.map(|(cell, _)| cell)
    }

    fn outcomes(&self, counts: &[u64], _: u64) -> Vec<Outcome> {
        let of_order = |order: &[u64]| -> Vec<Outcome> {
            let of_part = |part: &Part| {
                histogram::outcomes((part.distribution)(), &order[part.cells.clone()], &part.names)
            };
            PARTS.iter().flat_map(of_part).collect()
        };
        histogram::worst_of_each(counts[1..].chunks(OF_ORDER).map(of_order).collect())
    }
}

fn count(block: &DeckBlock, histograms: &mut [u64]) {
    let blocks = std::slice::from_ref(block);
    let (rising, rest) = histograms.split_at_mut(DECK_CARDS);
    let (exceedances, rest) = rest.split_at_mut(DECK_CARDS);
    let (cycles, fixed_points) = rest.split_at_mut(CYCLES);
    kernel::inverse_descents::inverse_descents(blocks, rising);
    kernel::tally(exceedances, &kernel::exceedances::exceedances(block.rows()), block.hands());
    kernel::cycles::cycles(blocks, cycles, fixed_points);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::battery::walk::sample::{counts, deck, outcome};

    /// The pack of each order in its order, dealt by one exact cut: two rising sequences where it is numbered so, and
    /// many where it is numbered as cards are here.
    #[test]
    fn a_cut_new_pack_is_seen_by_its_order() {
        for (place, order) in ORDERS.iter().enumerate() {
            let mut cards: Vec<u8> = (0..52).collect();
            cards.sort_by_key(|&card| order(usize::from(card) / 4, usize::from(card) % 4));
            cards.rotate_left(20);
            let mut counts = counts(&StartOrders, &[deck(&cards); 12]);
            assert_eq!(counts[1 + place * OF_ORDER + 1], 12, "one descent of the inverse");
            let bound = outcome(&StartOrders.finish(&counts, 12), "rising-mean").p_value_bound;
            assert!(bound.expect("it has one") < 1e-100);
            counts[1] += 1;
            assert_eq!(StartOrders.decks_in(&counts), None);
        }
    }
}
