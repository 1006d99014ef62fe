//! Records that are none: which of them are held against the shuffler, and what the others are called.

use crate::common::decks::{refusal, written};
use crate::common::lab::{Lab, Output, card_line, check_says_nothing, deck};

/// A table with the columns `hand` and `deck`; record `bad`, from 1, holds something else.
fn table(decks: u64, bad: u64, replaced: &str) -> String {
    let row = |n: u64| {
        if n == bad {
            format!("{},{replaced}\n", n + 100)
        } else {
            format!("{},{}", n + 100, card_line(&deck(n)))
        }
    };
    "hand,deck\n".to_owned() + &(1..=decks).map(row).collect::<String>()
}

fn audit(lab: &Lab, file: &str, more: &[&str]) -> Output {
    let own = ["audit", "--source", file, "--tiers", "core", "--out", "result"];
    lab.run(&[&own, more].concat())
}

/// A text of which nothing is said, and why.
fn check_refused(lab: &Lab, file: &str, text: impl AsRef<[u8]>, named: &str) {
    lab.write(file, text);
    check_says_nothing(lab, &audit(lab, file, &[]), named, "result");
}

/// A cell without a card is a record that nobody filled in; 51 cards are a deck that lacks one.
#[test]
fn an_empty_cell_is_no_proof_and_a_missing_card_is_one() {
    let lab = Lab::new();
    let named = "record 801 (line 802): no card where the deck is, wanted 52 cards";
    check_refused(&lab, "empty.csv", table(1_200, 801, ""), named);
    let short = card_line(&deck(801)[..51]);
    lab.write("short.csv", table(1_200, 801, short.trim_end()));
    let output = audit(&lab, "short.csv", &[]).ends(1);
    output.must_begin("FAIL: Record 801 is not a deck: found 51 cards, wanted 52.\n");
    // A piece of a line, or two lines in one, is a damaged file.
    lab.remove("result");
    let whole = card_line(&deck(801));
    for (line, found) in
        [(&whole[..75], "25 cards"), (&format!("{} {}", &whole[..74], whole.trim_end())[..], "77 cards")]
    {
        let named = format!("{found}, wanted 52 cards: a line that was torn");
        check_refused(&lab, "torn.csv", table(1_200, 801, line), &named);
    }
    let place = "No deck    short.csv, record 801 (line 802)\n";
    output.must_print(place).must_print("If the export cut or changed it");
}

/// What is cut off, or no deck, after the last record asked for is said, and nothing is judged by it.
#[test]
fn a_torn_end_outside_the_range_is_told_and_left_out() {
    let lab = Lab::new();
    let whole = table(1_200, 0, "");
    let named = "record 1200 (line 1201): the text ends in the middle of a line, after 39 cards, wanted 52 cards and a line feed";
    check_refused(&lab, "torn.csv", &whole[..whole.len() - 40], named);
    for range in [["--records", "1..1199"], ["--decks", "1199"]] {
        let output = audit(&lab, "torn.csv", &range).ends(0);
        output.must_warn(&format!("After the last of them: torn.csv, {named}"));
        output.must_print("1,199 of 1,200 records");
        lab.remove("result");
    }
    let short = card_line(&deck(1_100)[..51]);
    lab.write("after.csv", table(1_200, 1_100, short.trim_end()));
    let wanted = "After the last of them: after.csv, record 1100 (line 1101): found 51 cards, wanted 52. It is outside the part";
    audit(&lab, "after.csv", &["--records", "1..1050"]).ends(0).must_warn(wanted);
    lab.run(&["verify", "result/certificate.json"]).ends(0);
    lab.remove("result");
    let output = audit(&lab, "torn.csv", &["--records", "1500.."]);
    check_says_nothing(&lab, &output, "--records 1500.. of 1,200 records", "");
}

