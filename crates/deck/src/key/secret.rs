//! Where a key is to be found: given at once, in a file, or on standard input.

use std::convert::Infallible;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::str::FromStr;

use zeroize::Zeroizing;

use crate::key::KeyError;
use crate::text::could_not_say::CouldNotSay;
use crate::text::visible;

/// Why there is no key. The key itself is not kept.
#[derive(Debug, thiserror::Error)]
pub enum SecretError {
    /// A file or standard input that cannot be read.
    #[error("{}: {error}", .path.display())]
    File {
        /// Which.
        path: PathBuf,
        /// The error of the operating system.
        error: io::Error,
    },
    /// A text that is no key.
    #[error("{option}: {error}")]
    Key {
        /// Which option it was given to.
        option: String,
        /// What is wrong with it.
        error: KeyError,
    },
}

impl From<SecretError> for CouldNotSay {
    fn from(error: SecretError) -> CouldNotSay {
        CouldNotSay(match error {
            SecretError::File { path, error } => format!("{}: {error}", visible(&path.display().to_string())),
            error @ SecretError::Key { .. } => error.to_string(),
        })
    }
}

/// For the help of every option that takes a key.
pub const KEY_HELP: &str = "64 hexadecimal digits, @FILE, or - for standard input. A key typed here is visible to other users of this machine.";

/// No key file is longer than this, in bytes; it keeps a wrong file from being read to its end.
const SECRET_BYTES_MAX: u64 = 1024;

/// Where a key is to be found: `HEX`, `@FILE` or `-`. No `Debug`, so that it cannot be printed.
#[derive(Clone)]
pub enum Secret {
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
    /// The text itself, without the white space around it, or the byte order mark that an editor of Windows sets before it.
    ///
    /// # Errors
    /// [`SecretError::File`].
    pub fn text(&self) -> Result<Zeroizing<String>, SecretError> {
        let text = match self {
            Secret::Inline(text) => text.clone(),
            Secret::File(path) => {
                let file =
                    File::open(path).map_err(|error| SecretError::File { path: path.clone(), error })?;
                read(file, path)?
            }
            Secret::Stdin => read(io::stdin(), Path::new("standard input"))?,
        };
        Ok(Zeroizing::new(text.trim_start_matches('\u{feff}').trim().to_owned()))
    }

    /// The key; `option` names it in a message.
    ///
    /// # Errors
    /// [`SecretError`].
    pub fn key<K: FromStr<Err = KeyError>>(&self, option: &str) -> Result<K, SecretError> {
        let named = || match self {
            Secret::File(path) => format!("{option} @{}", path.display()),
            Secret::Inline(_) | Secret::Stdin => option.to_owned(),
        };
        self.text()?.parse().map_err(|error| SecretError::Key { option: named(), error })
    }
}

fn read(source: impl Read, name: &Path) -> Result<Zeroizing<String>, SecretError> {
    let mut text = Zeroizing::new(String::new());
    let read = source.take(SECRET_BYTES_MAX).read_to_string(&mut text);
    read.map_err(|error| SecretError::File { path: name.to_owned(), error })?;
    Ok(text)
}
