//! Reports are well formed, self-contained, readable without pictures, and cannot be hijacked.

use crate::common::lab::Lab;
use crate::common::sample;

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use deckproof::audit::plan::{Plan, Shard};
use deckproof::audit::selection::Selection;
use deckproof::audit::verdict::Verdict;
use deckproof::battery::stud::table::StudTable;
use deckproof::battery::{Exhibit, Tail, Tier, View};
use deckproof::certificate::Certificate;
use deckproof::certificate::standards::Conformity;
use deckproof::document::words::Language;
use deckproof::report;
use deckproof::report::page::Page;
use deckproof::report::summary::summary;
use deckproof::session::{Session, Unwatched};
use deckproof::source::flawed;
use deckproof::standards::familiar::FAMILIAR;
use deckproof::stud::rules::RuleSet;
use deckproof::text::decimal;
use roxmltree::{Document, Node, ParsingOptions};

fn write(name: &str, page: &Page) -> String {
    let format = report::all().iter().find(|format| format.name() == name).expect("the format is listed");
    format.write(page)
}

fn parsed(html: &str) -> Document<'_> {
    let options = ParsingOptions { allow_dtd: true, ..ParsingOptions::default() };
    Document::parse_with_options(html, options).expect("every tag is closed and every text escaped")
}

fn named<'a>(document: &'a Document, name: &'a str) -> impl Iterator<Item = Node<'a, 'a>> {
    document.descendants().filter(move |node| node.has_tag_name(name))
}

fn words(node: Node) -> String {
    node.descendants().filter(Node::is_text).filter_map(|node| node.text()).collect()
}

fn small_page() -> Page {
    sample::page("certified", 2_000)
}

/// In every picture of a fair shuffle as much is expected in all as was counted, no bar is far off, and every language
/// has a word for what the bars count.
#[test]
fn pictures_expect_what_a_fair_shuffle_gives() {
    let (mut pictures, mut axes) = (0, BTreeSet::new());
    for (rules, players) in [("stud-hi", 7), ("stud-8b", 6), ("espacejeux", 8)] {
        let rules = RuleSet::named(rules).expect("it is published");
        // The search for a generator has no picture.
        let selection = Selection::of_tiers(&Tier::ALL).without(&["recovered-generator".to_owned()]);
        let selection = selection.at_table(StudTable::of(rules, players));
        let plan =
            Plan::of_selection(flawed::record("certified", 5), Some(2_000), &selection).without_repeat();
        let source =
            plan.source.ask().and_then(|source| source.open(None)).expect("the source is ours").source;
        let mut session = Session::begin(plan.clone(), Shard::WHOLE, source, None).expect("a sound plan");
        let result = session.answer(2, &Unwatched).expect("decks are dealt");
        for judged in result.first.judged(&plan) {
            let Exhibit::Histogram { axis, observed, expected, .. } = &judged.outcome.exhibit else {
                continue;
            };
            let name = format!("{}.{}.{}", judged.view.name(), judged.about.id, judged.outcome.part);
            let (seen, wanted) = (observed.iter().sum::<u64>() as f64, expected.iter().sum::<f64>());
            assert!((seen - wanted).abs() <= 1e-6 * wanted, "{name}: {seen} counted, {wanted} expected");
            for (&seen, &wanted) in observed.iter().zip(expected).filter(|(_, wanted)| **wanted >= 5.0) {
                let off = (seen as f64 - wanted) / wanted.sqrt();
                assert!(off.abs() < 7.0, "{name}: {seen} counted, {wanted} expected");
            }
            axes.insert(*axis);
            pictures += 1;
        }
    }
    assert!(pictures > 100, "{pictures}");
    for words in Language::ALL.map(Language::words).into_iter().filter(|words| !words.axes.is_empty()) {
        let own: BTreeSet<&str> = words.axes.iter().map(|own| own.0).collect();
        let missing: Vec<&&str> = axes.difference(&own).collect();
        assert!(missing.is_empty(), "{}.toml, [axes], lacks {missing:?}", words.language.code());
    }
}

