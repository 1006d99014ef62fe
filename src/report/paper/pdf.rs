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
