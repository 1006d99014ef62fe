//! That a plan was made before its data: its hash as the reader kept it, or as a receipt of a log has it.

use deckproof::commitment::digest::leaf_hash;
use deckproof::log::checkpoint::Checkpoint;
use deckproof::log::receipt::Receipt;
use deckproof::log::tree::TreeHead;
use deckproof::log::vkey::{KeyKind, Signer};
use serde_json::{Value, json};

use crate::common::lab::{KEY, Lab, lines};
use crate::common::package;
use crate::common::schema::check_valid;
use crate::hands::thousand;

const LOG: &str = "deposits.example/log";

/// An audit in the folder `a`, and the SHA-256 of its plan.
fn audited(lab: &Lab) -> String {
    let source = format!("audit:{KEY}");
    lab.run(&["audit", "--source", &source, "--decks", "1000", "--tiers", "core", "--out", "a"]).ends(0);
    lab.certificate("a")["result"]["plan_sha256"].as_str().expect("a hash").to_owned()
}

fn claim(lab: &Lab, more: &[&str]) -> Value {
    claim_of(lab, "a/certificate.json", more)
}

fn claim_of(lab: &Lab, judged: &str, more: &[&str]) -> Value {
    let output = lab.run(&[&["verify", "--json", judged], more].concat()).ends(0);
    let found = output.json();
    check_valid("claims", &found["claims"]);
    let claims = found["claims"].as_array().expect("claims");
    claims.iter().find(|claim| claim["subject"] == "plan-fixed").expect("it is claimed").clone()
}

#[test]
fn a_plan_whose_hash_the_reader_kept_is_shown_with_its_condition() {
    let lab = Lab::new();
    let sha256 = audited(&lab);
    assert_eq!(claim(&lab, &[])["state"], "not-looked-at");
    let kept = claim(&lab, &["--committed", &sha256]);
    assert_eq!((&kept["state"], &kept["witness"]["kind"]), (&"shown".into(), &"saved".into()));
    let output = lab.run(&["verify", "a/certificate.json", "--committed", &sha256]);
    output.must_print("Plan: its SHA-256 is the one you give. It was made before the data if you saved that before the decks were dealt");
    output.must_print("Not checked: that it was not chosen among several: ");
    output.must_not_print("Not checked: that the plan was made before");
    // A slip is no finding.
    let output = lab.run(&["verify", "a/certificate.json", "--committed", &"07".repeat(32)]).ends(2);
    output.must_warn(&format!("its Plan SHA-256 is {sha256}, and --committed gives another number."));
    output.must_warn("or the SHA-256 of the file plan.toml").must_warn("This says nothing against it");
    let open = format!("deckproof/v1 open\ndeck {}\nrules stud-hi\nseats 1,2\n", "07".repeat(32));
    lab.write("open.txt", open);
    let output = lab.run(&["verify", "a/certificate.json", "--opened", "open.txt"]).ends(2);
    output.must_warn("--opened is about a hand");
}

/// The plan of recorded decks holds their hash: digits show that it was not changed, and not that it came before them.
#[test]
fn a_plan_of_recorded_decks_was_made_after_them() {
    let lab = Lab::new();
    lab.write("decks.txt", lines(1..=1_000));
    lab.run(&["audit", "--source", "decks.txt", "--tiers", "core", "--out", "a"]).ends(0);
    let sha256 = lab.certificate("a")["result"]["plan_sha256"].as_str().expect("a hash").to_owned();
    assert_eq!(claim(&lab, &["--committed", &sha256])["state"], "not-looked-at");
    let output = lab.run(&["verify", "a/certificate.json", "--committed", &sha256]);
    let words = "so it was made after they were dealt; it was not changed since you had it.";
    output.must_print(words).must_not_print("made before the data");
}

