//! What a call is answered: one JSON object on one line. The same hand and the same log give the same bytes.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};
use zeroize::Zeroizing;

use crate::calls::CallPlace;
use crate::calls::hand::Happened;
use deckproof_deck::card::Card;
use deckproof_stud::stud::deal::{DealtCard, Face};
use deckproof_verify::log::entry::UnsealEntry;

/// Where the log has an entry, and what proves it.
pub struct LoggedEntry {
    /// Its place, from 0.
    pub index: u64,
    /// The tlog-proof under the checkpoint with which it was published.
    pub receipt: String,
}

/// The answer to a call that moved a hand on.
pub fn moved(place: &CallPlace, happened: &Happened, logged: Option<&LoggedEntry>) -> Zeroizing<String> {
    let mut members = place.json();
    match happened {
        Happened::Entry { kind, text, transcript } => {
            put(&mut members, &format!("{kind}_entry"), json!(text));
            if let Some(transcript) = transcript {
                put(&mut members, "transcript", json!(transcript));
            }
            if let Some(LoggedEntry { index, receipt }) = logged {
                put(&mut members, "index", json!(index));
                put(&mut members, "receipt", json!(receipt));
            }
        }
        Happened::Cards(street, cards) => dealt(&mut members, *street, cards),
        Happened::Noted(number) => put(&mut members, "events", json!(number)),
    }
    Zeroizing::new(Value::Object(members).to_string())
}

/// The answer to an opening that is in the log now.
pub fn unsealed(unseal: &UnsealEntry, logged: &LoggedEntry) -> Zeroizing<String> {
    let LoggedEntry { index, receipt } = logged;
    let answer = json!({
        "table": unseal.table, "hand": unseal.hand, "index": index, "receipt": receipt,
    });
    Zeroizing::new(answer.to_string())
}

fn put(members: &mut Map<String, Value>, key: &str, value: Value) {
    members.insert(key.to_owned(), value);
}

/// Cards that all may see together; those of each seat apart, so that they can be handed on without being read; and of
/// burned cards the positions alone.
fn dealt(members: &mut Map<String, Value>, street: u8, cards: &[(DealtCard, Option<Card>)]) {
    let (mut public, mut burned): (Vec<Value>, Vec<u8>) = (Vec::new(), Vec::new());
    let mut own: BTreeMap<u8, Vec<Value>> = BTreeMap::new();
    for (line, card) in cards {
        let (position, seat) = (line.position, line.seat.map_or(0, |seat| seat.number()));
        let card = card.map(|card| card.to_string());
        match line.face {
            Face::Burn => burned.push(position),
            Face::Down => {
                own.entry(seat).or_default().push(json!({ "position": position, "card": card }));
            }
            Face::Up | Face::Community => {
                public.push(json!({ "position": position, "seat": seat, "card": card }));
            }
        }
    }
    put(members, "street", json!(street));
    put(members, "public", json!(public));
    let own = own.into_iter().map(|(seat, cards)| (seat.to_string(), json!(cards)));
    put(members, "own", Value::Object(own.collect()));
    put(members, "burned", json!(burned));
}
