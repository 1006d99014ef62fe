//! dieharder 3: a table of bars, `test_name|ntup|tsamples|psamples|p-value|Assessment`.

use std::ops::RangeInclusive;

use crate::external::{
    ExternalResult, ExternalResults, ExternalSays, ExternalTool, incomplete, named, p_value, wrong_line,
};

/// The usual levels of WEAK and FAILED, at both ends (options -W and -X, startup.c of dieharder 3.31.1).
const WEAK: f64 = 0.005;
const FAILED: f64 = 1e-6;
/// Half of the last of eight digits, and what a sum in binary adds.
const ROUNDED: f64 = 5.1e-9;

pub(super) fn read(text: &str) -> Result<ExternalResults, String> {
    let mut results = Vec::new();
    let mut about = None;
    let mut is_next_about = false;
    for (at, line) in text.lines().enumerate() {
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        match cells[..] {
            ["test_name", ..] => {}
            // Two tables of the head: what was run, and the names of the columns.
            ["rng_name", ..] => is_next_about = true,
            [generator, _, _] | [generator, _] | [generator, _, _, _] if is_next_about => {
                about = Some(named(generator));
                is_next_about = false;
            }
            [test, ntup, _, _, p, says] => results.push(result(test, ntup, p, says).ok_or_else(|| {
                wrong_line(at, line, "test_name|ntup|tsamples|psamples|p-value|Assessment, with the word of the p-value by the usual levels")
            })?),
            _ => {}
        }
    }
    if results.is_empty() {
        return Err(incomplete("no result", "a table of dieharder"));
    }
    let version = text.lines().find_map(|line| line.split_once("dieharder version ")).map(|(_, rest)| rest);
    let version = version.and_then(|rest| rest.split_whitespace().next()).map(named);
    Ok(ExternalResults { tool: ExternalTool::Dieharder, version, about, results, unlisted: 0 })
}

/// How often dieharder says that it began its file of words again; none where it does not say so.
pub fn rewound(text: &str) -> Option<u64> {
    let times = text.lines().filter_map(|line| {
        let (_, rest) = line.strip_prefix("# The file ")?.split_once(" was rewound ")?;
        rest.split_whitespace().next()?.parse::<u64>().ok()
    });
    times.max().filter(|times| *times > 0)
}

fn result(test: &str, ntup: &str, p: &str, says: &str) -> Option<ExternalResult> {
    let says = match says {
        "PASSED" => ExternalSays::Passed,
        "WEAK" => ExternalSays::Suspicious,
        "FAILED" => ExternalSays::Failed,
        _ => return None,
    };
    ntup.parse::<u32>().ok()?;
    let (test, value) = (named(&format!("{test} {ntup}")), p_value(p)?);
    let is_so = words_of(value).contains(&says);
    is_so.then(|| ExternalResult { test, p_value: Some(value), printed: p.to_owned(), says })
}

/// What dieharder says of a p-value that it prints so: two words where rounding hides which.
fn words_of(printed: f64) -> RangeInclusive<ExternalSays> {
    let says = |distance: f64| match distance {
        _ if distance < FAILED => ExternalSays::Failed,
        _ if distance < WEAK => ExternalSays::Suspicious,
        _ => ExternalSays::Passed,
    };
    let distance = printed.min(1.0 - printed);
    says(distance + ROUNDED)..=says(distance - ROUNDED)
}
