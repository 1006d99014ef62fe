//! Hand histories bound to the committed deck: what agrees, what contradicts, and where.
//!
//! The deck is that of hand 1 of the public test key: As 3d 7c 7h 5h Qc Tc Jh Qs Th 6h Ac Ad 9c Kc 6s 8c
//! 8d …; the hands on it were written and reckoned by hand.

use deckproof::commitment::digest::{leaf_hash, parse_hex};
use deckproof::document::words::Language;
use deckproof::key::DayKey;
use deckproof::log::entry::Mix;
use deckproof::log::refusal::{Code, Refusal};
use deckproof::rendering::bundle::explain;
use deckproof::rendering::bundle::head::history_headline;
use deckproof::stud::betting::stakes::Stakes;
use deckproof::stud::readings::Reading;
use deckproof::stud::rules::RuleSet;
use deckproof::stud::seat::{Seat, Seats};
use deckproof::table::durable::DurableTable;
use deckproof::table::mix::{Announcement, Revealed};
use deckproof::table::plan::PlayPlan;
use deckproof::table::play::{TableSetting, play_out};
use deckproof::table::storage::Folder;
use deckproof::table::{DealtHand, Table, TableName};
use deckproof::verify::claims::HandEvidence;
use deckproof::verify::findings::{HistoryFinding, Unchecked};
use deckproof::verify::{Accepted, Statements, verify_bundle};

use crate::common::game::STOPS_EARLY;
use crate::common::lab::{KEY, deckproof_with};

/// Third street to three seats; p1 brings it in with the ten, pairs it and wins with two pair,
/// 30 of antes and 300, 200, 0, 400, 0 of bets.
const HAND: &str = r#"variant = "F7S"
antes = [10, 10, 10]
bring_in = 50
small_bet = 100
big_bet = 200
starting_stacks = [1000, 1000, 1000]
finishing_stacks = [1520, 890, 590]
actions = [
  "d dh p1 As7hTc", "d dh p2 3d5hJh", "d dh p3 7cQcQs",
  "p1 pb", "p2 cbr 100", "p3 cc", "p1 cc",
  "d dh p1 Th", "d dh p2 6h", "d dh p3 Ac",
  "p1 cbr 100", "p2 f", "p3 cc",
  "d dh p1 Ad", "d dh p3 9c",
  "p1 cc", "p3 cc",
  "d dh p1 Kc", "d dh p3 6s",
  "p1 cbr 200", "p3 cc",
  "d dh p1 8c", "d dh p3 8d",
  "p1 cc", "p3 cc",
  "p1 sm As7hTcThAdKc8c", "p3 sm 7cQcQsAc9c6s8d",
]
_ruleset = "stud-hi"
_origin = "localhost/log1"
_table = "T-1"
_hand = 1
seats = [4, 6, 2]
"#;

/// Two seats with burns: p1 brings it in for the whole limit with the five and folds to the queens.
const BURNED: &str = r#"variant = "F7S"
antes = [10, 10]
bring_in = 100
small_bet = 100
big_bet = 200
starting_stacks = [1000, 1000]
finishing_stacks = [890, 1110]
actions = [
  "d dh p1 As7c5h", "d dh p2 3d7hQc",
  "p1 cbr 100", "p2 cc",
  "d dh p1 Jh", "d dh p2 Qs",
  "p2 cbr 100", "p1 f",
]
_burns = ["??"]
"#;

fn name() -> TableName {
    TableName::new("localhost/log1", "T-1").expect("names")
}

fn table() -> Table {
    let key = DayKey::from_bytes(parse_hex(KEY).expect("hex"));
    Table::begin(name(), key, 1).expect("a table")
}

/// Deals hand 1 of the test key to these seats, street by street, under these readings, and closes it with a history.
fn close(
    (rules, bound): (&str, &[(Reading, String)]),
    seats: &str,
    streets: &[&str],
    history: &str,
) -> DealtHand {
    let rules = RuleSet::named(rules).expect("a rule set");
    let seats = Seats::parse(seats).expect("seats");
    let announced = table().commit().0.announce(rules, bound, &seats, &Announcement::None);
    let mut hand = announced.cut(&Revealed::default());
    for live in streets {
        let live: Vec<Seat> = live.split(',').filter_map(Seat::parse).collect();
        hand.deal_street(&live).expect("legal");
    }
    hand.close(Some(history.to_owned()))
}

