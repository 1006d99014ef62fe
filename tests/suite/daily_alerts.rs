//! `deckproof daily`: what people are sent about a night that did not end well: alarms, stops that stand, days that are missing.

use std::fs::{self, File};
use std::io::{Read, Write};
use std::time::Duration;

use crate::common::lab::{Lab, Output, lines};
use crate::predict::xorshift_decks;

const BASE: &str = "name = \"T\"\nfolder = \"days\"\ntiers = \"core\"\nfresh_decks = 0\n";

/// A command on alarm that keeps the mail it gets.
const ALARM: &str = "on_alarm = [\"sh\", \"-c\", \"printf '%s' \\\"$DECKPROOF_MAIL\\\" > alarm\"]\n";

fn export(lab: &Lab, name: &str, first: u64) {
    lab.write(name, lines(first..first + 1_000));
}

/// Lines under 100 letters, and how it ended.
fn check_mail(output: &Output, code: i32) {
    assert!(output.code == code && output.out.lines().count() >= 5, "{code}: {output}");
    assert!(output.out.lines().all(|line| line.chars().count() < 100), "{output}");
}

fn line(output: &Output, number: usize) -> &str {
    output.out.lines().nth(number - 1).expect("five lines")
}

#[test]
fn a_job_that_waits_for_another_says_for_whom_at_once_and_goes_on_after_it() {
    let lab = Lab::new();
    export(&lab, "a.csv", 1);
    lab.write("daily.toml", format!("{BASE}source = \"a.csv\"\n"));
    fs::create_dir(lab.path("days")).expect("a folder");
    let mut held = File::create(lab.path("days/daily.lock")).expect("writable");
    held.write_all(b"process 77 since 2026-11-01T02:03:04Z").expect("writable");
    held.lock().expect("nobody has it");
    let mut job = lab.command(&["daily", "--config", "daily.toml"]).spawn().expect("it runs");
    let mut err = job.stderr.take().expect("it is piped");
    let mut words = Vec::new();
    let mut byte = [0];
    // The first line comes while the lock is held.
    while !words.ends_with(b"\n") && err.read(&mut byte).expect("readable") == 1 {
        words.push(byte[0]);
    }
    let words = String::from_utf8(words).expect("UTF-8");
    let wanted = "deckproof: another job (process 77 since 2026-11-01T02:03:04Z) has the record days; waiting at most 15 minutes.\n";
    assert_eq!(words, wanted);
    std::thread::sleep(Duration::from_millis(200));
    assert!(job.try_wait().expect("a child").is_none(), "it waits");
    drop(held);
    let output = Output::from(job.wait_with_output().expect("it ends"));
    check_mail(&output, 0);
    let signed = lab.text("days/daily.lock");
    assert!(signed.starts_with("process ") && !signed.starts_with("process 77 "), "{signed}");
}

#[test]
fn of_two_jobs_for_one_night_the_second_finds_it_judged() {
    let lab = Lab::new();
    export(&lab, "a.csv", 1);
    lab.write("daily.toml", format!("{BASE}source = \"a.csv\"\n"));
    let words = ["daily", "--config", "daily.toml", "--date", "2026-11-01"];
    let both = [lab.command(&words).spawn(), lab.command(&words).spawn()].map(|job| job.expect("it runs"));
    let output = both.map(|job| Output::from(job.wait_with_output().expect("it ends")));
    assert!(output.iter().all(|output| output.code == 0), "{}{}", output[0].out, output[1].out);
    assert_eq!(output.iter().filter(|output| output.prints("already judged: row 1")).count(), 1);
    lab.run(&["history", "days"]).ends(0).must_not_print("\n    2 ");
}

