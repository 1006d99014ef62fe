//! Test programs of others that a campaign runs itself: a stand-in whose every answer is known, and dieharder where it is installed.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::process::Command;

use serde_json::Value;

use crate::common::lab::{KEY, Lab, Output, sha256};
use crate::common::package::{certify, folder_of, lab, package_of, project, replace, report, with_sums};

/// Prints the table of dieharder with one result, whose assessment is its first argument, after it has read 400,000 bytes.
const STAND_IN: &str = "#!/bin/sh\nhead -c 400000 | sha256sum > seen.txt\n\
    echo '# dieharder version 3.31.1 Copyright'\necho ' rng_name |filename|rands/second|'\necho 'stdin_input_raw|  stdin  |1e6|'\n\
    [ $1 = FAILED ] && p=0.0\necho \"diehard_birthdays| 0| 100| 100|${p:-0.5}| $1 \"\necho beside >&2\nexit ${2:-0}\n";

fn with_program(name: &str, text: &str, more: &str) -> Lab {
    let project = project(&format!("audit:{KEY}"), 1_000)
        .replace("[[external]]\nprovider = \"Another laboratory\"\nfile = \"other.txt\"\n", "");
    let lab = lab(&format!("{project}{more}"));
    lab.write(name, text);
    fs::set_permissions(lab.path(name), fs::Permissions::from_mode(0o755)).expect("its own file");
    lab
}

fn run(id: &str, program: &str, command: &str, more: &str) -> String {
    format!("[[run]]\nid = \"{id}\"\nitem = \"main\"\n{program}command = {command}\n{more}\n")
}

fn made(lab: &Lab) -> Output {
    certify(lab, &["--out", "out", "--quiet"])
}

const DIEHARDER: &str = "program = \"dieharder\"\n";

#[test]
fn a_program_is_run_on_the_words_of_the_plan_and_its_output_is_kept() {
    let lab = with_program("stand-in", STAND_IN, &run("a", DIEHARDER, "[\"./stand-in\", \"PASSED\"]", ""));
    made(&lab).ends(0);
    let record = lab.json("out/runs/a.json");
    assert_eq!(record["end"], serde_json::json!({ "kind": "ended", "code": 0 }), "{record}");
    assert_eq!(record["executable_sha256"], sha256(&lab.read("stand-in")));
    assert_eq!(record["output_sha256"], sha256(&lab.read("out/runs/a.txt")));
    assert_eq!(record["messages"], "beside\n");
    // The words are those of the frozen key, from the first one on.
    let key = record["words"]["key"].as_str().expect("a key").to_owned();
    let words = lab.command(&["stream", "--source", &format!("audit:{key}"), "--words", "100000"]).output();
    let seen = lab.text("seen.txt");
    assert!(seen.starts_with(&sha256(&words.expect("it runs").stdout)), "{seen}");
    // One result of the 114 of a whole run: it agrees with nothing, and says so.
    let facts = &report(&lab, "out")["facts"];
    let external = &facts["external"][0];
    assert_eq!((&external["results"], &external["whole"]), (&Value::from(1), &Value::from(114)));
    assert_eq!(external["file"], "runs/a.txt");
    let page = lab.text("out/report.html");
    for wanted in
        ["Test programs that the campaign ran", "exit code 0 after", "./stand-in PASSED", "This program ran"]
    {
        assert!(page.contains(wanted), "{wanted}");
    }
    assert!(!page.contains("others than this program ran them"));
    lab.run(&["verify", "out"]).ends(0);
    // A finished package is not run again.
    made(&lab).ends(0);
}

#[test]
fn a_failure_that_a_program_prints_stands_on_the_first_page() {
    let lab = with_program("stand-in", STAND_IN, &run("a", DIEHARDER, "[\"./stand-in\", \"FAILED\"]", ""));
    let output = made(&lab).ends(1);
    output.must_print("NOT MET");
    output.must_print("runs/a.txt");
}

