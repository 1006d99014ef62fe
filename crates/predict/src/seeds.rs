//! Searches seeds: every seed of 32 bits, or those that a clock may have given, for the first records, one seed a run or one a deck.
//!
//! For some seeds side by side only the first outputs are made (of MT19937 words 0, 1 and 397 and a few after each); the
//! first card or three decide about most of them. What is left is seeded in full and followed.

pub mod beginning;
mod filter;
pub mod list;
pub mod progress;
pub mod small;
pub mod times;

use std::sync::atomic::{AtomicU64, Ordering};

use rayon::iter::{IntoParallelIterator, ParallelIterator};

use crate::alignment::aligned;
use crate::budget::Budget;
use crate::candidate::{Candidate, Dealing, Seed};
use crate::deck::Observation;
use crate::mapping::Mapping;
use crate::model::{Found, Model, ModelAbout, Scope};
use crate::seeding::Seeding;
use crate::seeds::beginning::{Beginning, FIRST, LANES, LaneSeeds};
use crate::seeds::filter::Filter;

/// One seeding with the mappings of the programs that use it.
pub struct SeedSearch {
    /// What it is called.
    pub name: &'static str,
    /// What it looks for.
    pub assumed: &'static str,
    /// The seeding.
    pub seeding: &'static Seeding,
    /// How programs make draws of it.
    pub mappings: &'static [Mapping],
    /// Calls between the seed and the first draw that are tried.
    pub calls: &'static [usize],
    /// The first outputs of many seeds.
    pub beginning: Beginning,
}

/// Records that are looked for at once: a first one may be a practice deck.
const RECORDS: usize = 2;

/// What 2^16 seeds cost for one way and start, in microseconds; further ways and starts add little.
const SEEDS_WORK: u64 = 10_000;
const SEEDS_WORK_BITS: u32 = 16;

/// Seeds between two looks at the clock.
const BATCH: u64 = 1 << 16;

/// Seeds with many calls each between two looks at the clock.
const CALLED_BATCH: usize = 1 << 10;

/// Seeds of one call: what is done and found in the order of seeds.
pub const STRETCH: u64 = 1 << 26;

impl SeedSearch {
    /// Bits of the seeds that are searched.
    pub fn bits(&self) -> u32 {
        self.seeding.bits.min(32)
    }

    /// Searches `from..to`; the first in the order of seeds that is recovered.
    pub fn range(
        &self,
        seen: &Observation,
        scope: &Scope,
        from: u64,
        to: u64,
        budget: &Budget,
    ) -> Option<Found> {
        let filter = Filter::new(self, seen, scope, RECORDS, self.calls)?;
        let best = AtomicU64::new(u64::MAX);
        let batch = |batch: u64| {
            let begin = from + batch * BATCH;
            if budget.is_spent() || best.load(Ordering::Relaxed) < begin {
                return None;
            }
            let end = (begin + BATCH).min(to);
            budget.count(end - begin);
            let found = (begin..end).step_by(LANES).find_map(|first| {
                let seeds = std::array::from_fn(|lane| (first + lane as u64) as u32);
                self.lanes(&filter, seen, &seeds, (end - first).min(LANES as u64) as usize)
            });
            found.map(|found| {
                best.fetch_min(begin, Ordering::Relaxed);
                (begin, found)
            })
        };
        let batches = (to - from).div_ceil(BATCH);
        let found = (0..batches).into_par_iter().filter_map(batch).min_by_key(|(begin, _)| *begin);
        found.map(|(_, found)| found)
    }

    /// Searches a list.
    pub fn these(
        &self,
        seen: &Observation,
        scope: &Scope,
        seeds: impl Iterator<Item = u64>,
        budget: &Budget,
    ) -> Option<Found> {
        let filter = Filter::new(self, seen, scope, RECORDS, self.calls)?;
        let mut seeds = seeds.peekable();
        while seeds.peek().is_some() && !budget.is_spent() {
            let some: Vec<u64> = seeds.by_ref().take(BATCH as usize).collect();
            budget.count(some.len() as u64);
            let chunks: Vec<&[u64]> = some.chunks(LANES).collect();
            let found = chunks.into_par_iter().find_map_first(|chunk| {
                if chunk.iter().any(|&seed| seed >> self.bits() != 0) {
                    // Seedings of 32 bits make of a longer seed what they make of its low bits.
                    let own = chunk.iter().filter(|seed| self.seeding.bits != 32 || **seed >> 32 == 0);
                    return own.copied().find_map(|seed| self.whole(&filter, seen, seed));
                }
                let own: LaneSeeds =
                    std::array::from_fn(|lane| chunk.get(lane).map_or(0, |&seed| seed as u32));
                self.lanes(&filter, seen, &own, chunk.len())
            });
            if found.is_some() {
                return found;
            }
        }
        None
    }

