//! A table that deals committed hands durably, and the log it writes.

pub mod log_folder;
pub mod table;
