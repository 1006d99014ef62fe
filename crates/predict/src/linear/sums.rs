//! Generators that give the sum of two words of a linear state: xorshift128+ of SpiderMonkey and JavaScriptCore, xoroshiro.
//!
//! A bit of a sum is linear but for the carry into it. Where the fraction f below the bit is known, the carry is 1 with
//! probability 1 − f: of two uniform words whose sum modulo 1 is f the first is above f as often as that. So where a draw
//! lies close to a multiple K of 2^-i, bit i of the two words' sum modulo 2 is K + 1, wrong about as often as the distance
//! is long. The least doubtful equations of some records are solved, a random choice at a time, until a state deals the
//! records.

use std::ops::Range;

use crate::budget::Budget;
use crate::candidate::{Candidate, Dealing, Tape, Wanted};
use crate::deck::Observation;
use crate::linear::dealer::LinearDealer;
use crate::linear::decoding::nearest;
use crate::linear::equations::Parity;
use crate::linear::keys;
use crate::linear::outputs::Outputs;
use crate::linear::system::System;
use crate::mapping::Known;
use crate::model::{Found, Model, Scope};
use crate::way::SORTS;

/// Records whose draws are put together at most.
const RECORDS_MAX: usize = 128;

/// So many records have equations enough of which hardly one is wrong: a few choices do. It takes as many calls between all of them.
const RECORDS_MANY: usize = 448;

/// Choices then, for one way and start, of which each may hold two wrong equations. Of 600 states half took one, the slowest 23.
const CHOICES_MANY: u64 = 32;

/// Equations that are chosen from then, for one unknown: what is not chosen checks what is.
const POOL_MANY: usize = 2;

/// Equations that are chosen from, for one unknown.
const POOL: usize = 3;

/// Equations that are looked at then: of the leading two bits, and less doubtful than this.
const LEVELS_MANY: u32 = 2;
const DOUBT_MANY: f64 = 0.04;

/// The bits that these are sums of, of numbers cut to their upper 53 or lower 52 or 53 bits.
const BITS_MANY: u64 = 0b11 << 62 | 0b111 << 50;

/// What it costs to look at many records for one way and start.
const LOOK_WORK: u64 = 2_000;

/// The power of one over the doubt by which less doubtful draws are favoured: measured, 0 and 0.6 take longer.
const FAVOUR: f64 = 0.3;

/// No call between decks is likelier than any other number, and one comes of loops that draw below 1 too.
const LIKELY_GAPS: usize = 2;

/// Choices for those, for one of another number.
const LIKELIER: u64 = 32;

/// Choices of equations for one way, start and gap, in the first round; each further round takes four times as many.
const CHOICES: u64 = 8;

/// Rounds, 349,440 choices in all without calls between decks.
const ROUNDS: u32 = 6;

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

impl Doubts {
    /// Keys near the ends are so sure that a few choices of some decks are enough.
    const fn choices(self) -> u64 {
        match self {
            Doubts::Carries => LIKELIER * CHOICES,
            Doubts::Keys => 8,
        }
    }

    const fn records(self) -> usize {
        match self {
            Doubts::Carries => RECORDS_MAX,
            Doubts::Keys => 16,
        }
    }

    const fn rounds(self) -> u32 {
        match self {
            Doubts::Carries => ROUNDS,
            Doubts::Keys => 1,
        }
    }

    /// Choices where other numbers of calls lie between, and the most calls.
    const fn choices_of_gaps(self) -> (u64, usize) {
        match self {
            Doubts::Carries => (CHOICES, usize::MAX),
            Doubts::Keys => (2, 16),
        }
    }
}

/// What one choice of equations costs, in microseconds.
const CHOICE_WORK: u64 = 60;

/// The same of many records, with the search for wrong equations.
const CHOICE_MANY_WORK: u64 = 90;

impl<const W: usize> Sums<W> {
    /// One round where nobody looks for calls between records: an audit, whose decks are many, so that few choices are enough.
    fn rounds(&self, seen: &Observation) -> u32 {
        if seen.gap.calls_max == 0 { 1 } else { self.doubts.rounds() }
    }

    fn has_many(&self, seen: &Observation) -> bool {
        self.doubts == Doubts::Carries && seen.records.len() >= RECORDS_MANY
    }

