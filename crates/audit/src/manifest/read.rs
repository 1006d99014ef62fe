//! Reading a manifest: strictly as it is written, so that one list of files has one text.

use std::collections::BTreeMap;
use std::path::Path;
use std::str::FromStr;

use crate::manifest::{Identity, Manifest, ManifestError, VERSION, name_of};
use deckproof_deck::text::excerpt;

/// Most characters of a line that a message repeats.
const EXCERPT: usize = 40;

impl FromStr for Manifest {
    type Err = ManifestError;

    fn from_str(text: &str) -> Result<Manifest, ManifestError> {
        let mut folders = Vec::new();
        let mut files = BTreeMap::new();
        let mut known: Option<(u64, &str)> = None;
        for (number, line) in text.lines().enumerate() {
            let wrong = |wanted| ManifestError::Line { line: number + 1, found: shown(line), wanted };
            if number == 0 {
                if line != VERSION {
                    return Err(wrong("# deckproof-manifest/v1"));
                }
            } else if let Some(folder) = line.strip_prefix("# folder ") {
                name_of(Path::new(folder))?;
                folders.push(folder.to_owned());
            } else if let Some(rest) = line.strip_prefix("# bytes ") {
                let pair = rest.split_once(" sha1 ").filter(|(_, sha1)| is_hexadecimal(sha1, 40));
                let pair = pair.and_then(|(bytes, sha1)| Some((bytes.parse().ok()?, sha1)));
                known = Some(pair.ok_or_else(|| wrong("# bytes NUMBER sha1 HEX"))?);
            } else {
                let (sha256, path) =
                    line.split_once("  ")
                        .filter(|(sha256, _)| is_hexadecimal(sha256, 64))
                        .ok_or_else(|| wrong("64 lower-case hexadecimal digits, two blanks and a path"))?;
                name_of(Path::new(path))?;
                let (bytes, sha1) =
                    known.take().ok_or_else(|| wrong("the line # bytes … sha1 … before it"))?;
                let identity = Identity { bytes, sha256: sha256.to_owned(), sha1: sha1.to_owned() };
                files.insert(path.to_owned(), identity);
            }
        }
        let manifest = Manifest { folders, files };
        // Another order, a path twice, a missing last line break: some byte of the text says nothing.
        let written = manifest.to_string();
        if written != text {
            let line = written.lines().zip(text.lines()).take_while(|(a, b)| a == b).count() + 1;
            let found = shown(text.lines().nth(line - 1).unwrap_or("the end"));
            let wanted = "the lines as deckproof writes them: folders, then files, each sorted and once";
            return Err(ManifestError::Line { line, found, wanted });
        }
        Ok(manifest)
    }
}

fn shown(line: &str) -> String {
    format!("{:?}", excerpt(line, EXCERPT))
}

fn is_hexadecimal(text: &str, length: usize) -> bool {
    text.len() == length && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}
