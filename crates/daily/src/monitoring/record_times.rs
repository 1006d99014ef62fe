//! Times of records, as databases write them, and how many of them are inside a day.

use std::ops::Range;

use jiff::civil::DateTime;
use jiff::tz::TimeZone;
use jiff::{Timestamp, Zoned};

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
}

impl Times {
    /// Adds the time of a record, as it is written, with its number.
    pub fn add(&mut self, second: Option<u64>, text: &str, record: u64, span: &Range<u64>) {
        match second {
            None => {}
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

/// The POSIX second of a time as databases write it: with a zone, without one, or as a number of seconds or parts of them.
pub fn seconds(text: &str, zone: &TimeZone) -> Option<u64> {
    let second = match text.parse::<u64>() {
        Ok(number) => match text.len() {
            ..=11 => number,
            12..=14 => number / 1_000,
            15..=17 => number / 1_000_000,
            _ => number / 1_000_000_000,
        },
        Err(_) => {
            // PostgreSQL writes `+00` for an offset of whole hours.
            let zoned = text.parse::<Timestamp>().or_else(|_| format!("{text}:00").parse::<Timestamp>());
            let local = || text.parse::<DateTime>().and_then(|time| time.to_zoned(zone.clone()));
            let time = zoned.or_else(|_| local().map(|time: Zoned| time.timestamp())).ok()?;
            u64::try_from(time.as_second()).ok()?
        }
    };
    Some(second)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Values by GNU `date -u -d TIME +%s`.
    #[test]
    fn times_are_read_as_databases_write_them() {
        let toronto = TimeZone::get("America/Toronto").expect("a zone");
        for (text, wanted) in [
            ("2026-11-22T04:05:06Z", Some(1_795_320_306)),
            ("2026-11-22 04:05:06.789+00:00", Some(1_795_320_306)),
            ("2026-11-22 04:05:06+00", Some(1_795_320_306)),
            ("2026-11-21 23:05:06", Some(1_795_320_306)),
            ("2026-11-21T23:05:06.5", Some(1_795_320_306)),
            ("1795320306", Some(1_795_320_306)),
            ("1795320306789", Some(1_795_320_306)),
            ("1795320306789000", Some(1_795_320_306)),
            ("22 November", None),
            ("", None),
        ] {
            assert_eq!(seconds(text, &toronto), wanted, "{text}");
        }
    }
}
