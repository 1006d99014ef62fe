//! `deckproof daily`: good days, bad days and days without a result, and the store they leave.

use crate::common::lab::{
    self, KEY, Lab, Output, TRIGGERS, deck, deck_with, index_line, lines, one_twice, sha256,
};
use rusqlite::Connection;
use serde_json::Value;

fn config(source: &str, decks: &str) -> String {
    format!(
        "name = \"Table 1\"\nsource = \"{source}\"\ndecks = {decks}\nfolder = \"days\"\ntiers = \"core\"\nfresh_decks = 0\n"
    )
}

fn day(lab: &Lab, text: &str) -> Output {
    lab.write("daily.toml", text);
    lab.run(&["daily", "--config", "daily.toml"])
}

/// The rows of the store, each of which names the one before it.
fn store(lab: &Lab) -> Vec<Value> {
    let mut previous = String::new();
    let mut days = Vec::new();
    for (hash, body) in rows(lab) {
        let day: Value = serde_json::from_str(&body).expect("a row of JSON");
        assert_eq!(day["previous_sha256"], previous, "{body}");
        previous = sha256(body.as_bytes());
        assert_eq!(hash, previous);
        days.push(day);
    }
    days
}

fn database(lab: &Lab) -> Connection {
    Connection::open(lab.path("days/daily.db")).expect("a database")
}

fn rows(lab: &Lab) -> Vec<(String, String)> {
    let database = database(lab);
    let mut statement = database.prepare("SELECT sha256, body FROM day ORDER BY id").expect("a table");
    let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?))).expect("rows");
    rows.map(|row| row.expect("a row")).collect()
}

/// Writes other rows in their stead, with hashes that fit, as somebody with the file in hand can.
fn rewrite(lab: &Lab, bodies: &[String]) {
    let database = database(lab);
    database
        .execute_batch("DROP TRIGGER IF EXISTS no_update; DROP TRIGGER IF EXISTS no_delete; DELETE FROM day")
        .expect("he can");
    for (place, body) in bodies.iter().enumerate() {
        let row = (place as i64 + 1, sha256(body.as_bytes()), body);
        database.execute("INSERT INTO day (id, sha256, body) VALUES (?1, ?2, ?3)", row).expect("he can");
    }
    database.execute_batch(TRIGGERS).expect("he can");
}

/// A certificate, unpacked by another program where it is compressed.
fn certificate(lab: &Lab, path: &str) -> Vec<u8> {
    if lab.exists(path) {
        return lab.read(path);
    }
    let unpacked =
        std::process::Command::new("gzip").args(["-dc", &lab.path(&format!("{path}.gz"))]).output();
    unpacked.expect("there is a gzip").stdout
}

/// Lines under 100 characters, five on a day that passed and nothing changed; one holds the words.
fn check_mail(output: &Output, code: i32, words: &str) {
    assert_eq!(output.code, code, "{words}: {output}");
    let is_quiet = code == 0 && !output.prints("\nChanged: ");
    let lines = output.out.lines().count();
    assert!(if is_quiet { lines == 5 } else { lines > 4 }, "{output}");
    assert!(output.out.lines().all(|line| !line.trim().is_empty() && line.chars().count() < 100), "{output}");
    output.must_tell(words);
}

/// A day that was judged before on the same decks, and passed.
fn check_again(output: &Output, row: u32) {
    let words =
        format!(": already judged: row {row}, PASS\nNothing was examined again and nothing was added.\n");
    assert!(output.code == 0 && output.out.ends_with(&words), "{row}: {output}");
}

fn check_mail_lines(output: &Output, code: i32, words: &str) {
    assert!(output.code == code && output.prints(words), "{words}: {output}");
}

