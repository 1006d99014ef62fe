//! What the tests of a standard say of an item, over all its audits.

use crate::project::facts::{Conformance, StandardFacts};
use crate::project::package::inputs::Inputs;
use deckproof_audit::certificate::look::Look;
use deckproof_audit::certificate::standards::StandardRecord;
use deckproof_audit::standards::Standard;

/// A standard is judged on the audits that run its tests: those of decks for tests of decks, those of hands for tests of
/// hands. Several audits share its level equally (Bonferroni), so that many usages do not reject more often than one.
pub(super) fn standard_facts(inputs: &Inputs, item: &str, standard: &Standard) -> Vec<StandardFacts> {
    let asked =
        inputs.audits(Some(item)).filter(|(audit, _)| audit.plan.table.is_some() == standard.is_of_hands);
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
            names_run: records.iter().map(|(_, own)| own.map_or(0, |own| own.names_run)).min().unwrap_or(0),
            names: standard.tests.len(),
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
    use deckproof_audit::certificate::standards::Conformity;
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
    if open.is_empty() {
        (Conformance::TestsMet, p_value, None)
    } else {
        (Conformance::NotAssessed, p_value, reason(&open))
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
    let sentences = reasons.into_iter().map(|(reason, ids)| format!("{}: {reason}", ids.join(", ")));
    sentences.reduce(|one, other| format!("{one} {other}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use deckproof_audit::certificate::standards::Conformity;

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
}
