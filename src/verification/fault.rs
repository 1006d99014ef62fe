//! Why a bundle is refused: the code, where, and what was found there.

use deckproof_verify::claim::{Claims, Otherwise, Party, Witness};
use deckproof_verify::log::refusal::Refusal;
use deckproof_verify::verify::claims::refused;
use deckproof_verify::verify::proofs::HeldProofs;

/// A refusal of the checks, of files against each other, or of what the player saved.
pub struct BundleFault {
    /// `E_…`.
    pub code: String,
    /// Which part of which file.
    pub place: String,
    /// What was found there, and what was wanted.
    pub message: String,
    /// Whose unsigned word it rests on; nobody's where the file contradicts itself.
    pub by: Option<Party>,
    /// The receipt by which the log signed what it rests on, and where the log has that.
    pub receipt: Option<(String, u64)>,
    /// The proofs of a file that contradicts itself, or what the log signed, by what nobody signed.
    pub unsigned: Option<HeldProofs>,
}

impl BundleFault {
    /// One of a file that contradicts itself or another.
    pub fn new(code: &str, place: String, message: String) -> BundleFault {
        BundleFault { code: code.to_owned(), place, message, by: None, receipt: None, unsigned: None }
    }

    /// The one claim that is contradicted.
    pub fn claims(&self) -> Claims {
        let claims = refused(&self.code, &self.place, self.by);
        let mut claim = claims.list()[0].clone();
        if let Some((name, _)) = &self.receipt {
            claim = claim.by(Witness::Receipt { name: name.clone() });
        }
        if let Some(HeldProofs { held, in_log }) = self.unsigned.clone() {
            claim = claim.or(Otherwise::UnsignedFile { proofs: held, in_log });
        }
        claims.with(claim)
    }
}

impl From<Refusal> for BundleFault {
    fn from(refusal: Refusal) -> BundleFault {
        BundleFault::new(refusal.code.name(), refusal.place, refusal.message)
    }
}