#[test]
fn each_kind_of_day_leaves_a_line_and_five_lines_of_mail() {
    let lab = Lab::new();
    lab.write("key", format!("{KEY}\n"));
    let lines = lines(1..=1100);
    lab.write("bad.csv", lines.clone() + &index_line(&one_twice()) + &lines);
    lab.write("torn.csv", &lines[..lines.len() - 20]);
    check_mail(&day(&lab, &config("audit:@key", "2000")), 0, "PASS, 2,000 decks of the certified shuffle");
    lab.write("other", format!("{}\n", KEY.replace("00", "77")));
    check_mail(&day(&lab, &config("audit:@other", "10")), 2, "live output: INCONCLUSIVE");
    check_mail(&day(&lab, &config("flawed:sattolo", "3000")), 1, "Source: 3,000 decks of");
    check_mail(&day(&lab, &config("csv:bad.csv", "2000")), 1, "ecord 1101");
    check_mail(&day(&lab, &config("csv:torn.csv", "1100")), 1, "COULD NOT SAY");
    check_mail(&day(&lab, &config("csv:missing.csv", "1100")), 1, "missing.csv");
    check_mail(&day(&lab, &config("cmd:sh -c 'exit 3'", "1100")), 1, "COULD NOT SAY");
    check_mail(&day(&lab, &config(&format!("audti:{KEY}"), "1100")), 1, "COULD NOT SAY");
    let days = store(&lab);
    let verdicts: Vec<&str> = days.iter().filter_map(|day| day["verdict"].as_str()).collect();
    let none = "could not say";
    assert_eq!(verdicts, ["pass", "inconclusive", "fail", "fail", none, none, none, none]);
    for day in days.iter().filter(|day| day["verdict"] != none) {
        let path = format!("days/{}", day["certificate"].as_str().expect("a path"));
        assert_eq!(day["certificate_sha256"], sha256(&certificate(&lab, &path)));
    }
    assert!(
        rows(&lab).iter().all(|(_, body)| !body.contains(KEY)),
        "the key of the configuration is in the store"
    );
}

#[test]
fn mistakes_in_the_configuration_are_told_with_their_line() {
    let lab = Lab::new();
    let good = config("audit", "1000");
    for (text, named) in [
        (good.replace("decks = 1000", "decks = 0"), "line 3"),
        (good.replace("decks", "deck"), "line 3"),
        (good.clone() + "players = 9\nrules = [[1]]\n", "line 8"),
        (good.replace("core", "cure"), "line 5: tiers: found \"cure\""),
        (good.clone() + "timeout = 1979-05-27\n", "line 7"),
        (good.replace("1000", "\"many\""), "line 3"),
        (good.replace("1000", "-5"), "line 3"),
        (good.replace("folder = \"days\"\n", ""), "folder"),
        (good.replace("Table 1", "Table\\n1"), "line 1"),
        (good.clone() + "decks = 5\n", "line 7"),
        (good.replace("\"audit\"", &format!("audit:{KEY}")), "line 2"),
        (good.clone() + "replay_hands = \"all\"\n", "line 7: replay_hands"),
        (good.clone() + "entropy_bits = 4\n", "line 7: entropy_bits"),
        (good.clone() + "signers = \"who\"\n", "line 7: signers"),
        (good.clone() + "day_ends = \"06:00 Mars/Olympus\"\n", "day_ends"),
        (String::new(), "name"),
    ] {
        let output = day(&lab, &text);
        assert_eq!((output.code, output.out.as_str()), (2, ""), "{text}{output}");
        assert!(output.warns(named), "{text}{output}");
        output.must_warn("daily.toml").must_not_warn(&KEY[..20]);
        assert!(!lab.exists("days"));
    }
    lab.run(&["daily", "--config", "missing.toml"]).refused();
}

#[test]
fn jobs_at_once_do_not_tear_the_store() {
    let lab = Lab::new();
    lab.write("daily.toml", config("audit", "1000"));
    let jobs: Vec<_> =
        (0..6).map(|_| lab.command(&["daily", "--config", "daily.toml"]).spawn().expect("it runs")).collect();
    for job in jobs {
        Output::from(job.wait_with_output().expect("it ends")).ends_in(&[0, 1, 3]);
    }
    let days = store(&lab);
    assert_eq!(days.len(), 6);
    let mut places: Vec<&str> = days.iter().filter_map(|day| day["certificate"].as_str()).collect();
    places.sort_unstable();
    places.dedup();
    assert_eq!(places.len(), 6, "every job has its own folder");
    for day in &days {
        let path = format!("days/{}", day["certificate"].as_str().expect("a path"));
        assert_eq!(day["certificate_sha256"], sha256(&certificate(&lab, &path)));
    }
}

