//! Every sentence a reader sees, in each language: one file of texts for each, `words/en.toml` and its sisters.
//!
//! The English file declares what there is to say and what each sentence is given: `build.rs` makes a struct of each table
//! `[GROUP]`, by `words!` and `groups!` below. A file of another language that lacks a text, has one that nothing asks for,
//! or has no place for something that is given, is refused when its language is first asked for, and every test of these
//! words asks for each.

mod choices;
mod file;
mod numbers;
mod sentence;
mod statistic;
#[cfg(test)]
mod tests;

use std::sync::LazyLock;

use serde::{Deserialize, Serialize};

use crate::document::words::file::{WordsFile, WordsTable};
use crate::document::words::numbers::NumberWords;
use crate::document::words::sentence::{GivenKind, GivenValue, Sentence};
pub use crate::document::words::statistic::{StandardText, StatisticText};

/// Makes a struct of words. `name` is a text, a field; `name(id: text, decks: number)` a sentence, a method that is given
/// these values (`text` a `&str`, `number` a `u64` in groups of three digits, `digits` a `u64` that counts nothing). The
/// text of each is in the files of words under the same name.
macro_rules! words {
    ($name:ident { $($field:ident $(($($given:ident: $kind:ident),+))?,)+ }) => {
        #[doc = concat!("The texts of one table of the English file: `", stringify!($name), "`.")]
        #[derive(Debug)]
        pub struct $name {
            $(
                #[doc = concat!("`", stringify!($field), "` in this language.")]
                pub $field: words!(@field $(($($kind)+))?),
            )+
        }

        impl $name {
            /// Its texts out of their table.
            fn read(table: &mut WordsTable) -> $name {
                $name {
                    $($field: words!(@read table $field $(($($given: $kind),+))?),)+
                }
            }

            /// Every text with the name of its field, sentences with the names of what they are given.
            pub fn samples(&self) -> Vec<(&'static str, String)> {
                vec![$(
                    (stringify!($field), words!(@sample self $field $(($($kind)+))?)),
                )+]
            }

            $(words!(@method $field $(($($given: $kind),+))?);)+
        }
    };
    (@field) => { &'static str };
    (@field ($($kind:ident)+)) => { Sentence };
    (@read $table:ident $field:ident) => { $table.plain(stringify!($field)) };
    (@read $table:ident $field:ident ($($given:ident: $kind:ident),+)) => {
        $table.sentence(
            stringify!($field),
            &[$((stringify!($given), words!(@kind $kind))),+],
        )
    };
    (@sample $own:ident $field:ident) => { $own.$field.to_owned() };
    (@sample $own:ident $field:ident ($($kind:ident)+)) => { $own.$field.sample() };
    (@method $field:ident) => {};
    (@method $field:ident ($($given:ident: $kind:ident),+)) => {
        #[doc = concat!("`", stringify!($field), "` with its values.")]
        pub fn $field(&self, $($given: words!(@type $kind)),+) -> String {
            self.$field.fill(&[$(words!(@value $kind $given)),+])
        }
    };
    (@type text) => { &str };
    (@type number) => { u64 };
    (@type digits) => { u64 };
    (@kind text) => { GivenKind::Text };
    (@kind number) => { GivenKind::Number };
    (@kind digits) => { GivenKind::Digits };
    (@value text $given:ident) => { GivenValue::Text($given) };
    (@value number $given:ident) => { GivenValue::Number($given) };
    (@value digits $given:ident) => { GivenValue::Digits($given) };
}

/// Makes [`Language`] of its languages: a name, and the code of ISO 639-1 that is the name of the file of its words.
macro_rules! languages {
    ($($name:ident $code:literal,)+) => {
        /// A language of reports.
        #[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
        pub enum Language {
            $(
                #[doc = concat!(stringify!($name), ".")]
                #[serde(rename = $code)]
                $name,
            )+
        }

        impl Language {
            /// Every language.
            pub const ALL: [Language; [$($code),+].len()] = [$(Language::$name),+];

            /// Its code after ISO 639-1, as in files and arguments.
            pub fn code(self) -> &'static str {
                match self {
                    $(Language::$name => $code,)+
                }
            }

            /// All texts in this language.
            ///
            /// ```
            /// use deckproof_report::document::words::Language;
            ///
            /// let [en, fr] = [Language::English, Language::French].map(Language::words);
            /// assert_eq!(en.decimal(1234.5, 1), "1,234.5");
            /// assert_eq!(fr.decimal(1234.5, 1), "1\u{202f}234,5");
            /// assert_eq!(en.date("2026-11-22".parse()?), "22 November 2026");
            /// assert_eq!(fr.date("2026-11-01".parse()?), "1er novembre 2026");
            /// # Ok::<(), Box<dyn std::error::Error>>(())
            /// ```
            pub fn words(self) -> &'static Words {
                match self {
                    $(Language::$name => {
                        static WORDS: LazyLock<Words> = LazyLock::new(|| {
                            let source = include_str!(concat!("words/", $code, ".toml"));
                            let file = WordsFile::open(concat!($code, ".toml"), source);
                            let words = file.and_then(|file| Words::read(Language::$name, file));
                            words.unwrap_or_else(|faults| panic!("{}", faults.join("\n")))
                        });
                        &WORDS
                    })+
                }
            }
        }
    };
}

