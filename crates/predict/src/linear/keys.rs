//! What sorting by keys tells of outputs: the r-th of 52 uniform numbers is known in the mean, and its leading bits the surer the nearer
//! it lies to an end.

use crate::deck::{DECK_CARDS, Deck};
use crate::linear::equations::Parity;
use crate::way::inverse;

/// Bits looked at.
pub(super) const LEVELS: u32 = 5;

/// More doubtful ones are not used.
pub(super) const DOUBT_MAX: f64 = 0.3;

/// For every card of a sorted deck, the bits of its key with how likely each is wrong: `P(U₍ᵣ₎ ≤ x) = P(Bin(52, x) ≥ r)`.
pub(super) fn doubtful(deck: &Deck) -> Vec<Vec<(Parity, f64)>> {
    let places = inverse(deck);
    (0..DECK_CARDS).map(|card| of_rank(usize::from(places[card]) + 1)).collect()
}

fn of_rank(rank: usize) -> Vec<(Parity, f64)> {
    let of_level = |level: u32| {
        let cells = 1u32 << level;
        let cell = |cell: u32| {
            below(rank, f64::from(cell + 1) / f64::from(cells))
                - below(rank, f64::from(cell) / f64::from(cells))
        };
        let is_one: f64 = (0..cells).filter(|cell| cell & 1 == 1).map(cell).sum();
        let parity = Parity { mask: 1 << (u64::BITS - level), is_odd: is_one > 0.5 };
        (parity, is_one.min(1.0 - is_one).max(f64::MIN_POSITIVE))
    };
    (1..=LEVELS).map(of_level).filter(|(_, doubt)| *doubt < DOUBT_MAX).collect()
}

/// `P(Bin(52, x) ≥ r)`.
fn below(rank: usize, x: f64) -> f64 {
    let mut term = (1.0 - x).powi(DECK_CARDS as i32);
    if term == 0.0 {
        return 1.0;
    }
    let mut sum = 0.0;
    for count in 0..rank {
        sum += term;
        term *= (DECK_CARDS - count) as f64 / (count + 1) as f64 * x / (1.0 - x);
    }
    (1.0 - sum).clamp(0.0, 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// By hand: the least of 52 numbers is above a half with chance 2^-52, above a quarter with (3/4)^52 = 3.2e-7; the greatest
    /// likewise; of the middle ones no bit is known.
    #[test]
    fn the_ends_are_nearly_certain_and_the_middle_is_not() {
        let sorted: Deck = std::array::from_fn(|card| card as u8);
        let all = doubtful(&sorted);
        let (least, greatest) = (&all[0], &all[51]);
        assert!(least[0].0 == Parity { mask: 1 << 63, is_odd: false } && least[0].1 < 1e-15);
        assert!((least[1].1 - 3.2e-7).abs() < 1e-8, "{}", least[1].1);
        assert!(greatest[0].0.is_odd && (greatest[1].1 - 3.2e-7).abs() < 1e-8);
        assert!(all[25].is_empty() && all[26].is_empty());
    }

    /// Of many fair sorts as many bits are wrong as are doubtful.
    #[test]
    fn bits_are_wrong_as_often_as_they_are_doubtful() {
        let mut state = 1u64;
        let mut next = || {
            state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let mixed = (state ^ state >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
            mixed ^ mixed >> 31
        };
        let (mut expected, mut wrong) = (0.0, 0.0);
        for _ in 0..1_000 {
            let keys: [u64; DECK_CARDS] = std::array::from_fn(|_| next());
            for (own, key) in doubtful(&crate::sorts::by_keys(&keys)).iter().zip(keys) {
                for (parity, doubt) in own {
                    expected += doubt;
                    wrong += f64::from((key & parity.mask != 0) != parity.is_odd);
                }
            }
        }
        // Bits of one deck hang together: five per cent are five deviations and more.
        assert!((wrong / expected - 1.0_f64).abs() < 0.05, "{wrong} wrong, not {expected:.0}");
    }
}
