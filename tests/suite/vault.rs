//! `deckproof vault`: a service whose hands go to two people, what they open, and what nobody opens any more.

use std::fs;
use std::thread;
use std::time::{Duration, Instant};

use deckproof::card::Card;
use deckproof::commitment::SecretDeck;
use deckproof::deck::Deck;
use deckproof::key::HandContext;
use serde_json::{Value, json};

use crate::common::folder::copy;
use crate::common::lab::Output;
use crate::common::room::{self, ORIGIN, Room, Served, at, hand};

const VAULT: [&str; 6] =
    ["--vault-recipients", "anna.txt", "--vault-recipients", "ben.txt", "--vault-every", "1s"];

/// Until its end: then all hands lie in one segment, however slow the machine is.
const AT_THE_END: [&str; 6] =
    ["--vault-recipients", "anna.txt", "--vault-recipients", "ben.txt", "--vault-every", "1h"];

/// A room with the keys of two people and of a stranger.
fn room() -> Room {
    let room = Room::new();
    for name in ["anna", "ben", "eve"] {
        let key = room.run(&["vault", "key", "--out", &format!("{name}.key")]).ends(0);
        room.lab.write(&format!("{name}.txt"), key.out);
    }
    room
}

fn own_deck() -> Vec<String> {
    (0..52).map(|index| Card::from_index(51 - index).expect("a card").to_string()).collect()
}

/// Hands of the kinds there are: our deck and another's, cut by players, voided.
fn deal(served: &mut Served) -> Vec<(Value, String)> {
    let kinds = [("none", false), ("players", false), ("none", true), ("players", true)];
    let mut made = Vec::new();
    for (number, (mix, is_own)) in (1..).zip(kinds) {
        let deck = is_own.then(own_deck);
        for call in hand("T-1", number, "espacejeux", mix, deck.as_deref()) {
            let answer = served.ask(&call.to_string());
            assert!(!answer.contains("\"error\""), "{answer}");
            made.push((call, answer));
        }
    }
    let mut calls = hand("T-1", 5, "espacejeux", "none", None);
    calls.truncate(4);
    calls.push(at("T-1", 5, 5, json!({ "call": "void", "reason": "other" })));
    made.extend(calls.into_iter().map(|call| (call.clone(), served.ask(&call.to_string()))));
    made
}

fn bundle(served: &mut Served, hand: u64, seat: u8) -> String {
    let answer = served.done(&room::bundle(hand, Some(seat)));
    answer["bundle"].as_str().unwrap_or_default().to_owned()
}

/// The keys of the hands, and the salts of their decks that no bundle of a seat opens.
fn secrets(keys: &[String], bundles: &str) -> Vec<String> {
    let mut found = keys.to_vec();
    for (number, key) in (1..).zip(keys) {
        let mix = if number % 2 == 0 { "players" } else { "none" };
        let context = HandContext::new(ORIGIN, "T-1", number, mix);
        let key = key.parse().expect("a key");
        let deck: Option<Deck> = (number == 3 || number == 4).then(|| {
            let cards: Vec<u8> = (0..52).map(|index| 51 - index).collect();
            Deck::try_from(&cards[..]).expect("a deck")
        });
        let secret = match &deck {
            Some(deck) => SecretDeck::made_elsewhere(deck, &key, &context),
            None => SecretDeck::new(&key, &context),
        };
        // Of the voided hand the cards that were dealt stay as well, and no bundle says which.
        let salts = (0..52).map(|place| secret.salt(place).disclose().to_string()).filter(|_| number != 5);
        found.extend(salts.filter(|salt| !bundles.contains(salt.as_str())));
    }
    found
}

fn bytes_of(digits: &str) -> Vec<u8> {
    (0..digits.len() / 2)
        .map(|at| u8::from_str_radix(&digits[2 * at..2 * at + 2], 16).expect("hex"))
        .collect()
}

