//! Why a record is no deck: what was found, where, and what was wanted.

use std::io::Read;

use crate::source::SourceError;
use crate::source::format::Format;
use crate::source::layout::Layout;
use crate::source::records::opening::BYTE_ORDER_MARK;
use crate::source::records::{LETTERS_SHOWN, Reading, Records, unreadable};
use crate::source::spelling::{CARDS_MAX, cards_in};
use crate::source::text::{self, BadField, Fields, begins_at};
use deckproof_deck::card::{Card, DECK_CARDS};
use deckproof_deck::deck::DeckError;
use deckproof_deck::text::decimal::counted;
use deckproof_deck::text::excerpt;

/// What is wanted in the place of a line that is no record.
const TITLE_WANTED: &str = "a record: a total or a footer is none, take its line out or begin it with #";

/// How many cards a record has that may be a deck with a fault: some lost, some left from another deck, jokers.
const CARDS_OF_A_DECK: std::ops::RangeInclusive<usize> = 48..=56;

/// In so many places the same value, and they were filled and not dealt.
const FILLED_MIN: usize = 3;

/// The value in which numbers end that are different cards before it, and how often it is there.
fn filled(numbers: &[u8], first: u8) -> Option<(u8, usize)> {
    let value = *numbers.last()?;
    let run = numbers.iter().rev().take_while(|&&number| number == value).count();
    let mut seen = [false; DECK_CARDS];
    let is_new = |number: &u8| {
        let place = number.checked_sub(first).and_then(|card| seen.get_mut(usize::from(card)));
        place.is_some_and(|seen| !std::mem::replace(seen, true))
    };
    let are_cards = numbers[..numbers.len() - run].iter().all(is_new);
    (run >= FILLED_MIN && are_cards).then_some((value, run))
}

impl<R: Read> Records<R> {
    /// The line of names in the middle, as where files were joined, is no deck, even if its names are the numbers of one.
    pub(super) fn check_header(&self, length: usize) -> Result<(), SourceError> {
        let Some(header) = &self.header else { return Ok(()) };
        let line = self.bytes.waiting()[..length].trim_ascii_end();
        if line.strip_prefix(BYTE_ORDER_MARK).unwrap_or(line) != header {
            return Ok(());
        }
        let wanted = "a record: two files were joined; take that line out";
        Err(unreadable(self.place(), "the header again", wanted))
    }

    /// An empty cell is no record of a deck; it says nothing about the shuffler.
    pub(super) fn no_deck(&self) -> SourceError {
        let wanted = "52 cards; --empty-deck skip passes over and counts records without a deck";
        unreadable(self.place(), "no card where the deck is", wanted)
    }

    /// A record without a deck where the others have theirs, which has one elsewhere, is not without one.
    pub(super) fn check_elsewhere(&self, length: usize) -> Result<(), SourceError> {
        if self.reading.is_place_stated {
            return Ok(());
        }
        let line = &self.bytes.waiting()[..length];
        let Some((place, _)) = self.reading.layout.other_decks(line, &self.letters).into_iter().next() else {
            return Ok(());
        };
        let wanted = "the deck where the records before have theirs, or none: two exports in one file are audited one by one";
        Err(unreadable(self.place(), format!("no card where the deck is, and 52 cards in {place}"), wanted))
    }

    /// A quotation mark without its second makes one row of all rows up to the next one: no deck is passed over unnoticed.
    pub(super) fn check_swallowed(&self, length: usize) -> Result<(), SourceError> {
        let row = self.bytes.waiting()[..length].trim_ascii_end();
        if !row.contains(&b'\n') {
            return Ok(());
        }
        let cards = row.split(|&byte| byte == b'\n').map(|line| cards_in(line, &self.letters));
        let decks: Vec<usize> = cards.filter(|&cards| cards >= CARDS_MAX).collect();
        // One deck may be written over several lines of its cell.
        if decks.len() < 2 || decks.iter().sum::<usize>() < DECK_CARDS + CARDS_MAX {
            return Ok(());
        }
        let found = format!("{} lines with decks within one row, between quotation marks", decks.len());
        let wanted =
            "a row a deck: a quotation mark without its second takes in the rows after it; take it out";
        Err(unreadable(self.place(), found, wanted))
    }

