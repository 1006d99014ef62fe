//! `deckproof daily`: good days, bad days and days without a result, and the store they leave.

use crate::common::lab;

use crate::common::lab::{KEY, Lab, Said, deck, index_line, sha256};
use serde_json::Value;

fn config(source: &str, decks: &str) -> String {
    format!(
        "name = \"Table 1\"\nsource = \"{source}\"\ndecks = {decks}\nfolder = \"days\"\ntiers = \"core\"\n"
    )
}

fn day(lab: &Lab, text: &str) -> Said {
    lab.write("daily.toml", text);
    lab.run(&["daily", "--config", "daily.toml"])
}

/// The lines of the store, each of which names the one before it.
fn store(lab: &Lab) -> Vec<Value> {
    let text = String::from_utf8(lab.read("days/daily.jsonl")).expect("UTF-8");
    assert!(text.ends_with('\n'));
    let mut previous = String::new();
    let mut days = Vec::new();
    for line in text.lines() {
        let day: Value = serde_json::from_str(line).expect("a line of JSON");
        assert_eq!(day["previous_sha256"], previous, "{text}");
        previous = sha256(line.as_bytes());
        days.push(day);
    }
    days
}

fn check_mail(said: &Said, code: i32, words: &str) {
    assert_eq!(said.code, code, "{}{}", said.out, said.err);
    assert_eq!(said.out.lines().filter(|line| !line.trim().is_empty()).count(), 5, "{}", said.out);
    assert_eq!(said.out.lines().count(), 5, "{}", said.out);
    assert!(said.out.contains(words), "{}", said.out);
}

#[test]
fn each_kind_of_day_leaves_a_line_and_five_lines_of_mail() {
    let lab = Lab::new();
    lab.write("key", format!("{KEY}\n"));
    let lines: String = (1..=1100).map(|n| index_line(&deck(n))).collect();
    lab.write("bad.csv", lines.clone() + &index_line(&[7; 52]) + &lines);
    lab.write("torn.csv", &lines[..lines.len() - 20]);
    check_mail(&day(&lab, &config("audit:@key", "2000")), 0, "PASS, 2,000 decks of the certified shuffle");
    check_mail(&day(&lab, &config("flawed:sattolo", "3000")), 1, "FAIL");
    check_mail(&day(&lab, &config("csv:bad.csv", "2000")), 1, "ecord 1101");
    check_mail(&day(&lab, &config("csv:torn.csv", "1100")), 2, "COULD NOT SAY");
    check_mail(&day(&lab, &config("csv:missing.csv", "1100")), 2, "missing.csv");
    check_mail(&day(&lab, &config("cmd:sh -c 'exit 3'", "1100")), 2, "COULD NOT SAY");
    check_mail(&day(&lab, &config(&format!("audti:{KEY}"), "1100")), 2, "COULD NOT SAY");
    lab.write("other", format!("{}\n", KEY.replace("00", "77")));
    check_mail(&day(&lab, &config("audit:@other", "10")), 2, "INCONCLUSIVE");
    let days = store(&lab);
    let verdicts: Vec<&str> = days.iter().filter_map(|day| day["verdict"].as_str()).collect();
    let none = "could not say";
    assert_eq!(verdicts, ["pass", "fail", "fail", none, none, none, none, "inconclusive"]);
    for day in days.iter().filter(|day| day["verdict"] != none) {
        let path = format!("days/{}", day["certificate"].as_str().expect("a path"));
        assert_eq!(day["certificate_sha256"], sha256(&lab.read(&path)));
    }
    let text = String::from_utf8(lab.read("days/daily.jsonl")).expect("UTF-8");
    assert!(!text.contains(KEY), "the key of the configuration is in the store");
}

#[test]
fn mistakes_in_the_configuration_are_told_with_their_line() {
    let lab = Lab::new();
    let good = config("audit", "1000");
    for (text, named) in [
        (good.replace("decks = 1000", "decks = 0"), "line 3"),
        (good.replace("decks", "deck"), "line 3"),
        (good.clone() + "players = 9\nrules = [[1]]\n", "line 7"),
        (good.replace("core", "cure"), "line 5: tiers: found \"cure\""),
        (good.clone() + "timeout = 1979-05-27\n", "line 6"),
        (good.replace("1000", "\"many\""), "line 3"),
        (good.replace("1000", "-5"), "line 3"),
        (good.replace("folder = \"days\"\n", ""), "folder"),
        (good.replace("Table 1", "Table\\n1"), "line 1"),
        (good.clone() + "decks = 5\n", "line 6"),
        (good.replace("\"audit\"", &format!("audit:{KEY}")), "line 2"),
        (String::new(), "name"),
    ] {
        let said = day(&lab, &text);
        assert_eq!((said.code, said.out.as_str()), (2, ""), "{text}{}", said.err);
        assert!(said.err.contains(named), "{text}{}", said.err);
        assert!(said.err.contains("daily.toml") && !said.err.contains(&KEY[..20]), "{}", said.err);
        assert!(!lab.exists("days"));
    }
    let said = lab.run(&["daily", "--config", "missing.toml"]);
    assert_eq!((said.code, said.out.as_str()), (2, ""));
}

