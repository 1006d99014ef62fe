//! What the report says: the sections of the document, from the project and from what was found.

mod annexes;
mod conclude;
mod demands;
mod examined;
mod first_page;
mod iso;
mod mapping;
pub mod observed;
pub mod outcomes;
mod premises;
pub mod reproduce;
mod summary;

use crate::external::listing::{Cells, data_table};
use crate::project::facts::{Conformance, Facts};
use crate::project::package::files::PackageFiles;
use crate::project::package::inputs::Inputs;
use deckproof_audit::audit::verdict::Verdict;
use deckproof_deck::text::date::Date;
use deckproof_report::document::words::Words;
use deckproof_report::document::{Block, Column, DataTable, Document, Section, Value};

/// What every section is made from.
struct Basis<'a> {
    inputs: &'a Inputs,
    facts: &'a Facts,
    /// The tables of the package.
    sheets: &'a PackageFiles,
    words: &'static Words,
}

/// The whole document, in the language of the project.
pub fn document(inputs: &Inputs, facts: &Facts, sheets: &PackageFiles) -> Document {
    let basis = &Basis { inputs, facts, sheets, words: inputs.project.language.words() };
    let mut sections = vec![
        summary::section(basis),
        premises::section(basis),
        demands::section(basis),
        examined::scope(basis),
        examined::references(basis),
        examined::item(basis),
        examined::declarations(basis),
        examined::review(basis),
        examined::sampling(basis),
        examined::environment(basis),
        examined::methods(basis),
        outcomes::raw(basis),
        outcomes::decks(basis),
        outcomes::hands(basis),
        conclude::unpredictability(basis),
        conclude::controls(basis),
        conclude::conformity(basis),
        conclude::external(basis),
        conclude::deviations(basis),
        conclude::opinions(basis),
        annexes::plan(basis),
        annexes::p_values(basis),
        annexes::power(basis),
        annexes::calibration(basis),
        annexes::selftest(basis),
        annexes::vectors(basis),
        annexes::reproduction(basis),
        annexes::files(basis),
    ];
    if let Some(mapping) = mapping::section(basis) {
        let after = sections.iter().position(|section| section.id == "raw-output").map_or(0, |at| at + 1);
        sections.insert(after, mapping);
    }
    sections.extend(annexes::external(basis));
    sections.extend([iso::section(basis), annexes::revisions(basis)]);
    Document { head: first_page::head(basis), cover: first_page::cover(basis), sections }
}

impl Basis<'_> {
    /// A verdict inside a sentence or a table.
    fn verdict(&self, verdict: Verdict) -> &'static str {
        self.words.cover.small(verdict)
    }

    fn conformance(&self, conformance: Conformance) -> &'static str {
        let words = &self.words.cover;
        match conformance {
            Conformance::TestsMet => words.tests_met,
            Conformance::NotMet => words.not_met,
            Conformance::NotAssessed => words.not_assessed,
            Conformance::NotApplicable => words.not_applicable,
        }
    }

    /// A standard in a table: its name, and the clause unless that begins with the name.
    fn standard(&self, name: &str, clause: &str) -> String {
        let own = self.words.standard(name);
        let (name, clause) = own.map_or((name, clause), |own| (own.name, own.clause));
        if clause.starts_with(name) { clause.to_owned() } else { self.words.about(name, clause) }
    }

    fn number(&self, number: u64) -> Value {
        Value::text(self.words.number(number))
    }

    fn p_value(&self, p: f64) -> Value {
        Value::text(self.words.p_value(p))
    }

    fn day(&self, date: Option<Date>) -> Value {
        date.map_or(Value::Empty, |date| Value::text(self.words.date(date)))
    }

    /// A level of confidence in percent.
    fn level(&self, confidence_percent: u32) -> String {
        self.words.percent(f64::from(confidence_percent) / 100.0, 0)
    }
}

fn section(id: &str, title: &str, blocks: Vec<Block>) -> Section {
    Section { id: id.to_owned(), title: title.to_owned(), annex: false, blocks }
}

fn annex(id: &str, title: &str, blocks: Vec<Block>) -> Section {
    Section { annex: true, ..section(id, title, blocks) }
}

fn table<T>(
    caption: impl Into<String>,
    columns: &[Cells<T>],
    rows: impl IntoIterator<Item = T>,
    note: &str,
) -> Block {
    Block::Table(data_table(caption, columns, rows, note))
}

/// A table whose rows are made already.
fn table_of_rows(
    caption: impl Into<String>,
    columns: Vec<Column>,
    rows: Vec<Vec<Value>>,
    note: &str,
) -> Block {
    Block::Table(DataTable { caption: caption.into(), columns, rows, note: note.to_owned() })
}

/// What the project states of it; empty where it states nothing.
fn text_or_empty(text: &Option<String>) -> Value {
    Value::text_or_empty(text.as_deref())
}

fn fact(label: &str, value: Value) -> (String, Value) {
    (label.to_owned(), value)
}
