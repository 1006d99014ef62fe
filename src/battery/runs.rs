//! Runs: how the card numbers rise and fall through the deck.
//!
//! Null: entries above both neighbours follow the law of peaks, stretches of one direction that of runs
//! up and down. Parts of both: χ² of the histogram, the mean (16.667 and 34.333), the most extreme deck. Needs
//! one deck for the extremes, 10 for means, about 90 for histograms. It sees rhythm between neighbours:
//! riffles, interleaved packets, partial sorts.

use crate::battery::histogram::Names;
use crate::battery::numbers::{Number, Numbers};
use crate::battery::walk::Order;
use crate::battery::{About, Tier};
use crate::math::permutation;

pub(super) static RUNS: Numbers = Numbers {
    about: &About {
        id: "runs",
        version: 1,
        tier: Tier::Deep,
        title: "peaks, runs up and down",
        null: "The peaks and the runs up and down of a deck are those of a uniform permutation.",
        source: "peaks: David & Barton (1962, chapter 10); runs up and down: Levene & Wolfowitz (1944); histogram: \
             Pearson χ² of cells expecting 10, bound by Agrawal (2020); mean: saddle point (Lugannani & Rice \
             1980), bound by Chernoff (1952); extreme: 1−(1−q)^N, exact",
        sees: "Rhythm between neighbours: riffles, interleaved packets, partial sorts.",
        decks_min: 1,
    },
    numbers: &[
        Number {
            names: Names {
                histogram: "peaks-histogram",
                mean: "peaks-mean",
                extreme: "peaks-extreme",
                axis: "peaks",
            },
            law: permutation::peaks,
            measure: peaks,
        },
        Number {
            names: Names {
                histogram: "runs-histogram",
                mean: "runs-mean",
                extreme: "runs-extreme",
                axis: "runs up and down",
            },
            law: permutation::runs_up_down,
            measure: runs_up_down,
        },
    ],
};

/// Entries above both neighbours.
fn peaks(order: &Order) -> usize {
    order.windows(3).filter(|three| three[1] > three[0] && three[1] > three[2]).count()
}

/// Maximal stretches that rise or fall: one more than there are turns.
fn runs_up_down(order: &Order) -> usize {
    1 + order.windows(3).filter(|three| (three[1] > three[0]) != (three[2] > three[1])).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sorted_deck_is_one_run_and_a_zigzag_all_peaks() {
        let sorted: Order = std::array::from_fn(|place| place as u8);
        assert_eq!((peaks(&sorted), runs_up_down(&sorted)), (0, 1));
        let zigzag: Order = std::array::from_fn(|place| (place / 2 + 26 * (place % 2)) as u8);
        assert_eq!((peaks(&zigzag), runs_up_down(&zigzag)), (25, 51));
    }
}