/// How many segments there are, once there is more than the first one.
fn segments(room: &Room) -> usize {
    let entries = fs::read_dir(room.path("room/secret/journal")).expect("readable");
    let names: Vec<_> = entries.map(|entry| entry.expect("an entry").file_name()).collect();
    if names.iter().any(|name| name == "00000001") {
        return usize::MAX;
    }
    names.iter().filter(|name| name.len() == 8).count()
}

fn check_nowhere(room: &Room, secrets: &[String]) {
    let needles: Vec<Vec<u8>> =
        secrets.iter().flat_map(|digits| [digits.as_bytes().to_vec(), bytes_of(digits)]).collect();
    for (path, bytes) in room.files("room") {
        let holds = |needle: &Vec<u8>| bytes.windows(needle.len()).any(|window| window == &needle[..]);
        assert!(!needles.iter().any(holds), "{} holds what opens a card", path.display());
    }
}

fn open(room: &Room, hand: u64, keys: &[&str], out: &str) -> Output {
    let hand = hand.to_string();
    let mut words = vec!["vault", "open", "room", "--table", "T-1", "--hand", &hand];
    for key in keys {
        words.extend(["--identity", key]);
    }
    words.extend(["--reason", "complaint 41", "--out", out, "--log-key", "log.key"]);
    room.run(&words)
}

/// Nobody witnessedthis log, and no receipt was saved: nothing is refused, and 2 says what is missing.
fn verify(room: &Room, file: &str) -> String {
    room.run(&["verify", file, "--trust", "trust.json"]).ends(2).out
}

#[test]
fn after_its_end_no_file_of_a_service_opens_an_undealt_card_and_two_people_open_all() {
    let room = room();
    let mut served = room.serve(&AT_THE_END);
    let made = deal(&mut served);
    let keys = room.hand_keys();
    assert_eq!(keys.len(), 5);
    let seats: Vec<(u64, u8)> = (1..=4).flat_map(|hand| [2, 4, 5, 7].map(|seat| (hand, seat))).collect();
    let bundles: Vec<String> = seats.iter().map(|(hand, seat)| bundle(&mut served, *hand, *seat)).collect();
    let secrets = secrets(&keys, &bundles.concat());
    assert!(secrets.len() > 80, "{} secrets", secrets.len());
    // It goes to the vault by itself, while the service runs.
    served.kill();
    let mut served = room.serve(&VAULT);
    let begin = Instant::now();
    while segments(&room) != 1 && begin.elapsed() < Duration::from_secs(60) {
        thread::sleep(Duration::from_millis(100));
    }
    assert_eq!(room.hand_keys(), Vec::<String>::new());
    served.check_again(&made);
    for ((hand, seat), before) in seats.iter().zip(&bundles) {
        assert_eq!(bundle(&mut served, *hand, *seat), *before, "hand {hand}, seat {seat}");
    }
    assert_eq!(served.refused(&room::bundle(1, None)), "unknown");
    // Another deck in the place of the operator's own is another call, as far as it was dealt.
    let mut other = made.iter().find(|(call, _)| call["deck"].is_array()).expect("one has a deck").0.clone();
    other["deck"].as_array_mut().expect("cards").swap(0, 51);
    assert_eq!(served.refused(&other), "other-call");
    assert_eq!(served.end(), (Some(0), String::new()));
    check_nowhere(&room, &secrets);

    for hand in 1..=5 {
        let out = format!("case-{hand}.json");
        let keys = if hand % 2 == 0 { ["anna.key", "ben.key"] } else { ["ben.key", "anna.key"] };
        let output = open(&room, hand, &keys, &out).ends(0);
        assert_eq!(output.err, "");
        let before = log_json(&room)["size"].as_u64().expect("a size") - 1;
        output.must_print(&format!("entry with index {before} in the log"));
        let text = verify(&room, &out);
        let wanted = if hand == 5 { "void" } else { "all 52 cards are opened" };
        assert!(text.contains(wanted) && !text.contains("REFUSED"), "{text}");
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            let mode = fs::metadata(room.path(&out)).expect("it is there").permissions().mode();
            assert_eq!(mode & 0o777, 0o600);
        }
    }
    let log = log_json(&room);
    let unsealed = log["unsealed"].as_array().expect("a list");
    let holders = ["anna.txt", "ben.txt"].map(|name| fs::read_to_string(room.path(name)).expect("text"));
    for (hand, unseal) in (1..).zip(unsealed) {
        assert_eq!((&unseal["table"], &unseal["hand"]), (&json!("T-1"), &json!(hand)));
        assert_eq!(unseal["reason"], "complaint 41");
        // First the holder of the first share, however the keys were named.
        assert_eq!(unseal["holders"], json!([holders[0].trim(), holders[1].trim()]));
    }
    assert_eq!(unsealed.len(), 5);
    // The service goes on with the entries that it did not make, and every answer is as it was.
    let mut served = room.serve(&VAULT);
    served.check_again(&made);
    for ((hand, seat), before) in seats.iter().zip(&bundles) {
        assert_eq!(bundle(&mut served, *hand, *seat), *before, "hand {hand}, seat {seat}");
    }
    served.play(&hand("T-1", 6, "stud-hi", "none", None));
    let kept = bundle(&mut served, 6, 5);
    served.end();
    room.lab.write("seat-5.json", kept);
    assert!(!verify(&room, "seat-5.json").contains("REFUSED"));
    assert_eq!(log_json(&room)["unsealed"].as_array().map(Vec::len), Some(5));
}

