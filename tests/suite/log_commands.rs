//! `deckproof log` as an operator, two witnesses, a player and an auditor use it.

use std::fs::{self, File};
use std::path::Path;

use deckproof::log::vkey::Signer;
use deckproof::log_folder::Log;
use serde_json::{Value, json};

use crate::common::hands_log::{ORIGIN, hand, hands};
use crate::common::lab::{Lab, check, words};
use crate::common::schema::check_valid;

/// A log with its key, and what it said.
fn log_of(lab: &Lab, entries: &[String]) -> String {
    let output = lab.run(&["log", "init", "log", "--origin", ORIGIN, "--key", "log.key"]);
    check(&output, 0, ORIGIN);
    add(lab, entries);
    output.out.lines().last().expect("a key").trim().to_owned()
}

fn add(lab: &Lab, entries: &[String]) {
    lab.write("entries", entries.concat());
    let output = lab.run(&["log", "append", "log", "entries", "--key", "log.key"]);
    check(&output, 0, &format!("{} entries added", entries.len()));
}

/// A trust file of a log and of witnesses, so many of whom are a quorum.
fn trust(lab: &Lab, log: &str, witnesses: &[String], quorum: u64) {
    let trust = json!({ "origin": ORIGIN, "log": [log], "witness": witnesses, "quorum": quorum });
    lab.write("trust.json", trust.to_string());
}

