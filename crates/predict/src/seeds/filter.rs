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
    /// First draws, counted in their mixed base, a bit each: of 52, 51 and 50 downward, of 2 to 8 upward.
    has: Box<[u64; CODES / 64]>,
    /// The same with their targets, sorted.
    targets: Vec<(u32, usize)>,
}

/// 52·51·50 and 8! fit.
const CODES: usize = 1 << 18;

/// Ranges of the draws that are counted.
const DOWN: &[usize] = &[52, 51, 50];
const UP: &[usize] = &[2, 3, 4, 5, 6, 7, 8];

/// Draws that must be known.
const KNOWN_DOWN: usize = 3;
const KNOWN_UP: usize = 7;

impl Filter {
    /// `None` if no record shows the first draws of any way.
    pub(super) fn new(
        search: &SeedSearch,
        seen: &Observation,
        scope: &Scope,
        records: usize,
        calls: &[usize],
    ) -> Option<Filter> {
        let mut targets = Vec::new();
        let generator = search.seeding.generator();
        for (way, start) in scope.pairs() {
            for (number, record) in seen.records.iter().enumerate().take(records) {
                let previous = number.checked_sub(1).and_then(|before| seen.records[before].deck());
                let Some(numbers) = start.numbers(previous.as_ref()) else { continue };
                let draws = way.known(record, &numbers);
                let known = if way.ranges()[0] == 2 { KNOWN_UP } else { KNOWN_DOWN };
                if draws[..known].iter().any(Option::is_none) {
                    continue;
                }
                for &mapping in search.mappings {
                    // Pairs are drawn upward only: they need 2, then 3 and 4 together.
                    if mapping == Mapping::Pairs && way.of != Loop::InsideOut {
                        continue;
                    }
                    for &calls in calls {
                        let dealing = Dealing { generator, mapping, way, start };
                        targets.push(Target { dealing, record: number, calls, ranges: way.ranges(), draws });
                    }
                }
            }
        }
        let mut filter = Filter { targets, kinds: Vec::new() };
        (0..filter.targets.len()).for_each(|number| filter.add(number));
        filter.kinds.iter_mut().for_each(|kind| kind.targets.sort_unstable());
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
            let has = Box::new([0; CODES / 64]);
            self.kinds.push(Kind { mapping, calls, bits, is_upward, first: 0, has, targets: Vec::new() });
        }
        let kind = self.kinds.iter_mut().find(same).expect("it is there now");
        kind.first |= 1 << target.draws[0].unwrap_or(0);
        kind.has[code / 64] |= 1 << (code % 64);
        kind.targets.push((code as u32, number));
    }

    /// Adds the targets whose first draws the outputs of a lane are, as far as they reach.
    pub(super) fn hits(&self, outputs: &Outputs, lane: usize, hits: &mut Vec<usize>) {
        for kind in &self.kinds {
            let targets = kind.targets_of(outputs, lane).iter().map(|(_, target)| *target);
            hits.extend(targets.filter(|target| self.targets[*target].is_dealt(outputs, lane)));
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
            Mapping::Canonical => {
                self.next()?;
                Some(((u128::from(self.next()?) * u128::from(n)) >> bits) as u64)
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
    /// Targets whose first draws these are; all of them where outputs are missing.
    #[inline(always)]
    fn targets_of(&self, outputs: &Outputs, lane: usize) -> &[(u32, usize)] {
        let mut reader = Reader { outputs, lane, at: self.calls };
        let range = if self.is_upward { 2 } else { 52 };
        match reader.draw(self.mapping, self.bits, range) {
            Some(first) if self.first >> first & 1 == 0 => &[],
            Some(first) => self.targets_behind(reader, first as usize),
            None => &self.targets,
        }
    }

    /// The ranges stand here as numbers, so that each has its own quick division.
    fn targets_behind(&self, mut reader: Reader, first: usize) -> &[(u32, usize)] {
        match (self.is_upward, self.mapping) {
            (false, _) => self.targets_of_code(&mut reader, first, [51, 50]),
            (true, Mapping::Pairs) => self.targets_of_code(&mut reader, first, [12, 30, 56]),
            (true, _) => self.targets_of_code(&mut reader, first, [3, 4, 5, 6, 7, 8]),
        }
    }

    #[inline(always)]
    fn targets_of_code<const N: usize>(
        &self,
        reader: &mut Reader,
        first: usize,
        ranges: [u64; N],
    ) -> &[(u32, usize)] {
        let mut code = first;
        for range in ranges {
            let Some(draw) = reader.draw(self.mapping, self.bits, range) else { return &self.targets };
            code = code * range as usize + draw as usize;
        }
        if self.has[code / 64] >> (code % 64) & 1 == 0 {
            return &[];
        }
        let from = self.targets.partition_point(|(own, _)| (*own as usize) < code);
        let to = from + self.targets[from..].partition_point(|(own, _)| *own as usize == code);
        &self.targets[from..to]
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
