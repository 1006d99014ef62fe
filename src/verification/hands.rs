//! A certificate of published hands judged again from its census and, where that is wanted, counted again.

use std::path::{Path, PathBuf};

use crate::verification::plan::{self, FixedBefore};
use crate::verification::references::JudgedBy;
use crate::verification::{Checked, Inspector, OTHER_VERSION};
use deckproof_audit::hands::certificate::{HandsCertificate, HandsFile, HandsInconsistency, HandsResult};
use deckproof_audit::hands::collection::Collection;
use deckproof_audit::hands::plan::HandsPlan;
use deckproof_deck::text::could_not_say::CouldNotSay;
use deckproof_deck::text::decimal::counted;
use deckproof_files::file;
use deckproof_files::file::input::{FileError, read_input};
use deckproof_report::rendering::hands::certificate as rendering;

/// Judges a certificate again from its census and, with a file of hands, counts that and compares.
///
/// # Errors
/// [`CouldNotSay`] when the text is no certificate, or the file is not the one that was counted.
pub fn verify(name: &str, bytes: &[u8], wanted: &JudgedBy, is_alone: bool) -> Result<Checked, CouldNotSay> {
    let JudgedBy { rerun, words, by, .. } = wanted;
    let certificate = read(name, bytes)?;
    let result = &certificate.result;
    let mut found = result.rejudge();
    if let Err(HandsInconsistency::Plan(error)) = &found
        && error.is_of_another_version()
    {
        return Err(CouldNotSay::new(format!("{name}: {error}"), OTHER_VERSION));
    }
    if rerun.is_wanted && found.is_ok() {
        found = result.compare(&count_again(result, rerun.sources)?);
    }
    Ok(match found {
        Ok(()) => {
            let is_own = by.is_own(&certificate.tool);
            let claims = result.claims(rerun.is_wanted);
            let fixed = FixedBefore { sha256: &result.plan_sha256, sources: &[], audits: &[] };
            let (claims, plan) = plan::claimed(name, &fixed, claims, wanted, is_alone)?;
            let plan = plan.as_deref();
            Checked::of(
                &claims,
                rendering::consistent(name, &certificate, is_own, rerun.is_wanted, plan, words),
                rendering::consistent_json(&certificate, is_own, rerun.is_wanted, &claims, plan),
            )
            .of_plan(&result.plan_sha256)
        }
        Err(error) => Checked::contradictory(name, &error.to_string(), words),
    })
}

/// Reads a certificate.
fn read(name: &str, bytes: &[u8]) -> Result<HandsCertificate, CouldNotSay> {
    HandsCertificate::read(bytes).map_err(|error| {
        CouldNotSay::new(format!("{name}: this certificate of hands cannot be read: {error}"), "")
    })
}

/// The files are not kept: a holder of them counts them again.
fn count_again(result: &HandsResult, given: &[String]) -> Result<HandsResult, CouldNotSay> {
    let (wanted, found) = (result.files.len(), given.len());
    if wanted != found {
        let reason = format!(
            "the certificate is of {}, and {found} were given",
            counted(wanted as u64, "file", "files")
        );
        return Err(CouldNotSay::new(reason, "Give each file by --source FILE, in any order."));
    }
    let unreadable = |error| CouldNotSay::new(error, "");
    let read = given
        .iter()
        .map(|file| read_file(Path::new(file)))
        .collect::<Result<Vec<_>, _>>()
        .map_err(unreadable)?;
    // In the order in which they were counted: a hand may follow the last one of the file before.
    let (mut left, mut ordered) = (read, Vec::new());
    for file in &result.files {
        let place = left.iter().position(|(_, bytes)| HandsFile::of(bytes) == *file);
        let Some(place) = place else {
            let names: Vec<&str> = left.iter().map(|(name, _)| name.as_str()).collect();
            let reason = format!(
                "the certificate names a file of {} bytes with SHA-256 {}, and {} is another",
                file.bytes,
                file.sha256,
                names.join(" or ")
            );
            return Err(CouldNotSay::new(reason, "Give the very files that were counted."));
        };
        ordered.push(left.remove(place));
    }
    let (collection, files) = collected(&ordered);
    // Places of unreadable and impossible hands begin with the name of the file, which may have changed.
    let counted = HandsResult::of_collection(&result.plan, files, &collection);
    let is_as_many = counted.proofs.len() == result.proofs.len();
    Ok(if is_as_many { HandsResult { proofs: result.proofs.clone(), ..counted } } else { counted })
}

/// A certificate of hands of which a report can be made, and whether the running program wrote it.
///
/// # Errors
/// [`CouldNotSay`] for a certificate that is none or contradicts itself.
pub fn sound(name: &str, bytes: &[u8], by: &Inspector) -> Result<(HandsCertificate, bool), CouldNotSay> {
    let certificate = read(name, bytes)?;
    certificate.result.rejudge().map_err(|error| {
        CouldNotSay::new(
            format!("{name}: {error}"),
            "No report is made of a certificate that is not consistent.",
        )
    })?;
    let is_own = by.is_own(&certificate.tool);
    Ok((certificate, is_own))
}

/// Most bytes of a file of hands: a room's whole history is sent in parts.
pub const FILE_BYTES_MAX: u64 = 256 << 20;

/// Reads hands, each once, and what the files hash to.
pub fn read_all(paths: &[PathBuf]) -> Result<(Collection, Vec<HandsFile>), FileError> {
    Ok(collected(&paths.iter().map(|path| read_file(path)).collect::<Result<Vec<_>, _>>()?))
}

/// The name of a file and its bytes.
fn read_file(path: &Path) -> Result<(String, Vec<u8>), FileError> {
    let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy();
    Ok((name.into_owned(), read_input(path, FILE_BYTES_MAX)?))
}

fn collected(read: &[(String, Vec<u8>)]) -> (Collection, Vec<HandsFile>) {
    let mut collection = Collection::default();
    for (name, bytes) in read {
        // Old exports have names in other encodings; those letters do not matter.
        collection.add(name, &String::from_utf8_lossy(bytes));
    }
    (collection, read.iter().map(|(_, bytes)| HandsFile::of(bytes)).collect())
}

/// Most bytes of a plan.
const PLAN_BYTES_MAX: u64 = 1 << 20;

/// The plan in a file.
pub fn read_plan(path: &Path) -> Result<HandsPlan, CouldNotSay> {
    let bytes = file::read_limited(path, PLAN_BYTES_MAX).map_err(|error| FileError::new(path, error))?;
    let refused = |error: &dyn std::fmt::Display| {
        CouldNotSay::new(
            format!("{}: {error}", path.display()),
            "Nothing was judged; a plan comes from deckproof hands --write-plan.",
        )
    };
    let text = String::from_utf8(bytes).map_err(|error| refused(&error))?;
    HandsPlan::from_toml(&text).map_err(|error| refused(&error))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plan_that_was_edited_is_refused() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("plan.toml");
        let text = HandsPlan::usual().to_toml();
        std::fs::write(&path, &text).expect("a file");
        assert_eq!(read_plan(&path).expect("a plan"), HandsPlan::usual());
        std::fs::write(&path, text.replacen('1', "2", 1)).expect("a file");
        let error = read_plan(&path).expect_err("edited").to_string();
        assert!(
            error.ends_with("Nothing was judged; a plan comes from deckproof hands --write-plan."),
            "{error}"
        );
    }
}
