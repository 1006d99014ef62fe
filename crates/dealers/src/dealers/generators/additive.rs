//! Additive lagged Fibonacci generators: `x_n = x_{n−607} + x_{n−273} mod 2^64`, as in Go's `math/rand`.

/// The numbers to come are sums of those 607 and 273 before them (Knuth, TAOCP 2, 3.2.2).
pub(super) struct LaggedFibonacci {
    last: [u64; LONG],
    next: usize,
}

const LONG: usize = 607;
const SHORT: usize = 273;

impl LaggedFibonacci {
    /// From 607 numbers, the oldest first.
    pub(super) fn new(last: [u64; LONG]) -> LaggedFibonacci {
        LaggedFibonacci { last, next: 0 }
    }

    /// The highest 32 bits of the next number.
    pub(super) fn word(&mut self) -> u32 {
        let number = self.last[self.next].wrapping_add(self.last[(self.next + LONG - SHORT) % LONG]);
        self.last[self.next] = number;
        self.next = (self.next + 1) % LONG;
        (number >> 32) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_sums_of_those_607_and_273_before() {
        let mut numbers: Vec<u64> =
            (0..LONG as u64).map(|n| n.wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(17)).collect();
        let mut generator = LaggedFibonacci::new(numbers[..].try_into().expect("607 of them"));
        for n in LONG..3_000 {
            numbers.push(numbers[n - 607].wrapping_add(numbers[n - 273]));
            assert_eq!(generator.word(), (numbers[n] >> 32) as u32);
        }
    }
}
