//! The summary: each item, each standard, and what stays open.

use crate::audit::verdict::Verdict;
use crate::campaign::content::{Said, demands, fact, table};
use crate::campaign::facts::Conformance;
use crate::document::{Block, Column, Section, Value};

pub(super) fn section(said: &Said) -> Section {
    let words = &said.words.cover;
    let blocks = vec![
        items(said),
        standards(said),
        Block::Heading(words.observations.to_owned()),
        Block::List(observations(said)),
        Block::Facts(vec![fact(words.root, Value::hash(&said.facts.campaign_sha256))]),
    ];
    super::section("summary", words.summary, blocks)
}

fn items(said: &Said) -> Block {
    let words = &said.words.cover;
    let rows = said.facts.items.iter().map(|item| {
        let root = item.manifest_sha256.as_ref().map_or(Value::Empty, Value::hash);
        vec![Value::text(&item.item), said.number(item.decks), Value::text(said.verdict(item.verdict)), root]
    });
    let columns = vec![
        Column::words(words.item, 2),
        Column::numbers(words.decks, 2),
        Column::words(words.verdict, 2),
        Column::words(words.files_root, 5),
    ];
    table(words.items_caption, columns, rows.collect(), "")
}

fn standards(said: &Said) -> Block {
    let words = &said.words.cover;
    let rows = said.facts.standards.iter().map(|standard| {
        let p_value = standard.p_value.map_or(Value::text("–"), |p| said.p_value(p));
        vec![
            Value::text(said.standard(&standard.standard, &standard.clause)),
            Value::text(&standard.item),
            Value::text(said.words.percent(f64::from(standard.confidence_percent) / 100.0, 0)),
            said.number(standard.audits as u64),
            p_value,
            Value::text(said.conformance(standard.conformance)),
        ]
    });
    let columns = vec![
        Column::words(words.standard, 10),
        Column::words(words.item, 4),
        Column::numbers(words.level, 4),
        Column::numbers(words.audits, 3),
        Column::numbers(words.p_value, 4),
        Column::words(words.result, 4),
    ];
    table(words.standards_caption, columns, rows.collect(), words.standards_note)
}

/// Everything that a reader must know before he relies on the first page.
fn observations(said: &Said) -> Vec<String> {
    let (words, facts) = (&said.words.cover, said.facts);
    let mut open = Vec::new();
    for audit in &facts.audits {
        if audit.verdict != Verdict::Pass {
            open.push((words.audit_not_passed)(&audit.id, said.verdict(audit.verdict)));
        }
        if audit.repeat_missing.is_some() {
            open.push((words.repeat_missing)(&audit.id));
        }
        if audit.aborted_runs > 0 {
            open.push((words.began_again)(&audit.id, audit.aborted_runs));
        }
    }
    let raw = facts.raw.iter().filter(|raw| raw.verdict != Verdict::Pass);
    open.extend(raw.map(|raw| (words.raw_not_passed)(&raw.item, said.verdict(raw.verdict))));
    let broken = facts.standards.iter().filter(|standard| standard.conformance == Conformance::NotMet);
    open.extend(
        broken
            .map(|standard| (words.standard_not_met)(&standard.item, said.standard_name(&standard.standard))),
    );
    let silent = facts.standards.iter().filter(|standard| standard.conformance == Conformance::NotAssessed);
    open.extend(silent.filter_map(|own| {
        let reason = own.reason.as_deref()?;
        Some((words.standard_not_assessed)(&own.item, said.standard_name(&own.standard), reason))
    }));
    // A standard of several levels lacks the same tests at each.
    open.dedup();
    let against = facts.external.iter().filter(|external| external.contradicts);
    open.extend(against.map(|external| (words.external_disagrees)(&external.file)));
    let unlisted = facts.items.iter().filter(|item| item.manifest_sha256.is_none());
    open.extend(unlisted.map(|item| (words.files_missing)(&item.item)));
    if !facts.selftest_passed {
        open.push(words.selftest_failed.to_owned());
    }
    let rows = demands::open_rows(said);
    if rows > 0 {
        open.push((words.rows_open)(rows));
    }
    if open.is_empty() {
        open.push(words.none_open.to_owned());
    }
    open
}
