//! What `deckproof audit` reads: every way of writing a deck, records that are none, input that breaks off.

use crate::common::lab::{Lab, card_line, check_says_nothing, deck, index_line, lines_with};
use serde_json::Value;
use std::fs;

const AUDIT: [&str; 3] = ["audit", "--tiers", "core"];

/// Of cards, of hands, of the order and of equal decks.
const STATISTICS: &str =
    "card-place,first-cards,winner,high-category,bring-in,rising-sequences,kolmogorov-smirnov,duplicates";

fn repeated(n: u64) -> Vec<u8> {
    let mut numbers = deck(n).to_vec();
    numbers[7] = numbers[3];
    numbers
}

fn short(n: u64) -> Vec<u8> {
    deck(n)[..51].to_vec()
}

fn joker(n: u64) -> Vec<u8> {
    let mut numbers = deck(n).to_vec();
    numbers[51] = 52;
    numbers
}

fn text(numbers: &[u8]) -> String {
    index_line(numbers).trim_end().to_owned()
}

#[test]
fn every_way_of_writing_the_same_decks_gives_the_same_tallies() {
    let lab = Lab::new();
    let decks: Vec<[u8; 52]> = (1..=1500).map(deck).collect();
    let join = |line: fn(&[u8]) -> String| decks.iter().map(|deck| line(deck)).collect::<String>();
    let suit_rank = |deck: &[u8]| -> Vec<u8> { deck.iter().map(|card| card % 4 * 13 + card / 4).collect() };
    lab.write("blank", join(index_line));
    lab.write("comma", join(index_line).replace(' ', ","));
    lab.write("crlf", join(index_line).replace('\n', "\r\n"));
    lab.write("cards", join(card_line));
    lab.write("cards-comma", join(card_line).replace(' ', ", "));
    lab.write("ten", join(card_line).replace('T', "10"));
    lab.write("raw", decks.concat());
    lab.write("suit", decks.iter().map(|deck| index_line(&suit_rank(deck))).collect::<String>());
    lab.write("raw-suit", decks.iter().flat_map(|deck| suit_rank(deck)).collect::<Vec<u8>>());
    let tallies = |name: &str, arguments: &[&str], stdin: &[u8]| {
        let out = format!("{name}.out");
        let asked = ["audit", "--statistics", STATISTICS, "--out", &out];
        let output = lab.run_with(&[&asked[..], arguments].concat(), stdin);
        assert!([0, 1].contains(&output.code), "{name}: {output}");
        let result = &lab.certificate(&out)["result"];
        assert_eq!(result["first"]["decks"], 1500, "{name}");
        assert!(!result.to_string().contains(&lab.path("")), "{name}: a path in the certificate");
        (result["first"]["tallies"].clone(), result["first"]["duplicates"].clone())
    };
    let expected = tallies("blank", &["--source", "csv:blank"], b"");
    for name in ["comma", "crlf", "cards", "cards-comma", "ten"] {
        assert_eq!(tallies(name, &["--source", &format!("csv:{}", lab.path(name))], b""), expected, "{name}");
    }
    let stdin = lab.read("blank");
    let raw = lab.read("raw");
    let suit = ["--numbering", "suit-rank"];
    assert_eq!(tallies("raw", &["--source", "raw:raw"], b""), expected);
    // Another numbering is another order for what asks for numbers; cards, hands and repeats stay what they are.
    let by_suit = tallies("suit", &[&["--source", "csv:suit"], &suit[..]].concat(), b"");
    assert_eq!(tallies("raw-suit", &[&["--source", "raw:raw-suit"], &suit[..]].concat(), b""), by_suit);
    let of = |tallies: &Value, id: &str| {
        let own = tallies.as_array().expect("a list").iter().filter(|own| own["id"] == id);
        own.cloned().collect::<Vec<Value>>()
    };
    for id in ["card-place", "first-cards", "winner", "high-category", "bring-in"] {
        assert!(!of(&expected.0, id).is_empty(), "{id}");
        assert_eq!(of(&by_suit.0, id), of(&expected.0, id), "{id}");
    }
    assert_ne!(of(&by_suit.0, "rising-sequences"), of(&expected.0, "rising-sequences"));
    let pairs = |duplicates: &Value| {
        duplicates.as_array().expect("a list").iter().map(|own| own["pairs"].clone()).collect::<Vec<_>>()
    };
    assert_eq!(pairs(&by_suit.1), pairs(&expected.1));
    assert_eq!(tallies("stdin", &["--source", "-"], &stdin), expected);
    assert_eq!(tallies("stdin-indices", &["--source", "-", "--format", "indices"], &stdin), expected);
    assert_eq!(tallies("stdin-raw", &["--source", "-", "--format", "raw"], &raw), expected);
    let command = format!("cmd:cat {}", lab.path("cards"));
    assert_eq!(tallies("cmd", &["--source", &command, "--decks", "1500"], b""), expected);
    // The wrong numbering of the same bytes is another question with another answer.
    assert_ne!(tallies("wrong", &[&["--source", "csv:blank"], &suit[..]].concat(), b""), expected);
}

