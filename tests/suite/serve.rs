//! `deckproof serve` as a poker server, a player and an auditor meet it: hands of every kind, calls made again, refusals.

use std::io::Read;

use base64ct::{Base64UrlUnpadded, Encoding};
use deckproof::card::Card;
use deckproof::deck::Deck;
use flate2::read::DeflateDecoder;
use serde_json::{Value, json};

use crate::common::room::{Room, at, bundle, hand};
use crate::common::vectors::{text, vector};

const RULES: [&str; 3] = ["stud-hi", "stud-8b", "espacejeux"];

/// A deck of another generator: every card one place on.
fn own_deck(number: u64) -> Vec<String> {
    let mut cards: Vec<String> = Deck::in_order().cards().map(|card: Card| card.to_string()).collect();
    cards.rotate_left(number as usize % 52);
    cards
}

/// Has the program verify a bundle under the trust file and the receipt of its deck.
fn verified(room: &Room, bundle: &Value, committed: &Value) -> Value {
    room.lab.write("bundle.json", bundle["bundle"].as_str().expect("a bundle"));
    room.lab.write("deck.proof", committed["receipt"].as_str().expect("a receipt"));
    let words = ["verify", "bundle.json", "--trust", "trust.json", "--receipt", "deck.proof", "--json"];
    let output = room.run(&words).json();
    assert!(["accepted", "deck fixed"].contains(&output["verdict"].as_str().unwrap_or("")), "{output}");
    output
}

#[test]
fn hands_of_all_rules_and_mixes_verify_for_every_seat_and_the_log_scans_clean() {
    let room = Room::new();
    let mut served = room.serve(&[]);
    let mut number = 0;
    for rules in RULES {
        for (mix, deck) in [("none", false), ("players", false), ("none", true), ("players", true)] {
            number += 1;
            let deck = deck.then(|| own_deck(number));
            let answers = served.play(&hand("T-1", number, rules, mix, deck.as_deref()));
            let derivation = if deck.is_some() { "not shown" } else { "proven" };
            let output = verified(&room, &served.done(&bundle(number, None)), &answers[0]);
            assert_eq!(output["findings"]["derivation"], derivation);
            assert_eq!(output["findings"]["permutation"], "proven");
            for seat in [4, 5, 7, 2] {
                let own = verified(&room, &served.done(&bundle(number, Some(seat))), &answers[0]);
                assert_eq!(own["findings"]["derivation"], "not shown");
                // Two down cards of the seat, those of seat 5, which was shown down, and every up card.
                let up = 4 + 3 + 2;
                let opened = own["opened"].as_object().expect("cards").len();
                assert_eq!(opened, up + if seat == 5 { 2 } else { 4 }, "{rules} {mix} seat {seat}");
                for (position, card) in own["opened"].as_object().expect("cards") {
                    assert_eq!(output["opened"][position], *card);
                }
            }
        }
    }
    let (code, output) = served.end();
    assert_eq!((code, output.as_str()), (Some(0), ""));
    room.scan(&[]);
}

#[test]
fn the_cards_of_a_street_are_those_of_the_deck_and_each_seat_has_its_own() {
    let room = Room::new();
    let mut served = room.serve(&[]);
    let deck = own_deck(0);
    let answers = served.play(&hand("T-1", 1, "espacejeux", "none", Some(&deck)));
    // Two rounds down and one up, in the order of the seats 4, 5, 7, 2; no cut, so from the top of 2c, 2d, 2h, …
    let third = &answers[2];
    let own = |seat: &str| -> Vec<&str> {
        let cards = third["own"][seat].as_array().expect("cards");
        cards.iter().map(|card| card["card"].as_str().expect("a card")).collect()
    };
    assert_eq!(
        [own("4"), own("5"), own("7"), own("2")],
        [["2c", "3c"], ["2d", "3d"], ["2h", "3h"], ["2s", "3s"]]
    );
    let up: Vec<(&Value, &Value)> = third["public"]
        .as_array()
        .expect("cards")
        .iter()
        .map(|card| (&card["seat"], &card["card"]))
        .collect();
    let wanted = [(4, "4c"), (5, "4d"), (7, "4h"), (2, "4s")].map(|(seat, card)| (json!(seat), json!(card)));
    assert_eq!(up, wanted.iter().map(|(seat, card)| (seat, card)).collect::<Vec<_>>());
    // From fourth street on a card is burned, of which the place alone is given.
    assert_eq!((&answers[4]["burned"], &third["burned"]), (&json!([12]), &json!([])));
    assert!(!answers[4].to_string().contains("5c"), "the burned card is 5c");
}