#[test]
fn mail_that_nobody_takes_does_not_change_the_day() {
    let lab = Lab::new();
    lab.write("key", KEY);
    lab.write("daily.toml", config("audit:@key", "1000"));
    lab.shell(&format!("{} daily --config daily.toml > /dev/full", lab::binary().display())).ends(2);
    let days = store(&lab);
    assert_eq!((days.len(), &days[0]["verdict"]), (1, &Value::from("pass")));
}

/// A file of the first `decks` of the made-up decks.
#[test]
fn the_mail_begins_with_whose_decks_and_how_many_of_how_many() {
    let lab = Lab::new();
    lab.write("export.csv", lines(1..=1200));
    let base = "name = \"Table 1\"\nfolder = \"days\"\nsource = \"csv:export.csv\"\ntiers = [\"core\", \"stud\"]\nfresh_decks = 0\nrules = \"stud-8b\"\nplayers = 5\n";
    let part = day(&lab, &format!("{base}decks = 1000\nno_repeat = true\n"));
    check_mail(&part, 0, "PASS, export.csv: indices, 1,000 of 1,200 records, number 1 to 1,000;");
    let live = store(&lab)[0]["checks"].to_string();
    assert!(live.contains("at the table stud-8b, 5 players"), "{live}");
    // All records where nobody says how many; those of the first day are among them.
    let all = day(&lab, base);
    check_mail(&all, 2, "nothing new was examined: these are the decks of row 1 (2");
    let rest = day(&lab, &format!("{base}records = \"1001..1200\"\n"));
    check_mail(&rest, 2, "Source: export.csv: indices, 200 of 1,200 records, number 1,001");
    lab.write("export.csv", lines(1201..=2200));
    check_mail(&day(&lab, base), 0, "PASS, export.csv: indices, all 1,000 records\n");
}

#[test]
fn a_growing_file_of_which_only_the_head_is_read_is_nothing_new() {
    let lab = Lab::new();
    // What is known of decks by themselves is asked elsewhere.
    let config = |source: &str, decks: &str| config(source, decks) + "known_decks = 0\n";
    lab.write("export.csv", lines(1..=1200));
    check_mail(&day(&lab, &config("csv:export.csv", "1000")), 0, "1,000 of 1,200");
    lab.write("export.csv", lines(1..=1300));
    check_again(&day(&lab, &config("csv:export.csv", "1000")), 1);
    lab.write("again.csv", lab.read("export.csv"));
    let again = config("cmd:cat again.csv", "1300");
    check_mail(&day(&lab, &again), 0, "PASS, 1,300 decks of a stream");
    check_again(&day(&lab, &again), 2);
    check_mail(&day(&lab, &config("flawed:sattolo:4", "2000")), 1, "live output: FAIL");
    check_mail(&day(&lab, &config("flawed:sattolo:4", "3000")), 1, "nothing new was examined");
    check_mail(&day(&lab, &config("flawed:sattolo:5", "3000")), 1, "STOP");
    assert_eq!(store(&lab).len(), 5);
}

