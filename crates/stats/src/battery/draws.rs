//! Draws and generators: the numbers a shuffle must have drawn, undone and tested.

pub(super) mod birthday_spacings;
pub(super) mod by_order;
mod coin;
pub(super) mod digits;
pub(super) mod echoes;
mod filters;
mod following;
pub(super) mod later;
pub(super) mod linear;
pub(super) mod orbits;
pub(super) mod pairs;
pub(super) mod recovered;
pub(super) mod reused;
pub(super) mod spectral;
pub(super) mod windows;
