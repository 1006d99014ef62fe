//! NIST STS 2.1.2: `finalAnalysisReport.txt`, ten counts, a p-value of their uniformity, and a proportion that passed.

use crate::external::{
    ExternalResult, ExternalResults, ExternalSays, ExternalTool, incomplete, named, p_value, wrong_line,
};

/// Counts of p-values in ten equal parts of 0 to 1.
const PARTS: usize = 10;

/// A p-value below this has a star (assess.c of STS 2.1.2), and half of the last of its six digits.
const STAR: f64 = 1e-4;
const ROUNDED: f64 = 5.1e-7;

pub(super) fn read(text: &str) -> Result<ExternalResults, String> {
    let head = text.lines().position(|line| line.contains("P-VALUE") && line.contains("STATISTICAL TEST"));
    let head =
        head.ok_or_else(|| incomplete("no head", "the line C1 C2 … P-VALUE PROPORTION STATISTICAL TEST"))?;
    let mut results = Vec::new();
    for (at, line) in text.lines().enumerate().skip(head + 1) {
        let words: Vec<&str> = line.split_whitespace().collect();
        let is_row = words.len() >= PARTS && words[..PARTS].iter().all(|count| count.parse::<u64>().is_ok());
        if is_row {
            let row = row(&words[PARTS..]);
            results.push(row.ok_or_else(|| {
                wrong_line(
                    at,
                    line,
                    "ten counts, a p-value with a star below 0.0001 alone, a proportion and a test",
                )
            })?);
        }
    }
    if results.is_empty() {
        return Err(incomplete("no result", "rows of ten counts"));
    }
    // Below its table the program states the pass rates, or that they are undefined (assess.c of STS 2.1.2).
    if !text.lines().any(|line| line.starts_with("The minimum pass rate")) {
        return Err(incomplete("a table without its end", "“The minimum pass rate …” below it"));
    }
    let about = text.lines().find_map(|line| line.split_once("generator is ")).map(|(_, name)| named(name));
    Ok(ExternalResults { tool: ExternalTool::NistSts, version: None, about, results, unlisted: 0 })
}

/// `0.911413 10/10 Frequency`, with ` *` after what is not acceptable; `----` where too few sequences were usable.
fn row(words: &[&str]) -> Option<ExternalResult> {
    let (p, mut rest) = words.split_first()?;
    let star = |rest: &mut &[&str]| {
        let after = rest.strip_prefix(&["*"]);
        *rest = after.unwrap_or(rest);
        after.is_some()
    };
    let has_star = star(&mut rest);
    let (proportion, mut rest) = rest.split_first()?;
    let failed = star(&mut rest) || has_star;
    if rest.is_empty() {
        return None;
    }
    let is_unusable = *p == "----";
    let value = if is_unusable { None } else { Some(p_value(p)?) };
    let is_so = |p: f64| if has_star { p - ROUNDED < STAR } else { p + ROUNDED >= STAR };
    value.is_none_or(is_so).then_some(())?;
    let is_proportion = *proportion == "------"
        || proportion.split_once('/').map_or_else(
            || p_value(proportion).is_some(),
            |(passed, all)| passed.parse::<u64>().is_ok() && all.parse::<u64>().is_ok(),
        );
    let says = match (failed, is_unusable) {
        (true, _) => ExternalSays::Failed,
        (false, true) => ExternalSays::Suspicious,
        (false, false) => ExternalSays::Passed,
    };
    let test = named(&format!("{} ({proportion})", rest.join(" ")));
    is_proportion.then(|| ExternalResult { test, p_value: value, printed: (*p).to_owned(), says })
}
