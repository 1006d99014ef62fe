//! Following a candidate: it deals on, and what it deals is compared with the records.
//!
//! This alone decides whether a generator is recovered. The records are searched in order; between two of them some calls
//! may be missing, records may be missing, come twice, or belong to other dealers.

use crate::bound;
use crate::candidate::{Candidate, Tape, Wanted};
use crate::deck::{Observation, Record};

/// Records that follow each other with the same number of calls between.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Run {
    /// The first record.
    pub first: u64,
    /// How many follow with it.
    pub records: u64,
    /// Calls between the end of the run before, or the state, and the first record.
    pub calls_before: u64,
    /// Calls between two records of the run.
    pub calls_between: u64,
}

/// Calls between two records, as the longest run has them.
pub fn calls_between(runs: &[Run]) -> u64 {
    let longest = runs.iter().max_by_key(|run| run.records);
    longest.filter(|run| run.records > 1).map_or(0, |run| run.calls_between)
}

/// Records in a hundred that must have as many calls before them as most, for the deck behind the last to be known.
const REGULAR: u64 = 90;

/// Whether nearly all records that follow each other have as many calls between as [`calls_between`] says: calls that vary, by players
/// say, leave open which deck comes next.
pub fn is_regular(runs: &[Run]) -> bool {
    let usual = calls_between(runs);
    let mut pairs: Vec<(u64, u64)> = runs.iter().map(|run| (run.calls_between, run.records - 1)).collect();
    for pair in runs.windows(2) {
        if pair[0].first + pair[0].records == pair[1].first {
            pairs.push((pair[1].calls_before, 1));
        }
    }
    let all: u64 = pairs.iter().map(|(_, count)| count).sum();
    let own: u64 = pairs.iter().filter(|(calls, _)| *calls == usual).map(|(_, count)| count).sum();
    own * 100 >= all * REGULAR
}

/// Another dealer that has dealt as much.
#[derive(Clone, PartialEq, Debug)]
pub struct Rival {
    /// The dealer before the same record.
    pub candidate: Candidate,
    /// Calls from the state to behind the last record that it deals.
    pub calls: u64,
    /// Calls between two records.
    pub calls_between: u64,
}

/// What a candidate has dealt of an observation.
#[derive(Clone, PartialEq, Debug)]
pub struct Followed {
    /// The records that it deals.
    pub runs: Vec<Run>,
    /// Records that it deals.
    pub records: u64,
    /// Cards of them that were seen.
    pub cards: u64,
    /// Records after the first that it does not deal and that do not repeat the one before.
    pub missed: u64,
    /// `log10` of the chance that fair decks agree with the records beyond those that the fit used.
    pub held_out_log10: f64,
    /// Whole decks among those.
    pub held_out_decks: u64,
    /// Records beyond those that the fit used.
    pub held_out_records: u64,
    /// The upper bound of what fair decks do, as the module `bound` has it.
    pub bound_log10: f64,
    /// Calls from the state to behind the last record that it deals.
    pub calls: u64,
    /// Others that no record tells apart from it, as the module `alignment` has them.
    pub rivals: Vec<Rival>,
}

/// Records missed one after another until the search ends.
const MISSED_IN_A_ROW_MAX: u64 = 64;

/// A fair deck agrees with fewer than this in the life of the program.
const HELD_OUT_LOG10_MAX: f64 = -20.0;

/// 64 bits: records used for the fit are proof too where they overdetermine the state by so much.
const OVERDETERMINED_LOG10: f64 = -19.3;

impl Followed {
    /// Whether it is recovered: at least one whole deck that the fit did not use, or as many cards of several, came out
    /// right; or no record was left to be held out and the state is overdetermined by 64 bits.
    pub fn is_recovered(&self) -> bool {
        let predicts = self.held_out_records > 0 && self.held_out_log10 <= HELD_OUT_LOG10_MAX;
        (predicts || self.missed == 0) && self.bound_log10 <= OVERDETERMINED_LOG10
    }
}

