//! What several tests share: the program as a user runs it, invented games, a sample report.

pub mod dealt;
pub mod decks;
pub mod disk;
pub mod folder;
pub mod game;
pub mod hands_log;
pub mod lab;
pub mod nights;
pub mod package;
#[cfg(unix)]
pub mod peer;
pub mod room;
pub mod running;
pub mod sample;
pub mod schema;
pub mod vectors;
