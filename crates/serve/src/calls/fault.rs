//! Why a call was not carried out. Repeats of what the call held names of keys, numbers and short words
//! only: never a deck, a seed or a signature.

use deckproof_deck::text::named::named;
use serde_json::{Map, Value, json};

named! {
    /// What kind of fault, and with it the HTTP status.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub enum CallFaultKind {
        /// Not in the schema.
        Schema = "schema",
        /// No such table, hand, entry or call.
        Unknown = "unknown",
        /// Another call stands in this place.
        OtherCall = "other-call",
        /// The hand is not there yet, or no longer.
        OutOfTurn = "out-of-turn",
        /// What the call holds does not fit the hand.
        Unfit = "unfit",
        /// Too large.
        TooLarge = "too-large",
        /// Too many calls.
        Busy = "busy",
        /// The service does not deal.
        Stopped = "stopped",
        /// No token, or another one.
        Token = "token",
    }
    /// The word in `error`.
    pub fn name;
}

impl CallFaultKind {
    /// The HTTP status.
    pub fn status(self) -> u16 {
        match self {
            CallFaultKind::Schema => 400,
            CallFaultKind::Token => 401,
            CallFaultKind::Unknown => 404,
            CallFaultKind::OtherCall | CallFaultKind::OutOfTurn => 409,
            CallFaultKind::TooLarge => 413,
            CallFaultKind::Unfit => 422,
            CallFaultKind::Busy => 429,
            CallFaultKind::Stopped => 503,
        }
    }

    /// A fault of this kind.
    pub fn fault(self, message: impl Into<String>) -> CallFault {
        CallFault { kind: self, message: message.into() }
    }
}

/// Why a call was not carried out.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{}: {message}", .kind.name())]
pub struct CallFault {
    /// What kind.
    pub kind: CallFaultKind,
    /// What is wrong, in words.
    pub message: String,
}

impl CallFault {
    /// The answer, one line.
    pub fn json(&self) -> String {
        self.json_at(Map::new())
    }

    /// The answer to a call about these keys.
    pub fn json_at(&self, mut place: Map<String, Value>) -> String {
        place.insert("error".to_owned(), json!(self.kind.name()));
        place.insert("message".to_owned(), json!(self.message));
        Value::Object(place).to_string()
    }
}
