//! A search of all seeds that can be stopped and resumed: what it looks for, and the first seed that was not tried.

use serde::{Deserialize, Serialize};

use crate::budget::Budget;
use crate::deck::Observation;
use crate::model::{Found, Scope};
use crate::seeds::SeedSearch;

/// What a file of it begins with.
pub const FORMAT: &str = "deckproof/seeds/v1";

/// Seeds of one step: some seconds.
const STEP: u64 = 1 << 24;

/// The same where each has many calls.
const STEP_CALLED: u64 = 1 << 17;

/// How far one search is.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Progress {
    /// [`FORMAT`].
    pub format: String,
    /// What the search is called.
    pub search: String,
    /// A number for records, ways and start orders: another search must not be resumed with it.
    pub request: String,
    /// Calls between the seed and the first draw at most.
    #[serde(default)]
    pub calls: u64,
    /// Seeds that were tried: all below.
    pub tried: u64,
    /// All seeds.
    pub all: u64,
}

impl Progress {
    /// Nothing tried yet, with up to so many calls.
    pub fn new(search: &SeedSearch, seen: &Observation, scope: &Scope, calls: u64) -> Progress {
        Progress {
            format: FORMAT.to_owned(),
            search: search.name.to_owned(),
            request: format!("{:016x}", number_of(seen, scope)),
            calls,
            tried: 0,
            all: 1 << search.bits(),
        }
    }

    /// Whether it belongs to this search of these records.
    pub fn is_of(&self, search: &SeedSearch, seen: &Observation, scope: &Scope) -> bool {
        let own = Progress::new(search, seen, scope, self.calls);
        self.tried <= self.all && *self == Progress { tried: self.tried, ..own }
    }

    /// Whether every seed was tried.
    pub fn is_done(&self) -> bool {
        self.tried == self.all
    }

    /// Some seconds of it; what a spent budget cuts short is done again.
    pub fn step(
        &mut self,
        search: &SeedSearch,
        seen: &Observation,
        scope: &Scope,
        budget: &Budget,
    ) -> Option<Found> {
        let end = (self.tried + if self.calls == 0 { STEP } else { STEP_CALLED }).min(self.all);
        let found = match self.calls {
            0 => search.range(seen, scope, self.tried, end, budget),
            calls => search.called(seen, scope, self.tried..end, calls as usize, budget),
        };
        if found.is_none() && !budget.is_spent() {
            self.tried = end;
        }
        found
    }
}

/// Fowler, Noll & Vo (1991), 64 bits: no defence against anybody, only against a mistaken file.
fn number_of(seen: &Observation, scope: &Scope) -> u64 {
    let cards = seen.records.iter().flat_map(|record| record.cards().iter().copied().chain([None]));
    let cards = cards.map(|card| card.unwrap_or(u8::MAX));
    let names =
        scope.pairs().flat_map(|(way, start)| format!("{} {};", way.name(), start.name()).into_bytes());
    cards.chain(names).fold(0xcbf2_9ce4_8422_2325, |number: u64, byte| {
        (number ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::seeds::list::SEED_SEARCHES;
    use crate::start::Start;
    use crate::way::WAYS;

    #[test]
    fn a_search_is_resumed_with_its_own_records_alone() {
        let search = SEED_SEARCHES[0];
        let deck: [u8; 52] = std::array::from_fn(|card| card as u8);
        let seen = Observation::of_decks(&[deck]);
        let other = Observation::of_decks(&[deck, deck]);
        let scope = Scope { ways: vec![WAYS[0]], starts: vec![Start::BY_RANKS] };
        let mut progress = Progress::new(search, &seen, &scope, 0);
        progress.tried = progress.all - 70_000;
        assert!(progress.is_of(search, &seen, &scope) && !progress.is_of(search, &other, &scope));
        assert!(!progress.is_of(SEED_SEARCHES[1], &seen, &scope));
        let spent = Budget::new(Some(std::time::Duration::ZERO), None);
        assert_eq!((progress.step(search, &seen, &scope, &spent), progress.is_done()), (None, false));
        assert_eq!(progress.step(search, &seen, &scope, &Budget::unlimited()), None);
        assert!(progress.is_done());
    }
}
