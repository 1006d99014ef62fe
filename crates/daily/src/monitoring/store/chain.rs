//! Whether rows stand as they were written: each names the hash of the one before it.

use crate::monitoring::day::DayLine;
use deckproof_files::file::sha256;

/// The rows, each of which names the one before it.
pub(super) fn chain(bodies: &[String]) -> Result<Vec<DayLine>, String> {
    let hashes: Vec<String> = bodies.iter().map(sha256).collect();
    let mut lines: Vec<DayLine> = Vec::new();
    for (place, body) in bodies.iter().enumerate() {
        let number = place + 1;
        let line: DayLine = serde_json::from_str(body)
            .map_err(|error| format!("row {number} was edited: it is no row of this program ({error})"))?;
        let before = place.checked_sub(1).map_or("", |before| &hashes[before]);
        if line.previous_sha256 != before {
            return Err(broken(number, &line.previous_sha256, &hashes));
        }
        lines.push(line);
    }
    Ok(lines)
}

/// What happened where a row does not name the one before it.
fn broken(number: usize, named: &str, hashes: &[String]) -> String {
    match hashes.iter().position(|hash| hash == named) {
        Some(other) if other + 1 == number => format!("row {number} names itself"),
        Some(other) if other + 1 > number => {
            format!("rows were swapped: row {number} was written after row {}", other + 1)
        }
        Some(other) => format!(
            "rows were swapped or put in: row {number} was written right after row {}, and is elsewhere now",
            other + 1
        ),
        None if number == 1 => {
            "rows before the first were taken out: it names one that is missing".to_owned()
        }
        None if named.is_empty() => format!("row {number} was the first of a store, and is elsewhere now"),
        None => format!("row {} was edited, or rows after it were taken out", number - 1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn store(days: u64) -> Vec<String> {
        let mut previous = String::new();
        let row = |day: u64| {
            let line =
                DayLine::of_failure(&format!("2026-11-{:02}", day + 1), "a", "0", "no disk", &previous);
            let body = line.to_json();
            previous = sha256(&body);
            body
        };
        (0..days).map(row).collect()
    }

    #[test]
    fn every_day_names_the_row_before_it() {
        let rows = store(4);
        assert_eq!(chain(&rows).map(|rows| rows.len()), Ok(4));
        assert_eq!(chain(&[]).map(|rows| rows.len()), Ok(0));
    }

    #[test]
    fn edited_missing_and_swapped_rows_are_named() {
        let check = |change: &dyn Fn(&mut Vec<String>), says: &str| {
            let mut rows = store(5);
            change(&mut rows);
            let found = chain(&rows).map(|rows| rows.len());
            assert_eq!(found.as_ref().err().map(String::as_str), Some(says), "{found:?}");
        };
        check(
            &|rows| rows[2] = rows[2].replace("disk", "ink"),
            "row 3 was edited, or rows after it were taken out",
        );
        check(&|rows| drop(rows.remove(2)), "row 2 was edited, or rows after it were taken out");
        check(
            &|rows| drop(rows.remove(0)),
            "rows before the first were taken out: it names one that is missing",
        );
        check(&|rows| rows.swap(1, 2), "rows were swapped: row 2 was written after row 3");
        let put_in = |rows: &mut Vec<String>| {
            let again = rows[1].clone();
            rows.insert(3, again);
        };
        check(
            &put_in,
            "rows were swapped or put in: row 4 was written right after row 1, and is elsewhere now",
        );
    }
}