#[test]
fn every_picture_has_a_name_and_a_text_with_numbers() {
    let page = small_page();
    let html = write("html", &page);
    let document = parsed(&html);
    for svg in named(&document, "svg") {
        assert_eq!(svg.attribute("role"), Some("img"));
        let figure = svg.parent().expect("a picture stands in a figure");
        for attribute in ["aria-labelledby", "aria-describedby"] {
            let id = svg.attribute(attribute).expect("the picture points to its text");
            let is_text = |node: &Node| node.attribute("id") == Some(id);
            let text = figure.children().find(is_text).expect("the text is in the figure");
            assert!(words(text).len() > 20);
        }
        let description = figure.children().find(|node| node.has_tag_name("figcaption"));
        let description = description.expect("a figure has its caption");
        assert!(words(description).contains(|letter: char| letter.is_ascii_digit()));
    }
    // Of the decks themselves: 2 tables, each with a histogram of its cells, and histograms; and the p-values
    // twice. No p-value of the sample is small enough for a picture of another view.
    let rows = page.statistics.iter().flat_map(|statistic| &statistic.rows);
    let pictures = rows.filter(|row| row.view == View::Deck).map(|row| match row.exhibit {
        Exhibit::Table { .. } => 2,
        Exhibit::Histogram { .. } => 1,
        _ => 0,
    });
    let pictures: usize = pictures.sum();
    assert!(pictures > 6, "{pictures}");
    assert_eq!(named(&document, "svg").count(), pictures + 2);
    assert_eq!(named(&document, "figure").count(), named(&document, "svg").count());
}

#[test]
fn ids_are_unique_and_links_arrive() {
    let html = write("html", &small_page());
    let document = parsed(&html);
    let mut ids: Vec<&str> = document.descendants().filter_map(|node| node.attribute("id")).collect();
    for link in named(&document, "a").filter_map(|link| link.attribute("href")) {
        assert!(ids.contains(&link.strip_prefix('#').expect("links stay on the page")), "{link}");
    }
    let count = ids.len();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), count);
}

#[test]
fn nothing_is_loaded_and_nothing_runs() {
    let html = write("html", &small_page());
    for word in ["http://", "https://", "url(", "@import", "<script", "src=", "<link", "<iframe"] {
        assert!(!html.contains(word), "{word}");
    }
}

#[test]
fn the_page_has_its_landmarks_and_language() {
    let html = write("html", &small_page());
    let document = parsed(&html);
    assert_eq!(document.root_element().attribute("lang"), Some("en"));
    for landmark in ["main", "header", "footer", "nav", "h1"] {
        assert_eq!(named(&document, landmark).count(), 1, "{landmark}");
    }
    for cell in named(&document, "th").filter(|cell| cell.ancestors().any(|node| node.has_tag_name("thead")))
    {
        assert_eq!(cell.attribute("scope"), Some("col"));
    }
}

#[test]
fn every_verdict_is_said_in_words() {
    let mut page = small_page();
    for verdict in Verdict::ALL {
        page.verdict = verdict;
        let html = write("html", &page);
        let document = parsed(&html);
        let heading = document.descendants().find(|node| node.attribute("id") == Some("verdict"));
        assert!(words(heading.expect("the verdict has a heading")).contains(verdict.name()));
        assert!(html.contains(page.words.page.meaning(verdict)));
        assert!(write("md", &page).contains(&verdict.name().to_uppercase()));
    }
}

#[test]
fn a_p_value_never_stands_without_test_sample_and_null() {
    let page = small_page();
    let html = write("html", &page);
    let document = parsed(&html);
    for statistic in &page.statistics {
        let is_its =
            |node: &Node| words(*node).contains(&statistic.null) && words(*node).contains(&statistic.title);
        assert!(named(&document, "article").any(|article| is_its(&article)), "{}", statistic.id);
    }
    let with_p_values = |table: &Node| named_in(*table, "th").any(|cell| words(cell) == "p-value");
    let tables: Vec<Node> = named(&document, "table").filter(with_p_values).collect();
    // One for each statistic and standard, the familiar tests and the smallest p-values.
    assert_eq!(tables.len(), page.statistics.len() + page.standards.len() + 2);
    for table in tables {
        assert!(named_in(table, "th").any(|cell| words(cell) == "Sample (n)"));
    }
}

fn named_in<'a>(node: Node<'a, 'a>, name: &'a str) -> impl Iterator<Item = Node<'a, 'a>> {
    node.descendants().filter(move |node| node.has_tag_name(name))
}

