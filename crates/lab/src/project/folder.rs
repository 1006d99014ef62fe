//! The folder of a package: what is there, what may be written, and in which order.

use std::fmt::Display;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::project::check::{SIGNATURE, Shelf};
use crate::project::facts::identity::{base_of, path_of_decks};
use crate::project::frozen::apart::check_counts;
use crate::project::frozen::{Frozen, FrozenSupplied};
use crate::project::package::files::{PackageFiles, pretty};
use crate::project::package::inputs::{Inputs, Runs, manifest_name};
use crate::project::package::sums::is_of_system;
use crate::project::package::{FILE_BYTES_MAX, SUMS};
use crate::project::raw::customer;
use crate::project::settings::Project;
use crate::project::settings::item::Item;
use deckproof_audit::certificate::Tool;
use deckproof_audit::manifest::Manifest;
use deckproof_deck::text::could_not_say::CouldNotSay;
use deckproof_files::file::lock::{PathLock, remove_temporaries};
use deckproof_files::file::{Access, if_there, own, read_text_limited, write_atomic};

/// What is kept while a project runs, and removed at its end.
pub const WORK: &str = ".work";

/// Files that are taken away before a package is written, for its next report may have none of them.
const MADE_ANEW: [&str; 9] = [
    SUMS, "counts.csv", "omitted.sha256", "report.pdf", "certificate.html", "certificate.md",
    "certificate.pdf", "annexes.html", "annexes.pdf",
];

/// Folders inside folders of a package, at most.
const DEPTH_MAX: usize = 4;

/// A folder on a disk, read only.
pub struct Disk(pub PathBuf);

impl Shelf for Disk {
    fn names(&self) -> io::Result<Vec<String>> {
        let mut names = Vec::new();
        list(&self.0, "", DEPTH_MAX, &mut names)?;
        names.retain(|name| !is_of_system(name));
        Ok(names)
    }

    fn read(&self, name: &str, bytes_max: u64) -> io::Result<Vec<u8>> {
        let path = self.0.join(name);
        // A link, a pipe or a device is no file of a package.
        if fs::symlink_metadata(&path)?.is_file() {
            own::read_limited(&path, bytes_max)
        } else {
            Err(io::Error::new(io::ErrorKind::InvalidInput, "found no plain file"))
        }
    }
}

fn list(folder: &Path, below: &str, depth: usize, names: &mut Vec<String>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let name = format!("{below}{}", entry.file_name().to_string_lossy());
        if entry.file_type()?.is_dir() && depth > 0 {
            list(&entry.path(), &format!("{name}/"), depth - 1, names)?;
        } else {
            names.push(name);
        }
    }
    Ok(())
}

/// What follows where two items have the same decks.
const NO_REPORT: &str = "No report was written: it would not be known which item these decks are of.";

/// A package that this process alone works on.
pub struct PackageFolder {
    /// Where it is.
    pub path: PathBuf,
    /// Whether nothing was in it when it was taken.
    was_empty: bool,
    /// Whether it was not there.
    was_missing: bool,
    _lock: PathLock,
}

impl PackageFolder {
    /// Takes the folder. A package that is signed is issued and stays as it is: it is taken only if it is finished, `to_pack` it.
    ///
    /// # Errors
    /// [`CouldNotSay`].
    pub fn take(path: &Path, to_pack: bool) -> Result<PackageFolder, CouldNotSay> {
        let above = path.parent().unwrap_or(Path::new("/"));
        fs::create_dir_all(above).map_err(|error| cannot_write(above, &error))?;
        let lock =
            PathLock::take(path).map_err(|error| CouldNotSay::new(error, "Wait until it has ended."))?;
        if path.join(SIGNATURE).exists() && !(to_pack && path.join(SUMS).exists()) {
            return Err(CouldNotSay::new(
                format!("{} is signed, and a signed report is not changed", path.display()),
                "Make a new revision with --amend PACKAGE --reason TEXT and another --out.",
            ));
        }
        let is_foreign = || fs::read_dir(path).is_ok_and(|mut files| files.next().is_some());
        if !path.join("plan.toml").exists() && !path.join(WORK).exists() && is_foreign() {
            return Err(CouldNotSay::new(
                format!("{} holds files, and no project of this program", path.display()),
                "Choose another --out.",
            ));
        }
        let (was_empty, was_missing) = (!is_foreign(), !path.exists());
        // A finished package gets no file more.
        if !path.join(SUMS).exists() {
            fs::create_dir_all(path.join(WORK)).map_err(|error| cannot_write(path, &error))?;
        }
        Ok(PackageFolder { path: path.to_owned(), was_empty, was_missing, _lock: lock })
    }

