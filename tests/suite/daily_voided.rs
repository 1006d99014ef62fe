//! `deckproof daily`: days that people mend, by voiding a row or by another file, and stops that stay active meanwhile.

use serde_json::Value;

use crate::common::lab::{Lab, Output, card_line, deck, deck_with};
use crate::daily_steps::step;

const BASE: &str = "name = \"T\"\nsource = \"export-{date}.csv\"\nfolder = \"days\"\ntiers = \"core\"\nfresh_decks = 0\nid_column = \"hand\"\n";

struct Room(Lab);

impl Room {
    /// After a day of 1,500 hands that passed.
    fn new(more: &str) -> Room {
        let room = Room(Lab::new());
        room.0.write("daily.toml", format!("{BASE}{more}"));
        room.export(1, &hands(1));
        room.night(1, &[], 0);
        room
    }

    fn export(&self, day: u64, hands: &[(u64, u64)]) {
        let row = |&(id, number): &(u64, u64)| format!("H{id},{}", card_line(&deck(number)));
        let text = "hand,cards\n".to_owned() + &hands.iter().map(row).collect::<String>();
        self.0.write(&format!("export-2026-10-{day:02}.csv"), text);
    }

    fn night(&self, day: u64, more: &[&str], code: i32) -> Output {
        let date = format!("2026-10-{day:02}");
        self.0.night(&date, more).ends(code)
    }

    fn history(&self, more: &[&str], code: i32) -> Output {
        self.0.run(&[&["history", "days"], more].concat()).ends(code)
    }

    fn state(&self, what: &[&str]) {
        let by = ["--by", "A. Smith", "--by", "B. Jones", "--reason", "file of a test"];
        self.history(&[what, &by].concat(), 0);
    }
}

/// The hands of a day, each with the number of its deck.
fn hands(day: u64) -> Vec<(u64, u64)> {
    (10_000 * day..10_000 * day + 1_500).map(|hand| (hand, hand)).collect()
}

/// A wrong export that was voided is no earlier run of its day and no known deck: the right one is judged as a new one.
#[test]
fn the_right_file_passes_after_the_wrong_one_was_voided() {
    for mended in [1_500, 1_499] {
        let room = Room::new("");
        let mut wrong = hands(2);
        wrong[700].1 = 10_003;
        room.export(2, &wrong);
        let output = room.night(2, &[], 1);
        output.must_print("STOP").must_print("a deck of row 1");
        output.line("Stop of 2026-10-02, active: ");
        room.state(&["--void", "2"]);
        // With the right deck, and without the bad record.
        let mut right = hands(2);
        if mended < right.len() {
            right.remove(700);
        }
        room.export(2, &right);
        room.night(2, &[], 0).must_tell("Over 2 days the evidence against the shuffler is none");
        room.export(3, &hands(3));
        room.night(3, &[], 0).must_print("Nothing to do.").must_print("Over 3 days");
    }
}

/// The right file was run before the wrong one was voided, and stopped beside it: whoever voids one row reads of the other.
#[test]
fn a_row_that_was_judged_beside_a_voided_one_is_named() {
    let room = Room::new("");
    // The decks of the day under ids of another export.
    room.export(2, &hands(2).iter().map(|&(id, deck)| (id + 500_000, deck)).collect::<Vec<_>>());
    room.night(2, &[], 0);
    room.export(2, &hands(2));
    room.night(2, &[], 1).must_tell("is a deck of row 2 (2026-10-02) under another id");
    let void = |row: &str| {
        let by = ["--by", "A. Smith", "--by", "B. Jones", "--reason", "file of a test"];
        room.history(&[&["--void", row], &by[..]].concat(), 0)
    };
    void("2").must_tell(
        "Row 3 of the same day was judged while row 2 counted, and says stop: if its file is the right one, void it too, and run daily \
         --date 2026-10-02 again.",
    );
    void("3").must_not_print("of the same day").must_print("No stop is active.");
    room.night(2, &[], 0).must_tell("Over 2 days the evidence against the shuffler is none");
}