/// What a program did not say is not taken for an answer, and each reason is named.
#[test]
fn what_was_not_run_or_not_to_its_end_is_said_by_name() {
    let runs = [
        run("gone", DIEHARDER, "[\"no-such-program\", \"-a\"]", ""),
        run("code", DIEHARDER, "[\"./stand-in\", \"PASSED\", \"7\"]", ""),
        run("slow", "", "[\"sleep\", \"600\"]", "time_limit_s = 1"),
        run("other", "", "[\"./stand-in\", \"PASSED\"]", ""),
        run("unread", "program = \"practrand\"\n", "[\"./stand-in\", \"PASSED\"]", ""),
    ];
    let lab = with_program("stand-in", STAND_IN, &runs.concat());
    let output = made(&lab).ends(0);
    for wanted in [
        "gone: not run: no-such-program is not installed.",
        "code: ./stand-in ended with the exit code 7.",
        "slow: sleep was stopped at its time limit of 1 second",
        "unread: ./stand-in ended, and its output cannot be read for results",
    ] {
        output.must_print(wanted);
    }
    output.must_not_print("other:");
    assert!(!lab.exists("out/runs/gone.txt") && lab.exists("out/runs/other.txt"));
    assert_eq!(lab.json("out/runs/gone.json")["end"]["kind"], "not-installed");
    lab.run(&["verify", "out"]).ends(0);
    // What is unknown was kept and not read.
    assert_eq!(report(&lab, "out")["facts"]["external"].as_array().map(Vec::len), Some(1));
}

#[test]
fn nothing_of_a_run_can_be_changed_unseen() {
    let lab = with_program("stand-in", STAND_IN, &run("a", DIEHARDER, "[\"./stand-in\", \"FAILED\"]", ""));
    made(&lab).ends(1);
    let check = |name: &str, from: &str, to: &str, wanted: &str| {
        let mut files = package_of(&lab, "out");
        replace(&mut files, name, from, to);
        folder_of(&with_sums(files)).run(&["verify", "out"]).ends(1).must_print(wanted);
    };
    check("runs/a.txt", "FAILED", "PASSED", "not the output whose hash the record of its run has");
    check("runs/a.json", "FAILED", "PASSED", "not of this run, command, words or format");
    check("project.toml", "./stand-in", "./other-in", "plan.toml");
}

#[test]
fn a_run_that_cannot_be_is_refused_with_its_line() {
    let check = |run: &str, wanted: &str| {
        let lab = with_program("stand-in", STAND_IN, run);
        made(&lab).ends(2).must_warn(wanted);
        assert!(!lab.exists("out/plan.toml"));
    };
    check(&run("A", DIEHARDER, "[]", ""), "id: found \"A\"");
    check(&run("a", "program = \"diehard\"\n", "[]", ""), "diehard");
    check(&run("a", "program = \"testu01\"\n", "[]", ""), "command: found none");
    check(&run("a", DIEHARDER, "[\"x\", \"{file}\"]", ""), "command: found {file}");
    check(&run("a", DIEHARDER, "[]", "time_limit_s = 0"), "time_limit_s: found 0");
    let twice = run("a", DIEHARDER, "[]", "") + &run("a", DIEHARDER, "[]", "");
    check(&twice, "id: found \"a\" twice");
    check(&run("a", DIEHARDER, "[]", "").replace("\"main\"", "\"other\""), "item: found \"other\"");
}

/// The real program, for a few seconds: on the generator's words, and on a file that is too short for it.
#[test]
fn dieharder_is_run_where_it_is_installed() {
    if Command::new("dieharder").arg("-h").output().is_err() {
        return eprintln!("SKIPPED: dieharder_is_run_where_it_is_installed: dieharder is not installed");
    }
    let one =
        run("birthdays", DIEHARDER, "[\"dieharder\", \"-d\", \"0\", \"-g\", \"200\"]", "time_limit_s = 300");
    let lab = with_program("unused", "", &one);
    made(&lab).ends_in(&[0, 1]);
    let record = lab.json("out/runs/birthdays.json");
    assert_eq!(record["end"]["code"], 0, "{record}");
    // 100 samples of 100 tests with 512 birthdays each.
    assert!(record["bytes_given"].as_u64() > Some(100 * 100 * 512 * 3 / 2), "{record}");
    let external = &report(&lab, "out")["facts"]["external"][0];
    assert_eq!(
        (&external["results"], &external["whole"]),
        (&Value::from(1), &Value::from(114)),
        "{external}"
    );
    let page = lab.text("out/report.html");
    assert!(page.contains("diehard_birthdays 0") && page.contains("3.31.1"));

    let project = lab.text("project.toml");
    let project = project.replace("raw_words = 100000", "words = { file = \"short.bin\" }");
    let project = project.replace("\"-g\", \"200\"", "\"-g\", \"201\", \"-f\", \"{file}\"");
    lab.write("project.toml", project);
    let words = lab.command(&["stream", "--source", &format!("audit:{KEY}"), "--words", "100000"]).output();
    lab.write("short.bin", words.expect("it runs").stdout);
    let output = certify(&lab, &["--out", "short", "--quiet"]).ends_in(&[0, 1]);
    let again = "birthdays: the file of words was too short for its tests and was begun again";
    output.must_print(again);
    assert_eq!(lab.run(&["verify", "short"]).code, output.code);
}
