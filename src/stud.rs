//! Seven-card stud: rules, dealing, ranking, betting and hand histories.
//!
//! A recorded hand goes `history` ─► `judge` ─► `betting` (the game, one action at a time) ─► pots and
//! stacks; what the engine may and may not do is data of a [`rules::RuleSet`] and its `readings`.

pub mod betting;
pub mod board;
pub mod card_set;
pub mod deal;
pub mod history;
pub mod judge;
pub mod low;
pub mod play;
pub mod rank;
pub mod readings;
pub mod record;
pub mod rules;
pub mod seat;
pub mod statements;
pub mod transcript;
