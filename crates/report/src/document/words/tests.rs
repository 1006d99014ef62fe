//! The languages beside each other.

use std::collections::BTreeSet;

use crate::document::figure::Axis;
use crate::document::words::file::WordsFile;
use crate::document::words::{Language, Words};
use deckproof_audit::certificate::RULE;
use deckproof_audit::source::format::Numbering;
use deckproof_audit::standards::familiar::FAMILIAR;
use deckproof_stats::battery::stud::table::StudTable;
use deckproof_stud::stud::rules::RuleSet;

/// The English words and those of every other language.
fn beside_english() -> Vec<(&'static Words, &'static Words)> {
    let others = Language::ALL.into_iter().filter(|language| *language != Language::English);
    others.map(|language| (Language::English.words(), language.words())).collect()
}

/// Whether there is anything to translate beside the values.
fn has_words(sample: &str) -> bool {
    let plain = sample.split('‹').map(|part| part.split_once('›').map_or(part, |(_, plain)| plain));
    plain.flat_map(str::chars).any(char::is_alphabetic)
}

#[test]
fn every_text_is_translated() {
    for (english, own) in beside_english() {
        let (texts, translated) = (english.samples(), own.samples());
        assert!(texts.len() > 800 && texts.len() == translated.len(), "{} texts", texts.len());
        let (mut left, mut other) = (Vec::new(), Vec::new());
        for ((field, english), (of, text)) in texts.iter().zip(&translated) {
            assert_eq!(field, of);
            match (english == text, own.same_as_english.contains(&field.as_str())) {
                (true, false) if has_words(english) => left.push(field),
                (false, true) => other.push(field),
                _ => {}
            }
        }
        let code = own.language.code();
        assert!(left.is_empty(), "{code}.toml, still in English and not in same_as_english: {left:?}");
        let mut fields: BTreeSet<&str> = texts.iter().map(|(field, _)| field.as_str()).collect();
        let titles: Vec<String> = own.statistics.iter().map(|own| format!("statistics.{}", own.id)).collect();
        fields.extend(titles.iter().map(String::as_str));
        let unknown: Vec<_> = own.same_as_english.iter().filter(|field| !fields.contains(**field)).collect();
        assert!(
            other.is_empty() && unknown.is_empty(),
            "{code}.toml, same_as_english has texts that are not: {other:?}, that are none: {unknown:?}"
        );
    }
}

/// What the battery, the table of standards and the selftest say in English, every other language says; the suite
/// compares them with those that there are.
#[test]
fn every_table_is_there_in_each_language() {
    for (_, own) in beside_english() {
        let code = own.language.code();
        let counts = [own.statistics.len(), own.standards.len(), own.selftest.len(), own.axes.len()];
        assert!(
            counts[0] > 60 && counts[1] > 10 && counts[2] > 5 && counts[3] > 30,
            "{code}.toml has tables [statistics.ID], [standards.NAME] and rows of [selftest] and [axes]: {counts:?}; see the end of fr.toml"
        );
        let texts = own
            .statistics
            .iter()
            .flat_map(|own| [own.title, own.null, own.formula].map(|text| (own.id, text)));
        let texts = texts.chain(own.standards.iter().map(|own| (own.id, own.name)));
        let pairs = own.standards.iter().flat_map(|own| &own.tests).chain(&own.selftest);
        for (id, text) in texts.chain(pairs.clone().chain(&own.axes).copied()) {
            assert!(!text.trim().is_empty(), "{code}.toml has no text for {id:?}");
        }
        for (english, text) in pairs {
            assert_ne!(english, text, "{code}.toml");
        }
    }
}

/// What is wrong with the English file once a part of it is another.
fn faults(part: &str, other: &str) -> Vec<String> {
    let source = include_str!("en.toml");
    assert_eq!(source.matches(part).count(), 1, "{part}");
    let source: &'static str = source.replace(part, other).leak();
    let read = WordsFile::open("en.toml", source).and_then(|file| Words::read(Language::English, file));
    read.err().unwrap_or_default()
}

#[test]
fn a_file_that_lacks_a_text_or_has_another_is_refused_with_its_line() {
    let refused = |part: &str, other: &str, faults_wanted: &[&str]| {
        let found: Vec<String> = faults(part, other)
            .into_iter()
            .map(|fault| {
                let (place, what) = fault.split_once(": ").expect("a place");
                let line: usize =
                    place.strip_prefix("en.toml, line ").expect("a file").parse().expect("a line");
                assert!(line > 1, "{fault}");
                what.to_owned()
            })
            .collect();
        assert_eq!(found, faults_wanted, "{other:?} for {part:?}");
    };
    let mark = "\nend_of_report = ";
    refused(mark, "\n# ", &["frame.end_of_report: found no such text, wanted it"]);
    refused(
        mark,
        "\nend_of_a_report = ",
        &[
            "frame.end_of_report: found no such text, wanted it",
            "frame.end_of_a_report: found a text that nothing asks for",
        ],
    );
    refused(
        mark,
        "\nend_of_report = 7 # ",
        &["frame.end_of_report: found a value of type integer, wanted a text in quotes"],
    );
    refused(mark, "\nend_of_report = \" \" # ", &["frame.end_of_report: found nothing, wanted a text"]);
    refused(
        mark,
        "\nend_of_report = \"{page}\" # ",
        &["frame.end_of_report: found {page}, wanted no place at all"],
    );
    refused(
        "\"annex(letter)\" = \"Annex {letter}\"",
        "annex = \"Annex {number}\"",
        &["frame.annex: found {number}, wanted {letter}"],
    );
    refused("\"Annex {letter}\"", "\"Annex\"", &["frame.annex: found no place for {letter}"]);
    refused(
        "[frame]",
        "[frames]",
        &["frame: found no such table, wanted it", "frames: found a table that nothing asks for"],
    );
    assert!(faults(mark, "\nend_of_report = \"").concat().starts_with("en.toml: TOML parse error at line"));
    assert_eq!(faults(mark, mark), Vec::<String>::new());
}

