//! The forms in which this program writes a laboratory report, and what it says at the end of a project.

use std::path::Path;

use crate::project::content::observed;
use crate::project::facts::Facts;
use crate::project::package::Rendering;
use crate::project::package::inputs::Inputs;
use deckproof_audit::audit::verdict::Verdict;
use deckproof_report::document::Document;
use deckproof_report::report::paper;

/// The forms in which this program writes a document.
pub fn renderings() -> Vec<Rendering<'static>> {
    let html =
        Rendering { name: "report.html", write: &|whole: &Document| Ok(paper::html(whole).into_bytes()) };
    let write = &|whole: &Document| paper::pdf(whole).map_err(|error| error.to_string());
    let pdf = Rendering { name: "report.pdf", write };
    [html].into_iter().chain(paper::WRITES_PDF.then_some(pdf)).collect()
}

/// The names of their files.
pub fn page_names() -> Vec<String> {
    renderings().iter().map(|rendering| rendering.name.to_owned()).collect()
}

/// What a person reads at the end of a project, in the language of its report.
pub fn ended(out: &Path, inputs: &Inputs, facts: &Facts, files: usize, is_quiet: bool) -> String {
    let words = inputs.project.language.words();
    let said = &words.campaign;
    let mut lines = Vec::new();
    if !is_quiet {
        for audit in &facts.audits {
            let decks = audit.decks_first.saturating_add(audit.decks_repeat.unwrap_or(0));
            let verdict = observed::verdict(words, audit.verdict);
            let p_value = words.joint_p_value(audit.family_p_value);
            lines.push(said.audit(&audit.id, verdict, decks, &p_value, audit.p_values as u64));
            lines.extend(audit.proofs.iter().map(|proof| format!("  {}", words.result.proof(proof))));
        }
        for raw in &facts.raw {
            let (verdict, p_value) =
                (observed::verdict(words, raw.verdict), words.joint_p_value(raw.family_p_value));
            lines.push(said.raw(&raw.item, verdict, raw.words, &p_value));
        }
    }
    let against = observed::against(facts, words).into_iter().chain(observed::alone(facts, words));
    lines.extend(against.chain(observed::repeated(inputs, facts, words)));
    let not_passed = facts.audits.iter().filter(|audit| audit.verdict_in_family != Verdict::Pass).count();
    let headline = observed::headline(words, facts.headline);
    let (audits, revision) = (facts.audits.len() as u64, u64::from(facts.revision));
    lines.push(said.ended(headline, audits, not_passed as u64, revision));
    if !facts.selftest_passed {
        lines.push(said.selftest_failed.to_owned());
    }
    lines.push(said.written(files as u64, &out.display().to_string()));
    if !paper::WRITES_PDF {
        lines.push(said.no_pdf.to_owned());
    }
    lines.iter().map(|line| format!("{line}\n")).collect()
}
