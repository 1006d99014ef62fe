//! The bets by their definition, their expectation, and what they find.

use std::ffi::OsStr;

use crate::monitoring::by_table::TablesSeen;
use crate::monitoring::drift::family::Bets;
use crate::monitoring::drift::process::{DRAWS, P_VALUES, Process, Shape, p_value_counts};
use crate::monitoring::drift::tables::{Drift, FAMILIES, LN_PROOF};
use crate::monitoring::drift::{Alarm, stands_at};
use deckproof_audit::audit::plan::{Plan, Shard};
use deckproof_audit::certificate::AuditResult;
use deckproof_audit::session::{Session, Unwatched};
use deckproof_audit::source::list::CATALOGUE;
use deckproof_audit::source::settings::Settings;
use deckproof_deck::card::DECK_CARDS;
use deckproof_stats::battery::tail::Tail;
use deckproof_stats::battery::{Tier, View};
use deckproof_stats::math::dirichlet::{ln_mixture_ratio, ln_sum_exp};

const COIN: Shape = Shape::of_tables(1, 2);

/// All histories of a short life: on every day the mean of the evidence is exactly 1.
#[test]
fn the_expectation_is_one_on_every_day_of_a_life() {
    // Heads among 40 throws: bets of a hundred prior counts already differ from 1 by a tenth.
    let n = 40u64;
    let ln_ways = |k: u64| {
        deckproof_stats::math::gamma::ln_factorial(n)
            - deckproof_stats::math::gamma::ln_factorial(k)
            - deckproof_stats::math::gamma::ln_factorial(n - k)
    };
    let points: Vec<f64> = (0..=n).map(|k| libm::exp(ln_ways(k) - n as f64 * libm::log(2f64))).collect();
    // Days 3 and later of a life of 4 days, in steps of 4 heads to keep the tree small: group outcomes exactly.
    let outcomes: Vec<(u64, f64)> = points.iter().enumerate().map(|(k, p)| (k as u64, *p)).collect();
    let likely: Vec<(u64, f64)> = outcomes.into_iter().filter(|(_, p)| *p > 1e-5).collect();
    let lost = 1.0 - likely.iter().map(|(_, p)| p).sum::<f64>();
    let mut paths = vec![(1.0, Process::with_levels(COIN, 2))];
    for day in 1..=3 {
        let grown = paths.iter().flat_map(|(weight, process)| {
            likely.iter().map(move |&(heads, p)| {
                let mut process = process.clone();
                process.add_day(&[heads, n - heads]);
                (weight * p, process)
            })
        });
        paths = grown.collect();
        let mean: f64 = paths.iter().map(|(weight, process)| weight * libm::exp(process.ln_evidence())).sum();
        assert!((mean - 1.0).abs() < 6.0 * lost * f64::from(day), "day {day}: {mean}, lost {lost}");
    }
}

/// The sum over all components of the definition, from all days' counts.
fn by_definition(days: &[[u64; 2]], levels: u32, t: usize) -> f64 {
    let horizon = 1usize << levels;
    let mut terms = Vec::new();
    for level in 0..=levels {
        let step = 1usize << level;
        let ln_weight = -(f64::from(levels - level)) * libm::log(2f64) - libm::log(f64::from(levels + 1));
        for start in (0..horizon).step_by(step) {
            let end = (start + 2 * step).min(horizon).min(t);
            let mut counts = [0u64; 2];
            for day in days.iter().take(end).skip(start) {
                counts[0] += day[0];
                counts[1] += day[1];
            }
            let e: Vec<f64> = [1e2, 1e3, 1e4, 1e5, 1e6, 1e7]
                .map(|prior| ln_mixture_ratio(&counts, &[0.5, 0.5], 2.0 * prior))
                .to_vec();
            terms.push(ln_weight + ln_sum_exp(e) - libm::log(6f64));
        }
    }
    ln_sum_exp(terms)
}

#[test]
fn every_day_is_the_sum_of_all_components() {
    // A coin that is fair for 20 days and then falls on its head 53 times of 100; the life has 32 days, days go on after it.
    let mut state = 7u64;
    let mut day = |t: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let noise = (state >> 60) * 20;
        let heads = 4_850 + noise + if t < 20 { 0 } else { 300 };
        [heads, 10_000 - heads]
    };
    let days: Vec<[u64; 2]> = (0..36).map(&mut day).collect();
    let mut process = Process::with_levels(COIN, 5);
    for (t, counts) in days.iter().enumerate() {
        process.add_day(counts);
        let text = serde_json::to_string(&process).expect("plain data");
        let again: Process = serde_json::from_str(&text).expect("what was written");
        assert!(again.is_sound() && (again.ln_evidence() - process.ln_evidence()).abs() < 1e-12, "day {t}");
        process = again;
        let wanted = by_definition(&days[..32.min(t + 1)], 5, (t + 1).min(32));
        let found = process.ln_evidence();
        assert!((found - wanted).abs() < 1e-9 * wanted.abs().max(1.0), "day {t}: {found}, {wanted}");
    }
    assert!(process.ln_evidence() > libm::log(1e6f64), "{}", process.ln_evidence());
}