#[test]
fn the_same_call_gives_the_same_bytes_at_any_time_and_another_in_its_place_is_refused() {
    let room = Room::new();
    let mut served = room.serve(&[]);
    let mut made: Vec<(Value, String)> = Vec::new();
    for number in 1..=2 {
        for call in hand("T-1", number, "stud-hi", "players", None) {
            let answer = served.ask(&call.to_string());
            assert!(!answer.contains("\"error\""), "{answer}");
            assert_eq!(served.ask(&call.to_string()), answer);
            made.push((call, answer));
        }
    }
    // One under way: its first three calls.
    for call in hand("T-1", 3, "stud-hi", "none", None).into_iter().take(3) {
        made.push((call.clone(), served.ask(&call.to_string())));
    }
    served.kill();
    let mut served = room.serve(&[]);
    served.check_again(&made);
    for (call, _) in &made {
        let mut other = json!({ "call": "void", "reason": "other" });
        for key in ["table", "hand", "step"] {
            other[key] = call[key].clone();
        }
        assert_eq!(served.refused(&other), "other-call", "{call}");
    }
    let status = served.done(&json!({ "call": "status", "table": "T-1" }));
    assert_eq!((&status["ended"], &status["next"]), (&json!(2), &json!({ "hand": 3, "step": 4 })));
    for (hand, step, word) in [
        (3, 5, "out-of-turn"),
        (4, 1, "out-of-turn"),
        (2, 99, "out-of-turn"),
        (3, 0, "schema"),
        (0, 1, "schema"),
    ] {
        let other = at("T-1", hand, step, json!({ "call": "void", "reason": "x" }));
        assert_eq!(served.refused(&other), word, "{other}");
    }
    let second = at("T-2", 2, 1, json!({ "call": "commit", "mix": "none" }));
    assert_eq!(served.refused(&second), "out-of-turn");
    assert_eq!(served.refused(&json!({ "call": "status", "table": "T-2" })), "unknown");
}

