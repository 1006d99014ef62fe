//! What a customer hands in beside decks: raw words of a generator, and words beside the decks that they gave.

pub mod pairs;

use serde::{Deserialize, Serialize};

use crate::project::raw::RawCounts;
use crate::project::raw::customer::{CustomerWords, WordLayout};
use crate::project::settings::supplied::{ByteOrder, CustomerWordsFile};
use deckproof_deck::text::excerpt;

/// The version of the counts of a customer's words.
pub const WORDS_FORMAT: &str = "deckproof/customer-words/v1";

/// Letters of a file's name that are kept.
const NAME_LETTERS_MAX: usize = 80;

/// How the words of a customer's file lie in it.
pub fn layout_of(asked: &CustomerWordsFile) -> WordLayout {
    WordLayout { bits: asked.word.bits(), order: asked.order }
}

/// The counts of a customer's words: what is judged again, for the file itself may be too long for a package.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WordsRecord {
    /// [`WORDS_FORMAT`].
    pub format: String,
    /// The name of the file, without its folders.
    pub file: String,
    /// SHA-256 of the file.
    pub sha256: String,
    /// Bits of a word.
    pub word_bits: u64,
    /// Which byte of a word comes first.
    pub order: ByteOrder,
    /// What was counted.
    pub counts: RawCounts,
}

impl WordsRecord {
    /// The record of a file that was counted.
    pub fn of(file: &str, layout: WordLayout, words: &CustomerWords) -> WordsRecord {
        WordsRecord {
            format: WORDS_FORMAT.to_owned(),
            file: name_of(file),
            sha256: words.sha256.clone(),
            word_bits: layout.bits,
            order: layout.order,
            counts: words.counts.clone(),
        }
    }

    /// What contradicts itself, or is not what was asked; `None` for a sound record.
    pub fn fault(&self, asked: &CustomerWordsFile, sha256: &str) -> Option<String> {
        let layout = WordLayout { bits: self.word_bits, order: self.order };
        if self.format != WORDS_FORMAT || self.file != name_of(&asked.file) || layout != layout_of(asked) {
            return Some("it is not of this file, layout or format".to_owned());
        }
        if self.sha256 != sha256 {
            return Some("it is not of the file whose hash was frozen".to_owned());
        }
        self.counts.fault(self.counts.words, self.word_bits)
    }
}

/// The name of a file without its folders, as one line of visible letters.
pub fn name_of(file: &str) -> String {
    excerpt(file.rsplit('/').next().unwrap_or(file), NAME_LETTERS_MAX)
}

/// Where the counts of an item's words stand.
pub fn words_name(item: &str) -> String {
    format!("words/{item}.json")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::project::raw::customer::count;
    use crate::project::settings::supplied::WordWidth;

    #[test]
    fn a_record_that_contradicts_itself_or_the_project_is_found() {
        let asked = CustomerWordsFile {
            file: "in/capture.bin".to_owned(),
            word: WordWidth::U64,
            order: ByteOrder::Big,
        };
        let bytes: Vec<u8> = (0..8_000u32).map(|number| ((number * number) >> 3) as u8).collect();
        let words = count(&bytes[..], layout_of(&asked)).expect("whole words");
        let record = WordsRecord::of(&asked.file, layout_of(&asked), &words);
        assert_eq!((record.file.as_str(), record.counts.words), ("capture.bin", 1_000));
        assert_eq!(record.fault(&asked, &words.sha256), None);
        let text = serde_json::to_string(&record).expect("plain data");
        assert_eq!(serde_json::from_str::<WordsRecord>(&text).expect("what was written"), record);
        assert!(record.fault(&asked, &"0".repeat(64)).is_some());
        assert!(
            record
                .fault(&CustomerWordsFile { order: ByteOrder::Little, ..asked.clone() }, &words.sha256)
                .is_some()
        );
        let spoil = |change: &dyn Fn(&mut WordsRecord)| {
            let mut record = record.clone();
            change(&mut record);
            assert!(record.fault(&asked, &words.sha256).is_some(), "{record:?}");
        };
        spoil(&|record| record.counts.ones[63] += 1);
        spoil(&|record| record.counts.bytes[3] += 1);
        spoil(&|record| record.counts.words -= 1);
        spoil(&|record| record.counts.longest_run = 8_001);
        spoil(&|record| record.word_bits = 32);
        spoil(&|record| record.file.push('x'));
        spoil(&|record| record.format.push('x'));
    }
}
