//! Replay: a random sample of the day's hands, recomputed from their keys: deck, cut, transcript, deal, and the betting
//! where there is a history.

use std::collections::BTreeMap;
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};
use zeroize::Zeroizing;

use crate::monitoring::check::{CheckResult, DayCheck, StepFault};
use crate::monitoring::completeness::LogOpened;
use deckproof_deck::text::decimal::{counted, thousands};
use deckproof_files::file::{TEXT_BYTES_MAX, if_there, own};
use deckproof_table::table::files::{ENTRIES, HANDS, HandRecord, RECEIPTS, TRANSCRIPTS, history_file};
use deckproof_table::table::logged::ReceiptRecord;
use deckproof_table::table::restore::{EndedHand, RestoreError};
use deckproof_table::table::several;
use deckproof_verify::verify::{Statements, verify_bundle};

/// The name of the step.
pub const NAME: &str = "replay of hands";

/// The last hand of each table, by its folder: what the next day goes on from.
pub type HandsSeen = BTreeMap<String, u64>;

/// What is replayed.
pub struct Replay<'a> {
    /// Folders of tables.
    pub tables: &'a [PathBuf],
    /// How many hands of all of them together.
    pub hands: usize,
    /// Whether a stop of this step is active: the hand that raised it is then the first after those seen, and replayed with the others.
    pub is_stopped: bool,
    /// The log they stand in.
    pub log: Option<&'a LogOpened>,
    /// What the sample is drawn from: nobody may know it before the hands were dealt.
    pub draw: &'a str,
    /// The same in words.
    pub drawn_by: &'a str,
}

/// A hand that ended since the day before.
struct Drawn<'a> {
    table: &'a Path,
    hand: u64,
}

/// Draws the sample from the hands since the day before, and recomputes it.
pub fn check(replay: &Replay, before: &HandsSeen) -> (DayCheck, HandsSeen) {
    let mut seen = before.clone();
    let mut hands = Vec::new();
    for table in replay.tables {
        let key = key_of(table);
        let first = before.get(&key).copied().unwrap_or(0);
        match ended_since(table, first, |record| Some(record.hand)) {
            Ok(ended) => {
                seen.insert(key, ended.iter().copied().max().unwrap_or(first));
                hands.extend(ended.into_iter().map(|hand| Drawn { table, hand }));
            }
            Err(error) => {
                let reason = format!("{}: {error}", table.join(HANDS).display());
                return (DayCheck::new(NAME, CheckResult::CouldNotSay, reason), before.clone());
            }
        }
    }
    let total = hands.len();
    let is_first = |drawn: &Drawn| drawn.hand == before.get(&key_of(drawn.table)).copied().unwrap_or(0) + 1;
    hands.sort_by_cached_key(|drawn| (!(replay.is_stopped && is_first(drawn)), ticket(replay.draw, drawn)));
    hands.truncate(replay.hands);
    match recompute(replay, &hands, total) {
        Ok(passed) => (passed, seen),
        // Other hands do not make this one right: the next day begins with it.
        Err((faulty, fault)) => {
            let mut seen = before.clone();
            if matches!(fault, StepFault::Refused(_)) {
                seen.insert(key_of(faulty.table), faulty.hand - 1);
            }
            let place = format!("{} hand {}", faulty.table.display(), faulty.hand);
            (fault.at(&place).check(NAME), seen)
        }
    }
}

/// What a table is called in a record.
fn key_of(table: &Path) -> String {
    table.display().to_string()
}

/// Hands with the lowest tickets are drawn: SHA-256 of the draw, the table and the hand.
fn ticket(draw: &str, drawn: &Drawn) -> [u8; 32] {
    let text = format!("deckproof/v1 daily-sample\n{draw}\n{}\n{}\n", drawn.table.display(), drawn.hand);
    Sha256::digest(text).into()
}

/// What the sample shows, or the first hand of it that is at fault.
fn recompute<'a, 'b>(
    replay: &Replay,
    hands: &'b [Drawn<'a>],
    total: usize,
) -> Result<DayCheck, (&'b Drawn<'a>, StepFault)> {
    let (mut closed, mut voided) = (0u64, 0u64);
    for drawn in hands {
        let is_closed = replay_hand(drawn, replay.log).map_err(|fault| (drawn, fault))?;
        *if is_closed { &mut closed } else { &mut voided } += 1;
    }
    let logged = if replay.log.is_some() { "with their proofs in the log" } else { "without a log" };
    let evidence = format!(
        "{} of {} since the last day recomputed from their keys {logged}: {closed} closed, {voided} voided; {}",
        thousands(hands.len() as u64),
        counted(total as u64, "hand", "hands"),
        replay.drawn_by
    );
    let result = if hands.is_empty() { CheckResult::CouldNotSay } else { CheckResult::Passed };
    Ok(DayCheck::new(NAME, result, evidence))
}

/// What is wanted of the hands that ended after this one; a torn last line is of a hand that is under way.
pub(super) fn ended_since<T>(
    table: &Path,
    before: u64,
    what: impl Fn(HandRecord) -> Option<T>,
) -> io::Result<Vec<T>> {
    let mut hands = Vec::new();
    for line in BufReader::new(own::open_to_read(&table.join(HANDS))?).lines() {
        let line = Zeroizing::new(line?);
        hands.extend(HandRecord::parse(&line).filter(|record| record.hand > before).and_then(&what));
    }
    Ok(hands)
}

/// Whether a hand that is as it was committed to was closed.
fn replay_hand(drawn: &Drawn, log: Option<&LogOpened>) -> Result<bool, StepFault> {
    let ended = match read(drawn) {
        Ok(ended) => ended,
        // Its deck was given up, and nothing of it is ever shown.
        Err(RestoreError::NeverOpened { .. }) => return Ok(false),
        Err(error @ (RestoreError::Unfit { .. } | RestoreError::NoHand { .. })) => {
            return Err(StepFault::Refused(error.to_string()));
        }
        Err(error) => return Err(StepFault::unreadable(error)),
    };
    let is_closed = matches!(ended, EndedHand::Closed(..));
    let ended = match log {
        Some(log) => {
            let receipt = receipt(drawn).map_err(StepFault::unreadable)?;
            let proven = ended.proven(receipt.as_ref(), &log.reader);
            proven.map_err(|error| StepFault::Refused(format!("not in the log as it was dealt: {error}")))?
        }
        None => ended,
    };
    let Some(bundle) = ended.full_bundle() else { return Ok(false) };
    let trust = log.and_then(|log| log.trust.as_ref());
    let verified = verify_bundle(bundle.as_bytes(), trust, &Statements::default());
    verified.map(|_| is_closed).map_err(StepFault::from)
}

fn read(drawn: &Drawn) -> Result<EndedHand, RestoreError> {
    let Drawn { table, hand } = *drawn;
    let open = |file: &str| own::open_to_read(&table.join(file)).map(BufReader::new);
    let written = several::find_one(hand, open(ENTRIES)?, open(TRANSCRIPTS)?, open(HANDS)?)?;
    written.ended(if_there(own::read_text_limited(&table.join(history_file(hand)), TEXT_BYTES_MAX))?)
}

fn receipt(drawn: &Drawn) -> io::Result<Option<ReceiptRecord>> {
    match if_there(own::open_to_read(&drawn.table.join(RECEIPTS)))? {
        Some(file) => ReceiptRecord::find(drawn.hand, BufReader::new(file)),
        None => Ok(None),
    }
}