/// The evidence of a voided day is gone, and what the same decks show is counted anew.
#[test]
fn faulty_decks_that_were_voided_are_evidence_again_when_they_come_again() {
    let room = Room::new("");
    // The first card is always the same: no chance.
    let text = (20_000..21_500).map(|hand| format!("H{hand},{}", card_line(&deck_with(0, 0, hand))));
    let text = "hand,cards\n".to_owned() + &text.collect::<String>();
    room.0.write("export-2026-10-02.csv", &text);
    let first = room.night(2, &["--steps"], 1);
    room.state(&["--void", "2"]);
    let again = room.night(2, &["--steps"], 1);
    let drift = |output: &Output| step(output, "drift ");
    assert_eq!(drift(&first), drift(&again));
    assert!(drift(&again).contains(" stop "), "{again}");
    // New decks of another day do not end it.
    room.export(3, &hands(3));
    room.night(3, &[], 1);
}

/// A deck that was put right in a file that had passed is a change of the file, and no deck that came up again.
#[test]
fn a_file_that_was_changed_after_its_day_passed_is_named_as_that() {
    let room = Room::new("");
    room.export(2, &hands(2));
    room.night(2, &[], 0);
    let mut other = hands(2);
    other[5].1 = 900_000;
    room.export(2, &other);
    let output = room.night(2, &[], 2);
    let wanted = "fresh evidence: 1,499 of 1,500 decks that row 2 had on this day came up again, and the others did not: the file was changed after";
    output.must_tell(wanted);
    output.must_tell("then run daily --date 2026-10-02. Row 3 ");
    room.history(&[], 2);
    room.state(&["--void", "2"]);
    room.night(2, &[], 0);
    room.history(&[], 0);
}

/// The same decks in other bytes are the same decks, and a day that was run twice makes no two hands of one.
#[test]
fn other_line_ends_are_no_other_decks_and_no_other_hands() {
    let room = Room::new("");
    let name = "export-2026-10-01.csv";
    room.0.write(name, room.0.text(name).replace('\n', "\r\n"));
    let output = room.night(1, &["--steps"], 0);
    output.must_print("row 1 judged the same decks on this day, and passed");
    output.must_print("Over 1 day the evidence");
    let mut overlapping = hands(2);
    overlapping.push((10_007, 10_007));
    room.export(2, &overlapping);
    room.night(2, &[], 2).must_tell("1 hand is here again that row");
}

/// While a stop is active no night is quiet, ends as one that passed, or leaves the alarm uncalled.
#[test]
fn a_stop_that_only_people_end_is_told_every_night() {
    let room =
        Room::new("on_alarm = [\"sh\", \"-c\", \"echo $DECKPROOF_DAY $DECKPROOF_RESULT >> alarms\"]\n");
    room.export(2, &hands(2));
    let text = room.0.text("export-2026-10-02.csv");
    let short = card_line(&deck(20_100)[..51]);
    room.0.write("export-2026-10-02.csv", text.replace(&card_line(&deck(20_100)), &short));
    let output = room.night(2, &[], 1);
    output.must_print("Stop of 2026-10-02, active: live output.");
    for day in [3, 4] {
        room.export(day, &hands(day));
        let output = room.night(day, &["--quiet"], 1);
        output.must_print("PASS, the stop of 2026-10-02 is still active");
        output.must_print("Stop dealing, keep everything.");
    }
    // Also where nothing is added.
    assert_eq!(
        room.night(4, &["--quiet"], 1).out.lines().next(),
        Some("T, 2026-10-04: already judged: row 4, PASS")
    );
    // Programs read the same: what the stop contradicts, the later day does not show.
    let day = room.night(4, &["--json"], 1).json();
    let claims = day["claims"].as_array().expect("a list");
    let contradicted: Vec<&Value> = claims.iter().filter(|own| own["state"] == "contradicted").collect();
    let place = contradicted.first().and_then(|own| own["place"].as_str()).expect("a place");
    assert!(
        contradicted.len() == 1 && place.starts_with("the stop of 2026-10-02 (row 2) is active: "),
        "{day}"
    );
    assert_eq!(room.0.text("alarms"), "2026-10-02 refused\n2026-10-03 refused\n2026-10-04 refused\n");
    assert!(!room.0.exists("days/incident-2026-10-03.json"));
    room.history(&[], 1);
    room.state(&["--void", "2"]);
    room.history(&[], 0);
    room.export(5, &hands(5));
    assert_eq!(room.night(5, &["--quiet"], 0).out, "");
}

