//! Files and blocks of an export that were copied: their decks are no repeat of the shuffler, and those under other ids are.

use std::fs;

use crate::common::lab::{Lab, Output, deck, index_line, lines};
use crate::common::nights::{BASE, NAMED, Room, hands, row};

#[test]
fn a_file_that_grew_is_no_repeat_and_append_only_heals_it() {
    let room = Room::new("source = \"export.csv\"\n");
    room.0.write("export.csv", lines(1..1_001));
    room.passes(1);
    room.0.write("export.csv", lines(1..2_201));
    let output = room.slips(
        2,
        "the export grew",
        "fresh evidence: the file begins with all 1,000 decks of row 1 (2026-10-01): either it is a file that grows: set append_only = true",
        "`append_only = true`, run again",
    );
    assert!(output.out.lines().nth(1).expect("two lines").starts_with(
        "Do not deal on before you know which it is, see below; then run daily --date 2026-10-02."
    ));
    room.configure("source = \"export.csv\"\nappend_only = true\n");
    room.passes(2).must_print("1,200 of 2,200 records, number 1,001 to 2,200");
    // A deck that comes again in what was added is a repeat all the same.
    room.0.write("export.csv", lines(1..2_201) + &lines(5_000..6_000) + &lines(7..8));
    room.night(3).ends(1).must_print("a deck came up again");
}

#[test]
fn hands_that_two_exports_hold_are_no_repeat_and_decks_under_other_ids_are() {
    let room = Room::new(NAMED);
    let day = |day: u32, text: &str| room.0.write(&format!("2026-10-{day:02}.csv"), text);
    day(1, &hands(1, 1..1_041, 1));
    room.passes(1);
    let tail: String = hands(1, 1..1_041, 1).lines().skip(1_001).map(|line| format!("{line}\n")).collect();
    let own = hands(2, 1_041..2_041, 20_000);
    day(2, &own.replacen("hand,at,cards\n", &format!("hand,at,cards\n{tail}"), 1));
    room.slips(
        2,
        "hands around midnight are in both exports",
        "fresh evidence: 40 hands are here again that row 1 (2026-10-01) has, with the same ids (hand 1001 to 1040)",
        "the export without them, run again",
    );
    // Their ids are written otherwise, and their times are of the day before.
    let renamed: String = tail.lines().map(|line| format!("H-{line}\n")).collect();
    day(2, &own.replacen("hand,at,cards\n", &format!("hand,at,cards\n{renamed}"), 1));
    room.slips(
        2,
        "hands of before midnight, under ids that are written otherwise",
        "fresh evidence: 40 hands are here again that row 1 (2026-10-01) has, under other ids and with times of before this day, the first \
         hand H-1001",
        "the export without them, run again",
    );
    day(2, &own);
    room.passes(2);
    // The same decks under new ids: a generator that began again.
    day(3, &hands(3, 2_041..3_041, 1));
    let output = room.stops(
        3,
        "**fault**: decks of an earlier day under other ids",
        "known decks: hand 2041 of this day is a deck of row 1 (2026-10-01) under another id",
        "two people: `--release` of a repaired shuffler, or `--void` of a wrong export",
    );
    output.must_begin("T, 2026-10-03: STOP, 1,000 decks: a deck came up again\n");
}

