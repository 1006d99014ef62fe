//! What stands in an export beside the decks that are read: it is counted and named, or refused, and never passed over in silence.

use crate::common::lab::{Lab, card_line, deck};

const RECORDS: u64 = 1_200;

/// A log in which every second line has a deck that cannot be read.
fn half_read(decks: u64) -> String {
    let line = |n: u64| {
        let read = card_line(&deck(n)).trim_end().replace(' ', ",");
        let unread = card_line(&deck(n + RECORDS)).trim_end().replace(' ', "-");
        format!("hand={n} deck={read}\nhand=B{n} cards={unread}\n")
    };
    (1..=decks).map(line).collect()
}

#[test]
fn lines_of_a_log_that_were_passed_over_stand_beside_the_verdict() {
    let words = "1,200 of 2,400 lines were passed over, 0 with a card that this program knows";
    let pattern = ["--deck-regex", r"hand=(?P<hand>\S+) deck=(\S+)", "--tiers", "core"];
    let lab = Lab::new();
    lab.write("table.log", half_read(RECORDS));
    let own = [&["audit", "table.log", "--out", "a"], &pattern[..]].concat();
    lab.run(&own).ends(0).must_tell(&format!("all 1,200 records that it matches, {words}"));
    lab.run(&own).ends(0).must_tell(&format!("Not checked: {words}"));
    assert!(lab.text("a/report.html").contains(words));
    let json = lab.run(&[&own[..], &["--json"]].concat()).ends(0).json();
    let lines = ["lines", "lines_passed_over", "lines_with_cards"].map(|name| json["source"][name].clone());
    assert_eq!(lines.map(|number| number.as_u64()), [Some(2_400), Some(1_200), Some(0)]);
    assert!(json["not_shown"].to_string().contains(words), "{json}");
    lab.run(&["verify", "a/certificate.json"])
        .ends(0)
        .must_tell("Not checked: what is in the 1,200 of 2,400 lines");
    lab.run(&["verify", "a/certificate.json", "--rerun", "--source", "table.log"]).ends(0);
    // The same of a stream, which is known at its end.
    let piped = [&["audit", "-", "--out", "b"], &pattern[..]].concat();
    let log = lab.text("table.log");
    lab.run_with(&piped, log.as_bytes()).ends(0).must_tell(words).must_tell(&format!("Not checked: {words}"));
    assert_eq!(lab.certificate("b")["result"]["source"]["lines_passed_over"], 1_200);
    let again = ["verify", "b/certificate.json", "--rerun", "--source", "-"];
    lab.run_with(&again, log.as_bytes()).ends(0).must_tell("the 1,200 of 2,400 lines");
    // Where nothing was passed over, nothing is said.
    lab.remove("a");
    lab.write("table.log", log.lines().step_by(2).map(|line| line.to_owned() + "\n").collect::<String>());
    lab.run(&own).ends(0).must_not_print("passed over");
    assert!(lab.certificate("a")["result"]["source"]["lines"].is_null());
}

/// Certificates of programs that did not count these lines are as good as ever.
#[test]
fn a_certificate_that_says_nothing_of_passed_lines_is_reproduced() {
    let lab = Lab::new();
    lab.write("table.log", half_read(RECORDS));
    let own = [
        "plan", "--source", "table.log", "--deck-regex", r"deck=(\S+)", "--tiers", "core", "--out",
        "plan.toml",
    ];
    lab.run(&own).ends(0);
    let plan: Vec<String> = lab.text("plan.toml").lines().map(str::to_owned).collect();
    let earlier = plan.iter().filter(|line| !line.starts_with("lines")).map(|line| line.to_owned() + "\n");
    let earlier: String = earlier.collect();
    assert_eq!(plan.len(), earlier.lines().count() + 3);
    lab.write("earlier.toml", &earlier);
    let own = ["audit", "--plan", "earlier.toml", "--source", "table.log", "--out", "a"];
    // The plan is named by its own SHA-256, which the refusal tells.
    let output = lab.run(&own).refused().err;
    let hashes: Vec<&str> =
        output.split(|letter: char| !letter.is_ascii_hexdigit()).filter(|word| word.len() == 64).collect();
    lab.write("earlier.toml", earlier.replace(hashes[1], hashes[0]));
    lab.run(&own).ends(0);
    assert!(lab.certificate("a")["result"]["source"]["lines"].is_null());
    lab.run(&["verify", "a/certificate.json", "--rerun", "--source", "table.log"]).ends(0);
}

