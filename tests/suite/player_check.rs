//! The player's check: what was saved before the hand, bundles of one hand together, and words.

use std::fs;
use std::path::{Path, PathBuf};

use deckproof::card::Card;
use deckproof::commitment::digest::leaf_hash;
use serde_json::Value;
use sha2::{Digest, Sha256};
use tempfile::TempDir;

use crate::common::dealt::bundle_all;
use crate::common::lab::{Said, deckproof};

/// A table dealt under a key from the operating system, with its bundles.
fn deal(folder: &TempDir, name: &str, more: &[&str]) -> PathBuf {
    let out = folder.path().join(name);
    let out_text = out.display().to_string();
    let arguments = [&["deal", "--table", "T-1", "--out", &out_text][..], more].concat();
    let said = deckproof(&arguments);
    assert_eq!(said.code, 0, "{}", said.err);
    bundle_all(&out);
    out
}

fn text(path: &Path) -> String {
    path.display().to_string()
}

fn verify(arguments: &[&str]) -> Said {
    deckproof(&[&["verify"][..], arguments].concat())
}

fn codes(said: &Said) -> Vec<String> {
    let lines = said.out.lines().map(|line| serde_json::from_str::<Value>(line).expect("JSON"));
    lines.map(|line| line["code"].as_str().unwrap_or("none").to_owned()).collect()
}

/// What was saved may be of the file that is not judged, of another hand, or of a certificate: it convicts nobody then.
#[test]
fn what_was_saved_counts_against_a_bundle_only_where_all_files_are_of_its_hand() {
    let folder = TempDir::new().expect("a folder");
    let out = deal(&folder, "a", &["--hands", "2", "--seats", "1,2,4"]);
    let [first, second] = ["hand-1/seat-4.json", "hand-2/seat-4.json"].map(|own| text(&out.join(own)));
    let cut_off = folder.path().join("cut-off.json");
    let whole = fs::read(&second).expect("it was written");
    fs::write(&cut_off, &whole[..whole.len() - 9]).expect("writable");
    let altered = folder.path().join("altered.json");
    let broken = String::from_utf8(whole).expect("JSON").replacen("deckproof/v1", "deckproof/v9", 1);
    fs::write(&altered, broken).expect("writable");
    let root = "0".repeat(64);
    let coded = |more: &[&str]| {
        codes(&verify(&[&["--json", "--committed", &root, &first], more].concat()))[0].clone()
    };
    assert_eq!(coded(&[]), "E_COMMITTED");
    for beside in [&text(&cut_off), &text(&altered), &second] {
        assert_eq!(coded(&[beside]), "none", "beside {beside}");
        let said = verify(&["--committed", &root, &first, beside]);
        assert!(said.err.contains(&format!("What --committed {root} gives fits none of")), "{}", said.err);
    }
    let deck = text(&out.join("hand-1/deck.txt"));
    let said = verify(&["--committed", &deck, &first, &second]);
    assert!(!said.err.contains("fits none"), "{}", said.err);
}

