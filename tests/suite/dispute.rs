//! `deckproof dispute`: one signed file of a hand, which unpacks, is judged again, and shows where it was altered.

use std::fs;
use std::path::Path;
use std::process::Command;

use deckproof::project::archive::{Archive, write};
use deckproof::project::check::Shelf;
use serde_json::{Value, json};

use crate::common::room::{Room, hand};
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
    calls
        .push(serde_json::json!({ "call": "void", "table": "T-1", "hand": 2, "step": 5, "reason": "other" }));
    for call in calls {
        let answer = served.done(&call);
        if let Some(receipt) = answer["receipt"].as_str() {
            room.lab.write("other.proof", receipt);
        }
    }
    served.end();
    Some(room)
}

fn run(room: &Room, words: &[&str]) -> (i32, String, String) {
    let said = room.run(words);
    (said.code, said.out, said.err)
}

fn check(room: &Room, case: &str) -> (i32, String) {
    let signed = ["--signers", "signers", "--signer", "arbiter@stud.example"];
    let (code, said, error) = run(room, &[&["dispute", "--check", case], &signed[..]].concat());
    (code, said + &error)
}

fn files(room: &Room, case: &str) -> std::collections::BTreeMap<String, Vec<u8>> {
    let archive = Archive::read(&fs::read(room.path(case)).expect("readable")).expect("a ZIP file");
    let names = archive.names().expect("names");
    names.into_iter().map(|name| (name.clone(), archive.file(&name).expect("it is there").to_vec())).collect()
}

#[test]
fn a_case_holds_what_an_arbiter_needs_and_each_bundle_is_judged_as_it_says() {
    let Some(room) = room() else { return };
    let made = [&DISPUTE[..], &["1", "--receipt", "open.proof", "--out", "case.zip"]].concat();
    let (code, said, error) = run(&room, &made);
    // What ssh-keygen says about its signature goes to standard error.
    assert_eq!(code, 0, "{said}{error}");
    assert_eq!(said, "case.zip: hand 1 at table T-1, 4 bundles judged\n");
    let (code, said) = check(&room, "case.zip");
    assert!(code == 0 && said.contains("signed by arbiter@stud.example"), "{said}");
    assert_eq!(said.matches("judged again, with the same words").count(), 4, "{said}");
    // Unpacked, each bundle is judged by the program as the case says.
    let files = files(&room, "case.zip");
    for (name, bytes) in &files {
        let path = room.path("case").join(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("writable");
        fs::write(path, bytes).expect("writable");
    }
    for seat in [2, 4, 5, 7] {
        let bundle = format!("case/bundles/seat-{seat}.json");
        let words = ["--trust", "case/trust.json", "--receipt", "case/receipts/saved-1.proof"];
        let (code, text, _) = run(&room, &[&["verify", &bundle], &words[..]].concat());
        assert_eq!(code, 0, "{text}");
        let unwrapped = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        let kept = String::from_utf8(files[&format!("verify/seat-{seat}.txt")].clone()).expect("text");
        assert_eq!(unwrapped(&text).replace("case/", ""), unwrapped(&kept), "seat {seat}");
        let (_, json, _) = run(&room, &[&["verify", "--json", &bundle], &words[..]].concat());
        let kept: Value = serde_json::from_slice(&files[&format!("verify/seat-{seat}.json")]).expect("JSON");
        let own: Value = serde_json::from_str(&json.replace("case/", "")).expect("JSON");
        assert_eq!(own, kept, "seat {seat}");
    }
    let readme = String::from_utf8(files["README.txt"].clone()).expect("text");
    for words in
        ["Hand 1 at table T-1", "bundles/seat-4.json: accepted", "where it has a vault", "What is not shown"]
    {
        assert!(readme.split_whitespace().collect::<Vec<_>>().join(" ").contains(words), "{readme}");
    }
    assert!(readme.contains("--receipt receipts/saved-1.proof"), "{readme}");
    assert!(readme.lines().count() < 66, "one page: {} lines", readme.lines().count());
    let case: Value = serde_json::from_slice(&files["case.json"]).expect("JSON");
    check_valid("case", &case);
    assert_eq!((&case["end"], case["events"].as_array().map(Vec::len)), (&"closed".into(), Some(3)));
    assert!(files.keys().all(|name| !name.contains("full")), "nobody opened it");
    // OpenSSH and sha256sum check the same by hand.
    let shell = "sha256sum -c --quiet SHA256SUMS && ssh-keygen -Y verify -n deckproof-manifest -f ../signers \
                 -I arbiter@stud.example -s SHA256SUMS.sig < SHA256SUMS";
    let status =
        Command::new("sh").args(["-c", shell]).current_dir(room.path("case")).output().expect("a shell");
    assert!(status.status.success(), "{}", String::from_utf8_lossy(&status.stderr));
    // The same again gives the same bytes.
    let again = [&DISPUTE[..], &["1", "--receipt", "open.proof", "--out", "again.zip"]].concat();
    assert_eq!(run(&room, &again).0, 0);
    assert!(
        fs::read(room.path("case.zip")).expect("readable")
            == fs::read(room.path("again.zip")).expect("readable")
    );
    assert_eq!(run(&room, &again).0, 2, "nothing is overwritten");
    // A receipt of another hand would refuse every bundle: no case is made.
    let foreign = [&DISPUTE[..], &["1", "--receipt", "other.proof", "--out", "foreign.zip"]].concat();
    let (code, said, err) = run(&room, &foreign);
    assert!((code, &said[..]) == (2, "") && !room.path("foreign.zip").exists(), "{said}");
    assert!(err.contains("--receipt other.proof: it proves no entry of this hand"), "{err}");
    // The arbiter's own trust file is that of the case, or it is another log or has other witnesses.
    let mut trust: Value =
        serde_json::from_slice(&fs::read(room.path("trust.json")).expect("readable")).expect("JSON");
    trust["quorum"] = 7.into();
    room.lab.write("other.json", trust.to_string());
    let (code, said, _) = run(&room, &["dispute", "--check", "case.zip", "--trust", "trust.json"]);
    assert!(code == 0 && !said.contains("not checked: that trust.json"), "{said}");
    let (code, said, error) = run(&room, &["dispute", "--check", "case.zip", "--trust", "other.json"]);
    let differs = error.contains("trust.json in the case has another log, or other witnesses");
    assert!(code == 2 && said.is_empty() && differs, "one file more or less convicts nobody: {said}{error}");
    for more in [["--table", "T-1"], ["--receipt", "open.proof"], ["--out", "new.zip"]] {
        assert_eq!(run(&room, &[&["dispute", "--check", "case.zip"][..], &more].concat()).0, 2, "{more:?}");
    }
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = fs::metadata(room.path("case.zip")).expect("it is there").permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
    }
    let (code, said, error) = run(&room, &["verify", "case.zip"]);
    assert!(code == 2 && (said + &error).contains("deckproof dispute --check"), "it is no package");
}

