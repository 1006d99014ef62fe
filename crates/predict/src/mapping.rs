//! Mappings: how a program makes a draw below n from outputs of a generator, forward and what a draw tells of outputs.

use crate::deck::DRAWS;
use crate::generator::Generator;
use crate::way::{Draws, KnownDraws};

/// How outputs become draws.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Mapping {
    /// `⌊U·n⌋`, U the leading bits of an output as a fraction: 52 or 53 of a double, 32, 31, …
    Float {
        /// Bits of U.
        bits: u32,
    },
    /// `⌊U·n⌋`, U the lowest bits of an output as a fraction, as SpiderMonkey and JavaScriptCore cut sums.
    FloatLow {
        /// Bits of U.
        bits: u32,
    },
    /// `⌊U·n⌋`, U made of the leading bits of two outputs: `genrand_res53` has 27 and 26, `nextDouble` of Java 26 and 27.
    FloatOfTwo {
        /// Bits of the first output, which lead.
        first: u32,
        /// Bits of the second.
        second: u32,
    },
    /// `⌊U·n⌋`, U a double made of two outputs of which the second leads: `std::generate_canonical` of C++, and with it
    /// `std::uniform_real_distribution`, on outputs of 27 to 52 bits.
    Canonical,
    /// `(output >> drop) mod n`.
    Modulo {
        /// Low bits dropped before.
        drop: u32,
    },
    /// The low bits of `output >> drop` that n − 1 fills, drawn again while they are n or more: Ruby, NumPy's legacy
    /// `shuffle`, Lua 5.4, and with 16 bits dropped R. Half of the outputs leave no trace.
    Masked {
        /// Low bits dropped before.
        drop: u32,
    },
    /// As many leading bits as n has, drawn again while they are n or more: Python's `getrandbits`.
    TopBits,
    /// As many leading bits as n − 1 fills, drawn again while they are n or more.
    TopBitsMasked,
    /// As [`Mapping::TopBits`], and after the draws one bit again and again until it is 0, for the card that is left: Python's `random.sample`.
    TopBitsToOne,
    /// `nextInt(n)` of java.util.Random on the leading 31 bits: those of `n·u` where n is a power of two, else `u mod n`, drawn
    /// again where u lies in the last incomplete interval.
    NextInt,
    /// `std::shuffle` of libstdc++: two draws from one number below the product of their ranges, by multiplication with
    /// rejection (Lemire 2019) where outputs fill 32 or 64 bits (g++ 11 and later).
    Pairs,
    /// The same by division, as before g++ 11, and where outputs do not fill 32 or 64 bits.
    PairsDivided,
}

/// What is known of one output.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Known {
    /// Nothing.
    Nothing,
    /// The bits from `top` down, read as a fraction of 2^64, lie between the two.
    Within {
        /// The bit that leads, 63 for the highest of 64.
        top: u32,
        /// The least fraction.
        low: u64,
        /// The greatest fraction.
        high: u64,
    },
    /// `(output >> drop) mod modulus` is the value.
    Residue {
        /// Low bits dropped before.
        drop: u32,
        /// n.
        modulus: u32,
        /// The draw.
        value: u32,
    },
}

/// Every mapping of the catalogue.
pub const MAPPINGS: &[Mapping] = &[
    Mapping::Float { bits: 53 },
    Mapping::Float { bits: 52 },
    Mapping::Float { bits: 32 },
    Mapping::Float { bits: 31 },
    Mapping::Float { bits: 48 },
    Mapping::Float { bits: 24 },
    Mapping::Float { bits: 15 },
    Mapping::FloatLow { bits: 53 },
    Mapping::FloatLow { bits: 52 },
    Mapping::FloatOfTwo { first: 27, second: 26 },
    Mapping::FloatOfTwo { first: 26, second: 27 },
    Mapping::Canonical,
    Mapping::Modulo { drop: 0 },
    Mapping::Modulo { drop: 16 },
    Mapping::Modulo { drop: 17 },
    Mapping::Modulo { drop: 33 },
    Mapping::Modulo { drop: 32 },
    Mapping::NextInt,
    Mapping::Pairs,
    Mapping::PairsDivided,
    Mapping::Masked { drop: 0 },
    Mapping::Masked { drop: 16 },
    Mapping::TopBitsMasked,
    Mapping::TopBits,
    Mapping::TopBitsToOne,
];

