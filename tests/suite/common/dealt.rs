//! Tables that were dealt: their bundles, made as an operator makes them.

use std::fs;
use std::path::Path;

use assert_cmd::Command;

/// Makes every bundle of every hand of a table, in its folder.
pub fn bundle_all(table: &Path) {
    let entries = fs::read_to_string(table.join("public/entries.txt")).expect("a table was dealt");
    let hands: Vec<&str> = entries.lines().filter_map(|line| line.strip_prefix("hand ")).collect();
    let mut command = Command::cargo_bin("deckproof").expect("the binary is built");
    let output =
        command.arg("bundle").arg(table).args(["--hand", &hands.join(",")]).output().expect("it runs");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
}
