//! How likely it is that fair decks agree with any state of any dealer that could ever be tried.
//!
//! `2^state bits × dealers × Π 1/weight(integers that describe the runs) × Π (52 − k)!/52!` over the records: a union
//! bound over every state, every dealer and every way to skip calls and records, whether it was tried or not, so that it depends on
//! nothing but the certificate. The weights `1/((k + 1)(k + 2))` of the integers add up to 1 (a prior over integers, as in
//! Ville's inequality).

use crate::deck::Record;
use crate::follow::Run;

/// No catalogue of generators, mappings, ways, starts and seedings is larger: a test counts this one.
pub const DEALERS_LOG10: f64 = 8.0;

/// Bits that an integer costs: `log2 ((k + 1)(k + 2))`.
pub fn integer_bits(k: u64) -> f64 {
    libm::log2(k as f64 + 1.0) + libm::log2(k as f64 + 2.0)
}

/// The bound of runs of records that a state deals; 0 if it says nothing.
pub fn log10_of_runs(runs: &[Run], state_bits: f64, records: &[Record]) -> f64 {
    let mut bits = state_bits + integer_bits(runs.len() as u64);
    let mut chance_log10 = 0.0;
    let mut end = 0;
    for run in runs {
        bits += integer_bits(run.first.saturating_sub(end));
        bits += integer_bits(run.records) + integer_bits(run.calls_before) + integer_bits(run.calls_between);
        end = run.first + run.records;
        let own = records.iter().skip(run.first as usize).take(run.records as usize);
        chance_log10 += own.map(Record::chance_log10).sum::<f64>();
    }
    (bits * std::f64::consts::LOG10_2 + DEALERS_LOG10 + chance_log10).min(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generator::GENERATORS;
    use crate::mapping::MAPPINGS;
    use crate::seeding::SEEDINGS;
    use crate::start::Start;
    use crate::way::{SORTS, WAYS};

    #[test]
    fn no_catalogue_is_larger() {
        let states = GENERATORS.len() + SEEDINGS.len();
        let dealers = states * MAPPINGS.len() * (WAYS.len() + SORTS.len()) * Start::all().len();
        assert!(libm::log10(dealers as f64) < DEALERS_LOG10);
    }

    /// By hand: 52! = 10^67.9066; 128 bits are 10^38.5318; one run of 3 records at the beginning without calls between
    /// costs 1·2 for each 0, 2·3 for the 1 and 4·5 for the 3.
    #[test]
    fn three_decks_of_a_state_of_128_bits() {
        let deck: [u8; 52] = std::array::from_fn(|card| card as u8);
        let records = vec![Record::whole(&deck); 3];
        let run = Run { first: 0, records: 3, calls_before: 0, calls_between: 0 };
        let wanted = 38.5318 + 8.0 + libm::log10(6.0 * 20.0 * 8.0) - 3.0 * 67.9066;
        assert!((log10_of_runs(&[run], 128.0, &records) - wanted).abs() < 1e-3);
        // One deck of 2^19937 states says nothing.
        assert!(log10_of_runs(&[Run { records: 1, ..run }], 19_937.0, &records) >= 0.0);
    }
}
