//! What a text without a deck in its first record probably is, and what its owner can do about it.

use crate::source::guess::refusal::{ALMOST_MIN, DECK_WANTED, RANKS_WANTED, Refusal, UNTOLD, WORD_LETTERS};
use crate::source::guess::{Guess, Guesser, Rows};
use crate::source::layout::{Layout, Table};
use crate::source::pattern::DeckPattern;
use crate::source::spelling::{CARDS_MAX, Spelling, cards_in, numbered};
use deckproof_deck::card::DECK_CARDS;
use deckproof_deck::text::excerpt;

/// Rows of one card that are looked at before a table is taken for one with a row a card.
const CARD_ROWS_MIN: usize = 8;

/// What ends a deck in a line of a log without blanks.
const CLOSING: [char; 6] = ['"', '\'', ')', ']', ',', ';'];

/// What begins one that some pattern matches, and another does not.
const OPENING: [char; 4] = ['"', '(', '[', '|'];

impl Guesser<'_> {
    /// The first of the explanations that fits.
    pub(super) fn hint(&self, rows: &[Rows]) -> Option<Refusal> {
        self.binary()
            .or_else(|| self.drawn())
            .or_else(|| self.first_record())
            .or_else(|| self.log_line())
            .or_else(|| self.row_a_card(rows))
            .or_else(|| self.separated(rows))
            .or_else(|| self.stranger(rows))
    }

    /// Bytes that no text holds.
    fn binary(&self) -> Option<Refusal> {
        let is_control = |byte: &u8| byte.is_ascii_control() && !byte.is_ascii_whitespace();
        let is_binary = |line: &&[u8]| {
            line.contains(&0) || line.iter().any(is_control) && std::str::from_utf8(line).is_err()
        };
        self.lines.iter().any(is_binary).then(|| {
            let wanted = "text with 52 cards a line, or raw:FILE for 52 bytes a deck, each from 0 to 51";
            Refusal::of_all("found bytes that are no text", wanted)
        })
    }

    /// A table with lines around its cells, as database clients print it.
    fn drawn(&self) -> Option<Refusal> {
        let is_rule = |line: &&[u8]| {
            let dashes = line.iter().filter(|&&byte| byte == b'-').count();
            dashes > 2 && line.trim_ascii().iter().all(|byte| b"-+| ".contains(byte))
        };
        self.lines.iter().take(2).any(is_rule).then(|| {
            let wanted = "CSV: psql --csv, mysql --batch or sqlite3 -csv write it";
            Refusal::of_all("found a table as a database client prints it, with a line of dashes", wanted)
        })
    }

    /// The records below are decks, and the first is none.
    fn first_record(&self) -> Option<Refusal> {
        let Later { guess, row, is_above_header } = later(self)?;
        let line = self.lines[row];
        let mut layout = guess.layout.clone();
        let read = layout.read(line, self.letters, guess.spelling);
        let refusal = |what: String, wanted: &str| Some(Refusal::of_row(row, what, wanted));
        let is_title = self.cards_among(&String::from_utf8_lossy(line)) == 0 && read.is_err();
        if is_above_header || is_title && !layout.lacks_deck(line) {
            let wanted = "decks from the first line on: take that line out, or begin it with #";
            return match self.lettered(line) {
                Some(word) => refusal(
                    format!("a line above the decks, in which \"{word}\" may be a card or name a column"),
                    &format!("{wanted}, or say which column it names, such as --deck-column NAME"),
                ),
                None => refusal("a line above the decks that is none of them".to_owned(), wanted),
            };
        }
        if layout.lacks_deck(line) {
            let wanted = "52 cards; --empty-deck skip passes over and counts records without a deck";
            return refusal("the first record has no deck, and a later one has".to_owned(), wanted);
        }
        let what = match read {
            Err(bad) => format!("{:?} as card {} of the first record", bad.text, bad.field),
            Ok(spelled) if spelled.fields.count != DECK_CARDS => {
                let count = spelled.fields.count;
                let unit = if count == 1 { "card" } else { "cards" };
                format!("the first record has {count} {unit}, and a later one has 52")
            }
            Ok(_) => "52 cards or numbers that are not 52 different cards".to_owned(),
        };
        // A line of 52 fields and nothing else is judged as a record of its own, if it can be read.
        let is_plain = match &mut layout {
            Layout::Table(table) => table.deck.len() > 1 || table.cells(line).len() == 1,
            Layout::Json(_) => false,
            Layout::Plain | Layout::Whole => true,
        };
        refusal(what, DECK_WANTED).map(|refusal| if is_plain { refusal.or_plain() } else { refusal })
    }

    /// The first cell of a line that may be a card or the name of a column; words of a title stand together in one.
    fn lettered(&self, line: &[u8]) -> Option<String> {
        let line = String::from_utf8_lossy(line);
        let mut cells = line.split([',', ';', '\t', '|']).map(|cell| cell.trim().trim_matches('"'));
        cells.find(|cell| self.is_lettered(cell)).map(|cell| excerpt(cell, WORD_LETTERS))
    }

    /// A deck within a line of other words, as logs hold it.
    fn log_line(&self) -> Option<Refusal> {
        let lines: Vec<String> =
            self.lines.iter().map(|line| String::from_utf8_lossy(line).trim_end().to_owned()).collect();
        let finds = |pattern: &String| {
            let compiled: Option<DeckPattern> = pattern.parse().ok();
            let deck = |line: &String| {
                let found = compiled.as_ref()?.find(line.as_bytes(), &[])?;
                self.deck(&String::from_utf8_lossy(found.deck))
            };
            lines.iter().filter(|line| deck(line).is_some()).count() * 2 > lines.len()
        };
        let (row, found) = lines.iter().enumerate().find_map(|(row, line)| {
            // Of several patterns that find one deck the first is named.
            let mut found: Vec<(String, String)> = Vec::new();
            for pattern in self.patterns(line).into_iter().filter(&finds) {
                let compiled: DeckPattern = pattern.parse().ok()?;
                let matched = compiled.find(line.as_bytes(), &[])?;
                // Several decks of one name are no line of a log.
                if cards_in(matched.again.unwrap_or_default(), self.letters) >= CARDS_MAX {
                    return None;
                }
                let is_around = |letter: char| CLOSING.contains(&letter) || OPENING.contains(&letter);
                let deck = String::from_utf8_lossy(matched.deck).trim_matches(is_around).to_owned();
                if !found.iter().any(|(_, other)| *other == deck) {
                    found.push((pattern, deck));
                }
            }
            (!found.is_empty()).then_some((row, found))
        })?;
        let options: Vec<String> =
            found.iter().map(|(pattern, _)| format!("--deck-regex '{pattern}'")).collect();
        let (what, which) = match options.len() {
            1 => ("52 cards within a line of other words", "which says where the deck is in a line"),
            _ => ("several decks within a line of other words", "whichever names the deck that was dealt"),
        };
        let wanted = format!("{}, {which}", options.join(" or "));
        Some(Refusal::of_row(row, what.to_owned(), &wanted))
    }

    /// Patterns that may find the deck of a line: the word before it, then 52 words or one.
    fn patterns(&self, line: &str) -> Vec<String> {
        let words: Vec<&str> = line.split_whitespace().collect();
        let escaped = |word: &str| regex::escape(word);
        let mut found = Vec::new();
        for (place, word) in words.iter().enumerate() {
            let starts = word.match_indices(['=', ':', '"', '(', '[', '|']).map(|(at, sign)| at + sign.len());
            for start in std::iter::once(0).chain(starts) {
                let (name, value) = word.split_at(start);
                let name = name
                    .rsplit(|letter: char| !letter.is_alphabetic() && !"_=:\"([|".contains(letter))
                    .next();
                let before = match name.filter(|name| !name.is_empty()) {
                    Some(name) => escaped(name),
                    None if start > 0 => continue,
                    None => match place.checked_sub(1).map(|before| words[before]) {
                        Some(name)
                            if !name.contains(|letter: char| letter.is_ascii_digit() || letter == '\'') =>
                        {
                            escaped(name) + r"\s+"
                        }
                        // A line that begins with a deck is no line of a log.
                        _ => continue,
                    },
                };
                let deck = value.trim_end_matches(CLOSING);
                if self.deck(deck).is_some() {
                    // Commas may stand between its cards: what ends it is what follows the last one.
                    found.push(match value[deck.len()..].chars().next() {
                        Some(end) => format!(r"{before}([^\s{}]+)", escaped(&end.to_string())),
                        None => format!(r"{before}(\S+)"),
                    });
                }
                let rest = words.get(place + 1..place + DECK_CARDS).filter(|_| !value.is_empty());
                // A card more, and the pattern would cut a deck of 53 down to 52.
                let goes_on = words.get(place + DECK_CARDS).is_some_and(|word| self.cards_in(word) > 0);
                if let Some(rest) = rest.filter(|_| !goes_on)
                    && self.deck(&[&[value], rest].concat().join(" ")).is_some()
                {
                    found.push(format!(r"{before}((?:\S+\s+){{51}}\S+)"));
                }
            }
        }
        found.retain(|pattern| !pattern.contains('\''));
        found
    }

    /// One card a row, and not 52 rows a hand in their order: where these are in order they were read.
    fn row_a_card(&self, rows: &[Rows]) -> Option<Refusal> {
        let is_card = |cell: &String| {
            let spelled = self.spellings.iter().filter_map(|spelling| spelling.read(cell, self.letters).ok());
            spelled.filter(|spelled| spelled.are_cards).any(|spelled| spelled.fields.count == 1)
        };
        let (row, name, has_seats) = rows.iter().find_map(|table| {
            let has_header = table.len() > 1 && self.is_header(table);
            let has_seats = has_header && table[0].iter().any(|name| name.to_lowercase().contains("seat"));
            let cells = &table[usize::from(has_header)..];
            let width = cells.first()?.len();
            let of_cards = |column: &usize| cells.iter().all(|row| row.get(*column).is_some_and(is_card));
            let mut columns = (0..width).filter(of_cards);
            let is_table = (2..DECK_CARDS).contains(&width) && cells.len() >= CARD_ROWS_MIN;
            let column = columns.next().filter(|_| is_table && columns.next().is_none())?;
            let name = if has_header { table[0][column].clone() } else { (column + 1).to_string() };
            Some((usize::from(has_header), name, has_seats))
        })?;
        let what = format!("one card a row, in column `{}`", excerpt(&name, WORD_LETTERS));
        let wanted = "52 rows a hand, one below the other, with the hand and a position that counts up from 0 or 1 in every row: ORDER \
                      BY hand, position";
        let dealt = if has_seats {
            "; cards as they were dealt to seats are judged by deckproof hands --dealt"
        } else {
            ""
        };
        Some(Refusal::of_row(row, what, &format!("{wanted}{dealt}")))
    }

    /// Cards with something between them that is not read.
    fn separated(&self, rows: &[Rows]) -> Option<Refusal> {
        let widest = rows.iter().max_by_key(|rows| rows.first().map_or(0, Vec::len))?;
        let row = usize::from(widest.len() > 1 && self.is_header(widest));
        widest.get(row)?.iter().enumerate().find_map(|(column, cell)| {
            let is_between = |sign: &&str| {
                cell.matches(*sign).count() >= DECK_CARDS - 1
                    && self.deck(&cell.replace(*sign, " ")).is_some()
            };
            let sign = ["-", "/", "_", ":", ".", "+"].into_iter().find(is_between)?;
            let what = format!("column {} holds 52 cards separated by \"{sign}\"", column + 1);
            let wanted =
                format!("blanks or nothing between cards, such as replace(deck, '{sign}', ' ') in the query");
            Some(Refusal::of_row(row, what, &wanted))
        })
    }

    /// Many cards together, and among them something that is none.
    fn stranger(&self, rows: &[Rows]) -> Option<Refusal> {
        let widest = rows.iter().max_by_key(|rows| rows.first().map_or(0, Vec::len))?;
        let row = usize::from(widest.len() > 1 && self.is_header(widest));
        widest.get(row)?.iter().enumerate().find_map(|(column, cell)| {
            let words: Vec<&str> = words_of(cell).collect();
            if words.len() == DECK_CARDS && numbered::begins_elsewhere(cell) {
                let what =
                    format!("column {} holds cards with the ranks 1 to 13 or 0 to 12, {UNTOLD}", column + 1);
                return Some(Refusal::of_row(row, what, RANKS_WANTED));
            }
            let strange = words.iter().position(|word| !self.is_card(word))?;
            if words.iter().filter(|word| self.is_card(word)).count() >= ALMOST_MIN {
                return Some(no_card(row, column, &words, strange));
            }
            // As many words as a deck has cards, most of which this program does not know as cards: those of another language, bits.
            let is_known = |word: &&str| self.is_card(word) || is_card_number(word);
            let strange = words.iter().position(|word| !is_known(word))?;
            (words.len() == DECK_CARDS).then(|| no_card(row, column, &words, strange).or_plain())
        })
    }

    /// How many words of a text are cards or may be their numbers.
    fn cards_among(&self, text: &str) -> usize {
        let found = words_of(text).filter(|word| self.is_card(word) || is_card_number(word)).count();
        // A number or two stand in any title.
        if found < ALMOST_MIN { 0 } else { found }
    }

    fn is_card(&self, word: &str) -> bool {
        Spelling::Plain
            .read(word, self.letters)
            .is_ok_and(|spelled| spelled.are_cards && spelled.fields.count == 1)
    }
}

