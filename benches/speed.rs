//! Speed in ratios of one run: the lanes and the counting kernels against `rand` and against scalar code.

use std::hint::black_box;

use deckproof::deck::block::DeckBlock;
use deckproof::key::AuditKey;
use deckproof::shuffle::lanes::{HandKeys, PreparedAuditKey, audit_block, shuffle_block};
use rand::SeedableRng;
use rand::rngs::ChaCha20Rng;
use rand::seq::SliceRandom;

const BLOCKS: usize = 32;
const DECKS: usize = 64 * BLOCKS;

fn now() -> u64 {
    let t = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    t.tv_sec as u64 * 1_000_000_000 + t.tv_nsec as u64
}

fn main() {
    let key = "a0a1a2a3a4a5a6a7a8a9aaabacadaeafb0b1b2b3b4b5b6b7b8b9babbbcbdbebf"
        .parse::<AuditKey>()
        .expect("64 digits");
    let prepared = PreparedAuditKey::new(&key);
    let mut rng = ChaCha20Rng::from_seed([7; 32]);
    let mut block = DeckBlock::default();
    let mut keys = HandKeys::default();
    for i in 0..64 {
        keys.push(&key.hand_key(i));
    }
    let mut tasks: Vec<(&str, Box<dyn FnMut()>)> = vec![];
    tasks.push((
        "rand",
        Box::new(move || {
            for _ in 0..DECKS {
                let mut deck: [u8; 52] = std::array::from_fn(|i| i as u8);
                deck.shuffle(&mut rng);
                black_box(&deck);
            }
        }),
    ));
    let mut b2 = block.clone();
    tasks.push((
        "shuffle_block",
        Box::new(move || {
            for _ in 0..BLOCKS {
                shuffle_block(&keys, &mut b2);
                black_box(&b2);
            }
        }),
    ));
    let mut first = 0;
    tasks.push((
        "audit_block",
        Box::new(move || {
            for _ in 0..BLOCKS {
                audit_block(&prepared, first, 64, &mut block);
                first += 64;
                black_box(&block);
            }
        }),
    ));
    let mut times = vec![vec![]; tasks.len()];
    for _ in 0..400 {
        for (task, times) in tasks.iter_mut().zip(&mut times) {
            let start = now();
            (task.1)();
            times.push((now() - start) as f64 / DECKS as f64);
        }
    }
    for (i, (name, _)) in tasks.iter().enumerate() {
        let mut ratio: Vec<f64> = times[0].iter().zip(&times[i]).map(|(a, b)| a / b).collect();
        ratio.sort_by(f64::total_cmp);
        let min = times[i].iter().copied().fold(f64::MAX, f64::min);
        println!("{name:20} min {min:7.2} ns   {:.3}x rand", ratio[ratio.len() / 2]);
    }
}
