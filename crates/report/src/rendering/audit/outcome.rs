//! The outcome of an audit as one JSON object for programs.

use std::path::Path;

use serde_json::{Value, json};

use crate::document::words::{Language, Words};
use crate::rendering::audit::limits::PlanLimits;
use crate::rendering::audit::page::taken_as;
use crate::rendering::audit::verdict::{
    extent, extreme_place, next_step, not_shown, repeat_missing, short_sentence, verdict_sentence,
};
use deckproof_audit::certificate::AuditResult;
use deckproof_audit::certificate::look::Look;
use deckproof_audit::session::extreme::ExtremeDeck;
use deckproof_stats::battery;
use deckproof_stats::battery::stud::table::StudTable;

/// The outcome in one line: the verdict, whose decks, how many of a stream, and how numbers were taken for cards.
pub fn line(
    result: &AuditResult,
    files: &[String],
    bad_record: Option<&str>,
    extreme_deck: Option<&ExtremeDeck>,
    words: &Words,
) -> String {
    let own = &words.page;
    let labelled = |label: &str, text: &str| format!(" {}.", words.about(label, text));
    let files = match (bad_record, extreme_deck, files) {
        (Some(place), ..) => labelled(own.bad_record, place),
        (None, Some(deck), _) => labelled(own.extreme_deck, &extreme_place(deck, words)),
        (None, None, []) => String::new(),
        (None, None, files) => labelled(own.file, &files.join(", ")),
    };
    let source = labelled(own.source, &words.verdict.own_words(&result.source.to_string()));
    let decks = if result.source.is_stream() {
        format!(" {}", words.verdict.extent(&extent(result, words)))
    } else {
        String::new()
    };
    let numbers = taken_as(&result.source, words).map_or(String::new(), |text| labelled(own.numbers, &text));
    format!("{}{files}{source}{decks}{numbers}\n", short_sentence(result, words))
}

/// The outcome: numbers of the look the verdict rests on, then every look by itself.
pub fn json(
    folder: &Path,
    result: &AuditResult,
    believed: &[String],
    extreme_deck: Option<&ExtremeDeck>,
) -> Value {
    let (deciding, words) = (result.deciding(), Language::English.words());
    let looks: Vec<Value> = ["first", "repeat"].iter().zip(result.looks()).map(look_json).collect();
    json!({
        "verdict": result.word(),
        "decks": deciding.decks,
        "family_p_value": deciding.family_p_value,
        "family_p_value_convicting": deciding.family_p_value_convicting,
        "sentence": verdict_sentence(result, words),
        "claims": result.claims(true),
        "proofs": deciding.proofs,
        "statistics": statistics_json(deciding),
        "not_run": deciding.not_run,
        "standards": deciding.standards,
        "seed_space": deciding.seed_space_sentence(),
        "limits": PlanLimits::new(&result.plan, deciding.decks).json(),
        "not_shown": believed.iter().cloned().chain(not_shown(result, words)).collect::<Vec<_>>(),
        "extreme_deck": extreme_deck,
        "next_step": next_step(result, extreme_deck, words),
        "looks": looks,
        "repeat_missing": result.repeat_missing.map(|reason| repeat_missing(reason, words)),
        "subject": result.plan.subject,
        "source": result.source,
        "start_order": result.plan.start_order,
        "table": result.plan.table,
        "table_not_judged": result.plan.table().and_then(StudTable::not_judged),
        "plan_sha256": result.plan_sha256,
        "certificate": folder.join("certificate.json"),
        "report": folder.join("report.html"),
    })
}

fn look_json((turn, look): (&&str, &Look)) -> Value {
    json!({
        "look": turn,
        "first_deck": look.first_deck,
        "decks": look.decks,
        "verdict": look.verdict,
        "family_p_value": look.family_p_value,
        "family_p_value_convicting": look.family_p_value_convicting,
        "proofs": look.proofs,
        "statistics": statistics_json(look),
        "not_run": look.not_run,
        "standards": look.standards,
    })
}

fn statistics_json(look: &Look) -> Vec<Value> {
    let record_json = |record: &deckproof_audit::certificate::StatisticRecord| {
        json!({
            "id": record.id, "tier": tier_of(&record.id), "family": record.family, "decks": record.decks,
            "score_name": record.score_name, "score": record.score, "p_value": record.p_value,
            "tail": record.tail, "p_value_bound": record.p_value_bound,
        })
    };
    look.statistics.iter().map(record_json).collect()
}

/// The tier of `view.statistic.part`.
fn tier_of(id: &str) -> &'static str {
    let name = id.split('.').nth(1);
    let about = battery::abouts().find(|about| Some(about.id) == name);
    about.expect("records are of statistics in the list").tier.name()
}