impl Mapping {
    /// What it is called: `float-53`, `modulo`, `next-int`, `pairs`, …
    pub fn name(self) -> String {
        match self {
            Mapping::Float { bits } => format!("float-{bits}"),
            Mapping::FloatLow { bits } => format!("float-low-{bits}"),
            Mapping::FloatOfTwo { first, second } => format!("float-{first}-{second}"),
            Mapping::Canonical => "canonical".to_owned(),
            Mapping::Modulo { drop: 0 } => "modulo".to_owned(),
            Mapping::Modulo { drop } => format!("modulo-drop-{drop}"),
            Mapping::Masked { drop: 0 } => "masked".to_owned(),
            Mapping::Masked { drop } => format!("masked-drop-{drop}"),
            Mapping::TopBits => "top-bits".to_owned(),
            Mapping::TopBitsMasked => "top-bits-masked".to_owned(),
            Mapping::TopBitsToOne => "top-bits-to-one".to_owned(),
            Mapping::NextInt => "next-int".to_owned(),
            Mapping::Pairs => "pairs".to_owned(),
            Mapping::PairsDivided => "pairs-divided".to_owned(),
        }
    }

    /// The mapping of that name.
    pub fn named(name: &str) -> Option<Mapping> {
        MAPPINGS.iter().copied().find(|mapping| mapping.name() == name)
    }

    /// Draws until one differs from what is expected: all of them, or how many agreed before.
    ///
    /// # Errors
    /// The number of draws before the first that differs.
    pub fn draws(
        self,
        generator: &Generator,
        next: &mut dyn FnMut() -> u64,
        ranges: &Draws,
        expected: &KnownDraws,
    ) -> Result<Draws, usize> {
        let mut draws = [0; DRAWS];
        let mut at = 0;
        while at < draws.len() {
            let taken = match self {
                Mapping::Pairs | Mapping::PairsDivided if at > 0 => {
                    let (first, second) = (u64::from(ranges[at]), u64::from(ranges[at + 1]));
                    let number = self.of_pair(generator, first * second, next).ok_or(at)?;
                    (draws[at], draws[at + 1]) = ((number / second) as u8, (number % second) as u8);
                    2
                }
                _ => {
                    draws[at] = self.draw(generator, u64::from(ranges[at]), next).ok_or(at)?;
                    1
                }
            };
            for place in at..at + taken {
                if expected[place].is_some_and(|expected| expected != draws[place]) {
                    return Err(place);
                }
            }
            at += taken;
        }
        if self == Mapping::TopBitsToOne {
            self.draw(generator, 1, next).ok_or(DRAWS)?;
        }
        Ok(draws)
    }

    /// A number to sort by: U as an integer, or the whole output.
    pub fn key(self, generator: &Generator, next: &mut dyn FnMut() -> u64) -> u64 {
        match self {
            Mapping::Float { bits } => leading(generator, bits.min(generator.bits()), next()),
            Mapping::FloatOfTwo { first, second } => {
                let high = leading(generator, first, next());
                high << second | leading(generator, second, next())
            }
            Mapping::Canonical => {
                let low = leading(generator, 32, next());
                leading(generator, 32, next()) << 32 | low
            }
            _ => next(),
        }
    }

    /// What is ½ among these numbers.
    pub fn key_half(self, generator: &Generator) -> u64 {
        let bits = match self {
            Mapping::Float { bits } => bits.min(generator.bits()),
            Mapping::FloatOfTwo { first, second } => first + second,
            Mapping::Canonical => u64::BITS,
            _ => generator.bits(),
        };
        1 << (bits - 1)
    }

