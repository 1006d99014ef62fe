//! Step 1: the form of a bundle.

use crate::log::refusal::{Code, Refusal, is_unknown_version};
use crate::verify::OwnSeed;
use deckproof_deck::card::DECK_CARDS;
use deckproof_deck::commitment::Salt;
use deckproof_deck::commitment::digest::{Digest, parse_hex};
use deckproof_deck::json::{Json, Limits};
use deckproof_deck::key::HandKey;
use deckproof_deck::text::excerpt;
use deckproof_stud::stud::seat::Seat;

/// A bundle takes 12 kB, with proofs and history 30. An object of 52 seen cards is the largest in it.
const LIMITS: Limits = Limits { bytes_max: 1 << 20, members_max: 64 };

const FORMAT: &str = "deckproof/v1 reveal";

/// The kinds of entries a bundle may hold, in log order.
const KINDS: [&str; 5] = ["deck", "open", "cut", "close", "void"];

const CLOSE_FORM: [&str; 12] = [
    "format", "deck_entry", "open_entry", "cut_entry", "close_entry", "transcript", "history", "hand_key",
    "leaves", "seen", "my_seed", "proofs",
];
const VOID_FORM: [&str; 8] =
    ["format", "deck_entry", "open_entry", "cut_entry", "void_entry", "hand_key", "leaves", "proofs"];
const TEXTS: [&str; 9] = [
    "format", "deck_entry", "open_entry", "cut_entry", "close_entry", "void_entry", "transcript", "history",
    "hand_key",
];

