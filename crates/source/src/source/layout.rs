//! Where the deck is in a line of text: alone, in a column, in 52 columns, or in a JSON object.

use csv_core::{ReadRecordResult, Reader, ReaderBuilder};

use crate::source::spelling::search::WholeDeck;
use crate::source::spelling::{CARDS_MAX, Spelled, Spelling, objects};
use crate::source::text::{BadField, Fields, Letters};
use crate::source::twice;
use deckproof_deck::card::Card;
use deckproof_deck::json::Json;
use deckproof_deck::text::excerpt;

/// How the lines of a text are laid out.
#[derive(Clone)]
pub(super) enum Layout {
    /// 52 fields and nothing else, for the fast reader.
    Plain,
    /// A deck and nothing else, however it is spelled.
    Whole,
    /// A JSON object.
    Json(Members),
    /// A row of a table.
    Table(Box<Table>),
}

/// The members of a JSON object that are read, by their names or dotted paths.
#[derive(Clone)]
pub(super) struct Members {
    /// The one that holds the deck, or the 52 that hold its cards.
    pub(super) deck: Vec<String>,
    /// Those that name the record together; none where nothing does.
    pub(super) id: Vec<String>,
    /// The one that tells when it was dealt, if it is known.
    pub(super) time: Option<String>,
}

/// What a row says of itself.
pub(super) struct Named {
    /// What tells apart records that have an id.
    pub(super) key: Option<u64>,
    /// Empty where there is none.
    pub(super) id: String,
    /// Empty where there is none.
    pub(super) time: String,
}

/// A row of separated fields, quoted where they need it (RFC 4180).
pub(super) struct Table {
    reader: Reader,
    /// What separates fields.
    pub(super) delimiter: u8,
    /// The column that holds the deck, or the 52 columns that hold its cards, from 0.
    pub(super) deck: Vec<usize>,
    /// How many columns there are.
    width: usize,
    /// The columns that name the record together; none where nothing does.
    pub(super) id: Vec<usize>,
    /// The column that tells when it was dealt, if one is known.
    pub(super) time: Option<usize>,
}

impl Clone for Table {
    /// With a new parser: a clone of `csv_core::Reader` 0.1.13 forgets its classes of bytes and reads nothing.
    fn clone(&self) -> Table {
        Table::new(self.delimiter, self.deck.clone()).with(self.width, self.id.clone(), self.time)
    }
}

impl Table {
    /// A table whose deck is in these columns.
    pub(super) fn new(delimiter: u8, deck: Vec<usize>) -> Table {
        let reader = ReaderBuilder::new().delimiter(delimiter).build();
        Table { reader, delimiter, deck, width: usize::MAX, id: Vec::new(), time: None }
    }

    /// The same of so many columns, some of which say what a record is called and when it was dealt.
    pub(super) fn with(self, width: usize, id: Vec<usize>, time: Option<usize>) -> Table {
        Table { width, id, time, ..self }
    }

    /// Whether a row has more cells than there are columns; empty ones at its end, as spreadsheets write them, are none.
    fn is_wide(&self, cells: &[String]) -> bool {
        cells.iter().skip(self.width).any(|cell| !cell.is_empty())
    }

    /// The fields of a row, without their quotes.
    pub(super) fn cells(&mut self, line: &[u8]) -> Vec<String> {
        let delimiters = line.iter().filter(|&&byte| byte == self.delimiter).count();
        let (mut text, mut ends) = (vec![0; line.len() + 1], vec![0; delimiters + 2]);
        self.reader.reset();
        let (result, _, written, mut fields) = self.reader.read_record(line, &mut text, &mut ends);
        if result == ReadRecordResult::InputEmpty {
            // The end of the input ends the last field.
            fields += self.reader.read_record(&[], &mut text[written..], &mut ends[fields..]).3;
        }
        let starts = std::iter::once(0).chain(ends.iter().copied());
        let cell =
            |(start, &end): (usize, &usize)| String::from_utf8_lossy(&text[start..end]).trim().to_owned();
        starts.zip(&ends[..fields]).map(cell).collect()
    }
}

