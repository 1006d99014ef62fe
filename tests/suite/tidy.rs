//! The house rules as a test: imports go down the floors, every file has a room, every file says what it is for.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use crate::common::folder;

/// Room to its place in the table of `ARCHITECTURE.md`, the lowest first.
type Floors = BTreeMap<String, usize>;

/// Path below a crate's `src`, such as `stud/deal.rs`, to text. Rooms of all crates have different names; the top files of
/// a crate stand under its own, such as `deck.lib.rs`.
type Files = BTreeMap<String, String>;

/// The top of a crate, its map or its binary, belongs to no room.
fn is_top(path: &str) -> bool {
    !path.contains('/') && (path.ends_with("lib.rs") || path.ends_with("main.rs"))
}

/// Reads the rows "| `stud` | `stud` `rules` | … |" of the table of crates and rooms.
fn floors(table: &str) -> Floors {
    let mut floors = Floors::new();
    for row in table.lines().filter_map(|line| line.strip_prefix("| `")) {
        let Some(rooms) = row.split(" | ").nth(1) else { continue };
        for room in rooms.split('`').skip(1).step_by(2) {
            let floor = floors.len();
            assert_eq!(floors.insert(room.to_owned(), floor), None, "room {room} stands twice in the table");
        }
    }
    floors
}

/// `stud/deal.rs` belongs to `stud`.
fn room_of(path: &str) -> &str {
    path.split('/').next().unwrap_or(path).trim_end_matches(".rs")
}

/// Where a text names rooms: after `crate::` and after a crate of this workspace.
fn room_paths(code: &str) -> Vec<(usize, &str)> {
    let own = code.match_indices("crate::").map(|(at, found)| (at, &code[at + found.len()..]));
    let others = code.match_indices("deckproof_").filter_map(|(at, _)| {
        let name: usize =
            code[at..].chars().take_while(|c| c.is_alphanumeric() || *c == '_').map(char::len_utf8).sum();
        let rest = code[at + name..].strip_prefix("::")?;
        (&code[at..at + name] != "deckproof_predict").then_some((at, rest))
    });
    own.chain(others).collect()
}

/// The rooms a text names, also inside `crate::{…}`, with the line's number.
fn rooms_used(text: &str) -> Vec<(usize, String)> {
    // A comment imports nothing; a link in one may point anywhere.
    let code: Vec<&str> = text.lines().map(|line| line.split("//").next().unwrap_or("")).collect();
    let code = code.join("\n");
    let mut used = Vec::new();
    for (at, rest) in room_paths(&code) {
        let line = code[..at].lines().count().max(1);
        let names: Vec<String> = match rest.strip_prefix('{') {
            Some(group) => group.split('}').next().unwrap_or("").split(',').map(first_word).collect(),
            None => vec![first_word(rest)],
        };
        used.extend(names.into_iter().filter(|name| !name.is_empty()).map(|name| (line, name)));
    }
    used
}

fn first_word(text: &str) -> String {
    text.trim_start().chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect()
}

/// Imports that climb or stay on the same floor in another room.
fn climbing_imports(floors: &Floors, files: &Files) -> Vec<String> {
    let mut faults = Vec::new();
    for (path, text) in files.iter().filter(|(path, _)| !is_top(path)) {
        let room = room_of(path);
        let Some(floor) = floors.get(room) else { continue };
        for (line, used) in rooms_used(text) {
            match floors.get(&used) {
                _ if used == room => {}
                Some(below) if below < floor => {}
                Some(_) => faults
                    .push(format!("{path}:{line}: {room} uses {used}, which stands after it in the table")),
                None => faults.push(format!("{path}:{line}: {used} is no room of the table")),
            }
        }
    }
    faults
}

