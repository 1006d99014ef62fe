//! The record of days on a disk that is full, under a job that is killed while it writes, and with a damaged page.

use std::fs;
use std::process::Stdio;

use crate::common::lab::{self, Lab, Output, binary, lines};

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

fn run(lab: &Lab) -> Output {
    lab.run(&["daily", "--config", "daily.toml"])
}

/// A day whose files may have so many blocks; a write beyond fails, as on a full disk, and the system sends a signal.
fn run_within(lab: &Lab, blocks: u32) -> std::process::Output {
    let line =
        format!("ulimit -c 0; ulimit -f {blocks}; exec {} daily --config daily.toml", binary().display());
    let output = std::process::Command::new("bash").args(["-c", &line]).current_dir(lab.path("")).output();
    output.expect("there is a bash")
}

/// Days whose decks stand in the record.
fn examined(lab: &Lab) -> usize {
    let output = lab.run(&["history", "days", "--json"]);
    output.out.lines().filter(|row| row.contains("\"counts_sha256\"")).count()
}

/// Wherever the writing ends, the record is sound, no signal ends the job, and the same decks pass when there is room.
#[test]
fn a_limit_of_the_system_on_files_ends_the_day_with_2_and_a_sound_record() {
    let lab = shuffler();
    export(&lab, 1);
    run(&lab).ends(0);
    let mut failed = 0;
    for (day, blocks) in BLOCKS.into_iter().enumerate() {
        export(&lab, 2 + day as u64);
        let before = examined(&lab);
        let output = run_within(&lab, blocks);
        let code = output.status.code();
        let err = String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned();
        assert!(!err.contains("panicked"), "{blocks} blocks: {err}");
        let output = lab.run(&["history", "days", "--verify"]);
        assert_eq!(output.code, 0, "{blocks} blocks, {code:?}: {}{}", output.out, output.err);
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
        let output = run(&lab);
        if output.code == 0 {
            // Nothing of the record stood in it: the bets, which are made again from the certificates.
            assert_eq!(lab.run(&["history", "days", "--verify"]).code, 0, "page {page}");
            continue;
        }
        told += 1;
        let is_named = output.warns("daily.db") || output.prints("STOP");
        assert!(is_named, "page {page}: {output}");
        let output = lab.run(&deal);
        if output.code == 0 {
            // A page that holds nothing: no row can be added, and all that were are whole.
            assert_eq!(lab.run(&["history", "days", "--verify"]).code, 0, "page {page}");
            lab.remove("T");
        }
        assert!(!lab.exists("T"), "page {page}: {output}");
    }
    assert!(told >= 6, "{told}");
}

/// A bad night is killed when its report is there and its row is not; then the day is run on another file.
#[test]
fn a_run_that_was_killed_is_named_by_the_next_one_on_other_bytes() {
    let lab = Lab::new();
    // The decks of the generator are wanted last: there is time to end the job before its row.
    lab.write("daily.toml", CONFIG.replace("a.csv", "{date}.csv").replace("decks = 0", "decks = 300000"));
    let bad: String = (0..2_000).map(|n| lab::index_line(&lab::deck(n % 40))).collect();
    lab.write("2026-11-01.csv", &bad);
    let mut command = std::process::Command::new(binary());
    command.args(["daily", "--config", "daily.toml", "--date", "2026-11-01"]).current_dir(lab.path(""));
    let mut job = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("it runs");
    while !lab.exists("days/begun-2026-11-01.json") {
        assert!(job.try_wait().expect("it can be asked").is_none(), "it ended without a word");
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    job.kill().expect("it can be");
    job.wait().expect("it is gone");
    let noted = lab.json("days/begun-2026-11-01.json");
    let hash = lab::sha256(bad.as_bytes());
    assert_eq!(noted[0]["source_sha256"], hash.as_str());
    // A night of another day says nothing of it, and the same file is no other one.
    lab.write("daily.toml", CONFIG.replace("a.csv", "{date}.csv"));
    lab.write("2026-11-02.csv", lines(2_000..3_000));
    lab.night("2026-11-02", &[]).ends(0).must_not_print("Changed");
    lab.write("2026-11-01.csv", lines(1_000..2_000));
    let output = lab.night("2026-11-01", &[]).ends(0);
    let when = noted[0]["when"].as_str().expect("a time");
    let words = format!(
        "Changed: a run of 2026-11-01 on other bytes (SHA-256 {}…) was begun at {when} and did not end with a row.",
        &hash[..12]
    );
    output.must_tell(&words);
    assert!(!lab.exists("days/begun-2026-11-01.json") && !lab.exists("days/begun-2026-11-02.json"));
    let rows = lab.run(&["history", "days", "--json"]).ends(0);
    let row: serde_json::Value = serde_json::from_str(rows.out.lines().last().expect("a row")).expect("JSON");
    assert_eq!(row["day"]["begun"][0]["source_sha256"], hash.as_str());
    lab.run(&["history", "days"]).ends(0).must_tell("a run of 2026-11-01 on other bytes");
}

/// A run that was killed and is repeated on the same bytes is nothing that anybody has to know.
#[test]
fn a_run_that_was_killed_and_repeated_on_the_same_bytes_is_not_named() {
    let lab = shuffler();
    export(&lab, 1);
    lab.shell("mkdir days").ends(0);
    let date = "2026-11-01";
    let note = format!(
        "[{{\"when\": \"2026-11-01T04:00:00Z\", \"source_sha256\": \"{}\"}}]",
        lab::sha256(&lab.read("a.csv"))
    );
    lab.write(&format!("days/begun-{date}.json"), note);
    lab.night(date, &[]).ends(0).must_not_print("Changed");
    assert!(!lab.exists(&format!("days/begun-{date}.json")));
}
