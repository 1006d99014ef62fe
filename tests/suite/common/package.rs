//! Report packages for tests: a small project, its laboratory, and packages in memory.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use deckproof::project::check::Shelf;
use deckproof::project::package::files::PackageFiles;
use deckproof::project::package::inputs::Inputs;
use deckproof::project::package::sums::Sums;
use deckproof::project::package::{SUMS, whole};
use serde_json::Value;

use crate::common::folder::{files, name_in};
use crate::common::lab::{KEY, Lab, Output};

/// What only people know and every report must have, but for the item; it follows the fields of `[report]`.
pub const FILLED: &str = "received = \"2024-11-01\"\nsampled_from = \"2024-11-02\"\nperformed_from = \"2024-11-03\"\n\
    [laboratory]\nname = \"A laboratory\"\naddress = \"1 Street\"\nlocations = [\"1 Street\"]\n\
    [customer]\nname = \"A customer\"\ncontact = \"c@example.org\"\n\
    [[person]]\nrole = \"authoriser\"\nname = \"A. Smith\"\n\
    [sampling]\nby = \"laboratory\"\nmethod = \"As the plan says.\"\n";

/// A red picture of 3 by 2 pixels.
pub const LOGO: &[u8] = include_bytes!("../../../fixtures/mark.png");

/// The same, with the laboratory's mark.
pub fn filled() -> String {
    FILLED.replace("[laboratory]\n", "[laboratory]\nlogo = \"mark.png\"\n")
}

/// A small project: one item, one table, raw output, a listed file, a result of others, the laboratory's mark.
pub fn project(source: &str, decks: u64) -> String {
    let filled = filled();
    format!(
        "format = \"deckproof/project/v1\"\nlanguage = \"en\"\nselftest = \"known-answers\"\n\
         [report]\nnumber = \"T-1\"\nissued = \"2024-11-22\"\n{filled}\
         [[item]]\nid = \"main\"\nname = \"A shuffler\"\ncondition = \"As received.\"\ndescription = \"It shuffles.\"\nsource = \"{source}\"\nfiles = [\"shuffler\"]\ndecks = {decks}\ntiers = [\"core\"]\n\
         raw_words = {}\n[[usage]]\nrules = [\"stud-hi\"]\nplayers = [7]\ndecks = 1000\n\
         [[external]]\nprovider = \"Another laboratory\"\nfile = \"other.txt\"\n",
        if source.starts_with("audit") { 100_000 } else { 0 }
    )
}

pub fn lab(project: &str) -> Lab {
    let lab = Lab::new();
    lab.write("project.toml", project);
    lab.write("shuffler", "the shuffler\n");
    lab.write("other.txt", "p = 0.5\n");
    lab.write("mark.png", LOGO);
    lab
}

pub fn certify(lab: &Lab, arguments: &[&str]) -> Output {
    lab.run(&[&["certify", "--project", "project.toml"], arguments].concat())
}

/// A finished package in a folder of its own, made once for all tests.
pub fn finished() -> &'static Lab {
    static LAB: OnceLock<Lab> = OnceLock::new();
    LAB.get_or_init(|| {
        let lab = lab(&project(&format!("audit:{KEY}"), 1_000));
        certify(&lab, &["--out", "out"]).ends(0).must_print("PASS: 2 audits, 0 not passed; revision 1");
        lab
    })
}

/// Runs ssh-keygen in the folder of a laboratory.
pub fn keygen(lab: &Lab, arguments: &[&str]) {
    let output = Command::new("ssh-keygen").args(arguments).current_dir(lab.path(".")).output();
    let output = output.expect("it is installed");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

/// A new key without a passphrase.
pub fn new_key(lab: &Lab, name: &str) {
    keygen(lab, &["-q", "-t", "ed25519", "-N", "", "-C", "", "-f", name]);
}

/// Signs a file as `certify` does.
pub fn sign(lab: &Lab, key: &str, file: &str) {
    keygen(lab, &["-q", "-Y", "sign", "-n", "deckproof-manifest", "-f", key, file]);
}

/// The data of the report in this folder.
pub fn report(lab: &Lab, out: &str) -> Value {
    lab.json(&format!("{out}/report.json"))
}

/// What stands on the first page, as text.
pub fn cover(report: &Value) -> String {
    report["document"]["cover"].to_string()
}

pub fn section<'a>(report: &'a Value, id: &str) -> &'a Value {
    let mut sections = report["document"]["sections"].as_array().expect("sections").iter();
    sections.find(|section| section["id"] == id).unwrap_or_else(|| panic!("no section {id}"))
}

