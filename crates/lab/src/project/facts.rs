//! What a project found, computed from its certificates and counts: the numbers of the report, without its words.

pub mod claims;
mod common;
pub mod decks;
pub mod family;
pub mod fields;
pub mod identity;
pub mod observation;
pub mod observations;
mod part;
pub mod premises;
pub mod rows;
mod standard;

use serde::{Deserialize, Serialize};

use crate::external::{ExternalSays, ExternalTool};
use crate::project::facts::family::FamilyFacts;
use crate::project::facts::observation::{Observation, ReportHeadline};
use crate::project::facts::rows::RowFacts;
use crate::project::package::inputs::Inputs;
use crate::project::package::inputs::amendments::{NamedItem, PreviousRevision};
use crate::project::raw::{RawJudgement, WORDS_MIN};
use crate::project::settings::Project;
use crate::project::settings::item::Item;
use crate::project::supplied::pairs::{PairsMethod, PairsVerdict};
use crate::project::supplied::words_name;
use deckproof_audit::audit::plan::names::PlannedTable;
use deckproof_audit::audit::verdict::Verdict;
use deckproof_audit::certificate::look::Look;
use deckproof_audit::certificate::{AuditResult, RepeatMissing, StatisticRecord};
use deckproof_audit::power::table::Power;
use deckproof_files::file::sha256;
use deckproof_verify::claim::Claims;

/// What was found, for the report and for programs.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Facts {
    /// SHA-256 of the frozen project.
    pub campaign_sha256: String,
    /// 1, and one more for every amendment.
    pub revision: u32,
    /// What the box of the first page says: a function of everything below.
    pub headline: ReportHeadline,
    /// The worst verdict of all audits and raw outputs, judged together.
    pub verdict: Verdict,
    /// How many decks were drawn, each once.
    pub decks: u64,
    /// All audits and raw outputs as one family.
    pub family: FamilyFacts,
    /// Each item by itself.
    pub items: Vec<ItemFacts>,
    /// Each audit, in the order of the plan.
    pub audits: Vec<AuditFacts>,
    /// Each raw output: of the certified generator, then what customers handed in.
    pub raw: Vec<RawFacts>,
    /// Each table of words beside decks.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pairs: Vec<PairsFacts>,
    /// Each standard of the project for each item, at each of its levels.
    pub standards: Vec<StandardFacts>,
    /// Each result of others that was read.
    pub external: Vec<ExternalFacts>,
    /// Whether every check of the selftest passed.
    pub selftest_passed: bool,
    /// The requirements R1 to R24.
    pub rows: Vec<RowFacts>,
    /// What a reader must know before he relies on the first page; what speaks against the item comes first.
    pub observations: Vec<Observation>,
}

/// One item.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ItemFacts {
    /// Its id.
    pub item: String,
    /// The worst verdict of its audits and its raw output.
    pub verdict: Verdict,
    /// How many decks all its audits counted, each draw once.
    pub decks: u64,
    /// SHA-256 of the list of its files.
    pub manifest_sha256: Option<String>,
}

/// One audit.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AuditFacts {
    /// Item and use.
    pub id: String,
    /// The item.
    pub item: String,
    /// The table, where hands were dealt.
    pub table: Option<PlannedTable>,
    /// SHA-256 of the plan.
    pub plan_sha256: String,
    /// SHA-256 of the certificate.
    pub certificate_sha256: String,
    /// What it says by itself.
    pub verdict: Verdict,
    /// Its family p-value at first look, adjusted for all audits of the package (Holm).
    pub adjusted_p_value: f64,
    /// What it says among all audits of the package.
    pub verdict_in_family: Verdict,
    /// Decks of the first look.
    pub decks_first: u64,
    /// Decks of the repeat, if there was one.
    pub decks_repeat: Option<u64>,
    /// Why a repeat that was due is missing.
    pub repeat_missing: Option<RepeatMissing>,
    /// Whether decks had been counted before and were lost: how often the audit was begun again from the start.
    pub aborted_runs: u64,
    /// Families that share the level.
    pub families: usize,
    /// P-values of the look that decides.
    pub p_values: usize,
    /// Their family p-value.
    pub family_p_value: f64,
    /// The smallest of them: its id, before anything is multiplied.
    pub smallest: Option<String>,
    /// The p-value of that one.
    pub smallest_p_value: Option<f64>,
    /// What proves the shuffler wrong whatever the p-values say.
    pub proofs: Vec<String>,
    /// Statistics that did not run.
    pub not_run: usize,
    /// `measured`, `measured with other versions` or `not measured`: the power of this plan.
    pub power: String,
    /// Flawed dealers of the measurement.
    pub power_dealers: usize,
    /// Those of them that so many decks detected under every seed.
    pub power_detected: usize,
}

