//! Cards as JSON objects: `{"rank": "A", "suit": "spades"}`, and the value that a dotted path names.

use std::borrow::Cow;

use crate::source::bytes::LINE_BYTES_MAX;
use crate::source::spelling::{Spelled, bad, words};
use crate::source::text::{BadField, Fields, Letters};
use deckproof_deck::card::Card;
use deckproof_deck::json::{Json, Limits};

/// A line is never longer, and no line of decks has more members.
const JSON_LIMITS: Limits = Limits { bytes_max: LINE_BYTES_MAX + 1, members_max: 256 };

/// What the rank and the suit of a card are called, in the order in which they are looked for.
const RANK_NAMES: [&str; 3] = ["rank", "value", "face"];
const SUIT_NAME: &str = "suit";

/// What the place of a card in its deck is called.
const PLACE_NAMES: [&str; 6] = ["position", "pos", "place", "order", "seq", "slot"];

/// Deeper than any export nests its records.
const PATH_DEPTH_MAX: usize = 8;

/// A line as a JSON value.
pub(in crate::source) fn json(line: &[u8]) -> Option<Json> {
    Json::parse(line.trim_ascii(), JSON_LIMITS).ok()
}

/// A card as an object. Ranks are words, letters or 2 to 14; where a rank of 1 would be, somebody's numbers begin
/// elsewhere, and which rank they mean is not guessed.
pub(in crate::source) fn card(object: &Json) -> Option<Card> {
    let rank = match named_rank(object)? {
        Json::Text(text) => words::rank(text).or_else(|| numbered_rank(text)),
        Json::Number(number) => numbered_rank(number),
        _ => None,
    };
    Card::new(rank?, words::suit(named(object, SUIT_NAME)?.text()?)?)
}

/// The only member of that name, in letters of either case.
fn named<'a>(object: &'a Json, name: &str) -> Option<&'a Json> {
    let Json::Object(members) = object else { return None };
    let mut found = members.iter().filter(|(own, _)| own.eq_ignore_ascii_case(name));
    found.next().filter(|_| found.next().is_none()).map(|(_, value)| value)
}

fn named_rank(object: &Json) -> Option<&Json> {
    RANK_NAMES.iter().find_map(|name| named(object, name))
}

/// The first rank of cards that are objects which is 0 or 1.
pub(in crate::source) fn foreign_rank(cards: &Json) -> Option<String> {
    let Json::List(cards) = cards else { return None };
    cards.iter().filter(|card| named(card, SUIT_NAME).is_some()).find_map(|card| match named_rank(card)? {
        Json::Text(rank) | Json::Number(rank) if ["0", "1"].contains(&rank.as_str()) => Some(rank.clone()),
        _ => None,
    })
}

/// The rank of a number, where 11, 12, 13 and 14 are jack, queen, king and ace.
fn numbered_rank(number: &str) -> Option<u8> {
    let canonical = number.bytes().all(|byte| byte.is_ascii_digit()) && !number.starts_with('0');
    number.parse::<u8>().ok().filter(|rank| canonical && (2..=14).contains(rank)).map(|rank| rank - 2)
}

/// Cards in a list of objects, as text; nothing where the list says itself that it is in another order.
pub(in crate::source) fn list_text(cards: &[Json]) -> Option<String> {
    let is_in_order = PLACE_NAMES.iter().all(|name| {
        let places: Vec<&Json> = cards.iter().filter_map(|card| card.member(name)).collect();
        places.is_empty()
            || places.len() == cards.len() && places.windows(2).all(|pair| is_next(pair[0], pair[1]))
    });
    let texts = cards.iter().map(|object| card(object).map(|card| card.to_string()));
    is_in_order.then(|| texts.collect::<Option<Vec<_>>>()).flatten().map(|cards| cards.join(" "))
}

fn is_next(one: &Json, other: &Json) -> bool {
    let number = |value: &Json| match value {
        Json::Number(text) | Json::Text(text) => text.parse::<u64>().ok(),
        _ => None,
    };
    number(one).zip(number(other)).is_some_and(|(one, other)| one.checked_add(1) == Some(other))
}

/// Reads all of a text as a list of such objects.
pub(super) fn spell(text: &str, letters: &Letters) -> Result<Spelled, BadField> {
    if text.trim().is_empty() {
        return Ok(Spelled { fields: Fields::none(), are_cards: true });
    }
    match json(text.as_bytes()) {
        Some(Json::List(cards)) => {
            let wrong = || {
                let place = cards.iter().position(|object| card(object).is_none()).unwrap_or(0);
                bad(place, "no card")
            };
            super::spell(&list_text(&cards).ok_or_else(wrong)?, letters)
        }
        _ => Err(bad(0, text)),
    }
}

