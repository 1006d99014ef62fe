//! The sheet as one HTML page.

use askama::Template;

use crate::report::escape;
use crate::report::paper::sheet::{Sheet, SheetBlock, SheetValue};

pub(super) fn write(sheet: &Sheet) -> String {
    let template = PaperTemplate { sheet, foot: escape::css(&sheet.foot), css: sheet_css(sheet) };
    let text = template.render().expect("a String takes every text and no value can fail");
    text.trim_start().to_owned()
}

/// The page; `foot` and `css` are CSS strings at the foot of every printed page.
#[derive(Template)]
#[template(path = "paper.html", config = "src/report/templates/askama.toml")]
struct PaperTemplate<'a> {
    sheet: &'a Sheet,
    foot: String,
    css: PageWords,
}

struct PageWords {
    page: String,
    of: String,
}

fn sheet_css(sheet: &Sheet) -> PageWords {
    PageWords { page: escape::css(sheet.page), of: escape::css(sheet.of) }
}