/// One raw output.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RawFacts {
    /// The item.
    pub item: String,
    /// What it says.
    pub verdict: Verdict,
    /// The customer's file of words, by its place in the package; none where they are those of the certified generator.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub supplied: Option<String>,
    /// Words of both looks.
    pub words: u64,
    /// Whether there was a repeat.
    pub repeat: bool,
    /// The family p-value of the look that decides.
    pub family_p_value: f64,
    /// How many bits of a word and how many of them are filled, where those at one end never are.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub filled: Option<[u64; 2]>,
}

/// A table of words beside decks.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PairsFacts {
    /// The item.
    pub item: String,
    /// Whether the words give the decks.
    pub verdict: PairsVerdict,
    /// How many decks it has.
    pub decks: u64,
    /// How many of them are not given.
    pub not_given: u64,
    /// Whether two different decks have the same words.
    pub has_same_words: bool,
    /// The method.
    pub method: PairsMethod,
    /// What of it the project names.
    pub named: Vec<String>,
}

/// What the text of another program tells; it decides nothing.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExternalFacts {
    /// The file in the package.
    pub file: String,
    /// The program that printed it.
    pub program: ExternalTool,
    /// How many results it tells of.
    pub results: u64,
    /// How many a whole run of this program has, where that is known.
    pub whole: Option<u64>,
    /// How many of them are failures.
    pub failed: u64,
    /// The worst that it says of any of them.
    pub says: ExternalSays,
    /// Whether that speaks against the verdict of this project, one way or the other.
    pub contradicts: bool,
}

/// What the tests of a standard say of an item.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Conformance {
    /// Every test that it names ran, and none speaks against the item.
    TestsMet,
    /// Some test that ran does.
    NotMet,
    /// Not all ran, and none that ran speaks against it.
    NotAssessed,
    /// It is about dealt hands, and none was dealt.
    NotApplicable,
}

/// A standard of the project for an item.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StandardFacts {
    /// The item.
    pub item: String,
    /// The standard.
    pub standard: String,
    /// Where it names its tests.
    pub clause: String,
    /// The level is 1 − this.
    pub confidence_percent: u32,
    /// How many audits speak about it.
    pub audits: usize,
    /// The smallest family p-value of those audits times their number.
    pub p_value: Option<f64>,
    /// What follows.
    pub conformance: Conformance,
    /// How many of its names ran in every audit, and how many it has.
    pub names_run: usize,
    /// See above.
    pub names: usize,
    /// Why it is not assessed.
    pub reason: Option<String>,
}

impl StandardFacts {
    /// Whether it asks a question: it is missed at this level, too, shared equally among so many standards (Bonferroni). At its
    /// own level one fair shuffle in a hundred, or in twenty, misses it.
    pub fn is_question_among(&self, standards: usize, level: f64) -> bool {
        self.conformance == Conformance::NotMet
            && self.p_value.is_some_and(|p_value| p_value * (standards as f64) < level)
    }
}

impl Facts {
    /// Computes everything that the report states.
    pub fn of(inputs: &Inputs) -> Facts {
        let adjusted = adjusted_p_values(inputs);
        let audits: Vec<AuditFacts> =
            (0..inputs.certificates.len()).map(|place| audit_facts(inputs, place, adjusted[place])).collect();
        let raw = raw_facts(inputs, &adjusted);
        let between = common::between(inputs, &audits);
        let verdicts = |item: Option<&str>| {
            let is_own = move |own: &str| item.is_none_or(|item| own == item);
            let of_audits =
                audits.iter().filter(move |audit| is_own(&audit.item)).map(|audit| audit.verdict_in_family);
            let of_raw = raw.iter().filter(move |raw| is_own(&raw.item)).map(|raw| raw.verdict);
            // Decks that may not be those of one audit alone pass nothing.
            let of_between = common::concerns(&between, &audits, item).then_some(Verdict::Inconclusive);
            of_audits.chain(of_raw).chain(of_between).collect::<Vec<_>>()
        };
        let verdict = worst(&verdicts(None));
        let items = inputs.project.item.iter().map(|item| ItemFacts {
            item: item.id.clone(),
            verdict: worst(&verdicts(Some(&item.id))),
            decks: decks::drawn(results_of(inputs, Some(&item.id))),
            manifest_sha256: inputs
                .frozen
                .files
                .iter()
                .find(|files| files.item == item.id)
                .map(|files| files.manifest_sha256.clone()),
        });
        let standards = inputs.project.item.iter().flat_map(|item| {
            let own = inputs.project.standards();
            own.flat_map(|standard| standard::standard_facts(inputs, &item.id, standard))
        });
        let external = inputs.attached.iter().map(|text| ExternalFacts {
            file: text.file.clone(),
            program: text.results.tool,
            results: text.results.count(),
            whole: text.results.whole(),
            failed: text.results.count_of(ExternalSays::Failed),
            says: text.results.says(),
            contradicts: text.contradicts(verdict.into()),
        });
        let mut facts = Facts {
            campaign_sha256: inputs.frozen.sha256(),
            revision: inputs.revision(),
            headline: ReportHeadline::Inconclusive,
            verdict,
            decks: decks::drawn(results_of(inputs, None)),
            family: family_facts(inputs),
            items: items.collect(),
            external: external.collect(),
            standards: standards.collect(),
            selftest_passed: inputs.selftest.has_passed,
            audits,
            raw,
            pairs: pairs_facts(inputs),
            rows: Vec::new(),
            observations: Vec::new(),
        };
        // Each follows from those before it.
        facts.rows = rows::rows(inputs, &facts);
        facts.observations = observations::observations(inputs, &facts);
        facts.headline = ReportHeadline::of(&Claims::new(claims::claims(inputs, &facts), &claims::NEEDED));
        facts
    }
}

