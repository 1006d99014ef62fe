//! Digits: the numbers a Fisher–Yates dealer must have drawn, eight ways, and the biases of cheap draws.
//!
//! Null: the digits of base m = 2..=52 are independent and uniform. Parts: `total`, the sum of the χ²(m−1)
//! of all bases, χ²(1326) with exact mean and variance 2652(1 − 1/N); `each-base`, the worst of the exact
//! multinomials that N can feed; `modulo-b` and `scaling-b`, the matched filters of b-bit words; `modulo-of-w` and
//! `scaling-of-w`, those of decimal fractions. How far a digit moves to the next deck of its block, modulo its
//! base, is as uniform and as independent: `moves-total` and `moves-each-base`. Filters take as
//! many decks as would move them by two standard deviations.

use crate::battery::draws::filters::{self, filter_parts};
use crate::battery::kernel::digits::{self, Way, offset};
use crate::battery::kernel::undo::{self, Digits};
use crate::battery::nulls::table;
use crate::battery::outcome::Outcome;
use crate::battery::statistic::{About, Design, Statistic, about_and_cells, common_sum};
use crate::battery::stream::from_the_end;
use crate::battery::tier::Tier;
use crate::math::multinomial::{Cells, EXPECTATION_MIN};
use deckproof_deck::card::DECK_CARDS;
use deckproof_deck::deck::block::{BLOCK_HANDS, DeckBlock, Row};
use deckproof_deck::deck::inverse::inverse;
use deckproof_deck::deck::orders::{Decks, fill_block};

/// The downward swaps, which most dealers use.
pub(in crate::battery) struct Down;

/// The other ways: some share the inverse decks, the last ones see the decks from the end.
pub(in crate::battery) struct Ways;

const SOURCE: &str = "bijection of orders and digits (Lehmer 1960; Durstenfeld 1964); total: Σ_m χ²(m−1) ~ χ²(1326), \
                      exact mean and variance; each-base: Pearson χ², bound by Agrawal (2020); filters: \
                      Neyman & Pearson (1933) score z = Σ w·n/√(N Σ_m (1/m) Σ_d w²), bound by Chernoff (1952)";

const DOWN: About = About {
    id: "digits-down",
    version: 6,
    tier: Tier::Deep,
    title: "draws of a swapping shuffle, last card first",
    null: "The numbers a Fisher–Yates shuffle must have drawn, and their moves to the next deck, are independent \
           and uniform.",
    source: SOURCE,
    detects: "Faulty draws of a swapping dealer: wrong ranges, rounding, modulo bias, scaled words, draws that follow \
           those of the deck before.",
    decks_min: 10,
    design: Design { family: Some(FAMILY), ..Design::PLAIN },
};

const WAYS: About = About {
    id: "digits-ways",
    version: 6,
    tier: Tier::Deep,
    title: "draws of a shuffle, undone in seven other ways",
    null: "The numbers a Fisher–Yates shuffle must have drawn, and their moves to the next deck, are independent \
           and uniform.",
    source: SOURCE,
    detects: "Faulty draws of a swapping or bag dealer: wrong ranges, rounding, modulo bias, scaled words, draws that \
           follow those of the deck before.",
    decks_min: 10,
    design: Design { family: Some(FAMILY), ..Design::PLAIN },
};

/// The eight ways are functions of the same deck and share one level.
const FAMILY: &str = "digits";

/// What the parts of one table are called.
struct Parts {
    total: &'static str,
    each_base: &'static str,
    filters: filters::Parts,
    moves_total: &'static str,
    moves_each_base: &'static str,
}

/// The names of the parts behind a prefix.
macro_rules! parts {
    ($way:literal) => {
        Parts {
            total: concat!($way, "total"),
            each_base: concat!($way, "each-base"),
            filters: filter_parts!($way),
            moves_total: concat!($way, "moves-total"),
            moves_each_base: concat!($way, "moves-each-base"),
        }
    };
}

/// The ways in the order of their tables: two of the deck, three of its inverse, two of the deck from the end.
const WAYS_PARTS: [Parts; 7] = [
    parts!("up-"),
    parts!("bag-"),
    parts!("down-inverse-"),
    parts!("up-inverse-"),
    parts!("bag-inverse-"),
    parts!("down-from-the-end-"),
    parts!("up-from-the-end-"),
];

impl Statistic for Down {
    about_and_cells!(DOWN, CELLS);

    fn parts(&self, decks: u64) -> u64 {
        parts_of_way(decks)
    }

