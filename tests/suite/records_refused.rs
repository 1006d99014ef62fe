//! Records that are none: which of them are held against the shuffler, and what the others are called.

use crate::common::lab::{Lab, Said, card_line, check_says_nothing, deck};

/// A table with the columns `hand` and `deck`; record `bad`, from 1, holds something else.
fn table(decks: u64, bad: u64, replaced: &str) -> String {
    let row = |n: u64| match n == bad {
        true => format!("{},{replaced}\n", n + 100),
        false => format!("{},{}", n + 100, card_line(&deck(n))),
    };
    "hand,deck\n".to_owned() + &(1..=decks).map(row).collect::<String>()
}

fn audit(lab: &Lab, file: &str, more: &[&str]) -> Said {
    let own = ["audit", "--source", file, "--tiers", "core", "--out", "result"];
    lab.run(&[&own, more].concat())
}

/// A cell without a card is a record that nobody filled in; 51 cards are a deck that lacks one.
#[test]
fn an_empty_cell_is_no_proof_and_a_missing_card_is_one() {
    let lab = Lab::new();
    lab.write("empty.csv", table(1_200, 801, ""));
    let named = "record 801 (line 802): no card where the deck stands, wanted 52 cards";
    check_says_nothing(&lab, &audit(&lab, "empty.csv", &[]), named, "result");
    let short = card_line(&deck(801)[..51]);
    lab.write("short.csv", table(1_200, 801, short.trim_end()));
    let said = audit(&lab, "short.csv", &[]);
    assert_eq!(said.code, 1, "{}{}", said.out, said.err);
    assert!(said.out.contains("Record 801 is not a deck: found 51 cards, wanted 52."), "{}", said.out);
}

/// What is cut off after the last record asked for is told and does not stand in the way; a record there that is no deck
/// stays proof.
#[test]
fn a_torn_end_outside_the_range_is_told_and_left_out() {
    let lab = Lab::new();
    let whole = table(1_200, 0, "");
    lab.write("torn.csv", &whole[..whole.len() - 40]);
    let named = "record 1200 (line 1201): the text ends in the middle of a line, after 39 cards, wanted 52 cards and a line feed";
    check_says_nothing(&lab, &audit(&lab, "torn.csv", &[]), named, "result");
    for range in [["--records", "1..1199"], ["--decks", "1199"]] {
        let said = audit(&lab, "torn.csv", &range);
        assert_eq!(said.code, 0, "{}{}", said.out, said.err);
        assert!(said.err.contains(&format!("After the last of them: torn.csv, {named}")), "{}", said.err);
        assert!(said.out.contains("1,199 of 1,200 records"), "{}", said.out);
        lab.remove("result");
    }
    let short = card_line(&deck(1_100)[..51]);
    lab.write("after.csv", table(1_200, 1_100, short.trim_end()));
    assert_eq!(audit(&lab, "after.csv", &["--records", "1..1050"]).code, 1);
    lab.remove("result");
    let said = audit(&lab, "torn.csv", &["--records", "1500.."]);
    check_says_nothing(&lab, &said, "--records 1500.. of 1,200 records", "");
}

/// Half a card at the end of glued cards is named, not the cards before it.
#[test]
fn cards_that_cannot_be_read_are_named_as_they_stand() {
    let lab = Lab::new();
    let glued = |n: u64| card_line(&deck(n)).replace(' ', "");
    let lines: String = (1..=1_100).map(glued).collect();
    lab.write("torn.txt", &lines[..lines.len() - 48]);
    let named = "record 1100 (line 1100): the text ends in the middle of a line, after 28 cards";
    check_says_nothing(&lab, &audit(&lab, "torn.txt", &[]), named, "result");
    let first = &glued(5)[..4];
    let bad = lines.replacen(&glued(5), &format!("{first}?{}", &glued(5)[4..]), 1);
    lab.write("bad.txt", bad);
    let named = format!("\"?{}\" as card 3 of the deck in \"{first}?", &glued(5)[4..15]);
    check_says_nothing(&lab, &audit(&lab, "bad.txt", &[]), &named, "result");
    let numbers: Vec<String> = deck(801).iter().map(u8::to_string).collect();
    lab.write("mixed.csv", table(1_200, 801, &numbers.join(" ")));
    let named = format!("{:?} as card 1 of the deck in \"901,{} ", numbers[0], numbers[0]);
    check_says_nothing(&lab, &audit(&lab, "mixed.csv", &[]), &named, "result");
}

/// What is no text of decks is told with what it looks like and what helps.
#[test]
fn texts_without_a_first_deck_say_what_they_hold() {
    let lab = Lab::new();
    let rows = table(1_200, 0, "");
    let first_short = table(1_200, 1, card_line(&deck(1)[..51]).trim_end());
    let suits_first: String = (1..=1_100)
        .map(|n| {
            let cards = card_line(&deck(n));
            let turned =
                cards.split_whitespace().map(|card| format!("{} ", card.chars().rev().collect::<String>()));
            turned.collect::<String>().to_uppercase() + "\n"
        })
        .collect();
    for (text, named) in [
        (
            first_short,
            "no deck was found in its first lines; 51 cards or numbers stand in line 2 in column 2",
        ),
        (format!("Report of room 7\n{rows}"), "a title above it has to go, or to begin with #"),
        (
            format!("{rows}Total,1200\n"),
            "a title or a total is no record: begin its line with #, or take it out",
        ),
        (
            "[\n{\"deck\": [1, 2]}\n]\n".to_owned(),
            "JSON over several lines: write one object or one list a line",
        ),
    ] {
        lab.write("text.csv", &text);
        check_says_nothing(&lab, &audit(&lab, "text.csv", &[]), named, "result");
    }
    lab.write("suits.csv", suits_first);
    let said = audit(&lab, "suits.csv", &[]);
    assert!(said.code == 0 && said.out.contains("Decks      1,100"), "{}{}", said.out, said.err);
    std::fs::remove_dir_all(lab.path("result")).expect("it is there");
    lab.write("commented.csv", format!("# Report of room 7\n{rows}# Total,1200\n"));
    let said = audit(&lab, "commented.csv", &[]);
    assert_eq!(said.code, 0, "{}{}", said.out, said.err);
}

