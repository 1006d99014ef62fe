//! Words beside the decks that they gave: each deck made again from its words, in their order, by a named method.
//!
//! A method is a scaling of words to draws, a loop that the draws shuffle by, and the order of the new deck. Loops, start
//! orders and most scalings are those that `predict` undoes; the rest of the scalings are in [`scaling`].

pub mod examined;
pub mod read;
pub mod scaling;

use std::cmp::Ordering;
use std::collections::HashMap;

use crate::verification::pairs::scaling::Scaling;
use deckproof_deck::card::Card;
use deckproof_lab::project::supplied::pairs::PairsFault;
use deckproof_predict::deck::{DECK_CARDS, DRAWS, Deck};
use deckproof_predict::start::Start;
use deckproof_predict::way::{Loop, WAYS, Way, inverse};

/// Records on which a method is looked for that nobody named.
const RECORDS_SEARCHED: usize = 20;

/// A deck and the words that are stated to have given it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WordsAndDeck {
    /// Its line in the file.
    pub line: usize,
    /// The words in their order.
    pub words: Vec<u64>,
    /// The deck, the first card dealt first; cards are numbered 4·rank + suit.
    pub deck: Deck,
}

/// One way from words to a deck.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ReplayMethod {
    /// From words to draws.
    pub scaling: Scaling,
    /// From draws to a deck.
    pub way: Way,
    /// Whether a word is drawn for the range 1 too, which moves no card.
    pub has_draw_of_one: bool,
    /// How the cards lie before.
    pub start: Start,
}

/// What one method says of all records.
pub struct Replayed {
    /// The method.
    pub method: ReplayMethod,
    /// Each record's answer; none where it cannot be asked, as of the first one by the start order `previous` where no new deck gives it.
    pub answers: Vec<Option<Result<(), PairsFault>>>,
    /// Where decks are shuffled on: the new deck from which the words give the first one.
    pub new_deck: Option<Start>,
}

impl Replayed {
    /// How many records the method gives.
    pub fn given(&self) -> usize {
        (0..self.answers.len()).filter(|number| self.gives(*number)).count()
    }

    /// Whether it gives this one.
    pub fn gives(&self, number: usize) -> bool {
        matches!(self.answers[number], Some(Ok(())))
    }

    /// Why it does not give the other records.
    pub fn contradictions(&self) -> impl Iterator<Item = &PairsFault> {
        self.answers.iter().flatten().filter_map(|answer| answer.as_ref().err())
    }
}

impl ReplayMethod {
    /// What it says of a record; none where it cannot say.
    fn replay(
        self,
        bits: u32,
        record: &WordsAndDeck,
        previous: Option<&Deck>,
    ) -> Option<Result<(), PairsFault>> {
        let numbers = self.start.numbers(previous)?;
        Some(self.replay_from(bits, record, &numbers))
    }

    fn replay_from(self, bits: u32, record: &WordsAndDeck, numbers: &Deck) -> Result<(), PairsFault> {
        let ranges = self.way.ranges();
        let line = record.line as u64;
        let of_one = if self.has_draw_of_one { self.scaling.words_each() } else { 0 };
        // A loop that begins at the range 2 would begin with the range 1.
        let before = if ranges[0] == 2 { of_one } else { 0 };
        let words = record.words.get(before..).unwrap_or(&[]);
        let (draws, taken) = self.scaling.draws(bits, words, &ranges, DRAWS);
        let wanted = taken + of_one;
        let dealt = self.way.undo(&record.deck.map(|card| numbers[usize::from(card)]));
        let known = |draw: usize| self.scaling.draws(bits, words, &ranges, draw).1 <= words.len();
        let differing = (0..DRAWS).find(|draw| draws[*draw] != dealt[*draw]);
        let Some(draw) = differing.filter(|draw| known(draw + 1)) else {
            let words = record.words.len() as u64;
            return match (wanted as u64).cmp(&words) {
                Ordering::Greater => {
                    let draw = (1..=DRAWS).find(|draw| !known(*draw)).unwrap_or(DRAWS + 1) as u64;
                    Err(PairsFault::Short { line, draw, words })
                }
                Ordering::Less => Err(PairsFault::Left { line, taken: wanted as u64, words }),
                Ordering::Equal => Ok(()),
            };
        };
        let cards = inverse(numbers);
        let by_words = self.way.deal(&draws.map(|draw| draw.min(DECK_CARDS as u8 - 1)));
        let by_words = by_words.map(|number| cards[usize::from(number)]);
        let differs = |place: &usize| by_words[*place] != record.deck[*place];
        let place = (0..DECK_CARDS).find(differs).unwrap_or(0);
        let card = |index: u8| Card::from_index(index).map_or_else(String::new, |card| card.to_string());
        Err(PairsFault::Draw {
            line,
            draw: draw as u64 + 1,
            range: ranges[draw].into(),
            by_words: draws[draw].into(),
            by_deck: dealt[draw].into(),
            place: place as u64 + 1,
            card_by_words: card(by_words[place]),
            card: card(record.deck[place]),
            places: (0..DECK_CARDS).filter(differs).count() as u64,
        })
    }

