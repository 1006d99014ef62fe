//! Decks as other programs keep them: objects, nested JSON, words, bytes as text, dumps, one row a card, logs.

use std::fs;
use std::path::Path;

use deckproof::source::SourceError;
use deckproof::source::format::{Format, Written};
use deckproof::source::list::CATALOGUE;
use deckproof::source::settings::Settings;

use crate::common::decks::{check_ways, decks, opened, read, refusal, written};
use crate::common::lab::{Lab, Output, card_line, deck, index_line, lines};

type Outcome = Result<(), Box<dyn std::error::Error>>;

const DECKS: u64 = 150;

fn named(column: &str) -> Written {
    Written { deck_column: Some(column.to_owned()), ..written() }
}

/// The cards of a deck by its number: rank as `A` to `2` with `10`, and suit as a letter.
fn cards(n: u64) -> Vec<(String, char)> {
    let line = card_line(&deck(n));
    let card = |card: &str| (card[..1].replace('T', "10"), card.chars().nth(1).expect("a suit"));
    line.trim_end().split(' ').map(card).collect()
}

/// The deck as plain cards.
fn plain(n: u64) -> String {
    card_line(&deck(n)).trim_end().to_owned()
}

fn joined(n: u64, between: &str, card: impl Fn(&str, char) -> String) -> String {
    cards(n).iter().map(|(rank, suit)| card(rank, *suit)).collect::<Vec<_>>().join(between)
}

fn suit_word(suit: char) -> &'static str {
    match suit {
        'c' => "clubs",
        'd' => "diamonds",
        'h' => "hearts",
        _ => "spades",
    }
}

fn rank_word(rank: &str) -> &'static str {
    let words = [
        "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine", "Ten", "Jack", "Queen", "King",
        "Ace",
    ];
    let ranks = ["2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"];
    words[ranks.iter().position(|own| *own == rank).expect("a rank")]
}

