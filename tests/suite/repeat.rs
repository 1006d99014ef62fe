//! The one repeat: a first look that says investigate is answered by the next decks of the same source.

use deckproof::certificate::Certificate;
use serde_json::Value;

use crate::common::decks::raw;
use crate::common::lab::Lab;

/// Decks of the first look.
pub const DECKS: u64 = 100;

/// Audits 100 decks, writes to `out` and says how it ended.
fn audit(lab: &Lab, source: &str, out: &str, more: &[&str]) -> (i32, Value) {
    let decks = DECKS.to_string();
    let fixed = ["audit", "--tiers", "core", "--json", "--source", source, "--decks", &decks, "--out", out];
    let output = lab.run(&[&fixed, more].concat());
    (output.code, output.json())
}

/// A flawed dealer that 100 decks make suspect and do not convict.
fn suspect(lab: &Lab) -> String {
    let names = (1..60).map(|seed| format!("riffle-8:{seed}"));
    let mut suspects = names.filter(|name| {
        let (_, outcome) = audit(lab, &format!("flawed:{name}"), name, &["--no-repeat"]);
        outcome["verdict"] == "investigate"
    });
    suspects.next().expect("eight riffles are seen at about a hundred decks")
}

/// A scratch folder with the suspect's first 100 decks followed by 400 fair ones, 52 bytes a deck.
pub fn suspect_then_fair() -> Lab {
    let lab = Lab::new();
    let suspect = suspect(&lab);
    lab.write("decks.raw", [raw(&suspect, DECKS), raw("certified:7", 4 * DECKS)].concat());
    lab
}

#[test]
fn a_flawed_dealer_fails_in_the_repeat_and_both_looks_stay() {
    let lab = Lab::new();
    let source = format!("flawed:{}", suspect(&lab));
    let (code, outcome) = audit(&lab, &source, "out", &["--csv", "sheets"]);
    assert_eq!((code, &outcome["verdict"]), (1, &"fail".into()));
    let looks = outcome["looks"].as_array().expect("a list of looks");
    let output: Vec<_> = looks
        .iter()
        .map(|look| (look["verdict"].as_str(), look["first_deck"].as_u64(), look["decks"].as_u64()))
        .collect();
    assert_eq!(output, [(Some("investigate"), Some(0), Some(100)), (Some("fail"), Some(100), Some(400))]);

    let record = lab.certificate("out");
    assert_eq!(record["result"]["first"]["tallies"][0]["decks"], 100);
    assert_eq!(record["result"]["repeat"]["tallies"][0]["decks"], 400);
    let report = lab.text("out/report.html");
    // The page speaks of the repeat, which decides; the first look has an annex.
    assert!(report.contains("id=\"annex-earlier\"") && report.contains("first look"));
    let extent = "500: 100 in the first look, with the verdict investigate, and the next 400 in the declared repeat, which decides";
    assert!(report.contains(extent));
    assert!(report.len() < 500_000, "{} bytes", report.len());
    for sheet in
        ["first-p-values.csv", "repeat-p-values.csv", "repeat-counts-deck.card-place.csv", "README.txt"]
    {
        assert!(lab.exists(&format!("sheets/{sheet}")), "{sheet}");
    }
    let counts = lab.text("sheets/first-counts-deck.card-place.csv");
    let sum: u64 =
        counts.lines().skip(1).filter_map(|line| line.split(',').nth(1)?.parse::<u64>().ok()).sum();
    assert_eq!(sum, 52 * DECKS);

    for more in [&[][..], &["--rerun"]] {
        lab.run(&[&["verify", "out/certificate.json"], more].concat()).ends(1).must_print("is consistent");
    }
    // The repeat taken out, or one of its integers changed: refused.
    let mut without = record.clone();
    without["result"]["repeat"] = Value::Null;
    without["result"]["verdict"] = "pass".into();
    check_refused(&lab, &without);
    let mut other = Certificate::read(&lab.read("out/certificate.json")).expect("its own text");
    other.result.repeat.as_mut().expect("it was had").tallies[0].counts[0] += 1;
    check_refused(&lab, &serde_json::from_str(&other.to_json()).expect("it is JSON"));
    let mut mild = record;
    mild["result"]["repeat"]["standards"][0]["verdict"] = "met".into();
    mild["result"]["first"]["standards"][0]["verdict"] = "not-run".into();
    check_refused(&lab, &mild);
}

