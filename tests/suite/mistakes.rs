//! Mistakes and ends from outside: a key in the place of another file, a full file, no memory, a shuffler that hangs.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use crate::common::lab::{KEY, Lab, Output, binary};

/// A key of a log, a day key and a private key of another program, and what of each nobody may read.
fn keys(lab: &Lab) -> [(&'static str, String); 3] {
    lab.run(&["log", "init", "log", "--origin", "stud.example/log1", "--key", "log.key"]).ends(0);
    lab.write("day.key", format!("{KEY}\n"));
    let pem =
        "-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1rZXktdjEAAAAA\n-----END OPENSSH PRIVATE KEY-----\n";
    lab.write("ssh.key", pem);
    let of_log = lab.text("log.key");
    // Base64 has plus signs too.
    let seed = of_log.trim().splitn(5, '+').nth(4).expect("a part").to_owned();
    [("log.key", seed), ("day.key", KEY[..24].to_owned()), ("ssh.key", "b3BlbnNzaC1r".to_owned())]
}

#[test]
fn a_key_that_is_named_by_mistake_is_never_printed() {
    let lab = Lab::new();
    let keys = keys(&lab);
    lab.write("entries.txt", "nothing");
    for (file, secret) in &keys {
        for command in [
            vec!["audit", "--plan", file],
            vec!["audit", "--decks", "100", "--start-order", file],
            vec!["audit", "--decks", "100", "--checkpoint", file],
            vec!["audit", "--source", file],
            vec!["certify", "--project", file],
            vec!["daily", "--config", file],
            vec!["hands", file],
            vec!["hands", "--plan", file, "entries.txt"],
            vec!["replay", file],
            vec!["verify", file],
            vec!["verify", file, "--trust", file],
            vec!["verify", "entries.txt", "--receipt", file, "--trust", file],
            vec!["verify", "entries.txt", "--committed", file],
            vec!["compare", file, file],
            vec!["manifest", "--check", file],
            vec!["merge", file],
            vec!["log", "scan", "log", "--trust", file],
            vec!["log", "append", "log", file, "--key", "log.key"],
            vec!["deal", "--table", "T", "--hands", "1", "--out", "T", "--seats", "1,2", "--script", file],
            vec!["history", "--kept-rows", file],
        ] {
            let output = lab.run(&command);
            let printed = format!("{output}");
            assert!(!printed.contains(&secret[..]), "{command:?} prints the key: {printed}");
            assert_ne!(output.code, 0, "{command:?}: {printed}");
        }
    }
    let output = lab.run(&["audit", "--plan", "log.key"]);
    output.must_warn("found the secret key of a log or a witness, wanted another file");
    lab.run(&["audit", "--plan", "day.key"]).must_warn("64 hexadecimal digits, as a key or a seed has them");
    // A line of no key is not repeated either, for a plan may have been mixed up with anything.
    lab.write("plan.toml", "a = 1\nmy own secret\n");
    lab.run(&["audit", "--plan", "plan.toml"]).must_warn("line 2: ").must_not_warn("my own");
}

/// What a shell with these limits makes of the program.
#[cfg(unix)]
fn limited(lab: &Lab, limits: &str, command: &str) -> Output {
    lab.shell(&format!("ulimit -c 0; {limits}; exec {} {command}", binary().display()))
}

#[cfg(target_os = "linux")]
#[test]
fn a_file_at_its_limit_and_the_end_of_memory_are_exit_code_2_with_a_sentence() {
    let lab = Lab::new();
    limited(&lab, "ulimit -f 4", "stream --decks 1000 > decks.txt").ends(2).must_warn("File too large");
    // The largest memory, in steps of 2 MB, that is too small for a small audit.
    let audit = |memory: u32| {
        let command = format!("audit --decks 5000 --tiers core --threads 1 --quiet --out {memory}");
        limited(&lab, &format!("ulimit -v {memory}"), &command)
    };
    let ended = (1..60).map(|step| audit(120_000 - 2_000 * step)).find(|output| output.code != 0);
    let output = ended.expect("no program runs in 2 MB").ends(2);
    assert!(output.warns("memory allocation of") || output.warns("deckproof: "), "{output}");
}

#[cfg(target_os = "linux")]
#[test]
fn a_program_that_hangs_is_ended_with_all_that_it_has_started() {
    let lab = Lab::new();
    lab.write("hangs.sh", "sleep 600 &\necho $! > child\nsleep 600\n");
    let begun = Instant::now();
    let audit = ["audit", "--source", "cmd:sh hangs.sh", "--timeout", "1s", "--decks", "100"];
    lab.run(&audit).ends(2).must_warn("nothing came for 1 s");
    assert!(begun.elapsed() < Duration::from_secs(300));
    let child = lab.text("child");
    let state = |pid: &str| fs::read_to_string(Path::new("/proc").join(pid).join("stat")).unwrap_or_default();
    for _ in 0..100 {
        // A dead process may wait for its new parent to notice.
        let state = state(child.trim());
        if state.is_empty() || state.contains(") Z ") {
            return;
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    panic!("process {} of the program lives on", child.trim());
}
