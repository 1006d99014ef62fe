//! The rules of the game, one small hand a rule: what is refused, what is allowed, who gets the chips.

use deckproof::stud::betting::refusal::Rule;
use deckproof::stud::history::History;
use deckproof::stud::history::phh;
use deckproof::stud::judge::{Judgement, Verdict, judge};
use deckproof::stud::play::{BringInAmount, Contest, FirstBoard, OpenPair, Opens, Play, ShowdownOrder};
use deckproof::stud::readings::{self, DEFAULTS};
use deckproof::stud::rules::{Burn, RuleSet, Shortage};

/// A hand of limits 20 and 40, ante 4, bring-in 10; actions separated by commas.
fn hand(stacks: &[u64], actions: &str) -> History {
    hand_with(stacks, actions, "")
}

fn hand_with(stacks: &[u64], actions: &str, fields: &str) -> History {
    let antes = vec![4; stacks.len()];
    let actions: Vec<&str> = actions.split(',').map(str::trim).filter(|text| !text.is_empty()).collect();
    let text = format!(
        "variant = 'F7S'\nantes = {antes:?}\nbring_in = 10\nsmall_bet = 20\nbig_bet = 40\n\
         starting_stacks = {stacks:?}\nactions = {actions:?}\n{fields}"
    );
    phh::parse(&text).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

fn rules(name: &str) -> &'static RuleSet {
    RuleSet::named(name).expect("a rule set")
}

fn judged(history: &History, name: &str, fixed: &[&str]) -> Judgement {
    let fixed: Vec<_> = fixed.iter().map(|text| readings::parse(text).expect("a reading")).collect();
    judge(history, rules(name), &fixed).expect("stakes")
}

/// The last action of the hand breaks the rule, and the refusal says that this was allowed.
fn check_refused(name: &str, stacks: &[u64], actions: &str, rule: Rule, allowed: &str) {
    let history = hand(stacks, actions);
    let judgement = judged(&history, name, &[]);
    assert_eq!(judgement.verdict, Verdict::Illegal, "{actions}");
    let (line, refusal) = judgement.run.refused.expect("a refusal");
    let last = history.lines.last().expect("an action").number;
    assert_eq!(line.map(|line| line.number), Some(last), "{actions}: {refusal}");
    assert_eq!((refusal.rule, refusal.allowed.as_str()), (rule, allowed), "{actions}");
}

fn check_verdict(name: &str, stacks: &[u64], actions: &str, fixed: &[&str], verdict: Verdict) -> Judgement {
    let judgement = judged(&hand(stacks, actions), name, fixed);
    let refused = judgement.run.refused.as_ref().map(|(_, refusal)| refusal.to_string());
    assert_eq!(judgement.verdict, verdict, "{actions}: {refused:?}");
    judgement
}

fn check_stacks(name: &str, stacks: &[u64], actions: &str, fixed: &[&str], wanted: &[u64]) -> Judgement {
    let judgement = judged(&hand(stacks, actions), name, fixed);
    let refused = judgement.run.refused.as_ref().map(|(_, refusal)| refusal.to_string());
    let wanted: Vec<Option<u64>> = wanted.iter().copied().map(Some).collect();
    assert_eq!(judgement.run.stacks, wanted, "{actions}: {refused:?}, {:?}", judgement.run.undecided);
    judgement
}

const RICH: [u64; 3] = [1000, 1000, 1000];
/// p2 shows the lowest card.
const THREE: &str = "d dh p1 ????Kc, d dh p2 ????2c, d dh p3 ????2d";

#[test]
fn the_lowest_card_brings_it_in_clubs_before_diamonds() {
    let both = "p2 may post the bring-in of 10, complete to 20";
    check_refused("stud-hi", &RICH, &format!("{THREE}, p3 pb"), Rule::Turn, both);
    check_refused("stud-hi", &RICH, &format!("{THREE}, p2 cc"), Rule::BringInDue, both);
    check_refused("stud-hi", &RICH, &format!("{THREE}, p2 f"), Rule::BringInDue, both);
    check_refused("stud-hi", &RICH, &format!("{THREE}, p2 cbr 40"), Rule::Amount, both);
    check_verdict("stud-hi", &RICH, &format!("{THREE}, p2 pb, p3 cc"), &[], Verdict::Legal);
    check_verdict("stud-hi", &RICH, &format!("{THREE}, p2 cbr 20, p3 cbr 40"), &[], Verdict::Legal);
}

