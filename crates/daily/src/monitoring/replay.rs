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
use deckproof_verify::log::entry::Entry;
use deckproof_verify::verify::{Statements, verify_bundle};

/// The name of the step.
pub const NAME: &str = "replay of hands";

/// The last hand of each table, by its name: what the next day goes on from.
pub type HandsSeen = BTreeMap<String, u64>;

/// A table of the configuration. Its hands have a name that goes with them, wherever their folder is.
pub struct NamedTable {
    /// Where it is.
    pub folder: PathBuf,
    /// Its name and its log, as its first entry has them.
    pub name: String,
}

impl NamedTable {
    /// The tables of these folders.
    ///
    /// # Errors
    /// Why one has no name, or which two have the same; in one clause.
    pub fn all(folders: &[PathBuf]) -> Result<Vec<NamedTable>, String> {
        let mut tables = Vec::<NamedTable>::new();
        for folder in folders {
            let place = folder.display();
            let name = first_table(folder)
                .map_err(|error| format!("{}: {error}", folder.join(ENTRIES).display()))?;
            let name =
                name.ok_or_else(|| format!("{place} has no entry of a deck, wanted the folder of a table"))?;
            if let Some(other) = tables.iter().find(|table| table.name == name) {
                let other = other.folder.display();
                return Err(format!(
                    "{other} and {place} both hold the hands of {name}, wanted one folder of each table"
                ));
            }
            tables.push(NamedTable { folder: folder.clone(), name });
        }
        Ok(tables)
    }

    /// The step, which names tables that earlier days had and these are not: it could not say on the first night on which one is
    /// missing, or is named again after others. Whether a table was closed or is hidden nobody sees here.
    pub fn beside_missing<'a>(
        tables: &[NamedTable],
        seen: impl Iterator<Item = &'a String>,
        mut check: DayCheck,
        before: Option<&DayCheck>,
    ) -> DayCheck {
        let is_missing = |name: &&String| !tables.iter().any(|table| table.name == **name);
        let missing: Vec<&str> = seen.filter(is_missing).map(String::as_str).collect();
        if missing.is_empty() {
            return check;
        }
        let missing = format!("not looked at: {}, which earlier days had", missing.join(", "));
        if !before.is_some_and(|before| before.evidence.ends_with(&missing)) {
            check.result = check.result.max(CheckResult::CouldNotSay);
        }
        check.evidence += &format!("; {missing}");
        check
    }

    /// What was seen of it. Rows of an earlier version have its folder in place of its name.
    pub(super) fn seen<T>(&self, all: &mut BTreeMap<String, T>) -> Option<T> {
        let of_folder = all.remove(&self.folder.display().to_string());
        all.remove(&self.name).or(of_folder)
    }
}

/// The table and log of the first entry of a folder.
fn first_table(folder: &Path) -> io::Result<Option<String>> {
    let mut text = String::new();
    for line in BufReader::new(own::open_to_read(&folder.join(ENTRIES))?).lines() {
        match line? {
            line if line.is_empty() => break,
            line => text += &(line + "\n"),
        }
    }
    Ok(match Entry::parse(&text) {
        Ok(Entry::Deck(deck)) => Some(format!("{} of {}", deck.table, deck.origin)),
        _ => None,
    })
}

/// What is replayed.
pub struct Replay<'a> {
    /// The tables.
    pub tables: &'a [NamedTable],
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
    table: &'a NamedTable,
    hand: u64,
}

/// Draws the sample from the hands since the day before, and recomputes it.
pub fn check(replay: &Replay, before: &HandsSeen) -> (DayCheck, HandsSeen) {
    let mut seen = before.clone();
    let mut hands = Vec::new();
    let mut firsts = BTreeMap::new();
    for table in replay.tables {
        let first = table.seen(&mut seen).unwrap_or(0);
        match ended_since(&table.folder, first, |record| Some(record.hand)) {
            Ok(ended) => {
                firsts.insert(&table.name, first + 1);
                seen.insert(table.name.clone(), ended.iter().copied().max().unwrap_or(first));
                hands.extend(ended.into_iter().map(|hand| Drawn { table, hand }));
            }
            Err(error) => {
                let reason = format!("{}: {error}", table.folder.join(HANDS).display());
                return (DayCheck::could_not_say(NAME, reason), before.clone());
            }
        }
    }
    let total = hands.len();
    let is_first = |drawn: &Drawn| firsts.get(&drawn.table.name) == Some(&drawn.hand);
    hands.sort_by_cached_key(|drawn| (!(replay.is_stopped && is_first(drawn)), ticket(replay.draw, drawn)));
    hands.truncate(replay.hands);
    match recompute(replay, &hands, total) {
        Ok(passed) => (passed, seen),
        // Other hands do not make this one right: the next day begins with it.
        Err((faulty, fault)) => {
            let mut seen = before.clone();
            if matches!(fault, StepFault::Refused(_)) {
                faulty.table.seen(&mut seen);
                seen.insert(faulty.table.name.clone(), faulty.hand - 1);
            }
            let place = format!("{} hand {}", faulty.table.folder.display(), faulty.hand);
            (fault.at(&place).check(NAME), seen)
        }
    }
}

/// Hands with the lowest tickets are drawn: SHA-256 of the draw, the table and the hand.
fn ticket(draw: &str, drawn: &Drawn) -> [u8; 32] {
    let text =
        format!("deckproof/v1 daily-sample\n{draw}\n{}\n{}\n", drawn.table.folder.display(), drawn.hand);
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
    let open = |file: &str| own::open_to_read(&table.folder.join(file)).map(BufReader::new);
    let written = several::find_one(hand, open(ENTRIES)?, open(TRANSCRIPTS)?, open(HANDS)?)?;
    let history = own::read_text_limited(&table.folder.join(history_file(hand)), TEXT_BYTES_MAX);
    written.ended(if_there(history)?)
}

fn receipt(drawn: &Drawn) -> io::Result<Option<ReceiptRecord>> {
    match if_there(own::open_to_read(&drawn.table.folder.join(RECEIPTS)))? {
        Some(file) => ReceiptRecord::find(drawn.hand, BufReader::new(file)),
        None => Ok(None),
    }
}
