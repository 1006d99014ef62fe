//! Results of other programs in English.

use crate::document::words::en::number;
use crate::document::words::external::ExternalWords;

pub(super) const WORDS: ExternalWords = ExternalWords {
    about: "The results of this section are external: other programs gave them, and others than this program ran them. Their texts \
            were read for their p-values and for what each program says of them; nothing of it was computed again, and nothing of \
            it enters the verdict.",
    annex: "External results, one by one",
    files_caption: "External results, as their texts tell them",
    program: "Program",
    version: "Version",
    file: "File",
    sha256: "SHA-256 of the text",
    supplied_by: "Run by",
    date: "Date",
    run_on: "Run on",
    results: "Results",
    suspicious: "Suspicious",
    failed: "Failed",
    says: "It says",
    says_passed: "passed",
    says_suspicious: "suspicious",
    says_failed: "failed",
    not_told: "not told",
    unlisted: |count| format!("{} more results are counted in the text and not listed there.", number(count)),
    results_caption: |program, file| format!("External: every result that {program} lists in {file}"),
    test: "Test",
    p_value_printed: "p-value as printed",
    p_value_note: "The null hypothesis, the statistic and the number of data of each test are those of its program; some print \
                   p-values near 1 as unusual, too. The text is as it was received: a line that somebody took out of it is not always seen.",
    beside_caption: "External results beside the verdict of this audit",
    this_audit: "This audit",
    agreement: "No external result contradicts the verdict of this audit.",
    disagreement: "External results contradict the verdict of this audit. Neither overrules the other: the cause is to be found before \
                   the item is relied on.",
    incompleteness: "No external result contradicts the verdict of this audit. At least one text tells of fewer results than a whole run of \
                     its program has: what is missing may have failed, so that this text agrees with nothing.",
    agrees: "agrees",
    incomplete: "incomplete",
    some_of: |count, whole| format!("{count} of the {whole} of a whole run"),
    disagrees: "disagrees",
};
