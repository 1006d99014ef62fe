//! The report as one self-contained HTML file: no scripts, nothing loaded, light and dark.

use askama::Template;
use rayon::iter::{IndexedParallelIterator, IntoParallelRefIterator, ParallelIterator};

use crate::document::words::SheetWords;
use crate::document::words::Words;
use crate::report::ReportFormat;
use crate::report::charts::histogram::{self, Bars};
use crate::report::charts::{self, Picture, p_values};
use crate::report::escape;
use crate::report::page::{Earlier, Page, RequiredTest, StandardRow, StatisticRows, TableRow};
use crate::report::summary;
use deckproof_audit::power::table::DealerPower;
use deckproof_stats::battery::{Exhibit, View};

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
    words: &'static Words,
    own: &'static SheetWords,
    verdict: &'static str,
    /// At the head of every printed page, as CSS strings.
    head_left: String,
    head_right: String,
    /// How many p-values there are.
    p_values: usize,
    /// The smallest of them, with the place of their statistic.
    smallest: Vec<(usize, &'a StatisticRows, &'a TableRow)>,
    p_value_pictures: Vec<Picture>,
    main_picture: Option<Picture>,
    standards: Vec<StandardText<'a>>,
    statistics: Vec<Section<'a>>,
    earlier: Option<EarlierText<'a>>,
    power: Vec<PowerGroup>,
}

/// A look that did not decide: its standards and its small p-values, without pictures.
struct EarlierText<'a> {
    row: &'a Earlier,
    heading: String,
    note: String,
    standards: Vec<StandardText<'a>>,
    rows: Vec<(&'a StatisticRows, &'a TableRow)>,
}

struct StandardText<'a> {
    anchor: String,
    heading: String,
    note: String,
    tests: Vec<&'a RequiredTest>,
}

/// One statistic with its pictures.
struct Section<'a> {
    statistic: &'a StatisticRows,
    pictures: Vec<Picture>,
}

/// Flawed dealers that so many decks reveal, do not yet reveal, or that were never caught.
struct PowerGroup {
    says: String,
    dealers: String,
}

impl PageTemplate<'_> {
    fn new(page: &Page) -> PageTemplate<'_> {
        let words = page.words;
        let mut rows: Vec<(usize, &StatisticRows, &TableRow)> = page
            .statistics
            .iter()
            .enumerate()
            .flat_map(|(place, statistic)| statistic.rows.iter().map(move |row| (place, statistic, row)))
            .collect();
        let p_values: Vec<f64> = rows.iter().map(|(_, _, row)| row.p_value).collect();
        rows.sort_by(|a, b| a.2.p_value.total_cmp(&b.2.p_value));
        rows.truncate(SMALLEST_SHOWN);
        let level = page.family.map_or(0.01, |family| family.level);
        PageTemplate {
            page,
            words,
            own: &words.sheet,
            verdict: words.cover.small(page.verdict),
            head_left: escape::css(&head_left(page)),
            head_right: escape::css(&format!("{}, {}", words.cover.word(page.verdict), page.id)),
            p_values: p_values.len(),
            smallest: rows,
            p_value_pictures: p_values::draw(&p_values, level, "p-values", words),
            main_picture: main_row(page).and_then(|(at, title)| main_picture(page, at, title)),
            standards: standard_texts(&page.standards, "standard", words),
            statistics: sections(page),
            earlier: page.earlier.as_ref().map(|row| earlier_text(row, words)),
            power: power_groups(page),
        }
    }

    /// What the family p-value says, without a formula.
    fn reading(&self, p_value: f64) -> String {
        let own = self.own;
        match p_value {
            p_value if p_value >= 1.0 => own.reading_cap.to_owned(),
            p_value if p_value >= 0.1 => own.reading_often.to_owned(),
            p_value if p_value <= 1e-18 => own.reading_never.to_owned(),
            p_value => own.reading_seldom((1.0 / p_value) as u64),
        }
    }

    fn sample(&self, decks: Option<(u64, u64)>) -> String {
        match decks {
            None => self.words.page.none.to_owned(),
            Some((fewest, most)) if fewest == most => self.words.number(most),
            Some((fewest, most)) => self.words.page.to(&self.words.number(fewest), &self.words.number(most)),
        }
    }
}

/// What is examined, in one line for the head of a printed page; all of it is on the first.
fn head_left(page: &Page) -> String {
    let subject = page.subject.iter().map(|fact| page.words.about(&fact.label, &fact.value));
    let subject: Vec<String> = subject.collect();
    if subject.is_empty() {
        page.title.clone()
    } else {
        summary::shortened(&page.words.series(&subject), HEAD_LETTERS_MAX)
    }
}

fn earlier_text<'a>(row: &'a Earlier, words: &'static Words) -> EarlierText<'a> {
    let all = row.statistics.iter().flat_map(|own| own.rows.iter().map(move |row| (own, row)));
    let listed = all.clone().filter(|(_, row)| row.p_value <= LISTED_P_VALUE);
    let limit = words.figures(&LISTED_P_VALUE.to_string());
    EarlierText {
        row,
        heading: words.sheet.earlier(&row.name, row.decks),
        note: words.sheet.earlier_note(all.count() as u64, &limit),
        standards: standard_texts(&row.standards, "earlier-standard", words),
        rows: listed.collect(),
    }
}

