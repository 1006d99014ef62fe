//! Rising sequences: how many riffles a deck looks like.
//!
//! Null: rising sequences less one, the descents of the inverse, follow the Eulerian numbers. Parts: χ² of the
//! histogram, the mean (26.5), the most extreme deck.

use crate::battery::kernel;
use crate::battery::nulls::histogram::names;
use crate::battery::nulls::numbers::{Count, Number, Numbers};
use crate::battery::statistic::{About, Design};
use crate::battery::tier::Tier;
use crate::battery::view::View;
use crate::math::permutation;

pub(in crate::battery) static RISING_SEQUENCES: Numbers = Numbers {
    about: &About {
        id: "rising-sequences",
        version: 3,
        tier: Tier::Core,
        title: "rising sequences",
        null: "The rising sequences of a deck are those of a uniform permutation.",
        source: "descents of the inverse plus one, Eulerian numbers over 52! (Bayer & Diaconis 1992); histogram: \
                 Pearson χ² of cells expecting 10, bound by Agrawal (2020); mean: saddle point (Lugannani & \
                 Rice 1980), bound by Chernoff (1952); extreme: 1−(1−q)^N, exact",
        detects: "Too few riffles, cuts and other shuffles that keep cards in sequence.",
        decks_min: 1,
        design: Design { views: View::OF_STEPS, ..Design::PLAIN },
    },
    numbers: &[
        Number::of(names!("rising sequences"), permutation::rising_sequences).compared_by("rising sequences")
    ],
    count: Count::Decks {
        blocks: kernel::inverse_descents::inverse_descents,
        orders: Some(|decks, counts| kernel::by_order::descents(decks.inverses, counts)),
    },
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::battery::statistic::Statistic;
    use crate::battery::walk::sample::{counts, deck};

    #[test]
    fn a_perfect_riffle_has_two_rising_sequences() {
        let riffle: Vec<u8> = (0..52).map(|place| place / 2 + 26 * (place % 2)).collect();
        let counts = counts(&RISING_SEQUENCES, &[deck(&riffle)]);
        assert_eq!(counts[1], 1);
        assert_eq!(RISING_SEQUENCES.finish(&counts, 1)[0].score, 2.0);
    }
}
