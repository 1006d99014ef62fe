//! The schemas of `schemas/` against what the program really writes, and against what it refuses.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use crate::common::lab::{KEY, Lab, Output, json_lines};
use crate::common::schema::{check_valid, is_valid};
use crate::common::vectors::VECTORS;

/// Every line of an output keeps the schema; so many lines there are.
fn check_lines(schema: &str, lines: usize, output: &Output) {
    let found = json_lines(output);
    assert_eq!(found.len(), lines, "{output}");
    found.iter().for_each(|line| check_valid(schema, line));
}

#[test]
fn bundles_and_what_verify_says_of_them_keep_their_schemas() {
    let lab = Lab::new();
    lab.run(&["deal", "--table", "T-1", "--hands", "1", "--seats", "1,2,4", "--out", "out"]);
    lab.run(&["bundle", "out", "--hand", "1"]);
    let names = ["out/hand-1/full-reveal.json", "out/hand-1/seat-1.json", "out/hand-1/seat-4.json"];
    for name in names {
        let bundle = lab.json(name);
        check_valid("bundle", &bundle);
        for (key, value) in
            [("unknown", json!(1)), ("seen", json!({ "52": "7h" })), ("deck_entry", Value::Null)]
        {
            let mut spoilt = bundle.clone();
            spoilt[key] = value;
            assert!(!is_valid("bundle", &spoilt), "{key}");
        }
    }
    check_lines("verify", 3, &lab.run(&["verify", "--json", names[0], names[1], names[2]]));
    let opened = lab.run(&["verify", "--json", names[1]]).json();
    let seen =
        format!("--seen=0={},51=2c", opened["opened"]["0"].as_str().expect("the first card is seat 1's"));
    check_lines("verify", 1, &lab.run(&["verify", "--json", names[1], &seen]));
    lab.write("bad.json", "{\"format\": 1}");
    let output = lab.run(&["verify", "--json", "bad.json", "nowhere.json"]);
    check_lines("verify", 2, &output);
}

#[test]
fn vectors_that_verify_keep_the_schema_of_bundles_and_malformed_ones_do_not() {
    let cases = |section: &str| VECTORS[section].as_array().expect("a section").clone();
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
    let lab = Lab::new();
    let hands = ["rank", "--json", "As Ks 9h 9d 4c 3c 2s", "As2d3c4h5s9d9c", "TsJsQsKsAs2c3d"];
    check_lines("rank", 3, &lab.run(&hands));
    check_lines("deck", 1, &lab.run(&["deck", "--json", "--audit-key", KEY, "--index", "1"]));
    assert!(!is_valid("rank", &json!({ "high": null, "low": null })));
}

