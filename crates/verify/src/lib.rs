//! What an auditor of a hand needs, after `PROTOCOL.md`: claims, the entries, tree and signatures of the log, and bundles.
//!
//! Its features are off unless they are asked for: `beacon` checks the signatures of beacon rounds
//! ([`log::beacon::CHECKS_SIGNATURES`]), `histories` replays the bets of a hand history.

pub mod claim;
pub mod log;
pub mod verify;

/// Digests and cards, which functions here take.
pub use deckproof_deck;
/// Seats and rule sets, which functions here take.
pub use deckproof_stud;