    /// Whether many records are all that is tried: in an audit.
    fn is_enough(&self, seen: &Observation) -> bool {
        self.has_many(seen) && seen.gap.calls_max == 0
    }

    fn of_records(
        &self,
        seen: &Observation,
        scope: &Scope,
        budget: &Budget,
        records: usize,
        mut rounds: Range<u32>,
    ) -> Option<Found> {
        let wanted = if records < RECORDS_MANY { u64::MAX } else { BITS_MANY };
        let outputs = self.dealer.bits_of_outputs(records, seen.gap.calls_max as usize, wanted);
        let mappings = self.dealer.mappings.iter();
        let dealings = mappings.flat_map(|&mapping| {
            let of_pair =
                move |(way, start)| Dealing { generator: self.dealer.generator, mapping, way, start };
            scope.pairs().map(of_pair)
        });
        let equations: Vec<Equations> = dealings
            .filter_map(|dealing| Equations::new(seen, dealing, records, outputs.unknowns()))
            .collect();
        rounds.find_map(|round| self.round(&outputs, &equations, seen, round, budget))
    }
}

/// An equation that may be wrong.
#[derive(Clone, Copy, Debug)]
struct Doubtful {
    record: usize,
    call: usize,
    parity: Parity,
    /// How likely it is to be wrong.
    doubt: f64,
}

impl<const W: usize> Model for Sums<W> {
    fn name(&self) -> &'static str {
        self.dealer.name
    }

    fn assumed(&self) -> &'static str {
        self.dealer.assumed
    }

    fn is_quick(&self) -> bool {
        false
    }

    fn work(&self, seen: &Observation) -> u64 {
        if self.is_enough(seen) {
            return LOOK_WORK + CHOICES_MANY * CHOICE_MANY_WORK * self.dealer.lefts() as u64;
        }
        let choices = (0..self.rounds(seen)).map(|round| self.doubts.choices() << (2 * round)).sum::<u64>();
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
        if self.has_many(seen) {
            let found = self.of_records(seen, scope, budget, RECORDS_MANY, 0..1);
            if found.is_some() || self.is_enough(seen) {
                return found;
            }
        }
        let records = self.doubts.records().min(seen.records.len());
        self.of_records(seen, scope, budget, records, 0..self.rounds(seen))
    }
}

/// The least doubtful equations of the first records, for one way and start.
struct Equations {
    dealing: Dealing,
    first: usize,
    records: usize,
    calls: usize,
    /// Those of one draw together, which are wrong together.
    chosen: Vec<Vec<Doubtful>>,
}

impl Equations {
    fn new(seen: &Observation, dealing: Dealing, records: usize, unknowns: usize) -> Option<Equations> {
        let first = dealing.first();
        let (mut all, mut calls) = (Vec::new(), 0);
        for record in first..records {
            let of_calls = of_record(seen, dealing, record, records >= RECORDS_MANY)?;
            calls = of_calls.len();
            for (call, own) in of_calls.into_iter().enumerate() {
                let record = record - first;
                all.extend(own.into_iter().map(|(parity, doubt)| Doubtful { record, call, parity, doubt }));
            }
        }
        all.sort_by(|a, b| a.doubt.total_cmp(&b.doubt));
        let pool = if records >= RECORDS_MANY { POOL_MANY } else { POOL };
        all.truncate(pool * unknowns);
        (all.len() >= unknowns).then_some(Equations { dealing, first, records, calls, chosen: by_draw(&all) })
    }
}

/// What one record tells of its calls.
fn of_record(
    seen: &Observation,
    dealing: Dealing,
    record: usize,
    is_one_of_many: bool,
) -> Option<Vec<Vec<(Parity, f64)>>> {
    if dealing.way.is_sort() {
        return Some(keys::doubtful(&dealing.numbers(seen, record)?));
    }
    let (levels, doubt_max) = if is_one_of_many { (LEVELS_MANY, DOUBT_MANY) } else { (LEVELS, DOUBT_MAX) };
    let of_call = |known| doubtful(known, levels).filter(|(_, doubt)| *doubt < doubt_max).collect();
    Some(dealing.known(seen, record)?.into_iter().map(of_call).collect())
}

fn by_draw(equations: &[Doubtful]) -> Vec<Vec<Doubtful>> {
    let mut sorted = equations.to_vec();
    sorted.sort_by_key(|own| (own.record, own.call));
    sorted.chunk_by(|a, b| (a.record, a.call) == (b.record, b.call)).map(<[_]>::to_vec).collect()
}