    /// Searches a list, with up to so many calls between the seed and the first draw: some thousand seeds a second for a thousand calls.
    pub fn called(
        &self,
        seen: &Observation,
        scope: &Scope,
        seeds: impl Iterator<Item = u64>,
        calls_max: usize,
        budget: &Budget,
    ) -> Option<Found> {
        let filter = Filter::new(self, seen, scope, RECORDS, &[0])?;
        let mut seeds = seeds.peekable();
        while seeds.peek().is_some() && !budget.is_spent() {
            let some: Vec<u64> = seeds.by_ref().take(CALLED_BATCH).collect();
            budget.count(some.len() as u64);
            let found = some.into_par_iter().find_map_first(|seed| {
                if budget.is_spent() { None } else { self.of_calls(&filter, seen, seed, calls_max) }
            });
            if found.is_some() {
                return found;
            }
        }
        None
    }

    /// One seed, with as many calls as lanes at a time.
    fn of_calls(&self, filter: &Filter, seen: &Observation, seed: u64, calls_max: usize) -> Option<Found> {
        let mut state = (self.seeding.state)(seed);
        let next = self.seeding.generator().next;
        let tape: Vec<u64> = (0..=calls_max + LANES + FIRST).map(|_| next(&mut state)).collect();
        let mut hits = Vec::new();
        (0..=calls_max).step_by(LANES).find_map(|first| {
            let outputs =
                std::array::from_fn(|number| std::array::from_fn(|lane| tape[first + number + lane]));
            (0..LANES.min(calls_max + 1 - first)).find_map(|lane| {
                filter.hits(&outputs, lane, &mut hits);
                hits.drain(..).find_map(|hit| self.confirmed(seen, filter, (seed, first + lane), hit))
            })
        })
    }

    fn lanes(&self, filter: &Filter, seen: &Observation, seeds: &LaneSeeds, count: usize) -> Option<Found> {
        let outputs = (self.beginning)(seeds);
        let mut hits = Vec::new();
        for (lane, &seed) in seeds.iter().enumerate().take(count) {
            filter.hits(&outputs, lane, &mut hits);
            let found =
                hits.drain(..).find_map(|hit| self.confirmed(seen, filter, (u64::from(seed), 0), hit));
            if found.is_some() {
                return found;
            }
        }
        None
    }

    /// A seed that is too long for the quick way.
    fn whole(&self, filter: &Filter, seen: &Observation, seed: u64) -> Option<Found> {
        let outputs = beginning::slow(self.seeding, seed);
        let mut hits = Vec::new();
        filter.hits(&outputs, 0, &mut hits);
        hits.into_iter().find_map(|hit| self.confirmed(seen, filter, (seed, 0), hit))
    }

    /// Follows a seed, so many calls on, through all records, or where that is in vain takes it for the seed of one deck.
    fn confirmed(
        &self,
        seen: &Observation,
        filter: &Filter,
        (seed, before): (u64, usize),
        hit: usize,
    ) -> Option<Found> {
        let target = &filter.targets[hit];
        let generator = self.seeding.generator();
        let mut state = (self.seeding.state)(seed);
        let calls = before + target.calls;
        (0..calls).for_each(|_| _ = (generator.next)(&mut state));
        let dealing: Dealing = target.dealing;
        let own = Seed { seeding: self.seeding.name, seed, calls: calls as u64 };
        let candidate = Candidate { dealing, state, seed: Some(own) };
        Some(aligned(Found::from_record(candidate, seen, target.record)?, seen))
    }
}

impl Found {
    /// A state that was fitted to one record: what follows it, or that record by itself.
    pub fn from_record(candidate: Candidate, seen: &Observation, record: usize) -> Option<Found> {
        Found::if_recovered(candidate.clone(), seen, record, 1)
            .or_else(|| Found::of_one_record(candidate, seen, record))
    }

