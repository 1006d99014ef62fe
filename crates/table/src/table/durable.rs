//! The durable order of dealing: everything is on the disk before it is disclosed.
//!
//! | step | durable before it |
//! |---|---|
//! | the deck entry is published | the next chain key, and the key of this hand |
//! | an entry is in the log | the same entry among the table's own |
//! | a player sees a card | the deck entry, the open entry, the cut entry, in the log too; the receipts of the first two; the transcript up to this card |
//! | the close entry is published | the transcript, the history, the key that opens the hand |
//! | the void entry is published | the reason, and the key if the hand was opened |
//!
//! A process may therefore die anywhere: [`DurableTable::resume`] ends the hand that was under way, as
//! closed if it was finished and as void otherwise, brings the log up to the table's own entries, and the
//! table goes on with the next hand. A table may do without a log.

use std::fmt;
use std::io;
use std::ops::Deref;

use crate::log_folder::LogError;
use crate::log_folder::whole::check_order;
use crate::table::files::{
    ENTRIES, HANDS, HandEnd, HandRecord, RECEIPTS, STATE, TRANSCRIPTS, history_file, receipt_file,
};
use crate::table::logged::{LastDeck, ReceiptRecord, SignedLog, last_deck};
use crate::table::mix::{AnnouncedHand, Announcement, Revealed};
use crate::table::state::{Lengths, State, StateError, UnderWay};
use crate::table::storage::{self, PUBLIC, SECRET, Storage};
use crate::table::{CommittedHand, DealtHand, OpenHand, Table, TableName, VoidedHand};
use deckproof_deck::card::Card;
use deckproof_deck::commitment::digest::Digest;
use deckproof_deck::key::HandKey;
use deckproof_stud::stud::deal::{DealError, DealtCard};
use deckproof_stud::stud::readings::Reading;
use deckproof_stud::stud::rules::RuleSet;
use deckproof_stud::stud::seat::{Seat, Seats};
use deckproof_stud::stud::transcript;
use deckproof_verify::log::entry::Mix;

/// Why a table cannot go on. Holds nothing secret.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum DurableError {
    /// A file could not be read or written.
    #[error("{file}: {problem}")]
    Storage {
        /// Which.
        file: String,
        /// The error of the system.
        problem: String,
    },
    /// A file does not hold what was written to it.
    #[error("{file} is damaged: {problem}")]
    Damaged {
        /// Which.
        file: &'static str,
        /// Where and how.
        problem: String,
    },
    /// The state.
    #[error("{STATE}: {0}")]
    State(#[from] StateError),
    /// No table has begun here.
    #[error("no table has begun here: there is no {STATE}")]
    NoTable,
    /// A table has begun here.
    #[error("a table has begun here")]
    Begun,
    /// There are entries of a table whose state is gone.
    #[error("{ENTRIES} holds entries, but {STATE} is gone")]
    StateGone,
    /// The log could not be read or written.
    #[error("the log: {0}")]
    Log(String),
    /// The log takes no such entry of this table now.
    #[error("{0}")]
    NotNext(String),
    /// The log contradicts itself.
    #[error("{0}")]
    Ruined(String),
    /// The log already has this table, and its next hand is another one.
    #[error("the log has {} of this table{}, and hand {first} cannot come next", hands_of(.last), ended(.last))]
    LoggedElsewhere {
        /// The last deck of the table in the log.
        last: Option<LastDeck>,
        /// The hand that was to be the first one here.
        first: u64,
    },
    /// The log has later hands of this table than its folder: the folder is a copy, or was restored from a backup.
    #[error(
        "the log has hand {last} of this table, and this folder ends with hand {hand}: it is a copy, or an older state of it"
    )]
    BehindLog {
        /// The last hand in the log.
        last: u64,
        /// The last hand in the folder.
        hand: u64,
    },
    /// The log lacks what the receipts of this table prove: it was restored from a backup, or is another one of the same name and key.
    #[error(
        "the log has {found} entries and is not the one whose checkpoint of size {shown} is in the receipts of this table: it was put back to an \
         earlier state, or is another one of its name"
    )]
    OtherLog {
        /// How many entries the log has.
        found: u64,
        /// The size of the newest checkpoint in the receipts.
        shown: u64,
    },
    /// The entries of this table are in a log, which was not given.
    #[error("the hands of this table are in a log")]
    LogWanted,
    /// The entries of this table are in no log, and one was given.
    #[error("the hands of this table so far are in no log")]
    NotLogged,
    /// A step before this one failed, so what is on the disk is not known.
    #[error("the table has stopped after a failed write")]
    Stopped,
}

