//! Seven-card stud: rules, dealing, ranking, betting and hand histories.

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
pub mod rules;
pub mod seat;
pub mod transcript;
