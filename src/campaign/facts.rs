//! What a campaign found, computed from its certificates and counts: the numbers of the report, without its words.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::audit::plan::names::PlannedTable;
use crate::audit::verdict::Verdict;
use crate::campaign::package::files::sha256;
use crate::campaign::package::inputs::Inputs;
use crate::campaign::raw::RawJudgement;
use crate::certificate::look::Look;
use crate::certificate::standards::StandardRecord;
use crate::certificate::{AuditResult, RepeatMissing, StatisticRecord};
use crate::document::Stands;
use crate::external::{ExternalSays, ExternalTool};
use crate::standards::Standard;
use crate::trials::power::table::Power;

/// What was found, for the report and for programs.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Facts {
    /// SHA-256 of the frozen campaign.
    pub campaign_sha256: String,
    /// 1, and one more for every amendment.
    pub revision: u32,
    /// The worst verdict of all audits and raw outputs.
    pub verdict: Verdict,
    /// Each item by itself.
    pub items: Vec<ItemFacts>,
    /// Each audit, in the order of the plan.
    pub audits: Vec<AuditFacts>,
    /// Each raw output.
    pub raw: Vec<RawFacts>,
    /// Each standard of the project for each item, at each of its levels.
    pub standards: Vec<StandardFacts>,
    /// Each result of others that was read.
    pub external: Vec<ExternalFacts>,
    /// Whether every check of the selftest passed.
    pub selftest_passed: bool,
}

/// One item.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ItemFacts {
    /// Its id.
    pub item: String,
    /// The worst verdict of its audits and its raw output.
    pub verdict: Verdict,
    /// How many decks all its audits counted; of recorded decks that several audits read, once.
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
    /// What it says.
    pub verdict: Verdict,
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
    /// Words of both looks.
    pub words: u64,
    /// Whether there was a repeat.
    pub repeat: bool,
    /// The family p-value of the look that decides.
    pub family_p_value: f64,
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
    /// The worst that it says of any of them.
    pub says: ExternalSays,
    /// Whether that speaks against the verdict of this campaign, one way or the other.
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
    /// Why it is not assessed.
    pub reason: Option<String>,
}

impl Facts {
    /// Computes everything that is said.
    pub fn of(inputs: &Inputs) -> Facts {
        let audits: Vec<AuditFacts> =
            (0..inputs.certificates.len()).map(|place| audit_facts(inputs, place)).collect();
        let raw: Vec<RawFacts> = inputs
            .raw
            .iter()
            .map(|record| {
                let RawJudgement { verdict, family_p_value, .. } = record.judge();
                let (words, repeat) = (record.words(), record.repeat.is_some());
                RawFacts { item: record.item.clone(), verdict, words, repeat, family_p_value }
            })
            .collect();
        let verdicts = |item: Option<&str>| {
            let is_own = move |own: &str| item.is_none_or(|item| own == item);
            let of_audits = audits.iter().filter(move |audit| is_own(&audit.item)).map(|audit| audit.verdict);
            let of_raw = raw.iter().filter(move |raw| is_own(&raw.item)).map(|raw| raw.verdict);
            of_audits.chain(of_raw).collect::<Vec<_>>()
        };
        let items = inputs.project.item.iter().map(|item| ItemFacts {
            item: item.id.clone(),
            verdict: worst(&verdicts(Some(&item.id))),
            decks: decks_of(&item.id, &audits, inputs),
            manifest_sha256: inputs
                .frozen
                .files
                .iter()
                .find(|files| files.item == item.id)
                .map(|files| files.manifest_sha256.clone()),
        });
        let items = items.collect();
        let standards = inputs.project.item.iter().flat_map(|item| {
            inputs.project.standards().flat_map(|standard| standard_facts(inputs, &item.id, standard))
        });
        let verdict = worst(&verdicts(None));
        let external = inputs.attached.iter().map(|text| ExternalFacts {
            file: text.file.clone(),
            program: text.results.tool,
            results: text.results.count(),
            says: text.results.says(),
            contradicts: text.contradicts(stands(verdict)),
        });
        Facts {
            campaign_sha256: inputs.frozen.sha256(),
            revision: inputs.revision(),
            verdict,
            external: external.collect(),
            items,
            standards: standards.collect(),
            selftest_passed: inputs.selftest.has_passed,
            audits,
            raw,
        }
    }
}

