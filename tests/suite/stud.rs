//! The tier stud as a user meets it, on fair decks and on dealers that favour, dodge, heat up and save.

use crate::common::lab::{KEY, Lab};
use deckproof::audit::plan::Plan;
use deckproof::battery::stud::table::StudTable;
use deckproof::battery::{Tier, View};
use deckproof::calibration::judgement::Calibration;
use deckproof::calibration::{CalibrationSettings, Fair, calibrate};
use deckproof::certificate::Certificate;
use deckproof::certificate::rejudge::rejudge;
use deckproof::dealers::TestDealer;
use deckproof::power::{Instrument, Search, find};
use deckproof::source::os;
use deckproof::stud::rules::RuleSet;
use serde_json::Value;

fn table(rules: &str, players: usize) -> &'static StudTable {
    StudTable::of(RuleSet::named(rules).expect("a rule set"), players).expect("2 to 8 players")
}

#[test]
fn an_audit_at_a_table_is_judged_again_and_run_again() {
    let lab = Lab::new();
    let source = format!("audit:{KEY}");
    let audit = ["audit", "--source", &source, "--decks", "3000", "--tiers", "stud", "--rules", "espacejeux"];
    let output = lab.run(&[&audit[..], &["--players", "6", "--json", "--out", "a"]].concat()).ends(0);
    let outcome = output.json();
    assert_eq!(outcome["table"], serde_json::json!({"rules": "espacejeux", "players": 6}));
    let ids: Vec<&str> = outcome["statistics"]
        .as_array()
        .expect("a list")
        .iter()
        .filter_map(|row| row["id"].as_str())
        .collect();
    let own = |id: &&&str| !id.contains("duplicates");
    assert!(ids.iter().filter(own).all(|id| id.starts_with("deck.")), "{ids:?}");
    for wanted in
        ["deck.bring-in.seat", "deck.second-best.mean", "deck.high-category.pooled", "deck.four-flush.river"]
    {
        assert!(ids.contains(&wanted), "{wanted} of {ids:?}");
    }
    lab.run(&["verify", "a/certificate.json"]).ends(0);
    lab.run(&["verify", "a/certificate.json", "--rerun"]).ends(0);

    // Who changes a count, the table or its players is told so.
    let text = lab.text("a/certificate.json");
    for (from, to) in
        [("\"players\":6", "\"players\":5"), ("espacejeux", "stud-hi"), ("\"players\":6", "\"players\":9")]
    {
        assert!(text.contains(from), "{from}");
        lab.write("forged.json", text.replacen(from, to, 1));
        assert_ne!(lab.run(&["verify", "forged.json"]).code, 0, "{from} for {to}");
    }
    let certificate: Certificate = serde_json::from_str(&text).expect("a certificate");
    for number in 0..certificate.result.first.tallies.len() {
        let mut result = certificate.result.clone();
        let counts = &mut result.first.tallies[number].counts;
        counts[0] += 1;
        assert!(rejudge(&result).is_err(), "{}", result.first.tallies[number].id);
    }
}

#[test]
fn a_table_is_part_of_the_plan_and_only_where_it_is_named() {
    let plain = Plan::new(os::record(), Some(1_000), &Tier::OF_DECKS);
    let text = serde_json::to_string(&plain).expect("plain data");
    assert!(!text.contains("table") && !text.contains("stud"), "{text}");
    assert_eq!(Plan::new(os::record(), Some(1_000), &Tier::ALL), plain);
    let seated = plain.clone().at_table(Some(table("stud-8b", 5)));
    assert_eq!((seated.check(), seated.tiers().map(|tiers| tiers.len())), (Ok(()), Some(3)));
    assert_ne!(seated.sha256(), plain.clone().at_table(Some(table("stud-8b", 4))).sha256());
    assert!(Plan { table: None, ..seated.clone() }.check().is_err());
    assert!(Plan { table: seated.table.clone(), ..plain }.check().is_err());
    let of_stud =
        seated.selection().statistics.into_iter().filter(|chosen| chosen.statistic.seated().is_some());
    assert!(of_stud.into_iter().all(|chosen| chosen.views == [View::Deck]));

    let lab = Lab::new();
    for (options, says) in [
        (&["--rules", "stud-hi", "--players", "9"][..], "2 to 8"),
        (&["--rules", "razz", "--players", "6"], "espacejeux"),
        (&["--tiers", "core", "--players", "6"], "without the tier stud"),
    ] {
        let output = lab.run(&[&["plan", "--source", "os", "--decks", "1000"], options].concat());
        assert!(output.code == 2 && output.warns(says), "{options:?}: {output}");
    }
    let output = lab
        .run(&["plan", "--source", "os", "--decks", "1e3", "--rules", "espacejeux", "--players", "8"])
        .ends(0);
    output.must_print("tiers core, deep, stud").must_print("reshuffle");
    lab.write("plan.toml", output.out);
    for other in [["--rules", "stud-hi"], ["--players", "7"]] {
        let audit = [&["audit", "--plan", "plan.toml"][..], &other].concat();
        assert!(lab.run(&audit).err.contains("--rules or --players says otherwise"), "{other:?}");
    }
}

