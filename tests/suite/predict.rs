//! `deckproof predict`: generators that are recovered from decks, those that are not, and certificates.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use assert_cmd::Command;
use deckproof::dealers::TestDealer;

/// Decks of xorshift32 (13, 17, 5), shuffled downward by the leading bits, calls between decks as given: written here a second time.
pub fn xorshift_decks(decks: usize, calls: usize) -> String {
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
    assert!(code == 2 && text.contains("record 2 is another one"), "{code}: {text}");
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

/// The two decks that a program dealt after the seed 1700000123: `crates/predict/fixtures/seeded.csv`.
fn seeded(folder: &Path, program: &str) {
    let rows = include_str!("../../crates/predict/fixtures/seeded.csv").lines();
    let own = rows.filter_map(|line| line.split_once(',')).filter(|(name, _)| *name == program);
    let text: String = own.map(|(_, deck)| format!("{deck}\n")).collect();
    fs::write(folder.join("seeded.txt"), text).expect("a file");
}

#[test]
fn every_seed_is_searched_from_where_a_state_ends() {
    let folder = tempfile::tempdir().expect("a folder");
    seeded(folder.path(), "php shuffle");
    let of = |name| ["--source", "seeded.txt", "--seeds", name, "--state", "s.json", "--budget", "600s"];
    let stopped = [&of("NumPy")[..6], &["--budget", "1s"]].concat();
    let (code, text) = predict(folder.path(), &stopped);
    assert!(code == 0 && text.contains("cut short by the budget"), "{code}: {text}");
    // As if all seeds below 1,700,000,000 had been tried.
    let state = fs::read_to_string(folder.path().join("s.json")).expect("a state");
    let mut state: serde_json::Value = serde_json::from_str(&state).expect("one object");
    assert_eq!(state["all"], 1u64 << 32);
    state["tried"] = 1_700_000_000u64.into();
    fs::write(folder.path().join("s.json"), state.to_string()).expect("a file");
    let (code, text) = predict(folder.path(), &of("NumPy"));
    assert!(code == 1 && text.contains("Its seed is 1700000123 (init_genrand)"), "{code}: {text}");
    // The same state belongs to no other seeding and to no other records.
    assert_eq!(predict(folder.path(), &of("Python random")).0, 2);
    seeded(folder.path(), "ruby shuffle");
    assert_eq!(predict(folder.path(), &of("NumPy")).0, 2);
}

#[test]
fn seeds_of_a_clock_are_searched_around_a_time() {
    let folder = tempfile::tempdir().expect("a folder");
    seeded(folder.path(), "python shuffle");
    // 1700000123 is 22:15:23 of that day.
    let around = ["--source", "seeded.txt", "--around", "2023-11-14T22:15:00Z", "--within", "60s"];
    let (code, text) = predict(folder.path(), &around);
    assert!(code == 1 && text.contains("Its seed is 1700000123 (python)"), "{code}: {text}");
    assert!(predict(folder.path(), &[&around[..3], &["noon"]].concat()).0 == 2);
}

#[test]
fn a_misspelt_model_is_refused_with_the_names_near_it() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("decks.txt"), xorshift_decks(1, 0)).expect("a file");
    let mut command = Command::cargo_bin("deckproof").expect("the program is built");
    let arguments = ["predict", "--source", "decks.txt", "--models", "xorshit32"];
    let output = command.current_dir(folder.path()).args(arguments).output().expect("it runs");
    let text = String::from_utf8(output.stderr).expect("text");
    assert!(output.status.code() == Some(2) && text.contains("xorshift32"), "{text}");
}

#[test]
fn one_record_is_enough_where_it_overdetermines_the_state_and_the_text_says_so() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("decks.txt"), xorshift_decks(1, 0)).expect("a file");
    let (code, text) = predict(folder.path(), &["--source", "decks.txt", "--models", "xorshift32"]);
    assert_eq!(code, 1, "{text}");
    // 225.6 bits of a deck, less 32 of the state, 26.6 of 10^8 dealers, and 2.6 for one run of (1 + 2.6 + 1 + 1) bits.
    assert!(
        text.contains("One record was enough because it overdetermines the state by 158 bits."),
        "{text}"
    );
}

