//! What the first lines of a text show of its layout. A reading that could be another is refused with both.

mod hint;
pub(super) mod names;
pub(super) mod refusal;

use crate::source::format::{Format, Written, Wrong};
use crate::source::guess::refusal::Refusal;
use crate::source::layout::{Layout, Members, Table, member_text};
use crate::source::spelling::search::WholeDeck;
use crate::source::spelling::{Spelling, objects};
use crate::source::text::{Letters, begins_at};
use deckproof_deck::card::DECK_CARDS;
use deckproof_deck::json::Json;
use deckproof_deck::text::excerpt;

/// What may separate the fields of a table.
const DELIMITERS: [(u8, &str); 5] =
    [(b',', "commas"), (b';', "semicolons"), (b'\t', "tabs"), (b'|', "bars"), (b' ', "blanks")];

/// Between the places of one deck.
const AGAIN: &str = " and the same in ";

/// Lines as the cells that a separator cuts them into.
type Rows = Vec<Vec<String>>;

/// A layout that reads the first lines as decks.
pub(super) struct Guess {
    pub(super) layout: Layout,
    /// In which way the decks are spelled.
    pub(super) spelling: Spelling,
    /// Cards or indices.
    pub(super) format: Format,
    /// With which number the numbers begin.
    pub(super) first_number: u8,
    /// Whether the first line names columns.
    pub(super) has_header: bool,
    /// What separates the cells of a table, in words.
    pub(super) separator: Option<&'static str>,
    /// Where the deck was found, in words.
    pub(super) words: String,
    /// Its column or member, where there are several, and those that hold the same deck once more.
    pub(super) found_in: Option<String>,
}

impl Guess {
    /// Where the deck was found, and in what.
    pub(super) fn in_words(&self, made_of: Option<&str>) -> String {
        match (made_of, self.separator) {
            (Some(made_of), _) => format!("{made_of}, {}", self.words),
            (None, Some(separator)) => format!("a table separated by {separator}, {}", self.words),
            (None, None) => self.words.clone(),
        }
    }
}

/// How the records below the first ones are read, where these have no deck and are passed over.
pub(super) fn guess_later(lines: &[&[u8]], written: &Written, letters: &Letters) -> Option<Guess> {
    let asked = Guesser { lines, written, letters, spellings: &Spelling::ALL, has_names: false };
    hint::later(&asked).filter(|later| !later.is_above_header).map(|later| later.guess)
}

/// Judges the first lines of a text, comments left out.
///
/// # Errors
/// What is wrong, and which option helps.
pub(super) fn guess(
    lines: &[&[u8]],
    written: &Written,
    letters: &Letters,
    has_names: bool,
) -> Result<Guess, Refusal> {
    let mut rows = Vec::new();
    let wide = Guesser { lines, written, letters, spellings: &Spelling::ALL, has_names };
    let mut found = wide
        .every_reading(&mut rows)
        .map_err(|(what, wanted)| Refusal::of_row(0, what, &wanted).or_plain())?;
    if found.is_empty() {
        return Err(wide.refusal(&rows));
    }
    // Cards say which they are, and numbers may not.
    let best = found.iter().position(|guess| guess.format == Format::Cards).unwrap_or(0);
    let best = found.remove(best);
    let guess = wide.beside(best, found)?;
    match wide.counted_deck(&guess).or_else(|| wide.disordered_names(&guess)) {
        Some(refusal) => Err(refusal),
        None => wide.alone(guess, &mut rows),
    }
}

fn two_readings(guess: &Guess, others: &[Guess]) -> Refusal {
    let readings = std::iter::once(guess).chain(others).map(|guess| guess.in_words(None));
    let what = format!("two readings are possible: {}", readings.collect::<Vec<_>>().join("; or "));
    let wanted = "one that is named: --deck-column NAME, or --columns FIRST..LAST";
    Refusal::of_row(0, what, wanted).or_plain()
}

struct Guesser<'a> {
    lines: &'a [&'a [u8]],
    written: &'a Written,
    letters: &'a Letters,
    spellings: &'a [Spelling],
    /// Whether the first line names columns, whatever it holds.
    has_names: bool,
}

/// A text that is a deck: how it is spelled, as what, and with which number its numbers begin.
type SpelledDeck = (Spelling, Format, u8);

