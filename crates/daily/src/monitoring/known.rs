//! Decks of all earlier days by their fingerprints, so that one that comes up again is found on its first day.
//!
//! A fingerprint is 12 bytes of SHA-256 of the deck; with the row of its day, 16 bytes: 10⁸ decks take 1.6 GB. Two of 10⁸
//! different decks share one with probability 6·10⁻¹⁴. Files are sorted and never rewritten; a new day is merged with files
//! that are not much longer, so that there are few, each deck is copied a few times in its life, and memory does not
//! grow ([`day`]). The row of a day names the files by their hash ([`KnownLine`]): what a row does not name was left by a
//! crash and goes, what it names and is not there or not so was changed by somebody.

pub mod day;
mod files;
mod overlap;
mod repeats;
pub mod watched;

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::ops::Range;
use std::path::Path;

use jiff::tz::TimeZone;

use crate::monitoring::check::{CheckResult, DayCheck, StepFault};
use crate::monitoring::day::DayLine;
use crate::monitoring::explained::Explained;
use crate::monitoring::known::day::{Day, Doubled};
use crate::monitoring::known::files::Merged;
use crate::monitoring::known::repeats::{EarlierDay, Meaning, Repeats, Today};
use crate::monitoring::known_line::{Among, KnownFile, KnownLine};
use crate::monitoring::record_times::seconds;
use crate::monitoring::rows::{counting, voided_rows};
use deckproof_audit::source::marks::Marks;
use deckproof_deck::text::decimal::{counted, thousands};
use deckproof_files::file::if_there;

/// The name of the step.
pub const NAME: &str = "known decks";

/// The folder of the files.
pub const FOLDER: &str = "known";

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
    /// SHA-256 of the day's file, if it comes from one.
    pub source_sha256: Option<&'a str>,
    /// What gave the decks, where that is no file.
    pub program: Option<&'a str>,
    /// From when to when the day is, in POSIX seconds, and the time zone of times that have none.
    pub span: (&'a Range<u64>, &'a TimeZone),
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

    fn line(&self, row: u32) -> Option<&DayLine> {
        self.days.get((row as usize).wrapping_sub(1))
    }

    /// How many decks a row added.
    fn had(&self, row: u32) -> u64 {
        self.line(row).and_then(|line| line.known.as_ref()).map_or(0, |known| known.decks)
    }

    /// Whether this day was judged before. Of decks that nobody remembers some may then be bet on already.
    fn was_judged(&self) -> bool {
        self.runs().next().is_some()
    }

    /// Whether the decks of a run of this day are not remembered, or no longer.
    fn has_forgotten_run(&self) -> bool {
        let first_row = last(self.days).iter().map(|file| file.first_row as usize).min();
        let is_remembered = |row: usize, line: &DayLine| {
            let has_added = line.known.as_ref().is_some_and(|known| known.decks > 0);
            has_added && first_row.is_some_and(|first| row >= first)
        };
        self.runs().any(|(row, line)| !is_remembered(row, line))
    }

    /// The rows that judged this day before.
    fn runs(&self) -> impl Iterator<Item = (usize, &DayLine)> {
        let is_run = |line: &DayLine| Some(line.day.as_str()) == self.again && line.certificate.is_some();
        counting(self.days).filter(move |(_, line)| is_run(line))
    }

    /// The last decks of the nights before that were not judged, by their fingerprints, with their rows; of a file that grows
    /// the same records come again.
    fn unjudged(&self) -> BTreeMap<String, usize> {
        let (Some(date), voided) = (self.again, voided_rows(self.days)) else { return BTreeMap::new() };
        let is_own = |row, line: &DayLine| {
            line.day.as_str() < date && line.certificate.is_none() && !voided.contains(&row)
        };
        let rows = counting(self.days).filter(|&(row, line)| is_own(row, line));
        rows.filter_map(|(row, line)| Some((line.export.as_ref()?.last_deck.clone()?, row))).collect()
    }

    /// Whether a row is an earlier run of this day.
    fn is_again(&self, row: u32) -> bool {
        self.again.is_some() && self.line(row).map(|line| line.day.as_str()) == self.again
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
        // A file that is cut or gone has an accident behind it as well as a hand.
        Err(fault) => Looked::without(place, CheckResult::CouldNotSay, &fault.into_words()),
    }
}