#[test]
fn hands_are_dealt_without_being_asked_for_and_the_verdict_names_the_table() {
    let lab = Lab::new();
    let source = format!("audit:{KEY}");
    let audit = ["audit", "--source", &source, "--decks", "1000", "--out"];
    let output = lab.run(&[&audit[..], &["a"]].concat()).ends(0);
    output.must_print("Statistics tiers core, deep, stud (stud-hi, 6 players): ");
    for (options, table, says) in [
        (&[][..], serde_json::json!({"rules": "stud-hi", "players": 6}), "at the table stud-hi, 6 players,"),
        (&["--players", "3"], serde_json::json!({"rules": "stud-hi", "players": 3}), "stud-hi, 3 players,"),
        (
            &["--rules", "stud-8b"],
            serde_json::json!({"rules": "stud-8b", "players": 6}),
            "stud-8b, 6 players",
        ),
        (&["--tiers", "core"], Value::Null, "1,000 decks show no departure"),
    ] {
        // The search for a generator takes seconds.
        let fewer = if options.contains(&"core") { &[][..] } else { &["--without", "recovered-generator"] };
        let output = lab.run(&[&audit[..], &["b", "--json"], fewer, options].concat());
        let outcome = output.json();
        assert_eq!(outcome["table"], table, "{options:?}");
        let sentence = outcome["sentence"].as_str().expect("a sentence");
        assert!(sentence.contains(says), "{sentence}");
        lab.remove("b");
    }
}

/// Three tables whose distributions differ: every seat its river, one for all, none.
#[test]
fn p_values_of_fair_decks_stay_in_their_bands_and_a_wrong_null_does_not() {
    for table in [table("stud-hi", 7), table("stud-8b", 8), table("espacejeux", 8), table("espacejeux", 2)] {
        let instrument = Instrument { table: Some(table), ..Instrument::of_tiers(&[]) };
        let mut calibration = Calibration::new(&instrument.selection(), 0);
        for (decks, runs) in [(100, 300), (1_000, 100)] {
            let settings = CalibrationSettings { instrument: instrument.clone(), runs, threads: 2 };
            calibration.blocks.push(calibrate(&settings, Fair::Pcg, decks).expect("fair dealers deal decks"));
        }
        let calibrated = calibration.judge();
        assert_eq!(calibrated.violations, [], "{} {}", table.rules().name, table.players());
        assert!(calibrated.canary_rejected > 0, "the canary sings");
    }
}

/// Which statistic catches a dealer, with the first number of decks tried that suffices.
fn check_caught(name: &str, players: usize, decks_max: u64, by: &str) {
    let instrument = Instrument { table: Some(table("stud-hi", players)), ..Instrument::of_tiers(&[]) };
    let search = Search { instrument, decks_max, threads: 1 };
    let dealer = TestDealer::named(name).expect("it is in the list");
    let caught = find(&search, dealer, 1).expect("it deals decks").caught;
    assert!(caught.as_ref().is_some_and(|caught| caught.by.starts_with(by)), "{name}: {caught:?}");
}

#[test]
fn dealers_at_the_table_are_caught_by_what_they_do() {
    check_caught("bring-in-dodging", 7, 3_162, "deck.bring-in");
    check_caught("action-hands", 7, 31_623, "deck.starting-hand");
    check_caught("quads-suppressed", 7, 10_000, "deck.high-category");
    // Two seats with hands they cannot fold; a friend who wins 0.9 % more hands than the others.
    check_caught("action-showdown", 7, 100_000, "deck.");
    check_caught("seat-plus-1", 7, 100_000, "deck.winner");
    check_caught("prepared-seat", 6, 10_000, "deck.seat-repeats");
    check_caught("loser-wins", 7, 31_623, "deck.win-gaps");
}
