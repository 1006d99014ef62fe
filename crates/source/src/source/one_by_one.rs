//! Tables with one row a card, `hand_id, position, card`, as tables with one row a deck.

use std::io::{self, BufRead, BufReader, Cursor, Read};

use crate::source::format::Written;
use crate::source::layout::Table;
use crate::source::pieces::{self, Input, invalid};
use crate::source::spelling::Spelling;
use crate::source::text::{Letters, whole_number};
use deckproof_deck::card::DECK_CARDS;
use deckproof_deck::text::excerpt;

/// What may separate cells.
const DELIMITERS: [u8; 4] = [b',', b';', b'\t', b'|'];

/// A row of one card is not longer.
const ROW_BYTES_MAX: usize = 512;

/// No card is written longer: `Queen of Diamonds`.
const CARD_BYTES_MAX: usize = 20;

/// Such a table has few columns, and none of its cells is as long as a deck.
const COLUMNS: std::ops::RangeInclusive<usize> = 3..=20;
const CELL_BYTES_MAX: usize = 50;

/// Rows that are looked at: the cards of a deck, and the first of the next one.
const ROWS_SEEN: usize = DECK_CARDS + 1;

/// The same input, and whether it has one row a card, whose decks then come one a row.
///
/// # Errors
/// The input's; or that two columns hold cards.
pub(super) fn decks(input: Input, written: &Written) -> io::Result<(Input, bool)> {
    let mut input = BufReader::new(input);
    let mut head = Head::default();
    while head.may_be_cards() && head.rows.len() < ROWS_SEEN + 1 {
        let mut line = Vec::new();
        (&mut input).take(ROW_BYTES_MAX as u64 + 1).read_until(b'\n', &mut line)?;
        if line.is_empty() {
            break;
        }
        head.push(line);
    }
    let whole: Input = Box::new(Cursor::new(head.bytes.clone()).chain(input));
    match head.shape(written)? {
        Some(shape) => {
            let mut rows = OneByOne::new(whole, shape);
            Ok((pieces::input(move || rows.next_row()), true))
        }
        None => Ok((whole, false)),
    }
}

/// Where the cards of such a table stand.
struct Shape {
    delimiter: u8,
    has_header: bool,
    /// How many columns there are.
    width: usize,
    /// Those that name the hand together.
    hand: Vec<usize>,
    position: usize,
    card: usize,
    /// With which number positions begin.
    first: u64,
}

/// The first lines of a text.
#[derive(Default)]
struct Head {
    bytes: Vec<u8>,
    rows: Vec<Vec<u8>>,
    /// Of each separator, the columns that have counted so far, with their first number.
    counting: Vec<(u8, usize, u64)>,
}

impl Head {
    /// Whether all lines so far can be rows of one card below at most one line of names.
    fn may_be_cards(&self) -> bool {
        match self.rows.last() {
            None => true,
            Some(line) if !line.ends_with(b"\n") || !can_be_a_row(line) => false,
            Some(_) => self.rows.len() < 2 || !self.counting.is_empty(),
        }
    }

    fn push(&mut self, line: Vec<u8>) {
        self.bytes.extend_from_slice(&line);
        self.rows.push(line);
        let last = self.rows.len() - 1;
        match last {
            0 => {}
            // The first line may hold names or the first card.
            1 => {
                for delimiter in DELIMITERS {
                    let (one, two) =
                        (number_cells(delimiter, &self.rows[0]), number_cells(delimiter, &self.rows[1]));
                    for (column, number) in two.into_iter().enumerate() {
                        let before = one.get(column).copied().flatten();
                        let Some(number @ 0..=2) = number else { continue };
                        match (before, number) {
                            (Some(before), _) if number.checked_sub(1) == Some(before) => {
                                self.counting.push((delimiter, column, before))
                            }
                            (None, 0 | 1) => self.counting.push((delimiter, column, number)),
                            _ => {}
                        }
                    }
                }
            }
            _ => {
                let row = &self.rows[last];
                // With a line of names above, the second line has the first number.
                let names = |delimiter, column: usize| {
                    u64::from(number_cells(delimiter, &self.rows[0]).get(column).copied().flatten().is_none())
                };
                let wanted = |delimiter, column, first: u64| {
                    first + (last as u64 - names(delimiter, column)) % DECK_CARDS as u64
                };
                let counts = |&(delimiter, column, first): &(u8, usize, u64)| {
                    number_cells(delimiter, row).get(column).copied().flatten()
                        == Some(wanted(delimiter, column, first))
                };
                self.counting = self.counting.iter().copied().filter(counts).collect();
            }
        }
    }