/// The streets of a hand of three seats, of which seat 6 folds on fourth street.
const STREETS: [&str; 5] = ["4,6,2", "4,6,2", "4,2", "4,2", "4,2"];

fn three_seats(history: &str) -> DealtHand {
    close(("stud-hi", &[]), "4,6,2", &STREETS, history)
}

/// The same hand, its open entry binding a reading.
fn three_seats_reading(reading: Reading, value: &str, history: &str) -> DealtHand {
    close(("stud-hi", &[(reading, value.to_owned())]), "4,6,2", &STREETS, history)
}

fn burned(history: &str) -> DealtHand {
    close(("espacejeux", &[]), "1,2", &["1,2", "1,2"], history)
}

fn verify(bundle: &str) -> Result<Accepted, Refusal> {
    verify_bundle(bundle.as_bytes(), None, &Statements::default())
}

fn seat(number: u8) -> Seat {
    Seat::new(number).expect("a seat")
}

/// What is found of a history that does not contradict the bundle.
struct Bound {
    verdict: &'static str,
    compared: usize,
    filled: usize,
    not_opened: usize,
    open_points: Vec<String>,
    readings_bound: Vec<String>,
    stated: Vec<String>,
    not_checked: Vec<Unchecked>,
}

fn bound(bundle: &str) -> Bound {
    let Accepted { findings, not_checked, .. } = verify(bundle).expect("the history tells this hand");
    match findings.history {
        Some(HistoryFinding::Bound {
            verdict,
            cards_compared: compared,
            cards_filled: filled,
            cards_not_opened: not_opened,
            open_points,
            readings_bound,
            readings_stated: stated,
            ..
        }) => {
            Bound { verdict, compared, filled, not_opened, open_points, readings_bound, stated, not_checked }
        }
        other => panic!("{other:?}"),
    }
}

fn check_bound(bundle: &str, compared: usize, not_opened: usize) {
    check_verdict("legal", bundle, compared, not_opened);
}

fn check_verdict(wanted: &str, bundle: &str, compared: usize, not_opened: usize) {
    let found = bound(bundle);
    let numbers = (found.verdict, found.compared, found.not_opened);
    assert_eq!(numbers, (wanted, compared, not_opened), "{:?}", found.open_points);
    assert!(found.not_checked.contains(&Unchecked::HistoryBets));
    assert!(!found.not_checked.contains(&Unchecked::HistoryContent));
}

fn check_refused(bundle: &str, place: &str, message: &str) {
    let refused = verify(bundle).expect_err(message);
    assert_eq!(refused.code, Code::History, "{refused}");
    assert_eq!(refused.place, format!("history, {place}"), "{refused}");
    assert!(refused.message.contains(message), "{message:?} is not in: {refused}");
}

fn changed(history: &str, changes: &[(&str, &str)]) -> String {
    changes.iter().fold(history.to_owned(), |text, (from, to)| {
        assert!(text.contains(from), "{from} is not in the history");
        text.replacen(from, to, 1)
    })
}

/// The hand with these changes of its text is refused.
fn check(changes: &[(&str, &str)], place: &str, message: &str) {
    check_refused(&three_seats(&changed(HAND, changes)).full_bundle(), place, message);
}

#[test]
fn a_history_of_the_committed_hand_is_bound() {
    let hand = three_seats(HAND);
    // Three cards each on third street, one each on fourth, two seats on the others.
    check_bound(&hand.full_bundle(), 9 + 3 + 6, 0);
    // To seat 6 the down cards of the others are closed unless they were shown down, and nothing binds what the record says of them.
    check_verdict("depends", &hand.seat_bundle(seat(6), &[]), 12, 6);
    check_bound(&hand.seat_bundle(seat(6), &[seat(4), seat(2)]), 18, 0);
}

