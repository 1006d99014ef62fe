//! The keys of one JSON object, each taken once; what is left over is in no schema.

use deckproof_deck::json::{Json, Limits};
use deckproof_deck::text::decimal::counted;
use deckproof_deck::text::{excerpt, visible};

use crate::calls::fault::{CallFault, CallFaultKind};

/// A call is at most this long, in bytes: a hand history is the largest thing in it.
pub const CALL_BYTES_MAX: usize = 64 << 10;

/// Letters of a word that messages repeat: no seed is so short.
const WORD_LETTERS_MAX: usize = 32;

const LIMITS: Limits = Limits { bytes_max: CALL_BYTES_MAX, members_max: 32 };

/// What is wrong with a call, in words.
pub fn schema(message: impl Into<String>) -> CallFault {
    CallFaultKind::Schema.fault(message)
}

/// The keys of an object that were not taken yet.
pub struct Fields<'a> {
    members: &'a [(String, Json)],
    taken: Vec<&'static str>,
}

impl<'a> Fields<'a> {
    /// Reads one object and hands its keys over; whatever strings it held are wiped afterwards.
    pub fn read<T>(
        bytes: &[u8],
        with: impl FnOnce(&mut Fields<'_>) -> Result<T, CallFault>,
    ) -> Result<T, CallFault> {
        if bytes.len() > CALL_BYTES_MAX {
            let message = format!("found {} bytes, wanted at most {CALL_BYTES_MAX}", bytes.len());
            return Err(CallFaultKind::TooLarge.fault(message));
        }
        let json = Json::parse_secret(bytes, LIMITS)
            .map_err(|error| schema(format!("no JSON object: byte {}: {}", error.offset, error.problem)))?;
        let mut fields = Fields::of(&json, "the call")?;
        let read = with(&mut fields)?;
        fields.end()?;
        Ok(read)
    }

    /// The keys of a value that must be an object.
    pub fn of(json: &'a Json, name: &str) -> Result<Fields<'a>, CallFault> {
        match json {
            Json::Object(members) => Ok(Fields { members, taken: Vec::new() }),
            other => Err(schema(format!("{name}: found {}, wanted an object", found(other)))),
        }
    }

    /// A value that may be absent.
    pub fn optional(&mut self, key: &'static str) -> Option<&'a Json> {
        self.taken.push(key);
        self.members.iter().find(|member| member.0 == key).map(|member| &member.1)
    }

    /// A value that must be there.
    pub fn needed(&mut self, key: &'static str) -> Result<&'a Json, CallFault> {
        self.optional(key).ok_or_else(|| schema(format!("the key {key:?} is missing")))
    }

    /// A string that must be there.
    pub fn text(&mut self, key: &'static str) -> Result<&'a str, CallFault> {
        text(key, self.needed(key)?)
    }

    /// A whole number from 0 that must be there.
    pub fn number(&mut self, key: &'static str) -> Result<u64, CallFault> {
        number(key, self.needed(key)?)
    }

    /// A whole number from 1 that must be there: hands and steps are counted from 1.
    pub fn count(&mut self, key: &'static str) -> Result<u64, CallFault> {
        match self.number(key)? {
            0 => Err(schema(format!("{key:?}: found 0, wanted a whole number from 1"))),
            count => Ok(count),
        }
    }

    /// All pairs, where the keys are no fixed ones.
    pub fn pairs(self) -> &'a [(String, Json)] {
        self.members
    }

    /// Refuses what was not taken.
    pub fn end(&self) -> Result<(), CallFault> {
        match self.members.iter().find(|member| !self.taken.contains(&member.0.as_str())) {
            None => Ok(()),
            Some((key, _)) => Err(schema(format!("the call has no key {:?}", excerpt(key, 40)))),
        }
    }
}

/// What was found, for messages: numbers as they stand, of anything else what it is.
pub fn found(json: &Json) -> String {
    match json {
        Json::Number(digits) => excerpt(digits, WORD_LETTERS_MAX),
        Json::Bool(own) => own.to_string(),
        Json::Text(text) => {
            format!("a string of {}", counted(text.chars().count() as u64, "letter", "letters"))
        }
        other => other.kind().to_owned(),
    }
}

/// A word that was found; of a longer text, which may be a seed in the wrong place, its length alone.
pub fn found_word(text: &str) -> String {
    match text.chars().count() {
        0..=WORD_LETTERS_MAX => format!("{:?}", visible(text)),
        letters => format!("a string of {letters} letters"),
    }
}

/// A string.
pub fn text<'a>(key: &str, json: &'a Json) -> Result<&'a str, CallFault> {
    json.text().ok_or_else(|| schema(format!("{key:?}: found {}, wanted a string", found(json))))
}

/// A whole number from 0 to 2^53 − 1. To JSON Schema 4 and 4.0 are one number.
pub fn number(key: &str, json: &Json) -> Result<u64, CallFault> {
    let wanted = || schema(format!("{key:?}: found {}, wanted a whole number 0 to 2^53-1", found(json)));
    let Json::Number(digits) = json else { return Err(wanted()) };
    let digits = match digits.split_once('.') {
        Some((whole, part)) if part.bytes().all(|byte| byte == b'0') => whole,
        _ => digits,
    };
    match digits.parse::<u64>() {
        Ok(number) if number < 1 << 53 && digits.bytes().all(|byte| byte.is_ascii_digit()) => Ok(number),
        _ => Err(wanted()),
    }
}
