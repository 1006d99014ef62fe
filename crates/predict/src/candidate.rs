//! A candidate: a state before the first call for some record, and how it deals; and the tape of its outputs.

use std::collections::HashSet;

use crate::deck::{Deck, Observation, Record};
use crate::generator::Generator;
use crate::mapping::{Known, Mapping};
use crate::sorts::{by_comparisons, by_keys};
use crate::start::Start;
use crate::way::{Draws, KnownDraws, Loop, Way};

/// Outputs kept behind the place that is read.
const KEPT: usize = 1 << 16;

/// How a dealer deals, without a state.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Dealing {
    /// The generator.
    pub generator: &'static Generator,
    /// How outputs become draws.
    pub mapping: Mapping,
    /// How draws become a deck.
    pub way: Way,
    /// The order of a new deck.
    pub start: Start,
}

impl Dealing {
    /// What a record tells of the outputs behind it, one entry an output; `None` if there is no such record, or the start order
    /// is that of a record before that is not whole.
    pub fn known(&self, seen: &Observation, record: usize) -> Option<Vec<Known>> {
        let draws = self.known_draws(seen, record)?;
        Some(self.mapping.known(self.generator, &self.way.ranges(), &draws))
    }

    /// The draws that a record tells; `None` as of [`Dealing::known`].
    pub fn known_draws(&self, seen: &Observation, record: usize) -> Option<KnownDraws> {
        let previous = record.checked_sub(1).and_then(|before| seen.records.get(before)?.deck());
        Some(self.way.known(seen.records.get(record)?, &self.start.numbers(previous.as_ref())?))
    }

    /// The cards of a whole record by their numbers in the new deck, from the first of the array on.
    pub fn numbers(&self, seen: &Observation, record: usize) -> Option<Deck> {
        let previous = record.checked_sub(1).and_then(|before| seen.records.get(before)?.deck());
        let numbers = self.start.numbers(previous.as_ref())?;
        let mut deck = seen.records.get(record)?.deck()?.map(|card| numbers[usize::from(card)]);
        if self.way.from_end {
            deck.reverse();
        }
        Some(deck)
    }

    /// The deck that a sort makes, of numbers in the new deck.
    fn sorted(&self, next: &mut dyn FnMut() -> u64) -> Deck {
        let mut key = || self.mapping.key(self.generator, next);
        let half = self.mapping.key_half(self.generator);
        let mut deck = match self.way.of {
            Loop::Compared => by_comparisons(|| key() < half),
            Loop::ComparedBack => by_comparisons(|| key() > half),
            _ => by_keys(&std::array::from_fn(|_| key())),
        };
        if self.way.from_end {
            deck.reverse();
        }
        deck
    }

    /// The first record that can be looked at: where decks are shuffled on, the second.
    pub fn first(&self) -> usize {
        usize::from(self.start == Start::Previous)
    }
}

/// Calls of about ten decks: outputs of 15 bits and more are nearly all different among so many.
const CALLS_IN_MOTION: usize = 512;

/// A dealer in a state.
#[derive(Clone, PartialEq, Debug)]
pub struct Candidate {
    /// How it deals.
    pub dealing: Dealing,
    /// The state before the first call for the record it is proposed for.
    pub state: Vec<u64>,
    /// The seeding and the seed that the state comes from, with the calls between, if that is known.
    pub seed: Option<Seed>,
}

/// Where a state comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Seed {
    /// What the seeding is called.
    pub seeding: &'static str,
    /// The seed.
    pub seed: u64,
    /// Calls from the seeded state on.
    pub calls: u64,
}

impl Candidate {
    /// A state without a seed.
    pub fn new(dealing: Dealing, state: Vec<u64>) -> Candidate {
        Candidate { dealing, state, seed: None }
    }

    /// Whether its outputs change from call to call. Those of a state of 0 do not: it deals one deck for ever, fits a file of
    /// equal, cut or unshuffled decks, and no generator in use has it.
    pub fn is_in_motion(&self) -> bool {
        let mut state = self.state.clone();
        let outputs = (0..CALLS_IN_MOTION).map(|_| (self.dealing.generator.next)(&mut state));
        outputs.collect::<HashSet<u64>>().len() > CALLS_IN_MOTION / 4
    }
}

/// A record as a dealer would have dealt it: the draws that it must have made.
pub struct Wanted<'a> {
    record: &'a Record,
    ranges: Draws,
    draws: KnownDraws,
    /// The cards by their number in the new deck.
    cards: Deck,
}

