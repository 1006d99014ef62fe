//! Every example of a help text is typed. Paths of another machine are put into the folder of the test, and numbers that take
//! minutes are made small: each such change stands here.

use std::process::{Command, Stdio};

use crate::common::lab::{KEY, Lab, Output, deck, index_line, lines, sha256};
use crate::common::room::{Room, hand};
use crate::predict::xorshift_decks;

/// Examples that need what a test does not have: a program of the reader's, time, or another program.
const NOT_TYPED_ALONE: [&str; 4] = ["'cmd:./shuffler", "--plan", "--decks 1e6", "~/.local"];

fn typed(lab: &Lab, line: &str) -> Output {
    lab.typed(line, &[])
}

/// What the examples name, as a reader would have it.
fn prepare(lab: &Lab) {
    let decks = |from: u64, to: u64| lines(from..=to);
    lab.write("export.csv", (9_000..9_100).fold(decks(1, 9_000), |text, n| text + &index_line(&deck(n + 1))));
    for (name, from) in [("real.txt", 1), ("play.txt", 301), ("before.csv", 601), ("after.csv", 901)] {
        lab.write(name, decks(from, from + 299));
    }
    lab.write("key.txt", KEY);
    lab.write("hand.txt", KEY);
    lab.write("hands.txt", "As Ks 9h 9d 4c 3c 2s\nAs Ks 9h 9d 4c\n");
    let fixture =
        |name: &str| std::fs::read(format!("{}/fixtures/samples/{name}", env!("CARGO_MANIFEST_DIR")));
    lab.write("hand.phh", fixture("hand.phh").expect("a sample"));
    lab.write("HandHistory.txt", fixture("room.txt").expect("a sample"));
    lab.write("wsop/1.phh", fixture("hand.phh").expect("a sample"));
}

/// The examples of a command.
fn examples(command: &str) -> Vec<String> {
    let text = include_str!("../../src/cli/examples.txt");
    let section = text.split("\n\n").find_map(|section| section.strip_prefix(&format!("{command}:\n")));
    let lines = section.expect("it has examples").lines();
    lines.filter(|line| line.starts_with("  deckproof ")).map(|line| line.trim().to_owned()).collect()
}

#[test]
fn examples_that_stand_alone_do_what_they_say() {
    let lab = Lab::new();
    prepare(&lab);
    for (command, codes) in [
        ("rank", &[0][..]),
        // A hand need not fit another rule set, which is then an answer.
        ("replay", &[0, 1]),
        ("hands", &[0, 2]),
        ("completions", &[0]),
        ("seed", &[0]),
        ("plan", &[0]),
        ("compare", &[0, 1, 2]),
    ] {
        for line in examples(command) {
            if NOT_TYPED_ALONE.iter().any(|part| line.contains(part)) || line.contains("table-1/certificate")
            {
                continue;
            }
            let output = typed(&lab, &line.replace("--out seed.txt", "--out seed-$$.txt"));
            assert!(codes.contains(&output.code), "{line}: {output}");
            // Could not say is an answer about few decks, and never a complaint about what was typed.
            assert!(!output.warns("Usage:") && !output.warns("No such file"), "{line}: {output}");
        }
    }
}

#[test]
fn tables_logs_and_bundles_of_the_examples_are_made_by_the_examples() {
    let lab = Lab::new();
    let run = |line: &str| {
        let output = typed(&lab, line);
        assert_eq!(output.code, 0, "{line}: {output}");
    };
    let deal = examples("deal");
    run(&deal[1].replace("--out hands", "--out six"));
    run(&deal[0]);
    run(&deal[2]);
    let log = examples("log");
    run(&log[0]);
    // As the words below it say: dealt with the name of the log.
    let named = deal[0]
        .replace("--table T-1", "--table T-9 --origin stud.example/log1")
        .replace("--out hands", "--out named");
    run(&named);
    run(&log[1].replace("hands/public", "named/public"));
    for line in &examples("bundle")[..2] {
        run(line);
    }
}