    /// Leaves nothing of a package that was begun in an empty folder and has not come to its checksums.
    ///
    /// # Errors
    /// [`CouldNotSay`]: a file that cannot be removed.
    pub fn give_up(&self) -> Result<(), CouldNotSay> {
        if !self.was_empty || self.has(SUMS) {
            return Ok(());
        }
        let failed = |error: io::Error| cannot_write(&self.path, &error);
        fs::remove_dir_all(&self.path).map_err(failed)?;
        if self.was_missing { Ok(()) } else { fs::create_dir(&self.path).map_err(failed) }
    }

    /// Whether a file is there.
    pub fn has(&self, name: &str) -> bool {
        self.path.join(name).exists()
    }

    /// Writes a file, whole or not at all.
    ///
    /// # Errors
    /// [`CouldNotSay`].
    pub fn write(&self, name: &str, bytes: &[u8]) -> Result<(), CouldNotSay> {
        let path = self.path.join(name);
        let folder = path.parent().unwrap_or(&self.path);
        fs::create_dir_all(folder)
            .and_then(|()| write_atomic(&path, bytes, Access::Public))
            .map_err(|error| cannot_write(&path, &error))
    }

    /// The frozen project: the one that is there, the one that is given, or a new one, which is written with the lists of
    /// the items' files before anything is drawn.
    ///
    /// # Errors
    /// [`CouldNotSay`]: a project of another project, or one that cannot be frozen.
    pub fn freeze(&self, project: &Project, given: Option<&Path>) -> Result<Frozen, CouldNotSay> {
        let own = self.path.join("plan.toml");
        let place = if own.exists() { Some(own.as_path()) } else { given };
        let manifests = match place {
            // Lists are taken once; whether the files are still the listed ones is asked at the end.
            Some(place) if place == own => Vec::new(),
            _ => manifests(project)?,
        };
        let frozen = match place {
            Some(place) => {
                let advice = "Carry out the project it was frozen for, or choose another --out.";
                let shown = place.display();
                let text = read_text_limited(place, FILE_BYTES_MAX).map_err(unusable(&shown, advice))?;
                let frozen = Frozen::parse(&text).map_err(unusable(&shown, advice))?;
                frozen.check_against(project).map_err(unusable(&shown, advice))?;
                frozen
            }
            None => {
                // Here alone: a package that was frozen before is read, continued and amended.
                if let Some((key, name)) = project.names_device() {
                    let found = format!(
                        "{key}: found {name:?}, which Windows takes for a device and cannot write as a file"
                    );
                    return Err(CouldNotSay::new(found, "Nothing was run. Choose another name."));
                }
                let supplied = supplied(project)?;
                Frozen::of(project, &manifests, supplied)
                    .map_err(|error| CouldNotSay::new(&error, &error.advice()))?
            }
        };
        frozen.check_apart(project).map_err(|error| CouldNotSay::new(error, NO_REPORT))?;
        check_packed(project, &manifests, &frozen)?;
        if place != Some(own.as_path()) {
            for (item, text) in &manifests {
                self.write(&manifest_name(item), text.as_bytes())?;
            }
            let text =
                frozen.to_toml().map_err(|error| CouldNotSay::new(error, "Use numbers below 2^63."))?;
            self.write("plan.toml", text.as_bytes())?;
        }
        Ok(frozen)
    }

    /// What happened so far, or the beginning of a project by this tool that ends in these pages.
    ///
    /// # Errors
    /// [`CouldNotSay`]: a file of runs that cannot be read.
    pub fn runs(&self, tool: Tool, pages: Vec<String>) -> Result<Runs, CouldNotSay> {
        let path = self.path.join("runs.json");
        let fresh = Runs::new(tool, pages);
        if !path.exists() {
            return Ok(fresh);
        }
        let bytes = read_back(&path)?;
        let runs: Runs = serde_json::from_slice(&bytes).map_err(unusable(&path.display(), ""))?;
        Ok(Runs { tool: fresh.tool, pages: fresh.pages, ..runs })
    }

    /// Writes down what happened.
    ///
    /// # Errors
    /// [`CouldNotSay`].
    pub fn write_runs(&self, runs: &Runs) -> Result<(), CouldNotSay> {
        self.write("runs.json", pretty(runs).as_bytes())
    }

