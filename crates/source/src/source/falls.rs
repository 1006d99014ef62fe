//! How often the times of records fall from one to the next, and whether more than clocks and tables explain it.
//!
//! What falls in a fair export: tables that write a record when the hand ends and name its begin, seconds to minutes; records of one
//! moment; a clock that is set back by an hour once in half a year; single records that come late or bear a wrong time. What does not:
//! records by table, by hour and table, pages or files in another order, blocks with the newest first. Two bounds tell them apart:
//! - Records of the second kind stand more than [`LATE`] behind a later one. Where a tenth of all do, seen from both ends, the file is refused.
//!   With fewer, at most a fifth of all steps from deck to deck have one of them, and four fifths are as they were dealt. From both
//!   ends: one record with a time to come would put all others behind it, one with a time long past all others before it.
//! - Within that bound, hands that end in another order than they begin fall in half of the steps at most. Blocks with the newest first
//!   fall in two of three steps and more.

use crate::source::marks::Marks;
use crate::source::moment::moments;
use deckproof_deck::text::decimal::{counted, thousands};

/// Fewer times than these show no order.
const TIMES_MIN: u64 = 100;

/// Of times whose form is not known no more are looked at: records that somebody shuffled are so from the first on.
const TEXTS_MAX: u64 = 1 << 16;

const SECOND: i64 = 1_000_000;

/// So much earlier than a record above it one may be that was written at the end of its hand.
const LATE: i64 = 600 * SECOND;

/// A clock is set back by an hour, and again after this long.
const CLOCK_BACK: i64 = 3_600 * SECOND + LATE;
const CLOCK_PERIOD: i64 = 180 * 86_400 * SECOND;

/// One record in so many may stand far behind a later one.
const LATE_SHARE: u64 = 10;

/// Steps of five that change the time, of which so many may fall.
const FALLING_SHARE: [u64; 2] = [3, 5];

/// The reading of times in which the day stands before the month.
const DAY_FIRST: usize = 1;

/// In which reading times jump to and fro.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Jump {
    /// In all that there are, with how often they fall, in brackets, where that was counted.
    Shown(String),
    /// Only with the month before the day.
    WithMonthFirst,
    /// Only with the day before the month.
    WithDayFirst,
}

/// The times of so many records, one after the other.
#[derive(Default)]
pub(super) struct Falls {
    /// How many records, and of how many no time can be read.
    records: u64,
    pub(super) untimed: u64,
    /// Times in a form that is not known.
    unknown: u64,
    /// Steps from one text of a time to the next that change it, and all steps.
    moved: u64,
    all: u64,
    /// With the month before the day, and with the day before it.
    readings: [Walk; 2],
}

/// Times in one reading.
#[derive(Clone, Default)]
struct Walk {
    unread: u64,
    last: Option<(u64, i64)>,
    /// The latest of the dealer whose records these are.
    front: Option<i64>,
    /// The earliest and the latest.
    span: Option<(i64, i64)>,
    falls: u64,
    /// How many of them are more than [`LATE`], and the longest, with the record after it.
    long: u64,
    longest: Option<(i64, [u64; 2])>,
    /// Records far behind a later one above them.
    late: u64,
}

impl Walk {
    fn add(&mut self, record: u64, time: Option<i64>) {
        let Some(time) = time else {
            self.unread += 1;
            return;
        };
        let front = self.front.map_or(time, |front| front.max(time));
        self.late += u64::from(front.saturating_sub(time) > LATE);
        self.front = Some(front);
        let (first, last) = self.span.unwrap_or((time, time));
        self.span = Some((first.min(time), last.max(time)));
        if let Some((before, last)) = self.last.replace((record, time)) {
            let fall = last.saturating_sub(time);
            self.falls += u64::from(fall > 0);
            self.long += u64::from(fall > LATE);
            if fall > self.longest.map_or(0, |(longest, _)| longest) {
                self.longest = Some((fall, [before, record]));
            }
        }
    }

    /// The records of another dealer begin.
    fn begin_part(&mut self) {
        (self.last, self.front) = (None, None);
    }

