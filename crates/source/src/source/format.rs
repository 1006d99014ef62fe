//! How recorded decks are written down: the formats and the numberings of cards.

use std::str::FromStr;
use std::time::Duration;

use crate::source::ask::AskError;
use crate::source::empty::{EMPTY_DECK, EmptyDecks};
use crate::source::pattern::DeckPattern;
use crate::source::record::{RecordError, SourceRecord};
use crate::source::settings::{Settings, SourceSetting};
use deckproof_deck::card::DECK_CARDS;
use deckproof_deck::deck::Deck;
use deckproof_deck::text::excerpt;
use deckproof_deck::text::named::named;

/// How decks are written.
pub(super) const FORMAT: SourceSetting = SourceSetting::new(
    "format",
    "FORMAT",
    "How decks are written: raw (52 bytes a deck), indices (52 numbers a line) or cards (As Kd … a line). Texts are \
     recognised by their first lines if this is not given",
);

/// How numbers name cards.
pub(super) const NUMBERING: SourceSetting = SourceSetting::new(
    "numbering",
    "NUMBERING",
    "How numbers name cards: rank-suit (4·rank + suit, 2c 2d 2h 2s 3c …) or suit-rank (2c 3c … Ac 2d …) \
     [default: rank-suit]",
);

/// Where numbers begin.
pub(super) const FIRST_NUMBER: SourceSetting = SourceSetting::new(
    "first_number",
    "N",
    "With which number the cards begin: 0 (0 to 51) or 1 (1 to 52) [default: as the first deck shows]",
);

/// Where the deck is.
pub(super) const DECK_COLUMN: SourceSetting = SourceSetting::new(
    "deck_column",
    "COLUMN",
    "The column that holds the deck, by its name or its number from 1; in JSON also a path such as value.hand.deck",
);

/// Where the cards stand.
pub(super) const COLUMNS: SourceSetting = SourceSetting::new(
    "columns",
    "FIRST..LAST",
    "The 52 columns that hold the cards of a deck, by name or number, such as c0..c51 or 3..54",
);

/// Where the deck is in a line of a log.
pub(super) const DECK_REGEX: SourceSetting = SourceSetting::new(
    "deck_regex",
    "REGEX",
    "Lines of a log: the deck is what this pattern matches, its group `deck` or its first group without a name; \
     --id-column hand names a group (?P<hand>…) of it; lines that it does not match are passed over, unless they hold many cards",
);

/// Where the id is.
pub(super) const ID_COLUMN: SourceSetting = SourceSetting::list(
    "id_column",
    "COLUMN",
    "The column that names a record, or several with commas between, such as table,hand: for messages, and one name and deck twice \
     are refused",
);

/// Where the time is.
pub(super) const TIME_COLUMN: SourceSetting = SourceSetting::new(
    "time_column",
    "COLUMN",
    "The column that says when a record was dealt: for messages, and another order than that of dealing is refused where it shows",
);

/// Most letters of a chosen place in a sentence.
const NAME_LETTERS_MAX: usize = 80;

/// Most letters of the places where a deck was found.
const PLACE_LETTERS_MAX: usize = 240;

/// How long a stream may be silent.
const TIMEOUT: SourceSetting = SourceSetting::new(
    "timeout",
    "TIME",
    "With a program or standard input: silence as long as this, such as 30s, 5m or 1h, ends the run (exit 2)",
);

/// The settings of streams.
pub(super) const SETTINGS: &[SourceSetting] = &[
    FORMAT, NUMBERING, FIRST_NUMBER, DECK_COLUMN, COLUMNS, DECK_REGEX, ID_COLUMN, TIME_COLUMN, EMPTY_DECK,
    TIMEOUT,
];

named! {
    /// How a deck is written, place 0 (the top card, dealt first) first.
    #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
    pub enum Format {
        /// 52 bytes a deck, one card number each, nothing between.
        Raw = "raw",
        /// 52 card numbers 0 to 51 a line.
        Indices = "indices",
        /// 52 cards such as `As 10h` a line.
        Cards = "cards",
    }
    /// The name on the command line and in certificates.
    pub fn name;
}

