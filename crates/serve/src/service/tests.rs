//! Segments, and what a power cut takes.

use std::fs;

use super::*;
use crate::calls::read;
use deckproof_table::log::Log;
use deckproof_verify::ledger::vkey::KeyKind;

fn signer() -> Signer {
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

fn ask(service: &Service, name: &str, body: &str) -> CallAnswer {
    service.wait(read::named(name, body.as_bytes())?)
}

fn hand(service: &Service, table: &str, number: u64) -> Vec<(String, String, String)> {
    let calls = [
        ("commit", "\"mix\":\"none\""),
        ("open", "\"rules\":\"stud-hi\",\"seats\":[1,2]"),
        ("street", "\"live\":[1,2]"),
        ("close", "\"shown_down\":[1]"),
    ];
    let mut made = Vec::new();
    for (step, (name, members)) in calls.iter().enumerate() {
        let body = format!("{{\"table\":\"{table}\",\"hand\":{number},\"step\":{},{members}}}", step + 1);
        let answer = ask(service, name, &body).expect("it is carried out");
        made.push(((*name).to_owned(), body, answer.to_string()));
    }
    made
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
    let (name, body, answer) = made.last().expect("there are some");
    assert_eq!(ask(&service, name, body).expect("it was made").to_string(), *answer);
    drop(service);
    for older in 1..segments - 1 {
        let path = crate::journal::segment_path(&journal, older as u64);
        fs::rename(path.with_extension("away"), &path).expect("it is there");
    }
    let service = started(folder.path(), 2_000);
    for (name, body, answer) in &made {
        assert_eq!(ask(&service, name, body).expect("it was made").to_string(), *answer);
    }
    let fault = ask(&service, "commit", &made[0].1.replace("none", "beacon")).expect_err("another call");
    assert_eq!(fault.kind, CallFaultKind::OtherCall);
    hand(&service, "T-3", 1);
    let fault = ask(&service, "commit", "{\"table\":\"T-4\",\"hand\":1,\"step\":1,\"mix\":\"none\"}");
    assert_eq!(fault.expect_err("there are three").kind, CallFaultKind::Busy);
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
    for lost in [&early[..], b"", &late] {
        fs::write(log.join("checkpoint"), lost).expect("writable");
        fs::remove_dir_all(log.join("tile")).expect("it is there");
        fs::remove_file(folder.path().join("room/secret/places/table-T-1")).expect("it is there");
        let service = started(folder.path(), 1 << 20);
        assert_eq!(fs::read(log.join("checkpoint")).expect("readable"), late);
        assert_eq!(fs::read(log.join("tile/0/000.p/90")).expect("readable"), tile);
        for (name, body, answer) in &made {
            assert_eq!(ask(&service, name, body).expect("it was made").to_string(), *answer);
        }
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
    let service = started_with(folder.path(), 1 << 20, stop());
    let open = "{\"table\":\"T-1\",\"hand\":1,\"step\":2,\"rules\":\"stud-hi\",\"seats\":[1,2]}";
    ask(&service, "open", open).expect("the hand goes on");
    let close = "{\"table\":\"T-1\",\"hand\":1,\"step\":3}";
    ask(&service, "close", close).expect("and ends");
}
