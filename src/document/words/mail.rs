//! The words of the mail of the daily job: five lines of less than 100 letters.

use crate::document::words::words;

words! {
    /// The words of the mail.
    MailWords {
        subject(&str, &str, &str, &str),
        passed,
        investigate,
        stop,
        could_not_say,
        no_deck,
        no_deck_of(&str),
        decks_of(u64, &str),
        all_passed(u64),
        some_passed(u64, &str),
        found(&str, &str),
        no_reason,
        decks_none,
        decks_proof(&str, &str),
        decks(&str, &str, u64, u64),
        evidence_none,
        evidence(u64, &str),
        evidence_proof,
        evidence_nothing,
        evidence_odds(&str),
        next_passed,
        next_could_not_say,
        next_investigate,
        next_stop,
        row(u64, &str),
        record_changed,
        chain(&str),
        nothing_added,
        keep_folder,
    }
}