    /// Where the cards stand, if the lines are rows of one card.
    fn shape(&self, written: &Written) -> io::Result<Option<Shape>> {
        for &(delimiter, position, first) in &self.counting {
            let mut table = Table::new(delimiter, Vec::new());
            let mut rows: Vec<Vec<String>> = self.rows.iter().map(|line| table.cells(line)).collect();
            let has_header = rows[0].get(position).is_none_or(|cell| whole_number(cell).is_none());
            let header = has_header.then(|| rows.remove(0));
            let width = rows[0].len();
            let is_narrow =
                |row: &Vec<String>| row.len() == width && row.iter().all(|cell| cell.len() <= CELL_BYTES_MAX);
            if rows.len() < DECK_CARDS || !COLUMNS.contains(&width) || !rows.iter().all(is_narrow) {
                continue;
            }
            let is_there = |name: &str| header.iter().flatten().any(|own| own == name);
            let named = |name: &str| {
                let by_name = header.as_ref().and_then(|header| header.iter().position(|own| own == name));
                by_name
                    .or_else(|| name.parse::<usize>().ok()?.checked_sub(1))
                    .filter(|&column| column < width)
            };
            let cell = |column: usize| rows[..DECK_CARDS].iter().map(move |row| row[column].as_str());
            let others = || (0..width).filter(|&column| column != position);
            let cards: Vec<usize> = match written.deck_column.as_deref().and_then(named) {
                Some(column) => vec![column],
                None => others().filter(|&column| is_deck(cell(column))).collect(),
            };
            let is_hand = |&column: &usize| {
                let first = &rows[0][column];
                !cards.contains(&column)
                    && !first.is_empty()
                    && cell(column).all(|text| text == first)
                    && rows.get(DECK_CARDS).is_none_or(|next| next[column] != *first)
            };
            // What is wrong with the names is found where the rows of the decks are read.
            let ids = written.ids(is_there).unwrap_or_default();
            let ids = ids.into_iter().map(named).collect::<Option<Vec<usize>>>().unwrap_or_default();
            let hand = if ids.is_empty() { others().find(is_hand).into_iter().collect() } else { ids };
            let Some(&card) = cards.first().filter(|_| !hand.is_empty()) else { continue };
            let name = |column: usize| {
                let named = header.as_ref().and_then(|names| names.get(column)).cloned();
                named.unwrap_or((column + 1).to_string())
            };
            if let Some(&other) = cards.get(1) {
                return Err(invalid(format!(
                    "found one row a card, and cards in two columns, {} and {}, wanted one that is named: --deck-column {}",
                    name(card),
                    name(other),
                    name(card)
                )));
            }
            if card == position {
                return Err(invalid(format!(
                    "found one row a card, in the order of the column {}, which holds the cards, wanted the rows of a hand in the order of \
                     dealing (ORDER BY the hand and the position)",
                    name(card)
                )));
            }
            let are_numbers = cell(card).all(|text| whole_number(text).is_some());
            if are_numbers && written.deck_column.is_none() && !tells(&name(position), &name(card)) {
                let (counts, other) = (name(position), name(card));
                return Err(invalid(format!(
                    "found one row a card, and two columns of numbers, {counts} in order and {other}: if {other} holds the cards, --deck-column \
                     {other}; if {counts} does, the rows were sorted by card, wanted them in the order of dealing (ORDER BY the hand and the position)"
                )));
            }
            return Ok(Some(Shape { delimiter, has_header, width, hand, position, card, first }));
        }
        Ok(None)
    }
}

