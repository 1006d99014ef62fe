//! What an audit rests on: the claims of which its head and the exit status of every command that judges it are functions.

use crate::audit::verdict::Verdict;
use crate::certificate::AuditResult;
use deckproof_deck::text::decimal::p_is;
use deckproof_verify::claim::counted::{CountedDecks, counted};
use deckproof_verify::claim::{ClaimSubject, Claims};

impl AuditResult {
    /// The claims of an audit whose integers give what it says; `is_counted_here` says that this call counted its decks.
    pub fn claims(&self, is_counted_here: bool) -> Claims {
        let look = self.deciding();
        let place = match look.proofs.first() {
            Some(proof) => proof.clone(),
            None => format!("family {}", p_is(look.family_p_value)),
        };
        counted(CountedDecks {
            statistics: self.verdict.claim(ClaimSubject::NoDeparture, &place),
            is_counted_here,
            is_recorded: self.source.abilities().is_supplied,
            unread: None,
        })
    }

    /// The word over its claims, which begins every sentence on it.
    pub fn word(&self) -> Verdict {
        Verdict::of(&self.claims(false))
    }
}
