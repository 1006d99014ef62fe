//! The table of premises in English.

use crate::document::words::premise::PremiseWords;

pub(super) const WORDS: PremiseWords = PremiseWords {
    section: "Premises",
    text: "What the first page says holds as far as these premises hold. Counts can contradict some of them; the others are assumed, and no number of decks would show that they are false.",
    caption: "What this report rests on",
    note: "A premise that these data could not contradict is as good as whoever vouches for it.",
    premise: "Premise",
    state: "How far it is shown",
    refutable: "Could these data contradict it?",
    yes: "yes",
    partly: "partly",
    no: "no (assumed)",
    shown: "shown: computed from this package",
    by_customer: "the word of the customer",
    by_laboratory: "the word of the laboratory",
    contradicted: |row| format!("contradicted, see {row}"),
    not_counted_again: "counted once; deckproof verify --rerun counts again",
    not_by_these_data: "shown by nothing in this package",
    verdict: "The verdict follows from the counts.",
    permutation: "Every record is a deck of 52 different cards.",
    counts: "The counts are those of the decks.",
    next_deck_unknown: "The next deck cannot be computed from decks that were seen.",
    build_in_production: "The program examined is the one in production, and deals as it does in play.",
    decks_of_the_table: "The decks examined are those of the table, all of them.",
    plan_fixed: "The plan was fixed before the decks were known.",
    decks_not_chosen: "Nobody chose among several sets of decks, or among several campaigns.",
};
