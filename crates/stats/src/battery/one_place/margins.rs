//! Margins of the card × place table: ranks, suits, trends and the first places pooled.
//!
//! All from the counts of [`card_place`](crate::battery::one_place::card_place): rank × place `χ²(612)` and suit ×
//! place `χ²(153)` with factor 51/52; DCT-II contrasts `z_ij = √(51/N)·Σ φ_i(card)φ_j(place)·O`, `Σz²` for i, j
//! = 1..4 is χ²(16); the mean rank at a place; the fullest rank at a place; the cards, ranks and suits of
//! the first m places with factor 51/(52 − m). A seven-handed deal of stud takes 21 cards at once and
//! at most 49 in all.

use std::f64::consts::PI;

use crate::battery::nulls::table;
use crate::battery::outcome::Outcome;
use crate::math::distribution::Distribution;
use crate::math::lattice::{self, EqualCells};
use crate::math::multinomial::EXPECTATION_MIN;
use crate::math::{bonferroni, chernoff, two_sided};
use deckproof_deck::card::DECK_CARDS;

const RANKS: usize = 13;

const SUITS: usize = 4;

/// What a card counts as.
type Class = fn(card: usize) -> usize;

const RANK: Class = |card| card / SUITS;

const SUIT: Class = |card| card % SUITS;

const CARD: Class = |card| card;

/// How often each class stood at each place, place by place, of `counts[52·card + place]`.
fn by_class(counts: &[u64], classes: usize, class: Class) -> Vec<Vec<u64>> {
    let mut places = vec![vec![0; classes]; DECK_CARDS];
    for (card, row) in counts.chunks(DECK_CARDS).enumerate() {
        row.iter().zip(&mut places).for_each(|(count, place)| place[class(card)] += count);
    }
    places
}

/// Every margin that `decks` decks can feed.
pub(in crate::battery) fn outcomes(counts: &[u64], decks: u64) -> Vec<Outcome> {
    let ranks = by_class(counts, RANKS, RANK);
    let suits = by_class(counts, SUITS, SUIT);
    let rank_cells = ranks.iter().flatten().copied();
    let mut outcomes = vec![
        by_place("rank-place", &ranks, decks),
        by_place("suit-place", &suits, decks),
        contrasts(counts, decks),
        mean_rank(&ranks, decks),
        table::most_extreme_cell("rank-cell", rank_cells, decks, 1.0 / RANKS as f64),
    ];
    for (classes, class, parts) in [
        (DECK_CARDS, CARD, ["first-21-cards", "first-49-cards"]),
        (RANKS, RANK, ["first-21-ranks", "first-49-ranks"]),
        (SUITS, SUIT, ["first-21-suits", "first-49-suits"]),
    ] {
        let places = by_class(counts, classes, class);
        outcomes.extend(first_places(parts[0], &places, 21, decks));
        outcomes.extend(first_places(parts[1], &places, 49, decks));
    }
    outcomes
}

/// `(51/52)·Σ(O − E)²/E` over class × place, χ² of (classes − 1)·51.
fn by_place(part: &'static str, places: &[Vec<u64>], decks: u64) -> Outcome {
    let classes = places[0].len() as f64;
    let expected = decks as f64 / classes;
    let squares: f64 = places.iter().flatten().map(|&count| (count as f64 - expected).powi(2)).sum();
    let cards = DECK_CARDS as f64;
    let score = (cards - 1.0) / cards * squares / expected;
    let freedom = (classes - 1.0) * (cards - 1.0);
    let outcome = table::quadratic(part, score, freedom, expected);
    // Every class equally often at every place is rare, but less so than χ² has it.
    let ln_covolume = lattice::ln_covolume_of_tables(places[0].len(), DECK_CARDS);
    let thinnest = libm::exp(lattice::ln_point(freedom, ln_covolume, expected * cards / (cards - 1.0), 0.0));
    Outcome { p_value: outcome.p_value.max(thinnest.min(1.0)), ..outcome }
}

/// `Σ z_ij²` of the smooth contrasts.
fn contrasts(counts: &[u64], decks: u64) -> Outcome {
    const WAVES: usize = 4;
    let cards = DECK_CARDS as f64;
    let wave =
        |i: usize, x: usize| (2.0 / cards).sqrt() * libm::cos(PI * i as f64 * (x as f64 + 0.5) / cards);
    let waves: Vec<Vec<f64>> = (0..=WAVES).map(|i| (0..DECK_CARDS).map(|x| wave(i, x)).collect()).collect();
    let mut score = 0.0;
    for i in 1..=WAVES {
        for j in 1..=WAVES {
            let cell = |(cell, &count): (usize, &u64)| {
                waves[i][cell / DECK_CARDS] * waves[j][cell % DECK_CARDS] * count as f64
            };
            let sum: f64 = counts.iter().enumerate().map(cell).sum();
            score += (cards - 1.0) / decks as f64 * sum * sum;
        }
    }
    table::quadratic("contrasts", score, (WAVES * WAVES) as f64, decks as f64 / cards)
}

