//! Power, calibration and selftest: the harness is quiet about what is right and sees what is planted wrong.

use deckproof::audit::selection::Selection;
use deckproof::battery::Tier;
use deckproof::calibration::judgement::{Calibrated, Calibration};
use deckproof::calibration::summary::{CalibratedSize, PartSummary};
use deckproof::calibration::{CANARY, CalibrationSettings, Fair, calibrate};
use deckproof::dealers::TestDealer;
use deckproof::keystream::Keystream;
use deckproof::power::{Cell, Instrument, Search, find, measure};
use deckproof::selftest::{are_caught, is_calibrated};

use crate::common::lab::Lab;

fn dealer(name: &str) -> &'static TestDealer {
    TestDealer::named(name).expect("the dealer is in the list")
}

fn block(fair: Fair, decks: u64, runs: u64) -> CalibratedSize {
    let settings = CalibrationSettings { instrument: Instrument::of_tiers(&[Tier::Core]), runs, threads: 2 };
    calibrate(&settings, fair, decks).expect("fair dealers deal decks")
}

fn judge(blocks: Vec<CalibratedSize>) -> Calibrated {
    Calibration { blocks, ..Calibration::new(&Selection::of_tiers(&[Tier::Core]), 0) }.judge()
}

#[test]
fn fair_decks_stay_in_their_bands_and_a_wrong_null_does_not() {
    let blocks = vec![block(Fair::Certified, 10, 1_000), block(Fair::Pcg, 32, 300)];
    let calibrated = judge(blocks.clone());
    assert_eq!(calibrated.violations, []);
    assert!(calibrated.canary_rejected > 0 && calibrated.is_sound(), "the canary sings");
    // The same counts, once the wrong null poses as a part of the battery.
    let mut planted = blocks;
    planted[0].parts.iter_mut().filter(|part| part.id == CANARY).for_each(|part| part.id.push('!'));
    let violations = judge(planted).violations;
    assert!(!violations.is_empty() && violations.iter().all(|wrong| wrong.part == format!("{CANARY}!")));
}

#[test]
fn calibration_does_not_depend_on_threads() {
    let with = |threads| {
        let instrument = Instrument::of_tiers(&[Tier::Core]);
        let settings = CalibrationSettings { instrument, runs: 20, threads };
        calibrate(&settings, Fair::Pcg, 70).expect("fair dealers deal decks")
    };
    assert_eq!(with(1), with(2));
}

#[test]
fn too_many_accusations_are_seen() {
    let rejected = CalibratedSize { rejected: 25, ..block(Fair::Pcg, 10, 1) };
    let violations = judge(vec![CalibratedSize { runs: 1_000, parts: Vec::new(), ..rejected }]).violations;
    assert_eq!(violations.len(), 1);
    assert_eq!(violations[0].part, "verdict");
}

/// Ten throws of a coin: without randomising, p-values of so few values cannot be uniform.
#[test]
fn discrete_p_values_that_are_not_shared_out_are_seen() {
    let mut coins = Keystream::new(&[7; 32], 0);
    let mut throw = || {
        let heads = u64::from((coins.word() >> 22).count_ones());
        deckproof::math::binomial::p_value(10, 0.5, heads)
    };
    let p_values: Vec<f64> = (0..1_000).map(|_| throw()).collect();
    let raw = PartSummary::of_p_values("raw".to_owned(), &p_values, false);
    let block = CalibratedSize { fair: String::new(), decks: 10, runs: 1_000, rejected: 0, parts: vec![raw] };
    assert!(!judge(vec![block]).violations.is_empty());
}

