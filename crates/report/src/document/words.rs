//! Every sentence a reader sees, in each language: a struct of words a language, so that a missing one does not compile.
//!
//! A group of words is one file `words/GROUP.rs` with `words!`, one field of [`Words`], one line of
//! [`Words::samples`], and its texts in `en/GROUP.rs` and `fr/GROUP.rs`. What a language leaves as it is in English, such as
//! a name, is listed in the test below; every other text must differ.

pub mod bundle;
mod campaign;
mod certificate;
mod chart;
mod cover;
mod demand;
mod en;
pub mod external;
mod fr;
mod frame;
pub mod mail;
mod method;
mod numbers;
mod package;
pub mod premise;
mod refusal;
pub mod result;
pub mod sample;
mod statistic;

use serde::{Deserialize, Serialize};

use crate::document::words::bundle::BundleWords;
pub use crate::document::words::campaign::CampaignWords;
use crate::document::words::certificate::CertificateWords;
use crate::document::words::chart::ChartWords;
use crate::document::words::cover::CoverWords;
use crate::document::words::demand::DemandWords;
use crate::document::words::external::ExternalWords;
use crate::document::words::frame::FrameWords;
use crate::document::words::mail::MailWords;
use crate::document::words::method::MethodWords;
use crate::document::words::numbers::NumberWords;
use crate::document::words::package::PackageWords;
use crate::document::words::premise::PremiseWords;
use crate::document::words::refusal::RefusalWords;
use crate::document::words::result::ResultWords;
pub use crate::document::words::statistic::{StandardText, StatisticText};

/// Makes a struct of words. `name` becomes a text, `name(u64, &str)` a function that gives one. A text that a
/// person reads is named by its field in code and by its language in `en` and `fr`.
///
/// Its method `samples` gives every text with the name of its field, functions with the values of
/// [`sample::Sample`]: tests compare the languages by it.
macro_rules! words {
    ($(#[$about:meta])* $name:ident { $($field:ident $(($($kind:ty),+))?,)+ }) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug)]
        pub struct $name {
            $(
                #[doc = concat!("`", stringify!($field), "` in this language.")]
                pub $field: $crate::document::words::words!(@kind $(($($kind),+))?),
            )+
        }

        impl $name {
            /// Every text with the name of its field.
            pub fn samples(&self) -> Vec<(&'static str, String)> {
                vec![$((stringify!($field), $crate::document::words::words!(@say self.$field $(, $($kind),+)?)),)+]
            }
        }
    };
    (@kind) => { &'static str };
    (@kind ($($kind:ty),+)) => { fn($($kind),+) -> String };
    (@say $me:ident.$field:ident) => { $me.$field.to_string() };
    (@say $me:ident.$field:ident, $($kind:ty),+) => {
        ($me.$field)($(<$kind as $crate::document::words::sample::Sample>::sample()),+)
    };
}
pub(crate) use words;

/// A language of reports.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Language {
    /// English.
    #[serde(rename = "en")]
    English,
    /// French.
    #[serde(rename = "fr")]
    French,
}

impl Language {
    /// Every language.
    pub const ALL: [Language; 2] = [Language::English, Language::French];

    /// Its code after ISO 639-1, as in files and arguments.
    pub fn code(self) -> &'static str {
        match self {
            Language::English => "en",
            Language::French => "fr",
        }
    }

    /// The language of a code.
    pub fn from_code(code: &str) -> Option<Language> {
        Language::ALL.into_iter().find(|language| language.code() == code)
    }

    /// Everything that is said in this language.
    ///
    /// ```
    /// use deckproof_report::document::words::Language;
    ///
    /// let [en, fr] = Language::ALL.map(|language| language.words());
    /// assert_eq!(en.decimal(1234.5, 1), "1,234.5");
    /// assert_eq!(fr.decimal(1234.5, 1), "1\u{202f}234,5");
    /// assert_eq!(en.date("2026-11-22".parse()?), "22 November 2026");
    /// assert_eq!(fr.date("2026-11-01".parse()?), "1er novembre 2026");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn words(self) -> &'static Words {
        match self {
            Language::English => &en::WORDS,
            Language::French => &fr::WORDS,
        }
    }
}

