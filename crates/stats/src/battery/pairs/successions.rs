//! Successions: neighbours in the deck that are neighbours in number.
//!
//! Null: places where the next card is one higher follow the distribution of successions, and so do those where it
//! is one lower. Parts of both: χ² of the histogram, the mean (51/52 each), the most extreme deck.

use crate::battery::kernel;
use crate::battery::nulls::histogram::names;
use crate::battery::nulls::numbers::{Count, Number, Numbers};
use crate::battery::statistic::{About, Design};
use crate::battery::tier::Tier;
use crate::battery::view::View;
use crate::math::permutation;

pub(in crate::battery) static SUCCESSIONS: Numbers = Numbers {
    about: &About {
        id: "successions",
        version: 3,
        tier: Tier::Deep,
        title: "successions",
        null: "Cards one higher or one lower follow as often as in a uniform permutation.",
        source: "C(51,k)(D_{52−k}+D_{51−k})/52! (Riordan 1958, section 8.5); histogram: \
             Pearson χ² of cells expecting 10, bound by Agrawal (2020); mean: saddle point (Lugannani & Rice \
             1980), bound by Chernoff (1952); extreme: 1−(1−q)^N, exact",
        detects: "Clumps that survive: riffles, overhand shuffles, cuts, piles, sorts.",
        decks_min: 1,
        design: Design { views: View::OF_STEPS, ..Design::PLAIN },
    },
    numbers: &[
        Number::of(names!("up", "cards followed by the next"), permutation::successions)
            .compared_by("cards that the next one follows"),
        Number::of(names!("down", "cards followed by the one before"), permutation::successions)
            .compared_by("cards that the one before follows"),
    ],
    count: Count::Lanes(&[kernel::neighbours::rises_by_one, kernel::neighbours::falls_by_one]),
};