#[test]
fn a_bring_in_of_the_whole_small_limit_is_a_bet() {
    let full = hand_with(&RICH, &format!("{THREE}, p2 cbr 20, p3 cbr 40, p1 cbr 60"), "_bring_in = 20");
    assert_eq!(judged(&full, "espacejeux", &[]).verdict, Verdict::Legal);
    let posted = hand_with(&RICH, &format!("{THREE}, p2 pb, p3 cbr 20"), "_bring_in = 20");
    let (_, refusal) = judged(&posted, "espacejeux", &[]).run.refused.expect("20 is only a call");
    assert_eq!((refusal.rule, &refusal.allowed[..]), (Rule::Amount, "p3 may fold, call 20, raise to 40"));
}

#[test]
fn nobody_acts_out_of_turn() {
    let allowed = "p3 may fold, call 10, complete to 20";
    check_refused("stud-8b", &RICH, &format!("{THREE}, p2 pb, p1 f"), Rule::Turn, allowed);
    check_refused("stud-8b", &RICH, &format!("{THREE}, p2 pb, p2 cc"), Rule::Turn, allowed);
    check_refused("stud-8b", &RICH, &format!("{THREE}, p2 pb, p3 pb"), Rule::NoBringIn, allowed);
    let after = "p1 may fold, call 20, raise to 40";
    check_refused("stud-8b", &RICH, &format!("{THREE}, p2 pb, p3 cbr 20, p1 cbr 30"), Rule::Amount, after);
}

#[test]
fn a_bring_in_that_is_only_called_gets_no_option() {
    let called = format!("{THREE}, p2 pb, p3 cc, p1 cc");
    let next = "on street 4, one card to p1";
    check_refused("stud-hi", &RICH, &format!("{called}, p2 cbr 20"), Rule::DealFirst, next);
    check_refused("stud-hi", &RICH, &format!("{called}, p2 cc"), Rule::DealFirst, next);
    check_refused("stud-hi", &RICH, &format!("{called}, d dh p2 3c"), Rule::DealOrder, next);
    check_refused("stud-hi", &RICH, &format!("{called}, d dh p1 3c4c"), Rule::DealCount, next);
    check_refused("stud-hi", &RICH, &format!("{called}, d dh p1 2c"), Rule::RepeatedCard, next);
    check_refused("stud-hi", &RICH, &format!("{called}, d db 3c"), Rule::Shortage, next);
}

#[test]
fn a_round_has_one_bet_and_three_raises() {
    let capped = format!("{THREE}, p2 pb, p3 cbr 20, p1 cbr 40, p2 cbr 60, p3 cbr 80");
    check_refused("stud-8b", &RICH, &format!("{capped}, p1 cbr 100"), Rule::Cap, "p1 may fold, call 40");
    check_verdict("stud-8b", &RICH, &capped, &[], Verdict::Legal);
    check_verdict("stud-8b", &RICH, &capped, &["max_raises=2"], Verdict::Illegal);
    // Text 1 calls the completion a raise; other texts call it the bet.
    let judgement = check_verdict("stud-hi", &RICH, &capped, &[], Verdict::Depends);
    let told: Vec<(&str, bool)> =
        judgement.trials[..2].iter().map(|trial| (&trial.value[..], trial.accepts)).collect();
    assert_eq!(told, [("bet", true), ("raise", false)]);
    check_verdict("stud-hi", &RICH, &capped, &["completion_counts=raise"], Verdict::Illegal);
    check_verdict("stud-hi", &RICH, &capped, &["completion_counts=bet"], Verdict::Legal);
}

#[test]
fn heads_up_is_capped_unless_the_reading_lifts_it() {
    let two = "d dh p1 ????Kc, d dh p2 ????2c, p2 pb, p1 cbr 20, p2 cbr 40, p1 cbr 60, p2 cbr 80, p1 cbr 100";
    check_verdict("stud-8b", &[1000, 1000], two, &[], Verdict::Illegal);
    check_verdict("stud-8b", &[1000, 1000], two, &["heads_up_uncapped=true"], Verdict::Legal);
}

