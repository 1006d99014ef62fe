//! The folder of an audit's results: taken before the first deck, filled whole or not at all, and never with the results of
//! two audits.
//!
//! Order of durable writes: the report, then the certificate. A certificate is there only with its report, and a run that
//! is killed between the two writes both again.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::certificate::{Certificate, LIMITS};
use deckproof_files::file::lock::{LockError, PathLock, remove_temporaries};
use deckproof_files::file::{Access, Prepared, own, sha256};

/// The certificate, in the folder.
pub const CERTIFICATE: &str = "certificate.json";

/// Its page, in the folder.
pub const REPORT: &str = "report.html";

/// Why results cannot be written.
#[derive(Debug, thiserror::Error)]
pub enum ResultFolderError {
    /// Another kind of file has its name.
    #[error("{} is no folder", .0.display())]
    NoFolder(PathBuf),
    /// The operating system's word.
    #[error("{} cannot be written: {error}", .path.display())]
    Write {
        /// The file or folder.
        path: PathBuf,
        /// What happened.
        error: io::Error,
    },
    /// Results of something else are never overwritten.
    #[error("{} is the certificate of another audit and is not overwritten", .0.display())]
    OtherCertificate(PathBuf),
    /// Another run fills it.
    #[error(transparent)]
    Lock(#[from] LockError),
}

fn failed(path: &Path) -> impl FnOnce(io::Error) -> ResultFolderError {
    let path = path.to_owned();
    |error| ResultFolderError::Write { path, error }
}

/// A folder of results that no other run fills meanwhile. What was made for the lock alone goes with it.
#[derive(Debug)]
pub struct ResultFolder {
    lock: Option<PathLock>,
    made: Vec<PathBuf>,
}

impl ResultFolder {
    /// Takes the folder for a run of the plan, and refuses before a long run what would be refused after it.
    ///
    /// # Errors
    /// [`ResultFolderError`]: a folder that another run is to fill, that cannot be written, or that holds another audit.
    pub fn take(folder: &Path, plan_sha256: &str) -> Result<ResultFolder, ResultFolderError> {
        check_writable(folder)?;
        // `out/` and `out` are one folder, and a lock lies beside it, so that nothing foreign is in it.
        let folder: PathBuf = folder.components().collect();
        let above = folder.parent().unwrap_or(Path::new(""));
        let mut taken = ResultFolder { lock: None, made: missing_folders(above) };
        fs::create_dir_all(above).map_err(failed(above))?;
        taken.lock = Some(PathLock::take(&folder)?);
        [CERTIFICATE, REPORT].iter().for_each(|name| remove_temporaries(&folder.join(name)));
        let path = folder.join(CERTIFICATE);
        match own::read_limited(&path, LIMITS.bytes_max as u64) {
            Ok(bytes) if !String::from_utf8_lossy(&bytes).contains(plan_sha256) => {
                Err(ResultFolderError::OtherCertificate(path))
            }
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                Err(ResultFolderError::OtherCertificate(path))
            }
            _ => Ok(taken),
        }
    }
}

impl Drop for ResultFolder {
    fn drop(&mut self) {
        drop(self.lock.take());
        // Folders that hold something stay.
        self.made.iter().for_each(|folder| drop(fs::remove_dir(folder)));
    }
}

/// Makes the folder and a file in it, and takes away again what was not there before.
///
/// # Errors
/// [`ResultFolderError`]: it is no folder, or nothing can be written there.
pub fn check_writable(folder: &Path) -> Result<(), ResultFolderError> {
    if folder.exists() && !folder.is_dir() {
        return Err(ResultFolderError::NoFolder(folder.to_owned()));
    }
    remove_trials(folder);
    let missing = missing_folders(folder);
    let trial = folder.join(format!("{TRIAL}{}", std::process::id()));
    let tried = fs::create_dir_all(folder).and_then(|()| fs::File::create_new(&trial).map(drop));
    // Only tidying up: what matters is whether writing worked.
    let _ = fs::remove_file(&trial);
    missing.into_iter().for_each(|made| drop(fs::remove_dir(made)));
    tried.map_err(failed(folder))
}

