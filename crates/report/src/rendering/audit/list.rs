//! `deckproof audit --list`: every statistic, and the tests that regulators name with the statistics that are them.

use askama::Template;
use serde_json::{Value, json};

use deckproof_audit::standards;
use deckproof_audit::standards::familiar::FAMILIAR;
use deckproof_deck::text::decimal;
use deckproof_stats::battery::{self, About, View};

/// The statistics, the looks for repeated decks last; each with how many decks some of its parts read at most.
fn statistics() -> Vec<(&'static About, Vec<(&'static str, u64)>)> {
    let counted = battery::all();
    let reads = |about: &About| counted.iter().find(|own| own.about().id == about.id).map(|own| own.reads());
    battery::abouts().map(|about| (about, reads(about).unwrap_or_default())).collect()
}

fn views(about: &About) -> Vec<&'static str> {
    about.design.views.iter().map(|view| view.name()).collect()
}

/// The list for people.
pub fn text() -> String {
    ListTemplate { statistics: statistics() }
        .render()
        .expect("a String takes every text and no value can fail")
}

#[derive(Template)]
#[template(path = "list.txt", config = "src/report/templates/askama.toml", whitespace = "preserve")]
struct ListTemplate {
    statistics: Vec<(&'static About, Vec<(&'static str, u64)>)>,
}

/// The list for programs.
pub fn json() -> Value {
    let statistics = statistics().into_iter().map(|(about, reads)| {
        let reads: serde_json::Map<String, Value> =
            reads.into_iter().map(|(part, decks)| (part.to_owned(), json!(decks))).collect();
        json!({
            "id": about.id, "version": about.version, "tier": about.tier.name(), "family": about.family(),
            "views": views(about),
            "title": about.title, "null": about.null, "source": about.source, "detects": about.detects,
            "decks_min": about.decks_min, "decks_read_max": reads,
        })
    });
    let standards = standards::all().iter().map(|standard| {
        let tests = standard.tests.iter().map(
            |test| json!({ "name": test.name, "is_built": test.is_built(), "statistics": test.statistics }),
        );
        json!({
            "name": standard.name, "clause": standard.clause,
            "confidence_percent": standard.confidence_percent, "tests": tests.collect::<Vec<_>>(),
        })
    });
    let familiar = FAMILIAR.map(|test| json!({ "name": test.name, "p_value": test.id }));
    json!({
        "familiar": familiar,
        "views": View::ALL.map(View::name),
        "statistics": statistics.collect::<Vec<_>>(),
        "standards": standards.collect::<Vec<_>>(),
    })
}
