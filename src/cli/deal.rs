//! `deckproof deal`: hands under a commitment, as files.

mod play;

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::Args;
use zeroize::Zeroizing;

use crate::cli::CliError;
use crate::cli::deal::play::{Play, PlayArguments};
use crate::cli::exit::Exit;
use crate::cli::screen;
use crate::file::{Access, write_atomic};
use crate::key::DayKey;
use crate::key::secret::{KEY_HELP, Secret};
use crate::stud::rules::RuleSet;
use crate::stud::seat::Seats;
use crate::table::play::{PlayedHand, Setting, Unplayed, play_hand};
use crate::table::{CommittedHand, DealtHand, HAND_MAX, Table, TableName, deal_hand};

/// The log of a table that has none yet; nobody else's name.
const DEFAULT_ORIGIN: &str = "localhost/log1";

/// Five streets: where hands are not played, every seat stays to the river.
const STREETS: usize = 5;

#[derive(Args)]
pub(super) struct Arguments {
    /// The table: 1 to 64 letters, digits, dots, underscores or hyphens.
    #[arg(long)]
    table: String,
    /// How many hands to deal.
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    hands: u64,
    /// The folder to write to: one table, a folder for each hand. An existing hand is never overwritten.
    #[arg(long)]
    out: PathBuf,
    /// The log the hands belong to [default: localhost/log1].
    #[arg(long)]
    origin: Option<String>,
    /// The number of the first hand of this day [default: 1].
    #[arg(long, conflicts_with = "resume", value_parser = clap::value_parser!(u64).range(1..))]
    first_hand: Option<u64>,
    /// stud-hi, stud-8b or espacejeux.
    #[arg(long, default_value = "stud-hi")]
    rules: String,
    /// The seats, clockwise from the dealer's left; without --play or --script every seat stays to the river.
    #[arg(long, default_value = "1,2,3,4,5,6")]
    seats: String,
    /// Go on with the table whose state is in the folder.
    #[arg(long = "continue", id = "resume", conflicts_with = "day_key")]
    resume: bool,
    #[arg(long, value_name = "KEY",
        help = format!("The day key, for tests; by default it comes from the operating system. {KEY_HELP}"))]
    day_key: Option<Secret>,
    /// Admit that a day key given from outside makes hands nobody may play for money.
    #[arg(long)]
    not_for_production: bool,
    #[command(flatten)]
    play: PlayArguments,
}

pub(super) fn run(arguments: &Arguments) -> Result<Exit, CliError> {
    let usage = |error: &dyn std::fmt::Display| CliError::Usage(error.to_string());
    let rules = rule_set(&arguments.rules)?;
    let seats = Seats::parse(&arguments.seats).map_err(|error| usage(&format!("--seats: {error}")))?;
    let play = arguments.play.read(rules, &seats)?;
    let mut table = if arguments.resume { resume(arguments)? } else { begin(arguments)? };
    let first = table.next_hand();
    if arguments.hands > HAND_MAX - first {
        return Err(usage(&format!("--hands {}: hand numbers end at {HAND_MAX}", arguments.hands)));
    }
    let name = table.name().clone();
    let deal = |committed| deal_one(committed, &name, rules, &seats, play.as_ref());
    for _ in 0..arguments.hands {
        let (committed, next) = table.commit();
        let folder = arguments.out.join(format!("hand-{}", next.next_hand() - 1));
        create_hand_folder(&folder)?;
        write(&folder.join("deck.txt"), committed.deck_entry(), Access::Public)?;
        // The chain must have moved on, durably, before the hand may start.
        write(&state_path(&arguments.out), &next.disclose_state(), Access::OwnerOnly)?;
        match deal(committed)? {
            Ok(hand) => write_hand(&folder, &hand, &seats)?,
            Err(unplayed) => return Err(write_voided(&folder, &unplayed)?),
        }
        table = next;
    }
    let summary = summary(arguments, &seats, first, &table, play.is_some());
    screen::out().write_all(summary.as_bytes()).map_err(CliError::Output)?;
    Ok(Exit::Passed)
}

/// Deals a hand, and plays it if it is to be played.
fn deal_one(
    committed: CommittedHand,
    name: &TableName,
    rules: &'static RuleSet,
    seats: &Seats,
    play: Option<&Play>,
) -> Result<Result<PlayedHand, Box<Unplayed>>, CliError> {
    let Some(Play { plan, stakes }) = play else {
        let streets = vec![seats.in_order().to_vec(); STREETS];
        let hand = deal_hand(committed, rules, seats, &streets);
        let hand = hand.map_err(|error| CliError::Usage(error.to_string()))?;
        return Ok(Ok(PlayedHand { hand, shown_down: Vec::new() }));
    };
    let setting = Setting { name: name.clone(), rules, seats: seats.clone(), stakes: stakes.clone() };
    Ok(play_hand(committed, &setting, plan))
}

fn rule_set(name: &str) -> Result<&'static RuleSet, CliError> {
    RuleSet::named(name).ok_or_else(|| {
        let known: Vec<&str> = RuleSet::ALL.iter().map(|rules| rules.name).collect();
        CliError::Usage(format!("--rules {name:?}: wanted one of {}", known.join(", ")))
    })
}

