//! Runs that are killed and go on, and runs in parts: the certificate is that of one run.

use crate::common::lab;

use std::fs::File;
use std::io::Write;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::common::lab::{KEY, Lab, deck};
use serde_json::Value;

/// Decks of a segment, as the plan cuts a run.
const SEGMENT_DECKS: u64 = 65_536;

/// The header of a checkpoint, its first line.
fn header(lab: &Lab, name: &str) -> Option<Value> {
    let bytes = std::fs::read(lab.path(name)).ok()?;
    let end = bytes.iter().position(|&byte| byte == b'\n')?;
    Some(serde_json::from_slice(&bytes[..end]).expect("a header is JSON"))
}

fn segments_saved(lab: &Lab, name: &str) -> u64 {
    header(lab, name).and_then(|header| header["next_segment"].as_u64()).unwrap_or(0)
}

/// SIGKILL, and nothing else.
fn kill(mut child: Child) {
    // A run that has just ended cannot be killed, which is fine too.
    let _ = child.kill();
    child.wait().expect("it ends");
}

/// Waits until something holds, at most two minutes.
fn wait_until(what: &str, mut holds: impl FnMut() -> bool) {
    let started = Instant::now();
    while !holds() {
        assert!(started.elapsed() < Duration::from_secs(120), "{what} did not come");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Tells a process to stop or to go on.
fn signal(child: &Child, name: &str) {
    let told = Command::new("kill").args([name, &child.id().to_string()]).status().expect("there is kill");
    assert!(told.success(), "{name}");
}

#[test]
fn a_run_killed_at_any_moment_and_resumed_gives_the_same_bytes() {
    let mut decks = 2_200_000;
    // A very fast machine has ended before it was saved.
    while !is_the_same_when_killed(decks) {
        decks *= 2;
    }
}

/// Kills a run of so many decks, and compares it with a whole one; not if it ended before it was saved.
fn is_the_same_when_killed(decks: u64) -> bool {
    let lab = Lab::new();
    let plain = format!("audit --source audit:{KEY} --decks {decks} --tiers core --out whole");
    let resumable = plain.replace("whole", "killed --threads 1 --checkpoint c");
    let resumable = lab::words(&resumable);
    // Moments in the start, where key and first checkpoint are written; fixed, so that a failure comes back.
    for milliseconds in [0, 3, 7, 12, 20, 35, 60, 110, 200] {
        let child = lab.command(&resumable).spawn().expect("it runs");
        std::thread::sleep(Duration::from_millis(milliseconds));
        kill(child);
    }
    // Twice after a save, so that what was counted before is gone from memory. One thread may save after 16 segments, and does when two
    // seconds have passed: it sleeps them.
    let mut before = 0;
    for _ in 0..2 {
        let mut child = lab.command(&resumable).spawn().expect("it runs");
        std::thread::sleep(Duration::from_millis(400));
        signal(&child, "-STOP");
        std::thread::sleep(Duration::from_millis(2_100));
        signal(&child, "-CONT");
        let mut has_ended = false;
        wait_until("a save", || {
            has_ended = child.try_wait().expect("it is ours").is_some();
            has_ended || segments_saved(&lab, "c") > before
        });
        before = before.max(segments_saved(&lab, "c"));
        kill(child);
        if before == 0 {
            return false;
        }
        if has_ended {
            break;
        }
    }
    let whole = lab.run(&lab::words(&plain)).ends_in(&[0, 1]);
    let output = lab.run(&resumable);
    assert_eq!(output.code, whole.code, "{output}");
    assert!(lab.read("killed/certificate.json") == lab.read("whole/certificate.json"));
    assert!(!lab.exists("c"), "the checkpoint of a finished run is removed");
    true
}

#[test]
fn a_run_killed_before_its_checkpoint_is_removed_ends_the_same() {
    let lab = Lab::new();
    let line = format!("audit --tiers core --source audit:{KEY} --decks 1000 --checkpoint c --out a");
    let audit = lab::words(&line);
    let full = File::options().write(true).open("/dev/full").expect("a full disk");
    let mut child = lab.command(&audit).stdout(full).spawn().expect("it runs");
    assert_eq!(child.wait().expect("it ends").code(), Some(2));
    let before = lab.read("a/certificate.json");
    assert!(lab.exists("c"), "a run that was not told to anybody is not over");
    assert!(lab.text("a/report.html").contains("Audit begun"));
    lab.run(&audit).ends(0);
    assert_eq!(lab.read("a/certificate.json"), before);
    // Its page dates the last session, and says so.
    let page = lab.text("a/report.html");
    assert!(page.contains("Audit resumed from a checkpoint") && !page.contains("Audit begun"));
    assert!(!lab.exists("c"));
}

#[test]
fn a_fresh_key_is_saved_before_the_first_deck_and_kept() {
    let lab = Lab::new();
    let audit = ["audit", "--decks", "300000", "--tiers", "core", "--checkpoint", "c", "--out", "a"];
    let child = lab.command(&audit).spawn().expect("it runs");
    wait_until("the first checkpoint", || header(&lab, "c").is_some());
    kill(child);
    let key = header(&lab, "c").expect("saved")["plan"]["source"]["key"].clone();
    assert_eq!(key.as_str().map(str::len), Some(64));
    lab.run(&audit).ends_in(&[0, 1]);
    assert_eq!(lab.certificate("a")["result"]["source"]["key"], key);
}

/// Starts an audit of raw decks on standard input, feeds these decks, waits past the pause between two
/// saves, and feeds more.
fn feed_slowly(
    lab: &Lab,
    arguments: &[&str],
    first: &[u8],
    rest: &[u8],
) -> (Child, std::process::ChildStdin) {
    let mut child = lab.command(arguments).stdout(Stdio::null()).spawn().expect("it runs");
    let mut pipe = child.stdin.take().expect("piped");
    pipe.write_all(first).expect("it reads");
    std::thread::sleep(Duration::from_millis(2_300));
    pipe.write_all(rest).expect("it reads");
    (child, pipe)
}

#[test]
fn a_stream_goes_on_with_the_same_bytes_and_no_others() {
    let lab = Lab::new();
    let decks = 3 * SEGMENT_DECKS + 1_000;
    let stream: Vec<u8> = (1..=decks).flat_map(deck).collect();
    let audit = ["audit", "--source", "-", "--format", "raw", "--tiers", "core", "--threads", "1"];
    let whole = lab.run_with(&[&audit[..], &["--out", "whole"]].concat(), &stream).ends_in(&[0, 1]);
    let resumable = [&audit[..], &["--checkpoint", "c", "--out", "a"]].concat();
    let (first, rest) = stream.split_at(SEGMENT_DECKS as usize * 52 + 520);
    let (child, pipe) = feed_slowly(&lab, &resumable, first, &rest[..SEGMENT_DECKS as usize * 52]);
    wait_until("a save", || segments_saved(&lab, "c") > 0);
    kill(child);
    drop(pipe);
    let saved = lab.read("c");
    // One card changed places in a deck that was counted before the kill.
    let mut other = stream.clone();
    other.swap(1_000 * 52, 1_000 * 52 + 1);
    for wrong in [&other, &stream[..50 * 52].to_vec()] {
        let output = lab.run_with(&resumable, wrong).refused();
        assert!(!lab.exists("a") && !output.warns("panicked"), "{output}");
        assert!(lab.read("c") == saved, "the checkpoint of the right stream is kept");
    }
    let output = lab.run_with(&resumable, &stream);
    assert_eq!(output.code, whole.code, "{output}");
    assert!(lab.read("a/certificate.json") == lab.read("whole/certificate.json"));
    // The same bytes from a program are the same stream.
    lab.write("decks", &stream);
    let command = format!("cmd:cat {}", lab.path("decks"));
    let rerun = ["verify", "--rerun", "--source", &command, "a/certificate.json"];
    let output = lab.run(&rerun);
    assert!(output.code == whole.code && output.prints("is consistent"), "{output}");
}

#[test]
fn a_stream_saved_at_its_end_inside_a_segment_goes_on_there() {
    let lab = Lab::new();
    let stream: Vec<u8> = (1..=1_500).flat_map(deck).collect();
    let audit = ["audit", "--source", "-", "--format", "raw", "--tiers", "core", "--threads", "1"];
    for more in [&[][..], &["--decks", "1500"]] {
        let resumable = [&audit[..], &["--checkpoint", "c", "--out", "a"], more].concat();
        let full = File::options().write(true).open("/dev/full").expect("a full disk");
        let mut child = lab.command(&resumable).stdout(full).spawn().expect("it runs");
        let mut pipe = child.stdin.take().expect("piped");
        pipe.write_all(&stream[..5_200]).expect("it reads");
        // A run is saved two seconds after it began, which a first checkpoint shows.
        wait_until("the first checkpoint", || header(&lab, "c").is_some());
        std::thread::sleep(Duration::from_millis(2_300));
        // With a number of decks the program may close the pipe first.
        let _ = pipe.write_all(&stream[5_200..]);
        drop(pipe);
        assert_eq!(child.wait().expect("it ends").code(), Some(2));
        let before = lab.read("a/certificate.json");
        assert_eq!(segments_saved(&lab, "c"), 1, "the run was saved after its short segment");
        lab.run_with(&resumable, &stream).ends_in(&[0, 1]);
        assert_eq!(lab.read("a/certificate.json"), before);
        lab.remove("a");
    }
}

#[test]
fn a_checkpoint_of_another_question_is_refused_and_kept() {
    let lab = Lab::new();
    let source = format!("audit:{KEY}");
    let ask = |source: &str, decks: &str, more: &[&str]| {
        let plain = ["audit", "--source", source, "--decks", decks, "--checkpoint", "c", "--out", "a"];
        lab.command(&[&plain[..], more].concat())
    };
    let child = ask(&source, "2e8", &[]).spawn().expect("it runs");
    wait_until("the first checkpoint", || header(&lab, "c").is_some());
    kill(child);
    let saved = lab.read("c");
    let other = format!("audit:{}", KEY.replace('0', "1"));
    let mut damaged = saved.clone();
    damaged[saved.len() / 2] ^= 1;
    lab.write("damaged", damaged);
    lab.write("letter", "Dear sir");
    for mut command in [
        ask(&other, "2e8", &[]),
        ask(&source, "3e8", &[]),
        ask(&source, "2e8", &["--shard", "1/2"]),
        ask(&source, "2e8", &["--tiers", "core"]),
        lab.command(&["audit", "--checkpoint", "damaged"]),
        lab.command(&["audit", "--checkpoint", "letter"]),
        lab.command(&["audit", "--checkpoint", "."]),
        lab.command(&["audit", "--checkpoint", "no/folder/c"]),
    ] {
        lab::Output::from(command.output().expect("it runs")).refused().must_not_warn("panicked");
    }
    assert!(lab.read("c") == saved);
    assert_eq!(lab.read("letter"), b"Dear sir");
}

fn shard(lab: &Lab, key: &str, plan: &[&str], part: &str, out: &str) -> String {
    let source = format!("audit:{key}");
    let question = ["audit", "--source", &source, "--shard", part, "--out", out];
    lab.run(&[&question, plan].concat()).ends(0);
    format!("{out}/shard-{}.tally", part.replace('/', "-of-"))
}

#[test]
fn shards_in_any_order_give_the_certificate_of_one_run() {
    let lab = Lab::new();
    // Shards count a first look only, and so does the whole they are compared with.
    let source = format!("audit:{KEY}");
    let plan = ["--decks", "200000", "--statistics", lab::ONE_OF_EACH_SCOPE];
    let question = ["audit", "--source", &source, "--no-repeat", "--out", "whole"];
    let whole = lab.run(&[&question[..], &plan].concat());
    let [a, b, c] = ["1/3", "2/3", "3/3"].map(|part| shard(&lab, KEY, &plan, part, "s"));
    for (number, order) in [[&a, &b, &c], [&c, &a, &b], [&b, &c, &a]].into_iter().enumerate() {
        let out = format!("merged-{number}");
        let output = lab.run(&["merge", order[0], order[1], order[2], "--json", "--out", &out]);
        assert_eq!(output.code, whole.code, "{output}");
        let json = output.json();
        let believed = [&json["not_shown"][0], &json["not_shown"][1]].map(|one| one.as_str().expect("text"));
        assert!(believed[0].starts_with("The counts are those of 3 shards"), "{believed:?}");
        assert!(believed[1].contains("was dealt again, 3 of 4: the "), "{believed:?}");
        assert!(lab.read(&format!("{out}/certificate.json")) == lab.read("whole/certificate.json"));
    }
    // More shards than segments: some are empty, and the whole is the same.
    let plan = ["--decks", "1000", "--tiers", "core"];
    let parts: Vec<String> =
        (1..=5).map(|part| shard(&lab, KEY, &plan, &format!("{part}/5"), "many")).collect();
    let parts: Vec<&str> = parts.iter().map(String::as_str).collect();
    let output = lab.run(&[&["merge", "--out", "five"], &parts[..]].concat()).ends(0);
    // Four of the five are empty.
    assert!(
        output
            .out
            .contains("Not checked: One segment of each shard, drawn at random, was dealt again, 1 of 1:")
    );
    let page = lab.text("five/report.html");
    assert!(page.contains("The counts are those of 5 shards") && page.contains("Shards merged (UTC)"));
    assert!(!page.contains("Begun (UTC)") && !page.contains("Audit begun"), "nobody knows when it began");
    lab.run(&["verify", "--rerun", "five/certificate.json"]).ends(0);
}

/// The arguments of the container of a Job, with its folders here.
fn job_arguments(yaml: &str, lab: &Lab, index: usize) -> Vec<String> {
    let line = yaml.lines().find_map(|line| line.trim().strip_prefix("args: ")).expect("a container");
    let arguments: Vec<String> = serde_json::from_str(line).expect("a list on one line");
    let here = |word: String| {
        let word = word.replace("$(JOB_COMPLETION_INDEX)", &index.to_string());
        word.replace("/plan/", &lab.path("plan/")).replace("/shards", &lab.path("shards"))
    };
    arguments.into_iter().map(here).collect()
}

/// The Jobs of `examples/kubernetes`, each pod as a process; one is killed and begun again, as `restartPolicy: OnFailure` does.
#[test]
fn the_pods_of_the_kubernetes_example_give_the_certificate_of_one_run() {
    let lab = Lab::new();
    // What the volumes are.
    for name in ["plan", "shards"] {
        std::fs::create_dir_all(lab.path(name)).expect("writable");
    }
    let audit = include_str!("../../examples/kubernetes/audit.yaml");
    let merge = include_str!("../../examples/kubernetes/merge.yaml");
    let plan = audit.lines().find_map(|line| line.strip_prefix("#   deckproof ")).expect("the first command");
    let plan = plan.replace("1e9", "700000").replace("--out plan", "--tiers core --out plan/plan");
    lab.run(&plan.split(' ').collect::<Vec<_>>()).ends(0);
    let run = |arguments: &[String]| lab.run(&arguments.iter().map(String::as_str).collect::<Vec<_>>());
    let pods =
        audit.lines().find_map(|line| line.trim().strip_prefix("completions: ")).expect("so many pods");
    for pod in 0..pods.parse().expect("a number") {
        let arguments = job_arguments(audit, &lab, pod);
        if pod == 2 {
            let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
            kill(lab.command(&words).spawn().expect("it runs"));
        }
        run(&arguments).ends(0);
    }
    let merged = run(&job_arguments(merge, &lab, 0));
    let whole = lab.run(&["audit", "--plan", "plan/plan.toml", "--out", "whole", "--quiet"]);
    assert_eq!(merged.code, whole.code, "{merged}");
    assert!(lab.read("shards/certificate/certificate.json") == lab.read("whole/certificate.json"));
}

#[test]
fn files_are_sharded_too() {
    let lab = Lab::new();
    lab.write("decks", (1..=70_000).flat_map(deck).collect::<Vec<u8>>());
    let whole = lab.run(&["audit", "--source", "raw:decks", "--tiers", "core", "--out", "whole"]);
    for part in ["1/2", "2/2"] {
        let question = ["audit", "--source", "raw:decks", "--tiers", "core", "--shard", part, "--out", "s"];
        lab.run(&question).ends(0);
    }
    let output = lab.run(&["merge", "s/shard-1-of-2.tally", "s/shard-2-of-2.tally", "--out", "merged"]);
    assert_eq!(output.code, whole.code, "{output}");
    output.must_print("none of them was read again");
    assert!(lab.read("merged/certificate.json") == lab.read("whole/certificate.json"));
}

#[test]
fn shards_that_do_not_tile_one_plan_are_refused() {
    let lab = Lab::new();
    let plan = ["--decks", "140000", "--tiers", "core"];
    let [a, b, c] = ["1/3", "2/3", "3/3"].map(|part| shard(&lab, KEY, &plan, part, "s"));
    let half = shard(&lab, KEY, &plan, "1/2", "half");
    let other_key = shard(&lab, &KEY.replace('0', "1"), &plan, "2/3", "key");
    let other_decks = shard(&lab, KEY, &["--decks", "140001", "--tiers", "core"], "2/3", "decks");
    let source = format!("audit:{KEY}");
    let unfinished = ["audit", "--source", &source, "--shard", "2/3", "--checkpoint", "unfinished"];
    let child = lab.command(&[&unfinished, &plan[..]].concat()).spawn().expect("it runs");
    wait_until("the first checkpoint", || header(&lab, "unfinished").is_some());
    kill(child);
    let good = lab.read(&b);
    let places = [0, 30, good.len() / 2, good.len() - 33, good.len() - 1];
    let damaged: Vec<String> = places.iter().map(|place| format!("damaged-{place}")).collect();
    for (name, &place) in damaged.iter().zip(&places) {
        let mut bytes = good.clone();
        bytes[place] ^= 4;
        lab.write(name, bytes);
    }
    lab.write("cut", &good[..good.len() / 2]);
    lab.write("empty", "");
    let mut wrong: Vec<Vec<&str>> = vec![
        vec![&a, &c],
        vec![&a, &b],
        vec![&b, &c],
        vec![&a, &a, &b, &c],
        vec![&a, &b, &b],
        vec![&half, &b, &c],
        vec![&half],
        vec![&a, &other_key, &c],
        vec![&a, &other_decks, &c],
        vec![&a, "cut", &c],
        vec![&a, "empty", &c],
        vec![&a, "missing", &c],
        vec![&a, ".", &c],
    ];
    if lab.exists("unfinished") {
        wrong.push(vec![&a, "unfinished", &c]);
    }
    wrong.extend(damaged.iter().map(|name| vec![a.as_str(), name.as_str(), c.as_str()]));
    for files in wrong {
        let output = lab.run(&[&["merge", "--out", "m"], &files[..]].concat());
        assert_eq!((output.code, output.out.as_str()), (2, ""), "{files:?}: {output}");
        assert!(!lab.exists("m") && !output.warns("panicked"), "{files:?}: {output}");
    }
    lab.run(&["merge", &a, &b, &c, "--out", "m"]).ends_in(&[0, 1]);
    // A shard of another audit is not overwritten either.
    let source = format!("audit:{}", KEY.replace('0', "1"));
    let question = ["audit", "--source", &source, "--shard", "2/3", "--out", "s"];
    lab.run(&[&question, &plan[..]].concat()).refused();
    assert!(lab.read(&b) == good);
}