/// Fourth street with a pair of kings for p1, who acts first.
const PAIRED: &str = "d dh p1 ????Kc, d dh p2 ????2c, d dh p3 ????2d, p2 pb, p3 cc, p1 cc, \
                      d dh p1 Kd, d dh p2 Ac, d dh p3 Qs";

#[test]
fn an_open_pair_lets_everybody_open_at_the_big_limit_in_text_1_only() {
    let sizes = "p1 may fold, check, bet to 20, bet to 40";
    check_refused("stud-hi", &RICH, &format!("{PAIRED}, p1 cbr 30"), Rule::Amount, sizes);
    check_verdict("stud-hi", &RICH, &format!("{PAIRED}, p1 cbr 40, p2 cc"), &[], Verdict::Legal);
    check_verdict("stud-hi", &RICH, &format!("{PAIRED}, p1 cc, p2 cbr 40"), &[], Verdict::Legal);
    let small_only = "p1 may fold, check, bet to 20";
    check_refused("stud-8b", &RICH, &format!("{PAIRED}, p1 cbr 40"), Rule::Amount, small_only);
    let raised = format!("{PAIRED}, p1 cbr 40, p2 cbr 80");
    check_verdict("stud-hi", &RICH, &raised, &[], Verdict::Depends);
    check_verdict("stud-hi", &RICH, &raised, &["open_pair_raise=opening_only"], Verdict::Illegal);
    let by_small = format!("{PAIRED}, p1 cbr 40, p2 cbr 60");
    check_verdict("stud-hi", &RICH, &by_small, &["open_pair_raise=opening_only"], Verdict::Legal);
    check_verdict("stud-hi", &RICH, &by_small, &["open_pair_raise=big_allowed"], Verdict::Illegal);
}

#[test]
fn equal_boards_act_from_the_left_of_the_dealer() {
    let tied = "d dh p1 ????Kc, d dh p2 ????2c, d dh p3 ????Kd, p2 pb, p3 cc, p1 cc, \
                d dh p1 Ac, d dh p2 4c, d dh p3 As";
    check_verdict("stud-hi", &RICH, &format!("{tied}, p1 cc"), &[], Verdict::Legal);
    check_verdict("stud-hi", &RICH, &format!("{tied}, p3 cc"), &[], Verdict::Illegal);
    check_verdict("stud-8b", &RICH, &format!("{tied}, p3 cc"), &[], Verdict::Depends);
    check_verdict("stud-8b", &RICH, &format!("{tied}, p3 cc"), &["tie_first=high_card_suit"], Verdict::Legal);
    check_verdict(
        "stud-8b",
        &RICH,
        &format!("{tied}, p1 cc"),
        &["tie_first=high_card_suit"],
        Verdict::Illegal,
    );
}

#[test]
fn a_short_all_in_does_not_reopen_the_betting() {
    // p1 has 4 + 25: all-in for 25, which is 5 more than the completion.
    let raised = format!("{THREE}, p2 pb, p3 cbr 20, p1 cbr 25, p2 cc");
    check_refused(
        "stud-8b",
        &[29, 1000, 1000],
        &format!("{raised}, p3 cbr 45"),
        Rule::ShortAllIn,
        "p3 may fold, call 5",
    );
    check_verdict("stud-8b", &[29, 1000, 1000], &format!("{raised}, p3 cc"), &[], Verdict::Legal);
}

#[test]
fn nobody_raises_against_players_who_are_all_in() {
    let covered = "d dh p1 ????Kc, d dh p2 ????2c, p2 pb";
    check_refused(
        "stud-8b",
        &[1000, 14],
        &format!("{covered}, p1 cbr 20"),
        Rule::NobodyLeft,
        "p1 may fold, call 10",
    );
    check_refused(
        "stud-8b",
        &[9, 1000],
        &format!("{covered}, p1 cbr 20"),
        Rule::Covered,
        "p1 may fold, call 5",
    );
}