fn hands_of(last: &Option<LastDeck>) -> String {
    last.map_or_else(|| "no hand".to_owned(), |last| format!("hand {}", last.hand))
}

fn ended(last: &Option<LastDeck>) -> &'static str {
    match last {
        Some(LastDeck { is_ended: false, .. }) => ", which has not ended",
        _ => "",
    }
}

impl From<LogError> for DurableError {
    fn from(error: LogError) -> DurableError {
        match error {
            LogError::NotNext { .. } => DurableError::NotNext(error.to_string()),
            LogError::Ruined(_) => DurableError::Ruined(error.to_string()),
            _ => DurableError::Log(error.to_string()),
        }
    }
}

/// Names the file in an error of the system.
pub(super) fn named<T>(file: &str, result: io::Result<T>) -> Result<T, DurableError> {
    result.map_err(|error| DurableError::Storage { file: file.to_owned(), problem: error.to_string() })
}

/// A table whose steps are durable before they are disclosed.
pub struct DurableTable<S> {
    pub(super) storage: S,
    pub(super) name: TableName,
    /// Nothing while a step is made, and after one that failed.
    pub(super) table: Option<Table>,
    pub(super) lengths: Lengths,
    pub(super) log: Option<SignedLog>,
    /// Where the log has the entries of the hand under way: the deck, the open entry, and so on.
    pub(super) places: Vec<u64>,
}

/// The files of a table besides its state, all of which only grow.
const FILES: [&str; 4] = [ENTRIES, TRANSCRIPTS, HANDS, RECEIPTS];

impl<S: Storage> DurableTable<S> {
    /// Begins a table where none has begun; its entries go to the log, if there is one.
    ///
    /// # Errors
    /// [`DurableError`]; [`DurableError::LoggedElsewhere`] if the log has other hands of a table of this name,
    /// so that a scan would refuse the log for good.
    pub fn begin(
        mut storage: S,
        table: Table,
        log: Option<SignedLog>,
    ) -> Result<DurableTable<S>, DurableError> {
        if named(STATE, storage.length(STATE))?.is_some() {
            return Err(DurableError::Begun);
        }
        let logged = log.as_ref().map(|log| check_next(log, &table)).transpose()?;
        for file in FILES {
            match named(file, storage.length(file))? {
                None => named(file, storage.create(file, b""))?,
                Some(0) => {}
                Some(_) => return Err(DurableError::StateGone),
            }
            named(file, storage.sync(file))?;
        }
        for folder in [PUBLIC, SECRET] {
            named(folder, storage.sync_folder(folder))?;
        }
        let (name, lengths) = (table.name().clone(), Lengths::default());
        let state = State { table, under_way: None, lengths, logged };
        named(STATE, storage::replace(&mut storage, STATE, state.disclose().as_bytes()))?;
        Ok(DurableTable { storage, name, table: Some(state.table), lengths, log, places: Vec::new() })
    }

    /// The table's name.
    pub fn name(&self) -> &TableName {
        &self.name
    }

    /// The number of the next hand; nothing after a failed step.
    pub fn next_hand(&self) -> Option<u64> {
        self.table.as_ref().map(Table::next_hand)
    }

