//! Tables that were dealt: their bundles, made as an operator makes them.

use crate::common::lab::Lab;

/// Makes every bundle of every hand of a table, in its folder.
pub fn bundle_all(lab: &Lab, table: &str) {
    let entries = lab.text(&format!("{table}/public/entries.txt"));
    let hands: Vec<&str> = entries.lines().filter_map(|line| line.strip_prefix("hand ")).collect();
    lab.run(&["bundle", table, "--hand", &hands.join(",")]).ends(0);
}
