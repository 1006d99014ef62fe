//! The Mersenne twisters: 19,937 unknown bits, closed by the draws of about a hundred whole decks.
//!
//! Every bit of the state is kept as a sum of bits of the first state while the generator runs; the known sums of output
//! bits are eliminated as they come.

use crate::budget::Budget;
use crate::candidate::{Candidate, Dealing};
use crate::deck::Observation;
use crate::generator::Generator;
use crate::generator::mersenne::{MT19937, MT19937_64, tempered, tempered_64};
use crate::linear::equations::parities;
use crate::linear::wide::{Row, UNKNOWNS, WORDS, Wide, add};
use crate::mapping::Mapping;
use crate::model::{Found, Model, Scope};
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
    assumed: "whole decks, the first two start orders, no call between decks; std::shuffle of g++; downward and dealt from \
              either end, genrand_res53 (Ruby and Python ⌊U·n⌋) or modulo (PHP); ⌊U·n⌋ of 32 bits; no rejected words",
    generator: &MT19937,
    dealings: &[
        (Mapping::Pairs, INSIDE_OUT),
        (Mapping::FloatOfTwo { first: 27, second: 26 }, DOWN),
        (Mapping::Modulo { drop: 0 }, DOWN),
        (Mapping::FloatOfTwo { first: 27, second: 26 }, DOWN_FROM_END),
        (Mapping::Modulo { drop: 0 }, DOWN_FROM_END),
        (Mapping::Float { bits: 32 }, DOWN),
    ],
    shape: [624, 397, 32],
    matrix: 0x9908_b0df,
    tempered,
};

/// 64 bits.
pub static MT19937_64_MODEL: Twister = Twister {
    name: "MT19937-64",
    assumed: "whole decks, the first two start orders, no call between decks; std::shuffle of g++, ⌊U·n⌋ or modulo downward, \
              ⌊U·n⌋ dealt from either end",
    generator: &MT19937_64,
    dealings: &[
        (Mapping::Pairs, INSIDE_OUT),
        (Mapping::Float { bits: 53 }, DOWN),
        (Mapping::Modulo { drop: 0 }, DOWN),
        (Mapping::Float { bits: 53 }, DOWN_FROM_END),
    ],
    shape: [312, 156, 64],
    matrix: 0xb502_6f5a_a966_19e9,
    tempered: tempered_64,
};

impl Model for Twister {
    fn name(&self) -> &'static str {
        self.name
    }

    fn assumed(&self) -> &'static str {
        self.assumed
    }

    fn is_quick(&self) -> bool {
        false
    }

    fn work(&self, seen: &Observation) -> u64 {
        if seen.records.len() < RECORDS_MIN { 0 } else { WORK }
    }

    fn recover(&self, seen: &Observation, scope: &Scope, budget: &Budget) -> Option<Found> {
        if seen.records.len() < RECORDS_MIN {
            return None;
        }
        let starts = scope.starts.iter().filter(|start| **start != Start::Previous).take(2);
        starts.flat_map(|&start| self.dealings.iter().map(move |own| (start, own))).find_map(
            |(start, own)| {
                let (mapping, way) = *own;
                let dealing = Dealing { generator: self.generator, mapping, way, start };
                if budget.is_spent() || !scope.ways.contains(&way) {
                    return None;
                }
                budget.count(1);
                let (state, used) = self.solved(seen, &dealing, budget)?;
                Found::if_recovered(Candidate::new(dealing, state), seen, 0, used)
            },
        )
    }
}

impl Twister {
    /// The state before the first record, and how many records fixed it.
    fn solved(&self, seen: &Observation, dealing: &Dealing, budget: &Budget) -> Option<(Vec<u64>, usize)> {
        let numbers = dealing.start.numbers(None)?;
        let (mut symbols, mut system) = (Symbols::new(self), Wide::default());
        for (number, record) in seen.records.iter().take(RECORDS_MAX).enumerate() {
            let draws = dealing.way.known(record, &numbers);
            if budget.is_spent() || draws.iter().any(Option::is_none) {
                return None;
            }
            for known in dealing.mapping.known(self.generator, &dealing.way.ranges(), &draws) {
                let place = symbols.step();
                for parity in parities(known) {
                    system.push(symbols.row(place, parity.mask, parity.is_odd));
                }
            }
            if system.waiting() >= RANK + CHECKS_MIN - system.rank() {
                system.reduce(budget)?;
                if system.rank() == RANK && system.checks() >= CHECKS_MIN {
                    return Some((symbols.state(&system.solution()), number + 1));
                }
            }
        }
        None
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
    fn row(&self, place: usize, mask: u64, is_odd: bool) -> Row {
        let bits = self.of.shape[2];
        let mut row = [0; WORDS];
        row[WORDS - 1] = u64::from(is_odd);
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
