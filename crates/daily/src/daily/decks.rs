//! The decks of a day: counted, held against those of other days, and judged with what their export is.

use std::collections::BTreeSet;
use std::path::Path;

use crate::daily::growing::{Change, Next};
use crate::daily::host::Host;
use crate::daily::job::{DayJob, Decks, NOT_JUDGED};
use crate::daily::resolved::in_keys;
use crate::monitoring::begun_run::{self, BegunRun};
use crate::monitoring::by_table::{ByTable, TablesSeen};
use crate::monitoring::check::{CheckResult, DayCheck};
use crate::monitoring::day::{DayLine, Examined};
use crate::monitoring::explained::Explained;
use crate::monitoring::export::{self, Expectation, ExportFinding};
use crate::monitoring::export_line::ExportSeen;
use crate::monitoring::judge::FRESH;
use crate::monitoring::known;
use crate::monitoring::known::day::Day;
use crate::monitoring::known::watched::{Shared, remembered};
use crate::monitoring::numbering::{self, NumberingNote};
use crate::monitoring::rows::counting;
use crate::monitoring::store::Store;
use deckproof_audit::certificate::AuditResult;
use deckproof_audit::session::Unwatched;
use deckproof_audit::session::extreme::ExtremeDeck;
use deckproof_audit::source::lines::LinesRead;
use deckproof_deck::text::could_not_say::CouldNotSay;
use deckproof_deck::text::decimal::thousands;

impl Decks {
    /// Decks of which nothing is said.
    pub(super) fn unjudged(reason: impl Into<Explained>) -> Decks {
        let fresh = reason.into().check(FRESH);
        Decks {
            fresh,
            live: Err(NOT_JUDGED.to_owned()),
            examined: None,
            day: None,
            by_table: TablesSeen::new(),
            export: None,
            notes: Vec::new(),
            judged: None,
        }
    }

    /// Decks that a row judged for this day.
    pub(super) fn judged_in(store: &Store, row: usize) -> Decks {
        // What that row found of the file holds: nobody mends a file by looking at it twice.
        let found = judged_check(store, row, FRESH);
        let evidence = format!("these are the decks of row {row}, which judged them for this day");
        let fresh = match found.result {
            CheckResult::Passed => DayCheck::passed(FRESH, evidence),
            _ => found,
        };
        Decks { fresh, judged: Some(row), ..Decks::unjudged(String::new()) }
    }
}

fn unjudged(reason: impl Into<Explained>) -> Box<Decks> {
    Box::new(Decks::unjudged(reason))
}

/// The new decks of a source, counted.
struct Counted {
    result: AuditResult,
    by_table: TablesSeen,
    day: Shared,
    examined: Examined,
    change: Option<Change>,
    extreme_deck: Option<ExtremeDeck>,
}

impl DayJob {
    /// The decks of the day, if they are new, of this day, and all of it.
    pub(super) fn judge_decks(
        &self,
        store: &Store,
        folder: &Path,
        host: &Host,
        begun: &mut Option<BegunRun>,
    ) -> Decks {
        match self.count_decks(store, folder, host, begun) {
            Ok(counted) => self.judge_counted(store, folder, counted),
            Err(unjudged) => *unjudged,
        }
    }

