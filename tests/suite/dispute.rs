//! `deckproof dispute`: one signed file of a hand, which unpacks, is judged again, and shows where it was altered.

use std::collections::BTreeMap;
use std::fs;
use std::process::Command;

use deckproof::project::archive::{Archive, write};
use deckproof::project::check::Shelf;
use serde_json::{Value, json};

use crate::common::lab::Output;
use crate::common::room::{Room, at, hand};
use crate::common::schema::check_valid;

const VAULT: [&str; 4] = ["--vault-recipients", "anna.txt", "--vault-recipients", "ben.txt"];

const DISPUTE: [&str; 9] =
    ["dispute", "room", "--table", "T-1", "--trust", "trust.json", "--sign-key", "arbiter", "--hand"];

/// A room in which a hand was closed and one voided, and an arbiter's key of OpenSSH; nothing without ssh-keygen.
fn room() -> Option<Room> {
    let room = Room::new();
    for name in ["arbiter", "stranger"] {
        let made = Command::new("ssh-keygen")
            .args(["-q", "-t", "ed25519", "-N", "", "-C", "", "-f"])
            .arg(room.path(name))
            .status();
        if !made.is_ok_and(|status| status.success()) {
            println!("skipped: ssh-keygen is not installed");
            return None;
        }
    }
    let public = room.lab.text("arbiter.pub");
    room.lab.write("signers", format!("arbiter@stud.example {public}"));
    for name in ["anna", "ben"] {
        let key = room.run(&["vault", "key", "--out", &format!("{name}.key")]);
        room.lab.write(&format!("{name}.txt"), key.out);
    }
    let mut served = room.serve(&VAULT);
    for call in hand("T-1", 1, "espacejeux", "players", None) {
        let answer = served.done(&call);
        if let Some(receipt) = answer.get("open_entry").and(answer["receipt"].as_str()) {
            room.lab.write("open.proof", receipt);
        }
    }
    let mut calls = hand("T-1", 2, "espacejeux", "none", None);
    calls.truncate(4);
    calls.push(at("T-1", 2, 5, json!({ "call": "void", "reason": "other" })));
    for call in calls {
        let answer = served.done(&call);
        if let Some(receipt) = answer["receipt"].as_str() {
            room.lab.write("other.proof", receipt);
        }
    }
    served.end();
    Some(room)
}

/// Makes the case of a hand.
fn make(room: &Room, hand: &str, more: &[&str]) -> Output {
    room.run(&[&DISPUTE[..], &[hand], more].concat())
}

fn check(room: &Room, case: &str) -> Output {
    let signed = ["--signers", "signers", "--signer", "arbiter@stud.example"];
    room.run(&[&["dispute", "--check", case], &signed[..]].concat())
}

type Files = BTreeMap<String, Vec<u8>>;

fn files(room: &Room, case: &str) -> Files {
    let archive = Archive::read(&fs::read(room.path(case)).expect("readable")).expect("a ZIP file");
    let names = archive.names().expect("names");
    names.into_iter().map(|name| (name.clone(), archive.file(&name).expect("it is there").to_vec())).collect()
}

