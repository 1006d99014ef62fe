//! `deckproof audit --list`: every statistic, and the tests that regulators name with the statistics that are them.

use std::fmt::Write;

use serde_json::{Value, json};

use deckproof_audit::standards::familiar::FAMILIAR;
use deckproof_audit::standards::{self, Standard};
use deckproof_deck::text::decimal::thousands;
use deckproof_stats::battery::{self, About, View, duplicates, stud};

/// One entry of the list.
struct Entry {
    about: &'static About,
    family: &'static str,
    views: &'static [View],
    /// How many decks some of its parts read at most.
    reads: Vec<(&'static str, u64)>,
}

/// The statistics with their families, the looks for repeated decks last.
fn statistics() -> Vec<Entry> {
    let counted = battery::all().iter().map(|statistic| Entry {
        about: statistic.about(),
        family: statistic.family(),
        views: statistic.views(),
        reads: statistic.reads(),
    });
    let dealt =
        stud::abouts().map(|(about, family)| Entry { about, family, views: stud::VIEWS, reads: Vec::new() });
    let sketches = duplicates::all().iter().map(|equivalence| Entry {
        about: &equivalence.about,
        family: duplicates::FAMILY,
        views: equivalence.views,
        reads: Vec::new(),
    });
    counted.chain(dealt).chain(sketches).collect()
}

/// The list for people.
pub fn text() -> String {
    let mut text = String::new();
    let mut line = |words: String| writeln!(text, "{words}").expect("a string takes every line");
    line(format!(
        "{} statistics; those of the tier stud see hands dealt at a table (--rules, --players; by default stud-hi, 6 players). Views: deck, the decks as dealt; inverse, the place \
         of each card; relative, where each place's card lies in the next deck; relative-cards, which card takes each \
         card's place in the next deck. The views inverse and relative-cards come with the tier deep.",
        statistics().len()
    ));
    for test in FAMILIAR {
        line(format!("{}: {}", test.name, test.id));
    }
    for Entry { about, family, views, reads } in statistics() {
        line(String::new());
        line(format!("{} ({}, tier {}, family {family})", about.id, about.title, about.tier.name()));
        let views: Vec<&str> = views.iter().map(|view| view.name()).collect();
        line(format!("  Views: {}.", views.join(", ")));
        line(format!("  Null hypothesis: {}", about.null));
        line(format!("  Formula and source: {}.", about.source));
        line(format!("  It detects: {}", about.detects));
        let decks = if about.decks_min == 1 { "deck" } else { "decks" };
        line(format!("  It needs {} {decks}.", thousands(about.decks_min)));
        if !reads.is_empty() {
            let reads: Vec<String> =
                reads.iter().map(|(part, decks)| format!("{part} {}", thousands(*decks))).collect();
            line(format!("  Decks that its parts read at most: {}.", reads.join(", ")));
        }
    }
    for standard in standards::all() {
        line(String::new());
        line(format!("{} ({}), {}:", standard.name, standard.clause, confidence(standard)));
        for test in standard.tests {
            let own = if test.is_built() { test.statistics.join(", ") } else { "not built".to_owned() };
            line(format!("  {}: {own}", test.name));
        }
    }
    text
}

fn confidence(standard: &Standard) -> String {
    let levels: Vec<String> = standard.confidence_percent.iter().map(|level| format!("{level} %")).collect();
    format!("{} confidence", levels.join(" and "))
}

/// The list for programs.
pub fn json() -> Value {
    let statistics = statistics().into_iter().map(|Entry { about, family, views, reads }| {
        let reads: serde_json::Map<String, Value> =
            reads.into_iter().map(|(part, decks)| (part.to_owned(), json!(decks))).collect();
        json!({
            "id": about.id, "version": about.version, "tier": about.tier.name(), "family": family,
            "views": views.iter().map(|view| view.name()).collect::<Vec<_>>(),
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
