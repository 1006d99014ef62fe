//! When a record was dealt, by the text of its time: clocks as logs, databases and spreadsheets write them.

use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::TimeZone;

const SECOND: i64 = 1_000_000;
const DAY: i64 = 86_400 * SECOND;

/// Days from that on which spreadsheets begin to count, 1899-12-30, to 1970-01-01.
const SHEET_DAYS: i64 = 25_569;

/// When a record was dealt.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Moment {
    /// Microseconds from 1970-01-01 on; of a clock without a zone those that it shows.
    micros: i64,
    zone: Zone,
}

/// The zone of a clock.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Zone {
    Utc,
    /// None is written: that of the place.
    Place,
    /// Letters that are of several, such as CST.
    Unknown,
}

impl Moment {
    /// The POSIX second, with this zone where none is written; nothing before 1970, and where letters name the zone.
    pub fn second(&self, zone: &TimeZone) -> Option<u64> {
        let read = Timestamp::from_microsecond(self.micros).ok()?;
        let time = match self.zone {
            Zone::Utc => read,
            Zone::Place => read.to_zoned(TimeZone::UTC).datetime().to_zoned(zone.clone()).ok()?.timestamp(),
            Zone::Unknown => return None,
        };
        u64::try_from(time.as_second()).ok()
    }
}

/// A time with an offset from UTC (RFC 3339, or `+02` as PostgreSQL writes it).
pub(super) fn of_utc(text: &str) -> Option<Timestamp> {
    // Some write a blank before the offset.
    text.replace(" +", "+").replace(" -", "-").parse().ok()
}

/// A time with the month before the day in `11/10/2026` and with the day before it; nothing where the form is not known, as of a clock
/// without a date.
pub fn read(text: &str) -> [Option<Moment>; 2] {
    let text = text.trim();
    let utc = || of_utc(text).map(|time| Moment { micros: time.as_microsecond(), zone: Zone::Utc });
    match number(text).or_else(utc).or_else(|| iso(text)) {
        Some(own) => [Some(own); 2],
        None => {
            let parts = Parts::of(text);
            [true, false].map(|is_month_first| of_parts(parts.as_ref()?, is_month_first))
        }
    }
}

/// The microseconds of both readings: by them times are put in order, whatever their zone.
pub(super) fn moments(text: &str) -> [Option<i64>; 2] {
    read(text).map(|read| Some(read?.micros))
}

/// ISO 8601 without a zone, such as `20261122T040506`.
fn iso(text: &str) -> Option<Moment> {
    let time = text.parse::<DateTime>().ok()?.to_zoned(TimeZone::UTC).ok()?.timestamp();
    Some(Moment { micros: time.as_microsecond(), zone: Zone::Place })
}

/// A number: seconds, by its size their thousandths, millionths or billionths, days of a spreadsheet, or the digits of a date.
fn number(text: &str) -> Option<Moment> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    if whole.is_empty() || !(whole.to_owned() + fraction).bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let parts = format!("{:0<6.6}", fraction).parse::<i64>().ok()?;
    let own: i64 = whole.parse().ok()?;
    let is_date = whole.starts_with("19") || whole.starts_with("20");
    let place = |micros: i64| Some(Moment { micros, zone: Zone::Place });
    let utc = |micros: i64| Some(Moment { micros, zone: Zone::Utc });
    match whole.len() {
        5 if !fraction.is_empty() => place((own - SHEET_DAYS) * DAY + parts * (DAY / SECOND)),
        8 | 14 | 17 if is_date => {
            let field = |at: usize, length: usize| whole.get(at..at + length).unwrap_or("0").parse().ok();
            let date = [field(0, 4)?, field(4, 2)?, field(6, 2)?];
            let clock = [field(8, 2)?, field(10, 2)?, field(12, 2)?];
            place(civil(date, clock)? + field(14, 3)? * 1_000)
        }
        ..=11 => utc(own * SECOND + parts),
        12..=14 => utc(own * 1_000),
        15..=17 => utc(own),
        _ => utc(own / 1_000),
    }
}

