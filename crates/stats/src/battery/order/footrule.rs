//! Footrule: how far the cards lie from their own places.
//!
//! Null: `Σ|c[i] − i|` follows the exact distribution of a uniform permutation. It is even and counted by halves,
//! the places moved up. Parts: χ² of the histogram, the mean (901 whole, 450.5 by halves), the most extreme deck.
//! The same on a deck and its inverse.

use crate::battery::kernel;
use crate::battery::nulls::histogram::names;
use crate::battery::nulls::numbers::{Count, Number, Numbers};
use crate::battery::statistic::{About, Design};
use crate::battery::tier::Tier;
use crate::battery::view::View;
use crate::math::permutation;

pub(in crate::battery) static FOOTRULE: Numbers = Numbers {
    about: &About {
        id: "footrule",
        version: 2,
        tier: Tier::Deep,
        title: "footrule",
        null: "The cards lie as far from their own places as those of a uniform permutation.",
        source: "Σ|c[i] − i| by halves (Spearman 1906; Diaconis & Graham 1977), distribution by counting unmatched places; \
                 histogram: Pearson χ² of cells expecting 10, bound by Agrawal (2020); mean: saddle point (Lugannani & \
                 Rice 1980), bound by Chernoff (1952); extreme: 1−(1−q)^N, exact",
        detects: "Cards that stay near their places or are sent far: few riffles, weak sorts, naive swaps, reversed decks.",
        decks_min: 1,
        design: Design { views: View::OF_STEPS, ..Design::PLAIN },
    },
    numbers: &[Number::of(names!("half the footrule"), permutation::half_footrule)
        .compared_by("half of how far the cards lie from their own places")],
    count: Count::Decks { blocks: kernel::footrule::half_footrule, orders: None },
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::battery::statistic::Statistic;
    use crate::battery::walk::sample::{counts, reversed};

    #[test]
    fn a_deck_turned_over_has_the_largest_footrule() {
        let counts = counts(&FOOTRULE, &[reversed()]);
        // n²/2 (Diaconis & Graham 1977), reached by (26!)² of 52! decks: 1/C(52, 26).
        assert_eq!(counts[676], 1);
        let share = permutation::half_footrule().upper(676);
        assert!((share * 495_918_532_948_104.0 - 1.0).abs() < 1e-12, "{share:e}");
        let p_value = FOOTRULE.finish(&counts, 1)[0].p_value;
        assert!(p_value < 8.0 * share, "{p_value:e}");
    }
}