/// The colour of a verdict.
pub fn stands(verdict: Verdict) -> Stands {
    match verdict {
        Verdict::Pass => Stands::Good,
        Verdict::Fail => Stands::Bad,
        Verdict::Investigate | Verdict::Inconclusive => Stands::Open,
    }
}

/// Fail before investigate before inconclusive before pass; nothing at all is inconclusive.
pub fn worst(verdicts: &[Verdict]) -> Verdict {
    let order = [Verdict::Fail, Verdict::Investigate, Verdict::Inconclusive, Verdict::Pass];
    order.into_iter().find(|verdict| verdicts.contains(verdict)).unwrap_or(Verdict::Inconclusive)
}

fn audit_facts(inputs: &Inputs, place: usize) -> AuditFacts {
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

/// The decks of an item's audits: several tables may be dealt from one file.
fn decks_of(item: &str, audits: &[AuditFacts], inputs: &Inputs) -> u64 {
    let (mut dealt, mut read) = (0u64, BTreeMap::<String, u64>::new());
    for (audit, certificate) in
        audits.iter().zip(&inputs.certificates).filter(|(audit, _)| audit.item == item)
    {
        let decks = audit.decks_first.saturating_add(audit.decks_repeat.unwrap_or(0));
        let source = &certificate.result.plan.source;
        match source.abilities().is_supplied {
            true => {
                let most = read.entry(source.to_string()).or_default();
                *most = decks.max(*most);
            }
            false => dealt = dealt.saturating_add(decks),
        }
    }
    read.into_values().fold(dealt, u64::saturating_add)
}

/// A standard is judged on the audits that run its tests: those of decks for tests of decks, those of hands for tests of
/// hands. Several audits share its level equally (Bonferroni), so that many usages do not reject more often than one.
fn standard_facts(inputs: &Inputs, item: &str, standard: &Standard) -> Vec<StandardFacts> {
    let of_item =
        inputs.frozen.audits.iter().zip(&inputs.certificates).filter(|(audit, _)| audit.item == item);
    let asked = of_item.filter(|(audit, _)| audit.plan.table.is_some() == standard.is_of_hands);
    let looks: Vec<(&str, &Look)> =
        asked.map(|(audit, certificate)| (audit.id.as_str(), certificate.result.deciding())).collect();
    let at = |&confidence_percent: &u32| {
        let is_own = |record: &&StandardRecord| {
            record.name == standard.name && record.confidence_percent == confidence_percent
        };
        let records: Vec<(&str, Option<&StandardRecord>)> =
            looks.iter().map(|(id, look)| (*id, look.standards.iter().find(is_own))).collect();
        let (conformance, p_value, reason) = conform(&records, confidence_percent);
        StandardFacts {
            item: item.to_owned(),
            standard: standard.name.to_owned(),
            clause: standard.clause.to_owned(),
            confidence_percent,
            audits: looks.len(),
            p_value,
            conformance,
            reason,
        }
    };
    standard.confidence_percent.iter().map(at).collect()
}

/// What audits, each by its id, say together.
fn conform(
    records: &[(&str, Option<&StandardRecord>)],
    confidence_percent: u32,
) -> (Conformance, Option<f64>, Option<String>) {
    use crate::certificate::standards::Conformity;
    if records.is_empty() {
        return (Conformance::NotApplicable, None, None);
    }
    let p_values = records.iter().filter_map(|(_, record)| record.and_then(|own| own.family_p_value));
    let smallest = p_values.reduce(f64::min);
    let p_value = smallest.map(|p_value| (records.len() as f64 * p_value).min(1.0));
    if p_value.is_some_and(|p_value| p_value < f64::from(100 - confidence_percent) / 100.0) {
        return (Conformance::NotMet, p_value, None);
    }
    let is_whole = |record: &Option<&StandardRecord>| {
        // A single audit may reject at its own level what all of them together do not.
        record.is_some_and(|record| matches!(record.verdict, Conformity::Met | Conformity::NotMet))
    };
    let open: Vec<&(&str, Option<&StandardRecord>)> =
        records.iter().filter(|(_, record)| !is_whole(record)).collect();
    match open.is_empty() {
        true => (Conformance::TestsMet, p_value, None),
        false => (Conformance::NotAssessed, p_value, reason(&open)),
    }
}

/// Every reason with the audits that give it: `main.stud-hi.7, main.stud-hi.8: 1 of 7 names did not run …`.
fn reason(open: &[&(&str, Option<&StandardRecord>)]) -> Option<String> {
    let mut reasons: Vec<(&str, Vec<&str>)> = Vec::new();
    for (id, record) in open {
        let Some(own) = record.and_then(|record| record.reason.as_deref()) else { continue };
        match reasons.iter_mut().find(|(reason, _)| *reason == own) {
            Some((_, ids)) => ids.push(id),
            None => reasons.push((own, vec![id])),
        }
    }
    let told = reasons.into_iter().map(|(reason, ids)| format!("{}: {reason}", ids.join(", ")));
    told.reduce(|one, other| format!("{one} {other}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::certificate::standards::Conformity;

    fn record(p_value: f64, verdict: Conformity) -> StandardRecord {
        StandardRecord {
            name: "S".to_owned(),
            clause: "c".to_owned(),
            confidence_percent: 99,
            verdict,
            family_p_value: Some(p_value),
            names_run: 1,
            reason: None,
            tests: Vec::new(),
        }
    }

    fn check(p_values: &[f64], wanted: Conformance) {
        let level = |p: f64| if p < 0.01 { Conformity::NotMet } else { Conformity::Met };
        let records: Vec<StandardRecord> = p_values.iter().map(|&p| record(p, level(p))).collect();
        let records: Vec<_> = records.iter().map(|record| ("a", Some(record))).collect();
        assert_eq!(conform(&records, 99).0, wanted, "{p_values:?}");
    }

    #[test]
    fn several_audits_share_the_level_of_a_standard() {
        check(&[0.02], Conformance::TestsMet);
        check(&[0.009], Conformance::NotMet);
        check(&[0.009, 0.5], Conformance::TestsMet);
        check(&[0.004, 0.5], Conformance::NotMet);
        check(&[], Conformance::NotApplicable);
        let incomplete = record(0.5, Conformity::Incomplete);
        let met = record(0.5, Conformity::Met);
        assert_eq!(conform(&[("a", Some(&met)), ("b", Some(&incomplete))], 99).0, Conformance::NotAssessed);
        assert_eq!(conform(&[("a", Some(&met)), ("b", None)], 99).0, Conformance::NotAssessed);
        let against = record(0.001, Conformity::Incomplete);
        assert_eq!(conform(&[("a", Some(&met)), ("b", Some(&against))], 99).0, Conformance::NotMet);
    }

    #[test]
    fn a_standard_that_is_not_assessed_names_every_audit_that_lacks_a_test() {
        let because = |reason: &str| {
            let record = record(0.5, Conformity::Incomplete);
            StandardRecord { reason: Some(reason.to_owned()), ..record }
        };
        let (met, river, few) = (record(0.5, Conformity::Met), because("no river."), because("few decks."));
        let records = [("a", Some(&met)), ("b", Some(&river)), ("c", Some(&few)), ("d", Some(&river))];
        let (conformance, _, reason) = conform(&records, 99);
        assert_eq!(conformance, Conformance::NotAssessed);
        assert_eq!(reason.as_deref(), Some("b, d: no river. c: few decks."));
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
