//! Records that name no house: judged by what all rule texts of their variant share.

use std::path::Path;

use deckproof::stud::history::{History, phh};
use deckproof::stud::judge::{RuledHand, Ruling, judge_unnamed};
use deckproof::stud::readings::parse;
use serde_json::json;

use crate::common::game::{replayed, three_seats};
use crate::common::schema::check_valid;

/// Three players, a lowest card of p2 that brings it in, a completion that nobody calls: 12 of antes.
fn record(variant: &str, bring_in: u64, changes: &[(&str, &str)]) -> String {
    let actions =
        "['d dh p1 ????Kc', 'd dh p2 ????2c', 'd dh p3 ????3d', 'p2 pb', 'p3 f', 'p1 cbr 20', 'p2 f']";
    let bring_in = bring_in.to_string();
    three_seats(&[("variant", variant), ("bring_in", &bring_in), ("actions", actions)], changes)
}

fn ruled(text: &str) -> RuledHand {
    judge_unnamed(&phh::parse(text).expect("a hand"), &[]).expect("amounts of a hand")
}

#[test]
fn a_bring_in_that_no_text_fixes_for_all_depends_and_the_reading_is_named() {
    // The text stud-hi fixes half of the small limit, espacejeux the small limit, and a house may state its own.
    let quarter = ruled(&record("'F7S'", 5, &[]));
    assert_eq!(quarter.verdict, Ruling::Depends);
    let points = quarter.open_points.join("\n");
    for part in
        ["the bring-in is 5", "stud-hi, which has 10", "espacejeux, which has 20", "states its own amounts"]
    {
        assert!(points.contains(part), "{part}: {points}");
    }
    // Half is legal by one text and not by the other.
    let half = ruled(&record("'F7S'", 10, &[]));
    let says: Vec<(&str, Ruling)> = half.houses.iter().map(|house| (house.rules, house.verdict)).collect();
    assert_eq!(says, [("stud-hi", Ruling::Legal), ("espacejeux", Ruling::Depends)]);
    assert_eq!(half.verdict, Ruling::Depends);
    // The text of the other game leaves the amount to the table.
    for bring_in in [5, 10] {
        assert_eq!(ruled(&record("'F7S/8'", bring_in, &[])).verdict, Ruling::Legal);
    }
}

/// The text of stud-hi has a small and a big limit and an example, and no rule of how large the big one is.
#[test]
fn a_big_limit_that_is_not_the_double_is_refused_by_the_text_that_says_so_alone() {
    let wider = |variant: &str, bring_in: u64| record(variant, bring_in, &[("big_bet", "30")]);
    for (rules, bring_in, raise) in [("stud-hi", 10, "p1 cbr 20"), ("espacejeux", 20, "p1 cbr 40")] {
        let of = |big: &str| record("'F7S'", bring_in, &[("big_bet", big)]).replace("p1 cbr 20", raise);
        let output = replayed(&of("30"), &["--rules", rules]).ends(0);
        output.must_print(&format!(
            "The limits are 20 and 30; the text of {rules} does not fix the big limit."
        ));
        // A big limit below the small one is none by any text.
        let output = replayed(&of("10"), &["--rules", rules]).ends(1);
        output.must_print("the limits are 20 and 10").must_print("Allowed: a big limit of at least 20");
        output.must_not_print("does not fix");
    }
    let output = replayed(&wider("'F7S/8'", 10), &["--rules", "stud-8b"]).ends(1);
    output.must_print("Allowed: a big limit of 40");
    // A record that names no house depends there, for a house may state its own limits.
    assert_eq!(ruled(&wider("'F7S/8'", 10)).verdict, Ruling::Depends);
}

#[test]
fn what_every_text_refuses_is_illegal_without_a_house() {
    for (name, change) in [
        ("an ante that differs", ("antes", "[4, 4, 3]")),
        ("no ante at all", ("antes", "[0, 0, 0]")),
        ("a bring-in above the small limit", ("bring_in", "30")),
        ("a big limit below the small one", ("big_bet", "10")),
        (
            "somebody else's turn",
            ("actions", "['d dh p1 ????Kc', 'd dh p2 ????2c', 'd dh p3 ????3d', 'p3 pb']"),
        ),
    ] {
        for variant in ["'F7S'", "'F7S/8'"] {
            let text = record(variant, 10, &[change]);
            assert_eq!(ruled(&text).verdict, Ruling::Illegal, "{name}, {variant}");
        }
    }
}