impl Guesser<'_> {
    /// Whether more than the plain spelling is looked for, and more than the outermost members of JSON.
    fn is_wide(&self) -> bool {
        self.spellings.len() > 1
    }

    /// Every way to read the lines. Other spellings are looked for only where the plain ones are not there: what was read
    /// at all is read as ever. Below the members of JSON there may be another deck, which is another reading.
    fn every_reading(&self, rows: &mut Vec<Rows>) -> Result<Vec<Guess>, Wrong> {
        match (Guesser { spellings: &[Spelling::Plain], ..*self }).readings(rows) {
            Ok(mut found) if !found.is_empty() => {
                let is_json = found.iter().any(|guess| matches!(guess.layout, Layout::Json(_)));
                if is_json && self.written.deck_column.is_none() && self.written.columns.is_none() {
                    found.extend(self.inner_objects()?);
                }
                Ok(found)
            }
            _ => self.readings(rows),
        }
    }

    /// A reading, where no other place of the first records holds another deck, in whatever form.
    fn alone(&self, guess: Guess, rows: &mut Vec<Rows>) -> Result<Guess, Refusal> {
        let is_new = |other: &Guess| !guess.layout.is_place_of(&other.layout);
        let others = if self.written.says_place() || matches!(guess.layout, Layout::Whole) {
            Vec::new()
        } else {
            let found = self.readings(rows).unwrap_or_default();
            found.into_iter().filter(is_new).collect()
        };
        self.beside(guess, others)
    }

    /// A reading, where the others give the same decks.
    fn beside(&self, mut guess: Guess, others: Vec<Guess>) -> Result<Guess, Refusal> {
        if !others.iter().all(|other| self.are_alike(&guess, other)) {
            return Err(two_readings(&guess, &others));
        }
        for place in others.into_iter().filter_map(|other| other.found_in) {
            let has_place = |own: &String| own.split(AGAIN).any(|part| part == place);
            let add = |own: String| if has_place(&own) { own } else { own + AGAIN + &place };
            guess.found_in = guess.found_in.map(add);
        }
        Ok(guess)
    }

    /// Whether two readings give the same decks of all lines that have both.
    fn are_alike(&self, one: &Guess, other: &Guess) -> bool {
        let decks = |guess: &Guess| -> Vec<Option<WholeDeck>> {
            let mut layout = guess.layout.clone();
            let deck = |line: &&[u8]| WholeDeck::of(&layout.read(line, self.letters, guess.spelling).ok()?);
            self.lines.iter().map(deck).collect()
        };
        let pairs = decks(one).into_iter().zip(decks(other)).filter_map(|(one, other)| one.zip(other));
        let alike: Vec<bool> = pairs.map(|(one, other)| one.is_same(&other)).collect();
        !alike.is_empty() && alike.iter().all(|&same| same)
    }

    /// The only way to read the lines.
    fn only_reading(&self) -> Option<Guess> {
        let mut found = self.every_reading(&mut Vec::new()).ok()?;
        found.pop().filter(|_| found.is_empty())
    }

    /// Every way to read the lines in these spellings; `rows` are they as rows of a table, by each of the separators, from when on they are
    /// needed: building a reader of them is dear.
    fn readings(&self, rows: &mut Vec<Rows>) -> Result<Vec<Guess>, Wrong> {
        let mut found =
            if self.written.names_columns() || self.has_names { Vec::new() } else { self.whole() };
        if found.is_empty() {
            found = self.objects()?;
        }
        // A JSON object is no row of a table.
        if found.is_empty() && !matches!(self.json(), Some(Json::Object(_))) {
            if rows.is_empty() {
                *rows = self.rows();
            }
            found = self.tables(rows)?;
        }
        Ok(found)
    }

    /// The first line as JSON.
    fn json(&self) -> Option<Json> {
        self.lines.first().and_then(|line| objects::json(line))
    }

    /// Whether a text spells a deck as decks were stated to be written.
    fn deck(&self, text: &str) -> Option<SpelledDeck> {
        self.spellings.iter().find_map(|&spelling| {
            let spelled = spelling.read(text, self.letters).ok()?;
            let first_number = begins_at(&spelled.fields, spelled.are_cards)?;
            let format = if spelled.are_cards { Format::Cards } else { Format::Indices };
            let fits = self.written.format.is_none_or(|stated| stated == format)
                && (spelled.are_cards
                    || self.written.first_number.is_none_or(|stated| stated == first_number));
            fits.then_some((spelling, format, first_number))
        })
    }

    /// The lines cut by each of [`DELIMITERS`]; by blanks only where R wrote them, for they stand between cards too.
    fn rows(&self) -> Vec<Rows> {
        let cut = |&(delimiter, _): &(u8, &str)| {
            let mut table = Table::new(delimiter, Vec::new());
            let rows: Rows = self.lines.iter().map(|line| table.cells(line)).collect();
            if delimiter != b' ' || self.names_of_r(&rows).is_some() {
                return rows;
            }
            self.lines.iter().map(|line| vec![String::from_utf8_lossy(line).trim().to_owned()]).collect()
        };
        DELIMITERS.iter().map(cut).collect()
    }

    /// The first line is a deck and nothing else.
    fn whole(&self) -> Vec<Guess> {
        let text = |at: usize| self.lines.get(at).map(|line| String::from_utf8_lossy(line));
        // The name of an index may be empty: a line that begins with a separator is a deck where the next one is, too.
        let is_named = text(0).is_some_and(|line| line.trim_start_matches('"').starts_with([',', ';', '\t']));
        if is_named && text(1).is_some_and(|line| self.deck(&line).is_none()) {
            return Vec::new();
        }
        let deck = text(0).and_then(|line| self.deck(&line));
        let guess = deck.map(|(spelling, format, first_number)| Guess {
            layout: Layout::Whole,
            spelling,
            format,
            first_number,
            has_header: false,
            separator: None,
            words: format!("one deck a line{}", spelling.words()),
            found_in: None,
        });
        guess.into_iter().collect()
    }

    /// The first line is a JSON object with a deck.
    fn objects(&self) -> Result<Vec<Guess>, Wrong> {
        let Some(Json::Object(members)) = self.json() else {
            return Ok(Vec::new());
        };
        let mut names: Vec<String> = members.iter().map(|(name, _)| name.clone()).collect();
        let object = Json::Object(members);
        if self.is_wide() {
            let inner = objects::paths(&object).into_iter();
            names.extend(inner.filter(|path| object.member(path).is_none()).collect::<Vec<_>>());
            let stated = self.written.deck_column.clone();
            let is_unlisted = |path: &String| !names.contains(path) && objects::at(&object, path).is_some();
            names.extend(stated.filter(is_unlisted));
        }
        let candidates = match self.written.deck_columns(&names)? {
            Some(places) => vec![places.into_iter().map(|place| names[place].clone()).collect()],
            None => {
                let one = names.iter().map(|name| vec![name.clone()]);
                let many = runs(names.len()).map(|run| run.into_iter().map(|at| names[at].clone()).collect());
                one.chain(many.filter(|names: &Vec<String>| names::are_places(names))).collect::<Vec<_>>()
            }
        };
        let member = |option, name| self.member(option, name, &object, &names);
        let ids = self
            .written
            .ids(|name| names.iter().any(|own| own == name) || objects::at(&object, name).is_some())?;
        let id = ids.into_iter().map(|name| member("--id-column", name)).collect::<Result<Vec<_>, _>>()?;
        let time = self.written.time_column.as_deref();
        let time = time.map(|name| member("--time-column", name)).transpose()?;
        let is_new = |name: &String| object.member(name).is_some_and(is_list_of_objects);
        let guess = |members: Vec<String>| {
            if !self.is_wide() && members.iter().any(is_new) {
                return None;
            }
            let (spelling, format, first_number) = self.deck(&member_text(&object, &members)?)?;
            let place = match members.as_slice() {
                [one] => format!("member `{}`", excerpt(one, 80)),
                many => format!("members `{}` to `{}`", many[0], many[many.len() - 1]),
            };
            let words = match members.len() {
                1 => format!("JSON lines, {place}{}", spelling.words()),
                _ => format!("JSON lines, {place}"),
            };
            Some(Guess {
                layout: Layout::Json(Members { deck: members, id: id.clone(), time: time.clone() }),
                spelling,
                format,
                first_number,
                has_header: false,
                separator: None,
                words,
                found_in: Some(place),
            })
        };
        let (decks, found): (Vec<_>, Vec<_>) =
            candidates.into_iter().filter_map(|deck| Some((deck.clone(), guess(deck)?))).unzip();
        self.check_id(&id, time.as_ref(), &decks)?;
        Ok(found)
    }

    /// The cards of a hand are not its name: a deck that comes again would have the same one. Nor is its time a part of it: one hand
    /// that was written twice would be two hands with one deck.
    fn check_id<T: PartialEq>(&self, ids: &[T], time: Option<&T>, decks: &[Vec<T>]) -> Result<(), Wrong> {
        let name = self.written.id_column.as_deref().unwrap_or_default();
        if ids.len() > 1 && time.is_some_and(|time| ids.contains(time)) {
            return Err((
                format!("--id-column names {name:?}, and --time-column one of them"),
                "columns that name the hand, such as the table, the night or the session".to_owned(),
            ));
        }
        let holds_cards = |id: &T| !decks.is_empty() && decks.iter().all(|deck| deck.contains(id));
        if !ids.iter().any(holds_cards) {
            return Ok(());
        }
        Err((
            format!("--id-column names {name:?}, which holds the deck"),
            "one that names the hand".to_owned(),
        ))
    }

    /// Readings of the first line as a JSON object whose deck is not one of its own members.
    fn inner_objects(&self) -> Result<Vec<Guess>, Wrong> {
        let object = self.json();
        let is_inner = |guess: &Guess| match (&guess.layout, &object) {
            (Layout::Json(members), Some(object)) => {
                members.deck.iter().any(|name| object.member(name).is_none())
            }
            _ => false,
        };
        Ok(self.objects()?.into_iter().filter(is_inner).collect())
    }

    /// The member of an object that says what a record is called or when it was dealt, by its name, its path or its number.
    fn member(&self, option: &str, name: &str, object: &Json, names: &[String]) -> Result<String, Wrong> {
        if objects::at(object, name).is_some() {
            return Ok(name.to_owned());
        }
        Ok(names[self.written.column(option, name, names)?].clone())
    }

    /// Readings as a table, with any of the separators.
    fn tables(&self, rows: &[Rows]) -> Result<Vec<Guess>, Wrong> {
        let (mut found, mut refusals, mut is_a_table) = (Vec::new(), Vec::new(), false);
        // A table of one column is one whatever would separate others, and where one does it is none.
        let is_one_column = |rows: &Rows| rows.iter().all(|row| row.len() == 1);
        let of_one_column = rows.iter().position(is_one_column);
        let read = DELIMITERS.into_iter().zip(rows);
        let separated = read.clone().filter(|(_, rows)| !is_one_column(rows));
        for ((delimiter, name), rows) in separated.chain(of_one_column.and_then(|at| read.clone().nth(at))) {
            if !found.is_empty() && is_one_column(rows) {
                break;
            }
            match self.table(delimiter, name, rows) {
                Ok(guesses) => {
                    is_a_table = true;
                    found.extend(guesses);
                }
                Err(error) => refusals.push((rows.first().map_or(0, Vec::len), error)),
            }
        }
        // That a column is none of those that another separator makes is no news where it is there.
        let widest = refusals.into_iter().min_by_key(|(cells, _)| std::cmp::Reverse(*cells));
        match widest {
            Some((_, error)) if found.is_empty() && !is_a_table => Err(error),
            _ => Ok(found),
        }
    }

    fn table(
        &self,
        delimiter: u8,
        separator: &'static str,
        rows: &[Vec<String>],
    ) -> Result<Vec<Guess>, Wrong> {
        let Some(first) = rows.first() else { return Ok(Vec::new()) };
        let is_row = |row: &Vec<String>| (0..row.len()).any(|column| self.deck_at(row, &[column]).is_some());
        let has_run = |row: &Vec<String>| runs(row.len()).any(|run| self.deck_at(row, &run).is_some());
        let has_header = self.has_names
            || !is_row(first) && !has_run(first) && self.is_header(rows)
            || rows.get(1).is_some_and(|second| names::are_numbered(first, second));
        let header = has_header.then(|| self.names(rows));
        let rows = &rows[usize::from(has_header)..];
        let Some(row) = rows.first() else { return Ok(Vec::new()) };
        let by_number = by_number(row);
        // Where most rows have more cells than there are names, no name tells which of them it is of.
        let filled =
            |row: &Vec<String>| row.iter().rposition(|cell| !cell.is_empty()).map_or(0, |last| last + 1);
        let is_named = |names: &&Vec<String>| {
            2 * rows.iter().filter(|row| filled(row) > names.len()).count() <= rows.len()
        };
        let whole_header = header.as_ref().filter(is_named);
        let names = whole_header.unwrap_or(&by_number);
        if let (Some(names), None) = (&header, whole_header) {
            self.check_unnamed(names, row)?;
        }
        let widest = rows.iter().map(Vec::len).max().unwrap_or(0);
        let width = whole_header.map_or(widest, Vec::len);
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
        let column = |option, name| self.written.column(option, name, names);
        let ids = self.written.ids(|name| names.iter().any(|own| own == name))?;
        let id = ids.into_iter().map(|name| column("--id-column", name)).collect::<Result<Vec<_>, _>>()?;
        let time = self.written.time_column.as_deref();
        let time = time.map(|name| column("--time-column", name)).transpose()?;
        self.check_id(&id, time.as_ref(), &readings)?;
        let guess = |deck: Vec<usize>| {
            // An index may have no name. A column of decks has one, or the first line is a record without a deck.
            let is_unnamed =
                |at: &usize| header.as_ref().and_then(|header| header.get(*at)).is_some_and(String::is_empty);
            if !self.has_names && deck.iter().any(is_unnamed) {
                return None;
            }
            let (spelling, format, first_number) = self.deck_at(row, &deck)?;
            // A header may have fewer cells than the rows below it.
            let named = |column: usize| match header.as_ref().and_then(|header| header.get(column)) {
                Some(name) => format!("`{}`", excerpt(name, 24)),
                None => (column + 1).to_string(),
            };
            let place = match deck.as_slice() {
                [one] => format!("column {}", named(*one)),
                many => format!("columns {} to {}", named(many[0]), named(many[many.len() - 1])),
            };
            let words = if deck.len() == 1 { place.clone() + spelling.words() } else { place.clone() };
            let found_in = Some(place).filter(|_| width > deck.len());
            let table = Table::new(delimiter, deck).with(width, id.clone(), time);
            let layout = Layout::Table(Box::new(table));
            let separator = Some(separator);
            Some(Guess { layout, spelling, format, first_number, has_header, separator, words, found_in })
        };
        Ok(readings.into_iter().filter_map(guess).collect())
    }

    /// Format and first number of the deck in these columns, if one does.
    fn deck_at(&self, row: &[String], columns: &[usize]) -> Option<SpelledDeck> {
        let cells: Option<Vec<&str>> =
            columns.iter().map(|&column| row.get(column).map(String::as_str)).collect();
        let cells = cells?;
        // In 52 columns each holds one card: an empty one beside one that holds two is no deck.
        let holds_blanks = |cell: &&str| cell.is_empty() || cell.contains(char::is_whitespace);
        if columns.len() > 1 && cells.iter().any(holds_blanks) && !(self.is_wide() && self.are_words(&cells))
        {
            return None;
        }
        self.deck(&cells.join(" "))
    }

    /// Whether each cell is one card in words.
    fn are_words(&self, cells: &[&str]) -> bool {
        let is_one = |cell: &&str| {
            Spelling::Words.read(cell, self.letters).is_ok_and(|spelled| spelled.fields.count == 1)
        };
        cells.iter().all(is_one)
    }
}

/// The numbers of the cells of a row from 1, where they have no names.
fn by_number(row: &[String]) -> Vec<String> {
    (1..=row.len()).map(|number| number.to_string()).collect()
}

/// Whether a value is a list of cards that are objects.
fn is_list_of_objects(value: &Json) -> bool {
    matches!(value, Json::List(cards) if matches!(cards.first(), Some(Json::Object(_))))
}

/// Every 52 neighbouring columns.
fn runs(columns: usize) -> impl Iterator<Item = Vec<usize>> {
    (0..(columns + 1).saturating_sub(DECK_CARDS)).map(|first| (first..first + DECK_CARDS).collect())
}
