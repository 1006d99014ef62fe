//! `deckproof history`: the days of a shuffler as a table, JSON or CSV, and whether the record is as it was written.

use std::path::PathBuf;

use clap::Args;
use comfy_table::{CellAlignment, ContentArrangement, Table, presets};
use serde_json::json;

use crate::cli::CliError;
use crate::cli::audit::publish::say;
use crate::cli::daily::lock;
use crate::cli::exit::{CouldNotSay, Exit};
use crate::cli::tool::Started;
use crate::file::{Access, write_atomic};
use crate::math::decimal::{p_value, thousands};
use crate::monitoring::check::{CheckResult, first_of};
use crate::monitoring::correction::{self, Correction};
use crate::monitoring::database::DATABASE_FILE;
use crate::monitoring::drift::stands_at;
use crate::monitoring::line::DayLine;
use crate::monitoring::store::{Statement, Store, StoreError};
use crate::report::days::{DayRow, DaySaid, history_page};

#[derive(Args)]
pub(super) struct Arguments {
    /// The folder of the days, as the configuration of deckproof daily names it.
    folder: PathBuf,
    /// Only say whether every row, certificate and report is as it was written.
    #[arg(long)]
    verify: bool,
    /// A row and the beginning of its hash, as an old mail or report has them, such as 12:e3b0c44298fc: the record must still have it.
    #[arg(long, value_name = "ROW:HASH", value_parser = parse_kept)]
    kept: Vec<Kept>,
    /// State something of this row, such as that its decks were those of a test: a row of its own, which changes no verdict, no evidence and no stop.
    #[arg(long, value_name = "ROW", requires_all = ["reason", "by"], conflicts_with_all = ["csv", "json", "html", "verify"])]
    correct: Option<usize>,
    /// What --correct states.
    #[arg(long, value_name = "TEXT", requires = "correct")]
    reason: Option<String>,
    /// Who states it.
    #[arg(long, value_name = "NAME", requires = "correct")]
    by: Option<String>,
    /// One JSON object a day.
    #[arg(long, conflicts_with_all = ["csv", "verify"])]
    json: bool,
    /// A table with commas (RFC 4180).
    #[arg(long, conflicts_with = "verify")]
    csv: bool,
    /// Write a page with the evidence and the p-values of all days as pictures, and every day, to FILE.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["csv", "json", "verify"])]
    html: Option<PathBuf>,
}

/// A row as somebody else kept it.
#[derive(Clone)]
struct Kept {
    row: usize,
    hash: String,
}

/// Fewer digits of a hash would fit by chance.
const DIGITS_MIN: usize = 12;

fn parse_kept(text: &str) -> Result<Kept, &'static str> {
    let wanted = "wanted a row and at least 12 digits of its hash, such as 12:e3b0c44298fc";
    let (row, hash) = text.split_once(':').ok_or(wanted)?;
    let row = row.parse::<usize>().ok().filter(|&row| row > 0).ok_or(wanted)?;
    let is_hash = hash.len() >= DIGITS_MIN && hash.bytes().all(|digit| digit.is_ascii_hexdigit());
    is_hash.then(|| Kept { row, hash: hash.to_ascii_lowercase() }).ok_or(wanted)
}

pub(super) fn run(arguments: &Arguments) -> Result<Exit, CliError> {
    let path = arguments.folder.join(DATABASE_FILE);
    // Looking at a record must not make one.
    std::fs::metadata(&path).map_err(|error| CliError::file(&path, error))?;
    // A row is added by one at a time.
    let _turn = arguments.correct.map(|_| lock(&arguments.folder)).transpose()?;
    let mut store = match Store::read(&arguments.folder) {
        Ok(store) => store,
        Err(StoreError::Changed(fault)) => return refused(&fault),
        Err(error) => return Err(CouldNotSay::new(error, "").into()),
    };
    for kept in &arguments.kept {
        match store.row_sha256(kept.row) {
            Some(found) if found.starts_with(&kept.hash) => {}
            Some(found) => {
                return refused(&format!("row {} has the hash {found}, {} was kept", kept.row, kept.hash));
            }
            None => return refused(&format!("row {} is gone, which was kept", kept.row)),
        }
    }
    if let (Some(row), Some(by), Some(reason)) = (arguments.correct, &arguments.by, &arguments.reason) {
        let time = Started::now().time;
        let added = store.correct(&arguments.folder, &Statement { row, by, reason, time: &time });
        let added = added.map_err(|error| CouldNotSay::new(error, "Nothing was added."))?;
        return corrected(&store, added);
    }
    if let Some(path) = &arguments.html {
        return write_page(path, &store);
    }
    let text = match (arguments.verify, arguments.json, arguments.csv) {
        (true, ..) => sound(&store, arguments.kept.len()),
        (_, true, _) => store.days().iter().enumerate().map(|(place, day)| json_line(place, day)).collect(),
        (_, _, true) => csv(store.days()),
        _ => format!("{}\n", table(store.days()).trim_fmt()),
    };
    say(&text)?;
    Ok(Exit::Passed)
}

fn corrected(store: &Store, added: usize) -> Result<Exit, CliError> {
    let words = store
        .days()
        .last()
        .and_then(|line| line.correction.as_ref())
        .map_or_else(String::new, Correction::words);
    say(&format!(
        "Row {added} is a correction {words}.\nThe row itself stands as it was written: no verdict, no evidence and no stop is changed.\n"
    ))?;
    Ok(Exit::Passed)
}

