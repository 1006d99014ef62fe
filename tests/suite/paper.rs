//! Laboratory reports on paper: every block is set, nothing from outside becomes markup, the languages do not mix.

use std::fs;
use std::path::Path;
use std::process::Command;

use assert_cmd::cargo::CommandCargoExt;
use base64ct::{Base64, Encoding};
use deckproof::document::figure::{Axis, Drawing, Figure, PowerCurve};
use deckproof::document::words::Language;
use deckproof::document::{Block, Column, DataTable, Document, Head, Section, Stands, Value, VerdictBox};
use deckproof::report::paper;
use roxmltree::{Node, ParsingOptions};
use tempfile::TempDir;

use crate::common::package::LOGO;

/// What whoever fills in a project could write to forge a page.
const HOSTILE: &str =
    "</p><script>x</script> #eval(\"1\") \u{202e}drawkcab\u{1b}[31m $x$ 表 @media *b* {{ 7*7 }}";

fn figure(id: &str, title: &str, drawing: Drawing) -> Block {
    Block::Figure(Figure { id: id.to_owned(), title: title.to_owned(), drawing })
}

/// 52 × 52 counts of 10,000 decks: 192 and a small pattern about it, one cell far off.
fn heat_map() -> Drawing {
    let mut observed: Vec<u64> = (0..52 * 52).map(|at| 185 + (at * 7 + at / 52 * 5) % 15).collect();
    observed[52 * 12 + 3] = 300;
    let deviation = (10_000.0_f64 / 52.0 * 51.0 / 52.0).sqrt();
    Drawing::HeatMap {
        rows: Axis::Card,
        columns: Axis::Place,
        side: 52,
        observed,
        expected: 10_000.0 / 52.0,
        deviation,
    }
}

fn figures() -> Vec<Block> {
    let values: Vec<f64> = (0..9).map(f64::from).collect();
    let expected = vec![3678.8, 3678.8, 1839.4, 613.1, 153.3, 30.7, 5.1, 0.7, 0.1];
    let observed = vec![3700, 3650, 1850, 600, 160, 33, 6, 1, 0];
    let p_values = (1..=200).map(|rank| f64::from(rank) / 200.5).collect();
    let curve =
        |name: &str, points: &[(u64, f64)]| PowerCurve { name: name.to_owned(), points: points.to_vec() };
    vec![
        figure("heat", "XYZ1", heat_map()),
        figure("fixed", "XYZ2", Drawing::Histogram { axis: "XYZ3".to_owned(), values, observed, expected }),
        figure("p-values", "XYZ4", Drawing::PValues { p_values, level: 0.01 }),
        figure(
            "power",
            "XYZ5",
            Drawing::Power {
                curves: vec![
                    curve("naive", &[(100, 0.02), (1_000, 0.6), (10_000, 1.0)]),
                    curve("sattolo", &[(100, 0.9), (1_000, 1.0)]),
                ],
                decks: 1_000_000,
            },
        ),
    ]
}

fn blocks() -> Vec<Block> {
    let rows = (0..120)
        .map(|row| vec![Value::text(format!("XYZ {row}")), Value::text("12"), Value::Empty])
        .collect();
    let columns = vec![Column::words("XYZ6", 3), Column::numbers("XYZ7", 1), Column::words("XYZ8", 2)];
    let mut blocks = vec![
        Block::Heading("XYZ".to_owned()),
        Block::paragraph(HOSTILE),
        Block::Facts(vec![
            (
                "XYZ9".to_owned(),
                Value::hash("9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"),
            ),
            ("XYZ10".to_owned(), Value::text(HOSTILE)),
            ("XYZ11".to_owned(), Value::Empty),
        ]),
        Block::Table(DataTable { caption: "XYZ".to_owned(), columns, rows, note: "XYZ.".to_owned() }),
        Block::Opinion("XYZ.".to_owned()),
        Block::Code("deckproof verify --trust \"t\" <x\n  second line".to_owned()),
        Block::List(vec!["XYZ.".to_owned(), HOSTILE.to_owned()]),
    ];
    blocks.extend(figures());
    blocks
}