    /// One record by itself, where the state is overdetermined by it: each deck may have its own seed.
    fn of_one_record(candidate: Candidate, seen: &Observation, record: usize) -> Option<Found> {
        // A start from the deck before needs that deck.
        if candidate.dealing.start == crate::start::Start::Previous {
            return None;
        }
        let mut found = Found::if_recovered(candidate, &seen.window(record..record + 1), 0, 1)?;
        found.followed.runs.iter_mut().for_each(|run| run.first += record as u64);
        Some(found)
    }
}

impl Model for SeedSearch {
    fn about(&self) -> ModelAbout {
        ModelAbout { name: self.name, assumed: self.assumed, generator: Some(self.seeding.generator) }
    }

    fn work(&self, _: &Observation) -> u64 {
        SEEDS_WORK << (self.bits() - SEEDS_WORK_BITS)
    }

    fn recover(&self, seen: &Observation, scope: &Scope, budget: &Budget) -> Option<Found> {
        let total = 1u64 << self.bits();
        (0..total / STRETCH)
            .take_while(|_| !budget.is_spent())
            .find_map(|stretch| self.range(seen, scope, stretch * STRETCH, (stretch + 1) * STRETCH, budget))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::candidate::dealt;
    use crate::seeds::list::SEED_SEARCHES;
    use crate::start::Start;
    use crate::way::WAYS;

    /// Three decks of a seed, or one deck each of three seeds.
    fn observation(
        search: &SeedSearch,
        mapping: Mapping,
        calls: usize,
        seeds: &[u64],
        way: crate::way::Way,
    ) -> Observation {
        let dealing = Dealing { generator: search.seeding.generator(), mapping, way, start: Start::BY_RANKS };
        let deal = |&seed: &u64| {
            let dealer = Candidate::new(dealing, (search.seeding.state)(seed));
            dealt(&dealer, calls as u64, 0, 3 / seeds.len())
        };
        Observation::of_decks(&seeds.iter().flat_map(deal).collect::<Vec<_>>())
    }

    #[test]
    fn every_seeding_is_found_by_its_first_cards() {
        let seed = 1_700_012_345u64;
        for search in SEED_SEARCHES {
            for (&mapping, way) in search.mappings.iter().zip(WAYS.into_iter().cycle()) {
                // std::shuffle runs upward, so that its pairs fit.
                let way = if mapping == Mapping::Pairs { WAYS[2] } else { way };
                for &calls in search.calls {
                    for seeds in [&[seed][..], &[seed, seed + 500_000, seed + 1_000_000]] {
                        let seen = observation(search, mapping, calls, seeds, way);
                        let scope = Scope { ways: WAYS.to_vec(), starts: vec![Start::BY_RANKS] };
                        let found =
                            search.range(&seen, &scope, seed - 1_000, seed + 1_000, &Budget::unlimited());
                        let found = found.unwrap_or_else(|| panic!("{} {mapping:?} {calls}", search.name));
                        assert_eq!(found.candidate.seed.map(|own| own.seed), Some(seed), "{}", search.name);
                        assert_eq!(found.candidate.dealing.mapping, mapping, "{}", search.name);
                        assert_eq!(found.followed.records as usize, 3 / seeds.len(), "{}", search.name);
                    }
                }
            }
        }
    }

    #[test]
    fn every_seeding_is_found_some_calls_on() {
        let seed = 1_700_012_345u64;
        for search in SEED_SEARCHES {
            let mapping = search.mappings[0];
            let seen = observation(search, mapping, 777, &[seed], WAYS[0]);
            let scope = Scope { ways: vec![WAYS[0]], starts: vec![Start::BY_RANKS] };
            let called =
                |calls| search.called(&seen, &scope, seed - 3..seed + 3, calls, &Budget::unlimited());
            let own = called(800).and_then(|found| found.candidate.seed).map(|own| (own.seed, own.calls));
            // Calls that are rejected may be counted to the deck.
            assert!(
                own.is_some_and(|own| own.0 == seed && (760..=777).contains(&own.1)),
                "{}: {own:?}",
                search.name
            );
            assert_eq!(called(700), None, "{}", search.name);
        }
    }
}
