//! Steps of the day that need more than an export: the selftest, a round of a public beacon, tables by themselves, a key
//! state that was copied, a day that is run again; and corrections.

use crate::common::lab::{Lab, Output, TRIGGERS, deck, deck_with, index_line, json_lines, lines, words};
use deckproof::monitoring::step_list::{RESULTS, STEPS};
use rusqlite::Connection;
use serde_json::Value;

/// The table of steps, row by row.
#[test]
fn the_page_of_the_daily_check_has_a_row_for_each_step_in_its_order() {
    let page = include_str!("../../docs/daily.md");
    let (_, table) = page.split_once("| step | what it does").expect("a table of steps");
    let rows = table.lines().skip(2).take_while(|line| line.starts_with("| "));
    let names: Vec<&str> = rows.filter_map(|row| row.split(" | ").next()?.strip_prefix("| ")).collect();
    let listed = STEPS.map(|step| step.name).into_iter().filter(|name| *name != RESULTS);
    assert_eq!(names, listed.collect::<Vec<_>>(), "docs/daily.md and step_list.rs");
}

const BASE: &str = "name = \"T\"\nfolder = \"days\"\ntiers = \"core\"\nfresh_decks = 0\n";

/// The line of a step below the mail.
pub(crate) fn step(output: &Output, name: &str) -> String {
    let own = output.out.lines().skip(5).find(|line| line.trim_start().starts_with(name));
    own.unwrap_or_else(|| panic!("no {name}: {output}")).to_owned()
}

fn export(lab: &Lab, name: &str, first: u64) {
    lab.write(name, lines(first..first + 1_000));
}

/// The result of `sqlite3 days/daily.db QUERY`.
fn ask(lab: &Lab, query: &str) -> Value {
    let database = Connection::open(lab.path("days/daily.db")).expect("a database");
    let text: String = database.query_row(query, [], |row| row.get(0)).expect("a row");
    serde_json::from_str(&text).expect("JSON")
}

#[test]
fn the_whole_selftest_runs_where_it_is_asked_for() {
    let lab = Lab::new();
    export(&lab, "a.csv", 1);
    lab.write("daily.toml", format!("{BASE}source = \"a.csv\"\nselftest = true\n"));
    let output = lab.night("2026-11-01", &["--steps"]).ends(0);
    let known = step(&output, "known answers");
    assert!(known.contains("passed") && known.contains("9 checks of the selftest passed"), "{known}");
}

/// Round 1000 of drand quicknet, which came at 2023-08-23T15:59:24Z.
const ROUND: &str = "{\"round\": 1000, \"randomness\": \"fe290beca10872ef2fb164d2aa4442de4566183ec51c56ff3cd603d930e54fdd\", \
    \"signature\": \"b44679b9a59af2ec876b1a6b1ad52ea9b1615fc3982b19576350f93447cb1125e342b73a8dd2bacbe47e4b6b63ed5e39\"}";

#[test]
fn the_sample_of_hands_is_drawn_by_a_round_that_came_after_the_day() {
    let lab = Lab::new();
    lab.run(&["deal", "--table", "T-1", "--hands", "5", "--out", "T-1", "--play", "random"]).ends(0);
    let run = |date: &str, ends: &str, round: &str, file: u64| {
        export(&lab, "a.csv", 1_000 * file);
        lab.write("round.json", round);
        lab.write(
            "daily.toml",
            format!(
                "{BASE}source = \"a.csv\"\ntables = [\"T-1\"]\nreplay_hands = 2\nbeacon = \"round.json\"\nday_ends = \"{ends} UTC\"\n"
            ),
        );
        lab.night(date, &["--steps"])
    };
    // The day that ended an hour before the round, and the one that it came in the middle of.
    let output = run("2023-08-22", "15:59", ROUND, 1);
    let replay = step(&output, "replay of hands");
    assert_eq!(output.code, 0, "{output}");
    assert!(
        replay.contains("2 of 5 hands since the last day")
            && replay.contains("round 1000 of drand quicknet (signed), "),
        "{replay}"
    );
    assert!(replay.contains("the first after the day"), "{replay}");
    let output = run("2023-08-22", "15:50", ROUND, 2);
    assert!(
        step(&output, "replay of hands").contains("one of 179 since the day ended, the first is 822"),
        "{output}"
    );
    let output = run("2023-08-23", "15:50", ROUND, 3);
    let replay = step(&output, "replay of hands");
    assert!(
        output.code == 2 && replay.contains("came 85836 s before the day ended, wanted round 29622"),
        "{replay}"
    );
    for (round, code, words) in [
        (ROUND.replace("b44679", "b44678"), 1, "drand quicknet did not sign this for round 1000"),
        (ROUND.replace("1000", "1001"), 1, "did not sign this for round 1001"),
        ("{}".to_owned(), 2, "wanted the JSON of drand quicknet"),
        (ROUND.replace("1000", "0"), 2, "wanted the JSON of drand quicknet"),
        ("x".repeat(1 << 17), 2, "round.json"),
    ] {
        let output = run("2023-08-22", "15:50", &round, 4);
        let replay = step(&output, "replay of hands");
        let result = if code == 1 { "stop" } else { "could not say" };
        assert!(output.code != 0 && replay.contains(result) && replay.contains(words), "{words}: {replay}");
    }
}

