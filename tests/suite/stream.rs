//! What a lab collects: decks, words and bits of the certified generator, each against another implementation.

use std::io::Read;
use std::process::{Command, Stdio};

use hmac::{Hmac, KeyInit, Mac};
use rand::rngs::ChaCha20Rng;
use rand::{Rng, SeedableRng};
use sha2::{Digest, Sha256};

use crate::common::lab::{KEY, Lab, binary, card_line};

/// NIST SP 800-108 in counter mode over HMAC-SHA-256, written from PROTOCOL.md.
fn hand_key(number: u64) -> [u8; 32] {
    let key: Vec<u8> =
        (0..32).map(|i| u8::from_str_radix(&KEY[2 * i..2 * i + 2], 16).expect("digits")).collect();
    let mut mac = Hmac::<Sha256>::new_from_slice(&key).expect("any length");
    for part in
        [&1u32.to_be_bytes()[..], b"deckproof/v1 audit-hand\0", &number.to_be_bytes(), &256u32.to_be_bytes()]
    {
        mac.update(part);
    }
    mac.finalize().into_bytes().into()
}

/// Deck and words of PROTOCOL.md, section 3, with divisions of big numbers and the generator of `rand`.
fn pair(number: u64) -> (Vec<usize>, Vec<u32>) {
    let mut rng = ChaCha20Rng::from_seed(hand_key(number));
    let (mut order, mut words, mut n) = ((0..52).collect::<Vec<usize>>(), Vec::new(), 52u64);
    for length in [3u64, 3, 3, 3, 3, 3, 3, 3, 4, 4, 4, 5, 6, 4] {
        let product: u64 = (n + 1 - length..=n).product();
        let wide = loop {
            words.push(rng.next_u32());
            let wide = u64::from(words[words.len() - 1]) * product;
            if wide % (1 << 32) >= (1 << 32) % product {
                break wide >> 32;
            }
        };
        let mut rest = wide;
        let mut draws: Vec<(u64, u64)> = Vec::new();
        for range in n + 1 - length..=n {
            draws.push((range, rest % range));
            rest /= range;
        }
        draws.iter().rev().for_each(|&(range, draw)| order.swap(range as usize - 1, draw as usize));
        n -= length;
    }
    (order, words)
}