fn log_json(room: &Room) -> Value {
    room.scan(&["--json"]).json()
}

#[test]
fn one_person_a_stranger_and_an_altered_share_open_nothing_and_nothing_is_written() {
    let room = room();
    let mut served = room.serve(&AT_THE_END);
    deal(&mut served);
    served.end();
    let check = |keys: &[&str], wanted: &str| {
        let output = open(&room, 1, keys, "case.json").ends(2);
        assert_eq!(output.must_warn(wanted).out, "", "{keys:?}");
        assert!(!room.path("case.json").exists() && log_json(&room)["unsealed"] == json!([]));
    };
    check(&["anna.key"], "found 1 key (--identity, --hsm), wanted two");
    check(&["anna.key", "anna.key"], "one share alone opens nothing");
    check(&["ben.key", "eve.key"], "one share alone opens nothing");
    check(&["anna.key", "ben.key", "eve.key"], "found 3 keys (--identity, --hsm), wanted two");
    let shares = ["room/vault/00000001.share-a.age", "room/vault/00000001.share-b.age"];
    for share in shares {
        let whole = fs::read(room.path(share)).expect("readable");
        let mut bytes = whole.clone();
        *bytes.last_mut().expect("bytes") ^= 1;
        fs::write(room.path(share), &bytes).expect("writable");
        check(&["anna.key", "ben.key"], "wanted the share as it was written");
        fs::write(room.path(share), &whole).expect("writable");
    }
    open(&room, 1, &["anna.key", "ben.key"], "case.json").ends(0);
    open(&room, 2, &["anna.key", "ben.key"], "case.json").ends(2).must_warn("wanted a new one");
    open(&room, 99, &["anna.key", "ben.key"], "second.json").ends(2).must_warn("has no hand 99");
}

/// Kills that hit it anywhere on the way: each hand is opened by its service or by the two people, and by one of them alone.
#[test]
fn a_service_that_is_killed_on_the_way_to_the_vault_loses_no_hand() {
    let room = room();
    let mut number = 0;
    for run in 0..10 {
        let mut served = room.serve(&VAULT);
        for _ in 0..3 {
            number += 1;
            served.play(&hand("T-1", number, "stud-hi", "none", None));
        }
        // After a second the segment ends, and is on its way for some milliseconds.
        thread::sleep(Duration::from_millis(1_000 + 40 * run));
        served.kill();
    }
    let mut served = room.serve(&VAULT);
    let bundles: Vec<String> = (1..=number).map(|hand| bundle(&mut served, hand, 5)).collect();
    assert!(bundles.iter().all(|bundle| bundle.contains("deckproof/v1 reveal")));
    assert_eq!(served.end(), (Some(0), String::new()));
    assert_eq!(room.hand_keys(), Vec::<String>::new());
    for hand in 1..=number {
        let out = format!("case-{hand}.json");
        let output = open(&room, hand, &["anna.key", "ben.key"], &out).ends(0);
        assert_eq!(output.err, "", "hand {hand}");
    }
    assert!(!room.path("room/secret/journal/remains.tmp").exists());
    room.scan(&[]);
}

