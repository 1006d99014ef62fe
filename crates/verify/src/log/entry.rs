//! Log entries: six kinds of exact text; reading then printing gives the same bytes.

use std::fmt;

use crate::log::entry::lines::Lines;
use crate::log::entry::names::{is_holder, is_origin, is_reason, is_table};
use deckproof_deck::card::DECK_CARDS;
use deckproof_deck::commitment::digest::{Digest, parse_hex};
use deckproof_deck::text::named::named;
use deckproof_stud::stud::rules::RuleSet;
use deckproof_stud::stud::seat::{Seat, Seats};

mod lines;
#[doc(hidden)]
pub mod names;
#[doc(hidden)]
pub mod several;

/// An entry is at most this long, in bytes.
pub const ENTRY_BYTES_MAX: usize = 4096;

/// Every entry begins with this, and no other line does.
/// How each begins.
pub(crate) const VERSION: &str = "deckproof/v1 ";

named! {
    /// Where the order in play comes from.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub enum Mix {
        /// The secret order is the order in play.
        None = "none",
        /// A round of a public randomness beacon, and any seeds players give in the open.
        Beacon = "beacon",
        /// Seeds the players committed to.
        Players = "players",
    }
    /// `none`, `beacon` or `players`.
    pub fn name;
}

impl Mix {
    /// The mix of this name.
    pub fn named(name: &str) -> Option<Mix> {
        Mix::ALL.into_iter().find(|mix| mix.name() == name)
    }
}

/// A deck is committed to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DeckEntry {
    /// The log.
    pub origin: String,
    /// The table.
    pub table: String,
    /// Counts from 1 per table, without gaps.
    pub hand: u64,
    /// Where the order in play will come from.
    pub mix: Mix,
    /// The deck root.
    pub deck: Digest,
}

impl DeckEntry {
    /// Whether its name tells it from no hand of another day or program: what is dealt without a log, or for a trial, is of localhost.
    pub fn is_without_log(&self) -> bool {
        self.origin.starts_with("localhost/")
    }
}

/// A hand begins with a committed deck.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OpenEntry {
    /// Leaf hash of the deck entry.
    pub deck: Digest,
    /// What is dealt.
    pub rules: &'static RuleSet,
    /// How points are read that the rule text leaves open, ascending by name; to the protocol these are words.
    pub readings: Vec<(String, String)>,
    /// Who plays.
    pub seats: Seats,
    /// Seeds given in the open, ascending by seat.
    pub seeds: Vec<(Seat, Digest)>,
    /// Commitments to seeds, ascending by seat.
    pub commits: Vec<(Seat, Digest)>,
    /// Which beacon round will be used.
    pub beacon: Option<BeaconRound>,
}

/// A beacon round that is announced.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BeaconRound {
    /// The beacon network.
    pub chain: Digest,
    /// The round, from 1.
    pub round: u64,
}

/// The public randomness of a hand.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CutEntry {
    /// Leaf hash of the open entry.
    pub open: Digest,
    /// Revealed seeds, ascending by seat.
    pub seeds: Vec<(Seat, Digest)>,
    /// The beacon round's value.
    pub beacon: Option<BeaconValue>,
}

/// The value of a beacon round.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BeaconValue {
    /// The round, from 1.
    pub round: u64,
    /// Its randomness.
    pub randomness: Digest,
    /// The signature it is the hash of.
    pub signature: [u8; 48],
}

/// A hand has ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CloseEntry {
    /// Leaf hash of the open entry.
    pub open: Digest,
    /// Distinct positions in the transcript, 0..52.
    pub dealt: u8,
    /// Hash of the transcript.
    pub transcript: Digest,
    /// Hash of the hand history.
    pub history: Option<Digest>,
}

/// A deck will not be played, or not to its end.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct VoidEntry {
    /// Leaf hash of the deck entry.
    pub deck: Digest,
    /// One word.
    pub reason: String,
}

