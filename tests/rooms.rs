//! Exports of poker rooms: what is read, what is refused and where, and facts of real files.

use std::fs;
use std::path::PathBuf;

use assert_cmd::Command;
use deckproof::audit::verdict::Verdict;
use deckproof::card::Card;
use deckproof::hands::census::Census;
use deckproof::hands::judgement::{Judgement, judge};
use deckproof::stud::deal::Street;
use deckproof::stud::history::pokerstars::{Export, read};
use deckproof::stud::record::{Record, SeatRecord, StudGame};
use deckproof::tape::Tape;
use serde_json::Value;
use tempfile::TempDir;

/// A hand of three seats in the room's words, written by hand for this test. Limits of 10 and 20 cents, antes of 1:
/// the pot is 3 + 2 + 10 + 10 + 8 + 4·20 = 113 cents, for seat 7 brings it in and calls 8 more after seat 2
/// completes.
const HAND: &str = "PokerStars Game #77:  7 Card Stud Limit ($0.10/$0.20 USD) - 2009/11/26 10:08:43 ET
Table 'Nowhere' 8-max
Seat 2: Ada (EV) ($5 in chips)
Seat 5: Bob: B ($4.10 in chips)
Seat 6: Away ($4 in chips) is sitting out
Seat 7: Ada ($3 in chips)
Ada (EV): posts the ante $0.01
Bob: B: posts the ante $0.01
Ada: posts the ante $0.01
*** 3rd STREET ***
Dealt to Ada (EV) [Kd]
Dealt to Bob: B [7c 3s 5h]
Dealt to Ada [2c]
Ada: brings in for $0.02
Ada (EV): raises $0.08 to $0.10
Bob: B: calls $0.10
Ada: calls $0.08
*** 4th STREET ***
Dealt to Ada (EV) [Kd] [Ks]
Dealt to Bob: B [7c 3s 5h] [5c]
Dealt to Ada [2c] [2d]
Pair on board - a double bet is allowed
Ada (EV): bets $0.20
Bob: B: folds
Ada: calls $0.20
*** 5th STREET ***
Dealt to Ada (EV) [Kd Ks] [9h]
Dealt to Ada [2c 2d] [9s]
Zed joins the table at seat #1
Ada (EV): checks
Ada: bets $0.20
Ada (EV): calls $0.20
*** 6th STREET ***
Dealt to Ada (EV) [Kd Ks 9h] [8h]
Dealt to Ada [2c 2d 9s] [Th]
Ada (EV) said, \"Ada: folds\"
Ada (EV): checks
Ada: checks
*** RIVER ***
Ada (EV): checks
Ada: bets $0.20
Ada (EV): folds
Uncalled bet ($0.20) returned to Ada
Ada collected $1.08 from pot
Ada: doesn't show hand
*** SUMMARY ***
Total pot $1.13 | Rake $0.05
Seat 2: Ada (EV) folded on the River
Seat 5: Bob: B folded on the 4th Street
Seat 7: Ada collected ($1.08)
";

