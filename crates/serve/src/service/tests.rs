//! Segments, and what a power cut takes.

use std::fs;

use std::sync::mpsc::{self, Receiver, Sender};
use std::thread;

use serde_json::Value;

use super::*;
use crate::calls::read;
use deckproof_table::log_folder::Log;
use deckproof_table::log_folder::reader::LogReader;
use deckproof_table::log_folder::whole::scan_frugally;
use deckproof_verify::log::note::Note;
use deckproof_verify::log::trust::Trust;
use deckproof_verify::log::vkey::KeyKind;
use deckproof_verify::verify::{Statements, verify_bundle};

/// A call that was made: its name and body, and its answer.
pub(super) type Made = (String, String, String);

pub(super) fn signer() -> Signer {
    Signer::from_seed("stud.example/log1", KeyKind::Log, &[7; 32]).expect("a name")
}

fn begun() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    fs::create_dir(folder.path().join("room")).expect("writable");
    Log::init(&log_folder(&folder.path().join("room")), &signer()).expect("a new folder");
    folder
}

fn started(folder: &Path, segment_bytes: u64) -> Service {
    started_with(folder, segment_bytes, Box::new(|| None))
}

fn started_with(folder: &Path, segment_bytes: u64, gate: Gate) -> Service {
    let settings = ServiceSettings {
        gate,
        waiting_max: 64,
        tables_max: 3,
        rate_max: 1_000_000,
        segment_bytes,
        ..ServiceSettings::new(folder.join("room"), folder.join("log.key"), signer())
    };
    Service::start(settings).expect("it starts")
}

pub(super) fn ask(service: &Service, name: &str, body: &str) -> CallAnswer {
    service.wait(read::named(name, body.as_bytes())?)
}

/// The calls of a hand, carried out one after the other.
pub(super) fn carry_out(service: &Service, table: &str, number: u64, calls: &[(&str, &str)]) -> Vec<Made> {
    let mut made = Vec::new();
    for (step, (name, members)) in calls.iter().enumerate() {
        let body = format!("{{\"table\":\"{table}\",\"hand\":{number},\"step\":{},{members}}}", step + 1);
        let answer = ask(service, name, &body).expect("it is carried out");
        made.push(((*name).to_owned(), body, answer.to_string()));
    }
    made
}

/// A call that is repeated has the same answer.
pub(super) fn check_again(service: &Service, made: &[Made]) {
    for (name, body, answer) in made {
        assert_eq!(ask(service, name, body).expect("it was made").to_string(), *answer, "{body}");
    }
}

fn hand(service: &Service, table: &str, number: u64) -> Vec<Made> {
    let calls = [
        ("commit", "\"mix\":\"none\""),
        ("open", "\"rules\":\"stud-hi\",\"seats\":[1,2]"),
        ("street", "\"live\":[1,2]"),
        ("close", "\"shown_down\":[1]"),
    ];
    carry_out(service, table, number, &calls)
}

/// A bundle opens the down cards of who shows down to everybody.
#[test]
fn a_seat_that_folded_or_does_not_play_shows_nothing_down() {
    let folder = begun();
    let service = started(folder.path(), 1 << 20);
    let step = |name: &str, step: u64, members: &str| {
        ask(&service, name, &format!("{{\"table\":\"T-1\",\"hand\":1,\"step\":{step},{members}}}"))
    };
    step("commit", 1, "\"mix\":\"none\"").expect("a hand begins");
    step("open", 2, "\"rules\":\"stud-hi\",\"seats\":[1,3,4]").expect("it is opened");
    let close = |seats: &str| step("close", 5, &format!("\"shown_down\":{seats}"));
    step("street", 3, "\"live\":[1,3,4]").expect("cards");
    step("street", 4, "\"live\":[1,4]").expect("cards");
    for (seats, wrong) in [("[3]", 3), ("[1,3]", 3), ("[7,1]", 7)] {
        let refused = close(seats).expect_err("it opens cards that nobody saw").json();
        assert!(refused.contains(&format!("seat {wrong} cannot show down")), "{refused}");
    }
    close("[1,4]").expect("the end");
}

