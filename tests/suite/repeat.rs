//! The one repeat: a first look that says investigate is answered by the next decks of the same source.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;

use assert_cmd::Command;
use deckproof::certificate::Certificate;
use deckproof::deck::block::DeckBlock;
use deckproof::source::DeckSource;
use deckproof::source::flawed::Flawed;
use serde_json::Value;
use tempfile::TempDir;

/// Decks of the first look.
pub const DECKS: u64 = 100;

fn deckproof(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::cargo_bin("deckproof").expect("the program is built");
    command.current_dir(folder).args(arguments).output().expect("the program runs")
}

fn json(output: &Output) -> Value {
    let error = String::from_utf8_lossy(&output.stderr);
    serde_json::from_slice(&output.stdout).unwrap_or_else(|found| panic!("{found}: {error}"))
}

/// Audits 100 decks, writes to `out` and says how it ended.
fn audit(folder: &Path, source: &str, out: &str, more: &[&str]) -> (Option<i32>, Value) {
    let decks = DECKS.to_string();
    let fixed = ["audit", "--tiers", "core", "--json", "--source", source, "--decks", &decks, "--out", out];
    let output = deckproof(folder, &[&fixed, more].concat());
    (output.status.code(), json(&output))
}

/// A flawed dealer that 100 decks make suspect and do not convict.
fn suspect(folder: &Path) -> String {
    let names = (1..60).map(|seed| format!("riffle-8:{seed}"));
    let mut suspects = names.filter(|name| {
        let (_, outcome) = audit(folder, &format!("flawed:{name}"), name, &["--no-repeat"]);
        outcome["verdict"] == "investigate"
    });
    suspects.next().expect("eight riffles are seen at about a hundred decks")
}

fn decks(name: &str, count: u64) -> Vec<u8> {
    let mut source = Flawed::open(name, count).expect("it is in the list");
    let (mut block, mut bytes) = (DeckBlock::default(), Vec::new());
    for first in (0..count).step_by(64) {
        source.fill(first, &mut block).expect("no record is spoilt");
        (0..block.hands()).for_each(|lane| bytes.extend(block.deck(lane).indices()));
    }
    bytes
}

/// A scratch folder with the suspect's first 100 decks followed by 400 fair ones, 52 bytes a deck.
pub fn suspect_then_fair() -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a scratch folder can be made");
    let suspect = suspect(folder.path());
    let path = folder.path().join("decks.raw");
    let bytes = [decks(&suspect, DECKS), decks("certified:7", 4 * DECKS)].concat();
    fs::write(&path, bytes).expect("the scratch folder is writable");
    (folder, path)
}

#[test]
fn a_flawed_dealer_fails_in_the_repeat_and_both_looks_stay() {
    let folder = tempfile::tempdir().expect("a scratch folder can be made");
    let source = format!("flawed:{}", suspect(folder.path()));
    let (code, outcome) = audit(folder.path(), &source, "out", &["--csv", "sheets"]);
    assert_eq!((code, &outcome["verdict"]), (Some(1), &"fail".into()));
    let looks = outcome["looks"].as_array().expect("a list of looks");
    let said: Vec<_> = looks
        .iter()
        .map(|look| (look["verdict"].as_str(), look["first_deck"].as_u64(), look["decks"].as_u64()))
        .collect();
    assert_eq!(said, [(Some("investigate"), Some(0), Some(100)), (Some("fail"), Some(100), Some(400))]);

    let certificate = folder.path().join("out/certificate.json");
    let text = fs::read_to_string(&certificate).expect("it was written");
    let record: Value = serde_json::from_str(&text).expect("it is JSON");
    assert_eq!(record["result"]["first"]["tallies"][0]["decks"], 100);
    assert_eq!(record["result"]["repeat"]["tallies"][0]["decks"], 400);
    let report = fs::read_to_string(folder.path().join("out/report.html")).expect("it was written");
    // The page speaks of the repeat, which decides; the first look has an annex.
    assert!(report.contains("id=\"annex-earlier\"") && report.contains("first look"));
    let extent = "500: 100 in the first look, with the verdict investigate, and the next 400 in the declared repeat, which decides";
    assert!(report.contains(extent));
    assert!(report.len() < 500_000, "{} bytes", report.len());
    for sheet in
        ["first-p-values.csv", "repeat-p-values.csv", "repeat-counts-deck.card-place.csv", "README.txt"]
    {
        assert!(folder.path().join("sheets").join(sheet).is_file(), "{sheet}");
    }
    let counts = fs::read_to_string(folder.path().join("sheets/first-counts-deck.card-place.csv"))
        .expect("it was written");
    let sum: u64 =
        counts.lines().skip(1).filter_map(|line| line.split(',').nth(1)?.parse::<u64>().ok()).sum();
    assert_eq!(sum, 52 * DECKS);

    for more in [&[][..], &["--rerun"]] {
        let verified = deckproof(folder.path(), &[&["verify", "out/certificate.json"], more].concat());
        let said = String::from_utf8_lossy(&verified.stdout).into_owned();
        assert!(said.contains("is consistent") && verified.status.code() == Some(1), "{said}");
    }
    // The repeat taken out, or one of its integers changed: refused.
    let mut without = record.clone();
    without["result"]["repeat"] = Value::Null;
    without["result"]["verdict"] = "pass".into();
    check_refused(folder.path(), &without);
    let mut other = Certificate::read(text.as_bytes()).expect("its own text");
    other.result.repeat.as_mut().expect("it was had").tallies[0].counts[0] += 1;
    check_refused(folder.path(), &serde_json::from_str(&other.to_json()).expect("it is JSON"));
    let mut mild = record;
    mild["result"]["repeat"]["standards"][0]["verdict"] = "met".into();
    mild["result"]["first"]["standards"][0]["verdict"] = "not-run".into();
    check_refused(folder.path(), &mild);
}

