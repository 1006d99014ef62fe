//! `deckproof bundle`: what a seat may see of a hand that was dealt, or everything for an arbiter.

use std::fs::{DirBuilder, File};
use std::io::{self, BufReader};
use std::path::{Path, PathBuf};
use std::str::FromStr;

use clap::Args;
use zeroize::Zeroizing;

use crate::cli::CliError;
use crate::cli::deal::log::remembered;
use crate::cli::exit::Exit;
use crate::cli::screen;
use crate::file::{Access, TEXT_BYTES_MAX, read_text_limited, write_atomic};
use crate::ledger::log::LogError;
use crate::ledger::log::reader::LogReader;
use crate::stud::seat::Seat;
use crate::table::book::{ENTRIES, HANDS, RECEIPTS, TRANSCRIPTS, history_file};
use crate::table::logged::ReceiptRecord;
use crate::table::restore::{EndedHand, RestoreError, WrittenHand, early_receipts};
use crate::table::{DealtHand, VoidedHand};

#[derive(Args)]
pub(super) struct Arguments {
    /// The folder of the table, as deckproof deal wrote it.
    #[arg(value_name = "FOLDER")]
    table: PathBuf,
    /// The hand, or several: 4, 1-3 or 1,4,7-9.
    #[arg(long, value_name = "HANDS", required = true, value_delimiter = ',')]
    hand: Vec<Range>,
    /// Only what this seat may see; without --seat and --full everything is written.
    #[arg(long, value_name = "SEAT", conflicts_with = "full", value_parser = parse_seat)]
    seat: Option<Seat>,
    /// Only the full reveal: it opens all 52 cards, for an arbiter.
    #[arg(long)]
    full: bool,
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

fn parse_seat(text: &str) -> Result<Seat, &'static str> {
    Seat::parse(text).ok_or("wanted a seat 1 to 8")
}

/// Which bundles are wanted.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Wanted {
    Everything,
    Seat(Seat),
    Full,
}

pub(super) fn run(arguments: &Arguments) -> Result<Exit, CliError> {
    let wanted = match (arguments.seat, arguments.full) {
        (Some(seat), _) => Wanted::Seat(seat),
        (None, true) => Wanted::Full,
        (None, false) => Wanted::Everything,
    };
    let mut said = String::new();
    for range in &arguments.hand {
        for hand in range.first..=range.last {
            for path in write_hand(arguments, hand, wanted)? {
                said.push_str(&format!("{}\n", path.display()));
            }
        }
    }
    screen::say(&said).map_err(CliError::Output)?;
    Ok(Exit::Passed)
}

fn write_hand(arguments: &Arguments, hand: u64, wanted: Wanted) -> Result<Vec<PathBuf>, CliError> {
    let ended = read_hand(&arguments.table, hand)?;
    let log = arguments.log.clone().or_else(|| remembered(&arguments.table));
    let (ended, receipts) = match log {
        Some(log) => proven(ended, &arguments.table, hand, &log)?,
        None => (ended, Vec::new()),
    };
    if let Wanted::Seat(seat) = wanted
        && !ended.seats().has(seat)
    {
        let message = format!("--seat {seat}: hand {hand} was dealt to the seats {}", ended.seats());
        return Err(CliError::Usage(message));
    }
    let folder = arguments.out.as_ref().unwrap_or(&arguments.table).join(format!("hand-{hand}"));
    DirBuilder::new().recursive(true).create(&folder).map_err(|error| CliError::file(&folder, error))?;
    let mut files = match &ended {
        EndedHand::Closed(dealt, shown_down) => closed_files(dealt, shown_down, &ended, wanted),
        EndedHand::Voided(voided) => voided_files(voided, hand, wanted)?,
    };
    if wanted == Wanted::Everything {
        files.extend(receipts);
    }
    let mut written = Vec::new();
    for (name, text, access) in files {
        let path = folder.join(name);
        write_atomic(&path, text.as_bytes(), access).map_err(|error| CliError::file(&path, error))?;
        written.push(path);
    }
    Ok(written)
}

/// A file to be written: its name, its text and who may read it.
type Written = (String, Zeroizing<String>, Access);