/// A checkpoint of a log with this one entry, by RFC 6962 the hash of its leaf, as a receipt; with the time of a witness, if any.
fn receipt(entry: &str, time: Option<u64>) -> String {
    let log = Signer::from_seed(LOG, KeyKind::Log, &[7; 32]).expect("a name");
    let tree = TreeHead { size: 1, root: leaf_hash(entry) };
    let mut note = log.sign(&Checkpoint { origin: LOG.to_owned(), tree }.to_string());
    note.signatures.extend(time.map(|time| witness().cosign(&note.text, time)));
    Receipt { index: 0, path: Vec::new(), note: note.to_string() }.to_string()
}

fn witness() -> Signer {
    Signer::from_seed("witness.example/w1", KeyKind::Witness, &[8; 32]).expect("a name")
}

/// A trust file for the log, with these witnesses.
fn trust(lab: &Lab, witnesses: &[Signer]) {
    let log = Signer::from_seed(LOG, KeyKind::Log, &[7; 32]).expect("a name").vkey().to_string();
    let keys: Vec<String> = witnesses.iter().map(|key| key.vkey().to_string()).collect();
    let trust = json!({ "origin": LOG, "log": [log], "witness": keys, "quorum": keys.len() });
    lab.write("trust.json", trust.to_string());
}

/// What is judged, its plan kept as digits and as a receipt of a log, and something else kept by mistake.
fn check_kept(lab: &Lab, judged: &str, sha256: &str) {
    trust(lab, &[witness()]);
    assert_ne!(claim_of(lab, judged, &[])["state"], "shown", "{judged}");
    let not_checked = "\nNot checked: that the plan";
    assert!(lab.run(&["verify", judged]).out.contains(not_checked), "{judged}");
    let receipts = ["--trust", "trust.json", "--receipt", "plan.proof"];
    lab.write("plan.proof", receipt(&format!("{sha256}\n"), Some(60)));
    let rows = [
        (&["--committed", sha256][..], "saved", "if you saved that before the decks were dealt"),
        (&receipts, "quorum", "Plan: by 1970-01-01 00:01:00 UTC a quorum"),
    ];
    for (more, kind, words) in rows {
        let kept = claim_of(lab, judged, more);
        assert_eq!((&kept["state"], &kept["witness"]["kind"]), (&json!("shown"), &json!(kind)), "{judged}");
        let output = lab.run(&[&["verify", judged], more].concat());
        assert!(output.code == 0 && output.prints(words), "{judged}: {output}");
        assert!(!output.prints(not_checked), "{judged}: {output}");
    }
    // Digits that the reader kept say less than a quorum that signed.
    let both = [&["--committed", sha256], &receipts[..]].concat();
    assert_eq!(claim_of(lab, judged, &both)["witness"]["kind"], "quorum", "{judged}");
    lab.write("plan.proof", receipt("something else\n", Some(60)));
    for more in [&["--committed", &"07".repeat(32)][..], &receipts] {
        let output = lab.run(&[&["verify", judged], more].concat());
        let is_open = output.code == 2 && output.warns("This says nothing against");
        assert!(is_open, "{judged}: {output}");
    }
}

/// The plan of hands is fixed before the hands are read, and kept like that of decks.
#[test]
fn the_plan_of_hands_is_shown_as_the_reader_kept_it() {
    let lab = Lab::new();
    lab.write("fair.phhs", thousand(false));
    let output = lab.run(&["hands", "--write-plan", "plan.toml"]).ends(0);
    let sha256 = output.out.split("Plan SHA-256: ").nth(1).expect("it is printed")[..64].to_owned();
    lab.run(&["hands", "--plan", "plan.toml", "--out", "a", "fair.phhs"]).ends(0);
    check_kept(&lab, "a/certificate.json", &sha256);
}