#[test]
fn the_reader_says_what_it_took_the_file_for_and_quiet_does_not() {
    let lab = Lab::new();
    lab.write("decks.csv", lines_with(1100, 0, "").replace(' ', ","));
    let audit = |more: &[&str]| lab.run(&[&AUDIT, &["--source", "csv:decks.csv"][..], more].concat());
    audit(&[]).must_warn("read as indices").must_warn("commas");
    assert_eq!(audit(&["--quiet"]).err, "");
}

#[test]
fn exactly_the_decks_asked_for_are_judged_and_fewer_is_an_error() {
    let lab = Lab::new();
    let stream = lines_with(1200, 0, "");
    lab.write("decks", &stream);
    for source in ["csv:decks".to_owned(), "-".to_owned(), format!("cmd:cat {}", lab.path("decks"))] {
        let ask = |decks: &str, out: &str| {
            let more = ["--source", &source, "--decks", decks, "--out", out];
            lab.run_with(&[&AUDIT[..], &more].concat(), stream.as_bytes())
        };
        let output = ask("1000", "enough");
        assert!([0, 1].contains(&output.code), "{source}: {output}");
        assert_eq!(lab.certificate("enough")["result"]["first"]["decks"], 1000, "{source}");
        lab.remove("enough");
        check_says_nothing(&lab, &ask("1201", "few"), "1200", "few");
    }
}

#[test]
fn a_later_record_that_is_no_deck_is_proof_and_a_first_one_is_not() {
    for (broken, named) in [
        (repeated as fn(u64) -> Vec<u8>, "is at place 3 and again at place 7"),
        (short, "found 51 cards"),
        (joker, "place 51 holds 52"),
    ] {
        let lab = Lab::new();
        let later = lines_with(9, 5, &text(&broken(5)));
        let first = lines_with(9, 1, &text(&broken(1)));
        lab.write("later", &later);
        lab.write("first", &first);
        let command = |name: &str| format!("cmd:cat {}", lab.path(name));
        let mut results = Vec::new();
        for (kind, source) in
            [("csv", "csv:later".to_owned()), ("stdin", "-".to_owned()), ("cmd", command("later"))]
        {
            let more = ["--source", &source, "--json", "--decks", "9", "--out", kind];
            let outcome = lab.run_with(&[&AUDIT[..], &more].concat(), later.as_bytes()).ends(1).json();
            assert_eq!(outcome["verdict"], "fail");
            let proof = outcome["proofs"][0].as_str().expect("a proof");
            assert!(proof.contains("ecord 5") && proof.contains(named), "{proof}");
            let verified = lab.run(&["verify", &format!("{kind}/certificate.json")]).ends(1);
            verified.must_print("is consistent").must_print("FAIL");
            results.push(lab.certificate(kind)["result"]["first"]["proofs"].clone());
        }
        // The proof is of the records, not of where they are kept.
        assert!(results.iter().all(|proofs| proofs == &results[0]), "{results:?}");
        for kind in ["csv", "stdin", "cmd"] {
            lab.remove(kind);
        }
        for source in ["csv:first".to_owned(), "-".to_owned(), command("first")] {
            let more = ["--source", &source, "--decks", "9", "--out", "a"];
            let output = lab.run_with(&[&AUDIT[..], &more].concat(), first.as_bytes());
            check_says_nothing(&lab, &output, "format", "a");
        }
    }
}

