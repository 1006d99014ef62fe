//! Records: cards higher than every card above them.
//!
//! Null: they follow the unsigned Stirling numbers of the first kind, as cycles do, though they are another
//! statistic of the same deck. Parts: χ² of the histogram, the mean (4.538), the most extreme deck.

use crate::battery::kernel;
use crate::battery::nulls::histogram::names;
use crate::battery::nulls::numbers::{Count, Number, Numbers};
use crate::battery::statistic::{About, Design};
use crate::battery::tier::Tier;
use crate::battery::view::View;
use crate::math::permutation;

pub(in crate::battery) static RECORDS: Numbers = Numbers {
    about: &About {
        id: "records",
        version: 1,
        tier: Tier::Deep,
        title: "records",
        null: "Cards higher than every card above them are as many as in a uniform permutation.",
        source: "unsigned Stirling numbers of the first kind over 52! (Rényi 1962; Knuth, TAOCP 1, 1.2.10); histogram: \
             Pearson χ² of cells expecting 10, bound by Agrawal (2020); mean: saddle point (Lugannani & Rice \
             1980), bound by Chernoff (1952); extreme: 1−(1−q)^N, exact",
        detects: "Decks that keep an order from the top, dealers who send high cards up or down.",
        decks_min: 1,
        design: Design { views: View::OF_STEPS, ..Design::PLAIN },
    },
    numbers: &[Number::of(names!("records"), permutation::cycles)],
    count: Count::Lanes(&[kernel::records::records]),
};
