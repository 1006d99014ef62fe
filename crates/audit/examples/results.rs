//! Which statistic catches which flawed dealer, and with how many decks: the page `docs/results.md`.
//!
//!     cargo run --release -p deckproof-audit --example results -- STATE [SEEDS [DECKS [DEALER …]]] > docs/results.md
//!
//! Unlike `deckproof power` it does not stop at the first catch: each dealer is watched to DECKS decks, a million by default, which
//! takes hours for all of them; a few dealers of 10,000 decks take minutes. STATE keeps a line for each dealer and seed, and a run that was
//! interrupted goes on behind them; another number of decks takes another STATE.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{OpenOptions, read_to_string};
use std::io::Write;
use std::sync::Mutex;

use deckproof_audit::certificate::AuditResult;
use deckproof_audit::power::incremental::IncrementalEvidence;
use deckproof_audit::power::{Instrument, LEVEL_CAUGHT, Search, steps};
use deckproof_audit::source::flawed::{Flawed, record};
use deckproof_audit::standards;
use deckproof_dealers::dealers::{self, Expected, TestDealer};
use deckproof_deck::text::decimal::thousands;
use deckproof_stats::battery::stud::table::StudTable;
use deckproof_stats::battery::{self, About, Tier};
use deckproof_stud::stud::rules::RuleSet;
use rayon::iter::{IndexedParallelIterator, IntoParallelRefIterator, ParallelIterator};

const DECKS_MAX: u64 = 1_000_000;

/// What costs more than all others together.
const WITHOUT: &str = "recovered-generator";

/// The statistics that caught a dealer under one seed, each with the first number of decks that sufficed.
type Caught = BTreeMap<String, u64>;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let path = arguments.first().ok_or("wanted a file for what is found")?;
    let seeds: u64 = arguments.get(1).map_or(Ok(1), |text| text.parse())?;
    let decks_max: u64 = arguments.get(2).map_or(Ok(DECKS_MAX), |text| text.parse())?;
    let named = arguments.get(3..).unwrap_or_default();
    let mut found: BTreeMap<(String, u64), Caught> = BTreeMap::new();
    for line in read_to_string(path).unwrap_or_default().lines() {
        let (dealer, seed, caught): (String, u64, Caught) = serde_json::from_str(line)?;
        found.insert((dealer, seed), caught);
    }
    let search = search(decks_max);
    let faulty: Vec<&'static TestDealer> = dealers::list()
        .filter(|dealer| !matches!(dealer.expected, Expected::Pass | Expected::Invalid))
        .filter(|dealer| named.is_empty() || named.iter().any(|name| name == dealer.name))
        .collect();
    let cells: Vec<(&'static TestDealer, u64)> = (1..=seeds)
        .flat_map(|seed| faulty.iter().map(move |&dealer| (dealer, seed)))
        .filter(|&(dealer, seed)| !found.contains_key(&(dealer.name.to_owned(), seed)))
        .collect();
    let file = Mutex::new(OpenOptions::new().create(true).append(true).open(path)?);
    let new: Vec<((String, u64), Caught)> = cells
        .par_iter()
        .with_max_len(1)
        .map(|&(dealer, seed)| {
            let caught = catches(&search, dealer, seed);
            let line = serde_json::to_string(&(dealer.name, seed, &caught)).expect("it is plain data");
            writeln!(file.lock().expect("no thread died"), "{line}").expect("the file takes a line");
            ((dealer.name.to_owned(), seed), caught)
        })
        .collect();
    found.extend(new);
    print!("{}", page(&faulty, &found, seeds, decks_max));
    Ok(())
}

/// The default plan for six players at stud high.
fn search(decks_max: u64) -> Search {
    let rules = RuleSet::named("stud-hi").expect("it is a rule set");
    let table = StudTable::of(rules, 6).expect("it is a table");
    let without = vec![WITHOUT.to_owned()];
    let instrument = Instrument { tiers: Tier::OF_DECKS.to_vec(), table: Some(table), without };
    Search { instrument, decks_max, threads: 1 }
}

fn catches(search: &Search, dealer: &TestDealer, seed: u64) -> Caught {
    let source =
        Flawed::open(&format!("{}:{seed}", dealer.name), search.decks_max).expect("it is in the list");
    let record = record(dealer.name, seed);
    let mut growth =
        IncrementalEvidence::new(Box::new(source), &search.plan(record.clone(), None).selection(), 0);
    let mut caught = Caught::new();
    for decks in steps(search.decks_max) {
        let evidence = growth.until(decks).expect("it deals decks");
        let plan = search.plan(record.clone(), Some(decks));
        let rows = AuditResult::of_evidence(&plan, record.clone(), evidence).first.statistics;
        for row in &rows {
            let members = rows.iter().filter(|other| other.family == row.family).count() as f64;
            if row.p_value * members < LEVEL_CAUGHT {
                let statistic = row.id.split('.').nth(1).unwrap_or(&row.id);
                caught.entry(statistic.to_owned()).or_insert(decks);
            }
        }
    }
    caught
}

