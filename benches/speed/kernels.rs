//! The kernels of the core tier, each beside plain scalar code that counts the same.

use deckproof::battery::kernel::adjacency::adjacency;
use deckproof::battery::kernel::card_place::card_place;
use deckproof::battery::kernel::cycles::cycles;
use deckproof::battery::kernel::fingerprint::fingerprints;
use deckproof::battery::kernel::inverse_descents::inverse_descents;
use deckproof::battery::kernel::inversions::inversions;
use deckproof::deck::block::{BLOCK_HANDS, DeckBlock};
use deckproof::deck::relative::relative;

/// A deck as scalar code has it.
pub type Cards = [u8; 52];

/// Two ways of counting the same.
pub struct Kernel {
    /// What is counted.
    pub name: &'static str,
    /// Blocks of 64.
    pub lanes: fn(&[DeckBlock], &mut Counts),
    /// Deck by deck.
    pub scalar: fn(&[Cards], &mut Counts),
}

/// Room for all counts of a view.
pub struct Counts {
    table: Vec<u64>,
    /// A histogram or a table of digits.
    pub first: Vec<u64>,
    /// Another.
    pub second: Vec<u64>,
    /// Digits or places of the decks, one after another.
    pub digits: Vec<Cards>,
    fingerprints: Vec<u128>,
    /// Blocks made of other blocks.
    pub relative: Vec<DeckBlock>,
    relative_cards: Vec<Cards>,
}

impl Default for Counts {
    fn default() -> Counts {
        Counts {
            table: vec![0; 53 * 53],
            first: vec![0; 2048],
            second: vec![0; 2048],
            digits: Vec::new(),
            fingerprints: Vec::new(),
            relative: Vec::new(),
            relative_cards: Vec::new(),
        }
    }
}

/// The core tier in one view.
pub const KERNELS: [Kernel; 6] = [
    Kernel {
        name: "card × place",
        lanes: |blocks, counts| card_place(blocks, &mut counts.table),
        scalar: |decks, counts| {
            for deck in decks {
                (0..52).for_each(|place| counts.table[usize::from(deck[place]) * 52 + place] += 1);
            }
        },
    },
    Kernel {
        name: "adjacency",
        lanes: |blocks, counts| adjacency(blocks, &mut counts.table),
        scalar: |decks, counts| {
            for deck in decks {
                let mut before = 52;
                for card in deck.iter().map(|&card| usize::from(card)).chain([52]) {
                    counts.table[before * 53 + card] += 1;
                    before = card;
                }
            }
        },
    },
    Kernel {
        name: "cycles, fixed points",
        lanes: |blocks, counts| cycles(blocks, &mut counts.first, &mut counts.second),
        scalar: |decks, counts| {
            for deck in decks {
                counts.first[scalar_cycles(deck)] += 1;
                counts.second[(0..52).filter(|&place| usize::from(deck[place]) == place).count()] += 1;
            }
        },
    },
    Kernel {
        name: "inversions, descents",
        lanes: |blocks, counts| inversions(blocks, &mut counts.first, &mut counts.second),
        scalar: |decks, counts| {
            for deck in decks {
                // Each card: how many higher ones lie above it.
                let mut seen = 0u64;
                let inverted = deck.iter().map(|&card| {
                    let higher = (seen >> card).count_ones();
                    seen |= 1 << card;
                    higher as usize
                });
                counts.first[inverted.sum::<usize>()] += 1;
                counts.second[deck.windows(2).filter(|pair| pair[0] > pair[1]).count()] += 1;
            }
        },
    },
    Kernel {
        name: "inverse descents",
        lanes: |blocks, counts| inverse_descents(blocks, &mut counts.first),
        scalar: |decks, counts| {
            for deck in decks {
                let places = places(deck);
                counts.first[places.windows(2).filter(|pair| pair[0] > pair[1]).count()] += 1;
            }
        },
    },
    Kernel {
        name: "fingerprints",
        lanes: |blocks, counts| {
            counts.fingerprints.clear();
            let mut keys = [0; BLOCK_HANDS];
            for block in blocks {
                fingerprints(block, &mut keys);
                counts.fingerprints.extend_from_slice(&keys[..block.hands()]);
            }
        },
        scalar: |decks, counts| {
            counts.fingerprints.clear();
            counts.fingerprints.extend(decks.iter().map(scalar_fingerprint));
        },
    },
];

/// The relative decks, which no statistic counts but the second view needs.
pub const RELATIVE: Kernel = Kernel {
    name: "relative decks",
    lanes: |blocks, counts| {
        relative_blocks(blocks, counts);
    },
    scalar: |decks, counts| {
        counts.relative_cards.clear();
        counts.relative_cards.extend(decks.windows(2).map(|pair| {
            let next = places(&pair[1]);
            pair[0].map(|card| next[usize::from(card)])
        }));
    },
};

/// The relative decks of blocks, in room that is used again.
pub fn relative_blocks<'a>(blocks: &[DeckBlock], counts: &'a mut Counts) -> &'a [DeckBlock] {
    counts.relative.resize(blocks.len(), DeckBlock::default());
    for (block, out) in blocks.iter().zip(&mut counts.relative) {
        relative(block, None, out);
    }
    &counts.relative
}

/// The downward swaps undone one by one; the digit of base m is at m − 1.
pub fn scalar_down(deck: &Cards) -> Cards {
    let mut cards: Cards = std::array::from_fn(|place| place as u8);
    let mut place_of = cards;
    let mut digits = [0; 52];
    for i in (1..52).rev() {
        let j = usize::from(place_of[usize::from(deck[i])]);
        digits[i] = j as u8;
        cards.swap(i, j);
        place_of[usize::from(cards[i])] = i as u8;
        place_of[usize::from(cards[j])] = j as u8;
    }
    digits
}

/// `counts[m(m−1)/2 + d]` for digit d of base m.
pub fn count_digits(digits: &[Cards], counts: &mut [u64]) {
    for digits in digits {
        for (base, &digit) in (1..).zip(digits) {
            counts[base * (base - 1) / 2 + usize::from(digit)] += 1;
        }
    }
}

/// The place of every card.
pub fn places(deck: &Cards) -> Cards {
    let mut places = [0; 52];
    for (place, &card) in deck.iter().enumerate() {
        places[usize::from(card)] = place as u8;
    }
    places
}

fn scalar_cycles(deck: &Cards) -> usize {
    let (mut seen, mut cycles) = (0u64, 0);
    for start in 0..52 {
        cycles += usize::from(seen >> start & 1 == 0);
        let mut place = start;
        while seen >> place & 1 == 0 {
            seen |= 1 << place;
            place = usize::from(deck[place]);
        }
    }
    cycles
}

/// As many multiplications as the fingerprint has, on words read from the deck.
fn scalar_fingerprint(deck: &Cards) -> u128 {
    let word = |start: usize| {
        let eight: [u8; 8] = std::array::from_fn(|byte| deck.get(start + byte).copied().unwrap_or(0));
        u128::from(u64::from_le_bytes(eight).wrapping_add(0x428a_2f98_d728_ae22))
    };
    let pairs = [(0, 8), (16, 24), (32, 40), (48, 48), (0, 16), (8, 24), (32, 48), (40, 40)];
    pairs.iter().fold(0u128, |sum, &(a, b)| sum.wrapping_add(word(a) * word(b)))
}