/// An editor puts the line feed back that a cut took away.
#[test]
fn a_last_line_that_was_cut_is_no_proof() {
    let lab = Lab::new();
    let numbers = |deck: &[u8]| deck.iter().map(u8::to_string).collect::<Vec<String>>().join(" ") + "\n";
    let mut last = deck(1_100).to_vec();
    let at = last.iter().position(|&card| card == 45).expect("it is there");
    last.swap(at, 51);
    let cut: Vec<u8> = last[..51].iter().copied().chain([4]).collect();
    let lines = |last: &[u8]| (1..1_100).map(|n| numbers(&deck(n))).collect::<String>() + &numbers(last);
    for (last, cards) in [(&cut[..], 52), (&last[..51], 51)] {
        let named = format!(
            "record 1100 (line 1100): the last line holds {cards} cards that are no deck, as where a file was cut off"
        );
        check_refused(&lab, "cut.txt", lines(last), &named);
    }
    // The same line anywhere else, and a last line whose fault lies before its end, are proof.
    lab.write("cut.txt", lines(&cut) + &numbers(&deck(1_101)));
    audit(&lab, "cut.txt", &[]).ends(1).must_begin("FAIL: Record 1100 is not a deck: card 3c (4) ");
    lab.remove("result");
    let early: Vec<u8> = [last[9]].into_iter().chain(last[1..].iter().copied()).collect();
    lab.write("cut.txt", lines(&early));
    audit(&lab, "cut.txt", &[]).ends(1).must_begin("FAIL: Record 1100 is not a deck: ");
}

/// Half a card at the end of glued cards is named, not the cards before it.
#[test]
fn cards_that_cannot_be_read_are_named_as_they_stand() {
    let lab = Lab::new();
    let glued = |n: u64| card_line(&deck(n)).replace(' ', "");
    let lines: String = (1..=1_100).map(glued).collect();
    let named = "record 1100 (line 1100): the text ends in the middle of a line, after 28 cards";
    check_refused(&lab, "torn.txt", &lines[..lines.len() - 48], named);
    let first = &glued(5)[..4];
    let bad = lines.replacen(&glued(5), &format!("{first}?{}", &glued(5)[4..]), 1);
    let named = format!("\"?{}\" as card 3 of the deck in \"{first}?", &glued(5)[4..15]);
    check_refused(&lab, "bad.txt", bad, &named);
    let numbers: Vec<String> = deck(801).iter().map(u8::to_string).collect();
    let named = format!("{:?} as card 1 of the deck in \"901,{} ", numbers[0], numbers[0]);
    check_refused(&lab, "mixed.csv", table(1_200, 801, &numbers.join(" ")), &named);
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
        (first_short, "record 1 (line 2): \"101,"),
        (
            format!("Report of room 7\n{rows}"),
            "record 1 (line 1): \"Report of room 7\": a line above the decks that is none of them, wanted decks from the first line \
             on: take that line out, or begin it with #",
        ),
        (
            format!("{rows}Total,1200\n"),
            "a title or a total is no record: begin its line with #, or take it out",
        ),
        (
            "[\n{\"deck\": [1, 2]}\n]\n".to_owned(),
            "JSON over several lines: write one object or one list a line",
        ),
    ] {
        check_refused(&lab, "text.csv", text, named);
    }
    for (text, decks) in [
        (suits_first, "Decks      1,100"),
        (format!("# Report of room 7\n{rows}# Total,1200\n"), "Decks      1,200"),
        // An id may begin so, and a comment holds no deck.
        (rows.replace("\n1", "\n#1"), "Decks      1,200"),
    ] {
        lab.write("text.csv", text);
        audit(&lab, "text.csv", &[]).ends(0).must_print(decks);
        lab.remove("result");
    }
    let plain: String = (1..=1_200).map(|n| card_line(&deck(n))).collect();
    for (text, line) in [(format!("# {plain}"), 1), (plain.replacen("\n", "\n#", 1), 2)] {
        lab.write("text.csv", &text);
        let named = format!("(line {line}): ");
        let output = audit(&lab, "text.csv", &[]);
        check_says_nothing(&lab, &output, &named, "result");
        assert!(line == 1 || output.warns(": 52 cards in a line that begins with #"), "{output}");
    }
}

