//! Entries at both sides of every border of their grammar.

use deckproof::log::entry::{Entry, EntryError};

const HASH: &str = "c4ce28ba22d58d6cbabe5e345ee3ba521b00153564976f5e7469acbc1076f343";

fn deck(hand: &str, mix: &str) -> String {
    format!("deckproof/v1 deck\norigin stud.example/log1\ntable T\nhand {hand}\nmix {mix}\ndeck {HASH}\n")
}

fn open(lines: &str) -> String {
    format!("deckproof/v1 open\ndeck {HASH}\nrules stud-hi\nseats 4,6,1\n{lines}")
}

fn cut(lines: &str) -> String {
    format!("deckproof/v1 cut\nopen {HASH}\n{lines}")
}

fn close(dealt: &str, lines: &str) -> String {
    format!("deckproof/v1 close\nopen {HASH}\ndealt {dealt}\ntranscript {HASH}\n{lines}")
}

fn void(reason: &str) -> String {
    format!("deckproof/v1 void\ndeck {HASH}\nreason {reason}\n")
}

/// `seed 4 HASH`.
fn line(word: &str, seat: u8) -> String {
    format!("{word} {seat} {HASH}\n")
}

fn check_accepted(text: &str) {
    match Entry::parse(text) {
        Ok(entry) => assert_eq!(entry.to_string(), text),
        Err(error) => panic!("{error}: {text}"),
    }
}

/// Refused for a line, whose number is given.
fn check_line(text: &str, wanted: usize) {
    match Entry::parse(text) {
        Err(EntryError::Line { line, .. }) => assert_eq!(line, wanted, "{text}"),
        other => panic!("{other:?}: {text}"),
    }
}

#[test]
fn exact_entries_print_as_they_were_read() {
    for hand in ["1", "10", "9007199254740991"] {
        check_accepted(&deck(hand, "none"));
    }
    check_accepted(&open(""));
    check_accepted(&open(&(line("seed", 1) + &line("seed", 6) + &line("commit", 4))));
    check_accepted(&open(&format!("beacon {HASH} 1000\n")));
    check_accepted(&cut(&(line("seed", 1) + &line("seed", 8))));
    check_accepted(&cut(&format!("beacon 1000 {HASH} {}\n", "ab".repeat(48))));
    check_accepted(&close("0", ""));
    check_accepted(&close("52", &format!("history {HASH}\n")));
    check_accepted(&void("a"));
    check_accepted(&void(&"0-z".repeat(10)));
}

#[test]
fn numbers_and_words_outside_their_range_are_refused() {
    for hand in ["0", "01", "+1", "", " 1", "1 ", "9007199254740992", "99999999999999999999", "1\r", "٣"] {
        check_line(&deck(hand, "none"), 4);
    }
    check_line(&deck("1", "None"), 5);
    for dealt in ["53", "00", "-1", "", "3.0"] {
        check_line(&close(dealt, ""), 3);
    }
    for reason in ["", "Late", "a_b", &"r".repeat(33)] {
        check_line(&void(reason), 3);
    }
}

#[test]
fn seat_lines_ascend_and_name_seats_of_the_hand() {
    for word in ["seed", "commit"] {
        check_line(&open(&(line(word, 6) + &line(word, 4))), 6);
        check_line(&open(&(line(word, 4) + &line(word, 4))), 6);
        check_line(&open(&line(word, 5)), 5);
        check_line(&open(&line(word, 9)), 5);
    }
    check_line(&cut(&(line("seed", 3) + &line("seed", 3))), 4);
    check_line(&open(&(line("commit", 4) + &line("seed", 4))), 6);
}

#[test]
fn lines_missing_or_too_many_are_refused() {
    let whole = deck("1", "none");
    check_line(whole.trim_end(), 6);
    check_line(&format!("{whole}\n"), 7);
    check_line(&format!("{whole}deck {HASH}\n"), 7);
    check_line(&whole.replace("mix none\n", ""), 5);
    check_line(&whole.replace(HASH, &HASH.to_uppercase()), 6);
    check_line(&cut(&line("commit", 4)), 3);
    check_line(&cut(&format!("beacon 1000 {HASH} {}\n", "ab".repeat(47))), 3);
    check_line(&cut(&format!("beacon 0 {HASH} {}\n", "ab".repeat(48))), 3);
    check_line(&close("1", &format!("history {HASH}\nhistory {HASH}\n")), 6);
}

#[test]
fn other_versions_and_kinds_are_named_as_such() {
    let version = |text: &str| matches!(Entry::parse(text), Err(EntryError::Version { .. }));
    let kind = |text: &str| matches!(Entry::parse(text), Err(EntryError::Kind { .. }));
    assert!(
        version("")
            && version("deckproof/v2 deck\n")
            && version("deckproof/v1")
            && version(" deckproof/v1 deck")
    );
    assert!(kind("deckproof/v1 \n") && kind("deckproof/v1 decks\n") && kind("deckproof/v1 deck \n"));
    let long = deck(&"1".repeat(5000), "none");
    assert!(matches!(Entry::parse(&long), Err(EntryError::TooLong { found }) if found == long.len()));
}
