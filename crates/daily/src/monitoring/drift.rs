//! Drift: evidence against the shuffler over all its days, by bets at fair odds that may be looked at every day.
//!
//! For each table of counts whose probabilities p are known, `e(S)` is the likelihood ratio of a Dirichlet mixture around p
//! against p ([`ln_mixture_ratio`](deckproof_stats::math::dirichlet::ln_mixture_ratio)), averaged over a grid of how close around; its expectation is exactly 1 if the
//! shuffler is fair. So that an old clean history does not drown a new fault, the bets start afresh on a dyadic grid:
//! with levels j = 0..=L, component (j, k) starts on day k·2^j with empty counts, weighs 2^−(L−j)/(L+1), all weights
//! summing to 1, counts for 1 before its start, for e(its own counts) while it runs, and is frozen at the end of its 2^(j+1) days.
//! Nothing is reinvested, reset or restarted. By Ville's inequality (1939) the sum of all exceeds 1/α on any day of the
//! whole life with probability at most α.

pub mod by_table;
mod families;
pub mod family;
pub mod process;
pub mod tables;

#[cfg(test)]
mod tests;

use crate::monitoring::drift::tables::LN_PROOF;
use deckproof_report::document::words::{Language, Words};

/// Over the life of a shuffler one fair shuffler in so many asks for an investigation.
pub const INVESTIGATE: f64 = 1e3;

/// Over the life of a shuffler one fair shuffler in so many is stopped.
pub const STOP: f64 = 1e6;

/// What the evidence says.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Alarm {
    /// Below 1,000 to 1.
    None,
    /// 1,000 to 1 or more.
    Investigate,
    /// A million to one or more.
    Stop,
}

impl Alarm {
    /// Of the logarithm of the evidence.
    pub fn of(ln_evidence: f64) -> Alarm {
        match ln_evidence {
            ln if ln >= libm::log(STOP) => Alarm::Stop,
            ln if ln >= libm::log(INVESTIGATE) => Alarm::Investigate,
            _ => Alarm::None,
        }
    }
}

/// The evidence in words, such as `is 1 in 4,300`.
pub fn stands_at(ln_evidence: f64) -> String {
    stands_in(ln_evidence, Language::English.words())
}

/// The same in another language.
pub fn stands_in(ln_evidence: f64, words: &Words) -> String {
    let (odds, mail) = (libm::exp(ln_evidence), &words.mail);
    match odds {
        _ if ln_evidence >= LN_PROOF => mail.evidence_proof.to_owned(),
        // Below 2 it would be 1 in 1.
        odds if odds < 2.0 => mail.evidence_nothing.to_owned(),
        odds if odds < 1e15 => mail.evidence_odds(&words.number(two_digits(odds))),
        _ => mail.evidence_odds(&format!("10^{:.0}", ln_evidence / std::f64::consts::LN_10)),
    }
}

/// The first two digits, rounded down: evidence is not to be overstated.
fn two_digits(odds: f64) -> u64 {
    let unit = libm::pow(10f64, (libm::log10(odds).floor() - 1.0).max(0.0));
    ((odds / unit).floor() * unit) as u64
}
