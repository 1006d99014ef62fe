//! A table that starts again: it ends the hand that was under way, and goes on.

use zeroize::Zeroizing;

use crate::log_folder::LogError;
use crate::log_folder::reader::LogReader;
use crate::log_folder::whole::check_order;
use crate::table::CommittedHand;
use crate::table::durable::{DurableError, DurableTable, copy, named};
use crate::table::files::{
    EMPTY_LINE, ENTRIES, HANDS, HandEnd, HandRecord, LINE_FEED, RECEIPTS, STATE, TRANSCRIPTS, complete,
    history_file,
};
use crate::table::hand::{close_entry, void_entry};
use crate::table::logged::{LastDeck, ReceiptRecord, SignedLog, last_deck};
use crate::table::state::{State, UnderWay};
use crate::table::storage::{self, PUBLIC, SECRET, Storage};
use deckproof_deck::commitment::digest::{Digest, leaf_hash};
use deckproof_deck::key::HandKey;
use deckproof_stud::stud::deal::DealtCard;
use deckproof_stud::stud::transcript;
use deckproof_verify::log::checkpoint::Checkpoint;
use deckproof_verify::log::entry::{ENTRY_BYTES_MAX, Entry, Mix, VoidEntry};
use deckproof_verify::log::note::{NOTE_BYTES_MAX, Note};
use deckproof_verify::log::tree::is_consistent;

/// The reason of a hand that a crash cut short.
pub const CRASH: &str = "crash";

/// A torn end is shorter than this, in bytes: no single write of a table is longer.
const TORN_BYTES_MAX: usize = ENTRY_BYTES_MAX + NOTE_BYTES_MAX;

/// The last two lines of receipts are shorter than this, in bytes.
const RECEIPTS_TAIL: u64 = 2 * (NOTE_BYTES_MAX as u64 + 64);

/// What was done about the hand before the next one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Restart {
    /// It had ended, or there was none.
    Clean,
    /// It was finished but not closed; it is closed now.
    Closed {
        /// Its number.
        hand: u64,
    },
    /// It was not finished; it is void now.
    Voided {
        /// Its number.
        hand: u64,
        /// Why.
        reason: String,
    },
}

impl<S: Storage> DurableTable<S> {
    /// Goes on with a table, whatever its last process was doing when it ended, and brings the log of its entries, if they
    /// go to one, up to what it has published.
    ///
    /// # Errors
    /// [`DurableError`]; then it can be tried again.
    pub fn resume(
        mut storage: S,
        log: Option<SignedLog>,
    ) -> Result<(DurableTable<S>, Restart), DurableError> {
        for folder in [SECRET, PUBLIC] {
            let temporary = storage::temporary(folder);
            named(&temporary, storage::wipe(&mut storage, &temporary))?;
        }
        let state = named(STATE, storage.read(STATE, 0))?.ok_or(DurableError::NoTable)?;
        let damaged = || DurableError::Damaged { file: STATE, problem: "it is not ASCII".to_owned() };
        let state = State::parse(std::str::from_utf8(&state).map_err(|_| damaged())?)?;
        let State { table, under_way, lengths, logged } = state;
        match (&log, logged) {
            (None, Some(_)) => return Err(DurableError::LogWanted),
            (Some(_), None) => return Err(DurableError::NotLogged),
            _ => {}
        }
        let hand = table.next_hand() - 1;
        let name = table.name().clone();
        let places = Vec::new();
        let mut at = DurableTable { storage, name, table: Some(table), lengths, log, places };
        at.check_log(logged)?;
        at.check_not_behind(hand)?;
        let restart = match under_way {
            None => Restart::Clean,
            Some(under_way) => at.finish(hand, under_way, logged.unwrap_or_default())?,
        };
        Ok((at, restart))
    }

    /// The log must be the one that the table's entries went to, as far as can be seen without its entries.
    fn check_log(&mut self, logged: Option<u64>) -> Result<(), DurableError> {
        let (Some(log), Some(logged)) = (&self.log, logged) else { return Ok(()) };
        let (found, wanted) = (log.origin()?, self.name.origin().to_owned());
        if found != wanted {
            return Err(LogError::Origin { found, wanted }.into());
        }
        let reader = log.reader()?;
        self.check_receipted(&reader)?;
        check_order(&reader)?;
        let size = reader.checkpoint().tree.size;
        if size < logged {
            return Err(LogError::NoEntry { index: logged - 1, size }.into());
        }
        Ok(())
    }

    /// What the folder has is written before the log has it, so a log that has more is of another folder with the same
    /// key state, and the cards of its hands would be dealt a second time.
    fn check_not_behind(&self, hand: u64) -> Result<(), DurableError> {
        let Some(log) = &self.log else { return Ok(()) };
        match last_deck(&log.reader()?, self.name.table())? {
            Some(LastDeck { hand: last, .. }) if last > hand => Err(DurableError::BehindLog { last, hand }),
            _ => Ok(()),
        }
    }

