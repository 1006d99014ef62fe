//! Slips of exports that `deckproof audit` must see: records in another order, files that were joined, lines that were sent again.

use crate::common::lab::{Lab, card_line, check_says_nothing, deck, index_line};
use crate::records::time;

const RECORDS: u64 = 1_200;

/// A row of a deck each 37 seconds.
fn row(n: u64) -> String {
    format!("{n},{},{}", time(37 * n), card_line(&deck(n)))
}

#[test]
fn records_in_another_order_than_that_of_their_times_are_refused_or_named() {
    let lab = Lab::new();
    let audit = |order: &mut dyn Iterator<Item = u64>, more: &[&str]| {
        lab.write("export.csv", "hand,at,deck\n".to_owned() + &order.map(row).collect::<String>());
        let own = ["audit", "--source", "export.csv", "--tiers", "core", "--time-column", "at"];
        lab.run(&[&own[..], more].concat())
    };
    audit(&mut (1..=RECORDS), &["--out", "sound"]).ends(0).must_not_print("fall");
    lab.run(&["verify", "sound/certificate.json"]).ends(0).must_not_print("their times fall");
    // Four tables, one after the other: three falls.
    let mut by_table = (0..4).flat_map(|table| (1..=RECORDS).filter(move |n| n % 4 == table));
    audit(&mut by_table, &[])
        .ends(2)
        .must_warn("jump to and fro from record to record (they fall in 3 of 1,199 steps)");
    // One hand of ten was written behind the next one: 120 falls of 37 seconds.
    let late = || {
        (1..=RECORDS).map(|n| match n % 10 {
            5 => n + 1,
            6 => n - 1,
            _ => n,
        })
    };
    let fall = "the times fall in 120 of 1,199 steps from one record to the next, by 37 seconds at most";
    audit(&mut late(), &["--out", "late"]).ends(0).must_print(fall);
    audit(&mut late(), &["--quiet"]).ends(0).must_warn(fall);
    assert!(lab.text("late/report.html").contains(fall));
    let named = "Not checked: that the records stand in the order of their dealing: their times fall from one record to the next 120 times";
    lab.run(&["verify", "late/certificate.json"]).ends(0).must_print(named);
    lab.run(&["report", "late/certificate.json", "--format", "md"])
        .ends(0)
        .must_print("their times fall from one record to the next 120 times");
    let json = lab.json("late/certificate.json");
    assert_eq!(json["result"]["source"]["time_falls"], 120);
}

/// Dates whose days can be months: in the order of dealing with the day first, and from December to January with the month first.
#[test]
fn times_that_jump_in_one_of_two_readings_are_refused_with_both() {
    let lab = Lab::new();
    let days = [(10, 11), (11, 11), (12, 11), (1, 12), (2, 12), (3, 12)];
    let audit = |days: &[(u64, u64)], separator: &str| {
        let row = |n: u64| {
            let ((day, month), minute) = (days[(n / 200) as usize], n % 200 * 7);
            let (hour, half) = (minute / 60, if minute < 720 { "AM" } else { "PM" });
            let clock = format!("{}:{:02}:30 {half}", (hour + 11) % 12 + 1, minute % 60);
            let date = [day, month, 2026].map(|own| own.to_string()).join(separator);
            format!("{n},{date} {clock},{}", card_line(&deck(n)))
        };
        lab.write("export.csv", "hand,at,deck\n".to_owned() + &(0..1_200).map(row).collect::<String>());
        lab.run(&["audit", "export.csv", "--tiers", "core", "--time-column", "at", "--quiet"])
    };
    audit(&days, "/")
        .ends(2)
        .must_warn("two readings of the times are possible: with the month first they jump to and fro")
        .must_warn("as from \"12/11/2026 11:13:30 PM\" to \"1/12/2026 12:00:30 AM\"; or with the day first, in which they are in order");
    let mut by_day = days;
    by_day.sort_unstable();
    audit(&by_day, "/")
        .ends(2)
        .must_warn("with the day first they jump")
        .must_warn("or with the month first");
    // Points stand behind days, and no month is a thirteenth.
    audit(&days, ".").ends(0);
    audit(&[&days[..5], &[(13, 12)]].concat(), "/").ends(0);
}

