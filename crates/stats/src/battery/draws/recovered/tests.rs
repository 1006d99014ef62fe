//! Generators that are recovered from decks, none from fair ones, and counts that claim more than they deal.

use super::*;
use crate::battery::tail::Tail;
use crate::battery::walk::sample::{blocks, dealt};

/// `rand()` of Visual C++, `% n`, Fisher–Yates downward: a second program in five lines.
fn microsoft(decks: usize, state: u32) -> Vec<Deck> {
    microsoft_with_calls(decks, state, |_| 0)
}

/// The same, so many calls before each deck.
fn microsoft_with_calls(decks: usize, mut state: u32, calls: fn(usize) -> usize) -> Vec<Deck> {
    let mut rand = || {
        state = state.wrapping_mul(214_013).wrapping_add(2_531_011);
        (state >> 16 & 0x7fff) as usize
    };
    let deal = |number| {
        (0..calls(number)).for_each(|_| _ = rand());
        let mut deck = Deck::in_order();
        (1..DECK_CARDS).rev().for_each(|place| deck.swap(place, rand() % (place + 1)));
        deck
    };
    (0..decks).map(deal).collect()
}

/// Decks of the certified shuffle.
fn certified(decks: u64) -> Vec<Deck> {
    dealt("certified", 0..decks)
}

fn counted(decks: &[Deck]) -> Vec<u64> {
    let mut counts = vec![0; CELLS];
    Recovered.observe(&blocks(decks), &mut counts);
    counts
}

#[test]
fn three_decks_tell_the_fourth() {
    let decks = microsoft(4, 20_261_124);
    let counts = counted(&decks[..3]);
    assert_eq!(Recovered.decks_in(&counts), Some(3));
    let own = found(&counts).expect("it is recovered");
    let next: Vec<String> = decks[3].cards().map(|card| card.to_string()).collect();
    assert_eq!((own.decks, own.next), (3, Some(next.join(" "))));
    let [outcome] = &Recovered.finish(&counts, 3)[..] else { panic!("one part") };
    assert!(outcome.p_value < 1e-60 && outcome.tail == Tail::Bound);
}

/// What nobody can deal again is not believed: another deck, another state, a claim without decks.
#[test]
fn counts_that_claim_more_than_they_deal_are_refused() {
    let counts = counted(&microsoft(3, 20_261_124));
    let judged = |own: &[u64]| (Recovered.decks_in(own), Recovered.finish(own, 3)[0].p_value);
    let check_refused = |what: &str, spoil: &dyn Fn(&mut Vec<u64>)| {
        let mut own = counts.clone();
        spoil(&mut own);
        assert_eq!(judged(&own), (None, 1.0), "{what}");
    };
    let other = microsoft(1, 5)[0];
    check_refused("another deck", &|own| pack(other.indices(), &mut own[AT_DECKS..][..DECK_WORDS]));
    check_refused("no deck", &|own| own[AT_DECKS] = 0);
    check_refused("another model", &|own| own[AT_TEXT + 3] ^= 1 << 9);
    check_refused("a text cut short", &|own| own[2] -= 1);
    check_refused("fewer decks than it claims", &|own| own[1] = 2);
    // A claim that is taken out altogether is no claim: the recorded decks bring it back.
    let mut empty = counts.clone();
    empty[2..].fill(0);
    assert_eq!(judged(&empty), (Some(3), 1.0));
}

/// Equal, unshuffled and cut decks fit a state that does not move: no generator is accused of them.
#[test]
fn decks_that_no_generator_dealt_accuse_none() {
    let shuffled = certified(1)[0];
    let mut cut = shuffled;
    let mut next_cut = || {
        cut = Deck::try_from(&[&cut.indices()[1..], &cut.indices()[..1]].concat()[..]).expect("a deck");
        cut
    };
    let cuts: Vec<Deck> = (0..100).map(|_| next_cut()).collect();
    for decks in [vec![Deck::in_order(); 100], vec![shuffled; 100], cuts] {
        assert_eq!(found(&counted(&decks)).map(|own| own.recovery), None);
    }
}

