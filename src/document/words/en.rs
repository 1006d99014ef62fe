//! English.

mod chart;
mod external;
mod frame;

use crate::document::words::numbers::NumberWords;
use crate::document::words::{Language, Words};

/// Everything in English.
pub(super) const WORDS: Words = Words {
    language: Language::English,
    numbers: NUMBERS,
    frame: frame::WORDS,
    chart: chart::WORDS,
    external: external::WORDS,
};

fn number(number: u64) -> String {
    WORDS.number(number)
}

const NUMBERS: NumberWords = NumberWords {
    group: ",",
    mark: ".",
    percent: "\u{a0}",
    months: [
        "January",
        "February",
        "March",
        "April",
        "May",
        "June",
        "July",
        "August",
        "September",
        "October",
        "November",
        "December",
    ],
    first_day: "1",
    and: "and",
    undefined: "undefined",
    infinite: "infinite",
    below: "below",
};
