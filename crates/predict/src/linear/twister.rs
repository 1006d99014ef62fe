//! The Mersenne twisters: 19,937 unknown bits, closed by the draws of about a hundred whole decks.
//!
//! Every bit of the state is kept as a sum of bits of the first state while the generator runs; the known sums of output
//! bits are eliminated as they come.
//!
//! A draw of n = 2^v·m always shows v bits, whatever the draw. Where there are records enough for these bits alone, all ways with loops in
//! one direction and all start orders have the same equations but for the right sides: one elimination serves 64 of them.

use rayon::iter::{IntoParallelRefIterator, ParallelIterator};

use crate::budget::Budget;
use crate::candidate::{Candidate, Dealing};
use crate::deck::Observation;
use crate::generator::Generator;
use crate::generator::mersenne::{MT19937, MT19937_64, tempered, tempered_64};
use crate::linear::equations::parities;
use crate::linear::wide::{Row, UNKNOWNS, WORDS, Wide, add};
use crate::mapping::{Known, Mapping};
use crate::model::{Found, Model, ModelAbout, Scope};
use crate::start::Start;
use crate::way::{Loop, Way};

/// Independent equations that fix the state.
const RANK: usize = 19_937;

/// Records that are looked at, at most.
const RECORDS_MAX: usize = 512;

/// Fewer records never fix the state.
const RECORDS_MIN: usize = 64;

/// What one way and start cost, in microseconds: some seconds for each way of the list with the first two starts, spread over all pairs.
const WORK: u64 = 1_000_000;

/// Equations beyond the rank that must agree.
const CHECKS_MIN: usize = 64;

/// A twister.
pub struct Twister {
    /// What it is called.
    pub name: &'static str,
    /// What it takes for granted.
    pub assumed: &'static str,
    /// The generator.
    pub generator: &'static Generator,
    /// How outputs become draws, each with its way, likeliest first.
    pub dealings: &'static [(Mapping, Way)],
    /// How many of them are tried on fewer records too where there are many.
    pub shown: usize,
    /// Words of the state, the place of the middle one, bits of a word.
    pub shape: [usize; 3],
    /// What is added where the lowest bit is set.
    pub matrix: u64,
    /// What happens to a word before it is given out.
    pub tempered: fn(u64) -> u64,
}

const DOWN: Way = Way { of: Loop::Down, from_end: false };
const DOWN_FROM_END: Way = Way { of: Loop::Down, from_end: true };
const INSIDE_OUT: Way = Way { of: Loop::InsideOut, from_end: false };

/// 32 bits.
pub static MT19937_MODEL: Twister = Twister {
    name: "MT19937",
    assumed: "whole decks, no call between them, no rejected words; std::shuffle of g++; downward and dealt from either end, genrand_res53 (Ruby \
              and Python ⌊U·n⌋, doubles of C++) or modulo (PHP); ⌊U·n⌋ of 32 bits; the first two start orders; of 410 decks and more all of \
              them, and fewer decks of std::shuffle and genrand_res53 with the first",
    generator: &MT19937,
    dealings: &[
        (Mapping::Pairs, INSIDE_OUT),
        // Also the doubles of C++, from the second number on: what follows the leading one matters once in some million draws.
        (Mapping::FloatOfTwo { first: 27, second: 26 }, DOWN),
        (Mapping::Modulo { drop: 0 }, DOWN),
        (Mapping::FloatOfTwo { first: 27, second: 26 }, DOWN_FROM_END),
        (Mapping::Modulo { drop: 0 }, DOWN_FROM_END),
        (Mapping::Float { bits: 32 }, DOWN),
    ],
    shown: 2,
    shape: [624, 397, 32],
    matrix: 0x9908_b0df,
    tempered,
};

/// 64 bits.
pub static MT19937_64_MODEL: Twister = Twister {
    name: "MT19937-64",
    assumed: "whole decks, no call between them; std::shuffle of g++, ⌊U·n⌋ or modulo downward, ⌊U·n⌋ dealt from either end; the first two start \
              orders; of 410 decks and more all of them, and fewer decks of std::shuffle with the first",
    generator: &MT19937_64,
    dealings: &[
        (Mapping::Pairs, INSIDE_OUT),
        (Mapping::Float { bits: 53 }, DOWN),
        (Mapping::Modulo { drop: 0 }, DOWN),
        (Mapping::Float { bits: 53 }, DOWN_FROM_END),
    ],
    shown: 1,
    shape: [312, 156, 64],
    matrix: 0xb502_6f5a_a966_19e9,
    tempered: tempered_64,
};

impl Model for Twister {
    fn about(&self) -> ModelAbout {
        ModelAbout { name: self.name, assumed: self.assumed, generator: Some(self.generator.name) }
    }

    fn work(&self, seen: &Observation) -> u64 {
        if seen.records.len() < RECORDS_MIN { 0 } else { WORK }
    }