#[test]
fn the_body_stands_before_the_annexes_and_holds_the_required_tests() {
    let page = small_page();
    let html = write("html", &page);
    let document = parsed(&html);
    let at = |id: &str| html.find(&format!("id=\"{id}\"")).unwrap_or_else(|| panic!("{id} is missing"));
    let body = ["verdict", "tested", "not-shown", "standards", "overview", "rule", "repeat"].map(at);
    assert!(body.is_sorted(), "{body:?}");
    let first_annex = html.find("<details>").expect("annexes are folded");
    assert!(body[body.len() - 1] < first_annex && html.find(&page.made).is_some_and(|made| made < body[1]));
    let annexes = ["annex-statistics", "annex-power", "annex-run", "annex-glossary"];
    assert_eq!(named(&document, "details").count(), annexes.len());
    assert!(annexes.map(at).into_iter().all(|place| place > first_annex));
    let required = &page.standards[0].tests;
    for test in required {
        let row = named(&document, "tr").find(|row| words(*row).contains(&test.name)).expect("it has a row");
        assert!(words(row).contains(&test.says) && words(row).contains(&test.statistics.join(", ")));
        assert!(row.ancestors().all(|node| !node.has_tag_name("details")));
    }
    assert!(write("md", &page).contains(&required[0].name));
}

#[test]
fn the_summary_fits_a_screen_and_names_whose_decks_and_why() {
    let files = ["audit-0123456789abcdef/certificate.json".to_string(), "audit-0123/report.html".to_string()];
    let mut page = Page { decided: None, ..sample::page("sattolo", 2_000) };
    page.standards.truncate(1);
    let text = summary(&page, &files);
    assert!(text.starts_with("FAIL: "), "{text}");
    for wanted in
        ["Source", "Decks      2,000", "null hypothesis", "Smallest p-values", "Look at", "Not shown"]
    {
        assert!(text.contains(wanted), "{wanted}: {text}");
    }
    // Of 2,000 decks each is one cycle.
    assert!(text.contains("2,000 times of 2,000; 38.5 are expected"), "{text}");
    assert!(!text.contains('\u{1b}'));
    // Of one statistic one p-value is named: five of the same fault say no more.
    let smallest = text.split("Smallest p-values").nth(1).expect("it was found above");
    let lines: Vec<&str> = smallest.lines().skip(1).take(5).collect();
    for statistic in &page.statistics {
        let own = lines.iter().filter(|line| line.contains(&format!("  {}, ", statistic.title)));
        assert!(own.count() <= 1, "{text}");
    }
    // Where fewer were looked at than the page says, the line says so.
    page.statistics.iter_mut().flat_map(|statistic| &mut statistic.rows).for_each(|row| row.decks = 1999);
    assert!(summary(&page, &files).contains(" (n = 1,999)"));
    // Where something is proven that is what to look at.
    page.proofs = vec!["The same deck came up again: 1 and 3.".to_string()];
    let proven = summary(&page, &files);
    assert!(
        proven.starts_with("FAIL: The same deck came up again: 1 and 3.\n") && !proven.contains("Look at"),
        "{proven}"
    );
    page.proofs = vec!["proof ".repeat(500); 40];
    page.standards[0].says = Conformity::NotMet;
    let not_met =
        format!("tests not met: {} ({} %)", page.standards[0].name, page.standards[0].confidence_percent);
    for verdict in Verdict::ALL {
        page.verdict = verdict;
        let text = summary(&page, &files);
        // However much is found, what a reader looks for by its name is never cut.
        assert!(
            text.contains(&not_met) && text.matches("\n  chi-square, ").count() == page.familiar().len(),
            "{text}"
        );
        assert!(text.lines().count() <= 26 && text.lines().all(|line| line.chars().count() <= 80), "{text}");
    }
    // A start order that somebody stated is on the first line, and so are the standards that are not met.
    (page.verdict, page.is_start_stated) = (Verdict::Pass, true);
    for (language, first) in [
        (Language::English, "PASS: No fault by a stated, unchecked start order; 1 standard not met.\n"),
        (
            Language::French,
            "TESTS RÉUSSIS\u{a0}: Ordre de départ non vérifié\u{202f}; 1 norme non satisfaite.\n",
        ),
    ] {
        page.words = language.words();
        let text = summary(&page, &files);
        assert!(text.starts_with(first), "{text}");
    }
}

