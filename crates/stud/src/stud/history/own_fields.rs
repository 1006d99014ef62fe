//! Our fields `_pots`, `_dealer` and `_bundle` of a Poker Hand History: written, and checked.
//!
//! ```text
//! _pots   = [{ amount = 660, players = [1, 3], high = [[1, 330]], low = [[3, 330]] }]
//! _dealer = 6
//! _bundle = "<leaf hash of the open entry, 64 lower-case hexadecimal digits>"
//! ```
//! `_pots` lists main pot first, who contests each (p1 is 1), and who gets what for the best `high` or `low`
//! hand, or `uncontested`. `_dealer` is a seat: p1 sits nearest its left. `_bundle` names the open entry that
//! all reveal bundles of the hand hold; the bundle itself cannot be named, since it holds the history.

use toml::{Table, Value};

use crate::stud::betting::Game;
use crate::stud::betting::winners::{Award, PotPart, PotResult};
use crate::stud::history::History;
use crate::stud::history::line;
use crate::stud::history::number::{self, Decimal};
use crate::stud::seat::Seat;

/// What was found in a field, and what was wanted.
pub type Wrong = (String, String);

/// Seats of a table, which the dealer's left is counted round.
const SEATS: u8 = 8;

/// The pots as the field holds them.
pub fn pots(pots: &[PotResult], decimals: u32) -> Value {
    Value::Array(pots.iter().map(|pot| Value::Table(one_pot(pot, decimals))).collect())
}

fn one_pot(pot: &PotResult, decimals: u32) -> Table {
    let players = pot.pot.eligible.iter().map(|&player| player_number(player));
    let mut table = Table::new();
    table.insert("amount".to_owned(), amount(pot.pot.amount, decimals));
    table.insert("players".to_owned(), Value::Array(players.collect()));
    for award in &pot.awards {
        table.insert(part_name(award).to_owned(), shares(award, decimals));
    }
    table
}

fn part_name(award: &Award) -> &'static str {
    match award.part {
        PotPart::Uncontested => "uncontested",
        PotPart::High => "high",
        PotPart::Low => "low",
    }
}

fn shares(award: &Award, decimals: u32) -> Value {
    let share =
        |&(player, chips): &(usize, u64)| Value::Array(vec![player_number(player), amount(chips, decimals)]);
    Value::Array(award.shares.iter().map(share).collect())
}

fn player_number(player: usize) -> Value {
    Value::Integer(player as i64 + 1)
}

fn amount(chips: u64, decimals: u32) -> Value {
    let text = number::text(chips, decimals);
    let whole = text.parse().map(Value::Integer).ok();
    whole.or_else(|| text.parse().map(Value::Float).ok()).unwrap_or(Value::String(text))
}

/// Pots that are not those of the hand.
pub fn wrong_pots(history: &History, played: &[PotResult]) -> Option<Wrong> {
    let found = history.fields.get("_pots")?;
    let wanted = pots(played, history.decimals);
    let is_same = is_same(found, &wanted, history.decimals);
    (!is_same).then(|| (format!("_pots is {found}"), wanted.to_string()))
}

/// Equal but for the order of keys and the way amounts are written.
fn is_same(a: &Value, b: &Value, decimals: u32) -> bool {
    match (a, b) {
        (Value::Array(a), Value::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| is_same(a, b, decimals))
        }
        (Value::Table(a), Value::Table(b)) => {
            let in_other = |(key, value): (&String, &Value)| {
                b.get(key).is_some_and(|other| is_same(value, other, decimals))
            };
            a.len() == b.len() && a.iter().all(in_other)
        }
        _ => scaled(a, decimals).is_some() && scaled(a, decimals) == scaled(b, decimals),
    }
}

fn scaled(value: &Value, decimals: u32) -> Option<u64> {
    match value {
        Value::Integer(_) | Value::Float(_) => Decimal::parse(&value.to_string())?.scaled(decimals),
        _ => None,
    }
}

/// Burned cards that are not as many as the text burns, or that are in play.
pub fn wrong_burns(history: &History, game: &Game) -> Option<Wrong> {
    let texts = history.field("_burns")?;
    let (wanted, may_return) = game.burns();
    if texts.len() != wanted {
        return Some((format!("_burns names {} cards", texts.len()), format!("{wanted} burned cards")));
    }
    let mut burned = Vec::new();
    for text in &texts {
        let card = match line::cards(text).as_deref() {
            Ok(&[card]) => card,
            _ => {
                return Some((
                    format!("_burns names {text:?}"),
                    "a card, or ?? for an unknown one".to_owned(),
                ));
            }
        };
        let Some(card) = card else { continue };
        let is_in_play = game.cards_dealt().any(|(place, dealt)| {
            // After a reshuffle a burned card may be dealt on seventh street.
            dealt == card && !(may_return && place >= SEVENTH_PLACE)
        });
        if is_in_play || burned.contains(&card) {
            return Some((format!("_burns names {card}"), "a card that is nowhere else".to_owned()));
        }
        burned.push(card);
    }
    None
}

/// The place of the seventh-street card in a hand.
const SEVENTH_PLACE: usize = 6;

/// A dealer whose left is not p1.
pub fn wrong_dealer(history: &History) -> Option<Wrong> {
    let field = history.field("_dealer")?.concat();
    let Some(dealer) = Seat::parse(&field) else {
        return Some((format!("_dealer is {field}"), "a seat 1 to 8".to_owned()));
    };
    let named = history.field("seats").unwrap_or_default();
    let seats: Option<Vec<u8>> = named.iter().map(|seat| Some(Seat::parse(seat)?.number())).collect();
    // The seat left of the dealer is 0, the dealer itself 7.
    let from_dealer = |seat: &u8| (seat + 2 * SEATS - dealer.number() - 1) % SEATS;
    let places: Vec<u8> = seats.unwrap_or_default().iter().map(from_dealer).collect();
    let is_clockwise = places.windows(2).all(|pair| pair[0] < pair[1]);
    (!is_clockwise).then(|| {
        let found = format!("_dealer is {field} with the seats {}", named.join(","));
        (found, "a dealer whose left p1 is, the others following clockwise".to_owned())
    })
}

/// A bundle that no bundle can be named by.
pub fn wrong_bundle(history: &History) -> Option<Wrong> {
    let found = history.field("_bundle")?.concat();
    let is_hash = found.len() == 64 && found.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
    (!is_hash).then(|| {
        let wanted = "the leaf hash of the open entry, 64 lower-case hexadecimal digits";
        (format!("_bundle is {found:?}"), wanted.to_owned())
    })
}
