//! Published hands as one JSON object.

use serde_json::{Value, json};

use crate::rendering::hands::HandsFindings;
use deckproof_audit::audit::verdict::Verdict;
use deckproof_audit::hands::between::Between;
use deckproof_audit::hands::description::WHY_NOT_JUDGED;
use deckproof_audit::hands::judgement::{HANDS_MIN, HandsTest, LEVEL, Method};
use deckproof_stud::stud::record::StudGame;

/// The object on one line.
pub fn print(findings: &HandsFindings) -> String {
    let HandsFindings { collection, census, description, judgement, claims } = findings;
    let of = |game| collection.records.iter().filter(|record| record.game == game).count();
    let wrong: Vec<Value> = collection
        .records
        .iter()
        .filter_map(|record| {
            let (found, wanted) = record.wrong_bring_in()?;
            Some(json!({ "hand": record.number, "seat": found, "lowest_door_at_seat": wanted }))
        })
        .collect();
    let impossible: Vec<Value> = collection
        .impossible
        .iter()
        .map(|(hand, card)| json!({ "hand": hand, "card_twice": card.to_string() }))
        .collect();
    let untested: Vec<Value> = judgement
        .untested
        .iter()
        .map(|untested| {
            let subject = untested.subject;
            json!({ "family": subject.family, "part": subject.part, "reason": untested.reason })
        })
        .collect();
    let seats: Vec<u64> = census.groups.iter().map(|group| group.hands).collect();
    json!({
        "verdict": Verdict::of(claims).name(),
        "claims": claims,
        "joint_p_value": judgement.family_p_value,
        "level": LEVEL,
        "hands_wanted": HANDS_MIN,
        "hands": judgement.hands,
        "read": { "stud_high": of(StudGame::High), "stud_8_or_better": of(StudGame::EightOrBetter) },
        "other_games": collection.others,
        "unread": collection.unread,
        "found_again": collection.again,
        "impossible": impossible,
        "wrong_bring_in": wrong,
        "alike": Between::named(&collection.records),
        "doors_unknown": census.doors_unknown,
        "hands_by_seats_dealt_in": seats,
        "tests": judgement.tests.iter().map(test).collect::<Vec<Value>>(),
        "untested": untested,
        "described": {
            "why_not_judged": WHY_NOT_JUDGED,
            "up_cards_by_street": description.up_cards,
            "folds_by_street": description.folds,
            "shown_by_category": description.shown,
            "mucked_and_named": description.mucked,
        },
    })
    .to_string()
}

fn test(test: &HandsTest) -> Value {
    let (method, count) = match test.method {
        Method::MonteCarlo(count) => ("monte-carlo", count as f64),
        Method::ChiSquared(freedom) => ("chi_squared", freedom),
        Method::Poisson(mean) => ("poisson", mean),
    };
    let rows: Vec<Value> = test
        .rows
        .iter()
        .map(|row| json!({ "label": row.label, "observed": row.observed, "expected": row.expected }))
        .collect();
    json!({
        "family": test.subject.family,
        "part": test.subject.part,
        "null": test.subject.null,
        "method": method,
        "samples_freedom_or_mean": count,
        "hands": test.hands,
        "score": test.score,
        "p_value": test.p_value,
        "hands_for_every_cell": test.hands_for_every_cell,
        "rows": rows,
    })
}
