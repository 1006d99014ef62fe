//! Counts as text: an exact layout with one spelling for every list, written out so that anybody can read it.
//!
//! A list of n counts is cut into blocks of 128, the last one perhaps short. The blocks are one stream of bits, cut into
//! bytes from the lowest bit on. A block is
//!
//! 1. eight bits, the lowest first, that say its form: 128 equal, 0 to 63 around a middle, 64 to 127 by steps; the
//!    last two are `k` and `64 + k` of their Rice code (Rice and Plaunt 1971);
//! 2. its base less the last count of the block before (0 before the first) in LEB128 of the zigzag number (`2d` for
//!    d ≥ 0, `−2d − 1` below), eight bits a byte. The base is the count itself if all are equal, the median (the higher
//!    of two) around a middle, the first count by steps;
//! 3. nothing if all are equal; every count less the base around a middle; every count but the first less the one before by
//!    steps; each as the zigzag number u: `u >> k` zero bits, a one, then the k lowest bits of u, the lowest first.
//!
//! Of the middle and the steps, with k the whole part of the binary logarithm of the mean u, or one to either side of it, the
//! shortest is taken, the first of equal ones in the order of their numbers. The stream, filled up with zero bits, is in the certificate in base
//! 85 (the alphabet of RFC 1924, four bytes to five digits, the last digits left out with the bytes that are not there)
//! after n and a colon. Counts are 64-bit two's complement, for some are sums of signed numbers, and differences are
//! taken modulo 2^64.

use crate::certificate::base85;

/// Counts that share a base and a code.
const BLOCK: usize = 128;

/// The form of a block of equal counts.
const EQUAL: u64 = 128;

/// Forms below this are around a middle, from here on by steps.
const STEPS: u64 = 64;

/// Why a text is no list of counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(crate) enum PackedError {
    /// No number and colon before the digits.
    #[error("counts without their number and a colon")]
    Opening,
    /// More counts than the reader has room for.
    #[error("{found} counts, wanted at most {wanted}")]
    TooMany { found: usize, wanted: usize },
    /// Not base 85.
    #[error("counts that are not in base 85")]
    Digits,
    /// Blocks that end early, or more bytes than the counts take.
    #[error("counts whose bytes are not those of their number")]
    Length,
    /// Another spelling than the shortest one.
    #[error("counts in another spelling than the one of their layout")]
    Spelling,
}

/// The text of a list of counts.
pub(crate) fn pack(counts: &[u64]) -> String {
    let mut bits = Bits::default();
    let mut before = 0;
    for block in counts.chunks(BLOCK) {
        push_block(&mut bits, block, before);
        before = block[block.len() - 1];
    }
    format!("{}:{}", counts.len(), base85::encode(&bits.into_bytes()))
}

/// Reads what [`pack`] wrote and nothing else.
///
/// # Errors
/// [`PackedError`]; a list of more than `counts_max` is refused before anything is reserved for it.
pub(crate) fn unpack(text: &str, counts_max: usize) -> Result<Vec<u64>, PackedError> {
    let (number, packed) = text.split_once(':').ok_or(PackedError::Opening)?;
    let number: usize = number.parse().map_err(|_| PackedError::Opening)?;
    if number > counts_max {
        return Err(PackedError::TooMany { found: number, wanted: counts_max });
    }
    let bytes = base85::decode(packed).ok_or(PackedError::Digits)?;
    let mut bits = Reader { bytes: &bytes, at: 0 };
    let mut counts = Vec::with_capacity(number);
    while counts.len() < number {
        let held = BLOCK.min(number - counts.len());
        take_block(&mut bits, held, &mut counts).ok_or(PackedError::Length)?;
    }
    if bits.at.div_ceil(8) != bytes.len() {
        return Err(PackedError::Length);
    }
    // Whatever else could be written for the same counts: one list has one text, so one hash.
    if pack(&counts) == text { Ok(counts) } else { Err(PackedError::Spelling) }
}

/// A signed number as one without a sign: 0, −1, 1, −2, …
fn zigzag(number: u64) -> u64 {
    (number << 1) ^ ((number as i64) >> 63) as u64
}

