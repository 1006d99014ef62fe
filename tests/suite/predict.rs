//! `deckproof predict`: generators that are recovered from decks, those that are not, and certificates.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use assert_cmd::Command;

/// Decks of xorshift32 (13, 17, 5), shuffled downward by the leading bits, calls between decks as given: written here a second time.
fn xorshift_decks(decks: usize, calls: usize) -> String {
    let mut word = 0x9e37_79b9u32;
    let mut next = || {
        word ^= word << 13;
        word ^= word >> 17;
        word ^= word << 5;
        u64::from(word)
    };
    let mut text = String::new();
    for _ in 0..decks {
        let mut deck: Vec<u64> = (0..52).collect();
        for place in (1..52).rev() {
            deck.swap(place, ((next() * (place as u64 + 1)) >> 32) as usize);
        }
        (0..calls).for_each(|_| _ = next());
        let cards: Vec<String> = deck.iter().map(u64::to_string).collect();
        writeln!(text, "{}", cards.join(" ")).expect("a string takes everything");
    }
    text
}

fn predict(folder: &Path, arguments: &[&str]) -> (i32, String) {
    let mut command = Command::cargo_bin("deckproof").expect("the program is built");
    let output = command.current_dir(folder).arg("predict").args(arguments).output().expect("it runs");
    let text = String::from_utf8(output.stdout).expect("text");
    (output.status.code().expect("an exit code"), text)
}

#[test]
fn a_generator_is_recovered_and_the_next_deck_is_the_one_that_comes() {
    let folder = tempfile::tempdir().expect("a folder");
    let all = xorshift_decks(6, 3);
    let lines: Vec<&str> = all.lines().collect();
    fs::write(folder.path().join("decks.txt"), lines[..5].join("\n") + "\n").expect("a file");
    let source = ["--source", "decks.txt", "--models", "xorshift32", "--json", "--certificate", "c.json"];
    let (code, text) = predict(folder.path(), &source);
    assert_eq!(code, 1, "{text}");
    let json: serde_json::Value = serde_json::from_str(&text).expect("one object");
    let letters = |number: &str| {
        let number: usize = number.parse().expect("a card");
        format!("{}{}", b"23456789TJQKA"[number / 4] as char, b"cdhs"[number % 4] as char)
    };
    let wanted: Vec<String> = lines[5].split(' ').map(letters).collect();
    assert_eq!(json["recovered"][0]["next"][0], wanted.join(" "), "{text}");

    // The certificate holds for these records and for no others.
    let check = ["--source", "decks.txt", "--check", "c.json"];
    assert_eq!(predict(folder.path(), &check).0, 1);
    let mut other = lines[..5].to_vec();
    other.swap(1, 2);
    fs::write(folder.path().join("decks.txt"), other.join("\n") + "\n").expect("a file");
    let (code, text) = predict(folder.path(), &check);
    assert!(code == 2 && text.contains("record 1 is another one"), "{code}: {text}");
}

#[test]
fn fair_decks_are_not_recovered_and_no_word_says_more() {
    let folder = tempfile::tempdir().expect("a folder");
    let key = "audit:00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff";
    let (code, text) =
        predict(folder.path(), &["--source", key, "--decks", "20", "--models", "xorshift32,V8 Math.random"]);
    assert_eq!(code, 0, "{text}");
    assert!(text.contains("NOT RECOVERED") && text.contains("takes for granted"), "{text}");
    assert!(!text.contains("unpredictable") && !text.contains("p-value"), "{text}");
    assert!(text.contains("picks the best of several honest decks"), "{text}");
}
