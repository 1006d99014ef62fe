//! The deal transcript: what was dealt to whom, without card faces, written and checked.

use crate::stud::deal::{DealError, DealOrder, DealtCard, Face, Street, is_short, reshuffled_pool};
use crate::stud::rules::{RuleSet, Shortage};
use crate::stud::seat::{Seat, Seats};
use deckproof_deck::card::DECK_CARDS;

/// The first line of each.
pub const FIRST_LINE: &str = "deckproof/v1 transcript";

/// Why a transcript is refused. Lines count from 1; the first line is the format's name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TranscriptError {
    /// The text is not a transcript (`E_TRANSCRIPT`).
    #[error("transcript line {line}: found {found:?}, wanted {wanted}")]
    Grammar {
        /// Where.
        line: usize,
        /// What is there, shortened.
        found: String,
        /// What the format asks for.
        wanted: &'static str,
    },
    /// A position that is not the next one (`E_DEAL_SKIP`).
    #[error("transcript line {line}: found position {found}, wanted {}", wanted_position(.wanted))]
    Skip {
        /// Where.
        line: usize,
        /// The position there.
        found: u8,
        /// The next position; `None` when the deck has no more.
        wanted: Option<u8>,
    },
    /// The right position for the wrong seat, street or face (`E_DEAL_ORDER`).
    #[error("transcript line {line}: found {found:?}, wanted {wanted:?}")]
    Order {
        /// Where.
        line: usize,
        /// What is there; empty at the end.
        found: String,
        /// What the rules ask for; empty for the end.
        wanted: String,
    },
    /// A street that no rule set deals like this (`E_DEAL_ORDER`).
    #[error("transcript line {line}: {error}")]
    Street {
        /// Where the street begins.
        line: usize,
        /// What is wrong with it.
        error: DealError,
    },
}

fn wanted_position(position: &Option<u8>) -> String {
    position.map_or_else(|| "no more cards".to_owned(), |position| position.to_string())
}

/// The text of a transcript.
pub fn print(cards: &[DealtCard]) -> String {
    let mut text = format!("{FIRST_LINE}\n");
    for card in cards {
        text.push_str(&print_card(card));
        text.push('\n');
    }
    text
}

fn print_card(card: &DealtCard) -> String {
    let seat = card.seat.map_or(0, Seat::number);
    format!("{} {seat} {} {}", card.position, card.street.number(), card.face.letter())
}

/// Reads a transcript; only the grammar and the ranges are checked.
///
/// # Errors
/// [`TranscriptError::Grammar`].
pub fn parse(text: &str) -> Result<Vec<DealtCard>, TranscriptError> {
    let grammar = |line: usize, found: &str, wanted| TranscriptError::Grammar {
        line,
        found: found.chars().take(40).collect(),
        wanted,
    };
    let Some(body) = text.strip_suffix('\n') else {
        let last = text.split('\n').count();
        return Err(grammar(
            last,
            text.rsplit('\n').next().unwrap_or(""),
            "a line that ends with a line feed",
        ));
    };
    let mut lines = body.split('\n');
    let first = lines.next().unwrap_or("");
    if first != FIRST_LINE {
        return Err(grammar(1, first, FIRST_LINE));
    }
    let numbered = lines.enumerate();
    numbered
        .map(|(i, line)| {
            parse_card(line).ok_or_else(|| {
                grammar(i + 2, line, "position 0-51, seat 1-8 (0 for b and c), street 3-7, face d, u, c or b")
            })
        })
        .collect()
}

fn parse_card(line: &str) -> Option<DealtCard> {
    let mut fields = line.split(' ');
    let (position, seat, street, face) = (fields.next()?, fields.next()?, fields.next()?, fields.next()?);
    if fields.next().is_some() {
        return None;
    }
    let position = (0..DECK_CARDS as u8).find(|number| number.to_string() == position)?;
    let street = Street::ALL.into_iter().find(|number| number.number().to_string() == street)?;
    let face = [Face::Down, Face::Up, Face::Community, Face::Burn]
        .into_iter()
        .find(|known| face.chars().eq([known.letter()]))?;
    let seat = match face {
        Face::Down | Face::Up => Some(Seat::parse(seat)?),
        Face::Community | Face::Burn if seat == "0" => None,
        Face::Community | Face::Burn => return None,
    };
    Some(DealtCard { position, seat, street, face })
}

