//! The checklist of a reader who knows ISO/IEC 17025: each letter of 7.8.2.1 can be found in the report, filled in or clearly
//! empty, and each requirement R1 to R24 is answered with evidence or says what it would take.

use std::fs;

use deckproof::certificate::Certificate;
use deckproof::project::facts::rows::{RowStatus, rows as requirement_rows};
use deckproof::project::facts::{Conformance, Facts};
use serde_json::Value;

use crate::common::lab::{KEY, Lab, sha256};
use crate::common::package::{
    self, certify, inputs, lab, package_of, project, replace, report, rows, section, with_sums,
};
use crate::supplied::{BOTH, supplied};

/// A project whose every field that only people know is filled in.
const PEOPLE: &str = "jurisdictions = [\"Québec\"]\n[report]\nnumber = \"T-2\"\nreceived = \"2024-11-01\"\nsampled_from = \"2024-11-02\"\n\
     performed_from = \"2024-11-03\"\nissued = \"2024-11-22\"\n[laboratory]\nname = \"A laboratory\"\naddress = \"1 Street\"\nlocations = \
     [\"Room 7\"]\n[customer]\nname = \"A customer\"\ncontact = \"a@example.org\"\n[sampling]\nby = \"laboratory\"\nmethod = \"drawn by \
     the program\"\n[[person]]\nrole = \"authoriser\"\nname = \"A. Smith\"\n[[item]]\nid = \"main\"\nname = \"Shuffler\"\ncondition = \
     \"as received\"\ndescription = \"Fisher–Yates\"\n";

/// The package of a project, certified.
fn certified(text: &str) -> (Lab, Value, String) {
    let lab = lab(text);
    let output = certify(&lab, &["--out", "out", "--quiet"]);
    // What people left empty is no report yet.
    let code = if text.contains("[customer]") { 0 } else { 2 };
    assert_eq!(output.code, code, "{output}");
    let (report, html) = (report(&lab, "out"), lab.text("out/report.html"));
    (lab, report, html)
}

/// A project of which people said little.
fn small() -> String {
    let whole = project(&format!("audit:{KEY}"), 1_000);
    let item = "name = \"A shuffler\"\ncondition = \"As received.\"\ndescription = \"It shuffles.\"\n";
    whole.replacen(&package::filled(), "[laboratory]\nname = \"A laboratory\"\n", 1).replacen(item, "", 1)
}

fn filled() -> String {
    let small = small();
    let (head, rest) = small.split_once("[report]").expect("it has a report");
    let (_, rest) = rest.split_once("[[item]]\nid = \"main\"\n").expect("it has an item");
    format!("{head}{PEOPLE}{rest}")
}

/// Checks that every letter is there once, in order, that the places it names are titles of this report, and its state.
fn check_letters(report: &Value, html: &str, wanted: [&str; 16]) {
    let rows = rows(report, "iso-17025");
    assert_eq!(rows.len(), 16);
    let sections = report["document"]["sections"].as_array().expect("sections");
    let titles: Vec<&str> = sections.iter().filter_map(|section| section["title"].as_str()).collect();
    for ((row, letter), state) in rows.iter().zip('a'..='p').zip(wanted) {
        let [own, content, place, output] = &row[..] else { panic!("{row:?}") };
        assert_eq!(*own, letter.to_string());
        assert!(!content.is_empty(), "{letter}");
        let is_state = match state {
            "filled" => output == "filled in",
            "partly" => output.starts_with("in part"),
            _ => output.starts_with("left empty"),
        };
        assert!(is_state, "{letter}: found {output:?}, wanted {state}");
        for place in place.split("; ") {
            let is_page =
                place == "cover, before the contents" || place == "head and foot of every page, last page";
            // Open observations are a heading within the summary.
            assert!(
                is_page || titles.contains(&place) || place == "Open observations",
                "{letter}: {place:?}"
            );
            assert!(is_page || html.contains(place), "{letter}: {place:?} is not on the page");
        }
    }
}

