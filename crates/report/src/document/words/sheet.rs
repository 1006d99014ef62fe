//! The headings, notes and tables of the page of an audit, and of its tables in a terminal.

use crate::document::words::words;

words! {
    /// The headings, notes and tables of the page of an audit.
    SheetWords {
        required_title(standard: text, says: text, percent: digits),
        required_family(p_value: text, run: digits, all: digits),
        required_ran,
        required_beyond(what: text),
        required_95, required_second, required_test, answers, statistics, sample, p_values, level, it_is,
        null, null_colon, detects, part, score, value, its_tail, id, verdict, look_at, reading_cap,
        reading_often, reading_never,
        reading_seldom(audits: number),
        no_longer(level: text),
        no_p_value(decks: number),
        no_p_value_proof(decks: number),
        contents, nav_whose, nav_not_shown, nav_required, figures, nav_rule, repeat, annex_a, nav_earlier,
        nav_power, annex_c, annex_d, whose, subject_note, seeds, look, from_deck, decks, family_p_value,
        it_says, repeat_note, not_shown, no_limits, required, no_standard, required_note, no_statistic,
        figures_note(p_values: number),
        familiar, test, p_value, smallest, rule, risk_reject, risk_accept, power_stands, annex_b, no_repeat,
        statistics_note, not_run, all_ran,
        earlier(name: text, decks: number),
        earlier_note(p_values: number, listed: text),
        power, no_power,
        revealed(decks: number),
        need_more, never, end,
        verdict_line(verdict: text, meaning: text),
        together(p_is: text, p_values: text, decks: text, level: text),
        subject, tested,
        tested_source(source: text),
        tested_decks(decks: number),
        looks_head,
        familiar_line(name: text, p_is: text, id: text, decks: number, null: text),
        standards, standards_head,
        percent(percent: digits),
        some_of(some: digits, all: digits),
        required_at(name: text, percent: digits),
        required_head, each_statistic,
        null_line(null: text),
        statistic_head, no_power_table, power_head, not_caught, run, glossary,
        table_repeat(deck: number),
        table_notes, table_standards,
        table_not_run(id: text, reason: text),
        table_head, table_standards_head,
    }
}