/// The store is recomputed before a row is added: what was edited, taken out or swapped is named, and nothing is added.
#[test]
fn a_changed_store_is_refused_and_the_row_is_named() {
    let lab = Lab::new();
    (1..=3)
        .for_each(|seed| assert_eq!(day(&lab, &config(&format!("flawed:sattolo:{seed}"), "2000")).code, 1));
    let good: Vec<String> = rows(&lab).into_iter().map(|(_, body)| body).collect();
    let places: Vec<Value> = store(&lab).into_iter().map(|day| day["certificate"].clone()).collect();
    let reports: Vec<String> =
        places.iter().map(|path| path.as_str().expect("a path").replace("certificate", "report")).collect();
    let ends = |bodies: &[&String], (code, subject): (i32, &str), says: &str| {
        let bodies: Vec<String> = bodies.iter().map(|body| (*body).clone()).collect();
        rewrite(&lab, &bodies);
        let output = day(&lab, &config("flawed:sattolo:9", "1000000000"));
        check_mail(&output, code, subject);
        output.must_print(says);
        assert_eq!(rows(&lab).len(), bodies.len(), "nothing was added");
    };
    let stop = (1, "STOP, the record of earlier days was changed");
    let check = |bodies: &[&String], says: &str| ends(bodies, stop, says);
    let damaged = (2, "COULD NOT SAY, the record of earlier days is damaged or was changed");
    let [first, second, third] = &good[..] else { panic!("three rows") };
    let edited = second.replacen("fail", "pass", 1);
    check(&[first, &edited, third], "row 2 was edited, or rows after it were taken out");
    check(&[first, third], "row 1 was edited, or rows after it were taken out");
    check(&[first, third, second], "rows were swapped: row 2 was written after row 3");
    let redated = third.replacen("\"day\":\"20", "\"day\":\"19", 1);
    check(&[first, second, &redated], "row 3 is another one than on the day of the report");
    // No row follows the last one, but its certificate does, and a restored backup has lost it.
    let last = &third.replacen("fail", "pass", 1);
    check(&[first, second, last], "row 3");
    let behind = (2, "COULD NOT SAY, the record was restored from a backup, or rolled back");
    ends(&[first, second], behind, &format!("{} is named by no row", places[2].as_str().expect("a path")));
    std::fs::rename(lab.path(&format!("days/{}", places[2].as_str().expect("a path"))), lab.path("kept"))
        .expect("moved");
    ends(&[first, second], behind, "row 3 is gone: it was taken out, or a backup was restored");
    std::fs::rename(lab.path("kept"), lab.path(&format!("days/{}", places[2].as_str().expect("a path"))))
        .expect("moved");
    rewrite(&lab, &good);
    let path = format!("days/{}", places[0].as_str().expect("a path"));
    let packed = format!("{path}.gz");
    let whole = lab.read(&packed);
    // One bit of the compressed file; then another certificate beside it, which is the one that is read; then none.
    let mut flipped = whole.clone();
    flipped[whole.len() / 2] ^= 1;
    lab.write(&packed, flipped);
    ends(&[first, second, third], damaged, "row 1: ");
    lab.write(&packed, &whole);
    lab.write(&path, String::from_utf8_lossy(&certificate(&lab, &path)).replacen("fail", "pass", 1));
    check(&[first, second, third], "row 1: ");
    std::fs::remove_file(lab.path(&path)).expect("removed");
    std::fs::remove_file(lab.path(&packed)).expect("removed");
    ends(&[first, second, third], damaged, "certificate.json: the certificate of 20");
    lab.run(&["history", "days", "--verify"]).ends(2).must_warn("is gone");
    lab.write(&packed, whole);
    let report = format!("days/{}", reports[1]);
    let whole = lab.read(&report);
    lab.write(&report, "{}");
    check(&[first, second, third], "the report was edited");
    lab.write(&report, whole);
    day(&lab, &config("flawed:sattolo:9", "2000")).ends(1);
    assert_eq!(store(&lab).len(), 4);
}