/// The smallest p-values are what a reader looks for: two of them are left however much stands before them, and the heading
/// stands only over one.
#[test]
fn long_words_of_sizes_leave_room_for_the_smallest_p_values() {
    let files = ["certificate.json".to_string()];
    let mut page = Page { verdict: Verdict::Inconclusive, sizes: Vec::new(), ..small_page() };
    let shown = |page: &Page| {
        let text = summary(page, &files);
        let below = text.split_once("unless it says otherwise):\n")?.1;
        Some(below.lines().take_while(|line| line.starts_with("  ")).count())
    };
    assert_eq!(shown(&page), Some(5));
    page.sizes = vec!["A short sentence.".to_string(), "long ".repeat(90)];
    // A fact of one line.
    page.whose = vec![page.whose[1].clone(); 8];
    page.standards.truncate(1);
    assert_eq!(shown(&page), Some(5));
    assert!(summary(&page, &files).contains("Size       A short sentence.\n"));
    let long = |most: usize| (0..most).map(|_| page.whose[0].clone()).collect::<Vec<_>>();
    for facts in 0..30 {
        let page = Page { whose: long(facts), ..page.clone() };
        assert_ne!(shown(&page), Some(0), "{}", summary(&page, &files));
    }
    let full = Page { whose: long(25), ..page };
    assert_eq!(shown(&full), None);
}

/// What the reader of a specification looks for stands on the first screen and in the report by its own name, with the p-value
/// that the certificate has.
#[test]
fn the_tests_that_everybody_knows_are_named_first() {
    let lab = Lab::new();
    let two_thousand = ["audit", "--decks", "2000", "--seed", "x", "--out", "a"];
    let output = lab.run(&[&two_thousand[..], &["--without", "recovered-generator"]].concat());
    let (_, below) = output.out.split_once("likely.\n").expect("the null is told");
    let certificate = Certificate::read(&lab.read("a/certificate.json")).expect("it was written");
    let look = &certificate.result.first;
    let html = lab.text("a/report.html");
    let listed = lab.run(&["audit", "--list"]).out;
    for (line, test) in below.lines().zip(FAMILIAR) {
        let record = look.statistics.iter().find(|record| record.id == test.id).expect("it ran");
        let cap = if record.p_value >= 1.0 { " (a bound)" } else { "" };
        let p_is = decimal::p_is(record.p_value) + cap;
        assert!(
            line.starts_with(&format!("  {} ", test.name)) && line.ends_with(&format!("  {p_is}, n = 2,000")),
            "{line}"
        );
        assert!(html.contains(test.name));
        assert!(listed.contains(&format!("{}: {}\n", test.name, test.id)));
    }
    // A plan without them has no heading for them.
    let other = lab.run(&["audit", "--decks", "2000", "--seed", "x", "--statistics", "parity"]);
    other.must_not_print("chi-square");
}

/// The file, what it was read as, and what so many decks can show leave room for whole sentences.
#[test]
fn the_first_screen_of_the_sample_cuts_no_sentence() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/samples/export.csv");
    let output = Lab::new().run(&["audit", "--source", file]);
    let (before, after) = output.out.split_once("Smallest p-values").expect("they are on the first screen");
    assert!(before.contains("second time.") && !before.contains('…'), "{before}");
    assert!(before.lines().count() + after.lines().count() <= 27, "{output}");
}

#[test]
fn an_unusual_result_of_another_view_has_its_picture() {
    let mut page = small_page();
    let pictures = |page: &Page| named(&parsed(&write("html", page)), "svg").count();
    let before = pictures(&page);
    let is_drawable = |row: &&mut deckproof::report::page::TableRow| {
        row.view == View::Relative && matches!(row.exhibit, Exhibit::Histogram { .. })
    };
    let rows = page.statistics.iter_mut().flat_map(|statistic| &mut statistic.rows);
    rows.filter(is_drawable).take(1).for_each(|row| row.p_value = 0.01);
    assert_eq!(pictures(&page), before + 1);
}

