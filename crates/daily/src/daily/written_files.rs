//! Files that nights write beside their folders: none is one that a night reads, and none takes the place of somebody else's.

use std::path::Path;

use crate::daily::job::{Configured, DayJob};
use crate::daily::named_files::{Value, bare};
use crate::monitoring::alerts::check_voice;
use crate::monitoring::config::{DATE, plain};
use crate::monitoring::exports::{JUNIT_HEAD, METRICS_HEAD};

/// Keys of the files that a night writes, and how they begin where others are not overwritten before they are read.
const WRITTEN: [(&str, Option<&str>); 3] =
    [("metrics", Some(METRICS_HEAD)), ("junit", Some(JUNIT_HEAD)), ("kept_rows", None)];

/// The folder that holds whatever a list names; a file in it need not be one of these.
const AROUND: &str = "manifest_base";

/// What would be overwritten that is not a night's to write, by the key; a night reads what these other keys name.
pub(super) fn faults(configured: &Configured, read: &[&str]) -> Vec<(&'static str, String)> {
    let mut faults = Vec::new();
    for job in &configured.jobs {
        for (key, head) in WRITTEN {
            for Value { text, .. } in values(job, key) {
                let path = Path::new(text);
                let problem = clash(configured, read, key, path)
                    .or_else(|| head.and_then(|head| check_voice(path, head).err()));
                let fault = problem.map(|problem| (key, problem));
                // What all shufflers share is told once.
                faults.extend(fault.filter(|fault| !faults.contains(fault)));
            }
        }
    }
    faults
}

/// What a file that is written would take the place of.
fn clash(configured: &Configured, read: &[&str], key: &str, path: &Path) -> Option<String> {
    if is_one(path, &configured.file) {
        return Some(format!("{path:?} is the configuration, wanted another file"));
    }
    for job in &configured.jobs {
        if stands_in(path, &job.folder) {
            let why = if key == "kept_rows" { ", whose loss or return it would share" } else { "" };
            return Some(format!("{path:?} is in the folder of the days{why}; wanted another place"));
        }
        for other in read {
            for Value { text, .. } in values(job, other) {
                let input = Path::new(bare(text));
                let is_within = *other != AROUND && input.is_dir() && stands_in(path, input);
                if is_one(path, input) || is_within {
                    return Some(format!(
                        "{path:?} is what {other} names, which a night reads; wanted another file"
                    ));
                }
            }
        }
        for (other, _) in WRITTEN.into_iter().filter(|(other, _)| *other != key) {
            if values(job, other).iter().any(|value| is_one(path, Path::new(value.text))) {
                return Some(format!("{path:?} is what {other} names too, wanted a file for each"));
            }
        }
    }
    None
}

/// The values of a key, for the day and as they are written.
pub(super) fn values<'a>(job: &'a DayJob, key: &'a str) -> Vec<Value<'a>> {
    let pairs = job.config.values(key).iter().zip(job.written.values(key));
    pairs.map(|(text, written)| Value { key, text, is_dated: written.contains(DATE), written }).collect()
}

/// Whether a file would be below a folder, as far as both are there.
pub(super) fn stands_in(file: &Path, folder: &Path) -> bool {
    let place = file.parent().filter(|place| !place.as_os_str().is_empty()).unwrap_or(Path::new("."));
    match (place.canonicalize(), folder.canonicalize()) {
        (Ok(place), Ok(folder)) => place.starts_with(folder),
        _ => place.starts_with(folder),
    }
}

/// Whether two paths lead to one place, links followed where they are there.
pub(super) fn is_one(a: &Path, b: &Path) -> bool {
    let real = |path: &Path| path.canonicalize().unwrap_or_else(|_| plain(&path.to_string_lossy()));
    real(a) == real(b)
}