fn civil([year, month, day]: [i64; 3], [hour, minute, second]: [i64; 3]) -> Option<i64> {
    let small = |own: i64| i8::try_from(own).ok();
    // A leap second is the last one of its minute.
    let date = DateTime::new(
        year.try_into().ok()?,
        small(month)?,
        small(day)?,
        small(hour)?,
        small(minute)?,
        small(second.min(59))?,
        0,
    );
    let zoned = date.ok()?.to_zoned(jiff::tz::TimeZone::UTC).ok()?;
    Some(zoned.timestamp().as_microsecond())
}

/// A date and a clock as they are written.
#[derive(Default)]
struct Parts {
    /// Numbers of the date, with what is before each and how many digits it has.
    date: Vec<(i64, char, usize)>,
    /// A month that is named.
    month: Option<i64>,
    clock: Vec<i64>,
    /// What is between its numbers: a colon, or a point as Oracle writes it.
    between: char,
    micros: i64,
    is_afternoon: Option<bool>,
    /// Minutes east of UTC.
    offset: Option<i64>,
    /// Whether letters behind the clock name a zone of which the offset is not known.
    has_zone: bool,
}

impl Parts {
    fn of(text: &str) -> Option<Parts> {
        let (mut parts, mut rest, mut before) = (Parts::default(), text, ' ');
        while let Some(first) = rest.chars().next() {
            let alike = |letter: char| match first {
                '0'..='9' => letter.is_ascii_digit(),
                _ => first.is_alphabetic() && letter.is_alphabetic(),
            };
            let length = rest.find(|letter| !alike(letter)).unwrap_or(rest.len()).max(first.len_utf8());
            let (token, after) = rest.split_at(length);
            // Spanish and Canadian clocks: a.m., p. m.
            if let Some(after) = parts.half_day(rest, before) {
                (rest, before) = (after, ' ');
                continue;
            }
            match first {
                '0'..='9' => parts.number(token, before, after)?,
                _ if first.is_alphabetic() => parts.word(token),
                _ => {}
            }
            (rest, before) = (after, token.chars().next_back().unwrap_or(' '));
        }
        parts.has_date().then_some(parts)
    }

    fn has_date(&self) -> bool {
        self.date.len() + usize::from(self.month.is_some()) == 3
    }

    fn number(&mut self, token: &str, before: char, after: &str) -> Option<()> {
        let own: i64 = token.parse().ok()?;
        let has_clock = !self.clock.is_empty();
        if has_clock && (before == '+' || before == '-') {
            // An offset: hours, or hours and minutes without a colon.
            let minutes = if token.len() > 2 { own / 100 * 60 + own % 100 } else { own * 60 };
            self.offset = Some(if before == '-' { -minutes } else { minutes });
            self.clock.resize(3, 0);
        } else if has_clock && before == ':' && self.clock.len() == 3 {
            let hours = self.offset?;
            self.offset = Some(if hours < 0 { hours - own } else { hours + own });
        } else if has_clock && self.clock.len() < 3 && before == self.between {
            self.clock.push(own);
        } else if self.clock.len() == 3 && (before == '.' || before == ',') {
            self.micros = format!("{token:0<6.6}").parse().ok()?;
        } else if !has_clock
            && token.len() <= 2
            && (after.starts_with(':') || self.has_date() && after.starts_with('.'))
        {
            self.clock.push(own);
            self.between = if after.starts_with(':') { ':' } else { '.' };
        } else if before.is_alphabetic() && self.month.is_none() {
            return None;
        } else {
            self.date.push((own, before, token.len()));
        }
        Some(())
    }