/// A stated retention removes what is older, and says so; nothing else may.
#[test]
fn certificates_go_by_the_retention_that_a_row_states_and_not_before() {
    let lab = Lab::new();
    (1..=4).for_each(|n| lab.write(&format!("{n}.csv"), lines(1000 * n + 1..=1000 * n + 1000)));
    let at = |date: &str, file: u64, more: &str| {
        lab.write("daily.toml", config(&format!("csv:{file}.csv"), "1000") + more);
        lab.night(date, &["--steps"])
    };
    let there = || {
        ["2026-01-01", "2026-01-31", "2026-02-01", "2026-02-02"].map(|day| {
            lab.exists(&format!("days/{day}/certificate.json.gz"))
                || lab.exists(&format!("days/{day}/certificate.json"))
        })
    };
    at("2026-01-01", 1, "").ends(0);
    at("2026-01-31", 2, "keep_certificates_days = 30\n").ends(0);
    assert_eq!(there(), [true, true, false, false], "30 days are kept");
    at("2026-02-01", 3, "keep_certificates_days = 30\n").ends(0);
    assert_eq!(there(), [false, true, true, false]);
    assert_eq!(store(&lab)[2]["kept_from"], "2026-01-02");
    at("2026-02-02", 4, "").must_print("1 certificate went by the stated retention");
    std::fs::remove_file(lab.path("days/2026-01-31/certificate.json.gz")).expect("removed");
    let output = at("2026-02-02", 4, "keep_certificates_days = 1\n");
    check_mail_lines(&output, 2, "row 2: 2026-01-31/certificate.json: the certificate of 2026-01-31 is gone");
    at("2026-02-02", 4, "keep_certificates_days = 0\n").ends(2).must_warn("line 7: keep_certificates_days");
}

#[test]
fn paths_begin_at_the_configuration_and_a_program_that_hangs_ends_with_a_line() {
    let lab = Lab::new();
    lab.write("etc/daily/export.csv", lines(1..=1000));
    lab.write("etc/daily/order", "2c 2d 2h 2s 3c 3d 3h 3s 4c 4d 4h 4s 5c 5d 5h 5s 6c 6d 6h 6s 7c 7d 7h 7s 8c 8d 8h 8s 9c 9d 9h 9s Tc Td Th Ts Jc Jd Jh Js Qc Qd Qh Qs Kc Kd Kh Ks Ac Ad Ah As");
    let base =
        "name = \"a\"\nfolder = \"../days\"\ntiers = \"core\"\nstart_order = \"order\"\nfresh_decks = 0\n";
    lab.write("etc/daily/a.toml", format!("{base}source = \"export.csv\"\n"));
    check_mail(&lab.run(&["daily", "--config", "etc/daily/a.toml"]), 0, "all 1,000 records");
    assert!(lab.exists("etc/days/daily.db"));
    lab.write("etc/daily/b.toml", format!("{base}source = \"cmd:sleep 60\"\ntimeout = \"1s\"\n"));
    let started = std::time::Instant::now();
    let output = lab.run(&["daily", "--config", "etc/daily/b.toml"]);
    check_mail(&output, 2, "nothing came for 1 s, which timeout does not allow");
    assert!(started.elapsed().as_secs() < 30, "it ended by its timeout");
    let rows = Connection::open(lab.path("etc/days/daily.db")).expect("a database");
    let found = rows.query_row("SELECT count(*) FROM days WHERE overall = 'could-not-say'", [], |row| {
        row.get::<_, i64>(0)
    });
    assert_eq!(found, Ok(1));
    // One that closes its output and runs on is not waited for either.
    lab.write("etc/daily/b.toml", format!("{base}source = \"cmd:sh -c 'exec sleep 60 >&-'\"\n"));
    let output = lab.run(&["daily", "--config", "etc/daily/b.toml"]);
    check_mail(&output, 2, "closed its output and ran on");
    assert!(started.elapsed().as_secs() < 50, "it ended by its silence");
}

/// SIGKILL at any moment: the record stays sound, and the next day goes on.
#[test]
fn a_job_that_was_killed_anywhere_leaves_a_sound_record() {
    let lab = Lab::new();
    lab.write("daily.toml", config("audit", "1000"));
    assert_eq!(lab.run(&["daily", "--config", "daily.toml"]).err, "");
    let started = std::time::Instant::now();
    assert!([0, 1, 3].contains(&lab.run(&["daily", "--config", "daily.toml"]).code));
    let whole = started.elapsed();
    for part in 1..=12u32 {
        let mut job = lab.command(&["daily", "--config", "daily.toml"]).spawn().expect("it runs");
        std::thread::sleep(whole * part / 12);
        job.kill().and_then(|()| job.wait()).expect("it can be killed");
        let output = lab.run(&["history", "days", "--verify"]);
        assert_eq!(output.code, 0, "killed after {part} twelfths: {output}");
    }
    let before = store(&lab).len();
    lab.run(&["daily", "--config", "daily.toml"]).ends_in(&[0, 1, 3]);
    assert_eq!(store(&lab).len(), before + 1);
    let begun = std::fs::read_dir(lab.path("days")).expect("readable").flatten();
    assert!(begun.into_iter().all(|entry| !entry.file_name().to_string_lossy().starts_with(".begun-")));
}

