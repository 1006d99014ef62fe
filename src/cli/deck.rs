//! `deckproof deck`: the deck a key leads to.

use clap::Args;

use crate::cli::{CliError, done, failed};
use deckproof_audit::source::audit::key_of_seed;
use deckproof_deck::key::secret::{KEY_HELP, Secret};
use deckproof_deck::key::{AuditKey, ChainKey, DayKey, HandContext, HandKey};
use deckproof_deck::shuffle::shuffle_hand;
use deckproof_deck::text::exit::Exit;
use deckproof_table::table::{HAND_MAX, TableName};
use deckproof_verify::log::entry::Mix;

/// A chain is walked hand by hand, so a hand further away than this is refused.
const CHAIN_STEPS_MAX: u64 = 100_000_000;

#[derive(Args)]
pub(super) struct DeckArguments {
    #[command(flatten)]
    key: KeyArgument,
    /// Which deck of the audit key or of the seed, from 0.
    #[arg(long, conflicts_with_all = ["hand_key", "day_key"])]
    index: Option<u64>,
    /// The log of the table, such as stud.example/log1.
    #[arg(long, requires = "day_key")]
    origin: Option<String>,
    /// The table.
    #[arg(long, requires = "day_key")]
    table: Option<String>,
    /// The hand's number.
    #[arg(long, requires = "day_key")]
    hand: Option<u64>,
    /// none, beacon or players.
    #[arg(long, requires = "day_key")]
    mix: Option<String>,
    /// The first hand of the day key's chain [default: 1].
    #[arg(long, requires = "day_key")]
    first_hand: Option<u64>,
    /// Print {"deck": ["7h", …]}.
    #[arg(long)]
    json: bool,
}

#[derive(Args)]
#[group(required = true, multiple = false)]
struct KeyArgument {
    #[arg(long, value_name = "KEY", help = format!("The key of one hand: {KEY_HELP}"))]
    hand_key: Option<Secret>,
    #[arg(long, value_name = "KEY", requires = "index", help = format!("The key of an audit: {KEY_HELP}"))]
    audit_key: Option<Secret>,
    /// A text that the key of an audit is made from, as `audit --seed` makes it. Never for play.
    #[arg(long, value_name = "TEXT", requires = "index")]
    seed: Option<String>,
    #[arg(long, value_name = "KEY", requires_all = ["origin", "table", "hand", "mix"],
        help = format!("The key of a table's day: {KEY_HELP}"))]
    day_key: Option<Secret>,
}

pub(super) fn run(arguments: &DeckArguments) -> Result<Exit, CliError> {
    let cards: Vec<String> =
        shuffle_hand(&hand_key(arguments)?).cards().map(|card| card.to_string()).collect();
    let line =
        if arguments.json { serde_json::json!({ "deck": cards }).to_string() } else { cards.join(" ") };
    done(&format!("{line}\n"))
}

fn hand_key(arguments: &DeckArguments) -> Result<HandKey, CliError> {
    match &arguments.key {
        KeyArgument { hand_key: Some(key), .. } => Ok(key.key("--hand-key")?),
        KeyArgument { audit_key: Some(key), .. } => {
            let index = needed(&arguments.index, "--index")?;
            Ok(key.key::<AuditKey>("--audit-key")?.hand_key(*index))
        }
        KeyArgument { seed: Some(text), .. } => {
            let index = needed(&arguments.index, "--index")?;
            let key = key_of_seed(text).map_err(|error| CliError::Problem(format!("--seed: {error}")))?;
            Ok(key.hand_key(*index))
        }
        KeyArgument { day_key: Some(key), .. } => chain_hand_key(key, arguments),
        _ => Err(CliError::Problem("give one of --hand-key, --audit-key, --seed and --day-key".to_owned())),
    }
}

fn needed<'a, T>(value: &'a Option<T>, option: &str) -> Result<&'a T, CliError> {
    value.as_ref().ok_or_else(|| CliError::Problem(format!("this key also needs {option}")))
}

fn chain_hand_key(day_key: &Secret, arguments: &DeckArguments) -> Result<HandKey, CliError> {
    let (origin, table) = (needed(&arguments.origin, "--origin")?, needed(&arguments.table, "--table")?);
    let name = TableName::new(origin, table).map_err(failed)?;
    let mix = needed(&arguments.mix, "--mix")?;
    let unknown = || CliError::Problem(format!("--mix {mix:?}: wanted none, beacon or players"));
    let mix = Mix::named(mix).ok_or_else(unknown)?;
    let (first, hand) = (arguments.first_hand.unwrap_or(1), *needed(&arguments.hand, "--hand")?);
    if first < 1 || hand < first || hand > HAND_MAX || hand - first > CHAIN_STEPS_MAX {
        let message = format!(
            "--hand {hand} is not reached from --first-hand {first}: wanted a hand from there on, at most {CHAIN_STEPS_MAX} hands further"
        );
        return Err(CliError::Problem(message));
    }
    let day_key: DayKey = day_key.key("--day-key")?;
    let first_key = day_key.chain(name.origin(), name.table(), first);
    let chain = (first..hand).fold(first_key, |chain: ChainKey, _| chain.next());
    Ok(chain.hand_key(&HandContext::new(name.origin(), name.table(), hand, mix.name())))
}
