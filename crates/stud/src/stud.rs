//! Seven-card stud: rules, dealing, ranking, betting and hand histories.
//!
//! A recorded hand goes `history` ─► `judge` ─► `betting` (the game, one action at a time) ─► pots and
//! stacks; what the engine may and may not do is data of a [`rules::RuleSet`] and its `readings`.

#[cfg(feature = "histories")]
#[doc(hidden)]
pub mod betting;
#[doc(hidden)]
pub mod board;
pub mod card_set;
#[doc(hidden)]
pub mod deal;
#[cfg(feature = "histories")]
pub mod history;
#[cfg(feature = "histories")]
pub mod judge;
pub mod low;
#[doc(hidden)]
pub mod play;
pub mod rank;
pub mod readings;
#[cfg(feature = "histories")]
#[doc(hidden)]
pub mod record;
pub mod rules;
pub mod seat;
#[doc(hidden)]
pub mod statements;
#[doc(hidden)]
pub mod transcript;
#[doc(hidden)]
pub mod typed;
