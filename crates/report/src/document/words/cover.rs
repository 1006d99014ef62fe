//! The first page and the summary of a laboratory report.

use crate::document::words::words;
use deckproof_audit::audit::verdict::Verdict;

words! {
    /// The words of the first page and of the summary.
    CoverWords {
        title, pass, investigate, fail, inconclusive, not_met_headline, incomplete, unreliable,
        pass_small, investigate_small, fail_small, inconclusive_small,
        pass_sentence(decks: number, audits: number),
        investigate_sentence(decks: number, audits: number),
        fail_sentence(decks: number, audits: number),
        inconclusive_sentence(decks: number, audits: number),
        common_sentence(decks: number, audits: number),
        not_met_sentence(decks: number, audits: number),
        not_met_open(decks: number, audits: number),
        incomplete_sentence(decks: number, audits: number),
        unreliable_sentence(decks: number, audits: number),
        observations_open(count: number),
        alone_note(alone: number, tests: number, level: text, chance: text),
        validity, recertify, recertify_text, jurisdictions, root, only_items,
        as_received(items: text),
        part_as_received(items: text),
        only_whole, customer_data, signatures, role, name, person_title, signature, day, tester,
        reviewer, authoriser, accreditation, accreditation_body, accredited_scope, address, contact,
        locations, operator, received, sampled, performed,
        range(from: text, to: text),
        summary, standards_caption, standards_note, standard, item, level, audits, result, p_value,
        tests_met, met, not_met, not_applicable, not_assessed, items_caption, decks, verdict,
        files_root, observations, none_open, selftest_failed,
        began_again(id: text, times: number),
        plan_left_out(items: text, left_out: text),
        repeat_missing(id: text),
        audit_not_passed(id: text, verdict: text),
        audit_alone(id: text),
        recorded(ids: text),
        printed(ids: text),
        slip_bad_record, slip_held_twice, slip_other,
        common_pair(decks: number, one: text, other: text, first: number, again: number),
        common_starts(id: text, pair: text, more: number),
        common_records(id: text, pair: text, more: number),
        common_items(ids: text, pair: text, more: number),
        not_compared(ids: text),
        raw_not_passed(id: text, verdict: text),
        standard_not_met(id: text, name: text, level: text, missed: text),
        standard_question(id: text, name: text, level: text, shared: text),
        standard_not_assessed(id: text, name: text, run: number, all: number, reason: text),
        row_not_met(row: text, what: text, by: text),
        by_campaign, by_laboratory, by_external, by_customer,
        external_failed(file: text, program: text, failed: number, results: number),
        external_incomplete(file: text, results: number, whole: number),
        external_disagrees(file: text),
        same_person(name: text, roles: text),
        files_missing(id: text),
        files_only_data(id: text),
        part_examined(id: text, examined: number, records: number, ranges: text),
        records_range(first: number, last: number),
        empty_passed_over(id: text, audits: text),
        field_open(letter: text, content: text, keys: text),
        fields_open(count: number, fields: text),
        decided_by_repeat(id: text, first: number, first_p_value: text, repeat: number, repeat_p_value: text, verdict: text),
        rows_open(count: number),
    }
}

impl CoverWords {
    /// The word of a verdict, as it heads a page.
    pub fn word(&self, verdict: Verdict) -> &'static str {
        match verdict {
            Verdict::Pass => self.pass,
            Verdict::Investigate => self.investigate,
            Verdict::Fail => self.fail,
            Verdict::Inconclusive => self.inconclusive,
        }
    }

    /// The same inside a sentence.
    pub fn small(&self, verdict: Verdict) -> &'static str {
        match verdict {
            Verdict::Pass => self.pass_small,
            Verdict::Investigate => self.investigate_small,
            Verdict::Fail => self.fail_small,
            Verdict::Inconclusive => self.inconclusive_small,
        }
    }
}
