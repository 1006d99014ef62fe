//! External results in a report: what was attached, beside the verdict, and every listed result.

use crate::external::{ExternalResult, ExternalResults, ExternalSays};
use deckproof_deck::text::date::Date;
use deckproof_report::document::words::ExternalWords;
use deckproof_report::document::words::Words;
use deckproof_report::document::{Block, Column, DataTable, Stands, Value};

/// A text that was attached, read, and by whom it came.
#[derive(Clone, PartialEq, Debug)]
pub struct Attached {
    /// What it says.
    pub results: ExternalResults,
    /// The name of the file.
    pub file: String,
    /// SHA-256 of its bytes, hexadecimal.
    pub sha256: String,
    /// Who ran the program, as the project says.
    pub by: Option<String>,
    /// On what, as the project says.
    pub of: Option<String>,
    /// When, as the project says.
    pub date: Option<Date>,
}

impl Attached {
    /// Whether it contradicts a verdict: it tells of a failure where nothing was found, or of none where something was.
    pub fn contradicts(&self, verdict: Stands) -> bool {
        match (verdict, self.results.says()) {
            (Stands::Good, says) => says == ExternalSays::Failed,
            (Stands::Bad, says) => says == ExternalSays::Passed && !self.results.is_incomplete(),
            (Stands::Open, _) => false,
        }
    }
}

/// The section of external results, all flagged as such; nothing where nothing was attached.
pub fn blocks(attached: &[Attached], verdict: Stands, verdict_word: &str, words: &Words) -> Vec<Block> {
    if attached.is_empty() {
        return Vec::new();
    }
    let own = &words.external;
    let disagrees = attached.iter().any(|text| text.contradicts(verdict));
    let is_incomplete = attached.iter().any(|text| text.results.is_incomplete());
    let sentence = match (disagrees, is_incomplete) {
        (true, _) => own.disagreement,
        (false, true) => own.incompleteness,
        (false, false) => own.agreement,
    };
    vec![
        Block::paragraph(own.about),
        Block::Table(files(attached, words)),
        Block::Table(beside(attached, verdict, verdict_word, words)),
        Block::paragraph(sentence),
    ]
}

/// Every listed result, a table for each text: for an annex.
pub fn results(attached: &[Attached], words: &Words) -> Vec<Block> {
    attached.iter().map(|text| Block::Table(listed(text, words))).collect()
}

/// A column, and its cell in the row of each.
pub(crate) type Cells<'a, T> = (Column, &'a dyn Fn(&T) -> Value);

/// A table with a row for each of these.
pub(crate) fn data_table<T>(
    caption: impl Into<String>,
    columns: &[Cells<T>],
    rows: impl IntoIterator<Item = T>,
    note: &str,
) -> DataTable {
    let row = |own: T| columns.iter().map(|(_, cell)| cell(&own)).collect();
    let rows = rows.into_iter().map(row).collect();
    let columns = columns.iter().map(|(column, _)| column.clone()).collect();
    DataTable { caption: caption.into(), columns, rows, note: note.to_owned() }
}

fn files(attached: &[Attached], words: &Words) -> DataTable {
    let own = &words.external;
    let stated = |text: &Option<String>| Value::text(text.as_deref().unwrap_or(own.not_stated));
    // The text names a generator or a stream; what stood behind it, only the project knows.
    let run_on = |text: &Attached| match (&text.of, &text.results.about) {
        (Some(of), Some(about)) if !of.trim().is_empty() => Some(format!("{of} ({about})")),
        (of, about) => about.clone().or(of.clone()),
    };
    let day = |text: &Attached| text.date.map_or(Value::Empty, |date| Value::text(words.date(date)));
    let columns: &[Cells<&Attached>] = &[
        (Column::words(own.program, 3), &|text| Value::text(text.results.tool.title())),
        (Column::words(own.version, 2), &|text| stated(&text.results.version)),
        (Column::words(own.run_on, 4), &|text| stated(&run_on(text))),
        (Column::words(own.file, 4), &|text| Value::hash(&text.file)),
        (Column::words(own.sha256, 5), &|text| Value::hash(&text.sha256)),
        (Column::words(own.supplied_by, 3), &|text| Value::text_or_empty(text.by.as_deref())),
        (Column::words(own.date, 3), &|text| day(text)),
    ];
    data_table(own.files_caption, columns, attached, "")
}

fn beside(attached: &[Attached], verdict: Stands, verdict_word: &str, words: &Words) -> DataTable {
    let own = &words.external;
    let none = || Value::text("");
    let this = vec![Value::text(own.this_audit), Value::text(verdict_word), none(), none(), none(), none()];
    let row = |text: &Attached| {
        let count = |says| Value::text(words.number(text.results.count_of(says)));
        vec![
            Value::text(format!("{}, {}", text.results.tool.title(), text.file)),
            Value::text(says_word(text.results.says(), own)),
            Value::text(counted(&text.results, words)),
            count(ExternalSays::Suspicious),
            count(ExternalSays::Failed),
            Value::text(agreement(text, verdict, own)),
        ]
    };
    DataTable {
        caption: own.beside_caption.to_owned(),
        columns: vec![
            Column::words(own.program, 4),
            Column::words(own.says, 3),
            Column::numbers(own.results, 2),
            Column::numbers(own.suspicious, 2),
            Column::numbers(own.failed, 2),
            Column::words("", 2),
        ],
        rows: std::iter::once(this).chain(attached.iter().map(row)).collect(),
        note: String::new(),
    }
}

/// How many results there are; of how many, where a whole run has more.
fn counted(results: &ExternalResults, words: &Words) -> String {
    let count = words.number(results.count());
    match results.whole().filter(|_| results.is_incomplete()) {
        Some(whole) => words.external.some_of(&count, &words.number(whole)),
        None => count,
    }
}

/// Whether it agrees with a verdict. What is missing may be what failed, so that a part of a run agrees with nothing.
fn agreement(text: &Attached, verdict: Stands, words: &ExternalWords) -> &'static str {
    if text.contradicts(verdict) {
        words.disagrees
    } else if text.results.is_incomplete() {
        words.incomplete
    } else {
        words.agrees
    }
}

fn says_word(says: ExternalSays, words: &ExternalWords) -> &'static str {
    match says {
        ExternalSays::Passed => words.says_passed,
        ExternalSays::Suspicious => words.says_suspicious,
        ExternalSays::Failed => words.says_failed,
    }
}

fn listed(text: &Attached, words: &Words) -> DataTable {
    let own = &words.external;
    let results = &text.results;
    let columns: &[Cells<&ExternalResult>] = &[
        (Column::words(own.test, 4), &|result| Value::text(&result.test)),
        (Column::numbers(own.p_value_printed, 2), &|result| Value::text(&result.printed)),
        (Column::words(own.says, 2), &|result| Value::text(says_word(result.says, own))),
    ];
    let note = match results.unlisted {
        0 => own.p_value_note.to_owned(),
        more => format!("{} {}", own.unlisted(more), own.p_value_note),
    };
    data_table(own.results_caption(results.tool.title(), &text.file), columns, &results.results, &note)
}
