//! What several tests share: the program as a user runs it, invented games, a sample report.

pub mod game;
pub mod lab;
pub mod sample;
pub mod schema;
