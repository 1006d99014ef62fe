//! Exports of poker rooms: what is read, what is refused and where, and facts of real files.

use std::fs;
use std::path::PathBuf;

use deckproof::stud::deal::Street;
use deckproof::stud::history::pokerstars::{Export, read};
use deckproof::stud::record::{Record, SeatRecord, StudGame};

/// A hand of three seats in the room's words, written by hand for this test. Limits of 10 and 20 cents, antes of 1:
/// the pot is 3 + 2 + 10 + 10 + 8 + 4·20 = 113 cents, for seat 7 brings it in and calls 8 more after seat 2
/// completes.
const HAND: &str = include_str!("rooms/three_seats.txt");

pub fn cards(cards: &[Option<deckproof::card::Card>]) -> String {
    cards.iter().map(|card| card.map_or("??".to_owned(), |card| card.to_string())).collect()
}

fn seat(record: &Record, number: u8) -> &SeatRecord {
    record.seats.iter().find(|seat| seat.seat == number).expect("a seat of the hand")
}

fn first_three(seat: &SeatRecord) -> String {
    seat.first_three.map_or(String::new(), |three| cards(&three.map(Some)))
}

#[test]
fn a_hand_is_read_with_its_seats_streets_and_results() {
    let Export { hands, others, unread } = read(HAND);
    assert_eq!((others.len(), &unread[..]), (0, &[][..]));
    let [hand] = &hands[..] else { panic!("one hand") };
    assert_eq!(
        (&hand.number[..], hand.game, hand.small, hand.big, hand.decimals),
        ("77", StudGame::High, 10, 20, 2)
    );
    let seats: Vec<u8> = hand.seats.iter().map(|seat| seat.seat).collect();
    assert_eq!(seats, [2, 5, 7]);
    assert_eq!((hand.exporter, hand.brought_in, hand.wrong_bring_in()), (Some(1), Some(2), None));
    assert_eq!(first_three(seat(hand, 5)), "7c3s5h");
    assert_eq!(cards(&seat(hand, 5).up), "5h5c");
    assert_eq!(cards(&seat(hand, 2).up), "KdKs9h8h");
    assert_eq!(
        hand.doors().map(|doors| cards(&doors.into_iter().map(Some).collect::<Vec<_>>())),
        Some("Kd5h2c".into())
    );
    let folded: Vec<Option<Street>> = hand.seats.iter().map(|seat| seat.folded).collect();
    assert_eq!(folded, [Some(Street::Seventh), Some(Street::Fourth), None]);
    assert_eq!(seat(hand, 7).won, 108);
    assert_eq!(hand.repeated_card(), None);
}

/// Spoils the hand, and expects it unread at this line for this reason, and no name in the text.
fn check_unread(from: &str, to: &str, line: usize, words: &str) {
    assert!(HAND.contains(from), "{from}");
    let Export { hands, unread, .. } = read(&HAND.replacen(from, to, 1));
    assert_eq!(hands.len(), 0, "{from} -> {to}");
    let [fault] = &unread[..] else { panic!("{from} -> {to}: {unread:?}") };
    let text = fault.to_string();
    assert_eq!((fault.number.as_deref(), fault.line), (Some("77"), line), "{text}");
    assert!(text.contains(words), "{text}");
    assert!(!text.contains("Ada") && !text.contains("Bob"), "{text}");
}