/// The place whose mean rank lies furthest out: a sum of N uniform ranks, by the saddle point, with
/// Chernoff's bound.
fn mean_rank(ranks: &[Vec<u64>], decks: u64) -> Outcome {
    let distribution = Distribution::new(0, vec![1.0 / RANKS as f64; RANKS]);
    let sum = |place: &Vec<u64>| place.iter().zip(0u64..).map(|(count, rank)| count * rank).sum::<u64>();
    let away = |sum: u64| {
        (sum as f64 - decks as f64 * distribution.mean()) / (decks as f64 * distribution.variance()).sqrt()
    };
    let worst = ranks.iter().map(sum).max_by(|&a, &b| away(a).abs().total_cmp(&away(b).abs()));
    let sum = worst.expect("a deck has places");
    let (lower, upper) = chernoff::sum_tails(&distribution, decks, sum);
    let places = DECK_CARDS as f64;
    Outcome::bound("mean-rank", "z", away(sum), bonferroni(places, two_sided(lower, upper)))
        .bounded_by(bonferroni(2.0 * places, chernoff::bound(&distribution, decks, sum)))
}

/// `51/(52 − m)·Σ(C − E)²/E` of the first `m` places pooled, χ² of classes − 1 on the lattice of whole counts; the cards
/// drawn and those left must both be many enough.
fn first_places(part: &'static str, places: &[Vec<u64>], m: usize, decks: u64) -> Option<Outcome> {
    let classes = places[0].len();
    let drawn = |class: usize| places[..m].iter().map(|place| place[class]).sum::<u64>() as f64;
    let expected = (m as u64 * decks) as f64 / classes as f64;
    let smaller = expected.min(((DECK_CARDS - m) as u64 * decks) as f64 / classes as f64);
    let squares: f64 = (0..classes).map(|class| (drawn(class) - expected).powi(2)).sum();
    let factor = (DECK_CARDS - 1) as f64 / (DECK_CARDS - m) as f64;
    let cells = EqualCells { cells: classes, total: m as u64 * decks, spread: expected / factor };
    (smaller >= EXPECTATION_MIN).then(|| table::equal_cells(part, &cells, squares, smaller))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::battery::walk::sample::outcome;
    use crate::math::gamma::ln_factorial;

    /// Rotations of one deck, most even at every fourth and thirteenth number of decks: at no number is the p-value of
    /// suits or ranks smaller than twice the chance of the most even counts.
    #[test]
    fn the_most_even_tallies_are_never_rarer_than_they_are() {
        let mut counts = vec![0u64; DECK_CARDS * DECK_CARDS];
        for decks in 1..=2_000u64 {
            let turn = (decks - 1) as usize;
            (0..DECK_CARDS).for_each(|card| counts[DECK_CARDS * card + (card + 17 * turn) % DECK_CARDS] += 1);
            if decks < 10 {
                continue;
            }
            for outcome in outcomes(&counts, decks) {
                let (classes, places) = match outcome.part {
                    "first-21-suits" => (4, 21),
                    "first-49-suits" => (4, 49),
                    "first-21-ranks" => (13, 21),
                    "first-49-ranks" => (13, 49),
                    _ => continue,
                };
                // Draws with replacement, which spread more and are less often even than those of a deck.
                let (total, k) = (places * decks, classes);
                let (each, over) = (total / k, total % k);
                let counts = (k - over) as f64 * ln_factorial(each) + over as f64 * ln_factorial(each + 1);
                let ways = ln_factorial(k) - ln_factorial(over) - ln_factorial(k - over);
                let ln_p = ways + ln_factorial(total) - counts - total as f64 * libm::log(k as f64);
                let cards = DECK_CARDS as f64;
                let without = libm::pow((cards - 1.0) / (cards - places as f64), 0.5 * (k - 1) as f64);
                let wanted = 2.0 * libm::exp(ln_p) * without;
                let is_no_rarer = outcome.p_value >= 0.9 * wanted.min(1.0);
                assert!(is_no_rarer, "{decks} decks, {}: {:e} for {wanted:e}", outcome.part, outcome.p_value);
            }
        }
    }

    /// N identical decks: the scores of one deck are known, those of copies are N times as much.
    #[test]
    fn copies_of_one_deck_have_the_scores_of_arithmetic() {
        let decks = 1000;
        let mut counts = vec![0; DECK_CARDS * DECK_CARDS];
        (0..DECK_CARDS).for_each(|card| counts[DECK_CARDS * card + card] = decks);
        let outcomes = outcomes(&counts, decks);
        let score = |part: &str| outcome(&outcomes, part).score;
        // (51/52)·N·52·[(1 − 1/13)² + 12/13²]·13 = 51·12·N; suits 51·3·N.
        assert!((score("rank-place") / 612_000.0 - 1.0).abs() < 1e-12);
        assert!((score("suit-place") / 153_000.0 - 1.0).abs() < 1e-12);
        // Σ φ_i(x)φ_j(x) = 1 if i = j, else 0: four of 16 contrasts are √(51 N).
        assert!((score("contrasts") / 204_000.0 - 1.0).abs() < 1e-9);
        // Ranks 0 and 12 lie 6 from the mean in units of √14.
        assert!((score("mean-rank").abs() / (6.0 / 14f64.sqrt() * 1000f64.sqrt()) - 1.0).abs() < 1e-12);
        // 21 cards seen, 31 not: 51/31·(21·(31/52)² + 31·(21/52)²)·52/21·N = 51·N.
        assert!((score("first-21-cards") / 51_000.0 - 1.0).abs() < 1e-12);
    }
}