/// Whether names of columns tell that one counts positions and the other holds cards, where both hold the same numbers.
fn tells(counts: &str, other: &str) -> bool {
    let has = |name: &str, words: &[&str]| words.iter().any(|word| name.to_lowercase().contains(word));
    let [is_position, is_card] = [&POSITIONS[..], &CARDS[..]].map(|words| move |name: &str| has(name, words));
    (is_position(counts) || is_card(other)) && !is_card(counts) && !is_position(other)
}

/// Parts of names of columns, in English, French and German.
const POSITIONS: [&str; 8] = ["pos", "place", "order", "ordre", "index", "idx", "seq", "slot"];
const CARDS: [&str; 3] = ["card", "carte", "karte"];

/// Whether some separator makes a line a row of few short cells.
fn can_be_a_row(line: &[u8]) -> bool {
    DELIMITERS.into_iter().any(|delimiter| {
        let cells = line.split(|&byte| byte == delimiter);
        COLUMNS.contains(&cells.clone().count()) && cells.into_iter().all(|cell| cell.len() <= CELL_BYTES_MAX)
    })
}

/// The cells of a row as numbers, where they are.
fn number_cells(delimiter: u8, line: &[u8]) -> Vec<Option<u64>> {
    let cells = line.trim_ascii_end().split(|&byte| byte == delimiter);
    let number = |cell: &[u8]| whole_number(std::str::from_utf8(cell).ok()?.trim_matches('"').trim());
    cells.map(number).collect()
}

/// Whether these cells are 52 different cards or numbers in one spelling, one a cell.
fn is_deck<'a>(cells: impl Iterator<Item = &'a str> + Clone) -> bool {
    let letters = Letters::new();
    let one_each = |spelling: Spelling| {
        let mut seen = Vec::new();
        cells.clone().all(|cell| {
            let spelled = spelling.read(cell, &letters).ok().filter(|spelled| spelled.fields.count == 1);
            let card = spelled.map(|spelled| (spelled.are_cards, spelled.fields.numbers[0]));
            let is_new = card.is_some_and(|card| card.1 <= DECK_CARDS as u8 && !seen.contains(&card));
            seen.extend(card);
            is_new && cell.len() <= CARD_BYTES_MAX
        }) && seen.len() == DECK_CARDS
    };
    [Spelling::Plain, Spelling::SuitFirst, Spelling::Numbered, Spelling::Words, Spelling::Symbols]
        .into_iter()
        .any(one_each)
}

struct OneByOne {
    input: BufReader<Input>,
    table: Table,
    shape: Shape,
    /// A row that is not given away yet.
    line: Vec<u8>,
    rows: u64,
    /// The first row of the deck that is gathered, and its cards.
    first: Vec<String>,
    cards: Vec<String>,
}

impl OneByOne {
    fn new(input: Input, shape: Shape) -> OneByOne {
        let table = Table::new(shape.delimiter, Vec::new());
        let (line, first, cards) = (Vec::new(), Vec::new(), Vec::new());
        let input = BufReader::new(input);
        OneByOne { input, table, shape, line, rows: 0, first, cards }
    }

    /// The next row, nothing at the end.
    fn next_row(&mut self) -> io::Result<Vec<u8>> {
        let (mut row, mut has_ended) = (Vec::new(), false);
        while self.line.is_empty() && !has_ended {
            row.clear();
            has_ended = (&mut self.input).take(ROW_BYTES_MAX as u64 + 1).read_until(b'\n', &mut row)? == 0;
            self.rows += 1;
            if row.trim_ascii().is_empty() {
                continue;
            }
            let cells = self.table.cells(&row);
            if self.rows == 1 && self.shape.has_header { self.push_row(&cells) } else { self.take(cells)? }
        }
        match self.cards.len() {
            found if has_ended && found > 0 => {
                Err(self.fault(&format!("the end of the text after {found} cards"), "52 rows a hand"))
            }
            _ => Ok(std::mem::take(&mut self.line)),
        }
    }

