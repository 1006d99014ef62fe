//! Incidents of nights that have no row: a stop over a record that was changed is told and not recorded, for nothing is
//! added to such a record.

use std::fs;
use std::path::Path;

use serde::Deserialize;

use crate::monitoring::day::DayLine;
use deckproof_deck::text::excerpt;
use deckproof_files::file::own;

/// Longest incident that is read, in bytes.
const BYTES_MAX: u64 = 1 << 20;

/// Most letters of a reason.
const REASON_LETTERS: usize = 120;

/// What of an incident is shown; it vouches for nothing.
#[derive(Deserialize)]
struct Seen {
    day: String,
    when: String,
    result: String,
    #[serde(default)]
    what: Vec<What>,
}

#[derive(Deserialize)]
struct What {
    name: String,
    evidence: String,
}

/// The incidents in a folder whose night no row records, a line each, in the order of their names.
pub fn unrecorded(folder: &Path, days: &[DayLine]) -> Vec<String> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let name = |entry: fs::DirEntry| entry.file_name().into_string().ok();
    let mut names: Vec<String> = entries.filter_map(|entry| name(entry.ok()?)).collect();
    names.retain(|name| name.starts_with("incident-") && name.ends_with(".json"));
    names.sort_unstable();
    names.into_iter().filter_map(|name| sentence(&folder.join(&name), &name, days)).collect()
}

fn sentence(path: &Path, name: &str, days: &[DayLine]) -> Option<String> {
    let bytes = own::read_limited(path, BYTES_MAX).ok();
    let Some(seen) = bytes.and_then(|bytes| serde_json::from_slice::<Seen>(&bytes).ok()) else {
        return Some(format!("{name} cannot be read"));
    };
    let has_row = days
        .iter()
        .any(|day| day.day == seen.day && day.checked.as_ref().is_none_or(|when| *when == seen.when));
    if has_row {
        return None;
    }
    let why = seen.what.first().map_or(String::new(), |what| {
        format!(": {}", excerpt(&format!("{}: {}", what.name, what.evidence), REASON_LETTERS))
    });
    Some(format!("{name}, {}, {}{why}", excerpt(&seen.when, 32), excerpt(&seen.result, 32)))
}
