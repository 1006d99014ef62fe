//! The cards that were really dealt, in their order: each is any of those not dealt before, whatever folded and why.
//!
//! Players decide with what they hold who gets the next card and whether there is one, so counts of later streets
//! have no distribution that holds for all tables. One thing holds whatever decided: the next card is uniform on the
//! cards not dealt before, so its rank among them, a digit in 0…51 − i, is uniform and independent of everything
//! before. A bet at fair odds on it gains nothing in the mean, and money that began as 1 reaches 1/α with probability
//! at most α, at any time and under any folding (Ville 1939; Shafer, J. R. Stat. Soc. A 184, 2021). Each [`BetPart`]
//! bets on one kind of fault; the p-value of a part is 1 over the most its money ever was. It is a proven bound, so
//! it may convict.

mod before;
mod bets;
pub mod files;
pub mod read;
pub mod recovered;
pub mod repeated;
mod sorted;
mod table;

use std::borrow::Borrow;
use std::collections::BTreeMap;

use crate::audit::verdict::{self, Finding, Rule, Verdict, families_of};
use crate::hands::dealt::read::{DealtHands, OrderedHand};
use crate::hands::dealt::recovered::{HandsSearch, search};
use crate::hands::dealt::repeated::{RepeatedHands, repeated};
use crate::hands::dealt::table::Tables;
use crate::hands::judgement::{HANDS_MIN, LEVEL};
use deckproof_deck::card::{Card, DECK_CARDS};
use deckproof_stats::math::gamma::ln_factorial;

/// The digits of a hand: the rank of each card among those not dealt before. When all 52 are dealt they are
/// Lehmer's (1960) code of the deck.
pub fn digits(cards: &[Card]) -> Vec<u8> {
    let mut left = u64::MAX >> (64 - DECK_CARDS);
    let digit = |card: &Card| {
        let digit = (left & ((1 << card.index()) - 1)).count_ones() as u8;
        left &= !(1 << card.index());
        digit
    };
    cards.iter().map(digit).collect()
}

/// One kind of fault that is bet on.
#[derive(Clone, PartialEq, Debug)]
pub struct BetPart {
    /// The parts that share a share of the level.
    pub family: &'static str,
    /// Its name within the family.
    pub name: String,
    /// Cards that were bet on.
    pub cards: u64,
    /// Natural logarithm of the most its money ever was.
    pub most: f64,
}

impl BetPart {
    /// Ville's bound: no p-value of a fair deal is below it with more than its own probability.
    pub fn p_value(&self) -> f64 {
        libm::exp(-self.most).min(1.0)
    }
}

/// The verdict on dealt cards.
#[derive(Clone, PartialEq, Debug)]
pub struct DealtJudgement {
    /// What the statistics say of the hands that were read.
    pub verdict: Verdict,
    /// All parts together, whichever hands were left out.
    pub family_p_value: f64,
    /// Hands that were judged.
    pub hands: u64,
    /// Their cards.
    pub cards: u64,
    /// The parts on which cards were bet.
    pub parts: Vec<BetPart>,
    /// Whether the generator behind them was recovered.
    pub search: HandsSearch,
    /// Hands that came again.
    pub repeated: RepeatedHands,
    /// Hands that end before seventh street.
    pub hands_ended_early: u64,
    /// Seats that end before their hand does or with such a hand.
    pub seats_ended_early: u64,
}

/// Judges hands in the order in which they were dealt.
pub fn judge(dealt: &DealtHands) -> DealtJudgement {
    let (search, repeated) = (search(dealt), repeated(dealt));
    let has_proof = !dealt.impossible.is_empty() || search.recovered.is_some() || repeated.hands > 0;
    // A copy has no chance of its own: what was learned of the first one would be won back from it.
    let hands =
        dealt.hands.iter().enumerate().filter(|(place, _)| repeated.across.binary_search(place).is_err());
    let hands: Vec<&OrderedHand> = hands.map(|(_, hand)| hand).collect();
    let mut judged = judge_hands(&hands, dealt.unread_total, has_proof);
    // Other copies may not have been recognised, and what a bet won on a hand it wins again on its copy.
    if !has_proof
        && !repeated.across.is_empty()
        && matches!(judged.verdict, Verdict::Fail | Verdict::Investigate)
    {
        judged.verdict = Verdict::Inconclusive;
    }
    DealtJudgement { search, repeated, ..judged }
}

/// Natural logarithm of what every p-value is multiplied by where so many hands could not be read. Which ones may depend on
/// their cards. Ville's bound holds for the others of each fixed choice, and the choices share the level (Bonferroni): each number of
/// hands alike, and each set of as many.
fn ln_choices(judged: u64, left_out: u64) -> f64 {
    let all = judged + left_out;
    let sets = ln_factorial(all) - ln_factorial(judged) - ln_factorial(left_out);
    if left_out == 0 { 0.0 } else { sets + libm::log(all as f64) }
}

fn judge_hands(hands: &[impl Borrow<OrderedHand>], left_out: u64, has_proof: bool) -> DealtJudgement {
    let mut tables = Tables::new();
    hands.iter().for_each(|hand| tables.add(&hand.borrow().cards));
    let parts = tables.parts();
    let hands_total = hands.len() as u64;
    let ln_choices = ln_choices(hands_total, left_out);
    let findings: Vec<Finding> = parts
        .iter()
        .map(|part| {
            let p_value = libm::exp(ln_choices - part.most).min(1.0);
            Finding { family: part.family, p_value, p_value_convicting: p_value }
        })
        .collect();
    let rule = Rule { level: LEVEL, level_fail: 1e-6, decks_min: HANDS_MIN };
    let judged = verdict::judge(&rule, has_proof, hands_total, &findings, &families_of(&findings));
    DealtJudgement {
        verdict: judged.verdict,
        family_p_value: judged.family_p_value,
        hands: hands_total,
        cards: hands.iter().map(|hand| hand.borrow().cards.len() as u64).sum(),
        parts,
        search: HandsSearch::default(),
        repeated: RepeatedHands::default(),
        hands_ended_early: hands.iter().map(|hand| u64::from(hand.borrow().ends_early())).sum(),
        seats_ended_early: hands.iter().map(|hand| hand.borrow().seats_ended_early()).sum(),
    }
}

impl DealtJudgement {
    /// The smallest p-value of each family, with the number of its parts.
    pub fn families(&self) -> Vec<(&BetPart, usize)> {
        let mut families: BTreeMap<&str, (&BetPart, usize)> = BTreeMap::new();
        for part in &self.parts {
            let kept = families.entry(part.family).or_insert((part, 0));
            kept.1 += 1;
            if part.most > kept.0.most {
                kept.0 = part;
            }
        }
        families.into_values().collect()
    }
}

#[cfg(test)]
mod tests;
