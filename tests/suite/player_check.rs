//! The player's check: what was saved before the hand, bundles of one hand together, and words.

use deckproof::card::Card;
use deckproof::commitment::digest::leaf_hash;
use serde_json::Value;
use sha2::{Digest, Sha256};

use crate::common::dealt::bundle_all;
use crate::common::lab::{KEY, Lab, Output, json_lines};
use crate::common::schema::check_valid;
use crate::common::vectors::{VECTORS, cases, vector};

/// A table dealt under a key from the operating system, with its bundles.
pub fn deal(lab: &Lab, out: &str, more: &[&str]) {
    lab.run(&[&["deal", "--table", "T-1", "--out", out][..], more].concat()).ends(0);
    bundle_all(lab, out);
}

pub fn verify(lab: &Lab, arguments: &[&str]) -> Output {
    lab.run(&[&["verify"][..], arguments].concat())
}

fn codes(output: &Output) -> Vec<String> {
    json_lines(output).iter().map(|line| line["code"].as_str().unwrap_or("none").to_owned()).collect()
}

/// What was saved may be of the file that is not judged, of another hand, or of a certificate: it convicts nobody then.
#[test]
fn what_was_saved_counts_against_a_bundle_only_where_all_files_are_of_its_hand() {
    let lab = Lab::new();
    deal(&lab, "a", &["--hands", "2", "--seats", "1,2,4", "--origin", "stud.example/log1"]);
    let [first, second] = ["a/hand-1/seat-4.json", "a/hand-2/seat-4.json"];
    let whole = lab.text(second);
    lab.write("cut-off.json", &whole[..whole.len() - 9]);
    lab.write("altered.json", whole.replacen("deckproof/v1", "deckproof/vX", 1));
    let root = "0".repeat(64);
    let coded = |more: &[&str]| {
        codes(&verify(&lab, &[&["--json", "--committed", &root, first], more].concat()))[0].clone()
    };
    assert_eq!(coded(&[]), "E_COMMITTED");
    for (beside, exit) in [("cut-off.json", 2), ("altered.json", 1), (second, 2)] {
        assert_eq!(coded(&[beside]), "none", "beside {beside}");
        // Its own file may be missing or exchanged, so that this is no answer of 0.
        let output = verify(&lab, &["--committed", &root, first, beside]).ends(exit);
        output.must_warn(&format!("What --committed {root} gives fits none of the files"));
    }
    verify(&lab, &["--committed", "a/hand-1/deck.txt", first, second]).ends(0).must_not_warn("fits none");
}

#[test]
fn a_bundle_is_accepted_only_with_what_was_saved_before_the_hand() {
    let lab = Lab::new();
    deal(&lab, "a", &["--hands", "2", "--seats", "1,2,4"]);
    let (bundle, deck) = ("a/hand-1/seat-4.json", "a/hand-1/deck.txt");
    let output = verify(&lab, &[bundle]).ends(0);
    let mut lines = output.out.lines();
    let head = format!(
        "{bundle}: consistent with itself: nothing here shows that this deck was fixed before the hand."
    );
    assert_eq!(lines.next(), Some(&head[..]));
    let entry = lab.text(deck);
    let (hash, root) = (leaf_hash(&entry).to_string(), entry.trim_end().rsplit(' ').next().expect("a root"));
    assert_eq!(lines.next(), Some(&format!("  Commitment     deck entry {hash}, deck root {root}.")[..]));
    let copied = format!(" {root}\n");
    for saved in [deck, &hash, root, &copied, "a/public/entries.txt"] {
        let output = verify(&lab, &["--json", "--committed", saved, bundle]);
        let line = output.json();
        assert_eq!((output.code, &line["verdict"]), (0, &"accepted".into()), "{saved}: {output}");
        assert_eq!(line["fixed_by"], "saved commitment");
    }
    // The opening of a hand without a cut fixes its deck under the same condition.
    let output = verify(&lab, &["--opened", "a/public/entries.txt", bundle]).ends(2);
    output.must_warn("it holds the cut or the end of the hand too");
    let output = verify(&lab, &["--opened", "a/hand-1/open.txt", bundle]);
    let head = format!("{bundle}: accepted, if you saved its commitment before the hand: ");
    assert!(output.code == 0 && output.out.starts_with(&head), "{output}");
    let other = ["--committed", "a/hand-2/deck.txt", bundle];
    for more in [&[][..], &["--committed", "a/hand-1/deck.txt"]] {
        let output = verify(&lab, &[more, &other].concat()).refused();
        output.must_warn("hand-2/deck.txt gives names another hand");
    }
    for nothing in ["", "no entry", "deckproof/v1 void\ndeck 00\nreason a\n"] {
        lab.write("nothing", nothing);
        assert_eq!(verify(&lab, &["--committed", "nothing", bundle]).code, 2, "{nothing}");
    }
    lab.write("deck.proof", "c2sp.org/tlog-proof@v1\nindex 3\n");
    verify(&lab, &["--committed", "deck.proof", bundle])
        .ends(2)
        .must_warn("found a receipt of the log")
        .must_warn("give it with --receipt");
}

