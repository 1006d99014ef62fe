//! Ordinary slips of an export: none is proof against the shuffler, each says what to do, and the right file heals it. The rows
//! are in `reports/daily.md` as they come out here; with `DECKPROOF_SLIPS=FILE` in the environment they are written to that
//! file instead of being compared.

use std::fs;

use crate::common::lab::{card_line, deck, deck_with, index_line, lines, lines_with};
use crate::common::nights::{NAMED, Room, hands};

#[test]
fn sorted_files_say_nothing_here_and_in_an_audit() {
    let room = Room::new("source = \"{date}.csv\"\n");
    let mut decks: Vec<[u8; 52]> = (1..1_201).map(deck).collect();
    decks.sort_by_key(|deck| card_line(deck));
    let text = |decks: &[[u8; 52]]| decks.iter().map(|deck| card_line(deck)).collect::<String>();
    room.0.write("2026-10-01.csv", text(&decks));
    room.slips(
        1,
        "sorted by its decks",
        "fresh evidence: 2026-10-01.csv: the records are sorted by their first card, ascending: somebody sorted them after their dealing, or",
        "the export in the order of dealing, run again",
    );
    let audit = |name: &str| room.0.run(&["audit", "--source", name, "--tiers", "core", "--quiet"]);
    audit("2026-10-01.csv").ends(2).must_warn("sorted by their first card");
    decks.sort_by_key(|deck| deck[12]);
    room.0.write("2026-10-01.csv", text(&decks));
    room.slips(
        1,
        "sorted by a column of a card",
        "fresh evidence: 2026-10-01.csv: the records are sorted by card 13 from the top, ascending",
        "the export in the order of dealing, run again",
    );
    audit("2026-10-01.csv").ends(2).must_warn("sorted by card 13 from the top");
    room.0.write("2026-10-01.csv", text(&(1..1_201).map(deck).collect::<Vec<_>>()));
    room.passes(1);
}

#[test]
fn another_day_and_a_part_of_one_are_no_pass() {
    let room = Room::new(NAMED);
    let day = |day: u32, text: &str| room.0.write(&format!("2026-10-{day:02}.csv"), text);
    let last_year = hands(1, 1..1_101, 1).replace("2026-", "2025-");
    day(1, &last_year);
    room.slips(
        1,
        "the file of another day",
        "fresh evidence: none of 1,100 records is inside the day 2026-10-01 (2026-10-01T00:00Z to 2026-10-02T00:00Z), the first is of",
        "the file of the day, run again",
    );
    for n in 1..5u32 {
        let first = u64::from(n) * 10_000;
        day(n, &hands(n, first..first + 6_000 + u64::from(n), first));
        room.passes(n);
    }
    day(5, &hands(5, 50_000..51_000, 50_000));
    room.slips(
        5,
        "a sixth of a day",
        "fresh evidence: 1,000 records, and the last 4 days had 6,001 to 6,004: a part of the day; copy",
        "the whole file, run again; or `min_decks`",
    );
    // Hands that were left out, where none is on other days.
    let thinned: String = hands(5, 50_000..58_000, 50_000)
        .lines()
        .enumerate()
        .filter(|(place, _)| place % 3 != 1)
        .map(|(_, line)| format!("{line}\n"))
        .collect();
    day(5, &thinned);
    room.slips(
        5,
        "hands left out",
        "fresh evidence: 2,666 ids are missing between hand 50001 and 57999, and the last 4 days lacked at most 0.0 %",
        "all hands, run again",
    );
    // Some hands of the evening before are counted, named, and no reason to stop.
    day(5, &hands(5, 50_000..56_000, 50_000).replacen("2026-10-05T00:00", "2026-10-04T23:59", 1));
    let output = room.passes(5);
    output.line("Note: 1 record is outside the day 2026-10-05 (2026-10-05T00:00Z to 2026-10-06T00:00Z), the first record 1 of 2026-10-04");
}

