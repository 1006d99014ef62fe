//! A table in a scan: its hands in order, and the one that runs.

use std::collections::VecDeque;

use crate::log::entry::{CutEntry, Mix, OpenEntry};
use crate::log::refusal::{Code, Refusal};
use crate::log::scan::report::TableDecks;
use deckproof_deck::commitment::digest::Digest;
use deckproof_deck::key::HandContext;

/// What is known of a hand, few bytes each: a log has hundreds of millions.
#[derive(Clone, Copy)]
pub(super) struct Hand {
    pub mix: Mix,
    pub is_opened: bool,
    pub is_cut: bool,
    /// The cut has all that it needs.
    pub is_cut_whole: bool,
    pub is_ended: bool,
}

impl Hand {
    pub fn new(mix: Mix) -> Hand {
        Hand { mix, is_opened: false, is_cut: false, is_cut_whole: false, is_ended: false }
    }
}

/// The hand that is open.
pub(super) struct Running {
    pub open: OpenEntry,
    /// The leaf hash of the open entry.
    pub name: Digest,
    pub context: HandContext,
    pub cut: Option<CutEntry>,
    /// Place in the list of opened hands.
    pub opened_at: usize,
}

/// A table. Because it plays its decks in order, the hands that have ended are the first ones, and at
/// most one runs.
pub(super) struct Table {
    pub name: String,
    pub running: Option<Running>,
    /// The entry that opened the running hand.
    running_entry: u64,
    /// The hands after those that were forgotten.
    hands: VecDeque<Hand>,
    /// How many were forgotten; all of them have ended.
    forgotten: u64,
    ended: u64,
    /// What became of the decks that ended.
    decks: TableDecks,
}

impl Table {
    pub fn new(name: &str) -> Table {
        Table {
            name: name.to_owned(),
            running: None,
            running_entry: 0,
            hands: VecDeque::new(),
            forgotten: 0,
            ended: 0,
            decks: TableDecks::default(),
        }
    }

    pub fn hands_total(&self) -> u64 {
        self.forgotten + self.hands.len() as u64
    }

    pub fn add(&mut self, hand: Hand) {
        self.hands.push_back(hand);
    }

    fn place(&self, number: u64) -> usize {
        (number - 1 - self.forgotten) as usize
    }

    pub fn hand(&self, number: u64) -> Hand {
        self.hands[self.place(number)]
    }

    pub fn hand_mut(&mut self, number: u64) -> &mut Hand {
        let place = self.place(number);
        &mut self.hands[place]
    }

    pub fn name_of(&self, number: u64) -> String {
        format!("hand {number} of table {}", self.name)
    }

    pub fn context(&self, origin: &str, number: u64) -> HandContext {
        HandContext::new(origin, &self.name, number, self.hand(number).mix.name())
    }

    /// Whether a hand has ended: a table plays its decks in order.
    pub fn has_ended(&self, number: u64) -> bool {
        number <= self.ended
    }

    /// `E_LOG_SKIP`: every lower hand must have ended.
    pub fn check_turn(&self, number: u64) -> Result<(), Refusal> {
        if number <= self.ended + 1 {
            return Ok(());
        }
        let message = format!("{} while hand {} has not ended", self.name_of(number), self.ended + 1);
        Err(Refusal::new(Code::LogSkip, "", message))
    }

    pub fn start(&mut self, number: u64, running: Running, entry: u64) {
        self.hand_mut(number).is_opened = true;
        self.running = Some(running);
        self.running_entry = entry;
    }

    /// Ends the next hand, and perhaps forgets it; returns it if it ran.
    pub fn end(&mut self, number: u64, is_forgotten: bool) -> Option<Running> {
        self.hand_mut(number).is_ended = true;
        self.ended += 1;
        if is_forgotten {
            self.hands.pop_front();
            self.forgotten += 1;
        }
        self.running.take()
    }

    /// Counts a hand that is closed, with a number of cards that its rules allow or not.
    pub fn count_closed(&mut self, is_possible: bool) {
        self.decks.closed += 1;
        self.decks.closed_impossibly += u64::from(!is_possible);
    }

    /// Counts a hand that is voided, as it was before.
    pub fn count_voided(&mut self, hand: Hand) {
        if hand.is_opened {
            self.decks.voided_opened += 1
        } else {
            self.decks.voided_unopened += 1
        }
        // Under the other mixes the operator knows the order in play once the deck is cut by all that cuts it; a seed or a beacon
        // value that he got and did not log is not seen here.
        self.decks.voided_known += u64::from(hand.mix == Mix::None || hand.is_cut_whole);
    }

    /// What became of all its decks.
    pub fn decks(&self) -> TableDecks {
        TableDecks { unused: self.unused(), ..self.decks }
    }

    /// The entry that opened a hand which has not ended, and its name.
    pub fn unfinished(&self) -> Option<(u64, String)> {
        self.running.as_ref().map(|_| (self.running_entry, self.name_of(self.ended + 1)))
    }

    /// Decks that were neither opened nor voided.
    pub fn unused(&self) -> u64 {
        self.hands_total() - self.ended - u64::from(self.running.is_some())
    }
}