/// A hand that has ended was opened by the keys of two people together.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnsealEntry {
    /// The log.
    pub origin: String,
    /// The table.
    pub table: String,
    /// The hand.
    pub hand: u64,
    /// When, in POSIX seconds of the machine where they opened it.
    pub time: u64,
    /// Whose keys opened it, first that of the first share: public keys of age.
    pub holders: [String; 2],
    /// Why, in their words.
    pub reason: String,
}

/// Any entry of the log (PROTOCOL.md, section 6).
///
/// ```
/// use deckproof_verify::log::entry::Entry;
/// let text = format!("deckproof/v1 void\ndeck {}\nreason power-cut\n", "00".repeat(32));
/// assert_eq!(Entry::parse(&text)?.to_string(), text);
/// # Ok::<(), deckproof_verify::log::entry::EntryError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Entry {
    /// A deck is committed to.
    Deck(DeckEntry),
    /// A hand begins.
    Open(OpenEntry),
    /// The public randomness of a hand.
    Cut(CutEntry),
    /// A hand has ended.
    Close(CloseEntry),
    /// A deck will not be played.
    Void(VoidEntry),
    /// A hand that has ended was opened by two people.
    Unseal(UnsealEntry),
}

/// The kinds of entries.
const KINDS: [&str; 6] = ["deck", "open", "cut", "close", "void", "unseal"];

/// Why a text is no entry.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum EntryError {
    /// Another version (`E_ENTRY_VERSION`).
    #[error("line 1: found {found:?}, wanted a line that begins \"deckproof/v1 \"")]
    Version {
        /// The line, shortened.
        found: String,
    },
    /// An unknown kind, or one in the wrong place (`E_ENTRY_KIND`).
    #[error("line 1: found the kind {found:?}, wanted {wanted}")]
    Kind {
        /// The kind, shortened.
        found: String,
        /// What belongs here.
        wanted: &'static str,
    },
    /// A line that is not as it must be (`E_ENTRY`).
    #[error("line {line}: found {found:?}, wanted {wanted}")]
    Line {
        /// Which, from 1.
        line: usize,
        /// What is there, shortened.
        found: String,
        /// What belongs there.
        wanted: &'static str,
    },
    /// Too long (`E_ENTRY`).
    #[error("found {found} bytes, wanted at most {ENTRY_BYTES_MAX}")]
    TooLong {
        /// Its length in bytes.
        found: usize,
    },
}

impl Entry {
    /// Reads an entry of any kind.
    ///
    /// # Errors
    /// [`EntryError`]; a text that is accepted prints as the same bytes.
    pub fn parse(text: &str) -> Result<Entry, EntryError> {
        let kind = Entry::kind_of(text)?;
        if text.len() > ENTRY_BYTES_MAX {
            return Err(EntryError::TooLong { found: text.len() });
        }
        let mut lines = Lines::after_first(text)?;
        let entry = match kind {
            "deck" => Entry::Deck(read_deck(&mut lines)?),
            "open" => Entry::Open(read_open(&mut lines)?),
            "cut" => Entry::Cut(read_cut(&mut lines)?),
            "close" => Entry::Close(read_close(&mut lines)?),
            "unseal" => Entry::Unseal(read_unseal(&mut lines)?),
            _ => Entry::Void(read_void(&mut lines)?),
        };
        lines.end()?;
        Ok(entry)
    }