#[test]
fn what_the_schema_does_not_know_is_refused_and_takes_no_step() {
    let room = Room::new();
    let mut served = room.serve(&[]);
    let commit = json!({ "call": "commit", "table": "T-1", "hand": 1, "step": 1, "mix": "none" });
    let mut twice = own_deck(0);
    twice[51] = twice[0].clone();
    let with = |key: &str, value: Value| {
        let mut call = commit.clone();
        call[key] = value;
        call
    };
    let faults = [
        with("more", json!(1)),
        with("mix", json!("dice")),
        with("mix", Value::Null),
        with("table", json!("T/1")),
        with("hand", json!("1")),
        with("hand", json!(-1)),
        with("step", json!(1.5)),
        with("step", json!("1")),
        with("deck", json!(["2c"])),
        with("deck", json!(twice)),
        with("deck", json!(own_deck(0).join(" "))),
        with("call", json!("shuffle")),
    ];
    for fault in &faults {
        let word = served.refused(fault);
        assert!(word == "schema" || word == "unknown", "{fault}: {word}");
    }
    let raw = ["[]", "{", "", "null", "{\"call\":\"status\",\"table\":\"T\",\"table\":\"T\"}", "\u{feff}{}"];
    for line in raw {
        assert!(served.ask(line).contains("\"schema\""), "{line}");
    }
    let long = format!("{{\"call\":\"status\",\"table\":\"{}\"}}", "x".repeat(70_000));
    assert!(served.ask(&long).contains("\"too-large\""));
    // What does not fit the hand leaves it as it was.
    served.done(&commit);
    let call = |step: u64, call: Value| at("T-1", 1, step, call);
    let hex = "0".repeat(64);
    for opening in [
        json!({ "call": "open", "rules": "stud-hi", "seats": [2, 5], "commits": { "2": hex } }),
        json!({ "call": "open", "rules": "stud-hi", "seats": [2, 5], "round": 7 }),
        json!({ "call": "open", "rules": "stud-hi", "seats": [5, 7, 6] }),
        json!({ "call": "open", "rules": "stud-hi", "seats": [5] }),
        json!({ "call": "street", "live": [2, 5] }),
        json!({ "call": "close" }),
    ] {
        served.refused(&call(2, opening));
    }
    served.done(&call(2, json!({ "call": "open", "rules": "stud-hi", "seats": [2, 5, 7] })));
    assert_eq!(served.refused(&call(3, json!({ "call": "street", "live": [2, 6] }))), "unfit");
    assert_eq!(served.refused(&call(3, json!({ "call": "street", "live": [2, 5] }))), "unfit");
    served.done(&call(3, json!({ "call": "street", "live": [2, 5, 7] })));
    let history = "variant = 'F7S'\nantes = [0, 0]\nbring_in = 1\nsmall_bet = 2\nbig_bet = 4\n\
        starting_stacks = [9, 9]\nactions = []\n";
    let close = json!({ "call": "close", "history": history });
    let refused = served.ask(&call(4, close).to_string());
    assert!(refused.contains("\"unfit\"") && refused.contains("E_HISTORY"), "{refused}");
    // The hand goes on as if the call had not been made.
    served.done(&call(4, json!({ "call": "street", "live": [2, 7] })));
    served.done(&call(5, json!({ "call": "close", "history": "told in words" })));
    let own = served.done(&bundle(1, Some(2)));
    assert!(own["bundle"].as_str().expect("a bundle").contains("told in words"));
    assert_eq!(served.refused(&bundle(1, Some(4))), "unknown");
    let page = "https://stud.example/verify.html";
    let linked = |seat: Option<u8>, page: &str| {
        let mut call = bundle(1, seat);
        call["link"] = json!(page);
        call
    };
    let found = served.done(&linked(Some(2), page));
    assert_eq!(found["bundle"], own["bundle"]);
    let packed = found["link"].as_str().and_then(|link| link.strip_prefix(&format!("{page}#d1.")));
    let stream = Base64UrlUnpadded::decode_vec(packed.expect("the form of docs/page.md")).expect("base64url");
    let mut carried = String::new();
    DeflateDecoder::new(&stream[..]).read_to_string(&mut carried).expect("one stream");
    assert_eq!(own["bundle"], carried);
    for call in [linked(None, page), linked(Some(2), "javascript:alert(1)")] {
        assert_eq!(served.refused(&call), "schema", "{call}");
    }
    served.end();
    room.scan(&[]);
}

#[test]
fn a_hand_that_is_voided_gives_its_entries_to_players_and_the_void_form_to_the_lab() {
    let room = Room::new();
    let mut served = room.serve(&[]);
    for (number, deck) in [(1, None), (2, Some(own_deck(2)))] {
        let answers = served.play(&hand("T-1", number, "stud-8b", "players", deck.as_deref())[..4]);
        served.done(&at("T-1", number, 5, json!({ "call": "void", "reason": "misdeal" })));
        let seat = served.done(&bundle(number, Some(4)));
        assert_eq!(seat["voided"], "misdeal");
        assert_eq!(seat["entries"].as_object().map(serde_json::Map::len), Some(4));
        let output = verified(&room, &served.done(&bundle(number, None)), &answers[0]);
        let derivation = if deck.is_some() { "not shown" } else { "proven" };
        assert_eq!(output["findings"]["derivation"], derivation);
        assert_eq!(output["findings"]["deal_order"], "not shown");
    }
    // A deck that was never opened is never shown.
    served.done(&at("T-1", 3, 1, json!({ "call": "commit", "mix": "beacon" })));
    served.done(&at("T-1", 3, 2, json!({ "call": "void", "reason": "nobody-came" })));
    assert_eq!(served.refused(&bundle(3, None)), "unknown");
    served.end();
    room.scan(&[]);
}

