//! Counters of 32 bits: all 2^32 states are gone through once for all ways, start orders and the first two records.

use std::ops::Range;

use rayon::iter::{IntoParallelIterator, ParallelIterator};

use crate::budget::Budget;
use crate::candidate::{Candidate, Dealing};
use crate::congruential::cycle::{Codes, PART, counted};
use crate::deck::Observation;
use crate::generator::Generator;
use crate::generator::congruential::Congruence;
use crate::generator::counters::{Counter, MULBERRY32, Mulberry32, SPLITMIX32, Splitmix32};
use crate::mapping::Mapping;
use crate::model::{Found, Model, ModelAbout, Scope};
use crate::way::KnownDraws;

/// A first one may be a practice deck.
const RECORDS: usize = 2;

/// Parts of the cycle.
const PARTS: u64 = (1 << u32::BITS) / PART;

/// Microseconds of one walk, which one way and start cost as much as all.
const WORK: u64 = 10_000_000;

/// One counter with one mapping.
pub struct Counted {
    name: &'static str,
    generator: &'static Generator,
    numbers: Congruence,
    mapping: Mapping,
    part: fn(bool, &Codes, u64) -> Vec<(usize, u64)>,
}

const fn model<C: Counter>(name: &'static str, generator: &'static Generator, mapping: Mapping) -> Counted {
    Counted { name, generator, numbers: C::NUMBERS, mapping, part: counted::<C> }
}

/// `Math.floor(random() * n)`, and the same 32 bits modulo n.
pub static COUNTER_MODELS: [Counted; 3] = [
    model::<Mulberry32>("mulberry32 scaled", &MULBERRY32, Mapping::Float { bits: 32 }),
    model::<Mulberry32>("mulberry32 % n", &MULBERRY32, Mapping::Modulo { drop: 0 }),
    model::<Splitmix32>("splitmix32 scaled", &SPLITMIX32, Mapping::Float { bits: 32 }),
];

/// A dealer with a record that it may have dealt.
struct Target {
    dealing: Dealing,
    record: usize,
    draws: KnownDraws,
}

impl Counted {
    fn targets(&self, seen: &Observation, scope: &Scope) -> Vec<Target> {
        let of_record = |dealing: Dealing, record| {
            let draws = dealing.known_draws(seen, record)?;
            Codes::has(&dealing.way.ranges(), &draws).then_some(Target { dealing, record, draws })
        };
        let of_pair = |(way, start)| {
            let dealing = Dealing { generator: self.generator, mapping: self.mapping, way, start };
            (dealing.first()..RECORDS).filter_map(move |record| of_record(dealing, record))
        };
        scope.pairs().flat_map(of_pair).collect()
    }

    /// Goes through some parts of the cycle; the first of them that holds a state that is recovered.
    fn walked(&self, seen: &Observation, scope: &Scope, parts: Range<u64>, budget: &Budget) -> Option<Found> {
        let targets = self.targets(seen, scope);
        let ranges: Vec<_> = targets.iter().map(|target| target.dealing.way.ranges()).collect();
        let drawn = ranges.iter().zip(targets.iter().map(|target| &target.draws));
        let codes = Codes::of(self.numbers, drawn);
        let is_dealt = |&(target, state): &(usize, u64)| {
            let Target { dealing, draws, .. } = &targets[target];
            let mut state = [state];
            let next = &mut || (self.generator.next)(&mut state);
            dealing.mapping.draws(self.generator, next, &ranges[target], draws).is_ok()
        };
        let of_part = |part: u64| {
            if targets.is_empty() || budget.is_spent() {
                return None;
            }
            budget.count(PART);
            let mut states = (self.part)(matches!(self.mapping, Mapping::Float { .. }), &codes, part * PART);
            states.retain(is_dealt);
            states.sort_unstable();
            states.into_iter().take_while(|_| !budget.is_spent()).find_map(|(target, state)| {
                let Target { dealing, record, .. } = targets[target];
                Found::from_record(Candidate::new(dealing, vec![state]), seen, record)
            })
        };
        parts.into_par_iter().find_map_first(of_part)
    }
}

impl Model for Counted {
    fn about(&self) -> ModelAbout {
        let assumed =
            "all 2^32 states: one of the first two records, three draws in a row from 52, 51 and 50 known";
        ModelAbout { name: self.name, assumed, generator: Some(self.generator.name) }
    }

    fn work(&self, _: &Observation) -> u64 {
        WORK
    }