#[test]
fn hands_of_every_segment_are_found_and_a_start_reads_the_last_one_alone() {
    let folder = begun();
    let mut made = Vec::new();
    let bundle = "{\"table\":\"T-1\",\"hand\":1,\"full\":true}";
    let mut first = None;
    // `..` is a name of a table, and no way out of the folder.
    for start in 0..3 {
        let service = started(folder.path(), 2_000);
        for number in 1..=4 {
            made.extend(hand(&service, "T-1", start * 4 + number));
            made.extend(hand(&service, "..", start * 4 + number));
        }
        let found = ask(&service, "bundle", bundle).expect("it has ended").to_string();
        assert_eq!(*first.get_or_insert(found.clone()), found);
    }
    let journal = folder.path().join("room/secret/journal");
    let segments = fs::read_dir(&journal).expect("readable").count();
    assert!(segments > 5, "{segments} segments");
    for older in 1..segments - 1 {
        // A start does not look at them.
        let path = crate::journal::segment_path(&journal, older as u64);
        fs::rename(&path, path.with_extension("away")).expect("it is there");
    }
    let service = started(folder.path(), 2_000);
    check_again(&service, &made[made.len() - 1..]);
    drop(service);
    for older in 1..segments - 1 {
        let path = crate::journal::segment_path(&journal, older as u64);
        fs::rename(path.with_extension("away"), &path).expect("it is there");
    }
    let service = started(folder.path(), 2_000);
    check_again(&service, &made);
    let fault = ask(&service, "commit", &made[0].1.replace("none", "beacon")).expect_err("another call");
    assert_eq!(fault.kind, CallFaultKind::OtherCall);
    hand(&service, "T-3", 1);
    let fault = ask(&service, "commit", "{\"table\":\"T-4\",\"hand\":1,\"step\":1,\"mix\":\"none\"}");
    assert_eq!(fault.expect_err("there are three").kind, CallFaultKind::Busy);
}

/// Many tables in one batch: then the tiles of the log come with a later checkpoint, and nobody has to know.
#[test]
fn under_load_what_ended_just_now_is_read_and_called_again_at_once() {
    const TABLES: usize = 16;
    let folder = begun();
    let settings = ServiceSettings::new(folder.path().join("room"), folder.path().join("log.key"), signer());
    let service = Service::start(settings).expect("it starts");
    let all = |name: &str, members: &str| -> Vec<(String, String)> {
        let (sender, receiver) = mpsc::channel();
        for table in 0..TABLES {
            let body = format!("{{\"table\":\"T-{table}\",{members}}}");
            let call = read::named(name, body.as_bytes()).expect("a call");
            let sender = sender.clone();
            let reply = move |answer: CallAnswer| {
                let answer = answer.unwrap_or_else(|fault| panic!("{body}: {}", fault.message));
                drop(sender.send((body, answer.to_string())));
            };
            service.call(call, Box::new(reply));
        }
        drop(sender);
        receiver.into_iter().collect()
    };
    for hand in 1..=2 {
        let place = |step: u64| format!("\"hand\":{hand},\"step\":{step}");
        all("commit", &format!("{},\"mix\":\"none\"", place(1)));
        all("open", &format!("{},\"rules\":\"stud-hi\",\"seats\":[1,2]", place(2)));
        all("receipt", &format!("\"hand\":{hand},\"entry\":\"open\""));
        all("street", &format!("{},\"live\":[1,2]", place(3)));
        let closed = all("close", &place(4));
        all("bundle", &format!("\"hand\":{hand},\"seat\":1"));
        all("receipt", &format!("\"hand\":{hand},\"entry\":\"close\""));
        for (body, answer) in closed {
            assert_eq!(*ask(&service, "close", &body).expect("it was made"), answer);
        }
    }
}

/// The files of the log below `tile/`, and how many of them are partial tiles beside a full one.
fn tiles(folder: &Path) -> (usize, usize) {
    let (mut all, mut unneeded, mut left) = (0, 0, vec![log_folder(folder).join("tile")]);
    while let Some(folder) = left.pop() {
        let full = folder
            .to_str()
            .and_then(|name| name.strip_suffix(".p"))
            .is_some_and(|full| Path::new(full).is_file());
        // A folder may go while it is read.
        for entry in fs::read_dir(&folder).into_iter().flatten().flatten().map(|entry| entry.path()) {
            if entry.is_dir() {
                left.push(entry);
            } else {
                (all, unneeded) = (all + 1, unneeded + usize::from(full));
            }
        }
    }
    (all, unneeded)
}

