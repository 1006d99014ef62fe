//! The table of premises of a laboratory report.

use crate::document::words::words;

words! {
    /// The words of the table of premises.
    PremiseWords {
        section, text, caption, note, premise, state, refutable, yes, partly, no, shown, by_customer,
        by_laboratory,
        contradicted(row: text),
        not_counted_again, not_by_these_data, verdict, permutation, counts, next_deck_unknown,
        build_in_production, decks_of_the_table, plan_fixed, plan_after, decks_not_chosen,
    }
}
