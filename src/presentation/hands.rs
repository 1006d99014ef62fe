//! Published hands, and the cards that were really dealt, in sentences and as JSON.

pub mod certificate;
pub mod dealt;
pub mod document;
pub mod json;
pub mod words;

use crate::hands::census::Census;
use crate::hands::collection::Collection;
use crate::hands::description::Description;
use crate::hands::judgement::HandsJudgement;

/// Everything that is told of published hands.
pub struct HandsFindings {
    /// The hands that were read, and those that could not be.
    pub collection: Collection,
    /// What of them is judged.
    pub census: Census,
    /// What of them is described.
    pub description: Description,
    /// The judgement.
    pub judgement: HandsJudgement,
}
