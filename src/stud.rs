//! Seven-card stud: rule sets as data, the order of the deal, the transcript.

pub mod deal;
pub mod rules;
pub mod seat;
pub mod transcript;
