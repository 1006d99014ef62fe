//! A log that cannot be spoilt by slips: entries added twice, two tables of one name, a table that finds its log spoilt;
//! and what a scan says of decks that were not played.

use std::cell::RefCell;
use std::fs;
use std::path::Path;
use std::process::Stdio;
use std::rc::Rc;

use deckproof::commitment::cut::seed_commitment;
use deckproof::commitment::digest::{Digest, leaf_hash};
use deckproof::key::HandContext;
use deckproof::log::vkey::{KeyKind, Signer};
use deckproof::log_folder::files::Files;
use deckproof::log_folder::reader::LogReader;
use deckproof::log_folder::{Log, LogError};
use serde_json::json;

use crate::common::disk::{Cut, Disk, LogShim};
use crate::common::hands_log::{ORIGIN, hand, hands};
use crate::common::lab::{Lab, Output, words};
use crate::common::schema::check_valid;

/// A place with an empty log.
fn lab() -> Lab {
    let lab = Lab::new();
    lab.run(&["log", "init", "log", "--origin", ORIGIN, "--key", "log.key"]).ends(0);
    lab
}

fn append(lab: &Lab, entries: &[String]) -> Output {
    lab.write("entries", entries.concat());
    lab.run(&["log", "append", "log", "entries", "--key", "log.key"])
}

/// Adds entries as a program would that looks at nothing.
fn append_blindly(lab: &Lab, entries: &[String]) {
    let key = lab.text("log.key");
    let mut log = Log::open(Path::new(&lab.path("log"))).expect("a log");
    for entry in entries {
        log.append(entry).expect("it is an entry");
    }
    log.publish(&Signer::parse(key.trim()).expect("a key")).expect("the disk holds it");
}

fn size(lab: &Lab) -> u64 {
    let checkpoint = lab.text("log/checkpoint");
    checkpoint.lines().nth(1).and_then(|line| line.parse().ok()).expect("the second line is the size")
}

fn void(deck: &str, reason: &str) -> String {
    format!("deckproof/v1 void\ndeck {}\nreason {reason}\n", leaf_hash(deck))
}

#[test]
fn entries_that_are_there_are_left_out_and_what_does_not_fit_is_refused_with_all_the_rest() {
    let lab = lab();
    let two = hands("T-1", 2);
    assert!(append(&lab, &two[..4]).out.contains("4 entries added from index 0; the checkpoint has 4."));
    // As after a kill: nobody knows whether it was published.
    let again = append(&lab, &two).ends(0);
    let wanted =
        "2 entries added from index 4; 4 left out, for the log has them already; the checkpoint has 6.";
    again.must_print(wanted);
    append(&lab, &two).ends(0).must_begin("0 entries added; 6 left out");
    // Once in the file as well.
    let third = hand("T-1", 3).to_vec();
    let twice = append(&lab, &[third.clone(), third].concat()).ends(0);
    twice.must_print("3 entries added from index 6; 3 left out");
    let [fourth, open, close] = hand("T-1", 4);
    let other = fourth.replace("mix none", "mix players");
    let misfits: [(&[String], &str); 5] = [
        (&[other.replace("hand 4", "hand 3")], "E_LOG_DUP: a second deck of hand 3 of table T-1"),
        (&[fourth.replace("hand 4", "hand 6")], "E_LOG_GAP"),
        (&[fourth.clone(), close.clone()], "entry 2 of those given does not fit the log: E_LOG_ORPHAN"),
        (
            &[fourth, open.clone(), close.clone(), void(&hand("T-1", 3)[0], "misdeal")],
            "E_LOG_DUP: a second end",
        ),
        (
            &[
                other.clone(),
                open.replace(&leaf_hash(&hand("T-1", 4)[0]).to_string(), &leaf_hash(&other).to_string()),
            ],
            "E_MIX",
        ),
    ];
    for (entries, code) in misfits {
        let output = append(&lab, entries).ends(2);
        output.must_warn(code);
        output.must_warn("nothing was added");
        assert_eq!(size(&lab), 9, "{code}");
    }
    lab.run(&["log", "scan", "log"]).ends(0);
}

/// The words of `log append --help`, to their end.
#[test]
fn a_log_takes_the_file_that_a_table_wrote_as_often_as_it_is_given() {
    let lab = lab();
    let deal = ["deal", "--origin", ORIGIN, "--table", "T-1", "--hands", "2", "--out", "hands"];
    lab.run(&deal).ends(0);
    let append = ["log", "append", "log", "--key", "log.key", "hands/public/entries.txt"];
    lab.run(&append).ends(0).must_begin("6 entries added from index 0;");
    lab.run(&[&deal[..], &["--continue"]].concat()).ends(0);
    lab.run(&append).must_begin("6 entries added from index 6; 6 left out");
    assert!(lab.run(&["log", "scan", "log"]).out.contains("4 closed, 0 voided"));
    // Its proofs come from that log.
    let bundle = ["bundle", "hands", "--hand", "1-4", "--log", "log", "--seat", "4"];
    lab.run(&bundle).ends(0);
    let bundle = lab.json("hands/hand-3/seat-4.json");
    let proof = bundle["proofs"]["close"].as_str().expect("a proof");
    assert!(proof.contains("\nindex 8\n"), "{proof}");
}

