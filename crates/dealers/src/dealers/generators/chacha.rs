//! ChaCha with any number of rounds, for the dealers that have too few of them.

/// The keystream words of a key from some block on, with the nonce 0.
pub(super) struct ReducedChaCha {
    key: [u32; 8],
    counter: u64,
    rounds: u32,
    block: [u32; 16],
    used: usize,
}

/// The columns and the diagonals that the rounds mix in turn (Bernstein 2008, "ChaCha").
const COLUMNS: [[usize; 4]; 4] = [[0, 4, 8, 12], [1, 5, 9, 13], [2, 6, 10, 14], [3, 7, 11, 15]];
const DIAGONALS: [[usize; 4]; 4] = [[0, 5, 10, 15], [1, 6, 11, 12], [2, 7, 8, 13], [3, 4, 9, 14]];

impl ReducedChaCha {
    /// The words from block `counter` on.
    pub(super) fn new(key: [u32; 8], counter: u64, rounds: u32) -> ReducedChaCha {
        ReducedChaCha { key, counter, rounds, block: [0; 16], used: 16 }
    }

    /// The next word.
    pub(super) fn word(&mut self) -> u32 {
        if self.used == self.block.len() {
            self.block = self.next_block();
            self.used = 0;
        }
        self.used += 1;
        self.block[self.used - 1]
    }

    fn next_block(&mut self) -> [u32; 16] {
        let mut start = [0; 16];
        // "expand 32-byte k".
        start[..4].copy_from_slice(&[0x6170_7865, 0x3320_646e, 0x7962_2d32, 0x6b20_6574]);
        start[4..12].copy_from_slice(&self.key);
        (start[12], start[13]) = (self.counter as u32, (self.counter >> 32) as u32);
        self.counter = self.counter.wrapping_add(1);
        let mut words = start;
        for round in 0..self.rounds {
            let quarters = if round.is_multiple_of(2) { COLUMNS } else { DIAGONALS };
            quarters.iter().for_each(|&quarter| quarter_round(&mut words, quarter));
        }
        std::array::from_fn(|i| words[i].wrapping_add(start[i]))
    }
}

fn quarter_round(words: &mut [u32; 16], [a, b, c, d]: [usize; 4]) {
    for (x, y, z, turn) in [(a, b, d, 16), (c, d, b, 12), (a, b, d, 8), (c, d, b, 7)] {
        words[x] = words[x].wrapping_add(words[y]);
        words[z] = (words[z] ^ words[x]).rotate_left(turn);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use deckproof_deck::keystream::Keystream;

    #[test]
    fn twenty_rounds_are_chacha20() {
        let key: [u8; 32] = std::array::from_fn(|i| i as u8);
        let words: [u32; 8] = std::array::from_fn(|i| {
            u32::from_le_bytes([key[4 * i], key[4 * i + 1], key[4 * i + 2], key[4 * i + 3]])
        });
        let (mut ours, mut keystream) = (ReducedChaCha::new(words, 0, 20), Keystream::new(&key, 0));
        assert!((0..100).all(|_| ours.word() == keystream.word()));
        let mut short = ReducedChaCha::new(words, 0, 19);
        assert_ne!(short.word(), Keystream::new(&key, 0).word());
    }

    #[test]
    fn blocks_begin_where_they_are_asked_for() {
        let mut from_start = ReducedChaCha::new([7; 8], 0, 3);
        let skipped: Vec<u32> = (0..80).map(|_| from_start.word()).skip(64).collect();
        let mut later = ReducedChaCha::new([7; 8], 4, 3);
        assert_eq!(skipped, (0..16).map(|_| later.word()).collect::<Vec<_>>());
    }
}
