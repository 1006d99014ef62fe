//! One place, or one card: where cards lie.

pub(super) mod card_place;
pub(super) mod kolmogorov;
mod margins;
