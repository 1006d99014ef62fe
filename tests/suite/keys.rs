//! Decks that come again in another form, with the same beginning or at equal distances are caught.

use crate::common::decks::blocks_of;
use crate::common::lab::{KEY, Lab, words};
use deckproof::audit::evidence::ViewEvidence;
use deckproof::audit::plan::Plan;
use deckproof::audit::selection::Selection;
use deckproof::battery::duplicates::all as equivalences;
use deckproof::battery::{self, Outcome, Spread, Statistic, Tier};
use deckproof::calibration::randomised;
use deckproof::certificate::AuditResult;
use deckproof::certificate::rejudge::rejudge;
use deckproof::deck::block::DeckBlock;
use deckproof::math::binomial;
use deckproof::power::incremental::IncrementalEvidence;
use deckproof::shuffle::shuffle_deck;
use deckproof::source::DeckSource;
use deckproof::source::flawed::Flawed;
use deckproof::source::os;
use rand::rngs::ChaCha20Rng;
use rand::{RngExt, SeedableRng};
use serde_json::{Value, json};

fn statistic(id: &str) -> &'static dyn Statistic {
    let found = battery::all().iter().find(|statistic| statistic.about().id == id);
    *found.expect("it is in the battery")
}

/// One statistic, or none, and every sketch.
fn alone(id: Option<&str>) -> Selection {
    let statistics: Vec<&'static dyn Statistic> = id.map(statistic).into_iter().collect();
    Selection::of_parts(&statistics, equivalences())
}

/// By the certified shuffle under keys that count on: it is optimised, and these tests are not.
fn fair_decks(keys: &mut impl Iterator<Item = [u8; 32]>, n: usize) -> Vec<[u8; 52]> {
    keys.take(n).map(|key| *shuffle_deck(&key).indices()).collect()
}

/// Pairs found by every sketch of the deck view in the first decks of a dealer.
fn pairs(dealer: &str, decks: u64) -> Vec<(&'static str, u64)> {
    let source = Flawed::open(dealer, decks).expect("it is in the list");
    let selection = alone(None);
    let evidence =
        IncrementalEvidence::new(Box::new(source), &selection, 0).until(decks).expect("it deals decks");
    let of_sketch =
        |sketch: &battery::duplicates::sketch::Sketch| (sketch.equivalence().id(), sketch.count().pairs);
    evidence.views[0].sketches.iter().map(of_sketch).collect()
}

/// The number of the first deck of a dealer that `is_made` from one of the `back` before it.
fn first_made(dealer: &str, back: usize, is_made: fn(&[u8; 52], &[u8; 52]) -> bool) -> u64 {
    let mut source = Flawed::open(dealer, 20_000).expect("it is in the list");
    let mut seen: Vec<[u8; 52]> = Vec::new();
    loop {
        let mut block = DeckBlock::default();
        source.fill(seen.len() as u64, &mut block).expect("it deals decks");
        for lane in 0..block.hands() {
            let deck = *block.deck(lane).indices();
            if seen.iter().rev().take(back).any(|earlier| is_made(earlier, &deck)) {
                return seen.len() as u64;
            }
            seen.push(deck);
        }
    }
}

fn is_cut(earlier: &[u8; 52], deck: &[u8; 52]) -> bool {
    let top = earlier.iter().position(|card| *card == deck[0]).expect("every deck has it");
    (0..52).all(|place| earlier[(top + place) % 52] == deck[place])
}

fn is_turned(earlier: &[u8; 52], deck: &[u8; 52]) -> bool {
    let mut reversed = *earlier;
    reversed.reverse();
    is_cut(&reversed, deck)
}

fn is_inverse(earlier: &[u8; 52], deck: &[u8; 52]) -> bool {
    (0..52).all(|place| usize::from(earlier[usize::from(deck[place])]) == place)
}

/// Not a deck too early and not one too late, and by nothing but its own sketch.
fn check_made(dealer: &str, back: usize, is_made: fn(&[u8; 52], &[u8; 52]) -> bool, by: &str) {
    for seed in 1..=3 {
        let dealer = format!("{dealer}:{seed}");
        let first = first_made(&dealer, back, is_made);
        assert!(pairs(&dealer, first).iter().all(|(_, pairs)| *pairs == 0), "{dealer} before {first}");
        for (id, pairs) in pairs(&dealer, first + 1) {
            assert_eq!(pairs, u64::from(id == by), "{dealer} with deck {first}: {id}");
        }
    }
}

#[test]
fn a_changed_deck_is_seen_when_it_comes() {
    check_made("cut-last", 1, is_cut, "duplicates-turned");
    check_made("reversed-last", 1, is_turned, "duplicates-turned");
    check_made("turned-earlier", 1_000, is_turned, "duplicates-turned");
    check_made("inverse-last", 1, is_inverse, "duplicates-inverse");
    check_made("inverse-earlier", 1_000, is_inverse, "duplicates-inverse");
}

