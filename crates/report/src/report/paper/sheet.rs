//! A document ready to be set: numbered, its frame in words, its figures drawn.

use serde::Serialize;

use crate::document::words::Words;
use crate::document::{Align, Block, DataTable, Document, Head, Section, Stands, Value, VerdictBox};
use crate::report::charts::{self, Picture};
use crate::report::escape;

/// The document. Its texts hold nothing that hides or reorders what is around it.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Sheet {
    pub(super) language: &'static str,
    pub(super) title: String,
    /// Year, month and day of issue.
    pub(super) date: Option<(u16, u8, u8)>,
    /// `Report number LAB-7, revision 1`, on every page.
    pub(super) foot: String,
    pub(super) page: &'static str,
    pub(super) of: &'static str,
    pub(super) contents: &'static str,
    pub(super) end: &'static str,
    pub(super) empty: &'static str,
    pub(super) verdict: &'static str,
    pub(super) opinion: &'static str,
    pub(super) logo: Option<SheetLogo>,
    /// What names the report, on the first page.
    pub(super) facts: Vec<SheetFact>,
    pub(super) cover: Vec<SheetBlock>,
    pub(super) sections: Vec<SheetSection>,
}

/// The mark of the laboratory.
#[derive(Clone, Debug, Serialize)]
pub(super) struct SheetLogo {
    /// A PNG in base64.
    pub(super) png: String,
    /// Whose it is, for who does not see it.
    pub(super) alt: String,
}

/// A numbered section.
#[derive(Clone, Debug, Serialize)]
pub(super) struct SheetSection {
    pub(super) id: String,
    /// `3` or `Annex B`.
    pub(super) number: String,
    pub(super) title: String,
    pub(super) annex: bool,
    pub(super) blocks: Vec<SheetBlock>,
}

/// One line of facts.
#[derive(Clone, Debug, Serialize)]
pub(super) struct SheetFact {
    pub(super) label: String,
    pub(super) value: SheetValue,
}

/// A value.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "kind", content = "text", rename_all = "snake_case")]
pub(super) enum SheetValue {
    Text(String),
    Hash(String),
    Empty,
}

/// One piece.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub(super) enum SheetBlock {
    Heading {
        text: String,
    },
    Paragraph {
        text: String,
    },
    Facts {
        facts: Vec<SheetFact>,
    },
    Table {
        number: String,
        caption: String,
        columns: Vec<SheetColumn>,
        rows: Vec<Vec<SheetValue>>,
        note: String,
    },
    Figures {
        pictures: Vec<SheetPicture>,
    },
    Opinion {
        text: String,
    },
    Code {
        text: String,
    },
    List {
        texts: Vec<String>,
    },
    Verdict {
        stands: &'static str,
        word: String,
        sentence: String,
    },
}

/// A column.
#[derive(Clone, Debug, Serialize)]
pub(super) struct SheetColumn {
    pub(super) title: String,
    /// `start` or `end`.
    pub(super) align: &'static str,
    pub(super) width: u32,
    /// Its share of all widths.
    pub(super) percent: u32,
}

/// A picture, numbered.
#[derive(Clone, Debug, Serialize)]
pub(super) struct SheetPicture {
    pub(super) id: String,
    pub(super) number: String,
    pub(super) title: String,
    pub(super) caption: String,
    /// `wide` or `half`.
    pub(super) kind: &'static str,
    /// With classes, for a page with a style sheet.
    #[serde(skip)]
    pub(super) svg: String,
}

/// Numbers given so far.
#[derive(Default)]
struct Numbers {
    tables: u32,
    figures: u32,
}

impl Sheet {
    pub(super) fn new(document: &Document) -> Sheet {
        let words = document.head.language.words();
        let frame = &words.frame;
        let mut numbers = Numbers::default();
        let cover = blocks(&document.cover, &mut numbers, words);
        let sections = sections(&document.sections, &mut numbers, words);
        Sheet {
            language: document.head.language.code(),
            title: shown(&document.head.title),
            date: document.head.issued.map(|day| (day.year(), day.month(), day.day())),
            foot: foot(&document.head, words),
            page: frame.page,
            of: frame.of,
            contents: frame.contents,
            end: frame.end_of_report,
            empty: frame.empty,
            verdict: frame.verdict,
            opinion: frame.opinion,
            logo: document.head.logo.as_ref().map(|png| logo(png, &document.head, words)),
            facts: head(&document.head, words),
            cover,
            sections,
        }
    }

    #[cfg(feature = "pdf")]
    /// The pictures in reading order.
    pub(super) fn pictures(&self) -> impl Iterator<Item = &SheetPicture> {
        let blocks = self.cover.iter().chain(self.sections.iter().flat_map(|section| &section.blocks));
        blocks.flat_map(|block| match block {
            SheetBlock::Figures { pictures } => pictures.as_slice(),
            _ => &[],
        })
    }
}

fn shown(text: &str) -> String {
    text.chars().map(escape::shown).collect()
}

/// Of a number that is not yet given, the field stays visibly empty.
fn foot(head: &Head, words: &Words) -> String {
    let number = match &head.report_number {
        Value::Text(text) | Value::Hash(text) => shown(text),
        Value::Empty => format!("[{}]", words.frame.empty),
    };
    format!("{} {number}, {}", words.frame.report_number, words.frame.revision(head.revision.into()))
}

fn logo(png: &str, head: &Head, words: &Words) -> SheetLogo {
    let alt = match &head.laboratory {
        Value::Text(name) | Value::Hash(name) => shown(name),
        Value::Empty => words.frame.laboratory.to_owned(),
    };
    SheetLogo { png: png.to_owned(), alt }
}