/// A room of few hands a second begins no segment for days: what its partial tiles take is bounded all the same, and what an
/// earlier run left is removed too.
#[test]
fn partial_tiles_of_full_ones_are_removed_before_they_are_many() {
    let folder = begun();
    let room = folder.path().join("room");
    let mut hands = 0;
    // They are removed beside the work, once the disk has everything: a slow one needs more hands.
    let mut deal = |service: &Service, hands_min: u64, unneeded_max: usize| {
        while hands < hands_min || tiles(&room).1 > unneeded_max {
            assert!(hands < hands_min + 2_000, "{:?}", tiles(&room));
            hands += 1;
            hand(service, "T-1", hands);
            thread::sleep(Duration::from_millis(3));
        }
        hands
    };
    let service = started(folder.path(), 1 << 30);
    deal(&service, 400, 48);
    drop(service);
    fs::create_dir_all(log_folder(&room).join("tile/0/000.p")).expect("writable");
    fs::write(log_folder(&room).join("tile/0/000.p/7"), "left").expect("writable");
    let service = started(folder.path(), 1 << 30);
    let hands = deal(&service, 401, 0);
    drop(service);
    let reader = LogReader::open(&log_folder(&room)).expect("readable");
    assert_eq!(scan_frugally(&reader, false, &[]).map_err(drop).expect("whole").closed, hands);
}

/// Another key of the name of the log does not deal on.
#[test]
fn a_key_that_did_not_sign_the_checkpoint_deals_nothing() {
    let folder = begun();
    drop(started(folder.path(), 1 << 20));
    let other = Signer::from_seed("stud.example/log1", KeyKind::Log, &[9; 32]).expect("a name");
    let settings = ServiceSettings::new(folder.path().join("room"), folder.path().join("log.key"), other);
    let refused = Service::start(settings).err().expect("it is refused").to_string();
    assert!(refused.contains("another key signed the checkpoint of this log"), "{refused}");
    drop(started(folder.path(), 1 << 20));
}

fn empty_all(folder: &Path) {
    for file in fs::read_dir(folder).expect("a folder") {
        fs::write(file.expect("a file").path(), "").expect("writable");
    }
}

/// Tiles, checkpoint and places are not synced of themselves: what a power cut takes of them is made again.
#[test]
fn a_log_that_lost_what_was_not_synced_is_made_again_byte_for_byte() {
    let folder = begun();
    let log = log_folder(&folder.path().join("room"));
    let early = fs::read(log.join("checkpoint")).expect("readable");
    let service = started(folder.path(), 1 << 20);
    let mut made = Vec::new();
    for number in 1..=30 {
        made.extend(hand(&service, "T-1", number));
    }
    drop(service);
    let late = fs::read(log.join("checkpoint")).expect("readable");
    let tile = fs::read(log.join("tile/0/000.p/90")).expect("three entries a hand");
    for (round, lost) in [&early[..], b"", &late].into_iter().enumerate() {
        fs::write(log.join("checkpoint"), lost).expect("writable");
        match round {
            // Names that became durable before their bytes.
            0 => ["0", "entries"]
                .iter()
                .for_each(|level| empty_all(&log.join("tile").join(level).join("000.p"))),
            _ => fs::remove_dir_all(log.join("tile")).expect("it is there"),
        }
        fs::remove_file(folder.path().join("room/secret/places/table-T-1")).expect("it is there");
        let service = started(folder.path(), 1 << 20);
        assert_eq!(fs::read(log.join("checkpoint")).expect("readable"), late);
        assert_eq!(fs::read(log.join("tile/0/000.p/90")).expect("readable"), tile);
        check_again(&service, &made);
    }
}

