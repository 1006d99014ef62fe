//! Jumps: any number of steps of a congruential generator as one.

use crate::generator::congruential::Congruence;

/// `x ← a·x + c`, of the same modulus.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Jump {
    pub(super) multiplier: u64,
    pub(super) increment: u64,
}

impl Jump {
    /// No step.
    pub(super) const NONE: Jump = Jump { multiplier: 1, increment: 0 };

    /// One step more.
    pub(super) fn step(self, numbers: &Congruence) -> Jump {
        let product = |own: u64| u128::from(own) * u128::from(numbers.multiplier) % numbers.modulus;
        Jump {
            multiplier: product(self.multiplier) as u64,
            increment: ((product(self.increment) + u128::from(numbers.increment)) % numbers.modulus) as u64,
        }
    }

    /// Where a state comes to.
    pub(super) fn apply(self, numbers: &Congruence, state: u64) -> u64 {
        let next = u128::from(self.multiplier) * u128::from(state) + u128::from(self.increment);
        (next % numbers.modulus) as u64
    }

    /// The jump back; `None` if the multiplier has no inverse.
    pub(super) fn back(self, numbers: &Congruence) -> Option<Jump> {
        let modulus = numbers.modulus;
        let inverse = inverse(u128::from(self.multiplier), modulus)?;
        let increment = inverse as u128 * (modulus - u128::from(self.increment)) % modulus;
        Some(Jump { multiplier: inverse, increment: increment as u64 })
    }
}

/// `1/a mod m` by Euclid's algorithm.
pub(crate) fn inverse(a: u128, modulus: u128) -> Option<u64> {
    let (mut old, mut new) = (modulus as i128, (a % modulus) as i128);
    let (mut old_times, mut new_times) = (0i128, 1i128);
    while new != 0 {
        let quotient = old / new;
        (old, new) = (new, old - quotient * new);
        (old_times, new_times) = (new_times, old_times - quotient * new_times);
    }
    (old == 1).then(|| old_times.rem_euclid(modulus as i128) as u64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generator::GENERATORS;

    #[test]
    fn jumps_are_as_many_steps_and_lead_back() {
        for generator in GENERATORS {
            let Some(numbers) = &generator.congruence else { continue };
            let (mut jump, mut state) = (Jump::NONE, 12_345);
            for _ in 0..100 {
                jump = jump.step(numbers);
                state = numbers.next(state);
                assert_eq!(jump.apply(numbers, 12_345), state, "{}", generator.name);
                let back = jump.back(numbers).expect("every multiplier here has an inverse");
                assert_eq!(back.apply(numbers, state), 12_345, "{}", generator.name);
            }
        }
    }
}
