//! The schemas of `schemas/` against what the program really writes, and against what it refuses.

use std::fs;
use std::path::Path;

use assert_cmd::Command;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::common::schema::{check_valid, is_valid};

fn deckproof(folder: &Path, arguments: &[&str]) -> String {
    let mut command = Command::cargo_bin("deckproof").expect("the binary is built");
    let output = command.current_dir(folder).args(arguments).output().expect("it runs");
    String::from_utf8(output.stdout).expect("it prints UTF-8")
}

/// Every line of an output keeps the schema; so many lines there are.
fn check_lines(schema: &str, lines: usize, output: &str) {
    assert_eq!(output.lines().count(), lines, "{output}");
    for line in output.lines() {
        check_valid(schema, &serde_json::from_str(line).expect("a line of JSON"));
    }
}

#[test]
fn bundles_and_what_verify_says_of_them_keep_their_schemas() {
    let folder = TempDir::new().expect("a folder");
    let at = folder.path();
    deckproof(at, &["deal", "--table", "T-1", "--hands", "1", "--seats", "1,2,4", "--out", "out"]);
    deckproof(at, &["bundle", "out", "--hand", "1"]);
    let names = ["out/hand-1/full-reveal.json", "out/hand-1/seat-1.json", "out/hand-1/seat-4.json"];
    for name in names {
        let text = fs::read_to_string(at.join(name)).expect("a bundle");
        let bundle: Value = serde_json::from_str(&text).expect("a bundle is JSON");
        check_valid("bundle", &bundle);
        for (key, value) in
            [("unknown", json!(1)), ("seen", json!({ "52": "7h" })), ("deck_entry", Value::Null)]
        {
            let mut spoilt = bundle.clone();
            spoilt[key] = value;
            assert!(!is_valid("bundle", &spoilt), "{key}");
        }
    }
    check_lines("verify", 3, &deckproof(at, &["verify", "--json", names[0], names[1], names[2]]));
    let opened = deckproof(at, &["verify", "--json", names[1]]);
    let opened: Value = serde_json::from_str(&opened).expect("JSON");
    let seen =
        format!("--seen=0={},51=2c", opened["opened"]["0"].as_str().expect("the first card is seat 1's"));
    check_lines("verify", 1, &deckproof(at, &["verify", "--json", names[1], &seen]));
    fs::write(at.join("bad.json"), "{\"format\": 1}").expect("writable");
    let said = deckproof(at, &["verify", "--json", "bad.json", "nowhere.json"]);
    check_lines("verify", 2, &said);
}

#[test]
fn vectors_that_verify_keep_the_schema_of_bundles_and_malformed_ones_do_not() {
    let vectors: Value =
        serde_json::from_str(include_str!("../../fixtures/protocol.json")).expect("the fixture is JSON");
    let cases = |section: &str| vectors[section].as_array().expect("a section").clone();
    let (mut valid, mut invalid) = (0, 0);
    for bundle in cases("positive").iter().filter_map(|case| case.get("bundle")) {
        check_valid("bundle", bundle);
        valid += 1;
    }
    for case in cases("negative") {
        // What a key needs of another one no schema here can say.
        let name = case["name"].as_str().expect("a name");
        let hangs_on_another = ["cut entry missing", "proof of a cut"].iter().any(|part| name.contains(part));
        if case["step"] == 1
            && !hangs_on_another
            && let Some(bundle) = case.get("bundle")
        {
            assert!(!is_valid("bundle", bundle), "{name}");
            invalid += 1;
        }
    }
    assert!(valid >= 30 && invalid >= 20, "{valid} {invalid}");
}

#[test]
fn calculators_keep_their_schemas() {
    let at = Path::new(env!("CARGO_MANIFEST_DIR"));
    let hands = ["rank", "--json", "As Ks 9h 9d 4c 3c 2s", "As2d3c4h5s9d9c", "TsJsQsKsAs2c3d"];
    check_lines("rank", 3, &deckproof(at, &hands));
    let key = "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff";
    check_lines("deck", 1, &deckproof(at, &["deck", "--json", "--audit-key", key, "--index", "1"]));
    assert!(!is_valid("rank", &json!({ "high": null, "low": null })));
}

