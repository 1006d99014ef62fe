//! Bundles against the vectors of an independent program: every code, every acceptance.

use deckproof::log::beacon::CHECKS_SIGNATURES;
use deckproof::log::refusal::{Code, Refusal};
use deckproof::verify::findings::Unchecked;
use deckproof::verify::{Accepted, Statements, verify_bundle};
use serde_json::{Value, json};
use std::collections::BTreeMap;

use crate::common::vectors::{VECTORS, base64, cases, trust};

fn name(case: &Value) -> &str {
    case["name"].as_str().expect("a name")
}

/// The bytes of a case's bundle, exactly as the vectors give them.
fn bundle(case: &Value) -> Vec<u8> {
    match (case.get("bundle_text"), case.get("bundle_base64")) {
        (Some(text), _) => text.as_str().expect("a text").as_bytes().to_vec(),
        (None, Some(text)) => base64(text),
        (None, None) => case["bundle"].to_string().into_bytes(),
    }
}

fn verify(case: &Value) -> Result<Accepted, Refusal> {
    verify_bundle(&bundle(case), Some(&trust(case.get("trust"))), &Statements::default())
}

fn code(case: &Value) -> &'static str {
    match verify(case) {
        Ok(_) => panic!("accepted: {}", name(case)),
        Err(refusal) => refusal.code.name(),
    }
}

/// A code without a row, or a row without its sentence, would leave a refused player alone.
#[test]
fn protocol_text_explains_every_code_once() {
    let protocol = include_str!("../../PROTOCOL.md");
    let rows: Vec<&str> = protocol.lines().filter(|line| line.starts_with("| <a id=\"E_")).collect();
    let rows_of = |code: &str| {
        let row = format!("| <a id=\"{code}\"></a>`{code}` | ");
        rows.iter().filter(|line| line.starts_with(&row) && line.len() > row.len() + 20).count()
    };
    for code in Code::ALL {
        assert_eq!(rows_of(code.name()), 1, "{code}");
    }
    let vectors = ["negative", "negative_logs", "negative_l4"].iter();
    let expected = vectors.filter_map(|section| VECTORS[*section].as_array()).flatten();
    let mut seen = 0;
    for code in expected.filter_map(|case| case["expect"].as_str()).filter(|code| code.starts_with("E_")) {
        assert_eq!(rows_of(code), 1, "{code}");
        seen += 1;
    }
    assert!(seen >= 100, "{seen} vectors");
}

#[test]
fn every_fault_gives_its_code() {
    let cases = cases(&VECTORS["negative"], 156);
    for case in cases {
        assert_eq!(code(case), case["expect"], "{}: {:?}", name(case), verify(case).err());
    }
    for step in 1..=7 {
        assert!(cases.iter().any(|case| case["step"] == step), "no case of step {step}");
    }
}

#[test]
fn arguable_faults_are_refused_with_a_listed_code() {
    for case in cases(&VECTORS["refused"], 10) {
        let code = code(case);
        assert!(case["one_of"].as_array().expect("a list").iter().any(|one| one == code), "{}", name(case));
    }
}

#[test]
fn honest_bundles_are_accepted_with_their_findings() {
    for case in cases(&VECTORS["positive"], 48) {
        let accepted = verify(case).unwrap_or_else(|refusal| panic!("{}: {refusal}", name(case)));
        let expect = &case["expect"];
        let findings = serde_json::to_value(&accepted.findings).expect("findings are JSON");
        assert_eq!(findings, expect["findings"], "{}", name(case));
        let opened: BTreeMap<String, String> =
            accepted.opened.iter().map(|(at, card)| (at.to_string(), card.to_string())).collect();
        assert_eq!(json!(opened), sorted(&expect["opened"]), "{}", name(case));
        assert!(!accepted.not_checked.contains(&Unchecked::LogProofs), "{}", name(case));
        check_seen(&accepted, expect.get("seen"));
    }
}

fn sorted(object: &Value) -> Value {
    let members: BTreeMap<String, Value> = serde_json::from_value(object.clone()).expect("an object");
    json!(members)
}

fn check_seen(accepted: &Accepted, expect: Option<&Value>) {
    let Some(expect) = expect else { return };
    let seen: BTreeMap<String, Value> = accepted
        .seen
        .iter()
        .map(|(at, line)| {
            let line = line.map(|line| {
                json!([line.seat.map_or(0, |seat| seat.number()), line.street.number(), line.face.letter()])
            });
            (at.to_string(), json!(line))
        })
        .collect();
    assert_eq!(json!(seen), sorted(expect));
}

#[test]
fn what_the_beacon_network_did_not_sign_is_refused() {
    for case in cases(&VECTORS["negative_l4"], 4) {
        if CHECKS_SIGNATURES {
            assert_eq!(code(case), case["expect"], "{}", name(case))
        } else {
            let accepted = verify(case).unwrap_or_else(|refusal| panic!("{}: {refusal}", name(case)));
            assert!(accepted.not_checked.contains(&Unchecked::BeaconSignature), "{}", name(case));
        }
    }
}

#[test]
fn without_a_trust_file_the_origin_is_said_to_be_unchecked() {
    let case = &cases(&VECTORS["positive"], 48)[0];
    let accepted = verify_bundle(&bundle(case), None, &Statements::default()).expect("it is honest");
    assert!(accepted.not_checked.contains(&Unchecked::Origin));
    assert!(accepted.not_checked.contains(&Unchecked::LogProofs));
    assert_eq!((accepted.findings.logged, accepted.findings.log_view), (None, None));
    let other =
        cases(&VECTORS["negative"], 156).iter().find(|case| case["expect"] == "E_ORIGIN").expect("a case");
    assert!(verify_bundle(&bundle(other), None, &Statements::default()).is_ok());
}
