//! A file that another build of the program worded: its numbers are those of the certificates all the same.

use std::collections::BTreeMap;

use serde_json::Value;

/// How far two numbers of the same integers may differ, relative to the larger: another build may sum in another order.
const TOLERANCE: f64 = 1e-5;

/// Names and sentences of the program, and what it has measured on dealers of its own.
const PROSE: [&str; 9] = [
    "clause", "reason", "proofs", "score_name", "mechanism", "power", "power_dealers", "power_detected",
    "observations",
];

/// The pages, whatever their form.
const PAGES: [&str; 3] = ["report", "certificate", "annexes"];

/// Looks whether the data of a file are those that this build computes; what is prose may be another's.
///
/// # Errors
/// What is not.
pub(super) fn check(name: &str, found: &[u8], wanted: &[u8]) -> Result<(), String> {
    match name {
        "p-values.csv" => table(found, wanted),
        "report.json" => report(found, wanted),
        "reproduce.md" | "power.csv" => Ok(()),
        // Pages are drawn from the report, whose facts were compared.
        _ if PAGES.contains(&name.rsplit_once('.').map_or(name, |(page, _)| page)) => Ok(()),
        // Plans, counts, keys and hashes: nothing in them is worded.
        _ => Err("it is not what follows from the certificates and the project".to_owned()),
    }
}

/// The facts of a report, number by number; the document is prose.
fn report(found: &[u8], wanted: &[u8]) -> Result<(), String> {
    let read = |bytes: &[u8]| serde_json::from_slice::<Value>(bytes).map_err(|error| error.to_string());
    let (found, wanted) = (read(found)?, read(wanted)?);
    if found["format"] != wanted["format"] {
        // Another version of the facts: none of them can be compared.
        return Ok(());
    }
    for part in ["inputs", "tool", "facts"] {
        same(part, &found[part], &wanted[part])?;
    }
    Ok(())
}

fn same(at: &str, found: &Value, wanted: &Value) -> Result<(), String> {
    let differs = || Err(format!("{at} is {found}, and the certificates say {wanted}"));
    match (found, wanted) {
        (Value::Object(found), Value::Object(wanted)) => {
            let keys = found.keys().chain(wanted.keys()).filter(|key| !PROSE.contains(&key.as_str()));
            keys.into_iter().try_for_each(|key| {
                let own =
                    |object: &serde_json::Map<String, Value>| object.get(key).cloned().unwrap_or_default();
                same(&format!("{at}.{key}"), &own(found), &own(wanted))
            })
        }
        (Value::Array(found), Value::Array(wanted)) if found.len() == wanted.len() => {
            let pairs = found.iter().zip(wanted).enumerate();
            pairs
                .into_iter()
                .try_for_each(|(place, (found, wanted))| same(&format!("{at}.{place}"), found, wanted))
        }
        (Value::Number(one), Value::Number(other)) if one.is_f64() || other.is_f64() => {
            let (one, other) = (one.as_f64().unwrap_or(f64::NAN), other.as_f64().unwrap_or(f64::NAN));
            if is_close(one, other) { Ok(()) } else { differs() }
        }
        _ if found == wanted => Ok(()),
        _ => differs(),
    }
}

fn is_close(one: f64, other: f64) -> bool {
    (one - other).abs() <= TOLERANCE * one.abs().max(other.abs())
}

/// A table by the names of its columns.
fn table(found: &[u8], wanted: &[u8]) -> Result<(), String> {
    let (found, wanted) = (rows(found)?, rows(wanted)?);
    if found.len() != wanted.len() {
        return Err(format!("found {} rows, and the certificates say {}", found.len(), wanted.len()));
    }
    for (line, (found, wanted)) in found.iter().zip(&wanted).enumerate() {
        for (column, wanted) in wanted.iter().filter(|(column, _)| !PROSE.contains(&column.as_str())) {
            let found = found.get(column).map_or("", String::as_str);
            if !is_same_cell(column, found, wanted) {
                return Err(format!(
                    "line {}: {column} is {found:?}, and the certificates say {wanted:?}",
                    line + 2
                ));
            }
        }
    }
    Ok(())
}

fn is_same_cell(column: &str, found: &str, wanted: &str) -> bool {
    let is_computed = ["score", "p_value", "p_value_bound"].contains(&column);
    match (found.parse::<f64>(), wanted.parse::<f64>()) {
        (Ok(found), Ok(wanted)) if is_computed => is_close(found, wanted),
        _ => found == wanted,
    }
}

type Row = BTreeMap<String, String>;

fn rows(bytes: &[u8]) -> Result<Vec<Row>, String> {
    let text = std::str::from_utf8(bytes).map_err(|error| error.to_string())?;
    let mut lines = text.lines().map(fields);
    let head = lines.next().unwrap_or_default();
    lines
        .map(|own| {
            if own.len() == head.len() {
                Ok(head.iter().cloned().zip(own).collect())
            } else {
                Err(format!("found a line of {} fields, wanted {}", own.len(), head.len()))
            }
        })
        .collect()
}

/// The fields of a line (RFC 4180, without line breaks inside).
fn fields(line: &str) -> Vec<String> {
    let (mut all, mut own, mut is_quoted) = (Vec::new(), String::new(), false);
    for letter in line.chars() {
        match letter {
            '"' => is_quoted = !is_quoted,
            ',' if !is_quoted => all.push(std::mem::take(&mut own)),
            letter => own.push(letter),
        }
    }
    all.push(own);
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    const TABLE: &str = "id,score_name,score,p_value\nruns,\"χ²(3), plain\",1.5,1.23456e-1\n";

    #[test]
    fn a_table_is_compared_by_its_numbers() {
        let check = |from: &str, to: &str| {
            let found = TABLE.replacen(from, to, 1);
            check("p-values.csv", found.as_bytes(), TABLE.as_bytes())
        };
        assert_eq!(check("χ²(3), plain", "chi-squared"), Ok(()));
        assert_eq!(check("1.23456e-1", "0.1234561"), Ok(()));
        assert!(check("1.23456e-1", "1.23556e-1").is_err());
        assert!(check("runs", "other").is_err());
        assert!(check("runs", "runs,more").is_err());
        assert!(super::check("counts.csv", b"1", b"2").is_err());
    }

    #[test]
    fn facts_are_compared_and_sentences_are_not() {
        let report = |facts: &str| format!("{{\"format\":\"x\",\"facts\":{facts},\"document\":7}}");
        let wanted = report("{\"p\":0.5,\"decks\":100000,\"reason\":\"a\",\"list\":[1]}");
        let check = |found: &str| check("report.json", report(found).as_bytes(), wanted.as_bytes());
        assert_eq!(check("{\"p\":0.500001,\"decks\":100000,\"reason\":\"b\",\"list\":[1]}"), Ok(()));
        for other in [
            "{\"p\":0.51,\"decks\":100000,\"reason\":\"a\",\"list\":[1]}",
            "{\"p\":0.5,\"decks\":100001,\"reason\":\"a\",\"list\":[1]}",
            "{\"p\":0.5,\"decks\":100000,\"reason\":\"a\",\"list\":[1,2]}",
            "{\"p\":0.5,\"decks\":100000,\"reason\":\"a\",\"list\":[1],\"more\":1}",
            "{\"p\":0.5,\"reason\":\"a\",\"list\":[1]}",
        ] {
            assert!(check(other).is_err(), "{other}");
        }
    }
}
