//! How recorded decks are written down: the formats and the numberings of cards.

use std::fmt;
use std::str::FromStr;

use crate::source::ask::AskError;
use crate::source::record::{RecordError, SourceRecord};
use crate::source::settings::{Setting, Settings};

/// What may be said of recorded decks and of streams.
pub(super) const SETTINGS: &[Setting] = &[
    Setting::new(
        "format",
        "FORMAT",
        "How decks are written: raw (52 bytes a deck), indices (52 numbers 0 to 51 a line) or cards \
         (As Kd … a line). Texts are recognised by their first line if this is not given",
    ),
    Setting::new(
        "numbering",
        "NUMBERING",
        "How numbers name cards: rank-suit (4·rank + suit, 2c 2d 2h 2s 3c …) or suit-rank (2c 3c … Ac 2d …) \
         [default: rank-suit]",
    ),
];

/// How a deck is written, place 0 (the top card, dealt first) first.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Format {
    /// 52 bytes a deck, one card number each, nothing between.
    Raw,
    /// 52 card numbers 0 to 51 a line.
    Indices,
    /// 52 cards such as `As 10h` a line.
    Cards,
}

/// How card numbers count.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Numbering {
    /// `4·rank + suit`, as in the protocol: 2c, 2d, 2h, 2s, 3c …
    RankSuit,
    /// `13·suit + rank`: 2c, 3c, … Ac, 2d …
    SuitRank,
}

/// How recorded decks are written, as far as it was said.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Written {
    /// `None`: a text that tells by itself.
    pub format: Option<Format>,
    /// How its numbers count.
    pub numbering: Numbering,
}

impl Written {
    /// What was said.
    ///
    /// # Errors
    /// [`AskError`] naming the option that makes no sense.
    pub fn of(settings: &Settings) -> Result<Written, AskError> {
        Ok(Written {
            format: settings.value("format")?,
            numbering: settings.value("numbering")?.unwrap_or(Numbering::RankSuit),
        })
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
        Ok(())
    }
}

/// A word that names no format or numbering.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("found {found:?}, wanted {wanted}")]
pub struct NameError {
    found: String,
    wanted: &'static str,
}

impl Format {
    /// The name on the command line and in certificates.
    pub fn name(self) -> &'static str {
        match self {
            Format::Raw => "raw",
            Format::Indices => "indices",
            Format::Cards => "cards",
        }
    }
}

impl FromStr for Format {
    type Err = NameError;

    fn from_str(text: &str) -> Result<Format, NameError> {
        [Format::Raw, Format::Indices, Format::Cards]
            .into_iter()
            .find(|format| format.name() == text)
            .ok_or_else(|| NameError { found: text.into(), wanted: "raw, indices or cards" })
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl Numbering {
    /// The name on the command line and in certificates.
    pub fn name(self) -> &'static str {
        match self {
            Numbering::RankSuit => "rank-suit",
            Numbering::SuitRank => "suit-rank",
        }
    }

    /// The protocol's number of a card; numbers that are no card stay what they are.
    pub(super) fn to_protocol(self, number: u8) -> u8 {
        match self {
            Numbering::SuitRank if number < 52 => 4 * (number % 13) + number / 13,
            _ => number,
        }
    }
}

impl FromStr for Numbering {
    type Err = NameError;

    fn from_str(text: &str) -> Result<Numbering, NameError> {
        [Numbering::RankSuit, Numbering::SuitRank]
            .into_iter()
            .find(|numbering| numbering.name() == text)
            .ok_or_else(|| NameError { found: text.into(), wanted: "rank-suit or suit-rank" })
    }
}

impl fmt::Display for Numbering {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::card::Card;

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
    fn names_parse_back_and_others_are_refused() {
        assert_eq!("cards".parse(), Ok(Format::Cards));
        assert_eq!("suit-rank".parse(), Ok(Numbering::SuitRank));
        let refused = "json".parse::<Format>().err().map(|error| error.to_string());
        assert_eq!(refused.as_deref(), Some("found \"json\", wanted raw, indices or cards"));
    }
}
