//! Hands on their way to the vault, cut off at every point of it.

use std::fs;

use serde_json::Value;

use super::*;
use crate::calls::fault::CallFaultKind;
use crate::service::opening::{OpeningError, open_hand};
use crate::service::tests::{Made, ask, carry_out, check_again, cosigned, signer};
use crate::service::{
    CosignedCheckpoint, Service, ServiceSettings, WitnessOutage, WitnessSettings, log_folder,
};
use deckproof_deck::commitment::SecretDeck;
use deckproof_deck::deck::Deck;
use deckproof_deck::key::{HandContext, HandKey};
use deckproof_table::log_folder::Log;
use deckproof_vault::vault::holders::{Holders, Identities, NewKey};
use deckproof_verify::verify::{Statements, verify_bundle};

/// A folder with a log, two people's keys and a stranger's.
struct Room(tempfile::TempDir);

/// When and why the tests open a hand.
const WHEN_AND_WHY: (u64, &str) = (1_764_180_000, "complaint 41");

/// Until it is so, or a minute has passed.
fn wait_until(is_so: impl Fn() -> bool) {
    let since = Instant::now();
    while !is_so() && since.elapsed() < Duration::from_secs(60) {
        thread::sleep(Duration::from_millis(50));
    }
}

impl Room {
    fn new() -> Room {
        let room = Room(tempfile::tempdir().expect("a folder"));
        fs::create_dir(room.folder()).expect("writable");
        Log::init(&log_folder(&room.folder()), &signer()).expect("a new folder");
        for name in ["a", "b", "c"] {
            let NewKey { file, public } = NewKey::draw();
            let path = |end: &str| room.0.path().join(format!("{name}.{end}"));
            fs::write(path("key"), &*file).expect("writable");
            fs::write(path("txt"), public).expect("writable");
        }
        room
    }

    fn folder(&self) -> PathBuf {
        self.0.path().join("room")
    }

    fn journal(&self) -> PathBuf {
        journal(&self.folder())
    }

    fn people(&self, names: [&str; 2]) -> [Identities; 2] {
        names.map(|name| Identities::read(&self.0.path().join(format!("{name}.key"))).expect("keys"))
    }

    fn settings(&self, every: Duration) -> VaultSettings {
        let holders = |name: &str| Holders::read(&self.0.path().join(name)).expect("holders");
        let today = || "2026-11-26".parse().expect("a day");
        VaultSettings { holders: [holders("a.txt"), holders("b.txt")], every, today }
    }

    fn start(&self, vault: Option<VaultSettings>) -> Result<Service, ServiceError> {
        Service::start(ServiceSettings {
            rate_max: 1_000_000,
            segment_bytes: 1 << 20,
            vault,
            witnesses: Some(WitnessSettings {
                ask: Box::new(|note: &str| CosignedCheckpoint {
                    note: cosigned(note),
                    is_met: true,
                    left_out: Vec::new(),
                    accusing: Vec::new(),
                }),
                outage: WitnessOutage::Hold,
            }),
            ..ServiceSettings::new(self.folder(), self.0.path().join("log.key"), signer())
        })
    }

    /// A service that sends hands to the vault at its end alone.
    fn served(&self) -> Service {
        self.start(Some(self.settings(Duration::from_secs(1_000_000)))).expect("it starts")
    }

    fn open(&self, hand: u64, names: [&str; 2]) -> Result<Value, OpeningError> {
        let opened = open_hand(&self.folder(), ("T-1", hand), &self.people(names), WHEN_AND_WHY)?;
        verify_bundle(opened.bundle.as_bytes(), None, &Statements::default()).expect("it is accepted");
        let bundle: Value = serde_json::from_str(&opened.bundle).expect("JSON");
        let open = bundle["proofs"]["open"].as_str().expect("a proof");
        assert!(open.contains("witness.example/w1 "), "the opening was seen before the first card: {open}");
        Ok(bundle)
    }

