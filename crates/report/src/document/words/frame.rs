//! The words of the frame of a document: what stands around its content, on every page.

use crate::document::words::words;

words! {
    /// The words of the frame.
    FrameWords {
        report_number,
        revision(number: digits),
        revision_label, page, of, contents, issued, laboratory, customer, item, end_of_report, empty,
        annex(letter: text),
        figure(number: digits),
        table(number: digits),
        opinion, verdict, certificate_volume, annexes_volume,
        annexes_in(file: text),
        annexes_apart, verdict_in_certificate, picture_elsewhere,
    }
}
