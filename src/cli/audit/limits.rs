//! What a number of decks could test, what it can exclude, and how many more the rest needs.

use serde_json::{Value, json};

use crate::audit::budget::{self, Need};
use crate::audit::plan::Plan;
use crate::math::decimal::thousands;
use crate::report::page::PowerRow;
use crate::trials::power::table;

/// What a plan's statistics make of so many decks.
pub struct Limits {
    decks: u64,
    sufficient: Vec<Need>,
    insufficient: Vec<Need>,
    power: Vec<PowerRow>,
}

impl Limits {
    /// Of so many decks under this plan.
    pub fn new(plan: &Plan, decks: u64) -> Limits {
        let (sufficient, insufficient) =
            budget::needs(plan).into_iter().partition(|need| need.decks_missing(decks) == 0);
        Limits { decks, sufficient, insufficient, power: power() }
    }

    /// Sentences.
    pub fn sentences(&self) -> Vec<String> {
        let Limits { decks, sufficient, insufficient, .. } = self;
        let all = sufficient.len() + insufficient.len();
        let mut sentences = vec![format!(
            "{} decks feed {} of {all} statistics (views counted apart; some of their parts speak only with more).",
            thousands(*decks),
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
        if self.power.is_empty() {
            return "Which flaws so many decks would show is not measured yet: nothing can be excluded by number."
                .to_owned();
        }
        let caught: Vec<&str> = self.excluded().map(|row| row.dealer.as_str()).collect();
        match caught.as_slice() {
            [] => "So many decks would show none of the flawed dealers of the power table.".to_owned(),
            caught => format!("So many decks would have shown these flawed dealers: {}.", caught.join(", ")),
        }
    }

    fn excluded(&self) -> impl Iterator<Item = &PowerRow> {
        self.power.iter().filter(|row| row.decks_needed.is_some_and(|needed| needed <= self.decks))
    }

    /// The same for programs.
    pub fn json(&self) -> Value {
        let missing = self.insufficient.iter().map(|need| {
            json!({
                "id": need.id, "decks_needed": need.decks_needed,
                "decks_more": need.decks_missing(self.decks),
            })
        });
        let excluded: Vec<&str> = self.excluded().map(|row| row.dealer.as_str()).collect();
        json!({
            "decks": self.decks,
            "statistics_fed": self.sufficient.iter().map(|need| need.id.as_str()).collect::<Vec<_>>(),
            "statistics_not_fed": missing.collect::<Vec<_>>(),
            "power": if self.power.is_empty() { "not measured yet" } else { "measured" },
            "flawed_dealers_shown": excluded,
            "sentences": self.sentences(),
        })
    }
}

/// The faulty dealers of the committed power table, for reports and plans.
pub fn power() -> Vec<PowerRow> {
    let faulty = table::committed().rows.iter().filter(|row| !row.is_control());
    let row = |row: &table::PowerRow| PowerRow {
        dealer: row.dealer.clone(),
        mechanism: row.mechanism.clone(),
        decks_needed: row.decks_in_all(),
    };
    faulty.map(row).collect()
}
