//! The generator behind dealt cards, recovered: cards that nobody was dealt are not needed.
//!
//! A hand is the beginning of a deck, as far as it was dealt, without burned cards, or with one before each street from the fourth on.
//! Ways of shuffling that fix the first cards first then tell the first draws of every hand, and the rest of its calls
//! are skipped. What is recovered deals every dealt card of the hands that it names: a proof whose bound counts every state
//! of every generator, tried or not ([`deckproof_predict::bound`]). Hands of many cards are tried first ones too, since few cards leave
//! much to be listed.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use deckproof_deck::card::{Card, DECK_CARDS};
use deckproof_predict::deck::{Gap, Observation, Record};
use deckproof_predict::first::{Outcome, Places, RECORDS_MAX, Tried, search_first};
use deckproof_predict::recovery::Recovery;

use crate::hands::dealt::read::{DealtHands, OrderedHand};
use crate::hands::dealt::repeated::CARDS_MIN;

/// What the search spends on each of two layouts, nominal microseconds of one thread.
const WORK: u64 = 1_320_000;

/// Longest hands that are tried as first ones.
const LONGEST: usize = 1;

/// Streets before which a card is burned where cards are burned.
const BURNED: [u8; 4] = [4, 5, 6, 7];

/// A generator that deals the hands.
#[derive(Clone, PartialEq, Debug)]
pub struct RecoveredHands {
    /// The generator in its state; records are hands in the order of the files.
    pub recovery: Recovery,
    /// What the file calls the first hand that it deals.
    pub first: String,
    /// Hands that were searched, one of each deck.
    pub searched: usize,
    /// Whether a card is burned before each street from the fourth on.
    pub has_burns: bool,
}

/// What came of the search.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct HandsSearch {
    /// What was recovered.
    pub recovered: Option<RecoveredHands>,
    /// Models that the stated work did not reach in either layout.
    pub left_out: Vec<&'static str>,
}

/// Searches the first hands, from the beginning of each file.
pub(super) fn search(dealt: &DealtHands) -> HandsSearch {
    let mut left_out: Vec<&str> = Vec::new();
    let decks = DistinctDecks::of(&dealt.hands);
    for has_burns in [false, true] {
        let outcome = search_layout(dealt, &decks, has_burns);
        if let Some(recovered) = recovered(dealt, &decks, has_burns, &outcome) {
            return HandsSearch { recovered: Some(recovered), left_out: Vec::new() };
        }
        left_out = outcome.models.iter().filter(|own| Tried::is_left_out(own)).map(|own| own.model).collect();
    }
    HandsSearch { recovered: None, left_out }
}

/// The first hands without those of a deck that is there: a deck that comes again has no draws of its own, and of a deck that is never
/// shuffled all hands together cost many times what the search counts for them.
struct DistinctDecks {
    /// Where each deck came first.
    places: Vec<usize>,
    /// The hand that shows most of it.
    hands: Vec<usize>,
}

impl DistinctDecks {
    fn of(hands: &[OrderedHand]) -> DistinctDecks {
        let (mut decks, mut known) =
            (DistinctDecks { places: Vec::new(), hands: Vec::new() }, BTreeMap::new());
        for (place, hand) in hands.iter().enumerate() {
            if decks.places.len() == RECORDS_MAX {
                break;
            }
            let first: Vec<Card> = hand.cards.iter().take(CARDS_MIN).map(|dealt| dealt.card).collect();
            match known.entry(first) {
                Entry::Vacant(own) => {
                    own.insert(decks.places.len());
                    decks.places.push(place);
                    decks.hands.push(place);
                }
                Entry::Occupied(own) => {
                    let shown = &mut decks.hands[*own.get()];
                    if hand.cards.len() > hands[*shown].cards.len() {
                        *shown = place;
                    }
                }
            }
        }
        decks
    }
}

fn search_layout(dealt: &DealtHands, decks: &DistinctDecks, has_burns: bool) -> Outcome {
    let records = decks.hands.iter().filter_map(|&hand| record(&dealt.hands[hand], has_burns)).collect();
    let seen = Observation { records, gap: Gap::default() };
    let begun = dealt.begun.iter().map(|begun| decks.places.partition_point(|place| place < begun));
    let begun: Vec<usize> = begun.chain(longest(&seen)).collect();
    search_first(&seen, Places { begun: &begun, middle: &[] }, WORK)
}

/// The first hands with the most cards, which fix a state best.
fn longest(seen: &Observation) -> Vec<usize> {
    let mut hands: Vec<usize> = (0..seen.records.len().min(RECORDS_MAX)).collect();
    hands.sort_by_key(|hand| Reverse(seen.records[*hand].seen()));
    hands.truncate(LONGEST);
    hands
}

/// The cards of a hand from the top of its deck; `None` where burned cards would make it longer than a deck.
fn record(hand: &OrderedHand, has_burns: bool) -> Option<Record> {
    let mut cards: Vec<Option<u8>> = Vec::new();
    let mut street = 3;
    for dealt in &hand.cards {
        if has_burns && dealt.street > street && BURNED.contains(&dealt.street) {
            cards.push(None);
        }
        street = dealt.street;
        cards.push(Some(dealt.card.index()));
    }
    // Nothing is known behind a deck; a hand of few seats is far shorter.
    cards.truncate(DECK_CARDS);
    Record::of_first_cards(&cards)
}

fn recovered(
    dealt: &DealtHands,
    decks: &DistinctDecks,
    has_burns: bool,
    outcome: &Outcome,
) -> Option<RecoveredHands> {
    let own = outcome.recovered.as_ref()?;
    let recovery = Recovery::new(own, own.next_deck(None).as_slice());
    let first = dealt.hands[*decks.hands.get(usize::try_from(own.first).ok()?)?].number.clone();
    let searched = decks.hands.len();
    Some(RecoveredHands { recovery, first, searched, has_burns })
}

impl RecoveredHands {
    /// The proof with its address.
    pub fn proof(&self) -> String {
        let own = &self.recovery;
        let fitted = if own.fitted == 1 { "one hand".to_owned() } else { format!("{} hands", own.fitted) };
        let burned =
            if self.has_burns { ", a card burned before each street from the fourth on" } else { "" };
        let leads_on = own.leads_on(own.end() < self.searched as u64);
        let known = if leads_on {
            "the next cards are known"
        } else {
            "its state is known, and dealing on in the same way gives other hands than those after these"
        };
        let next = own.next.first().filter(|_| leads_on);
        let next = next.map_or_else(String::new, |next| format!(" The next deck is {next}."));
        format!(
            "After {fitted} {known}, from hand {} on: {}{burned}. Of the {} hands that were searched {} are its \
             outputs, every dealt card.{next}",
            self.first,
            own.dealer_words(),
            self.searched,
            own.records(),
        )
    }
}
