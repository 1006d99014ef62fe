//! What a poker server calls: each call with its table, hand and step, and nothing that the schema does not know.

pub(crate) mod answer;
pub mod fault;
pub(crate) mod fields;
pub(crate) mod hand;
pub mod read;
pub(crate) mod write;

#[cfg(test)]
mod tests;

use serde_json::{Map, Value, json};

use deckproof_deck::commitment::digest::Digest;
use deckproof_deck::deck::Deck;
use deckproof_deck::text::named::named;
use deckproof_stud::stud::readings::Reading;
use deckproof_stud::stud::rules::RuleSet;
use deckproof_stud::stud::seat::Seat;
use deckproof_verify::log::entry::{Mix, UnsealEntry};

/// Which step of which hand: the same place never holds two different calls.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CallPlace {
    /// The table's name in its log.
    pub table: String,
    /// The hand, from 1.
    pub hand: u64,
    /// The step of the hand, from 1.
    pub step: u64,
}

impl CallPlace {
    /// The place, as calls and answers say it.
    pub fn json(&self) -> Map<String, Value> {
        let mut place = Map::new();
        place.insert("table".to_owned(), json!(self.table));
        place.insert("hand".to_owned(), json!(self.hand));
        place.insert("step".to_owned(), json!(self.step));
        place
    }
}

/// A call that moves a hand on. No `Debug`: it may hold a deck or seeds.
#[derive(Clone, PartialEq, Eq)]
pub struct Move {
    /// Where.
    pub place: CallPlace,
    /// What.
    pub kind: MoveKind,
}

/// What moves a hand on.
#[derive(Clone, PartialEq, Eq)]
pub enum MoveKind {
    /// Fixes a deck: ours, or one of the operator's own generator.
    Commit {
        /// Where the order in play comes from.
        mix: Mix,
        /// The deck, if it was made elsewhere.
        deck: Option<Deck>,
    },
    /// Says what is played by whom, before anything is revealed.
    Open(Opening),
    /// Gives what cuts the deck.
    Cut {
        /// The players' seeds, ascending by seat.
        seeds: Vec<(Seat, Digest)>,
        /// The beacon's signature of the round that was announced.
        signature: Option<[u8; 48]>,
    },
    /// Deals the next street.
    Street {
        /// The seats still in, in the order of the deal.
        live: Vec<Seat>,
    },
    /// Notes what happened at a seat.
    Event {
        /// Where.
        seat: Seat,
        /// What.
        what: SeatEvent,
        /// When, in seconds of the poker server's clock.
        at: u64,
    },
    /// Ends the hand.
    Close {
        /// The seats whose hands everybody saw.
        shown_down: Vec<Seat>,
        /// The hand history, whose hash goes into the log.
        history: Option<String>,
    },
    /// Gives the hand up.
    Void {
        /// Why: 1 to 32 of a-z, 0-9 and -.
        reason: String,
    },
}

/// What is said before a hand: no more than its open entry holds.
#[derive(Clone, PartialEq, Eq)]
pub struct Opening {
    /// The rules.
    pub rules: &'static RuleSet,
    /// How points are read that the rules leave open.
    pub readings: Vec<(Reading, String)>,
    /// Who plays, clockwise from the dealer's left.
    pub seats: Vec<Seat>,
    /// Commitments to seeds, under mix `players`.
    pub commits: Vec<(Seat, Digest)>,
    /// Seeds given in the open, under mix `beacon`.
    pub seeds: Vec<(Seat, Digest)>,
    /// The round of drand quicknet, under mix `beacon`.
    pub round: Option<u64>,
}

named! {
    /// What may happen at a seat.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub enum SeatEvent {
        /// The player did not act in time.
        TimeOut = "time-out",
        /// The player's connection broke.
        Disconnected = "disconnected",
        /// The player is back.
        Returned = "returned",
    }
    /// `time-out`, `disconnected` or `returned`.
    pub fn name;
}

/// What is looked up of a hand; it changes nothing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct HandLook {
    /// The table.
    pub table: String,
    /// The hand.
    pub hand: u64,
    /// What.
    pub kind: LookKind,
}

/// What is looked up.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum LookKind {
    /// The receipt of an entry: `deck`, `open`, `cut`, `close` or `void`.
    Receipt(&'static str),
    /// What is handed out of a hand that has ended.
    Bundle {
        /// Of this seat; all 52 cards, for an arbiter, where there is none.
        seat: Option<Seat>,
        /// Where players open the page, for a link that carries the bundle of the seat.
        link: Option<String>,
    },
}

/// Any call.
#[derive(Clone, PartialEq, Eq)]
pub enum Call {
    /// Moves a hand on.
    Move(Move),
    /// Looks up something of a hand.
    Look(HandLook),
    /// Where a table is.
    Status {
        /// The table.
        table: String,
    },
    /// Puts into the log that two people opened a hand which has ended.
    Unseal(Box<UnsealEntry>),
}

/// The names of all calls.
pub const CALLS: [&str; 11] =
    ["commit", "open", "cut", "street", "event", "close", "void", "receipt", "bundle", "status", "unseal"];

impl Call {
    /// The table it is about.
    pub fn table(&self) -> &str {
        match self {
            Call::Move(step) => &step.place.table,
            Call::Unseal(unseal) => &unseal.table,
            Call::Look(look) => &look.table,
            Call::Status { table } => table,
        }
    }

    /// What the call is about, as an answer repeats it.
    pub fn place_json(&self) -> Map<String, Value> {
        let hand = match self {
            Call::Move(step) => return step.place.json(),
            Call::Look(look) => Some(look.hand),
            Call::Unseal(unseal) => Some(unseal.hand),
            Call::Status { .. } => None,
        };
        let mut place = Map::new();
        place.insert("table".to_owned(), json!(self.table()));
        place.extend(hand.map(|hand| ("hand".to_owned(), json!(hand))));
        place
    }

    /// The name of the call.
    pub fn name(&self) -> &'static str {
        match self {
            Call::Move(step) => step.kind.name(),
            Call::Look(HandLook { kind: LookKind::Receipt(_), .. }) => "receipt",
            Call::Look(HandLook { kind: LookKind::Bundle { .. }, .. }) => "bundle",
            Call::Status { .. } => "status",
            Call::Unseal(_) => "unseal",
        }
    }
}

impl MoveKind {
    /// The name of the call.
    pub fn name(&self) -> &'static str {
        match self {
            MoveKind::Commit { .. } => "commit",
            MoveKind::Open(_) => "open",
            MoveKind::Cut { .. } => "cut",
            MoveKind::Street { .. } => "street",
            MoveKind::Event { .. } => "event",
            MoveKind::Close { .. } => "close",
            MoveKind::Void { .. } => "void",
        }
    }

    /// The kind of the entry that it makes, if it makes one.
    pub fn entry(&self) -> Option<&'static str> {
        match self {
            MoveKind::Commit { .. } => Some("deck"),
            MoveKind::Street { .. } | MoveKind::Event { .. } => None,
            other => Some(other.name()),
        }
    }

    /// Whether it ends its hand.
    pub fn is_end(&self) -> bool {
        matches!(self, MoveKind::Close { .. } | MoveKind::Void { .. })
    }
}
