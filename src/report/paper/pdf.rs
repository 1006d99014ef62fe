//! The sheet as PDF: typeset by typst from a fixed template, which reads the sheet as data.

use std::collections::BTreeMap;

use serde_json::Value as Json;
use typst::diag::{FileError, FileResult, SourceDiagnostic};
use typst::foundations::{Bytes, Datetime, Duration, Smart};
use typst::syntax::{FileId, Source};
use typst::text::{Font, FontBook};
use typst::utils::LazyHash;
use typst::{Library, LibraryExt, World};
use typst_layout::PagedDocument;
use typst_pdf::{PdfOptions, PdfStandard, PdfStandards};

use crate::report::charts::paint::painted;
use crate::report::paper::NoPdf;
use crate::report::paper::fonts::{self, FONTS, SERIF};
use crate::report::paper::sheet::Sheet;

/// What is typeset; it holds no word of any document.
const TEMPLATE: &str = include_str!("../templates/paper.typ");

/// Reasons of a refusal that are passed on.
const REASONS_MAX: usize = 3;

pub(super) fn write(sheet: &Sheet) -> Result<Vec<u8>, NoPdf> {
    let folder = Folder::new(sheet);
    let document: PagedDocument = typst::compile(&folder).output.map_err(|faults| refused(&faults))?;
    // ISO 19005-2 archives no file without a date. A draft has none, and none is invented for it.
    let standards: &[PdfStandard] = match sheet.date {
        Some(_) => &[PdfStandard::Ua_1, PdfStandard::A_2a],
        None => &[PdfStandard::Ua_1],
    };
    let standards =
        PdfStandards::new(standards).map_err(|fault| NoPdf::Refused(fault.message().to_string()))?;
    let options = PdfOptions {
        // Nothing of the file depends on when or where it was made.
        ident: Smart::Custom(format!("deckproof report\n{}\n{}", sheet.title, sheet.foot)),
        creator: Smart::Custom(Some(format!("deckproof {}", env!("CARGO_PKG_VERSION")))),
        timestamp: None,
        standards,
        ..PdfOptions::default()
    };
    typst_pdf::pdf(&document, &options).map_err(|faults| refused(&faults))
}

fn refused<'a>(faults: impl IntoIterator<Item = &'a SourceDiagnostic>) -> NoPdf {
    let reasons = faults.into_iter().take(REASONS_MAX).map(|fault| match fault.hints.first() {
        None => fault.message.to_string(),
        Some(hint) => format!("{} ({})", fault.message, hint.v),
    });
    NoPdf::Refused(reasons.collect::<Vec<_>>().join("; "))
}

/// The files typst may read: the template, the sheet and its pictures; no others, no clock and no network.
struct Folder {
    library: LazyHash<Library>,
    main: Source,
    files: BTreeMap<String, Bytes>,
}

impl Folder {
    fn new(sheet: &Sheet) -> Folder {
        let json = drawable(serde_json::to_value(sheet).expect("a sheet is plain data"));
        let json = serde_json::to_vec(&json).expect("a sheet is plain data");
        let pictures = sheet.pictures().map(|picture| {
            let svg = fonts::drawable(&painted(&picture.svg, SERIF));
            (format!("{}.svg", picture.id), Bytes::from_string(svg))
        });
        let files = pictures.chain([("sheet.json".to_owned(), Bytes::new(json))]).collect();
        Folder { library: LazyHash::new(Library::builder().build()), main: Source::detached(TEMPLATE), files }
    }
}

/// Every text of the sheet with letters that the fonts have.
fn drawable(json: Json) -> Json {
    match json {
        Json::String(text) => Json::String(fonts::drawable(&text)),
        Json::Array(items) => Json::Array(items.into_iter().map(drawable).collect()),
        Json::Object(fields) => {
            Json::Object(fields.into_iter().map(|(name, value)| (name, drawable(value))).collect())
        }
        other => other,
    }
}