    /// Every file of the folder.
    fn files(&self) -> Vec<(PathBuf, Vec<u8>)> {
        let (mut found, mut folders) = (Vec::new(), vec![self.folder()]);
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).expect("readable") {
                let path = entry.expect("an entry").path();
                if path.is_dir() {
                    folders.push(path)
                } else {
                    found.push((path.clone(), fs::read(path).expect("readable")))
                }
            }
        }
        found
    }
}

/// A hand: of a deck of ours or of another's, closed or voided.
fn hand(service: &Service, number: u64) -> Vec<Made> {
    let deck: Vec<String> = Deck::in_order().cards().map(|card| format!("\"{card}\"")).collect();
    let commit = match number % 2 {
        0 => format!("\"mix\":\"none\",\"deck\":[{}]", deck.join(",")),
        _ => "\"mix\":\"none\"".to_owned(),
    };
    let end = match number % 3 {
        0 => ("void", "\"reason\":\"other\""),
        _ => ("close", "\"shown_down\":[1]"),
    };
    let calls = [
        ("commit", commit.as_str()),
        ("open", "\"rules\":\"espacejeux\",\"seats\":[1,2,4]"),
        ("street", "\"live\":[1,2,4]"),
        ("event", "\"seat\":2,\"what\":\"time-out\",\"at\":7"),
        ("street", "\"live\":[1,4]"),
        end,
    ];
    carry_out(service, "T-1", number, &calls)
}

fn look(hand: u64, of: &str) -> String {
    format!("{{\"table\":\"T-1\",\"hand\":{hand},{of}}}")
}

/// What is handed out of the first hands, and what was said in them.
struct Before {
    made: Vec<Made>,
    seats: Vec<(String, String)>,
    receipts: Vec<(String, String)>,
    /// The full reveals of hands that were closed or voided.
    full: Vec<(u64, String)>,
}

const HANDS: u64 = 6;

fn dealt(service: &Service) -> Before {
    let mut before = Before { made: Vec::new(), seats: Vec::new(), receipts: Vec::new(), full: Vec::new() };
    for number in 1..=HANDS {
        before.made.extend(hand(service, number));
        for seat in [1, 2, 4] {
            let call = look(number, &format!("\"seat\":{seat}"));
            let answer = ask(service, "bundle", &call).expect("it has ended").to_string();
            before.seats.push((call, answer));
        }
        let call = look(number, "\"entry\":\"open\"");
        let answer = ask(service, "receipt", &call).expect("it has one").to_string();
        before.receipts.push((call, answer));
        let answer = ask(service, "bundle", &look(number, "\"full\":true")).expect("not in the vault yet");
        let answer: Value = serde_json::from_str(&answer).expect("JSON");
        before.full.push((number, answer["bundle"].as_str().expect("a text").to_owned()));
    }
    before
}

/// All that opens cards which no seat received, as digits or words: keys, the salts of undealt and burned cards, and decks.
fn secrets(room: &Room, before: &Before) -> Vec<String> {
    let mut found = Vec::new();
    for (path, bytes) in room.files().iter().filter(|(path, _)| path.starts_with(room.journal())) {
        let Ok(text) = std::str::from_utf8(bytes) else { panic!("{} is text", path.display()) };
        let keys = text.split("\"key\":\"").skip(1).filter_map(|rest| rest.get(..64));
        let keys: Vec<&str> = keys.filter(|key| !key.contains('"')).collect();
        assert_eq!(keys.len() as u64, HANDS);
        for (number, key) in (1..=HANDS).zip(keys) {
            let context = HandContext::new("stud.example/log1", "T-1", number, "none");
            let secret = match number % 2 {
                0 => SecretDeck::made_elsewhere(&Deck::in_order(), &key.parse().expect("a key"), &context),
                _ => SecretDeck::new(&key.parse().expect("a key"), &context),
            };
            let received = received(before, number);
            let others = (0..52).filter(|place| !received.contains(place));
            found.extend(others.map(|place| secret.salt(place).disclose().to_string()));
            found.push(key.to_owned());
        }
    }
    let deck: Vec<String> = Deck::in_order().cards().map(|card| format!("\"{card}\"")).collect();
    found.extend([deck.join(","), Deck::in_order().indices().map(|index| format!("{index:02x}")).concat()]);
    found
}

