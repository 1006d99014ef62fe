//! The daily check of a shuffler: configuration, steps in order, record, mail.

pub mod daily;
pub mod monitoring;
