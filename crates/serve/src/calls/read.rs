//! Calls read from JSON: by the name of the call and the keys it has.

use deckproof_deck::card::{Card, DECK_CARDS};
use deckproof_deck::commitment::digest::{Digest, parse_hex};
use deckproof_deck::deck::Deck;
use deckproof_deck::json::Json;
use deckproof_deck::text::decimal::counted;
use deckproof_stud::stud::readings::{DEFAULTS, Reading};
use deckproof_stud::stud::rules::RuleSet;
use deckproof_stud::stud::seat::Seat;
use deckproof_table::table::link;
use deckproof_verify::log::entry::names::is_table;
use deckproof_verify::log::entry::{Entry, Mix, UnsealEntry};

use crate::calls::fault::{CallFault, CallFaultKind};
use crate::calls::fields::{Fields, found, found_word, number, schema, text};
use crate::calls::{Call, CallPlace, HandLook, LookKind, Move, MoveKind, Opening, SeatEvent};

/// The kinds of entries a hand may have.
const ENTRIES: [&str; 5] = ["deck", "open", "cut", "close", "void"];

/// Reads the body of a call whose name is known.
///
/// # Errors
/// [`CallFault`].
pub fn named(name: &str, body: &[u8]) -> Result<Call, CallFault> {
    Fields::read(body, |fields| call(name, fields))
}

/// Reads one line, in which `call` names the call.
///
/// # Errors
/// [`CallFault`].
pub fn line(line: &[u8]) -> Result<Call, CallFault> {
    Fields::read(line, |fields| {
        let name = fields.text("call")?;
        call(name, fields)
    })
}

/// Reads the keys of a call.
///
/// # Errors
/// [`CallFault`].
pub fn call(name: &str, fields: &mut Fields<'_>) -> Result<Call, CallFault> {
    Ok(match name {
        "status" => Call::Status { table: table(fields)? },
        "receipt" | "bundle" => {
            let (table, hand) = (table(fields)?, fields.count("hand")?);
            let kind = if name == "receipt" { receipt(fields)? } else { bundle(fields)? };
            Call::Look(HandLook { table, hand, kind })
        }
        "unseal" => Call::Unseal(Box::new(unseal(fields.text("entry")?)?)),
        name => Call::Move(Move { kind: kind(name, fields)?, place: place(fields)? }),
    })
}

fn table(fields: &mut Fields<'_>) -> Result<String, CallFault> {
    let table = fields.text("table")?;
    if is_table(table) {
        Ok(table.to_owned())
    } else {
        let wanted = "1 to 64 letters, digits, dots, underscores or hyphens";
        Err(schema(format!("\"table\": found {}, wanted {wanted}", found_word(table))))
    }
}

fn place(fields: &mut Fields<'_>) -> Result<CallPlace, CallFault> {
    Ok(CallPlace { table: table(fields)?, hand: fields.count("hand")?, step: fields.count("step")? })
}

fn kind(name: &str, fields: &mut Fields<'_>) -> Result<MoveKind, CallFault> {
    Ok(match name {
        "commit" => {
            MoveKind::Commit { mix: mix(fields)?, deck: fields.optional("deck").map(deck).transpose()? }
        }
        "open" => MoveKind::Open(opening(fields)?),
        "cut" => MoveKind::Cut {
            seeds: by_seat("seeds", fields.optional("seeds"))?,
            signature: fields.optional("signature").map(signature).transpose()?,
        },
        "street" => MoveKind::Street { live: seats("live", fields.needed("live")?)? },
        "event" => MoveKind::Event {
            seat: seat("seat", fields.needed("seat")?)?,
            what: event(fields.text("what")?)?,
            at: fields.number("at")?,
        },
        "close" => MoveKind::Close {
            shown_down: fields
                .optional("shown_down")
                .map_or(Ok(Vec::new()), |list| seats("shown_down", list))?,
            history: fields
                .optional("history")
                .map(|json| text("history", json))
                .transpose()?
                .map(str::to_owned),
        },
        "void" => MoveKind::Void { reason: reason(fields.text("reason")?)? },
        _ => return Err(CallFaultKind::Unknown.fault("there is no such call")),
    })
}

