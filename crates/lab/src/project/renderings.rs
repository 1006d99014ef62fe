//! The forms in which this program writes a laboratory report, and what it says at the end of a project.

use std::path::Path;

use crate::project::content::observed;
use crate::project::content::outcomes::layout;
use crate::project::facts::Facts;
use crate::project::facts::observation::Observation;
use crate::project::frozen::Frozen;
use crate::project::frozen::parts::RecordUse;
use crate::project::package::Rendering;
use crate::project::package::inputs::Inputs;
use crate::project::settings::Project;
use crate::project::supplied::pairs::PairsVerdict;
use deckproof_audit::audit::verdict::Verdict;
use deckproof_files::file::sha256;
use deckproof_report::document::Document;
use deckproof_report::document::volume;
use deckproof_report::document::words::Words;
use deckproof_report::report::paper;

/// The forms in which this program writes a document.
pub fn renderings() -> Vec<Rendering<'static>> {
    let html =
        Rendering { name: "report.html", write: &|whole: &Document| Ok(paper::html(whole).into_bytes()) };
    let pdf = paper::WRITES_PDF.then_some(Rendering { name: "report.pdf", write: &pdf });
    [html].into_iter().chain(pdf).chain(volumes()).collect()
}

fn pdf(whole: &Document) -> Result<Vec<u8>, String> {
    paper::pdf(whole).map_err(|error| error.to_string())
}

/// The page of the annexes, which the certificate names by its hash in whatever form it is set.
const ANNEXES: &str = "annexes.html";

/// The forms of the two volumes, the certificate and its annexes.
fn volumes() -> Vec<Rendering<'static>> {
    let mut all = vec![
        Rendering {
            name: "certificate.html",
            write: &|whole: &Document| Ok(paper::html(&signed(whole)).into_bytes()),
        },
        Rendering {
            name: "certificate.md",
            write: &|whole: &Document| Ok(paper::markdown(&signed(whole)).into_bytes()),
        },
        Rendering { name: ANNEXES, write: &|whole: &Document| Ok(annexes_page(whole).into_bytes()) },
    ];
    if paper::WRITES_PDF {
        all.push(Rendering { name: "certificate.pdf", write: &|whole: &Document| pdf(&signed(whole)) });
        let write = &|whole: &Document| pdf(&volume::annexes(whole));
        all.push(Rendering { name: "annexes.pdf", write });
    }
    all
}

fn annexes_page(whole: &Document) -> String {
    paper::html(&volume::annexes(whole))
}

/// The certificate with the hash of its annexes.
fn signed(whole: &Document) -> Document {
    volume::certificate(whole, Some((ANNEXES, &sha256(annexes_page(whole).as_bytes()))))
}

/// The names of the files of a report, with its volumes where the project wants them.
pub fn page_names(project: &Project) -> Vec<String> {
    let volumes = volumes();
    let is_volume = |own: &Rendering| volumes.iter().any(|volume| volume.name == own.name);
    let wanted = renderings().into_iter().filter(|own| project.package.volumes || !is_volume(own));
    wanted.map(|own| own.name.to_owned()).collect()
}

/// What a person reads when the plans are frozen, before anything is drawn.
pub fn begun(plan: &Path, frozen: &Frozen, words: &Words) -> String {
    let campaign = &words.campaign;
    let audits = frozen.audits.len() as u64;
    let mut lines = vec![campaign.frozen(audits, &frozen.sha256(), &plan.display().to_string())];
    for own in frozen.record_uses() {
        let RecordUse { item, all, shared, left, repeated } = own;
        lines.extend((shared > 0).then(|| campaign.records_shared(&item, shared, all)));
        lines.extend((left > 0).then(|| campaign.records_left(&item, left, all)));
        lines.extend((repeated > 0).then(|| campaign.records_repeated(&item, repeated)));
    }
    lines.iter().map(|line| format!("{line}\n")).collect()
}

/// Which test programs say less than they were to: nobody reads it only in the report.
fn tests(facts: &Facts, words: &Words) -> Vec<String> {
    let is_of_run = |own: &&Observation| {
        matches!(own, Observation::TestRunOpen { .. } | Observation::WordsReadAgain { .. })
    };
    let own = facts.observations.iter().filter(is_of_run);
    own.map(|observation| observed::sentence(observation, words)).collect()
}

/// What the customer's files showed.
fn supplied(inputs: &Inputs, facts: &Facts, words: &Words) -> Vec<String> {
    let own = &words.supplied;
    let of_words = inputs.words().map(|(item, record)| {
        let judgement = record.counts.judge();
        let p_value = words.joint_p_value(judgement.family_p_value);
        let verdict = words.cover.small(judgement.verdict);
        own.words_screen(item, verdict, record.counts.words, &layout(words, record), &p_value)
    });
    let of_pairs = facts.pairs.iter().map(|pairs| {
        let verdict = match pairs.verdict {
            PairsVerdict::Agrees => own.agrees,
            PairsVerdict::Differs => own.differs,
        };
        own.mapping_screen(&pairs.item, verdict, pairs.not_given, pairs.decks, &pairs.method.name())
    });
    of_words.chain(of_pairs).collect()
}

/// What a person reads at the end of a project, in the language of its report.
pub fn ended(out: &Path, inputs: &Inputs, facts: &Facts, files: usize, is_quiet: bool) -> String {
    let words = inputs.project.language.words();
    let campaign = &words.campaign;
    let mut lines = Vec::new();
    if !is_quiet {
        for audit in &facts.audits {
            let decks = audit.decks_first.saturating_add(audit.decks_repeat.unwrap_or(0));
            let verdict = words.cover.small(audit.verdict);
            let p_value = words.joint_p_value(audit.family_p_value);
            lines.push(campaign.audit(&audit.id, verdict, decks, &p_value, audit.p_values as u64));
            lines.extend(audit.proofs.iter().map(|proof| format!("  {}", words.result.proof(proof))));
        }
        for raw in facts.raw.iter().filter(|raw| raw.supplied.is_none()) {
            let (verdict, p_value) =
                (words.cover.small(raw.verdict), words.joint_p_value(raw.family_p_value));
            lines.push(campaign.raw(&raw.item, verdict, raw.words, &p_value));
        }
        lines.extend(supplied(inputs, facts, words));
    }
    lines.extend(tests(facts, words));
    lines.extend(observed::against(inputs, facts, words));
    lines.extend(observed::revised(inputs, facts, words));
    let not_passed = facts.audits.iter().filter(|audit| audit.verdict_in_family != Verdict::Pass).count();
    let headline = observed::headline(words, facts.headline);
    let (audits, revision) = (facts.audits.len() as u64, u64::from(facts.revision));
    lines.push(campaign.ended(headline, audits, not_passed as u64, revision));
    if !facts.selftest_passed {
        lines.push(campaign.selftest_failed.to_owned());
    }
    lines.push(campaign.written(files as u64, &out.display().to_string()));
    if !paper::WRITES_PDF {
        lines.push(campaign.no_pdf.to_owned());
    }
    lines.iter().map(|line| format!("{line}\n")).collect()
}
