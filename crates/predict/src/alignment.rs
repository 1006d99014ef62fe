//! Caches: where the 64 numbers of a cache end is told only by records across an end. A state one number on, with a cache that
//! ends one number earlier, deals the same but for one number of each cache, and that number may make the same draw.

use crate::deck::Observation;
use crate::follow::{Rival, calls_between};
use crate::generator::Generator;
use crate::generator::xorshift::{CACHE, V8, V8_EVERY, V8_SUM, back128, step128};
use crate::model::Found;

fn has_cache(generator: &Generator) -> bool {
    V8_EVERY.iter().chain([&V8, &V8_SUM]).any(|own| own == generator)
}

/// The alignment that deals the most; others that deal as much are its rivals.
pub(crate) fn aligned(found: Found, seen: &Observation) -> Found {
    let state = &found.candidate.state;
    if !has_cache(found.candidate.dealing.generator) || !(1..=CACHE).contains(&state[2]) {
        return found;
    }
    let Some(first) = found.followed.runs.first().map(|run| run.first as usize) else { return found };
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
    let mut all = vec![found];
    all.extend(others);
    let most = all.iter().map(|own| own.followed.cards).max().unwrap_or_default();
    all.retain(|own| own.followed.cards == most);
    let mut best = all.remove(0);
    best.followed.rivals = all.into_iter().map(rival).collect();
    best
}

fn rival(found: Found) -> Rival {
    let Found { candidate, followed, .. } = found;
    Rival { state: candidate.state, calls: followed.calls, calls_between: calls_between(&followed.runs) }
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
