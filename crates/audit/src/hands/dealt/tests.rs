//! Fair deals under five ways to fold, and dealers who are not fair.

use rand::rngs::ChaCha20Rng;
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};

use super::*;
use crate::hands::dealt::read::DealtTo;

/// What a way to fold sees: every card dealt so far, hidden ones too, and what it remembers of the hands before.
struct View<'a> {
    cards: &'a [DealtTo],
    live: &'a [u8],
    street: u8,
    /// The sum of all digits so far, each as a share of its base less one half: it hovers about 0.
    drift: f64,
}

type Folding = fn(&View<'_>, u8, &mut ChaCha20Rng) -> bool;

fn held(view: &View<'_>, seat: u8) -> Vec<Card> {
    view.cards.iter().filter(|card| card.seat == seat).map(|card| card.card).collect()
}

/// Nobody folds; anybody by chance; who has no pair; who is not ahead; and an adversary who sees every card and ends
/// a hand as soon as the digits have been high.
const FOLDINGS: [Folding; 5] = [
    |_, _, _| false,
    |_, _, rng| rng.random_bool(0.35),
    |view, seat, _| {
        let cards = held(view, seat);
        let pairs = cards
            .iter()
            .enumerate()
            .any(|(at, card)| cards[..at].iter().any(|other| other.rank() == card.rank()));
        !pairs
    },
    |view, seat, _| {
        let sum = |seat: u8| held(view, seat).iter().map(|card| u32::from(card.rank())).sum::<u32>();
        view.live.iter().any(|&other| sum(other) > sum(seat) + 4)
    },
    |view, _, _| view.drift > 0.0 || view.street > 5,
];

/// The dealer's choice: which of the cards left comes next, from the top of the deck.
type Choice = fn(&[Card], &[DealtTo], u8, &mut ChaCha20Rng) -> usize;

const FAIR: Choice = |_, _, _, _| 0;

/// Deals hands at six seats.
fn deal(hands: usize, seed: u64, folding: Folding, choice: Choice) -> Vec<OrderedHand> {
    let mut rng = ChaCha20Rng::seed_from_u64(seed);
    let mut drift = 0.0;
    let mut dealt = Vec::new();
    for hand in 0..hands {
        let mut deck: Vec<Card> = Card::all().collect();
        deck.shuffle(&mut rng);
        let mut cards: Vec<DealtTo> = Vec::new();
        let mut live: Vec<u8> = (1..=6).collect();
        for street in 3..=7 {
            for _ in 0..if street == 3 { 3 } else { 1 } {
                for &seat in &live {
                    let place = choice(&deck, &cards, seat, &mut rng);
                    let card = deck.remove(place);
                    let digit = deck.iter().filter(|other| **other < card).count() as f64;
                    drift += digit / deck.len() as f64 - 0.5;
                    cards.push(DealtTo { card, seat, street });
                }
            }
            let all = live.clone();
            for seat in all {
                let view = View { cards: &cards, live: &live, street, drift };
                if live.len() > 1 && folding(&view, seat, &mut rng) {
                    live.retain(|&other| other != seat);
                }
            }
            if live.len() < 2 {
                break;
            }
        }
        dealt.push(OrderedHand { number: hand.to_string(), cards });
    }
    dealt
}

#[test]
fn all_fifty_two_dealt_are_the_draws_of_the_deck() {
    let mut rng = ChaCha20Rng::seed_from_u64(1);
    for _ in 0..100 {
        let mut deck: Vec<Card> = Card::all().collect();
        deck.shuffle(&mut rng);
        let order: [u8; DECK_CARDS] = std::array::from_fn(|place| deck[place].index());
        // Lehmer's (1960) code: how many of the later cards are lower.
        let lower_after =
            |place: usize| order[place..].iter().filter(|&&card| card < order[place]).count() as u8;
        let wanted: Vec<u8> = (0..DECK_CARDS).map(lower_after).collect();
        assert_eq!(digits(&deck)[..51], wanted[..51]);
        // However few are dealt, they are the same.
        assert_eq!(digits(&deck[..17]), wanted[..17]);
    }
}

/// Of so many fair tables a way, no part and no verdict goes below its own probability more often than it may.
/// `DECKPROOF_DEALT_RUNS=2000` makes it a calibration; the tests have a small one.
#[test]
fn fair_deals_are_not_rejected_whatever_folds() {
    let runs: usize =
        std::env::var("DECKPROOF_DEALT_RUNS").map_or(60, |runs| runs.parse().expect("a number"));
    // Five standard deviations above the mean.
    let most = |rate: f64| {
        let mean = rate * runs as f64;
        (mean + 5.0 * (mean * (1.0 - rate)).sqrt()) as usize + 1
    };
    for (way, folding) in FOLDINGS.into_iter().enumerate() {
        let mut rejected: BTreeMap<String, [usize; 2]> = BTreeMap::new();
        for run in 0..runs {
            let judged = judge_hands(&deal(50, (100_000 * way + run) as u64, folding, FAIR), 0, false);
            let parts =
                judged.parts.iter().map(|part| (format!("{}, {}", part.family, part.name), part.p_value()));
            for (name, p_value) in parts.chain([("all".to_owned(), judged.family_p_value)]) {
                let counts = rejected.entry(name).or_default();
                counts[0] += usize::from(p_value <= 0.05);
                counts[1] += usize::from(p_value <= 0.2);
            }
        }
        for (name, [rare, often]) in rejected {
            let is_rare = rare <= most(0.05) && often <= most(0.2);
            assert!(is_rare, "way {way}, {name}: {rare}, {often} of {runs}");
        }
    }
}

fn is_caught(hands: usize, folding: Folding, choice: Choice) -> DealtJudgement {
    let judged = judge_hands(&deal(hands, 9, folding, choice), 0, false);
    assert_eq!(judged.verdict, Verdict::Fail, "p = {:e}", judged.family_p_value);
    judged
}

/// The part on which the most was won.
fn strongest(judged: &DealtJudgement) -> &BetPart {
    judged.parts.iter().max_by(|a, b| a.most.total_cmp(&b.most)).expect("parts")
}

/// Which hands are left out may depend on their cards: of fair hands, those that begin with an ace. One that is left out hides no dealer.
#[test]
fn hands_that_were_chosen_by_their_cards_are_no_fail() {
    let all = deal(2_000, 6, FOLDINGS[1], FAIR);
    let begins_with_an_ace = |hand: &OrderedHand| hand.cards[0].card.rank() == 12;
    let aces: Vec<OrderedHand> = all.iter().filter(|hand| begins_with_an_ace(hand)).cloned().collect();
    let left_out = (all.len() - aces.len()) as u64;
    assert_eq!(judge_hands(&aces, 0, false).verdict, Verdict::Fail);
    let judged = judge_hands(&aces, left_out, false);
    assert_eq!((judged.verdict, judged.family_p_value), (Verdict::Inconclusive, 1.0));
    assert_eq!(judge_hands(&aces, left_out, true).verdict, Verdict::Fail);
    let choice: Choice = |deck, _, seat, _| usize::from(seat != 3 && deck[0].rank() > 10);
    assert_eq!(judge_hands(&deal(1_000, 9, FOLDINGS[1], choice), 1, false).verdict, Verdict::Fail);
    // Python: log(4 * comb(4, 2)) = 3.178053830347946.
    assert!((ln_choices(2, 2) - 3.178_053_830_347_946).abs() < 1e-12);
}

/// Seat 3 gets the higher of the next two cards one time in twenty.
#[test]
fn the_better_of_two_cards_one_time_in_twenty_is_caught() {
    let choice: Choice = |deck, _, seat, rng| {
        usize::from(seat == 3 && deck[1].rank() > deck[0].rank() && rng.random_bool(0.05))
    };
    let judged = is_caught(12_000, FOLDINGS[0], choice);
    let first = strongest(&judged);
    assert!(first.name.contains("seat 3"), "{first:?}");
}

/// The dealer looks at the top card and keeps a high one back for seat 3 by dealing the second.
#[test]
fn second_dealing_is_caught() {
    let choice: Choice =
        |deck, _, seat, rng| usize::from(seat != 3 && deck[0].rank() > 10 && rng.random_bool(0.25));
    is_caught(2_000, FOLDINGS[1], choice);
}

/// A player with two aces never gets a third.
#[test]
fn no_third_ace_is_caught() {
    let choice: Choice = |deck, cards, seat, _| {
        let aces = cards.iter().filter(|card| card.seat == seat && card.card.rank() == 12).count();
        let other = deck.iter().position(|card| card.rank() != 12).expect("another card");
        if aces >= 2 { other } else { 0 }
    };
    let judged = is_caught(3_000, FOLDINGS[0], choice);
    let first = strongest(&judged);
    assert!(first.name.starts_with("a third"), "{first:?}");
}

/// In one hand of ten the river card is dealt from those that pair what the seat holds, if there is one.
#[test]
fn river_pairs_made_are_caught_on_their_street() {
    let choice: Choice = |deck, cards, seat, rng| {
        let own: Vec<u8> =
            cards.iter().filter(|card| card.seat == seat).map(|card| card.card.rank()).collect();
        let pairs = deck.iter().position(|card| own.contains(&card.rank()));
        pairs.filter(|_| own.len() == 6 && rng.random_bool(0.1)).unwrap_or(0)
    };
    let judged = is_caught(2_000, FOLDINGS[0], choice);
    let first = strongest(&judged);
    assert_eq!(first.name, "a pair, street 7");
}

/// Three times in ten a card that pairs the board that leads is put back.
#[test]
fn a_leader_whose_pairs_are_killed_is_caught() {
    let choice: Choice = |deck, cards, seat, rng| {
        let of = |seat: u8| cards.iter().filter(move |card| card.seat == seat).map(|card| card.card.rank());
        // Nobody folds: before its card of a street a seat holds as many as every other did when the street began.
        let count = of(seat).count();
        let strength = |seat: u8| {
            let shown: Vec<u8> = of(seat).take(count).skip(2).collect();
            let times = |rank: u8| shown.iter().filter(|&&other| other == rank).count();
            let mut ranks: Vec<(usize, u8)> = shown.iter().map(|&rank| (times(rank), rank)).collect();
            ranks.sort_unstable_by(|a, b| b.cmp(a));
            ranks
        };
        let leads = count > 2 && (1..=6).all(|other| strength(seat) >= strength(other));
        let kills = leads && held_ranks(cards, seat).contains(&deck[0].rank()) && rng.random_bool(0.3);
        let other = deck.iter().position(|card| !held_ranks(cards, seat).contains(&card.rank()));
        if kills { other.unwrap_or(0) } else { 0 }
    };
    let judged = is_caught(2_000, FOLDINGS[0], choice);
    let found = judged.parts.iter().find(|part| part.name == "a pair, the seat that leads on board");
    assert!(found.expect("somebody leads").p_value() < 1e-6, "{:?}", judged.families());
}

/// Seat 3 never gets rolled-up trips. In 11,000 hands it gets 25.9 by chance (1 in 425), and a bet on none wins as many natural
/// logarithms.
#[test]
fn a_seat_without_rolled_up_trips_is_caught() {
    let choice: Choice = |deck, cards, seat, _| {
        let own = held_ranks(cards, seat);
        let other = deck.iter().position(|card| Some(&card.rank()) != own.first()).expect("another card");
        if seat == 3 && own.len() == 2 && own[0] == own[1] { other } else { 0 }
    };
    let only_third: Folding = |_, _, _| true;
    let judged = is_caught(11_000, only_third, choice);
    assert_eq!(strongest(&judged).name, "rolled-up trips, seat 3");
}

/// One time in twenty a seat's door card is the one of its hand before: nothing within a hand shows it.
#[test]
fn door_cards_of_a_stale_deck_are_caught() {
    let mut dealt = deal(2_000, 9, FOLDINGS[1], FAIR);
    let mut rng = ChaCha20Rng::seed_from_u64(10);
    for hand in 1..dealt.len() {
        for place in 12..18 {
            let old = dealt[hand - 1].cards[place].card;
            let cards = &mut dealt[hand].cards;
            let again = cards.iter().position(|own| own.card == old);
            if rng.random_bool(0.05) && again.is_none_or(|again| again >= place) {
                let own = std::mem::replace(&mut cards[place].card, old);
                again.filter(|&again| again != place).into_iter().for_each(|again| cards[again].card = own);
            }
        }
    }
    let judged = judge_hands(&dealt, 0, false);
    assert_eq!(judged.verdict, Verdict::Fail, "p = {:e}", judged.family_p_value);
    let first = strongest(&judged);
    assert!(first.family == "before" && first.name.ends_with(", street 3"), "{first:?}");
}

fn held_ranks(cards: &[DealtTo], seat: u8) -> Vec<u8> {
    cards.iter().filter(|card| card.seat == seat).map(|card| card.card.rank()).collect()
}

/// Hands of three seats by `rand() % n` of Visual C++, dealt as `pop()` does behind Fisher–Yates downward; the second seat folds after
/// fourth street. A second program in a few lines.
fn popped(hands: usize, has_burns: bool) -> Vec<OrderedHand> {
    let mut state = 20_261_124u32;
    let mut rand = || {
        state = state.wrapping_mul(214_013).wrapping_add(2_531_011);
        (state >> 16 & 0x7fff) as usize
    };
    let mut hand = |number: usize| {
        let mut deck: Vec<Card> = Card::all().collect();
        (1..DECK_CARDS).rev().for_each(|place| deck.swap(place, rand() % (place + 1)));
        let mut cards = Vec::new();
        for street in 3..=7 {
            if has_burns && street > 3 {
                deck.pop();
            }
            for _ in 0..if street == 3 { 3 } else { 1 } {
                for seat in (1..=3).filter(|seat| *seat != 2 || street < 5) {
                    cards.push(DealtTo { card: deck.pop().expect("52 cards"), seat, street });
                }
            }
        }
        OrderedHand { number: format!("weak {number}"), cards }
    };
    (0..hands).map(&mut hand).collect()
}

fn dealt_of(files: &[&[OrderedHand]]) -> DealtHands {
    let mut dealt = DealtHands::default();
    for hands in files {
        dealt.begun.push(dealt.hands.len());
        dealt.hands.extend_from_slice(hands);
    }
    dealt
}

#[test]
fn a_generator_behind_dealt_cards_is_named_with_its_first_hand() {
    let fair = deal(20, 3, FOLDINGS[1], FAIR);
    for has_burns in [false, true] {
        let weak = popped(6, has_burns);
        let judged = judge(&dealt_of(&[&fair, &weak]));
        let own = judged.search.recovered.as_ref().expect("it is recovered");
        assert_eq!((judged.verdict, &own.first[..], own.has_burns), (Verdict::Fail, "weak 0", has_burns));
        assert_eq!(own.recovery.records(), 6);
        assert!(own.proof().contains("from hand weak 0 on: Microsoft rand() % n"), "{}", own.proof());
        let claims = judged.claims(&dealt_of(&[&fair, &weak]));
        assert_eq!(Verdict::of(&claims), Verdict::Fail);
    }
}

/// A deck that comes again is searched once, by the hand that shows most of it: forty hands of a deck that is never shuffled are one.
#[test]
fn a_deck_that_comes_again_is_searched_once() {
    let weak = popped(6, false);
    let begun = |hand: &OrderedHand| {
        let number = format!("folded {}", hand.number);
        OrderedHand { number, cards: hand.cards[..9].to_vec() }
    };
    let again: Vec<OrderedHand> =
        weak.iter().flat_map(|hand| [begun(hand), hand.clone(), begun(hand)]).collect();
    let same =
        || OrderedHand { number: "same".to_owned(), cards: deal(1, 3, FOLDINGS[1], FAIR)[0].cards.clone() };
    let same: Vec<OrderedHand> = std::iter::repeat_with(same).take(40).collect();
    let judged = judge(&dealt_of(&[&same, &again]));
    let own = judged.search.recovered.as_ref().expect("it is recovered");
    assert_eq!((&own.first[..], own.searched, own.recovery.records()), ("weak 0", 1 + 6, 6));
}

#[test]
fn fair_hands_are_not_recovered_and_what_was_left_out_is_named() {
    let judged = judge(&dealt_of(&[&deal(30, 4, FOLDINGS[1], FAIR)]));
    assert_eq!(judged.search.recovered, None);
    assert!(judged.search.left_out.contains(&"glibc rand() % n, few decks"), "{:?}", judged.search.left_out);
    assert_eq!(judged.verdict, Verdict::Inconclusive);
}
