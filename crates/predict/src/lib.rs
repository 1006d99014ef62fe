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
//! | `start`, `way`, `mapping` | the order of a new deck, the shuffle, and how an output becomes a draw |
//! | `generator`, `seeding` | every generator once, as data, held against published numbers (`fixtures/`); its seedings |
//! | `candidate`, `follow` | a state and what it predicts, compared with the records |
//! | `bound` | how likely fair decks would agree with any state at all |
//! | `certificate` | state in, records out: what anybody checks in milliseconds |
//! | `linear` | models that are linear over GF(2) |
//! | `model`, `budget`, `catalogue` | the joint for new models, what they may spend, and the list |
//! | `search` | all models on the first records and on windows in the middle |
//!
//! # How to add a model
//! 1. Its generator goes into `generator.rs` as one [`Generator`](generator::Generator): `next` on a slice of words, with
//!    a row in `fixtures/vectors.csv` from a second source.
//! 2. A type that implements [`Model`](model::Model): `recover` proposes [`Candidate`](candidate::Candidate)s, each a state
//!    before the first call for some record, and lets `follow` decide.
//! 3. One row in `catalogue.rs`, likeliest first.

pub mod additive;
pub mod bound;
pub mod budget;
pub mod candidate;
pub mod catalogue;
pub mod certificate;
pub mod congruential;
pub mod deck;
pub mod follow;
pub mod generator;
pub mod lattice;
mod linear;
pub mod mapping;
pub mod model;
pub mod search;
pub mod seeding;
pub mod seeds;
pub mod start;
pub mod way;