#[test]
fn a_damaged_record_calls_the_alarm_and_says_what_to_do() {
    let lab = Lab::new();
    lab.write("daily.toml", format!("{BASE}source = \"{{date}}.csv\"\n{ALARM}"));
    for day in 1..=3 {
        export(&lab, &format!("2026-11-0{day}.csv"), 1_000 * day);
    }
    check_mail(&lab.night("2026-11-01", &[]), 0);
    check_mail(&lab.night("2026-11-02", &[]), 0);
    let whole = lab.read("days/daily.db");
    let overwritten = {
        let mut bytes = whole.clone();
        bytes[..100].fill(0xa5);
        bytes
    };
    for (bytes, code) in [
        (overwritten, 2),
        (whole[..whole.len() / 2 + 100].to_vec(), 2),
        // A file without a byte would be a new database; the folders of the days are there.
        (Vec::new(), 2),
    ] {
        lab.write("days/daily.db", &bytes);
        let _ = fs::remove_file(lab.path("alarm"));
        let _ = fs::remove_dir(lab.path("days/incident-2026-11-03.json"));
        let output = lab.night("2026-11-03", &[]);
        check_mail(&output, code);
        assert_eq!(lab.text("alarm"), output.out, "who is told gets the mail");
        assert!(lab.exists("days/incident-2026-11-03.json") && !lab.exists("days/2026-11-03"));
        output.must_not_print(&lab.path("")).must_not_warn(&lab.path(""));
        if code == 2 {
            assert_eq!(
                line(&output, 1),
                "T, 2026-11-03: COULD NOT SAY, the record of earlier days is damaged or was changed"
            );
            assert!(line(&output, 3).starts_with("chain: daily.db"), "{output}");
            assert_eq!(
                line(&output, 2),
                "Keep the damaged folder aside, restore it from a backup, run daily again."
            );
            let quiet = lab.night("2026-11-03", &["--quiet"]);
            check_mail(&quiet, 2);
        }
        // An incident that cannot be written is no record either.
        fs::remove_file(lab.path("days/incident-2026-11-03.json")).expect("it was written");
        fs::create_dir(lab.path("days/incident-2026-11-03.json")).expect("in its place");
        let output = lab.night("2026-11-03", &[]);
        let fault = "days/incident-2026-11-03.json cannot be written: ";
        output.must_warn(fault).must_warn("The day is not recorded.");
        output.must_not_warn("is recorded");
    }
}

#[test]
fn an_alarm_that_fails_is_told_beside_the_mail() {
    let lab = Lab::new();
    for (alarm, words) in [
        (
            "[\"sh\", \"-c\", \"exit 3\"]",
            "deckproof: on_alarm: \"sh\": exit status: 3; perhaps nobody was notified",
        ),
        ("[\"./no-alarm\"]", "deckproof: on_alarm: \"./no-alarm\": could not be run: "),
    ] {
        lab.write("daily.toml", format!("{BASE}source = \"missing.csv\"\non_alarm = {alarm}\n"));
        let output = lab.night("2026-11-01", &[]);
        check_mail(&output, 2);
        output.must_warn(words);
    }
}

#[test]
fn a_stop_that_stands_is_in_every_mail_with_what_ends_it() {
    let lab = Lab::new();
    lab.write("bin", "an executable");
    lab.run(&["manifest", "make", "--out", "list", "bin"]).ends(0);
    let identity = "manifest = \"list\"\n";
    let config = |more: &str| {
        lab.write("daily.toml", format!("{BASE}source = \"{{date}}.csv\"\njunit = \"daily.xml\"\n{more}"))
    };
    config(identity);
    for day in 1..=5 {
        export(&lab, &format!("2026-11-0{day}.csv"), 1_000 * day);
    }
    check_mail(&lab.night("2026-11-01", &[]), 0);
    lab.write("bin", "another");
    check_mail(&lab.night("2026-11-02", &[]), 1);
    // The step is taken out: named once, then the day passes, and the stop is active.
    config("");
    let active =
        "Stop of 2026-11-02, active: code identity. Deal no hand until it passes; or history --lift 2.";
    let output = lab.night("2026-11-03", &[]);
    check_mail(&output, 1);
    let first = "T, 2026-11-03: COULD NOT SAY, the stop of 2026-11-02 is still active, ";
    assert!(line(&output, 1).starts_with(first), "{output}");
    assert!(line(&output, 2).starts_with("Stop dealing, keep everything."), "{output}");
    assert_eq!(line(&output, 3), active);
    output.line("code identity: no longer set up, it was on 2026-11-02");
    let output = lab.night("2026-11-04", &[]);
    check_mail(&output, 1);
    let first = "T, 2026-11-04: PASS, the stop of 2026-11-02 is still active, ";
    assert!(line(&output, 1).starts_with(first), "{output}");
    assert!(line(&output, 2).starts_with("Stop dealing, keep everything."), "{output}");
    assert_eq!(line(&output, 3), active);
    // Every step passed, and who looks at pages and test reports alone sees the stop too.
    lab.run(&["history", "days", "--html", "one.html"]).ends(1);
    for (file, words) in [
        (
            "daily.xml",
            "name=\"code identity\" time=\"0\"><failure type=\"refused\" message=\"the stop of 2026-11-02 ",
        ),
        ("days/2026-11-04/day.html", "<h1 class=\"day fail\">T, 2026-11-04: stop</h1>"),
        ("days/2026-11-04/day.html", "the stop of 2026-11-02 (row 2) is active: changed: bin"),
        ("one.html", "Active: stop of 2026-11-02 (row 2), code identity"),
    ] {
        assert!(lab.text(file).contains(words), "{file}: {}", lab.text(file));
    }
    // The same decks again: the day passed, and the stop is named.
    let output = lab.night("2026-11-04", &[]).ends(1);
    assert!(line(&output, 1).ends_with(": already judged: row 4, PASS"), "{output}");
    assert_eq!(line(&output, 3), active);
    // A list that somebody made anew ends nothing.
    config(identity);
    lab.run(&["manifest", "make", "--out", "other", "bin"]).ends(0);
    lab.shell("mv list first && mv other list").ends(0);
    let output = lab.night("2026-11-05", &[]).ends(1);
    output.line(
        "code identity: the list was made anew after the stop of 2026-11-02 (row 2), which two people end",
    );
    assert_eq!(output.line("Stop of 2026-11-02, active"), active);
    output.line("Changed: list of files (code identity) made anew: ");
    // It ends when the files pass that were listed before it.
    lab.shell("mv first list").ends(0);
    lab.write("bin", "an executable");
    let output = lab.night("2026-11-05", &[]);
    check_mail(&output, 0);
    output.line("Changed: stop of 2026-11-02 (code identity) lifted: the step passed on 2026-11-05.");
    output.must_not_print("active");
    // A step of a day whose decks were judged cannot be mended by the same decks.
    export(&lab, "2026-11-06.csv", 9_000);
    fs::remove_file(lab.path("list")).expect("it was made");
    let output = lab.night("2026-11-06", &[]);
    check_mail(&output, 2);
    assert!(line(&output, 2).starts_with("Mend the cause before the next day. Row "), "{output}");
    // Nor can too few of them.
    config("min_decks = 100\n");
    lab.write("2026-11-07.csv", lines(20_001..20_200));
    lab.night("2026-11-07", &[]);
    lab.write("2026-11-08.csv", lines(21_001..21_200));
    let output = lab.night("2026-11-08", &[]);
    check_mail(&output, 2);
    assert!(
        line(&output, 2).starts_with(
            "Deal on: a small room passes by several nights. To add decks, run daily --date 2026-11-08. Row "
        ),
        "{output}"
    );
}