#[test]
fn a_second_deck_of_a_hand_is_refused() {
    let lab = Lab::new();
    for name in ["a", "b"] {
        deal(&lab, name, &["--hands", "1", "--seats", "1,2", "--origin", "stud.example/log1"]);
    }
    let bundle = "b/hand-1/seat-1.json";
    let output = verify(&lab, &["--committed", "a/hand-1/deck.txt", bundle]).ends(1);
    output.must_print("refused, E_COMMITTED").must_print("not the one whose commitment you saved");
    // The entry names its hand. Bare digits do not: those of another hand, and a slip of the typist, look the same.
    output.must_print("you saved another one for this hand");
    let digits = verify(&lab, &["--committed", &"a".repeat(64), bundle]);
    assert!(digits.code == 1 && digits.prints("If you saved it for another hand, mistyped it"));
    // Both bundles in one call: each is sound alone, together they are a contradiction.
    let other = "a/hand-1/seat-2.json";
    let output = verify(&lab, &[bundle, other]).ends(1);
    for words in ["E_DIFFERENT", bundle, other, "deck entry", "\"deck "] {
        output.must_print(words);
    }
    output.must_not_print("without a log");
    let output = verify(&lab, &["--json", bundle, other]);
    assert_eq!((output.code, codes(&output)), (1, vec!["E_DIFFERENT".to_owned(); 2]));
    // A file that agrees with the first one differs from the second as that does.
    let output = verify(&lab, &["--json", bundle, other, "b/hand-1/seat-2.json"]);
    assert_eq!((output.code, codes(&output)), (1, vec!["E_DIFFERENT".to_owned(); 3]));
}

/// Deals one hand of the public test key; what differs is how it goes on.
fn deal_known(lab: &Lab, name: &str, more: &[&str]) {
    let known = ["--hands", "1", "--day-key", KEY, "--not-for-production"];
    deal(lab, name, &[&known[..], more].concat());
}

#[test]
fn two_openings_or_two_histories_of_a_hand_are_refused() {
    let lab = Lab::new();
    deal_known(&lab, "one", &["--seats", "1,2,3"]);
    deal_known(&lab, "reopened", &["--seats", "2,3,1"]);
    let check = |other: &str, entry: &str| {
        let output =
            verify(&lab, &["one/hand-1/seat-1.json", &format!("{other}/hand-1/seat-2.json")]).ends(1);
        output.must_print("E_DIFFERENT").must_print(entry);
    };
    check("reopened", "open entry of ");
    deal_known(&lab, "played", &["--seats", "1,2,3", "--play", "random", "--play-seed", "1"]);
    check("played", "close or void entry of ");
}

