//! Models: the joint at which a way of recovering a generator is added.

use std::cmp::Ordering;

use serde::Serialize;

use crate::budget::Budget;
use crate::candidate::{Candidate, next_decks};
use crate::deck::{Deck, Observation};
use crate::follow::{Followed, calls_between, follow, is_regular};
use crate::start::Start;
use crate::way::{WAYS, Way};

/// What a model is called, and what it is of.
#[derive(Clone, Copy)]
pub struct ModelAbout {
    /// What it is called, for users: `V8 Math.random`.
    pub name: &'static str,
    /// What it looks for and takes for granted, in one sentence.
    pub assumed: &'static str,
    /// The generator of all that it recovers, by its name; none where that is any of several.
    pub generator: Option<&'static str>,
}

/// A way of recovering the state of one generator with one mapping, or a few.
pub trait Model: Sync {
    /// What it is called, and what it is of.
    fn about(&self) -> ModelAbout;

    /// Its name alone.
    fn name(&self) -> &'static str {
        self.about().name
    }

    /// Whether it is quick enough to be tried on windows in the middle too: milliseconds for one way and one start.
    fn is_quick(&self) -> bool {
        false
    }

    /// What one way and start on one window of these records costs at most, in microseconds of one thread of the machine of
    /// `reports/predict.md`. Constants, so that a budget of work reaches equally far on every machine.
    fn work(&self, seen: &Observation) -> u64;

    /// Proposes states before one of the first records and follows them through all records; the first that is recovered.
    fn recover(&self, seen: &Observation, scope: &Scope, budget: &Budget) -> Option<Found>;
}

/// What a model has recovered.
#[derive(Clone, PartialEq, Debug)]
pub struct Found {
    /// The dealer in its state before its first record, which is that of the first run.
    pub candidate: Candidate,
    /// Records that the fit used, from that on.
    pub used: u64,
    /// What came out right.
    pub followed: Followed,
}

impl Found {
    /// Follows a candidate before record `first`, of which the fit used so many records; nothing if it is not recovered.
    pub fn if_recovered(
        candidate: Candidate,
        seen: &Observation,
        first: usize,
        used: usize,
    ) -> Option<Found> {
        let followed = follow(&candidate, seen, first, used)?;
        followed.is_recovered().then_some(Found { candidate, used: used as u64, followed })
    }

    /// What predicts more first.
    pub fn compare(&self, other: &Found) -> Ordering {
        self.followed.held_out_log10.total_cmp(&other.followed.held_out_log10)
    }
}

/// Which ways of shuffling and start orders are tried.
#[derive(Clone, PartialEq, Debug)]
pub struct Scope {
    /// Ways, likeliest first.
    pub ways: Vec<Way>,
    /// Start orders, likeliest first.
    pub starts: Vec<Start>,
}

impl Scope {
    /// Every way and the usual start orders.
    pub fn usual() -> Scope {
        Scope { ways: WAYS.to_vec(), starts: Start::usual() }
    }

    /// Every way and every start order.
    pub fn all() -> Scope {
        Scope { ways: WAYS.to_vec(), starts: Start::all() }
    }

    /// Every pair, likeliest first: all ways of the first start before the second.
    pub fn pairs(&self) -> impl Iterator<Item = (Way, Start)> + '_ {
        self.starts.iter().flat_map(|&start| self.ways.iter().map(move |&way| (way, start)))
    }
}

/// A generator in its state, and what it predicted.
#[derive(Clone, PartialEq, Debug)]
pub struct Recovered {
    /// The model.
    pub model: &'static str,
    /// The dealer in its state before its first record.
    pub candidate: Candidate,
    /// The first record of the observation that it deals.
    pub first: u64,
    /// Records that the fit used, from the first on.
    pub used: u64,
    /// What came out right.
    pub followed: Followed,
}

impl Recovered {
    /// What a model found in all records, in a state that moves.
    pub fn new(model: &'static str, found: Found) -> Option<Recovered> {
        let Found { candidate, used, followed } = found;
        let first = followed.runs.first()?.first;
        candidate.is_in_motion().then_some(Recovered { model, candidate, first, used, followed })
    }

    /// Looks for a record far behind what it was seen to deal, so many calls on at most, and follows it from there.
    pub fn reach(&mut self, seen: &Observation, record: usize, calls_max: u64) {
        if self.records().last().is_some_and(|last| last < record as u64) {
            self.followed.reach(&self.candidate, seen, record, calls_max);
        }
    }

    /// The records that it deals.
    pub fn records(&self) -> impl Iterator<Item = u64> + '_ {
        self.followed.runs.iter().flat_map(|run| run.first..run.first + run.records)
    }

    /// The next decks after the last record that it deals, with as many calls between as before, up to the first on which states
    /// that deal as much do not agree. The deck before the first of them is given where decks are shuffled on.
    pub fn next_decks(&self, count: usize, previous: Option<Deck>) -> Vec<Deck> {
        let place = (self.followed.calls, calls_between(&self.followed.runs));
        let mut decks = next_decks(&self.candidate, place, previous, count);
        for rival in &self.followed.rivals {
            let others = next_decks(&rival.candidate, (rival.calls, rival.calls_between), previous, count);
            let agreed = decks.iter().zip(&others).take_while(|(own, other)| own == other).count();
            decks.truncate(agreed);
        }
        decks
    }

    /// The deck behind the last record, where the calls between records do not vary.
    pub fn next_deck(&self, previous: Option<Deck>) -> Option<Deck> {
        let is_known = is_regular(&self.followed.runs);
        self.next_decks(usize::from(is_known), previous).pop()
    }
}

/// What was tried in vain.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct NotRecovered {
    /// The model.
    pub model: &'static str,
    /// What it took for granted.
    pub assumed: &'static str,
    /// Windows of records that it was tried on.
    pub windows: u64,
    /// Ways and start orders, as pairs.
    pub starts: u64,
    /// States and systems of equations.
    pub states: u64,
    /// Time spent.
    pub seconds: f64,
    /// Whether the budget ended it before the end.
    pub is_cut_short: bool,
}