/// Without a vault the journal brings back what the log lost. What is in the vault it cannot.
#[test]
fn an_older_copy_of_the_log_is_named() {
    let room = room();
    for number in 1..=2 {
        let mut served = room.serve(&AT_THE_END);
        served.play(&hand("T-1", number, "stud-hi", "none", None));
        assert_eq!(served.end().0, Some(0));
        if number == 1 {
            copy(&room.path("room/log"), &room.path("older"));
        }
    }
    fs::remove_dir_all(room.path("room/log")).expect("it is there");
    copy(&room.path("older"), &room.path("room/log"));
    let (code, output) = room.serve(&AT_THE_END).end();
    // A commit, an open and a close entry of each hand.
    let wanted = "log/ holds 3 entries, and the journal goes on after 6: log/ is cut or an older copy.";
    assert!(code == Some(2) && output.contains(wanted), "{code:?} {output}");
}

#[test]
fn what_is_old_is_removed_for_good_and_seats_keep_their_bundles() {
    let room = room();
    let mut served = room.serve(&AT_THE_END);
    deal(&mut served);
    let before = bundle(&mut served, 1, 5);
    served.end();
    let prune =
        |more: &[&str]| room.run(&[&["vault", "prune", "room", "--older"], more].concat()).ends(0).out;
    assert!(prune(&["5y"]).contains("nothing was removed"));
    // As if it had been written then; the day stands beside the shares.
    let index = room.path("room/vault/00000001.hands");
    let text = fs::read_to_string(&index).expect("text");
    let day = text.lines().find_map(|line| line.strip_prefix("day ")).expect("a day");
    fs::write(&index, text.replace(day, "2019-03-01")).expect("writable");
    // As if the clock were years ahead: nothing lies here that is newer.
    assert!(prune(&["90d"]).contains("nothing was removed"));
    let mut served = room.serve(&AT_THE_END);
    for call in hand("T-1", 6, "espacejeux", "none", None) {
        served.ask(&call.to_string());
    }
    served.end();
    assert!(prune(&["50y"]).contains("nothing was removed"));
    let output = prune(&["5y", "--dry-run"]);
    assert!(output.contains("table T-1, hands 1 to 5, in the vault since 2019-03-01"), "{output}");
    open(&room, 1, &["anna.key", "ben.key"], "case.json").ends(0);
    let output = prune(&["90d"]);
    assert!(output.contains("hands 1 to 5") && output.contains("removed for good"), "{output}");
    let names: Vec<String> = fs::read_dir(room.path("room/vault"))
        .expect("readable")
        .map(|entry| entry.expect("an entry").file_name().into_string().expect("a name"))
        .collect();
    let shares: Vec<&str> = names.iter().filter_map(|name| name.strip_suffix(".age")).collect();
    assert!(!shares.is_empty() && shares.iter().all(|name| name.starts_with("00000002")), "{names:?}");
    open(&room, 1, &["anna.key", "ben.key"], "second.json").ends(2).must_warn("removed for good");
    let mut served = room.serve(&AT_THE_END);
    assert_eq!(bundle(&mut served, 1, 5), before);
    served.end();
}

