//! Several hands of a table found in one pass through each of its files; damage to other hands is passed over.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::io::{self, BufRead};

use zeroize::Zeroizing;

use crate::log_folder::reader::LogReader;
use crate::table::files::HandRecord;
use crate::table::logged::ReceiptRecord;
use crate::table::restore::{RestoreError, WrittenHand, read_record};
use deckproof_deck::commitment::digest::{Digest, leaf_hash};
use deckproof_verify::log::entry::Entry;

/// What the files of a table hold of the hands that were looked for.
pub struct FoundHands {
    /// Those that have a deck entry, by number.
    pub hands: BTreeMap<u64, WrittenHand>,
    /// The last hand of the table; 0 where it has none.
    pub last: u64,
}

/// Finds hands by their numbers; a torn end of a file is passed over.
///
/// # Errors
/// Those of reading.
pub fn find(
    wanted: &BTreeSet<u64>,
    entries: impl BufRead,
    transcripts: impl BufRead,
    records: impl BufRead,
) -> io::Result<FoundHands> {
    let (mut entries, last) = entries_of(wanted, entries)?;
    let mut transcripts = transcripts_of(wanted, transcripts)?;
    let mut records = records_of(wanted, records)?;
    let mut hands = BTreeMap::new();
    for hand in wanted {
        if let Some(entries) = entries.remove(hand) {
            let (transcript, record) = (transcripts.remove(hand), records.remove(hand));
            hands.insert(*hand, WrittenHand { number: *hand, entries, transcript, record });
        }
    }
    Ok(FoundHands { hands, last })
}

/// Finds one hand, as [`find`] does.
///
/// # Errors
/// [`RestoreError::NoHand`], [`RestoreError::System`].
pub fn find_one(
    hand: u64,
    entries: impl BufRead,
    transcripts: impl BufRead,
    records: impl BufRead,
) -> Result<WrittenHand, RestoreError> {
    let mut found = find(&BTreeSet::from([hand]), entries, transcripts, records)?;
    found.hands.remove(&hand).ok_or(RestoreError::NoHand { hand })
}

/// The entries of each hand: its deck entry, and those that name it; and the number of the last hand.
fn entries_of(
    wanted: &BTreeSet<u64>,
    mut entries: impl BufRead,
) -> io::Result<(BTreeMap<u64, Vec<String>>, u64)> {
    let mut found: BTreeMap<u64, Vec<String>> = BTreeMap::new();
    let mut names: HashMap<Digest, u64> = HashMap::new();
    let mut last = 0;
    while let Some(text) = read_record(&mut entries)? {
        let hand = match Entry::parse(&text) {
            Ok(Entry::Deck(deck)) => {
                last = last.max(deck.hand);
                wanted.get(&deck.hand).copied()
            }
            Ok(entry) => entry.before().and_then(|before| names.get(&before).copied()),
            Err(_) => None,
        };
        if let Some(hand) = hand {
            names.insert(leaf_hash(&text), hand);
            found.entry(hand).or_default().push(text);
        }
    }
    Ok((found, last))
}

fn transcripts_of(
    wanted: &BTreeSet<u64>,
    mut transcripts: impl BufRead,
) -> io::Result<BTreeMap<u64, String>> {
    let mut found = BTreeMap::new();
    while let Some(text) = read_record(&mut transcripts)? {
        let head = text.strip_prefix("hand ").and_then(|rest| rest.split_once('\n'));
        let Some((number, lines)) = head else { continue };
        if let Some(hand) = number.parse().ok().filter(|hand| wanted.contains(hand)) {
            found.insert(hand, lines.to_owned());
        }
    }
    Ok(found)
}

fn records_of(wanted: &BTreeSet<u64>, records: impl BufRead) -> io::Result<BTreeMap<u64, HandRecord>> {
    let mut found = BTreeMap::new();
    for line in records.lines() {
        let line = Zeroizing::new(line?);
        if let Some(record) = HandRecord::parse(&line).filter(|record| wanted.contains(&record.hand)) {
            found.insert(record.hand, record);
        }
    }
    Ok(found)
}

/// What is kept of the receipts of a hand.
pub struct KeptReceipts {
    /// Those of its own opening.
    pub own: ReceiptRecord,
    /// The first checkpoint from that opening on which somebody besides the log signed: the table keeps one for each
    /// hand it opens.
    pub cosigned: Option<String>,
}

/// The receipts of hands by their numbers. Hands follow each other, so that the checkpoint of a later opening holds
/// the openings before it.
///
/// # Errors
/// [`io::ErrorKind::InvalidData`] of a checkpoint that is none; those of reading.
pub fn receipts_of(
    wanted: &BTreeSet<u64>,
    records: impl BufRead,
    log: &LogReader,
) -> io::Result<BTreeMap<u64, KeptReceipts>> {
    let mut found: BTreeMap<u64, KeptReceipts> = BTreeMap::new();
    let mut waiting: Vec<u64> = Vec::new();
    for line in records.lines() {
        let Some(record) = ReceiptRecord::parse(&line?) else { continue };
        let is_wanted = wanted.contains(&record.hand);
        if is_wanted {
            waiting.push(record.hand);
        }
        if waiting.is_empty() {
            continue;
        }
        let under = log.under(&record.note);
        let under = under.map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error.to_string()))?;
        if is_wanted {
            found.insert(record.hand, KeptReceipts { own: record.clone(), cosigned: None });
        }
        if under.is_cosigned() {
            for hand in waiting.drain(..) {
                if let Some(kept) = found.get_mut(&hand) {
                    kept.cosigned = Some(record.note.clone());
                }
            }
        }
    }
    Ok(found)
}
