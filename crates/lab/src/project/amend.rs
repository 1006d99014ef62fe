//! The next revision of a package, from what it keeps, with the change and its reason.

use std::path::Path;

use crate::project::check::{Consistent, check};
use crate::project::folder::{Disk, PackageFolder, read_back, unusable};
use crate::project::logo::LOGO;
use crate::project::package::inputs::amendments::{Amendment, PreviousRevision, amendments_text};
use crate::project::package::inputs::external_name;
use crate::project::package::{Rendering, SUMS};
use crate::project::settings::Project;
use deckproof_audit::certificate::Tool;
use deckproof_deck::text::could_not_say::CouldNotSay;
use deckproof_files::file::sha256;

/// Why a change is no amendment.
const DECIDED: &str = "An amendment cannot change what is tested: that was frozen before the first deck. This change needs a new project: \
                       certify without --amend, with another --out. Nothing was written.";

/// Most changed lines that an amendment repeats.
const CHANGES_MAX: usize = 100;

/// Takes everything over but the project, and says what follows which. A package that is not consistent is not amended.
///
/// # Errors
/// [`CouldNotSay`]: why the package is not amended; nothing was then written.
pub fn begin(
    folder: &PackageFolder,
    previous: &Path,
    reason: &str,
    (project, text): (&Project, &str),
    (renderings, own): (&[Rendering], &Tool),
) -> Result<(), CouldNotSay> {
    if folder.has("plan.toml") {
        return Err(CouldNotSay::new(
            format!("{} holds a project already", folder.path.display()),
            "A revision has a folder of its own: choose another --out.",
        ));
    }
    let (shown, advice) = (previous.display(), "Nothing was written.");
    if reason.trim().is_empty() {
        return Err(CouldNotSay::new("found an empty --reason", "Say what is amended, and why."));
    }
    let found = check(&Disk(previous.to_owned()), renderings, own);
    let Consistent { inputs, facts, .. } = found.map_err(unusable(&shown, advice))?;
    if let Some(key) = inputs.project.decided_otherwise(project) {
        return Err(CouldNotSay::new(format!("{shown}: it was made with other {key}"), DECIDED));
    }
    inputs.frozen.check_against(project).map_err(unusable(&shown, advice))?;
    let mut amendments = inputs.amendments.clone();
    amendments.push(Amendment {
        revision: inputs.revision() + 1,
        reason: reason.trim().to_owned(),
        previous_sha256sums: sha256(&read_back(&previous.join(SUMS))?),
        changes: changes(&inputs.project_text, text),
        previous: Some(PreviousRevision::of(&inputs.project, &facts)),
    });
    // What the project names no more is no file of the next package.
    let external: Vec<String> = project.external.iter().map(|own| external_name(own.name())).collect();
    let is_kept = |name: &str| match name {
        "project.toml" => false,
        LOGO => project.laboratory.logo().is_some(),
        _ => !inputs.external.contains_key(name) || external.iter().any(|own| own == name),
    };
    for (name, bytes) in inputs.files().iter().filter(|(name, _)| is_kept(name)) {
        folder.write(name, bytes)?;
    }
    folder.write("amendments.json", amendments_text(&amendments).as_bytes())
}

/// Lines that stand in one of two texts only: `- ` of the earlier one, `+ ` of the later one.
fn changes(before: &str, after: &str) -> Vec<String> {
    let only = |one: &str, other: &str, sign: &str| {
        let missing = one.lines().filter(|line| !other.lines().any(|same| same == *line));
        missing
            .filter(|line| !line.trim().is_empty())
            .map(|line| format!("{sign} {}", line.trim()))
            .collect::<Vec<_>>()
    };
    let mut all = only(before, after, "-");
    all.extend(only(after, before, "+"));
    if all.len() > CHANGES_MAX {
        all.truncate(CHANGES_MAX);
        all.push("…".to_owned());
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_are_the_lines_of_one_text_only() {
        let (before, after) = ("a = 1\n\nb = 2\nc = 3\n", "a = 1\nb = 4\nc = 3\nd = 5\n");
        assert_eq!(changes(before, after), ["- b = 2", "+ b = 4", "+ d = 5"]);
        assert!(changes(before, before).is_empty());
    }
}
