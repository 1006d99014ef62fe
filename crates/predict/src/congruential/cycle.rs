//! All numbers of the generator of bash or of a counter of 32 bits in the order of its cycle, many places of it side by side, and what three of them in a row
//! would draw from the three widest ranges.

use multiversion::multiversion;
use rayon::iter::{IntoParallelIterator, ParallelIterator};

use crate::budget::Budget;
use crate::congruential::jump::Jump;
use crate::deck::DRAWS;
use crate::generator::congruential::{Congruence, MINSTD0_NUMBERS, power};
use crate::generator::counters::Counter;
use crate::generator::programs::{bash_folded, bash_low};
use crate::way::{Draws, KnownDraws};

/// How numbers become draws.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Form {
    /// Halves put together, modulo n.
    FoldedModulo,
    /// The same, scaled.
    FoldedScaled,
    /// The low bits, modulo n.
    LowModulo,
    /// The same, scaled.
    LowScaled,
}

/// Places of the cycle side by side, and numbers from each on.
const LANES: usize = 32;
const STEPS: u64 = 1 << 15;

/// Numbers of the cycle, and one place for each so many of them.
const PERIOD: u64 = (1 << 31) - 2;
pub(super) const PART: u64 = LANES as u64 * STEPS;

/// Draws that are looked at together, and the products of their ranges, 52·51·50.
const DRAWN: usize = 3;
const HAS: usize = 132_600usize.div_ceil(32).next_power_of_two();

/// Three draws of some targets: from 52, 51 and 50 at the beginning, or from 50, 51 and 52 at the end.
pub(super) struct Codes {
    down: Sieve,
    up: Sieve,
}

/// Whether any target has three draws, and which.
struct Sieve {
    has: Box<[u32; HAS]>,
    targets: Vec<(usize, usize)>,
    /// From the number of the first of them to the state before the first draw.
    back: Jump,
    numbers: Congruence,
}

impl Codes {
    /// The draws of these targets, each with its ranges.
    pub(super) fn of<'a>(
        numbers: Congruence,
        targets: impl Iterator<Item = (&'a Draws, &'a KnownDraws)>,
    ) -> Codes {
        let sieve = |calls| Sieve::new(numbers, calls);
        let mut codes = Codes { down: sieve(1), up: sieve(DRAWS - DRAWN + 1) };
        for (target, (ranges, draws)) in targets.enumerate() {
            if let Some(code) = code(ranges, draws) {
                let own = if is_downward(ranges) { &mut codes.down } else { &mut codes.up };
                own.targets.push((code, target));
            }
        }
        [&mut codes.down, &mut codes.up].into_iter().for_each(Sieve::close);
        codes
    }

    /// Whether the three draws are known.
    pub(super) fn has(ranges: &Draws, draws: &KnownDraws) -> bool {
        code(ranges, draws).is_some()
    }
}

fn is_downward(ranges: &Draws) -> bool {
    ranges[0] == 52
}

/// Where the three draws begin.
fn place(ranges: &Draws) -> usize {
    if is_downward(ranges) { 0 } else { DRAWS - DRAWN }
}

fn code(ranges: &Draws, draws: &KnownDraws) -> Option<usize> {
    let own = place(ranges)..place(ranges) + DRAWN;
    own.into_iter().try_fold(0, |code, at| Some(code * usize::from(ranges[at]) + usize::from(draws[at]?)))
}

impl Sieve {
    fn new(numbers: Congruence, calls: usize) -> Sieve {
        let jump = (0..calls).fold(Jump::NONE, |jump, _| jump.step(&numbers));
        let back = jump.back(&numbers).expect("multipliers of 1, or not 0 modulo a prime, have an inverse");
        Sieve { has: Box::new([0; HAS]), targets: Vec::new(), back, numbers }
    }

    fn close(&mut self) {
        self.targets.sort_unstable();
        self.targets.iter().for_each(|(code, _)| self.has[code / 32] |= 1 << (code % 32));
    }

    #[inline(always)]
    fn has(&self, code: u32) -> u32 {
        self.has[code as usize / 32 % HAS] >> (code % 32) & 1
    }

    /// Targets with these draws.
    fn of(&self, code: u32) -> impl Iterator<Item = usize> + '_ {
        let from = self.targets.partition_point(|(own, _)| *own < code as usize);
        self.targets[from..]
            .iter()
            .take_while(move |(own, _)| *own == code as usize)
            .map(|(_, target)| *target)
    }
}

