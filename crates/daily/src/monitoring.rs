//! The daily job: what is checked each day, the line it leaves, and the mail it writes.

pub mod beacon;
pub mod by_table;
pub mod check;
pub mod claims;
pub mod clone;
pub mod completeness;
pub mod config;
pub mod correction;
pub mod database;
pub mod drift;
pub mod entropy;
pub mod fresh_output;
pub mod gaming_day;
pub mod gate;
pub mod identity;
pub mod incidents;
pub mod judge;
pub mod kept;
pub mod kept_rows;
pub mod known;
pub mod known_line;
pub mod levels;
pub mod likeness;
pub mod line;
pub mod mail;
pub mod noise;
pub mod permission;
pub mod replay;
pub mod restart;
pub mod seats;
pub mod sound;
pub mod steps;
pub mod store;
#[doc(hidden)]
pub mod told;
pub mod voices;