    /// `None` of a state whose outputs are rejected for ever.
    fn draw(self, generator: &Generator, n: u64, next: &mut dyn FnMut() -> u64) -> Option<u8> {
        let draw = match self {
            Mapping::Float { bits } => {
                let bits = bits.min(generator.bits());
                scaled(leading(generator, bits, next()), bits, n)
            }
            Mapping::FloatLow { bits } => {
                let bits = bits.min(generator.bits());
                scaled(next() & (u64::MAX >> (64 - bits)), bits, n)
            }
            Mapping::FloatOfTwo { first, second } => {
                let high = leading(generator, first, next());
                let low = leading(generator, second, next());
                scaled(high << second | low, first + second, n)
            }
            Mapping::Canonical => (canonical(generator, next) * n as f64) as u64,
            Mapping::Modulo { drop } => (next() >> drop) % n,
            Mapping::Masked { drop } => below(n, || next() >> drop & mask(n))?,
            Mapping::TopBits | Mapping::TopBitsToOne => {
                below(n, || leading(generator, u64::BITS - n.leading_zeros(), next()))?
            }
            Mapping::TopBitsMasked => below(n, || leading(generator, mask(n).count_ones(), next()))?,
            Mapping::NextInt => next_int(generator, n, next)?,
            Mapping::Pairs | Mapping::PairsDivided => self.of_pair(generator, n, next)?,
        };
        Some(draw as u8)
    }

    /// A number below n as `std::uniform_int_distribution` makes it.
    fn of_pair(self, generator: &Generator, n: u64, next: &mut dyn FnMut() -> u64) -> Option<u64> {
        let span = u128::from(generator.max - generator.min) + 1;
        if self == Mapping::PairsDivided {
            let scaling = (generator.max - generator.min) / n;
            return accepted(|| {
                let output = next().checked_sub(generator.min)?;
                (output < n * scaling).then(|| output / scaling)
            });
        }
        let threshold = (span % u128::from(n)) as u64;
        accepted(|| {
            let product = u128::from(next().checked_sub(generator.min)?) * u128::from(n);
            (product % span >= u128::from(threshold)).then_some((product / span) as u64)
        })
    }

    /// What draws tell of the outputs, one entry an output. Calls that were rejected are not thought of: they are rare
    /// for every mapping here but `Masked` and those of top bits, of which nothing is known; and what follows a state is compared anyway.
    pub fn known(self, generator: &Generator, ranges: &Draws, draws: &KnownDraws) -> Vec<Known> {
        if self.rejects_often() {
            return Vec::new();
        }
        let top = generator.bits().saturating_sub(1);
        let mut known = Vec::with_capacity(2 * draws.len());
        let mut at = 0;
        while at < draws.len() {
            let n = u64::from(ranges[at]);
            let value = draws[at].map(u64::from);
            match self {
                Mapping::Float { bits } => {
                    known.push(value.map_or(Known::Nothing, |j| within_bits(top, bits, j, n)));
                }
                Mapping::FloatLow { bits } => {
                    let top = top.min(bits - 1);
                    known.push(value.map_or(Known::Nothing, |j| within(top, j, n)));
                }
                Mapping::FloatOfTwo { .. } => {
                    known.push(value.map_or(Known::Nothing, |j| within(top, j, n)));
                    known.push(Known::Nothing);
                }
                Mapping::Canonical => {
                    known.push(Known::Nothing);
                    known.push(value.map_or(Known::Nothing, |j| within_led(top, j, n)));
                }
                Mapping::Modulo { drop } => known.push(value.map_or(Known::Nothing, |j| residue(drop, j, n))),
                Mapping::NextInt if n.is_power_of_two() => {
                    known.push(value.map_or(Known::Nothing, |j| within(top, j, n)));
                }
                Mapping::NextInt => {
                    let drop = generator.bits().checked_sub(31);
                    known.push(value.zip(drop).map_or(Known::Nothing, |(j, drop)| residue(drop, j, n)));
                }
                Mapping::Masked { .. }
                | Mapping::TopBits
                | Mapping::TopBitsMasked
                | Mapping::TopBitsToOne => {}
                Mapping::Pairs | Mapping::PairsDivided if at > 0 => {
                    let second = u64::from(ranges[at + 1]);
                    let pair = value.zip(draws[at + 1].map(u64::from));
                    known.push(pair.map_or(Known::Nothing, |(i, j)| {
                        self.of_number(generator, i * second + j, n * second)
                    }));
                    at += 1;
                }
                Mapping::Pairs | Mapping::PairsDivided => {
                    known.push(value.map_or(Known::Nothing, |j| self.of_number(generator, j, n)));
                }
            }
            at += 1;
        }
        known
    }
}