/// Which decks of a day are to be bet on, each once.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DecksAtStake {
    /// All.
    All,
    /// Those that this row, an earlier run of the day, had not read.
    BesideRow(usize),
    /// None: an earlier run of this day had read some or all of them, and which ones is not known.
    Nothing,
}

/// What the step found.
pub struct Looked {
    /// In words.
    pub check: DayCheck,
    /// What the row is to say of the files.
    pub line: Option<KnownLine>,
    /// Whether a deck came up again.
    pub has_repeat: bool,
    /// Which of these decks are to be bet on.
    pub at_stake: DecksAtStake,
    /// Why the file says nothing of the shuffler: it holds decks that were judged before, and explains it.
    pub explained: Option<Explained>,
}

impl Looked {
    /// Nothing was looked for or added.
    pub fn without(place: &Place, result: CheckResult, reason: &str) -> Looked {
        Looked {
            check: DayCheck::new(NAME, result, reason),
            line: kept(place.days),
            has_repeat: false,
            at_stake: if place.was_judged() { DecksAtStake::Nothing } else { DecksAtStake::All },
            explained: None,
        }
    }

    /// A file that explains its repeats: nothing of it is remembered or bet on, so that the right one takes its place.
    fn explained(place: &Place, explained: Explained) -> Looked {
        let aside = "no deck was looked for: see fresh evidence";
        Looked { explained: Some(explained), ..Looked::without(place, CheckResult::CouldNotSay, aside) }
    }
}

/// What of the decks of a day was seen before.
struct Compared {
    repeats: Repeats,
    /// Of each earlier run of this day how many decks are among these.
    read_before: BTreeMap<u32, u64>,
    /// Whether all of those are the same hands.
    are_hands: bool,
    /// Decks of the other shufflers.
    elsewhere: u64,
}

/// Whether a record says by its time that it is a hand of before this day and of the day of an earlier row: a night that was missed
/// has hands of before this day too.
fn is_early(marks: Option<&Marks>, place: &Place, at: u64, row: u32) -> bool {
    let (span, zone) = place.span;
    let time = marks.and_then(|marks| marks.time(at)).unwrap_or_default();
    let ends = place.line(row).and_then(DayLine::end_seconds).and_then(|ends| u64::try_from(ends).ok());
    let is_before = |second: u64| second < span.start && ends.is_some_and(|ends| second < ends);
    [zone, &TimeZone::UTC].iter().all(|zone| seconds(&time, zone).is_some_and(is_before))
}

/// Compares the decks of a day with each other, with those of earlier days, and with those of the other shufflers.
fn compare(day: &mut Day, place: &Place, others: &[Other]) -> Result<Compared, StepFault> {
    let ids = day.ids();
    let id = |at: u64| ids.as_ref().map_or(0, |ids| ids.of(at));
    let marks = day.marks().cloned();
    let is_early = |at: u64, row: u32| is_early(marks.as_ref(), place, at, row);
    let mut repeats = Repeats::default();
    day.each_repeated(&mut |a, b| repeats.add_pair(a, b, ids.as_ref().map(|ids| (ids.of(a), ids.of(b)))))?;
    let (ends, voided) = (day.files().to_vec(), voided_rows(place.days));
    let (mut read_before, mut are_hands, mut elsewhere) = (BTreeMap::<u32, u64>::new(), true, 0);
    for file in last(place.days) {
        files::compare(&place.folder.join(FOLDER), file, day, &mut |again| {
            let is_named_otherwise = again.id != 0 && ![0, again.id].contains(&id(again.place));
            // What two people voided is no earlier run and no known deck.
            if voided.contains(&(again.row as usize)) {
                return;
            }
            if place.is_again(again.row) && !is_named_otherwise {
                *read_before.entry(again.row).or_default() += 1;
                are_hands &= again.id != 0 && id(again.place) != 0;
            } else {
                repeats.add(0, again, (id(again.place), is_early(again.place, again.row)), &ends)
            }
        })?;
    }
    for (other, whose) in others.iter().zip(1..) {
        let voided = voided_rows(other.days);
        for file in last(other.days) {
            elsewhere += file.decks;
            let see = &mut |again: files::Again| {
                if !voided.contains(&(again.row as usize)) {
                    repeats.add(whose, again, (id(again.place), false), &ends);
                }
            };
            files::compare(&other.folder.join(FOLDER), file, day, see)
                .map_err(|fault| fault.at(other.name))?;
        }
    }
    Ok(Compared { repeats, read_before, are_hands, elsewhere })
}