    /// Counts the decks that no row has judged, with what is kept of each.
    ///
    /// # Errors
    /// What the day has instead of a judgement.
    fn count_decks(
        &self,
        store: &Store,
        folder: &Path,
        host: &Host,
        begun: &mut Option<BegunRun>,
    ) -> Result<Counted, Box<Decks>> {
        // A copy job that died.
        if let Some(name) = self.config.values("source").iter().find(|source| is_missing(source)) {
            return Err(unjudged(format!("{name}: the file is not there")));
        }
        let Next { audit, change, judged } = self.next_records(store, folder, host).map_err(unjudged)?;
        if let Some(row) = judged {
            return Err(Box::new(Decks::judged_in(store, row)));
        }
        let audit = audit.as_ref().unwrap_or(&self.audit);
        let request = &audit.request;
        let not_read = |CouldNotSay(reason)| {
            let reason = in_keys(&reason, host.options);
            let again = self.came_again(audit, (folder, &reason), host);
            unjudged(again.unwrap_or_else(|| reason.into()))
        };
        let is_remembered = self.steps.known_decks > 0;
        let day = Shared::new(if is_remembered {
            Day::new(&folder.join(known::FOLDER))
        } else {
            Day::forgetting()
        });
        let tables = self.steps.is_per_table.then(ByTable::default);
        let remembering = |source| remembered(source, day.clone(), tables.clone());
        let mut asked = request.ask_through(None, None, host.warn, remembering).map_err(not_read)?;
        let decks = asked.session.plan().decks;
        let source = Examined::of_source(&asked.session.plan().source);
        if let Some(seen) = self.seen(store, &source, decks) {
            return Err(Box::new(seen));
        }
        // A run that is killed from here on is named by the next one that reads other bytes.
        let run = BegunRun { when: (host.time)(), source_sha256: source.source_sha256 };
        let run = begun_run::begin(folder, &self.day.date, run);
        let run = run.map_err(|error| unjudged(format!("begun-{}.json: {error}", self.day.date)))?;
        *begun = Some(run);
        if let Some(tables) = &tables {
            tables.set_statistics(&asked.session.plan().selection());
        }
        let answered = asked.session.answer(host.threads(&self.audit), &Unwatched).map_err(CouldNotSay::from);
        let by_table = tables.map_or_else(|| Ok(TablesSeen::new()), |tables| tables.tables(&self.day.date));
        let (result, by_table) =
            answered.and_then(|result| Ok((result, by_table.map_err(CouldNotSay)?))).map_err(not_read)?;
        let examined = Examined::of_result(&result);
        let known = if has_ids(&day, is_remembered) { examined.of_file() } else { examined.clone() };
        if let Some(seen) = self.seen(store, &known, Some(result.deciding().decks)) {
            return Err(Box::new(seen));
        }
        let extreme_deck = ExtremeDeck::of_files(request, &result);
        Ok(Counted { result, by_table, day, examined, change, extreme_deck })
    }

    /// What the counts say, and what the export is.
    fn judge_counted(&self, store: &Store, folder: &Path, counted: Counted) -> Decks {
        let Counted { result, by_table, day, examined, change, extreme_deck } = counted;
        let (mut export, findings) = self.export(&result, &day, store.days());
        let fault = findings.iter().find_map(|finding| match finding {
            ExportFinding::Fault(fault) => Some(fault.clone()),
            ExportFinding::Note(_) => None,
        });
        // A record that is no deck is proof, whatever else the file is.
        if let Some(fault) = fault.filter(|_| result.deciding().proofs.is_empty()) {
            return Decks { export: Some(export), ..Decks::unjudged(fault) };
        }
        self.keep_end(&mut export, &day.day());
        let mut notes: Vec<String> = findings
            .into_iter()
            .map(|finding| match finding {
                ExportFinding::Note(words) | ExportFinding::Fault(words) => words,
            })
            .collect();
        notes.extend(LinesRead::of(&result.source).and_then(LinesRead::left_open));
        if self.day.window.is_some() && self.day.is_running && !self.steps.is_append_only {
            notes.push(RUNS_ON.to_owned());
        }
        let change = match change {
            Some(Change::Declared(words)) => {
                notes.insert(0, words);
                None
            }
            Some(Change::Undeclared(words)) => Some(words),
            None => None,
        };
        notes.extend(extreme_deck.map(|deck| deck.note()));
        let is_stated = self.audit.request.source.settings.is_given("numbering");
        let numbering = numbering::of_day(store, folder, &result.source, is_stated);
        if let Some(NumberingNote::Changed(words)) = &numbering {
            notes.push(words.clone());
        }
        let mut sentences = notes.clone();
        if let Some(NumberingNote::Assumed(words)) = numbering {
            sentences.push(words);
        }
        if export::is_undated(&result, Some(&export)) {
            sentences.push("whether its hands are of this day was not looked at (no time_column)".to_owned());
        }
        let fresh = fresh_check(store, &self.day.date, &examined, change.as_deref(), &sentences);
        Decks {
            fresh,
            live: Ok(result),
            examined: Some(examined),
            day: (self.steps.known_decks > 0).then_some(day),
            by_table,
            export: Some(export),
            notes,
            judged: None,
        }
    }