/// Names of columns that are numbers, that are not there, and that come in another order than their numbers.
#[test]
fn names_of_columns_are_no_decks_and_keep_their_order() {
    let lab = Lab::new();
    let joined = |cells: &mut dyn Iterator<Item = String>| cells.collect::<Vec<_>>().join(",");
    let counted = |from: u8| joined(&mut (from..from + 52).map(|place| place.to_string()));
    let rows = |begin: &dyn Fn(u64) -> String| -> String {
        (1..=1_100)
            .map(|n| format!("{}{}\n", begin(n), joined(&mut deck(n).iter().map(u8::to_string))))
            .collect()
    };
    let plain = rows(&|_| String::new());
    for from in [0, 1] {
        let named = "which may be names of columns, or a deck that was not shuffled";
        check_refused(&lab, "text.csv", format!("{}\n{plain}", counted(from)), named);
    }
    let mut alphabetic: Vec<String> = (1..=52).map(|place| format!("c{place}")).collect();
    alphabetic.sort_unstable();
    let named = "52 columns that are numbered and do not come in that order: `c1`, `c10`, and so on";
    check_refused(&lab, "text.csv", format!("{}\n{plain}", joined(&mut alphabetic.into_iter())), named);
    // A record without a deck is none of names.
    let text = format!("A1,\n{}", rows(&|n| format!("A{n},\"")).replace('\n', "\"\n"));
    check_refused(&lab, "text.csv", text, "the first record has no deck");
    // Beside an id, or the index of a data frame, they are names; so is a row of them above decks in order.
    let numbered = rows(&|n| format!("{n},"));
    let names = joined(&mut (0..52).map(|place| format!("c{place}")));
    for text in [
        format!("id,{}\n{numbered}", counted(0)),
        format!(",{}\n{numbered}", counted(0)),
        format!("\"\",{names}\n{numbered}"),
        format!("{names}\n{}\n{plain}", counted(0)),
    ] {
        lab.write("text.csv", &text);
        let output = audit(&lab, "text.csv", &["--tiers", "core"]);
        let decks = if text.starts_with('c') { "1,101" } else { "1,100" };
        output.must_print(&format!("Decks      {decks}"));
        lab.remove("result");
    }
}

/// Finnish suits (risti, ruutu, hertta, pata) and one bit a card: the first word that is no card is named, and no title, for there is
/// a header.
#[test]
fn words_of_which_few_are_cards_are_named() {
    let lab = Lab::new();
    let finnish =
        |n: u64| card_line(&deck(n)).replace('c', "R").replace('d', "U").replace('h', "H").replace('s', "P");
    let bits = |n: u64| deck(n).map(|card| (1u64 << card).to_string()).join(" ") + "\n";
    // 3H is a card, and 32 may be the number of one.
    let no_heart = deck(1).iter().position(|card| card % 4 != 2).expect("a card of another suit");
    let no_number = deck(1).iter().position(|&card| card > 5).expect("a card above");
    let lines: [(&dyn Fn(u64) -> String, usize); 2] = [(&finnish, no_heart), (&bits, no_number)];
    for (line, strange) in lines {
        let word = line(1).split_whitespace().nth(strange).expect("52 words").to_owned();
        let text: String = (1..=40).map(|n| format!("{n};{}", line(n))).collect();
        let named =
            format!("column 2 holds 52 words, and word {}, \"{word}\", is no card, wanted", strange + 1);
        check_refused(&lab, "text.csv", format!("hand;cards\n{text}"), &named);
        check_refused(&lab, "text.csv", format!("hand;cards\n{text}"), "52 card numbers or cards in it.");
    }
    let rows: String = (1..=40).map(|n| format!("{n},p{n}\n")).collect();
    lab.write("text.csv", format!("hand,player\n{rows}"));
    audit(&lab, "text.csv", &[])
        .ends(2)
        .must_warn("none of the columns `hand`, `player`")
        .must_not_warn("title");
}

