//! A laboratory report read from its data, alone or in the `report.json` of a package, and set again.

use deckproof_deck::json::{self, Limits};
use deckproof_deck::text::could_not_say::CouldNotSay;
use deckproof_lab::project::package::PackageReport;
use deckproof_report::document::Document;
use deckproof_report::report::paper::{self, NoPdf};

/// A document holds figures, not decks: a body of forty pages has a tenth of it.
const LIMITS: Limits = Limits { bytes_max: 16 << 20, members_max: 64 };

/// What to do where this build writes no PDF.
const HOW_PDF: &str = "Build with --features pdf (Rust 1.92 or later), or write HTML and print it from a browser: its pages \
                       carry the report number and page x of y.";

/// The key of the outermost object that no certificate has.
const SECTIONS: &str = "sections";

/// The key under which the `report.json` of a package holds its document.
const DOCUMENT: &str = "document";

/// Whether the bytes are those of a document, as far as their outermost keys tell; of broken ones, whether they hold such
/// a key at all, so that the fault is worded as that of a document.
pub fn is_document(bytes: &[u8]) -> bool {
    let quoted = format!("\"{SECTIONS}\"");
    match json::outermost_keys(bytes, LIMITS) {
        Ok(keys) => keys.iter().any(|key| key == SECTIONS || key == DOCUMENT),
        Err(_) => bytes.windows(quoted.len()).any(|window| window == quoted.as_bytes()),
    }
}

/// The document, alone or in the `report.json` of a package; every field is known and is there once.
pub fn read(name: &str, bytes: &[u8]) -> Result<Document, CouldNotSay> {
    let parse = |keys: Vec<String>| {
        if keys.iter().any(|key| key == DOCUMENT) {
            serde_json::from_slice(bytes).map(|own: PackageReport| own.document)
        } else {
            serde_json::from_slice(bytes)
        }
    };
    json::outermost_keys(bytes, LIMITS)
        .map_err(|error| error.to_string())
        .and_then(|keys| parse(keys).map_err(|error| error.to_string()))
        .map_err(|error| CouldNotSay::new(format!("{name}: the document cannot be read: {error}"), ""))
}

/// The document as PDF.
///
/// # Errors
/// [`CouldNotSay`]: this build writes none, or it cannot be set.
pub fn pdf(document: &Document) -> Result<Vec<u8>, CouldNotSay> {
    paper::pdf(document).map_err(|error| {
        let advice = if error == NoPdf::NotBuilt { HOW_PDF } else { "" };
        CouldNotSay::new(error, advice)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_document_is_distinguished_from_a_certificate_by_its_keys() {
        assert!(is_document(br#"{"sections": []}"#) && is_document(br#"{"document": {}}"#));
        assert!(!is_document(br#"{"plan": {"sections": []}}"#));
        // A broken one is read as a document, so that the fault is worded as that of one.
        assert!(is_document(br#"{"sections": ["#) && !is_document(br#"{"plan": "#));
        let error = read("report.json", br#"{"sections": []}"#).expect_err("fields are missing").to_string();
        assert!(error.starts_with("report.json: the document cannot be read: "), "{error}");
        let twice = br#"{"sections": [], "sections": []}"#;
        assert!(read("report.json", twice).is_err());
    }
}
