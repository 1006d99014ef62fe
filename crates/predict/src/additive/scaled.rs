//! Additive feedback generators by the leading bits of their words: `⌊U·n⌋`.

use crate::additive::sequence::{ANYWHERE, Interval, Relation};
use crate::budget::Budget;
use crate::candidate::{Candidate, Dealing};
use crate::deck::Observation;
use crate::generator::Generator;
use crate::generator::additive::GLIBC_RANDOM;
use crate::generator::programs::DOTNET;
use crate::mapping::Mapping;
use crate::model::{Found, Model, ModelAbout, Scope};

/// A generator whose words are sums of earlier ones, and how it is looked for.
pub struct Scaled {
    name: &'static str,
    assumed: &'static str,
    generator: &'static Generator,
    relation: Relation,
    /// A state from the words before the first call, the oldest first.
    state: fn(&[u64]) -> Vec<u64>,
}

/// `random() / 2^31 · n`: glibc, mawk, BSD and macOS.
pub static GLIBC_SCALED: Scaled = Scaled {
    name: "glibc and BSD random() scaled",
    assumed: "⌊U·n⌋ of the 31 bits of random(), which mawk's rand() has too; any state, from about 40 whole decks; as many \
              calls between all decks",
    generator: &GLIBC_RANDOM,
    relation: Relation { terms: &[(3, 1), (31, 1)], modulus: 1 << 32 },
    state: <[u64]>::to_vec,
};

/// .NET's generator in any state, however many calls lie behind its seed.
pub static DOTNET_SCALED: Scaled = Scaled {
    name: ".NET Random in any state",
    assumed: "Next(n) of the seeded generator of .NET, however many calls after its seed, from about 70 whole decks; as many calls between \
              all decks",
    generator: &DOTNET,
    relation: Relation { terms: &[(34, -1), (55, 1)], modulus: (1 << 31) - 1 },
    state: |words| [words, &[0]].concat(),
};

const MAPPING: Mapping = Mapping::Float { bits: 31 };

/// Records that are put together at most.
const RECORDS_MAX: usize = 160;

/// Records that show whether way, start and calls between are right.
const RECORDS_TRIED: usize = 4;

/// The fraction of the range that each draw of a record lies in.
fn intervals(dealing: &Dealing, seen: &Observation, record: usize) -> Option<Vec<Interval>> {
    let draws = dealing.known_draws(seen, record)?;
    let of_draw = |(n, draw): (u8, Option<u8>)| {
        draw.map_or(ANYWHERE, |draw| Interval {
            middle: (f64::from(draw) + 0.5) / f64::from(n),
            half: 0.5 / f64::from(n),
        })
    };
    Some(dealing.way.ranges().into_iter().zip(draws).map(of_draw).collect())
}

impl Scaled {
    fn of_dealing(&self, dealing: Dealing, seen: &Observation, budget: &Budget) -> Option<Found> {
        let first = dealing.first();
        let last = seen.records.len().min(first + RECORDS_MAX);
        let records: Vec<Vec<Interval>> =
            (first..last).map_while(|number| intervals(&dealing, seen, number)).collect();
        (0..=seen.gap.calls_max as usize).take_while(|_| !budget.is_spent()).find_map(|gap| {
            budget.count(1);
            let mut tried = joined(&records[..records.len().min(RECORDS_TRIED)], gap);
            if !self.relation.narrow(&mut tried) || tried.len() <= self.relation.longest() {
                return None;
            }
            let mut words = joined(&records, gap);
            let own = if self.relation.narrow(&mut words) { words } else { return None };
            let (words, calls) = self.relation.words(&own)?;
            let used = calls.div_ceil(records[0].len() + gap);
            let state = (self.state)(&self.relation.before(&words));
            Found::if_recovered(Candidate::new(dealing, state), seen, first, used)
        })
    }
}

/// Records with so many calls between.
fn joined(records: &[Vec<Interval>], gap: usize) -> Vec<Interval> {
    records.iter().flat_map(|own| own.iter().copied().chain(std::iter::repeat_n(ANYWHERE, gap))).collect()
}

impl Model for Scaled {
    fn about(&self) -> ModelAbout {
        ModelAbout { name: self.name, assumed: self.assumed, generator: Some(self.generator.name) }
    }

    fn work(&self, seen: &Observation) -> u64 {
        let each = if seen.records.len() < RECORDS_MIN { 0 } else { WORK };
        each * u64::from(seen.gap.calls_max + 1)
    }

    fn recover(&self, seen: &Observation, scope: &Scope, budget: &Budget) -> Option<Found> {
        scope.pairs().find_map(|(way, start)| {
            let dealing = Dealing { generator: self.generator, mapping: MAPPING, way, start };
            self.of_dealing(dealing, seen, budget)
        })
    }
}

/// Fewer never suffice.
const RECORDS_MIN: usize = 30;

/// What one way, one start and one number of calls between cost where nothing is found.
const WORK: u64 = 30;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::candidate::dealt;
    use crate::start::Start;
    use crate::way::WAYS;

    fn check(model: &Scaled, which: usize, decks: usize, gap: u64) {
        let (way, start) = (WAYS[which], Start::BY_RANKS);
        let dealing = Dealing { generator: model.generator, mapping: MAPPING, way, start };
        let mut word = which as u64 + 1;
        let mut state: Vec<u64> = (0..model.relation.longest())
            .map(|_| {
                word = word.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                (word >> 33) % model.relation.modulus as u64
            })
            .collect();
        state = (model.state)(&state);
        let dealt = dealt(&Candidate::new(dealing, state), 1_000, gap, decks);
        let scope = Scope { ways: vec![way], starts: vec![start] };
        let found = model.recover(&Observation::of_decks(&dealt), &scope, &Budget::unlimited());
        let found = found.unwrap_or_else(|| panic!("{} {way:?}", model.name));
        assert_eq!((found.followed.records, found.followed.missed), (decks as u64, 0));
    }

    #[test]
    fn leading_bits_of_sums_tell_every_word() {
        check(&GLIBC_SCALED, 0, 48, 0);
        check(&GLIBC_SCALED, 3, 48, 2);
    }

    #[test]
    fn leading_bits_of_differences_tell_every_word() {
        check(&DOTNET_SCALED, 0, 80, 0);
    }
}