#[test]
fn a_growing_file_that_was_changed_before_its_end_is_named_once_and_goes_on() {
    let config = "source = \"export.csv\"\nappend_only = true\n";
    let room = Room::new(config);
    room.0.write("export.csv", lines(1..1_001));
    room.passes(1);
    // One row sorted in late, one deleted, and the new ones at the end.
    let mut all: Vec<u64> = (1..2_101).collect();
    all.insert(500, 90_000);
    all.remove(100);
    room.0.write("export.csv", lines(all.iter().copied()));
    let output = room.slips(
        2,
        "a row sorted in late and one deleted, in a file that only grows",
        "fresh evidence: the part that was examined (1,000 records) is another one from line ",
        "nothing: the new records are judged, the next night compares with the file as it is",
    );
    output.must_tell("1,100 of 2,100 records, number 1,001 to 2,100");
    all.extend(3_000..4_000);
    room.0.write("export.csv", lines(all.iter().copied()));
    room.passes(3);
    // Retention cuts the beginning off, which is declared.
    room.configure(&format!("{config}keeps_days = 2\n"));
    room.0.write("export.csv", lines(all[1_500..].iter().copied().chain(5_000..6_000)));
    let output = room.passes(4);
    output.line(
        "Note: its beginning (1,500 records) went, which keeps_days = 2 declares (days are not counted); it goes on after the last record",
    );
    output.must_tell("1,000 of 2,600 records");
    // Another file in its place.
    room.0.write("export.csv", lines(7_000..9_000));
    room.slips(
        5,
        "another file in the place of one that only grows",
        "fresh evidence: the part that was examined (2,600 records) is another one from line 1 on, and the last record",
        "the file put back, run again",
    );
}

#[test]
fn a_day_that_passed_and_is_run_again_adds_nothing_and_other_decks_are_named() {
    let room = Room::new("source = \"{date}.csv\"\non_alarm = [\"touch\", \"alarm\"]\n");
    room.0.write("2026-10-01.csv", lines(1..1_001));
    room.passes(1);
    room.passes(1).must_begin("T, 2026-10-01: already judged: row 1, PASS\n");
    assert!(!room.0.exists("alarm") && room.history(&["--json"]).out.lines().count() == 1);
    // The same file, cut off; whole again it is the day that was judged.
    room.0.write("2026-10-01.csv", lines(1..400));
    let output = room.night(1);
    assert!(output.code == 2 && !room.history(&[]).out.contains("Active: "), "{output}");
    output.line(
        "fresh evidence: all 399 decks are among the 1,000 that row 1 examined on this day, as in a copy that was cut off",
    );
    room.0.write("2026-10-01.csv", lines(1..1_001));
    room.passes(1);
    room.0.write("2026-10-01.csv", lines(2_001..3_001));
    let output = room.passes(1);
    output.line("Changed: 2026-10-01 was judged before on other decks: row 1, passed.");
}

#[test]
fn a_deck_of_51_cards_is_a_stop_that_fair_decks_do_not_end() {
    let room = Room::new("source = \"{date}.csv\"\n");
    room.0.write("2026-10-01.csv", lines_with(1_000, 500, index_line(&deck(500)[..51]).trim_end()));
    let output = room.stops(
        1,
        "**fault**: a deck of 51 cards",
        "live output: fail: ",
        "two people: `--void` of a wrong export, or `--release`",
    );
    output.must_begin("T, 2026-10-01: STOP, ").must_print("a record is no deck of 52 cards");
    room.0.write("2026-10-02.csv", lines(2_001..3_001));
    for day in [2, 2] {
        room.night(day).ends(1).must_print("Stop of 2026-10-01, active: live output.");
    }
    assert!(room.history(&[]).out.contains("Active: stop of 2026-10-01 (row 1), live output"));
    let people = ["--by", "A. Smith", "--by", "B. Jones", "--reason", "the copy lost a column"];
    let output = room.history(&[&["--void", "1"], &people[..]].concat()).ends(0);
    output.must_print("Row 3: row 1 voided by A. Smith and B. Jones: the copy lost a column.");
    output.must_print("No stop is active.");
    room.0.write("2026-10-01.csv", lines(1..1_001));
    let output = room.passes(1);
    output.line("Changed: row 1 voided by A. Smith and B. Jones: the copy lost a column.");
    room.history(&["--verify"]).ends(0);
}

