//! `deckproof deal`: hands under a commitment, each step durable before it is disclosed.

mod change;
mod cut;
#[cfg(feature = "store")]
mod integrity;
mod log;
mod play;

use std::fs::File;
use std::io::BufReader;
use std::path::PathBuf;

use clap::Args;

use crate::cli::CliError;
use crate::cli::deal::cut::CutArguments;
#[cfg(feature = "store")]
use crate::cli::deal::integrity::IntegrityArguments;
use crate::cli::deal::log::{GivenLog, LogArguments};
use crate::cli::deal::play::PlayArguments;
use crate::cli::screen;
use crate::file::{TEXT_BYTES_MAX, read_text_limited};
use crate::key::DayKey;
use crate::key::secret::{KEY_HELP, Secret};
use crate::stud::rules::RuleSet;
use crate::stud::seat::Seats;
use crate::table::book::{HANDS, STATE};
use crate::table::dealing::{Dealing, DealingError};
use crate::table::durable::{DurableError, DurableTable};
use crate::table::last_hand::LastHand;
use crate::table::logged::remembered;
use crate::table::recovery::Restart;
use crate::table::storage::{Folder, FolderError};
use crate::table::{HAND_MAX, Table, TableName};
use crate::text::exit::Exit;

/// The log of a table that has none yet; nobody else's name.
const DEFAULT_ORIGIN: &str = "localhost/log1";

/// Rules and seats of a table that has played no hand.
const DEFAULT_RULES: &str = "stud-hi";
const DEFAULT_SEATS: &str = "1,2,3,4,5,6";

#[derive(Args)]
pub(super) struct Arguments {
    /// The table: 1 to 64 letters, digits, dots, underscores or hyphens.
    #[arg(long)]
    table: String,
    /// How many hands to deal.
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    hands: u64,
    /// The folder of this table: public/ may be published, secret/ opens the cards.
    #[arg(long)]
    out: PathBuf,
    /// The log the hands belong to [default: that of --log, else localhost/log1].
    #[arg(long)]
    origin: Option<String>,
    /// The number of the first hand of this day [default: 1].
    #[arg(long, conflicts_with = "resume", value_parser = clap::value_parser!(u64).range(1..))]
    first_hand: Option<u64>,
    /// stud-hi, stud-8b or espacejeux [default: stud-hi; with --continue, those of the last hand played].
    #[arg(long)]
    rules: Option<String>,
    /// The seats, clockwise from the dealer's left [default: 1,2,3,4,5,6; with --continue, those of the last hand played, the dealer one seat on]. When hands are played, the dealer moves one seat on after each; without --play or --script every seat stays to the river.
    #[arg(long)]
    seats: Option<String>,
    /// Go on with the table whose state is in the folder.
    #[arg(long = "continue", id = "resume", conflicts_with = "day_key")]
    resume: bool,
    #[arg(long, value_name = "KEY",
        help = format!("The day key, for tests; by default it comes from the operating system. {KEY_HELP}"))]
    day_key: Option<Secret>,
    /// Admit that a day key given from outside makes hands nobody may play for money.
    #[arg(long)]
    not_for_production: bool,
    #[cfg(feature = "store")]
    #[command(flatten)]
    integrity: IntegrityArguments,
    #[command(flatten)]
    log: LogArguments,
    #[command(flatten)]
    play: PlayArguments,
    #[command(flatten)]
    cut: CutArguments,
}

pub(super) fn run(arguments: &Arguments) -> Result<Exit, CliError> {
    #[cfg(feature = "store")]
    if let Some(reason) = arguments.integrity.stop()? {
        screen::warn(&format!("deckproof: refused: {reason}; no hand was dealt"));
        return Ok(Exit::Refused);
    }
    let rules = arguments.rules.as_deref().map(rule_set).transpose()?;
    let seats = arguments.seats.as_deref().map(seats).transpose()?;
    let mut log = arguments.log.read(arguments.cut.wait())?;
    let resumed = if arguments.resume { Some(resume(arguments, log.take())?) } else { None };
    // How the last hand ended is known once a hand that was under way is ended.
    let last = if arguments.resume { last_hand(arguments)? } else { None };
    let rules = match (rules, &last) {
        (Some(rules), _) => rules,
        (None, Some(last)) => last.rules,
        (None, None) => rule_set(DEFAULT_RULES)?,
    };
    let seats = match (seats, &last) {
        (Some(seats), _) => seats,
        (None, Some(last)) => last.next_seats(),
        (None, None) => self::seats(DEFAULT_SEATS)?,
    };
    if let Some(change) = resumed.as_ref().and_then(|_| change::told(&arguments.out, &seats, rules)) {
        screen::warn(&format!("deckproof: {change}"));
    }
    let play = arguments.play.read(rules, &seats, last.as_ref())?;
    let (announcement, awaited) =
        arguments.cut.read(arguments.hands, &seats, arguments.not_for_production)?;
    let mut game = Dealing { rules, seats, play, announcement, awaited };
    let mut table = match resumed {
        Some(table) => table,
        None => begin(arguments, log)?,
    };
    let first = table.next_hand().unwrap_or(HAND_MAX);
    if arguments.hands > HAND_MAX - first {
        let message = format!("--hands {}: hand numbers end at {HAND_MAX}", arguments.hands);
        return Err(CliError::Usage(message));
    }
    game.deal(&mut table, arguments.hands).map_err(|error| ended(arguments, &error))?;
    let summary = summary(arguments, &game, first, &table);
    screen::say(&summary).map_err(CliError::Output)?;
    Ok(Exit::Passed)
}