named! {
    /// How card numbers count.
    #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
    pub enum Numbering {
        /// `4·rank + suit`, as in the protocol: 2c, 2d, 2h, 2s, 3c …
        RankSuit = "rank-suit",
        /// `13·suit + rank`: 2c, 3c, … Ac, 2d …
        SuitRank = "suit-rank",
    }
    /// The name on the command line and in certificates.
    pub fn name;
}

/// How recorded decks are written, as far as it was given.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Written {
    /// `None`: a text that tells by itself.
    pub format: Option<Format>,
    /// How its numbers count.
    pub numbering: Numbering,
    /// Whether the numbering was given, and not assumed.
    pub is_numbering_stated: bool,
    /// With which number the cards begin, 0 or 1; `None`: as the first deck shows.
    pub first_number: Option<u8>,
    /// The column that holds the deck.
    pub deck_column: Option<String>,
    /// The 52 columns that hold its cards.
    pub columns: Option<String>,
    /// Where the deck is in a line of a log.
    pub deck_regex: Option<DeckPattern>,
    /// The column that names a record, or several with commas between.
    pub id_column: Option<String>,
    /// The column that says when it was dealt.
    pub time_column: Option<String>,
    /// How many records without a deck are passed over.
    pub empty_decks: Option<EmptyDecks>,
    /// How long a stream may be silent.
    pub silence_max: Option<Duration>,
}

/// What is wrong with a layout that was asked for, and what was wanted.
pub(super) type Wrong = (String, String);

impl Written {
    /// In a format or as the text shows, with this numbering.
    pub fn new(format: Option<Format>, numbering: Numbering) -> Written {
        Written {
            format,
            numbering,
            is_numbering_stated: true,
            first_number: None,
            deck_column: None,
            columns: None,
            deck_regex: None,
            id_column: None,
            time_column: None,
            empty_decks: None,
            silence_max: None,
        }
    }

    /// What was given.
    ///
    /// # Errors
    /// [`AskError`] naming the option that makes no sense.
    pub fn of(settings: &Settings) -> Result<Written, AskError> {
        let numbering = settings.value("numbering")?;
        let first_number: Option<u8> = settings.value("first_number")?;
        if first_number.is_some_and(|first| first > 1) {
            return Err(AskError::new(
                "--first-number is neither 0 nor 1",
                "Wanted 0 (0 to 51) or 1 (1 to 52).",
            ));
        }
        let text = |name: &str| settings.text(name).map(str::to_owned);
        let format = settings.value("format")?;
        if format == Some(Format::Raw) && settings.is_given("deck_regex") {
            return Err(AskError::new(
                "--deck-regex reads lines of text, and --format raw asks for bytes",
                "Leave one of them out.",
            ));
        }
        let pattern: Option<DeckPattern> = settings.value("deck_regex")?;
        let [id_column, time_column] = ["id_column", "time_column"].map(text);
        let ids = id_column.iter().flat_map(|name| parts(name, |_| false)).map(|name| ("--id-column", name));
        let times = time_column.as_deref().map(|name| ("--time-column", name));
        for (option, name) in ids.chain(times) {
            if pattern.as_ref().is_some_and(|pattern| !pattern.has_group(name)) {
                return Err(AskError::new(
                    format!(
                        "{option} names {}, which is no group of --deck-regex",
                        excerpt(name, NAME_LETTERS_MAX)
                    ),
                    format!(
                        "Wanted a pattern with a group of that name: (?P<{name}>…), such as 'hand=(?P<hand>\\S+) deck=(\\S+)'."
                    ),
                ));
            }
        }
        Ok(Written {
            format,
            numbering: numbering.unwrap_or(Numbering::RankSuit),
            is_numbering_stated: numbering.is_some(),
            first_number,
            deck_column: text("deck_column"),
            columns: text("columns"),
            deck_regex: pattern,
            id_column,
            time_column,
            empty_decks: settings.value("empty_deck")?,
            silence_max: settings.text("timeout").map(silence).transpose()?,
        })
    }