/// Two processes of one table name, begun at the same moment in two folders: one deals, one stops.
#[test]
fn two_tables_of_one_name_begun_at_once_leave_the_log_in_order() {
    for _ in 0..4 {
        let lab = lab();
        let deal = |out: &str| {
            let line = format!("deal --table T-1 --hands 3 --log log --log-key log.key --out {out}");
            lab.command(&words(&line)).stdin(Stdio::null()).spawn().expect("it runs")
        };
        let both = [deal("a"), deal("b")];
        let output: Vec<Output> =
            both.into_iter().map(|child| child.wait_with_output().expect("it ends").into()).collect();
        lab.run(&["log", "scan", "log", "--live"]).ends(0);
        let mut codes: Vec<i32> = output.iter().map(|output| output.code).collect();
        codes.sort_unstable();
        assert!(codes == [0, 2], "{codes:?}: {}{}", output[0].err, output[1].err);
        let loser = output.iter().find(|output| output.code == 2).expect("one stops");
        let is_told = loser.warns("Two tables of one name") || loser.warns("the log has hand");
        assert!(is_told, "{loser}");
        // It can never go on, and says so; the other can.
        for out in ["a", "b"] {
            let line =
                format!("deal --continue --table T-1 --hands 1 --out {out} --log log --log-key log.key");
            lab.run(&words(&line)).ends(output[usize::from(out == "b")].code);
        }
        lab.run(&["log", "scan", "log"]).ends(0);
    }
}

#[test]
fn a_table_does_not_deal_into_a_log_that_is_spoilt() {
    let lab = lab();
    let base = ["deal", "--hands", "1", "--log", "log", "--log-key", "log.key"];
    let deal = |more: &[&str]| lab.run(&[&base[..], more].concat());
    deal(&["--table", "A", "--out", "a"]).ends(0);
    let second = hand("B", 1)[0].replace("mix none", "mix beacon");
    append_blindly(&lab, &[hand("B", 1)[0].clone(), second]);
    let (entries, log) = (lab.read("a/public/entries.txt"), size(&lab));
    let wanted =
        "the log contradicts itself (E_LOG_DUP, entry 4 of the log: a second deck of hand 1 of table B)";
    for output in [deal(&["--table", "A", "--out", "a", "--continue"]), deal(&["--table", "C", "--out", "c"])]
    {
        output.ends(2).must_warn(wanted).must_warn("docs/log.md");
    }
    assert_eq!(lab.read("a/public/entries.txt"), entries);
    append(&lab, &hands("D", 1)).ends(2).must_warn("the log contradicts itself (E_LOG_DUP");
    assert_eq!(size(&lab), log);
    let docs = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/log.md")).expect("there");
    assert!(docs.contains("A log that is spoilt"), "what the message sends to");
}

/// A deck with a root of its own.
fn deck(table: &str, number: u64, mix: &str) -> String {
    let root = Digest::of(format!("shopped {table} {number}"));
    format!("deckproof/v1 deck\norigin {ORIGIN}\ntable {table}\nhand {number}\nmix {mix}\ndeck {root}\n")
}

fn open(deck: &str) -> String {
    format!("deckproof/v1 open\ndeck {}\nrules stud-hi\nseats 1,2,5\n", leaf_hash(deck))
}

fn scan(lab: &Lab, more: &[&str]) -> Output {
    lab.run(&[&["log", "scan", "log"], more].concat())
}

