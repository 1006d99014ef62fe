//! What a judgement of hands rests on: somebody recorded them, and some may not have been read.

use crate::audit::verdict::Verdict;
use crate::hands::collection::Collection;
use crate::hands::dealt::DealtJudgement;
use crate::hands::dealt::read::DealtHands;
use crate::hands::judgement::HandsJudgement;
use deckproof_deck::text::decimal::p_is;
use deckproof_verify::claim::counted::{CountedDecks, counted};
use deckproof_verify::claim::{ClaimSubject, Claims};

/// The claims of hands of which the statistics say this. Hands that could not be read might be just those that matter, so
/// that nothing passes without them.
pub fn of_hands(statistics: Verdict, place: &str, unread: u64, is_counted_here: bool) -> Claims {
    let statistics = statistics.claim(ClaimSubject::NoDeparture, place);
    counted(CountedDecks { statistics, is_counted_here, is_recorded: true, unread: Some(unread) })
}

/// What statistics rest on: the first proof, or the p-value of the whole family.
pub(super) fn place(proof: Option<String>, family_p_value: f64) -> String {
    proof.unwrap_or_else(|| format!("family {}", p_is(family_p_value)))
}

impl HandsJudgement {
    /// The claims of hands that were read and counted now.
    pub fn claims(&self, collection: &Collection) -> Claims {
        let proof = collection.impossible.first().map(|(hand, card)| format!("{hand} holds {card} twice"));
        let place = place(proof, self.family_p_value);
        of_hands(self.verdict, &place, collection.unread.len() as u64, true)
    }
}

impl DealtJudgement {
    /// The claims of dealt cards that were read and judged now.
    pub fn claims(&self, dealt: &DealtHands) -> Claims {
        let proof = dealt.impossible.first().map(|(hand, card)| format!("{hand} holds {card} twice"));
        let recovered = self
            .search
            .recovered
            .as_ref()
            .map(|own| format!("from hand {} on the next cards are known", own.first));
        let repeated = self
            .repeated
            .named
            .first()
            .map(|[earlier, hand]| format!("{hand} has the first cards of {earlier}"));
        let proof = proof.or(recovered).or(repeated);
        // Whose cards stand in two files is not known.
        let unread = dealt.unread_total + self.repeated.across.len() as u64;
        of_hands(self.verdict, &place(proof, self.family_p_value), unread, true)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use deckproof_deck::text::exit::Exit;

    #[test]
    fn nothing_passes_with_hands_that_cannot_be_read() {
        let of = |statistics, unread| {
            let claims = of_hands(statistics, "p", unread, true);
            (Verdict::of(&claims), claims.exit())
        };
        assert_eq!(of(Verdict::Pass, 0), (Verdict::Pass, Exit::Passed));
        assert_eq!(of(Verdict::Pass, 1), (Verdict::Inconclusive, Exit::CouldNotSay));
        for unread in [0, 1] {
            assert_eq!(of(Verdict::Fail, unread), (Verdict::Fail, Exit::Refused));
            assert_eq!(of(Verdict::Investigate, unread), (Verdict::Investigate, Exit::Investigate));
            assert_eq!(of(Verdict::Inconclusive, unread), (Verdict::Inconclusive, Exit::CouldNotSay));
        }
    }
}