impl PreviousRevision {
    /// What a revision of this project with these facts says.
    pub fn of(project: &Project, facts: &Facts) -> PreviousRevision {
        let is_against =
            |own: &&Observation| own.is_against() || matches!(own, Observation::StandardNotMet { .. });
        let named = |item: &Item| NamedItem { item: item.id.clone(), name: item.identity() };
        PreviousRevision {
            headline: facts.headline,
            against: facts.observations.iter().filter(is_against).cloned().collect(),
            items: project.item.iter().map(named).collect(),
            by_customer: Some(project.by_customer().map(|item| item.id.clone()).collect()),
        }
    }
}

/// The words of the customer have no repeat: a question of theirs is one among all audits. `adjusted`: those of [`adjusted_p_values`].
fn raw_facts(inputs: &Inputs, adjusted: &[f64]) -> Vec<RawFacts> {
    let own = inputs.raw.iter().map(|record| {
        let RawJudgement { verdict, family_p_value, .. } = record.judge();
        let (words, repeat) = (record.words(), record.repeat.is_some());
        let item = record.item.clone();
        RawFacts { item, verdict, supplied: None, words, repeat, family_p_value, filled: None }
    });
    let of_words = &adjusted[inputs.certificates.len() + inputs.raw.len()..];
    let supplied = inputs.words().zip(of_words).map(|((item, record), &adjusted)| {
        let RawJudgement { verdict, family_p_value, .. } = record.counts.judge();
        let (words, supplied) = (record.counts.words, Some(words_name(item)));
        let verdict = match verdict {
            Verdict::Investigate => family::open_in_family(adjusted, inputs.frozen.level, words >= WORDS_MIN),
            own => own,
        };
        let filled = record.counts.filled_bits().map(|bits| [record.word_bits, bits]);
        RawFacts { item: item.to_owned(), verdict, supplied, words, repeat: false, family_p_value, filled }
    });
    own.chain(supplied).collect()
}

fn pairs_facts(inputs: &Inputs) -> Vec<PairsFacts> {
    let facts = inputs.pairs().map(|(item, record, _)| PairsFacts {
        item: item.to_owned(),
        verdict: record.verdict,
        decks: record.decks,
        not_given: record.not_given,
        has_same_words: record.same_words.is_some(),
        method: record.method.clone(),
        named: record.named.clone(),
    });
    facts.collect()
}

/// The results of the audits of an item, or of all.
fn results_of<'a>(inputs: &'a Inputs, item: Option<&'a str>) -> impl Iterator<Item = &'a AuditResult> {
    inputs.audits(item).map(|(_, certificate)| &certificate.result)
}

/// The family p-values at first look, of the audits and then of the raw outputs, adjusted.
fn adjusted_p_values(inputs: &Inputs) -> Vec<f64> {
    let audits = results_of(inputs, None).map(|result| result.first.family_p_value);
    let raw = inputs.raw.iter().map(|record| record.first_look_p_value());
    let supplied = inputs.words().map(|(_, record)| record.counts.judge().family_p_value);
    family::adjusted(&audits.chain(raw).chain(supplied).collect::<Vec<_>>())
}

