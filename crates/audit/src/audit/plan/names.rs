//! What a plan runs, by the names and versions that a certificate is judged by.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::audit::plan::error::PlanError;
use deckproof_stats::battery::View;
use deckproof_stats::battery::stud::table::StudTable;
use deckproof_stud::stud::rules::RuleSet;

/// A statistic as a plan names it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StatisticName {
    /// Its id.
    pub id: String,
    /// The version of its counts and p-values.
    pub version: u32,
    /// The views it is shown.
    pub views: Vec<View>,
}

/// Some of the views of a statistic or a sketch, at least one, each once and in the order of certificates.
pub(in crate::audit) fn views_among(
    id: &str,
    views: &[View],
    known: &[View],
) -> Result<Vec<View>, PlanError> {
    let is_known = views.iter().all(|view| known.contains(view));
    if !views.is_empty() && is_known && views.is_sorted_by(|a, b| a < b) {
        Ok(views.to_vec())
    } else {
        Err(PlanError::Views(id.to_owned()))
    }
}

/// The table at which a plan has hands dealt.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlannedTable {
    /// The rule set.
    pub rules: String,
    /// How many play, 2 to 8, all of them to the river.
    pub players: usize,
}

impl PlannedTable {
    /// The options that name it, as they are typed, after a blank.
    pub fn typed(&self) -> String {
        format!(" --rules {} --players {}", self.rules, self.players)
    }

    /// The name of a table.
    pub fn of(table: &StudTable) -> PlannedTable {
        PlannedTable { rules: table.rules().name.to_owned(), players: table.players() }
    }

    /// The table of this name, if there is one.
    pub fn table(&self) -> Option<&'static StudTable> {
        StudTable::of(RuleSet::named(&self.rules)?, self.players)
    }
}

impl fmt::Display for PlannedTable {
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
    pub views: Vec<View>,
    /// Most fingerprints kept for each view.
    pub keys_max: u64,
}
