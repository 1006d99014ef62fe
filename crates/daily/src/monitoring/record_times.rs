//! Times of records, as databases write them, and how many of them are inside a day.

use std::ops::Range;

use jiff::tz::TimeZone;

use deckproof_audit::source::marks::Marks;
use deckproof_audit::source::moment;
use deckproof_deck::text::excerpt;

/// Times of the records.
#[derive(Clone, Default)]
pub struct Times {
    /// How many are inside the day.
    pub inside: u64,
    /// The first that is outside, as it is written, and the number of its record.
    pub outside: Option<(String, u64)>,
    /// How many are.
    pub away: u64,
    /// Those of them that come after the day.
    pub after: u64,
    /// Whether only as those of UTC any of them is inside.
    pub is_utc_alone: bool,
    /// The first that cannot be read, and the number of its record.
    pub unread: Option<(String, u64)>,
}

impl Times {
    /// Adds the time of a record, as it is written, with its number.
    pub fn add(&mut self, second: Option<u64>, text: &str, record: u64, span: &Range<u64>) {
        match second {
            None => {
                self.unread.get_or_insert_with(|| (excerpt(text, 40), record));
            }
            Some(second) if span.contains(&second) => self.inside += 1,
            Some(second) => {
                self.away += 1;
                self.outside.get_or_insert_with(|| (excerpt(text, 40), record));
                self.after += u64::from(second >= span.end);
            }
        }
    }
}

/// Of times taken for those of the place and for those of UTC the ones that fit.
pub fn best([local, utc]: [Times; 2]) -> Times {
    let is_utc_alone = local.inside == 0 && utc.inside > 0;
    Times { is_utc_alone, ..if utc.inside > local.inside { utc } else { local } }
}

/// The POSIX second of a time, with this zone where it has none, with the month before the day in `11/10/2026` and with the day before it.
pub fn readings(text: &str, zone: &TimeZone) -> [Option<u64>; 2] {
    moment::read(text).map(|time| time.and_then(|time| time.second(zone)))
}

/// The same of a time of which there is one reading.
pub fn seconds(text: &str, zone: &TimeZone) -> Option<u64> {
    match readings(text, zone) {
        [Some(one), Some(other)] if one != other => None,
        [one, other] => one.or(other),
    }
}

/// First hands whose times a row keeps.
const FIRST_TIMES: u64 = 32;

/// The times of the first hands, where their ids count on by one from 0 or 1 and all their times can be read.
pub fn first_times(marks: &Marks, records: u64, zone: &TimeZone) -> Vec<u64> {
    let first = records.min(FIRST_TIMES);
    if !are_numbered(marks, 0..first) {
        return Vec::new();
    }
    let times = (0..first).map(|place| seconds(&marks.time(place)?, zone));
    times.collect::<Option<Vec<u64>>>().unwrap_or_default()
}

/// Whether the ids of these records are their numbers, counted from 0 or 1.
pub fn are_numbered(marks: &Marks, mut places: impl Iterator<Item = u64>) -> bool {
    let number = |place: u64| marks.id(place)?.parse::<u64>().ok();
    let first = number(0).filter(|&first| first <= 1);
    first.is_some_and(|first| places.all(|place| number(place) == Some(first + place)))
}

/// Whether times are spread over hours, as hands are that were dealt. An export that writes its own time, or copies a day in
/// blocks, has many of one minute.
fn are_spread(times: &[u64]) -> bool {
    let mut times = times.to_vec();
    times.sort_unstable();
    let together = MINUTE_HANDS_MIN.max(times.len() / MINUTE_SHARE);
    let is_long = times.last().zip(times.first()).is_some_and(|(last, first)| last - first >= 3_600);
    is_long && times.windows(together + 1).all(|some| some[together] - some[0] >= 60)
}

/// One hand in so many may fall into one minute, or so many hands of few.
const MINUTE_SHARE: usize = 60;
const MINUTE_HANDS_MIN: usize = 5;