/// The value that a member's name or a dotted path names; a string on the way that holds JSON is looked into.
pub(in crate::source) fn at<'a>(value: &'a Json, path: &str) -> Option<Cow<'a, Json>> {
    if let Some(found) = value.member(path) {
        return Some(Cow::Borrowed(found));
    }
    let (first, rest) = path.split_once('.')?;
    match opened(value.member(first)?) {
        Cow::Borrowed(inner) => at(inner, rest),
        Cow::Owned(inner) => at(&inner, rest).map(|found| Cow::Owned(found.into_owned())),
    }
}

/// Every path below this value that leads to a string or to a list.
pub(in crate::source) fn paths(value: &Json) -> Vec<String> {
    let mut found = Vec::new();
    push_paths(value, "", 0, &mut found);
    found
}

fn push_paths(value: &Json, before: &str, depth: usize, found: &mut Vec<String>) {
    let Json::Object(members) = value else { return };
    for (name, member) in members {
        let path = format!("{before}{name}");
        match &*opened(member) {
            object @ Json::Object(_) if depth < PATH_DEPTH_MAX => {
                push_paths(object, &format!("{path}."), depth + 1, found)
            }
            Json::Text(_) | Json::List(_) if !found.contains(&path) => found.push(path),
            _ => {}
        }
    }
}

/// What is in an object beside the members of these paths, path by path.
pub(in crate::source) fn beside(value: &Json, deck: &[String]) -> Vec<String> {
    let mut found = Vec::new();
    push_beside(value, "", deck, &mut found);
    found
}

fn push_beside(value: &Json, path: &str, deck: &[String], found: &mut Vec<String>) {
    match &*opened(value) {
        _ if deck.iter().any(|own| own == path) => {}
        Json::Object(members) => members.iter().for_each(|(name, member)| {
            let path = if path.is_empty() { name.clone() } else { format!("{path}.{name}") };
            push_beside(member, &path, deck, found);
        }),
        Json::Null => {}
        other => found.push(format!("{path} {other:?}")),
    }
}

/// A string that holds an object of JSON as that object; every other value as it is.
fn opened(value: &Json) -> Cow<'_, Json> {
    let inner = value.text().filter(|text| text.trim_start().starts_with('{'));
    inner.and_then(|text| json(text.as_bytes())).map_or(Cow::Borrowed(value), Cow::Owned)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::spelling::{Spelling, tests::read};

    #[test]
    fn objects_name_cards_by_rank_and_suit() {
        for text in [
            r#"[{"rank":"A","suit":"spades"},{"rank":"10","suit":"h"}]"#,
            r#"[{"suit":"SPADES","rank":"ACE","value":11},{"suit":"HEARTS","rank":"TEN","value":10}]"#,
            r#"[{"code":"AS","value":"ACE","suit":"SPADES"},{"code":"0H","value":"10","suit":"HEARTS"}]"#,
            r#"[{"Rank":14,"Suit":"♠"},{"Rank":10,"Suit":"♥"}]"#,
            r#"[{"position":1,"rank":"A","suit":"S"},{"position":2,"rank":"T","suit":"H"}]"#,
        ] {
            assert_eq!(read(Spelling::Objects, text), Ok(vec![51, 34]), "{text}");
        }
        for text in [
            r#"[{"rank":1,"suit":"spades"}]"#,
            r#"[{"rank":0,"suit":"spades"}]"#,
            r#"[{"rank":15,"suit":"spades"}]"#,
            r#"[{"rank":"A","suit":3}]"#,
            r#"[{"rank":"A"}]"#,
            r#"[{"rank":"A","suit":"spades","Suit":"hearts"}]"#,
            r#"[{"position":2,"rank":"A","suit":"S"},{"position":1,"rank":"T","suit":"H"}]"#,
            r#"[{"position":2,"rank":"A","suit":"S"},{"rank":"T","suit":"H"}]"#,
        ] {
            assert!(read(Spelling::Objects, text).is_err(), "{text}");
        }
    }

    #[test]
    fn paths_lead_into_objects_and_into_strings_that_hold_them() {
        let value =
            json(br#"{"a.b":"x","a":{"b":"y","c":[1]},"payload":"{\"hand\":{\"deck\":\"z\"}}","n":7}"#)
                .expect("JSON");
        let text = |path: &str| at(&value, path).and_then(|value| value.text().map(str::to_owned));
        assert_eq!(text("a.b").as_deref(), Some("x"));
        assert_eq!(text("payload.hand.deck").as_deref(), Some("z"));
        assert_eq!((text("a.d"), text("payload.x.deck"), text("n.x")), (None, None, None));
        assert_eq!(paths(&value), ["a.b", "a.c", "payload.hand.deck"]);
    }
}
