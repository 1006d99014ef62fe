//! `deckproof deal --daily`: a stop of the daily check keeps hands from being dealt until its step passes, and the days are looked
//! back on.

use std::fs;

use crate::common::lab::{Lab, TRIGGERS, words};
use crate::daily_faults::{CONFIG, day, export, shuffler_with};

#[test]
fn no_hand_is_dealt_while_the_last_day_says_stop() {
    // The table remembers where its log is, so that a copy could not deal on.
    let lab = shuffler_with("");
    // The days of these tests are long ago.
    let age = ["--daily", "days", "--daily-hours", "1000000"];
    let deal =
        |out: &str| lab.run(&[&["deal", "--table", "T-2", "--hands", "1", "--out", out], &age[..]].concat());
    deal("a").ends(0);
    lab.write("bin/shuffler", "another");
    day(&lab, 2).ends(1);
    let output = deal("b");
    assert!(!lab.exists("b"));
    assert_eq!((output.code, output.out.as_str()), (1, ""), "{output}");
    output.must_warn("the day 2026-11-02 says stop: code identity: changed: bin/shuffler");
    // Another day that says nothing takes back no stop.
    day(&lab, 2).ends(1);
    deal("c").ends(1);
    // Nor does one that no longer asks for the step, which is told on its first day.
    export(&lab, 3, 2_001..=3_000);
    let less = CONFIG.replace("manifest = \"shuffler.manifest\"\n", "");
    let less = less.replace("log = \"log\"\ntrust = \"trust.json\"\ntables = [\"T-1\"]\n", "");
    lab.write("daily.toml", less);
    let output = day(&lab, 3);
    let gone = "code identity: no longer set up, it was on 2026-11-02: manifest is not in the configuration";
    assert!(output.code == 1 && output.flat().contains(gone), "{output}");
    let output = deal("c").ends(1);
    output.must_warn("the day 2026-11-02 says stop: code identity");
    lab.write("daily.toml", CONFIG);
    // It ends when the step that said it passes, even if no new decks can have been dealt meanwhile.
    lab.write("bin/shuffler", "an executable");
    day(&lab, 3).ends(2);
    deal("e").ends(0);
    export(&lab, 4, 3_001..=4_000);
    lab.run(&words(
        "deal --table T-1 --hands 1 --out T-1 --log log --log-key log.key --continue --play random",
    ))
    .ends(0);
    day(&lab, 4).ends(0);
    deal("d").ends(0);
    clocks(&lab);
    lab.run(&["deal", "--table", "T-3", "--hands", "1", "--out", "T-3", "--daily", "nowhere"]).ends(2);
    history(&lab);
}

/// The age of the last result, both ways: rows are made anew with another time, as a clock would have written them.
fn clocks(lab: &Lab) {
    lab.shell("rm -rf aged && mkdir aged && cp days/daily.db aged/").ends(0);
    let database = rusqlite::Connection::open(lab.path("aged/daily.db")).expect("a database");
    database
        .execute_batch("DROP TRIGGER no_update; DROP TRIGGER no_delete; DELETE FROM day WHERE id > 1")
        .expect("SQL");
    database.execute_batch(TRIGGERS).expect("SQL");
    let body: String = database.query_row("SELECT body FROM day", [], |row| row.get(0)).expect("a row");
    let mut row: serde_json::Value = serde_json::from_str(&body).expect("JSON");
    let members = row.as_object_mut().expect("a row");
    members.retain(|key, _| !key.starts_with("certificate"));
    let at = |minutes: i64, more: &[&str], code: i32, words: &str| {
        let now = jiff::Timestamp::now();
        let time = now.checked_add(jiff::SignedDuration::from_mins(minutes)).expect("a time");
        let mut row = row.clone();
        row["day"] = time.strftime("%Y-%m-%d").to_string().into();
        row["checked"] = time.strftime("%Y-%m-%dT%H:%M:%SZ").to_string().into();
        let body = row.to_string();
        let sha256 = crate::common::lab::sha256(body.as_bytes());
        database.execute_batch("DROP TRIGGER no_update").expect("SQL");
        database.execute("UPDATE day SET sha256 = ?1, body = ?2", (sha256, body)).expect("SQL");
        database.execute_batch(TRIGGERS).expect("SQL");
        let deal = ["deal", "--table", "T-9", "--hands", "1", "--out", "T-9", "--daily", "aged"];
        let output = lab.run(&[&deal[..], more].concat());
        let _ = fs::remove_dir_all(lab.path("T-9"));
        assert!(output.code == code && output.warns(words), "{minutes}: {output}");
    };
    at(-35 * 60, &[], 0, "");
    at(-37 * 60, &[], 1, "until 37.0 hours ago, wanted at most 36");
    at(-37 * 60, &["--daily-hours", "38"], 0, "");
    at(60, &[], 1, "1.0 hours ahead of this clock: the clock was set back");
    at(60 * 24 * 365, &[], 1, "8760.0 hours ahead of this clock");
}

