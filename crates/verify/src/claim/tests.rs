//! What the head of a judgement may be, over all states of its claims.

use super::*;

/// Every state a claim can have, in rising order of what a headline may make of it.
fn states(subject: ClaimSubject) -> [Claim; 4] {
    [
        Claim::contradicted(subject, "E_SEEN", "seat 4"),
        Claim::not_looked_at(subject, ClaimGap::NoProof),
        Claim::claimed(subject, Party::Operator),
        Claim::shown(subject, Witness::Computation),
    ]
}

#[test]
fn no_headline_is_stronger_than_its_weakest_needed_claim() {
    let needed = [ClaimSubject::DeckFixed, ClaimSubject::OpeningFixed];
    for deck in states(ClaimSubject::DeckFixed) {
        for open in states(ClaimSubject::OpeningFixed) {
            for other in states(ClaimSubject::Play) {
                let all = [&deck, &open, &other];
                let is_refused = all.iter().any(|claim| claim.is_contradicted());
                let wanted = match [&deck, &open].map(Claim::is_shown) {
                    _ if is_refused => Headline::Refused,
                    [true, true] => Headline::Accepted,
                    [false, false] => Headline::Consistent,
                    _ => Headline::Partly,
                };
                let claims = Claims::new(all.map(Clone::clone).to_vec(), &needed);
                assert_eq!(claims.headline(), wanted, "{claims:?}");
            }
        }
    }
}

/// A question is no finding, and beside a finding there is no question.
#[test]
fn the_exit_status_is_that_of_the_head_and_3_where_chance_may_explain_all_that_contradicts() {
    let (a, b) = (ClaimSubject::DeckFixed, ClaimSubject::Play);
    let shown = |subject| Claim::shown(subject, Witness::Computation);
    let open = |subject| Claim::not_looked_at(subject, ClaimGap::NoProof);
    let found = |subject| Claim::contradicted(subject, "fail", "p");
    let asked = |subject| found(subject).or(Otherwise::Chance);
    for (one, other, wanted) in [
        (shown(a), open(b), Exit::Passed),
        (open(a), shown(b), Exit::CouldNotSay),
        (Claim::claimed(a, Party::Operator), shown(b), Exit::CouldNotSay),
        (asked(a), shown(b), Exit::Investigate),
        (shown(a), asked(b), Exit::Investigate),
        (asked(a), asked(b), Exit::Investigate),
        (asked(a), found(b), Exit::Refused),
        (found(a), asked(b), Exit::Refused),
        (shown(a), found(b), Exit::Refused),
        (found(a).or(Otherwise::Export), shown(b), Exit::Refused),
    ] {
        let claims = Claims::new(vec![one, other], &[a]);
        assert_eq!(claims.exit(), wanted, "{claims:?}");
        assert_eq!(claims.is_question(), wanted == Exit::Investigate, "{claims:?}");
    }
    let partly = Claims::new(vec![shown(a), open(b)], &[a, b]);
    assert_eq!((partly.headline(), partly.exit()), (Headline::Partly, Exit::CouldNotSay));
}

#[test]
#[should_panic(expected = "each subject has one claim")]
fn a_subject_has_one_claim() {
    let claim = Claim::shown(ClaimSubject::Play, Witness::Computation);
    Claims::new(vec![claim.clone(), claim], &[]);
}

#[test]
#[should_panic(expected = "what is needed is claimed")]
fn what_is_needed_is_claimed() {
    Claims::new(Vec::new(), &[ClaimSubject::DeckFixed]);
}

#[test]
fn json_names_state_witness_and_what_else_would_explain_it() {
    let claim = Claim::claimed(ClaimSubject::OpeningFixed, Party::Operator)
        .by(Witness::Quorum { time: 12 })
        .or(Otherwise::LateProof { seen: 12, known: 9 });
    let json =
        serde_json::to_value(Claims::new(vec![claim], &[ClaimSubject::OpeningFixed])).expect("plain data");
    let wanted = serde_json::json!([{
        "subject": "opening-fixed", "state": "claimed", "by": "operator",
        "witness": { "kind": "quorum", "time": 12 },
        "otherwise": [{ "kind": "late-proof", "seen": 12, "known": 9 }],
        "needed": true,
    }]);
    assert_eq!(json, wanted);
}