#[test]
fn each_letter_of_a_test_report_is_found_filled_in_or_clearly_empty() {
    let (lab, report, html) = certified(&small());
    let f = "filled";
    let states = [f, "partly", "", f, "", "partly", "partly", "", "", f, "partly", f, f, f, "", f];
    check_letters(&report, &html, states);
    for label in [
        "Laboratory – Address",
        "Places of the activities",
        "Customer – Contact",
        "Item received on",
        "Tests performed",
    ] {
        assert!(html.contains(label), "{label}");
    }
    assert!(html.contains("to be filled in") && html.contains("END OF REPORT"), "d");
    // The pages are those of the data.
    lab.run(&["report", "out/report.json", "--out", "again.html"]).ends(0);
    assert!(lab.read("again.html") == html.as_bytes(), "report.json and report.html differ");
}

/// What the report says of equal decks is what each certificate says.
#[test]
fn the_seed_space_of_a_report_is_that_of_its_certificates() {
    let (lab, report, _) = certified(&small());
    let blocks = section(&report, "unpredictability")["blocks"].to_string();
    for id in ["main.decks", "main.stud-hi.7"] {
        let bytes = lab.read(&format!("out/certificates/{id}.json"));
        let certificate: Certificate = serde_json::from_slice(&bytes).expect("a certificate");
        let sentence = certificate.result.deciding().seed_space_sentence().expect("decks were compared");
        assert!(blocks.contains(&sentence), "{id}: {sentence} is not in {blocks}");
    }
}

#[test]
fn a_report_whose_people_said_everything_has_no_empty_letter() {
    let (_lab, report, html) = certified(&filled());
    let mut states = ["filled"; 16];
    // The editions of the standards are never known to the program.
    states[5] = "partly";
    check_letters(&report, &html, states);
    for output in [
        "1 Street", "Room 7", "a@example.org", "1 November 2024", "2 November 2024", "3 November 2024",
        "A. Smith", "as received",
    ] {
        assert!(html.contains(output), "{output}");
    }
}

/// Types what reproduce.md says, in a folder that holds the package and `HANDED`, what people handed in; what was typed, and
/// the text after it. What the package lacks is put where the table of needed files says, with the SHA-256 that stands there.
fn follow(stranger: &Lab, wanted: impl Fn(&str) -> i32) -> (Vec<String>, String) {
    let text = String::from_utf8(stranger.read("PACKAGE/reproduce.md")).expect("UTF-8");
    let (_, rest) = text.split_once("```text\n").expect("a block");
    let (commands, rest) = rest.split_once("```").expect("its end");
    for command in commands.lines() {
        if command.starts_with("# Put into CASE") {
            let needed = rest.lines().filter_map(|line| line.strip_prefix("| `")?.split_once("` |"));
            for (name, about) in needed {
                assert!(command.contains(name), "{name}: {command}");
                let bytes = stranger.read(&format!("HANDED/{name}"));
                assert!(about.ends_with(&format!("| {} |", sha256(&bytes))), "{name}: {about}");
                stranger.write(&format!("CASE/{name}"), bytes);
            }
        }
        stranger.typed(command, &[]).ends(wanted(command));
        // Whatever a stranger has to put in himself is explained.
        for word in command.split(|letter: char| !letter.is_ascii_uppercase()).filter(|word| word.len() > 3) {
            assert!(word == "SUMS" || word == "PACKAGE" || rest.contains(word), "{word} is not explained");
        }
    }
    // The same decks give the same package, page for page.
    assert!(stranger.read("AGAIN/SHA256SUMS") == stranger.read("PACKAGE/SHA256SUMS"));
    (commands.lines().map(str::to_owned).collect(), rest.to_owned())
}