    /// Whether a clock that is set back explains the long falls.
    fn is_clock(&self) -> bool {
        let span = self.span.map_or(0, |(first, last)| last.saturating_sub(first));
        self.longest.is_none_or(|(longest, _)| longest <= CLOCK_BACK)
            && self.long <= 1 + (span / CLOCK_PERIOD).unsigned_abs()
    }
}

impl Falls {
    pub(super) fn of(marks: &Marks, records: u64) -> Falls {
        let (mut falls, mut last, mut record) = (Falls { records, ..Falls::default() }, None, 0);
        let parts = marks.parts();
        marks.each(records, |_, time| {
            if parts.binary_search(&record).is_ok() {
                last = None;
                falls.readings.iter_mut().for_each(Walk::begin_part);
            }
            record += 1;
            // However a time is written, it has digits.
            if !time.bytes().any(|byte| byte.is_ascii_digit()) {
                falls.untimed += 1;
                return;
            }
            if let Some(last) = last.replace(time.to_owned()) {
                falls.all += 1;
                falls.moved += u64::from(last != time);
            }
            let read = moments(time);
            falls.unknown += u64::from(read == [None; 2]);
            falls.readings.iter_mut().zip(read).for_each(|(walk, time)| walk.add(record - 1, time));
        });
        falls
    }

    /// In which reading all times can be read that can be at all.
    fn reading(&self) -> usize {
        usize::from(self.readings[1].unread < self.readings[0].unread)
    }

    fn walk(&self) -> &Walk {
        &self.readings[self.reading()]
    }

    /// How often they fall, if they do.
    pub(super) fn count(&self) -> u64 {
        self.walk().falls
    }

    /// How often times fall where that is more than clocks and tables explain, and the longest fall. Nothing tells which is the month
    /// in times that can be read with either first, and that jump in one reading alone.
    pub(super) fn jump(&self, marks: &Marks) -> Option<(Jump, [String; 2])> {
        if self.walk().unread > 0 {
            return Some((Jump::Shown(String::new()), jumping(marks, self.records)?));
        }
        let own = self.jump_in(self.reading(), marks);
        if self.readings.iter().any(|walk| walk.unread > 0) {
            return own.map(|(falls, longest)| (Jump::Shown(falls), longest));
        }
        match (own, self.jump_in(DAY_FIRST, marks)) {
            (Some((_, longest)), None) => Some((Jump::WithMonthFirst, longest)),
            (None, Some((_, longest))) => Some((Jump::WithDayFirst, longest)),
            (own, _) => own.map(|(falls, longest)| (Jump::Shown(falls), longest)),
        }
    }

    /// The same in one of the readings.
    fn jump_in(&self, reading: usize, marks: &Marks) -> Option<(String, [String; 2])> {
        let walk = &self.readings[reading];
        let (_, longest) = walk.longest?;
        let [part, whole] = FALLING_SHARE;
        let is_reversed = walk.falls * whole > self.moved * part;
        let is_late = || {
            let is_many = |late: u64| late * LATE_SHARE > self.all;
            is_many(walk.late) && is_many(self.ahead(reading, marks)) && !walk.is_clock()
        };
        if self.all + 1 < TIMES_MIN || !is_reversed && !is_late() {
            return None;
        }
        let falls = format!(" (they fall in {} of {} steps)", thousands(walk.falls), thousands(self.all));
        Some((falls, longest.map(|record| marks.time(record).unwrap_or_default())))
    }

    /// How many records stand far before an earlier one below them.
    fn ahead(&self, reading: usize, marks: &Marks) -> u64 {
        let (mut ahead, mut front, parts) = (0, i64::MAX, marks.parts());
        for record in (0..self.records).rev() {
            if parts.binary_search(&(record + 1)).is_ok() {
                front = i64::MAX;
            }
            let time = marks.time(record).and_then(|time| moments(&time)[reading]);
            let Some(time) = time else { continue };
            ahead += u64::from(time.saturating_sub(front) > LATE);
            front = front.min(time);
        }
        ahead
    }

