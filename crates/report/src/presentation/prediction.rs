//! What `predict` found, as sentences and as a certificate: a generator's state in, the records that it deals out.

use deckproof_predict::model::NotRecovered;
use deckproof_predict::recovery::Recovery;
use deckproof_predict::search::Report;
use serde::{Deserialize, Serialize};

use deckproof_stats::math::decimal::thousands;

/// What none of this sees.
const BLIND: &str = "An operator who picks the best of several honest decks is not seen by any of this; only a public cut after \
    the commitment stops him.";

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