/// What reproduce.md says to type works as it stands, in an empty folder that holds the package and the item's file alone.
#[test]
fn a_stranger_follows_reproduce_md_to_the_end() {
    let (lab, _, _) = certified(&small());
    let stranger = Lab::new();
    fs::rename(lab.path("out"), stranger.path("PACKAGE")).expect("moved");
    for folder in ["FILES", "HANDED"] {
        fs::create_dir(stranger.path(folder)).expect("made");
        fs::copy(lab.path("shuffler"), stranger.path(&format!("{folder}/shuffler"))).expect("copied");
    }
    // The report names no people: whatever says its verdict says that it is incomplete.
    let (commands, rest) = follow(&stranger, |command| {
        let is_verdict = command.starts_with("deckproof verify") || command.starts_with("deckproof certify");
        if is_verdict { 2 } else { 0 }
    });
    assert_eq!(commands.len(), 9, "{commands:?}");
    // And nothing is explained that he has not to put in.
    assert!(!rest.contains("DECKS") && !rest.contains("WORDS"), "{rest}");
    assert_eq!(stranger.read("main.words").len(), 400_000);
}

/// Of a customer's export the package holds the hash alone: with the file itself beside a copy of the project every command works.
#[test]
fn a_stranger_who_has_the_customers_files_repeats_the_campaign_on_them() {
    let lab = supplied("en", BOTH);
    certify(&lab, &["--out", "out", "--quiet"]).ends(0);
    let stranger = Lab::new();
    fs::rename(lab.path("out"), stranger.path("PACKAGE")).expect("moved");
    fs::create_dir(stranger.path("HANDED")).expect("made");
    fs::create_dir(stranger.path("FILES")).expect("made");
    for (name, place) in [
        ("decks.csv", "HANDED/decks.csv"),
        ("capture.bin", "HANDED/capture.bin"),
        ("shuffler", "HANDED/shuffler"),
        ("decks.csv", "DECKS"),
        ("capture.bin", "WORDS"),
        ("shuffler", "FILES/shuffler"),
    ] {
        fs::copy(lab.path(name), stranger.path(place)).expect("copied");
    }
    let (commands, rest) = follow(&stranger, |command| {
        // Recorded decks are counted again where they are given.
        if command == "deckproof verify --rerun PACKAGE" { 2 } else { 0 }
    });
    assert!(rest.contains("| `decks.csv` | recorded decks of the item main |"), "{rest}");
    let put = "# Put into CASE what the package does not hold: decks.csv, capture.bin, shuffler";
    for typed in ["cp PACKAGE/pairs/main.csv CASE/pairs.csv", "cp PACKAGE/logo.png CASE/mark.png", put] {
        assert!(commands.iter().any(|command| command == typed), "{typed}: {commands:?}");
    }
    // The package itself takes no file.
    fs::copy(stranger.path("DECKS"), stranger.path("PACKAGE/decks.csv")).expect("copied");
    let beside =
        "Not part of the package, and not checked, because SHA256SUMS does not list it (1): decks.csv";
    stranger.run(&["verify", "PACKAGE"]).ends(2).must_print(beside);
}

/// The rows of requirements of this project, by the certified shuffle and by decks of another.
fn requirements(report: &Value) -> Vec<Vec<String>> {
    let rows = rows(report, "requirements");
    assert_eq!(rows.len(), 24);
    for (row, number) in rows.iter().zip(1..) {
        assert_eq!(row[0], format!("R{number}"));
        assert!(!row[1].is_empty() && row[3].len() > 20, "{row:?}");
        let known = ["met", "tests met", "not met", "not applicable", "not assessed here"];
        assert!(known.contains(&row[2].as_str()), "{row:?}");
        // What is not assessed says what is missing or who would know it.
        let says_why = [
            "takes", "needed", "people", "operation", "daily", "check", "no list", "No ", "Not every",
            "cannot", "batteries", "decides",
        ];
        let is_open = row[2] == "not assessed here";
        assert!(!is_open || says_why.iter().any(|word| row[3].contains(word)), "{row:?}");
    }
    rows
}

