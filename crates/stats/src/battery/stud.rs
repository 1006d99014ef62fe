//! Statistics of dealt hands: what the decks of any source deal to the seats of a table.
//!
//! The decks are dealt by the rules with every seat live to the river, ranked high and low once for each block,
//! and counted. Adding a statistic takes one file here and one line in `ALL`.
//!
//! The seats of one deck hang together, so a count over all seats has not the variance of independent hands.
//! Every statistic here either counts each seat by itself, takes one seat a deck in turn ([`StudTable::turn`]), uses a distribution
//! of all seats together that is known exactly, or a covariance that says where it is from.

#[doc(hidden)]
pub mod deals;
#[doc(hidden)]
pub mod reference;
pub mod table;

mod boards;
mod bring_in;
mod distributions;
mod door_pairs;
mod first_to_act;
mod four_flush;
mod high_category;
mod joint_hand;
mod leading_ranks;
mod low_hand;
mod open_pairs;
mod parts;
mod place;
pub(super) mod rare_hands;
mod seat_cards;
mod seat_repeats;
mod second_best;
mod starting_hand;
mod streets;
mod win_gaps;
mod winner;

#[cfg(test)]
mod sample;

use std::sync::OnceLock;

use crate::battery::lists::List;
use crate::battery::outcome::Outcome;
use crate::battery::statistic::{About, Statistic, checked_sum};
pub use crate::battery::stud::deals::Seated;
use crate::battery::stud::deals::{Deals, Hands};
use crate::battery::stud::table::StudTable;
use deckproof_deck::deck::block::DeckBlock;

/// The joint for one more statistic of dealt hands: [`Statistic`] at a table, of blocks that are dealt and ranked.
///
/// Stateless, with integer counts that add up, exactly like a [`Statistic`]. What it reads of a deal it reads
/// from [`Deals`], whose rows hold [`EMPTY_LANE`](deckproof_deck::deck::block::EMPTY_LANE) for a card nobody knows: hands
/// recorded with some cards unseen can fill them as well as decks do.
pub trait HandStatistic: Sync {
    /// Whether the deck tells at this table what the statistic counts.
    fn is_known_at(&self, _table: &StudTable) -> bool {
        true
    }

    /// How many counts it keeps.
    fn cells(&self, table: &StudTable) -> usize;

    /// Adds dealt decks to the counts.
    fn observe(&self, deals: &Deals, counts: &mut [u64]);

    /// How many decks the counts hold, or `None` if they contradict themselves: each adds one to one count, where nothing else
    /// is stated.
    fn decks_in(&self, _table: &StudTable, counts: &[u64]) -> Option<u64> {
        checked_sum(counts)
    }

    /// What two sets of decks can be compared by, as in [`Statistic::lists`].
    fn lists(&self, _table: &StudTable) -> Vec<List> {
        Vec::new()
    }

    /// P-values of the counts of `decks` decks, of which there are enough. The order and number of parts depend on table and
    /// `decks` only.
    fn outcomes(&self, table: &StudTable, counts: &[u64], decks: u64) -> Vec<Outcome>;
}

/// What each of them is, of [`Tier::Stud`](crate::battery::tier::Tier::Stud), and the statistic itself.
static ALL: &[(&About, &dyn HandStatistic)] = &[
    (&high_category::ABOUT, &high_category::HighCategory),
    (&low_hand::ABOUT, &low_hand::LowHand),
    (&joint_hand::ABOUT, &joint_hand::JointHand),
    (&starting_hand::ABOUT, &starting_hand::StartingHand),
    (&bring_in::ABOUT, &bring_in::BringIn),
    (&first_to_act::ABOUT, &first_to_act::FirstToAct),
    (&open_pairs::ABOUT, &open_pairs::OpenPairs),
    (&boards::ABOUT, &boards::Boards),
    (&four_flush::ABOUT, &four_flush::FourFlush),
    (&winner::ABOUT, &winner::Winner),
    (&place::ABOUT, &place::Place),
    (&win_gaps::ABOUT, &win_gaps::WinGaps),
    (&seat_cards::ABOUT, &seat_cards::SeatCards),
    (&second_best::ABOUT, &second_best::SecondBest),
    (&door_pairs::ABOUT, &door_pairs::DoorPairs),
    (&seat_repeats::ABOUT, &seat_repeats::SeatRepeats),
];

/// A statistic of dealt hands at one table.
struct AtTable {
    about: &'static About,
    table: &'static StudTable,
    statistic: &'static dyn HandStatistic,
}

