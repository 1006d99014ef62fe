//! What is said in few words is still the whole of it: how many of how many, how numbers were taken, what was found.

use std::path::Path;

use serde_json::Value;

use crate::common::lab::{KEY, Lab, card_line, deck, index_line, lines, one_twice};

#[test]
fn one_line_says_how_many_of_how_many_and_how_numbers_were_taken() {
    let lab = Lab::new();
    lab.write("decks.txt", lines(1..=1_200));
    let quiet = ["audit", "--quiet", "--tiers", "core", "--source"];
    let output = lab.run(&[&quiet[..], &["decks.txt", "--decks", "1000", "--out", "1"]].concat());
    output.must_print("1,000 of 1,200 records, number 1 to 1,000; the rest was not looked at");
    output.must_print(" Numbers: taken as 4·rank + suit (2c 2d 2h 2s 3c … As).\n");
    assert_eq!((output.code, output.out.lines().count()), (0, 1), "{output}");
    let piped = [&quiet[..], &["-", "--decks", "1000", "--out", "2"]].concat();
    let output = lab.run_with(&piped, lines(1..=1_200).as_bytes()).ends(0);
    output.must_print(
        " Decks: 1,000, the first of the stream; what may follow them was not looked at. Numbers: taken as ",
    );
    // Cardsname themselves.
    lab.write("cards.txt", (1..=1_000).map(|n| card_line(&deck(n))).collect::<String>());
    let output = lab.run(&[&quiet[..], &["cards.txt", "--out", "3"]].concat()).ends(0);
    output.must_not_print("Numbers");
    assert!(!output.prints(" Decks: "), "the source says how many records: {output}");
}

/// What of an export explains a proof as well is in the one line, of the audit and of its certificate.
#[test]
fn one_line_says_what_of_an_export_explains_a_proof() {
    let lab = Lab::new();
    lab.write("twice.txt", lines(1..=1_000) + &lines(1..=3));
    let no_deck = lines(1..=700) + &index_line(&one_twice()) + &lines(701..=1_000);
    lab.write("record.txt", no_deck);
    let record = " If the export cut or changed that record, it is no fault of the shuffler.";
    let twice = " Equal decks prove nothing if they are one hand that the export holds twice.";
    let unless = " unless the equal decks are one hand that the export holds twice, which no column of ids excludes here.";
    for (file, slip, of_certificate) in [("twice.txt", unless, twice), ("record.txt", record, record)] {
        lab.run(&["audit", "--quiet", "--tiers", "core", file, "--out", &file[..4]]).ends(1).must_print(slip);
        let certificate = format!("{}/certificate.json", &file[..4]);
        lab.run(&["verify", "--quiet", &certificate]).ends(1).must_print(of_certificate);
        lab.run(&["verify", &certificate]).ends(1).must_print(slip);
    }
}

#[test]
fn a_plan_names_the_dealers_that_it_does_not_catch() {
    let lab = Lab::new();
    let plan = |decks: &str| {
        let json = lab.run(&["plan", "--decks", decks, "--json"]).json();
        let shown = json["limits"]["flawed_dealers_shown"].as_array().expect("a list").len();
        let sentences = json["limits"]["sentences"].as_array().expect("a list");
        (shown, sentences.last().and_then(Value::as_str).expect("a sentence").to_owned())
    };
    // The committed measurement, read without the program.
    let table: Value =
        serde_json::from_str(include_str!("../../crates/audit/src/power/default.json")).expect("JSON");
    let rows = table["rows"].as_array().expect("rows").iter();
    let faulty: Vec<&Value> = rows.filter(|row| row["expected"] != "a control that must pass").collect();
    let is_caught_by = |row: &Value, decks: u64| {
        let needed = row["decks"].as_array().and_then(|all| all.last()?.as_u64());
        needed.is_some_and(|own| own <= decks)
    };
    for (text, decks) in [("1e4", 10_000), ("1e6", 1_000_000)] {
        let (shown, sentence) = plan(text);
        let caught = faulty.iter().filter(|row| is_caught_by(row, decks)).count();
        assert_eq!(shown, caught, "{text}");
        let never = faulty.iter().filter(|row| !is_caught_by(row, u64::MAX)).count();
        let later = faulty.len() - caught - never;
        let by_more = format!(" Not shown by so many, but by more: {later}");
        assert_eq!(sentence.contains(&by_more), later > 0, "{sentence}");
        assert!(sentence.contains(&format!("any number tried, up to 1,000,000: {never}")), "{sentence}");
        // More than a sentence can name are counted.
        let missed = sentence.split("Not shown").skip(1).collect::<String>();
        let is_named = |row: &Value| if is_caught_by(row, u64::MAX) { later <= 16 } else { never <= 16 };
        for row in faulty.iter().filter(|row| !is_caught_by(row, decks)) {
            let name = row["dealer"].as_str().expect("a name");
            let is_there = missed.split([' ', '(', ')', ',']).any(|word| word == name);
            assert_eq!(is_there, is_named(row), "{name}: {sentence}");
        }
    }
}