#[test]
fn a_log_is_kept_witnessed_proven_and_audited() {
    let lab = Lab::new();
    let vkey = log_of(&lab, &hands("T-1", 2));
    let mut witnesses = Vec::new();
    for name in ["w1", "w2"] {
        let output = lab.run(&["log", "cosign", "--init", &format!("witness.example/{name}"), "--key", name]);
        check(&output, 0, "witness.example/");
        witnesses.push(output.out.trim().to_owned());
    }
    trust(&lab, &vkey, &witnesses, 2);
    // A second key of one witness would count as a second witness; no key is left behind.
    let again = ["log", "cosign", "--init", "witness.example/w1", "--key", "w3", "--trust", "trust.json"];
    check(&lab.run(&again), 2, "it has a key of witness.example/w1 already");
    assert!(!lab.exists("w3"));
    let cosign = |who: &str, request: &str, more: &[&str]| {
        let state = format!("{who}.state");
        let first = ["log", "cosign", request, "--trust", "trust.json", "--key", who, "--state", &state];
        lab.run(&[&first, more].concat())
    };
    // A checkpoint that was spoilt, or is signed by another key, is nobody's word.
    let checkpoint = lab.text("log/checkpoint");
    let root = checkpoint.lines().nth(2).expect("three lines");
    let first = if root.starts_with('A') { 'B' } else { 'A' };
    let of_other = checkpoint.replacen("\u{2014} stud.example/log1 ", "\u{2014} stud.example/log2 ", 1);
    for (spoilt, words) in [
        (checkpoint.replacen(root, &format!("{first}{}", &root[1..]), 1), "fetch it again"),
        (of_other, "ask whose log this is"),
    ] {
        lab.write("log/checkpoint", spoilt);
        check(&lab.run(&["log", "scan", "log", "--trust", "trust.json"]), 2, words);
    }
    lab.write("log/checkpoint", checkpoint);
    lab.write("request", lab.run(&["log", "prove", "log", "--from", "0"]).out);
    check(&cosign("w1", "request", &[]), 2, "--first");
    for who in ["w1", "w2"] {
        let output = cosign(who, "request", &["--first"]);
        check(&output, 0, "\u{2014} witness.example/");
        lab.write(&format!("{who}.line"), output.out);
    }
    let checkpoint = words("log checkpoint log --trust trust.json --cosigned w1.line --cosigned w2.line");
    let output = lab.run(&checkpoint);
    check(&output, 0, "\u{2014} witness.example/w2");
    lab.write("old", output.out);
    check(&lab.run(&["log", "scan", "log", "--trust", "trust.json"]), 0, "by a quorum of witnesses");
    // The player's receipt is for this entry and no other.
    let [_, open, _] = hand("T-1", 2);
    lab.write("open", &open);
    let receipt = lab.run(&["log", "prove", "log", "--entry", "open"]);
    check(&receipt, 0, "index 4 ");
    assert_eq!(lab.run(&["log", "prove", "log", "--index", "4"]).out, receipt.out);
    lab.write("receipt", &receipt.out);
    lab.write("other", hand("T-9", 2)[1].as_str());
    check(&lab.run(&["log", "prove", "log", "--entry", "other"]), 2, "not in the published log");
    check(&lab.run(&["log", "prove", "log", "--index", "6"]), 2, "the checkpoint has 6");
    // The log grows; `publication` is what the witnesses take next.
    add(&lab, &hands("T-1", 4)[6..]);
    check(&cosign("w1", "log/publication", &[]), 0, "witness.example/w1");
    // A request that came late and a log that was rolled back look alike.
    check(&cosign("w1", "request", &[]), 2, "an old request that came late, or the log was rolled back");
    check(&cosign("w2", "request", &["--first"]), 2, "you have cosigned this log");
    lab.write("wrong", lab.run(&["log", "prove", "log", "--from", "3"]).out);
    check(&cosign("w2", "wrong", &[]), 2, "log prove --from 6");
    let scan =
        |more: &[&str]| lab.run(&[&["log", "scan", "log", "--trust", "trust.json", "--json"], more].concat());
    let output = scan(&["--old", "old", "--old", "receipt"]);
    check(&output, 0, "in order");
    let report = output.json();
    check_valid("log", &report);
    assert_eq!((&report["closed"], &report["size"], &report["earlier"]), (&json!(4), &json!(12), &json!(2)));
    assert_eq!(report["quorum_time"], Value::Null, "the new checkpoint has no cosignatures yet");
    // The operator has a second log of the same name and key.
    let other = Lab::new();
    fs::copy(lab.path("log.key"), other.path("log.key")).expect("readable");
    log_of(&other, &hands("F-1", 4));
    lab.write("fork", other.run(&["log", "prove", "log", "--from", "12"]).out);
    let output = cosign("w1", "fork", &[]);
    check(&output, 1, "E_LOG_CONSISTENCY");
    check(&output, 1, "another tree of size 12 was cosigned: the log signed both, so it is forked");
    // A proof that does not fit is signed by nobody: a longer fork, and one character that was lost on its way, look alike.
    add(&other, &hands("F-1", 5)[12..]);
    lab.write("fork", other.run(&["log", "prove", "log", "--from", "12"]).out);
    check(&cosign("w1", "fork", &[]), 2, "it is damaged, or the log is forked");
    let whole = lab.run(&["log", "prove", "log", "--from", "6"]).out;
    let line = whole.lines().nth(1).expect("a hash");
    let changed = format!("{}{}", if line.starts_with('A') { "B" } else { "A" }, &line[1..]);
    lab.write("damaged", whole.replacen(line, &changed, 1));
    check(&cosign("w2", "damaged", &[]), 2, "ask the operator for `log prove --from 6` again");
    lab.write("damaged", &whole);
    check(&cosign("w2", "damaged", &[]), 0, "witness.example/w2");
    fs::copy(lab.path("old"), other.path("old")).expect("readable");
    fs::copy(lab.path("trust.json"), other.path("trust.json")).expect("readable");
    let scan_other = |line: &str| other.run(&words(&format!("log scan log {line}")));
    check(&scan_other("--trust trust.json --old old"), 1, "E_LOG_CONSISTENCY");
    // An older copy, and one with a byte that is another, say nothing against the log.
    let copy = Lab::new();
    fs::copy(lab.path("trust.json"), copy.path("trust.json")).expect("readable");
    fs::copy(lab.path("log.key"), copy.path("log.key")).expect("readable");
    log_of(&copy, &hands("T-1", 1));
    fs::copy(lab.path("log/checkpoint"), copy.path("newest")).expect("readable");
    let older = copy.run(&["log", "scan", "log", "--trust", "trust.json", "--old", "newest"]);
    check(&older, 2, "");
    older.must_warn("--old newest: it is of 12 entries, and the log has 3");
    let entries = "log/tile/entries/000.p/12";
    let sound = lab.read(entries);
    let place = String::from_utf8_lossy(&sound).find("hand 2").expect("there is a second hand") + 5;
    let mut damaged = sound.clone();
    damaged[place] = b'3';
    lab.write(entries, damaged);
    let output = scan(&[]);
    check(&output, 2, "");
    output.must_warn("the tile is not the hash of the entries").must_warn("copy it again");
    lab.write(entries, sound);
    // A slip in what was kept convicts no log, and neither does what nobody's key was asked of.
    let kept = lab.text("old");
    let root = kept.lines().nth(2).expect("three lines");
    let slip: String = root.chars().rev().collect();
    let wrong = kept.replacen(root, &format!("{}=", slip.trim_start_matches('=')), 1);
    other.write("typed", &wrong);
    for line in ["--old typed --trust trust.json", "--old typed"] {
        scan_other(line).ends(2).must_not_print("refused");
    }
    check(&scan_other("--old old"), 2, "may be altered or typed wrong");
    check(&scan_other("--trust trust.json"), 0, "others may have been shown another log");
}

