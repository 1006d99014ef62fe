//! Why a call was not carried out. Repeats nothing of what the call held but names of keys.

use serde_json::{Map, Value, json};

/// What kind of fault, and with it the HTTP status.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CallFaultKind {
    /// Not in the schema.
    Schema,
    /// No such table, hand, entry or call.
    Unknown,
    /// Another call stands in this place.
    OtherCall,
    /// The hand is not there yet, or no longer.
    OutOfTurn,
    /// What the call holds does not fit the hand.
    Unfit,
    /// Too large.
    TooLarge,
    /// Too many calls.
    Busy,
    /// The service does not deal.
    Stopped,
    /// No token, or another one.
    Token,
}

impl CallFaultKind {
    /// The word in `error`.
    pub fn name(self) -> &'static str {
        match self {
            CallFaultKind::Schema => "schema",
            CallFaultKind::Unknown => "unknown",
            CallFaultKind::OtherCall => "other-call",
            CallFaultKind::OutOfTurn => "out-of-turn",
            CallFaultKind::Unfit => "unfit",
            CallFaultKind::TooLarge => "too-large",
            CallFaultKind::Busy => "busy",
            CallFaultKind::Stopped => "stopped",
            CallFaultKind::Token => "token",
        }
    }

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
    /// A fault.
    pub fn new(kind: CallFaultKind, message: impl Into<String>) -> CallFault {
        CallFault { kind, message: message.into() }
    }

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
