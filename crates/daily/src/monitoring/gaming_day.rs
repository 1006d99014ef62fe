//! The gaming day: from one hour of a place's clock to the same hour of the next date, 23 to 25 hours long.

use std::ops::Range;

use jiff::civil::{Date, Time};
use jiff::tz::TimeZone;
use jiff::{Timestamp, ToSpan, Zoned};

/// Which day is asked for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Wanted {
    /// The last one that is over; without a gaming day, the day of UTC that runs, as exports before midnight are named.
    Last,
    /// The one that runs.
    Running,
    /// This one.
    Of(String),
}

/// A day by its date, and its first and last moment in UTC where a gaming day is configured.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GamingDay {
    /// The date on which it begins, `2026-11-22`.
    pub date: String,
    /// From when to when, `2026-11-22T11:00:00Z`.
    pub window: Option<(String, String)>,
    /// When it begins and ends, in POSIX seconds.
    pub span: Range<u64>,
    /// Whether it still runs.
    pub is_running: bool,
    /// The time zone of the place.
    pub zone: TimeZone,
}

/// When a gaming day ends.
struct Ends {
    hour: Time,
    zone: TimeZone,
}

impl GamingDay {
    /// The day of a configuration's `day_ends`, such as `06:00 America/Toronto`.
    ///
    /// # Errors
    /// What was found and wanted, in one clause.
    pub fn of(day_ends: Option<&str>, wanted: &Wanted, now: Timestamp) -> Result<GamingDay, String> {
        let asked = match wanted {
            Wanted::Of(date) => Some(
                date.parse::<Date>()
                    .map_err(|_| format!("found the date {date:?}, wanted one such as 2026-11-22"))?,
            ),
            _ => None,
        };
        let Some(text) = day_ends else {
            let today = now.to_zoned(TimeZone::UTC).date();
            let date = asked.unwrap_or(today);
            if date > today {
                return Err(format!("the day {date} has not begun, in UTC it is {today}"));
            }
            let midnight =
                |date: Date| seconds(&date.to_zoned(TimeZone::UTC).map_err(|error| error.to_string())?);
            let span = midnight(date)?..midnight(next(date)?)?;
            let is_running = date == today;
            return Ok(GamingDay {
                date: date.to_string(),
                window: None,
                span,
                is_running,
                zone: TimeZone::UTC,
            });
        };
        let ends = parse(text)?;
        let running = running(&ends, now)?;
        let date = match (wanted, asked) {
            (_, Some(date)) => date,
            (Wanted::Running, None) => running,
            (_, None) => running.yesterday().map_err(|error| error.to_string())?,
        };
        if date > running {
            return Err(format!("the gaming day {date} has not begun, {running} runs"));
        }
        let begin = start(&ends, date)?;
        let over = start(&ends, next(date)?)?;
        let end = over.timestamp().min(now);
        let (span, is_running) = (seconds(&begin)?..seconds(&over)?, over.timestamp() > now);
        let utc = |time: Timestamp| time.strftime("%Y-%m-%dT%H:%M:%SZ").to_string();
        let window = Some((utc(begin.timestamp()), utc(end)));
        Ok(GamingDay { date: date.to_string(), window, span, is_running, zone: ends.zone })
    }
}

fn parse(text: &str) -> Result<Ends, String> {
    let wanted =
        || format!("day_ends is {text:?}, wanted an hour and a time zone, such as 06:00 America/Toronto");
    let (hour, zone) = text.split_once(' ').ok_or_else(wanted)?;
    let hour: Time = format!("{hour}:00").parse().map_err(|_| wanted())?;
    let zone = TimeZone::get(zone).map_err(|_| wanted())?;
    Ok(Ends { hour, zone })
}

/// The date on which the running day began.
fn running(ends: &Ends, now: Timestamp) -> Result<Date, String> {
    let local = now.to_zoned(ends.zone.clone()).date();
    // The clock may show the hour twice or not at all: what counts is the moment.
    let has_begun = start(ends, local)?.timestamp() <= now;
    if has_begun { Ok(local) } else { local.yesterday().map_err(|error| error.to_string()) }
}

fn next(date: Date) -> Result<Date, String> {
    date.tomorrow().map_err(|error| error.to_string())
}

fn seconds(moment: &Zoned) -> Result<u64, String> {
    u64::try_from(moment.timestamp().as_second()).map_err(|_| format!("{moment} is before 1970"))
}

fn start(ends: &Ends, date: Date) -> Result<Zoned, String> {
    date.to_datetime(ends.hour).to_zoned(ends.zone.clone()).map_err(|error| error.to_string())
}

/// The date so many days before this one.
pub fn days_before(date: &str, days: u32) -> Option<String> {
    let date: Date = date.parse().ok()?;
    date.checked_sub(i64::from(days).days()).ok().map(|date| date.to_string())
}

