//! TestU01 1.2: the summary of a battery, which lists p-values outside [0.001, 0.999] and says that all others passed.

use crate::external::{
    ExternalResult, ExternalResults, ExternalSays, ExternalTool, incomplete, named, p_value, wrong_line,
};

/// The guide's reading (L'Ecuyer and Simard, user's guide of TestU01, section on batteries): outside [1e-10, 1 − 1e-10]
/// a p-value is a clear failure, otherwise the test is to be run again.
const FAILED_P_VALUE: f64 = 1e-10;
/// What `eps` and `eps1` mean in a summary.
const EPS: f64 = 1e-300;
const EPS1: f64 = 1e-15;

pub(super) fn read(text: &str) -> Result<ExternalResults, String> {
    let lines: Vec<(usize, &str)> = text.lines().enumerate().collect();
    let heads: Vec<usize> =
        (0..lines.len()).filter(|&at| lines[at].1.contains("Summary results of ")).collect();
    let &[head] = heads.as_slice() else {
        return Err(incomplete(format!("{} summaries", heads.len()), "one “Summary results of …”"));
    };
    let summary = &lines[head..];
    let field = |name: &str| {
        let line = summary.iter().find_map(|(_, line)| line.trim_start().strip_prefix(name));
        line.map(|rest| rest.trim_start_matches(':').trim())
    };
    let count = field("Number of statistics").and_then(|count| count.parse::<u64>().ok());
    let count =
        count.ok_or_else(|| incomplete("no number of statistics", "a line “Number of statistics:  n”"))?;
    let end = summary.iter().position(|(_, line)| {
        let line = line.trim();
        line == "All tests were passed" || line == "All other tests were passed"
    });
    let wanted = "“All tests were passed” or “All other tests were passed”";
    let end = end.ok_or_else(|| incomplete("a summary without its end", wanted))?;
    let mut results = Vec::new();
    for &(at, line) in &summary[..end] {
        if is_row(line) {
            results.push(row(line).ok_or_else(|| wrong_line(at, line, "a number, a test and a p-value"))?);
        }
    }
    let found = results.len();
    let more = || incomplete(format!("{found} results"), "no more than the number of statistics");
    let unlisted = count.checked_sub(found as u64).ok_or_else(more)?;
    let battery = lines[head].1.split_once("Summary results of ").map_or("", |(_, rest)| rest);
    let battery = battery.trim_matches(|mark| mark == '=' || mark == ' ');
    let about = match field("Generator") {
        Some(generator) => named(&format!("{battery}, {generator}")),
        None => named(battery),
    };
    let version = field("Version").map(|words| named(words.trim_start_matches("TestU01")));
    Ok(ExternalResults { tool: ExternalTool::TestU01, version, about: Some(about), results, unlisted })
}

/// ` 12  CollisionOver, t = 21          1 - eps1`: a number of a test, without a colon.
fn is_row(line: &str) -> bool {
    let mut words = line.split_whitespace();
    let is_numbered = words.next().is_some_and(|word| word.parse::<u32>().is_ok());
    is_numbered
        && words.next().is_some_and(|word| word.starts_with(|first: char| first.is_ascii_alphabetic()))
}

fn row(line: &str) -> Option<ExternalResult> {
    // The columns are at least two spaces apart; the p-value itself may hold single ones.
    let (test, printed) = line.trim().rsplit_once("  ")?;
    let printed = printed.trim();
    let bound = |text: &str| match text {
        "eps" => Some(EPS),
        "eps1" => Some(EPS1),
        other => p_value(other),
    };
    let (value, distance) = match printed.strip_prefix("1 -").map(str::trim) {
        Some(distance) => (1.0 - bound(distance)?, bound(distance)?),
        None => (bound(printed)?, bound(printed)?.min(1.0 - bound(printed)?)),
    };
    let says = if distance < FAILED_P_VALUE { ExternalSays::Failed } else { ExternalSays::Suspicious };
    Some(ExternalResult { test: named(test), p_value: Some(value), printed: printed.to_owned(), says })
}
