//! The report as Markdown without pictures, for mails, tickets and build logs.

use askama::Template;

use crate::document::words::SheetWords;
use crate::document::words::Words;
use crate::report::page::{FamiliarRow, Page};
use crate::report::{ReportFormat, escape};

/// Markdown with the tables of GitHub's dialect.
pub(super) struct Markdown;

impl ReportFormat for Markdown {
    fn name(&self) -> &'static str {
        "md"
    }

    fn write(&self, page: &Page) -> String {
        let (words, own) = (page.words, &page.words.sheet);
        let template = PageTemplate { page, words, own, familiar: page.familiar() };
        template.render().expect("a String takes every text and no value can fail")
    }
}

#[derive(Template)]
#[template(path = "page.md", config = "src/report/templates/askama.toml", whitespace = "preserve")]
struct PageTemplate<'a> {
    page: &'a Page,
    words: &'static Words,
    own: &'static SheetWords,
    familiar: Vec<FamiliarRow<'a>>,
}
