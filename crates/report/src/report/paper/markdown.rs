//! The sheet as Markdown that Pandoc reads without a warning, with its front matter; for word processors.

use crate::document::words::Words;
use crate::report::escape;
use crate::report::paper::sheet::{Sheet, SheetBlock, SheetColumn, SheetFact, SheetValue};

/// Dashes under the head of a table; Pandoc shares its width among columns by them.
const DASHES: u32 = 120;

pub(super) fn write(sheet: &Sheet, words: &Words) -> String {
    let mut lines = vec![
        "---".to_owned(),
        format!("title: {}", yaml(&sheet.title)),
        format!("subtitle: {}", yaml(&sheet.foot)),
    ];
    lines.extend(sheet.date.map(|(year, month, day)| format!("date: \"{year:04}-{month:02}-{day:02}\"")));
    lines.extend([format!("lang: {}", sheet.language), "---".to_owned(), String::new()]);
    lines.extend(facts(&sheet.facts, sheet.empty));
    lines.extend(sheet.cover.iter().flat_map(|block| set(block, sheet, words)));
    for section in &sheet.sections {
        lines.push(format!("# {} {} {{#{}}}", section.number, text(&section.title), section.id));
        lines.push(String::new());
        lines.extend(section.blocks.iter().flat_map(|block| set(block, sheet, words)));
    }
    lines.push(format!("**{}**", text(sheet.end)));
    lines.join("\n") + "\n"
}

/// The lines of a block, with an empty one behind.
fn set(block: &SheetBlock, sheet: &Sheet, words: &Words) -> Vec<String> {
    let mut lines = match block {
        SheetBlock::Heading { text: own } => vec![format!("## {}", text(own))],
        SheetBlock::Paragraph { text: own } => vec![text(own)],
        SheetBlock::Facts { facts: own } => return facts(own, sheet.empty),
        SheetBlock::Opinion { text: own } => vec![format!("> **{}.** {}", text(sheet.opinion), text(own))],
        // Four blanks: nothing in it can end the block.
        SheetBlock::Code { text: own } => own.lines().map(|line| format!("    {line}")).collect(),
        SheetBlock::List { texts } => texts.iter().map(|own| format!("- {}", text(own))).collect(),
        SheetBlock::Verdict { word, sentence, .. } => {
            vec![format!("**{} – {}**", text(sheet.verdict), text(word)), String::new(), text(sentence)]
        }
        SheetBlock::Table { number, caption, columns, rows, note } => {
            return table(&format!("{number}. {caption}"), columns, rows, note, sheet.empty);
        }
        SheetBlock::Figures { pictures } => {
            let line = |own: &super::sheet::SheetPicture| {
                let (number, title, caption) = (text(&own.number), text(&own.title), text(&own.caption));
                format!("- *{number}.* {title}. {caption} {}", text(words.frame.picture_elsewhere))
            };
            pictures.iter().map(line).collect()
        }
    };
    lines.push(String::new());
    lines
}

fn facts(facts: &[SheetFact], empty: &str) -> Vec<String> {
    let line = |fact: &SheetFact| format!("- **{}** {}", text(&fact.label), value(&fact.value, empty));
    facts.iter().map(line).chain([String::new()]).collect()
}

fn table(
    caption: &str,
    columns: &[SheetColumn],
    rows: &[Vec<SheetValue>],
    note: &str,
    empty: &str,
) -> Vec<String> {
    let row = |cells: Vec<String>| format!("| {} |", cells.join(" | "));
    let rule = columns.iter().map(|column| {
        let dashes = "-".repeat((column.percent * DASHES / 100).max(3) as usize);
        if column.align == "end" { format!("{dashes}:") } else { format!(":{dashes}") }
    });
    let mut lines = vec![
        row(columns.iter().map(|column| text(&column.title)).collect()),
        format!("|{}|", rule.collect::<Vec<_>>().join("|")),
    ];
    lines.extend(rows.iter().map(|own| row(own.iter().map(|cell| value(cell, empty)).collect())));
    lines.extend([String::new(), format!(": {}", text(caption)), String::new()]);
    if !note.is_empty() {
        lines.extend([text(note), String::new()]);
    }
    lines
}

fn value(value: &SheetValue, empty: &str) -> String {
    match value {
        SheetValue::Text(own) => text(own),
        SheetValue::Hash(own) => text(own),
        SheetValue::Empty => format!("*\\[{}\\]*", text(empty)),
    }
}

/// A text in which nothing is markup: what Pandoc takes for some beside the usual signs is escaped too.
fn text(own: &str) -> String {
    let mut out = String::with_capacity(own.len());
    let mut before = ' ';
    for (place, letter) in escape::markdown(own).char_indices() {
        // Pandoc makes a dash of several hyphens and an ellipsis of several stops.
        let is_joined = "-.".contains(letter) && letter == before;
        before = letter;
        let is_markup = is_joined
            || "^$@'\"{}".contains(letter)
            || letter == '>'
            || (place == 0 && "-+:(".contains(letter));
        if is_markup {
            out.push('\\');
        }
        out.push(letter);
    }
    // A number at the beginning of a line begins a list.
    let digits = out.bytes().take_while(u8::is_ascii_digit).count();
    if digits > 0 && out[digits..].starts_with(['.', ')']) {
        out.insert(digits, '\\');
    }
    out
}

/// A string of YAML, of which those of JSON are a part.
fn yaml(own: &str) -> String {
    serde_json::to_string(own).expect("a text")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_in_a_text_is_markup() {
        assert_eq!(text("a^2^ costs $5$ @x <b> |"), "a\\^2\\^ costs \\$5\\$ \\@x &lt;b\\> \\|");
        assert_eq!(text("a --- b ... c"), "a -\\-\\- b .\\.\\. c");
        assert_eq!(text("- no list"), "\\- no list");
        assert_eq!(text("1. no list"), "1\\. no list");
        assert_eq!(text("(a) no list, 3.5"), "\\(a) no list, 3.5");
        assert_eq!(yaml("a: \"b\"\n---"), "\"a: \\\"b\\\"\\n---\"");
    }
}
