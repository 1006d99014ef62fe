//! Nothing secret leaks: not into what everybody may read, not into output, not into a player's bundle.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use assert_cmd::Command;
use deckproof::commitment::SecretDeck;
use deckproof::key::{DayKey, HandContext};
use serde_json::Value;
use tempfile::TempDir;

use crate::common::dealt::bundle_all;

const KEY: &str = "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff";

const HANDS: u64 = 3;

/// Runs the program; whatever it prints is kept.
fn run(printed: &mut String, arguments: &[&str]) -> i32 {
    let mut command = Command::cargo_bin("deckproof").expect("the binary is built");
    let output = command.args(arguments).output().expect("it runs");
    printed.push_str(&String::from_utf8_lossy(&output.stdout));
    printed.push_str(&String::from_utf8_lossy(&output.stderr));
    output.status.code().expect("no signal ended it")
}

/// The keys and salts of the hands of the test table, and the keys of hands that are not dealt yet.
struct Secrets {
    keys: Vec<String>,
    decks: Vec<SecretDeck>,
}

fn secrets() -> Secrets {
    let day_key: DayKey = KEY.parse().expect("a key");
    let mut chain = day_key.chain("localhost/log1", "T-1", 1);
    let (mut keys, mut decks) = (vec![KEY.to_owned()], Vec::new());
    for hand in 1..=HANDS + 1 {
        let context = HandContext::new("localhost/log1", "T-1", hand, "none");
        let key = chain.hand_key(&context);
        decks.push(SecretDeck::new(&key, &context));
        keys.extend([chain.disclose().to_string(), key.disclose().to_string()]);
        chain = chain.next();
    }
    Secrets { keys, decks }
}

/// Every file below a folder.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() { found.extend(files(&path)) } else { found.push(path) }
    }
    found
}

#[cfg(unix)]
#[test]
fn keys_and_salts_are_only_in_files_of_the_owner_and_never_printed() {
    use std::os::unix::fs::PermissionsExt;
    let folder = TempDir::new().expect("a folder");
    let (out, mut printed) = (folder.path().join("out"), String::new());
    let out_text = out.display().to_string();
    let known = ["--day-key", KEY, "--not-for-production"];
    let [log, log_key] = ["log", "log.key"].map(|name| folder.path().join(name).display().to_string());
    let init = ["log", "init", &log, "--origin", "localhost/log1", "--key", &log_key];
    assert_eq!(run(&mut printed, &init), 0, "{printed}");
    let deal = [
        "deal", "--table", "T-1", "--hands", "3", "--out", &out_text, "--seats", "1,2,3", "--log", &log,
        "--log-key", &log_key,
    ];
    assert_eq!(run(&mut printed, &[&deal[..], &known].concat()), 0, "{printed}");
    bundle_all(&out);
    let hand = out.join("hand-1");
    let [full, seat] = ["full-reveal.json", "seat-1.json"].map(|name| hand.join(name).display().to_string());
    assert_eq!(run(&mut printed, &["verify", &full, &seat]), 0, "{printed}");
    assert_eq!(run(&mut printed, &["verify", "--json", &full]), 0, "{printed}");
    // Refusals too: a key, a salt and a state that are spoilt in their last digit.
    let spoil = |from: &str, what: &str| {
        let text = fs::read_to_string(from).expect("a file");
        let at = text.find(what).expect("it is there") + what.len() + 63;
        let path = folder.path().join("spoilt");
        fs::write(&path, format!("{}x{}", &text[..at], &text[at + 1..])).expect("writable");
        path.display().to_string()
    };
    assert_eq!(run(&mut printed, &["verify", &spoil(&full, "\"hand_key\": \"")]), 1, "{printed}");
    assert_eq!(run(&mut printed, &["verify", "--json", &spoil(&seat, "\"salt\": \"")]), 1, "{printed}");
    let state = out.join("secret/state");
    let kept = fs::read(&state).expect("a state");
    let spoilt = fs::read(spoil(&state.display().to_string(), "chain ")).expect("it was written");
    fs::write(&state, spoilt).expect("writable");
    assert_eq!(run(&mut printed, &[&deal[..], &["--continue"]].concat()), 2, "{printed}");
    fs::write(&state, kept).expect("writable");
    let Secrets { keys, decks } = secrets();
    let salts: Vec<String> =
        decks.iter().flat_map(|deck| (0..52).map(|place| deck.salt(place).disclose().to_string())).collect();
    // A spoilt digit must not hide a leak, so all but the last two are looked for.
    let needles: Vec<&str> = keys.iter().chain(&salts).map(|secret| &secret[..62]).collect();
    for needle in &needles {
        assert!(!printed.contains(needle), "a secret is printed");
    }
    let signing = fs::read_to_string(&log_key).expect("a key");
    assert_eq!(fs::metadata(&log_key).expect("a file").permissions().mode() & 0o777, 0o600);
    assert!(!printed.contains(signing.trim()), "the key of the log is printed");
    let logged = files(Path::new(&log));
    assert!(logged.len() > 9, "the log has a tile, a bundle of entries and a checkpoint");
    for path in &logged {
        // Tiles are no text: the secrets are looked for as bytes, and in hexadecimal.
        let bytes = fs::read(path).expect("a file");
        let text = String::from_utf8_lossy(&bytes);
        assert!(!needles.iter().any(|needle| text.contains(needle)), "{}", path.display());
        let raw = |needle: &&str| {
            let half: Vec<u8> =
                (0..31).filter_map(|at| u8::from_str_radix(&needle[2 * at..2 * at + 2], 16).ok()).collect();
            bytes.windows(half.len()).any(|window| window == half)
        };
        assert!(!needles.iter().any(raw), "{}", path.display());
    }
    assert!(out.join("public/hand-3.open.proof").exists() && out.join("hand-1/open.proof").exists());
    let mut opened_files = 0;
    for path in files(&out) {
        let text = fs::read_to_string(&path).expect("text");
        assert!(!text.contains(signing.trim()), "{} holds the key of the log", path.display());
        let mode = fs::metadata(&path).expect("a file").permissions().mode() & 0o777;
        if needles.iter().any(|needle| text.contains(needle)) {
            opened_files += 1;
            assert_eq!(mode, 0o600, "{} holds a secret", path.display());
            assert!(!path.starts_with(out.join("public")), "{} is public", path.display());
        }
    }
    assert!(opened_files >= 2 + 4 * HANDS as usize, "{opened_files} files hold what they should");
    // The key of the next hand is in the state, and nowhere else; past chain keys are gone.
    let state = fs::read_to_string(out.join("secret/state")).expect("a state");
    let (past, next) = (&keys[1], &keys[keys.len() - 2]);
    assert!(state.contains(&next[..]) && !state.contains(&past[..]));
}