impl Layout {
    /// The cards or numbers of a line that are spelled in this way.
    pub(super) fn read(
        &mut self,
        line: &[u8],
        letters: &Letters,
        spelling: Spelling,
    ) -> Result<Spelled, BadField> {
        match self {
            Layout::Plain | Layout::Whole => spelling.read(&String::from_utf8_lossy(line), letters),
            Layout::Json(members) => spelling.read(&members_of(line, &members.deck)?, letters),
            Layout::Table(table) => {
                let cells = table.cells(line);
                let columns = &table.deck;
                let missing = || BadField { field: cells.len() + 1, text: String::new() };
                match columns.iter().map(|&column| cells.get(column)).collect::<Option<Vec<_>>>() {
                    Some(deck) if !table.is_wide(&cells) => {
                        let cells: Vec<&str> = deck.iter().map(|cell| cell.as_str()).collect();
                        // A cell that lost its value is no card that the shuffler lost, whether the export writes NULL there or nothing.
                        match cells.iter().position(|cell| cell.is_empty()) {
                            Some(place) if cells.len() > 1 && cells.iter().any(|cell| !cell.is_empty()) => {
                                return Err(BadField { field: place + 1, text: String::new() });
                            }
                            _ => {}
                        }
                        spelling.read(&cells.join(" "), letters)
                    }
                    _ => Err(missing()),
                }
            }
        }
    }

    /// Of a row with more cells than there are columns how many it has, and how many these are.
    pub(super) fn excess(&mut self, line: &[u8]) -> Option<[usize; 2]> {
        let Layout::Table(table) = self else { return None };
        let cells = table.cells(line);
        let last = cells.iter().rposition(|cell| !cell.is_empty()).map_or(0, |last| last + 1);
        table.is_wide(&cells).then_some([last, table.width])
    }

    /// The hash of what a record holds beside its deck; nothing where it is the deck alone.
    pub(super) fn beside(&mut self, line: &[u8]) -> Option<u64> {
        let beside = match self {
            Layout::Table(table) => {
                let cells = table.cells(line).into_iter().enumerate();
                let beside = cells.filter(|(column, cell)| !table.deck.contains(column) && !is_null(cell));
                beside.map(|(column, cell)| format!("{column} {cell}")).collect()
            }
            Layout::Json(members) => objects::beside(&objects::json(line)?, &members.deck),
            Layout::Plain | Layout::Whole => Vec::new(),
        };
        (!beside.is_empty()).then(|| twice::hash(&beside))
    }

    /// The cards of a line, or its numbers, as those before were written.
    pub(super) fn read_as(
        &mut self,
        line: &[u8],
        letters: &Letters,
        (spelling, are_cards): (Spelling, bool),
    ) -> Result<Fields, BadField> {
        let spelled = self.read(line, letters, spelling)?;
        if spelled.are_cards == are_cards || spelled.fields.count == 0 {
            return Ok(spelled.fields);
        }
        // Numbers among decks of cards, or the other way round: the first of them is reported as it was read.
        let first = spelled.fields.numbers[0];
        let text = if let Some((0, found)) = spelled.fields.oversized {
            found.to_string()
        } else if spelled.are_cards {
            Card::from_index(first).map_or(String::new(), |card| card.to_string())
        } else {
            first.to_string()
        };
        Err(BadField { field: 1, text })
    }

    /// The id and the time of a row, and what tells it apart of which the id is known; nothing where no column is known.
    pub(super) fn named(&mut self, line: &[u8]) -> Option<Named> {
        match self {
            Layout::Table(table) => {
                table.id.first().or(table.time.as_ref())?;
                let cells = table.cells(line);
                let cell = |column: usize| cells.get(column).cloned().unwrap_or_default();
                let id = joined(table.id.iter().map(|&column| cell(column)).collect());
                let time = table.time.map(cell).unwrap_or_default();
                let deck: Vec<&str> =
                    table.deck.iter().filter_map(|&column| cells.get(column)).map(String::as_str).collect();
                Some(Named { key: twice::key(&id, &deck), id, time })
            }
            Layout::Json(members) => {
                members.id.first().or(members.time.as_ref())?;
                let object = objects::json(line)?;
                let text = |member: &String| {
                    objects::at(&object, member).and_then(|value| plain(&value)).unwrap_or_default()
                };
                let id = joined(members.id.iter().map(text).collect());
                let time = members.time.as_ref().map(text).unwrap_or_default();
                let deck = member_text(&object, &members.deck).unwrap_or_default();
                Some(Named { key: twice::key(&id, &[&deck]), id, time })
            }
            Layout::Plain | Layout::Whole => None,
        }
    }