/// What a crash leaves between the certificate, the row and the folder's name, made by hand.
#[test]
fn results_without_a_row_go_and_a_row_gets_its_results() {
    let lab = Lab::new();
    check_mail(&day(&lab, &config("flawed:sattolo:1", "2000")), 1, "STOP");
    let place = store(&lab)[0]["certificate"].as_str().expect("a path").replace("/certificate.json", "");
    std::fs::rename(lab.path(&format!("days/{place}")), lab.path(&format!("days/.begun-{place}")))
        .expect("moved");
    lab.write("days/.begun-2000-01-01/certificate.json", "half of it");
    check_mail(&day(&lab, &config("flawed:sattolo:1", "2000")), 1, "live output: judged in row 1: FAIL");
    assert!(
        lab.exists(&format!("days/{place}/certificate.json.gz")) && !lab.exists("days/.begun-2000-01-01")
    );
}

/// A row that cannot be written leaves no results that look like a day's.
#[test]
fn results_stand_in_their_folder_only_when_their_row_is_written() {
    let lab = Lab::new();
    lab.write("1.csv", lines(1..=1_000));
    lab.write("2.csv", lines(1_001..=2_000));
    check_mail(&day(&lab, &config("1.csv", "1000")), 0, "PASS");
    database(&lab)
        // Every row is JSON, and so a second one breaks this index.
        .execute_batch("CREATE UNIQUE INDEX full ON day (substr(body, 1, 1))")
        .expect("it can");
    day(&lab, &config("2.csv", "1000")).ends(2).must_warn("UNIQUE constraint failed");
    let folders = || {
        let entries = std::fs::read_dir(lab.path("days")).expect("readable").flatten();
        let folders = entries.filter(|entry| entry.path().is_dir());
        let names = folders.map(|entry| entry.file_name().to_string_lossy().into_owned());
        // Beside the days stands what is known of their decks.
        names.filter(|name| name.starts_with("20")).count()
    };
    assert_eq!((folders(), store(&lab).len()), (1, 1));
    database(&lab).execute_batch("DROP INDEX full").expect("it can");
    check_mail(&day(&lab, &config("2.csv", "1000")), 0, "PASS");
    assert_eq!((folders(), store(&lab).len()), (2, 2));
}

/// A clock that was set back examines nothing; a day that is late is named, and a month that was missed is told.
#[test]
fn a_clock_set_back_is_told_and_missing_days_are_named() {
    let lab = Lab::new();
    (1..=40).for_each(|n| lab.write(&format!("{n}.csv"), lines(1000 * n + 1..=1000 * n + 1000)));
    let at = |date: &str, file: u64| {
        lab.write("daily.toml", config(&format!("csv:{file}.csv"), "1000"));
        lab.night(date, &["--steps"])
    };
    at("2026-01-30", 1).ends(0);
    let output = at("2026-03-01", 2);
    output.must_print("no result on 2026-01-31 2026-02-01 2026-02-02 2026-02-03 2026-02-04 and 24 more");
    assert_eq!(at("2026-02-10", 3).code, 0, "a late day");
    at("2999-01-01", 4).ends(2);
    // As if the last day had been recorded by a clock that was ahead.
    let bodies: Vec<String> = rows(&lab).into_iter().map(|(_, body)| body).collect();
    let ahead = bodies[2].replacen("\"day\":\"2026-02-10\"", "\"day\":\"2999-01-01\"", 1);
    rewrite(&lab, &[bodies[0].clone(), bodies[1].clone(), ahead]);
    std::fs::remove_file(lab.path("days/2026-02-10/report.json")).expect("removed");
    lab.write("daily.toml", config("csv:4.csv", "1000"));
    let output = lab.run(&["daily", "--config", "daily.toml"]);
    check_mail(&output, 2, "COULD NOT SAY, the day could not be recorded");
    output.must_warn("the clock says that the day is").must_warn("row 3 is of 2999-01-01");
    assert_eq!(rows(&lab).len(), 3);
}

