//! What the first lines of a text show of its layout. A reading that could be another is refused with both.

use crate::source::format::{Format, Written};
use crate::source::layout::{Layout, Table, begins_at, json, member_text};
use crate::source::spelling::spell;
use crate::source::text::Letters;
use deckproof_deck::card::DECK_CARDS;
use deckproof_deck::json::Json;

/// What may separate the fields of a table.
const DELIMITERS: [(u8, &str); 4] = [(b',', "commas"), (b';', "semicolons"), (b'\t', "tabs"), (b'|', "bars")];

/// Lines in which cards are counted where no deck was found, and the fewest that may be meant for one.
const LINES_TOLD: usize = 3;
const ALMOST_MIN: usize = 20;

/// Lines as the cells that a separator cuts them into.
type Rows = Vec<Vec<String>>;

/// A layout that reads the first lines as decks.
pub(super) struct Guess {
    pub(super) layout: Layout,
    /// Cards or indices.
    pub(super) format: Format,
    /// With which number the numbers begin.
    pub(super) first_number: u8,
    /// Whether the first line names columns.
    pub(super) has_header: bool,
    /// Where the deck was found, in words.
    pub(super) words: String,
}

/// Judges the first lines of a text, comments left out.
///
/// # Errors
/// What is wrong, and which option helps.
pub(super) fn guess(
    lines: &[&[u8]],
    written: &Written,
    letters: &Letters,
) -> Result<Guess, (String, String)> {
    let guesser = Guesser { lines, written, letters };
    let mut found = if written.names_columns() { Vec::new() } else { guesser.whole() };
    if found.is_empty() {
        found = guesser.objects()?;
    }
    // As rows of a table, by each of the separators; building a reader of them is dear.
    let rows = if found.is_empty() { guesser.rows() } else { Vec::new() };
    if found.is_empty() {
        found = guesser.tables(&rows)?;
    }
    match found.len() {
        1 => Ok(found.remove(0)),
        0 => Err((
            format!("no deck was found in its first lines{}", guesser.almost(&rows).unwrap_or_default()),
            "52 card numbers or cards a line, alone or in a table whose first line may name the columns; a title above \
             it has to go, or to begin with #"
                .to_owned(),
        )),
        _ => {
            let readings: Vec<&str> = found.iter().map(|guess| guess.words.as_str()).collect();
            Err((
                format!("two readings are possible: {}", readings.join("; or ")),
                "one that is named: --deck-column NAME, or --columns FIRST..LAST".to_owned(),
            ))
        }
    }
}

struct Guesser<'a> {
    lines: &'a [&'a [u8]],
    written: &'a Written,
    letters: &'a Letters,
}

