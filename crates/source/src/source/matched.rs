//! Lines of a log: what `--deck-regex` matches of them, one deck a line, or one row where groups of it name the record and its time.

use std::io::{self, BufRead, BufReader, Read};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, PoisonError};

use crate::source::lines::LinesRead;
use crate::source::pattern::{DeckPattern, FoundDeck};
use crate::source::pieces::{self, Input};
use crate::source::spelling::search::{WholeDeck, decks_in};
use crate::source::spelling::{CARDS_MAX, Spelling, cards_in};
use crate::source::text::{Fields, Letters, begins_at, shown};
use crate::source::twice::{self, Identity, LOOKED_AT, SharedIdentities};
use deckproof_deck::card::DECK_CARDS;

/// No line of a log is longer.
const LINE_BYTES_MAX: u64 = 1 << 20;

/// The decks of the lines that match. A line that does not match and still holds many cards is an error: no deck is passed
/// over unnoticed.
pub(super) fn decks(input: Input, pattern: DeckPattern, groups: Vec<String>, passed: PassedLines) -> Input {
    let (input, letters) = (BufReader::new(input), Letters::new());
    let mut matched =
        Matched { input, pattern, groups, letters, lines: 0, records: 0, has_matched: false, passed };
    pieces::input(move || matched.next_deck())
}

/// Where a part of a line begins.
fn place_of(part: &[u8], line: &[u8]) -> usize {
    (part.as_ptr().addr() - line.as_ptr().addr()).min(line.len())
}

/// Cells in quotation marks, without the end of their row.
fn row_of<'a>(cells: impl Iterator<Item = &'a [u8]>) -> Vec<u8> {
    let quoted = cells.map(|cell| format!("\"{}\"", String::from_utf8_lossy(cell).replace('"', "\"\"")));
    quoted.collect::<Vec<_>>().join(",").into_bytes()
}

/// The lines that are not empty: how many matched, how many did not, and how many of these hold a card; and what those that did are known by.
#[derive(Clone, Debug, Default)]
pub(super) struct PassedLines(Arc<[AtomicU64; 3]>, SharedIdentities);

impl PassedLines {
    fn add(&self, cards: usize) {
        let [_, lines, with_cards] = &*self.0;
        lines.fetch_add(1, Ordering::Relaxed);
        with_cards.fetch_add(u64::from(cards > 0), Ordering::Relaxed);
    }

    /// A line that matched, the next record: all of it, and what is beside its deck.
    fn add_record(&self, record: u64, line: &[u8], deck: &[u8]) {
        let at = place_of(deck, line);
        let beside = [&line[..at], &line[at + deck.len()..]];
        let beside = (record < LOOKED_AT && beside.concat() != b"").then(|| twice::hash(&beside));
        let identity = Identity::Whole(twice::whole(line), beside);
        self.1.lock().unwrap_or_else(PoisonError::into_inner).push(record, identity);
        self.0[0].fetch_add(1, Ordering::Relaxed);
    }

    /// What the lines that matched are known by.
    pub(super) fn records(&self) -> SharedIdentities {
        Arc::clone(&self.1)
    }

    /// How many there are.
    pub(super) fn counts(&self) -> LinesRead {
        let [matched, passed_over, with_cards] = self.0.each_ref().map(|count| count.load(Ordering::Relaxed));
        LinesRead { all: matched + passed_over, passed_over, with_cards }
    }
}

struct Matched {
    passed: PassedLines,
    input: BufReader<Input>,
    pattern: DeckPattern,
    /// Its groups that are columns beside the deck.
    groups: Vec<String>,
    letters: Letters,
    /// Lines read, how many of them are records, and whether one of them matched.
    lines: u64,
    records: u64,
    has_matched: bool,
}

impl Matched {
    /// The next deck as a line, nothing at the end.
    fn next_deck(&mut self) -> io::Result<Vec<u8>> {
        let (mut deck, mut line, mut has_ended) = (Vec::new(), Vec::new(), false);
        while deck.is_empty() && !has_ended {
            line.clear();
            has_ended = (&mut self.input).take(LINE_BYTES_MAX).read_until(b'\n', &mut line)? == 0;
            self.lines += 1;
            let is_whole = line.ends_with(b"\n");
            let text = line.trim_ascii_end();
            match self.pattern.find(text, &self.groups) {
                _ if text.is_empty() => {}
                Some(found) => {
                    self.check_first(found.deck)?;
                    self.check_beside(&found)?;
                    let again = "matches too, behind the first in the line, wanted one deck a line";
                    self.check_passed(found.again.unwrap_or_default(), again)?;
                    self.check_second(text, found.deck)?;
                    self.passed.add_record(self.records, text, found.deck);
                    let own = found.deck.trim_ascii();
                    if self.groups.is_empty() {
                        deck.extend_from_slice(own);
                    } else {
                        if self.records == 0 {
                            deck = row_of(self.groups.iter().map(String::as_bytes).chain([&b"deck"[..]]));
                            deck.push(b'\n');
                        }
                        deck.extend(row_of(found.named.iter().copied().chain([own])));
                    }
                    self.records += 1;
                    // A line that was cut off is known by its missing end.
                    deck.extend_from_slice(if is_whole { b"\n" } else { b"" });
                }
                None => {
                    let cards = self.check_passed(text, "does not match, wanted every deck to match")?;
                    self.passed.add(cards);
                }
            }
        }
        Ok(deck)
    }

