//! P-values shared by square tables of counts.

use crate::battery::outcome::{Outcome, Spread};
use crate::battery::statistic::{checked_sum, common_sum};
use crate::battery::tail::Tail;
use crate::math::lattice::EqualCells;
use crate::math::multinomial::{Cells, EXPECTATION_LARGE};
use crate::math::{binomial, bonferroni, chi_squared, hypergeometric, two_sided};
use deckproof_deck::card::DECK_CARDS;

/// The sum that all rows and columns of a square table share, if they share one.
pub(in crate::battery) fn common_margin(counts: &[u64], side: usize) -> Option<u64> {
    let by_rows = common_sum(counts.chunks(side).map(|row| row.iter().copied()))?;
    let by_columns = common_sum((0..side).map(|column| counts.iter().skip(column).step_by(side).copied()))?;
    (by_rows == by_columns).then_some(by_rows)
}

/// How many decks the cells of a card × place table hold, whatever their order; `None` if it is no whole number.
pub(in crate::battery) fn decks_of_cells(counts: &[u64]) -> Option<u64> {
    let sum = checked_sum(counts)?;
    sum.is_multiple_of(DECK_CARDS as u64).then_some(sum / DECK_CARDS as u64)
}

/// A quadratic form that is χ² of `freedom` for many decks, its cells expecting `expectation` each.
pub(in crate::battery) fn quadratic(
    part: &'static str,
    score: f64,
    freedom: f64,
    expectation: f64,
) -> Outcome {
    let p_value = chi_squared::p_value(freedom, score);
    let tail = Tail::large_if(expectation >= EXPECTATION_LARGE);
    Outcome::smooth(part, format!("χ²({freedom})"), score, p_value, tail)
}

/// The squares of counts in equally probable cells, χ² on a lattice, the scarcer cards expected `expectation` times.
pub(in crate::battery) fn equal_cells(
    part: &'static str,
    cells: &EqualCells,
    squares: f64,
    expectation: f64,
) -> Outcome {
    let (lower, upper) = cells.tails(squares);
    Outcome {
        p_value: two_sided(lower, upper),
        spread: Spread::Steps { lower, upper },
        ..quadratic(part, squares / cells.spread, cells.cells as f64 - 1.0, expectation)
    }
}

/// `(51/52)·Σ(O − E)²/E` of a card × place table of `decks` decks.
pub(in crate::battery) fn card_place_total(part: &'static str, counts: &[u64], decks: u64) -> Outcome {
    let cards = DECK_CARDS as f64;
    let expected = decks as f64 / cards;
    let squares: f64 = counts.iter().map(|&count| (count as f64 - expected).powi(2)).sum();
    quadratic(part, (cards - 1.0) / cards * squares / expected, (cards - 1.0).powi(2), expected)
}

/// Whether two groups of decks have one distribution of class × place, `classes` classes of equally many cards:
/// `(51/52)·Σ_g Σ (O_g − N_g·O/N)²/(N_g/classes)`, χ² of 51·(classes − 1). Both are counted alike.
pub(in crate::battery) fn two_groups(
    part: &'static str,
    groups: [&[u64]; 2],
    sizes: [u64; 2],
    classes: usize,
) -> Option<Outcome> {
    let [first, second] = sizes.map(|size| size as f64);
    if sizes.contains(&0) {
        return None;
    }
    let (cards, classes, n) = (DECK_CARDS as f64, classes as f64, first + second);
    // Both groups lie equally far from their share: O_0 − N_0·O/N = (N_1·O_0 − N_0·O_1)/N.
    let away = |(&a, &b): (&u64, &u64)| (second * a as f64 - first * b as f64) / n;
    let squares: f64 = groups[0].iter().zip(groups[1]).map(|pair| away(pair).powi(2)).sum();
    let score = (cards - 1.0) / cards * classes * squares * (1.0 / first + 1.0 / second);
    Some(quadratic(part, score, (classes - 1.0) * (cards - 1.0), first.min(second) / classes))
}

/// The cell deepest in a tail of its exact distribution Bin(decks, p), among `cells` of them and both sides.
pub(in crate::battery) fn most_extreme_cell(
    part: &'static str,
    counts: impl Iterator<Item = u64> + Clone,
    decks: u64,
    p: f64,
) -> Outcome {
    let cells = counts.clone().count() as f64;
    let highest = counts.clone().max().unwrap_or(0);
    let lowest = counts.min().unwrap_or(0);
    let above = binomial::tails(decks, p, highest).1;
    let below = binomial::tails(decks, p, lowest).0;
    let (score, depth) = if above <= below { (highest, above) } else { (lowest, below) };
    Outcome::bound(part, "decks", score as f64, bonferroni(2.0 * cells, depth))
}

/// The cell whose card comes to its place most unevenly. Decks that are independent and alike can be exchanged, so that
/// of its O decks in all the first group has a hypergeometric share; Bonferroni over cells and sides.
pub(in crate::battery) fn most_uneven_cell(
    part: &'static str,
    groups: [&[u64]; 2],
    sizes: [u64; 2],
) -> Outcome {
    let [first, second] = sizes.map(|size| size as f64);
    let share = first / (first + second);
    let z = |a: u64, b: u64| {
        let all = (a + b) as f64;
        if all == 0.0 { 0.0 } else { (a as f64 - share * all) / (all * share * (1.0 - share)).sqrt() }
    };
    let cells = groups[0].iter().zip(groups[1]).map(|(&a, &b)| (z(a, b), a, a + b));
    let chances = 2.0 * groups[0].len() as f64;
    let (score, own, all) = cells.max_by(|a, b| a.0.abs().total_cmp(&b.0.abs())).expect("a table has cells");
    // Only a forged tally has a cell with more decks than there are; it is refused for its sums.
    let is_possible = all <= sizes[0] + sizes[1];
    let (lower, upper) =
        if is_possible { hypergeometric::tails(sizes[0] + sizes[1], all, sizes[0], own) } else { (1.0, 1.0) };
    Outcome::bound(part, "z", if is_possible { score } else { 0.0 }, bonferroni(chances, lower.min(upper)))
}