#[test]
fn unknown_cards_are_not_contradicted() {
    let text = changed(HAND, &[("As7hTc", "????Tc"), ("3d5hJh", "????Jh"), ("d dh p3 8d", "d dh p3 ??")]);
    check_bound(&three_seats(&text).full_bundle(), 13, 0);
}

#[test]
fn other_cards_are_refused_with_what_was_committed() {
    check(
        &[("As7hTc", "As7hTd")],
        "action 1",
        "found Td at dealt position 6, seat 4, street 3, committed was Tc",
    );
    check(
        &[("As7hTc", "7hAsTc")],
        "action 1",
        "found 7h at dealt position 0, seat 4, street 3, committed was As",
    );
    check(&[("p2 6h", "p2 Ac"), ("p3 Ac", "p3 6h")], "action 9", "committed was 6h");
    check(&[("p3 8d", "p3 4s")], "action 23", "committed was 8d");
    check(&[("6s8d", "6s8h")], "action 27", "p3 in seat 2 shows 8h");
    check(&[("p1 sm As7h", "p1 sm As5h")], "action 26", "p1 in seat 4 shows 5h");
}

#[test]
fn a_card_committed_elsewhere_is_refused_where_its_place_is_not_opened() {
    let text = changed(HAND, &[("p1 As7hTc", "p1 3d7hTc"), ("sm As", "sm 3d")]);
    let bundle = three_seats(&text).seat_bundle(seat(6), &[]);
    check_refused(
        &bundle,
        "action 1",
        "found 3d at dealt position 0, seat 4, street 3, it was committed at dealt position 1",
    );
}

#[test]
fn folds_that_the_transcript_does_not_know_are_refused() {
    // p2 folds on third street already.
    check(
        &[
            ("\"p2 cbr 100\"", "\"p2 f\""),
            ("\"d dh p2 6h\", ", ""),
            ("\"p2 f\", \"p3 cc\",\n  \"d dh p1 Ad\"", "\"p3 cc\",\n  \"d dh p1 Ad\""),
        ],
        "action 5",
        "p2 in seat 6 folds here, the transcript gives this seat dealt position 10, street 4",
    );
    // p2 stays and is dealt a card on fifth street.
    check(
        &[("\"p2 f\"", "\"p2 cc\""), ("\"d dh p3 9c\"", "\"d dh p2 ??\", \"d dh p3 9c\"")],
        "action 15",
        "p2 in seat 6 is dealt more cards than the 4 of the transcript",
    );
    // The record ends before seventh street.
    let (early, _) = HAND.split_once("  \"d dh p1 8c\"").expect("seventh street");
    let text = format!("{early}]\n");
    check_refused(
        &three_seats(&text.replacen("finishing_stacks", "_finishing", 1)).full_bundle(),
        "the actions",
        "p1 in seat 4 gets no more cards, the transcript gives this seat dealt position 16, street 7",
    );
}

#[test]
fn a_hand_against_the_rules_is_refused() {
    check(&[("p1 cbr 200", "p1 cbr 150")], "action 20", "illegal by stud-hi: p1 bets or raises to 150");
    check(&[("p1 pb", "p2 pb"), ("p2 cbr 100", "p3 cbr 100")], "action 4", "illegal by stud-hi");
    check(&[("1520, 890, 590", "590, 890, 1520")], "the final stacks", "illegal by stud-hi");
}

#[test]
fn another_hand_table_log_game_or_seating_is_refused() {
    let check = |from: &str, to: &str, place: &str, message: &str| check(&[(from, to)], place, message);
    check("_hand = 1", "_hand = 2", "field _hand", "found 2, the entries say 1");
    check("\"T-1\"", "\"T-2\"", "field _table", "found T-2, the entries say T-1");
    check("localhost/log1", "localhost/log2", "field _origin", "localhost/log2");
    check("\"stud-hi\"", "\"espacejeux\"", "field _ruleset", "found espacejeux, the entries say stud-hi");
    check("[4, 6, 2]", "[4, 2, 6]", "field seats", "found 4,2,6, the entries say 4,6,2");
    check("\"F7S\"", "\"F7S/8\"", "field variant", "found F7S/8");
    check("\"F7S\"", "\"NT\"", "the whole text", "NT");
    check("seats = ", "_burns = [\"??\"]\nseats = ", "field _burns", "found 1 cards, the transcript burns 0");
    check_refused(&three_seats(BURNED).full_bundle(), "the players", "found 2 players");
}