#[test]
fn a_night_and_its_mail_name_the_lines_that_were_passed_over() {
    let lab = Lab::new();
    let base =
        "name = \"T\"\nsource = \"{date}.log\"\nfolder = \"days\"\ntiers = \"core\"\nfresh_decks = 0\n";
    lab.write(
        "daily.toml",
        format!("{base}deck_regex = 'hand=(?P<hand>\\S+) deck=(\\S+)'\nid_column = \"hand\"\n"),
    );
    lab.write("2026-10-01.log", half_read(RECORDS));
    let words = "1,200 of 2,400 lines were passed over, 0 with a card";
    lab.night("2026-10-01", &["--check-config"]).ends(0).must_tell(words);
    lab.night("2026-10-01", &[]).ends(0).must_tell(words);
    assert!(lab.text("days/2026-10-01/day.html").contains(words));
}

#[test]
fn a_second_deck_in_a_line_of_a_log_is_a_second_reading() {
    let lab = Lab::new();
    let line = |n: u64| {
        let hexadecimal = deck(n + RECORDS).map(|card| format!("{card:02x}")).concat();
        format!("hand={n} deck={} dealt={hexadecimal}\n", card_line(&deck(n)).trim_end().replace(' ', ","))
    };
    lab.write("table.log", (1..=RECORDS).map(line).collect::<String>());
    let own = ["audit", "table.log", "--deck-regex", r"deck=(\S+)", "--tiers", "core"];
    lab.run(&own)
        .refused()
        .must_warn("line 1: found 52 cards beside the deck that --deck-regex matches, another deck");
}

