//! Who acts first on fourth street: the best two up cards, ties nearest the dealer's left.
//!
//! Null: m seats share the best board with the exact probability of the table, any m of them as likely as any
//! others, so that seat s acts first with `Σ_m p_m·C(n−s, m−1)/C(n, m)`, s counted from 1: not uniform. Parts:
//! `seat`, the deepest seat, exact; `seat-shape`, χ² over seats; `ties`, decks in which boards tie, binomial.

use crate::battery::lists::{DeckAnswer, List, seat};
use crate::battery::outcome::Outcome;
use crate::battery::statistic::{About, Design};
use crate::battery::stud::deals::Deals;
use crate::battery::stud::streets::{Boards, boards_of_two};
use crate::battery::stud::table::StudTable;
use crate::battery::stud::{HandStatistic, parts};
use crate::battery::tier::Tier;

pub(super) struct FirstToAct;

pub(super) const ABOUT: About = About {
    id: "first-to-act",
    version: 1,
    tier: Tier::Stud,
    title: "first to act on fourth street",
    null: "The best two up cards are at every seat alike, ties going to the dealer's left.",
    source: "exact probabilities that m boards tie for the best; seat: exact binomials, Bonferroni (1936), and Pearson \
             (1900) χ², bound by Agrawal (2020); ties: binomial",
    detects: "Seats that are given the first action, or kept from it; boards that tie too often.",
    decks_min: 1,
    design: Design { parts: 3, ..Design::OF_DECKS },
};

/// Most boards that can tie: a rank has four cards.
const TIED_MAX: usize = 4;

/// That 1, 2, 3, 4 of 2 to 8 seats share the best board of two up cards: exact to twelve digits (the project's
/// table, by an independent program).
const TIED: [[f64; TIED_MAX]; 7] = [
    [0.993037214886, 0.00696278511405, 0.0, 0.0],
    [0.99012592271, 0.00984955684401, 2.45204464765e-05, 0.0],
    [0.98734179037, 0.0126123196735, 4.58662650999e-05, 2.36912526343e-08],
    [0.98475505496, 0.0151707969292, 7.40930152153e-05, 5.50959363588e-08],
    [0.982364404888, 0.0175273175442, 0.000108168949585, 1.08617703107e-07],
    [0.98016374137, 0.0196885158806, 0.000147554149298, 1.88599695695e-07],
    [0.978146450903, 0.0216615170077, 0.000191731980794, 3.0010896326e-07],
];

impl HandStatistic for FirstToAct {
    fn cells(&self, table: &StudTable) -> usize {
        table.players() * TIED_MAX
    }

    /// `counts[4·seat + tied − 1]`.
    fn observe(&self, deals: &Deals, counts: &mut [u64]) {
        for block in deals.blocks {
            let Boards { first, tied, .. } = boards_of_two(deals.table, block);
            for (seat, tied) in first.iter().zip(&tied).take(block.hands()) {
                counts[usize::from(*seat) * TIED_MAX + usize::from(*tied) - 1] += 1;
            }
        }
    }

    fn lists(&self, table: &StudTable) -> Vec<List> {
        let of_seat =
            |at: usize| DeckAnswer { words: seat(at), cells: (TIED_MAX * at..TIED_MAX * (at + 1)).collect() };
        let answers = (0..table.players()).map(of_seat).collect();
        vec![List { name: "fourth street is opened".to_owned(), answers }]
    }

    fn outcomes(&self, table: &StudTable, counts: &[u64], decks: u64) -> Vec<Outcome> {
        let seats: Vec<u64> = counts.chunks(TIED_MAX).map(parts::sum).collect();
        let ties = parts::sum(counts.chunks(TIED_MAX).flat_map(|own| &own[1..]));
        let (points, tied) = (seat_points(table.players()), TIED[table.players() - 2]);
        let mut outcomes = vec![parts::deepest_cell("seat", &seats, &points, decks)];
        outcomes.extend(parts::shape("seat-shape", &seats, &points));
        outcomes.push(parts::share("ties", "decks", ties, decks, tied[1..].iter().sum()));
        outcomes
    }
}

/// The first of m tied seats of n is seat s (from 0) with `C(n − 1 − s, m − 1)/C(n, m)`.
fn seat_points(players: usize) -> Vec<f64> {
    let choose =
        |n: usize, k: usize| (0..k).map(|i| n.saturating_sub(i) as f64 / (i + 1) as f64).product::<f64>();
    let of_seat = |seat: usize| {
        let of_ties = TIED[players - 2].iter().zip(1..);
        of_ties
            .map(|(p, tied)| {
                if tied > players {
                    0.0
                } else {
                    p * choose(players - 1 - seat, tied - 1) / choose(players, tied)
                }
            })
            .sum()
    };
    parts::normalised((0..players).map(of_seat).collect::<Vec<f64>>())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::battery::stud::sample::rows;

    /// The project's table of seats, and all boards of two seats counted one by one.
    #[test]
    fn seats_have_the_exact_probabilities() {
        for row in rows(include_str!("../../../../../fixtures/stud/first_to_act_seat.csv")) {
            let (players, seat): (usize, usize) =
                (row[0].parse().expect("n"), row[1].parse().expect("a seat"));
            let wanted: f64 = row[2].parse().expect("a probability");
            assert!((seat_points(players)[seat - 1] - wanted).abs() < 2e-12, "{row:?}");
        }
        let strength = |a: usize, b: usize| {
            let (a, b) = (a / 4, b / 4);
            if a == b { 1_000 + a } else { 13 * a.max(b) + a.min(b) }
        };
        let (mut first, mut ties, mut all) = (0u64, 0u64, 0u64);
        let pairs: Vec<(usize, usize)> = (0..52).flat_map(|b| (0..b).map(move |a| (a, b))).collect();
        for &(a, b) in &pairs {
            let own = strength(a, b);
            for &(c, d) in pairs.iter().filter(|(c, d)| ![a, b].contains(c) && ![a, b].contains(d)) {
                let other = strength(c, d);
                first += u64::from(own >= other);
                ties += u64::from(own == other);
                all += 1;
            }
        }
        assert!((first as f64 / all as f64 - seat_points(2)[0]).abs() < 1e-12);
        assert!((ties as f64 / all as f64 - TIED[0][1]).abs() < 1e-12);
    }
}
