//! The battery: statistics of decks and of the hands they deal, each with its exact null.
//!
//! Shelves by what is looked at: one place, the order within a deck, pairs and neighbours, deck to deck, draws
//! and generators, repeats, and dealt hands ([`stud`]). A shelf knows [`kernel`] (how decks are counted), the nulls (how
//! counts become p-values) and the joint [`statistic`], never another shelf. Adding a statistic takes one file on a
//! shelf, its `mod` line and one line in [`catalogue`]; CONTRIBUTING.md names what else wants to know of it.
//!
//! # What a statistic is
//! Some counts that every deck adds to, the distribution those counts have if every deck is uniform on the 52! orders
//! and independent of the others (the *null*), and from both some p-values:
//!
//! - **Counts** are integers, and two sets of decks are added count by count; so threads, shards and interruptions change
//!   nothing. They obey sums that every deck keeps ([`Statistic::decks_in`]), by which a forged tally is found.
//! - **Views** ([`View`]): the deck by place, its inverse (place by card), and the relative decks of neighbours by place
//!   and by card. Under the null all four are uniform and, inside a segment, independent; so every statistic of one deck
//!   is, on a relative view, an exact test of what goes from deck to deck.
//! - **Parts**: the p-values of one statistic on one view, two-sided, `min(1, 2·min(P(X ≤ x), P(X ≥ x)))`. Which there
//!   are depends on the number of decks only, never on what was counted. Many cells are one part, by Bonferroni or by the
//!   distribution of the most uneven cell.
//! - **Tail** ([`Tail`]): whether the p-value is exact, a proven bound, χ² with every expectation at least 1,000, or an
//!   asymptotic approximation. The last may raise a question and never convicts; where there is a proven bound beside it
//!   ([`Outcome::p_value_bound`]), that convicts in its stead.
//! - **Scope** ([`Scope`]): decks one by one, whole segments of 65,536 decks, or the first segment only.
//! - **Family**: the statistics, on all their views, that share one part of the level.
//!
//! Null, formula, source, what it detects and the least number of decks of each one stand in its [`About`] and nowhere else;
//! `deckproof audit --list` prints all of them. The head of its file says what its parts are and why their distributions hold.

mod deck_to_deck;
mod draws;
mod nulls;
mod one_place;
mod order;
mod pack;
mod pairs;
mod stream;
#[cfg(test)]
pub(crate) mod undone;
#[cfg(test)]
mod walk;

pub mod catalogue;
/// For the benchmarks of this crate, which time them one by one; no promise is made of them.
#[doc(hidden)]
pub mod kernel;
#[doc(hidden)]
pub mod lists;
#[doc(hidden)]
pub mod outcome;
#[doc(hidden)]
pub mod repeats;
#[doc(hidden)]
pub mod statistic;
pub mod stud;
#[doc(hidden)]
pub mod tail;
pub mod tier;
#[doc(hidden)]
pub mod two_samples;
pub mod view;

pub use crate::battery::catalogue::{abouts, all, of_tiers};
pub use crate::battery::draws::recovered::{Found, RECOVERED, comparable_proof, found};
pub use crate::battery::outcome::{Exhibit, Outcome, Spread};
#[doc(hidden)]
pub use crate::battery::repeats::duplicates;
pub use crate::battery::statistic::{About, Design, SEGMENT_DECKS, Scope, Segment, Statistic, decks_of};
pub use crate::battery::tail::Tail;
pub use crate::battery::tier::Tier;
pub use crate::battery::view::{Label, View};
