//! The claims of a report, of which its headline and the exit status are functions.

use crate::project::facts::observation::{Observation, ReportHeadline};
use crate::project::facts::premises::premises;
use crate::project::facts::{AuditFacts, Facts};
use crate::project::package::inputs::Inputs;
use crate::project::supplied::pairs::pairs_name;
use deckproof_audit::audit::verdict::Verdict;
use deckproof_deck::text::decimal::p_is;
use deckproof_verify::claim::{Claim, ClaimGap, ClaimSubject, Claims, Headline, Otherwise, Witness};

/// What the headline of a report needs.
pub const NEEDED: [ClaimSubject; 5] = [
    ClaimSubject::Verdict,
    ClaimSubject::NoDeparture,
    ClaimSubject::NothingAgainst,
    ClaimSubject::ToolSound,
    ClaimSubject::ReportComplete,
];

/// What a report rests on: its premises, the statistics, what people and other programs found, and the selftest.
pub fn claims(inputs: &Inputs, facts: &Facts) -> Vec<Claim> {
    let mut claims: Vec<Claim> = premises(inputs, facts).into_iter().map(|premise| premise.claim).collect();
    let has_common = facts.observations.iter().any(Observation::is_of_common_decks);
    let statistics = match facts.verdict {
        Verdict::Inconclusive if has_common => {
            Claim::not_looked_at(ClaimSubject::NoDeparture, ClaimGap::NotByTheseData)
        }
        verdict => statistics(&facts.audits, verdict),
    };
    claims.extend([statistics, nothing_against(&facts.observations)]);
    let mut claims = after_selftest(claims, facts.selftest_passed);
    claims.push(complete(&facts.observations));
    claims
}

/// That people filled in every field that a report must have.
fn complete(observations: &[Observation]) -> Claim {
    let is_open = observations.iter().any(|own| matches!(own, Observation::FieldsOpen { .. }));
    if is_open {
        Claim::not_looked_at(ClaimSubject::ReportComplete, ClaimGap::NotInFile)
    } else {
        Claim::shown(ClaimSubject::ReportComplete, Witness::Computation)
    }
}

/// Of what a program finds that failed its selftest nothing is shown, and nothing contradicts.
fn after_selftest(mut claims: Vec<Claim>, has_passed: bool) -> Vec<Claim> {
    if has_passed {
        claims.push(Claim::shown(ClaimSubject::ToolSound, Witness::Computation))
    } else {
        claims.iter_mut().for_each(distrust);
        claims.push(Claim::not_looked_at(ClaimSubject::ToolSound, ClaimGap::SelftestFailed));
    }
    claims
}

fn distrust(claim: &mut Claim) {
    if claim.is_contradicted() || claim.is_shown() {
        *claim = Claim::not_looked_at(claim.subject, ClaimGap::SelftestFailed);
    }
}

/// What the statistics say, and where: the first proof, else the first audit with the verdict of all of them.
fn statistics(audits: &[AuditFacts], verdict: Verdict) -> Claim {
    let proof = audits.iter().find_map(|audit| audit.proofs.first());
    let open = audits.iter().find(|audit| audit.verdict_in_family == verdict);
    let place = match (proof, open) {
        (Some(proof), _) => proof.clone(),
        (None, Some(audit)) => format!("{}: family {}", audit.id, p_is(audit.family_p_value)),
        (None, None) => "raw output".to_owned(),
    };
    verdict.claim(ClaimSubject::NoDeparture, &place)
}

/// That nothing beside the statistics of this report speaks against the item; a standard that is missed asks a question.
fn nothing_against(observations: &[Observation]) -> Claim {
    let subject = ClaimSubject::NothingAgainst;
    let is_standard = |own: &&Observation| matches!(own, Observation::StandardNotMet { .. });
    let against = || observations.iter().filter(|observation| observation.is_against());
    let finding = against().filter(|own| !is_standard(own)).find_map(code);
    match (finding, against().find_map(code)) {
        (Some((code, place)), _) => Claim::contradicted(subject, &code, &place),
        (None, Some((code, place))) => Claim::contradicted(subject, &code, &place).or(Otherwise::Chance),
        (None, None) => Claim::shown(subject, Witness::Computation),
    }
}