#[test]
fn a_folder_of_bundles_or_certificates_is_judged_file_by_file() {
    let lab = Lab::new();
    lab.run(&["deal", "--table", "T-1", "--hands", "11", "--seats", "1,2", "--out", "table"]).ends(0);
    lab.run(&["bundle", "table", "--hand", "1-11", "--seat", "1"]).ends(0);
    let verify = |more: &[&str]| lab.run(&[&["verify"], more].concat());
    let output = verify(&["table"]).ends(0);
    output.must_print("11 files, 11 hands: 11 consistent with themselves.\n");
    let hands: Vec<String> =
        output.out.lines().map(|line| line.split('/').nth(1).unwrap_or_default().to_owned()).collect();
    assert_eq!((&*hands[1], &*hands[10]), ("hand-2", "hand-11"), "{output}");
    let output = verify(&["table/hand-3"]).ends(0);
    output.must_print("table/hand-3/seat-1.json: consistent with itself").must_print("Permutation");
    // Statements are about one hand; what is damaged is no less there; JSON of other kinds is left alone.
    let output = verify(&["table", "--seen", "0=7h"]).ends(2);
    output.must_warn("found 11 files in it; --seen and --my-seed");
    lab.write("table/hand-3/notes.json", "{\"format\": \"notes\"}");
    let output = verify(&["table"]).ends(0);
    output.must_print("11 files");
    let wanted = "not judged, for it is neither a bundle nor a certificate: table/hand-3/notes.json\n";
    assert!(output.err.ends_with(wanted), "{output}");
    // A bundle that was made to look like something else is not passed over in silence either.
    let (file, sound) = ("table/hand-4/seat-1.json", lab.text("table/hand-4/seat-1.json"));
    lab.write(file, sound.replace("\"deck_entry\"", "\"deck\""));
    verify(&["table", "--quiet"]).ends(0).must_warn("notes.json, table/hand-4/seat-1.json");
    lab.write(file, sound);
    lab.write("table/hand-3/torn.json", "{\"format\": \"deckproof/v1 rev");
    let judged = "12 files, 11 hands: 11 consistent with themselves, 1 not judged.";
    verify(&["table"]).ends(2).must_print(judged);
    lab.write("table/hand-3/torn.json", "{\"format\": \"deckproof/v1 reveal\", \"deck_entry\": \"\"}");
    verify(&["table"]).ends(1).must_print("1 refused");
    // The folder of an audit.
    let audit = format!("audit:{KEY}");
    lab.run(&["audit", "--source", &audit, "--decks", "1000", "--tiers", "core", "--out", "a"]).ends(0);
    verify(&["a"]).ends(0).must_print("a/certificate.json: verdict PASS; the certificate is consistent");
    // A folder of neither says what is wanted.
    lab.shell("mkdir other");
    verify(&["other"]).ends(2).must_warn("or a folder with bundles or certificates (.json)");
}

