//! Hands dealt with a log, as an operator, a player and an auditor see them.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use assert_cmd::cargo::cargo_bin;
use deckproof::log::vkey::Signer;
use deckproof::log_folder::reader::LogReader;
use serde_json::{Value, json};
use tempfile::TempDir;

const ORIGIN: &str = "stud.example/log1";

fn deckproof(arguments: &[&str]) -> (i32, String) {
    let output = Command::new(cargo_bin("deckproof")).args(arguments).output().expect("it runs");
    let text = [output.stdout, output.stderr].concat();
    (output.status.code().expect("no signal ended it"), String::from_utf8(text).expect("it prints UTF-8"))
}

fn text(path: &Path) -> String {
    path.display().to_string()
}

/// A log with its key, a witness with his, and the trust file of a player.
struct Place {
    folder: TempDir,
}

impl Place {
    fn new() -> Place {
        let place = Place { folder: TempDir::new().expect("a folder") };
        let (log, key) = (place.at("log"), place.at("log.key"));
        assert_eq!(deckproof(&["log", "init", &log, "--origin", ORIGIN, "--key", &key]).0, 0);
        let witness = place.at("w1.key");
        assert_eq!(deckproof(&["log", "cosign", "--init", "witness.example/w1", "--key", &witness]).0, 0);
        let vkey = |name: &str| {
            let key = fs::read_to_string(place.path(name)).expect("a key");
            Signer::parse(key.trim()).expect("a key").vkey().to_string()
        };
        let trust = json!({
            "origin": ORIGIN, "log": [vkey("log.key")], "witness": [vkey("w1.key")], "quorum": 1,
        });
        fs::write(place.path("trust.json"), trust.to_string()).expect("writable");
        place
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn at(&self, name: &str) -> String {
        text(&self.path(name))
    }

    fn deal(&self, more: &[&str]) -> Command {
        let mut command = Command::new(cargo_bin("deckproof"));
        command.args([
            "deal",
            "--seats",
            "1,2,3",
            "--log",
            &self.at("log"),
            "--log-key",
            &self.at("log.key"),
        ]);
        command.args(more);
        command
    }

    fn verify(&self, more: &[&str]) -> (i32, String) {
        deckproof(&[&["verify", "--trust", &self.at("trust.json")], more].concat())
    }
}

#[test]
fn bundles_of_logged_hands_are_accepted_and_say_no_more_than_their_proofs() {
    let place = Place::new();
    let out = place.at("out");
    let dealt = place.deal(&["--table", "T-1", "--hands", "3", "--out", &out]).output().expect("it runs");
    assert!(dealt.status.success(), "{}", String::from_utf8_lossy(&dealt.stderr));
    // The player at hand 3 keeps the receipt that was there before the first card.
    let kept = place.at("kept.proof");
    fs::copy(place.path("out/public/hand-3.deck.proof"), &kept).expect("a receipt");
    assert!(!place.path("out/public/hand-2.deck.proof").exists(), "only the last receipts lie there");
    let (code, said) = deckproof(&["bundle", &out, "--hand", "1-3"]);
    assert_eq!(code, 0, "{said}");
    let [bundle, other] = [3, 2].map(|hand| place.at(&format!("out/hand-{hand}/seat-1.json")));
    let (code, said) = place.verify(&[&bundle]);
    assert!(
        code == 2
            && said.lines().next().is_some_and(|line| line.contains(
                ": could not say whether its deck was fixed before the hand: its deck is proven to be in the log"
            ) && line.ends_with("no quorum of your witnesses says since when.")),
        "{said}"
    );
    assert!(said.contains("deck is entry 6, open is entry 7, close is entry 8"), "{said}");
    assert!(said.contains("No quorum of witnesses says when they came there"), "{said}");
    let (_, line) = place.verify(&["--json", &bundle]);
    let line: Value = serde_json::from_str(line.lines().next().expect("a line")).expect("JSON");
    assert_eq!(line["proofs"]["open"]["index"], 7);
    assert_eq!(
        (&line["proofs"]["open"]["size"], &line["proofs"]["open"]["quorum_time"]),
        (&json!(9), &json!(null))
    );
    assert_eq!(line["findings"]["log_view"], "one checkpoint");
    assert_eq!((&line["verdict"], &line["fixed_by"]), (&json!("consistent"), &json!(null)));
    // What asks for no words is told it as well.
    let (code, said) = place.verify(&["--quiet", &bundle]);
    assert!(code == 2 && said.contains("could not say whether"), "{said}");
    // A proof that is left out shows no more; either receipt from before the first card shows it.
    let mut bare: Value =
        serde_json::from_str(&fs::read_to_string(&bundle).expect("a bundle")).expect("JSON");
    bare.as_object_mut().expect("an object").shift_remove("proofs");
    let bare_file = place.at("bare.json");
    fs::write(&bare_file, bare.to_string()).expect("writable");
    let (code, said) = place.verify(&[&bare_file]);
    assert!(code == 2 && said.contains("nothing proves that its deck is in the log"), "{said}");
    let opened = place.at("out/hand-3/open.proof");
    let (code, said) = place.verify(&[&bare_file, "--receipt", &opened]);
    assert!(
        code == 2 && said.contains("but not that it came there before the end of the hand did"),
        "{said}"
    );
    assert!(said.contains("Ask for the proof of the end of the hand"), "{said}");
    let (code, said) = place.verify(&[&bundle, "--receipt", &kept]);
    assert!(code == 0 && said.contains("a receipt you saved shows its deck"), "{said}");
    // Without the trust file nothing is known of the log.
    let (code, said) = deckproof(&["verify", &bundle]);
    assert!(code == 0 && said.contains("consistent with itself"), "{said}");
    // The receipt, made again for the bundle byte for byte, and of another hand.
    let again = fs::read(place.path("out/hand-3/deck.proof")).expect("a receipt");
    assert_eq!(again, fs::read(&kept).expect("a receipt"));
    let (code, said) = place.verify(&[&bundle, "--receipt", &kept]);
    assert!(code == 0 && said.contains("a receipt you saved shows its deck"), "{said}");
    let (code, said) = place.verify(&[&other, "--receipt", &kept]);
    assert!(code == 1 && said.contains("E_PROOF_ROOT"), "{said}");
    // Every bundle of every hand, in one call.
    let all: Vec<String> = (1..=3)
        .flat_map(|hand| {
            ["seat-1", "seat-2", "seat-3", "full-reveal"].map(|name| format!("out/hand-{hand}/{name}.json"))
        })
        .map(|name| place.at(&name))
        .collect();
    let (code, said) = place.verify(&all.iter().map(String::as_str).collect::<Vec<_>>());
    assert!(
        code == 2
            && said.contains("12 files, 3 hands: 12 without proof that the deck was fixed before the hand."),
        "{said}"
    );
}

#[test]
fn a_receipt_of_a_forked_log_is_refused_beside_the_bundle() {
    let place = Place::new();
    let out = place.at("out");
    assert!(
        place.deal(&["--table", "T-1", "--hands", "1", "--out", &out]).status().expect("it runs").success()
    );
    assert_eq!(deckproof(&["bundle", &out, "--hand", "1"]).0, 0);
    // Another log under the same key, with another hand: what was shown to somebody else.
    let (fork, key) = (place.at("fork"), place.at("log.key"));
    assert_eq!(deckproof(&["log", "init", &fork, "--origin", ORIGIN, "--key", &key]).0, 0);
    let other = place.at("other");
    let deal =
        ["deal", "--seats", "1,2,3", "--log", &fork, "--log-key", &key, "--table", "T-1", "--hands", "1"];
    assert_eq!(deckproof(&[&deal[..], &["--out", &other]].concat()).0, 0);
    let (code, receipt) = deckproof(&["log", "prove", &fork, "--index", "0"]);
    assert_eq!(code, 0);
    fs::write(place.path("fork.proof"), receipt).expect("writable");
    let own = place.at("own.proof");
    fs::copy(place.path("out/hand-1/deck.proof"), &own).expect("a receipt");
    let (bundle, forked) = (place.at("out/hand-1/seat-1.json"), place.at("fork.proof"));
    let (code, said) = place.verify(&[&bundle, "--receipt", &own, "--receipt", &forked]);
    assert!(code == 1 && said.contains("so it is forked"), "{said}");
    assert_eq!(place.verify(&[&bundle, "--receipt", &own]).0, 0);
}

/// Cosigns each new publication, as a witness beside the table does, until the child ends.
fn witness(place: &Place, child: &mut std::process::Child) {
    let (trust, key, state) = (place.at("trust.json"), place.at("w1.key"), place.at("w1.state"));
    let mut size = 0;
    while child.try_wait().expect("a child").is_none() {
        let now = LogReader::open(&place.path("log")).map_or(0, |log| log.checkpoint().tree.size);
        if now != size {
            let (_, request) = deckproof(&["log", "prove", &place.at("log"), "--from", &size.to_string()]);
            // The log may have grown since it was looked at: what is cosigned is what the request holds.
            let asked = request.split_once("\n\n").and_then(|(_, note)| note.lines().nth(1)?.parse().ok());
            fs::write(place.path("request"), request).expect("writable");
            let base =
                ["log", "cosign", &place.at("request"), "--trust", &trust, "--key", &key, "--state", &state];
            let first: &[&str] = if size == 0 { &["--first"] } else { &[] };
            let (code, line) = deckproof(&[&base[..], first].concat());
            if code == 0 {
                fs::write(place.path("w1.line"), line).expect("writable");
                size = asked.expect("a checkpoint states its size");
            }
        }
        thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn witnesses_cosign_the_opening_before_the_first_card_and_the_bundle_says_when() {
    let place = Place::new();
    let out = place.at("out");
    let (line, trust) = (place.at("w1.line"), place.at("trust.json"));
    let more = [
        "--table", "T-1", "--hands", "2", "--out", &out, "--cosigned", &line, "--trust", &trust, "--wait",
        "60",
    ];
    let mut child = place.deal(&more).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().expect("it runs");
    witness(&place, &mut child);
    let output = child.wait_with_output().expect("it ends");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && said.is_empty(), "{said}");
    assert_eq!(deckproof(&["bundle", &out, "--hand", "1-2"]).0, 0);
    let (code, said) = place.verify(&[&place.at("out/hand-1/seat-2.json")]);
    assert!(code == 0 && said.contains("a quorum of your witnesses had seen its deck there"), "{said}");
    assert!(
        said.contains(": accepted, if your first card came after 20") && !said.contains("could not say"),
        "{said}"
    );
    // Without the proof of its end nobody knows whether the witnesses had seen that too.
    let whole = fs::read_to_string(place.path("out/hand-1/full-reveal.json")).expect("a bundle");
    let mut whole: Value = serde_json::from_str(&whole).expect("JSON");
    whole["proofs"].as_object_mut().expect("an object").shift_remove("close");
    let endless = place.at("endless.json");
    fs::write(&endless, whole.to_string()).expect("writable");
    let (code, said) = place.verify(&[&endless]);
    assert!(
        code == 2 && said.contains("but not that it came there before the end of the hand did"),
        "{said}"
    );
    // One picture: what one file shows of the log holds for the other of the hand.
    let (code, said) = place.verify(&[&endless, &place.at("out/hand-1/seat-2.json")]);
    let together = said.split("Together: ").nth(1).unwrap_or_default();
    assert!(code == 0 && together.starts_with("accepted, if your first card came after"), "{said}");
    assert!(
        together.contains("the deck is the certified shuffle") && together.contains("close is entry 2"),
        "{said}"
    );
    let (code, french) = place.verify(&["--language", "fr", &endless]);
    assert!(
        code == 2 && french.contains("indéterminé si ce jeu de cartes était fixé avant la main"),
        "{french}"
    );
    let (code, french) = place.verify(&["--language", "fr", &place.at("out/hand-1/seat-2.json")]);
    assert!(
        code == 0 && french.contains("accepté, si votre première carte est venue après le 20"),
        "{french}"
    );
    let (_, said) = place.verify(&[&place.at("out/hand-1/seat-2.json")]);
    assert!(said.contains("if your first card came later, the deck was fixed before it"), "{said}");
    let (_, line) = place.verify(&["--json", &place.at("out/hand-1/seat-2.json")]);
    let line: Value = serde_json::from_str(line.lines().next().expect("a line")).expect("JSON");
    let proofs = &line["proofs"];
    assert!(proofs["open"]["quorum_time"].as_u64() > Some(1_700_000_000), "{line}");
    // The checkpoint of the receipts is from before the end of the hand.
    assert_eq!((&proofs["open"]["size"], &proofs["close"]["index"]), (&json!(2), &json!(2)), "{line}");
    assert_eq!(deckproof(&["log", "scan", &place.at("log"), "--trust", &trust]).0, 0);
    // Nobody cosigns: the hand is dealt, and it is said.
    fs::remove_file(place.path("w1.line")).expect("it is there");
    let more = [
        "--table", "T-1", "--hands", "1", "--out", &out, "--continue", "--cosigned", more[7], "--trust",
        &trust,
    ];
    let output = place.deal(&more).output().expect("it runs");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && said.contains("did not cosign in time"), "{said}");
}

#[test]
fn a_hand_takes_at_most_two_kilobytes_on_disk() {
    fn bytes(path: &Path) -> u64 {
        if path.is_dir() {
            fs::read_dir(path).expect("a folder").map(|entry| bytes(&entry.expect("an entry").path())).sum()
        } else {
            fs::metadata(path).expect("a file").len()
        }
    }
    let place = Place::new();
    let out = place.at("out");
    // 3 entries a hand: after hand 86 the first tile is full, and of the next one there is little.
    let more = ["--table", "T-1", "--hands", "86", "--out", &out];
    assert!(place.deal(&more).stdout(Stdio::null()).status().expect("it runs").success());
    let total = bytes(&place.path("out")) + bytes(&place.path("log"));
    assert!(total / 86 < 2_000, "{} bytes a hand", total / 86);
}

/// Witnesses who come after the round is out say "not later than": such a hand is no evidence against who dealt it.
#[test]
fn a_beacon_hand_whose_opening_was_witnessed_late_is_not_refused() {
    let place = Place::new();
    let round = crate::mixes::real_round();
    let (out, number) = (place.at("out"), round["round"].to_string());
    fs::write(place.path("round.json"), round.to_string()).expect("writable");
    let (line, trust, value) = (place.at("w1.line"), place.at("trust.json"), place.at("round.json"));
    let more = [
        "--table", "T-1", "--hands", "1", "--out", &out, "--cosigned", &line, "--trust", &trust, "--wait",
        "60",
    ];
    let cut = ["--mix", "beacon", "--round", &number, "--beacon", &value, "--not-for-production"];
    let more = [&more[..], &cut].concat();
    let mut child = place.deal(&more).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().expect("it runs");
    witness(&place, &mut child);
    let output = child.wait_with_output().expect("it ends");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let warned = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(warned.contains(&format!("hand 1: round {number} of the beacon was out")), "{warned}");
    assert_eq!(deckproof(&["bundle", &out, "--hand", "1"]).0, 0);
    let (code, said) = place.verify(&[&place.at("out/hand-1/seat-2.json")]);
    assert!(code == 2 && !said.contains("refused"), "{said}");
    assert!(said.contains("when the cut was fixed is not shown"), "{said}");
    assert!(said.contains("these proofs do not show it. A quorum had seen the opening at 20"), "{said}");
}

/// Whether the round was out is seen once the opening is in the log: one that is still to come is none of a warning, and
/// without a log there is no opening that could have come first.
#[test]
fn a_round_that_is_out_before_the_opening_is_logged_is_said_at_once() {
    let place = Place::new();
    let nowhere = place.at("nowhere.json");
    let warned = |round: &str, out: &str, is_logged: bool| {
        let (out, cut) =
            (place.at(out), ["--mix", "beacon", "--round", round, "--beacon", &nowhere, "--wait", "0"]);
        let table = ["--table", out.rsplit('/').next().expect("a name"), "--hands", "1", "--out", &out];
        let more = [&table[..], &cut, &["--not-for-production"]].concat();
        let mut command = if is_logged { place.deal(&more) } else { Command::new(cargo_bin("deckproof")) };
        if !is_logged {
            command.arg("deal").args(&more);
        }
        let output = command.output().expect("it runs");
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(said.contains("the announced beacon round has no value"), "{said}");
        said.contains(&format!("round {round} of the beacon was out"))
    };
    // A round of 2023, and one that is due in some three hundred years.
    assert!(warned("1000", "T-1", true));
    assert!(!warned("3000000000", "T-2", true));
    assert!(!warned("1000", "T-3", false));
}
