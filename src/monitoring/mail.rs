//! Five lines of mail: what the day brought, whose decks, and what to do.

use std::path::Path;

use crate::audit::verdict::Verdict;
use crate::certificate::AuditResult;
use crate::certificate::words::{next_step, verdict_sentence};
use crate::math::decimal::thousands;
use crate::monitoring::line::DayLine;
use crate::monitoring::store::{STORE_FILE, Store};
use crate::source::record::SourceRecord;

/// Where and about what.
pub struct Heading<'a> {
    /// Where the store lies.
    pub folder: &'a Path,
    /// What the configuration calls the files, such as `export.csv`; empty where it names none.
    pub files: &'a str,
}

/// What a mail tells beside the result.
pub struct Told<'a> {
    /// The earlier days.
    pub store: &'a Store,
    /// What a person should look at, where something was found.
    pub ground: Option<String>,
}

/// Of a day that was judged.
pub fn judged(heading: &Heading, line: &DayLine, result: &AuditResult, told: &Told) -> String {
    let store = told.store;
    let seed_space = || result.deciding().seed_space_sentence();
    let third = told.ground.clone().or_else(seed_space);
    let third = third.unwrap_or_else(|| "No statistic was judged: one such record is enough.".to_owned());
    let gone = match store.certificates_gone {
        0 => String::new(),
        gone => format!(", of which {gone} no longer have their certificate here"),
    };
    format!(
        "Daily integrity check of {}, {} (UTC): {}, {}.\n{}\n{third}\n\
         Certificate: {}, SHA-256 {}; line {} of {STORE_FILE}, the {} before it recomputed{gone}.\n{}\n",
        line.name,
        line.day,
        line.verdict.to_uppercase(),
        whose(heading, &result.source, result.decks()),
        verdict_sentence(result),
        heading.folder.join(line.certificate.as_deref().unwrap_or_default()).display(),
        line.certificate_sha256.as_deref().unwrap_or("unknown"),
        store.lines() + 1,
        store.lines(),
        next(result),
    )
}

/// Of a day about which nothing could be said.
pub fn could_not_say(heading: &Heading, line: &DayLine) -> String {
    let reason = line.reason.as_deref().unwrap_or("no reason was recorded").replace(['\n', '\r'], " ");
    format!(
        "Daily integrity check of {}, {} (UTC): COULD NOT SAY.\n\
         Reason: {reason}\n\
         No deck was judged today; this is neither a pass nor a fail.\n\
         The day is recorded in {} as a day without a result.\n\
         Next: mend the cause and run deckproof daily again.\n",
        line.name,
        line.day,
        heading.folder.join(STORE_FILE).display()
    )
}

/// Of a store that is not as it was written: nothing was counted and no line is added.
pub fn refused(heading: &Heading, name: &str, day: &str, fault: &str) -> String {
    format!(
        "Daily integrity check of {name}, {day} (UTC): REFUSED, the record of earlier days was changed.\n\
         Found: {fault}.\n\
         No deck was counted today, and no line was added: it would make the change look old.\n\
         The record is {}.\n\
         Next: keep the folder as it is, compare it with the mails of earlier days, and find out who could write there.\n",
        heading.folder.join(STORE_FILE).display()
    )
}

/// Whose decks, and how many of how many; neither a key nor a long hash.
fn whose(heading: &Heading, source: &SourceRecord, decks: u64) -> String {
    let words = source.to_string();
    let short = [", SHA-256 ", ", key ", ", day key "]
        .iter()
        .fold(words.as_str(), |words, mark| words.split(mark).next().unwrap_or(words));
    let files = if heading.files.is_empty() { String::new() } else { format!("{}: ", heading.files) };
    match source.number("file_records") {
        // The words of a file say how many records of how many.
        Ok(_) => format!("{files}{short}"),
        Err(_) => format!("{} decks of {short}", thousands(decks)),
    }
}

fn next(result: &AuditResult) -> String {
    match result.verdict {
        Verdict::Pass => {
            "Not shown: whether cards can be predicted, and what happens outside the deck (see the report)."
                .to_owned()
        }
        Verdict::Inconclusive => format!(
            "Next: audit more decks a day; at least {} are needed to pass a shuffler.",
            thousands(result.plan.decks_min)
        ),
        Verdict::Investigate => format!(
            "Investigate is a question, not a finding: a fair shuffler is asked it about once in 100 days. {}",
            next_step(result).unwrap_or_default()
        ),
        Verdict::Fail => {
            "Next: stop relying on this shuffler until the report has been read, and keep this record."
                .to_owned()
        }
    }
}
