//! The steps of a day, in their order; nothing is written.

use std::collections::BTreeSet;
use std::path::Path;

use crate::daily::growing::{Change, Next};
use crate::daily::host::Host;
use crate::daily::job::{DayJob, Decks, Examination, Found, NOT_JUDGED};
use crate::daily::resolved::{in_keys, is_stream, understand};
use crate::monitoring::begun_run::{self, BegunRun};
use crate::monitoring::by_table::{ByTable, TablesSeen};
use crate::monitoring::check::{CheckResult, DayCheck};
use crate::monitoring::completeness::{self, LogOpened, LogSeen};
use crate::monitoring::day::{DayLine, Examined};
use crate::monitoring::dealt;
use crate::monitoring::entropy::{self, RESTARTS, Restarts};
use crate::monitoring::explained::Explained;
use crate::monitoring::export::{self, Expectation, ExportFinding};
use crate::monitoring::export_line::ExportSeen;
use crate::monitoring::gaming_day::missing;
use crate::monitoring::judge::{self, CHAIN, FRESH, LIVE};
use crate::monitoring::kept_rows::Listed;
use crate::monitoring::known;
use crate::monitoring::known::day::Day;
use crate::monitoring::known::watched::{Shared, remembered};
use crate::monitoring::numbering::{self, NumberingNote};
use crate::monitoring::replay::{self, HandsSeen, NamedTable, Replay};
use crate::monitoring::rows::counting;
use crate::monitoring::seats::{self, SeatsSeen};
use crate::monitoring::state::{Stop, stops};
use crate::monitoring::store::Store;
use crate::monitoring::{beacon, clone, comparison, fresh_output, identity, noise, restart};
use deckproof_audit::certificate::AuditResult;
use deckproof_audit::session::Unwatched;
use deckproof_audit::session::extreme::ExtremeDeck;
use deckproof_audit::source::lines::LinesRead;
use deckproof_deck::key::AuditKey;
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

/// What the last day that had one says of something.
fn last<'a, T>(days: &'a [DayLine], of: impl Fn(&'a DayLine) -> Option<&'a T>) -> Option<&'a T> {
    days.iter().rev().find_map(of)
}

/// What a step found when it was done last.
fn last_check<'a>(days: &'a [DayLine], name: &str) -> Option<&'a DayCheck> {
    last(days, |line| line.checks.iter().find(|own| own.name == name))
}

impl DayJob {
    /// Every step in order.
    pub(super) fn examine(&self, store: &Store, folder: &Path, host: &Host) -> Examination {
        let mut begun = None;
        let decks = self.judge_decks(store, folder, host, &mut begun);
        if let Some(row) = decks.judged.and_then(|row| self.ended(store, row)) {
            // What cannot be removed is named by the next run.
            let _ = begun_run::end(folder, &self.day.date, begun.as_slice());
            return Examination::Judged(row);
        }
        let (identified, listed) = self.identity(store.days());
        let mut checks = vec![decks.fresh.clone(), self.chain(store), identified];
        checks.push(fresh_output::known_answers(
            self.steps.selftest.then(|| host.threads(&self.audit)),
            host.tool,
        ));
        checks.push(self.entropy());
        checks.push(match &self.steps.restart {
            Some(words) => restart::check(words, self.steps.restarts),
            None => DayCheck::not_set_up(restart::NAME, "restart"),
        });
        let opened = self.steps.log.as_ref().map(completeness::LogAsked::open);
        let (complete, log) = match &opened {
            None => (DayCheck::not_set_up(completeness::NAME, "log"), None),
            Some(Err(fault)) => (fault.check(completeness::NAME), None),
            Some(Ok(opened)) => {
                let rows = store.days().iter().rev();
                let seen = rows.filter_map(|line| Some((line.day.as_str(), line.log.as_ref()?)));
                opened.check(seen, &self.day.date)
            }
        };
        checks.push(complete);
        let tables = NamedTable::all(&self.steps.tables);
        let (seated, seats) = self.seats(&tables, store.days());
        checks.push(seated);
        let opened = opened.as_ref().and_then(|opened| opened.as_ref().ok());
        let (replayed, hands) = self.replay(&tables, store, opened, log.as_ref());
        checks.push(replayed);
        let judged = |name: &str| Some(judged_check(store, decks.judged?, name));
        checks.push(match &decks.live {
            Ok(result) => {
                let live = judge::live(result, store.days(), &self.day.date, self.steps.is_append_only);
                judge::beside_left_out(live, result, decks.export.as_ref().and_then(export::left_out))
            }
            Err(reason) => judged(LIVE).unwrap_or_else(|| DayCheck::could_not_say(LIVE, reason.as_str())),
        });
        checks.push(
            judged(comparison::NAME)
                .unwrap_or_else(|| self.likeness(decks.live.as_ref().ok(), store.days(), host)),
        );
        let (dealt_check, dealt) = if self.steps.dealt.is_empty() {
            (DayCheck::not_set_up(dealt::NAME, "dealt"), None)
        } else {
            dealt::check(&self.steps.dealt, store.days(), &self.day.date)
        };
        checks.push(dealt_check);
        let (fresh_check, fresh) = match self.steps.fresh_decks {
            0 => (DayCheck::not_set_up(fresh_output::NAME, "a number above 0 as fresh_decks"), None),
            decks => fresh_output::check(decks, host.threads(&self.audit)),
        };
        checks.push(fresh_check);
        Examination::Found(Box::new(Found { checks, decks, log, hands, seats, fresh, dealt, listed, begun }))
    }