#[test]
fn what_is_not_understood_or_does_not_add_up_is_named_and_never_guessed() {
    check_unread("[Kd Ks] [9h]", "[Kd Ks] [of]", 27, "found [of], wanted cards");
    check_unread("[Kd Ks] [9h]", "[Kd Kh] [9h]", 27, "cards of seat 2 that are not those dealt before");
    check_unread("Dealt to Ada [2c 2d] [9s]\n", "", 32, "2 up cards of seat 7 at the end of street 5");
    check_unread("Ada: brings in for $0.02", "Ada: pays the house $0.02", 14, "wanted an action of stud");
    check_unread("Pair on board - a double bet is allowed", "Ada wonders", 22, "\"seat 7 wonders\"");
    let twice = "Bob: B: folds\nBob: B: calls $0.20";
    check_unread("Bob: B: folds", twice, 25, "an action of seat 5 out of its place");
    check_unread("*** 5th STREET ***", "*** 6th STREET ***", 26, "out of its order");
    check_unread("*** RIVER ***", "*** RIVER *** [3h]", 39, "a card for each: there are enough");
    check_unread("calls $0.08", "calls $0.07", 50, "a pot of 1.13 less a rake of 0.05");
    check_unread("collected $1.08 from", "collected $1.80 from", 50, "collect 1.80");
    check_unread("Bob: B: posts the ante $0.01\n", "", 17, "paid no ante");
    check_unread("*** SUMMARY ***\nTotal pot $1.13 | Rake $0.05\n", "", 46, "wanted");
    check_unread("($0.10/$0.20 USD)", "", 1, "two limits");
    check_unread(
        "Dealt to Bob: B [7c 3s 5h] [5c]",
        "Dealt to Zed [7c 3s 5h] [5c]",
        20,
        "a player of this hand",
    );
}

#[test]
fn other_games_are_counted_and_hands_of_one_file_stand_alone() {
    let razz = HAND.replace("#77", "#78").replace("7 Card Stud Limit", "Razz Limit");
    let broken = HAND.replace("#77", "#79").replace("*** 6th STREET ***\n", "");
    let low = HAND.replace("#77", "#80").replace("7 Card Stud Limit", "7 Card Stud Hi/Lo Limit");
    let Export { hands, others, unread } =
        read(&format!("\u{feff}{HAND}\n\n\n{razz}\r\n{broken}\n\u{feff}{low}"));
    let numbers: Vec<(&str, StudGame)> = hands.iter().map(|hand| (&hand.number[..], hand.game)).collect();
    assert_eq!(numbers, [("77", StudGame::High), ("80", StudGame::EightOrBetter)]);
    assert_eq!((&others[0].number[..], &others[0].game[..], others.len()), ("78", "Razz", 1));
    assert_eq!((unread[0].number.as_deref(), unread.len()), (Some("79"), 1));
    let stray = read("Some text\nmore\n").unread;
    assert_eq!((stray.len(), stray[0].line, stray[0].number.clone()), (1, 1, None));
    assert_eq!(read(""), Export::default());
}

#[test]
fn a_card_twice_in_a_hand_is_seen() {
    let repeated = |text: &str| read(text).hands[0].repeated_card().map(|card| card.to_string());
    assert_eq!(repeated(&HAND.replace("Th", "Kd")), Some("Kd".to_owned()));
    assert_eq!(repeated(&HAND.replace("Th", "2c")), Some("2c".to_owned()));
    assert_eq!(repeated(HAND), None);
}

/// A real export, if the folder that holds them is named.
fn real(name: &str) -> Option<String> {
    let folder = std::env::var_os("DECKPROOF_ROOM_HANDS").map(PathBuf::from);
    let found = folder.and_then(|folder| fs::read_to_string(folder.join(name)).ok());
    if found.is_none() {
        println!("skipped: {name} is not here; DECKPROOF_ROOM_HANDS names the folder of real hands");
    }
    found
}