/// Checks that a rule set deals like this: first the positions of the whole transcript, then seats,
/// streets and faces (PROTOCOL.md, section 8).
///
/// # Errors
/// [`TranscriptError::Skip`], [`TranscriptError::Order`] or [`TranscriptError::Street`].
pub fn check(
    rules: &'static RuleSet,
    seats: &Seats,
    reshuffle_seed: &[u8; 32],
    cards: &[DealtCard],
) -> Result<(), TranscriptError> {
    check_positions(rules, reshuffle_seed, cards)?;
    check_order(DealOrder::new(rules, seats, reshuffle_seed), seats, cards)
}

fn check_positions(rules: &RuleSet, seed: &[u8; 32], cards: &[DealtCard]) -> Result<(), TranscriptError> {
    let wanted = wanted_positions(rules, seed, cards);
    for (i, card) in cards.iter().enumerate() {
        let wanted = wanted.get(i).copied();
        if wanted != Some(card.position) {
            return Err(TranscriptError::Skip { line: i + 2, found: card.position, wanted });
        }
    }
    Ok(())
}

/// The positions in the order in which they must leave the deck: rising, except after a reshuffle.
fn wanted_positions(rules: &RuleSet, seed: &[u8; 32], cards: &[DealtCard]) -> Vec<u8> {
    let before = cards.iter().position(|card| card.street == Street::Seventh).unwrap_or(cards.len());
    let (earlier, seventh) = cards.split_at(before);
    // A burn line says that the dealer did not reshuffle; whether the stub allowed it is a question of order.
    let may_reshuffle = rules.shortage == Shortage::Reshuffle
        && seventh.first().is_some_and(|card| card.face != Face::Burn)
        && before < DECK_CARDS;
    if !may_reshuffle || !is_short(rules, before, live_on_seventh(earlier, seventh)) {
        return (0..DECK_CARDS as u8).collect();
    }
    let burned: Vec<u8> =
        earlier.iter().filter(|card| card.face == Face::Burn).map(|card| card.position).collect();
    let mut wanted: Vec<u8> = (0..before as u8).collect();
    wanted.extend(reshuffled_pool(&burned, before as u8, seed));
    wanted
}

/// The seats still in: one for each line of seventh street, or all of sixth street for a community card.
fn live_on_seventh(earlier: &[DealtCard], seventh: &[DealtCard]) -> usize {
    if seventh.iter().any(|card| card.face == Face::Community) {
        seats_served(earlier, Street::Sixth).len()
    } else {
        seventh.len()
    }
}

fn seats_served(cards: &[DealtCard], street: Street) -> Vec<Seat> {
    cards.iter().filter(|card| card.street == street).filter_map(|card| card.seat).collect()
}

fn check_order(mut order: DealOrder, seats: &Seats, cards: &[DealtCard]) -> Result<(), TranscriptError> {
    let mut live = seats.in_order().to_vec();
    let mut done = 0;
    for street in Street::ALL {
        let rest = &cards[done..];
        if rest.is_empty() {
            break;
        }
        let length = rest.iter().position(|card| card.street != street).unwrap_or(rest.len());
        let found = &rest[..length];
        let is_shared = found.iter().any(|card| card.face == Face::Community);
        if street != Street::Third && !(street == Street::Seventh && is_shared) && length > 0 {
            live = seats_served(found, street);
        }
        let wanted =
            order.deal_street(&live).map_err(|error| TranscriptError::Street { line: done + 2, error })?;
        compare(found, &wanted, rest, done + 2)?;
        done += length;
    }
    match cards.get(done) {
        None => Ok(()),
        Some(card) => {
            Err(TranscriptError::Order { line: done + 2, found: print_card(card), wanted: String::new() })
        }
    }
}

/// Compares a street line by line; `rest` names what is where the street should have gone on.
fn compare(
    found: &[DealtCard],
    wanted: &[DealtCard],
    rest: &[DealtCard],
    first_line: usize,
) -> Result<(), TranscriptError> {
    let same = found.iter().zip(wanted).take_while(|(found, wanted)| found == wanted).count();
    if same == found.len() && same == wanted.len() {
        return Ok(());
    }
    let text = |cards: &[DealtCard]| cards.get(same).map(print_card).unwrap_or_default();
    Err(TranscriptError::Order { line: first_line + same, found: text(rest), wanted: text(wanted) })
}