#[test]
fn a_case_holds_what_an_arbiter_needs_and_each_bundle_is_judged_as_it_says() {
    let Some(room) = room() else { return };
    let made = |receipt: &str, out: &str| make(&room, "1", &["--receipt", receipt, "--out", out]);
    // What ssh-keygen says about its signature goes to standard error.
    let output = made("open.proof", "case.zip").ends(0);
    assert_eq!(output.out, "case.zip: hand 1 at table T-1, 4 bundles judged\n");
    let output = check(&room, "case.zip").ends(0);
    output.must_print("signed by arbiter@stud.example");
    assert_eq!(output.out.matches("judged again, with the same words").count(), 4, "{output}");
    // Unpacked, each bundle is judged by the program as the case says.
    let files = files(&room, "case.zip");
    files.iter().for_each(|(name, bytes)| room.lab.write(&format!("case/{name}"), bytes));
    for seat in [2, 4, 5, 7] {
        let bundle = format!("case/bundles/seat-{seat}.json");
        let words = ["--trust", "case/trust.json", "--receipt", "case/receipts/saved-1.proof"];
        let text = room.run(&[&["verify", &bundle], &words[..]].concat()).ends(0).out;
        let kept = room.lab.text(&format!("case/verify/seat-{seat}.txt"));
        assert_eq!(unwrapped(&text).replace("case/", ""), unwrapped(&kept), "seat {seat}");
        let json = room.run(&[&["verify", "--json", &bundle], &words[..]].concat()).out;
        let own: Value = serde_json::from_str(&json.replace("case/", "")).expect("JSON");
        assert_eq!(own, room.lab.json(&format!("case/verify/seat-{seat}.json")), "seat {seat}");
    }
    let readme = room.lab.text("case/README.txt");
    for words in
        ["Hand 1 at table T-1", "bundles/seat-4.json: accepted", "where it has a vault", "What is not shown"]
    {
        assert!(unwrapped(&readme).contains(words), "{readme}");
    }
    assert!(readme.contains("--receipt receipts/saved-1.proof"), "{readme}");
    assert!(readme.lines().count() < 66, "one page: {} lines", readme.lines().count());
    let case = room.lab.json("case/case.json");
    check_valid("case", &case);
    assert_eq!((&case["end"], case["events"].as_array().map(Vec::len)), (&"closed".into(), Some(3)));
    assert!(files.keys().all(|name| !name.contains("full")), "nobody opened it");
    // OpenSSH and sha256sum check the same by hand.
    let shell = "sha256sum -c --quiet SHA256SUMS && ssh-keygen -Y verify -n deckproof-manifest -f ../signers \
                 -I arbiter@stud.example -s SHA256SUMS.sig < SHA256SUMS";
    room.lab.shell(&format!("cd case && {shell}")).ends(0);
    // The same again gives the same bytes, and nothing is overwritten.
    made("open.proof", "again.zip").ends(0);
    assert!(room.lab.read("case.zip") == room.lab.read("again.zip"));
    made("open.proof", "again.zip").ends(2);
    // A receipt of another hand would refuse every bundle: no case is made.
    let output = made("other.proof", "foreign.zip").refused();
    output.must_warn("--receipt other.proof: it proves no entry of this hand");
    assert!(!room.path("foreign.zip").exists());
    // The arbiter's own trust file is that of the case, or it is another log or has other witnesses.
    let mut trust = room.lab.json("trust.json");
    trust["quorum"] = 7.into();
    room.lab.write("other.json", trust.to_string());
    let check_with = |more: [&str; 2]| room.run(&[&["dispute", "--check", "case.zip"][..], &more].concat());
    check_with(["--trust", "trust.json"]).ends(0).must_not_print("not checked: that trust.json");
    // One file more or less convicts nobody.
    let output = check_with(["--trust", "other.json"]).refused();
    output.must_warn("trust.json in the case has another log, or other witnesses");
    for more in [["--table", "T-1"], ["--receipt", "open.proof"], ["--out", "new.zip"]] {
        check_with(more).ends(2);
    }
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = fs::metadata(room.path("case.zip")).expect("it is there").permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
    }
    // It is no package.
    let output = room.run(&["verify", "case.zip"]).ends(2).to_string();
    assert!(output.contains("deckproof dispute --check"), "{output}");
}

