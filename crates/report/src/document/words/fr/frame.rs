//! The frame of a document in French.

use crate::document::words::frame::FrameWords;

pub(super) const WORDS: FrameWords = FrameWords {
    report_number: "Numéro du rapport",
    revision: |number| format!("révision {number}"),
    revision_label: "Révision",
    page: "page",
    of: "sur",
    contents: "Sommaire",
    issued: "Date d’émission",
    laboratory: "Laboratoire",
    customer: "Client",
    item: "Objet d’essai",
    end_of_report: "FIN DU RAPPORT",
    empty: "à remplir",
    annex: |letter| format!("Annexe {letter}"),
    figure: |number| format!("Figure {number}"),
    table: |number| format!("Tableau {number}"),
    opinion: "Avis ou interprétation",
    verdict: "Verdict",
};