/// Judging a certificate takes a moment, whatever it claims.
#[test]
fn calls_without_end_are_not_dealt() {
    let mut counts = counted(&microsoft(3, 20_261_124));
    let text = unpacked(&counts[AT_TEXT..AT_DECKS], counts[2] as usize).expect("a text");
    let mut recovery: Recovery = serde_json::from_slice(&text).expect("JSON");
    recovery.runs[0][3] = u64::from(u32::MAX);
    let text = serde_json::to_string(&recovery).expect("JSON");
    counts[2] = text.len() as u64;
    counts[AT_TEXT..AT_DECKS].fill(0);
    pack(text.as_bytes(), &mut counts[AT_TEXT..AT_DECKS]);
    assert!(!is_short(&recovery) && Recovered.decks_in(&counts).is_none());
}

#[test]
fn decks_of_a_good_generator_are_not_claimed() {
    let counts = counted(&certified(600));
    assert_eq!((counts[0], counts[1]), (600, 512));
    assert!(counts[2..].iter().all(|&count| count == 0));
    assert!(Recovered.finish(&counts, 600)[0].p_value >= 1.0);
}

/// A deck that comes out of the state is named by its number among all decks, wherever it was kept.
#[test]
fn what_is_kept_has_its_number_among_all_decks() {
    let all_of = |all: usize| (0..all.min(RECORDS_MAX)).map(|kept| place_of(kept, all)).collect::<Vec<_>>();
    for all in [1, 511, 512] {
        assert!(all_of(all).into_iter().eq(0..all));
    }
    // By hand: the last window is the last eight decks, the middle one lies in the middle of what follows the first 456.
    let places = all_of(10_456 + WINDOW);
    assert_eq!((places[455], places[456], places[480], places[511]), (455, 456, 5_456, 10_463));
    for all in [513, 700, 65_536] {
        assert!(all_of(all).is_sorted_by(|a, b| a < b) && place_of(511, all) == all - 1);
    }
}

#[test]
fn a_release_in_the_middle_is_found_and_has_its_number() {
    let mut decks = certified(600);
    let weak = microsoft(101, 20_261_124);
    decks.extend(&weak[..100]);
    let counts = counted(&decks);
    let own = found(&counts).expect("it is recovered");
    // Windows begin at deck 456 + 236·w/6: the fifth is the first behind deck 600.
    let proof = own.proof(0, &counts).expect("a proof");
    assert!(proof.contains("from record 614 on"), "{proof}");
    let next: Vec<String> = weak[100].cards().map(|card| card.to_string()).collect();
    assert!(proof.ends_with(&format!("The deck after these is {}.", next.join(" "))), "{proof}");
    assert_eq!(Recovered.decks_in(&counts), Some(700));
}

#[test]
fn a_weak_server_of_eight_is_found() {
    let mut decks = certified(48);
    microsoft(6, 77).into_iter().enumerate().for_each(|(number, deck)| decks[8 * number + 5] = deck);
    let counts = counted(&decks);
    let own = found(&counts).expect("it is recovered");
    let proof = own.proof(0, &counts).expect("a proof");
    assert!(own.decks == 6 && proof.contains("from record 6 on"), "{proof}");
}

/// Certificates with these words are about, and say nothing false that a verifier has to refuse.
#[test]
fn words_of_earlier_programs_are_those_of_the_same_proof() {
    let proof = |known: &str, bits: u32| {
        format!(
            "After one deck {known}, from record 1 on: xorshift32, ⌊U·n⌋ with U of {bits} bits, start order ranks-cdhs."
        )
    };
    assert_eq!(comparable_proof(&proof(ENDS_EARLIER, 53)), comparable_proof(&proof(ENDS, 32)));
    assert_ne!(comparable_proof(&proof(ENDS, 32)), comparable_proof(&proof("the next cards are known", 32)));
    assert_eq!(comparable_proof("Deck 7 is deck 3."), "Deck 7 is deck 3.");
}

