//! Audit a generator of decks: sources, plan, run, certificate, and judging it again.

pub mod audit;
pub mod calibration;
pub mod certificate;
pub mod collection;
pub mod compare;
pub mod hands;
pub mod manifest;
pub mod power;
pub mod selftest;
pub mod session;
pub mod standards;

#[doc(inline)]
pub use deckproof_source::source;

/// Decks and blocks of them, which a source fills.
pub use deckproof_deck;
/// Tiers of statistics, which a plan names.
pub use deckproof_stats;
