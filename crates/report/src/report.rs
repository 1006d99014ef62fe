//! Reports: a page of plain data, written as HTML or Markdown; nothing is computed here.

pub mod days;
pub mod page;
pub mod paper;
pub mod summary;
pub mod validation;

mod charts;
mod escape;
mod evidence;
mod html;
mod markdown;

use crate::report::page::Page;

/// The joint for one more kind of report: one file in `crates/report/src/report/`, one line in [`all`].
pub trait ReportFormat: Sync {
    /// The name in arguments, which is also the extension of the file.
    fn name(&self) -> &'static str;

    /// The whole report as text. The same page always gives the same bytes.
    fn write(&self, page: &Page) -> String;
}

/// Every format.
///
/// ```
/// let names: Vec<&str> = deckproof_report::report::all().iter().map(|format| format.name()).collect();
/// assert_eq!(names, ["html", "md"]);
/// ```
pub fn all() -> &'static [&'static dyn ReportFormat] {
    &[&html::Html, &markdown::Markdown]
}