/// A wrong file that was proof: two people say so, the evidence without it is counted again, and nothing is gone.
#[test]
fn a_voided_export_is_no_evidence_and_a_release_begins_anew() {
    let room = Room::new("source = \"{date}.csv\"\n");
    room.0.write("2026-10-01.csv", lines(1..1_001));
    room.passes(1);
    room.0.write("2026-10-02.csv", lines((501..1_000).chain(1_001..1_502)));
    room.stops(
        2,
        "**fault**: some decks of an earlier day again",
        "known decks: deck 1 of this day is one of row 1 (2026-10-01)",
        "two people: `--release` or `--void`",
    );
    room.0.write("2026-10-03.csv", lines(3_001..4_001));
    assert_eq!(room.night(3).code, 1, "the evidence over all days is a proof");
    let people = ["--by", "A. Smith", "--by", "B. Jones", "--reason", "a test file"];
    for (arguments, words) in [
        (&["--void", "2", "--by", "A. Smith", "--reason", "a"][..], "wanted two different ones"),
        (
            &["--void", "2", "--by", "A. Smith", "--by", "a. smith", "--reason", "a"],
            "wanted two different ones",
        ),
        (&["--void", "9", "--by", "A", "--by", "B", "--reason", "a"], "found no row 9"),
        (&["--lift", "2", "--by", "A", "--by", "B", "--reason", "a"], "that of drift is of row 3"),
        (
            &["--lift", "3", "--by", "A", "--by", "B", "--reason", "a"],
            "a stop of decks ends with new decks that pass",
        ),
        (&["--void", "2", "--by", "A", "--by", "B"], "--reason"),
    ] {
        room.history(arguments).ends(2).must_warn(words);
    }
    room.history(&[&["--void", "2"], &people[..]].concat()).ends(0);
    room.history(&[&["--void", "2"], &people[..]].concat()).ends(2).must_warn("row 2 is voided already");
    room.history(&["--verify"]).ends(0);
    room.0.write("2026-10-02.csv", lines(2_001..3_001));
    // What the third day saw of it ended with its row.
    let output = room.passes(2);
    output.line("Changed: row 2 voided by A. Smith and B. Jones: a test file; the stop of drift ends, ");
    room.0.write("2026-10-04.csv", lines(4_001..5_001));
    let output = room.passes(4);
    // Days 1, 3, 2 and 4: the voided one is not among them.
    output.must_print("Over 4 days the evidence");
    let history = room.history(&[]).out;
    assert!(
        history.contains("stop of 2026-10-02 (known decks), voided since") && history.contains("voided"),
        "{history}"
    );
    // A shuffler that deals a deck again is repaired: the record goes on, the evidence begins anew, the decks stay known.
    room.0.write("2026-10-05.csv", lines(5_001..6_000) + &lines(7..8));
    room.night(5).ends(1);
    let output = room.history(&[&["--release"], &people[..]].concat()).ends(0);
    output.must_print("release of a shuffler by A. Smith and B. Jones");
    room.0.write("2026-10-06.csv", lines(6_001..7_001));
    room.passes(6).must_print("Over 1 day the evidence");
    room.0.write("2026-10-07.csv", lines(7_001..8_000) + &lines(7..8));
    room.night(7).ends(1).must_tell("is one of row 1 (2026-10-01)");
    room.history(&["--verify"]).ends(0);
}

/// Each file is of a table, and each table has hands at all hours.
#[test]
fn times_of_tables_fall_where_the_file_of_the_next_begins() {
    let source = "source = [\"A-{date}.csv\", \"B-{date}.csv\"]\nid_column = \"hand\"\ntime_column = \"at\"\ndeck_column = \"cards\"\n";
    let room = Room::new(&format!("{source}per_table = true\n"));
    for day in 1..3u32 {
        let first = u64::from(day) * 20_000;
        room.0.write(&format!("A-2026-10-{day:02}.csv"), hands(day, first..first + 1_200, first));
        room.0.write(
            &format!("B-2026-10-{day:02}.csv"),
            hands(day, first + 9_000..first + 10_200, first + 9_000),
        );
        room.passes(day).must_not_print("the times fall in");
    }
    let date = ["--date", "2026-10-02"];
    let output =
        room.0.run(&[&["daily", "--config", "daily.toml", "--check-config"][..], &date].concat()).ends(0);
    output.must_print("sound").must_not_print("the times fall");
    // Within a table they rise.
    let text = hands(3, 60_000..61_200, 60_000);
    let (head, rows) = text.split_once('\n').expect("a header");
    let rows: Vec<&str> = rows.lines().collect();
    let halves = [&rows[600..], &rows[..600]].concat().join("\n");
    room.0.write("A-2026-10-03.csv", format!("{head}\n{halves}\n"));
    room.0.write("B-2026-10-03.csv", hands(3, 69_000..70_200, 69_000));
    let output = room.slips(
        3,
        "a table whose pages are in another order, one file each table",
        "fresh evidence: A-2026-10-03.csv and 1 other file: the times jump to and fro from record to record (they fall in 1 of 2,398 steps)",
        "the export in the order of dealing, run again",
    );
    output.must_print("COULD NOT SAY");
    // Without the key files are pages of one dealer.
    let other = Room::new(source);
    for name in ["A-2026-10-02.csv", "B-2026-10-02.csv"] {
        other.0.write(name, room.0.text(name));
    }
    other.night(2).ends(2).must_tell("(they fall in 1 of 2,399 steps)");
}

