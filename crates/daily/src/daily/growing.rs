//! From where on a source that only grows is read, and what became of what was read before.

use std::path::Path;

use crate::daily::host::{DayAudit, Host};
use crate::daily::job::DayJob;
use crate::daily::named_files::bare;
use crate::daily::resolved::{in_keys, understand};
use crate::monitoring::day::{DayLine, Examined};
use crate::monitoring::event::EventKind;
use crate::monitoring::export_line::ExportSeen;
use crate::monitoring::growth::{Changed, FileSeen, Growth, is_plain};
use crate::monitoring::known;
use crate::monitoring::known::day::{Day, key, key_text};
use crate::monitoring::rows::{counting, voided_rows};
use crate::monitoring::store::Store;
use deckproof_audit::source::ask::Opened;
use deckproof_deck::deck::Deck;
use deckproof_deck::deck::block::{BLOCK_HANDS, DeckBlock};
use deckproof_deck::text::could_not_say::CouldNotSay;
use deckproof_deck::text::decimal::thousands;

/// From where on a growing source is read, and what became of what was read before.
#[derive(Default)]
pub(super) struct Next {
    /// The audit of the records after the last one that was examined; none where all are new.
    pub audit: Option<DayAudit>,
    /// What a person should know of those before.
    pub change: Option<Change>,
    /// The row of this day or a later one that examined the last record, where none came since.
    pub judged: Option<usize>,
}

/// What follows the last record that was examined.
enum Rest {
    /// Records, or whatever reading them will say.
    Records,
    /// Nothing.
    Nothing,
    /// Nothing, and what was examined is not what is there.
    OtherBytes,
}

/// What became of the part that was examined.
pub(super) enum Change {
    /// Its beginning went, as the configuration says that it does.
    Declared(String),
    /// Somebody changed it.
    Undeclared(String),
}

/// Letters of an id that a row keeps.
const ID_LETTERS_MAX: usize = 100;

/// Records that are named.
const NAMED_MAX: usize = 3;

impl DayJob {
    /// The one file of a source that only grows, where its bytes are those of its records.
    fn growing_file(&self) -> Option<&Path> {
        let [source] = self.config.values("source") else { return None };
        let path = Path::new(bare(source));
        (path.is_file() && is_plain(path)).then_some(path)
    }

    /// Adds the last deck, and what the next night needs to go on after the last record of a source that only grows.
    pub(super) fn keep_end(&self, export: &mut ExportSeen, day: &Day) {
        export.last_deck = day.last_key().map(|key| key_text(&key));
        if !self.steps.is_append_only {
            return;
        }
        export.file = self.growing_file().and_then(|path| FileSeen::of(path).ok());
        let id = day.marks().zip(export.records.checked_sub(1)).and_then(|(marks, last)| marks.id(last));
        export.last_id = id.filter(|id| id.len() <= ID_LETTERS_MAX);
    }

    /// For a source that only grows: the same audit of the records after the last one that was examined.
    pub(super) fn next_records(&self, store: &Store, folder: &Path, host: &Host) -> Result<Next, String> {
        if !self.steps.is_append_only {
            return Ok(Next::default());
        }
        if let Some((first, last)) = self.voided_records(store.days()) {
            if self.steps.keeps_days.is_some() {
                return Err(format!(
                    "the records {first} to {last} of {}, whose row was voided, may have other numbers since their beginning went \
                     (keeps_days): judge them by deckproof audit",
                    self.day.date
                ));
            }
            let moved =
                self.moved_to(store.days()).map_err(|CouldNotSay(reason)| in_keys(&reason, host.options))?;
            let Some(last) =
                moved.and_then(|moved| last.checked_add_signed(moved)).filter(|&last| last >= first)
            else {
                return Err(format!(
                    "the records of {}, whose row was voided, are not found: the last record that later rows examined is not behind them; \
                     put the file back and run this day again",
                    self.day.date
                ));
            };
            return Ok(Next { audit: self.audit_of(&format!("{first}..{last}"), host), ..Next::default() });
        }
        let Some((row, line)) = last_in_order(store.days()) else { return Ok(Next::default()) };
        // A day before the last one that was judged has its records: what is new is of a later day.
        let is_own = |(_, own): &(usize, &DayLine)| own.day == self.day.date && own.certificate.is_some();
        if let Some((own, _)) = counting(store.days()).rfind(is_own).filter(|_| self.day.date < line.day) {
            return Ok(Next { judged: Some(own), ..Next::default() });
        }
        let before = examined_until(line);
        let in_keys = |CouldNotSay(reason)| in_keys(&reason, host.options);
        let (place, change) = match self.growth(line, before).map_err(in_keys)? {
            Growth::Same => match self.rest(line, before).map_err(in_keys)? {
                Rest::Records => (before, None),
                Rest::Nothing if line.day >= self.day.date && line.certificate.is_some() => {
                    return Ok(Next { judged: Some(row), ..Next::default() });
                }
                Rest::Nothing => {
                    return Err(format!(
                        "the export has not grown: row {row} ({}) examined its last record, number {}",
                        line.day,
                        thousands(before)
                    ));
                }
                Rest::OtherBytes => {
                    return Err(format!(
                        "the export has the {} records that row {row} ({}) examined, and its bytes are others: records were replaced, or \
                         it was packed anew",
                        thousands(before),
                        line.day
                    ));
                }
            },
            Growth::Changed { line: from, lines_after } => {
                let seen = (before, from, lines_after);
                let changed = self.changed(store, folder, line, seen).map_err(in_keys)?;
                let words = changed.words(self.steps.keeps_days);
                if changed.place.is_some() && changed.after == 0 {
                    return Err(words);
                }
                let change = if self.steps.keeps_days.is_some() && changed.is_retention() {
                    Change::Declared(words)
                } else if let Some((voided, decks)) = voided_since(store.days(), row)
                    && changed.is_of_others(decks)
                {
                    Change::Declared(changed.words_after_void(voided))
                } else {
                    Change::Undeclared(words)
                };
                (changed.place.ok_or_else(|| changed.words(None))?, Some(change))
            }
        };
        Ok(Next { audit: self.audit_of(&format!("{}..", place + 1), host), change, judged: None })
    }

