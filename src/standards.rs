//! Regulators' names for tests, and the statistics that answer to each: one table for lists and reports.
//!
//! The texts name tests, not formulas; a name is answered by every statistic that looks at what it asks
//! about, with the exact null of a deck (see [`crate::battery`]). A name without a statistic is
//! `not built` and is said to be so wherever the standard is.

use crate::battery::repeats::duplicates;
use crate::battery::{self, stud};

/// A standard: its tests and the levels at which it wants them met.
#[derive(Debug)]
pub struct Standard {
    /// Its name.
    pub name: &'static str,
    /// Where the tests are named.
    pub clause: &'static str,
    /// Confidence levels in percent, each judged on its own.
    pub confidence_percent: &'static [u32],
    /// Whether it is about dealt hands: where none was dealt, it says nothing.
    pub is_of_hands: bool,
    /// What the same text asks for and no statistic of decks can show; empty where it asks for nothing else.
    pub not_assessed: &'static str,
    /// The tests, in the order of the text.
    pub tests: &'static [NamedTest],
}

/// A test as a regulator names it.
#[derive(Debug)]
pub struct NamedTest {
    /// The regulator's name.
    pub name: &'static str,
    /// Beginnings of p-value ids, whole words: `deck.card-place` or `deck.card-place.total`.
    pub statistics: &'static [&'static str],
}

impl NamedTest {
    /// Whether a p-value of this id (`view.statistic.part`) belongs to the test of this name.
    pub fn is_answered_by(&self, id: &str) -> bool {
        self.statistics.iter().any(|own| match id.strip_prefix(own) {
            Some(rest) => rest.is_empty() || rest.starts_with('.'),
            None => false,
        })
    }

    /// Whether the battery has a statistic for it.
    pub fn is_built(&self) -> bool {
        self.statistics.iter().any(|own| has_statistic(own))
    }
}

/// Whether the statistic that an answer names is in the battery.
fn has_statistic(answer: &str) -> bool {
    let id = answer.split('.').nth(1).unwrap_or("");
    duplicates::all().iter().any(|equivalence| equivalence.id() == id)
        || battery::all().iter().any(|statistic| statistic.about().id == id)
        || stud::abouts().any(|(about, _)| about.id == id)
}

/// Cards at places, cells and totals.
const CHI_SQUARE: &[&str] = &["deck.card-place", "deck.digits-down.total", "deck.digits-ways.bag-total"];

/// Cards, ranks and suits place by place and pooled over the first places.
const TOTAL_DISTRIBUTION: &[&str] = &[
    "deck.card-place.total",
    "deck.card-place.rank-place",
    "deck.card-place.suit-place",
    "deck.card-place.first-21-cards",
    "deck.card-place.first-21-ranks",
    "deck.card-place.first-21-suits",
    "deck.card-place.first-49-cards",
    "deck.card-place.first-49-ranks",
    "deck.card-place.first-49-suits",
];

/// The number of times each card came to each place, and each index to each draw.
const FREQUENCY: &[&str] =
    &["deck.card-place", "deck.digits-down.total", "deck.digits-down.each-base", "deck.digits-ways"];

/// The number of times each card came to each place.
const PER_PLACE: &[&str] = &["deck.card-place"];

/// Runs of rising and falling cards, and what counts them in another way.
const RUNS: &[&str] = &[
    "deck.runs",
    "deck.rising-sequences",
    "deck.monotone",
    "deck.longest-run",
    "deck.one-place.wald-wolfowitz",
];

/// Orders of whole decks.
const PERMUTATION: &[&str] = &[
    "deck.cycles",
    "deck.inversions",
    "deck.parity",
    "deck.longest-cycle",
    "deck.exceedances",
    "deck.footrule",
    "deck.records",
    "deck.first-cards",
    "deck.seat-suits",
];

/// The longest rising and falling subsequences; lowest, middle and highest of the first seven cards; order patterns
/// of neighbouring places.
const ORDER_STATISTIC: &[&str] = &[
    "deck.monotone",
    "deck.neighbours.lowest-mean",
    "deck.neighbours.middle-mean",
    "deck.neighbours.highest-mean",
    "deck.first-cards",
];