fn document(language: Language) -> Document {
    let section = |id: &str, annex: bool| Section {
        id: id.to_owned(),
        title: format!("XYZ {id}"),
        annex,
        blocks: blocks(),
    };
    // Ids of pictures are unique in a document.
    let mut annex = section("annex-one", true);
    annex.blocks.retain(|block| !matches!(block, Block::Figure(_)));
    let text = |section: &str| Section { blocks: vec![Block::paragraph("XYZ.")], ..section_of(section) };
    Document {
        head: Head {
            title: "XYZ".to_owned(),
            report_number: Value::text("LAB-2026-7"),
            revision: 2,
            language,
            issued: Some("2026-11-22".parse().expect("a day")),
            laboratory: Value::text("XYZ12\nXYZ13"),
            customer: Value::Empty,
            item: Value::hash("deckproof 0.1.0"),
            logo: Some(Base64::encode_string(LOGO)),
        },
        cover: vec![Block::Verdict(VerdictBox {
            stands: Stands::Good,
            word: "XYZ".to_owned(),
            sentence: "XYZ.".to_owned(),
        })],
        sections: vec![text("first"), section("second", false), annex],
    }
}

fn section_of(id: &str) -> Section {
    Section { id: id.to_owned(), title: "XYZ".to_owned(), annex: false, blocks: Vec::new() }
}

fn parsed(html: &str) -> roxmltree::Document<'_> {
    let options = ParsingOptions { allow_dtd: true, ..ParsingOptions::default() };
    roxmltree::Document::parse_with_options(html, options)
        .expect("every tag is closed and every text escaped")
}

/// What a reader sees, the style sheet left out.
fn seen(html: &str) -> String {
    let document = parsed(html);
    let body = document.descendants().find(|node| node.has_tag_name("body")).expect("a page has a body");
    let texts = body.descendants().filter(Node::is_text).filter_map(|node| node.text());
    texts.collect::<Vec<_>>().join(" ")
}

#[test]
fn a_page_holds_every_block_and_nothing_of_it_is_markup() {
    let html = paper::html(&document(Language::English));
    let page = parsed(&html);
    let count = |name: &str| page.descendants().filter(|node| node.has_tag_name(name)).count();
    assert_eq!((count("script"), count("table"), count("pre"), count("h2")), (0, 2, 2, 4));
    // The heat map has its histogram, the p-values their magnified ones.
    assert_eq!((count("svg"), count("figure"), count("figcaption")), (6, 6, 6));
    assert!(
        !html.contains(['\u{202e}', '\u{1b}']) && html.contains("&lt;script&gt;"),
        "hostile text stays text"
    );
    let text = seen(&html);
    for wanted in [
        "Annex A", "Table 2.", "Figure 6.", "END OF REPORT", "to be filled in", "22 November 2026",
        "LAB-2026-7",
    ] {
        assert!(text.contains(wanted), "{wanted}");
    }
    // A printer that knows the margins of pages sets number, revision, page and pages on each.
    let foot = html
        .lines()
        .find(|line| line.contains("@bottom-left { content: \"Report"))
        .expect("the foot is there");
    assert!(foot.contains("LAB\\2d 2026\\2d 7"), "{foot}");
    assert!(html.contains("\"page \" counter(page) \" of \" counter(pages)"));
}

#[test]
fn the_json_of_a_document_is_the_document() {
    for language in Language::ALL {
        let document = document(language);
        let json = serde_json::to_string_pretty(&document).expect("plain data");
        let read: Document = serde_json::from_str(&json).expect("what was written is read");
        assert_eq!(read, document);
        assert_eq!(paper::html(&read), paper::html(&document));
        let more = json.replacen("\"revision\"", "\"signed\": true, \"revision\"", 1);
        assert!(serde_json::from_str::<Document>(&more).is_err(), "an unknown field is refused");
        let other_day = json.replacen("2026-11-22", "2026-02-30", 1);
        assert!(serde_json::from_str::<Document>(&other_day).is_err(), "no such day");
    }
}

/// Words that stand in every English sentence and in no French one, and the other way round.
const ENGLISH: [&str; 12] =
    ["the", "of", "are", "from", "expected", "decks", "cells", "seen", "than", "with", "found", "share"];
