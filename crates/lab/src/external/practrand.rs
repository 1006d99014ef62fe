//! PractRand 0.9: blocks `length= …`, each with a table of what is unusual and a count of the rest; the longest decides.

use crate::external::{
    ExternalResult, ExternalResults, ExternalSays, ExternalTool, incomplete, named, p_value, wrong_line,
};

/// The words of an evaluation with the decimal orders of suspicion from which they stand (RNG_test.cpp of PractRand 0.95).
const WORDS: [(&str, f64, ExternalSays); 9] = [
    ("normal", 0.0, ExternalSays::Passed),
    ("normalish", 0.0, ExternalSays::Passed),
    ("unusual", 1.0, ExternalSays::Suspicious),
    ("mildly suspicious", 2.0, ExternalSays::Suspicious),
    ("suspicious", 3.0, ExternalSays::Suspicious),
    ("SUSPICIOUS", 3.0, ExternalSays::Suspicious),
    ("very suspicious", 4.0, ExternalSays::Suspicious),
    ("VERY SUSPICIOUS", 6.0, ExternalSays::Suspicious),
    ("FAIL", 8.5, ExternalSays::Failed),
];
/// An order more or less is another version's level, or rounding.
const ORDER: f64 = 1.0;
/// Suspicion above this is a failure.
const FAIL_ORDERS: f64 = 8.5;
/// PractRand takes the share of a test among all of them from its suspicion: no test has so small a one.
const SHARE_ORDERS_MAX: f64 = 12.0;

pub(super) fn read(text: &str) -> Result<ExternalResults, String> {
    // The results of each length include those of the shorter ones; the last block is the whole run.
    let lines: Vec<(usize, &str)> = text.lines().enumerate().collect();
    let last = lines.iter().rposition(|(_, line)| line.trim_start().starts_with("length="));
    let last = last.ok_or_else(|| incomplete("no block", "a line length= … of RNG_test"))?;
    let mut results = Vec::new();
    let mut unlisted = None;
    for &(at, line) in &lines[last + 1..] {
        let line = line.trim();
        if let Some(count) = counted(line) {
            unlisted = Some(count);
        } else if line.contains("p =") || line.contains("p=") || line.contains("p~=") {
            let wanted = "a test, R= …, p = … and an evaluation that this p-value can have";
            results.push(result(line).ok_or_else(|| wrong_line(at, line, wanted))?);
        }
    }
    let wanted = "a block that ends with “test result(s)”";
    let (unlisted, has_others) =
        unlisted.ok_or_else(|| incomplete("no count of the other results", wanted))?;
    if has_others == results.is_empty() {
        // “...and N” follows what is unusual; somebody took that out, or wrote it in.
        return Err(incomplete(
            format!("{} unusual results", results.len()),
            if has_others { "at least one before “...and”" } else { "none beside “no anomalies”" },
        ));
    }
    let version =
        text.lines().find_map(|line| line.split_once("PractRand version ")).map(|(_, rest)| named(rest));
    let about = named(lines[last].1);
    Ok(ExternalResults { tool: ExternalTool::PractRand, version, about: Some(about), results, unlisted })
}

/// `no anomalies in 162 test result(s)` or `...and 150 test result(s) without anomalies`: how many, and whether others
/// were listed before.
fn counted(line: &str) -> Option<(u64, bool)> {
    let others = line.strip_prefix("...and ");
    let (count, rest) = others.or_else(|| line.strip_prefix("no anomalies in "))?.split_once(' ')?;
    let count = rest.starts_with("test result(s)").then(|| count.parse().ok()).flatten()?;
    Some((count, others.is_some()))
}

/// `BCFN(2+2,13-6,T)   R= +12.3  p =  5.4e-6   unusual`; a p-value near 1 is printed as `1-7.1e-5`.
fn result(line: &str) -> Option<ExternalResult> {
    let (test, rest) = line.split_once(" R=")?;
    let (_, rest) =
        rest.split_once("p~=").or_else(|| rest.split_once("p =")).or_else(|| rest.split_once("p="))?;
    let mut words = rest.split_whitespace();
    let printed = words.next()?;
    let (value, distance) = match printed.strip_prefix("1-") {
        Some(distance) => (1.0 - p_value(distance)?, p_value(distance)?),
        None => (p_value(printed)?, p_value(printed)?.min(1.0 - p_value(printed)?)),
    };
    let evaluation = words.collect::<Vec<_>>().join(" ");
    let evaluation = evaluation.trim_matches('!').trim();
    let (_, orders_min, says) = *WORDS.iter().find(|(word, ..)| *word == evaluation)?;
    // The suspicion itself is smaller by what the test weighs.
    let orders = -libm::log10(2.0 * distance);
    let is_so = orders > orders_min - ORDER
        && (says == ExternalSays::Failed || orders < FAIL_ORDERS + SHARE_ORDERS_MAX);
    is_so.then(|| ExternalResult {
        test: named(test),
        p_value: Some(value),
        printed: printed.to_owned(),
        says,
    })
}
