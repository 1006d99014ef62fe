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
    let said = lab.run(&own).refused().err;
    let hashes: Vec<&str> =
        said.split(|letter: char| !letter.is_ascii_hexdigit()).filter(|word| word.len() == 64).collect();
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
    lab.run(&own).refused().must_warn("line 1: found 52 cards beside the deck that --deck-regex matches, another deck");
}