#[test]
fn words_and_pairs_keep_their_schemas() {
    let folder = TempDir::new().expect("a folder");
    let at = folder.path();
    let bytes: Vec<u8> =
        (0..60_000u32).map(|number| (number.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
    fs::write(at.join("w.bin"), &bytes).expect("writable");
    for width in ["u8", "u32", "u64"] {
        check_lines("words", 1, &deckproof(at, &["words", "w.bin", "--word", width, "--json"]));
    }
    fs::write(at.join("one.bin"), &bytes[..4]).expect("writable");
    check_lines("words", 1, &deckproof(at, &["words", "one.bin", "--json"]));
    check_lines("refusal", 1, &deckproof(at, &["words", "w.bin", "nothing", "--json"]));
    let pairs = deckproof(at, &["stream", "--pairs", "12", "--seed", "table 9"]);
    fs::write(at.join("p.csv"), &pairs).expect("writable");
    check_lines("pairs", 1, &deckproof(at, &["pairs", "p.csv", "--json"]));
    // A deck by other words, one by too few and one by too many.
    let mut lines: Vec<String> = pairs.lines().map(str::to_owned).collect();
    let swapped = lines[3].rsplit_once(',').expect("a deck").1.to_owned();
    let words = |line: &str| line.rsplit_once(',').expect("a deck").0.to_owned();
    lines[2] = format!("{},{swapped}", words(&lines[2]));
    let (before, deck) = lines[5].rsplit_once(',').expect("a deck");
    lines[5] = format!("{},{deck}", before.rsplit_once(' ').expect("words").0);
    lines[9] = format!("{} 5,{}", words(&lines[9]), lines[9].rsplit_once(',').expect("a deck").1);
    fs::write(at.join("q.csv"), lines.join("\n")).expect("writable");
    let said = deckproof(at, &["pairs", "q.csv", "--scaling", "certified", "--bits", "32", "--json"]);
    check_lines("pairs", 1, &said);
    for kind in ["\"differs\"", "\"draw\"", "\"short\"", "\"left\""] {
        assert!(said.contains(kind), "{kind}: {said}");
    }
    let spoilt: Value = serde_json::from_str(&said).expect("JSON");
    for (key, value) in [("verdict", json!("maybe")), ("not_given", json!(-1)), ("more", json!(1))] {
        let mut spoilt = spoilt.clone();
        spoilt[key] = value;
        assert!(!is_valid("pairs", &spoilt), "{key}");
    }
}

#[test]
fn replayed_hands_keep_their_schema() {
    let folder = TempDir::new().expect("a folder");
    let hand = |last: &str| {
        format!(
            "variant = 'F7S'\nantes = [1, 1]\nbring_in = 2\nsmall_bet = 5\nbig_bet = 10\nstarting_stacks = [50, 50]\n\
             actions = ['d dh p1 ????7c', 'd dh p2 ????Kd', 'p1 pb', '{last}']\n"
        )
    };
    for (name, text) in
        [("legal", hand("p2 f")), ("illegal", hand("p2 cbr 49")), ("none", "x = 1".to_owned())]
    {
        fs::write(folder.path().join(format!("{name}.phh")), text).expect("writable");
    }
    let files = ["replay", "--json", "--rules", "stud-hi", "legal.phh", "illegal.phh", "none.phh"];
    let said = deckproof(folder.path(), &files);
    check_lines("replay", 3, &said);
    for verdict in ["\"legal\"", "\"illegal\"", "null"] {
        assert!(said.contains(&format!("\"verdict\":{verdict}")), "{said}");
    }
}

#[test]
fn hands_and_their_certificates_keep_their_schemas() {
    let folder = TempDir::new().expect("a folder");
    let at = folder.path();
    fs::write(at.join("room.txt"), include_str!("rooms/three_seats.txt")).expect("writable");
    let twice = include_str!("rooms/three_seats.txt").replace("Th", "Kd");
    fs::write(at.join("twice.txt"), twice).expect("writable");
    for (file, out) in [("room.txt", "a"), ("twice.txt", "b")] {
        check_lines("hands", 1, &deckproof(at, &["hands", "--json", "--out", out, file]));
        let text = fs::read_to_string(at.join(out).join("certificate.json")).expect("it is written");
        check_valid("hands-certificate", &serde_json::from_str(&text).expect("JSON"));
    }
    let said = deckproof(at, &["verify", "--json", "a/certificate.json", "b/certificate.json"]);
    check_lines("verify-certificate", 2, &said);
    assert!(said.contains("\"fail\"") && said.contains("\"inconclusive\""), "{said}");
}

#[test]
fn the_list_of_statistics_keeps_its_schema() {
    let at = Path::new(env!("CARGO_MANIFEST_DIR"));
    check_lines("audit-list", 1, &deckproof(at, &["audit", "--list", "--json"]));
}

/// One audit that passes or says too little, and one that asks for its repeat.
#[test]
fn plans_certificates_and_outcomes_keep_their_schemas() {
    let folder = TempDir::new().expect("a folder");
    let at = folder.path();
    let read = |name: &str| -> Value {
        serde_json::from_slice(&fs::read(at.join(name)).expect("it is written")).expect("it is JSON")
    };
    let mut looks = Vec::new();
    for (source, out) in [("flawed:sattolo:1", "a"), ("flawed:riffle-8:7", "b")] {
        let said = deckproof(
            at,
            &["audit", "--source", source, "--decks", "100", "--tiers", "core", "--json", "--out", out],
        );
        check_lines("audit", 1, &said);
        let certificate = read(&format!("{out}/certificate.json"));
        check_valid("certificate", &certificate);
        check_valid("plan", &certificate["result"]["plan"]);
        looks.push(certificate["result"]["repeat"].is_object());
        for (place, value) in
            [("/result/verdict", json!("PASS")), ("/result/first/statistics/0/parts/0/3", json!(1.5))]
        {
            let mut spoilt = certificate.clone();
            *spoilt.pointer_mut(place).expect("it is there") = value;
            assert!(!is_valid("certificate", &spoilt), "{place}");
        }
    }
    assert_eq!(looks, [false, true], "one of the audits has a repeat");
    let text = fs::read_to_string(at.join("a/certificate.json")).expect("it is written");
    fs::write(at.join("bad.json"), text.replacen("\"decks\":100", "\"decks\":101", 1)).expect("writable");
    let said = deckproof(at, &["verify", "--json", "a/certificate.json", "b/certificate.json", "bad.json"]);
    check_lines("verify-certificate", 3, &said);
    assert!(said.contains("\"refused\""), "{said}");
    let plan = deckproof(at, &["plan", "--source", "flawed:sattolo:1", "--decks", "1000", "--json"]);
    let plan: Value = serde_json::from_str(&plan).expect("one object");
    check_valid("plan", &plan["plan"]);
    let mut spoilt = plan["plan"].clone();
    spoilt["table"]["players"] = json!(9);
    assert!(!is_valid("plan", &spoilt));
}

/// A validator that is given the whole folder finds each schema by its address, and what it refers to beside it.
#[test]
fn every_schema_has_an_address_of_its_own() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("schemas");
    let mut found = 0;
    for entry in fs::read_dir(&folder).expect("readable") {
        let name = entry.expect("an entry").file_name().into_string().expect("a plain name");
        if !name.ends_with(".schema.json") {
            continue;
        }
        let text = fs::read_to_string(folder.join(&name)).expect("readable");
        let schema: Value = serde_json::from_str(&text).expect("JSON");
        assert_eq!(schema["$id"], format!("https://deckproof.example/schemas/{name}"));
        let references = text.split("\"$ref\": \"").skip(1).filter_map(|rest| rest.split('"').next());
        references.for_each(|other| assert!(folder.join(other).exists(), "{name}: {other}"));
        found += 1;
    }
    assert!(found >= 18, "{found} schemas");
}
