//! Flawed dealers and controls.

pub mod dealers;