/// That a word of a column that may have been meant for a deck is no card.
fn no_card(row: usize, column: usize, words: &[&str], place: usize) -> Refusal {
    let (column, count, word) = (column + 1, words.len(), excerpt(words[place], WORD_LETTERS));
    let what = format!("column {column} holds {count} words, and word {}, \"{word}\", is no card", place + 1);
    Refusal::of_row(row, what, DECK_WANTED)
}

/// Whether a word may be the number of a card.
fn is_card_number(word: &str) -> bool {
    word.parse().is_ok_and(|number: usize| number <= DECK_CARDS)
}

fn words_of(text: &str) -> impl Iterator<Item = &str> {
    let is_between = |letter: char| letter.is_whitespace() || ",;|\"'[](){}".contains(letter);
    text.split(is_between).filter(|word| !word.is_empty())
}

/// How the records below the first are read.
pub(super) struct Later {
    pub(super) guess: Guess,
    /// The first record, which is none of them.
    row: usize,
    /// Whether the names of the columns stand below it.
    pub(super) is_above_header: bool,
}

/// Reads the lines without the first records.
pub(super) fn later(asked: &Guesser<'_>) -> Option<Later> {
    let guessed = |lines: &[&[u8]]| Guesser { lines, ..*asked }.only_reading();
    (1..asked.lines.len()).find_map(|first| {
        let below_names: Vec<&[u8]> = [&asked.lines[..1], &asked.lines[first + 1..]].concat();
        let named = guessed(&below_names).filter(|guess| {
            guess.has_header
                && first + 1 < asked.lines.len()
                && guess.layout.clone().reaches_deck(asked.lines[0])
        });
        let named = named.map(|guess| Later { guess, row: 1, is_above_header: false });
        let rest = || {
            let guess = guessed(&asked.lines[first..])?;
            let is_above_header = guess.has_header;
            Some(Later { guess, row: 0, is_above_header })
        };
        // A title with separators in it has another number of cells than the records.
        let is_title = named.as_ref().is_some_and(|named| match named.guess.layout.clone() {
            Layout::Table(mut table) => {
                let cells = |table: &mut Table, at: usize| table.cells(asked.lines[at]).len();
                first == 1 && cells(&mut table, 0) != cells(&mut table, 2)
            }
            _ => false,
        });
        if is_title { rest().or(named) } else { named.or_else(rest) }
    })
}