/// Hands go with the name of their table: a folder that was moved or exchanged holds none that is new.
#[test]
fn hands_of_a_folder_that_was_moved_are_not_new_and_those_of_another_table_are_not_its_own() {
    let lab = Lab::new();
    for table in ["T-1", "T-3"] {
        lab.run(&["deal", "--table", table, "--hands", "2", "--out", table, "--play", "random"]).ends(0);
    }
    let night = |day: u64, tables: &str, code: i32| {
        export(&lab, "a.csv", 1_000 * day);
        lab.write("daily.toml", format!("{BASE}source = \"a.csv\"\ntables = [{tables}]\n"));
        let output = lab.night(&format!("2026-11-0{day}"), &["--steps"]).ends(code);
        (step(&output, "replay of hands"), step(&output, "seats of the tables"))
    };
    let (replay, _) = night(1, "\"T-1\", \"T-3\"", 0);
    assert!(replay.contains("4 of 4 hands since the last day"), "{replay}");
    lab.run(&["deal", "--table", "T-1", "--hands", "2", "--out", "T-1", "--play", "random", "--continue"])
        .ends(0);
    lab.shell("mv T-3 kept && cp -r T-1 T-3").ends(0);
    let (replay, seats) = night(2, "\"T-1\", \"T-3\"", 2);
    for output in [replay, seats] {
        assert!(
            output.contains("could not say") && output.contains("T-1 and T-3 both hold the hands of T-1 of "),
            "{output}"
        );
    }
    lab.shell("rm -r T-3 && mv kept T-3 && mv T-1 moved").ends(0);
    // A table that is named no longer is told as what could not be said, once, and named from then on.
    for (day, hands, code, result) in [(3, "2", 2, "could not say"), (4, "1", 0, "passed")] {
        if code == 0 {
            let words = ["deal", "--table", "T-1", "--hands", hands, "--out", "moved"];
            lab.run(&[&words[..], &["--play", "random", "--continue"]].concat()).ends(0);
        }
        let (replay, seats) = night(day, "\"moved\"", code);
        for (output, what) in
            [(&replay, format!("{hands} of {hands} hand")), (&seats, format!("{hands} histor"))]
        {
            let is_named =
                output.ends_with("; not looked at: T-3 of localhost/log1, which earlier days had.");
            assert!(output.contains(result) && output.contains(&what) && is_named, "{day}: {output}");
        }
    }
    let (replay, seats) = night(5, "\"moved\", \"T-3\"", 2);
    assert!(
        replay.contains("could not say") && seats.contains("no hand since the last day"),
        "{replay} {seats}"
    );
}