/// Files whose room is not in the table, and rooms of the table without a file.
fn files_without_room(floors: &Floors, files: &Files) -> Vec<String> {
    let rooms: BTreeSet<&str> = files.keys().filter(|path| !is_top(path)).map(|path| room_of(path)).collect();
    let homeless = files.keys().filter(|path| !is_top(path));
    let homeless = homeless.filter(|path| !floors.contains_key(room_of(path)));
    let homeless = homeless.map(|path| format!("{path}: no room of the table owns it"));
    let empty = floors.keys().filter(|room| !rooms.contains(room.as_str()));
    homeless.chain(empty.map(|room| format!("room {room} of the table has no file"))).collect()
}

/// Files that no chain of `mod` declarations reaches from the top of a crate.
fn orphans(files: &Files) -> Vec<String> {
    let mut reached: BTreeSet<String> = BTreeSet::new();
    let mut to_read: Vec<String> = files.keys().filter(|path| is_top(path)).cloned().collect();
    while let Some(path) = to_read.pop() {
        let Some(text) = files.get(&path) else { continue };
        if reached.insert(path.clone()) {
            let folder = if is_top(&path) { "" } else { path.trim_end_matches(".rs") };
            to_read.extend(modules(text).into_iter().map(|name| match folder {
                "" => format!("{name}.rs"),
                _ => format!("{folder}/{name}.rs"),
            }));
        }
    }
    let lost = files.keys().filter(|path| !reached.contains(*path));
    lost.map(|path| format!("{path}: no mod declaration leads here")).collect()
}

/// The names in `mod name;`, `pub mod name;`, `pub(crate) mod name;`.
fn modules(text: &str) -> Vec<String> {
    let declarations = text.lines().filter_map(|line| line.trim().strip_suffix(';'));
    let names = declarations.filter_map(|line| match line.split_once("mod ") {
        Some((before, name)) if before.is_empty() || before.starts_with("pub") => Some(name.trim()),
        _ => None,
    });
    names.filter(|name| name.chars().all(|c| c.is_alphanumeric() || c == '_')).map(str::to_owned).collect()
}

/// A file without its tests and comments.
fn plain_code(text: &str) -> String {
    let text = text.split("#[cfg(test)]\nmod tests").next().unwrap_or("");
    text.lines().map(|line| line.split("//").next().unwrap_or("")).collect::<Vec<_>>().join("\n")
}

/// What a text names after `crate::`, each name of a group by itself, as paths of words.
fn paths_used(code: &str) -> Vec<Vec<String>> {
    let mut paths = Vec::new();
    for (at, found) in code.match_indices("crate::") {
        let rest = &code[at + found.len()..];
        let is_word = |c: char| c.is_alphanumeric() || c == '_' || c == ':';
        let stem: String = rest.chars().take_while(|&c| is_word(c)).collect();
        let words = |text: &str| -> Vec<String> {
            text.split("::").map(first_word).filter(|word| !word.is_empty() && word != "self").collect()
        };
        match rest[stem.len()..].strip_prefix('{') {
            Some(group) if stem.is_empty() || stem.ends_with("::") => {
                let items = group.split('}').next().unwrap_or("").split(',');
                paths.extend(items.map(|item| [words(&stem), words(item)].concat()));
            }
            _ => paths.push(words(&stem)),
        }
    }
    paths
}

/// The files of its room that a file uses. Using the module it is part of is no way out of it.
fn files_used<'a>(path: &str, files: &'a Files) -> BTreeSet<&'a str> {
    let file_of = |words: &Vec<String>| {
        let stems = (1..=words.len()).rev().map(|length| format!("{}.rs", words[..length].join("/")));
        stems.filter_map(|stem| files.get_key_value(&stem)).map(|(path, _)| path.as_str()).next()
    };
    let is_other = |other: &&str| {
        let holds_it = path.starts_with(&format!("{}/", other.trim_end_matches(".rs")));
        *other != path && !holds_it && room_of(other) == room_of(path)
    };
    paths_used(&plain_code(&files[path])).iter().filter_map(file_of).filter(is_other).collect()
}

fn reached<'a>(uses: &BTreeMap<&'a str, BTreeSet<&'a str>>, from: &'a str) -> BTreeSet<&'a str> {
    let (mut seen, mut to_go) = (BTreeSet::new(), vec![from]);
    while let Some(path) = to_go.pop() {
        to_go.extend(uses[path].iter().filter(|&&next| seen.insert(next)));
    }
    seen
}