#[test]
fn a_fixed_key_is_refused() {
    let lab = Lab::new();
    lab.write("key", format!("{KEY}\n"));
    let check_config = |text: &str| {
        lab.write("daily.toml", text);
        lab.run(&["daily", "--config", "daily.toml", "--check-config"])
    };
    check_config(&config("audit:@key", "2000")).ends(2).must_warn("the same every day");
    check_config(&config("export-{date}.csv", "2000")).ends(0).must_begin("Table 1: sound. Day 20");
    assert!(!lab.exists("days"));
}

/// Recorded decks that ask a question make the next day their one repeat.
#[test]
fn the_day_after_a_question_is_its_one_repeat() {
    let lab = Lab::new();
    // Fair decks pass; with one card moved to one place in some they ask a question. Each day another card and place, so
    // that the evidence over all days does not stop before.
    let odd = |name: &str, first: u64, moved: u64| {
        let spot = first as usize / 1_000;
        let lines = (first..first + 1000).map(|n| {
            index_line(&if n - first < moved { deck_with(51 - spot as u8, spot, n) } else { deck(n) })
        });
        lab.write(name, lines.collect::<String>());
    };
    // An audit by itself asks from 0.01 on; a day asks from 1/3650 on.
    let asking = |name: &str, first: u64| {
        let asks = (28..60).find(|&moved| {
            odd(name, first, moved);
            let out = format!("try-{name}-{moved}");
            let source = format!("csv:{name}");
            lab.run(&[
                "audit", "--tiers", "core", "--no-repeat", "--quiet", "--source", &source, "--out", &out,
            ]);
            let look = &lab.certificate(&out)["result"]["first"];
            let p_value = look["family_p_value"].as_f64().expect("a number");
            p_value < 2.5e-4 && look["family_p_value_convicting"].as_f64().expect("a number") > 2e-5
        });
        asks.expect("some number of moved cards asks a question")
    };
    let at = |date: &str, file: &str| {
        lab.write("daily.toml", config(&format!("csv:{file}"), "1000"));
        lab.night(date, &[])
    };
    asking("a.csv", 1);
    odd("b.csv", 5001, 0);
    asking("c.csv", 6001);
    asking("d.csv", 7001);
    // Far enough for a stop on a repeat, and not for one on a day.
    odd("e.csv", 8001, 62);
    let output = at("2026-01-01", "a.csv");
    check_mail(&output, 3, "live output: a question, not a finding; the next day's decks are its one repeat");
    output.must_print("INVESTIGATE").must_print("Deal on; the next day answers.");
    check_mail(&at("2026-01-02", "b.csv"), 0, "PASS");
    let live = store(&lab)[1]["checks"].to_string();
    assert!(live.contains("the one repeat, which answers the question of 2026-01-01"), "{live}");
    check_mail(&at("2026-01-03", "c.csv"), 3, "a question, not a finding");
    // A second question in a row is looked into and weighed on; chance asks two in a row once in 27 years.
    let output = at("2026-01-04", "d.csv");
    check_mail(
        &output,
        3,
        "live output: the one repeat after 2026-01-03 departs too, though not so far as stops",
    );
    output.must_print("INVESTIGATE");
    let output = at("2026-01-05", "e.csv");
    check_mail(
        &output,
        1,
        "live output: the one repeat after 2026-01-04 departs too: family p-value that may",
    );
    output.must_print("STOP");
}
