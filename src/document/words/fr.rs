//! French.

mod chart;
mod external;
mod frame;

use crate::document::words::numbers::NumberWords;
use crate::document::words::{Language, Words};

/// Everything in French.
pub(super) const WORDS: Words = Words {
    language: Language::French,
    numbers: NUMBERS,
    frame: frame::WORDS,
    chart: chart::WORDS,
    external: external::WORDS,
};

fn number(number: u64) -> String {
    WORDS.number(number)
}

const NUMBERS: NumberWords = NumberWords {
    group: "\u{202f}",
    mark: ",",
    percent: "\u{202f}",
    months: [
        "janvier",
        "février",
        "mars",
        "avril",
        "mai",
        "juin",
        "juillet",
        "août",
        "septembre",
        "octobre",
        "novembre",
        "décembre",
    ],
    first_day: "1er",
    and: "et",
    undefined: "non définie",
    infinite: "infinie",
    below: "inférieure à",
};
