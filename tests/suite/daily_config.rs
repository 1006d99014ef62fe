//! `deckproof daily --check-config`: a configuration that a night could not use is told in the evening, all of it at once.

use crate::common::lab::{Lab, Output, deck, index_line, lines};

/// A configuration that can be used, and what it names.
fn sound() -> (Lab, String) {
    let lab = Lab::new();
    lab.write("export.csv", lines(1..=1_000));
    let text = "name = \"Table 1\"\nfolder = \"days\"\nsource = \"export.csv\"\ntiers = \"core\"\n";
    (lab, text.to_owned())
}

fn check_config(lab: &Lab, text: &str) -> Output {
    lab.write("daily.toml", text);
    lab.run(&["daily", "--config", "daily.toml", "--check-config"])
}

/// One line of complaint for each of the words, and nothing is made.
fn check_refused(lab: &Lab, text: &str, words: &[&str]) {
    let output = check_config(lab, text);
    assert_eq!((output.code, output.out.as_str()), (2, ""), "{text}{output}");
    let lines: Vec<&str> = output.err.lines().filter(|line| line.contains("daily.toml: ")).collect();
    assert_eq!(lines.len(), words.len(), "{text}{output}");
    for words in words {
        assert!(lines.iter().any(|line| line.contains(words)), "{words}: {text}{output}");
    }
    assert!(!lab.exists("days"));
}

/// What a night would stop at is no note below "sound".
#[test]
fn a_record_that_cannot_be_used_is_a_fault() {
    let (lab, text) = sound();
    lab.shell("mkdir days && echo nothing > days/daily.db");
    let output = check_config(&lab, &text).refused();
    let named = "daily.toml: line 2: folder: the record cannot be used: ";
    output.must_warn(named).must_warn("daily.db");
}