    /// What the first line says the entry is; nothing else is read.
    ///
    /// # Errors
    /// [`EntryError::Version`] or [`EntryError::Kind`].
    pub fn kind_of(text: &str) -> Result<&'static str, EntryError> {
        let first = text.split('\n').next().unwrap_or("");
        let kind = first
            .strip_prefix(VERSION)
            .ok_or_else(|| EntryError::Version { found: lines::shortened(first) })?;
        let wanted = "deck, open, cut, close, void or unseal";
        let known = KINDS.into_iter().find(|known| *known == kind);
        known.ok_or_else(|| EntryError::Kind { found: lines::shortened(kind), wanted })
    }

    /// `deck`, `open`, `cut`, `close`, `void` or `unseal`.
    pub fn kind(&self) -> &'static str {
        match self {
            Entry::Deck(_) => "deck",
            Entry::Open(_) => "open",
            Entry::Cut(_) => "cut",
            Entry::Close(_) => "close",
            Entry::Void(_) => "void",
            Entry::Unseal(_) => "unseal",
        }
    }

    /// The leaf hash of the earlier entry of its hand that it names, if it names one.
    pub fn before(&self) -> Option<Digest> {
        match self {
            Entry::Deck(_) | Entry::Unseal(_) => None,
            Entry::Open(open) => Some(open.deck),
            Entry::Cut(cut) => Some(cut.open),
            Entry::Close(close) => Some(close.open),
            Entry::Void(void) => Some(void.deck),
        }
    }
}

fn read_deck(lines: &mut Lines) -> Result<DeckEntry, EntryError> {
    Ok(DeckEntry {
        origin: read_origin(lines)?,
        table: read_table(lines)?,
        hand: read_hand(lines)?,
        mix: lines.field("mix", "none, beacon or players", Mix::named)?,
        deck: lines.digest("deck")?,
    })
}

fn read_origin(lines: &mut Lines) -> Result<String, EntryError> {
    let wanted = "an origin such as stud.example/log1";
    lines.field("origin", wanted, |text| is_origin(text).then(|| text.to_owned()))
}

fn read_table(lines: &mut Lines) -> Result<String, EntryError> {
    let wanted = "a table of 1 to 64 letters, digits, . _ -";
    lines.field("table", wanted, |text| is_table(text).then(|| text.to_owned()))
}

fn read_hand(lines: &mut Lines) -> Result<u64, EntryError> {
    lines.field("hand", "a hand number 1 to 2^53-1", lines::count)
}

fn read_open(lines: &mut Lines) -> Result<OpenEntry, EntryError> {
    let deck = lines.digest("deck")?;
    let rules = lines.field("rules", "stud-hi, stud-8b or espacejeux", RuleSet::named)?;
    let readings = lines.optional_field(
        "readings",
        "1 to 32 readings such as odd_chip=left_of_dealer, by commas, the names ascending",
        lines::readings,
    )?;
    let seats =
        lines.field("seats", "2 to 8 seats clockwise, such as 4,5,7,1,2", |text| Seats::parse(text).ok())?;
    let seeds = lines.seat_digests("seed", Some(&seats))?;
    let commits = lines.seat_digests("commit", Some(&seats))?;
    let beacon = lines.optional_field("beacon", "a chain and a round", |text| {
        let (chain, round) = text.split_once(' ')?;
        Some(BeaconRound { chain: Digest::from_hex(chain)?, round: lines::count(round)? })
    })?;
    let readings = readings.unwrap_or_default();
    Ok(OpenEntry { deck, rules, readings, seats, seeds, commits, beacon })
}

fn read_cut(lines: &mut Lines) -> Result<CutEntry, EntryError> {
    let open = lines.digest("open")?;
    let seeds = lines.seat_digests("seed", None)?;
    let beacon = lines.optional_field("beacon", "a round, its randomness and its signature", |text| {
        let (round, rest) = text.split_once(' ')?;
        let (randomness, signature) = rest.split_once(' ')?;
        Some(BeaconValue {
            round: lines::count(round)?,
            randomness: Digest::from_hex(randomness)?,
            signature: parse_hex(signature)?,
        })
    })?;
    Ok(CutEntry { open, seeds, beacon })
}

fn read_close(lines: &mut Lines) -> Result<CloseEntry, EntryError> {
    Ok(CloseEntry {
        open: lines.digest("open")?,
        dealt: lines.field("dealt", "a number of cards 0 to 52", |text| {
            (0..=DECK_CARDS as u8).find(|number| number.to_string() == text)
        })?,
        transcript: lines.digest("transcript")?,
        history: lines.optional_field("history", "64 lower-case hexadecimal digits", Digest::from_hex)?,
    })
}

