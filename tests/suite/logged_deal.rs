//! Hands dealt with a log, as an operator, a player and an auditor see them.

use std::fs;
use std::process::{Child, Stdio};
use std::thread;
use std::time::Duration;

use deckproof::log::vkey::Signer;
use deckproof::log_folder::reader::LogReader;
use serde_json::json;

use crate::common::folder::{copy, files};
use crate::common::lab::{Lab, Output, words};

const ORIGIN: &str = "stud.example/log1";

/// How a table of three seats is dealt whose entries go to the log.
const DEAL: [&str; 7] = ["deal", "--seats", "1,2,3", "--log", "log", "--log-key", "log.key"];

/// Where the lines of the witness come, whom a table waits for.
const COSIGNED: [&str; 6] = ["--cosigned", "w1.line", "--trust", "trust.json", "--wait", "60"];

/// A log with its key, a witness with his, and the trust file of a player.
struct Place(Lab);

impl Place {
    fn new() -> Place {
        let lab = Lab::new();
        lab.run(&["log", "init", "log", "--origin", ORIGIN, "--key", "log.key"]).ends(0);
        lab.run(&["log", "cosign", "--init", "witness.example/w1", "--key", "w1.key"]).ends(0);
        let vkey = |name| Signer::parse(lab.text(name).trim()).expect("a key").vkey().to_string();
        let trust = json!({
            "origin": ORIGIN, "log": [vkey("log.key")], "witness": [vkey("w1.key")], "quorum": 1,
        });
        lab.write("trust.json", trust.to_string());
        Place(lab)
    }

    fn deal(&self, more: &[&str]) -> Output {
        self.0.run(&[&DEAL, more].concat())
    }

    /// Deals beside a witness, who cosigns each new publication until the table ends.
    fn deal_witnessed(&self, more: &[&str]) -> Output {
        let mut child =
            self.0.command(&[&DEAL, more].concat()).stdin(Stdio::null()).spawn().expect("it runs");
        witness(&self.0, &mut child);
        Output::from(child.wait_with_output().expect("it ends"))
    }

    fn verify(&self, more: &[&str]) -> Output {
        self.0.run(&[&["verify", "--trust", "trust.json"], more].concat())
    }
}

