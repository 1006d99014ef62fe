//! The ranking against exact counts from an independent program and against an independent crate.

use std::collections::HashMap;

use deckproof::card::Card;
use deckproof::stud::board::{self, Board, Showing};
use deckproof::stud::card_set::CardSet;
use deckproof::stud::low::Low8;
use deckproof::stud::rank::census::{RankCensus, census};
use deckproof::stud::rank::{Category, High};
use rand::SeedableRng;
use rand::rngs::ChaCha8Rng as Generator;
use rand::seq::index::sample;

/// Distinct random cards in random order.
fn draw(generator: &mut Generator, size: usize) -> Vec<Card> {
    let places = sample(generator, 52, size).into_iter();
    places.map(|index| Card::from_index(index as u8).expect("below 52")).collect()
}

fn cards(text: &str) -> Vec<Card> {
    text.split(' ').map(|card| card.parse().expect("a card")).collect()
}

fn set(text: &str) -> CardSet {
    CardSet::of(&cards(text))
}

/// Rows of a fixture without its heading.
fn rows(text: &'static str) -> impl Iterator<Item = Vec<&'static str>> {
    text.lines().skip(1).map(|line| line.split(',').collect())
}

fn number(text: &str) -> u64 {
    text.parse().expect("a count")
}

fn check_name(text: &str, category: Category, name: &str) {
    let high = High::best(set(text));
    assert_eq!(high.category(), category, "{text}");
    assert_eq!(high.to_string(), name, "{text}");
}

#[test]
fn hands_are_named_as_a_player_would() {
    check_name("As Ks Qs Js Ts 2d 3c", Category::RoyalFlush, "royal flush");
    check_name("9s Ks Qs Js Ts 2d 3c", Category::StraightFlush, "straight flush, king high");
    check_name("As 2s 3s 4s 5s Ad Ac", Category::StraightFlush, "straight flush, five high");
    check_name("9s 9h 9d 9c As Ad Ah", Category::FourOfAKind, "four of a kind, nines, ace kicker");
    check_name("9s 9h 9d Ac As Ad 2h", Category::FullHouse, "full house, aces full of nines");
    check_name("9s 9h 4d 4c 4s 9d 2h", Category::FullHouse, "full house, nines full of fours");
    check_name("As Ks 9s 4s 2s 3s Ad", Category::Flush, "flush, A-K-9-4-3 high");
    check_name("Ts 9s 8d 7c 6s 6d 6h", Category::Straight, "straight, ten high");
    check_name("As 2s 3d 4c 5s Kd Kh", Category::Straight, "straight, five high");
    check_name(
        "9s 9h 9d As Kd 4c 2h",
        Category::ThreeOfAKind,
        "three of a kind, nines, ace and king kickers",
    );
    check_name("As Ad Ks Kd 9h 9d 4c", Category::TwoPair, "two pair, aces and kings, nine kicker");
    check_name("As Ks 9h 9d 4c 3c 2s", Category::OnePair, "pair of nines, ace, king and four kickers");
    check_name("As Ks 9h 8d 4c 3c 2s", Category::HighCard, "A-K-9-8-4 high");
    check_name("7s 5h 4d 3c 2s", Category::HighCard, "7-5-4-3-2 high");
}

fn check_low(text: &str, name: Option<&str>) {
    assert_eq!(Low8::best(set(text)).map(|low| low.to_string()).as_deref(), name, "{text}");
}

#[test]
fn lows_count_five_different_ranks_to_the_eight() {
    check_low("As 2s 3s 4s 5s Kd Kh", Some("5-4-3-2-A"));
    check_low("8s 6d 4h 3c 2s Kd Kh", Some("8-6-4-3-2"));
    check_low("8s 7d 6h 5c 4s 3d 2h", Some("6-5-4-3-2"));
    check_low("8s 7d 6h 5c 4s 4d 5h", Some("8-7-6-5-4"));
    check_low("9s 7d 6h 5c 4s 4d 5h", None);
    check_low("As Ad 2h 2c 3s 3d 4h", None);
}

#[test]
fn the_low_of_the_rule_text_beats_the_other() {
    // The 8-or-better text: 2, 3, 4, 6, 8 is a better low than ace, 2, 4, 7, 8.
    assert!(Low8::best(set("2s 3d 4h 6c 8s")) > Low8::best(set("As 2d 4h 7c 8s")));
}

#[test]
fn every_low_class_has_its_place_and_name() {
    for row in rows(include_str!("../../fixtures/rank/low_classes.csv")) {
        let place: u8 = row[0].parse().expect("a place");
        if row[1] == "none" {
            continue;
        }
        let text = row[1].split('-').zip("cdhsc".chars()).map(|(rank, suit)| format!("{rank}{suit}"));
        let low = Low8::best(set(&text.collect::<Vec<_>>().join(" "))).expect("a low");
        assert_eq!((low.strength(), low.to_string().as_str()), (57 - place, row[1]));
        assert!(low.category_id().starts_with(match row[2] {
            "5" => "five",
            "6" => "six",
            "7" => "seven",
            _ => "eight",
        }));
    }
}

/// The census of one size against the category counts and the number of distinct hands.
fn check_categories(counts: &RankCensus, count_column: usize) {
    let fixture = rows(include_str!("../../fixtures/rank/high_categories.csv"));
    let mut checked = 0;
    let mut classes = 0;
    for row in fixture {
        let Some(category) = Category::ALL.iter().find(|category| category.id() == row[0]) else { continue };
        assert_eq!(counts.category_total(*category as usize), number(row[count_column]), "{}", row[0]);
        classes += number(row[count_column + 1]) as usize;
        checked += 1;
    }
    assert_eq!(checked, 10);
    assert_eq!(counts.classes_total(), classes);
}

/// The census of one size against the counts of the 56 lows.
fn check_lows(counts: &RankCensus, column: usize) {
    let mut checked = 0;
    for row in rows(include_str!("../../fixtures/rank/low_classes.csv")) {
        let place: usize = row[0].parse().expect("a place");
        assert_eq!(counts.low_total(57 - place), number(row[column]), "{}", row[1]);
        checked += 1;
    }
    assert_eq!(checked, 57);
}

#[test]
fn all_five_card_hands_are_ranked_right() {
    let counts = census(5);
    assert_eq!(counts.sets_total(), 2_598_960);
    check_categories(&counts, 1);
    check_lows(&counts, 3);
}

#[test]
fn all_six_card_hands_are_ranked_right() {
    let counts = census(6);
    assert_eq!(counts.sets_total(), 20_358_520);
    check_categories(&counts, 3);
    check_lows(&counts, 4);
}

#[test]
fn all_seven_card_hands_are_ranked_right() {
    let counts = census(7);
    assert_eq!(counts.sets_total(), 133_784_560);
    check_categories(&counts, 5);
    check_lows(&counts, 5);
    let mut checked = 0;
    let order = Category::ALL.iter().rev();
    for row in rows(include_str!("../../fixtures/rank/joint_high_low.csv")) {
        let place: usize = row[0].parse().expect("a place");
        for (category, cell) in order.clone().zip(&row[2..]) {
            assert_eq!(counts.joint[*category as usize][57 - place], number(cell), "{}", row[1]);
        }
        checked += 1;
    }
    assert_eq!(checked, 57);
}

/// The same cards for the other crate.
fn for_aya(drawn: &[Card]) -> aya_poker::base::Hand {
    let text: Vec<String> = drawn.iter().map(Card::to_string).collect();
    text.join(" ").parse().expect("cards of the other crate")
}

#[test]
fn random_hands_agree_with_an_independent_crate() {
    let mut generator = Generator::seed_from_u64(5);
    let mut previous = None;
    for trial in 0..200_000 {
        let drawn = draw(&mut generator, 5 + trial % 3);
        let set = CardSet::of(&drawn);
        let theirs = for_aya(&drawn);
        let low = aya_poker::ace_five_rank(&theirs).to_lo_8_rank();
        let now = (High::best(set), Low8::best(set), aya_poker::poker_rank(&theirs), low);
        if let Some((high, low, their_high, their_low)) = previous.replace(now) {
            assert_eq!(now.0.cmp(&high), now.2.cmp(&their_high), "trial {trial}, {drawn:?}");
            assert_eq!(now.1.cmp(&low), now.3.cmp(&their_low), "trial {trial}, {drawn:?}");
        }
    }
}

#[test]
fn the_strength_of_seven_is_the_best_of_its_fives() {
    let mut generator = Generator::seed_from_u64(6);
    for _ in 0..20_000 {
        let drawn = draw(&mut generator, 7);
        let fives = (0..7).flat_map(|a| (0..a).map(move |b| (a, b))).map(|(a, b)| {
            let kept: Vec<Card> =
                (0..7).filter(|&place| place != a && place != b).map(|place| drawn[place]).collect();
            CardSet::of(&kept)
        });
        let fives: Vec<CardSet> = fives.collect();
        let set = CardSet::of(&drawn);
        assert_eq!(Some(High::best(set)), fives.iter().map(|&five| High::best(five)).max(), "{drawn:?}");
        assert_eq!(Low8::best(set), fives.iter().filter_map(|&five| Low8::best(five)).max(), "{drawn:?}");
    }
}

#[test]
fn boards_of_one_to_four_cards_have_their_known_classes() {
    for (size, classes) in [(1usize, 13usize), (2, 91), (3, 455), (4, 1820)] {
        let mut counts: HashMap<Board, u64> = HashMap::new();
        each_set(size, 52, CardSet::EMPTY, &mut |set| *counts.entry(Board::of(set)).or_default() += 1);
        assert_eq!(counts.len(), classes);
        let mut ordered: Vec<(Board, u64)> = counts.into_iter().collect();
        ordered.sort_unstable_by(|a, b| b.cmp(a));
        check_board_rows(size, &ordered);
        check_showing(size, &ordered);
    }
}

fn each_set(left: usize, below: u8, set: CardSet, found: &mut impl FnMut(CardSet)) {
    if left == 0 {
        return found(set);
    }
    for index in 0..below {
        each_set(left - 1, index, set.with(Card::from_index(index).expect("below 52")), found);
    }
}

fn check_board_rows(size: usize, ordered: &[(Board, u64)]) {
    let mut checked = 0;
    for row in rows(include_str!("../../fixtures/rank/visible_classes.csv")) {
        if row[0].parse() != Ok(size) {
            continue;
        }
        let (board, count) = ordered[number(row[1]) as usize - 1];
        let text: Vec<String> =
            row[2].chars().zip("cdhs".chars()).map(|(rank, suit)| format!("{rank}{suit}")).collect();
        assert_eq!(Board::of(set(&text.join(" "))), board, "{row:?}");
        assert_eq!(count, number(row[3]), "{row:?}");
        checked += 1;
    }
    assert!(checked >= 13);
}

fn check_showing(size: usize, ordered: &[(Board, u64)]) {
    for row in rows(include_str!("../../fixtures/rank/visible_categories.csv")) {
        if row[0].parse() != Ok(size) {
            continue;
        }
        let showing = match row[1] {
            "high_card" => Showing::HighCard,
            "pair" => Showing::Pair,
            "two_pair" => Showing::TwoPair,
            "trips" => Showing::Trips,
            _ => Showing::Quads,
        };
        let count: u64 =
            ordered.iter().filter(|(board, _)| board.showing() == showing).map(|(_, count)| count).sum();
        assert_eq!(count, number(row[2]), "{row:?}");
    }
}

#[test]
fn the_lowest_door_card_brings_it_in_as_often_as_counted() {
    for (players, column) in [(2, 1), (3, 2), (4, 3)] {
        let mut counts = [0u64; 52];
        each_set(players, 52, CardSet::EMPTY, &mut |set| {
            // Highest first, so that the answer is not simply the first seat.
            let doors: Vec<Card> = set.cards().collect::<Vec<_>>().into_iter().rev().collect();
            let seat = board::lowest_card(&doors).expect("somebody sits");
            counts[usize::from(doors[seat].index())] += 1;
        });
        for row in rows(include_str!("../../fixtures/rank/bring_in_card.csv")) {
            let card: Card = row[0].parse().expect("a card");
            assert_eq!(counts[usize::from(card.index())], number(row[column]), "{row:?}");
        }
    }
}

#[test]
fn ordinals_follow_the_order_of_the_strengths() {
    let royal = High::best(set("As Ks Qs Js Ts"));
    let worst = High::best(set("7s 5h 4d 3c 2s"));
    assert_eq!((worst.ordinal(), royal.ordinal()), (1, 7462));
    let mut generator = Generator::seed_from_u64(8);
    for _ in 0..50_000 {
        let [a, b] = [7, 7].map(|size| High::best(CardSet::of(&draw(&mut generator, size))));
        assert_eq!(a.cmp(&b), a.ordinal().cmp(&b.ordinal()), "{a} and {b}");
    }
}
