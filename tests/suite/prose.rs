//! The pages for strangers can be read: one idea a sentence, and no table cell that is a paragraph.

use std::fs;
use std::path::Path;

/// Words of a sentence.
const WORDS_MAX: usize = 40;

/// Letters of a table cell.
const CELL_MAX: usize = 200;

/// Sentences and cells of a page that are too long.
fn too_long(page: &str) -> Vec<String> {
    let (mut long, mut paragraph, mut is_code) = (Vec::new(), String::new(), false);
    for line in page.lines().chain([""]) {
        let text = line.trim_start();
        is_code ^= text.starts_with("```");
        let begins = ["- ", "#", "|", "```"].iter().any(|mark| text.starts_with(mark));
        if is_code || text.is_empty() || begins {
            long.extend(sentences(&paragraph).filter(|sentence| words(sentence) > WORDS_MAX));
            paragraph.clear();
        }
        if text.starts_with('|') && !is_code {
            let cells = text.split(" | ").map(|cell| cell.trim_matches(['|', ' ']));
            long.extend(cells.filter(|cell| cell.chars().count() > CELL_MAX).map(str::to_owned));
        } else if !is_code && !text.starts_with("```") && !text.starts_with('#') {
            paragraph.push_str(text);
            paragraph.push(' ');
        }
    }
    long
}

/// What ends with a full stop, a question or exclamation mark, or a colon, before a space.
fn sentences(paragraph: &str) -> impl Iterator<Item = String> {
    let marked =
        paragraph.replace(". ", ".\n").replace("? ", "?\n").replace("! ", "!\n").replace(": ", ":\n");
    marked.lines().map(str::to_owned).collect::<Vec<_>>().into_iter()
}

fn words(sentence: &str) -> usize {
    sentence.split_whitespace().count()
}

#[test]
fn no_page_for_strangers_has_an_endless_sentence_or_cell() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let docs = fs::read_dir(root.join("docs")).expect("the pages are there");
    let docs = docs.map(|entry| entry.expect("an entry").path());
    let tops = ["README", "ARCHITECTURE", "CHANGELOG", "CONTRIBUTING", "DESIGN", "SECURITY"];
    let tops = tops.map(|name| root.join(format!("{name}.md")));
    let pages: Vec<_> = tops.into_iter().chain(docs).collect();
    assert!(pages.len() > 20, "{} pages", pages.len());
    let faults = pages.iter().flat_map(|path| {
        let long = too_long(&fs::read_to_string(path).expect("it is text"));
        long.into_iter().map(move |text| format!("{}: {text}", path.display()))
    });
    let faults: Vec<String> = faults.collect();
    assert!(faults.is_empty(), "{} too long:\n{}", faults.len(), faults.join("\n"));
}

#[test]
fn planted_sentences_and_cells_are_found() {
    let long = "word ".repeat(WORDS_MAX + 1);
    let wide = "w".repeat(CELL_MAX + 1);
    for page in [
        format!("# A page\n\nShort. {long}.\n"),
        format!("- one\n- {long}\n- three\n"),
        format!("{}\n{}\n", &long[..100], &long[100..]),
        format!("```\ncode\n```\n{long}"),
        format!("| a | b |\n|---|---|\n| {wide} | b |\n"),
        format!("| a | b |\n|---|---|\n| a | {wide} |\n"),
    ] {
        assert_eq!(too_long(&page).len(), 1, "{page}");
    }
    let half = "word ".repeat(WORDS_MAX - 1);
    for page in [format!("```\n{long}\n```\n"), format!("{half}: {half}. {half}\n- {half}\n\n{half}")] {
        assert!(too_long(&page).is_empty(), "{page}");
    }
}
