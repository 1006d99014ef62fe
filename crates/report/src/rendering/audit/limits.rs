//! What a number of decks could test, what it can exclude, and how many more the rest needs.

use serde_json::{Value, json};

use crate::document::words::{Language, Words};
use deckproof_audit::audit::budget::{self, Need};
use deckproof_audit::audit::plan::Plan;
use deckproof_audit::power::table::{DealerPower, Power, PowerTable};
use deckproof_deck::text::decimal::thousands;

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

    /// How many statistics so many decks feed.
    pub fn fed(&self, words: &Words) -> String {
        let (fed, all) = (self.sufficient.len(), self.sufficient.len() + self.insufficient.len());
        words.verdict.fed(self.decks, fed as u64, all as u64)
    }

    /// Sentences.
    pub fn sentences(&self) -> Vec<String> {
        let PlanLimits { decks, insufficient, .. } = self;
        let mut sentences = vec![self.fed(Language::English.words())];
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
            (Power::NotMeasured, _) => return Language::English.words().verdict.power_not.to_owned(),
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
                if names.len() > NAMED_MAX {
                    format!(" {what}: {}.", names.len())
                } else {
                    format!(" {what}: {} ({}).", names.len(), names.join(", "))
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

/// The risk of passing a flawed shuffler with so many decks.
pub fn false_accept(power: &Power, decks: u64, words: &Words) -> String {
    let own = &words.verdict;
    match power {
        Power::Measured(table) => measured(table, decks, words),
        Power::OtherVersions { table, changed } => {
            own.power_other(&changed.join("; "), &measured(table, decks, words))
        }
        Power::NotMeasured => own.power_not.to_owned(),
    }
}

fn measured(table: &PowerTable, decks: u64, words: &Words) -> String {
    let own = &words.verdict;
    let (caught, missed) = table.caught_and_missed(decks);
    let seeds = caught
        .iter()
        .map(|row| row.decks.len())
        .min()
        .map_or_else(String::new, |seeds| own.power_seeds(seeds as u64, &lowest_share(seeds)));
    let all = (caught.len() + missed.len()) as u64;
    let sentence = own.power(decks, caught.len() as u64, all, &seeds, table.made.decks_max, &table.made.date);
    if missed.is_empty() {
        sentence
    } else {
        let names: Vec<&str> = missed.iter().map(|row| row.dealer.as_str()).collect();
        own.power_missed(&sentence, &names.join(", "))
    }
}

/// What "in 20 of 20 seeds" shows, in percent: if a dealer is caught with probability q, all of n are with q^n, which is 5 % at the
/// lower end of the one-sided 95 % interval (Clopper & Pearson 1934).
fn lowest_share(seeds: usize) -> String {
    format!("{:.0}", 100.0 * libm::pow(0.05, 1.0 / seeds as f64))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn twenty_of_twenty_show_86_percent() {
        assert_eq!(lowest_share(20), "86");
        // The rule of three (Hanley & Lippman-Hand 1983): 1 − 3/n.
        assert_eq!(lowest_share(300), "99");
    }
}