#[test]
fn what_is_not_there_is_told_with_key_and_line() {
    let (lab, text) = sound();
    let output = check_config(&lab, &text);
    assert_eq!((output.code, output.err.as_str()), (0, ""), "{output}");
    output.must_begin("Table 1: sound. ");
    lab.write("file", "a file");
    lab.shell("mkdir T-1");
    for (more, words) in [
        ("manifest = \"list\"\n", "line 5: manifest: there is no file \"list\", wanted the list that"),
        (
            "manifest_base = \"bin\"\n",
            "line 5: manifest_base: there is no folder \"bin\", wanted the folder in",
        ),
        ("sign_key = \"key\"\n", "line 5: sign_key: there is no file \"key\", wanted a key of OpenSSH"),
        ("trust = \"trust.json\"\n", "line 5: trust: there is no file \"trust.json\""),
        ("log = \"log\"\n", "line 5: log: there is no folder \"log\""),
        ("tables = [\"T-1\", \"T-2\"]\n", "line 5: tables: there is no folder \"T-2\""),
        (
            "restart = \"no-such-shuffler --decks\"\n",
            "line 5: restart: there is no program \"no-such-shuffler\"",
        ),
        ("on_alarm = [\"./alarm.sh\", \"a\"]\n", "line 5: on_alarm: there is no program \"./alarm.sh\""),
        ("on_alarm = [\"./file\"]\n", "line 5: on_alarm: there is no program \"./file\""),
        (
            "metrics = \"prom/daily.prom\"\n",
            "line 5: metrics: there is no folder \"prom\", wanted the one that holds",
        ),
        ("junit = \"xml/daily.xml\"\n", "line 5: junit: there is no folder \"xml\""),
        ("beacon = \"round.json\"\n", "line 5: beacon: there is no file \"round.json\""),
        ("entropy_source = \"noise\"\n", "line 5: entropy_source: there is no file \"noise\""),
        ("entropy_source = \"cmd:no-noise\"\n", "line 5: entropy_source: there is no program \"no-noise\""),
        (
            "compare = \"play.csv\"\n",
            "line 5: compare: there is no file \"play.csv\", wanted a file or folder of decks",
        ),
        ("start_order = \"order\"\n", "line 5: start_order: there is no file \"order\""),
        // A step that its operator believes to be on.
        ("log = true\n", "line 5: log: found true or an empty list, wanted a value"),
        ("manifest = []\n", "line 5: manifest: found true or an empty list, wanted a value"),
        ("on_alarm = true\n", "line 5: on_alarm: found true or an empty list, wanted a value"),
        // And one that its operator believes to be off.
        ("selftest = \"false\"\n", "line 5: selftest: found \"false\", wanted true or false"),
        ("append_only = 0\n", "line 5: append_only: found \"0\", wanted true or false"),
        ("min_decks = 1.5\n", "line 5: min_decks: found \"1.5\", wanted a whole number"),
        ("restarts = 2.5\n", "line 5: restarts: found \"2.5\", wanted a whole number"),
        ("format = \"bogus\"\n", "line 5: format = \"bogus\": found \"bogus\", wanted"),
        ("players = 9\n", "found a table of stud-hi"),
        ("columns = \"c0\"\ntimeout = \"1m\"\n", "line 6: timeout says nothing about"),
    ] {
        let one = format!("{text}{more}").replace("tiers = \"core\"\nplayers", "tiers = \"stud\"\nplayers");
        let output = check_config(&lab, &one);
        assert!(output.code == 2 && output.warns(words), "{words}: {more}{output}");
    }
    for (source, words) in [
        ("exprot.csv", "line 3: source: there is no file \"exprot.csv\""),
        ("csv:exprot.csv", "line 3: source: there is no file \"exprot.csv\""),
        (
            "exports/{date}.csv",
            "line 3: source: there is no folder \"exports\", wanted the one that holds \"exports/{date}.csv\"",
        ),
        ("export-{dat}.csv", "line 3: source: found \"{dat}\", wanted {date} where the day is"),
        ("cmd:no-shuffler --decks", "line 3: source: there is no program \"no-shuffler\""),
        ("cmd:cat 'a", "line 3: source: missing closing quote"),
        ("audti", "line 3: source: found --source \"audti\""),
    ] {
        let one = text.replace("export.csv", source);
        let output = check_config(&lab, &one);
        let words = words.replace("--source", "source =");
        assert!(output.code == 2 && output.warns(&words), "{words}: {output}");
    }
    let dated = text.replace("export.csv", "export-{date}.csv");
    let output = check_config(&lab, &format!("{dated}append_only = true\n")).ends(2);
    output.must_warn("line 5: append_only: found {date} in source, which is another file each day");
    // A stream comes once: what a night examined of it is not compared by the next one.
    let growing = format!("{text}append_only = true\n");
    for source in ["cmd:cat export.csv", "-"] {
        let growing = growing.replace("\"export.csv\"", &format!("\"{source}\""));
        let words = "line 5: append_only: found a program or standard input in source";
        check_config(&lab, &growing).ends(2).must_warn(words);
        lab.write("daily.toml", growing);
        lab.night("2026-10-01", &[]).ends(2).must_warn(words);
    }
    let output = check_config(&lab, &text.replace("\"days\"", "\"days-{date}\"")).ends(2);
    output.must_warn("line 2: folder holds {date}");
    let output = check_config(&lab, &text.replace("\"days\"", "\"file/days\"")).ends(2);
    output.must_warn("line 2: folder: \"file\" is a file");
}

#[test]
fn everything_that_is_wrong_is_told_at_once() {
    let (lab, text) = sound();
    let more = "manifest = \"list\"\nlog = \"log\"\non_alarm = [\"no-alarm\"]\nmetrics = \"prom/a\"\nfresh_decks = 100\nstart_order = \"order\"\n";
    check_refused(
        &lab,
        &format!("{}{more}", text.replace("export.csv", "{dat}.csv")),
        &[
            "line 3: source: found \"{dat}\"",
            "line 5: manifest: ",
            "line 6: log: ",
            "line 7: on_alarm: ",
            "line 8: metrics: ",
            "line 9: fresh_decks: 100 decks are inconclusive every night, wanted 1,000 or more",
            "line 10: start_order: there is no file \"order\"",
        ],
    );
    // So are values that cannot be read, which end every run.
    let more = "decks = 0\nentropy_bits = 4\nreplay_hands = \"all\"\nday_ends = \"06:00 Mars/Olympus\"\nlanguage = \"xx\"\n";
    let words = [
        "line 5: decks", "line 6: entropy_bits", "line 7: replay_hands", "line 8: day_ends",
        "line 9: language",
    ];
    check_refused(&lab, &format!("{text}{more}"), &words);
}

