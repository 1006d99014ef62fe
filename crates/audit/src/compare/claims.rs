//! What a comparison rests on: the claims of which its head and the exit status are functions.

use crate::audit::verdict::Verdict;
use crate::compare::Comparison;
use deckproof_deck::text::decimal::p_is;
use deckproof_verify::claim::{Claim, ClaimGap, ClaimSubject, Claims, Witness};

impl Comparison {
    /// The claims of a comparison; `is_counted_here` says that this call counted the decks of both sets.
    pub fn claims(&self, is_counted_here: bool) -> Claims {
        let place = format!("family {}", p_is(self.family_p_value));
        let counts = if is_counted_here {
            Claim::shown(ClaimSubject::Counts, Witness::Computation)
        } else {
            Claim::not_looked_at(ClaimSubject::Counts, ClaimGap::NotCountedAgain)
        };
        let list = vec![
            Claim::shown(ClaimSubject::Verdict, Witness::Computation),
            self.verdict.claim(ClaimSubject::NoDifference, &place),
            counts,
            Claim::not_looked_at(ClaimSubject::DecksOfTheTable, ClaimGap::NotByTheseData),
        ];
        Claims::new(list, &[ClaimSubject::Verdict, ClaimSubject::NoDifference])
    }

    /// The word over its claims.
    pub fn word(&self) -> Verdict {
        Verdict::of(&self.claims(false))
    }
}
