//! The readings a hand hangs on, and what becomes of it under each of their combinations.

use crate::stud::betting::refusal::HandRule;
use crate::stud::betting::stakes::StakesError;
use crate::stud::betting::winners::Undecided;
use crate::stud::judge::ReadingTrial;
use crate::stud::judge::run::{AtTable, Run, play};
use crate::stud::readings::{Reading, Readings};

/// More readings than this never meet in one hand; with two values each they give 64 runs.
const RELEVANT_MAX: usize = 6;

/// A hand under every combination of the readings that make a difference to it.
pub(super) struct Search {
    /// The readings that are open.
    vary: Vec<Reading>,
    /// Those of them that make a difference.
    pub relevant: Vec<Reading>,
    /// Every combination of their values and its run, the defaults first.
    pub runs: Vec<(Readings, Run)>,
}

/// Plays a hand under every combination of the open readings that make a difference to it.
pub(super) fn search(table: &AtTable<'_>, base: Readings, vary: &[Reading]) -> Result<Search, StakesError> {
    let mut relevant: Vec<Reading> = Vec::new();
    loop {
        let runs = combinations(table, base, &relevant)?;
        match another(table, &runs, vary, &relevant)? {
            Some(reading) if relevant.len() < RELEVANT_MAX => relevant.push(reading),
            _ => return Ok(Search { vary: vary.to_vec(), relevant, runs }),
        }
    }
}

fn combinations(
    table: &AtTable<'_>,
    base: Readings,
    relevant: &[Reading],
) -> Result<Vec<(Readings, Run)>, StakesError> {
    let mut chosen = vec![base];
    for &reading in relevant {
        let values = reading.values().iter().filter(|value| **value != base.value(reading));
        let others: Vec<Readings> =
            values.flat_map(|value| chosen.iter().map(|readings| with(*readings, reading, value))).collect();
        chosen.extend(others);
    }
    chosen.into_iter().map(|readings| Ok((readings, play(table, readings)?))).collect()
}

/// An open reading that changes one of the runs.
fn another(
    table: &AtTable<'_>,
    runs: &[(Readings, Run)],
    vary: &[Reading],
    relevant: &[Reading],
) -> Result<Option<Reading>, StakesError> {
    for (readings, run) in runs {
        for &reading in vary.iter().filter(|reading| !relevant.contains(reading)) {
            let others = reading.values().iter().filter(|value| **value != readings.value(reading));
            for other in others.map(|value| with(*readings, reading, value)) {
                if differs(&play(table, other)?, run) {
                    return Ok(Some(reading));
                }
            }
        }
    }
    Ok(None)
}

fn with(readings: Readings, reading: Reading, value: &str) -> Readings {
    readings.with(reading, value).expect("a value out of the list of this reading")
}

fn differs(a: &Run, b: &Run) -> bool {
    let refusal = |run: &Run| {
        let place =
            |line: &Option<crate::stud::history::RecordedAction>| line.as_ref().map(|line| line.number);
        run.refused.as_ref().map(|(line, infraction)| (place(line), infraction.rule))
    };
    refusal(a) != refusal(b)
        || a.stacks != b.stacks
        || a.undecided != b.undecided
        || a.pots != b.pots
        || a.game.doubts() != b.game.doubts()
}

/// The number of the action that is refused, above all others where the end is.
fn refused_at(run: &Run) -> usize {
    let line = run.refused.as_ref().and_then(|(line, _)| line.as_ref());
    line.map_or(usize::MAX, |line| line.number)
}

impl Search {
    /// Whether a combination accepts the hand.
    pub(super) fn is_accepted(&self) -> bool {
        self.accepted().next().is_some()
    }

    /// Whether every combination accepts the hand to its end, and nothing in it is hidden that decides something.
    pub(super) fn is_certain(&self) -> bool {
        !self.stops_early() && self.runs.iter().all(|(_, run)| run.refused.is_none() && self.is_decided(run))
    }

    /// Whether the record ends before the hand does, in every run that accepts it. Then no reading explains that.
    pub(super) fn stops_early(&self) -> bool {
        self.accepted().all(|(_, run)| run.undecided == Some(Undecided::Unfinished))
    }

    /// Whether nothing that was played in a run hangs on hidden cards, or on what the record leaves out only
    /// in some runs.
    pub(super) fn is_decided(&self, run: &Run) -> bool {
        let shows_enough = match run.undecided {
            None => true,
            Some(Undecided::Unfinished) => self.stops_early(),
            Some(_) => false,
        };
        shows_enough && run.game.doubts().is_empty()
    }

    /// The runs that accept the hand.
    pub(super) fn accepted(&self) -> impl Iterator<Item = &(Readings, Run)> {
        self.runs.iter().filter(|(_, run)| run.refused.is_none())
    }

    /// The first run that accepts the hand and knows who won it, else the first that accepts it, else the one that
    /// is refused last.
    pub(super) fn shown(&self) -> &Run {
        let decided = self.accepted().find(|(_, run)| run.undecided.is_none());
        let shown = decided.or_else(|| self.accepted().next());
        shown.map_or_else(|| self.refused_last(), |(_, run)| run)
    }

    /// The run that goes furthest by what the text leaves open: what is refused in it, none of these readings
    /// explains. What only the judge's user answers stays as it is by default.
    fn refused_last(&self) -> &Run {
        let (by_default, first) = &self.runs[0];
        let asked = || Reading::ALL.iter().filter(|reading| !reading.may_be_stated());
        let is_as_asked = |readings: &Readings| {
            asked().all(|&reading| readings.value(reading) == by_default.value(reading))
        };
        let others = self.runs.iter().filter(|(readings, _)| is_as_asked(readings));
        others.fold(first, |last, (_, run)| if refused_at(run) > refused_at(last) { run } else { last })
    }

    /// Whether some combination accepts every action, so that the end of the record is what is refused.
    pub(super) fn hangs_on_the_pots(&self) -> bool {
        let of_the_end = |rule: HandRule| matches!(rule, HandRule::FinalStacks | HandRule::Fields);
        self.runs.iter().any(|(_, run)| {
            run.refused.as_ref().is_some_and(|(line, broken)| line.is_none() && of_the_end(broken.rule))
        })
    }

    /// The runs in which a reading has this value.
    pub(super) fn with_value<'a>(
        &'a self,
        reading: Reading,
        value: &'a str,
    ) -> impl Iterator<Item = &'a Run> {
        let has_it = move |(readings, _): &&(Readings, Run)| readings.value(reading) == value;
        self.runs.iter().filter(has_it).map(|(_, run)| run)
    }

    /// What every value of every open reading says.
    pub(super) fn trials(&self) -> Vec<ReadingTrial> {
        let mut trials = Vec::new();
        for &reading in &self.vary {
            for value in reading.values() {
                // A reading that makes no difference has the same runs for all its values.
                let value_run =
                    if self.relevant.contains(&reading) { value } else { self.runs[0].0.value(reading) };
                let accepting = self.with_value(reading, value_run).find(|run| run.refused.is_none());
                let shown = accepting.or_else(|| self.with_value(reading, value_run).next());
                let stacks = shown.map(|run| run.stacks.clone()).unwrap_or_default();
                trials.push(ReadingTrial { reading, value, accepts: accepting.is_some(), stacks });
            }
        }
        trials
    }
}
