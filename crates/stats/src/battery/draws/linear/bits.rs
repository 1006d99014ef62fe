//! Bits of digits that are fair coins under the null.

use bytemuck::cast;

use crate::battery::draws::linear::sequence::Sequence;
use crate::battery::stream::Drawn;
use deckproof_deck::deck::block::{BLOCK_HANDS, Row};

/// Of a digit of base m: whether d ≥ m/2 (m even), or bit v of d where 2^(v+1) divides m.
#[derive(Clone, Copy)]
pub(super) struct Bit {
    base: u8,
    /// `None`: the top bit.
    low: Option<u8>,
}

impl Bit {
    pub(super) const fn top(base: u8) -> Bit {
        Bit { base, low: None }
    }

    pub(super) const fn low(base: u8, bit: u8) -> Bit {
        Bit { base, low: Some(bit) }
    }

    /// The bit of each deck, 0 where there is none.
    pub(super) fn word(self, block: &Drawn) -> u64 {
        let (row, half) = (block.of_base(usize::from(self.base)), self.base / 2);
        let bits = match self.low {
            None => row.map(|digit| u8::from(digit >= half)),
            Some(bit) => row.map(|digit| digit >> bit & 1),
        };
        gather(bits) & block.present()
    }

    /// The bits of the decks there are.
    pub(super) fn sequence(self, stream: &[Drawn]) -> Sequence {
        let mut sequence = Sequence::default();
        stream.iter().for_each(|block| sequence.extend(self.word(block), block.hands()));
        sequence
    }

    /// Whether both belong to one digit, where a top bit is not independent of low ones.
    pub(super) fn shares_digit(self, other: Bit) -> bool {
        self.base == other.base
    }
}

/// The lowest bits of the lanes side by side. The product puts those of eight bytes into its highest byte,
/// each at a place of its own (Warren 2012, "Hacker's Delight", section 7-3).
pub(super) fn gather(bits: Row) -> u64 {
    let words: [u64; BLOCK_HANDS / 8] = cast(bits);
    let byte = |word: u64| u64::from_le(word).wrapping_mul(0x0102_0408_1020_4080) >> 56;
    words.iter().rev().fold(0, |gathered, &word| gathered << 8 | byte(word))
}

const fn of_even_bases(is_top: bool) -> [Bit; 26] {
    let mut bits = [Bit::top(2); 26];
    let mut i = 0;
    while i < 26 {
        let base = 52 - 2 * i as u8;
        bits[i] = if is_top { Bit::top(base) } else { Bit::low(base, 0) };
        i += 1;
    }
    bits
}

/// The top bits of the even bases.
pub(super) static HIGH: [Bit; 26] = of_even_bases(true);

/// The lowest bits of the even bases.
pub(super) static LOW: [Bit; 26] = of_even_bases(false);

/// All of a deck: 49 low bits, for 2^49 divides 52!, and the top bits that are not among them.
pub(super) fn all() -> Vec<Bit> {
    let low = |base: u8| (0..base.trailing_zeros() as u8).map(move |bit| Bit::low(base, bit));
    let top = |base: &u8| base.is_multiple_of(2) && !base.is_power_of_two();
    (2..=52).flat_map(low).chain((2..=52).filter(top).map(Bit::top)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    use crate::battery::stream::{WAYS, undone};
    use crate::battery::undone as plain;
    use crate::battery::walk::sample::{blocks, dealt};

    fn of(bit: Bit, digit: u8) -> bool {
        match bit.low {
            None => 2 * digit >= bit.base,
            Some(low) => digit >> low & 1 == 1,
        }
    }

    #[test]
    fn every_bit_is_fair_over_its_base() {
        assert_eq!(all().len(), 70);
        for bit in all().into_iter().chain(HIGH).chain(LOW) {
            assert_eq!(2 * (0..bit.base).filter(|&digit| of(bit, digit)).count(), usize::from(bit.base));
        }
    }

    #[test]
    fn words_hold_the_bits_of_the_decks_undone_one_by_one() {
        let decks = dealt("certified", 0..83);
        let ways = [
            plain::down,
            plain::down_inverse,
            plain::up,
            plain::up_inverse,
            plain::lehmer,
            plain::lehmer_inverse,
            plain::down_from_the_end,
            plain::up_from_the_end,
        ];
        for (way, plain) in WAYS.iter().zip(ways) {
            let stream = undone(&blocks(&decks), way);
            for bit in all().into_iter().chain(HIGH).chain(LOW) {
                let sequence = bit.sequence(&stream);
                let expected: Vec<bool> =
                    decks.iter().map(|deck| of(bit, plain(deck.indices())[usize::from(bit.base)])).collect();
                assert_eq!((0..sequence.len()).map(|i| sequence.bit(i)).collect::<Vec<_>>(), expected);
            }
        }
    }
}