#[test]
fn a_bad_record_is_proof_again_when_it_is_read_again() {
    let lab = Lab::new();
    lab.write("one.csv", lines_with(9, 5, &text(&repeated(5))));
    fs::copy(lab.path("one.csv"), lab.path("two.csv")).expect("copied");
    lab.run(&[&AUDIT[..], &["--source", "csv:one.csv", "--out", "a"]].concat()).ends(1);
    let rerun = ["verify", "--rerun", "--source", "csv:two.csv", "a/certificate.json"];
    lab.run(&rerun).ends(1).must_print("is consistent");
}

#[test]
fn the_first_bad_record_is_named_on_any_number_of_threads() {
    let lab = Lab::new();
    let mut lines: Vec<String> = (1..=140_000).map(|n| index_line(&deck(n))).collect();
    for bad in [66_001, 130_001] {
        lines[bad - 1] = index_line(&joker(bad as u64));
    }
    lab.write("decks", lines.concat());
    let proofs = ["1", "2", "3"].map(|threads| {
        let more = ["--source", "csv:decks", "--threads", threads, "--json", "--out", threads];
        lab.run(&[&AUDIT[..], &more].concat()).ends(1);
        lab.read(&format!("{threads}/certificate.json"))
    });
    assert!(proofs[0] == proofs[1] && proofs[1] == proofs[2]);
    assert_eq!(lab.certificate("1")["result"]["first"]["decks"], 66_000);
}

#[test]
fn broken_input_says_nothing_about_the_shuffler() {
    let lab = Lab::new();
    let whole = lines_with(9, 0, "");
    lab.write("torn", &whole[..whole.len() - 9]);
    lab.write("torn.raw", &[deck(1), deck(2)].concat()[..100]);
    lab.write("empty", "");
    lab.write("words", "what is this\n");
    lab.write("half.sh", "cat whole; exit 3\n");
    lab.write("whole", &whole);
    fs::create_dir(lab.path("folder")).expect("made");
    for (source, named) in [
        ("csv:torn", "record 9"),
        ("raw:torn.raw", "record 2"),
        ("csv:empty", "empty"),
        ("raw:empty", "empty"),
        ("csv:missing", "missing"),
        ("csv:folder", "folder"),
        ("raw:folder", "folder"),
        ("csv:words", "record 1"),
        ("cmd:sh half.sh", "9 complete decks"),
        ("cmd:false", "0 complete decks"),
        ("cmd:true", "0 complete decks"),
        ("cmd:", "cmd alone"),
        ("cmd:no-such-program-here", "no-such-program-here"),
        ("cmd:'unclosed", "unclosed"),
    ] {
        let mut arguments = vec!["audit", "--source", source, "--out", "a", "--json"];
        if source.starts_with("cmd") {
            arguments.extend(["--decks", "20"]);
        }
        let output = lab.run(&arguments);
        check_says_nothing(&lab, &output, "", "a");
        assert!(
            output.err.to_lowercase().contains(named) || named == "empty" && output.warns("no "),
            "{source}: {output}"
        );
    }
    // All decks came, and then the program failed.
    let exact =
        ["audit", "--tiers", "core", "--source", "cmd:sh half.sh", "--out", "a", "--json", "--decks", "9"];
    check_says_nothing(&lab, &lab.run(&exact), "exit status: 3", "a");
    let order = (0..52).rev().map(|card| format!("{card} ")).collect::<String>();
    lab.write("order", &order);
    let with_order = [&exact[..], &["--start-order", "order"]].concat();
    check_says_nothing(&lab, &lab.run(&with_order), "exit status: 3", "a");
    check_says_nothing(&lab, &lab.run_with(&["audit", "--source", "-"], b""), "standard input", "");
    let torn = lab.read("torn");
    check_says_nothing(&lab, &lab.run_with(&["audit", "--source", "-"], &torn), "record 9", "");
}