fn public(name: &str, text: &str) -> Written {
    (name.to_owned(), Zeroizing::new(text.to_owned()), Access::Public)
}

fn closed_files(dealt: &DealtHand, shown_down: &[Seat], ended: &EndedHand, wanted: Wanted) -> Vec<Written> {
    let mut files = Vec::new();
    if wanted == Wanted::Everything {
        files.push(public("deck.txt", dealt.deck_entry()));
        files.push(public("open.txt", dealt.open_entry()));
        files.extend(dealt.cut_entry().map(|text| public("cut.txt", text)));
        files.push(public("transcript.txt", dealt.transcript()));
        files.push(public("close.txt", dealt.close_entry()));
        files.extend(dealt.history().map(|text| public("history.phh", text)));
    }
    if matches!(wanted, Wanted::Everything | Wanted::Full) {
        files.push(("full-reveal.json".to_owned(), dealt.full_bundle(), Access::OwnerOnly));
    }
    for &seat in ended.seats().in_order() {
        if wanted == Wanted::Everything || wanted == Wanted::Seat(seat) {
            let bundle = dealt.seat_bundle(seat, shown_down);
            files.push((format!("seat-{seat}.json"), bundle, Access::OwnerOnly));
        }
    }
    files
}

fn voided_files(voided: &VoidedHand, hand: u64, wanted: Wanted) -> Result<Vec<Written>, CliError> {
    if let Wanted::Seat(seat) = wanted {
        return Err(CliError::Usage(format!(
            "--seat {seat}: hand {hand} was voided, so no seat is shown anything; --full opens it for the lab"
        )));
    }
    let mut files = Vec::new();
    if wanted == Wanted::Everything {
        files.push(public("deck.txt", voided.deck_entry()));
        files.extend(voided.open_entry().map(|text| public("open.txt", text)));
        files.extend(voided.cut_entry().map(|text| public("cut.txt", text)));
        files.push(public("void.txt", voided.void_entry()));
    }
    let bundle = voided.full_bundle().map(|text| ("full-reveal.json".to_owned(), text, Access::OwnerOnly));
    files.extend(bundle);
    Ok(files)
}

/// The hand with the proofs of its log, and the receipts that were handed out before its first card.
fn proven(
    ended: EndedHand,
    table: &Path,
    hand: u64,
    log: &Path,
) -> Result<(EndedHand, Vec<Written>), CliError> {
    let failed = |error: LogError| {
        CliError::Usage(format!(
            "hand {hand} in the log {}: {error}; another log is given with --log",
            log.display()
        ))
    };
    let reader = LogReader::open(log).map_err(failed)?;
    let path = table.join(RECEIPTS);
    let record = match File::open(&path) {
        Ok(file) => {
            ReceiptRecord::find(hand, BufReader::new(file)).map_err(|error| CliError::file(&path, error))?
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        Err(error) => return Err(CliError::file(&path, error)),
    };
    let ended = ended.with_proofs(record.as_ref(), &reader).map_err(failed)?;
    let receipts = match &record {
        Some(record) => {
            let [deck, open] = early_receipts(record, &reader).map_err(failed)?;
            vec![public("deck.proof", &deck), public("open.proof", &open)]
        }
        None => Vec::new(),
    };
    Ok((ended, receipts))
}

/// The hand as the files of its table have it.
fn read_hand(table: &Path, hand: u64) -> Result<EndedHand, CliError> {
    let open = |file: &str| {
        let path = table.join(file);
        File::open(&path).map(BufReader::new).map_err(|error| CliError::file(&path, error))
    };
    let unfit = |error: RestoreError| CliError::Usage(format!("{}: {error}", table.display()));
    let written = WrittenHand::find(hand, open(ENTRIES)?, open(TRANSCRIPTS)?, open(HANDS)?).map_err(unfit)?;
    let path = table.join(history_file(hand));
    let history = match read_text_limited(&path, TEXT_BYTES_MAX) {
        Ok(text) => Some(text),
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        Err(error) => return Err(CliError::file(&path, error)),
    };
    written.ended(history).map_err(unfit)
}