#[test]
fn copies_of_one_export_for_two_shufflers_are_no_repeat_and_shared_decks_are() {
    let shuffler = |name: &str| {
        format!(
            "[[shuffler]]\nname = \"{name}\"\nfolder = \"days-{name}\"\nsource = \"{name}-{{date}}.csv\"\n"
        )
    };
    let lab = Lab::new();
    let text = BASE.replace("name = \"T\"\nfolder = \"days\"\n", "");
    lab.write("daily.toml", format!("{text}{}{}", shuffler("A"), shuffler("B")));
    let night = |day: u32, a: String, b: String| {
        lab.write(&format!("A-2026-10-{day:02}.csv"), a);
        lab.write(&format!("B-2026-10-{day:02}.csv"), b);
        lab.night(&format!("2026-10-{day:02}"), &[])
    };
    let output = night(1, lines(1..1_001), lines(1..1_001)).ends(2);
    let finding = output.line("fresh evidence: the file is byte for byte the one of A (2026-10-01): either two shufflers read copies of one");
    output.must_print("A, 2026-10-01: PASS").must_print("B, 2026-10-01: COULD NOT SAY");
    let own = Output {
        code: 2,
        out: output.out[output.out.find("B, ").expect("B")..].to_owned(),
        err: String::new(),
    };
    row("two shufflers read copies of one file", &own, &finding, "the file of each, run again");
    lab.write("B-2026-10-01.csv", lines(10_001..11_001));
    let output = lab.night("2026-10-01", &[]).ends(0);
    output.must_print("A, 2026-10-01: already judged: row 1, PASS");
    // Two shufflers that deal some of the same decks share a key.
    let output = night(2, lines(20_001..21_001), lines(20_501..21_501)).ends(1);
    output.must_tell("is one that A dealt (2026-10-02)");
}

#[test]
fn lines_that_are_there_twice_are_no_repeat_unless_their_ids_differ() {
    let room = Room::new("source = \"{date}.csv\"\n");
    let twice: String = (1..1_001).map(|n| index_line(&deck(n)).repeat(2)).collect();
    room.0.write("2026-10-01.csv", &twice);
    room.slips(
        1,
        "every line twice",
        "fresh evidence: every deck is there twice, one after the other of 2,000 decks",
        "the file written once, run again",
    );
    room.0.write("2026-10-01.csv", lines(1..1_001));
    room.passes(1);
    let other = Room::new(NAMED);
    let rows: String = hands(1, 1..1_001, 1)
        .lines()
        .skip(1)
        .map(|line| {
            let (hand, rest) = line.split_once(',').expect("cells");
            format!("{hand},{rest}\n9{hand},{rest}\n")
        })
        .collect();
    other.0.write("2026-10-01.csv", format!("hand,at,cards\n{rows}"));
    other.stops(
        1,
        "**fault**: every deck dealt twice, to hands with ids of their own",
        "live output: fail: The same deck came up again",
        "two people: `--release` or `--void`",
    );
    let page = other.0.text("days/2026-10-01/day.html");
    assert!(
        page.contains("of this day are one deck, at one time, as an export gives that joins two tables"),
        "{page}"
    );
}

#[test]
fn a_folder_of_which_some_files_were_read_is_no_repeat() {
    let room = Room::new("source = \"exports\"\n");
    room.0.write("exports/b.csv", lines(1..1_001));
    room.passes(1);
    room.0.write("exports/a.csv", lines(2_001..3_001));
    room.slips(
        2,
        "a folder of which a file was read before",
        "fresh evidence: 1 of 2 files hold all 1,000 decks of row 1 (2026-10-01): either they were read before",
        "the files of the day alone, or `append_only = true`",
    );
    fs::remove_file(room.0.path("exports/b.csv")).expect("it is there");
    room.passes(2);
}

/// A file without ids of which a part is of another: written in place over a longer one, and a copy that went on from before its end.
#[test]
fn the_end_of_an_older_file_and_a_block_that_was_copied_twice_are_no_proof() {
    let room = Room::new("source = \"{date}.csv\"\n");
    room.0.write("2026-10-01.csv", lines(1..1_201));
    room.passes(1);
    room.0.write("2026-10-02.csv", lines(2_001..3_001) + &lines(1_001..1_201));
    room.slips(
        2,
        "a file written in place over the longer one of the day before",
        "fresh evidence: the last 200 decks are those with which row 1 (2026-10-01) ends: either the file was written over",
        "the file copied anew, run again",
    );
    room.0.write("2026-10-02.csv", lines(2_001..2_601) + &lines(2_501..3_201));
    let output = room.slips(
        2,
        "a copy that broke off and was resumed too early",
        "fresh evidence: of 1,300 decks the 501 to 600 are there again as 601 to 700: either a copy broke off",
        "the file copied anew, run again",
    );
    output.must_tell("(id_column, not numbers of records) and times (time_column) tell the two apart");
    room.0.write("2026-10-02.csv", lines(2_001..3_201));
    room.passes(2);
}
