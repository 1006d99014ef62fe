//! Inversions and descents: how far a deck is from sorted.
//!
//! Null: pairs out of order follow the Mahonian numbers, places where a card is higher than the next the Eulerian
//! numbers. Parts of both: χ² of the histogram, the mean (663 and 25.5), the most extreme deck. Inversions are the
//! same on a deck and its inverse.

use crate::battery::kernel;
use crate::battery::nulls::histogram::names;
use crate::battery::nulls::numbers::{Count, Number, Numbers};
use crate::battery::statistic::{About, Design};
use crate::battery::tier::Tier;
use crate::battery::view::View;
use crate::math::permutation;

pub(in crate::battery) static INVERSIONS: Numbers = Numbers {
    about: &About {
        id: "inversions",
        version: 3,
        tier: Tier::Core,
        title: "inversions and descents",
        null: "The inversions and descents of a deck are those of a uniform permutation.",
        source: "inversions: Mahonian numbers, descents: Eulerian numbers over 52! (Stanley, Enumerative \
                 Combinatorics 1, sections 1.3 and 1.4); histogram: Pearson χ² of cells expecting 10, bound by \
                 Agrawal (2020); mean: saddle point (Lugannani & Rice 1980), bound by Chernoff (1952); \
                 extreme: 1−(1−q)^N, exact",
        detects: "Order that survives: few riffles, partial sorts, naive swaps, reversed decks.",
        decks_min: 1,
        design: Design { views: View::OF_STEPS, ..Design::PLAIN },
    },
    numbers: &[
        Number::of(names!("inversions", "inversions"), permutation::inversions)
            .compared_by("pairs of cards that are out of order"),
        Number::of(names!("descents", "descents"), permutation::descents)
            .compared_by("cards that are higher than the next one"),
    ],
    count: Count::Decks {
        blocks: |blocks, counts| {
            let (inversions, descents) = counts.split_at_mut(kernel::inversions::INVERSIONS_CELLS);
            kernel::inversions::inversions(blocks, inversions, descents);
        },
        orders: None,
    },
};
