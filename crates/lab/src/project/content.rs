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
struct Said<'a> {
    inputs: &'a Inputs,
    facts: &'a Facts,
    /// The tables of the package.
    sheets: &'a PackageFiles,
    words: &'static Words,
}

/// The whole document, in the language of the project.
pub fn document(inputs: &Inputs, facts: &Facts, sheets: &PackageFiles) -> Document {
    let said = &Said { inputs, facts, sheets, words: inputs.project.language.words() };
    let mut sections = vec![
        summary::section(said),
        premises::section(said),
        demands::section(said),
        examined::scope(said),
        examined::references(said),
        examined::item(said),
        examined::declarations(said),
        examined::review(said),
        examined::sampling(said),
        examined::environment(said),
        examined::methods(said),
        outcomes::raw(said),
        outcomes::decks(said),
        outcomes::hands(said),
        conclude::unpredictability(said),
        conclude::controls(said),
        conclude::conformity(said),
        conclude::external(said),
        conclude::deviations(said),
        conclude::opinions(said),
        annexes::plan(said),
        annexes::p_values(said),
        annexes::power(said),
        annexes::calibration(said),
        annexes::selftest(said),
        annexes::vectors(said),
        annexes::reproduction(said),
        annexes::files(said),
    ];
    if let Some(mapping) = mapping::section(said) {
        let after = sections.iter().position(|section| section.id == "raw-output").map_or(0, |at| at + 1);
        sections.insert(after, mapping);
    }
    sections.extend(annexes::external(said));
    sections.extend([iso::section(said), annexes::revisions(said)]);
    Document { head: first_page::head(said), cover: first_page::cover(said), sections }
}

impl Said<'_> {
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

/// What somebody wrote, or that nobody did.
fn told(text: &Option<String>) -> Value {
    Value::said(text.as_deref())
}

fn fact(label: &str, value: Value) -> (String, Value) {
    (label.to_owned(), value)
}
