//! The judgement of a report package in English.

use crate::document::words::en::number;
use crate::document::words::package::PackageWords;
use deckproof_stats::math::decimal::counted;

pub(super) const WORDS: PackageWords = PackageWords {
    refused: |name, fault| {
        format!("{name}: REFUSED, and no verdict of it counts: the package contradicts itself: {fault}.")
    },
    fault_checksum: |file, what| format!("{file}: {what}"),
    fault_unlisted: |file, what| format!("{file}: {what}"),
    fault_missing: |file, what| format!("{file}: {what}"),
    fault_derived: |file, what| format!("{file}: {what}"),
    fault_unsound: |file, what| format!("{file}: {what}"),
    fault_archive: str::to_owned,
    consistent: |name, verdict, files, recomputed| {
        format!(
            "{name}: verdict {verdict}; the package is consistent: {files}, each with its checksum, of which {recomputed} follow from project, \
             plan, certificates and counts, byte for byte.",
            files = counted(files, "file", "files"),
            recomputed = number(recomputed)
        )
    },
    sums_hold: "Every file has its checksum.",
    signed_by: |who| format!("The checksums are signed by {who}."),
    no_signature: |file, who| format!("{file}: found no signature, wanted one of {who}"),
    other_signature: |file, told| {
        format!("{file}: it is the signature of other checksums than these; {told}")
    },
    not_signed_by: |file, who, told| {
        format!("{file}: it is not the signature of {who} on these checksums; {told}")
    },
    expired: |who, day| {
        format!(
            "when it was signed: the key of {who} is not valid today, and was on {day}, the date of issue that the report \
             itself states. If you know that it was signed on a certain day, give --signed-on DATE."
        )
    },
    keygen_said: |line| format!("ssh-keygen says \"{line}\""),
    keygen_ended: |status| format!("ssh-keygen ended with {status}"),
    counted_otherwise: |file, what| format!("{file}: counted again, {what}"),
    words_otherwise: |file| format!("{file}: counted again, the words of its key have other counts"),
    selftest_otherwise: "selftest.json: run again, the selftest found something else",
    kept_again: |decks| {
        format!(
            "Counted again: {} that the package keeps, every integer the same.",
            counted(decks, "deck", "decks")
        )
    },
    kept_whose: "that the decks kept in the package are those that the program gave: that is the word of the laboratory.",
    other_decks: |audits| {
        format!(
            "these audits, whose program gave other decks this time: {audits}. A random program cannot be asked for the same \
             decks again, and nothing is said against the first ones."
        )
    },
    counted_again: |decks| {
        format!(
            "Counted again: {} and the raw output, every integer the same; so is the selftest.",
            counted(decks, "deck", "decks")
        )
    },
    decks_again: |decks| {
        format!(
            "Counted again: {}, every integer the same; so is the selftest.",
            counted(decks, "deck", "decks")
        )
    },
    says: |verdict, report, revision, audits, decks| {
        format!(
            "It says: {verdict}: report {report}, revision {}, {}, {}; null hypothesis of each audit: the decks \
             are independent and every order is equally likely.",
            number(revision),
            counted(audits, "audit", "audits"),
            counted(decks, "deck", "decks")
        )
    },
    campaign: |sha256| format!("Campaign SHA-256: {sha256}."),
    not_checked: |what| format!("Not checked: {what}"),
    unsigned: "who made it: it has no signature.",
    who_signed: "who signed it (--signers FILE --identity NAME).",
    integers: "that the integers are those of the sources: integers can be invented, and judging them again shows only that the \
               arithmetic is right (--rerun counts again).",
    supplied: |audits| format!("these audits, whose decks must be supplied with --source: {audits}."),
    gone: |audits| format!("these audits, whose decks nobody has a second time: {audits}."),
    page: |file| format!("{file}, but for its checksum: this build cannot write it."),
    plan_time: "that the plans were frozen before the data: the package holds the SHA-256 of its campaign, and only somebody who was \
                given it before can compare (--committed, --receipt).",
    people: "what people say in it: names, dates, declarations, evidence and opinions are as whoever signs them says.",
    first_one: "that it is the first one: whoever may sign can make another package, with other keys or other words, that is as \
                consistent. A campaign hash that somebody other than the signer kept with its date shows that this one was frozen by \
                then; how many others were frozen, only somebody can count who takes all deposits.",
};
