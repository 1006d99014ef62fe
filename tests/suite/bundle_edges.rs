//! Checks of bundles that no published vector reaches: links, forms, and what is said to be unchecked.

use deckproof::commitment::digest::Digest;
use deckproof::log::beacon::CHECKS_SIGNATURES;
use deckproof::log::refusal::{Code, Refusal};
use deckproof::verify::findings::{HistoryFinding, Unchecked};
use deckproof::verify::{Accepted, Statements, verify_bundle};
use serde_json::{Value, json};

use crate::common::vectors::vector;

/// Judged without a trust file, so that its proofs are not checked.
fn judge(bundle: &Value) -> Result<Accepted, Refusal> {
    verify_bundle(bundle.to_string().as_bytes(), None, &Statements::default())
}

fn accepted(name: &str) -> Accepted {
    judge(vector(name)).unwrap_or_else(|refusal| panic!("{name}: {refusal}"))
}

fn check_refused(bundle: &Value, code: Code, place: &str, words: &str) {
    let refusal = judge(bundle).expect_err("it is not honest");
    assert_eq!((refusal.code, refusal.place.as_str()), (code, place), "{refusal}");
    assert!(refusal.message.contains(words), "{refusal}");
}

const PLAYERS: &str = "cut whose shuffle rejects a word";

#[test]
fn a_cut_of_another_opening_is_no_cut_of_this_hand() {
    let mut bundle = vector(PLAYERS).clone();
    let cut = bundle["cut_entry"].as_str().expect("a text").to_owned();
    let open = cut.lines().find(|line| line.starts_with("open ")).expect("its opening").to_owned();
    bundle["cut_entry"] = json!(cut.replace(&open, &format!("open {}", Digest::of("another hand"))));
    check_refused(&bundle, Code::Link, "cut entry", "but the open entry of the bundle is");
}

#[test]
fn a_seed_that_is_no_hexadecimal_text_is_named_and_not_repeated() {
    let mut bundle = vector(PLAYERS).clone();
    bundle["my_seed"]["seed"] = json!("zz".repeat(32));
    check_refused(&bundle, Code::Hex, "key \"my_seed\"", "wanted 64 lower-case hexadecimal digits");
    assert!(!judge(&bundle).expect_err("refused").to_string().contains("zz"));
}

/// A secret may stand in any place, so that the kind of what was found is told and a secret never.
#[test]
fn what_has_another_form_is_told_with_what_was_found() {
    let whole = json!(["a bundle?"]);
    check_refused(&whole, Code::Format, "the whole bundle", "found a list, wanted one object");
    for (key, value, words) in [
        (
            "format",
            json!("deckproof/v2 reveal"),
            "found \"deckproof/v2 reveal\", wanted \"deckproof/v1 reveal\"",
        ),
        ("format", json!(1), "found a number, wanted a string"),
        ("hand_key", Value::Null, "found null, wanted a string"),
        ("seen", json!(true), "found true or false, wanted an object"),
        ("proofs", json!("none"), "found a string, wanted an object"),
        ("my_seed", json!([1, "00"]), "found a list, wanted an object of a seat and a seed"),
    ] {
        let mut bundle = vector(PLAYERS).clone();
        bundle[key] = value;
        check_refused(&bundle, Code::Format, &format!("key {key:?}"), words);
    }
    let mut bundle = vector(PLAYERS).clone();
    (bundle["leaves"], bundle["hand_key"]) = (json!([]), json!("00".repeat(32)));
    check_refused(&bundle, Code::Format, "the whole bundle", "found both, wanted either");
    for key in ["leaves", "hand_key"] {
        bundle.as_object_mut().expect("an object").remove(key);
    }
    check_refused(&bundle, Code::Format, "the whole bundle", "found neither, wanted either");
    bundle["leaves"] = json!({});
    check_refused(&bundle, Code::Format, "key \"leaves\"", "found an object, wanted a list");
}

#[test]
fn proofs_of_no_kind_and_proofs_that_are_no_text_are_refused_in_their_own_words() {
    for (key, value) in [("deck", json!(5)), ("foo", json!("text")), ("void", json!("text"))] {
        let mut bundle = vector(PLAYERS).clone();
        bundle["proofs"] = json!({ key: value });
        check_refused(&bundle, Code::Format, "key \"proofs\"", "is not the kind of an entry with a string");
    }
}

#[test]
fn seen_cards_are_written_as_cards_and_counted_once() {
    let bundle = vector("hand ends on third street, only its up cards opened");
    let own = accepted("hand ends on third street, only its up cards opened");
    let (position, card) = own.opened.iter().next().expect("a card is opened");
    let seen = |text: &str| {
        let statements = Statements { seen: vec![(*position, text.to_owned())], own_seeds: Vec::new() };
        verify_bundle(bundle.to_string().as_bytes(), None, &statements)
    };
    let again = seen(&card.to_string()).expect("the bundle says the same");
    assert_eq!(again.findings.seen_cards, own.findings.seen_cards, "a card said twice is one card");
    assert!(own.seen.contains_key(position), "the bundle says it itself");
    let refusal = seen(&card.to_string().to_uppercase()).expect_err("no card is written so");
    assert_eq!(refusal.code, Code::Seen);
    assert!(refusal.message.contains("wanted a card such as 7h"), "{refusal}");
}

#[test]
fn what_is_said_of_the_beacon_hangs_on_the_proofs_there_are() {
    let full = accepted("full reveal: beacon, stud-8b");
    assert_eq!(full.findings.anti_grinding, None, "the proof of open may show more and was not checked");
    assert_eq!(accepted("beacon: no proof for open").findings.anti_grinding, Some("beacon claimed"));
    assert_eq!(full.findings.beacon_signature, if CHECKS_SIGNATURES { "checked" } else { "not checked" });
    assert_eq!(full.not_checked.contains(&Unchecked::BeaconSignature), !CHECKS_SIGNATURES);
    let none = accepted("full reveal: none, stud-hi");
    assert_eq!(none.findings.beacon_signature, "not checked");
    assert!(!none.not_checked.contains(&Unchecked::BeaconSignature), "there is no beacon");
}

#[test]
fn an_absent_history_and_a_community_card_are_said_where_they_are() {
    let rows = [
        ("full reveal: none, stud-hi", false, false),
        ("close has a history line, the bundle has no history", true, false),
        ("full reveal: players, stud-hi, community card", false, true),
    ];
    for (name, is_absent, is_shared) in rows {
        let not_checked = accepted(name).not_checked;
        assert_eq!(not_checked.contains(&Unchecked::HistoryAbsent), is_absent, "{name}");
        assert_eq!(not_checked.contains(&Unchecked::CommunityCardSeats), is_shared, "{name}");
    }
}

#[test]
fn a_history_that_nobody_can_read_says_why() {
    let mut bundle = vector("selective, all 52 cards dealt and opened, with hand history").clone();
    let told = bundle["history"].as_str().expect("a text").to_owned();
    let garbage = "no history [";
    let close = bundle["close_entry"].as_str().expect("a text");
    let close = close.replace(&Digest::of(&told).to_string(), &Digest::of(garbage).to_string());
    bundle["history"] = json!(garbage);
    bundle["close_entry"] = json!(close);
    match judge(&bundle).expect("its hash is right").findings.history {
        Some(HistoryFinding::HashedOnly { why }) => {
            assert_eq!(why, "the text is no Poker Hand History");
        }
        other => panic!("{other:?}"),
    }
}