#[test]
fn no_hand_begins_while_a_check_says_stop_and_the_one_under_way_ends() {
    let folder = begun();
    let stop = || -> Gate { Box::new(|| Some("the day's check failed".to_owned())) };
    let commit = "{\"table\":\"T-1\",\"hand\":1,\"step\":1,\"mix\":\"none\"}";
    let service = started_with(folder.path(), 1 << 20, stop());
    let fault = ask(&service, "commit", commit).expect_err("no hand begins");
    assert_eq!(fault.kind, CallFaultKind::Stopped);
    assert!(fault.message.contains("the day's check failed") && service.stopped().is_some(), "{fault}");
    drop(service);
    let service = started(folder.path(), 1 << 20);
    assert_eq!(service.stopped(), None);
    ask(&service, "commit", commit).expect("a hand begins");
    drop(service);
    // Nobody sits in a hand that is committed alone.
    let service = started_with(folder.path(), 1 << 20, stop());
    let open = "{\"table\":\"T-1\",\"hand\":1,\"step\":2,\"rules\":\"stud-hi\",\"seats\":[1,2]}";
    assert_eq!(ask(&service, "open", open).expect_err("nor is one opened").kind, CallFaultKind::Stopped);
    drop(service);
    ask(&started(folder.path(), 1 << 20), "open", open).expect("it is opened");
    let service = started_with(folder.path(), 1 << 20, stop());
    ask(&service, "open", open).expect("the same answer");
    let close = "{\"table\":\"T-1\",\"hand\":1,\"step\":3}";
    ask(&service, "close", close).expect("and ends");
}

/// A hand under way while a segment begins was committed under an older tree than the one that the segment begins with.
#[test]
fn a_start_after_a_new_segment_knows_a_hand_that_was_under_way() {
    let folder = begun();
    let service = started(folder.path(), 2_000);
    let commit = "{\"table\":\"T-2\",\"hand\":1,\"step\":1,\"mix\":\"none\"}";
    let first = ask(&service, "commit", commit).expect("a hand begins").to_string();
    let journal = folder.path().join("room/secret/journal");
    let last = || crate::journal::segments(&journal).expect("readable").into_iter().max();
    let (mut number, begun) = (0, last());
    while last() == begun {
        number += 1;
        hand(&service, "T-1", number);
    }
    drop(service);
    let service = started(folder.path(), 2_000);
    assert_eq!(ask(&service, "commit", commit).expect("it was made").to_string(), first);
    hand(&service, "T-1", number + 1);
    let open = "{\"table\":\"T-2\",\"hand\":1,\"step\":2,\"rules\":\"stud-hi\",\"seats\":[1,2]}";
    ask(&service, "open", open).expect("the hand goes on");
}

fn witness() -> Signer {
    Signer::from_seed("witness.example/w1", KeyKind::Witness, &[8; 32]).expect("a name")
}

/// A checkpoint with the line of the witness.
pub(super) fn cosigned(note: &str) -> String {
    let mut note = Note::parse(note).expect("a signed note");
    note.signatures.push(witness().cosign(&note.text, 1_764_180_000));
    note.to_string()
}

/// A witness that answers once it is let: each checkpoint that it is asked about, and by what it is let go.
struct Asked {
    rounds: Receiver<String>,
    go: Sender<bool>,
}

fn witnessed(folder: &Path, outage: WitnessOutage) -> (Service, Asked) {
    let ((round, rounds), (go, is_going)) = (mpsc::channel(), mpsc::channel());
    let ask = Box::new(move |note: &str| {
        // A test that has ended listens no more.
        let _ = round.send(note.to_owned());
        let is_met = is_going.recv().unwrap_or(false);
        let note = if is_met { cosigned(note) } else { note.to_owned() };
        CosignedCheckpoint { note, is_met, left_out: Vec::new(), accusing: Vec::new() }
    });
    let settings = ServiceSettings {
        rate_max: 1_000_000,
        witnesses: Some(WitnessSettings { ask, outage }),
        ..ServiceSettings::new(folder.join("room"), folder.join("log.key"), signer())
    };
    (Service::start(settings).expect("it starts"), Asked { rounds, go })
}

