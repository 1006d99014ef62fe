//! `deckproof hands --dealt`: what is read, what is refused, and the exit codes.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::sync::OnceLock;

use deckproof::card::Card;
use deckproof::hands::dealt::files::read_dealt;
use deckproof::hands::dealt::read::DealtHands;
use deckproof::hands::dealt::{DealtJudgement, judge};
use deckproof::rendering::hands::dealt::{in_words, to_json};
use rand::rngs::ChaCha20Rng;
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use serde_json::Value;

use crate::common::lab::{Lab, deck, index_line};

/// Fair hands of four seats, of which each folds by chance after every street; `spoil` may exchange two cards of
/// the deck before the one at the first place is dealt to a seat.
fn table(hands: usize, spoil: impl Fn(&mut [Card], u8)) -> String {
    let mut rng = ChaCha20Rng::seed_from_u64(5);
    let mut text = "hand,seat,street,card\n".to_owned();
    for hand in 0..hands {
        let mut deck: Vec<Card> = Card::all().collect();
        deck.shuffle(&mut rng);
        let (mut next, mut live) = (0, vec![1u8, 2, 3, 4]);
        for street in 3..=7 {
            for _ in 0..if street == 3 { 3 } else { 1 } {
                for seat in &live {
                    spoil(&mut deck[next..], *seat);
                    writeln!(text, "{hand},{seat},{street},{}", deck[next]).expect("a string");
                    next += 1;
                }
            }
            live.retain(|_| rng.random_bool(0.8));
            if live.len() < 2 {
                break;
            }
        }
    }
    text
}

/// Seat 2 gets the higher of the next two cards where the third one is below both.
fn favoured(deck: &mut [Card], seat: u8) {
    if seat == 2 && deck[1] > deck[0] && deck[2] < deck[0] {
        deck.swap(0, 1);
    }
}

/// What the command prints of hands, as words and as JSON, and its exit code: of one judgement, for the search for a generator
/// takes seconds.
struct Judged {
    judgement: DealtJudgement,
    code: u8,
    words: String,
    json: Value,
}

impl Judged {
    fn of(dealt: &DealtHands) -> Judged {
        let judgement = judge(dealt);
        let (words, json) = (in_words(dealt, &judgement), to_json(dealt, &judgement));
        let words = words.split_whitespace().collect::<Vec<_>>().join(" ");
        Judged { code: judgement.claims(dealt).exit().code(), words, json, judgement }
    }

    fn of_texts(texts: &[(&str, &str)]) -> Judged {
        Judged::of(&read(texts))
    }

    #[track_caller]
    fn ends(&self, code: u8, verdict: &str) -> &Judged {
        assert_eq!((self.code, &self.json["verdict"]), (code, &verdict.into()), "{}", self.words);
        self
    }

    #[track_caller]
    fn must_print(&self, text: &str) -> &Judged {
        assert!(self.words.contains(text), "{text}: {}", self.words);
        self
    }
}

fn read(texts: &[(&str, &str)]) -> DealtHands {
    let mut dealt = DealtHands::default();
    texts.iter().for_each(|(name, text)| dealt.add(name, text));
    dealt
}

/// The judgement of 1,200 fair hands alone.
fn fair() -> &'static Judged {
    static FAIR: OnceLock<Judged> = OnceLock::new();
    FAIR.get_or_init(|| Judged::of_texts(&[("dealt.csv", &table(1_200, |_, _| {}))]))
}

/// A query sorts the rows of a street, or of a seat: hands of other decks then begin with the same cards.
#[test]
fn rows_that_are_sorted_by_card_are_no_deal() {
    let lab = Lab::new();
    let text = table(2_000, |_, _| {});
    let rows = || text.lines().skip(1).map(|row| row.split(',').collect::<Vec<_>>());
    let number = |text: &str| text.parse::<u32>().expect("a number");
    let check = |by: &dyn Fn(&[&str]) -> (u32, String), named: &str| {
        let mut sorted: Vec<Vec<&str>> = rows().collect();
        sorted.sort_by_key(|row| (number(row[0]), number(row[2]), by(row)));
        let lines: String = sorted.iter().map(|row| row.join(",") + "\n").collect();
        lab.write("dealt.csv", format!("hand,seat,street,card\n{lines}"));
        let output = lab.run(&["hands", "--dealt", "dealt.csv"]).ends(2);
        output.must_warn(&format!(
            "all 8,000 seats of third street are in the order of {named}: the rows were sorted by card"
        ));
    };
    let rank = |card: &str| "23456789TJQKA".find(&card[..1]).expect("a rank") as u32;
    check(&|row| (0, row[3].to_owned()), "the alphabet, up");
    check(&|row| (number(row[1]), row[3].to_owned()), "the alphabet, up");
    check(&|row| (number(row[1]), row[3].replace('T', "10")), "the alphabet, up");
    check(&|row| (100 * number(row[1]) + 12 - rank(row[3]), String::new()), "their rank, down");
    // A deck that is never shuffled is no sorted file.
    let same: String = (0..120)
        .flat_map(|hand| {
            ["2c", "3c", "4c"].map(|card| format!("{hand},1,3,{card}\n{hand},2,3,{}d\n", &card[..1]))
        })
        .collect();
    lab.write("dealt.csv", format!("hand,seat,street,card\n{same}"));
    let read = read_dealt(&[lab.path("dealt.csv").into()]).expect("it is not sorted");
    assert_eq!(read.hands.len(), 120);
}