/// Rows of these columns before the deck, a thousand and two hundred.
fn rows(named: &str, before: impl Fn(u64) -> String) -> (String, impl Fn(u64) -> String) {
    let row = move |n: u64| format!("{},{}", before(n), card_line(&deck(n)));
    (format!("{named},deck\n") + &(1..=1_200).map(&row).collect::<String>(), row)
}

pub fn time(second: u64) -> String {
    format!("2026-11-22T{:02}:{:02}:{:02}Z", second / 3_600, second / 60 % 60, second % 60)
}

/// An export that delivers a record twice is no dealer that deals a deck twice, where the record has more than its deck.
#[test]
fn a_record_that_was_delivered_twice_is_no_proof() {
    let lab = Lab::new();
    let audit = |text: &str, more: &[&str]| {
        lab.write("export.csv", text);
        lab.run(&[&["audit", "--source", "export.csv", "--tiers", "core"], more].concat())
    };
    let streamed = |text: &str, more: &[&str]| {
        lab.run_with(&[&["audit", "--source", "-", "--tiers", "core"], more].concat(), text.as_bytes())
    };
    let wanted = "records 700 and 1,201 are the same from end to end, wanted every record once";
    let (all, row) = rows("hand,dealt", |n| format!("{n},{}", time(n)));
    let doubled = all.clone() + &row(700);
    audit(&all, &[]).ends(0);
    audit(&doubled, &[]).ends(2).must_warn(wanted);
    audit(&doubled, &["--records", "1..1200"]).ends(0);
    streamed(&doubled, &[]).ends(2).must_warn(wanted);
    streamed(&doubled, &["--id-column", "hand"]).ends(2).must_warn("the same name and the same deck");
    let json =
        |n: u64| format!("{{\"value\":{{\"id\":{n},\"deck\":\"{}\"}}}}\n", card_line(&deck(n)).trim_end());
    let objects: String = (1..=1_200).map(json).collect();
    audit(&(objects.clone() + &json(700)), &[]).ends(2).must_warn(wanted);
    let log = |at: &dyn Fn(u64) -> String| {
        let line = |n: u64| format!("{} dealt deck={}", at(n), card_line(&deck(n)).replace(' ', ""));
        (1..=1_200).chain([700]).map(line).collect::<String>()
    };
    let pattern = ["--deck-regex", r"deck=(\S+)"];
    audit(&log(&time), &pattern).ends(2).must_warn(wanted);
    streamed(&log(&time), &pattern).ends(2).must_warn(wanted);
    audit(&log(&|_| "T7".to_owned()), &pattern).ends(1);
    // A hand of its own, one table, and decks alone: then it is the dealer's.
    let (tables, of_table) = rows("table", |_| "T7".to_owned());
    let (alone, other) = (lines_with(1_200, 0, ""), index_line(&deck(700)));
    for text in [all + &row(700).replacen("700,", "1201,", 1), tables + &of_table(700), alone + &other] {
        audit(&text, &[]).ends(1).must_print("The same deck came up again");
        streamed(&text, &[]).ends(1);
    }
}

/// Tables that each count their hands from 1, and how each form of an export writes a hand.
struct Form {
    head: &'static str,
    row: fn(u64, u64, &str) -> String,
    more: &'static [&'static str],
    /// The column of the hand, and both columns.
    hand: &'static str,
    both: &'static [&'static str],
}

fn one_row_a_card(table: u64, hand: u64, deck: &str) -> String {
    let card = |(place, card)| format!("T{table},{hand},{},{place},{card}\n", at(table, hand));
    deck.split(' ').enumerate().map(card).collect()
}

/// When a table dealt a hand: two seconds behind the table before it.
fn at(table: u64, hand: u64) -> String {
    time(40 * hand + 2 * table)
}

