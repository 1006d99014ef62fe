//! A source that only grows: it goes on after the last record that was examined, wherever that is now, and names what was
//! changed before it by the ids of the hands.

use std::fs;
use std::io::Write;

use crate::common::lab::{Lab, Output, card_line, deck, lines};

const BASE: &str = "name = \"T\"\nfolder = \"days\"\ntiers = \"core\"\nfresh_decks = 0\nappend_only = true\n";
const HANDS: &str = "source = \"export.csv\"\nid_column = \"hand\"\n";
const OBJECTS: &str =
    "source = \"export.jsonl\"\nid_column = \"value.hand.id\"\ntime_column = \"value.at\"\n";

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

    fn night(&self, day: u32, code: i32) -> Output {
        let output = self.0.night(&format!("2026-10-{day:02}"), &[]).ends(code);
        assert!(!self.0.run(&["history", "days"]).out.contains("Active: "), "{output}");
        output
    }
}

fn hands(from: u64, to: u64) -> Vec<u64> {
    (from..to).collect()
}

fn table(hands: &[u64]) -> String {
    let row = |&hand: &u64| format!("H{hand},{}", card_line(&deck(hand)));
    "hand,cards\n".to_owned() + &hands.iter().map(row).collect::<String>()
}

fn objects(hands: &[u64]) -> String {
    let row = |&hand: &u64| {
        let cards = card_line(&deck(hand));
        let day = if hand > 90_000 { 1 } else { 1 + (hand - 1) / 1_100 };
        let minute = (hand - 1) % 1_100;
        let at = format!("2026-10-{day:02}T{:02}:{:02}:00Z", minute / 60, minute % 60);
        format!(r#"{{"value":{{"at":"{at}","hand":{{"id":{hand},"deck":"{}"}}}}}}"#, cards.trim_end()) + "\n"
    };
    hands.iter().map(row).collect()
}

#[test]
fn hands_that_were_sorted_in_late_or_deleted_are_named_by_their_ids() {
    for (config, file, prefix, write) in
        [(HANDS, "export.csv", "H", table as fn(&[u64]) -> String), (OBJECTS, "export.jsonl", "", objects)]
    {
        let room = Room::new(config);
        let mut all: Vec<u64> = (1..1_101).collect();
        room.0.write(file, write(&all));
        room.night(1, 0);
        all.extend(1_101..2_201);
        all.splice(500..500, [90_001, 90_002]);
        all.remove(99);
        room.0.write(file, write(&all));
        let output = room.night(2, 2);
        let named = format!(
            "2 records were sorted in late or replaced, and not judged (hand {prefix}90001 (record 500), hand {prefix}90002 (record \
             501)), 1 record that was examined is gone"
        );
        output.must_tell(&named);
        output.must_tell("1,100 of 2,201 records, number 1,102 to 2,201");
        // The same file a second time is no mended one.
        let again = room.night(2, 2);
        again.must_print("COULD NOT SAY, the file was changed before its new records");
        again.must_print("Mend the cause before the next day.");
        again.must_tell("judged in row 2: the part that was examined");
        all.extend(2_201..3_301);
        room.0.write(file, write(&all));
        room.night(3, 0);
    }
}

/// The last record that was examined has the same id and stands elsewhere: its bytes may be others.
#[test]
fn the_last_hand_is_found_by_its_id_where_its_line_is_written_otherwise() {
    let room = Room::new(HANDS);
    let all: Vec<u64> = (1..2_201).collect();
    room.0.write("export.csv", table(&all[..1_100]));
    room.night(1, 0);
    room.0.write(
        "export.csv",
        table(&all).replace("hand,cards", "hand,cards,paid").replace('\n', ",0\n").replace("paid,0", "paid"),
    );
    let output = room.night(2, 2);
    output.must_tell("the same decks, written otherwise or in another order");
    output.must_tell("1,100 of 2,200 records, number 1,101 to 2,200");
}

#[test]
fn retention_that_is_declared_passes_and_what_is_more_than_that_does_not() {
    let room = Room::new(HANDS);
    let night = |room: &Room, day: u32, hands: &[u64], code: i32| {
        room.0.write("export.csv", table(hands));
        room.night(day, code)
    };
    night(&room, 1, &hands(1, 1_101), 0);
    night(&room, 2, &hands(1, 2_201), 0);
    night(&room, 3, &hands(701, 3_301), 2).must_tell("700 records that were examined are gone");
    room.configure(&format!("{HANDS}keeps_days = 2\n"));
    let output = night(&room, 4, &hands(1_801, 4_401), 0);
    let words = "its beginning (1,100 records) went, which keeps_days = 2 declares (days are not counted); it goes on after the last record";
    output.must_tell(words);
    output.must_tell("1,100 of 2,600 records, number 1,501 to 2,600");
    // A hand that was sorted in is no retention, and neither is one that went from the middle.
    let mut late = hands(2_901, 5_501);
    late.insert(40, 90_000);
    night(&room, 5, &late, 2).must_tell("hand H90000 (record 41)");
    let mut holed = hands(3_001, 6_601);
    holed.remove(600);
    night(&room, 6, &holed, 2).must_tell("that were examined are gone");
}

/// Files that go from a folder move every record: by their number alone some of the new ones would never be judged.
#[test]
fn a_folder_and_a_packed_file_go_on_after_the_last_deck() {
    let lines = |from: u64, to: u64| lines(from..to);
    let room = Room::new("source = \"exports\"\n");
    room.0.write("exports/1.csv", lines(1, 1_101));
    room.night(1, 0);
    room.0.write("exports/2.csv", lines(1_101, 2_301));
    room.night(2, 0).must_tell("1,200 of 2,300 records, number 1,101 to 2,300");
    is_judged_already(&room);
    // Others in the place of those that were judged are not judged by them.
    room.0.write("exports/1.csv", lines(7_001, 8_101));
    let output = room.night(2, 2);
    let found = "the export has the 2,300 records that row 2 (2026-10-02) examined, and its bytes are others";
    output.must_tell(found);
    room.0.write("exports/1.csv", lines(1, 1_101));
    fs::remove_file(room.0.path("exports/1.csv")).expect("it is there");
    room.0.write("exports/3.csv", lines(2_301, 3_501));
    let output = room.night(4, 2);
    output.must_tell("1,100 records that were examined are gone");
    output.must_tell("1,200 of 2,400 records, number 1,201 to 2,400");

    let room = Room::new("source = \"export.csv.gz\"\n");
    let packed = |text: String| {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        encoder.write_all(text.as_bytes()).expect("memory");
        room.0.write("export.csv.gz", encoder.finish().expect("memory"));
    };
    packed(lines(1, 1_101));
    room.night(1, 0);
    packed(lines(1, 2_301));
    room.night(2, 0).must_tell("1,200 of 2,300 records, number 1,101 to 2,300");
    is_judged_already(&room);
}

/// The second night, run again, has nothing to do; the third is told that nothing came.
fn is_judged_already(room: &Room) {
    room.night(2, 0).must_begin("T, 2026-10-02: already judged: row 2, PASS\n");
    let found = "the export has not grown: row 2 (2026-10-02) examined its last record, number 2,300";
    room.night(3, 2).must_tell(found);
}

/// The job of a day that passed, run again before a hand was added, has nothing to do; on a later day that is told.
#[test]
fn a_file_that_has_not_grown_is_judged_already_or_said_to_be_so() {
    let room = Room::new(HANDS);
    room.0.write("export.csv", table(&hands(1, 1_101)));
    room.night(1, 0);
    room.night(1, 0).must_begin("T, 2026-10-01: already judged: row 1, PASS\n");
    let output = room.night(2, 2);
    let found = "the export has not grown: row 1 (2026-10-01) examined its last record, number 1,100";
    output.must_tell(found);
    room.0.write("export.csv", table(&hands(1, 2_201)));
    room.night(3, 0).must_tell("1,100 of 2,200 records, number 1,101 to 2,200");
    // Typed once more on that day, for a program.
    let output = room.0.night("2026-10-03", &["--json"]).ends(0);
    assert_eq!(output.json()["day"]["overall"], "passed");
    room.0.write("export.csv", table(&hands(1, 3_301)));
    room.night(4, 0).must_tell("1,100 of 3,300 records, number 2,201 to 3,300");
}

/// A night that had half a file is merged into the next: run again it has nothing to do, and the record ends as the next night did.
#[test]
fn a_night_that_is_run_again_after_a_later_one_took_its_hands_has_nothing_to_do() {
    let room = Room::new(HANDS);
    let all: Vec<u64> = (1..3_301).collect();
    room.0.write("export.csv", table(&all[..1_100]));
    room.night(1, 0);
    let whole = table(&all[..2_200]);
    room.0.write("export.csv", &whole[..whole.len() - 20]);
    room.night(2, 2);
    room.0.write("export.csv", table(&all));
    room.night(3, 0);
    let output = room.night(2, 0);
    let first = "T, 2026-10-02: no record is new since row 3 (2026-10-03), PASS\n";
    output.must_begin(first);
    room.0.run(&["history", "days"]).ends(0).must_not_print("row 4");
    // What that row found, it found of these hands too.
    room.0.write("export.csv", table(&[&all[..50], &all[60..], &hands(3_301, 4_401)].concat()));
    room.night(5, 2);
    let output = room.night(4, 2);
    let first = "T, 2026-10-04: no record is new since row 4 (2026-10-05), COULD NOT SAY\n";
    output.must_begin(first);
}

/// The first night finds the hands of days before, and a night at seven in the morning those of the evening.
#[test]
fn a_growing_file_may_begin_with_hands_of_earlier_days() {
    let room = Room::new(OBJECTS);
    let all: Vec<u64> = (1..3_401).collect();
    room.0.write("export.jsonl", objects(&all[..2_400]));
    room.night(3, 0).must_tell("2,200 records are outside the day 2026-10-03");
    room.0.write("export.jsonl", objects(&all));
    let output = room.night(4, 0);
    output.must_tell("900 records are outside the day 2026-10-04");
    output.must_tell("1,000 of 3,400 records, number 2,401 to 3,400");
    // Hands of a later day than the one that is run: another day is meant.
    room.0.write("export.jsonl", objects(&hands(1, 5_501)));
    room.night(4, 2).must_tell("are outside the day 2026-10-04");
}

/// Two nights were missed, and a part of the running day is there already: none of that is the file of another day.
#[test]
fn hands_of_missed_nights_are_judged_beside_those_of_the_running_day() {
    let room = Room::new(OBJECTS);
    room.0.write("export.jsonl", objects(&hands(1, 1_101)));
    room.night(1, 0);
    room.0.write("export.jsonl", objects(&hands(1, 4_501)));
    let output = room.night(4, 0);
    output.must_tell("2,300 records are outside the day 2026-10-04");
    output.must_tell("3,400 of 4,500 records, number 1,101 to 4,500");
}

/// Where no decks are remembered, records that went cannot be told from records that were replaced.
#[test]
fn a_beginning_of_which_nothing_is_known_went_only_where_there_are_fewer_records() {
    let room = Room::new(&format!("{HANDS}keeps_days = 2\nknown_decks = 0\n"));
    room.0.write("export.csv", table(&hands(1, 1_201)));
    room.night(1, 0);
    room.0.write("export.csv", table(&[hands(90_001, 90_601), hands(601, 2_401)].concat()));
    room.night(2, 2).must_tell("rows were sorted in late, deleted or replaced");
    room.0.write("export.csv", table(&hands(1_801, 3_601)));
    let words = "its beginning or other records (known_decks = 0 cannot tell) went, which keeps_days = 2 declares (days are not counted)";
    room.night(3, 0).must_tell(words);
}

/// A file that was changed before its end and has no record after it: both are said, not which range could not be read.
#[test]
fn a_changed_file_that_has_not_grown_says_both() {
    let room = Room::new(HANDS);
    let mut all: Vec<u64> = (1..1_101).collect();
    room.0.write("export.csv", table(&all));
    room.night(1, 0);
    all.remove(99);
    room.0.write("export.csv", table(&all));
    let output = room.night(2, 2);
    let found = "1 record that was examined is gone; no record follows the last one that was examined, so none is judged; \
                 append_only needs new records at the end. Find out who changed it";
    output.must_tell(found);
    room.configure(&format!("{HANDS}keeps_days = 2\n"));
    room.0.write("export.csv", table(&(501..1_101).collect::<Vec<u64>>()));
    let output = room.night(3, 2);
    let found = "its beginning (500 records) went, which keeps_days = 2 declares (days are not counted); no record follows the last";
    output.must_tell(found);
}

/// Records without a deck count nowhere, so that the last one is found behind them.
#[test]
fn records_without_a_deck_do_not_move_the_last_one() {
    let room = Room::new("source = \"export.csv\"\nempty_deck = \"skip\"\n");
    let all: Vec<u64> = (1..2_301).collect();
    let text = |hands: &[u64]| table(hands).replace("H1050,", "H1050,\nX,").replace("H1090,", "H1090,\nX,");
    room.0.write("export.csv", text(&all[..1_100]));
    room.night(1, 0);
    room.0.write("export.csv", text(&all[10..]));
    let output = room.night(2, 2);
    output.must_tell("10 records that were examined are gone");
    output.must_tell("1,200 of 2,290 records, number 1,091 to 2,290");
}

/// Ids of two days that leap are no missing hands: that the file holds yesterday's is what is told.
#[test]
fn yesterdays_hands_are_named_as_such_though_their_ids_lie_far_away() {
    let room = Room::new("");
    let config = BASE.replace("append_only = true\n", "");
    let named = "source = \"{date}.csv\"\nid_column = \"hand\"\ntime_column = \"at\"\n";
    room.0.write("daily.toml", format!("{config}{named}"));
    let rows = |day: u64| {
        let row = |n: u64| {
            let minute = n % 1_440;
            let at = format!("2026-10-{day:02}T{:02}:{:02}:00Z", minute / 60, minute % 60);
            format!("{},{at},{}", 10_000 * day + n, card_line(&deck(10_000 * day + n)))
        };
        (1..1_101).map(row).collect::<String>()
    };
    let write = |day: u64, rows: String| {
        room.0.write(&format!("2026-10-{day:02}.csv"), format!("hand,at,cards\n{rows}"))
    };
    for day in 1..4 {
        write(day, rows(day));
        room.night(day as u32, 0);
    }
    write(4, rows(3) + &rows(4));
    room.night(4, 2).must_tell("1,100 hands are here again that row 3 (2026-10-03) has, with the same ids");
    write(4, rows(4).lines().take(300).map(|line| format!("{line}\n")).collect());
    room.night(4, 2).must_tell("the last 3 days had 1,100 each: a part of the day; copy");
    write(4, rows(4));
    room.night(4, 0);
}

/// The ids of all lines are written otherwise once: the decks are where they were.
#[test]
fn ids_that_are_written_otherwise_are_named_once_and_the_nights_go_on() {
    let room = Room::new(HANDS);
    let night = |day: u32, last: u64, prefix: &str, code: i32| {
        room.0.write("export.csv", table(&hands(1, last)).replace("\nH", &format!("\n{prefix}")));
        room.night(day, code)
    };
    night(1, 1_101, "H", 0);
    night(2, 2_201, "N-", 2).must_tell("1,100 of 2,200 records, number 1,101 to 2,200");
    night(3, 3_301, "N-", 0);
    // Other decks are another file, whatever their numbers.
    let others = hands(1, 4_401).iter().map(|hand| hand + 50_000).collect::<Vec<u64>>();
    room.0.write("export.csv", table(&others).replace("\nH", "\nX-"));
    room.night(4, 2).must_tell("the last record that was examined is not in it");
}

/// Hands that came after the night of their day are judged by the next one, which does not call them missing.
#[test]
fn hands_that_came_after_their_night_are_not_missing() {
    let room = Room::new(OBJECTS);
    for (day, last) in [(1, 1_101), (2, 2_201), (3, 3_301), (4, 4_401), (5, 5_401)] {
        room.0.write("export.jsonl", objects(&hands(1, last)));
        room.night(day, 0);
    }
    room.0.write("export.jsonl", objects(&hands(1, 6_601)));
    let output = room.night(6, 0);
    output.must_tell("100 records are outside the day 2026-10-06").must_not_print("missing");
}

/// Hands that are missing on one night are so on the next one, which judges what that night did not. A day that is examined before it is
/// over lacks none.
#[test]
fn hands_that_are_missing_are_missing_on_the_next_night_too() {
    let room = Room::new(OBJECTS);
    let mut all = Vec::new();
    let mut night = |day: u32, hands: &[(u64, u64)], code: i32| {
        all.extend(hands.iter().flat_map(|(from, to)| *from..*to));
        room.0.write("export.jsonl", objects(&all));
        room.night(day, code)
    };
    for day in 1..5 {
        night(day, &[(1_100 * u64::from(day) - 1_099, 1_100 * u64::from(day) + 1)], 0);
    }
    night(5, &[(4_401, 5_001)], 0);
    night(5, &[(5_001, 5_501)], 0).must_not_print("missing");
    let output = night(6, &[(5_501, 5_901), (6_201, 6_601)], 2);
    output.must_tell(
        "300 ids are missing between hand 5501 and 6600, and the last 5 days lacked at most 0.0 %",
    );
    let output = night(7, &[(6_601, 7_701)], 2);
    output.must_tell("300 ids are missing between hand 5500, the last one of 2026-10-05, and 6601");
    // They are there again, and all is judged.
    all.extend(5_901..6_201);
    all.sort_unstable();
    room.0.write("export.jsonl", objects(&all));
    room.night(7, 0).must_tell("2,200 of 7,700 records, number 5,501 to 7,700");
}

/// A row that is voided after others went on: its day is judged by its records, and the next night goes on after the last one.
#[test]
fn the_day_of_a_voided_row_is_judged_by_its_own_records() {
    let room = Room::new(HANDS);
    let write = |hands: &[u64]| room.0.write("export.csv", table(hands));
    let night = |day: u32, code: i32| room.0.night(&format!("2026-10-{day:02}"), &[]).ends(code);
    write(&hands(1, 1_101));
    night(1, 0);
    // Day 2 has a deck of day 1 under another id.
    let mut all = hands(1, 2_201);
    let bad = |text: String| text.replace(&card_line(&deck(1_500)), &card_line(&deck(7)));
    room.0.write("export.csv", bad(table(&all)));
    night(2, 1).must_print("a deck came up again");
    all.extend(2_201..3_301);
    room.0.write("export.csv", bad(table(&all)));
    night(3, 1);
    let people = ["--void", "2", "--by", "A. Smith", "--by", "B. Jones", "--reason", "test"];
    room.0.run(&[&["history", "days"], &people[..]].concat()).ends(0);
    // The bad deck is still there.
    let output = night(2, 1);
    output.must_print("1,100 of 3,300 records, number 1,101 to 2,200").must_print("a deck came up again");
    let people = ["--void", "5", "--by", "A. Smith", "--by", "B. Jones", "--reason", "test"];
    room.0.run(&[&["history", "days"], &people[..]].concat()).ends(0);
    write(&all);
    // The stop of the evidence over all days was of day 3, by what day 2 had shown: it ends with the voided row.
    let output = night(2, 0);
    output.must_print("Decks: pass").must_print("1,100 of 3,300");
    output.must_not_print("still active").must_print("Over 3 days the evidence against the shuffler is none");
    // It has its records: nothing is judged a second time.
    night(2, 0).must_print("row 7").must_not_print("COULD NOT SAY");
    all.extend(3_301..4_401);
    write(&all);
    // What was replaced is named once, and is what was voided.
    let output = night(4, 0);
    output.must_print("1,100 of 4,400 records, number 3,301 to 4,400");
    output.must_tell("Note: the part that was examined (3,300 records) is another one from line ");
    output.must_tell("as row 5, which two people voided, explains: all records up to the last one that was examined were judged");
    all.extend(4_401..5_501);
    write(&all);
    night(5, 0);
}

/// The wrong part had more records than the right one, or fewer: those of the next day are not judged a second time.
#[test]
fn a_voided_part_of_another_length_is_judged_as_it_is_now() {
    for (config, wrong, named) in [
        (HANDS, [hands(1, 2_201), hands(90_001, 90_101)].concat(), ", 100 records fewer, as row 2"),
        (
            "source = \"export.csv\"\n",
            [hands(1, 2_201), hands(90_001, 90_101)].concat(),
            ", 100 records fewer, as row 2",
        ),
        (HANDS, hands(1, 2_151), " on, as row 2, which two people voided, explains"),
    ] {
        let room = Room::new(config);
        let night = |day: u32, hands: &[u64]| {
            room.0.write("export.csv", table(hands));
            room.night(day, 0)
        };
        night(1, &hands(1, 1_101));
        night(2, &wrong);
        night(3, &[wrong, hands(2_201, 3_301)].concat());
        let people = ["--void", "2", "--by", "A. Smith", "--by", "B. Jones", "--reason", "test"];
        room.0.run(&[&["history", "days"], &people[..]].concat()).ends(0);
        night(2, &hands(1, 3_301)).must_tell("1,100 of 3,300 records, number 1,101 to 2,200");
        night(4, &hands(1, 4_401)).must_tell(named).must_tell("number 3,301 to 4,400");
        night(5, &hands(1, 5_501));
        // Without a row that was voided since, the same is somebody's change.
        room.0.write("export.csv", table(&[hands(1, 500), hands(501, 6_601)].concat()));
        room.night(6, 2).must_tell("1 record that was examined is gone");
    }
}

/// A missed night has hands of before its day too: decks of a day before them are no hands of that one, whatever the day that is asked for.
#[test]
fn decks_that_come_again_in_a_missed_night_are_proof() {
    let room = Room::new(OBJECTS);
    room.0.write("export.jsonl", objects(&hands(1, 1_101)));
    room.night(1, 0);
    // Hand 1,500, of day 2, has the deck of hand 7, of day 1.
    let cards = |hand: u64| card_line(&deck(hand)).trim_end().to_owned();
    room.0.write("export.jsonl", objects(&hands(1, 3_301)).replace(&cards(1_500), &cards(7)));
    let output = room.0.night("2026-10-03", &[]).ends(1);
    output
        .must_print("a deck came up again")
        .must_tell("hand 1500 of this day is a deck of row 1 (2026-10-01) under another id");
}
