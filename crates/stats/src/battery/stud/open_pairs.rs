//! How many seats show a pair on fourth street.
//!
//! Null: the exact distribution of a deck's seats together, by recursion over ranks. Parts: `histogram`, `mean`,
//! `extreme`.

use crate::battery::nulls::histogram::{self, Names, names};
use crate::battery::outcome::Outcome;
use crate::battery::statistic::{About, Design};
use crate::battery::stud::HandStatistic;
use crate::battery::stud::deals::{Deals, NOTHING, count_row};
use crate::battery::stud::distributions::paired_seats;
use crate::battery::stud::streets::boards_of_two;
use crate::battery::stud::table::StudTable;
use crate::battery::tier::Tier;

pub(super) struct OpenPairs;

pub(super) const ABOUT: About = About {
    id: "open-pairs",
    version: 2,
    tier: Tier::Stud,
    title: "open pairs on fourth street",
    null: "As many seats show a pair on fourth street as two cards each of one deck do.",
    source: "exact distribution of all seats by recursion over ranks; histogram: Pearson (1900) χ², bound by Agrawal (2020); mean: \
             saddle point (Lugannani & Rice 1980), bound by Chernoff (1952); extreme: 1−(1−q)^N, exact",
    detects: "Boards that pair too often or too seldom.",
    decks_min: 1,
    design: Design { parts: 3, ..Design::OF_DECKS },
};

const NAMES: Names = names!("seats that show a pair");

impl HandStatistic for OpenPairs {
    fn cells(&self, table: &StudTable) -> usize {
        table.players() + 1
    }

    /// Decks by seats that show a pair.
    fn observe(&self, deals: &Deals, counts: &mut [u64]) {
        for block in deals.blocks {
            let mut pairs = boards_of_two(deals.table, block).pairs;
            pairs[block.hands()..].fill(NOTHING);
            count_row(&pairs, counts);
        }
    }

    fn outcomes(&self, table: &StudTable, counts: &[u64], _: u64) -> Vec<Outcome> {
        histogram::outcomes(paired_seats(table.players(), 2), counts, &NAMES)
    }
}
