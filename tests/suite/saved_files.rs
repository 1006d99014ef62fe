//! What a player saved and stated: the rows of the vectors, another day of a table, and files as other programs save them.

use serde_json::Value;

use crate::common::lab::{Lab, json_lines};
use crate::common::vectors::{VECTORS, cases, text, vector};
use crate::player_check::{deal, verify};

/// What was saved and stated, row by row of the vectors. Digits in which 48 of a hash are found were copied wrongly, or made alike.
/// They hide no contradiction beside them. A seed is compared with its commitment where the hand was voided before its cut.
#[test]
fn what_was_saved_and_stated_is_judged_as_the_vectors_say() {
    let lab = Lab::new();
    let [saved, positive] = ["saved", "positive"].map(|name| VECTORS[name].as_array().expect("a list"));
    assert!(saved.len() >= 115);
    let mut wrong: Vec<String> = Vec::new();
    for case in saved {
        let named = |name: &Value| positive.iter().find(|own| own["name"] == *name).map(|own| &own["bundle"]);
        let own = named(&case["bundle"]).expect("a bundle");
        lab.write("bundle.json", own.to_string());
        let mut given: Vec<String> = Vec::new();
        if let Some(beside) = named(&case["beside"]) {
            lab.write("beside.json", beside.to_string());
            given.push("beside.json".to_owned());
        }
        let digits = case["also"]
            .as_array()
            .into_iter()
            .flatten()
            .chain(case["digits"].as_str().map(|_| &case["digits"]));
        for digits in digits {
            given.extend(["--committed".to_owned(), text(digits).to_owned()]);
        }
        for (number, saved) in case["texts"].as_array().into_iter().flatten().enumerate() {
            lab.write(&format!("saved-{number}"), text(saved));
            given.extend(["--committed".to_owned(), format!("saved-{number}")]);
        }
        if let Some(opened) = case.get("opened") {
            lab.write("opened.txt", opened.as_str().unwrap_or(text(&own["open_entry"])));
            given.extend(["--opened".to_owned(), "opened.txt".to_owned()]);
        }
        if let Some(seed) = case["my_seed"].as_object() {
            given.extend(["--my-seed".to_owned(), format!("{}:{}", seed["seat"], text(&seed["seed"]))]);
        }
        let given: Vec<&str> = given.iter().map(|one| &one[..]).collect();
        let output = verify(&lab, &[&["--json", "bundle.json"][..], &given].concat());
        if case["verdict"].is_null() {
            let reasons = [
                "it was not judged, for what --my-seed states ",
                " of the 64 digits that you gave differ from ",
                " are found in those that you gave",
                " gives names another hand than this one",
                " nothing tells of which hand that is. It is of another hand, it was changed ",
                "these may be of two days or two programs",
                " are a hash of another text that you gave",
                "it was not judged, for 64 digits that you gave are ",
            ];
            let is_judged = json_lines(&output).iter().any(|line| !line["verdict"].is_null());
            if output.code != 2 || is_judged || !reasons.iter().any(|words| output.warns(words)) {
                wrong.push(format!("{}: {output}", case["name"]));
            }
            continue;
        }
        let line = json_lines(&output).into_iter().next().unwrap_or_default();
        if [&line["verdict"], &line["code"]] != [&case["verdict"], &case["code"]] {
            wrong.push(format!("{}: {output}", case["name"]));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// What players hand in as a bundle: files of other kinds, of other versions, and as other programs pass them on.
#[test]
fn what_is_handed_in_is_judged_as_the_vectors_say() {
    let lab = Lab::new();
    let mut wrong: Vec<String> = Vec::new();
    for case in cases(&VECTORS["input"], 13) {
        let is_own_trust = case["trust"].is_object();
        lab.write("trust.json", if is_own_trust { &case["trust"] } else { &VECTORS["trust"] }.to_string());
        let body = match (case["text"].as_str(), case["of"].as_str()) {
            (Some(own), _) => own.to_owned(),
            (None, of) => {
                let mut bundle = vector(of.expect("a bundle")).clone();
                for (key, value) in case["put"].as_object().into_iter().flatten() {
                    bundle[key] = value.clone();
                }
                bundle.to_string()
            }
        };
        let around = |side: &str| case[side].as_str().unwrap_or_default().to_owned();
        lab.write("bundle.json", around("before") + &body + &around("after"));
        let trust: &[&str] =
            if is_own_trust || case["trust"] == true { &["--trust", "trust.json"] } else { &[] };
        let output = verify(&lab, &[&["--json", "bundle.json"][..], trust].concat());
        let line = json_lines(&output).into_iter().next().unwrap_or_default();
        let is_judged = !case["verdict"].is_null();
        let is_code_right = is_judged || output.code == 2;
        if [&line["verdict"], &line["code"]] != [&case["verdict"], &case["code"]] || !is_code_right {
            wrong.push(format!("{}: {output}", case["name"]));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// A table without a log counts its hands from 1 every day: who takes the file of the wrong day convicts nobody.
#[test]
fn what_is_of_another_day_of_a_table_without_a_log_gives_no_verdict() {
    let lab = Lab::new();
    for day in ["monday", "tuesday"] {
        deal(&lab, day, &["--hands", "1", "--seats", "1,2"]);
    }
    let (bundle, other) = ("tuesday/hand-1/seat-1.json", "monday/hand-1/seat-2.json");
    let two_days =
        "without a log, or for a trial, are all of localhost: these may be of two days or two programs";
    let output = verify(&lab, &["--committed", "monday/hand-1/deck.txt", bundle]).ends(2);
    output
        .must_warn(two_days)
        .must_warn("it was not judged, for its deck root is ")
        .must_not_print("refused");
    verify(&lab, &["--committed", "monday/hand-1/open.txt", bundle]).ends(2).must_warn("is of another hand");
    let output = verify(&lab, &[bundle, other]).ends(2);
    output
        .must_warn(two_days)
        .must_warn(&format!("{bundle}: it was not judged beside {other}"))
        .must_not_print("E_DIFFERENT");
    // Its digits say no more than the file.
    let root = lab.text("monday/hand-1/deck.txt").trim_end().rsplit(' ').next().expect("a root").to_owned();
    verify(&lab, &["--committed", &root, bundle]).ends(2).must_warn(two_days).must_warn(&root);
    verify(&lab, &["--committed", "tuesday/hand-1/deck.txt", bundle]).ends(0).must_print("accepted");
}

/// What a shell prints and what a hand copies mean what they say.
#[test]
fn digits_are_taken_as_they_are_copied_and_printed() {
    let lab = Lab::new();
    deal(&lab, "a", &["--hands", "1", "--seats", "1,2"]);
    let (bundle, deck) = ("a/hand-1/seat-1.json", lab.text("a/hand-1/deck.txt"));
    let line = deck.trim_end().lines().last().expect("a root").to_owned();
    let root = line.trim_start_matches("deck ").to_owned();
    // coreutils prints the digits, two blanks or a blank and an asterisk, and the name.
    let shell = deckproof::commitment::digest::Digest::of(&deck).to_string();
    lab.write("sum.txt", format!("{shell}  a/hand-1/deck.txt\n"));
    lab.write("binary.txt", format!("{shell} *a/hand-1/deck.txt\n"));
    lab.write("no-line-feed.txt", deck.trim_end());
    let capitals = format!(" {} ", root.to_uppercase());
    // As a screen breaks them and a program of Windows saves them.
    let groups: Vec<&str> =
        root.as_bytes().chunks(16).map(|line| std::str::from_utf8(line).expect("digits")).collect();
    lab.write("lines.txt", format!("\u{feff}{}\r\n", groups.join("\r\n")));
    let signed = format!("0x{}", groups.join(":"));
    for saved in ["sum.txt", "binary.txt", "no-line-feed.txt", "lines.txt", &capitals, &line, &signed] {
        verify(&lab, &["--committed", saved, bundle])
            .ends(0)
            .must_print("accepted, if you saved its commitment");
    }
    // As notes and mails have them: nothing else can be meant.
    let note = [
        format!("{shell} deck.txt"),
        format!("> Deck root: {root}.\n> Good luck\n"),
        format!("{root}\r\n{}\r\n", root.to_uppercase()),
    ];
    for note in note {
        lab.write("note.txt", &note);
        verify(&lab, &["--committed", "note.txt", bundle]).ends(0).must_print("accepted");
    }
    // Two sums are no digits of one text, nor are some beside part of others, or of an entry that was altered.
    let altered = deck.replace("\ntable ", "\ntable  ");
    for other in
        [format!("{shell}\n{root}\n"), format!("{shell}x"), format!("{shell} {}", &root[..16]), altered]
    {
        lab.write("other.txt", other);
        verify(&lab, &["--committed", "other.txt", bundle]).ends(2);
    }
}

/// Entries, receipts and bundles as mails and programs of Windows pass them on are read as they were.
#[test]
fn what_another_program_passed_on_is_read_as_it_was() {
    let lab = Lab::new();
    let mut bundle = vector("full reveal: none, stud-hi").clone();
    let proof = text(&bundle["proofs"]["deck"]).to_owned();
    bundle["proofs"].as_object_mut().expect("proofs").retain(|kind, _| kind == "close");
    let (whole, deck) = (bundle.to_string(), text(&bundle["deck_entry"]).to_owned());
    lab.write("trust.json", VECTORS["trust"].to_string());
    let quoted = |own: &str| format!("> {}\n", own.replace('\n', "\n> "));
    let windows = |own: &str| format!("\u{feff}{}", own.replace('\n', "\r\n"));
    for deck in [quoted(&deck), windows(&deck), windows(&quoted(&deck)), deck.trim_end().to_owned()] {
        lab.write("deck.txt", &deck);
        lab.write("bundle.json", &whole);
        let output = verify(&lab, &["--committed", "deck.txt", "bundle.json"]).ends(0);
        output.must_print(": accepted, if you saved its commitment");
    }
    for receipt in [quoted(&proof), windows(&proof), proof.trim_end().to_owned(), format!("\n{proof}\n\n")] {
        lab.write("receipt", &receipt);
        let given = ["--trust", "trust.json", "--receipt", "receipt", "bundle.json"];
        verify(&lab, &given).ends(0).must_print(": accepted");
    }
    for bundle in [quoted(&whole), windows(&whole), format!("{whole}\n-- \nSent from a telephone\n")] {
        lab.write("bundle.json", &bundle);
        verify(&lab, &["--committed", "deck.txt", "bundle.json"]).ends(0).must_print(": accepted");
    }
}

/// A program of Windows adds a byte order mark and carriage returns. Nothing else in a receipt or a trust file changes by them.
#[test]
fn a_receipt_and_a_trust_file_of_windows_count_as_they_were() {
    let lab = Lab::new();
    let mut bundle = vector("full reveal: none, stud-hi").clone();
    let proof = text(&bundle["proofs"]["deck"]).to_owned();
    bundle["proofs"].as_object_mut().expect("proofs").retain(|kind, _| kind == "close");
    lab.write("bundle.json", bundle.to_string());
    let trust = serde_json::to_string_pretty(&VECTORS["trust"]).expect("JSON");
    let judge = |receipt: &str, trust: &str| {
        lab.write("receipt", receipt);
        lab.write("trust.json", trust);
        verify(&lab, &["--trust", "trust.json", "--receipt", "receipt", "bundle.json"]).ends(0).out
    };
    let windows = |text: &str| format!("\u{feff}{}", text.replace('\n', "\r\n"));
    let wanted = judge(&proof, &trust);
    assert!(wanted.contains(": accepted"), "{wanted}");
    assert_eq!([judge(&windows(&proof), &trust), judge(&proof, &windows(&trust))], [wanted.clone(), wanted]);
    // One carriage return more is another text, and signed by nobody.
    lab.write("receipt", proof.replacen("\n\n", "\n\n\r", 1));
    verify(&lab, &["--trust", "trust.json", "--receipt", "receipt", "bundle.json"]).ends(2);
}

#[test]
fn a_quorum_that_is_never_met_is_named() {
    let lab = Lab::new();
    lab.write("bundle.json", vector("full reveal: none, stud-hi").to_string());
    let mut trust = VECTORS["trust"].clone();
    let witnesses = trust["witness"].as_array().expect("keys").len();
    for (quorum, is_named) in [(0, true), (1, false), (witnesses, false), (witnesses + 1, true)] {
        trust["quorum"] = quorum.into();
        lab.write("trust.json", trust.to_string());
        let output = verify(&lab, &["--trust", "trust.json", "bundle.json"]);
        let names = output.warns(&format!(
            "trust.json has a quorum of {quorum} and {witnesses} witnesses: it is never met"
        ));
        assert_eq!((names, output.code == 2), (is_named, is_named), "{quorum}: {output}");
    }
}

/// JSON escapes by itself: the name in it is that of the file.
#[test]
fn json_names_a_file_as_it_is_called() {
    let lab = Lab::new();
    let name = "a\u{1b}[31m.json";
    lab.write(name, "{}");
    lab.write("b.json", "{}");
    let output = verify(&lab, &["--json", name, "b.json"]).ends(2);
    assert_eq!(json_lines(&output)[0]["file"], name);
    output.must_not_print("\u{1b}").must_not_warn("\u{1b}");
}