#[test]
fn a_torn_store_is_refused_before_anything_is_counted() {
    let lab = Lab::new();
    assert_eq!(day(&lab, &config("audit", "1000")).err, "");
    let whole = lab.read("days/daily.jsonl");
    let torn = &whole[..whole.len() - 5];
    lab.write("days/daily.jsonl", torn);
    // A trillion decks would take days.
    let said = day(&lab, &config("audit", "1000000000000"));
    assert_eq!((said.code, said.out.as_str()), (2, ""), "{}", said.err);
    assert!(said.err.contains("torn"), "{}", said.err);
    assert_eq!(lab.read("days/daily.jsonl"), torn);
}

#[test]
fn jobs_at_once_do_not_tear_the_store() {
    let lab = Lab::new();
    lab.write("daily.toml", config("audit", "1000"));
    let jobs: Vec<_> =
        (0..6).map(|_| lab.command(&["daily", "--config", "daily.toml"]).spawn().expect("it runs")).collect();
    for job in jobs {
        let said = Said::from(job.wait_with_output().expect("it ends"));
        assert!([0, 1].contains(&said.code), "{}{}", said.out, said.err);
    }
    let days = store(&lab);
    assert_eq!(days.len(), 6);
    let mut places: Vec<&str> = days.iter().filter_map(|day| day["certificate"].as_str()).collect();
    places.sort_unstable();
    places.dedup();
    assert_eq!(places.len(), 6, "every job has its own folder");
    for day in &days {
        let path = format!("days/{}", day["certificate"].as_str().expect("a path"));
        assert_eq!(day["certificate_sha256"], sha256(&lab.read(&path)));
    }
}

#[test]
fn mail_that_nobody_takes_does_not_change_the_day() {
    let lab = Lab::new();
    lab.write("key", KEY);
    lab.write("daily.toml", config("audit:@key", "1000"));
    let said = lab.shell(&format!("{} daily --config daily.toml > /dev/full", lab::binary().display()));
    assert_eq!(said.code, 2, "{}", said.err);
    let days = store(&lab);
    assert_eq!((days.len(), &days[0]["verdict"]), (1, &Value::from("pass")));
}

/// A file of the first `decks` of the made-up decks.
fn export(lab: &Lab, name: &str, decks: std::ops::RangeInclusive<u64>) {
    lab.write(name, decks.map(|n| index_line(&deck(n))).collect::<String>());
}

#[test]
fn the_mail_begins_with_whose_decks_and_how_many_of_how_many() {
    let lab = Lab::new();
    export(&lab, "export.csv", 1..=1200);
    let base =
        "name = \"Table 1\"\nfolder = \"days\"\nsource = \"csv:export.csv\"\ntiers = [\"core\", \"stud\"]\n";
    let part =
        day(&lab, &format!("{base}decks = 1000\nrules = \"stud-8b\"\nplayers = 5\nno_repeat = true\n"));
    check_mail(
        &part,
        0,
        "PASS, export.csv: recorded decks in format indices, 1,000 of 1,200 records, number 1 to 1,000; the rest was not looked at.\n",
    );
    assert!(part.out.contains("at the table stud-8b, 5 players"), "{}", part.out);
    // All records where nobody says how many; those of the first day are among them.
    let all = day(&lab, base);
    check_mail(&all, 2, "nothing new was examined: these are the decks of line 1 of daily.jsonl (2");
    let rest = day(&lab, &format!("{base}records = \"1001..1200\"\n"));
    check_mail(&rest, 2, "INCONCLUSIVE, export.csv: recorded decks in format indices, 200 of 1,200 records");
    export(&lab, "export.csv", 1201..=2200);
    check_mail(
        &day(&lab, base),
        0,
        "PASS, export.csv: recorded decks in format indices, all 1,000 records.\n",
    );
}