fn from_zigzag(number: u64) -> u64 {
    (number >> 1) ^ (number & 1).wrapping_neg()
}

/// A block in one of its two ways: the lowest number of its forms, the base, and what is written after it.
struct Form<'a> {
    number: u64,
    base: u64,
    rest: &'a [u64],
}

impl<'a> Form<'a> {
    /// Numbers are written into `room`, of which there is enough.
    fn around_middle(block: &[u64], room: &'a mut [u64; BLOCK]) -> Form<'a> {
        let mut sorted = [0i64; BLOCK];
        let sorted = &mut sorted[..block.len()];
        sorted.iter_mut().zip(block).for_each(|(own, &count)| *own = count as i64);
        let (_, &mut middle, _) = sorted.select_nth_unstable(block.len() / 2);
        let base = middle as u64;
        let rest = &mut room[..block.len()];
        rest.iter_mut().zip(block).for_each(|(own, count)| *own = zigzag(count.wrapping_sub(base)));
        Form { number: 0, base, rest }
    }

    /// The same.
    fn by_steps(block: &[u64], room: &'a mut [u64; BLOCK]) -> Form<'a> {
        let rest = &mut room[..block.len() - 1];
        let pairs = block.windows(2).map(|pair| zigzag(pair[1].wrapping_sub(pair[0])));
        rest.iter_mut().zip(pairs).for_each(|(own, step)| *own = step);
        Form { number: STEPS, base: block[0], rest }
    }

    /// The three k that may be the shortest, each with the bits that it takes after its eight.
    fn lengths(&self, before: u64) -> impl Iterator<Item = (u128, u32)> {
        // Below 2^56 no sum of a block leaves 64 bits, and those are added up side by side.
        let is_small = self.rest.iter().fold(0, |all, number| all | number) >> 56 == 0;
        let sum = move |rest: &[u64], k: u32| {
            if is_small {
                u128::from(rest.iter().map(|&number| number >> k).sum::<u64>())
            } else {
                rest.iter().map(|&number| u128::from(number >> k)).sum()
            }
        };
        let mean = sum(self.rest, 0) / self.rest.len().max(1) as u128;
        let k = mean.max(1).ilog2();
        let base = zigzag(self.base.wrapping_sub(before));
        let bytes = (u64::BITS - base.leading_zeros()).div_ceil(7).max(1);
        (k.saturating_sub(1)..=(k + 1).min(63)).map(move |k| {
            let fixed = u128::from(8 * bytes) + self.rest.len() as u128 * (1 + u128::from(k));
            (fixed + sum(self.rest, k), k)
        })
    }
}

fn push_block(bits: &mut Bits, block: &[u64], before: u64) {
    if block.iter().all(|&count| count == block[0]) {
        bits.push(EQUAL, 8);
        bits.push_number(zigzag(block[0].wrapping_sub(before)));
        return;
    }
    let (mut around_middle, mut by_steps) = ([0; BLOCK], [0; BLOCK]);
    let forms = [Form::around_middle(block, &mut around_middle), Form::by_steps(block, &mut by_steps)];
    let lengths = forms.iter().flat_map(|form| form.lengths(before).map(move |(bits, k)| (bits, form, k)));
    let (_, form, k) = lengths.min_by_key(|(bits, ..)| *bits).expect("there are six");
    bits.push(form.number + u64::from(k), 8);
    bits.push_number(zigzag(form.base.wrapping_sub(before)));
    for &number in form.rest {
        bits.push_zeros(number >> k);
        // A one and the k lowest bits.
        bits.push(1 | (number & ((1 << k) - 1)) << 1, 1 + k);
    }
}

/// Reads a block of so many counts behind those that are there.
fn take_block(bits: &mut Reader, held: usize, counts: &mut Vec<u64>) -> Option<()> {
    let before = counts.last().copied().unwrap_or(0);
    let form = bits.take(8)?;
    let base = before.wrapping_add(from_zigzag(bits.take_number()?));
    let mut next = |k: u64| {
        let zeros = bits.take_zeros()?;
        let low = bits.take(k as u32)?;
        Some(from_zigzag(zeros.checked_shl(k as u32)? | low))
    };
    match form {
        EQUAL => counts.extend(std::iter::repeat_n(base, held)),
        0..STEPS => {
            for _ in 0..held {
                counts.push(base.wrapping_add(next(form)?));
            }
        }
        STEPS..EQUAL => {
            let mut last = base;
            counts.push(last);
            for _ in 1..held {
                last = last.wrapping_add(next(form - STEPS)?);
                counts.push(last);
            }
        }
        _ => return None,
    }
    Some(())
}

/// A stream of bits that is written, the lowest of a byte first.
#[derive(Default)]
struct Bits {
    bytes: Vec<u8>,
    /// The bits behind these bytes, fewer than 64.
    last: u64,
    held: u32,
}

impl Bits {
    /// At most 64 bits.
    fn push(&mut self, number: u64, width: u32) {
        self.last |= number.checked_shl(self.held).unwrap_or(0);
        if self.held + width < u64::BITS {
            self.held += width;
            return;
        }
        self.bytes.extend(self.last.to_le_bytes());
        self.last = number.checked_shr(u64::BITS - self.held).unwrap_or(0);
        self.held = self.held + width - u64::BITS;
    }

    fn into_bytes(mut self) -> Vec<u8> {
        let held = self.held.div_ceil(8) as usize;
        self.bytes.extend(&self.last.to_le_bytes()[..held]);
        self.bytes
    }

    fn push_zeros(&mut self, mut zeros: u64) {
        while zeros > 0 {
            let some = zeros.min(64);
            self.push(0, some as u32);
            zeros -= some;
        }
    }

    /// LEB128.
    fn push_number(&mut self, mut number: u64) {
        while number >= 0x80 {
            self.push(number & 0x7f | 0x80, 8);
            number >>= 7;
        }
        self.push(number, 8);
    }
}

/// A stream of bits that is read.
struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Reader<'_> {
    fn take_bit(&mut self) -> Option<u64> {
        let byte = self.bytes.get(self.at / 8)?;
        let bit = byte >> (self.at % 8) & 1;
        self.at += 1;
        Some(u64::from(bit))
    }

    fn take(&mut self, width: u32) -> Option<u64> {
        let mut number = 0;
        for place in 0..width {
            number |= self.take_bit()? << place;
        }
        Some(number)
    }

    /// How many zero bits stand before the next one, which is taken too.
    fn take_zeros(&mut self) -> Option<u64> {
        let mut zeros = 0;
        while self.take_bit()? == 0 {
            zeros += 1;
        }
        Some(zeros)
    }

    /// A number of at most 64 bits; what is written longer than it need be is found by writing it again.
    fn take_number(&mut self) -> Option<u64> {
        let mut number = 0u64;
        for place in 0..10 {
            let byte = self.take(8)?;
            number |= (byte & 0x7f) << (7 * place);
            if byte & 0x80 == 0 {
                return Some(number);
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::{any, prop_assert, prop_assert_eq, proptest};

    /// Bits as they are read, spaces between the parts.
    fn text_of(number: &str, bits: &str) -> String {
        let bits: Vec<u8> = bits.bytes().filter(|bit| *bit != b' ').map(|bit| bit - b'0').collect();
        let byte = |bits: &[u8]| bits.iter().enumerate().map(|(place, bit)| bit << place).sum();
        format!("{number}:{}", base85::encode(&bits.chunks(8).map(byte).collect::<Vec<u8>>()))
    }

    #[test]
    fn rows_written_by_hand_from_the_layout() {
        // The median is 6, 12 in zigzag; less it −1, 1, 0 are 1, 2, 0: mean 1, so k is 0 or 1. With 1: 1 + 1 bits, then
        // 2 + 1, 1 + 1; with 0: 2 + 3 + 1 bits, as many. By steps 2 and −1 are 4 and 1 from base 5.
        assert_eq!(pack(&[5, 7, 6]), text_of("3", "00000000 00110000 01 001 1"));
        assert_eq!(pack(&[]), "0:");
        assert_eq!(pack(&[300]), text_of("1", "00000001 00011011 00100000"));
        assert_eq!(pack(&[7; 128]), text_of("128", "00000001 01110000"));
        // 128 zeros and −1: a step of −1 is 1.
        let mut counts = vec![0; 128];
        counts.push(u64::MAX);
        assert_eq!(pack(&counts), text_of("129", "00000001 00000000 00000001 10000000"));
        // Ascending by 4 from 100: steps of 8, mean 8, k = 3: 0 1 000; k = 2 takes as many bits and comes first.
        let counts: Vec<u64> = (0..5).map(|step| 100 + 4 * step).collect();
        let steps = "00 1 00 ".repeat(4);
        assert_eq!(pack(&counts), text_of("5", &format!("01000010 00010011 10000000 {steps}")));
    }

    #[test]
    fn other_spellings_of_the_same_counts_are_refused() {
        let refused = |number: &str, bits: &str| unpack(&text_of(number, bits), 1_000);
        assert_eq!(refused("3", "00000000 00110000 01 001 1"), Ok(vec![5, 7, 6]));
        // Another k, another base, steps, a long number, a bit in the filling, a number with a sign.
        assert_eq!(refused("3", "10000000 00110000 11 010 10"), Err(PackedError::Spelling));
        assert_eq!(refused("3", "00000000 01010000 1 00001 001"), Err(PackedError::Spelling));
        assert_eq!(refused("3", "00000010 01010000 00001 01"), Err(PackedError::Spelling));
        assert_eq!(refused("3", "00000000 00110001 00000000 01 001 1"), Err(PackedError::Spelling));
        assert_eq!(refused("3", "00000000 00110000 01 001 1 01"), Err(PackedError::Spelling));
        assert_eq!(refused("+3", "00000000 00110000 01 001 1"), Err(PackedError::Spelling));
        assert_eq!(refused("03", "00000000 00110000 01 001 1"), Err(PackedError::Spelling));
        assert_eq!(refused("3", "00000000 00110000"), Err(PackedError::Length));
        assert_eq!(refused("3", "00000000 00110000 01 001 1 00 00000000"), Err(PackedError::Length));
        assert_eq!(refused("1", &"1".repeat(96)), Err(PackedError::Length));
        // Forms that there are not, and zeros without end.
        assert_eq!(refused("1", "10000001 00110000"), Err(PackedError::Length));
        assert_eq!(refused("2", &format!("11111100 00110000 {}", "0".repeat(400))), Err(PackedError::Length));
        assert_eq!(
            refused("2", &format!("11111100 00110000 {} 1", "0".repeat(400))),
            Err(PackedError::Length)
        );
        assert_eq!(refused("x", ""), Err(PackedError::Opening));
        assert_eq!(unpack("", 5), Err(PackedError::Opening));
        assert_eq!(unpack("1:0", 5), Err(PackedError::Digits));
        assert_eq!(unpack("1:\"0", 5), Err(PackedError::Digits));
        assert_eq!(unpack("6:00000", 5), Err(PackedError::TooMany { found: 6, wanted: 5 }));
        assert!(unpack("99999999999999999999999:00000", 5).is_err());
    }

    proptest! {
        #[test]
        fn every_list_comes_back(counts in proptest::collection::vec(any::<u64>(), 0..300), shift in 0..64u32) {
            let counts: Vec<u64> = counts.iter().map(|count| ((*count as i64) >> shift) as u64).collect();
            prop_assert_eq!(unpack(&pack(&counts), 300), Ok(counts));
        }

        #[test]
        fn lists_in_order_come_back(mut counts in proptest::collection::vec(any::<u32>(), 0..300), shift in 0..32u32) {
            counts.sort_unstable();
            let counts: Vec<u64> = counts.iter().map(|count| u64::from(count >> shift)).collect();
            prop_assert_eq!(unpack(&pack(&counts), 300), Ok(counts));
        }

        #[test]
        fn an_altered_letter_is_refused_or_other_counts(counts in proptest::collection::vec(0..50u64, 1..80), at in any::<usize>(), letter in 0..85usize) {
            let text = pack(&counts);
            let mut other = text.clone().into_bytes();
            let at = at % other.len();
            other[at] = base85::ALPHABET[letter];
            let other = String::from_utf8(other).expect("letters");
            if other != text {
                prop_assert!(unpack(&other, 200) != Ok(counts));
            }
        }
    }
}
