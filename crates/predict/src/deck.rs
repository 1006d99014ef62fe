//! Decks, records of decks, and what is observed of a dealer.

use std::ops::Range;

/// Cards of a deck.
pub const DECK_CARDS: usize = 52;

/// Draws of a shuffle: of 52, 51, …, 2.
pub const DRAWS: usize = 51;

/// A deck from the first card dealt to the last; cards are numbered 4·rank + suit, suits c d h s, ranks 2 to A.
pub type Deck = [u8; DECK_CARDS];

/// The letters of ranks and of suits.
const RANKS: &[u8; 13] = b"23456789TJQKA";
const SUITS: &[u8; 4] = b"cdhs";

/// A deck in letters: `As Kd 2c …`.
pub fn deck_text(deck: &Deck) -> String {
    deck.iter().map(|card| card_text(*card)).collect::<Vec<_>>().join(" ")
}

fn card_text(card: u8) -> String {
    let card = usize::from(card);
    format!("{}{}", char::from(RANKS[card / 4]), char::from(SUITS[card % 4]))
}

/// What one record shows: the cards of the first places, `None` where a card was not seen.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Record(Vec<Option<u8>>);

impl Record {
    /// A whole deck.
    pub fn whole(deck: &Deck) -> Record {
        Record(deck.iter().map(|&card| Some(card)).collect())
    }

    /// The first cards dealt; `None` where one was not seen. `None` if there are more than 52, one beyond 51, or one twice.
    pub fn of_first_cards(cards: &[Option<u8>]) -> Option<Record> {
        let mut seen = 0u64;
        for &card in cards.iter().flatten() {
            if usize::from(card) >= DECK_CARDS || seen >> card & 1 == 1 {
                return None;
            }
            seen |= 1 << card;
        }
        (cards.len() <= DECK_CARDS).then(|| Record(cards.to_vec()))
    }

    /// The cards of the first places.
    pub fn cards(&self) -> &[Option<u8>] {
        &self.0
    }

    /// The deck, if all of it was seen. 51 cards tell the last one.
    pub fn deck(&self) -> Option<Deck> {
        let mut deck = [0; DECK_CARDS];
        (self.0.len() == DECK_CARDS).then_some(())?;
        for (place, card) in self.0.iter().enumerate() {
            deck[place] = (*card)?;
        }
        Some(deck)
    }

    /// The cards in letters, `--` for one that was not seen.
    pub fn text(&self) -> String {
        self.0.iter().map(|card| card.map_or("--".to_owned(), card_text)).collect::<Vec<_>>().join(" ")
    }

    /// The record of that text.
    pub fn of_text(text: &str) -> Option<Record> {
        let card = |word: &str| match word {
            "--" => Some(None),
            word => (0..DECK_CARDS as u8).find(|card| card_text(*card) == word).map(Some),
        };
        Record::of_first_cards(&text.split(' ').map(card).collect::<Option<Vec<_>>>()?)
    }

    /// Whether a deck agrees with what was seen.
    pub fn agrees(&self, deck: &Deck) -> bool {
        self.0.iter().zip(deck).all(|(seen, card)| seen.is_none_or(|seen| seen == *card))
    }

    /// Cards seen.
    pub fn seen(&self) -> usize {
        self.0.iter().flatten().count()
    }

    /// `log10` of the chance that a fair deck agrees: of k cards `(52 − k)!/52!`.
    pub fn chance_log10(&self) -> f64 {
        (0..self.seen()).map(|card| -libm::log10((DECK_CARDS - card) as f64)).sum()
    }
}

/// Calls of the generator between the last draw of a record and the first of the next that no record shows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Gap {
    /// The most calls that are tried where records follow each other, 64 unless something else is known.
    pub calls_max: u32,
    /// The most calls that are tried once the state is known: records may be missing, or belong to other tables.
    pub calls_max_known: u32,
}

impl Default for Gap {
    fn default() -> Gap {
        Gap { calls_max: 64, calls_max_known: 4_096 }
    }
}

/// Records in the order in which they were dealt.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Observation {
    /// The records.
    pub records: Vec<Record>,
    /// Unknown calls between them.
    pub gap: Gap,
}

impl Observation {
    /// Whole decks.
    pub fn of_decks(decks: &[Deck]) -> Observation {
        Observation { records: decks.iter().map(Record::whole).collect(), gap: Gap::default() }
    }

    /// Whether any deck was seen whole.
    pub fn has_whole(&self) -> bool {
        self.records.iter().any(|record| record.deck().is_some())
    }

    /// Some of the records by themselves.
    pub fn window(&self, range: Range<usize>) -> Observation {
        let end = range.end.min(self.records.len());
        Observation { records: self.records[range.start.min(end)..end].to_vec(), gap: self.gap }
    }
}