    /// Whether half of a day begins here that is written with points, behind a clock; and what comes after it.
    fn half_day<'a>(&mut self, text: &'a str, before: char) -> Option<&'a str> {
        let half = text.chars().next().map(|letter| letter.to_ascii_lowercase());
        let half = half
            .filter(|half| ['a', 'p'].contains(half) && !before.is_alphabetic() && !self.clock.is_empty())?;
        let rest = text[1..].strip_prefix('.')?;
        let rest = rest.trim_start_matches([' ', '\u{a0}', '\u{202f}']).strip_prefix(['m', 'M'])?;
        let rest = rest.strip_prefix('.').unwrap_or(rest);
        if rest.starts_with(char::is_alphanumeric) {
            return None;
        }
        self.is_afternoon = Some(half == 'p');
        Some(rest)
    }

    /// Months in English, French and German; `AM` and `PM`; zones behind the clock. Names of days say nothing here.
    fn word(&mut self, token: &str) {
        let low = token.to_lowercase();
        let begins = |names: &[&str]| names.iter().any(|name| low.starts_with(name));
        match low.as_str() {
            "am" | "pm" => self.is_afternoon = Some(low == "pm"),
            "utc" | "gmt" | "z" if !self.clock.is_empty() => self.offset = self.offset.or(Some(0)),
            _ => {
                if let Some(month) = MONTHS.iter().position(|names| begins(names)) {
                    self.month = Some(month as i64 + 1);
                } else if !self.clock.is_empty() && !begins(&DAYS) {
                    let is_zone =
                        (2..=5).contains(&token.len()) && token.bytes().all(|own| own.is_ascii_uppercase());
                    self.has_zone |= is_zone;
                }
            }
        }
    }
}

const MONTHS: [&[&str]; 12] = [
    &["jan"],
    &["feb", "fév", "fev"],
    &["mar", "mär"],
    &["apr", "avr"],
    &["may", "mai"],
    &["jun", "juin"],
    &["jul", "juil"],
    &["aug", "aoû", "aou"],
    &["sep"],
    &["oct", "okt"],
    &["nov"],
    &["dec", "dez", "déc"],
];

/// Days of the week, which some write in capitals.
const DAYS: [&str; 7] = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];

fn of_parts(parts: &Parts, is_month_first: bool) -> Option<Moment> {
    let at = |place: usize| parts.date.get(place).copied();
    let (first, _, digits) = at(0)?;
    let (second, separator, _) = at(1)?;
    let date = match (parts.month, at(2)) {
        (Some(month), None) if digits == 4 => [first, month, second],
        (Some(month), None) => [century(second), month, first],
        (None, Some((third, _, _))) if digits == 4 => [first, second, third],
        // 22.11.2026; of 11/22/2026 nothing tells which is the day; a year of two digits may stand first in 26-11-22.
        (None, Some((third, _, _))) if separator == '.' => [century(third), second, first],
        (None, Some((_, _, 2))) if separator == '-' => return None,
        (None, Some((third, _, _))) if is_month_first => [century(third), first, second],
        (None, Some((third, _, _))) => [century(third), second, first],
        _ => return None,
    };
    let clock = |place: usize| parts.clock.get(place).copied().unwrap_or(0);
    let hour = match parts.is_afternoon {
        Some(is_afternoon) => clock(0) % 12 + if is_afternoon { 12 } else { 0 },
        None => clock(0),
    };
    let micros =
        civil(date, [hour, clock(1), clock(2)])? + parts.micros - parts.offset.unwrap_or(0) * 60 * SECOND;
    let zone = match parts.offset {
        Some(_) => Zone::Utc,
        None if parts.has_zone => Zone::Unknown,
        None => Zone::Place,
    };
    Some(Moment { micros, zone })
}