#[test]
fn bundles_of_one_hand_give_one_picture_and_of_many_hands_totals() {
    let lab = Lab::new();
    deal(&lab, "a", &["--hands", "3", "--seats", "1,2"]);
    let seat = |hand: u8, seat: u8| format!("a/hand-{hand}/seat-{seat}.json");
    let output = verify(&lab, &[&seat(1, 1), &seat(1, 2)]).ends(0);
    let together = output.out.split("Together: ").nth(1).expect("one picture");
    for words in ["seat 1, third street, down: ", "seat 2, third street, down: ", "14 cards are opened here"]
    {
        assert!(together.contains(words), "{words}: {together}");
    }
    let output = verify(&lab, &[&seat(1, 1), &seat(2, 1), &seat(3, 2)]);
    assert_eq!((output.code, output.out.lines().count()), (0, 4), "{output}");
    assert!(output.out.ends_with("3 files, 3 hands: 3 consistent with themselves.\n"), "{output}");
    let output = verify(&lab, &["--quiet", &seat(1, 1), &seat(2, 1)]);
    assert_eq!((output.code, output.out.lines().count()), (0, 2), "one line a file: {output}");
    lab.write("spoilt.json", lab.text(&seat(2, 1)).replacen("hand 2", "hand 4", 1));
    let output = verify(&lab, &["--quiet", &seat(1, 1), "spoilt.json"]).ends(1);
    output.must_print("\nspoilt.json: refused, E_LINK");
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
    let lab = Lab::new();
    deal_known(&lab, "a", &["--seats", "1,2,3"]);
    let committed = ["--committed", "a/hand-1/deck.txt"];
    let required = [&committed[..], &["--require", "accepted"]].concat();
    verify(&lab, &[&required[..], &["a/hand-1/seat-1.json"]].concat()).ends(0);
    let mut bundle = lab.json("a/hand-1/seat-1.json");
    // Third street to three seats: position 7 is the up card of seat 2. Under mix none a leaf is a dealt position.
    let leaf = bundle["leaves"][7].clone();
    let [card, salt] = ["card", "salt"].map(|key| leaf[key].as_str().expect("it is opened"));
    bundle["leaves"][7] = serde_json::json!({ "hash": leaf_of(&bundle, 7, card, salt) });
    lab.write("hides.json", bundle.to_string());
    let output = verify(&lab, &[&committed[..], &["hides.json"]].concat()).ends(0);
    let first = output.out.lines().next().unwrap_or_default();
    assert!(first.ends_with("; 1 card that lay face up is not opened in it."), "{output}");
    output.must_print("    - Cards that lay face up and are not opened");
    let output = verify(&lab, &[&required[..], &["hides.json"]].concat()).ends(2);
    output.must_warn("does not open 1 card that lay face up");
    // What holds the end of the hand was not all saved before it.
    let saved = ["--committed", "a/public/entries.txt", "a/hand-1/seat-1.json"];
    verify(&lab, &saved).ends(0);
    let output = verify(&lab, &[&["--require", "accepted"], &saved[..]].concat()).ends(2);
    output.must_warn("that holds the end of the hand too");
    // Nobody can compare it, by seat or by position.
    for seen in [format!("seat 2: {card} up"), format!("7={card}")] {
        let output = verify(&lab, &["--seen", &seen, "hides.json"]).ends(2);
        output.must_warn("only a file that opens them can show, such as the file of seat 2");
    }
}

/// A player sees the own down cards, and nobody can compare one that his file keeps closed.
#[test]
fn a_bundle_that_keeps_a_down_card_of_its_player_closed_is_not_accepted() {
    let lab = Lab::new();
    deal_known(&lab, "a", &["--seats", "1,2,3"]);
    // Third street to three seats: positions 0 and 3 are the first down cards of seat 1.
    let closing = |name: &str, places: &[usize]| {
        let mut closed = lab.json("a/hand-1/seat-1.json");
        for &place in places {
            let [card, salt] =
                ["card", "salt"].map(|key| closed["leaves"][place][key].as_str().expect("it is opened"));
            closed["leaves"][place] = serde_json::json!({ "hash": leaf_of(&closed, place, card, salt) });
        }
        lab.write(name, closed.to_string());
    };
    let judged = |file: &str, code: i32| {
        let output = verify(&lab, &["--committed", "a/hand-1/deck.txt", "--require", "accepted", file]);
        output.ends(code)
    };
    judged("a/hand-1/seat-1.json", 0).must_not_print("    - Down cards");
    closing("one.json", &[3]);
    let output = judged("one.json", 2);
    let first = output.out.lines().next().unwrap_or_default();
    assert!(first.ends_with("; 1 down card of seat 1 is not opened in it."), "{output}");
    output.must_print("    - Down cards of seat 1 that are not opened: 1.");
    output.must_warn("does not open 1 down card of a seat of which it opens others");
    // As for cards that lay face up, the file is not refused, and nobody else is asked to pay on it.
    verify(&lab, &["--committed", "a/hand-1/deck.txt", "one.json"]).ends(0);
    let json = verify(&lab, &["--json", "one.json"]).json();
    assert!(json["not_checked"].as_array().is_some_and(|all| all.contains(&"down cards".into())), "{json}");
    // A file without the down cards of any seat is for no player, as long as nobody says where he sat.
    let transcript = lab.json("a/hand-1/seat-1.json")["transcript"].as_str().expect("a text").to_owned();
    let down = transcript.lines().filter(|line| line.ends_with(" d") && line.split(' ').nth(1) == Some("1"));
    let down: Vec<usize> = down
        .map(|line| line.split(' ').next().and_then(|place| place.parse().ok()).expect("a place"))
        .collect();
    closing("none.json", &down);
    let output = judged("none.json", 0);
    output.must_print("    - Down cards: this file opens those of no seat.").must_not_print("of seat 1 that");
}

