//! The record of days on a disk that is full, under a job that is killed while it writes, and with a damaged page.

use std::fs;
use std::process::Stdio;

use crate::common::lab::{Lab, Said, binary, lines};

const CONFIG: &str =
    "name = \"T\"\nfolder = \"days\"\nsource = \"a.csv\"\ntiers = \"core\"\nfresh_decks = 0\n";

/// Blocks of 1,024 bytes that a file may have, from fewer than any file takes to more than all.
const BLOCKS: [u32; 9] = [0, 1, 4, 8, 16, 24, 40, 80, 160];

fn shuffler() -> Lab {
    let lab = Lab::new();
    lab.write("daily.toml", CONFIG);
    lab
}

fn export(lab: &Lab, day: u64) {
    lab.write("a.csv", lines(1_000 * day..1_000 * day + 1_000));
}

fn run(lab: &Lab) -> Said {
    lab.run(&["daily", "--config", "daily.toml"])
}

/// A day whose files may have so many blocks; a write beyond fails. The signal that the system sends then is ignored by
/// the shell before the job begins, or it is not.
fn run_within(lab: &Lab, blocks: u32, is_ignored: bool) -> std::process::Output {
    let trap = if is_ignored { "trap '' XFSZ; " } else { "" };
    let line = format!(
        "ulimit -c 0; {trap}ulimit -f {blocks}; exec {} daily --config daily.toml",
        binary().display()
    );
    let output = std::process::Command::new("bash").args(["-c", &line]).current_dir(lab.path("")).output();
    output.expect("there is a bash")
}

/// Days whose decks stand in the record.
fn examined(lab: &Lab) -> usize {
    let said = lab.run(&["history", "days", "--json"]);
    said.out.lines().filter(|row| row.contains("\"counts_sha256\"")).count()
}

/// Wherever the writing ends, the record is sound, and the same decks pass when there is room.
fn check_every_size(is_ignored: bool) {
    let lab = shuffler();
    export(&lab, 1);
    run(&lab).ends(0);
    let mut failed = 0;
    for (day, blocks) in BLOCKS.into_iter().enumerate() {
        export(&lab, 2 + day as u64);
        let before = examined(&lab);
        let output = run_within(&lab, blocks, is_ignored);
        let code = output.status.code();
        let err = String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned();
        assert!(!err.contains("panicked"), "{blocks} blocks: {err}");
        let said = lab.run(&["history", "days", "--verify"]);
        assert_eq!(said.code, 0, "{blocks} blocks, {code:?}: {}{}", said.out, said.err);
        if code != Some(0) {
            failed += 1;
            assert!(code == Some(2) && !err.is_empty(), "{blocks} blocks, {code:?}: {err}");
            // What is not recorded can be judged; what is recorded passed and is not judged again.
            let is_recorded = examined(&lab) > before;
            let again = run(&lab);
            assert_eq!(again.code, 0, "{blocks} blocks, {before} days: {again}");
            assert_eq!(again.prints("already judged"), is_recorded, "{again}");
        }
        let names = fs::read_dir(lab.path("days")).expect("readable").flatten();
        let left: Vec<String> = names.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
        assert!(!left.iter().any(|name| name.starts_with(".begun-")) || code == Some(0), "{left:?}");
    }
    assert!(failed >= 4, "{failed} of the sizes were too small");
}

#[test]
fn a_full_disk_ends_the_day_with_a_sound_record() {
    check_every_size(true);
}

#[test]
fn a_limit_of_the_system_on_files_ends_the_day_with_2_and_no_signal() {
    check_every_size(false);
}

#[test]
fn a_job_that_is_killed_leaves_a_sound_record() {
    let lab = shuffler();
    export(&lab, 1);
    let begun = std::time::Instant::now();
    run(&lab).ends(0);
    let whole = begun.elapsed();
    for part in 1..=8 {
        export(&lab, 1 + u64::from(part));
        let mut command = std::process::Command::new(binary());
        command.args(["daily", "--config", "daily.toml"]).current_dir(lab.path(""));
        let mut job = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("it runs");
        std::thread::sleep(whole * part / 8);
        job.kill().expect("it can be");
        job.wait().expect("it is gone");
        let said = lab.run(&["history", "days", "--verify"]);
        // Results that were named before their row was written are said; the next day takes them back.
        let is_named = said.prints("is named by no row");
        assert!(said.code == 0 || is_named, "{part}: {said}");
    }
}

/// Each page of the database, one after the other: never a pass, and no hand is dealt.
#[test]
fn a_damaged_page_is_told_and_nothing_is_dealt() {
    let lab = shuffler();
    for day in 1..=3 {
        export(&lab, day);
        run(&lab).ends(0);
    }
    let whole = lab.read("days/daily.db");
    let pages = whole.len() / 4_096;
    assert!(pages > 5, "{pages}");
    export(&lab, 9);
    let deal = ["deal", "--table", "T", "--hands", "1", "--out", "T", "--daily", "days"];
    lab.run(&deal).ends(0);
    lab.shell("rm -r T && cp -a days base").ends(0);
    let mut told = 0;
    for page in (0..pages).step_by(pages.div_ceil(12)) {
        lab.shell("rm -r days && cp -a base days").ends(0);
        let mut damaged = whole.clone();
        damaged[4_096 * page..4_096 * (page + 1)].fill(0xa5);
        lab.write("days/daily.db", &damaged);
        let said = run(&lab);
        if said.code == 0 {
            // Nothing of the record stood in it: the bets, which are made again from the certificates.
            assert_eq!(lab.run(&["history", "days", "--verify"]).code, 0, "page {page}");
            continue;
        }
        told += 1;
        let is_named = said.warns("daily.db") || said.prints("STOP");
        assert!(is_named, "page {page}: {said}");
        let said = lab.run(&deal);
        if said.code == 0 {
            // A page that holds nothing: no row can be added, and all that were are whole.
            assert_eq!(lab.run(&["history", "days", "--verify"]).code, 0, "page {page}");
            lab.remove("T");
        }
        assert!(!lab.exists("T"), "page {page}: {said}");
    }
    assert!(told >= 6, "{told}");
}
