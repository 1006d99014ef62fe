//! The forms in which this program writes a laboratory report.

use crate::campaign::package::Rendering;
use crate::document::Document;
use crate::report::paper;

/// The forms in which this program writes a document.
pub fn renderings() -> Vec<Rendering<'static>> {
    let html =
        Rendering { name: "report.html", write: &|whole: &Document| Ok(paper::html(whole).into_bytes()) };
    let write = &|whole: &Document| paper::pdf(whole).map_err(|error| error.to_string());
    let pdf = Rendering { name: "report.pdf", write };
    [html].into_iter().chain(paper::WRITES_PDF.then_some(pdf)).collect()
}

/// The names of their files.
pub fn page_names() -> Vec<String> {
    renderings().iter().map(|rendering| rendering.name.to_owned()).collect()
}