/// Targets with states before their first draw that give three draws of them, in the order of targets.
pub(super) fn states(form: Form, codes: &Codes, budget: &Budget) -> Vec<(usize, u64)> {
    let part = |part: u64| {
        if budget.is_spent() {
            return Vec::new();
        }
        budget.count(PART);
        part_of(form, codes, part * PART)
    };
    let mut found: Vec<(usize, u64)> =
        (0..PERIOD.div_ceil(PART)).into_par_iter().flat_map_iter(part).collect();
    found.sort_unstable();
    found
}

#[multiversion(targets("x86_64+avx512f+avx512bw+avx512vl", "x86_64+avx2"))]
fn part_of(form: Form, codes: &Codes, first: u64) -> Vec<(usize, u64)> {
    let power = |exponent: u64| power(MINSTD0_NUMBERS.multiplier, exponent) as u32;
    let modulo = |number: u16, n: u16| number % n;
    let scaled = |number: u16, n: u16| ((u32::from(number) * u32::from(n)) >> 15) as u16;
    let folded = |x: u32| bash_folded(u64::from(x)) as u16;
    let low = |x: u32| bash_low(u64::from(x)) as u16;
    match form {
        Form::FoldedModulo => listed(power, next, folded, modulo, codes, first),
        Form::FoldedScaled => listed(power, next, folded, scaled, codes, first),
        Form::LowModulo => listed(power, next, low, modulo, codes, first),
        Form::LowScaled => listed(power, next, low, scaled, codes, first),
    }
}

/// The same of a counter from so many steps behind 0 on, by `⌊U·n⌋` or modulo n.
#[multiversion(targets("x86_64+avx512f+avx512bw+avx512vl", "x86_64+avx2"))]
pub(super) fn counted<C: Counter>(is_scaled: bool, codes: &Codes, first: u64) -> Vec<(usize, u64)> {
    let start = |place: u64| (place as u32).wrapping_mul(C::STEP);
    let next = |x: u32| x.wrapping_add(C::STEP);
    if is_scaled {
        listed(
            start,
            next,
            C::output,
            |x, n| ((u64::from(x) * u64::from(n)) >> u32::BITS) as u16,
            codes,
            first,
        )
    } else {
        listed(start, next, C::output, |x, n| (x % u32::from(n)) as u16, codes, first)
    }
}

/// Draws of one number in every lane from 52, 51 and 50.
type Drawn = [[u16; LANES]; DRAWN];

#[inline(always)]
fn listed<N: Copy>(
    start: impl Fn(u64) -> u32,
    next: impl Fn(u32) -> u32,
    number: impl Fn(u32) -> N,
    draw: impl Fn(N, u16) -> u16,
    codes: &Codes,
    first: u64,
) -> Vec<(usize, u64)> {
    let mut x: [u32; LANES] = std::array::from_fn(|lane| start(first + lane as u64 * STEPS));
    let mut before = [[0; LANES]; DRAWN - 1];
    let mut drawn: [Drawn; DRAWN] = [[[0; LANES]; DRAWN]; DRAWN];
    let mut found = Vec::new();
    for step in 0..STEPS + DRAWN as u64 - 1 {
        drawn.rotate_left(1);
        for lane in 0..LANES {
            let own = number(x[lane]);
            for (at, n) in [52, 51, 50].into_iter().enumerate() {
                drawn[DRAWN - 1][at][lane] = draw(own, n);
            }
        }
        let of = |call: usize, range: usize, lane: usize| u32::from(drawn[call][range][lane]);
        let down: [u32; LANES] =
            std::array::from_fn(|lane| (of(0, 0, lane) * 51 + of(1, 1, lane)) * 50 + of(2, 2, lane));
        let up: [u32; LANES] =
            std::array::from_fn(|lane| (of(0, 2, lane) * 51 + of(1, 1, lane)) * 52 + of(2, 0, lane));
        let has = |lane: usize| codes.down.has(down[lane]) | codes.up.has(up[lane]);
        if step + 1 >= DRAWN as u64 && (0..LANES).map(has).fold(0, |any, own| any | own) == 1 {
            for lane in (0..LANES).filter(|lane| has(*lane) == 1) {
                for (sieve, code) in [(&codes.down, down[lane]), (&codes.up, up[lane])] {
                    let state =
                        |target| (target, sieve.back.apply(&sieve.numbers, u64::from(before[0][lane])));
                    found.extend(sieve.of(code).map(state));
                }
            }
        }
        before[0] = before[1];
        before[1] = x;
        x.iter_mut().for_each(|x| *x = next(*x));
    }
    found
}

/// One step, without a division.
#[inline(always)]
fn next(x: u32) -> u32 {
    let product = u64::from(x) * MINSTD0_NUMBERS.multiplier;
    let sum = (product & 0x7fff_ffff) as u32 + (product >> 31) as u32;
    if sum >= 0x7fff_ffff { sum - 0x7fff_ffff } else { sum }
}