/// Positions of a hand that a seat received, from the answers; without a cut they are the places in the deck.
fn received(before: &Before, number: u64) -> Vec<usize> {
    let streets = before
        .made
        .iter()
        .filter(|(name, body, _)| name == "street" && body.contains(&format!("\"hand\":{number},")));
    let mut places = Vec::new();
    for (_, _, answer) in streets {
        let answer: Value = serde_json::from_str(answer).expect("JSON");
        let own = answer["own"].as_object().into_iter().flat_map(|own| own.values());
        let cards = own.chain([&answer["public"]]).flat_map(|cards| cards.as_array().expect("cards"));
        places.extend(cards.map(|card| card["position"].as_u64().expect("a position") as usize));
    }
    places
}

fn bytes_of(digits: &str) -> Vec<u8> {
    (0..digits.len() / 2)
        .map(|at| u8::from_str_radix(&digits[2 * at..2 * at + 2], 16).expect("hex"))
        .collect()
}

/// Where any of these can be read, as digits or as bytes.
fn places(room: &Room, secrets: &[String]) -> Vec<PathBuf> {
    let is_hex = |text: &str| text.bytes().all(|byte| byte.is_ascii_hexdigit());
    let mut needles: Vec<Vec<u8>> = secrets.iter().map(|text| text.as_bytes().to_vec()).collect();
    needles.extend(secrets.iter().filter(|text| is_hex(text)).map(|digits| bytes_of(digits)));
    let holds = |bytes: &[u8], needle: &[u8]| bytes.windows(needle.len()).any(|window| window == needle);
    let files = room.files().into_iter();
    let found = files.filter(|(_, bytes)| needles.iter().any(|needle| holds(bytes, needle)));
    found.map(|(path, _)| path).collect()
}

/// Everything that was answered is answered again, with the same bytes, but for what is in the vault.
fn check_left(room: &Room, service: &Service, before: &Before, secrets: &[String]) {
    check_again(service, &before.made);
    for (call, answer) in &before.seats {
        assert_eq!(ask(service, "bundle", call).expect("it has ended").to_string(), *answer);
        let answer: Value = serde_json::from_str(answer).expect("JSON");
        if let Some(bundle) = answer["bundle"].as_str() {
            verify_bundle(bundle.as_bytes(), None, &Statements::default()).expect("it is accepted");
        }
    }
    for (call, answer) in &before.receipts {
        assert_eq!(ask(service, "receipt", call).expect("it has one").to_string(), *answer);
    }
    for number in 1..=HANDS {
        let fault = ask(service, "bundle", &look(number, "\"full\":true")).expect_err("it is in the vault");
        assert!(
            fault.kind == CallFaultKind::Unknown && fault.message.contains("deckproof vault open"),
            "{fault}"
        );
    }
    let found = places(room, secrets);
    assert!(found.is_empty(), "secrets stand in {found:?}");
    for (number, full) in &before.full {
        let opened = room.open(*number, ["a", "b"]).expect("two keys open it");
        let full: Value = serde_json::from_str(full).expect("JSON");
        for part in ["hand_key", "leaves", "transcript", "deck_entry", "close_entry", "void_entry"] {
            assert_eq!(opened[part], full[part], "hand {number}: {part}");
        }
    }
}

