//! What `deckproof certify` says on the screen.

use crate::document::words::words;

words! {
    /// The words of `deckproof certify`.
    CampaignWords {
        frozen(u64, &str, &str),
        nothing_drawn,
        runs(u64, u64, &str),
        runs_decks(u64, u64, &str, u64),
        audit(&str, &str, u64, &str, u64),
        raw(&str, &str, u64, &str),
        ended(&str, u64, u64, u64),
        selftest_failed,
        written(u64, &str),
        no_pdf,
        finished(&str),
        packed(&str, u64),
        signed(&str, &str),
        not_signed(&str, &str),
    }
}