#[test]
fn fair_cards_pass_and_a_seat_that_is_favoured_fails() {
    assert_eq!(fair().ends(0, "pass").json["hands"], 1_200);
    let text = table(1_500, favoured);
    let dealt = read(&[("dealt.csv", &text)]);
    let found = Judged::of(&dealt);
    found.ends(1, "fail").must_print("Rule out the export first");
    let told = found.json["meaning"].as_str().expect("what it means");
    for cause in ["hands or seats left out", "seats numbered by how it went", "another order than dealt"] {
        assert!(told.contains(cause), "{cause}: {told}");
    }
    assert!(!told.contains("ends before seventh street"), "{told}");
    // Of a seat that came to the end there is one row of seventh street.
    let last: Vec<&str> = text.lines().filter(|row| row.split(',').nth(2) == Some("7")).collect();
    let hands: BTreeSet<&str> = last.iter().filter_map(|row| row.split(',').next()).collect();
    let early = ["hands_ended_early", "seats_ended_early"].map(|key| found.json[key].as_u64());
    assert_eq!(early, [1_500 - hands.len(), 6_000 - last.len()].map(|count| Some(count as u64)));
    // Only what went to seventh street, and of it only the seats that did.
    for (seats_ended_early, wanted) in [(7, "No hand ends"), (0, "No seat ends")] {
        let judgement = DealtJudgement { hands_ended_early: 0, seats_ended_early, ..found.judgement.clone() };
        let words = in_words(&dealt, &judgement);
        assert!(words.contains(&format!("{wanted} before seventh street")), "{words}");
    }
}

/// One deck in a thousand comes twice, under another number and with other folds after the first cards: no bet sees it.
#[test]
fn a_deck_that_is_dealt_again_is_proof() {
    let mut text = table(1_200, |_, _| {});
    let rows = |hand: usize| text.lines().filter(move |row| row.starts_with(&format!("{hand},")));
    let hand = (7..).find(|&hand| rows(hand).count() >= 20).expect("one is long");
    let again: String =
        rows(hand).take(18).map(|row| row.replacen(&format!("{hand},"), "9999,", 1) + "\n").collect();
    text.push_str(&again);
    let found = Judged::of_texts(&[("dealt.csv", &text)]);
    let own = &found.ends(1, "fail").json["repeated"];
    // 1,201·1,200/2·(52 − 11)!/52! = 2.98e-13, and 7.3e-15 of 12 cards.
    assert_eq!(
        (&own["hands"], &own["cards"], &own["cards_of_one"]),
        (&1.into(), &12.into(), &12.into()),
        "{own}"
    );
    assert!(own["named"][0][1].as_str().is_some_and(|hand| hand.ends_with("9999")), "{own}");
    found.must_print("1 hand has the first 12 cards of an earlier one: ");
    found.must_print("If both are one hand, the export holds it twice");
}

/// What a bet won on a hand it wins again on its copy: cards that fail are no fail where some of them are in two files.
#[test]
fn cards_that_are_unlikely_convict_nobody_where_hands_are_in_two_files() {
    let whole = table(1_500, favoured);
    let is_of_few = |line: &&str| line.split_once(',').is_some_and(|(hand, _)| hand.len() == 1);
    let few: String = whole.lines().filter(is_of_few).map(|line| format!("b{line}\n")).collect();
    let few = format!("hand,seat,street,card\n{few}");
    // Without the copies they fail, as above.
    let found = Judged::of_texts(&[("a.csv", &whole), ("b.csv", &few)]);
    found.ends(2, "inconclusive").must_print(
        "unlikely under a fair deal, and hands that stand in the files more than once explain it as well",
    );
}