fn head(head: &Head, words: &Words) -> Vec<SheetFact> {
    let frame = &words.frame;
    let issued = head.issued.map_or(Value::Empty, |day| Value::text(words.date(day)));
    let rows = [
        (frame.report_number, head.report_number.clone()),
        (frame.revision_label, Value::text(words.number(u64::from(head.revision)))),
        (frame.issued, issued),
        (frame.laboratory, head.laboratory.clone()),
        (frame.customer, head.customer.clone()),
        (frame.item, head.item.clone()),
    ];
    rows.into_iter().map(|(label, value)| fact(label, &value)).collect()
}

fn sections(sections: &[Section], numbers: &mut Numbers, words: &Words) -> Vec<SheetSection> {
    let (mut body, mut annexes) = (0, 0);
    let mut number = |annex: bool| {
        let count = if annex { &mut annexes } else { &mut body };
        *count += 1;
        if annex { words.frame.annex(&letters(*count)) } else { count.to_string() }
    };
    let section = |section: &Section| SheetSection {
        id: id(&section.id),
        number: number(section.annex),
        title: shown(&section.title),
        annex: section.annex,
        blocks: blocks(&section.blocks, numbers, words),
    };
    sections.iter().map(section).collect()
}

/// `A` to `Z`, then `AA`, `AB`, …
fn letters(count: u32) -> String {
    let letter = |at: u32| char::from(b'A' + (at % 26) as u8);
    match count - 1 {
        at if at < 26 => letter(at).to_string(),
        at => format!("{}{}", letters(at / 26), letter(at)),
    }
}

/// Letters, digits and hyphens: what links and file names can hold.
fn id(text: &str) -> String {
    text.chars().map(|letter| if letter.is_ascii_alphanumeric() { letter } else { '-' }).collect()
}

fn blocks(blocks: &[Block], numbers: &mut Numbers, words: &Words) -> Vec<SheetBlock> {
    let mut set: Vec<SheetBlock> = Vec::new();
    for block in blocks.iter().filter_map(|block| sheet_block(block, numbers, words)) {
        match (set.last_mut(), block) {
            // Narrow pictures that follow each other stand side by side.
            (Some(SheetBlock::Figures { pictures }), SheetBlock::Figures { pictures: more }) => {
                pictures.extend(more)
            }
            (_, block) => set.push(block),
        }
    }
    set
}

fn sheet_block(block: &Block, numbers: &mut Numbers, words: &Words) -> Option<SheetBlock> {
    Some(match block {
        Block::Heading(text) => SheetBlock::Heading { text: shown(text) },
        Block::Paragraph(text) => SheetBlock::Paragraph { text: shown(text) },
        Block::Opinion(text) => SheetBlock::Opinion { text: shown(text) },
        Block::Code(text) => SheetBlock::Code { text: shown(text) },
        Block::List(texts) => SheetBlock::List { texts: texts.iter().map(|text| shown(text)).collect() },
        Block::Facts(facts) => {
            SheetBlock::Facts { facts: facts.iter().map(|(label, value)| fact(label, value)).collect() }
        }
        Block::Verdict(VerdictBox { stands, word, sentence }) => SheetBlock::Verdict {
            stands: match stands {
                Stands::Good => "good",
                Stands::Bad => "bad",
                Stands::Open => "open",
            },
            word: shown(word),
            sentence: shown(sentence),
        },
        Block::Table(table) => sheet_table(table, numbers, words),
        Block::Figure(figure) => {
            let pictures = charts::of_figure(figure, words.language.words());
            let pictures: Vec<SheetPicture> =
                pictures.into_iter().map(|picture| sheet_picture(picture, numbers, words)).collect();
            return (!pictures.is_empty()).then_some(SheetBlock::Figures { pictures });
        }
    })
}

fn sheet_table(table: &DataTable, numbers: &mut Numbers, words: &Words) -> SheetBlock {
    numbers.tables += 1;
    let all: u32 = table.columns.iter().map(|column| column.width.max(1)).sum();
    let columns = table.columns.iter().map(|column| SheetColumn {
        title: shown(&column.title),
        align: if column.align == Align::End { "end" } else { "start" },
        width: column.width.max(1),
        percent: column.width.max(1) * 100 / all.max(1),
    });
    // A row with too few cells would shift all that follow; with too many, push them off.
    let row = |row: &Vec<Value>| {
        let cells = row.iter().map(value).chain(std::iter::repeat(SheetValue::Text(String::new())));
        cells.take(table.columns.len()).collect()
    };
    SheetBlock::Table {
        number: words.frame.table(numbers.tables.into()),
        caption: shown(&table.caption),
        columns: columns.collect(),
        rows: table.rows.iter().map(row).collect(),
        note: shown(&table.note),
    }
}

fn sheet_picture(picture: Picture, numbers: &mut Numbers, words: &Words) -> SheetPicture {
    numbers.figures += 1;
    SheetPicture {
        id: id(&picture.id),
        number: words.frame.figure(numbers.figures.into()),
        title: shown(&picture.title),
        caption: shown(&picture.caption),
        kind: picture.kind,
        svg: picture.svg,
    }
}

fn fact(label: &str, content: &Value) -> SheetFact {
    SheetFact { label: shown(label), value: value(content) }
}

fn value(value: &Value) -> SheetValue {
    match value {
        Value::Text(text) => SheetValue::Text(shown(text)),
        Value::Hash(text) => SheetValue::Hash(shown(text)),
        Value::Empty => SheetValue::Empty,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn annexes_are_lettered_without_end() {
        let found: Vec<String> = [1, 2, 26, 27, 52, 53, 702, 703].into_iter().map(letters).collect();
        assert_eq!(found, ["A", "B", "Z", "AA", "AZ", "BA", "ZZ", "AAA"]);
    }
}
