//! A laboratory's project: audits carried through, other batteries read, and the package it signs.

pub mod campaign;
pub mod external;
