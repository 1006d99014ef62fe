//! Ranking speed, high and low together, and its ratio to the crate `aya_poker` in the same run.
//!
//! Rounds take turns, so that a noisy machine slows all alike; each ratio is the median over rounds.

use std::hint::black_box;
use std::time::Instant;

use deckproof::card::Card;
use deckproof::deck::block::Row;
use deckproof::stud::card_set::CardSet;
use deckproof::stud::low::Low8;
use deckproof::stud::rank::{High, lanes};
use rand::SeedableRng;
use rand::rngs::ChaCha8Rng;
use rand::seq::index::sample;

/// Hands a round: 448 kB of cards, so that the second level of cache holds them.
const HANDS: usize = 64_000;
const ROUNDS: usize = 41;

fn main() {
    let mut generator = ChaCha8Rng::seed_from_u64(1);
    let hands: Vec<[Card; 7]> = (0..HANDS)
        .map(|_| {
            let drawn = sample(&mut generator, 52, 7).into_vec();
            std::array::from_fn(|place| Card::from_index(drawn[place] as u8).expect("below 52"))
        })
        .collect();
    let blocks: Vec<[Row; 7]> = hands
        .chunks_exact(64)
        .map(|hands| std::array::from_fn(|place| std::array::from_fn(|lane| hands[lane][place].index())))
        .collect();
    let theirs: Vec<[aya_poker::base::Card; 7]> = hands
        .iter()
        .map(|hand| hand.map(|card| card.to_string().parse().expect("a card of the other crate")))
        .collect();
    let mut seconds = [const { Vec::new() }; 3];
    for _ in 0..ROUNDS {
        seconds[0].push(timed(|| hands.iter().map(one).sum()));
        seconds[1].push(timed(|| blocks.iter().map(sixty_four).sum()));
        seconds[2].push(timed(|| theirs.iter().map(aya).sum()));
    }
    for (name, seconds_of) in ["one at a time", "64 lanes", "aya_poker 0.1"].iter().zip(&seconds) {
        println!("{name:<14} {:>7.1} M hands/s", HANDS as f64 / median(seconds_of.clone()) / 1e6);
    }
    for (name, ours) in ["one at a time", "64 lanes"].iter().zip(&seconds) {
        let ratios = ours.iter().zip(&seconds[2]).map(|(ours, theirs)| theirs / ours).collect();
        println!("{name:<14} {:>7.2} times the speed of aya_poker 0.1", median(ratios));
    }
}

fn one(hand: &[Card; 7]) -> u64 {
    let set = CardSet::of(hand);
    let low = Low8::best(set).map_or(0, Low8::strength);
    black_box(High::best(set));
    u64::from(low)
}

fn sixty_four(rows: &[Row; 7]) -> u64 {
    let found = black_box(lanes::rank(rows.each_ref()));
    u64::from(found.low[0])
}

fn aya(hand: &[aya_poker::base::Card; 7]) -> u64 {
    let hand: aya_poker::base::Hand = hand.iter().collect();
    let low = aya_poker::ace_five_rank(&hand).to_lo_8_rank();
    black_box(aya_poker::poker_rank(&hand));
    u64::from(low.0)
}

fn timed(work: impl FnOnce() -> u64) -> f64 {
    let start = Instant::now();
    black_box(work());
    start.elapsed().as_secs_f64()
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_unstable_by(f64::total_cmp);
    values[values.len() / 2]
}
