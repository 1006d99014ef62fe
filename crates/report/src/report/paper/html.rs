//! The sheet as one HTML page.

use askama::Template;

use crate::report::escape;
use crate::report::paper::sheet::{Sheet, SheetBlock, SheetValue};

pub(super) fn write(sheet: &Sheet) -> String {
    let [foot, page, of] = [sheet.foot.as_str(), sheet.page, sheet.of].map(escape::css);
    let template = PaperTemplate { sheet, foot, page, of };
    let text = template.render().expect("a String takes every text and no value can fail");
    text.trim_start().to_owned()
}

/// The page; `foot`, `page` and `of` are CSS strings at the foot of every printed page.
#[derive(Template)]
#[template(path = "paper.html", config = "src/report/templates/askama.toml")]
struct PaperTemplate<'a> {
    sheet: &'a Sheet,
    foot: String,
    page: String,
    of: String,
}
