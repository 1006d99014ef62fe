//! A day of the Gregorian calendar, as `2026-11-22` in files.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// A day.
///
/// ```
/// use deckproof_deck::text::date::Date;
///
/// let day: Date = "2026-11-22".parse()?;
/// assert_eq!((day.year(), day.month(), day.day()), (2026, 11, 22));
/// assert!("2026-02-29".parse::<Date>().is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Date {
    year: u16,
    month: u8,
    day: u8,
}

/// A text that is no day.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("found {found:?}, wanted a day such as 2026-11-22")]
pub struct NoDate {
    found: String,
}

impl Date {
    /// The year, 1900 to 2999.
    pub fn year(self) -> u16 {
        self.year
    }

    /// The month, 1 to 12.
    pub fn month(self) -> u8 {
        self.month
    }

    /// The day of the month, 1 to 31.
    pub fn day(self) -> u8 {
        self.day
    }
}

fn days_in(year: u16, month: u8) -> u8 {
    let is_leap = year.is_multiple_of(4) && !year.is_multiple_of(100) || year.is_multiple_of(400);
    match month {
        2 if is_leap => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

impl FromStr for Date {
    type Err = NoDate;

    fn from_str(text: &str) -> Result<Date, NoDate> {
        let no_date = || NoDate { found: text.chars().take(40).collect() };
        let is_shaped = text.len() == 10
            && text.bytes().enumerate().all(|(place, byte)| match place {
                4 | 7 => byte == b'-',
                _ => byte.is_ascii_digit(),
            });
        if !is_shaped {
            return Err(no_date());
        }
        let number = |from: usize, to: usize| text[from..to].parse::<u16>().map_err(|_| no_date());
        let (year, month, day) = (number(0, 4)?, number(5, 7)? as u8, number(8, 10)? as u8);
        let is_day = (1900..3000).contains(&year) && (1..=12).contains(&month);
        if is_day && (1..=days_in(year, month)).contains(&day) {
            Ok(Date { year, month, day })
        } else {
            Err(no_date())
        }
    }
}

impl TryFrom<String> for Date {
    type Error = NoDate;

    fn try_from(text: String) -> Result<Date, NoDate> {
        text.parse()
    }
}

impl From<Date> for String {
    fn from(date: Date) -> String {
        date.to_string()
    }
}

impl fmt::Display for Date {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{:04}-{:02}-{:02}", self.year, self.month, self.day)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_days_of_the_calendar_are_read_and_written_alike() {
        for day in ["2024-02-29", "2000-02-29", "2026-12-31", "1900-01-01"] {
            assert_eq!(day.parse::<Date>().map(|read| read.to_string()), Ok(day.to_string()));
        }
        for text in [
            "1900-02-29", "2100-02-29", "2026-13-01", "2026-00-10", "2026-04-31", "2026-4-1", "",
            "2026-11-2é", "2026/11/22", "2026-11.22", "1899-12-31", "3000-01-01",
        ] {
            assert!(text.parse::<Date>().is_err(), "{text}");
        }
    }
}
