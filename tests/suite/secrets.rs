//! Nothing secret leaks: not into what everybody may read, not into output, not into a player's bundle.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use deckproof::commitment::SecretDeck;
use deckproof::key::{DayKey, HandContext};

use crate::common::dealt::bundle_all;
use crate::common::folder::files;
use crate::common::lab::{KEY, Lab};

const HANDS: u64 = 3;

const KNOWN: [&str; 3] = ["--day-key", KEY, "--not-for-production"];

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

#[cfg(unix)]
#[test]
fn keys_and_salts_are_only_in_files_of_the_owner_and_never_printed() {
    use std::os::unix::fs::PermissionsExt;
    let lab = Lab::new();
    let mut printed = String::new();
    // Whatever the program prints is kept.
    let mut run =
        |arguments: &[&str], code: i32| printed.push_str(&lab.run(arguments).ends(code).to_string());
    run(&["log", "init", "log", "--origin", "localhost/log1", "--key", "log.key"], 0);
    let deal = [
        "deal", "--table", "T-1", "--hands", "3", "--out", "out", "--seats", "1,2,3", "--log", "log",
        "--log-key", "log.key",
    ];
    run(&[&deal[..], &KNOWN].concat(), 0);
    bundle_all(&lab, "out");
    let (full, seat, state) = ("out/hand-1/full-reveal.json", "out/hand-1/seat-1.json", "out/secret/state");
    run(&["verify", full, seat], 0);
    run(&["verify", "--json", full], 0);
    // Refusals too: a key, a salt and a state that are spoilt in their last digit.
    let spoil = |from: &str, what: &str| {
        let text = lab.text(from);
        let at = text.find(what).expect("it is there") + what.len() + 63;
        lab.write("spoilt", format!("{}x{}", &text[..at], &text[at + 1..]));
    };
    spoil(full, "\"hand_key\": \"");
    run(&["verify", "spoilt"], 1);
    spoil(seat, "\"salt\": \"");
    run(&["verify", "--json", "spoilt"], 1);
    let kept = lab.read(state);
    spoil(state, "chain ");
    lab.write(state, lab.read("spoilt"));
    run(&[&deal[..], &["--continue"]].concat(), 2);
    lab.write(state, kept);
    let Secrets { keys, decks } = secrets();
    let salts: Vec<String> =
        decks.iter().flat_map(|deck| (0..52).map(|place| deck.salt(place).disclose().to_string())).collect();
    // A spoilt digit must not hide a leak, so all but the last two are looked for.
    let needles: Vec<&str> = keys.iter().chain(&salts).map(|secret| &secret[..62]).collect();
    for needle in &needles {
        assert!(!printed.contains(needle), "a secret is printed");
    }
    let mode = |path: &Path| fs::metadata(path).expect("a file").permissions().mode() & 0o777;
    let signing = lab.text("log.key");
    assert_eq!(mode(lab.path("log.key").as_ref()), 0o600);
    assert!(!printed.contains(signing.trim()), "the key of the log is printed");
    let logged = files(lab.path("log").as_ref());
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
    assert!(lab.exists("out/public/hand-3.open.proof") && lab.exists("out/hand-1/open.proof"));
    let mut opened_files = 0;
    for path in files(lab.path("out").as_ref()) {
        let text = fs::read_to_string(&path).expect("text");
        assert!(!text.contains(signing.trim()), "{} holds the key of the log", path.display());
        if needles.iter().any(|needle| text.contains(needle)) {
            opened_files += 1;
            assert_eq!(mode(&path), 0o600, "{} holds a secret", path.display());
            assert!(!path.starts_with(lab.path("out/public")), "{} is public", path.display());
        }
    }
    assert!(opened_files >= 2 + 4 * HANDS as usize, "{opened_files} files hold what they should");
    // The key of the next hand is in the state, and nowhere else; past chain keys are gone.
    let state = lab.text("out/secret/state");
    let (past, next) = (&keys[1], &keys[keys.len() - 2]);
    assert!(state.contains(&next[..]) && !state.contains(&past[..]));
}

#[test]
fn public_files_name_no_card_that_nobody_showed() {
    let lab = Lab::new();
    let deal = ["deal", "--table", "T-1", "--hands", "3", "--out", "out", "--seats", "1,2,3"];
    let printed = lab.run(&[&deal[..], &KNOWN].concat()).ends(0).to_string();
    let is_card = |word: &str| {
        let letters = word.as_bytes();
        letters.len() == 2 && b"23456789TJQKA".contains(&letters[0]) && b"cdhs".contains(&letters[1])
    };
    for path in files(lab.path("out/public").as_ref()) {
        let text = fs::read_to_string(&path).expect("text");
        let card = text.split_whitespace().find(|word| is_card(word));
        assert_eq!(card, None, "{}", path.display());
    }
    let card = printed.split_whitespace().find(|word| is_card(word));
    assert_eq!(card, None, "{printed}");
}

#[test]
fn a_player_s_bundle_carries_nothing_on_cards_it_does_not_open() {
    let lab = Lab::new();
    let deal = ["deal", "--table", "T-1", "--hands", "3", "--out", "out", "--play", "random"];
    lab.run(&[&deal[..], &KNOWN].concat()).ends(0);
    bundle_all(&lab, "out");
    let Secrets { keys, decks } = secrets();
    let mut hidden_total = 0;
    for hand in 1..=HANDS {
        let deck = &decks[hand as usize - 1];
        for seat in 1..=6 {
            let path = format!("out/hand-{hand}/seat-{seat}.json");
            let (text, bundle) = (lab.text(&path), lab.json(&path));
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
            assert!(keys.iter().all(|key| !text.contains(&key[..])), "a key in {path}");
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
    let lab = Lab::new();
    lab.run(&["deal", "--table", "T-1", "--hands", "40", "--out", "out", "--seats", "1,2,3,4,5,6,7,8"])
        .ends(0);
    let bytes: u64 =
        files(lab.path("out").as_ref()).iter().map(|path| fs::metadata(path).expect("a file").len()).sum();
    assert!(bytes < 40 * 2000, "{} bytes a hand", bytes / 40);
}
