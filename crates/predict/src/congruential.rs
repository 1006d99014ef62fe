//! Recovers congruential generators: `x ← a·x + c mod m` with m up to 2^64.
//!
//! | what is known of outputs | how the state is found | file |
//! |---|---|---|
//! | intervals: `⌊U·n⌋`, high bits | the nearest point of a lattice of a dozen draws | `scaled` |
//! | leading bits, drawn again while they are too large | the same, of records in which no call is rejected where it counts | `redrawn` |
//! | residues, m a power of two: `x >> s mod n` | the low s + 1 bits sifted by the parity of draws of even n, or found by a lattice; then bit by bit, then the rest | `sifted` |
//! | residues, m a prime | the same of their quotients | `scaled` |
//! | residues or intervals of halves that are put together, bash | every x that gives the draw of the widest range | `shell` |
//! | draws of what a function makes of a counter | every x | `counter` |

pub mod counter;
mod cycle;
pub(crate) mod jump;
pub mod keys;
pub mod list;
pub mod redrawn;
mod scaled;
pub mod shell;
mod sifted;

use crate::budget::Budget;
use crate::candidate::{Candidate, Dealing};
use crate::congruential::jump::Jump;
use crate::congruential::scaled::Bases;
use crate::deck::Observation;
use crate::generator::Generator;
use crate::generator::congruential::Congruence;
use crate::mapping::{Known, Mapping};
use crate::model::{Found, Model, ModelAbout, Scope};
use crate::start::Start;
use crate::way::Way;

/// One congruential generator with one mapping.
pub struct Congruential {
    /// What it is called.
    pub name: &'static str,
    /// What it looks for.
    pub assumed: &'static str,
    /// The generator.
    pub generator: &'static Generator,
    /// How outputs become draws.
    pub mapping: Mapping,
    /// What one way and one start cost, as [`Model::work`] has it.
    pub work: u64,
    /// Whether it is of tables that draw in turn: as that of one table, but not tried on windows in the middle.
    pub is_in_turn: bool,
}

/// What is known of one call, counted from 1 after the state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Seen {
    /// From the state to this output.
    jump: Jump,
    /// What is known.
    what: What,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum What {
    /// x lies between the two.
    Within(u64, u64),
    /// `(x >> drop) mod n` is the value.
    Residue { drop: u32, n: u32, value: u32 },
}

/// Everything that is known of the calls after a state.
struct Calls {
    numbers: Congruence,
    seen: Vec<Seen>,
}

impl Calls {
    fn new(generator: &Generator, numbers: Congruence, known: &[Known]) -> Calls {
        let mut jump = Jump::NONE;
        let mut seen = Vec::new();
        for known in known {
            jump = jump.step(&numbers);
            if let Some(what) = What::of(generator, &numbers, *known) {
                seen.push(Seen { jump, what });
            }
        }
        Calls { numbers, seen }
    }

    /// Whether a state gives all of it.
    fn agree(&self, state: u64) -> bool {
        self.seen.iter().all(|seen| seen.what.is_true(seen.jump.apply(&self.numbers, state)))
    }

    fn has_residues(&self) -> bool {
        self.seen.iter().any(|seen| matches!(seen.what, What::Residue { .. }))
    }

    /// States that give all of it.
    fn states(&self, bases: &mut Bases, listed_max: u64, budget: &Budget) -> Vec<u64> {
        if self.has_residues() && self.numbers.modulus.is_power_of_two() {
            sifted::states(self, bases, listed_max, budget)
        } else {
            scaled::states(self, bases)
        }
    }
}

impl What {
    fn of(generator: &Generator, numbers: &Congruence, known: Known) -> Option<What> {
        match known {
            Known::Within { top, low, high } if top + 1 == generator.bits() => {
                // A fraction of the outputs is one of the modulus; doubles and divisions round at the borders.
                let at = |fraction: u64| ((u128::from(fraction) * numbers.modulus) >> 64) as u64;
                let slack = at(1 << SLACK_BITS) + 1;
                let most = (numbers.modulus - 1) as u64;
                Some(What::Within(at(low).saturating_sub(slack), at(high).saturating_add(slack).min(most)))
            }
            Known::Residue { drop, modulus, value } => Some(What::Residue { drop, n: modulus, value }),
            _ => None,
        }
    }

    fn is_true(self, x: u64) -> bool {
        match self {
            What::Within(low, high) => (low..=high).contains(&x),
            What::Residue { drop, n, value } => match u32::try_from(x >> drop) {
                Ok(output) => output % n == value,
                Err(_) => (x >> drop) % u64::from(n) == u64::from(value),
            },
        }
    }
}

/// Intervals are widened by 2^-18 on both sides, which is more than fifteen-bit fractions or a division need and little
/// beside a width of 1/52.
const SLACK_BITS: u32 = 46;