#[test]
fn a_blind_battery_is_seen_and_the_battery_is_not_blind() {
    let dealers = [("sattolo", 32), ("riffle-3", 10)];
    assert!(are_caught(&[Tier::Core], &dealers).expect("they are in the list").has_passed);
    let blind = are_caught(&[], &dealers).expect("they are in the list");
    assert!(
        !blind.has_passed && blind.found.contains("sattolo under seed 1 was not caught"),
        "{}",
        blind.found
    );
    // Without card × place there is no canary, and a harness that has none may not say that all is well.
    let silent = is_calibrated(&[], &[(10, 50)], 2).expect("fair dealers deal decks");
    assert!(!silent.has_passed && silent.found.contains("wrong on purpose"), "{}", silent.found);
}

#[test]
fn searches_end_where_a_dealer_is_caught() {
    let search = Search { instrument: Instrument::of_tiers(&[Tier::Core]), decks_max: 3_162, threads: 2 };
    let needed = |name, seed| find(&search, dealer(name), seed).expect("it deals").caught;
    assert_eq!(needed("skip-last", 3).map(|catch| catch.decks), Some(10));
    assert_eq!(needed("certified", 3), None);
    let joker = needed("joker", 3).expect("record 1,001 is no deck");
    assert_eq!((joker.decks, joker.by.as_str()), (1_778, "a record that is no deck"));
    let cells = [(dealer("cut"), 1), (dealer("sattolo"), 1), (dealer("certified"), 2)];
    let (sender, found) = std::sync::mpsc::channel();
    measure(&search, &cells, &|cell| sender.send(cell).expect("it is received below")).expect("they deal");
    drop(sender);
    let mut found: Vec<Cell> = found.into_iter().collect();
    found.sort_by_key(|cell| cells.iter().position(|(dealer, _)| dealer.name == cell.dealer));
    let singly = cells.map(|(dealer, seed)| find(&search, dealer, seed).expect("it deals"));
    assert_eq!(found, singly);
}

#[test]
fn an_interrupted_power_search_goes_on_with_the_same_result() {
    let lab = Lab::new();
    let power = |dealers: &str, decks: &str, tiers: &str| {
        let arguments =
            ["--seeds", "2", "--decks-max", decks, "--tiers", tiers, "--state", "state", "--json"];
        lab.run(&[&["power", "--dealers", dealers], &arguments[..]].concat())
    };
    let part = power("sattolo", "100", "core");
    assert_eq!((part.code, part.err.lines().count()), (0, 2));
    let whole = power("sattolo,certified", "100", "core");
    assert_eq!(whole.err.lines().count(), 2, "only the second dealer is left to measure");
    let again = power("sattolo,certified", "100", "core");
    assert!(again.err.is_empty() && again.out == whole.out);
    let table = again.out;
    assert!(table.contains("\"dealer\":\"sattolo\"") && table.contains("\"decks\":[null,null]"), "{table}");
    let typed = "deckproof power --dealers sattolo,certified --seeds 2 --decks-max 100 --tiers core";
    assert!(table.contains(&format!("\"command\":\"{typed}\"")), "{table}");
    let other = power("sattolo", "100", "core,deep").ends(2);
    other.must_warn("cells of another battery").must_warn("remove this one to begin anew.");
    power("satollo", "100", "core").ends(2);
}

#[test]
fn a_calibration_goes_on_and_tells_of_its_canary() {
    let lab = Lab::new();
    let calibrate_runs = |runs: &str, sizes: &str| {
        let fixed = ["calibrate", "--tiers", "core", "--state", "state", "--out", "out"];
        lab.run(&[&fixed[..], &["--runs", runs, "--sizes", sizes]].concat())
    };
    let calibrate = |sizes: &str| calibrate_runs("1000", sizes);
    let first = calibrate("10");
    assert_eq!((first.code, first.err.lines().count()), (0, 2));
    let second = calibrate("10,12");
    assert_eq!(second.err.lines().count(), 2, "the first size is kept");
    let text = lab.text("out/calibration.md");
    assert!(text.contains("was rejected in") && text.contains("PASS"), "{text}");
    assert!(lab.exists("out/calibration.json"));
    calibrate_runs("999", "10").ends(2).must_warn("the counts of another battery or number of runs");
}