/// People ended the stop of the last day: it passed nobody, and stops nobody.
#[test]
fn a_released_record_waits_for_its_next_day() {
    let room = Room::new("");
    let mut wrong = hands(2);
    wrong[700].1 = 10_003;
    room.export(2, &wrong);
    room.night(2, &[], 1);
    room.state(&["--release"]);
    room.history(&["--nagios"], 3).must_begin("DECKPROOF UNKNOWN").must_not_print("active stop");
    room.history(&[], 2);
    room.export(3, &hands(3));
    room.night(3, &[], 0);
    room.history(&[], 0);
}

/// A row that was kept elsewhere is named where the record has it.
#[test]
fn a_row_that_is_as_it_was_kept_is_named() {
    let room = Room::new("");
    room.export(2, &hands(2));
    let mail = room.night(2, &[], 0);
    let row = mail.out.split("Row 2 ").nth(1).expect("a row").split([',', '\n']).next().expect("a hash");
    let output = room.history(&["--kept", &format!("2:{row}")], 0);
    output.must_print(&format!("Row 2 is as you kept it: {row}.\n"));
    room.history(&["--kept", "2:000000000000"], 1);
}

/// A file that runs was put back: the day is run again, and its decks are those that were judged.
#[test]
fn a_day_whose_other_step_was_mended_names_the_row_that_judged_its_decks() {
    let room = Room::new("");
    room.0.shell("mkdir bin && echo a > bin/shuffler");
    room.0.run(&["manifest", "make", "--out", "list", "bin"]).ends(0);
    room.0.write("daily.toml", format!("{BASE}manifest = \"list\"\nmanifest_base = \".\"\n"));
    room.export(2, &hands(2));
    room.0.shell("echo b > bin/shuffler");
    room.night(2, &[], 1).line("Stop of 2026-10-02, active: code identity.");
    room.0.shell("echo a > bin/shuffler");
    let output = room.night(2, &[], 0);
    output.must_begin("T, 2026-10-02: PASS, the 1,500 decks of row 2\n");
    output.line("Decks: the same as in row 2, where they were judged; they were not judged again.");
}

/// One hand has one deck: which of two was dealt, a person has to say.
#[test]
fn a_hand_with_two_records_is_noted() {
    let room = Room::new("");
    let mut hands = hands(2);
    hands[8].0 = hands[3].0;
    hands[9].0 = hands[4].0;
    room.export(2, &hands);
    let output = room.night(2, &[], 0);
    output.line("Note: hand H20003 has two records (4 and 9), and 1 more: a hand is dealt one deck");
}

/// Most of the hands are of another day: so is the file.
#[test]
fn a_file_that_is_mostly_of_another_day_passes_nothing() {
    let room = Room::new("");
    let write = |late: u64| {
        let row = |n: u64| {
            let day = if n < late { 1 } else { 2 };
            format!("H{n};2026-10-0{day}T12:00:00Z;{}", card_line(&deck(n)))
        };
        let text = "hand;at;cards\n".to_owned() + &(20_000..21_500).map(row).collect::<String>();
        room.0.write("export-2026-10-02.csv", text);
    };
    room.0.write("daily.toml", format!("{BASE}time_column = \"at\"\n"));
    write(20_000 + 751);
    let output = room.night(2, &[], 2);
    let wanted = "fresh evidence: 751 of 1,500 records are outside the day 2026-10-02";
    output.must_tell(wanted);
    write(20_000 + 749);
    room.night(2, &[], 0).must_tell("Note: 749 records are outside the day 2026-10-02");
}