/// What a laboratory deposits before the campaign is its hash, which the package and its archive repeat.
#[test]
fn the_campaign_of_a_package_is_shown_as_the_reader_kept_it() {
    let lab = package::lab(&package::project(&format!("audit:{KEY}"), 1_000));
    let frozen = package::certify(&lab, &["--plan-only", "--out", "out"]).ends(0);
    package::certify(&lab, &["--out", "out", "--zip"]).ends(0);
    let report = lab.json("out/report.json");
    let sha256 = report["facts"]["campaign_sha256"].as_str().expect("a hash");
    assert!(frozen.prints(sha256), "it was printed before the campaign: {frozen}");
    // The hash of one of its plans, which the report has too, is told from that of the campaign.
    let plan = lab.json("out/plan.json")["audits"][0].clone();
    let (id, own) = (plan["id"].as_str().expect("an id"), plan["plan_sha256"].as_str().expect("a hash"));
    let output = lab.run(&["verify", "out", "--committed", own]).ends(2);
    output.must_warn(&format!(
        "its campaign SHA-256 is {sha256}, and --committed gives that of the plan of its audit {id}."
    ));
    for judged in ["out", "out.zip"] {
        let output: Value = serde_json::from_str(&lab.run(&["verify", "--json", judged]).out).expect("JSON");
        assert_eq!((&output["verdict"], &output["package_verdict"]), (&json!("consistent"), &json!("pass")));
        check_kept(&lab, judged, sha256);
    }
}

/// A log that anybody keeps holds the hash; its receipt shows it, and a witness since when.
#[test]
fn a_receipt_of_the_hash_of_a_plan_shows_it_in_the_log_and_since_when() {
    let lab = Lab::new();
    let sha256 = audited(&lab);
    trust(&lab, &[witness()]);
    let more = ["--trust", "trust.json", "--receipt", "plan.proof"];
    let verify = || lab.run(&[&["verify", "a/certificate.json"], &more[..]].concat());
    // 60 s after the beginning of POSIX time.
    let rows = [
        (None, "receipt", "if you had the receipt before the decks were dealt"),
        (Some(60), "quorum", "Plan: by 1970-01-01 00:01:00 UTC a quorum"),
    ];
    for (time, kind, words) in rows {
        lab.write("plan.proof", receipt(&format!("{sha256}\n"), time));
        let kept = claim(&lab, &more);
        assert_eq!((&kept["state"], &kept["witness"]["kind"]), (&json!("shown"), &json!(kind)));
        let output = verify().ends(0);
        output.must_print(words);
        output.must_print(&format!("entry 0 of the log {LOG}"));
    }
    // A receipt of something else says nothing against the certificate.
    lab.write("plan.proof", receipt("something else\n", Some(60)));
    let output = verify();
    let is_open = output.code == 2 && output.warns("This says nothing against the certificate");
    assert!(is_open, "{output}");
}

/// Of several certificates, what was kept of the plan of one shows that one, and says nothing of the others.
#[test]
fn what_was_kept_of_one_plan_shows_that_one_among_several() {
    let lab = Lab::new();
    let sha256 = audited(&lab);
    let other = ["audit", "--source", &format!("audit:{KEY}"), "--decks", "2000", "--tiers", "core"];
    lab.run(&[&other[..], &["--out", "b"]].concat()).ends(0);
    trust(&lab, &[]);
    lab.write("plan.proof", receipt(&format!("{sha256}\n"), None));
    let files = ["verify", "a/certificate.json", "b/certificate.json"];
    let rows = [
        (&["--committed", &sha256][..], "if you saved that before"),
        (
            &["--trust", "trust.json", "--receipt", "plan.proof"],
            "Plan: the receipt plan.proof shows its SHA-256",
        ),
    ];
    for (more, words) in rows {
        let output = lab.run(&[&files[..], more].concat()).ends(0);
        let (own, other) = output.out.split_once("b/certificate.json: ").expect("both are told");
        let not_checked = "Not checked: that the plan was made before";
        assert!(own.contains(words) && !own.contains(not_checked), "{own}");
        assert!(!other.contains(words) && other.contains(not_checked), "{other}");
    }
}
