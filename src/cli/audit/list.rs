//! `deckproof audit --list`: every statistic, and what answers to the regulators' names.

use std::fmt::Write;

use serde_json::{Value, json};

use crate::battery::standards::{self, Standard};
use crate::battery::{self, About, View, duplicates};
use crate::cli::audit::table::thousands;

/// The statistics with their families, the look for repeated decks last.
fn statistics() -> Vec<(&'static About, &'static str)> {
    battery::abouts().chain([(&duplicates::ABOUT, duplicates::ABOUT.id)]).collect()
}

/// The list for people.
pub(super) fn text() -> String {
    let mut text = String::new();
    let mut line = |words: String| writeln!(text, "{words}").expect("a string takes every line");
    let views = View::ALL.map(View::name).join(" and ");
    line(format!(
        "{} statistics, each on the views {views}, those of the tier stud on dealt decks at a table (--rules, --players):",
        statistics().len()
    ));
    for (about, family) in statistics() {
        line(String::new());
        line(format!("{} ({}, tier {}, family {family})", about.id, about.title, about.tier.name()));
        line(format!("  Null hypothesis: {}", about.null));
        line(format!("  It sees: {}", about.sees));
        line(format!("  It needs {} decks.", thousands(about.decks_min)));
    }
    for standard in standards::all() {
        line(String::new());
        line(format!("{} ({}), {}:", standard.name, standard.clause, confidence(standard)));
        for test in standard.tests {
            let answers = if test.is_built() { test.answers.join(", ") } else { "not built".to_owned() };
            line(format!("  {}: {answers}", test.name));
        }
    }
    text
}

fn confidence(standard: &Standard) -> String {
    let levels: Vec<String> = standard.confidence_percent.iter().map(|level| format!("{level} %")).collect();
    format!("{} confidence", levels.join(" and "))
}

/// The list for programs.
pub(super) fn json() -> Value {
    let statistics = statistics().into_iter().map(|(about, family)| {
        json!({
            "id": about.id, "version": about.version, "tier": about.tier.name(), "family": family,
            "title": about.title, "null": about.null, "source": about.source, "sees": about.sees,
            "decks_min": about.decks_min,
        })
    });
    let standards = standards::all().iter().map(|standard| {
        let tests = standard
            .tests
            .iter()
            .map(|test| json!({ "name": test.name, "is_built": test.is_built(), "answers": test.answers }));
        json!({
            "name": standard.name, "clause": standard.clause,
            "confidence_percent": standard.confidence_percent, "tests": tests.collect::<Vec<_>>(),
        })
    });
    json!({
        "views": View::ALL.map(View::name),
        "statistics": statistics.collect::<Vec<_>>(),
        "standards": standards.collect::<Vec<_>>(),
    })
}