fn look(day: &mut Day, place: &Place, others: &[Other]) -> Result<Looked, StepFault> {
    if let Some(doubled) = day.doubled()?.filter(|_| day.ids().is_none()) {
        return Ok(Looked::explained(place, twice(doubled, day.decks())));
    }
    let Compared { repeats, read_before, are_hands, elsewhere } = compare(day, place, others)?;
    if let Some(sentence) = part_of_an_earlier_run(place, &read_before, day.decks()) {
        return Ok(Looked::explained(place, sentence.into()));
    }
    let mut proofs = Vec::new();
    let changed = again_in_part(place, &read_before);
    // A file that was exported again is changed by people; a program that ran again may have dealt the decks again.
    let is_export = |Part { is_most, .. }: &Part| place.source_sha256.is_some() || are_hands || *is_most;
    let of = &|whose, row| earlier_day(place, others, whose, row);
    let meaning = repeats.meaning(&Today { day, program: place.program, span: place.span, of });
    if matches!(meaning, Meaning::Nothing)
        && changed.is_none()
        && let Some((at, row)) = day.place_of(&place.unjudged())?
    {
        let date = &place.days[row - 1].day;
        let is_early = is_early(day.marks(), place, at, u32::try_from(row).unwrap_or(u32::MAX));
        let explained = overlap::after_unjudged(at, (row, date, is_early), day, place.program);
        return Ok(Looked::explained(place, explained));
    }
    match (meaning, changed) {
        (Meaning::Nothing | Meaning::Explained(_), Some(part)) if is_export(&part) => {
            let sentence = replaced(&part.sentence, place.source_sha256.is_some());
            return Ok(Looked::explained(place, sentence.into()));
        }
        (Meaning::Explained(explained), None) => return Ok(Looked::explained(place, explained)),
        (Meaning::Proof(sentence), changed) => {
            proofs = [sentence].into_iter().chain(changed.map(|part| part.sentence)).collect();
        }
        (Meaning::Nothing | Meaning::Explained(_), changed) => {
            proofs.extend(changed.map(|part| part.sentence));
        }
    }
    let files = last(place.days);
    let Merged { files: merged, forgotten } =
        files::add(&place.folder.join(FOLDER), files, day, place.row(), cutoff(place, day))?;
    let known: u64 = files.iter().map(|file| file.decks).sum();
    let of_others = match others.len() {
        0 => String::new(),
        1 => format!(" and {} of another shuffler", thousands(elsewhere)),
        many => format!(" and {} of {many} other shufflers", thousands(elsewhere)),
    };
    let decks = counted(day.decks(), "deck", "decks");
    let (among, since) = (format!("{} of earlier days{of_others}", thousands(known)), since(place.days));
    let same = read_before.iter().find(|(_, found)| **found >= day.decks()).map(|(row, _)| *row);
    let check = if proofs.is_empty() {
        let (result, read_before) = earlier_run(place, same, &read_before);
        let forgets = match forgotten {
            0 => String::new(),
            many => format!("; {} of the oldest are remembered no longer (known_decks)", thousands(many)),
        };
        let evidence = format!(
            "{decks}, none of them among {among}, by 96 bits of SHA-256{since}{read_before}{forgets}"
        );
        DayCheck::new(NAME, result, evidence)
    } else {
        DayCheck::stop(NAME, format!("{}; of {decks} and {among}{since}", proofs.join("; ")))
    };
    let line = Some(KnownLine { decks: day.decks(), files: merged });
    let has_repeat = !proofs.is_empty();
    // All decks of an earlier run are here, or there is a proof.
    let at_stake = match read_before.keys().next_back() {
        _ if place.has_forgotten_run() => DecksAtStake::Nothing,
        None => DecksAtStake::All,
        Some(_) if has_repeat || same.is_some() => DecksAtStake::Nothing,
        Some(&row) => DecksAtStake::BesideRow(row as usize),
    };
    Ok(Looked { check, line, has_repeat, at_stake, explained: None })
}

