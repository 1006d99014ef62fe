//! What is written of published hands: the plan before they are had, and their certificate.

use std::fs;
use std::path::Path;

use deckproof_audit::hands::certificate::HandsCertificate;
use deckproof_audit::hands::plan::HandsPlan;
use deckproof_audit::session::folder::CERTIFICATE;
use deckproof_deck::text::could_not_say::CouldNotSay;
use deckproof_files::file::input::FileError;
use deckproof_files::file::{self, Access, own};

/// Writes a plan where no file is.
///
/// # Errors
/// [`CouldNotSay`]: something is there, or it cannot be written.
pub fn write_plan(path: &Path, plan: &HandsPlan) -> Result<(), CouldNotSay> {
    if path.exists() {
        let advice = "A plan is never overwritten; choose another file.";
        return Err(CouldNotSay::new(format!("{} exists", path.display()), advice));
    }
    file::write_atomic(path, plan.to_toml().as_bytes(), Access::Public)
        .map_err(|error| FileError::new(path, error).into())
}

/// Writes a certificate into a folder; the same one may stand there.
///
/// # Errors
/// [`CouldNotSay`]: another certificate is there, or it cannot be written.
pub fn write_certificate(folder: &Path, certificate: &HandsCertificate) -> Result<(), CouldNotSay> {
    let path = folder.join(CERTIFICATE);
    let json = certificate.to_json();
    if own::read_limited(&path, json.len() as u64).is_ok_and(|bytes| bytes == json.as_bytes()) {
        return Ok(());
    }
    if path.exists() {
        let reason = format!("{} is the certificate of another audit and is not overwritten", path.display());
        return Err(CouldNotSay::new(reason, "Choose another --out."));
    }
    fs::create_dir_all(folder)
        .and_then(|()| file::write_atomic(&path, json.as_bytes(), Access::Public))
        .map_err(|error| FileError::new(&path, error).into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use deckproof_audit::certificate::Tool;
    use deckproof_audit::hands::certificate::HandsResult;
    use deckproof_audit::hands::collection::Collection;

    #[test]
    fn plans_and_certificates_of_others_are_not_overwritten() {
        let folder = tempfile::tempdir().expect("a folder");
        let plan = folder.path().join("plan.toml");
        write_plan(&plan, &HandsPlan::usual()).expect("nothing stands there");
        let error = write_plan(&plan, &HandsPlan::usual()).expect_err("it stands there").to_string();
        assert!(error.ends_with("A plan is never overwritten; choose another file."), "{error}");

        let tool = |commit: &str| Tool {
            version: "1".to_owned(),
            commit: commit.to_owned(),
            executable_sha256: "00".repeat(32),
        };
        let of = |commit| HandsCertificate {
            tool: tool(commit),
            result: HandsResult::of_collection(&HandsPlan::usual(), Vec::new(), &Collection::default()),
        };
        let out = folder.path().join("out");
        write_certificate(&out, &of("a")).expect("a new folder");
        write_certificate(&out, &of("a")).expect("the same one");
        let error = write_certificate(&out, &of("b")).expect_err("another one").to_string();
        assert!(
            error.ends_with(
                "is the certificate of another audit and is not overwritten. Choose another --out."
            )
        );
        let kept = fs::read_to_string(out.join(CERTIFICATE)).expect("it is there");
        assert_eq!(kept, of("a").to_json());
    }
}