fn state_path(out: &Path) -> PathBuf {
    out.join("state")
}

/// A table at the start of a day, in a folder where none has begun.
fn begin(arguments: &Arguments) -> Result<Table, CliError> {
    let origin = arguments.origin.as_deref().unwrap_or(DEFAULT_ORIGIN);
    let name =
        TableName::new(origin, &arguments.table).map_err(|error| CliError::Usage(error.to_string()))?;
    let day_key = day_key(arguments)?;
    let state = state_path(&arguments.out);
    if state.try_exists().map_err(|error| CliError::file(&state, error))? {
        return Err(CliError::Usage(format!(
            "{}: a table has begun here; add --continue to go on with it, or choose another folder with --out",
            state.display()
        )));
    }
    fs::create_dir_all(&arguments.out).map_err(|error| CliError::file(&arguments.out, error))?;
    let first_hand = arguments.first_hand.unwrap_or(1);
    Table::begin(name, day_key, first_hand).map_err(|error| CliError::Usage(error.to_string()))
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

/// The table whose state is in the folder.
fn resume(arguments: &Arguments) -> Result<Table, CliError> {
    let path = state_path(&arguments.out);
    let text = Zeroizing::new(fs::read_to_string(&path).map_err(|error| CliError::file(&path, error))?);
    let usage = |message: String| CliError::Usage(format!("{}: {message}", path.display()));
    let table = Table::from_state(&text).map_err(|error| usage(error.to_string()))?;
    let (origin, name) = (table.name().origin(), table.name().table());
    let is_this = name == arguments.table && arguments.origin.as_deref().is_none_or(|given| given == origin);
    match is_this {
        true => Ok(table),
        false => Err(usage(format!("found the table {name} of {origin}; give its --table and --origin"))),
    }
}

fn create_hand_folder(folder: &Path) -> Result<(), CliError> {
    fs::create_dir(folder).map_err(|error| match error.kind() {
        io::ErrorKind::AlreadyExists => CliError::Usage(format!(
            "{}: this hand exists and is not overwritten; choose another folder with --out, or other hands with --first-hand",
            folder.display()
        )),
        _ => CliError::file(folder, error),
    })
}

fn write(path: &Path, text: &str, access: Access) -> Result<(), CliError> {
    write_atomic(path, text.as_bytes(), access).map_err(|error| CliError::file(path, error))
}

fn write_hand(folder: &Path, played: &PlayedHand, seats: &Seats) -> Result<(), CliError> {
    let PlayedHand { hand, shown_down } = played;
    write_public(folder, hand)?;
    write(&folder.join("full-reveal.json"), &hand.full_bundle(), Access::OwnerOnly)?;
    for &seat in seats.in_order() {
        let path = folder.join(format!("seat-{seat}.json"));
        write(&path, &hand.seat_bundle(seat, shown_down), Access::OwnerOnly)?;
    }
    Ok(())
}

/// The entries of a hand that could not be played, so that the log does not dangle; then what to say.
fn write_voided(folder: &Path, unplayed: &Unplayed) -> Result<CliError, CliError> {
    let voided = &unplayed.voided;
    if let Some(open) = voided.open_entry() {
        write(&folder.join("open.txt"), open, Access::Public)?;
    }
    write(&folder.join("void.txt"), voided.void_entry(), Access::Public)?;
    if let Some(bundle) = voided.full_bundle() {
        write(&folder.join("full-reveal.json"), &bundle, Access::OwnerOnly)?;
    }
    Ok(CliError::Usage(format!(
        "{}. The deck is spent and the hand was voided: publish {} after deck.txt and open.txt; full-reveal.json opens it for the lab; add --continue to go on with hand {}",
        unplayed.error,
        folder.join("void.txt").display(),
        voided.number() + 1
    )))
}

fn write_public(folder: &Path, hand: &DealtHand) -> Result<(), CliError> {
    let public = [
        ("open.txt", hand.open_entry()),
        ("transcript.txt", hand.transcript()),
        ("close.txt", hand.close_entry()),
    ];
    for (name, text) in public {
        write(&folder.join(name), text, Access::Public)?;
    }
    match hand.history() {
        Some(history) => write(&folder.join("history.phh"), history, Access::Public),
        None => Ok(()),
    }
}

fn summary(arguments: &Arguments, seats: &Seats, first: u64, table: &Table, is_played: bool) -> String {
    let next = table.next_hand();
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
    let history = match is_played {
        true => {
            "hand-N/history.phh      For everybody: the hand as played, with the up cards and the hands shown.\n  "
        }
        false => "",
    };
    format!(
        "{hands} at table {name} of {origin}, rules {}, seats {seats}. {key}\n\
         In {}:\n  \
         hand-N/deck.txt, open.txt, transcript.txt, close.txt  For everybody; they name no cards.\n  {history}\
         hand-N/seat-S.json       For the player in seat S alone: the open cards and that seat's own (mode 0600).\n  \
         hand-N/full-reveal.json  For an arbiter alone: it opens all 52 cards (mode 0600).\n  \
         state                    For the operator alone: it opens hand {next} and all later ones (mode 0600).\n\
         To check them: deckproof verify FILE…\n",
        arguments.rules,
        arguments.out.display()
    )
}
