//! What judging a certificate again found, in sentences and as JSON.

use serde_json::{Value, json};

use crate::document::words::{Language, Words};
use crate::rendering::audit::left_out::left_out;
use crate::rendering::audit::page::order_words;
use crate::rendering::audit::verdict::{extent, numbering_unchecked, open_of_source, slip, verdict_sentence};
use deckproof_audit::certificate::standards::{Conformity, StandardRecord};
use deckproof_audit::certificate::{AuditResult, Certificate, Tool};
use deckproof_audit::source::format::Written;
use deckproof_verify::claim::{ClaimSubject, Claims};

/// What a certificate that contradicts itself or its decks is called.
pub const CODE: &str = "E_CERTIFICATE";

/// That a certificate is consistent, with what was judged and what was not. `rerun` says that its decks were counted
/// again; `own` is the program that judged it.
pub fn consistent(
    name: &str,
    certificate: &Certificate,
    own: &Tool,
    rerun: bool,
    plan: Option<&str>,
    words: &Words,
) -> String {
    let (result, ours) = (&certificate.result, &words.certificate);
    let is_counted = result.claims(rerun).shows(ClaimSubject::Counts);
    let verdict = words.cover.word(result.verdict);
    let mut lines = vec![match (is_counted, result.source.abilities().is_supplied) {
        (false, _) => ours.follows(name, verdict),
        (true, true) => ours.read_again(name, verdict, result.decks()),
        (true, false) => ours.dealt_again(name, verdict, result.decks()),
    }];
    // The one line of --quiet says on what it hangs.
    lines[0] += &conditions(result, words);
    lines.extend(facts(certificate, words));
    lines.push(ours.says(&verdict_sentence(result, words)));
    lines.extend(plan.map(str::to_owned));
    lines.extend(
        not_checked(certificate, own, rerun, plan.is_some(), words).iter().map(|what| ours.not_checked(what)),
    );
    lines.join("\n") + "\n"
}

/// The standards whose tests are not met, what the plan leaves out, that a start order was stated, and what of an export explains
/// a proof as well.
fn conditions(result: &AuditResult, words: &Words) -> String {
    let missed = standards_not_met(result, words);
    let missed = (!missed.is_empty()).then(|| words.certificate.standards_not_met(&missed.join(", ")));
    let left_out = left_out(&result.plan, words).map(|left_out| words.verdict.plan_left_out(&left_out));
    let start = result.plan.stated_start_order().map(|_| words.verdict.by_start.to_owned());
    let slip = slip(result, words).map(str::to_owned);
    let all = missed.into_iter().chain(left_out).chain(start).chain(slip);
    all.map(|condition| format!(" {condition}")).collect()
}

/// Standards that the deciding look does not meet at their own levels: no verdict counts them.
fn standards_not_met(result: &AuditResult, words: &Words) -> Vec<String> {
    let missed = result.deciding().standards.iter().filter(|record| record.verdict == Conformity::NotMet);
    let named = |record: &StandardRecord| {
        words.page.standard_at(words.standard_name(&record.name), record.confidence_percent.into())
    };
    missed.map(named).collect()
}

/// [`consistent`] for programs, in English.
pub fn consistent_json(
    certificate: &Certificate,
    own: &Tool,
    rerun: bool,
    claims: &Claims,
    plan: Option<&str>,
) -> Value {
    let result = &certificate.result;
    json!({
        "verdict": "consistent", "code": null, "claims": claims,
        "certificate_verdict": result.verdict, "decks": result.decks(),
        "standards_not_met": standards_not_met(result, Language::English.words()),
        "family_p_value": result.deciding().family_p_value,
        "subject": result.plan.subject, "source": result.source, "source_words": result.source.to_string(), "decks_planned": result.plan.decks,
        "statistics": result.plan.extent(), "plan_sha256": result.plan_sha256, "tool": certificate.tool,
        "repeat": result.repeat.is_some(), "repeat_missing": result.repeat_missing, "rerun": rerun,
        "not_checked": not_checked(certificate, own, rerun, plan.is_some(), Language::English.words()),
    })
}

/// That a certificate contradicts itself or its decks, as a sentence and for programs.
pub fn refused(name: &str, inconsistency: &str, claims: &Claims, words: &Words) -> (String, Value) {
    (
        words.certificate.refused(name, inconsistency) + "\n",
        json!({
            "verdict": "refused", "code": CODE, "message": inconsistency, "claims": claims,
        }),
    )
}

/// What was judged: source, decks, statistics, plan and tool.
fn facts(certificate: &Certificate, words: &Words) -> Vec<String> {
    let (result, tool, own) = (&certificate.result, &certificate.tool, &words.certificate);
    let subject = result.plan.subject.iter();
    let mut facts: Vec<String> = subject.map(|subject| own.subject(&subject.to_string())).collect();
    facts.push(own.source(&result.source.to_string()));
    facts.extend(result.plan.program_sha256.iter().map(|sha256| own.command(sha256)));
    let decks = extent(result, words);
    facts.push(match result.plan.decks {
        Some(planned) => own.decks(&decks, planned),
        None => own.decks_all(&decks),
    });
    let p_values = result.deciding().statistics.len() as u64;
    facts.push(own.statistics(&result.plan.extent(), p_values));
    facts.push(words.about(own.label_plan, &result.plan_sha256) + ".");
    facts.push(words.about(own.label_tool, &own.tool(&tool.version, &tool.commit)) + ".");
    facts
}

/// What nobody, or not this call, has looked at.
fn not_checked(
    certificate: &Certificate,
    tool: &Tool,
    rerun: bool,
    is_plan_shown: bool,
    words: &Words,
) -> Vec<String> {
    let (own, mut sentences) = (&words.certificate, Vec::new());
    match certificate.result.plan.source.abilities().rerun {
        _ if rerun => {}
        Err(reason) => sentences.push(own.not_reproducible(reason)),
        Ok(()) => sentences.push(own.integers.to_owned()),
    }
    let result = &certificate.result;
    sentences.extend(result.plan.stated_start_order().map(|order| own.start(&order_words(&order))));
    sentences.extend(left_out(&result.plan, words).map(|left_out| own.left_out(&left_out)));
    sentences.extend(Written::chosen(&result.source).map(|option| own.chosen(&option)));
    sentences.extend(numbering_unchecked(result, words));
    sentences.extend(open_of_source(result, words));
    if *tool != certificate.tool {
        sentences.push(own.other_tool.to_owned());
    }
    sentences.extend(certificate.result.may_hold_twice().then(|| own.held_once.to_owned()));
    sentences.extend((!is_plan_shown).then(|| own.plan_time.to_owned()));
    sentences.push(own.run_once.to_owned());
    sentences
}