#[test]
fn a_repeated_deck_is_alike_in_every_form() {
    for (id, pairs) in pairs("repeats", 5_000) {
        assert!(pairs > 0, "{id}");
    }
    for (id, pairs) in pairs("certified", 5_000) {
        assert_eq!(pairs, 0, "{id}");
    }
}

/// Shards, certificate, terminal and `deckproof verify` all tell of a deck turned over among older ones.
#[test]
fn proof_goes_all_the_way_to_the_verdict() {
    let lab = Lab::new();
    let source = "flawed:turned-earlier";
    let audit = |more: &str| {
        let statistics = "--statistics card-place,duplicates,duplicates-turned";
        lab.run(&words(&format!("audit --source {source} --decks 70000 {statistics} --no-repeat {more}")))
    };
    let output = audit("--out whole").ends(1);
    let text = output.out.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(text.starts_with("FAIL: ") && text.contains("came up again"), "{text}");
    assert!(text.contains("repeated up to a cut or a reversal"), "{text}");
    for shard in ["1/2", "2/2"] {
        audit(&format!("--out shards --shard {shard}")).ends(0);
    }
    lab.run(&["merge", "shards/shard-2-of-2.tally", "shards/shard-1-of-2.tally", "--out", "merged"]).ends(1);
    assert!(lab.read("merged/certificate.json") == lab.read("whole/certificate.json"));
    let output = lab.run(&["verify", "whole/certificate.json"]).ends(1);
    output.must_print("is consistent");
    let certificate = lab.certificate("whole");
    let place = |id: &str| {
        let records = certificate["result"]["first"]["duplicates"].as_array().expect("a list");
        records
            .iter()
            .position(|record| record["view"] == "deck" && record["id"] == id)
            .expect("it was looked for")
    };
    let turned = place("duplicates-turned");
    let record = &certificate["result"]["first"]["duplicates"][turned];
    assert!(record["pairs"].as_u64() > Some(20), "{record}");
    for (field, value) in [("pairs", json!(0)), ("id", json!("duplicates")), ("kept", json!(69_999))] {
        let mut other = certificate.clone();
        other["result"]["first"]["duplicates"][turned][field] = value;
        lab.write("other.json", other.to_string());
        let output = lab.run(&["verify", "other.json"]);
        assert!(output.code == 1 && output.prints("duplicates-turned"), "{field}: {output}");
    }
}

/// More plain pairs than pairs of any form are a contradiction, whatever hash stands below.
#[test]
fn plain_pairs_that_are_not_alike_are_refused() {
    let deep = Selection::of_tiers(&[Tier::Deep]).without(&["recovered-generator".to_owned()]);
    let plan = Plan::of_selection(os::record(), Some(1_000), &deep).without_repeat();
    let source = Flawed::open("repeats:3", 1_000).expect("it is in the list");
    let evidence = IncrementalEvidence::new(Box::new(source), &plan.selection(), 0)
        .until(1_000)
        .expect("it deals decks");
    let result = AuditResult::of_evidence(&plan, plan.source.clone(), evidence);
    assert_eq!(rejudge(&result), Ok(()));
    let mut forged = result.first.duplicates.clone();
    forged[0].pairs += 1;
    forged[0].distinct -= 1;
    let turn = deckproof::certificate::look::Turn::First;
    let tallies = result.first.tallies.clone();
    let look = deckproof::certificate::look::Look::of_integers(&plan, turn, 1_000, tallies, forged);
    let forged = AuditResult::of_looks(&plan, plan.source.clone(), look, None, None);
    assert!(rejudge(&forged).is_err_and(|error| error.to_string().contains("at least the")));
}

/// Equivalences under which a changed deck comes again.
const CHANGED_KINDS: [&str; 6] = [
    "duplicates-turned", "duplicates-inverse", "duplicates-ranks", "duplicates-suits", "duplicates-top-half",
    "duplicates-lower-half",
];

#[test]
fn a_plan_names_its_sketches() {
    let lab = Lab::new();
    let sketches = |tiers: &str| -> Vec<(String, Value)> {
        let line = format!("plan --source audit:{KEY} --decks 100 --tiers {tiers} --json");
        let plan = lab.run(&words(&line)).json();
        let sketches = plan["plan"]["sketches"].as_array().expect("a list").clone();
        let of = |sketch: &Value| (sketch["id"].as_str().unwrap_or("").to_owned(), sketch["views"].clone());
        sketches.iter().map(of).collect()
    };
    let plain = ("duplicates".to_owned(), json!(["deck", "relative"]));
    assert_eq!(sketches("core"), std::slice::from_ref(&plain));
    let changed = CHANGED_KINDS.map(|id| (id.to_owned(), json!(["deck"])));
    assert_eq!(sketches("deep"), [&[plain][..], &changed].concat());
}