/// The same days as a table, as CSV, as JSON, and compared with a row of an old mail.
fn history(lab: &Lab) {
    let output = lab.run(&["history", "days"]);
    let rows = output
        .out
        .lines()
        .filter(|line| line.trim_start().starts_with(|letter: char| letter.is_ascii_digit()));
    assert_eq!((output.code, rows.count()), (0, 6), "{output}");
    // Every change of state is there, and what is active.
    for words in [
        "row 2: stop of 2026-11-02 (code identity)",
        "lifted: the step passed on 2026-11-03",
        "No stop is active.",
    ] {
        output.must_print(words);
    }
    output.must_print("stop").must_print("code identity: changed: bin/shuffler");
    let output = lab.run(&["history", "days", "--json"]);
    let rows: Vec<serde_json::Value> =
        output.out.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let results: Vec<&str> = rows.iter().filter_map(|row| row["result"].as_str()).collect();
    assert_eq!(results, ["passed", "refused", "refused", "could-not-say", "could-not-say", "passed"]);
    let output = lab.run(&["history", "days", "--csv"]);
    assert!(output.out.starts_with("row,day,result,decks,") && output.out.lines().count() == 7, "{output}");
    let output = lab.run(&["history", "days", "--html", "history.html"]);
    assert_eq!((output.code, output.out.as_str()), (0, "history.html: 6 days.\n"), "{output}");
    for (page, tag, wanted) in
        [("history.html", "tr", 7), ("history.html", "svg", 2), ("days/2026-11-02/day.html", "tr", 16)]
    {
        let text = lab.text(page);
        let xml =
            roxmltree::Document::parse(text.trim_start_matches("<!DOCTYPE html>\n")).expect("it is closed");
        let found = xml.descendants().filter(|node| node.has_tag_name(tag)).count();
        assert_eq!(found, wanted, "{page}: {tag}");
    }
    let report = lab.json("days/2026-11-02/report.json");
    let hash = report["row_sha256"].as_str().expect("a hash");
    let verify = |kept: &str| lab.run(&["history", "days", "--verify", "--kept", kept]);
    let output = verify(&format!("2:{}", &hash[..12])).ends(0);
    output.must_begin("sound: 6 rows");
    // A slip of the hand, in the row or in the digits, convicts nobody.
    for (row, typed) in [(3, hash[..12].to_owned()), (9, hash[..12].to_owned()), (2, mistyped(&hash[..12]))] {
        let output = verify(&format!("{row}:{typed}"));
        assert!(output.code == 2 && output.warns("This says nothing against the record"), "{row}: {output}");
    }
    for row in [2, 9] {
        let output = verify(&format!("{row}:ca978112ca1b"));
        assert!(output.code == 1 && output.prints("or the value is of another record"), "{row}: {output}");
    }
    verify("2:abc").ends(2);
}

/// Digits with the last two exchanged for others.
fn mistyped(digits: &str) -> String {
    let other = |digit: char| if digit == '0' { '1' } else { '0' };
    let wrong: String = digits[10..].chars().map(other).collect();
    format!("{}{wrong}", &digits[..10])
}
