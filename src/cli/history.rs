//! `deckproof history`: the days of a shuffler as a table, JSON or CSV, and whether the record is as it was written.

mod mail_row;

use std::path::PathBuf;

use clap::Args;

use crate::cli::audit::publish::say;
use crate::cli::history::mail_row::TypedRow;
use crate::cli::{CliError, screen, tool};
use deckproof_daily::daily::history::{self, Sound};
use deckproof_daily::daily::record_lock::wait_for_record;
use deckproof_daily::monitoring::database::DATABASE_FILE;
use deckproof_daily::monitoring::event::EventKind;
use deckproof_daily::monitoring::incidents;
use deckproof_daily::monitoring::integrity::{self, RecordFault};
use deckproof_daily::monitoring::store::{Statement, Store};
use deckproof_deck::text::could_not_say::CouldNotSay;
use deckproof_deck::text::decimal::counted;
use deckproof_deck::text::exit::Exit;
use deckproof_files::file::input::FileError;
use deckproof_files::file::{Access, write_atomic};

#[derive(Args)]
pub(super) struct HistoryArguments {
    /// The folder of the days, as the configuration of deckproof daily names it; several with --html alone.
    folder: PathBuf,
    /// Folders of other shufflers or operators, for one page of all.
    #[arg(requires = "html", conflicts_with_all = ["kept", "kept_rows", "by", "reason", "nagios"])]
    others: Vec<PathBuf>,
    /// Only say whether the rows, the certificates, the reports and their pages, the bets and the known decks are as they were written.
    #[arg(long)]
    verify: bool,
    /// A row and the beginning of its hash, as an old mail or report has them, such as 12:e3b0c44298fc: the record must still have it.
    #[arg(long, value_name = "ROW:HASH", value_parser = TypedRow::parse)]
    kept: Vec<TypedRow>,
    /// The list of rows that kept_rows of the configuration names: the record must have them all.
    #[arg(long, value_name = "FILE")]
    kept_rows: Option<PathBuf>,
    /// The export of this row was wrong: its decks are no evidence any more and its stop ends. The row stays, and its day can be run
    /// again with the right file. With --by twice and --reason, as a row of its own.
    #[arg(long, value_name = "ROW", requires_all = ["reason", "by"], conflicts_with_all = ["correct", "lift", "release", "csv", "json", "html", "verify"])]
    void: Option<usize>,
    /// Lift the active stop of this row, of a step that will not pass by itself; not of decks. With --by twice and --reason.
    #[arg(long, value_name = "ROW", requires_all = ["reason", "by"], conflicts_with_all = ["correct", "release", "csv", "json", "html", "verify"])]
    lift: Option<usize>,
    /// A repaired or new shuffler: the evidence over all days begins anew and stops of decks end; known decks go on. With --by
    /// twice and --reason.
    #[arg(long, requires_all = ["reason", "by"], conflicts_with_all = ["correct", "csv", "json", "html", "verify"])]
    release: bool,
    /// What no backup has any more: rows that the list of rows has beside those of the record, and damaged known decks, which begin
    /// anew. Every later day names it. With --by twice and --reason, as a row of its own.
    #[arg(long, requires_all = ["reason", "by"], conflicts_with_all = ["correct", "void", "lift", "release", "csv", "json", "html", "verify"])]
    lost: bool,
    /// One line and a status for Nagios or Icinga: 0 passed, 1 investigate, 2 stop, 3 could not say or no result for --hours.
    #[arg(long, conflicts_with_all = ["correct", "void", "lift", "release", "lost", "csv", "json", "html", "verify"])]
    nagios: bool,
    /// With --nagios: how old the last result may be.
    #[arg(long, value_name = "HOURS", default_value_t = 36, requires = "nagios")]
    hours: u32,
    /// State something of this row, such as that its decks were those of a test: a row of its own, which changes no verdict, no evidence and no stop.
    #[arg(long, value_name = "ROW", requires_all = ["reason", "by"], conflicts_with_all = ["csv", "json", "html", "verify"])]
    correct: Option<usize>,
    /// What is stated.
    #[arg(long, value_name = "TEXT")]
    reason: Option<String>,
    /// Who states it; two different people for --void, --lift, --release and --lost.
    #[arg(long, value_name = "NAME")]
    by: Vec<String>,
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

pub(super) fn run(arguments: &HistoryArguments) -> Result<Exit, CliError> {
    // Looking at a record must not make one.
    for folder in std::iter::once(&arguments.folder).chain(&arguments.others) {
        let path = folder.join(DATABASE_FILE);
        std::fs::metadata(&path).map_err(|error| CliError::file(&path, error))?;
    }
    // A row is added by one at a time.
    let adds = arguments.correct.is_some() || arguments.event().is_some();
    let turn = adds.then(|| wait_for_record(&arguments.folder, &tool::time_utc, &screen::warn));
    let _turn = turn.transpose()?;
    if arguments.nagios {
        return nagios(arguments);
    }
    match shown(arguments) {
        Ok((text, exit)) => {
            say(&text)?;
            Ok(exit)
        }
        Err(RecordFault::Changed(fault)) => {
            say(&format!("refused: the record was changed.\n  {fault}.\n"))?;
            Ok(Exit::Refused)
        }
        Err(RecordFault::Unread(reason)) => Err(reason.into()),
    }
}

impl HistoryArguments {
    /// The event that is stated, and its row; of a release there is none.
    fn event(&self) -> Option<(EventKind, Option<usize>)> {
        let voided = self.void.map(|row| (EventKind::Voided, Some(row)));
        let lifted = self.lift.map(|row| (EventKind::Lifted, Some(row)));
        let others = [(self.release, EventKind::Release), (self.lost, EventKind::Lost)];
        let other = others.into_iter().find(|(is_typed, _)| *is_typed).map(|(_, kind)| (kind, None));
        voided.or(lifted).or(other)
    }
}

/// A line and a status as monitoring programs want them.
fn nagios(arguments: &HistoryArguments) -> Result<Exit, CliError> {
    let now = tool::now_seconds();
    let (line, code) = match integrity::open(&arguments.folder) {
        Ok(store) => history::nagios(store.days(), now, i64::from(arguments.hours)),
        Err(RecordFault::Changed(fault)) => {
            (format!("DECKPROOF CRITICAL - the record was changed: {fault}\n"), 2)
        }
        Err(RecordFault::Unread(CouldNotSay(reason))) => (format!("DECKPROOF UNKNOWN - {reason}\n"), 3),
    };
    say(&line)?;
    // These programs have an order of their own.
    Ok(match code {
        0 => Exit::Passed,
        1 => Exit::Refused,
        2 => Exit::CouldNotSay,
        _ => Exit::Investigate,
    })
}

/// The page of one record or of several, what it holds, and the worst of what they say. A record that was changed is no page: its
/// folder is named.
fn page(store: Store, others: &[PathBuf]) -> Result<(String, String, Exit), RecordFault> {
    let days = |store: &Store| counted(store.days().len() as u64, "day", "days");
    if others.is_empty() {
        return Ok((history::page(&store), days(&store), state(&store)));
    }
    let mut stores = vec![store];
    for folder in others {
        let named = |words: &str| format!("{}: {words}", folder.display());
        stores.push(integrity::open(folder).map_err(|fault| match fault {
            RecordFault::Changed(words) => RecordFault::Changed(named(&words)),
            RecordFault::Unread(CouldNotSay(words)) => RecordFault::Unread(CouldNotSay(named(&words))),
        })?);
    }
    let all = stores.iter().map(days).collect::<Vec<_>>().join(", ");
    let exit = stores.iter().map(state).fold(Exit::Passed, Exit::and);
    Ok((history::overview(&stores), format!("{} records: {all}", stores.len()), exit))
}

fn state(store: &Store) -> Exit {
    history::state(store.days()).exit()
}

/// What is shown of a record that others kept as it is, and the exit status: a look at the days ends with what they say, as the
/// day itself did; --verify and what is stated end with 0 where they were done.
fn shown(arguments: &HistoryArguments) -> Result<(String, Exit), RecordFault> {
    let mut store = integrity::open(&arguments.folder)?;
    arguments.kept.iter().try_for_each(|kept| kept.check(&store))?;
    let list = arguments.kept_rows.as_deref();
    let lost =
        if arguments.lost { integrity::lost_rows(&store, &arguments.folder, list)? } else { Vec::new() };
    let check_list = |path| integrity::check_list(&store, &arguments.folder, path);
    let listed = list.filter(|_| !arguments.lost).map(check_list).transpose()?;
    if arguments.correct.is_some() || arguments.event().is_some() && !arguments.lost {
        integrity::check_may_grow(&store, &arguments.folder)?;
    }
    let unchanged = |error| RecordFault::Unread(CouldNotSay::new(error, "Nothing was added."));
    if let (Some((kind, row)), Some(reason)) = (arguments.event(), &arguments.reason) {
        let time = tool::time_utc();
        let row = row.unwrap_or(store.lines());
        let of = Statement { row, by: "", reason, time: &time, lost: &lost };
        let added = store.add_event(&arguments.folder, kind, &arguments.by, &of).map_err(unchanged)?;
        return Ok((history::event_added(&store, added), Exit::Passed));
    }
    if let (Some(row), Some(by), Some(reason)) = (arguments.correct, arguments.by.first(), &arguments.reason)
    {
        let time = tool::time_utc();
        let added = store.correct(&arguments.folder, &Statement { row, by, reason, time: &time, lost: &[] });
        return Ok((history::corrected(&store, added.map_err(unchanged)?), Exit::Passed));
    }
    if let Some(path) = &arguments.html {
        let (page, what, exit) = page(store, &arguments.others)?;
        write_atomic(path, page.as_bytes(), Access::Public)
            .map_err(|error| RecordFault::Unread(FileError::new(path, error).into()))?;
        return Ok((format!("{}: {what}.\n", path.display()), exit));
    }
    if arguments.verify {
        let (pages, known) = integrity::recompute(&store, &arguments.folder)?;
        let kept = arguments.kept.len() + listed.unwrap_or(0);
        let incidents = incidents::unrecorded(&arguments.folder, store.days());
        let sound = history::sound(&store, &Sound { pages, known, kept });
        return Ok((sound + &history::unrecorded(&incidents), Exit::Passed));
    }
    let text = match (arguments.json, arguments.csv) {
        (true, _) => history::json_lines(store.days()),
        (_, true) => history::csv(store.days()),
        _ => {
            let incidents = incidents::unrecorded(&arguments.folder, store.days());
            let table = history::table(store.days()).trim_fmt();
            let kept: String = arguments.kept.iter().map(TypedRow::words).collect();
            format!("{table}\n{kept}{}{}", history::changes(store.days()), history::unrecorded(&incidents))
        }
    };
    Ok((text, state(&store)))
}