#[test]
fn bundles_of_logged_hands_are_accepted_and_say_no_more_than_their_proofs() {
    let place = Place::new();
    let lab = &place.0;
    place.deal(&["--table", "T-1", "--hands", "3", "--out", "out"]).ends(0);
    // The player at hand 3 keeps the receipt that was there before the first card.
    let kept = "kept.proof";
    lab.write(kept, lab.read("out/public/hand-3.deck.proof"));
    assert!(!lab.exists("out/public/hand-2.deck.proof"), "only the last receipts lie there");
    lab.run(&["bundle", "out", "--hand", "1-3"]).ends(0);
    let [bundle, other] = ["out/hand-3/seat-1.json", "out/hand-2/seat-1.json"];
    let output = place.verify(&[bundle]).ends(2);
    output.must_begin(&format!(
        "{bundle}: could not say whether its deck was fixed before the hand: its deck is proven to be in the log"
    ));
    assert!(
        output
            .out
            .lines()
            .next()
            .is_some_and(|line| line.ends_with("no quorum of your witnesses says since when."))
    );
    output.must_print("deck is entry 6, open is entry 7, close is entry 8");
    output.must_print("No quorum of witnesses says when they came there");
    let line = place.verify(&["--json", bundle]).json();
    let open = &line["proofs"]["open"];
    assert_eq!((&open["index"], &open["size"], &open["quorum_time"]), (&json!(7), &json!(9), &json!(null)));
    assert_eq!(line["findings"]["log_view"], "one checkpoint");
    assert_eq!((&line["verdict"], &line["fixed_by"]), (&json!("consistent"), &json!(null)));
    // What asks for no words is told it as well.
    place.verify(&["--quiet", bundle]).ends(2).must_print("could not say whether");
    // A proof that is left out shows no more; either receipt from before the first card shows it.
    let mut bare = lab.json(bundle);
    bare.as_object_mut().expect("an object").shift_remove("proofs");
    let bare_file = "bare.json";
    lab.write(bare_file, bare.to_string());
    place.verify(&[bare_file]).ends(2).must_print("nothing proves that its deck is in the log");
    let opened = "out/hand-3/open.proof";
    let output = place.verify(&[bare_file, "--receipt", opened]).ends(2);
    output.must_print("but not that it came there before the end of the hand did");
    output.must_print("Ask for the proof of the end of the hand");
    place.verify(&[bundle, "--receipt", kept]).ends(0).must_print("a receipt you saved shows its deck");
    // Without the trust file nothing is known of the log.
    lab.run(&["verify", bundle]).ends(0).must_print("consistent with itself");
    // The receipt, made again for the bundle byte for byte, and of another hand.
    assert_eq!(lab.read("out/hand-3/deck.proof"), lab.read(kept));
    place.verify(&[bundle, "--receipt", kept]).ends(0).must_print("a receipt you saved shows its deck");
    place.verify(&[other, "--receipt", kept]).ends(2).must_warn("proves no entry of hand 2 at table T-1");
    // The log signs another tree for somebody else: no bundle shows it alone, and two of them do, of one hand or of two.
    let other_log = Place::new();
    for file in ["log.key", "trust.json"] {
        other_log.0.write(file, lab.read(file));
    }
    other_log.0.run(&["log", "init", "log2", "--origin", ORIGIN, "--key", "log.key"]).ends(0);
    let deal = "deal --seats 1,2,3 --log log2 --log-key log.key --table T-1 --out out --hands 3";
    other_log.0.run(&words(deal)).ends(0);
    other_log.0.run(&["bundle", "out", "--hand", "2-3"]).ends(0);
    for hand in ["2", "3"] {
        lab.write("forked.json", other_log.0.read(&format!("out/hand-{hand}/seat-1.json")));
        place.verify(&["forked.json"]).ends(2);
        let output = place.verify(&["forked.json", bundle]).ends(1);
        output.must_print("the log signed both, so it is forked").must_not_print("E_DIFFERENT");
    }
    // The log takes an entry once and moves none: here its key signs another tree, with an entry of somebody else before them.
    lab.run(&["log", "init", "log2", "--origin", ORIGIN, "--key", "log.key"]).ends(0);
    lab.run(&["deal", "--origin", ORIGIN, "--table", "T-9", "--hands", "2", "--out", "first"]).ends(0);
    let files = ["first/public/entries.txt", "out/public/entries.txt"];
    lab.run(&[&["log", "append", "log2", "--key", "log.key"], &files[..]].concat()).ends(0);
    let receipt = lab.run(&["log", "prove", "log2", "--entry", "out/hand-3/deck.txt"]).ends(0).out;
    let (mut bundle_moved, moved) = (lab.json(bundle), "moved.json");
    bundle_moved["proofs"] = json!({ "deck": receipt });
    lab.write(moved, bundle_moved.to_string());
    place.verify(&[moved]).ends(2);
    for files in [&[moved, bundle][..], &[moved, "--receipt", kept]] {
        let output = place.verify(files).ends(1);
        output.must_print("refused, E_PROOF_ROOT").must_print("the log holds it twice, or is forked");
    }
    // At one place it has one entry, whatever hands the bundles are of and however large the trees.
    lab.run(&["bundle", "first", "--hand", "1"]).ends(0);
    let mut bundle_other = lab.json("first/hand-1/seat-1.json");
    let receipt = lab.run(&["log", "prove", "log2", "--entry", "first/hand-1/deck.txt"]).ends(0).out;
    bundle_other["proofs"] = json!({ "deck": receipt });
    lab.write("first.json", bundle_other.to_string());
    place.verify(&["first.json"]).ends(2);
    let output = place.verify(&["first.json", "out/hand-1/seat-1.json"]).ends(1);
    output.must_print("another entry (deck) at the same place: the log signed both, so it is forked");
    // Every bundle of every hand, in one call.
    let all: Vec<String> = (1..=3)
        .flat_map(|hand| {
            ["seat-1", "seat-2", "seat-3", "full-reveal"].map(|name| format!("out/hand-{hand}/{name}.json"))
        })
        .collect();
    let output = place.verify(&all.iter().map(String::as_str).collect::<Vec<_>>()).ends(2);
    output.must_print("12 files, 3 hands: 12 without proof that the deck was fixed before the hand.");
}

