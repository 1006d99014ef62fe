//! When a day stops a shuffler: levels that are spent over ten years of days, so that a fair one is not stopped.
//!
//! A step that asks at p < 0.01 asks 3.65 questions a year of a fair shuffler, and one that stops at p < 1e-6 on one day, or
//! at p < 0.01 on two days in a row, stops 0.37 of them in ten years. Here a fair shuffler is asked one question in ten
//! years by each step, and a million of them are stopped once in ten years by one day, once by a day after a question,
//! and once in 44 years by the evidence over all days ([`drift`](crate::monitoring::drift)), which goes on to weigh what
//! lies between.

use crate::monitoring::check::CheckResult;

/// Days of ten years.
const DAYS: f64 = 3_650.0;

/// One fair shuffler in so many is stopped in ten years, by each of the two ways.
const STOPPED: f64 = 1e-6;

/// A family p-value up to this is a question: a fair shuffler is asked one in ten years.
pub const QUESTION: f64 = 1.0 / DAYS;

/// A repeat up to this departs too. It is also the level at which an audit takes a repeat of its own, on one fair day in a
/// hundred.
pub const QUESTION_REPEAT: f64 = 0.01;

/// A day stops at once at `1e-6/3650`.
pub const STOP_ONE_DAY: f64 = STOPPED / DAYS;

/// The repeat after a question stops at 1e-6: it is asked for once in ten years.
pub const STOP_REPEAT: f64 = STOPPED / (DAYS * QUESTION);

/// The repeat that an audit takes by itself stops at `1e-6/(3650·0.01)`.
pub const STOP_OWN_REPEAT: f64 = STOPPED / (DAYS * QUESTION_REPEAT);

/// Which decks a p-value is of, and so how often a fair shuffler is asked for them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Occasion {
    /// Every day.
    Daily,
    /// The day after a question, which is its one repeat.
    AfterQuestion,
    /// The repeat that an audit took because its first look departed.
    OwnRepeat,
}

impl Occasion {
    /// A convicting p-value up to this stops.
    pub fn stop(self) -> f64 {
        match self {
            Occasion::Daily => STOP_ONE_DAY,
            Occasion::AfterQuestion => STOP_REPEAT,
            Occasion::OwnRepeat => STOP_OWN_REPEAT,
        }
    }

    /// A p-value up to this is a question.
    pub fn question(self) -> f64 {
        match self {
            Occasion::Daily => QUESTION,
            Occasion::AfterQuestion | Occasion::OwnRepeat => QUESTION_REPEAT,
        }
    }
}

/// The p-values of a look: over everything, and over what may convict.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct PValues {
    /// Over all p-values.
    pub family: f64,
    /// Over those of exact distributions and proven bounds.
    pub convicting: f64,
}

/// What a day says by its p-values.
pub fn weigh(day: PValues, asked: Occasion) -> CheckResult {
    if day.convicting <= asked.stop() {
        CheckResult::Refused
    } else if day.family <= asked.question() {
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
        use Occasion::{AfterQuestion, Daily, OwnRepeat};
        for (family, convicting, asked, wanted) in [
            (2.8e-4, 1e-3, Daily, Passed),
            (2.7e-4, 1e-3, Daily, Investigate),
            (0.011, 0.02, AfterQuestion, Passed),
            (0.009, 0.02, AfterQuestion, Investigate),
            (0.011, 0.02, OwnRepeat, Passed),
            (0.009, 0.02, OwnRepeat, Investigate),
            // What may not convict asks, however small.
            (1e-300, 1.0, AfterQuestion, Investigate),
            (1e-7, 1e-7, Daily, Investigate),
            (1.1e-6, 1.1e-6, AfterQuestion, Investigate),
            (0.9e-6, 0.9e-6, AfterQuestion, Refused),
            (2.8e-8, 2.8e-8, OwnRepeat, Investigate),
            (2.7e-8, 2.7e-8, OwnRepeat, Refused),
            (2.7e-8, 2.7e-8, Daily, Investigate),
            (2.8e-10, 2.8e-10, Daily, Investigate),
            (2.7e-10, 2.7e-10, Daily, Refused),
            (0.0, 0.0, Daily, Refused),
        ] {
            let found = weigh(PValues { family, convicting }, asked);
            assert_eq!(found, wanted, "{family} {convicting} {asked:?}");
        }
    }

    /// The union over days, by hand: 3650·2.74e-10, 3650·2.74e-4·1e-6 and 3650·0.01·2.74e-8.
    #[test]
    fn ten_years_of_a_fair_shuffler_spend_one_in_a_million_each_way() {
        assert!((3_650.0 * STOP_ONE_DAY - 1e-6).abs() < 1e-18);
        assert!((3_650.0 * QUESTION * STOP_REPEAT - 1e-6).abs() < 1e-18);
        assert!((36.5 * STOP_OWN_REPEAT - 1e-6).abs() < 1e-18);
        assert!((3_650.0 * QUESTION - 1.0).abs() < 1e-12, "one question in ten years");
    }
}