#[test]
fn days_that_are_missing_are_named_in_the_mail() {
    let lab = Lab::new();
    lab.write("daily.toml", format!("{BASE}source = \"{{date}}.csv\"\n"));
    let evidence = |date: &str, first: u64| {
        export(&lab, &format!("{date}.csv"), first);
        let output = lab.night(date, &[]);
        check_mail(&output, 0);
        line(&output, 5).to_owned()
    };
    assert!(evidence("2026-01-01", 1_000).starts_with("Over 1 day the evidence against the shuffler "));
    let output = evidence("2026-01-03", 2_000);
    assert!(output.starts_with("No result on 2026-01-02; the evidence over 2 days "), "{output}");
    let output = evidence("2026-01-05", 3_000);
    assert!(
        output.starts_with("No result on 2026-01-02 and 2026-01-04; the evidence over 3 days "),
        "{output}"
    );
    let output = evidence("2026-01-20", 4_000);
    assert!(
        output.starts_with("No result on 2026-01-19 and 15 more days; the evidence over 4 days "),
        "{output}"
    );
    // A day that was late has a result, and one of long ago is named by the chain alone.
    evidence("2026-01-19", 5_000);
    let output = evidence("2026-02-05", 6_000);
    assert!(output.starts_with("No result on 2026-02-04 and 27 more days; "), "{output}");
    lab.write("daily.toml", format!("{BASE}source = \"gone.csv\"\n"));
    let output = lab.night("2026-02-06", &[]);
    check_mail(&output, 2);
    assert!(
        output.line("No result on ").ends_with("; evidence over all days: not counted today."),
        "{output}"
    );
}

/// What a message of the audit names as it is typed has another name in a configuration.
#[test]
fn keys_of_the_configuration_are_named_as_they_are_written_there() {
    let lab = Lab::new();
    export(&lab, "a.csv", 1);
    for (more, words) in [
        ("columns = \"c0\"\n", "columns is \"c0\""),
        ("records = \"5000..\"\n", "records 5000.. of 1,000 records"),
    ] {
        lab.write("daily.toml", format!("{BASE}source = \"a.csv\"\n{more}"));
        let output = lab.night("2026-11-01", &["--steps"]).ends(2);
        let mail = output.out.replace("run daily --date ", "");
        assert!(mail.contains(words) && !mail.contains("--"), "{words}: {output}");
    }
}