#[test]
fn what_one_player_sees_is_enough_where_the_deck_is_dealt_as_it_is_shuffled() {
    let folder = tempfile::tempdir().expect("a folder");
    // Dealt from the end of the array, as pop() does: cards are fixed in the order in which they are dealt.
    let turned = |line: &str| line.split(' ').rev().collect::<Vec<_>>().join(" ") + "\n";
    let text: String = xorshift_decks(8, 0).lines().map(turned).collect();
    fs::write(folder.path().join("decks.txt"), text).expect("a file");
    let seat = ["--source", "decks.txt", "--models", "xorshift32", "--know", "seat:2/6"];
    let (code, text) = predict(folder.path(), &seat);
    assert!(code == 1 && text.contains("It deals 8 records"), "{code}: {text}");
}

fn verify(folder: &Path, file: &str) -> (i32, String) {
    let mut command = Command::cargo_bin("deckproof").expect("the program is built");
    let output = command.current_dir(folder).args(["verify", file]).output().expect("it runs");
    (output.status.code().expect("an exit code"), String::from_utf8(output.stdout).expect("text"))
}

/// State in, records out: `verify` needs the file alone, and believes none that claims more than its state deals.
#[test]
fn the_certificate_of_a_recovery_is_dealt_again_and_a_forged_one_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("decks.txt"), xorshift_decks(5, 3)).expect("a file");
    let source = ["--source", "decks.txt", "--models", "xorshift32", "--certificate", "c.json"];
    assert_eq!(predict(folder.path(), &source).0, 1);
    let (code, text) = verify(folder.path(), "c.json");
    assert!(code == 1 && text.contains("deals 5 of its records"), "{code}: {text}");

    let honest = fs::read_to_string(folder.path().join("c.json")).expect("a certificate");
    let check_refused = |what: &str, forge: &dyn Fn(&mut serde_json::Value)| {
        let mut json: serde_json::Value = serde_json::from_str(&honest).expect("one object");
        forge(&mut json);
        fs::write(folder.path().join("forged.json"), json.to_string()).expect("a file");
        let (code, text) = verify(folder.path(), "forged.json");
        assert!(
            code == 1 && text.contains(": REFUSED, and no verdict of it counts: "),
            "{what}: {code}: {text}"
        );
    };
    check_refused("another state", &|json| json["recovered"][0]["state"] = "1".into());
    check_refused("a state that does not move", &|json| json["recovered"][0]["state"] = "0".into());
    check_refused("more records than it deals", &|json| json["recovered"][0]["runs"][0][1] = 6.into());
    check_refused("calls without end", &|json| json["recovered"][0]["runs"][0][3] = u64::MAX.into());
    check_refused("a bound that is too small", &|json| json["recovered"][0]["bound_log10"] = (-900.0).into());
    check_refused("another next deck", &|json| {
        let second = json["recovered"][0]["next"][1].clone();
        json["recovered"][0]["next"][0] = second;
    });
    check_refused("another record", &|json| {
        let second = json["known"][1].clone();
        json["known"][0] = second;
    });
    check_refused("records that are none", &|json| json["known"][2] = "As As".into());
}

/// A second file and a release that is named are searched as the first record is.
#[test]
fn files_and_releases_are_searched_by_themselves() {
    let folder = tempfile::tempdir().expect("a folder");
    let fair = |name: &str, program: &str| {
        seeded(folder.path(), program);
        fs::rename(folder.path().join("seeded.txt"), folder.path().join(name)).expect("a file");
    };
    fair("first.txt", "python shuffle");
    fs::write(folder.path().join("second.txt"), xorshift_decks(4, 0)).expect("a file");
    let (code, text) = predict(folder.path(), &["first.txt", "second.txt", "--models", "xorshift32"]);
    assert!(
        code == 1 && text.contains("from record 3 on") && text.contains("It deals 4 records"),
        "{code}: {text}"
    );

    let all = fs::read_to_string(folder.path().join("first.txt")).expect("decks") + &xorshift_decks(4, 0);
    fs::write(folder.path().join("all.txt"), all).expect("a file");
    let (code, text) = predict(folder.path(), &["all.txt", "--models", "xorshift32", "--begins", "3"]);
    assert!(code == 1 && text.contains("from record 3 on"), "{code}: {text}");
}

