//! Hands that are dealt a second time: their first cards, in the order dealt, are those of an earlier hand.
//!
//! Folds do not change which card is next, so that two hands of one deck begin with the same cards. Of n fair
//! hands each has the first k cards of an earlier one with probability (n − 1)·(52 − k)!/52! at most, whatever those before are, so
//! that m or more do so with probability μ^m/m! at most, μ = n·(n − 1)/2·(52 − k)!/52!. Every hand has six cards, so that all
//! are compared.
//!
//! A hand of another file may be the same one, as files overlap. It cannot be where a card of both is dealt on another street, or
//! where one seat has cards on third street that two seats share in the other file: no numbering of seats explains that, and no seat left
//! out, since what is behind it would stand at another place.

use std::collections::{BTreeMap, BTreeSet};

use crate::hands::dealt::read::{DealtHands, OrderedHand};
use deckproof_deck::card::DECK_CARDS;
use deckproof_stats::math::gamma::ln_factorial;

/// Cards by which the hands of a day are remembered: of a billion fair hands two have as many alike once in 400 million such files.
pub const CARDS: usize = 16;

/// Cards that are compared at most.
const CARDS_MAX: usize = 18;

/// Cards that every hand has: three of two seats.
pub(super) const CARDS_MIN: usize = 6;

/// Probability below which what agrees is no chance, for each of thirteen numbers of cards: 6.5e-13 in all.
const CHANCE: f64 = 5e-14;

/// Pairs that are named.
const NAMED_MAX: usize = 5;

/// Hands that came again.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct RepeatedHands {
    /// How many begin as an earlier one that is not the same hand of an overlapping file.
    pub hands: u64,
    /// How many cards of theirs agree at least.
    pub cards: usize,
    /// Those of them that begin as one of another file does, which cannot be the same hand.
    pub at_other_tables: u64,
    /// The first of them: what the file calls the earlier hand and this one.
    pub named: Vec<[String; 2]>,
    /// Those that begin as one of an earlier file does and may be the same hand, by their places: files that overlap, or a deck that was
    /// dealt again.
    pub across: Vec<usize>,
    /// The first of them.
    pub named_across: Option<[String; 2]>,
    /// Cards from which on one hand that agrees is no chance.
    pub cards_of_one: usize,
    /// Hands with fewer cards: several of them must agree.
    pub short: u64,
}

/// Compares every hand with those before it.
pub(super) fn repeated(dealt: &DealtHands) -> RepeatedHands {
    let hands = &dealt.hands;
    let all: Vec<usize> = (0..hands.len()).collect();
    let is_shown = |cards: usize, count: u64| ln_chance(hands.len(), cards, count) < libm::log(CHANCE);
    let lengths = || CARDS_MIN..=CARDS_MAX;
    let cards_of_one = lengths().find(|&cards| is_shown(cards, 1)).unwrap_or(CARDS_MAX);
    let mut found = RepeatedHands {
        cards_of_one,
        short: hands.iter().filter(|hand| hand.cards.len() < cards_of_one).count() as u64,
        ..RepeatedHands::default()
    };
    let again = |groups: &[Vec<usize>]| groups.iter().map(|group| group.len() as u64 - 1).sum::<u64>();
    let Some(cards) = lengths().find(|&cards| is_shown(cards, again(&groups(hands, &all, cards)))) else {
        return found;
    };
    // A copy has no chance of its own: those are taken out first.
    let copies: BTreeMap<usize, usize> =
        groups(hands, &all, cards).iter().flat_map(|group| copies(dealt, group)).collect();
    let name =
        |(&hand, &earlier): (&usize, &usize)| [hands[earlier].number.clone(), hands[hand].number.clone()];
    found.named_across = copies.iter().next().map(name);
    found.across = copies.keys().copied().collect();
    let others: Vec<usize> = all.into_iter().filter(|hand| !copies.contains_key(hand)).collect();
    let shown = lengths().map(|cards| (cards, groups(hands, &others, cards)));
    if let Some((cards, groups)) = shown.into_iter().find(|(cards, groups)| is_shown(*cards, again(groups))) {
        let mut pairs: BTreeMap<usize, usize> = BTreeMap::new();
        for group in &groups {
            for (at, &hand) in group.iter().enumerate().skip(1) {
                let own = group[..at].iter().find(|&&earlier| file(dealt, earlier) == file(dealt, hand));
                pairs.insert(hand, *own.unwrap_or(&group[0]));
            }
        }
        let is_of_two = |(hand, earlier): &(&usize, &usize)| {
            file(dealt, **hand) != file(dealt, **earlier) && !may_be_one(&hands[**earlier], &hands[**hand])
        };
        (found.hands, found.cards) = (pairs.len() as u64, cards);
        found.at_other_tables = pairs.iter().filter(is_of_two).count() as u64;
        found.named = pairs.iter().take(NAMED_MAX).map(name).collect();
    }
    found
}