    /// The audit of some records.
    fn audit_of(&self, records: &str, host: &Host) -> Option<DayAudit> {
        let mut config = self.config.clone();
        config.set("records", records.to_owned());
        understand("", &config, host.options).ok()
    }

    /// The records of this day that a voided row examined, where a later row examined what follows them: no row has judged them.
    fn voided_records(&self, days: &[DayLine]) -> Option<(u64, u64)> {
        let date = &self.day.date;
        let examined: Vec<(usize, &DayLine)> =
            counting(days).filter(|(_, line)| line.examined.is_some()).collect();
        let is_passed_over = |row: usize| examined.iter().any(|(other, _)| *other > row);
        let voided = voided_rows(days).into_iter().rev().filter(|&row| is_passed_over(row));
        let line = voided
            .filter_map(|row| days.get(row - 1))
            .find(|line| line.day == *date && line.examined.is_some())?;
        let is_judged = examined.iter().any(|(_, line)| line.day == *date);
        let records = line.examined.as_ref()?.records;
        (!is_judged).then(|| records.unwrap_or((1, line.decks)))
    }

    /// By how many records the last one that was examined is further behind than it was, where it is there: a file whose wrong
    /// part was put right has more there, or fewer.
    fn moved_to(&self, days: &[DayLine]) -> Result<Option<i64>, CouldNotSay> {
        let Some((_, line)) = last_in_order(days) else { return Ok(Some(0)) };
        let before = examined_until(line);
        let place = match self.growth(line, before)? {
            Growth::Same => Some(before),
            Growth::Changed { lines_after, .. } => {
                self.place_of_last(line, before, lines_after, &mut self.open_all()?)?
            }
        };
        let moved = |place: u64| i64::try_from(place).ok()?.checked_sub(i64::try_from(before).ok()?);
        Ok(place.and_then(moved))
    }

    /// What follows the last record that was examined: of a plain file, whose bytes before it were compared, by its length, else
    /// by the number of records and the hash of all files.
    fn rest(&self, line: &DayLine, before: u64) -> Result<Rest, CouldNotSay> {
        let seen = line.export.as_ref().and_then(|export| export.file.as_ref());
        if let Some((seen, path)) = seen.zip(self.growing_file()) {
            let is_as_long = path.metadata().is_ok_and(|now| now.len() == seen.bytes);
            return Ok(if is_as_long { Rest::Nothing } else { Rest::Records });
        }
        let now = self.open_all()?;
        let hash = Examined::of_source(&now.record).source_sha256;
        let is_same = line.examined.as_ref().is_some_and(|seen| hash.is_some() && seen.source_sha256 == hash);
        Ok(match (now.decks == Some(before), is_same) {
            (false, _) => Rest::Records,
            (true, true) => Rest::Nothing,
            (true, false) => Rest::OtherBytes,
        })
    }

    /// Whether the part that was examined is as it was: by its bytes in a plain file, else by its last deck.
    fn growth(&self, line: &DayLine, before: u64) -> Result<Growth, CouldNotSay> {
        let Some(export) = &line.export else { return Ok(Growth::Same) };
        if let Some((seen, path)) = export.file.as_ref().zip(self.growing_file()) {
            return seen.growth(path).map_err(|error| CouldNotSay(format!("{}: {error}", path.display())));
        }
        let Some((last, wanted)) = before.checked_sub(1).zip(export.last_deck.as_ref()) else {
            return Ok(Growth::Same);
        };
        Ok(if deck_at(&mut self.open_all()?, last)?.as_ref() == Some(wanted) {
            Growth::Same
        } else {
            Growth::Changed { line: 1, lines_after: None }
        })
    }

    /// All records, whatever range is read of them.
    fn open_all(&self) -> Result<Opened, CouldNotSay> {
        Ok(self.audit.request.source.ask()?.open(None)?)
    }