/// Files of one room that use each other round in a circle, each circle once.
fn circles(files: &Files) -> Vec<String> {
    let uses: BTreeMap<&str, BTreeSet<&str>> =
        files.keys().map(|path| (path.as_str(), files_used(path, files))).collect();
    let reach: BTreeMap<&str, BTreeSet<&str>> =
        uses.keys().map(|&path| (path, reached(&uses, path))).collect();
    let mut found = BTreeSet::new();
    for (&path, _) in reach.iter().filter(|(path, seen)| seen.contains(*path)) {
        let members = reach[path].iter().filter(|&&other| reach[other].contains(path));
        let members: Vec<&str> = members.copied().collect();
        found.insert(format!("{}: a circle of files", members.join(", ")));
    }
    found.into_iter().collect()
}

/// Manners every file keeps.
fn bad_manners(files: &Files) -> Vec<String> {
    let mut faults = Vec::new();
    for (path, text) in files {
        if path == "mod.rs" || path.ends_with("/mod.rs") {
            faults.push(format!("{path}: wanted x.rs beside x/"));
        }
        if !text.lines().next().is_some_and(|line| line.starts_with("//! ") && line.len() > 8) {
            faults.push(format!("{path}:1: wanted `//! ` and the file's purpose"));
        }
        for (number, line) in text.lines().enumerate() {
            let is_import =
                line.trim_start().starts_with("use ") || line.trim_start().starts_with("pub use ");
            // A test module may take everything from the module it tests.
            if is_import && line.contains('*') && line.trim() != "use super::*;" {
                faults.push(format!("{path}:{}: wanted named imports, no glob", number + 1));
            }
        }
    }
    faults
}

/// Words in a row that two texts may have in common.
const COMMON_WORDS: usize = 8;

/// Heads of statistics that say again what their `About` says: whom it follows, what it detects, or whole clauses of it.
fn abouts_said_twice(files: &Files) -> Vec<String> {
    let mut faults = Vec::new();
    for (path, text) in files.iter().filter(|(_, text)| text.contains("    source: \"")) {
        let head: Vec<&str> =
            text.lines().map_while(|line| line.strip_prefix("//!")).flat_map(str::split_whitespace).collect();
        let fields = ["null: \"", "source: \"", "detects: \""];
        let output: Vec<Vec<&str>> = fields
            .iter()
            .flat_map(|field| text.split(field).skip(1))
            .map(|rest| rest.split('"').next().unwrap_or_default())
            .map(|field| field.split_whitespace().filter(|word| *word != "\\").collect())
            .collect();
        for run in output.iter().flat_map(|field| field.windows(COMMON_WORDS)) {
            if head.windows(COMMON_WORDS).any(|words| words == run) {
                faults.push(format!("{path}:1: says \"{}\", as its About does", run.join(" ")));
                break;
            }
        }
        let years = |words: &[&str]| -> BTreeSet<String> {
            let digits = |word: &&str| word.chars().filter(char::is_ascii_digit).collect::<String>();
            let is_year = |year: &String| year.len() == 4 && ("1650".."2050").contains(&year.as_str());
            // A formula has more letters around its digits than a bracket.
            words.iter().filter(|word| word.len() <= 8).map(digits).filter(is_year).collect()
        };
        let cited: BTreeSet<String> = output.iter().flat_map(|field| years(field)).collect();
        if let Some(year) = years(&head).intersection(&cited).next() {
            faults.push(format!("{path}:1: cites a work of {year}, as its About does"));
        }
        if head.windows(2).any(|words| words == ["It", "sees"]) {
            faults.push(format!("{path}:1: says what it sees, as its About does"));
        }
    }
    faults
}

