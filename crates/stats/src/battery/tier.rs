//! How dear a statistic is.

use deckproof_deck::text::named::named;
use serde::{Deserialize, Serialize};

named! {
    /// How dear a statistic is; naming tiers is a short way to write a plan.
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum Tier {
        /// The fast kernels.
        Core = "core",
        /// The rest.
        Deep = "deep",
        /// Dealt hands, which need a table: rules and a number of players.
        Stud = "stud",
    }
    /// The name in plans and arguments.
    pub fn name;
}

impl Tier {
    /// Those that see decks and need no table.
    pub const OF_DECKS: [Tier; 2] = [Tier::Core, Tier::Deep];
}