/// A deck in forms of other programs.
fn forms(deck: &[u8; 52]) -> [(&'static str, String); 4] {
    let cards = card_line(deck);
    let turned = |card: &str| card.chars().rev().collect::<String>().to_uppercase();
    let object = |card: &str| format!("{{\"rank\":\"{}\",\"suit\":\"{}\"}}", &card[..1], &card[1..]);
    let words = || cards.split_whitespace();
    [
        ("hexadecimal", deck.map(|card| format!("{card:02x}")).concat()),
        ("numbers", deck.map(|card| card.to_string()).join(" ")),
        ("suits first", words().map(turned).collect::<Vec<_>>().join(" ")),
        ("objects", format!("[{}]", words().map(object).collect::<Vec<_>>().join(","))),
    ]
}

/// A table and JSON lines with a deck in cards and, in the form of this place, one of `other`.
fn with_second(form: usize, other: impl Fn(u64) -> [u8; 52]) -> [(&'static str, String); 2] {
    let second = |n: u64| forms(&other(n))[form].1.clone();
    let cards = |n: u64| card_line(&deck(n)).trim_end().to_owned();
    let row = |n: u64| format!("{n},{},\"{}\"\n", cards(n), second(n).replace('"', "\"\""));
    let text = |n: u64| if form == 3 { second(n) } else { format!("\"{}\"", second(n)) };
    let object = |n: u64| format!("{{\"id\":{n},\"deck\":\"{}\",\"dealt\":{}}}\n", cards(n), text(n));
    let table = (1..=RECORDS).map(row).collect::<String>();
    [("x.csv", format!("id,deck,dealt\n{table}")), ("x.jsonl", (1..=RECORDS).map(object).collect())]
}

#[test]
fn a_second_deck_in_a_record_is_a_second_reading_in_whatever_form_it_is_written() {
    let lab = Lab::new();
    let audit = |file: &str, text: &str, more: &[&str]| {
        if lab.exists("a") {
            lab.remove("a");
        }
        lab.write(file, text);
        lab.run(&[&["audit", file, "--tiers", "core", "--out", "a"], more].concat())
    };
    for form in 0..4 {
        for (file, text) in with_second(form, |n| deck(n + RECORDS)) {
            let output = audit(file, &text, &[]).refused();
            let output =
                output.must_warn("two readings are possible: ").must_warn("`deck`").must_warn("`dealt`");
            output.must_warn("--deck-column NAME");
            audit(file, &text, &["--deck-column", "deck"]).ends(0).must_tell("chosen by --deck-column deck");
        }
        // The same deck once more is none, and both are named.
        for (file, text) in with_second(form, deck) {
            let place = if file == "x.csv" { "column" } else { "member" };
            let words =
                format!("all 1,200 records, in {place} `deck` and the same in {place} `dealt`, SHA-256");
            audit(file, &text, &[]).ends(0).must_tell(&words);
        }
    }
}

#[test]
fn the_column_that_was_judged_stands_beside_the_verdict() {
    let lab = Lab::new();
    let table = |names: &str, row: &dyn Fn(u64) -> String| {
        names.to_owned() + &(1..=RECORDS).map(row).collect::<String>()
    };
    let plain = table("id,shuffled\n", &|n| format!("{n},{}", card_line(&deck(n))));
    lab.write("x.csv", &plain);
    let own = ["audit", "x.csv", "--tiers", "core", "--out", "a"];
    let words = "recorded decks in format cards, all 1,200 records, in column `shuffled`";
    lab.run(&own).ends(0).must_tell(words);
    lab.run(&[&own[..], &["--quiet"]].concat()).ends(0).must_print(words);
    assert!(lab.text("a/report.html").contains("in column `shuffled`"));
    assert_eq!(
        lab.run(&[&own[..], &["--json"]].concat()).json()["source"]["deck_place"],
        "column `shuffled`"
    );
    lab.run(&["verify", "a/certificate.json", "--rerun", "--source", "x.csv"]).ends(0).must_tell(words);
    let piped = ["audit", "-", "--tiers", "core", "--out", "b"];
    lab.run_with(&piped, plain.as_bytes()).ends(0).must_tell("in format cards, in column `shuffled`");
    // Decks alone stand in no column.
    lab.write("x.csv", (1..=RECORDS).map(|n| card_line(&deck(n))).collect::<String>());
    lab.remove("a");
    lab.run(&own).ends(0).must_tell("in format cards, all 1,200 records");
}

#[test]
fn a_record_whose_deck_stands_in_another_place_is_not_without_one() {
    let lab = Lab::new();
    let cards = |n: u64| card_line(&deck(n)).trim_end().to_owned();
    let other = |n: u64| forms(&deck(n))[0].1.clone();
    let audit = |file: &str, text: String, more: &[&str]| {
        lab.write(file, text);
        lab.run(&[&["audit", file, "--tiers", "core", "--empty-deck", "skip"], more].concat())
    };
    let is_odd = |n: u64| n % 100 == 50;
    for odd in [&cards as &dyn Fn(u64) -> String, &other] {
        let object = |n: u64| {
            let (name, deck) = if is_odd(n) { ("cards", odd(n)) } else { ("deck", cards(n)) };
            format!("{{\"id\":{n},\"{name}\":\"{deck}\"}}\n")
        };
        let text = || (1..=1_212).map(object).collect::<String>();
        let named = "record 50 (line 50): no card where the deck is, and 52 cards in member `cards`";
        audit("x.jsonl", text(), &[]).refused().must_warn(named);
        // Where the place of the deck was said, another one is nobody's.
        audit("x.jsonl", text(), &["--deck-column", "deck"]).ends(0).must_tell("12 records without a deck");
    }
    let row =
        |n: u64| if is_odd(n) { format!("{n},,{}\n", other(n)) } else { format!("{n},{},\n", cards(n)) };
    let text = format!("id,deck,start\n{}", (1..=1_212).map(row).collect::<String>());
    audit("x.csv", text, &[]).refused().must_warn("no card where the deck is, and 52 cards in column 3");
    // A hand that has none at all is one.
    let object = |n: u64| {
        let (name, deck) = if is_odd(n) { ("cards", "As Kd".to_owned()) } else { ("deck", cards(n)) };
        format!("{{\"id\":{n},\"{name}\":\"{deck}\"}}\n")
    };
    audit("x.jsonl", (1..=1_212).map(object).collect(), &[]).ends(0).must_tell("12 records without a deck");
}
