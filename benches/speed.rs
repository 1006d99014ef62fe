//! Speed in ratios of one run: the lanes and the counting kernels against `rand` and against scalar code.
//!
//! All contestants take turns; a ratio is the median of the ratios of one round, in CPU time of the
//! thread. So a busy machine blurs it little, and the nanoseconds are for orientation only.

#[path = "speed/contest.rs"]
mod contest;
#[path = "speed/deep.rs"]
mod deep;
#[path = "speed/kernels.rs"]
mod kernels;

use std::hint::black_box;

use deckproof::audit::evidence::Counter;
use deckproof::audit::selection::Selection;
use deckproof::battery::{Segment, Tier};
use deckproof::deck::block::{BLOCK_HANDS, DeckBlock};
use deckproof::key::HandKey;
use deckproof::shuffle::lanes::{HandKeys, instruction_set, shuffle_block};
use deckproof::shuffle::shuffle_deck;
use hkdf::Hkdf;
use rand::SeedableRng;
use rand::rngs::ChaCha20Rng;
use rand::seq::SliceRandom;
use sha2::Sha256;

use crate::contest::{BLOCKS, Contest, DECKS, Dealer, KEY};
use crate::deep::DEEP;
use crate::kernels::{Cards, Counts, KERNELS, Kernel, RELATIVE, relative_blocks};

fn main() {
    let mut contest = Contest::default();
    enter_peers(&mut contest);
    enter_shuffles(&mut contest);
    enter_kernels(&mut contest);
    enter_totals(&mut contest);
    enter_program(&mut contest);
    contest.run();
    println!("processor: {}", processor());
    println!("lanes run with: {}", instruction_set());
    print(&contest);
}

/// The model name Linux gives, if it gives one.
fn processor() -> String {
    let facts = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let name = facts.lines().find_map(|line| line.strip_prefix("model name")?.split_once(": "));
    name.map_or("unknown".to_string(), |(_, name)| name.to_string())
}

fn in_order() -> Cards {
    std::array::from_fn(|place| place as u8)
}

/// `rand` from one stream; `rand` from a generator of its own for every hand, as a table would need it.
fn enter_peers(contest: &mut Contest) {
    let mut stream = ChaCha20Rng::from_seed(KEY);
    contest.enter("rand", move || {
        for _ in 0..DECKS {
            let mut deck = in_order();
            deck.shuffle(&mut stream);
            black_box(&deck);
        }
    });
    let mut hand = 0u64;
    contest.enter("HKDF and rand", move || {
        for _ in 0..DECKS {
            let mut seed = [0; 32];
            let keys = Hkdf::<Sha256>::new(Some(b"deckproof/v1"), &KEY);
            keys.expand(&hand.to_be_bytes(), &mut seed).expect("32 bytes are few");
            let mut deck = in_order();
            deck.shuffle(&mut ChaCha20Rng::from_seed(seed));
            black_box(&deck);
            hand += 1;
        }
    });
}

fn enter_shuffles(contest: &mut Contest) {
    let mut hand = 0u64;
    contest.enter("scalar shuffle", move || {
        for _ in 0..DECKS {
            let mut key = KEY;
            key[..8].copy_from_slice(&hand.to_be_bytes());
            black_box(shuffle_deck(&key));
            hand += 1;
        }
    });
    let (mut keys, mut block) = (HandKeys::default(), DeckBlock::default());
    (0..BLOCK_HANDS as u8).for_each(|hand| keys.push(&HandKey::from_bytes([hand; 32])));
    contest.enter("shuffle", move || {
        for _ in 0..BLOCKS {
            shuffle_block(&keys, &mut block);
            black_box(&block);
        }
    });
    let mut dealer = Dealer::default();
    contest.enter("derive + shuffle", move || {
        black_box(dealer.deal());
    });
}

