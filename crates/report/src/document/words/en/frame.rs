//! The frame of a document in English.

use crate::document::words::frame::FrameWords;

pub(super) const WORDS: FrameWords = FrameWords {
    report_number: "Report number",
    revision: |number| format!("revision {number}"),
    revision_label: "Revision",
    page: "page",
    of: "of",
    contents: "Contents",
    issued: "Date of issue",
    laboratory: "Laboratory",
    customer: "Customer",
    item: "Item under test",
    end_of_report: "END OF REPORT",
    empty: "to be filled in",
    annex: |letter| format!("Annex {letter}"),
    figure: |number| format!("Figure {number}"),
    table: |number| format!("Table {number}"),
    opinion: "Opinion or interpretation",
    verdict: "Verdict",
};