/// Leading bits that are looked at, and the doubt beyond which an equation is none.
const LEVELS: u32 = 5;
const DOUBT_MAX: f64 = 0.3;

/// Sums of two bits, and how likely each is wrong.
fn doubtful(known: Known, levels: u32) -> impl Iterator<Item = (Parity, f64)> {
    let (top, low, high) = match known {
        Known::Within { top, low, high } => (top, low, high),
        _ => (0, 0, u64::MAX),
    };
    let ends = [low, high].map(|end| end as f64 / 2f64.powi(64));
    (1..=levels.min(top)).filter_map(move |level| {
        let [low, high] = ends.map(|end| end * 2f64.powi(level as i32));
        let nearest = ((low + high) / 2.0).round();
        let (below, above) = (nearest - low, high - nearest);
        // The mean distance of what lies between.
        let doubt = match below > 0.0 && above > 0.0 {
            true => (below * below + above * above) / (2.0 * (below + above)),
            false => (above - below).abs() / 2.0,
        };
        let parity = Parity { mask: 1 << (top + 1 - level), is_odd: (nearest as u64).is_multiple_of(2) };
        (below < 0.5 && above < 0.5 && doubt < DOUBT_MAX).then_some((parity, doubt))
    })
}

impl<const W: usize> Sums<W> {
    /// Every way, start and gap, as many choices each; no calls between decks first, which is likelier than any other number.
    fn round(
        &self,
        outputs: &Outputs<W>,
        equations: &[Equations],
        seen: &Observation,
        round: u32,
        budget: &Budget,
    ) -> Option<Found> {
        let (_, gaps_max) = self.doubts.choices_of_gaps();
        for gap in 0..=gaps_max.min(seen.gap.calls_max as usize) {
            for own in equations {
                for left in 1..=self.dealer.lefts() {
                    if budget.is_spent() {
                        return None;
                    }
                    let found = self.search(outputs, own, seen, (gap, left), round, budget);
                    if found.is_some() {
                        return found;
                    }
                }
            }
        }
        None
    }