#[test]
fn a_history_cannot_hide_from_the_judge_what_the_bundle_opens() {
    // p1 shows the ten, the lowest door; a record that hides the doors lets p2 bring it in.
    let hidden = [("As7hTc\", \"d", "As7h??\", \"d"), ("3d5hJh", "3d5h??"), ("7cQcQs\",\n", "7cQc??\",\n")];
    let doors = changed(HAND, &hidden);
    let Bound { verdict, filled, .. } = bound(&three_seats(&doors).full_bundle());
    assert_eq!((verdict, filled), ("legal", 3));
    let wrong = changed(
        &doors,
        &[(
            "\"p1 pb\", \"p2 cbr 100\", \"p3 cc\", \"p1 cc\"",
            "\"p2 pb\", \"p3 cbr 100\", \"p1 cc\", \"p2 cc\"",
        )],
    );
    check_refused(&three_seats(&wrong).full_bundle(), "action 4", "players act in turn");
}

#[test]
fn a_winner_that_is_mucked_unseen_is_not_played_by_the_rules() {
    let mucked = changed(
        HAND,
        &[
            ("d dh p1 As7hTc", "d dh p1 ????Tc"),
            ("d dh p1 8c", "d dh p1 ??"),
            ("p1 sm As7hTcThAdKc8c", "p1 sm"),
            ("[1520, 890, 590]", "[590, 890, 1520]"),
        ],
    );
    let Bound { verdict, filled, open_points, .. } = bound(&three_seats(&mucked).full_bundle());
    assert_eq!((verdict, filled), ("depends", 3));
    assert!(open_points[0].contains("mucked_hand=best_hand_wins refuses it"), "{open_points:?}");
    // Whoever sees the table only cannot say it was the best hand, and so not that it was not.
    let Bound { verdict, filled, open_points, .. } =
        bound(&three_seats(&mucked).seat_bundle(seat(6), &[seat(2)]));
    assert_eq!((verdict, filled), ("depends", 0));
    assert!(open_points[0].contains("mucked_hand=best_hand_wins leaves it open"), "{open_points:?}");
}

#[test]
fn a_history_states_only_readings_that_its_text_leaves_open() {
    let with = |readings: &str| three_seats(&format!("{HAND}_readings = {{ {readings} }}\n")).full_bundle();
    let Bound { verdict, stated, .. } = bound(&with("completion_counts = \"bet\""));
    assert_eq!((verdict, &stated[..]), ("legal", &["completion_counts=bet".to_owned()][..]));
    check_refused(&with("max_raises = \"any\""), "field _readings", "which the text of stud-hi fixes");
    check_refused(&with("heads_up_uncapped = \"true\""), "field _readings", "heads_up_uncapped=false");
}

/// On fourth street p1 shows a pair of tens: whether p3 may raise by the big limit the text of stud-hi leaves open.
fn raised_by_the_big_limit() -> String {
    let raise =
        ("\"p2 f\", \"p3 cc\",\n  \"d dh p1 Ad\"", "\"p2 f\", \"p3 cbr 300\", \"p1 cc\",\n  \"d dh p1 Ad\"");
    changed(HAND, &[raise, ("[1520, 890, 590]", "[1720, 890, 390]")])
}