/// Two players all-in on third street for 16 and 36 beyond the ante, the third calls; then run out.
fn run_out(cards: [&str; 3]) -> (Vec<u64>, String) {
    let doors: Vec<String> =
        (1..).zip(cards).map(|(seat, cards)| format!("d dh p{seat} {}", &cards[..6])).collect();
    let mut actions = doors.join(", ");
    actions += ", p1 cbr 16, p2 cbr 36, p3 cc";
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

/// Two players with 61 chips between them: antes of 4, 4 and 3, a bring-in of 10 that folds, 20 each.
fn two_at_the_end(first: &str, second: &str, variant: &str, fields: &str) -> History {
    let up = |cards: &str, place: usize| cards[2 * place..2 * place + 2].to_owned();
    let mut actions = vec![
        format!("d dh p1 {}", &first[..6]),
        format!("d dh p2 {}", &second[..6]),
        "d dh p3 ????2c".to_owned(),
    ];
    actions.extend(["p3 pb", "p1 cbr 20", "p2 cc", "p3 f"].map(str::to_owned));
    for place in 3..7 {
        actions.push(format!("d dh p1 {}", up(first, place)));
        actions.push(format!("d dh p2 {}", up(second, place)));
        actions.extend(["p1 cc", "p2 cc"].map(str::to_owned));
    }
    let text = format!(
        "variant = '{variant}'\nantes = [4, 4, 3]\nbring_in = 10\nsmall_bet = 20\nbig_bet = 40\n\
         starting_stacks = [100, 100, 100]\nactions = {actions:?}\n{fields}"
    );
    phh::parse(&text).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

fn chips(judgement: &Judgement) -> Vec<u64> {
    assert!(judgement.run.undecided.is_none(), "{:?} {:?}", judgement.run.undecided, judgement.run.refused);
    judgement.run.stacks.iter().map(|stack| stack.expect("known chips")).collect()
}

#[test]
fn the_odd_chip_of_tied_high_hands_goes_by_card_then_suit_or_by_position() {
    // Ace-king-queen-jack-nine each, the ace of spades with p2: 61 chips are 30 each and one.
    let hands = ("AhKd4dQdJd9h2h", "AsKc4cQcJc9s2s");
    let hand = |fields: &str| two_at_the_end(hands.0, hands.1, "F7S/8", fields);
    assert_eq!(chips(&judged(&hand(""), "stud-8b", &[])), [106, 107, 87]);
    assert_eq!(chips(&judged(&hand(""), "stud-8b", &["odd_chip=left_of_dealer"])), [107, 106, 87]);
    assert_eq!(judged(&hand(""), "stud-8b", &[]).verdict, Verdict::Legal, "no final stacks are claimed");
    for (finals, odd_chip) in [("[106, 107, 87]", "card_then_suit"), ("[107, 106, 87]", "left_of_dealer")] {
        let judgement = judged(&hand(&format!("finishing_stacks = {finals}")), "stud-8b", &[]);
        assert_eq!(judgement.verdict, Verdict::Depends);
        let trials = judgement.trials.iter().filter(|trial| trial.reading.name() == "odd_chip");
        let accepting: Vec<&str> =
            trials.filter(|trial| trial.accepts).map(|trial| &trial.value[..]).collect();
        assert_eq!(accepting, [odd_chip]);
    }
    let wrong = judged(&hand("finishing_stacks = [105, 108, 87]"), "stud-8b", &[]);
    assert_eq!(wrong.verdict, Verdict::Illegal);
    assert_eq!(
        wrong.run.refused.map(|(line, refusal)| (line, refusal.rule)),
        Some((None, Rule::FinalStacks))
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
    let hand = phh::parse(&phh::write(&hand).replace("[4, 4, 3]", "[4, 4, 4]")).expect("a hand");
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
            .replace("antes = [4, 4, 3]", "antes = [50000, 50000, 50000]")
            .replace("bring_in = 10", "bring_in = 75000")
            .replace("small_bet = 20", "small_bet = 250000")
            .replace("big_bet = 40", "big_bet = 500000")
            .replace("[100, 100, 100]", "[1000000, 1000000, 1000000]")
            .replace("cbr 20", "cbr 250000");
        phh::parse(&format!("{large}finishing_stacks = {finals}")).expect("a hand")
    };
    // 725,000 in the pot are 362,500 each, but 375,000 and 350,000 in chips of 25,000.
    let halves = judged(&text("[1062500, 1062500, 875000]"), "stud-8b", &[]);
    assert_eq!((halves.verdict, halves.notes.len()), (Verdict::Legal, 0));
    let chips = judged(&text("[1075000, 1050000, 875000]"), "stud-8b", &[]);
    assert_eq!((chips.verdict, chips.notes.len()), (Verdict::Legal, 1));
    let wrong = judged(&text("[1050000, 1075000, 875000]"), "stud-8b", &[]);
    assert_eq!(wrong.verdict, Verdict::Illegal);
    let stated = judged(&text("[1075000, 1050000, 875000]\n_odd_chip_unit = 25000"), "stud-8b", &[]);
    assert_eq!((stated.verdict, stated.notes.len()), (Verdict::Legal, 0));
}

#[test]
fn time_out_with_money_in_the_pot_is_all_in_by_text_2() {
    let actions = format!("{THREE}, p2 pb, p3 cbr 20, p2 cc");
    let with = |entry: &str| hand_with(&RICH, &actions, &format!("_timeouts = [{{ before = 6, {entry} }}]"));
    let run = |fixed: &[&str]| judged(&with("player = 1"), "stud-8b", fixed).run;
    let all_in = run(&[]);
    assert!(all_in.game.players()[0].timed_out && all_in.game.players()[0].is_live());
    // The antes of 12 for all three, the 40 of the others for the others alone.
    let pots: Vec<(u64, Vec<usize>)> =
        all_in.game.pots().into_iter().map(|pot| (pot.amount, pot.eligible)).collect();
    assert_eq!(pots, [(12, vec![0, 1, 2]), (40, vec![1, 2])]);
    assert!(run(&["timeout_money_includes_ante=false"]).game.players()[0].folded);
    let rule = |entry: &str, name: &str| {
        let judgement = judged(&with(entry), name, &[]);
        judgement.run.refused.map(|(_, refusal)| refusal.rule)
    };
    assert_eq!(rule("player = 1, seconds = 29", "stud-8b"), Some(Rule::TooEarly));
    assert_eq!(rule("player = 1, seconds = 30", "stud-8b"), None);
    assert_eq!(rule("player = 1, seconds = 49, reconnected = true", "stud-8b"), Some(Rule::TooEarly));
    assert_eq!(rule("player = 1, seconds = 50, reconnected = true", "stud-8b"), None);
    assert_eq!(rule("player = 2", "stud-8b"), Some(Rule::Turn));
    assert_eq!(rule("player = 1", "stud-hi"), Some(Rule::NoTimeOut));
}

/// A hand of `players` unknown cards in which everybody calls and checks through sixth street, except
/// that the last `folding` players fold on the street given.
fn through_sixth(players: usize, folding: usize, fold_street: usize) -> String {
    let mut actions = Vec::new();
    for street in 3..7 {
        let live = if street > fold_street { players - folding } else { players };
        let cards = if street == 3 { "??????" } else { "??" };
        actions.extend((1..=live).map(|player| format!("d dh p{player} {cards}")));
        for player in 1..=live {
            let folds = street == fold_street && player > players - folding;
            let deed = if folds { "f" } else { "cc" };
            let deed = if street == 3 && player == 1 { "pb" } else { deed };
            actions.push(format!("p{player} {deed}"));
        }
    }
    actions.join(", ")
}

fn check_seventh(name: &str, before: &str, fixed: &[&str], players: usize, served: &str, refused: &str) {
    let stacks = vec![1000; players];
    for (next, verdict) in [(served, Verdict::Legal), (refused, Verdict::Illegal)] {
        let history = hand(&stacks, &format!("{before}, {next}"));
        let judgement = judged(&history, name, fixed);
        assert_eq!(judgement.run.refused.is_none(), verdict == Verdict::Legal, "{name} {next} {judgement:?}");
        if let Some((_, refusal)) = judgement.run.refused {
            assert_eq!(refusal.rule, Rule::Shortage);
        }
    }
}

#[test]
fn a_short_seventh_street_is_served_as_the_text_says() {
    let (one_each, community) = ("d dh p1 ??", "d db ??");
    let fixed = ["shortage_when=stub_below_live"];
    // Eight players to the end: 48 cards are dealt, 4 are left.
    let eight = through_sixth(8, 0, 0);
    check_seventh("stud-hi", &eight, &fixed, 8, community, one_each);
    check_seventh("stud-8b", &eight, &[], 8, community, one_each);
    check_seventh("espacejeux", &eight, &[], 8, community, one_each);
    // One of eight folds on third street: 45 are dealt, 7 are left, or 4 and 3 burns.
    let seven = through_sixth(8, 1, 3);
    check_seventh("stud-hi", &seven, &fixed, 8, one_each, community);
    check_seventh("espacejeux", &seven, &[], 8, one_each, community);
    // One folds on sixth street: 4 left for seven, or 1 and 3 burns.
    let late = through_sixth(8, 1, 6);
    check_seventh("stud-hi", &late, &fixed, 8, community, one_each);
    let uncovered = hand(&[1000; 8], &format!("{late}, {community}"));
    assert_eq!(judged(&uncovered, "stud-hi", &[]).verdict, Verdict::Depends);
    assert_eq!(judged(&uncovered, "stud-hi", &["shortage_when=all_eight_live"]).verdict, Verdict::Illegal);
}

#[test]
fn by_text_3_the_last_bettor_shows_first() {
    let hand = |last: &str| {
        let mut history = two_at_the_end("AhAdKdQdQhJhJs", "7c5c4h3d2d8sKs", "F7S", "");
        let cut = history.lines.len() - 2;
        history.lines.truncate(cut);
        let text = phh::write(&history).replace("]\n_", ", @]\n_");
        let actions: Vec<String> = last.split(", ").map(|action| format!("\"{action}\"")).collect();
        let text = text.replacen("\"]\n", &format!("\", {}]\n", actions.join(", ")), 1);
        phh::parse(&text).unwrap_or_else(|error| panic!("{error}\n{text}"))
    };
    let verdict = |last: &str, name: &str| judged(&hand(last), name, &[]).verdict;
    // The order is right; but p1 throws away the aces that win, and no text says what becomes of the pot.
    assert_eq!(verdict("p1 cc, p2 cbr 40, p1 cc, p2 sm -, p1 sm", "espacejeux"), Verdict::Depends);
    assert_eq!(verdict("p1 cc, p2 cc, p1 sm -, p2 sm", "espacejeux"), Verdict::Legal);
    assert_eq!(verdict("p1 cc, p2 cc, p2 sm -, p1 sm -", "espacejeux"), Verdict::Illegal);
    assert_eq!(verdict("p1 cc, p2 cc, p2 sm -, p1 sm -", "stud-hi"), Verdict::Legal);
    let (_, refusal) = judged(&hand("p1 cc, p2 cbr 40, p1 cc, p1 sm -"), "espacejeux", &[])
        .run
        .refused
        .expect("p1 shows too early");
    assert_eq!((refusal.rule, &refusal.allowed[..]), (Rule::ShowdownOrder, "p2 shows or mucks first"));
}

/// A fourth rule set: all it takes is data.
static RAZZ: RuleSet = RuleSet {
    name: "razz",
    burn: Burn::Never,
    shortage: Shortage::CommunityCard,
    play: Play {
        phh_variant: "FR",
        contest: Contest::LowAceFive,
        opens: Opens::HighestDoorAceLow,
        first_board: FirstBoard::Lowest,
        bring_in: BringInAmount::Explicit,
        open_pair: OpenPair::Ignored,
        showdown: ShowdownOrder::Unstated,
        time_out: None,
        readings: DEFAULTS,
        open_readings: &[],
    },
};

#[test]
fn razz_is_a_rule_set_like_the_others() {
    // The king brings it in, the eight-low board acts first, the low of p2 takes the pot of 3·4 + 3·10.
    let actions = "d dh p1 AcKdKc, d dh p2 2c3dAd, d dh p3 Qc9s8d, p1 pb, p2 cc, p3 cc, \
        d dh p1 2d, d dh p2 8h, d dh p3 9h, p2 cc, p3 cc, p1 cc, \
        d dh p1 3c, d dh p2 8c, d dh p3 Th, p3 cc, p1 cc, p2 cc, \
        d dh p1 4c, d dh p2 4d, d dh p3 Jh, p3 cc, p1 cc, p2 cc, \
        d dh p1 9c, d dh p2 7h, d dh p3 5s, p3 cc, p1 cc, p2 cc";
    let judgement = judge(&hand(&RICH, actions), &RAZZ, &[]).expect("stakes");
    let refused = judgement.run.refused.as_ref().map(|(_, refusal)| refusal.to_string());
    assert_eq!((judgement.verdict, refused), (Verdict::Legal, None));
    assert_eq!(chips(&judgement), [986, 1028, 986]);
}
