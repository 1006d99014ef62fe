//! What a number of decks could test, what it can exclude, and how many more the rest needs.

use serde_json::{Value, json};

use crate::report::page::PowerRow;
use deckproof_audit::audit::budget::{self, Need};
use deckproof_audit::audit::plan::Plan;
use deckproof_audit::power::table::{DealerPower, Power, PowerTable};
use deckproof_stats::math::decimal::thousands;

/// Most dealers that a sentence names; above, it counts them.
const NAMED_MAX: usize = 16;

/// What a plan's statistics make of so many decks.
pub struct PlanLimits {
    decks: u64,
    sufficient: Vec<Need>,
    insufficient: Vec<Need>,
    power: Power,
}

impl PlanLimits {
    /// Of so many decks under this plan.
    pub fn new(plan: &Plan, decks: u64) -> PlanLimits {
        let (sufficient, insufficient) =
            budget::needs(plan).into_iter().partition(|need| need.decks_missing(decks) == 0);
        PlanLimits { decks, sufficient, insufficient, power: Power::of_plan(plan) }
    }

    /// Sentences.
    pub fn sentences(&self) -> Vec<String> {
        let PlanLimits { decks, sufficient, insufficient, .. } = self;
        let all = sufficient.len() + insufficient.len();
        let mut sentences = vec![format!(
            "{} {} {} of {all} statistics (each view of a statistic counted by itself; some of its parts need more decks).",
            thousands(*decks),
            if *decks == 1 { "deck feeds" } else { "decks feed" },
            sufficient.len()
        )];
        let missing = insufficient.iter().map(|need| {
            format!(
                "{} ({}) needs {} decks, {} more.",
                need.id,
                need.title,
                thousands(need.decks_needed),
                thousands(need.decks_missing(*decks))
            )
        });
        sentences.extend(missing);
        sentences.push(self.power_sentence());
        sentences
    }

    /// Which flawed dealers so many decks would have shown.
    fn power_sentence(&self) -> String {
        let caught: Vec<&str> = self.excluded().collect();
        let words = match (&self.power, caught.as_slice()) {
            (Power::NotMeasured, _) => return NOT_MEASURED.to_owned(),
            (_, []) => "So many decks would show none of the flawed dealers of the power table.".to_owned(),
            (_, caught) => {
                let of = self.power.faulty().count();
                format!(
                    "So many decks would have shown {} of the {of} flawed dealers of the power table (--json names them).",
                    caught.len()
                )
            }
        };
        let words = words + &self.missed_words();
        match &self.power {
            Power::OtherVersions { changed, .. } => {
                format!(
                    "{words} That was measured with other versions of some statistics ({}).",
                    changed.join("; ")
                )
            }
            _ => words,
        }
    }

    /// Which flawed dealers so many decks would pass, with those that no number tried has shown apart.
    fn missed_words(&self) -> String {
        let is_missed = |row: &&DealerPower| row.decks_in_all().is_none_or(|needed| needed > self.decks);
        let (later, never): (Vec<&DealerPower>, Vec<&DealerPower>) =
            self.power.faulty().filter(is_missed).partition(|row| row.decks_in_all().is_some());
        let named = |rows: &[&DealerPower], what: &str| match rows {
            [] => String::new(),
            rows => {
                let names: Vec<&str> = rows.iter().map(|row| row.dealer.as_str()).collect();
                match names.len() > NAMED_MAX {
                    true => format!(" {what}: {}.", names.len()),
                    false => format!(" {what}: {} ({}).", names.len(), names.join(", ")),
                }
            }
        };
        let tried = thousands(self.power.decks_max());
        named(&later, "Not shown by so many, but by more")
            + &named(&never, &format!("Not shown under every seed by any number tried, up to {tried}"))
    }

    fn excluded(&self) -> impl Iterator<Item = &'static str> {
        self.power.caught(self.decks).into_iter().map(|row| row.dealer.as_str())
    }

    /// The same for programs.
    pub fn json(&self) -> Value {
        let missing = self.insufficient.iter().map(|need| {
            json!({
                "id": need.id, "decks_needed": need.decks_needed,
                "decks_more": need.decks_missing(self.decks),
            })
        });
        let excluded: Vec<&str> = self.excluded().collect();
        json!({
            "decks": self.decks,
            "statistics_fed": self.sufficient.iter().map(|need| need.id.as_str()).collect::<Vec<_>>(),
            "statistics_not_fed": missing.collect::<Vec<_>>(),
            "power": self.power.name(),
            "flawed_dealers_shown": excluded,
            "sentences": self.sentences(),
        })
    }
}

/// What is said of a plan whose power nobody measured.
const NOT_MEASURED: &str = "The power of this plan, with just these statistics, was not measured: which flawed \
    dealers it would pass is not known by number. The command deckproof power measures the power of \
    whole tiers.";

/// What the numbers of the table hold for.
const FROM_THE_START: &str = "These dealers are faulty from their first deck on, unless they are described otherwise: parts that \
    read the first decks only, as many as stand beside them, see nothing of a fault that begins later.";

/// The risk of passing a flawed shuffler with so many decks.
pub fn false_accept(power: &Power, decks: u64) -> String {
    match power {
        Power::Measured(table) => measured(table, decks),
        Power::OtherVersions { table, changed } => format!(
            "The power of this plan was measured with other versions of its statistics ({}); with these: {}",
            changed.join("; "),
            measured(table, decks)
        ),
        Power::NotMeasured => NOT_MEASURED.to_owned(),
    }
}

fn measured(table: &PowerTable, decks: u64) -> String {
    let (caught, missed) = table.caught_and_missed(decks);
    let names = |rows: &[&DealerPower]| rows.iter().map(|r| r.dealer.as_str()).collect::<Vec<_>>().join(", ");
    let first = format!(
        "With {} decks this battery catches {} of {} faulty dealers it was tried on, each under every seed{} \
         (family p-value below 0.000001, measured up to {} decks on {}).",
        thousands(decks),
        caught.len(),
        caught.len() + missed.len(),
        caught.iter().map(|row| row.decks.len()).min().map_or_else(String::new, all_of_sentence),
        thousands(table.made.decks_max),
        table.made.date
    );
    let first = format!("{first} {FROM_THE_START}");
    match missed.is_empty() {
        true => first,
        false => format!("{first} It may pass these: {}.", names(&missed)),
    }
}

/// What "in 20 of 20 seeds" shows: if a dealer is caught with probability q, all of n are with q^n, which is 5 % at the
/// lower end of the one-sided 95 % interval (Clopper & Pearson 1934).
fn all_of_sentence(seeds: usize) -> String {
    let lowest = 100.0 * libm::pow(0.05f64, 1.0 / seeds as f64);
    format!(" ({seeds} of {seeds} seeds show at least {lowest:.0} % of runs, at 95 % confidence)")
}

/// The faulty dealers of the measurement of a plan, for reports.
pub fn power_rows(power: &Power) -> Vec<PowerRow> {
    let row = |row: &deckproof_audit::power::table::DealerPower| PowerRow {
        dealer: row.dealer.clone(),
        mechanism: row.mechanism.clone(),
        decks_needed: row.decks_in_all(),
    };
    power.faulty().map(row).collect()
}
