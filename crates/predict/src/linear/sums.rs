//! Generators that give the sum of two words of a linear state: xorshift128+ of SpiderMonkey and JavaScriptCore, xoroshiro.
//!
//! A bit of a sum is linear but for the carry into it. Where the fraction f below the bit is known, the carry is 1 with
//! probability 1 − f: of two uniform words whose sum modulo 1 is f the first is above f as often as that. So where a draw
//! lies close to a multiple K of 2^-i, bit i of the two words' sum modulo 2 is K + 1, wrong about as often as the distance
//! is long. The least doubtful equations of some records are solved, a random choice at a time, until a state deals the
//! records.

use rayon::iter::{IntoParallelRefIterator, ParallelIterator};

use crate::budget::Budget;
use crate::candidate::{Candidate, Dealing, Tape, Wanted};
use crate::deck::Observation;
use crate::linear::dealer::LinearDealer;
use crate::linear::decoding::Decoder;
use crate::linear::doubtful::{Doubtful, Equations, shuffle};
use crate::linear::keys::LEVELS;
use crate::linear::outputs::Outputs;
use crate::linear::system::{Row, System};
use crate::mapping::Mapping;
use crate::model::{Found, Model, ModelAbout, Scope};
use crate::way::SORTS;

/// Records whose draws are put together at most.
const RECORDS_MAX: usize = 128;

/// So many records have equations enough of which hardly one is wrong: a few choices do. It takes as many calls between all of them.
const RECORDS_MANY: usize = 448;

/// Twice as many leave still fewer doubts.
const RECORDS_MOST: usize = 2 * RECORDS_MANY;

/// What it costs to look at many records for one way and start.
const LOOK_WORK: u64 = 2_000;

/// No call between decks is likelier than any other number, and one comes of loops that draw below 1 too.
const LIKELY_GAPS: usize = 2;

/// Rounds, each of four times as many choices as the one before: 349,440 choices in all without calls between decks.
const ROUNDS: u32 = 6;

/// What is looked at at a time, and choices of equations for one way and start.
#[derive(Clone, Copy)]
struct Effort {
    records: usize,
    /// Choices where no call or one lies between decks.
    likely: u64,
    /// For each other number of calls.
    other: u64,
    /// Calls between decks at most.
    gaps_max: usize,
    rounds: u32,
    /// Whether a choice may hold two wrong equations.
    decodes: bool,
}

/// An audit. Of 600 states half took one of the choices of many records, the slowest 23.
const AUDIT: Effort =
    Effort { records: RECORDS_MAX, likely: 256, other: 8, gaps_max: 0, rounds: 1, decodes: false };
const AUDIT_MANY: Effort = Effort { records: RECORDS_MANY, likely: 32, decodes: true, ..AUDIT };

/// `predict` with few records: as long as the time lasts.
const FEW: Effort = Effort {
    records: RECORDS_MAX,
    likely: 256,
    other: 8,
    gaps_max: usize::MAX,
    rounds: ROUNDS,
    decodes: true,
};

/// With many. The last is for files of which only the beginning is of one generator.
const MANY: Effort = Effort { records: RECORDS_MANY, likely: 32, other: 8, rounds: 1, ..FEW };
const MANY_LIKELY: Effort = Effort { gaps_max: LIKELY_GAPS - 1, ..MANY };
const MOST: Effort = Effort { records: RECORDS_MOST, likely: 2, other: 2, ..MANY };
const BEGINNING: Effort = Effort { records: RECORDS_MAX, likely: 16, other: 1, ..MANY };

/// With many, where 64 numbers may be left of a cache, each of which takes as many choices, or 256 bits are unknown.
const MANY_DEAR: Effort = Effort { likely: 8, ..MANY_LIKELY };
const MOST_CACHED: Effort = Effort { gaps_max: LIKELY_GAPS - 1, ..MOST };
const MOST_WIDE: Effort = Effort { likely: 24, ..MOST_CACHED };

/// Keys near the ends are so sure that a few choices of some decks are enough.
const KEYS: Effort = Effort { records: 16, likely: 8, other: 2, gaps_max: 16, rounds: 1, decodes: false };

/// Two words of a linear state, added, or a linear generator whose numbers are keys to sort by.
pub struct Sums<const W: usize> {
    /// What it is; linear is the generator with the sum modulo 2 in place of the sum.
    pub dealer: LinearDealer,
    /// Where doubt comes from.
    pub doubts: Doubts,
}

/// Where doubt about bits comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Doubts {
    /// Carries of sums.
    Carries,
    /// Only the order of keys is known.
    Keys,
}

