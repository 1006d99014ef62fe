//! What a test lab collects for its own tests: decks (final outcomes), and the words and bits behind them (raw output).
//!
//! The generator is the one the decks are really drawn with: the words are those that the shuffles of the audit path
//! read, deck after deck, rejected ones included, and [`Pair`] shows each deck beside its words, so that the scaling
//! from words to cards (PROTOCOL.md, section 3) can be checked by hand.

pub mod written;

use std::io::{self, Write};

use deckproof_deck::commitment::SecretDeck;
use deckproof_deck::deck::Deck;
use deckproof_deck::key::{AuditKey, HandContext};
use deckproof_deck::shuffle::shuffle_hand_reading;

/// How a deck is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DeckForm {
    /// 52 numbers 0 to 51 a line.
    Indices,
    /// 52 numbers 1 to 52 a line.
    Numbers,
    /// 52 cards such as `As Kd` a line.
    Cards,
    /// 52 bytes 0 to 51 a deck, without a separator.
    Bytes,
}

/// How a word is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WordForm {
    /// Four bytes, the least significant first.
    Bytes,
    /// A decimal number a line.
    Decimal,
    /// Eight hexadecimal digits a line.
    Hexadecimal,
}

/// How bits are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BitForm {
    /// Characters `0` and `1` without a separator, as the test suite of NIST SP 800-22 reads them.
    Characters,
    /// Eight bits a byte, the first bit the most significant.
    Bytes,
}

/// A deck and the words that made it.
pub struct Pair {
    /// Which deck of the key, from 0.
    pub number: u64,
    /// The words that its shuffle read, in order.
    pub words: Vec<u32>,
    /// The deck.
    pub deck: Deck,
}

/// First line of the table of pairs.
pub const PAIRS_HEADER: &str = "deck_number,words,deck";

/// The decks of an audit key with their words, from deck 0 on.
pub fn pairs(key: &AuditKey) -> impl Iterator<Item = Pair> + '_ {
    (0..).map(|number| {
        let (deck, words) = shuffle_hand_reading(&key.hand_key(number));
        Pair { number, words, deck }
    })
}

/// The words that the shuffles of an audit key read, deck after deck.
pub fn words(key: &AuditKey) -> impl Iterator<Item = u32> + '_ {
    pairs(key).flat_map(|pair| pair.words)
}

/// The bytes of the words, the least significant byte of each first.
pub fn bytes(key: &AuditKey) -> impl Iterator<Item = u8> + '_ {
    words(key).flat_map(u32::to_le_bytes)
}

/// Writes one deck.
///
/// # Errors
/// The writer's.
pub fn write_deck(out: &mut impl Write, deck: &Deck, form: DeckForm) -> io::Result<()> {
    match form {
        DeckForm::Indices => write_numbers(out, deck, 0),
        DeckForm::Numbers => write_numbers(out, deck, 1),
        DeckForm::Cards => {
            write_line(out, deck.cards().map(|card| card.to_string()))?;
            out.write_all(b"\n")
        }
        DeckForm::Bytes => out.write_all(deck.indices()),
    }
}

fn write_numbers(out: &mut impl Write, deck: &Deck, first: u8) -> io::Result<()> {
    write_line(out, deck.indices().iter().map(|index| index + first))?;
    out.write_all(b"\n")
}

/// Writes values with blanks between them.
fn write_line<T: std::fmt::Display>(out: &mut impl Write, values: impl Iterator<Item = T>) -> io::Result<()> {
    for (i, value) in values.enumerate() {
        let gap = if i == 0 { "" } else { " " };
        write!(out, "{gap}{value}")?;
    }
    Ok(())
}

/// Writes one word.
///
/// # Errors
/// The writer's.
pub fn write_word(out: &mut impl Write, word: u32, form: WordForm) -> io::Result<()> {
    match form {
        WordForm::Bytes => out.write_all(&word.to_le_bytes()),
        WordForm::Decimal => writeln!(out, "{word}"),
        WordForm::Hexadecimal => writeln!(out, "{word:08x}"),
    }
}

/// Writes the first `count` bits of a key's bytes: of each byte the most significant first. A last byte that is not full ends in zeros.
///
/// # Errors
/// The writer's.
pub fn write_bits(out: &mut impl Write, key: &AuditKey, count: u64, form: BitForm) -> io::Result<()> {
    let mut left = count;
    for byte in bytes(key) {
        let here = left.min(8) as u32;
        if here == 0 {
            break;
        }
        match form {
            BitForm::Bytes => out.write_all(&[byte & !(0xff_u32 >> here) as u8])?,
            BitForm::Characters => {
                let text = format!("{byte:08b}");
                out.write_all(&text.as_bytes()[..here as usize])?;
            }
        }
        left -= u64::from(here);
    }
    Ok(())
}

/// Writes a deck beside its words, as a row under [`PAIRS_HEADER`].
///
/// # Errors
/// The writer's.
pub fn write_pair(out: &mut impl Write, pair: &Pair) -> io::Result<()> {
    write!(out, "{},", pair.number)?;
    write_line(out, pair.words.iter())?;
    out.write_all(b",")?;
    write_numbers(out, &pair.deck, 0)
}

/// First line of the table of commitments.
pub const COMMITMENTS_HEADER: &str = "hand,deck,deck_root";

/// Writes deck `hand` of an audit key and its deck root, as a row under [`COMMITMENTS_HEADER`]. The root is that of hand
/// `hand` of table `stream` of the log `audit`, mix `none` (PROTOCOL.md, section 5).
///
/// # Errors
/// The writer's.
pub fn write_commitment(out: &mut impl Write, key: &AuditKey, hand: u64) -> io::Result<()> {
    let secret = SecretDeck::new(&key.hand_key(hand), &HandContext::new("audit", "stream", hand, "none"));
    write!(out, "{hand},")?;
    write_line(out, secret.deck().cards().map(|card| card.to_string()))?;
    writeln!(out, ",{}", secret.root())
}