/// No opening without its entry: where nobody can write it nothing is shown.
#[test]
fn an_opening_that_no_log_takes_shows_nothing() {
    let room = room();
    let mut served = room.serve(&AT_THE_END);
    deal(&mut served);
    served.end();
    let people = ["--identity", "anna.key", "--identity", "ben.key", "--reason", "complaint 41"];
    let open = |folder: &str, out: &str, more: &[&str]| {
        let words = ["vault", "open", folder, "--table", "T-1", "--hand", "1", "--out", out];
        room.run(&[&words[..], &people, more].concat())
    };
    let check = |folder: &str, more: &[&str], wanted: &str| {
        open(folder, "case.json", more).refused().must_warn(wanted);
        assert!(!room.path("case.json").exists(), "{more:?}");
    };
    check("room", &[], "no service answers on room/socket");
    // Another key, a service on two pipes that holds the folder, and a copy.
    let init = ["log", "init", "other", "--origin", ORIGIN, "--key", "other.key", "--trust", "other.json"];
    room.run(&init).ends(0);
    check("room", &["--log-key", "other.key"], "Nothing was opened");
    let mut served = room.serve(&AT_THE_END);
    // Once it answers it holds the folder.
    assert_eq!(served.refused(&json!({ "call": "status", "table": "T-9" })), "unknown");
    check("room", &["--log-key", "log.key"], "Where a service runs on this folder, leave --log-key out");
    served.end();
    // No opening is recorded of which no file comes.
    open("room", "cases/case.json", &["--log-key", "log.key"]).ends(2).must_warn("cases/case.json");
    let dispute = ["dispute", "room", "--table", "T-1", "--hand", "1", "--trust", "trust.json"];
    let unsigned = ["--sign-key", "nobody", "--out", "case.zip", "--log-key", "log.key"];
    room.run(&[&dispute[..], &people, &unsigned].concat()).ends(2).must_warn("Nothing was written");
    assert!(!room.path("case.zip").exists());
    copy(&room.path("room"), &room.path("copy"));
    check("copy", &["--log-key", "log.key"], "copy");
    assert_eq!(log_json(&room)["unsealed"], json!([]));
    // The copy is opened all the same where the entry waits in a file, and says that no log has it.
    let output = open("copy", "case.json", &["--append-later", "entry.txt"]).ends(0);
    assert_eq!(output.must_print("in no log yet").err, "");
    assert!(room.path("case.json").exists());
    let entry = room.lab.text("entry.txt");
    let mut served = room.serve(&AT_THE_END);
    let answer = served.done(&json!({ "call": "unseal", "entry": entry }));
    assert!(answer["receipt"].as_str().is_some_and(|receipt| receipt.starts_with("c2sp.org/tlog-proof@v1")));
    let of = |from: &str, to: &str| json!({ "call": "unseal", "entry": entry.replace(from, to) });
    for (from, to) in [("hand 1", "hand 6"), ("T-1", "T-2"), ("log1", "log2")] {
        assert_eq!(served.refused(&of(from, to)), "unknown");
    }
    assert_eq!(served.refused(&of("hand 1", "hand 0")), "unfit");
    served.end();
    assert_eq!(log_json(&room)["unsealed"].as_array().map(Vec::len), Some(1));
}

#[test]
fn a_vault_wants_two_people_and_says_what_is_wrong_with_their_files() {
    let room = room();
    let check = |files: &[&str], wanted: &str| {
        let mut words = vec!["serve", "room", "--log-key", "log.key", "--lines"];
        for file in files {
            words.extend(["--vault-recipients", file]);
        }
        room.run(&words).ends(2).must_warn(wanted).must_not_warn("AGE-SECRET-KEY-1");
    };
    check(&["anna.txt"], "found 1 files, wanted two");
    check(&["anna.txt", "anna.txt"], "in both files, wanted two people");
    check(&["anna.txt", "ben.key"], "a secret key in line 2");
    check(&["anna.txt", "trust.json"], "none in line 1");
    let mut served = room.serve(&AT_THE_END);
    deal(&mut served);
    served.end();
    check(&[], "found a service with a vault, wanted the holders");
    fs::rename(room.path("room/vault"), room.path("elsewhere")).expect("it is there");
    check(&[], "found a service with a vault, wanted the holders");
}
