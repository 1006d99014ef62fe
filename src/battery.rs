//! The battery: statistics of decks and of the hands they deal, each with its exact null.
//!
//! Shelves by what is looked at: one place, the order within a deck, pairs and neighbours, deck to deck, draws
//! and generators, repeats, and dealt hands ([`stud`]). A shelf knows [`kernel`] (how decks are counted), the nulls (how
//! counts become p-values) and the joint [`statistic`], never another shelf. Adding a statistic takes one file on a
//! shelf and one line in [`catalogue`].

mod deck_to_deck;
mod draws;
mod nulls;
mod one_place;
mod order;
mod pairs;
mod stream;
#[cfg(test)]
pub(crate) mod undone;
mod walk;

pub mod catalogue;
pub mod kernel;
pub mod outcome;
pub mod repeats;
pub mod statistic;
pub mod stud;
pub mod tail;
pub mod tier;
pub mod view;

pub use crate::battery::catalogue::{abouts, all, of_tiers};
pub use crate::battery::outcome::{Exhibit, Outcome, Spread};
pub use crate::battery::repeats::duplicates;
pub use crate::battery::statistic::{About, SEGMENT_DECKS, Scope, Segment, Statistic};
pub use crate::battery::tail::Tail;
pub use crate::battery::tier::Tier;
pub use crate::battery::view::View;
