//! The report as one self-contained HTML file: no scripts, nothing loaded, light and dark.

use askama::Template;
use rayon::iter::{IndexedParallelIterator, IntoParallelRefIterator, ParallelIterator};

use crate::report::ReportFormat;
use crate::report::charts::heat_map;
use crate::report::charts::histogram::{self, Bars};
use crate::report::charts::{self, Picture, p_values};
use crate::report::escape;
use crate::report::evidence::looked_at;
use crate::report::numbers;
use crate::report::page::{
    Earlier, LookRow, Page, PowerRow, RequiredTest, StandardRow, StatisticRows, TableRow, meaning,
};
use crate::report::summary;
use deckproof_stats::battery::{Exhibit, View};
use deckproof_stats::math::decimal::{self, thousands};

/// How many of the smallest p-values are named beside the picture of all.
const SMALLEST_SHOWN: usize = 5;

/// Pictures of other views than the decks themselves are drawn at this p-value and below, and without a proof: equal decks
/// make everything unusual.
const PICTURED_P_VALUE: f64 = 0.01;

/// Of a look that did not decide p-values are listed up to this one.
const LISTED_P_VALUE: f64 = 0.05;

/// At most so many of them, the most unusual, so that a report stays below 500 kB.
const PICTURED_MAX: usize = 8;

/// Most characters of the subject at the head of a printed page: two lines.
const HEAD_LETTERS_MAX: usize = 150;

/// HTML.
pub(super) struct Html;

impl ReportFormat for Html {
    fn name(&self) -> &'static str {
        "html"
    }

    fn write(&self, page: &Page) -> String {
        let text = PageTemplate::new(page).render().expect("a String takes every text and no value can fail");
        // Macros at the head of the template leave their line breaks; a document begins with its type.
        text.trim_start().to_owned()
    }
}

/// The page with its numbers as text and its exhibits as pictures.
#[derive(Template)]
#[template(path = "page.html", config = "src/report/templates/askama.toml")]
struct PageTemplate<'a> {
    page: &'a Page,
    meaning: &'static str,
    /// At the head of every printed page, as CSS strings.
    head_left: String,
    head_right: String,
    decks: String,
    family: Option<FamilyText>,
    p_values_total: String,
    /// Names that everybody knows, with the p-values that are them.
    familiar: Vec<(&'static str, RowText<'a>)>,
    smallest: Vec<RowText<'a>>,
    p_value_pictures: Vec<Picture>,
    main_picture: Option<Picture>,
    looks: Vec<LookText<'a>>,
    look_at: Option<String>,
    standards: Vec<StandardText<'a>>,
    statistics: Vec<Section<'a>>,
    earlier: Option<EarlierText<'a>>,
    power: Vec<PowerGroup>,
}

/// A look that did not decide: its standards and its small p-values, without pictures.
struct EarlierText<'a> {
    row: &'a Earlier,
    decks: String,
    p_values: String,
    /// The highest p-value that is listed.
    listed: f64,
    standards: Vec<StandardText<'a>>,
    rows: Vec<RowText<'a>>,
}

struct LookText<'a> {
    row: &'a LookRow,
    first_deck: String,
    decks: String,
    p_value: String,
}

struct StandardText<'a> {
    row: &'a StandardRow,
    anchor: String,
    title: String,
    p_value: String,
    reason: &'a str,
    is_second_level: bool,
    is_95: bool,
    tests: Vec<RequiredText<'a>>,
}

struct RequiredText<'a> {
    row: &'a RequiredTest,
    statistics: String,
    sample: String,
    p_value: String,
    level: String,
    /// `met` and `not met` stay on one line.
    is_short: bool,
}

struct FamilyText {
    level: String,
    reading: String,
}

/// One statistic: its sentences, its numbers, its pictures.
struct Section<'a> {
    statistic: &'a StatisticRows,
    anchor: String,
    rows: Vec<RowText<'a>>,
    pictures: Vec<Picture>,
}

/// One p-value with all that belongs to it.
struct RowText<'a> {
    anchor: String,
    title: &'a str,
    null: &'a str,
    part: &'a str,
    view: &'static str,
    sample: String,
    score_name: &'a str,
    score: String,
    p_value: String,
    trust: String,
}

