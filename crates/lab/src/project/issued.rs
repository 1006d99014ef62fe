//! A package that is whole goes out: signed, and as one file.

use std::path::{Path, PathBuf};

use crate::project::archive::write;
use crate::project::check::SIGNATURE;
use crate::project::folder::cannot_write;
use crate::project::package::files::PackageFiles;
use deckproof_audit::manifest::signature;
use deckproof_deck::text::could_not_say::CouldNotSay;
use deckproof_files::file::lock::remove_temporaries;
use deckproof_files::file::{Access, TEXT_BYTES_MAX, own, write_atomic};
use deckproof_report::document::words::CampaignWords;

/// The package and its signature, if it has one, as one file beside the folder.
///
/// # Errors
/// [`CouldNotSay`]: it cannot be written.
pub fn pack(out: &Path, mut files: PackageFiles, words: &CampaignWords) -> Result<String, CouldNotSay> {
    let failed = |error: &dyn std::fmt::Display| {
        CouldNotSay::new(format!("{}: {error}", out.display()), "The folder is whole.")
    };
    let signature = out.join(SIGNATURE);
    if signature.exists() {
        let bytes = own::read_limited(&signature, TEXT_BYTES_MAX).map_err(|error| failed(&error))?;
        files.insert(SIGNATURE.to_owned(), bytes);
    }
    let mut name = out.as_os_str().to_owned();
    name.push(".zip");
    let path = PathBuf::from(name);
    let bytes = write(&files).map_err(|error| failed(&error))?;
    remove_temporaries(&path);
    write_atomic(&path, &bytes, Access::Public).map_err(|error| cannot_write(&path, &error))?;
    Ok(words.packed(&path.display().to_string(), bytes.len() as u64))
}

/// Has OpenSSH sign the checksums, or says how.
///
/// # Errors
/// [`CouldNotSay`]: it did not sign.
pub fn sign(sums: &Path, key: Option<&Path>, words: &CampaignWords) -> Result<String, CouldNotSay> {
    let signature = signature::file_of(sums);
    let Some(key) = key else {
        return Ok(words.not_signed(signature::NAMESPACE, &sums.display().to_string()));
    };
    let failed = |what: String| CouldNotSay::new(what, "The package is whole, and not signed.");
    let status = signature::sign(sums, key).map_err(|error| failed(error.to_string()))?;
    if status.success() {
        Ok(words.signed(&signature.display().to_string(), signature::NAMESPACE))
    } else {
        Err(failed(format!("ssh-keygen did not sign ({status})")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use deckproof_report::document::words::Language;

    fn english() -> &'static CampaignWords {
        &Language::English.words().campaign
    }

    #[test]
    fn one_file_holds_the_package_and_its_signature() {
        let folder = tempfile::tempdir().expect("a folder");
        let out = folder.path().join("report-1");
        std::fs::create_dir(&out).expect("a new folder");
        let files = PackageFiles::from([("report.json".to_owned(), b"{}".to_vec())]);
        let sentence = pack(&out, files.clone(), english()).expect("it is written");
        let unsigned = std::fs::read(folder.path().join("report-1.zip")).expect("beside the folder");
        assert!(sentence.contains("report-1.zip, ") && sentence.ends_with(" bytes."), "{sentence}");
        std::fs::write(out.join(SIGNATURE), "a signature").expect("a file");
        pack(&out, files, english()).expect("it is written");
        let signed = std::fs::read(folder.path().join("report-1.zip")).expect("beside the folder");
        let holds = |bytes: &[u8]| bytes.windows(SIGNATURE.len()).any(|some| some == SIGNATURE.as_bytes());
        assert!(holds(&signed) && !holds(&unsigned));
    }

    #[test]
    fn a_package_that_is_not_signed_says_how_it_is() {
        let sentence = sign(Path::new("out/SHA256SUMS"), None, english()).expect("nobody is asked");
        assert_eq!(
            sentence,
            "Not signed. To sign: ssh-keygen -Y sign -n deckproof-manifest -f KEY out/SHA256SUMS"
        );
    }
}