    /// The log goes on from the newest checkpoint that a receipt of this table shows: whatever is signed for one that does not is a fork.
    fn check_receipted(&mut self, log: &LogReader) -> Result<(), DurableError> {
        let length = named(RECEIPTS, self.storage.length(RECEIPTS))?.unwrap_or(0);
        let tail = named(RECEIPTS, self.storage.read(RECEIPTS, length.saturating_sub(RECEIPTS_TAIL)))?;
        let tail = tail.unwrap_or_default();
        let tail = String::from_utf8_lossy(&tail);
        let whole = tail.rsplit_once('\n').map_or("", |(lines, _)| lines);
        let newest = whole.lines().next_back().and_then(ReceiptRecord::parse);
        let Some(shown) = newest.and_then(|newest| Checkpoint::parse(&Note::parse(&newest.note).ok()?.text))
        else {
            return Ok(());
        };
        let (shown, now) = (shown.tree, log.checkpoint().tree);
        if now.size < shown.size || !is_consistent(&shown, &now, &log.request(shown.size)?.path) {
            return Err(DurableError::OtherLog { found: now.size, shown: shown.size });
        }
        Ok(())
    }

    /// Brings the log up to the entries of the hand under way, which are behind an index there if at all.
    fn catch_up(&mut self, from: u64, entries: &[Zeroizing<String>]) -> Result<(), DurableError> {
        let Some(log) = &mut self.log else { return Ok(()) };
        for entry in entries {
            if log.reader()?.index_from(from, &leaf_hash(entry))?.is_none() {
                log.publish(entry)?;
            }
        }
        Ok(())
    }

    /// The complete records behind what was there when the hand was begun; a torn end is cut off.
    fn records(
        &mut self,
        file: &'static str,
        from: u64,
        end: &str,
    ) -> Result<Vec<Zeroizing<String>>, DurableError> {
        let damaged = |problem: &str| DurableError::Damaged { file, problem: problem.to_owned() };
        let length = named(file, self.storage.length(file))?.ok_or_else(|| damaged("it is gone"))?;
        if length < from {
            return Err(damaged("it is shorter than the state says"));
        }
        let tail = named(file, self.storage.read(file, from))?.ok_or_else(|| damaged("it is gone"))?;
        let (records, length) = complete(&tail, end);
        // One of the files holds keys.
        let text =
            |record: &&[u8]| std::str::from_utf8(record).ok().map(|text| Zeroizing::new(text.to_owned()));
        let records: Option<Vec<_>> = records.iter().map(text).collect();
        let records = records.ok_or_else(|| damaged("a record is not ASCII"))?;
        if length < tail.len() {
            if tail.len() - length > TORN_BYTES_MAX {
                return Err(damaged("its end is no record, and too long for a torn one"));
            }
            named(file, self.storage.truncate(file, from + length as u64))?;
        }
        // Also what is complete may only be in the memory of the machine.
        named(file, self.storage.sync(file))?;
        Ok(records)
    }

    /// Ends the hand that was under way.
    fn finish(&mut self, hand: u64, under_way: UnderWay, logged: u64) -> Result<Restart, DurableError> {
        let UnderWay { mix, key } = under_way;
        let lengths = self.lengths;
        let entries = self.records(ENTRIES, lengths.entries, EMPTY_LINE)?;
        let transcripts = self.records(TRANSCRIPTS, lengths.transcripts, EMPTY_LINE)?;
        let hands = self.records(HANDS, lengths.hands, LINE_FEED)?;
        let receipts = self.records(RECEIPTS, lengths.receipts, LINE_FEED)?;
        let bytes = |records: &[Zeroizing<String>], end: usize| {
            records.iter().map(|record| (record.len() + end) as u64).sum::<u64>()
        };
        self.lengths.entries += bytes(&entries, 1);
        self.lengths.hands += bytes(&hands, 0);
        self.lengths.receipts += bytes(&receipts, 0);
        let deck_entry = self.deck_entry(hand, mix, &key);
        let seen = Seen::read(hand, &deck_entry, &entries, &hands)?;
        self.catch_up(logged, &entries)?;
        match (seen.end, seen.record.map(|record| record.end)) {
            (Some(LoggedEnd::Close), Some(HandEnd::Closed { .. })) => {
                self.lengths.transcripts += bytes(&transcripts, 1);
                Ok(Restart::Clean)
            }
            (Some(LoggedEnd::Void), Some(HandEnd::Voided { .. })) => {
                self.drop_transcript()?;
                Ok(Restart::Clean)
            }
            (Some(_), _) => Err(DurableError::Damaged {
                file: HANDS,
                problem: format!("the record of hand {hand} is not that of its last entry"),
            }),
            (None, Some(HandEnd::Closed { history, .. })) => {
                let open =
                    seen.open.ok_or_else(|| damaged_entries("a hand is finished and was not opened"))?;
                let lines = self.transcript(hand, &transcripts)?;
                self.check_history(hand, history)?;
                self.publish(&close_entry(&open, &lines, history))?;
                self.lengths.transcripts += bytes(&transcripts, 1);
                Ok(Restart::Closed { hand })
            }
            (None, recorded) => {
                self.drop_transcript()?;
                self.drop_history(hand)?;
                if !seen.is_committed {
                    self.publish(&deck_entry)?;
                }
                let reason = match recorded {
                    Some(HandEnd::Voided { reason }) => reason,
                    _ => {
                        let key = seen.open.is_some().then(|| copy(&key));
                        let end = HandEnd::Voided { reason: CRASH.to_owned() };
                        self.record(&HandRecord { hand, key, end })?;
                        CRASH.to_owned()
                    }
                };
                self.publish(&void_entry(&deck_entry, &reason))?;
                Ok(Restart::Voided { hand, reason })
            }
        }
    }