    /// Whether words give the deck of a record, which may be another's words.
    fn gives_deck(self, bits: u32, words: &[u64], number: usize, records: &[WordsAndDeck]) -> bool {
        let previous = number.checked_sub(1).map(|before| &records[before].deck);
        let own = &records[number];
        let record = WordsAndDeck { words: words.to_vec(), deck: own.deck, line: own.line };
        matches!(self.replay(bits, &record, previous), Some(Ok(())))
    }

    /// All records.
    pub fn replay_all(self, bits: u32, records: &[WordsAndDeck]) -> Replayed {
        let answer = |number: usize| {
            let previous = number.checked_sub(1).map(|before| &records[before].deck);
            self.replay(bits, &records[number], previous)
        };
        let mut answers: Vec<_> = (0..records.len()).map(answer).collect();
        // Somebody who shuffles on has begun with a new deck.
        let new_deck = records.first().filter(|_| self.start == Start::Previous).and_then(|first| {
            let gives = |start: &Start| {
                matches!(ReplayMethod { start: *start, ..self }.replay(bits, first, None), Some(Ok(())))
            };
            Start::usual().into_iter().find(gives)
        });
        if new_deck.is_some() {
            answers[0] = Some(Ok(()));
        }
        Replayed { method: self, answers, new_deck }
    }
}

/// All methods for words of so many bits of which the scaling, the loop and the start order are these, where they are named.
pub fn methods(
    bits: u32,
    scaling: Option<Scaling>,
    way: Option<Way>,
    start: Option<Start>,
) -> Vec<ReplayMethod> {
    let scalings = scaling.map_or_else(|| Scaling::all(bits), |scaling| vec![scaling]);
    let ways = way.map_or(WAYS.to_vec(), |way| vec![way]);
    let starts = start.map_or_else(Start::usual, |start| vec![start]);
    let mut methods = Vec::new();
    for scaling in scalings {
        for way in &ways {
            for has_draw_of_one in [false, true] {
                let is_odd = has_draw_of_one && !scaling.may_draw_one();
                // The batches of the certified shuffle are those of the loop downward.
                if is_odd || scaling == Scaling::Certified && way.of != Loop::Down {
                    continue;
                }
                let method =
                    |start: &Start| ReplayMethod { scaling, way: *way, has_draw_of_one, start: *start };
                methods.extend(starts.iter().map(method));
            }
        }
    }
    methods
}

/// What the methods say that give some record, the best first; nothing where none does. They are looked for on the first records
/// that no method found so far gives: a first deck is new where the others are shuffled on, and a program may change.
pub fn replay(bits: u32, methods: &[ReplayMethod], records: &[WordsAndDeck]) -> Vec<Replayed> {
    let mut replayed: Vec<Replayed> = Vec::new();
    let mut searched = 0;
    for (number, record) in records.iter().enumerate() {
        if replayed.iter().any(|own| own.gives(number)) {
            continue;
        }
        searched += 1;
        if searched > RECORDS_SEARCHED {
            break;
        }
        let previous = number.checked_sub(1).map(|before| &records[before].deck);
        let gives = |method: &&ReplayMethod| matches!(method.replay(bits, record, previous), Some(Ok(())));
        replayed.extend(methods.iter().filter(gives).map(|method| method.replay_all(bits, records)));
    }
    replayed.sort_by_key(|replayed| std::cmp::Reverse(replayed.given()));
    replayed
}

/// The lines of the first two records that have the same words, for two different decks.
pub fn used_twice(records: &[WordsAndDeck]) -> Option<(usize, usize)> {
    let mut seen: HashMap<&[u64], usize> = HashMap::new();
    records.iter().find_map(|record| Some((seen.insert(&record.words, record.line)?, record.line)))
}
