//! Every statistic of decks, in the versions this program knows.
//!
//! A plan names statistics by id and version. A version that is in no list is one this program does not know: a
//! certificate that has it is not refused, it cannot be judged.

use crate::battery::deck_to_deck::{
    bursts, even_odd, halves, lags, matches, one_place, overlaps, rotation, sorted,
};
use crate::battery::draws::{
    birthday_spacings, by_order, digits, echoes, later, linear, orbits, pairs, recovered, reused, spectral,
    windows,
};
use crate::battery::one_place::{card_place, kolmogorov};
use crate::battery::order::{
    cycles, exceedances, footrule, inversions, longest_cycle, longest_run, monotone, parity, records,
    rising_sequences, runs, start_orders,
};
use crate::battery::pairs::{
    adjacency, first_cards, first_three, neighbours, place_pairs, seat_suits, successions,
};
use crate::battery::repeats::{collisions, duplicates, packets};
use crate::battery::statistic::{About, Statistic};
use crate::battery::stud::table::StudTable;
use crate::battery::stud::{self, rare_hands};
use crate::battery::tier::Tier;

/// The newest versions, one of each id, in the order of certificates.
static ALL: &[&dyn Statistic] = &[
    &card_place::CardPlace,
    &adjacency::Adjacency,
    &cycles::CYCLES,
    &inversions::INVERSIONS,
    &rising_sequences::RISING_SEQUENCES,
    &parity::Parity,
    &exceedances::EXCEEDANCES,
    &successions::SUCCESSIONS,
    &records::RECORDS,
    &runs::RUNS,
    &longest_cycle::LONGEST_CYCLE,
    &monotone::MONOTONE,
    &footrule::FOOTRULE,
    &longest_run::LONGEST_RUN,
    &digits::Down,
    &digits::Ways,
    &spectral::SPECTRAL,
    &linear::LINEAR,
    &pairs::DrawnPairs,
    &matches::Matches,
    &overlaps::OVERLAPS,
    &neighbours::NEIGHBOURS,
    &place_pairs::PlacePairs,
    &first_cards::FirstCards,
    &first_three::FirstThree,
    &collisions::Collisions,
    &birthday_spacings::BirthdaySpacings,
    &one_place::OnePlace,
    &even_odd::EvenOdd,
    &halves::Halves,
    &lags::Lags,
    &rotation::Rotation,
    &bursts::Bursts,
    &start_orders::StartOrders,
    &seat_suits::SeatSuits,
    &rare_hands::RareHands,
    &kolmogorov::Kolmogorov,
    &later::LINEAR,
    &later::SPECTRAL,
    &later::SPACINGS,
    &by_order::LINEAR,
    &by_order::SPECTRAL,
    &echoes::Echoes,
    &sorted::Sorted,
    &windows::SPECTRAL,
    &windows::LINEAR,
    &orbits::Orbits,
    &recovered::Recovered,
    &reused::Reused,
    &packets::Packets,
    &by_order::LINEAR_CUTS,
    &by_order::SPECTRAL_CUTS,
];

/// Older versions that certificates may have and that are judged as they were then. One line for each: a type of its
/// own, or the newest with a field that says which. Nothing was released before the newest.
static EARLIER: &[&dyn Statistic] = &[];

/// A statistic that a plan names and this program has not.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Unknown {
    /// Other versions of it are known.
    #[error("{id}: found version {found}, wanted {}", versions_text(known))]
    Version {
        /// The id.
        id: String,
        /// The version asked for.
        found: u32,
        /// Those there are, newest first.
        known: Vec<u32>,
    },
    /// There is none of this id.
    #[error("{id}: no statistic of this name")]
    Id {
        /// The id.
        id: String,
    },
}

fn versions_text(known: &[u32]) -> String {
    known.iter().map(u32::to_string).collect::<Vec<_>>().join(" or ")
}

/// The statistic of this id and version: of decks, or of hands dealt at a table.
///
/// # Errors
/// If there is none of this id, or not in this version.
pub fn find(
    id: &str,
    version: u32,
    table: Option<&'static StudTable>,
) -> Result<&'static dyn Statistic, Unknown> {
    let of_table = table.into_iter().flat_map(stud::at_table);
    pick(all().iter().chain(EARLIER).copied().chain(of_table), id, version)
}

