//! What a plan runs, by the names and versions that a certificate is judged by.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::battery::duplicates::Equivalence;
use crate::battery::stud::table::Table;
use crate::stud::rules::RuleSet;

/// A statistic as a plan names it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StatisticName {
    /// Its id.
    pub id: String,
    /// The version of its counts and p-values.
    pub version: u32,
}

/// The table at which a plan has hands dealt.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TableName {
    /// The rule set.
    pub rules: String,
    /// How many play, 2 to 8, all of them to the river.
    pub players: usize,
}

impl TableName {
    /// The name of a table.
    pub fn of(table: &Table) -> TableName {
        TableName { rules: table.rules().name.to_owned(), players: table.players() }
    }

    /// The table of this name, if there is one.
    pub fn table(&self) -> Option<&'static Table> {
        Table::of(RuleSet::named(&self.rules)?, self.players)
    }
}

impl fmt::Display for TableName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, {} players", self.rules, self.players)
    }
}

/// A sketch of fingerprints as a plan names it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SketchName {
    /// The id of the equivalence it looks for.
    pub id: String,
    /// The version of its fingerprints and p-values.
    pub version: u32,
    /// The views it looks at.
    pub views: Vec<String>,
    /// Most fingerprints kept for each view.
    pub keys_max: u64,
}

impl SketchName {
    /// The name of a equivalence with what decides its result.
    pub fn of(equivalence: &Equivalence) -> SketchName {
        SketchName {
            id: equivalence.id().to_owned(),
            version: equivalence.about.version,
            views: equivalence.views.iter().map(|view| view.name().to_owned()).collect(),
            keys_max: equivalence.keys_max as u64,
        }
    }
}