/// What one choice of equations costs, in microseconds.
const CHOICE_WORK: u64 = 60;

/// The same of many records, with the search for wrong equations.
const CHOICE_MANY_WORK: u64 = 90;

impl<const W: usize> Sums<W> {
    fn has_many(&self, seen: &Observation) -> bool {
        self.doubts == Doubts::Carries && seen.records.len() >= RECORDS_MANY
    }

    fn is_dear(&self) -> bool {
        self.dealer.is_cached || W > 2
    }

    /// What is tried, one after another.
    fn efforts(&self, seen: &Observation) -> &'static [Effort] {
        // Nobody looks for calls between records: an audit, whose decks are many, so that few choices are enough.
        let is_audit = seen.gap.calls_max == 0;
        match (self.doubts, self.has_many(seen), is_audit) {
            (Doubts::Keys, ..) => &[KEYS],
            (_, true, true) => &[AUDIT_MANY],
            (_, false, true) => &[AUDIT],
            (_, false, false) => &[FEW],
            _ if seen.records.len() < RECORDS_MOST && self.is_dear() => &[MANY_DEAR],
            _ if seen.records.len() < RECORDS_MOST => &[MANY, BEGINNING],
            _ if self.dealer.is_cached => &[MOST_CACHED],
            _ if self.is_dear() => &[MOST_WIDE],
            _ => &[MANY_LIKELY, MOST, BEGINNING],
        }
    }

    /// Those that equations are sums of.
    fn leading_bits(&self) -> u64 {
        let end =
            |mapping: &Mapping| if let Mapping::FloatLow { bits } = mapping { *bits } else { u64::BITS };
        let leading = |mapping: &Mapping| ((1 << LEVELS) - 1) << (end(mapping) - LEVELS);
        self.dealer.mappings.iter().map(leading).fold(0, |all, own| all | own)
    }

    fn tried(&self, seen: &Observation, scope: &Scope, effort: &Effort, budget: &Budget) -> Option<Found> {
        let effort = Effort { records: effort.records.min(seen.records.len()), ..*effort };
        let gaps_max = effort.gaps_max.min(seen.gap.calls_max as usize);
        let outputs = self.dealer.bits_of_outputs(effort.records, gaps_max, self.leading_bits());
        let mappings = self.dealer.mappings.iter();
        let dealings: Vec<Dealing> = mappings
            .flat_map(|&mapping| {
                let of_pair =
                    move |(way, start)| Dealing { generator: self.dealer.generator, mapping, way, start };
                scope.pairs().map(of_pair)
            })
            .collect();
        let is_many = effort.records >= RECORDS_MANY;
        let of =
            |dealing: &Dealing| Equations::new(seen, *dealing, (effort.records, is_many), outputs.unknowns());
        let equations: Vec<Equations> = dealings.par_iter().filter_map(of).collect();
        (0..effort.rounds).find_map(|round| {
            // No calls between decks first, which is likelier than any other number.
            (0..=gaps_max).find_map(|gap| {
                let choices = if gap < LIKELY_GAPS { effort.likely } else { effort.other };
                let lefts = || (1..=self.dealer.lefts()).take_while(|_| !budget.is_spent());
                let choose = |left| Choose {
                    gap,
                    left,
                    round,
                    choices: choices << (2 * round),
                    decodes: effort.decodes,
                };
                equations.par_iter().find_map_first(|own| {
                    lefts().find_map(|left| self.search(&outputs, own, seen, choose(left), budget))
                })
            })
        })
    }
}

/// One search for a state.
struct Choose {
    /// Calls between decks.
    gap: usize,
    /// Numbers left of a cache.
    left: usize,
    round: u32,
    choices: u64,
    decodes: bool,
}

impl<const W: usize> Model for Sums<W> {
    fn about(&self) -> ModelAbout {
        self.dealer.about()
    }

    fn work(&self, seen: &Observation) -> u64 {
        if self.has_many(seen) && seen.gap.calls_max == 0 {
            return LOOK_WORK + AUDIT_MANY.likely * CHOICE_MANY_WORK * self.dealer.lefts() as u64;
        }
        let first = self.efforts(seen)[0];
        let choices: u64 = (0..first.rounds).map(|round| first.likely << (2 * round)).sum();
        let all = choices * CHOICE_WORK * self.dealer.lefts() as u64;
        match self.doubts {
            Doubts::Carries => all,
            // Two ways of sorting where others have twelve.
            Doubts::Keys if seen.has_whole() => all / 6,
            Doubts::Keys => 0,
        }
    }