/// Facts read by hand from the file of eleven cash hands.
#[test]
fn eleven_real_hands_of_stud_high() {
    let Some(text) = real("cash-Stars__7-Stud-USD-0.04-0.08-200911.txt") else { return };
    let Export { hands, others, unread } = read(&text);
    assert_eq!((hands.len(), others.len(), &unread[..]), (11, 0, &[][..]));
    let first = &hands[0];
    assert_eq!((&first.number[..], first.small, first.big, first.decimals), ("35874004239", 4, 8, 2));
    let doors: Vec<(u8, String)> = first.seats.iter().map(|seat| (seat.seat, cards(&seat.up[..1]))).collect();
    let wanted =
        [(1, "As"), (3, "9s"), (4, "Td"), (5, "7d"), (8, "2c")].map(|(seat, card)| (seat, card.to_owned()));
    assert_eq!(doors, wanted);
    assert_eq!((first_three(seat(first, 1)), first.exporter), ("3dThAs".to_owned(), Some(0)));
    assert_eq!(cards(&seat(first, 5).up), "7d8d8hTs");
    assert_eq!((seat(first, 5).won, seat(first, 3).folded), (64, Some(Street::Sixth)));
    assert_eq!(seat(first, 8).folded, Some(Street::Seventh));
    let third = &hands[1];
    let mucked = seat(third, 4).shown.as_ref().expect("the summary shows it");
    assert_eq!(
        (cards(&mucked.cards.iter().map(|&card| Some(card)).collect::<Vec<_>>()), mucked.is_mucked),
        ("3c7s7cTh9sAhQc".to_owned(), true)
    );
    // The room had the lowest door card bring it in every time, once with the full small limit.
    assert!(hands.iter().all(|hand| hand.brought_in.is_some() && hand.wrong_bring_in().is_none()));
    let players: Vec<usize> = hands.iter().map(|hand| hand.seats.len()).collect();
    assert_eq!(players, [5, 6, 5, 5, 6, 6, 6, 6, 7, 8, 8]);
    assert!(hands.iter().all(|hand| hand.repeated_card().is_none() && hand.exporter.is_some()));
}

#[test]
fn real_hands_of_other_files() {
    if let Some(text) = real("cash-Stars__7-StudHL-USD-0.04-0.08-200911.Cardtest.txt") {
        let Export { hands, unread, .. } = read(&text);
        assert_eq!((hands.len(), &unread[..]), (1, &[][..]));
        let hand = &hands[0];
        assert_eq!((hand.game, hand.seats.len()), (StudGame::EightOrBetter, 8));
        assert_eq!(hand.brought_in.map(|place| hand.seats[place].seat), Some(4));
        assert_eq!(
            (first_three(seat(hand, 5)), seat(hand, 3).won, seat(hand, 5).won),
            ("7c3s5h".to_owned(), 40, 40)
        );
    }
    if let Some(text) = real("cash-Stars__HH20110417_Salm_IX_-__0.04-_0.08_Ante__0.01_-_USD_Limit_Stud.txt") {
        let Export { hands, unread, .. } = read(&text);
        assert_eq!((hands.len(), &unread[..]), (1, &[][..]));
        let hand = &hands[0];
        assert_eq!((&hand.number[..], seat(hand, 4).won), ("60974484959", 103));
        assert_eq!(hand.brought_in.map(|place| hand.seats[place].seat), Some(7));
        assert_eq!(
            (first_three(seat(hand, 6)), seat(hand, 6).folded),
            ("Ks7h9s".to_owned(), Some(Street::Third))
        );
        assert!(
            [7, 8]
                .iter()
                .all(|&number| seat(hand, number).shown.as_ref().is_some_and(|shown| shown.is_mucked))
        );
    }
    if let Some(text) = real("tour-Stars__Triple-Stud-USD-2.00-0.20-MTT-201301.txt") {
        // The file has "of" where the last card should be.
        let Export { hands, others, unread } = read(&text);
        assert_eq!((hands.len(), others.len()), (0, 0));
        let fault = unread[0].to_string();
        assert_eq!(fault, "hand 91733835979, line 46: found [of], wanted cards such as [Ah 3c Ac]");
    }
}

