//! The state of a record: its active stops, and every change of it, which the next mail, the history and the metrics name.

use std::collections::BTreeMap;

use crate::monitoring::check::{CheckResult, DayCheck};
use crate::monitoring::day::DayLine;
use crate::monitoring::drift::Alarm;
use crate::monitoring::event::EventKind;
use crate::monitoring::identity;
use crate::monitoring::judge::{DRIFT, LIVE};
use crate::monitoring::rows::voided_rows;
use crate::monitoring::step_list::is_of_decks;

/// A step that said stop and has not passed since.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Stop<'a> {
    /// Since when.
    pub day: &'a str,
    /// The row.
    pub row: usize,
    /// The step.
    pub step: &'a str,
    /// What it rests on.
    pub evidence: &'a str,
    /// Whether it is a proof in the decks themselves, which no later decks take back: two people end it.
    pub is_proof: bool,
}

impl Stop<'_> {
    /// Its step, as it stays until the stop ends.
    pub fn as_check(&self) -> DayCheck {
        let evidence = format!("the stop of {} (row {}) is active: {}", self.day, self.row, self.evidence);
        DayCheck::stop(self.step, evidence)
    }
}

/// A change of the state.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Change {
    /// The row that made it.
    pub row: usize,
    /// In words.
    pub words: String,
}

/// What is known after some rows.
#[derive(Default)]
struct State<'a> {
    stops: BTreeMap<&'a str, Stop<'a>>,
    program: Option<&'a str>,
    /// The list of the step of code identity.
    list: Option<&'a str>,
    changes: Vec<Change>,
}

/// The active stops, by the names of their steps.
pub fn stops(days: &[DayLine]) -> Vec<Stop<'_>> {
    State::of(days).stops.into_values().collect()
}

/// The steps of a day as they are while stops are active: none of these has passed.
pub fn with_stops(checks: &[DayCheck], stops: &[Stop]) -> Vec<DayCheck> {
    let mut all = checks.to_vec();
    for stop in stops {
        match all.iter_mut().find(|check| check.name == stop.step) {
            Some(check) if check.result == CheckResult::Refused => {}
            Some(check) => *check = stop.as_check(),
            None => all.push(stop.as_check()),
        }
    }
    all
}

/// Every change since the first row.
pub fn changes(days: &[DayLine]) -> Vec<Change> {
    State::of(days).changes
}

/// Changes that no mail has named yet, after the last row of a day: its own, and those of the events before it.
pub fn recent_changes(days: &[DayLine]) -> Vec<Change> {
    let before = days.iter().rev().skip(1).position(DayLine::is_day).map_or(0, |back| days.len() - 1 - back);
    let mut recent = changes(days);
    recent.retain(|change| change.row > before);
    recent
}

/// Whether the evidence after a row is one that stops.
fn is_drift_stop(line: &DayLine) -> bool {
    line.drift.as_ref().is_none_or(|drift| Alarm::of(drift.ln_highest) == Alarm::Stop)
}

