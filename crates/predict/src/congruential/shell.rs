//! `RANDOM` of bash: fifteen bits of a generator of 31, whose cycle of 2^31 − 2 numbers is gone through once for all records, ways
//! and start orders: three draws at a time point to those that may have made them. Where they are few, or these three draws are not
//! known, every x that gives the draw of the widest range is tried instead.

use rayon::iter::{IntoParallelRefIterator, ParallelIterator};

use crate::budget::Budget;
use crate::candidate::{Candidate, Dealing};
use crate::congruential::cycle::{self, Codes, Form};
use crate::congruential::jump::Jump;
use crate::deck::Observation;
use crate::generator::Generator;
use crate::generator::congruential::MINSTD0_NUMBERS;
use crate::generator::programs::{BASH, BASH_LOW, BASH_NONE, bash_folded, bash_low};
use crate::mapping::Mapping;
use crate::model::{Found, Model, ModelAbout, Scope};
use crate::start::Start;
use crate::way::{Draws, KnownDraws, Way};

/// Bits of a number.
const BITS: u32 = 15;

/// How many x give one number.
const OF_ONE: u64 = 1 << 16;

/// One in 600 records holds a number that came twice in a row and was passed over.
const RECORDS: usize = 3;

/// What one way and one start cost, microseconds.
const WORK: u64 = 500_000;

/// One form of `RANDOM` with one mapping.
pub struct Shell {
    name: &'static str,
    generator: &'static Generator,
    mapping: Mapping,
    form: Form,
    output: fn(u64) -> u64,
    /// The x of that number that give this output.
    x: fn(u64, u64) -> u64,
}

const fn folded(name: &'static str, mapping: Mapping, form: Form) -> Shell {
    let x = |output, number: u64| {
        let high = number >> 1;
        high << 16 | (number & 1) << BITS | (output ^ high) & 0x7fff
    };
    Shell { name, generator: &BASH, mapping, form, output: bash_folded, x }
}

const fn low(name: &'static str, mapping: Mapping, form: Form) -> Shell {
    Shell {
        name,
        generator: &BASH_LOW,
        mapping,
        form,
        output: bash_low,
        x: |output, number| number << BITS | output,
    }
}

/// `$((RANDOM % n))` and `$((RANDOM * n / 32768))`.
pub static SHELL_MODELS: [Shell; 4] = [
    folded("bash RANDOM % n", Mapping::Modulo { drop: 0 }, Form::FoldedModulo),
    folded("bash RANDOM scaled", Mapping::Float { bits: BITS }, Form::FoldedScaled),
    low("bash 4.0 to 5.0 RANDOM % n", Mapping::Modulo { drop: 0 }, Form::LowModulo),
    low("bash 4.0 to 5.0 RANDOM scaled", Mapping::Float { bits: BITS }, Form::LowScaled),
];

impl Shell {
    fn draw(&self, output: u64, n: u8) -> u8 {
        match self.mapping {
            Mapping::Float { .. } => ((output * u64::from(n)) >> BITS) as u8,
            _ => (output % u64::from(n)) as u8,
        }
    }

    /// States before the first draw that give all of these, if no number was passed over.
    fn states(&self, ranges: &Draws, draws: &KnownDraws, budget: &Budget) -> Vec<u64> {
        let known: Vec<(usize, u8)> =
            draws.iter().enumerate().filter_map(|(at, draw)| Some((at, (*draw)?))).collect();
        let Some(&(widest, value)) = known.iter().rev().max_by_key(|(at, _)| ranges[*at]) else {
            return Vec::new();
        };
        let jump = (0..=widest).fold(Jump::NONE, |jump, _| jump.step(&MINSTD0_NUMBERS));
        let Some(back) = jump.back(&MINSTD0_NUMBERS) else { return Vec::new() };
        let is_own = |output: &u64| self.draw(*output, ranges[widest]) == value;
        let outputs: Vec<u64> = (0..1 << BITS).filter(is_own).collect();
        budget.count(outputs.len() as u64 * OF_ONE);
        let of_output = |&output: &u64| {
            let end = if budget.is_spent() { 0 } else { OF_ONE };
            (0..end).filter_map(move |number| {
                let state = back.apply(&MINSTD0_NUMBERS, (self.x)(output, number));
                self.agrees(state, ranges, draws).then_some(state)
            })
        };
        outputs.par_iter().flat_map_iter(of_output).collect()
    }

    fn agrees(&self, mut state: u64, ranges: &Draws, draws: &KnownDraws) -> bool {
        ranges.iter().zip(draws).all(|(&n, draw)| {
            state = MINSTD0_NUMBERS.next(state);
            draw.is_none_or(|draw| self.draw((self.output)(state), n) == draw)
        })
    }

    fn targets(&self, seen: &Observation, scope: &Scope) -> Vec<Target> {
        let of_pair = |(way, start): (Way, Start)| {
            let dealing = Dealing { generator: self.generator, mapping: self.mapping, way, start };
            let records = dealing.first()..seen.records.len().min(dealing.first() + RECORDS);
            let of_record = move |record| {
                let draws = dealing.known_draws(seen, record)?;
                Some(Target { dealing, record, ranges: way.ranges(), draws })
            };
            records.filter_map(of_record)
        };
        scope.pairs().flat_map(of_pair).collect()
    }

    /// States before the records of many targets.
    fn cycled(&self, seen: &Observation, targets: &[Target], budget: &Budget) -> Option<Found> {
        let codes = Codes::of(MINSTD0_NUMBERS, targets.iter().map(|own| (&own.ranges, &own.draws)));
        cycle::states(self.form, &codes, budget)
            .into_iter()
            .filter(|(target, state)| self.agrees(*state, &targets[*target].ranges, &targets[*target].draws))
            .find_map(|(target, state)| self.confirmed(seen, &targets[target], state))
    }