fn unwrapped(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The openings that the log names.
fn unsealed(room: &Room) -> Vec<Value> {
    let log = room.run(&["log", "scan", "room/log", "--json"]).ends(0).json();
    check_valid("log", &log);
    log["unsealed"].as_array().expect("a list").clone()
}

#[test]
fn two_people_open_the_hand_in_a_case_and_one_does_not() {
    let Some(room) = room() else { return };
    let opened = ["--reason", "complaint 41", "--out", "full.zip", "--identity", "anna.key"];
    make(&room, "1", &opened).ends(2).must_warn("found 1 key (--identity, --hsm), wanted two");
    assert!(!room.path("full.zip").exists() && unsealed(&room).is_empty());
    let both = [&opened[..], &["--identity", "ben.key", "--log-key", "log.key"]].concat();
    make(&room, "1", &both).ends(0).must_print("5 bundles judged");
    let files = files(&room, "full.zip");
    let full: Value = serde_json::from_slice(&files["bundles/full-reveal.json"]).expect("JSON");
    assert!(full["hand_key"].is_string());
    let case: Value = serde_json::from_slice(&files["case.json"]).expect("JSON");
    check_valid("case", &case);
    assert_eq!(case["opened"]["reason"], "complaint 41");
    let [unseal] = &unsealed(&room)[..] else { panic!("wanted one opening") };
    assert_eq!((&unseal["hand"], &unseal["reason"]), (&json!(1), &json!("complaint 41")));
    assert!(String::from_utf8_lossy(&files["log/unseal.txt"]).ends_with("\nreason complaint 41\n"));
    check(&room, "full.zip").ends(0);
    // Of a voided hand there is no bundle for a seat.
    make(&room, "2", &["--out", "void.zip"]).ends(0).must_print("0 bundles judged");
    let files = self::files(&room, "void.zip");
    check_valid("case", &serde_json::from_slice(&files["case.json"]).expect("JSON"));
    let readme = String::from_utf8_lossy(&files["README.txt"]);
    assert!(readme.contains("\"other\", is the operator's word"), "{readme}");
    let proven = "3 entries of the hand are in the log, as the proofs under the log of trust.json say";
    check(&room, "void.zip").ends(0).must_print(proven);
}

/// Packs a case again with a change.
fn alter(room: &Room, case: &str, change: impl FnOnce(&mut Files)) {
    let mut files = files(room, case);
    change(&mut files);
    room.lab.write("altered.zip", write(&files).expect("it is written"));
}

/// Puts other bytes in the place of a file, or takes it away.
fn put(files: &mut Files, name: &str, bytes: Option<&str>) {
    match bytes {
        Some(bytes) => drop(files.insert(name.to_owned(), bytes.into())),
        None => drop(files.remove(name)),
    }
}

/// Says something else in `case.json`.
fn say(files: &mut Files, key: &str, value: Value) {
    let mut case: Value = serde_json::from_slice(&files["case.json"]).expect("JSON");
    case[key] = value;
    put(files, "case.json", Some(&case.to_string()));
}

fn sums(files: &mut Files) {
    let own = files.iter().filter(|(name, _)| !name.starts_with("SHA256SUMS"));
    let lines: String =
        own.map(|(name, bytes)| format!("{}  {name}\n", deckproof::file::sha256(bytes))).collect();
    files.insert("SHA256SUMS".to_owned(), lines.into_bytes());
}

#[test]
fn a_case_that_was_altered_is_refused() {
    let Some(room) = room() else { return };
    make(&room, "1", &["--out", "case.zip"]).ends(0);
    let unsigned = |case: &str| room.run(&["dispute", "--check", case]);
    let (seat, well) = ("bundles/seat-4.json", "All is well.\n");
    for (name, bytes, wanted) in [("README.txt", Some(well), "README.txt: its SHA-256"), (seat, None, seat)] {
        alter(&room, "case.zip", |files| put(files, name, bytes));
        check(&room, "altered.zip").ends(1).must_print("REFUSED").must_print(wanted);
    }
    // What nobody listed says nothing against the case, and is not judged with it.
    for more in ["more.txt", "bundles/seat-9.json"] {
        alter(&room, "case.zip", |files| put(files, more, Some(well)));
        check(&room, "altered.zip").ends(2).must_warn("SHA256SUMS does not list it").must_warn(more);
    }
    // With checksums that fit, the signature does not.
    alter(&room, "case.zip", |files| {
        put(files, "README.txt", Some(well));
        sums(files);
    });
    check(&room, "altered.zip").ends(1).must_print("the signature is not one of these checksums");
    unsigned("altered.zip").ends(1).must_print("the signature is not one of these checksums");
    // A lost signature, and one by a key that the reader's file does not have, say nothing against the case.
    alter(&room, "case.zip", |files| put(files, "SHA256SUMS.sig", None));
    check(&room, "altered.zip").ends(2).must_warn("found no signature");
    let signers = room.lab.text("signers");
    room.lab.write("signers", format!("arbiter@stud.example {}", room.lab.text("stranger.pub")));
    check(&room, "case.zip").ends(2).must_warn("does not name for arbiter@stud.example");
    room.lab.write("signers", signers);
    // The page of a signed case says how its signature is checked.
    alter(&room, "case.zip", |files| {
        files.remove("SHA256SUMS.sig");
        sums(files);
    });
    unsigned("altered.zip").ends(1).must_print("README.txt is not what this program says");

    let plain =
        ["dispute", "room", "--table", "T-1", "--trust", "trust.json", "--hand", "1", "--out", "plain.zip"];
    room.run(&plain).ends(0);
    // Unsigned and with checksums that fit, nothing that follows from the entries is another, more or less.
    let refused = |change: &dyn Fn(&mut Files), wanted: &str| {
        alter(&room, "plain.zip", |files| {
            change(files);
            sums(files);
        });
        unsigned("altered.zip").ends(1).must_print(wanted);
    };
    for (name, bytes, wanted) in [
        ("verify/seat-4.txt", Some("accepted\n"), "verify/seat-4.txt is not what this program says"),
        (seat, None, "bundles/seat-4.json: found no such file"),
        ("bundles/full-reveal.json", Some("{}"), "bundles/full-reveal.json: found it"),
        ("transcript.txt", Some("deckproof/v1 transcript\n"), "transcript.txt: its hash"),
        ("history.phh", Some("variant = 'F7S'\n"), "history.phh: "),
        ("ruling.txt", Some("Illegal by stud-hi.\n"), "ruling.txt"),
        ("README.txt", Some(well), "README.txt is not what this program says"),
        ("README.txt", None, "README.txt: found no such file"),
        ("log/close.txt", None, "log/: found 0 entries that end the hand"),
        ("notes.txt", Some(well), "notes.txt: found it"),
        // Each entry is held to its proof: one that was changed, one of another kind, and one without a proof.
        (
            "log/close.txt",
            Some("deckproof/v1 close\n"),
            "log/close.txt is not the entry that log/close.proof proves",
        ),
        (
            "log/void.txt",
            Some("deckproof/v1 void\n"),
            "log/void.txt: found no proof of it, wanted log/void.proof",
        ),
        ("log/open.proof", Some("no proof\n"), "log/open.txt: found no proof of it"),
    ] {
        refused(&|files| put(files, name, bytes), wanted);
    }
    for (key, value) in [
        ("end", json!("voided")),
        ("reason", json!("crash")),
        ("seats", json!([2, 4])),
        ("opened", json!({ "holders": ["a", "b"], "reason": "x" })),
        ("log", json!({ "size": 1, "root": "0".repeat(64) })),
    ] {
        refused(&|files| say(files, key, value.clone()), &format!("case.json: {key} is not what"));
    }
    // An entry of another hand is in the log, too: of this one it is none.
    make(&room, "2", &["--out", "other.zip"]).ends(0);
    let other = files(&room, "other.zip");
    let of_another = |files: &mut Files| {
        for name in ["log/void.txt", "log/void.proof"] {
            files.insert(name.to_owned(), other[name].clone());
        }
    };
    refused(&of_another, "log/void.txt is no void entry of the hand that case.json names");
    // Whoever makes the case says which build judged it: another one compares no words, and judges all the same.
    let another = |files: &mut Files| say(files, "tool", "deckproof 0.0.1".into());
    let spoilt = |files: &mut Files| {
        another(files);
        let text = String::from_utf8_lossy(&files[seat]).replacen("\"salt\": \"", "\"salt\": \"0", 1);
        put(files, seat, Some(&text));
    };
    refused(&spoilt, "seat-4.json: judged again: refused");
    alter(&room, "plain.zip", |files| {
        another(files);
        sums(files);
    });
    let output = unsigned("altered.zip").ends(0);
    output.must_begin("altered.zip: a whole case, but for its words, which it says are of another build");
    for wanted in [
        "seat-4.json: judged again: could not say whether",
        "not compared: README.txt, the ruling and the words",
        "not checked: that trust.json",
    ] {
        output.must_print(wanted);
    }
    room.lab.write("altered.zip", b"no archive");
    check(&room, "altered.zip").ends(2);
}
