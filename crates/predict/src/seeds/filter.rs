//! What the first draws of the records must be, and which seeds give them.

use crate::candidate::Dealing;
use crate::deck::Observation;
use crate::mapping::Mapping;
use crate::model::Scope;
use crate::seeds::SeedSearch;
use crate::seeds::beginning::{FIRST, Outputs};
use crate::way::{Draws, KnownDraws, Loop};

/// A dealer and a record that it might have dealt first.
pub(super) struct Target {
    pub(super) dealing: Dealing,
    pub(super) record: usize,
    pub(super) calls: usize,
    ranges: Draws,
    draws: KnownDraws,
}

/// Targets, and for each mapping and number of calls before the first draws that any of them allows.
pub(super) struct Filter {
    pub(super) targets: Vec<Target>,
    kinds: Vec<Kind>,
}

/// Targets that share what is drawn first.
struct Kind {
    mapping: Mapping,
    calls: usize,
    bits: u32,
    is_upward: bool,
    /// First draws, a bit each.
    first: u64,
    /// First draws, counted in their mixed base: of 52 and 51 downward, of 2, 3, 4, 5 and 6 upward.
    allowed: Box<[bool; CODES]>,
    targets: Vec<usize>,
}

/// 52·51 and 6! fit.
const CODES: usize = 4_096;

/// Ranges of the draws that are counted, a call each.
const DOWN: &[usize] = &[52, 51];
const UP: &[usize] = &[2, 3, 4, 5, 6];
const UP_IN_PAIRS: &[usize] = &[2, 12, 30];

impl Filter {
    /// `None` if no record shows the first draws of any way.
    pub(super) fn new(
        search: &SeedSearch,
        seen: &Observation,
        scope: &Scope,
        records: usize,
    ) -> Option<Filter> {
        let mut targets = Vec::new();
        let generator = search.seeding.generator();
        for (way, start) in scope.pairs() {
            for (number, record) in seen.records.iter().enumerate().take(records) {
                let previous = number.checked_sub(1).and_then(|before| seen.records[before].deck());
                let Some(numbers) = start.numbers(previous.as_ref()) else { continue };
                let draws = way.known(record, &numbers);
                if draws[..UP.len()].iter().any(Option::is_none) {
                    continue;
                }
                for &mapping in search.mappings {
                    // Pairs are drawn upward only: they need 2, then 3 and 4 together.
                    if mapping == Mapping::Pairs && way.of != Loop::InsideOut {
                        continue;
                    }
                    for &calls in search.calls {
                        let dealing = Dealing { generator, mapping, way, start };
                        targets.push(Target { dealing, record: number, calls, ranges: way.ranges(), draws });
                    }
                }
            }
        }
        let mut filter = Filter { targets, kinds: Vec::new() };
        (0..filter.targets.len()).for_each(|number| filter.add(number));
        (!filter.kinds.is_empty()).then_some(filter)
    }

    fn add(&mut self, number: usize) {
        let target = &self.targets[number];
        let (mapping, calls, is_upward) = (target.dealing.mapping, target.calls, target.ranges[0] == 2);
        let ranges = if is_upward { UP } else { DOWN };
        let draws = target.draws.iter().map(|draw| usize::from(draw.unwrap_or(0)));
        let code = ranges.iter().zip(draws).fold(0, |code, (range, draw)| code * range + draw);
        let same =
            |kind: &&mut Kind| (kind.mapping, kind.calls, kind.is_upward) == (mapping, calls, is_upward);
        if self.kinds.iter_mut().find(same).is_none() {
            let bits = target.dealing.generator.bits();
            let allowed = Box::new([false; CODES]);
            self.kinds.push(Kind { mapping, calls, bits, is_upward, first: 0, allowed, targets: Vec::new() });
        }
        let kind = self.kinds.iter_mut().find(same).expect("it is there now");
        kind.first |= 1 << target.draws[0].unwrap_or(0);
        kind.allowed[code] = true;
        kind.targets.push(number);
    }

