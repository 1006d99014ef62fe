//! The day of a shuffler carried out: its configuration understood, its steps in order, its row and results durable, and
//! whoever is to know told.
//!
//! A [`host::Host`] says how options are read, which program this is and what its clock shows, so that a day runs in a
//! library or a test as it does under `deckproof daily`.

pub mod host;
pub mod job;
pub mod soundness;
pub mod turn;

mod examine;
mod record;
mod there;
mod understood;

pub mod history;
#[cfg(test)]
mod tests;