/// Whether hands came at other distances than those of an earlier day: hands that were written anew with another date, or in
/// another time zone, keep theirs. Fewer than ten show nothing.
fn have_other_pace(times: &[u64], earlier: &[u64]) -> bool {
    let step = |pair: &[u64]| pair[1].abs_diff(pair[0]);
    let steps = times.windows(2).map(step).zip(earlier.windows(2).map(step));
    let (all, other) = steps.fold((0, 0), |(all, other), (a, b)| (all + 1, other + u32::from(a != b)));
    all >= 9 && 2 * other > all
}

/// The times of these records, where all of them are of the day. Times without a zone are those of the place: taken for others they
/// might be of the day before.
fn times_of_day(
    marks: &Marks,
    places: impl Iterator<Item = u64>,
    (span, zone): (&Range<u64>, &TimeZone),
) -> Option<Vec<u64>> {
    let own = |place: u64| seconds(&marks.time(place)?, zone).filter(|second| span.contains(second));
    places.map(own).collect()
}

/// Whether all these records have a time of the day.
pub fn are_of_day(marks: &Marks, places: impl Iterator<Item = u64>, day: (&Range<u64>, &TimeZone)) -> bool {
    times_of_day(marks, places, day).is_some()
}

/// Whether the first hands of a day, which an earlier day had under the same numbers, were dealt on this one: all their times are
/// of it, and no file has them. `earlier` are the times of the first ones on the earlier day.
pub fn are_dealt_anew(marks: &Marks, hands: u64, earlier: &[u64], day: (&Range<u64>, &TimeZone)) -> bool {
    let times = times_of_day(marks, 0..hands, day);
    are_numbered(marks, 0..hands) && times.is_some_and(|times| are_anew(&times, earlier))
}

/// Whether neither a date that was written anew nor an export that writes its own times gives these.
fn are_anew(times: &[u64], earlier: &[u64]) -> bool {
    are_spread(times) && have_other_pace(times, earlier)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two hours of one hand in 20 to 59 seconds.
    fn paced(first: u64, step: impl Fn(u64) -> u64) -> Vec<u64> {
        (0..200).scan(first, |at, hand| Some(std::mem::replace(at, *at + 20 + step(hand) % 40))).collect()
    }

    #[test]
    fn hands_are_dealt_anew_at_another_pace_and_over_hours() {
        let day = 1_790_000_000;
        let earlier: Vec<u64> = paced(day - 80_000, |hand| hand * hand).into_iter().take(32).collect();
        // 7 · hand² + 3 and hand² differ by an odd number: no two distances are the same.
        let own = paced(day + 500, |hand| 7 * hand * hand + 3);
        assert!(are_anew(&own, &earlier));
        let times = |hands: u64, time: fn(u64) -> u64| (0..hands).map(|hand| day + time(hand)).collect();
        for (what, times, before) in [
            ("with the date of this day", paced(day + 500, |hand| hand * hand), &earlier[..]),
            ("the time of the export", times(200, |hand| hand / 9), &earlier),
            ("a block each hour", times(200, |hand| hand / 10 * 3_600 + hand % 10), &earlier),
            ("within an hour", times(200, |hand| 17 * hand + hand % 2), &earlier),
            ("nine hands", times(9, |hand| 1_000 * hand), &earlier),
            ("a row of before", own.clone(), &[]),
        ] {
            assert!(!are_anew(&times, before), "{what}");
        }
    }

    /// Values by GNU `date -u -d TIME +%s`.
    #[test]
    fn a_date_with_two_readings_is_no_time() {
        let zone = TimeZone::UTC;
        assert_eq!(readings("05/11/2026 10:00", &zone), [Some(1_778_493_600), Some(1_793_872_800)]);
        assert_eq!(seconds("05/11/2026 10:00", &zone), None);
        assert_eq!(seconds("13/11/2026 10:00", &zone), Some(1_794_564_000));
        assert_eq!(seconds("11/11/2026 10:00", &zone), Some(1_794_391_200));
        assert_eq!(seconds("05.11.2026 10:00", &zone), Some(1_793_872_800));
    }
}
