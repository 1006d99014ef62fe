//! The words in which a certificate is judged again.

use crate::document::words::words;

words! {
    /// The words of a certificate that was judged again.
    CertificateWords {
        refused(name: text, fault: text),
        follows(name: text, verdict: text),
        dealt_again(name: text, verdict: text, decks: number),
        read_again(name: text, verdict: text, decks: number),
        standards_not_met(names: text),
        hands_follow(name: text, verdict: text),
        hands_again(name: text, verdict: text),
        subject(subject: text),
        subject_said,
        subject_line(name: text, text: text),
        source(source: text),
        command(sha256: text),
        decks(decks: text, planned: number),
        decks_all(decks: text),
        statistics(extent: text, p_values: number),
        label_plan,
        plan_after, plan_saved,
        plan_receipt(receipt: text, log: text, index: digits),
        plan_quorum(log: text, index: digits, time: text),
        label_tool,
        tool(version: text, commit: text),
        says(sentence: text),
        hands_pass(verdict: text, hands: number, family: text),
        hands_investigate(verdict: text, family: text),
        hands_fail(verdict: text, proofs: text),
        hands_unread(verdict: text, count: number, family: text),
        hands_few(verdict: text, count: number, family: text),
        hands_family(p_value: text, p_values: number, hands: number),
        label_file,
        file(bytes: number, sha256: text),
        label_hands,
        hands(high: number, eight: number, other: number, unread: number, twice: number, unnamed: number),
        not_checked(what: text),
        not_reproducible(reason: text),
        chosen(option: text),
        start(order: text),
        fallen(falls: number),
        lines_passed(lines: number, all: number, cards: number),
        left_out(left_out: text),
        integers, held_once, hands_apart, hands_picked, hands_integers, other_tool, plan_time, run_once,
    }
}