    fn confirmed(&self, seen: &Observation, target: &Target, state: u64) -> Option<Found> {
        Found::from_record(Candidate::new(target.dealing, vec![state, BASH_NONE]), seen, target.record)
    }
}

/// One way and start with one record.
struct Target {
    dealing: Dealing,
    record: usize,
    ranges: Draws,
    draws: KnownDraws,
}

/// Targets from which on one cycle costs less than their lists.
const CYCLED_MIN: usize = 48;

impl Model for Shell {
    fn about(&self) -> ModelAbout {
        let assumed = "all 2^31 states: one of three records, no number in it that came twice in a row";
        ModelAbout { name: self.name, assumed, generator: Some(self.generator.name) }
    }

    fn work(&self, _: &Observation) -> u64 {
        WORK
    }

    fn recover(&self, seen: &Observation, scope: &Scope, budget: &Budget) -> Option<Found> {
        let is_cycled = |own: &Target| Codes::has(&own.ranges, &own.draws);
        let (mut many, mut few): (Vec<_>, Vec<_>) =
            self.targets(seen, scope).into_iter().partition(is_cycled);
        if many.len() < CYCLED_MIN {
            few.append(&mut many);
        }
        let found = if many.is_empty() { None } else { self.cycled(seen, &many, budget) };
        found.or_else(|| {
            few.iter().take_while(|_| !budget.is_spent()).find_map(|own| {
                let states = self.states(&own.ranges, &own.draws, budget);
                states.into_iter().find_map(|state| self.confirmed(seen, own, state))
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::candidate::next_decks;
    use crate::way::WAYS;

    /// Decks after some calls, with three calls between two of them.
    fn observation(model: &Shell, way: Way, place: u64, decks: usize) -> Observation {
        let dealing =
            Dealing { generator: model.generator, mapping: model.mapping, way, start: Start::BY_RANKS };
        let dealer = Candidate::new(dealing, vec![20_261_125, BASH_NONE]);
        Observation::of_decks(&next_decks(&dealer, (place - 3, 3), None, decks))
    }

    fn check(model: &Shell, way: Way, place: u64) -> Found {
        let seen = observation(model, way, place, 4);
        let scope = Scope { ways: vec![way], starts: vec![Start::BY_RANKS] };
        model.recover(&seen, &scope, &Budget::unlimited()).unwrap_or_else(|| panic!("{} {way:?}", model.name))
    }

    #[test]
    fn one_deck_of_every_form_is_enough() {
        for model in &SHELL_MODELS {
            for way in [WAYS[0], WAYS[2]] {
                let Found { followed, used, .. } = check(model, way, 1_000);
                assert_eq!((followed.records, followed.missed, used), (4, 0, 1), "{} {way:?}", model.name);
                assert_eq!(followed.runs[0].calls_between, 3);
            }
        }
    }

    /// One walk through the cycle finds a deck of a loop downward and one of a loop upward.
    #[test]
    fn the_cycle_finds_what_lists_find() {
        let model = &SHELL_MODELS[0];
        let targets = [WAYS[0], WAYS[2]].map(|way| {
            let seen = observation(model, way, 1_000, 4);
            let scope = Scope { ways: vec![way], starts: vec![Start::BY_RANKS] };
            let wanted = check(model, way, 1_000).candidate.state[0];
            (model.targets(&seen, &scope).remove(0), wanted)
        });
        let codes = Codes::of(MINSTD0_NUMBERS, targets.iter().map(|(own, _)| (&own.ranges, &own.draws)));
        let mut found = cycle::states(model.form, &codes, &Budget::unlimited());
        found.retain(|(target, state)| {
            let (own, _) = &targets[*target];
            model.agrees(*state, &own.ranges, &own.draws)
        });
        found.sort_unstable();
        // The generator modulo 2^31 − 1 goes on from −x as from x with all bits turned, which the folding does not show.
        let mut wanted: Vec<(usize, u64)> = targets
            .iter()
            .enumerate()
            .flat_map(|(target, (_, state))| [*state, (1 << 31) - 1 - state].map(|state| (target, state)))
            .collect();
        wanted.sort_unstable();
        assert_eq!(found, wanted);
    }

    /// Every x that gives a number, each once.
    #[test]
    fn all_x_of_a_number_are_listed() {
        for model in &SHELL_MODELS {
            let mut listed: Vec<u64> = (0..OF_ONE).map(|number| (model.x)(12_345, number)).collect();
            assert!(listed.iter().all(|&x| (model.output)(x) == 12_345 && x < 1 << 31), "{}", model.name);
            listed.sort_unstable();
            listed.dedup();
            assert_eq!(listed.len() as u64, OF_ONE, "{}", model.name);
        }
    }

    /// A number that comes twice in a row is passed over: where the first record holds it, the second tells the state.
    #[test]
    fn a_number_passed_over_is_no_hindrance() {
        let mut x = 20_261_125;
        let mut before = BASH_NONE;
        let passed = (0u64..).find(|_| {
            x = MINSTD0_NUMBERS.next(x);
            std::mem::replace(&mut before, bash_folded(x)) == before
        });
        let place = passed.expect("one in 32,768") - 20;
        let found = check(&SHELL_MODELS[0], WAYS[0], place);
        assert_eq!((found.followed.runs[0].first, found.followed.records), (1, 3));
    }
}
