//! Code identity: the files of a manifest as they are today, and who signed the list.

use std::path::PathBuf;

use crate::monitoring::check::{DayCheck, StepFault};
use deckproof_audit::manifest::signature::{self, Signers, Signing};
use deckproof_audit::manifest::{BYTES_MAX, Manifest};
use deckproof_deck::text::decimal::counted;
use deckproof_files::file::{read_limited, sha256};

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

/// Compares the files with the list, and the signature with those who may sign; and the SHA-256 of the list that was read.
pub fn check(identified: &Identified) -> (DayCheck, Option<String>) {
    let path = &identified.manifest;
    let (compared, list) = match read_limited(path, BYTES_MAX) {
        Ok(bytes) => (compare(identified, &bytes), Some(sha256(&bytes))),
        Err(error) => (Err(StepFault::unreadable(error).at(&path.display().to_string())), None),
    };
    let check = match compared {
        Ok(evidence) => DayCheck::passed(NAME, evidence),
        Err(fault) => fault.check(NAME),
    };
    (check, list)
}

fn compare(identified: &Identified, bytes: &[u8]) -> Result<String, StepFault> {
    let Identified { manifest: path, base, signers } = identified;
    let failed = |error: &dyn std::fmt::Display| StepFault::unreadable(error).at(&path.display().to_string());
    let text = std::str::from_utf8(bytes).map_err(|error| failed(&error))?;
    let manifest: Manifest = text.parse().map_err(|error| failed(&error))?;
    let refused = |fault: String| Err(StepFault::Refused(fault));
    let signed = match signers {
        None => "who made the list is not checked".to_owned(),
        Some(signers) => match signature::judge_file(path, bytes, signers).map_err(|error| failed(&error))? {
            Signing::ByNamed => format!("signed by {}", signers.identity),
            Signing::OnOtherBytes(answer) => {
                return refused(format!("the signature is not one on the list: {answer}"));
            }
            // The configuration says who may sign: a list that somebody else made stops the day, whoever that is.
            Signing::ByKey(key) => {
                return refused(format!(
                    "the list is not signed by {}: {}",
                    signers.identity,
                    signers.other_key(&key)
                ));
            }
            Signing::Unread(answer) => {
                return Err(failed(&format!("the signature cannot be read: {answer}")));
            }
        },
    };
    let differences = manifest.differences(base).map_err(|error| failed(&error))?;
    let files = counted(manifest.files().len() as u64, "file", "files");
    let are = if manifest.files().len() == 1 { "is the listed one" } else { "are the listed ones" };
    if let Some(first) = manifest.is_elsewhere(base) {
        return refused(format!(
            "no listed file is in {}, wanted the folder with {first} as manifest_base",
            base.display()
        ));
    }
    match (differences.first(), differences.len()) {
        (None, _) => {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            Ok(format!("{files} of {name} {are}; {signed}"))
        }
        (Some(first), 1) => refused(first.to_string()),
        (Some(first), all) => refused(format!("{first} (and {} more)", all - 1)),
    }
}
