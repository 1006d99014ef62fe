//! Code identity: the files of a manifest as they are today, and who signed the list.

use std::path::{Path, PathBuf};

use crate::monitoring::check::{CheckResult, DayCheck};
use deckproof_audit::manifest::signature::{self, Signers};
use deckproof_audit::manifest::{BYTES_MAX, Manifest};
use deckproof_deck::text::decimal::counted;
use deckproof_files::file::read_limited;

/// The name of the step.
pub const NAME: &str = "code identity";

/// Which files have to be the same.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Identified {
    /// The list.
    pub manifest: PathBuf,
    /// What its paths are relative to.
    pub base: PathBuf,
    /// Who may have signed it, if that is checked.
    pub signers: Option<Signers>,
}

/// Compares the files with the list, and the signature with those who may sign.
pub fn check(identified: &Identified) -> DayCheck {
    match compare(identified) {
        Ok(check) => check,
        Err(reason) => DayCheck::new(NAME, CheckResult::CouldNotSay, reason),
    }
}

fn compare(identified: &Identified) -> Result<DayCheck, String> {
    let Identified { manifest: path, base, signers } = identified;
    let failed = |error: &dyn std::fmt::Display| format!("{}: {error}", path.display());
    let bytes = read_limited(path, BYTES_MAX).map_err(|error| failed(&error))?;
    let text = std::str::from_utf8(&bytes).map_err(|error| failed(&error))?;
    let manifest: Manifest = text.parse().map_err(|error| failed(&error))?;
    let signed = match signers {
        None => "who made the list is not checked".to_owned(),
        Some(signers) => match signature::verify(path, &bytes, signers) {
            Ok(Ok(())) => format!("signed by {}", signers.identity),
            Ok(Err(said)) => {
                let refusal = format!("the list is not signed by {}: {said}", signers.identity);
                return Ok(DayCheck::new(NAME, CheckResult::Refused, refusal));
            }
            Err(error) => return Err(failed(&error)),
        },
    };
    let differences = manifest.differences(base).map_err(|error| failed(&error))?;
    let files = counted(manifest.files().len() as u64, "file", "files");
    let are = if manifest.files().len() == 1 { "is the listed one" } else { "are the listed ones" };
    if let Some(first) = manifest.is_elsewhere(base) {
        let fault = format!(
            "no listed file is in {}, wanted the folder with {first} as manifest_base",
            base.display()
        );
        return Ok(DayCheck::new(NAME, CheckResult::Refused, fault));
    }
    Ok(match differences.first() {
        None => {
            let evidence = format!("{files} of {} {are}; {signed}", name(path));
            DayCheck::new(NAME, CheckResult::Passed, evidence)
        }
        Some(first) => {
            let others = match differences.len() {
                1 => String::new(),
                more => format!(" (and {} more)", more - 1),
            };
            DayCheck::new(NAME, CheckResult::Refused, format!("{first}{others}"))
        }
    })
}

fn name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}
