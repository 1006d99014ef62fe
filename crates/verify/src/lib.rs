//! What an auditor of a hand needs, after `PROTOCOL.md`: claims, the entries, tree and signatures of the log, and bundles.

pub mod claim;
pub mod log;
pub mod verify;