const FORMS: [Form; 4] = [
    Form {
        head: "table,hand,at,deck\n",
        row: |table, hand, deck| format!("T{table},{hand},{},{deck}\n", at(table, hand)),
        more: &["--time-column", "at"],
        hand: "hand",
        both: &["--id-column", "table,hand"],
    },
    Form {
        head: "",
        row: |table, hand, deck| {
            format!(
                r#"{{"v":{{"t":{{"nr":{table}}},"hand":"{hand}","at":"{}","deck":"{deck}"}}}}"#,
                at(table, hand)
            ) + "\n"
        },
        more: &["--time-column", "v.at"],
        hand: "v.hand",
        both: &["--id-column", "v.t.nr", "--id-column", "v.hand"],
    },
    Form {
        head: "",
        row: |table, hand, deck| {
            format!("{} table={table} hand={hand} deck={}\n", at(table, hand), deck.replace(' ', ""))
        },
        more: &[
            "--deck-regex",
            r"(?P<at>\S+) table=(?P<table>\S+) hand=(?P<hand>\S+) deck=(\S+)",
            "--time-column",
            "at",
        ],
        hand: "hand",
        both: &["--id-column", "table,hand"],
    },
    Form {
        head: "table,hand,at,position,card\n",
        row: one_row_a_card,
        more: &["--time-column", "at"],
        hand: "hand",
        both: &["--id-column", "1, 2"],
    },
];

/// Ids that name several hands: by them alone a deck that two tables dealt looks like one hand, by two columns it is proof.
#[test]
fn a_hand_is_known_by_two_columns_where_one_does_not_name_it() {
    let lab = Lab::new();
    let forget = || {
        if lab.exists("a") {
            lab.remove("a")
        }
    };
    // 300 hands of each of four tables, the deck of each by its table and number.
    let rows = |form: &Form, number: fn(u64, u64) -> u64| {
        let hands = (1..=300).flat_map(|hand| (1..=4).map(move |table| (table, hand)));
        let row = |(table, hand)| (form.row)(table, hand, card_line(&deck(number(table, hand))).trim_end());
        hands.map(row).collect::<Vec<String>>()
    };
    for form in &FORMS {
        let audit = |rows: &[String], ids: &[&str]| {
            forget();
            lab.write("export.csv", form.head.to_owned() + &rows.concat());
            let out = ["audit", "--source", "export.csv", "--tiers", "core", "--out", "a"];
            lab.run(&[&out[..], form.more, ids].concat())
        };
        let hand = ["--id-column", form.hand];
        let fair = rows(form, |table, hand| 4 * hand + table);
        // Of four records three have the id of one before: 3 · 300 pairs.
        let named = "Not checked: by --id-column, hand 1 has two records at two times (1 and 2), and 899 more: the ids do not name one hand each";
        audit(&fair, &hand).ends(0).must_print(named);
        audit(&fair, form.both).ends(0).must_not_print("by --id-column");
        let joined = lab.certificate("a")["result"]["source"]["id_column"].clone();
        assert_eq!(
            joined,
            form.both.iter().filter(|word| !word.starts_with("--")).copied().collect::<Vec<_>>().join(",")
        );
        lab.run(&[&["verify", "a/certificate.json", "--rerun", "--source", "export.csv"][..]].concat())
            .ends(0);
        // A row that was exported twice is one hand by either name.
        let again = [&fair[..], &fair[1_199..]].concat();
        let once = "records 1,200 and 1,201 have the same name and the same deck, wanted every record once";
        audit(&again, &hand).ends(2).must_warn(once).must_warn("--id-column \"table,hand\"");
        audit(&again, form.both).ends(2).must_warn(once);
        // Four tables with one seed.
        let alike = rows(form, |_, hand| hand);
        let refused = audit(&alike, &hand).ends(2);
        refused.must_warn("records 1 and 2 have the same name and the same deck at two times, wanted a name of its own for every hand");
        refused.must_warn("the names do not name one hand each").must_warn("--id-column \"table,hand\"");
        audit(&alike, form.both).ends(1).must_print("The same deck came up again");
        let timed = format!("{},{}", form.hand, form.more[form.more.len() - 1]);
        audit(&alike, &["--id-column", &timed]).ends(2).must_warn("and --time-column one of them");
    }
    forget();
    // Of a stream, by the same names.
    let piped = ["audit", "-", "--tiers", "core", "--time-column", "at", "--id-column"];
    let text = |number| (FORMS[0].head.to_owned() + &rows(&FORMS[0], number).concat()).into_bytes();
    let of_stream = |ids, number| lab.run_with(&[&piped[..], &[ids, "--out", "a"]].concat(), &text(number));
    of_stream("hand", |_, hand| hand).ends(2).must_warn("at two times, wanted a name of its own");
    of_stream("table,hand", |_, hand| hand).ends(1).must_print("The same deck came up again");
    // What is wrong with names, and one that has a comma itself.
    for (ids, wanted) in [
        ("tabel,hand", "--id-column names \"tabel\", which is none of its columns"),
        ("table,", "--id-column is \"table,\", wanted a name of a column on each side of a comma"),
        ("table,deck", "--id-column names \"table,deck\", which holds the deck"),
        // A hand that was written twice, at two times, would be two hands with one deck: proof of a slip.
        ("hand,at", "--id-column names \"hand,at\", and --time-column one of them"),
    ] {
        of_stream(ids, |table, hand| 4 * hand + table).ends(2).must_warn(wanted);
    }
    let bare = FORMS[0].head.to_owned() + &rows(&FORMS[0], |_, hand| hand).concat().replace(' ', ",");
    let untimed = ["audit", "-", "--tiers", "core", "--id-column", "table,hand"];
    let output = lab.run_with(&untimed, bare.as_bytes()).ends(2);
    output.must_warn("4 columns are named, \"table\" among them, and the row below has 55 cells");
    let (own, row) = rows_named_with_a_comma();
    lab.write("export.csv", own + &row);
    let audit = ["audit", "export.csv", "--tiers", "core", "--id-column", "hand, number"];
    lab.run(&audit).ends(2).must_warn("records 700 and 1,201 have the same name and the same deck");
}

