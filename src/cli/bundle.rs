//! `deckproof bundle`: what a seat may see of a hand that was dealt, or everything for an arbiter.

use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::str::FromStr;

use clap::Args;

use crate::cli::{CliError, print, screen};
use deckproof_deck::text::exit::Exit;
use deckproof_files::file::own;
use deckproof_report::output::bundles::write_hands;
use deckproof_stud::stud::seat::Seat;
use deckproof_table::table::link;
use deckproof_table::table::reveals::BundlesWanted;

#[derive(Args)]
pub(super) struct BundleArguments {
    /// The folder of the table, as deckproof deal wrote it.
    #[arg(value_name = "FOLDER")]
    table: PathBuf,
    /// The hand, or several: 4, 1-3 or 1,4,7-9.
    #[arg(long, value_name = "HANDS", required = true, value_delimiter = ',')]
    hand: Vec<Range>,
    /// Only what this seat may see, of a voided hand its entries and their receipts; without --seat and --full everything is written.
    #[arg(long, value_name = "SEAT", conflicts_with = "full", value_parser = parse_seat)]
    seat: Option<Seat>,
    /// Only the full reveal: it opens all 52 cards, for an arbiter.
    #[arg(long)]
    full: bool,
    /// Print a link to this page beside each file, with the bundle of the seat behind its #: for a hand history (docs/page.md).
    #[arg(long, value_name = "ADDRESS", requires = "seat", conflicts_with = "full")]
    link: Option<String>,
    /// The log whose proofs go into the bundles [default: the one the table was dealt with].
    #[arg(long, value_name = "FOLDER")]
    log: Option<PathBuf>,
    /// Where the folder hand-N of each hand is made [default: the folder of the table].
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
}

/// Hands by number, from one to another.
#[derive(Clone, Copy)]
struct Range {
    first: u64,
    last: u64,
}

impl FromStr for Range {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Range, &'static str> {
        let (first, last) = text.split_once('-').unwrap_or((text, text));
        match (first.parse(), last.parse()) {
            (Ok(first), Ok(last)) if first <= last => Ok(Range { first, last }),
            _ => Err("wanted a hand such as 4, or a range such as 1-3"),
        }
    }
}

/// Reads the number of a seat.
pub(super) fn parse_seat(text: &str) -> Result<Seat, &'static str> {
    Seat::parse(text).ok_or("wanted a seat 1 to 8")
}

/// What a page reads behind a link at most.
const BUNDLE_BYTES_MAX: u64 = 1 << 20;

pub(super) fn run(arguments: &BundleArguments) -> Result<Exit, CliError> {
    let wanted = match (arguments.seat, arguments.full) {
        (Some(seat), _) => BundlesWanted::Seat(seat),
        (None, true) => BundlesWanted::Full,
        (None, false) => BundlesWanted::Everything,
    };
    let (log, out) = (arguments.log.as_deref(), arguments.out.as_deref());
    let hands: Vec<RangeInclusive<u64>> =
        arguments.hand.iter().map(|range| range.first..=range.last).collect();
    let mut written = write_hands(&arguments.table, log, out, &hands, wanted)?;
    let is_one = matches!(&hands[..], [hand] if hand.start() == hand.end());
    if is_one && let Some(hole) = written.holes.pop() {
        return Err(CliError::Problem(hole));
    }
    for path in &written.paths {
        print(&format!("{}\n", path.display()))?;
        if let Some(address) = &arguments.link {
            let bundle =
                own::read_limited(path, BUNDLE_BYTES_MAX).map_err(|error| CliError::file(path, error))?;
            print(&format!("{}\n", link::of_bundle(address, &bundle).map_err(CliError::Output)?))?;
        }
    }
    for (hand, reason) in &written.voided {
        screen::warn(&format!(
            "deckproof: hand {hand} was voided ({reason}): its players are given its entries, and no cards. With them a player compares deck.txt and \
             open.txt with what was saved before the hand; void.txt has the reason, which is the operator's word"
        ));
    }
    for hole in &written.holes {
        screen::warn(&format!("deckproof: nothing was written of a hand: {hole}"));
    }
    Ok(if written.holes.is_empty() { Exit::Passed } else { Exit::CouldNotSay })
}
