//! The beacon over HTTP: relays that have a round, lie, are slow or lost; and what a table does when it is out of reach.

use std::net::TcpListener;

use serde_json::json;

use crate::common::lab::{Lab, Output, check, words};
use crate::common::peer::{answer, nobody, peer};

/// Round 1000 of quicknet, as drand published it.
const SIGNATURE: &str =
    "b44679b9a59af2ec876b1a6b1ad52ea9b1615fc3982b19576350f93447cb1125e342b73a8dd2bacbe47e4b6b63ed5e39";

/// SHA-256 of it.
const RANDOMNESS: &str = "fe290beca10872ef2fb164d2aa4442de4566183ec51c56ff3cd603d930e54fdd";

const PATH: &str = "/52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971/public/";

fn value(round: u64, signature: &str) -> Vec<u8> {
    let value = json!({ "round": round, "randomness": RANDOMNESS, "signature": signature });
    answer("200", "Content-Type: application/json\r\n", &value.to_string())
}

fn fetch(lab: &Lab, relays: &[&str], more: &[&str]) -> Output {
    let relays: Vec<&str> = relays.iter().flat_map(|relay| ["--relay", relay]).collect();
    lab.run(&[&["log", "beacon", "--round", "1000", "--wait", "2"], &relays[..], more].concat())
}

#[test]
fn a_round_is_taken_from_whichever_relay_has_it_and_believed_by_its_signature() {
    let lab = Lab::new();
    let (place, asked) = peer(vec![value(1000, SIGNATURE)]);
    let output = fetch(&lab, &[&place], &[]);
    check(&output, 0, SIGNATURE);
    let asked = String::from_utf8(asked.recv().expect("asked")).expect("text");
    assert!(asked.starts_with(&format!("GET {PATH}1000 HTTP/1.1\r\n")), "{asked}");
    let printed = output.json();
    assert_eq!(printed, json!({ "round": 1000, "randomness": RANDOMNESS, "signature": SIGNATURE }));
    // What a relay says of the randomness is not believed: it is the hash of the signature.
    let wrong = json!({ "round": 1000, "randomness": "00".repeat(32), "signature": SIGNATURE }).to_string();
    let (place, _asked) = peer(vec![answer("200", "", &wrong)]);
    assert_eq!(fetch(&lab, &[&place], &[]).out, output.out);
    // Not out yet, or a relay that stumbles: asked again.
    let (place, _asked) =
        peer(vec![answer("425", "", "too early"), answer("404", "", ""), value(1000, SIGNATURE)]);
    check(&fetch(&lab, &[&place], &["--out", "round.json"]), 0, "");
    assert_eq!(lab.text("round.json"), output.out);
    // Of a lost one, a slow one, a liar and a sound one, the sound one.
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let slow = format!("http://{}", listener.local_addr().expect("a port"));
    let (liar, _asked) = peer(vec![value(1000, &SIGNATURE.replace("b446", "b447"))]);
    let (sound, _asked) = peer(vec![value(1000, SIGNATURE)]);
    assert_eq!(fetch(&lab, &[&nobody(), &slow, &liar, &sound], &[]).out, output.out);
}

#[test]
fn what_relays_say_is_refused_with_their_names_where_the_network_did_not_sign_it() {
    let lab = Lab::new();
    let (elsewhere, asked) = peer(vec![value(1000, SIGNATURE)]);
    // Of another round, under the number that was asked for; and the other way round.
    let flipped = SIGNATURE.replace("5e39", "5e38");
    let redirect = answer("302", &format!("Location: {elsewhere}{PATH}1000\r\n"), "");
    for (given, shown) in [
        (value(1001, SIGNATURE), "found round 1001, wanted round 1000"),
        (value(1000, &flipped), "the network did not sign what it gave as round 1000"),
        (value(1000, &format!("c0{}", "00".repeat(47))), "the network did not sign"),
        (value(1000, "b446"), "wanted a round and its signature"),
        (answer("200", "", "\u{1b}]0;owned\u{7}"), r"\u001b]0;owned\u0007"),
        (answer("200", "", &"[".repeat(5_000)), "wanted a round and its signature"),
        (answer("200", "", &"x".repeat(20_000)), "an answer of more than 16384 bytes"),
        (redirect, "found status 302"),
        (answer("500", "", "no"), "found status 500 (no)"),
    ] {
        let (place, _asked) = peer(vec![given]);
        let output = fetch(&lab, &[&place], &["--out", "round.json"]);
        // A relay that stumbles is asked again, and then it is gone.
        let shown = if shown.contains("status") { "no answer" } else { shown };
        check(&output, 2, shown);
        assert!(output.warns(&format!("relay {place}: ")) && !lab.exists("round.json"), "{output}");
    }
    assert!(asked.try_recv().is_err(), "no redirect is followed");
}

