//! Runs: how the card numbers rise and fall through the deck.
//!
//! Null: entries above both neighbours follow the distribution of peaks, stretches of one direction that of runs up
//! and down. Parts of both: χ² of the histogram, the mean (16.667 and 34.333), the most extreme deck.

use crate::battery::kernel;
use crate::battery::nulls::histogram::names;
use crate::battery::nulls::numbers::{Count, Number, Numbers};
use crate::battery::statistic::{About, Design};
use crate::battery::tier::Tier;
use crate::battery::view::View;
use crate::math::permutation;

pub(in crate::battery) static RUNS: Numbers = Numbers {
    about: &About {
        id: "runs",
        version: 3,
        tier: Tier::Deep,
        title: "peaks, runs up and down",
        null: "The peaks and the runs up and down of a deck are those of a uniform permutation.",
        source: "peaks: David & Barton (1962, chapter 10); runs up and down: Levene & Wolfowitz (1944); histogram: \
             Pearson χ² of cells expecting 10, bound by Agrawal (2020); mean: saddle point (Lugannani & Rice \
             1980), bound by Chernoff (1952); extreme: 1−(1−q)^N, exact",
        detects: "Rhythm between neighbours: riffles, interleaved packets, partial sorts.",
        decks_min: 1,
        design: Design { views: &View::ALL, ..Design::PLAIN },
    },
    numbers: &[
        Number::of(names!("peaks", "peaks"), permutation::peaks),
        Number::of(names!("runs", "runs up and down"), permutation::runs_up_down),
    ],
    count: Count::Lanes(&[kernel::neighbours::peaks, kernel::neighbours::runs_up_down]),
};
