//! What a report says of a statistic and of a standard, where its language is not that of the battery.

use crate::document::words::Words;

/// A statistic as a report words it. The battery itself is worded in English.
#[derive(Clone, Copy, Debug)]
pub struct StatisticText {
    /// Which statistic.
    pub id: &'static str,
    /// Its name.
    pub title: &'static str,
    /// What holds of fair decks.
    pub null: &'static str,
    /// The formula and where it is from.
    pub formula: &'static str,
}

/// A standard as a report words it: what is no name of a law, a clause or a test.
#[derive(Clone, Copy, Debug)]
pub struct StandardText {
    /// Which standard, by its name in English.
    pub id: &'static str,
    /// Its name.
    pub name: &'static str,
    /// Where the tests are named.
    pub clause: &'static str,
    /// What it asks for besides.
    pub beyond: &'static str,
    /// Tests that no regulator named: in English, and here.
    pub tests: &'static [(&'static str, &'static str)],
}

impl Words {
    /// The texts of a statistic; nothing where the words of the battery are those of the language.
    pub fn statistic(&self, id: &str) -> Option<&'static StatisticText> {
        self.statistics.iter().copied().flatten().find(|text| text.id == id)
    }

    /// The texts of a standard; nothing where those of the table of standards are those of the language.
    pub fn standard(&self, id: &str) -> Option<&'static StandardText> {
        self.standards.iter().find(|text| text.id == id)
    }

    /// A test of a standard: as the regulator names it, or in this language where none does.
    pub fn test<'a>(&self, standard: &str, test: &'a str) -> &'a str {
        let own = self.standard(standard).and_then(|text| text.tests.iter().find(|own| own.0 == test));
        own.map_or(test, |own| own.1)
    }
}
