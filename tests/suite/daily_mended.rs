//! `deckproof daily`: nights that went wrong beside the shuffler, and are mended: half a copy, a key that signs nothing.

use crate::common::lab::{Lab, Output, card_line, deck, deck_with, index_line, lines};

fn config(source: &str, more: &str) -> String {
    format!(
        "name = \"Table 1\"\nsource = \"{source}\"\nfolder = \"days\"\ntiers = \"core\"\nfresh_decks = 0\n{more}"
    )
}

fn night(lab: &Lab, text: &str, date: &str) -> Output {
    lab.write("daily.toml", text);
    lab.night(date, &[])
}

/// The decks of the first try are not decks that came up again, and they are bet on once.
#[test]
fn half_a_copy_and_then_the_whole_file_is_no_repeat() {
    let lab = Lab::new();
    let text = config("export-{date}.csv", "");
    lab.write("export-2026-10-01.csv", lines(1..1_501));
    night(&lab, &text, "2026-10-01").ends(0);
    lab.write("export-2026-10-02.csv", lines(2_001..2_601));
    let output = night(&lab, &text, "2026-10-02");
    assert!(output.code == 2, "600 decks are too few: {output}");
    lab.write("export-2026-10-02.csv", lines(2_001..3_501));
    let output = night(&lab, &text, "2026-10-02").ends(0);
    output.must_print("Over 2 days the evidence");
    // Of the 900 decks that came since their counts are bet on. What is not is in the mail and in the history.
    let change = "2026-10-02 was judged before on other decks: row 2, could not say; of decks that came since the evidence over all days has the counts, and no p-values";
    output.must_tell(change);
    lab.run(&["history", "days"]).ends(0).must_print(change);
    // The decks of another day are, other than its last ones alone.
    lab.write("export-2026-10-03.csv", lines((3_000..4_501).filter(|&deck| deck != 3_500)));
    let output = night(&lab, &text, "2026-10-03").ends(1);
    output.must_print("STOP");
    output.must_print("(2026-10-02)");
}

/// An export whose second half favours a card: the whole file is heard though half of it was bet on, and the evidence is made again
/// from the certificates to the same number.
#[test]
fn decks_that_came_after_an_early_run_are_bet_on_once() {
    let text = config("export-{date}.csv", "known_decks = 100000\n");
    // The ace of spades comes to the top of each fourth deck.
    let spoilt = |n: u64| index_line(&if n.is_multiple_of(4) { deck_with(51, 0, n) } else { deck(n) });
    let second: String = (1_001..3_001).map(spoilt).collect();
    let evidence = |parts: &[String]| {
        let lab = Lab::new();
        for part in parts {
            lab.write("export-2026-10-01.csv", part);
            night(&lab, &text, "2026-10-01");
        }
        lab.run(&["history", "days", "--verify"]).ends(0);
        let again = if parts.len() > 1 { "-2" } else { "" };
        let row = lab.json(&format!("days/2026-10-01{again}/report.json"))["day"].clone();
        (row["drift"]["ln_evidence"].as_f64().expect("a number"), row["rest_of"].clone())
    };
    let (first, whole) = (lines(1..1_001), format!("{}{second}", lines(1..1_001)));
    let (half, _) = evidence(std::slice::from_ref(&first));
    let (after, rest_of) = evidence(&[first, whole]);
    assert!(half < 1.0 && after > 14.0, "{half} {after}");
    assert_eq!(rest_of, 1);
}

/// Where no decks are remembered, a day that is run again may hold decks that were bet on.
#[test]
fn a_day_that_is_run_again_without_known_decks_is_bet_on_once() {
    let lab = Lab::new();
    let text = config("export.csv", "known_decks = 0\n");
    for decks in [1..1_501, 1..2_501] {
        lab.write("export.csv", lines(decks));
        night(&lab, &text, "2026-10-01").ends(0).must_print("Over 1 day the evidence");
    }
    lab.write("export.csv", lines(3_001..4_501));
    night(&lab, &text, "2026-10-02").ends(0).must_print("Over 2 days the evidence");
    // Nor where they were remembered, and are no longer.
    let (lab, text) = (Lab::new(), config("export-{date}.csv", "known_decks = 1000\n"));
    for (day, decks, days) in [(1, 1..1_501, "1 day"), (2, 3_001..4_501, "2 days"), (1, 1..2_501, "2 days")] {
        lab.write(&format!("export-2026-10-0{day}.csv"), lines(decks));
        night(&lab, &text, &format!("2026-10-0{day}"))
            .ends(0)
            .must_print(&format!("Over {days} the evidence"));
    }
}

