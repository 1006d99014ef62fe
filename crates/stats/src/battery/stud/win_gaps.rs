//! Gaps between the wins of a seat, deck after deck.
//!
//! Null: of the decks with one winner a seat wins each with probability 1/n, so that the decks between two of its
//! wins are geometric. Of every segment the first G gaps of a seat are taken, G fixed by the number of decks with
//! one winner, so that long gaps are not left out; gaps do not cross a segment. Part: `gaps`, χ² of the worst seat,
//! neighbouring gaps pooled to an expectation of 10.

use std::sync::OnceLock;

use crate::battery::outcome::Outcome;
use crate::battery::statistic::{About, Design, Scope, checked_sum};
use crate::battery::stud::deals::{Deals, NOTHING};
use crate::battery::stud::table::{SEATS_MAX, StudTable};
use crate::battery::stud::{HandStatistic, parts};
use crate::battery::tier::Tier;
use crate::math::multinomial::Cells;

pub(super) struct WinGaps;

pub(super) const ABOUT: About = About {
    id: "win-gaps",
    version: 1,
    tier: Tier::Stud,
    title: "gaps between the wins of a seat",
    null: "A seat's wins come independently, deck after deck.",
    source: "(1/n)(1−1/n)^k (Knuth, TAOCP 2, 3.3.2 D), the first G gaps of a segment; Pearson (1900) χ², bound by Agrawal \
             (2020), Bonferroni (1936) over seats",
    detects: "Wins that come in streaks or in turn: a dealer that remembers who won.",
    decks_min: 100,
    design: Design { scope: Scope::Segment, ..Design::OF_DECKS },
};

/// Gaps with a cell of their own; the last cell holds all longer ones.
const GAPS: usize = 64;

/// Deviations of room, so that one segment in 10^9 has fewer gaps than are taken.
const ROOM: f64 = 6.0;

/// Decks that have one winner at the very least, of all decks.
const WON_SHARE: f64 = 0.8;

impl HandStatistic for WinGaps {
    fn cells(&self, table: &StudTable) -> usize {
        1 + table.players() * GAPS
    }

    /// Decks; then `counts[1 + 64·seat + gap]`.
    fn observe(&self, deals: &Deals, counts: &mut [u64]) {
        let (decks, gaps) = counts.split_first_mut().expect("decks have a cell");
        *decks += deals.decks();
        let winners: Vec<u8> =
            deals.hands.iter().flat_map(|hands| hands.winner).filter(|&seat| seat != NOTHING).collect();
        let mut wanted = [gaps_taken(winners.len() as f64, deals.table.players()); SEATS_MAX];
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

    fn decks_in(&self, _: &StudTable, counts: &[u64]) -> Option<u64> {
        let (&decks, gaps) = counts.split_first()?;
        let taken = checked_sum(gaps)?;
        (taken <= decks).then_some(decks)
    }

    fn outcomes(&self, table: &StudTable, counts: &[u64], decks: u64) -> Vec<Outcome> {
        let players = table.players();
        let distribution = distribution(players);
        // How many gaps are taken is chance; whether there is a part must not be.
        let fewest = gaps_taken(decks as f64 * WON_SHARE, players) as f64;
        let expected: Vec<f64> = distribution.iter().map(|p| p * fewest).collect();
        let is_smooth = Cells { observed: vec![0; GAPS], expected }.pooled().is_smooth();
        let lines: Vec<Cells> =
            counts[1..].chunks(GAPS).map(|own| parts::cells(own, distribution).pooled()).collect();
        if is_smooth { parts::worst_of_cells("gaps", &lines).into_iter().collect() } else { Vec::new() }
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

    #[test]
    fn the_distribution_is_geometric() {
        for players in 2..=SEATS_MAX {
            assert!((distribution(players).iter().sum::<f64>() - 1.0).abs() < 1e-13);
        }
    }
}