/// A night, its record and its page, as the examples have them; the mail goes to a file in the place of a server.
#[test]
fn nights_records_and_pages_of_the_examples_are_made_by_the_examples() {
    let lab = Lab::new();
    let decks = |from: u64| lines(from..from + 1_000);
    lab.write("export.csv", decks(1));
    let text =
        "name = \"T\"\nsource = \"export.csv\"\nfolder = \"integrity\"\ntiers = \"core\"\nfresh_decks = 0\n";
    lab.write("daily.toml", text);
    let run = |line: &str, code: i32| {
        let output = typed(&lab, line);
        assert_eq!(output.code, code, "{line}: {output}");
        output.out
    };
    let daily = examples("daily");
    assert!(run(&daily[0], 0).contains(": PASS, "), "the mail");
    lab.write("etc/table-1.toml", text);
    lab.write("etc/export.csv", decks(5_001));
    run(&daily[1].replace("/etc/deckproof", "etc"), 0);
    assert!(lab.exists("etc/integrity/daily.db"), "paths begin at the configuration");
    run(&daily[2].replace("mail -s shuffler ops@stud.example", "cat > mail"), 0);
    assert!(lab.text("mail").contains("already judged: row 1, PASS"));
    let history = examples("history");
    assert!(run(&history[0], 0).contains("No stop is active.") || run(&history[0], 0).contains("passed"));
    run(&history[1], 0);
    assert!(lab.text("days.csv").starts_with("row,day,result"));
    // Row 12 of an old mail is not in a record of one row.
    assert!(run(&history[2], 1).contains("the record ends at row 1"));
    let folder = std::fs::read_dir(lab.path("integrity")).expect("a folder").flatten();
    let day = folder.map(|entry| entry.path().join("certificate.json")).find(|path| path.exists());
    std::fs::copy(day.expect("the day has one"), lab.path("certificate.json")).expect("writable");
    for line in examples("report") {
        run(&line, 0);
    }
    std::fs::create_dir_all(lab.path("reports/A")).expect("writable");
    typed(&lab, "cp $(ls integrity/2*/report.json | head -1) reports/A/1.json; touch allowed_signers")
        .ends(0);
    let inbox = examples("inbox");
    assert!(run(&inbox[0], 0).contains("A, T: REPORTED"));
    assert!(run(&inbox[1], 2).contains("1 without a signature"));
    run(&inbox[2], 0);
    assert!(
        run("deckproof history integrity etc/integrity --html overview.html", 0)
            .contains("2 records: 1 day, 1 day")
    );
    assert!(lab.exists("overview.html"));
    assert!(lab.exists("report.html") && lab.exists("tables"));
}

/// A run of an example with the numbers or paths that a test changes.
fn changed(lab: &Lab, line: &str, changes: &[(&str, &str)], codes: &[i32]) -> Output {
    let line = changes.iter().fold(line.to_owned(), |line, (from, to)| {
        assert!(line.contains(from), "{line}: {from}");
        line.replace(from, to)
    });
    let output = typed(lab, &line);
    assert!(codes.contains(&output.code), "{line}: {output}");
    output
}

#[test]
fn measurements_of_the_examples_are_carried_out() {
    let lab = Lab::new();
    let [first, second, third] = &examples("power")[..] else { panic!("three") };
    changed(&lab, first, &[], &[0]);
    changed(&lab, second, &[("--seeds 20", "--dealers sattolo --seeds 1 --decks-max 100")], &[0]);
    assert!(lab.exists("power.json"));
    changed(&lab, third, &[(" --decks-max", " --seeds 2 --decks-max")], &[0]);
    let [first, second, third] = &examples("calibrate")[..] else { panic!("three") };
    changed(&lab, first, &[], &[0]);
    changed(&lab, second, &[("--runs 1000", "--tiers stud --runs 100 --sizes 100")], &[0]);
    assert!(lab.exists("calibration.json") && lab.exists("reports"));
    changed(&lab, third, &[("--runs 500", "--runs 100 --sizes 100")], &[0]);
}