/// Who dealt a hand and disliked it can close it so.
#[test]
fn that_a_hand_was_closed_without_a_card_is_the_operators_word() {
    let lab = Lab::new();
    let name = "hand that was closed before a card was dealt";
    lab.write("undealt.json", vector(name).to_string());
    let output = verify(&lab, &["undealt.json"]).ends(0);
    let first = output.out.lines().next().unwrap_or_default();
    assert!(first.ends_with("; the hand was closed without a card."), "{output}");
    output.must_print("  Deal order     Not shown: the operator states that no card left the deck.");
    output.must_not_print("voided");
    let line = verify(&lab, &["--json", "undealt.json"]).json();
    assert_eq!(line["findings"]["deal_order"], "not shown");
    let claims = line["claims"].as_array().expect("a list");
    let order = claims.iter().find(|claim| claim["subject"] == "deal-order").expect("a claim");
    assert_eq!((&order["state"], &order["by"]), (&"claimed".into(), &"operator".into()));
}

/// A bundle is refused wherever it lies in a folder, and JSON that is none is not passed over by a script that pays.
#[test]
fn a_folder_is_judged_with_all_folders_in_it() {
    let lab = Lab::new();
    deal(&lab, "a", &["--hands", "1", "--seats", "1,2"]);
    let bundle = lab.text("a/hand-1/seat-1.json");
    lab.write("given/seat-1.json", &bundle);
    // What macOS leaves beside a file that it copies to a foreign disk.
    lab.write("given/._seat-1.json", [0, 5, 22, 7]);
    let judged = || verify(&lab, &["--committed", "a/hand-1/deck.txt", "--require", "accepted", "given"]);
    judged().ends(0);
    lab.write("given/other.json", "{\"format\": \"deckproof/v2 reveal\"}");
    judged().ends(2).must_warn("other.json");
    lab.write("given/From B/seats/SEAT-2.JSON", bundle.replacen("hand 1\\n", "hand 2\\n", 1));
    judged().ends(1).must_print("SEAT-2.JSON: refused");
}

/// Nobody signs a bundle, and whoever has one can write another: what the log has stays.
#[test]
fn a_forged_end_does_not_refuse_the_end_that_is_in_the_log() {
    let lab = Lab::new();
    lab.write("trust.json", VECTORS["trust"].to_string());
    let logged = |bundle: &&Value| {
        let has_history = bundle["close_entry"].as_str().is_some_and(|text| text.contains("\nhistory "));
        bundle["proofs"]["close"].is_string() && !has_history
    };
    let mut bundles = cases(&VECTORS["positive"], 1).iter().map(|case| &case["bundle"]);
    let honest = bundles.find(logged).expect("a proof of the end");
    let mut forged = honest.clone();
    forged.as_object_mut().expect("an object").shift_remove("proofs");
    let end = honest["close_entry"].as_str().expect("a text");
    forged["close_entry"] = format!("{end}history {}\n", "0".repeat(64)).into();
    lab.write("honest.json", honest.to_string());
    lab.write("forged.json", forged.to_string());
    let judged = |more: &[&str]| {
        let output = verify(&lab, &[&["--json"][..], more].concat());
        let lines =
            json_lines(&output).into_iter().map(|line| (line["verdict"].clone(), line["code"].clone()));
        (output.code, lines.collect::<Vec<_>>())
    };
    let trusted = ["--trust", "trust.json"];
    let alone = judged(&[&trusted[..], &["honest.json"]].concat()).1[0].clone();
    assert_eq!(alone.1, Value::Null);
    let different = (Value::from("refused"), Value::from("E_DIFFERENT"));
    let both = ["honest.json", "forged.json"];
    assert_eq!(judged(&[trusted, both].concat()), (1, vec![alone.clone(), different.clone()]));
    assert_eq!(judged(&[trusted, [both[1], both[0]]].concat()), (1, vec![different.clone(), alone]));
    let output = verify(&lab, &[trusted, both].concat());
    output.must_print("forged.json tells this hand otherwise. Nobody signs a bundle");
    // Without the trust file nothing shows which of them is true.
    assert_eq!(judged(&both), (1, vec![different.clone(), different]));
}

