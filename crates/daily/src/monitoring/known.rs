//! Decks of all earlier days by their fingerprints, so that one that comes up again is found on its first day.
//!
//! A fingerprint is 12 bytes of SHA-256 of the deck; with the row of its day, 16 bytes: 10⁸ decks take 1.6 GB. Two of 10⁸
//! different decks share one with probability 6·10⁻¹⁴. Files are sorted and never rewritten; a new day is merged with files
//! that are not much longer, so that there are few, each deck is copied a few times in its life, and memory does not
//! grow ([`day`]). The row of a day names the files by their hash ([`KnownLine`]): what a row does not name was left by a
//! crash and goes, what it names and is not there or not so was changed by somebody.

pub mod day;
mod files;
pub mod watched;

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::Path;

use crate::monitoring::check::{CheckResult, DayCheck};
use crate::monitoring::known::day::{Day, Doubled};
use crate::monitoring::known::files::{Again, FileFault, Merged};
use crate::monitoring::known_line::{KnownFile, KnownLine};
use crate::monitoring::line::DayLine;
use deckproof_stats::math::decimal::{counted, thousands};

/// The name of the step.
pub const NAME: &str = "known decks";

/// The folder of the files.
pub const FOLDER: &str = "known";

/// Decks that came up again and are named.
const NAMED_MAX: usize = 3;

/// Files of another shuffler of the same configuration.
pub struct Other<'a> {
    /// What it is called.
    pub name: &'a str,
    /// Its folder.
    pub folder: &'a Path,
    /// Its days.
    pub days: &'a [DayLine],
}

/// Where the decks of a day go.
pub struct Place<'a> {
    /// The folder of the days.
    pub folder: &'a Path,
    /// The days before.
    pub days: &'a [DayLine],
    /// How many decks are remembered.
    pub decks_max: u64,
    /// The gaming day whose earlier runs this one takes the place of: a file that was copied by half is there whole, and
    /// has the same decks. `None` for files that only grow, of which every run reads others.
    pub again: Option<&'a str>,
}

/// The files as they were: a day that added none names them again for the next one.
pub fn kept(days: &[DayLine]) -> Option<KnownLine> {
    let files = last(days).to_vec();
    (!files.is_empty()).then_some(KnownLine { decks: 0, files })
}

impl Place<'_> {
    /// The number of the row that is written next.
    fn row(&self) -> u32 {
        u32::try_from(self.days.len() + 1).unwrap_or(u32::MAX)
    }

    /// Whether decks of that row must not come up again.
    fn counts(&self, row: u32) -> bool {
        let day = self.days.get((row as usize).wrapping_sub(1)).map(|line| line.day.as_str());
        self.again.is_none() || day != self.again
    }
}

/// The files after the last day that has some.
fn last(days: &[DayLine]) -> &[KnownFile] {
    days.iter().rev().find_map(|day| day.known.as_ref()).map_or(&[], |known| &known.files)
}

/// Looks for the decks of a day among those of all earlier days and of other shufflers, and adds them. The files that the
/// row is to name are durable when this returns.
pub fn check(day: &mut Day, place: &Place, others: &[Other]) -> Looked {
    match look(day, place, others) {
        Ok(looked) => looked,
        Err(FileFault::Changed(fault)) => Looked::without(place, CheckResult::Refused, &fault),
        Err(FileFault::Io(error)) => Looked::without(place, CheckResult::CouldNotSay, &error.to_string()),
    }
}

/// What the step found.
pub struct Looked {
    /// In words.
    pub check: DayCheck,
    /// What the row is to say of the files.
    pub line: Option<KnownLine>,
    /// Whether a deck came up again.
    pub has_repeat: bool,
    /// Whether nothing is to be bet on these decks: an earlier run of this day had read some of them, or each is there twice.
    pub is_without_evidence: bool,
}

impl Looked {
    /// Nothing was looked for or added.
    pub fn without(place: &Place, result: CheckResult, reason: &str) -> Looked {
        Looked {
            check: DayCheck::new(NAME, result, reason),
            line: kept(place.days),
            has_repeat: false,
            is_without_evidence: false,
        }
    }
}