#[test]
fn the_selftest_of_the_examples_passes_and_leaves_its_result() {
    let lab = Lab::new();
    for line in examples("selftest") {
        let output = changed(&lab, &line, &[], &[0]);
        assert!(line.contains("--json") == output.out.starts_with('{'), "{line}: {output}");
    }
    assert!(lab.exists("selftest/selftest.json"));
    let page = lab.text("validation.html");
    let certificate: deckproof::selftest::SelftestCertificate =
        serde_json::from_slice(&lab.read("selftest/selftest.json")).expect("it is a certificate");
    assert!(certificate.has_passed && certificate.checks.len() == 9);
    let executable = &certificate.tool.executable_sha256;
    assert_eq!(executable.len(), 64);
    let hash = sha256(&lab.read("selftest/selftest.json"));
    assert!(page.contains("All requirements that the selftest tests are met on this machine."));
    assert!(page.contains(&hash) && page.contains(executable.as_str()));
}

#[test]
fn the_generator_behind_an_export_is_recovered_by_the_examples() {
    let lab = Lab::new();
    lab.write("export.csv", xorshift_decks(5, 0));
    let [first, second, third] = &examples("predict")[..] else { panic!("three") };
    // Among all generators it takes as long as the budget says.
    changed(&lab, first, &[("--budget 30s", "--models xorshift32")], &[1]);
    changed(&lab, second, &[("--budget 30s", "--budget 1s")], &[0, 1]);
    changed(&lab, third, &[], &[1]);
}

#[test]
fn a_laboratory_carries_its_example_out_and_amends_it() {
    let lab = Lab::new();
    let [first, second, third] = &examples("certify")[..] else { panic!("three") };
    changed(&lab, first, &[], &[0]);
    let project = lab.text("project.toml");
    assert!(project.contains("\ndecks = 20_000\n") && project.contains("\ndecks = 2_000\n"));
    lab.write(
        "project.toml",
        project
            .replace("decks = 20_000", "decks = 1_000")
            .replace("decks = 2_000", "decks = 1_000")
            .replace("tiers = [\"core\", \"deep\"]", "tiers = [\"core\"]")
            .replace("players = [2, 3, 4, 5, 6, 7, 8]", "players = [2, 8]")
            // Fresh decks miss one of the standards of 95 % now and then.
            .replacen("settings = {}", "settings = { seed = \"an example\" }", 1),
    );
    // The example leaves fields empty that only people can fill in: tests passed, report incomplete.
    changed(&lab, second, &[], &[2]);
    changed(&lab, third, &[], &[2]);
    assert!(lab.exists("report/report.html") && lab.exists("report-2/report.html"));
}

#[test]
fn audits_plans_and_shards_of_the_examples_are_carried_out() {
    let lab = Lab::new();
    prepare(&lab);
    let decks = lab.read("real.txt");
    lab.write("decks", decks.repeat(1));
    lab.write("shuffler", "#!/bin/sh\nexec cat decks\n");
    typed(&lab, "chmod +x shuffler").ends(0);
    let [first, second, third] = &examples("audit")[..] else { panic!("three") };
    // The search for a generator takes seconds.
    let fewer = (" audit ", " audit --without recovered-generator ");
    changed(&lab, first, &[(" export.csv", " real.txt"), fewer], &[0, 2]);
    changed(&lab, second, &[fewer], &[0, 2]);
    changed(&lab, third, &[("--decks 1e6", "--decks 300"), fewer], &[0, 2]);
    changed(&lab, &examples("plan")[0], &[("--out plan.toml", "--out other.toml")], &[0]);
    let shards = "for n in 1 2; do deckproof audit --source real.txt --tiers core --shard $n/2 --out audit-1f-shards; done";
    typed(&lab, shards).ends(0);
    let made = typed(
        &lab,
        "cp $(ls audit-1f-shards/* | sed -n 1p) a.tally; cp $(ls audit-1f-shards/* | sed -n 2p) b.tally; ls audit-1f-shards",
    );
    for line in examples("merge") {
        let output = changed(&lab, &line, &[], &[0, 2]);
        assert!(!output.warns("No such file"), "{line}: {} {}", output.err, made.out);
    }
    assert!(lab.exists("whole/certificate.json"));
}