/// What an observation that speaks against an item is called, and where it is; those of audits are the statistics' own.
fn code(observation: &Observation) -> Option<(String, String)> {
    match observation {
        Observation::RowNotMet { row, .. } => Some((format!("R{row}"), "project.toml".to_owned())),
        Observation::PairsDiffer { item, .. } => Some(("pairs".to_owned(), pairs_name(item))),
        Observation::ExternalFailed { file, .. } => Some(("external".to_owned(), file.clone())),
        Observation::StandardNotMet { item, standard, .. } => Some((standard.clone(), item.clone())),
        _ => None,
    }
}

impl ReportHeadline {
    /// The headline over claims: a pass only if all that is needed is shown.
    pub fn of(claims: &Claims) -> ReportHeadline {
        let departure = claims.of(ClaimSubject::NoDeparture);
        match claims.headline() {
            _ if !claims.shows(ClaimSubject::ToolSound) => ReportHeadline::Unreliable,
            Headline::Refused if claims.is_question() => ReportHeadline::Investigate,
            Headline::Refused if departure.is_some_and(|own| own.is_contradicted() && !own.is_question()) => {
                ReportHeadline::Fail
            }
            Headline::Refused => ReportHeadline::NotMet,
            Headline::Accepted => ReportHeadline::Pass,
            Headline::Partly if departure.is_some_and(Claim::is_shown) => ReportHeadline::Incomplete,
            Headline::Partly | Headline::Consistent => ReportHeadline::Inconclusive,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use deckproof_deck::text::exit::Exit;
    use deckproof_verify::claim::ClaimState;

    fn claims(statistics: Verdict, is_against: bool, is_sound: bool, is_complete: bool) -> Claims {
        let against =
            if is_against { vec![Observation::RowNotMet { row: 9, by: Vec::new() }] } else { Vec::new() };
        let list = vec![
            Claim::shown(ClaimSubject::Verdict, Witness::Computation),
            statistics.claim(ClaimSubject::NoDeparture, "p"),
            nothing_against(&against),
        ];
        let mut list = after_selftest(list, is_sound);
        let open = Observation::FieldsOpen { letters: vec!['b'], keys: Vec::new() };
        list.push(complete(if is_complete { &[] } else { std::slice::from_ref(&open) }));
        Claims::new(list, &NEEDED)
    }

    #[test]
    fn over_all_claims_the_headline_is_that_of_the_worst_and_its_exit_status_that_of_the_claims() {
        for statistics in Verdict::ALL {
            for (is_against, is_complete) in [(false, true), (true, true), (false, false), (true, false)] {
                let claims = claims(statistics, is_against, true, is_complete);
                let wanted = match (statistics, is_against) {
                    (Verdict::Fail, _) => ReportHeadline::Fail,
                    (_, true) => ReportHeadline::NotMet,
                    (Verdict::Investigate, false) => ReportHeadline::Investigate,
                    (Verdict::Inconclusive, false) => ReportHeadline::Inconclusive,
                    (Verdict::Pass, false) if !is_complete => ReportHeadline::Incomplete,
                    (Verdict::Pass, false) => ReportHeadline::Pass,
                };
                assert_eq!(ReportHeadline::of(&claims), wanted, "{claims:?}");
                assert_eq!(Exit::from(wanted), claims.exit(), "{claims:?}");
            }
        }
    }

    fn audit(id: &str, verdict: Verdict, family_p_value: f64, proofs: &[&str]) -> AuditFacts {
        AuditFacts {
            id: id.to_owned(),
            item: "main".to_owned(),
            table: None,
            plan_sha256: String::new(),
            certificate_sha256: String::new(),
            verdict,
            adjusted_p_value: family_p_value,
            verdict_in_family: verdict,
            decks_first: 1_000,
            decks_repeat: None,
            repeat_missing: None,
            aborted_runs: 0,
            families: 1,
            p_values: 1,
            family_p_value,
            smallest: None,
            smallest_p_value: None,
            proofs: proofs.iter().map(|&proof| proof.to_owned()).collect(),
            not_run: 0,
            power: String::new(),
            power_dealers: 0,
            power_detected: 0,
        }
    }

    /// Where the statistics contradict an item.
    fn place(audits: &[AuditFacts], verdict: Verdict) -> String {
        match statistics(audits, verdict).state {
            ClaimState::Contradicted { place, .. } => place,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn the_statistics_stand_at_the_audit_that_decided_or_at_its_proof() {
        use Verdict::{Fail, Investigate, Pass};
        let passed = audit("main.decks", Pass, 0.5, &[]);
        let asked = audit("main.stud-hi.6", Investigate, 0.001, &[]);
        let asked_too = audit("main.stud-hi.7", Investigate, 0.002, &[]);
        let both = [passed.clone(), asked, asked_too.clone()];
        assert_eq!(place(&both, Investigate), "main.stud-hi.6: family p = 0.001");
        // A proof decides whatever the p-values are, and is named itself.
        let failed = audit("main.stud-hi.6", Fail, 1e-9, &[]);
        let proven = audit("main.stud-hi.7", Fail, 0.5, &["deck 7 is deck 3", "deck 9 is deck 3"]);
        assert_eq!(place(&[passed.clone(), failed.clone(), proven], Fail), "deck 7 is deck 3");
        assert_eq!(place(&[asked_too, failed], Fail), "main.stud-hi.6: family p = 1.0e-9");
        assert_eq!(place(&[passed], Fail), "raw output");
    }

    /// A fair shuffle misses a level of 95 % in one campaign of twenty: a standard changes no verdict or asks a question, and
    /// only a finding beside it makes the report say that the item is not met.
    #[test]
    fn a_standard_that_is_missed_is_a_question_at_most() {
        let missed = |in_family| Observation::StandardNotMet {
            item: "main".to_owned(),
            standard: "GLI-19".to_owned(),
            confidence_percent: 99,
            in_family,
        };
        assert!(nothing_against(&[missed(false)]).is_shown());
        assert!(missed(false).is_on_first_page() && !missed(false).is_against());
        let asked = nothing_against(&[missed(false), missed(true)]);
        let wanted = ClaimState::Contradicted { code: "GLI-19".to_owned(), place: "main".to_owned() };
        assert_eq!((&asked.state, asked.is_question()), (&wanted, true));
        let row = Observation::RowNotMet { row: 9, by: Vec::new() };
        let found = nothing_against(&[missed(true), row]);
        let wanted = ClaimState::Contradicted { code: "R9".to_owned(), place: "project.toml".to_owned() };
        assert_eq!((&found.state, found.is_question()), (&wanted, false));
        let headline_of = |statistics: Verdict, against: &Claim| {
            let statistics = statistics.claim(ClaimSubject::NoDeparture, "p");
            let claims = [statistics, against.clone(), complete(&[])];
            let claims = Claims::new(after_selftest(claims.to_vec(), true), &[ClaimSubject::NoDeparture]);
            assert_eq!(Exit::from(ReportHeadline::of(&claims)), claims.exit());
            ReportHeadline::of(&claims)
        };
        use Verdict::{Fail, Inconclusive, Investigate, Pass};
        for (verdict, headline) in [
            (Pass, ReportHeadline::Investigate),
            (Inconclusive, ReportHeadline::Investigate),
            (Investigate, ReportHeadline::Investigate),
            (Fail, ReportHeadline::Fail),
        ] {
            assert_eq!(headline_of(verdict, &asked), headline, "{verdict:?}");
        }
        assert_eq!(headline_of(Pass, &found), ReportHeadline::NotMet);
        assert_eq!(headline_of(Investigate, &found), ReportHeadline::NotMet);
    }

    #[test]
    fn a_program_that_failed_its_selftest_shows_nothing_and_convicts_nobody() {
        for statistics in Verdict::ALL {
            for is_against in [false, true] {
                let claims = claims(statistics, is_against, false, true);
                assert_eq!(ReportHeadline::of(&claims), ReportHeadline::Unreliable);
                assert_eq!(
                    (Exit::from(ReportHeadline::Unreliable), claims.exit()),
                    (Exit::CouldNotSay, Exit::CouldNotSay)
                );
                // That names and dates are filled in needs no program.
                let own = claims.list().iter().filter(|claim| claim.subject != ClaimSubject::ReportComplete);
                assert!(own.into_iter().all(|claim| !claim.is_shown() && !claim.is_contradicted()));
            }
        }
    }
}