    /// Commits to the next deck and publishes its entry.
    ///
    /// # Errors
    /// [`DurableError`]; then the table must be resumed.
    pub fn commit(&mut self, mix: Mix) -> Result<HandInPlay<'_, S, CommittedHand>, DurableError> {
        let (committed, next) = self.table.take().ok_or(DurableError::Stopped)?.commit_for(mix);
        let under_way = Some(UnderWay { mix, key: copy(committed.key()) });
        let logged = self.log.as_ref().map(|log| log.reader()).transpose()?;
        let logged = logged.map(|reader| reader.checkpoint().tree.size);
        let state = State { table: next, under_way, lengths: self.lengths, logged };
        named(STATE, storage::replace(&mut self.storage, STATE, state.disclose().as_bytes()))?;
        self.places.clear();
        self.publish(committed.deck_entry())?;
        Ok(HandInPlay { at: self, next: state.table, hand: committed })
    }

    /// Adds an entry to the public ones, and then to the log.
    pub(super) fn publish(&mut self, entry: &str) -> Result<(), DurableError> {
        let length = self.add(ENTRIES, &format!("{entry}\n"))?;
        self.lengths.entries += length;
        if let Some(log) = &mut self.log {
            let place = log.publish(entry)?;
            self.places.push(place);
        }
        Ok(())
    }

    /// Writes the receipts of a hand that was opened, for its seats, and down where the log has it. Receipts of
    /// the hand before are removed: they were handed out, and can be made again.
    fn hand_out_receipts(&mut self, hand: u64) -> Result<(), DurableError> {
        let Some(log) = &mut self.log else { return Ok(()) };
        let note = log.cosigned()?;
        let reader = log.reader()?.under(&note)?;
        let [deck, open] = self.places[..] else {
            unreachable!("a deck and an open entry were published with the log")
        };
        let receipts = [("deck", reader.receipt(deck)?), ("open", reader.receipt(open)?)];
        let record = ReceiptRecord { hand, deck, open, note: reader.note().to_owned() };
        let length = self.add(RECEIPTS, &record.print())?;
        self.lengths.receipts += length;
        for (kind, receipt) in receipts {
            let file = receipt_file(hand, kind);
            named(&file, storage::replace(&mut self.storage, &file, receipt.to_string().as_bytes()))?;
            let before = receipt_file(hand - 1, kind);
            if named(&before, self.storage.length(&before))?.is_some() {
                named(&before, self.storage.remove(&before))?;
            }
        }
        Ok(())
    }

    /// Writes how a hand ended, with what opens it.
    pub(super) fn record(&mut self, record: &HandRecord) -> Result<(), DurableError> {
        let length = self.add(HANDS, &record.print())?;
        self.lengths.hands += length;
        Ok(())
    }

    fn add(&mut self, file: &str, text: &str) -> Result<u64, DurableError> {
        named(file, storage::append(&mut self.storage, file, text.as_bytes()))?;
        Ok(text.len() as u64)
    }

    /// Takes back the transcript of a hand that is voided: what was dealt of it does not count.
    pub(super) fn drop_transcript(&mut self) -> Result<(), DurableError> {
        named(TRANSCRIPTS, self.storage.truncate(TRANSCRIPTS, self.lengths.transcripts))?;
        named(TRANSCRIPTS, self.storage.sync(TRANSCRIPTS))
    }
}

/// The size of the log, if the table's next hand is the one that comes next there.
fn check_next(log: &SignedLog, table: &Table) -> Result<u64, DurableError> {
    let (wanted, found) = (table.name().origin().to_owned(), log.origin()?);
    if found != wanted {
        return Err(LogError::Origin { found, wanted }.into());
    }
    let reader = log.reader()?;
    check_order(&reader)?;
    let last = last_deck(&reader, table.name().table())?;
    let first = table.next_hand();
    match last {
        None if first == 1 => {}
        Some(LastDeck { hand, is_ended: true }) if first == hand + 1 => {}
        _ => return Err(DurableError::LoggedElsewhere { last, first }),
    }
    Ok(reader.checkpoint().tree.size)
}

/// A second copy of a key, for the file it is written to.
pub(super) fn copy(key: &HandKey) -> HandKey {
    HandKey::from_bytes(*key.bytes())
}

/// A hand under way at a durable table. Dropped before its end, it stops the table, which is then resumed.
pub struct HandInPlay<'a, S, H> {
    at: &'a mut DurableTable<S>,
    next: Table,
    hand: H,
}

impl<S, H> fmt::Debug for HandInPlay<'_, S, H> {
    /// The table alone: the hand holds secrets.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("HandInPlay").field(&self.at.name).finish()
    }
}

/// What a hand says of itself; what moves it on goes through the table.
impl<S, H> Deref for HandInPlay<'_, S, H> {
    type Target = H;

    fn deref(&self) -> &H {
        &self.hand
    }
}

impl<'a, S: Storage> HandInPlay<'a, S, CommittedHand> {
    /// Opens the hand and publishes its entry; with a log, the receipts of the deck and of the opening are
    /// durable when this returns.
    ///
    /// # Errors
    /// [`DurableError`]; then the table must be resumed.
    ///
    /// # Panics
    /// If the deck was committed for another mix.
    pub fn announce(
        self,
        rules: &'static RuleSet,
        readings: &[(Reading, String)],
        seats: &Seats,
        announcement: &Announcement,
    ) -> Result<HandInPlay<'a, S, AnnouncedHand>, DurableError> {
        let HandInPlay { at, next, hand } = self;
        let number = hand.number();
        let hand = hand.announce(rules, readings, seats, announcement);
        at.publish(hand.open_entry())?;
        at.hand_out_receipts(number)?;
        Ok(HandInPlay { at, next, hand })
    }

    /// Gives the deck up before it was opened.
    ///
    /// # Errors
    /// [`DurableError`]; then the table must be resumed.
    pub fn void(self, reason: &str) -> Result<VoidedHand, DurableError> {
        let HandInPlay { at, next, hand } = self;
        end_void(at, next, hand.void(reason), reason)
    }
}