/// `cat` of two exports, or a data frame that is appended to a file each day: its names may be numbers.
#[test]
fn a_header_that_comes_again_is_no_deck() {
    let lab = Lab::new();
    let audit = |name: &str, text: String| {
        lab.write(name, text);
        lab.run(&["audit", "--source", name, "--tiers", "core"])
    };
    let numbers: Vec<String> = (0..52).map(|number| number.to_string()).collect();
    for separator in [",", "\t", ";"] {
        let header = format!("hand{separator}{}\n", numbers.join(separator));
        let row = |n| format!("{n}{separator}{}", index_line(&deck(n)).replace(' ', separator));
        let [first, second] = [1..=700, 701..=RECORDS].map(|range| range.map(row).collect::<String>());
        let once = audit("once.csv", format!("{header}{first}{second}"));
        once.ends(0);
        let again = "record 701 (line 702): the header again, wanted a record: two files were joined; take that line out";
        audit("days.csv", format!("{header}{first}{header}{second}")).ends(2).must_warn(again);
        // With the ends of lines of another system, and a byte order mark.
        let marked = format!("{header}{first}\u{feff}{}{second}", header.replace('\n', "\r\n"));
        audit("marked.csv", marked).ends(2).must_warn("the header again");
        lab.run(&["audit", "--source", "days.csv", "--records", "800.."])
            .ends(2)
            .must_warn("the header again");
        let piped = format!("{header}{first}{header}{second}");
        lab.run_with(&["audit", "--source", "-"], piped.as_bytes()).ends(2).must_warn("the header again");
    }
    // 52 names and nothing else, between blanks.
    let names = numbers.iter().map(|number| format!("c{number}")).collect::<Vec<_>>().join(" ") + "\n";
    let [first, second] =
        [1..=700, 701..=RECORDS].map(|range| range.map(|n| index_line(&deck(n))).collect::<String>());
    audit("blanks.txt", format!("{names}{first}{second}")).ends(0);
    audit("blanks.txt", format!("{names}{first}{names}{second}"))
        .ends(2)
        .must_warn("(line 702): the header again");
    // A deck that was never shuffled, which is a deck: no hand has its id twice.
    let unshuffled = format!("hand,{}\n", numbers.join(","))
        + &(1..=RECORDS)
            .map(|n| format!("{n},{}", index_line(&deck(n)).replace(' ', ",")))
            .collect::<String>()
        + &format!("1201,{}\n", numbers.join(","));
    audit("unshuffled.csv", unshuffled).ends(1);
}