fn check_refused(folder: &Path, record: &Value) {
    fs::write(folder.join("forged.json"), record.to_string()).expect("the scratch folder is writable");
    let verified = deckproof(folder, &["verify", "forged.json"]);
    let said = String::from_utf8_lossy(&verified.stdout).into_owned();
    assert!(
        said.contains("REFUSED, and no verdict of it counts") && verified.status.code() == Some(1),
        "{said}"
    );
}

#[test]
fn a_program_runs_on_and_is_not_started_again() {
    let (folder, _) = suspect_then_fair();
    // Started again it would deal the same suspect decks first, and fail.
    let (code, outcome) = audit(folder.path(), "cmd:cat decks.raw", "out", &["--format", "raw"]);
    // The repeat finds nothing, and 500 decks in all pass nobody.
    assert_eq!((code, &outcome["verdict"]), (Some(2), &"inconclusive".into()), "{}", outcome["sentence"]);
    assert_eq!(outcome["looks"][0]["verdict"], "investigate");
    assert_eq!(outcome["looks"][1]["verdict"], "pass");
    let supplied = ["verify", "out/certificate.json", "--rerun", "--source", "cmd:cat decks.raw"];
    let verified = deckproof(folder.path(), &supplied);
    assert_eq!(verified.status.code(), Some(2), "{}", String::from_utf8_lossy(&verified.stderr));
}

/// Deck 8 of the first look is deck 301 of all: a generator that begins again does that with every deck.
#[test]
fn a_deck_of_the_first_look_that_comes_again_in_the_repeat_is_proof() {
    let (folder, path) = suspect_then_fair();
    let mut bytes = fs::read(&path).expect("it was written");
    bytes.copy_within(7 * 52..8 * 52, 300 * 52);
    fs::write(&path, bytes).expect("the scratch folder is writable");
    let kept = ["--format", "raw", "--checkpoint", "kept"];
    let (code, outcome) = audit(folder.path(), "cmd:cat decks.raw", "out", &kept);
    assert_eq!((code, &outcome["verdict"]), (Some(1), &"fail".into()), "{}", outcome["sentence"]);
    let proof = outcome["proofs"][0].as_str().expect("a proof");
    assert!(proof.contains("came up again: 8 and 301, counted from 1. 1 equal pair among 500"), "{proof}");
    let supplied = ["verify", "out/certificate.json", "--rerun", "--source", "cmd:cat decks.raw"];
    let verified = deckproof(folder.path(), &supplied);
    let said = String::from_utf8_lossy(&verified.stdout).into_owned();
    assert!(verified.status.code() == Some(1) && said.contains("every integer is the same"), "{said}");
    // The fingerprints of the repeat alone are not those of all decks.
    let mut record: Value = serde_json::from_slice(
        &fs::read(folder.path().join("out/certificate.json")).expect("it was written"),
    )
    .expect("it is JSON");
    record["result"]["repeat"]["duplicates"][0]["decks"] = 400.into();
    check_refused(folder.path(), &record);
}

#[test]
fn a_source_that_cannot_go_on_keeps_investigate() {
    let (folder, path) = suspect_then_fair();
    // A recorded file is what it is, even if it holds more.
    let (code, outcome) = audit(folder.path(), "raw:decks.raw", "file", &[]);
    assert_eq!((code, &outcome["verdict"]), (Some(3), &"investigate".into()));
    assert_eq!(outcome["repeat_missing"], Value::Null);
    // A stream that ends: the first result is not dropped, and the reason stands in the certificate.
    let bytes = fs::read(&path).expect("it was written");
    fs::write(folder.path().join("short.raw"), &bytes[..52 * 300]).expect("the scratch folder is writable");
    let (code, outcome) = audit(folder.path(), "cmd:cat short.raw", "short", &["--format", "raw"]);
    assert_eq!((code, &outcome["verdict"]), (Some(3), &"investigate".into()));
    let reason = outcome["repeat_missing"].as_str().unwrap_or_default();
    assert!(reason.contains("the stream ended before its last deck"), "{reason}");
    let supplied = ["verify", "short/certificate.json", "--rerun", "--source", "cmd:cat short.raw"];
    assert_eq!(deckproof(folder.path(), &supplied).status.code(), Some(3));
}

#[test]
fn without_the_repeat_a_first_look_is_left_at_that() {
    let folder = tempfile::tempdir().expect("a scratch folder can be made");
    let source = format!("flawed:{}", suspect(folder.path()));
    let (code, outcome) = audit(folder.path(), &source, "out", &["--no-repeat"]);
    assert_eq!((code, &outcome["verdict"]), (Some(3), &"investigate".into()));
    assert_eq!(outcome["looks"].as_array().map(Vec::len), Some(1));
}

#[test]
fn a_record_that_is_no_deck_is_proof_in_a_shard_too() {
    let folder = tempfile::tempdir().expect("a scratch folder can be made");
    let shard = ["audit", "--source", "flawed:joker", "--decks", "2000", "--shard", "1/1", "--json"];
    let output = deckproof(folder.path(), &[&shard[..], &["--out", "out"]].concat());
    let outcome = json(&output);
    assert_eq!((output.status.code(), &outcome["verdict"]), (Some(1), &"fail".into()));
    assert!(outcome["proofs"][0].as_str().is_some_and(|proof| proof.contains("Record 1001")), "{outcome}");
}
