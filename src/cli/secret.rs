//! Keys as they are typed: digits, @FILE or standard input.

use std::fs;
use std::io::{self, Read};
use std::str::FromStr;

use zeroize::Zeroizing;

use crate::cli::exit::CouldNotSay;
use crate::key::KeyError;

/// Reads a key given as 64 hexadecimal digits, `@FILE` or `-`.
///
/// # Errors
/// [`CouldNotSay`], never with the text of the key.
pub fn read_key<K: FromStr<Err = KeyError>>(text: &str) -> Result<K, CouldNotSay> {
    let (place, digits) = match text.strip_prefix('@') {
        Some(path) => (path, fs::read_to_string(path).map(Zeroizing::new)),
        None if text == "-" => ("standard input", read_stdin()),
        None => ("the key", Ok(Zeroizing::new(text.to_owned()))),
    };
    let digits = digits.map_err(|error| CouldNotSay::new(format!("{place}: {error}"), ""))?;
    digits.trim_end().parse().map_err(|error| CouldNotSay::new(format!("{place}: {error}"), ""))
}

fn read_stdin() -> io::Result<Zeroizing<String>> {
    let mut text = Zeroizing::new(String::new());
    io::stdin().read_to_string(&mut text)?;
    Ok(text)
}