#[test]
fn nothing_that_opens_an_undealt_card_stays_and_the_seats_get_what_they_got() {
    let room = Room::new();
    let service = room.served();
    let before = dealt(&service);
    let found = secrets(&room, &before);
    assert!(found.len() > 200, "{} secrets", found.len());
    assert_eq!(
        places(&room, &found),
        [segment_path(&room.journal(), 1)],
        "the keys stand in the journal first"
    );
    // One is under way: its key stays, and goes with the next segment.
    ask(&service, "commit", "{\"table\":\"T-2\",\"hand\":1,\"step\":1,\"mix\":\"none\"}").expect("it begins");
    drop(service);
    assert_eq!(segments(&room.journal()).expect("readable"), [2]);
    let service = room.served();
    check_left(&room, &service, &before, &found);
    hand(&service, HANDS + 1);
    ask(&service, "void", "{\"table\":\"T-2\",\"hand\":1,\"step\":2,\"reason\":\"other\"}").expect("it ends");
    drop(service);
    check_left(&room, &room.served(), &before, &found);
    // Places that are lost, or of an earlier day.
    let file = room.folder().join("secret/places/table-T-1");
    let places = fs::read(&file).expect("readable");
    for left in [0, 32] {
        fs::write(&file, &places[..left]).expect("writable");
        check_left(&room, &room.served(), &before, &found);
        assert_eq!(fs::read(&file).expect("readable"), places);
    }
    room.open(HANDS + 1, ["a", "b"]).expect("two keys open it");
    let error = open_hand(&room.folder(), ("T-2", 1), &room.people(["a", "b"]), WHEN_AND_WHY)
        .err()
        .expect("never opened");
    assert!(!error.is_refusal() && error.to_string().contains("voided before it was opened"), "{error}");
}

#[test]
fn hands_go_while_the_service_runs_and_others_are_dealt_meanwhile() {
    let room = Room::new();
    let service = room.start(Some(room.settings(Duration::ZERO))).expect("it starts");
    let before = dealt_slowly(&service);
    let segments = || segments(&room.journal()).expect("readable");
    // The last one is sent by the clock, without a call.
    wait_until(|| segments().len() <= 1);
    assert!(segments().len() == 1, "{:?}", segments());
    check_again(&service, &before);
}

fn dealt_slowly(service: &Service) -> Vec<Made> {
    let mut made = Vec::new();
    for number in 1..=HANDS {
        made.extend(hand(service, number));
        thread::sleep(Duration::from_millis(150));
    }
    made
}

/// Whatever their age, for nobody knows it: at once, and not after the time that a hand waits.
#[test]
fn hands_of_an_earlier_run_go_first() {
    let room = Room::new();
    let service = room.start(None).expect("it starts without a vault");
    let before = dealt(&service);
    drop(service);
    let found = secrets(&room, &before);
    let service = room.served();
    wait_until(|| !segment_path(&room.journal(), 1).exists());
    check_left(&room, &service, &before, &found);
}

/// Each state that a kill can leave, made by putting back what the next step had removed.
#[test]
fn a_kill_between_any_two_steps_is_made_good_at_the_next_start() {
    let room = Room::new();
    let service = room.start(None).expect("it starts without a vault");
    let before = dealt(&service);
    drop(service);
    let found = secrets(&room, &before);
    let segment = segment_path(&room.journal(), 1);
    let whole = fs::read(&segment).expect("readable");
    let key = room.journal().join(UNFINISHED);
    drop(room.served());
    assert!(!segment.exists());
    let vault = Vault::of(&room.folder());
    let [a, b] = [0, 1].map(|share| vault.share_path(1, share));
    let index = room.folder().join("vault/00000001.hands");
    let left = remains::remains_path(&room.journal(), 1);
    let read = |path: &Path| fs::read(path).expect("readable");
    let first = read(&left);
    let torn = |path: &Path| fs::write(path, &read(path)[..9]).expect("writable");
    let gone = |path: &Path| fs::remove_file(path).expect("it is there");
    type Cut<'a> = (&'a str, bool, Box<dyn Fn() + 'a>);
    let cuts: [Cut<'_>; 7] = [
        (
            "before anything",
            true,
            Box::new(|| [&a, &b, &index, &left].into_iter().for_each(|path| gone(path))),
        ),
        ("after share a", true, Box::new(|| [&b, &index, &left].into_iter().for_each(|path| gone(path)))),
        ("before the index", true, Box::new(|| [&index, &left].into_iter().for_each(|path| gone(path)))),
        ("a share torn", true, Box::new(|| [torn(&b), gone(&left)].into_iter().collect())),
        ("after the vault", false, Box::new(|| gone(&left))),
        ("after what stays", false, Box::new(|| {})),
        (
            "in the middle of the wipe",
            false,
            Box::new(|| fs::write(&segment, vec![0; whole.len()]).expect("writable")),
        ),
    ];
    for (name, is_again, cut) in cuts {
        fs::write(&segment, &whole).expect("writable");
        fs::write(&key, &whole).expect("writable");
        let shares = [read(&a), read(&b)];
        cut();
        drop(room.served());
        assert!(!segment.exists() && !key.exists(), "{name}");
        check_left(&room, &room.served(), &before, &found);
        assert_eq!([read(&a), read(&b)] != shares, is_again, "{name}");
        assert_eq!(read(&left), first, "{name}");
    }
}

