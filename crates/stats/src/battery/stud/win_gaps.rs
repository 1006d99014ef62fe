//! Gaps between the wins of a seat, deck after deck, and who wins by the place in the hand before.
//!
//! Null: of the decks with one winner a seat wins each with probability 1/n, so that the decks between two of its
//! wins are geometric. Of every segment the first G gaps of a seat are taken, G fixed by the number of decks with
//! one winner, so that long gaps are not left out; gaps do not cross a segment. Parts: `gaps`, χ² of the worst seat,
//! neighbouring gaps pooled to an expectation of 10; `places`, place in one deck × place of the same seat in the next, the deepest
//! cell: the places of a deck are a uniform permutation of the seats whatever those of the last one were, so that each cell is
//! Bin(links, 1/n), exact.

use std::sync::OnceLock;

use crate::battery::nulls::table::common_margin;
use crate::battery::outcome::Outcome;
use crate::battery::statistic::{About, Design, SEGMENT_DECKS, Scope, checked_sum};
use crate::battery::stud::deals::{Deals, NOTHING};
use crate::battery::stud::place::places_of;
use crate::battery::stud::table::{SEATS_MAX, StudTable};
use crate::battery::stud::{HandStatistic, parts};
use crate::battery::tier::Tier;
use crate::math::multinomial::Cells;

pub(super) struct WinGaps;

pub(super) const ABOUT: About = About {
    id: "win-gaps",
    version: 2,
    tier: Tier::Stud,
    title: "gaps between the wins of a seat, places from hand to hand",
    null: "A seat's wins and places come independently, deck after deck.",
    source: "(1/n)(1−1/n)^k (Knuth, TAOCP 2, 3.3.2 D), the first G gaps of a segment; Pearson (1900) χ², bound by Agrawal \
             (2020), Bonferroni (1936) over seats; places: exact binomials, Bonferroni over n² cells; ties of strength by a hash of the deck's order",
    detects: "Wins that come in streaks or in turn: a dealer that remembers who won or lost.",
    decks_min: 100,
    design: Design { parts: 2, scope: Scope::Segment, ..Design::OF_DECKS },
};

/// Gaps with a cell of their own; the last cell holds all longer ones.
const GAPS: usize = 64;

/// Deviations of room, so that one segment in 10^9 has fewer gaps than are taken.
const ROOM: f64 = 6.0;

/// Decks that have one winner at the very least, of all decks.
const WON_SHARE: f64 = 0.8;

impl HandStatistic for WinGaps {
    fn cells(&self, table: &StudTable) -> usize {
        1 + table.players() * (GAPS + table.players())
    }

    /// Decks; then `counts[1 + 64·seat + gap]`; then, of neighbouring decks, `n·place + place in the next`, the best place 0.
    fn observe(&self, deals: &Deals, counts: &mut [u64]) {
        let players = deals.table.players();
        let (decks, others) = counts.split_first_mut().expect("decks have a cell");
        let (gaps, moves) = others.split_at_mut(players * GAPS);
        *decks += deals.decks();
        count_moves(deals, moves);
        let winners: Vec<u8> =
            deals.hands.iter().flat_map(|hands| hands.winner).filter(|&seat| seat != NOTHING).collect();
        let mut wanted = [gaps_taken(winners.len() as f64, players); SEATS_MAX];
        let mut last = [0; SEATS_MAX];
        for (deck, &seat) in (1..).zip(&winners) {
            let seat = usize::from(seat);
            if wanted[seat] > 0 {
                let gap = deck - last[seat] - 1usize;
                gaps[seat * GAPS + gap.min(GAPS - 1)] += 1;
                wanted[seat] -= 1;
            }
            last[seat] = deck;
        }
    }

    fn decks_in(&self, table: &StudTable, counts: &[u64]) -> Option<u64> {
        let (&decks, others) = counts.split_first()?;
        let (gaps, moves) = others.split_at(table.players() * GAPS);
        let taken = checked_sum(gaps)?;
        (taken <= decks && common_margin(moves, table.players()) == Some(links_of(decks))).then_some(decks)
    }

    fn outcomes(&self, table: &StudTable, counts: &[u64], decks: u64) -> Vec<Outcome> {
        let players = table.players();
        let distribution = distribution(players);
        // How many gaps are taken is chance; whether there is a part must not be.
        let fewest = gaps_taken(decks as f64 * WON_SHARE, players) as f64;
        let expected: Vec<f64> = distribution.iter().map(|p| p * fewest).collect();
        let is_smooth = Cells { observed: vec![0; GAPS], expected }.pooled().is_smooth();
        let (gaps, moves) = counts[1..].split_at(players * GAPS);
        let lines: Vec<Cells> =
            gaps.chunks(GAPS).map(|own| parts::cells(own, distribution).pooled()).collect();
        let points = vec![1.0 / players as f64; moves.len()];
        let places = parts::deepest_cell("places", moves, &points, links_of(decks));
        let gaps = is_smooth.then(|| parts::worst_of_cells("gaps", &lines)).flatten();
        gaps.into_iter().chain([places]).collect()
    }
}

/// Neighbours within segments.
fn links_of(decks: u64) -> u64 {
    decks - decks.div_ceil(SEGMENT_DECKS)
}

/// Place of each seat × its place in the next deck.
fn count_moves(deals: &Deals, moves: &mut [u64]) {
    let players = deals.table.players();
    let mut before: Option<[u8; SEATS_MAX]> = None;
    for (block, hands) in deals.iter() {
        let places = places_of(players, block, hands);
        for lane in 0..block.hands() {
            let now = places.map(|row| row[lane]);
            for (first, next) in before.iter().flatten().zip(now).take(players) {
                moves[usize::from(*first) * players + usize::from(next)] += 1;
            }
            before = Some(now);
        }
    }
}

