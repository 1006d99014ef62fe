//! Ordinary slips of an export: none is proof against the shuffler, each says what to do, and the right file heals it. The rows
//! stand in `reports/daily.md` as they come out here; with `DECKPROOF_SLIPS=FILE` in the environment they are written to that
//! file instead of being compared.

use std::fs;
use std::ops::Range;
use std::path::Path;

use crate::common::lab::{Lab, Output, card_line, deck, deck_with, index_line, lines, lines_with};

const BASE: &str = "name = \"T\"\nfolder = \"days\"\ntiers = \"core\"\nfresh_decks = 0\nselftest = false\n";

/// A shuffler whose configuration may be changed from night to night.
struct Room(Lab);

impl Room {
    fn new(more: &str) -> Room {
        let room = Room(Lab::new());
        room.configure(more);
        room
    }

    fn configure(&self, more: &str) {
        self.0.write("daily.toml", format!("{BASE}{more}"));
    }

    fn night(&self, day: u32) -> Output {
        self.0.night(&format!("2026-10-{day:02}"), &[])
    }

    fn passes(&self, day: u32) -> Output {
        self.night(day).ends(0)
    }

    /// A slip: exit status 2, no evidence, no stop; and its row of the report.
    fn slips(&self, day: u32, slip: &str, finding: &str, heals: &str) -> Output {
        let output = self.night(day).ends(2);
        let line = output.line(finding);
        row(slip, &output, &line, heals);
        let history = self.0.run(&["history", "days"]);
        assert!(!history.prints("Active: "), "{slip}: {history}");
        output
    }

    fn stops(&self, day: u32, fault: &str, finding: &str, heals: &str) -> Output {
        let output = self.night(day).ends(1);
        let line = output.line(finding);
        row(fault, &output, &line, heals);
        output
    }

    fn history(&self, more: &[&str]) -> Output {
        self.0.run(&[&["history", "days"], more].concat())
    }
}

const LETTERS: usize = 200;

fn row(slip: &str, output: &Output, line: &str, heals: &str) {
    let first = output.out.lines().next().expect("a line");
    let (line, is_cut) = (line.chars().take(LETTERS).collect::<String>(), line.chars().count() > LETTERS);
    let more = if is_cut { "…" } else { "" };
    let row = format!("| {slip} | {} | `{first}` / `{line}{more}` | {heals} |\n", output.code);
    let report = reports_or_write("DECKPROOF_SLIPS", &row);
    assert!(report.is_none_or(|report| report.contains(&row)), "reports/daily.md has not the row {row}");
}

/// The report that holds a row, which the package leaves out, or `None` where the row was added to the file of this variable.
pub(crate) fn reports_or_write(variable: &str, row: &str) -> Option<String> {
    if let Some(path) = std::env::var_os(variable) {
        let file = fs::OpenOptions::new().create(true).append(true).open(path);
        file.and_then(|mut file| std::io::Write::write_all(&mut file, row.as_bytes())).expect("writable");
        return None;
    }
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("reports/daily.md")).ok()
}

/// Hands with ids and the time of the day at which they were dealt, one in ten seconds.
fn hands(day: u32, hands: Range<u64>, decks_from: u64) -> String {
    let first = hands.start;
    let row = |hand: u64| {
        let second = 10 * (hand - first) % 86_400;
        let cards = card_line(&deck(decks_from + hand - first));
        format!(
            "{hand},2026-10-{day:02}T{:02}:{:02}:{:02}Z,{cards}",
            second / 3_600,
            second / 60 % 60,
            second % 60
        )
    };
    "hand,at,cards\n".to_owned() + &hands.map(row).collect::<String>()
}

const NAMED: &str =
    "source = \"{date}.csv\"\nid_column = \"hand\"\ntime_column = \"at\"\ndeck_column = \"cards\"\n";

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
        "fresh evidence: 1,000 records, and the last 4 days had 6,001 to 6,004: a part of the day?",
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

