//! `deckproof seed`: a player's seed for the cut, and the commitment to it.

use std::path::{Path, PathBuf};

use clap::Args;

use crate::cli::bundle::parse_seat;
use crate::cli::{CliError, failed, print, screen, write};
use deckproof_deck::commitment::cut::seed_commitment;
use deckproof_deck::commitment::digest::Digest;
use deckproof_deck::key::{DayKey, HandContext};
use deckproof_deck::text::exit::Exit;
use deckproof_files::file::Access;
use deckproof_stud::stud::seat::Seat;
use deckproof_table::table::{HAND_MAX, TableName};
use deckproof_verify::log::entry::Mix;

#[derive(Args)]
pub(super) struct SeedArguments {
    /// The log of the table, such as stud.example/log1: a seed for another one makes the hand void. A table without a log has the one that deckproof deal names, localhost/log1 unless it was given another.
    #[arg(long, value_name = "NAME")]
    origin: String,
    /// The table.
    #[arg(long)]
    table: String,
    /// The hand that the seed is for.
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..=HAND_MAX))]
    hand: u64,
    /// Your seat.
    #[arg(long, value_parser = parse_seat)]
    seat: Seat,
    /// Where the seed is kept (mode 0600); a file that is there is not overwritten. Give it away only when the hand is open and you have saved its open entry.
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

pub(super) fn run(arguments: &SeedArguments) -> Result<Exit, CliError> {
    let SeedArguments { origin, table, hand, seat, out } = arguments;
    let name = TableName::new(origin, table).map_err(failed)?;
    if out.exists() {
        return Err(CliError::Problem(format!(
            "{}: the file is there; a seed is for one hand, so choose another name",
            out.display()
        )));
    }
    // Any 32 fresh bytes will do.
    let seed = DayKey::fresh().map_err(|error| CliError::Problem(format!("seed: {error}")))?;
    let text = seed.disclose();
    let digest = Digest::from_hex(&text).expect("32 bytes in lower-case hexadecimal");
    write(out, format!("{}\n", *text).as_bytes(), Access::OwnerOnly)?;
    let context = HandContext::new(name.origin(), name.table(), *hand, Mix::Players.name());
    let commit = seed_commitment(&context, seat.number(), &digest);
    print(&format!("{seat}:{commit}\n"))?;
    screen::warn(&advice(*hand, name.table(), out));
    Ok(Exit::Passed)
}

/// What the player does before the seed is given away: who knows it before the deck and the opening are fixed can choose
/// the cut.
fn advice(hand: u64, table: &str, seed: &Path) -> String {
    format!(
        "The line above goes to the operator now, before hand {hand} of table {table}.\n\
         Before you give the seed in {}: save the hand's open entry, with its receipt if there is a log, and check that your \
         line is in it. Without it nobody can show later that the cut was not chosen after your seed was known.",
        seed.display()
    )
}