/// How many gaps so many decks hold almost surely: `G·μ + 6σ√G ≤ decks`, μ = n and σ² = n(n−1).
fn gaps_taken(decks: f64, players: usize) -> usize {
    let mean = players as f64;
    let room = ROOM * (mean * (mean - 1.0)).sqrt();
    let root = ((room * room + 4.0 * mean * decks).sqrt() - room) / (2.0 * mean);
    (root * root) as usize
}

/// `(1/n)(1 − 1/n)^k`, the last cell with all that follows.
fn distribution(players: usize) -> &'static [f64] {
    static DISTRIBUTIONS: [OnceLock<Vec<f64>>; SEATS_MAX + 1] = [const { OnceLock::new() }; SEATS_MAX + 1];
    DISTRIBUTIONS[players].get_or_init(|| {
        let win = 1.0 / players as f64;
        let point = |gap: usize| (1.0 - win).powi(gap as i32) * if gap + 1 == GAPS { 1.0 } else { win };
        (0..GAPS).map(point).collect()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::battery::stud::deals::Hands;
    use crate::battery::stud::sample;
    use deckproof_stud::stud::rules::RuleSet;

    #[test]
    fn gaps_are_counted_from_the_start_and_no_more_than_allowed() {
        let table = StudTable::of(RuleSet::ALL[0], 4).expect("four play");
        let blocks = sample::blocks(1, 64);
        let mut hands: Vec<Hands> = blocks.iter().map(|block| Hands::of_block(table, block)).collect();
        // Every seat wins in turn, but for every eighth deck, which is shared.
        for (deck, seat) in hands.iter_mut().flat_map(|hands| &mut hands.winner).enumerate() {
            *seat = if deck % 8 == 7 { NOTHING } else { ((deck - deck / 8) % 4) as u8 };
        }
        let mut counts = vec![0; WinGaps.cells(table)];
        WinGaps.observe(&Deals { table, blocks: &blocks, hands: &hands }, &mut counts);
        let taken = gaps_taken(3_584.0, 4) as u64;
        assert!((600..896).contains(&taken), "{taken}");
        // The first gap of seat s is s decks long, all others three.
        for seat in 0..4 {
            let own = &counts[1 + seat * GAPS..][..GAPS];
            assert_eq!((own[3], own.iter().sum()), (taken - u64::from(seat != 3), taken), "{own:?}");
            assert!(own[seat] > 0);
        }
        assert_eq!(counts[0], 4_096);
        let outcome = &WinGaps.outcomes(table, &counts, 4_096)[0];
        assert!(outcome.p_value < 1e-20 && outcome.p_value_bound.is_some_and(|bound| bound < 1e-10));
    }

    /// Counted again seat by seat, from the strengths of hands.
    #[test]
    fn places_are_counted_from_deck_to_deck() {
        let table = StudTable::of(RuleSet::ALL[0], 4).expect("four play");
        let blocks = sample::blocks(1, 2);
        let hands: Vec<Hands> = blocks.iter().map(|block| Hands::of_block(table, block)).collect();
        let mut counts = vec![0; WinGaps.cells(table)];
        WinGaps.observe(&Deals { table, blocks: &blocks, hands: &hands }, &mut counts);
        // Seat by seat, by the strengths, of the decks without ties.
        let place = |deck: usize, seat: usize| {
            let strengths: Vec<u32> = (0..4).map(|seat| hands[deck / 64].high[seat][deck % 64]).collect();
            let is_tied = (0..4).any(|seat| strengths.iter().filter(|&&s| s == strengths[seat]).count() > 1);
            (!is_tied).then(|| strengths.iter().filter(|&&other| other > strengths[seat]).count())
        };
        let (mut wanted, mut tied) = ([0; 16], 0);
        for deck in 1..128 {
            for seat in 0..4 {
                match (place(deck - 1, seat), place(deck, seat)) {
                    (Some(first), Some(next)) => wanted[4 * first + next] += 1,
                    _ => tied += 1,
                }
            }
        }
        let moves = &counts[1 + 4 * GAPS..];
        assert!(wanted.iter().zip(moves).all(|(wanted, found)| wanted <= found), "{wanted:?} {moves:?}");
        assert_eq!((moves.iter().sum::<u64>(), wanted.iter().sum::<u64>() + tied), (4 * 127, 4 * 127));
        assert!(tied < 40, "ties are rare: {tied}");
        assert_eq!(WinGaps.decks_in(table, &counts), Some(128));
        counts[1 + 4 * GAPS] += 1;
        assert_eq!(WinGaps.decks_in(table, &counts), None);
    }

    /// 2·16·P(Bin(999, 1/4) ≥ 330), by fractions (Python).
    #[test]
    fn places_are_exact_binomials() {
        let table = StudTable::of(RuleSet::ALL[0], 4).expect("four play");
        let mut counts = vec![0; WinGaps.cells(table)];
        counts[0] = 1_000;
        counts[1 + 4 * GAPS..].fill(250);
        counts[1 + 4 * GAPS + 12] = 330;
        let outcomes = WinGaps.outcomes(table, &counts, 1_000);
        let places = outcomes.iter().find(|own| own.part == "places").expect("it is there").p_value;
        assert!((places / 2.482149772153e-07 - 1.0).abs() < 1e-9, "{places:e}");
    }

    #[test]
    fn the_distribution_is_geometric() {
        for players in 2..=SEATS_MAX {
            assert!((distribution(players).iter().sum::<f64>() - 1.0).abs() < 1e-13);
        }
    }
}
