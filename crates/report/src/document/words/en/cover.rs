//! The first page and the summary of a laboratory report, in English.

use crate::document::words::cover::CoverWords;
use crate::document::words::en::number;

pub(super) const WORDS: CoverWords = CoverWords {
    title: "Test report: card shuffle and random number generator, Seven-Card Stud",
    pass: "PASS",
    investigate: "INVESTIGATE",
    fail: "FAIL",
    inconclusive: "INCONCLUSIVE",
    not_met_headline: "NOT MET",
    incomplete: "TESTS PASSED, REPORT INCOMPLETE",
    unreliable: "NOT TO BE RELIED ON",
    pass_small: "pass",
    investigate_small: "investigate",
    fail_small: "fail",
    inconclusive_small: "inconclusive",
    pass_sentence: |decks, audits| {
        let decks = number(decks);
        let audits = number(audits);
        format!(
            "Nothing was found that contradicts a uniform shuffle with independent decks (audits: {audits}; decks in all: {decks}). This is a statement about the decks examined; it is no proof that the next deck cannot be predicted."
        )
    },
    investigate_sentence: |decks, audits| {
        let decks = number(decks);
        let audits = number(audits);
        format!(
            "Something was found that chance explains only with difficulty; it is a question and no proof (audits: {audits}; decks in all: {decks})."
        )
    },
    fail_sentence: |decks, audits| {
        let decks = number(decks);
        let audits = number(audits);
        format!(
            "At least one audit found decks, or words of raw output, that are not those of a fair source (audits: {audits}; decks in all: {decks}). The summary says which."
        )
    },
    inconclusive_sentence: |decks, audits| {
        let decks = number(decks);
        let audits = number(audits);
        format!(
            "Nothing was found, but at least one audit had too little data to pass anything (audits: {audits}; decks in all: {decks})."
        )
    },
    not_met_sentence: |decks, audits| {
        let decks = number(decks);
        let audits = number(audits);
        format!(
            "The audits found nothing against a uniform shuffle (audits: {audits}; decks in all: {decks}), and other findings speak against the item. Each is named below."
        )
    },
    incomplete_sentence: |decks, audits| {
        let decks = number(decks);
        let audits = number(audits);
        format!(
            "This is a draft: fields that every report must have are empty. Nothing was found that contradicts a uniform shuffle with independent decks (audits: {audits}; decks in all: {decks}). This is a statement about the decks examined; it is no proof that the next deck cannot be predicted."
        )
    },
    unreliable_sentence: |decks, audits| {
        let decks = number(decks);
        let audits = number(audits);
        format!(
            "The selftest of the program failed: nothing that it counted or judged here is to be relied on (audits: {audits}; decks in all: {decks})."
        )
    },
    observations_open: |count| {
        let count = number(count);
        format!("Open observations, all of them in the summary: {count}.")
    },
    alone_note: |alone, tests, level, chance| {
        let alone = number(alone);
        let tests = number(tests);
        format!(
            "Audits that say investigate by themselves and have no repeat: {alone}. With as many audits without a repeat as here, a fair shuffle has at least one in {chance} of all campaigns, if they were independent. The verdict is that of all {tests} audits and raw outputs together, at the level of {level} that was frozen with the plan (Holm, 1979)."
        )
    },
    validity: "Validity",
    recertify: "What ends it",
    recertify_text: "A change of any file listed in the section on the item under test, of its configuration, or of where its seeds come from.",
    jurisdictions: "Jurisdictions",
    root: "Campaign SHA-256",
    only_items: "The results relate only to the items tested, as described in this report.",
    as_received: |items| {
        format!(
            "The decks of {items} were supplied by the customer: the results apply to the sample as received."
        )
    },
    only_whole: "This report may be reproduced only in full, unless the laboratory agrees in writing.",
    customer_data: "What the customer states is marked as such; the laboratory takes no responsibility for it.",
    signatures: "Signatures",
    role: "Role",
    name: "Name",
    person_title: "Title",
    signature: "Signature",
    day: "Date",
    tester: "Tested by",
    reviewer: "Technically reviewed by",
    authoriser: "Authorised by",
    accreditation: "Accreditation",
    accreditation_body: "Accredited by",
    accredited_scope: "Tests within the scope of accreditation",
    address: "Address",
    contact: "Contact",
    locations: "Places of the activities",
    operator: "Operator",
    received: "Item received on",
    sampled: "Decks taken",
    performed: "Tests performed",
    from_to: |from, to| format!("{from} to {to}"),
    summary: "Summary",
    standards_caption: "Tests that the standards name, for each item",
    standards_note: "The result is that of the tests which the text names, at its own level; it does not say that the whole standard is met. Several audits of one item share the level equally (Bonferroni).",
    standard: "Standard and clause",
    item: "Item",
    level: "Confidence",
    audits: "Audits",
    result: "Result",
    p_value: "p-value",
    tests_met: "tests met",
    met: "met",
    not_met: "not met",
    not_applicable: "not applicable",
    not_assessed: "not assessed here",
    items_caption: "Each item by itself",
    decks: "Decks",
    verdict: "Verdict",
    files_root: "SHA-256 of the list of files",
    observations: "Open observations",
    none_open: "None.",
    selftest_failed: "The selftest of the program failed; its results are not to be relied on.",
    began_again: |id, times| {
        let times = number(times);
        format!(
            "The audit {id} was begun again from the start ({times} times), because its source cannot be resumed; it then saw other decks."
        )
    },
    repeat_missing: |id| format!("The repeat that was due in the audit {id} was not had: the stream ended."),
    audit_not_passed: |id, verdict| format!("The audit {id} says: {verdict}."),
    raw_not_passed: |id, verdict| format!("The raw output of {id} says: {verdict}."),
    audit_alone: |id| {
        format!(
            "The audit {id} says investigate by itself, has no repeat, and is not among those that remain when all audits are judged together (Holm)."
        )
    },
    standard_not_met: |id, name, level, missed| {
        format!(
            "{name}, item {id}: the tests are not met at the level of the standard, {level}. A perfect shuffle misses it by chance in up to {missed} of all campaigns."
        )
    },
    row_not_met: |row, what, by| format!("Requirement {row} is not met ({what}), {by}."),
    by_campaign: "by the counts of this campaign",
    by_laboratory: "by the finding of the laboratory",
    by_external: "by the finding of another provider",
    by_customer: "by the customer’s own word",
    external_failed: |file, program, failed, results| {
        let failed = number(failed);
        let results = number(results);
        format!("The results of {program} in {file} tell of failures: {failed} of {results}.")
    },
    external_incomplete: |file, results, whole| {
        let results = number(results);
        let whole = number(whole);
        format!(
            "The results in {file} are incomplete: {results} of the {whole} results of a whole run. What is missing may have failed."
        )
    },
    same_person: |name, roles| {
        format!("One person, {name}, answers for several things that are apart where two look: {roles}.")
    },
    standard_not_assessed: |id, name, run, all, reason| {
        let run = number(run);
        let all = number(all);
        format!(
            "{name}, item {id}: not all tests are assessed ({run} of {all} ran in every audit); in the words of the program: {reason}"
        )
    },
    external_disagrees: |file| {
        format!("The external results in {file} contradict the verdict; neither overrules the other.")
    },
    files_missing: |id| {
        format!("No file of the item {id} was listed: the report does not identify what made the decks.")
    },
    fields_open: |count, letters| {
        let count = number(count);
        format!(
            "Incomplete: fields of ISO/IEC 17025, 7.8.2.1, that only people can fill in and that are empty or half empty: {count} ({letters}; annex I names them and where each stands)."
        )
    },
    decided_by_repeat: |id, first, first_p_value, repeat, repeat_p_value, verdict| {
        let first = number(first);
        let repeat = number(repeat);
        format!(
            "The audit {id} was decided by its declared repeat: the first look at {first} decks said investigate (family p-value {first_p_value}), the repeat on the next {repeat} says {verdict} (family p-value {repeat_p_value}; null hypothesis of both: independent decks, every order equally likely)."
        )
    },
    rows_open: |count| {
        let count = number(count);
        format!("Of the 24 requirements R1 to R24, not assessed here: {count}.")
    },
};