    /// Everything that the package is made of, read back and checked; the items' files are the listed ones still.
    ///
    /// # Errors
    /// [`CouldNotSay`].
    pub fn inputs(&self, project: &Project, own_commit: &str) -> Result<Inputs, CouldNotSay> {
        let disk = Disk(self.path.clone());
        let inputs = Inputs::read(&|name| disk.read(name, FILE_BYTES_MAX), own_commit)
            .map_err(|error| CouldNotSay::new(error, "Remove this file to make it again."))?;
        check_counts(&inputs).map_err(|error| CouldNotSay::new(error, NO_REPORT))?;
        if inputs.amendments.is_empty() {
            for (files, manifest) in inputs.frozen.files.iter().zip(&inputs.manifests) {
                let item = project.item.iter().find(|item| item.id == files.item);
                let advice = "No report was written: it would not be known what was tested. Begin again with another --out.";
                check_unchanged(item.expect("the frozen plan is of this project"), manifest, advice)?;
            }
        }
        Ok(inputs)
    }

    /// Whether an item's files are the listed ones, before and after its decks are drawn.
    ///
    /// # Errors
    /// [`CouldNotSay`]: the first that is not.
    pub fn check_files(&self, item: &Item, advice: &str) -> Result<(), CouldNotSay> {
        if item.files.is_empty() {
            return Ok(());
        }
        let path = self.path.join(manifest_name(&item.id));
        let shown = path.display();
        let text = read_text_limited(&path, FILE_BYTES_MAX).map_err(unusable(&shown, ""))?;
        check_unchanged(item, &text.parse().map_err(unusable(&shown, ""))?, advice)
    }

    /// Writes the package, its checksums last, and removes what was kept for going on.
    ///
    /// # Errors
    /// [`CouldNotSay`]: a file that cannot be written, or one that does not belong here.
    pub fn publish(&self, files: &PackageFiles) -> Result<(), CouldNotSay> {
        let failed = |error: io::Error| cannot_write(&self.path, &error);
        // A run killed here leaves a folder without checksums, not one whose checksums are of another report.
        for name in MADE_ANEW {
            if_there(fs::remove_file(self.path.join(name))).map_err(failed)?;
        }
        // A run that was killed between writing a file and naming it left it beside its place.
        for name in files.keys().map(String::as_str).chain(MADE_ANEW) {
            remove_temporaries(&self.path.join(name));
        }
        for (name, bytes) in files.iter().filter(|(name, _)| *name != SUMS) {
            self.write(name, bytes)?;
        }
        fs::remove_dir_all(self.path.join(WORK)).map_err(failed)?;
        let names = Disk(self.path.clone()).names().map_err(failed)?;
        if let Some(name) = names.iter().find(|name| !files.contains_key(*name)) {
            return Err(CouldNotSay::new(
                format!("{} does not belong to the package", self.path.join(name).display()),
                "Move it away, and type the command again.",
            ));
        }
        self.write(SUMS, &files[SUMS])
    }
}

/// The lists of the files of the items that have some.
fn manifests(project: &Project) -> Result<Vec<(String, String)>, CouldNotSay> {
    let with_files = project.item.iter().filter(|item| !item.files.is_empty());
    let list = |item: &Item| {
        let paths: Vec<PathBuf> = item.files.iter().map(PathBuf::from).collect();
        let list = Manifest::of(base_of(item), &paths);
        let list = list.map_err(unusable(&files_of(item), "Nothing was run."))?;
        Ok((item.id.clone(), list.to_string()))
    };
    with_files.map(list).collect()
}

/// A packed copy of the decks has another hash than they, and identifies nothing either: that is seen only here, where the files are.
fn check_packed(
    project: &Project,
    manifests: &[(String, String)],
    frozen: &Frozen,
) -> Result<(), CouldNotSay> {
    let as_they_lie = frozen.audits.iter().filter_map(|audit| audit.plan.source.text("sha256").ok());
    let mut hashes: Vec<String> = as_they_lie.map(str::to_owned).collect();
    hashes.extend(project.item.iter().filter_map(|item| unpacked_sha256(Path::new(path_of_decks(item)))));
    for (id, text) in manifests {
        let (Some(item), Ok(manifest)) =
            (project.item.iter().find(|item| item.id == *id), text.parse::<Manifest>())
        else {
            continue;
        };
        let is_copy = |path: &str, sha256: &String| {
            let unpacked = || unpacked_sha256(&base_of(item).join(path));
            hashes.contains(sha256) || unpacked().is_some_and(|sha256| hashes.contains(&sha256))
        };
        let is_plain = |sha256: &String| {
            frozen.audits.iter().any(|audit| audit.plan.source.text("sha256").is_ok_and(|own| own == sha256))
        };
        let own = || manifest.files().iter().filter(|(_, identity)| identity.bytes > 0);
        if let Some((path, _)) = own().find(|(_, identity)| !is_plain(&identity.sha256))
            && own().all(|(path, identity)| is_copy(path, &identity.sha256))
        {
            return Err(CouldNotSay::new(
                format!(
                    "the files of the item {id}: {path} is the file of decks, packed or unpacked, and identifies nothing"
                ),
                "Nothing was run. List what made the decks, or leave files out: the report is then incomplete.",
            ));
        }
    }
    Ok(())
}

