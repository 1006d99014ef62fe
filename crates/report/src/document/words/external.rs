//! The words of results that other programs gave.

use crate::document::words::words;

words! {
    /// The words of external results.
    ExternalWords {
        about, annex, files_caption, program, version, file, sha256, supplied_by, date, run_on,
        results, suspicious, failed, says, says_passed, says_suspicious, says_failed, not_told,
        unlisted(count: number),
        results_caption(program: text, file: text),
        test, p_value_printed, p_value_note, beside_caption, this_audit, agreement, incompleteness,
        disagreement, agrees, incomplete,
        some_of(count: text, whole: text),
        disagrees,
    }
}