#[test]
fn one_of_something_is_not_several() {
    let lab = Lab::new();
    lab.run(&["deal", "--table", "T-1", "--hands", "1", "--seats", "1,2", "--out", "table"]).ends(0);
    lab.run(&["bundle", "table", "--hand", "1", "--seat", "1"]).ends(0);
    lab.write("none.json", "");
    for (language, totals) in [
        ("en", "2 files, 1 hand: 1 consistent with themselves, 1 not judged."),
        ("fr", "Fichiers\u{a0}: 2, mains\u{a0}: 1 ("),
    ] {
        let words = ["verify", "--language", language, "table/hand-1/seat-1.json", "none.json"];
        lab.run(&words).ends(2).must_print(totals);
    }
    lab.write(
        "daily.toml",
        format!("name = \"T\"\nsource = \"audit:{KEY}\"\ndecks = 1000\nfolder = \"days\"\ntiers = \"core\"\nfresh_decks = 0\n"),
    );
    lab.run(&["daily", "--config", "daily.toml"]).must_not_print("1 in 1 ").must_not_print("is 1 in 1,");
    lab.run(&["history", "days", "--verify"]).ends(0).must_print("sound: 1 row, each with the hash");
    lab.run(&["history", "days", "--html", "page.html"]).ends(0).must_print("page.html: 1 day.\n");
}

#[test]
fn a_table_that_goes_on_with_others_says_so() {
    let lab = Lab::new();
    let base = ["deal", "--table", "T-1", "--hands", "1", "--out", "t"];
    let deal = |more: &[&str]| lab.run(&[&base, more].concat()).ends(0);
    assert_eq!(deal(&["--seats", "1,2,3"]).err, "");
    let changed = "the last hand of this table was opened for the seats 1,2,3 by stud-hi; the hands that come are for the seats";
    // Nobody said otherwise, and nothing of a hand that was not played tells who sat there.
    deal(&["--continue"]).must_warn(&format!("{changed} 1,2,3,4,5,6 by stud-hi"));
    deal(&["--continue", "--seats", "4,5"])
        .must_warn("seats 1,2,3,4,5,6 by stud-hi; the hands that come are for the seats 4,5 ");
    assert_eq!(deal(&["--continue", "--seats", "5,4"]).err, "", "the dealer moved");
    deal(&["--continue", "--seats", "4,5", "--rules", "stud-8b"]).must_warn("for the seats 4,5 by stud-8b");
}

#[test]
fn an_option_that_cannot_be_read_is_told_with_what_was_found() {
    let lab = Lab::new();
    let deal = ["deal", "--table", "T", "--hands", "1", "--out", "t", "--seats"];
    for (seats, found) in [("1,x", "found \"x\", which is no seat 1 to 8"), ("1,2,9", "found \"9\"")] {
        lab.run(&[&deal[..], &[seats]].concat()).ends(2).must_warn("--seats: ").must_warn(found);
    }
    let log = |more: &[&str]| lab.run(&[&["log"], more].concat()).ends(2);
    log(&["init", "l", "--origin", "NO", "--key", "k"]).must_warn("--origin: found \"NO\", wanted");
    log(&["cosign", "--init", "a b", "--key", "k"]).must_warn("--init: found \"a b\", wanted");
    let bundle =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/samples/seat-4.json").display().to_string();
    for (seen, found) in [
        (
            "seat 4 7h",
            "found \"seat 4 7h\", where \"seat 4 7h\" has no colon behind the seat; wanted cards such as",
        ),
        ("7h", "found \"7h\", wanted cards such as"),
        ("52=7h", "found \"52\", wanted a dealt position 0 to 51"),
    ] {
        lab.run(&["verify", &bundle, "--seen", seen]).ends(2).must_warn("--seen: ").must_warn(found);
    }
    lab.write("decks.txt", lines(1..=1_000));
    for (line, found) in [
        ("fresh_decks = \"many\"", "line 5: fresh_decks: found \"many\", wanted a number"),
        ("language = \"xx\"", "line 5: language: found \"xx\", wanted en or fr"),
        (
            "keep_certificates_days = 0",
            "line 5: keep_certificates_days: found \"0\", wanted a number of days above 0",
        ),
    ] {
        lab.write(
            "daily.toml",
            format!("name = \"T\"\nsource = \"decks.txt\"\nfolder = \"days\"\ntiers = \"core\"\n{line}\n"),
        );
        lab.run(&["daily", "--config", "daily.toml", "--check-config"]).ends(2).must_warn(found);
    }
}
