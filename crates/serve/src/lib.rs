//! Committed hands as a service: what a poker server calls for every hand, in any language.

pub mod calls;
pub mod door;
mod journal;
pub mod service;
