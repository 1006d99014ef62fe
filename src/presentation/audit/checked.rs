//! What judging a certificate again found, in sentences and as JSON.

use serde_json::{Value, json};

use crate::certificate::words::{extent, verdict_sentence};
use crate::certificate::{Certificate, Tool};
use crate::math::decimal::thousands;

/// That a certificate is consistent, with what was judged and what was not. `rerun` says that its decks were counted
/// again; `own` is the program that judged it.
pub fn consistent(name: &str, certificate: &Certificate, own: &Tool, rerun: bool) -> String {
    let said = &certificate.result;
    let how = if rerun {
        let done = if said.source.abilities().is_supplied { "read" } else { "dealt" };
        format!(
            "{} decks were {done} and counted again, and every integer is the same",
            thousands(said.decks())
        )
    } else {
        "every p-value and the verdict follow from its integers".to_owned()
    };
    let mut text = format!("{name}: the certificate is consistent: {how}.\n");
    facts(certificate).iter().for_each(|fact| text += &format!("{fact}\n"));
    text += &format!("It says: {}\n", verdict_sentence(said));
    let not_checked = not_checked(certificate, own, rerun);
    not_checked.iter().for_each(|sentence| text += &format!("Not checked: {sentence}\n"));
    text
}

/// [`consistent`] for programs.
pub fn consistent_json(certificate: &Certificate, own: &Tool, rerun: bool) -> Value {
    let said = &certificate.result;
    json!({
        "verdict": "accepted", "code": null, "certificate_verdict": said.verdict, "decks": said.decks(),
        "family_p_value": said.deciding().family_p_value,
        "subject": said.plan.subject, "source": said.source, "source_words": said.source.to_string(), "decks_planned": said.plan.decks,
        "statistics": said.plan.extent(), "plan_sha256": said.plan_sha256, "tool": certificate.tool,
        "repeat": said.repeat.is_some(), "repeat_missing": said.repeat_missing, "rerun": rerun,
        "not_checked": not_checked(certificate, own, rerun),
    })
}

/// That a certificate contradicts itself or its decks, as a sentence and for programs.
pub fn refused(name: &str, inconsistency: &str) -> (String, Value) {
    (
        format!("{name}: the certificate is refused: {inconsistency}.\n"),
        json!({ "verdict": "refused", "code": "E_CERTIFICATE", "message": inconsistency }),
    )
}

/// What was judged: source, decks, statistics, plan and tool.
fn facts(certificate: &Certificate) -> Vec<String> {
    let (result, tool) = (&certificate.result, &certificate.tool);
    let subject = result.plan.subject.iter();
    let mut facts: Vec<String> =
        subject.map(|subject| format!("Subject, as the plan says and nobody checked: {subject}.")).collect();
    facts.push(format!("Source: {}.", result.source));
    let planned = match result.plan.decks {
        Some(planned) => format!("the plan asked for {}", thousands(planned)),
        None => "the plan asked for all".to_owned(),
    };
    facts.push(format!("Decks: {}; {planned}.", extent(result)));
    facts.push(format!(
        "Statistics: {}, {} p-values.",
        result.plan.extent(),
        result.deciding().statistics.len()
    ));
    facts.push(format!("Plan SHA-256: {}.", result.plan_sha256));
    facts.push(format!("Tool: deckproof {}, commit {}.", tool.version, tool.commit));
    facts
}

/// What nobody, or not this call, has looked at.
fn not_checked(certificate: &Certificate, own: &Tool, rerun: bool) -> Vec<String> {
    let mut sentences = Vec::new();
    match certificate.result.plan.source.abilities().rerun {
        _ if rerun => {}
        Err(reason) => sentences.push(format!(
            "that the integers are those of the source, which nobody can check: {reason}, and integers can be invented."
        )),
        Ok(()) => sentences.push(
            "that the integers are those of the source: integers can be invented, and judging them again shows only \
             that the arithmetic is right (--rerun counts the decks again)."
                .to_owned(),
        ),
    }
    if *own != certificate.tool {
        sentences.push(
            "the tool: this is another build of the program than the one the certificate names.".to_owned(),
        );
    }
    sentences
}