    /// Whether ids, times or the number of records without a deck are kept beside the decks.
    pub(super) fn is_marked(&self) -> bool {
        self.id_column.is_some() || self.time_column.is_some() || self.empty_decks.is_some()
    }

    /// The groups of the pattern of a log that name its records and their times.
    pub(super) fn groups(&self) -> Vec<String> {
        let ids = self.id_column.iter().flat_map(|name| parts(name, |_| false));
        let mut groups: Vec<String> = Vec::new();
        for name in ids.chain(self.time_column.as_deref()).filter(|_| self.deck_regex.is_some()) {
            if !groups.iter().any(|group| group == name) {
                groups.push(name.to_owned());
            }
        }
        groups
    }

    /// Whether the place of the deck in a record was given.
    pub(super) fn says_place(&self) -> bool {
        self.deck_column.is_some() || self.columns.is_some() || self.deck_regex.is_some()
    }

    /// Whether a column was named, so that the text has to be a table.
    pub(super) fn names_columns(&self) -> bool {
        let names = [&self.deck_column, &self.columns, &self.id_column, &self.time_column];
        names.iter().any(|name| name.is_some())
    }

    /// The columns of the deck among these, from 0, where they were given.
    ///
    /// # Errors
    /// What is wrong with them.
    pub(super) fn deck_columns(&self, names: &[String]) -> Result<Option<Vec<usize>>, Wrong> {
        if let Some(name) = &self.deck_column {
            return Ok(Some(vec![self.column("--deck-column", name, names)?]));
        }
        let Some(columns) = &self.columns else { return Ok(None) };
        let wanted = || "FIRST..LAST, 52 neighbouring columns, such as c0..c51 or 3..54".to_owned();
        let (first, last) =
            columns.split_once("..").ok_or_else(|| (format!("--columns is {columns:?}"), wanted()))?;
        let first = self.column("--columns", first, names)?;
        let last = self.column("--columns", last, names)?;
        if last != first + 51 {
            return Err((format!("--columns {columns} are not 52 columns"), wanted()));
        }
        Ok(Some((first..=last).collect()))
    }

    /// One of these columns, by its name or its number from 1.
    ///
    /// # Errors
    /// That there is none.
    pub(super) fn column(&self, option: &str, name: &str, names: &[String]) -> Result<usize, Wrong> {
        let by_number = || name.parse::<usize>().ok().and_then(|number| number.checked_sub(1));
        let found = names.iter().position(|own| own == name).or_else(by_number);
        match found.filter(|&column| column < names.len()) {
            Some(column) => Ok(column),
            None => Err((
                format!("{option} names {name:?}, which is none of its columns"),
                format!("one of {}", excerpt(&names.join(", "), 200)),
            )),
        }
    }

    /// Names of columns that were given, with those beside which commas stand apart as well.
    pub(super) fn given_names(&self) -> impl Iterator<Item = &str> {
        let names = [&self.id_column, &self.time_column, &self.deck_column].into_iter().flatten();
        let ids = self.id_column.iter().flat_map(|name| parts(name, |_| false));
        names.map(String::as_str).chain(ids).filter(|name| !name.is_empty())
    }

    /// The columns that name a record, each as it was typed: one, or several that commas separate and that are not the name of one.
    ///
    /// # Errors
    /// That a name is missing beside a comma.
    pub(super) fn ids(&self, is_there: impl Fn(&str) -> bool) -> Result<Vec<&str>, Wrong> {
        let names = self.id_column.as_deref().map_or(Vec::new(), |name| parts(name, is_there));
        if names.len() > 1 && names.contains(&"") {
            let found = format!("--id-column is {:?}", self.id_column.as_deref().unwrap_or_default());
            return Err((found, "a name of a column on each side of a comma".to_owned()));
        }
        Ok(names)
    }

