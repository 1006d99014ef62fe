//! The judgement of a report package in English.

use crate::document::words::en::number;
use crate::document::words::package::PackageWords;
use crate::math::decimal::counted;

pub(super) const WORDS: PackageWords = PackageWords {
    refused: |name, fault| format!("{name}: the package is refused: {fault}."),
    consistent: |name, files, recomputed| {
        format!(
            "{name}: the package is consistent: {files}, each with its checksum, of which {recomputed} follow from project, \
             plan, certificates and counts, byte for byte.",
            files = counted(files, "file", "files"),
            recomputed = number(recomputed)
        )
    },
    signed_by: |who| format!("The checksums are signed by {who}."),
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
    people: "what people say in it: names, dates, declarations, evidence and opinions are as whoever signs them says.",
    first_one: "that it is the first one: whoever may sign can make another package, with other keys or other words, that is as \
                consistent. What tells them apart is the campaign hash, deposited before the first deck.",
};
