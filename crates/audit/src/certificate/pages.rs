//! A certificate as text that a person can begin to read: one short record a line, the order of the fields kept, and
//! little white space, for it goes by mail.

/// Letters of a list or an object that is on one line.
const LINE_LETTERS: usize = 240;

/// Letters of an entry of a list or an object of which several share a line.
const ENTRY_LETTERS: usize = 60;

/// Compact JSON with line breaks: what fits a line stays on it, anything longer has one entry on each line, a
/// space deeper, or as many as fit if all are plain and short; the fields of a record in a list follow one another. No
/// byte of a string changes.
pub(crate) fn laid_out(compact: &str) -> String {
    let mut text = String::with_capacity(compact.len() + compact.len() / 16);
    value(compact, 0, &mut text);
    text
}

/// Writes the value that `json` is.
fn value(json: &str, depth: usize, text: &mut String) {
    let is_short = json.len() <= LINE_LETTERS && depth > 0;
    if is_short || !json.starts_with(['{', '[']) {
        text.push_str(json);
        return;
    }
    let (open, close) = (&json[..1], &json[json.len() - 1..]);
    text.push_str(open);
    let entries = entries(&json[1..json.len() - 1]);
    let are_plain = entries.iter().all(|entry| entry.len() <= ENTRY_LETTERS && !entry.contains(['{', '[']));
    let mut line = 0;
    for (place, entry) in entries.into_iter().enumerate() {
        text.push_str(if place == 0 { "" } else { "," });
        if are_plain && place > 0 && line + entry.len() < LINE_LETTERS {
            text.push_str(entry);
            line += entry.len() + 1;
            continue;
        }
        line = entry.len();
        text.push('\n');
        text.extend(std::iter::repeat_n(' ', depth + 1));
        let key = if open == "{" { key_end(entry) } else { 0 };
        text.push_str(&entry[..key]);
        if open == "[" && entry.starts_with('{') {
            record(entry, depth + 1, text)
        } else {
            value(&entry[key..], depth + 1, text)
        }
    }
    text.push('\n');
    text.extend(std::iter::repeat_n(' ', depth));
    text.push_str(close);
}

/// Writes an object of a list: no field begins a line, so that a long one costs it alone.
fn record(json: &str, depth: usize, text: &mut String) {
    text.push('{');
    for (place, entry) in entries(&json[1..json.len() - 1]).into_iter().enumerate() {
        text.push_str(if place == 0 { "" } else { "," });
        let key = key_end(entry);
        text.push_str(&entry[..key]);
        value(&entry[key..], depth, text);
    }
    text.push('}');
}

/// The entries of a list or an object, cut at the commas that are in no string and no bracket.
fn entries(inner: &str) -> Vec<&str> {
    let (mut found, mut first, mut depth) = (Vec::new(), 0, 0usize);
    let mut letters = inner.bytes().enumerate();
    while let Some((at, letter)) = letters.next() {
        match letter {
            b'"' => skip_string(&mut letters),
            b'{' | b'[' => depth += 1,
            b'}' | b']' => depth -= 1,
            b',' if depth == 0 => {
                found.push(&inner[first..at]);
                first = at + 1;
            }
            _ => {}
        }
    }
    if !inner.is_empty() {
        found.push(&inner[first..]);
    }
    found
}

/// Passes the rest of a string whose first quotation mark is behind.
fn skip_string(letters: &mut impl Iterator<Item = (usize, u8)>) {
    while let Some((_, letter)) = letters.next() {
        match letter {
            b'\\' => drop(letters.next()),
            b'"' => return,
            _ => {}
        }
    }
}

/// Where the value of an object's entry begins: after its key and the colon.
fn key_end(entry: &str) -> usize {
    let mut letters = entry.bytes().enumerate();
    letters.next();
    skip_string(&mut letters);
    letters.next().map_or(0, |(colon, _)| colon + 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    #[test]
    fn nothing_but_white_space_is_added() {
        let hostile = json!({
            "a,\"{": ["]", "\\", "\\\"", ",", {"x": [1, [], {}, "y".repeat(300)]}],
            "b": "long ".repeat(100), "c": 1.5e-7, "d": null, "e": [], "ü": "…",
        });
        let compact = hostile.to_string();
        let text = laid_out(&compact);
        assert_eq!(serde_json::from_str::<Value>(&text).expect("still JSON"), hostile);
        assert_eq!(serde_json::from_str::<Value>(&text).expect("still JSON").to_string(), compact);
        assert!(text.lines().count() > 8, "{text}");
    }

    #[test]
    fn plain_entries_share_lines() {
        let numbers: serde_json::Map<String, Value> =
            (0..90).map(|n| (format!("family-{n}"), json!(n))).collect();
        let text = laid_out(&json!({"families": numbers, "k": ["x".repeat(70)]}).to_string());
        assert!(text.contains("\n \"families\":{\n  \"family-0\":0,\"family-1\":1,"), "{text}");
        assert!((9..16).contains(&text.lines().count()), "{text}");
        assert!(text.lines().all(|line| line.len() < 260), "{text}");
        let read: Value = serde_json::from_str(&text).expect("still JSON");
        assert_eq!(read["families"]["family-89"], 89);
    }

    #[test]
    fn fields_of_a_record_follow_one_another() {
        let parts = vec![json!(["total", "χ²(2601)", 2668.3, 0.350114]); 8];
        let record = json!({"id": "deck.card-place", "decks": 1_000, "parts": parts, "counts": "4:00".repeat(90), "last": {}});
        let text = laid_out(&json!({"statistics": [record, {"id": "short"}]}).to_string());
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[..2], ["{", " \"statistics\":["]);
        assert_eq!(lines[2], "  {\"id\":\"deck.card-place\",\"decks\":1000,\"parts\":[");
        assert_eq!(lines[3..10], [r#"   ["total","χ²(2601)",2668.3,0.350114],"#; 7]);
        assert_eq!(lines[10], r#"   ["total","χ²(2601)",2668.3,0.350114]"#);
        assert!(
            lines[11].starts_with("  ],\"counts\":\"4:00") && lines[11].ends_with("\",\"last\":{}},"),
            "{text}"
        );
        assert_eq!(lines[12..], ["  {\"id\":\"short\"}", " ]", "}"]);
    }

    #[test]
    fn short_records_stay_on_a_line() {
        let text =
            laid_out(&json!({"verdict": "pass", "rows": vec![json!({"a": 1, "b": [1, 2]}); 40]}).to_string());
        assert!(
            text.starts_with("{\n \"verdict\":\"pass\",\n \"rows\":[\n  {\"a\":1,\"b\":[1,2]},\n"),
            "{text}"
        );
        assert!(text.ends_with("\n  {\"a\":1,\"b\":[1,2]}\n ]\n}"), "{text}");
    }
}
