//! `deckproof hands`: hands of any dealer judged by what each of them must show, and what the command tells.

use deckproof::audit::verdict::Verdict;
use deckproof::card::Card;
use deckproof::hands::census::Census;
use deckproof::hands::certificate::{HandsRead, HandsResult};
use deckproof::hands::judgement::HandsJudgement;
use deckproof::hands::plan::HandsPlan;
use deckproof::keystream::Keystream;
use deckproof::stud::record::{Record, SeatRecord, StudGame};
use serde_json::{Value, json};

use crate::common::lab::{Lab, Output};
use crate::common::schema::check_valid;

/// A hand in the words of a room.
const HAND: &str = include_str!("rooms/three_seats.txt");

/// Deals to as many seats as there are door cards, from a keystream.
struct Dealer(Keystream);

impl Dealer {
    fn new(seed: u8) -> Dealer {
        Dealer(Keystream::new(&[seed; 32], 0))
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

fn judged(records: &[Record]) -> HandsJudgement {
    HandsPlan::usual().judge(&Census::of(records), false)
}

fn p_value(judgement: &HandsJudgement, family: &str, part: &str) -> f64 {
    let test = judgement.tests.iter().find(|test| (test.subject.family, test.subject.part) == (family, part));
    test.unwrap_or_else(|| panic!("{family} {part} was not tested")).p_value
}

/// How often each of the eight p-values of fair hands is at most 0.1, and how often the verdict is no pass.
fn small_p_values(seed: u8, collections: usize, hands: usize) -> ([usize; 8], usize) {
    let mut dealer = Dealer::new(seed);
    let (mut small, mut found) = ([0; 8], 0);
    for _ in 0..collections {
        let judgement = judged(&dealer.hands(hands));
        assert_eq!(judgement.tests.len(), 8, "{:?}", judgement.untested);
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
    // Hands are hardly ever alike, and the tails of cards carried over are bounds.
    assert!(small[..6].iter().all(|count| (14..=72).contains(count)), "{small:?}");
    assert!(small[6] <= 72 && (5..=72).contains(&small[7]), "{small:?}");
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
    // Four standard errors of 9,999 samples.
    assert!((of("7d") - 2.0 * 12.0 / 51.0).abs() < 2.0 * 0.018, "{}", of("7d"));
    assert!(of("7s") > 0.999);
}

/// With two seats each brings it in in half of the hands: a tie of 500 and 500 comes in one file of 40.
#[test]
fn a_tie_of_two_seats_is_no_rarity() {
    let mut dealer = Dealer::new(8);
    let mut hands: Vec<Record> = (0..1_000).map(|_| dealer.hand(2)).collect();
    for (number, hand) in hands.iter_mut().enumerate() {
        if hand.lowest_door() != Some(number % 2) {
            let [first, second] = &mut hand.seats[..] else { panic!("two seats") };
            std::mem::swap(&mut first.up, &mut second.up);
        }
    }
    assert_eq!(p_value(&judged(&hands), "bring-in", "seat"), 1.0);
}

/// Two hands of one number that have other door cards are no copy of each other, whichever file comes first.
#[test]
fn a_number_that_stood_before_with_other_cards_is_not_passed_over() {
    let other = HAND.replace("Kd", "Kh");
    assert_ne!(other, HAND);
    for files in [[("a.txt", HAND), ("b.txt", &other)], [("b.txt", &other[..]), ("a.txt", HAND)]] {
        let output = hands_of(&files, &[]).ends(2);
        output.must_print("a hand before has this number and other door cards");
    }
}

/// Two tables that deal the same decks, one of them from another seat on, and a dealer whose third seat keeps its door card.
#[test]
fn hands_are_compared_with_each_other() {
    let mut dealer = Dealer::new(7);
    let tables = |dealer: &mut Dealer, seats: usize| -> Vec<Record> {
        let first: Vec<Record> = (0..600).map(|_| dealer.hand(seats)).collect();
        let mut second = first.clone();
        second.iter_mut().for_each(|hand| hand.seats.rotate_left(1));
        [first, second].concat()
    };
    let fair: Vec<Record> = (0..1_200).map(|_| dealer.hand(6)).collect();
    assert_eq!(p_value(&judged(&fair), "between-hands", "alike"), 1.0);
    for seats in [2, 4, 6, 8] {
        let judgement = judged(&tables(&mut dealer, seats));
        assert_eq!(judgement.verdict, Verdict::Investigate, "{seats}");
        assert!(p_value(&judgement, "between-hands", "alike") < 1e-6, "{seats}");
    }
    let mut stale = fair;
    for number in 1..stale.len() {
        let before = stale[number - 1].seats[2].up.clone();
        if number % 5 == 0 && stale[number].seats.iter().all(|seat| seat.up != before) {
            stale[number].seats[2].up = before;
        }
    }
    let judgement = judged(&stale);
    assert_eq!(judgement.verdict, Verdict::Investigate);
    assert!(p_value(&judgement, "between-hands", "carried-over") < 1e-4);
    assert_eq!(p_value(&judgement, "between-hands", "alike"), 1.0);
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

fn hands_of(files: &[(&str, &str)], more: &[&str]) -> Output {
    let lab = Lab::new();
    files.iter().for_each(|(name, text)| lab.write(name, text));
    let names: Vec<&str> = files.iter().map(|(name, _)| *name).collect();
    lab.run(&[&["hands"], more, &names].concat())
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
    let output = hands_of(&files, &[]).ends(2);
    for words in [
        "Found 5 hands: 2 of stud were read (1 of stud high, 1 of stud 8 or better).",
        "Another game, not read: 1 hand of Razz.",
        "Not read: room.txt: hand 79, line 129: found [of]",
        "Not read: note.md: found neither",
        "Found again, counted once: room.txt: hand 77.",
        "Found again, counted once: again.phh.",
        "exact test against 9,999 Monte Carlo samples of a fair deal, n = 2 hands.",
        "depend on how people bet",
        "2 hands with all door cards named are too few for a verdict, which wants 1,000.",
    ] {
        output.must_print(words);
    }
    output.must_not_print("Ada").must_not_print("Bob");
    let output = hands_of(&files[..1], &["--json"]);
    let json = output.json();
    assert_eq!((output.code, &json["verdict"], &json["hands"]), (2, &"inconclusive".into(), &1.into()));
    assert_eq!((&json["read"]["stud_high"], &json["other_games"]["Razz"]), (&1.into(), &1.into()));
    assert_eq!(json["described"]["folds_by_street"], serde_json::json!([0, 1, 0, 0, 1]));
    assert_eq!(
        json["tests"].as_array().map(Vec::len),
        Some(5),
        "one hand has no two cells of first cards: {output}"
    );
}

#[test]
fn a_card_twice_and_a_wrong_bring_in_are_told() {
    let output = hands_of(&[("room.txt", &HAND.replace("Th", "Kd"))], &[]).ends(1);
    output.must_print("Impossible: room.txt: hand 77 holds Kd twice.");
    // What convicts stands in the claim, and that a slip of the export would explain it.
    let output = hands_of(&[("room.txt", &HAND.replace("Th", "Kd"))], &["--json"]);
    let output = output.json();
    let claims = output["claims"].as_array().expect("claims");
    let claim = claims.iter().find(|claim| claim["subject"] == "no-departure").expect("it is claimed");
    assert_eq!(claim["place"], "room.txt: hand 77 holds Kd twice");
    assert_eq!(claim["otherwise"], json!([{ "kind": "export" }]));
    let output = hands_of(&[("room.txt", &HAND.replace("[2c", "[Qc"))], &[]).ends(2);
    let words = "in hand 77 seat 7 brought it in, the lowest door card lay at seat 5.";
    output.must_print(words);
}

/// A thousand hands of six door cards in one file, each fourth hand's third seat with the ace of spades if
/// the dealer slips one.
pub fn thousand(slips_an_ace: bool) -> String {
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
    let output = hands_of(&[("fair.phhs", &thousand(false))], &[]).ends(0);
    output.must_print("χ² of 51 degrees of freedom, n = 1,000 hands.");
    output.must_print("first-three, classes: not tested, no hand names");
    output.must_print("Passed: nothing was found");
    let output =
        hands_of(&[("fair.phhs", &thousand(false)), ("note.txt", "PokerStars Hand #7")], &[]).ends(2);
    output.must_print("some hands cannot be read");
    let twice = [("a.phhs", &thousand(false)[..]), ("b.phhs", &thousand(false))];
    let output = hands_of(&twice, &[]).ends(0);
    output.must_print("And 980 more that were found again: --json names them all.");
    assert_eq!(output.out.matches("Found again").count(), 20);
    hands_of(&[("aces.phhs", &thousand(true))], &[]).ends(3).must_print("Investigate:");
}

/// A plan before the hands, a certificate of them, judged again by anybody; what was altered is refused.
#[test]
fn hands_have_a_plan_a_certificate_and_a_report() {
    let lab = Lab::new();
    lab.write("fair.phhs", thousand(false));
    lab.write("other.phhs", thousand(true));
    let output = lab.run(&["hands", "--write-plan", "plan.toml", "--subject", "customer=Room 7"]).ends(0);
    output.must_print("Plan SHA-256: ");
    assert_eq!(lab.run(&["hands", "--write-plan", "plan.toml"]).code, 2, "a plan is never overwritten");
    let output = lab.run(&["hands", "--plan", "plan.toml", "--out", "a", "fair.phhs"]).ends(0);
    output.must_print("Written: a/certificate.json.");
    assert_eq!(
        lab.run(&["hands", "--plan", "plan.toml", "--out", "a", "other.phhs"]).code,
        2,
        "another audit's"
    );

    let text = lab.text("a/certificate.json");
    check_valid("hands-certificate", &serde_json::from_str(&text).expect("JSON"));
    // No hand names its exporter's cards: three families were found, and the four of the plan count.
    assert!(
        text.contains("\"families\":{\"between-hands\":2,\"bring-in\":2,\"door-cards\":3,\"first-three\":1}"),
        "{text}"
    );
    let record: Value = serde_json::from_str(&text).expect("JSON");
    let tests = record["result"]["tests"].as_array().expect("a list").iter();
    let shares = tests.map(|test| {
        let members = if test["id"].as_str().expect("a name").starts_with("door") { 3.0 } else { 2.0 };
        members * test["p_value"].as_f64().expect("a number")
    });
    let (least, family) = (shares.fold(1.0, f64::min), &record["result"]["family_p_value"]);
    assert!(
        (family.as_f64().expect("a number") - f64::min(1.0, 4.0 * least)).abs() < 1e-4,
        "{least} {family}"
    );
    let output = lab.run(&["verify", "a/certificate.json"]).ends(0);
    for words in [
        "the certificate of published hands is consistent",
        "customer: Room 7",
        "PASS: 1,000 published hands",
        "Not checked: that the files hold all the hands",
        "Not checked: that the integers are those of the files",
    ] {
        output.must_print(words);
    }
    let output = lab.run(&["verify", "--json", "a/certificate.json"]);
    let json = output.json();
    assert_eq!(
        (output.code, &json["verdict"], &json["certificate_verdict"]),
        (0, &"consistent".into(), &"pass".into())
    );
    let rerun = |source: &str| lab.run(&["verify", "--rerun", "--source", source, "a/certificate.json"]);
    rerun("fair.phhs").ends(0).must_print("every integer is the same");
    rerun("other.phhs")
        .ends(2)
        .must_warn("and other.phhs is another. Give the very files that were counted.");
    // Of several files each is given, in any order.
    let two = ["--plan", "plan.toml", "--out", "two", "fair.phhs", "other.phhs"];
    lab.run(&[&["hands"], &two[..]].concat()).ends(3);
    let rerun = ["verify", "--rerun", "two/certificate.json", "--source", "other.phhs"];
    lab.run(&rerun).ends(2).must_warn("the certificate is of 2 files, and 1 were given. Give each file");
    let output = lab.run(&[&rerun[..], &["--source", "fair.phhs"]].concat());
    output.must_print("every integer is the same");
    let output = lab.run(&["report", "--format", "md", "a/certificate.json"]).ends(0);
    output.must_begin("# Audit of published hands").must_print("| bring-in.seat |");
    let output = lab.run(&["report", "a/certificate.json"]);
    let options = roxmltree::ParsingOptions { allow_dtd: true, ..Default::default() };
    let page = roxmltree::Document::parse_with_options(&output.out, options).expect("every tag is closed");
    let words: String = page.descendants().filter_map(|node| node.text()).collect::<Vec<_>>().join(" ");
    assert_eq!(output.code, 0);
    for wanted in [
        "Audit of published hands",
        "PASS",
        "Room 7",
        "bring-in.seat",
        "null hypothesis",
        "Not checked: that the files",
    ] {
        assert!(words.contains(wanted), "{wanted}: {words}");
    }
    let record: Value = serde_json::from_str(&text).expect("JSON");
    let tests = record["result"]["tests"].as_array().expect("a list").len();
    let rows = page.descendants().filter(|node| node.has_tag_name("tr")).count();
    assert_eq!(rows, tests + 1, "one row a p-value, and the head");
    assert_eq!(
        lab.run(&["report", "--format", "csv", "--out", "t", "a/certificate.json"]).code,
        2,
        "no CSV of hands"
    );

    for (from, to) in [
        ("\"verdict\":\"pass\"", "\"verdict\":\"fail\""),
        ("\"stud_high\":1000", "\"stud_high\":1001"),
        ("\"unread\":0", "\"unread\":1"),
        ("\"hands\":1000", "\"hands\":1001"),
        ("\"method\":\"χ²(51)\"", "\"method\":\"χ²(50)\""),
        ("Room 7", "Room 8"),
        ("\"proofs\":[]", "\"proofs\":[\"a hand holds 2c twice.\"]"),
    ] {
        let other = text.replacen(from, to, 1);
        assert_ne!(other, text, "{from}");
        lab.write("other.json", other);
        let output = lab.run(&["verify", "other.json"]);
        assert!(
            output.code == 1 && output.prints(": REFUSED, and no verdict of it counts: "),
            "{from}: {output}"
        );
    }
    let newer = text.replacen("\"version\":1", "\"version\":2", 1);
    lab.write("newer.json", newer);
    let output = lab.run(&["verify", "newer.json"]);
    assert!(
        output.code == 2 && output.out.is_empty() && output.warns("this program knows version 1 of"),
        "{output}"
    );
}

/// Every integer of the census, one more: other p-values, a wrong sum, or another hash.
#[test]
fn every_altered_integer_of_hands_is_refused() {
    let mut dealer = Dealer::new(9);
    let (records, plan) = (dealer.hands(1_100), HandsPlan::usual());
    let census = Census::of(&records);
    let read = HandsRead {
        stud_high: 1_100,
        stud_8_or_better: 0,
        other_games: 0,
        unread: 0,
        found_again: 0,
        doors_unknown: 0,
    };
    let of = |census: &Census| HandsResult::of_census(&plan, Vec::new(), read.clone(), Vec::new(), census);
    let output = of(&census);
    assert_eq!(output.rejudge(), Ok(()));
    assert_eq!(output.tests.len(), 8);
    let counts = census.counts();
    for place in 0..counts.len() {
        let mut other = counts.clone();
        other[place] += 1;
        let forged = Census::from_counts(&other, 0)
            .map(|census| HandsResult { census: of(&census).census, ..output.clone() });
        assert!(forged.is_none_or(|forged| forged.rejudge().is_err()), "{place}");
    }
    // A census that agrees with itself but not with the hands that were read.
    let fewer = of(&Census::of(&records[1..]));
    assert!(fewer.rejudge().is_err());
}

#[test]
fn replay_points_to_the_command_for_exports() {
    let lab = Lab::new();
    lab.write("room.txt", HAND);
    lab.run(&["replay", "room.txt"]).ends(2).must_warn("deckproof hands");
}
