//! How dear a statistic is.

use serde::{Deserialize, Serialize};

/// How dear a statistic is; naming tiers is a short way to write a plan.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Tier {
    /// The fast kernels.
    Core,
    /// The rest.
    Deep,
    /// Dealt hands, which need a table: rules and a number of players.
    Stud,
}

impl Tier {
    /// All of them.
    pub const ALL: [Tier; 3] = [Tier::Core, Tier::Deep, Tier::Stud];

    /// Those that see decks and need no table.
    pub const OF_DECKS: [Tier; 2] = [Tier::Core, Tier::Deep];

    /// The name in plans and arguments.
    pub fn name(self) -> &'static str {
        match self {
            Tier::Core => "core",
            Tier::Deep => "deep",
            Tier::Stud => "stud",
        }
    }
}