    /// Whether a row goes on to the column of the deck; a footer such as `(1200 rows)` ends before it.
    pub(super) fn reaches_deck(&mut self, line: &[u8]) -> bool {
        let Layout::Table(table) = self else { return true };
        let cells = table.cells(line).len();
        table.deck.iter().any(|&column| column < cells)
    }

    /// Whether a line that begins with `#` is a row nevertheless: its id is `#1234`, and where decks are there is one, or nothing.
    pub(super) fn is_row(&mut self, line: &[u8], letters: &Letters, spelling: Spelling) -> bool {
        if !matches!(self, Layout::Table(_)) || !self.reaches_deck(line) {
            return false;
        }
        let cards = match self.read(line, letters, spelling) {
            Ok(spelled) => spelled.fields.count,
            Err(bad) => bad.field - 1,
        };
        cards >= CARDS_MAX || self.lacks_deck(line)
    }

    /// The text of the cell or cells where the deck is.
    pub(super) fn deck_text(&self, line: &[u8]) -> String {
        match self.clone() {
            Layout::Table(mut table) => {
                let cells = table.cells(line);
                let cells = table.deck.iter().filter_map(|&column| cells.get(column));
                cells.map(String::as_str).collect::<Vec<_>>().join(" ")
            }
            Layout::Json(members) => members_of(line, &members.deck).unwrap_or_default(),
            Layout::Plain | Layout::Whole => String::from_utf8_lossy(line).into_owned(),
        }
    }

    /// Whether a record is there and its deck is not: empty cells, NULL, or no such member.
    pub(super) fn lacks_deck(&mut self, line: &[u8]) -> bool {
        match self {
            Layout::Table(table) => {
                let cells = table.cells(line);
                !table.is_wide(&cells)
                    && table.deck.iter().all(|&column| cells.get(column).is_some_and(|cell| is_null(cell)))
            }
            Layout::Json(members) => objects::json(line).is_some_and(|object| {
                let is_empty = |member: &String| match objects::at(&object, member).as_deref() {
                    None | Some(Json::Null) => true,
                    Some(Json::List(cards)) => cards.is_empty(),
                    Some(Json::Text(text)) => is_null(text),
                    Some(_) => false,
                };
                matches!(object, Json::Object(_)) && members.deck.iter().all(is_empty)
            }),
            Layout::Plain | Layout::Whole => false,
        }
    }

    /// Whether both read the deck from the same place.
    pub(super) fn is_place_of(&self, other: &Layout) -> bool {
        match (self, other) {
            (Layout::Table(own), Layout::Table(other)) => {
                own.delimiter == other.delimiter && own.deck == other.deck
            }
            (Layout::Json(own), Layout::Json(other)) => own.deck == other.deck,
            (Layout::Whole, Layout::Whole) | (Layout::Plain, Layout::Plain) => true,
            _ => false,
        }
    }

    /// Where else in a record a whole deck is, in whatever form, and the deck.
    pub(super) fn other_decks(&self, line: &[u8], letters: &Letters) -> Vec<(String, WholeDeck)> {
        match self.clone() {
            Layout::Table(mut table) => {
                let cells = table.cells(line).into_iter().enumerate();
                let others = cells.filter(|(column, _)| !table.deck.contains(column));
                let deck = |(column, cell): (usize, String)| {
                    Some((format!("column {}", column + 1), WholeDeck::read(&cell, letters)?))
                };
                others.filter_map(deck).collect()
            }
            Layout::Json(members) => {
                let Some(object) = objects::json(line) else { return Vec::new() };
                let others = objects::paths(&object).into_iter().filter(|path| !members.deck.contains(path));
                let deck = |path: String| {
                    let text = member_text(&object, std::slice::from_ref(&path))?;
                    Some((format!("member `{}`", excerpt(&path, 40)), WholeDeck::read(&text, letters)?))
                };
                others.filter_map(deck).collect()
            }
            Layout::Plain | Layout::Whole => Vec::new(),
        }
    }

    /// What the row says of itself, for a message: its id and its time, where their columns are known.
    pub(super) fn marks(&self, line: &[u8]) -> String {
        let Some(Named { id, time, .. }) = self.clone().named(line) else { return String::new() };
        let mark = |name: &str, cell: String| {
            if cell.is_empty() { String::new() } else { format!(", {name} {}", excerpt(&cell, MARK_LETTERS)) }
        };
        mark("id", id) + &mark("time", time)
    }
}

