//! What `predict` found, as sentences and as a certificate: a generator's state in, the records that it deals out.

pub mod looked;

use comfy_table::{ContentArrangement, Table, presets};
use deckproof_predict::deck::Record;
use deckproof_predict::follow::{calls_between, is_regular};
use deckproof_predict::model::{Model, NotRecovered};
use deckproof_predict::recovery::{Recovery, Verified};
use deckproof_predict::search::Report;
use deckproof_predict::seeds::SeedSearch;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::rendering::columns::right;
use crate::rendering::prediction::looked::LookedAt;
use crate::report::page::capitalised;
use deckproof_deck::text::decimal::{counted, thousands};

/// What none of this sees.
const BLIND: &str = "An operator who picks the best of several honest decks is not seen by any of this; only a public cut after \
    the commitment stops him.";

/// All of it as one JSON object.
#[derive(Serialize)]
struct Whole<'a> {
    format: &'static str,
    records: u64,
    looked_at: &'a LookedAt,
    outcome: &'static str,
    recovered: &'a [Recovery],
    not_recovered: &'a [NotRecovered],
    left_out: &'a [&'static str],
    not_seen: &'static str,
}

/// What the file of a certificate begins with.
pub const FORMAT: &str = "deckproof/prediction/v2";

/// The file that `--check` and `verify` read.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PredictionFile {
    /// [`FORMAT`].
    pub format: String,
    /// Records that were read.
    pub records: u64,
    /// Whose they are, and of how many.
    pub looked_at: LookedAt,
    /// Cards known of each record, from the first on; 52 of whole decks.
    pub cards_known: u64,
    /// The records up to the last that a generator deals, in letters, `--` for a card that was not seen.
    pub known: Vec<String>,
    /// Generators.
    pub recovered: Vec<Recovery>,
}

impl PredictionFile {
    /// Of records and what was recovered from them.
    pub fn new(records: &[Record], looked_at: LookedAt, recovered: &[Recovery]) -> PredictionFile {
        let end = |own: &Recovery| own.runs.iter().map(|run| run[0] + run[1]).max().unwrap_or(0);
        let end = recovered.iter().map(end).max().unwrap_or(0);
        PredictionFile {
            format: FORMAT.to_owned(),
            records: records.len() as u64,
            cards_known: looked_at.cards,
            looked_at,
            known: records.iter().take(end as usize).map(Record::text).collect(),
            recovered: recovered.to_vec(),
        }
    }

    /// Whether it is such a file: of this format, with a generator.
    pub fn is_certificate(&self) -> bool {
        self.format == FORMAT && !self.recovered.is_empty()
    }

    /// Deals the records of the file again from every state: milliseconds.
    ///
    /// # Errors
    /// What does not hold, in words.
    pub fn judge(&self) -> Result<Vec<Verified>, String> {
        let records = self.known.iter().map(|text| Record::of_text(text)).collect::<Option<Vec<_>>>();
        let records = records.ok_or("a record is none of a deck")?;
        if self.records < records.len() as u64 || self.records != self.looked_at.records() {
            return Err("it holds other records than it says were read".to_owned());
        }
        self.recovered.iter().map(|own| own.judge(&records)).collect()
    }

    /// What [`PredictionFile::judge`] found, as sentences.
    pub fn sentences(&self, name: &str, verified: &[Verified]) -> String {
        let of = |(own, verified): (&Recovery, &Verified)| {
            format!("{name}: {}", verified_sentence(own, verified, "the records in it"))
        };
        let states: String = self.recovered.iter().zip(verified).map(of).collect();
        let read = self.looked_at.number();
        format!(
            "{states}It says that it comes from {read}. That these were dealt, and what else was read, is the word of the one who wrote the \
             file; deckproof predict --check compares it with your own.\n"
        )
    }
}

/// What a state deals, of which records.
fn verified_sentence(own: &Recovery, verified: &Verified, whose: &str) -> String {
    format!(
        "the state of {} deals {} of {whose}; fair decks do so with a chance below 1e{:.0}.\n",
        own.dealer_words(),
        thousands(verified.records),
        verified.bound_log10.ceil()
    )
}