/// One of two tables has the ace of spades on top too often; half of the decks hide half of it.
#[test]
fn a_table_is_bet_on_by_itself() {
    let lab = Lab::new();
    let write = |day: u64, moved: u64| {
        for table in [1, 2] {
            let lines = (0..600).map(|n| {
                let number = 100_000 * table + 1_000 * day + n;
                index_line(&if table == 2 && n < moved { deck_with(51, 0, number) } else { deck(number) })
            });
            lab.write(&format!("T-{table}-2026-11-{day:02}.csv"), lines.collect::<String>());
        }
    };
    let config = format!("{BASE}source = [\"T-1-{{date}}.csv\", \"T-2-{{date}}.csv\"]\nper_table = true\n");
    lab.write("daily.toml", &config);
    write(1, 0);
    let output = lab.night("2026-11-01", &["--steps"]).ends(0);
    let drift = step(&output, "drift");
    assert!(drift.contains("2 tables by themselves"), "{drift}");
    let day = ask(&lab, "SELECT body FROM day WHERE id = 1");
    let decks = |table: &str| day["by_table"][table]["decks"].as_u64();
    assert_eq!((decks("T-1"), decks("T-2")), (Some(600), Some(600)), "{}", day["by_table"]);
    let tops: u64 =
        day["by_table"]["T-2"]["top"].as_array().expect("cards").iter().filter_map(Value::as_u64).sum();
    assert_eq!(tops, 600);
    write(2, 90);
    let output = lab.night("2026-11-02", &["--steps"]);
    let drift = step(&output, "drift");
    assert!(drift.contains("the most at T-2 (cards at each place), which by itself is 1 in "), "{drift}");
    // The state is lost: the evidence is counted again from the rows and certificates.
    let database = Connection::open(lab.path("days/daily.db")).expect("a database");
    let state: String = database.query_row("SELECT state FROM drift", [], |row| row.get(0)).expect("a state");
    assert!(state.contains("\"name\":\"T-2\""), "{state}");
    database.execute("DELETE FROM drift", []).expect("it can");
    drop(database);
    lab.shell("cp -a days lost").ends(0);
    write(3, 0);
    lab.night("2026-11-03", &["--steps"]);
    let evidence = |query| ask(&lab, query)["drift"]["ln_evidence"].as_f64().expect("a number");
    let again = evidence("SELECT body FROM day WHERE id = 3");
    lab.remove("days");
    lab.shell("mv lost days").ends(0);
    let database = Connection::open(lab.path("days/daily.db")).expect("a database");
    database.execute("INSERT INTO drift (id, state) VALUES (1, ?1)", [state]).expect("it can");
    drop(database);
    lab.night("2026-11-03", &["--steps"]);
    let kept = evidence("SELECT body FROM day WHERE id = 3");
    assert!((again - kept).abs() < 1e-9 && kept > 1.0, "{again} {kept}");
    // A program's output is no list of files.
    write(4, 0);
    let program = "source = \"cmd:cat T-1-2026-11-04.csv\"\ndecks = 600\n";
    lab.write("daily.toml", format!("{BASE}{program}per_table = true\n"));
    lab.night("2026-11-04", &["--steps"]).ends(1).must_print("the source is no list of files");
}

/// A table's folder is copied, key state and all, as a snapshot or a restored backup does, and both deal on.
#[test]
fn the_decks_of_a_copied_key_state_are_told() {
    let lab = Lab::new();
    let deal = |out: &str, hands: &str, more: &[&str]| {
        lab.run(&[&["deal", "--table", "T-1", "--hands", hands, "--out", out], more].concat())
    };
    deal("T-1", "2", &[]).ends(0);
    lab.shell("cp -a T-1 copy").ends(0);
    for out in ["T-1", "copy"] {
        let output = deal(out, "3", &["--continue"]);
        assert_eq!(output.code, 0, "{out}: {output}");
    }
    let shared = "tiers = \"core\"\nfresh_decks = 0\n";
    let shuffler = |name: &str| {
        format!("[[shuffler]]\nname = \"{name}\"\nfolder = \"days-{name}\"\nsource = \"table:{name}\"\n")
    };
    lab.write("daily.toml", format!("{shared}{}{}", shuffler("T-1"), shuffler("copy")));
    let output = lab.night("2026-11-01", &["--steps"]).ends(1);
    let found = "of this day is one that T-1 dealt (2026-11-01)";
    output.must_print(found).must_print("copy, 2026-11-01: STOP");
    // Shown to one log, the second table's deck is refused before a card is dealt.
    lab.run(&words("log init log --origin stud.example/log1 --key log.key --trust trust.json")).ends(0);
    let log = ["--log", "log", "--log-key", "log.key"];
    deal("L-1", "2", &log).ends(0);
    lab.shell("cp -a L-1 L-copy").ends(0);
    deal("L-1", "1", &[&log[..], &["--continue"]].concat()).ends(0);
    let output = deal("L-copy", "1", &[&log[..], &["--continue"]].concat()).ends(2);
    output.must_warn("the log has hand 3 of this table, and this folder ends with hand 2");
}

/// The first run of a day had no export. The hands of the day are its hands in the second run too.
#[test]
fn a_day_that_is_run_again_has_its_hands_anew() {
    let lab = Lab::new();
    lab.run(&words("log init log --origin stud.example/log1 --key log.key --trust trust.json")).ends(0);
    let deal = |more: &[&str]| {
        let table = "deal --table T-1 --hands 5 --out T-1 --play random --log log --log-key log.key";
        lab.run(&[&words(table)[..], more].concat()).ends(0);
    };
    let log = "log = \"log\"\ntrust = \"trust.json\"\ntables = [\"T-1\"]\n";
    lab.write("daily.toml", format!("{BASE}{log}source = \"{{date}}.csv\"\n"));
    deal(&[]);
    export(&lab, "2026-11-01.csv", 1);
    lab.night("2026-11-01", &["--steps"]).ends(0);
    deal(&["--continue"]);
    lab.night("2026-11-02", &["--steps"]).ends(2).must_print("2026-11-02.csv: the file is not there");
    export(&lab, "2026-11-02.csv", 5_000);
    let output = lab.night("2026-11-02", &["--steps"]).ends(0);
    for (name, words) in [
        ("completeness of the log", "5 hands closed since the last day"),
        ("seats of the tables", "5 histories since the last day"),
        ("replay of hands", "of 5 hands since the last day"),
    ] {
        assert!(step(&output, name).contains(words), "{name}: {output}");
    }
}

