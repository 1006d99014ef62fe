//! Verifying a package: checksums, every file that can be computed again, and nothing left over.

mod worded;

use std::io;

use crate::project::facts::Facts;
pub use crate::project::package::fault::{Fault, FaultKind};
use crate::project::package::inputs::Inputs;
use crate::project::package::sums::Sums;
use crate::project::package::{Derived, FILE_BYTES_MAX, OMITTED, Rendering, SUMS, derived};
use deckproof_audit::certificate::Tool;
use deckproof_deck::text::excerpt;
use deckproof_files::file::sha256;

/// The signature over the checksums.
pub const SIGNATURE: &str = "SHA256SUMS.sig";

/// A package, wherever it is kept.
pub trait Shelf {
    /// The paths of all its files, in any order.
    ///
    /// # Errors
    /// The operating system's.
    fn names(&self) -> io::Result<Vec<String>>;

    /// The bytes of a file of at most so many.
    ///
    /// # Errors
    /// The operating system's.
    fn read(&self, name: &str, bytes_max: u64) -> io::Result<Vec<u8>>;
}

/// A package whose files follow from each other.
pub struct Consistent {
    /// What it was made from.
    pub inputs: Inputs,
    /// What was found.
    pub facts: Facts,
    /// How many files have their checksum.
    pub files: usize,
    /// How many of them were computed again.
    pub recomputed: usize,
    /// PackageFiles that only a program with another feature can make again, such as `report.pdf`.
    pub not_recomputed: Vec<String>,
    /// The bytes of the checksums, which the signature signs.
    pub sums: Vec<u8>,
}

impl Consistent {
    /// The names of all files but the signature.
    pub fn names(&self) -> Vec<String> {
        let text = String::from_utf8_lossy(&self.sums);
        let listed = text.lines().filter_map(|line| line.split_once("  "));
        listed.map(|(_, name)| name.to_owned()).chain([SUMS.to_owned()]).collect()
    }
}

/// Checksums that every listed file has.
pub struct ListedFiles {
    sums: Sums,
    /// Files beside them that no checksum lists, made visible: no part of the package, and not read.
    pub unlisted: Vec<String>,
    /// Their bytes, which the signature signs.
    pub text: Vec<u8>,
}

/// Checks everything that can be without drawing a deck.
///
/// # Errors
/// [`Fault`]: the first file that does not match.
pub fn check(shelf: &dyn Shelf, renderings: &[Rendering], own: &Tool) -> Result<Consistent, Fault> {
    check_content(shelf, listed(shelf)?, renderings, own)
}

/// Checks that the files follow from each other. What another build of the program worded is compared as data where it is
/// data, and left alone where it is prose.
///
/// # Errors
/// [`Fault`]: the first file that does not match.
pub fn check_content(
    shelf: &dyn Shelf,
    listed: ListedFiles,
    renderings: &[Rendering],
    own: &Tool,
) -> Result<Consistent, Fault> {
    let ListedFiles { sums, text: sums_text, .. } = listed;
    let read = |name: &str| {
        let is_listed = sums.0.contains_key(name);
        if is_listed { shelf.read(name, FILE_BYTES_MAX) } else { Err(io::ErrorKind::NotFound.into()) }
    };
    let inputs = Inputs::read(&read, &own.commit)?;
    let Derived { facts, mut files, omitted } =
        derived(&inputs, renderings).map_err(|error| Fault::new("report.json", FaultKind::Derived, error))?;
    let recomputed = files.len();
    // What the package was made from must be written as this program writes it.
    files.extend(inputs.files());
    let is_own_build = (&own.version, &own.commit) == (&inputs.runs.tool.version, &inputs.runs.tool.commit);
    let mut prose = None;
    // report.json comes first: the pages are drawn from it.
    let first = files.keys().filter(|name| *name == "report.json");
    let rest = files.keys().filter(|name| *name != "report.json");
    for name in first.chain(rest) {
        match sums.0.get(name) {
            Some(listed) if *listed == sha256(&files[name]) => {}
            Some(_) if !is_own_build => {
                let found = shelf
                    .read(name, FILE_BYTES_MAX)
                    .map_err(|error| Fault::new(name, FaultKind::Missing, error))?;
                worded::check(name, &found, &files[name])
                    .map_err(|what| Fault::new(name, FaultKind::Derived, what))?;
                prose.get_or_insert(name);
            }
            Some(_) => {
                return Err(Fault::new(name, FaultKind::Derived, difference(shelf, name, &files[name])));
            }
            None => {
                let missing = "it is missing from the checksums, and the package must hold it";
                return Err(Fault::new(name, FaultKind::Missing, missing));
            }
        }
    }
    let not_recomputed: Vec<String> =
        sums.0.keys().filter(|name| !files.contains_key(*name)).cloned().collect();
    let pages = &inputs.runs.pages;
    if let Some(name) = not_recomputed.iter().find(|name| !pages.contains(name)) {
        return Err(Fault::new(
            name,
            FaultKind::Foreign,
            "found a file that no package of this project holds",
        ));
    }
    if let Some(name) = pages.iter().find(|name| !sums.0.contains_key(*name)) {
        let missing = "it is missing, and runs.json says that it was written";
        return Err(Fault::new(name, FaultKind::Missing, missing));
    }
    if let Some(name) = prose {
        return Err(other_build(name, &inputs.runs.tool));
    }
    debug_assert!(omitted.is_empty() || files.contains_key(OMITTED));
    Ok(Consistent { recomputed, files: sums.0.len(), inputs, facts, not_recomputed, sums: sums_text })
}