/// Natural logarithm of what bounds the probability that so many of these hands agree with an earlier one.
fn ln_chance(hands: usize, cards: usize, count: u64) -> f64 {
    let ln_deals: f64 = (0..cards).map(|card| libm::log((DECK_CARDS - card) as f64)).sum();
    let n = hands as f64;
    count as f64 * (libm::log(n * (n - 1.0).max(1.0) / 2.0) - ln_deals) - ln_factorial(count)
}

/// Hands that begin with the same cards, each group by place.
fn groups(hands: &[OrderedHand], some: &[usize], cards: usize) -> Vec<Vec<usize>> {
    let first = |hand: &usize| hands[*hand].cards.get(..cards).map(|own| own.iter().map(|dealt| dealt.card));
    let mut long: Vec<usize> = some.iter().copied().filter(|hand| first(hand).is_some()).collect();
    let order = |a: &usize, b: &usize| first(a).into_iter().flatten().cmp(first(b).into_iter().flatten());
    long.sort_by(order);
    let groups = long.chunk_by(|a, b| order(a, b).is_eq()).filter(|group| group.len() > 1);
    groups.map(<[usize]>::to_vec).collect()
}

fn file(dealt: &DealtHands, hand: usize) -> usize {
    dealt.begun.partition_point(|&begun| begun <= hand)
}

/// Of hands that begin alike those that may be one of an earlier file, with that one; a hand is in a file but once.
fn copies(dealt: &DealtHands, group: &[usize]) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    let mut taken = BTreeSet::new();
    let mut originals: Vec<usize> = Vec::new();
    for &hand in group.iter().filter(|_| dealt.begun.len() > 1) {
        let own = file(dealt, hand);
        let original = originals.iter().copied().find(|&earlier| {
            file(dealt, earlier) != own
                && !taken.contains(&(earlier, own))
                && may_be_one(&dealt.hands[earlier], &dealt.hands[hand])
        });
        match original {
            Some(original) => {
                taken.insert((original, own));
                found.push((hand, original));
            }
            None => originals.push(hand),
        }
    }
    found
}