/// The decks of a turn as scalar code has them.
fn cards_of(blocks: &[DeckBlock]) -> Vec<Cards> {
    let decks = |block: &DeckBlock| -> Vec<Cards> {
        (0..BLOCK_HANDS).map(|lane| *block.deck(lane).indices()).collect()
    };
    blocks.iter().flat_map(decks).collect()
}

/// All kernels, those of the core tier first.
fn kernels() -> impl Iterator<Item = Kernel> {
    KERNELS.into_iter().chain([RELATIVE]).chain(DEEP)
}

fn enter_kernels(contest: &mut Contest) {
    for kernel in kernels() {
        let (blocks, mut counts) = (Dealer::default().deal().to_vec(), Counts::default());
        let decks = cards_of(&blocks);
        contest.enter(kernel.name, move || (kernel.lanes)(black_box(&blocks), black_box(&mut counts)));
        let mut counts = Counts::default();
        contest.enter(scalar(kernel.name), move || {
            (kernel.scalar)(black_box(&decks), black_box(&mut counts));
        });
    }
}

fn scalar(kernel: &str) -> String {
    format!("scalar {kernel}")
}

fn enter_totals(contest: &mut Contest) {
    let (mut dealer, mut counts) = (Dealer::default(), Counts::default());
    contest.enter("deck view", move || {
        let blocks = dealer.deal();
        KERNELS.iter().for_each(|kernel| (kernel.lanes)(blocks, black_box(&mut counts)));
    });
    let mut dealer = Dealer::default();
    let [mut decks, mut pairs, mut room] = std::array::from_fn(|_| Counts::default());
    contest.enter("both views", move || {
        let blocks = dealer.deal();
        KERNELS.iter().for_each(|kernel| (kernel.lanes)(blocks, black_box(&mut decks)));
        let blocks = relative_blocks(blocks, &mut room);
        KERNELS.iter().for_each(|kernel| (kernel.lanes)(blocks, black_box(&mut pairs)));
    });
}

/// Tiers as the program runs them, all their views and the search for duplicates.
const PROGRAM: [(&str, &[Tier]); 2] = [
    ("core tier, both views, as the program runs it", &[Tier::Core]),
    ("all tiers of decks", &Tier::OF_DECKS),
];

fn enter_program(contest: &mut Contest) {
    for (name, tiers) in PROGRAM {
        let mut counter = Counter::new(Box::leak(Box::new(Selection::of_tiers(tiers))));
        // Not the first segment: what reads a prefix of the decks costs the same for any number of them.
        let (mut dealer, segment) = (Dealer::default(), Segment::new(3, false));
        contest.enter(name, move || {
            let blocks = dealer.deal();
            counter.count_segment(segment, blocks);
            black_box(&counter.evidence);
        });
    }
}

fn print(contest: &Contest) {
    println!("\n{:32} {:>9} {:>9} {:>12}", "shuffle", "ns/deck", "× rand", "× HKDF peer");
    for name in ["rand", "HKDF and rand", "scalar shuffle", "shuffle", "derive + shuffle"] {
        let ratios = ["rand", "HKDF and rand"].map(|peer| contest.speedup(name, peer));
        println!("{name:32} {:9.1} {:9.2} {:12.2}", contest.nanoseconds(name), ratios[0], ratios[1]);
    }
    println!("\n{:32} {:>9} {:>9}", "kernel", "ns/deck", "× scalar");
    for Kernel { name, .. } in kernels() {
        let ratio = contest.speedup(name, &scalar(name));
        println!("{name:32} {:9.1} {ratio:9.2}", contest.nanoseconds(name));
    }
    println!(
        "\n{:48} {:>9} {:>9} {:>24}",
        "derive, shuffle and count", "ns/deck", "× rand", "of derive + shuffle"
    );
    for name in ["deck view", "both views"].into_iter().chain(PROGRAM.map(|(name, _)| name)) {
        let cost = contest.speedup("derive + shuffle", name);
        println!(
            "{name:48} {:9.1} {:9.2} {cost:22.2} ×",
            contest.nanoseconds(name),
            contest.speedup(name, "rand")
        );
    }
}