const FRENCH: [&str; 12] =
    ["le", "de", "des", "est", "une", "attendus", "jeux", "cellules", "que", "avec", "les", "du"];

#[test]
fn a_page_speaks_one_language() {
    let words_of = |language| {
        let text = seen(&paper::html(&document(language)));
        text.split(|letter: char| !letter.is_alphanumeric()).map(str::to_lowercase).collect::<Vec<_>>()
    };
    let [en, fr] = [words_of(Language::English), words_of(Language::French)];
    let spoken = |words: &[String], language: &[&str]| {
        language.iter().filter(|word| words.iter().any(|output| output == *word)).count()
    };
    assert!(spoken(&en, &ENGLISH) > 9 && spoken(&fr, &FRENCH) > 9, "each page has its own words");
    assert_eq!((spoken(&fr, &ENGLISH), spoken(&en, &FRENCH)), (0, 0));
    let page = paper::html(&document(Language::French));
    for wanted in [
        "lang=\"fr\"", "FIN DU RAPPORT", "22 novembre 2026", "Annexe A", "Tableau 1.", "10\u{202f}000",
        "valeur p",
    ] {
        assert!(page.contains(wanted), "{wanted}");
    }
}

/// What `deckproof report` ends with and prints, in this folder.
fn report(folder: &Path, arguments: &[&str]) -> (Option<i32>, String, String) {
    let mut command = Command::cargo_bin("deckproof").expect("the binary is built");
    let output = command.arg("report").args(arguments).current_dir(folder).output().expect("it runs");
    let text = |bytes| String::from_utf8(bytes).expect("it prints UTF-8");
    (output.status.code(), text(output.stdout), text(output.stderr))
}

#[test]
fn a_report_is_set_again_from_its_data() {
    let folder = TempDir::new().expect("a folder");
    let document = document(Language::French);
    let json = serde_json::to_string_pretty(&document).expect("plain data");
    fs::write(folder.path().join("report.json"), &json).expect("a file");
    assert_eq!(report(folder.path(), &["report.json"]).1, paper::html(&document));
    let written = &["report.json", "--out", "page.html"];
    assert_eq!(report(folder.path(), written).0, Some(0));
    assert_eq!(fs::read_to_string(folder.path().join("page.html")).ok(), Some(paper::html(&document)));
    let (code, _, error) = report(folder.path(), written);
    assert!(code == Some(2) && error.contains("is not overwritten"), "{error}");
    for (from, to, wanted) in [
        ("\"revision\": 2", "\"revision\": 2, \"revision\": 3", "key"),
        ("\"annex\": true", "\"annex\": 1", "expected a boolean"),
        ("\"annex\": true", "\"annex\": true, \"signed\": true", "unknown field `signed`"),
    ] {
        assert!(json.contains(from), "{from}");
        fs::write(folder.path().join("other.json"), json.replacen(from, to, 1)).expect("a file");
        let (code, output, error) = report(folder.path(), &["other.json"]);
        assert!(code == Some(2) && output.is_empty(), "{to}");
        assert!(error.contains("the document cannot be read") && error.contains(wanted), "{error}");
    }
    let (code, _, error) = report(folder.path(), &["report.json", "--format", "pdf", "--out", "page.pdf"]);
    if paper::WRITES_PDF {
        assert_eq!(code, Some(0), "{error}")
    } else {
        assert!(code == Some(2) && error.contains("--features pdf") && error.contains("browser"), "{error}")
    }
}

#[cfg(not(feature = "pdf"))]
#[test]
fn a_build_without_the_feature_says_so() {
    let why = paper::pdf(&document(Language::English)).expect_err("this build has no typesetter");
    assert!(why.to_string().contains("feature pdf") && !paper::WRITES_PDF, "{why}");
}

#[cfg(feature = "pdf")]
mod pdf {
    use deckproof::project::archive;
    use deckproof::project::package::files::PackageFiles;

    use super::*;
    use crate::common::lab::KEY;
    use crate::common::package::{certify, lab, package_of, project, with_sums};

    fn contains(bytes: &[u8], wanted: &str) -> bool {
        bytes.windows(wanted.len()).any(|window| window == wanted.as_bytes())
    }

