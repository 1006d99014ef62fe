//! Scope, item, sampling, environment and methods of a laboratory report.

use crate::document::words::words;

words! {
    /// The words of scope, item, sampling, environment and methods.
    MethodWords {
        scope,
        scope_text(items: number, audits: number),
        scope_caption, tables, raw_words, taken_caption, planned_repeat, plans_note, limits,
        limit_all, limit_predict, limit_table, limit_outside, limit_begun, limit_supplied, references,
        references_caption, references_note, named_tests, beyond, edition, address,
        edition_as_of(edition: text, day: text),
        text_as_of(day: text),
        edition_unverified, no_text_found, text_not_read, no_test_named,
        no_level(tests: text),
        item_section, id, name, version, serial, condition, maker, platform, description, source,
        started,
        started_listed(words: text),
        started_unlisted,
        files_caption(id: text),
        files_more(count: number, name: text),
        files_none(id: text),
        path, bytes, declarations, declarations_note, no_declarations,
        declared_in_rows(rows: text),
        about, words, about_build, about_changes, about_seeding, about_reseeding, about_secrecy,
        about_monitoring, about_other, review, review_text, certified_text, sampling, taken_by,
        by_laboratory, by_customer, method, custody, plan_text, plan_keys,
        blocks_text(decks: number),
        plans_caption, audit, planned, plan_hash, all_decks, environment, machine, system, conditions,
        tool, tool_counted,
        tool_text(version: text, commit: text),
        executable, no_influence, methods, methods_text, uncertainty, statistics_caption,
        statistics_note, statistic, null, formula, least,
    }
}

impl MethodWords {
    /// Which text of a standard was read: its edition, where that is known, and its day.
    pub fn text_read(&self, edition: &str, day: &str) -> String {
        if edition.is_empty() { self.text_as_of(day) } else { self.edition_as_of(edition, day) }
    }
}