#[test]
fn readings_of_an_opening_are_bound_and_other_histories_do_not_close_the_hand() {
    let room = Room::new();
    let mut served = room.serve(&[]);
    let at = |step: u64, call: Value| at("T-1", 1, step, call);
    let open = |readings: Value| {
        at(2, json!({ "call": "open", "rules": "stud-hi", "seats": [1, 2], "readings": readings }))
    };
    served.done(&at(1, json!({ "call": "commit", "mix": "none" })));
    for (readings, word) in [
        (json!({ "max_raises": "any" }), "unfit"),
        (json!({ "odd_chip": "nobody" }), "unfit"),
        (json!({ "rake": "none" }), "unfit"),
        (json!({ "luck": "good" }), "unfit"),
        (json!({ "odd_chip": 1 }), "schema"),
        (json!(["odd_chip"]), "schema"),
    ] {
        assert_eq!(served.refused(&open(readings)), word);
    }
    let bound = open(json!({ "odd_chip": "card_then_suit", "low_all_in": "left_may_fold" }));
    let answer = served.done(&bound);
    let line = "\nreadings low_all_in=left_may_fold,odd_chip=card_then_suit\nseats 1,2\n";
    assert!(answer["open_entry"].as_str().expect("a text").contains(line), "{answer}");
    assert_eq!(served.done(&bound), answer, "the journal keeps it");
    served.end();
    let mut served = room.serve(&[]);
    assert_eq!(served.done(&bound), answer, "a new start reads it");
    served.done(&at(3, json!({ "call": "street", "live": [1, 2] })));
    served.done(&at(4, json!({ "call": "close" })));
    served.end();
    room.scan(&[]);
}

#[test]
fn a_round_of_the_beacon_cuts_a_hand_and_a_false_signature_does_not() {
    let cut = text(&vector("full reveal: beacon, stud-8b")["cut_entry"]);
    let beacon = cut.lines().find_map(|line| line.strip_prefix("beacon ")).expect("a beacon line");
    let words: Vec<&str> = beacon.split(' ').collect();
    let round: u64 = words[0].parse().expect("a round");
    let room = Room::new();
    let mut served = room.serve(&[]);
    let opening = json!({ "call": "open", "rules": "stud-hi", "seats": [1, 2], "round": round });
    let cut = |signature: &str| json!({ "call": "cut", "signature": signature });
    let last = if words[2].ends_with('0') { "1" } else { "0" };
    let false_one = format!("{}{last}", &words[2][..95]);
    // The second table is cut by the round whose signature was checked: a false one of it is none there either.
    for table in ["T-1", "T-2"] {
        let at = |step: u64, call: Value| at(table, 1, step, call);
        served.done(&at(1, json!({ "call": "commit", "mix": "beacon" })));
        served.done(&at(2, opening.clone()));
        assert_eq!(served.refused(&at(3, json!({ "call": "street", "live": [1, 2] }))), "out-of-turn");
        for refused in [cut(&"00".repeat(48)), cut(&false_one), json!({ "call": "cut" })] {
            assert_eq!(served.refused(&at(3, refused)), "unfit");
        }
        let answer = served.done(&at(3, cut(words[2])));
        assert!(answer["cut_entry"].as_str().expect("a text").ends_with(&format!("beacon {beacon}\n")));
        served.done(&at(4, json!({ "call": "street", "live": [1, 2] })));
        served.done(&at(5, json!({ "call": "close" })));
    }
    served.end();
    room.scan(&[]);
}