    /// Where the record that was examined last is now, and what comes before it.
    fn changed(
        &self,
        store: &Store,
        folder: &Path,
        line: &DayLine,
        (before, from, lines_after): (u64, u64, Option<u64>),
    ) -> Result<Changed, CouldNotSay> {
        let mut opened = self.open_all()?;
        let records = opened.decks.unwrap_or(0);
        let place = self.place_of_last(line, before, lines_after, &mut opened)?;
        let after = records.saturating_sub(place.unwrap_or(records));
        let mut changed = Changed { before, line: from, place, after, known: None };
        let Some(place) = place.filter(|_| self.steps.known_decks > 0) else { return Ok(changed) };
        let mut day = Day::new(&folder.join(known::FOLDER));
        day.name(opened.source.marks(), opened.source.files());
        each_deck(&mut opened, 0..place, &mut |at, deck| day.add(&key(deck), at))?;
        changed.known = Some(known::among(&mut day, folder, store.days(), NAMED_MAX).map_err(CouldNotSay)?);
        Ok(changed)
    }

    /// How many records there are up to the last one that was examined, if that is there.
    fn place_of_last(
        &self,
        line: &DayLine,
        before: u64,
        lines_after: Option<u64>,
        opened: &mut Opened,
    ) -> Result<Option<u64>, CouldNotSay> {
        let records = opened.decks.unwrap_or(0);
        let export = line.export.clone().unwrap_or_default();
        Ok(match (&export.last_id, &export.last_deck) {
            (Some(id), last) if opened.source.marks().is_some_and(|marks| marks.has_names()) => {
                match last_of_id(opened, records, id) {
                    // The ids may be written otherwise than they were: then the deck is where it was.
                    None if before > 0 && last.is_some() && deck_at(opened, before - 1)? == *last => {
                        Some(before)
                    }
                    place => place,
                }
            }
            (_, Some(wanted)) => {
                let mut place = None;
                each_deck(opened, 0..records, &mut |at, deck| {
                    if key_text(&key(deck)) == *wanted {
                        place = Some(at + 1);
                    }
                })?;
                place
            }
            _ => lines_after.map(|after| records.saturating_sub(after)),
        })
    }
}

/// The number of the last record that a row examined.
fn examined_until(line: &DayLine) -> u64 {
    let records = line.examined.as_ref().and_then(|examined| examined.records);
    records.map_or(line.decks, |(_, last)| last)
}

/// The last row that two people voided after this one was written, and how many decks the rows have that were.
fn voided_since(days: &[DayLine], row: usize) -> Option<(usize, u64)> {
    let events = days.iter().skip(row).filter_map(|line| line.event.as_ref());
    let voided: Vec<usize> =
        events.filter(|event| event.kind == EventKind::Voided).map(|event| event.row).collect();
    let decks = voided.iter().filter_map(|row| days.get(row - 1)).map(|line| line.decks).sum();
    voided.last().map(|&last| (last, decks))
}

/// The row that examined the last records. One that judged the records of a voided row late, after others had gone on, is not it.
fn last_in_order(days: &[DayLine]) -> Option<(usize, &DayLine)> {
    let examined: Vec<(usize, &DayLine)> =
        counting(days).filter(|(_, line)| line.examined.is_some()).collect();
    let voided = voided_rows(days);
    let is_late = |row: usize, line: &DayLine| {
        let own = voided
            .range(..row)
            .filter(|&&voided| days.get(voided - 1).is_some_and(|own| own.day == line.day));
        own.min().is_some_and(|&voided| examined.iter().any(|&(other, _)| voided < other && other < row))
    };
    examined.iter().rev().find(|(row, line)| !is_late(*row, line)).copied()
}

/// How many records there are up to the last one of an id.
fn last_of_id(opened: &Opened, records: u64, id: &str) -> Option<u64> {
    let (mut at, mut place) = (0, None);
    opened.source.marks()?.each(records, |own, _| {
        at += 1;
        place = if own == id { Some(at) } else { place };
    });
    place
}

/// The fingerprint of one deck, if there are so many.
fn deck_at(opened: &mut Opened, place: u64) -> Result<Option<String>, CouldNotSay> {
    let mut own = None;
    each_deck(opened, place..place + 1, &mut |_, deck| own = Some(key_text(&key(deck))))?;
    Ok(own)
}

/// Shows decks in their order, each with its place.
fn each_deck(
    opened: &mut Opened,
    places: std::ops::Range<u64>,
    see: &mut dyn FnMut(u64, &Deck),
) -> Result<(), CouldNotSay> {
    let mut block = DeckBlock::default();
    let mut first = places.start - places.start % BLOCK_HANDS as u64;
    while first < places.end {
        let filled = opened.source.fill(first, &mut block);
        filled.map_err(|error| CouldNotSay(error.to_string()))?;
        for (lane, at) in (0..block.hands()).zip(first..).filter(|(_, at)| places.contains(at)) {
            see(at, &block.deck(lane));
        }
        if block.hands() < BLOCK_HANDS {
            return Ok(());
        }
        first += BLOCK_HANDS as u64;
    }
    Ok(())
}