/// SHA-256 of what a gzip file holds; nothing of any other file.
fn unpacked_sha256(path: &Path) -> Option<String> {
    let file = customer::open(path).ok()??;
    customer::sha256_of(flate2::read::MultiGzDecoder::new(io::BufReader::new(file))).ok()
}

/// The hashes of the customer's files.
fn supplied(project: &Project) -> Result<Vec<FrozenSupplied>, CouldNotSay> {
    let hashed = project.supplied().map(|(item, holds, file)| {
        let advice = "Nothing was run.";
        let sha256 = customer::sha256_of(opened(file, advice)?).map_err(unusable(&file, advice))?;
        Ok(FrozenSupplied { item: item.to_owned(), holds, sha256 })
    });
    hashed.collect()
}

/// The customer's file, which has an end.
pub(super) fn opened(file: &str, advice: &str) -> Result<fs::File, CouldNotSay> {
    let opened = customer::open(Path::new(file)).map_err(unusable(&file, advice))?;
    opened.ok_or("found no regular file, wanted one that ends").map_err(unusable(&file, advice))
}

fn files_of(item: &Item) -> String {
    format!("the files of the item {}", item.id)
}

/// The files that were hashed before the first deck are there still; the advice is for where they are not.
fn check_unchanged(item: &Item, manifest: &Manifest, advice: &str) -> Result<(), CouldNotSay> {
    let files = files_of(item);
    let differences = manifest.differences(base_of(item)).map_err(unusable(&files, advice))?;
    differences.first().map_or(Ok(()), Err).map_err(unusable(&files, advice))
}

/// The bytes of a file of a package.
pub(super) fn read_back(path: &Path) -> Result<Vec<u8>, CouldNotSay> {
    own::read_limited(path, FILE_BYTES_MAX).map_err(unusable(&path.display(), ""))
}

/// That something cannot be used, why, and what follows.
pub(super) fn unusable<E: Display>(what: &impl Display, advice: &str) -> impl Fn(E) -> CouldNotSay {
    move |error| CouldNotSay::new(format!("{what}: {error}"), advice)
}

/// That a file or folder cannot be written.
pub fn cannot_write(path: &Path, error: &io::Error) -> CouldNotSay {
    CouldNotSay::new(format!("{} cannot be written: {error}", path.display()), "")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_that_a_killed_run_did_not_name_are_removed_and_foreign_ones_refused() {
        let above = tempfile::tempdir().expect("a folder");
        let folder = PackageFolder::take(&above.path().join("report-1"), false).expect("nobody has it");
        let files = PackageFiles::from(
            ["report.json", "certificates/a.json", SUMS]
                .map(|name| (name.to_owned(), name.as_bytes().to_vec())),
        );
        folder.publish(&files).expect("it is written");
        fs::create_dir(folder.path.join(WORK)).expect("the next run makes it");
        for left in ["report.json.4711.tmp", "certificates/a.json.12.tmp", "counts.csv.12.tmp"] {
            fs::write(folder.path.join(left), "half").expect("writable");
        }
        folder.publish(&files).expect("what is its own is removed");
        fs::write(folder.path.join(".DS_Store"), "of a file manager").expect("writable");
        let mut names = Disk(folder.path.clone()).names().expect("readable");
        names.sort();
        assert_eq!(names, [SUMS, "certificates/a.json", "report.json"]);
        fs::create_dir(folder.path.join(WORK)).expect("the next run makes it");
        fs::write(folder.path.join("notes.tmp"), "of somebody").expect("writable");
        let CouldNotSay(why) = folder.publish(&files).expect_err("somebody's file");
        assert!(why.contains("notes.tmp does not belong to the package"), "{why}");
    }
}
