//! Longest cycle of the deck as a permutation of card numbers.
//!
//! Null: its length follows the distribution of Golomb. Parts: χ² of the histogram, the mean (32.8), the most
//! extreme deck. The same on a deck and its inverse.

use crate::battery::kernel;
use crate::battery::nulls::histogram::names;
use crate::battery::nulls::numbers::{Count, Number, Numbers};
use crate::battery::statistic::{About, Design};
use crate::battery::tier::Tier;
use crate::math::permutation;

pub(in crate::battery) static LONGEST_CYCLE: Numbers = Numbers {
    about: &About {
        id: "longest-cycle",
        version: 3,
        tier: Tier::Deep,
        title: "longest cycle",
        null: "The longest cycle of a deck is as long as that of a uniform permutation.",
        source: "Golomb (1964), by the recursion of Shepp & Lloyd (1966); histogram: \
             Pearson χ² of cells expecting 10, bound by Agrawal (2020); mean: saddle point (Lugannani & Rice \
             1980), bound by Chernoff (1952); extreme: 1−(1−q)^N, exact",
        detects: "Wrong cycle types: Sattolo's single cycle, few swaps, decks left in place.",
        decks_min: 1,
        design: Design::PLAIN,
    },
    numbers: &[Number::of(names!("length of the longest cycle"), permutation::longest_cycle)],
    count: Count::Lanes(&[kernel::longest_cycle::longest_cycle]),
};
