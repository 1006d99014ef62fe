//! What `deckproof certify` says on the screen.

use crate::document::words::words;

words! {
    /// The words of `deckproof certify`.
    CampaignWords {
        frozen(audits: number, sha256: text, plan: text),
        records_shared(item: text, shared: number, all: number),
        records_left(item: text, left: number, all: number),
        records_repeated(item: text, records: number),
        nothing_drawn,
        runs(place: number, all: number, id: text),
        runs_decks(place: number, all: number, id: text, decks: number),
        audit(id: text, verdict: text, decks: number, p_value: text, p_values: number),
        raw(item: text, verdict: text, words: number, p_value: text),
        ended(headline: text, audits: number, not_passed: number, revision: number),
        selftest_failed,
        written(files: number, folder: text),
        no_pdf,
        finished(folder: text),
        packed(file: text, bytes: number),
        signed(file: text, namespace: text),
        signed_before(file: text),
        not_signed(namespace: text, file: text),
    }
}
