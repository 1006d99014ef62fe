//! Nights whose decks are those of earlier days again, with two explanations of which one is a fault of the shuffler.

use std::ops::Range;

use crate::common::lab::{Output, card_line, deck, lines};
use crate::common::nights::{NAMED, Room, hands};

/// Neither a pass nor a stop: both explanations, what to find out first, and no word of what there is not.
#[track_caller]
fn is_either(output: &Output, found: &str, none_of: &[&str]) {
    assert_eq!(output.code, 2, "{output}");
    output.must_print(": COULD NOT SAY, decks came again");
    output.must_print(
        "\nDo not deal on before you know which it is, see below; then run daily --date 2026-10-",
    );
    output.must_tell(found).must_tell(": then stop dealing");
    for words in none_of {
        output.must_not_print(words);
    }
}

/// A shuffler with a seed in its program, or a program that reads out a file: the same bytes.
#[test]
fn a_program_that_gives_the_decks_of_an_earlier_row_may_deal_them_anew() {
    let Room(lab) = Room::new("source = \"cmd:cat decks.txt\"\n");
    let night = |day: &str, decks: String| {
        lab.write("decks.txt", decks);
        lab.night(day, &[])
    };
    night("2026-10-01", lines(1..1_201)).ends(0);
    for (decks, found) in [
        (lines(1..1_201), "the program gave the decks of row 1 (2026-10-01, pass) again"),
        (lines(1..1_501), "the program began with all 1,200 decks of row 1 (2026-10-01)"),
        (lines(1..1_101), "the program gave no deck beside 1,100 decks of row 1 (2026-10-01)"),
    ] {
        let output = night("2026-10-02", decks);
        is_either(&output, &format!("{found}: either it reads out"), &["export", "append_only", "Deal on"]);
    }
    // A part of them beside new ones is no record that is read out.
    night("2026-10-03", lines(1..601) + &lines(2_001..2_601)).ends(1).must_print("a deck came up again");
}

/// Records with the numbers of their lines as ids, as a spreadsheet gives them.
fn numbered(decks: impl Iterator<Item = u64>) -> String {
    let row = |(place, number): (u64, u64)| format!("{place},{}", card_line(&deck(number)));
    "row,cards\n".to_owned() + &(1..).zip(decks).map(row).collect::<String>()
}

/// The last 50 decks of a day are the first ones of the next, night after night: no night passes and none stops.
#[test]
fn a_day_that_begins_with_the_end_of_another_is_an_overlap_or_a_state_that_was_saved() {
    for ids in ["", "id_column = \"row\"\n"] {
        let Room(lab) = Room::new(&format!("source = \"{{date}}.csv\"\n{ids}"));
        let night = |day: &str, decks: Range<u64>| {
            let text = if ids.is_empty() { lines(decks) } else { numbered(decks) };
            lab.write(&format!("{day}.csv"), text);
            lab.night(day, &[])
        };
        night("2026-10-01", 1..1_201).ends(0);
        let first = "the first 50 decks are of row 1 (2026-10-01), number 50 is the last one of it: either the export begins too early";
        is_either(&night("2026-10-02", 1_151..2_401), first, &["append_only", "Deal on"]);
        // What was not judged is not remembered but for its last deck, the 50th of 2,351 to 2,400.
        let unjudged =
            "50 is the last one of row 2 (2026-10-02), whose decks were not judged: either the export begins";
        is_either(&night("2026-10-03", 2_351..3_601), unjudged, &["append_only", "Deal on"]);
        night("2026-10-02", 1_201..2_401).ends(0);
        is_either(&night("2026-10-03", 2_351..3_601), "the first 50 decks are of row 4 (2026-10-02)", &[]);
        night("2026-10-03", 2_401..3_601).ends(0);
    }
}