/// The same hand in another file may be there because the files overlap: no pass, and nobody is accused.
#[test]
fn a_deck_that_is_in_two_files_is_no_pass_and_no_proof() {
    let text = table(1_200, |_, _| {});
    let rows = |hand: usize| text.lines().filter(move |row| row.starts_with(&format!("{hand},")));
    let hand = (7..).find(|&hand| rows(hand).count() >= 20).expect("one is long");
    let other: String = rows(hand).map(|row| row.replacen(&format!("{hand},"), "A1,", 1) + "\n").collect();
    let other = format!("hand,seat,street,card\n{other}");
    let found = Judged::of_texts(&[("dealt.csv", &text), ("other.csv", &other)]);
    found.ends(2, "inconclusive");
    found.must_print("The files overlap, or a deck was dealt again at another table");
    assert_eq!(found.json["repeated"]["in_another_file"], 1);
    // Copies of all hands are no more evidence than the hands.
    let copies = ["B", "C", "D", "E"].map(|name| text.trim_end().replace('\n', &format!("\n{name}")));
    let files: Vec<(&str, &str)> =
        std::iter::once(&text).chain(&copies).map(|text| ("f.csv", &text[..])).collect();
    let found = Judged::of_texts(&files);
    let json = &found.ends(2, "inconclusive").json;
    for field in ["hands", "cards", "joint_p_value", "parts"] {
        assert_eq!(json[field], fair().json[field], "{field}");
    }
    assert_eq!(json["repeated"]["in_another_file"], 4_800);
    let [one, other] =
        [0, 1].map(|at| json["repeated"]["named_in_another_file"][at].as_str().expect("named"));
    assert_eq!(other, format!("B{one}"));
}

/// Two tables that number their hands from 1, a file each.
#[test]
fn tables_that_share_numbers_are_named() {
    let one = table(30, |_, _| {});
    let two = table(1_200, |_, _| {});
    let two = two.split_once("\n30,").map_or("", |(first, _)| first);
    let found = Judged::of_texts(&[("one.csv", &one), ("two.csv", two)]);
    found.ends(2, "inconclusive").must_print("the files overlap, or tables share numbers");
    found.must_print("the table before the number");
    let json = &found.json;
    assert_eq!((&json["hands"], &json["shared_numbers"]), (&30.into(), &30.into()), "{json}");
    let same = read(&[("one.csv", &one), ("one.csv", &one)]);
    assert_eq!((same.hands.len(), same.shared_numbers, same.unread_total), (30, 30, 30));
}

/// Where what the statistics say against the deal stands.
fn place(json: &Value) -> Option<&str> {
    let claims = json["claims"].as_array().expect("claims");
    claims.iter().find(|claim| claim["subject"] == "no-departure").expect("it is claimed")["place"].as_str()
}

#[test]
fn what_is_not_every_dealt_card_is_no_pass() {
    let good = table(1_200, |_, _| {});
    let check = |text: &str, code: u8, words: &str| {
        let found = Judged::of_texts(&[("dealt.csv", text)]);
        found.ends(code, if code == 1 { "fail" } else { "inconclusive" });
        let told = format!("{} {}", found.json["unread"], found.json["impossible"]);
        assert!(told.contains(words), "{words}: {told}");
        let place = place(&found.json);
        assert_eq!(place.is_some_and(|place| place.ends_with(" twice")), code == 1, "{words}: {place:?}");
        found
    };
    let first: Vec<&str> = good.lines().take(4).collect();
    let (row, _) = first[2].rsplit_once(',').expect("a card");
    let (_, card) = first[1].rsplit_once(',').expect("a card");
    check(&good.replacen(first[2], &format!("{row},{card}"), 1), 1, "card_twice");
    // Seat by seat, hands that end on third street alone are in the order dealt.
    let mut rows: Vec<&str> = good.lines().skip(1).collect();
    rows.sort_by_key(|row| {
        row.split(',').take(2).map(|number| number.parse::<u32>().expect("it is one")).collect::<Vec<_>>()
    });
    let by_seat = format!("hand,seat,street,card\n{}\n", rows.join("\n"));
    let found = check(&by_seat, 2, "ORDER BY hand, dealt position");
    found.must_print(" of 1,200 were left out, p = 1").must_print("may depend on their cards");
    // What is not read is all the program looks at, so that the rest needs no judgement.
    let (row, _) = first[1].rsplit_once(',').expect("a card");
    for (text, words) in [
        (good.replacen(&format!("{}\n", first[2]), "", 1), "seat 2 has not 3 of street 3"),
        // Two tables that number their hands by themselves: a card that two of them hold is in two decks.
        (good.replace("\n1,", "\n0,"), "two hands under one number"),
        (good.replacen(first[1], &format!("{row},??"), 1), "wanted a card such as Ah"),
        (good.replacen("0,1,3", "0,9,3", 1), "wanted a seat 1 to 8"),
        (format!("{good}{}\n", first[1]), "stood in the files before"),
        ("some text\n".to_owned(), "wanted a table whose first line names the columns"),
    ] {
        let dealt = read(&[("dealt.csv", &text)]);
        assert!(dealt.unread.iter().any(|line| line.contains(words)), "{words}: {:?}", dealt.unread);
        assert_eq!(dealt.impossible, [], "{words}");
    }
}

