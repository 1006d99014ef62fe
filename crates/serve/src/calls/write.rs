//! A call as JSON again: what the journal keeps. It may hold a deck or seeds.

use std::fmt::Display;

use serde_json::{Map, Value, json};

use crate::calls::{Move, MoveKind, Opening};
use deckproof_deck::commitment::digest::Digest;
use deckproof_stud::stud::seat::Seat;

/// The call with its name; reading gives the same call.
pub fn call(step: &Move) -> Value {
    let mut members = Map::from_iter([("call".to_owned(), json!(step.kind.name()))]);
    members.extend(step.place.json());
    let mut put = |key: &str, value: Value| drop(members.insert(key.to_owned(), value));
    match &step.kind {
        MoveKind::Commit { mix, deck } => {
            put("mix", json!(mix.name()));
            if let Some(deck) = deck {
                put("deck", json!(texts(deck.cards())));
            }
        }
        MoveKind::Open(opening) => open(opening, &mut put),
        MoveKind::Cut { seeds, signature } => {
            put("seeds", by_seat(seeds));
            if let Some(signature) = signature {
                put(
                    "signature",
                    json!(signature.iter().map(|byte| format!("{byte:02x}")).collect::<String>()),
                );
            }
        }
        MoveKind::Street { live } => put("live", numbers(live)),
        MoveKind::Event { seat, what, at } => {
            put("seat", json!(seat.number()));
            put("what", json!(what.name()));
            put("at", json!(at));
        }
        MoveKind::Close { shown_down, history } => {
            put("shown_down", numbers(shown_down));
            if let Some(history) = history {
                put("history", json!(history));
            }
        }
        MoveKind::Void { reason } => put("reason", json!(reason)),
    }
    Value::Object(members)
}

fn open(opening: &Opening, put: &mut impl FnMut(&str, Value)) {
    put("rules", json!(opening.rules.name));
    if !opening.readings.is_empty() {
        let pairs = opening.readings.iter().map(|(reading, value)| (reading.name().to_owned(), json!(value)));
        put("readings", Value::Object(pairs.collect()));
    }
    put("seats", numbers(&opening.seats));
    put("commits", by_seat(&opening.commits));
    put("seeds", by_seat(&opening.seeds));
    if let Some(round) = opening.round {
        put("round", json!(round));
    }
}

fn texts<T: Display>(values: impl Iterator<Item = T>) -> Vec<String> {
    values.map(|value| value.to_string()).collect()
}

fn numbers(seats: &[Seat]) -> Value {
    json!(seats.iter().map(|seat| seat.number()).collect::<Vec<u8>>())
}

fn by_seat(pairs: &[(Seat, Digest)]) -> Value {
    let pairs = pairs.iter().map(|(seat, digest)| (seat.to_string(), json!(digest.to_string())));
    Value::Object(pairs.collect())
}
