//! Health tests of a noise source: repetition count and adaptive proportion (NIST SP 800-90B, 4.4.1 and 4.4.2), and
//! the restart test.

use std::collections::HashSet;

use rayon::iter::{IntoParallelIterator, ParallelIterator};

use crate::monitoring::check::DayCheck;
use deckproof_deck::key::{AuditKey, KeyError};
use deckproof_deck::shuffle::shuffle_deck;
use deckproof_deck::text::decimal::thousands;
use deckproof_stats::math::binomial;

/// The name of the step.
pub const NAME: &str = "entropy health";

/// `−log2 α`: a sound source trips a test once in 2^40 samples, the strictest that the standard names, because a day has
/// a million of them and ten years have 3,650 days.
pub const ALPHA_BITS: f64 = 40.0;

/// Keys that are made one after the other, each of which deals a first deck.
pub const RESTARTS: usize = 1_000;

/// Fewest samples that say something: those of the start-up test (4.3).
const SAMPLES_MIN: usize = 1_024;

/// Samples of a noise source, and what its maker claims of them.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct EntropyClaim {
    /// How many bits make a sample: 1 or 8.
    pub sample_bits: u32,
    /// Min-entropy of a sample in bits, 0 < H ≤ `sample_bits`.
    pub entropy: f64,
}

impl EntropyClaim {
    /// Window of the adaptive proportion test: 1,024 binary samples, 512 others.
    fn window(self) -> usize {
        if self.sample_bits == 1 { 1_024 } else { 512 }
    }

    /// `C = 1 + ⌈−log2 α / H⌉`: so many equal samples in a row trip the repetition count.
    pub fn repetition_cutoff(self, alpha_bits: f64) -> usize {
        1 + (alpha_bits / self.entropy).ceil() as usize
    }

    /// `C = 1 + critbinom(W, 2^−H, 1 − α)`: the smallest count that so large a part of a window has with probability at
    /// most α, exact.
    pub fn proportion_cutoff(self, alpha_bits: f64) -> usize {
        let (window, p, alpha) = (self.window() as u64, libm::exp2(-self.entropy), libm::exp2(-alpha_bits));
        let is_rare = |count: &u64| binomial::tails(window, p, *count).1 <= alpha;
        (1..=window).find(is_rare).unwrap_or(window + 1) as usize
    }
}

/// What the tests found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Health {
    /// How many samples were tested.
    pub samples: usize,
    /// The longest run of equal samples.
    pub run: usize,
    /// The most of the first sample of any whole window.
    pub proportion: usize,
    /// What a run may not reach.
    pub run_cutoff: usize,
    /// What a window may not reach.
    pub proportion_cutoff: usize,
}

impl Health {
    /// Tests all samples of some bytes; of a last window that is not whole nothing is said.
    pub fn of(bytes: &[u8], claim: EntropyClaim) -> Health {
        let bits = |byte: &u8| (0..8).rev().map(move |bit| *byte >> bit & 1).collect::<Vec<u8>>();
        let samples: Vec<u8> =
            if claim.sample_bits == 1 { bytes.iter().flat_map(bits).collect() } else { bytes.to_vec() };
        let of_window = |window: &[u8]| window.iter().filter(|&&sample| sample == window[0]).count();
        Health {
            samples: samples.len(),
            run: longest_run(&samples),
            proportion: samples.chunks_exact(claim.window()).map(of_window).max().unwrap_or(0),
            run_cutoff: claim.repetition_cutoff(ALPHA_BITS),
            proportion_cutoff: claim.proportion_cutoff(ALPHA_BITS),
        }
    }

    fn is_sound(&self) -> bool {
        self.run < self.run_cutoff && self.proportion < self.proportion_cutoff
    }
}

fn longest_run(samples: &[u8]) -> usize {
    samples.chunk_by(|a, b| a == b).map(<[u8]>::len).max().unwrap_or(0)
}

/// Whose bytes are tested where the configuration names no source.
pub const OPERATING_SYSTEM: &str = "output of the operating system";

/// What the health tests and the restart test say of a source; without one, of the operating system's output.
pub fn check(
    bytes: &[u8],
    claim: EntropyClaim,
    source: Option<&str>,
    restarts: &Restarts,
    cloned: &Result<(), String>,
) -> DayCheck {
    let health = Health::of(bytes, claim);
    let Health { samples, run, proportion, run_cutoff, proportion_cutoff } = health;
    let whose = match source {
        Some(source) => source.to_owned(),
        None => format!("{OPERATING_SYSTEM}, which says little about its noise"),
    };
    let numbers = format!(
        "longest run {run} (cut-off {run_cutoff}), most of a window {proportion} (cut-off {proportion_cutoff}), {} samples \
         of {whose}, H = {} claimed, SP 800-90B 4.4.1 and 4.4.2 at 2^-40",
        thousands(samples as u64),
        claim.entropy
    );
    let equal = restarts.keys - restarts.distinct;
    if equal > 0 {
        let restarts = thousands(restarts.keys as u64);
        return DayCheck::stop(
            NAME,
            format!("{equal} of {restarts} fresh keys dealt a first deck again; {numbers}"),
        );
    }
    if let Err(reason) = cloned {
        return DayCheck::stop(NAME, format!("clone test: {reason}; {numbers}"));
    }
    if !health.is_sound() {
        return DayCheck::stop(NAME, numbers);
    }
    if samples < SAMPLES_MIN {
        let few = format!("{samples} samples, wanted at least {SAMPLES_MIN}; {numbers}");
        return DayCheck::could_not_say(NAME, few);
    }
    let keys = thousands(restarts.keys as u64);
    DayCheck::passed(
        NAME,
        format!("{numbers}; {keys} fresh keys on several threads, no two equal first decks"),
    )
}

