//! Records without a deck: told, passed over where that was asked for, and never more than a part of all; and the ids and times
//! of objects in the place of record numbers.

use crate::common::lab::{Lab, Output, card_line, deck};

/// So many hands of a table, of which these have no deck.
fn table(hands: u64, nulls: &[u64], null: &str) -> String {
    let row = |hand: u64| {
        if nulls.contains(&hand) {
            format!("h{hand},{null}\n")
        } else {
            format!("h{hand},{}", card_line(&deck(hand)))
        }
    };
    "hand,deck\n".to_owned() + &(1..=hands).map(row).collect::<String>()
}

/// The same as JSON lines, deep in an object.
fn objects(hands: u64, nulls: &[u64], null: &str) -> String {
    let row = |hand: u64| {
        let cards = format!(r#","deck":"{}""#, card_line(&deck(hand)).trim_end());
        let deck = if nulls.contains(&hand) { null } else { &cards };
        format!(r#"{{"at":"2026-10-01T{:02}:00:00Z","hand":{{"id":{hand}{deck}}}}}"#, hand % 24) + "\n"
    };
    (1..=hands).map(row).collect()
}

fn audit(lab: &Lab, text: &str, more: &[&str]) -> Output {
    lab.write("export.csv", text);
    lab.run(&[&["audit", "export.csv", "--tiers", "core", "--quiet", "--out", "a"], more].concat())
}

#[test]
fn a_record_without_a_deck_is_told_with_its_id_and_the_way_on() {
    let lab = Lab::new();
    for (text, place) in [
        (table(1_200, &[700], ""), "record 700 (line 701, id h700)"),
        (table(1_200, &[700], "NULL"), "record 700 (line 701, id h700)"),
    ] {
        let output = audit(&lab, &text, &["--id-column", "hand"]);
        assert!(output.code == 2 && output.out.is_empty(), "{output}");
        output.must_warn(place).must_warn("--empty-deck skip");
    }
    let text = objects(1_200, &[700], r#","deck":null"#);
    let output = audit(&lab, &text, &["--id-column", "hand.id", "--time-column", "at"]);
    assert!(output.code == 2, "{output}");
    output.must_warn("record 700 (line 700, id 700, time 2026-10-01T04:00:00Z)");
}

#[test]
fn records_without_a_deck_are_passed_over_counted_and_named_in_the_certificate() {
    for (text, column) in [
        (table(1_210, &[1, 2, 700], ""), "hand"),
        (table(1_210, &[700, 701, 1_210], "NULL"), "hand"),
        (objects(1_210, &[1, 700, 1_210], r#","deck":null"#), "hand.id"),
        (objects(1_210, &[1, 700, 1_210], ""), "hand.id"),
        (objects(1_210, &[1, 700, 1_210], r#","deck":[]"#), "hand.id"),
    ] {
        let lab = Lab::new();
        let output = audit(&lab, &text, &["--id-column", column, "--empty-deck", "skip"]);
        assert!(output.code == 0, "{output}");
        let source = &lab.certificate("a")["result"]["source"];
        assert_eq!((&source["file_records"], &source["empty_decks"]), (&1_207.into(), &3.into()));
        assert_eq!(source["empty_deck"], "skip:1%");
        lab.run(&["verify", "a/certificate.json", "--rerun", "--source", "export.csv"]).ends(0);
    }
}

#[test]
fn more_than_a_part_without_a_deck_is_no_export_to_judge() {
    let lab = Lab::new();
    let nulls: Vec<u64> = (101..=114).collect();
    let text = table(1_214, &nulls, "");
    audit(&lab, &text, &["--empty-deck", "skip"]).ends(2).must_warn("14 of 1,214 records have no deck");
    audit(&lab, &text, &["--empty-deck", "skip:2%"]).ends(0);
    audit(&lab, &text, &["--empty-deck", "always"]).ends(2).must_warn("skip:5%");
    if !cfg!(unix) {
        return;
    }
    // Of a program the number is known at its end.
    let words = ["audit", "--source", "cmd:cat export.csv", "--tiers", "core", "--out", "b", "--empty-deck"];
    lab.run(&[&words[..], &["skip"]].concat()).ends(2).must_warn("14 of 1,214 records have no deck");
    lab.run(&[&words[..], &["skip:2%"]].concat()).ends(0);
}

#[test]
fn a_night_names_how_many_hands_had_no_deck_and_so_does_the_check_before_it() {
    let lab = Lab::new();
    let base = "name = \"T\"\nsource = \"{date}.csv\"\nfolder = \"days\"\ntiers = \"core\"\nfresh_decks = 0\nid_column = \"hand\"\n";
    lab.write("daily.toml", format!("{base}empty_deck = \"skip\"\n"));
    lab.write("2026-10-01.csv", table(1_210, &[7, 8, 9], ""));
    let night = |more: &[&str]| lab.night("2026-10-01", more);
    let words = "3 records without a deck";
    night(&["--check-config"]).ends(0).must_print(words);
    night(&[]).ends(0).must_print(words);
    // Too many are told before the night and on it, leave no stop, and are healed by the right file.
    lab.write("2026-10-01.csv", table(1_230, &(101..=120).collect::<Vec<_>>(), ""));
    std::fs::remove_dir_all(lab.path("days")).expect("a folder");
    night(&["--check-config"]).ends(2).must_warn("20 of 1,230 records have no deck");
    night(&[]).ends(2).must_print("20 of 1,230 records have no deck");
    lab.write("2026-10-01.csv", table(1_210, &[7, 8, 9], ""));
    night(&[]).ends(0);
}

/// A file that was joined to itself is a slip also where records without a deck are counted.
#[test]
fn a_doubled_file_without_ids_is_explained_as_ever() {
    let lab = Lab::new();
    let base = "name = \"T\"\nsource = \"a.csv\"\nfolder = \"days\"\ntiers = \"core\"\nfresh_decks = 0\nempty_deck = \"skip\"\n";
    lab.write("daily.toml", base);
    let text = table(1_100, &[7], "");
    lab.write("a.csv", text.clone() + text.split_once('\n').expect("a header").1);
    let output = lab.night("2026-10-01", &[]).ends(2);
    output.must_tell("a file was joined to itself");
}

#[test]
fn objects_that_have_no_member_of_that_name_are_refused() {
    let lab = Lab::new();
    let output = audit(&lab, &objects(1_200, &[], ""), &["--id-column", "hand.nr"]).ends(2);
    output.must_warn("--id-column names \"hand.nr\"");
    // Two lines of one hand are no two decks, and a time is that of the object.
    let text = objects(1_200, &[], "");
    let again = text.lines().nth(699).expect("a line").to_owned() + "\n";
    let output = audit(&lab, &(text + &again), &["--id-column", "hand.id"]).ends(2);
    output.must_warn("records 700 and 1,201 have the same name");
}
