//! Who gets the chips: side pots, lows of their own, the odd chip.

use crate::common::game::{check_stacks, chips, judged, two_at_the_end};
use deckproof::stud::betting::refusal::HandRule;
use deckproof::stud::history::phh;
use deckproof::stud::judge::Ruling;

/// Two players all-in on third street for 16 and 36 beyond the ante, the third covers them; then run out.
fn run_out(cards: [&str; 3]) -> (Vec<u64>, String) {
    let doors: Vec<String> =
        (1..).zip(cards).map(|(seat, cards)| format!("d dh p{seat} {}", &cards[..6])).collect();
    let mut actions = doors.join(", ");
    actions += ", p1 cbr 16, p2 cbr 20, p3 cbr 40, p2 cc";
    for street in 3..7 {
        for (seat, cards) in (1..).zip(cards) {
            actions += &format!(", d dh p{seat} {}", &cards[2 * street..2 * street + 2]);
        }
    }
    (vec![20, 40, 60], actions)
}

#[test]
fn side_pots_go_to_the_best_hand_that_paid_for_them() {
    // p1 three aces for the main pot of 3·4 + 3·16, p2 two kings for 2·20; p3 keeps the 20 nobody could call.
    let (stacks, actions) = run_out(["AcAd2cAs9d8h3s", "KcKd5c8s9h7d4s", "QcQd6c8d9s7h3d"]);
    let judgement = check_stacks("stud-hi", &stacks, &actions, &[], &[60, 40, 20]);
    let amounts: Vec<u64> = judgement.run.pots.iter().map(|pot| pot.pot.amount).collect();
    assert_eq!(amounts, [60, 40]);
}

#[test]
fn each_pot_needs_its_own_qualified_low() {
    // Only p1 has a low, and p1 is all-in for the main pot: the side pot is not split.
    let (stacks, actions) = run_out(["AcAd2c4s6d8h3s", "KcKdKs8s9h7d4h", "QcQdTc8d9s7h3d"]);
    check_stacks("stud-8b", &stacks, &actions, &[], &[30, 70, 20]);
}

#[test]
fn the_odd_chip_of_tied_high_hands_goes_by_card_then_suit_or_by_position() {
    // Ace-king-queen-jack-nine each, the ace of spades with p2: 61 chips are 30 each and one.
    let hands = ("AhKd4dQdJd9h2h", "AsKc4cQcJc9s2s");
    let hand = |fields: &str| two_at_the_end(hands.0, hands.1, "F7S/8", fields);
    assert_eq!(chips(&judged(&hand(""), "stud-8b", &[])), [106, 107, 87]);
    assert_eq!(chips(&judged(&hand(""), "stud-8b", &["odd_chip=left_of_dealer"])), [107, 106, 87]);
    assert_eq!(judged(&hand(""), "stud-8b", &[]).verdict, Ruling::Legal, "no final stacks are claimed");
    for (finals, odd_chip) in [("[106, 107, 87]", "card_then_suit"), ("[107, 106, 87]", "left_of_dealer")] {
        let judgement = judged(&hand(&format!("finishing_stacks = {finals}")), "stud-8b", &[]);
        assert_eq!(judgement.verdict, Ruling::Depends);
        let trials = judgement.trials.iter().filter(|trial| trial.reading.name() == "odd_chip");
        let accepting: Vec<&str> = trials.filter(|trial| trial.accepts).map(|trial| trial.value).collect();
        assert_eq!(accepting, [odd_chip]);
    }
    let wrong = judged(&hand("finishing_stacks = [105, 108, 87]"), "stud-8b", &[]);
    assert_eq!(wrong.verdict, Ruling::Illegal);
    assert_eq!(
        wrong.run.refused.map(|(line, refusal)| (line, refusal.rule)),
        Some((None, HandRule::FinalStacks))
    );
}

#[test]
fn five_or_seven_cards_decide_the_odd_chip() {
    // Straights to the jack. Of five cards p2 has the jack of spades, of seven p1 has a king.
    let hand = two_at_the_end("7h8h9dTdJhKc2d", "7c8c9sTsJs3c2h", "F7S/8", "");
    assert_eq!(chips(&judged(&hand, "stud-8b", &["odd_chip_cards=five"])), [106, 107, 87]);
    assert_eq!(chips(&judged(&hand, "stud-8b", &["odd_chip_cards=seven"])), [107, 106, 87]);
}

#[test]
fn the_odd_chip_of_tied_lows_goes_to_the_lowest_card_spades_first() {
    // p1 wins 31 high with a flush; 31 low are 15 each and one. Both lows end in an ace, p2's of spades.
    let hand = two_at_the_end("Ah2h3h6h8dKhQc", "As2d3d6c8sKdQd", "F7S/8", "");
    let hand = phh::parse(&phh::write(&hand).replace("bring_in = 9", "bring_in = 10")).expect("a hand");
    assert_eq!(chips(&judged(&hand, "stud-8b", &[])), [122, 92, 86]);
    assert_eq!(chips(&judged(&hand, "stud-8b", &["odd_chip=left_of_dealer"])), [123, 91, 86]);
}

#[test]
fn the_odd_chip_of_a_split_pot_goes_to_the_high_hand() {
    // p1 has aces up and no low, p2 7-5-4-3-2: 61 chips are 31 high and 30 low.
    let hand = two_at_the_end("AhAdKdQdQhJhJs", "7c5c4h3d2d8sKs", "F7S/8", "");
    assert_eq!(chips(&judged(&hand, "stud-8b", &["tie_first=left_of_dealer"])), [107, 106, 87]);
}

#[test]
fn a_smallest_chip_of_25000_is_read_from_the_final_stacks() {
    let text = |finals: &str| {
        let hand = two_at_the_end("AhAdKdQdQhJhJs", "7c5c4h3d2d8sKs", "F7S/8", "");
        let large = phh::write(&hand)
            .replace("antes = [4, 4, 4]", "antes = [50000, 50000, 50000]")
            .replace("bring_in = 9", "bring_in = 75000")
            .replace("small_bet = 20", "small_bet = 250000")
            .replace("big_bet = 40", "big_bet = 500000")
            .replace("[100, 100, 100]", "[1000000, 1000000, 1000000]")
            .replace("cbr 20", "cbr 250000");
        phh::parse(&format!("{large}finishing_stacks = {finals}")).expect("a hand")
    };
    // 725,000 in the pot are 362,500 each, but 375,000 and 350,000 in chips of 25,000.
    let halves = judged(&text("[1062500, 1062500, 875000]"), "stud-8b", &[]);
    assert_eq!(halves.verdict, Ruling::Legal);
    let chips = judged(&text("[1075000, 1050000, 875000]"), "stud-8b", &[]);
    assert_eq!(chips.verdict, Ruling::Depends, "the record does not state its chip");
    assert_eq!(chips.run.game.stakes().odd_chip_unit, 25_000);
    assert!(chips.open_points[0].contains("chips of 25000 accept"), "{:?}", chips.open_points);
    let wrong = judged(&text("[1050000, 1075000, 875000]"), "stud-8b", &[]);
    assert_eq!(wrong.verdict, Ruling::Illegal);
    let stated = judged(&text("[1075000, 1050000, 875000]\n_odd_chip_unit = 25000"), "stud-8b", &[]);
    assert_eq!(stated.verdict, Ruling::Legal);
    let coarse = judged(&text("[1075000, 1050000, 875000]\n_odd_chip_unit = 100000"), "stud-8b", &[]);
    assert_eq!(coarse.run.refused.map(|(_, broken)| broken.rule), Some(HandRule::Unit));
}