/// `crates/predict/fixtures/seeded.csv`: the decks of R began right after the seed; the second one is 1 deck of unknown calls on.
#[test]
fn calls_between_the_seed_and_the_first_record_are_tried() {
    let folder = tempfile::tempdir().expect("a folder");
    seeded(folder.path(), "r sample");
    let decks = fs::read_to_string(folder.path().join("seeded.txt")).expect("decks");
    let second = decks.lines().nth(1).expect("two decks");
    fs::write(folder.path().join("second.txt"), format!("{second}\n")).expect("a file");
    let around = ["second.txt", "--around", "1700000120", "--within", "5s", "--calls", "200"];
    let (code, text) = predict(folder.path(), &around);
    assert!(code == 1 && text.contains("Its seed is 1700000123 (r)"), "{code}: {text}");
    assert_eq!(predict(folder.path(), &[&around[..5], &["--calls", "20", "--budget", "20s"]].concat()).0, 0);
}

/// Node.js dealt six decks and Java two: an audit of so few fails with the next deck in it; one of as many fair ones says what it
/// did not try.
#[test]
fn an_audit_of_a_few_decks_fails_with_a_proof_or_says_what_it_left_out() {
    let folder = tempfile::tempdir().expect("a folder");
    let audit = |arguments: &[&str]| {
        let mut command = Command::cargo_bin("deckproof").expect("the program is built");
        let output =
            command.current_dir(folder.path()).arg("audit").args(arguments).output().expect("it runs");
        // Sentences are wrapped on a screen.
        let text = String::from_utf8(output.stdout).expect("text");
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        (output.status.code().expect("an exit code"), text)
    };
    let node: Vec<&str> = include_str!("../../crates/predict/fixtures/node20.txt").lines().collect();
    fs::write(folder.path().join("node.txt"), node[..6].join("\n") + "\n").expect("a file");
    let (code, text) = audit(&["node.txt", "--out", "node"]);
    assert!(
        code == 1 && text.contains("After one deck the next cards are known, from record 1 on"),
        "{text}"
    );
    let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words.contains("V8 Math.random, Fisher–Yates downward"), "{text}");

    // A dealer that is seeded anew for each deck: each is known, and none leads to the next.
    let java = TestDealer::named("java-random").expect("it is in the list");
    let anew = |seed: u64| java.deals(seed).order(0).map(|card| card.to_string()).join(" ") + "\n";
    fs::write(folder.path().join("anew.txt"), (1..=40).map(anew).collect::<String>()).expect("a file");
    let (code, text) = audit(&["anew.txt", "--out", "anew"]);
    assert!(
        code == 1 && text.contains("the decks after these do not follow from it: it is seeded anew"),
        "{text}"
    );
    assert!(!text.contains("the next cards are known"), "{text}");

    let key = "audit:00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff";
    let (_, text) = audit(&["--source", key, "--decks", "64", "--out", "fair", "--json"]);
    let json: serde_json::Value = serde_json::from_str(&text).expect("one object");
    let left_out = json["not_run"].as_array().expect("a list");
    let own = left_out.iter().find(|own| own["id"] == "deck.recovered-generator").expect("what was left out");
    assert!(own["reason"].as_str().is_some_and(|reason| reason.contains("musl rand() % n")), "{own}");
    for file in ["certificate.json", "report.html"] {
        let text = fs::read_to_string(folder.path().join("fair").join(file)).expect("it is written");
        assert!(text.contains("models that its stated work did not reach"), "{file}");
        assert!(!text.contains("unpredictable"), "{file}");
    }
}

/// Names that hold commas, one and two of them; and one that is none is refused with the part that is.
#[test]
fn models_whose_names_hold_commas_can_be_named() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("decks.txt"), xorshift_decks(5, 3)).expect("a file");
    let tried = |models: &str| {
        let (code, text) =
            predict(folder.path(), &["decks.txt", "--models", models, "--budget", "5s", "--json"]);
        let json: serde_json::Value = serde_json::from_str(&text).unwrap_or_default();
        let names = |list: &str| json[list].as_array().map_or(0, Vec::len);
        (code, names("recovered"), names("not_recovered") + names("left_out"))
    };
    assert_eq!(tried("drand48, Perl rand"), (0, 0, 1));
    assert_eq!(tried("Small seeds of all seedings, calls before,xorshift32"), (1, 1, 0));
    assert_eq!(tried("drand48, Perl rand, drand48, Perl rand, sorted by keys"), (0, 0, 2));
    assert_eq!(tried("drand48, Perl").0, 2);
}
