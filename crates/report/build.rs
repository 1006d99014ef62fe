//! Declares what there is to say, with `words!` and `groups!`, as the English file of words has it.

use std::fmt::Write;
use std::path::Path;
use std::{env, fs};

const ENGLISH: &str = "src/document/words/en.toml";

fn main() {
    println!("cargo:rerun-if-changed={ENGLISH}");
    let source = fs::read_to_string(ENGLISH).expect("the English file of words is there");
    let folder = env::var_os("OUT_DIR").expect("cargo names a folder");
    fs::write(Path::new(&folder).join("words.rs"), declared(&source)).expect("the folder can be written");
}

/// Every table but the first two, which are about the language, is a group, and every line of it a text, `name = "…"`, or
/// a sentence with what it is given, `"name(id, decks: number)" = "…"`.
fn declared(source: &str) -> String {
    let (mut declared, mut groups) = (String::new(), String::new());
    for table in source.split("\n[").skip(1) {
        let (group, lines) = table.split_once(']').expect("a table has a name");
        if ["language", "numbers"].contains(&group) {
            continue;
        }
        let name = format!("{}{}Words", group[..1].to_uppercase(), &group[1..]);
        let keys =
            lines.lines().filter(|line| !line.starts_with('#')).filter_map(|line| line.split_once(" = "));
        let texts: String = keys.map(|(key, _)| text(key.trim_matches('"')) + ", ").collect();
        let _ = writeln!(declared, "words! {{ {name} {{ {texts} }} }}");
        let _ = write!(groups, "{group}: {name}, ");
    }
    format!("{declared}groups! {{ {groups} }}\n")
}

/// A text of `words!`: a sentence is given texts where its name does not say otherwise.
fn text(key: &str) -> String {
    let Some((name, given)) = key.trim_end_matches(')').split_once('(') else { return key.to_owned() };
    let kind = |own: &str| if own.contains(':') { own.to_owned() } else { format!("{own}: text") };
    format!("{name}({})", given.split(", ").map(kind).collect::<Vec<_>>().join(", "))
}