/// A bundle whose form is right (PROTOCOL.md, section 11).
pub(super) struct Bundle {
    pub deck_entry: String,
    pub open_entry: String,
    pub cut_entry: Option<String>,
    pub end: End,
    pub secret: Secret,
    pub seen: Vec<(u8, String)>,
    pub my_seed: Option<OwnSeed>,
    /// The log proofs as they stand there, by kind of entry, in log order.
    pub proofs: Vec<(&'static str, String)>,
}

/// How the hand ended.
pub(super) enum End {
    Closed(Closed),
    Voided { void_entry: String },
}

/// A hand that was played.
pub(super) struct Closed {
    pub close_entry: String,
    pub transcript: String,
    pub history: Option<String>,
}

/// What opens the deck.
pub(super) enum Secret {
    HandKey(HandKey),
    Leaves(Vec<Leaf>),
}

/// One leaf as it was given.
pub(super) enum Leaf {
    Opened { card: String, salt: Salt },
    Hidden(Digest),
    Misshapen,
}

/// Reads a bundle.
pub(super) fn read(bytes: &[u8]) -> Result<Bundle, Refusal> {
    // A full reveal holds the key of its hand.
    let json = Json::parse_secret(bytes, LIMITS)
        .map_err(|error| Refusal::new(Code::Format, format!("byte {}", error.offset), error.problem))?;
    check_format(&json)?;
    check_missing(&json)?;
    check_hex(&json)?;
    Ok(build(&json))
}

fn format_refusal(place: &str, message: &str) -> Refusal {
    Refusal::new(Code::Format, place, message)
}

/// What is there may be secret, so that its kind alone is named.
fn of_other_kind(place: &str, found: &Json, wanted: &str) -> Refusal {
    format_refusal(place, &format!("found {}, {wanted}", found.kind()))
}

fn key_place(key: &str) -> String {
    format!("key \"{}\"", excerpt(key, 40))
}

fn is_void_form(json: &Json) -> bool {
    json.member("void_entry").is_some()
}

/// Everything that is `E_FORMAT`.
fn check_format(json: &Json) -> Result<(), Refusal> {
    let Json::Object(members) = json else {
        return Err(of_other_kind("the whole bundle", json, "wanted one object"));
    };
    let tag = json.member("format").and_then(Json::text);
    // Another version may have other keys.
    if let Some(other) = tag.filter(|tag| is_unknown_version(tag, FORMAT)) {
        return Err(wrong_tag(Some(other)).of_line(other, FORMAT));
    }
    let known: &[&str] = if is_void_form(json) { &VOID_FORM } else { &CLOSE_FORM };
    for (key, value) in members {
        if !known.contains(&key.as_str()) {
            return Err(format_refusal(&key_place(key), "unknown key, or a key of the other form of bundle"));
        }
        check_value(key, value)?;
    }
    if tag != Some(FORMAT) {
        return Err(wrong_tag(tag));
    }
    let has_key = json.member("hand_key").is_some();
    if has_key == json.member("leaves").is_some() {
        let found = if has_key { "both" } else { "neither" };
        let message = format!("found {found}, wanted either \"hand_key\" or \"leaves\"");
        return Err(format_refusal("the whole bundle", &message));
    }
    check_proofs(json)
}

fn wrong_tag(tag: Option<&str>) -> Refusal {
    let found = tag.map_or("none".to_owned(), |tag| format!("\"{}\"", excerpt(tag, 40)));
    format_refusal("key \"format\"", &format!("found {found}, wanted \"{FORMAT}\""))
}

fn check_value(key: &str, value: &Json) -> Result<(), Refusal> {
    match key {
        _ if TEXTS.contains(&key) && value.text().is_none() => {
            Err(of_other_kind(&key_place(key), value, "wanted a string"))
        }
        "leaves" => check_leaf_keys(value),
        "seen" => check_seen_keys(value),
        "my_seed" => own_seed(value).map(|_| ()),
        _ => Ok(()),
    }
}

fn check_leaf_keys(leaves: &Json) -> Result<(), Refusal> {
    let Json::List(leaves) = leaves else {
        return Err(of_other_kind("key \"leaves\"", leaves, "wanted a list"));
    };
    for (place, leaf) in leaves.iter().enumerate() {
        let Json::Object(members) = leaf else { continue };
        if let Some((key, _)) =
            members.iter().find(|(key, _)| !["card", "salt", "hash"].contains(&key.as_str()))
        {
            return Err(format_refusal(&format!("leaf {place}"), &format!("unknown {}", key_place(key))));
        }
    }
    Ok(())
}

fn check_seen_keys(seen: &Json) -> Result<(), Refusal> {
    let Json::Object(members) = seen else {
        return Err(of_other_kind("key \"seen\"", seen, "wanted an object"));
    };
    for (key, value) in members {
        if position(key).is_none() || value.text().is_none() {
            let message = format!("{} is not a position 0 to 51 with a string", key_place(key));
            return Err(format_refusal("key \"seen\"", &message));
        }
    }
    Ok(())
}

fn position(key: &str) -> Option<u8> {
    (0..DECK_CARDS as u8).find(|number| number.to_string() == key)
}

/// The seat, and the seed as text; its hex is another code's matter.
fn own_seed(value: &Json) -> Result<(Seat, &str), Refusal> {
    let refused =
        || format_refusal("key \"my_seed\"", "wanted exactly a seat, a plain number 1 to 8, and a seed");
    let Json::Object(members) = value else {
        return Err(of_other_kind("key \"my_seed\"", value, "wanted an object of a seat and a seed"));
    };
    if members.len() != 2 {
        return Err(refused());
    }
    match (value.member("seat"), value.member("seed")) {
        (Some(Json::Number(seat)), Some(Json::Text(seed))) => {
            Ok((Seat::parse(seat).ok_or_else(refused)?, seed))
        }
        _ => Err(refused()),
    }
}

fn check_proofs(json: &Json) -> Result<(), Refusal> {
    let Some(proofs) = json.member("proofs") else { return Ok(()) };
    let Json::Object(members) = proofs else {
        return Err(of_other_kind("key \"proofs\"", proofs, "wanted an object"));
    };
    let last = if is_void_form(json) { "void" } else { "close" };
    for (key, value) in members {
        if ![KINDS[0], KINDS[1], KINDS[2], last].contains(&key.as_str()) || value.text().is_none() {
            let message = format!("{} is not the kind of an entry with a string", key_place(key));
            return Err(format_refusal("key \"proofs\"", &message));
        }
        if json.member(&format!("{key}_entry")).is_none() {
            let message = format!("a proof for the {key} entry, which is not in the bundle");
            return Err(format_refusal("key \"proofs\"", &message));
        }
    }
    Ok(())
}

/// Everything that is `E_MISSING` before the mix is known.
fn check_missing(json: &Json) -> Result<(), Refusal> {
    let needed: &[&str] = if is_void_form(json) {
        &["deck_entry", "open_entry"]
    } else {
        &["deck_entry", "open_entry", "close_entry", "transcript"]
    };
    match needed.iter().find(|key| json.member(key).is_none()) {
        None => Ok(()),
        Some(key) => Err(Refusal::new(Code::Missing, key_place(key), "the bundle needs this key")),
    }
}

/// Everything that is `E_HEX`. What is there may be secret, so it is not repeated.
fn check_hex(json: &Json) -> Result<(), Refusal> {
    let check = |place: String, value: Option<&str>| {
        if value.is_none_or(|text| parse_hex::<32>(text).is_some()) {
            Ok(())
        } else {
            Err(Refusal::new(Code::Hex, place, "wanted 64 lower-case hexadecimal digits"))
        }
    };
    check(key_place("hand_key"), json.member("hand_key").and_then(Json::text))?;
    let seed = json.member("my_seed").and_then(|own| own.member("seed")).and_then(Json::text);
    check(key_place("my_seed"), seed)?;
    let Some(Json::List(leaves)) = json.member("leaves") else { return Ok(()) };
    for (place, leaf) in leaves.iter().enumerate() {
        check(format!("leaf {place}, salt"), leaf.member("salt").and_then(Json::text))?;
        check(format!("leaf {place}, hash"), leaf.member("hash").and_then(Json::text))?;
    }
    Ok(())
}

/// Builds the bundle from JSON whose form was checked.
fn build(json: &Json) -> Bundle {
    let text = |key: &str| json.member(key).and_then(Json::text).map(str::to_owned);
    let needed = |key: &str| text(key).expect("its presence and type were checked");
    let end = match text("void_entry") {
        Some(void_entry) => End::Voided { void_entry },
        None => End::Closed(Closed {
            close_entry: needed("close_entry"),
            transcript: needed("transcript"),
            history: text("history"),
        }),
    };
    let secret = match (json.member("hand_key").and_then(Json::text), json.member("leaves")) {
        (Some(key), _) => Secret::HandKey(HandKey::from_bytes(parse_hex(key).expect("hex was checked"))),
        (None, Some(Json::List(leaves))) => Secret::Leaves(leaves.iter().map(build_leaf).collect()),
        _ => unreachable!("one of the two is there, with its type"),
    };
    let proofs = json.member("proofs");
    Bundle {
        deck_entry: needed("deck_entry"),
        open_entry: needed("open_entry"),
        cut_entry: text("cut_entry"),
        end,
        secret,
        seen: build_seen(json.member("seen")),
        my_seed: json
            .member("my_seed")
            .and_then(|own| own_seed(own).ok())
            .and_then(|(seat, seed)| Some(OwnSeed { seat, seed: Digest::from_hex(seed)? })),
        proofs: KINDS
            .into_iter()
            .filter_map(|kind| Some((kind, proofs?.member(kind)?.text()?.to_owned())))
            .collect(),
    }
}

fn build_seen(seen: Option<&Json>) -> Vec<(u8, String)> {
    let Some(Json::Object(members)) = seen else { return Vec::new() };
    members.iter().filter_map(|(key, card)| Some((position(key)?, card.text()?.to_owned()))).collect()
}

fn build_leaf(leaf: &Json) -> Leaf {
    let Json::Object(members) = leaf else { return Leaf::Misshapen };
    let text = |key: &str| leaf.member(key).and_then(Json::text);
    match (members.len(), text("card"), text("salt"), text("hash")) {
        (2, Some(card), Some(salt), None) => {
            let salt = Salt::from_bytes(parse_hex(salt).expect("hex was checked"));
            Leaf::Opened { card: card.to_owned(), salt }
        }
        (1, None, None, Some(hash)) => Leaf::Hidden(Digest::from_hex(hash).expect("hex was checked")),
        _ => Leaf::Misshapen,
    }
}