/// Flawed dealers that so many decks reveal, do not yet reveal, or that were never caught.
struct PowerGroup {
    says: String,
    dealers: String,
}

impl PageTemplate<'_> {
    fn new(page: &Page) -> PageTemplate<'_> {
        let rows: Vec<(usize, &StatisticRows, &TableRow)> = page
            .statistics
            .iter()
            .enumerate()
            .flat_map(|(place, statistic)| statistic.rows.iter().map(move |row| (place, statistic, row)))
            .collect();
        let p_values: Vec<f64> = rows.iter().map(|(_, _, row)| row.p_value).collect();
        let mut smallest = rows.clone();
        smallest.sort_by(|a, b| a.2.p_value.total_cmp(&b.2.p_value));
        smallest.truncate(SMALLEST_SHOWN);
        let level = page.family.map_or(0.01, |family| family.level);
        PageTemplate {
            page,
            meaning: meaning(page.verdict),
            head_left: escape::css(&head_left(page)),
            head_right: escape::css(&format!("{}, {}", page.verdict.name().to_uppercase(), page.id)),
            decks: thousands(page.decks),
            family: page.family.map(|family| FamilyText {
                level: family.level.to_string(),
                reading: reading(family.p_value),
            }),
            p_values_total: thousands(p_values.len() as u64),
            familiar: page
                .familiar()
                .iter()
                .map(|own| (own.name, row_text(own.place, own.statistic, own.row)))
                .collect(),
            smallest: smallest
                .iter()
                .map(|&(place, statistic, row)| row_text(place, statistic, row))
                .collect(),
            p_value_pictures: p_values::draw(&p_values, level, "p-values", charts::english()),
            main_picture: main_row(page).and_then(|(at, title)| main_picture(page, at, title)),
            looks: page.looks.iter().map(look_text).collect(),
            look_at: summary::look_at(page),
            standards: standard_texts(&page.standards, "standard"),
            statistics: sections(page),
            earlier: page.earlier.as_ref().map(earlier_text),
            power: power_groups(&page.power, page.decks),
        }
    }
}

/// What is examined, in one line for the head of a printed page; all of it stands on the first.
fn head_left(page: &Page) -> String {
    let subject = page.subject.iter().map(|fact| format!("{}: {}", fact.label, fact.value));
    let subject: Vec<String> = subject.collect();
    match subject.is_empty() {
        true => page.title.clone(),
        false => summary::shortened(&subject.join("; "), HEAD_LETTERS_MAX),
    }
}

fn look_text(row: &LookRow) -> LookText<'_> {
    LookText {
        row,
        first_deck: thousands(row.first_deck),
        decks: thousands(row.decks),
        p_value: row.family_p_value.map_or_else(|| "none".to_string(), decimal::p_value),
    }
}

fn earlier_text(row: &Earlier) -> EarlierText<'_> {
    let all = row.statistics.iter().flat_map(|own| own.rows.iter().map(move |row| (own, row)));
    let listed = all.clone().filter(|(_, row)| row.p_value <= LISTED_P_VALUE);
    EarlierText {
        row,
        decks: thousands(row.decks),
        p_values: thousands(all.count() as u64),
        listed: LISTED_P_VALUE,
        standards: standard_texts(&row.standards, "earlier-standard"),
        rows: listed.map(|(own, row)| row_text(0, own, row)).collect(),
    }
}

fn standard_texts<'a>(rows: &'a [StandardRow], id: &str) -> Vec<StandardText<'a>> {
    (0..rows.len()).map(|place| standard_text(rows, place, id)).collect()
}

/// A text that is judged at a second level repeats only what that level changes.
fn standard_text<'a>(rows: &'a [StandardRow], place: usize, id: &str) -> StandardText<'a> {
    let row = &rows[place];
    let before = place.checked_sub(1).map(|before| &rows[before]).filter(|before| before.name == row.name);
    let is_news = |test: &&RequiredTest| {
        let said = before.and_then(|before| before.tests.iter().find(|other| other.name == test.name));
        said.is_none_or(|said| said.says != test.says)
    };
    StandardText {
        row,
        anchor: format!("{id}-{place}"),
        title: match row.clause.starts_with(&row.name) {
            true => row.clause.clone(),
            false => format!("{}, {}", row.name, row.clause),
        },
        p_value: row.family_p_value.map_or_else(|| "none".to_string(), decimal::p_value),
        reason: row.reason.as_deref().unwrap_or("Every required test ran."),
        is_second_level: before.is_some(),
        is_95: row.confidence_percent == 95,
        tests: row.tests.iter().filter(is_news).map(required_text).collect(),
    }
}

