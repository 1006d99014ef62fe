//! Monotone subsequences: the longest choice of cards, in deck order, that rises or falls.
//!
//! Null: both lengths follow the distribution of the first row of a Plancherel shape. Parts of both: χ² of the
//! histogram, the mean (11.57), the most extreme deck. The same on a deck and its inverse.

use crate::battery::kernel;
use crate::battery::nulls::histogram::names;
use crate::battery::nulls::numbers::{Count, Number, Numbers};
use crate::battery::statistic::{About, Design};
use crate::battery::tier::Tier;
use crate::battery::view::View;
use crate::math::permutation;

pub(in crate::battery) static MONOTONE: Numbers = Numbers {
    about: &About {
        id: "monotone",
        version: 3,
        tier: Tier::Deep,
        title: "longest increasing and decreasing subsequence",
        null: "The longest increasing and decreasing subsequences are as long as in a uniform permutation.",
        source: "Σ (f^λ)²/52! over shapes of first row k (Schensted 1961; hooks: Frame, Robinson & Thrall 1954); histogram: \
             Pearson χ² of cells expecting 10, bound by Agrawal (2020); mean: saddle point (Lugannani & Rice \
             1980), bound by Chernoff (1952); extreme: 1−(1−q)^N, exact",
        detects: "Order that survives at a distance: riffles, packets, weak sorts, reversed decks.",
        decks_min: 1,
        design: Design { views: View::OF_STEPS, ..Design::PLAIN },
    },
    numbers: &[
        Number::of(names!("increasing", "longest increasing subsequence"), permutation::longest_increasing),
        Number::of(names!("decreasing", "longest decreasing subsequence"), permutation::longest_increasing),
    ],
    count: Count::Lanes(&[kernel::monotone::longest_increasing, kernel::monotone::longest_decreasing]),
};