impl<'a> Wanted<'a> {
    /// `None` if the start order is that of a record before that is not whole.
    pub fn new(dealing: &Dealing, record: &'a Record, previous: Option<&Record>) -> Option<Wanted<'a>> {
        let numbers = dealing.start.numbers(previous.and_then(Record::deck).as_ref())?;
        let draws = dealing.way.known(record, &numbers);
        let mut cards = numbers;
        numbers.iter().zip(0u8..).for_each(|(&number, card)| cards[usize::from(number)] = card);
        Some(Wanted { record, ranges: dealing.way.ranges(), draws, cards })
    }

    /// Whether the outputs of a tape from a place on deal it: the place behind.
    pub fn dealt_from(&self, dealing: &Dealing, tape: &mut Tape, place: u64) -> Option<u64> {
        let mut at = place;
        let mut next = || {
            let output = tape.output(at);
            at += 1;
            output
        };
        if dealing.way.is_sort() {
            let deck = dealing.sorted(&mut next);
            return self.record.agrees(&self.of_numbers(deck)).then_some(at);
        }
        let draws = dealing.mapping.draws(dealing.generator, &mut next, &self.ranges, &self.draws).ok()?;
        let is_whole = self.draws.iter().all(Option::is_some);
        (is_whole || self.record.agrees(&self.of_numbers(dealing.way.deal(&draws)))).then_some(at)
    }

    fn of_numbers(&self, numbers: Deck) -> Deck {
        numbers.map(|number| self.cards[usize::from(number)])
    }
}

/// The next deck from a place of a tape, and the place behind it. `None` if it starts from a deck that is not known.
pub fn next_deck(
    dealing: &Dealing,
    tape: &mut Tape,
    place: u64,
    previous: Option<&Deck>,
) -> Option<(Deck, u64)> {
    let numbers = dealing.start.numbers(previous)?;
    let mut cards = numbers;
    numbers.iter().zip(0u8..).for_each(|(&number, card)| cards[usize::from(number)] = card);
    let mut at = place;
    let mut next = || {
        let output = tape.output(at);
        at += 1;
        output
    };
    let dealt = if dealing.way.is_sort() {
        dealing.sorted(&mut next)
    } else {
        let ranges = dealing.way.ranges();
        dealing.way.deal(&dealing.mapping.draws(dealing.generator, &mut next, &ranges, &[None; 51]).ok()?)
    };
    Some((dealt.map(|number| cards[usize::from(number)]), at))
}

/// Decks from behind so many calls on, each so many calls after the one before. The deck before the first of them is given where decks
/// are shuffled on.
pub fn next_decks(
    candidate: &Candidate,
    (mut place, calls): (u64, u64),
    mut previous: Option<Deck>,
    count: usize,
) -> Vec<Deck> {
    let mut tape = Tape::new(candidate.dealing.generator, &candidate.state);
    let mut decks = Vec::new();
    while decks.len() < count {
        tape.forget_before(place);
        let next = next_deck(&candidate.dealing, &mut tape, place + calls, previous.as_ref());
        let Some((deck, end)) = next else { break };
        (place, previous) = (end, Some(deck));
        decks.push(deck);
    }
    decks
}

/// Decks from behind so many calls on, with so many calls between two of them.
#[cfg(test)]
pub(crate) fn dealt(candidate: &Candidate, mut place: u64, gap: u64, decks: usize) -> Vec<Deck> {
    let mut tape = Tape::new(candidate.dealing.generator, &candidate.state);
    let deal = |_| {
        let (deck, end) =
            next_deck(&candidate.dealing, &mut tape, place, None).expect("a start that needs no deck");
        place = end + gap;
        deck
    };
    (0..decks).map(deal).collect()
}

/// Outputs of a generator by their number, made when they are wanted and dropped long after.
pub struct Tape {
    generator: &'static Generator,
    state: Vec<u64>,
    dropped: u64,
    outputs: Vec<u64>,
}

impl Tape {
    /// The outputs from a state on.
    pub fn new(generator: &'static Generator, state: &[u64]) -> Tape {
        Tape { generator, state: state.to_vec(), dropped: 0, outputs: Vec::new() }
    }

    /// The output of a number, the first being 0.
    ///
    /// # Panics
    /// If it lies more than 65,536 outputs behind the last one.
    pub fn output(&mut self, number: u64) -> u64 {
        let place = usize::try_from(number - self.dropped).expect("a place in memory");
        while self.outputs.len() <= place {
            self.outputs.push((self.generator.next)(&mut self.state));
        }
        self.outputs[place]
    }

    /// Forgets outputs long before a place.
    pub fn forget_before(&mut self, place: u64) {
        let behind = (place.saturating_sub(self.dropped) as usize).min(self.outputs.len());
        if behind > 2 * KEPT {
            self.outputs.drain(..behind - KEPT);
            self.dropped += (behind - KEPT) as u64;
        }
    }
}
