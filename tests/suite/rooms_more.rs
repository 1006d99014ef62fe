//! Exports of a second room, and seventh streets of one card for all seats.

use deckproof::card::Card;
use deckproof::stud::deal::Street;
use deckproof::stud::history::pokerstars::{Export, is_export, read};
use deckproof::stud::record::{Record, StudGame};

use crate::rooms::cards;

/// Two hands in the layout of Full Tilt Poker, written by hand for this test with names of nobody. The first pot:
/// antes of 3, thrice 10, twice 20 three times and 20 more: 3 + 30 + 40 + 40 + 80 = 193 cents.
const FULL_TILT: &str = include_str!("rooms/full_tilt.txt");

#[test]
fn the_second_room_s_hands_are_read_with_seats_streets_and_results() {
    assert!(is_export(FULL_TILT));
    let Export { hands, others, unread } = read(FULL_TILT);
    assert_eq!((others.len(), &unread[..]), (0, &[][..]));
    let [high, low] = &hands[..] else { panic!("two hands") };
    assert_eq!((&high.number[..], high.game, high.small, high.big), ("9001", StudGame::High, 10, 20));
    assert_eq!((&low.number[..], low.game), ("9002", StudGame::EightOrBetter));
    let seats: Vec<u8> = high.seats.iter().map(|seat| seat.seat).collect();
    assert_eq!(seats, [2, 5, 7]);
    assert_eq!((high.exporter, high.brought_in, high.wrong_bring_in()), (Some(1), Some(2), None));
    let up: Vec<String> = high.seats.iter().map(|seat| cards(&seat.up)).collect();
    assert_eq!(up, ["KdKs9h8h", "5h5c", "2c2d9s2h"]);
    let folded: Vec<Option<Street>> = high.seats.iter().map(|seat| seat.folded).collect();
    assert_eq!(folded, [Some(Street::Seventh), Some(Street::Fourth), None], "chat folds nobody");
    assert_eq!(high.seats.iter().map(|seat| seat.won).collect::<Vec<_>>(), [0, 0, 184]);
    let shown = |record: &Record, seat: usize| {
        let shown = record.seats[seat].shown.as_ref().expect("shown");
        cards(&shown.cards.iter().copied().map(Some).collect::<Vec<_>>())
    };
    assert_eq!(shown(low, 1), "3s7c5h4c2dQdJs", "the two down cards in either order");
    assert_eq!(low.seats.iter().map(|seat| seat.won).collect::<Vec<_>>(), [3, 3]);
}

#[test]
fn the_second_room_s_faults_are_named_by_their_line() {
    for (from, to, line, words) in [
        ("Ada is low with [2c]", "Ada wonders", 14, "wanted"),
        ("Dealt to Ada [2c 2d] [9s]\n", "", 34, "2 up cards of seat 7"),
        ("calls $0.08", "calls $0.07", 53, "a pot of 1.93 less a rake of 0.09"),
        ("[7c 3s 5h] [5c]", "[7c 3h 5h] [5c]", 24, "cards of seat 5 that are not those dealt before"),
        ("Cleo completes it to $0.10", "Cleo thinks about it", 17, "wanted"),
    ] {
        let Export { unread, .. } = read(&FULL_TILT.replacen(from, to, 1));
        let [fault] = &unread[..] else { panic!("{from}: {unread:?}") };
        assert_eq!((fault.line, fault.number.as_deref()), (line, Some("9001")), "{fault}");
        assert!(fault.to_string().contains(words), "{fault}");
    }
    let holdem = "Full Tilt Poker Game #7: Table Elm - $0.50/$1 - No Limit Hold'em - 18:21:50 ET";
    let Export { hands, others, unread } = read(holdem);
    assert_eq!((hands.len(), &others[0].game[..], unread.len()), (0, "Hold'em", 0));
}

/// Eight seats of which one may fold on a street: everybody else checks to the river, `river` being the line
/// that begins it. Cards come off the deck in order; seat 1 brings it in with the two of clubs.
fn eight_seats(folds_on: Option<usize>, game: &str, river: &str) -> String {
    const MARKS: [&str; 4] =
        ["*** 3rd STREET ***", "*** 4th STREET ***", "*** 5th STREET ***", "*** 6th STREET ***"];
    let mut deck = Card::all();
    let mut text =
        format!("PokerStars Game #5:  {game} ($0.10/$0.20 USD) - 2009/11/26 10:08:43 ET\nTable 'E' 8-max\n");
    (1..=8).for_each(|seat| text += &format!("Seat {seat}: N{seat} ($5 in chips)\n"));
    (1..=8).for_each(|seat| text += &format!("N{seat}: posts the ante $0.01\n"));
    let mut up: Vec<Vec<String>> = vec![Vec::new(); 8];
    let mut live: Vec<usize> = (0..8).collect();
    for (street, mark) in MARKS.into_iter().enumerate() {
        text += &format!("{mark}\n");
        for &seat in &live {
            let card = deck.next().expect("enough").to_string();
            let before = up[seat].join(" ");
            let before = if before.is_empty() { String::new() } else { format!("[{before}] ") };
            text += &format!("Dealt to N{} {before}[{card}]\n", seat + 1);
            up[seat].push(card);
        }
        if street == 0 {
            text += "N1: brings in for $0.05\n";
            live[1..].iter().for_each(|seat| text += &format!("N{}: calls $0.05\n", seat + 1));
        }
        if folds_on == Some(street) {
            // Seat 8 throws its hand away; nobody bets.
            text += "N8: folds\n";
            live.retain(|&seat| seat != 7);
        }
        if street > 0 {
            live.iter().for_each(|seat| text += &format!("N{}: checks\n", seat + 1));
        }
    }
    text += &format!("{river}\n");
    live.iter().for_each(|seat| text += &format!("N{}: checks\n", seat + 1));
    text += "*** SHOW DOWN ***\n";
    text += "N1 collected $0.48 from pot\n*** SUMMARY ***\nTotal pot $0.48 | Rake $0\n";
    text
}

/// 8·3 cards of third street and one more a seat and street: with at most one seat gone since fourth street, fewer
/// cards are left than seats; with one gone on third street there are seven for seven.
#[test]
fn one_card_for_all_seats_is_read_where_the_deck_is_short_and_only_there() {
    for (folds_on, game) in [
        (None, "7 Card Stud Limit"),
        (Some(3), "7 Card Stud Limit"),
        (Some(2), "7 Card Stud Hi/Lo Limit"),
        (Some(1), "7 Card Stud Hi/Lo Limit"),
    ] {
        let shared = read(&eight_seats(folds_on, game, "*** RIVER *** [As]"));
        assert_eq!((shared.hands.len(), &shared.unread[..]), (1, &[][..]), "{folds_on:?}");
        let record = &shared.hands[0];
        assert_eq!((record.seats.len(), record.repeated_card()), (8, None));
        let each = read(&eight_seats(folds_on, game, "*** RIVER ***"));
        let [fault] = &each.unread[..] else { panic!("{folds_on:?}: {:?}", each.hands) };
        assert!(fault.to_string().contains("with too few left"), "{fault}");
        let held = read(&eight_seats(folds_on, game, "*** RIVER *** [2c]"));
        assert!(held.unread[0].to_string().contains("which one of them holds"), "{:?}", held.unread);
    }
    let game = "7 Card Stud Limit";
    assert_eq!(read(&eight_seats(Some(0), game, "*** RIVER ***")).hands.len(), 1);
    assert!(read(&eight_seats(Some(0), game, "*** RIVER *** [As]")).hands.is_empty());
}