#[test]
fn words_and_pairs_keep_their_schemas() {
    let lab = Lab::new();
    let bytes: Vec<u8> =
        (0..60_000u32).map(|number| (number.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
    lab.write("w.bin", &bytes);
    for width in ["u8", "u32", "u64"] {
        check_lines("words", 1, &lab.run(&["words", "w.bin", "--word", width, "--json"]));
    }
    lab.write("one.bin", &bytes[..4]);
    check_lines("words", 1, &lab.run(&["words", "one.bin", "--json"]));
    check_lines("refusal", 1, &lab.run(&["words", "w.bin", "nothing", "--json"]));
    let pairs = lab.run(&["stream", "--pairs", "12", "--seed", "table 9"]).out;
    lab.write("p.csv", &pairs);
    check_lines("pairs", 1, &lab.run(&["pairs", "p.csv", "--json"]));
    // A deck by other words, one by too few and one by too many.
    let mut lines: Vec<String> = pairs.lines().map(str::to_owned).collect();
    let swapped = lines[3].rsplit_once(',').expect("a deck").1.to_owned();
    let words = |line: &str| line.rsplit_once(',').expect("a deck").0.to_owned();
    lines[2] = format!("{},{swapped}", words(&lines[2]));
    let (before, deck) = lines[5].rsplit_once(',').expect("a deck");
    lines[5] = format!("{},{deck}", before.rsplit_once(' ').expect("words").0);
    lines[9] = format!("{} 5,{}", words(&lines[9]), lines[9].rsplit_once(',').expect("a deck").1);
    lab.write("q.csv", lines.join("\n"));
    let output = lab.run(&["pairs", "q.csv", "--scaling", "certified", "--bits", "32", "--json"]);
    check_lines("pairs", 1, &output);
    for kind in ["\"differs\"", "\"draw\"", "\"short\"", "\"left\""] {
        output.must_print(kind);
    }
    let spoilt = output.json();
    for (key, value) in [("verdict", json!("maybe")), ("not_given", json!(-1)), ("more", json!(1))] {
        let mut spoilt = spoilt.clone();
        spoilt[key] = value;
        assert!(!is_valid("pairs", &spoilt), "{key}");
    }
}

#[test]
fn replayed_hands_keep_their_schema() {
    let lab = Lab::new();
    let hand = |last: &str| {
        format!(
            "variant = 'F7S'\nantes = [1, 1]\nbring_in = 2\nsmall_bet = 5\nbig_bet = 10\nstarting_stacks = [50, 50]\n\
             actions = ['d dh p1 ????7c', 'd dh p2 ????Kd', 'p1 pb', '{last}']\n"
        )
    };
    for (name, text) in
        [("legal", hand("p2 f")), ("illegal", hand("p2 cbr 49")), ("none", "x = 1".to_owned())]
    {
        lab.write(&format!("{name}.phh"), text);
    }
    let files = ["replay", "--json", "--rules", "stud-hi", "legal.phh", "illegal.phh", "none.phh"];
    let output = lab.run(&files);
    check_lines("replay", 3, &output);
    for verdict in ["\"legal\"", "\"illegal\"", "null"] {
        output.must_print(&format!("\"verdict\":{verdict}"));
    }
}

#[test]
fn hands_and_their_certificates_keep_their_schemas() {
    let lab = Lab::new();
    lab.write("room.txt", include_str!("rooms/three_seats.txt"));
    let twice = include_str!("rooms/three_seats.txt").replace("Th", "Kd");
    lab.write("twice.txt", twice);
    for (file, out) in [("room.txt", "a"), ("twice.txt", "b")] {
        check_lines("hands", 1, &lab.run(&["hands", "--json", "--out", out, file]));
        check_valid("hands-certificate", &lab.certificate(out));
    }
    let output = lab.run(&["verify", "--json", "a/certificate.json", "b/certificate.json"]);
    check_lines("verify-certificate", 2, &output);
    check_lines("verify-certificate", 1, &lab.run(&["verify", "--json", "a/certificate.json"]));
    output.must_print("\"fail\"").must_print("\"inconclusive\"");
}

#[test]
fn the_list_of_statistics_keeps_its_schema() {
    let lab = Lab::new();
    check_lines("audit-list", 1, &lab.run(&["audit", "--list", "--json"]));
}

/// One audit that passes or says too little, and one that asks for its repeat.
#[test]
fn plans_certificates_and_outcomes_keep_their_schemas() {
    let lab = Lab::new();
    let mut looks = Vec::new();
    for (source, out) in [("flawed:sattolo:1", "a"), ("flawed:riffle-8:7", "b")] {
        let output = lab
            .run(&["audit", "--source", source, "--decks", "100", "--tiers", "core", "--json", "--out", out]);
        check_lines("audit", 1, &output);
        let certificate = lab.certificate(out);
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
    let text = lab.text("a/certificate.json");
    lab.write("bad.json", text.replacen("\"decks\":100", "\"decks\":101", 1));
    let output = lab.run(&["verify", "--json", "a/certificate.json", "b/certificate.json", "bad.json"]);
    check_lines("verify-certificate", 3, &output);
    output.must_print("\"refused\"");
    // Of a part of all statistics no power was measured; a stream has no number of decks yet.
    let stream = ["--source", "-", "--format", "cards"];
    let core = ["--source", "flawed:sattolo:1", "--decks", "100", "--tiers", "core", "--out", "plan.toml"];
    for own in [&stream[..], &core] {
        check_lines("plan-summary", 1, &lab.run(&[&["plan", "--json"], own].concat()));
    }
    let plan = lab.run(&["plan", "--source", "flawed:sattolo:1", "--decks", "1000", "--json"]);
    check_lines("plan-summary", 1, &plan);
    let plan = plan.json();
    let feeds =
        ["/limits/statistics_fed/0", "/limits/statistics_not_fed/0", "/limits/flawed_dealers_shown/0"];
    for place in feeds {
        let mut spoilt = plan.clone();
        *spoilt.pointer_mut(place).expect("1,000 decks feed some statistics and show some dealers") =
            json!(7);
        assert!(!is_valid("plan-summary", &spoilt), "{place}");
    }
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
