//! Cycles and fixed points of the deck as a permutation of card numbers.
//!
//! Null: cycles follow the Stirling numbers of the first kind and fixed points de Montmort's distribution. Parts of
//! both: χ² of the histogram, the mean (4.538 and 1), the most extreme deck. The same on a deck and its inverse, so
//! it is counted once.

use crate::battery::kernel;
use crate::battery::nulls::histogram::names;
use crate::battery::nulls::numbers::{Count, Number, Numbers};
use crate::battery::statistic::{About, Design};
use crate::battery::tier::Tier;
use crate::math::permutation;

pub(in crate::battery) static CYCLES: Numbers = Numbers {
    about: &About {
        id: "cycles",
        version: 3,
        tier: Tier::Core,
        title: "cycles and fixed points",
        null: "The cycles and fixed points of a deck are those of a uniform permutation.",
        source: "cycles: Stirling numbers of the first kind over 52! (Feller 1968, X.6); fixed points: \
                 de Montmort (1713); histogram: Pearson χ² of cells expecting 10, bound by Agrawal (2020); mean: \
                 saddle point (Lugannani & Rice 1980), bound by Chernoff (1952); extreme: 1−(1−q)^N, exact",
        detects: "Wrong cycle types, such as Sattolo's single cycle, and cards left in their places.",
        decks_min: 1,
        design: Design::PLAIN,
    },
    numbers: &[
        Number::of(names!("cycles", "cycles"), permutation::cycles).compared_by("cycles of the deck"),
        Number::of(names!("fixed-points", "fixed points"), permutation::fixed_points)
            .compared_by("cards that lie at their own places"),
    ],
    count: Count::Decks {
        blocks: |blocks, counts| {
            let (cycles, fixed_points) = counts.split_at_mut(kernel::cycles::CELLS);
            kernel::cycles::cycles(blocks, cycles, fixed_points);
        },
        orders: Some(|decks, counts| {
            let (cycles, fixed_points) = counts.split_at_mut(kernel::cycles::CELLS);
            kernel::by_order::cycles(decks.orders, cycles, fixed_points);
        }),
    },
};