/// How a file is named that is made to see whether one can be, and its process.
const TRIAL: &str = ".deckproof-";

/// Removes the empty files that killed runs left of this; who makes one just now does not miss it.
fn remove_trials(folder: &Path) {
    let is_trial = |name: &str| {
        let process = name.strip_prefix(TRIAL);
        process.is_some_and(|digits| !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()))
    };
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let is_empty = entry.metadata().is_ok_and(|file| file.is_file() && file.len() == 0);
        if is_empty && entry.file_name().to_str().is_some_and(is_trial) {
            // Only tidying up.
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// The folders of a path that are not there, the innermost first.
fn missing_folders(folder: &Path) -> Vec<PathBuf> {
    let is_missing = |path: &&Path| !path.as_os_str().is_empty() && !path.exists();
    folder.ancestors().take_while(is_missing).map(Path::to_owned).collect()
}

/// A certificate put into text, which takes as long as to lay out its page.
pub struct CertificateText {
    json: String,
    access: Access,
    /// SHA-256 of the text, as people compare it.
    pub sha256: String,
}

impl CertificateText {
    /// The bytes of `certificate.json`.
    pub fn of(certificate: &Certificate) -> CertificateText {
        let json = certificate.to_json();
        let (sha256, access) = (sha256(json.as_bytes()), certificate.result.plan.source.access());
        CertificateText { json, access, sha256 }
    }
}

/// Writes a certificate with its page, which is laid out while the certificate is made durable. The same certificate
/// again changes nothing but the page.
///
/// # Errors
/// [`ResultFolderError`]; nothing is then left half-written, and no page without its certificate in a new folder.
pub fn write_results(
    folder: &Path,
    certificate: &CertificateText,
    page: impl FnOnce() -> String + Send,
) -> Result<(), ResultFolderError> {
    let path = folder.join(CERTIFICATE);
    let CertificateText { json, access, .. } = certificate;
    match own::read_limited(&path, LIMITS.bytes_max as u64) {
        Ok(bytes) if bytes != json.as_bytes() => return Err(ResultFolderError::OtherCertificate(path)),
        // What is too long to be read is no certificate of this audit either.
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            return Err(ResultFolderError::OtherCertificate(path));
        }
        _ => {}
    }
    let is_new = !folder.exists();
    fs::create_dir_all(folder).map_err(failed(folder))?;
    let report = folder.join(REPORT);
    // Disks take their time: both are made durable at once, and only then named, one after the other.
    let (page, certificate) = rayon::join(
        || Prepared::write(&report, page().as_bytes(), Access::Public).map_err(failed(&report)),
        || Prepared::write(&path, json.as_bytes(), *access).map_err(failed(&path)),
    );
    let written = page.and_then(|page| {
        let certificate = certificate?;
        page.put().map_err(failed(&report))?;
        certificate.put().map_err(failed(&path))
    });
    if written.is_err() && is_new {
        // The error says what matters; a report without its certificate would only mislead. Nothing else in
        // the folder is ours, and a folder that holds anything else stays.
        let _ = fs::remove_file(&report);
        let _ = fs::remove_dir(folder);
    }
    written
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_killed_run_left_of_its_trial_is_removed_and_nothing_else() {
        let folder = tempfile::tempdir().expect("a folder");
        let others = [".deckproof-", ".deckproof-12a", "deckproof-12"];
        for name in [".deckproof-12", ".deckproof-4711"].iter().chain(&others) {
            fs::write(folder.path().join(name), "").expect("writable");
        }
        fs::write(folder.path().join(".deckproof-13"), "of somebody").expect("writable");
        check_writable(folder.path()).expect("it can be written");
        assert_eq!(fs::read_dir(folder.path()).expect("readable").count(), others.len() + 1);
    }
}