fn look(day: &mut Day, place: &Place, others: &[Other]) -> Result<Looked, FileFault> {
    let folder = place.folder.join(FOLDER);
    let files = last(place.days);
    if let Some(doubled) = day.doubled()? {
        return Ok(twice(doubled, day.decks(), place));
    }
    let mut again: Vec<String> =
        day.repeated()?.into_iter().map(|(a, b)| format!("{a} and {b} of this day are one deck")).collect();
    // Of each earlier run of this day how many decks are among these.
    let read_before = RefCell::new(BTreeMap::<u32, u64>::new());
    let counts = |row| {
        let counts = place.counts(row);
        if !counts {
            *read_before.borrow_mut().entry(row).or_default() += 1;
        }
        counts
    };
    for file in files {
        for Again { deck, row } in files::compare(&folder, file, day, &counts)? {
            let date = place.days.get(row as usize - 1).map_or("an earlier day", |line| line.day.as_str());
            again.push(format!("deck {deck} of this day is one of row {row} ({date})"));
        }
    }
    let read_before = read_before.into_inner();
    for (&row, &found) in &read_before {
        let known = place.days.get(row as usize - 1).and_then(|line| line.known.as_ref());
        let had = known.map_or(0, |known| known.decks);
        // A whole file holds all that half of it held; a shuffler that repeats itself need not.
        if found < had {
            again.push(format!(
                "{} of {} decks that row {row} had on this day came up again, and the others did not",
                thousands(found),
                thousands(had)
            ));
        }
    }
    let is_run_again = !read_before.is_empty();
    let is_nothing_new = is_run_again && read_before.values().max() >= Some(&day.decks());
    let mut elsewhere = 0;
    for other in others {
        for file in last(other.days) {
            elsewhere += file.decks;
            let found = files::compare(&other.folder.join(FOLDER), file, day, &|_| true)
                .map_err(|fault| elsewhere_fault(other, fault))?;
            for Again { deck, row } in found {
                let date = other.days.get(row as usize - 1).map_or("a day", |line| line.day.as_str());
                again.push(format!("deck {deck} of this day is one that {} dealt ({date})", other.name));
            }
        }
    }
    let Merged { files: merged, forgotten } =
        files::add(&folder, files, day, place.row(), cutoff(place, day))?;
    let known: u64 = files.iter().map(|file| file.decks).sum();
    let of_others = match others.len() {
        0 => String::new(),
        1 => format!(" and {} of another shuffler", thousands(elsewhere)),
        many => format!(" and {} of {many} other shufflers", thousands(elsewhere)),
    };
    let read_before = match (is_run_again, is_nothing_new) {
        (_, true) => "; an earlier run of this day had read all of them: nothing new was examined",
        (true, false) => "; an earlier run of this day had read some of them, and they add no evidence",
        (false, false) => "",
    };
    let forgets = match forgotten {
        0 => String::new(),
        many => format!("; {} of the oldest are remembered no longer (known_decks)", thousands(many)),
    };
    let line = KnownLine { decks: day.decks(), files: merged };
    let said = match again.is_empty() {
        true if is_nothing_new => CheckResult::CouldNotSay,
        true => CheckResult::Passed,
        false => CheckResult::Refused,
    };
    let evidence = match again.len() {
        0 => format!(
            "{}, none of them among {} of earlier days{of_others}, by 96 bits of SHA-256{read_before}{forgets}",
            counted(day.decks(), "deck", "decks"),
            thousands(known)
        ),
        many => {
            let named = again[..many.min(NAMED_MAX)].join("; ");
            let more =
                if many > NAMED_MAX { format!("; and {} more", many - NAMED_MAX) } else { String::new() };
            format!(
                "{named}{more}; of {} and {} of earlier days{of_others}",
                counted(day.decks(), "deck", "decks"),
                thousands(known)
            )
        }
    };
    let check = DayCheck::new(NAME, said, evidence);
    Ok(Looked { check, line: Some(line), has_repeat: !again.is_empty(), is_without_evidence: is_run_again })
}

/// A file that was joined to itself stops its day, as any deck that comes up again, but is no proof over all days: the
/// mended file must be able to take its place. A shuffler that repeats itself cannot hide so: its next day is stopped too.
fn twice(doubled: Doubled, decks: u64, place: &Place) -> Looked {
    let evidence = format!(
        "{} of {} decks; a file that was joined to itself is like that: copy it anew and run this day again, nothing of it is \
         remembered and no evidence was added",
        doubled.words(),
        thousands(decks)
    );
    Looked { is_without_evidence: true, ..Looked::without(place, CheckResult::Refused, &evidence) }
}

/// Reads the files that the last row names, and gives how many decks they have.
///
/// # Errors
/// What was changed, or cannot be read.
pub fn recompute(folder: &Path, days: &[DayLine]) -> Result<u64, String> {
    let mut decks = 0;
    for file in last(days) {
        files::recompute(&folder.join(FOLDER), file).map_err(|fault| match fault {
            FileFault::Changed(fault) => fault,
            FileFault::Io(error) => format!("{FOLDER}/{}: {error}", file.name()),
        })?;
        decks += file.decks;
    }
    Ok(decks)
}

/// A file of another shuffler may be merged by its own job just now: that is no contradiction of this one.
fn elsewhere_fault(other: &Other, fault: FileFault) -> FileFault {
    match fault {
        FileFault::Changed(fault) => FileFault::Io(io::Error::other(format!("{}: {fault}", other.name))),
        other => other,
    }
}

/// The first row whose decks are still remembered, so that there are no more than so many.
fn cutoff(place: &Place, day: &Day) -> u32 {
    let mut sum = day.decks();
    let mut first = place.row();
    for line in place.days.iter().rev() {
        sum += line.known.as_ref().map_or(0, |known| known.decks);
        if sum > place.decks_max {
            break;
        }
        first -= 1;
    }
    first
}

/// Removes files that the last row does not name: what a job that was killed had begun, and what was merged.
///
/// # Errors
/// If the folder cannot be read or a file not removed.
pub fn tidy(folder: &Path, days: &[DayLine]) -> io::Result<()> {
    let folder = folder.join(FOLDER);
    let named: Vec<String> = last(days).iter().map(KnownFile::name).collect();
    let entries = match fs::read_dir(&folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        entries => entries?,
    };
    for entry in entries {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        // Nothing that somebody else put there is touched.
        let is_own = name.starts_with("rows-") && name.ends_with(".decks") || name.starts_with(files::PART);
        if is_own && !named.contains(&name) {
            fs::remove_file(entry.path())?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests;