#[test]
fn a_line_of_a_log_that_was_sent_again_is_told_by_the_group_that_names_its_hand() {
    let lab = Lab::new();
    let line = |n: u64, word: &str| {
        let cards = card_line(&deck(n)).trim_end().replace(' ', ",");
        format!("{} {word} hand=\"{n}\" deck={cards}\n", time(n))
    };
    let log = |again: bool| {
        let of = |n: u64| match n {
            300 | 900 if again => line(n, "INFO shuffle") + &line(n, "WARN resend"),
            n => line(n, "INFO shuffle"),
        };
        (1..=RECORDS).map(of).collect::<String>()
    };
    let audit = |text: &str, more: &[&str]| {
        lab.write("table.log", text);
        lab.run(&[&["audit", "--source", "table.log", "--tiers", "core"], more].concat())
    };
    let named = ["--deck-regex", r#"^(?P<at>\S+) .*hand="(?P<hand>\d+)" deck=(\S+)"#, "--id-column", "hand"];
    let timed = [&named[..], &["--time-column", "at"]].concat();
    let wanted = "records 300 and 301 have the same name and the same deck, wanted every record once";
    audit(&log(true), &named).ends(2).must_warn(wanted);
    audit(&log(true), &timed).ends(2).must_warn(wanted);
    let piped = [&["audit", "--source", "-"], &timed[..]].concat();
    lab.run_with(&piped, log(true).as_bytes()).ends(2).must_warn("have the same name and the same deck");
    // The same decks as without groups, and the times are looked at.
    audit(&log(false), &["--deck-regex", r"deck=(\S+)", "--out", "plain"]).ends(0);
    audit(&log(false), &[&timed[..], &["--out", "named"]].concat())
        .ends(0)
        .must_not_print("Not checked: whether all records");
    let counts =
        |name: &str| lab.json(&format!("{name}/certificate.json"))["result"]["first"]["statistics"].clone();
    assert_eq!(counts("plain"), counts("named"));
    let rest: Vec<String> = log(false).lines().map(|line| line.to_owned() + "\n").collect();
    audit(&rest.iter().rev().cloned().collect::<String>(), &timed).ends(2).must_warn("the times fall");
    // What is advised can be typed.
    let output = audit(&log(true), &["--deck-regex", r"deck=(\S+)"]).ends(1);
    output.must_print("--id-column hand");
    audit(&log(true), &["--deck-regex", r#"hand="(?P<hand>\S+)" deck=(\S+)"#, "--id-column", "hand"])
        .ends(2)
        .must_warn(wanted);
    let none = audit(&log(true), &["--deck-regex", r"deck=(\S+)", "--id-column", "hand"]).ends(2);
    none.must_warn("--id-column names hand, which is no group of --deck-regex");
    none.must_warn("(?P<hand>");
}

/// A join that gives each hand a row for each of so many others, a file that was joined to itself, and the shuffler that deals so.
#[test]
fn decks_that_are_all_there_equally_often_convict_nobody_unless_ids_differ() {
    let lab = Lab::new();
    let line = |n: &u64| index_line(&deck(*n));
    let list = || 1..=RECORDS;
    let rows = |times: u64| list().flat_map(move |n| (0..times).map(move |_| n)).collect::<Vec<u64>>();
    let text = |hands: &[u64]| hands.iter().map(line).collect::<String>();
    let again = |times: &str| {
        format!("the shuffler dealt each deck {times}, and nothing in these records shows which")
    };
    let audit = |file: &str, text: &str, more: &[&str]| {
        lab.write(file, text);
        let out: &[&str] = if more.contains(&"--out") { &[] } else { &["--out", "a"] };
        lab.run(&[&["audit", file, "--tiers", "core"], more, out].concat())
    };
    let joined: Vec<u64> = list().chain(list()).collect();
    for (hands, found, times) in [
        (rows(2), "found each deck of 2,400 records twice, one after the other, wanted", "twice"),
        (rows(7), "found each deck of 8,400 records 7 times, wanted", "7 times"),
        (
            joined.clone(),
            "found each deck of 2,400 records twice, the whole list behind itself, wanted",
            "twice",
        ),
        (
            joined.iter().rev().chain(&joined).copied().collect(),
            "found each deck of 4,800 records 4 times, wanted",
            "4 times",
        ),
    ] {
        let output = audit("x.txt", &text(&hands), &[]);
        check_says_nothing(&lab, &output, found, "a");
        output.must_warn(&again(times)).must_warn("name it: --id-column");
    }
    // Bytes, a table that names no hand, and a stream are no other records.
    let table = |hands: &[u64], row: &dyn Fn(usize, u64) -> String| {
        let rows = hands.iter().enumerate().map(|(at, n)| format!("{},{}", row(at, *n), line(n)));
        "hand,seat,deck\n".to_owned() + &rows.collect::<String>()
    };
    let of_seats = table(&rows(2), &|at, _| format!("T,{}", at % 2 + 1));
    check_says_nothing(&lab, &audit("x.csv", &of_seats, &[]), &again("twice"), "a");
    lab.write("x.raw", joined.iter().flat_map(|n| deck(*n)).collect::<Vec<u8>>());
    let raw = ["audit", "--source", "raw:x.raw", "--tiers", "core", "--out", "a"];
    check_says_nothing(&lab, &lab.run(&raw), &again("twice"), "a");
    let stream = lab.run_with(&["audit", "-", "--tiers", "core", "--out", "a"], text(&rows(2)).as_bytes());
    check_says_nothing(&lab, &stream, &again("twice"), "a");
    let json = audit("x.txt", &text(&joined), &["--json"]).ends(2).json();
    assert_eq!(json["result"], "could not say");
    let parts = [["--shard", "1/2", "--out", "1"], ["--shard", "2/2", "--out", "2"]];
    parts.iter().for_each(|part| drop(audit("x.txt", &text(&joined), &part[..]).ends(0)));
    let merge = ["merge", "1/shard-1-of-2.tally", "2/shard-2-of-2.tally", "--out", "a"];
    check_says_nothing(&lab, &lab.run(&merge), &again("twice"), "a");
    // Ids that differ tell that each deck was dealt twice; ids that do not, that the export holds each hand twice.
    let numbered = table(&rows(2), &|at, _| format!("{at},1"));
    let named = ["--id-column", "hand"];
    audit("x.csv", &numbered, &named).ends(1).must_begin("FAIL: ");
    lab.remove("a");
    let numbered = table(&rows(2), &|_, n| format!("{n},1"));
    check_says_nothing(&lab, &audit("x.csv", &numbered, &named), "have the same name and the same deck", "a");
    // Any other repeat is proof: one deck, all but one, a dealer of a few decks again and again.
    for hands in [
        list().chain([7]).collect::<Vec<u64>>(),
        rows(2)[1..].to_vec(),
        (0..1_200).map(|record| record % 30).collect(),
    ] {
        audit("x.txt", &text(&hands), &[]).ends(1).must_print("The same deck came up again");
        lab.remove("a");
    }
    // What the program deals itself is no export.
    let dealt =
        ["audit", "--source", "flawed:mt19937-seed16:1", "--decks", "1200", "--tiers", "core", "--out", "a"];
    lab.run(&dealt).ends(1);
}
