//! The memory of a process with keys: no core file, and no other process of the user reads it.
#![cfg(target_os = "linux")]

use std::fs;
use std::time::{Duration, Instant};

use crate::common::lab::Lab;

/// What the system says of a process that waits for a seed, and holds the keys of its hand.
#[test]
fn a_process_leaves_no_core_and_is_not_dumpable() {
    let lab = Lab::new();
    let said = lab.run(&[
        "seed",
        "--origin",
        "localhost/log1",
        "--table",
        "T",
        "--hand",
        "1",
        "--seat",
        "1",
        "--out",
        "seed",
    ]);
    let absent = format!("1:@{}", lab.path("absent"));
    let mut child = lab
        .command(&[
            "deal",
            "--table",
            "T",
            "--hands",
            "1",
            "--out",
            "T",
            "--mix",
            "players",
            "--wait",
            "60",
            "--seed-commit",
            said.out.trim(),
            "--seed",
            &absent,
        ])
        .spawn()
        .expect("it runs");
    let begun = Instant::now();
    while !lab.exists("T/public/entries.txt") {
        assert!(begun.elapsed() < Duration::from_secs(60), "it does not begin");
        std::thread::sleep(Duration::from_millis(20));
    }
    let place = format!("/proc/{}", child.id());
    let limits = fs::read_to_string(format!("{place}/limits"));
    // Where it may be read by us, the memory of a process belongs to whoever runs it; that of one that is not dumpable
    // belongs to root.
    let owner =
        fs::metadata(format!("{place}/environ")).map(|file| std::os::linux::fs::MetadataExt::st_uid(&file));
    child.kill().expect("it waits");
    child.wait().expect("it ends");
    let limits = limits.expect("readable");
    let core = limits.lines().find(|line| line.starts_with("Max core file size")).expect("a line");
    assert_eq!(core.split_whitespace().nth(4), Some("0"), "{core}");
    assert_eq!(owner.expect("readable"), 0);
}