/// Why the hands ended early, and what to do.
fn ended(arguments: &Arguments, error: &DealingError) -> CliError {
    match error {
        DealingError::Stopped(error) => stopped(arguments, error),
        DealingError::Spent { reason, hand } => CliError::Usage(format!(
            "{reason}. The deck is spent, and hand {hand} was voided in the log; add --continue to go on with hand {}",
            hand + 1
        )),
        error => CliError::Usage(error.to_string()),
    }
}

/// A table whose files cannot be read or written has stopped; what it began is ended later.
fn stopped(arguments: &Arguments, error: &DurableError) -> CliError {
    let out = arguments.out.display();
    let remembered =
        || remembered(&arguments.out).map_or("FOLDER".to_owned(), |log| log.display().to_string());
    CliError::Usage(match error {
        DurableError::NoTable => {
            format!("{out}: {error}; leave out --continue to begin one, or choose another folder with --out")
        }
        DurableError::Begun => {
            format!("{out}: {error}; add --continue to go on with it, or choose another folder with --out")
        }
        DurableError::StateGone => format!(
            "{out}: {error}: no hand of this table can be dealt or opened any more; void its last deck, and begin in another folder with --out and --first-hand"
        ),
        DurableError::LogWanted => {
            format!("{out}: {error}; add --log {} and --log-key", remembered())
        }
        DurableError::NotLogged => format!(
            "{out}: {error}; leave out --log to go on without one, or begin another table with --table and --out"
        ),
        DurableError::BehindLog { last, .. } => {
            format!(
                "{out}: {error}; go on in the folder that dealt hand {last}, for this one would deal its cards again"
            )
        }
        DurableError::LoggedElsewhere { last, .. } => {
            let advice = match last {
                None => "a new table begins with hand 1".to_owned(),
                Some(last) if last.is_ended => format!(
                    "go on in the folder of this table with --continue, begin in a new one with --first-hand {}, or give another --table",
                    last.hand + 1
                ),
                Some(last) => format!(
                    "go on in the folder of this table with --continue; if that is lost, void hand {} with deckproof log append first",
                    last.hand
                ),
            };
            format!("{error}; {advice}")
        }
        _ => format!(
            "{out}: {error}; nothing more was disclosed, and --continue ends the hand that was under way"
        ),
    })
}

fn unusable(error: &FolderError) -> CliError {
    CliError::Usage(error.to_string())
}

fn seats(text: &str) -> Result<Seats, CliError> {
    Seats::parse(text).map_err(|error| CliError::Usage(format!("--seats: {error}")))
}

/// How the last hand that was played left this table.
fn last_hand(arguments: &Arguments) -> Result<Option<LastHand>, CliError> {
    let out = &arguments.out;
    let path = out.join(HANDS);
    let records = File::open(&path).map_err(|error| CliError::file(&path, error))?;
    let read = |file: &str| read_text_limited(&out.join(file), TEXT_BYTES_MAX);
    LastHand::find(BufReader::new(records), read)
        .map_err(|error| CliError::Usage(format!("{}: {error}", out.display())))
}

fn rule_set(name: &str) -> Result<&'static RuleSet, CliError> {
    RuleSet::named(name).ok_or_else(|| {
        let known: Vec<&str> = RuleSet::ALL.iter().map(|rules| rules.name).collect();
        CliError::Usage(format!("--rules {name:?}: wanted one of {}", known.join(", ")))
    })
}

