//! What a customer hands in beside decks: raw words, and words beside the decks that they gave.

use crate::document::words::words;

words! {
    /// The words of what a customer hands in.
    SuppliedWords {
        words_text(item: text, file: text, words: number, layout: text, p: text, verdict: text),
        words_file(file: text, sha256: text),
        words_screen(item: text, verdict: text, words: number, layout: text, p: text),
        not_filled(item: text, word_bits: number, bits: number, unset: number),
        captured(items: text),
        joined, layout_byte,
        layout_little(bits: number),
        layout_big(bits: number),
        places(bits: number),
        mapping,
        mapping_agrees(item: text, decks: number),
        mapping_differs(item: text, not_given: number, decks: number),
        mapping_same(first: number, second: number),
        mapping_named,
        mapping_partly(names: text),
        mapping_found,
        mapping_screen(item: text, verdict: text, not_given: number, decks: number, method: text),
        agrees, differs, even,
        uneven(share: text),
        uneven_any(share: text),
        first_not_examined,
        also(names: text),
        otherwise, otherwise_named, limits, scaling, way, start, bits, draw_of_one, word_count, table,
        faults_caption(item: text),
        line, draw, below, by_words, by_deck, words_there, words_used,
        pairs_differ(item: text, not_given: number, decks: number, method: text),
        pairs_differ_named(item: text, not_given: number, decks: number, method: text),
        pairs_same(item: text),
        replayed(file: text, decks: number),
        replayed_otherwise(file: text),
        counts_of_file(files: text),
    }
}