/// Deals on from a candidate before record `first`, of which the fit used `used` records from `first` on; `None` if
/// the first of them does not come out.
pub fn follow(candidate: &Candidate, seen: &Observation, first: usize, used: usize) -> Option<Followed> {
    let dealing = &candidate.dealing;
    let mut tape = Tape::new(dealing.generator, &candidate.state);
    let mut followed = Followed {
        runs: Vec::new(),
        records: 0,
        cards: 0,
        missed: 0,
        held_out_log10: 0.0,
        held_out_decks: 0,
        held_out_records: 0,
        bound_log10: 0.0,
        calls: 0,
        rivals: Vec::new(),
    };
    let mut missed_in_a_row = 0;
    for (number, record) in seen.records.iter().enumerate().skip(first) {
        let previous = number.checked_sub(1).map(|before| &seen.records[before]);
        let Some(wanted) = Wanted::new(dealing, record, previous) else { continue };
        let calls_max = if number == first { 0 } else { seen.gap.calls_max_known };
        let found = gaps(&followed, calls_max).find_map(|calls| {
            let end = wanted.dealt_from(dealing, &mut tape, followed.calls + calls)?;
            Some((calls, end))
        });
        match found {
            Some((calls, end)) => {
                followed.add(number as u64, calls, end, record, number >= first + used);
                tape.forget_before(end);
                missed_in_a_row = 0;
            }
            None if number == first => return None,
            None if previous == Some(record) => {}
            None => {
                followed.missed += 1;
                missed_in_a_row += 1;
            }
        }
        if missed_in_a_row == MISSED_IN_A_ROW_MAX {
            break;
        }
    }
    followed.bound_log10 = bound::log10_of_runs(&followed.runs, state_bits(candidate), &seen.records);
    Some(followed)
}

impl Followed {
    /// Looks for a record so many calls on at most, and follows it and those behind it.
    pub(crate) fn reach(&mut self, candidate: &Candidate, seen: &Observation, record: usize, calls_max: u64) {
        let dealing = &candidate.dealing;
        let mut tape = Tape::new(dealing.generator, &candidate.state);
        for number in record..seen.records.len() {
            let previous = number.checked_sub(1).map(|before| &seen.records[before]);
            let Some(wanted) = Wanted::new(dealing, &seen.records[number], previous) else { return };
            let calls_max = if number == record { calls_max } else { u64::from(seen.gap.calls_max_known) };
            let found = (0..=calls_max).find_map(|calls| {
                tape.forget_before(self.calls + calls);
                Some((calls, wanted.dealt_from(dealing, &mut tape, self.calls + calls)?))
            });
            let Some((calls, end)) = found else { break };
            self.add(number as u64, calls, end, &seen.records[number], true);
        }
        self.bound_log10 = bound::log10_of_runs(&self.runs, state_bits(candidate), &seen.records);
    }
}

/// What a state could have been: any, or any that a seeding makes, some calls on.
pub fn state_bits(candidate: &Candidate) -> f64 {
    let seeding = candidate.seed.and_then(|seed| {
        let seeding = crate::seeding::Seeding::named(seed.seeding)?;
        Some(f64::from(seeding.bits) + bound::integer_bits(seed.calls))
    });
    seeding.unwrap_or(candidate.dealing.generator.state_bits)
}

/// The gap of the run, then every number of calls.
fn gaps(followed: &Followed, calls_max: u32) -> impl Iterator<Item = u64> {
    let usual = followed.runs.last().filter(|run| run.records > 1).map(|run| run.calls_between);
    usual.into_iter().chain((0..=u64::from(calls_max)).filter(move |calls| Some(*calls) != usual))
}

impl Followed {
    fn add(&mut self, number: u64, calls: u64, end: u64, record: &Record, is_held_out: bool) {
        match self.runs.last_mut() {
            Some(run) if run.first + run.records == number && run.records == 1 => {
                run.calls_between = calls;
                run.records = 2;
            }
            Some(run) if run.first + run.records == number && run.calls_between == calls => run.records += 1,
            _ => self.runs.push(Run { first: number, records: 1, calls_before: calls, calls_between: 0 }),
        }
        self.calls = end;
        self.records += 1;
        self.cards += record.seen() as u64;
        if is_held_out {
            self.held_out_log10 += record.chance_log10();
            self.held_out_records += 1;
            self.held_out_decks += u64::from(record.deck().is_some());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_that_vary_are_not_regular() {
        let run =
            |first, records, calls_before, calls_between| Run { first, records, calls_before, calls_between };
        assert!(is_regular(&[run(0, 1, 0, 0)]) && is_regular(&[run(0, 20, 0, 7)]));
        assert!(!is_regular(&[run(0, 2, 0, 3), run(2, 2, 9, 4), run(4, 1, 30, 0)]));
        // One record that is missing, and a part far behind.
        assert!(is_regular(&[run(0, 10, 0, 3), run(10, 10, 58, 3), run(400, 1, 9_999, 0)]));
    }
}