/// Not a byte of a segment is lost as long as the vault does not hold it; no hand begins, and one under way ends.
#[test]
fn a_vault_that_cannot_be_written_keeps_the_keys_and_stops_new_hands() {
    let room = Room::new();
    let service = room.start(Some(room.settings(Duration::ZERO))).expect("it starts");
    let begin = "{\"table\":\"T-2\",\"hand\":1,\"step\":1,\"mix\":\"none\"}";
    ask(&service, "commit", begin).expect("it begins");
    let blocked = Vault::of(&room.folder()).share_path(1, 1);
    fs::create_dir(&blocked).expect("writable");
    let made = hand(&service, 1);
    wait_until(|| service.stopped().is_some());
    let reason = service.stopped().expect("it says so");
    assert!(reason.contains("the vault cannot be written"), "{reason}");
    let fault = ask(&service, "commit", "{\"table\":\"T-1\",\"hand\":2,\"step\":1,\"mix\":\"none\"}");
    assert_eq!(fault.expect_err("no hand begins").kind, CallFaultKind::Stopped);
    ask(&service, "void", "{\"table\":\"T-2\",\"hand\":1,\"step\":2,\"reason\":\"other\"}").expect("it ends");
    assert!(segment_path(&room.journal(), 1).exists());
    check_again(&service, &made);
    fs::remove_dir(&blocked).expect("it is empty");
    wait_until(|| service.stopped().is_none());
    assert_eq!(service.stopped(), None);
    hand(&service, 2);
    drop(service);
    assert!(!segment_path(&room.journal(), 1).exists());
    room.open(1, ["b", "a"]).expect("two keys open it");
}

#[test]
fn false_shares_and_removed_ones_open_nothing() {
    let room = Room::new();
    let service = room.served();
    let before = dealt(&service);
    drop(service);

    // Whoever knows the names of the holders can write shares of his own, which fit together and open another hand.
    let vault = Vault::of(&room.folder());
    let holders = room.settings(Duration::ZERO).holders;
    let mut other = VaultSecrets::default();
    let key = HandKey::from_bytes([9; 32]);
    other.push(VaultedHand { table: "T-1".to_owned(), hand: 1, key, deck: None });
    let day = "2026-11-26".parse().expect("a day");
    vault.put(1, &other, ("stud.example/log1", day), &holders).expect("writable");
    let error = room.open(1, ["a", "b"]).expect_err("it is refused");
    assert!(error.is_refusal() && error.to_string().contains("another deck entry"), "{error}");
    let error = room.open(2, ["a", "b"]).expect_err("it is not among them");
    assert!(!error.is_refusal() && error.to_string().contains("open other hands"), "{error}");
    assert_eq!(before.full.len() as u64, HANDS);
    vault.remove(1).expect("writable");
    let error = room.open(1, ["a", "b"]).expect_err("it is gone");
    assert!(!error.is_refusal() && error.to_string().contains("removed for good"), "{error}");
}