/// The openings that the log names.
fn unsealed(room: &Room) -> Vec<Value> {
    let (code, said, error) = run(room, &["log", "scan", "room/log", "--json"]);
    assert_eq!(code, 0, "{said}{error}");
    let log: Value = serde_json::from_str(&said).expect("JSON");
    check_valid("log", &log);
    log["unsealed"].as_array().expect("a list").clone()
}

#[test]
fn two_people_open_the_hand_in_a_case_and_one_does_not() {
    let Some(room) = room() else { return };
    let opened = ["--reason", "complaint 41", "--out", "full.zip", "--identity", "anna.key"];
    let (code, _, error) = run(&room, &[&DISPUTE[..], &["1"], &opened[..]].concat());
    assert!(code == 1 && error.contains("found 1 key (--identity, --hsm), wanted two"), "{error}");
    assert!(!room.path("full.zip").exists() && unsealed(&room).is_empty());
    let (code, said, error) = run(
        &room,
        &[&DISPUTE[..], &["1"], &opened[..], &["--identity", "ben.key", "--log-key", "log.key"]].concat(),
    );
    assert_eq!(code, 0, "{said}{error}");
    assert!(said.contains("5 bundles judged"), "{said}");
    let files = files(&room, "full.zip");
    let full: Value = serde_json::from_slice(&files["bundles/full-reveal.json"]).expect("JSON");
    assert!(full["hand_key"].is_string());
    let case: Value = serde_json::from_slice(&files["case.json"]).expect("JSON");
    check_valid("case", &case);
    assert_eq!(case["opened"]["reason"], "complaint 41");
    let [unseal] = &unsealed(&room)[..] else { panic!("wanted one opening") };
    assert_eq!((&unseal["hand"], &unseal["reason"]), (&json!(1), &json!("complaint 41")));
    assert!(String::from_utf8_lossy(&files["log/unseal.txt"]).ends_with("\nreason complaint 41\n"));
    assert_eq!(check(&room, "full.zip").0, 0);
    // Of a voided hand there is no bundle for a seat.
    let (code, said, _) = run(&room, &[&DISPUTE[..], &["2", "--out", "void.zip"]].concat());
    assert!(code == 0 && said.contains("0 bundles judged"), "{said}");
    let case = self::files(&room, "void.zip")["case.json"].clone();
    check_valid("case", &serde_json::from_slice(&case).expect("JSON"));
    let readme = self::files(&room, "void.zip")["README.txt"].clone();
    assert!(String::from_utf8(readme).expect("text").contains("\"other\", is the operator's word"));
    let (code, said) = check(&room, "void.zip");
    let proven = "3 entries of the hand are in the log, as the proofs under the log of trust.json say";
    assert!(code == 0 && said.contains(proven), "{said}");
}

