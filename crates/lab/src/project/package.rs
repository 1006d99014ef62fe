//! The package: what was made once, what follows from it, and the checksums over all of it.

pub mod fault;
pub mod files;
pub mod inputs;
pub mod sums;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::project::content;
use crate::project::facts::Facts;
use crate::project::package::files::{PackageFiles, pretty};
use crate::project::package::inputs::Inputs;
use crate::project::package::sums::Sums;
use crate::project::sheets;
use deckproof_audit::certificate::Tool;
use deckproof_files::file::sha256;
use deckproof_report::document::Document;

/// The version of `report.json`.
pub const REPORT_FORMAT: &str = "deckproof/report/v5";
/// The file of checksums.
pub const SUMS: &str = "SHA256SUMS";
/// The checksums of what is left out and made again from the rest.
pub const OMITTED: &str = "omitted.sha256";
/// A file of a package is no longer than this, in bytes.
pub const FILE_BYTES_MAX: u64 = 256 << 20;

/// `report.json`: the document, and what it was made from.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PackageReport {
    /// [`REPORT_FORMAT`].
    pub format: String,
    /// The program that wrote it.
    pub tool: Tool,
    /// SHA-256 of every file that it was made from.
    pub inputs: BTreeMap<String, String>,
    /// What was found.
    pub facts: Facts,
    /// What is read.
    pub document: Document,
}

/// A form in which a document is read, such as HTML: the name of its file, and how it is made.
pub struct Rendering<'a> {
    /// The name of the file.
    pub name: &'static str,
    /// Writes a document; an error says what happened.
    pub write: &'a dyn Fn(&Document) -> Result<Vec<u8>, String>,
}

/// What follows from the inputs.
pub struct Derived {
    /// What was found.
    pub facts: Facts,
    /// The files that stand in the package.
    pub files: PackageFiles,
    /// Those that are left out of it, by the wish of the project.
    pub omitted: PackageFiles,
}

/// Everything that follows from the inputs: the same inputs give the same bytes.
///
/// # Errors
/// The output of a rendering.
pub fn derived(inputs: &Inputs, renderings: &[Rendering]) -> Result<Derived, String> {
    let facts = Facts::of(inputs);
    let sheets = sheets_of(inputs);
    let document = content::document(inputs, &facts, &sheets);
    let primary = inputs.files();
    let report = PackageReport {
        format: REPORT_FORMAT.to_owned(),
        tool: inputs.runs.tool.clone(),
        inputs: primary.iter().map(|(name, bytes)| (name.clone(), sha256(bytes))).collect(),
        facts: facts.clone(),
        document,
    };
    let mut files = PackageFiles::new();
    let mut put = |name: &str, text: String| files.insert(name.to_owned(), text.into_bytes());
    put("plan.json", pretty(&inputs.frozen));
    put("report.json", pretty(&report));
    put("reproduce.md", content::reproduce::text(inputs, &facts));
    files.extend(sheets);
    let mut omitted = PackageFiles::new();
    if inputs.project.package.omit_counts {
        omitted.extend(files.remove_entry(COUNTS));
    }
    for rendering in
        renderings.iter().filter(|rendering| inputs.runs.pages.iter().any(|page| page == rendering.name))
    {
        files.insert(rendering.name.to_owned(), (rendering.write)(&report.document)?);
    }
    if !omitted.is_empty() {
        files.insert(OMITTED.to_owned(), Sums::of(&omitted).to_string().into_bytes());
    }
    Ok(Derived { facts, files, omitted })
}

/// The largest table, which may be left out.
const COUNTS: &str = "counts.csv";

/// The tables.
fn sheets_of(inputs: &Inputs) -> PackageFiles {
    let sheets = [
        ("p-values.csv", sheets::p_values(inputs)),
        (COUNTS, sheets::counts(inputs)),
        ("power.csv", sheets::power(inputs)),
        ("vectors.csv", sheets::vectors(inputs)),
    ];
    sheets.map(|(name, text)| (name.to_owned(), text.into_bytes())).into_iter().collect()
}

/// A whole package but its signature.
///
/// # Errors
/// As [`derived`].
pub fn whole(inputs: &Inputs, renderings: &[Rendering]) -> Result<(Facts, PackageFiles), String> {
    let Derived { facts, mut files, .. } = derived(inputs, renderings)?;
    files.extend(inputs.files());
    files.insert(SUMS.to_owned(), Sums::of(&files).to_string().into_bytes());
    Ok((facts, files))
}
