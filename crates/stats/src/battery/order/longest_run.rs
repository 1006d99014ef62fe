//! Longest runs: the most neighbours that rise, and the most that fall.
//!
//! Null: both lengths follow the exact distribution of a uniform permutation. Parts of both: χ² of the histogram,
//! the mean (3.9), the most extreme deck.

use crate::battery::kernel;
use crate::battery::nulls::histogram::names;
use crate::battery::nulls::numbers::{Count, Number, Numbers};
use crate::battery::statistic::{About, Design};
use crate::battery::tier::Tier;
use crate::battery::view::View;
use crate::math::permutation;

pub(in crate::battery) static LONGEST_RUN: Numbers = Numbers {
    about: &About {
        id: "longest-run",
        version: 2,
        tier: Tier::Deep,
        title: "longest ascending and descending run",
        null: "The longest stretches of rising and of falling cards are those of a uniform permutation.",
        source: "exact, card by card (David & Barton 1962, chapter 10); histogram: Pearson χ² of cells expecting 10, \
                 bound by Agrawal (2020); mean: saddle point (Lugannani & Rice 1980), bound by Chernoff (1952); \
                 extreme: 1−(1−q)^N, exact",
        detects: "Stretches in order: packets, few riffles, sorts that were cut short.",
        decks_min: 1,
        design: Design { views: &View::ALL, ..Design::PLAIN },
    },
    numbers: &[
        Number::of(names!("ascending", "longest ascending run"), permutation::longest_run),
        Number::of(names!("descending", "longest descending run"), permutation::longest_run),
    ],
    count: Count::Lanes(&[kernel::longest_run::longest_ascending, kernel::longest_run::longest_descending]),
};