/// Packs a case again with a change.
fn altered(room: &Room, change: impl FnOnce(&mut std::collections::BTreeMap<String, Vec<u8>>)) {
    altered_of(room, "case.zip", change);
}

fn altered_of(
    room: &Room,
    case: &str,
    change: impl FnOnce(&mut std::collections::BTreeMap<String, Vec<u8>>),
) {
    let mut files = files(room, case);
    change(&mut files);
    room.lab.write("altered.zip", write(&files).expect("it is written"));
}

fn sums(files: &mut std::collections::BTreeMap<String, Vec<u8>>) {
    let own = files.iter().filter(|(name, _)| !name.starts_with("SHA256SUMS"));
    let lines: String =
        own.map(|(name, bytes)| format!("{}  {name}\n", deckproof::file::sha256(bytes))).collect();
    files.insert("SHA256SUMS".to_owned(), lines.into_bytes());
}

#[test]
fn a_case_that_was_altered_is_refused() {
    let Some(room) = room() else { return };
    assert_eq!(run(&room, &[&DISPUTE[..], &["1", "--out", "case.zip"]].concat()).0, 0);
    let refused = |wanted: &str| {
        let (code, said) = check(&room, "altered.zip");
        assert!(code == 1 && said.contains("REFUSED") && said.contains(wanted), "{wanted}: {said}");
    };
    let seat = "bundles/seat-4.json";
    altered(&room, |files| drop(files.insert("README.txt".to_owned(), b"All is well.\n".to_vec())));
    refused("README.txt: its SHA-256");
    altered(&room, |files| drop(files.remove(seat)));
    refused(seat);
    altered(&room, |files| drop(files.insert("more.txt".to_owned(), Vec::new())));
    refused("does not list it");
    // With checksums that fit, the signature does not.
    altered(&room, |files| {
        files.insert("README.txt".to_owned(), b"All is well.\n".to_vec());
        sums(files);
    });
    refused("the signature is not one of these checksums");
    let (code, said, _) = run(&room, &["dispute", "--check", "altered.zip"]);
    assert!(code == 1 && said.contains("the signature is not one of these checksums"), "{said}");
    // A lost signature, and one by a key that the reader's file does not have, say nothing against the case.
    altered(&room, |files| drop(files.remove("SHA256SUMS.sig")));
    let (code, said) = check(&room, "altered.zip");
    assert!(code == 2 && said.contains("found no signature"), "{said}");
    room.lab.write("signers", format!("arbiter@stud.example {}", room.lab.text("stranger.pub")));
    let (code, said) = check(&room, "case.zip");
    assert!(code == 2 && said.contains("does not name for arbiter@stud.example"), "{said}");
    // The page of a signed case says how its signature is checked.
    altered(&room, |files| {
        files.remove("SHA256SUMS.sig");
        sums(files);
    });
    let (code, said, _) = run(&room, &["dispute", "--check", "altered.zip"]);
    assert!(code == 1 && said.contains("README.txt is not what this program says"), "{said}");
    let unsigned =
        ["dispute", "room", "--table", "T-1", "--trust", "trust.json", "--hand", "1", "--out", "plain.zip"];
    assert_eq!(run(&room, &unsigned).0, 0);
    // Unsigned, and what stands beside a bundle is not what the program says of it.
    altered_of(&room, "plain.zip", |files| {
        files.insert("verify/seat-4.txt".to_owned(), b"accepted\n".to_vec());
        sums(files);
    });
    let (code, said, _) = run(&room, &["dispute", "--check", "altered.zip"]);
    assert!(code == 1 && said.contains("verify/seat-4.txt is not what this program says"), "{said}");
    // With checksums that fit, nothing that follows from the entries is another, more or less.
    let bytes = |text: &str| Some(text.as_bytes().to_vec());
    for (name, change, wanted) in [
        (seat, None, "bundles/seat-4.json: found no such file"),
        ("bundles/full-reveal.json", bytes("{}"), "bundles/full-reveal.json: found it"),
        ("transcript.txt", bytes("deckproof/v1 transcript\n"), "transcript.txt: its hash"),
        ("history.phh", bytes("variant = 'F7S'\n"), "history.phh: "),
        ("ruling.txt", bytes("Illegal by stud-hi.\n"), "ruling.txt"),
        ("README.txt", bytes("All is well.\n"), "README.txt is not what this program says"),
        ("README.txt", None, "README.txt: found no such file"),
        ("log/close.txt", None, "log/: found 0 entries that end the hand"),
        ("notes.txt", bytes("All is well.\n"), "notes.txt: found it"),
    ] {
        altered_of(&room, "plain.zip", |files| {
            match change {
                Some(bytes) => drop(files.insert(name.to_owned(), bytes)),
                None => drop(files.remove(name)),
            }
            sums(files);
        });
        let (code, said, _) = run(&room, &["dispute", "--check", "altered.zip"]);
        assert!(code == 1 && said.contains(wanted), "{name}: {said}");
    }
    for (key, value) in [
        ("end", json!("voided")),
        ("reason", json!("crash")),
        ("seats", json!([2, 4])),
        ("opened", json!({ "holders": ["a", "b"], "reason": "x" })),
        ("log", json!({ "size": 1, "root": "0".repeat(64) })),
    ] {
        altered_of(&room, "plain.zip", |files| {
            let mut case: Value = serde_json::from_slice(&files["case.json"]).expect("JSON");
            case[key] = value;
            files.insert("case.json".to_owned(), case.to_string().into_bytes());
            sums(files);
        });
        let (code, said, _) = run(&room, &["dispute", "--check", "altered.zip"]);
        assert!(code == 1 && said.contains(&format!("case.json: {key} is not what")), "{key}: {said}");
    }
    // Whoever makes the case says which build judged it: another one compares no words, and judges all the same.
    let by_another = |change: &dyn Fn(&mut Vec<u8>)| {
        altered_of(&room, "plain.zip", |files| {
            let mut case: Value = serde_json::from_slice(&files["case.json"]).expect("JSON");
            case["tool"] = "deckproof 0.0.1".into();
            files.insert("case.json".to_owned(), case.to_string().into_bytes());
            change(files.get_mut(seat).expect("it is there"));
            sums(files);
        });
        run(&room, &["dispute", "--check", "altered.zip"])
    };
    let (code, said, _) = by_another(&|_| {});
    assert!(code == 0 && said.contains("seat-4.json: judged again: could not say whether"), "{said}");
    assert!(
        said.starts_with("altered.zip: a whole case, but for its words, which it says are of another build")
            && said.contains("not compared: README.txt, the ruling and the words")
            && said.contains("not checked: that trust.json"),
        "{said}"
    );
    // Each entry is held to its proof: one that was changed, one of another kind, and one without a proof.
    for (name, bytes, wanted) in [
        (
            "log/close.txt",
            b"deckproof/v1 close\n".to_vec(),
            "log/close.txt is not the entry that log/close.proof proves",
        ),
        (
            "log/void.txt",
            b"deckproof/v1 void\n".to_vec(),
            "log/void.txt: found no proof of it, wanted log/void.proof",
        ),
        ("log/open.proof", b"no proof\n".to_vec(), "log/open.txt: found no proof of it"),
    ] {
        altered_of(&room, "plain.zip", |files| {
            files.insert(name.to_owned(), bytes);
            sums(files);
        });
        let (code, said, _) = run(&room, &["dispute", "--check", "altered.zip"]);
        assert!(code == 1 && said.contains(wanted), "{name}: {said}");
    }
    // An entry of another hand is in the log, too: of this one it is none.
    assert_eq!(run(&room, &[&DISPUTE[..], &["2", "--out", "other.zip"]].concat()).0, 0);
    let other = files(&room, "other.zip");
    altered_of(&room, "plain.zip", |files| {
        for end in ["txt", "proof"] {
            files.insert(format!("log/void.{end}"), other[&format!("log/void.{end}")].clone());
        }
        sums(files);
    });
    let (code, said, _) = run(&room, &["dispute", "--check", "altered.zip"]);
    assert!(
        code == 1 && said.contains("log/void.txt is no void entry of the hand that case.json names"),
        "{said}"
    );
    let (code, said, _) = by_another(&|bundle| {
        let text = String::from_utf8(bundle.clone()).expect("text");
        *bundle = text.replacen("\"salt\": \"", "\"salt\": \"0", 1).into_bytes();
    });
    assert!(code == 1 && said.contains("seat-4.json: judged again: refused"), "{said}");
    room.lab.write("altered.zip", b"no archive");
    assert_eq!(check(&room, "altered.zip").0, 2);
    assert!(Path::new(&room.path("case.zip")).exists());
}