/// Dates from the first day on, up to and without `today`, that are not among the days.
pub fn missing<'a>(days: impl Iterator<Item = &'a str>, today: &str) -> Vec<String> {
    let dates: std::collections::BTreeSet<Date> = days.filter_map(|day| day.parse().ok()).collect();
    let (Some(&first), Ok(today)) = (dates.first(), today.parse::<Date>()) else { return Vec::new() };
    let all = first.series(1.day()).take_while(|date| *date < today);
    all.filter(|date| !dates.contains(date)).map(|date| date.to_string()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(ends: &str, wanted: &Wanted, now: &str, date: &str, from: &str, to: &str) {
        let day = GamingDay::of(Some(ends), wanted, now.parse().expect("a time")).expect("it is a day");
        let window = Some((from.to_owned(), to.to_owned()));
        assert_eq!((day.date.as_str(), &day.window), (date, &window), "{ends} {wanted:?} {now}");
        // What still runs ends later than the window that is told.
        let seconds = |text: &str| text.parse::<Timestamp>().expect("a time").as_second() as u64;
        assert_eq!(day.is_running, *wanted == Wanted::Running, "{ends} {wanted:?} {now}");
        assert_eq!(day.span.start, seconds(from), "{ends} {wanted:?} {now}");
        assert_eq!(day.span.end > seconds(to), day.is_running, "{ends} {wanted:?} {now}");
    }

    /// Summer time of Ontario in 2026: from 8 March, 2:00, to 1 November, 2:00 (time zone database of IANA).
    #[test]
    fn days_have_23_24_and_25_hours() {
        let (toronto, last) = ("06:00 America/Toronto", &Wanted::Last);
        let check = |ends: &str, wanted: &Wanted, now: &str, date: &str, [from, to]: [&str; 2]| {
            let full = |time: &str| format!("2026-{time}Z");
            check(ends, wanted, &full(now), &format!("2026-{date}"), &full(from), &full(to));
        };
        check(toronto, last, "11-23T11:30:00", "11-22", ["11-22T11:00:00", "11-23T11:00:00"]);
        check(toronto, last, "11-23T10:59:59", "11-21", ["11-21T11:00:00", "11-22T11:00:00"]);
        check(toronto, last, "03-08T12:00:00", "03-07", ["03-07T11:00:00", "03-08T10:00:00"]);
        check(toronto, last, "11-01T12:00:00", "10-31", ["10-31T10:00:00", "11-01T11:00:00"]);
        check(toronto, &Wanted::Running, "11-23T10:00:00", "11-22", ["11-22T11:00:00", "11-23T10:00:00"]);
        let of = Wanted::Of("2026-07-04".to_owned());
        check(toronto, &of, "11-23T10:00:00", "07-04", ["07-04T10:00:00", "07-05T10:00:00"]);
        // An hour that the clock shows twice, and one that it does not show.
        let twice = ["10-31T05:30:00", "11-01T05:30:00"];
        check("01:30 America/Toronto", last, "11-01T06:00:00", "10-31", twice);
        let skipped = ["03-07T07:30:00", "03-08T07:30:00"];
        check("02:30 America/Toronto", last, "03-08T08:00:00", "03-07", skipped);
        let berlin = ["11-20T23:00:00", "11-21T23:00:00"];
        check("00:00 Europe/Berlin", last, "11-22T22:59:00", "11-21", berlin);
    }

    #[test]
    fn without_an_hour_the_day_is_that_of_utc() {
        let of = |wanted| GamingDay::of(None, &wanted, "2026-11-22T23:59:59Z".parse().expect("a time"));
        let today = of(Wanted::Last).expect("it is a day");
        // 1,795,305,600 is `date -d 2026-11-22T00:00Z +%s`.
        assert_eq!(
            (today.date.as_str(), today.span, today.is_running),
            ("2026-11-22", 1_795_305_600..1_795_392_000, true)
        );
        assert!(!of(Wanted::Of("2026-11-21".to_owned())).expect("it is a day").is_running);
        assert!(of(Wanted::Of("2026-11-23".to_owned())).is_err());
        assert!(of(Wanted::Of("yesterday".to_owned())).is_err());
        for ends in ["06:00", "25:00 Europe/Berlin", "06:00 Mars/Olympus", ""] {
            assert!(GamingDay::of(Some(ends), &Wanted::Last, Timestamp::UNIX_EPOCH).is_err(), "{ends}");
        }
    }

    #[test]
    fn days_are_counted_back_over_a_leap_day() {
        assert_eq!(days_before("2028-03-01", 2).as_deref(), Some("2028-02-28"));
        assert_eq!(days_before("2027-03-01", 2).as_deref(), Some("2027-02-27"));
        assert_eq!(days_before("yesterday", 2), None);
    }

    #[test]
    fn dates_without_a_row_are_named() {
        let days = ["2026-02-27", "2026-03-02", "2026-02-27"];
        assert_eq!(missing(days.into_iter(), "2026-03-04"), ["2026-02-28", "2026-03-01", "2026-03-03"]);
        assert_eq!(missing([].into_iter(), "2026-03-04"), Vec::<String>::new());
    }
}