fn standard_texts<'a>(rows: &'a [StandardRow], id: &str, words: &Words) -> Vec<StandardText<'a>> {
    (0..rows.len()).map(|place| standard_text(rows, place, id, words)).collect()
}

/// A text that is judged at a second level repeats only what that level changes.
fn standard_text<'a>(rows: &'a [StandardRow], place: usize, id: &str, words: &Words) -> StandardText<'a> {
    let (row, own) = (&rows[place], &words.sheet);
    let before = place.checked_sub(1).map(|before| &rows[before]).filter(|before| before.name == row.name);
    let is_news = |test: &&RequiredTest| {
        let earlier = before.and_then(|before| before.tests.iter().find(|other| other.name == test.name));
        earlier.is_none_or(|earlier| earlier.says != test.says)
    };
    let title = if row.clause.starts_with(&row.name) {
        row.clause.clone()
    } else {
        format!("{}, {}", row.name, row.clause)
    };
    let percent = u64::from(row.confidence_percent);
    let p_value = words.p_value_or_none(row.family_p_value);
    let family = own.required_family(&p_value, row.names_run as u64, row.names as u64);
    let beyond = (!row.not_assessed.is_empty()).then(|| own.required_beyond(&row.not_assessed));
    let note = [
        Some(family),
        Some(row.reason.clone().unwrap_or_else(|| own.required_ran.to_owned())),
        beyond,
        (percent == 95).then(|| own.required_95.to_owned()),
        before.map(|_| own.required_second.to_owned()),
    ];
    StandardText {
        anchor: format!("{id}-{place}"),
        heading: own.required_title(&title, words.conformity(row.says), percent),
        note: note.into_iter().flatten().collect::<Vec<_>>().join(" "),
        tests: row.tests.iter().filter(is_news).collect(),
    }
}

/// The statistics, whose pictures are most of the work.
fn sections(page: &Page) -> Vec<Section<'_>> {
    let main = main_row(page).map(|(at, _)| at);
    let limit = pictured_p_value(page);
    let numbered = page.statistics.par_iter().enumerate();
    numbered.map(|(place, statistic)| section(place, statistic, main, limit, page.words)).collect()
}

/// `main` is the result that the body draws, `limit` the p-value from which down other views are pictured.
fn section<'a>(
    place: usize,
    statistic: &'a StatisticRows,
    main: Option<(usize, usize)>,
    limit: f64,
    words: &'static Words,
) -> Section<'a> {
    let pictures = statistic.rows.iter().enumerate().flat_map(|(number, row)| {
        let title = || title_of(statistic, row, words);
        // The one picture of the body is not drawn again.
        let drawn_before = usize::from(main == Some((place, number)));
        let own = if is_pictured(row, limit) {
            pictures(row, &picture_id((place, number)), &title(), words)
        } else {
            Vec::new()
        };
        own.into_iter().skip(drawn_before)
    });
    // Full-width pictures first, so that the narrow ones of all views stand side by side.
    let (wide, narrow): (Vec<Picture>, Vec<Picture>) = pictures.partition(|picture| picture.kind == "wide");
    Section { statistic, pictures: wide.into_iter().chain(narrow).collect() }
}

/// Pictures of the decks themselves, and of what is most unusual; the rest is in numbers.
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
    let title = title_of(statistic, row, page.words);
    pictures(row, &picture_id(at), &title, page.words).into_iter().next()
}

fn title_of(statistic: &StatisticRows, row: &TableRow, words: &Words) -> String {
    format!("{}, {}, {}", statistic.title, words.page.view(row.view), row.part)
}

/// The pictures of an exhibit; none if it has nothing to draw.
fn pictures(row: &TableRow, id: &str, name: &str, words: &'static Words) -> Vec<Picture> {
    match &row.exhibit {
        Exhibit::None => Vec::new(),
        Exhibit::Histogram { axis, values, observed, expected } => {
            let bars = Bars::of_values(words, axis, values, observed, expected);
            bars.map(|bars| histogram::draw(&bars, id, name)).into_iter().collect()
        }
        Exhibit::Table { .. } => {
            charts::table(row, words).map_or_else(Vec::new, |table| charts::of_table(&table, id, name))
        }
    }
}

/// The dealers by what so many decks make of them; those that need most stand last.
fn power_groups(page: &Page) -> Vec<PowerGroup> {
    let (words, own, decks) = (page.words, &page.words.sheet, page.decks);
    let mut sorted: Vec<&DealerPower> = page.power.iter().collect();
    sorted.sort_by_key(|row| row.decks_in_all());
    let named = |row: &&DealerPower| match row.decks_in_all() {
        Some(needed) => format!("{} ({})", row.dealer, words.number(needed)),
        None => row.dealer.clone(),
    };
    let group = |says: String, is_in: &dyn Fn(Option<u64>) -> bool| {
        let own = sorted.iter().copied().filter(|row| is_in(row.decks_in_all()));
        PowerGroup { says, dealers: own.map(|row| named(&row)).collect::<Vec<_>>().join(", ") }
    };
    let reached = |needed: Option<u64>| needed.is_some_and(|needed| needed <= decks);
    let later = |needed: Option<u64>| needed.is_some_and(|needed| needed > decks);
    let groups = [
        group(own.revealed(decks), &reached),
        group(own.need_more.to_owned(), &later),
        group(own.never.to_owned(), &|needed| needed.is_none()),
    ];
    groups.into_iter().filter(|group| !group.dealers.is_empty()).collect()
}
