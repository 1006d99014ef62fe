//! Why no layout reads the first lines of a text: what was seen where a deck should be, and what was wanted.

use std::borrow::Cow;

use crate::source::guess::{Guesser, Rows, by_number};
use crate::source::layout::member_text;
use crate::source::spelling::objects;
use crate::source::text::shown;
use deckproof_deck::card::DECK_CARDS;
use deckproof_deck::text::excerpt;

/// Lines in which cards are counted where no deck was found, and the fewest that may be meant for one.
const LINES_TOLD: usize = 3;
pub(super) const ALMOST_MIN: usize = 20;

/// What a named column or member should hold.
pub(super) const DECK_WANTED: &str = "52 card numbers or cards in it";

/// What a text without any should hold.
const TEXT_WANTED: &str =
    "52 card numbers or cards a line, alone or in a table whose first line may name the columns";

/// The same of a text whose first line names no columns: it may be a title.
const TITLE_UNWANTED: &str = "; a title above it has to go, or to begin with #";

/// Names of columns that a message repeats.
const COLUMNS_NAMED: usize = 8;

/// Letters of a word or a name that a message repeats.
pub(super) const WORD_LETTERS: usize = 20;

/// What is not known of a rank that is 0 or 1, and what ranks should be.
pub(super) const UNTOLD: &str = "which may be an ace or a two";
pub(super) const RANKS_WANTED: &str = "ranks that tell: 2 to 14, where 14 is the ace, or A, 2 to 10, J, Q, K";

/// Why no layout reads the first lines.
pub(in crate::source) struct Refusal {
    /// What was seen.
    pub(in crate::source) what: String,
    /// What was wanted.
    pub(in crate::source) wanted: String,
    /// In which of the lines, from 0: the first that is no header. `None` where it is all of them.
    pub(in crate::source) row: Option<usize>,
    /// Whether it is known what the text is; else it may still be read plainly, so that its first record is named.
    pub(in crate::source) is_known: bool,
}

impl Refusal {
    pub(super) fn of_row(row: usize, what: String, wanted: &str) -> Refusal {
        Refusal { what, wanted: wanted.to_owned(), row: Some(row), is_known: true }
    }

    pub(super) fn of_all(what: &str, wanted: &str) -> Refusal {
        Refusal { what: what.to_owned(), wanted: wanted.to_owned(), row: None, is_known: true }
    }

    /// The same, where the plain reader may know better.
    pub(super) fn or_plain(self) -> Refusal {
        Refusal { is_known: false, ..self }
    }
}

impl Guesser<'_> {
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
                let found = self.cards_in(cell);
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

    /// The cards or numbers that a text spells, in the first way in which they may be meant for a deck: cards in letters are
    /// base64 too.
    pub(super) fn cards_in(&self, text: &str) -> usize {
        let spelled = self.spellings.iter().filter_map(|spelling| spelling.read(text, self.letters).ok());
        let counts = spelled.map(|spelled| spelled.fields.count);
        counts.fold(0, |cards, count| if cards < ALMOST_MIN { cards.max(count) } else { cards })
    }

    /// What was seen where a deck should be, in the first row that is no header.
    pub(super) fn refusal(&self, rows: &[Rows]) -> Refusal {
        if let Some(refusal) = self.foreign_rank().or_else(|| self.refused_member()) {
            return refusal;
        }
        let widest = rows.iter().min_by_key(|rows| std::cmp::Reverse(rows.first().map_or(0, Vec::len)));
        let table: &[Vec<String>] = widest.map_or(&[], Vec::as_slice);
        let has_header = table.len() > 1 && self.is_header(table);
        if let [names] = table
            && names.len() > 1
            && self.is_header(table)
        {
            let what = "one line that may name columns, and no record below it".to_owned();
            return Refusal::of_row(0, what, "records: the query may have returned no rows").or_plain();
        }
        let row = usize::from(has_header);
        let named = table.get(row).and_then(|cells| {
            let names = if has_header { self.names(table) } else { by_number(cells) };
            let columns = self.written.deck_columns(&names).ok()??;
            let cells: Vec<&str> =
                columns.iter().filter_map(|&at| cells.get(at)).map(String::as_str).collect();
            Some((excerpt(names.get(columns[0])?, 40), cells.join(" ")))
        });
        if let Some((name, cell)) = named {
            return Refusal::of_row(row, format!("column `{name}` holds {}", self.seen(&cell)), DECK_WANTED)
                .or_plain();
        }
        if let Some(refusal) = self.hint(rows) {
            return refusal;
        }
        let what = match self.almost(rows) {
            Some(almost) => format!("no deck was found in its first lines{almost}"),
            None if self.json().is_some() => "JSON in which no member holds 52 cards".to_owned(),
            None if has_header => {
                format!("none of the columns {} holds 52 cards", columns_of(&table[0]))
            }
            None => "no deck was found in its first lines".to_owned(),
        };
        let wanted = TEXT_WANTED.to_owned() + if has_header { "" } else { TITLE_UNWANTED };
        Refusal::of_row(row, what, &wanted).or_plain()
    }

    /// Cards as objects whose ranks begin elsewhere: 1 to 13 begin with the ace or with the two.
    fn foreign_rank(&self) -> Option<Refusal> {
        let value = self.json()?;
        let inner = objects::paths(&value).into_iter().filter_map(|path| objects::at(&value, &path));
        let rank = std::iter::once(Cow::Borrowed(&value))
            .chain(inner)
            .find_map(|value| objects::foreign_rank(&value))?;
        let what = format!("cards as objects with the rank {rank}, {UNTOLD}");
        Some(Refusal::of_row(0, what, RANKS_WANTED))
    }

    /// What is in the member of an object that was named.
    fn refused_member(&self) -> Option<Refusal> {
        let object = self.json()?;
        let name = self.written.deck_column.as_deref()?;
        let value = objects::at(&object, name)?;
        let seen = match member_text(&object, &[name.to_owned()]) {
            Some(text) => self.seen(&text),
            None => format!("{} that is no list of 52 cards in their order", value.kind()),
        };
        let what = format!("member `{}` holds {seen}", excerpt(name, 40));
        Some(Refusal::of_row(0, what, DECK_WANTED).or_plain())
    }

    /// What a text is that is no deck.
    fn seen(&self, text: &str) -> String {
        let shown = shown(text, 40);
        let problem = match self.cards_in(text) {
            _ if text.is_empty() => return "nothing".to_owned(),
            0 => "no cards",
            DECK_CARDS => "52 cards or numbers that are not 52 different cards",
            1 => "one card or number",
            count => return format!("\"{shown}\", {count} cards or numbers"),
        };
        format!("\"{shown}\", {problem}")
    }
}

/// The names of the columns of a table, for a message.
fn columns_of(names: &[String]) -> String {
    let listed = names.iter().take(COLUMNS_NAMED).map(|name| format!("`{}`", excerpt(name, WORD_LETTERS)));
    let more = if names.len() > COLUMNS_NAMED { " and others" } else { "" };
    listed.collect::<Vec<_>>().join(", ") + more
}
