//! The outcome as a person reads it in a terminal: a table and a sentence.

use comfy_table::{Cell, CellAlignment, ContentArrangement, Table, presets};

use crate::audit::plan::SourceRecord;
use crate::audit::verdict::Verdict;
use crate::certificate::{AuditResult, StatisticRecord};

/// Every p-value with its test's name, n and how far it can be trusted.
pub(super) fn statistics_table(result: &AuditResult) -> Table {
    let mut table = Table::new();
    table.load_style(presets::NOTHING).set_content_arrangement(ContentArrangement::Disabled);
    table.set_header(["statistic", "n decks", "score", "value", "p-value", "tail"]);
    for record in &result.statistics {
        table.add_row(row(record));
    }
    for column in [1, 3, 4] {
        if let Some(column) = table.column_mut(column) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    table
}

fn row(record: &StatisticRecord) -> Vec<Cell> {
    vec![
        Cell::new(&record.id),
        Cell::new(thousands(record.decks)),
        Cell::new(&record.score_name),
        Cell::new(plain(record.score)),
        Cell::new(p_value(record.p_value)),
        Cell::new(&record.tail),
    ]
}

/// One sentence that a reader may quote, with what was tested and how strong it is.
pub fn verdict_sentence(result: &AuditResult) -> String {
    let decks = thousands(result.decks);
    let unit = if result.decks == 1 { "deck" } else { "decks" };
    let family = format!(
        "family p-value {} over {} p-values; null hypothesis: the decks are independent and every order is equally likely",
        p_value(result.family_p_value),
        result.statistics.len()
    );
    match result.verdict {
        Verdict::Pass => format!("PASS: {decks} {unit} show no departure from a fair shuffle ({family})."),
        Verdict::Investigate => format!(
            "INVESTIGATE: {decks} {unit} depart from a fair shuffle more than chance explains easily ({family}). {}",
            strongest(result)
        ),
        Verdict::Fail if !result.proofs.is_empty() => {
            format!("FAIL: proof against the shuffler in {decks} {unit}. {}", result.proofs.join(" "))
        }
        Verdict::Fail => {
            format!("FAIL: {decks} {unit} are not those of a fair shuffle ({family}). {}", strongest(result))
        }
        Verdict::Inconclusive => format!(
            "INCONCLUSIVE: nothing was found, but {decks} {unit} are too few to pass a shuffler; \
             at least {} are needed ({family}).",
            thousands(result.plan.decks_min)
        ),
    }
}

/// What a reader must not conclude.
pub fn not_shown(result: &AuditResult) -> Vec<String> {
    let mut sentences = vec![
        "A pass does not show that the order of the cards cannot be predicted: a good generator with a known key \
         passes every statistical test. That takes a review of the source code and of where the keys come from."
            .to_owned(),
        "It does not show that the decks dealt at a table are the decks that were audited; that takes a commitment \
         published before each hand, and its verification after."
            .to_owned(),
        "It does not show what happens outside the deck: who sees the cards, who plays together, or which hands \
         were voided."
            .to_owned(),
    ];
    if matches!(result.source, SourceRecord::Recorded { .. } | SourceRecord::Stream { .. }) {
        sentences.push(
            "Recorded decks are judged as they were given; whether they are all the decks that were dealt, in their \
             order, is not shown."
                .to_owned(),
        );
    }
    sentences
}

/// What to do when something was found that does not yet convict.
pub fn next_step(result: &AuditResult) -> Option<String> {
    if result.verdict != Verdict::Investigate {
        return None;
    }
    let decks = thousands(result.decks.saturating_mul(4));
    Some(match &result.source {
        SourceRecord::Recorded { .. } | SourceRecord::Stream { .. } => {
            format!(
                "Next: record {decks} new decks of the same shuffler and audit those; keep this first result."
            )
        }
        _ => format!(
            "Next: audit {decks} fresh decks of the same source (--decks {}), and keep this first result.",
            result.decks.saturating_mul(4)
        ),
    })
}

fn strongest(result: &AuditResult) -> String {
    let weakest_first = |a: &&StatisticRecord, b: &&StatisticRecord| a.p_value.total_cmp(&b.p_value);
    match result.statistics.iter().min_by(weakest_first) {
        Some(record) => format!(
            "The strongest evidence is {} with n = {} decks: {} = {}, p-value {}.",
            record.id,
            thousands(record.decks),
            record.score_name,
            plain(record.score),
            p_value(record.p_value)
        ),
        None => String::new(),
    }
}

/// `1234567` as `1,234,567`.
pub fn thousands(number: u64) -> String {
    let digits = number.to_string();
    let lead = digits.len() % 3;
    let (head, tail) = digits.split_at(lead);
    let groups = tail.as_bytes().chunks(3).map(|group| String::from_utf8_lossy(group).into_owned());
    let parts: Vec<String> = (!head.is_empty()).then(|| head.to_owned()).into_iter().chain(groups).collect();
    parts.join(",")
}

/// Three significant digits, as people read p-values.
pub fn p_value(value: f64) -> String {
    if value < 1e-300 {
        "below 1e-300".to_owned()
    } else if value < 1e-3 {
        format!("{value:.2e}")
    } else {
        format!("{value:.3}")
    }
}

fn plain(value: f64) -> String {
    let size = value.abs();
    if size >= 1e7 || (size < 1e-3 && size > 0.0) {
        format!("{value:.3e}")
    } else if value.fract().abs() < f64::EPSILON {
        format!("{value:.0}")
    } else {
        format!("{value:.3}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_grouped_by_three() {
        for (number, text) in [(0, "0"), (12, "12"), (123, "123"), (1_234, "1,234"), (1_234_567, "1,234,567")]
        {
            assert_eq!(thousands(number), text);
        }
    }
}
