//! The words in which a certificate is judged again.

use crate::document::words::words;

words! {
    /// The words of a certificate that was judged again.
    CertificateWords {
        refused(name: text, fault: text),
        follows(name: text, verdict: text),
        dealt_again(name: text, verdict: text, decks: number),
        read_again(name: text, verdict: text, decks: number),
        hands_follow(name: text, verdict: text),
        hands_again(name: text, verdict: text),
        subject(subject: text),
        subject_line(name: text, text: text),
        source(source: text),
        decks(decks: text, planned: number),
        decks_all(decks: text),
        statistics(extent: text, p_values: number),
        plan(sha256: text),
        plan_saved,
        plan_receipt(receipt: text, log: text, index: digits),
        plan_quorum(log: text, index: digits, time: text),
        tool(version: text, commit: text),
        says(sentence: text),
        outcome(verdict: text, decks: text, p_value: text, p_values: number),
        outcome_hands(verdict: text, hands: text, p_value: text, p_values: number),
        proof(proof: text),
        repeated(decks: text, p_value: text),
        file(bytes: text, sha256: text),
        hands(high: text, eight: text, other: text, unread: text, twice: text, unnamed: text),
        not_checked(what: text),
        not_reproducible(reason: text),
        integers, hands_picked, hands_integers, other_tool, plan_time,
    }
}
