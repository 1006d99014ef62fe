//! Cards and decks in a text that is not read as a record, in every form that the program knows.

use crate::source::format::Numbering;
use crate::source::spelling::{Spelled, Spelling};
use crate::source::text::{Fields, Letters, begins_at};
use deckproof_deck::card::DECK_CARDS;

/// A text of 52 different cards or numbers; numbers as if they began at 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::source) struct WholeDeck {
    numbers: [u8; DECK_CARDS],
    are_cards: bool,
}

impl WholeDeck {
    /// The one that is spelled, if all of it is one.
    pub(in crate::source) fn of(spelled: &Spelled) -> Option<WholeDeck> {
        let Spelled { fields, are_cards } = spelled;
        let first = begins_at(fields, *are_cards)?;
        Some(WholeDeck { numbers: fields.numbers.map(|number| number - first), are_cards: *are_cards })
    }

    /// The one that a text is, in whatever form.
    pub(in crate::source) fn read(text: &str, letters: &Letters) -> Option<WholeDeck> {
        let read = |spelling: Spelling| WholeDeck::of(&spelling.read(text, letters).ok()?);
        Spelling::ALL.into_iter().find_map(read)
    }

    fn of_numbers(numbers: &[u8], are_cards: bool) -> Option<WholeDeck> {
        let fields = Fields::of(numbers.try_into().ok()?, DECK_CARDS);
        WholeDeck::of(&Spelled { fields, are_cards })
    }

    /// Whether both are one deck, however the numbers of one of them count.
    pub(in crate::source) fn is_same(&self, other: &WholeDeck) -> bool {
        let cards = |own: &WholeDeck, numbering: Numbering| {
            if own.are_cards { own.numbers } else { own.numbers.map(|number| numbering.to_protocol(number)) }
        };
        if self.are_cards == other.are_cards {
            return self.numbers == other.numbers;
        }
        Numbering::ALL.into_iter().any(|numbering| cards(self, numbering) == cards(other, numbering))
    }
}

/// What a text holds that is passed over.
#[derive(Default)]
struct Found {
    /// The cards in each form, in their order, and at the end numbers.
    cards: [Vec<u8>; 6],
    /// Decks that are one word or one list.
    decks: Vec<WholeDeck>,
}

/// Forms in which a word is a card or several, by their place in [`Found`]; words of several words and numbers come after them.
const OF_WORDS: [Spelling; 4] = [Spelling::Plain, Spelling::SuitFirst, Spelling::Numbered, Spelling::Symbols];
const WORDS: usize = 4;
const NUMBERS: usize = 5;

impl Found {
    fn of(line: &[u8], letters: &Letters) -> Found {
        let text = String::from_utf8_lossy(line);
        let mut found = Found::default();
        let ends = |letter: char| letter.is_whitespace() || ",;|=:\"'[](){}#".contains(letter);
        for word in text.split(ends).filter(|word| !word.is_empty()) {
            found.add_word(word, letters);
        }
        let tokens: Vec<&str> =
            text.split(|letter| ends(letter) || letter == '_').filter(|word| !word.is_empty()).collect();
        for card in tokens.windows(3).filter(|card| card[1].eq_ignore_ascii_case("of")) {
            let spelled = Spelling::Words.read(&card.join(" "), letters);
            found.cards[WORDS].extend(spelled.ok().map(|spelled| spelled.fields.numbers[0]));
        }
        for (at, _) in text.match_indices("[{") {
            let list = text[at..].find(']').map_or("", |end| &text[at..=at + end]);
            found.add_whole(Spelling::Objects, list, letters);
        }
        found
    }

    fn add_whole(&mut self, spelling: Spelling, text: &str, letters: &Letters) {
        let read = || WholeDeck::of(&spelling.read(text, letters).ok()?);
        self.decks.extend(Some(text).filter(|text| text.len() > DECK_CARDS).and_then(|_| read()));
    }

    fn add_word(&mut self, word: &str, letters: &Letters) {
        for spelling in [Spelling::Hexadecimal, Spelling::Base64] {
            self.add_whole(spelling, word, letters);
        }
        for (place, spelling) in OF_WORDS.into_iter().enumerate() {
            let Ok(Spelled { fields, are_cards }) = spelling.read(word, letters) else { continue };
            if are_cards {
                let numbers = &fields.numbers[..fields.count.min(DECK_CARDS)];
                self.cards[place].extend(numbers);
            } else if fields.count == 1 {
                self.cards[NUMBERS].push(fields.numbers[0]);
            }
        }
    }

    /// The whole decks.
    fn decks(self) -> Vec<WholeDeck> {
        let mut decks = self.decks;
        for (place, cards) in self.cards.iter().enumerate() {
            let windows = cards.windows(DECK_CARDS);
            decks.extend(windows.filter_map(|window| WholeDeck::of_numbers(window, place != NUMBERS)));
        }
        decks
    }
}

/// The whole decks that a text holds.
pub(in crate::source) fn decks_in(line: &[u8], letters: &Letters) -> Vec<WholeDeck> {
    // No deck is written shorter.
    if line.len() < DECK_CARDS { Vec::new() } else { Found::of(line, letters).decks() }
}

/// How many cards a line holds that is passed over, as far as its words show: so many as 20 may be a deck.
pub(in crate::source) fn cards_in(line: &[u8], letters: &Letters) -> usize {
    let found = Found::of(line, letters);
    let cards = found.cards[..NUMBERS].iter().map(Vec::len).max().unwrap_or(0);
    if found.decks().is_empty() { cards } else { cards.max(DECK_CARDS) }
}