    fn recover(&self, seen: &Observation, scope: &Scope, budget: &Budget) -> Option<Found> {
        let keys = Scope { ways: SORTS[..2].to_vec(), starts: scope.starts.clone() };
        let scope = if self.doubts == Doubts::Keys { &keys } else { scope };
        self.efforts(seen).iter().find_map(|effort| self.tried(seen, scope, effort, budget))
    }
}

impl<const W: usize> Sums<W> {
    fn search(
        &self,
        outputs: &Outputs<W>,
        equations: &Equations,
        seen: &Observation,
        choose: Choose,
        budget: &Budget,
    ) -> Option<Found> {
        let Choose { gap, left, round, choices, decodes } = choose;
        let place = |own: &Doubtful| {
            let call = own.record * (equations.calls + gap) + own.call;
            self.dealer.step(call, left)
        };
        let rows: Vec<Row<W>> =
            equations.chosen.iter().flatten().map(|own| outputs.row(place(own), own.parity)).collect();
        let mut order = equations.order();
        let mut dice = 0x9e37_79b9_7f4a_7c15u64 ^ u64::from(round) << 32;
        let mut solver = if decodes {
            Solver::Decoder(Decoder::new(&rows, outputs.unknowns()))
        } else {
            Solver::System(System::new(outputs.unknowns()))
        };
        for choice in 0..choices {
            if choice % 256 == 255 && budget.is_spent() {
                return None;
            }
            budget.count(1);
            shuffle(&mut order, &mut dice);
            for bits in solver.solutions(&rows, order.iter().flat_map(|own| own.rows.clone())) {
                let candidate = Candidate::new(equations.dealing, self.dealer.state(outputs, &bits, left));
                if deals_first(&candidate, seen, equations.first) {
                    let found = Found::if_recovered(candidate, seen, equations.first, equations.used(seen));
                    if found.is_some() {
                        return found;
                    }
                }
            }
        }
        None
    }
}

/// How equations are solved.
enum Solver<const W: usize> {
    /// All of a choice must be right.
    System(System<W>),
    /// Two of it may be wrong.
    Decoder(Decoder<W>),
}

impl<const W: usize> Solver<W> {
    fn solutions(&mut self, rows: &[Row<W>], mut order: impl Iterator<Item = usize>) -> Vec<[u64; W]> {
        match self {
            Solver::Decoder(decoder) => decoder.nearest(order),
            Solver::System(system) => {
                system.clear();
                // A choice that contradicts itself holds a wrong one.
                while system.free() > 0 && order.next().is_some_and(|row| system.add(rows[row]).is_ok()) {}
                system.solutions(FREE_MAX)
            }
        }
    }
}

/// Unknown bits that are tried one choice after another.
const FREE_MAX: usize = 3;

fn deals_first(candidate: &Candidate, seen: &Observation, first: usize) -> bool {
    let previous = first.checked_sub(1).map(|before| &seen.records[before]);
    let mut tape = Tape::new(candidate.dealing.generator, &candidate.state);
    let wanted = Wanted::new(&candidate.dealing, &seen.records[first], previous);
    wanted.is_some_and(|wanted| wanted.dealt_from(&candidate.dealing, &mut tape, 0).is_some())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::candidate::next_decks;
    use crate::catalogue::{CHROMIUM_MODEL, FIREFOX_MODEL};
    use crate::start::Start;
    use crate::way::{Loop, Way};

    /// An audit looks at many decks with few choices.
    #[test]
    fn many_decks_tell_the_state_with_few_choices() {
        let (way, start) = (Way { of: Loop::Down, from_end: false }, Start::BY_RANKS);
        for (model, word) in [(&CHROMIUM_MODEL, 54), (&FIREFOX_MODEL, 59)] {
            let mapping = model.dealer.mappings[0];
            let dealing = Dealing { generator: model.dealer.generator, mapping, way, start };
            let dealer = Candidate::new(dealing, vec![0x0123_4567_89ab_cdef, word]);
            let decks = next_decks(&dealer, (99, 0), None, 460);
            let mut seen = Observation::of_decks(&decks);
            seen.gap.calls_max = 0;
            let scope = Scope { ways: vec![way], starts: vec![start] };
            let found = model
                .recover(&seen, &scope, &Budget::unlimited())
                .unwrap_or_else(|| panic!("{}", model.name()));
            assert_eq!((found.followed.records, found.followed.missed), (460, 0));
        }
    }
}
