//! Packets: cards that lie in a row again in a later deck, wherever they lie there.
//!
//! Null: the seven cards that follow a card, the first again after the last, are one of 51·50·49·48·47·46·45 = 583,506,504,000
//! equally likely sequences. For each card of one suit the pairs `Σ k(k−1)/2` among the decks of each segment of 65,536 are a
//! Poisson count of mean `Σ n(n−1)/2M`, which may convict by the number of repeats against a proven bound. Part: `eight-in-a-row`,
//! the worst of these thirteen by Bonferroni: two sequences of one deck may overlap, so that all pairs together are no Poisson count.

use crate::battery::nulls::histogram::worst_of_each;
use crate::battery::nulls::throws::{Fallen, Throws};
use crate::battery::outcome::Outcome;
use crate::battery::repeats::collisions::compared_in;
use crate::battery::statistic::{About, Design, SEGMENT_DECKS, Scope, Statistic, about_and_cells};
use crate::battery::stream;
use crate::battery::tier::Tier;
use crate::battery::view::Label;
use deckproof_deck::card::DECK_CARDS;
use deckproof_deck::deck::block::{BLOCK_HANDS, DeckBlock, Row};

pub(in crate::battery) struct Packets;

const ABOUT: About = About {
    id: "packets",
    version: 1,
    tier: Tier::Deep,
    title: "packets of eight cards that come again",
    null: "Eight cards that lay in a row lie in a row again, at any place of another deck, as rarely as they should.",
    source: "for each of 13 cards pairs of decks in segments of 65,536 in which the same seven follow it, Poisson(Σ n(n−1)/2M), \
             M = 583,506,504,000: Arratia, Goldstein & Gordon (1989); repeats bounded by Hoeffding (1956) and Anderson & Samuels \
             (1967); Bonferroni (1936) over the cards",
    detects: "Cards that stay together through shuffles, however many; parts of decks that are taken from a list.",
    decks_min: 100,
    design: Design {
        family: Some("collisions"),
        label: Label::Card,
        scope: Scope::Segment,
        ..Design::OF_DECKS
    },
};

/// The cards that a sequence follows: those of the first suit, which are a quarter of all sequences.
const STARTS: usize = 13;

/// Cards that follow one.
const FOLLOWING: usize = 7;

/// 51·50·49·48·47·46·45.
const SEQUENCES: f64 = 583_506_504_000.0;

/// Decks, pairs of decks compared, then pairs and repeats of each start.
const CELLS: usize = 2 + 2 * STARTS;

impl Statistic for Packets {
    about_and_cells!(ABOUT, CELLS);

    /// Decks; pairs of decks compared; then pairs and repeats of the sequences behind each card of the first suit, the two first.
    fn observe(&self, blocks: &[DeckBlock], counts: &mut [u64]) {
        assert_eq!(counts.len(), CELLS);
        let decks = stream::decks_of(blocks);
        counts[0] += decks;
        counts[1] += decks * decks.saturating_sub(1) / 2;
        let places: Vec<[Row; STARTS]> = blocks.iter().map(places).collect();
        let mut keys = Vec::with_capacity(decks as usize);
        for (start, own) in counts[2..].chunks_mut(2).enumerate() {
            keys.clear();
            for (block, places) in blocks.iter().zip(&places) {
                keys.extend((0..block.hands()).map(|lane| sequence(block, lane, places[start][lane])));
            }
            let fallen = Fallen::of_keys(&mut keys);
            own[0] += fallen.pairs;
            own[1] += fallen.repeats;
        }
    }

    fn decks_in(&self, counts: &[u64]) -> Option<u64> {
        let (decks, compared) = (counts[0], u128::from(counts[1]));
        let mut all = counts[2..].chunks(2);
        let are_sound = all.all(|own| fallen(own).is_sound(decks, compared));
        (compared == compared_in(decks, SEGMENT_DECKS) && are_sound).then_some(decks)
    }

    fn outcomes(&self, counts: &[u64], _: u64) -> Vec<Outcome> {
        let throws = Throws { keys: counts[0] as f64, compared: counts[1] as f64, cells: SEQUENCES };
        worst_of_each(
            counts[2..].chunks(2).map(|own| vec![throws.outcome("eight-in-a-row", fallen(own))]).collect(),
        )
    }
}

fn fallen(own: &[u64]) -> Fallen {
    Fallen { pairs: own[0], repeats: own[1] }
}

