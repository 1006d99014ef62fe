//! What a configuration names, and whether it is there: files, folders and programs.

use std::ffi::OsStr;
use std::path::Path;

use crate::monitoring::config::DATE;
use deckproof_files::file::program::executable;

/// What has to stand where a key points.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Stands {
    File,
    Folder,
    /// A file that the job writes.
    Written,
}

/// Kinds of sources that are files, as they stand before a colon.
const FILE_KINDS: [&str; 4] = ["csv:", "raw:", "parquet:", "table:"];

/// One value of a key.
#[derive(Clone, Copy)]
pub(super) struct Value<'a> {
    /// The key.
    pub key: &'a str,
    /// For the day.
    pub text: &'a str,
    /// Whether it is another one each day.
    pub is_dated: bool,
    /// As it is written.
    pub written: &'a str,
}

/// The path of a source without its kind.
pub(super) fn bare(text: &str) -> &str {
    FILE_KINDS.iter().find_map(|prefix| text.strip_prefix(prefix)).unwrap_or(text)
}

/// A source that is not there. What may be a key is not repeated.
pub(super) fn source(value: &Value, search_path: &OsStr) -> Option<String> {
    if let Some(words) = value.text.strip_prefix("cmd:") {
        return program_of(words, search_path);
    }
    let prefix = FILE_KINDS.iter().find(|prefix| value.text.starts_with(**prefix));
    let is_path = value.text.contains(['.', '/']) && !value.text.contains(':');
    // Noise is a file or a program; decks come from other kinds too, which the audit reads.
    if prefix.is_none() && !is_path && value.key != "entropy_source" {
        return None;
    }
    let path = Value { text: bare(value.text), written: bare(value.written), ..*value };
    let wanted = match value.key {
        "entropy_source" => "a file with output of the noise source, or cmd:PROGRAM",
        _ => "a file or folder of decks; {date} in its name means the day",
    };
    placeholder(path.text).or_else(|| missing(&path, Stands::File, wanted))
}

/// What is not where a key points. A file of another day need not be there yet, the folder that will hold it does.
pub(super) fn missing(value: &Value, stands: Stands, wanted: &str) -> Option<String> {
    let path = Path::new(value.text);
    if stands == Stands::Written || value.is_dated && !path.exists() {
        // The name that is another one each day may be that of a folder.
        let undated =
            Path::new(value.written).ancestors().skip(1).find(|part| !part.to_string_lossy().contains(DATE));
        let folder = match undated.map(|part| part.as_os_str().is_empty()) {
            None | Some(true) => Path::new("."),
            Some(false) => undated.unwrap_or(Path::new(".")),
        };
        if !folder.is_dir() {
            let held = value.written;
            return Some(format!("there is no folder {folder:?}, wanted the one that holds {held:?}"));
        }
        let is_folder = path.is_dir() && stands == Stands::Written;
        return is_folder.then(|| format!("{:?} is a folder, wanted {wanted}", value.text));
    }
    let is_there = match stands {
        Stands::Folder => path.is_dir(),
        _ => path.exists(),
    };
    if is_there {
        None
    } else {
        Some(format!("there is no {} {:?}, wanted {wanted}", kind(stands), value.text))
    }
}

fn kind(stands: Stands) -> &'static str {
    if stands == Stands::Folder { "folder" } else { "file" }
}

/// What stands in braces beside `{date}`, which is another day's file that nobody writes.
pub(super) fn placeholder(path: &str) -> Option<String> {
    let start = path.find('{')?;
    let end = path[start..].find('}').map_or(path.len(), |end| start + end + 1);
    Some(format!("found {:?}, wanted {DATE} where the day is, and no other braces", &path[start..end]))
}

/// A folder of days that can be made, or is one.
pub(super) fn place_of(folder: &Path) -> Result<(), String> {
    let there = folder.ancestors().find(|part| part.exists());
    match there {
        Some(part) if !part.is_dir() => Err(format!("{part:?} is a file, wanted a folder for the days")),
        _ => Ok(()),
    }
}

/// The first word of a command line, if it is no program here.
pub(super) fn program_of(words: &str, search_path: &OsStr) -> Option<String> {
    match shell_words::split(words) {
        Ok(split) => match split.first() {
            Some(word) => program(word, search_path),
            None => Some("found no word, wanted a program and its arguments".to_owned()),
        },
        Err(error) => Some(format!("{error}, wanted words as in a shell")),
    }
}

/// A word that is no program here.
pub(super) fn program(word: &str, search_path: &OsStr) -> Option<String> {
    let wanted = "wanted one that is in PATH, or a path that begins at the configuration";
    executable(word, search_path).is_none().then(|| format!("there is no program {word:?}, {wanted}"))
}
