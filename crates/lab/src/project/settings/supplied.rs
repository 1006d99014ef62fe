//! Files of a customer beside his decks, as a project names them: raw words, and words beside the decks that they gave.

use serde::{Deserialize, Serialize};

/// A customer's file of raw words, as a project names it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CustomerWordsFile {
    /// The bytes of the words, one after the other.
    pub file: String,
    /// The width of a word: `u8`, `u16`, `u32` or `u64`.
    #[serde(default)]
    pub word: WordWidth,
    /// Which byte of a word comes first.
    #[serde(default)]
    pub order: ByteOrder,
}

/// The width of a word.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum WordWidth {
    /// One byte.
    U8,
    /// Two bytes.
    U16,
    /// Four bytes.
    #[default]
    U32,
    /// Eight bytes.
    U64,
}

impl WordWidth {
    /// Its bits.
    pub fn bits(self) -> u64 {
        match self {
            WordWidth::U8 => 8,
            WordWidth::U16 => 16,
            WordWidth::U32 => 32,
            WordWidth::U64 => 64,
        }
    }
}

/// Which byte of a word comes first.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ByteOrder {
    /// The least significant.
    #[default]
    Little,
    /// The most significant.
    Big,
}

/// A customer's table of words beside decks, as a project names it, with as much of the method as is known.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PairsFile {
    /// The table.
    pub file: String,
    /// How a word becomes a draw, as `deckproof pairs --list` names it.
    pub scaling: Option<String>,
    /// How draws shuffle, likewise.
    #[serde(rename = "loop")]
    pub way: Option<String>,
    /// The order of the new deck, likewise.
    pub start: Option<String>,
    /// How many bits a word has.
    pub bits: Option<u32>,
}

/// What a file of the customer holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SuppliedKind {
    /// Raw words.
    Words,
    /// Words beside decks.
    Pairs,
}
