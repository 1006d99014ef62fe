//! Seven-card stud: rules, dealing, ranking, betting and hand histories.

pub mod board;
pub mod card_set;
pub mod low;
pub mod rank;