/// Without an hour the day is the one of UTC that runs, as the help says; an hour takes the last one that is over.
#[test]
fn the_last_day_of_utc_that_is_over_takes_an_hour_at_which_it_ends() {
    let lab = Lab::new();
    let days = || {
        let today = jiff::Timestamp::now().to_zoned(jiff::tz::TimeZone::UTC).date();
        (today.yesterday().expect("a date").to_string(), today.to_string())
    };
    let before = days();
    for (name, first) in [(&before.0, 1), (&before.1, 2_000)] {
        export(&lab, &format!("{name}.csv"), first);
    }
    let text = format!("{BASE}source = \"{{date}}.csv\"\n");
    lab.write("daily.toml", format!("{text}day_ends = \"00:00 UTC\"\n"));
    let over = lab.run(&["daily", "--config", "daily.toml"]);
    lab.write("daily.toml", &text);
    let running = lab.run(&["daily", "--config", "daily.toml"]);
    let now = lab.run(&["daily", "--config", "daily.toml", "--now"]);
    if before != days() {
        // Midnight came in between.
        return;
    }
    // A run that was asked for before the end of a gaming day says what it costs.
    lab.write("daily.toml", format!("{text}day_ends = \"00:00 UTC\"\n").replace("\"days\"", "\"early\""));
    let early = lab.run(&["daily", "--config", "daily.toml", "--now"]);
    if before == days() {
        early.ends(0).must_tell(
            "Note: the day is not over: run it again when it is. Then all its decks are judged, and of those",
        );
        over.must_not_print("the day is not over");
    }
    for (output, code, day) in [(&over, 0, &before.0), (&running, 0, &before.1), (&now, 0, &before.1)] {
        assert_eq!(output.code, code, "{output}");
        assert!(line(output, 1).starts_with(&format!("T, {day}: ")), "{output}");
    }
    lab.run(&["deal", "--table", "T", "--hands", "1", "--out", "T", "--daily", "days"]).ends(0);
    let help = lab.run(&["daily", "--help"]).out;
    let help = help.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(help.contains("Without day_ends it is always the day of UTC that runs"), "{help}");
}

/// A generator that was recovered is no record of 51 cards, and while its stop is active no line says to deal on.
#[test]
fn a_recovered_generator_is_named_and_a_missing_export_after_it_is_no_leave_to_deal() {
    let lab = Lab::new();
    lab.write(
        "daily.toml",
        format!("{}source = \"{{date}}.csv\"\n", BASE.replace("\"core\"", "\"core,deep\"")),
    );
    lab.write("2026-11-01.csv", xorshift_decks(1_000, 0));
    let output = lab.night("2026-11-01", &[]);
    check_mail(&output, 1);
    let first = line(&output, 1);
    assert!(first.ends_with("their generator was recovered, the next cards are known"), "{first}");
    let output = lab.night("2026-11-02", &[]);
    check_mail(&output, 1);
    assert!(line(&output, 1).contains("the stop of 2026-11-01 is still active"), "{output}");
    assert!(
        line(&output, 2)
            .starts_with("Do not deal on; mend the file or daily.toml, then run daily --date 2026-11-02."),
        "{output}"
    );
}

/// A stop that goes on is of the newest row that says so: every mail names that row, and who types the one of an old mail is told.
#[test]
fn the_mail_and_the_error_name_the_row_of_which_a_stop_is_lifted() {
    let lab = Lab::new();
    lab.write("bin", "an executable");
    lab.run(&["manifest", "make", "--out", "list", "bin"]).ends(0);
    lab.write("daily.toml", format!("{BASE}source = \"{{date}}.csv\"\nmanifest = \"list\"\n"));
    for day in 1..=3 {
        export(&lab, &format!("2026-11-0{day}.csv"), 1_000 * day);
    }
    check_mail(&lab.night("2026-11-01", &[]), 0);
    let lift = |row: &str| {
        lab.run(&["history", "days", "--lift", row, "--by", "A", "--by", "B", "--reason", "an update"])
    };
    lift("1").refused().must_warn("row 1 has no active stop; no stop is active");
    lab.write("bin", "another");
    for (day, row) in [("2026-11-02", 2), ("2026-11-03", 3)] {
        lab.night(day, &[]).ends(1).must_tell(&format!(
            "Stop of {day}, active: code identity. Deal no hand until it passes; or history --lift {row}."
        ));
    }
    lift("2").refused().must_warn("row 2 has no active stop; that of code identity is of row 3");
    lift("3").ends(0).must_print("No stop is active.");
}