#[test]
fn a_receipt_of_a_forked_log_is_refused_beside_the_bundle() {
    let place = Place::new();
    let lab = &place.0;
    place.deal(&["--table", "T-1", "--hands", "1", "--out", "out"]).ends(0);
    lab.run(&["bundle", "out", "--hand", "1"]).ends(0);
    // Another log under the same key, with another hand: what was shown to somebody else.
    lab.run(&["log", "init", "fork", "--origin", ORIGIN, "--key", "log.key"]).ends(0);
    let deal = "deal --seats 1,2,3 --log fork --log-key log.key --table T-1 --hands 1 --out other";
    lab.run(&words(deal)).ends(0);
    lab.write("fork.proof", lab.run(&["log", "prove", "fork", "--index", "0"]).ends(0).out);
    let (bundle, own) = ("out/hand-1/seat-1.json", "out/hand-1/deck.proof");
    let output = place.verify(&[bundle, "--receipt", own, "--receipt", "fork.proof"]).ends(1);
    output.must_print("so it is forked");
    place.verify(&[bundle, "--receipt", own]).ends(0);
}

/// A backup of the log beside the tables of today: what they sign on it contradicts the receipts that players have.
#[test]
fn a_log_that_was_put_back_takes_no_hand_of_a_table_that_has_later_receipts() {
    let place = Place::new();
    let lab = &place.0;
    let deal = |table: &str, more: &[&str]| {
        place.deal(&[&["--table", table, "--hands", "1", "--out", table], more].concat())
    };
    let copy = |from: &str, to: &str| copy(lab.path(from).as_ref(), lab.path(to).as_ref());
    ["T-1", "T-2"].iter().for_each(|table| drop(deal(table, &[]).ends(0)));
    copy("log", "old");
    ["T-1", "T-2"].iter().for_each(|table| drop(deal(table, &["--continue"]).ends(0)));
    copy("log", "new");
    lab.remove("log");
    copy("old", "log");
    for table in ["T-2", "T-1", "T-2"] {
        deal(table, &["--continue"])
            .ends(2)
            .must_warn("it was put back to an earlier state, or is another one");
        assert_eq!(lab.text("log/checkpoint"), lab.text("old/checkpoint"));
    }
    // Another table has made it longer.
    ["T-3", "T-4", "T-5"].iter().for_each(|table| drop(deal(table, &[]).ends(0)));
    deal("T-2", &["--continue"]).ends(2).must_warn("it was put back to an earlier state, or is another one");
    lab.remove("log");
    copy("new", "log");
    deal("T-2", &["--continue"]).ends(0);
}

