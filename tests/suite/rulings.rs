//! Hands made to mislead the judge, in `fixtures/hands`: each is ruled as its file name says.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use deckproof::stud::history::phh;
use deckproof::stud::judge::{RuledHand, Ruling, judge};
use deckproof::stud::rules::RuleSet;

use crate::common::game::STOPS_EARLY;

/// `02-cap-fourth-raise` → its text, and the ruling that the file name asks for.
pub(crate) fn hands() -> BTreeMap<String, (String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/hands");
    let mut hands = BTreeMap::new();
    for entry in fs::read_dir(folder).expect("the folder of hands") {
        let path = entry.expect("an entry").path();
        let name = path.file_name().expect("a name").to_str().expect("UTF-8").to_owned();
        let Some((point, ruling)) = name.strip_suffix(".phh").and_then(|name| name.split_once('.')) else {
            continue;
        };
        let text = fs::read_to_string(&path).expect("a text");
        hands.insert(point.to_owned(), (text, ruling.to_owned()));
    }
    hands
}

fn ruled(text: &str) -> RuledHand {
    let history = phh::parse(text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let rules = history.ruleset.as_deref().and_then(RuleSet::named).expect("a rule set");
    judge(&history, rules, &[]).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

#[test]
fn every_hand_is_ruled_as_its_name_says() {
    let hands = hands();
    let mut wrong = Vec::new();
    for (name, (text, wanted)) in &hands {
        let ruled = ruled(text);
        let stops = ruled.open_points == [STOPS_EARLY];
        let found = if stops { "legal-so-far" } else { ruled.verdict.id() };
        if found != wanted || (stops && ruled.verdict != Ruling::Depends) {
            let refused = ruled.run.refused.map(|(_, broken)| broken.to_string());
            wrong.push(format!("{name}: {} {refused:?} {:?}", ruled.verdict.id(), ruled.open_points));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let count = |ruling: &str| hands.values().filter(|(_, wanted)| wanted == ruling).count();
    assert!(count("legal") > 10 && count("legal-so-far") > 15);
    assert!(count("illegal") > 20 && count("depends") > 10);
}

/// In how many places two hands differ: fields that are not the same, and actions that were put in, taken out
/// or changed.
fn differences(one: &str, other: &str) -> usize {
    let table = |text: &str| text.parse::<toml::Table>().expect("TOML");
    let (mut one, mut other) = (table(one), table(other));
    let actions = |table: &mut toml::Table| match table.remove("actions") {
        Some(toml::Value::Array(actions)) => actions,
        _ => panic!("a hand has actions"),
    };
    let edits = edits(&actions(&mut one), &actions(&mut other));
    let fields: BTreeSet<&String> = one.keys().chain(other.keys()).collect();
    edits + fields.into_iter().filter(|field| one.get(*field) != other.get(*field)).count()
}

/// Levenshtein's distance.
fn edits(one: &[toml::Value], other: &[toml::Value]) -> usize {
    let mut row: Vec<usize> = (0..=other.len()).collect();
    for (line, action) in one.iter().enumerate() {
        let mut corner = std::mem::replace(&mut row[0], line + 1);
        for (place, found) in other.iter().enumerate() {
            let kept = corner + usize::from(action != found);
            corner = row[place + 1];
            row[place + 1] = kept.min(corner + 1).min(row[place] + 1);
        }
    }
    row[other.len()]
}

#[test]
fn every_hand_that_is_not_legal_is_one_step_from_one_that_is_ruled_otherwise() {
    let hands = hands();
    let neighbours = |name: &str, text: &str| -> Vec<&str> {
        let point = &name[..3];
        let others = hands.iter().filter(|(other, _)| other.starts_with(point));
        others
            .filter(|(_, (other, _))| differences(text, other) == 1)
            .map(|(_, (_, ruling))| &ruling[..])
            .collect()
    };
    let mut paired = BTreeSet::new();
    for (name, (text, ruling)) in hands.iter().filter(|(_, (_, ruling))| !ruling.starts_with("legal")) {
        let around = neighbours(name, text);
        assert!(around.iter().any(|other| other != ruling), "{name}: {around:?}");
        if around.iter().any(|other| other.starts_with("legal")) {
            paired.insert(&name[..2]);
        }
    }
    assert_eq!(paired.len(), 11, "points with a legal hand one step from another: {paired:?}");
}

#[test]
fn a_ruling_that_depends_says_on_what_in_a_sentence() {
    for (name, (text, wanted)) in hands() {
        let points = ruled(&text).open_points;
        let is_open = ["depends", "legal-so-far"].contains(&&wanted[..]);
        assert_eq!(!points.is_empty(), is_open, "{name}: {points:?}");
        let is_sentence = |point: &String| point.ends_with('.') && point.starts_with(char::is_uppercase);
        assert!(points.iter().all(is_sentence), "{name}: {points:?}");
    }
}
