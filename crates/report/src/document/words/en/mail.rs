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
    beside_stop: |day, whose| format!("the stop of {day} is still active, {whose}"),
    stop_until_step: |day, step| {
        format!("Stop of {day}, active: {step}. Deal no hand until it passes; or history --lift.")
    },
    stop_until_decks: |day, step| {
        format!("Stop of {day}, active: {step}. Deal no hand until new decks pass; or history --void.")
    },
    stop_until_release: |day, step| {
        format!("Stop of {day}, active: {step}. It ends by history --release (repaired) or --void.")
    },
    of_decks: |decks, what| {
        let word = if decks == 1 { "deck" } else { "decks" };
        format!("{} {word}: {what}", number(decks))
    },
    wrong_files: "a file that runs is not the listed one",
    wrong_restarts: "a shuffler that was started again repeated an earlier start",
    wrong_log: "the log of hands contradicts itself",
    wrong_seats: "clocks or stacks of a table are not in order",
    wrong_replay: "a hand is not the one that was committed to",
    wrong_decks: "they are not those of a fair shuffle",
    wrong_predicted: "their generator was recovered, the next cards are known",
    wrong_record: "a record is no deck of 52 cards",
    wrong_repeat: "a deck came up again",
    wrong_cell: |card, place, found, decks, expected| {
        format!(
            "{card} was card {place} in {} of {} decks, expected {}",
            number(found),
            number(decks),
            number(expected)
        )
    },
    wrong_comparison: "one shuffler did not deal both games",
    wrong_drift: "over all days they are not those of a fair shuffle",
    wrong_program: "this program fails its own check on this machine",
    wrong_noise: "the noise source is not healthy",
    question: "a question, not a finding",
    unsaid_export: "the export cannot be judged",
    unsaid_changed: "the file was changed before its new records",
    unsaid_few: "too few decks for a day",
    unsaid_step: |step| format!("one step could not be done, {step}"),
    judged_before: |row, said| format!("already judged: row {}, {said}", number(row)),
    nothing_added_again: "Nothing was examined again and nothing was added.",
    change: |words| format!("Changed: {words}."),
    note: |words| format!("Note: {words}."),
    whose: |whose| format!("Source: {whose}"),
    level: |p_value, level| format!("{p_value} (a day asks from {level} on)"),
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
    evidence_odds: |odds| format!("is 1 in {odds}"),
    next_passed: "Nothing to do.",
    next_could_not_say: "Mend the cause, run daily again.",
    next_export: "Deal on; put the right file there, run daily again.",
    next_export_stopped: "Do not deal on; put the right file there, run daily again.",
    next_too_few: "Add decks to the source, run daily again.",
    next_told_once: "Put the step back, or leave it: it is named once.",
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
