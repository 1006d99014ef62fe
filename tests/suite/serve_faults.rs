//! `deckproof serve` killed, copied, restored, run twice, on a full disk; and what it leaves nowhere.

use std::collections::VecDeque;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::process::Command;
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};

use crate::common::folder::copy;
use crate::common::room::{Room, Served, at, bundle, hand};

/// A service that cannot start, and what it says.
fn refused(room: &Room, folder: &str, more: &[&str]) -> String {
    let words = [&["serve", folder, "--log-key", "log.key", "--lines"], more].concat();
    room.run(&words).ends(2).err
}

fn kill_after(id: u32, wait: Duration) -> thread::JoinHandle<()> {
    thread::spawn(move || {
        thread::sleep(wait);
        let killed = Command::new("kill").args(["-9", &id.to_string()]).status();
        assert!(killed.expect("there is kill").success());
    })
}

/// The calls of hand after hand.
fn endless() -> impl Iterator<Item = Value> {
    (1..).flat_map(|number| {
        let mix = if number % 3 == 0 { "players" } else { "none" };
        hand("T-1", number, "espacejeux", mix, None)
    })
}

#[test]
fn a_service_that_is_killed_loses_nothing_and_deals_nothing_twice() {
    let room = Room::new();
    let mut calls = endless();
    let mut made: Vec<(Value, String)> = Vec::new();
    let mut waiting: VecDeque<Value> = VecDeque::new();
    for run in 0..8 {
        let mut served = room.serve(&[]);
        // The first answer shows that it is up, so that the kill hits it at work.
        if let Some((call, answer)) = made.last() {
            assert_eq!(served.ask(&call.to_string()), *answer);
        }
        // A machine that does other work answers few calls in so short a time: the clock runs from the third on.
        let mut killer = None;
        for number in 0.. {
            if number == 3 {
                killer = Some(kill_after(served.id(), Duration::from_millis(20 + 13 * run)));
            }
            let call = waiting.pop_front().unwrap_or_else(|| calls.next().expect("there are more"));
            match served.try_ask(&call.to_string()) {
                Ok(answer) if answer.ends_with('\n') => made.push((call, answer)),
                // It is not known whether this one was carried out: it is made again.
                _ => {
                    waiting.push_front(call);
                    break;
                }
            }
        }
        killer.expect("three calls are answered").join().expect("it was killed");
    }
    assert!(made.len() > 20, "{} calls were answered", made.len());
    let mut served = room.serve(&[]);
    served.check_again(&made);
    let status = served.done(&json!({ "call": "status", "table": "T-1" }));
    let [number, step] = ["hand", "step"].map(|key| status["next"][key].as_u64().expect("a number"));
    if step > 1 {
        served.done(&at("T-1", number, step, json!({ "call": "void", "reason": "end" })));
    }
    served.end();
    room.scan(&[]).must_print("whole and in order");
}

#[test]
fn a_second_service_a_copy_and_an_older_state_do_not_deal() {
    let room = Room::new();
    let mut served = room.serve(&[]);
    served.play(&hand("T-1", 1, "stud-hi", "none", None));
    let output = refused(&room, "room", &[]);
    assert!(output.contains("another service deals from this folder"), "{output}");
    served.end();

    copy(&room.path("room"), &room.path("copy"));
    let output = refused(&room, "copy", &[]);
    assert!(output.contains("a copy does not deal"), "{output}");
    // What has ended is read from a copy, and nothing else is done there.
    let words = ["serve", "copy", "--log-key", "log.key", "--lines", "--read-only"];
    let mut reader = Served::start(&mut room.command(&words));
    let full = bundle(1, None).to_string();
    let text = reader.ask(&full);
    assert_eq!(reader.refused(&hand("T-1", 2, "stud-hi", "none", None)[0]), "stopped");
    assert_eq!(reader.end().0, Some(0));

    let mut served = room.serve(&[]);
    assert_eq!(served.ask(&full), text);
    for number in 2..=3 {
        served.play(&hand("T-1", number, "stud-hi", "none", None));
    }
    served.end();
    // The older state put back in place, over the same folders: what the key has signed since is not there.
    for (path, mode) in [("log.key", 0o644), ("room/secret", 0o755)] {
        fs::set_permissions(room.path(path), fs::Permissions::from_mode(mode)).expect("it is there");
    }
    served = room.serve(&[]);
    let (_, output) = served.end();
    assert!(
        output.contains("log.key is open to others") && output.contains("secret is open to others"),
        "{output}"
    );
    for part in ["secret/journal", "log"] {
        fs::remove_dir_all(room.path("room").join(part)).expect("it is there");
        copy(&room.path("copy").join(part), &room.path("room").join(part));
    }
    let output = refused(&room, "room", &[]);
    assert!(output.contains("a restored folder does not deal"), "{output}");
}

