//! How words become draws below n: what `predict` undoes, and the scalings that only a replay can follow.

use deckproof_predict::deck::{DECK_CARDS, DRAWS};
use deckproof_predict::generator::Generator;
use deckproof_predict::mapping::{MAPPINGS, Mapping};
use deckproof_predict::way::Draws;

/// No draw: what is expected where a replay is to stop.
const NO_DRAW: u8 = u8::MAX;

/// Ranges drawn from one word by the certified shuffle have a product of at most so many (PROTOCOL.md, section 3).
const BATCH_PRODUCT_MAX: u64 = 1 << 19;

/// Bits above which a double rounds `U·n`, so that it is not the integer's.
const ROUNDED_BITS_MIN: u32 = 47;

/// How words become draws below n. `b` is the number of bits of a word w.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scaling {
    /// `⌊w·n / 2^b⌋`, which is `⌊U·n⌋`.
    MultiplyShift,
    /// Lemire (2019): the same, and another word while `w·n mod 2^b < 2^b mod n`.
    Lemire,
    /// `w mod n`, and another word while w is no less than the largest multiple of n.
    ModuloBelow,
    /// `w mod n`, and another word while `w < 2^b mod n`: `arc4random_uniform`.
    ModuloFrom,
    /// The certified shuffle: several draws from a word, with rejection.
    Certified,
    /// One that `predict` undoes.
    Undone(Mapping),
}

impl Scaling {
    /// All of them for words of so many bits.
    pub fn all(bits: u32) -> Vec<Scaling> {
        let own = [Scaling::MultiplyShift, Scaling::Lemire, Scaling::ModuloBelow, Scaling::ModuloFrom];
        let certified = (bits == 32).then_some(Scaling::Certified);
        let undone = MAPPINGS.iter().filter(|mapping| is_of_width(**mapping, bits));
        own.into_iter().chain(certified).chain(undone.map(|mapping| Scaling::Undone(*mapping))).collect()
    }

    /// What it is called.
    pub fn name(self) -> String {
        match self {
            Scaling::MultiplyShift => "multiply-shift".to_owned(),
            Scaling::Lemire => "lemire".to_owned(),
            Scaling::ModuloBelow => "modulo-reject-high".to_owned(),
            Scaling::ModuloFrom => "modulo-reject-low".to_owned(),
            Scaling::Certified => "certified".to_owned(),
            Scaling::Undone(mapping) => mapping.name(),
        }
    }

    /// Its formula.
    pub fn formula(self) -> String {
        let text = match self {
            Scaling::MultiplyShift => "⌊w·n / 2^b⌋, which is ⌊U·n⌋ of U = w / 2^b",
            Scaling::Lemire => "⌊w·n / 2^b⌋, another word while w·n mod 2^b < 2^b mod n (Lemire 2019)",
            Scaling::ModuloBelow => "w mod n, another word while w ≥ 2^b − (2^b mod n)",
            Scaling::ModuloFrom => "w mod n, another word while w < 2^b mod n (arc4random_uniform)",
            Scaling::Certified => {
                "several draws from a word of 32 bits by multiplication, with rejection (PROTOCOL.md, section 3)"
            }
            Scaling::Undone(mapping) => return formula_of(mapping),
        };
        text.to_owned()
    }

    /// Where no word is rejected: m and k, so that no draw has a chance that differs from 1/n by more than m/2^k of it; `None` where
    /// draws are exactly uniform. k is the bits of U or of the number that is divided, of which a draw owns one value more or less
    /// than 2^k/n, and one more where doubles round.
    pub fn unevenness(self, bits: u32) -> Option<(u32, u32)> {
        let cards = DECK_CARDS as u32;
        match self {
            Scaling::MultiplyShift => Some((cards, bits)),
            Scaling::Undone(mapping) => match mapping {
                Mapping::Float { bits: own } | Mapping::FloatLow { bits: own } => {
                    Some((2 * cards, own.min(bits)))
                }
                Mapping::FloatOfTwo { first, second } => Some((2 * cards, first + second)),
                Mapping::Canonical => Some((2 * cards, f64::MANTISSA_DIGITS.min(2 * bits))),
                Mapping::Modulo { drop } => Some((cards, bits - drop)),
                _ => None,
            },
            _ => None,
        }
    }