/// Public types of one name: a reader of `Table` could not tell which. The arguments of commands stay
/// inside `cli`, where each is the only one of its file.
fn types_of_one_name(files: &Files) -> Vec<String> {
    let mut places: BTreeMap<String, BTreeSet<&str>> = BTreeMap::new();
    for (path, text) in files.iter().filter(|(path, _)| room_of(path) != "cli") {
        for line in text.lines() {
            let words: Vec<&str> = line.split([' ', '<', '(', '{', ';', ':', '=']).collect();
            if let ["pub", "struct" | "enum" | "trait" | "type", name, ..] = words[..] {
                places.entry(name.to_owned()).or_default().insert(path);
            }
        }
    }
    let twice = places.into_iter().filter(|(_, places)| places.len() > 1);
    twice.map(|(name, places)| format!("{name} is public in {places:?}")).collect()
}

fn read_files(folder: &Path) -> Files {
    let files = folder::files(folder).into_iter().filter(|path| path.extension() == Some("rs".as_ref()));
    files
        .map(|path| (folder::name_in(folder, &path), fs::read_to_string(&path).expect("sources are UTF-8")))
        .collect()
}

/// The sources of all crates with rooms; `predict` is a crate without.
fn sources() -> Files {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files = read_files(&root.join("src"));
    let mut crates = 0;
    for entry in fs::read_dir(root.join("crates")).expect("crates are readable") {
        let folder = entry.expect("crates are readable").path();
        let name = folder.file_name().and_then(|name| name.to_str()).expect("names are UTF-8").to_owned();
        if name == "predict" {
            continue;
        }
        for (path, text) in read_files(&folder.join("src")) {
            let path = if is_top(&path) { format!("{name}.{path}") } else { path };
            assert_eq!(files.insert(path.clone(), text), None, "{path} is in two crates");
        }
        crates += 1;
    }
    assert!(files.len() > 600 && crates > 8, "{} files in {crates} crates", files.len());
    files
}

fn table() -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("ARCHITECTURE.md")).expect("it is there")
}

fn check_clean(faults: Vec<String>) {
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
}

#[test]
fn imports_go_down_the_floors() {
    let files = sources();
    check_clean(climbing_imports(&floors(&table()), &files));
}

#[test]
fn every_file_has_a_room_and_every_room_a_file() {
    let files = sources();
    check_clean(files_without_room(&floors(&table()), &files));
}

#[test]
fn every_file_is_reached_by_mod_declarations() {
    check_clean(orphans(&sources()));
}

#[test]
fn no_files_of_a_room_use_each_other_in_a_circle() {
    check_clean(circles(&sources()));
}

#[test]
fn every_file_keeps_its_manners() {
    check_clean(bad_manners(&sources()));
}

/// The files of this repository that a text names in code marks and that are not there; a name in capitals stands for any.
fn lost_files(page: &str, text: &str) -> Vec<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folders =
        ["crates/", "docs/", "fixtures/", "packaging/", "reports/", "schemas/", "src/", "tests/", "web/"];
    let named = text
        .split('`')
        .skip(1)
        .step_by(2)
        .filter(|name| folders.iter().any(|folder| name.starts_with(folder)));
    let plain = named.filter(|name| name.chars().all(|c| c.is_ascii_alphanumeric() || "/._-".contains(c)));
    let is_any = |name: &&str| {
        name.split(['/', '.']).any(|part| {
            part.len() > 1 && part.chars().all(|c| c.is_ascii_uppercase() || c == '_') && part != "README"
        })
    };
    plain
        .filter(|name| !is_any(name) && !root.join(name).exists())
        .map(|name| format!("{page}: {name} is not there"))
        .collect()
}

#[test]
fn every_file_that_a_page_names_is_there() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let tops =
        ["README.md", "CONTRIBUTING.md", "ARCHITECTURE.md", "DESIGN.md", "SECURITY.md", "fixtures/README.md"]
            .map(|name| root.join(name));
    let docs = fs::read_dir(root.join("docs"))
        .expect("the pages are there")
        .map(|entry| entry.expect("an entry").path());
    let pages = tops.into_iter().chain(docs.filter(|path| path.extension().is_some_and(|end| end == "md")));
    let read = |path: std::path::PathBuf| {
        lost_files(&path.display().to_string(), &fs::read_to_string(&path).expect("it is there"))
    };
    check_clean(pages.flat_map(read).collect());
    assert_eq!(
        lost_files("a", "`src/lib.rs`, `src/no.rs`, `crates/NAME/src/lib.rs`"),
        ["a: src/no.rs is not there"]
    );
}