/// A file without ids and times: that of an earlier day, a part of it, all of it and more. A dealer with a fixed seed gives each of
/// them; ids tell hands apart.
#[test]
fn a_file_of_the_decks_of_an_earlier_row_may_be_dealt_anew() {
    let Room(lab) = Room::new("source = \"{date}.csv\"\n");
    let night = |day: &str, decks: String| {
        lab.write(&format!("{day}.csv"), decks);
        lab.night(day, &[])
    };
    night("2026-10-01", lines(1..1_201)).ends(0);
    let part = "the file holds no deck beside 1,100 decks of row 1 (2026-10-01): either it is an old export";
    for (decks, found) in [
        (
            lines(1..1_201),
            "these are the decks of row 1 (2026-10-01, pass): either the file is that of an earlier day",
        ),
        (lines(1..1_101), part),
        (lines(101..1_201), part),
        (
            lines(1..1_501),
            "the file begins with all 1,200 decks of row 1 (2026-10-01): either it is a file that grows",
        ),
    ] {
        is_either(&night("2026-10-02", decks), found, &["Deal on"]);
    }
    // One deck alone, and a part of them beside new ones.
    for decks in [lines(7..8), lines(1..601) + &lines(2_001..2_601)] {
        night("2026-10-03", decks).ends(1).must_print("a deck came up again");
    }
}

/// Ids that begin again at 1 each day, and times of each day: a dealer with a fixed seed.
#[test]
fn ids_of_each_day_do_not_say_that_hands_are_of_an_earlier_one() {
    let stamped = |day: &str| {
        let row = |place: u64| {
            format!("{place},{day}T{:02}:{:02}:00Z,{}", place / 60, place % 60, card_line(&deck(place)))
        };
        "row,at,cards\n".to_owned() + &(1..1_201).map(row).collect::<String>()
    };
    let ids = "source = \"{date}.csv\"\nid_column = \"row\"\n";
    let again = "these are the decks of row 1 (2026-10-01, pass): either the file is that of an earlier day";
    let same = "1,200 hands are here again that row 1 (2026-10-01) has, with the same ids (hand 1 to 1200)";
    for (more, found, is_stamped) in [("", again, false), ("time_column = \"at\"\n", same, true)] {
        let Room(lab) = Room::new(&format!("{ids}{more}"));
        for day in ["2026-10-01", "2026-10-02"] {
            let text = if is_stamped { stamped(day) } else { numbered(1..1_201) };
            lab.write(&format!("{day}.csv"), text);
        }
        lab.night("2026-10-01", &[]).ends(0);
        let output = lab.night("2026-10-02", &[]).ends(2);
        output.must_print(": COULD NOT SAY, decks came again\n").must_tell(found);
        output.must_print("\nDo not deal on before you know which it is").must_tell("stop dealing");
    }
    // The same file with the times of the day before is its export.
    let Room(lab) = Room::new(&format!("{ids}time_column = \"at\"\n"));
    for day in ["2026-10-01", "2026-10-02"] {
        lab.write(&format!("{day}.csv"), stamped("2026-10-01"));
    }
    lab.night("2026-10-01", &[]).ends(0);
    lab.night("2026-10-02", &[]).ends(2).must_not_print("stop dealing");
}

