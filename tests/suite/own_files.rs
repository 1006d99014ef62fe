//! Files with fixed names: what somebody laid there as a link or a pipe is neither followed nor waited for.
#![cfg(unix)]

use std::fs;
use std::os::unix::fs::symlink;
use std::path::PathBuf;

use crate::common::hands_log::{ORIGIN, hands};
use crate::common::lab::{Lab, Output, deck, index_line};

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
    let output = lab.run(arguments);
    let kept = lab.text("precious");
    assert_eq!(kept, PRECIOUS, "{name} was followed");
    assert_ne!(output.code, 0, "{name}: {output}");
    assert!(output.warns("symbolic link"), "{name}: {output}");
}

#[test]
fn no_file_of_a_log_is_written_through_a_link() {
    for name in
        ["log/checkpoint.tmp", "log/checkpoint.lock", "log/tile/0/000.p/3", "log/tile/entries/000.p/3"]
    {
        let lab = lab();
        lab.run(&["log", "init", "log", "--origin", ORIGIN, "--key", "log.key"]).ends(0);
        lab.write("entries", hands("T-1", 1).concat());
        lay_link(&lab, name);
        check_refused(&lab, &["log", "append", "log", "entries", "--key", "log.key"], name);
    }
    // The request for witnesses can be made again, so that its loss is no error; it is not written elsewhere.
    let lab = lab();
    lab.run(&["log", "init", "log", "--origin", ORIGIN, "--key", "log.key"]).ends(0);
    lab.write("entries", hands("T-1", 1).concat());
    lay_link(&lab, "log/publication.tmp");
    lab.run(&["log", "append", "log", "entries", "--key", "log.key"]).ends(0);
    assert_eq!(lab.text("precious"), PRECIOUS);
}

#[test]
fn no_file_of_a_table_is_written_through_a_link() {
    let names =
        ["lock", "public/entries.txt", "public/transcripts.txt", "public/receipts.txt", "secret/hands.txt"];
    let more = ["secret/unfinished.tmp", "secret/state"];
    for name in names.iter().chain(&more) {
        let lab = lab();
        let deal = ["deal", "--table", "T-1", "--hands", "1", "--out", "T-1"];
        lab.run(&deal).ends(0);
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
        lab.run(&["log", "init", "log", "--origin", ORIGIN, "--key", "log.key"]).ends(0);
        lab.write("entries", hands("T-1", 1).concat());
        make(&lab.path(name));
        let output = lab.run(&["log", "append", "log", "entries", "--key", "log.key"]);
        assert!(output.code == 2 && output.warns("no regular file"), "{name}: {output}");
    }
    for name in ["lock", "public/entries.txt", "secret/hands.txt", "secret/state", "secret/unfinished.tmp"] {
        let lab = lab();
        let deal = ["deal", "--table", "T-1", "--hands", "1", "--out", "T-1"];
        lab.run(&deal).ends(0);
        make(&lab.path(&format!("T-1/{name}")));
        let output = lab.run(&[&deal[..], &["--continue"]].concat());
        assert!(output.code == 2 && output.warns("no regular file"), "{name}: {output}");
    }
}

