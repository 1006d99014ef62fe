//! One character changed in a bundle, proof, receipt, trust file or log: nothing that is reported gets better.
//!
//! `DECKPROOF_MUTANTS=all cargo test --release --test suite log_mutants` tries every character.

use deckproof::commitment::digest::{Digest, leaf_hash};
use deckproof::log::receipt::Receipt;
use deckproof::log::scan::{Scan, ScanRules};
use deckproof::log::tree::TreeHead;
use deckproof::verify::{Accepted, Statements, verify_bundle};
use serde_json::Value;

use crate::common::vectors::{VECTORS, trust, vector};

/// What a character is changed into: a neighbour, another letter of base64, and structure.
const CHANGES: [fn(u8) -> u8; 4] = [
    |byte| byte ^ 1,
    |byte| if byte.is_ascii_digit() { b'0' + (byte - b'0' + 5) % 10 } else { byte ^ 0x20 },
    |byte| if byte == b'A' { b'B' } else { b'A' },
    |byte| if byte == b' ' { b'"' } else { b' ' },
];

/// Every place, or so many of them, spread over the text from a start that differs from change to change.
fn places(length: usize, sampled: usize) -> Vec<(usize, usize)> {
    let is_all = std::env::var("DECKPROOF_MUTANTS").is_ok_and(|value| value == "all");
    let step = if is_all { 1 } else { (length * CHANGES.len() / sampled).max(1) };
    (0..CHANGES.len())
        .flat_map(|change| (change * step / CHANGES.len()..length).step_by(step).map(move |at| (at, change)))
        .collect()
}

fn mutant(text: &[u8], (at, change): (usize, usize)) -> Option<Vec<u8>> {
    let mut bytes = text.to_vec();
    bytes[at] = CHANGES[change](bytes[at]);
    (bytes != text).then_some(bytes)
}

/// How much the log's findings say, for they may get weaker: a cosignature whose key is no longer known does
/// not count.
fn strength(accepted: &Accepted) -> (bool, bool) {
    let findings = &accepted.findings;
    (findings.log_view != Some("several, not tied"), findings.anti_grinding != Some("beacon claimed"))
}

fn check_no_better(sound: &Accepted, mutant: &Accepted, shown: &str) {
    let without_strength = |accepted: &Accepted| {
        let mut findings = accepted.findings.clone();
        (findings.log_view, findings.anti_grinding) = (None, None);
        (findings, accepted.opened.clone())
    };
    // Statements of the player and what they name may change with the text that states them.
    let (mut found, mut wanted) = (without_strength(mutant), without_strength(sound));
    (found.0.seen_cards, wanted.0.seen_cards) = (0, 0);
    assert_eq!(found, wanted, "{shown}");
    let ((view, grinding), (view_before, grinding_before)) = (strength(mutant), strength(sound));
    assert!(view <= view_before && grinding <= grinding_before, "{shown}");
}

fn check_bundle(name: &str, sampled: usize) {
    let (trust, own) = (trust(None), Statements::default());
    let text = vector(name).to_string().into_bytes();
    let sound = verify_bundle(&text, Some(&trust), &own).unwrap_or_else(|refusal| panic!("{refusal}"));
    let (mut refused, mut tried) = (0, 0);
    for place in places(text.len(), sampled) {
        let Some(bytes) = mutant(&text, place) else { continue };
        tried += 1;
        match verify_bundle(&bytes, Some(&trust), &own) {
            Err(_) => refused += 1,
            Ok(accepted) => {
                let around = &bytes[place.0.saturating_sub(40)..(place.0 + 40).min(bytes.len())];
                check_no_better(&sound, &accepted, &String::from_utf8_lossy(around));
            }
        }
    }
    assert!(tried > sampled / 2 && refused * 100 > tried * 80, "{name}: {refused} of {tried} are refused");
}

#[test]
fn no_altered_bundle_says_more() {
    check_bundle("selective, seat 4 with own seed: beacon, stud-8b", 400);
    check_bundle("full reveal: beacon, stud-8b", 400);
    check_bundle("void form: beacon, cut and proofs", 200);
}

#[test]
fn no_altered_receipt_proves_another_place() {
    let bundle = vector("full reveal: beacon, stud-8b");
    let trust = trust(None);
    let leaf = leaf_hash(bundle["open_entry"].as_str().expect("a text"));
    let text = bundle["proofs"]["open"].as_str().expect("a text").as_bytes();
    let check = |text: &str| Receipt::parse(text)?.check(&leaf, &trust, "receipt").ok();
    let sound = check(std::str::from_utf8(text).expect("UTF-8")).expect("it is sound");
    let mut refused = 0;
    for place in places(text.len(), 1500) {
        let Some(bytes) = mutant(text, place) else { continue };
        let Some(logged) = std::str::from_utf8(&bytes).ok().and_then(check) else {
            refused += 1;
            continue;
        };
        assert_eq!((logged.index, &logged.witnessed.checkpoint), (sound.index, &sound.witnessed.checkpoint));
        let time = logged.witnessed.quorum_time;
        assert!(time.is_none() || time == sound.witnessed.quorum_time, "{place:?}");
    }
    assert!(refused > 900, "{refused}");
}

/// Any change of an entry changes the root, and the signed checkpoint has the sound one.
#[test]
fn no_altered_log_passes_its_checkpoint() {
    let log = &VECTORS["log"];
    let entries: Vec<&str> =
        log["entries"].as_array().expect("a list").iter().filter_map(Value::as_str).collect();
    let root =
        Digest::from_hex("622373c40f4b1a061570bba0bc48c680f6bc4af04a5c401f5cbcec8c8c2d2df1").expect("hex");
    let scan = |altered: Option<(usize, &str)>| {
        let origin = "stud.example/log1".to_owned();
        let earlier = vec![TreeHead { size: 47, root }];
        let mut scan = Scan::new(ScanRules { origin, is_live: false, earlier });
        for (place, entry) in entries.iter().enumerate() {
            scan.entry(altered.filter(|(at, _)| *at == place).map_or(*entry, |(_, text)| text))?;
        }
        scan.finish()
    };
    assert!(scan(None).is_ok());
    let mut tried = 0;
    for (at, entry) in entries.iter().enumerate() {
        for place in places(entry.len(), 24) {
            let Some(bytes) = mutant(entry.as_bytes(), place) else { continue };
            let text = String::from_utf8(bytes).expect("ASCII stays ASCII");
            assert!(scan(Some((at, &text))).is_err(), "{text}");
            tried += 1;
        }
    }
    assert!(tried > 900, "{tried}");
}