/// Letters of an id or a time in a message.
const MARK_LETTERS: usize = 40;

/// The parts of a name as one text: different parts never give the same one. Nothing where all parts are empty.
fn joined(parts: Vec<String>) -> String {
    match parts.as_slice() {
        [one] => one.clone(),
        parts if parts.iter().all(String::is_empty) => String::new(),
        parts => {
            let escaped = parts.iter().map(|part| part.replace('\\', r"\\").replace(',', r"\,"));
            escaped.collect::<Vec<_>>().join(",")
        }
    }
}

/// What databases and data frames write where there is nothing.
pub(super) fn is_null(cell: &str) -> bool {
    ["", "\\N", "NULL", "null", "None", "NaN", "{}", "[]"].contains(&cell.trim())
}

/// The members of an object, by their names or dotted paths, as one text.
pub(super) fn member_text(object: &Json, members: &[String]) -> Option<String> {
    let text = |member: &String| match &*objects::at(object, member)? {
        Json::List(cards) => list_text(cards),
        other => plain(other),
    };
    members.iter().map(text).collect::<Option<Vec<_>>>().map(|texts| texts.join(" "))
}

/// A list of cards, each a text, a number or an object, as one text.
fn list_text(cards: &[Json]) -> Option<String> {
    let texts = cards.iter().map(plain).collect::<Option<Vec<_>>>();
    texts.map(|cards| cards.join(" ")).or_else(|| objects::list_text(cards))
}

fn plain(value: &Json) -> Option<String> {
    match value {
        Json::Text(text) | Json::Number(text) => Some(text.clone()),
        _ => None,
    }
}

fn members_of(line: &[u8], members: &[String]) -> Result<String, BadField> {
    let bad = || BadField { field: 1, text: String::from_utf8_lossy(line).chars().take(12).collect() };
    objects::json(line).and_then(|object| member_text(&object, members)).ok_or_else(bad)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_read_as_rfc_4180_says() {
        let mut table = Table::new(b',', vec![1]);
        for (line, cells) in [
            ("1,a,b\n", vec!["1", "a", "b"]),
            ("1,\"a, \"\"b\"\"\",\r\n", vec!["1", "a, \"b\"", ""]),
            ("one", vec!["one"]),
            ("\"two\nlines\",x\n", vec!["two\nlines", "x"]),
        ] {
            assert_eq!(table.cells(line.as_bytes()), cells, "{line:?}");
            assert_eq!(table.clone().cells(line.as_bytes()), cells, "{line:?} by a copy");
        }
    }

    #[test]
    fn a_name_of_several_columns_is_another_one_where_a_part_is() {
        let name = |parts: &[&str]| joined(parts.iter().map(|&part| part.to_owned()).collect());
        // One column is as it stands there, whatever it holds.
        assert_eq!([name(&[]), name(&[""]), name(&[r"a,\"])], ["", "", r"a,\"]);
        assert_eq!([name(&["T1", "7"]), name(&["", "7"]), name(&["", ""])], ["T1,7", ",7", ""]);
        let all =
            [["a", "b,c"], ["a,b", "c"], [r"a\", "b,c"], [r"a\,b", "c"], ["a", r"b\,c"], [r"a\,", "bc"]];
        let names: std::collections::HashSet<String> = all.iter().map(|parts| name(parts)).collect();
        assert_eq!(names.len(), all.len(), "{names:?}");
    }

    #[test]
    fn json_members_are_numbers_cards_or_a_text() {
        let letters = Letters::new();
        let read = |line: &str| {
            let spelled = Layout::Json(Members { deck: vec!["deck".into()], id: Vec::new(), time: None })
                .read(line.as_bytes(), &letters, Spelling::Plain)?;
            Ok::<_, BadField>(spelled.fields.numbers[..spelled.fields.count].to_vec())
        };
        for line in [
            r#"{"id": 7, "deck": [51, 0]}"#,
            r#"{"deck": ["As", "2c"]}"#,
            r#"{"deck": "As2c", "more": null}"#,
        ] {
            assert_eq!(read(line), Ok(vec![51, 0]), "{line}");
        }
        for line in [r#"{"deck": [51, 0], "deck": [0, 51]}"#, r#"{"deck": [[51]]}"#, "{}", "51 0"] {
            assert!(read(line).is_err(), "{line}");
        }
    }
}
