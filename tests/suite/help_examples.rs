//! Every example of a help text is typed, where a minute is enough for it.

use std::process::Command;

use crate::common::lab::{KEY, Lab, Said, binary, deck, index_line};

/// Commands whose examples take minutes, which no test types. `examples.rs` parses all of them.
const NOT_TYPED: [&str; 5] = ["certify", "power", "calibrate", "selftest", "predict"];

/// Examples that need what a test does not have: a program of the reader's, time, or another program.
const NOT_TYPED_ALONE: [&str; 4] = ["'cmd:./shuffler", "--plan", "--decks 1e6", "~/.local"];

fn typed(lab: &Lab, line: &str) -> Said {
    let folder = binary().parent().expect("it lies in a folder").display().to_string();
    let path = format!("{folder}:{}", std::env::var("PATH").unwrap_or_default());
    let mut shell = Command::new("sh");
    shell.args(["-c", line]).current_dir(lab.path("")).env("PATH", path);
    shell.output().expect("a shell").into()
}

/// What the examples name, as a reader would have it.
fn prepare(lab: &Lab) {
    let decks = |from: u64, to: u64| (from..=to).map(|n| index_line(&deck(n))).collect::<String>();
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
    std::fs::create_dir(lab.path("wsop")).expect("writable");
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
            let said = typed(&lab, &line.replace("--out seed.txt", "--out seed-$$.txt"));
            assert!(codes.contains(&said.code), "{line}: {}{}", said.out, said.err);
            // Could not say is an answer about few decks, and never a complaint about what was typed.
            assert!(
                !said.err.contains("Usage:") && !said.err.contains("No such file"),
                "{line}: {}",
                said.err
            );
        }
    }
    for command in NOT_TYPED {
        assert_eq!(examples(command).len(), 3, "{command}");
    }
}

#[test]
fn tables_logs_and_bundles_of_the_examples_are_made_by_the_examples() {
    let lab = Lab::new();
    let run = |line: &str| {
        let said = typed(&lab, line);
        assert_eq!(said.code, 0, "{line}: {}{}", said.out, said.err);
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
    let decks = |from: u64| (from..from + 1_000).map(|n| index_line(&deck(n))).collect::<String>();
    lab.write("export.csv", decks(1));
    let text =
        "name = \"T\"\nsource = \"export.csv\"\nfolder = \"integrity\"\ntiers = \"core\"\nfresh_decks = 0\n";
    lab.write("daily.toml", text);
    let run = |line: &str, code: i32| {
        let said = typed(&lab, line);
        assert_eq!(said.code, code, "{line}: {}{}", said.out, said.err);
        said.out
    };
    let daily = examples("daily");
    assert!(run(&daily[0], 0).contains(": PASS, "), "the mail");
    std::fs::create_dir(lab.path("etc")).expect("writable");
    lab.write("etc/table-1.toml", text);
    lab.write("etc/export.csv", decks(5_001));
    run(&daily[1].replace("/etc/deckproof", "etc"), 0);
    assert!(lab.exists("etc/integrity/daily.db"), "paths begin at the configuration");
    run(&daily[2].replace("mail -s shuffler ops@stud.example", "cat > mail"), 0);
    assert!(String::from_utf8_lossy(&lab.read("mail")).contains("already judged: row 1, PASS"));
    let history = examples("history");
    assert!(run(&history[0], 0).contains("No stop is active.") || run(&history[0], 0).contains("passed"));
    run(&history[1], 0);
    assert!(String::from_utf8_lossy(&lab.read("days.csv")).starts_with("row,day,result"));
    // Row 12 of an old mail is not in a record of one row.
    assert!(run(&history[2], 1).contains("the record ends at row 1"));
    let folder = std::fs::read_dir(lab.path("integrity")).expect("a folder").flatten();
    let day = folder.map(|entry| entry.path().join("certificate.json")).find(|path| path.exists());
    std::fs::copy(day.expect("the day has one"), lab.path("certificate.json")).expect("writable");
    for line in examples("report") {
        run(&line, 0);
    }
    assert!(lab.exists("report.html") && lab.exists("tables"));
}
