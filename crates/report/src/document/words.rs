//! Every sentence a reader sees, in each language: one file of texts for each, `words/en.toml` and its sisters.
//!
//! The code declares what there is to say and what each sentence is given: a group of sentences is one file
//! `words/GROUP.rs` with `words!`, one line in `groups!` below, and one table `[GROUP]` in each file of texts. A file
//! that lacks a text, has one that nothing asks for, or has no place for something that is given, is refused when its
//! language is first asked for, and every test of these words asks for each.

pub mod bundle;
mod campaign;
mod certificate;
mod chart;
mod compare;
mod cover;
mod demand;
pub mod external;
mod file;
mod frame;
pub mod mail;
mod method;
mod numbers;
mod package;
mod page;
pub mod premise;
mod refusal;
pub mod result;
mod sentence;
pub mod sheet;
mod statistic;
pub mod supplied;
mod tested;
#[cfg(test)]
mod tests;
mod verdict;

use std::sync::LazyLock;

use serde::{Deserialize, Serialize};

pub use crate::document::words::campaign::CampaignWords;
use crate::document::words::file::WordsFile;
use crate::document::words::numbers::NumberWords;
pub use crate::document::words::statistic::{StandardText, StatisticText};

/// Makes a struct of words. `name` is a text, a field; `name(id: text, decks: number)` a sentence, a method that is given
/// these values (`text` a `&str`, `number` a `u64` in groups of three digits, `digits` a `u64` that counts nothing). The
/// text of each is in the files of words under the same name.
macro_rules! words {
    ($(#[$about:meta])* $name:ident { $($field:ident $(($($given:ident: $kind:ident),+))?,)+ }) => {
        $(#[$about])*
        #[derive(Debug)]
        pub struct $name {
            $(
                #[doc = concat!("`", stringify!($field), "` in this language.")]
                pub $field: $crate::document::words::words!(@field $(($($kind)+))?),
            )+
        }

        impl $name {
            /// Its texts out of their table.
            pub(super) fn read(table: &mut $crate::document::words::file::WordsTable) -> $name {
                $name {
                    $($field: $crate::document::words::words!(@read table $field $(($($given: $kind),+))?),)+
                }
            }

            /// Every text with the name of its field, sentences with the names of what they are given.
            pub fn samples(&self) -> Vec<(&'static str, String)> {
                vec![$(
                    (stringify!($field), $crate::document::words::words!(@sample self $field $(($($kind)+))?)),
                )+]
            }

            $($crate::document::words::words!(@method $field $(($($given: $kind),+))?);)+
        }
    };
    (@field) => { &'static str };
    (@field ($($kind:ident)+)) => { $crate::document::words::sentence::Sentence };
    (@read $table:ident $field:ident) => { $table.plain(stringify!($field)) };
    (@read $table:ident $field:ident ($($given:ident: $kind:ident),+)) => {
        $table.sentence(
            stringify!($field),
            &[$((stringify!($given), $crate::document::words::words!(@kind $kind))),+],
        )
    };
    (@sample $own:ident $field:ident) => { $own.$field.to_owned() };
    (@sample $own:ident $field:ident ($($kind:ident)+)) => { $own.$field.sample() };
    (@method $field:ident) => {};
    (@method $field:ident ($($given:ident: $kind:ident),+)) => {
        #[doc = concat!("`", stringify!($field), "` with its values.")]
        pub fn $field(&self, $($given: $crate::document::words::words!(@type $kind)),+) -> String {
            self.$field.fill(&[$($crate::document::words::words!(@value $kind $given)),+])
        }
    };
    (@type text) => { &str };
    (@type number) => { u64 };
    (@type digits) => { u64 };
    (@kind text) => { $crate::document::words::sentence::GivenKind::Text };
    (@kind number) => { $crate::document::words::sentence::GivenKind::Number };
    (@kind digits) => { $crate::document::words::sentence::GivenKind::Digits };
    (@value text $given:ident) => { $crate::document::words::sentence::GivenValue::Text($given) };
    (@value number $given:ident) => { $crate::document::words::sentence::GivenValue::Number($given) };
    (@value digits $given:ident) => { $crate::document::words::sentence::GivenValue::Digits($given) };
}
pub(crate) use words;

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

            /// Everything that is said in this language.
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
    ($($(#[$about:meta])* $group:ident: $words:ident,)+) => {
        /// Everything that is said in one language, by who says it.
        #[derive(Debug)]
        pub struct Words {
            /// Which one.
            pub language: Language,
            /// Texts that are the same as in English because the words are, `group.field` each.
            pub same_as_english: Vec<&'static str>,
            /// How numbers and dates are written.
            pub numbers: NumberWords,
            $($(#[$about])* pub $group: $group::$words,)+
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
                    $($group: file.table(stringify!($group), $group::$words::read),)+
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

groups! {
    /// The frame of a document: its head, its marks, what stands on every page.
    frame: FrameWords,
    /// Labels and captions of figures.
    chart: ChartWords,
    /// The first page and the summary.
    cover: CoverWords,
    /// The requirements R1 to R24, and the fields of a test report.
    demand: DemandWords,
    /// Scope, item, sampling, environment, methods.
    method: MethodWords,
    /// Results, conformity, annexes.
    result: ResultWords,
    /// Results of other programs.
    external: ExternalWords,
    /// What a customer hands in beside decks.
    supplied: SuppliedWords,
    /// Test programs of others that a campaign runs.
    tested: TestedWords,
    /// The judgement of a report package.
    package: PackageWords,
    /// What `deckproof certify` says on the screen.
    campaign: CampaignWords,
    /// The premises of a report.
    premise: PremiseWords,
    /// The findings of a bundle.
    bundle: BundleWords,
    /// A certificate judged again.
    certificate: CertificateWords,
    /// The verdict of an audit.
    verdict: VerdictWords,
    /// Two sets of decks compared.
    compare: CompareWords,
    /// The first screen of an audit, and what the page shares with it.
    page: PageWords,
    /// The headings, notes and tables of its page.
    sheet: SheetWords,
    /// What the codes of refusals mean.
    refusal: RefusalWords,
    /// The mail of the daily job.
    mail: MailWords,
}