    fn recover(&self, seen: &Observation, scope: &Scope, budget: &Budget) -> Option<Found> {
        if seen.records.len() < RECORDS_MIN {
            return None;
        }
        let groups = if seen.records.len() >= RECORDS_SHARED {
            [self.shared(scope), self.shown(scope)].concat()
        } else {
            self.alone(scope)
        };
        groups.par_iter().find_map_first(|dealings| self.recovered(seen, dealings, budget))
    }
}

/// Records whose certain bits fix the state, 49 of each: 409 do, whatever the mapping, and one is left to be predicted.
const RECORDS_SHARED: usize = 410;

/// A dealing with its state before the first record.
type State = (Dealing, Vec<u64>);

/// Right sides of one elimination.
const RIGHTS_MAX: usize = 64;

impl Twister {
    fn recovered(&self, seen: &Observation, dealings: &[Dealing], budget: &Budget) -> Option<Found> {
        if budget.is_spent() {
            return None;
        }
        budget.count(dealings.len() as u64);
        let (states, used) = self.solved(seen, dealings, budget)?;
        states
            .into_iter()
            .find_map(|(dealing, state)| Found::if_recovered(Candidate::new(dealing, state), seen, 0, used))
    }

    fn dealing(&self, mapping: Mapping, way: Way, start: Start) -> Dealing {
        Dealing { generator: self.generator, mapping, way, start }
    }

    /// The listed ways with two start orders, each by itself with all that its draws show.
    fn alone(&self, scope: &Scope) -> Vec<Vec<Dealing>> {
        let listed = |(_, way): &&(Mapping, Way)| scope.ways.contains(way);
        let of_start = |start| {
            self.dealings
                .iter()
                .filter(listed)
                .map(move |&(mapping, way)| vec![self.dealing(mapping, way, start)])
        };
        starts(scope).take(2).flat_map(of_start).collect()
    }

    /// The likeliest of these that show more than certain bits: of many records a third may be enough, and the others another's.
    fn shown(&self, scope: &Scope) -> Vec<Vec<Dealing>> {
        let shows_more = |dealings: &Vec<Dealing>| !matches!(dealings[0].mapping, Mapping::Modulo { .. });
        self.alone(scope).into_iter().filter(shows_more).take(self.shown).collect()
    }

    /// All ways whose loops run as a listed one does, with as many start orders as one elimination serves.
    fn shared(&self, scope: &Scope) -> Vec<Vec<Dealing>> {
        let mut groups: Vec<(Mapping, u8, Vec<Dealing>)> = Vec::new();
        for &(mapping, listed) in self.dealings {
            let first = listed.ranges()[0];
            if groups.iter().any(|own| (own.0, own.1) == (mapping, first)) {
                continue;
            }
            let is_own = |way: &Way| match mapping {
                // std::shuffle draws for a loop of its own.
                Mapping::Pairs => way.of == listed.of,
                _ => way.ranges()[0] == first,
            };
            let ways = scope.ways.iter().copied().filter(is_own);
            let of_start = |start| ways.clone().map(move |way| self.dealing(mapping, way, start));
            groups.push((mapping, first, starts(scope).flat_map(of_start).take(RIGHTS_MAX).collect()));
        }
        groups.into_iter().map(|(.., dealings)| dealings).filter(|dealings| !dealings.is_empty()).collect()
    }

    /// States before the first record with their dealings, and how many records fixed them.
    fn solved(
        &self,
        seen: &Observation,
        dealings: &[Dealing],
        budget: &Budget,
    ) -> Option<(Vec<State>, usize)> {
        let (mut symbols, mut system) = (Symbols::new(self), Wide::new(dealings.len()));
        for number in 0..seen.records.len().min(RECORDS_MAX) {
            let known: Vec<Vec<Known>> =
                dealings.iter().map(|own| own.known_whole(seen, number)).collect::<Option<_>>()?;
            if budget.is_spent() {
                return None;
            }
            let certain = dealings[0].mapping.certain_bits(&dealings[0].way.ranges());
            for call in 0..known[0].len() {
                let place = symbols.step();
                let shown = match dealings {
                    [_] => parities(known[0][call])
                        .into_iter()
                        .map(|own| (own.mask, u64::from(own.is_odd)))
                        .collect(),
                    _ => shared_bits(certain[call], known.iter().map(|known| known[call])),
                };
                shown.into_iter().for_each(|(mask, rights)| system.push(symbols.row(place, mask, rights)));
            }
            if system.waiting() >= RANK + CHECKS_MIN - system.rank() {
                system.reduce(budget)?;
                if system.rank() == RANK && system.checks() >= CHECKS_MIN {
                    let state = |right: usize| (dealings[right], symbols.state(&system.solution(right)));
                    return Some((system.live().map(state).collect(), number + 1));
                }
            }
        }
        None
    }
}

/// Start orders that need no record before.
fn starts(scope: &Scope) -> impl Iterator<Item = Start> + Clone + '_ {
    scope.starts.iter().copied().filter(|start| *start != Start::Previous)
}

