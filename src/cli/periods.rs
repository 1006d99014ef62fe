//! Times that are typed: 30s, 10m, 2h; and ages: 90d, 5y.

use std::time::Duration;

use jiff::Span;

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
pub(super) fn parse_age(text: &str) -> Result<Span, &'static str> {
    let number = |unit: char, most: i32| {
        let number: i32 = text.strip_suffix(unit)?.parse().ok()?;
        (1..=most).contains(&number).then_some(number)
    };
    let years = number('y', 100).map(|years| Span::new().years(years));
    let days = || number('d', 36_500).map(|days| Span::new().days(days));
    years.or_else(days).ok_or("write an age such as 5y or 90d")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ages_are_years_or_days_and_nothing_else() {
        let read = |text| parse_age(text).map(|age| age.to_string());
        assert_eq!((read("5y"), read("90d")), (Ok("P5Y".to_owned()), Ok("P90D".to_owned())));
        for wrong in ["", "5", "0y", "-1d", "101y", "36501d", "5y1d", "5 y", "d", "99999999999d"] {
            assert!(parse_age(wrong).is_err(), "{wrong}");
        }
    }
}