#[test]
fn a_bundle_is_accepted_only_with_what_was_saved_before_the_hand() {
    let folder = TempDir::new().expect("a folder");
    let out = deal(&folder, "a", &["--hands", "2", "--seats", "1,2,4"]);
    let (bundle, deck) = (text(&out.join("hand-1/seat-4.json")), out.join("hand-1/deck.txt"));
    let said = verify(&[&bundle]);
    assert_eq!(said.code, 0, "{}", said.err);
    let mut lines = said.out.lines();
    let head = format!(
        "{bundle}: consistent with itself: nothing here shows that this deck was fixed before the hand."
    );
    assert_eq!(lines.next(), Some(&head[..]));
    let entry = fs::read_to_string(&deck).expect("a deck entry");
    let (hash, root) = (leaf_hash(&entry).to_string(), entry.trim_end().rsplit(' ').next().expect("a root"));
    assert_eq!(lines.next(), Some(&format!("  Commitment     deck entry {hash}, deck root {root}.")[..]));
    let copied = format!(" {root}\n");
    for saved in [&text(&deck), &hash, root, &copied, &text(&out.join("public/entries.txt"))] {
        let said = verify(&["--json", "--committed", saved, &bundle]);
        let line: Value = serde_json::from_str(&said.out).expect("JSON");
        assert_eq!((said.code, &line["verdict"]), (0, &"accepted".into()), "{saved}: {}", said.err);
        assert_eq!(line["fixed_by"], "saved commitment");
    }
    // The opening of a hand without a cut fixes its deck under the same condition.
    let said = verify(&["--opened", &text(&out.join("public/entries.txt")), &bundle]);
    assert!(
        said.code == 2 && said.err.contains("it holds the cut or the end of the hand too"),
        "{}",
        said.err
    );
    let said = verify(&["--opened", &text(&out.join("hand-1/open.txt")), &bundle]);
    let head = format!("{bundle}: accepted, if you saved its commitment before the hand: ");
    assert!(said.code == 0 && said.out.starts_with(&head), "{}{}", said.out, said.err);
    let other = text(&out.join("hand-2/deck.txt"));
    for more in [&["--committed", &other][..], &["--committed", &text(&deck), "--committed", &other]] {
        let said = verify(&[more, &[&bundle]].concat());
        assert_eq!((said.code, said.out.as_str()), (2, ""), "of another hand: nothing can be said");
        assert!(said.err.contains("hand-2/deck.txt gives is of another hand"), "{}", said.err);
    }
    for nothing in ["", "no entry", "deckproof/v1 void\ndeck 00\nreason a\n"] {
        let path = folder.path().join("nothing");
        fs::write(&path, nothing).expect("writable");
        assert_eq!(verify(&["--committed", &text(&path), &bundle]).code, 2, "{nothing}");
    }
}

/// Digits that differ in a few places were copied wrongly: no other deck is so near. They hide no contradiction beside them.
#[test]
fn miscopied_digits_convict_nobody() {
    let folder = TempDir::new().expect("a folder");
    let vectors: Value = serde_json::from_str(include_str!("../../fixtures/protocol.json")).expect("JSON");
    let [saved, positive] = ["saved", "positive"].map(|name| vectors[name].as_array().expect("a list"));
    assert!(saved.len() >= 18);
    for case in saved {
        let own = positive.iter().find(|own| own["name"] == case["bundle"]).expect("a bundle");
        let bundle = folder.path().join("bundle.json");
        fs::write(&bundle, own["bundle"].to_string()).expect("writable");
        let also = case["also"].as_array().into_iter().flatten();
        let digits = [&case["digits"]].into_iter().chain(also).map(|own| own.as_str().expect("digits"));
        let given: Vec<&str> = digits.flat_map(|digits| ["--committed", digits]).collect();
        let bundle = text(&bundle);
        let said = verify(&[&["--json", &bundle][..], &given].concat());
        if case["verdict"].is_null() {
            assert_eq!((said.code, said.out.as_str()), (2, ""), "{}: {}", case["name"], said.err);
            assert!(
                said.err.contains(" of the 64 digits that you gave differ from "),
                "{}: {}",
                case["name"],
                said.err
            );
            continue;
        }
        let line: Value = serde_json::from_str(&said.out).expect("JSON");
        assert_eq!([&line["verdict"], &line["code"]], [&case["verdict"], &case["code"]], "{}", case["name"]);
    }
}