/// The end of a long run is reached, so that the next deck is the one behind it.
#[test]
fn the_next_deck_comes_after_the_last_of_many() {
    let decks = microsoft(3_001, 5);
    let own = found(&counted(&decks[..3_000])).expect("it is recovered");
    let next: Vec<String> = decks[3_000].cards().map(|card| card.to_string()).collect();
    assert_eq!((own.decks, own.next), (512, Some(next.join(" "))));
}

/// Python's `random.shuffle` takes 76 calls a deck, a third of which leave no trace: every window is reached all the same.
#[test]
fn windows_are_reached_where_draws_are_rejected() {
    let decks = dealt("mt19937-stream-python", 0..3_001);
    let counts = counted(&decks[..3_000]);
    let own = found(&counts).expect("it is recovered");
    let next: Vec<String> = decks[3_000].cards().map(|card| card.to_string()).collect();
    assert_eq!((own.decks, &own.next), (512, &Some(next.join(" "))));
    let proof = own.proof(0, &counts).expect("a proof");
    assert!(proof.contains("All 512 decks that were searched are its outputs, card by card."), "{proof}");
}

/// What the work did not reach is named, and not where something was recovered.
#[test]
fn what_was_left_out_is_named() {
    let fair = counted(&certified(6));
    let text = Recovered.left_out(&fair).expect("the work does not reach everything");
    let (reach, need) = text.split_once("; that need more decks").expect("both lists");
    assert!(reach.contains("musl rand() % n") && !text.contains("Java nextInt"), "{text}");
    assert!(need.contains("MT19937") && !reach.contains("MT19937"), "{text}");
    assert_eq!(Recovered.left_out(&counted(&microsoft(3, 20_261_124))), None);
}

/// What a version tried is part of its certificates: a model that is added, or work that changes, takes a new version.
#[test]
fn what_version_8_leaves_out_does_not_change() {
    assert_eq!(Recovered.about().version, 8);
    let left_out_by_it = "models that its stated work did not reach: glibc rand() % n, few decks; MT19937; MT19937-64; xoshiro256+; V8 \
                         Math.random of 2015 and 2016; .NET Random, sorted by keys; Small seeds of all seedings, calls before; musl rand() % n; Knuth MMIX % n; that need more decks than these: none; 34 others were not \
                         tried with all start orders; deckproof predict searches longer";
    assert_eq!(left_out(9_000), left_out_by_it);
}

/// Two decks of a process of Node.js 20.20.2 that two alignments of its cache deal: the next deck is named when a third has decided.
#[test]
fn a_next_deck_on_which_alignments_differ_is_not_named() {
    let lines = include_str!("../../../../../predict/fixtures/node20_two_alignments.txt").lines();
    let decks: Vec<Deck> = lines
        .map(|line| {
            let cards: Vec<u8> = line.split(' ').map(|card| card.parse().expect("a card")).collect();
            Deck::try_from(&cards[..]).expect("a deck")
        })
        .collect();
    let next = |count: usize| found(&counted(&decks[..count])).expect("it is recovered").next;
    let text = |deck: &Deck| deck.cards().map(|card| card.to_string()).collect::<Vec<_>>().join(" ");
    assert_eq!((next(2), next(3)), (None, Some(text(&decks[3]))));
}

/// Where the calls between decks vary, nobody can say which deck is next; where they are as many each time, it is known.
#[test]
fn a_next_deck_behind_calls_that_vary_is_not_named() {
    let next = |calls: fn(usize) -> usize| {
        let decks = microsoft_with_calls(9, 77, calls);
        let own = found(&counted(&decks[..8])).expect("it is recovered");
        let text = decks[8].cards().map(|card| card.to_string()).collect::<Vec<_>>().join(" ");
        assert_eq!(own.decks, 8);
        own.next.map(|next| next == text)
    };
    assert_eq!((next(|number| number * number % 7), next(|_| 5)), (None, Some(true)));
}
