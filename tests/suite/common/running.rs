//! Programs that run beside a test, and end with it.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};

/// A program that is killed when nobody holds it any more.
pub struct Running(pub Child);

impl Drop for Running {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// A service over HTTP.
pub struct Service {
    pub program: Running,
    /// Where it answers.
    pub place: String,
}

impl Service {
    /// Starts a service, which says where it answers.
    pub fn start(command: &mut Command) -> Service {
        let mut child = command.stderr(Stdio::piped()).spawn().expect("it runs");
        let mut line = String::new();
        let output = child.stderr.as_mut().expect("a pipe");
        BufReader::new(output).read_line(&mut line).expect("it says where");
        let place = line.trim().strip_prefix("deckproof: answering on ").unwrap_or_else(|| panic!("{line}"));
        Service { place: place.to_owned(), program: Running(child) }
    }
}