#[test]
fn heads_of_statistics_do_not_say_again_what_their_about_says() {
    check_clean(abouts_said_twice(&sources()));
    let planted = |head: &str, source: &str| {
        let text = format!(
            "//! Cups: their tea.\n//!\n//! {head}\nstatic ABOUT: About = About {{\n    source: \"{source}\",\n}};\n"
        );
        abouts_said_twice(&Files::from([("cups.rs".to_owned(), text)]))
    };
    check_clean(planted("Each has 2601 leaves, says Knuth (1997).", "χ²(2601), bound by Hoeffding (1963)"));
    for (head, source) in [
        ("Bounds are those of Hoeffding (1963).", "bound by Hoeffding\n 1963"),
        ("Leaves. It sees milk.", "tea"),
        ("one two three four five six seven eight", "zero one two three \\\n    four five six seven eight"),
    ] {
        let faults = planted(head, source);
        assert!(faults.len() == 1 && faults[0].starts_with("cups.rs:1: "), "{head}: {faults:?}");
    }
}

#[test]
fn no_two_public_types_have_one_name() {
    check_clean(types_of_one_name(&sources()));
}

/// No file from outside is read whole whatever its length.
#[test]
fn no_file_of_the_program_is_read_without_a_limit() {
    for (path, text) in sources().iter().filter(|(path, _)| !path.ends_with("tests.rs")) {
        let code = text.split("#[cfg(test)]").next().unwrap_or("");
        for word in ["fs::read(", "fs::read_to_string("] {
            assert!(!code.contains(word), "{path}: {word}");
        }
    }
}

/// A merge that was not finished is seen by no compiler where it stands in prose.
#[test]
fn no_text_holds_the_marks_of_an_unfinished_merge() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folders = ["", "docs", "reports", "schemas", "tests/suite", "crates/report/src/document/words"]
        .map(|folder| root.join(folder));
    let there = folders.iter().filter(|folder| folder.is_dir());
    let entries = there.flat_map(|folder| fs::read_dir(folder).expect("readable"));
    let paths: Vec<_> =
        entries.map(|entry| entry.expect("an entry").path()).filter(|path| path.is_file()).collect();
    assert!(paths.len() > 60, "{} files", paths.len());
    let marks = ["<", ">", "|"].map(|mark| format!("{} ", mark.repeat(7)));
    for path in paths {
        let Ok(text) = fs::read_to_string(&path) else { continue };
        let found = text.lines().find(|line| marks.iter().any(|mark| line.starts_with(mark)));
        assert_eq!(found, None, "{}", path.display());
    }
}

/// A small house in which one thing can be spoiled at a time.
fn house() -> Files {
    let lib = "//! A house.\npub mod attic;\nmod hall;\nmod kitchen;\nmod cellar;\n";
    let files = [
        ("lib.rs", lib),
        ("main.rs", "//! The door.\nfn main() {}\n"),
        ("attic.rs", "//! The attic.\nmod box_of_hats;\nuse crate::hall::Door;\n"),
        ("attic/box_of_hats.rs", "//! Hats.\nuse crate::attic::Hook;\nuse crate::{cellar, kitchen::Oven};\n"),
        ("hall.rs", "//! The hall.\nuse crate::cellar::Wine;\n"),
        ("kitchen.rs", "//! The kitchen.\n"),
        ("cellar.rs", "//! The cellar.\n"),
    ];
    files.into_iter().map(|(path, text)| (path.to_owned(), text.to_owned())).collect()
}

