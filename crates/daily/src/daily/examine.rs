//! The steps of a day, in their order; nothing is written.

use std::path::Path;

use crate::daily::host::{DayAudit, Host};
use crate::daily::job::{DayJob, Found};
use crate::daily::understood::{in_keys, is_stream, understand};
use crate::monitoring::by_table::{ByTable, TablesSeen};
use crate::monitoring::check::{CheckResult, DayCheck};
use crate::monitoring::completeness::{self, LogOpened, LogSeen};
use crate::monitoring::entropy::{self, RESTARTS, Restarts};
use crate::monitoring::gaming_day::missing;
use crate::monitoring::judge::{self, FRESH, LIVE};
use crate::monitoring::kept_rows::Listed;
use crate::monitoring::known::day::Day;
use crate::monitoring::known::watched::{Shared, remembered};
use crate::monitoring::known::{self};
use crate::monitoring::line::{DayLine, Examined};
use crate::monitoring::replay::{self, HandsSeen, Replay};
use crate::monitoring::seats::{self, SeatsSeen};
use crate::monitoring::store::Store;
use crate::monitoring::{beacon, clone, fresh_output, identity, likeness, noise, restart};
use deckproof_audit::certificate::AuditResult;
use deckproof_audit::session::Unwatched;
use deckproof_deck::key::AuditKey;
use deckproof_deck::text::could_not_say::CouldNotSay;
use deckproof_stats::math::decimal::thousands;

/// The decks of the day: whether they are new, what they say, and what they are.
struct Decks {
    fresh: DayCheck,
    live: Result<AuditResult, String>,
    examined: Option<Examined>,
    day: Option<Shared>,
    by_table: TablesSeen,
}

/// What the last day that had one says of something.
fn last<'a, T>(days: &'a [DayLine], of: impl Fn(&'a DayLine) -> Option<&'a T>) -> Option<&'a T> {
    days.iter().rev().find_map(of)
}