#[test]
fn a_reading_that_one_text_fixes_otherwise_leaves_that_text_out() {
    let history = phh::parse(&record("'F7S'", 10, &[])).expect("a hand");
    let fixed = [parse("max_raises=any").expect("a reading")];
    let ruled = judge_unnamed(&history, &fixed).expect("espacejeux leaves it open");
    assert_eq!(ruled.houses.iter().map(|house| house.rules).collect::<Vec<_>>(), ["espacejeux"]);
    let left_out = "The text of stud-hi was left out: stud-hi fixes max_raises=3, found any.";
    assert!(ruled.notes.contains(&left_out.to_owned()), "{:?}", ruled.notes);
    let unknown = judge_unnamed(&History { variant: "FT".to_owned(), ..history }, &[]);
    assert_eq!(unknown.expect_err("no such game").to_string(), "no rule set plays FT; name one with --rules");
}

#[test]
fn the_command_says_what_every_text_says_and_line_1_that_chips_are_missing() {
    let text = record("'F7S'", 5, &[]);
    let output = replayed(&text, &[]).ends(2);
    output.must_print("Depends: by stud-hi and by espacejeux the verdict hangs on");
    output.must_print("The record names no house; --rules names one.");
    replayed(&text, &["--rules", "stud-hi"]).ends(1).must_print("Illegal by stud-hi.");

    // 12 of antes and 10 of p2 go to p1, less 3 that are nowhere.
    let raked = record("'F7S/8'", 10, &[("finishing_stacks", "[115, 86, 96]")]);
    let output = replayed(&raked, &[]);
    let first = output.out.lines().next().expect("a line");
    assert_eq!(output.code, 2, "{output}");
    assert!(first.starts_with("Chips are missing: 3 fewer after the hand than before it."), "{first}");
    output.must_print("Chips missing at the end: 3. They are judged as a rake");
    replayed(&record("'F7S/8'", 10, &[("finishing_stacks", "[118, 86, 96]")]), &[]).must_not_print("missing");
    let output = replayed(&raked, &["--json"]);
    let json = output.json();
    check_valid("replay", &json);
    assert_eq!(json["chips_missing"], json!(3));
    assert_eq!(json["houses"], json!([{ "rules": "stud-8b", "verdict": "depends" }]));
}

#[test]
fn several_odd_chips_are_one_each_or_all_of_the_first() {
    let text = include_str!("../../fixtures/hands/09-odd-chips-silent-to-one.depends.phh");
    let output = replayed(text, &[]).ends(2);
    output.must_print("all 2 odd chips go to p2");
    output.must_print("several_odd_chips=all_to_first accepts the hand");
    replayed(text, &["--reading", "several_odd_chips=one_each"]).ends(1).must_print("Illegal by stud-8b.");
}

/// Hands of the World Series of Poker, where the folder is there: bring-ins of a quarter and of three tenths.
#[test]
fn no_real_hand_is_illegal_without_a_house() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/hands");
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    let paths = entries.map(|entry| entry.expect("an entry").path());
    let mut counts = [0, 0];
    for path in paths.filter(|path| path.extension().is_some_and(|ending| ending == "phh")) {
        let text = std::fs::read_to_string(&path).expect("a text");
        let history = phh::parse(&text).expect("a hand");
        let is_high = history.variant == "F7S";
        let ruled = judge_unnamed(&history, &[]).expect("amounts");
        // The bring-in is less than half the small limit; some hands of the other game hide door cards.
        let may_be = match (is_high, text.contains("??????")) {
            (true, _) => [Ruling::Depends; 2],
            (false, true) => [Ruling::Legal, Ruling::Depends],
            (false, false) => [Ruling::Legal; 2],
        };
        assert!(may_be.contains(&ruled.verdict), "{}: {:?}", path.display(), ruled.open_points);
        counts[usize::from(is_high)] += 1;
    }
    assert_eq!(counts, [7, 6]);
}