#[test]
fn unsound_logs_are_refused_with_the_entry_and_unreadable_ones_are_not_judged() {
    let lab = Lab::new();
    let [deck, open, close] = hand("T-1", 1);
    log_of(&lab, &[deck, open.clone()]);
    check(&lab.run(&["log", "scan", "log"]), 1, "E_LOG_OPEN. entry 1 of the log: hand 1");
    // A reader of JSON too may have forgotten that tables deal.
    check(&lab.run(&["log", "scan", "log", "--json"]), 1, "still deal, scan it with --live");
    check(&lab.run(&["log", "scan", "log", "--live"]), 0, "1 running");
    lab.write("entries", &close);
    check(&lab.run(&["log", "append", "log", "entries", "--key", "log.key"]), 0, "1 entry added");
    // As a program adds it that does not look what the log has.
    let key = lab.text("log.key");
    let mut log = Log::open(Path::new(&lab.path("log"))).expect("a log");
    log.append(&open).expect("it is an entry");
    log.publish(&Signer::parse(key.trim()).expect("a key")).expect("the disk holds it");
    drop(log);
    check(&lab.run(&["log", "scan", "log"]), 1, "E_LOG_DUP");
    let refusal = lab.run(&["log", "scan", "log", "--json"]).json();
    check_valid("log", &refusal);
    assert_eq!((&refusal["code"], &refusal["place"]), (&json!("E_LOG_DUP"), &json!("entry 3 of the log")));
    fs::remove_dir_all(lab.path("log/tile/entries")).expect("there");
    check(&lab.run(&["log", "scan", "log"]), 2, "tile/entries/000");
    check(&lab.run(&["log", "scan", "nowhere"]), 2, "nowhere");
    check(&lab.run(&["log", "append", "nowhere", "entries", "--key", "log.key"]), 2, "nowhere");
    assert!(!lab.exists("nowhere"));
    lab.write("page.html", "<html></html>");
    check(&lab.run(&["log", "append", "log", "page.html", "--key", "log.key"]), 2, "wanted entries");
    check(&lab.run(&words("log cosign page.html --trust page.html --key log.key --state s")), 2, "");
    for (folder, origin, key, code, shown) in [
        ("log", ORIGIN, "log.key", 2, "not empty"),
        ("new", ORIGIN, "new/log.key", 2, "is published"),
        ("new", "Stud", "k", 2, "small letters"),
        ("again", ORIGIN, "log.key", 0, "The key was there before"),
    ] {
        check(&lab.run(&["log", "init", folder, "--origin", origin, "--key", key]), code, shown);
    }
    // The folder of a service, with a copy of its key.
    fs::create_dir_all(lab.path("secret/journal")).expect("writable");
    check(&lab.run(&["log", "append", "log", "entries", "--key", "log.key"]), 2, "a service writes this log");
    let deal = words("deal --table T-1 --hands 1 --out T-1 --log log --log-key log.key");
    check(&lab.run(&deal), 2, "a service writes this log");
}

