//! What this program is and when it runs: version, commit, executable, machine, clock.

use std::fs::File;
use std::io;
use std::sync::OnceLock;
use std::time::Instant;

use jiff::Span;

use crate::verification::Inspector;
use deckproof_audit::audit::speed::{self, CountingSpeed};
use deckproof_audit::certificate::Tool;
use deckproof_audit::collection::written::HashedStream;
use deckproof_deck::shuffle::lanes::instruction_set;
use deckproof_deck::text::date::{Date, NoDate};
use deckproof_report::document::words::Language;
use deckproof_report::output::Started;
use deckproof_report::rendering::audit::Beginning;

/// The commit this program is built from, or `unknown`.
pub const COMMIT: &str = env!("DECKPROOF_COMMIT");

/// Version, commit and the hash of the executable, as a certificate names them.
pub fn describe() -> Tool {
    Tool {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        commit: COMMIT.to_owned(),
        executable_sha256: executable_sha256().to_owned(),
    }
}

/// Begins to hash the executable beside what comes first: some 10 ms, which a small audit would wait for.
pub fn describe_soon() {
    std::thread::spawn(executable_sha256);
}

/// The same for `--version`, with the ways of counting that this processor gets; results never depend on them.
pub fn long_version() -> String {
    let decks = match measure_counting() {
        None => "64 side by side; this processor has no other way".to_owned(),
        Some(CountingSpeed { by_order, by_lane }) => {
            let order =
                format!("one by one in registers ({by_order:.0} ns a deck of the core tier on one thread)");
            let lane = format!("64 side by side ({by_lane:.0} ns)");
            if by_order <= by_lane {
                format!("{order}, measured now beside {lane}")
            } else {
                format!("{lane}, measured now beside {order}")
            }
        }
    };
    format!(
        "{} (commit {})\nshuffle: {}\ndecks are counted: {decks}",
        env!("CARGO_PKG_VERSION"),
        COMMIT,
        instruction_set()
    )
}

/// Measures which way of counting is quicker on this machine and takes it: a few milliseconds, for audits that take longer.
pub fn measure_counting() -> Option<CountingSpeed> {
    let clock = Instant::now();
    speed::measure(&mut || clock.elapsed().as_secs_f64())
}

fn executable_sha256() -> &'static str {
    static SHA256: OnceLock<String> = OnceLock::new();
    SHA256.get_or_init(|| hash_executable().unwrap_or_else(|_| "unknown".to_owned()))
}

fn hash_executable() -> io::Result<String> {
    let mut hashed = HashedStream::new(io::sink());
    io::copy(&mut File::open(std::env::current_exe()?)?, &mut hashed)?;
    Ok(hashed.finish().1)
}

/// How many threads work: as many as named, or one for each processor.
pub fn threads(named: Option<u16>) -> usize {
    let processors = || std::thread::available_parallelism().map_or(1, usize::from);
    named.map_or_else(processors, usize::from)
}

/// A number that nobody could know before, from the operating system.
pub fn random() -> Result<u64, getrandom::Error> {
    getrandom::u64()
}

/// A language as it is typed.
pub fn language(code: &str) -> Result<Language, String> {
    Language::from_code(code).ok_or_else(|| format!("found {code:?}, wanted {}", Language::codes(" or ")))
}

/// The wall clock in UTC, to the second.
pub fn time_utc() -> String {
    jiff::Timestamp::now().strftime("%Y-%m-%dT%H:%M:%SZ").to_string()
}

/// The wall clock in POSIX seconds.
pub fn now_seconds() -> i64 {
    jiff::Timestamp::now().as_second()
}

/// The same as logs and witnesses count; 0 for a clock before 1970.
pub fn posix_seconds() -> u64 {
    u64::try_from(now_seconds()).unwrap_or(0)
}

/// The day of the wall clock in UTC.
pub fn day_utc() -> String {
    jiff::Timestamp::now().strftime("%Y-%m-%d").to_string()
}

/// The day of the wall clock in UTC, as a day of the calendar.
pub fn today_utc() -> Date {
    day_utc().parse().expect("a day of the calendar")
}

/// The day that lies so long before today in UTC, or before the `newest` day if that is earlier.
pub(super) fn day_before(newest: Option<Date>, age: Span) -> Result<Date, String> {
    let last = newest.map_or_else(today_utc, |newest| newest.min(today_utc()));
    let last: jiff::civil::Date = last.to_string().parse().expect("a day of the calendar");
    let day = last.checked_sub(age).map_err(|error| error.to_string())?;
    day.to_string().parse().map_err(|error: NoDate| error.to_string())
}

/// The last day that it is anywhere on earth now, 14 hours ahead of UTC.
pub fn last_day() -> Date {
    let ahead = jiff::Timestamp::now() + jiff::SignedDuration::from_hours(14);
    ahead.strftime("%Y-%m-%d").to_string().parse().expect("a day of the calendar")
}

/// Operating system and processor architecture.
pub fn machine() -> String {
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    format!("{} on {}, {processors} processors", std::env::consts::OS, std::env::consts::ARCH)
}

/// This program, to judge what is handed in.
pub fn inspector() -> Inspector<'static> {
    Inspector { tool: &describe, now: posix_seconds(), threads: threads(None) }
}

/// Looks at the clock: a run begins.
pub fn started() -> Started {
    let clock = Instant::now();
    let seconds = Box::new(move || clock.elapsed().as_secs_f64());
    Started {
        time: time_utc(),
        beginning: Beginning::Audit,
        machine: machine(),
        files: Vec::new(),
        bad_record: None,
        extreme_deck: None,
        believed: Vec::new(),
        language: Language::English,
        seconds,
    }
}