    /// The last row of this day, if it passed on the decks that this row judged; or this row, whatever it found, if it is of a later
    /// day: nothing is left for this one.
    fn ended(&self, store: &Store, judged: usize) -> Option<usize> {
        if store.days()[judged - 1].day > self.day.date {
            return Some(judged);
        }
        let (row, line) = counting(store.days()).rfind(|(_, line)| line.day == self.day.date)?;
        let is_of_them = row == judged || line.judged == Some(judged);
        (is_of_them && line.result() == CheckResult::Passed).then_some(row)
    }

    fn identity(&self, days: &[DayLine]) -> (DayCheck, Option<String>) {
        let Some(identified) = &self.steps.identified else {
            return (DayCheck::not_set_up(identity::NAME, "manifest"), None);
        };
        let (check, listed) = identity::check(identified);
        let stop = stops(days).into_iter().find(|stop| stop.step == identity::NAME);
        // Whoever makes a list decides nothing: the files that were listed pass again, or two people end the stop.
        let is_anew = |stop: &Stop| {
            check.result == CheckResult::Passed && listed.as_deref() != listed_before(days, stop.row)
        };
        let Some(Stop { day, row, .. }) = stop.filter(is_anew) else { return (check, listed) };
        let anew = format!(
            "the list was made anew after the stop of {day} (row {row}), which two people end (history --lift {row}): {}",
            check.evidence
        );
        (DayCheck::could_not_say(identity::NAME, anew), listed)
    }