/// A table at the start of a day, in a folder where none has begun.
fn begin(arguments: &Arguments, log: Option<GivenLog>) -> Result<DurableTable<Folder>, CliError> {
    let usage = |error: &dyn std::fmt::Display| CliError::Usage(error.to_string());
    let logged = log.as_ref().map(|log| &log.origin[..]);
    let origin = arguments.origin.as_deref().or(logged).unwrap_or(DEFAULT_ORIGIN);
    if let Some(logged) = logged.filter(|logged| *logged != origin) {
        return Err(usage(&format!("--origin {origin}: the log of --log is {logged}")));
    }
    let name = TableName::new(origin, &arguments.table).map_err(|error| usage(&error))?;
    let first_hand = arguments.first_hand.unwrap_or(1);
    let table = Table::begin(name, day_key(arguments)?, first_hand).map_err(|error| usage(&error))?;
    if arguments.hands > HAND_MAX - first_hand {
        return Err(usage(&format!("--hands {}: hand numbers end at {HAND_MAX}", arguments.hands)));
    }
    let folder = Folder::create(&arguments.out).map_err(|error| unusable(&error))?;
    let begun = match log {
        None => DurableTable::begin(folder, table),
        Some(log) => DurableTable::begin_logged(folder, table, Box::new(log.open(&arguments.out)?)),
    };
    begun.map_err(|error| stopped(arguments, &error))
}

fn day_key(arguments: &Arguments) -> Result<DayKey, CliError> {
    match &arguments.day_key {
        None => DayKey::fresh().map_err(|error| CliError::Key { option: "day key".to_owned(), error }),
        Some(_) if !arguments.not_for_production => Err(CliError::Usage(
            "--day-key is refused: whoever chose the key knows every card; leave it out, or add --not-for-production for a test"
                .to_owned(),
        )),
        Some(key) => Ok(key.key("--day-key")?),
    }
}

/// The table whose state is in the folder; the hand that was under way is ended.
fn resume(arguments: &Arguments, log: Option<GivenLog>) -> Result<DurableTable<Folder>, CliError> {
    let out = &arguments.out;
    if !out.join(STATE).exists() {
        return Err(stopped(arguments, &DurableError::NoTable));
    }
    let folder = Folder::open(out).map_err(|error| unusable(&error))?;
    let resumed = match log {
        None => DurableTable::resume(folder),
        Some(log) => DurableTable::resume_logged(folder, Box::new(log.open(out)?)),
    };
    let (table, restart) = resumed.map_err(|error| stopped(arguments, &error))?;
    match &restart {
        Restart::Clean => {}
        Restart::Closed { hand } => {
            screen::warn(&format!("deckproof: hand {hand} had been played to its end and was closed now"))
        }
        Restart::Voided { hand, reason } => {
            screen::warn(&format!(
                "deckproof: hand {hand} was under way when the table stopped; it was voided ({reason})"
            ));
        }
    }
    let (origin, name) = (table.name().origin(), table.name().table());
    let is_this = name == arguments.table && arguments.origin.as_deref().is_none_or(|given| given == origin);
    match is_this {
        true => Ok(table),
        false => Err(CliError::Usage(format!(
            "{}: found the table {name} of {origin}; give its --table and --origin",
            out.display()
        ))),
    }
}

fn summary(arguments: &Arguments, game: &Dealing, first: u64, table: &DurableTable<Folder>) -> String {
    let next = table.next_hand().unwrap_or(HAND_MAX);
    let (name, origin) = (table.name().table(), table.name().origin());
    let hands = match next - 1 == first {
        true => format!("Dealt hand {first}"),
        false => format!("Dealt hands {first} to {}", next - 1),
    };
    let key = match (&arguments.day_key, arguments.resume) {
        (Some(_), _) => "The day key was given from outside: these hands are not for production.",
        (None, true) => "The table went on from its state.",
        (None, false) => "The day key came from the operating system and was not kept.",
    };
    let history = match game.play {
        Some(_) => {
            "\n  public/hand-N.phh       For everybody: the hand as played, with the up cards and the hands shown."
        }
        None => "",
    };
    let (logged, proofs) = match arguments.log.folder() {
        Some(log) => (
            format!(
                "\n  public/hand-{last}.*.proof   For its seats: the receipts of hand {last}, handed out before its first card; those of earlier hands come with their bundles.\n  public/receipts.txt     For everybody: where the log has each hand, and under which checkpoint it was opened.",
                last = next - 1
            ),
            format!("Every entry is in the log {} under a signed checkpoint.\n", log.display()),
        ),
        None => (String::new(), String::new()),
    };
    let seats = match game.play {
        Some(_) => format!("the next hand's seats {}", game.seats),
        None => format!("seats {}", game.seats),
    };
    let (rules, out) = (game.rules.name, arguments.out.display());
    format!(
        "{hands} at table {name} of {origin}, rules {rules}, {seats}. {key}\n\
         In {out}:\n  \
         public/entries.txt      For everybody: the log entries of this table; they name no cards.\n  \
         public/transcripts.txt  For everybody: which card went where, without its face.{history}{logged}\n  \
         secret/hands.txt        For the operator alone: it opens every hand dealt here (mode 0600).\n  \
         secret/state            For the operator alone: it opens hand {next} and all later ones (mode 0600).\n\
         {proofs}To hand out what a player may see: deckproof bundle {out} --hand N --seat S\n\
         To check it: deckproof verify FILE…\n"
    )
}