/// A call whose answer is awaited later.
fn send(service: &Service, name: &str, body: &str) -> Receiver<CallAnswer> {
    let (sender, receiver) = mpsc::channel();
    let call = read::named(name, body.as_bytes()).expect("a call");
    service.call(call, Box::new(move |answer| drop(sender.send(answer))));
    receiver
}

fn step(table: &str, number: u64, members: &str) -> String {
    format!("{{\"table\":\"{table}\",\"hand\":1,\"step\":{number},{members}}}")
}

fn open(table: &str) -> String {
    step(table, 2, "\"rules\":\"stud-hi\",\"seats\":[1,2]")
}

fn street(table: &str) -> String {
    step(table, 3, "\"live\":[1,2]")
}

fn commit_all(service: &Service, tables: &[&str]) {
    for table in tables {
        ask(service, "commit", &step(table, 1, "\"mix\":\"none\"")).expect("a hand begins");
    }
}

fn receipt(answer: &str) -> String {
    let answer: Value = serde_json::from_str(answer).expect("JSON");
    answer["receipt"].as_str().expect("a receipt").to_owned()
}

#[test]
fn openings_that_wait_share_one_round_of_witnesses_and_bear_its_lines_for_ever() {
    let folder = begun();
    let (service, asked) = witnessed(folder.path(), WitnessOutage::GoOn);
    commit_all(&service, &["T-1", "T-2", "T-3"]);
    let published = || fs::read_to_string(service.log().join("checkpoint")).expect("readable");
    let first = send(&service, "open", &open("T-1"));
    let round = asked.rounds.recv().expect("the witness is asked");
    assert_eq!(published(), round, "what it is asked about lies in the log");
    // While it is: others wait for the next round, the same call waits for this one, and no card is dealt.
    let others = ["T-2", "T-3"].map(|table| send(&service, "open", &open(table)));
    let again = send(&service, "open", &open("T-1"));
    let fault = ask(&service, "street", &street("T-1")).expect_err("it waits");
    assert_eq!(fault.kind, CallFaultKind::Busy);
    let other = open("T-1").replace("stud-hi", "stud-8b");
    assert_eq!(ask(&service, "open", &other).expect_err("another").kind, CallFaultKind::OtherCall);
    assert!(first.try_recv().is_err() && again.try_recv().is_err());
    asked.go.send(true).expect("it waits");
    let first = first.recv().expect("an answer").expect("it is carried out").to_string();
    assert_eq!(again.recv().expect("an answer").expect("the same").to_string(), first);
    let shared = asked.rounds.recv().expect("one round for both others");
    asked.go.send(true).expect("it waits");
    let mut answers = vec![first];
    for other in others {
        answers.push(other.recv().expect("an answer").expect("it is carried out").to_string());
    }
    assert!(asked.rounds.try_recv().is_err(), "three openings took two rounds");
    for answer in &answers {
        assert!(receipt(answer).contains("witness.example/w1 "), "{answer}");
    }
    assert!(answers[1..].iter().all(|answer| receipt(answer).contains(&shared)));
    // The published checkpoint is still the one that the witness saw, and bears its line until the log grows.
    assert!(published().starts_with(&shared) && published().contains("witness.example/w1 "));
    ask(&service, "commit", &step("T-4", 1, "\"mix\":\"none\"")).expect("a hand begins");
    assert!(!published().contains("witness.example/w1 "));
    assert!(service.meters().text(false).contains("deckproof_openings_total{quorum=\"met\"} 4"));
    drop(service);
    // Nobody is asked again, and the lines are the same; one who was asked would give none.
    let (service, asked) = witnessed(folder.path(), WitnessOutage::Hold);
    for _ in &answers {
        asked.go.send(false).expect("it listens");
    }
    for (table, answer) in ["T-1", "T-2", "T-3"].iter().zip(&answers) {
        assert_eq!(ask(&service, "open", &open(table)).expect("it was made").to_string(), *answer);
    }
    ask(&service, "street", &street("T-1")).expect("cards");
    ask(&service, "close", &step("T-1", 4, "\"shown_down\":[1]")).expect("the end");
    assert_eq!(ask(&service, "open", &open("T-1")).expect("it was made").to_string(), answers[0]);
    assert!(asked.rounds.try_recv().is_err());
    // The bundle proves the opening under the checkpoint that the witness saw.
    let bundle = ask(&service, "bundle", "{\"table\":\"T-1\",\"hand\":1,\"seat\":1}").expect("it has ended");
    let bundle: Value = serde_json::from_str(&bundle).expect("JSON");
    let bundle = bundle["bundle"].as_str().expect("a bundle");
    let proofs: Value = serde_json::from_str(bundle).expect("JSON");
    assert_eq!(proofs["proofs"]["open"], receipt(&answers[0]));
    let trust = serde_json::json!({
        "origin": "stud.example/log1", "log": [signer().vkey().to_string()],
        "witness": [witness().vkey().to_string()], "quorum": 1,
    });
    let trust = Trust::parse(trust.to_string().as_bytes()).expect("a trust file");
    verify_bundle(bundle.as_bytes(), Some(&trust), &Statements::default()).expect("it is accepted");
}