#[test]
fn files_that_come_tomorrow_are_no_fault() {
    let (lab, text) = sound();
    lab.shell("mkdir exports prom");
    let more = "beacon = \"round-{date}.json\"\nmetrics = \"prom/daily.prom\"\nfresh_decks = 1000\n";
    for source in ["exports/{date}.csv", "exports/{date}/all.csv", "csv:exports/{date}.csv", "./{date}.csv"] {
        let output = check_config(&lab, &format!("{}{more}", text.replace("export.csv", source)));
        assert_eq!((output.code, output.err.as_str()), (0, ""), "{source}: {output}");
        output.must_print("Not there yet: ");
    }
    // Which day is asked for is told: without an hour at which it ends, the one that runs.
    check_config(&lab, &text).must_print("(UTC, it still runs; day_ends = \"00:00 UTC\" takes");
    check_config(&lab, &format!("{text}day_ends = \"00:00 UTC\"\n")).must_print("T00:00:00Z to ");
    check_config(&lab, &text.replace("export.csv", "cmd:sh -c 'true'")).ends(0).must_print("1 h of silence");
}

/// What a night would not judge is noted while the right file can still be had.
#[test]
fn hands_of_another_day_are_noted() {
    let (lab, text) = sound();
    let row = |n: u64| format!("{n};2026-11-0{}T12:00:00Z;{}\n", 1 + n % 2, index_line(&deck(n)).trim_end());
    let export = (1..=1_000).map(row).collect::<String>();
    lab.write("export.csv", format!("hand;dealt;deck\n{export}"));
    let text = text.replace("tiers", "id_column = \"hand\"\ntime_column = \"dealt\"\ntiers");
    let noted = |text: &str, date: &str| {
        lab.write("daily.toml", text);
        let output = lab.night(date, &["--check-config"]);
        assert_eq!((output.code, output.err.as_str()), (0, ""), "{output}");
        output.out
    };
    let out = noted(&text, "2026-11-03");
    let wanted = "  with the export that is there the night could not say: none of 1,000 records is inside the day 2026-11-03 ";
    assert!(out.contains(wanted) && !out.contains("_column"), "{out}");
    let out = noted(&text, "2026-11-02");
    assert!(out.contains("  500 records are outside the day 2026-11-02 "), "{out}");
    // A file that grows holds other days, too.
    let growing = format!("{text}append_only = true\n");
    assert!(!noted(&growing, "2026-11-02").contains("outside the day"));
    let out = noted(&text.replace("time_column = \"dealt\"\n", ""), "2026-11-02");
    assert!(out.contains("  without time_column the file of another day is not recognised.\n"), "{out}");
    // The night says so too: its mail lists what it did not look at.
    let night = lab.night("2026-11-02", &[]);
    night.must_print("not set up: dates of the hands (time_column)");
    assert!(!lab.text("days/2026-11-02/report.json").contains("refused by the log"), "there is no log");
}

#[test]
fn a_list_that_was_made_in_another_folder_is_told() {
    let (lab, text) = sound();
    lab.shell("mkdir -p game/bin other && echo a > game/bin/shuffler");
    lab.shell(&format!(
        "cd game && {} manifest make --out ../list bin",
        crate::common::lab::binary().display()
    ))
    .ends(0);
    let with =
        |base: &str| check_config(&lab, &format!("{text}manifest = \"list\"\nmanifest_base = \"{base}\"\n"));
    with("game").ends(0);
    let output = with("other");
    let wanted = "line 6: manifest_base: none of the files of the list is in \"other\", wanted the folder in which there is \"bin/shuffler\"";
    assert!(output.code == 2 && output.warns(wanted), "{output}");
    // A night that runs all the same says it on one line.
    let output = lab.night("2026-11-01", &[]);
    let wanted =
        "code identity: no listed file is in other, wanted the folder with bin/shuffler as manifest_base\n";
    assert!(output.code == 1 && output.prints(wanted), "{output}");
}

