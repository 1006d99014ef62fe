//! What a first line is that may name columns: names, numbers of places, or a record.

use deckproof_deck::card::DECK_CARDS;
use deckproof_deck::text::excerpt;

use crate::source::format::Wrong;
use crate::source::guess::refusal::{ALMOST_MIN, Refusal};
use crate::source::guess::{Guess, Guesser, runs};
use crate::source::layout::{Layout, is_null};
use crate::source::spelling::Spelling;
use crate::source::text::{self, Fields};

/// Names of columns are not longer (64 in MySQL, 63 in PostgreSQL), and a deck without blanks is.
const NAME_LETTERS_MAX: usize = 64;

impl Guesser<'_> {
    /// Whether the first of these rows names the columns of the others: an option names one of its cells, or every cell could
    /// be a name, which is no number and no cards. A record is never taken for a header, for it would be passed over.
    pub(super) fn is_header(&self, rows: &[Vec<String>]) -> bool {
        let Some((cells, below)) = rows.split_first() else { return false };
        if self.holds_named(cells) {
            return true;
        }
        // What begins a JSON object names no column.
        let is_name = |cell: &String| {
            let spelled = Spelling::Plain.read(cell, self.letters);
            !cell.starts_with('{') && !spelled.is_ok_and(|spelled| spelled.fields.count > 0)
        };
        // A deck in one cell, of which one card cannot be read.
        let is_almost = |cell: &String| {
            let words = cell.split(|letter: char| !letter.is_alphanumeric());
            let cards = words.filter(|word| {
                Spelling::Plain.read(word, self.letters).is_ok_and(|own| own.fields.count == 1)
            });
            cards.count() >= ALMOST_MIN
        };
        let lettered: Vec<usize> =
            (0..cells.len()).filter(|&column| self.is_lettered(&cells[column])).collect();
        // Where cards are below such a word, too, it is the card of a first record.
        let is_card = |&column: &usize| {
            let count = self.cards_of(&cells[column]);
            below.iter().filter_map(|row| row.get(column)).any(|cell| self.cards_of(cell) == count)
        };
        if lettered.len() >= ALMOST_MIN || lettered.iter().any(is_card) {
            return false;
        }
        let mut others =
            (0..cells.len()).filter(|column| !lettered.contains(column)).map(|column| &cells[column]);
        // Data frames leave the name of their index empty. Beside a word that may be a card an empty cell shows nothing, nor does NULL.
        let is_shown = |cell: &String| !cell.is_empty() && (lettered.is_empty() || !is_null(cell));
        let are_names = others.clone().all(|cell| is_name(cell) && !is_almost(cell));
        are_names && others.any(is_shown) && !(self.is_wide() && self.are_almost(cells))
    }

    /// Whether an option names one of these cells as a column; a number names none.
    fn holds_named(&self, cells: &[String]) -> bool {
        let columns = self.written.columns.as_deref();
        let ends = columns.and_then(|columns| columns.split_once("..")).map(|(first, last)| [first, last]);
        let mut named = self.written.given_names().chain(ends.into_iter().flatten());
        named.any(|name| name.parse::<usize>().is_err() && cells.iter().any(|cell| cell == name))
    }

    /// How many cards a text spells, if it spells nothing else.
    fn cards_of(&self, text: &str) -> usize {
        let spelled = Spelling::Plain.read(text, self.letters).ok();
        spelled.filter(|spelled| spelled.are_cards).map_or(0, |spelled| spelled.fields.count)
    }

    /// Whether a cell is one word that may name a column and spells cards as well: `ts`, `as`, `asks`.
    pub(super) fn is_lettered(&self, cell: &str) -> bool {
        let is_word = cell.chars().all(char::is_alphanumeric) && cell.contains(char::is_alphabetic);
        is_word && (1..ALMOST_MIN).contains(&self.cards_of(cell))
    }

    /// The names of the columns of a table, by its first line.
    pub(super) fn names(&self, rows: &[Vec<String>]) -> Vec<String> {
        self.names_of_r(rows).unwrap_or_else(|| rows[0].clone())
    }

    /// The same as R's `write.table` has them: every row begins with its own name in quotation marks, and nothing is above these.
    pub(super) fn names_of_r(&self, rows: &[Vec<String>]) -> Option<Vec<String>> {
        let (names, rows) = rows.split_first()?;
        // A separator at the end of each row makes an empty cell there.
        let are_wider = rows.iter().all(|row| row.len() == names.len() + 1)
            && rows.iter().any(|row| row.last().is_some_and(|cell| !cell.is_empty()));
        let are_quoted = self.lines.iter().all(|line| line.starts_with(b"\""));
        let with_index = || std::iter::once(String::new()).chain(names.iter().cloned()).collect();
        (are_wider && are_quoted).then(with_index)
    }

    /// That no option names one of these columns, where the rows have more cells than there are names.
    pub(super) fn check_unnamed(&self, names: &[String], row: &[String]) -> Result<(), Wrong> {
        match self.written.given_names().find(|given| names.iter().any(|name| name == given)) {
            None => Ok(()),
            Some(name) => Err((
                format!(
                    "{} columns are named, {name:?} among them, and the row below has {} cells",
                    names.len(),
                    row.len()
                ),
                "as many names as cells: put a deck whose cards stand between commas in quotation marks"
                    .to_owned(),
            )),
        }
    }

    /// Whether cells could be meant for a deck in another spelling. A few names are cards in one, such as `c2` and `da`.
    fn are_almost(&self, cells: &[String]) -> bool {
        let is_card = |cell: &&String| {
            let others = Spelling::ALL[1..].iter().filter_map(|other| other.read(cell, self.letters).ok());
            others.map(|spelled| spelled.fields.count).any(|count| count == 1)
        };
        let is_long = |cell: &String| cell.chars().count() > NAME_LETTERS_MAX;
        let is_symbol = |letter: char| ('\u{1f0a0}'..='\u{1f0ff}').contains(&letter);
        cells.iter().any(|cell| is_long(cell) || cell.contains(is_symbol))
            || cells.iter().filter(is_card).count() >= ALMOST_MIN
    }

    /// That the first record counts from 0 or 1 and the next one does not: names of columns, as data frames write them, or a deck that
    /// nobody shuffled.
    pub(super) fn counted_deck(&self, guess: &Guess) -> Option<Refusal> {
        let mut layout = guess.layout.clone();
        let is_a_row = match &layout {
            Layout::Whole => self.lines.first().is_some_and(|line| text::indices(line).is_ok()),
            Layout::Table(table) => table.deck.len() == DECK_CARDS,
            Layout::Plain | Layout::Json(_) => false,
        };
        let mut counts = |line: &[u8]| {
            let spelled = layout.read(line, self.letters, guess.spelling);
            spelled.is_ok_and(|spelled| !spelled.are_cards && counts_up(&spelled.fields))
        };
        let [first, second, ..] = self.lines else { return None };
        if !is_a_row
            || self.written.format.is_some()
            || guess.has_header
            || guess.spelling != Spelling::Plain
            || !counts(first)
            || counts(second)
        {
            return None;
        }
        Some(Refusal::of_row(
            0,
            "the numbers of 52 places in their order, which may be names of columns, or a deck that was not shuffled".to_owned(),
            "one that is sure: without that line if these are names (pandas: header=False), or --format indices if it is a deck",
        ))
    }

    /// That the 52 columns of the deck do not come in the order of their numbers.
    pub(super) fn disordered_names(&self, guess: &Guess) -> Option<Refusal> {
        let Layout::Table(mut table) = guess.layout.clone() else { return None };
        let [first, second, ..] = self.lines.get(..2).filter(|_| guess.has_header)? else { return None };
        let cells = self.names(&[table.cells(first), table.cells(second)]);
        let names: Vec<&str> =
            table.deck.iter().filter_map(|&at| cells.get(at)).map(String::as_str).collect();
        disorder(&names).map(|what| Refusal::of_row(0, what, ORDER_WANTED))
    }
}

