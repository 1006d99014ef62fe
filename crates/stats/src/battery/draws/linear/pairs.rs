//! Bits of numbers of which two draws were made at a time, that a single draw does not show.

use crate::battery::draws::linear::bits::gather;
use crate::battery::draws::linear::complexity::linear_complexity;
use crate::battery::draws::linear::rank::Rank;
use crate::battery::draws::linear::sequence::Sequence;
use crate::battery::draws::linear::{ROW_DECKS, STRIDES, TERMS_SHORT, Worst, shortest};
use crate::battery::stream::Drawn;
use deckproof_deck::deck::block::BLOCK_HANDS;

/// A bit of the number of two digits, of an even base m and of m − 1.
#[derive(Clone, Copy)]
enum Bit {
    /// Whether `x ≥ m(m − 1)/2` where the digit of the odd base is the higher one. Else it is the top bit of one draw.
    Top(u8),
    /// `x mod 2` where the digit of the even base is the higher one. Else it is the low bit of one draw.
    Low(u8),
}

impl Bit {
    /// Of two digits.
    fn of(self, of_even: u8, of_odd: u8) -> bool {
        match self {
            Bit::Top(even) => {
                let (m, number) = (u32::from(even), u32::from(of_odd) * u32::from(even) + u32::from(of_even));
                2 * number >= m * (m - 1)
            }
            Bit::Low(_) => (of_even ^ of_odd) & 1 == 1,
        }
    }

    /// The bit of each deck, 0 where there is none.
    fn word(self, block: &Drawn) -> u64 {
        let (Bit::Top(even) | Bit::Low(even)) = self;
        let (of_even, of_odd) = (block.of_base(usize::from(even)), block.of_base(usize::from(even) - 1));
        let mut bits = [0; BLOCK_HANDS];
        for (bit, (&e, &o)) in bits.iter_mut().zip(of_even.iter().zip(of_odd)) {
            *bit = u8::from(self.of(e, o));
        }
        gather(bits) & block.present()
    }

    fn sequence(self, stream: &[Drawn]) -> Sequence {
        let mut sequence = Sequence::default();
        stream.iter().for_each(|block| sequence.extend(self.word(block), block.hands()));
        sequence
    }
}

/// Even bases that have an odd one with a choice below them: 52, 50, … 4.
const PAIRS: usize = 25;

fn bases() -> impl Iterator<Item = u8> {
    (0..PAIRS).map(|pair| 52 - 2 * pair as u8)
}

/// Long registers, short ones and matrices of one way.
pub(in crate::battery::draws) const CHANCES: [usize; 3] = [1, 2 * PAIRS * STRIDES.len(), 2 * ROW_DECKS.len()];

/// Decks that short registers and matrices read at most.
pub(in crate::battery::draws) const SHORT_DECKS: u64 = (TERMS_SHORT * STRIDES[STRIDES.len() - 1]) as u64;
pub(in crate::battery::draws) const RANK_DECKS: u64 = Rank::decks_max(PAIRS, ROW_DECKS[ROW_DECKS.len() - 1]);

pub(in crate::battery::draws) fn worst_of(stream: &[Drawn]) -> Worst {
    let mut worst = Worst { long: linear_complexity(&Bit::Top(52).sequence(stream)), ..Worst::default() };
    let bits = bases().map(Bit::Top).chain(bases().map(Bit::Low));
    worst.short = shortest(bits.map(|bit| bit.sequence(stream)));
    for kind in [Bit::Top, Bit::Low] {
        let words = |block: &Drawn| bases().map(|even| kind(even).word(block)).collect();
        for decks in ROW_DECKS {
            worst.rank.deepen(Rank::of(stream, &words, PAIRS, decks));
        }
    }
    worst
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_bit_is_fair_over_its_numbers() {
        for even in bases() {
            for bit in [Bit::Top(even), Bit::Low(even)] {
                let numbers = (0..even).flat_map(|e| (0..even - 1).map(move |o| (e, o)));
                let ones = numbers.filter(|&(e, o)| bit.of(e, o)).count();
                assert_eq!(2 * ones, usize::from(even) * usize::from(even - 1), "base {even}");
            }
        }
    }
}
