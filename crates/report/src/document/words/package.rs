//! The words in which a report package is judged.

use crate::document::words::words;

words! {
    /// The words of `deckproof verify PACKAGE`.
    PackageWords {
        refused(name: text, fault: text),
        contradicts(name: text, fault: text),
        fault_checksum(file: text, what: text),
        fault_foreign(file: text, what: text),
        fault_missing(file: text, what: text),
        fault_cut(file: text),
        fault_line_ends(file: text),
        fault_derived(file: text, what: text),
        fault_unsound(file: text, what: text),
        fault_archive(what: text),
        consistent(name: text, verdict: text, files: number, recomputed: number),
        unlisted(count: number, files: text),
        sums_hold,
        signed_by(who: text),
        no_signature(file: text, who: text),
        other_signature(file: text, told: text),
        not_signed_by(file: text, who: text, told: text),
        other_key(file: text, who: text, key: text),
        expired(who: text, day: text),
        keygen_said(line: text),
        keygen_ended(status: text),
        counted_otherwise(file: text, what: text),
        compared_otherwise(file: text),
        words_otherwise(file: text),
        selftest_otherwise,
        kept_again(decks: number),
        kept_whose,
        other_decks(audits: text),
        counted_again(decks: number),
        decks_again(decks: number),
        says(verdict: text, report: text, revision: number, audits: number, decks: number),
        campaign(sha256: text),
        not_checked(what: text),
        unsigned, who_signed, integers,
        supplied(audits: text),
        gone(audits: text),
        page(file: text),
        plan_time, people, first_one, earlier_revisions,
    }
}
