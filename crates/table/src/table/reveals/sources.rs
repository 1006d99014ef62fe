//! Where bundles come from: the files of a table and its log, read for many hands at once.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::io::BufReader;
use std::ops::RangeInclusive;
use std::path::Path;

use zeroize::Zeroizing;

use crate::log_folder::LogError;
use crate::log_folder::reader::LogReader;
use crate::table::files::{ENTRIES, HANDS, RECEIPTS, TRANSCRIPTS, history_file};
use crate::table::restore::{EndedHand, LogPlace, RestoreError, WrittenHand, early_receipts};
use crate::table::reveals::{BundleText, BundlesError};
use crate::table::several::{self, FoundHands, KeptReceipts};
use deckproof_deck::commitment::digest::{Digest, leaf_hash};
use deckproof_files::file::{Access, TEXT_BYTES_MAX, if_there, own};
use deckproof_verify::log::entry::Entry;

/// The files of a table, and its log.
pub(super) struct Sources<'a> {
    table: &'a Path,
    log: Option<(&'a Path, LogReader)>,
}

/// A hand as it was read.
pub(super) struct HandRead {
    /// How it ended, with its proofs; or why it cannot be read back.
    pub ended: Result<EndedHand, BundlesError>,
    /// Its entries.
    pub entries: Vec<String>,
    /// The receipts of its entries: those that were handed out before its first card, where they were, and of a voided
    /// hand those of all its entries.
    pub receipts: Vec<BundleText>,
}

/// What is known of the places of hands in the log.
#[derive(Default)]
struct Places {
    receipts: BTreeMap<u64, KeptReceipts>,
    /// Of deck entries without a receipt.
    decks: HashMap<Digest, u64>,
}

impl Places {
    fn of(&self, hand: u64, deck: &str) -> LogPlace<'_> {
        match self.receipts.get(&hand) {
            Some(kept) => LogPlace { deck: Some(kept.own.deck), cosigned: kept.cosigned.as_deref() },
            None => LogPlace { deck: self.decks.get(&leaf_hash(deck)).copied(), cosigned: None },
        }
    }
}

impl<'a> Sources<'a> {
    /// Opens the log, if there is one.
    pub fn open(
        table: &'a Path,
        log: Option<&'a Path>,
        hands: &[RangeInclusive<u64>],
    ) -> Result<Sources<'a>, BundlesError> {
        let hand = hands.first().map_or(0, |hands| *hands.start());
        let failed = |log: &Path, error| BundlesError::Log { hand, log: log.to_owned(), error };
        let opened = log.map(|log| Ok((log, LogReader::open(log).map_err(|error| failed(log, error))?)));
        Ok(Sources { table, log: opened.transpose()? })
    }

    /// The hands of these numbers, and the number of the last one of the table.
    pub fn read(
        &self,
        wanted: &BTreeSet<u64>,
    ) -> Result<(u64, Vec<Result<HandRead, BundlesError>>), BundlesError> {
        let open = |file: &str| {
            let path = self.table.join(file);
            own::open_to_read(&path).map(BufReader::new).map_err(|error| BundlesError::file(&path, error))
        };
        let found = several::find(wanted, open(ENTRIES)?, open(TRANSCRIPTS)?, open(HANDS)?);
        let FoundHands { mut hands, last } = found.map_err(|error| self.unfit(error.into()))?;
        let places = self.places(wanted, &hands)?;
        let read = |hand: &u64| match hands.remove(hand) {
            Some(written) => self.hand(*hand, written, &places),
            None => Err(self.unfit(RestoreError::NoHand { hand: *hand })),
        };
        Ok((last, wanted.iter().map(read).collect()))
    }

    fn unfit(&self, error: RestoreError) -> BundlesError {
        BundlesError::Folder { table: self.table.to_owned(), error }
    }

    fn hand(&self, hand: u64, written: WrittenHand, places: &Places) -> Result<HandRead, BundlesError> {
        let entries = written.entries.clone();
        let ended = written.ended(self.history(hand)?).map_err(|error| self.unfit(error));
        let Some((folder, log)) = &self.log else {
            return Ok(HandRead { ended, entries, receipts: Vec::new() });
        };
        let failed = |error: LogError| BundlesError::Log { hand, log: (*folder).to_owned(), error };
        let is_void = matches!(entries.last().map(|text| Entry::kind_of(text)), Some(Ok("void")));
        let place = places.of(hand, &entries[0]);
        let kept = places.receipts.get(&hand);
        let receipts = receipts(&entries, is_void, kept, place, log).map_err(failed)?;
        let ended = match ended {
            Ok(ended) => Ok(ended.proven_at(place, log).map_err(failed)?),
            Err(error) => Err(error),
        };
        Ok(HandRead { ended, entries, receipts })
    }

    fn history(&self, hand: u64) -> Result<Option<String>, BundlesError> {
        let path = self.table.join(history_file(hand));
        if_there(own::read_text_limited(&path, TEXT_BYTES_MAX))
            .map_err(|error| BundlesError::file(&path, error))
    }

    fn places(
        &self,
        wanted: &BTreeSet<u64>,
        hands: &BTreeMap<u64, WrittenHand>,
    ) -> Result<Places, BundlesError> {
        let Some((folder, log)) = &self.log else { return Ok(Places::default()) };
        let receipts = self.receipts(wanted, log)?;
        let lacking = hands.iter().filter(|(hand, _)| !receipts.contains_key(hand));
        let decks: HashSet<Digest> =
            lacking.filter_map(|(_, hand)| hand.entries.first()).map(|text| leaf_hash(text)).collect();
        let decks = if decks.is_empty() { Ok(HashMap::new()) } else { log.places(&decks) };
        let hand = wanted.first().copied().unwrap_or_default();
        let failed = |error| BundlesError::Log { hand, log: (*folder).to_owned(), error };
        Ok(Places { receipts, decks: decks.map_err(failed)? })
    }

    fn receipts(
        &self,
        wanted: &BTreeSet<u64>,
        log: &LogReader,
    ) -> Result<BTreeMap<u64, KeptReceipts>, BundlesError> {
        let path = self.table.join(RECEIPTS);
        let receipts = if_there(own::open_to_read(&path)).and_then(|file| match file {
            Some(file) => several::receipts_of(wanted, BufReader::new(file), log),
            None => Ok(BTreeMap::new()),
        });
        receipts.map_err(|error| BundlesError::file(&path, error))
    }
}

/// The receipts of a hand's deck and opening as they were handed out before its first card; and where it is void, those
/// of the entries without one, under the checkpoint of now.
fn receipts(
    entries: &[String],
    is_void: bool,
    kept: Option<&KeptReceipts>,
    place: LogPlace,
    log: &LogReader,
) -> Result<Vec<BundleText>, LogError> {
    let mut texts: BTreeMap<&str, String> = BTreeMap::new();
    if let Some(kept) = kept {
        let [deck, open] = early_receipts(&kept.own, log)?;
        texts.extend([("deck", deck), ("open", open)]);
    }
    let mut from = place.deck.unwrap_or(0);
    for text in entries.iter().filter(|_| is_void) {
        from = log.index_from(from, &leaf_hash(text))?.ok_or(LogError::Missing)?;
        if let Ok(kind) = Entry::kind_of(text)
            && !texts.contains_key(kind)
        {
            texts.insert(kind, log.receipt(from)?.to_string());
        }
    }
    let file = |(kind, text): (&str, String)| BundleText {
        name: format!("{kind}.proof"),
        text: Zeroizing::new(text),
        access: Access::Public,
    };
    Ok(texts.into_iter().map(file).collect())
}
