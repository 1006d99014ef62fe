//! The log against the vectors of an independent program: scans, checkpoints, proofs, the lab's sample.

use deckproof::commitment::digest::{Digest, leaf_hash};
use deckproof::log::checkpoint::Checkpoint;
use deckproof::log::entry::Entry;
use deckproof::log::note::Note;
use deckproof::log::receipt::Receipt;
use deckproof::log::refusal::Refusal;
use deckproof::log::scan::report::Report;
use deckproof::log::scan::{Scan, ScanRules, entry_refusal};
use deckproof::log::tree::{Frontier, TreeHead, is_consistent};
use deckproof::log::witnessed::Witnessed;
use deckproof::log_folder::sample;
use serde_json::{Value, json};

use crate::common::vectors::{VECTORS, base64, cases, digest, text, trust};

fn digests(value: &Value) -> Vec<Digest> {
    cases(value, 0).iter().map(digest).collect()
}

fn scan(entries: &Value, is_live: bool, earlier: Vec<TreeHead>) -> Result<Report, Refusal> {
    let origin = text(&VECTORS["trust"]["origin"]).to_owned();
    scan_by(Scan::new(ScanRules { origin, is_live, earlier }), entries)
}

fn scan_by(mut scan: Scan, entries: &Value) -> Result<Report, Refusal> {
    for entry in cases(entries, 1) {
        scan.entry(text(entry))?;
    }
    scan.finish()
}

fn rules(case: &Value) -> ScanRules {
    let old = case.get("old").filter(|old| !old.is_null());
    let earlier =
        old.map(|old| TreeHead { size: old["size"].as_u64().expect("a size"), root: digest(&old["root"]) });
    ScanRules {
        origin: text(&VECTORS["trust"]["origin"]).to_owned(),
        is_live: case.get("live") == Some(&json!(true)),
        earlier: earlier.into_iter().collect(),
    }
}

fn scan_case(case: &Value) -> Result<Report, Refusal> {
    scan_by(Scan::new(rules(case)), &case["entries"])
}

fn report_json(report: &Report) -> Value {
    json!({ "closed": report.closed, "voids": report.voids, "unused": report.unused })
}

#[test]
fn every_faulty_log_gives_its_code() {
    for case in cases(&VECTORS["negative_logs"], 40) {
        let name = text(&case["name"]);
        let refusal = scan_case(case).err().unwrap_or_else(|| panic!("accepted: {name}"));
        assert_eq!(refusal.code.name(), case["expect"], "{name}: {refusal}");
    }
}

#[test]
fn sound_logs_pass_and_report_what_is_expected() {
    for case in cases(&VECTORS["positive_logs"], 7) {
        let report = scan_case(case).unwrap_or_else(|refusal| panic!("{}: {refusal}", case["name"]));
        assert_eq!(report_json(&report), case["expect"], "{}", case["name"]);
        let unsealed = report.unsealed.iter().map(|unseal| {
            json!({ "table": unseal.table, "hand": unseal.hand, "time": unseal.time, "reason": unseal.reason })
        });
        let wanted = case["unsealed"].as_array().cloned().unwrap_or_default();
        assert_eq!(unsealed.collect::<Vec<Value>>(), wanted, "{}", case["name"]);
        // A scan that forgets hands comes to the same.
        let frugal = scan_by(Scan::frugal(rules(case)), &case["entries"]).expect("sound");
        assert_eq!((frugal.unsealed, frugal.tree), (report.unsealed, report.tree), "{}", case["name"]);
    }
    let log = &VECTORS["log"];
    let report = scan(&log["entries"], false, vec![head("a"), head("b"), head("final")]);
    let report = report.unwrap_or_else(|refusal| panic!("{refusal}"));
    assert_eq!(report_json(&report), log["scan"]);
    assert_eq!(report.tree, head("final"));
}

#[test]
fn unseal_entries_are_read_as_another_reader_reads_them() {
    for text in cases(&VECTORS["unseal"]["legal"], 8) {
        let entry = Entry::parse(self::text(text)).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!((entry.kind(), entry.to_string().as_str()), ("unseal", self::text(text)));
    }
    for case in cases(&VECTORS["unseal"]["illegal"], 40) {
        let error = Entry::parse(text(&case["text"])).expect_err(text(&case["name"]));
        assert_eq!(entry_refusal(error).code.name(), case["expect"], "{}", case["name"]);
    }
}

