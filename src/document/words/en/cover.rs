//! The first page and the summary of a laboratory report, in English.

use crate::document::words::cover::CoverWords;
use crate::document::words::en::number;

pub(super) const WORDS: CoverWords = CoverWords {
    title: "Test report: card shuffle and random number generator, Seven-Card Stud",
    pass: "PASS",
    investigate: "INVESTIGATE",
    fail: "FAIL",
    inconclusive: "INCONCLUSIVE",
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
    validity: "Validity",
    recertify: "What ends it",
    recertify_text: "A change of any file listed in the section on the item under test, of its configuration, or of where its seeds come from.",
    jurisdictions: "Jurisdictions",
    root: "Campaign SHA-256",
    only_items: "The results relate only to the items tested, as described in this report.",
    as_received: "The decks were supplied by the customer: the results apply to the sample as received.",
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
    standard_not_met: |id, name| {
        format!("{name}, item {id}: the tests are not met at the level of the standard.")
    },
    standard_not_assessed: |id, name, reason| {
        format!("{name}, item {id}: not all tests are assessed; in the words of the program: {reason}")
    },
    external_disagrees: |file| {
        format!("The external results in {file} contradict the verdict; neither overrules the other.")
    },
    files_missing: |id| {
        format!("No file of the item {id} was listed: the report does not identify what made the decks.")
    },
    rows_open: |count| {
        let count = number(count);
        format!("Of the 24 requirements R1 to R24, not assessed here: {count}.")
    },
};
