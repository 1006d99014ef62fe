//! Coins that are fair under the null, and the one of several that lies furthest from one half.

use crate::math::binomial;

/// How often a coin that is fair under the null showed 1 in so many trials.
#[derive(Clone, Copy, Default, PartialEq, Debug)]
pub(in crate::battery::draws) struct Coin {
    pub(in crate::battery::draws) trials: u64,
    pub(in crate::battery::draws) ones: u64,
}

impl Coin {
    /// Counts it is kept in.
    pub(in crate::battery::draws) const CELLS: usize = 2;

    pub(in crate::battery::draws) fn cells(self) -> [u64; 2] {
        [self.trials, self.ones]
    }

    pub(in crate::battery::draws) fn from_cells([trials, ones]: [u64; 2]) -> Coin {
        Coin { trials, ones }
    }

    /// Whether so many trials at most could have given it.
    pub(in crate::battery::draws) fn is_sound(self, most: u64) -> bool {
        self.ones <= self.trials && self.trials <= most
    }

    pub(in crate::battery::draws) fn excess(self) -> u64 {
        (2 * self.ones).abs_diff(self.trials)
    }

    /// Takes the other's place if it lies more standard deviations from one half.
    pub(in crate::battery::draws) fn deepen(&mut self, other: Coin) {
        let square = |own: &Coin, trials: u64| u128::from(own.excess()).pow(2) * u128::from(trials);
        if self.trials == 0 || square(&other, self.trials) > square(self, other.trials) {
            *self = other;
        }
    }

    pub(in crate::battery::draws) fn score(self) -> f64 {
        if self.trials == 0 {
            return 0.0;
        }
        (2.0 * self.ones as f64 - self.trials as f64) / (self.trials as f64).sqrt()
    }

    pub(in crate::battery::draws) fn p_value(self) -> f64 {
        if self.trials == 0 || self.ones > self.trials {
            1.0
        } else {
            binomial::p_value(self.trials, 0.5, self.ones)
        }
    }
}
