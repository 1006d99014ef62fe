//! The sheet as PDF: typeset by typst from a fixed template, which reads the sheet as data.

use std::collections::BTreeMap;

use base64ct::{Base64, Encoding};
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
        // A mark that is no PNG has no picture, which typst refuses by name.
        let logo = sheet.logo.as_ref().map(|logo| Base64::decode_vec(&logo.png).unwrap_or_default());
        let logo = logo.map(|png| ("logo.png".to_owned(), Bytes::new(png)));
        let files = pictures.chain(logo).chain([("sheet.json".to_owned(), Bytes::new(json))]).collect();
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
    use std::fs;
    use std::path::Path;

    use typst::layout::{Frame, FrameItem, Point};

    use super::*;
    use crate::document::{Block, Column, DataTable, Document, Head, Section, Value};

    /// The right edge of the text of an A4 page, in points: its width less a margin of 21 mm.
    const RIGHT_MAX_PT: f64 = 595.28 - 21.0 / 25.4 * 72.0;
    /// The lowest baseline, that of the foot: the height of the page less half of its margin of 24 mm.
    const BASELINE_MAX_PT: f64 = 841.89 - 12.0 / 25.4 * 72.0;
    /// What rounding may add, in points.
    const ROUNDING_PT: f64 = 0.5;

    /// A piece of text and its place, in points.
    struct Piece {
        left: f64,
        baseline: f64,
        right: f64,
        text: String,
    }

    fn pieces(frame: &Frame, origin: Point, all: &mut Vec<Piece>) {
        for (at, item) in frame.items() {
            let at = origin + *at;
            match item {
                FrameItem::Group(group) => pieces(&group.frame, at, all),
                FrameItem::Text(text) => all.push(Piece {
                    left: at.x.to_pt(),
                    baseline: at.y.to_pt(),
                    right: (at.x + text.width()).to_pt(),
                    text: text.text.to_string(),
                }),
                _ => {}
            }
        }
    }

    /// What is beyond the margins, and what lies on another text.
    fn faults(document: &Document) -> (usize, Vec<String>) {
        let folder = Folder::new(&Sheet::new(document));
        let pages: PagedDocument = typst::compile(&folder).output.expect("it is set");
        let (mut count, mut faults) = (0, Vec::new());
        for (page, number) in pages.pages().iter().zip(1..) {
            let mut all = Vec::new();
            pieces(&page.frame, Point::zero(), &mut all);
            let beyond = all.iter().filter(|piece| {
                piece.right > RIGHT_MAX_PT + ROUNDING_PT || piece.baseline > BASELINE_MAX_PT + ROUNDING_PT
            });
            faults.extend(beyond.map(|piece| format!("page {number}: beyond the margin: {:?}", piece.text)));
            // One line is one baseline but for the last bits.
            let line = |piece: &Piece| (10.0 * piece.baseline).round();
            all.sort_by(|a, b| line(a).total_cmp(&line(b)).then(a.left.total_cmp(&b.left)));
            let on_another = all.windows(2).filter(|pair| {
                let is_one_line = (pair[0].baseline - pair[1].baseline).abs() < 0.1;
                is_one_line && pair[0].right > pair[1].left + ROUNDING_PT
            });
            faults.extend(on_another.map(|pair| {
                format!("page {number}: one on the other: {:?} and {:?}", pair[0].text, pair[1].text)
            }));
            count += all.len();
        }
        (count, faults)
    }

    /// One table of these columns, the last row of it written three times.
    fn document(columns: Vec<Column>, row: Vec<Value>) -> Document {
        let table =
            DataTable { caption: "Files".to_owned(), columns, rows: vec![row; 3], note: String::new() };
        let hash = Value::hash("c".repeat(64));
        let blocks = vec![Block::Table(table), Block::Facts(vec![("Hash".to_owned(), hash)])];
        Document {
            head: Head::of_test(),
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
    fn hashes_and_paths_break_within_narrow_columns() {
        let columns = vec![
            Column::words("Path", 3),
            Column::words("SHA-256", 5),
            Column::words("SHA-1", 3),
            Column::words("By whom", 2),
        ];
        let row = vec![
            Value::hash("src/a/long/path/of/a/file.rs"),
            Value::hash("a".repeat(64)),
            Value::hash("b".repeat(64)),
            Value::text(format!("the source audit:{} of A", "d".repeat(64))),
        ];
        let (count, faults) = faults(&document(columns, row));
        assert!(count > 20 && faults.is_empty(), "{count} pieces, {faults:#?}");
    }

    /// The check is one that can fail: a word too long for its column, of as many letters as are kept together.
    #[test]
    fn a_word_that_runs_into_the_next_column_would_be_found() {
        let columns = vec![Column::words("A", 1), Column::words("B", 1), Column::words("C", 20)];
        let row = vec![Value::text("W".repeat(20)), Value::text("W".repeat(20)), Value::text("x")];
        let (_, faults) = faults(&document(columns, row));
        assert!(faults.iter().any(|fault| fault.contains("one on the other")), "{faults:?}");
    }

    /// Dozens of pages of tables, hashes and figures.
    #[test]
    fn nothing_of_the_published_report_is_cut_off_or_lies_on_another_text() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../reports/shuffler/report.json");
        let report: Json =
            serde_json::from_slice(&fs::read(path).expect("the published report")).expect("JSON");
        let document: Document = serde_json::from_value(report["document"].clone()).expect("a document");
        let (count, faults) = faults(&document);
        assert!(count > 5_000 && faults.is_empty(), "{count} pieces, {faults:#?}");
    }
}
