//! A hand read back from the files of its table, to make the bundles that are asked for.

use std::collections::BTreeMap;
use std::io::{self, BufRead, Read};

use zeroize::Zeroizing;

use crate::log_folder::LogError;
use crate::log_folder::reader::LogReader;
use crate::table::files::{HandEnd, HandRecord};
use crate::table::logged::ReceiptRecord;
use crate::table::mix::{AnnouncedHand, Revealed};
use crate::table::partial_deck::PartDeck;
use crate::table::{CommittedHand, DealtHand, OpenHand, TableName, VoidedHand};
use deckproof_deck::commitment::digest::{Digest, leaf_hash};
use deckproof_deck::key::HandKey;
use deckproof_stud::stud::seat::{Seat, Seats};
use deckproof_stud::stud::transcript;
use deckproof_verify::log::entry::Entry;

/// Why a hand cannot be read back.
#[derive(Debug, thiserror::Error)]
pub enum RestoreError {
    /// The table has no such hand.
    #[error("hand {hand} is not among the entries of this table")]
    NoHand {
        /// Its number.
        hand: u64,
    },
    /// It has not ended.
    #[error("hand {hand} has not ended")]
    NotEnded {
        /// Its number.
        hand: u64,
    },
    /// Its deck was given up before it was opened, so that nothing of it is ever shown.
    #[error("the deck of hand {hand} was voided before it was opened ({reason}), so it has no bundle")]
    NeverOpened {
        /// Its number.
        hand: u64,
        /// Why.
        reason: String,
    },
    /// What is written down does not fit together.
    #[error("hand {hand}: {problem}")]
    Unfit {
        /// Its number.
        hand: u64,
        /// What.
        problem: &'static str,
    },
    /// A file could not be read.
    #[error(transparent)]
    System(#[from] io::Error),
}

/// Most bytes of a record: an entry has 4,096, a transcript less.
const RECORD_BYTES_MAX: u64 = 64 << 10;

/// A hand that has ended.
pub enum EndedHand {
    /// Played to its end, with the seats whose hands everybody saw.
    Closed(Box<DealtHand>, Vec<Seat>),
    /// Given up.
    Voided(Box<VoidedHand>),
}

/// What the files of a table hold of one hand.
pub struct WrittenHand {
    pub(super) number: u64,
    pub(super) entries: Vec<String>,
    pub(super) transcript: Option<String>,
    pub(super) record: Option<HandRecord>,
}

impl WrittenHand {
    /// The hand as it ended; `history` is the text of its history, if it has one.
    ///
    /// # Errors
    /// [`RestoreError`].
    pub fn ended(self, history: Option<String>) -> Result<EndedHand, RestoreError> {
        let hand = self.number;
        let unfit = |problem| RestoreError::Unfit { hand, problem };
        let last = self.entries.last().cloned().unwrap_or_default();
        if !matches!(Entry::parse(&last), Ok(Entry::Close(_) | Entry::Void(_))) {
            return Err(RestoreError::NotEnded { hand });
        }
        let HandRecord { key, end, .. } =
            self.record.ok_or_else(|| unfit("there is no record of how it ended"))?;
        let (Some(key), [deck, open, rest @ ..]) = (key, &self.entries[..]) else {
            return match end {
                HandEnd::Voided { reason } => Err(RestoreError::NeverOpened { hand, reason }),
                HandEnd::Closed { .. } => Err(unfit("it is closed, and no key opens it")),
            };
        };
        let cut_entry = rest.iter().find(|entry| matches!(Entry::kind_of(entry), Ok("cut")));
        let announced =
            announced(key, deck, open).ok_or_else(|| unfit("its key is not that of its deck entry"))?;
        match end {
            HandEnd::Voided { reason } => {
                let mut voided = announced.void(&reason);
                voided.cut_entry = cut_entry.cloned();
                is_same(voided.void_entry(), &last).ok_or_else(|| unfit("its void entry is another one"))?;
                Ok(EndedHand::Voided(Box::new(voided)))
            }
            HandEnd::Closed { shown_down, history: hash } => {
                let mut open =
                    cut(announced, cut_entry).ok_or_else(|| unfit("its cut entry does not cut it"))?;
                let text = self.transcript.ok_or_else(|| unfit("its transcript is gone"))?;
                open.lines = transcript::parse(&text).map_err(|_| unfit("its transcript is none"))?;
                let history = history.filter(|text| Some(Digest::of(text)) == hash);
                if hash.is_some() != history.is_some() {
                    return Err(unfit("its history is gone or another one"));
                }
                let dealt = open.close(history);
                is_same(dealt.close_entry(), &last).ok_or_else(|| unfit("its close entry is another one"))?;
                Ok(EndedHand::Closed(Box::new(dealt), shown_down))
            }
        }
    }
}

fn is_same(found: &str, wanted: &str) -> Option<()> {
    (found == wanted).then_some(())
}

/// The next record that ends with an empty line, without it; a torn end is passed over.
pub(super) fn read_record(text: &mut impl BufRead) -> io::Result<Option<String>> {
    let mut record = String::new();
    loop {
        let begin = record.len();
        let left = (RECORD_BYTES_MAX + 1).saturating_sub(begin as u64);
        if text.take(left).read_line(&mut record)? == 0 {
            return match left {
                0 => Err(io::Error::new(io::ErrorKind::InvalidData, "found a record longer than 64 KiB")),
                _ => Ok(None),
            };
        }
        if &record[begin..] == "\n" {
            record.truncate(begin);
            return Ok(Some(record));
        }
    }
}

/// The hand as its deck entry and its open entry have it, if the key is theirs.
fn announced(key: HandKey, deck: &str, open: &str) -> Option<AnnouncedHand> {
    let (Ok(Entry::Deck(entry)), Ok(Entry::Open(terms))) = (Entry::parse(deck), Entry::parse(open)) else {
        return None;
    };
    let name = TableName::new(&entry.origin, &entry.table).ok()?;
    let hand = CommittedHand::new(&name, entry.hand, entry.mix, key);
    is_same(hand.deck_entry(), deck)?;
    Some(AnnouncedHand::restore(hand, open.to_owned(), terms))
}

/// Cuts the deck as its cut entry says, if it has one.
fn cut(hand: AnnouncedHand, entry: Option<&String>) -> Option<OpenHand> {
    let revealed = match entry.map(|text| Entry::parse(text)) {
        None => Revealed::default(),
        Some(Ok(Entry::Cut(cut))) => Revealed { seeds: cut.seeds, beacon: cut.beacon },
        Some(_) => return None,
    };
    hand.check(&revealed).ok()?;
    Some(hand.cut(&revealed))
}

/// Where the log has a hand, as far as a table kept that.
#[derive(Clone, Copy, Default)]
pub struct LogPlace<'a> {
    /// The index of its deck entry; it is looked for where it is not known.
    pub deck: Option<u64>,
    /// The earliest checkpoint that holds its deck and its opening and that somebody besides the log signed.
    pub cosigned: Option<&'a str>,
}

