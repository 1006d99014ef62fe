//! French.

mod bundle;
mod campaign;
mod certificate;
mod chart;
mod cover;
mod demand;
mod external;
mod frame;
mod hands;
mod mail;
mod method;
mod package;
mod premise;
mod refusal;
mod result;
mod selftest;
mod standard;
mod statistic;

use crate::document::words::numbers::NumberWords;
use crate::document::words::{Language, Words};

/// Everything in French.
pub(super) const WORDS: Words = Words {
    language: Language::French,
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
    statistics: &[statistic::TEXTS, hands::TEXTS],
    standards: standard::TEXTS,
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
    colon: "\u{a0}:",
    semicolon: "\u{202f};",
    and: "et",
    undefined: "non définie",
    cap: "plafond de l’inégalité de Bonferroni, non la probabilité que le mélange soit équitable",
    cap_small: "plafond",
    infinite: "infinie",
    below: "inférieure à",
};