impl World for Folder {
    fn library(&self) -> &LazyHash<Library> {
        &self.library
    }

    fn book(&self) -> &LazyHash<FontBook> {
        &FONTS.book
    }

    fn main(&self) -> FileId {
        self.main.id()
    }

    fn source(&self, id: FileId) -> FileResult<Source> {
        if id == self.main.id() { Ok(self.main.clone()) } else { Err(FileError::AccessDenied) }
    }

    fn file(&self, id: FileId) -> FileResult<Bytes> {
        let name = id.get().vpath().get_without_slash();
        self.files.get(name).cloned().ok_or(FileError::AccessDenied)
    }

    fn font(&self, index: usize) -> Option<Font> {
        FONTS.all.get(index).cloned()
    }

    fn today(&self, _offset: Option<Duration>) -> Option<Datetime> {
        None
    }
}

#[cfg(test)]
mod tests {
    use typst::layout::{Frame, FrameItem, Point};

    use super::*;
    use crate::document::words::Language;
    use crate::document::{Block, Column, DataTable, Document, Head, Section, Value};

    /// A piece of text where it stands: left, baseline, right.
    type Piece = (f64, f64, f64);

    fn pieces(frame: &Frame, origin: Point, all: &mut Vec<Piece>) {
        for (at, item) in frame.items() {
            let at = origin + *at;
            match item {
                FrameItem::Group(group) => pieces(&group.frame, at, all),
                FrameItem::Text(text) => {
                    all.push((at.x.to_pt(), at.y.to_pt(), (at.x + text.width()).to_pt()));
                }
                _ => {}
            }
        }
    }

    /// Hashes of 64 letters in narrow columns, as a list of files has them.
    fn document() -> Document {
        let hash = |letter: &str| Value::hash(letter.repeat(64));
        let columns = vec![
            Column::words("Path", 3),
            Column::words("SHA-256", 5),
            Column::words("SHA-1", 3),
            Column::words("By whom", 2),
        ];
        let row = vec![
            Value::hash("src/a/long/path/of/a/file.rs"),
            hash("a"),
            hash("b"),
            Value::text(format!("the source audit:{} of A", "d".repeat(64))),
        ];
        let table =
            DataTable { caption: "Files".to_owned(), columns, rows: vec![row; 3], note: String::new() };
        let blocks = vec![Block::Table(table), Block::Facts(vec![("Hash".to_owned(), hash("c"))])];
        Document {
            head: Head {
                title: "A report".to_owned(),
                report_number: Value::text("T-1"),
                revision: 1,
                language: Language::English,
                issued: None,
                laboratory: Value::Empty,
                customer: Value::Empty,
                item: Value::Empty,
            },
            cover: Vec::new(),
            sections: vec![Section {
                id: "files".to_owned(),
                title: "Files".to_owned(),
                annex: false,
                blocks,
            }],
        }
    }

    #[test]
    fn nothing_is_cut_off_and_no_text_lies_on_another() {
        let folder = Folder::new(&Sheet::new(&document()));
        let pages: PagedDocument = typst::compile(&folder).output.expect("it is set");
        let mut lines = 0;
        for page in pages.pages() {
            let mut all = Vec::new();
            pieces(&page.frame, Point::zero(), &mut all);
            // A4 less the margin of 21 mm.
            let right_max = 595.28 - 21.0 / 25.4 * 72.0 + 0.5;
            assert!(all.iter().all(|(_, _, right)| *right <= right_max), "{all:?}");
            all.sort_by(|a, b| a.1.total_cmp(&b.1).then(a.0.total_cmp(&b.0)));
            for pair in all.windows(2) {
                let is_one_line = (pair[0].1 - pair[1].1).abs() < 0.1;
                assert!(!is_one_line || pair[0].2 <= pair[1].0 + 0.5, "{pair:?}");
            }
            lines += all.len();
        }
        assert!(lines > 20, "{lines} pieces of text");
    }
}
