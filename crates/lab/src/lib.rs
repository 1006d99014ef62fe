//! A laboratory's project: audits carried through, other batteries read, and the package it signs.

pub mod external;
pub mod project;