/// The outcomes of one statistic on some decks of one segment.
fn outcomes(id: &str, decks: &[[u8; 52]]) -> Vec<Outcome> {
    let (statistic, blocks) = (statistic(id), blocks_of(decks));
    let mut counts = vec![0; statistic.cells()];
    statistic.observe(&blocks, &mut counts);
    assert_eq!(statistic.decks_in(&counts), Some(decks.len() as u64), "{id}");
    statistic.finish(&counts, decks.len() as u64)
}

/// Rejections at a level stay in a two-sided binomial band, or below its upper end where p is conservative.
fn check_calibrated(id: &str, decks: usize, replicates: u64, seed: u64) {
    let mut rng = ChaCha20Rng::seed_from_u64(seed);
    let mut keys = (0u64..).map(|number| {
        let mut key = [0; 32];
        key[..8].copy_from_slice(&seed.to_le_bytes());
        key[8..16].copy_from_slice(&number.to_le_bytes());
        key
    });
    let mut rejected = std::collections::BTreeMap::<&str, ([u64; 3], bool)>::new();
    for _ in 0..replicates {
        for outcome in outcomes(id, &fair_decks(&mut keys, decks)) {
            let p_value = randomised(&outcome, rng.random());
            let (counts, is_conservative) = rejected.entry(outcome.part).or_default();
            *is_conservative = outcome.spread == Spread::Conservative;
            let levels = [0.05, 0.01, 0.001];
            counts.iter_mut().zip(levels).for_each(|(count, level)| *count += u64::from(p_value <= level));
            let bound = outcome.p_value_bound.unwrap_or(1.0);
            assert!(
                bound > 1e-6 / replicates as f64,
                "{id}, {}: a bound of {bound:e} on fair decks",
                outcome.part
            );
        }
    }
    assert!(!rejected.is_empty(), "{id} says nothing of {decks} decks");
    for (part, (counts, is_conservative)) in rejected {
        for (count, level) in counts.into_iter().zip([0.05, 0.01, 0.001]) {
            let (lower, upper) = binomial::tails(replicates, level, count);
            let depth = if is_conservative { upper } else { lower.min(upper) };
            assert!(depth > 1e-6, "{id} {part}, {decks} decks: {count} of {replicates} at {level}");
        }
    }
}

#[test]
fn fair_decks_are_rejected_at_the_level() {
    check_calibrated("first-three", 52, 2_000, 21);
    check_calibrated("first-three", 1_000, 1_000, 22);
    check_calibrated("first-three", 10_000, 200, 23);
    check_calibrated("collisions", 2_500, 1_000, 24);
    check_calibrated("collisions", 30_000, 100, 25);
    check_calibrated("birthday-spacings", 1_024, 400, 26);
    check_calibrated("birthday-spacings", 8_192, 50, 27);
}

/// The family p-value of one statistic on a dealer's decks, of p-values and of bounds.
fn caught(id: &str, dealer: &str, decks: u64) -> (f64, f64) {
    let source = Flawed::open(dealer, decks).expect("it is in the list");
    let selection = Selection::of_parts(&[statistic(id)], &[]);
    let evidence =
        IncrementalEvidence::new(Box::new(source), &selection, 0).until(decks).expect("it deals decks");
    let judge = |view: &ViewEvidence| {
        let own = view.counts.iter().map(|counts| statistic(id).finish(counts, view.decks));
        own.flatten().collect::<Vec<Outcome>>()
    };
    let judged: Vec<Outcome> = evidence.views.iter().flat_map(judge).collect();
    let smallest =
        |p_value: fn(&Outcome) -> f64| judged.len() as f64 * judged.iter().map(p_value).fold(1.0, f64::min);
    (smallest(|outcome| outcome.p_value), smallest(|outcome| outcome.p_value_bound.unwrap_or(1.0)))
}

#[test]
fn prepared_hands_and_lattices_are_caught() {
    for seed in 1..=3 {
        let dealer = |name: &str| format!("{name}:{seed}");
        // 12 pairs where 0.09 and 0.19 are expected.
        let (p_value, bound) = caught("collisions", &dealer("prepared-hands"), 5_000);
        assert!(p_value < 1e-6 && bound < 1e-6, "seed {seed}: {p_value:e}, bound {bound:e}");
        // Of 132,600 beginnings each hand made beforehand prefers one.
        let (p_value, bound) = caught("first-three", &dealer("prepared-hands"), 40_000);
        assert!(p_value < 1e-6, "seed {seed}: {p_value:e}, bound {bound:e}");
        // Its draws lie on few planes (Marsaglia 1968): 38 equal spacings where 1.7 are expected.
        let (p_value, _) = caught("birthday-spacings", &dealer("randu"), 2_048);
        assert!(p_value < 1e-6, "seed {seed}: {p_value:e}");
        for id in ["collisions", "first-three", "birthday-spacings"] {
            assert!(caught(id, &dealer("certified"), 5_000).0 > 1e-3, "{id}, seed {seed}");
        }
    }
}
