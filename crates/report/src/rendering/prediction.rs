//! What `predict` found, as sentences and as a certificate: a generator's state in, the records that it deals out.

use comfy_table::{ContentArrangement, Table, presets};
use deckproof_predict::certificate::Verified;
use deckproof_predict::deck::Record;
use deckproof_predict::follow::{calls_between, is_regular};
use deckproof_predict::model::{Model, NotRecovered};
use deckproof_predict::recovery::Recovery;
use deckproof_predict::search::Report;
use deckproof_predict::seeds::SeedSearch;
use serde::{Deserialize, Serialize};

use crate::rendering::columns::right;
use deckproof_deck::text::decimal::{counted, thousands};

/// What none of this sees.
const BLIND: &str = "An operator who picks the best of several honest decks is not seen by any of this; only a public cut after \
    the commitment stops him.";

/// All of it as one JSON object.
#[derive(Serialize)]
struct Whole<'a> {
    format: &'static str,
    records: u64,
    outcome: &'static str,
    recovered: &'a [Recovery],
    not_recovered: &'a [NotRecovered],
    left_out: &'a [&'static str],
    not_seen: &'static str,
}

/// What the file of a certificate begins with.
pub const FORMAT: &str = "deckproof/prediction/v1";

/// The file that `--check` and `verify` read.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PredictionFile {
    /// [`FORMAT`].
    pub format: String,
    /// Records that were read.
    pub records: u64,
    /// Cards known of each record, from the first on; 52 of whole decks.
    pub cards_known: u64,
    /// The records up to the last that a generator deals, in letters, `--` for a card that was not seen.
    pub known: Vec<String>,
    /// Generators.
    pub recovered: Vec<Recovery>,
}

impl PredictionFile {
    /// Of records and what was recovered from them; `cards_known` of each, from the first on.
    pub fn new(records: &[Record], cards_known: usize, recovered: &[Recovery]) -> PredictionFile {
        let end = |own: &Recovery| own.runs.iter().map(|run| run[0] + run[1]).max().unwrap_or(0);
        let end = recovered.iter().map(end).max().unwrap_or(0);
        PredictionFile {
            format: FORMAT.to_owned(),
            records: records.len() as u64,
            cards_known: cards_known as u64,
            known: records.iter().take(end as usize).map(Record::text).collect(),
            recovered: recovered.to_vec(),
        }
    }

    /// Deals the records of the file again from every state: milliseconds.
    ///
    /// # Errors
    /// What does not hold, in words.
    pub fn judge(&self) -> Result<Vec<Verified>, String> {
        let records = self.known.iter().map(|text| Record::of_text(text)).collect::<Option<Vec<_>>>();
        let records = records.ok_or("a record is none of a deck")?;
        self.recovered.iter().map(|own| own.judge(&records)).collect()
    }

    /// What [`PredictionFile::judge`] found, as sentences.
    pub fn sentences(&self, name: &str, verified: &[Verified]) -> String {
        let of = |(own, verified): (&Recovery, &Verified)| {
            format!(
                "{name}: the state of {} deals {} of its records; fair decks do so with a chance below 1e{:.0}.\n",
                own.dealer_words(),
                thousands(verified.records),
                verified.bound_log10.ceil()
            )
        };
        let states: String = self.recovered.iter().zip(verified).map(of).collect();
        states
            + "That these records were dealt is the word of the one who wrote the file; deckproof predict --check compares it with your \
               own.\n"
    }
}

/// `recovered` or `not recovered`.
fn outcome(recovered: &[Recovery]) -> &'static str {
    if recovered.is_empty() { "not recovered" } else { "recovered" }
}