/// First decks of fresh keys.
pub struct Restarts {
    keys: usize,
    distinct: usize,
}

impl Restarts {
    /// Makes so many keys on all threads at once, each as a table would when it starts, and deals its first deck.
    ///
    /// # Errors
    /// [`KeyError`] if the operating system gives no random bytes.
    pub fn run(
        keys: usize,
        fresh: impl Fn() -> Result<AuditKey, KeyError> + Sync,
    ) -> Result<Restarts, KeyError> {
        let first = |_| fresh().map(|key| *shuffle_deck(key.hand_key(0).bytes()).indices());
        let decks = (0..keys).into_par_iter().map(first).collect::<Result<HashSet<_>, _>>()?;
        Ok(Restarts { keys, distinct: decks.len() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::monitoring::check::CheckResult;

    /// Published cut-offs at α = 2^−20: SP 800-90B (2018), 4.4.1 and table 2 of 4.4.2, and others computed with SciPy.
    #[test]
    fn cut_offs_are_the_published_ones() {
        let claim = |sample_bits, entropy| EntropyClaim { sample_bits, entropy };
        for (entropy, wanted) in [(1.0, 21), (2.0, 11), (4.0, 6), (8.0, 4)] {
            assert_eq!(claim(8, entropy).repetition_cutoff(20.0), wanted, "H = {entropy}");
        }
        for (bits, entropy, wanted) in [
            (1, 1.0, 589),
            (1, 0.8, 664),
            (1, 0.6, 748),
            (1, 0.4, 840),
            (1, 0.2, 941),
            (8, 0.5, 410),
            (8, 1.0, 311),
            (8, 2.0, 177),
            (8, 4.0, 62),
            (8, 8.0, 13),
        ] {
            assert_eq!(claim(bits, entropy).proportion_cutoff(20.0), wanted, "{bits} bits, H = {entropy}");
        }
    }

    #[test]
    fn a_stuck_and_a_biased_source_trip_and_a_sound_one_does_not() {
        let fresh = Restarts::run(20, AuditKey::fresh).expect("the system has random bytes");
        let claim = EntropyClaim { sample_bits: 8, entropy: 4.0 };
        let mut state = 1u64;
        let mut next = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 56) as u8
        };
        let sound: Vec<u8> = (0..100_000).map(|_| next()).collect();
        assert_eq!(check(&sound, claim, Some("dice"), &fresh, &Ok(())).result, CheckResult::Passed);
        let mut stuck = sound.clone();
        stuck[5_000..5_011].fill(7);
        assert_eq!(check(&stuck, claim, Some("dice"), &fresh, &Ok(())).result, CheckResult::Refused);
        // Every fourth sample is 9: no run, but a window has far more than 4 bits allow.
        let mut biased = sound.clone();
        biased.iter_mut().step_by(4).for_each(|sample| *sample = 9);
        let found = check(&biased, claim, Some("dice"), &fresh, &Ok(()));
        assert_eq!(found.result, CheckResult::Refused, "{}", found.evidence);
        assert_eq!(check(&sound[..100], claim, None, &fresh, &Ok(())).result, CheckResult::CouldNotSay);
        // A generator that starts from the same state each time.
        let same = Restarts::run(20, || Ok(AuditKey::from_bytes([3; 32]))).expect("no system needed");
        assert_eq!(check(&sound, claim, Some("dice"), &same, &Ok(())).result, CheckResult::Refused);
    }

    #[test]
    fn a_log_that_takes_a_copied_state_stops_the_day() {
        assert_eq!(crate::monitoring::clone::check(), Ok(()));
        let fresh = Restarts::run(2, AuditKey::fresh).expect("the system has random bytes");
        let claim = EntropyClaim { sample_bits: 8, entropy: 4.0 };
        let found = check(&[0; 4], claim, None, &fresh, &Err("taken twice".to_owned()));
        assert!(
            found.result == CheckResult::Refused && found.evidence.starts_with("clone test: taken twice")
        );
    }

    #[test]
    fn bits_are_counted_from_the_highest_on() {
        let claim = EntropyClaim { sample_bits: 1, entropy: 1.0 };
        // 0001 1111 1100 0000: seven ones in a row.
        let health = Health::of(&[0b0001_1111, 0b1100_0000], claim);
        assert_eq!((health.samples, health.run, health.proportion), (16, 7, 0));
        assert_eq!(Health::of(&[0; 128], claim).proportion, 1_024);
    }
}