/// Cosigns each new publication, as a witness beside the table does, until the child ends.
fn witness(lab: &Lab, child: &mut Child) {
    let mut size = 0;
    while child.try_wait().expect("a child").is_none() {
        let now = LogReader::open(lab.path("log").as_ref()).map_or(0, |log| log.checkpoint().tree.size);
        if now != size {
            let request = lab.run(&["log", "prove", "log", "--from", &size.to_string()]).out;
            // The log may have grown since it was looked at: what is cosigned is what the request holds.
            let asked = request.split_once("\n\n").and_then(|(_, note)| note.lines().nth(1)?.parse().ok());
            lab.write("request", request);
            let mut cosign = words("log cosign request --trust trust.json --key w1.key --state w1.state");
            cosign.extend((size == 0).then_some("--first"));
            let output = lab.run(&cosign);
            if output.code == 0 {
                lab.write("w1.line", output.out);
                size = asked.expect("a checkpoint states its size");
            }
        }
        thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn witnesses_cosign_the_opening_before_the_first_card_and_the_bundle_says_when() {
    let place = Place::new();
    let lab = &place.0;
    let output =
        place.deal_witnessed(&[&["--table", "T-1", "--hands", "2", "--out", "out"], &COSIGNED[..]].concat());
    assert!(output.code == 0 && output.err.is_empty(), "{output}");
    lab.run(&["bundle", "out", "--hand", "1-2"]).ends(0);
    let seat = "out/hand-1/seat-2.json";
    let output = place.verify(&[seat]).ends(0);
    output.must_print("a quorum of your witnesses had seen its deck there");
    output.must_print(": accepted, if your first card came after 20").must_not_print("could not say");
    // Without the proof of its end nobody knows whether the witnesses had seen that too.
    let mut whole = lab.json("out/hand-1/full-reveal.json");
    whole["proofs"].as_object_mut().expect("an object").shift_remove("close");
    let endless = "endless.json";
    lab.write(endless, whole.to_string());
    place.verify(&[endless]).ends(2).must_print("but not that it came there before the end of the hand did");
    // One picture: what one file shows of the log holds for the other of the hand.
    let output = place.verify(&[endless, seat]);
    let together = output.out.split("Together: ").nth(1).unwrap_or_default();
    assert!(output.code == 0 && together.starts_with("accepted, if your first card came after"), "{output}");
    assert!(
        together.contains("the deck is the certified shuffle") && together.contains("close is entry 2"),
        "{output}"
    );
    let french = place.verify(&["--language", "fr", endless]).ends(2);
    french.must_print("indéterminé si ce jeu de cartes était fixé avant la main");
    let french = place.verify(&["--language", "fr", seat]).ends(0);
    french.must_print("accepté, si votre première carte est venue après le 20");
    let output = place.verify(&[seat]);
    output.must_print("if your first card came later, the deck was fixed before it");
    let line = place.verify(&["--json", seat]).json();
    let proofs = &line["proofs"];
    assert!(proofs["open"]["quorum_time"].as_u64() > Some(1_700_000_000), "{line}");
    // The checkpoint of the receipts is from before the end of the hand.
    assert_eq!((&proofs["open"]["size"], &proofs["close"]["index"]), (&json!(2), &json!(2)), "{line}");
    lab.run(&["log", "scan", "log", "--trust", "trust.json"]).ends(0);
    // Nobody cosigns: the hand is dealt, and it is said.out.
    fs::remove_file(lab.path("w1.line")).expect("it is there");
    let more = ["--table", "T-1", "--hands", "1", "--out", "out", "--continue"];
    place.deal(&[&more, &COSIGNED[..4]].concat()).ends(0).must_warn("did not cosign in time");
}

#[test]
fn a_hand_takes_at_most_two_kilobytes_on_disk() {
    let place = Place::new();
    // 3 entries a hand: after hand 86 the first tile is full, and of the next one there is little.
    place.deal(&["--table", "T-1", "--hands", "86", "--out", "out"]).ends(0);
    let files = ["out", "log"].map(|name| files(place.0.path(name).as_ref())).concat();
    let total: u64 = files.iter().map(|path| fs::metadata(path).expect("a file").len()).sum();
    assert!(total / 86 < 2_000, "{} bytes a hand", total / 86);
}

/// Witnesses who come after the round is out say "not later than": such a hand is no evidence against who dealt it.
#[test]
fn a_beacon_hand_whose_opening_was_witnessed_late_is_not_refused() {
    let place = Place::new();
    let round = crate::mixes::real_round();
    let number = round["round"].to_string();
    place.0.write("round.json", round.to_string());
    let more = ["--table", "T-1", "--hands", "1", "--out", "out"];
    let cut = ["--mix", "beacon", "--round", &number, "--beacon", "round.json", "--not-for-production"];
    let warned = place.deal_witnessed(&[&more[..], &COSIGNED, &cut].concat()).ends(0).err;
    assert!(warned.contains(&format!("hand 1: round {number} of the beacon was out")), "{warned}");
    place.0.run(&["bundle", "out", "--hand", "1"]).ends(0);
    let output = place.verify(&["out/hand-1/seat-2.json"]).ends(2);
    output.must_not_print("refused");
    output.must_print("when the cut was fixed is not shown");
    output.must_print("these proofs do not show it. A quorum had seen the opening at 20");
}

/// Whether the round was out is seen once the opening is in the log: one that is still to come is none of a warning, and
/// without a log there is no opening that could have come first.
#[test]
fn a_round_that_is_out_before_the_opening_is_logged_is_said_at_once() {
    let place = Place::new();
    let warned = |round: &str, out: &str, is_logged: bool| {
        let cut = ["--mix", "beacon", "--round", round, "--beacon", "nowhere.json", "--wait", "0"];
        let table = ["--table", out, "--hands", "1", "--out", out, "--not-for-production"];
        let deal = if is_logged { &DEAL[..] } else { &["deal"] };
        let output = place.0.run(&[deal, &table, &cut].concat());
        output.must_warn("the announced beacon round has no value");
        output.warns(&format!("round {round} of the beacon was out"))
    };
    // A round of 2023, and one that is due in some three hundred years.
    assert!(warned("1000", "T-1", true));
    assert!(!warned("3000000000", "T-2", true));
    assert!(!warned("1000", "T-3", false));
}
