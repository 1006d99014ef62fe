//! The highest of many waves that share their first two draws: those that may be are looked for by sums of 16-bit parts,
//! and only these are summed in the one order that every machine has.
//!
//! A scan asks for thousands of sums and keeps one. `x·y` and `x·ȳ` are multiplied once for all third draws, and what is
//! more than the errors of rounded parts below the highest sum so far is left out. At lags the sums with 16 third draws are
//! added up side by side, for of the products of a line few lie in a row; of short waves 32 products with one third draw.

use crate::battery::draws::spectral::circle::Peak;
use crate::battery::draws::spectral::rounded::{
    PLACES, Pairs, Products, Rounded, Scale, Sums, THIRDS, Thirds,
};
use crate::battery::draws::spectral::sums::{add_places, of_places, of_third, sums_with_thirds};
use crate::battery::draws::spectral::vectors::{Slice, signed_sums};

/// Of 16 third draws the square of the longest of the four sums of [`signed_sums`], but for the errors of rounding.
pub(super) fn longest_squares(
    products: &Pairs,
    thirds: &Thirds,
    first: usize,
    scale: Scale,
) -> [f64; THIRDS] {
    let sums = sums_with_thirds(products, thirds, first);
    std::array::from_fn(|third| scale.longest_square(of_third(&sums, third)))
}

/// The sums of products with one third draw.
#[derive(Clone, Default)]
pub(super) struct PlaceSums(Sums);

impl PlaceSums {
    /// Adds so many products with the vectors from a place on.
    pub(super) fn add(&mut self, products: &Products, thirds: &Rounded, place: usize, length: usize) {
        add_places(products.rows(length), thirds.rows(place, length.div_ceil(PLACES)), &mut self.0);
    }

    /// The square of the longest of the four sums of [`signed_sums`], but for the errors of rounding.
    pub(super) fn longest_square(&self, scale: Scale) -> f64 {
        scale.longest_square(of_places(&self.0))
    }
}

/// The highest wave of one scan so far.
pub(super) struct Highest {
    so_far: Peak,
    scale: Scale,
}

impl Highest {
    /// None yet, of sums of rounded parts.
    pub(super) fn new(scale: Scale) -> Highest {
        Highest { so_far: Peak::default(), scale }
    }

    /// Whether one of four waves of so many terms, the longest of which has nearly this square, may be higher or equal.
    pub(super) fn may_be_passed(&self, near_square: f64, terms: u64) -> bool {
        let length = near_square.sqrt() + self.scale.error(terms) + slack(terms);
        self.so_far.may_be_passed(length, terms)
    }

    /// Reports the four waves of three slices; one that is not wanted is `None`.
    pub(super) fn sum(
        &mut self,
        [x, y, z]: [Slice; 3],
        wave: impl Fn(usize, [f64; 2]) -> Option<Peak>,
        report: &mut dyn FnMut(Peak),
    ) {
        for (sign, sum) in signed_sums(x, y, z).into_iter().enumerate() {
            if let Some(peak) = wave(sign, sum) {
                self.so_far.raise(peak);
                report(peak);
            }
        }
    }
}

/// How far the sum of so many products of 32 bits may lie from theirs: each of n additions is off by 2^-24 of at most n/2
/// in the mean, for both parts; and a few roundings of each product.
fn slack(terms: u64) -> f64 {
    let terms = terms as f64;
    terms * terms / f64::from(1 << 24) + 1e-5 * terms + 1e-3
}