/// The numbers of a text in their order, without marks between thousands.
fn whole_numbers(text: &str) -> Vec<String> {
    let plain: String = text.chars().filter(|letter| !",.\u{202f}".contains(*letter)).collect();
    let parts = plain.split(|letter: char| !letter.is_ascii_digit());
    parts.filter(|part| part.len() > 3).map(str::to_owned).collect()
}

/// Several numbers of one sentence, each of its own: none is in the place of another.
#[test]
fn every_language_tells_its_numbers_in_their_places() {
    for words in Language::ALL.map(Language::words) {
        let (package, chart, mail) = (&words.package, &words.chart, &words.mail);
        let verdict = &words.verdict;
        let sentences = [
            package.says("XYZ", "XYZ", 1_001, 2_002, 3_003),
            package.consistent("XYZ", "XYZ", 4_004, 5_005),
            chart.p_values_caption(6_006, 7_007, 8_008),
            mail.decks("XYZ", "XYZ", 9_009, 1_010),
            mail.decks_of(2_020, "XYZ"),
            words.campaign.ended("XYZ", 3_030, 4_040, 5_050),
            words.campaign.audit("XYZ", "XYZ", 6_060, "XYZ", 7_070),
            words.campaign.runs_decks(8_080, 9_090, "XYZ", 1_100),
            verdict.extent_repeat(1_001, 2_002, "XYZ", 3_003),
            verdict.merged_spots(4_004, 5_005, 6_006),
            verdict.cell(7_007, 8_008, "XYZ", "XYZ", "XYZ", 9_009),
        ];
        let wanted = [
            vec!["1001", "2002", "3003"],
            vec!["4004", "5005"],
            vec!["6006", "7007", "8008"],
            vec!["9009", "1010"],
            vec!["2020"],
            vec!["3030", "4040", "5050"],
            vec!["6060", "7070"],
            vec!["8080", "9090", "1100"],
            vec!["1001", "2002", "3003"],
            vec!["4004", "5005", "6006"],
            vec!["7007", "8008", "9009"],
        ];
        assert_eq!(sentences.map(|text| whole_numbers(&text)), wanted, "{:?}", words.language);
    }
}

/// Words that stand beside each other in a table tell different things.
#[test]
fn what_differs_is_named_differently() {
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
    for words in Language::ALL.map(Language::words) {
        let (own, mail) = (&words.external, &words.mail);
        let columns = [own.results, own.suspicious, own.failed, own.says, own.program];
        let names = axes.map(|axis| words.chart.axis(axis));
        for all in [
            &columns[..],
            &[own.says_passed, own.says_suspicious, own.says_failed],
            &[own.agrees, own.disagrees],
            &names,
        ] {
            let different: BTreeSet<&&str> = all.iter().collect();
            assert_eq!(different.len(), all.len(), "{all:?}");
        }
        let days = |count: u64| mail.evidence(count, "XYZ").replace(&count.to_string(), "");
        assert_ne!(days(1), days(2));
        assert_eq!(days(2), days(3));
    }
}

/// What certificates, `plan` and `audit --list` say too, a page says in their words.
#[test]
fn english_says_what_the_audit_says() {
    let words = Language::English.words();
    for numbering in [Numbering::RankSuit, Numbering::SuitRank] {
        assert_eq!(words.verdict.numbering(numbering), numbering.words());
    }
    for (rules, players) in [("stud-hi", 6), ("stud-hi", 8), ("espacejeux", 8)] {
        let table = StudTable::of(RuleSet::named(rules).expect("it is published"), players);
        let table = table.expect("so many may play");
        assert_eq!(words.page.not_judged(table.river()), table.not_judged(), "{rules}");
    }
    assert_eq!([words.page.familiar_places, words.page.familiar_hands], FAMILIAR.map(|test| test.name));
    assert_eq!(words.page.rule, RULE);
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
    let statistics = words.statistics.iter();
    let statistics = statistics.flat_map(|own| [own.title, own.null, own.formula].map(|text| (own.id, text)));
    let standards = words.standards.iter();
    let standards = standards.flat_map(|own| [own.name, own.clause, own.beyond].map(|text| (own.id, text)));
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
    assert_eq!(Language::from_code("xx"), None);
}

#[test]
fn one_is_one_and_a_thousand_has_its_mark() {
    let [en, fr] = [Language::English, Language::French].map(Language::words);
    assert_eq!(en.mail.decks_of(1, "os"), "1 deck of os");
    assert_eq!(fr.mail.of_decks(1, "XYZ"), "1 jeu\u{a0}: XYZ");
    assert_eq!(fr.mail.decks_of(2, "os"), "2 jeux de cartes, source os");
    assert!(en.chart.cells_beyond(1, 0, "").starts_with("1 cell lies "));
    assert_eq!(en.external.unlisted(1), "1 more result is counted in the text and not listed there.");
    assert!(fr.bundle.left_alone("a, b", 1).ends_with("\u{a0}: a, b et 1 autre"));
    assert!(fr.bundle.left_alone("a, b", 0).ends_with("\u{a0}: a, b"));
    let refused = [en, fr].map(|words| words.bundle.are_refused(1_234));
    assert_eq!(refused, ["1,234 refused", "refusés\u{a0}: 1\u{202f}234"]);
}