/// What an export may be beside what it should be: each refusal names the line, what was seen in it, and what to do.
#[test]
fn a_refusal_names_the_slip_and_what_mends_it() {
    let lab = Lab::new();
    let spaced = |n: u64| card_line(&deck(n)).trim_end().to_owned();
    let glued = |n: u64| spaced(n).replace(' ', "");
    let all = |line: &dyn Fn(u64) -> String| (1..=40).map(|n| line(n) + "\n").collect::<String>();
    let cards = |n: u64| spaced(n).split(' ').map(str::to_owned).collect::<Vec<_>>();
    let by_place = |order: &dyn Fn(usize) -> usize| {
        let row = |n: u64, place: usize| format!("{n},{},{}\n", order(place) + 1, cards(n)[order(place)]);
        let rows = (1..=40).flat_map(|n| (0..52).map(move |place| (n, place)));
        "hand,position,card\n".to_owned() + &rows.map(|(n, place)| row(n, place)).collect::<String>()
    };
    let bad_first = spaced(1).replacen(&cards(1)[0], "3x", 1);
    let (plain, rows) = (all(&spaced), table(40, 0, ""));
    for (text, named) in [
        (
            table(40, 1, ""),
            "\"101,\": the first record has no deck, and a later one has, wanted 52 cards; --empty-deck skip",
        ),
        (table(40, 1, "").replacen("hand,deck\n", "", 1), "(line 1): \"101,\": the first record has no deck"),
        (table(40, 1, &bad_first), "(line 2): \"101,3x "),
        (table(40, 1, &bad_first), "\"3x\" as card 1 of the first record"),
        (table(40, 1, &spaced(1)[3..]), "the first record has 51 cards, and a later one has 52"),
        (
            format!("{rows}(40 rows)\n"),
            "(line 42): \"(40 rows)\", which ends before the column of the deck, wanted a record: a total",
        ),
        (
            " hand | deck \n------+------\n".to_owned() + &all(&|n| format!(" {n} | {}", spaced(n))),
            "found a table as a database client prints it, with a line of dashes, wanted CSV: psql --csv",
        ),
        (
            all(&|n| format!("2026-11-25T10:00:{n:02} INFO hand={n} deck={}", glued(n))),
            r"52 cards within a line of other words, wanted --deck-regex 'deck=(\S+)'",
        ),
        (
            all(&|n| format!("Nov 25 10:00:{n:02} room dealer[22]: hand {n} shuffled: {}", spaced(n))),
            r"wanted --deck-regex 'shuffled:\s+((?:\S+\s+){51}\S+)'",
        ),
        (
            all(&|n| format!("hand {n} deck=\"{}\", seat 4", glued(n))),
            r#"wanted --deck-regex 'deck="([^\s"]+)'"#,
        ),
        (
            all(&|n| format!("time=10:00:{n:02} msg=\"hand dealt\" deck=\"{}\" table=3", spaced(n))),
            r"52 cards within a line of other words, wanted --deck-regex 'deck=((?:\S+\s+){51}\S+)', which says",
        ),
        (
            all(&|n| format!("hand={n} deck=\"{}\"", spaced(n).replace(' ', ","))),
            r#"wanted --deck-regex 'deck="([^\s"]+)', which says"#,
        ),
        (
            by_place(&|place| 51 - place),
            "one card a row, in column `card`, wanted 52 rows a hand, one below the other",
        ),
        (
            include_str!("../../fixtures/samples/dealt-cards.csv").to_owned(),
            "ORDER BY hand, position; cards as they were dealt to seats are judged by deckproof hands --dealt",
        ),
        (
            rows.clone() + &"\0".repeat(4_096) + &rows.replace("\n1", "\n2")[10..],
            "(line 42): 4096 bytes 0, wanted text: a copy that broke off",
        ),
        // A pattern for 52 of 53 cards would make decks of them.
        (
            all(&|n| format!("room 7: hand {n} shuffled: {} {}", spaced(n), &spaced(n)[..2])),
            "word 1, \"room\", is no card",
        ),
        // Two patterns find one deck: the first is named.
        (
            all(&|n| format!("hand={n} deck=[{}] of 6", spaced(n).replace(' ', ", "))),
            r"52 cards within a line of other words, wanted --deck-regex 'deck=((?:\S+\s+){51}\S+)', which says",
        ),
        (
            all(&|n| format!("hand={n} before={} after={}", glued(n), glued(n + 1))),
            r"several decks within a line of other words, wanted --deck-regex 'before=(\S+)' or --deck-regex 'after=(\S+)', whichever",
        ),
        (
            format!("Shuffle export, table 9, November 2026\n{rows}"),
            "record 1 (line 1): \"Shuffle export, table 9, November 2026\": a line above the decks that is none of them",
        ),
        (format!("# by hand\n\n{}", table(40, 1, &bad_first)), "record 1 (line 4): \"101,3x "),
        (
            "hand,cards\n".to_owned() + &all(&|n| format!("{n},{}", spaced(n).replace(' ', "-"))),
            "column 2 holds 52 cards separated by \"-\", wanted blanks or nothing between cards",
        ),
        (all(&|n| spaced(n) + " JK JK"), "column 1 holds 54 words, and word 53, \"JK\", is no card"),
        (
            "hand,player,pot\n".to_owned() + &all(&|n| format!("{n},p{n},70")),
            "none of the columns `hand`, `player`, `pot` holds 52 cards",
        ),
        (
            format!("{rows}hand,deck\n{}", rows.replace("\n1", "\n2")),
            "the header again, wanted a record: two files were joined; take that line out",
        ),
        (
            rows.clone() + &format!("141,{}\n", &spaced(41)[..55]),
            "(the record ends there, at card 19: was the file cut off?)",
        ),
        (
            rows.clone() + &format!("141,{}\n", deck(41).map(|card| card.to_string()).join(" ")),
            "(the records before hold cards and this one numbers: audit the two parts one by one)",
        ),
        (plain.clone() + &bad_first + "\n", "(line 41): \"3x\" in field 1 of "),
    ] {
        check_refused(&lab, "text.csv", text, named);
    }
    // Bytes are named, and never shown.
    lab.write("picture.png", b"\x89PNG\r\n\x1a\n\x00\x00\x00\x0dIHDR\x00");
    let output = audit(&lab, "picture.png", &[]);
    check_says_nothing(
        &lab,
        &output,
        "picture.png: found bytes that are no text, wanted text with 52 cards a line",
        "result",
    );
    output.must_not_warn("PNG");
    // The pattern that a refusal gives reads the log.
    lab.write("app.log", all(&|n| format!("10:00:{n:02} INFO hand={n} deck={}", glued(n))));
    // 40 decks are read, and too few.
    audit(&lab, "app.log", &["--deck-regex", r"deck=(\S+)"]).ends(2).must_print("INCONCLUSIVE");
    lab.remove("result");
    // One line of the log with 53 cards: the pattern finds 52 of them, and says so.
    let log = |extra: u64| {
        all(&|n| {
            let more = if n == extra { spaced(n)[..2].to_owned() } else { "ok".to_owned() };
            format!("hand {n} shuffled: {} {more}", spaced(n))
        })
    };
    let pattern = r"shuffled:\s+((?:\S+\s+){51}\S+)";
    lab.write("app.log", log(0));
    audit(&lab, "app.log", &["--deck-regex", pattern]).ends(2).must_print("INCONCLUSIVE");
    lab.remove("result");
    lab.write("app.log", log(31));
    let output = audit(&lab, "app.log", &["--deck-regex", pattern]);
    let named = format!("line 31: found {} beside the deck that --deck-regex matches", &spaced(31)[..2]);
    check_says_nothing(&lab, &output, &named, "result");
    // A number beside numbers may be a card as well; a pattern that names it takes it for what it is.
    let numbers = |n: u64| deck(n).map(|card| card.to_string()).join(" ");
    lab.write("app.log", all(&|n| format!("hand {n} shuffled: {} {n}", numbers(n))));
    let output = audit(&lab, "app.log", &["--deck-regex", pattern]);
    check_says_nothing(&lab, &output, "line 1: found 1 beside the deck that --deck-regex matches", "result");
    audit(&lab, "app.log", &["--deck-regex", &format!(r"{pattern} \d+$")]).ends(2).must_print("INCONCLUSIVE");
    lab.remove("result");
    // What was made here of something else is not described as what it was made into.
    let dump = all(&|n| format!("{n}\t{}", spaced(n)));
    lab.write("dump.sql", format!("COPY public.hands (id, deck) FROM stdin;\n{dump}\\.\n"));
    let read = "dump.sql was read as cards, the rows of a dump, column `deck`\n";
    audit(&lab, "dump.sql", &[]).must_warn(read);
    lab.remove("result");
    // Without a mark, UTF-16 is known by its zeros.
    let units: Vec<u8> = rows.encode_utf16().flat_map(u16::to_le_bytes).collect();
    lab.write("wide.csv", &units);
    audit(&lab, "wide.csv", &[]).must_warn("UTF-16 without a mark, low byte first");
    lab.remove("result");
    // A name that a shell would cut, and a folder that is named like what only a library gives.
    lab.write("my export.csv.xz", b"\xfd7zXZ\x00\x00");
    audit(&lab, "my export.csv.xz", &[]).must_warn("xz -dc 'my export.csv.xz' | deckproof audit -");
    lab.write("own/a.csv", &rows);
    audit(&lab, "own", &[]).ends(2).must_warn("a.csv was read as cards");
}