impl<'a, S: Storage> HandInPlay<'a, S, AnnouncedHand> {
    /// Cuts the deck and publishes the cut entry, if the mix has one.
    ///
    /// # Errors
    /// [`DurableError`]; then the table must be resumed.
    ///
    /// # Panics
    /// If [`AnnouncedHand::check`] refuses it.
    pub fn cut(self, revealed: &Revealed) -> Result<HandInPlay<'a, S, OpenHand>, DurableError> {
        let HandInPlay { at, next, hand } = self;
        let hand = hand.cut(revealed);
        if let Some(entry) = hand.cut_entry() {
            at.publish(entry)?;
        }
        Ok(HandInPlay { at, next, hand })
    }

    /// Gives the hand up before a card was dealt.
    ///
    /// # Errors
    /// [`DurableError`]; then the table must be resumed.
    pub fn void(self, reason: &str) -> Result<VoidedHand, DurableError> {
        let HandInPlay { at, next, hand } = self;
        end_void(at, next, hand.void(reason), reason)
    }
}

impl<S: Storage> HandInPlay<'_, S, OpenHand> {
    /// Deals the next street to the seats still in; the transcript is durable before a card is returned.
    ///
    /// # Errors
    /// [`StreetError`].
    pub fn deal_street(&mut self, live: &[Seat]) -> Result<Vec<(DealtCard, Card)>, StreetError> {
        let is_first = self.hand.lines.is_empty();
        let dealt = self.hand.deal_street(live)?;
        let lines: Vec<DealtCard> = dealt.iter().map(|(line, _)| *line).collect();
        self.write_lines(is_first, &lines)?;
        Ok(dealt)
    }

    fn write_lines(&mut self, is_first: bool, lines: &[DealtCard]) -> Result<(), DurableError> {
        let text = transcript::print(lines);
        let head = text.find('\n').expect("a transcript has a first line") + 1;
        let text =
            if is_first { format!("hand {}\n{text}", self.hand.number()) } else { text[head..].to_owned() };
        self.at.add(TRANSCRIPTS, &text).map(|_| ())
    }

    /// Ends the hand: its transcript, its history and what opens it are durable before its close entry.
    ///
    /// # Errors
    /// [`DurableError`]; then the table must be resumed.
    pub fn close(mut self, shown_down: &[Seat], history: Option<String>) -> Result<DealtHand, DurableError> {
        if self.hand.lines.is_empty() {
            self.write_lines(true, &[])?;
        }
        let HandInPlay { at, next, hand } = self;
        let number = hand.number();
        at.add(TRANSCRIPTS, "\n")?;
        if let Some(history) = &history {
            let file = history_file(number);
            named(&file, storage::replace(&mut at.storage, &file, history.as_bytes()))?;
        }
        let end =
            HandEnd::Closed { shown_down: shown_down.to_vec(), history: history.as_ref().map(Digest::of) };
        at.record(&HandRecord { hand: number, key: Some(copy(hand.hand.key())), end })?;
        let dealt = hand.close(history);
        at.publish(dealt.close_entry())?;
        // "hand N", its line feed, the transcript and the empty line.
        at.lengths.transcripts += format!("hand {number}\n{}\n", dealt.transcript()).len() as u64;
        at.table = Some(next);
        Ok(dealt)
    }

    /// Gives the hand up: whatever was dealt of it does not count.
    ///
    /// # Errors
    /// [`DurableError`]; then the table must be resumed.
    pub fn void(self, reason: &str) -> Result<VoidedHand, DurableError> {
        let HandInPlay { at, next, hand } = self;
        at.drop_transcript()?;
        end_void(at, next, hand.void(reason), reason)
    }
}

/// Writes down why a hand is given up and what opens it, and publishes its end.
fn end_void<S: Storage>(
    at: &mut DurableTable<S>,
    next: Table,
    hand: VoidedHand,
    reason: &str,
) -> Result<VoidedHand, DurableError> {
    let key = hand.open_entry().map(|_| copy(hand.hand.key()));
    let end = HandEnd::Voided { reason: reason.to_owned() };
    at.record(&HandRecord { hand: hand.number(), key, end })?;
    at.publish(hand.void_entry())?;
    at.table = Some(next);
    Ok(hand)
}

/// Why a street was not dealt.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum StreetError {
    /// The rules do not deal it; the hand can be voided.
    #[error(transparent)]
    Deal(#[from] DealError),
    /// It could not be written down, so nobody sees it; the table must be resumed.
    #[error(transparent)]
    Durable(#[from] DurableError),
}