/// A program that gives the hands of a day from a database: one that was cancelled since is no deck that came up again.
#[test]
fn a_program_of_which_a_hand_went_is_told_from_one_that_deals_a_part_again() {
    let row = |hand: u64| format!("H{hand},{}", card_line(&deck(hand)));
    let hands = |hands: &[std::ops::Range<u64>]| hands.iter().cloned().flatten().map(row).collect::<String>();
    let found = "came up again, and the others did not";
    for (ids, parts, code) in [
        ("", &[1..700, 701..1_301][..], 2),
        ("id_column = \"hand\"\n", &[1..701, 2_001..3_001], 2),
        ("id_column = \"hand\"\n", &[1..501, 2_001..3_001], 2),
        ("", &[1..501, 2_001..3_001], 1),
    ] {
        let lab = Lab::new();
        let text = config("cmd:cat hands.csv", ids);
        let give = |parts: &[std::ops::Range<u64>]| {
            let rows = hands(parts);
            let decks =
                || rows.lines().filter_map(|row| Some(row.split_once(',')?.1.to_owned() + "\n")).collect();
            lab.write("hands.csv", if ids.is_empty() { decks() } else { format!("hand,cards\n{rows}") });
            night(&lab, &text, "2026-10-01")
        };
        give(&[1..601, 601..1_201]).ends(0);
        let output = give(parts).ends(code);
        output.must_tell(found);
        assert_eq!(output.prints("a deck came up again"), code == 1, "{output}");
    }
}

/// An audit of 60 decks that asks a question (family p-value 0.0065) is no pass because a day asks none.
#[test]
fn few_decks_that_ask_a_question_pass_no_day() {
    let lab = Lab::new();
    let decks = lab.run(&["stream", "--source", "flawed:sort-key-8:2", "--decks", "60"]);
    lab.write("export.csv", decks.out);
    let text = "name = \"T\"\nsource = \"export.csv\"\nfolder = \"days\"\nfresh_decks = 0\n";
    night(&lab, text, "2026-10-01").ends(2).must_print("COULD NOT SAY").must_not_print("PASS");
}

/// An export that was joined to itself says nothing of the shuffler, and the right one takes its place.
#[test]
fn a_doubled_export_stops_nobody_and_the_right_one_takes_its_place() {
    let lab = Lab::new();
    let text = config("export-{date}.csv", "");
    lab.write("export-2026-10-01.csv", lines(1..1_501));
    night(&lab, &text, "2026-10-01").ends(0);
    let once = lines(2_001..3_501);
    lab.write("export-2026-10-02.csv", format!("{once}{once}"));
    let output = night(&lab, &text, "2026-10-02").ends(2);
    output.must_print("COULD NOT SAY, decks came again");
    output.line("fresh evidence: the second half of the decks is the first half of 3,000 decks: either the file was joined");
    lab.write("export-2026-10-02.csv", once);
    night(&lab, &text, "2026-10-02").ends(0).must_print("Over 2 days the evidence");
    // What was not bet on is not bet on when the bets are made again from the certificates.
    let database = rusqlite::Connection::open(lab.path("days/daily.db")).expect("a database");
    assert_eq!(database.execute("DELETE FROM drift", []).expect("it can"), 1);
    lab.write("export-2026-10-03.csv", lines(4_001..5_501));
    night(&lab, &text, "2026-10-03").ends(0).must_print("Over 3 days the evidence");
    // The decks of the mended day are remembered.
    lab.write("export-2026-10-04.csv", lines((2_900..3_450).chain(6_000..6_450)));
    night(&lab, &text, "2026-10-04").ends(1).must_print("(2026-10-02)");
}

/// A stop is told, calls the alarm and exits as a stop though its report could not be signed.
#[test]
fn a_key_that_signs_nothing_hides_no_stop() {
    let lab = Lab::new();
    let more = "sign_key = \"nokey\"\non_alarm = [\"sh\", \"-c\", \"printf '%s' \\\"$DECKPROOF_MAIL\\\" > alarm\"]\n";
    let text = config("flawed:sattolo", &format!("decks = 3000\n{more}"));
    let output = night(&lab, &text, "2026-10-01").ends(1);
    // Every deck is one cycle of 52 cards (1 in 52 each); that a card lies nowhere in 3,000 decks is far less rare, (51/52)^3000.
    output.must_tell("STOP, 3,000 decks: not a fair shuffle (cycles and fixed points)");
    output.must_warn("did not sign");
    assert!(lab.text("alarm").contains("STOP"));
    assert!(lab.exists("days/incident-2026-10-01.json"));
    // On a day that passed the missing signature is all there is to tell.
    lab.write("export.csv", lines(1..1_501));
    let lab_of_passed = config("export.csv", "sign_key = \"nokey\"\n").replace("\"days\"", "\"other\"");
    night(&lab, &lab_of_passed, "2026-10-01").ends(2).must_print("PASS");
}