#[test]
fn without_its_quorum_a_hand_goes_on_or_is_held_as_was_said() {
    let folder = begun();
    let (service, asked) = witnessed(folder.path(), WitnessOutage::GoOn);
    commit_all(&service, &["T-1", "T-2", "T-3", "T-4"]);
    asked.go.send(false).expect("it listens");
    let lacking = ask(&service, "open", &open("T-1")).expect("it goes on").to_string();
    assert!(!receipt(&lacking).contains("witness.example"));
    // What was answered once is answered for ever, also where the witness is back.
    asked.go.send(true).expect("it listens");
    assert_eq!(ask(&service, "open", &open("T-1")).expect("it was made").to_string(), lacking);
    ask(&service, "street", &street("T-1")).expect("cards");
    let seen = ask(&service, "open", &open("T-2")).expect("it goes on").to_string();
    assert!(receipt(&seen).contains("witness.example/w1 "));
    drop(service);
    let (service, asked) = witnessed(folder.path(), WitnessOutage::Hold);
    for table in ["T-3", "T-4"] {
        asked.go.send(false).expect("it listens");
        let fault = ask(&service, "open", &open(table)).expect_err("it is held");
        assert!(fault.kind == CallFaultKind::Stopped && fault.message.contains("witness-missing"), "{fault}");
        let fault = ask(&service, "street", &street(table)).expect_err("it is held");
        assert_eq!(fault.kind, CallFaultKind::Stopped);
    }
    ask(&service, "void", &step("T-3", 3, "\"reason\":\"witness-missing\"")).expect("it is given up");
    assert!(service.meters().text(false).contains("deckproof_openings_total{quorum=\"unmet\"} 2"));
    drop(service);
    // Over a restart too, until the opening is repeated with success.
    let (service, asked) = witnessed(folder.path(), WitnessOutage::Hold);
    assert_eq!(ask(&service, "street", &street("T-4")).expect_err("held").kind, CallFaultKind::Stopped);
    asked.go.send(true).expect("it listens");
    let seen = ask(&service, "open", &open("T-4")).expect("it is seen").to_string();
    assert!(receipt(&seen).contains("witness.example/w1 "));
    ask(&service, "street", &street("T-4")).expect("cards");
    // The one that was answered without a quorum goes on.
    ask(&service, "close", &step("T-1", 4, "\"shown_down\":[1]")).expect("the end");
}

#[test]
fn a_service_that_ends_leaves_no_opening_without_an_answer() {
    let folder = begun();
    let (service, asked) = witnessed(folder.path(), WitnessOutage::GoOn);
    commit_all(&service, &["T-1"]);
    let waiting = send(&service, "open", &open("T-1"));
    asked.rounds.recv().expect("the witness is asked");
    drop(service);
    assert_eq!(waiting.recv().expect("an answer").expect_err("no receipt").kind, CallFaultKind::Stopped);
    drop(asked);
    // After the start it is asked about anew.
    let (service, asked) = witnessed(folder.path(), WitnessOutage::GoOn);
    asked.go.send(true).expect("it listens");
    let seen = ask(&service, "open", &open("T-1")).expect("it goes on").to_string();
    assert!(receipt(&seen).contains("witness.example/w1 "));
}