    /// The next card of a hand, or the first of another.
    fn take(&mut self, cells: Vec<String>) -> io::Result<()> {
        let Shape { width, position, card, first, .. } = self.shape;
        let place = self.cards.len() as u64;
        let found = |column: usize| cells.get(column).map_or("", String::as_str).to_owned();
        if cells.iter().skip(width).any(|cell| !cell.is_empty()) {
            return Err(self.fault(&format!("{} cells", cells.len()), &format!("{width}, one a column")));
        }
        let hand: Vec<String> = self.shape.hand.iter().map(|&column| found(column)).collect();
        let name = excerpt(&hand.join(","), 40);
        if hand.iter().all(String::is_empty) {
            return Err(self.fault("no name of a hand", "the hand in every row"));
        }
        if place > 0 && self.shape.hand.iter().zip(&hand).any(|(&column, own)| *own != self.first[column]) {
            let what = format!("the hand {name} after {place} cards");
            return Err(self.fault(&what, "52 rows a hand, one below the other"));
        }
        if whole_number(&found(position)) != Some(first + place) {
            let what = format!("the position {} of the hand {name}", excerpt(&found(position), 20));
            let wanted = format!(
                "{}: 52 rows a hand, in the order of their positions (ORDER BY hand, position)",
                first + place
            );
            return Err(self.fault(&what, &wanted));
        }
        if found(card).is_empty() {
            return Err(self.fault("no card", "one card a row"));
        }
        self.cards.push(found(card));
        if place == 0 {
            self.first = cells;
        }
        if self.cards.len() == DECK_CARDS {
            let mut whole = std::mem::take(&mut self.first);
            whole[card] = std::mem::take(&mut self.cards).join(" ");
            self.push_row(&whole);
            self.first = whole;
        }
        Ok(())
    }

    fn push_row(&mut self, cells: &[String]) {
        let delimiter = char::from(self.shape.delimiter);
        let quoted: Vec<String> =
            cells.iter().map(|cell| format!("\"{}\"", cell.replace('"', "\"\""))).collect();
        self.line.extend_from_slice(quoted.join(&delimiter.to_string()).as_bytes());
        self.line.push(b'\n');
    }

