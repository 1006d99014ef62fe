//! .NET's seeded `System.Random`: Knuth's subtractive generator (Seminumerical Algorithms, 3.2.2) with
//! lag 21 where 31 was meant.

/// The modulus 2^31 − 1.
const BIG: i32 = i32::MAX;

/// A seeded `System.Random`.
pub(super) struct DotNet {
    /// Place 0 is not used, as in the original.
    state: [i32; 56],
    next: usize,
    lagged: usize,
}

impl DotNet {
    /// `new Random(seed)`, for seeds from 0 up.
    pub(super) fn new(seed: i32) -> DotNet {
        let mut state = [0i32; 56];
        let (mut older, mut newer) = (161_803_398i32.wrapping_sub(seed), 1i32);
        state[55] = older;
        for place in (1..55).map(|i| 21 * i % 55) {
            state[place] = newer;
            newer = older.wrapping_sub(newer);
            newer = if newer < 0 { newer.wrapping_add(BIG) } else { newer };
            older = state[place];
        }
        for _ in 0..4 {
            for place in 1..56 {
                let value = state[place].wrapping_sub(state[1 + (place + 30) % 55]);
                state[place] = if value < 0 { value.wrapping_add(BIG) } else { value };
            }
        }
        DotNet { state, next: 0, lagged: 21 }
    }

    /// `Next()`: 0 to 2^31 − 2.
    pub(super) fn next(&mut self) -> i32 {
        self.next = if self.next == 55 { 1 } else { self.next + 1 };
        self.lagged = if self.lagged == 55 { 1 } else { self.lagged + 1 };
        let mut value = self.state[self.next].wrapping_sub(self.state[self.lagged]);
        if value == BIG {
            value -= 1;
        }
        if value < 0 {
            value = value.wrapping_add(BIG);
        }
        self.state[self.next] = value;
        value
    }

    /// `Next(range)`.
    pub(super) fn below(&mut self, range: u32) -> u32 {
        (f64::from(self.next()) * (1.0 / f64::from(BIG)) * f64::from(range)) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_numbers_are_those_of_dotnet() {
        // As .NET programs print them: new Random(42).Next() and new Random(0).Next().
        for (seed, expected) in [
            (42, [1_434_747_710, 302_596_119, 269_548_474, 1_122_627_734, 361_709_742]),
            (0, [1_559_595_546, 1_755_192_844, 1_649_316_166, 1_198_642_031, 442_452_829]),
        ] {
            let mut generator = DotNet::new(seed);
            let found: [i32; 5] = std::array::from_fn(|_| generator.next());
            assert_eq!(found, expected, "seed {seed}");
        }
    }

    #[test]
    fn next_100_of_seed_42_is_that_of_dotnet() {
        let mut generator = DotNet::new(42);
        let found: [u32; 6] = std::array::from_fn(|_| generator.below(100));
        assert_eq!(found, [66, 14, 12, 52, 16, 26]);
    }
}