    /// The first match is a deck, or it would be taken for a line of names.
    fn check_first(&mut self, deck: &[u8]) -> io::Result<()> {
        let text = String::from_utf8_lossy(deck);
        let is_deck = |spelling: &Spelling| {
            let spelled = spelling.read(&text, &self.letters);
            spelled.is_ok_and(|spelled| begins_at(&spelled.fields, spelled.are_cards).is_some())
        };
        if self.has_matched || Spelling::ALL.iter().any(is_deck) {
            self.has_matched = true;
            return Ok(());
        }
        let shown = shown(&text, 40);
        Err(self.fault(&format!("\"{shown}\" as the first match of --deck-regex, wanted a deck of 52 cards")))
    }

    /// A card beside the match may be one of the deck that the pattern cuts off: 53 cards would be read as 52.
    fn check_beside(&self, found: &FoundDeck) -> io::Result<()> {
        let spelled = |text: &[u8]| Spelling::Plain.read(&String::from_utf8_lossy(text), &self.letters).ok();
        let Some(deck) = spelled(found.deck) else { return Ok(()) };
        let is_card = |word: &&[u8]| {
            spelled(word).is_some_and(|spelled| {
                let Fields { count, numbers, .. } = spelled.fields;
                let may_be_one = spelled.are_cards || usize::from(numbers[0]) <= DECK_CARDS;
                count > 0 && spelled.are_cards == deck.are_cards && may_be_one
            })
        };
        match found.beside.into_iter().find(is_card) {
            None => Ok(()),
            Some(card) => {
                let shown = shown(&String::from_utf8_lossy(card), 12);
                let wanted = "a pattern that takes all cards of the deck, or names what is beside it";
                Err(self
                    .fault(&format!("{shown} beside the deck that --deck-regex matches, wanted {wanted}")))
            }
        }
    }

    /// Beside the deck there is no other one, in whatever form: which of them was dealt, nothing shows.
    fn check_second(&self, line: &[u8], deck: &[u8]) -> io::Result<()> {
        let at = place_of(deck, line);
        let beside = [&line[..at], &line[at + deck.len()..]];
        let mut others = beside.into_iter().flat_map(|text| decks_in(text, &self.letters)).peekable();
        if others.peek().is_none() {
            return Ok(());
        }
        let own = WholeDeck::read(&String::from_utf8_lossy(deck), &self.letters);
        if others.all(|other| own.is_some_and(|own| own.is_same(&other))) {
            return Ok(());
        }
        let wanted = "one deck a line: two readings are possible, and which deck was dealt nothing shows";
        Err(self.fault(&format!(
            "52 cards beside the deck that --deck-regex matches, another deck, wanted {wanted}"
        )))
    }

    /// What is not taken for a deck holds none: how many cards it has.
    fn check_passed(&self, text: &[u8], what: &str) -> io::Result<usize> {
        match cards_in(text, &self.letters) {
            cards @ 0..CARDS_MAX => Ok(cards),
            found => Err(self.fault(&format!("{found} cards that --deck-regex {what}"))),
        }
    }