#[test]
fn most_hands_of_a_table_void_stand_in_the_headline_and_have_a_limit() {
    let lab = lab();
    let mut entries = hands("T-1", 6);
    for number in 7..=60 {
        let deck = deck("T-1", number, "none");
        // Every third is given up unopened.
        entries.extend([deck.clone()]);
        entries.extend((number % 3 > 0).then(|| open(&deck)));
        entries.push(void(&deck, if number % 2 == 0 { "crash" } else { "misdeal" }));
    }
    entries.extend(hands("T-2", 4));
    append(&lab, &entries).ends(0);
    let output = scan(&lab, &[]);
    let headline = output.out.lines().next().expect("a line");
    assert!(output.code == 0 && headline.contains("whole and in order"), "{output}");
    // 54 of the 60 of one table and none of the four of the other.
    assert!(headline.contains("54 of 64 decks that ended (0.844) were voided"), "{headline}");
    output.must_not_print("sound");
    let row = "T-1 54 of 60 decks that ended (0.900): crash 27 (0.450), misdeal 27 (0.450); 18 decks before they were opened.";
    output.must_print(row);
    output.must_print("the operator knew each deck that he voided: under mix none");
    output.must_print("he did not choose among decks");
    for (limit, code) in [("0.9", 0), ("0.89", 1), ("0", 1), ("1", 0)] {
        let output = scan(&lab, &["--max-voids", limit]);
        assert_eq!(output.code, code, "{limit}: {output}");
        assert_eq!(output.prints("Above a limit   table T-1 voided 54 of 60"), code == 1, "{output}");
    }
    for wrong in ["1.1", "-0.1", "NaN", "54%"] {
        assert_eq!(scan(&lab, &[&format!("--max-voids={wrong}")]).code, 2, "{wrong}");
    }
    let line = scan(&lab, &["--max-voids", "0.5", "--json"]).ends(1).json();
    check_valid("log", &line);
    assert_eq!(line["verdict"], "above the limits");
    for (key, wanted) in [
        ("closed", json!(6)),
        ("voided_opened", json!(36)),
        ("voided_unopened", json!(18)),
        ("voided_known", json!(54)),
        ("voided_share", json!(0.9)),
    ] {
        assert_eq!(line["tables"]["T-1"][key], wanted, "{key}");
    }
    let line = scan(&lab, &["--json"]).ends(0).json();
    check_valid("log", &line);
    assert_eq!((&line["verdict"], &line["exceeded"]), (&json!("in order"), &json!([])));
}

#[test]
fn decks_of_many_tables_that_nobody_played_stand_in_the_headline_and_have_a_limit() {
    let lab = lab();
    let mut entries = hands("T-01", 1);
    for number in 0..59u64 {
        let (table, hand) = (number % 20 + 1, number / 20 + 1);
        let hand = if table == 1 { hand + 1 } else { hand };
        entries.push(deck(&format!("T-{table:02}"), hand, "none"));
    }
    append(&lab, &entries).ends(0);
    let output = scan(&lab, &[]);
    let headline = output.out.lines().next().expect("a line");
    assert!(headline.contains("59 decks of 20 tables neither opened nor voided."), "{headline}");
    assert!(output.code == 0 && !output.prints("sound"), "{output}");
    assert!(scan(&lab, &["--live"]).out.contains("neither opened nor voided so far."));
    scan(&lab, &["--max-unused", "59"]).ends(0);
    let output = scan(&lab, &["--max-unused", "58"]).ends(1);
    output.must_print("59 decks were neither opened nor voided, more than the 58");
}

/// A close entry without a card gives a deck up, as a void does.
#[test]
fn hands_closed_without_a_card_count_as_voided() {
    let lab = lab();
    let mut entries = hands("T-1", 3);
    let given_up = deck("T-1", 4, "none");
    let opened = open(&given_up);
    let transcript = Digest::of("deckproof/v1 transcript\n");
    let close =
        format!("deckproof/v1 close\nopen {}\ndealt 0\ntranscript {transcript}\n", leaf_hash(&opened));
    entries.extend([given_up, opened, close]);
    append(&lab, &entries).ends(0);
    let output = scan(&lab, &["--max-voids", "0.2"]).ends(1);
    output.must_print("closed without a card 1 (0.250)");
    output.must_print("3 closed, 1 voided after it was opened");
    let line = scan(&lab, &["--json"]).json();
    check_valid("log", &line);
    assert_eq!((&line["closed"], &line["tables"]["T-1"]["voided_known"]), (&json!(3), &json!(1)));
}

/// Three seats end with 0, 9 or 11 to 21 cards: another number is named, and is no way round the limit for voids.
#[test]
fn hands_closed_with_a_number_of_cards_that_no_hand_has_are_named() {
    let lab = lab();
    let mut entries = hands("T-1", 4);
    for (entry, dealt) in [(2, "dealt 1"), (5, "dealt 22"), (8, "dealt 9")] {
        entries[entry] = entries[entry].replace("dealt 12", dealt);
    }
    append(&lab, &entries).ends(0);
    let output = scan(&lab, &[]).ends(0);
    output.must_print(
        "log: whole and in order, 12 entries of stud.example/log1; 2 hands were closed as no hand ends.",
    );
    output.must_tell(
        "2 closed hands name a number of dealt cards with which no hand of its rules and seats ends",
    );
    let output = scan(&lab, &["--max-voids", "0.49"]).ends(1);
    output.must_tell("table T-1 voided 0 of 4 decks that ended (0.000) and closed 2 as no hand ends, more than the share 0.49");
    scan(&lab, &["--max-voids", "0.5"]).ends(0);
    let line = scan(&lab, &["--json"]).json();
    check_valid("log", &line);
    assert_eq!(line["tables"]["T-1"]["closed_impossibly"], 2);
}