#[test]
fn a_second_deck_of_a_hand_is_refused() {
    let folder = TempDir::new().expect("a folder");
    let [first, second] = ["a", "b"].map(|name| deal(&folder, name, &["--hands", "1", "--seats", "1,2"]));
    let (deck, bundle) = (text(&first.join("hand-1/deck.txt")), text(&second.join("hand-1/seat-1.json")));
    let said = verify(&["--committed", &deck, &bundle]);
    assert_eq!(said.code, 1);
    assert!(
        said.out.contains("refused, E_COMMITTED")
            && said.out.contains("not the one whose commitment you saved"),
        "{}",
        said.out
    );
    // The entry names its hand. Bare digits do not: those of another hand, and a slip of the typist, look the same.
    assert!(said.out.contains("you saved another one for this hand"), "{}", said.out);
    let digits = verify(&["--committed", &"a".repeat(64), &bundle]);
    assert!(digits.code == 1 && digits.out.contains("If you saved it for another hand or mistyped it"));
    // Both bundles in one call: each is sound alone, together they are a contradiction.
    let other = text(&first.join("hand-1/seat-2.json"));
    let said = verify(&[&bundle, &other]);
    assert_eq!(said.code, 1);
    for words in ["E_DIFFERENT", &bundle[..], &other[..], "deck entry", "\"deck "] {
        assert!(said.out.contains(words), "{words}: {}", said.out);
    }
    let said = verify(&["--json", &bundle, &other]);
    assert_eq!((said.code, codes(&said)), (1, vec!["E_DIFFERENT".to_owned(); 2]));
    // A file that agrees with the first one differs from the second as that does.
    let third = text(&second.join("hand-1/seat-2.json"));
    let said = verify(&["--json", &bundle, &other, &third]);
    assert_eq!((said.code, codes(&said)), (1, vec!["E_DIFFERENT".to_owned(); 3]));
}

/// Deals one hand of the public test key; what differs is how it goes on.
fn deal_known(folder: &TempDir, name: &str, more: &[&str]) -> PathBuf {
    let key = "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff";
    let known = ["--hands", "1", "--day-key", key, "--not-for-production"];
    deal(folder, name, &[&known[..], more].concat())
}

#[test]
fn two_openings_or_two_histories_of_a_hand_are_refused() {
    let folder = TempDir::new().expect("a folder");
    let one = deal_known(&folder, "one", &["--seats", "1,2,3"]);
    let reopened = deal_known(&folder, "reopened", &["--seats", "2,3,1"]);
    let check = |other: &Path, entry: &str| {
        let said =
            verify(&[&text(&one.join("hand-1/seat-1.json")), &text(&other.join("hand-1/seat-2.json"))]);
        assert_eq!(said.code, 1, "{}", said.out);
        assert!(said.out.contains("E_DIFFERENT") && said.out.contains(entry), "{entry}: {}", said.out);
    };
    check(&reopened, "open entry of ");
    let played = deal_known(&folder, "played", &["--seats", "1,2,3", "--play", "random", "--play-seed", "1"]);
    check(&played, "close or void entry of ");
}

#[test]
fn bundles_of_one_hand_give_one_picture_and_of_many_hands_totals() {
    let folder = TempDir::new().expect("a folder");
    let out = deal(&folder, "a", &["--hands", "3", "--seats", "1,2"]);
    let seat = |hand: u8, seat: u8| text(&out.join(format!("hand-{hand}/seat-{seat}.json")));
    let said = verify(&[&seat(1, 1), &seat(1, 2)]);
    assert_eq!(said.code, 0, "{}", said.err);
    let together = said.out.split("Together: ").nth(1).expect("one picture");
    for words in ["seat 1, third street, down: ", "seat 2, third street, down: ", "14 cards are opened here"]
    {
        assert!(together.contains(words), "{words}: {together}");
    }
    let said = verify(&[&seat(1, 1), &seat(2, 1), &seat(3, 2)]);
    assert_eq!((said.code, said.out.lines().count()), (0, 4), "{}", said.out);
    assert!(said.out.ends_with("3 files, 3 hands: 3 consistent with themselves.\n"), "{}", said.out);
    let said = verify(&["--quiet", &seat(1, 1), &seat(2, 1)]);
    assert_eq!((said.code, said.out.lines().count()), (0, 2), "one line a file: {}", said.out);
    let spoilt = folder.path().join("spoilt.json");
    let bundle = fs::read_to_string(seat(2, 1)).expect("a bundle");
    fs::write(&spoilt, bundle.replacen("hand 2", "hand 4", 1)).expect("writable");
    let said = verify(&["--quiet", &seat(1, 1), &text(&spoilt)]);
    assert_eq!(said.code, 1);
    assert!(said.out.contains(&format!("\n{}: refused, E_LINK", text(&spoilt))), "{}", said.out);
}

