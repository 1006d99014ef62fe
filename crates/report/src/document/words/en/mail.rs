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
    beside_stop: |day, whose| format!("the stop of {day} stands, {whose}"),
    stop_until_step: |day, step| {
        format!("The stop of {day} ({step}) stands until that step passes: deal no hand.")
    },
    stop_until_decks: |day, step| {
        format!("The stop of {day} ({step}) stands until new decks pass: deal no hand.")
    },
    stop_for_good: |day, step| {
        format!("The stop of {day} ({step}) stands for good; a repaired shuffler gets a folder of its own.")
    },
    decks_of: |decks, source| format!("{} decks of {source}", number(decks)),
    all_passed: |passed| format!("All {} checks passed.", number(passed)),
    some_passed: |passed, missing| {
        let checks = if passed == 1 { "check" } else { "checks" };
        format!("{} {checks} passed; not set up: {missing}.", number(passed))
    },
    and_more: |more| format!(" and {more} more"),
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
    evidence_none_short: "evidence over all days: not counted today.",
    evidence_short: |days, stands| {
        let word = if days == 1 { "day" } else { "days" };
        format!("the evidence over {} {word} {stands}", number(days))
    },
    missing: |days, evidence| format!("No result on {days}; {evidence}"),
    both: |one, two| format!("{one} and {two}"),
    and_more_days: |more| format!(" and {more} more days"),
    evidence: |days, stands| {
        let word = if days == 1 { "day" } else { "days" };
        format!("Over {} {word} the evidence against the shuffler {stands}", number(days))
    },
    evidence_proof: "is a proof: a deck came up again",
    evidence_nothing: "is none",
    evidence_odds: |odds| format!("stands at 1 in {odds}"),
    next_passed: "Nothing to do.",
    next_could_not_say: "Mend the cause, run daily again.",
    next_nothing_new: "Nothing to run again: wait for new decks.",
    next_too_few: "Add decks to the source, run daily again.",
    next_told_once: "Put the step back, or leave it: it is told once.",
    next_before_the_next: "Mend the cause before the next day.",
    next_investigate: "Deal on; the next day answers.",
    next_stop: "Stop dealing, keep everything.",
    row: |row, hash| format!("Row {row} {hash}"),
    not_recorded: "the day could not be recorded",
    record_damaged: "the record of earlier days is damaged",
    decks_unrecorded: "Decks: nothing of today is recorded; this is neither a pass nor a fail of the shuffler.",
    restore: "Keep the damaged folder aside, restore it from a backup, run daily again.",
    record_changed: "the record of earlier days was changed",
    chain: |fault| format!("chain: {fault}"),
    nothing_added: "Decks: none was judged today; nothing was added, it would make the change look old.",
    keep_folder: "Keep the folder as it is, compare it with earlier mails, find out who could write there.",
    notice: |line| line.to_owned(),
};
