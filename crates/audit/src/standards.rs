//! Regulators' names for tests, and the statistics that answer to each: one table for lists and reports.
//!
//! The texts name tests, not formulas; a name is answered by every statistic that looks at what it asks
//! about, with the exact null of a deck (see [`deckproof_stats::battery`]). A name without a statistic is
//! `not built` and is called so wherever the standard is.

mod answers;
pub mod familiar;
pub mod silent;
mod table;

use deckproof_stats::battery;

/// A standard: its tests and the levels at which it wants them met.
#[derive(Debug)]
pub struct Standard {
    /// Its name.
    pub name: &'static str,
    /// Where the tests are named.
    pub clause: &'static str,
    /// The copy of the text that was read.
    pub reference: TextReference,
    /// Confidence levels in percent, each judged on its own.
    pub confidence_percent: &'static [u32],
    /// Whether it is about dealt hands: where none was dealt, it says nothing.
    pub is_of_hands: bool,
    /// What the same text asks for and no statistic of decks can show; empty where it asks for nothing else.
    pub not_assessed: &'static str,
    /// The tests, in the order of the text.
    pub tests: &'static [NamedTest],
}

/// The copy of a text from which sections, levels and tests are known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TextReference {
    /// What the text calls its edition; empty where it is not known.
    pub edition: &'static str,
    /// The day up to which the copy was current, as it says; empty where none was read.
    pub as_of: &'static str,
    /// Where it is.
    pub addresses: &'static [&'static str],
}

impl TextReference {
    /// No copy was read: edition, date and address are for the laboratory.
    pub const UNVERIFIED: TextReference = TextReference { edition: "", as_of: "", addresses: &[] };
    /// There is no text.
    pub const NONE: TextReference = TextReference { edition: "–", as_of: "", addresses: &[] };

    /// Whether a copy was read.
    pub fn is_read(self) -> bool {
        !self.as_of.is_empty()
    }
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
    battery::abouts().any(|about| about.id == id)
}

/// Every standard.
pub fn all() -> &'static [Standard] {
    table::ALL
}

/// Every standard as builds before had it.
pub fn earlier() -> &'static [Standard] {
    &table::EARLIER
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
    use deckproof_stats::battery::view::View;

    fn test(name: &'static str, statistics: &'static [&'static str]) -> NamedTest {
        NamedTest { name, statistics }
    }

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

    /// The texts were read in these copies: levels, sections and dates stand in them.
    #[test]
    fn sections_and_levels_are_those_of_the_texts() {
        let of = |name: &str| all().iter().find(|own| own.name == name).expect("it is in the table");
        assert_eq!(of("Pennsylvania").confidence_percent, [95]);
        assert!(of("AGCO").clause.contains("cGaming Minimum Technical Standards, 21.1.2"));
        assert_eq!(of("AGCO").reference.as_of, "2018-12-01");
        for section in ["29-22B-909", "48:02:08:02", "11 VAC 20-20-510", "15.1.7.13"] {
            assert!(of("State statutes").clause.contains(section), "{section}");
        }
        for clause in ["547.14(b)(1)", "547.14(c)", "547.14(d)"] {
            assert!(of("25 CFR 547.14").not_assessed.contains(clause), "{clause}");
        }
        let references =
            all().iter().map(|own| own.reference).chain(silent::SILENT.iter().map(|own| own.reference));
        for own in references {
            // A day and a place belong together: what was not read has neither.
            assert_eq!(own.is_read(), !own.addresses.is_empty(), "{own:?}");
        }
        assert_eq!(silent::SILENT.len(), 5);
    }

    #[test]
    fn the_stud_set_names_every_statistic_of_hands() {
        let set = all().iter().find(|standard| standard.is_of_hands).expect("there is one");
        for about in battery::stud::abouts() {
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