/// Decks without their option, a program that gives fewer than a million, and a set that cannot be compared.
#[test]
fn what_was_left_out_is_said() {
    let lab = Lab::new();
    lab.write("fair.csv", table(1_200, 0, ""));
    let short = card_line(&deck(801)[..51]);
    lab.write("short.csv", table(1_200, 801, short.trim_end()));
    let output = lab.run(&["compare", "fair.csv", "short.csv"]);
    let named =
        "short.csv ends at a record that is no deck. Record 801 is not a deck: found 51 cards, wanted 52.";
    check_says_nothing(&lab, &output, named, "");
    let output = lab.run(&["report", "fair.csv"]);
    check_says_nothing(&lab, &output, "fair.csv is no certificate", "");
    // A file needs no option, and a program is read to its end.
    for source in [&["fair.csv"][..], &["--source", "cmd:cat fair.csv"]] {
        let output = lab.run(&[&["audit", "--tiers", "core", "--out", "result"], source].concat()).ends(0);
        output.must_print("Decks      1,200");
        lab.remove("result");
    }
}

/// Found by fuzzing: the column that holds the decks had no name, and naming it ended the program.
#[test]
fn a_header_with_fewer_cells_than_its_rows_is_read() {
    let lab = Lab::new();
    lab.write("short.csv", table(1_200, 0, "").replacen("hand,deck\n", "hand\n", 1));
    audit(&lab, "short.csv", &[]).ends(0).must_warn("column 2");
    // Cards between commas are cells of their own.
    lab.write("commas.csv", table(1_200, 0, "").replace(' ', ","));
    let named = "2 columns are named, \"hand\" among them, and the row below has 53 cells, wanted as many names as cells";
    audit(&lab, "commas.csv", &["--id-column", "hand"]).ends(2).must_warn(named);
}