/// A card × place table by classes of cards: class × place.
pub(in crate::battery) fn by_class(counts: &[u64], class: fn(usize) -> usize, classes: usize) -> Vec<u64> {
    let mut sums = vec![0; classes * DECK_CARDS];
    for (card, row) in counts.chunks(DECK_CARDS).enumerate() {
        let own = &mut sums[DECK_CARDS * class(card)..][..DECK_CARDS];
        own.iter_mut().zip(row).for_each(|(sum, count)| *sum += count);
    }
    sums
}

/// The worst of several exact multinomials of equally probable cells, pooled to an expectation of 10, with
/// Bonferroni over those that are smooth enough for χ², which the number of decks decides.
pub(in crate::battery) fn worst_line(part: &'static str, lines: &[Vec<u64>]) -> Option<Outcome> {
    let pooled = lines.iter().map(|line| Cells::uniform(line).pooled());
    worst_of(part, &pooled.filter(Cells::is_smooth).collect::<Vec<Cells>>())
}

/// The worst of several multinomials that are smooth enough for χ², by Bonferroni.
pub(in crate::battery) fn worst_of(part: &'static str, lines: &[Cells]) -> Option<Outcome> {
    let p_values = lines.iter().map(|line| (line, line.p_value()));
    let (worst, p_value) = p_values.min_by(|a, b| a.1.total_cmp(&b.1))?;
    let chances = lines.len() as f64;
    let bound = lines.iter().map(Cells::bound).fold(1.0, f64::min);
    Some(Outcome {
        tail: Tail::large_if(lines.iter().all(Cells::is_large)),
        p_value_bound: Some(bonferroni(chances, bound)),
        ..Outcome::bound(
            part,
            format!("χ²({})", worst.freedom()),
            worst.pearson(),
            bonferroni(chances, p_value),
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::gamma::ln_factorial;
    use crate::math::lattice;

    /// `ln` of what is printed as "below 1e-300".
    const LN_PRINTED_MIN: f64 = -690.775;

    /// `ln` of a probability that is no smaller than that of a card × place table whose cells differ by at most one. Up to 52
    /// decks these are the Latin rectangles, of which each further row has at most as many choices as the permanent of its
    /// free cells (Brègman 1973); beyond, the points of the lattice near its middle, as many as cells can have one more.
    fn ln_most_even(decks: u64) -> f64 {
        let cards = DECK_CARDS as u64;
        if decks <= cards {
            let row = |free: u64| ln_factorial(free) * cards as f64 / free as f64 - ln_factorial(cards);
            return (0..decks).map(|rows| row(cards - rows)).sum();
        }
        let more = decks % cards;
        let ways = ln_factorial(cards) - ln_factorial(more) - ln_factorial(cards - more);
        let squares = (more * (cards - more)) as f64;
        let ln_covolume = lattice::ln_covolume_of_tables(DECK_CARDS, DECK_CARDS);
        cards as f64 * ways + lattice::ln_point(2601.0, ln_covolume, decks as f64 / 51.0, squares)
    }

    /// At every number of decks: χ² has no lower tail that is thinner than the table that attains it, but where both are below
    /// what is printed.
    #[test]
    fn the_most_even_table_is_no_rarer_than_its_p_value() {
        for decks in 10..=2_000u64 {
            let (each, more) = (decks / 52, (decks % 52) as usize);
            let cell = |cell: usize| each + u64::from((cell / DECK_CARDS + cell) % DECK_CARDS < more);
            let counts: Vec<u64> = (0..DECK_CARDS * DECK_CARDS).map(cell).collect();
            assert_eq!(common_margin(&counts, DECK_CARDS), Some(decks));
            let (p_value, ln_exact) =
                (card_place_total("total", &counts, decks).p_value, ln_most_even(decks));
            let is_printed = ln_exact > LN_PRINTED_MIN;
            assert!(!is_printed || libm::log(p_value) >= ln_exact, "{decks}: {p_value:e} for e^{ln_exact}");
        }
    }

    /// Two groups that are exactly alike have a score of 0, which χ² never takes and whole numbers do. No level of any
    /// verdict is near to how rare that is for suits, and ranks and cards that are alike have four groups of them alike.
    #[test]
    fn groups_that_are_exactly_alike_are_rarer_than_any_level() {
        const CLASSES: usize = 4;
        for decks in 20..=2_000u64 {
            let cards = DECK_CARDS as f64;
            let spread = decks as f64 / 4.0 / CLASSES as f64 * cards / (cards - 1.0);
            let freedom = (CLASSES as f64 - 1.0) * (cards - 1.0);
            let ln_covolume = lattice::ln_covolume_of_tables(CLASSES, DECK_CARDS);
            let ln_alike = lattice::ln_point(freedom, ln_covolume, spread, 0.0);
            assert!(ln_alike < libm::log(1e-50f64), "{decks} decks: e^{ln_alike}");
        }
    }
}
