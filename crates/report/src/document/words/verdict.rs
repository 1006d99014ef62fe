//! The words in which an audit ends, and how large an effect and how small a fault it sees.

use crate::document::words::words;
use deckproof_audit::source::format::Numbering;

words! {
    /// The sentences of a verdict: what was found, how large it is, what is not shown.
    VerdictWords {
        pass(decks: text, family: text),
        pass_start(decks: text, family: text),
        investigate(decks: text, family: text),
        fail(decks: text, family: text),
        fail_proof(proofs: text, counted: text), fail_twice(proofs: text, counted: text),
        slip_record, slip_twice,
        inconclusive(decks: text, least: number, family: text),
        counted(decks: text),
        extent(decks: text),
        decks(count: number),
        decks_at(count: number, table: text),
        family(p_value: text, p_values: text, families: number),
        p_values(count: number),
        p_values_of(found: digits, planned: number),
        repeated(sentence: text, decks: number, p_value: text, strongest: text),
        strongest(id: text, decks: number, score_name: text, score: text, p_value: text),
        convicting(id: text, decks: number, p_value: text),
        approximate,
        sorted(way: text),
        ascending, descending,
        extent_repeat(all: number, first: number, said: text, repeat: number),
        extent_bad_of(decks: number, planned: number),
        extent_bad(decks: number),
        extent_stream_first(decks: number),
        extent_stream(decks: number),
        limit_predicted, limit_kinds, limit_table, limit_outside, limit_plan, limit_start,
        left_out(left: number, all: number, names: text),
        left_out_of_plan, by_start,
        plan_left_out(left_out: text),
        limit_left_out(left_out: text),
        and_more(names: text, more: number),
        limit_chosen(option: text),
        limit_numbers(own: text, other: text, option: text),
        limit_supplied, rank_suit, suit_rank,
        next_recorded(decks: number),
        next_again(decks: number),
        repeat_ended, repeat_not_run,
        cell(count: number, decks: number, expected: text, off: text, interval: text, cells: number),
        mean(shift: text, low: text, high: text),
        squares(times: text, low: text, high: text),
        too_even(times: text),
        sight(decks: number, questioned: text, convicted: text),
        sight_repeat(decks: number, convicted: text),
        sight_empty, sight_never,
        off_above(above: text),
        off(above: text, below: text),
        own_words(text: text),
        merged(shards: number),
        merged_unread, merged_unkept,
        merged_spots(spots: number, segments: number, fingerprints: number),
        fed(decks: number, fed: digits, all: digits),
        power(decks: number, caught: digits, all: digits, seeds: text, decks_max: number, day: text),
        power_seeds(seeds: digits, percent: text),
        power_missed(power: text, dealers: text),
        power_other(changed: text, power: text),
        power_not,
    }
}

impl VerdictWords {
    /// How the numbers of cards count.
    pub fn numbering(&self, numbering: Numbering) -> &'static str {
        match numbering {
            Numbering::RankSuit => self.rank_suit,
            Numbering::SuitRank => self.suit_rank,
        }
    }
}
