//! The one page of a case: what each file is, what was shown, what was not.

use askama::Template;
use serde_json::Value;

use crate::verification::case::{CaseFiles, FOLDERS, HISTORY, JudgedBundle, closed, named};
use deckproof_deck::text::decimal;
use deckproof_deck::text::wrap::{COLUMNS, to_columns};

/// `README.txt`, as it follows from the files of a case.
pub(super) fn readme(files: &CaseFiles, case: &Value, judged: &[JudgedBundle], is_signed: bool) -> String {
    let has_full = judged.iter().any(|bundle| bundle.name.ends_with("full-reveal.json"));
    let entries = case["entries"].as_array().map_or(0, Vec::len);
    let template = ReadmeTemplate {
        files,
        case,
        judged,
        is_signed,
        has_full,
        entries,
        receipts: named(files, FOLDERS[2]).count(),
    };
    let text = template.render().expect("a String takes every text and no value can fail");
    to_columns(&text, COLUMNS)
}

#[derive(Template)]
#[template(path = "case.txt", config = "src/askama.toml")]
struct ReadmeTemplate<'a> {
    files: &'a CaseFiles,
    case: &'a Value,
    judged: &'a [JudgedBundle],
    is_signed: bool,
    has_full: bool,
    entries: usize,
    receipts: usize,
}

fn word<'a>(case: &'a Value, key: &str) -> &'a str {
    case[key].as_str().unwrap_or_default()
}
