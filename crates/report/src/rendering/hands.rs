//! Published hands, and the cards that were really dealt, in sentences and as JSON.

pub mod certificate;
pub mod dealt;
pub mod document;
pub mod json;
pub mod words;

use deckproof_audit::hands::census::Census;
use deckproof_audit::hands::collection::Collection;
use deckproof_audit::hands::description::Description;
use deckproof_audit::hands::judgement::HandsJudgement;
use deckproof_verify::claim::Claims;

/// All that is printed of published hands.
pub struct HandsFindings {
    /// The hands that were read, and those that could not be.
    pub collection: Collection,
    /// What of them is judged.
    pub census: Census,
    /// What of them is described.
    pub description: Description,
    /// The judgement.
    pub judgement: HandsJudgement,
    /// What it rests on; the head and the exit status are functions of it.
    pub claims: Claims,
}
