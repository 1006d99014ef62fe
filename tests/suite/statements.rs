//! The table of the rule texts' statements: every row is held by a test that exists, or says why by none.

use std::fs;
use std::path::Path;

use crate::common::game::{hand, judged, so_far};
use deckproof::stud::history::phh;
use deckproof::stud::judge::Ruling;

fn read(path: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The rows of the table: statement and what holds a hand to it.
fn rows(text: &str) -> Vec<(&str, &str)> {
    text.lines()
        .filter_map(|line| line.strip_prefix("//! | ")?.strip_suffix(" |")?.rsplit_once(" | "))
        .filter(|(statement, _)| *statement != "statement")
        .collect()
}

/// Whether `module::name` is a test of the suite.
fn exists(test: &str) -> bool {
    let Some((module, name)) = test.split_once("::") else { return false };
    read(&format!("tests/suite/{module}.rs")).contains(&format!("#[test]\nfn {name}()"))
}

#[test]
fn every_statement_is_held_by_a_test_that_exists() {
    let text = read("crates/stud/src/stud/statements.rs");
    let rows = rows(&text);
    assert!(rows.len() > 80, "{} statements", rows.len());
    for (statement, held) in rows {
        if held == "note" || held == "not recordable" {
            continue;
        }
        let test = held.strip_prefix("reading ").unwrap_or(held).split('`').nth(1);
        assert!(test.is_some_and(exists), "{statement}: {held}");
    }
    assert!(!exists("statements::this_test_is_missing"));
}

#[test]
fn the_hands_a_row_names_are_there() {
    let text = read("crates/stud/src/stud/statements.rs");
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/hands");
    let files: Vec<String> = fs::read_dir(folder)
        .expect("the folder of hands")
        .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
        .collect();
    for (statement, held) in rows(&text) {
        let Some((_, named)) = held.split_once(" (") else { continue };
        for name in named.trim_end_matches(')').split(", ") {
            assert!(files.iter().any(|file| file.starts_with(name)), "{statement}: {name}");
        }
    }
}

#[test]
fn players_are_two_to_eight() {
    let with = |players: usize| {
        let text = phh::write(&hand(&[1000; 2], "d dh p1 ????Kc"));
        let list = |value: u64| format!("{:?}", vec![value; players]);
        phh::parse(&text.replace("[4, 4]", &list(4)).replace("[1000, 1000]", &list(1000)))
    };
    for players in 0..12 {
        assert_eq!(with(players).is_ok(), (2..=8).contains(&players), "{players}");
    }
}

#[test]
fn later_streets_are_of_the_big_limit() {
    let mut actions = "d dh p1 ????Kc, d dh p2 ????2c, p2 pb, p1 cc".to_owned();
    for (street, cards) in [(4, ["Ac", "3d"]), (5, ["Qd", "4d"]), (6, ["Jh", "6d"]), (7, ["??", "??"])] {
        actions += &format!(", d dh p1 {}, d dh p2 {}", cards[0], cards[1]);
        for amount in [20, 40, 60] {
            let judgement = judged(&hand(&[1000; 2], &format!("{actions}, p1 cbr {amount}")), "stud-8b", &[]);
            let ruling = so_far(&judgement);
            let is_limit = amount == if street == 4 { 20 } else { 40 };
            let wanted = if is_limit { Ruling::Legal } else { Ruling::Illegal };
            assert_eq!(ruling, wanted, "{amount} on street {street}");
        }
        actions += ", p1 cc, p2 cc";
    }
}
