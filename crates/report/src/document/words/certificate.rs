//! The words in which a certificate is judged again.

use crate::document::words::words;

words! {
    /// The words of a certificate that was judged again.
    CertificateWords {
        refused(&str, &str),
        follows(&str, &str),
        dealt_again(&str, &str, u64),
        read_again(&str, &str, u64),
        hands_follow(&str, &str),
        hands_again(&str, &str),
        subject(&str),
        subject_line(&str, &str),
        source(&str),
        decks(&str, u64),
        decks_all(&str),
        statistics(&str, u64),
        plan(&str),
        plan_saved,
        plan_receipt(&str, &str, u64),
        plan_quorum(&str, u64, &str),
        tool(&str, &str),
        says(&str),
        outcome(&str, &str, &str, u64),
        outcome_hands(&str, &str, &str, u64),
        proof(&str),
        repeated(&str, &str),
        file(&str, &str),
        hands(&str, &str, &str, &str, &str, &str),
        not_checked(&str),
        not_reproducible(&str),
        integers,
        hands_picked,
        hands_integers,
        other_tool,
        plan_time,
    }
}