fn other_build(name: &str, tool: &Tool) -> Fault {
    let Tool { version, commit, .. } = tool;
    let what = format!(
        "this build of the program words it otherwise; it was written by deckproof {version}, commit {commit}"
    );
    Fault { is_of_another_version: true, ..Fault::new(name, FaultKind::Derived, what) }
}

/// Where a file begins to differ from what was computed.
fn difference(shelf: &dyn Shelf, name: &str, wanted: &[u8]) -> String {
    let found = shelf.read(name, FILE_BYTES_MAX).unwrap_or_default();
    let same = found.iter().zip(wanted).take_while(|(a, b)| a == b).count();
    let line = wanted[..same.min(wanted.len())].iter().filter(|&&byte| byte == b'\n').count() + 1;
    format!("it is not what follows from the certificates and the project, from line {line} on")
}

/// Every listed file has its hash: that asks no version of the program.
///
/// # Errors
/// [`Fault`]: the first file that has not.
pub fn listed(shelf: &dyn Shelf) -> Result<ListedFiles, Fault> {
    let unread = |name: &str, error: io::Error| {
        // A link or a pipe in its place, or what no file of a package is as long as.
        let is_other = matches!(error.kind(), io::ErrorKind::InvalidInput | io::ErrorKind::FileTooLarge);
        Fault::new(name, if is_other { FaultKind::Missing } else { FaultKind::Lost }, error)
    };
    let line_ends = |name: &str| Fault::new(name, FaultKind::LineEnds, "its line ends were changed (CR LF)");
    let text = shelf.read(SUMS, FILE_BYTES_MAX).map_err(|error| unread(SUMS, error))?;
    if text.last() != Some(&b'\n') {
        return Err(Fault::new(SUMS, FaultKind::Cut, "it is empty, or ends within a line: it was cut off"));
    }
    let parsed = |text: &[u8]| match std::str::from_utf8(text) {
        Ok(text) => text.parse::<Sums>().map_err(|error| Fault::new(SUMS, FaultKind::Unsound, error)),
        Err(error) => Err(Fault::new(SUMS, FaultKind::Unsound, error)),
    };
    let sums = parsed(&text)
        .map_err(|fault| if parsed(&with_lf(&text)).is_ok() { line_ends(SUMS) } else { fault })?;
    for (name, listed) in &sums.0 {
        let bytes = shelf.read(name, FILE_BYTES_MAX).map_err(|error| unread(name, error))?;
        let found = sha256(&bytes);
        if found != *listed {
            let lf = with_lf(&bytes);
            if [&lf, &with_crlf(&lf)].iter().any(|other| sha256(other) == *listed) {
                return Err(line_ends(name));
            }
            let what = format!("its SHA-256 is {found}, and {SUMS} says {listed}");
            return Err(Fault::new(name, FaultKind::Checksum, what));
        }
    }
    let mut names = shelf.names().map_err(|error| Fault::new(SUMS, FaultKind::Unsound, error))?;
    names.sort();
    let is_listed = |name: &String| sums.0.contains_key(name) || [SUMS, SIGNATURE].contains(&name.as_str());
    let unlisted = names.iter().filter(|name| !is_listed(name)).map(|name| excerpt(name, 200)).collect();
    Ok(ListedFiles { sums, unlisted, text })
}

/// With LF in place of each CR LF.
fn with_lf(bytes: &[u8]) -> Vec<u8> {
    let is_kept = |place: &usize| !bytes[*place..].starts_with(b"\r\n");
    (0..bytes.len()).filter(is_kept).map(|place| bytes[place]).collect()
}

/// With CR LF in place of each LF.
fn with_crlf(bytes: &[u8]) -> Vec<u8> {
    bytes.split(|&byte| byte == b'\n').collect::<Vec<&[u8]>>().join(&b"\r\n"[..])
}
