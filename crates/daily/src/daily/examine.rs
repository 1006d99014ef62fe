//! The steps of a day, in their order; nothing is written.

use std::path::Path;

use crate::daily::decks::{is_missing, judged_check};
use crate::daily::host::Host;
use crate::daily::job::{DayJob, Examination, Found};
use crate::daily::resolved::{in_keys, is_stream, understand};
use crate::monitoring::begun_run;
use crate::monitoring::check::{CheckResult, DayCheck};
use crate::monitoring::completeness::{self, LogOpened, LogSeen};
use crate::monitoring::day::DayLine;
use crate::monitoring::dealt;
use crate::monitoring::entropy::{self, RESTARTS, Restarts};
use crate::monitoring::export;
use crate::monitoring::gaming_day::missing;
use crate::monitoring::judge::{self, CHAIN, LIVE};
use crate::monitoring::kept_rows::Listed;
use crate::monitoring::replay::{self, HandsSeen, NamedTable, Replay};
use crate::monitoring::rows::counting;
use crate::monitoring::seats::{self, SeatsSeen};
use crate::monitoring::state::{Stop, stops};
use crate::monitoring::store::Store;
use crate::monitoring::{beacon, clone, comparison, fresh_output, identity, noise, restart};
use deckproof_audit::certificate::AuditResult;
use deckproof_audit::session::Unwatched;
use deckproof_deck::key::AuditKey;
use deckproof_deck::text::could_not_say::CouldNotSay;

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

/// The list of files by which the step of code identity passed last before this row; without one that of the row.
fn listed_before(days: &[DayLine], row: usize) -> Option<&str> {
    let is_passed = |line: &DayLine| {
        line.checks.iter().any(|own| own.name == identity::NAME && own.result == CheckResult::Passed)
    };
    let last = counting(days).rfind(|(earlier, line)| *earlier < row && is_passed(line));
    last.map_or(&days[row - 1], |(_, line)| line).listed.as_deref()
}