/// Whether numbers count from 0 or from 1.
pub(in crate::source) fn counts_up(fields: &Fields) -> bool {
    let first = fields.numbers[0];
    fields.count == DECK_CARDS
        && first <= 1
        && fields.numbers.iter().zip(first..).all(|(number, wanted)| *number == wanted)
}

/// The numbers with which 52 names end, if they are those of all places from 0 or 1, in whatever order.
fn places(names: &[&str]) -> Option<Vec<usize>> {
    let number = |name: &&str| {
        let digits = name.len() - name.bytes().rev().take_while(u8::is_ascii_digit).count();
        name.get(digits..)?.parse::<usize>().ok()
    };
    let numbers: Vec<usize> = names.iter().map(number).collect::<Option<_>>()?;
    let mut sorted = numbers.clone();
    sorted.sort_unstable();
    let begins = sorted.first().is_some_and(|first| *first <= 1);
    let are_places = sorted.len() == DECK_CARDS && sorted.windows(2).all(|pair| pair[0] + 1 == pair[1]);
    (begins && are_places).then_some(numbers)
}

/// Whether 52 names number the places of a deck, in their order.
pub(super) fn are_places(names: &[String]) -> bool {
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    places(&names).is_some_and(|numbers| numbers.is_sorted())
}

/// That 52 columns are numbered by their names, and do not come in the order of these numbers.
pub(in crate::source) fn disorder(names: &[&str]) -> Option<String> {
    let numbers = places(names)?;
    (!numbers.is_sorted()).then(|| {
        let [first, second] = [0, 1].map(|at| excerpt(names[at], 24));
        format!(
            "52 columns that are numbered and do not come in that order: `{first}`, `{second}`, and so on"
        )
    })
}

/// What such columns should be.
pub(in crate::source) const ORDER_WANTED: &str =
    "the columns in the order of the places of a deck, the top card first";

/// Whether the first row numbers 52 columns beside others that have names or none where the second row has numbers.
pub(super) fn are_numbered(first: &[String], second: &[String]) -> bool {
    let is_number = |cell: &String| !cell.is_empty() && cell.bytes().all(|byte| byte.is_ascii_digit());
    let counts = |run: &Vec<usize>| {
        let numbers = run.iter().map(|&at| first[at].parse::<usize>().ok());
        [0, 1].iter().any(|begin| numbers.clone().eq((*begin..begin + DECK_CARDS).map(Some)))
    };
    runs(first.len()).find(counts).is_some_and(|run| {
        let beside = (0..first.len()).filter(|at| !run.contains(at));
        let mut beside = beside.peekable();
        beside.peek().is_some()
            && beside.all(|at| !is_number(&first[at]) && second.get(at).is_some_and(is_number))
    })
}