/// Everything that is said in one language, by who says it.
#[derive(Clone, Copy, Debug)]
pub struct Words {
    /// Which one.
    pub language: Language,
    /// How numbers and dates are written.
    pub numbers: NumberWords,
    /// The frame of a document: its head, its marks, what stands on every page.
    pub frame: FrameWords,
    /// Labels and captions of figures.
    pub chart: ChartWords,
    /// The first page and the summary.
    pub cover: CoverWords,
    /// The requirements R1 to R24, and the fields of a test report.
    pub demand: DemandWords,
    /// Scope, item, sampling, environment, methods.
    pub method: MethodWords,
    /// Results, conformity, annexes.
    pub result: ResultWords,
    /// Results of other programs.
    pub external: ExternalWords,
    /// The judgement of a report package.
    pub package: PackageWords,
    /// What `deckproof certify` says on the screen.
    pub campaign: CampaignWords,
    /// The premises of a report.
    pub premise: PremiseWords,
    /// The findings of a bundle.
    pub bundle: BundleWords,
    /// A certificate judged again.
    pub certificate: CertificateWords,
    /// What the codes of refusals mean.
    pub refusal: RefusalWords,
    /// The mail of the daily job.
    pub mail: MailWords,
    /// Statistics, where the battery does not speak this language.
    pub statistics: &'static [&'static [StatisticText]],
    /// Standards, likewise.
    pub standards: &'static [StandardText],
}

