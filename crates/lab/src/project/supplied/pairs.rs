//! What replaying words beside decks showed, as plain data: the JSON of `deckproof pairs`, and a file of a package.

use serde::{Deserialize, Serialize};

use crate::project::settings::supplied::PairsFile;
use crate::project::supplied::name_of;

/// The version of the record.
pub const PAIRS_FORMAT: &str = "deckproof/pairs/v1";

/// Decks that are named by themselves in the file of a package.
pub const FAULTS_MAX: usize = 10;

/// Whether words give decks by one method.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PairsRecord {
    /// [`PAIRS_FORMAT`].
    pub format: String,
    /// Whether they do.
    pub verdict: PairsVerdict,
    /// The name of the table, without its folders.
    pub file: String,
    /// SHA-256 of the table.
    pub sha256: String,
    /// How many decks it has.
    pub decks: u64,
    /// How many words.
    pub words: u64,
    /// Decks that their words give.
    pub given: u64,
    /// Decks that they do not give.
    pub not_given: u64,
    /// Decks that were not examined: the first one, where each deck is shuffled from the one before.
    pub not_examined: u64,
    /// Bits of a word.
    pub word_bits: u32,
    /// What of the method was named, and not found by trying.
    pub named: Vec<String>,
    /// The method.
    pub method: PairsMethod,
    /// Other methods that give the same decks by the same words.
    pub also: Vec<PairsMethod>,
    /// By none of the methods that give the decks a draw has a chance that differs from 1/n by more than this share of it; none where
    /// draws of all are exactly uniform.
    pub unevenness_max: Option<f64>,
    /// The lines of two different decks that have the same words.
    pub same_words: Option<[u64; 2]>,
    /// The first decks that are not given.
    pub faults: Vec<PairsFault>,
}

/// Whether words give decks.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PairsVerdict {
    /// All of them.
    Agrees,
    /// Not all of them, or one of two different ones.
    Differs,
}

/// A way from words to a deck, by the names of `deckproof pairs --list`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PairsMethod {
    /// From a word to a draw.
    pub scaling: String,
    /// From draws to a deck.
    #[serde(rename = "loop")]
    pub way: String,
    /// Whether a word is drawn for the range 1 too.
    pub draw_of_one: bool,
    /// How the cards lie before.
    pub start: String,
}

impl PairsMethod {
    /// Its three names.
    pub fn name(&self) -> String {
        format!("{}, {}, {}", self.scaling, self.way, self.start)
    }
}

/// A deck that its words do not give. Draws, words and places are counted from 1.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase", deny_unknown_fields)]
pub enum PairsFault {
    /// A draw is another one.
    Draw {
        /// The line of the table.
        line: u64,
        /// Which draw.
        draw: u64,
        /// Below what it is drawn.
        range: u64,
        /// What the words give.
        by_words: u64,
        /// What the deck needs.
        by_deck: u64,
        /// The first place with another card.
        place: u64,
        /// The card that the words give there.
        card_by_words: String,
        /// The card that lies there.
        card: String,
        /// How many of 52 places differ.
        places: u64,
    },
    /// The words end before the deck is shuffled.
    Short {
        /// The line of the table.
        line: u64,
        /// The draw that needs another word; 52 for the range 1.
        draw: u64,
        /// How many words there are.
        words: u64,
    },
    /// Words are left.
    Left {
        /// The line of the table.
        line: u64,
        /// How many make the deck.
        taken: u64,
        /// How many there are.
        words: u64,
    },
}

impl PairsRecord {
    /// What contradicts itself, or is not what was asked; `None` for a sound record. Only replaying the table shows whether
    /// it is true.
    pub fn fault(&self, asked: &PairsFile, sha256: &str) -> Option<String> {
        if self.format != PAIRS_FORMAT || self.file != name_of(&asked.file) {
            return Some("it is not of this file or format".to_owned());
        }
        if self.sha256 != sha256 {
            return Some("it is not of the table whose hash was frozen".to_owned());
        }
        let is_agreed = self.not_given == 0 && self.same_words.is_none() && self.given > 0;
        let sum = self.given.checked_add(self.not_given).and_then(|sum| sum.checked_add(self.not_examined));
        let is_sound = sum == Some(self.decks)
            && (self.verdict == PairsVerdict::Agrees) == is_agreed
            && self.faults.len() as u64 == self.not_given.min(FAULTS_MAX as u64);
        (!is_sound).then(|| "its verdict is not that of its numbers".to_owned())
    }

    /// The same without what a later version may find more of.
    pub fn without_others(&self) -> PairsRecord {
        PairsRecord { also: Vec::new(), ..self.clone() }
    }
}

/// Where the answer on an item's words and decks is.
pub fn pairs_name(item: &str) -> String {
    format!("pairs/{item}.json")
}

/// Where the table itself is, as it was received.
pub fn table_name(item: &str) -> String {
    format!("pairs/{item}.csv")
}