fn pick<'a>(
    known: impl Iterator<Item = &'a dyn Statistic>,
    id: &str,
    version: u32,
) -> Result<&'a dyn Statistic, Unknown> {
    let mut versions = Vec::new();
    for statistic in known.filter(|statistic| statistic.about().id == id) {
        if statistic.about().version == version {
            return Ok(statistic);
        }
        versions.push(statistic.about().version);
    }
    let id = id.to_owned();
    if versions.is_empty() {
        Err(Unknown::Id { id })
    } else {
        Err(Unknown::Version { id, found: version, known: versions })
    }
}

/// The newest statistics of decks of some tiers, in the order of [`all`]; those of dealt hands are [`stud::at_table`].
pub fn of_tiers(tiers: &[Tier]) -> Vec<&'static dyn Statistic> {
    all().iter().copied().filter(|statistic| tiers.contains(&statistic.about().tier)).collect()
}

/// What every newest statistic is: those of decks, those of dealt hands, the looks for repeated decks.
pub fn abouts() -> impl Iterator<Item = &'static About> {
    let sketches = duplicates::all().iter().map(|equivalence| &equivalence.about);
    all().iter().map(|statistic| statistic.about()).chain(stud::abouts()).chain(sketches)
}

/// How many decks a part reads at most, by its view, statistic and part, such as `deck.spectral.lags`; nothing of one that
/// reads all of them.
pub fn reads_at_most(id: &str) -> Option<u64> {
    let mut names = id.splitn(3, '.').skip(1);
    let (name, part) = (names.next()?, names.next()?);
    let own = all().iter().find(|statistic| statistic.about().id == name)?;
    Some(own.reads_at_most(part)).filter(|&most| most < u64::MAX)
}

/// Every newest statistic of decks.
pub fn all() -> &'static [&'static dyn Statistic] {
    ALL
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::battery::outcome::Outcome;
    use crate::battery::statistic::Design;
    use deckproof_deck::deck::block::DeckBlock;

    #[test]
    fn ids_are_distinct_lower_case_words() {
        let ids: HashSet<&str> = abouts().map(|about| about.id).collect();
        assert_eq!(ids.len(), abouts().count());
        for id in ids {
            assert!(id.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-'), "{id}");
        }
        let mut versions = HashSet::new();
        for about in all().iter().chain(EARLIER).map(|statistic| statistic.about()) {
            assert!(versions.insert((about.id, about.version)), "{} {}", about.id, about.version);
        }
    }

    /// A statistic in two versions, which differ in what they say.
    struct Toy(About);

    const fn toy(version: u32) -> Toy {
        Toy(About {
            id: "toy",
            version,
            tier: Tier::Core,
            title: "",
            null: "",
            source: "",
            detects: "",
            decks_min: 1,
            design: Design::PLAIN,
        })
    }

    static TOYS: [Toy; 2] = [toy(5), toy(3)];

    impl Statistic for Toy {
        fn about(&self) -> &'static About {
            &TOYS.iter().find(|toy| toy.0.version == self.0.version).expect("both are in the list").0
        }

        fn cells(&self) -> usize {
            1
        }

        fn parts(&self, _: u64) -> u64 {
            0
        }

        fn observe(&self, _: &[DeckBlock], _: &mut [u64]) {}

        fn decks_in(&self, counts: &[u64]) -> Option<u64> {
            Some(counts[0])
        }

        fn outcomes(&self, _: &[u64], _: u64) -> Vec<Outcome> {
            Vec::new()
        }
    }

    #[test]
    fn a_statistic_is_found_in_each_version_and_no_other() {
        let known = || TOYS.iter().map(|toy| toy as &dyn Statistic);
        for version in [5, 3] {
            assert_eq!(pick(known(), "toy", version).map(|found| found.about().version).ok(), Some(version));
        }
        let unknown = pick(known(), "toy", 6).map(|_| ()).expect_err("nobody has version 6");
        assert_eq!(unknown.to_string(), "toy: found version 6, wanted 5 or 3");
        let unknown = pick(known(), "joy", 5).map(|_| ()).expect_err("nobody has it");
        assert_eq!(unknown.to_string(), "joy: no statistic of this name");
        assert_eq!(find("card-place", 4, None).map(|found| found.about().version).ok(), Some(4));
        assert!(find("winner", 2, None).is_err() && find("winner", 2, Some(&StudTable::all()[0])).is_ok());
    }
}
