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