/// The hash of a leaf, as PROTOCOL.md, section 5, has it.
fn leaf_of(bundle: &Value, place: usize, card: &str, salt: &str) -> String {
    let entry = bundle["deck_entry"].as_str().expect("a text");
    let of = |name: &str| entry.lines().find_map(|line| line.strip_prefix(name)).expect("a line");
    let names = [of("origin "), of("table "), of("hand "), of("mix ")];
    let context = Sha256::digest(format!("deckproof/v1 hand-id\n{}\n", names.join("\n")));
    let number: Card = card.parse().expect("a card");
    let salt = base16ct::lower::decode_vec(salt).expect("hexadecimal digits");
    let leaf = [&b"\x00deckproof/v1 card"[..], &context, &[place as u8, number.index()], &salt].concat();
    base16ct::lower::encode_string(&Sha256::digest(leaf))
}

/// Everybody saw the cards that lay face up, and nobody can compare one that stays closed.
#[test]
fn a_bundle_that_keeps_a_face_up_card_closed_is_not_accepted() {
    let folder = TempDir::new().expect("a folder");
    let out = deal_known(&folder, "a", &["--seats", "1,2,3"]);
    let (seat, deck) = (out.join("hand-1/seat-1.json"), text(&out.join("hand-1/deck.txt")));
    let mut bundle: Value = serde_json::from_slice(&fs::read(&seat).expect("readable")).expect("JSON");
    // Third street to three seats: position 7 is the up card of seat 2. Under mix none a leaf is a dealt position.
    let (place, whole) = (7, verify(&["--committed", &deck, "--require", "accepted", &text(&seat)]));
    assert_eq!(whole.code, 0, "{}", whole.err);
    let (card, salt) = (bundle["leaves"][place]["card"].clone(), bundle["leaves"][place]["salt"].clone());
    let hash = leaf_of(&bundle, place, card.as_str().expect("a card"), salt.as_str().expect("a salt"));
    bundle["leaves"][place] = serde_json::json!({ "hash": hash });
    let hides = text(&folder.path().join("hides.json"));
    fs::write(&hides, bundle.to_string()).expect("writable");
    let said = verify(&["--committed", &deck, &hides]);
    let first = said.out.lines().next().unwrap_or_default();
    assert!(
        said.code == 0 && first.ends_with("; 1 card that lay face up is not opened in it."),
        "{}",
        said.out
    );
    assert!(said.out.contains("    - Cards that lay face up and are not opened"), "{}", said.out);
    let said = verify(&["--committed", &deck, "--require", "accepted", &hides]);
    assert!(said.code == 2 && said.err.contains("does not open 1 card that lay face up"), "{}", said.err);
    // Who saw it is told that it should be there.
    let seen = format!("seat 2: {} up", card.as_str().expect("a card"));
    let said = verify(&["--seen", &seen, &hides]);
    assert!(said.code == 1 && said.out.contains("E_SEEN"), "{}{}", said.out, said.err);
}

/// A bundle is refused wherever it lies in a folder, and JSON that is none is not passed over by a script that pays.
#[test]
fn a_folder_is_judged_with_all_folders_in_it() {
    let folder = TempDir::new().expect("a folder");
    let out = deal(&folder, "a", &["--hands", "1", "--seats", "1,2"]);
    let (seat, deck) = (out.join("hand-1/seat-1.json"), text(&out.join("hand-1/deck.txt")));
    let given = folder.path().join("given");
    let inner = given.join("From B/seats");
    fs::create_dir_all(&inner).expect("writable");
    fs::copy(&seat, given.join("seat-1.json")).expect("writable");
    let judged = || verify(&["--committed", &deck, "--require", "accepted", &text(&given)]);
    assert_eq!(judged().code, 0, "{}", judged().err);
    fs::write(given.join("other.json"), "{\"format\": \"deckproof/v2 reveal\"}").expect("writable");
    assert!(judged().code == 2 && judged().err.contains("other.json"), "{}", judged().err);
    let forged = fs::read_to_string(&seat).expect("a bundle").replacen("hand 1\\n", "hand 2\\n", 1);
    fs::write(inner.join("SEAT-2.JSON"), forged).expect("writable");
    let said = judged();
    assert!(said.code == 1 && said.out.contains("SEAT-2.JSON: refused"), "{}{}", said.out, said.err);
}

