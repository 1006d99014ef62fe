//! Tables of a package as comma-separated text: p-values, counts, power, vectors.

use std::fmt::Write as _;

use crate::project::package::inputs::Inputs;
use crate::project::raw::RawCounts;
use deckproof_audit::certificate::AuditResult;
use deckproof_audit::certificate::look::Look;
use deckproof_audit::collection::pairs;
use deckproof_audit::power::table::Power;
use deckproof_deck::key::AuditKey;
use deckproof_report::rendering::audit::csv::{P_VALUE_COLUMNS, p_value_row, quoted};

/// Decks of each key among the vectors.
const VECTORS: usize = 4;

/// Every p-value of every audit and of the raw output.
pub fn p_values(inputs: &Inputs) -> String {
    let mut text = format!("audit,look,{P_VALUE_COLUMNS}\n");
    for (audit, result) in audits(inputs) {
        for (turn, look) in looks(result) {
            for record in &look.statistics {
                line(&mut text, format_args!("{audit},{turn},{}", p_value_row(record)));
            }
        }
    }
    for (name, turn, counts) in words(inputs) {
        for test in counts.tests() {
            let score = if test.of > 0 { format!("count of {}", test.of) } else { "χ²(255)".to_owned() };
            line(
                &mut text,
                format_args!(
                    "{name},{turn},{},{},{},{},{:e},{:e},{},",
                    test.id,
                    test.id,
                    counts.words,
                    quoted(&score),
                    test.score,
                    test.p_value,
                    test.tail.name()
                ),
            );
        }
    }
    text
}

/// The counts of the raw output, and of customers' words.
fn words(inputs: &Inputs) -> Vec<(String, &'static str, &RawCounts)> {
    let raw = inputs.raw.iter().flat_map(|record| {
        let looks = [("first", Some(&record.first)), ("repeat", record.repeat.as_ref())];
        let name = format!("{}.raw", record.item);
        looks.into_iter().filter_map(move |(turn, counts)| Some((name.clone(), turn, counts?)))
    });
    let supplied = inputs.words().map(|(item, record)| (format!("{item}.words"), "first", &record.counts));
    raw.chain(supplied).collect()
}

/// Every count that a certificate keeps, and those of the raw output.
pub fn counts(inputs: &Inputs) -> String {
    let mut text = "audit,look,view,statistic,cell,count\n".to_owned();
    for (audit, result) in audits(inputs) {
        for (turn, look) in looks(result) {
            for tally in &look.tallies {
                let (view, id) = (tally.view.name(), &tally.id);
                for (cell, &count) in tally.counts.iter().enumerate() {
                    // Counts are far below 2^63, so that whatever is above it is a negative sum in two's complement.
                    line(&mut text, format_args!("{audit},{turn},{view},{id},{cell},{}", count as i64));
                }
            }
        }
    }
    for (of, turn, counts) in words(inputs) {
        for (name, cells) in [("ones", &counts.ones), ("bytes", &counts.bytes)] {
            for (cell, count) in cells.iter().enumerate() {
                line(&mut text, format_args!("{of},{turn},words,{name},{cell},{count}"));
            }
        }
        for (name, count) in [
            ("changes", counts.changes),
            ("differences", counts.ones_of_differences),
            ("longest-run", counts.longest_run),
            ("most-in-window", counts.most_in_window),
        ] {
            line(&mut text, format_args!("{of},{turn},words,{name},0,{count}"));
        }
    }
    text
}

/// The flawed dealers on which the power of each plan was measured, and how many decks each needs.
pub fn power(inputs: &Inputs) -> String {
    let mut text = "audit,power,dealer,mechanism,decks_needed,detected_with_this_plan,caught_by\n".to_owned();
    for (audit, result) in audits(inputs) {
        let power = Power::of_plan(&result.plan);
        let name = power.name();
        let rows: Vec<_> = power.faulty().collect();
        if rows.is_empty() {
            line(&mut text, format_args!("{audit},{name},,,,,"));
        }
        for row in rows {
            let needed = row.decks_in_all();
            let detects =
                if needed.is_some_and(|needed| needed <= result.first.decks) { "yes" } else { "no" };
            let needed = needed.map(|needed| needed.to_string()).unwrap_or_default();
            let by = row.caught_by.as_deref().unwrap_or("");
            let (dealer, mechanism) = (&row.dealer, quoted(&row.mechanism));
            line(&mut text, format_args!("{audit},{name},{dealer},{mechanism},{needed},{detects},{by}"));
        }
    }
    text
}

/// The first decks of every published audit key, each with the words of 32 bits that made it.
pub fn vectors(inputs: &Inputs) -> String {
    let mut text = "audit,key,deck_number,words,deck\n".to_owned();
    let of_audits = audits(inputs).filter_map(|(audit, result)| {
        let source = &result.plan.source;
        (source.kind() == "audit").then(|| (audit.to_owned(), source.text("key").unwrap_or("").to_owned()))
    });
    let of_raw = inputs.frozen.raw.iter().map(|raw| (format!("{}.raw", raw.item), raw.key.clone()));
    for (audit, key_text) in of_audits.chain(of_raw) {
        let Ok(key) = key_text.parse::<AuditKey>() else { continue };
        for pair in pairs(&key).take(VECTORS) {
            let words = joined(pair.words.iter());
            let deck = joined(pair.deck.indices().iter());
            line(&mut text, format_args!("{audit},{key_text},{},{words},{deck}", pair.number));
        }
    }
    text
}

fn joined(values: impl Iterator<Item = impl ToString>) -> String {
    values.map(|value| value.to_string()).collect::<Vec<_>>().join(" ")
}

fn audits(inputs: &Inputs) -> impl Iterator<Item = (&str, &AuditResult)> {
    let certificates = inputs.certificates.iter().map(|certificate| &certificate.result);
    inputs.frozen.audits.iter().map(|audit| audit.id.as_str()).zip(certificates)
}

fn looks(result: &AuditResult) -> impl Iterator<Item = (&'static str, &Look)> {
    ["first", "repeat"].into_iter().zip(result.looks())
}

fn line(text: &mut String, row: std::fmt::Arguments) {
    writeln!(text, "{row}").expect("a string takes every line");
}