/// A table of one id, and its record 700 again.
fn rows_named_with_a_comma() -> (String, String) {
    let (all, row) = rows("\"hand, number\",at", |n| format!("{n},{n}"));
    (all, row(700))
}

/// A cell more, and from some column on the others were moved.
#[test]
fn a_row_with_a_cell_more_than_there_are_columns_is_refused() {
    let lab = Lab::new();
    let audit = |text: &str, more: &[&str]| {
        lab.write("export.csv", text);
        lab.run(&[&["audit", "--source", "export.csv", "--tiers", "core"], more].concat())
    };
    let (all, row) = rows("hand,note", |n| format!("{n},x"));
    let replaced = |other: &str| all.replace(&row(500), &(other.to_owned() + "\n"));
    let own = row(500).trim_end().to_owned();
    audit(&replaced(&format!("{own},,")), &[]).ends(0);
    let wanted = "record 500 (line 501): 4 cells, wanted at most 3";
    audit(&replaced(&format!("{own},x")), &[]).ends(2).must_warn(wanted);
    // The deck stands in the cell behind, and is not passed over as a record without one.
    let moved = replaced(&own.replacen(",x,", ",x,,", 1));
    audit(&moved, &["--empty-deck", "skip"]).ends(2).must_warn("4 cells, wanted at most 3");
    let places: Vec<String> = (0..52).map(|place| format!("c{place}")).collect();
    let numbers = |n: u64| index_line(&deck(n)).trim_end().replace(' ', ",");
    let line = |n: u64| format!("{n},{}\n", numbers(n));
    let wide = format!("hand,{}\n", places.join(",")) + &(1..=1_200).map(line).collect::<String>();
    let stray = wide.replace(&line(500), &format!("500,7,{}\n", numbers(500)));
    audit(&stray, &[]).ends(2).must_warn("54 cells, wanted at most 53");
}