    /// Whether a draw of the range 1 takes exactly one word, or two, and a loop may make it.
    pub(super) fn may_draw_one(self) -> bool {
        !matches!(
            self,
            Scaling::Certified
                | Scaling::Undone(
                    Mapping::Masked { .. }
                        | Mapping::TopBits
                        | Mapping::TopBitsMasked
                        | Mapping::TopBitsToOne
                        | Mapping::Pairs
                        | Mapping::PairsDivided
                )
        )
    }

    /// Words of a draw without rejection.
    pub(super) fn words_each(self) -> usize {
        let is_of_two = matches!(self, Scaling::Undone(Mapping::FloatOfTwo { .. } | Mapping::Canonical));
        if is_of_two { 2 } else { 1 }
    }

    /// The draws of these words, and how many were taken until the draw before `end` was made. Behind the last word others
    /// follow that nobody gave, so that the number taken says that they were too few.
    pub(super) fn draws(self, bits: u32, words: &[u64], ranges: &Draws, end: usize) -> (Draws, usize) {
        let most = u64::MAX >> (u64::BITS - bits);
        let mut taken = 0;
        let mut next = || {
            taken += 1;
            let beyond = (taken as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (u64::BITS - bits);
            words.get(taken - 1).copied().unwrap_or(beyond)
        };
        let mut draws = [NO_DRAW; DRAWS];
        match self {
            Scaling::Undone(mapping) => {
                let mut expected = [None; DRAWS];
                if end < DRAWS {
                    expected[end - 1] = Some(NO_DRAW);
                }
                let generator = generator_of(bits, most);
                draws = mapping.draws(&generator, &mut next, ranges, &expected).unwrap_or(draws);
            }
            Scaling::Certified => certified(&mut next, &mut draws[..end]),
            _ => {
                let two_b = u128::from(most) + 1;
                for (draw, n) in draws[..end].iter_mut().zip(ranges) {
                    let n = u128::from(*n);
                    *draw = loop {
                        let word = u128::from(next());
                        let (high, low, residue) = (word * n / two_b, word * n % two_b, word % n);
                        match self {
                            Scaling::MultiplyShift => break high,
                            Scaling::Lemire if low >= two_b % n => break high,
                            Scaling::ModuloBelow if word < two_b - two_b % n => break residue,
                            Scaling::ModuloFrom if word >= two_b % n => break residue,
                            _ => {}
                        }
                    } as u8;
                }
            }
        }
        (draws, taken)
    }
}

fn formula_of(mapping: Mapping) -> String {
    let text = match mapping {
        Mapping::Float { bits } => return format!("⌊U·n⌋ in doubles, U the leading {bits} bits"),
        Mapping::FloatLow { bits } => return format!("⌊U·n⌋ in doubles, U the lowest {bits} bits"),
        Mapping::FloatOfTwo { first, second } => {
            return format!(
                "⌊U·n⌋ in doubles, U the leading {first} bits of a word and {second} of the next"
            );
        }
        Mapping::Canonical => {
            "⌊U·n⌋ in doubles, U of two words of which the second leads (std::generate_canonical)"
        }
        Mapping::Modulo { drop: 0 } => "w mod n",
        Mapping::Modulo { drop } => return format!("⌊w / 2^{drop}⌋ mod n"),
        Mapping::Masked { drop: 0 } => "the low bits that n − 1 fills, another word while they are n or more",
        Mapping::Masked { drop } => return format!("the same of ⌊w / 2^{drop}⌋"),
        Mapping::TopBitsMasked => {
            "as many leading bits as n − 1 fills, another word while they are n or more"
        }
        Mapping::TopBits => "as many leading bits as n has, another word while they are n or more",
        Mapping::TopBitsToOne => {
            "the same, and after the draws a bit until it is 0, as random.sample of Python"
        }
        Mapping::NextInt => "nextInt(n) of java.util.Random on the leading 31 bits",
        Mapping::Pairs => "std::shuffle of libstdc++, two draws from a word, g++ 11 and later",
        Mapping::PairsDivided => "std::shuffle of libstdc++, two draws from a word, before g++ 11",
    };
    text.to_owned()
}

/// Whether words of so many bits can be scaled so, and not as another scaling does.
fn is_of_width(mapping: Mapping, bits: u32) -> bool {
    match mapping {
        Mapping::Float { bits: own } => own < bits || own == bits && bits >= ROUNDED_BITS_MIN,
        Mapping::FloatLow { bits: own } => own < bits,
        Mapping::FloatOfTwo { first, second } => first.max(second) <= bits,
        // A double takes one word of more bits, and three of fewer.
        Mapping::Canonical => (27..f64::MANTISSA_DIGITS).contains(&bits),
        Mapping::Modulo { drop } | Mapping::Masked { drop } => drop + 6 <= bits,
        Mapping::NextInt => bits >= 31,
        Mapping::TopBits | Mapping::TopBitsMasked | Mapping::TopBitsToOne => true,
        // The product of two ranges has twelve bits.
        Mapping::Pairs | Mapping::PairsDivided => bits >= 15,
    }
}

/// Words as the outputs of a generator, of which nothing but the width is asked.
fn generator_of(bits: u32, most: u64) -> Generator {
    Generator { name: "words", source: "a file", words: 0, word_bits: bits, max: most, ..Generator::PLAIN }
}

/// PROTOCOL.md, section 3, by one division of `w·b` where the shuffle itself multiplies draw by draw.
fn certified(next: &mut impl FnMut() -> u64, draws: &mut [u8]) {
    let (mut n, mut at) = (DECK_CARDS as u64, 0);
    while n >= 2 && at < draws.len() {
        let (mut product, mut length) = (1, 0);
        while n - length >= 2 && product * (n - length) <= BATCH_PRODUCT_MAX {
            product *= n - length;
            length += 1;
        }
        let mut tuple = loop {
            let wide = next() * product;
            if wide % (1 << 32) >= (1 << 32) % product {
                break wide >> 32;
            }
        };
        // The first draw is the most significant digit.
        for range in n + 1 - length..=n {
            if let Some(draw) = draws.get_mut(at + (n - range) as usize) {
                *draw = (tuple % range) as u8;
            }
            tuple /= range;
        }
        n -= length;
        at += length as usize;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use deckproof_predict::way::WAYS;

    /// The draw of a word below n; `None` where another word is taken instead.
    fn drawn(scaling: Scaling, bits: u32, word: u64, n: u8) -> Option<u8> {
        let mut ranges = WAYS[0].ranges();
        ranges[0] = n;
        let is_taken = scaling.draws(bits, &[word], &ranges, 1).1 == 1;
        is_taken.then(|| scaling.draws(bits, &[word], &ranges, DRAWS).0[0])
    }

    /// Every word of so many bits once: how often each draw comes is as even as stated of the scaling.
    fn check_evenness(scaling: Scaling, bits: u32, n: u8) {
        let mut counts = vec![0u64; usize::from(n)];
        (0..1u64 << bits)
            .filter_map(|word| drawn(scaling, bits, word, n))
            .for_each(|draw| counts[usize::from(draw)] += 1);
        let name = scaling.name();
        match scaling.unevenness(bits) {
            None => assert!(counts.iter().all(|count| *count == counts[0]), "{name}, {n}: {counts:?}"),
            Some((most, own)) => {
                let off = |count: &u64| (count * u64::from(n)).abs_diff(1 << bits) << own;
                assert!(
                    counts.iter().all(|count| off(count) <= u64::from(most) << bits),
                    "{name}, {n}: {counts:?}"
                );
                assert_eq!(counts.iter().sum::<u64>(), 1 << bits, "{name} rejects");
            }
        }
    }

    #[test]
    fn scalings_are_as_even_as_stated() {
        let of_bytes = Scaling::all(8);
        assert_eq!(of_bytes.len(), 9);
        for scaling in of_bytes {
            (2..=52).for_each(|n| check_evenness(scaling, 8, n));
        }
        let of_15_bits = [Mapping::Pairs, Mapping::PairsDivided].map(Scaling::Undone);
        of_15_bits.iter().for_each(|scaling| [3, 52].iter().for_each(|n| check_evenness(*scaling, 15, *n)));
        [3, 52].iter().for_each(|n| check_evenness(Scaling::Undone(Mapping::Float { bits: 15 }), 16, *n));
    }

    /// A rejection begins exactly where the formula says: by hand, 256 = 4·52 + 48.
    #[test]
    fn the_first_and_last_words_that_are_kept_are_those_of_the_formula() {
        let kept = |scaling, word| drawn(scaling, 8, word, 52);
        assert_eq!((kept(Scaling::ModuloBelow, 207), kept(Scaling::ModuloBelow, 208)), (Some(51), None));
        assert_eq!((kept(Scaling::ModuloFrom, 47), kept(Scaling::ModuloFrom, 48)), (None, Some(48)));
        // 52·55 mod 256 is 44, and 52·60 mod 256 is 48.
        assert_eq!((kept(Scaling::Lemire, 55), kept(Scaling::Lemire, 60)), (None, Some(12)));
    }
}
