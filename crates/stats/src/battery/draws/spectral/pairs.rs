//! Waves through numbers of which two draws were made at a time.

use crate::battery::draws::spectral::circle::Peak;
use crate::battery::draws::spectral::known::{LAGS, SCALED};
use crate::battery::draws::spectral::lattices::{Row16, hands_of, in_one_deck};
use crate::battery::draws::spectral::line::{Line, SIGNS};
use crate::battery::draws::spectral::vectors::{Vector, vector};
use crate::battery::stream::Drawn;
use crate::math::greatest_common_divisor;
use deckproof_deck::deck::block::BLOCK_HANDS;

/// Pairs of bases (52, 51), (50, 49), … (6, 5): as many phases at least as a single draw of base 30 has.
pub(super) const PAIRS: usize = 24;

/// Numbers drawn for a deck: those of the pairs, of (4, 3), and the last one for base 2.
const NUMBERS: usize = 26;

/// Which of the two draws is the higher digit of the number.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(in crate::battery::draws) enum Higher {
    /// That of the even base, as programs have it that count down.
    Even,
    /// That of the odd base, as `std::shuffle` of libstdc++ has it, which counts up.
    Odd,
}

impl Higher {
    pub(in crate::battery::draws) const BOTH: [Higher; 2] = [Higher::Even, Higher::Odd];

    /// The number below `even·(even − 1)` of two digits.
    fn number(self, even: u32, [of_even, of_odd]: [u32; 2]) -> u32 {
        match self {
            Higher::Even => of_even * (even - 1) + of_odd,
            Higher::Odd => of_odd * even + of_even,
        }
    }
}

/// The even base of a pair.
fn base_of(pair: usize) -> u32 {
    52 - 2 * pair as u32
}

/// How many values the number of a pair has.
fn values_of(pair: usize) -> u32 {
    base_of(pair) * (base_of(pair) - 1)
}

/// The phases `(x + 1/2)/m(m − 1)` of a pair in every lane; of no meaning where a lane is empty.
fn phases(block: &Drawn, pair: usize, higher: Higher) -> Row16 {
    let even = base_of(pair);
    let (of_even, of_odd) = (block.of_base(even as usize), block.of_base(even as usize - 1));
    let mut phases = [0; BLOCK_HANDS];
    for (phase, (&of_even, &of_odd)) in phases.iter_mut().zip(of_even.iter().zip(of_odd)) {
        let number = higher.number(even, [u32::from(of_even), u32::from(of_odd)]);
        *phase = (((2 * number + 1) << 15) / values_of(pair)) as u16;
    }
    phases
}

/// The numbers of a stream of draws.
pub(in crate::battery::draws) struct Numbers {
    /// For every pair those of each block.
    columns: Vec<Vec<Row16>>,
    hands: Vec<usize>,
}

impl Numbers {
    pub(in crate::battery::draws) fn of(stream: &[Drawn], higher: Higher) -> Numbers {
        let column = |pair: usize| stream.iter().map(|block| phases(block, pair, higher)).collect();
        Numbers { columns: (0..PAIRS).map(column).collect(), hands: hands_of(stream) }
    }

    /// Deck after deck as unit vectors, from the pair of base 52 on or up to it.
    fn line(&self, blocks: usize, is_upward: bool) -> Line {
        let place = |number: usize| if is_upward { NUMBERS - 1 - number } else { number };
        let mut draws: Vec<Option<Vector>> = Vec::new();
        for (block, &hands) in self.hands.iter().enumerate().take(blocks) {
            for lane in 0..hands {
                let of_pair = |pair: usize| self.columns.get(pair).map(|column| vector(column[block][lane]));
                draws.extend((0..NUMBERS).map(|number| of_pair(place(number))));
            }
        }
        Line::of_draws(&draws)
    }
}

/// Fewest distinct phases that a coefficient leaves a fresh number.
fn roots(coefficient: usize) -> u64 {
    let of_pair = |pair: usize| {
        let values = values_of(pair) as usize;
        values / greatest_common_divisor(values, coefficient)
    };
    (0..PAIRS).map(of_pair).min().expect("there are pairs") as u64
}

pub(in crate::battery::draws) const SCALED_WAVES: usize = 2 * SCALED.len();

/// Blocks that are read for the waves of published multipliers, for short lags and for long ones.
pub(in crate::battery::draws) const SCALED_BLOCKS: usize = 4;
pub(in crate::battery::draws) const LAG_BLOCKS: usize = 1;
pub(in crate::battery::draws) const FAR_BLOCKS: usize = 16;

/// The waves of published multipliers in one deck, from either end.
pub(in crate::battery::draws) fn scaled(numbers: &Numbers, report: &mut dyn FnMut(Peak)) {
    let hands = &numbers.hands[..numbers.hands.len().min(SCALED_BLOCKS)];
    // More roots than a byte of base 52 has change nothing that a double shows.
    let of_last = |parts: &[i32]| roots(parts[parts.len() - 1].unsigned_abs() as usize).min(52);
    in_one_deck(hands, &numbers.columns, &SCALED, |parts| PAIRS + 1 - parts.len(), of_last, report);
}

/// Longest lag in numbers: two decks.
const LAG_MAX: usize = 2 * NUMBERS;

pub(in crate::battery::draws) const LAG_WAVES: usize = SIGNS * (LAG_MAX * (LAG_MAX - 1) / 2);

/// A number plus or minus two earlier ones.
pub(in crate::battery::draws) fn lags(numbers: &Numbers, report: &mut dyn FnMut(Peak)) {
    numbers.line(LAG_BLOCKS, false).report_highest(LAG_MAX, report);
}

pub(in crate::battery::draws) const FAR_WAVES: usize = 2 * SIGNS * LAGS.len();

/// A number plus or minus two earlier ones at the lags of published generators, counted down and up.
pub(in crate::battery::draws) fn far(numbers: &Numbers, report: &mut dyn FnMut(Peak)) {
    for (order, is_upward) in [false, true].into_iter().enumerate() {
        numbers.line(FAR_BLOCKS, is_upward).report(LAGS, SIGNS * LAGS.len() * order, report);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_digits_are_every_number_once() {
        for higher in Higher::BOTH {
            for pair in 0..PAIRS {
                let even = base_of(pair);
                let mut numbers: Vec<u32> =
                    (0..even).flat_map(|e| (0..even - 1).map(move |o| higher.number(even, [e, o]))).collect();
                numbers.sort_unstable();
                assert!(numbers.into_iter().eq(0..values_of(pair)));
            }
        }
        assert_eq!((values_of(0), values_of(PAIRS - 1)), (2_652, 30));
        for known in SCALED {
            let ends = [known[0], known[known.len() - 1]];
            assert!(ends.iter().all(|end| roots(end.unsigned_abs() as usize) >= 5), "no wave stands still");
        }
    }
}