/// The cards of a hand are no name of it: a deck that comes again would look like the same hand, exported twice.
#[test]
fn a_column_of_decks_is_no_column_of_ids() {
    let lab = Lab::new();
    let rows: String = (1..=1_000).map(|n| format!("{n};{}", index_line(&deck(n)))).collect();
    lab.write("a.csv", format!("hand;cards\n{rows}"));
    for (id, code) in [("cards", 2), ("hand", 0)] {
        lab.write("daily.toml", format!("{BASE}source = \"a.csv\"\nid_column = \"{id}\"\n"));
        let output = lab.night("2026-11-01", &["--check-config"]).ends(code);
        assert_eq!(output.warns("id_column names \"cards\", which holds the deck"), code == 2, "{output}");
    }
    let output =
        lab.run(&["audit", "--tiers", "core", "--id-column", "cards", "--deck-column", "cards", "a.csv"]);
    output.ends(2).must_warn("which holds the deck, wanted one that names the hand");
}

/// What somebody states of a row is a row of its own, which the chain holds, and lifts nothing.
#[test]
fn a_correction_is_a_row_of_its_own_and_lifts_nothing() {
    let lab = Lab::new();
    lab.write("daily.toml", format!("{BASE}source = \"{{date}}.csv\"\n"));
    export(&lab, "2026-11-01.csv", 1);
    lab.write("2026-11-02.csv", index_line(&deck(1)).repeat(1_000));
    lab.night("2026-11-01", &["--steps"]).ends(0);
    lab.night("2026-11-02", &["--steps"]).ends(1);
    let correct = |more: &[&str]| lab.run(&[&["history", "days"], more].concat());
    for (more, words) in [
        (
            &["--correct", "3", "--by", "A. Smith", "--reason", "a"][..],
            "found no row 3, wanted one from 1 to 2",
        ),
        (&["--correct", "0", "--by", "A. Smith", "--reason", "a"], "found no row 0"),
        (&["--correct", "2", "--by", " ", "--reason", "a"], "the name is empty"),
        (&["--correct", "2", "--by", "A. Smith"], "--reason"),
    ] {
        correct(more).ends(2).must_warn(words);
    }
    let output = correct(&["--correct", "2", "--by", "A. Smith", "--reason", "test data\u{1b}[2J"]).ends(0);
    output.must_begin("Row 3 is a correction of row 2, by A. Smith: test data\\u001b[2J.");
    lab.run(&["history", "days", "--verify"]).ends(0);
    let table = lab.run(&["history", "days"]).out;
    let row = table.lines().find(|line| line.trim_start().starts_with('3')).expect("a row");
    assert!(row.contains("correction") && row.contains("of row 2, by A. Smith"), "{table}");
    lab.run(&["history", "days", "--csv"]).must_print("\n3,2026-11-02,correction,,");
    let json = &json_lines(&lab.run(&["history", "days", "--json"]))[2];
    assert_eq!((&json["result"], &json["day"]["correction"]["row"]), (&"correction".into(), &2.into()));
    assert!(lab.run(&["history", "days", "--html", "h.html"]).code == 1 && lab.exists("h.html"));
    // It is no day, lifts no stop, and a record that has lost it is a changed one.
    let deal =
        ["deal", "--table", "T", "--hands", "1", "--out", "T", "--daily", "days", "--daily-hours", "1000000"];
    lab.run(&deal).ends(1).must_warn("the day 2026-11-02 says stop");
    export(&lab, "2026-11-04.csv", 5_000);
    let output = lab.night("2026-11-04", &["--steps"]);
    let chain = step(&output, "chain");
    assert!(
        chain.contains("3 rows recomputed, 1 of them a correction")
            && chain.ends_with("no result on 2026-11-03."),
        "{chain}"
    );
    let database = Connection::open(lab.path("days/daily.db")).expect("a database");
    let change =
        format!("DROP TRIGGER no_update; DROP TRIGGER no_delete; DELETE FROM day WHERE id > 2; {TRIGGERS}");
    database.execute_batch(&change).expect("he can");
    drop(database);
    lab.shell("rm -r days/2026-11-04").ends(0);
    lab.run(&["history", "days", "--verify"]).ends(2).must_warn("row 3 is gone");
}