/// What an earlier run of this day adds where no deck came again: it had read some of these decks, `same` all of them.
fn earlier_run(place: &Place, same: Option<u32>, read_before: &BTreeMap<u32, u64>) -> (CheckResult, String) {
    // The same decks in other bytes of a file, such as other line ends: what that row found holds. A program that deals them
    // once more began again.
    let has_passed = |row: u32| {
        place.source_sha256.is_some() && place.line(row).map(DayLine::result) == Some(CheckResult::Passed)
    };
    match (same, read_before.iter().next_back()) {
        (Some(row), _) if has_passed(row) => {
            (CheckResult::Passed, format!("; row {row} judged the same decks on this day, and passed"))
        }
        (Some(_), _) => {
            let evidence = "; an earlier run of this day had read all of them: nothing new was examined";
            (CheckResult::CouldNotSay, evidence.to_owned())
        }
        (None, Some((row, found))) => {
            let evidence = format!(
                "; row {row} had read {} of them on this day, which are bet on once",
                thousands(*found)
            );
            (CheckResult::Passed, evidence)
        }
        (None, None) => (CheckResult::Passed, String::new()),
    }
}

/// Since when decks are known, where two people gave up those of before.
fn since(days: &[DayLine]) -> String {
    let lost = |line: &DayLine| line.event.as_ref().is_some_and(|event| event.known.is_some());
    let row = days.iter().rposition(lost).map_or(0, |place| place + 1);
    match days.get(row.wrapping_sub(1)) {
        Some(line) => format!("; those until {} are lost (row {row}) and not looked for", line.day),
        None => String::new(),
    }
}

/// A file of which every deck is one of an earlier run of this day, and not all of that run's: a copy that was cut off.
fn part_of_an_earlier_run(place: &Place, read_before: &BTreeMap<u32, u64>, decks: u64) -> Option<String> {
    let (&row, _) = read_before.iter().find(|&(&row, &found)| found == decks && found < place.had(row))?;
    Some(format!(
        "all {} are among the {} that row {row} examined on this day, as in a copy that was cut off; copy the whole file and run this day again",
        counted(decks, "deck", "decks"),
        thousands(place.had(row))
    ))
}

/// An earlier run of this day of which some decks are here again.
struct Part {
    sentence: String,
    /// Whether most are, as in an export of which a hand was cancelled: from a generator that was set back it is not told apart.
    is_most: bool,
}

/// An earlier run of this day of which some decks are here again and others are not: a whole file holds all that half of it
/// held; a program that repeats itself need not.
fn again_in_part(place: &Place, read_before: &BTreeMap<u32, u64>) -> Option<Part> {
    read_before.iter().find_map(|(&row, &found)| {
        let had = place.had(row);
        let sentence = || {
            format!(
                "{} of {} decks that row {row} had on this day came up again, and the others did not",
                thousands(found),
                thousands(had)
            )
        };
        (found < had).then(|| Part { sentence: sentence(), is_most: 2 * found > had })
    })
}

