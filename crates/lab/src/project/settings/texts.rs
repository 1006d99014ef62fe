//! Texts of a project: on which line they stand, and what no page can take.

use toml::Value;

use crate::project::settings::ProjectError;
use deckproof_deck::text::is_hidden;

/// Most characters of one text.
const LETTERS_MAX: usize = 4_000;

/// Most entries of one list.
const ENTRIES_MAX: usize = 200;

/// Refuses texts with characters that are not shown or that are too long, and lists without an end.
pub(super) fn check(text: &str) -> Result<(), ProjectError> {
    let whole: toml::Table = toml::from_str(text).expect("it was read as a project before");
    check_value(text, "", &Value::Table(whole))
}

fn check_value(text: &str, key: &str, value: &Value) -> Result<(), ProjectError> {
    let wrong = |problem: String| Err(ProjectError { line: line_of_value(text, key, value), problem });
    match value {
        Value::String(own) if own.chars().count() > LETTERS_MAX => {
            wrong(format!("{key}: found {} characters, wanted at most {LETTERS_MAX}", own.chars().count()))
        }
        Value::String(own) if own.contains(|letter| is_hidden(letter) && letter != '\n') => {
            wrong(format!("{key}: found a character that is not shown, wanted plain text"))
        }
        Value::Array(list) if list.len() > ENTRIES_MAX => {
            wrong(format!("{key}: found {} entries, wanted at most {ENTRIES_MAX}", list.len()))
        }
        Value::Array(list) => list.iter().try_for_each(|value| check_value(text, key, value)),
        Value::Table(table) => table.iter().try_for_each(|(key, value)| check_value(text, key, value)),
        _ => Ok(()),
    }
}

/// The first line on which this key has this value; the first of the key where the value is spelled otherwise.
fn line_of_value(text: &str, key: &str, value: &Value) -> usize {
    let own = text.lines().enumerate().filter(|(_, line)| is_of_key(line, key));
    let says = |line: &str| {
        let table: Option<toml::Table> = toml::from_str(line.trim()).ok();
        table.is_some_and(|table| table.get(key) == Some(value))
    };
    let exact = own.clone().find(|(_, line)| says(line));
    exact.or_else(|| own.clone().next()).map_or(1, |(line, _)| line + 1)
}

fn is_of_key(line: &str, key: &str) -> bool {
    line.trim_start().strip_prefix(key).is_some_and(|rest| rest.trim_start().starts_with('='))
}

/// The line of a key in the table of this number under a heading; that of the heading where the key is absent.
pub(super) fn line_of(text: &str, heading: &str, place: usize, key: &str) -> usize {
    let is_heading = |line: &str| line.trim_start().starts_with('[') && !line.contains('=');
    let headings = text.lines().enumerate().filter(|(_, line)| line.trim() == heading);
    let start = match heading {
        "" => 0,
        _ => headings.map(|(line, _)| line).nth(place).unwrap_or(0),
    };
    let from = start + usize::from(!heading.is_empty());
    let own = text.lines().enumerate().skip(from).take_while(|(_, line)| !is_heading(line));
    own.filter(|(_, line)| is_of_key(line, key)).map(|(line, _)| line).next().unwrap_or(start) + 1
}