/// A newcomer gives the file that lies beside the right one.
#[test]
fn what_is_no_export_is_called_what_it_is() {
    let lab = Lab::new();
    lab.write("export.csv", table(1_200, 0, ""));
    audit(&lab, "export.csv", &[]).ends(0);
    lab.write("certificate.json", lab.text("result/certificate.json"));
    lab.remove("result");
    lab.run(&["plan", "--source", "audit", "--decks", "1000", "--out", "plan.toml"]).ends(0);
    lab.write("login.csv", "<!DOCTYPE html><html><body>Session expired</body></html>\n");
    for (file, what) in [
        ("certificate.json", "(a certificate: deckproof verify judges it again)"),
        ("plan.toml", "(a plan: give it with --plan, and the decks with --source)"),
        ("login.csv", "(a web page, such as that of a login, and no export)"),
    ] {
        audit(&lab, file, &[]).ends(2).must_warn(what);
    }
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
    audit(&rows, &[]).ends(0);
    let other = rows.replace("h900,", "h800,");
    let output = audit(&other, &["--out", "result"]).ends(0);
    output.must_print(
        "Not checked: by --id-column, hand h800 has two records (800 and 900): a hand is dealt one deck",
    );
    assert!(lab.text("result/report.html").contains("hand h800 has two records"));
    // A spreadsheet rounds what it shows.
    let rounded: String = (1..1_201).map(|hand| format!("2.02611E+14,{}", card_line(&deck(hand)))).collect();
    let named =
        "all 1,200 records have the id 2.02611E+14, as a spreadsheet writes long numbers: it names no hand";
    audit(&rounded, &[]).ends(0).must_print(named);
    let output = audit(&format!("{rows}{}", row(700)), &[]).ends(2);
    let wanted = "records 700 and 1,201 have the same name and the same deck, wanted every record once";
    output.must_warn(wanted);
    // It does not stand twice in what is read.
    audit(&format!("{rows}{}", row(700)), &["--records", "1..1200"]).ends(0);
    let output = audit(&format!("{rows}{}", row(700).replace("h700", "h1201")), &[]).ends(1);
    output.must_print("The same deck came up again");
}

/// `SELECT deck FROM hands` with its header: one column, whatever would separate others.
#[test]
fn a_table_of_one_column_is_read() {
    let lab = Lab::new();
    let rows: String = (1..1_201).map(|hand| card_line(&deck(hand)).replace(' ', "")).collect();
    lab.write("one.csv", format!("deck\n{rows}"));
    audit(&lab, "one.csv", &[]).ends(0);
}

