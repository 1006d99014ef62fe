//! `deckproof history`: the days of a shuffler as a table, JSON or CSV, and whether the record is as it was written.

use std::path::PathBuf;

use clap::Args;

use crate::cli::CliError;
use crate::cli::audit::publish::say;
use crate::cli::{screen, tool};
use crate::daily::turn::wait_for_turn;
use crate::file::{Access, write_atomic};
use crate::math::decimal::counted;
use crate::monitoring::correction::Correction;
use crate::monitoring::database::DATABASE_FILE;
use crate::monitoring::incidents;
use crate::monitoring::kept_rows::{self, ListFault, Listed};
use crate::monitoring::known;
use crate::monitoring::store::{Statement, Store, StoreError};
use crate::presentation::history::{self, Sound};
use crate::text::could_not_say::CouldNotSay;
use crate::text::exit::Exit;

#[derive(Args)]
pub(super) struct Arguments {
    /// The folder of the days, as the configuration of deckproof daily names it.
    folder: PathBuf,
    /// Only say whether the rows, the certificates, the reports and their pages, the bets and the known decks are as they were written.
    #[arg(long)]
    verify: bool,
    /// A row and the beginning of its hash, as an old mail or report has them, such as 12:e3b0c44298fc: the record must still have it.
    #[arg(long, value_name = "ROW:HASH", value_parser = parse_kept)]
    kept: Vec<Kept>,
    /// The list of rows that kept_rows of the configuration names: the record must have them all.
    #[arg(long, value_name = "FILE")]
    kept_rows: Option<PathBuf>,
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
    let turn = |_| wait_for_turn(&arguments.folder, &tool::time_utc, &screen::warn);
    let _turn = arguments.correct.map(turn).transpose()?;
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
    let mut listed = None;
    if let Some(path) = &arguments.kept_rows {
        match kept_rows::compare(path, &store) {
            Ok(Listed::Rows(rows)) => listed = Some(rows),
            Ok(Listed::Missing) => {
                return Err(CliError::file(path, std::io::ErrorKind::NotFound.into()));
            }
            Err(ListFault::Changed(fault)) => return refused(&fault),
            Err(fault) => return Err(CouldNotSay::new(format!("{}: {fault}", path.display()), "").into()),
        }
    }
    if let (Some(row), Some(by), Some(reason)) = (arguments.correct, &arguments.by, &arguments.reason) {
        let time = tool::time_utc();
        let added = store.correct(&arguments.folder, &Statement { row, by, reason, time: &time });
        let added = added.map_err(|error| CouldNotSay::new(error, "Nothing was added."))?;
        return corrected(&store, added);
    }
    if let Some(path) = &arguments.html {
        return write_page(path, &store);
    }
    if arguments.verify {
        return verify(&store, arguments, listed);
    }
    let text = match (arguments.json, arguments.csv) {
        (true, _) => history::json_lines(store.days()),
        (_, true) => history::csv(store.days()),
        _ => {
            let incidents = incidents::unrecorded(&arguments.folder, store.days());
            format!("{}\n{}", history::table(store.days()).trim_fmt(), history::unrecorded(&incidents))
        }
    };
    say(&text)?;
    Ok(Exit::Passed)
}

/// Everything of the record that can be recomputed.
fn verify(store: &Store, arguments: &Arguments, listed: Option<usize>) -> Result<Exit, CliError> {
    let folder = &arguments.folder;
    let checked =
        store.check_pages(folder).and_then(|pages| Ok((pages, known::recompute(folder, store.days())?)));
    let (pages, known) = match checked {
        Ok(checked) => checked,
        Err(fault) => return refused(&fault),
    };
    let cannot = |error: StoreError| CliError::from(CouldNotSay::new(error, ""));
    if let Some(changed) = store.changed_schema().map_err(cannot)? {
        return refused(&changed);
    }
    if !store.has_named_bets().map_err(cannot)? {
        return refused(
            "the bets that are kept are not those that the last row names; the next day makes them again from the certificates",
        );
    }
    let sound = Sound { pages, known, kept: arguments.kept.len() + listed.unwrap_or(0) };
    let incidents = incidents::unrecorded(folder, store.days());
    say(&(history::sound(store, &sound) + &history::unrecorded(&incidents)))?;
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
    write_atomic(path, history::page(store).as_bytes(), Access::Public)
        .map_err(|error| CliError::file(path, error))?;
    say(&format!("{}: {}.\n", path.display(), counted(store.days().len() as u64, "day", "days")))?;
    Ok(Exit::Passed)
}

fn refused(fault: &str) -> Result<Exit, CliError> {
    say(&format!("refused: the record was changed.\n  {fault}.\n"))?;
    Ok(Exit::Refused)
}