impl Mapping {
    /// Whether many outputs leave no trace.
    fn rejects_often(self) -> bool {
        matches!(
            self,
            Mapping::Masked { .. } | Mapping::TopBits | Mapping::TopBitsMasked | Mapping::TopBitsToOne
        )
    }

    /// How many bits of each output a draw shows whatever it is, one entry an output: v where the range is 2^v·m.
    pub fn certain_bits(self, ranges: &Draws) -> Vec<u32> {
        let bits = |n: &u8| n.trailing_zeros();
        match self {
            Mapping::FloatOfTwo { .. } => ranges.iter().flat_map(|n| [bits(n), 0]).collect(),
            Mapping::Canonical => ranges.iter().flat_map(|n| [0, bits(n)]).collect(),
            Mapping::Pairs | Mapping::PairsDivided => {
                let pairs = ranges[1..].chunks(2).map(|pair| pair.iter().map(bits).sum());
                std::iter::once(bits(&ranges[0])).chain(pairs).collect()
            }
            _ => ranges.iter().map(bits).collect(),
        }
    }

    /// What a number below n that `std::uniform_int_distribution` made tells of its output.
    fn of_number(self, generator: &Generator, j: u64, n: u64) -> Known {
        let span = u128::from(generator.max - generator.min) + 1;
        let least = |j: u64| match self {
            Mapping::PairsDivided => u128::from(j) * ((span - 1) / u128::from(n)),
            _ => (u128::from(j) * span).div_ceil(u128::from(n)),
        };
        let top = generator.bits().saturating_sub(1);
        let fraction = |output: u128| (output + u128::from(generator.min)) << (63 - top);
        Known::Within { top, low: fraction(least(j)) as u64, high: (fraction(least(j + 1)) - 1) as u64 }
    }
}

/// The leading bits of an output.
fn leading(generator: &Generator, bits: u32, output: u64) -> u64 {
    let own = generator.bits();
    if own >= bits { output >> (own - bits) } else { output << (bits - own) }
}

/// `floor(u * n)` in doubles, u of so many bits, 53 at most.
fn scaled(number: u64, bits: u32, n: u64) -> u64 {
    let fraction = number as f64 / (1u64 << bits) as f64;
    (fraction * n as f64) as u64
}

/// ISO C++11, 26.5.7.2, as libstdc++ computes it in doubles: below 1 even where the sum rounds up.
fn canonical(generator: &Generator, next: &mut dyn FnMut() -> u64) -> f64 {
    let span = (generator.max - generator.min) as f64 + 1.0;
    let [first, second] = [(); 2].map(|()| next().saturating_sub(generator.min) as f64);
    ((second * span + first) / (span * span)).min(1.0f64.next_down())
}

/// The bits that n − 1 fills.
fn mask(n: u64) -> u64 {
    n.next_power_of_two() - 1
}

/// Again until it lies below n.
fn below(n: u64, mut next: impl FnMut() -> u64) -> Option<u64> {
    accepted(|| Some(next()).filter(|&value| value < n))
}

/// Rejections in a row that no generator in motion makes: each has a chance of a half at most.
const REJECTED_MAX: usize = 1_000;

/// The first output that is not rejected; `None` where nothing else comes, as of a state of 0.
fn accepted(attempt: impl FnMut() -> Option<u64>) -> Option<u64> {
    std::iter::repeat_with(attempt).take(REJECTED_MAX).flatten().next()
}

/// OpenJDK, `java.util.Random.nextInt(int)`.
fn next_int(generator: &Generator, n: u64, next: &mut dyn FnMut() -> u64) -> Option<u64> {
    accepted(|| {
        let number = leading(generator, 31, next());
        if n.is_power_of_two() {
            return Some((number * n) >> 31);
        }
        let value = number % n;
        (number - value + (n - 1) < 1 << 31).then_some(value)
    })
}

