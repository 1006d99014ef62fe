//! Text exports of PokerStars and of Full Tilt Poker: seven-card stud hands as plain records, other games counted, the rest named.
//!
//! A hand begins with a line `PokerStars Hand #…` or `PokerStars Game #…` and ends where the next begins.
//! Nothing is guessed: a line that cannot be parsed makes its hand unread, and so does a hand that does
//! not add up (a street that leaves out a seat still in, a pot that is not what was collected). Names stay
//! in the file.

mod body;
mod full_tilt;
mod header;
mod line;

use crate::stud::history::pokerstars::header::Header;
use crate::stud::record::Record;

/// What an export holds.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Export {
    /// The hands of seven-card stud, in the order of the file.
    pub hands: Vec<Record>,
    /// Hands of other games.
    pub others: Vec<OtherGame>,
    /// Hands that cannot be read.
    pub unread: Vec<Unread>,
}

/// A hand of another game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OtherGame {
    /// The room's number of the hand.
    pub number: String,
    /// The game as the room names it.
    pub game: String,
}

/// A hand that cannot be read. Nothing in it names a player.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{}line {line}: found {found}, wanted {wanted}", hand_text(.number))]
pub struct Unread {
    /// The room's number of the hand, if that much can be read.
    pub number: Option<String>,
    /// The line of the file, from 1.
    pub line: usize,
    /// What is there, players named by their seats.
    pub found: String,
    /// What belongs there.
    pub wanted: String,
}

fn hand_text(number: &Option<String>) -> String {
    number.as_ref().map_or_else(String::new, |number| format!("hand {number}, "))
}

/// A fault of one line.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Fault {
    line: usize,
    found: String,
    wanted: String,
}

impl Fault {
    fn new(line: usize, found: impl Into<String>, wanted: impl Into<String>) -> Fault {
        Fault { line, found: found.into(), wanted: wanted.into() }
    }
}

/// Whether a text looks like such an export: its first words are those of a hand.
pub fn is_export(text: &str) -> bool {
    text.trim_start_matches('\u{feff}').trim_start().starts_with(FIRST_WORD) || full_tilt::is_export(text)
}

const FIRST_WORD: &str = "PokerStars ";

/// Reads an export.
pub fn read(text: &str) -> Export {
    if full_tilt::is_export(text) {
        return read_lines(&full_tilt::translated(text));
    }
    read_lines(text)
}

fn read_lines(text: &str) -> Export {
    let mut export = Export::default();
    for hand in hands(text) {
        match hand {
            Piece::Hand(lines) => read_hand(&lines, &mut export),
            Piece::Stray(line) => {
                let wanted = "a line that begins a hand: PokerStars Hand #…".to_owned();
                let found = "another text before the first hand".to_owned();
                export.unread.push(Unread { number: None, line, found, wanted });
            }
        }
    }
    export
}

/// A part of the file.
enum Piece<'a> {
    /// The numbered lines of a hand that are not empty, header first.
    Hand(Vec<(usize, &'a str)>),
    /// The first line of a text that belongs to no hand.
    Stray(usize),
}

fn hands(text: &str) -> Vec<Piece<'_>> {
    let mut pieces: Vec<Piece> = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        // Several exports laid end to end have a mark of their encoding before each.
        let line = line.trim_start_matches('\u{feff}').trim_end();
        match pieces.last_mut() {
            _ if line.is_empty() => {}
            _ if line.starts_with(FIRST_WORD) => pieces.push(Piece::Hand(vec![(number, line)])),
            Some(Piece::Hand(lines)) => lines.push((number, line)),
            Some(Piece::Stray(_)) => {}
            None => pieces.push(Piece::Stray(number)),
        }
    }
    pieces
}

fn read_hand(lines: &[(usize, &str)], export: &mut Export) {
    let (line, first) = lines[0];
    let number = header::number(first);
    let read = Header::parse(line, first).and_then(|header| match header {
        Header::Other { number, game } => Ok(Err(OtherGame { number, game })),
        Header::Stud(stud) => body::read(&stud, line, &lines[1..]).map(Ok),
    });
    match read {
        Ok(Ok(record)) => export.hands.push(record),
        Ok(Err(other)) => export.others.push(other),
        Err(Fault { line, found, wanted }) => export.unread.push(Unread { number, line, found, wanted }),
    }
}