/// `∫ e(p) dp = 1`, by the midpoint rule in ln p, and rounding down never adds; the numbers of a week by hand.
#[test]
fn a_bet_on_p_values_is_fair_and_multiplies_over_days() {
    let e = |p_values: &[f64]| {
        let mut process = Process::with_levels(P_VALUES, 0);
        // Level 0 alone: one component that starts on the first day and has the whole stake.
        p_values.iter().for_each(|&p| process.add_day(&p_value_counts(p)));
        libm::exp(process.ln_evidence())
    };
    let step = 1e-3;
    let points = (0..200_000).map(|k| libm::exp(-(k as f64 + 0.5) * step));
    let mean: f64 = points.map(|p| e(&[p]) * p * step).sum();
    assert!((mean - 1.0).abs() < 1e-4 && mean <= 1.0 + 1e-6, "{mean}");
    // (0.1·p^−0.9 + 0.3·p^−0.7 + 0.5·p^−0.5)/3 at p = 10^−4 and at p = 1.
    assert!(
        (e(&[1e-4]) - (0.1 * libm::pow(10f64, 3.6) + 0.3 * libm::pow(10f64, 2.8) + 50.0) / 3.0).abs() < 1e-2
    );
    assert!((e(&[1.0]) - 0.3).abs() < 1e-12);
    assert!(e(&[0.0]).is_finite(), "a p-value of 0 is a number that JSON can hold");
}

#[test]
fn small_p_values_of_many_days_become_evidence() {
    let evidence = |p: &dyn Fn(u64) -> f64, days: u64| {
        let mut process = Process::new(P_VALUES);
        (0..days).for_each(|day| process.add_day(&p_value_counts(p(day))));
        process.ln_evidence()
    };
    // Every day at one in ten thousand, which by itself is a question each time and never a stop.
    assert!(evidence(&|_| 1e-4, 14) > libm::log(1e6f64), "{}", evidence(&|_| 1e-4, 14));
    // One small one in a hundred and the rest as they fall: less than nothing.
    assert!(evidence(&|day| if day % 100 == 0 { 0.005 } else { 0.5 }, 1_000) < libm::log(10f64));
}

#[test]
fn a_repeated_deck_is_proof_for_good_and_survives_json() {
    let mut drift = Drift::new();
    drift.add_repeat();
    let text = serde_json::to_string(&drift).expect("plain data");
    let again: Drift = serde_json::from_str(&text).expect("what was written");
    assert!(again.has_repeated() && again.ln_evidence() == LN_PROOF && again.ln_highest() == LN_PROOF);
    assert_eq!(stands_at(again.ln_evidence()), "is a proof: a deck came up again");
    assert_eq!(Alarm::of(again.ln_highest()), Alarm::Stop);
}

#[test]
fn alarms_are_at_a_thousand_and_a_million() {
    for (odds, alarm) in
        [(1.0, Alarm::None), (999.9, Alarm::None), (1000.1, Alarm::Investigate), (1.1e6, Alarm::Stop)]
    {
        assert_eq!(Alarm::of(libm::log(odds)), alarm, "{odds}");
    }
    for (odds, words) in [
        (0.7, "is none"),
        (1.99, "is none"),
        (2.01, "is 1 in 2"),
        (4_360.0, "is 1 in 4,300"),
        (999_999.0, "is 1 in 990,000"),
        (1e40, "is 1 in 10^40"),
        (f64::INFINITY, "is a proof: a deck came up again"),
    ] {
        assert_eq!(stands_at(libm::log(odds)), words);
    }
}

/// 2,000 decks of a source of the catalogue, through all statistics of decks.
fn audited(source: &str) -> AuditResult {
    audited_first(2_000, source)
}

fn audited_first(decks: u64, source: &str) -> AuditResult {
    let asked = CATALOGUE.ask(OsStr::new(source), &Settings::default()).expect("a source");
    let opened = asked.open(Some(decks)).expect("it opens");
    let plan = Plan::new(opened.record, opened.decks, &[Tier::Core, Tier::Deep]).without_repeat();
    let mut session = Session::begin(plan, Shard::WHOLE, opened.source, None).expect("a session");
    session.answer(1, &Unwatched).expect("it ends")
}

fn drift_of(result: &AuditResult) -> Drift {
    let mut drift = Drift::new();
    drift.add_day(result, &TablesSeen::new()).expect("the first day");
    drift
}