fn write_page(path: &std::path::Path, store: &Store) -> Result<Exit, CliError> {
    let rows: Vec<DayRow> = store.days().iter().enumerate().map(|(place, day)| day_row(place, day)).collect();
    let name = store.last().map_or("no shuffler yet", |day| day.name.as_str());
    let sentence = format!(
        "{} rows, each with the hash of the one before; the last is {}.",
        thousands(store.lines() as u64),
        store.last_sha256()
    );
    let page = history_page(name, &rows, &sentence);
    write_atomic(path, page.as_bytes(), Access::Public).map_err(|error| CliError::file(path, error))?;
    say(&format!("{}: {} days.\n", path.display(), rows.len()))?;
    Ok(Exit::Passed)
}

fn day_row(place: usize, day: &DayLine) -> DayRow {
    let [_, _, _, decks, p_value, evidence, finding] = cells(place, day);
    DayRow {
        row: place + 1,
        day: day.day.clone(),
        said: day.correction.as_ref().map_or_else(|| said(day.result()), |_| DaySaid::Correction),
        decks,
        p_value: day.family_p_value.map(|own| (own, p_value)),
        evidence: day.drift.as_ref().map(|drift| (drift.ln_evidence / std::f64::consts::LN_10, evidence)),
        finding,
    }
}

/// A result in the colours of a page.
fn said(result: CheckResult) -> DaySaid {
    match result {
        CheckResult::Passed => DaySaid::Passed,
        CheckResult::Investigate => DaySaid::Investigate,
        CheckResult::Refused => DaySaid::Refused,
        CheckResult::CouldNotSay | CheckResult::NotSetUp => DaySaid::CouldNotSay,
    }
}

fn refused(fault: &str) -> Result<Exit, CliError> {
    say(&format!("refused: the record was changed.\n  {fault}.\n"))?;
    Ok(Exit::Refused)
}

fn sound(store: &Store, kept: usize) -> String {
    let rows = thousands(store.lines() as u64);
    let gone = store.certificates_gone;
    let old = match kept {
        0 => "Not checked: whether all rows were written anew by somebody who has the whole folder (--kept ROW:HASH of an old mail).".to_owned(),
        kept => format!("Rows that were kept elsewhere and are still there: {kept}."),
    };
    format!(
        "sound: {rows} rows, each with the hash of the one before; the last is {}.\nCertificates that the stated retention has removed: {gone}.\n{old}\n",
        store.last_sha256()
    )
}

fn json_line(place: usize, day: &DayLine) -> String {
    let result = match day.correction {
        Some(_) => json!(correction::VERDICT),
        None => json!(day.result()),
    };
    format!("{}\n", json!({ "row": place + 1, "result": result, "day": day }))
}

const HEADER: [&str; 7] =
    ["row", "day", "result", "decks", "family p-value", "evidence", "first step that did not pass"];

fn cells(place: usize, day: &DayLine) -> [String; 7] {
    let failed = first_of(&day.checks, day.result()).filter(|check| check.result > CheckResult::Passed);
    let reason = || day.reason.clone().unwrap_or_default();
    if let Some(correction) = &day.correction {
        let [row, nothing] = [(place + 1).to_string(), String::new()];
        let word = correction::VERDICT.to_owned();
        return [row, day.day.clone(), word, nothing.clone(), nothing.clone(), nothing, correction.words()];
    }
    [
        (place + 1).to_string(),
        day.day.clone(),
        day.result().words().to_owned(),
        thousands(day.decks),
        day.family_p_value.map_or_else(String::new, p_value),
        day.drift
            .as_ref()
            .map_or_else(String::new, |drift| stands_at(drift.ln_evidence).replacen("stands at ", "", 1)),
        failed.map_or_else(reason, |check| format!("{}: {}", check.name, check.evidence)),
    ]
}

/// Letters of a reason in the table; JSON and CSV have it whole.
const REASON_LETTERS: usize = 60;

fn table(days: &[DayLine]) -> Table {
    let mut table = Table::new();
    table.load_style(presets::NOTHING).set_content_arrangement(ContentArrangement::Disabled);
    table.set_header(HEADER);
    for (place, day) in days.iter().enumerate() {
        let mut row = cells(place, day);
        row[6] = crate::text::excerpt(&row[6], REASON_LETTERS);
        table.add_row(row);
    }
    for column in [0, 3, 4] {
        if let Some(column) = table.column_mut(column) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    table
}

fn csv(days: &[DayLine]) -> String {
    let quoted = |cell: &String| match cell.contains([',', '"', '\n']) {
        true => format!("\"{}\"", cell.replace('"', "\"\"")),
        false => cell.clone(),
    };
    let line = |cells: &[String]| cells.iter().map(quoted).collect::<Vec<_>>().join(",") + "\r\n";
    let header = HEADER.map(str::to_owned);
    let rows = days.iter().enumerate().map(|(place, day)| {
        let mut row = cells(place, day);
        if day.correction.is_none() {
            row[3] = day.decks.to_string();
        }
        line(&row)
    });
    std::iter::once(line(&header)).chain(rows).collect()
}
