//! English.

mod bundle;
mod campaign;
mod certificate;
mod chart;
mod cover;
mod demand;
mod external;
mod frame;
mod mail;
mod method;
mod package;
mod premise;
mod refusal;
mod result;

use crate::document::words::numbers::NumberWords;
use crate::document::words::{Language, Words};

/// Everything in English.
pub(super) const WORDS: Words = Words {
    language: Language::English,
    numbers: NUMBERS,
    frame: frame::WORDS,
    chart: chart::WORDS,
    cover: cover::WORDS,
    demand: demand::WORDS,
    method: method::WORDS,
    result: result::WORDS,
    external: external::WORDS,
    package: package::WORDS,
    campaign: campaign::WORDS,
    premise: premise::WORDS,
    bundle: bundle::WORDS,
    certificate: certificate::WORDS,
    refusal: refusal::WORDS,
    mail: mail::WORDS,
    // The battery and the table of standards are worded in English.
    statistics: &[],
    standards: &[],
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
    colon: ":",
    semicolon: ";",
    and: "and",
    undefined: "undefined",
    cap: "the cap of Bonferroni's inequality, no probability that the shuffle is fair",
    cap_small: "a cap",
    infinite: "infinite",
    below: "below",
};