fn all_faults(files: &Files) -> Vec<String> {
    let floors = floors("| `ground` | `cellar` `kitchen` `hall` | below |\n| `top` | `attic` | above |\n");
    let mut faults = climbing_imports(&floors, files);
    faults.extend(files_without_room(&floors, files));
    faults.extend(orphans(files));
    faults.extend(bad_manners(files));
    faults.extend(types_of_one_name(files));
    faults.extend(circles(files));
    faults
}

/// Spoils one file and expects exactly one fault, which names it.
fn check_planted(path: &str, text: &str, names: &str) {
    let mut files = house();
    files.insert(path.to_owned(), text.to_owned());
    let faults = all_faults(&files);
    assert!(faults.len() == 1 && faults[0].contains(names), "{path} {text:?}: {faults:?}");
}

#[test]
fn planted_faults_are_caught() {
    check_clean(all_faults(&house()));
    check_planted("cellar.rs", "//! The cellar.\nuse crate::attic::Hook;\n", "cellar.rs:2");
    check_planted("cellar.rs", "//! The cellar.\nuse deckproof_top::attic::Hook;\n", "cellar.rs:2");
    check_planted("kitchen.rs", "//! The kitchen.\nuse crate::hall::Door;\n", "kitchen.rs:2");
    check_planted("cellar.rs", "//! The cellar.\nfn f() { crate::hall::open(); }\n", "cellar.rs:2");
    check_planted("hall.rs", "//! The hall.\nuse crate::{cellar::Wine, attic};\n", "uses attic");
    check_planted(
        "hall.rs",
        "//! The hall.\nuse crate::{\n    cellar::Wine,\n    attic,\n};\n",
        "uses attic",
    );
    check_planted("hall.rs", "//! The hall.\nuse crate::Everything;\n", "Everything is no room");
    check_planted("attic/forgotten.rs", "//! Dust.\n", "no mod declaration");
    check_planted("hall.rs", "//! The hall.\nuse crate::cellar::*;\n", "no glob");
    check_planted("hall.rs", "use crate::cellar::Wine;\n", "hall.rs:1");
    check_planted("attic/box_of_hats.rs", "//!\n", "box_of_hats.rs:1");
    let mut files = house();
    files.insert("hall.rs".to_owned(), "//! The hall.\npub struct Lamp<'a>(&'a str);\n".to_owned());
    files.insert("cellar.rs".to_owned(), "//! The cellar.\npub enum Lamp {\n    Off,\n}\n".to_owned());
    let faults = all_faults(&files);
    assert!(faults.len() == 1 && faults[0].starts_with("Lamp is public in"), "{faults:?}");
    let mut files = house();
    files.insert("attic.rs".to_owned(), "//! The attic.\nmod box_of_hats;\nmod trunk;\n".to_owned());
    let hats = "//! Hats.\nuse crate::attic::{Hook, trunk::Lid};\n";
    files.insert("attic/box_of_hats.rs".to_owned(), hats.to_owned());
    files.insert("attic/trunk.rs".to_owned(), "//! A trunk.\n".to_owned());
    check_clean(all_faults(&files));
    let trunk = "//! A trunk.\nfn open() { crate::attic::box_of_hats::lift(); }\n";
    files.insert("attic/trunk.rs".to_owned(), trunk.to_owned());
    assert_eq!(all_faults(&files), ["attic/box_of_hats.rs, attic/trunk.rs: a circle of files"]);
    let tested = "//! A trunk.\n#[cfg(test)]\nmod tests {\n    use crate::attic::box_of_hats::Hat;\n}\n";
    files.insert("attic/trunk.rs".to_owned(), tested.to_owned());
    check_clean(all_faults(&files));
    let mut files = house();
    files.insert("shed.rs".to_owned(), "//! A shed.\n".to_owned());
    let faults = all_faults(&files);
    assert!(faults.iter().any(|fault| fault.contains("no room of the table owns it")), "{faults:?}");
    assert!(faults.iter().any(|fault| fault.contains("no mod declaration")), "{faults:?}");
    let mut files = house();
    files.remove("kitchen.rs");
    assert!(all_faults(&files).iter().any(|fault| fault.contains("room kitchen")));
}
