//! Whether the files listed for an item say what made its decks: the decks themselves, words and pairs do not, nor does an empty file.

use std::path::{Component, Path, PathBuf};

use crate::project::frozen::FrozenAudit;
use crate::project::package::inputs::Inputs;
use crate::project::settings::item::Item;
use deckproof_audit::manifest::{Identity, Manifest};
use deckproof_audit::source::list::KINDS;

/// What the list of an item's files says of what made its decks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ItemFiles {
    /// No file is listed.
    None,
    /// Every listed file is empty, or is one whose decks, words or pairs were examined.
    OnlyData,
    /// Some file is something else.
    Some,
}

/// What the list of an item says.
pub fn item_files(inputs: &Inputs, item: &Item) -> ItemFiles {
    let Some(files) = inputs.list_of(&item.id).map(Manifest::files).filter(|files| !files.is_empty()) else {
        return ItemFiles::None;
    };
    let (hashes, paths) = (hashes_of_data(inputs), paths_of_data(inputs));
    // A copy under another name has the hash, and a file in a folder of decks has the path.
    let is_data = |path: &str, identity: &Identity| {
        let path = plain(&base_of(item).join(path));
        hashes.contains(&identity.sha256.as_str()) || paths.iter().any(|data| path.starts_with(data))
    };
    // Everybody has an empty file.
    if files.iter().all(|(path, identity)| identity.bytes == 0 || is_data(path, identity)) {
        ItemFiles::OnlyData
    } else {
        ItemFiles::Some
    }
}

/// The folder that the files of an item are relative to.
pub fn base_of(item: &Item) -> &Path {
    Path::new(item.base.as_deref().filter(|base| !base.is_empty()).unwrap_or("."))
}

/// Whether decks come from files.
pub fn is_recorded(audit: &FrozenAudit) -> bool {
    audit.plan.source.abilities().is_supplied && !audit.plan.source.is_stream()
}

/// The file or folder of recorded decks, as a project names it with the kind before it or without.
pub fn path_of_decks(item: &Item) -> &str {
    match item.source.split_once(':') {
        Some((name, path)) if KINDS.iter().any(|kind| kind.facts().name == name) => path,
        _ => &item.source,
    }
}

/// SHA-256 of whatever was examined.
fn hashes_of_data(inputs: &Inputs) -> Vec<&str> {
    let decks = inputs.certificates.iter().filter_map(|own| own.result.source.text("sha256").ok());
    let supplied = inputs.frozen.supplied.iter().map(|own| own.sha256.as_str());
    decks.chain(supplied).filter(|sha256| !sha256.is_empty()).collect()
}

/// Where it was: a folder of files has no hash that one of them could have.
fn paths_of_data(inputs: &Inputs) -> Vec<PathBuf> {
    let project = &inputs.project;
    let is_read =
        |item: &&Item| inputs.frozen.audits.iter().any(|audit| audit.item == item.id && is_recorded(audit));
    let decks = project.item.iter().filter(is_read).map(path_of_decks);
    let supplied = project.supplied().map(|(_, _, file)| file);
    decks.chain(supplied).map(|path| plain(Path::new(path))).collect()
}

/// A path without detours, by its text alone: a reader of the package has no such file.
pub fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir if matches!(plain.components().next_back(), Some(Component::Normal(_))) => {
                plain.pop();
            }
            part => plain.push(part),
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_compared_without_its_detours() {
        for (path, wanted) in [
            ("./customer.csv", "customer.csv"),
            ("files/../decks//a.csv", "decks/a.csv"),
            ("../decks/a.csv", "../decks/a.csv"),
            ("/srv/./a", "/srv/a"),
        ] {
            assert_eq!(plain(Path::new(path)), Path::new(wanted), "{path}");
        }
        // The folder of the project holds every file of it.
        assert!(plain(Path::new("./x")).starts_with(plain(Path::new("."))));
    }
}
