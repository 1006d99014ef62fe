//! `deckproof history`: the days of a shuffler as a table, JSON or CSV, and whether the record is as it was written.

mod kept;

use std::path::PathBuf;

use clap::Args;

use crate::cli::audit::publish::say;
use crate::cli::history::kept::TypedRow;
use crate::cli::{CliError, screen, tool};
use deckproof_daily::daily::history::{self, Sound};
use deckproof_daily::daily::turn::wait_for_turn;
use deckproof_daily::monitoring::database::DATABASE_FILE;
use deckproof_daily::monitoring::incidents;
use deckproof_daily::monitoring::sound::{self, RecordFault};
use deckproof_daily::monitoring::store::Statement;
use deckproof_deck::text::could_not_say::CouldNotSay;
use deckproof_deck::text::exit::Exit;
use deckproof_files::file::input::FileError;
use deckproof_files::file::{Access, write_atomic};
use deckproof_stats::math::decimal::counted;

#[derive(Args)]
pub(super) struct Arguments {
    /// The folder of the days, as the configuration of deckproof daily names it.
    folder: PathBuf,
    /// Only say whether the rows, the certificates, the reports and their pages, the bets and the known decks are as they were written.
    #[arg(long)]
    verify: bool,
    /// A row and the beginning of its hash, as an old mail or report has them, such as 12:e3b0c44298fc: the record must still have it.
    #[arg(long, value_name = "ROW:HASH", value_parser = TypedRow::parse)]
    kept: Vec<TypedRow>,
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

pub(super) fn run(arguments: &Arguments) -> Result<Exit, CliError> {
    let path = arguments.folder.join(DATABASE_FILE);
    // Looking at a record must not make one.
    std::fs::metadata(&path).map_err(|error| CliError::file(&path, error))?;
    // A row is added by one at a time.
    let turn = |_| wait_for_turn(&arguments.folder, &tool::time_utc, &screen::warn);
    let _turn = arguments.correct.map(turn).transpose()?;
    match shown(arguments) {
        Ok(text) => {
            say(&text)?;
            Ok(Exit::Passed)
        }
        Err(RecordFault::Changed(fault)) => {
            say(&format!("refused: the record was changed.\n  {fault}.\n"))?;
            Ok(Exit::Refused)
        }
        Err(RecordFault::Unread(reason)) => Err(reason.into()),
    }
}

/// What is shown of a record that others kept as it is.
fn shown(arguments: &Arguments) -> Result<String, RecordFault> {
    let mut store = sound::open(&arguments.folder)?;
    arguments.kept.iter().try_for_each(|kept| kept.check(&store))?;
    let listed = arguments.kept_rows.as_deref().map(|path| sound::check_list(&store, path)).transpose()?;
    if let (Some(row), Some(by), Some(reason)) = (arguments.correct, &arguments.by, &arguments.reason) {
        let time = tool::time_utc();
        let added = store.correct(&arguments.folder, &Statement { row, by, reason, time: &time });
        let added =
            added.map_err(|error| RecordFault::Unread(CouldNotSay::new(error, "Nothing was added.")))?;
        return Ok(history::corrected(&store, added));
    }
    if let Some(path) = &arguments.html {
        write_atomic(path, history::page(&store).as_bytes(), Access::Public)
            .map_err(|error| RecordFault::Unread(FileError::new(path, error).into()))?;
        return Ok(format!("{}: {}.\n", path.display(), counted(store.days().len() as u64, "day", "days")));
    }
    if arguments.verify {
        let (pages, known) = sound::recompute(&store, &arguments.folder)?;
        let kept = arguments.kept.len() + listed.unwrap_or(0);
        let incidents = incidents::unrecorded(&arguments.folder, store.days());
        let sound = history::sound(&store, &Sound { pages, known, kept });
        return Ok(sound + &history::unrecorded(&incidents));
    }
    Ok(match (arguments.json, arguments.csv) {
        (true, _) => history::json_lines(store.days()),
        (_, true) => history::csv(store.days()),
        _ => {
            let incidents = incidents::unrecorded(&arguments.folder, store.days());
            format!("{}\n{}", history::table(store.days()).trim_fmt(), history::unrecorded(&incidents))
        }
    })
}