/// Which card follows which.
const ADJACENCY: &[&str] = &["deck.adjacency", "deck.successions"];

/// Places of one deck against each other.
const INTERPLAY: &[&str] =
    &["deck.place-pairs", "deck.first-three", "deck.neighbours.suit-mean", "deck.neighbours.rank-mean"];

/// Each deck against the one before it.
const SERIAL: &[&str] = &[
    "relative.card-place",
    "relative.adjacency",
    "relative.cycles",
    "relative.inversions",
    "relative.rising-sequences",
    "relative.successions",
    "deck.one-place.serial-correlation",
    "deck.matches",
    "deck.lags",
    "deck.rotation",
    "deck.digits-down.moves-total",
    "deck.digits-down.moves-each-base",
];

/// Cards that stay among the first places from one deck to the next.
const OVERLAPS: &[&str] = &["relative.overlaps"];

/// How long one place waits for a card.
const GAP: &[&str] = &["deck.one-place.gap"];

/// How long one place takes to show every card.
const COUPON_COLLECTOR: &[&str] = &["deck.one-place.coupon-collector"];

/// Equal ranks among five of one place's cards.
const POKER: &[&str] = &["deck.one-place.poker"];

/// Waves and linear relations in the numbers a dealer must have drawn.
const SPECTRAL: &[&str] = &["deck.spectral", "deck.linear-complexity"];

/// Even and odd decks, first and second halves against each other.
const SUBSEQUENCES: &[&str] = &["deck.even-odd", "deck.halves"];

/// Decks that came before.
const DUPLICATES: &[&str] = &[
    "deck.duplicates",
    "deck.duplicates-turned",
    "deck.duplicates-inverse",
    "deck.duplicates-ranks",
    "deck.duplicates-suits",
    "deck.duplicates-top-half",
    "deck.duplicates-lower-half",
];

/// Rare events: equal beginnings, equal spacings, rare hands.
const POISSON: &[&str] = &["deck.collisions", "deck.birthday-spacings", "deck.rare-hands"];

/// Distribution functions, point by point.
const KOLMOGOROV_SMIRNOV: &[&str] = &["deck.kolmogorov-smirnov"];

/// What seats hold at the showdown.
const HANDS: &[&str] = &["deck.high-category", "deck.low-hand", "deck.joint-hand", "deck.seat-cards"];

