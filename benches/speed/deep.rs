//! The kernels of the deep tier, each beside plain scalar code that counts the same.

use deckproof::battery::kernel::digits::digits_and_moves;
use deckproof::battery::kernel::exceedances::exceedances;
use deckproof::battery::kernel::longest_cycle::longest_cycle;
use deckproof::battery::kernel::monotone::{longest_decreasing, longest_increasing};
use deckproof::battery::kernel::neighbours::{falls_by_one, peaks, rises_by_one, runs_up_down};
use deckproof::battery::kernel::undo;
use deckproof::deck::block::{DeckBlock, Row};
use deckproof::deck::inverse::inverse;

use crate::kernels::{Cards, Counts, Kernel, count_digits, places, scalar_down};

/// The deep tier, as far as it counts deck by deck.
pub const DEEP: [Kernel; 9] = [
    Kernel {
        name: "digits down, moves",
        lanes: |blocks, counts| digits_and_moves(blocks, undo::down, &mut counts.first, &mut counts.second),
        scalar: |decks, counts| scalar_moves(decks, scalar_down, counts),
    },
    Kernel {
        name: "digits up, moves",
        lanes: |blocks, counts| digits_and_moves(blocks, undo::up, &mut counts.first, &mut counts.second),
        scalar: |decks, counts| scalar_moves(decks, scalar_up, counts),
    },
    Kernel {
        name: "digits from a bag, moves",
        lanes: |blocks, counts| digits_and_moves(blocks, undo::lehmer, &mut counts.first, &mut counts.second),
        scalar: |decks, counts| scalar_moves(decks, scalar_lehmer, counts),
    },
    Kernel {
        name: "inverse decks",
        lanes: |blocks, counts| {
            counts.relative.resize(blocks.len(), DeckBlock::default());
            blocks.iter().zip(&mut counts.relative).for_each(|(block, out)| inverse(block, out));
        },
        scalar: |decks, counts| {
            counts.digits.clear();
            counts.digits.extend(decks.iter().map(places));
        },
    },
    Kernel {
        name: "exceedances",
        lanes: |blocks, counts| tally(blocks, exceedances, &mut counts.first),
        scalar: |decks, counts| {
            for deck in decks {
                counts.first[(0..52).filter(|&place| usize::from(deck[place]) > place).count()] += 1;
            }
        },
    },
    Kernel {
        name: "successions, two ways",
        lanes: |blocks, counts| {
            tally(blocks, rises_by_one, &mut counts.first);
            tally(blocks, falls_by_one, &mut counts.second);
        },
        scalar: |decks, counts| {
            for deck in decks {
                counts.first[deck.windows(2).filter(|pair| pair[1] == pair[0] + 1).count()] += 1;
                counts.second[deck.windows(2).filter(|pair| pair[1] + 1 == pair[0]).count()] += 1;
            }
        },
    },
    Kernel {
        name: "peaks, runs up and down",
        lanes: |blocks, counts| {
            tally(blocks, peaks, &mut counts.first);
            tally(blocks, runs_up_down, &mut counts.second);
        },
        scalar: |decks, counts| {
            for deck in decks {
                let peaks = deck.windows(3).filter(|three| three[1] > three[0] && three[1] > three[2]);
                let turns = deck.windows(3).filter(|three| (three[1] > three[0]) != (three[2] > three[1]));
                counts.first[peaks.count()] += 1;
                counts.second[1 + turns.count()] += 1;
            }
        },
    },
    Kernel {
        name: "longest cycle",
        lanes: |blocks, counts| tally(blocks, longest_cycle, &mut counts.first),
        scalar: |decks, counts| decks.iter().for_each(|deck| counts.first[scalar_longest_cycle(deck)] += 1),
    },
    Kernel {
        name: "longest rise and fall",
        lanes: |blocks, counts| {
            tally(blocks, longest_increasing, &mut counts.first);
            tally(blocks, longest_decreasing, &mut counts.second);
        },
        scalar: |decks, counts| {
            for deck in decks {
                counts.first[scalar_longest_increasing(deck)] += 1;
                counts.second[scalar_longest_increasing(&deck.map(|card| 51 - card))] += 1;
            }
        },
    },
];

fn tally(blocks: &[DeckBlock], measure: fn(&[Row; 52]) -> Row, counts: &mut [u64]) {
    for block in blocks {
        for &value in &measure(block.rows())[..block.hands()] {
            counts[usize::from(value)] += 1;
        }
    }
}

/// The digits of each deck and how far they move to the next one.
fn scalar_moves(decks: &[Cards], digits_of: fn(&Cards) -> Cards, counts: &mut Counts) {
    counts.digits.clear();
    counts.digits.extend(decks.iter().map(digits_of));
    count_digits(&counts.digits, &mut counts.first);
    for pair in counts.digits.windows(2) {
        for base in 1..=52 {
            let moved = (base + usize::from(pair[1][base - 1]) - usize::from(pair[0][base - 1])) % base;
            counts.second[base * (base - 1) / 2 + moved] += 1;
        }
    }
}

fn scalar_up(deck: &Cards) -> Cards {
    let mut cards: Cards = std::array::from_fn(|place| place as u8);
    let mut place_of = cards;
    let mut digits = [0; 52];
    for i in 0..51 {
        let j = usize::from(place_of[usize::from(deck[i])]);
        digits[51 - i] = (j - i) as u8;
        cards.swap(i, j);
        place_of[usize::from(cards[i])] = i as u8;
        place_of[usize::from(cards[j])] = j as u8;
    }
    digits
}

fn scalar_lehmer(deck: &Cards) -> Cards {
    let (mut digits, mut seen) = ([0; 52], 0u64);
    for (digit, &card) in digits.iter_mut().rev().zip(deck) {
        *digit = card - (seen & ((1 << card) - 1)).count_ones() as u8;
        seen |= 1 << card;
    }
    digits
}

fn scalar_longest_cycle(deck: &Cards) -> usize {
    let (mut seen, mut longest) = (0u64, 0);
    for start in 0..52 {
        let (mut at, mut length) = (start, 0);
        while seen >> at & 1 == 0 {
            seen |= 1 << at;
            at = usize::from(deck[at]);
            length += 1;
        }
        longest = longest.max(length);
    }
    longest
}

fn scalar_longest_increasing(deck: &Cards) -> usize {
    let (mut tops, mut piles) = ([0u8; 52], 0);
    for &card in deck {
        let pile = tops[..piles].partition_point(|&top| top < card);
        tops[pile] = card;
        piles = piles.max(pile + 1);
    }
    piles
}
