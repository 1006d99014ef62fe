//! How far the tail of a p-value can be trusted.

use deckproof_deck::text::named::named;
use serde::{Deserialize, Serialize};

named! {
    /// How far the tail of a p-value can be trusted.
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
    #[serde(rename_all = "lowercase")]
    pub enum Tail {
        /// The distribution of the statistic is known exactly.
        Exact = "exact",
        /// The p-value is a proven upper bound (Chernoff, Agrawal, Bonferroni of exact distributions).
        Bound = "bound",
        /// χ² with every expectation at least 1,000.
        #[serde(rename = "large expectations")]
        LargeExpectations = "large expectations",
        /// An approximation: it may raise a question, it may not convict.
        Asymptotic = "asymptotic",
    }
    /// The name in certificates.
    pub fn name;
}

impl Tail {
    /// That of χ², according to whether every expectation is large.
    pub(super) fn large_if(is_large: bool) -> Tail {
        if is_large { Tail::LargeExpectations } else { Tail::Asymptotic }
    }

    /// Whether a p-value with this tail may convict on its own.
    pub fn may_convict(self) -> bool {
        self != Tail::Asymptotic
    }
}