    /// `counts[m(m−1)/2 + d]` for digit d of base m; base 1 has one cell and counts the decks. Then the
    /// same for the moves.
    fn observe(&self, blocks: &[DeckBlock], counts: &mut [u64]) {
        assert_eq!(counts.len(), self.cells());
        count(blocks, undo::down, counts);
    }

    fn keep(&self, counts: &mut [u64]) {
        keep(counts);
    }

    fn decks_in(&self, counts: &[u64]) -> Option<u64> {
        decks_in(counts)
    }

    fn outcomes(&self, counts: &[u64], _: u64) -> Vec<Outcome> {
        outcomes(&parts!(""), counts)
    }
}

impl Statistic for Ways {
    about_and_cells!(WAYS, WAYS_PARTS.len() * CELLS);

    fn parts(&self, decks: u64) -> u64 {
        WAYS_PARTS.len() as u64 * parts_of_way(decks)
    }

    /// Two tables like those of the downward swaps for each way.
    fn observe(&self, blocks: &[DeckBlock], counts: &mut [u64]) {
        let mut inverses = vec![DeckBlock::default(); blocks.len()];
        blocks.iter().zip(&mut inverses).for_each(|(block, out)| inverse(block, out));
        self.count(blocks, &inverses, counts);
    }

    fn observe_orders(&self, blocks: &[DeckBlock], decks: Decks, counts: &mut [u64]) {
        let mut inverses = vec![DeckBlock::default(); blocks.len()];
        let orders = decks.inverses.chunks(BLOCK_HANDS);
        orders.zip(&mut inverses).for_each(|(orders, out)| fill_block(orders, out));
        self.count(blocks, &inverses, counts);
    }

    fn keep(&self, counts: &mut [u64]) {
        counts.chunks_mut(CELLS).for_each(keep);
    }

    fn decks_in(&self, counts: &[u64]) -> Option<u64> {
        let mut decks = counts.chunks(CELLS).map(decks_in);
        let first = decks.next().flatten()?;
        decks.all(|other| other == Some(first)).then_some(first)
    }

    fn outcomes(&self, counts: &[u64], _: u64) -> Vec<Outcome> {
        let tables = WAYS_PARTS.iter().zip(counts.chunks(CELLS));
        tables.flat_map(|(parts, counts)| outcomes(parts, counts)).collect()
    }
}

impl Ways {
    /// The ways in the order of [`WAYS_PARTS`].
    fn count(&self, blocks: &[DeckBlock], inverses: &[DeckBlock], counts: &mut [u64]) {
        assert_eq!(counts.len(), self.cells());
        let ways: [(&[DeckBlock], Way); 7] = [
            (blocks, undo::up),
            (blocks, undo::lehmer),
            (inverses, undo::down),
            (inverses, undo::up),
            (inverses, undo::lehmer),
            (blocks, down_from_the_end),
            (blocks, up_from_the_end),
        ];
        for ((blocks, way), table) in ways.into_iter().zip(counts.chunks_exact_mut(CELLS)) {
            count(blocks, way, table);
        }
    }
}

fn down_from_the_end(rows: &[Row; DECK_CARDS], digits: &mut Digits) {
    undo::down(&from_the_end(rows), digits);
}

fn up_from_the_end(rows: &[Row; DECK_CARDS], digits: &mut Digits) {
    undo::up(&from_the_end(rows), digits);
}

/// Of one way: the totals and worst bases of digits and moves, and what the filters hear.
fn parts_of_way(decks: u64) -> u64 {
    4 + filters::heard_in(decks)
}

/// Digits and moves of one way.
const CELLS: usize = 2 * digits::CELLS;

fn count(blocks: &[DeckBlock], way: Way, counts: &mut [u64]) {
    let (counts, moves) = counts.split_at_mut(digits::CELLS);
    digits::digits_and_moves(blocks, way, counts, moves);
}

/// Where every move is expected so often that no cells are joined, the p-values ask how uneven the moves of each base are,
/// never which: they go up in odd bases and down in even ones, so that the next base begins near the end of the last.
fn keep(counts: &mut [u64]) {
    let moves = &mut counts[digits::CELLS..];
    if (moves[0] as f64) < EXPECTATION_MIN * DECK_CARDS as f64 {
        return;
    }
    for base in 1..=DECK_CARDS {
        let own = &mut moves[offset(base)..offset(base) + base];
        own.sort_unstable();
        if base % 2 == 0 {
            own.reverse();
        }
    }
}

/// Every block of decks has one move fewer, and blocks hold at most 64.
fn decks_in(counts: &[u64]) -> Option<u64> {
    let (counts, moves) = counts.split_at(digits::CELLS);
    let (decks, pairs) = (decks_of(counts)?, decks_of(moves)?);
    let blocks = decks.checked_sub(pairs)?;
    (blocks >= decks.div_ceil(BLOCK_HANDS as u64)).then_some(decks)
}