/// Yesterday's file newest first, and joined behind that of this day; a file that holds its decks twice.
#[test]
fn a_file_in_another_order_or_joined_to_another_is_no_proof() {
    let Room(lab) = Room::new("source = \"{date}.csv\"\n");
    let night = |decks: String| {
        lab.write("2026-10-02.csv", decks);
        lab.night("2026-10-02", &[])
    };
    lab.write("2026-10-01.csv", lines(1..1_201));
    lab.night("2026-10-01", &[]).ends(0);
    let newest_first: String = (1..1_201).rev().map(|number| lines(number..number + 1)).collect();
    let joined = lines(2_001..3_201) + &lines(1..1_201);
    for (decks, found) in [
        (newest_first, "the file holds no deck beside all 1,200 decks of row 1 (2026-10-01): either"),
        (joined, "the file ends with all 1,200 decks of row 1 (2026-10-01): either it was joined"),
        (lines(2_001..3_201).repeat(2), "of 2,400 decks: either the file was joined to itself"),
    ] {
        is_either(&night(decks), found, &["Deal on"]);
    }
    // Of two rows all but one, as a growing file gives that was written newest first.
    lab.write("2026-10-03.csv", lines(2_001..3_201));
    lab.night("2026-10-03", &[]).ends(0);
    lab.write("2026-10-04.csv", lines(2_001..3_200) + &lines(1..1_201));
    let output = lab.night("2026-10-04", &[]).ends(2);
    output.must_tell("the file holds no deck beside 2,399 decks of 2 rows, the last of 2026-10-03: either it is an old export");
    // With one more of them in front it is no joined file.
    night(lines(7..8) + &lines(2_001..3_201) + &lines(1..1_201)).ends(1);
}

/// A deck alone, a part that is not the end, the end elsewhere or with one more, and hands with ids of their own.
#[test]
fn decks_of_an_earlier_day_that_are_not_its_end_are_proof() {
    let new = || 2_001..3_201;
    let named = |decks: Vec<u64>| {
        let row = |(place, number): (u64, u64)| format!("H{place},{}", card_line(&deck(number)));
        "hand,cards\n".to_owned() + &(5_000..).zip(decks).map(row).collect::<String>()
    };
    for (decks, has_ids) in [
        ((1_200..1_201).chain(new()).collect::<Vec<u64>>(), false),
        ((1_151..1_200).chain(new()).collect(), false),
        (new().chain(1_150..1_200).collect(), false),
        (new().chain(1_151..1_201).chain([9_001]).collect(), false),
        ((1_151..1_201).chain(new()).chain([7]).collect(), false),
        ((1_151..1_201).chain(new()).collect(), true),
    ] {
        let Room(lab) = Room::new(if has_ids {
            "source = \"{date}.csv\"\nid_column = \"hand\"\n"
        } else {
            "source = \"{date}.csv\"\n"
        });
        let text = |decks: Vec<u64>| if has_ids { named(decks) } else { lines(decks) };
        lab.write("2026-10-01.csv", text((1..1_201).collect()));
        lab.night("2026-10-01", &[]).ends(0);
        let day = if has_ids { text(decks).replace("\nH", "\nA") } else { text(decks) };
        lab.write("2026-10-02.csv", day);
        lab.night("2026-10-02", &[]).ends(1).must_print(": STOP, ").must_print(": a deck came up again\n");
    }
}

/// A deck that comes right again, and blocks that are there again elsewhere or three times: no copy that was resumed has them.
#[test]
fn decks_that_come_again_within_a_day_otherwise_than_a_copy_has_them_are_proof() {
    let Room(lab) = Room::new("source = \"{date}.csv\"\n");
    for decks in [
        lines(1..601) + &lines(600..1_201),
        lines(1..601) + &lines(401..501) + &lines(601..1_201),
        lines(1..601) + &lines(501..601) + &lines(501..1_201),
        lines(1..601) + &lines(501..1_201) + &lines(7..8),
    ] {
        lab.write("2026-10-01.csv", decks);
        lab.night("2026-10-01", &[]).ends(1).must_print("a deck came up again");
    }
}