    fn fault(&self, found: &str) -> io::Error {
        pieces::invalid(format!("line {}: found {found}", self.lines))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DECK: &str = "2c2d2h2s3c3d3h3s4c4d4h4s5c5d5h5s6c6d6h6s7c7d7h7s8c8d8h8s9c9d9h9sTcTdThTsJcJdJhJsQcQdQhQsKcKdKhKsAcAdAhAs";

    fn read(pattern: &str, text: &str) -> io::Result<String> {
        let pattern = pattern.parse().expect("a pattern");
        let (mut read, passed) = (String::new(), PassedLines::default());
        let input = Box::new(io::Cursor::new(text.to_owned().into_bytes()));
        decks(input, pattern, Vec::new(), passed.clone()).read_to_string(&mut read)?;
        Ok(read + &passed.counts().words().unwrap_or_default())
    }

    #[test]
    fn the_group_is_the_deck_and_other_lines_are_passed_over() {
        let log = format!(
            "started\n12:00 hand 7 deck={DECK} ok\n\n12:01 seat 4 won by As\n12:02 hand 8 deck={DECK} ok"
        );
        let passed = "2 of 4 lines were passed over, 1 with a card that this program knows";
        for pattern in [r"deck=(\w+)", r"hand (\d+) deck=(?P<deck>\S+)"] {
            assert_eq!(read(pattern, &log).ok(), Some(format!("{DECK}\n{DECK}{passed}")), "{pattern}");
        }
        assert!("deck=(".parse::<DeckPattern>().is_err());
    }

    #[test]
    fn a_deck_that_does_not_match_and_a_first_match_that_is_none_are_refused() {
        let hexadecimal: String = (0..52).map(|card| format!("{card:02x}")).collect();
        let other = read(r"deck=(\w+)", &format!("deck={hexadecimal}\nhand={hexadecimal}\n"));
        assert!(other.is_err_and(|error| error.to_string().starts_with("line 2: found 52 cards")));
        let twice = read(r"deck=(\w+)", &format!("deck={DECK} deck={DECK}\n"));
        let wanted = "line 1: found 52 cards that --deck-regex matches too, behind the first in the line";
        assert!(twice.is_err_and(|error| error.to_string().starts_with(wanted)));
        let log = format!("deck={DECK}\ndekc={DECK}\n");
        let error =
            |pattern: &str| read(pattern, &log).err().map(|error| error.to_string()).unwrap_or_default();
        assert_eq!(
            error(r"deck=(\w+)"),
            "line 2: found 52 cards that --deck-regex does not match, wanted every deck to match"
        );
        assert!(
            error(r"(d\w+)=").contains("line 1: found \"deck\" as the first match"),
            "{}",
            error(r"(d\w+)=")
        );
    }

    /// A deck, from 2c to As or from As to 2c, in forms of other programs.
    fn forms(is_reversed: bool) -> Vec<String> {
        let cards: Vec<(char, char)> =
            "23456789TJQKA".chars().flat_map(|rank| "cdhs".chars().map(move |suit| (rank, suit))).collect();
        let cards = || -> Box<dyn Iterator<Item = (char, char)>> {
            if is_reversed {
                Box::new(cards.clone().into_iter().rev())
            } else {
                Box::new(cards.clone().into_iter())
            }
        };
        let join = |each: &dyn Fn((char, char)) -> String, between: &str| {
            cards().map(each).collect::<Vec<_>>().join(between)
        };
        let number = |(rank, suit): (char, char)| {
            4 * "23456789TJQKA".find(rank).expect("a rank") + "cdhs".find(suit).expect("a suit")
        };
        vec![
            join(&|(rank, suit)| format!("{suit}{rank}").to_uppercase(), ","),
            join(&|own| format!("{}{}", number(own) / 4 + 2, own.1), " "),
            join(&|(rank, suit)| format!("{rank} of {suit}"), ", "),
            join(&|(rank, suit)| format!("{{\"rank\":\"{rank}\",\"suit\":\"{suit}\"}}"), ",")
                .replacen('{', "[{", 1)
                + "]",
            join(&|own| number(own).to_string(), ","),
            join(&|own| format!("{:02x}", number(own)), ""),
            join(&|(rank, suit)| format!("{rank}{suit}"), "|"),
        ]
    }

    #[test]
    fn a_deck_in_a_form_that_is_known_is_passed_over_nowhere() {
        for form in forms(true) {
            let passed = read(r"deck=(\w+)", &format!("deck={DECK}\ncards={form}\n"));
            let error = passed.err().map(|error| error.to_string()).unwrap_or_default();
            assert!(
                error.starts_with("line 2: found 52 cards that --deck-regex does not match"),
                "{form}: {error}"
            );
            let beside = read(r"deck=(\w+)", &format!("deck={DECK} dealt={form} won\n"));
            let error = beside.err().map(|error| error.to_string()).unwrap_or_default();
            assert!(error.contains("another deck") && error.starts_with("line 1:"), "{form}: {error}");
        }
        // The same deck once more is no second reading, and dealt cards beside it are no deck.
        for form in forms(false) {
            assert!(read(r"deck=(\w+)", &format!("deck={DECK} dealt={form} won\n")).is_ok(), "{form}");
        }
        let seats = format!("deck={DECK} seats={} won\n", DECK.get(..2 * 40).expect("letters"));
        assert!(read(r"deck=(\w+)", &seats).is_ok());
    }
}