#[test]
fn public_files_name_no_card_that_nobody_showed() {
    let folder = TempDir::new().expect("a folder");
    let (out, mut printed) = (folder.path().join("out"), String::new());
    let out_text = out.display().to_string();
    let known = ["--day-key", KEY, "--not-for-production"];
    let deal = ["deal", "--table", "T-1", "--hands", "3", "--out", &out_text, "--seats", "1,2,3"];
    assert_eq!(run(&mut printed, &[&deal[..], &known].concat()), 0, "{printed}");
    let is_card = |word: &str| {
        let letters = word.as_bytes();
        letters.len() == 2 && b"23456789TJQKA".contains(&letters[0]) && b"cdhs".contains(&letters[1])
    };
    for path in files(&out.join("public")) {
        let text = fs::read_to_string(&path).expect("text");
        let card = text.split_whitespace().find(|word| is_card(word));
        assert_eq!(card, None, "{}", path.display());
    }
    let card = printed.split_whitespace().find(|word| is_card(word));
    assert_eq!(card, None, "{printed}");
}

#[test]
fn a_player_s_bundle_carries_nothing_on_cards_it_does_not_open() {
    let folder = TempDir::new().expect("a folder");
    let (out, mut printed) = (folder.path().join("out"), String::new());
    let out_text = out.display().to_string();
    let known = ["--day-key", KEY, "--not-for-production"];
    let deal = ["deal", "--table", "T-1", "--hands", "3", "--out", &out_text, "--play", "random"];
    assert_eq!(run(&mut printed, &[&deal[..], &known].concat()), 0, "{printed}");
    bundle_all(&out);
    let Secrets { keys, decks } = secrets();
    let mut hidden_total = 0;
    for hand in 1..=HANDS {
        let deck = &decks[hand as usize - 1];
        for seat in 1..=6 {
            let path = out.join(format!("hand-{hand}/seat-{seat}.json"));
            let text = fs::read_to_string(&path).expect("a bundle");
            let bundle: Value = serde_json::from_str(&text).expect("JSON");
            let leaves = bundle["leaves"].as_array().expect("a list");
            let mut opened = BTreeSet::new();
            for (place, leaf) in leaves.iter().enumerate() {
                let salt = deck.salt(place).disclose();
                if leaf.get("card").is_some() {
                    assert_eq!(leaf["salt"], salt.as_str());
                    opened.insert(deck.card(place).to_string());
                } else {
                    hidden_total += 1;
                    assert!(!text.contains(salt.as_str()), "hand {hand} seat {seat} leaf {place}");
                    assert_eq!(leaf["hash"], deck.leaf(place).to_string());
                    assert_eq!(leaf.as_object().map(|leaf| leaf.len()), Some(1));
                }
            }
            assert!(keys.iter().all(|key| !text.contains(&key[..])), "a key in {}", path.display());
            // Outside the leaves only the history names cards, and it names none that are hidden here.
            let history = bundle["history"].as_str().expect("a history");
            let dealing = history.lines().filter(|line| line.contains("d d") || line.contains(" sm "));
            let dealt: Vec<&str> =
                dealing.flat_map(|line| line.split(|c: char| !c.is_alphanumeric() && c != '?')).collect();
            assert!(dealt.len() > 20, "{history}");
            for place in 0..52 {
                let card = deck.card(place).to_string();
                let is_named = dealt.iter().any(|word| {
                    (0..word.len() / 2).any(|at| word.get(2 * at..2 * at + 2) == Some(&card[..]))
                });
                assert!(
                    !is_named || opened.contains(&card),
                    "hand {hand} seat {seat}: {card} in the history"
                );
            }
        }
    }
    assert!(hidden_total > 300, "{hidden_total} hidden leaves");
}

/// At most 2 kB a hand on the disk besides histories.
#[test]
fn a_hand_takes_less_than_two_kilobytes() {
    let folder = TempDir::new().expect("a folder");
    let (out, mut printed) = (folder.path().join("out"), String::new());
    let out_text = out.display().to_string();
    let deal = ["deal", "--table", "T-1", "--hands", "40", "--out", &out_text, "--seats", "1,2,3,4,5,6,7,8"];
    assert_eq!(run(&mut printed, &deal), 0, "{printed}");
    let bytes: u64 = files(&out).iter().map(|path| fs::metadata(path).expect("a file").len()).sum();
    assert!(bytes < 40 * 2000, "{} bytes a hand", bytes / 40);
}
