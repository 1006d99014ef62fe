//! The memory of a process with keys: no core file, and no other process of the user reads it.
#![cfg(target_os = "linux")]

use std::fs;
use std::os::linux::fs::MetadataExt;
use std::os::unix::process::CommandExt;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use rustix::process::{Resource, Rlimit, getrlimit, getuid, setrlimit};

use crate::common::lab::{Lab, binary};

/// A user who is not root, where the tests are run by root: to root everything of any process belongs.
const NOBODY: u32 = 65_534;

/// Lets processes write cores, as far as the system allows it; else this test would see no difference.
fn allow_cores() {
    let Rlimit { maximum, .. } = getrlimit(Resource::Core);
    let all = Rlimit { current: None, maximum: None };
    if setrlimit(Resource::Core, all).is_err() {
        setrlimit(Resource::Core, Rlimit { current: maximum, maximum }).expect("up to the hard limit");
    }
}

/// The program, run by a user who is not root.
fn command(lab: &Lab, is_root: bool, arguments: &[&str]) -> Command {
    let mut command = Command::new(lab.path("deckproof"));
    command.args(arguments).current_dir(lab.path("")).stdout(Stdio::piped()).stderr(Stdio::null());
    if is_root {
        command.uid(NOBODY).gid(NOBODY);
    }
    command
}

/// What the system says of a process that waits for a seed, and holds the keys of its hand.
#[test]
fn a_process_leaves_no_core_and_is_not_dumpable() {
    allow_cores();
    let lab = Lab::new();
    let is_root = getuid().is_root();
    fs::copy(binary(), lab.path("deckproof")).expect("it fits");
    if is_root {
        std::os::unix::fs::chown(lab.path(""), Some(NOBODY), Some(NOBODY)).expect("root may");
    }
    let log = "localhost/log1";
    let seed = ["seed", "--origin", log, "--table", "T", "--hand", "1", "--seat", "1", "--out", "seed"];
    let output = command(&lab, is_root, &seed).output().expect("it runs");
    let commit = String::from_utf8(output.stdout).expect("UTF-8");
    let deal = ["deal", "--table", "T", "--hands", "1", "--out", "T", "--mix", "players", "--wait", "60"];
    let cut = ["--seed-commit", commit.trim(), "--seed", "1:@absent"];
    let mut child = command(&lab, is_root, &[&deal[..], &cut].concat()).spawn().expect("it runs");
    let begun = Instant::now();
    while !lab.exists("T/public/entries.txt") {
        assert!(begun.elapsed() < Duration::from_secs(60), "it does not begin");
        std::thread::sleep(Duration::from_millis(20));
    }
    let place = format!("/proc/{}", child.id());
    let limits = fs::read_to_string(format!("{place}/limits"));
    // What the system shows of a process belongs to whoever runs it, and to root if that is not dumpable.
    let owner = fs::metadata(format!("{place}/environ")).map(|file| file.st_uid());
    child.kill().expect("it waits");
    child.wait().expect("it ends");
    let limits = limits.expect("readable");
    let core = limits.lines().find(|line| line.starts_with("Max core file size")).expect("a line");
    assert_eq!(core.split_whitespace().nth(4), Some("0"), "{core}");
    assert_eq!(owner.expect("readable"), 0);
}