#[test]
fn decks_pages_and_bundles_of_the_examples_are_shown_and_verified() {
    let lab = Lab::new();
    prepare(&lab);
    for line in examples("deck") {
        changed(&lab, &(line.clone() + " < key.txt"), &[], &[0]);
    }
    let [page, served, code] = &examples("page")[..] else { panic!("three") };
    for line in [page, served] {
        assert_eq!(typed(&lab, &line.replace("/var/www/", "www-")).code, 0, "{line}");
    }
    assert!(lab.exists("verify.html") && lab.exists("www-verify.html"));
    assert!(typed(&lab, code).out.contains('\u{2588}'), "{code}");
    let deal = "deckproof deal --table T-1 --hands 1 --rules stud-hi --seats 1,2,4,5 --out hands";
    typed(&lab, deal).ends(0);
    typed(
        &lab,
        "deckproof bundle hands --hand 1 --seat 4 && find . -name 'seat-4.json' -o -name entries.txt",
    )
    .ends(0);
    let [first, second, third] = &examples("verify")[..] else { panic!("three") };
    changed(&lab, first, &[], &[0, 2]);
    typed(&lab, "cp hands/hand-1/seat-4.json .; cp hands/public/entries.txt .");
    // The cards are those of another hand: it says so.
    changed(&lab, second, &[], &[1]);
    let audit = "deckproof audit real.txt --tiers core --out a; cp a/certificate.json .";
    typed(&lab, audit).ends(0);
    changed(&lab, third, &[("--rerun", "--rerun --source real.txt")], &[0, 2]);
}

/// A service is asked to end as soon as it answers.
#[cfg(unix)]
#[test]
fn services_of_the_examples_begin_and_end() {
    let lab = Lab::new();
    lab.write("token.txt", format!("{KEY}\n"));
    typed(&lab, "deckproof log init room/log --origin stud.example/log1 --key log.key").ends(0);
    let [socket, port, lines] = &examples("serve")[..] else { panic!("three") };
    changed(&lab, &format!("{lines} < /dev/null"), &[], &[0]);
    let until_it_answers = " > said 2>&1 & own=$!; until [ -S room/socket ] || grep -q 127.0.0.1: said; do kill -0 $own || exit 9; sleep 0.05; done; kill $own; wait $own";
    for (line, port) in [(socket, None), (port, Some(("127.0.0.1:7001", "127.0.0.1:0")))] {
        let line = format!("{line}{until_it_answers}");
        // Asked to end, or ended by the signal: 128 + 15 to a shell.
        changed(&lab, &line, port.as_slice(), &[0, 143]);
    }
}

/// A vault, an opening and a case, as the examples have them, of a room in which seven hands were dealt.
#[test]
fn hands_are_opened_packed_and_removed_as_the_examples_say() {
    let room = Room::new();
    let run = |line: &str, code: i32| typed(&room.lab, line).ends(code);
    let [vault, dispute] = ["vault", "dispute"].map(examples);
    run(&vault[0], 0);
    run(&vault[0].replace("anna", "ben"), 0);
    let mut served = room.serve(&["--vault-recipients", "anna.txt", "--vault-recipients", "ben.txt"]);
    for call in (1..=7).flat_map(|number| hand("T-1", number, "stud-hi", "none", None)) {
        served.done(&call);
    }
    served.end();
    // Openings go into the log through the service that runs.
    let recipients = ["--vault-recipients", "anna.txt", "--vault-recipients", "ben.txt"];
    let mut service = room.command(&[&["serve", "room", "--log-key", "log.key"][..], &recipients].concat());
    let mut service = service.stderr(Stdio::null()).spawn().expect("it runs");
    run("until curl -s --unix-socket room/socket http://x/health > health; do sleep 0.1; done", 0);
    run(&vault[1], 0);
    run(&dispute[1], 0);
    service.kill().and_then(|()| service.wait()).expect("it runs");
    if Command::new("ssh-keygen").arg("-?").output().is_err() {
        println!("skipped: ssh-keygen is not installed");
        return;
    }
    run("rm case-7.zip && ssh-keygen -q -t ed25519 -N '' -C '' -f arbiter.ssh", 0);
    run("echo \"arbiter@stud.example $(cat arbiter.ssh.pub)\" > signers", 0);
    run(&dispute[0], 0);
    run(&dispute[2], 0);
    run(&vault[2], 0);
}