/// Numbers of records as ids, and times that say that the hands are of the day itself: no export that begins too early has them.
#[test]
fn the_end_of_another_day_with_times_of_this_one_is_proof() {
    let Room(lab) = Room::new("source = \"{date}.csv\"\nid_column = \"row\"\ntime_column = \"at\"\n");
    let night = |day: &str, decks: Range<u64>| {
        let row = |(place, number): (u64, u64)| {
            format!("{place},{day}T{:02}:{:02}:00Z,{}", place / 60, place % 60, card_line(&deck(number)))
        };
        let text = "row,at,cards\n".to_owned() + &(1..).zip(decks).map(row).collect::<String>();
        lab.write(&format!("{day}.csv"), text);
        lab.night(day, &[])
    };
    night("2026-10-01", 1..1_201).ends(0);
    night("2026-10-02", 1_151..2_401).ends(1).must_print(": STOP, ").must_print(": a deck came up again\n");
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

/// Four tables whose processes have one seed, with hand numbers of each table: a record that an export holds twice has one time.
#[test]
fn one_id_and_one_deck_at_two_times_are_decks_that_came_again() {
    let room = Room::new(NAMED);
    // Each table is two seconds behind the one before, or writes the record of that one again.
    let write = |lag: u64| {
        let row = |hand: u64, table: u64| {
            let second = 40 * hand + lag * table;
            let time = format!("{:02}:{:02}:{:02}", second / 3_600, second / 60 % 60, second % 60);
            format!("{hand},2026-10-01T{time}Z,T-{table},{}", card_line(&deck(hand)))
        };
        let rows = (1..301).flat_map(|hand| (1..5).map(move |table| (hand, table)));
        let rows: String = rows.map(|(hand, table)| row(hand, table)).collect();
        room.0.write("2026-10-01.csv", format!("hand,at,table,cards\n{rows}"));
    };
    write(2);
    room.slips(
        1,
        "one id and one deck at two times, as tables give that number their hands alike",
        "fresh evidence: records 1 (2026-10-01T00:00:42Z) and 2 (2026-10-01T00:00:44Z) have one deck at two times (and 899 more such pairs): ",
        "a second column in `id_column`, run again",
    );
    is_either(&room.night(1), "By id_column the export is not read: records 1 and 2 have", &["Deal on"]);
    // The advice that the mail ends with: by both columns they are hands of their own with one deck.
    room.night(1)
        .ends(2)
        .must_tell("name both, such as id_column = \"table,hand\", and the decks are judged");
    write(0);
    let output = room.night(1).ends(2);
    output.must_print(": COULD NOT SAY, the export cannot be judged\nDeal on if").must_not_print("two times");
    // A column of ids that is not there hides no decks either, and where none came again its fault is the finding.
    room.configure(&NAMED.replace("\"hand\"", "\"hand_id\""));
    write(2);
    is_either(&room.night(1), "By id_column the export is not read: 2026-10-01.csv, record 1", &["Deal on"]);
    room.0.write("2026-10-01.csv", hands(1, 1..1_201, 1));
    room.night(1).ends(2).must_print("the export cannot be judged\nDeal on if");
    write(2);
    room.configure(&NAMED.replace("\"hand\"", "[\"table\", \"hand\"]"));
    room.stops(
        1,
        "**fault**: one deck at two tables, by `id_column = [\"table\", \"hand\"]`, which names each hand",
        "live output: fail: The same deck came up again. Each of the 300 comes again 1 deck later: 1 and 2",
        "two people: `--release` of a repaired shuffler, or `--void` of a wrong export",
    );
}

/// Hands that each table counts from 1, by the table and the hand: a row that is there twice, an export that begins with hands of the
/// night before, and hand numbers that begin again each night.
#[test]
fn hands_of_tables_are_known_by_table_and_hand() {
    let two = NAMED.replace("\"hand\"", "\"table,hand\"");
    let room = Room::new(&two);
    let row = |day: u32, table: u64, hand: u64, number: u64| {
        let second = 40 * (hand % 1_000) + 2 * table;
        let time =
            format!("2026-10-{day:02}T{:02}:{:02}:{:02}Z", second / 3_600, second / 60 % 60, second % 60);
        format!("{hand},{time},T-{table},{}", card_line(&deck(number)))
    };
    let day = |day: u32, from: u64| {
        let hands = (from..from + 300).flat_map(|hand| (1..5).map(move |table| (table, hand)));
        hands
            .map(|(table, hand)| row(day, table, hand, 5_000 * u64::from(day) + 4 * hand + table))
            .collect::<Vec<_>>()
    };
    let write = |day: u32, rows: &[String]| {
        room.0.write(&format!("2026-10-{day:02}.csv"), "hand,at,table,cards\n".to_owned() + &rows.concat());
    };
    write(1, &day(1, 1));
    room.passes(1).must_not_print("two records");
    // A row twice, and the last hands of the night before.
    let own = day(2, 1_001);
    write(2, &[&own[..], &own[1_199..]].concat());
    room.night(2)
        .ends(2)
        .must_tell("records 1,200 and 1,201 have the same name and the same deck, wanted every record once");
    write(2, &[&day(1, 1)[1_190..], &own[..]].concat());
    let output = room.night(2).ends(2);
    output.must_tell(
        "10 hands are here again that row 1 (2026-10-01) has, with the same ids (hand T-3,298 to T-4,300)",
    );
    output.must_tell("with times of before this day: the exports overlap").must_print("\nDeal on if");
    write(2, &own);
    room.passes(2);
    // Without times, and with numbers that begin again each night, ids tell no hands of two nights apart.
    let room = Room::new(&two.replace("time_column = \"at\"\n", ""));
    let write = |day: u32, rows: &[String]| {
        room.0.write(&format!("2026-10-{day:02}.csv"), "hand,at,table,cards\n".to_owned() + &rows.concat());
    };
    write(1, &day(1, 1));
    room.passes(1);
    write(2, &[&day(1, 1)[..600], &day(2, 151)[..]].concat());
    let output = room.night(2).ends(2);
    output.must_tell(
        "600 hands are here again that row 1 (2026-10-01) has, with the same ids (hand T-1,1 to T-4,150)",
    );
    output.must_print("\nDo not deal on before you know which it is");
}

/// Ids that all hands have, as a spreadsheet gives: among decks that are new they hide none of an earlier day.
#[test]
fn decks_of_an_earlier_day_under_ids_that_name_no_hands_are_a_fault_at_times_of_this_one() {
    let room = Room::new(NAMED);
    let write = |day: u32, time_of: u32, others: u64| {
        let alike = |rows: String| {
            let rest = |row: &str| row.split_once(',').expect("cells").1.to_owned();
            rows.lines().skip(1).map(|row| format!("2.02611E+15,{}\n", rest(row))).collect::<String>()
        };
        let rows = [hands(time_of, 1..101, 1), hands(day, 1_001..2_101, others)].map(alike).concat();
        room.0.write(&format!("2026-10-{day:02}.csv"), format!("hand,at,cards\n{rows}"));
    };
    write(1, 1, 10_000);
    room.passes(1);
    // Hands of around midnight are an overlap.
    write(2, 1, 20_000);
    let output = room.night(2).ends(2);
    output.must_tell("with times of before this day: the exports overlap").must_print("\nDeal on if");
    write(2, 2, 20_000);
    room.stops(
        2,
        "**fault**: decks of an earlier day under ids that all hands have, at times of this one",
        "known decks: 100 hands are here again that row 1 (2026-10-01) has, with the same ids (hand 2.02611E+15 to 2.02611E+15), each of \
         which many hands have, and with times of this day",
        "two people: `--release` of a repaired shuffler, or `--void` of a wrong export",
    );
}

/// Ids that wrap each thousand hands, and a dealer whose decks do: the mail says what the times are, and asks nobody to look at them.
#[test]
fn times_that_were_read_are_named_where_hands_come_again() {
    let room = Room::new(NAMED);
    let write = |day: u32, first: u64| {
        let row = |(place, hand): (u64, u64)| {
            let second = 60 * place + (7 * place + u64::from(day)) % 50;
            let time = format!("{:02}:{:02}:{:02}", second / 3_600, second / 60 % 60, second % 60);
            format!("{},2026-10-{day:02}T{time}Z,{}", 2_000 + hand % 1_000, card_line(&deck(hand % 1_000)))
        };
        let rows: String = (0..).zip(first..first + 1_000).map(row).collect();
        room.0.write(&format!("2026-10-{day:02}.csv"), format!("hand,at,cards\n{rows}"));
    };
    write(1, 0);
    room.passes(1);
    write(2, 0);
    let output = room.slips(
        2,
        "hands of the day before at times of this one, with ids that wrap",
        "fresh evidence: 1,000 hands are here again that row 1 (2026-10-01) has, with the same ids (hand 2000 to 2999) and with times of \
         this day (2026-10-02T00:00:02Z to 2026-10-02T16:39:",
        "who knows the export says which it is",
    );
    is_either(&output, "either the shuffler dealt the same decks again", &["Look at their times", "Deal on"]);
}

/// A deck with which a night ended that was not judged, at the time that it had then.
#[test]
fn the_last_hand_of_a_night_that_was_not_judged_is_no_repeat_by_its_time() {
    let room = Room::new(NAMED);
    let day = |day: u32, first: &str, own: &str| {
        room.0
            .write(&format!("2026-10-{day:02}.csv"), own.replacen("cards\n", &format!("cards\n{first}"), 1));
    };
    let last = |own: &str| format!("A{}\n", own.lines().last().expect("a hand"));
    let nights = [hands(1, 1..1_101, 1), hands(2, 2_001..3_101, 10_000), hands(3, 3_101..4_201, 20_000)];
    day(1, "", &nights[0]);
    room.passes(1);
    day(2, &last(&nights[0]), &nights[1]);
    room.night(2).ends(2).must_print("\nDeal on if");
    day(3, &last(&nights[1]), &nights[2]);
    let output = room.night(3).ends(2);
    output.must_tell("hand A3100 is the last one of row 2 (2026-10-02), whose decks were not judged, with a time of before this day");
    output.must_print("the export cannot be judged\nDeal on if");
    // With a time of this day it is open.
    day(3, &last(&nights[1]).replace("-02T03:03", "-03T00:00").replace("-02T0", "-03T0"), &nights[2]);
    is_either(&room.night(3), "whose decks were not judged: either the export begins too early", &[]);
}

/// After an update the same decks stand there as numbers from 1, suit by suit: they are not known again, and the mail says so.
#[test]
fn cards_that_are_written_in_another_way_are_named() {
    let Room(lab) = Room::new("source = \"{date}.csv\"\n");
    let by_suit = |numbers: &[u8]| {
        let number = |card: &u8| (card % 4 * 13 + card / 4 + 1).to_string();
        numbers.iter().map(number).collect::<Vec<_>>().join(" ") + "\n"
    };
    let night = |day: &str, line: &dyn Fn(&[u8]) -> String, decks: Range<u64>| {
        lab.write(&format!("{day}.csv"), decks.map(|n| line(&deck(n))).collect::<String>());
        lab.night(day, &[]).ends(0)
    };
    night("2026-10-01", &|deck| card_line(deck), 1..1_201).must_not_print("Note: ");
    let output = night("2026-10-02", &by_suit, 1..1_201);
    output.must_tell(
        "Note: row 1 (2026-10-01) has cards, and this day has numbers taken as 4·rank + suit (2c 2d 2h 2s 3c … As), which is \
         assumed (numbering): if either counts otherwise",
    );
    assert!(lab.text("days/2026-10-02/day.html").contains("row 1 (2026-10-01) has cards"), "{output}");
    // What is assumed is in the evidence of every night, and no note of its mail.
    let output = night("2026-10-03", &by_suit, 2_001..3_201);
    output.must_not_print("Note: ");
    assert!(lab.text("days/2026-10-03/day.html").contains("which is assumed (numbering)"), "{output}");
}