impl Words {
    /// Every text of every group, as `group.field`.
    pub fn samples(&self) -> Vec<(String, String)> {
        let groups = [
            ("frame", self.frame.samples()),
            ("chart", self.chart.samples()),
            ("cover", self.cover.samples()),
            ("demand", self.demand.samples()),
            ("method", self.method.samples()),
            ("result", self.result.samples()),
            ("external", self.external.samples()),
            ("package", self.package.samples()),
            ("campaign", self.campaign.samples()),
            ("premise", self.premise.samples()),
            ("bundle", self.bundle.samples()),
            ("certificate", self.certificate.samples()),
            ("refusal", self.refusal.samples()),
            ("mail", self.mail.samples()),
        ];
        let named = groups.into_iter().flat_map(|(group, texts)| {
            texts.into_iter().map(move |(field, text)| (format!("{group}.{field}"), text))
        });
        named.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Texts that are the same in both languages because the words are.
    const SAME: [&str; 15] = [
        "frame.page",
        "frame.verdict",
        "frame.figure",
        "cover.signatures",
        "cover.signature",
        "cover.day",
        "cover.contact",
        "cover.audits",
        "cover.verdict",
        "method.version",
        "method.audit",
        "method.machine",
        "result.table",
        "result.reproduce",
        "external.test",
    ];

    #[test]
    fn every_text_is_there_and_translated() {
        let [en, fr] = Language::ALL.map(|language| language.words().samples());
        assert!(en.len() == fr.len() && en.len() >= 15, "{} texts", en.len());
        for ((field, en), (other, fr)) in en.iter().zip(&fr) {
            assert_eq!(field, other);
            assert!(!en.trim().is_empty() && !fr.trim().is_empty(), "{field} is empty");
            assert_eq!(en == fr, SAME.contains(&field.as_str()), "{field}: {en:?} and {fr:?}");
        }
    }

    /// What a sentence is given must stand in it, in both languages: a number that only one of them tells is lost.
    #[test]
    fn every_language_says_what_it_is_given() {
        let given = |text: &str| -> Vec<&str> {
            ["XYZ", "1,234,567", "1\u{202f}234\u{202f}567"]
                .into_iter()
                .filter(|given| text.contains(given))
                .collect()
        };
        let [en, fr] = Language::ALL.map(|language| language.words().samples());
        for ((field, en), (_, fr)) in en.iter().zip(&fr) {
            assert_eq!(given(en).len(), given(fr).len(), "{field}: {en:?} and {fr:?}");
        }
    }

    /// The numbers of a text in their order, without marks between thousands.
    fn whole_numbers(text: &str) -> Vec<String> {
        let plain: String = text.chars().filter(|letter| !",\u{202f}".contains(*letter)).collect();
        plain
            .split(|letter: char| !letter.is_ascii_digit())
            .filter(|part| part.len() > 3)
            .map(str::to_owned)
            .collect()
    }

    /// Several numbers of one sentence, each of its own: none stands in the place of another.
    #[test]
    fn every_language_tells_its_numbers_in_their_places() {
        let said = Language::ALL.map(|language| {
            let words = language.words();
            let (package, chart, mail) = (&words.package, &words.chart, &words.mail);
            [
                (package.says)("XYZ", "XYZ", 1_001, 2_002, 3_003),
                (package.consistent)("XYZ", "XYZ", 4_004, 5_005),
                (chart.p_values_caption)(6_006, 7_007, 8_008),
                (mail.decks)("XYZ", "XYZ", 9_009, 1_010),
                (mail.decks_of)(2_020, "XYZ"),
                (words.campaign.ended)("XYZ", 3_030, 4_040, 5_050),
                (words.campaign.audit)("XYZ", "XYZ", 6_060, "XYZ", 7_070),
                (words.campaign.runs_decks)(8_080, 9_090, "XYZ", 1_100),
            ]
            .map(|text| whole_numbers(&text))
        });
        let wanted = [
            vec!["1001", "2002", "3003"],
            vec!["4004", "5005"],
            vec!["6006", "7007", "8008"],
            vec!["9009", "1010"],
            vec!["2020"],
            vec!["3030", "4040", "5050"],
            vec!["6060", "7070"],
            vec!["8080", "9090", "1100"],
        ];
        assert_eq!(said, [wanted.clone(), wanted]);
    }

    /// Words that stand beside each other in a table tell different things.
    #[test]
    fn what_differs_is_named_differently() {
        use crate::document::figure::Axis;
        let [en, fr] = Language::ALL.map(Language::words);
        let axes = [
            Axis::Card,
            Axis::Place,
            Axis::NextPlace,
            Axis::NextCard,
            Axis::CardThatFollows,
            Axis::PlaceThatFollows,
            Axis::NextPlaceThatFollows,
            Axis::NextCardThatFollows,
        ];
        for words in [en, fr] {
            let (own, mail) = (&words.external, &words.mail);
            let columns = [own.results, own.suspicious, own.failed, own.says, own.program];
            for all in [
                &columns[..],
                &[own.says_passed, own.says_suspicious, own.says_failed],
                &[own.agrees, own.disagrees],
            ] {
                let different: std::collections::BTreeSet<&&str> = all.iter().collect();
                assert_eq!(different.len(), all.len(), "{all:?}");
            }
            let names: std::collections::BTreeSet<String> =
                axes.iter().map(|axis| (words.chart.axis)(*axis)).collect();
            assert_eq!(names.len(), axes.len(), "{names:?}");
            let plural = if words.language == Language::French { "jours" } else { "days" };
            let days = |count| (mail.evidence)(count, "XYZ").contains(plural);
            assert_eq!([days(1), days(2)], [false, true]);
        }
        assert!(axes.iter().all(|axis| (en.chart.axis)(*axis) != (fr.chart.axis)(*axis)));
        assert!(fr.external.agrees.starts_with("concord") && fr.external.disagrees.starts_with("discord"));
    }

    /// French words that stood for a thing beside the word of ISO/IEC 17025, of statistics or of the card room.
    const ONE_WORD: [(&str, &str); 10] = [
        ("soumis à essai", "soumis à l’essai"),
        ("Opinions", "Avis"),
        ("essais statistiques", "tests statistiques"),
        ("essais nommés", "tests nommés"),
        ("onneurs", "mélangeurs"),
        ("générateur aléatoire", "générateur de nombres aléatoires"),
        ("onclusion", "verdict"),
        ("couchers", "abandons"),
        ("ISO/CEI", "ISO/IEC"),
        ("cartes exposées", "cartes découvertes"),
    ];

    /// The Imprimerie nationale's rules of typesetting: a space that does not break before `:` and `»`, a narrow one before
    /// `;`, `!`, `?` and `%`, and no straight quotes.
    #[test]
    fn french_is_set_by_its_rules() {
        let words = Language::French.words();
        let statistics = words.statistics.iter().copied().flatten();
        let statistics =
            statistics.flat_map(|own| [own.title, own.null, own.formula].map(|text| (own.id, text)));
        let standards = words.standards.iter();
        let standards =
            standards.flat_map(|own| [own.name, own.clause, own.beyond].map(|text| (own.id, text)));
        let tables = statistics.chain(standards).map(|(id, text)| (id.to_owned(), text.to_owned()));
        for (field, text) in words.samples().into_iter().chain(tables) {
            assert!(!text.contains(['\'', '"']), "{field}: a straight quote in {text:?}");
            let letters: Vec<char> = text.chars().collect();
            let is_split =
                |three: &[char]| three[0].is_ascii_digit() && three[1] == ' ' && three[2].is_ascii_digit();
            assert!(!letters.windows(3).any(is_split), "{field}: a number may break in {text:?}");
            for (wrong, right) in ONE_WORD {
                assert!(!text.contains(wrong), "{field}: {wrong:?} in {text:?}, wanted {right:?}");
            }
            for (place, mark) in text.char_indices().filter(|(_, letter)| ":;!?»%".contains(*letter)) {
                let before = text[..place].chars().next_back();
                // A factorial is no exclamation.
                if mark == '!' && before.is_some_and(|letter| letter.is_ascii_alphanumeric()) {
                    continue;
                }
                // A section of a text keeps its own marks: 48:02:08:02.
                if mark == ':'
                    && before.is_some_and(|letter| letter.is_ascii_digit())
                    && text[place + 1..].starts_with(|after: char| after.is_ascii_digit())
                {
                    continue;
                }
                let wanted = if ":»".contains(mark) { '\u{a0}' } else { '\u{202f}' };
                assert_eq!(before, Some(wanted), "{field}: before {mark} in {text:?}");
            }
        }
    }

    #[test]
    fn languages_have_codes() {
        for language in Language::ALL {
            assert_eq!(Language::from_code(language.code()), Some(language));
            assert_eq!(serde_json::to_string(&language).ok(), Some(format!("{:?}", language.code())));
        }
        assert_eq!(Language::from_code("de"), None);
    }
}
