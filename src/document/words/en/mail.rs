//! The mail of the daily job in English.

use crate::document::words::en::number;
use crate::document::words::mail::MailWords;

pub(super) const WORDS: MailWords = MailWords {
    subject: |name, day, said, whose| format!("{name}, {day}: {said}, {whose}"),
    passed: "PASS",
    investigate: "INVESTIGATE",
    stop: "STOP",
    could_not_say: "COULD NOT SAY",
    no_deck: "no deck was judged",
    no_deck_of: |files| format!("{files}: no deck was judged"),
    decks_of: |decks, source| format!("{} decks of {source}", number(decks)),
    all_passed: |passed| format!("All {} checks passed.", number(passed)),
    some_passed: |passed, missing| format!("{} checks passed; not set up: {missing}.", number(passed)),
    found: |name, evidence| format!("{name}: {evidence}"),
    no_reason: "no reason was recorded",
    decks_none: "Decks: none was judged today; this is neither a pass nor a fail of the shuffler.",
    decks_proof: |verdict, proof| format!("Decks: {verdict}, proof: {proof}"),
    decks: |verdict, p_value, p_values, decks| {
        let (p_values, decks) = (number(p_values), number(decks));
        format!(
            "Decks: {verdict}, family p-value {p_value} over {p_values} p-values, null: fair shuffle, n = {decks}"
        )
    },
    evidence_none: "Evidence over all days: not counted today.",
    evidence: |days, stands| {
        let word = if days == 1 { "day" } else { "days" };
        format!("Over {} {word} the evidence against the shuffler {stands}", number(days))
    },
    evidence_proof: "is proof: a deck came up again",
    evidence_nothing: "stands at nothing (below 1 in 1)",
    evidence_odds: |odds| format!("stands at 1 in {odds}"),
    next_passed: "Nothing to do.",
    next_could_not_say: "Mend the cause, run daily again.",
    next_investigate: "Deal on; the next day answers.",
    next_stop: "Stop dealing, keep everything.",
    row: |row, hash| format!("Row {row} {hash}"),
    record_changed: "the record of earlier days was changed",
    chain: |fault| format!("chain: {fault}"),
    nothing_added: "Decks: none was judged today; nothing was added, it would make the change look old.",
    keep_folder: "Keep the folder as it is, compare it with earlier mails, find out who could write there.",
};