#[test]
fn a_refusal_shows_what_is_there_and_nothing_else() {
    let lab = Lab::new();
    lab.write("total.csv", table(1_200, 0, "") + "total,1199\n");
    audit(&lab, "total.csv", &[]).ends(2).must_warn("\"1199\" as card 1 of the deck in \"total,1199\"");
    lab.write("names.csv", "id,deck\n");
    audit(&lab, "names.csv", &[]).ends(2).must_warn("one line that may name columns, and no record below it");
    // What lays a text out otherwise is no packing.
    let rows: String = (1..1_201).map(|hand| format!("{hand}\t{}", card_line(&deck(hand)))).collect();
    lab.write("dump.sql", format!("COPY public.hands (id, deck) FROM stdin;\n{rows}\\.\n"));
    let read = "dump.sql was read as cards, the rows of a dump, column `deck`\n";
    audit(&lab, "dump.sql", &[]).ends(0).must_warn(read);
}

/// A quotation mark without its second takes in all rows up to the next one: no deck is passed over unnoticed.
#[test]
fn no_deck_is_lost_between_two_stray_quotation_marks() {
    let lab = Lab::new();
    let table = |note: &dyn Fn(u64) -> &'static str| {
        let row = |n: u64| format!("{n},{},{}\n", card_line(&deck(n)).trim_end(), note(n));
        "hand,deck,note\n".to_owned() + &(1..=1_200).map(row).collect::<String>()
    };
    let stray = |n| match n {
        500 => "\"big pot",
        590 => "\"bad beat",
        _ => "",
    };
    let named = "record 500 (line 501): 91 lines with decks within one row, between quotation marks";
    check_refused(&lab, "stray.csv", table(&stray), named);
    lab.write("notes.csv", table(&|n| if n % 100 == 0 { "\"two\nlines with Ah Kd\"" } else { "" }));
    audit(&lab, "notes.csv", &[]).ends(0).must_print("all 1,200 records");
}

/// Cards that were dealt, hand by hand: whether the first hand took all 52 does not decide between proof and no answer.
#[test]
fn a_log_of_dealt_cards_is_no_proof_whatever_its_first_record_holds() {
    let cut = |n: u64, cards: usize| deck(n).map(|card| card.to_string())[..cards].join(" ") + "\n";
    let log = |whole: u64, all: u64| {
        (1..=all).map(|n| cut(n, if n <= whole { 52 } else { 50 })).collect::<String>()
    };
    // Of the last record nobody knows whether it was cut off.
    let error = refusal(&log(1, 22), &written());
    assert!(!error.is_proof(), "{error}");
    assert_eq!(
        error.to_string(),
        "x.csv, record 2 (line 2): 20 of the first 22 records without 52 cards, wanted 52 cards in each: logs of the cards that \
         were dealt are read by deckproof hands --dealt"
    );
    // As many whole decks before it are those of a dealer that loses cards from some deck on, and one record among others is no log.
    for log in [
        log(30, 60),
        log(64, 300),
        log(1, 1) + &cut(2, 51) + &(3..150).map(|n| cut(n, 52)).collect::<String>(),
    ] {
        let error = refusal(&log, &written());
        assert!(error.is_proof(), "{error}");
    }
    // Records before those that are asked for tell too that it is a file of decks.
    let lab = Lab::new();
    lab.write("x.csv", log(101, 300));
    audit(&lab, "x.csv", &["--records", "101.."]).ends(1);
}

/// A cell of 52 columns that lost its value is none of a deck that lost a card.
#[test]
fn an_empty_cell_among_the_columns_of_a_deck_is_no_proof() {
    let header = (0..52).map(|place| format!(",c{place}")).collect::<String>();
    let row = |n: u64| format!("{n},{}\n", deck(n).map(|card| card.to_string()).join(","));
    let rows = (1..150).map(row).collect::<String>();
    let second = format!("\n2,{},", deck(2)[0]);
    assert!(rows.contains(&second));
    for (cell, is_proof) in [("", false), ("NULL", false), (&deck(2)[1].to_string(), true)] {
        let table = format!("id{header}\n{}", rows.replacen(&second, &format!("\n2,{cell},"), 1));
        let error = refusal(&table, &written());
        assert!(
            error.is_proof() == is_proof && error.to_string().contains("record 2 (line 3)"),
            "{cell}: {error}"
        );
    }
}