#[test]
fn two_shufflers_share_neither_folder_nor_decks() {
    let (lab, _) = sound();
    let shuffler = |name: &str, more: &str| {
        format!("[[shuffler]]\nname = \"{name}\"\nfolder = \"days-{name}\"\n{more}\n")
    };
    lab.write("b.csv", lab.read("export.csv"));
    let both = shuffler("a", "source = \"export.csv\"") + &shuffler("b", "source = \"b.csv\"");
    check_config(&lab, &both).ends(0);
    lab.shell("mkdir days-a && ln -s days-a linked");
    for (text, words) in [
        (both.replace("b.csv", "./export.csv"), "source: a and b read one file"),
        (both.replace("b.csv", "csv:export.csv"), "source: a and b read one file"),
        (both.replace("days-b", "./days-a/"), "two shufflers have the name"),
        (both.replace("days-b", "linked"), "folder: a and b have one folder"),
        (
            both.replace(".csv\"", ".csv\"\nmetrics = \"m.prom\"").replacen("m.prom", "a.prom", 1),
            "metrics: a and b name two files",
        ),
        (both.replace("b.csv", "c.csv"), "b: source: there is no file \"c.csv\""),
        (
            both.replace(".csv\"", ".csv\"\nkept_rows = \"linked/../kept.rows\""),
            "kept_rows: a and b write one list",
        ),
        (
            both.replace("b.csv\"", "b.csv\"\nkept_rows = \"nowhere/kept.rows\""),
            "b: kept_rows: there is no folder \"nowhere\"",
        ),
        (
            both.replace("export.csv\"", "export.csv\"\nkept_rows = \"linked/kept.rows\""),
            "kept_rows: \"linked/kept.rows\" is in the folder of the days",
        ),
    ] {
        check_config(&lab, &text).ends(2).must_warn(words);
    }
    // No night begins so: the decks of the first would be a repeat among those of the second, for good.
    lab.write("daily.toml", both.replace("b.csv", "./export.csv"));
    let output = lab.night("2026-11-01", &[]).ends(2);
    output.must_warn("source: a and b read one file");
    assert!(!lab.exists("days-b/daily.db"));
}

/// Whatever a night writes takes the place of nothing that it reads, nor of somebody else's file.
#[test]
fn a_file_that_is_written_overwrites_none_that_is_read_and_none_of_somebody_else() {
    let (lab, text) = sound();
    let text = text.replace("export.csv", "export-{date}.csv") + "manifest = \"list\"\n";
    lab.write("export-2026-11-01.csv", lines(1..=1_000));
    lab.write("bin", "an executable");
    lab.run(&["manifest", "make", "--out", "list", "bin"]).ends(0);
    lab.write("notes.xml", "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n</testsuites>\n");
    lab.shell("mkfifo pipe && ln -s daily.toml linked").ends(0);
    let check = |key: &str, file: &str, words: &str| {
        lab.write("daily.toml", format!("{text}{key} = \"{file}\"\n"));
        let before = lab.shell("sha256sum *.csv *.toml bin list *.xml").out;
        let wanted = format!("line 6: {key}: {file:?}").replace("{date}", "2026-11-01") + words;
        lab.night("2026-11-01", &["--check-config"]).refused().must_warn(&wanted);
        lab.night("2026-11-01", &[]).refused().must_warn(&wanted);
        assert_eq!(lab.shell("sha256sum *.csv *.toml bin list *.xml").out, before);
    };
    let foreign = " is there, and no night wrote it; wanted another file";
    for key in ["metrics", "junit"] {
        check(key, "daily.toml", " is the configuration");
        check(key, "./linked", " is the configuration");
        check(key, "export-{date}.csv", " is what source names, which a night reads");
        check(key, "list", " is what manifest names, which a night reads");
        check(key, "days/daily.db", " is in the folder of the days");
        check(key, "bin", foreign);
        check(key, "notes.xml", foreign);
        check(key, "pipe", " is no regular file");
    }
    check("kept_rows", "export-{date}.csv", " is what source names");
    check("kept_rows", "days/rows", " is in the folder of the days");
    let both = format!("{text}metrics = \"one\"\njunit = \"./one\"\n");
    check_config(&lab, &both).ends(2).must_warn("line 6: metrics: \"one\" is what junit names too");
    // Their own of the night before are overwritten, and one that is empty.
    lab.write("daily.toml", format!("{text}metrics = \"m.prom\"\njunit = \"j.xml\"\n"));
    lab.write("m.prom", "");
    for night in ["2026-11-01", "2026-11-02"] {
        lab.write(
            &format!("export-{night}.csv"),
            lines(if night.ends_with('1') { 1..=1_000 } else { 1_001..=2_000 }),
        );
        lab.night(night, &[]).ends(0);
        assert!(
            lab.text("m.prom").contains("deckproof_daily_exit_code")
                && lab.text("j.xml").contains("<testsuite ")
        );
    }
}
