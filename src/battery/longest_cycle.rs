//! Longest cycle of the deck as a permutation of card numbers.
//!
//! Null: its length follows the law of Golomb. Parts: χ² of the histogram, the mean (32.8), the most extreme deck.
//! Needs one deck for the extreme, 10 for the mean, about 70 for the histogram. It sees wrong cycle types:
//! Sattolo's single cycle, few swaps, decks left in place. The same on a deck and its inverse.

use crate::battery::histogram::Names;
use crate::battery::numbers::{Number, Numbers};
use crate::battery::walk::Order;
use crate::battery::{About, Tier};
use crate::math::permutation;

pub(super) static LONGEST_CYCLE: Numbers = Numbers {
    about: &About {
        id: "longest-cycle",
        version: 1,
        tier: Tier::Deep,
        title: "longest cycle",
        null: "The longest cycle of a deck is as long as that of a uniform permutation.",
        source: "Golomb (1964), by the recursion of Shepp & Lloyd (1966); histogram: \
             Pearson χ² of cells expecting 10, bound by Agrawal (2020); mean: saddle point (Lugannani & Rice \
             1980), bound by Chernoff (1952); extreme: 1−(1−q)^N, exact",
        sees: "Wrong cycle types: Sattolo's single cycle, few swaps, decks left in place.",
        decks_min: 1,
    },
    numbers: &[Number {
        names: Names {
            histogram: "histogram",
            mean: "mean",
            extreme: "extreme",
            axis: "length of the longest cycle",
        },
        law: permutation::longest_cycle,
        measure: longest_cycle,
    }],
};

fn longest_cycle(order: &Order) -> usize {
    let (mut seen, mut longest) = (0u64, 0);
    for start in 0..order.len() {
        let (mut at, mut length) = (start, 0);
        while seen >> at & 1 == 0 {
            seen |= 1 << at;
            at = usize::from(order[at]);
            length += 1;
        }
        longest = longest.max(length);
    }
    longest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rotation_is_one_cycle_and_a_swap_one_of_two() {
        let rotated: Order = std::array::from_fn(|place| ((place + 1) % 52) as u8);
        assert_eq!(longest_cycle(&rotated), 52);
        let mut swapped: Order = std::array::from_fn(|place| place as u8);
        assert_eq!(longest_cycle(&swapped), 1);
        swapped.swap(7, 30);
        assert_eq!(longest_cycle(&swapped), 2);
    }
}