/// What happens to files, at any place where it may cut: none of it is held against the shuffler, and the rest of the rule stays.
#[test]
fn accidents_of_a_file_are_no_proof_wherever_they_cut() {
    let lab = Lab::new();
    // A writer that was killed after so many cards, and whose next start went on in the same line.
    for cards in 1..=4 {
        let joined =
            card_line(&deck(2_000)[..cards]).trim_end().to_owned() + " " + card_line(&deck(801)).trim_end();
        let named =
            format!("record 801 (line 802): {} cards, of which the last 52 are a whole deck", 52 + cards);
        check_refused(&lab, "joined.csv", table(1_200, 801, &joined), &named);
    }
    let glued = card_line(&deck(801)).trim_end().replace(' ', "");
    let named = "53 cards, of which the last 52 are a whole deck";
    check_refused(&lab, "joined.csv", table(1_200, 801, &format!("{}{glued}", &glued[..2])), named);
    // Cards too many at the end, or a deck that is none behind the first cards, are proof.
    let whole = card_line(&deck(801)).trim_end().to_owned();
    for longer in [format!("{whole} {}", &whole[3..5]), format!("{0} {0} {1}", &whole[..2], &whole[..152])] {
        lab.write("longer.csv", table(1_200, 801, &longer));
        audit(&lab, "longer.csv", &[]).ends(1).must_begin("FAIL: Record 801 is not a deck: found 5");
        lab.remove("result");
    }
    // Places that nobody dealt into, filled with one value.
    let numbers = |deck: &[u8]| deck.iter().map(u8::to_string).collect::<Vec<String>>().join(" ") + "\n";
    let lines = |bad: &[u8]| {
        (1..=1_200).map(|n| if n == 801 { numbers(bad) } else { numbers(&deck(n)) }).collect::<String>()
    };
    let filled = |dealt: usize, value: u8| [&deck(801)[..dealt], &vec![value; 52 - dealt]].concat();
    for (dealt, value, times) in [(40, 52, 12), (40, 255, 12), (49, 255, 3), (0, 0, 52), (40, 0, 12)] {
        let bad = filled(dealt, value);
        let run = bad.iter().rev().take_while(|&&own| own == value).count();
        assert!(run >= times);
        check_refused(&lab, "filled.txt", lines(&bad), &format!("{value} in each of the last {run} places"));
    }
    check_refused(
        &lab,
        "filled.txt",
        lines(&[&deck(801)[..46], &[255; 4]].concat()),
        "255 in each of the last 4 places",
    );
    // Two of them, and cards that came twice before them, are proof.
    for bad in [filled(50, 255), [&deck(801)[..1], &filled(40, 52)[..1], &filled(40, 52)[2..]].concat()] {
        lab.write("filled.txt", lines(&bad));
        audit(&lab, "filled.txt", &[]).ends(1).must_begin("FAIL: Record 801 is not a deck: ");
        lab.remove("result");
    }
}

/// Zeros in a file of bytes are what a disk leaves, at whatever byte they begin.
#[test]
fn a_part_of_a_raw_file_that_was_lost_is_no_proof() {
    let lab = Lab::new();
    let whole: Vec<u8> = (1..=1_200).flat_map(deck).collect();
    let raw = |bytes: &[u8], named: &str| {
        lab.write("decks.raw", bytes);
        check_says_nothing(&lab, &audit(&lab, "raw:decks.raw", &[]), named, "result");
    };
    raw(&[&whole[..], &[0; 5_200]].concat(), "record 1201 (byte 62400): 0 in each of the last 52 places");
    // Bytes 0 to 51 of a record are its places: the page begins at each of the last ones.
    for at in [700 * 52, 700 * 52 + 20, 700 * 52 + 50, 700 * 52 + 51] {
        let mut bytes = whole.clone();
        bytes[at..at + 4_096].fill(0);
        raw(&bytes, "says nothing of the shuffler");
    }
    // One byte that is another card's is proof.
    let mut bytes = whole.clone();
    bytes[700 * 52 + 20] = bytes[700 * 52 + 21];
    lab.write("decks.raw", bytes);
    audit(&lab, "raw:decks.raw", &[]).ends(1).must_begin("FAIL: Record 701 is not a deck: ");
}
