//! `deckproof daily`: good days, bad days and days without a result, and the store they leave.

use crate::common::lab;

use crate::common::lab::{KEY, Lab, Said, deck, index_line, sha256};
use serde_json::Value;

fn config(source: &str, decks: &str) -> String {
    format!("name = \"Table 1\"\nsource = \"{source}\"\ndecks = {decks}\nfolder = \"days\"\n")
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
    check_mail(&day(&lab, &config("audit:@key", "2000")), 0, "PASS");
    check_mail(&day(&lab, &config("flawed:sattolo", "3000")), 1, "FAIL");
    check_mail(&day(&lab, &config("csv:bad.csv", "2000")), 1, "ecord 1101");
    check_mail(&day(&lab, &config("csv:torn.csv", "1100")), 2, "COULD NOT SAY");
    check_mail(&day(&lab, &config("csv:missing.csv", "1100")), 2, "missing.csv");
    check_mail(&day(&lab, &config("cmd:sh -c 'exit 3'", "1100")), 2, "COULD NOT SAY");
    check_mail(&day(&lab, &config(&format!("audti:{KEY}"), "1100")), 2, "COULD NOT SAY");
    check_mail(&day(&lab, &config("audit:@key", "10")), 2, "INCONCLUSIVE");
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
        (good.replace("1000", "\"many\""), "line 3"),
        (good.replace("1000", "-5"), "line 3"),
        (good.replace("folder = \"days\"\n", ""), "folder"),
        (good.replace("Table 1", "Table\\n1"), "line 1"),
        (good.clone() + "decks = 5\n", "line 5"),
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