const fn test(name: &'static str, statistics: &'static [&'static str]) -> NamedTest {
    NamedTest { name, statistics }
}

static ALL: &[Standard] = &[
    Standard {
        name: "GLI-19",
        clause: "GLI-19, the seven tests named for random number generators",
        confidence_percent: &[99],
        is_of_hands: false,
        not_assessed: "cryptographic strength and seeding",
        tests: &[
            test("Total distribution or chi-square test", TOTAL_DISTRIBUTION),
            test("Overlaps test", OVERLAPS),
            test("Coupon collector's test", COUPON_COLLECTOR),
            test("Runs test", RUNS),
            test("Interplay correlation test", INTERPLAY),
            test("Serial correlation test", SERIAL),
            test("Duplicates test", DUPLICATES),
        ],
    },
    Standard {
        name: "Pennsylvania",
        clause: "58 Pa. Code § 810a.5(c)",
        confidence_percent: &[95, 99],
        is_of_hands: false,
        not_assessed: "cryptographic strength, 58 Pa. Code § 810a.5(a)",
        tests: &[
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
        ],
    },
    Standard {
        name: "25 CFR 547.14",
        clause: "25 CFR 547.14(b)(2)",
        confidence_percent: &[99],
        is_of_hands: false,
        not_assessed: "unpredictability and non-repeatability, 25 CFR 547.14(a)",
        tests: &[
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
        ],
    },
    Standard {
        name: "State statutes",
        clause: "West Virginia, South Dakota, Virginia and New Mexico: per place and per pair of places",
        confidence_percent: &[99],
        is_of_hands: false,
        not_assessed: "",
        tests: &[
            test("Chi-square test", PER_PLACE),
            test("Runs test", RUNS),
            test("Correlation test", INTERPLAY),
            test("Serial correlation test", SERIAL),
        ],
    },
    // Ontario, Registrar's Standards, 21.1.2: the tests it names by way of example.
    Standard {
        name: "AGCO",
        clause: "Alcohol and Gaming Commission of Ontario, Registrar's Standards, 21.1.2",
        confidence_percent: &[99],
        is_of_hands: false,
        not_assessed: "unpredictability and protection of seeds, 21.1.1 and 21.1.6",
        tests: &[
            test("Frequency test", FREQUENCY),
            test("Runs test", RUNS),
            test("Serial correlation test", SERIAL),
        ],
    },
    // New Zealand Gazette 2003, no. 56, page 1497: the tests that may be applied; it names no level.
    Standard {
        name: "New Zealand",
        clause: "New Zealand Gazette 2003, no. 56, 3.14.4; the text names no level, 99 % is used here",
        confidence_percent: &[99],
        is_of_hands: false,
        not_assessed: "unpredictability, background cycling and seeding, 3.14.3 to 3.14.10",
        tests: &[
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
        ],
    },
    Standard {
        name: "Stud set",
        clause: "hands dealt at one table; no regulator names tests of them",
        confidence_percent: &[99],
        is_of_hands: true,
        not_assessed: "",
        tests: &[
            test("Hands of each seat", HANDS),
            test("Starting hands", &["deck.starting-hand"]),
            test("Bring-in and first to act", &["deck.bring-in", "deck.first-to-act"]),
            test("Boards", &["deck.boards", "deck.open-pairs"]),
            test("River of a four-flush", &["deck.four-flush"]),
            test("Winners", &["deck.winner", "deck.place", "deck.win-gaps"]),
            test("Second-best hand", &["deck.second-best"]),
        ],
    },
];

/// Every standard.
pub fn all() -> &'static [Standard] {
    ALL
}

/// What the text of this name asks for besides its tests.
pub fn not_assessed(standard: &str) -> &'static str {
    all().iter().find(|known| known.name == standard).map_or("", |known| known.not_assessed)
}

/// The required test of this name in the standard of that name, if both are known.
pub fn answering(standard: &str, test: &str) -> Option<&'static NamedTest> {
    let standard = all().iter().find(|known| known.name == standard)?;
    standard.tests.iter().find(|known| known.name == test)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::battery::view::View;

    #[test]
    fn every_answer_names_a_view_and_a_statistic_that_exist() {
        for test in all().iter().flat_map(|standard| standard.tests) {
            for answer in test.statistics {
                let view = answer.split('.').next();
                assert!(View::ALL.iter().any(|known| Some(known.name()) == view), "{answer}");
                assert!(has_statistic(answer), "{}: {answer}", test.name);
            }
        }
    }

    #[test]
    fn every_standard_has_as_many_names_as_its_text() {
        let counts: Vec<usize> = all().iter().map(|standard| standard.tests.len()).collect();
        assert_eq!(counts[..6], [7, 15, 10, 4, 3, 10]);
    }

    #[test]
    fn the_stud_set_names_every_statistic_of_hands() {
        let set = all().iter().find(|standard| standard.is_of_hands).expect("there is one");
        for (about, _) in stud::abouts() {
            let id = format!("deck.{}.total", about.id);
            assert_eq!(set.tests.iter().filter(|test| test.is_answered_by(&id)).count(), 1, "{id}");
        }
    }

    #[test]
    fn answers_end_at_whole_words() {
        let runs = test("Runs test", &["deck.runs"]);
        assert!(runs.is_answered_by("deck.runs.mean") && runs.is_answered_by("deck.runs"));
        assert!(!runs.is_answered_by("deck.runs-up.mean") && !runs.is_answered_by("relative.runs.mean"));
    }
}
