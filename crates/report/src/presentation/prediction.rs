//! What `predict` found, as sentences and as a certificate: a generator's state in, the records that it deals out.

use deckproof_predict::certificate::Certificate;
use deckproof_predict::follow::Run;
use deckproof_predict::model::{NotRecovered, Recovered};
use deckproof_predict::search::Report;
use serde::{Deserialize, Serialize};

use deckproof_deck::card::Card;
use deckproof_stats::math::decimal::thousands;

/// What none of this sees.
const BLIND: &str = "An operator who picks the best of several honest decks is not seen by any of this; only a public cut after \
    the commitment stops him.";

/// A recovered generator in words and integers.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Recovery {
    /// The model.
    pub model: String,
    /// What the generator is called.
    pub generator: String,
    /// How outputs become draws.
    pub mapping: String,
    /// How draws become a deck.
    pub way: String,
    /// The order of a new deck.
    pub start: String,
    /// The state before the first call, words in hexadecimal with dots between.
    pub state: String,
    /// Seeding, seed and calls after it, where the state comes from a seed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed: Option<(String, u64, u64)>,
    /// Runs of records that it deals: first record, records, calls before, calls between.
    pub runs: Vec<[u64; 4]>,
    /// Records that the fit used, from the first on.
    pub fitted: u64,
    /// `log10` of the bound of what fair decks do.
    pub bound_log10: f64,
    /// The next decks.
    pub next: Vec<String>,
}

impl Recovery {
    /// Of a generator and the decks that come next.
    pub fn new(recovered: &Recovered, next: &[[u8; 52]]) -> Recovery {
        let Certificate { generator, mapping, way, start, state, seed, runs } = recovered.certificate();
        Recovery {
            model: recovered.model.to_owned(),
            generator,
            mapping,
            way,
            start,
            state,
            seed,
            runs: runs
                .iter()
                .map(|run| [run.first, run.records, run.calls_before, run.calls_between])
                .collect(),
            fitted: recovered.used,
            bound_log10: recovered.followed.bound_log10,
            next: next.iter().map(deck_text).collect(),
        }
    }

    /// What can be checked of it.
    pub fn certificate(&self) -> Certificate {
        let run = |run: &[u64; 4]| {
            let [first, records, calls_before, calls_between] = *run;
            Run { first, records, calls_before, calls_between }
        };
        Certificate {
            generator: self.generator.clone(),
            mapping: self.mapping.clone(),
            way: self.way.clone(),
            start: self.start.clone(),
            state: self.state.clone(),
            seed: self.seed.clone(),
            runs: self.runs.iter().map(run).collect(),
        }
    }

    /// Records that it deals.
    pub fn records(&self) -> u64 {
        self.runs.iter().map(|run| run[1]).sum()
    }
}

/// A model that found nothing.
#[derive(Clone, PartialEq, Debug, Serialize)]
struct Vain {
    model: &'static str,
    assumed: &'static str,
    windows: u64,
    starts: u64,
    states: u64,
    seconds: f64,
    is_cut_short: bool,
}

/// All of it as one JSON object.
#[derive(Serialize)]
struct Whole<'a> {
    format: &'static str,
    records: u64,
    outcome: &'static str,
    recovered: &'a [Recovery],
    not_recovered: Vec<Vain>,
    left_out: &'a [&'static str],
    not_seen: &'static str,
}

/// What the file of a certificate begins with.
pub const FORMAT: &str = "deckproof/prediction/v1";

/// The file that `--check` reads.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PredictionFile {
    /// [`FORMAT`].
    pub format: String,
    /// Records that were read.
    pub records: u64,
    /// Cards known of each record, from the first on; 52 of whole decks.
    pub cards_known: u64,
    /// Generators.
    pub recovered: Vec<Recovery>,
}

/// `recovered` or `not recovered`.
fn outcome(recovered: &[Recovery]) -> &'static str {
    if recovered.is_empty() { "not recovered" } else { "recovered" }
}

/// The report as JSON.
pub fn json_of(records: u64, recovered: &[Recovery], report: &Report) -> String {
    let vain = |own: &NotRecovered| Vain {
        model: own.model,
        assumed: own.assumed,
        windows: own.windows,
        starts: own.starts,
        states: own.states,
        seconds: own.seconds,
        is_cut_short: own.is_cut_short,
    };
    let whole = Whole {
        format: FORMAT,
        records,
        outcome: outcome(recovered),
        recovered,
        not_recovered: report.not_recovered.iter().map(vain).collect(),
        left_out: &report.left_out,
        not_seen: BLIND,
    };
    let json = serde_json::to_string_pretty(&whole).expect("strings and numbers are JSON");
    format!("{json}\n")
}

/// The report as text.
pub fn text_of(records: u64, recovered: &[Recovery], report: &Report) -> String {
    let mut text = String::new();
    for own in recovered {
        text += &recovered_text(own);
    }
    if recovered.is_empty() {
        text += &format!("NOT RECOVERED from {} records by the models below.\n", thousands(records));
    }
    for own in &report.not_recovered {
        text += &vain_text(own);
    }
    if !report.left_out.is_empty() {
        text += &format!("Left out, the time was over: {}.\n", report.left_out.join("; "));
    }
    if recovered.is_empty() {
        text += "Other generators, other ways of shuffling and other start orders were not tried. A generator that is not \
            recovered here may be recovered by others.\n";
    }
    text + BLIND + "\n"
}

fn recovered_text(own: &Recovery) -> String {
    let first = own.runs.first().map_or(0, |run| run[0]);
    let seed = own.seed.as_ref().map_or(String::new(), |(seeding, seed, calls)| {
        format!("Its seed is {seed} ({seeding}), {calls} calls before the first record.\n")
    });
    let next: String =
        own.next.iter().enumerate().map(|(number, deck)| format!("  {:>2}  {deck}\n", number + 1)).collect();
    format!(
        "RECOVERED: after {} {} from number {first} on the next cards are known: {}, {}, {}, start order {}.\n\
         The state before record {first} is {}.\n{seed}\
         It deals {} records, {} of them beyond those that the fit used. Fair decks agree with any state of any such dealer \
         with a chance below 1e{:.0}.\nThe next decks, first card first:\n{next}",
        own.fitted,
        if own.fitted == 1 { "deck" } else { "decks" },
        own.model,
        own.way,
        own.mapping,
        own.start,
        own.state,
        thousands(own.records()),
        thousands(own.records().saturating_sub(own.fitted)),
        own.bound_log10.ceil(),
    )
}

fn vain_text(own: &NotRecovered) -> String {
    let cut = if own.is_cut_short { ", cut short by the budget" } else { "" };
    format!(
        "{}: not recovered. It takes for granted: {}. {} windows, {} pairs of way and start order, {} states or systems, {:.1} s{cut}.\n",
        own.model,
        own.assumed,
        own.windows,
        own.starts,
        thousands(own.states),
        own.seconds,
    )
}

fn deck_text(deck: &[u8; 52]) -> String {
    let cards = deck.iter().filter_map(|&index| Card::from_index(index)).map(|card| card.to_string());
    cards.collect::<Vec<_>>().join(" ")
}