fn cards(cards: &[Option<deckproof::card::Card>]) -> String {
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
    check_unread(
        "Bob: B: folds",
        "Bob: B: folds\nBob: B: calls $0.20",
        25,
        "an action of seat 5 out of its place",
    );
    check_unread("*** 5th STREET ***", "*** 6th STREET ***", 26, "out of its order");
    check_unread("*** RIVER ***", "*** RIVER *** [3h]", 39, "and nothing behind it");
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

/// Deals to as many seats as there are door cards, from a keystream.
struct Dealer(Tape);

impl Dealer {
    fn new(seed: u8) -> Dealer {
        Dealer(Tape::new(&[seed; 32], 0))
    }

    fn below(&mut self, end: usize) -> usize {
        ((u64::from(self.0.word()) * end as u64) >> 32) as usize
    }

    fn draw(&mut self, count: usize) -> Vec<Card> {
        let mut deck: Vec<Card> = Card::all().collect();
        for place in 0..count {
            let other = place + self.below(52 - place);
            deck.swap(place, other);
        }
        deck.truncate(count);
        deck
    }

    /// A hand whose first seat exports it.
    fn hand(&mut self, seats: usize) -> Record {
        let cards = self.draw(seats + 2);
        let mut seats: Vec<SeatRecord> = (1..=seats as u8).map(SeatRecord::new).collect();
        seats.iter_mut().zip(&cards).for_each(|(seat, &door)| seat.up.push(Some(door)));
        let down = &cards[cards.len() - 2..];
        seats[0].first_three = Some([down[0], down[1], cards[0]]);
        let number = String::new();
        let (game, exporter, brought_in) = (StudGame::High, Some(0), None);
        Record { number, game, small: 4, big: 8, decimals: 2, seats, brought_in, exporter }
    }

    /// Hands of two to eight seats.
    fn hands(&mut self, count: usize) -> Vec<Record> {
        (0..count)
            .map(|_| {
                let seats = 2 + self.below(7);
                self.hand(seats)
            })
            .collect()
    }
}

fn judged(records: &[Record]) -> Judgement {
    judge(&Census::of(records), false)
}

fn p_value(judgement: &Judgement, family: &str, part: &str) -> f64 {
    let test = judgement.tests.iter().find(|test| (test.subject.family, test.subject.part) == (family, part));
    test.unwrap_or_else(|| panic!("{family} {part} was not tested")).p_value
}

/// How often each of the six p-values of fair hands is at most 0.1, and how often the verdict is no pass.
fn small_p_values(seed: u8, collections: usize, hands: usize) -> ([usize; 6], usize) {
    let mut dealer = Dealer::new(seed);
    let (mut small, mut found) = ([0; 6], 0);
    for _ in 0..collections {
        let judgement = judged(&dealer.hands(hands));
        assert_eq!(judgement.tests.len(), 6, "{:?}", judgement.untested);
        for (count, test) in small.iter_mut().zip(&judgement.tests) {
            *count += usize::from(test.p_value <= 0.1);
        }
        found += usize::from(!matches!(judgement.verdict, Verdict::Pass | Verdict::Inconclusive));
    }
    (small, found)
}

/// Bands of Bin(400, 0.1) and Bin(60, 0.1) at about 1e-6, and of Bin(400, 0.01), Bin(60, 0.01).
#[test]
fn p_values_of_fair_hands_lie_as_they_should() {
    let (small, found) = small_p_values(3, 400, 1_200);
    assert!(small.iter().all(|count| (14..=72).contains(count)), "{small:?}");
    assert!(found <= 16, "{found}");
    let (small, found) = small_p_values(4, 60, 12);
    assert!(small.iter().all(|count| *count <= 18), "{small:?}");
    assert!(small[0] >= 1, "{small:?}");
    assert!(found <= 6, "{found}");
}

/// Of the 51 cards for a second seat 12 are of the first one's suit.
#[test]
fn a_single_hand_of_two_seats_has_the_p_value_of_its_enumeration() {
    let mut dealer = Dealer::new(5);
    let mut of = |second: &str| {
        let mut hand = dealer.hand(2);
        hand.seats[0].up = vec!["Kd".parse().ok()];
        hand.seats[1].up = vec![second.parse().ok()];
        p_value(&judged(&[hand]), "door-cards", "suits")
    };
    // Four standard errors of 9,999 rehearsals.
    assert!((of("7d") - 2.0 * 12.0 / 51.0).abs() < 2.0 * 0.018, "{}", of("7d"));
    assert!(of("7s") > 0.999);
}

/// A dealer who moves the bring-in away from the first seat every second time, one who slips the third seat an
/// ace in one hand of five, and one who deals the record keeper again until there is a pair, every third time.
#[test]
fn flawed_dealers_are_found() {
    let mut dealer = Dealer::new(6);
    let mut dodged: Vec<Record> = (0..400).map(|_| dealer.hand(6)).collect();
    for (number, hand) in dodged.iter_mut().enumerate() {
        if number % 2 == 0 && hand.lowest_door() == Some(0) {
            let other = hand.seats[1].up.clone();
            hand.seats[1].up = std::mem::replace(&mut hand.seats[0].up, other);
        }
    }
    let judgement = judged(&dodged);
    assert_eq!(judgement.verdict, Verdict::Investigate);
    assert!(p_value(&judgement, "bring-in", "seat") < 0.001);
    let mut aces: Vec<Record> = (0..400).map(|_| dealer.hand(6)).collect();
    for (number, hand) in aces.iter_mut().enumerate().filter(|(number, _)| number % 5 == 0) {
        hand.seats[2].up = vec![Card::new(12, (number / 5 % 4) as u8)];
    }
    let judgement = judged(&aces);
    assert_eq!(judgement.verdict, Verdict::Investigate);
    assert!(p_value(&judgement, "door-cards", "ranks") < 0.001);
    let is_paired = |hand: &Record| {
        let ranks = hand.seats[0].first_three.map(|three| three.map(Card::rank)).expect("dealt");
        ranks[0] == ranks[1] || ranks[1] == ranks[2] || ranks[0] == ranks[2]
    };
    let action: Vec<Record> = (0..400)
        .map(|number| {
            let mut hand = dealer.hand(6);
            while number % 3 == 0 && !is_paired(&hand) {
                hand = dealer.hand(6);
            }
            hand
        })
        .collect();
    let judgement = judged(&action);
    assert_eq!(judgement.verdict, Verdict::Investigate);
    assert!(p_value(&judgement, "first-three", "classes") < 0.001);
}

fn hands_of(files: &[(&str, &str)], more: &[&str]) -> (i32, String) {
    let folder = TempDir::new().expect("a folder");
    let paths = files.iter().map(|(name, text)| {
        let path = folder.path().join(name);
        fs::write(&path, text).expect("writable");
        path
    });
    let paths: Vec<PathBuf> = paths.collect();
    let mut command = Command::cargo_bin("deckproof").expect("the binary is built");
    let output = command.arg("hands").args(more).args(&paths).output().expect("it runs");
    (output.status.code().expect("no signal ended it"), String::from_utf8(output.stdout).expect("UTF-8"))
}

const HISTORY: &str = "variant = 'F7S/8'\nantes = [4, 4]\nbring_in = 10\nsmall_bet = 20\nbig_bet = 40\n\
    starting_stacks = [100, 100]\nactions = ['d dh p1 ????Kc', 'd dh p2 ????2c', 'p2 pb', 'p1 f']\n";

#[test]
fn the_command_tells_what_it_read_and_what_it_could_not() {
    let razz = HAND.replace("#77", "#78").replace("7 Card Stud Limit", "Razz Limit");
    let broken = HAND.replace("#77", "#79").replace("[Kd Ks] [9h]", "[Kd Ks] [of]");
    let text = format!("{HAND}\n{razz}\n{broken}\n{HAND}");
    let files =
        [("room.txt", &text[..]), ("hand.phh", HISTORY), ("again.phh", HISTORY), ("note.md", "Hello")];
    let (code, said) = hands_of(&files, &[]);
    assert_eq!(code, 2, "{said}");
    for words in [
        "Found 5 hands: 2 of stud were read (1 of stud high, 1 of stud 8 or better).",
        "Another game, not read: 1 hand of Razz.",
        "Not read: room.txt: hand 79, line 129: found [of]",
        "Not read: note.md: found neither",
        "Found again, counted once: room.txt: hand 77.",
        "Found again, counted once: again.phh.",
        "exact test against 9,999 rehearsals of a fair deal, n = 2 hands.",
        "depend on how people bet",
        "2 hands with all door cards named are too few for a verdict, which wants 1,000.",
    ] {
        assert!(said.contains(words), "{words}\n{said}");
    }
    assert!(!said.contains("Ada") && !said.contains("Bob"), "{said}");
    let (code, said) = hands_of(&files[..1], &["--json"]);
    let json: Value = serde_json::from_str(&said).expect("JSON");
    assert_eq!((code, &json["verdict"], &json["hands"]), (2, &"inconclusive".into(), &1.into()));
    assert_eq!((&json["read"]["stud_high"], &json["other_games"]["Razz"]), (&1.into(), &1.into()));
    assert_eq!(json["described"]["folds_by_street"], serde_json::json!([0, 1, 0, 0, 1]));
    assert_eq!(
        json["tests"].as_array().map(Vec::len),
        Some(5),
        "one hand has no two cells of first cards: {said}"
    );
}

#[test]
fn a_card_twice_and_a_wrong_bring_in_are_told() {
    let (code, said) = hands_of(&[("room.txt", &HAND.replace("Th", "Kd"))], &[]);
    assert_eq!(code, 1, "{said}");
    assert!(said.contains("Impossible: room.txt: hand 77 holds Kd twice."), "{said}");
    let (code, said) = hands_of(&[("room.txt", &HAND.replace("[2c", "[Qc"))], &[]);
    assert_eq!(code, 2, "{said}");
    let words = "in hand 77 seat 7 brought it in, the lowest door card lay at seat 5.";
    assert!(said.contains(words), "{said}");
}

/// A thousand hands of six door cards in one file, each fourth hand's third seat with the ace of spades if
/// the dealer slips one.
fn thousand(slips_an_ace: bool) -> String {
    let mut dealer = Dealer::new(8);
    let ace: Card = "As".parse().expect("a card");
    let hand = |number: usize| {
        let mut doors = dealer.draw(6);
        if slips_an_ace && number.is_multiple_of(4) && !doors.contains(&ace) {
            doors[2] = ace;
        }
        let dealt = (1..).zip(doors).map(|(player, door)| format!("'d dh p{player} ????{door}'"));
        let actions: Vec<String> = dealt.collect();
        format!(
            "[{number}]\nvariant = 'F7S'\nantes = [1, 1, 1, 1, 1, 1]\nbring_in = 2\nsmall_bet = 4\nbig_bet = 8\n\
             starting_stacks = [99, 99, 99, 99, 99, 99]\n_hand = {number}\nactions = [{}]\n",
            actions.join(", ")
        )
    };
    (1..=1000).map(hand).collect()
}

#[test]
fn a_thousand_hands_are_enough_for_a_verdict() {
    let (code, said) = hands_of(&[("fair.phhs", &thousand(false))], &[]);
    assert_eq!(code, 0, "{said}");
    assert!(said.contains("χ² of 51 degrees of freedom, n = 1,000 hands."), "{said}");
    assert!(said.contains("first-three, classes: not tested, no hand names"), "{said}");
    assert!(said.contains("Passed: nothing was found"), "{said}");
    let (code, said) = hands_of(&[("fair.phhs", &thousand(false)), ("note.txt", "PokerStars Hand #7")], &[]);
    assert_eq!(code, 2, "{said}");
    assert!(said.contains("some hands cannot be read"), "{said}");
    let (code, said) = hands_of(&[("aces.phhs", &thousand(true))], &[]);
    assert_eq!(code, 1, "{said}");
    assert!(said.contains("Investigate:"), "{said}");
}

#[test]
fn replay_points_to_the_command_for_exports() {
    let folder = TempDir::new().expect("a folder");
    let path = folder.path().join("room.txt");
    fs::write(&path, HAND).expect("writable");
    let mut command = Command::cargo_bin("deckproof").expect("the binary is built");
    let output = command.arg("replay").arg(&path).output().expect("it runs");
    let said = String::from_utf8(output.stderr).expect("UTF-8");
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(said.contains("deckproof hands"), "{said}");
}