/// Where the cards of the first suit lie in every lane.
fn places(block: &DeckBlock) -> [Row; STARTS] {
    let mut places = [[0; BLOCK_HANDS]; STARTS];
    for (place, row) in (0..).zip(block.rows()) {
        for (lane, &card) in row[..block.hands()].iter().enumerate() {
            if card % 4 == 0 {
                places[usize::from(card / 4)][lane] = place;
            }
        }
    }
    places
}

/// The cards that follow a place of a lane, as a number in base 52.
fn sequence(block: &DeckBlock, lane: usize, place: u8) -> u64 {
    (1..=FOLLOWING).fold(0, |key, step| {
        let card = block.row((usize::from(place) + step) % DECK_CARDS)[lane];
        key * DECK_CARDS as u64 + u64::from(card)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::battery::walk::sample::{blocks, dealt};
    use deckproof_deck::deck::Deck;

    fn counts(decks: &[Deck]) -> Vec<u64> {
        let mut counts = vec![0; CELLS];
        Packets.observe(&blocks(decks), &mut counts);
        counts
    }

    /// Fair decks, and eight cards that begin with one of the first suit: those of deck 3 lie in deck 70 as well, from place 20 on,
    /// the last of deck 9, past its end, in deck 80 from place 30 on, and seven cards of deck 12 in deck 90.
    fn with_packets() -> Vec<Deck> {
        let mut decks = dealt("certified", 0..100);
        let starts =
            |deck: &Deck| (0..52).filter(|&at| deck.indices()[at].is_multiple_of(4)).collect::<Vec<usize>>();
        let (first, last) = (starts(&decks[3])[0], starts(&decks[9])[STARTS - 1]);
        assert!(last > 45, "it goes past the end");
        let short = starts(&decks[12])[5];
        for (from, at, cards, to, place) in
            [(3, first, 8, 70, 20), (9, last, 8, 80, 30), (12, short, 7, 90, 10)]
        {
            for step in 0..cards {
                let card = decks[from].indices()[(at + step) % 52];
                let here = decks[to].places()[usize::from(card)];
                decks[to].swap(usize::from(here), place + step);
            }
        }
        decks
    }

    #[test]
    fn sequences_are_a_falling_product() {
        let ways: f64 = (45..=51).map(f64::from).product();
        assert!((SEQUENCES - ways).abs() < 0.5);
    }

    /// Pairs of decks by the definition, card by card.
    #[test]
    fn packets_are_found_wherever_they_lie() {
        let decks = with_packets();
        let following = |deck: &Deck, card: u8| {
            let at = usize::from(deck.places()[usize::from(card)]);
            (1..8).map(|step| deck.indices()[(at + step) % 52]).collect::<Vec<u8>>()
        };
        let mut pairs = 0;
        for (start, own) in counts(&decks)[2..].chunks(2).enumerate() {
            let all: Vec<Vec<u8>> = decks.iter().map(|deck| following(deck, 4 * start as u8)).collect();
            let equal = |at: usize| all[..at].iter().filter(|own| **own == all[at]).count() as u64;
            let wanted: u64 = (0..all.len()).map(equal).sum();
            assert_eq!(own, [wanted, wanted], "behind card {}", 4 * start);
            pairs += wanted;
        }
        assert_eq!(pairs, 2, "those that were laid there");
        assert_eq!(counts(&dealt("certified", 0..100))[2..].iter().sum::<u64>(), 0);
    }

    #[test]
    fn counts_of_no_whole_segments_are_refused() {
        let counts = counts(&with_packets());
        assert_eq!(Packets.decks_in(&counts), Some(100));
        for (place, added) in [(0, 1), (1, 1), (2, 4), (3, 1)] {
            let mut forged = counts.clone();
            forged[place] += added;
            assert_ne!(Packets.decks_in(&forged), Some(100), "{place}");
        }
        assert_eq!(Packets.decks_in(&[u64::MAX; CELLS]), None);
    }

    /// By hand: one pair behind one card among 1,000 decks has a probability of 13 · 499,500 / 583,506,504,000, on both sides twice that.
    #[test]
    fn one_pair_of_a_thousand_decks_is_as_rare_as_it_is() {
        let mut counts = vec![0; CELLS];
        (counts[0], counts[1], counts[8], counts[9]) = (1_000, 499_500, 1, 1);
        let [outcome] = &Packets.finish(&counts, 1_000)[..] else { panic!("one part") };
        let wanted = 2.0 * 13.0 * 499_500.0 / 583_506_504_000.0;
        assert!((outcome.p_value / wanted - 1.0).abs() < 1e-3, "{}", outcome.p_value);
        (counts[8], counts[9]) = (0, 0);
        assert!(Packets.finish(&counts, 1_000)[0].p_value > 0.99);
    }
}