fn receipt(fields: &mut Fields<'_>) -> Result<LookKind, CallFault> {
    let entry = fields.text("entry")?;
    let known = ENTRIES.into_iter().find(|known| *known == entry);
    let wanted =
        || schema(format!("\"entry\": found {}, wanted one of {}", found_word(entry), ENTRIES.join(", ")));
    known.map(LookKind::Receipt).ok_or_else(wanted)
}

fn bundle(fields: &mut Fields<'_>) -> Result<LookKind, CallFault> {
    let of = fields.optional("seat").map(|json| seat("seat", json)).transpose()?;
    let full = fields.optional("full");
    let link = fields.optional("link").map(|json| address(text("link", json)?)).transpose()?;
    match (of, full) {
        (Some(_), None) => Ok(LookKind::Bundle { seat: of, link }),
        // A full reveal opens all 52 cards to whoever has the link.
        (None, Some(Json::Bool(true))) if link.is_some() => Err(schema("\"link\" goes with \"seat\" alone")),
        (None, Some(Json::Bool(true))) => Ok(LookKind::Bundle { seat: None, link: None }),
        (of, full) => {
            let full = full.map_or("nothing".to_owned(), found);
            let of = of.map_or("nothing".to_owned(), |seat| seat.to_string());
            let wanted = "either \"seat\", or \"full\": true";
            Err(schema(format!("\"seat\": found {of}, \"full\": found {full}, wanted {wanted}")))
        }
    }
}

fn unseal(text: &str) -> Result<UnsealEntry, CallFault> {
    match Entry::parse(text) {
        Ok(Entry::Unseal(unseal)) => Ok(unseal),
        _ => {
            let (found, wanted) = (found_word(text), "an unseal entry, as deckproof vault open writes it");
            Err(CallFaultKind::Unfit.fault(format!("\"entry\": found {found}, wanted {wanted}")))
        }
    }
}

fn address(text: &str) -> Result<String, CallFault> {
    link::address(text).map_err(|wanted| schema(format!("\"link\": found {}, {wanted}", found_word(text))))
}

fn mix(fields: &mut Fields<'_>) -> Result<Mix, CallFault> {
    let name = fields.text("mix")?;
    let wanted = || schema(format!("\"mix\": found {}, wanted none, players or beacon", found_word(name)));
    Mix::named(name).ok_or_else(wanted)
}

fn event(name: &str) -> Result<SeatEvent, CallFault> {
    let found = SeatEvent::ALL.into_iter().find(|event| event.name() == name);
    let wanted = "time-out, disconnected or returned";
    found.ok_or_else(|| schema(format!("\"what\": found {}, wanted {wanted}", found_word(name))))
}

/// The form is that of a void entry.
fn reason(text: &str) -> Result<String, CallFault> {
    let is_letter = |byte: u8| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-');
    if (1..=32).contains(&text.len()) && text.bytes().all(is_letter) {
        Ok(text.to_owned())
    } else {
        Err(schema(format!("\"reason\": found {}, wanted 1 to 32 of a-z, 0-9 and -", found_word(text))))
    }
}

/// 52 cards from the top. No card of them is repeated.
fn deck(json: &Json) -> Result<Deck, CallFault> {
    let wanted = |found: String| {
        schema(format!(
            "\"deck\": found {found}, wanted 52 different cards such as \"7h\", the top one first"
        ))
    };
    let Json::List(cards) = json else { return Err(wanted(found(json))) };
    let index = |(place, card): (usize, &Json)| {
        let of_text = |text: &str| text.parse().ok().filter(|card: &Card| card.to_string() == text);
        let card = card.text().and_then(of_text);
        card.map(Card::index).ok_or_else(|| wanted(format!("no card at place {}", place + 1)))
    };
    let indices = cards.iter().enumerate().map(index).collect::<Result<Vec<u8>, CallFault>>()?;
    if indices.len() != DECK_CARDS {
        return Err(wanted(counted(indices.len() as u64, "card", "cards")));
    }
    Deck::try_from(&indices[..]).map_err(|_| wanted("a card twice".to_owned()))
}