/// Decks without their option, a program that gives fewer than a million, and a set that cannot be compared.
#[test]
fn what_was_left_out_is_said() {
    let lab = Lab::new();
    lab.write("fair.csv", table(1_200, 0, ""));
    let short = card_line(&deck(801)[..51]);
    lab.write("short.csv", table(1_200, 801, short.trim_end()));
    let said = lab.run(&["compare", "fair.csv", "short.csv"]);
    let named =
        "short.csv ends at a record that is no deck. Record 801 is not a deck: found 51 cards, wanted 52.";
    check_says_nothing(&lab, &said, named, "");
    let said = lab.run(&["report", "fair.csv"]);
    check_says_nothing(&lab, &said, "fair.csv is no certificate", "");
    // A file needs no option, and a program is read to its end.
    for source in [&["fair.csv"][..], &["--source", "cmd:cat fair.csv"]] {
        let said = lab.run(&[&["audit", "--out", "result"], source].concat());
        assert!(said.code == 0 && said.out.contains("Decks      1,200"), "{}{}", said.out, said.err);
        std::fs::remove_dir_all(lab.path("result")).expect("it is there");
    }
}

/// Found by fuzzing: the column that holds the decks had no name, and naming it ended the program.
#[test]
fn a_header_with_fewer_cells_than_its_rows_is_read() {
    let lab = Lab::new();
    lab.write("short.csv", table(1_200, 0, "").replacen("hand,deck\n", "hand\n", 1));
    let said = audit(&lab, "short.csv", &[]);
    assert_eq!(said.code, 0, "{}{}", said.out, said.err);
    assert!(said.err.contains("column 2"), "{}", said.err);
}

/// Two lines of one hand are no two decks; two hands of one deck are.
#[test]
fn an_export_that_holds_a_hand_twice_is_no_proof() {
    let lab = Lab::new();
    let row = |hand: u64| format!("h{hand},{}", card_line(&deck(hand)));
    let rows: String = (1..1_201).map(row).collect();
    let audit = |text: &str, more: &[&str]| {
        lab.write("export.csv", format!("hand,deck\n{text}"));
        let arguments = ["audit", "--source", "export.csv", "--tiers", "core", "--id-column", "hand"];
        lab.run(&[&arguments[..], more].concat())
    };
    assert_eq!(audit(&rows, &[]).code, 0);
    let said = audit(&format!("{rows}{}", row(700)), &[]);
    assert_eq!(said.code, 2, "{}", said.out);
    let wanted = "records 700 and 1,201 have the same name and the same deck, wanted every record once";
    assert!(said.err.contains(wanted), "{}", said.err);
    // It does not stand twice in what is read.
    assert_eq!(audit(&format!("{rows}{}", row(700)), &["--records", "1..1200"]).code, 0);
    let said = audit(&format!("{rows}{}", row(700).replace("h700", "h1201")), &[]);
    assert!(said.code == 1 && said.out.contains("The same deck came up again"), "{}{}", said.out, said.err);
}

/// `SELECT deck FROM hands` with its header: one column, whatever would separate others.
#[test]
fn a_table_of_one_column_is_read() {
    let lab = Lab::new();
    let rows: String = (1..1_201).map(|hand| card_line(&deck(hand)).replace(' ', "")).collect();
    lab.write("one.csv", format!("deck\n{rows}"));
    let said = audit(&lab, "one.csv", &[]);
    assert_eq!(said.code, 0, "{}{}", said.out, said.err);
}

#[test]
fn a_refusal_shows_what_is_there_and_nothing_else() {
    let lab = Lab::new();
    lab.write("total.csv", table(1_200, 0, "") + "total,1199\n");
    let said = audit(&lab, "total.csv", &[]);
    assert!(
        said.code == 2 && said.err.contains("\"1199\" as card 1 of the deck in \"total,1199\""),
        "{}",
        said.err
    );
    lab.write("names.csv", "id,deck\n");
    let said = audit(&lab, "names.csv", &[]);
    assert!(
        said.code == 2 && said.err.contains("one line that may name columns, and no record below it"),
        "{}",
        said.err
    );
    // What lays a text out otherwise is no packing.
    let rows: String = (1..1_201).map(|hand| format!("{hand}\t{}", card_line(&deck(hand)))).collect();
    lab.write("dump.sql", format!("COPY public.hands (id, deck) FROM stdin;\n{rows}\\.\n"));
    let said = audit(&lab, "dump.sql", &[]);
    assert!(
        said.code == 0 && said.err.contains("it was read as the rows of a PostgreSQL dump"),
        "{}",
        said.err
    );
}
