//! MT19937 (Matsumoto & Nishimura 1998), seeded and used as Python does.

const SIZE: usize = 624;
const MIDDLE: usize = 397;

/// The Mersenne twister.
pub(in crate::dealers) struct Mersenne {
    state: Box<[u32; SIZE]>,
    next: usize,
}

impl Mersenne {
    /// `init_genrand(seed)` of the authors' 2002 program.
    pub(in crate::dealers) fn from_seed(seed: u32) -> Mersenne {
        let mut state = Box::new([seed; SIZE]);
        for i in 1..SIZE {
            let before = state[i - 1] ^ state[i - 1] >> 30;
            state[i] = before.wrapping_mul(1_812_433_253).wrapping_add(i as u32);
        }
        Mersenne { state, next: SIZE }
    }

    /// `init_by_array(key)` of the same program; `random.seed(n)` in Python for n below 2^32 and a key of
    /// one word.
    pub(in crate::dealers) fn from_key(key: &[u32]) -> Mersenne {
        let mut generator = Mersenne::from_seed(19_650_218);
        let state = &mut generator.state;
        let mut i = 1;
        for j in 0..SIZE.max(key.len()) {
            let j = j % key.len();
            let before = state[i - 1] ^ state[i - 1] >> 30;
            state[i] =
                (state[i] ^ before.wrapping_mul(1_664_525)).wrapping_add(key[j]).wrapping_add(j as u32);
            i = following(i, state);
        }
        for _ in 1..SIZE {
            let before = state[i - 1] ^ state[i - 1] >> 30;
            state[i] = (state[i] ^ before.wrapping_mul(1_566_083_941)).wrapping_sub(i as u32);
            i = following(i, state);
        }
        state[0] = 0x8000_0000;
        generator
    }

    /// 32 bits, tempered.
    pub(in crate::dealers) fn word(&mut self) -> u32 {
        if self.next == SIZE {
            self.twist();
        }
        let mut word = self.state[self.next];
        self.next += 1;
        word ^= word >> 11;
        word ^= word << 7 & 0x9d2c_5680;
        word ^= word << 15 & 0xefc6_0000;
        word ^ word >> 18
    }

    /// Python's `_randbelow`: as many high bits as the range has, drawn again while too large.
    pub(in crate::dealers) fn below(&mut self, range: u32) -> u32 {
        let surplus = range.leading_zeros();
        loop {
            let number = self.word() >> surplus;
            if number < range {
                return number;
            }
        }
    }

    fn twist(&mut self) {
        let state = &mut self.state;
        for i in 0..SIZE {
            let joined = state[i] & 0x8000_0000 | state[(i + 1) % SIZE] & 0x7fff_ffff;
            let odd = if joined & 1 == 1 { 0x9908_b0df } else { 0 };
            state[i] = state[(i + MIDDLE) % SIZE] ^ joined >> 1 ^ odd;
        }
        self.next = 0;
    }
}

/// The next place of the key schedule; after the last it copies the last word to the front.
fn following(i: usize, state: &mut [u32; SIZE]) -> usize {
    if i + 1 < SIZE {
        return i + 1;
    }
    state[0] = state[SIZE - 1];
    1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ten_thousandth_number_is_that_of_the_standard() {
        // ISO C++ [rand.predef]: mt19937, seed 5489, the first and the 10,000th number.
        let mut generator = Mersenne::from_seed(5_489);
        assert_eq!(generator.word(), 3_499_211_612);
        let last = (1..10_000).map(|_| generator.word()).last();
        assert_eq!(last, Some(4_123_659_995));
    }

    #[test]
    fn keys_give_the_authors_and_pythons_numbers() {
        // mt19937ar.out of the authors for their four words; CPython 3.11 getrandbits(32) for 42.
        let mut generator = Mersenne::from_key(&[0x123, 0x234, 0x345, 0x456]);
        assert_eq!([generator.word(), generator.word()], [1_067_595_299, 955_945_823]);
        let mut generator = Mersenne::from_key(&[42]);
        let found: [u32; 5] = std::array::from_fn(|_| generator.word());
        assert_eq!(found, [2_746_317_213, 478_163_327, 107_420_369, 3_184_935_163, 1_181_241_943]);
    }
}
