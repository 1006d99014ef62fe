//! The words in which a report package is judged.

use crate::document::words::words;

words! {
    /// The words of `deckproof verify PACKAGE`.
    PackageWords {
        refused(&str, &str),
        consistent(&str, u64, u64),
        signed_by(&str),
        counted_again(u64),
        decks_again(u64),
        says(&str, &str, u64, u64, u64),
        campaign(&str),
        not_checked(&str),
        unsigned,
        who_signed,
        integers,
        supplied(&str),
        gone(&str),
        page(&str),
        people,
        first_one,
    }
}