    fn recover(&self, seen: &Observation, scope: &Scope, budget: &Budget) -> Option<Found> {
        self.walked(seen, scope, 0..PARTS, budget)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::candidate::{dealt, next_decks};
    use crate::congruential::jump::inverse;
    use crate::deck::{Deck, Record};
    use crate::start::Start;
    use crate::way::{WAYS, Way};

    fn walked(model: &Counted, seen: &Observation, ways: &[Way], parts: Range<u64>) -> Option<Found> {
        let scope = Scope { ways: ways.to_vec(), starts: vec![Start::BY_RANKS, Start::Previous] };
        model.walked(seen, &scope, parts, &Budget::unlimited())
    }

    /// A dealer in the state so many steps behind 0.
    fn dealer(model: &Counted, way: Way, place: u64) -> Candidate {
        let Counted { generator, mapping, numbers, .. } = *model;
        let dealing = Dealing { generator, mapping, way, start: Start::BY_RANKS };
        Candidate::new(dealing, vec![place * numbers.increment % (1 << 32)])
    }

    fn check(model: &Counted, way: Way, place: u64, parts: Range<u64>) {
        let dealer = dealer(model, way, place);
        let seen = Observation::of_decks(&dealt(&dealer, 0, 3, 4));
        let found = walked(model, &seen, &[way], parts).unwrap_or_else(|| panic!("{} {way:?}", model.name));
        assert_eq!(found.candidate, dealer, "{} {way:?}", model.name);
        assert_eq!((found.followed.records, found.followed.missed, found.followed.held_out_decks), (4, 0, 3));
        assert_eq!(found.followed.runs[0].calls_between, 3);
    }

    /// The first draw is the last of part 6, and once the last of all.
    #[test]
    fn every_model_finds_its_state_in_every_way() {
        for model in &COUNTER_MODELS {
            WAYS.into_iter().for_each(|way| check(model, way, 7 * PART - 2, 6..8));
            check(model, WAYS[0], (1 << 32) - 2, PARTS - 1..PARTS);
        }
    }

    /// `fixtures/seeded.csv`: one deck tells the state that follows the seed 1700000123, and the next deck.
    #[test]
    fn one_deck_of_node_tells_the_next() {
        for model in COUNTER_MODELS.iter().filter(|model| model.mapping == Mapping::Float { bits: 32 }) {
            let name = format!("node {},", model.generator.name);
            let rows = include_str!("../../fixtures/seeded.csv").lines();
            let deck = |text: &str| text.split(' ').map(|card| card.parse().expect("a card")).collect();
            let decks: Vec<Vec<u8>> = rows.filter_map(|row| row.strip_prefix(&name)).map(deck).collect();
            let decks: Vec<Deck> =
                decks.into_iter().map(|cards| cards.try_into().expect("52 cards")).collect();
            // The state is place · c.
            let inverse = inverse(model.numbers.increment.into(), 1 << 32).expect("c is odd");
            let part = u64::from((inverse as u32).wrapping_mul(1_700_000_123)) / PART;
            let seen = Observation::of_decks(&decks[..1]);
            let Found { candidate, followed, .. } =
                walked(model, &seen, &WAYS, part..part + 1).expect("the state lies there");
            assert_eq!(candidate.state, [1_700_000_123], "{name}");
            assert_eq!(next_decks(&candidate, (followed.calls, 0), None, 1), decks[1..], "{name}");
        }
    }

    /// By hand: 52!/38! is 2^76.2, and 32 bits of state with 10^8 dealers leave less than 64 of it for one hand.
    #[test]
    fn hands_of_which_fourteen_cards_are_seen_are_enough_and_one_is_not() {
        for model in &COUNTER_MODELS {
            let first = |deck: &Deck| {
                Record::of_first_cards(&deck[..14].iter().copied().map(Some).collect::<Vec<_>>())
            };
            let decks = dealt(&dealer(model, WAYS[1], 7 * PART), 0, 3, 4);
            let mut seen = Observation::of_decks(&decks);
            seen.records = decks.iter().map(|deck| first(deck).expect("cards of one deck")).collect();
            let found = walked(model, &seen, &WAYS, 7..8).expect("four hands hold 304 bits");
            assert_eq!((found.followed.records, found.followed.missed), (4, 0), "{}", model.name);
            assert_eq!(walked(model, &seen.window(0..1), &WAYS, 7..8), None, "{}", model.name);
        }
    }

    /// Four million states, of which thousands give three draws of a deck of another generator, and none all of them.
    #[test]
    fn nothing_is_recovered_from_other_decks() {
        let [mulberry, modulo, splitmix] = &COUNTER_MODELS;
        for (model, other) in [(mulberry, splitmix), (modulo, mulberry), (splitmix, mulberry)] {
            let seen = Observation::of_decks(&dealt(&dealer(other, WAYS[0], 77), 0, 0, 3));
            assert_eq!(walked(model, &seen, &WAYS, 0..4), None, "{}", model.name);
        }
    }
}