#[test]
fn a_reading_that_the_open_entry_binds_decides_what_was_open() {
    let (reading, raised) = (Reading::OpenPairRaise, raised_by_the_big_limit());
    let bundle = |value: &str| three_seats_reading(reading, value, &raised).full_bundle();
    assert_eq!(bound(&three_seats(&raised).full_bundle()).verdict, "depends");
    assert_eq!(bound(&bundle("big_allowed")).verdict, "legal");
    check_refused(&bundle("opening_only"), "action 13", "illegal by stud-hi");
    // What the record says afterwards is no reading beside the one that was fixed before.
    let with = |value: &str| format!("{raised}_readings = {{ open_pair_raise = \"{value}\" }}\n");
    assert_eq!(bound(&three_seats(&with("big_allowed")).full_bundle()).verdict, "legal");
    let other = three_seats_reading(reading, "opening_only", &with("big_allowed")).full_bundle();
    check_refused(&other, "field _readings", "the open entry binds open_pair_raise=opening_only");
    let same = bound(&three_seats_reading(reading, "big_allowed", &with("big_allowed")).full_bundle());
    assert_eq!(
        (same.verdict, &same.readings_bound[..]),
        ("legal", &["open_pair_raise=big_allowed".to_owned()][..])
    );
    assert!(same.stated.is_empty(), "{:?}", same.stated);
    // Another point is no contradiction.
    let more = format!("{raised}_readings = {{ completion_counts = \"bet\" }}\n");
    let hand = three_seats_reading(reading, "big_allowed", &more);
    let Bound { verdict, stated, .. } = bound(&hand.full_bundle());
    assert_eq!((verdict, &stated[..]), ("legal", &["completion_counts=bet".to_owned()][..]));
}

/// Trimmed antes are a reading too, where somebody is short of one.
#[test]
fn antes_that_the_record_trims_are_read_as_the_open_entry_binds_it() {
    let short = changed(
        HAND,
        &[("antes = ", "ante_trimming_status = true\nantes = "), ("[1000, 1000, 1000]", "[1000, 5, 1000]")],
    );
    let hand = three_seats_reading(Reading::ShortAnte, "all_antes", &short);
    check_refused(&hand.full_bundle(), "field _readings", "found short_ante=what_it_matched");
}

/// Nobody is convicted by a reading that no judge can follow.
#[test]
fn a_history_is_not_judged_by_readings_that_the_rules_do_not_leave_to_the_table() {
    let hands = [
        (Reading::MaxRaises, "any", "max_raises, which stud-hi does not leave to the table"),
        (Reading::Rake, "none", "rake, which stud-hi does not leave to the table"),
        (Reading::OddChip, "nobody", "reading odd_chip has no value \"nobody\""),
    ];
    for (reading, value, because) in hands {
        let Bound { verdict, compared, open_points, .. } =
            bound(&three_seats_reading(reading, value, HAND).full_bundle());
        assert_eq!((verdict, compared, open_points.len()), ("depends", 18, 1), "{open_points:?}");
        assert!(open_points[0].contains(because), "{open_points:?}");
        // Its cards are compared all the same.
        let other = changed(HAND, &[("As7hTc", "Ad7hTc")]);
        check_refused(&three_seats_reading(reading, value, &other).full_bundle(), "action 1", "found Ad");
    }
}

/// Who wins by cards that nobody opens wins on the word of the record.
#[test]
fn cards_that_are_shown_and_not_opened_leave_the_ruling_open() {
    let shown = changed(HAND, &[("As7hTc", "????Tc")]);
    let bundle = three_seats(&shown).seat_bundle(seat(6), &[]);
    let Bound { verdict, not_opened, open_points, .. } = bound(&bundle);
    assert!(verdict == "depends" && not_opened > 0, "{verdict} {not_opened}");
    assert!(open_points[0].starts_with("This file does not open every card"), "{open_points:?}");
}

/// What a person reads of a history: what the head adds, and the finding.
fn read_of(history: &str) -> (&'static str, String) {
    read_of_hand(&three_seats(history))
}

fn read_of_hand(hand: &DealtHand) -> (&'static str, String) {
    let accepted = verify(&hand.full_bundle()).expect("the history tells this hand");
    let words = Language::English.words();
    let head = history_headline(accepted.findings.history.as_ref(), words);
    (head, explain(&accepted, &HandEvidence::default(), &[], words))
}

