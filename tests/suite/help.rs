//! What a newcomer asks first: help, version, completions, manual pages; and what a library user takes along.

use std::collections::BTreeSet;
use std::fs;
use std::process::Command;

use crate::common::lab::{Lab, deckproof};

fn commands() -> Vec<String> {
    let command = deckproof::cli::command();
    let names: Vec<String> = command.get_subcommands().map(|sub| sub.get_name().to_owned()).collect();
    assert!(names.len() >= 14, "{names:?}");
    names
}

#[test]
fn every_help_tells_the_exit_codes_once() {
    let mut helps = vec![deckproof(&["--help"])];
    helps.extend(commands().iter().map(|name| deckproof(&[name, "--help"])));
    helps.extend(commands().iter().map(|name| deckproof(&[name, "-h"])));
    for help in helps {
        let help = help.ends(0).out;
        assert_eq!(help.matches("Exit codes: 0 ").count(), 1, "{help}");
    }
}

#[test]
fn the_version_names_the_commit() {
    let version = deckproof(&["--version"]).ends(0).out;
    let first = version.lines().next().unwrap_or_default();
    let commit = first.strip_prefix("deckproof 0.1.0 (commit ").and_then(|rest| rest.strip_suffix(')'));
    let commit = commit.unwrap_or_else(|| panic!("{version}"));
    let hash = commit.trim_end_matches("-dirty");
    let is_hash = hash.len() == 40 && hash.bytes().all(|byte| byte.is_ascii_hexdigit());
    assert!(is_hash || hash == "unknown", "{version}");
}

#[test]
fn every_shell_gets_completions_of_every_command() {
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let script = deckproof(&["completions", shell]).ends(0).out;
        let missing: Vec<String> = commands().into_iter().filter(|name| !script.contains(name)).collect();
        assert!(missing.iter().all(|name| name == "man"), "{shell}: {missing:?}");
        assert!(script.contains("checkpoint"), "{shell}");
    }
    deckproof(&["completions", "no-such-shell"]).ends(2);
}

/// `docs/commands.md` is written by `deckproof man --reference > docs/commands.md`.
#[test]
fn the_page_of_commands_is_what_the_program_prints() {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/commands.md");
    let page = fs::read_to_string(path).expect("it is there");
    let printed = deckproof(&["man", "--reference"]).ends(0).out;
    let differs = page.lines().zip(printed.lines()).find(|(one, other)| one != other);
    assert!(page == printed, "deckproof man --reference > docs/commands.md writes it anew: {differs:?}");
    for name in commands() {
        assert!(name == "help" || page.contains(&format!("\n## deckproof {name}\n")), "{name}");
    }
}

#[test]
fn a_manual_page_is_written_for_every_command() {
    let lab = Lab::new();
    lab.run(&["man", "--out", "man1"]).ends(0);
    for name in commands().iter().filter(|name| *name != "man") {
        let page = lab.text(&format!("man1/deckproof-{name}.1"));
        assert!(page.contains(".TH") && page.contains("Exit codes"), "{name}");
    }
    assert!(lab.exists("man1/deckproof.1"));
}

/// The crates that only a terminal or a page needs.
const NOT_FOR_LIBRARIES: [&str; 7] =
    ["clap", "clap_complete", "clap_mangen", "indicatif", "comfy-table", "askama", "zip"];

fn dependencies(arguments: &[&str]) -> Vec<String> {
    let mut command = Command::new(env!("CARGO"));
    command.current_dir(env!("CARGO_MANIFEST_DIR"));
    command.args(["tree", "--locked", "--prefix", "none", "--format", "{p}"]).args(arguments);
    let output = command.output().expect("cargo runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let tree = String::from_utf8(output.stdout).expect("names are UTF-8");
    tree.lines().filter_map(|line| line.split(' ').next()).map(str::to_owned).collect()
}

#[test]
fn a_library_user_takes_no_terminal_along() {
    let (with, without) = (
        dependencies(&["-p", "deckproof", "--edges", "normal"]),
        dependencies(&["-p", "deckproof", "--no-default-features", "--edges", "normal"]),
    );
    assert!(without.contains(&"chacha20".to_owned()) && without.contains(&"sha2".to_owned()));
    for name in NOT_FOR_LIBRARIES {
        assert!(with.iter().any(|dependency| dependency == name), "{name} is nowhere: the list is old");
        assert!(!without.iter().any(|dependency| dependency == name), "the library needs {name}");
    }
}

/// The README's first command is `cargo run --release -- audit`, in a workspace with other things that can be run.
#[test]
fn cargo_run_means_the_program() {
    let output = Command::new(env!("CARGO"))
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .args(["metadata", "--locked", "--no-deps", "--format-version", "1"])
        .output()
        .expect("cargo runs");
    let metadata: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let packages = metadata["packages"].as_array().expect("packages");
    let defaults: Vec<&serde_json::Value> =
        packages.iter().map(|package| &package["default_run"]).filter(|name| !name.is_null()).collect();
    assert_eq!(defaults, ["deckproof"]);
}

/// An auditor of a hand compiles a reader of texts: no C, no files, no clock, no threads, no random numbers, no compressed data, no database.
#[test]
fn the_crate_of_an_auditor_takes_no_c_and_no_files_along() {
    let verify = dependencies(&["-p", "deckproof-verify", "--edges", "normal,build"]);
    assert!(verify.contains(&"sha2".to_owned()) && verify.contains(&"ed25519-dalek".to_owned()));
    let others =
        ["blst", "cc", "deckproof-files", "flate2", "getrandom", "jiff", "rayon", "rusqlite", "rustix"];
    for name in NOT_FOR_LIBRARIES.iter().chain(&others) {
        assert!(!verify.iter().any(|dependency| dependency == name), "the crate of an auditor needs {name}");
    }
    let linked = dependencies(&["-p", "deckproof-verify", "--edges", "normal,no-proc-macro"]);
    let (all, linked): (BTreeSet<_>, BTreeSet<_>) = (verify.iter().collect(), linked.iter().collect());
    assert!(linked.len() <= 30, "{} crates are linked: {linked:?}", linked.len());
    assert!(all.len() <= 40, "{} crates are compiled: {all:?}", all.len());
}
