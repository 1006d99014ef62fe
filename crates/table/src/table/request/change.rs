//! That a table goes on with other seats or other rules than it had, which may be meant and may be a slip.

use std::path::Path;

use crate::table::files::ENTRIES;
use deckproof_files::file::own;
use deckproof_stud::stud::readings::Reading;
use deckproof_stud::stud::rules::RuleSet;
use deckproof_stud::stud::seat::Seats;
use deckproof_verify::log::entry::{Entry, OpenEntry};

/// Most bytes of the entries of a table that are looked through for its last hand.
const ENTRIES_BYTES_MAX: u64 = 64 << 20;

/// The warning where the hands that come are not for the seats, or not by the rules and readings, of the last one
/// that was opened in this folder. The dealer moves from hand to hand, which is no change of seats.
pub(super) fn notice(
    folder: &Path,
    seats: &Seats,
    rules: &RuleSet,
    readings: &[(Reading, String)],
) -> Option<String> {
    let last = last_opened(&own::read_text_limited(&folder.join(ENTRIES), ENTRIES_BYTES_MAX).ok()?)?;
    let sorted = |seats: &Seats| {
        let mut all = seats.in_order().to_vec();
        all.sort_unstable();
        all
    };
    let mut readings: Vec<(&str, &str)> =
        readings.iter().map(|(name, value)| (name.name(), &value[..])).collect();
    readings.sort_unstable();
    let earlier: Vec<(&str, &str)> =
        last.readings.iter().map(|(name, value)| (&name[..], &value[..])).collect();
    if sorted(&last.seats) == sorted(seats) && last.rules.name == rules.name && earlier == readings {
        return None;
    }
    Some(format!(
        "the last hand of this table was opened for the seats {} by {}; the hands that come are for the seats {seats} by {}",
        last.seats,
        by(last.rules, &earlier),
        by(rules, &readings)
    ))
}

/// `stud-hi`, or `stud-hi with odd_chip=card_then_suit`.
fn by(rules: &RuleSet, readings: &[(&str, &str)]) -> String {
    let readings: Vec<String> = readings.iter().map(|(name, value)| format!("{name}={value}")).collect();
    if readings.is_empty() {
        rules.name.to_owned()
    } else {
        format!("{} with {}", rules.name, readings.join(", "))
    }
}

fn last_opened(entries: &str) -> Option<OpenEntry> {
    entries.rsplit("\n\n").find_map(|entry| {
        match Entry::parse(&format!("{}\n", entry.trim_end_matches('\n'))) {
            Ok(Entry::Open(open)) => Some(open),
            _ => None,
        }
    })
}
