//! The table of standards: sections, editions, addresses, levels and tests, and what earlier builds called them.

use std::sync::LazyLock;

use crate::standards::answers::{
    ADJACENCY, CHI_SQUARE, COUPON_COLLECTOR, DUPLICATES, FREQUENCY, GAP, HANDS, INTERPLAY,
    KOLMOGOROV_SMIRNOV, ORDER_STATISTIC, OVERLAPS, PER_PLACE, PERMUTATION, POISSON, POKER, RUNS, SERIAL,
    SPECTRAL, SUBSEQUENCES, TOTAL_DISTRIBUTION,
};
use crate::standards::{NamedTest, Standard, TextReference};

const fn test(name: &'static str, statistics: &'static [&'static str]) -> NamedTest {
    NamedTest { name, statistics }
}

const GLI_19: &[NamedTest] = &[
    test("Total distribution or chi-square test", TOTAL_DISTRIBUTION),
    test("Overlaps test", OVERLAPS),
    test("Coupon collector's test", COUPON_COLLECTOR),
    test("Runs test", RUNS),
    test("Interplay correlation test", INTERPLAY),
    test("Serial correlation test", SERIAL),
    test("Duplicates test", DUPLICATES),
];

const PENNSYLVANIA: &[NamedTest] = &[
    test("Chi-square test", CHI_SQUARE),
    test("Equi-distribution (frequency) test", FREQUENCY),
    test("Gap test", GAP),
    test("Overlaps test", OVERLAPS),
    test("Poker test", POKER),
    test("Coupon collector's test", COUPON_COLLECTOR),
    test("Permutation test", PERMUTATION),
    test("Kolmogorov-Smirnov test", KOLMOGOROV_SMIRNOV),
    test("Adjacency criterion tests", ADJACENCY),
    test("Order statistic test", ORDER_STATISTIC),
    test("Runs tests", RUNS),
    test("Interplay correlation test", INTERPLAY),
    test("Serial correlation test", SERIAL),
    test("Tests on subsequences", SUBSEQUENCES),
    test("Poisson distribution", POISSON),
];

const CLASS_II: &[NamedTest] = &[
    test("Chi-square test", CHI_SQUARE),
    test("Runs test", RUNS),
    test("Serial correlation test", SERIAL),
    test("Equi-distribution (frequency) test", FREQUENCY),
    test("Gap test", GAP),
    test("Poker test", POKER),
    test("Coupon collector's test", COUPON_COLLECTOR),
    test("Permutation test", PERMUTATION),
    test("Spectral test", SPECTRAL),
    test("Test on subsequences", SUBSEQUENCES),
];

const STATES: &[NamedTest] = &[
    test("Chi-square test", PER_PLACE),
    test("Runs test", RUNS),
    test("Correlation test", INTERPLAY),
    test("Serial correlation test", SERIAL),
];

const ONTARIO: &[NamedTest] =
    &[test("Frequency test", FREQUENCY), test("Runs test", RUNS), test("Serial correlation test", SERIAL)];

const NEW_ZEALAND: &[NamedTest] = &[
    test("Chi-square test", CHI_SQUARE),
    test("Equi-distribution (frequency) test", FREQUENCY),
    test("Gap test", GAP),
    test("Poker test", POKER),
    test("Coupon collector's test", COUPON_COLLECTOR),
    test("Permutation test", PERMUTATION),
    test("Run test", RUNS),
    test("Spectral test", SPECTRAL),
    test("Serial correlation test", SERIAL),
    test("Test on subsequences", SUBSEQUENCES),
];

const STUD: &[NamedTest] = &[
    test("Hands of each seat", HANDS),
    test("Starting hands", &["deck.starting-hand"]),
    test("Bring-in and first to act", &["deck.bring-in", "deck.first-to-act"]),
    test("Boards", &["deck.boards", "deck.open-pairs", "deck.door-pairs"]),
    test("River of a four-flush", &["deck.four-flush"]),
    test("Winners", &["deck.winner", "deck.place", "deck.win-gaps"]),
    test("Second-best hand", &["deck.second-best"]),
];

/// Sections, levels and clauses of the copies that were read; where none was, the reference says so.
pub(super) static ALL: &[Standard] = &[
    Standard {
        name: "GLI-19",
        clause: "GLI-19, the seven tests named for random number generators",
        reference: TextReference::UNVERIFIED,
        confidence_percent: &[99],
        is_of_hands: false,
        not_assessed: "cryptographic strength and seeding",
        tests: GLI_19,
    },
    Standard {
        name: "Pennsylvania",
        clause: "58 Pa. Code § 810a.5(c)",
        reference: TextReference {
            edition: "51 Pa.B. 5389",
            as_of: "2024-08-31",
            addresses: &[
                "https://www.pacodeandbulletin.gov/Display/pacode?file=/secure/pacode/data/058/chapter810a/chap810atoc.html",
            ],
        },
        confidence_percent: &[95],
        is_of_hands: false,
        not_assessed: "cryptographic strength, 58 Pa. Code § 810a.5(a)",
        tests: PENNSYLVANIA,
    },
    Standard {
        name: "25 CFR 547.14",
        clause: "25 CFR 547.14(b)(2)",
        reference: TextReference {
            edition: "",
            as_of: "2024-10-31",
            addresses: &["https://www.ecfr.gov/current/title-25/section-547.14"],
        },
        confidence_percent: &[99],
        is_of_hands: false,
        not_assessed: "each permutation and combination of the game, 25 CFR 547.14(b)(1); unpredictability, 547.14(c); non-repeatability, 547.14(d)",
        tests: CLASS_II,
    },
    Standard {
        name: "State statutes",
        clause: "W. Va. Code § 29-22B-909; S.D. Admin. R. 48:02:08:02; 11 VAC 20-20-510; 15.1.7.13 NMAC: each place and each pair of places",
        reference: TextReference {
            edition: "",
            as_of: "2024-01-01",
            addresses: &[
                "https://codes.findlaw.com/wv/chapter-29-miscellaneous-boards-and-officers/wv-code-sect-29-22b-909/",
                "https://sdlegislature.gov/api/Rules/19523.html",
                "https://regulations.justia.com/states/virginia/title-11/agency-20/chapter-20/part-v/article-3/section-11vac20-20-510",
                "https://regulations.justia.com/states/new-mexico/title-15/chapter-1/part-7/section-15-1-7-13",
            ],
        },
        confidence_percent: &[99],
        is_of_hands: false,
        not_assessed: "no influence from outside the device, 15.1.7.13.B(5) NMAC",
        tests: STATES,
    },
    Standard {
        name: "AGCO",
        clause: "Alcohol and Gaming Commission of Ontario, cGaming Minimum Technical Standards, 21.1.2",
        reference: TextReference {
            edition: "",
            as_of: "2018-12-01",
            addresses: &["https://www.agco.ca/lottery-and-gaming/guides/21-random-number-generator-rng"],
        },
        confidence_percent: &[99],
        is_of_hands: false,
        not_assessed: "independence, equal chance and unpredictability, 21.1.1; all outcomes, 21.1.3; patterns, 21.1.4; no influence of wagers, 21.1.5; seeds, 21.1.6 and 21.1.7; interruption and failure, 21.1.8 and 21.1.9; protection, 21.1.10",
        tests: ONTARIO,
    },
    Standard {
        name: "New Zealand",
        clause: "New Zealand Gazette 2003, no. 56, 3.14.4; the text names no level, 99 % is used here",
        reference: TextReference::UNVERIFIED,
        confidence_percent: &[99],
        is_of_hands: false,
        not_assessed: "unpredictability, background cycling and seeding, 3.14.3 to 3.14.10",
        tests: NEW_ZEALAND,
    },
    Standard {
        name: "Stud set",
        clause: "hands dealt at one table; no regulator names tests of them",
        reference: TextReference::NONE,
        confidence_percent: &[99],
        is_of_hands: true,
        not_assessed: "",
        tests: STUD,
    },
];

/// The table as builds before had it: certificates that name it so are judged by it.
pub(super) static EARLIER: LazyLock<Vec<Standard>> = LazyLock::new(|| {
    let earlier = |own: &Standard| match own.name {
        "Pennsylvania" => Standard { confidence_percent: &[95, 99], ..*own },
        "State statutes" => Standard {
            clause: "West Virginia, South Dakota, Virginia and New Mexico: per place and per pair of places",
            ..*own
        },
        "AGCO" => Standard {
            clause: "Alcohol and Gaming Commission of Ontario, Registrar's Standards, 21.1.2",
            ..*own
        },
        _ => Standard { ..*own },
    };
    ALL.iter().map(earlier).collect()
});