/// The rows of the first table of a section, each cell as it is read.
pub fn rows(report: &Value, id: &str) -> Vec<Vec<String>> {
    let blocks = section(report, id)["blocks"].as_array().expect("blocks");
    let table = blocks.iter().find_map(|block| block.get("table")).expect("a table");
    let cell = |cell: &Value| cell["text"].as_str().or(cell["hash"].as_str()).unwrap_or("").to_owned();
    let rows = table["rows"].as_array().expect("rows").iter();
    rows.map(|row| row.as_array().expect("cells").iter().map(cell).collect()).collect()
}

/// Every file below a folder.
pub fn read_all(folder: &Path) -> PackageFiles {
    let read = |path: PathBuf| (name_in(folder, &path), fs::read(&path).expect("a file"));
    files(folder).into_iter().map(read).collect()
}

pub fn package_of(lab: &Lab, out: &str) -> PackageFiles {
    read_all(lab.path(out).as_ref())
}

/// A package in memory, without pages.
pub struct Memory(pub PackageFiles);

impl Shelf for Memory {
    fn names(&self) -> io::Result<Vec<String>> {
        Ok(self.0.keys().cloned().collect())
    }

    fn read(&self, name: &str, _: u64) -> io::Result<Vec<u8>> {
        self.0.get(name).cloned().ok_or_else(|| io::Error::from(io::ErrorKind::NotFound))
    }
}

/// With checksums that fit: what somebody does who may sign.
pub fn with_sums(mut files: PackageFiles) -> PackageFiles {
    files.remove(SUMS);
    let sums = Sums::of(&files).to_string();
    files.insert(SUMS.to_owned(), sums.into_bytes());
    files
}

/// Replaces a text in a file, which must be there.
pub fn replace(files: &mut PackageFiles, name: &str, from: &str, to: &str) {
    let text = String::from_utf8(files[name].clone()).expect("UTF-8");
    assert!(text.contains(from), "{name} holds no {from}");
    files.insert(name.to_owned(), text.replacen(from, to, 1).into_bytes());
}

/// Writes a package into the folder `out` of a laboratory.
pub fn write_package(lab: &Lab, files: &PackageFiles) {
    files.iter().for_each(|(name, bytes)| lab.write(&format!("out/{name}"), bytes));
}

/// A package as the folder `out` of a laboratory of its own.
pub fn folder_of(files: &PackageFiles) -> Lab {
    let lab = Lab::new();
    write_package(&lab, files);
    lab
}

/// What all of a package follows from.
pub fn inputs(files: PackageFiles) -> Inputs {
    let memory = Memory(files);
    Inputs::read(&|name| memory.read(name, 0), env!("DECKPROOF_COMMIT")).expect("its files are sound")
}

/// The package that follows from these inputs, without pages, which a test could not draw.
pub fn without_pages(mut inputs: Inputs) -> PackageFiles {
    inputs.runs.pages.clear();
    whole(&inputs, &[]).expect("no page is drawn").1
}

/// The finished package without pages.
pub fn bare() -> &'static PackageFiles {
    static FILES: OnceLock<PackageFiles> = OnceLock::new();
    FILES.get_or_init(|| {
        let files = package_of(finished(), "out");
        let bare = without_pages(inputs(files.clone()));
        // All but what names the pages is what the program wrote.
        let names_pages = [SUMS, "runs.json", "report.json"];
        let is_same = |(name, bytes): (&String, &Vec<u8>)| {
            names_pages.contains(&name.as_str()) || files[name] == *bytes
        };
        assert!(bare.iter().all(is_same));
        bare
    })
}