fn check_refused(lab: &Lab, record: &Value) {
    lab.write("forged.json", record.to_string());
    lab.run(&["verify", "forged.json"]).ends(1).must_print("REFUSED, and no verdict of it counts");
}

#[test]
fn a_program_runs_on_and_is_not_started_again() {
    let lab = suspect_then_fair();
    // Started again it would deal the same suspect decks first, and fail.
    let (code, outcome) = audit(&lab, "cmd:cat decks.raw", "out", &["--format", "raw"]);
    // The repeat finds nothing, and 500 decks in all pass nobody.
    assert_eq!((code, &outcome["verdict"]), (2, &"inconclusive".into()), "{}", outcome["sentence"]);
    assert_eq!(outcome["looks"][0]["verdict"], "investigate");
    assert_eq!(outcome["looks"][1]["verdict"], "pass");
    let supplied = ["verify", "out/certificate.json", "--rerun", "--source", "cmd:cat decks.raw"];
    lab.run(&supplied).ends(2);
}

/// Deck 8 of the first look is deck 301 of all: a generator that begins again does that with every deck.
#[test]
fn a_deck_of_the_first_look_that_comes_again_in_the_repeat_is_proof() {
    let lab = suspect_then_fair();
    let mut bytes = lab.read("decks.raw");
    bytes.copy_within(7 * 52..8 * 52, 300 * 52);
    lab.write("decks.raw", bytes);
    let kept = ["--format", "raw", "--checkpoint", "kept"];
    let (code, outcome) = audit(&lab, "cmd:cat decks.raw", "out", &kept);
    assert_eq!((code, &outcome["verdict"]), (1, &"fail".into()), "{}", outcome["sentence"]);
    let proof = outcome["proofs"][0].as_str().expect("a proof");
    assert!(proof.contains("came up again: 8 and 301, counted from 1. 1 equal pair among 500"), "{proof}");
    let supplied = ["verify", "out/certificate.json", "--rerun", "--source", "cmd:cat decks.raw"];
    lab.run(&supplied).ends(1).must_print("every integer is the same");
    // The fingerprints of the repeat alone are not those of all decks.
    let mut record = lab.certificate("out");
    record["result"]["repeat"]["duplicates"][0]["decks"] = 400.into();
    check_refused(&lab, &record);
}

#[test]
fn a_source_that_cannot_go_on_keeps_investigate() {
    let lab = suspect_then_fair();
    // A recorded file is what it is, even if it holds more.
    let (code, outcome) = audit(&lab, "raw:decks.raw", "file", &[]);
    assert_eq!((code, &outcome["verdict"]), (3, &"investigate".into()));
    assert_eq!(outcome["repeat_missing"], Value::Null);
    // A stream that ends: the first result is not dropped, and the reason stands in the certificate.
    lab.write("short.raw", &lab.read("decks.raw")[..52 * 300]);
    let (code, outcome) = audit(&lab, "cmd:cat short.raw", "short", &["--format", "raw"]);
    assert_eq!((code, &outcome["verdict"]), (3, &"investigate".into()));
    let reason = outcome["repeat_missing"].as_str().unwrap_or_default();
    assert!(reason.contains("the stream ended before its last deck"), "{reason}");
    let supplied = ["verify", "short/certificate.json", "--rerun", "--source", "cmd:cat short.raw"];
    lab.run(&supplied).ends(3);
}

#[test]
fn without_the_repeat_a_first_look_is_left_at_that() {
    let lab = Lab::new();
    let source = format!("flawed:{}", suspect(&lab));
    let (code, outcome) = audit(&lab, &source, "out", &["--no-repeat"]);
    assert_eq!((code, &outcome["verdict"]), (3, &"investigate".into()));
    assert_eq!(outcome["looks"].as_array().map(Vec::len), Some(1));
}

#[test]
fn a_record_that_is_no_deck_is_proof_in_a_shard_too() {
    let lab = Lab::new();
    let shard = ["audit", "--source", "flawed:joker", "--decks", "2000", "--shard", "1/1", "--json"];
    let outcome = lab.run(&[&shard[..], &["--out", "out"]].concat()).ends(1).json();
    assert_eq!(outcome["verdict"], "fail");
    assert!(outcome["proofs"][0].as_str().is_some_and(|proof| proof.contains("Record 1001")), "{outcome}");
}
