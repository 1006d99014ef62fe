//! The day of a shuffler carried out: its configuration understood, its steps in order, its row and results durable, and
//! whoever is to know told.
//!
//! A [`host::Host`] says how options are read, which program this is and what its clock shows, so that a day runs in a
//! library or a test as it does under `deckproof daily`.

pub mod host;
pub mod inbox;
pub mod job;
pub mod preflight;
pub mod record_lock;

mod decks;
mod examine;
mod growing;
mod named_files;
mod record;
mod resolved;
mod seen;
mod unrecorded;
mod without_ids;
mod written_files;

pub mod history;
#[cfg(test)]
mod tests;