languages! {
    English "en",
    French "fr",
}

impl Language {
    /// The language of a code.
    pub fn from_code(code: &str) -> Option<Language> {
        Language::ALL.into_iter().find(|language| language.code() == code)
    }

    /// The codes of all languages, such as `en or fr`.
    pub fn codes(between: &str) -> String {
        Language::ALL.map(Language::code).join(between)
    }
}

/// Makes [`Words`] of its groups, each a room of the same name.
macro_rules! groups {
    ($($group:ident: $words:ident,)+) => {
        /// All texts in one language, by who says them.
        #[derive(Debug)]
        pub struct Words {
            /// Which one.
            pub language: Language,
            /// Texts that are the same as in English because the words are, `group.field` each.
            pub same_as_english: Vec<&'static str>,
            /// How numbers and dates are written.
            pub numbers: NumberWords,
            $(#[doc = concat!("The table `", stringify!($group), "`.")] pub $group: $words,)+
            /// Statistics, where the battery does not speak this language.
            pub statistics: Vec<StatisticText>,
            /// Standards, likewise.
            pub standards: Vec<StandardText>,
            /// What the selftest claims, in English and here, likewise.
            pub selftest: Vec<(&'static str, &'static str)>,
            /// What the bars of histograms count, in English and here, likewise.
            pub axes: Vec<(&'static str, &'static str)>,
        }

        impl Words {
            /// A file of words; every fault of it with its line otherwise.
            fn read(language: Language, mut file: WordsFile) -> Result<Words, Vec<String>> {
                let numbers = file.table("numbers", NumberWords::read);
                file.group = numbers.group;
                let same = file.table("language", |table| table.verbatim("same_as_english"));
                let words = Words {
                    language,
                    same_as_english: same.split_whitespace().collect(),
                    numbers,
                    $($group: file.table(stringify!($group), $words::read),)+
                    statistics: file.tables("statistics", StatisticText::read),
                    standards: file.tables("standards", StandardText::read),
                    selftest: file.rows("selftest"),
                    axes: file.rows("axes"),
                };
                file.close().map(|()| words)
            }

            /// Every text of every group, as `group.field`.
            pub fn samples(&self) -> Vec<(String, String)> {
                let groups = [
                    ("numbers", self.numbers.samples()),
                    $((stringify!($group), self.$group.samples()),)+
                ];
                let named = groups.into_iter().flat_map(|(group, texts)| {
                    texts.into_iter().map(move |(field, text)| (format!("{group}.{field}"), text))
                });
                named.collect()
            }
        }
    };
}

include!(concat!(env!("OUT_DIR"), "/words.rs"));