/// What an export is that was examined for this day before and holds some other decks now.
fn replaced(sentence: &str, is_file: bool) -> String {
    let what = if is_file {
        "the file was changed after it was examined; put the first one back, or, if this one is right,"
    } else {
        "hands were taken out after they were examined, or a dealer that was set back dealt the others again. If these hands are \
         right,"
    };
    format!("{sentence}: {what} let two people void that row (history --void) and run this day again")
}

/// What is known of the day of a row, of this shuffler or another.
fn earlier_day<'a>(place: &Place<'a>, others: &[Other<'a>], whose: usize, row: u32) -> EarlierDay<'a> {
    let other = whose.checked_sub(1).and_then(|other| others.get(other));
    let days = other.map_or(place.days, |other| other.days);
    let line = days.get((row as usize).wrapping_sub(1));
    let sha256 = line.and_then(|line| line.examined.as_ref()?.source_sha256.as_deref());
    EarlierDay {
        date: line.map_or("an earlier day", |line| line.day.as_str()),
        decks: line.and_then(|line| line.known.as_ref()).map_or(0, |known| known.decks),
        whose: other.map(|other| other.name),
        last_deck: line.and_then(|line| line.export.as_ref()?.last_deck.as_ref()),
        has_outside: line.and_then(|line| line.export.as_ref()?.outside) != Some(0),
        first_times: line.and_then(|line| line.export.as_ref()).map_or(&[], |export| &export.first_times),
        is_same_file: sha256.is_some() && sha256 == place.source_sha256,
    }
}

/// What a file is that holds each deck twice, and no id that would tell hands apart.
fn twice(doubled: Doubled, decks: u64) -> Explained {
    Explained::held_again(
        &format!("{} of {} decks", doubled.words(), thousands(decks)),
        "the file was joined to itself or written twice: copy it anew and run this day again",
    )
}

/// Looks which decks are those of earlier days.
///
/// # Errors
/// What was changed, or cannot be read.
pub fn among(day: &mut Day, folder: &Path, days: &[DayLine], named_max: usize) -> Result<Among, String> {
    let mut is_known = vec![false; usize::try_from(day.decks()).unwrap_or(0)];
    let (mut by_row, voided) = (BTreeMap::<u32, u64>::new(), voided_rows(days));
    for file in last(days) {
        let see = &mut |again: files::Again| {
            if voided.contains(&(again.row as usize)) {
                return;
            }
            let is_first = usize::try_from(again.place).ok().and_then(|place| is_known.get_mut(place));
            if is_first.is_some_and(|known| !std::mem::replace(known, true)) {
                *by_row.entry(again.row).or_default() += 1;
            }
        };
        files::compare(&folder.join(FOLDER), file, day, see).map_err(StepFault::into_words)?;
    }
    let others = (0..).zip(&is_known).filter(|(_, known)| !**known).map(|(place, _)| place);
    let name = |place: u64| {
        if day.marks().is_some_and(Marks::has_names) {
            format!("{} (record {})", day.label(place), thousands(place + 1))
        } else {
            format!("record {}", thousands(place + 1))
        }
    };
    let named = others.clone().take(named_max).map(name).collect();
    let had = |row: u32| days.get((row as usize).wrapping_sub(1)).and_then(|line| line.known.as_ref());
    let is_end =
        by_row.iter().skip(1).all(|(&row, &found)| had(row).is_some_and(|known| known.decks <= found));
    Ok(Among { others: others.count() as u64, named, is_end })
}

/// Reads the files that the last row names, and gives how many decks they have.
///
/// # Errors
/// [`StepFault::Refused`] names the file that is not the one; [`StepFault::Unreadable`].
pub fn recompute(folder: &Path, days: &[DayLine]) -> Result<u64, StepFault> {
    let mut decks = 0;
    for file in last(days) {
        files::recompute(&folder.join(FOLDER), file)?;
        decks += file.decks;
    }
    Ok(decks)
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
    for entry in if_there(fs::read_dir(&folder))?.into_iter().flatten() {
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