    fn search(
        &self,
        outputs: &Outputs<W>,
        equations: &Equations,
        seen: &Observation,
        (gap, left): (usize, usize),
        round: u32,
        budget: &Budget,
    ) -> Option<Found> {
        let place = |own: &Doubtful| {
            let call = own.record * (equations.calls + gap) + own.call;
            self.dealer.step(call, left)
        };
        let of_draw =
            |own: &Vec<Doubtful>| own.iter().map(|own| outputs.row(place(own), own.parity)).collect();
        let rows: Vec<Vec<_>> = equations.chosen.iter().map(of_draw).collect();
        let doubts: Vec<f64> = equations.chosen.iter().map(|own| most_doubtful(own)).collect();
        let mut order: Vec<(f64, usize)> = (0..rows.len()).map(|at| (0.0, at)).collect();
        let mut dice = 0x9e37_79b9_7f4a_7c15u64 ^ u64::from(round) << 32;
        let mut system = System::new(outputs.unknowns());
        let likelier = match gap < LIKELY_GAPS {
            true if equations.records >= RECORDS_MANY => CHOICES_MANY,
            true => self.doubts.choices(),
            false => self.doubts.choices_of_gaps().0,
        };
        for choice in 0..likelier << (2 * round) {
            if choice % 256 == 255 && budget.is_spent() {
                return None;
            }
            budget.count(1);
            shuffle(&mut order, &doubts, &mut dice);
            system.clear();
            let mut chosen = order.iter().flat_map(|(_, at)| &rows[*at]).copied();
            match equations.records >= RECORDS_MANY {
                true => {
                    let nearest = nearest(chosen, outputs.unknowns());
                    nearest.into_iter().for_each(|row| system.add(row).expect("they are independent"));
                }
                // A choice that contradicts itself holds a wrong one.
                false => {
                    while system.free() > 0 && chosen.next().is_some_and(|row| system.add(row).is_ok()) {}
                }
            }
            if system.free() > FREE_MAX {
                continue;
            }
            for bits in system.solutions(FREE_MAX) {
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

/// Unknown bits that are tried one choice after another.
const FREE_MAX: usize = 3;

impl Equations {
    /// One record is held out where there are few.
    fn used(&self, seen: &Observation) -> usize {
        self.records.min(seen.records.len() - 1).max(1) - self.first.min(1)
    }
}

fn deals_first(candidate: &Candidate, seen: &Observation, first: usize) -> bool {
    let previous = first.checked_sub(1).map(|before| &seen.records[before]);
    let mut tape = Tape::new(candidate.dealing.generator, &candidate.state);
    let wanted = Wanted::new(&candidate.dealing, &seen.records[first], previous);
    wanted.is_some_and(|wanted| wanted.dealt_from(&candidate.dealing, &mut tape, 0).is_some())
}

fn most_doubtful(equations: &[Doubtful]) -> f64 {
    equations.iter().map(|own| own.doubt).fold(0.0, f64::max)
}

/// A weighted order without replacement (Efraimidis & Spirakis 2006): the weight of a draw is a power of one over its
/// doubt. The dice need
/// not be good, only different.
fn shuffle(order: &mut [(f64, usize)], doubts: &[f64], dice: &mut u64) {
    for (key, at) in order.iter_mut() {
        *dice = dice.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let uniform = ((*dice >> 40) as f64 + 0.5) / (1u64 << 24) as f64;
        *key = -uniform.ln() * doubts[*at].powf(FAVOUR);
    }
    order.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::candidate::next_deck;
    use crate::catalogue::{CHROMIUM_MODEL, FIREFOX_MODEL};
    use crate::generator::xorshift::{XORSHIFT128_PLUS, XORSHIFT128_XOR};
    use crate::mapping::Mapping;
    use crate::start::Start;
    use crate::way::{Loop, Way};

    /// Equations are wrong as often as they are doubtful, for sums that are cut to 53 bits as for whole ones.
    #[test]
    fn equations_are_wrong_as_often_as_they_are_doubtful() {
        for mapping in [Mapping::FloatLow { bits: 53 }, Mapping::Float { bits: 53 }] {
            let mut states = [[0x0123_4567_89ab_cdef, 0xfedc_ba98_7654_3210]; 2];
            let way = Way { of: Loop::Down, from_end: false };
            // By doubts below 1 %, 2 %, …: how many, how many wrong, and the sum of doubts.
            let mut bins = [(0u32, 0u32, 0.0); 30];
            for _ in 0..4_000 {
                let mut next = || (XORSHIFT128_PLUS.next)(&mut states[0]);
                let draws = mapping.draws(&XORSHIFT128_PLUS, &mut next, &way.ranges(), &[None; 51]);
                let draws = draws.expect("nothing is expected of a draw").map(Some);
                for known in mapping.known(&XORSHIFT128_PLUS, &way.ranges(), &draws) {
                    let output = (XORSHIFT128_XOR.next)(&mut states[1]);
                    for (parity, doubt) in doubtful(known, LEVELS) {
                        let is_odd = (output & parity.mask).count_ones() & 1 == 1;
                        let bin = &mut bins[(doubt * 100.0) as usize];
                        *bin = (bin.0 + 1, bin.1 + u32::from(is_odd != parity.is_odd), bin.2 + doubt);
                    }
                }
            }
            for (count, wrong, doubt) in bins {
                // Five deviations.
                let allowed = 5.0 * (doubt + 1.0).sqrt();
                assert!(
                    (f64::from(wrong) - doubt).abs() < allowed,
                    "{wrong} of {count} wrong, not {doubt:.0}"
                );
            }
        }
    }

    /// An audit looks at many decks with few choices.
    #[test]
    fn many_decks_tell_the_state_with_few_choices() {
        let (way, start) = (Way { of: Loop::Down, from_end: false }, Start::BY_RANKS);
        for (model, word) in [(&CHROMIUM_MODEL, 54), (&FIREFOX_MODEL, 59)] {
            let mapping = model.dealer.mappings[0];
            let dealing = Dealing { generator: model.dealer.generator, mapping, way, start };
            let mut tape = Tape::new(dealing.generator, &[0x0123_4567_89ab_cdef, word]);
            let mut place = 99;
            let decks: Vec<_> = (0..460)
                .map(|_| {
                    let next = next_deck(&dealing, &mut tape, place, None);
                    let (deck, end) = next.expect("a start that needs no deck");
                    place = end;
                    deck
                })
                .collect();
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
