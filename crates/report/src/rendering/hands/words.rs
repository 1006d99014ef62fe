//! Published hands in plain sentences.

use std::fmt::Write;

use crate::rendering::hands::HandsFindings;
use deckproof_audit::audit::verdict::Verdict;
use deckproof_audit::hands::description::WHY_NOT_JUDGED;
use deckproof_audit::hands::judgement::{HANDS_MIN, HandsTest, LEVEL, Method};
use deckproof_deck::text::decimal::{joint_p_is, p_is, thousands};
use deckproof_stud::stud::record::StudGame;
use deckproof_verify::claim::ClaimSubject;

/// Exhibits of more rows than this are for `--json`.
const ROWS_MAX: usize = 13;

/// Tells everything.
pub fn print(findings: &HandsFindings) -> String {
    let mut text = String::new();
    read(&mut text, findings);
    judged(&mut text, findings);
    described(&mut text, findings);
    verdict(&mut text, findings);
    text
}

fn hands(count: u64) -> String {
    if count == 1 { "1 hand".to_owned() } else { format!("{} hands", thousands(count)) }
}

fn read(text: &mut String, findings: &HandsFindings) {
    let collection = &findings.collection;
    let records = &collection.records;
    let of = |game| thousands(records.iter().filter(|record| record.game == game).count() as u64);
    let _ = writeln!(
        text,
        "Found {}: {} of stud {} read ({} of {}, {} of {}).",
        hands(collection.hands_total() as u64),
        thousands(records.len() as u64),
        if records.len() == 1 { "was" } else { "were" },
        of(StudGame::High),
        StudGame::High.name(),
        of(StudGame::EightOrBetter),
        StudGame::EightOrBetter.name()
    );
    for (game, count) in &collection.others {
        let _ = writeln!(text, "Another game, not read: {} of {game}.", hands(*count));
    }
    for unread in &collection.unread {
        let _ = writeln!(text, "Not read: {unread}.");
    }
    for again in &collection.again {
        let _ = writeln!(text, "Found again, counted once: {again}.");
    }
    for (hand, card) in &collection.impossible {
        let _ = writeln!(
            text,
            "Impossible: {hand} holds {card} twice. The record was changed, or the deck was none of 52 cards."
        );
    }
    for record in records {
        if let Some((found, wanted)) = record.wrong_bring_in() {
            let _ = writeln!(
                text,
                "Against the rules: in hand {} seat {found} brought it in, the lowest door card lay at seat {wanted}.",
                record.number
            );
        }
    }
    if findings.census.doors_unknown > 0 {
        let unknown = hands(findings.census.doors_unknown);
        let _ = writeln!(
            text,
            "Left out of the door cards and the bring-in: {unknown} with a door card that is not named."
        );
    }
}

fn judged(text: &mut String, findings: &HandsFindings) {
    let _ = writeln!(text, "\nJudged, because betting has no part in it:");
    for test in &findings.judgement.tests {
        one_test(text, test);
    }
    for untested in &findings.judgement.untested {
        let subject = untested.subject;
        let _ = writeln!(text, "  {}, {}: not tested, {}.", subject.family, subject.part, untested.reason);
    }
}

fn one_test(text: &mut String, test: &HandsTest) {
    let method = match test.method {
        Method::MonteCarlo(count) => {
            format!("exact test against {} Monte Carlo samples of a fair deal", thousands(count))
        }
        Method::ChiSquared(freedom) => format!("χ² of {freedom} degrees of freedom"),
    };
    let _ = writeln!(
        text,
        "  {}, {}: {}, score {:.2}, {method}, n = {}.\n    Null: {}.",
        test.subject.family,
        test.subject.part,
        p_is(test.p_value),
        test.score,
        hands(test.hands),
        test.subject.null
    );
    if test.hands < test.hands_for_every_cell {
        let _ = writeln!(
            text,
            "    Every cell expects 10 only from {} like these on; below that just gross faults show.",
            hands(test.hands_for_every_cell)
        );
    }
    if test.rows.len() <= ROWS_MAX {
        let rows =
            test.rows.iter().map(|row| format!("{} {} ({:.1})", row.label, row.observed, row.expected));
        let _ = writeln!(text, "    Seen (expected): {}.", rows.collect::<Vec<_>>().join(", "));
    }
}

fn described(text: &mut String, findings: &HandsFindings) {
    let description = &findings.description;
    let _ = writeln!(text, "\nDescribed only. {WHY_NOT_JUDGED}");
    let list = |counts: &[u64]| {
        let streets = (3..).zip(counts).map(|(street, count)| format!("street {street} {count}"));
        streets.collect::<Vec<_>>().join(", ")
    };
    let _ = writeln!(text, "  Up cards dealt: {}.", list(&description.up_cards));
    let _ = writeln!(text, "  Seats that folded: {}.", list(&description.folds));
    let shown: Vec<String> = description
        .shown
        .iter()
        .map(|(category, count)| format!("{} {count}", category.replace('_', " ")))
        .collect();
    let shown = if shown.is_empty() { "none".to_owned() } else { shown.join(", ") };
    let _ = writeln!(
        text,
        "  Hands of seven cards seen at the end: {shown}. Mucked hands among those whose cards are named: {}.",
        description.mucked
    );
}

fn verdict(text: &mut String, findings: &HandsFindings) {
    let judgement = &findings.judgement;
    let joined = format!(
        "The three families share the level of {LEVEL}: joint {} over n = {} with all door cards named \
         (Bonferroni over families, Holm inside; null: a fair deal).",
        joint_p_is(judgement.family_p_value),
        hands(judgement.hands)
    );
    let is_enough = findings.claims.shows(ClaimSubject::NoDeparture);
    let word = match (Verdict::of(&findings.claims), is_enough) {
        (Verdict::Fail, _) => "Refused: a hand holds a card twice.",
        (Verdict::Investigate, _) => {
            "Investigate: these hands are unlikely under a fair deal, or they were picked. Ask for all hands of a longer time."
        }
        (Verdict::Pass, _) => "Passed: nothing was found in the hands that were read.",
        (Verdict::Inconclusive, true) => {
            "Nothing was found, but some hands cannot be read, and those may be the ones that matter: this says nothing."
        }
        (Verdict::Inconclusive, false) => "Nothing was found, and there is not enough to say more.",
    };
    let _ = writeln!(text, "\n{joined}\n{word}");
    if judgement.verdict == Verdict::Inconclusive {
        let _ = writeln!(
            text,
            "{} with all door cards named are too few for a verdict, which wants {}.",
            hands(judgement.hands),
            thousands(HANDS_MIN)
        );
    }
    let _ = writeln!(
        text,
        "All this holds only if hands were published without regard to their cards; a picked sample shows the picking."
    );
}