#[test]
fn a_growing_file_of_which_only_the_head_is_read_is_nothing_new() {
    let lab = Lab::new();
    export(&lab, "export.csv", 1..=1200);
    check_mail(&day(&lab, &config("csv:export.csv", "1000")), 0, "1,000 of 1,200");
    export(&lab, "export.csv", 1..=1300);
    check_mail(&day(&lab, &config("csv:export.csv", "1000")), 2, "nothing new was examined");
    lab.write("again.csv", lab.read("export.csv"));
    check_mail(&day(&lab, &config("cmd:cat again.csv", "1300")), 0, "PASS, 1,300 decks of a stream");
    check_mail(&day(&lab, &config("cmd:cat again.csv", "1300")), 2, "decks of line 3");
    check_mail(&day(&lab, &config("flawed:sattolo:4", "2000")), 1, "FAIL");
    check_mail(&day(&lab, &config("flawed:sattolo:4", "3000")), 2, "nothing new was examined");
    check_mail(&day(&lab, &config("flawed:sattolo:5", "3000")), 1, "FAIL");
    assert_eq!(store(&lab).len(), 7);
}

/// The store is recomputed before a line is added: what was edited, taken out or swapped is named, and nothing is added.
#[test]
fn a_changed_store_is_refused_and_the_line_is_named() {
    let lab = Lab::new();
    (1..=3)
        .for_each(|seed| assert_eq!(day(&lab, &config(&format!("flawed:sattolo:{seed}"), "2000")).code, 1));
    let good = String::from_utf8(lab.read("days/daily.jsonl")).expect("UTF-8");
    let lines: Vec<&str> = good.lines().collect();
    let places: Vec<Value> = store(&lab).into_iter().map(|day| day["certificate"].clone()).collect();
    let check = |text: &str, says: &str| {
        lab.write("days/daily.jsonl", text);
        let said = day(&lab, &config("flawed:sattolo:9", "1000000000"));
        check_mail(&said, 1, "REFUSED");
        assert!(said.out.contains(says), "{says}: {}", said.out);
        assert_eq!(lab.read("days/daily.jsonl"), text.as_bytes(), "nothing was added");
    };
    let joined = |lines: &[&str]| lines.iter().map(|line| format!("{line}\n")).collect::<String>();
    let edited = lines[1].replace("fail", "pass");
    check(&joined(&[lines[0], &edited, lines[2]]), "line 2 was edited, or lines after it were taken out");
    check(&joined(&[lines[0], lines[2]]), "line 1 was edited, or lines after it were taken out");
    check(&joined(&[lines[0], lines[2], lines[1]]), "lines were swapped: line 2 was written after line 3");
    // No line follows the last one, but its certificate does.
    check(&joined(&[lines[0], lines[1], &lines[2].replace("\"fail", "\"pass")]), "line 3");
    check(&joined(&lines[..2]), &format!("{} is named by no line", places[2].as_str().expect("a path")));
    let certificate = format!("days/{}", places[0].as_str().expect("a path"));
    let whole = lab.read(&certificate);
    lab.write(&certificate, String::from_utf8_lossy(&whole).replacen("fail", "pass", 1));
    check(&good, "line 1: ");
    lab.write(&certificate, whole);
    assert_eq!(day(&lab, &config("flawed:sattolo:9", "2000")).code, 1);
    assert_eq!(store(&lab).len(), 4);
}

#[test]
fn paths_begin_at_the_configuration_and_a_program_that_hangs_ends_with_a_line() {
    let lab = Lab::new();
    std::fs::create_dir_all(lab.path("etc/daily")).expect("folders");
    export(&lab, "etc/daily/export.csv", 1..=1000);
    lab.write("etc/daily/order", "2c 2d 2h 2s 3c 3d 3h 3s 4c 4d 4h 4s 5c 5d 5h 5s 6c 6d 6h 6s 7c 7d 7h 7s 8c 8d 8h 8s 9c 9d 9h 9s Tc Td Th Ts Jc Jd Jh Js Qc Qd Qh Qs Kc Kd Kh Ks Ac Ad Ah As");
    let base = "name = \"a\"\nfolder = \"../days\"\ntiers = \"core\"\nstart_order = \"order\"\n";
    lab.write("etc/daily/a.toml", format!("{base}source = \"export.csv\"\n"));
    check_mail(&lab.run(&["daily", "--config", "etc/daily/a.toml"]), 0, "all 1,000 records");
    assert!(lab.exists("etc/days/daily.jsonl"));
    lab.write("etc/daily/b.toml", format!("{base}source = \"cmd:sleep 60\"\ntimeout = \"1s\"\n"));
    let started = std::time::Instant::now();
    let said = lab.run(&["daily", "--config", "etc/daily/b.toml"]);
    check_mail(&said, 2, "nothing came for 1 s");
    assert!(started.elapsed().as_secs() < 30, "it ended by its timeout");
    let text = String::from_utf8(lab.read("etc/days/daily.jsonl")).expect("UTF-8");
    assert_eq!(text.lines().count(), 2);
}