/// The root of PROTOCOL.md, section 5, over the cards of an order: salts from stream 1 of the generator of `rand`, the tree
/// of RFC 6962, section 2.1, by its recursion.
fn deck_root(number: u64, order: &[usize]) -> String {
    let context = Sha256::digest(format!("deckproof/v1 hand-id\naudit\nstream\n{number}\nnone\n"));
    let mut salts = ChaCha20Rng::from_seed(hand_key(number));
    salts.set_stream(1);
    let leaf = |(place, &card): (usize, &usize)| -> Vec<u8> {
        let mut salt = [0; 32];
        salts.fill_bytes(&mut salt);
        let parts: [&[u8]; 5] = [&[0], b"deckproof/v1 card", &context, &[place as u8, card as u8], &salt];
        Sha256::digest(parts.concat()).to_vec()
    };
    let leaves: Vec<Vec<u8>> = order.iter().enumerate().map(leaf).collect();
    tree(&leaves).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// An order as a line of cards.
fn cards(order: &[usize]) -> String {
    card_line(&order.iter().map(|&card| card as u8).collect::<Vec<_>>())
}

fn tree(leaves: &[Vec<u8>]) -> Vec<u8> {
    if let [leaf] = leaves {
        return leaf.clone();
    }
    let half = leaves.len().next_power_of_two() / 2;
    let (left, right) = leaves.split_at(half);
    Sha256::digest([&[1][..], &tree(left), &tree(right)].concat()).to_vec()
}

fn source() -> String {
    format!("audit:{KEY}")
}

/// Standard output of a run that ends well, as bytes, and what standard error says.
fn streamed(arguments: &[&str]) -> (Vec<u8>, String) {
    let source = source();
    let arguments = [&["stream", "--source", &source], arguments].concat();
    let output = Lab::new().command(&arguments).output().expect("it runs");
    let errors = String::from_utf8(output.stderr).expect("it prints UTF-8");
    assert_eq!(output.status.code(), Some(0), "{errors}");
    (output.stdout, errors)
}

fn text(arguments: &[&str]) -> String {
    String::from_utf8(streamed(arguments).0).expect("it prints UTF-8")
}

#[test]
fn pairs_show_every_deck_beside_the_words_that_made_it() {
    let table = text(&["--pairs", "400"]);
    let mut lines = table.lines();
    assert_eq!(lines.next(), Some("deck_number,words,deck"));
    let joined = |values: Vec<String>| values.join(" ");
    for number in 0..400 {
        let (order, words) = pair(number);
        let words = joined(words.iter().map(u32::to_string).collect());
        let order = joined(order.iter().map(usize::to_string).collect());
        assert_eq!(lines.next(), Some(format!("{number},{words},{order}").as_str()));
    }
    assert_eq!(lines.next(), None);
}

#[test]
fn commitments_show_every_deck_beside_its_root() {
    let table = text(&["--commit", "40"]);
    let mut lines = table.lines();
    assert_eq!(lines.next(), Some("hand,deck,deck_root"));
    for number in 0..40 {
        let order = pair(number).0;
        let row = format!("{number},{},{}", cards(&order).trim_end(), deck_root(number, &order));
        assert_eq!(lines.next(), Some(row.as_str()));
    }
    assert_eq!(lines.next(), None);
}

/// Keys by `printf 'deckproof/seed/v1\ntable 9' | sha256sum` of GNU coreutils 9.1.
#[test]
fn a_text_makes_the_key_that_its_hash_says_in_every_command() {
    let lab = Lab::new();
    let key = "b0b7ead3362c495ba50176bb0ebf7582b1f145977066bf588c65b0d08d95d2fc";
    let by_text = lab.run(&["stream", "--decks", "3", "--as", "cards", "--seed", "table 9"]);
    let by_key = lab.run(&["stream", "--decks", "3", "--as", "cards", "--source", &format!("audit:{key}")]);
    assert_eq!(by_text.out, by_key.out);
    by_text.must_warn(key).must_warn("\"table 9\"");
    let one = lab.run(&["deck", "--seed", "table 9", "--index", "2"]);
    assert_eq!(Some(one.out.trim_end()), by_key.out.lines().nth(2));
    lab.run(&["audit", "--seed", "table 9", "--decks", "3000", "--tiers", "core", "--out", "audited"]);
    let certificate = lab.text("audited/certificate.json");
    assert!(
        certificate.contains(&format!("\"key\":\"{key}\",\"seed\":\"table 9\"")),
        "the certificate names both"
    );
    lab.write("other.json", certificate.replace("table 9", "table 8"));
    lab.run(&["verify", "audited/certificate.json"]).ends(0);
    lab.run(&["verify", "other.json"]).ends(1).must_print("the key that is made from the text");
}

#[test]
fn decks_are_those_that_an_audit_looks_at_in_four_forms() {
    let orders: Vec<Vec<usize>> = (0..70).map(|number| pair(number).0).collect();
    let lines = |write: &dyn Fn(usize) -> String| {
        let line = |order: &Vec<usize>| order.iter().map(|&card| write(card)).collect::<Vec<_>>().join(" ");
        orders.iter().map(|order| line(order) + "\n").collect::<String>()
    };
    assert_eq!(text(&["--decks", "70"]), lines(&|card| card.to_string()));
    assert_eq!(text(&["--decks", "70", "--as", "numbers"]), lines(&|card| (card + 1).to_string()));
    assert_eq!(
        text(&["--decks", "70", "--as", "cards"]),
        orders.iter().map(|order| cards(order)).collect::<String>()
    );
    let bytes: Vec<u8> = orders.iter().flatten().map(|&card| card as u8).collect();
    assert_eq!(streamed(&["--decks", "70", "--as", "bytes"]).0, bytes);
}

#[test]
fn words_and_bits_are_the_same_stream_and_its_hash_is_told() {
    let words: Vec<u32> = (0..80).flat_map(|number| pair(number).1).take(1_000).collect();
    let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    let (found, output) = streamed(&["--words", "1000"]);
    assert_eq!(found, bytes);
    let sha256 = base16ct::lower::encode_string(&Sha256::digest(&bytes));
    assert!(output.contains(&format!("1,000 words of 32 bits, 4,000 bytes, SHA-256 {sha256}")), "{output}");
    let lines =
        |write: &dyn Fn(&u32) -> String| words.iter().map(|word| write(word) + "\n").collect::<String>();
    assert_eq!(text(&["--words", "1e3", "--as", "decimal"]), lines(&|word| word.to_string()));
    assert_eq!(text(&["--words", "1e3", "--as", "hexadecimal"]), lines(&|word| format!("{word:08x}")));
    let bits: String = bytes.iter().map(|byte| format!("{byte:08b}")).collect();
    assert_eq!(text(&["--bits", "31997"]), bits[..31_997]);
    let mut last = bytes.clone();
    last[3_999] &= 0b1111_1000;
    assert_eq!(streamed(&["--bits", "31997", "--as", "bytes"]).0, last);
    assert_eq!(streamed(&["--bits", "32000", "--as", "bytes"]).0, bytes);
}

#[test]
fn what_is_not_known_is_not_written() {
    let lab = Lab::new();
    let output = lab.run(&["stream", "--pairs", "5", "--source", "flawed:sattolo"]).refused();
    output.must_warn("the key behind the decks of this source is not known");
    let output = lab.run(&["stream", "--bits", "5", "--as", "cards"]).ends(2);
    output.must_warn("bits are written as characters or bytes");
    lab.run(&["stream"]).ends(2);
    // A file of two decks has no third one.
    let two = text(&["--decks", "2"]);
    lab.write("two.txt", two);
    lab.run(&["stream", "--decks", "3", "--source", "csv:two.txt"]).ends(2);
    let output = lab.run(&["stream", "--decks", "2", "--as", "numbers", "--source", "csv:two.txt"]);
    assert_eq!((output.code, output.out), (0, text(&["--decks", "2", "--as", "numbers"])));
}

#[test]
fn a_reader_that_has_enough_is_no_error() {
    let source = source();
    let mut child = Command::new(binary())
        .args(["stream", "--words", "1e9", "--source", &source])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it runs");
    let mut first = [0u8; 4];
    child.stdout.take().expect("piped").read_exact(&mut first).expect("it writes");
    assert_eq!(u32::from_le_bytes(first), pair(0).1[0]);
    let output = child.wait_with_output().expect("it ends");
    let errors = String::from_utf8(output.stderr).expect("it prints UTF-8");
    assert_eq!(output.status.code(), Some(0), "{errors}");
    assert!(errors.contains("The reader stopped before the end"), "{errors}");
}

/// Debian's `dieharder` reads the words, where it is installed: STS monobit over 4·10⁷ bytes.
#[test]
fn dieharder_reads_the_words() {
    let Ok(found) = Command::new("dieharder").arg("-l").output() else {
        eprintln!("dieharder is not installed here: its answer was not asked for");
        return;
    };
    assert!(String::from_utf8_lossy(&found.stdout).contains("STS Monobit"));
    let asked = |command: &str| {
        let output = Command::new("sh")
            .args([
                "-c",
                &format!("{command} | dieharder -g 200 -d 100 -p 20 -D test_name -D pvalues -D assessment"),
            ])
            .output()
            .expect("a shell");
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    let program = binary().display();
    let ours = asked(&format!("'{program}' stream --words 1e7 --source audit:{KEY}"));
    assert!(ours.contains("sts_monobit") && ours.contains("PASSED"), "{ours}");
    // It is listened to: the letters of a text are no bits.
    let letters = asked(&format!("'{program}' stream --words 3e6 --as hexadecimal --source audit:{KEY}"));
    assert!(letters.contains("FAILED"), "{letters}");
}

/// The documented command, typed as it stands and run to its end: words without a number last until the battery has enough.
/// A reader of two million bytes stands in for the battery, which takes hours.
#[cfg(unix)]
#[test]
fn the_documented_command_feeds_a_battery_until_it_has_enough() {
    use std::os::unix::fs::PermissionsExt;
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let docs = std::fs::read_to_string(root.join("docs/audit.md")).expect("it is there");
    let command = docs.split('`').find(|text| text.contains("| dieharder")).expect("it is documented");
    let lab = Lab::new();
    lab.write("dieharder", "#!/bin/sh\necho \"$@\"; head -c 2000000 | wc -c\n");
    let script = std::fs::Permissions::from_mode(0o755);
    std::fs::set_permissions(lab.path("dieharder"), script).expect("it is ours");
    let folder = crate::common::lab::binary().parent().expect("a folder").display().to_string();
    let output = lab.shell(&format!("export PATH=\"$PWD:{folder}:$PATH\"; {command}"));
    let words: Vec<&str> = output.out.split_whitespace().collect();
    assert_eq!((output.code, &words[..]), (0, &["-g", "200", "-a", "2000000"][..]), "{output}");
    output.must_warn("words without an end");
}