/// The sum that all bases of a table share, if they share one.
fn decks_of(counts: &[u64]) -> Option<u64> {
    common_sum((1..=DECK_CARDS).map(|base| cells(counts, base).iter().copied()))
}

fn cells(counts: &[u64], base: usize) -> &[u64] {
    &counts[offset(base)..offset(base) + base]
}

fn outcomes(parts: &Parts, counts: &[u64]) -> Vec<Outcome> {
    let (counts, moves) = counts.split_at(digits::CELLS);
    let mut outcomes = vec![total(parts.total, counts)];
    outcomes.extend(each_base(parts.each_base, counts));
    outcomes.extend(filters::outcomes(&parts.filters, counts));
    outcomes.push(total(parts.moves_total, moves));
    outcomes.extend(each_base(parts.moves_each_base, moves));
    outcomes
}

fn total(part: &'static str, counts: &[u64]) -> Outcome {
    let score = (2..=DECK_CARDS).map(|base| Cells::uniform(cells(counts, base)).pearson()).sum();
    let decks = counts[0] as f64;
    table::quadratic(part, score, (digits::CELLS - DECK_CARDS) as f64, decks / DECK_CARDS as f64)
}

fn each_base(part: &'static str, counts: &[u64]) -> Option<Outcome> {
    let bases: Vec<Vec<u64>> = (2..=DECK_CARDS).map(|base| cells(counts, base).to_vec()).collect();
    table::worst_line(part, &bases)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::battery::undone;
    use crate::battery::walk::sample::{counts, dealt};
    use crate::math::gamma::ln_factorial;

    #[test]
    fn seven_tables_are_those_of_the_seven_ways_deck_by_deck() {
        let decks = dealt("certified", 0..147);
        let ways = [
            undone::up,
            undone::lehmer,
            undone::down_inverse,
            undone::up_inverse,
            undone::lehmer_inverse,
            undone::down_from_the_end,
            undone::up_from_the_end,
        ];
        let mut expected = vec![0; Ways.cells()];
        for (way, table) in ways.iter().zip(expected.chunks_mut(2 * 1378)) {
            for block in decks.chunks(64) {
                let digits: Vec<_> = block.iter().map(|deck| way(deck.indices())).collect();
                for base in 1..=52 {
                    let first = base * (base - 1) / 2;
                    let of_base = |deck: usize| usize::from(digits[deck][base]);
                    (0..digits.len()).for_each(|deck| table[first + of_base(deck)] += 1);
                    (1..digits.len()).for_each(|deck| {
                        table[1378 + first + (base + of_base(deck) - of_base(deck - 1)) % base] += 1;
                    });
                }
            }
        }
        assert!(counts(&Ways, &decks) == expected);
    }

    #[test]
    fn decks_are_read_from_the_digits_and_impossible_moves_refused() {
        assert_eq!(Down.decks_in(&vec![0; Down.cells()]), Some(0));
        let mut counts = counts(&Down, &dealt("certified", 0..147));
        assert_eq!(counts[1378], 144);
        // One move more in every base: then 147 decks would lie in two blocks of 64.
        (1..=52).for_each(|base| counts[1378 + base * (base - 1) / 2] += 1);
        assert_eq!(Down.decks_in(&counts), None);
    }

    /// The digits of every base as evenly as so many decks can have them: independent multinomials, of which the χ² of all
    /// has no smaller p-value than they are likely, but where both are below what is printed.
    #[test]
    fn the_most_even_digits_are_no_rarer_than_their_p_value() {
        for decks in 10..=2_000u64 {
            let mut counts = vec![0; digits::CELLS];
            let mut ln_exact = 0.0;
            for base in 1..=DECK_CARDS {
                let (n, more) = (base as u64, decks % base as u64);
                let own = &mut counts[offset(base)..offset(base) + base];
                own.iter_mut().zip(0..).for_each(|(count, cell)| *count = decks / n + u64::from(cell < more));
                let ways = ln_factorial(n) - ln_factorial(more) - ln_factorial(n - more);
                let points: f64 = own.iter().map(|&count| ln_factorial(count)).sum();
                ln_exact += ways + ln_factorial(decks) - points - decks as f64 * libm::log(n as f64);
            }
            let p_value = total("total", &counts).p_value;
            assert!(
                ln_exact < -690.0 || libm::log(p_value) >= ln_exact,
                "{decks}: {p_value:e} for e^{ln_exact}"
            );
        }
    }
}