/// A log that is rotated: its file begins anew, and the folder goes on, night after night.
#[test]
fn a_rotated_log_goes_on_as_a_folder() {
    for rotated in [["hands.csv.1", "hands.csv.2"], ["hands.csv-20261003", "hands.csv-20261002"]] {
        let room = Room::new("source = \"log/hands.csv\"\nappend_only = true\n");
        let rename = |from: &str, to: &str| {
            fs::rename(room.0.path(&format!("log/{from}")), room.0.path(&format!("log/{to}")))
                .expect("it is there");
        };
        room.0.write("log/hands.csv", lines(1..1_201));
        room.passes(1);
        let [first, second] =
            if rotated[0].ends_with('1') { [rotated[0], rotated[1]] } else { [rotated[1], rotated[0]] };
        rename("hands.csv", first);
        room.0.write("log/hands.csv", lines(1_201..2_401));
        room.slips(
            2,
            "a log that was rotated, named by its file",
            "fresh evidence: the part that was examined (1,200 records) is another one from line 1 on, and the last record that was examined \
             is not in it",
            "the folder as `source`, run again",
        );
        room.configure("source = \"log\"\nappend_only = true\n");
        room.passes(2).must_tell("1,200 of 2,400 records, number 1,201 to 2,400");
        // It is written into until it is rotated again.
        room.0.write("log/hands.csv", lines(1_201..3_601));
        room.passes(3);
        if rotated[0].ends_with('1') {
            rename(first, second);
            rename("hands.csv", first);
        } else {
            rename("hands.csv", second);
        }
        room.0.write("log/hands.csv", lines(3_601..4_801));
        room.passes(4).must_tell("1,200 of 4,800 records, number 3,601 to 4,800");
    }
}

/// A file that only grows, run before the day is over and again: its records of both runs are those of the day.
#[test]
fn a_growing_file_that_was_run_early_has_its_whole_day_in_two_rows() {
    let room = Room::new("source = \"export.csv\"\nappend_only = true\n");
    let grown = |to: u64| room.0.write("export.csv", lines(1..to + 1));
    for day in 1..5 {
        grown(1_200 * u64::from(day));
        room.passes(day);
    }
    grown(5_600);
    room.passes(5);
    grown(6_000);
    let output = room.passes(5);
    output.must_tell("400 of 6,000 records, number 5,601 to 6,000");
    // Two parts are no measure of a day, and a part alone is none.
    grown(6_300);
    room.slips(
        6,
        "a file that grows, run early on a day",
        "fresh evidence: 300 records, and the last 5 days had 1,200 each: a part of the day; run this day again when the file has all of it",
        "nothing: run again when the day is over",
    );
    grown(7_200);
    room.passes(6).must_tell("1,200 of 7,200 records");
}

#[test]
fn a_clock_far_ahead_is_no_day() {
    let room = Room::new("source = \"export.csv\"\n");
    room.0.write("export.csv", lines(1..1_001));
    room.0.night("2020-01-01", &[]).ends(0);
    room.0.write("export.csv", lines(2_001..3_001));
    let output = room.0.run(&["daily", "--config", "daily.toml"]).ends(2);
    output.must_warn("more than 120 days after the last one, 2020-01-01");
    assert_eq!(room.history(&["--json"]).out.lines().count(), 1);
    assert!(room.history(&[]).out.contains("the clock says that the day is"), "the incident is there");
}

/// 400 hands a night: the first nights are too few, and from then on nobody is woken.
#[test]
fn a_small_room_passes_by_its_week() {
    let room = Room::new("source = \"{date}.csv\"\n");
    for day in 1..=8u32 {
        let first = u64::from(day) * 1_000;
        room.0.write(&format!("2026-10-{day:02}.csv"), lines(first..first + 400));
        let output = room.night(day);
        let wanted = if day <= 2 { 2 } else { 0 };
        assert_eq!(output.code, wanted, "{day}: {output}");
    }
    let page = room.0.text("days/2026-10-08/day.html");
    assert!(page.contains("400 decks are too few by themselves; 2,800 in seven days, no question"), "{page}");
    // A room that is unfair is stopped all the same.
    let biased = (20_000..20_400).map(|n| index_line(&deck_with(51, 0, n)));
    room.0.write("2026-10-09.csv", biased.collect::<String>());
    room.night(9).ends(1);
}

