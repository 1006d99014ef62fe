//! Models: the joint at which a way of recovering a generator is added.

use std::time::Duration;

use crate::budget::Budget;
use crate::candidate::{Candidate, Tape, next_deck};
use crate::certificate::Certificate;
use crate::deck::{Deck, Observation};
use crate::follow::Followed;
use crate::start::Start;
use crate::way::Way;

/// A way of recovering the state of one generator with one mapping, or a few.
pub trait Model: Sync {
    /// What it is called, for users: `V8 Math.random`.
    fn name(&self) -> &'static str;

    /// What it looks for and takes for granted, in one sentence.
    fn assumed(&self) -> &'static str;

    /// How many records it looks at, from the first of the window on.
    fn records(&self) -> usize;

    /// Roughly what it takes for one way and one start, so that cheap ones go first.
    fn cost(&self) -> Duration;

    /// Proposes states before the first record and follows them through all records; the first that is recovered.
    fn recover(&self, seen: &Observation, scope: &Scope, budget: &Budget) -> Option<(Candidate, Followed)>;
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
    /// Every pair, likeliest first: all ways of the first start before the second.
    pub fn pairs(&self) -> impl Iterator<Item = (Way, Start)> + '_ {
        self.starts.iter().flat_map(|&start| self.ways.iter().map(move |&way| (way, start)))
    }
}

/// What a model came to.
#[derive(Clone, PartialEq, Debug)]
pub enum Answer {
    /// It predicts.
    Recovered(Box<Recovered>),
    /// It found nothing.
    NotRecovered(NotRecovered),
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
    /// State in, records out.
    pub fn certificate(&self) -> Certificate {
        Certificate::new(&self.candidate, &self.followed)
    }

    /// The next decks after the last record that it deals, with as many calls between as before. The deck before the
    /// first of them is given where decks are shuffled on.
    pub fn next_decks(&self, count: usize, previous: Option<Deck>) -> Vec<Deck> {
        let dealing = &self.candidate.dealing;
        let mut tape = Tape::new(dealing.generator, &self.candidate.state);
        let longest = self.followed.runs.iter().max_by_key(|run| run.records);
        let calls = longest.filter(|run| run.records > 1).map_or(0, |run| run.calls_between);
        let mut place = self.followed.calls;
        let mut previous = previous;
        let mut decks = Vec::new();
        while decks.len() < count {
            tape.forget_before(place);
            let Some((deck, end)) = next_deck(dealing, &mut tape, place + calls, previous.as_ref()) else {
                break;
            };
            (place, previous) = (end, Some(deck));
            decks.push(deck);
        }
        decks
    }
}

/// What was tried in vain.
#[derive(Clone, PartialEq, Debug)]
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
