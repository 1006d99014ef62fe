//! `deckproof deal`: hands under a commitment, each step durable before it is disclosed.

mod cut;
pub(in crate::cli) mod integrity;
mod log;
mod play;

use std::path::PathBuf;

use clap::Args;

use crate::cli::deal::cut::CutArguments;
use crate::cli::deal::integrity::IntegrityArguments;
use crate::cli::deal::log::DealLogArguments;
use crate::cli::deal::play::PlayArguments;
use crate::cli::{CliError, done, screen, tool};
use deckproof_deck::key::secret::{KEY_HELP, Secret};
use deckproof_deck::text::exit::Exit;
use deckproof_report::rendering;
use deckproof_report::rendering::dealing::summary;
use deckproof_table::table::request::DealOptions;

#[derive(Args)]
pub(super) struct DealArguments {
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
    /// A reading that the rules leave open, bound in the open entry of each hand, such as odd_chip=left_of_dealer; several, each with --reading.
    #[arg(long = "reading", value_name = "NAME=VALUE")]
    readings: Vec<String>,
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
    #[command(flatten)]
    integrity: IntegrityArguments,
    #[command(flatten)]
    log: DealLogArguments,
    #[command(flatten)]
    play: PlayArguments,
    #[command(flatten)]
    cut: CutArguments,
}

pub(super) fn run(arguments: &DealArguments) -> Result<Exit, CliError> {
    if let Some(reason) = arguments.integrity.stop()? {
        screen::warn(&format!("deckproof: refused: {reason}; no hand was dealt"));
        return Ok(Exit::Refused);
    }
    arguments.cut.while_waiting(&arguments.out).iter().for_each(|words| screen::warn(words));
    let options = arguments.options()?;
    let dealt = options
        .deal(tool::posix_seconds, screen::warn)
        .map_err(|fault| rendering::dealing::fault(&options.out, fault))?;
    done(&summary(&options, &dealt))
}

impl DealArguments {
    /// What was typed.
    fn options(&self) -> Result<DealOptions, CliError> {
        Ok(DealOptions {
            table: self.table.clone(),
            hands: self.hands,
            out: self.out.clone(),
            origin: self.origin.clone(),
            first_hand: self.first_hand,
            rules: self.rules.clone(),
            readings: self.readings.clone(),
            seats: self.seats.clone(),
            is_resumed: self.resume,
            day_key: self.day_key.clone(),
            is_test: self.not_for_production,
            log: self.log.options(self.cut.wait())?,
            play: self.play.options(),
            cut: self.cut.options()?,
        })
    }
}