    /// What the export of the day is, and what it is not.
    fn export(
        &self,
        result: &AuditResult,
        day: &Shared,
        earlier: &[DayLine],
    ) -> (ExportSeen, Vec<ExportFinding>) {
        let wanted = Expectation {
            span: &self.day.span,
            zone: &self.day.zone,
            date: &self.day.date,
            records_min: self.steps.min_decks,
            is_growing: self.steps.is_append_only,
            is_cut: result.looks().any(|look| look.ends_at_bad_record()),
            earlier,
        };
        let records = result.first.decks + result.repeat.as_ref().map_or(0, |repeat| repeat.decks);
        let (mut seen, mut findings) = export::check(records, day.day().marks(), &wanted);
        seen.deck_place = result.source.text("deck_place").ok().map(str::to_owned);
        findings.extend(export::moved_decks(&seen, &wanted));
        (seen, findings)
    }
}

/// What a run before the end of a gaming day says: the p-values of a day are bet on once.
const RUNS_ON: &str = "the day is not over: run it again when it is. Then all its decks are judged, and of those that came since the evidence over \
                       all days has the counts, and no p-values";

/// Whether the decks are new: what they are, and what a person should know of their file.
fn fresh_check(
    store: &Store,
    date: &str,
    examined: &Examined,
    change: Option<&str>,
    notes: &[String],
) -> DayCheck {
    let hash = examined.source_sha256.as_ref().and_then(|hash| hash.get(..12));
    let what = hash.map_or_else(|| "these decks".to_owned(), |hash| format!("SHA-256 {hash}…"));
    let others = counting(store.days()).filter(|(_, line)| line.examined.is_some() && line.day != date);
    let days: BTreeSet<&str> = others.map(|(_, line)| line.day.as_str()).collect();
    // Single decks are looked for by the step of the known decks.
    let evidence = match days.len() {
        0 => format!("{what}, the first day that this record has"),
        1 => format!("{what}, not the same as on the one other day"),
        many => format!("{what}, not the same as on any of {} other days", thousands(many as u64)),
    };
    let notes: String = notes.iter().map(|note| format!("; {note}")).collect();
    match change {
        None => DayCheck::passed(FRESH, evidence + &notes),
        Some(change) => DayCheck::could_not_say(FRESH, format!("{change}; {evidence}{notes}")),
    }
}

/// Whether equal decks of two days are told apart by the ids of their hands.
pub(super) fn has_ids(day: &Shared, is_remembered: bool) -> bool {
    is_remembered && day.day().ids().is_some_and(|ids| ids.of(0) != 0)
}

/// What the row that judged these decks says of a step.
pub(super) fn judged_check(store: &Store, row: usize, name: &str) -> DayCheck {
    let check = store.days()[row - 1].checks.iter().find(|check| check.name == name);
    match check {
        Some(check) if check.is_set_up() => {
            DayCheck::new(name, check.result, format!("judged in row {row}: {}", check.evidence))
        }
        _ => DayCheck::not_set_up(name, &format!("row {row} did not ask for it: it")),
    }
}

/// Whether a source is a file that is not there. What may be a key is not repeated.
pub(super) fn is_missing(source: &str) -> bool {
    !source.contains(':') && source.contains('.') && !Path::new(source).exists()
}
