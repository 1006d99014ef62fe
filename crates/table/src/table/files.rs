//! The files of a table: their names, how a record ends in each, and what a torn end looks like.
//!
//! | file | holds | a record ends with |
//! |---|---|---|
//! | `public/entries.txt` | the log entries of the table, in order | an empty line |
//! | `public/transcripts.txt` | `hand N` and its transcript | an empty line |
//! | `public/receipts.txt` | where the log has the deck and the open entry of each hand, and under which checkpoint | a line feed |
//! | `public/hand-N.deck.proof` | the receipt of the deck entry of the last hand that was opened | the file |
//! | `public/hand-N.open.proof` | the receipt of its open entry | the file |
//! | `public/hand-N.phh` | the history of a hand that was played | the file |
//! | `secret/hands.txt` | how each hand ended, with the key that opens it | a line feed |
//! | `secret/state` | the chain key, and the hand that is under way | the file |
//!
//! No entry and no transcript holds an empty line, so an end that is torn anywhere is seen to be torn.

use zeroize::Zeroizing;

use deckproof_deck::commitment::digest::Digest;
use deckproof_deck::key::HandKey;
use deckproof_stud::stud::seat::Seat;

/// The log entries of the table.
pub const ENTRIES: &str = "public/entries.txt";

/// The transcripts of its hands.
pub const TRANSCRIPTS: &str = "public/transcripts.txt";

/// Where the log has its hands, one line a hand; empty for a table without a log.
pub const RECEIPTS: &str = "public/receipts.txt";

/// How its hands ended, and what opens them.
pub const HANDS: &str = "secret/hands.txt";

/// The chain key.
pub const STATE: &str = "secret/state";

/// The history of a hand.
pub fn history_file(hand: u64) -> String {
    format!("public/hand-{hand}.phh")
}

/// The receipt of an entry of a hand, `deck` or `open`.
pub fn receipt_file(hand: u64, kind: &str) -> String {
    format!("public/hand-{hand}.{kind}.proof")
}

/// How a hand ended; it is written before the log hears of it.
pub struct HandRecord {
    /// The hand's number.
    pub hand: u64,
    /// What opens it; a deck that was never opened has none.
    pub key: Option<HandKey>,
    /// How it ended.
    pub end: HandEnd,
}

/// How a hand ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum HandEnd {
    /// Played to its end.
    Closed {
        /// The seats whose hands everybody saw.
        shown_down: Vec<Seat>,
        /// The hash of its history.
        history: Option<Digest>,
    },
    /// Given up.
    Voided {
        /// The reason in the void entry.
        reason: String,
    },
}

impl HandRecord {
    /// `N close KEY SEATS HISTORY` or `N void KEY REASON`; `-` is what is absent.
    pub fn print(&self) -> Zeroizing<String> {
        let key = self.key.as_ref().map_or_else(|| Zeroizing::new("-".to_owned()), HandKey::disclose);
        let hand = self.hand;
        Zeroizing::new(match &self.end {
            HandEnd::Closed { shown_down, history } => {
                let seats: Vec<String> = shown_down.iter().map(Seat::to_string).collect();
                let seats = if seats.is_empty() { "-".to_owned() } else { seats.join(",") };
                let history = history.map_or("-".to_owned(), |hash| hash.to_string());
                format!("{hand} close {} {seats} {history}\n", *key)
            }
            HandEnd::Voided { reason } => format!("{hand} void {} {reason}\n", *key),
        })
    }

    /// Reads a line without its line feed; nothing if it is none.
    pub fn parse(line: &str) -> Option<HandRecord> {
        let optional = |text: &str| (text != "-").then(|| text.to_owned());
        let words: Vec<&str> = line.split(' ').collect();
        let (hand, key, end) = match words[..] {
            [hand, "close", key, seats, history] => {
                let seats = optional(seats).map_or(Some(Vec::new()), |seats| {
                    seats.split(',').map(Seat::parse).collect::<Option<Vec<Seat>>>()
                })?;
                let history = match optional(history) {
                    Some(hash) => Some(Digest::from_hex(&hash)?),
                    None => None,
                };
                (hand, key, HandEnd::Closed { shown_down: seats, history })
            }
            [hand, "void", key, reason] => (hand, key, HandEnd::Voided { reason: reason.to_owned() }),
            _ => return None,
        };
        let key = match key {
            "-" => None,
            key => Some(key.parse().ok()?),
        };
        Some(HandRecord { hand: hand.parse().ok()?, key, end })
    }
}

/// The records of a text that end as they should, and how many bytes they are; the rest is torn.
pub fn complete<'a>(text: &'a [u8], end: &str) -> (Vec<&'a [u8]>, usize) {
    let end = end.as_bytes();
    let (mut records, mut begin, mut at) = (Vec::new(), 0, 0);
    while at + end.len() <= text.len() {
        if &text[at..at + end.len()] == end {
            // The line feed that ends the last line belongs to the record.
            records.push(&text[begin..at + 1]);
            begin = at + end.len();
            at = begin;
        } else {
            at += 1;
        }
    }
    (records, begin)
}

/// What ends a record of entries or transcripts: a line feed and an empty line.
pub const EMPTY_LINE: &str = "\n\n";

/// What ends a line.
pub const LINE_FEED: &str = "\n";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_torn_end_is_no_record_wherever_it_is_torn() {
        let text = b"deckproof/v1 a\nx 1\n\ndeckproof/v1 b\ny 2\n\n";
        let first = 20;
        for length in 0..=text.len() {
            let (records, bytes) = complete(&text[..length], EMPTY_LINE);
            let wanted = if length == text.len() { 2 } else { usize::from(length >= first) };
            assert_eq!(records.len(), wanted, "{length}");
            assert_eq!(bytes, [0, first, text.len()][wanted], "{length}");
        }
        assert_eq!(complete(text, EMPTY_LINE).0[0], b"deckproof/v1 a\nx 1\n");
    }

    #[test]
    fn records_of_hands_print_and_parse_back() {
        let key = "07".repeat(32);
        let hash = "ab".repeat(32);
        for line in [
            format!("1 close {key} - -"),
            format!("2 close {key} 1,3 {hash}"),
            format!("3 void {key} crash"),
            "4 void - deck-lost".to_owned(),
        ] {
            let record = HandRecord::parse(&line).unwrap_or_else(|| panic!("{line}"));
            assert_eq!(*record.print(), format!("{line}\n"));
        }
        for line in
            ["", "1 close", "x void - a", &format!("1 close {key} 9 -"), &format!("1 close {hash}g - -")]
        {
            assert!(HandRecord::parse(line).is_none(), "{line}");
        }
    }
}