    /// That they fall, in words.
    fn words(&self) -> Option<String> {
        let walk = self.walk();
        let (fall, _) = walk.longest?;
        Some(format!(
            "the times fall in {} of {} steps from one record to the next, by {} at most",
            thousands(walk.falls),
            thousands(self.all),
            seconds(fall)
        ))
    }
}

/// So many microseconds in words, not too few.
fn seconds(micros: i64) -> String {
    let whole = (micros.unsigned_abs()).div_ceil(SECOND.unsigned_abs());
    if micros < SECOND { "less than a second".to_owned() } else { counted(whole, "second", "seconds") }
}

/// How often the times of so many records fall, where they are there.
pub(super) fn count(marks: &Marks, records: u64) -> u64 {
    if marks.has_times() { Falls::of(marks, records).count() } else { 0 }
}

/// What the times of records do not show of the order of their dealing, where a column of times was named.
pub fn not_shown(marks: &Marks, records: u64) -> Option<String> {
    let falls = Falls::of(marks, records);
    let Falls { untimed, unknown, moved, all, .. } = falls;
    let coarse = match moved {
        _ if !marks.is_timed() || records < 2 => return None,
        _ if !marks.has_times() => Some("there are more times than are looked at".to_owned()),
        0 => Some("all times are the same".to_owned()),
        _ if 2 * moved < all => Some(format!(
            "the time changes in only {} of {} steps from one record to the next",
            thousands(moved),
            thousands(all)
        )),
        _ => None,
    };
    let untimed = (untimed > 0 && marks.has_times())
        .then(|| format!("{} no time that can be read", counted(untimed, "record has", "records have")));
    let unknown = (unknown > 0).then(|| {
        format!(
            "{} written in a form that is not known, and how often they fall was not counted",
            counted(unknown, "time is", "times are")
        )
    });
    let fall = if unknown.is_some() { None } else { falls.words() };
    let found: Vec<String> = [coarse, untimed, unknown, fall].into_iter().flatten().collect();
    (!found.is_empty()).then(|| {
        format!(
            "whether all records stand in the order of their dealing: by --time-column, {}; records in another order hide what a deck \
             has from the one before",
            found.join(", and ")
        )
    })
}