/// `[j/n, (j + 1)/n)` of 2^64.
fn within(top: u32, j: u64, n: u64) -> Known {
    let bound = |j: u64| (u128::from(j) << 64).div_ceil(u128::from(n));
    Known::Within { top, low: bound(j) as u64, high: (bound(j + 1) - 1) as u64 }
}

/// The same where what follows the leading number may fill it up.
fn within_led(top: u32, j: u64, n: u64) -> Known {
    let least = (u128::from(j) << (top + 1)) / u128::from(n);
    let most = (u128::from(j + 1) << (top + 1)).div_ceil(u128::from(n)) - 1;
    let fraction = |number: u128| (number << (63 - top)) as u64;
    Known::Within { top, low: fraction(least), high: fraction(most) | ((1 << (63 - top)) - 1) }
}

/// The same where U has few bits: fractions between two of its values belong to the lower one.
fn within_bits(top: u32, bits: u32, j: u64, n: u64) -> Known {
    let least = |j: u64| (u128::from(j) << bits).div_ceil(u128::from(n)) << (64 - bits);
    Known::Within { top, low: least(j) as u64, high: (least(j + 1) - 1) as u64 }
}

fn residue(drop: u32, value: u64, n: u64) -> Known {
    Known::Residue { drop, modulus: n as u32, value: value as u32 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generator::GENERATORS;
    use crate::way::WAYS;

    /// An output that is rejected, again and again, ends the deck and not the patience of the caller.
    #[test]
    fn outputs_that_stay_the_same_end_every_deck() {
        for mapping in MAPPINGS {
            for generator in GENERATORS {
                for output in [0, generator.min, generator.max] {
                    let ranges = WAYS[0].ranges();
                    let dealt = mapping.draws(generator, &mut || output, &ranges, &[None; DRAWS]);
                    assert!(
                        dealt.is_err()
                            || dealt.is_ok_and(|draws| draws.iter().zip(ranges).all(|(d, n)| *d < n))
                    );
                }
            }
        }
    }

    /// What draws tell of outputs is true of the outputs that made them.
    #[test]
    fn what_draws_tell_of_outputs_is_true() {
        for mapping in MAPPINGS {
            assert_eq!(Mapping::named(&mapping.name()), Some(*mapping));
            for generator in GENERATORS.iter().filter(|generator| generator.words < 5) {
                let mut state: Vec<u64> = (1..=generator.words as u64).map(|word| word * 77_777).collect();
                (0..100).for_each(|_| _ = (generator.next)(&mut state));
                for way in WAYS {
                    let (mut outputs, ranges) = (Vec::new(), way.ranges());
                    let mut next = || {
                        outputs.push((generator.next)(&mut state));
                        outputs[outputs.len() - 1]
                    };
                    let draws = mapping
                        .draws(generator, &mut next, &ranges, &[None; 51])
                        .expect("no draw is expected");
                    assert!(draws.iter().zip(ranges).all(|(draw, range)| *draw < range));
                    let known = mapping.known(generator, &ranges, &draws.map(Some));
                    // Of 15 bits two draws at a time reject one output in 34 and more, which no draw shows.
                    let is_short = generator.max - generator.min < 1 << 15;
                    if matches!(mapping, Mapping::Pairs | Mapping::PairsDivided)
                        && is_short
                        && known.len() < outputs.len()
                    {
                        continue;
                    }
                    if !mapping.rejects_often() {
                        assert_eq!(known.len(), outputs.len(), "{mapping:?} {generator:?}");
                    }
                    for (known, output) in known.iter().zip(&outputs) {
                        assert!(is_true(*known, *output), "{mapping:?} {generator:?}: {known:?} {output:x}");
                    }
                }
            }
        }
    }

    fn is_true(known: Known, output: u64) -> bool {
        match known {
            Known::Nothing => true,
            Known::Within { top, low, high } => {
                let fraction = output << (63 - top);
                // A double rounds, an interval by division is a little shorter.
                fraction >= low.saturating_sub(1 << 44) && fraction <= high.saturating_add(1 << 44)
            }
            Known::Residue { drop, modulus, value } => {
                (output >> drop) % u64::from(modulus) == u64::from(value)
            }
        }
    }
}