/// The middle of the decks needed under each seed, if at least half of the seeds were caught.
fn median(decks: &[Option<u64>]) -> Option<u64> {
    let mut decks: Vec<u64> = decks.iter().map(|decks| decks.unwrap_or(u64::MAX)).collect();
    decks.sort_unstable();
    decks.get(decks.len() / 2).copied().filter(|&decks| decks < u64::MAX)
}

/// The first six names, and how many more.
fn some<Name: AsRef<str>>(names: &[Name]) -> String {
    let shown: Vec<&str> = names.iter().take(6).map(AsRef::as_ref).collect();
    match names.len() - shown.len() {
        0 => shown.join(", "),
        more => format!("{} and {more} more", shown.join(", ")),
    }
}

fn page(
    faulty: &[&'static TestDealer],
    found: &BTreeMap<(String, u64), Caught>,
    seeds: u64,
    decks_max: u64,
) -> String {
    let mut rows: Vec<(&TestDealer, Vec<(u64, String)>)> = Vec::new();
    for &dealer in faulty {
        let own: Vec<&Caught> =
            (1..=seeds).filter_map(|seed| found.get(&(dealer.name.to_owned(), seed))).collect();
        let names: BTreeSet<&String> = own.iter().flat_map(|caught| caught.keys()).collect();
        let needed = |name: &&String| {
            let decks: Vec<Option<u64>> = own.iter().map(|caught| caught.get(*name).copied()).collect();
            median(&decks).map(|decks| (decks, (*name).clone()))
        };
        let mut all: Vec<(u64, String)> = names.iter().filter_map(needed).collect();
        all.sort();
        rows.push((dealer, all));
    }
    let mut text = format!(
        "# Which statistic catches which flaw\n\nGenerated by `cargo run --release -p deckproof-audit --example results -- STATE {seeds}`. Each flawed dealer (`deckproof audit \
         --source flawed:NAME`) is watched to {} decks by the default plan at six seats of stud high without `recovered-generator`. A statistic catches it with the first number of 10, 32, 100, 316, … decks at which one of its p-values, times the p-values of its family, \
         is below 0.000001; the middle of {seeds} seeds. A factor of three between two numbers is one step.\n\n\
         ## By dealer\n\n| dealer | first | decks | others within ten times the decks | others later |\n|---|---|---:|---|---:|\n",
        thousands(decks_max)
    );
    for (dealer, all) in &rows {
        let Some(&(decks, _)) = all.first() else {
            text += &format!("| {} | none | – | | |\n", dealer.name);
            continue;
        };
        let listed = |from: u64, to: u64| -> Vec<&str> {
            all.iter().filter(|own| from <= own.0 && own.0 < to).map(|own| own.1.as_str()).collect()
        };
        let near: Vec<String> = all
            .iter()
            .filter(|own| decks < own.0 && own.0 <= 10 * decks)
            .map(|own| format!("{} {}", own.1, thousands(own.0)))
            .collect();
        let later = all.iter().filter(|own| own.0 > 10 * decks).count();
        text += &format!(
            "| {} | {} | {} | {} | {later} |\n",
            dealer.name,
            some(&listed(decks, decks + 1)),
            thousands(decks),
            some(&near)
        );
    }
    text += "\n## By statistic\n\n*First*: no other needs fewer decks (several may be first). *Alone first*: no other is first with it; in brackets by which factor the next one needs more decks. *Only*: no other \
             catches the dealer at all. *Required*: tests of regulators that it answers.\n\n\
             | statistic | tier | catches | first | alone first | only | required |\n|---|---|---:|---:|---|---|---:|\n";
    let looked = |about: &&About| about.id != WITHOUT;
    let mut never_needed = Vec::new();
    for about in battery::abouts().filter(looked) {
        let place = |all: &[(u64, String)]| all.iter().find(|own| own.1 == about.id).map(|own| own.0);
        let catches = rows.iter().filter(|(_, all)| place(all).is_some());
        let is_first = |all: &[(u64, String)]| place(all).is_some_and(|decks| decks == all[0].0);
        let first = rows.iter().filter(|(_, all)| is_first(all)).count();
        let alone =
            rows.iter().filter(|(_, all)| is_first(all) && all.get(1).is_some_and(|next| next.0 > all[0].0));
        let alone: Vec<String> = alone
            .map(|(dealer, all)| format!("{} ({:.0})", dealer.name, all[1].0 as f64 / all[0].0 as f64))
            .collect();
        let only = rows.iter().filter(|(_, all)| is_first(all) && all.len() == 1);
        let only: Vec<&str> = only.map(|(dealer, _)| dealer.name).collect();
        let asked = standards::all().iter().flat_map(|standard| standard.tests);
        // On whatever view: the overlaps test of GLI-19 is of decks that follow each other.
        let is_own = |named: &&&str| named.split('.').nth(1) == Some(about.id);
        let asked = asked.filter(|test| test.statistics.iter().any(|named| is_own(&named))).count();
        text += &format!(
            "| {} | {} | {} | {first} | {} | {} | {asked} |\n",
            about.id,
            about.tier.name(),
            catches.count(),
            alone.join(", "),
            only.join(", ")
        );
        if alone.is_empty() && only.is_empty() && asked == 0 {
            never_needed.push(about.id);
        }
    }
    text += &format!(
        "\nNever first alone, never the only one and required by no list: {}.\n",
        never_needed.join(", ")
    );
    text
}
