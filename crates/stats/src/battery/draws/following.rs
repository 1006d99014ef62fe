//! Which values of a draw follow which of the one before: learned from the decks so far, counted on the next ones.
//!
//! The decks are read in 8 parts. After each, the values of a draw are sorted, for every value of the one before, by
//! how often they followed it. Of the decks of the next part it is counted how often the draw is among the half that
//! had followed more often; the middle value of an odd base is left out. Whatever was learned, that is a fair coin if
//! the draws are independent: Bin(n, 1/2), exactly.

use std::cmp::Reverse;

use crate::battery::draws::coin::Coin;
use crate::battery::stream::Drawn;
use deckproof_deck::card::DECK_CARDS;

const SHARES: usize = 8;

/// What is guessed of a value, in two bits: whether it is counted, and whether it followed more often.
const UNKNOWN: u8 = 0b00;
const RARELY: u8 = 0b01;
const OFTEN: u8 = 0b11;

/// The guesses at all draws but the first, in all decks of one way of undoing.
pub(super) fn guesses(stream: &[Drawn]) -> Coin {
    let mut tables: Vec<Followers> = (2..DECK_CARDS).map(Followers::of_base).collect();
    let mut coin = Coin::default();
    for share in stream.chunks(stream.len().div_ceil(SHARES).max(1)) {
        for table in &mut tables {
            share.iter().for_each(|block| table.read(block, &mut coin));
            table.learn();
        }
    }
    coin
}

/// What has followed what, of a draw of one base and the one before it.
struct Followers {
    base: usize,
    /// How often, row by row of the draw before, and what is guessed by it.
    seen: Vec<(u32, u8)>,
}

impl Followers {
    fn of_base(base: usize) -> Followers {
        Followers { base, seen: vec![(0, UNKNOWN); (base + 1) * base] }
    }

    fn read(&mut self, block: &Drawn, coin: &mut Coin) {
        let (before, own) = (block.of_base(self.base + 1), block.of_base(self.base));
        for (&from, &to) in before.iter().zip(own).take(block.hands()) {
            let (times, guess) = &mut self.seen[usize::from(from) * self.base + usize::from(to)];
            *times += 1;
            coin.trials += u64::from(*guess & 1);
            coin.ones += u64::from(*guess >> 1);
        }
    }

    fn learn(&mut self) {
        let half = self.base / 2;
        let mut order = [(Reverse(0), 0); DECK_CARDS];
        for row in self.seen.chunks_mut(self.base) {
            let order = &mut order[..row.len()];
            for (to, (place, (times, _))) in order.iter_mut().zip(&*row).enumerate() {
                *place = (Reverse(*times), to);
            }
            order.sort_unstable();
            for (rank, &(_, to)) in order.iter().enumerate() {
                row[to].1 = match rank {
                    _ if rank < half => OFTEN,
                    _ if rank + half >= self.base => RARELY,
                    _ => UNKNOWN,
                };
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::battery::stream::{WAYS, undone};
    use crate::battery::walk::sample::{blocks, dealt};
    use deckproof_deck::deck::Deck;
    use deckproof_deck::keystream::Keystream;

    /// Decks of a loop from the last card down, each draw scaled from four bytes that begin `step` after those before.
    fn windows(decks: usize, step: usize) -> Vec<Deck> {
        let mut keystream = Keystream::new(&[7; 32], 0);
        let mut deal = || {
            let bytes: Vec<u8> = (0..54).flat_map(|_| keystream.word().to_le_bytes()).collect();
            let mut cards: [u8; DECK_CARDS] = std::array::from_fn(|card| card as u8);
            for (draw, last) in (1..DECK_CARDS).rev().enumerate() {
                let window = bytes[step * draw..][..4].try_into().expect("four bytes");
                let place = (u64::from(u32::from_be_bytes(window)) * (last as u64 + 1)) >> 32;
                cards.swap(last, place as usize);
            }
            Deck::try_from(&cards[..]).expect("a permutation")
        };
        (0..decks).map(|_| deal()).collect()
    }

    #[test]
    fn windows_that_share_bytes_are_seen_and_others_are_not() {
        let [shared, apart] = [1, 4].map(|step| guesses(&undone(&blocks(&windows(48_000, step)), &WAYS[0])));
        assert!(shared.p_value() < 1e-20, "{shared:?}");
        assert!(apart.p_value() > 1e-3, "{apart:?}");
    }

    /// One row is learned by counts written here, all others are tied; the decks counted are looked at one by one.
    #[test]
    fn what_is_counted_is_the_half_that_followed_more_often() {
        let mut followers = Followers::of_base(5);
        let mut coin = Coin::default();
        for (to, times) in [(3, 9), (0, 7), (1, 5), (4, 2)] {
            followers.seen[2 * 5 + to].0 = times;
        }
        followers.learn();
        let guesses: Vec<u8> = followers.seen[10..15].iter().map(|(_, guess)| *guess).collect();
        assert_eq!(guesses, [OFTEN, UNKNOWN, RARELY, OFTEN, RARELY]);
        let stream = undone(&blocks(&dealt("certified", 0..100)), &WAYS[0]);
        stream.iter().for_each(|block| followers.read(block, &mut coin));
        let value = |deck: usize, base: usize| stream[deck / 64].of_base(base)[deck % 64];
        let of_two = (0..100).filter(|&deck| value(deck, 6) == 2).map(|deck| value(deck, 5));
        let counted = of_two.clone().filter(|to| *to != 1).count();
        // All other rows are tied: the first two values, then one that is not counted.
        let tied = |deck: &usize| value(*deck, 6) != 2 && value(*deck, 5) != 2;
        let of_tied: Vec<bool> = (0..100).filter(tied).map(|deck| value(deck, 5) < 2).collect();
        let hits = of_two.filter(|to| [0, 3].contains(to)).count();
        assert_eq!(coin.trials as usize, counted + of_tied.len());
        assert_eq!(coin.ones as usize, hits + of_tied.into_iter().filter(|hit| *hit).count());
    }
}
