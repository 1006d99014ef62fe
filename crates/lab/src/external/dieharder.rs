//! dieharder 3: a table of bars, `test_name|ntup|tsamples|psamples|p-value|Assessment`.

use crate::external::{
    ExternalResult, ExternalResults, ExternalSays, ExternalTool, NotExternal, incomplete, named, p_value,
    wrong_line,
};

pub(super) fn read(text: &str) -> Result<ExternalResults, NotExternal> {
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
                wrong_line(at, line, "test_name|ntup|tsamples|psamples|p-value|Assessment")
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
    let test = named(&format!("{test} {ntup}"));
    Some(ExternalResult { test, p_value: Some(p_value(p)?), printed: p.to_owned(), says })
}