fn required_text(row: &RequiredTest) -> RequiredText<'_> {
    RequiredText {
        row,
        statistics: row.statistics.join(", "),
        sample: match row.decks {
            None => "none".to_string(),
            Some((fewest, most)) if fewest == most => thousands(most),
            Some((fewest, most)) => format!("{} to {}", thousands(fewest), thousands(most)),
        },
        p_value: row.p_value.map_or_else(|| "none".to_string(), decimal::p_value),
        level: decimal::p_value(row.level),
        is_short: row.says.chars().count() <= 8,
    }
}

/// What the family p-value says, without a formula.
fn reading(p_value: f64) -> String {
    if p_value >= 1.0 {
        return "Nothing stands out among so many tests. The family p-value of 1 is the cap of Bonferroni’s inequality, no probability \
                that the shuffle is fair."
            .to_string();
    }
    if p_value >= 0.1 {
        return "A fair shuffle often gives a result as unusual as this.".to_string();
    }
    if p_value <= 1e-18 {
        return "A fair shuffle gives a result as unusual as this practically never.".to_string();
    }
    let audits = (1.0 / p_value) as u64;
    format!("A fair shuffle gives a result as unusual as this in at most 1 of {} audits.", thousands(audits))
}

/// The statistics, whose pictures are most of the work.
fn sections(page: &Page) -> Vec<Section<'_>> {
    let main = main_row(page).map(|(at, _)| at);
    let limit = pictured_p_value(page);
    let numbered = page.statistics.par_iter().enumerate();
    numbered.map(|(place, statistic)| section(place, statistic, main, limit)).collect()
}

/// `main` is the result that the body draws, `limit` the p-value from which down other views are pictured.
fn section(place: usize, statistic: &StatisticRows, main: Option<(usize, usize)>, limit: f64) -> Section<'_> {
    let pictures = statistic.rows.iter().enumerate().flat_map(|(number, row)| {
        let title = || format!("{}, {}, {}", statistic.title, looked_at(row.view), row.part);
        // The one picture of the body is not drawn again.
        let drawn_before = usize::from(main == Some((place, number)));
        let own = if is_pictured(row, limit) {
            pictures(row, &picture_id((place, number)), &title())
        } else {
            Vec::new()
        };
        own.into_iter().skip(drawn_before)
    });
    // Full-width pictures first, so that the narrow ones of all views stand side by side.
    let (wide, narrow): (Vec<Picture>, Vec<Picture>) = pictures.partition(|picture| picture.kind == "wide");
    Section {
        statistic,
        anchor: anchor(place),
        rows: statistic.rows.iter().map(|row| row_text(place, statistic, row)).collect(),
        pictures: wide.into_iter().chain(narrow).collect(),
    }
}

/// Pictures of the decks themselves, and of what is most unusual; the rest stands in numbers.
fn is_pictured(row: &TableRow, limit: f64) -> bool {
    row.view == View::Deck || row.p_value <= limit
}

/// The p-value down from which other views are pictured; below 0 where none is.
fn pictured_p_value(page: &Page) -> f64 {
    const NONE: f64 = -1.0;
    let rows = page.statistics.iter().flat_map(|own| &own.rows);
    let others = rows.filter(|row| row.view != View::Deck && !matches!(row.exhibit, Exhibit::None));
    let mut unusual: Vec<f64> = others.map(|row| row.p_value).filter(|&p| p <= PICTURED_P_VALUE).collect();
    unusual.sort_by(f64::total_cmp);
    // Of more than so many only those below the first that is left out.
    match (page.proofs.is_empty(), unusual.get(PICTURED_MAX)) {
        (false, _) => NONE,
        (true, None) => PICTURED_P_VALUE,
        (true, Some(&out)) => unusual.iter().rev().copied().find(|&p| p < out).unwrap_or(NONE),
    }
}

