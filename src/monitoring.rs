//! The daily job: what is checked each day, the line it leaves, and the mail it writes.

pub mod check;
pub mod completeness;
pub mod config;
#[cfg(feature = "store")]
pub mod database;
pub mod drift;
pub mod entropy;
pub mod fresh_output;
pub mod identity;
pub mod judge;
#[cfg(feature = "store")]
pub mod kept;
pub mod levels;
pub mod line;
#[cfg(feature = "store")]
pub mod mail;
pub mod noise;
pub mod permission;
pub mod replay;
pub mod steps;
#[cfg(feature = "store")]
pub mod store;
pub mod voices;