    /// A row that ends before the column of the deck is a footer, or a piece of a row.
    pub(super) fn no_record(&self, length: usize) -> SourceError {
        let line = String::from_utf8_lossy(&self.bytes.waiting()[..length]);
        let found = format!(
            "\"{}\", which ends before the column of the deck",
            excerpt(line.trim_end(), LETTERS_SHOWN)
        );
        unreadable(self.place(), found, TITLE_WANTED)
    }

    /// A row with a cell more than there are columns: from which column on the others were moved, nothing shows.
    pub(super) fn too_wide(&self, [cells, columns]: [usize; 2]) -> SourceError {
        let wanted = format!(
            "at most {columns}, one a column: a cell with a separator in it needs quotation marks; mend that line"
        );
        unreadable(self.place(), counted(cells as u64, "cell", "cells"), wanted)
    }

    /// A last line that is no deck, with or without its line feed: the writer may not have come to its end.
    pub(super) fn torn(&self, cards: usize) -> SourceError {
        let cards = counted(cards as u64, "card", "cards");
        let found = if self.bytes.waiting().ends_with(b"\n") {
            format!("the last line holds {cards} that are no deck, as where a file was cut off")
        } else {
            format!("the text ends in the middle of a line, after {cards}")
        };
        unreadable(self.place(), found, "52 cards and a line feed")
    }

    /// Numbers that begin elsewhere than those of the first record say nothing about the shuffler: two exports
    /// may stand in one file.
    pub(super) fn other_first_number(&self, fields: &Fields) -> Option<SourceError> {
        let Reading { format, first_number, is_first_number_stated, .. } = self.reading;
        let is_deck_of_others = begins_at(fields, false).is_some_and(|begins| begins != first_number);
        let has_none_below = first_number == 1 && fields.numbers[..fields.count.min(DECK_CARDS)].contains(&0);
        if format != Format::Indices || is_first_number_stated || !(is_deck_of_others || has_none_below) {
            return None;
        }
        let (before, here) = if first_number == 0 { (0, 52) } else { (52, 0) };
        Some(unreadable(
            self.place(),
            format!("the number {here}, while record 1 holds {before}"),
            "numbers 0 to 51 or numbers 1 to 52 in all records: if two exports stand in one file, audit them one by one",
        ))
    }

    pub(super) fn place(&self) -> String {
        let (name, record) = (&self.name, self.at.records + 1);
        match self.reading.format {
            Format::Raw => format!("{name}, record {record} (byte {})", self.bytes.consumed()),
            _ => {
                let line = self.bytes.waiting().split(|&byte| byte == b'\n').next().unwrap_or_default();
                let marks = self.reading.layout.marks(line);
                if self.has_lines {
                    format!("{name}, record {record} (line {}{marks})", self.at.lines + 1)
                } else if marks.is_empty() {
                    format!("{name}, record {record}")
                } else {
                    format!("{name}, record {record} ({})", &marks[2..])
                }
            }
        }
    }

    /// A line too long whose end is a whole deck: a writer that was killed began again behind the cards that it had written.
    pub(super) fn begun_again(&self, fields: &Fields) -> Option<SourceError> {
        let all = fields.all();
        let before =
            all.len().checked_sub(DECK_CARDS).filter(|before| *before > 0 && all.len() == fields.count)?;
        let last = Fields::of(all[before..].try_into().expect("52 are left"), DECK_CARDS);
        let _ = self.reading.deck(&last).ok()?;
        let found = format!("{} cards, of which the last 52 are a whole deck", fields.count);
        let wanted = "52 cards: where a writer was killed and began again behind what it had written, that says nothing of the shuffler";
        Some(unreadable(self.place(), found, wanted))
    }

    /// A record of different cards that ends in a run of one value: a hand that was not dealt to its end, in places that somebody filled.
    pub(super) fn unfilled(&self, fields: &Fields) -> Option<SourceError> {
        let first = self.first_number();
        let (value, run) =
            filled(&fields.all(), first).filter(|_| fields.count >= *CARDS_OF_A_DECK.start())?;
        let value = match (self.reading.format, fields.oversized) {
            (Format::Cards, _) => Card::from_index(value).map_or(String::new(), |card| card.to_string()),
            (_, Some((_, oversized))) if value == u8::MAX => oversized.to_string(),
            _ => value.to_string(),
        };
        let found = format!("{value} in each of the last {run} places");
        let wanted = "52 different cards: a hand that was not dealt to its end, or a part of a file that was never written, says nothing \
                      of the shuffler";
        Some(unreadable(self.place(), found, wanted))
    }

