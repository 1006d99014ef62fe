//! Whether hands may be dealt: fail closed while a step that said stop has not passed since, or no result is young enough.

use crate::monitoring::check::CheckResult;
use crate::monitoring::day::DayLine;
use crate::monitoring::rows::counting;
use crate::monitoring::state::{Stop, stops};

/// Why no hand may be dealt at a time, in POSIX seconds, if the last result may be so many seconds old; nothing if one may be.
pub fn refusal(days: &[DayLine], now: i64, age_max: i64) -> Option<String> {
    // A day that could not say anything is no result.
    let results = || {
        let rows = counting(days).map(|(_, day)| day);
        rows.filter(|day| !matches!(day.result(), CheckResult::CouldNotSay | CheckResult::NotSetUp))
    };
    let Some(last) = results().next_back() else {
        return Some("no day has had a result".to_owned());
    };
    if let Some(Stop { day, step, evidence, .. }) = stops(days).first() {
        return Some(format!("the day {day} says stop: {step}: {evidence}"));
    }
    let day = &last.day;
    let Some((text, checked)) = last.checked.as_deref().zip(last.checked_seconds()) else {
        return Some(format!("the last result, of {day}, does not say when it was found"));
    };
    let hours = |seconds: i64| seconds as f64 / 3_600.0;
    // A late day that is checked today is as old as it is.
    let ends = results().filter_map(|day| Some((day.result_end()?, day)));
    let latest = ends.filter(|(time, _)| *time <= now).max_by_key(|(time, _)| *time);
    match now.saturating_sub(checked) {
        // A clock that was set back makes an old result young, a forged one may name any time.
        age if age < 0 => Some(format!(
            "the last result, of {day}, was found at {text}, {:.1} hours ahead of this clock: the clock was set back, or the \
             row is not what it says",
            hours(-age)
        )),
        _ => {
            let Some((until, day)) = latest else {
                return Some(format!("the last result, of {day}, does not say of what time it is"));
            };
            let age = now.saturating_sub(until);
            (age > age_max).then(|| {
                format!(
                    "the last result, of {}, tells of the time until {:.1} hours ago, wanted at most {:.0} (--daily-hours; a room that was \
                     closed for longer needs more of them until its next night)",
                    day.day,
                    hours(age),
                    hours(age_max)
                )
            })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::monitoring::check::DayCheck;
    use crate::monitoring::day::seconds;

    /// Seconds of the tests in POSIX seconds: 2026-11-22 begins at 950,000.
    fn posix(time: i64) -> i64 {
        seconds("2026-11-22T00:00:00Z").expect("a time") - 950_000 + time
    }

    fn time(time: i64) -> String {
        jiff::Timestamp::from_second(posix(time)).expect("a time").to_string()
    }

    fn day(checked: Option<&str>, result: CheckResult) -> DayLine {
        let mut line = DayLine::of_failure("2026-11-22", "a", "0", "", "");
        line.overall = Some(result);
        line.checks = vec![DayCheck::new("chain", result, "b")];
        line.checked = checked.map(str::to_owned);
        line
    }

    fn at(days: &[DayLine], now: i64) -> String {
        refusal(days, posix(now), 36 * 3_600).unwrap_or_default()
    }

    #[test]
    fn a_result_is_taken_from_its_second_on_to_the_limit_and_never_from_the_future() {
        let days = [day(Some(&time(1_000_000)), CheckResult::Passed)];
        assert_eq!(at(&days, 1_000_000), "");
        assert_eq!(at(&days, 1_000_000 + 36 * 3_600), "");
        let old = at(&days, 1_000_001 + 36 * 3_600);
        assert!(old.contains("until 36.0 hours ago, wanted at most 36 (--daily-hours; "), "{old}");
        let ahead = at(&days, 999_999);
        assert!(ahead.contains("0.0 hours ahead of this clock: the clock was set back"), "{ahead}");
        assert!(at(&days, 0).contains("277.8 hours ahead"));
        assert!(at(&[day(None, CheckResult::Passed)], 0).contains("does not say when"));
        assert!(at(&[day(Some("soon"), CheckResult::Passed)], 0).contains("does not say when"));
        assert_eq!(at(&[], 0), "no day has had a result");
    }

    #[test]
    fn a_late_day_that_is_checked_today_is_as_old_as_it_is() {
        let mut late = day(Some(&time(1_000_000)), CheckResult::Passed);
        late.day = "2026-11-01".to_owned();
        let evidence = at(std::slice::from_ref(&late), 1_000_000);
        assert!(evidence.contains("of 2026-11-01, tells of the time until 493.9 hours ago"), "{evidence}");
        // It takes nothing from a day that is young enough, either.
        let young = day(Some(&time(990_000)), CheckResult::Passed);
        assert_eq!(at(&[young, late], 1_000_000), "");
        // A gaming day ends where its window does.
        let mut gaming = day(Some(&time(1_000_000)), CheckResult::Passed);
        gaming.window = Some((time(800_000), time(886_400)));
        assert_eq!(at(std::slice::from_ref(&gaming), 886_400 + 36 * 3_600), "");
        assert!(at(&[gaming], 886_401 + 36 * 3_600).contains("36.0 hours ago"));
    }

    #[test]
    fn a_later_day_without_a_result_neither_renews_nor_lifts() {
        let silent = day(Some(&time(9_000_000)), CheckResult::CouldNotSay);
        let days = [day(Some(&time(1_000_000)), CheckResult::Passed), silent.clone()];
        assert!(at(&days, 9_000_000).contains("hours ago"));
        let days = [day(Some(&time(1_000_000)), CheckResult::Refused), silent];
        assert_eq!(at(&days, 1_000_000), "the day 2026-11-22 says stop: chain: b");
        let days = [
            day(Some(&time(1_000_000)), CheckResult::Refused),
            day(Some(&time(1_000_000)), CheckResult::Passed),
        ];
        assert_eq!(at(&days, 1_000_000), "");
        // An earlier day that is recorded later lifts nothing either, and may stop.
        let mut late = days.clone();
        late[1].day = "2026-11-01".to_owned();
        assert_eq!(at(&late, 1_000_000), "the day 2026-11-22 says stop: chain: b");
        late.reverse();
        assert_eq!(at(&late[..1], 1_000_000).get(..30), Some("the last result, of 2026-11-01"));
        late[1].day = "2026-10-01".to_owned();
        assert_eq!(at(&late, 1_000_000), "the day 2026-10-01 says stop: chain: b");
    }
}