impl<'a> State<'a> {
    fn of(days: &'a [DayLine]) -> State<'a> {
        let voided = voided_rows(days);
        let mut state = State::default();
        for (place, line) in days.iter().enumerate() {
            let row = place + 1;
            if line.is_day() {
                let is_voided_later = voided.contains(&row);
                state.add_day(row, line, is_voided_later, &days[..place]);
            } else if let Some(event) = &line.event {
                state.changed(row, event.words());
                match event.kind {
                    EventKind::Voided if event.ends_drift && !is_drift_stop(line) => {
                        state.stops.remove(DRIFT);
                    }
                    // What a voided row stopped is no stop; it was never put among them.
                    EventKind::Voided | EventKind::Lost => {}
                    EventKind::Lifted => state.stops.retain(|_, stop| stop.row != event.row),
                    EventKind::Release => state.stops.retain(|step, _| !is_of_decks(step)),
                }
            }
        }
        state
    }

    fn changed(&mut self, row: usize, words: String) {
        self.changes.push(Change { row, words });
    }

    fn add_day(&mut self, row: usize, line: &'a DayLine, is_voided: bool, earlier: &'a [DayLine]) {
        if let Some(program) = line.program.as_deref() {
            let before = self.program.replace(program).filter(|before| *before != program);
            if let Some(before) = before {
                self.changed(row, format!("program updated from {} to {}", short(before), short(program)));
            }
        }
        let is_same_day = |(place, other): &(usize, &DayLine)| {
            let is_other =
                line.examined.as_ref().zip(other.examined.as_ref()).is_some_and(|(a, b)| !a.overlaps(b));
            other.is_day() && other.day == line.day && is_other && *place < row
        };
        if let Some((place, other)) = earlier.iter().enumerate().rfind(is_same_day) {
            let days = |line: &DayLine| line.drift.as_ref().map(|drift| drift.days);
            let is_bet_on = days(line) != earlier.iter().rev().find_map(days);
            let unspent = match line.rest_of {
                Some(_) => COUNTED_ONLY,
                None if is_bet_on || line.certificate.is_none() => "",
                None => NOT_BET_ON,
            };
            self.changed(
                row,
                format!(
                    "{} was judged before on other decks: row {}, {}{unspent}",
                    line.day,
                    place + 1,
                    other.result().words()
                ),
            );
        }
        line.begun.iter().for_each(|run| self.changed(row, run.words(&line.day)));
        if let Some(list) = line.listed.as_deref() {
            let before = self.list.replace(list).filter(|before| *before != list);
            if let Some(before) = before {
                let words = format!(
                    "list of files ({}) made anew: SHA-256 {} is now {}",
                    identity::NAME,
                    short(before),
                    short(list)
                );
                self.changed(row, words);
            }
        }
        for DayCheck { name, result, evidence, .. } in &line.checks {
            self.add_step(row, line, (name, *result, evidence), is_voided);
        }
    }

    fn add_step(
        &mut self,
        row: usize,
        line: &'a DayLine,
        (step, result, evidence): (&'a str, CheckResult, &'a str),
        is_voided: bool,
    ) {
        let is_of_decks = is_of_decks(step);
        match (result, self.stops.get(step)) {
            // What could not be checked, or is no longer asked for, takes back nothing.
            (CheckResult::CouldNotSay | CheckResult::NotSetUp, _) => {}
            (CheckResult::Refused, before) => {
                if before.is_none() {
                    let day = &line.day;
                    let voided = if is_voided { ", voided since" } else { "" };
                    self.changes.push(Change { row, words: format!("stop of {day} ({step}){voided}") });
                }
                let is_proof = step == LIVE && !line.proofs.is_empty();
                let stop = Stop { day: &line.day, row, step, evidence, is_proof };
                // A proof stays until two people end it, and a day that is recorded late takes the place of no later one.
                let stays = before.is_some_and(|before| (before.is_proof, before.day) > (is_proof, stop.day));
                if !is_voided && !stays {
                    self.stops.insert(step, stop);
                }
            }
            (CheckResult::Passed | CheckResult::Investigate, Some(stop)) => {
                // Nor does an earlier day that is recorded late, or the same day on other decks: whoever names the day
                // chooses what is read.
                let is_late = *line.day < *stop.day || is_of_decks && *line.day == *stop.day;
                if !is_late && !is_voided && !stop.is_proof {
                    let words =
                        format!("stop of {} ({step}) lifted: the step passed on {}", stop.day, line.day);
                    self.stops.remove(step);
                    self.changed(row, words);
                }
            }
            (_, None) => {}
        }
    }
}

/// Decks beside those that an earlier run of their day had read: the bet on the p-values of that day was placed.
const COUNTED_ONLY: &str =
    "; of decks that came since the evidence over all days has the counts, and no p-values";

/// Decks of which an earlier run of their day had read a part that is not known, or all.
const NOT_BET_ON: &str = "; decks that came since are not in the evidence over all days";

/// The beginning of a commit.
fn short(commit: &str) -> &str {
    commit.get(..7).unwrap_or(commit)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::monitoring::event::Event;

    fn day(date: &str, steps: &[(&str, CheckResult)]) -> DayLine {
        let mut line = DayLine::of_failure(date, "a", "0", "", "");
        line.checks = steps.iter().map(|(step, result)| DayCheck::new(step, *result, "b")).collect();
        line.overall = steps.iter().map(|(_, result)| *result).max();
        line
    }

    fn event(kind: EventKind, row: usize) -> DayLine {
        let mut line = DayLine::of_failure("2026-11-22", "a", "0", "", "");
        let by = ["A".to_owned(), "B".to_owned()];
        line.event = Some(Event::new(kind, row, "ab", &by, "why").expect("two names"));
        line
    }

    fn active(rows: &[DayLine]) -> Vec<&str> {
        stops(rows).into_iter().map(|stop| stop.step).collect()
    }

    use CheckResult::{CouldNotSay, Passed, Refused};

    #[test]
    fn a_stop_ends_by_its_step_by_a_person_by_a_release_or_with_its_export_and_by_nothing_else() {
        let stop = day("2026-11-20", &[("chain", Refused), (LIVE, Refused), (DRIFT, Refused)]);
        let rows = |more: &[DayLine]| [std::slice::from_ref(&stop), more].concat();
        assert_eq!(active(&rows(&[])), ["chain", DRIFT, LIVE]);
        let silent = day("2026-11-21", &[("chain", CouldNotSay), (LIVE, CouldNotSay)]);
        assert_eq!(active(&rows(&[silent])), ["chain", DRIFT, LIVE]);
        let passed = |date: &str| day(date, &[("chain", Passed), (LIVE, Passed), (DRIFT, Refused)]);
        assert_eq!(active(&rows(&[passed("2026-11-19")])), ["chain", DRIFT, LIVE]);
        // The same day on other decks: a file that was put back passes, decks that somebody chose do not count.
        assert_eq!(active(&rows(&[passed("2026-11-20")])), [DRIFT, LIVE]);
        assert_eq!(active(&rows(&[passed("2026-11-21")])), [DRIFT]);
        assert_eq!(active(&rows(&[event(EventKind::Release, 1)])), ["chain"]);
        assert_eq!(active(&rows(&[event(EventKind::Lifted, 1)])), Vec::<&str>::new());
        assert_eq!(active(&rows(&[event(EventKind::Voided, 1)])), Vec::<&str>::new());
        // A deck of 51 cards is not undone by decks of 52.
        let mut proof = day("2026-11-20", &[(LIVE, Refused)]);
        proof.proofs = vec!["record 5 holds 51 cards".to_owned()];
        let fair = day("2026-11-21", &[(LIVE, Passed)]);
        assert_eq!(active(&[proof.clone(), fair.clone()]), [LIVE]);
        let doubtful = day("2026-11-21", &[(LIVE, Refused)]);
        let later = day("2026-11-22", &[(LIVE, Passed)]);
        assert_eq!(
            active(&[proof.clone(), doubtful, later]),
            [LIVE],
            "a second stop made the proof forgotten"
        );
        assert_eq!(active(&[proof, event(EventKind::Release, 1), fair]), Vec::<&str>::new());
        // Nor is a stop ended by way of an earlier day that stops too.
        let late = |date: &str, result| day(date, &[("chain", result)]);
        assert_eq!(
            active(&rows(&[late("2026-11-02", Refused), late("2026-11-03", Passed)])),
            ["chain", DRIFT, LIVE]
        );
    }

    #[test]
    fn every_change_is_named_once_by_the_mail_after_it() {
        let mut updated = day("2026-11-21", &[("chain", Passed)]);
        let mut rows = vec![day("2026-11-20", &[("chain", Refused)])];
        rows[0].program = Some("a".repeat(40));
        updated.program = Some("b".repeat(40));
        assert_eq!(recent_changes(&rows)[0].words, "stop of 2026-11-20 (chain)");
        rows.push(event(EventKind::Lifted, 1));
        rows.push(updated);
        let recent: Vec<String> = recent_changes(&rows).into_iter().map(|change| change.words).collect();
        assert_eq!(
            recent,
            ["stop of row 1 lifted by A and B: why", "program updated from aaaaaaa to bbbbbbb"]
        );
        rows.push(day("2026-11-22", &[("chain", Passed)]));
        assert_eq!(recent_changes(&rows), []);
        assert_eq!(changes(&rows).len(), 3);
    }
}
