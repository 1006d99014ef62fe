//! `--csv DIR`: every count table and every p-value as comma-separated text, one file each.

use deckproof_audit::audit::plan::Plan;
use deckproof_audit::certificate::look::Look;
use deckproof_audit::certificate::{AuditResult, StatisticRecord};
use deckproof_stats::battery::Exhibit;

/// The text of `README.txt`.
const LAYOUT: &str = "\
Counts and p-values of one audit by deckproof, as comma-separated text with one header line.\n\
Names begin with `first` for the first look and `repeat` for the repeat, if there was one.\n\
LOOK-p-values.csv: every p-value; decks is the number of decks (views deck and inverse) or of pairs of neighbours (views relative and relative-cards).\n\
LOOK-standards.csv: every regulator's name; p_value is the smallest of its p-values times their number.\n\
LOOK-duplicates.csv: fingerprints kept, those that differ, and pairs of equal ones.\n\
LOOK-counts-VIEW.STATISTIC.csv: cell,count, the integers of the certificate in their order; sums of signed numbers are written as signed.\n\
LOOK-table-VIEW.STATISTIC.PART.csv: what the pictures show, observed beside expected: value or row and column from 0.\n";

/// One file.
pub struct Sheet {
    /// Its name.
    pub name: String,
    /// Its content.
    pub text: String,
}

/// All sheets of an audit, the one that explains them last.
pub fn sheets_of(result: &AuditResult) -> Vec<Sheet> {
    let looks = ["first", "repeat"].into_iter().zip(result.looks());
    let layout = Sheet { name: "README.txt".to_owned(), text: LAYOUT.to_owned() };
    looks.flat_map(|(turn, look)| sheets(&result.plan, turn, look)).chain([layout]).collect()
}

fn sheets(plan: &Plan, turn: &str, look: &Look) -> Vec<Sheet> {
    let mut sheets = vec![p_values(turn, look), standards(turn, look), duplicates(turn, look)];
    sheets.extend(look.tallies.iter().map(|tally| {
        // Counts are far below 2^63, so that whatever is above it is a negative sum in two's complement.
        let rows = tally.counts.iter().enumerate().map(|(cell, &count)| format!("{cell},{}", count as i64));
        sheet(format!("{turn}-counts-{}.{}.csv", tally.view.name(), tally.id), "cell,count", rows)
    }));
    let judged = look.judged(plan);
    sheets.extend(
        judged.iter().filter_map(|judged| {
            exhibit(format!("{turn}-table-{}.csv", judged.id()), &judged.outcome.exhibit)
        }),
    );
    sheets
}

fn p_values(turn: &str, look: &Look) -> Sheet {
    sheet(format!("{turn}-p-values.csv"), P_VALUE_COLUMNS, look.statistics.iter().map(p_value_row))
}

/// The header above [`p_value_row`].
pub const P_VALUE_COLUMNS: &str = "id,family,decks,score_name,score,p_value,tail,p_value_bound";

/// The cells of a p-value.
pub fn p_value_row(record: &StatisticRecord) -> String {
    let bound = record.p_value_bound.map(|bound| format!("{bound:e}")).unwrap_or_default();
    format!(
        "{},{},{},{},{:e},{:e},{},{bound}",
        record.id,
        record.family,
        record.decks,
        quoted(&record.score_name),
        record.score,
        record.p_value,
        record.tail.name()
    )
}

fn standards(turn: &str, look: &Look) -> Sheet {
    let rows = look.standards.iter().flat_map(|standard| {
        standard.tests.iter().map(|test| {
            let p_value = test.p_value.map(|p_value| format!("{p_value:e}")).unwrap_or_default();
            format!(
                "{},{},{},{},{},{p_value},{}",
                quoted(&standard.name),
                standard.confidence_percent,
                standard.verdict.name(),
                quoted(&test.name),
                test.p_values,
                quoted(test.not_run.as_deref().unwrap_or(""))
            )
        })
    });
    let header = "standard,confidence_percent,verdict,test,p_values,p_value,not_run";
    sheet(format!("{turn}-standards.csv"), header, rows)
}

fn duplicates(turn: &str, look: &Look) -> Sheet {
    let rows = look.duplicates.iter().map(|record| {
        let halvings = record.halvings;
        format!(
            "{},{},{},{},{},{halvings},{}",
            record.view.name(),
            record.id,
            record.decks,
            record.kept,
            record.distinct,
            record.pairs
        )
    });
    sheet(format!("{turn}-duplicates.csv"), "view,id,decks,kept,distinct,halvings,pairs", rows)
}

fn exhibit(name: String, exhibit: &Exhibit) -> Option<Sheet> {
    match exhibit {
        Exhibit::None => None,
        Exhibit::Histogram { values, observed, expected, .. } => {
            let rows = values.iter().zip(observed).zip(expected);
            let rows = rows.map(|((value, observed), expected)| format!("{value},{observed},{expected}"));
            Some(sheet(name, "value,observed,expected", rows))
        }
        Exhibit::Table { side, observed, expected, .. } => {
            let rows = observed.iter().enumerate();
            let rows = rows.map(|(at, count)| format!("{},{},{count},{expected}", at / side, at % side));
            Some(sheet(name, "row,column,observed,expected", rows))
        }
    }
}

fn sheet(name: String, header: &str, rows: impl Iterator<Item = String>) -> Sheet {
    let mut text = format!("{header}\n");
    rows.for_each(|row| text += &format!("{row}\n"));
    Sheet { name, text }
}

/// A field that may hold commas (RFC 4180, section 2.6).
pub fn quoted(field: &str) -> String {
    format!("\"{}\"", field.replace('"', "\"\""))
}
