//! Dealers that deal the same decks for a while.
//!
//! Where the 64 numbers of a cache end shows only in records across an end. A state one number on, with a cache that
//! ends one number earlier, deals the same but for one number of each cache, and that number may make the same draw.
//!
//! `random.sample` of Python draws the card that is left from one, and reads a bit until it is 0: one word or more between two decks,
//! where `random.shuffle` reads none.

use std::cmp::Reverse;

use crate::deck::Observation;
use crate::follow::{Rival, calls_between};
use crate::generator::Generator;
use crate::generator::xorshift::{CACHE, V8, V8_EVERY, V8_SUM, back128, step128};
use crate::mapping::Mapping;
use crate::model::Found;
use crate::way::{Loop, Way};

fn has_cache(generator: &Generator) -> bool {
    V8_EVERY.iter().chain([&V8, &V8_SUM]).any(|own| own == generator)
}

/// The dealer that deals the most records with the fewest changes of the calls between; others that deal them as well are its rivals.
pub(crate) fn aligned(found: Found, seen: &Observation) -> Found {
    let Some(first) = found.followed.runs.first().map(|run| run.first as usize) else { return found };
    let others = [of_caches(&found, seen, first), of_last_card(&found, seen, first)].concat();
    let mut all = vec![found];
    all.extend(others);
    let rank = |own: &Found| (Reverse(own.followed.cards), own.followed.runs.len());
    let best = all.iter().map(rank).min();
    all.retain(|own| Some(rank(own)) == best);
    let mut best = all.remove(0);
    best.followed.rivals = all.into_iter().map(rival).collect();
    best
}

/// The other places where a cache may end.
fn of_caches(found: &Found, seen: &Observation, first: usize) -> Vec<Found> {
    let state = &found.candidate.state;
    if !has_cache(found.candidate.dealing.generator) || !(1..=CACHE).contains(&state[2]) {
        return Vec::new();
    }
    // Numbers of a cache are taken from the last on: with `left` of them the first is that of so many steps.
    let mut at = [state[0], state[1]];
    (0..state[2]).for_each(|_| step128(&mut at));
    let mut others = Vec::new();
    for left in 1..=CACHE {
        back128(&mut at);
        if left != state[2] {
            let mut candidate = found.candidate.clone();
            // After as many steps back as there are left.
            candidate.state = vec![at[0], at[1], left];
            others.extend(Found::if_recovered(candidate, seen, first, found.used as usize));
        }
    }
    others
}

/// How `random.sample` deals.
const SAMPLE: Way = Way { of: Loop::Down, from_end: true };

/// The same state, with a draw for the card that is left.
fn of_last_card(found: &Found, seen: &Observation, first: usize) -> Vec<Found> {
    let mut candidate = found.candidate.clone();
    if candidate.dealing.mapping != Mapping::TopBits || candidate.dealing.way != SAMPLE {
        return Vec::new();
    }
    candidate.dealing.mapping = Mapping::TopBitsToOne;
    Found::if_recovered(candidate, seen, first, found.used as usize).into_iter().collect()
}

fn rival(found: Found) -> Rival {
    let Found { candidate, followed, .. } = found;
    Rival { candidate, calls: followed.calls, calls_between: calls_between(&followed.runs) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::budget::Budget;
    use crate::deck::Deck;
    use crate::model::{Recovered, Scope};
    use crate::search::{Request, search};
    use crate::start::Start;
    use crate::way::WAYS;

    /// A process of Node.js 20.20.2, whose first two decks two alignments deal.
    fn decks() -> Vec<Deck> {
        let lines = include_str!("../fixtures/node20_two_alignments.txt").lines();
        let deck =
            |line: &str| line.split(' ').map(|card| card.parse().expect("a card")).collect::<Vec<u8>>();
        lines.map(|line| deck(line).try_into().expect("52 cards")).collect()
    }

    fn recovered(decks: &[Deck]) -> Recovered {
        let seen = Observation::of_decks(decks);
        let scope = Scope { ways: vec![WAYS[0]], starts: vec![Start::BY_RANKS] };
        let models = vec!["V8 Math.random".to_owned()];
        let request = Request { seen: &seen, segments: &[], scope: &scope, models: &models };
        search(&request, &Budget::unlimited()).recovered.remove(0)
    }

    #[test]
    fn decks_on_which_alignments_differ_are_not_named() {
        let decks = decks();
        let two = recovered(&decks[..2]);
        assert_eq!((two.followed.records, two.followed.rivals.len()), (2, 1));
        assert!(two.next_decks(10, None).is_empty());
        // The third decides.
        let three = recovered(&decks[..3]);
        assert_eq!((three.followed.rivals.len(), three.next_decks(10, None)), (0, decks[3..].to_vec()));
    }

    /// A model that came upon a worse alignment is set right.
    #[test]
    fn the_alignment_that_deals_the_most_is_taken() {
        let decks = decks();
        let seen = Observation::of_decks(&decks);
        let right = recovered(&decks);
        let mut at = [right.candidate.state[0], right.candidate.state[1]];
        back128(&mut at);
        let mut wrong = right.candidate.clone();
        wrong.state = vec![at[0], at[1], right.candidate.state[2] + 1];
        let found = Found::if_recovered(wrong, &seen, 0, 1).expect("it deals two of them");
        assert!(found.followed.records < 13);
        let found = aligned(found, &seen);
        assert_eq!((found.candidate.state, found.followed.rivals), (right.candidate.state, vec![]));
    }
}
