//! Times that are typed: 30s, 10m, 2h; and ages: 90d, 5y.

use std::time::Duration;

/// How old something is, in days and years of the calendar.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Age {
    /// Years.
    pub years: i32,
    /// Days.
    pub days: i32,
}

/// Reads a time of at most a million seconds.
pub(super) fn parse_time(text: &str) -> Result<Duration, String> {
    let units = [("s", 1), ("m", 60), ("h", 3_600)];
    let seconds = units.iter().find_map(|(unit, seconds)| {
        let number: u64 = text.strip_suffix(unit)?.parse().ok()?;
        number.checked_mul(*seconds).filter(|seconds| (1..=1_000_000).contains(seconds))
    });
    seconds.map(Duration::from_secs).ok_or_else(|| "write a time such as 30s, 10m or 2h".to_owned())
}

/// Reads an age of at most a hundred years.
pub(super) fn parse_age(text: &str) -> Result<Age, &'static str> {
    let number = |unit: char, most: i32| {
        let number: i32 = text.strip_suffix(unit)?.parse().ok()?;
        (1..=most).contains(&number).then_some(number)
    };
    let years = number('y', 100).map(|years| Age { years, days: 0 });
    let days = || number('d', 36_500).map(|days| Age { years: 0, days });
    years.or_else(days).ok_or("write an age such as 5y or 90d")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ages_are_years_or_days_and_nothing_else() {
        assert_eq!(parse_age("5y"), Ok(Age { years: 5, days: 0 }));
        assert_eq!(parse_age("90d"), Ok(Age { years: 0, days: 90 }));
        for wrong in ["", "5", "0y", "-1d", "101y", "36501d", "5y1d", "5 y", "d", "99999999999d"] {
            assert!(parse_age(wrong).is_err(), "{wrong}");
        }
    }
}