    /// The metadata of an archived PDF are plain text: ISO 19005-2 has `pdfaid:part` 2 and conformance A, ISO 14289-1
    /// `pdfuaid:part` 1. That the rules behind them hold is checked by the writer, which refuses what breaks them.
    #[test]
    fn pdf_is_archivable_accessible_and_the_same_each_time() {
        for language in Language::ALL {
            let document = document(language);
            let [first, second] = [(); 2].map(|()| paper::pdf(&document).expect("the sample can be typeset"));
            assert!(first == second, "the same document gives the same bytes");
            assert!(first.starts_with(b"%PDF-1.7"));
            for wanted in [
                "<pdfaid:part>2</pdfaid:part>",
                "<pdfaid:conformance>A</pdfaid:conformance>",
                "<pdfuaid:part>1</pdfuaid:part>",
            ] {
                assert!(contains(&first, wanted), "{wanted}");
            }
            assert!(contains(&first, "2026-11-22"), "the date is that of issue");
            let lang = format!("/Lang({})", language.code());
            assert!(contains(&first, &lang) || contains(&first, &lang.replace('(', " (")), "{lang}");
        }
    }

    /// A report can be looked at before it is issued.
    #[test]
    fn a_document_without_a_day_of_issue_is_typeset() {
        let mut document = document(Language::English);
        document.head.issued = None;
        document.head.report_number = Value::Empty;
        let draft = paper::pdf(&document).expect("a draft can be typeset");
        assert!(contains(&draft, "<pdfuaid:part>1</pdfuaid:part>") && !contains(&draft, "pdfaid:part"));
    }

    /// The page that is signed follows from the certificates like any other file of its package.
    #[test]
    fn the_pdf_of_a_package_is_drawn_again_and_no_other_is_accepted() {
        for (language, end) in [("en", "END OF REPORT"), ("fr", "FIN DU RAPPORT")] {
            let project = project(&format!("audit:{KEY}"), 1_000);
            let lab = lab(&project.replace("language = \"en\"", &format!("language = \"{language}\"")));
            certify(&lab, &["--out", "out", "--quiet"]).ends(0);
            let html = lab.text("out/report.html");
            assert!(html.contains(end), "{language}");
            let files = package_of(&lab, "out");
            let own = &files["report.pdf"];
            assert!(contains(own, "<pdfaid:part>2</pdfaid:part>") && contains(own, "2026-11-22"));
            let output = lab.run(&["verify", "out"]).ends(0);
            output.must_not_print("report.pdf");

            let refused = |name: &str, files: PackageFiles, words: &str| {
                lab.write(name, archive::write(&files).expect("it is written"));
                let output = lab.run(&["verify", name]);
                assert!(output.code == 1 && output.prints(words), "{name}: {output}");
            };
            let mut edited = files.clone();
            edited.get_mut("report.pdf").expect("it is there").push(b'\n');
            refused("edited.zip", edited.clone(), "counts: report.pdf: its SHA-256 is");
            refused(
                "edited-with-sums.zip",
                with_sums(edited),
                "contradicts itself: report.pdf: it is not what follows",
            );
            let mut removed = files.clone();
            removed.remove("report.pdf");
            lab.write("removed.zip", archive::write(&removed).expect("it is written"));
            lab.run(&["verify", "removed.zip"]).ends(2).must_warn("report.pdf: ");
            refused(
                "removed-with-sums.zip",
                with_sums(removed),
                "contradicts itself: report.pdf: it is missing",
            );
            // Another report, as sound by itself.
            let other = paper::pdf(&document(Language::English)).expect("it can be typeset");
            let mut exchanged = files.clone();
            exchanged.insert("report.pdf".to_owned(), other);
            refused(
                "exchanged.zip",
                with_sums(exchanged),
                "contradicts itself: report.pdf: it is not what follows",
            );
        }
    }

    #[test]
    fn another_number_is_another_file() {
        let document = document(Language::English);
        let mut other = document.clone();
        other.head.report_number = Value::text("LAB-2026-8");
        assert!(paper::pdf(&document) != paper::pdf(&other));
    }
}