#[test]
fn histories_are_read_in_the_order_dealt_and_never_from_one_player_s_view() {
    let known = "variant = 'F7S'\nantes = [4, 4]\nbring_in = 10\nsmall_bet = 20\nbig_bet = 40\n\
                 starting_stacks = [500, 500]\n\
                 actions = ['d dh p1 AhKhQh', 'd dh p2 2c3c4c', 'p2 pb', 'p1 cc', 'd dh p1 5d', 'd dh p2 6d']";
    let mut dealt = read(&[("a.phh", known)]);
    assert_eq!(dealt.unread, Vec::<String>::new());
    let order: Vec<(String, u8, u8)> =
        dealt.hands[0].cards.iter().map(|dealt| (dealt.card.to_string(), dealt.seat, dealt.street)).collect();
    let wanted = [
        ("Ah", 1, 3),
        ("2c", 2, 3),
        ("Kh", 1, 3),
        ("3c", 2, 3),
        ("Qh", 1, 3),
        ("4c", 2, 3),
        ("5d", 1, 4),
        ("6d", 2, 4),
    ];
    assert_eq!(order, wanted.map(|(card, seat, street)| (card.to_owned(), seat, street)));
    dealt.add("b.phh", &known.replace("AhKhQh", "????Qh"));
    assert!(dealt.unread[0].contains("not what one player saw"), "{:?}", dealt.unread);
}

/// The cards of a table's folder are those that its full reveals open, in the order of their transcripts: the same
/// table written as rows gives the same judgement. Burned cards come back in these rules, and one hand is voided.
#[test]
fn a_folder_of_a_table_is_judged_like_its_revealed_hands_written_as_rows() {
    let lab = Lab::new();
    let deal =
        ["deal", "--table", "T-1", "--rules", "espacejeux", "--seats", "1,2,3,4,5,6,7", "--out", "out"];
    lab.run(&[&deal[..], &["--hands", "12"]].concat()).ends(0);
    lab.run(&["bundle", "out", "--hand", "1-12", "--full"]).ends(0);
    let mut rows = "hand,seat,street,card\n".to_owned();
    for hand in 1..=12 {
        let file = format!("out/hand-{hand}/full-reveal.json");
        let output = lab.run(&["verify", &file, "--json"]).ends(0).json();
        let bundle = lab.json(&file);
        for line in bundle["transcript"].as_str().expect("a transcript").lines().skip(1) {
            let words: Vec<&str> = line.split(' ').collect();
            if let [position, seat, street, face] = words[..]
                && face != "b"
            {
                let card = output["opened"][position].as_str().expect("every card is opened");
                writeln!(rows, "{hand},{seat},{street},{card}").expect("a string");
            }
        }
    }
    let of_folder = || read_dealt(&[lab.path("out").into()]).expect("a table");
    let cards = |dealt: &DealtHands| dealt.hands.iter().map(|hand| hand.cards.clone()).collect::<Vec<_>>();
    let (first, of_rows) = (of_folder(), read(&[("rows.csv", &rows)]));
    assert_eq!((cards(&first), &first.unread), (cards(&of_rows), &of_rows.unread));
    assert_eq!((first.hands.len(), cards(&first).concat().len(), first.voided), (12, 588, 0));

    // A transcript that is not the one of the close entry: the hand is named, and nothing passes.
    let path = "out/public/transcripts.txt";
    lab.write(path, lab.text(path).replacen("\n0 1 3 d\n1 2 3 d\n", "\n0 2 3 d\n1 1 3 d\n", 1));
    let altered = of_folder();
    assert_eq!((altered.hands.len(), altered.unread_total), (11, 1));
    assert!(altered.unread[0].contains("hand 1: its close entry is another one"), "{:?}", altered.unread);
}