/// Values that an audit lists for one way and start, some hundredths of a second: whole decks leave three million, few dealt cards more
/// than these.
const LISTED_AUDIT: u64 = 1 << 22;

/// What costs less is tried on windows in the middle too.
const QUICK_WORK: u64 = 10_000;

impl Congruential {
    /// The first dealer found with this way and start.
    fn of_pair(
        &self,
        seen: &Observation,
        (way, start): (Way, Start),
        bases: &mut Bases,
        budget: &Budget,
    ) -> Option<Found> {
        let numbers = self.generator.congruence?;
        let dealing = Dealing { generator: self.generator, mapping: self.mapping, way, start };
        let first = dealing.first();
        let calls = Calls::new(self.generator, numbers, &dealing.known(seen, first)?);
        let listed_max =
            if self.work < QUICK_WORK && seen.gap.calls_max == 0 { LISTED_AUDIT } else { u64::MAX };
        calls
            .states(bases, listed_max, budget)
            .into_iter()
            .find_map(|state| Found::from_record(Candidate::new(dealing, vec![state]), seen, first))
    }
}

impl Model for Congruential {
    fn about(&self) -> ModelAbout {
        ModelAbout { name: self.name, assumed: self.assumed, generator: Some(self.generator.name) }
    }

    fn is_quick(&self) -> bool {
        self.work < QUICK_WORK && !self.is_in_turn
    }

    fn work(&self, _: &Observation) -> u64 {
        self.work
    }

    fn recover(&self, seen: &Observation, scope: &Scope, budget: &Budget) -> Option<Found> {
        let mut bases = Bases::default();
        scope.pairs().take_while(|_| !budget.is_spent()).find_map(|pair| {
            budget.count(1);
            self.of_pair(seen, pair, &mut bases, budget)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::candidate::dealt;
    use crate::congruential::list::{QUICK_MODELS, SLOW_MODELS};
    use crate::deck::Record;
    use crate::way::WAYS;

    /// A dealer in a state that no program would start with, and what it deals.
    fn observation(model: &Congruential, way: Way, decks: usize) -> Observation {
        let dealing =
            Dealing { generator: model.generator, mapping: model.mapping, way, start: Start::BY_RANKS };
        let state = 0x1234_5678_9abc_def1 & (u64::MAX >> (64 - model.generator.word_bits)) >> 1 | 1;
        Observation::of_decks(&dealt(&Candidate::new(dealing, vec![state]), 1_000, 3, decks))
    }

    fn check(model: &Congruential, way: Way) {
        let seen = observation(model, way, 4);
        let scope = Scope { ways: vec![way], starts: vec![Start::BY_RANKS] };
        let Found { followed, .. } = model
            .recover(&seen, &scope, &Budget::unlimited())
            .unwrap_or_else(|| panic!("{} {way:?}", model.name));
        assert_eq!((followed.records, followed.missed, followed.held_out_decks), (4, 0, 3), "{}", model.name);
        assert_eq!(followed.runs[0].calls_between, 3);
    }

    #[test]
    fn one_deck_of_every_model_is_enough_in_every_way() {
        for model in QUICK_MODELS.iter().chain(&SLOW_MODELS) {
            WAYS.into_iter().for_each(|way| check(model, way));
        }
    }

    /// A hand dealt by `pop()`: the rest of its calls is skipped.
    #[test]
    fn fourteen_cards_of_each_hand_are_enough() {
        for model in &QUICK_MODELS {
            let whole = observation(model, WAYS[1], 6);
            let first =
                |record: &Record| Record::of_first_cards(&record.cards()[..14]).expect("cards of one deck");
            let seen = Observation { records: whole.records.iter().map(first).collect(), gap: whole.gap };
            let scope = Scope { ways: vec![WAYS[1]], starts: vec![Start::BY_RANKS] };
            let found = model.recover(&seen, &scope, &Budget::unlimited());
            let found = found.unwrap_or_else(|| panic!("{}", model.name));
            assert_eq!((found.followed.records, found.followed.missed), (6, 0), "{}", model.name);
        }
    }

    /// A new state for every deck: each deck by itself is proof, and nothing follows from it.
    #[test]
    fn one_deck_of_many_states_is_still_known() {
        let model = &QUICK_MODELS[0];
        let mut seen = observation(model, WAYS[0], 1);
        for other in [77, 78] {
            let dealing = Dealing {
                generator: model.generator,
                mapping: model.mapping,
                way: WAYS[0],
                start: Start::BY_RANKS,
            };
            let decks = dealt(&Candidate::new(dealing, vec![other]), 0, 0, 1);
            seen.records.push(Record::whole(&decks[0]));
        }
        let scope = Scope { ways: vec![WAYS[0]], starts: vec![Start::BY_RANKS] };
        let found =
            model.recover(&seen, &scope, &Budget::unlimited()).expect("the first deck is overdetermined");
        assert_eq!((found.followed.records, found.followed.runs[0].first), (1, 0));
    }
}
