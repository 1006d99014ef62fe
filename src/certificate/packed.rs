//! Counts as text: an exact layout with one spelling for every list, written out so that anybody can read it.
//!
//! A list of n counts is cut into blocks of 64, the last one perhaps short. A block is
//!
//! 1. its smallest count less that of the block before (0 before the first), as a signed number `d`: `2d` for d ≥ 0 and
//!    `−2d − 1` below, in bytes of 7 bits, the lowest first, each but the last with bit 7 set (LEB128, zigzag);
//! 2. one byte w, the bits that the largest count less the smallest takes, 0 to 64;
//! 3. every count less the smallest, in w bits each, the lowest bit first, filled up with zero bits to whole bytes.
//!
//! The bytes stand in the certificate as base64 (RFC 4648, section 4, with padding) after n and a colon: `3:AAMR` …
//! Counts are 64-bit two's complement, for some are sums of signed numbers, and differences are taken modulo 2^64.

use base64ct::{Base64, Encoding};

/// Counts that share a smallest count and a width.
const BLOCK: usize = 64;

/// Why a text is no list of counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(crate) enum PackedError {
    /// No number and colon before the base64.
    #[error("counts without their number and a colon")]
    Opening,
    /// More counts than the reader has room for.
    #[error("{found} counts, wanted at most {wanted}")]
    TooMany { found: usize, wanted: usize },
    /// Not base64 of the one accepted spelling.
    #[error("counts that are not base64 with padding")]
    Base64,
    /// Blocks that end early, or more bytes than the counts take.
    #[error("counts whose bytes are not those of their number")]
    Length,
    /// Another spelling than the shortest one.
    #[error("counts in another spelling than the one of their layout")]
    Spelling,
}

/// The text of a list of counts.
pub(crate) fn pack(counts: &[u64]) -> String {
    let mut bytes = Vec::with_capacity(counts.len());
    let mut before = 0u64;
    for block in counts.chunks(BLOCK) {
        let smallest = block.iter().map(|&count| count as i64).min().expect("no chunk is empty") as u64;
        let width = block.iter().map(|count| bits(count.wrapping_sub(smallest))).max().unwrap_or(0);
        let step = smallest.wrapping_sub(before) as i64;
        push_number(&mut bytes, ((step << 1) ^ (step >> 63)) as u64);
        bytes.push(width as u8);
        push_bits(&mut bytes, block.iter().map(|count| count.wrapping_sub(smallest)), width);
        before = smallest;
    }
    format!("{}:{}", counts.len(), Base64::encode_string(&bytes))
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
    let bytes = Base64::decode_vec(packed).map_err(|_| PackedError::Base64)?;
    let mut counts = Vec::with_capacity(number);
    let (mut rest, mut before) = (bytes.as_slice(), 0u64);
    while counts.len() < number {
        let step = take_number(&mut rest).ok_or(PackedError::Length)?;
        before = before.wrapping_add((step >> 1) ^ (step & 1).wrapping_neg());
        let width = usize::from(*rest.split_off_first().ok_or(PackedError::Length)?);
        let own = BLOCK.min(number - counts.len());
        let packed = rest.split_off(..(own * width).div_ceil(8)).ok_or(PackedError::Length)?;
        counts.extend((0..own).map(|place| before.wrapping_add(bits_at(packed, place * width, width))));
    }
    if !rest.is_empty() {
        return Err(PackedError::Length);
    }
    // Whatever else could be written for the same counts: one list has one text, so one hash.
    if pack(&counts) == text { Ok(counts) } else { Err(PackedError::Spelling) }
}

/// How many bits a number takes.
fn bits(number: u64) -> usize {
    (u64::BITS - number.leading_zeros()) as usize
}

