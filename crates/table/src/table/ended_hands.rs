//! All hands of a table read back from its files, one after another: each file is read once, from its beginning.

use std::io::{self, BufRead};

use zeroize::Zeroizing;

use crate::table::files::HandRecord;
use crate::table::restore::{RestoreError, WrittenHand, read_record};
use deckproof_deck::commitment::digest::leaf_hash;
use deckproof_verify::log::entry::Entry;

/// The hands that a table's files hold, in the order in which they were committed.
pub struct WrittenHands<E, T, H> {
    entries: E,
    transcripts: T,
    hands: H,
    /// The deck entry that begins the next hand.
    deck: Option<String>,
    /// The next hand that has a transcript, and the transcript.
    transcript: Option<(u64, String)>,
    /// How the next hand ended.
    record: Option<HandRecord>,
    is_begun: bool,
}

impl<E: BufRead, T: BufRead, H: BufRead> WrittenHands<E, T, H> {
    /// From the files of the table: its entries, its transcripts, and how its hands ended.
    pub fn new(entries: E, transcripts: T, hands: H) -> WrittenHands<E, T, H> {
        WrittenHands {
            entries,
            transcripts,
            hands,
            deck: None,
            transcript: None,
            record: None,
            is_begun: false,
        }
    }

    fn begin(&mut self) -> io::Result<()> {
        self.is_begun = true;
        self.deck = read_record(&mut self.entries)?;
        self.next_transcript()?;
        self.next_record()
    }

    fn next_transcript(&mut self) -> io::Result<()> {
        self.transcript = match read_record(&mut self.transcripts)? {
            None => None,
            Some(text) => {
                let number = text.strip_prefix("hand ").and_then(|rest| rest.split_once('\n'));
                let number =
                    number.and_then(|(number, lines)| Some((number.parse().ok()?, lines.to_owned())));
                Some(number.ok_or_else(|| invalid("a transcript without the number of its hand"))?)
            }
        };
        Ok(())
    }

    fn next_record(&mut self) -> io::Result<()> {
        let mut line = Zeroizing::new(String::new());
        self.hands.read_line(&mut line)?;
        // A torn end is passed over, as everywhere in these files.
        self.record = match line.strip_suffix('\n') {
            None => None,
            Some(line) => Some(
                HandRecord::parse(line)
                    .ok_or_else(|| invalid("a line that does not say how a hand ended"))?,
            ),
        };
        Ok(())
    }

    fn read(&mut self) -> Result<Option<(u64, WrittenHand)>, RestoreError> {
        if !self.is_begun {
            self.begin()?;
        }
        let Some(deck) = self.deck.take() else { return Ok(None) };
        let Ok(Entry::Deck(head)) = Entry::parse(&deck) else {
            return Err(invalid("an entry of a hand that has no deck entry before it").into());
        };
        let hand = head.hand;
        let unfit = |problem| RestoreError::Unfit { hand, problem };
        let mut names = vec![leaf_hash(&deck)];
        let mut entries = vec![deck];
        while let Some(text) = read_record(&mut self.entries)? {
            let before = match Entry::parse(&text) {
                Ok(Entry::Deck(_)) => {
                    self.deck = Some(text);
                    break;
                }
                Ok(entry) => entry.before(),
                Err(_) => None,
            };
            let before = before.ok_or_else(|| unfit("one of its entries is none"))?;
            if !names.contains(&before) {
                return Err(unfit("an entry among its own is of another hand"));
            }
            names.push(leaf_hash(&text));
            entries.push(text);
        }
        let transcript = match &self.transcript {
            Some((of, _)) if *of == hand => self.transcript.take().map(|(_, text)| text),
            _ => None,
        };
        if transcript.is_some() {
            self.next_transcript()?;
        }
        let record = self.record.take_if(|record| record.hand == hand);
        if record.is_some() {
            self.next_record()?;
        }
        Ok(Some((hand, WrittenHand { number: hand, entries, transcript, record })))
    }
}

impl<E: BufRead, T: BufRead, H: BufRead> Iterator for WrittenHands<E, T, H> {
    type Item = Result<(u64, WrittenHand), RestoreError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.read().transpose()
    }
}

fn invalid(found: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, format!("found {found}"))
}
