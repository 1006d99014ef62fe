//! What a report says of a statistic, a standard and the selftest, where its language is not that of the battery.

use crate::document::words::Words;
use crate::document::words::file::WordsTable;

/// A statistic as a report words it. The battery itself is worded in English.
#[derive(Debug)]
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

impl StatisticText {
    /// Its texts out of their table; formulas have braces of their own.
    pub(super) fn read(id: &'static str, table: &mut WordsTable) -> StatisticText {
        let [title, null, formula] = ["title", "null", "formula"].map(|field| table.verbatim(field));
        StatisticText { id, title, null, formula }
    }
}

/// A standard as a report words it: what is no name of a law, a clause or a test.
#[derive(Debug)]
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
    pub tests: Vec<(&'static str, &'static str)>,
}

impl StandardText {
    /// Its texts out of their table.
    pub(super) fn read(id: &'static str, table: &mut WordsTable) -> StandardText {
        let [name, clause, beyond] = ["name", "clause", "beyond"].map(|field| table.verbatim(field));
        StandardText { id, name, clause, beyond, tests: table.rows("tests") }
    }
}

impl Words {
    /// The texts of a statistic; nothing where the words of the battery are those of the language.
    pub fn statistic(&self, id: &str) -> Option<&StatisticText> {
        self.statistics.iter().find(|text| text.id == id)
    }

    /// The texts of a standard; nothing where those of the table of standards are those of the language.
    pub fn standard(&self, id: &str) -> Option<&StandardText> {
        self.standards.iter().find(|text| text.id == id)
    }

    /// Its name in this language.
    pub fn standard_name<'a>(&self, id: &'a str) -> &'a str {
        self.standard(id).map_or(id, |own| own.name)
    }

    /// A test of a standard: as the regulator names it, or in this language where none does.
    pub fn test<'a>(&self, standard: &str, test: &'a str) -> &'a str {
        let own = self.standard(standard).and_then(|text| text.tests.iter().find(|own| own.0 == test));
        own.map_or(test, |own| own.1)
    }

    /// What the bars of a histogram count: by the battery in English, or in this language.
    pub fn histogram_axis<'a>(&self, english: &'a str) -> &'a str {
        self.axes.iter().find(|own| own.0 == english).map_or(english, |own| own.1)
    }

    /// What the selftest claims; a claim that is not in the list stays in the words of the program, and is marked.
    pub fn selftest_claim(&self, english: &str) -> String {
        let own = self.selftest.iter().find(|own| own.0 == english);
        own.map_or_else(|| self.result.selftest_claim(english), |own| own.1.to_owned())
    }
}
