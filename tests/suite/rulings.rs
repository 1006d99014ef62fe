//! Hands made to mislead the judge, in `fixtures/hands`: each is ruled as its file name says.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use deckproof::stud::history::phh;
use deckproof::stud::judge::{RuledHand, judge};
use deckproof::stud::rules::RuleSet;

/// `02-cap-fourth-raise` → its text, and the ruling that the file name asks for.
fn hands() -> BTreeMap<String, (String, String)> {
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
        if ruled.verdict.id() != wanted {
            let refused = ruled.run.refused.map(|(_, broken)| broken.to_string());
            wrong.push(format!("{name}: {} {refused:?} {:?}", ruled.verdict.id(), ruled.open_points));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let count = |ruling: &str| hands.values().filter(|(_, wanted)| wanted == ruling).count();
    assert!(count("legal") > 15 && count("illegal") > 20 && count("depends") > 10);
}

#[test]
fn every_point_has_an_accepted_hand_and_one_that_is_not() {
    let hands = hands();
    for point in 1..=11 {
        let of_point = hands.iter().filter(|(name, _)| name.starts_with(&format!("{point:02}-")));
        let rulings: Vec<&str> = of_point.map(|(_, (_, ruling))| &ruling[..]).collect();
        assert!(rulings.contains(&"legal"), "point {point}");
        assert!(rulings.iter().any(|ruling| *ruling != "legal"), "point {point}");
    }
}

#[test]
fn a_ruling_that_depends_says_on_what_in_a_sentence() {
    for (name, (text, wanted)) in hands() {
        let points = ruled(&text).open_points;
        assert_eq!(!points.is_empty(), wanted == "depends", "{name}: {points:?}");
        let is_sentence = |point: &String| point.ends_with('.') && point.starts_with(char::is_uppercase);
        assert!(points.iter().all(is_sentence), "{name}: {points:?}");
    }
}