/// What is to show the order of dealing and does not is no silent pass.
#[test]
fn times_that_show_no_order_are_named() {
    let lab = Lab::new();
    let audit = |time: &dyn Fn(u64) -> String, more: &[&str]| {
        lab.write("export.csv", rows("hand,at", |n| format!("{n},{}", time(n))).0);
        let own = ["audit", "--source", "export.csv", "--tiers", "core", "--time-column", "at"];
        lab.run(&[&own[..], more].concat())
    };
    let missing = "export.csv: 1,200 of 1,200 records have no time in --time-column that can be read";
    audit(&|_| String::new(), &[]).ends(2).must_warn(missing);
    audit(&|_| "n/a".to_owned(), &[]).ends(2).must_warn(missing);
    audit(&|n| if n > 599 { String::new() } else { time(n) }, &[]).ends(2).must_warn("601 of 1,200 records");
    let open = "Not checked: whether all records stand in the order of their dealing: by --time-column, ";
    let few = audit(&|n| if n > 1_199 { String::new() } else { time(n) }, &["--out", "few"]).ends(0);
    few.must_print(&format!("{open}1 record has no time that can be read"));
    let equal = audit(&|_| time(7), &["--out", "equal"]).ends(0);
    equal.must_print(&format!("{open}all times are the same"));
    assert!(lab.text("equal/report.html").contains("all times are the same"));
    let json = audit(&|_| time(7), &["--json"]).ends(0).json();
    assert!(
        json["not_shown"][0].as_str().is_some_and(|own| own.contains("all times are the same")),
        "{json}"
    );
    let days = audit(&|n| format!("2026-11-{:02}", 1 + n / 300), &[]).ends(0);
    days.must_print(&format!("{open}the time changes in only 4 of 1,199 steps"));
    // Every second step is a new time, as where two tables deal.
    audit(&|n| time(n / 2), &[]).ends(0).must_not_print("Not checked");
    // A part of a file is no way around its order.
    let falling = |n| time(5_000 - n);
    audit(&falling, &[]).ends(2).must_warn("the times fall from record to record");
    audit(&falling, &["--no-repeat", "--shard", "1/1"]).ends(2).must_warn("the times fall");
}

/// 2 to 14 are ranks, and so is 1 beside letters; of 1 to 13 nothing tells whether an ace or a two is first.
#[test]
fn ranks_as_numbers_are_read_where_they_tell() {
    let lab = Lab::new();
    let spelled = |n: u64, rank: &dyn Fn(usize) -> String| {
        let card = |card: &u8| rank(usize::from(card / 4) + 2) + ["c", "d", "h", "s"][usize::from(card % 4)];
        deck(n).iter().map(card).collect::<Vec<_>>().join(" ")
    };
    let audit = |name: &str, rank: &dyn Fn(usize) -> String| {
        let rows: String = (1..=1_200).map(|n| format!("{n},{}\n", spelled(n, rank))).collect();
        lab.write("export.csv", format!("hand,deck\n{rows}"));
        lab.run(&["audit", "--source", "export.csv", "--tiers", "core", "--out", name])
    };
    let letter = |rank: usize| match rank {
        2..=10 => rank.to_string(),
        11 => "J".to_owned(),
        12 => "Q".to_owned(),
        13 => "K".to_owned(),
        _ => "1".to_owned(),
    };
    lab.write("plain.csv", lines_with(1_200, 0, ""));
    lab.run(&["audit", "--source", "plain.csv", "--tiers", "core", "--out", "plain"]).ends(0);
    let counts = |name: &str| lab.certificate(name)["result"]["first"]["integers_sha256"].clone();
    audit("numbers", &|rank| rank.to_string()).ends(0).must_warn("column `deck`, ranks written as numbers");
    audit("letters", &letter).ends(0);
    assert_eq!([counts("numbers"), counts("letters")], [counts("plain"), counts("plain")]);
    let wanted = "column 2 holds cards with the ranks 1 to 13 or 0 to 12, which may be an ace or a two";
    audit("ace", &|rank| (rank % 14 + rank / 14).to_string()).ends(2).must_warn(wanted);
    audit("two", &|rank| (rank - 1).to_string()).ends(2).must_warn(wanted);
}