#[test]
fn a_chip_that_is_missing_stands_in_line_1_and_readings_of_the_record_are_unbound() {
    // 30 chips that no text speaks of: a rake, or a theft.
    let (head, text) = read_of(&changed(HAND, &[("[1520, 890, 590]", "[1490, 890, 590]")]));
    assert!(head.starts_with("; chips are missing at the end of its history"), "{head}");
    assert!(text.lines().next().is_some_and(|first| first.contains(head)), "{text}");
    for (history, wanted) in [
        (raised_by_the_big_limit(), "; whether its hand was played by the rules depends, see History"),
        ("a note".to_owned(), "; whether its hand was played by the rules was not judged"),
    ] {
        let (head, text) = read_of(&history);
        assert_eq!(head, wanted);
        assert!(text.lines().next().is_some_and(|first| first.contains(wanted)), "{text}");
    }
    let (head, text) = read_of(&format!("{HAND}_readings = {{ completion_counts = \"bet\" }}\n"));
    assert_eq!(head, "");
    assert!(text.contains("completion_counts=bet; no entry fixed these readings before the hand."), "{text}");
    let hand = three_seats_reading(Reading::OpenPairRaise, "big_allowed", &raised_by_the_big_limit());
    let (head, text) = read_of_hand(&hand);
    assert_eq!(head, "");
    let bound = " Read as its open entry has it: open_pair_raise=big_allowed; that this entry was there before the hand";
    assert!(text.contains(bound), "{text}");
    assert!(!text.contains("no entry fixed"), "{text}");
}

#[test]
fn burned_cards_are_compared_as_far_as_they_are_named() {
    check_bound(&burned(BURNED).full_bundle(), 8, 0);
    let with = |burns: &str| burned(&changed(BURNED, &[("[\"??\"]", burns)])).full_bundle();
    check_bound(&with("[\"Tc\"]"), 9, 0);
    check_refused(
        &with("[\"Td\"]"),
        "field _burns",
        "found Td at dealt position 6, street 4, committed was Tc",
    );
    check_refused(&with("[]"), "field _burns", "found 0 cards, the transcript burns 1");
    check_refused(&with("[\"burn\"]"), "field _burns", "wanted a card or ??");
}

#[test]
fn other_text_is_hashed_only_and_that_is_said() {
    let two = format!("[1]\n{HAND}\n[2]\n{HAND}");
    for text in ["", "Seat 4 wins 930.", "a = 1", "variant = \"F7S\"", two.as_str()] {
        let accepted = verify(&three_seats(text).full_bundle()).expect("its hash is right");
        assert!(
            matches!(accepted.findings.history, Some(HistoryFinding::HashedOnly { .. })),
            "{text}: {:?}",
            accepted.findings.history
        );
        assert!(accepted.not_checked.contains(&Unchecked::HistoryContent), "{text}");
    }
}

/// Eight seats call to the river, where one community card serves them; the record then is made to
/// say that so many folded on sixth street, and to end with the community card as it is told.
fn eight_seats(folds: usize, told: impl Fn(&str) -> &str) -> DealtHand {
    let all = "1,2,3,4,5,6,7,8";
    let stakes = Stakes {
        antes: vec![10; 8],
        bring_in: 50,
        small: 100,
        big: 200,
        stacks: vec![Some(4000); 8],
        antes_trimmed: false,
        odd_chip_unit: 1,
    };
    let rules = RuleSet::named("stud-hi").expect("a rule set");
    let setting = TableSetting {
        name: name(),
        rules,
        readings: Vec::new(),
        seats: Seats::parse(all).expect("seats"),
        stakes,
    };
    let folder = tempfile::tempdir().expect("a folder");
    let storage = Folder::create(&folder.path().join("T-1")).expect("a folder");
    let mut table = DurableTable::begin(storage, table(), None).expect("nothing has begun");
    let committed = table.commit(Mix::None).expect("the disk holds it");
    let announced = committed.announce(rules, &setting.readings, &setting.seats, &Announcement::None);
    let mut open =
        announced.and_then(|announced| announced.cut(&Revealed::default())).expect("the disk holds it");
    let played = play_out(&mut open, &setting, &PlayPlan::Folds(Vec::new())).expect("everybody calls");
    let text = played.history.replacen("finishing_stacks", "_finishing", 1);
    let text = text.replacen("_pots", "_pots_of_all", 1);
    let (before, rest) = text.split_once("\"d db ").expect("a community card");
    let (card, rest) = rest.split_once("\", ").expect("betting follows");
    let (_, after) = rest.split_once("]\n").expect("the actions end");
    // The last eight actions before the community card are the checks of sixth street.
    let checks: Vec<_> = before.match_indices(" cc\"").map(|(at, _)| at).collect();
    let mut before = before.to_owned();
    for at in checks[checks.len() - 8..].iter().take(folds).rev() {
        before.replace_range(at..&(at + 3), " f");
    }
    close(("stud-hi", &[]), all, &[all; 5], &format!("{before}\"d db {}\"]\n{after}", told(card)))
}