    /// What the last row of an earlier day says of something: a day that is judged again has its hands anew.
    fn before<'a, T>(&self, days: &'a [DayLine], of: impl Fn(&'a DayLine) -> Option<&'a T>) -> Option<&'a T> {
        days.iter().rev().filter(|line| line.day < self.day.date).find_map(of)
    }

    fn seats(&self, tables: &Result<Vec<NamedTable>, String>, days: &[DayLine]) -> (DayCheck, SeatsSeen) {
        let of = |line| Some(line).map(|line: &DayLine| &line.seats).filter(|seats| !seats.is_empty());
        let before = self.before(days, of).cloned().unwrap_or_default();
        match tables {
            Ok(tables) if tables.is_empty() => {
                (DayCheck::not_set_up(seats::NAME, "tables"), SeatsSeen::new())
            }
            Ok(tables) => {
                let (check, seen) = seats::check(tables, &before);
                (NamedTable::beside_missing(tables, seen.keys(), check, last_check(days, seats::NAME)), seen)
            }
            Err(reason) => (DayCheck::could_not_say(seats::NAME, reason.as_str()), before),
        }
    }

    /// The sample is drawn from the log as it is, or the last row, and from the beacon.
    fn replay(
        &self,
        tables: &Result<Vec<NamedTable>, String>,
        store: &Store,
        opened: Option<&LogOpened>,
        log: Option<&LogSeen>,
    ) -> (DayCheck, HandsSeen) {
        if self.steps.tables.is_empty() {
            return (DayCheck::not_set_up(replay::NAME, "tables"), HandsSeen::new());
        }
        let of = |line| Some(line).map(|line: &DayLine| &line.hands).filter(|hands| !hands.is_empty());
        // The hand of an active stop is the first after those that the newest row has.
        let is_stopped = stops(store.days()).iter().any(|stop| stop.step == replay::NAME);
        let before = if is_stopped { last(store.days(), of) } else { self.before(store.days(), of) };
        let before = before.cloned().unwrap_or_default();
        let tables = match tables {
            Ok(tables) => tables,
            Err(reason) => {
                return (DayCheck::could_not_say(replay::NAME, reason.as_str()), before);
            }
        };
        let day = beacon::DrawnDay { span: self.day.span.clone(), is_running: self.day.is_running };
        let value = self.steps.beacon.as_deref().map(|path| beacon::read(path, &day));
        let value = match value.transpose() {
            Ok(value) => value,
            Err(fault) => return (fault.check(replay::NAME), before),
        };
        let head = log.map_or(store.last_sha256(), |log| log.root.clone());
        let draw = format!("{head}\n{}", value.as_ref().map_or("no beacon", |value| &value.randomness));
        let replay = Replay {
            tables,
            hands: self.steps.replay_hands,
            is_stopped,
            log: opened,
            draw: &draw,
            drawn_by: &value.map_or_else(|| beacon::NONE.to_owned(), |value| value.words),
        };
        let (check, seen) = replay::check(&replay, &before);
        let before = last_check(store.days(), replay::NAME);
        (NamedTable::beside_missing(tables, seen.keys(), check, before), seen)
    }

    /// The day's decks beside those of another kind of game.
    fn likeness(&self, live: Option<&AuditResult>, earlier: &[DayLine], host: &Host) -> DayCheck {
        let Some(source) = &self.steps.compare else {
            return DayCheck::not_set_up(comparison::NAME, "compare");
        };
        let silent = |reason: String| DayCheck::could_not_say(comparison::NAME, reason);
        let Some(live) = live else { return silent("the decks of the day were not judged".to_owned()) };
        if is_missing(source) {
            return silent(format!("{source}: the file is not there"));
        }
        let mut config = self.config.clone();
        config.options.retain(|option| option.name != "records" && option.name != "decks");
        config.set("source", source.clone());
        if !is_stream(&config) {
            // A file is never silent, and takes no timeout.
            config.remove("timeout");
        }
        let counted = understand("", &config, host.options)
            .map_err(|error| CouldNotSay(error.to_string()))
            .and_then(|other| {
                let mut asked = other.request.ask(None, None, host.warn)?;
                Ok(asked.session.answer(host.threads(&self.audit), &Unwatched)?)
            });
        match counted {
            Err(CouldNotSay(reason)) => silent(in_keys(&reason, host.options)),
            Ok(other) => comparison::check(live, &other, source, earlier, &self.day.date),
        }
    }

    /// The decks of the day, if they are new, of this day, and all of it.
    fn judge_decks(&self, store: &Store, folder: &Path, host: &Host, begun: &mut Option<BegunRun>) -> Decks {
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

    fn chain(&self, store: &Store) -> DayCheck {
        let days = counting(store.days()).map(|(_, line)| line.day.as_str());
        let missing = missing(days, &self.day.date);
        let (last, gone) = (store.last_sha256(), store.certificates_gone);
        let mut check = judge::chain(store.days(), &self.day.date, &last, gone, &missing);
        if matches!(store.has_named_bets(), Ok(false)) {
            check.evidence += "; the bets that were kept are not those of the last row, and are made again from the certificates";
        }
        let Some((path, listed)) = self.steps.kept_rows.as_ref().zip(self.listed(Some(store))) else {
            return check;
        };
        let place = path.display();
        let fault = match &listed {
            Ok(listed) => listed.fault(path, store.lines()),
            Err(fault) => Some(format!("{place}: {fault}; the rows were not compared with it")),
        };
        if let Ok(Listed::Rows(rows)) = listed {
            check.evidence += &format!("; {rows} of them stand in {place} too");
        }
        fault.map_or(check, |fault| DayCheck::could_not_say(CHAIN, fault))
    }

    fn entropy(&self) -> DayCheck {
        let source = self.steps.entropy_source.as_deref();
        let bytes = source.map_or_else(noise::operating_system, noise::read);
        let restarts = Restarts::run(RESTARTS, AuditKey::fresh).map_err(|error| error.to_string());
        match (bytes, restarts) {
            (Ok(bytes), Ok(restarts)) => {
                let mut check = entropy::check(&bytes, self.steps.claim, source, &restarts, &clone::check());
                // Nothing refuses it where no log is kept.
                if check.result == CheckResult::Passed && self.steps.log.is_some() {
                    check.evidence += "; a copied key state is refused by the log";
                }
                check
            }
            (Err(reason), _) | (_, Err(reason)) => DayCheck::could_not_say(entropy::NAME, reason),
        }
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

/// The list of files by which the step of code identity passed last before this row; without one that of the row.
fn listed_before(days: &[DayLine], row: usize) -> Option<&str> {
    let is_passed = |line: &DayLine| {
        line.checks.iter().any(|own| own.name == identity::NAME && own.result == CheckResult::Passed)
    };
    let last = counting(days).rfind(|(earlier, line)| *earlier < row && is_passed(line));
    last.map_or(&days[row - 1], |(_, line)| line).listed.as_deref()
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
fn is_missing(source: &str) -> bool {
    !source.contains(':') && source.contains('.') && !Path::new(source).exists()
}