#[test]
fn each_requirement_is_answered_with_evidence_or_says_what_it_would_take() {
    let (_lab, report, _) = certified(&small());
    let rows = requirements(&report);
    let status = |row: usize| rows[row - 1][2].as_str();
    // A list is no finding of anybody.
    assert_eq!(status(1), "not assessed here");
    assert!(rows[0][3].contains("hashed before the first deck"), "{:?}", rows[0]);
    assert_eq!([status(3), status(7)], ["tests met", "not assessed here"], "{:?}", rows[2]);
    assert!(
        rows[6][3].contains("takes the tiers core and deep. For main, not both of them ran."),
        "{:?}",
        rows[6]
    );
    assert!(rows[2][3].contains("counted out"), "{:?}", rows[2]);
    assert_eq!([status(12), status(23)], ["not applicable", "not applicable"]);
    for open in [2, 4, 9, 10, 11, 13, 15, 16, 17, 18, 19, 20, 21, 22] {
        assert_eq!(status(open), "not assessed here", "R{open}");
    }
    assert!(rows[4][3].contains("counts.csv"), "{:?}", rows[4]);
    // Of another shuffler the program knows neither scaling nor generator.
    let (_lab, report, _) = certified(&project("flawed:fisher-yates-pcg:7", 1_000));
    let rows = requirements(&report);
    for open in [3, 12, 23] {
        assert_eq!(rows[open - 1][2], "not assessed here", "R{open}");
    }
}

/// A row that takes two levels, or two tiers, is not answered by one of them, however well that one went.
#[test]
fn a_level_or_a_tier_that_was_left_out_leaves_its_row_open() {
    let of = |standards: &str, tiers: &str| {
        let selftest = "selftest = \"known-answers\"\n";
        let text = small().replacen(selftest, &format!("{selftest}standards = {standards}\n"), 1);
        let (_lab, report, _) =
            certified(&text.replacen("tiers = [\"core\"]", &format!("tiers = {tiers}"), 1));
        let rows = requirements(&report);
        [rows[4].clone(), rows[6].clone()]
    };
    let [uniform, independent] = of("[\"AGCO\"]", "[\"core\", \"deep\"]");
    assert_eq!(
        [&uniform[2][..], &independent[2]],
        ["not assessed here", "tests met"],
        "{uniform:?} {independent:?}"
    );
    assert!(
        uniform[3].contains("no standard about decks at 95\u{a0}%;") && !uniform[3].contains("verdict"),
        "{uniform:?}"
    );
    // Standards of both levels, all of them met, answer the row; those of one of the two do not.
    let inputs = inputs(package_of(package::finished(), "out"));
    let status = |levels: &[u32]| {
        let mut facts = Facts::of(&inputs);
        facts.standards.retain(|own| levels.contains(&own.confidence_percent));
        facts.standards.iter_mut().for_each(|own| own.conformance = Conformance::TestsMet);
        requirement_rows(&inputs, &facts)[4].status
    };
    assert_eq!([status(&[95]), status(&[99])], [RowStatus::NotAssessed; 2]);
    assert_eq!(status(&[95, 99]), RowStatus::TestsMet);
}

/// Evidence names no file that the package does not hold; what was left out is said, and still held against the rest.
#[test]
fn counts_that_are_left_out_are_named_as_left_out() {
    for (language, absent) in
        [("en", "counts.csv is not in the package"), ("fr", "counts.csv n’est pas joint au dossier")]
    {
        let project = small().replace("language = \"en\"", &format!("language = \"{language}\""));
        let (lab, report, html) = certified(&(project + "[package]\nomit_counts = true\n"));
        assert!(!lab.exists("out/counts.csv") && html.contains(absent), "{language}");
        let evidence = &rows(&report, "requirements")[4][3];
        assert!(evidence.contains("omitted.sha256"), "{evidence}");
        assert_eq!(lab.run(&["verify", "out"]).code, 2, "fields are empty, and nothing is refused");
        // The hash of the table that nobody sees, changed with checksums that fit.
        let mut files = package_of(&lab, "out");
        let hash = lab.text("out/omitted.sha256");
        let other = if hash.starts_with('0') { "1" } else { "0" };
        replace(&mut files, "omitted.sha256", &hash, &format!("{other}{}", &hash[1..]));
        let files = with_sums(files);
        lab.write("out/omitted.sha256", &files["omitted.sha256"]);
        lab.write("out/SHA256SUMS", &files["SHA256SUMS"]);
        lab.run(&["verify", "out"]).ends(1).must_print("omitted.sha256");
    }
}