/// The longest step back of times whose form is not known, where they step further on the average than a tenth of their number,
/// counted by their ranks as texts: a third where records are shuffled, next to nothing where a clock of hours begins anew.
fn jumping(marks: &Marks, records: u64) -> Option<[String; 2]> {
    let mut times = Vec::new();
    marks.each(records.min(TEXTS_MAX), |_, time| times.extend((!time.is_empty()).then(|| time.to_owned())));
    let mut sorted: Vec<&String> = times.iter().collect();
    sorted.sort_unstable();
    let rank = |time: &String| sorted.partition_point(|other| *other < time);
    let ranks: Vec<usize> = times.iter().map(rank).collect();
    let steps = ranks.windows(2).map(|pair| pair[0].abs_diff(pair[1]));
    let (n, all) = (times.len(), steps.sum::<usize>());
    if (n as u64) < TIMES_MIN || all * 10 < n * n {
        return None;
    }
    let back = (1..n).max_by_key(|&at| ranks[at - 1].saturating_sub(ranks[at]))?;
    Some([times[back - 1].clone(), times[back].clone()])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::FileEnd;
    use crate::source::twice::hash;

    fn marked(times: impl IntoIterator<Item = String>) -> (Marks, u64) {
        let marks = Marks::default();
        let records = times.into_iter().inspect(|time| marks.push("", time)).count();
        (marks, records as u64)
    }

    fn refused(times: impl IntoIterator<Item = String>) -> Option<String> {
        let (marks, records) = marked(times);
        Falls::of(&marks, records).jump(&marks).map(|(jump, [from, to])| format!("{jump:?} {from} {to}"))
    }

    /// A deck each 37 seconds, dealt to 20 tables in turn.
    const DECKS: u64 = 6_000;

    fn at(deck: u64) -> String {
        (1_790_000_000 + 37 * deck).to_string()
    }

    fn sorted_by<K: Ord>(key: impl Fn(u64) -> K) -> Vec<u64> {
        let mut decks: Vec<u64> = (0..DECKS).collect();
        decks.sort_by_key(|&deck| key(deck));
        decks
    }

    #[test]
    fn orders_that_are_not_those_of_dealing_are_refused() {
        for (order, what) in [
            // 20 blocks of rising times: 19 falls.
            (sorted_by(|deck| (deck % 20, deck)), "(they fall in 19 of 5,999 steps)"),
            // 15 hours of 20 blocks: 300 blocks. From one hour to the next the time rises from the last deck of table 19 to the first
            // of table 0, which is the next deck: 299 - 14 = 285 falls.
            (sorted_by(|deck| (deck / 400, deck % 20, deck)), "(they fall in 285 of 5,999 steps)"),
            // Blocks of ten, the newest first: 9 falls in each of 600 blocks.
            (sorted_by(|deck| (deck / 10, 9 - deck % 10)), "(they fall in 5,400 of 5,999 steps)"),
            // Three logs, the newest first: two falls.
            (sorted_by(|deck| (2 - deck / 2_000, deck)), "(they fall in 2 of 5,999 steps)"),
            // page0, page1, page10, page11, page2 …: one fall.
            (sorted_by(|deck| ((deck / 500).to_string(), deck)), "(they fall in 1 of 5,999 steps)"),
            // All that comes after 5,000 records in order.
            (
                sorted_by(|deck| if deck < 4_000 { deck } else { 4_000 + deck * 997 % 2_003 }),
                "(they fall in ",
            ),
        ] {
            let refusal = refused(order.into_iter().map(at));
            assert!(refusal.as_ref().is_some_and(|refusal| refusal.contains(what)), "{what}: {refusal:?}");
        }
    }

    #[test]
    fn what_clocks_and_tables_explain_is_not_refused_and_is_counted() {
        let text = |seconds: u64| (1_790_000_000 + seconds).to_string();
        // Hands of 20 tables: each begins 37 s after the one before, and is written after it has lasted 30 to 450 s.
        let ends = sorted_by(|deck| 37 * deck + 30 + hash(&deck) % 421);
        let written: Vec<String> = ends.iter().map(|&deck| at(deck)).collect();
        let falls = ends.windows(2).filter(|pair| pair[0] > pair[1]).count() as u64;
        assert!(falls > 2_000, "{falls}");
        let dst = |deck: u64| text(37 * deck - if deck > 3_000 { 3_600 } else { 0 });
        let mut future: Vec<String> = (0..DECKS).map(at).collect();
        (future[7], future[4_000]) = (text(1_000_000_000), text(900_000_000));
        let mut past: Vec<String> = (0..DECKS).map(at).collect();
        past[5_990] = "0".to_owned();
        // 500 records of one table that were held back for six hours.
        let late = (0..DECKS).filter(|deck| deck % 20 > 0).chain((0..DECKS).step_by(20).take(290));
        // Two writers of one moment, by milliseconds.
        let ties =
            (0..DECKS).map(|deck| (1_790_000_000_000 + 37_000 * (deck / 2) + 9 - deck % 2).to_string());
        for (times, falls) in [
            ((0..DECKS).map(at).collect(), 0),
            (written, falls),
            ((0..DECKS).map(dst).collect(), 1),
            (future, 2),
            (past, 1),
            (late.map(at).collect(), 1),
            (ties.collect(), DECKS / 2),
            (vec![text(7); 300], 0),
        ] {
            let times: Vec<String> = times;
            let (marks, records) = marked(times.iter().cloned());
            assert_eq!(Falls::of(&marks, records).count(), falls, "{:?}", &times[..3]);
            assert_eq!(refused(times), None);
        }
    }

    /// Three tables of one day, one file each: times rise in each, and fall where the next one begins.
    #[test]
    fn times_of_dealers_of_their_own_fall_from_one_to_the_next() {
        let table = |_| (0..DECKS / 3).map(at).collect::<Vec<String>>();
        let files = |ends: [u64; 3]| ends.map(|end| FileEnd { name: String::new(), end });
        let falls = |times: Vec<String>| {
            let (marks, records) = marked(times);
            let before = Falls::of(&marks, records).jump(&marks).is_some();
            marks.set_parts(&files([DECKS / 3, 2 * DECKS / 3, DECKS]));
            let parts = Falls::of(&marks, records);
            (before, parts.count(), parts.jump(&marks).is_some())
        };
        assert_eq!(falls((0..3).flat_map(table).collect()), (true, 0, false));
        // Records of one table that are shuffled, the others as they were dealt.
        let mut shuffled: Vec<String> = (0..3).flat_map(table).collect();
        (0..2_000).for_each(|deck| shuffled[2_000 + deck] = at(deck as u64 * 997 % 2_000));
        let (before, count, after) = falls(shuffled);
        assert!(before && count > 900 && after, "{count}");
        // A range that begins in the second file.
        let (marks, _) = marked((0..3).flat_map(table));
        let rest = marks.after(3_000);
        rest.set_parts(&files([0, 1_000, 3_000]));
        assert_eq!(Falls::of(&rest, 3_000).count(), 0);
    }

    #[test]
    fn local_clocks_are_read_before_they_are_compared() {
        let days = |day: u64, hour: u64| [(day, hour), (day, hour + 12)];
        let all = (1..=28).flat_map(|day| (0..12).flat_map(move |hour| days(day, hour)));
        let mut all: Vec<(u64, u64)> = all.collect();
        all.sort_unstable();
        let clock = |&(day, hour): &(u64, u64)| {
            format!("11/{day}/2026 {}:05 {}", (hour + 11) % 12 + 1, ["AM", "PM"][usize::from(hour > 11)])
        };
        let european = |&(day, hour): &(u64, u64)| format!("{day}/11/2026 {hour}:05");
        for times in [all.iter().map(clock).collect::<Vec<_>>(), all.iter().map(european).collect()] {
            let (marks, records) = marked(times.iter().cloned());
            assert_eq!(Falls::of(&marks, records).count(), 0);
            let back = times.into_iter().enumerate().map(|(at, time)| ((at % 3, at), time));
            let mut back: Vec<_> = back.collect();
            back.sort();
            assert!(refused(back.into_iter().map(|(_, time)| time)).is_some());
        }
        // Days up to the twelfth can be months. From 10 November on and from 1 December on, with the day first: with the month first
        // it falls from December to January. The same texts in the order of months with the day first jump.
        let months = [10, 11, 12].map(|day| (day, 11)).into_iter().chain([1, 2, 3].map(|day| (day, 12)));
        let days: Vec<(u64, u64)> = months.collect();
        let clocks = |(day, month): (u64, u64)| {
            (0..48u64).map(move |half| {
                let hour = half / 2;
                let clock = format!("{}:{:02}", (hour + 11) % 12 + 1, half % 2 * 30);
                (format!("{day}/{month}/2026"), format!("{clock} {}", ["AM", "PM"][usize::from(hour > 11)]))
            })
        };
        let texts = |days: &[(u64, u64)]| -> Vec<String> {
            days.iter().copied().flat_map(clocks).map(|(day, clock)| format!("{day} {clock}")).collect()
        };
        let said = refused(texts(&days));
        assert_eq!(said.as_deref(), Some("WithMonthFirst 12/11/2026 11:30 PM 1/12/2026 12:00 AM"));
        let mut by_month = days.clone();
        by_month.sort_by_key(|&(day, month)| (day, month));
        let said = refused(texts(&by_month));
        assert_eq!(said.as_deref(), Some("WithDayFirst 3/12/2026 11:30 PM 10/11/2026 12:00 AM"));
        // One day that is no month tells; so does what jumps either way.
        assert_eq!(refused(texts(&[&days[..], &[(13, 12)]].concat())), None);
        let turned: Vec<(u64, u64)> = days.iter().rev().copied().collect();
        assert!(refused(texts(&turned)).is_some_and(|said| said.starts_with("Shown(")));
        // A clock without a date is compared as a text.
        let hours = |n: u64| format!("{:02}:{:02}:00", n / 60 % 24, n % 60);
        assert_eq!(refused((0..2_880).map(hours)), None);
        assert!(refused((0..1_440).map(|n| hours(n * 97))).is_some());
    }
}