fn objects(n: u64) -> String {
    format!(
        "[{}]",
        joined(n, ",", |rank, suit| format!(r#"{{"rank":"{rank}","suit":"{}"}}"#, suit_word(suit)))
    )
}

/// By the names of the characters in the Unicode character database: PLAYING CARD ACE OF SPADES is U+1F0A1.
fn symbol(rank: &str, suit: char) -> String {
    let row = ['s', 'h', 'd', 'c'].iter().position(|own| *own == suit).expect("a suit") as u32;
    let column = ["", "A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "knight", "Q", "K"];
    let place = column.iter().position(|own| *own == rank).expect("a rank") as u32;
    char::from_u32(0x1f0a0 + 16 * row + place).expect("a character").to_string()
}

fn hexadecimal(n: u64) -> String {
    deck(n).iter().map(|card| format!("{card:02X}")).collect()
}

/// Three bytes as four digits, RFC 4648, section 4.
fn base64(n: u64) -> String {
    let digits = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let group = |bytes: &[u8]| {
        let word = (0..3).fold(0, |word, at| word << 8 | u32::from(bytes.get(at).copied().unwrap_or(0)));
        let digit = |at: usize| {
            if at > bytes.len() { '=' } else { char::from(digits[(word >> (18 - 6 * at) & 63) as usize]) }
        };
        (0..4).map(digit).collect::<String>()
    };
    deck(n).chunks(3).map(group).collect()
}

fn text(line: impl Fn(u64) -> String) -> String {
    (1..=DECKS).map(|n| line(n) + "\n").collect()
}

/// A message as `kcat -J` writes it: the payload is a string.
fn message(n: u64, payload: &str) -> String {
    let payload = payload.replace('\\', "\\\\").replace('"', "\\\"");
    format!(
        r#"{{"topic":"hands","partition":0,"offset":{n},"tstype":"create","ts":1763942400123,"broker":1,"key":"{n}","payload":"{payload}"}}"#
    )
}

fn ways() -> Vec<(&'static str, String)> {
    let rows = |n: u64| {
        let row = |(place, (rank, suit)): (usize, (String, char))| {
            format!("{},{},{rank}{suit}", n + 900, place + 1)
        };
        cards(n).into_iter().enumerate().map(row).collect::<Vec<_>>().join("\n")
    };
    vec![
        ("objects", text(|n| format!(r#"{{"id":{n},"deck":{}}}"#, objects(n)))),
        ("objects alone", text(objects)),
        (
            "numbered members",
            text(|n| {
                let members =
                    deck(n).into_iter().enumerate().map(|(place, card)| format!(r#""c{place}":{card}"#));
                format!(r#"{{"hand":{n},{}}}"#, members.collect::<Vec<_>>().join(","))
            }),
        ),
        (
            "objects in a column",
            "id,deck\n".to_owned() + &text(|n| format!("{n},\"{}\"", objects(n).replace('"', "\"\""))),
        ),
        ("nested", text(|n| format!(r#"{{"value":{{"hand":{{"id":{n},"deck":"{}"}}}}}}"#, plain(n)))),
        ("nested objects", text(|n| format!(r#"{{"value":{{"hand":{{"id":{n},"deck":{}}}}}}}"#, objects(n)))),
        ("messages", text(|n| message(n, &format!(r#"{{"hand":{n},"deck":"{}"}}"#, plain(n))))),
        ("messages of objects", text(|n| message(n, &format!(r#"{{"hand":{n},"deck":{}}}"#, objects(n))))),
        (
            "an array of objects",
            format!(
                "[{}]",
                (1..=DECKS).map(|n| format!(r#"{{"cards":{}}}"#, objects(n))).collect::<Vec<_>>().join(",\n")
            ),
        ),
        ("suits first", text(|n| joined(n, " ", |rank, suit| format!("{}{rank}", suit.to_uppercase())))),
        (
            "suits first, glued",
            text(|n| format!("{n};{}", joined(n, "", |rank, suit| format!("{suit}{rank}")))),
        ),
        (
            "symbols first",
            text(|n| {
                joined(n, ",", |rank, suit| {
                    format!("{}{rank}", suit)
                        .replace('s', "♠")
                        .replace('h', "♥")
                        .replace('d', "♦")
                        .replace('c', "♣")
                })
            }),
        ),
        (
            "words",
            text(|n| joined(n, ", ", |rank, suit| format!("{} of {}", rank_word(rank), suit_word(suit)))),
        ),
        (
            "words in 52 columns",
            text(|n| {
                format!(
                    "{n},{}",
                    joined(n, ",", |rank, suit| format!("\"{} of {}\"", rank_word(rank), suit_word(suit)))
                )
            }),
        ),
        (
            "names of constants",
            text(|n| {
                format!(
                    "[{}]",
                    joined(n, ",", |rank, suit| format!(
                        "\"{}_OF_{}\"",
                        rank_word(rank).to_uppercase(),
                        suit_word(suit).to_uppercase()
                    ))
                )
            }),
        ),
        ("characters", text(|n| joined(n, "", symbol))),
        (
            "characters in a column",
            "id\tdeck\n".to_owned() + &text(|n| format!("{n}\t{}", joined(n, " ", symbol))),
        ),
        ("hexadecimal", "id,deck\n".to_owned() + &text(|n| format!("{n},{}", hexadecimal(n)))),
        ("bytea", "id,deck\n".to_owned() + &text(|n| format!("{n},\\x{}", hexadecimal(n).to_lowercase()))),
        ("hexadecimal from 1", text(|n| deck(n).iter().map(|card| format!("{:02x}", card + 1)).collect())),
        ("base64", text(|n| format!(r#"{{"deck":"{}"}}"#, base64(n)))),
        (
            "a dump",
            format!(
                "--\n-- PostgreSQL database dump\n--\n\n\\restrict x\nSET client_encoding = 'UTF8';\n\nCOPY public.hands (id, deck, note) FROM stdin;\n{}\\.\n\n\n--\n-- PostgreSQL database dump complete\n--\n",
                text(|n| format!("{n}\t\\\\x{}\t\\N", hexadecimal(n).to_lowercase()))
            ),
        ),
        ("one row a card", "hand_id,position,card\n".to_owned() + &text(rows)),
        ("one row a card without names", text(rows)),
        (
            "numbers of a data frame with gaps",
            format!("id,{PLACES}\n") + &text(|n| format!("{n},{}", floats(n, ","))),
        ),
        ("the same in JSON", text(|n| format!(r#"{{"id":{n},"deck":[{}]}}"#, floats(n, ",")))),
        (
            "the same, one row a card",
            "hand_id,position,card\n".to_owned()
                + &text(|n| {
                    let row = |(place, card): (usize, u8)| format!("{n},{place}.0,{card}.0");
                    deck(n).into_iter().enumerate().map(row).collect::<Vec<_>>().join("\n")
                }),
        ),
        (
            "an object around its list",
            format!(
                "{{\"day\": \"2026-11-22\",\n \"hands\": [{}]}}",
                (1..=DECKS).map(|n| format!(r#"{{"deck":"{}"}}"#, plain(n))).collect::<Vec<_>>().join(",\n")
            ),
        ),
        (
            "a dump of MySQL",
            format!(
                "-- MySQL dump 10.13  Distrib 8.0.35, for Linux (x86_64)\n--\n-- Host: localhost    Database: poker\n\nLOCK TABLES `hands` WRITE;\n{}UNLOCK TABLES;\n-- Dump completed on 2026-11-22  4:05:06\n",
                text(|n| format!("INSERT INTO `hands` VALUES ({n},'{}',NULL);", plain(n)))
                    .replace(",NULL);\nINSERT INTO `hands` VALUES (", ",NULL),(")
            ),
        ),
        (
            "one INSERT alone",
            format!(
                "INSERT INTO hands (id, deck) VALUES\n{};\n",
                text(|n| format!("({n}, '{}')", plain(n))).trim_end().replace(")\n", "),\n")
            ),
        ),
        ("write.table of R", r_table(" ")),
        ("write.table of R, by tabs", r_table("\t")),
        (
            "write.table of R, 52 columns",
            format!("\"{}\"\n", PLACES.replace(',', "\" \""))
                + &text(|n| format!("\"{n}\" {}", index_line(&deck(n)).trim_end())),
        ),
        (
            "carriage returns",
            ("id,deck\n".to_owned() + &text(|n| format!("{n},\"{}\"", plain(n)))).replace('\n', "\r"),
        ),
    ]
}

/// The names of 52 columns.
const PLACES: &str = "c0,c1,c2,c3,c4,c5,c6,c7,c8,c9,c10,c11,c12,c13,c14,c15,c16,c17,c18,c19,c20,c21,c22,c23,c24,c25,c26,c27,c28,c29,\
                      c30,c31,c32,c33,c34,c35,c36,c37,c38,c39,c40,c41,c42,c43,c44,c45,c46,c47,c48,c49,c50,c51";

/// The numbers of a deck as pandas writes a column of whole numbers that has gaps.
fn floats(n: u64, between: &str) -> String {
    deck(n).map(|card| format!("{card}.0")).join(between)
}

/// A data frame as `write.table` of R 4 writes it: no name stands above the names of its rows.
fn r_table(between: &str) -> String {
    let row = |n: u64| [format!("\"{n}\""), (n + 900).to_string(), format!("\"{}\"", plain(n))].join(between);
    format!("\"id\"{between}\"deck\"\n") + &text(row)
}

#[test]
fn every_way_that_other_programs_write_decks_gives_the_same_decks() {
    check_ways(ways(), DECKS);
}

/// A cell changed behind the first row: whose fault it is does not depend on how cards are spelled.
#[test]
fn a_deck_that_is_none_is_proof_and_a_cell_that_cannot_be_read_is_not() {
    let (card, other) =
        (joined(2, " ", symbol).chars().next().expect("a card").to_string(), symbol("A", 's'));
    let twice = |text: String, from: &str, to: &str| {
        let at = text.find('\n').expect("two lines") + 1;
        text[..at].to_owned() + &text[at..].replacen(from, to, 1)
    };
    let last = joined(2, " ", symbol).chars().last().expect("a card").to_string();
    assert!(card != other || last != other);
    let symbols = text(|n| joined(n, " ", symbol));
    let error = refusal(&twice(symbols.clone(), &card, &last), &written());
    assert!(matches!(error, SourceError::NotADeck { record: 2, .. }) && error.is_proof(), "{error}");
    let error = refusal(&twice(symbols, &card, "🂬"), &written());
    assert!(
        matches!(error, SourceError::Unreadable { .. }) && error.to_string().contains("record 2"),
        "{error}"
    );
    let hex = text(|n| format!("{n},{}", hexadecimal(n)));
    let first = format!("2,{}", &hexadecimal(2)[..2]);
    let error = refusal(
        &hex.replacen(&format!("\n{first}"), &format!("\n2,{}", &hexadecimal(2)[2..4]), 1),
        &written(),
    );
    assert!(error.is_proof(), "{error}");
    let error = refusal(&hex.replacen(&format!("\n{first}"), "\n2,", 1), &written());
    assert!(error.is_proof() && error.to_string().contains("51"), "{error}");
    let error = refusal(&hex.replacen(&format!("\n{first}"), "\n2,zz", 1), &written());
    assert!(!error.is_proof(), "{error}");
    // A first record that is no deck is never taken for names of columns.
    for bad in [
        hexadecimal(1).replacen("00", "01", 1),
        joined(1, "", symbol).replace(&other, "🂬"),
        base64(1)[4..].to_owned(),
    ] {
        for line in [format!("{bad}\n"), format!("a,{bad}\n")] {
            let between = if line.starts_with("a,") { "a," } else { "" };
            let decks = text(|n| {
                format!("{between}{}", if bad.is_ascii() { hexadecimal(n) } else { joined(n, "", symbol) })
            });
            let error = refusal(&(line.clone() + &decks), &written());
            assert!(!error.is_proof(), "{line}: {error}");
        }
    }
}

#[test]
fn another_deck_in_another_form_is_a_second_reading() -> Outcome {
    let expected = decks(1..=DECKS);
    for text in [
        "deck,code\n".to_owned() + &text(|n| format!("{},{}", plain(n), hexadecimal(n + 1))),
        text(|n| {
            format!(r#"{{"deck":"{}","cards":{},"raw":"{}"}}"#, plain(n), objects(n + 1), base64(n + 2))
        }),
    ] {
        let error = refusal(&text, &written()).to_string();
        assert!(error.contains("two readings are possible") && error.contains("`deck`"), "{error}");
        assert!(opened(&text, &named("deck"))? == expected, "{text:.80}");
    }
    Ok(())
}

#[test]
fn two_readings_are_refused_with_both_and_a_path_says_which() -> Outcome {
    let two = text(|n| format!(r#"{{"value":{{"before":"{}","after":{}}}}}"#, plain(n + 1), objects(n)));
    let error = refusal(&two, &written()).to_string();
    assert!(error.contains("member `value.before`") && error.contains("member `value.after`"), "{error}");
    let expected = decks(1..=DECKS);
    assert!(opened(&two, &named("value.after"))? == expected);
    let two = "a,b\n".to_owned() + &text(|n| format!("{},{}", hexadecimal(n), base64(n + 1)));
    let error = refusal(&two, &written()).to_string();
    assert!(error.contains("column `a`, 52 bytes in hexadecimal") && error.contains("column `b`"), "{error}");
    assert!(opened(&two, &named("a"))? == expected);
    // Places that are not those of the list say another order than the list.
    let turned = text(|n| {
        let card = |(place, (rank, suit)): (usize, (String, char))| {
            format!(r#"{{"position":{},"rank":"{rank}","suit":"{suit}"}}"#, 52 - place)
        };
        format!(
            r#"{{"deck":[{}]}}"#,
            cards(n).into_iter().enumerate().map(card).collect::<Vec<_>>().join(",")
        )
    });
    assert!(!refusal(&turned, &named("deck")).is_proof());
    // Ranks of 1 to 13 may begin with the ace or with the two.
    let from_one = text(|n| {
        format!(
            "[{}]",
            joined(n, ",", |rank, suit| {
                let number = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"]
                    .iter()
                    .position(|own| *own == rank)
                    .expect("a rank")
                    + 1;
                format!(r#"{{"rank":{number},"suit":"{}"}}"#, suit_word(suit))
            })
        )
    });
    let error = refusal(&from_one, &written());
    assert!(
        !error.is_proof() && error.to_string().contains("the rank 1, which may be an ace or a two"),
        "{error}"
    );
    // The names of R's columns stand one to the left of them.
    assert!(opened(&r_table(" "), &named("deck"))? == expected);
    let error = refusal(&r_table(","), &named("id")).to_string();
    assert!(error.contains("column `id` holds \"901\""), "{error}");
    Ok(())
}

#[test]
fn a_refusal_names_the_first_row_of_data_and_what_stands_there() {
    let short = |n: u64| {
        joined(n, " ", |rank, suit| format!("{rank}{suit}")).rsplit_once(' ').expect("cards").0.to_owned()
    };
    let table = "id,deck,at\n".to_owned() + &text(|n| format!("{n},{},12:00", short(n)));
    let error = refusal(&table, &named("deck")).to_string();
    assert!(
        error.starts_with("x.csv, record 1 (line 2): ") && error.contains("column `deck` holds"),
        "{error}"
    );
    assert!(error.contains("51 cards or numbers") && !error.contains("none of its columns"), "{error}");
    let error = refusal(&table, &written()).to_string();
    assert!(
        error.contains("(line 2)") && error.contains("51 cards or numbers stand in line 2 in column 2"),
        "{error}"
    );
    // One record to a line is wanted: a pattern for the first deck of a line would pass over the others.
    let objects =
        [1, 2].map(|n| format!(r#"{{"deck": [{}]}}"#, deck(n).map(|card| card.to_string()).join(", ")));
    let line = format!("{{\"hands\": [{}]}}\n", objects.join(", "));
    let error = refusal(&line.repeat(2), &written()).to_string();
    assert!(error.contains("(line 1)") && !error.contains("--deck-regex"), "{error}");
    // 84 letters and digits are base64 of 63 bytes, too.
    let glued = |n: u64| short(n).replace(' ', "").replace("10", "T")[..84].to_owned();
    let glued = "id,deck,at\n".to_owned() + &text(|n| format!("{n},{},12:00", glued(n)));
    let error = refusal(&glued, &written()).to_string();
    assert!(error.contains("42 cards or numbers stand in line 2 in column 2"), "{error}");
    let error = refusal("id,deck\n1,{}\n2,{}\n", &named("deck")).to_string();
    assert!(error.contains("(line 2)") && error.contains("column `deck` holds \"{}\""), "{error}");
    let error = refusal("id,deck\n1,x\n", &named("cards")).to_string();
    assert!(error.contains("none of its columns") && error.contains("id, deck"), "{error}");
    let error = refusal("{\"value\":{\"deck\":{\"top\":1}}}\n", &named("value.deck")).to_string();
    assert!(error.contains("member `value.deck` holds an object"), "{error}");
    let error = refusal("{\"value\":{\"deck\":\"x\"}}\n", &named("value.hand")).to_string();
    assert!(error.contains("value.deck"), "{error}");
}

#[test]
fn folders_of_folders_are_read_in_the_order_of_their_paths() -> Outcome {
    let lab = Lab::new();
    let part = |from: u64, to: u64| lines(from..=to);
    for (folder, from, to) in
        [("2026-11-02/t1", 101, DECKS), ("2026-11-01/t1", 1, 40), ("2026-11-01/t2", 41, 100)]
    {
        lab.write(&format!("days/{folder}/hands.csv"), part(from, to));
    }
    let expected = decks(1..=DECKS);
    let ask = || CATALOGUE.ask(lab.path("days").as_ref(), &Settings::none())?.open(None);
    assert!(read(ask()?.source.as_mut())? == expected);
    // What would be passed over or never end is refused by its name.
    fs::create_dir(lab.path("days/2026-11-03"))?;
    let what = ask().err().map(|error| error.what).unwrap_or_default();
    assert!(what.contains("2026-11-03: found no file in it"), "{what}");
    fs::remove_dir(lab.path("days/2026-11-03"))?;
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(lab.path("days"), lab.path("days/again"))?;
        let what = ask().err().map(|error| error.what).unwrap_or_default();
        assert!(what.contains("\"again\", a link to a folder"), "{what}");
        let what = CATALOGUE.ask("/etc".as_ref(), &Settings::none()).and_then(|source| source.open(None));
        let what = what.err().map(|error| error.what).unwrap_or_default();
        assert!(!what.is_empty() && !what.contains("no file or folder"), "{what}");
    }
    Ok(())
}

/// A run that could not say: exit 2, nothing on standard output, no folder of results.
fn says_nothing(lab: &Lab, output: &Output, named: &str, out: &str) {
    assert!(output.code == 2 && output.out.is_empty() && !lab.exists(out), "{output}");
    output.must_warn(named);
}

#[test]
fn a_log_is_read_by_its_pattern_and_its_certificate_says_so() {
    let lab = Lab::new();
    let glued = |n: u64| plain(n).replace(' ', "");
    lab.write("a.log", text(|n| format!("12:00 hand {n} deck={} ok\n12:00 seat 4 won", glued(n))));
    let words = ["audit", "a.log", "--deck-regex", r"deck=(\w+)", "--tiers", "core", "--quiet", "--out"];
    let output = lab.run(&[&words[..], &["a"]].concat()).ends_in(&[0, 1, 2]);
    assert!(lab.exists("a"), "{output}");
    output.must_print(&format!("all {DECKS} records that it matches"));
    assert_eq!(lab.certificate("a")["result"]["source"]["deck_regex"], r"deck=(\w+)");
    assert_eq!(lab.certificate("a")["result"]["source"]["file_records"], DECKS);
    let again = lab.run(&["verify", "a/certificate.json", "--rerun", "--source", "csv:a.log"]);
    assert_eq!(again.code, output.code, "{again}");
    lab.write(
        "a.log",
        text(|n| format!("12:00 hand {n} {}={} ok", if n == 9 { "dekc" } else { "deck" }, glued(n))),
    );
    let output = lab.run(&[&words[..], &["b"]].concat());
    says_nothing(&lab, &output, "line 9: found 52 cards that --deck-regex does not match", "b");
    let output = lab.run(&["audit", "a.log", "--deck-regex", "deck=(", "--out", "c"]);
    says_nothing(&lab, &output, "--deck-regex", "c");
}

#[cfg(unix)]
#[test]
fn a_program_is_read_to_its_end_and_one_that_fails_there_says_nothing() {
    let lab = Lab::new();
    lab.write("decks", lines(1..=DECKS));
    let audit = |source: &str, out: &str, more: &[&str]| {
        lab.run(&[&["audit", "--source", source, "--tiers", "core", "--out", out], more].concat())
    };
    let output = audit("cmd:cat decks", "a", &[]).ends_in(&[0, 1, 2]);
    assert!(lab.exists("a"), "{output}");
    output.must_warn("read to its end");
    audit("csv:decks", "e", &[]);
    let tallies = |out: &str| lab.certificate(out)["result"]["first"]["tallies"].clone();
    assert!(tallies("a") == tallies("e") && !tallies("a").is_null());
    let output = audit("cmd:sh -c 'cat decks; exit 3'", "b", &[]);
    says_nothing(&lab, &output, "(exit status: 3): found 150 complete decks, wanted all of them", "b");
    let output = audit("cmd:sh -c 'exec 1<&-; cat decks; exit 3'", "c", &[]);
    says_nothing(&lab, &output, "found 0 complete decks", "c");
    let output = audit("cmd:cat decks", "d", &["--decks", "151"]);
    says_nothing(&lab, &output, "found 150 complete decks, wanted 151", "d");
}

#[test]
fn files_need_no_option_and_a_refusal_in_json_is_an_object() {
    let lab = Lab::new();
    lab.write("decks.csv", lines(1..=DECKS));
    // A copy says nothing; who knows that it is none joins the files.
    let decks = lab.read("decks.csv");
    lab.write("copy.csv", &decks);
    lab.write("joined.csv", decks.repeat(2));
    for name in ["./decks.csv", "copy.csv"] {
        let output = lab.run(&["audit", "decks.csv", name, "--tiers", "core", "--out", "a"]);
        says_nothing(
            &lab,
            &output,
            &format!("{name}: it holds the same as decks.csv, wanted other decks"),
            "a",
        );
    }
    if cfg!(feature = "compressed") {
        let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        std::io::Write::write_all(&mut packed, &decks).expect("memory");
        lab.write("decks.csv.gz", packed.finish().expect("memory"));
        let output = lab.run(&["audit", "decks.csv", "decks.csv.gz", "--tiers", "core", "--out", "a"]);
        says_nothing(&lab, &output, "decks.csv.gz: it holds the same as decks.csv, wanted other decks", "a");
    }
    let output = lab.run(&["audit", "joined.csv", "--tiers", "core", "--out", "a"]);
    says_nothing(&lab, &output, "found each deck of 300 records twice, the whole list behind itself", "a");
    // All but one of them twice: no file that was joined to itself.
    lab.write("joined.csv", lines(1..=DECKS) + &lines(1..=DECKS - 1));
    let output = lab.run(&["audit", "joined.csv", "--tiers", "core", "--out", "joined"]).ends(1);
    output.must_print("Proof      The same deck came up again.");
    // What a reader of the written result is to rule out first.
    let twice = "If the equal decks are one hand, the export holds it twice";
    output.must_print(twice);
    lab.run(&["report", "--format", "md", "joined/certificate.json"]).must_print(twice);
    assert!(lab.text("joined/report.html").contains(twice));
    let json = lab.run(&["audit", "joined.csv", "--tiers", "core", "--json", "--out", "json"]).json();
    assert!(json["next_step"].as_str().is_some_and(|next| next.starts_with(twice)), "{}", json["next_step"]);
    let output = lab.run(&["verify", "joined/certificate.json"]);
    output.must_print("Not checked: that the source holds every hand once: no column of ids was named");
    lab.write("more.csv", lines(DECKS + 1..=2 * DECKS));
    let output = lab.run(&["audit", "decks.csv", "more.csv", "--tiers", "core", "--out", "a"]);
    assert!(lab.exists("a"), "{output}");
    assert_eq!(lab.certificate("a")["result"]["source"]["files"], 2);
    let output = lab.run(&["audit", "decks.csv", "--source", "os"]);
    assert_eq!((output.code, output.warns("cannot be used with")), (2, true), "{output}");
    lab.write("bad.csv", "dear sir\n");
    for words in [&["audit", "bad.csv", "--json", "--out", "b"][..], &["audit", "--jsno", "--json"]] {
        let output = lab.run(words).ends(2);
        let object = output.json();
        assert_eq!((&object["format"], &object["exit_code"]), (&"deckproof/refusal/v1".into(), &2.into()));
        assert!(
            object["reason"].as_str().is_some_and(|reason| reason.len() > 10 && output.warns(&reason[..10]))
        );
    }
    let key = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f";
    lab.run(&["audit", key, "--json"]).ends(2).must_not_print(&key[..16]).must_not_warn(&key[..16]);
}

#[cfg(unix)]
#[test]
fn the_end_that_a_system_gives_is_said_like_an_interruption() {
    use std::io::{BufRead, BufReader, Read};
    let lab = Lab::new();
    let line = index_line(&deck(1));
    let mut child = lab.command(&["audit", "--source", "-", "--out", "a"]).spawn().expect("it starts");
    let mut input = child.stdin.take().expect("a pipe");
    std::io::Write::write_all(&mut input, line.repeat(20).as_bytes()).expect("it reads");
    let mut output = BufReader::new(child.stderr.take().expect("a pipe"));
    let mut first = String::new();
    output.read_line(&mut first).expect("it says what it reads");
    let id = child.id().to_string();
    wait_for_handler(&id);
    assert!(
        std::process::Command::new("kill").args(["-TERM", &id]).status().is_ok_and(|status| status.success())
    );
    let ended = child.wait().expect("it ends");
    let mut rest = String::new();
    output.read_to_string(&mut rest).expect("text");
    assert_eq!(ended.code(), Some(2), "{first}{rest}");
    assert!(rest.contains("interrupted; this says nothing about the shuffler"), "{first}{rest}");
    assert!(!Path::new(&lab.path("a")).join("certificate.json").exists());
}

/// Waits until a process catches SIGTERM, where the system tells.
#[cfg(unix)]
fn wait_for_handler(id: &str) {
    let caught = || {
        let status = fs::read_to_string(format!("/proc/{id}/status")).ok()?;
        let mask = status.lines().find_map(|line| line.strip_prefix("SigCgt:"))?.trim().to_owned();
        u64::from_str_radix(&mask, 16).ok().map(|mask| mask & (1 << 14) != 0)
    };
    for _ in 0..600 {
        std::thread::sleep(std::time::Duration::from_millis(100));
        if caught() != Some(false) {
            return;
        }
    }
}

#[test]
fn formats_that_were_named_still_decide() {
    let hex = text(hexadecimal);
    let output = Written { format: Some(Format::Cards), ..written() };
    assert!(!refusal(&hex, &output).is_proof());
    let output = Written { first_number: Some(1), ..written() };
    assert!(refusal(&hex, &output).to_string().contains("numbers that begin at 0"));
}