/// A day is read up to its record of 51 cards: what lies behind that was not looked for, and is not missing on the night after.
#[test]
fn hands_behind_a_record_that_is_no_deck_are_not_called_missing() {
    for people in ["--release", "--void", "mend"] {
        let room = Room(Lab::new());
        room.0.write("daily.toml", BASE);
        // 1,000 hands a day, whose ids are numbers without a gap.
        let export = |day: u64, first: u64, short: Option<u64>| {
            let row = |id: u64| {
                let length = if short == Some(id) { 51 } else { 52 };
                format!("{id},{}", card_line(&deck(id)[..length]))
            };
            let hands = (1_000 * day + first..1_000 * day + 1_000).map(row).collect::<String>();
            room.0.write(&format!("export-2026-10-{day:02}.csv"), "hand,cards\n".to_owned() + &hands);
        };
        for day in 1..5 {
            export(day, 0, None);
            room.night(day, &[], 0);
        }
        export(5, 0, Some(5_399));
        room.night(5, &[], 1).must_print("a record is no deck");
        export(6, 0, None);
        // 5,399 to 5,999; or all of day 5.
        let note = match people {
            "--release" => {
                room.state(&["--release"]);
                "Note: 601 ids lie between hand 5398, the last one that was read of 2026-10-05, and 6000: the reading of that day ended at a \
                 record that is no deck, and what follows it was not read"
            }
            "--void" => {
                room.state(&["--void", "5"]);
                "Note: 1,000 ids lie between hand 4999, the last one of 2026-10-04, and 6000: the days between have no row whose ids count"
            }
            _ => {
                room.state(&["--void", "5"]);
                export(5, 0, None);
                room.night(5, &[], 0).must_not_print("missing");
                ""
            }
        };
        let output = room.night(6, &[], 0);
        output.must_not_print("ids are missing").must_tell(note);
        assert!(!note.is_empty() || !output.prints(" ids "), "{output}");
        // Hands that are left out on a later day are a fault as before.
        export(7, 300, None);
        room.night(7, &[], 2)
            .must_tell("300 ids are missing between hand 6999, the last one of 2026-10-06, and 7300");
    }
}

/// The stop of the evidence over all days ends with the row without which that evidence is none, though a later row said it last.
#[test]
fn a_stop_of_the_drift_ends_with_the_voided_row_that_it_rests_on() {
    let spoilt = |room: &Room, day: u64| {
        // The first card is always the same: no chance.
        let row = |hand: u64| format!("H{hand},{}", card_line(&deck_with(0, 0, hand)));
        let rows: String = (10_000 * day..10_000 * day + 1_500).map(row).collect();
        room.0.write(&format!("export-2026-10-{day:02}.csv"), "hand,cards\n".to_owned() + &rows);
    };
    let ends = "Changed: row 2 voided by A. Smith and B. Jones: file of a test; the stop of drift ends, for without this row the evidence over all days stops nobody.";
    for is_repeat in [true, false] {
        let room = Room::new("");
        if is_repeat {
            let mut wrong = hands(2);
            wrong[700].1 = 10_003;
            room.export(2, &wrong);
        } else {
            spoilt(&room, 2);
        }
        room.night(2, &[], 1);
        room.export(3, &hands(3));
        room.night(3, &[], 1).line("Stop of 2026-10-03, active: drift.");
        room.state(&["--void", "2"]);
        room.history(&[], 2).must_not_print("Active: ");
        room.export(2, &hands(2));
        room.night(2, &[], 0).line(ends);
        room.history(&["--verify"], 0);
    }
    // Where the later day stops by itself, it still does.
    let room = Room::new("");
    spoilt(&room, 2);
    room.night(2, &[], 1);
    spoilt(&room, 3);
    room.night(3, &[], 1);
    room.state(&["--void", "2"]);
    let output = room.history(&[], 1);
    output.must_print("Active: stop of 2026-10-03 (row 3), drift").must_not_print("the stop of drift ends");
    room.history(&["--verify"], 0);
}
