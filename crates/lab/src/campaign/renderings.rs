//! The forms in which this program writes a laboratory report, and what it says at the end of a campaign.

use std::path::Path;

use crate::campaign::content::observed;
use crate::campaign::facts::Facts;
use crate::campaign::package::Rendering;
use crate::campaign::package::inputs::Inputs;
use deckproof_audit::audit::verdict::Verdict;
use deckproof_report::document::Document;
use deckproof_report::document::words::Language;
use deckproof_report::report::paper;
use deckproof_stats::math::decimal::{counted, p_value, thousands};

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

/// What a person reads at the end of a campaign.
pub fn ended(out: &Path, inputs: &Inputs, facts: &Facts, files: usize, is_quiet: bool) -> String {
    let mut text = String::new();
    if !is_quiet {
        for audit in &facts.audits {
            let decks = audit.decks_first.saturating_add(audit.decks_repeat.unwrap_or(0));
            text += &format!(
                "{}: {}, {}, family p-value {} over {} p-values.\n",
                audit.id,
                audit.verdict.name(),
                counted(decks, "deck", "decks"),
                p_value(audit.family_p_value),
                audit.p_values
            );
            audit.proofs.iter().for_each(|proof| text += &format!("  {proof}\n"));
        }
        for raw in &facts.raw {
            text += &format!(
                "{}.raw: {}, {} words of 32 bits, family p-value {} over 5 p-values; null hypothesis: independent fair bits.\n",
                raw.item,
                raw.verdict.name(),
                thousands(raw.words),
                p_value(raw.family_p_value)
            );
        }
    }
    let words = Language::English.words();
    let against = observed::against(facts, words).into_iter().chain(observed::alone(facts, words));
    let against = against.chain(observed::repeated(inputs, facts, words));
    against.for_each(|sentence| text += &format!("{sentence}\n"));
    let audits = counted(facts.audits.len() as u64, "audit", "audits");
    let not_passed = facts.audits.iter().filter(|audit| audit.verdict_in_family != Verdict::Pass).count();
    text += &format!(
        "{}: {audits}, {not_passed} not passed; revision {}; null hypothesis of each audit: the decks are \
         independent and every order is equally likely.\n",
        facts.headline.name().to_uppercase(),
        facts.revision
    );
    if !facts.selftest_passed {
        text +=
            "The selftest of this program failed: see selftest.json. Its results are not to be relied on.\n";
    }
    text += &format!("Written: {files} files in {}.\n", out.display());
    if !paper::WRITES_PDF {
        text += "No report.pdf: this build writes no PDF (cargo build --release --features pdf, Rust 1.92 or later, makes one that does); report.html prints from any browser.\n";
    }
    text
}
