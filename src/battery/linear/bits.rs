//! Bits of digits that are fair coins under the null.

use crate::battery::undone::Digits;

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

    #[inline]
    pub(super) fn of(self, digits: &Digits) -> bool {
        let digit = digits[usize::from(self.base)];
        match self.low {
            None => 2 * digit >= self.base,
            Some(bit) => digit >> bit & 1 == 1,
        }
    }

    /// Whether both belong to one digit, where a top bit is not independent of low ones.
    pub(super) fn shares_digit(self, other: Bit) -> bool {
        self.base == other.base
    }
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

    #[test]
    fn every_bit_is_fair_over_its_base() {
        assert_eq!(all().len(), 70);
        for bit in all().into_iter().chain(HIGH).chain(LOW) {
            let ones = (0..bit.base).filter(|&digit| {
                let mut digits = [0; 53];
                digits[usize::from(bit.base)] = digit;
                bit.of(&digits)
            });
            assert_eq!(2 * ones.count(), usize::from(bit.base));
        }
    }
}