fn century(year: i64) -> i64 {
    if year < 100 { 2000 + year } else { year }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 1,795,320,306 is GNU `date -u -d 2026-11-22T04:05:06Z +%s`; 46,348 days lie between 1899-12-30 and 2026-11-22.
    #[test]
    fn one_moment_is_read_however_it_is_written() {
        let wanted = Some(1_795_320_306 * SECOND);
        for text in [
            "2026-11-22T04:05:06Z",
            "2026-11-22 06:05:06 +0200",
            "2026-11-21 23:05:06-05",
            "2026-11-22 04:05:06",
            "2026/11/22 04:05:06.000",
            "11/22/2026 4:05:06 AM",
            "2026-11-22 04:05:06 a.m.",
            "2026-11-22 04:05:06 A. M.",
            "22/Nov/2026 4:05:06 a.\u{a0}m. +0000",
            "22.11.2026 04:05:06",
            "22.11.26 04:05:06",
            "22/Nov/2026:04:05:06 +0000",
            "22/Nov/2026:05:35:06 +0130",
            "Sun Nov 22 04:05:06 2026",
            "22NOV2026:04:05:06",
            "22-NOV-26 04.05.06.000000 AM",
            "22-NOV-26 06.05.06.000 AM +02:00",
            "22.11.2026 04.05.06",
            "22 novembre 2026 04:05:06",
            "Sun, 22 Nov 2026 04:05:06 GMT",
            "1795320306",
            "1795320306.0",
            "1795320306000",
            "1795320306000000",
            "1795320306000000000",
            "20261122040506",
            "20261122T040506",
            "2026-11-22 04:05:06.000000 UTC",
            "Sun Nov 22 04:05:06 CET 2026",
        ] {
            assert_eq!(moments(text)[0], wanted, "{text}");
        }
        assert_eq!(moments("2026-11-22 04:05:06,250")[0], wanted.map(|own| own + 250_000));
        assert_eq!(moments("46348.5")[0].zip(moments("46349.0")[0]).map(|(a, b)| b - a), Some(DAY / 2));
        assert_eq!(moments("11/22/2026 12:05 AM"), [Some(1_795_305_900 * SECOND), None]);
        // Twelve hours lie between, and noon is p.m.
        for (morning, evening) in [
            ("04:05:06 a.m.", "04:05:06 p.m."),
            ("12:00:00 a. m.", "12:00:00 p. m."),
            ("4:05 a.m", "4:05 P.M"),
            ("04.05.06.500000 AM", "04.05.06.500000 PM"),
        ] {
            let [morning, evening] =
                [morning, evening].map(|clock| moments(&format!("2026-11-22 {clock}"))[0]);
            assert_eq!(morning.zip(evening).map(|(a, b)| b - a), Some(DAY / 2));
        }
        assert_eq!(moments("22/11/2026 00:05"), [None, Some(1_795_305_900 * SECOND)]);
        for text in [
            "", "04:05:06", "2026-11-22 04:05.06", "26-11-22 04:05", "hand 7", "2026-13-22 04:05:06",
            "a1b2c3",
        ] {
            assert_eq!(moments(text), [None; 2], "{text}");
        }
    }

    /// Values by GNU `date -u -d TIME +%s`; Toronto is five hours behind UTC in November.
    #[test]
    fn a_clock_without_a_zone_is_that_of_the_place() {
        let toronto = TimeZone::get("America/Toronto").expect("a zone");
        let second = |text: &str| read(text)[0].and_then(|time| time.second(&toronto));
        for text in [
            "2026-11-22T04:05:06Z",
            "2026-11-22 04:05:06.789+00:00",
            "2026-11-22 04:05:06+00",
            "2026-11-22 04:05:06.789000 UTC",
            "Sun, 22 Nov 2026 04:05:06 GMT",
            "2026/11/22 06:05:06 +0200",
            "1795320306",
            "1795320306789",
            "1795320306789000",
            "2026-11-21 23:05:06",
            "2026-11-21T23:05:06.5",
            "20261121T230506",
            "20261121230506",
            "21.11.2026 23:05:06",
            "11/21/2026 11:05:06 PM",
            "SAT 21-NOV-2026 23:05:06",
            "46347.961875",
        ] {
            assert_eq!(second(text), Some(1_795_320_306), "{text}");
        }
        for text in ["22 November", "", "2026-11-22 04:05:06 CST", "1969-12-31T23:59:59Z", "04:05:06"] {
            assert_eq!(second(text), None, "{text}");
        }
    }
}