    /// Adds the targets whose first draws the outputs of a lane are, as far as they reach.
    pub(super) fn hits(&self, outputs: &Outputs, lane: usize, hits: &mut Vec<usize>) {
        for kind in &self.kinds {
            if kind.allows(outputs, lane) {
                let deals = |target: &&usize| self.targets[**target].is_dealt(outputs, lane);
                hits.extend(kind.targets.iter().filter(deals));
            }
        }
    }
}

/// Outputs of one lane from a place on.
struct Reader<'a> {
    outputs: &'a Outputs,
    lane: usize,
    at: usize,
}

impl Reader<'_> {
    /// `None` behind those that were made.
    #[inline(always)]
    fn next(&mut self) -> Option<u64> {
        let output = self.outputs.get(self.at)?[self.lane];
        self.at += 1;
        Some(output)
    }

    #[inline(always)]
    fn below(&mut self, n: u64, of: impl Fn(u64) -> u64) -> Option<u64> {
        loop {
            let value = of(self.next()?);
            if value < n {
                return Some(value);
            }
        }
    }

    /// A draw as [`Mapping::draws`] makes it, a rejection in 2^20 apart; `None` where outputs are missing.
    #[inline(always)]
    fn draw(&mut self, mapping: Mapping, bits: u32, n: u64) -> Option<u64> {
        match mapping {
            Mapping::Modulo { drop } => Some((self.next()? >> drop) % n),
            Mapping::Masked { drop } => self.below(n, |output| output >> drop & (n.next_power_of_two() - 1)),
            Mapping::TopBits => self.below(n, |output| output >> (bits - (u64::BITS - n.leading_zeros()))),
            Mapping::FloatOfTwo { .. } => {
                let output = self.next()?;
                self.next();
                Some(((u128::from(output) * u128::from(n)) >> bits) as u64)
            }
            Mapping::FloatLow { bits: low } => {
                let output = self.next()? & (u64::MAX >> (64 - low));
                Some(((u128::from(output) * u128::from(n)) >> low) as u64)
            }
            _ => Some(((u128::from(self.next()?) * u128::from(n)) >> bits) as u64),
        }
    }
}

impl Kind {
    #[inline(always)]
    fn allows(&self, outputs: &Outputs, lane: usize) -> bool {
        let mut reader = Reader { outputs, lane, at: self.calls };
        let range = if self.is_upward { 2 } else { 52 };
        let Some(first) = reader.draw(self.mapping, self.bits, range) else { return true };
        self.first >> first & 1 == 1 && self.allows_code(reader, first as usize)
    }

    fn allows_code(&self, mut reader: Reader, first: usize) -> bool {
        let ranges = match (self.is_upward, self.mapping) {
            (false, _) => DOWN,
            (true, Mapping::Pairs) => UP_IN_PAIRS,
            (true, _) => UP,
        };
        let code = ranges[1..].iter().try_fold(first, |code, &range| {
            Some(code * range + reader.draw(self.mapping, self.bits, range as u64)? as usize)
        });
        code.is_none_or(|code| self.allowed[code])
    }
}

/// A float of many bits may round to the next card once in millions of draws, so that a seed is lost; all else is exact.
impl Target {
    fn is_dealt(&self, outputs: &Outputs, lane: usize) -> bool {
        let Dealing { mapping, generator, .. } = self.dealing;
        let mut reader = Reader { outputs, lane, at: self.calls };
        let mut at = 0;
        while at < FIRST {
            let is_pair = mapping == Mapping::Pairs && at > 0;
            let second = if is_pair { u64::from(self.ranges[at + 1]) } else { 1 };
            let Some(number) = reader.draw(mapping, generator.bits(), u64::from(self.ranges[at]) * second)
            else {
                return true;
            };
            let is = |place: usize, draw: u64| self.draws[place].is_none_or(|known| u64::from(known) == draw);
            if !is(at, number / second) || is_pair && !is(at + 1, number % second) {
                return false;
            }
            at += if is_pair { 2 } else { 1 };
        }
        true
    }
}
