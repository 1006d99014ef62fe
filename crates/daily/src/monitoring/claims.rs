//! What a day rests on: each of its steps is a claim, and what all of them say together is a function of the claims.

use crate::monitoring::check::{CheckResult, DayCheck};
use crate::monitoring::step_list::listed;
use deckproof_verify::claim::counted::of_decks;
use deckproof_verify::claim::{Claim, ClaimGap, ClaimSubject, Claims, Headline, Otherwise, Witness};

/// What a stop is called.
const STOP: &str = "stop";

/// What a question is called.
const QUESTION: &str = "investigate";

/// The claims of a day: one for each of its steps, and of a day that judged decks whose they are. The head needs every step
/// that the configuration asks for.
pub fn claims(checks: &[DayCheck], has_judged_decks: bool) -> Claims {
    let mut steps: Vec<(CheckResult, Claim)> = Vec::new();
    for check in checks {
        let claim = claim(check);
        match steps.iter_mut().find(|(_, own)| own.subject == claim.subject) {
            // A subject has one claim: the worst.
            Some(step) if step.0 >= check.result => {}
            Some(step) => *step = (check.result, claim),
            None => steps.push((check.result, claim)),
        }
    }
    let is_set_up = |(result, _): &&(CheckResult, Claim)| *result != CheckResult::NotSetUp;
    let needed: Vec<ClaimSubject> = steps.iter().filter(is_set_up).map(|(_, claim)| claim.subject).collect();
    let mut list: Vec<Claim> = steps.into_iter().map(|(_, claim)| claim).collect();
    if has_judged_decks {
        list.push(Claim::shown(ClaimSubject::Verdict, Witness::Computation));
        list.push(Claim::shown(ClaimSubject::Counts, Witness::Computation));
        list.extend(of_decks(true));
    }
    Claims::new(list, &needed)
}

/// What all steps say together: never better than the weakest that is needed.
pub fn overall(checks: &[DayCheck]) -> CheckResult {
    let claims = claims(checks, false);
    match claims.headline() {
        Headline::Refused if claims.is_question() => CheckResult::Investigate,
        Headline::Refused => CheckResult::Refused,
        Headline::Accepted => CheckResult::Passed,
        Headline::Partly => CheckResult::CouldNotSay,
        Headline::Consistent if !checks.is_empty() && checks.iter().all(is_left_out) => CheckResult::NotSetUp,
        Headline::Consistent => CheckResult::CouldNotSay,
    }
}

fn is_left_out(check: &DayCheck) -> bool {
    check.result == CheckResult::NotSetUp
}

/// A step that is not listed is another version's: a claim of the whole row.
fn subject(name: &str) -> ClaimSubject {
    listed(name).map_or(ClaimSubject::Form, |step| step.subject)
}

fn claim(check: &DayCheck) -> Claim {
    let (subject, place) = (subject(&check.name), &check.evidence);
    match check.result {
        CheckResult::Passed => Claim::shown(subject, Witness::Computation),
        CheckResult::Refused => Claim::contradicted(subject, STOP, place),
        CheckResult::Investigate => Claim::contradicted(subject, QUESTION, place).or(Otherwise::Chance),
        CheckResult::CouldNotSay => Claim::not_looked_at(subject, ClaimGap::CouldNotBeDone),
        CheckResult::NotSetUp => Claim::not_looked_at(subject, ClaimGap::NotSetUp),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::monitoring::judge::{CHAIN, LIVE};
    use crate::monitoring::seats;
    use crate::monitoring::step_list::{ListedStep, STEPS};
    use deckproof_verify::claim::ClaimState;

    const ALL: [CheckResult; 5] = [
        CheckResult::NotSetUp,
        CheckResult::Passed,
        CheckResult::CouldNotSay,
        CheckResult::Investigate,
        CheckResult::Refused,
    ];

    /// Over all states of three steps the day is the worst of them, and its exit status is that of its claims.
    #[test]
    fn over_all_combinations_the_day_is_as_its_worst_step() {
        for first in ALL {
            for second in ALL {
                for third in ALL {
                    let names = [CHAIN, LIVE, seats::NAME];
                    let steps = names.into_iter().zip([first, second, third]);
                    let checks: Vec<DayCheck> =
                        steps.map(|(name, result)| DayCheck::new(name, result, "b")).collect();
                    let worst = first.max(second).max(third);
                    assert_eq!(overall(&checks), worst, "{checks:?}");
                    assert_eq!(claims(&checks, true).exit(), worst.exit(), "{checks:?}");
                }
            }
        }
    }

    #[test]
    fn each_step_is_a_claim_of_its_own_with_its_place_or_the_reason_why_nobody_looked() {
        let mut subjects: Vec<ClaimSubject> = STEPS.iter().map(|step| step.subject).collect();
        subjects.sort();
        subjects.dedup();
        // Decks and the cards that were dealt of them depart from one thing.
        assert_eq!(subjects.len(), STEPS.len() - 1);
        let contradicted =
            |code: &str| ClaimState::Contradicted { code: code.to_owned(), place: "row 3".to_owned() };
        let not = |why| ClaimState::NotLookedAt { why };
        for ListedStep { name, subject, .. } in STEPS {
            for (result, wanted) in [
                (CheckResult::Passed, ClaimState::Shown),
                (CheckResult::Refused, contradicted("stop")),
                (CheckResult::Investigate, contradicted("investigate")),
                (CheckResult::CouldNotSay, not(ClaimGap::CouldNotBeDone)),
                (CheckResult::NotSetUp, not(ClaimGap::NotSetUp)),
            ] {
                let claims = claims(&[DayCheck::new(name, result, "row 3")], false);
                let claim = claims.of(subject).expect("the step is claimed");
                assert_eq!((&claim.state, claims.list().len()), (&wanted, 1), "{name}");
                assert_eq!(claims.needs(subject), result != CheckResult::NotSetUp, "{name}");
            }
        }
    }

    #[test]
    fn a_step_twice_and_a_step_of_no_name_count_as_the_worst() {
        let check = |name, result| DayCheck::new(name, result, "b");
        let twice = [check(LIVE, CheckResult::Refused), check(LIVE, CheckResult::Passed)];
        assert_eq!(overall(&twice), CheckResult::Refused);
        let unknown = [check("a", CheckResult::Passed), check("b", CheckResult::CouldNotSay)];
        assert_eq!(overall(&unknown), CheckResult::CouldNotSay);
        let left_out = [check("a", CheckResult::Passed), check("b", CheckResult::NotSetUp)];
        assert_eq!(overall(&left_out), CheckResult::Passed);
        assert_eq!(overall(&[]), CheckResult::CouldNotSay);
    }

    /// Whose decks were judged is claimed of days that judged some.
    #[test]
    fn a_day_that_judged_no_decks_claims_nothing_of_them() {
        let checks = [DayCheck::could_not_say(LIVE, "the export is not there")];
        let (none, some) = (claims(&checks, false), claims(&checks, true));
        for subject in [ClaimSubject::Verdict, ClaimSubject::Counts, ClaimSubject::DecksOfTheTable] {
            assert_eq!((none.of(subject), some.of(subject).is_some()), (None, true));
        }
        assert!(!none.list().iter().any(Claim::is_shown));
    }
}
