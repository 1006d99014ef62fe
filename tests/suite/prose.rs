//! The pages for strangers can be read: one idea a sentence, no table cell that is a paragraph, and plain words, which the program uses too.

use std::fs;
use std::path::Path;

use crate::common::folder;

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

/// Words that a newcomer has to decode: name who says what, and where something is.
const UNPLAIN: [&str; 6] = ["asked", "said", "stands", "told", "whoever", "wished"];

/// The words of these that a text has, outside of what is put into it between braces.
fn unplain(text: &str) -> Vec<&'static str> {
    let outside: String =
        text.split('{').enumerate().map(|(at, part)| if at == 0 { part } else { after(part) }).collect();
    let own: Vec<&str> = outside.split(|letter: char| !letter.is_alphabetic()).collect();
    UNPLAIN.into_iter().filter(|word| own.iter().any(|own| own.eq_ignore_ascii_case(word))).collect()
}

fn after(part: &str) -> &str {
    part.split_once('}').map_or("", |(_, after)| after)
}

/// The texts between quotation marks of a program, without its comments and its tests.
fn literals(code: &str) -> Vec<String> {
    let (code, _) = code.split_once("#[cfg(test)]\nmod tests {").unwrap_or((code, ""));
    let (mut found, mut rest) = (Vec::new(), code);
    while let Some(at) = rest.find(['"', '\'', '/']) {
        let (mark, own) = rest[at..].split_at(1);
        let is_letter = |count: usize| own.get(count..=count) == Some("'");
        rest = match mark {
            "/" if own.starts_with('/') => own.split_once('\n').map_or("", |(_, next)| next),
            "'" if own.starts_with('\\') && is_letter(2) => &own[2..],
            "'" if is_letter(1) => &own[1..],
            "\"" => {
                let mut is_escaped = false;
                let end = own.find(|letter| {
                    let is_end = letter == '"' && !is_escaped;
                    is_escaped = letter == '\\' && !is_escaped;
                    is_end
                });
                let end = end.unwrap_or(own.len());
                found.push(own[..end].to_owned());
                own.get(end + 1..).unwrap_or("")
            }
            _ => own,
        };
    }
    found
}

/// What users read has no word that style.md bans: the pages, the words of reports, and the texts of the program.
#[test]
fn what_users_read_is_in_plain_words() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folders = ["src", "crates", "docs"].map(|folder| folder::files(&root.join(folder)));
    let files = [vec![root.join("README.md")], folders.concat()].concat();
    let (mut faults, mut texts) = (Vec::new(), 0);
    for path in files {
        let name = path.strip_prefix(root).expect("a path in it").to_string_lossy().into_owned();
        let text = || fs::read_to_string(&path).expect("it is text");
        // What rooms print is theirs.
        let is_program = name.ends_with(".rs")
            && name.split('/').any(|part| part == "src")
            && !name.contains("tests")
            && !name.contains("history/pokerstars");
        let own: Vec<String> = match () {
            () if name.ends_with(".md") && !name.starts_with("crates/") => {
                text().lines().map(str::to_owned).collect()
            }
            () if name.ends_with("words/en.toml") => {
                text().lines().filter_map(|line| Some(line.split_once(" = \"")?.1.to_owned())).collect()
            }
            () if is_program => literals(&text()),
            () => Vec::new(),
        };
        texts += own.len();
        let unplain = own.iter().flat_map(|text| unplain(text).into_iter().map(move |word| (word, text)));
        faults.extend(unplain.map(|(word, text)| format!("{name}: {word}: {text}")));
    }
    assert!(texts > 10_000, "{texts} texts");
    assert!(faults.is_empty(), "{}:\n{}", faults.len(), faults.join("\n"));
}

#[test]
fn planted_words_are_found() {
    let code = "// told\nlet a = '\"'; // said\nlet b = \"who\\\"ever stands\"; f(b'\\'', \"{said} is {0}\");\n#[cfg(test)]\nmod tests { \"told\" }";
    let found = literals(code);
    assert_eq!(found, ["who\\\"ever stands", "{said} is {0}"]);
    assert_eq!((unplain(&found[0]), unplain(&found[1])), (vec!["stands"], vec![]));
    assert_eq!(unplain("Whoever {a} TOLD {b} it"), ["told", "whoever"]);
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