    /// Checks what a record says of it.
    ///
    /// # Errors
    /// [`RecordError`] naming the field.
    pub(super) fn check(record: &SourceRecord) -> Result<(), RecordError> {
        let wrong =
            |field: &str, error: NameError| record.wrong(field, format!("{:?}", error.found), error.wanted);
        record.text("format")?.parse::<Format>().map_err(|error| wrong("format", error))?;
        record.text("numbering")?.parse::<Numbering>().map_err(|error| wrong("numbering", error))?;
        record.names().any(|name| name == PLACE_FIELD).then(|| record.text(PLACE_FIELD)).transpose()?;
        match record.number_if_any("first_number")? {
            None | Some(1) => Ok(()),
            Some(other) => Err(record.wrong("first_number", other, "1, or nothing where it is 0")),
        }
    }

    /// The option that chose where the decks stand in their records, as it was typed: nothing else there was looked at. `None` where the one
    /// place that holds decks was found.
    pub fn chosen(record: &SourceRecord) -> Option<String> {
        let options =
            [("--deck-column", "deck_column"), ("--columns", "columns"), ("--deck-regex", "deck_regex")];
        let chosen = |(option, field)| {
            let name = record.text(field).ok()?;
            Some(format!("{option} {}", excerpt(name, NAME_LETTERS_MAX)))
        };
        options.into_iter().find_map(chosen)
    }

    /// The same within the words of a source.
    pub(super) fn chosen_words(record: &SourceRecord) -> String {
        Written::chosen(record).map_or(String::new(), |option| format!(", chosen by {option}"))
    }

    /// Where the decks were found, within the words of a source; empty where that was given.
    pub(super) fn place_words(record: &SourceRecord) -> String {
        let place = record.text(PLACE_FIELD).ok();
        place.map_or(String::new(), |place| format!(", in {}", excerpt(place, PLACE_LETTERS_MAX)))
    }

    /// The settings of columns, as a record names them.
    pub(super) fn add_columns(&self, record: SourceRecord) -> SourceRecord {
        record
            .with_some("deck_column", self.deck_column.as_deref())
            .with_some("columns", self.columns.as_deref())
            .with_some("deck_regex", self.deck_regex.as_ref().map(DeckPattern::to_string))
            .with_some("id_column", self.id_column.as_deref())
            .with_some("time_column", self.time_column.as_deref())
            .with_some("empty_deck", self.empty_decks.map(|empty| empty.to_string()))
    }
}

/// Names of columns with commas between, or the name of one that is there and has a comma itself.
fn parts(name: &str, is_there: impl Fn(&str) -> bool) -> Vec<&str> {
    if is_there(name) { vec![name] } else { name.split(',').map(str::trim).collect() }
}

/// Reads `30s`, `5m`, `2h`, or a number of seconds: a million at most.
///
/// # Errors
/// What is wanted.
pub fn parse_time(text: &str) -> Result<Duration, &'static str> {
    let units = [("s", 1), ("m", 60), ("h", 3_600)];
    let with_unit = units.iter().find_map(|(unit, seconds)| Some((text.strip_suffix(unit)?, *seconds)));
    let (number, unit_seconds) = with_unit.unwrap_or((text, 1));
    let seconds = number.parse().ok().and_then(|number: u64| number.checked_mul(unit_seconds));
    let seconds = seconds.filter(|seconds| (1..=1_000_000).contains(seconds));
    seconds.map(Duration::from_secs).ok_or("Wanted a time such as 30s, 10m or 2h.")
}

/// Reads the silence after which a program is given up.
fn silence(text: &str) -> Result<Duration, AskError> {
    parse_time(text).map_err(|wanted| AskError::new(format!("found --timeout {text:?}"), wanted))
}

/// The fields that [`Written::add_columns`] and the reader may add to a record.
pub(super) const RECORD_FIELDS: [&str; 10] = [
    "format", "numbering", "first_number", "deck_column", "columns", "deck_regex", "id_column",
    "time_column", "empty_deck", PLACE_FIELD,
];

/// In which column or member the decks were found where nobody gave it.
pub(super) const PLACE_FIELD: &str = "deck_place";