#[test]
fn a_community_card_needs_fewer_cards_than_seats_still_in() {
    // Eight seats on six streets leave four cards: too few for five seats, enough for four.
    for folds in [0, 3] {
        // Nobody bets on the last street, so that the record ends before the hand does.
        check_verdict("depends", &eight_seats(folds, |card| card).full_bundle(), 49, 0);
    }
    let refused = verify(&eight_seats(4, |card| card).full_bundle()).expect_err("four cards serve four");
    assert_eq!(refused.code, Code::History);
    assert!(refused.message.contains("illegal by stud-hi: community card"), "{refused}");
}

#[test]
fn a_community_card_that_the_history_hides_is_filled_from_the_bundle() {
    let filled = |hand: DealtHand| bound(&hand.full_bundle()).filled;
    assert_eq!(filled(eight_seats(3, |card| card)), 0);
    assert_eq!(filled(eight_seats(3, |_| "??")), 1);
}

/// A seat of which every card is opened shows no other; one of which some are shut may.
#[test]
fn a_shown_card_is_one_of_the_seat_where_all_of_them_are_opened() {
    let hand = three_seats(&changed(HAND, &[("p3 8d", "p3 ??"), ("6s8d\",\n]", "6s8h\",\n]")]));
    let own = hand.seat_bundle(seat(2), &[]);
    check_refused(&own, "action 27", "all cards of this seat are opened, and it is none of them");
    assert!(verify(&hand.seat_bundle(seat(6), &[])).is_ok());
}

#[test]
fn the_bundle_and_the_dealer_named_are_those_of_the_hand() {
    let open = leaf_hash(three_seats(HAND).open_entry()).to_string();
    let with = |fields: &str| three_seats(&format!("{HAND}{fields}\n")).full_bundle();
    check_bound(&with(&format!("_bundle = \"{open}\"\n_dealer = 2")), 18, 0);
    // Nobody sits between seats 2 and 4, so seat 3 may deal as well.
    check_bound(&with("_dealer = 3"), 18, 0);
    let other = leaf_hash("another entry").to_string();
    check_refused(&with(&format!("_bundle = \"{other}\"")), "field _bundle", "the entries say");
    check_refused(&with("_dealer = 6"), "the fields", "a dealer whose left p1 is");
}

/// The bundle says of a history that stops early what `replay` says of its text: it depends, and why.
#[test]
fn a_history_that_stops_early_depends_as_its_text_alone_does() {
    let stops = |history: &str| changed(history, &[("finishing_stacks", "_finishing")]);
    // No bet of the last street, and no action at all: the transcript then holds third street alone.
    let river = stops(&changed(
        HAND,
        &[("\"p1 cc\", \"p3 cc\",\n  \"p1 sm As7hTcThAdKc8c\", \"p3 sm 7cQcQsAc9c6s8d\",\n", "")],
    ));
    let (doors, _) = HAND.split_once("  \"p1 pb\"").expect("the bring-in");
    let doors = stops(&format!("{doors}]\n_ruleset = \"stud-hi\"\n"));
    let third = close(("stud-hi", &[]), "4,6,2", &["4,6,2"], &doors);
    for (hand, text) in [(three_seats(&river), river), (third, doors)] {
        let Bound { verdict, open_points, .. } = bound(&hand.full_bundle());
        assert_eq!((verdict, &open_points[..]), ("depends", &[STOPS_EARLY.to_owned()][..]));
        let json = deckproof_with(&["replay", "-", "--json"], &text[..]).ends(2).json();
        assert_eq!((&json["verdict"], &json["open_points"]), (&"depends".into(), &[STOPS_EARLY][..].into()));
    }
}