    /// The deck entry of the hand under way, from its key.
    fn deck_entry(&self, hand: u64, mix: Mix, key: &HandKey) -> String {
        CommittedHand::new(&self.name, hand, mix, copy(key)).deck_entry
    }

    /// The transcript of a finished hand.
    fn transcript(&self, hand: u64, records: &[Zeroizing<String>]) -> Result<Vec<DealtCard>, DurableError> {
        let text = records.last().and_then(|record| record.strip_prefix(&format!("hand {hand}\n")));
        let lines = text.and_then(|text| transcript::parse(text).ok());
        lines.ok_or_else(|| DurableError::Damaged {
            file: TRANSCRIPTS,
            problem: format!("hand {hand} is finished, and its transcript is not there"),
        })
    }

    /// Removes the history of a hand that is void after all.
    fn drop_history(&mut self, hand: u64) -> Result<(), DurableError> {
        let file = history_file(hand);
        match named(&file, self.storage.length(&file))? {
            None => Ok(()),
            Some(_) => named(&file, self.storage.remove(&file)),
        }
    }

    /// The history that a finished hand was recorded with must be there before the log names it.
    fn check_history(&self, hand: u64, hash: Option<Digest>) -> Result<(), DurableError> {
        let Some(hash) = hash else { return Ok(()) };
        let file = history_file(hand);
        let text = named(&file, self.storage.read(&file, 0))?;
        if text.is_some_and(|text| Digest::of(&*text) == hash) {
            Ok(())
        } else {
            Err(DurableError::Storage {
                file,
                problem: "it is not the history that the hand was recorded with".to_owned(),
            })
        }
    }
}

/// The end of a hand in the log.
enum LoggedEnd {
    Close,
    Void,
}

/// What the files say of the hand that was under way.
struct Seen {
    is_committed: bool,
    open: Option<String>,
    end: Option<LoggedEnd>,
    record: Option<HandRecord>,
}

fn damaged_entries(problem: &str) -> DurableError {
    DurableError::Damaged { file: ENTRIES, problem: problem.to_owned() }
}

impl Seen {
    fn read(
        hand: u64,
        deck_entry: &str,
        entries: &[Zeroizing<String>],
        hands: &[Zeroizing<String>],
    ) -> Result<Seen, DurableError> {
        let mut seen = Seen { is_committed: false, open: None, end: None, record: None };
        for (place, text) in entries.iter().enumerate() {
            let entry = Entry::parse(text).map_err(|error| damaged_entries(&error.to_string()))?;
            match entry {
                Entry::Deck(_) if place == 0 && **text == deck_entry => seen.is_committed = true,
                Entry::Open(_) if place == 1 => seen.open = Some(text.to_string()),
                Entry::Cut(_) if place == 2 => {}
                Entry::Close(_) if place + 1 == entries.len() => seen.end = Some(LoggedEnd::Close),
                Entry::Void(VoidEntry { .. }) if place + 1 == entries.len() => {
                    seen.end = Some(LoggedEnd::Void);
                }
                _ => return Err(damaged_entries(&format!("an entry that is not of hand {hand}"))),
            }
        }
        let damaged = |problem: &str| DurableError::Damaged { file: HANDS, problem: problem.to_owned() };
        seen.record = match hands {
            [] => None,
            [line] => {
                let record = HandRecord::parse(line.trim_end()).filter(|record| record.hand == hand);
                Some(record.ok_or_else(|| damaged("a record that is not of the hand under way"))?)
            }
            _ => return Err(damaged("several records of the hand under way")),
        };
        Ok(seen)
    }
}
