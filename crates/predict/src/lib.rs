//! Recovers the generator behind shuffled decks, predicts the next decks and compares.
//!
//! A **model** is a generator, a way of mapping its outputs to draws, and a way of finding its state from draws. For each
//! [`Way`](way::Way) of shuffling and each [`Start`](start::Start) order the draws are undone from the first records, the
//! model proposes states, and [`follow`](follow::follow) deals on from each state and compares with the records that
//! follow. Only what predicts is recovered: no p-value of a statistic enters.
//!
//! | file | what |
//! |---|---|
//! | `deck` | decks, records and observations |
//! | `start`, `way`, `sorts`, `mapping` | the order of a new deck, the shuffle, and how an output becomes a draw |
//! | `generator`, `seeding` | every generator once, as data, held against published numbers (`fixtures/`); its seedings |
//! | `candidate`, `follow` | a state and what it predicts, compared with the records |
//! | `bound` | how likely fair decks would agree with any state at all |
//! | `linear` | models that are linear over GF(2) |
//! | `model`, `budget`, `catalogue` | the joint for new models, what they may spend, and the list |
//! | `search` | all models on the first records and on windows in the middle, within a time |
//! | `affine` | .NET's generator, whose numbers are multiples of its seed |
//! | `first` | what an audit does: the first records within a budget of work, the same on every machine |
//! | `recovery` | a recovered generator as JSON, state in, records out: what anybody checks in milliseconds |
//!
//! # What an audit does
//! ```
//! use deckproof_predict::deck::{Deck, Observation};
//! use deckproof_predict::first::{Places, WORK_DEFAULT, search_first};
//! use deckproof_predict::recovery::Recovery;
//!
//! // Three decks of the generator that `rand()` of Visual C++ is, `% n`, Fisher–Yates downward.
//! let mut state = 20_261_124u32;
//! let mut rand = || {
//!     state = state.wrapping_mul(214_013).wrapping_add(2_531_011);
//!     (state >> 16 & 0x7fff) as usize
//! };
//! let decks: Vec<Deck> = (0..3).map(|_| {
//!     let mut deck: Deck = std::array::from_fn(|card| card as u8);
//!     (1..52).rev().for_each(|place| deck.swap(place, rand() % (place + 1)));
//!     deck
//! }).collect();
//!
//! // At most 512 decks; other places where decks may begin, such as those of a second file, go into `Places`.
//! let seen = Observation::of_decks(&decks[..2]);
//! let outcome = search_first(&seen, Places::default(), WORK_DEFAULT);
//! let own = outcome.recovered.ok_or("not recovered by what was tried")?;
//! assert_eq!(own.next_decks(1, None), decks[2..]);
//!
//! // An upper bound of the chance that fair decks agree with any state of any dealer, tried or not: a p-value as it is.
//! assert!(own.followed.bound_log10 < -60.0);
//!
//! // State in, records out: a holder of the records checks it in milliseconds.
//! let recovery = Recovery::new(&own, &[]);
//! assert_eq!(recovery.verify(&seen.records)?.records, 2);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # How to add a model
//! 1. Its generator goes into `generator.rs` as one [`Generator`](generator::Generator): `next` on a slice of words, with
//!    a row in `fixtures/vectors.csv` from a second source.
//! 2. A type that implements [`Model`](model::Model): `recover` proposes [`Candidate`](candidate::Candidate)s, each a state
//!    before the first call for some record, and lets `follow` decide.
//! 3. One row in `catalogue.rs`, likeliest first: in `MODELS` with a new version of the audit's statistic, or in `ALL_MODELS`.

pub mod additive;
pub mod affine;
mod alignment;
pub mod bound;
pub mod budget;
pub mod candidate;
pub mod catalogue;
pub mod congruential;
pub mod deck;
pub mod first;
pub mod follow;
pub mod generator;
pub mod lattice;
mod linear;
pub mod mapping;
pub mod model;
pub mod recovery;
pub mod search;
pub mod seeding;
pub mod seeds;
pub mod sorts;
pub mod start;
pub mod way;