#[test]
fn cards_are_told_and_asked_for_in_the_words_of_a_player() {
    let folder = TempDir::new().expect("a folder");
    // The public test key: As 3d 7c 7h 5h Qc Tc Jh Qs Th 6h Ac … to the seats 4, 6 and 2 in turn.
    let out = deal_known(&folder, "a", &["--seats", "4,6,2"]);
    let bundle = text(&out.join("hand-1/seat-4.json"));
    let said = verify(&[&bundle]);
    assert!(
        said.out.contains("seat 4, third street, down: As 7h, up: Tc; fourth street, up: Th"),
        "{}",
        said.out
    );
    assert!(said.out.contains("seat 6, third street, up: Jh; fourth street, up: 6h"), "{}", said.out);
    let seen = |cards: &str, code: i32| {
        let said = verify(&["--json", "--seen", cards, &bundle]);
        assert_eq!(said.code, code, "{cards}: {}{}", said.out, said.err);
        said
    };
    let said = seen("seat 4: 7h As down, Tc Th up; seat 6: Jh up", 0);
    let line: Value = serde_json::from_str(&said.out).expect("JSON");
    assert_eq!(line["findings"]["seen_cards"], 5);
    assert_eq!(line["seen"]["3"], serde_json::json!([4, 3, "d"]));
    for wrong in ["seat 4: 7h up", "seat 6: As down", "seat 4: 2c down"] {
        assert_eq!(codes(&seen(wrong, 1)), ["E_SEEN"], "{wrong}");
    }
    assert!(seen("seat 4: 7h up", 1).out.contains("has it at this seat down"));
    let nobody = seen("seat 8: As down", 2);
    assert!(
        nobody.err.contains("nobody was dealt a card there, only at the seats 2, 4, 6"),
        "{}",
        nobody.err
    );
    // The file of seat 4 opens no card that seat 6 had face down: it may have been this one.
    let said = seen("seat 6: 2c down", 2);
    assert!(said.err.contains("does not open every card that lay down there"), "{}{}", said.out, said.err);
    for unclear in
        ["seat 4", "seat 9: As down", "seat 4: As", "seat 4: down", "seat 4: Ax down", "4: As down"]
    {
        seen(unclear, 2);
    }
}

#[test]
fn a_burned_card_that_comes_back_is_said() {
    let folder = TempDir::new().expect("a folder");
    let seats = "2,3,4,5,6,7,8";
    let out = deal_known(&folder, "a", &["--rules", "espacejeux", "--seats", seats]);
    let said = verify(&[&text(&out.join("hand-1/full-reveal.json"))]);
    assert_eq!(said.code, 0, "{}", said.out);
    // Seven seats use 45 cards with three burns; seven for seven and a burn are too few, and a pool of ten
    // holds three burned ones, of which some come back here.
    assert!(
        said.out.contains("had been burned on") && said.out.contains("shuffled in again"),
        "{}",
        said.out
    );
    let plain = deal_known(&folder, "b", &["--rules", "espacejeux", "--seats", "1,2,3"]);
    let said = verify(&[&text(&plain.join("hand-1/full-reveal.json"))]);
    assert!(!said.out.contains("had been burned"), "{}", said.out);
}

#[test]
fn foreign_and_broken_files_are_no_refusals() {
    let folder = TempDir::new().expect("a folder");
    let out = deal(&folder, "a", &["--hands", "1", "--seats", "1,2", "--play", "random"]);
    let hand = out.join("hand-1");
    let whole = fs::read(hand.join("seat-1.json")).expect("a bundle");
    let page = b"<!DOCTYPE html>\n<title>Your hand</title>\n".to_vec();
    let written: [(&str, Vec<u8>, &str); 4] = [
        ("empty", Vec::new(), "empty"),
        ("page", page, "web page"),
        ("cut", whole[..whole.len() / 2].to_vec(), "cut off"),
        ("binary", vec![0xff; 100], "neither"),
    ];
    let check = |path: &Path, words: &str| {
        let said = verify(&[&text(path)]);
        assert_eq!((said.code, said.out.as_str()), (2, ""), "{}", path.display());
        assert!(said.err.contains(words), "{}: {}", path.display(), said.err);
    };
    for (name, bytes, words) in written {
        let path = folder.path().join(name);
        fs::write(&path, bytes).expect("writable");
        check(&path, words);
    }
    check(&hand.join("history.phh"), "deckproof replay");
    check(&hand.join("deck.txt"), "--committed");
    check(&hand.join("transcript.txt"), "transcript");
}