fn read_void(lines: &mut Lines) -> Result<VoidEntry, EntryError> {
    Ok(VoidEntry {
        deck: lines.digest("deck")?,
        reason: lines.field("reason", "1 to 32 of a-z, 0-9 and -", |text| {
            let letters = |byte: u8| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-');
            ((1..=32).contains(&text.len()) && text.bytes().all(letters)).then(|| text.to_owned())
        })?,
    })
}

fn read_unseal(lines: &mut Lines) -> Result<UnsealEntry, EntryError> {
    let (origin, table, hand) = (read_origin(lines)?, read_table(lines)?, read_hand(lines)?);
    let time = lines.field("time", "POSIX seconds 1 to 2^53-1", lines::count)?;
    let first = lines.field("holder", "a public key of age, age1 and 58 letters or digits", |text| {
        is_holder(text).then(|| text.to_owned())
    })?;
    let second = lines.field("holder", "a second public key of age, another than the first", |text| {
        (is_holder(text) && text != first).then(|| text.to_owned())
    })?;
    let reason =
        lines.field("reason", "1 to 200 printable ASCII characters, no space at the ends", |text| {
            is_reason(text).then(|| text.to_owned())
        })?;
    Ok(UnsealEntry { origin, table, hand, time, holders: [first, second], reason })
}

impl fmt::Display for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{VERSION}{}", self.kind())?;
        match self {
            Entry::Deck(deck) => {
                writeln!(f, "origin {}\ntable {}\nhand {}", deck.origin, deck.table, deck.hand)?;
                writeln!(f, "mix {}\ndeck {}", deck.mix.name(), deck.deck)
            }
            Entry::Open(open) => {
                writeln!(f, "deck {}\nrules {}", open.deck, open.rules.name)?;
                write_readings(f, &open.readings)?;
                writeln!(f, "seats {}", open.seats)?;
                write_seat_lines(f, "seed", &open.seeds)?;
                write_seat_lines(f, "commit", &open.commits)?;
                match &open.beacon {
                    Some(beacon) => writeln!(f, "beacon {} {}", beacon.chain, beacon.round),
                    None => Ok(()),
                }
            }
            Entry::Cut(cut) => {
                writeln!(f, "open {}", cut.open)?;
                write_seat_lines(f, "seed", &cut.seeds)?;
                let Some(beacon) = &cut.beacon else { return Ok(()) };
                write!(f, "beacon {} {} ", beacon.round, beacon.randomness)?;
                beacon.signature.iter().try_for_each(|byte| write!(f, "{byte:02x}"))?;
                writeln!(f)
            }
            Entry::Close(close) => {
                writeln!(f, "open {}\ndealt {}\ntranscript {}", close.open, close.dealt, close.transcript)?;
                match &close.history {
                    Some(history) => writeln!(f, "history {history}"),
                    None => Ok(()),
                }
            }
            Entry::Void(void) => writeln!(f, "deck {}\nreason {}", void.deck, void.reason),
            Entry::Unseal(unseal) => {
                writeln!(f, "origin {}\ntable {}\nhand {}", unseal.origin, unseal.table, unseal.hand)?;
                writeln!(f, "time {}", unseal.time)?;
                unseal.holders.iter().try_for_each(|holder| writeln!(f, "holder {holder}"))?;
                writeln!(f, "reason {}", unseal.reason)
            }
        }
    }
}

fn write_readings(f: &mut fmt::Formatter<'_>, readings: &[(String, String)]) -> fmt::Result {
    let pairs: Vec<String> = readings.iter().map(|(name, value)| format!("{name}={value}")).collect();
    if pairs.is_empty() { Ok(()) } else { writeln!(f, "readings {}", pairs.join(",")) }
}

fn write_seat_lines(f: &mut fmt::Formatter<'_>, word: &str, lines: &[(Seat, Digest)]) -> fmt::Result {
    lines.iter().try_for_each(|(seat, digest)| writeln!(f, "{word} {seat} {digest}"))
}
