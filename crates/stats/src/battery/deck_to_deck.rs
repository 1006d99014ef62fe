//! From deck to deck: what a deck tells of the next ones.

pub(super) mod bursts;
pub(super) mod even_odd;
pub(super) mod halves;
pub(super) mod lags;
pub(super) mod matches;
pub(super) mod one_place;
pub(super) mod overlaps;
pub(super) mod rotation;
pub(super) mod sorted;
