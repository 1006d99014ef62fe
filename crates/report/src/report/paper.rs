//! A laboratory report on paper: the same sheet as HTML that prints well, and as PDF.

mod html;
mod markdown;
mod sheet;

#[cfg(feature = "pdf")]
mod fonts;
#[cfg(feature = "pdf")]
mod pdf;

use thiserror::Error;

use crate::document::Document;
use crate::report::paper::sheet::Sheet;

/// Whether this build writes PDF.
pub const WRITES_PDF: bool = cfg!(feature = "pdf");

/// Why there is no PDF.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum NoPdf {
    /// The feature is not in this build.
    #[error("this build does not write PDF (feature pdf)")]
    NotBuilt,
    /// What typesets it refused the document.
    #[error("the document cannot be typeset: {0}")]
    Refused(String),
}

/// The report as one HTML page without scripts, which loads nothing. The same document always gives the same bytes.
pub fn html(document: &Document) -> String {
    html::write(&Sheet::new(document))
}

/// The report as Markdown with the front matter of Pandoc, for word processors; pictures stand in it by their captions.
pub fn markdown(document: &Document) -> String {
    markdown::write(&Sheet::new(document), document.head.language.words())
}

/// The report as PDF: PDF/UA-1, and with a date of issue PDF/A-2a too, which archives no draft. The same document always gives the same bytes.
///
/// # Errors
/// [`NoPdf`]: a build without the feature `pdf`, or a document that breaks a rule of these standards.
pub fn pdf(document: &Document) -> Result<Vec<u8>, NoPdf> {
    #[cfg(feature = "pdf")]
    return pdf::write(&Sheet::new(document));
    #[cfg(not(feature = "pdf"))]
    return Err(not_built(document));
}

#[cfg(not(feature = "pdf"))]
fn not_built(_document: &Document) -> NoPdf {
    NoPdf::NotBuilt
}