/// Eight seats that check to the river, where 48 cards are dealt and one of the last four serves all. Seat 8 kept
/// the record; the pot of 8 antes and 8 bring-ins is 24 cents.
fn eight_seats(river: &str, shown: &str) -> String {
    let card = |index: usize| {
        let (ranks, suits) = (b"23456789TJQKA", b"cdhs");
        format!("{}{}", ranks[index / 4] as char, suits[index % 4] as char)
    };
    let up = |seat: usize, street: usize| card(8 * street + seat);
    let own = |street: usize| {
        let down = [card(40), card(41)];
        down.into_iter().chain((0..=street).map(|street| up(7, street))).collect::<Vec<_>>().join(" ")
    };
    let mut text =
        String::from("PokerStars Game #9:  7 Card Stud Limit ($0.04/$0.08 USD) - 2009/11/26 10:08:43 ET\n");
    text += "Table 'Nowhere' 8-max\n";
    (1..=8).for_each(|seat| text += &format!("Seat {seat}: P{seat} ($5 in chips)\n"));
    (1..=8).for_each(|seat| text += &format!("P{seat}: posts the ante $0.01\n"));
    for street in 0..4 {
        text += &format!("*** {} STREET ***\n", ["3rd", "4th", "5th", "6th"][street]);
        for seat in 0..8 {
            let cards = match (seat, street) {
                (7, 0) => format!("[{}]", own(0)),
                (7, _) => format!("[{}] [{}]", own(street - 1), up(7, street)),
                (_, 0) => format!("[{}]", up(seat, 0)),
                _ => {
                    let before: Vec<String> = (0..street).map(|street| up(seat, street)).collect();
                    format!("[{}] [{}]", before.join(" "), up(seat, street))
                }
            };
            text += &format!("Dealt to P{} {cards}\n", seat + 1);
        }
        for seat in 1..=8 {
            let action = ["brings in for $0.02", "calls $0.02", "checks"]
                [if street > 0 { 2 } else { (seat > 1) as usize }];
            text += &format!("P{seat}: {action}\n");
        }
    }
    text += &format!("*** RIVER ***{river}\n");
    (1..=8).for_each(|seat| text += &format!("P{seat}: checks\n"));
    text += &format!("*** SHOW DOWN ***\nP8: shows [{}{shown}] (a hand)\n", own(3));
    (1..=7).for_each(|seat| text += &format!("P{seat}: mucks hand\n"));
    text + "P8 collected $0.24 from pot\n*** SUMMARY ***\nTotal pot $0.24 | Rake $0\n"
}

#[test]
fn a_river_that_all_seats_share_is_read() {
    for shown in ["", " As"] {
        let Export { hands, unread, .. } = read(&eight_seats(" [As]", shown));
        assert_eq!((hands.len(), &unread[..]), (1, &[][..]));
        let own = &seat(&hands[0], 8).shown.as_ref().expect("it was shown").cards;
        assert_eq!(own.len(), 6, "the shared card is nobody's own");
        assert_eq!(hands[0].repeated_card(), None);
    }
    let fault = |river: &str| read(&eight_seats(river, "")).unread.first().expect("a fault").to_string();
    assert!(fault("").contains("wanted 7"), "{}", fault(""));
    assert!(fault(" [2c]").contains("2c for all seats"), "{}", fault(" [2c]"));
    assert!(fault(" [As Ah]").contains("one card that all seats share"), "{}", fault(" [As Ah]"));
}

#[test]
fn chips_beyond_all_counting_leave_a_hand_unread() {
    let huge = "184467440737095516.15";
    for (from, to) in [
        ("Ada: posts the ante $0.01", format!("Ada: posts the ante ${huge}")),
        ("Ada (EV): raises $0.08 to $0.10", format!("Ada (EV): raises $0.08 to ${huge}")),
        ("Bob: B: calls $0.10", format!("Bob: B: calls ${huge}")),
        (
            "Ada collected $1.08 from pot",
            format!("Ada collected ${huge} from pot\nAda collected $1.08 from pot"),
        ),
    ] {
        let Export { hands, unread, .. } = read(&HAND.replacen(from, &to, 1));
        assert_eq!((hands.len(), unread.len()), (0, 1), "{to}");
        assert!(unread[0].to_string().contains("beyond all counting"), "{}", unread[0]);
    }
}
