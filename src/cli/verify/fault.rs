//! Why a bundle is refused: the code, where, and what was found there.

/// A refusal of the checks, of files against each other, or of what the player saved.
pub(super) struct Fault {
    /// `E_…`.
    pub code: String,
    /// Which part of which file.
    pub place: String,
    /// What was found there, and what was wanted.
    pub message: String,
}
