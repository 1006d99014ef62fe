//! A package that is finished: it is signed and packed as it lies there, and never written again.

use crate::project::check::{SIGNATURE, Shelf, check};
use crate::project::facts::Facts;
use crate::project::folder::{Disk, PackageFolder, read_back};
use crate::project::package::files::PackageFiles;
use crate::project::package::{Rendering, SUMS};
use deckproof_audit::certificate::Tool;
use deckproof_audit::manifest::signature::{self, Signing};
use deckproof_deck::text::could_not_say::CouldNotSay;
use deckproof_files::file::TEXT_BYTES_MAX;

/// The package of a folder that has its checksums, read back and checked; nothing where there are none yet.
///
/// # Errors
/// [`CouldNotSay`]: it is of another text of the project, or does not hold together.
pub fn finished(
    folder: &PackageFolder,
    text: &str,
    renderings: &[Rendering],
    own: &Tool,
) -> Result<Option<(Facts, PackageFiles)>, CouldNotSay> {
    if !folder.has(SUMS) {
        return Ok(None);
    }
    let failed = |what: String| {
        CouldNotSay::new(
            format!(
                "{} holds a finished package, {what}, and a finished report is not rewritten",
                folder.path.display()
            ),
            "Make a new revision with --amend PACKAGE --reason TEXT and another --out.",
        )
    };
    let shelf = Disk(folder.path.clone());
    let consistent = check(&shelf, renderings, own)
        .map_err(|fault| failed(format!("which this program does not write so ({fault})")))?;
    if consistent.inputs.project_text != text {
        return Err(failed("of another text of the project".to_owned()));
    }
    if folder.has(SIGNATURE) {
        let signature = shelf.read(SIGNATURE, TEXT_BYTES_MAX);
        let signature =
            signature.map_err(|error| failed(format!("whose signature cannot be read ({error})")))?;
        // Without ssh-keygen nothing is stated of it, as by verify.
        if let Ok(Signing::OnOtherBytes(reason)) = signature::judge(&signature, &consistent.sums, None) {
            return Err(failed(format!("whose signature is one of other checksums ({reason})")));
        }
    }
    let mut files = PackageFiles::new();
    for name in consistent.names() {
        let bytes = read_back(&folder.path.join(&name))?;
        files.insert(name, bytes);
    }
    Ok(Some((consistent.facts, files)))
}