fn push_number(bytes: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

/// A number of at most 64 bits; what is written longer than it need be is found by writing it again.
fn take_number(rest: &mut &[u8]) -> Option<u64> {
    let mut number = 0u64;
    for place in 0..10 {
        let byte = *rest.split_off_first()?;
        number |= u64::from(byte & 0x7f) << (7 * place);
        if byte & 0x80 == 0 {
            return Some(number);
        }
    }
    None
}

fn push_bits(bytes: &mut Vec<u8>, numbers: impl Iterator<Item = u64>, width: usize) {
    let (mut open, mut held) = (0u128, 0);
    for number in numbers {
        open |= u128::from(number) << held;
        held += width;
        while held >= 8 {
            bytes.push(open as u8);
            open >>= 8;
            held -= 8;
        }
    }
    if held > 0 {
        bytes.push(open as u8);
    }
}

/// The `width` bits from bit `first` on; a width above 64 names bits that no count has.
fn bits_at(bytes: &[u8], first: usize, width: usize) -> u64 {
    let bit = |at: usize| u64::from(bytes[at / 8] >> (at % 8) & 1);
    (0..width.min(64)).map(|place| bit(first + place) << place).fold(0, |number, bit| number | bit)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::{any, prop_assert, prop_assert_eq, proptest};

    #[test]
    fn rows_written_by_hand_from_the_layout() {
        // Smallest 5 is 10 in zigzag; 7 − 5 takes 2 bits: 00, 10, 01 from the lowest up: 0b01_10_00.
        let bytes = [10, 2, 0b01_1000];
        assert_eq!(pack(&[5, 7, 6]), format!("3:{}", Base64::encode_string(&bytes)));
        assert_eq!(pack(&[]), "0:");
        // 64 zeros and −1: a step of −1 is 1.
        let mut counts = vec![0; 64];
        counts.push(u64::MAX);
        assert_eq!(pack(&counts), format!("65:{}", Base64::encode_string(&[0, 0, 1, 0])));
        assert_eq!(pack(&[300]), format!("1:{}", Base64::encode_string(&[0xd8, 0x04, 0])));
    }

    #[test]
    fn other_spellings_of_the_same_counts_are_refused() {
        let refused =
            |number: &str, bytes: &[u8]| unpack(&format!("{number}:{}", Base64::encode_string(bytes)), 1_000);
        assert_eq!(refused("3", &[10, 2, 0b01_1000]), Ok(vec![5, 7, 6]));
        // Wider than need be, a base below the smallest, a long number, a bit in the filling, a number with a sign.
        assert_eq!(refused("3", &[10, 3, 0b0101_0000, 0]), Err(PackedError::Spelling));
        assert_eq!(refused("3", &[8, 2, 0b10_1101]), Err(PackedError::Spelling));
        assert_eq!(refused("3", &[0x8a, 0, 2, 0b01_1000]), Err(PackedError::Spelling));
        assert_eq!(refused("3", &[10, 2, 0b101_1000]), Err(PackedError::Spelling));
        assert_eq!(refused("+3", &[10, 2, 0b01_1000]), Err(PackedError::Spelling));
        assert_eq!(refused("03", &[10, 2, 0b01_1000]), Err(PackedError::Spelling));
        assert_eq!(refused("3", &[10, 2]), Err(PackedError::Length));
        assert_eq!(refused("3", &[10, 2, 0b01_1000, 0]), Err(PackedError::Length));
        assert_eq!(refused("1", &[0xff; 12]), Err(PackedError::Length));
        assert!(
            refused("1", &[0, 200, 0]).is_err()
                && refused("2", &[&[0, 200][..], &[255; 50]].concat()).is_err()
        );
        assert_eq!(refused("x", &[]), Err(PackedError::Opening));
        assert_eq!(unpack("", 5), Err(PackedError::Opening));
        assert_eq!(unpack("1:A", 5), Err(PackedError::Base64));
        assert_eq!(unpack("1:AAA", 5), Err(PackedError::Base64));
        assert_eq!(unpack("6:AAAA", 5), Err(PackedError::TooMany { found: 6, wanted: 5 }));
        assert!(unpack("99999999999999999999999:AAAA", 5).is_err());
    }

    proptest! {
        #[test]
        fn every_list_comes_back(counts in proptest::collection::vec(any::<u64>(), 0..200), shift in 0..64u32) {
            let counts: Vec<u64> = counts.iter().map(|count| ((*count as i64) >> shift) as u64).collect();
            prop_assert_eq!(unpack(&pack(&counts), 200), Ok(counts));
        }

        #[test]
        fn an_altered_letter_is_refused_or_other_counts(counts in proptest::collection::vec(0..50u64, 1..80), at in any::<usize>(), letter in 0..64usize) {
            const LETTERS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
            let text = pack(&counts);
            let mut other = text.clone().into_bytes();
            let at = at % other.len();
            other[at] = LETTERS[letter];
            let other = String::from_utf8(other).expect("letters");
            if other != text {
                prop_assert!(unpack(&other, 200) != Ok(counts));
            }
        }
    }
}
