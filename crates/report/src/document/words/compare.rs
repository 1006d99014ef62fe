//! The words in which two sets of decks are compared.

use crate::document::words::words;

words! {
    /// The sentences of a comparison: what was found, what differs most, what is not shown.
    CompareWords {
        pass(a: number, b: number, family: text),
        investigate(a: number, b: number, family: text),
        fail(a: number, b: number, family: text),
        inconclusive(a: number, b: number, family: text),
        family(p_value: text, p_values: number, families: number),
        dependent(sets: text, a: number, b: number),
        dependent_set(set: text, steps: text, order: text, decks: text),
        and,
        shared(shared: text, a: number, b: number),
        shared_decks(decks: number, first: text),
        shared_at_least(decks: number, first: text),
        shared_first(of_a: number, of_b: number),
        sets(a: text, b: text),
        differences,
        difference(strongest: text, answer: text, a: text, b: text, points: text),
        with_interval(difference: text, interval: text),
        spread(difference: text),
        strongest(id: text, p_is: text),
        sees(sights: text),
        sees_nothing,
        and_from,
        winner(from: text),
        card_place(from: text),
        adjacency(from: text),
        percent_of_itself(percent: text),
        more_than_double,
        not_shown(what: text),
        fair, why, apart, changed, alone,
        not_asked(names: text),
        not_compared(names: text),
        counts(name: text),
        refused(name: text, error: text),
    }
}