/// `WHERE showdown`: hands that were won by high door cards are left out, which the statistics see and the words explain.
#[test]
fn hands_left_out_by_what_happened_in_play_are_named_as_an_explanation() {
    let room = Room::new("source = \"{date}.csv\"\n");
    // Places 13 to 18 are the door cards of six seats: the more aces and kings among them, the sooner all others fold.
    let is_shown = |deck: &[u8; 52]| deck[12..18].iter().filter(|&&card| card >= 44).count() < 2;
    let shown: String = (1..6_001).map(deck).filter(is_shown).map(|deck| index_line(&deck)).collect();
    room.0.write("2026-10-01.csv", shown);
    let output = room.night(1).ends(1);
    let words = "the cards of 6 places depart, the first 13, the last 18, counted from 1, and those at the end of the deck do not";
    output.must_tell(words);
}

/// Times as rooms write them, and what is quoted of those that nobody can read or that have two readings.
#[test]
fn times_are_read_as_an_audit_reads_them() {
    let room = Room::new(NAMED);
    let write = |day: u32, date: &str, join: &str, end: &str| {
        let rows = hands(day, 1..1_101, 10_000 * u64::from(day));
        let rows = rows
            .replace(&format!("2026-10-{day:02}T"), &format!("{date}{join}"))
            .replace("Z,", &format!("{end},"));
        room.0.write(&format!("2026-10-{day:02}.csv"), rows);
    };
    for (day, date, join, end) in [
        (1, "01.10.2026", " ", ""),
        (13, "10/13/2026", " ", " AM"),
        (14, "14/10/2026", " ", ""),
        (15, "2026-10-15", " ", ".000000 UTC"),
        (16, "16/Oct/2026", ":", " +0000"),
    ] {
        write(day, date, join, end);
        room.passes(day);
    }
    write(17, "x", "", "");
    room.slips(
        17,
        "times without a date",
        "fresh evidence: 1,100 of 1,100 records have no time in time_column that can be read, the first \"x00:00:00\" (record 1), wanted",
        "`time_column` with the date, run again",
    );
    write(5, "05/10/2026", " ", "");
    room.slips(
        5,
        "dates with two readings",
        "fresh evidence: two readings of the times are possible, as of \"05/10/2026 00:00:00\": with the day first 1,100 of 1,100 records",
        "an export with dates that tell, run again",
    );
}

/// A fair shuffler whose export leaves out hands by a card: the finding of the stop names that beside the shuffler.
#[test]
fn hands_left_out_by_their_cards_are_named_beside_a_stop() {
    let room = Room::new(NAMED);
    let rows: Vec<String> = hands(1, 1..3_001, 1)
        .lines()
        .skip(1)
        .filter(|line| line.split(',').nth(2).is_some_and(|cards| cards[..2].ends_with(['h', 'd'])))
        .map(|line| format!("{line}\n"))
        .collect();
    room.0.write("2026-10-01.csv", format!("hand,at,cards\n{}", rows.concat()));
    room.night(1).ends(1).must_tell(&format!(
        "beside {},{:03} records: an export that leaves out hands by how they went",
        rows.len() / 1_000,
        rows.len() % 1_000
    ));
    // With no id missing it is no explanation.
    let numbered: String = (1..)
        .zip(&rows)
        .map(|(hand, row)| format!("{hand},{}", row.split_once(',').expect("cells").1))
        .collect();
    let other = Room::new(NAMED);
    other.0.write("2026-10-01.csv", format!("hand,at,cards\n{numbered}"));
    other.night(1).ends(1).must_not_print("leaves out hands");
}

/// One file of the last days, read anew each night without `append_only`.
#[test]
fn a_file_of_several_days_is_told_from_one_of_another_day() {
    let room = Room::new(&NAMED.replace("{date}", "export"));
    let days = [1, 2, 3]
        .map(|day| hands(day, 1_100 * u64::from(day)..1_100 * (u64::from(day) + 1), 10_000 * u64::from(day)));
    let rows: Vec<&str> = days.iter().flat_map(|day| day.lines().skip(1)).collect();
    room.0.write("export.csv", format!("hand,at,cards\n{}\n", rows.join("\n")));
    let output = room.night(3).ends(2);
    output.must_tell("name the right one and run this day again; or set append_only = true, and keeps_days");
    // Behind the hands of this day are those of a later one.
    room.night(2).ends(2).must_not_print("append_only");
}