/// Each statistic by itself, made small by hand: its own family hears it and no other does.
#[test]
fn lags_moves_and_spacings_are_heard_by_their_own_families() {
    let fair = audited("flawed:fisher-yates-chacha");
    let baseline = drift_of(&fair);
    for (part, family) in [
        (".lags.max-cell", Bets::Lags),
        (".digits-down.moves-each-base", Bets::Moves),
        (".digits-ways.bag-moves-total", Bets::Moves),
        (".birthday-spacings.short-year", Bets::Spacings),
    ] {
        let mut result = fair.clone();
        let record = result.first.statistics.iter_mut().find(|record| record.id.ends_with(part));
        let record = record.unwrap_or_else(|| panic!("no {part}"));
        (record.p_value, record.tail) = (1e-40, Tail::Exact);
        let drift = drift_of(&result);
        for other in FAMILIES {
            let (found, before) = (drift.ln_evidence_of(other), baseline.ln_evidence_of(other));
            if other == family {
                assert!(found > libm::log(1e6f64), "{part}: {found}")
            } else {
                assert!((found - before).abs() < 1e-12, "{part}: {other:?}")
            }
        }
        // An approximation may ask, it may not bet.
        let record = result.first.statistics.iter_mut().find(|record| record.id.ends_with(part));
        record.expect("as before").tail = Tail::Asymptotic;
        let record = result.first.statistics.iter_mut().find(|record| record.id.ends_with(part));
        record.expect("as before").p_value_bound = None;
        assert!(drift_of(&result).ln_evidence_of(family) < libm::log(10f64), "{part}");
    }
}

/// A dealer that never draws the place it stands at.
#[test]
fn faulty_draws_are_heard_by_their_own_family() {
    let drift = drift_of(&audited("flawed:sattolo"));
    assert!(drift.ln_evidence_of(Bets::Draws) > libm::log(1e6f64), "{}", drift.ln_evidence_of(Bets::Draws));
    assert!(drift_of(&audited("flawed:fisher-yates-chacha")).ln_evidence_of(Bets::Draws) < libm::log(10f64));
}

/// The mean over bases 2 to 52 and over the priors, from the tables one by one.
#[test]
fn a_bet_on_draws_is_the_mean_over_the_bases() {
    let counts: Vec<u64> =
        (1..=DECK_CARDS as u64).flat_map(|base| (0..base).map(move |d| 900 / base + d % 3)).collect();
    assert_eq!(counts.len(), DRAWS.cells);
    let mut process = Process::with_levels(DRAWS, 0);
    process.add_day(&counts);
    let mut ratios = Vec::new();
    for base in 2..=DECK_CARDS {
        let own = &counts[(1..base).sum::<usize>()..][..base];
        let points = vec![1.0 / base as f64; base];
        ratios.extend(
            [1e2, 1e3, 1e4, 1e5, 1e6, 1e7].map(|prior| ln_mixture_ratio(own, &points, prior * base as f64)),
        );
    }
    let wanted = ln_sum_exp(ratios.iter().copied()) - libm::log(51.0 * 6.0f64);
    assert!((process.ln_evidence() - wanted).abs() < 1e-9, "{} {wanted}", process.ln_evidence());
}

/// The rest of a day: what adds up deck by deck is bet on for all decks, each once; p-values and steps from deck to deck for the part.
#[test]
fn the_rest_of_a_day_has_the_counts_of_the_other_decks() {
    let key = |byte: u8| format!("audit:{}", format!("{byte:02x}").repeat(32));
    let (part, whole) = (audited_first(1_200, &key(7)), audited_first(2_000, &key(7)));
    let places = |result: &AuditResult| -> Vec<u64> {
        let tallies = &result.first.tallies;
        let tally = tallies.iter().find(|tally| tally.view == View::Deck && tally.id == "card-place");
        let counts = &tally.expect("it is counted").counts;
        (0..DECK_CARDS).flat_map(|place| counts.iter().skip(place).step_by(DECK_CARDS).copied()).collect()
    };
    let mut drift = drift_of(&part);
    drift.add_rest((&whole, &TablesSeen::new()), (&part, &TablesSeen::new())).expect("the same table");
    let (first, all) = (places(&part), places(&whole));
    let rest: Vec<u64> = all.iter().zip(&first).map(|(all, first)| all - first).collect();
    assert_eq!(rest.iter().sum::<u64>(), 800 * 52);
    let mut process = Process::new(Shape::of_tables(DECK_CARDS, DECK_CARDS));
    process.add_day(&first);
    process.add_day(&rest);
    assert!((drift.ln_evidence_of(Bets::Places) - process.ln_evidence()).abs() < 1e-12);
    for family in FAMILIES {
        let is_added = drift.ln_evidence_of(family) != drift_of(&part).ln_evidence_of(family);
        let is_counted = [Bets::Places, Bets::Draws].contains(&family);
        assert_eq!(is_added, is_counted, "{family:?}");
    }
    assert_eq!(drift.days(), 1);
    // Other decks are no part of these.
    let before = drift.clone();
    let other = audited_first(1_200, &key(8));
    drift.add_rest((&part, &TablesSeen::new()), (&other, &TablesSeen::new())).expect("the same table");
    assert_eq!(drift, before);
}