/// A link in the place of a folder would have keys written elsewhere, or other people's files taken for ours.
#[test]
fn no_folder_of_a_log_or_a_table_is_reached_through_a_link() {
    let elsewhere = |lab: &Lab| fs::read_dir(lab.path("elsewhere")).expect("a folder").count();
    for name in ["log/tile", "log/tile/entries"] {
        let lab = lab();
        lab.run(&["log", "init", "log", "--origin", ORIGIN, "--key", "log.key"]).ends(0);
        lab.write("entries", hands("T-1", 1).concat());
        fs::create_dir(lab.path("elsewhere")).expect("writable");
        let link = PathBuf::from(lab.path(name));
        fs::create_dir_all(link.parent().expect("it has a folder")).expect("writable");
        symlink(lab.path("elsewhere"), &link).expect("a link");
        check_refused(&lab, &["log", "append", "log", "entries", "--key", "log.key"], name);
        assert_eq!(elsewhere(&lab), 0, "{name}");
    }
    for name in ["public", "secret"] {
        let lab = lab();
        fs::create_dir_all(lab.path("T-1")).expect("writable");
        fs::create_dir(lab.path("elsewhere")).expect("writable");
        symlink(lab.path("elsewhere"), lab.path(&format!("T-1/{name}"))).expect("a link");
        check_refused(&lab, &["deal", "--table", "T-1", "--hands", "1", "--out", "T-1"], name);
        assert_eq!(elsewhere(&lab), 0, "{name}");
    }
    // A table that has begun, whose folder was exchanged, and a full reveal, which holds a key.
    let lab = lab();
    let deal = ["deal", "--table", "T-1", "--hands", "1", "--out", "T-1"];
    lab.run(&deal).ends(0);
    fs::create_dir(lab.path("reveals")).expect("writable");
    symlink(lab.path("reveals"), lab.path("T-1/hand-1")).expect("a link");
    check_refused(&lab, &["bundle", "T-1", "--hand", "1"], "hand-1");
    assert_eq!(fs::read_dir(lab.path("reveals")).expect("a folder").count(), 0);
    fs::rename(lab.path("T-1/secret"), lab.path("elsewhere")).expect("it can be moved");
    symlink(lab.path("elsewhere"), lab.path("T-1/secret")).expect("a link");
    check_refused(&lab, &[&deal[..], &["--continue"]].concat(), "secret");
}

/// A night reads what a table wrote, and so does the judge of dealt cards: files of fixed names, which no link stands for.
#[test]
fn what_a_day_reads_of_a_table_is_no_link_and_no_pipe() {
    let lab = lab();
    let deal = ["deal", "--table", "T-1", "--hands", "3", "--out", "T-1", "--play", "random"];
    lab.run(&deal).ends(0);
    let config = "name = \"Table 1\"\nfolder = \"days\"\ntiers = \"core\"\nfresh_decks = 0\ndecks = 50\n\
                  source = \"a.csv\"\ntables = [\"T-1\"]\n";
    lab.write("daily.toml", config);
    let day = |number: u64| {
        lab.write("a.csv", (1..=50).map(|n| index_line(&deck(100 * number + n))).collect::<String>());
        let date = format!("2026-11-0{number}");
        lab.night(&date, &["--steps"])
    };
    let steps = ["seats of the tables", "replay of hands"];
    let found = |output: &Output, step: &str| {
        let line = output
            .out
            .lines()
            .find(|line| line.strip_prefix("  ").is_some_and(|line| line.starts_with(step)));
        line.unwrap_or_else(|| panic!("no {step}: {output}")).to_owned()
    };
    let sound = day(1);
    steps.iter().for_each(|step| assert!(found(&sound, step).contains("passed"), "{sound}"));
    let (hands, transcripts) = ("T-1/secret/hands.txt", "T-1/public/transcripts.txt");
    for (number, name) in [(2, hands), (3, transcripts)] {
        // Each day has a hand of its own to recompute.
        let more =
            ["deal", "--table", "T-1", "--hands", "1", "--out", "T-1", "--play", "random", "--continue"];
        lab.run(&more).ends(0);
        fs::rename(lab.path(name), lab.path("moved")).expect("it can be moved");
        symlink(lab.path("moved"), lab.path(name)).expect("a link");
        let output = day(number);
        let replay = found(&output, "replay of hands");
        assert!(replay.contains("could not say") && replay.contains("symbolic link"), "{name}: {replay}");
        let dealt = lab.run(&["hands", "--dealt", "T-1"]);
        assert!(dealt.code == 2 && dealt.warns("symbolic link"), "{name}: {dealt}");
        fs::remove_file(lab.path(name)).expect("it is there");
        fs::rename(lab.path("moved"), lab.path(name)).expect("it can be moved");
    }
    fs::rename(lab.path(hands), lab.path("moved")).expect("it can be moved");
    assert!(std::process::Command::new("mkfifo").arg(lab.path(hands)).status().expect("mkfifo").success());
    let output = day(4);
    for step in steps {
        let line = found(&output, step);
        assert!(line.contains("could not say") && line.contains("no regular file"), "{line}");
    }
}
