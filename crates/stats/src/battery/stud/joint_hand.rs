//! High and low of one hand together: ten categories by 57 lows.
//!
//! Null: the exact joint distribution of all sets of seven (six) cards, of one seat a deck in turn, so that decks
//! are independent. Parts: `joint`, χ² of the cells pooled to an expectation of 10; `low-class`, the 57 lows.

use crate::battery::outcome::Outcome;
use crate::battery::statistic::{About, Design};
use crate::battery::stud::deals::Deals;
use crate::battery::stud::distributions::{CATEGORIES, LOWS, joint, lows};
use crate::battery::stud::table::StudTable;
use crate::battery::stud::{HandStatistic, parts};
use crate::battery::tier::Tier;

pub(super) struct JointHand;

pub(super) const ABOUT: About = About {
    id: "joint-hand",
    version: 1,
    tier: Tier::Stud,
    title: "high category and low together",
    null: "High and low of a hand come together as often as in sets of cards.",
    source: "exact counts of all sets of seven (six) cards by high category and low, one seat a deck in turn; Pearson \
             (1900) χ² pooled to expectations of 10, bound by Agrawal (2020)",
    detects: "Hands made for both ends of the pot, and single lows that come too seldom or too often.",
    decks_min: 100,
    design: Design { parts: 2, ..Design::OF_DECKS },
};

impl HandStatistic for JointHand {
    fn cells(&self, _: &StudTable) -> usize {
        CATEGORIES * LOWS
    }

    /// `counts[57·category + low]` of the seat whose turn it is.
    fn observe(&self, deals: &Deals, counts: &mut [u64]) {
        for (block, hands) in deals.iter() {
            for lane in 0..block.hands() {
                let (category, low) = hands.of_turn(deals.table, lane);
                counts[category * LOWS + low] += 1;
            }
        }
    }

    fn outcomes(&self, table: &StudTable, counts: &[u64], _: u64) -> Vec<Outcome> {
        let of_low = |low: usize| parts::sum(counts.iter().skip(low).step_by(LOWS));
        let by_low: Vec<u64> = (0..LOWS).map(of_low).collect();
        let parts =
            [parts::shape("joint", counts, joint(table)), parts::shape("low-class", &by_low, &lows(table))];
        parts.into_iter().flatten().collect()
    }
}
