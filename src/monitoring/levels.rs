//! When a day stops a shuffler: levels that are spent over ten years of days, so that a fair one is not stopped.
//!
//! A step that stops at p < 1e-6 on one day, or at p < 0.01 on two days in a row, stops a fair shuffler 0.37 times in ten
//! years. Here a million fair shufflers are stopped once in ten years by one day, once by a day after a question,
//! and once in 44 years by the evidence over all days ([`drift`](crate::monitoring::drift)); what lies between is a question
//! that the evidence goes on to weigh.

use crate::monitoring::check::CheckResult;

/// Days of ten years.
const DAYS: f64 = 3_650.0;

/// One fair shuffler in so many is stopped in ten years, by each of the two ways.
const STOPPED: f64 = 1e-6;

/// A family p-value below this is a question; a fair day asks one with at most this probability.
pub const QUESTION: f64 = 0.01;

/// A day stops at once at `1e-6/3650`.
pub const STOP_ONE_DAY: f64 = STOPPED / DAYS;

/// The repeat after a question stops at `1e-6/(3650·0.01)`: it is asked for on one fair day in a hundred.
pub const STOP_REPEAT: f64 = STOPPED / (DAYS * QUESTION);

/// The p-values of a look: over everything, and over what may convict.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct PValues {
    /// Over all p-values.
    pub family: f64,
    /// Over those of exact distributions and proven bounds.
    pub convicting: f64,
}

/// What a day says by its p-values, where `is_repeat` says whether a question stands open that its decks answer.
pub fn weigh(day: PValues, is_repeat: bool) -> CheckResult {
    let stop = if is_repeat { STOP_REPEAT } else { STOP_ONE_DAY };
    if day.convicting <= stop {
        CheckResult::Refused
    } else if day.family <= QUESTION {
        CheckResult::Investigate
    } else {
        CheckResult::Passed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_are_met_from_both_sides() {
        use CheckResult::{Investigate, Passed, Refused};
        for (family, convicting, is_repeat, wanted) in [
            (0.011, 0.02, false, Passed),
            (0.011, 0.02, true, Passed),
            (0.009, 0.02, false, Investigate),
            (0.009, 0.02, true, Investigate),
            // What may not convict asks, however small.
            (1e-300, 1.0, true, Investigate),
            (1e-7, 1e-7, false, Investigate),
            (1e-7, 1e-7, true, Investigate),
            (2.8e-8, 2.8e-8, true, Investigate),
            (2.7e-8, 2.7e-8, true, Refused),
            (2.7e-8, 2.7e-8, false, Investigate),
            (2.8e-10, 2.8e-10, false, Investigate),
            (2.7e-10, 2.7e-10, false, Refused),
            (0.0, 0.0, false, Refused),
        ] {
            assert_eq!(
                weigh(PValues { family, convicting }, is_repeat),
                wanted,
                "{family} {convicting} {is_repeat}"
            );
        }
    }

    /// The union over days, by hand: 3650·2.74e-10 and 3650·0.01·2.74e-8.
    #[test]
    fn ten_years_of_a_fair_shuffler_spend_one_in_a_million_each_way() {
        assert!((3_650.0 * STOP_ONE_DAY - 1e-6).abs() < 1e-18);
        assert!((36.5 * STOP_REPEAT - 1e-6).abs() < 1e-18);
    }
}
