//! Keys on the command line: given at once, in a file, or on standard input.

use std::convert::Infallible;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::str::FromStr;

use zeroize::Zeroizing;

use crate::cli::CliError;
use crate::key::KeyError;

/// For the help of every option that takes a key.
pub(super) const KEY_HELP: &str = "64 hexadecimal digits, @FILE, or - for standard input. A key typed here is visible to other users of this machine.";

/// No key file is longer than this, in bytes; it keeps a wrong file from being read to its end.
const SECRET_BYTES_MAX: u64 = 1024;

/// Where a key is to be found: `HEX`, `@FILE` or `-`. No `Debug`, so that it cannot be printed.
#[derive(Clone)]
pub(super) enum Secret {
    /// On the command line.
    Inline(Zeroizing<String>),
    /// In a file.
    File(PathBuf),
    /// On standard input.
    Stdin,
}

impl FromStr for Secret {
    /// Nothing is refused here: the parser of arguments would repeat the text in its message.
    type Err = Infallible;

    fn from_str(text: &str) -> Result<Secret, Infallible> {
        Ok(match text.strip_prefix('@') {
            Some(path) => Secret::File(PathBuf::from(path)),
            None if text == "-" => Secret::Stdin,
            None => Secret::Inline(Zeroizing::new(text.to_owned())),
        })
    }
}

impl Secret {
    /// The text itself, without the white space around it.
    pub(super) fn text(&self) -> Result<Zeroizing<String>, CliError> {
        let text = match self {
            Secret::Inline(text) => text.clone(),
            Secret::File(path) => {
                let file = File::open(path).map_err(|error| CliError::file(path, error))?;
                read(file, path)?
            }
            Secret::Stdin => read(io::stdin(), Path::new("standard input"))?,
        };
        Ok(Zeroizing::new(text.trim().to_owned()))
    }

    /// The key; `option` names it in a message.
    pub(super) fn key<K: FromStr<Err = KeyError>>(&self, option: &str) -> Result<K, CliError> {
        let named = || match self {
            Secret::File(path) => format!("{option} @{}", path.display()),
            Secret::Inline(_) | Secret::Stdin => option.to_owned(),
        };
        self.text()?.parse().map_err(|error| CliError::Key { option: named(), error })
    }
}

fn read(source: impl Read, name: &Path) -> Result<Zeroizing<String>, CliError> {
    let mut text = Zeroizing::new(String::new());
    let read = source.take(SECRET_BYTES_MAX).read_to_string(&mut text);
    read.map_err(|error| CliError::file(name, error))?;
    Ok(text)
}