/// Bits that every draw from a range shows, each with its value for every right side.
fn shared_bits(bits: u32, known: impl Iterator<Item = Known>) -> Vec<(u64, u64)> {
    let mut shown = vec![(0, 0); bits as usize];
    for (right, known) in known.enumerate() {
        for (at, (mask, rights)) in (0..bits).zip(&mut shown) {
            let (bit, value) = match known {
                Known::Residue { drop, value, .. } => (drop + at, u64::from(value >> at & 1)),
                Known::Within { top, low, .. } => (top - at, low >> (63 - at) & 1),
                Known::Nothing => continue,
            };
            (*mask, *rights) = (1 << bit, *rights | value << right);
        }
    }
    shown
}

impl Dealing {
    /// What a whole record tells of the outputs behind it.
    fn known_whole(&self, seen: &Observation, record: usize) -> Option<Vec<Known>> {
        seen.records[record].deck()?;
        self.known(seen, record)
    }
}

/// Every bit of the state as a sum of bits of the first.
struct Symbols<'a> {
    of: &'a Twister,
    rows: Vec<Row>,
    place: usize,
}

impl<'a> Symbols<'a> {
    fn new(of: &'a Twister) -> Symbols<'a> {
        let mut rows = vec![[0; WORDS]; UNKNOWNS];
        rows.iter_mut().enumerate().for_each(|(bit, row)| row[bit / 64] = 1 << (bit % 64));
        Symbols { of, rows, place: 0 }
    }

    /// One step; the word that it gives out lies where it says.
    fn step(&mut self) -> usize {
        let [size, middle, bits] = self.of.shape;
        let (here, next, far) =
            (self.place * bits, (self.place + 1) % size * bits, (self.place + middle) % size * bits);
        // The lowest 31 bits come from the next word.
        let joined = |bit: usize| if bit < 31 { next + bit } else { here + bit };
        let mut word = vec![[0; WORDS]; bits];
        for (bit, row) in word.iter_mut().enumerate() {
            *row = self.rows[far + bit];
            if bit + 1 < bits {
                add(row, &self.rows[joined(bit + 1)]);
            }
            if self.of.matrix >> bit & 1 == 1 {
                add(row, &self.rows[joined(0)]);
            }
        }
        self.rows[here..here + bits].copy_from_slice(&word);
        let place = self.place;
        self.place = (place + 1) % size;
        place
    }

    /// The parity of bits of the output of a word.
    fn row(&self, place: usize, mask: u64, rights: u64) -> Row {
        let bits = self.of.shape[2];
        let mut row = [0; WORDS];
        row[WORDS - 1] = rights;
        for bit in (0..bits).filter(|bit| ((self.of.tempered)(1 << bit) & mask).count_ones() & 1 == 1) {
            add(&mut row, &self.rows[place * bits + bit]);
        }
        row
    }

    fn state(&self, found: &Row) -> Vec<u64> {
        let [size, _, bits] = self.of.shape;
        let bit = |at: usize| found[at / 64] >> (at % 64) & 1;
        let words = (0..size).map(|word| (0..bits).fold(0, |sum, at| sum | bit(word * bits + at) << at));
        words.chain([0]).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::candidate::{Candidate, next_decks};
    use crate::seeding::INIT_GENRAND;

    /// Decks of a way and a start order that are not listed: one elimination serves them all.
    #[test]
    fn many_decks_share_one_elimination() {
        let model = Twister { dealings: &[(Mapping::Modulo { drop: 0 }, DOWN)], ..MT19937_MODEL };
        let scope = Scope::usual();
        let (way, start) = (Way { of: Loop::Bag, from_end: true }, scope.starts[5]);
        let dealing = model.dealing(model.dealings[0].0, way, start);
        let dealer = Candidate::new(dealing, (INIT_GENRAND.state)(20_261_126));
        let decks = next_decks(&dealer, (777, 0), None, 412);
        let found = model.recover(&Observation::of_decks(&decks), &scope, &Budget::unlimited());
        let found = found.expect("its state is determined");
        assert_eq!((found.candidate.dealing.way, found.candidate.dealing.start), (way, start));
        assert_eq!((found.followed.records, found.followed.missed), (412, 0));
    }

    /// A release after 170 decks, and 300 decks of another state behind it.
    #[test]
    fn a_beginning_of_many_decks_is_recovered() {
        let model =
            Twister { dealings: &[(Mapping::FloatOfTwo { first: 27, second: 26 }, DOWN)], ..MT19937_MODEL };
        let scope = Scope { ways: vec![DOWN], ..Scope::usual() };
        let dealing = model.dealing(model.dealings[0].0, DOWN, scope.starts[0]);
        let of_seed = |seed, count| {
            next_decks(&Candidate::new(dealing, (INIT_GENRAND.state)(seed)), (777, 0), None, count)
        };
        let decks = [of_seed(20_261_126, 170), of_seed(20_261_127, 300)].concat();
        let found = model.recover(&Observation::of_decks(&decks), &scope, &Budget::unlimited());
        assert_eq!(found.expect("its state is determined").followed.records, 170);
    }
}
