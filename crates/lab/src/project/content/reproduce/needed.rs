//! The files that a project names, which lie beside it where it is carried out again.

use std::path::{Component, Path};

use crate::project::facts::identity::{base_of, is_recorded, path_of_decks};
use crate::project::frozen::FrozenAudit;
use crate::project::logo::LOGO;
use crate::project::package::inputs::{Inputs, external_name, manifest_name};
use crate::project::settings::item::Item;
use crate::project::settings::supplied::SuppliedKind;
use crate::project::supplied::pairs::table_name;
use deckproof_audit::manifest::Manifest;
use deckproof_files::file::sha256;

/// Most files of an item that are named one by one.
const FILES_MAX: usize = 50;

/// A file that a project names.
pub(super) struct NeededFile {
    /// As the project names it, from its own folder on.
    name: String,
    /// What it is.
    about: String,
    /// SHA-256, or what has it.
    sha256: String,
    /// Where the package holds it, if it does.
    held: Option<String>,
}

impl NeededFile {
    fn new(name: &str, about: String, sha256: &str) -> NeededFile {
        let name = name.strip_prefix("./").unwrap_or(name).to_owned();
        NeededFile { name, about, sha256: sha256.to_owned(), held: None }
    }

    fn held_as(self, place: &str) -> NeededFile {
        NeededFile { held: Some(place.to_owned()), ..self }
    }

    /// What copies it from the package into the folder of the project; nothing is copied to places outside of it.
    pub(super) fn copied(&self) -> Option<String> {
        let held = self.held.as_ref()?;
        let path = Path::new(&self.name);
        if !path.components().all(|part| matches!(part, Component::Normal(_))) {
            return None;
        }
        let copy =
            format!("cp {} {}", typed(&format!("PACKAGE/{held}")), typed(&format!("CASE/{}", self.name)));
        Some(match path.parent().filter(|folder| *folder != Path::new("")) {
            Some(folder) => format!("mkdir -p {} && {copy}", typed(&format!("CASE/{}", folder.display()))),
            None => copy,
        })
    }

    /// Its name as it may stand in a comment.
    pub(super) fn quoted(&self) -> String {
        typed(&self.name)
    }

    /// Its row in the table.
    pub(super) fn row(&self) -> String {
        let held = self.held.as_ref().map_or(String::new(), |place| format!("; a copy is PACKAGE/{place}"));
        format!("| `{}` | {}{held} | {} |\n", self.name.replace('|', "\\|"), self.about, self.sha256)
    }
}

/// A word of a command; what is more than a plain name is quoted.
fn typed(word: &str) -> String {
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "-_./".contains(letter);
    if word.chars().all(is_plain) { word.to_owned() } else { format!("'{}'", word.replace('\'', "'\\''")) }
}

/// Every file that the project names, each once.
pub(super) fn needed(inputs: &Inputs) -> Vec<NeededFile> {
    let project = &inputs.project;
    let mut all: Vec<NeededFile> = project.item.iter().flat_map(|item| of_item(inputs, item)).collect();
    all.extend(project.external.iter().map(|own| {
        let place = external_name(own.name());
        let sha256 = inputs.external.get(&place).map_or(String::new(), sha256);
        NeededFile::new(&own.file, "a result of others".to_owned(), &sha256).held_as(&place)
    }));
    if let (Some(file), Some(bytes)) = (project.laboratory.logo(), &inputs.logo) {
        let logo = NeededFile::new(file, "the mark of the laboratory".to_owned(), &sha256(bytes));
        all.push(logo.held_as(LOGO));
    }
    // The project itself is copied anyway.
    let own = sha256(inputs.project_text.as_bytes());
    all.retain(|file| file.name != "project.toml" || file.sha256 != own);
    let mut names: Vec<String> = Vec::new();
    all.retain(|file| {
        let is_new = !names.contains(&file.name);
        names.push(file.name.clone());
        is_new
    });
    all
}

fn of_item(inputs: &Inputs, item: &Item) -> Vec<NeededFile> {
    let mut all = Vec::new();
    let id = &item.id;
    if let Some(audit) = inputs.frozen.audits.iter().find(|audit| audit.item == *id) {
        all.extend(decks(item, audit));
    }
    for (holds, file) in project_files(inputs, id) {
        let mut frozen = inputs.frozen.supplied.iter();
        let frozen = frozen.find(|own| own.item == *id && own.holds == holds);
        let sha256 = frozen.map_or("", |own| own.sha256.as_str());
        all.push(match holds {
            SuppliedKind::Words => NeededFile::new(file, format!("raw words of the item {id}"), sha256),
            SuppliedKind::Pairs => {
                let about = format!("words and decks of the item {id}");
                NeededFile::new(file, about, sha256).held_as(&table_name(id))
            }
        });
    }
    all.extend(inputs.list_of(id).into_iter().flat_map(|manifest| files(item, manifest)));
    all
}

fn project_files<'a>(inputs: &'a Inputs, id: &'a str) -> impl Iterator<Item = (SuppliedKind, &'a str)> {
    let own = inputs.project.supplied().filter(move |(item, _, _)| *item == id);
    own.map(|(_, holds, file)| (holds, file))
}

/// The file that the decks were read from, or the program that gave them.
fn decks(item: &Item, audit: &FrozenAudit) -> Option<NeededFile> {
    let (id, source) = (&item.id, &audit.plan.source);
    if is_recorded(audit) {
        let sha256 = source.shown("sha256").unwrap_or_default();
        return Some(match source.number_if_any("files").ok().flatten() {
            None => NeededFile::new(path_of_decks(item), format!("recorded decks of the item {id}"), &sha256),
            Some(files) => {
                let about = format!(
                    "a folder of {files} files with the recorded decks of the item {id}; the SHA-256 is that of their SHA-256, as \
                     bytes, in the order of their names"
                );
                NeededFile::new(path_of_decks(item), about, &sha256)
            }
        });
    }
    let program = audit.plan.program_sha256.as_ref()?;
    let about = format!(
        "what this command of the item {id} starts; the SHA-256 is that of the words of the command, and of no file that it starts; a \
         program that draws at random gives other decks"
    );
    Some(NeededFile::new(path_of_decks(item), about, program))
}

/// The listed files of an item; of many, their list.
fn files(item: &Item, manifest: &Manifest) -> Vec<NeededFile> {
    let id = &item.id;
    let name = |path: &str| base_of(item).join(path).to_string_lossy().into_owned();
    if manifest.files().len() > FILES_MAX {
        let about = format!("the {} files of the item {id}, below this folder", manifest.files().len());
        return vec![NeededFile::new(&name("."), about, &format!("in PACKAGE/{}", manifest_name(id)))];
    }
    let one = |(path, sha256): (&String, &String)| {
        NeededFile::new(&name(path), format!("a listed file of the item {id}"), sha256)
    };
    manifest.files().iter().map(|(path, identity)| one((path, &identity.sha256))).collect()
}
