//! Waiting times along a sequence of cards, as many as its length alone decides, and their distributions.

use crate::math::distribution::Distribution;

/// Ranks to collect.
const RANKS: usize = 13;

/// Decks on the way of one gap and of one collection: mean and standard deviation.
const GAP_DECKS: (f64, f64) = (4.0, 3.464_101_615_137_755);
const COLLECTION_DECKS: (f64, f64) = (41.341_738_816_738_82, 14.971_282_946_908_515);

/// Deviations of room, so that one segment in 10^9 has fewer.
const ROOM: f64 = 6.0;

/// How many waits a sequence of n decks holds almost surely: `G·μ + 6σ√G ≤ n`.
fn waits(n: usize, (mean, deviation): (f64, f64)) -> usize {
    let room = ROOM * deviation;
    let root = (-room + (room * room + 4.0 * mean * n as f64).sqrt()) / (2.0 * mean);
    (root * root) as usize
}

/// Other cards between one spade (suit 3) and the next, from the start on; the last cell holds all longer gaps.
pub(super) fn gaps(cards: &[u8], cells: &mut [u64]) {
    let spades = cards.iter().enumerate().filter(|(_, card)| *card % 4 == 3).map(|(deck, _)| deck + 1);
    let mut last = 0;
    for deck in spades.take(waits(cards.len(), GAP_DECKS)) {
        cells[(deck - last - 1).min(cells.len() - 1)] += 1;
        last = deck;
    }
}

/// Decks until all ranks were seen, again and again; cell 0 is 13 decks, the last all longer ones.
pub(super) fn collections(cards: &[u8], cells: &mut [u64]) {
    let (mut seen, mut decks, mut left) = (0u16, 0, waits(cards.len(), COLLECTION_DECKS));
    for card in cards {
        seen |= 1 << (card / 4);
        decks += 1;
        if seen.count_ones() as usize == RANKS && left > 0 {
            cells[(decks - RANKS).min(cells.len() - 1)] += 1;
            (seen, decks, left) = (0, 0, left - 1);
        }
    }
}

/// `(1/4)(3/4)^k`, the last cell with all that follows.
pub(super) fn gap_distribution(cells: usize) -> Distribution {
    let point = |k: usize| 0.75f64.powi(k as i32) * if k + 1 == cells { 1.0 } else { 0.25 };
    Distribution::new(0, (0..cells).map(point).collect())
}

/// From 13 decks on: the chain of ranks seen, which gains one with probability (13 − s)/13.
pub(super) fn collection_distribution(cells: usize) -> Distribution {
    let mut seen = [0.0; RANKS];
    seen[0] = 1.0;
    let mut points = Vec::new();
    for deck in 1..RANKS + cells - 1 {
        let mut next = [0.0; RANKS];
        let mut complete = 0.0;
        for (ranks, mass) in seen.into_iter().enumerate() {
            let new = (RANKS - ranks) as f64 / RANKS as f64;
            next[ranks] += mass * (1.0 - new);
            *next.get_mut(ranks + 1).unwrap_or(&mut complete) += mass * new;
        }
        seen = next;
        if deck >= RANKS {
            points.push(complete);
        }
    }
    points.push(seen.iter().sum());
    Distribution::new(RANKS as u64, points)
}

/// Distinct ranks among five: `S(5, r)·13·12⋯(14 − r)/13^5` (Knuth, TAOCP 2, 3.3.2 D).
pub(super) fn poker_distribution() -> Distribution {
    const WAYS: [f64; 5] = [1.0, 15.0, 25.0, 10.0, 1.0];
    let falling = |r: usize| (0..r).map(|i| (RANKS - i) as f64).product::<f64>();
    let point = |r: usize| WAYS[r - 1] * falling(r) / (RANKS as f64).powi(5);
    Distribution::new(1, (1..=5).map(point).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn collections_have_the_textbook_moments() {
        // Feller (1968), IX.3: 13·H_13 decks; variance Σ 13(13 − k)... = Σ (1 − p_k)/p_k².
        let distribution = collection_distribution(2_000);
        let harmonic: f64 = (1..=13).map(|k| 1.0 / f64::from(k)).sum();
        let variance: f64 = (1..=13).map(|k| f64::from(k) / 13.0).map(|p| (1.0 - p) / (p * p)).sum();
        assert!(
            (distribution.mean() - 13.0 * harmonic).abs() < 1e-9
                && (distribution.mean() - COLLECTION_DECKS.0).abs() < 1e-9
        );
        assert!((distribution.variance() - variance).abs() < 1e-6);
        assert!((variance.sqrt() - COLLECTION_DECKS.1).abs() < 1e-9, "{}", variance.sqrt());
    }

    #[test]
    fn poker_hands_have_knuths_probabilities() {
        // All different: 13·12·11·10·9/13^5.
        assert!((poker_distribution().point(5) - 154_440.0 / 371_293.0).abs() < 1e-15);
    }

    #[test]
    fn waits_are_counted_from_the_start_and_no_more_than_allowed() {
        let cards: Vec<u8> = (0..400).map(|deck| if deck % 4 == 3 { 3 } else { 0 }).collect();
        let mut cells = vec![0; 40];
        gaps(&cards, &mut cells);
        assert_eq!((cells[3], cells.iter().sum::<u64>()), (waits(400, GAP_DECKS) as u64, cells[3]));
        assert!((50..100).contains(&cells[3]), "{}", cells[3]);
        let cards: Vec<u8> = (0..1_300).map(|deck| (deck % 13 * 4) as u8).collect();
        let mut cells = vec![0; 160];
        collections(&cards, &mut cells);
        assert_eq!(cells[0], waits(1_300, COLLECTION_DECKS) as u64);
    }
}