/// The report as JSON.
pub fn json_of(records: u64, recovered: &[Recovery], report: &Report) -> String {
    let whole = Whole {
        format: FORMAT,
        records,
        outcome: outcome(recovered),
        recovered,
        not_recovered: &report.not_recovered,
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
        text += &recovered_text(own, records);
    }
    if recovered.is_empty() {
        text += &format!("NOT RECOVERED from {} records by the models below.\n", thousands(records));
    }
    if !report.not_recovered.is_empty() {
        text += &vain_text(&report.not_recovered);
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

fn recovered_text(own: &Recovery, records: u64) -> String {
    // Records are counted from 1 here, as --begins and an audit do.
    let first = own.runs.first().map_or(0, |run| run[0]) + 1;
    let seed = own.seed.as_ref().map_or(String::new(), |(seeding, seed, calls)| {
        format!("Its seed is {seed} ({seeding}), {calls} calls before the first record.\n")
    });
    let alone = if own.records() > own.fitted { String::new() } else { overdetermined(own) };
    let runs = own.certificate().runs;
    let last = own.end();
    let ends = !own.leads_on(last < records);
    let known = match (own.next.is_empty(), is_regular(&runs)) {
        _ if ends => {
            "its state is known, and dealing on in the same way gives other records than those after these"
        }
        (true, _) => "the state is known but for what the next record decides",
        (false, true) => "the next cards are known",
        (false, false) => "the next cards are known but for the number of calls before each deck",
    };
    let next = if ends {
        "No next deck is named: the dealer may be seeded anew, make other calls between, or go on from another start order.\n"
            .to_owned()
    } else if own.next.is_empty() {
        "No next deck is named: other states deal these records too, and the next record decides.\n"
            .to_owned()
    } else {
        let line = |(number, deck): (usize, &String)| format!("  {:>2}  {deck}\n", number + 1);
        let lines: String = own.next.iter().enumerate().map(line).collect();
        let begin = if is_regular(&runs) {
            format!("The next decks after record {last}, first card first:")
        } else {
            format!(
                "Calls between records vary, so which deck follows record {last} is open. With {} before each, as most often, \
                     these do, first card first:",
                counted(calls_between(&runs), "call", "calls")
            )
        };
        format!("{begin}\n{lines}")
    };
    format!(
        "RECOVERED: after {}, from record {first} on, {known}: {}.\n\
         The state before record {first} is {}.\n{seed}\
         It deals {}, {} of them beyond those that the fit used.{alone} Fair decks agree with any state of any such dealer \
         with a chance below 1e{:.0}.\n{next}",
        counted(own.fitted, "deck", "decks"),
        own.dealer_words(),
        state_shown(&own.state),
        counted(own.records(), "record", "records"),
        thousands(own.records().saturating_sub(own.fitted)),
        own.bound_log10.ceil(),
    )
}

/// Words of a state that a screen shows.
const WORDS_SHOWN: usize = 8;

/// A state, its first words alone where it has hundreds.
fn state_shown(state: &str) -> String {
    let words: Vec<&str> = state.split('.').collect();
    if words.len() > 2 * WORDS_SHOWN {
        format!(
            "{}. … of {} words, which --json and --certificate hold",
            words[..WORDS_SHOWN].join("."),
            words.len()
        )
    } else {
        state.to_owned()
    }
}

/// Why what the fit used is enough.
fn overdetermined(own: &Recovery) -> String {
    let bits = (-own.bound_log10 / std::f64::consts::LOG10_2).floor();
    let what = if own.fitted == 1 { "One record was" } else { "The records of the fit were" };
    format!(" {what} enough because they overdetermine the state by {bits} bits.").replace(
        "One record was enough because they overdetermine",
        "One record was enough because it overdetermines",
    )
}

fn vain_text(vain: &[NotRecovered]) -> String {
    let mut drawn = table(["not recovered", "windows", "pairs", "states or systems", "seconds", ""]);
    for own in vain {
        drawn.add_row([
            own.model.to_owned(),
            thousands(own.windows),
            thousands(own.starts),
            thousands(own.states),
            format!("{:.1}", own.seconds),
            if own.is_cut_short { "cut short by the budget".to_owned() } else { String::new() },
        ]);
    }
    right(&mut drawn, 1..=4);
    let assumed: String =
        vain.iter().map(|own| format!("  {}: {}\n", own.model, sentence(own.assumed))).collect();
    format!(
        "{}\nWindows are places where records may begin; pairs are ways of shuffling with start orders.\nWhat each of them takes for \
         granted:\n{assumed}",
        drawn.trim_fmt()
    )
}

/// Names for --models and for --seeds, with what each takes for granted.
pub fn list_of(models: &[&'static dyn Model], seedings: &[&'static SeedSearch]) -> String {
    let mut of_models = table(["model", "takes for granted"]);
    models.iter().for_each(|model| _ = of_models.add_row([model.name(), model.assumed()]));
    let mut of_seedings = table(["seeding, for --seeds", "takes for granted"]);
    seedings.iter().for_each(|own| _ = of_seedings.add_row([own.name, own.assumed]));
    format!("{}\n\n{}\n", of_models.trim_fmt(), of_seedings.trim_fmt())
}

/// Characters of a line of a table.
const WIDTH: u16 = 120;

fn table<const N: usize>(heads: [&str; N]) -> Table {
    let mut drawn = Table::new();
    drawn.load_style(presets::NOTHING).set_content_arrangement(ContentArrangement::Dynamic).set_width(WIDTH);
    drawn.set_header(heads);
    drawn
}

fn sentence(text: &str) -> String {
    if text.ends_with('.') { text.to_owned() } else { format!("{text}.") }
}