fn family_facts(inputs: &Inputs) -> FamilyFacts {
    let raw = inputs.raw.len() + inputs.words().count();
    let (level, tests) = (inputs.frozen.level, (inputs.certificates.len() + raw) as u64);
    let without_repeat = results_of(inputs, None).filter(|result| result.plan.repeat.is_none()).count();
    let words: Vec<Verdict> = inputs.words().map(|(_, record)| record.counts.judge().verdict).collect();
    let open = results_of(inputs, None).filter(|result| family::is_open(result)).count()
        + words.iter().filter(|verdict| **verdict == Verdict::Investigate).count();
    FamilyFacts {
        level,
        tests,
        alone: open as u64,
        chance_of_alone: family::chance_of_any((without_repeat + words.len()) as u64, level),
    }
}

/// Fail before investigate before inconclusive before pass; nothing at all is inconclusive.
pub fn worst(verdicts: &[Verdict]) -> Verdict {
    let order = [Verdict::Fail, Verdict::Investigate, Verdict::Inconclusive, Verdict::Pass];
    order.into_iter().find(|verdict| verdicts.contains(verdict)).unwrap_or(Verdict::Inconclusive)
}

fn audit_facts(inputs: &Inputs, place: usize, adjusted_p_value: f64) -> AuditFacts {
    let (frozen, certificate) = (&inputs.frozen.audits[place], &inputs.certificates[place]);
    let result: &AuditResult = &certificate.result;
    let look = result.deciding();
    let smallest = smallest(look);
    let power = Power::of_plan(&result.plan);
    AuditFacts {
        id: frozen.id.clone(),
        item: frozen.item.clone(),
        table: result.plan.table.clone(),
        plan_sha256: result.plan_sha256.clone(),
        certificate_sha256: sha256(inputs.certificate_texts[place].as_bytes()),
        verdict: result.verdict,
        adjusted_p_value,
        verdict_in_family: family::verdict_in_family(result, adjusted_p_value, inputs.frozen.level),
        decks_first: result.first.decks,
        decks_repeat: result.repeat.as_ref().map(|look| look.decks),
        repeat_missing: result.repeat_missing,
        aborted_runs: inputs.runs.aborted.get(&frozen.id).copied().unwrap_or(0),
        families: result.plan.families.len(),
        p_values: look.statistics.len(),
        family_p_value: look.family_p_value,
        smallest: smallest.map(|record| record.id.clone()),
        smallest_p_value: smallest.map(|record| record.p_value),
        proofs: result.looks().flat_map(|look| look.proofs.iter().cloned()).collect(),
        not_run: look.not_run.len(),
        power: power.name().to_owned(),
        power_dealers: power.faulty().count(),
        power_detected: power.caught(result.first.decks).len(),
    }
}

/// The record with the smallest p-value, the first of several.
pub fn smallest(look: &Look) -> Option<&StatisticRecord> {
    look.statistics.iter().min_by(|a, b| a.p_value.total_cmp(&b.p_value))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_standard_asks_a_question_only_below_its_share_of_one_percent() {
        let missed = |p_value, conformance| StandardFacts {
            item: "main".to_owned(),
            standard: "S".to_owned(),
            clause: String::new(),
            confidence_percent: 95,
            audits: 1,
            p_value: Some(p_value),
            conformance,
            names_run: 1,
            names: 1,
            reason: None,
        };
        // 1 % over two standards is 0.5 % each, also for a standard of 95 %.
        for (p_value, standards, wanted) in [
            (0.004, 1, true),
            (0.004, 2, true),
            (0.004, 3, false),
            (0.005, 2, false),
            (0.009, 1, true),
            (0.04, 1, false),
        ] {
            let own = missed(p_value, Conformance::NotMet);
            assert_eq!(own.is_question_among(standards, 0.01), wanted, "{p_value} of {standards}");
        }
        assert!(!missed(0.004, Conformance::TestsMet).is_question_among(1, 0.01));
        let unknown = StandardFacts { p_value: None, ..missed(0.004, Conformance::NotMet) };
        assert!(!unknown.is_question_among(1, 0.01));
    }

    #[test]
    fn the_worst_verdict_is_that_of_the_whole() {
        use Verdict::{Fail, Inconclusive, Investigate, Pass};
        for (verdicts, wanted) in [
            (&[Pass, Pass][..], Pass),
            (&[Pass, Inconclusive], Inconclusive),
            (&[Investigate, Inconclusive], Investigate),
            (&[Pass, Fail, Investigate], Fail),
            (&[], Inconclusive),
        ] {
            assert_eq!(worst(verdicts), wanted, "{verdicts:?}");
        }
    }
}
