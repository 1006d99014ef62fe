//! A fail that one deck decided names the record it is.

use crate::common::lab::{Lab, card_line, deck};

/// 1,200 fair decks with hand ids, some of them in another order.
fn table(placed: &[u64], placeholder: &[u8]) -> String {
    let row = |n: u64| {
        let own = deck(n);
        let cards = if placed.contains(&n) { placeholder } else { &own[..] };
        format!("{},{}", n + 7_000, card_line(cards))
    };
    "hand,deck\n".to_owned() + &(1..=1_200).map(row).collect::<String>()
}

const ALL: [&str; 3] = ["--without", "recovered-generator", "--no-repeat"];

/// A self-test in new-deck order: every cycle has one card, which one of 52! decks has.
#[test]
fn the_one_record_in_new_deck_order_is_named() {
    let lab = Lab::new();
    let new: Vec<u8> = (0..52).collect();
    // The line before it is a comment, and counts as a line alone.
    lab.write("one.csv", table(&[601], &new).replacen("7601,", "# a self-test\n7601,", 1));
    let audit = ["audit", "--source", "one.csv", "--id-column", "hand", "--out", "result"];
    let place = "one.csv, record 601 (line 603, id 7601)";
    let advice = "Where that deck is a self-test or a placeholder and was never dealt, take it out by a rule that you can name, and audit again.";
    let output = lab.run(&[&audit[..], &ALL].concat()).ends(1);
    output.must_print("extreme (n = 1,200)").must_print(&format!("This deck  {place}"));
    let page = lab.text("result/report.html");
    assert!(page.contains(place) && page.contains(advice), "{page}");
    let json = lab.run(&[&audit[..], &ALL, &["--json"]].concat()).ends(1).json();
    assert_eq!(json["extreme_deck"], serde_json::json!({"place": place, "decks": 1}));
    assert!(json["next_step"].as_str().is_some_and(|next| next.starts_with(advice)), "{json}");
    lab.run(&[&audit[..], &ALL, &["--quiet"]].concat()).ends(1).must_print(place);
    let french = lab.run(&[&audit[..], &ALL, &["--language", "fr"]].concat()).ends(1);
    french.must_print(&format!("Ce jeu     {place}"));
    // A night stops on it, and its mail names it too.
    let text = "name = \"T\"\nsource = \"one.csv\"\nid_column = \"hand\"\nfolder = \"days\"\ntiers = \"core\"\nfresh_decks = 0\n";
    lab.write("daily.toml", text);
    let mail = lab.night("2026-10-01", &[]).ends(1);
    mail.must_print(&format!("the fail rests on {place}; look whether it was dealt"));
}

/// Two decks whose cycles have two cards at most; the file is packed, and a range begins behind its first record. What comes
/// through a pipe is gone.
#[test]
fn the_first_of_several_is_named_in_its_file_and_nothing_of_a_stream() {
    let lab = Lab::new();
    let swapped: Vec<u8> = (0..52).map(|card| card ^ 1).collect();
    let text = table(&[900], &swapped);
    let other: Vec<u8> = (0..52).map(|card| card ^ 2).collect();
    let (before, after) = text.split_at(text.find("8100,").expect("hand 8100"));
    let line = after.split_inclusive('\n').next().expect("its line");
    lab.write("two.csv", format!("{before}8100,{}{}", card_line(&other), &after[line.len()..]));
    lab.shell("gzip -k two.csv");
    let only = ["--statistics", "longest-cycle", "--no-repeat", "--out", "result"];
    for file in ["two.csv", "two.csv.gz"] {
        for (range, record) in [("1..", 900), ("101..", 900), ("901..", 1_100)] {
            let audit = ["audit", "--source", file, "--records", range, "--json"];
            let json = lab.run(&[&audit[..], &only].concat()).ends(1).json();
            let decks = if range == "901.." { 1 } else { 2 };
            let place = format!("{file}, record {record} (line {}", record + 1);
            let found = &json["extreme_deck"];
            assert!(found["place"].as_str().is_some_and(|own| own.starts_with(&place)), "{json}");
            assert_eq!(found["decks"], decks);
            lab.remove("result");
        }
    }
    let output = lab.run(&[&["audit", "--source", "two.csv"], &only[..]].concat()).ends(1);
    output.must_print("This deck  two.csv, record 900 (line 901), the first of 2 with the value that");
    lab.remove("result");
    let piped = [&["audit", "--source", "-", "--json"], &only[..]].concat();
    let json = lab.run_with(&piped, &lab.read("two.csv")).ends(1).json();
    assert!(json["extreme_deck"].is_null(), "{json}");
}

/// The order in which a pack is printed is another than that of the numbers: it is looked for in its own. Of 65,536 decks not all
/// are looked at in it.
#[test]
fn a_pack_as_it_is_sold_is_found_by_its_own_order() {
    let lab = Lab::new();
    // Spades and diamonds from the ace up, clubs and hearts from the king down.
    let suit = |suit: u8, ranks: Vec<u8>| ranks.into_iter().map(move |rank| 4 * rank + suit);
    let up = || std::iter::once(12).chain(0..12).collect::<Vec<u8>>();
    let down = || up().into_iter().rev().collect::<Vec<u8>>();
    let pack: Vec<u8> =
        suit(3, up()).chain(suit(1, up())).chain(suit(0, down())).chain(suit(2, down())).collect();
    lab.write("pack.csv", table(&[77], &pack));
    let audit = [
        "audit", "--source", "pack.csv", "--statistics", "start-orders", "--no-repeat", "--out", "result",
        "--json",
    ];
    let json = lab.run(&audit).ends(1).json();
    assert_eq!(json["extreme_deck"]["place"], "pack.csv, record 77 (line 78)", "{json}");
}