fn opening(fields: &mut Fields<'_>) -> Result<Opening, CallFault> {
    let name = fields.text("rules")?;
    let wanted =
        || schema(format!("\"rules\": found {}, wanted stud-hi, stud-8b or espacejeux", found_word(name)));
    let rules = RuleSet::named(name).ok_or_else(wanted)?;
    let readings = readings(rules, fields.optional("readings"))?;
    let seats = seats("seats", fields.needed("seats")?)?;
    let commits = by_seat("commits", fields.optional("commits"))?;
    let seeds = by_seat("seeds", fields.optional("seeds"))?;
    let round = fields.optional("round").map(|json| number("round", json)).transpose()?;
    if round == Some(0) {
        return Err(schema("\"round\": found 0, wanted a whole number from 1"));
    }
    Ok(Opening { rules, readings, seats, commits, seeds, round })
}

/// `{"odd_chip": "left_of_dealer", …}`, each of a point that the rules leave to the table.
fn readings(rules: &RuleSet, json: Option<&Json>) -> Result<Vec<(Reading, String)>, CallFault> {
    let Some(json) = json else { return Ok(Vec::new()) };
    // What a name means, and to which rules it belongs, no schema says.
    let wanted = |why: String| CallFaultKind::Unfit.fault(format!("\"readings\": {why}"));
    let pair = |(name, value): &(String, Json)| {
        let no_text = || schema(format!("\"readings\": found {}, wanted a text for each name", found(value)));
        let value = value.text().ok_or_else(no_text)?;
        let reading = Reading::named(name).map_err(|error| wanted(error.to_string()))?;
        DEFAULTS.with(reading, value).map_err(|error| wanted(error.to_string()))?;
        if rules.play.leaves_to_the_table(reading) {
            Ok((reading, value.to_owned()))
        } else {
            Err(wanted(format!("{} does not leave {name} to the table", rules.name)))
        }
    };
    Fields::of(json, "readings")?.pairs().iter().map(pair).collect()
}

fn seat(key: &str, json: &Json) -> Result<Seat, CallFault> {
    let number = number(key, json)?;
    let seat = u8::try_from(number).ok().and_then(Seat::new);
    seat.ok_or_else(|| schema(format!("{key:?}: found {number}, wanted a seat 1 to 8")))
}

fn seats(key: &str, json: &Json) -> Result<Vec<Seat>, CallFault> {
    let wanted = || schema(format!("{key:?}: found {}, wanted a list of seats", found(json)));
    let Json::List(list) = json else { return Err(wanted()) };
    let seats = list.iter().map(|json| seat(key, json)).collect::<Result<Vec<Seat>, CallFault>>()?;
    let twice = seats.iter().enumerate().find(|(place, seat)| seats[..*place].contains(seat));
    match twice {
        Some((_, seat)) => Err(schema(format!("{key:?}: found seat {seat} twice, wanted each seat once"))),
        None => Ok(seats),
    }
}

/// `{"4": HEX32, …}`, ascending by seat.
fn by_seat(key: &'static str, json: Option<&Json>) -> Result<Vec<(Seat, Digest)>, CallFault> {
    let Some(json) = json else { return Ok(Vec::new()) };
    let wanted = |found: String| {
        let wanted = "seats 1 to 8, each with 64 lower-case hexadecimal digits";
        schema(format!("{key:?}: found {found}, wanted {wanted}"))
    };
    let pair = |(seat, digest): &(String, Json)| {
        let number = Seat::parse(seat).ok_or_else(|| wanted(format!("the seat {}", found_word(seat))))?;
        let no_digest = || wanted(format!("{} at seat {number}", no_digits(digest)));
        Ok((number, digest.text().and_then(Digest::from_hex).ok_or_else(no_digest)?))
    };
    let mut pairs: Vec<(Seat, Digest)> =
        Fields::of(json, key)?.pairs().iter().map(pair).collect::<Result<_, CallFault>>()?;
    pairs.sort_by_key(|pair| pair.0);
    Ok(pairs)
}

fn signature(json: &Json) -> Result<[u8; 48], CallFault> {
    let bytes = json.text().and_then(parse_hex::<48>);
    let wanted = "96 lower-case hexadecimal digits";
    bytes.ok_or_else(|| schema(format!("\"signature\": found {}, wanted {wanted}", no_digits(json))))
}

/// What stands in the place of digits, which may be a secret: what it is, and whether a text is no such digits.
fn no_digits(json: &Json) -> String {
    let is_digit = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
    match json.text() {
        Some(text) if !text.bytes().all(is_digit) => format!("{}, not all of them such digits", found(json)),
        _ => found(json),
    }
}