    /// A raw record that is no deck. What a file lost is zeros, which may begin at the end of a record.
    pub(super) fn no_raw_deck(&mut self, error: DeckError) -> Result<SourceError, SourceError> {
        self.bytes.reach(2 * DECK_CARDS).map_err(|error| self.io(error))?;
        let (own, next) = self.bytes.waiting().split_at(DECK_CARDS);
        let next = &next[..next.len().min(DECK_CARDS)];
        let fields = Fields::of(own.try_into().expect("it was reached"), DECK_CARDS);
        let goes_on = !next.is_empty() && next.iter().all(|byte| *byte == own[DECK_CARDS - 1]);
        let lost = goes_on.then(|| {
            let found = format!("the byte {} at the end of the record and all through the next one", next[0]);
            unreadable(
                self.place(),
                found,
                "52 different cards: a part of the file that was lost says nothing of the shuffler",
            )
        });
        Ok(self.unfilled(&fields).or(lost).unwrap_or_else(|| self.not_a_deck(error)))
    }

    /// A deck that lacks some cards, or has some more, is one that a dealer can have dealt; with many fewer or more a file was damaged.
    pub(super) fn not_a_deck(&self, error: DeckError) -> SourceError {
        if let DeckError::Count { found } = error
            && !CARDS_OF_A_DECK.contains(&found)
        {
            let found = counted(found as u64, "card", "cards");
            return unreadable(
                self.place(),
                found,
                "52 cards: a line that was torn, or lines that were joined, say nothing of the shuffler",
            );
        }
        SourceError::NotADeck { record: self.at.records + 1, place: self.place(), error }
    }

    /// A field that cannot be read, with the beginning of its line.
    pub(super) fn bad_field(&self, bad: &BadField) -> SourceError {
        let line = self.bytes.waiting().split(|&byte| byte == b'\n').next().unwrap_or_default();
        let shown = excerpt(String::from_utf8_lossy(line).trim_end(), LETTERS_SHOWN);
        let found = match self.reading.layout {
            Layout::Plain => format!("{:?} in field {} of \"{shown}\"", bad.text, bad.field),
            _ => format!("{:?} as card {} of the deck in \"{shown}\"", bad.text, bad.field),
        };
        let hint = text::nearest(line).map(str::to_owned).or_else(|| self.bad_field_hint(bad, line));
        let hint = hint.map_or(String::new(), |hint| format!(" ({hint})"));
        let wanted = match (self.reading.format, self.reading.first_number) {
            (Format::Cards, _) => "a card such as As or 10h",
            (_, 0) => "a card number 0 to 51",
            _ => "a card number 1 to 52",
        };
        unreadable(self.place(), found, format!("{wanted}{hint}"))
    }

    /// What a record with such a field may be.
    fn bad_field_hint(&self, bad: &BadField, line: &[u8]) -> Option<String> {
        let text = self.reading.layout.deck_text(line);
        let words: Vec<&str> = text.split(|letter: char| !letter.is_alphanumeric()).collect();
        let words: Vec<&str> = words.into_iter().filter(|word| !word.is_empty()).collect();
        let are_all = |is: &dyn Fn(&str) -> bool| !words.is_empty() && words.iter().all(|word| is(word));
        let is_card = |word: &str| self.letters.card(word.as_bytes()).is_some();
        let is_number = |word: &str| word.bytes().all(|byte| byte.is_ascii_digit());
        let are_cards = self.reading.format == Format::Cards;
        let is_deck = words.len() == DECK_CARDS;
        if is_deck && (are_cards && are_all(&is_number) || !are_cards && are_all(&is_card)) {
            let [before, here] = if are_cards { ["cards", "numbers"] } else { ["numbers", "cards"] };
            return Some(format!(
                "the records before hold {before} and this one {here}: audit the two parts one by one"
            ));
        }
        if bad.field > 1 && bad.field == words.len() && words.len() < DECK_CARDS {
            return Some(format!("the record ends there, at card {}: was the file cut off?", bad.field));
        }
        let is_foreign =
            !words.iter().any(|word| is_card(word) || is_number(word) && !are_cards) || words.len() < 2;
        let is_title = bad.field == 1 && is_foreign && !matches!(self.reading.layout, Layout::Json(_));
        is_title.then(|| "a title or a total is no record: begin its line with #, or take it out".to_owned())
    }
}