/// Log proofs of the entries of a hand, from the place of its deck entry on. The deck and the open entry are
/// proven under the earliest checkpoint that somebody besides the log signed; what the log alone signed it could
/// have signed at any time, and then all proofs stand under the last checkpoint.
///
/// # Errors
/// [`LogError`]; [`LogError::Missing`] if the log lacks an entry.
fn proofs(
    entries: &[(&'static str, String)],
    place: LogPlace,
    log: &LogReader,
) -> Result<BTreeMap<&'static str, String>, LogError> {
    let early = place.cosigned.map(|note| log.under(note)).transpose()?;
    let mut from = match (place.deck, entries) {
        (Some(deck), _) => deck,
        (None, [(_, deck), ..]) => log.index_of(&leaf_hash(deck))?.ok_or(LogError::Missing)?,
        (None, []) => 0,
    };
    let mut proofs = BTreeMap::new();
    for (kind, entry) in entries {
        from = log.index_from(from, &leaf_hash(entry))?.ok_or(LogError::Missing)?;
        let under = early.as_ref().filter(|_| ["deck", "open"].contains(kind)).unwrap_or(log);
        proofs.insert(*kind, under.receipt(from)?.to_string());
    }
    Ok(proofs)
}

/// The receipts of a hand as they were handed out before its first card: of its deck and of its open entry.
///
/// # Errors
/// [`LogError`].
pub fn early_receipts(record: &ReceiptRecord, log: &LogReader) -> Result<[String; 2], LogError> {
    let early = log.under(&record.note)?;
    Ok([early.receipt(record.deck)?.to_string(), early.receipt(record.open)?.to_string()])
}

impl EndedHand {
    /// The hand with log proofs of its entries (tlog-proof) by their kinds, which its bundles then carry.
    pub fn with_proofs(self, proofs: BTreeMap<&'static str, String>) -> EndedHand {
        match self {
            EndedHand::Closed(hand, shown) => EndedHand::Closed(Box::new(hand.with_proofs(proofs)), shown),
            EndedHand::Voided(hand) => EndedHand::Voided(Box::new(hand.with_proofs(proofs))),
        }
    }

    /// What is left once the key is taken away: the cards that any seat had received stay opened.
    ///
    /// # Panics
    /// If it is what is left already.
    pub fn part(&self) -> PartDeck {
        match self {
            EndedHand::Closed(hand, _) => hand.part(),
            EndedHand::Voided(hand) => hand.part(),
        }
    }

    /// The full reveal: opens all 52 cards, as far as it can. A hand that was voided before it was opened has none.
    pub fn full_bundle(&self) -> Option<Zeroizing<String>> {
        match self {
            EndedHand::Closed(hand, _) => Some(hand.full_bundle()),
            EndedHand::Voided(hand) => hand.full_bundle(),
        }
    }

    /// The hand with the proofs of its entries in the log.
    ///
    /// # Errors
    /// [`LogError`].
    pub fn proven(self, receipts: Option<&ReceiptRecord>, log: &LogReader) -> Result<EndedHand, LogError> {
        let note = receipts.map(|record| &record.note[..]);
        let is_cosigned =
            note.map(|note| log.under(note)).transpose()?.is_some_and(|early| early.is_cosigned());
        let place =
            LogPlace { deck: receipts.map(|record| record.deck), cosigned: note.filter(|_| is_cosigned) };
        self.proven_at(place, log)
    }

    /// The hand with the proofs of its entries in the log, where that has them.
    ///
    /// # Errors
    /// [`LogError`].
    pub fn proven_at(self, place: LogPlace, log: &LogReader) -> Result<EndedHand, LogError> {
        let proofs = proofs(&self.entries(), place, log)?;
        Ok(self.with_proofs(proofs))
    }

    /// The entries of the hand in log order, by kind.
    pub(super) fn entries(&self) -> Vec<(&'static str, String)> {
        let (deck, open, cut, end) = match self {
            EndedHand::Closed(hand, _) => {
                (hand.deck_entry(), Some(hand.open_entry()), hand.cut_entry(), ("close", hand.close_entry()))
            }
            EndedHand::Voided(hand) => {
                (hand.deck_entry(), hand.open_entry(), hand.cut_entry(), ("void", hand.void_entry()))
            }
        };
        let all =
            [Some(("deck", deck)), open.map(|text| ("open", text)), cut.map(|text| ("cut", text)), Some(end)];
        all.into_iter().flatten().map(|(kind, text)| (kind, text.to_owned())).collect()
    }

    /// The seats of the hand.
    ///
    /// # Panics
    /// Never: an opened hand has an open entry.
    pub fn seats(&self) -> Seats {
        let open = match self {
            EndedHand::Closed(hand, _) => hand.open_entry(),
            EndedHand::Voided(hand) => hand.open_entry().expect("it was opened"),
        };
        match Entry::parse(open) {
            Ok(Entry::Open(open)) => open.seats,
            _ => unreachable!("it was read as an open entry"),
        }
    }
}