/// Hands that were given up are counted, not judged.
#[test]
fn voided_hands_of_a_table_are_counted() {
    let lab = Lab::new();
    let deal =
        ["deal", "--table", "T-1", "--hands", "1", "--rules", "stud-hi", "--seats", "1,2,3", "--out", "out"];
    // Seat 2 commits to a seed and does not reveal it, so that the hand is voided.
    let commit = format!("2:{}", "1".repeat(64));
    lab.run(&[&deal[..], &["--mix", "players", "--seed-commit", &commit]].concat()).ends(2);
    let output = lab.run(&["hands", "--dealt", "out"]).ends(2);
    output.must_print("Read 0 hands");
    output.must_print("Not judged: the cards of 1 voided hand.");
}

/// Hands of `rand() % n` of Visual C++, shuffled downward and dealt by `pop()`, behind a file of fair ones: the seats that fold see fewer
/// cards, and what nobody was dealt is not needed.
#[test]
fn a_generator_is_recovered_from_dealt_cards_of_the_second_file() {
    let lab = Lab::new();
    lab.write("fair.csv", table(30, |_, _| {}));
    let mut state = 20_261_124u32;
    let mut rand = || {
        state = state.wrapping_mul(214_013).wrapping_add(2_531_011);
        (state >> 16 & 0x7fff) as usize
    };
    let mut weak = "hand,seat,street,card\n".to_owned();
    for hand in 0..4 {
        let mut deck: Vec<Card> = Card::all().collect();
        (1..52).rev().for_each(|place| deck.swap(place, rand() % (place + 1)));
        for street in 3..=7 {
            for _ in 0..if street == 3 { 3 } else { 1 } {
                for seat in (1..=3).filter(|seat| *seat != 2 || street < 5) {
                    writeln!(weak, "w{hand},{seat},{street},{}", deck.pop().expect("a card"))
                        .expect("a string");
                }
            }
        }
    }
    let mut deck: Vec<Card> = Card::all().collect();
    (1..52).rev().for_each(|place| deck.swap(place, rand() % (place + 1)));
    let next: Vec<String> = deck.iter().rev().map(ToString::to_string).collect();
    lab.write("weak.csv", weak);
    let output = lab.run(&["hands", "--dealt", "fair.csv", "weak.csv"]).ends(1);
    output.must_print("from hand w0 on: Microsoft rand() % n");
    output.must_print(&format!("The next deck is {}.", next.join(" ")));
    let weak = lab.run(&["hands", "--dealt", "fair.csv", "weak.csv", "--json"]).json();
    assert_eq!(place(&weak), Some("from hand w0 on the next cards are known"));
    let fair = &fair().json;
    assert!(fair["recovered"].is_null() && fair["generators_left_out"].as_array().is_some(), "{fair}");
}

/// The hands of a day beside its decks, at the levels of a day; the same again are nothing new.
#[test]
fn a_day_judges_dealt_cards_beside_its_decks() {
    let lab = Lab::new();
    lab.write(
        "daily.toml",
        "name = \"T\"\nfolder = \"days\"\ntiers = \"core\"\nfresh_decks = 0\nsource = \"{date}.csv\"\ndealt = \"dealt-{date}.csv\"\n",
    );
    let night = |day: u32, dealt: &str| {
        let first = 10_000 * u64::from(day);
        let decks: String = (first..first + 1_000).map(|n| index_line(&deck(n))).collect();
        lab.write(&format!("2026-10-{day:02}.csv"), decks);
        lab.write(&format!("dealt-2026-10-{day:02}.csv"), dealt);
        lab.night(&format!("2026-10-{day:02}"), &["--steps"])
    };
    let fair = table(1_500, |_, _| {});
    night(1, &fair).ends(0).must_print("dealt cards").must_print("1,500 hands with ");
    let output = night(2, &fair);
    let same = "dealt cards: nothing new was examined: these are the hands of row 1 (2026-10-01)";
    assert!(output.code == 2 && output.flat().contains(same), "{output}");
    // The same decks as other hands, and a day that begins with those of the first under their numbers.
    let (head, hands) = fair.split_once('\n').expect("a table");
    let renumber = |row: &str| format!("7{row}\n");
    let again: String = hands.lines().map(renumber).collect();
    let output = night(2, &format!("{head}\n{again}"));
    let found = "dealt cards: 32 of the 32 hands that are remembered of row 1 (2026-10-01) are here under another number: a deck was dealt again";
    assert!(output.code == 2 && output.flat().contains(found), "{output}");
    night(2, &table(1_600, |_, _| {})).ends(0);
    night(3, &table(1_500, favoured))
        .ends(1)
        .must_print("STOP, the dealt cards are not those of a fair deal");
}
