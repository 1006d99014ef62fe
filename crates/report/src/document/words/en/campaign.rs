//! What `deckproof certify` says on the screen, in English.

use crate::document::words::campaign::CampaignWords;
use crate::document::words::en::number;
use deckproof_stats::math::decimal::counted;

pub(super) const WORDS: CampaignWords = CampaignWords {
    frozen: |audits, sha256, plan| {
        format!("Frozen: {}, campaign SHA-256 {sha256}, in {plan}.", counted(audits, "audit", "audits"))
    },
    nothing_drawn: "Nothing was drawn. The same command without --plan-only carries it out. A deposit of this hash shows that this campaign was frozen by then; how many others were frozen, only whoever takes all deposits can count.",
    runs: |place, all, id| format!("{} of {}: {id}, all decks.", number(place), number(all)),
    runs_decks: |place, all, id, decks| {
        format!("{} of {}: {id}, {}.", number(place), number(all), counted(decks, "deck", "decks"))
    },
    audit: |id, verdict, decks, p_value, p_values| {
        let (decks, p_values) = (counted(decks, "deck", "decks"), number(p_values));
        format!("{id}: {verdict}, {decks}, family p-value {p_value} over {p_values} p-values.")
    },
    raw: |item, verdict, words, p_value| {
        let words = number(words);
        format!(
            "{item}.raw: {verdict}, {words} words of 32 bits, family p-value {p_value} over 5 p-values; null hypothesis: independent fair bits."
        )
    },
    ended: |headline, audits, not_passed, revision| {
        let (audits, not_passed) = (counted(audits, "audit", "audits"), number(not_passed));
        let revision = number(revision);
        format!(
            "{headline}: {audits}, {not_passed} not passed; revision {revision}; null hypothesis of each audit: the decks are \
             independent and every order is equally likely."
        )
    },
    selftest_failed: "The selftest of this program failed: see selftest.json. Its results are not to be relied on.",
    written: |files, folder| format!("Written: {} in {folder}.", counted(files, "file", "files")),
    no_pdf: "No report.pdf: this build writes no PDF (cargo build --release --features pdf, Rust 1.92 or later, makes one that does); report.html prints from any browser.",
    finished: |folder| format!("The package in {folder} is finished: nothing of it was written again."),
    packed: |file, bytes| format!("Packed: {file}, {} bytes.", number(bytes)),
    signed: |file, namespace| format!("Signed: {file}, of the namespace {namespace}."),
    not_signed: |namespace, file| {
        format!("Not signed. To sign: ssh-keygen -Y sign -n {namespace} -f KEY {file}")
    },
};
