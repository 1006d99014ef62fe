//! Published hands: read from files, counted, and judged as far as their cards do not depend on betting.
//!
//! `collection` (what the files hold) ─► `census` (door cards, bring-in, first three cards, and `between`: what hands show
//! of each other) ─► `null` (their
//! distributions) and `monte_carlo` (the same counts under a fair deal) ─► `judgement` ─► `certificate`, as a `plan` says.
//!
//! Judged are the cards every hand shows whatever the players do: the door card of every seat dealt in, who
//! must bring it in and with which card, and the first three cards of the player who kept the record. Later
//! cards are there only if somebody stayed to see them, and cards shown at the end only if somebody had a
//! reason to show them; they are described by `description` and never judged.

#[doc(hidden)]
pub mod between;
#[doc(hidden)]
pub mod census;
pub mod certificate;
#[doc(hidden)]
pub mod claims;
#[doc(hidden)]
pub mod collection;
#[doc(hidden)]
pub mod dealt;
#[doc(hidden)]
pub mod description;
#[doc(hidden)]
pub mod judgement;
mod monte_carlo;
#[doc(hidden)]
pub mod null;
pub mod plan;
