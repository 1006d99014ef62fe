//! Files with fixed names: what somebody laid there as a link or a pipe is neither followed nor waited for.
#![cfg(unix)]

use std::fs;
use std::os::unix::fs::symlink;
use std::path::PathBuf;

use crate::common::hands_log::{ORIGIN, hands};
use crate::common::lab::Lab;

const PRECIOUS: &str = "somebody's own words\n";

/// A place with a file that no command has to do with.
fn lab() -> Lab {
    let lab = Lab::new();
    lab.write("precious", PRECIOUS);
    lab
}

/// Lays a link to that file under a name.
fn lay_link(lab: &Lab, name: &str) {
    let link = PathBuf::from(lab.path(name));
    // What stands there must not be there before; a folder is made where there is none.
    let _ = fs::remove_file(&link);
    fs::create_dir_all(link.parent().expect("it has a folder")).expect("writable");
    symlink(lab.path("precious"), link).expect("a link");
}

fn check_refused(lab: &Lab, arguments: &[&str], name: &str) {
    let said = lab.run(arguments);
    let kept = fs::read_to_string(lab.path("precious")).expect("it is there");
    assert_eq!(kept, PRECIOUS, "{name} was followed");
    assert_ne!(said.code, 0, "{name}: {}{}", said.out, said.err);
    assert!(said.err.contains("symbolic link"), "{name}: {}{}", said.out, said.err);
}

#[test]
fn no_file_of_a_log_is_written_through_a_link() {
    for name in
        ["log/checkpoint.tmp", "log/checkpoint.lock", "log/tile/0/000.p/3", "log/tile/entries/000.p/3"]
    {
        let lab = lab();
        assert_eq!(lab.run(&["log", "init", "log", "--origin", ORIGIN, "--key", "log.key"]).code, 0);
        lab.write("entries", hands("T-1", 1).concat());
        lay_link(&lab, name);
        check_refused(&lab, &["log", "append", "log", "entries", "--key", "log.key"], name);
    }
    // The request for witnesses can be made again, so that its loss is no error; it is not written elsewhere.
    let lab = lab();
    assert_eq!(lab.run(&["log", "init", "log", "--origin", ORIGIN, "--key", "log.key"]).code, 0);
    lab.write("entries", hands("T-1", 1).concat());
    lay_link(&lab, "log/publication.tmp");
    assert_eq!(lab.run(&["log", "append", "log", "entries", "--key", "log.key"]).code, 0);
    assert_eq!(fs::read_to_string(lab.path("precious")).expect("it is there"), PRECIOUS);
}

#[test]
fn no_file_of_a_table_is_written_through_a_link() {
    let names =
        ["lock", "public/entries.txt", "public/transcripts.txt", "public/receipts.txt", "secret/hands.txt"];
    let more = ["secret/unfinished.tmp", "secret/state"];
    for name in names.iter().chain(&more) {
        let lab = lab();
        let deal = ["deal", "--table", "T-1", "--hands", "1", "--out", "T-1"];
        assert_eq!(lab.run(&deal).code, 0);
        lay_link(&lab, &format!("T-1/{name}"));
        check_refused(&lab, &[&deal[..], &["--continue"]].concat(), name);
    }
    // Where no table has begun, links that lie there are not taken for its files.
    for name in names {
        let lab = lab();
        lay_link(&lab, &format!("T-1/{name}"));
        check_refused(&lab, &["deal", "--table", "T-1", "--hands", "1", "--out", "T-1"], name);
    }
}

/// A pipe has no end, and opening it waits for the other side: this test would not end.
#[test]
fn pipes_are_refused_and_not_waited_for() {
    let make = |path: &str| {
        let _ = fs::remove_file(path);
        assert!(std::process::Command::new("mkfifo").arg(path).status().expect("mkfifo").success());
    };
    for name in ["log/checkpoint", "log/checkpoint.tmp", "log/checkpoint.lock"] {
        let lab = lab();
        assert_eq!(lab.run(&["log", "init", "log", "--origin", ORIGIN, "--key", "log.key"]).code, 0);
        lab.write("entries", hands("T-1", 1).concat());
        make(&lab.path(name));
        let said = lab.run(&["log", "append", "log", "entries", "--key", "log.key"]);
        assert!(said.code == 2 && said.err.contains("no regular file"), "{name}: {}{}", said.out, said.err);
    }
    for name in ["lock", "public/entries.txt", "secret/hands.txt", "secret/state", "secret/unfinished.tmp"] {
        let lab = lab();
        let deal = ["deal", "--table", "T-1", "--hands", "1", "--out", "T-1"];
        assert_eq!(lab.run(&deal).code, 0);
        make(&lab.path(&format!("T-1/{name}")));
        let said = lab.run(&[&deal[..], &["--continue"]].concat());
        assert!(said.code == 2 && said.err.contains("no regular file"), "{name}: {}{}", said.out, said.err);
    }
}
