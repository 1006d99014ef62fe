//! A table that deals committed hands durably, and the log it writes.

pub mod log;
pub mod table;
