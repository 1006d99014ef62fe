//! Exceedances: places that hold a card of a higher number.
//!
//! Null: they follow the Eulerian numbers, as descents do. Parts: χ² of the histogram, the mean (25.5), the most
//! extreme deck.

use crate::battery::kernel;
use crate::battery::nulls::histogram::names;
use crate::battery::nulls::numbers::{Count, Number, Numbers};
use crate::battery::statistic::{About, Design};
use crate::battery::tier::Tier;
use crate::battery::view::View;
use crate::math::permutation;

pub(in crate::battery) static EXCEEDANCES: Numbers = Numbers {
    about: &About {
        id: "exceedances",
        version: 3,
        tier: Tier::Deep,
        title: "places with a card of a higher number",
        null: "Places that hold a card of a higher number are as many as in a uniform permutation.",
        source: "Eulerian numbers over 52! (Foata; Stanley, Enumerative Combinatorics 1, section 1.4); histogram: \
             Pearson χ² of cells expecting 10, bound by Agrawal (2020); mean: saddle point (Lugannani & Rice \
             1980), bound by Chernoff (1952); extreme: 1−(1−q)^N, exact",
        detects: "Swapping dealers that move cards more one way than the other, such as the naive swap.",
        decks_min: 1,
        design: Design { views: View::OF_STEPS, ..Design::PLAIN },
    },
    numbers: &[Number::of(names!("exceedances"), permutation::descents)],
    count: Count::Lanes(&[kernel::exceedances::exceedances]),
};