fn picture_id((place, number): (usize, usize)) -> String {
    format!("picture-{place}-{number}")
}

/// Which result the body draws: the first table of the decks themselves.
fn main_row(page: &Page) -> Option<((usize, usize), &StatisticRows)> {
    page.statistics.iter().enumerate().find_map(|(place, statistic)| {
        let is_table =
            |row: &TableRow| matches!(row.exhibit, Exhibit::Table { .. }) && row.view == View::Deck;
        statistic.rows.iter().position(is_table).map(|number| ((place, number), statistic))
    })
}

fn main_picture(page: &Page, at: (usize, usize), statistic: &StatisticRows) -> Option<Picture> {
    let row = &page.statistics[at.0].rows[at.1];
    let title = format!("{}, {}, {}", statistic.title, looked_at(row.view), row.part);
    pictures(row, &picture_id(at), &title).into_iter().next()
}

/// Ids are data of the plan and could hold anything; places could not.
fn anchor(place: usize) -> String {
    format!("statistic-{place}")
}

fn row_text<'a>(place: usize, statistic: &'a StatisticRows, row: &'a TableRow) -> RowText<'a> {
    RowText {
        anchor: anchor(place),
        title: &statistic.title,
        null: &statistic.null,
        part: &row.part,
        view: looked_at(row.view),
        sample: numbers::sample(row.view, row.decks),
        score_name: &row.score_name,
        score: numbers::score(row.score),
        p_value: decimal::p_value(row.p_value),
        trust: trust(row),
    }
}

/// How far the p-value can be relied upon.
fn trust(row: &TableRow) -> String {
    match row.p_value_bound {
        None => numbers::trust(row.tail).to_string(),
        Some(bound) => match decimal::p_value(bound) {
            tiny if tiny.starts_with("below") => format!("approximation; proven: {tiny}"),
            bound => format!("approximation; proven: at most {bound}"),
        },
    }
}

/// The pictures of an exhibit; none if it has nothing to draw.
fn pictures(row: &TableRow, id: &str, name: &str) -> Vec<Picture> {
    match &row.exhibit {
        Exhibit::None => Vec::new(),
        Exhibit::Histogram { axis, values, observed, expected } => {
            let bars = Bars::of_values(charts::english(), axis, values, observed, expected);
            bars.map(|bars| histogram::draw(&bars, id, name)).into_iter().collect()
        }
        &Exhibit::Table { row_axis, column_axis, side, ref observed, expected, deviation } => {
            let table =
                charts::table(row.view, (row_axis, column_axis), side, observed, (expected, deviation));
            if !table.is_drawable() {
                return Vec::new();
            }
            let bars = Bars::of_residuals(&table);
            let bars = bars.map(|bars| histogram::draw(&bars, &format!("{id}-cells"), name));
            std::iter::once(heat_map::draw(&table, id, name)).chain(bars).collect()
        }
    }
}

/// The dealers by what so many decks make of them; those that need most stand last.
fn power_groups(rows: &[PowerRow], decks: u64) -> Vec<PowerGroup> {
    let mut sorted: Vec<&PowerRow> = rows.iter().collect();
    sorted.sort_by_key(|row| row.decks_needed);
    let named = |row: &&PowerRow| match row.decks_needed {
        Some(needed) => format!("{} ({})", row.dealer, thousands(needed)),
        None => row.dealer.clone(),
    };
    let group = |says: String, is_in: &dyn Fn(Option<u64>) -> bool| {
        let own = sorted.iter().copied().filter(|row| is_in(row.decks_needed));
        PowerGroup { says, dealers: own.map(|row| named(&row)).collect::<Vec<_>>().join(", ") }
    };
    let reached = |needed: Option<u64>| needed.is_some_and(|needed| needed <= decks);
    let later = |needed: Option<u64>| needed.is_some_and(|needed| needed > decks);
    let groups = [
        group(format!("Revealed within {} decks (decks needed)", thousands(decks)), &reached),
        group("Need more decks than these (decks needed)".to_string(), &later),
        group("Not caught in the measured range".to_string(), &|needed| needed.is_none()),
    ];
    groups.into_iter().filter(|group| !group.dealers.is_empty()).collect()
}