#[test]
fn cards_are_told_and_asked_for_in_the_words_of_a_player() {
    let lab = Lab::new();
    // The public test key: As 3d 7c 7h 5h Qc Tc Jh Qs Th 6h Ac … to the seats 4, 6 and 2 in turn.
    deal_known(&lab, "a", &["--seats", "4,6,2"]);
    let bundle = "a/hand-1/seat-4.json";
    let output = verify(&lab, &[bundle]);
    output.must_print("seat 4, third street, down: As 7h, up: Tc; fourth street, up: Th");
    output.must_print("seat 6, third street, up: Jh; fourth street, up: 6h");
    let seen = |cards: &str, code: i32| {
        let output = verify(&lab, &["--json", "--seen", cards, bundle]);
        assert_eq!(output.code, code, "{cards}: {output}");
        output
    };
    let output = seen("seat 4: 7h As down, Tc Th up; seat 6: Jh up", 0);
    let line = output.json();
    assert_eq!(line["findings"]["seen_cards"], 5);
    assert_eq!(line["seen"]["3"], serde_json::json!([4, 3, "d"]));
    for wrong in ["seat 4: 7h up", "seat 6: As down", "seat 4: 2c down"] {
        assert_eq!(codes(&seen(wrong, 1)), ["E_SEEN"], "{wrong}");
    }
    assert!(seen("seat 4: 7h up", 1).out.contains("has it at this seat down"));
    let nobody = seen("seat 8: As down", 2);
    nobody.must_warn("nobody was dealt a card there, only at the seats 2, 4, 6");
    // The file of seat 4 opens no card that seat 6 had face down: it may have been this one.
    seen("seat 6: 2c down", 2).must_warn("does not open every card that lay down there");
    for unclear in
        ["seat 4", "seat 9: As down", "seat 4: As", "seat 4: down", "seat 4: Ax down", "4: As down"]
    {
        seen(unclear, 2);
    }
}

#[test]
fn a_burned_card_that_comes_back_is_said() {
    let lab = Lab::new();
    let seats = "2,3,4,5,6,7,8";
    deal_known(&lab, "a", &["--rules", "espacejeux", "--seats", seats]);
    let output = verify(&lab, &["a/hand-1/full-reveal.json"]).ends(0);
    // Seven seats use 45 cards with three burns; seven for seven and a burn are too few, and a pool of ten
    // holds three burned ones, of which some come back here.
    output.must_print("had been burned on").must_print("shuffled in again");
    deal_known(&lab, "b", &["--rules", "espacejeux", "--seats", "1,2,3"]);
    verify(&lab, &["b/hand-1/full-reveal.json"]).must_not_print("had been burned");
}

#[test]
fn foreign_and_broken_files_are_no_refusals() {
    let lab = Lab::new();
    deal(&lab, "a", &["--hands", "1", "--seats", "1,2", "--play", "random"]);
    let whole = lab.read("a/hand-1/seat-1.json");

    let check = |file: &str, words: &str| {
        verify(&lab, &[file]).refused().must_warn(words);
        // A script that reads JSON gets one object a file, also of one that nobody could judge.
        let line = verify(&lab, &["--json", file]).ends(2).json();
        check_valid("verify", &line);
        assert_eq!((&line["verdict"], &line["code"]), (&Value::Null, &Value::Null), "{file}");
        assert!(line["message"].as_str().is_some_and(|message| message.contains(words)), "{file}: {line}");
    };
    for (name, bytes, words) in [
        ("empty", &b""[..], "empty"),
        ("page", b"<!DOCTYPE html>\n<title>Your hand</title>\n", "web page"),
        ("cut", &whole[..whole.len() / 2], "cut off"),
        ("binary", &[0xff; 100], "neither"),
    ] {
        lab.write(name, bytes);
        check(name, words);
    }
    check("a/hand-1/history.phh", "deckproof replay");
    check("a/hand-1/deck.txt", "--committed");
    check("a/hand-1/transcript.txt", "transcript");
}