#[cfg(unix)]
#[test]
fn keys_are_for_their_owner_alone() {
    use std::os::unix::fs::PermissionsExt;
    let lab = Lab::new();
    log_of(&lab, &hands("T", 1));
    let mode = fs::metadata(lab.path("log.key")).expect("there").permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    check(&lab.run(&["log", "cosign", "--init", "witness.example/w1", "--key", "log.key"]), 2, "log.key");
    let secret = lab.text("log.key");
    assert!(secret.starts_with("PRIVATE+KEY+stud.example/log1+"));
    for file in ["log/checkpoint", "log/publication", "log/tile/entries/000.p/3"] {
        assert!(!String::from_utf8_lossy(&lab.read(file)).contains(secret.trim()), "{file}");
    }
}

/// Sparse files of 100 MB wherever a file is read.
#[test]
fn huge_files_are_refused_by_their_size() {
    let lab = Lab::new();
    let vkey = log_of(&lab, &hands("T", 1));
    let witness = lab.run(&["log", "cosign", "--init", "witness.example/w", "--key", "witness.key"]);
    trust(&lab, &vkey, &[witness.out.trim().to_owned()], 1);
    let huge = |name: &str| {
        let file = File::create(lab.path(name)).expect("writable");
        file.set_len(100_000_000).expect("sparse");
    };
    huge("huge");
    let refused = |line: &str| {
        lab.run(&words(line)).ends(2).must_warn("100000000 bytes");
    };
    for line in [
        "log scan log --trust huge",
        "log scan log --old huge",
        "log prove log --entry huge",
        "log checkpoint log --trust trust.json --cosigned huge",
        "log cosign huge --trust trust.json --key witness.key --state s",
    ] {
        refused(line);
    }
    for file in ["log/tile/entries/000.p/3", "log/checkpoint"] {
        huge(file);
        refused("log scan log");
    }
    assert!(lab.exists("log.key"));
}

/// Round 1000 of quicknet, as the vectors have it.
const ROUND: &str =
    "1000:b44679b9a59af2ec876b1a6b1ad52ea9b1615fc3982b19576350f93447cb1125e342b73a8dd2bacbe47e4b6b63ed5e39";

#[test]
fn the_lab_draws_by_a_round_that_the_network_signed() {
    let lab = Lab::new();
    let void = |entry: &str| {
        let deck = deckproof::commitment::digest::leaf_hash(entry);
        format!("deckproof/v1 void\ndeck {deck}\nreason misdeal\n")
    };
    let mut entries = hands("T", 30);
    let [deck, open, _] = hand("T", 31);
    entries.extend([deck.clone(), open, void(&deck)]);
    let [unopened, _, _] = hand("T", 32);
    entries.extend([unopened.clone(), void(&unopened)]);
    let vkey = log_of(&lab, &entries);
    trust(&lab, &vkey, &[], 1);
    let sample =
        |more: &[&str]| lab.run(&[&["log", "sample", "log", "--trust", "trust.json"], more].concat());
    check(&sample(&["--one-in", "3"]), 2, "Not witnessed");
    check(&sample(&["--one-in", "0", "--beacon", ROUND]), 2, "0");
    check(&sample(&["--one-in", "1", "--beacon", ROUND]), 0, "31 of 31 opened hands");
    let output = sample(&["--one-in", "3", "--beacon", ROUND, "--json"]);
    let drawn = output.json();
    check_valid("log", &drawn);
    let hands = drawn["drawn"].as_array().expect("a list");
    assert!(hands.len() > 1 && hands.len() < 31, "{}", hands.len());
    assert!(hands.iter().any(|hand| hand["voided"] == true && hand["hand"] == 31));
    assert_eq!(drawn["witnessed"], false);
    lab.write("round.json", json!({ "round": 1000, "signature": &ROUND[5..], "randomness": "" }).to_string());
    assert_eq!(sample(&["--one-in", "3", "--beacon", "round.json", "--json"]).out, output.out);
    check(&sample(&["--one-in", "3", "--beacon", &ROUND.replace("1000:", "1001:")]), 2, "did not sign");
}
