//! The daily job: what is checked each day, the line it leaves, and the mail it writes.

pub mod config;
pub mod line;
pub mod mail;
pub mod store;