#[test]
fn a_proven_bound_is_named_in_every_form() {
    let mut page = small_page();
    let row = &mut page.statistics[0].rows[0];
    (row.tail, row.p_value_bound) = (Tail::Asymptotic, Some(1e-310));
    for format in ["html", "md"] {
        assert!(write(format, &page).contains("approximation; proven: below 1e-300"), "{format}");
    }
}

#[test]
fn hostile_names_stay_text() {
    let hostile = "</dd><script>alert(1)</script><img src=x onerror='x'>\u{202e}\0\u{1b}[2J\"&amp;|`x`";
    let mut page = small_page();
    // Another id takes its test out of the familiar ones.
    page.statistics.iter_mut().for_each(|statistic| statistic.id = "plain".to_string());
    let clean = write("html", &page);
    let tags = |html: &str| parsed(html).descendants().filter(Node::is_element).count();
    let expected = tags(&clean);
    for field in
        [&mut page.whose[0].value, &mut page.title, &mut page.verdict_sentence, &mut page.facts[0].value]
    {
        *field = hostile.to_string();
    }
    for statistic in &mut page.statistics {
        statistic.id = hostile.to_string();
        statistic.title = hostile.to_string();
        statistic.rows[0].part = hostile.to_string();
        statistic.rows[0].score_name = hostile.to_string();
    }
    page.repeat[0].command = hostile.to_string();
    let html = write("html", &page);
    assert_eq!(tags(&html), expected);
    let markdown = write("md", &page);
    for text in [&html, &markdown] {
        assert!(!text.contains("<script") && !text.contains("<img"));
        assert!(!text.contains(['\0', '\u{1b}', '\u{202e}']));
    }
}

#[test]
fn the_same_page_gives_the_same_bytes() {
    for format in report::all() {
        assert_eq!(format.write(&small_page()), format.write(&small_page()));
    }
}

#[test]
fn an_empty_page_is_still_a_page_and_says_what_is_missing() {
    let mut page = sample::page("certified", 2);
    page.family = None;
    page.statistics.clear();
    page.power.clear();
    page.not_shown.clear();
    page.not_run.clear();
    page.repeat.clear();
    let html = write("html", &page);
    parsed(&html);
    for sentence in
        ["No power table was recorded", "No statistic gave a p-value", "No p-value could be computed"]
    {
        assert!(html.contains(sentence), "{sentence}");
    }
    assert!(write("md", &page).contains("No power table was recorded"));
}

#[test]
fn extreme_numbers_are_drawn_inside_the_picture() {
    let mut page = small_page();
    let row = &mut page.statistics[0].rows[0];
    let Exhibit::Table { observed, .. } = &mut row.exhibit else { panic!("the first exhibit is a table") };
    observed[53] = u64::MAX;
    row.p_value = 0.0;
    row.score = f64::INFINITY;
    let html = write("html", &page);
    parsed(&html);
    assert!(html.contains("below 1e-300"));
    assert!(!html.contains("NaN") && !html.contains("inf\""));
}

#[test]
fn heat_map_tells_the_planted_cell() {
    let mut page = small_page();
    let row = &mut page.statistics[0].rows[0];
    let Exhibit::Table { observed, expected, deviation, .. } = &mut row.exhibit else {
        panic!("the first exhibit is a table")
    };
    // Card 4·8 + 2 = Th at place 12, ten standard deviations too often.
    observed[34 * 52 + 12] = (*expected + 10.0 * *deviation).round() as u64;
    let seen = observed[34 * 52 + 12];
    let html = write("html", &page);
    // In unitsof cells: column 12, row 34, one cell long.
    assert!(html.contains("class=\"p5\" d=\"M12 34h1"));
    assert!(html.contains(&format!(
        "Furthest off (the top is place 0): card Th, place 12: {seen} seen (+10.0 standard deviations)"
    )));
}

#[test]
fn full_pages_stay_small_and_are_left_for_the_eye() {
    for (name, dealer) in [("pass", "certified"), ("fail", "sattolo")] {
        let html = write("html", &sample::page(dealer, 60_000));
        assert!(html.len() < 500_000, "{name}: {} bytes", html.len());
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("report-{name}.html"));
        fs::write(path, html).expect("the scratch folder is writable");
    }
}
