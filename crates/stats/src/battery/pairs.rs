//! Pairs and neighbours: which cards stand together, and how decks begin.

pub(super) mod adjacency;
pub(super) mod first_cards;
pub(super) mod first_three;
pub(super) mod neighbours;
pub(super) mod place_pairs;
pub(super) mod seat_suits;
pub(super) mod successions;