impl Seated for AtTable {
    fn table(&self) -> &'static StudTable {
        self.table
    }

    fn observe_dealt(&self, deals: &Deals, counts: &mut [u64]) {
        assert_eq!(counts.len(), self.cells());
        self.statistic.observe(deals, counts);
    }
}

impl Statistic for AtTable {
    fn about(&self) -> &'static About {
        self.about
    }

    fn cells(&self) -> usize {
        self.statistic.cells(self.table)
    }

    fn observe(&self, blocks: &[DeckBlock], counts: &mut [u64]) {
        let hands: Vec<Hands> = blocks.iter().map(|block| Hands::of_block(self.table, block)).collect();
        self.observe_dealt(&Deals { table: self.table, blocks, hands: &hands }, counts);
    }

    fn decks_in(&self, counts: &[u64]) -> Option<u64> {
        self.statistic.decks_in(self.table, counts)
    }

    fn lists(&self) -> Vec<List> {
        self.statistic.lists(self.table)
    }

    fn outcomes(&self, counts: &[u64], decks: u64) -> Vec<Outcome> {
        self.statistic.outcomes(self.table, counts, decks)
    }

    fn seated(&self) -> Option<&dyn Seated> {
        Some(self)
    }
}

/// What the statistics of dealt hands are, whatever the table.
pub fn abouts() -> impl Iterator<Item = &'static About> {
    ALL.iter().map(|(about, _)| *about)
}

/// The statistics of a table, in the order of the list: those that the deck tells there.
pub fn at_table(table: &'static StudTable) -> impl Iterator<Item = &'static dyn Statistic> {
    static SEATED: OnceLock<Vec<AtTable>> = OnceLock::new();
    let seated = SEATED.get_or_init(|| {
        let of_table = |table: &'static StudTable| {
            let known = ALL.iter().filter(|(_, statistic)| statistic.is_known_at(table));
            known.map(move |&(about, statistic)| AtTable { about, table, statistic })
        };
        StudTable::all().iter().flat_map(of_table).collect()
    });
    seated.iter().filter(move |seated| seated.table == table).map(|seated| seated as &dyn Statistic)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::battery::statistic::Scope;
    use crate::battery::stud::deals::NOTHING;
    use crate::battery::tier::Tier;

    #[test]
    fn every_table_has_its_statistics_and_says_what_they_are() {
        for table in StudTable::all() {
            let own: Vec<_> = at_table(table).collect();
            assert!(own.len() + 1 >= ALL.len(), "only the river may be untold");
            for statistic in own {
                assert_eq!(statistic.about().tier, Tier::Stud);
                assert!(statistic.seated().is_some_and(|seated| seated.table() == table));
            }
        }
    }

    /// Any cut of the decks into calls gives the same counts, and the counts say how many decks they hold.
    #[test]
    fn counts_add_up_however_the_decks_are_cut() {
        let mut blocks = sample::blocks(3, 6);
        blocks[5].truncate(9);
        for table in StudTable::all() {
            for statistic in at_table(table) {
                let mut whole = vec![0; statistic.cells()];
                statistic.observe(&blocks, &mut whole);
                assert_eq!(statistic.decks_in(&whole), Some(5 * 64 + 9), "{}", statistic.about().id);
                if statistic.scope() == Scope::Batch {
                    let mut cut = vec![0; statistic.cells()];
                    statistic.observe(&blocks[..2], &mut cut);
                    statistic.observe(&blocks[2..], &mut cut);
                    assert_eq!(whole, cut, "{}", statistic.about().id);
                }
                let mut forged = whole.clone();
                let place = forged.iter().position(|&count| count > 0).expect("something was counted");
                forged[place] += 1;
                assert_ne!(statistic.decks_in(&forged), Some(5 * 64 + 9), "{}", statistic.about().id);
                forged[place] = u64::MAX;
                assert_ne!(statistic.decks_in(&forged), Some(5 * 64 + 9), "{}", statistic.about().id);
            }
        }
    }

    #[test]
    fn empty_lanes_are_counted_nowhere() {
        let hands = Hands::of_block(&StudTable::all()[0], &DeckBlock::default());
        assert!(hands.winner.iter().all(|&seat| seat == NOTHING));
        for statistic in at_table(&StudTable::all()[0]) {
            let mut counts = vec![0; statistic.cells()];
            statistic.observe(&[DeckBlock::default()], &mut counts);
            assert!(counts.iter().all(|&count| count == 0), "{}", statistic.about().id);
        }
    }
}