#[test]
fn a_journal_that_was_changed_or_belongs_to_another_log_is_not_dealt_from() {
    let room = Room::new();
    let mut served = room.serve(&[]);
    for number in 1..=2 {
        served.play(&hand("T-1", number, "stud-hi", "none", None));
    }
    served.end();
    let path = room.path("room/secret/journal/00000001");
    let whole = fs::read(&path).expect("readable");
    // A torn end was never answered.
    fs::write(&path, [&whole[..], b"batch 0000000100 00"].concat()).expect("writable");
    room.serve(&[]).end();
    assert_eq!(fs::read(&path).expect("readable"), whole);
    // One byte in the middle.
    let mut changed = whole.clone();
    changed[whole.len() / 2] ^= 1;
    fs::write(&path, &changed).expect("writable");
    let output = refused(&room, "room", &[]);
    assert!(output.contains("is not what was written") || output.contains("wanted the head"), "{output}");
    // Cut off behind what the log shows.
    fs::write(&path, &whole[..whole.len() * 2 / 3]).expect("writable");
    let output = refused(&room, "room", &[]);
    assert!(output.contains("a restored folder does not deal"), "{output}");
    fs::write(&path, &whole).expect("writable");
    room.serve(&[]).end();
    // A log with entries and without a journal was written by somebody else.
    fs::remove_dir_all(room.path("room/secret")).expect("it is there");
    let output = refused(&room, "room", &[]);
    assert!(output.contains("does not deal") || output.contains("there is no journal"), "{output}");
}

/// `ulimit -f` counts blocks of 1,024 bytes in bash, which every system here has.
#[test]
fn a_full_disk_stops_the_service_and_what_was_answered_stands() {
    let room = Room::new();
    room.serve(&[]).end();
    let line = format!(
        "ulimit -f 40; trap '' XFSZ; exec {} serve room --log-key log.key --lines",
        crate::common::lab::binary().display()
    );
    let mut shell = Command::new("bash");
    shell.args(["-c", &line]).current_dir(room.path(""));
    let mut served = Served::start(&mut shell);
    let mut calls = endless();
    let mut made: Vec<(Value, String)> = Vec::new();
    let stopped = loop {
        let call = calls.next().expect("there are more");
        let answer = served.ask(&call.to_string());
        if answer.contains("\"error\"") {
            assert!(answer.contains("\"stopped\""), "{answer}");
            break call;
        }
        made.push((call, answer));
    };
    assert!(made.len() > 10, "{}", made.len());
    assert_eq!(served.refused(&stopped), "stopped");
    served.end();
    // With room again the same call is carried out.
    let mut served = room.serve(&[]);
    served.check_again(&made);
    served.done(&stopped);
    served.end();
    room.scan(&["--live"]);
}

#[test]
fn no_key_salt_or_hidden_card_is_in_the_log_an_error_or_what_another_seat_is_given() {
    let room = Room::new();
    let mut served = room.serve(&[]);
    let mut errors = String::new();
    let deck: Vec<String> = deckproof::deck::Deck::in_order().cards().map(|card| card.to_string()).collect();
    let mut salts: Vec<(u64, u64, String)> = Vec::new();
    let mut seats: Vec<(u64, String)> = Vec::new();
    for number in 1..=4 {
        let own = (number % 2 == 0).then_some(&deck[..]);
        for call in hand("T-1", number, "stud-hi", "none", own) {
            served.done(&call);
            let mut other = call.clone();
            other["more"] = json!(1);
            errors += &served.ask(&other.to_string());
        }
        let full = served.done(&bundle(number, None));
        if own.is_some() {
            let full: Value = serde_json::from_str(full["bundle"].as_str().expect("a bundle")).expect("JSON");
            for (place, leaf) in full["leaves"].as_array().expect("leaves").iter().enumerate() {
                salts.push((number, place as u64, leaf["salt"].as_str().expect("a salt").to_owned()));
            }
        }
        let seat = served.done(&bundle(number, Some(4)));
        seats.push((number, seat["bundle"].as_str().expect("a bundle").to_owned()));
    }
    let (_, output) = served.end();
    let keys = room.hand_keys();
    assert_eq!((keys.len(), salts.len()), (4, 104));
    let public: Vec<String> = room
        .files("room/log")
        .into_iter()
        .map(|(_, bytes)| String::from_utf8_lossy(&bytes).into_owned())
        .collect();
    assert!(public.iter().any(|text| text.contains("deckproof/v1 deck")), "the log is there");
    let is_public = |secret: &str| {
        public.iter().any(|text| text.contains(secret)) || output.contains(secret) || errors.contains(secret)
    };
    for key in &keys {
        assert!(!is_public(key) && seats.iter().all(|(_, text)| !text.contains(key)));
    }
    for (number, place, salt) in &salts {
        assert!(!is_public(salt));
        // Seat 4 is dealt 0 and 4 down, and sees what lies up: 8 to 11 on third street, 12 to 14, 15 and 16; seat 5 showed 1 and 5.
        let is_seen = [0, 1, 4, 5].contains(place) || (8..=16).contains(place);
        let (_, text) = &seats[*number as usize - 1];
        assert_eq!(text.contains(salt), is_seen, "hand {number}, place {place}");
    }
    assert!(!errors.contains("7h"), "{errors}");
    for (path, _) in room.files("room/secret") {
        let mode = fs::metadata(&path).expect("it is there").permissions().mode() & 0o777;
        assert_eq!(mode, 0o600, "{}", path.display());
    }
}