impl Guesser<'_> {
    /// Whether a text spells a deck as it was said that decks are written: format and first number.
    fn deck(&self, text: &str) -> Option<(Format, u8)> {
        let spelled = spell(text, self.letters).ok()?;
        let first_number = begins_at(&spelled.fields, spelled.are_cards)?;
        let format = if spelled.are_cards { Format::Cards } else { Format::Indices };
        let is_said = self.written.format.is_none_or(|said| said == format)
            && (spelled.are_cards || self.written.first_number.is_none_or(|said| said == first_number));
        is_said.then_some((format, first_number))
    }

    /// The lines cut by each of [`DELIMITERS`].
    fn rows(&self) -> Vec<Rows> {
        let cut = |&(delimiter, _): &(u8, &str)| {
            let mut table = Table::new(delimiter, Vec::new());
            self.lines.iter().map(|line| table.cells(line)).collect()
        };
        DELIMITERS.iter().map(cut).collect()
    }

    /// Where most cards stand together, if they could be meant for a deck.
    fn almost(&self, rows: &[Rows]) -> Option<String> {
        let mut most: Option<(usize, String)> = None;
        for (line, &text) in self.lines.iter().enumerate().take(LINES_TOLD) {
            let whole = String::from_utf8_lossy(text);
            let cells = rows.iter().flat_map(|rows| {
                rows[line]
                    .iter()
                    .enumerate()
                    .map(|(column, cell)| (format!(" in column {}", column + 1), cell.as_str()))
            });
            for (place, cell) in std::iter::once((String::new(), &*whole)).chain(cells) {
                let Ok(spelled) = spell(cell, self.letters) else { continue };
                let found = spelled.fields.count;
                if (ALMOST_MIN..=2 * DECK_CARDS).contains(&found)
                    && found != DECK_CARDS
                    && most.as_ref().is_none_or(|(most, _)| found > *most)
                {
                    most = Some((
                        found,
                        format!("; {found} cards or numbers stand in line {}{place}", line + 1),
                    ));
                }
            }
        }
        most.map(|(_, words)| words)
    }

    /// The first line is a deck and nothing else.
    fn whole(&self) -> Vec<Guess> {
        let first = self.lines.first().map(|line| String::from_utf8_lossy(line));
        let deck = first.and_then(|line| self.deck(&line));
        let guess = deck.map(|(format, first_number)| Guess {
            layout: Layout::Whole,
            format,
            first_number,
            has_header: false,
            words: "one deck a line".to_owned(),
        });
        guess.into_iter().collect()
    }

    /// The first line is a JSON object with a deck.
    fn objects(&self) -> Result<Vec<Guess>, (String, String)> {
        let Some(Json::Object(members)) = self.lines.first().and_then(|line| json(line)) else {
            return Ok(Vec::new());
        };
        let names: Vec<String> = members.iter().map(|(name, _)| name.clone()).collect();
        let object = Json::Object(members);
        let candidates = match self.written.deck_columns(&names)? {
            Some(places) => vec![places.into_iter().map(|place| names[place].clone()).collect()],
            None => names.into_iter().map(|name| vec![name]).collect::<Vec<_>>(),
        };
        let guess = |members: Vec<String>| {
            let (format, first_number) = self.deck(&member_text(&object, &members)?)?;
            let words = match members.as_slice() {
                [one] => format!("JSON lines, member `{one}`"),
                many => format!("JSON lines, members `{}` to `{}`", many[0], many[many.len() - 1]),
            };
            Some(Guess { layout: Layout::Json(members), format, first_number, has_header: false, words })
        };
        Ok(candidates.into_iter().filter_map(guess).collect())
    }

    /// Readings as a table, with any of the separators.
    fn tables(&self, rows: &[Rows]) -> Result<Vec<Guess>, (String, String)> {
        let mut found = Vec::new();
        let mut refusal = None;
        for ((delimiter, name), rows) in DELIMITERS.into_iter().zip(rows) {
            match self.table(delimiter, name, rows) {
                Ok(guesses) => found.extend(guesses),
                Err(error) => refusal = refusal.or(Some(error)),
            }
        }
        match (found.is_empty(), refusal) {
            (true, Some(error)) => Err(error),
            _ => Ok(found),
        }
    }

    fn table(
        &self,
        delimiter: u8,
        separator: &str,
        rows: &[Vec<String>],
    ) -> Result<Vec<Guess>, (String, String)> {
        let Some(first) = rows.first() else { return Ok(Vec::new()) };
        let is_row = |row: &Vec<String>| (0..row.len()).any(|column| self.deck_at(row, &[column]).is_some());
        let has_run = |row: &Vec<String>| runs(row.len()).any(|run| self.deck_at(row, &run).is_some());
        let has_header =
            !is_row(first) && !has_run(first) && first.iter().all(|cell| is_name(cell, self.letters));
        let header = has_header.then_some(first.as_slice());
        let rows = &rows[usize::from(has_header)..];
        let Some(row) = rows.first() else { return Ok(Vec::new()) };
        let by_number: Vec<String> = (1..=row.len()).map(|number| number.to_string()).collect();
        let names = header.unwrap_or(&by_number);
        let candidates: Vec<Vec<usize>> = match self.written.deck_columns(names)? {
            Some(columns) => vec![columns],
            None => (0..row.len()).map(|column| vec![column]).chain(runs(row.len())).collect(),
        };
        let mut readings: Vec<Vec<usize>> =
            candidates.into_iter().filter(|columns| self.deck_at(row, columns).is_some()).collect();
        if readings.len() > 1 {
            // A reading by chance fails in some other row where the true one does not.
            let holds = |columns: &Vec<usize>| rows.iter().all(|row| self.deck_at(row, columns).is_some());
            let sure: Vec<Vec<usize>> = readings.iter().filter(|columns| holds(columns)).cloned().collect();
            readings = if sure.is_empty() { readings } else { sure };
        }
        let id = self.written.column("--id-column", self.written.id_column.as_deref(), names)?;
        let time = self.written.column("--time-column", self.written.time_column.as_deref(), names)?;
        let guess = |deck: Vec<usize>| {
            let (format, first_number) = self.deck_at(row, &deck)?;
            // A header may have fewer cells than the rows below it.
            let named = |column: usize| match header.and_then(|header| header.get(column)) {
                Some(name) => format!("`{}`", deckproof_deck::text::excerpt(name, 24)),
                None => (column + 1).to_string(),
            };
            let words = match deck.as_slice() {
                [one] => format!("a table separated by {separator}, column {}", named(*one)),
                many => format!(
                    "a table separated by {separator}, columns {} to {}",
                    named(many[0]),
                    named(many[many.len() - 1])
                ),
            };
            let table = Table::new(delimiter, deck).with_marks(id, time);
            Some(Guess { layout: Layout::Table(Box::new(table)), format, first_number, has_header, words })
        };
        Ok(readings.into_iter().filter_map(guess).collect())
    }

    /// Format and first number of the deck that stands in these columns, if one does.
    fn deck_at(&self, row: &[String], columns: &[usize]) -> Option<(Format, u8)> {
        let cells: Option<Vec<&str>> =
            columns.iter().map(|&column| row.get(column).map(String::as_str)).collect();
        let cells = cells?;
        // In 52 columns each holds one card: an empty one beside one that holds two is no deck.
        if columns.len() > 1 && cells.iter().any(|cell| cell.is_empty() || cell.contains(char::is_whitespace))
        {
            return None;
        }
        self.deck(&cells.join(" "))
    }
}

/// Every 52 neighbouring columns.
fn runs(columns: usize) -> impl Iterator<Item = Vec<usize>> {
    (0..(columns + 1).saturating_sub(DECK_CARDS)).map(|first| (first..first + DECK_CARDS).collect())
}

/// Whether a cell could be the name of a column: it is no number and no cards. A record is never taken for a
/// header, for it would be passed over.
fn is_name(cell: &str, letters: &Letters) -> bool {
    let spelled = spell(cell, letters);
    !cell.is_empty() && !spelled.is_ok_and(|spelled| spelled.fields.count > 0)
}