    fn fault(&self, found: &str, wanted: &str) -> io::Error {
        invalid(format!("row {}: found {found}, wanted {wanted}", self.rows))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::format::Numbering;

    fn read(text: &str) -> io::Result<Option<String>> {
        read_as(text, None)
    }

    fn read_as(text: &str, id: Option<&str>) -> io::Result<Option<String>> {
        let own = Written::new(None, Numbering::RankSuit);
        let written = Written { id_column: id.map(str::to_owned), ..own };
        let (mut input, is_one_by_one) =
            decks(Box::new(Cursor::new(text.to_owned().into_bytes())), &written)?;
        let mut read = String::new();
        input.read_to_string(&mut read)?;
        assert!(is_one_by_one || read == text);
        Ok(is_one_by_one.then_some(read))
    }

    /// `hands` hands of cards in their order, turned by the number of the hand.
    fn rows(hands: u64, first: u64) -> String {
        let card = |hand: u64, place: u64| {
            deckproof_deck::card::Card::from_index(((hand + place) % 52) as u8).expect("below 52")
        };
        let row = |hand, place| format!("T7,{},{},{}\n", hand + 100, place + first, card(hand, place));
        (0..hands)
            .flat_map(|hand| (0..52).map(move |place| (hand, place)))
            .map(|(hand, place)| row(hand, place))
            .collect()
    }

    #[test]
    fn rows_of_a_hand_become_one_row() {
        for (header, first) in
            [("", 0), ("", 1), ("table,hand_id,position,card\n", 0), ("table,hand_id,position,card\n", 1)]
        {
            let text =
                read(&format!("{header}{}", rows(3, first))).expect("whole hands").expect("one row a card");
            let lines: Vec<&str> = text.lines().skip(usize::from(!header.is_empty())).collect();
            assert_eq!(lines.len(), 3);
            assert!(
                lines[1].starts_with(&format!("\"T7\",\"101\",\"{first}\",\"2d 2h 2s 3c")),
                "{}",
                lines[1]
            );
            assert!(lines[1].ends_with("As 2c\""));
        }
    }

    /// Two permutations in every hand: the deck, and its inverse where somebody sorted the rows by card.
    #[test]
    fn rows_that_were_sorted_by_card_are_refused() {
        let table = |names: &str| {
            let row = |hand: u64, n: u64| format!("{hand},{n},{}\n", (n * 5 + hand) % 52);
            let rows: String = (0..104).map(|n| row(n / 52, n % 52)).collect();
            read(&format!("{names}{rows}")).map_err(|error| error.to_string())
        };
        for names in ["hand,position,card\n", "hand,Platz-Index,x\n", "id,n,Karte\n"] {
            assert!(table(names).is_ok_and(|text| text.is_some()), "{names}");
        }
        for names in ["hand,card,position\n", "hand,carte,n\n", "hand,a,b\n", ""] {
            let says = table(names).expect_err("both readings");
            assert!(says.contains("the rows were sorted by card"), "{names}: {says}");
        }
    }

    #[test]
    fn other_texts_are_left_as_they_are() {
        let deck = (0..52).map(|card| card.to_string()).collect::<Vec<_>>().join(" ");
        let table: String = (1..=60).map(|hand| format!("{hand},T7,{deck}\n")).collect();
        let no_position = rows(2, 0).replace("T7,", "T7,x").replace(",x", ",");
        for text in [
            deck.clone() + "\n",
            table,
            rows(1, 0)[..400].to_owned(),
            no_position.replace(',', " "),
            "a\n".into(),
        ] {
            assert_eq!(read(&text).ok(), Some(None), "{text:.40}");
        }
    }

    #[test]
    fn hands_that_are_not_whole_or_not_in_order_are_refused() {
        let whole = rows(3, 0);
        let lines: Vec<&str> = whole.lines().collect();
        let without = |place: usize| {
            let kept =
                lines.iter().enumerate().filter(|(at, _)| *at != place).map(|(_, line)| format!("{line}\n"));
            kept.collect::<String>()
        };
        for (text, says) in [
            (without(60), "row 61: found the position 9 of the hand 101, wanted 8"),
            (without(103), "row 104: found the hand 102 after 51 cards"),
            (without(155), "the end of the text after 51 cards"),
            (whole.replace("101,4,3d", "101,4,"), "row 57: found no card"),
            (whole.replace("T7,101,4,3d", "T7"), "row 57: found no name of a hand"),
            (whole.replace("101,0,", ",0,"), "row 53: found no name of a hand"),
        ] {
            let error = read(&text).err().map(|error| error.to_string()).unwrap_or_default();
            assert!(error.contains(says), "{error}");
        }
    }

    /// The last half of one hand and the first of the next are gone, both of one table: by the table alone they would be one.
    #[test]
    fn halves_of_two_hands_of_a_table_are_no_deck_where_both_columns_name_the_hand() {
        let whole = rows(3, 0).replacen("T7,100,", "T6,101,", 52).replace("T7,102,", "T7,103,");
        let kept = whole.lines().enumerate().filter(|(at, _)| !(78..130).contains(at));
        let halves: String = kept.map(|(_, line)| format!("{line}\n")).collect();
        for names in ["", "table,hand,position,card\n"] {
            let ids = if names.is_empty() { "1,2" } else { "table, hand" };
            assert!(read_as(&format!("{names}{whole}"), Some(ids)).is_ok_and(|text| text.is_some()));
            let error = read_as(&format!("{names}{halves}"), Some(ids)).err().map(|error| error.to_string());
            assert!(
                error.as_ref().is_some_and(|error| error.contains("the hand T7,103 after 26 cards")),
                "{error:?}"
            );
        }
    }
}
