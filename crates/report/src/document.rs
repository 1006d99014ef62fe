//! A laboratory report as plain data: sections of blocks, written as HTML or PDF by `report`, kept as JSON.

pub mod figure;
pub mod volume;
pub mod words;

use serde::{Deserialize, Serialize};

use crate::document::figure::Figure;
use crate::document::words::Language;
use deckproof_audit::audit::verdict::Verdict;
use deckproof_deck::text::date::Date;

/// A whole report. Its JSON is the record; the pages are drawn from nothing else.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Document {
    /// What names the report on every page.
    pub head: Head,
    /// What is on the first page under the head: the verdict, and who signs.
    pub cover: Vec<Block>,
    /// The body, then the annexes.
    pub sections: Vec<Section>,
}

/// What names a report. Its fields may be empty: only people know them.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Head {
    /// Such as `Test Report – Card Shuffle and RNG, Seven-Card Stud`.
    pub title: String,
    /// Unique identification, on every page.
    pub report_number: Value,
    /// 1 for the first issue; an amendment has the next number.
    pub revision: u32,
    /// Of every sentence of the document.
    pub language: Language,
    /// Date of issue.
    pub issued: Option<Date>,
    /// Name and address of the laboratory.
    pub laboratory: Value,
    /// Name and contact of the customer.
    pub customer: Value,
    /// What was tested, with its version.
    pub item: Value,
    /// The mark of the laboratory: a PNG in base64.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub logo: Option<String>,
}

#[cfg(test)]
impl Head {
    /// The head of a document in tests.
    pub fn of_test() -> Head {
        Head {
            title: "A report".to_owned(),
            report_number: Value::text("T-1"),
            revision: 1,
            language: Language::English,
            issued: None,
            laboratory: Value::Empty,
            customer: Value::Empty,
            item: Value::Empty,
            logo: None,
        }
    }
}

/// A numbered section: `1`, `2`, … in the body, `A`, `B`, … for annexes; the numbers are given where it is drawn.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Section {
    /// Unique in the document, letters, digits and hyphens: the target of links.
    pub id: String,
    /// Its heading, without a number.
    pub title: String,
    /// Annexes stand after the body.
    pub annex: bool,
    /// Its content in reading order.
    pub blocks: Vec<Block>,
}

/// One piece of a section.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "snake_case")]
pub enum Block {
    /// A heading below that of the section.
    Heading(String),
    /// Whole sentences.
    Paragraph(String),
    /// What it is, and its value.
    Facts(Vec<(String, Value)>),
    /// A table; a long one goes on over pages with its head repeated.
    Table(DataTable),
    /// A picture.
    Figure(Figure),
    /// An opinion or interpretation, marked as such.
    Opinion(String),
    /// Text to be copied, such as a command: monospaced, line by line.
    Code(String),
    /// Sentences, each with a bullet.
    List(Vec<String>),
    /// What was found, in a box.
    Verdict(VerdictBox),
}

/// The box of the first page.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct VerdictBox {
    /// Its colour; the words say the same.
    pub stands: Stands,
    /// Such as `PASS`.
    pub word: String,
    /// For a reader who reads nothing else.
    pub sentence: String,
}

/// The colour of a verdict.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stands {
    /// Nothing was found against the item.
    Good,
    /// Something was found against it.
    Bad,
    /// Neither.
    Open,
}

impl From<Verdict> for Stands {
    fn from(verdict: Verdict) -> Stands {
        match verdict {
            Verdict::Pass => Stands::Good,
            Verdict::Fail => Stands::Bad,
            Verdict::Investigate | Verdict::Inconclusive => Stands::Open,
        }
    }
}

/// A table with as many cells in every row as columns.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DataTable {
    /// What it lists: above it, and read aloud for it.
    pub caption: String,
    /// Its columns.
    pub columns: Vec<Column>,
    /// Its rows.
    pub rows: Vec<Vec<Value>>,
    /// What must be known to read it; empty where nothing.
    pub note: String,
}

/// One column of a table.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Column {
    /// Its heading, with the unit.
    pub title: String,
    /// Where its cells stand.
    pub align: Align,
    /// Its share of the width, 1 and more.
    pub width: u32,
}

/// How the text of a column is aligned.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Align {
    /// Words.
    Start,
    /// Numbers.
    End,
}

/// A value as text, or its absence.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "snake_case")]
pub enum Value {
    /// Words or a number with its unit, in the language of the document.
    Text(String),
    /// A hash, key or path: monospaced, broken anywhere.
    Hash(String),
    /// A field that only a person can fill, drawn as clearly empty.
    Empty,
}

impl Value {
    /// A text.
    pub fn text(text: impl Into<String>) -> Value {
        Value::Text(text.into())
    }

    /// A hash, key or path.
    pub fn hash(text: impl Into<String>) -> Value {
        Value::Hash(text.into())
    }

    /// A text; empty where there is none.
    pub fn text_or_empty(text: Option<&str>) -> Value {
        text.filter(|text| !text.trim().is_empty()).map_or(Value::Empty, Value::text)
    }
}

impl Block {
    /// Whole sentences.
    pub fn paragraph(text: impl Into<String>) -> Block {
        Block::Paragraph(text.into())
    }
}

impl Column {
    /// A column of words.
    pub fn words(title: impl Into<String>, width: u32) -> Column {
        Column { title: title.into(), align: Align::Start, width }
    }

    /// A column of numbers.
    pub fn numbers(title: impl Into<String>, width: u32) -> Column {
        Column { title: title.into(), align: Align::End, width }
    }
}