/// Ids that begin again each day, and times: written anew with another date they keep their pace, which a dealer does not.
#[test]
fn decks_of_an_earlier_day_at_times_of_this_one_are_a_fault_where_no_file_has_them() {
    let room = Room::new(NAMED);
    // A hand in 5 to 75 seconds.
    let write = |day: u64, pace: u64, decks_from: u64| {
        let row = |hand: u64| {
            let second = 40 * hand + pace * hand * hand % 36;
            let time = format!("{:02}:{:02}:{:02}", second / 3_600, second / 60 % 60, second % 60);
            format!("{hand},2026-10-{day:02}T{time}Z,{}", card_line(&deck(decks_from + hand)))
        };
        let text = "hand,at,cards\n".to_owned() + &(1..1_201).map(row).collect::<String>();
        room.0.write(&format!("2026-10-{day:02}.csv"), text);
    };
    write(1, 1, 0);
    room.passes(1);
    write(2, 1, 0);
    room.slips(
        2,
        "the hands of the day before with the date of this one, ids from 1",
        "fresh evidence: 1,200 hands are here again that row 1 (2026-10-01) has, with the same ids (hand 1 to 1200)",
        "the file of the day, run again",
    );
    write(3, 1, 0);
    let output = room.slips(
        3,
        "the same a second night",
        "fresh evidence: 1,200 hands are here again that row 1 (2026-10-01) has",
        "who knows the export says which it is",
    );
    output.must_begin("T, 2026-10-03: COULD NOT SAY, decks came again, 2 nights in a row since 2026-10-02\n");
    output.must_tell(
        "; it is so on 2 nights in a row, since 2026-10-02: a file that was put right has other decks",
    );
    // Run again it is no further night; a night between that passes ends the row of them.
    room.night(3).ends(2).must_print("decks came again, 2 nights in a row since 2026-10-02\n");
    write(4, 2, 10_000);
    room.passes(4);
    write(5, 1, 0);
    room.night(5).ends(2).must_begin("T, 2026-10-05: COULD NOT SAY, decks came again\n");
    write(6, 5, 0);
    room.stops(
        6,
        "**fault**: a fixed seed, with ids from 1 and times of each day",
        "known decks: 1,200 hands are here again that row 1 (2026-10-01) has, with the same ids (hand 1 to 1200), which begin again each day, \
         and with times of this day",
        "two people: `--release` of a repaired shuffler, or `--void` of a wrong export",
    );
}

/// One deck that is the first of each night, others behind it, and ids that begin again: with times of the day no file has it.
#[test]
fn the_same_first_deck_each_night_is_a_fault_where_its_time_is_of_the_day() {
    let timed = "source = \"{date}.csv\"\nid_column = \"hand\"\ndeck_column = \"cards\"\n";
    let room = Room::new(timed);
    let write = |day: u32, time_of: u32| {
        let others = hands(day, 1..1_201, 10_000 * u64::from(day));
        let rows: Vec<&str> = others.lines().collect();
        let first = format!("1,2026-10-{time_of:02}T00:00:00Z,{}", card_line(&deck(1)));
        let text = [&[rows[0], first.trim_end()], &rows[2..]].concat().join("\n");
        room.0.write(&format!("2026-10-{day:02}.csv"), text + "\n");
    };
    write(1, 1);
    room.passes(1);
    write(2, 2);
    room.slips(
        2,
        "the same first deck each night, with ids from 1 and without times",
        "fresh evidence: 1 hand is here again that row 1 (2026-10-01) has, with the same ids (hand 1): ",
        "`time_column` says which it is, run again",
    );
    // A sample that stands in each file has the time of its own day.
    room.configure(NAMED);
    write(2, 1);
    room.night(2).ends(2).must_tell("1 hand is here again that row 1 (2026-10-01) has");
    write(2, 2);
    room.stops(
        2,
        "**fault**: the same first deck each night, with ids from 1 and times of each day",
        "known decks: 1 hand is here again that row 1 (2026-10-01) has, with the same ids (hand 1), which begin again each day, and with times \
         of this day",
        "two people: `--release` of a repaired shuffler, or `--void` of a wrong export",
    );
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
        "fresh evidence: 300 records, and the last 5 days had 1,200 each: a part of the day? Run this day again when the file has all of it",
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