#[test]
fn a_receipt_saved_before_the_hand_is_proof_and_one_of_another_deck_gives_no_verdict() {
    let lab = Lab::new();
    let bundles = || cases(&VECTORS["positive"], 1).iter().map(|case| &case["bundle"]);
    let logged: Vec<&Value> = bundles().filter(|bundle| bundle["proofs"]["deck"].is_string()).collect();
    let without_proofs = |bundle: &Value| {
        let mut bare = bundle.clone();
        bare.as_object_mut().expect("an object").shift_remove("proofs");
        bare.to_string()
    };
    let write = |name: &str, text: &str| {
        lab.write(name, text);
        name.to_owned()
    };
    let trust = write("trust.json", &VECTORS["trust"].to_string());
    let own = logged[0]["proofs"]["deck"].as_str().expect("a proof");
    let other =
        logged.iter().find(|bundle| bundle["deck_entry"] != logged[0]["deck_entry"]).expect("another hand");
    let own = write("own.receipt", own);
    let other = write("other.receipt", other["proofs"]["deck"].as_str().expect("a proof"));
    let bare = write("bundle.json", &without_proofs(logged[0]));
    let verdict = |more: &[&str]| {
        let output = verify(&lab, &[&["--json", "--trust", &trust][..], more, &[&bare]].concat());
        let line = output.json();
        (output.code, line["verdict"].clone(), line["code"].clone())
    };
    assert_eq!(verdict(&[]), (2, "consistent".into(), Value::Null));
    // The end of the hand is not proven, so that it may be in the tree of the receipt.
    assert_eq!(verdict(&["--receipt", &own]), (2, "consistent".into(), Value::Null));
    // A receipt does not say of which hand it is: the player may have taken the one beside it, and all of them are no better.
    let nothing = (2, Value::Null, Value::Null);
    assert_eq!(verdict(&["--receipt", &other]), nothing);
    assert_eq!(verdict(&["--receipt", &own, "--receipt", &other]), nothing);
    let forged = lab.text(&own).replacen("index ", "index 1", 1);
    let forged = write("forged.receipt", &forged);
    assert_eq!(verdict(&["--receipt", &forged]), nothing);
    // It is named with its place in the log, which says whose it is, and with all that would explain it.
    let output = verify(&lab, &["--trust", &trust, "--receipt", &own, "--receipt", &other, &bare]).ends(2);
    output.must_warn("the receipt other.receipt proves no entry of hand 1 at table T-0042");
    output.must_warn("It is of another hand, it was altered when it was saved, or another entry was logged for this hand: entry ");
    let longer = write("longer.receipt", &(lab.text(&own) + "x\n"));
    let output = verify(&lab, &["--trust", &trust, "--receipt", &longer, &bare]).ends(2);
    output.must_warn("that says nothing of this hand");
    // Beside bundles of several hands, one that fits none of them is named.
    let mut entries: Vec<&Value> = Vec::new();
    let others = bundles().filter(|bundle| {
        let is_new =
            bundle["deck_entry"] != logged[0]["deck_entry"] && !entries.contains(&&bundle["deck_entry"]);
        entries.push(&bundle["deck_entry"]);
        is_new
    });
    let others: Vec<String> = others
        .take(2)
        .enumerate()
        .map(|(number, bundle)| write(&format!("other-{number}.json"), &without_proofs(bundle)))
        .collect();
    let output = verify(&lab, &["--trust", &trust, "--receipt", &own, &others[0], &others[1]]).ends(2);
    output.must_warn("own.receipt gives fits none of the files");
    let output = verify(&lab, &["--trust", &trust, "--receipt", &own, &bare, &others[1]]);
    output.must_not_warn("fits none of the files");
    assert_eq!(verify(&lab, &["--receipt", &own, &bare]).code, 2, "without a trust file no key is known");
    assert_eq!(verify(&lab, &["--trust", &trust, "--receipt", &bare, &bare]).code, 2, "no receipt");
    // With the proof of its end: the tree of the receipt of its deck ends before it, that of its opening holds it, for it was
    // made after the hand.
    let mut ended = logged[0].clone();
    let proofs = ended["proofs"].as_object_mut().expect("an object");
    let late = write("late.receipt", proofs["open"].as_str().expect("a proof"));
    proofs.retain(|kind, _| kind == "close");
    let ended = write("ended.json", &ended.to_string());
    verify(&lab, &["--trust", &trust, "--receipt", &own, &ended]).ends(0).must_print(": accepted");
    let output = verify(&lab, &["--trust", &trust, "--receipt", &late, &ended]);
    let first = output.out.lines().next().unwrap_or_default();
    let wanted = "the receipt you gave was made when the end of the hand was in the log already.";
    assert!(output.code == 2 && first.ends_with(wanted), "{first}");
}