/// Nobody signs a bundle, and whoever has one can write another: what the log has stays.
#[test]
fn a_forged_end_does_not_refuse_the_end_that_is_in_the_log() {
    let folder = TempDir::new().expect("a folder");
    let vectors: Value = serde_json::from_str(include_str!("../../fixtures/protocol.json")).expect("JSON");
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        fs::write(&path, text).expect("writable");
        path.display().to_string()
    };
    let trust = write("trust.json", &vectors["trust"].to_string());
    let cases = vectors["positive"].as_array().expect("a list").iter().map(|case| &case["bundle"]);
    let logged = |bundle: &&Value| {
        let has_history = bundle["close_entry"].as_str().is_some_and(|text| text.contains("\nhistory "));
        bundle["proofs"]["close"].is_string() && !has_history
    };
    let honest = cases.clone().find(logged).expect("a proof of the end");
    let mut forged = honest.clone();
    forged.as_object_mut().expect("an object").shift_remove("proofs");
    let end = honest["close_entry"].as_str().expect("a text");
    forged["close_entry"] = format!("{end}history {}\n", "0".repeat(64)).into();
    let files = [write("honest.json", &honest.to_string()), write("forged.json", &forged.to_string())];
    let judged = |more: &[&str], files: &[&String]| {
        let files: Vec<&str> = files.iter().map(|file| &file[..]).collect();
        let said = verify(&[&["--json"][..], more, &files].concat());
        let lines = said.out.lines().map(|line| serde_json::from_str::<Value>(line).expect("JSON"));
        let lines: Vec<_> = lines.map(|line| (line["verdict"].clone(), line["code"].clone())).collect();
        (said.code, lines)
    };
    let [own, other] = &files;
    let alone = judged(&["--trust", &trust], &[own]).1[0].clone();
    assert_eq!(alone.1, Value::Null);
    let different = ("refused".into(), "E_DIFFERENT".into());
    for order in [[own, other], [other, own]] {
        let (code, mut lines) = judged(&["--trust", &trust], &order);
        if order[0] == other {
            lines.reverse();
        }
        assert_eq!((code, lines), (1, vec![alone.clone(), different.clone()]));
    }
    let said = verify(&["--trust", &trust, own, other]);
    assert!(
        said.out.contains("forged.json tells this hand otherwise. Nobody signs a bundle"),
        "{}",
        said.out
    );
    // Without the trust file nothing shows which of them is true.
    assert_eq!(judged(&[], &[own, other]), (1, vec![different.clone(), different]));
}