/// Whether two hands that begin with the same cards may be one: as far as they agree, every card is of the same street, and on third
/// street, where seats get more than one, of the same seat but for its number.
fn may_be_one(one: &OrderedHand, other: &OrderedHand) -> bool {
    let alike = one.cards.iter().zip(&other.cards).take_while(|(one, other)| one.card == other.card);
    let (mut there, mut back) = ([0u8; 9], [0u8; 9]);
    let fits = |from: u8, to: u8, seats: &mut [u8; 9]| {
        let seat = &mut seats[usize::from(from)];
        *seat = if *seat == 0 { to } else { *seat };
        *seat == to
    };
    alike.into_iter().all(|(one, other)| {
        let is_third = one.street == 3;
        one.street == other.street
            && (!is_third || fits(one.seat, other.seat, &mut there) && fits(other.seat, one.seat, &mut back))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hands::dealt::read::DealtTo;
    use deckproof_deck::card::Card;
    use rand::SeedableRng;
    use rand::rngs::ChaCha20Rng;
    use rand::seq::SliceRandom;

    /// Hands of these decks; the seats that get a card of each street.
    fn hands(decks: std::ops::Range<u64>, name: &str, streets: &[&[u8]]) -> Vec<OrderedHand> {
        let hand = |number: u64| {
            let mut deck: Vec<Card> = Card::all().collect();
            deck.shuffle(&mut ChaCha20Rng::seed_from_u64(number));
            let rounds = [streets[0]; 2].into_iter().chain(streets.iter().copied());
            let seats = rounds
                .zip([3, 3, 3, 4, 5, 6, 7])
                .flat_map(|(seats, street)| seats.iter().map(move |&seat| (seat, street)));
            let cards =
                seats.zip(deck).map(|((seat, street), card)| DealtTo { card, seat, street }).collect();
            OrderedHand { number: format!("{name}{number}"), cards }
        };
        decks.map(hand).collect()
    }

    /// Those that are proof, of them at other tables, how many cards agree, and those that may be copies.
    fn found(files: &[&[OrderedHand]]) -> (u64, u64, usize, usize) {
        let mut dealt = DealtHands::default();
        for hands in files {
            dealt.begun.push(dealt.hands.len());
            dealt.hands.extend_from_slice(hands);
        }
        let found = repeated(&dealt);
        (found.hands, found.at_other_tables, found.cards, found.across.len())
    }

    const SIX: &[u8] = &[1, 2, 3, 4, 5, 6];

    #[test]
    fn a_deck_at_two_tables_is_no_overlap_of_files() {
        let six = hands(0..40, "A", &[SIX, &[1, 2, 4, 5, 6], &[1, 4]]);
        let check = |streets: &[&[u8]], wanted| {
            let other = hands(0..40, "B", streets);
            assert_eq!(found(&[&six, &other]), wanted, "{streets:?}");
            assert_eq!(found(&[&other, &six]), wanted, "{streets:?}");
        };
        check(&[&[1, 2, 3, 4]], (40, 40, 6, 0));
        check(&[&[1, 2, 3, 4, 5]], (40, 40, 6, 0));
        check(&[&[1, 2]], (40, 40, 6, 0));
        // Other seats go: the 23rd card is of fourth street there and of fifth street here.
        check(&[SIX, &[2, 3, 4, 5], &[2, 3]], (40, 40, 6, 0));
        // The same hand with its seats renumbered, on every street by itself, and cut off.
        check(&[&[2, 3, 4, 5, 6, 7], &[2, 3, 5, 6, 7], &[2, 5]], (0, 0, 0, 40));
        check(&[SIX, &[1, 2, 3, 4, 5], &[1, 2]], (0, 0, 0, 40));
        check(&[SIX], (0, 0, 0, 40));
    }

    /// Without its last seat six cards of a hand of seven seats are where they were.
    #[test]
    fn a_seat_that_is_left_out_of_a_file_is_no_second_table() {
        let whole = hands(0..40, "A", &[&[1, 2, 3, 4, 5, 6, 7], &[1, 7]]);
        let mut cut = whole.clone();
        cut.iter_mut().for_each(|hand| hand.cards.retain(|dealt| dealt.seat != 7));
        assert_eq!(found(&[&whole, &cut]), (0, 0, 0, 40));
    }

    /// A file that holds each hand once is a copy, and one that holds it twice is not.
    #[test]
    fn a_hand_is_in_a_file_but_once() {
        let once = hands(0..40, "A", &[SIX]);
        let twice = [hands(0..40, "B", &[SIX]), hands(0..40, "C", &[SIX])].concat();
        assert_eq!(found(&[&once, &once]), (0, 0, 0, 40));
        assert_eq!(found(&[&once, &twice]), (40, 0, 6, 40));
        assert_eq!(found(&[&twice]), (40, 0, 6, 0));
    }

    /// Of 41 hands, 41·40/2·46!/52! = 5.6e-8: one that agrees in six cards may be chance, and two are 1.6e-15.
    #[test]
    fn two_of_few_cards_are_needed() {
        let heads_up: &[&[u8]] = &[&[1, 2]];
        let again =
            |decks: u64| [hands(0..41 - decks, "A", heads_up), hands(0..decks, "B", heads_up)].concat();
        assert_eq!(found(&[&again(0)]), (0, 0, 0, 0));
        assert_eq!(found(&[&again(1)]), (0, 0, 0, 0));
        assert_eq!(found(&[&again(2)]), (2, 0, 6, 0));
    }
}