/// Under the other mixes the operator knows the order in play once the deck is cut.
#[test]
fn decks_voided_before_their_cut_are_not_called_known() {
    let lab = lab();
    let seed = Digest::of("seed");
    let commit_for = |hand| seed_commitment(&HandContext::new(ORIGIN, "T", hand, "players"), 1, &seed);
    let commit = commit_for(2);
    let with_commit = |deck: &str, commit: &Digest| format!("{}commit 1 {commit}\n", open(deck));
    let (first, second) = (deck("T", 1, "players"), deck("T", 2, "players"));
    let (opened, other) = (with_commit(&first, &seed), with_commit(&second, &commit));
    let cut = format!("deckproof/v1 cut\nopen {}\nseed 1 {seed}\n", leaf_hash(&other));
    let entries = [first.clone(), opened, void(&first, "seed-missing")];
    append(&lab, &entries).ends(0);
    scan(&lab, &[]).must_print("logged no cut of a deck that he voided; whether he knew any of them, from");
    append(&lab, &[second.clone(), other, cut, void(&second, "misdeal")]).ends(0);
    let output = scan(&lab, &[]);
    output.must_print("the operator knew 1 of the 2 decks that he voided");
    output.must_print("whether he knew the others, from");
    // Without the seed of somebody who committed to one, nobody knows the order.
    let third = deck("T", 3, "players");
    let commit = commit_for(3);
    let opened = format!("{}commit 2 {commit}\n", with_commit(&third, &commit));
    let cut = format!("deckproof/v1 cut\nopen {}\nseed 1 {seed}\n", leaf_hash(&opened));
    append(&lab, &[third.clone(), opened, cut, void(&third, "seed-missing")]).ends(0);
    scan(&lab, &[]).must_print("the operator knew 1 of the 3 decks that he voided");
}

/// Until the checkpoint is moved nothing was added; from then on nobody knows before the disk works again.
#[test]
fn a_disk_that_fails_while_the_checkpoint_is_moved_is_not_called_a_failure_to_add() {
    let signer = Signer::from_seed(ORIGIN, KeyKind::Log, &[7; 32]).expect("a name");
    let (mut unsure, mut failed) = (0, 0);
    for at in 1.. {
        let disk = Rc::new(RefCell::new(Disk::default()));
        let files: Rc<dyn Files> = Rc::new(LogShim(Rc::clone(&disk)));
        Log::init_files(&*files, &signer).expect("the disk is sound");
        (disk.borrow_mut().operations, disk.borrow_mut().cut) = (0, Some((at, Cut::Fail)));
        let mut log = Log::open_files(Rc::clone(&files)).expect("it is only read");
        for entry in hands("T-1", 1) {
            log.append(&entry).expect("it is in memory");
        }
        let published = log.publish(&signer);
        let is_reached = disk.borrow().operations >= at;
        disk.borrow_mut().restart();
        let size = LogReader::open_files(files).expect("a log").checkpoint().tree.size;
        match published {
            Ok(()) => assert_eq!(size, 3, "operation {at}"),
            Err(error @ LogError::Unsure { .. }) => {
                assert!(error.to_string().contains("what was added may be in the log"), "{error}");
                unsure += usize::from(size == 3);
            }
            Err(error) => {
                assert_eq!(size, 0, "operation {at}: {error}");
                failed += 1;
            }
        }
        if !is_reached {
            break;
        }
    }
    assert!(unsure >= 1 && failed >= 3, "{unsure} {failed}");
}

/// The order of a log is read without the beacon's signatures, and what is added with them.
#[test]
fn what_the_network_did_not_sign_is_not_added() {
    if !deckproof::log::beacon::CHECKS_SIGNATURES {
        return;
    }
    let lab = lab();
    let deck = deck("T", 1, "beacon");
    let chain = deckproof::log::beacon::QUICKNET;
    let open = format!("{}beacon {chain} 1000\n", open(&deck));
    let signature = [0x42; 48];
    let hex: String = signature.iter().map(|byte| format!("{byte:02x}")).collect();
    let (open_name, randomness) = (leaf_hash(&open), Digest::of(signature));
    let cut = format!("deckproof/v1 cut\nopen {open_name}\nbeacon 1000 {randomness} {hex}\n");
    append(&lab, &[deck, open]).ends(0);
    append(&lab, std::slice::from_ref(&cut)).ends(2).must_warn("E_BEACON_SIG");
    assert_eq!(size(&lab), 2);
    append_blindly(&lab, &[cut]);
    assert!(scan(&lab, &["--live"]).out.contains("E_BEACON_SIG"));
}
