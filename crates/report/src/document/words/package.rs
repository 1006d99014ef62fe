//! The words in which a report package is judged.

use crate::document::words::words;

words! {
    /// The words of `deckproof verify PACKAGE`.
    PackageWords {
        refused(&str, &str),
        fault_checksum(&str, &str),
        fault_unlisted(&str, &str),
        fault_missing(&str, &str),
        fault_derived(&str, &str),
        fault_unsound(&str, &str),
        fault_archive(&str),
        consistent(&str, &str, u64, u64),
        sums_hold,
        signed_by(&str),
        no_signature(&str, &str),
        other_signature(&str, &str),
        not_signed_by(&str, &str, &str),
        expired(&str, &str),
        keygen_said(&str),
        keygen_ended(&str),
        counted_otherwise(&str, &str),
        words_otherwise(&str),
        selftest_otherwise,
        kept_again(u64),
        kept_whose,
        other_decks(&str),
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
        plan_time,
        people,
        first_one,
    }
}