#[test]
fn a_receipt_saved_before_the_hand_is_proof_and_one_of_another_deck_is_a_refusal() {
    let folder = TempDir::new().expect("a folder");
    let vectors: Value = serde_json::from_str(include_str!("../../fixtures/protocol.json")).expect("JSON");
    let cases = vectors["positive"].as_array().expect("a list");
    let logged: Vec<&Value> = cases
        .iter()
        .map(|case| &case["bundle"])
        .filter(|bundle| bundle["proofs"]["deck"].is_string())
        .collect();
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        fs::write(&path, text).expect("writable");
        path.display().to_string()
    };
    let trust = write("trust.json", &vectors["trust"].to_string());
    let own = logged[0]["proofs"]["deck"].as_str().expect("a proof");
    let other =
        logged.iter().find(|bundle| bundle["deck_entry"] != logged[0]["deck_entry"]).expect("another hand");
    let own = write("own.receipt", own);
    let other = write("other.receipt", other["proofs"]["deck"].as_str().expect("a proof"));
    let mut bare = logged[0].clone();
    bare.as_object_mut().expect("an object").shift_remove("proofs");
    let bare = write("bundle.json", &bare.to_string());
    let verdict = |more: &[&str]| {
        let said = verify(&[&["--json", "--trust", &trust][..], more, &[&bare]].concat());
        let line: Value = serde_json::from_str(&said.out).expect("JSON");
        (said.code, line["verdict"].clone(), line["code"].clone())
    };
    assert_eq!(verdict(&[]), (2, "consistent".into(), Value::Null));
    // The end of the hand is not proven, so that it may be in the tree of the receipt.
    assert_eq!(verdict(&["--receipt", &own]), (2, "consistent".into(), Value::Null));
    assert_eq!(verdict(&["--receipt", &other]), (1, "refused".into(), "E_PROOF_ROOT".into()));
    let forged = fs::read_to_string(&own).expect("a receipt").replacen("index ", "index 1", 1);
    let forged = write("forged.receipt", &forged);
    assert_eq!(verdict(&["--receipt", &forged]), (1, "refused".into(), "E_PROOF_ROOT".into()));
    // A refusal by a receipt says whose it is, and what else would explain it.
    let said = verify(&["--trust", &trust, "--receipt", &other, &bare]);
    let words = [
        "A receipt that you gave proves no entry of this hand",
        "A receipt of another hand, or one that was altered",
    ];
    assert!(words.iter().all(|words| said.out.contains(words)), "{}", said.out);
    let longer = write("longer.receipt", &(fs::read_to_string(&own).expect("a receipt") + "\n"));
    let said = verify(&["--trust", &trust, "--receipt", &longer, &bare]);
    assert!(
        said.code == 2 && said.err.contains("that says nothing of this hand"),
        "{}{}",
        said.out,
        said.err
    );
    // Beside bundles of several hands, one that fits none of them is named.
    let mut entries: Vec<&Value> = Vec::new();
    let others = cases.iter().map(|case| &case["bundle"]).filter(|bundle| {
        let is_new =
            bundle["deck_entry"] != logged[0]["deck_entry"] && !entries.contains(&&bundle["deck_entry"]);
        entries.push(&bundle["deck_entry"]);
        is_new
    });
    let others: Vec<String> = others
        .take(2)
        .enumerate()
        .map(|(number, bundle)| {
            let mut bundle = bundle.clone();
            bundle.as_object_mut().expect("an object").shift_remove("proofs");
            write(&format!("other-{number}.json"), &bundle.to_string())
        })
        .collect();
    let said = verify(&["--trust", &trust, "--receipt", &own, &others[0], &others[1]]);
    assert!(said.err.contains("own.receipt gives fits none of the files"), "{}{}", said.out, said.err);
    let said = verify(&["--trust", &trust, "--receipt", &own, &bare, &others[1]]);
    assert!(!said.err.contains("fits none of the files"), "{}{}", said.out, said.err);
    assert_eq!(verify(&["--receipt", &own, &bare]).code, 2, "without a trust file no key is known");
    assert_eq!(verify(&["--trust", &trust, "--receipt", &bare, &bare]).code, 2, "no receipt");
    // With the proof of its end: the tree of the receipt of its deck ends before it, that of its opening holds it, for it was
    // made after the hand.
    let mut ended = logged[0].clone();
    let proofs = ended["proofs"].as_object_mut().expect("an object");
    let late = write("late.receipt", proofs["open"].as_str().expect("a proof"));
    proofs.retain(|kind, _| kind == "close");
    let ended = write("ended.json", &ended.to_string());
    let said = verify(&["--trust", &trust, "--receipt", &own, &ended]);
    assert!(said.code == 0 && said.out.contains(": accepted"), "{}", said.out);
    let said = verify(&["--trust", &trust, "--receipt", &late, &ended]);
    let first = said.out.lines().next().unwrap_or_default();
    assert!(
        said.code == 2
            && first
                .ends_with("the receipt you gave was made when the end of the hand was in the log already."),
        "{first}"
    );
}