/// A word that names no format or numbering.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("found {found:?}, wanted {wanted}")]
pub struct NameError {
    found: String,
    wanted: &'static str,
}

impl FromStr for Format {
    type Err = NameError;

    fn from_str(text: &str) -> Result<Format, NameError> {
        Format::ALL
            .into_iter()
            .find(|format| format.name() == text)
            .ok_or_else(|| NameError { found: text.into(), wanted: "raw, indices or cards" })
    }
}

impl Numbering {
    /// The order in which a dealer numbers cards whose records of numbers say so, `None` where it is the protocol's.
    pub fn start_order_of(record: &SourceRecord) -> Option<Deck> {
        let is_suit_rank = record.text("numbering").ok()? == Numbering::SuitRank.name();
        let of_numbers = record.text("format").ok()? != Format::Cards.name();
        (is_suit_rank && of_numbers).then(|| {
            let cards: [u8; DECK_CARDS] =
                std::array::from_fn(|number| Numbering::SuitRank.to_protocol(number as u8));
            Deck::try_from(&cards[..]).expect("every number names a card of its own")
        })
    }

    /// How the numbers of a record were taken for cards; `None` where it holds no numbers.
    pub fn of(record: &SourceRecord) -> Option<Numbering> {
        let is_of_numbers = record.text("format").is_ok_and(|format| format != Format::Cards.name());
        record.text("numbering").ok().filter(|_| is_of_numbers)?.parse().ok()
    }

    /// The one that it is not.
    pub fn other(self) -> Numbering {
        match self {
            Numbering::RankSuit => Numbering::SuitRank,
            Numbering::SuitRank => Numbering::RankSuit,
        }
    }

    /// How it counts, in words.
    pub fn words(self) -> &'static str {
        match self {
            Numbering::RankSuit => "4·rank + suit (2c 2d 2h 2s 3c … As)",
            Numbering::SuitRank => "13·suit + rank (2c 3c 4c … As)",
        }
    }

    /// The protocol's number of a card; numbers that are no card stay what they are.
    pub fn to_protocol(self, number: u8) -> u8 {
        match self {
            Numbering::SuitRank if number < 52 => 4 * (number % 13) + number / 13,
            _ => number,
        }
    }
}

impl FromStr for Numbering {
    type Err = NameError;

    fn from_str(text: &str) -> Result<Numbering, NameError> {
        Numbering::ALL
            .into_iter()
            .find(|numbering| numbering.name() == text)
            .ok_or_else(|| NameError { found: text.into(), wanted: "rank-suit or suit-rank" })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use deckproof_deck::card::Card;

    #[test]
    fn suit_rank_counts_the_clubs_first() {
        let card = |number| Card::from_index(Numbering::SuitRank.to_protocol(number)).map(|c| c.to_string());
        assert_eq!(card(0).as_deref(), Some("2c"));
        assert_eq!(card(12).as_deref(), Some("Ac"));
        assert_eq!(card(13).as_deref(), Some("2d"));
        assert_eq!(card(51).as_deref(), Some("As"));
        assert_eq!(card(52), None);
    }

    #[test]
    fn times_have_a_unit_or_are_seconds() {
        let seconds = |text| parse_time(text).map(|time| time.as_secs()).ok();
        let times = [("30s", 30), ("5m", 300), ("2h", 7_200), ("45", 45), ("1000000", 1_000_000)];
        times.into_iter().for_each(|(text, wanted)| assert_eq!(seconds(text), Some(wanted), "{text}"));
        for wrong in ["", "s", "0s", "-1s", "1.5m", "1d", "1 h", "278h", "1000001", "99999999999999999999h"] {
            assert_eq!(seconds(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn names_parse_back_and_others_are_refused() {
        assert_eq!("cards".parse(), Ok(Format::Cards));
        assert_eq!("suit-rank".parse(), Ok(Numbering::SuitRank));
        let refused = "json".parse::<Format>().err().map(|error| error.to_string());
        assert_eq!(refused.as_deref(), Some("found \"json\", wanted raw, indices or cards"));
    }
}