/// What checking a certificate against records found: the text, and the same as JSON.
pub fn checked(
    recovered: &[Recovery],
    verified: &Result<Vec<Verified>, String>,
    looked_at: &LookedAt,
) -> (String, String) {
    let records = format!("these {}", looked_at.number());
    let (text, states) = match verified {
        Ok(verified) => {
            let both = || recovered.iter().zip(verified);
            let text: String =
                both().map(|(own, seen)| capitalised(&verified_sentence(own, seen, &records))).collect();
            let states: Vec<Value> = both()
                .map(|(own, seen)| {
                    json!({
                        "model": own.model, "generator": own.generator, "records": seen.records, "bound_log10": seen.bound_log10,
                    })
                })
                .collect();
            (text, states)
        }
        Err(fault) => (format!("The certificate does not hold: {fault}.\n"), Vec::new()),
    };
    let json = json!({
        "format": FORMAT, "records": looked_at.records(), "looked_at": looked_at, "holds": verified.is_ok(),
        "fault": verified.as_ref().err(), "states": states,
    });
    (text + &looked_at.sentences(), format!("{json:#}\n"))
}

/// `recovered` or `not recovered`.
fn outcome(recovered: &[Recovery]) -> &'static str {
    if recovered.is_empty() { "not recovered" } else { "recovered" }
}

/// The report as JSON.
pub fn json_of(looked_at: &LookedAt, recovered: &[Recovery], report: &Report) -> String {
    let whole = Whole {
        format: FORMAT,
        records: looked_at.records(),
        looked_at,
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
pub fn text_of(looked_at: &LookedAt, recovered: &[Recovery], report: &Report) -> String {
    let mut text = String::new();
    for own in recovered {
        text += &recovered_text(own, looked_at);
    }
    if recovered.is_empty() {
        text += &format!("NOT RECOVERED from {} by the models below.\n", looked_at.number());
    }
    text += &looked_at.sentences();
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

fn recovered_text(own: &Recovery, looked_at: &LookedAt) -> String {
    let records = looked_at.records();
    // Records are counted from 1 here, as --begins and an audit do.
    let first = own.runs.first().map_or(0, |run| run[0]) + 1;
    let seed = own.seed.as_ref().map_or(String::new(), |(seeding, seed, calls)| {
        format!("Its seed is {seed} ({seeding}), {calls} calls before the first record.\n")
    });
    let alone = if own.records() > own.fitted { String::new() } else { overdetermined(own) };
    let runs = own.all_runs();
    let last = own.end();
    let is_followed = last < records;
    let ends = !own.leads_on(is_followed);
    let until = if is_followed && !ends { format!("to record {}", thousands(last)) } else { "on".to_owned() };
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
            let none = if is_followed { "; none of the records that follow is shown to be one" } else { "" };
            format!("The next decks after record {last}, first card first{none}:")
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
        "RECOVERED: after {}, from record {first} {until}, {known}: {}.\n\
         The state before record {first} is {}.\n{seed}\
         It deals {} of the {} looked at, {} of them beyond those that the fit used.{alone}{} Fair decks agree with any state of any such dealer \
         with a chance below 1e{:.0}.\n{next}",
        counted(own.fitted, "deck", "decks"),
        own.dealer_words(),
        state_shown(&own.state),
        thousands(own.records()),
        counted(records, "record", "records"),
        thousands(own.records().saturating_sub(own.fitted)),
        others(own, records),
        own.bound_log10.ceil(),
    )
}

/// Stretches of records that a screen names.
const STRETCHES_SHOWN: usize = 5;

/// The records that it is not shown to deal.
fn others(own: &Recovery, records: u64) -> String {
    let runs = own.runs.iter().map(|run| (run[0], run[0].saturating_add(run[1])));
    let mut next = 0;
    let mut stretches = Vec::new();
    for (first, end) in runs.chain([(records, records)]) {
        if first > next {
            let (from, to) = (thousands(next + 1), thousands(first));
            stretches.push(if first == next + 1 { from } else { format!("{from} to {to}") });
        }
        next = end;
    }
    let more = stretches.len().saturating_sub(STRETCHES_SHOWN);
    let more = if more == 0 { String::new() } else { format!(" and {more} stretches more") };
    stretches.truncate(STRETCHES_SHOWN);
    match &stretches[..] {
        [] => String::new(),
        _ => format!(" Not shown to be dealt by it: record {}{more}.", stretches.join("; ")),
    }
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
    models.iter().for_each(|model| _ = of_models.add_row([model.name(), model.about().assumed]));
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