fn deal(lab: &Lab, more: &[&str]) -> Output {
    let words = words("deal --table T-1 --hands 1 --seats 1,2 --mix beacon --not-for-production");
    lab.run(&[&words[..], &["--round", "1000"], more].concat())
}

fn entries(lab: &Lab, out: &str) -> String {
    lab.text(&format!("{out}/public/entries.txt"))
}

#[test]
fn a_hand_is_cut_by_a_round_that_relays_gave_and_voided_where_none_did() {
    let lab = Lab::new();
    let (sound, _asked) = peer(vec![value(1000, SIGNATURE)]);
    check(&deal(&lab, &["--out", "a", "--relay", &sound]), 0, "");
    assert!(entries(&lab, "a").contains(SIGNATURE));
    let lost = nobody();
    let output = deal(&lab, &["--out", "b", "--relay", &lost, "--wait", "1"]);
    check(&output, 2, &format!("relay {lost}: no answer"));
    assert!(entries(&lab, "b").contains("reason beacon-missing\n"), "{}", entries(&lab, "b"));
    // A value that the network did not sign never reaches the cut.
    let (liar, _asked) = peer(vec![value(1000, &SIGNATURE.replace("5e39", "5e38"))]);
    check(&deal(&lab, &["--out", "c", "--relay", &liar, "--wait", "1"]), 2, "the network did not sign");
    assert!(entries(&lab, "c").contains("reason beacon-missing\n"));
}

/// The declared policy: the next hand is committed under `players`, and says so in its deck entry, before anything of it is known.
#[test]
fn where_the_beacon_is_out_of_reach_a_hand_is_committed_under_players_if_that_was_declared() {
    let lab = Lab::new();
    let output = lab.run(&words("seed --origin localhost/log1 --table T-1 --hand 1 --seat 2 --out seed.txt"));
    let words = format!("{output}");
    let commit = words.split(|letter: char| !letter.is_ascii_hexdigit()).find(|word| word.len() == 64);
    let commit = format!("2:{}", commit.unwrap_or_else(|| panic!("{words}")));
    let seeds = ["--seed-commit", &commit, "--seed", "2:@seed.txt", "--outage", "players", "--wait", "1"];
    // A round of 2023 as the newest one is an outage too.
    let (stale, _asked) = peer(vec![value(1000, SIGNATURE)]);
    let output = deal(&lab, &[&["--out", "a", "--relay", &stale][..], &seeds].concat());
    check(&output, 0, "found round 1000, wanted round ");
    check(&output, 0, "as --outage players says, the players' seeds cut this hand");
    assert!(entries(&lab, "a").contains("mix players\n"), "{}", entries(&lab, "a"));
    // Without seeds there is no such hand.
    let (stale, _asked) = peer(vec![value(1000, SIGNATURE)]);
    let output = deal(&lab, &["--out", "b", "--relay", &stale, "--outage", "players"]);
    check(&output, 2, "needs at least one --seed-commit");
    assert!(!lab.exists("b/public/entries.txt"));
    check(
        &deal(&lab, &["--out", "b", "--beacon", "x", "--outage", "players"]),
        2,
        "--outage players: wanted --relay ADDRESS",
    );
}