/// The tree of a checkpoint of the vectors, whose signatures are checked.
fn head(name: &str) -> TreeHead {
    let note = text(&VECTORS["log"][format!("checkpoint_{name}")]);
    let witnessed =
        Witnessed::parse(note, &trust(None), "checkpoint").unwrap_or_else(|refusal| panic!("{refusal}"));
    assert_eq!(Note::parse(note).expect("a note").to_string(), note);
    assert_eq!(format!("{}", witnessed.checkpoint), Note::parse(note).expect("a note").text);
    witnessed.checkpoint.tree
}

#[test]
fn checkpoints_are_roots_of_the_entries_and_consistent() {
    let log = &VECTORS["log"];
    let mut tree = Frontier::default();
    let heads = [head("a"), head("b"), head("final")];
    let mut met = 0;
    for entry in cases(&log["entries"], 47) {
        tree.push(leaf_hash(text(entry)));
        met += heads.iter().filter(|head| head.size == tree.size() && head.root == tree.root()).count();
    }
    assert_eq!(met, 3);
    for (name, old) in [("a", heads[0]), ("b", heads[1])] {
        let proof: Vec<Digest> = cases(&log[format!("consistency_{name}_final")], 1)
            .iter()
            .map(|hash| Digest::from_bytes(base64(hash).try_into().expect("32 bytes")))
            .collect();
        assert!(is_consistent(&old, &heads[2], &proof), "{name}");
        assert!(!is_consistent(&heads[2], &old, &proof), "{name}");
        assert!(!is_consistent(&old, &TreeHead { root: old.root, ..heads[2] }, &proof), "{name}");
    }
}

#[test]
fn receipts_print_as_they_were_read() {
    let mut receipts = 0;
    for case in cases(&VECTORS["positive"], 48) {
        let Some(proofs) = case["bundle"].get("proofs").and_then(Value::as_object) else { continue };
        for proof in proofs.values().map(text).filter(|proof| !proof.contains("\nextra ")) {
            let receipt = Receipt::parse(proof).expect("a receipt");
            assert_eq!(receipt.to_string(), proof);
            receipts += 1;
        }
    }
    assert!(receipts > 40, "{receipts}");
}

#[test]
fn the_sample_is_the_published_one() {
    let case = &VECTORS["audit_sample"];
    let (root, beacon) = (digest(&case["root"]), digest(&case["beacon"]));
    let (one_in, voided) = (case["one_in"].as_u64().expect("a number"), digests(&case["voided"]));
    let is_chosen = |deck: &Digest| voided.contains(deck) || sample::is_drawn(&root, &beacon, deck, one_in);
    let chosen: Vec<Digest> = digests(&case["decks"]).into_iter().filter(is_chosen).collect();
    assert_eq!(chosen, digests(&case["chosen"]));
    assert!(!chosen.is_empty() && !voided.is_empty());
}

#[test]
fn the_round_that_draws_follows_the_quorum() {
    for case in cases(&VECTORS["audit_rounds"], 6) {
        let trust = trust(case.get("trust"));
        let witnessed = Witnessed::parse(text(&case["checkpoint"]), &trust, "checkpoint");
        let witnessed = witnessed.unwrap_or_else(|refusal| panic!("{}: {refusal}", case["name"]));
        assert_eq!(json!(witnessed.quorum_time.map(sample::round)), case["round"], "{}", case["name"]);
    }
}

#[test]
fn checkpoints_have_exactly_three_lines() {
    let sound = "stud.example/log1\n47\nYiNzxA9LGgYVcLugvEjGgPa8SvBKXEAfXLzsjIwtLfE=\n";
    assert_eq!(Checkpoint::parse(sound).expect("a checkpoint").to_string(), sound);
    for text in [
        "",
        "\n47\nYiNzxA9LGgYVcLugvEjGgPa8SvBKXEAfXLzsjIwtLfE=\n",
        "stud.example/log1\n047\nYiNzxA9LGgYVcLugvEjGgPa8SvBKXEAfXLzsjIwtLfE=\n",
        "stud.example/log1\n47\nYiNzxA9LGgYVcLugvEjGgPa8SvBKXEAfXLzsjIwtLfE\n",
        "stud.example/log1\n47\nYiNzxA9LGgYVcLugvEjGgPa8SvBKXEAfXLzsjIwtLf==\n",
        "stud.example/log1\n47\n",
        &format!("{sound}more\n"),
        &format!("{sound}\n"),
        sound.trim_end(),
    ] {
        assert_eq!(Checkpoint::parse(text), None, "{text:?}");
    }
}