impl DayJob {
    /// Every step in order.
    pub(super) fn examine(&self, store: &Store, folder: &Path, host: &Host) -> Found {
        let decks = self.judge_decks(store, folder, host);
        let mut checks = vec![decks.fresh.clone(), self.chain(store), self.identity()];
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
            Some(Ok(opened)) => opened.check(last(store.days(), |line| line.log.as_ref())),
        };
        checks.push(complete);
        let (seated, seats) = self.seats(store.days());
        checks.push(seated);
        let opened = opened.as_ref().and_then(|opened| opened.as_ref().ok());
        let (replayed, hands) = self.replay(store, opened, log.as_ref());
        checks.push(replayed);
        checks.push(match &decks.live {
            Ok(result) => judge::live(result, store.days(), &self.day.date),
            Err(reason) => DayCheck::new(LIVE, CheckResult::CouldNotSay, reason.as_str()),
        });
        checks.push(self.likeness(decks.live.as_ref().ok(), store.days(), host));
        let (fresh_check, fresh) = match self.steps.fresh_decks {
            0 => (DayCheck::not_set_up(fresh_output::NAME, "a number above 0 as fresh_decks"), None),
            decks => fresh_output::check(decks, host.threads(&self.audit)),
        };
        checks.push(fresh_check);
        let Decks { live, examined, day, by_table, .. } = decks;
        Found { checks, live, examined, log, hands, seats, fresh, day, by_table }
    }

    fn identity(&self) -> DayCheck {
        match &self.steps.identified {
            Some(identified) => identity::check(identified),
            None => DayCheck::not_set_up(identity::NAME, "manifest"),
        }
    }

    fn seats(&self, days: &[DayLine]) -> (DayCheck, SeatsSeen) {
        let of = |line| Some(line).map(|line: &DayLine| &line.seats).filter(|seats| !seats.is_empty());
        let before = last(days, of);
        match self.steps.tables.is_empty() {
            true => (DayCheck::not_set_up(seats::NAME, "tables"), SeatsSeen::new()),
            false => seats::check(&self.steps.tables, before.unwrap_or(&SeatsSeen::new())),
        }
    }

    /// The sample is drawn from the log as it is, or the last row, and from the beacon.
    fn replay(
        &self,
        store: &Store,
        opened: Option<&LogOpened>,
        log: Option<&LogSeen>,
    ) -> (DayCheck, HandsSeen) {
        if self.steps.tables.is_empty() {
            return (DayCheck::not_set_up(replay::NAME, "tables"), HandsSeen::new());
        }
        let of = |line| Some(line).map(|line: &DayLine| &line.hands).filter(|hands| !hands.is_empty());
        let before = last(store.days(), of).cloned().unwrap_or_default();
        let day = beacon::DrawnDay { span: self.day.span.clone(), is_running: self.day.is_running };
        let value = self.steps.beacon.as_deref().map(|path| beacon::read(path, &day));
        let value = match value.transpose() {
            Ok(value) => value,
            Err(fault) => return (fault.check(replay::NAME), before),
        };
        let head = log.map_or(store.last_sha256(), |log| log.root.clone());
        let draw = format!("{head}\n{}", value.as_ref().map_or("no beacon", |value| &value.randomness));
        let replay = Replay {
            tables: &self.steps.tables,
            hands: self.steps.replay_hands,
            log: opened,
            draw: &draw,
            drawn_by: &value.map_or_else(beacon::without, |value| value.words),
        };
        replay::check(&replay, &before)
    }

    /// The day's decks beside those of another kind of game.
    fn likeness(&self, live: Option<&AuditResult>, earlier: &[DayLine], host: &Host) -> DayCheck {
        let Some(source) = &self.steps.compare else {
            return DayCheck::not_set_up(likeness::NAME, "compare");
        };
        let silent = |reason: String| DayCheck::new(likeness::NAME, CheckResult::CouldNotSay, reason);
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
                let mut asked = other.question.ask(None, None, host.warn)?;
                Ok(asked.session.answer(host.threads(&self.audit), &Unwatched)?)
            });
        match counted {
            Err(CouldNotSay(reason)) => silent(in_keys(&reason, host.options)),
            Ok(other) => likeness::check(live, &other, source, earlier, &self.day.date),
        }
    }

    /// The decks of the day, if they are new.
    fn judge_decks(&self, store: &Store, folder: &Path, host: &Host) -> Decks {
        let not_new = |reason: String| {
            let judged = "the decks were not judged: see fresh evidence".to_owned();
            let fresh = DayCheck::new(FRESH, CheckResult::CouldNotSay, reason);
            Decks { fresh, live: Err(judged), examined: None, day: None, by_table: TablesSeen::new() }
        };
        if let Some(name) = self.missing_file() {
            return not_new(format!("{name}: the file is not there"));
        }
        let again = self.next_records(store, host);
        let question = &again.as_ref().unwrap_or(&self.audit).question;
        let day = (self.steps.known_decks > 0).then(|| Shared::new(Day::new(&folder.join(known::FOLDER))));
        let tables = self.steps.is_per_table.then(ByTable::default);
        let asked = question
            .ask_through(None, None, host.warn, |source| remembered(source, day.clone(), tables.clone()));
        let mut asked = match asked {
            Ok(asked) => asked,
            Err(CouldNotSay(reason)) => return not_new(in_keys(&reason, host.options)),
        };
        let examined = Examined::of_source(&asked.session.plan().source);
        if let Some(seen) = store.seen(&examined) {
            return not_new(seen);
        }
        if let Some(tables) = &tables {
            tables.set_statistics(&asked.session.plan().selection());
        }
        let answered = asked.session.answer(host.threads(&self.audit), &Unwatched).map_err(CouldNotSay::from);
        let by_table = tables.map_or_else(|| Ok(TablesSeen::new()), |tables| tables.tables(&self.day.date));
        match answered.and_then(|result| Ok((result, by_table.map_err(CouldNotSay)?))) {
            Err(CouldNotSay(reason)) => not_new(in_keys(&reason, host.options)),
            Ok((result, by_table)) => {
                let examined = Examined::of_result(&result);
                if let Some(seen) = store.seen(&examined) {
                    return not_new(seen);
                }
                let hash = examined.source_sha256.as_ref().and_then(|hash| hash.get(..12));
                let what = hash.map_or_else(|| "these decks".to_owned(), |hash| format!("SHA-256 {hash}…"));
                let days = store.days().iter().filter(|line| line.examined.is_some()).count();
                let evidence = match days {
                    0 => format!("{what}, the first that this record has"),
                    1 => format!("{what}, of which the one earlier day examined none"),
                    _ => format!(
                        "{what}, of which none of {} earlier days examined any",
                        thousands(days as u64)
                    ),
                };
                let fresh = DayCheck::new(FRESH, CheckResult::Passed, evidence);
                Decks { fresh, live: Ok(result), examined: Some(examined), day, by_table }
            }
        }
    }

    /// For a file that only grows: the same audit of the records after the last one that was examined.
    fn next_records(&self, store: &Store, host: &Host) -> Option<DayAudit> {
        if !self.steps.is_append_only {
            return None;
        }
        let last = store.days().iter().rev().find_map(|line| {
            let examined = line.examined.as_ref()?;
            Some(examined.records.map_or(line.decks, |(_, last)| last))
        })?;
        let mut config = self.config.clone();
        config.set("records", format!("{}..", last + 1));
        understand("", &config, host.options).ok()
    }

    fn chain(&self, store: &Store) -> DayCheck {
        let days = store.days().iter().filter(|line| line.correction.is_none()).map(|line| line.day.as_str());
        let missing = missing(days, &self.day.date);
        let (last, gone) = (store.last_sha256(), store.certificates_gone);
        let mut check = judge::chain(store.days(), &self.day.date, &last, gone, &missing);
        if matches!(store.has_named_bets(), Ok(false)) {
            check.evidence += "; the bets that were kept are not those of the last row, and are made again from the certificates";
        }
        let Some((path, listed)) = self.steps.kept_rows.as_ref().zip(self.listed(store)) else {
            return check;
        };
        let path = path.display();
        match listed {
            Ok(Listed::Rows(rows)) => check.evidence += &format!("; {rows} of them stand in {path} too"),
            Ok(Listed::Missing) if store.lines() == 0 => {}
            Ok(Listed::Missing) => {
                check.result = CheckResult::CouldNotSay;
                check.evidence = format!(
                    "{path} is not there, with which the rows are compared; it is begun anew from the {} rows that are here",
                    store.lines()
                );
            }
            Err(fault) => {
                check.result = CheckResult::CouldNotSay;
                check.evidence = format!("{path}: {fault}; the rows were not compared with it");
            }
        }
        check
    }

    fn entropy(&self) -> DayCheck {
        let source = self.steps.entropy_source.as_deref();
        let bytes = source.map_or_else(noise::operating_system, noise::read);
        let restarts = Restarts::run(RESTARTS, AuditKey::fresh).map_err(|error| error.to_string());
        match (bytes, restarts) {
            (Ok(bytes), Ok(restarts)) => {
                entropy::check(&bytes, self.steps.claim, source, &restarts, &clone::check())
            }
            (Err(reason), _) | (_, Err(reason)) => {
                DayCheck::new(entropy::NAME, CheckResult::CouldNotSay, reason)
            }
        }
    }

    /// A file that the source names and that is not there: a copy job that died.
    fn missing_file(&self) -> Option<&str> {
        self.config.values("source").iter().map(String::as_str).find(|source| is_missing(source))
    }
}

/// Whether a source is a file that is not there. What may be a key is not repeated.
fn is_missing(source: &str) -> bool {
    !source.contains(':') && source.contains('.') && !Path::new(source).exists()
}
